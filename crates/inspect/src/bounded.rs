use std::io::{self, Write};

use worldview_core::{Error, ErrorKind, Limit, Source};

use crate::Root;

/// An output that may not become far larger than its file.
#[derive(Debug)]
pub(crate) struct Bounded<W> {
    to: W,
    bound: Bound,
    /// What was not written yet: serializers write a few bytes at a time.
    pending: Vec<u8>,
}

/// The bound on an output in proportion to its file.
///
/// Budgets bound what is read again and again. What has few bytes in the file and many in an output, such as a bit with a
/// long name, is bounded by what is written.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
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

    /// Returns the bound of an output of `source`: 32 times as many bytes, and 4 MiB.
    pub const fn of(source: Source<'_>) -> Self {
        Self::of_bytes(source.len(), source)
    }

    const fn of_bytes(len: u64, source: Source<'_>) -> Self {
        let limit = len.saturating_mul(Self::TIMES).saturating_add(Self::BESIDES);
        let kind = ErrorKind::Limit { of: Limit::Growth, need: limit, limit };
        Self { written: 0, limit, error: source.error(kind, "output, which is far larger than the file,", 0) }
    }

    /// Counts bytes that are about to be written.
    ///
    /// # Errors
    ///
    /// Returns an error that becomes [`crate::Error::Format`] if they would exceed the bound.
    pub fn take(&mut self, bytes: usize) -> io::Result<()> {
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
    pub(crate) fn new(to: W, root: &Root<'_>) -> Self {
        Self { to, bound: Bound::of_bytes(root.len(), root.source), pending: Vec::with_capacity(Self::PENDING) }
    }

    const PENDING: usize = 32 << 10;

    #[cold]
    fn spill(&mut self) -> io::Result<()> {
        self.bound.take(self.pending.len())?;
        self.to.write_all(&self.pending)?;
        self.pending.clear();
        Ok(())
    }
}

impl<W: Write> Write for Bounded<W> {
    #[inline]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.pending.len() + bytes.len() > Self::PENDING {
            self.spill()?;
        }
        self.pending.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    #[inline]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write(bytes).map(|_| ())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.spill()?;
        self.to.flush()
    }
}
