use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;

use memmap2::{Mmap, MmapOptions};

use crate::Bytes;
use crate::bytes::shrank;

/// Files of this many bytes and more are mapped, smaller ones are read.
///
/// Where the two cross depends on the machine, 256 KiB to 2 MiB; ARCHITECTURE.md has the figures and why it is this
/// one (`cargo bench -p worldview-benches --bench open -- 'read or map'`).
pub const MAP_FROM: u64 = 1 << 20;

/// What a pipe, a device or a file without a length may deliver before it is refused: 1 GiB.
pub const STREAM_LIMIT: u64 = 1 << 30;

/// How files become bytes: a small policy value, made once and copied around.
///
/// [`Loader::read`] reads every file. [`Loader::mmap`] maps the large ones; making that value is the only unsafe step
/// in using worldview.
#[derive(Clone, Copy, Debug)]
pub struct Loader {
    // `None` never maps.
    map_from: Option<u64>,
    stream_limit: u64,
}

impl Loader {
    /// A loader that reads every file into memory.
    pub const fn read() -> Self {
        Self { map_from: None, stream_limit: STREAM_LIMIT }
    }

    /// A loader that maps files of [`MAP_FROM`] bytes and more, and reads smaller ones.
    ///
    /// # Safety
    ///
    /// The caller promises, for every file that this loader opens and for as long as its [`Bytes`] live, that nobody
    /// changes or shortens that file, in this process or in another. The bytes are borrowed as `&[u8]`, which must
    /// not change while it is borrowed; and touching a page behind the new end of a shortened file kills the process
    /// with SIGBUS. No call can check this: it is a statement about the machine's other users. The feature `guard` has
    /// a handler that keeps such a process alive; what changes under the borrow, it cannot take back.
    #[expect(unsafe_code, reason = "an unsafe signature: the promise that mapping needs is made here, once")]
    pub const unsafe fn mmap() -> Self {
        Self { map_from: Some(MAP_FROM), stream_limit: STREAM_LIMIT }
    }

    /// The same loader with another size from which files are mapped, 0 for all; without effect on
    /// [`Loader::read`].
    #[must_use]
    pub const fn map_from(mut self, bytes: u64) -> Self {
        if self.map_from.is_some() {
            self.map_from = Some(bytes);
        }
        self
    }

    /// The same loader with another bound on what pipes, devices and standard input may deliver, in bytes.
    #[must_use]
    pub const fn stream_limit(mut self, bytes: u64) -> Self {
        self.stream_limit = bytes;
        self
    }

    /// Opens a file.
    ///
    /// An empty file gives no bytes; a pipe or device is read to its end, within the stream limit. A mapped file is kept
    /// open as long as its bytes live.
    ///
    /// # Errors
    ///
    /// Those of opening and reading; `IsADirectory` for a folder; `FileTooLarge` for a stream past its limit;
    /// `OutOfMemory` where a file that is read does not fit; `UnexpectedEof`, "shrank while being read", where it
    /// delivers fewer bytes than it had when it was opened. One that is mapped tells the last by [`Bytes::check`].
    pub fn open(self, path: impl AsRef<Path>) -> io::Result<Bytes<'static>> {
        let (file, metadata) = open(path.as_ref())?;
        if let Some(map) = self.map(&file, &metadata)? {
            return Ok(Bytes::mapped(map, file));
        }
        let mut bytes = Vec::new();
        self.read_into(&file, &metadata, &mut bytes)?;
        Ok(bytes.into())
    }

    /// Opens a file for as long as `scratch` is lent: the form for many files, which allocates nothing once the
    /// scratch buffer has grown to the largest file that is read.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn open_in(self, path: impl AsRef<Path>, scratch: &mut Vec<u8>) -> io::Result<Bytes<'_>> {
        let (file, metadata) = open(path.as_ref())?;
        if let Some(map) = self.map(&file, &metadata)? {
            return Ok(Bytes::mapped(map, file));
        }
        self.read_into(&file, &metadata, scratch)?;
        Ok(Bytes::scratch(scratch))
    }

    /// Reads a stream, such as standard input, to its end.
    ///
    /// # Errors
    ///
    /// Those of reading; `FileTooLarge` past the stream limit.
    pub fn stream(self, stream: impl Read) -> io::Result<Bytes<'static>> {
        let mut bytes = Vec::new();
        read_bounded(stream, self.stream_limit, &mut bytes)?;
        Ok(bytes.into())
    }

    /// Reads the first bytes of a file into `buffer` and gives them: as many as it holds, or as the file has.
    ///
    /// # Errors
    ///
    /// Those of opening and reading; `IsADirectory` for a folder.
    pub fn prefix(self, path: impl AsRef<Path>, buffer: &mut [u8]) -> io::Result<&[u8]> {
        let (mut file, _) = open(path.as_ref())?;
        let mut len = 0;
        while let Some(rest) = buffer.get_mut(len..).filter(|rest| !rest.is_empty()) {
            match file.read(rest) {
                Ok(0) => break,
                Ok(read) => len = len.saturating_add(read),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(buffer.get(..len).unwrap_or(&[]))
    }

    fn map(self, file: &File, metadata: &Metadata) -> io::Result<Option<Mmap>> {
        // Pipes and devices have no length to map, and an empty mapping does not exist.
        let wanted = self.map_from.is_some_and(|from| metadata.is_file() && metadata.len() >= from.max(1));
        if !wanted {
            return Ok(None);
        }
        let len = usize::try_from(metadata.len()).map_err(|_| too_large(metadata.len()))?;
        // SAFETY: whoever made this loader by `Loader::mmap` promised that the files it opens are neither changed nor
        // shortened while their bytes live; `map_from` is `Some` for no other loader. This call only passes that
        // promise on to memmap2, which asks for the same.
        #[expect(unsafe_code, reason = "the one mapping call; the promise was made in `Loader::mmap`")]
        let map = unsafe { MmapOptions::new().len(len).map(file) }?;
        // Level, archive and database are all laid out in the order in which they are read: read ahead. A kernel that
        // does not take the advice has lost nothing.
        #[cfg(unix)]
        let _ = map.advise(memmap2::Advice::Sequential);
        Ok(Some(map))
    }

    fn read_into(self, file: &File, metadata: &Metadata, bytes: &mut Vec<u8>) -> io::Result<()> {
        bytes.clear();
        let len = if metadata.is_file() { metadata.len() } else { 0 };
        read_whole(file, len, self.stream_limit, bytes)
    }
}

/// Reads a file that had `len` bytes when it was opened, and whatever has come to it since.
fn read_whole(file: impl Read, len: u64, stream_limit: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
    bytes.try_reserve_exact(usize::try_from(len).map_err(|_| too_large(len))?)?;
    // Files of /proc and the like say 0 and deliver more: they are bounded as streams are.
    read_bounded(file, len.max(stream_limit), bytes)?;
    if (bytes.len() as u64) < len { Err(shrank()) } else { Ok(()) }
}

fn open(path: &Path) -> io::Result<(File, Metadata)> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a folder, not a file"));
    }
    Ok((file, metadata))
}

fn read_bounded(stream: impl Read, limit: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
    let read = stream.take(limit.saturating_add(1)).read_to_end(bytes)?;
    if read as u64 > limit {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("delivers more than {limit} bytes, the limit of a stream"),
        ));
    }
    Ok(())
}

fn too_large(len: u64) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, format!("{len} bytes are more than this machine can address"))
}

#[cfg(test)]
mod tests {
    use std::io::{self, Cursor};

    use super::read_whole;

    #[test]
    fn a_file_that_delivers_less_than_it_said_has_shrunk() {
        let mut bytes = Vec::new();
        for (len, whole) in [(0, true), (9, true), (10, true), (11, false), (1 << 20, false)] {
            bytes.clear();
            let read = read_whole(Cursor::new(b"ten bytes!"), len, 10, &mut bytes);
            match read {
                Ok(()) => assert!(whole && bytes == b"ten bytes!", "said {len}"),
                Err(error) => {
                    assert!(!whole, "said {len}: {error}");
                    assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
                    assert_eq!(error.to_string(), "shrank while being read");
                }
            }
        }
    }
}
