//! The output tree: a folder for each input, files that are there whole or not at all, and where each comes from.

mod compare;
mod files;
mod hashing;
mod manifest;

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::args::Overwrite;
use compare::{Comparer, Written};
use hashing::Hashing;

pub(crate) use files::{Label, Output};
pub(crate) use manifest::{Entry, Origin};
pub(crate) use worldview_export::names::{Folders, Taken, file_name, member_name, raw_name, safe_name};

/// The folder that is written to, shared by all threads.
#[derive(Debug)]
pub(crate) struct OutputTree {
    root: PathBuf,
    overwrite: Overwrite,
    dry: bool,
    /// Folders that are known to be there and to be folders: no link leads out of the tree. Those of an input are
    /// forgotten when it is done.
    known: Mutex<BTreeSet<PathBuf>>,
}

/// What was written, and what was there already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub(crate) struct Tally {
    /// Files written, or that would be in a dry run.
    pub(crate) written: u64,
    pub(crate) bytes_written: u64,
    /// Files that were there with the same bytes.
    pub(crate) unchanged: u64,
    /// Files that were there, whatever is in them.
    pub(crate) kept: u64,
}

impl OutputTree {
    /// The tree below a folder, which is made unless the run is dry.
    ///
    /// # Errors
    ///
    /// Those of making the folder, and of writing to it.
    pub(crate) fn new(root: &Path, overwrite: Overwrite, dry: bool) -> io::Result<Self> {
        if !dry {
            if root.exists() && !root.is_dir() {
                return Err(io::Error::new(io::ErrorKind::NotADirectory, "is a file, not a folder"));
            }
            fs::create_dir_all(root)?;
            compare::sweep(root);
            // One message now rather than one for each file later.
            compare::temporary(root)?;
        }
        Ok(Self { root: root.into(), overwrite, dry, known: Mutex::default() })
    }

    /// Makes the folders on the way to a file; a link among them is an error, for it may lead anywhere.
    fn make_way(&self, folder: &Path) -> io::Result<()> {
        self.way(folder, |path| match fs::create_dir(path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
            made => Ok(made.is_ok()),
        })
    }

    /// Whether a folder is there, without a link on the way to it.
    fn is_way(&self, folder: &Path) -> bool {
        self.way(folder, |_| Ok(false)).is_ok()
    }

    /// Goes from the root to a folder; `make` says whether it made the folder, which otherwise must be one already.
    fn way(&self, folder: &Path, make: impl Fn(&Path) -> io::Result<bool>) -> io::Result<()> {
        let below = folder.strip_prefix(&self.root).unwrap_or(folder);
        let mut path = self.root.clone();
        for part in below.components() {
            path.push(part);
            let mut known = self.known.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            if known.contains(&path) {
                continue;
            }
            if !make(&path)? {
                if !fs::symlink_metadata(&path)?.is_dir() {
                    let why = format!("{} is in the way: it is a link or a file, not a folder", path.display());
                    return Err(io::Error::new(io::ErrorKind::AlreadyExists, why));
                }
                if !self.dry {
                    compare::sweep(&path);
                }
            }
            known.insert(path.clone());
        }
        Ok(())
    }

    /// Forgets a folder and all below it.
    fn forget(&self, folder: &Path) {
        let mut known = self.known.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        // They follow each other: paths are in the order of their parts.
        let below = known.range(folder.to_path_buf()..).take_while(|path| path.starts_with(folder)).cloned();
        for path in below.collect::<Vec<_>>() {
            known.remove(&path);
        }
    }

    /// Begins a file at the top of the tree; it has its name once it is complete. None if there is one that stays.
    ///
    /// # Errors
    ///
    /// Those of the file system.
    pub(crate) fn top(&self, name: &str) -> io::Result<Option<TopFile>> {
        let (path, compare) = (self.root.join(name), self.overwrite == Overwrite::Changed);
        if self.overwrite == Overwrite::Never && fs::symlink_metadata(&path).is_ok() {
            return Ok(None);
        }
        let place = if self.dry { None } else { Some(Comparer::new(&path, compare)?) };
        Ok(Some(TopFile { out: Hashing::new(Place(place)), path, compare }))
    }
}

/// A file beside the folders of the inputs; of a dry run, what it would be.
pub(crate) struct TopFile {
    out: Hashing<Place>,
    path: PathBuf,
    compare: bool,
}

impl TopFile {
    /// Puts the file in its place; answers its path, and its size if it was not there already.
    pub(crate) fn finish(self) -> io::Result<(PathBuf, Option<u64>)> {
        let Self { out, path, compare } = self;
        let (Place(file), size, sha256) = out.finish();
        let is_same = match file {
            Some(file) => file.finish()? == Written::Unchanged,
            None => compare && manifest::digest(&path).is_ok_and(|found| found == (size, sha256)),
        };
        Ok((path, (!is_same).then_some(size)))
    }
}

impl Write for TopFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A file, or in a dry run nothing, which takes everything.
struct Place(Option<Comparer>);

impl Write for Place {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.as_mut().map_or(Ok(bytes.len()), |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.as_mut().map_or(Ok(()), Write::flush)
    }
}
