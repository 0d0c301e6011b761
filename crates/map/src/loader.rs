use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;

use memmap2::MmapOptions;

use crate::bytes::shrank;
use crate::origin::Origin;
use crate::{Advice, Bytes};

/// Minimum size of a file to be mapped, in bytes. Smaller files are read.
///
/// Where the two cross depends on the machine, 256 KiB to 2 MiB; docs/decisions.md has the measurements that chose this
/// one (`cargo bench -p worldview-benches --bench open -- 'read or map'`).
pub const MAP_FROM: u64 = 1 << 20;

/// Default limit, in bytes, on what is read from a pipe, a device or a file without a length: 1 GiB.
pub const STREAM_LIMIT: u64 = 1 << 30;

/// How files are loaded: a small `Copy` value, created once.
///
/// [`Loader::read`] reads every file. [`Loader::mmap`] maps the large ones; calling it is the only unsafe step in using
/// worldview.
#[derive(Clone, Copy, Debug)]
pub struct Loader {
    // `None` never maps.
    map_from: Option<u64>,
    stream_limit: u64,
}

impl Loader {
    /// Creates a loader that reads every file into memory.
    pub const fn read() -> Self {
        Self { map_from: None, stream_limit: STREAM_LIMIT }
    }

    /// Creates a loader that maps files of at least [`MAP_FROM`] bytes and reads smaller ones.
    ///
    /// # Safety
    ///
    /// The caller promises that nobody, in this process or in another, changes or shortens a file opened by this loader
    /// for as long as its [`Bytes`] live. The bytes are borrowed as `&[u8]`, which must not change while it is
    /// borrowed. Also, accessing a page past the new end of a shortened file kills the process with SIGBUS. No call can
    /// check this promise, because it is about the other users of the machine. The feature `guard` has a handler that
    /// keeps such a process alive, but it cannot undo changes under the borrow.
    #[expect(unsafe_code, reason = "an unsafe signature: the promise that mapping needs is made here, once")]
    pub const unsafe fn mmap() -> Self {
        Self { map_from: Some(MAP_FROM), stream_limit: STREAM_LIMIT }
    }

    /// Sets the minimum size, in bytes, of files to be mapped; 0 maps all files. Has no effect on [`Loader::read`].
    #[must_use]
    pub const fn map_from(mut self, bytes: u64) -> Self {
        if self.map_from.is_some() {
            self.map_from = Some(bytes);
        }
        self
    }

    /// Sets the limit, in bytes, on what is read from pipes, devices and standard input.
    #[must_use]
    pub const fn stream_limit(mut self, bytes: u64) -> Self {
        self.stream_limit = bytes;
        self
    }

    /// Opens a file.
    ///
    /// An empty file yields no bytes. A pipe or device is read to its end, up to the stream limit. If a file grows
    /// meanwhile, the bytes are those it had when it was opened. A mapped file
    /// is not kept open.
    ///
    /// # Errors
    ///
    /// Returns an error if
    ///
    /// - the file cannot be opened or read,
    /// - the path is a directory (`IsADirectory`),
    /// - a stream exceeds its limit (`FileTooLarge`),
    /// - a file to be read does not fit into memory (`OutOfMemory`), or
    /// - a file to be read has become shorter since it was opened (`UnexpectedEof`, "shrank while being read"); for a
    ///   mapped file, [`Bytes::check`] reports this.
    pub fn open(self, path: impl AsRef<Path>) -> io::Result<Bytes<'static>> {
        let path = path.as_ref();
        let (file, metadata) = open(path)?;
        if let Some(bytes) = self.map(&file, &metadata, path)? {
            return Ok(bytes);
        }
        let mut bytes = Vec::new();
        read_whole(&file, length(&metadata), self.stream_limit, &mut bytes)?;
        Ok(bytes.into())
    }

    /// Opens a file, reading into `scratch`, which the result borrows.
    ///
    /// Use this for many files: it allocates nothing once the scratch buffer has grown to the largest file that is
    /// read. The contents of the buffer are unspecified afterwards.
    ///
    /// # Errors
    ///
    /// Returns an error under the same conditions as [`open`](Self::open).
    pub fn open_in(self, path: impl AsRef<Path>, scratch: &mut Vec<u8>) -> io::Result<Bytes<'_>> {
        let path = path.as_ref();
        let (file, metadata) = open(path)?;
        if let Some(bytes) = self.map(&file, &metadata, path)? {
            return Ok(bytes);
        }
        match length(&metadata) {
            0 => {
                scratch.clear();
                read_whole(&file, 0, self.stream_limit, scratch)?;
                Ok(Bytes::scratch(scratch))
            }
            len => Ok(Bytes::scratch(read_over(&file, len, scratch)?)),
        }
    }

    /// Reads a stream, such as standard input, to its end.
    ///
    /// # Errors
    ///
    /// Returns an error if the stream cannot be read, or exceeds the stream limit (`FileTooLarge`).
    pub fn stream(self, stream: impl Read) -> io::Result<Bytes<'static>> {
        let mut bytes = Vec::new();
        read_bounded(stream, self.stream_limit, &mut bytes)?;
        Ok(bytes.into())
    }

    /// Reads the beginning of a file into `buffer`, until the buffer is full or the file ends, and returns the bytes
    /// read.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be opened or read, or if the path is a directory (`IsADirectory`).
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

    fn map(self, file: &File, metadata: &Metadata, path: &Path) -> io::Result<Option<Bytes<'static>>> {
        // Pipes and devices have no length to map, and empty mappings are not allowed.
        let wanted = self.map_from.is_some_and(|from| metadata.is_file() && metadata.len() >= from.max(1));
        if !wanted {
            return Ok(None);
        }
        let len = usize::try_from(metadata.len()).map_err(|_| too_large(metadata.len()))?;
        // SAFETY: `map_from` is `Some` only if the loader was created by `Loader::mmap`, whose caller promised that the
        // files it opens are neither changed nor shortened while their bytes live. memmap2 requires the same.
        #[expect(unsafe_code, reason = "the one mapping call; the promise was made in `Loader::mmap`")]
        let map = unsafe { MmapOptions::new().len(len).map(file) }?;
        let bytes = Bytes::mapped(map, Origin::new(path, metadata));
        // Levels, archives and databases are laid out in the order in which they are read.
        bytes.advise(Advice::Sequential);
        Ok(Some(bytes))
    }
}

/// Returns the length that a file reports. Files in /proc and the like report 0 and deliver more, as pipes do.
fn length(metadata: &Metadata) -> u64 {
    if metadata.is_file() { metadata.len() } else { 0 }
}

/// Reads a file that had `len` bytes when it was opened, or a stream if `len` is 0.
fn read_whole(file: impl Read, len: u64, stream_limit: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
    if len == 0 {
        return read_bounded(file, stream_limit, bytes);
    }
    bytes.try_reserve_exact(usize::try_from(len).map_err(|_| too_large(len))?)?;
    file.take(len).read_to_end(bytes)?;
    if (bytes.len() as u64) < len { Err(shrank()) } else { Ok(()) }
}

/// Reads a file that had `len` bytes when it was opened, overwriting `scratch`.
///
/// `scratch` never shrinks. This avoids filling it with zeros that are overwritten at once, and a file takes one read
/// call instead of several of growing size. The bytes begin at a cache line, because some processors copy large blocks
/// six times slower to other addresses.
fn read_over(mut file: impl Read, len: u64, scratch: &mut Vec<u8>) -> io::Result<&[u8]> {
    const LINE: usize = 64;
    let len = usize::try_from(len).map_err(|_| too_large(len))?;
    let room = len.saturating_add(LINE);
    if scratch.len() < room {
        scratch.try_reserve_exact(room.saturating_sub(scratch.len()))?;
        scratch.resize(room, 0);
    }
    let start = scratch.as_ptr().align_offset(LINE);
    let bytes = scratch.get_mut(start..).and_then(|bytes| bytes.get_mut(..len)).unwrap_or(&mut []);
    let mut filled = 0;
    while let Some(rest) = bytes.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match file.read(rest) {
            Ok(0) => return Err(shrank()),
            Ok(read) => filled = filled.saturating_add(read),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(bytes)
}

fn open(path: &Path) -> io::Result<(File, Metadata)> {
    let is_folder = || io::Error::new(io::ErrorKind::IsADirectory, "is a folder, not a file");
    let file = match File::open(path) {
        // Windows denies access to folders.
        Err(error) if cfg!(windows) && error.kind() == io::ErrorKind::PermissionDenied && path.is_dir() => {
            return Err(is_folder());
        }
        opened => opened?,
    };
    let metadata = file.metadata()?;
    if metadata.is_dir() { Err(is_folder()) } else { Ok((file, metadata)) }
}

fn read_bounded(stream: impl Read, limit: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
    let read = stream.take(limit.saturating_add(1)).read_to_end(bytes)?;
    if read as u64 > limit {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("has more than {limit} bytes, the limit for streams"),
        ));
    }
    Ok(())
}

fn too_large(len: u64) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, format!("{len} bytes are more than this machine can address"))
}

#[cfg(test)]
mod tests {
    use std::io::{self, Cursor, Read};

    use super::{read_over, read_whole};

    #[track_caller]
    fn check(len: u64, read: io::Result<&[u8]>) {
        match read {
            Ok(bytes) => {
                // Bytes added to a file after it was opened are left out, as they are from a mapping.
                let want: &[u8] = if len == 9 { b"ten bytes" } else { b"ten bytes!" };
                assert!(len <= 10 && bytes == want, "said {len}");
            }
            Err(error) => {
                assert!(len > 10, "said {len}: {error}");
                assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
                assert_eq!(error.to_string(), "shrank while being read");
            }
        }
    }

    #[test]
    fn a_file_that_delivers_less_than_it_said_has_shrunk() {
        let mut scratch = Vec::new();
        for len in [0, 9, 10, 11, 1 << 20, 10] {
            let mut bytes = Vec::new();
            let read = read_whole(Cursor::new(b"ten bytes!"), len, 10, &mut bytes);
            check(len, read.map(|()| &*bytes));
            if len > 0 {
                check(len, read_over(Cursor::new(b"ten bytes!"), len, &mut scratch));
            }
        }
    }

    #[test]
    fn what_is_read_in_pieces_and_with_interruptions_is_whole() {
        /// Returns one byte at a time, and is interrupted before each.
        struct Slow(u8, bool);
        impl Read for Slow {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                self.1 = !self.1;
                if self.1 {
                    return Err(io::ErrorKind::Interrupted.into());
                }
                self.0 = self.0.wrapping_add(1);
                buffer[0] = self.0;
                Ok(1)
            }
        }
        let mut scratch = vec![9; 5];
        assert_eq!(read_over(Slow(0, false), 200, &mut scratch).unwrap(), (1..=200).collect::<Vec<u8>>());
        // A shorter file leaves the rest of the buffer unchanged, and returns none of it.
        assert_eq!(read_over(Slow(0, false), 3, &mut scratch).unwrap(), [1, 2, 3]);
    }
}
