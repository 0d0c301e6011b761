//! The outputs in manifests: whether those of an input are still there, and which are left of inputs that are gone.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::manifest::{Counts, Entry, Manifest, With};
use super::{Output, OutputTree};
use crate::options::Overwrite;
use crate::outcome::Outcome;
use crate::table;

/// The state of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    Same,
    /// It differs, and has this size.
    Other(u64),
    Missing,
}

/// An output that somebody edited.
#[derive(Debug)]
pub(super) struct Edit {
    pub(super) size: u64,
    /// The SHA-256 of the version of the input that it was made from.
    pub(super) of: String,
    /// The options that it was made with.
    pub(super) with: With,
}

/// The files of an earlier run that are still there.
pub(super) type FoundFiles = HashMap<PathBuf, Option<Edit>>;

/// Outputs whose inputs, or the versions of them that they come from, are gone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stale {
    /// Those that are as they were written.
    pub(crate) found: Vec<PathBuf>,
    /// How many of these `--prune` removed, or would remove in a dry run.
    pub(crate) removed: u64,
    /// Those that somebody has edited since, which stay.
    pub(crate) edited: Vec<PathBuf>,
}

impl Stale {
    pub(crate) fn append(&mut self, mut other: Self) {
        self.found.append(&mut other.found);
        self.removed += other.removed;
        self.edited.append(&mut other.edited);
    }
}

impl OutputTree {
    /// Finds out what has become of a file of a manifest. One that is reached by a link is not there. Manifests are not trusted,
    /// because anybody can write one.
    pub(super) fn found(&self, base: &Path, entry: &Entry) -> Found {
        if !self.is_reached(base, entry) {
            return Found::Missing;
        }
        match crate::read::digest(&base.join(&entry.file)) {
            Ok(found) if entry.is(&found) => Found::Same,
            Ok((size, _)) => Found::Other(size),
            Err(_) => Found::Missing,
        }
    }

    /// Finds the files of an earlier run that are still there, and those among them that somebody edited. The last result is whether
    /// all that belong to the input are.
    pub(super) fn find_all(&self, base: &Path, old: &Manifest) -> (FoundFiles, bool) {
        let (mut all, mut is_whole) = (FoundFiles::new(), true);
        for (number, entry) in old.files.iter().chain(&old.stale).enumerate() {
            let edit = match self.found(base, entry) {
                Found::Same => None,
                Found::Other(size) if old.vouches_for(entry) => {
                    let of = entry.of.clone().unwrap_or_else(|| old.sha256.clone());
                    // Whether it was edited or not does not matter otherwise.
                    (self.overwrite == Overwrite::Changed).then_some(Edit { size, of, with: entry.with.clone() })
                }
                Found::Other(_) | Found::Missing => {
                    is_whole &= number >= old.files.len();
                    continue;
                }
            };
            // No manifest vouches for itself.
            if entry.file != Manifest::NAME {
                all.insert(base.join(&entry.file), edit);
            }
        }
        (all, is_whole)
    }

    /// Changes the manifest of an earlier run before its first file is replaced: it vouches only for the files that somebody edited.
    /// If the run is killed, no other one looks like them.
    pub(super) fn begin_replacing(&self, base: &Path, old: &Manifest, found: &FoundFiles) -> io::Result<()> {
        let files = old.files.iter().chain(&old.stale).map(|entry| &entry.file);
        let edited = files.filter(|file| matches!(found.get(&base.join(file)), Some(Some(_)))).cloned().collect();
        let begun = Manifest { complete: false, replacing: Some(edited), ..old.clone() };
        Manifest::append(base, &begun.line()?)
    }

    fn is_reached(&self, base: &Path, entry: &Entry) -> bool {
        crate::read::is_inside(&entry.file) && base.join(&entry.file).parent().is_some_and(|parent| self.is_way(parent))
    }

    /// Adds what is still valid of an earlier manifest. Of another version of the input, nothing is.
    pub(super) fn carry_over(&self, base: &Path, manifest: &mut Manifest, old: Option<Manifest>, stale: &mut Stale) {
        let Some(mut old) = old else { return };
        let digests = manifest.files.iter().map(|entry| (entry.file.clone(), entry.sha256.clone()));
        let written: HashMap<String, String> = digests.collect();
        if old.sha256 == manifest.sha256 {
            // What other options wrote is no longer there if this run has replaced it.
            let is_there = |entry: &Entry| written.get(&entry.file).is_none_or(|sha256| *sha256 == entry.sha256);
            if old.files.iter().all(is_there) {
                manifest.options.extend(old.valid_options().iter().cloned());
            }
            manifest.options.sort_unstable();
            manifest.options.dedup();
            let mut seen: HashSet<_> = written.keys().cloned().collect();
            seen.insert(Manifest::NAME.to_owned());
            old.files.retain(|entry| seen.insert(entry.file.clone()));
            let (found, _) = self.find_all(base, &old);
            old.files.retain(|entry| found.contains_key(&base.join(&entry.file)));
            manifest.files.append(&mut old.files);
        }
        old.files.append(&mut old.stale);
        old.files.retain(|entry| !written.contains_key(&entry.file));
        manifest.stale = self.clear(base, old.files, stale);
    }

    /// Finds out which of these files are stale. Returns those that stay.
    pub(super) fn clear(&self, base: &Path, mut files: Vec<Entry>, stale: &mut Stale) -> Vec<Entry> {
        files.retain(|entry| {
            let path = base.join(&entry.file);
            if !self.is_reached(base, entry) || fs::symlink_metadata(&path).is_err() {
                return false;
            }
            if self.found(base, entry) != Found::Same {
                stale.edited.push(path);
                return true;
            }
            stale.found.push(path);
            !self.prune
        });
        files
    }

    /// Removes stale files with `--prune`, and the folders that are empty then. Until the run ends, another input may get such a
    /// name.
    pub(crate) fn remove(&self, stale: &mut Stale) {
        for path in stale.found.iter().filter(|_| self.prune) {
            stale.removed += u64::from(self.dry || fs::remove_file(path).is_ok());
            let above = path.ancestors().skip(1).take_while(|folder| *folder != self.root && !self.dry);
            // A folder that is not empty, or is gone already.
            let _ = above.take_while(|folder| fs::remove_dir(folder).is_ok()).count();
        }
    }

    /// Finds the outputs of inputs that are gone, by the manifests below a folder of the tree. `visited` has the folders of the inputs
    /// of this run.
    pub(crate) fn clear_below(
        &self,
        folder: &Path,
        visited: &HashSet<PathBuf>,
        is_gone: &dyn Fn(&str) -> bool,
        stale: &mut Stale,
    ) -> io::Result<()> {
        let mut entries = walkdir::WalkDir::new(self.root.join(folder)).sort_by_file_name().into_iter();
        while let Some(entry) = entries.next() {
            let entry = match entry {
                Ok(entry) => entry,
                // A dry run may not have a folder.
                Err(error) if error.io_error().is_some_and(|error| error.kind() == io::ErrorKind::NotFound) => continue,
                Err(error) => return Err(error.into()),
            };
            if !entry.file_type().is_dir() {
                continue;
            }
            let path = entry.path();
            if visited.contains(path.strip_prefix(&self.root).unwrap_or(path)) {
                entries.skip_current_dir();
                continue;
            }
            let Some(mut manifest) = Manifest::read(path) else { continue };
            entries.skip_current_dir();
            if !is_gone(&manifest.source) {
                continue;
            }
            manifest.files.append(&mut manifest.stale);
            let before = manifest.files.len();
            manifest.files = self.clear(path, manifest.files, stale);
            if manifest.files.len() == before || !self.prune || self.dry {
                continue;
            }
            self.rewrite(path, &manifest)?;
            // It is empty now if somebody else has removed the files.
            let _ = fs::remove_dir(path);
        }
        Ok(())
    }
}

impl Output<'_> {
    /// Returns the manifest that an earlier run left for this input.
    fn old(&self) -> Option<Manifest> {
        if self.tree.is_flat {
            let mut old = self.tree.old.line(&self.below_root())?;
            // Another input may have the name now that this one had.
            let foreign: Vec<_> = old.files.extract_if(.., |entry| !self.has_name(&entry.file)).collect();
            old.complete &= foreign.is_empty();
            old.stale.extend(foreign);
            return Some(old);
        }
        let folder = self.folder();
        if self.tree.is_way(&folder) { Manifest::read(&folder) } else { None }
    }

    /// Returns whether a path relative to the output folder may be one of this input.
    fn has_name(&self, file: &str) -> bool {
        let rest = |start: &str| Some(file.strip_prefix(start)?.as_bytes().first().copied());
        rest(&self.below_root()) == Some(Some(b'/'))
            || self.stem.as_deref().is_some_and(|stem| rest(stem) == Some(Some(b'.')))
    }

    /// Returns the folder to which the paths in the manifest are relative.
    pub(super) fn base(&self) -> PathBuf {
        if self.tree.is_flat { self.tree.root.clone() } else { self.folder() }
    }

    /// Returns what all outputs of this input are of, if they already exist with the same options, so that nothing has to be
    /// done. Those that somebody edited exist.
    pub(crate) fn is_done(&mut self, options: Option<&str>) -> Option<Counts> {
        let mut old = self.old()?;
        let base = self.base();
        let (found, is_whole) = self.tree.find_all(&base, &old);
        let is_done = is_whole
            && self.tree.overwrite == Overwrite::Changed
            && options.is_some_and(|options| old.is_current(options, self.length(), self.digest()))
            && !(old.files.is_empty() && self.tree.is_flat)
            && (!self.tree.prune || old.stale.is_empty());
        if !is_done {
            (self.old, self.found) = (Some(old), found.into());
            return None;
        }
        self.tree.clear(&base, old.stale.clone(), &mut self.made.stale);
        for path in old.files.iter().map(|entry| base.join(&entry.file)) {
            self.made.highlights.add(&path);
            match found.get(&path) {
                Some(Some(edit)) => self.keep(path, edit.size),
                _ => self.made.tally.unchanged += 1,
            }
        }
        let exported = old.exported;
        if self.tree.is_flat {
            old.source = table::path(&self.source);
            self.line = Some(old);
        } else {
            self.made.tally.unchanged += 1;
            self.entries = old.files;
        }
        Some(exported)
    }

    /// Writes the manifest, if there are any outputs, or keeps it for that of the run. Outputs of an earlier run that still exist
    /// stay listed. Returns an error if the manifest cannot be written.
    pub(crate) fn finish(
        &mut self,
        options: &str,
        outcome: &Outcome,
        exported: Counts,
    ) -> worldview_export::Result<()> {
        if self.entries.is_empty() {
            // If all files are kept, so is the manifest.
            let list = self.folder().join(Manifest::NAME);
            self.made.tally.kept += u64::from(self.made.tally.kept > 0 && fs::symlink_metadata(list).is_ok());
            return Ok(());
        }
        let sha256 = self.digest().clone();
        // An input that shrank in the meantime has no valid digest.
        self.bytes.check()?;
        let mut files = std::mem::take(&mut self.entries);
        let mut folder = String::new();
        if self.tree.is_flat {
            folder = self.below_root();
            files.iter_mut().for_each(|entry| entry.file = self.below_tree(&entry.file));
        }
        let mut manifest = Manifest {
            folder,
            length: self.length(),
            sha256,
            options: vec![options.to_owned()],
            // Files that were kept may come from another input or from other options.
            complete: outcome.is_complete() && self.made.tally.kept == 0,
            exported,
            files,
            ..Manifest::of(&self.source, outcome)
        };
        let old = self.old.take();
        if let Some(other) = old.as_ref().filter(|old| old.source != manifest.source && old.sha256 != manifest.sha256) {
            self.replaces = Some(other.source.clone());
        }
        self.tree.carry_over(&self.base(), &mut manifest, old, &mut self.made.stale);
        if self.tree.is_flat {
            self.line = Some(manifest);
            return Ok(());
        }
        let path = self.folder().join(Manifest::NAME);
        // The manifest is updated to match its files, even if existing files are otherwise kept.
        let written = if self.tree.overwrite == Overwrite::Never && !self.tree.dry {
            let is_new = self.tree.rewrite(&self.folder(), &manifest)?;
            self.made.tally.written += u64::from(is_new);
            self.made.tally.unchanged += u64::from(!is_new);
            Ok(())
        } else {
            let text = manifest.among_others(&self.folder())?;
            self.put(&path, &mut |out| Ok(out.write_all(text.as_bytes())?)).map(|_| ())
        };
        self.entries = manifest.files;
        written
    }
}
