//! The server.

use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::extract::Request;
use axum::http::header;
use axum::routing::{get, post};
use axum::{Extension, Router, middleware};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use worldview::{Kind, Options};
use worldview_verbs::options::ViewOptions;
use worldview_verbs::{Error, Run, places, read_schemas, read_words, table};

use crate::answer::Failed;
use crate::connections::{Connection, Connections};
use crate::files::Files;
use crate::levels::Sessions;
use crate::library::{Library, encode, join};
use crate::names::Names;
use crate::security::{self, Key};
use crate::state::{Shared, State};
use crate::{api, page, work};

/// How long the head of a request may take, and how long a connection is kept without one.
const HEADER_TIMEOUT: Duration = Duration::from_secs(5);

/// A viewer that listens but does not answer yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    key: Arc<Key>,
    shared: Shared,
    /// What the page shows first, and where the token follows.
    start: String,
}

impl Server {
    /// Begins to listen on 127.0.0.1, to show these files and folders. A path may have patterns; one that goes on inside a file shows the part first. If they are two files, or two folders, the page begins with their
    /// comparison. `run` hears of the words that are read, and says how files are loaded.
    ///
    /// # Errors
    ///
    /// Returns an error if one of the paths does not exist, if a file that an option names cannot be read, or if the port is taken.
    pub fn bind(
        paths: impl IntoIterator<Item = PathBuf>,
        settings: &ViewOptions,
        run: &mut Run<'_>,
    ) -> worldview_verbs::Result<Self> {
        let ViewOptions { port, game, open, words, .. } = settings;
        let schemas = open.schema.as_deref().map(read_schemas).transpose()?;
        let words = read_words(words, run)?;
        let mut given = Vec::new();
        for path in paths {
            given.append(&mut places(&path)?);
        }
        let inside = if let [(_, inside)] = &given[..] { inside.clone() } else { worldview::Path::new() };
        let paths = given.into_iter().map(|(path, _)| path);
        let library = Library::new(paths).map_err(|(path, error)| Error::new(&table::path(&path), &error))?;
        let (listener, key) =
            listen(*port).map_err(|error| Error::new("view", &format_args!("port {port}: {error}")))?;
        let options = Options { recover: true, schemas, ..open.to_options() };
        let files = Files::new(run.loader_for(open.mmap), options);
        let start = start(&library, &files, &inside);
        let compares = matches!(&library.roots[..], [one, other] if one.path.is_dir() == other.path.is_dir());
        let (levels, names) = (Sessions::default(), Names::default());
        let (game, encoding) = (game.clone(), open.encoding);
        let shared = Arc::new(State { library, files, compares, game, encoding, words, levels, names });
        Ok(Self { listener, key: Arc::new(key), shared, start })
    }

    /// Returns an address that opens the page in one browser, once: it contains a token, which the first request uses up.
    /// Each call returns another one.
    ///
    /// Other users of the machine can read the arguments of a command that is given the address.
    ///
    /// # Errors
    ///
    /// Returns an error if the system has no random numbers.
    pub fn address(&self) -> io::Result<String> {
        self.key.address(&self.start)
    }

    /// Answers requests until `stop` is true.
    ///
    /// # Errors
    ///
    /// Returns an error if the system has no resources for the server.
    pub fn run(self, stop: &Arc<AtomicBool>) -> io::Result<()> {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_io().enable_time().max_blocking_threads(64).build()?;
        let stop = Arc::clone(stop);
        let done = runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let stopped = async move {
                while !stop.load(Ordering::Relaxed) {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            };
            // Requests that still run end with the process; nothing is lost by that.
            tokio::select! {
                () = accept(listener, router(self.key, self.shared)) => {}
                () = stopped => {}
            }
            Ok(())
        });
        runtime.shutdown_background();
        done
    }
}

/// Returns the address of what a path names inside of the only file: of the innermost member, and the path in it.
fn start(library: &Library, files: &Files, inside: &worldview::Path) -> String {
    let ([root], false) = (&library.roots[..], inside.is_empty()) else { return "/?".to_owned() };
    let parts: Vec<_> = inside.parts().collect();
    let names: Vec<_> =
        inside.segments().map_while(|part| part.kind.is_none().then(|| part.key.into_owned())).collect();
    let is_member = |count: &usize| {
        let opened = files.open(&root.path, &names[..*count].join(&b'/')).ok();
        let kind = opened.map(|opened| opened.handle.asset().kind(opened.handle.at()));
        kind.is_some_and(|kind| !matches!(kind, Kind::Record | Kind::Data))
    };
    let count = (1..=names.len()).rev().find(is_member).unwrap_or(0);
    let at = names.iter().take(count).fold(root.at.clone(), |at, name| join(&at, &encode(name)));
    let path: worldview::Path = parts.into_iter().skip(count).collect();
    format!("/at/{at}?path={}&", encode(path.as_str().as_bytes()))
}

fn listen(port: u16) -> io::Result<(TcpListener, Key)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    listener.set_nonblocking(true)?;
    let key = Key::new(listener.local_addr()?.port())?;
    Ok((listener, key))
}

/// Answers connections, of which nobody can hold many without asking for anything.
async fn accept(listener: tokio::net::TcpListener, router: Router) {
    let connections = Arc::new(Connections::default());
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // Most likely there are too many open files, of which some will be closed.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let connection = Arc::new(Connection::new(&connections));
        let service = TowerToHyperService::new(router.clone().layer(Extension(Arc::clone(&connection))));
        let task = tokio::spawn(async move {
            let mut http = http1::Builder::new();
            http.timer(TokioTimer::new()).header_read_timeout(HEADER_TIMEOUT);
            // An error means that the browser has gone, or that it spoke something else.
            let _ = http.serve_connection(TokioIo::new(stream), service).await;
        });
        connection.begin(task.abort_handle());
    }
}

fn router(key: Arc<Key>, shared: Shared) -> Router {
    Router::new()
        .nest("/api", api::router().route("/token", post(security::token)))
        .fallback(get(show))
        .layer(Extension(Arc::clone(&key)))
        .layer(middleware::from_fn_with_state(key, security::guard))
        .with_state(shared)
}

/// Answers with a file of the page.
async fn show(request: Request) -> Result<axum::response::Response, Failed> {
    let path = request.uri().path().to_owned();
    let known = request.headers().get(header::IF_NONE_MATCH).cloned();
    work::run(known, move |_| page::file(&path)).await
}
