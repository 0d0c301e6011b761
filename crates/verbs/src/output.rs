//! The output tree: a folder for each input, files that are never partially written, and a list of their origins.

mod compare;
mod edits;
mod files;
mod lines;
mod listing;
mod lock;
mod manifest;
mod single;
mod target;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::options::Overwrite;
use crate::table;
use compare::Comparer;
use lines::OldLines;
use listing::FoundFiles;

pub(crate) use compare::Hashing;
pub(crate) use edits::{EditLog, EditRecord};
pub(crate) use files::Output;
pub(crate) use lines::RunManifest;
pub(crate) use listing::Stale;
pub use manifest::Counts;
pub(crate) use manifest::{Entry, InputDigest, Manifest, With};
pub(crate) use single::{Backups, Held, backup_of, backups, backups_in};
pub use target::write_file;
pub(crate) use target::{Target, check_folder, existing, held};
pub(crate) use worldview_export::names::{Folders, Taken, file_name, flat_name};
pub(crate) use worldview_export::outputs::{MEMBERS, Origin};

/// The output folder, shared by all threads.
#[derive(Debug)]
pub(crate) struct OutputTree {
    root: PathBuf,
    overwrite: Overwrite,
    dry: bool,
    /// Whether files lie beside those of other inputs, where they can.
    pub(crate) is_flat: bool,
    /// Whether stale outputs are removed.
    pub(crate) prune: bool,
    /// The manifest of an earlier run.
    old: OldLines,
    _lock: Option<File>,
    /// Paths that are known to be folders and not links, so that nothing is written outside the tree, and whether this
    /// run made them. The folders of an input are removed when it is finished.
    known: Mutex<BTreeMap<PathBuf, bool>>,
    /// The merged rows of an earlier run, once some are written.
    merged: OnceLock<FoundFiles>,
    /// Those of its files that are kept, because somebody edited them.
    edited: Mutex<Vec<PathBuf>>,
}

/// Counts of files that were written or already existed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Tally {
    /// Files that were written, or would be in a dry run.
    pub written: u64,
    /// Their size.
    pub bytes_written: u64,
    /// Files that already existed with the same bytes.
    pub unchanged: u64,
    /// Files that already existed and were kept, regardless of their contents.
    pub kept: u64,
    /// Files that somebody edited, and that were kept.
    pub edited: u64,
    /// Files whose inputs are gone.
    pub stale: u64,
    /// Others of them that were removed.
    pub removed: u64,
}

impl Tally {
    /// Returns the number of outputs, new and old.
    pub(crate) const fn count(&self) -> u64 {
        self.written + self.unchanged + self.kept + self.edited
    }

    pub(crate) const fn add(&mut self, other: &Self) {
        let Self { written, bytes_written, unchanged, kept, edited, stale, removed } = *other;
        self.stale += stale;
        self.removed += removed;
        self.written += written;
        self.bytes_written += bytes_written;
        self.unchanged += unchanged;
        self.kept += kept;
        self.edited += edited;
    }
}

/// A file that was written, or would be.
#[derive(Clone, Debug, serde::Serialize)]
pub struct WrittenFile {
    /// Its path.
    pub file: String,
    /// Its size, in bytes.
    pub size: u64,
}

/// The outputs that a person would open first: a map, a model, and a sheet or a picture.
#[derive(Debug, Default)]
pub(crate) struct Highlights([Option<(u8, PathBuf)>; 3]);

impl Highlights {
    fn add(&mut self, path: &Path) {
        let last = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let (name, folder) = (last(path), path.parent().map(last).unwrap_or_default());
        let (stem, extension) = name.rsplit_once('.').unwrap_or((&name, ""));
        // The lowest of several counts.
        let (sort, rank) = match (extension, stem, &*folder) {
            ("tmx" | "tmj", "map", _) => (0, 0),
            ("tmx" | "tmj", ..) => (0, 1),
            ("glb", _, "worlds") => (1, 0),
            ("glb", _, "models") => (1, 1),
            ("glb", ..) => (1, 2),
            ("csv" | "xlsx", "records" | "table", _) => (2, 0),
            ("png", "level" | "preview", _) => (2, 1),
            ("png", _, "tilesets") => return,
            ("csv" | "xlsx", ..) => (2, 2),
            ("png", ..) => (2, 3),
            _ => return,
        };
        self.prefer(sort, (rank, path.into()));
    }

    fn prefer(&mut self, sort: usize, new: (u8, PathBuf)) {
        if self.0[sort].as_ref().is_none_or(|(rank, _)| new.0 < *rank) {
            self.0[sort] = Some(new);
        }
    }

    fn append(&mut self, other: Self) {
        for (sort, found) in other.0.into_iter().enumerate() {
            found.into_iter().for_each(|found| self.prefer(sort, found));
        }
    }

    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.0.iter().flatten().map(|(_, path)| &**path)
    }
}

/// The outputs of an input, or of all, and their counts.
#[derive(Debug, Default)]
pub(crate) struct Made {
    pub(crate) tally: Tally,
    /// The files that were written, or would be by a dry run, with their sizes, if somebody asks for them.
    pub(crate) listed: Vec<WrittenFile>,
    /// The files that stay because somebody edited them, with their sizes.
    pub(crate) edited: Vec<(PathBuf, u64)>,
    /// The outputs of inputs, or of versions of them, that are gone.
    pub(crate) stale: Stale,
    pub(crate) highlights: Highlights,
}

impl Made {
    pub(crate) fn append(&mut self, mut other: Self) {
        self.highlights.append(other.highlights);
        self.tally.add(&other.tally);
        self.listed.append(&mut other.listed);
        self.edited.append(&mut other.edited);
        self.stale.append(other.stale);
    }

    /// Adds a file that was written, or would be, and lists it if that `lists`.
    pub(crate) fn wrote(&mut self, path: &Path, size: u64, lists: bool) {
        self.tally.written += 1;
        self.tally.bytes_written += size;
        self.listed.extend(lists.then(|| WrittenFile { file: table::path(path), size }));
    }

    /// Adds a file at the top of the tree.
    pub(crate) fn finished(&mut self, Finished { path, size, is_same, .. }: &Finished) {
        self.highlights.add(path);
        match is_same {
            true => self.tally.unchanged += 1,
            false => self.wrote(path, *size, true),
        }
    }
}

impl OutputTree {
    /// Creates the output tree in a folder, which is created unless this is a dry run. Calls `waits` if another run writes to it.
    /// Returns an error if the folder cannot be created or written to.
    pub(crate) fn new(root: &Path, overwrite: Overwrite, dry: bool, waits: impl FnOnce()) -> io::Result<Self> {
        let mut lock = None;
        if !dry {
            if root.exists() && !root.is_dir() {
                return Err(io::Error::new(io::ErrorKind::NotADirectory, "is a file, not a folder"));
            }
            fs::create_dir_all(root)?;
            lock = lock::lock(root, waits)?;
            single::sweep(root);
            // Report the problem once now, rather than for every file later.
            single::temporary(root)?;
        }
        let old = OldLines::read(root)?;
        let (is_flat, prune) = (false, false);
        let (known, merged, edited) = Default::default();
        Ok(Self { root: root.into(), overwrite, dry, is_flat, prune, old, _lock: lock, known, merged, edited })
    }

    /// Creates the parent folders of a file, and returns whether the last one is new: a file in it is there only if this
    /// run wrote it. A link among them is an error, because it could lead anywhere.
    fn make_way(&self, folder: &Path) -> io::Result<bool> {
        self.way(folder, target::make)
    }

    /// Returns whether a folder exists, without a link in its path.
    fn is_way(&self, folder: &Path) -> bool {
        self.way(folder, |_| Ok(false)).is_ok()
    }

    /// Walks from the root to a folder. `make` returns whether it created the folder; otherwise, the folder must exist.
    fn way(&self, folder: &Path, make: impl Fn(&Path) -> io::Result<bool>) -> io::Result<bool> {
        let below = folder.strip_prefix(&self.root).unwrap_or(folder);
        let mut path = self.root.clone();
        let mut is_new = false;
        for part in below.components() {
            path.push(part);
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(&made) = known.get(&path) {
                is_new = made;
                continue;
            }
            is_new = target::enter(&path, &make)?;
            if !is_new && !self.dry {
                single::sweep(&path);
            }
            known.insert(path.clone(), is_new);
        }
        Ok(is_new)
    }

    /// Forgets a folder and everything in it.
    fn forget(&self, folder: &Path) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        // These are adjacent, because paths are sorted by their components.
        let below = known
            .range(folder.to_path_buf()..)
            .take_while(|(path, _)| path.starts_with(folder))
            .map(|(path, _)| path.clone());
        for path in below.collect::<Vec<_>>() {
            known.remove(&path);
        }
    }

    /// Returns the path of a file at the top level of the tree.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// Starts a file at the top level of the tree. It gets its name once it is complete. Returns `None` if there is a file to be
    /// kept. Returns an error if the file cannot be created.
    pub(crate) fn top(&self, name: &str) -> io::Result<Option<TopFile>> {
        let path = self.path(name);
        if self.merged.get().is_none()
            && let Some(old) = self.old.line("")
        {
            let (found, _) = self.find_all(&self.root, &old);
            if !self.dry {
                self.begin_replacing(&self.root, &old, &found)?;
            }
            let _ = self.merged.set(found);
        }
        if matches!(self.merged.get().and_then(|found| found.get(&path)), Some(Some(_))) {
            self.edited.lock().unwrap_or_else(PoisonError::into_inner).push(path);
            return Ok(None);
        }
        if self.overwrite == Overwrite::Never && fs::symlink_metadata(path).is_ok() {
            return Ok(None);
        }
        self.begin(name, self.overwrite == Overwrite::Changed).map(Some)
    }

    fn begin(&self, name: &str, compare: bool) -> io::Result<TopFile> {
        let path = self.path(name);
        let out = if self.dry { Comparer::nowhere(&path) } else { Comparer::new(&path, compare)? };
        Ok(TopFile { out: Hashing::new(out), path, compare, is_real: !self.dry })
    }

    /// Returns a temporary file without a name.
    pub(crate) fn spill(&self) -> io::Result<File> {
        if self.dry { tempfile::tempfile() } else { tempfile::tempfile_in(&self.root) }
    }

    /// Returns whether an earlier run has left a manifest of inputs whose files lie beside each other, or of merged rows.
    pub(crate) fn has_lines(&self) -> bool {
        !self.old.lines.is_empty()
    }

    /// Returns the manifest of merged rows of an earlier run with these options, if all files of it are still there.
    pub(crate) fn merged(&self, options: &str) -> Option<Manifest> {
        let old = self.old.line("").filter(|_| self.overwrite == Overwrite::Changed)?;
        let is_current = old.is_current(options, old.length, &old.sha256) && (!self.prune || old.stale.is_empty());
        let (found, is_whole) = if is_current { self.find_all(&self.root, &old) } else { Default::default() };
        let edited = found.into_iter().filter_map(|(path, edit)| edit.map(|_| path));
        self.edited.lock().unwrap_or_else(PoisonError::into_inner).extend(edited);
        is_whole.then_some(old)
    }

    /// Returns the merged outputs that are kept because somebody edited them.
    pub(crate) fn edited(&self) -> Vec<PathBuf> {
        self.edited.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Completes the manifest of merged rows.
    pub(crate) fn finish_merged(&self, manifest: &mut Manifest, stale: &mut Stale) {
        let (old, edited) = (self.old.line(""), self.edited());
        let is_edited = |entry: &&Entry| edited.contains(&self.root.join(&entry.file));
        let files = old.iter().flat_map(|old| &old.files).filter(is_edited).cloned();
        manifest.files.extend(files);
        self.carry_over(&self.root, manifest, old, stale);
    }

    /// Writes the line of the input whose own folder this is in place of an existing one. Nothing is left of a manifest without files.
    /// Returns whether it differs.
    fn rewrite(&self, folder: &Path, manifest: &Manifest) -> io::Result<bool> {
        let (path, text) = (folder.join(Manifest::NAME), manifest.among_others(folder)?);
        if text.is_empty() {
            return fs::remove_file(path).map(|()| true);
        }
        let mut out = Comparer::new(&path, true)?;
        out.write_all(text.as_bytes())?;
        out.finish()
    }
}

/// A file next to the folders of the inputs. In a dry run, it is only measured.
pub(crate) struct TopFile {
    out: Hashing<Comparer>,
    pub(crate) path: PathBuf,
    compare: bool,
    is_real: bool,
}

/// A complete file at the top of the tree.
pub(crate) struct Finished {
    pub(crate) path: PathBuf,
    pub(crate) size: u64,
    pub(crate) sha256: String,
    /// Whether the same file was already there.
    is_same: bool,
}

impl TopFile {
    /// Moves the file to its final path.
    pub(crate) fn finish(self) -> io::Result<Finished> {
        let Self { out, path, compare, is_real } = self;
        let (file, size, sha256) = out.finish();
        let is_found = || compare && crate::read::digest(&path).is_ok_and(|found| found == (size, sha256.clone()));
        let is_same = !file.finish()? && (is_real || is_found());
        Ok(Finished { path, size, sha256, is_same })
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
