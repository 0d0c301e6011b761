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

/// Keeps a file under the first free name of `NAME.bak`, `NAME.bak1` and so on.
fn keep(path: &Path) -> io::Result<PathBuf> {
    for number in 0_u32.. {
        let mut name = path.as_os_str().to_owned();
        name.push(".bak");
        if number > 0 {
            name.push(number.to_string());
        }
        let backup = PathBuf::from(name);
        if fs::symlink_metadata(&backup).is_ok() {
            continue;
        }
        // A second name for the same bytes takes no time, and fails if another program has just taken the name.
        match fs::hard_link(path, &backup) {
            Ok(()) => return Ok(backup),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            // Not all file systems have such links.
            Err(_) => return fs::copy(path, &backup).map(|_| backup),
        }
    }
    Err(io::Error::other("there are too many backups"))
}
