use std::io::{self, Write};

use worldview_core::{Error, ErrorKind, Limit, Source};

use crate::Root;

/// A buffered writer whose output is bounded by the size of its file.
///
/// No write fails because of the bound, so that what was begun can be ended: a walk has to ask now and then.
#[derive(Debug)]
pub(crate) struct Bounded<W> {
    to: W,
    bound: Bound,
    /// Why the walk should end.
    exceeded: Option<io::Error>,
    /// Buffered bytes, because serializers write a few bytes at a time.
    pending: Vec<u8>,
}

/// A limit on the size of an output, in proportion to its file.
///
/// Budgets limit how often the same bytes are read. This limits what is small in the file but large in the output,
/// such as a bit with a long name.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    written: u64,
    limit: u64,
    /// The error to report past the limit.
    error: Error,
}

impl Bound {
    /// Output bytes per byte of the file. The largest known ratio for JSON of real tables is seven.
    const TIMES: u64 = 32;
    /// Additional output bytes, for small files, where a single line may be larger than the rest.
    const BESIDES: u64 = 4 << 20;

    /// Returns the limit for an output of `source`: 32 times its size, plus 4 MiB.
    pub const fn of(source: Source<'_>) -> Self {
        Self::of_bytes(source.len(), source)
    }

    const fn of_bytes(len: u64, source: Source<'_>) -> Self {
        let limit = Self::limit(len);
        let kind = ErrorKind::Limit { of: Limit::Growth, need: limit, limit };
        Self { written: 0, limit, error: source.error(kind, "output, which is far larger than the file,", 0) }
    }

    pub(crate) const fn limit(len: u64) -> u64 {
        len.saturating_mul(Self::TIMES).saturating_add(Self::BESIDES)
    }

    /// Counts bytes that are about to be written.
    ///
    /// # Errors
    ///
    /// Returns an error, which becomes [`crate::Error::Format`], if the bytes exceed the limit.
    pub fn take(&mut self, bytes: usize) -> io::Result<()> {
        self.written = self.written.saturating_add(bytes as u64);
        if self.written > self.limit { Err(self.exceeded(self.written, self.limit)) } else { Ok(()) }
    }

    /// Returns the error of [`take`](Self::take), for a part of the output that has a limit of its own.
    pub fn exceeded(&self, need: u64, limit: u64) -> io::Error {
        let mut error = self.error;
        error.kind = ErrorKind::Limit { of: Limit::Growth, need, limit };
        io::Error::other(error)
    }
}

impl<W: Write> Bounded<W> {
    /// Creates a writer whose limit is derived from the size of `root`.
    pub(crate) fn new(to: W, root: &Root<'_>) -> Self {
        let (bound, pending) = (Bound::of_bytes(root.len(), root.source), Vec::with_capacity(Self::PENDING));
        Self { to, bound, exceeded: None, pending }
    }

    const PENDING: usize = 32 << 10;

    /// Buffers a few bytes. Call [`spill_if_full`](Self::spill_if_full) now and then.
    #[inline]
    pub(crate) fn put(&mut self, bytes: &[u8]) {
        self.pending.extend_from_slice(bytes);
    }

    /// Writes the buffer if it is full. Returns an error once if the bound is exceeded.
    #[inline]
    pub(crate) fn spill_if_full(&mut self) -> io::Result<()> {
        if self.pending.len() >= Self::PENDING {
            self.spill()?;
        }
        self.exceeded.take().map_or(Ok(()), Err)
    }

    #[cold]
    fn spill(&mut self) -> io::Result<()> {
        if let Err(error) = self.bound.take(self.pending.len()) {
            self.exceeded = Some(error);
        }
        self.to.write_all(&self.pending)?;
        self.pending.clear();
        Ok(())
    }
}

/// Takes a value that is written whole, whatever the bound is; the next [`spill_if_full`](Bounded::spill_if_full) says so.
impl<W: Write> Write for Bounded<W> {
    #[inline]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.put(bytes);
        if self.pending.len() >= Self::PENDING {
            self.spill()?;
        }
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
