//! Runs the work for requests: on the thread pool, not longer than somebody waits for it, and with bounded output.

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderValue, Response, StatusCode, header};
use serde::Serialize;
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio_stream::StreamExt as _;
use tokio_stream::wrappers::ReceiverStream;

use crate::answer::{Answer, Failed, attachment};

/// How long a request may take.
const TIMEOUT: Duration = Duration::from_secs(10);

/// How long one may take that sends what it finds while it works, such as a search.
const STREAM_TIMEOUT: Duration = Duration::from_secs(600);

/// The maximum size of a complete answer. Longer ones are sent while they are made.
const MAX_BYTES: usize = 96 << 20;

/// The size of the pieces in which an answer is sent while it is made.
const PIECE: usize = 64 << 10;

/// How many pieces may wait for the browser.
const PIECES: usize = 4;

/// What the page shows if the work for a request panicked.
const PANICKED: &str = "the viewer failed; please report this together with the file";

/// Cancels the work for a request once nobody waits for its answer.
#[derive(Clone, Debug, Default)]
pub(crate) struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// Returns an error if nobody waits any more.
    pub(crate) fn check(&self) -> Result<(), Failed> {
        if self.is_cancelled() { Err(Failed::cancelled()) } else { Ok(()) }
    }

    /// Returns whether nobody waits any more.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Returns the flag, which is set when nobody waits any more.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.0
    }

    /// Returns a buffer that takes no more when nobody waits any more, or when the answer is too long.
    pub(crate) fn buffer(&self) -> Buffer<'_> {
        Buffer { bytes: Vec::new(), cancel: self }
    }
}

/// Ends the work when the request ends, however it does.
struct Guard {
    cancel: CancelToken,
    alarm: Option<tokio::task::AbortHandle>,
}

impl Guard {
    const fn new(cancel: CancelToken) -> Self {
        Self { cancel, alarm: None }
    }

    /// Ends the work after some time.
    fn after(mut self, time: Duration) -> Self {
        let cancel = self.cancel.clone();
        let alarm = tokio::spawn(async move {
            tokio::time::sleep(time).await;
            cancel.0.store(true, Ordering::Relaxed);
        });
        self.alarm = Some(alarm.abort_handle());
        self
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.cancel.0.store(true, Ordering::Relaxed);
        if let Some(alarm) = &self.alarm {
            alarm.abort();
        }
    }
}

/// An answer that is being made.
#[derive(Debug)]
pub(crate) struct Buffer<'w> {
    bytes: Vec<u8>,
    cancel: &'w CancelToken,
}

impl Buffer<'_> {
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

impl Write for Buffer<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.cancel.is_cancelled() {
            return Err(io::Error::other("cancelled"));
        }
        if self.bytes.len() + bytes.len() > MAX_BYTES {
            return Err(io::Error::other(format!("is larger than {} MiB; use `worldview export`", MAX_BYTES >> 20)));
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Runs `work` on the thread pool and waits for its answer.
pub(crate) async fn run(
    known: Option<HeaderValue>,
    work: impl FnOnce(&CancelToken) -> Result<Answer, Failed> + Send + 'static,
) -> Result<Response<Body>, Failed> {
    let cancel = CancelToken::default();
    let guard = Guard::new(cancel.clone());
    let (send, answer) = oneshot::channel();
    rayon::spawn(move || {
        // What is no longer wanted costs nothing if it has not begun. A panic would end the process, and with it all
        // that is open; this way it fails one request.
        let work = || cancel.check().and_then(|()| work(&cancel));
        if let Ok(done) = catch_unwind(AssertUnwindSafe(work)) {
            let _ = send.send(done);
        }
    });
    let answered = tokio::time::timeout(TIMEOUT, answer).await;
    drop(guard);
    match answered {
        Ok(Ok(answer)) => Ok(answer?.respond(known.as_ref())),
        Ok(Err(_)) => Err(Failed::internal(PANICKED)),
        Err(_) => {
            let why = format_args!("took more than {} s and was cancelled", TIMEOUT.as_secs());
            Err(Failed::new(StatusCode::GATEWAY_TIMEOUT, why))
        }
    }
}

/// How many downloads may run at once. Each waits for its browser on a thread of its own, and searches need threads too.
static DOWNLOADS: Semaphore = Semaphore::const_new(16);

/// How many searches, checks and comparisons may run at once.
static SEARCHES: Semaphore = Semaphore::const_new(32);

/// How an answer that is sent while it is made says that it failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    /// Lines of JSON: the last line is the error.
    Lines,
    /// A file: the connection breaks, so that the browser does not take the file for complete.
    File,
}

/// Where an answer goes that is sent while it is made. An error means that nobody reads it any more.
#[derive(Debug)]
pub(crate) struct Sender {
    kind: Stream,
    pieces: mpsc::Sender<io::Result<Vec<u8>>>,
    piece: Vec<u8>,
    cancel: CancelToken,
    /// Whether anything was sent.
    has_begun: bool,
    /// Takes the failure of work that has sent nothing: then it is what the request is answered with.
    early: Option<oneshot::Sender<Failed>>,
}

impl Sender {
    /// Sends a line of JSON. Lines are sent at once, for they can be far apart.
    pub(crate) fn line(&mut self, line: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.piece, line)?;
        self.piece.push(b'\n');
        self.send()
    }

    /// Returns whether anybody still reads.
    pub(crate) const fn cancel(&self) -> &CancelToken {
        &self.cancel
    }

    fn send(&mut self) -> io::Result<()> {
        self.has_begun = true;
        let piece = std::mem::take(&mut self.piece);
        let is_gone = self.cancel.is_cancelled() || self.pieces.blocking_send(Ok(piece)).is_err();
        if is_gone { Err(io::Error::other("cancelled")) } else { Ok(()) }
    }

    /// Says that there is no more to come, and why.
    fn fail(&mut self, failed: Failed) {
        if let (Some(early), false) = (self.early.take(), self.has_begun) {
            let _ = early.send(failed);
            return;
        }
        let last = match self.kind {
            Stream::Lines => Ok([failed.to_json(), b"\n".to_vec()].concat()),
            Stream::File => Err(io::Error::other(failed.message)),
        };
        let _ = self.pieces.blocking_send(last);
    }
}

impl Write for Sender {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.piece.extend_from_slice(bytes);
        if self.piece.len() >= PIECE {
            self.send()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.piece.is_empty() { Ok(()) } else { self.send() }
    }
}

/// Runs `work` on a thread of its own, and sends what it writes.
pub(crate) async fn stream(
    kind: Stream,
    (media, file): (&'static str, Option<String>),
    work: impl FnOnce(&mut Sender) -> Result<(), Failed> + Send + 'static,
) -> Result<Response<Body>, Failed> {
    let slots = match kind {
        Stream::Lines => &SEARCHES,
        Stream::File => &DOWNLOADS,
    };
    let Ok(Ok(slot)) = tokio::time::timeout(TIMEOUT, slots.acquire()).await else {
        return Err(Failed::new(StatusCode::SERVICE_UNAVAILABLE, "too many are running; try again when one has ended"));
    };
    let (pieces, mut received) = mpsc::channel(PIECES);
    let (early, failed) = oneshot::channel();
    let cancel = CancelToken::default();
    let guard = Guard::new(cancel.clone()).after(STREAM_TIMEOUT);
    let mut sender = Sender { kind, pieces, piece: Vec::new(), cancel, has_begun: false, early: Some(early) };
    // The work can wait for the browser, and must not keep a thread of the pool meanwhile.
    tokio::task::spawn_blocking(move || {
        let _slot = slot;
        let done = catch_unwind(AssertUnwindSafe(|| work(&mut sender).and_then(|()| Ok(sender.flush()?))));
        match done {
            Ok(Ok(())) => {}
            Ok(Err(failed)) => sender.fail(failed),
            Err(_) => sender.fail(Failed::internal(PANICKED)),
        }
    });
    let first = received.recv().await;
    if first.is_none()
        && let Ok(failed) = failed.await
    {
        return Err(failed);
    }
    let all = tokio_stream::iter(first).chain(ReceiverStream::new(received));
    // The guard goes with the body: the work ends when the browser no longer reads.
    let all = all.map(move |piece| {
        let _ = &guard;
        piece
    });
    let mut response = Response::new(Body::from_stream(all));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(media));
    if let Some(file) = file {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, attachment(&file));
    }
    Ok(response)
}
