//! The one way in which the command writes files: under a temporary name, which becomes the final one when the file is complete.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use same_file::is_same_file;
use tempfile::{Builder, NamedTempFile, TempPath};

use super::lock;
use crate::interrupt::{self, Listed};

/// A file that is being written. Unless it is [held](Self::hold) and gets its name, nothing is left of it.
pub(crate) struct Single {
    file: File,
    held: Held,
}

/// A complete file that does not have its name yet. It is removed unless it gets one.
#[derive(Debug)]
pub(crate) struct Held {
    pub(super) path: PathBuf,
    file: TempPath,
    _listed: Listed,
}

impl Single {
    /// Begins a file, whose folder is created if it is missing.
    pub(crate) fn new(path: &Path) -> io::Result<Self> {
        let folder = folder_of(path);
        fs::create_dir_all(folder)?;
        sweep(folder);
        Self::begin(path)
    }

    /// Begins a file in a folder that exists.
    pub(super) fn begin(path: &Path) -> io::Result<Self> {
        interrupt::at_write();
        let (file, listed) = Listed::begin(|| temporary(folder_of(path)), NamedTempFile::path)?;
        let (file, temporary) = file.into_parts();
        Ok(Self { file, held: Held { path: path.into(), file: temporary, _listed: listed } })
    }

    /// Ends the file without giving it its name.
    pub(crate) fn hold(self) -> Held {
        self.held
    }
}

impl Write for Single {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        interrupt::at_write();
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Held {
    /// Gives the file its name, in place of what has it. A link of that name is replaced, not followed.
    pub(crate) fn release(self) -> io::Result<()> {
        interrupt::at_write();
        self.file.persist(self.path).map_err(|error| error.error)
    }

    /// Replaces the original, which stays as a backup. Returns the path of the backup. Returns an error of the kind
    /// [`ResourceBusy`](io::ErrorKind::ResourceBusy) if the original no longer has the size and digest that it had when it was
    /// read, and other errors if the file cannot be replaced.
    pub(crate) fn replace(self, read: Option<&(u64, String)>) -> io::Result<PathBuf> {
        static THREADS: Mutex<()> = Mutex::new(());
        let _threads = THREADS.lock().unwrap_or_else(PoisonError::into_inner);
        // The folder is locked, because a lock on a file that is renamed protects nothing.
        let _lock = lock::lock(folder_of(&self.path), || ())?;
        if let Some(read) = read
            && crate::read::digest(&self.path)? != *read
        {
            let why = "was changed by another program after it was read, and is kept as it is now";
            return Err(io::Error::new(io::ErrorKind::ResourceBusy, why));
        }
        fs::set_permissions(&self.file, fs::metadata(&self.path)?.permissions())?;
        let backup = keep(&self.path)?;
        match self.release() {
            Ok(()) => Ok(backup),
            Err(error) => {
                // The original is still there, so its copy is of no use.
                let _ = fs::remove_file(backup);
                Err(error)
            }
        }
    }
}

/// Keeps a file under the name `NAME.bak`, or `NAME.bak1` and so on, behind all of its backups, so that the highest number is
/// always that of the newest.
fn keep(path: &Path) -> io::Result<PathBuf> {
    loop {
        let number = match backups(path)?.pop() {
            // A killed run had kept it already.
            Some((_, newest)) if is_same_file(&newest, path)? => return Ok(newest),
            Some((u64::MAX, _)) => return Err(io::Error::other("there are too many backups")),
            Some((number, _)) => number + 1,
            None => 0,
        };
        let mut name = path.as_os_str().to_owned();
        name.push(".bak");
        if number > 0 {
            name.push(number.to_string());
        }
        let backup = PathBuf::from(name);
        interrupt::at_write();
        // A second name for the same bytes takes no time, and fails if another program has just taken the name.
        match fs::hard_link(path, &backup) {
            Ok(()) => return Ok(backup),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            // Not all file systems have such links.
            Err(_) => {
                let mut copy = Single::begin(&backup)?;
                io::copy(&mut File::open(path)?, &mut copy)?;
                return copy.hold().release().map(|()| backup);
            }
        }
    }
}

/// Returns the backups of a file with their numbers, the newest last; 0 is `NAME.bak`.
pub(crate) fn backups(path: &Path) -> io::Result<Vec<(u64, PathBuf)>> {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    Ok(backups_in(folder_of(path))?.remove(name).unwrap_or_default())
}

/// The backups of the files in a folder with their numbers, the newest last, by the names of the files.
pub(crate) type Backups = HashMap<Vec<u8>, Vec<(u64, PathBuf)>>;

/// Returns the backups of all files in a folder.
pub(crate) fn backups_in(folder: &Path) -> io::Result<Backups> {
    let mut found = Backups::new();
    for entry in fs::read_dir(folder)? {
        let backup = entry?.file_name();
        if let Some((name, number)) = backup_of(backup.as_encoded_bytes()) {
            found.entry(name.to_vec()).or_default().push((number, folder.join(&backup)));
        }
    }
    found.values_mut().for_each(|backups| backups.sort_unstable());
    Ok(found)
}

/// Splits the name of a backup into the name of its file and the number of the backup; 0 is `NAME.bak`.
pub(crate) fn backup_of(backup: &[u8]) -> Option<(&[u8], u64)> {
    const MARK: &[u8] = b".bak";
    let mark = backup.windows(MARK.len()).rposition(|part| part == MARK)?;
    let digits = std::str::from_utf8(&backup[mark + MARK.len()..]).ok()?;
    let number = match digits {
        "" => Some(0),
        // `NAME.bak0` and `NAME.bak007` are not ours.
        _ if digits.starts_with(['0', '+']) => None,
        _ => digits.parse().ok(),
    };
    Some((&backup[..mark], number?))
}

/// The folder of a file. The parent of a plain name is empty.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
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
