//! Computes the size and digest of an output while it is being written.

use std::io::{self, Write};

use sha2::{Digest as _, Sha256};
use worldview_export::hex;

/// A writer that computes the digest of the bytes passing through it.
pub(crate) struct Hashing<W> {
    out: W,
    sha256: Sha256,
    size: u64,
}

impl<W: Write> Hashing<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { out, sha256: Sha256::new(), size: 0 }
    }

    /// Returns the inner writer, the number of bytes, and their SHA-256.
    pub(crate) fn finish(self) -> (W, u64, String) {
        (self.out, self.size, hex(&self.sha256.finalize()))
    }
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let len = self.out.write(bytes)?;
        self.sha256.update(&bytes[..len]);
        self.size += len as u64;
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
