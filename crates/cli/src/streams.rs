//! The streams that a run writes to.

use std::fmt;
use std::io::{self, IsTerminal as _, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Standard output and standard error of a run, or replacements for them.
#[derive(Clone, Debug)]
pub struct Streams {
    out: Stream,
    err: Stream,
    out_is_terminal: bool,
    err_is_terminal: bool,
}

impl Streams {
    /// Returns the standard streams of the process.
    pub fn standard() -> Self {
        Self {
            out_is_terminal: io::stdout().is_terminal(),
            err_is_terminal: io::stderr().is_terminal(),
            ..Self::new(io::stdout(), io::stderr())
        }
    }

    /// Creates replacement streams, which do not count as terminals.
    pub fn new(out: impl Write + Send + 'static, err: impl Write + Send + 'static) -> Self {
        let stream = |stream| Stream(Arc::new(Mutex::new(stream)));
        let (out, err) = (stream(Box::new(out) as Box<_>), stream(Box::new(err) as Box<_>));
        Self { out, err, out_is_terminal: false, err_is_terminal: false }
    }

    pub(crate) const fn out_is_terminal(&self) -> bool {
        self.out_is_terminal
    }

    pub(crate) const fn err_is_terminal(&self) -> bool {
        self.err_is_terminal
    }

    /// Returns the writer for results.
    pub(crate) fn out(&self) -> Stream {
        self.out.clone()
    }

    /// Prints a line of a message.
    pub(crate) fn say(&self, line: &str) {
        // Standard error may be closed, and then there is nowhere to report the error.
        let _ = writeln!(self.err.lock(), "{line}");
    }
}

/// One of the two streams, shared by all writers.
#[derive(Clone)]
pub(crate) struct Stream(Arc<Mutex<Box<dyn Write + Send>>>);

impl Stream {
    fn lock(&self) -> MutexGuard<'_, Box<dyn Write + Send>> {
        // A panic while writing leaves an incomplete line at worst.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.lock().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.lock().flush()
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").finish_non_exhaustive()
    }
}
