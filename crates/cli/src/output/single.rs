//! A single file outside of an output tree, which gets its name when it is complete.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::compare;
use crate::interrupt::Listed;

/// A file that is being written. Without [`finish`](Self::finish) or [`replace`](Self::replace) nothing is left of it.
pub(crate) struct Single {
    path: PathBuf,
    file: NamedTempFile,
    listed: Listed,
}

impl Single {
    /// Begins a file, whose folder is created if it is missing.
    pub(crate) fn new(path: &Path) -> io::Result<Self> {
        // The parent of a plain name is empty.
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        compare::sweep(folder);
        let (file, listed) = Listed::begin(|| compare::temporary(folder), NamedTempFile::path)?;
        Ok(Self { path: path.into(), file, listed })
    }

    /// Gives the file its name, in place of what has it. A link of that name is replaced, not followed.
    pub(crate) fn finish(self) -> io::Result<()> {
        let Self { path, file, listed } = self;
        file.persist(path).map_err(|error| error.error)?;
        drop(listed);
        Ok(())
    }

    /// Replaces the original, which stays as a backup. Returns the path of the backup.
    pub(crate) fn replace(self) -> io::Result<PathBuf> {
        fs::set_permissions(self.file.path(), fs::metadata(&self.path)?.permissions())?;
        let backup = keep(&self.path)?;
        match self.finish() {
            Ok(()) => Ok(backup),
            Err(error) => {
                // The original is still there, so its copy is of no use.
                let _ = fs::remove_file(backup);
                Err(error)
            }
        }
    }
}

impl Write for Single {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Keeps a file under the name `NAME.bak`, or `NAME.bak1` and so on, behind all of its backups, so that the highest number is
/// always that of the newest.
fn keep(path: &Path) -> io::Result<PathBuf> {
    loop {
        let number = match newest_backup(path)? {
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
        // A second name for the same bytes takes no time, and fails if another program has just taken the name.
        match fs::hard_link(path, &backup) {
            Ok(()) => return Ok(backup),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            // Not all file systems have such links.
            Err(_) => return fs::copy(path, &backup).map(|_| backup),
        }
    }
}

/// Returns the backup of a file with the highest number, and this number; 0 for `NAME.bak`.
pub(crate) fn newest_backup(path: &Path) -> io::Result<Option<(u64, PathBuf)>> {
    let mut start = path.file_name().unwrap_or_default().to_owned();
    start.push(".bak");
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut newest: Option<(u64, PathBuf)> = None;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let Some(digits) = name.as_encoded_bytes().strip_prefix(start.as_encoded_bytes()) else { continue };
        let number = match std::str::from_utf8(digits) {
            Ok("") => Some(0),
            // `NAME.bak0` and `NAME.bak007` are not ours.
            Ok(digits) if !digits.starts_with(['0', '+']) => digits.parse().ok(),
            _ => None,
        };
        if let Some(number) = number
            && newest.as_ref().is_none_or(|(highest, _)| number > *highest)
        {
            newest = Some((number, folder.join(name)));
        }
    }
    Ok(newest)
}
