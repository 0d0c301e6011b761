//! Files that are only written if they differ from the existing ones.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile, TempPath};

use crate::interrupt::Listed;

/// The result of writing a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    New,
    /// The existing file has the same bytes.
    Unchanged,
}

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
    /// Everything so far equals the existing file. `done` bytes have been compared, out of `len`.
    Same {
        old: Box<io::BufReader<File>>,
        done: u64,
        len: u64,
    },
    New(NamedTempFile, Listed),
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
                let len = old.metadata()?.len();
                let old = Box::new(io::BufReader::with_capacity(BUFFER, old));
                return Ok(Self { path: path.into(), state: State::Same { old, done: 0, len } });
            }
        }
        let (out, listed) = begin(path)?;
        Ok(Self { path: path.into(), state: State::New(out, listed) })
    }

    /// Ends the comparison by copying the equal bytes to the new file.
    fn differ(&mut self, agreed: u64) -> io::Result<()> {
        self.state = State::Broken;
        let (mut out, listed) = begin(&self.path)?;
        let copied = io::copy(&mut File::open(&self.path)?.take(agreed), &mut out)?;
        if copied != agreed {
            return Err(io::Error::other("the existing file changed while it was being compared"));
        }
        self.state = State::New(out, listed);
        Ok(())
    }

    /// Moves the file to its final path.
    pub(super) fn finish(self) -> io::Result<Written> {
        match self.hold()? {
            None => Ok(Written::Unchanged),
            Some(held) => held.release().map(|()| Written::New),
        }
    }

    /// Ends the file without moving it. Returns `None` if the existing file has the same bytes.
    pub(super) fn hold(mut self) -> io::Result<Option<Held>> {
        if let State::Same { done, len, .. } = self.state
            && done != len
        {
            self.differ(done)?;
        }
        match self.state {
            State::Same { .. } => Ok(None),
            State::New(out, listed) => Ok(Some(Held { path: self.path, file: out.into_temp_path(), _listed: listed })),
            State::Broken => Err(io::Error::other("an earlier write failed")),
        }
    }
}

/// A complete file that does not have its name yet. It is removed unless it gets one.
#[derive(Debug)]
pub(super) struct Held {
    path: PathBuf,
    file: TempPath,
    _listed: Listed,
}

impl Held {
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Moves the file to its final path.
    pub(super) fn release(self) -> io::Result<()> {
        self.file.persist(self.path).map_err(|error| error.error)
    }
}

impl Write for Comparer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let State::Same { old, done, .. } = &mut self.state {
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
            if let State::New(out, _) = &mut self.state {
                out.write_all(rest)?;
            }
            return Ok(bytes.len());
        }
        match &mut self.state {
            State::New(out, _) => out.write(bytes),
            _ => Err(io::Error::other("an earlier write failed")),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.state {
            State::New(out, _) => out.flush(),
            _ => Ok(()),
        }
    }
}

/// Temporary files are named with this prefix, the id of the process, random letters, and the suffix.
const PREFIX: &str = ".worldview-";
const SUFFIX: &str = ".tmp";

/// Creates a temporary file in a folder.
pub(super) fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    let prefix = format!("{PREFIX}{}-", std::process::id());
    let mut builder = Builder::new();
    builder.prefix(&prefix).suffix(SUFFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // The usual permissions of a new file, restricted by the umask. Temporary files are readable only by the owner
        // by default.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// Removes temporary files that killed runs have left in a folder, but not those of runs still in progress.
pub(super) fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let Some(rest) = name.strip_prefix(PREFIX).filter(|rest| rest.ends_with(SUFFIX)) else { continue };
        let process = rest.split('-').next().and_then(|number| number.parse::<u32>().ok());
        if !process.is_some_and(|process| may_run(process, &entry)) {
            // A file that cannot be removed does no harm.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Returns whether a process may still be writing a file.
fn may_run(process: u32, entry: &fs::DirEntry) -> bool {
    let processes = Path::new("/proc");
    if processes.join("self").exists() {
        return processes.join(process.to_string()).exists();
    }
    // Without /proc, assume that no file takes an hour to write.
    let age = entry.metadata().and_then(|metadata| metadata.modified()).ok().and_then(|time| time.elapsed().ok());
    age.is_none_or(|age| age.as_secs() < 3600)
}

/// Creates a temporary file next to a path. It is removed if it is dropped before it gets its final name.
fn begin(path: &Path) -> io::Result<(NamedTempFile, Listed)> {
    Listed::begin(|| temporary(path.parent().unwrap_or(Path::new("."))), NamedTempFile::path)
}
