use std::io::{self, Write};

use worldview_core::{Error, ErrorKind, Limit, Source};

/// An output that may not become far larger than the file that it is made of.
///
/// Budgets bound what is read again and again. What has little in the file and much to tell, a bit with a long name, an
/// empty string with a place of its own, is bounded here, by what is written.
#[derive(Debug)]
pub(crate) struct Bounded<W> {
    to: W,
    bound: Bound,
}

/// How much may still be written, and what that is counted from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bound {
    written: u64,
    limit: u64,
    /// What the file would become, past the limit.
    error: Error,
}

impl Bound {
    /// Bytes of output for one of the file. The real tables that were at hand have seven as JSON at the most.
    const TIMES: u64 = 32;
    /// And besides, for small files, of which a line may be larger than all else.
    const BESIDES: u64 = 4 << 20;

    /// That of a file, or of a part that has an output of its own.
    pub(crate) const fn of(source: Source<'_>) -> Self {
        let limit = source.len().saturating_mul(Self::TIMES).saturating_add(Self::BESIDES);
        let kind = ErrorKind::Limit { of: Limit::Growth, need: limit, limit };
        Self { written: 0, limit, error: source.error(kind, "output, which is far larger than the file,", 0) }
    }

    /// Takes so many bytes more; past the limit an error that becomes [`crate::Error::Format`].
    pub(crate) fn take(&mut self, bytes: usize) -> io::Result<()> {
        let need = self.written.saturating_add(bytes as u64);
        if need > self.limit {
            let kind = ErrorKind::Limit { of: Limit::Growth, need, limit: self.limit };
            let mut error = self.error;
            error.kind = kind;
            return Err(io::Error::other(error));
        }
        self.written = need;
        Ok(())
    }
}

impl<W: Write> Bounded<W> {
    /// What is written of a file.
    pub(crate) const fn new(to: W, source: Source<'_>) -> Self {
        Self { to, bound: Bound::of(source) }
    }
}

impl<W: Write> Write for Bounded<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bound.take(bytes.len())?;
        self.to.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}
