//! Files that are only written if they differ from the existing ones, and the digests of what is written.

use std::fs::{self, File};
use std::io::{self, BufRead as _, Read as _, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};
use worldview_export::hex;

use super::single::{Held, Single};

/// Compares the bytes of a file with the existing file as long as they are equal.
///
/// From the first difference on, they are written to a temporary file next to it, which replaces it once it is
/// complete. A file that would stay the same is therefore never touched, and no incomplete file ever has its final
/// name.
pub(super) struct Comparer {
    path: PathBuf,
    state: State,
}

enum State {
    /// Everything so far, `done` bytes, equals the existing file.
    Same {
        old: Box<io::BufReader<File>>,
        done: u64,
    },
    New(Single),
    /// A dry run writes nothing.
    Nowhere,
    /// Something failed, so nothing is written.
    Broken,
}

/// Number of bytes that are written or compared at once. Buffers of 64 KiB were taken from the system and given back for each file.
pub(super) const BUFFER: usize = 1 << 14;

impl Comparer {
    /// Creates a file. `compare` says whether an existing file is compared.
    pub(super) fn new(path: &Path, compare: bool) -> io::Result<Self> {
        // A link at the file's path is not compared, regardless of its target.
        let is_file = |path: &Path| fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file());
        if compare && is_file(path) {
            // A file that cannot be read is replaced.
            if let Ok(old) = File::open(path) {
                let old = Box::new(io::BufReader::with_capacity(BUFFER, old));
                return Ok(Self { path: path.into(), state: State::Same { old, done: 0 } });
            }
        }
        Ok(Self { path: path.into(), state: State::New(Single::begin(path)?) })
    }

    /// Creates a file that is not written.
    pub(super) fn nowhere(path: &Path) -> Self {
        Self { path: path.into(), state: State::Nowhere }
    }

    /// Ends the comparison by copying the equal bytes to the new file.
    fn differ(&mut self, agreed: u64) -> io::Result<()> {
        self.state = State::Broken;
        let mut out = Single::begin(&self.path)?;
        let copied = io::copy(&mut File::open(&self.path)?.take(agreed), &mut out)?;
        if copied != agreed {
            return Err(io::Error::other("the existing file changed while it was being compared"));
        }
        self.state = State::New(out);
        Ok(())
    }

    /// Moves the file to its final path. Returns `false` if the existing file has the same bytes, or if this one is not written.
    pub(super) fn finish(self) -> io::Result<bool> {
        self.hold()?.map_or(Ok(false), |held| held.release().map(|()| true))
    }

    /// Ends the file without moving it. Returns `None` if the existing file has the same bytes, or if this one is not written.
    pub(super) fn hold(mut self) -> io::Result<Option<Held>> {
        if let State::Same { old, done } = &mut self.state
            && !old.fill_buf()?.is_empty()
        {
            let done = *done;
            self.differ(done)?;
        }
        match self.state {
            State::Same { .. } | State::Nowhere => Ok(None),
            State::New(out) => Ok(Some(out.hold())),
            State::Broken => Err(io::Error::other("an earlier write failed")),
        }
    }
}

impl Write for Comparer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let State::Same { old, done } = &mut self.state {
            let mut chunk = [0; 4096];
            let mut rest = bytes;
            while !rest.is_empty() {
                let (want, _) = rest.split_at(rest.len().min(chunk.len()));
                let have = &mut chunk[..want.len()];
                let is_same = match old.read_exact(have) {
                    Ok(()) => have == want,
                    Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => false,
                    Err(error) => return Err(error),
                };
                if !is_same {
                    break;
                }
                *done += want.len() as u64;
                rest = &rest[want.len()..];
            }
            if rest.is_empty() {
                return Ok(bytes.len());
            }
            let agreed = *done;
            self.differ(agreed)?;
            if let State::New(out) = &mut self.state {
                out.write_all(rest)?;
            }
            return Ok(bytes.len());
        }
        match &mut self.state {
            State::New(out) => out.write(bytes),
            State::Nowhere => Ok(bytes.len()),
            _ => Err(io::Error::other("an earlier write failed")),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.state {
            State::New(out) => out.flush(),
            _ => Ok(()),
        }
    }
}

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
