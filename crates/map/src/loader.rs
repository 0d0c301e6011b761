use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;

use memmap2::{Mmap, MmapOptions};

use crate::Bytes;
use crate::bytes::shrank;

/// Files of this many bytes and more are mapped, smaller ones are read.
///
/// Where the two cross depends on the machine, 256 KiB to 2 MiB; docs/decisions.md has the measurements that chose this
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
    /// An empty file gives no bytes; a pipe or device is read to its end, within the stream limit. Of a file that grows
    /// meanwhile, the bytes are those it had when it was opened. A mapped file is kept open as long as its bytes live.
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
        read_whole(&file, length(&metadata), self.stream_limit, &mut bytes)?;
        Ok(bytes.into())
    }

    /// Opens a file for as long as `scratch` is lent: the form for many files, which allocates nothing once the
    /// scratch buffer has grown to the largest file that is read. What it holds afterwards is of no use.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn open_in(self, path: impl AsRef<Path>, scratch: &mut Vec<u8>) -> io::Result<Bytes<'_>> {
        let (file, metadata) = open(path.as_ref())?;
        if let Some(map) = self.map(&file, &metadata)? {
            return Ok(Bytes::mapped(map, file));
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
}

/// How many bytes a file says that it has; files of /proc and the like say 0 and deliver more, as pipes do.
fn length(metadata: &Metadata) -> u64 {
    if metadata.is_file() { metadata.len() } else { 0 }
}

/// Reads a file that had `len` bytes when it was opened, or a stream of unknown length.
fn read_whole(file: impl Read, len: u64, stream_limit: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
    if len == 0 {
        return read_bounded(file, stream_limit, bytes);
    }
    bytes.try_reserve_exact(usize::try_from(len).map_err(|_| too_large(len))?)?;
    file.take(len).read_to_end(bytes)?;
    if (bytes.len() as u64) < len { Err(shrank()) } else { Ok(()) }
}

/// Reads a file that had `len` bytes when it was opened over what is in `scratch`.
///
/// `scratch` stays as long as it ever was, so that nothing is filled with zeros only to be read over, and a file takes
/// one call and not several of growing size. Its bytes begin at a line of the cache: some processors copy large blocks
/// six times as slow to other places.
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
    use std::io::{self, Cursor, Read};

    use super::{read_over, read_whole};

    fn check(len: u64, read: io::Result<&[u8]>) {
        match read {
            Ok(bytes) => {
                // What came to a file since it was opened is left out, as it is of a mapping.
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
        /// Gives a byte at a time, and is interrupted before each.
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
        // A shorter file leaves the rest of the buffer, and gives none of it.
        assert_eq!(read_over(Slow(0, false), 3, &mut scratch).unwrap(), [1, 2, 3]);
    }
}
