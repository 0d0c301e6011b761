//! The first picture of the viewer: from the start of the server to the last answer that the page needs before it shows
//! something. `docs/speed.md` names the goals.
#![allow(missing_docs, reason = "criterion's macros generate undocumented functions")]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    reason = "a benchmark of files and answers that it made itself"
)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use criterion::{Criterion, criterion_group, criterion_main};
use worldview_benches::Row;
use worldview_benches::inputs::{self, id, is_trial};
use worldview_corpus::ff13::generate::{Shape, table_of_rows};
use worldview_corpus::tree::{self, Options};
use worldview_corpus::wwd::spec::Packing;
use worldview_verbs::Run;
use worldview_verbs::options::ViewOptions;
use worldview_view::Server;

/// The allocator of the command, whose work this group measures.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A viewer, and a browser's connection to it.
struct Viewer {
    stop: Arc<AtomicBool>,
    stream: BufReader<TcpStream>,
    host: String,
    key: String,
}

impl Viewer {
    /// Starts a viewer and takes the key, as the page does.
    fn start(path: &Path) -> Self {
        let server = Server::bind([path.to_owned()], &ViewOptions::default(), &mut Run::new(&mut ())).unwrap();
        let address = server.address().unwrap();
        let (host, first) = address.strip_prefix("http://").unwrap().split_once('/').unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let (host, first, stopped) = (host.to_owned(), format!("/{first}"), Arc::clone(&stop));
        let stream = BufReader::new(TcpStream::connect(&host).unwrap());
        stream.get_ref().set_nodelay(true).unwrap();
        std::thread::spawn(move || server.run(&stopped).unwrap());
        let mut viewer = Self { stop, stream, host, key: String::new() };
        let page = String::from_utf8(viewer.answer(&first)).unwrap();
        let (_, rest) = page.split_once("name=\"worldview-key\" content=\"").unwrap();
        viewer.key = rest.split_once('"').unwrap().0.to_owned();
        viewer
    }

    /// Asks for an answer and returns its length.
    fn get(&mut self, path: &str) -> usize {
        self.answer(path).len()
    }

    fn answer(&mut self, path: &str) -> Vec<u8> {
        let Self { host, key, stream, .. } = self;
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nX-Worldview-Key: {key}\r\n\r\n");
        stream.get_mut().write_all(request.as_bytes()).unwrap();
        let (mut line, mut len) = (String::new(), 0);
        loop {
            line.clear();
            stream.read_line(&mut line).unwrap();
            assert!(!line.starts_with("HTTP/1.1 4") && !line.starts_with("HTTP/1.1 5"), "{path}: {line}");
            match line.trim_end().split_once(": ") {
                Some(("content-length", value)) => len = value.parse().unwrap(),
                None if line.trim_end().is_empty() => break,
                _ => {}
            }
        }
        let mut body = vec![0; len];
        stream.read_exact(&mut body).unwrap();
        body
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// Measures the answers that a page asks for, from the start, against as many requests for a file that is in memory.
fn first(criterion: &mut Criterion, name: &str, input: &str, path: &Path, asked: &[&str]) {
    let label = path.file_name().unwrap().to_str().unwrap();
    let asked: Vec<_> = asked.iter().map(|asked| asked.replace("{at}", label)).collect();
    let ours = || {
        let mut viewer = Viewer::start(path);
        asked.iter().map(|asked| viewer.get(asked)).sum::<usize>()
    };
    let bytes = ours();
    Row::new(criterion, name, id(input), bytes, bytes)
        .limit("bare server", || {
            let mut viewer = Viewer::start(path);
            asked.iter().map(|_| viewer.get("/icon.svg")).sum::<usize>()
        })
        .ours(ours);
}

/// Writes a file to a folder, where it outlives the measurements.
fn file(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

fn view(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    let (files, size, rows) = if is_trial() { (50, 200_000, 1000) } else { (5000, 10_000_000, 100_000) };
    let mixed = folder.path().join("mixed");
    std::fs::create_dir(&mixed).unwrap();
    tree::write(&mixed, &Options { files, ..Options::default() }).unwrap();
    let asked = ["/", "/app.js", "/app.css", "/api/session", "/api/children?at={at}&limit=500", "/api/about?at={at}"];
    first(criterion, "first picture of a folder", &format!("{files} files"), &mixed, &asked);

    let world = file(folder.path(), "world.wdb", &inputs::database(size));
    let name = {
        let bytes = std::fs::read(&world).unwrap();
        let database = worldview::island::Database::parse(&bytes).unwrap();
        format!("world:{}", database.world(0).unwrap().name.text().escape_ascii())
    };
    let model = format!("/api/model.glb?at={{at}}&path={name}");
    let about = format!("/api/about?at={{at}}&path={name}");
    let asked = ["/", "/app.js", "/model.js", "/api/session", &about, "/api/children?at={at}&limit=500", &model];
    first(criterion, "first picture of a world", &format!("{size} bytes"), &world, &asked);

    let level = file(folder.path(), "level.wwd", &inputs::level(size, Packing::Zlib { level: 9 }));
    // A window of 1280 by 720, zoomed so that it shows the whole plane.
    let tiles: Vec<_> = (0..3)
        .flat_map(|y| (0..5).map(move |x| (x, y)))
        .map(|(x, y)| format!("/api/level/tile.png?at={{at}}&plane=0&layer=tiles&zoom=4&x={x}&y={y}"))
        .collect();
    let mut asked = vec!["/", "/app.js", "/api/session", "/api/about?at={at}", "/api/level?at={at}"];
    asked.extend(tiles.iter().map(String::as_str));
    first(criterion, "first picture of a level", &format!("{size} bytes"), &level, &asked);

    let table = file(folder.path(), "table.wdb", &table_of_rows(inputs::SEED, rows, rows * 8, &Shape::monster()));
    let asked = [
        "/",
        "/app.js",
        "/api/session",
        "/api/about?at={at}",
        "/api/table?at={at}",
        "/api/table/rows?at={at}&from=0&count=100",
    ];
    first(criterion, "first picture of a table", &format!("{rows} records"), &table, &asked);
}

criterion_group!(benches, view);
criterion_main!(benches);
