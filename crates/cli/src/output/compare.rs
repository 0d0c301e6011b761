//! A file that is written only from where it differs from the one that is there.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use crate::interrupt::Listed;

/// What a new file came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    New,
    /// The file that is there has these very bytes.
    Unchanged,
}

/// Takes the bytes of a file, and compares them with those that are there for as long as they agree.
///
/// From the first difference on they go to a file beside it, which takes its place once it is whole. So a file that
/// would be the same is never touched, and no name ever has half a file.
pub(super) struct Comparer {
    path: PathBuf,
    state: State,
}

enum State {
    /// All so far is as in this file, which has this many bytes behind what was compared.
    Same {
        old: Box<io::BufReader<File>>,
        done: u64,
        len: u64,
    },
    New(NamedTempFile, Listed),
    /// Something failed; nothing will be written.
    Broken,
}

/// Bytes that are written, or compared, at once.
pub(super) const BUFFER: usize = 1 << 16;

impl Comparer {
    /// `compare` is whether the file that is there matters.
    pub(super) fn new(path: &Path, compare: bool) -> io::Result<Self> {
        // A link in the file's place is no file of ours, whatever it leads to.
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

    /// Leaves the comparison: what agreed goes to the new file first.
    fn differ(&mut self, agreed: u64) -> io::Result<()> {
        self.state = State::Broken;
        let (mut out, listed) = begin(&self.path)?;
        let copied = io::copy(&mut File::open(&self.path)?.take(agreed), &mut out)?;
        if copied != agreed {
            return Err(io::Error::other("the file that is there changed while it was compared"));
        }
        self.state = State::New(out, listed);
        Ok(())
    }

    /// Puts the file in its place.
    pub(super) fn finish(mut self) -> io::Result<Written> {
        if let State::Same { done, len, .. } = self.state
            && done != len
        {
            self.differ(done)?;
        }
        match self.state {
            State::Same { .. } => Ok(Written::Unchanged),
            State::New(out, _listed) => {
                out.persist(&self.path).map_err(|error| error.error)?;
                Ok(Written::New)
            }
            State::Broken => Err(io::Error::other("an earlier write failed")),
        }
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

/// What temporary files are called: between these the process that writes it, and some letters.
const PREFIX: &str = ".worldview-";
const SUFFIX: &str = ".tmp";

/// A file that has no name of its own yet.
pub(super) fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    let prefix = format!("{PREFIX}{}-", std::process::id());
    let mut builder = Builder::new();
    builder.prefix(&prefix).suffix(SUFFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // As for any new file, less what the umask takes; the default of temporary files is the owner alone.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// Removes from a folder what runs that were killed left half written; what another run is writing stays.
pub(super) fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let Some(rest) = name.strip_prefix(PREFIX).filter(|rest| rest.ends_with(SUFFIX)) else { continue };
        let process = rest.split('-').next().and_then(|number| number.parse::<u32>().ok());
        if !process.is_some_and(|process| may_run(process, &entry)) {
            // What cannot be removed does no harm.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether a process may still write a file.
fn may_run(process: u32, entry: &fs::DirEntry) -> bool {
    let processes = Path::new("/proc");
    if processes.join("self").exists() {
        return processes.join(process.to_string()).exists();
    }
    // Nobody to ask: no file takes an hour.
    let age = entry.metadata().and_then(|metadata| metadata.modified()).ok().and_then(|time| time.elapsed().ok());
    age.is_none_or(|age| age.as_secs() < 3600)
}

/// A file beside a place; gone again if it is dropped before it is given its name.
fn begin(path: &Path) -> io::Result<(NamedTempFile, Listed)> {
    Listed::begin(|| temporary(path.parent().unwrap_or(Path::new("."))), NamedTempFile::path)
}
