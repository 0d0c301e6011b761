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
use worldview::describe::Flow;
use worldview::{Kind, Options};
use worldview_inspect::browse::{self, Address};
use worldview_inspect::{Encoding, PathPattern, Selected, Selection};
use worldview_verbs::options::ViewOptions;
use worldview_verbs::{Error, Run, leads_nowhere, places, read_schemas, read_words, table};

use crate::answer::Failed;
use crate::connections::{Connection, Connections};
use crate::files::{Files, Opened};
use crate::levels::Sessions;
use crate::library::{Library, Root, encode, join};
use crate::names::Names;
use crate::places::Place;
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
    /// Begins to listen on 127.0.0.1, to show these files and folders. A path may have patterns. The page begins with what a path names
    /// inside a file; of two files, or two folders, with their comparison. `run` receives the messages, and says how files are
    /// loaded.
    ///
    /// # Errors
    ///
    /// Returns an error if one of the paths leads nowhere, if a file that an option names cannot be read, or if the port is taken.
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
        let paths = given.iter().map(|(path, _)| path.clone());
        let library = Library::new(paths).map_err(|(path, error)| Error::new(&table::path(&path), &error))?;
        let (listener, key) =
            listen(*port).map_err(|error| Error::new("view", &format_args!("port {port}: {error}")))?;
        let options = Options { recover: true, schemas, ..open.to_options() };
        let files = Files::new(run.loader_for(open.mmap), options);
        let compares = matches!(&library.roots[..], [one, other] if one.path.is_dir() == other.path.is_dir());
        let start = start(&library, &files, &given, compares, run)?;
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

/// Returns the address of what the page shows first, where the token follows.
fn start(
    library: &Library,
    files: &Files,
    given: &[(PathBuf, worldview::Path)],
    compares: bool,
    run: &mut Run<'_>,
) -> worldview_verbs::Result<String> {
    let mut places = Vec::new();
    for (root, (path, inside)) in library.roots.iter().zip(given) {
        places.push(place(root, files, inside).map_err(|pattern| leads_nowhere(path, &pattern))?);
    }
    let paths = places.iter().zip(given).filter(|(_, (_, inside))| !inside.is_empty());
    let mut paths = paths.map(|(Place { at, path }, (file, _))| (at, path, file));
    let Some((at, path, first)) = paths.next() else { return Ok("/?".to_owned()) };
    let encoded = |text: &str| encode(text.as_bytes());
    if let ([left, right], true) = (&places[..], compares) {
        let path = if left.path.is_empty() { &right.path } else { &left.path };
        if !right.path.is_empty() && right.path != *path {
            run.note(
                &table::path(&given[1].0),
                &format_args!("the comparison begins at {path}, not at {}", right.path),
            );
        }
        return Ok(format!("/compare?left={}&right={}&path={}&", encoded(&left.at), encoded(&right.at), encoded(path)));
    }
    for (.., file) in paths {
        run.note(&table::path(file), &format_args!("the page begins in {}, the first path", table::path(first)));
    }
    Ok(format!("/at/{at}?path={}&", encoded(path)))
}

/// Returns the place of what a path names inside a file: the innermost member, and the path in it. Returns the path as a pattern if it
/// leads nowhere.
fn place(root: &Root, files: &Files, inside: &worldview::Path) -> Result<Place, PathPattern> {
    let parts: Vec<_> = inside.parts().collect();
    let names: Vec<_> =
        inside.segments().map_while(|part| part.kind.is_none().then(|| part.key.into_owned())).collect();
    let open = |count: usize| files.open(&root.path, &names[..count].join(&b'/')).ok();
    let is_member = |opened: &Arc<Opened>| {
        let handle = &opened.handle;
        !matches!(handle.asset().kind(handle.at()), Kind::Record | Kind::Data)
    };
    let member = (1..=names.len()).rev().find_map(|count| Some((count, open(count).filter(is_member)?)));
    let (count, opened) = member.or_else(|| Some((0, open(0)?))).unzip();
    let count = count.unwrap_or(0);
    let at = names.iter().take(count).fold(root.at.clone(), |at, name| join(&at, &encode(name)));
    let path: worldview::Path = parts.into_iter().skip(count).collect();
    // The page says why a file cannot be opened.
    let Some(opened) = opened.filter(|_| !path.is_empty()) else { return Ok(Place { at, path: String::new() }) };
    let pattern = PathPattern::literal(&path);
    match opened.handle.describe(|root| selected(root, &pattern, path.len(), &Address::default())) {
        Some(Some(found)) => {
            // An item of an array, such as `tile:3,5`, is a field of that name where it is selected.
            let is_field = |item: &worldview::Path| {
                found.segments().last().is_some_and(|field| *field.key == *item.to_string().as_bytes())
            };
            let item = path.parts().last().filter(is_field);
            let path = item.map_or_else(|| found.clone(), |item| found.first(found.len() - 1).joined(&item));
            Ok(Place { at, path: path.to_string() })
        }
        _ => Err(pattern),
    }
}

/// Returns the path of the first element or field that a pattern with so many segments selects, as the file writes it.
fn selected(
    root: &worldview_inspect::Root<'_>,
    pattern: &PathPattern,
    len: usize,
    here: &Address,
) -> Option<worldview::Path> {
    if here.path.len() >= len {
        return Some(here.path.clone());
    }
    // Lists are there even if nothing in them is selected.
    let mut inside = Vec::new();
    let selected_here = Selected::new(root, Selection::of([pattern]));
    let root_here = worldview_inspect::Root { body: &selected_here, ..*root };
    let rows = browse::rows(&root_here, here, Encoding::default(), &mut |row| {
        inside.push(row.address.clone());
        Flow::Continue(())
    });
    rows.ok()?;
    inside.iter().find_map(|next| selected(root, pattern, len, next))
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
