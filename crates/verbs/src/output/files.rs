//! The outputs of one input: compared with existing files, written completely or not at all, and listed in the
//! manifest.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use worldview::{Bytes, Limit};
use worldview_export::names::PartFolders;
use worldview_export::outputs::{self, Fill};
use worldview_export::{Error, hex};

use super::compare::{self, Comparer, Hashing};
use super::listing::FoundFiles;
use super::manifest::{Entry, Manifest, With};
use super::{Held, Made, OutputTree, flat_name};
use crate::interrupt;
use crate::options::Overwrite;
use crate::table;

/// The outputs of one input.
#[derive(Debug)]
pub(crate) struct Output<'t> {
    pub(super) tree: &'t OutputTree,
    /// The bytes of the input, which must not shrink in the meantime.
    pub(super) bytes: &'t Bytes<'t>,
    pub(crate) source: PathBuf,
    /// The folder of the input, relative to the root.
    folder: PathBuf,
    /// The start of the names of files beside those of other inputs, relative to the root; `None` if all are in the folder.
    pub(crate) flat: Option<String>,
    /// The same, whether it is used or not.
    pub(crate) stem: Option<String>,
    /// The line of the input in the manifest of the run.
    pub(crate) line: Option<Manifest>,
    /// The folders of its parts.
    pub(crate) folders: PartFolders,
    pub(super) entries: Vec<Entry>,
    pub(crate) made: Made,
    /// Whether what is written is listed.
    pub(crate) lists: bool,
    /// The SHA-256 of the input, computed on first use.
    digest: OnceLock<String>,
    /// The options that the manifest records for each file.
    pub(crate) with: With,
    /// The input whose outputs were in this folder before, if it was a different one.
    pub(crate) replaces: Option<String>,
    /// Maximum number of files, not counting the manifest.
    pub(crate) most: u64,
    /// Number of files requested so far.
    asked: u64,
    /// Whether the error for the maximum number of files has been reported.
    is_full: bool,
    /// Maximum total size of the files in bytes.
    pub(crate) largest: u64,
    /// Total size of the files so far, in bytes.
    bytes_made: u64,
    /// Whether the error for the maximum total size has been reported.
    pub(crate) is_spent: bool,
    /// The files of a branch, which get their names when it is joined; `None` for the whole input.
    held: Option<Vec<Held>>,
    /// The manifest of an earlier run, and what there is of it.
    pub(super) old: Option<Manifest>,
    pub(super) found: Arc<FoundFiles>,
    /// Whether the manifest says already that its files are being replaced.
    is_replacing: bool,
}

impl<'t> Output<'t> {
    pub(crate) fn new(tree: &'t OutputTree, folder: PathBuf, source: &Path, bytes: &'t Bytes<'t>) -> Self {
        Self {
            tree,
            bytes,
            source: source.into(),
            folder,
            flat: None,
            stem: None,
            line: None,
            folders: PartFolders::beside(Manifest::NAME),
            entries: Vec::new(),
            made: Made::default(),
            lists: false,
            digest: OnceLock::new(),
            with: With::default(),
            replaces: None,
            most: u64::MAX,
            asked: 0,
            is_full: false,
            largest: u64::MAX,
            bytes_made: 0,
            is_spent: false,
            held: None,
            old: None,
            found: Arc::default(),
            is_replacing: false,
        }
    }

    /// Returns an output for a part of the input, to write to it on any thread. Until it is [joined](Self::join), nothing
    /// changes in the folder. Folders for its parts are not assigned by it, but by this output.
    pub(crate) fn branch(&self) -> Self {
        let mut branch = Self::new(self.tree, self.folder.clone(), &self.source, self.bytes);
        branch.lists = self.lists;
        branch.with.clone_from(&self.with);
        branch.flat.clone_from(&self.flat);
        // What other branches write is not known yet.
        branch.most = self.room();
        branch.largest = self.largest.saturating_sub(self.bytes_made);
        branch.held = Some(Vec::new());
        branch.found = Arc::clone(&self.found);
        branch
    }

    /// Adds the files of a branch, and gives them their names. Returns those for which that failed.
    ///
    /// Returns `None` if the files would exceed a limit. Nothing is added then: only what is written directly tells the
    /// first file past the limit.
    pub(crate) fn join(&mut self, mut branch: Self) -> Option<Vec<(PathBuf, io::Error)>> {
        let bytes_made = self.bytes_made.saturating_add(branch.bytes_made);
        if self.is_full() || branch.is_full() || branch.asked > self.room() || bytes_made > self.largest {
            return None;
        }
        let mut failed = Vec::new();
        for held in branch.held.as_mut().map(std::mem::take).unwrap_or_default() {
            let path = held.path.clone();
            if let Err(error) = self.release(held) {
                failed.push((path, error));
            }
        }
        for (path, _) in &failed {
            branch.made.listed.retain(|listed| listed.file != table::path(path));
            let lost = branch.entries.extract_if(.., |entry| self.path_of(&entry.file) == *path);
            for entry in lost {
                branch.made.tally.written -= 1;
                branch.made.tally.bytes_written -= entry.size;
            }
        }
        self.asked += branch.asked;
        self.bytes_made = bytes_made;
        self.made.append(std::mem::take(&mut branch.made));
        self.entries.append(&mut branch.entries);
        Some(failed)
    }

    /// Returns whether no more files may be written, which has then been reported.
    pub(crate) const fn is_full(&self) -> bool {
        self.is_full || self.is_spent
    }

    /// Returns how many more files may be written.
    pub(crate) const fn room(&self) -> u64 {
        self.most.saturating_sub(self.asked)
    }

    /// Returns the error for a file past the limit, or `None` if it has already been reported.
    pub(crate) fn refuse(&mut self) -> Option<Error> {
        let what = "the files written for one input";
        let error = Error::Limit { of: Limit::Files, what, need: self.most.saturating_add(1), limit: self.most };
        (!std::mem::replace(&mut self.is_full, true)).then_some(error)
    }

    /// Returns the folder of the input.
    pub(crate) fn folder(&self) -> PathBuf {
        self.tree.root.join(&self.folder)
    }

    /// Returns the folder of the input relative to the output folder, separated by `/`.
    pub(crate) fn below_root(&self) -> String {
        let parts = self.folder.components().map(|part| part.as_os_str().to_string_lossy());
        parts.collect::<Vec<_>>().join("/")
    }

    /// Returns the path of an output relative to the output folder, given its name in the folder of the input.
    pub(crate) fn below_tree(&self, name: &str) -> String {
        let flat = self.flat.as_ref().and_then(|flat| flat_name(flat, name));
        flat.unwrap_or_else(|| format!("{}/{name}", self.below_root()))
    }

    /// Returns the path of an output, given its name in the folder of the input.
    pub(crate) fn path_of(&self, name: &str) -> PathBuf {
        self.tree.root.join(self.below_tree(name))
    }

    /// Returns the length of the input in bytes.
    pub(crate) fn length(&self) -> u64 {
        self.bytes.len() as u64
    }

    pub(crate) fn digest(&self) -> &String {
        self.digest.get_or_init(|| crate::read::digest_of(self.bytes).1)
    }

    /// Writes a file in the folder of the input and lists it. Returns an error if `fill` fails, or if the file cannot be written;
    /// nothing is left behind. Only the first file past a limit is an error, because there can be a million of them; the others are
    /// skipped.
    pub(crate) fn write(&mut self, output: outputs::Output<'_>, fill: Fill<'_>) -> worldview_export::Result<()> {
        if self.is_spent {
            return Ok(());
        }
        interrupt::check()?;
        if self.room() == 0 {
            return self.refuse().map_or(Ok(()), Err);
        }
        self.asked += 1;
        let (limit, before) = (self.largest, self.bytes_made);
        let mut need = before;
        let mut fill = |out: &mut (dyn Write + Send)| {
            let mut measured = Measured { out, limit, need: &mut need };
            let filled = fill(&mut measured);
            let what = "the bytes written for one input";
            if need > limit { Err(Error::Limit { of: Limit::Output, what, need, limit }) } else { filled }
        };
        let outputs::Output { name, of: kind, raw, text, from, .. } = output;
        let path = self.path_of(&name);
        // A file that is kept is described by an earlier manifest.
        let put = self.put(&path, &mut fill);
        self.is_spent = need > limit;
        let Some((size, sha256)) = put? else { return Ok(()) };
        self.bytes_made = need;
        self.made.highlights.add(&path);
        let kept = self.made.edited.last().filter(|(kept, _)| *kept == path);
        let edit = kept.and_then(|_| self.found.get(&path)?.as_ref());
        let of = edit.filter(|edit| edit.of != *self.digest()).map(|edit| edit.of.clone());
        // A file that stays is read back as it was written.
        let (kind, with) = (kind.to_owned(), edit.map_or(&self.with, |edit| &edit.with).clone());
        self.entries.push(Entry { of, file: name, kind, name: text, name_bytes: hex(&raw), from, size, sha256, with });
        Ok(())
    }

    /// Calls `fill` once at most.
    pub(super) fn put(&mut self, path: &Path, fill: Fill<'_>) -> worldview_export::Result<Option<(u64, String)>> {
        let way = path.parent().unwrap_or(&self.tree.root);
        let is_kept = || self.tree.overwrite == Overwrite::Never && fs::symlink_metadata(path).is_ok();
        let edited = self.found.get(path).and_then(|edit| Some(edit.as_ref()?.size));
        let is_real = !self.tree.dry && edited.is_none();
        // An obstacle in the path is only an error if something is written.
        let (is_new, is_way) = if is_real { (self.tree.make_way(way)?, true) } else { (false, self.tree.is_way(way)) };
        if is_way && is_kept() {
            self.made.tally.kept += 1;
            return Ok(None);
        }
        let compares = is_way && !is_new && self.tree.overwrite == Overwrite::Changed;
        let out = if is_real { Comparer::new(path, compares)? } else { Comparer::nowhere(path) };
        let mut out = BufWriter::with_capacity(compare::BUFFER, Hashing::new(out));
        // If the input shrank in the meantime, the output is invalid, and this may also be the reason why writing
        // failed.
        fill(&mut out).or_else(|error| self.bytes.check().map_err(Into::into).and(Err(error)))?;
        let (out, size, sha256) = out.into_inner().map_err(io::IntoInnerError::into_error)?.finish();
        self.bytes.check()?;
        let is_same = |found: (u64, String)| found == (size, sha256.clone());
        match (out.hold()?, edited) {
            (Some(held), _) => {
                match &mut self.held {
                    None => self.release(held)?,
                    Some(all) => all.push(held),
                }
                self.made.wrote(path, size, self.lists);
            }
            (None, _) if is_real || compares && crate::read::digest(path).is_ok_and(is_same) => {
                self.made.tally.unchanged += 1;
            }
            (None, Some(size)) => self.keep(path.into(), size),
            (None, None) => self.made.wrote(path, size, self.lists),
        }
        Ok(Some((size, sha256)))
    }

    /// Gives a file its name.
    fn release(&mut self, held: Held) -> io::Result<()> {
        if !self.is_replacing
            && self.found.contains_key(&held.path)
            && let Some(old) = &self.old
        {
            self.tree.begin_replacing(&self.base(), old, &self.found)?;
            self.is_replacing = true;
        }
        held.release()
    }

    /// Notes that a file stays, because somebody edited it.
    pub(super) fn keep(&mut self, path: PathBuf, size: u64) {
        self.made.tally.edited += 1;
        self.made.edited.push((path, size));
    }
}

/// A file whose size is added to that of all earlier ones.
struct Measured<'m> {
    out: &'m mut (dyn Write + Send),
    limit: u64,
    need: &'m mut u64,
}

impl Write for Measured<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        interrupt::check()?;
        *self.need = self.need.saturating_add(bytes.len() as u64);
        if *self.need > self.limit {
            return Err(io::Error::other("exceeds the limit on all outputs"));
        }
        self.out.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Drop for Output<'_> {
    fn drop(&mut self) {
        if self.held.is_none() {
            self.tree.forget(&self.folder());
        }
    }
}

#[cfg(test)]
mod tests {
    use worldview_export::outputs::OutputKind;

    use super::*;

    fn map() -> outputs::Output<'static> {
        let (name, raw, text) = ("map.tmx".to_owned(), b"x".into(), "x".to_owned());
        outputs::Output { kind: OutputKind::Tmx, name, of: "map", raw, text, from: Vec::new(), size: 0 }
    }

    #[test]
    fn a_file_that_fails_while_it_is_written_leaves_what_was_there() {
        let dir = tempfile::tempdir().unwrap();
        let tree = OutputTree::new(dir.path(), Overwrite::Always, false, || ()).unwrap();
        let bytes = Bytes::from(Vec::new());
        let mut output = Output::new(&tree, "level".into(), Path::new("level"), &bytes);
        output.write(map(), &mut |out| Ok(out.write_all(b"whole")?)).unwrap();
        let failed = output.write(map(), &mut |out| {
            out.write_all(b"half")?;
            Err(io::Error::other("the disk is full").into())
        });
        assert!(failed.is_err());
        let files: Vec<_> = fs::read_dir(dir.path().join("level")).unwrap().map(|it| it.unwrap().file_name()).collect();
        assert_eq!(files, ["map.tmx"]);
        assert_eq!(fs::read(dir.path().join("level/map.tmx")).unwrap(), b"whole");
        assert_eq!((output.made.tally.written, output.made.tally.bytes_written), (1, 5));
    }

    #[test]
    fn a_file_that_would_be_the_same_is_not_touched() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("level").join("map.tmx");
        let long = vec![7; 300_000];
        // The existing bytes, the new bytes, and whether the file is left untouched.
        for (old, new, same) in [
            (&b"abc"[..], &b"abc"[..], true),
            (b"abc", b"abd", false),
            (b"abc", b"ab", false),
            (b"abc", b"abcd", false),
            (b"", b"a", false),
            (b"a", b"", false),
            (&long, &long, true),
            (&long, &long[1..], false),
        ] {
            let tree = OutputTree::new(dir.path(), Overwrite::Changed, false, || ()).unwrap();
            let bytes = Bytes::from(Vec::new());
            let mut output = Output::new(&tree, "level".into(), Path::new("level"), &bytes);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, old).unwrap();
            let before = fs::metadata(&path).unwrap();
            output.write(map(), &mut |out| Ok(out.write_all(new)?)).unwrap();
            assert_eq!(fs::read(&path).unwrap(), new);
            assert_eq!((output.made.tally.unchanged, output.made.tally.written), if same { (1, 0) } else { (0, 1) });
            if same {
                assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), before.modified().unwrap());
            }
        }
    }
}
