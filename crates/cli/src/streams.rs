//! Where a run writes.

use std::fmt;
use std::io::{self, IsTerminal as _, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Standard output and standard error of a run, or what stands in their place.
#[derive(Clone, Debug)]
pub struct Streams {
    out: Stream,
    err: Stream,
    out_is_terminal: bool,
    err_is_terminal: bool,
}

impl Streams {
    /// Those of the process.
    pub fn standard() -> Self {
        Self {
            out_is_terminal: io::stdout().is_terminal(),
            err_is_terminal: io::stderr().is_terminal(),
            ..Self::new(io::stdout(), io::stderr())
        }
    }

    /// Others, that are no terminals.
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

    /// What was asked for goes here.
    pub(crate) fn out(&self) -> Stream {
        self.out.clone()
    }

    /// Messages go here, a line at a time.
    pub(crate) fn say(&self, line: &str) {
        // Standard error may be closed; there is nowhere left to say so.
        let _ = writeln!(self.err.lock(), "{line}");
    }
}

/// One of the two, shared by whoever writes to it.
#[derive(Clone)]
pub(crate) struct Stream(Arc<Mutex<Box<dyn Write + Send>>>);

impl Stream {
    fn lock(&self) -> MutexGuard<'_, Box<dyn Write + Send>> {
        // A panic in the middle of a line leaves half a line, and nothing worse.
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
