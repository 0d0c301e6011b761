//! A viewer, and a client that knows just enough HTTP to talk to it.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;
use worldview_verbs::Run;
use worldview_verbs::options::ViewOptions;
use worldview_view::Server;

/// A running viewer with a session.
pub struct Viewer {
    stop: Arc<AtomicBool>,
    pub host: String,
    pub token: String,
    pub key: String,
}

/// An answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Answer {
    /// Returns a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// Returns the key that a page contains.
    pub fn key(&self) -> Option<String> {
        let page = std::str::from_utf8(&self.body).unwrap();
        let (_, rest) = page.split_once("<meta name=\"worldview-key\" content=\"")?;
        Some(rest.split_once('"')?.0.to_owned())
    }

    /// Returns the body, which must be JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Returns the lines of the body, which must be JSON.
    pub fn lines(&self) -> Vec<Value> {
        self.body
            .split(|&byte| byte == b'\n')
            .filter(|line| !line.is_empty())
            .map(|line| serde_json::from_slice(line).unwrap())
            .collect()
    }
}

impl Viewer {
    /// Starts a viewer and takes its key, as the page does.
    pub fn start<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>, options: &ViewOptions) -> Self {
        let paths = paths.into_iter().map(|path| path.as_ref().to_owned());
        let server = Server::bind(paths, options, &mut Run::new(&mut ())).unwrap();
        let address = server.address().unwrap();
        let (host, token) = address.strip_prefix("http://").unwrap().split_once("/?token=").unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let (host, token, stopped) = (host.to_owned(), token.to_owned(), Arc::clone(&stop));
        std::thread::spawn(move || server.run(&stopped).unwrap());
        let mut viewer = Self { stop, host, token, key: String::new() };
        viewer.key = viewer.get(&format!("/?token={}", viewer.token)).key().unwrap();
        viewer
    }

    /// Starts a viewer for one path.
    pub fn of(path: impl AsRef<Path>) -> Self {
        Self::open([path])
    }

    /// Starts a viewer for the samples.
    pub fn samples() -> Self {
        Self::of(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples"))
    }

    /// Asks as the page does.
    pub fn get(&self, path: &str) -> Answer {
        self.send("GET", path, &[], b"")
    }

    /// Sends JSON as the page does.
    pub fn post(&self, path: &str, body: &Value) -> Answer {
        let origin = format!("http://{}", self.host);
        let headers = [("Origin", origin.as_str()), ("Content-Type", "application/json")];
        self.send("POST", path, &headers, body.to_string().as_bytes())
    }

    /// Sends a request with the key, and more headers.
    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut request =
            format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        let own = [("Host", self.host.as_str()), ("X-Worldview-Key", self.key.as_str())];
        let is_given = |name: &str| headers.iter().any(|(given, _)| *given == name);
        for (name, value) in own.iter().filter(|(name, _)| !is_given(name)).chain(headers) {
            if !value.is_empty() {
                request.push_str(&format!("{name}: {value}\r\n"));
            }
        }
        let mut stream = self.connect();
        stream.write_all(format!("{request}\r\n").as_bytes()).unwrap();
        stream.write_all(body).unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        parse(&bytes)
    }

    /// Connects without sending anything.
    pub fn connect(&self) -> TcpStream {
        TcpStream::connect(&self.host).unwrap()
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

fn parse(bytes: &[u8]) -> Answer {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("the answer has no end of its headers");
    let head = std::str::from_utf8(&bytes[..end]).unwrap();
    let mut lines = head.split("\r\n");
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let headers: Vec<_> = lines
        .map(|line| line.split_once(": ").unwrap())
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    let body = &bytes[end + 4..];
    let is_chunked = headers.iter().any(|(name, value)| name == "transfer-encoding" && value == "chunked");
    let body = if is_chunked { unchunk(body) } else { body.to_vec() };
    Answer { status, headers, body }
}

fn unchunk(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = rest.windows(2).position(|two| two == b"\r\n") {
        let len = usize::from_str_radix(std::str::from_utf8(&rest[..end]).unwrap(), 16).unwrap();
        if len == 0 {
            break;
        }
        body.extend_from_slice(&rest[end + 2..end + 2 + len]);
        rest = &rest[end + 4 + len..];
    }
    body
}
