//! The outputs of one input: compared with what is there, written whole or not at all, and listed.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};
use worldview::{Bytes, Limit};
use worldview_export::{Error, hex};

use super::compare::{self, Comparer, Written};
use super::hashing::Hashing;
use super::manifest::{self, Entry, Manifest, Origin};
use super::{OutputTree, Taken, Tally};
use crate::args::Overwrite;
use crate::interrupt;
use crate::table;

/// The outputs of one input.
#[derive(Debug)]
pub(crate) struct Output<'t> {
    tree: &'t OutputTree,
    /// The file that they are made of, which must not shrink meanwhile.
    bytes: &'t Bytes<'t>,
    source: PathBuf,
    /// The input's folder below the root.
    folder: PathBuf,
    /// The folders of parts, so that no two are one.
    taken: Taken,
    /// The folder that the last part of each way inside the input got.
    folders: HashMap<PathBuf, String>,
    entries: Vec<Entry>,
    pub(crate) tally: Tally,
    /// Whether what is written is listed.
    pub(crate) lists: bool,
    /// What was written, or would be by a dry run, with its size.
    pub(crate) listed: Vec<(String, u64)>,
    /// The SHA-256 of the input, once somebody has asked for it.
    digest: OnceCell<String>,
    /// Another input whose outputs were in this folder.
    pub(crate) replaces: Option<String>,
    /// How many files there may be, the list of them not counted.
    pub(crate) most: u64,
    /// How many were asked for.
    asked: u64,
    /// Whether it was said that there may be no more.
    is_full: bool,
    /// How many bytes all of them may have.
    pub(crate) largest: u64,
    /// How many they have.
    bytes_made: u64,
    /// Whether it was said that they may have no more.
    is_spent: bool,
}

/// What an output is, for the manifest.
#[derive(Clone, Debug)]
pub(crate) struct Label<'l> {
    pub(crate) kind: &'l str,
    /// The name in the file.
    pub(crate) name: &'l [u8],
    /// The same as text.
    pub(crate) text: String,
    pub(crate) from: Vec<Origin>,
}

impl<'t> Output<'t> {
    pub(crate) fn new(tree: &'t OutputTree, folder: PathBuf, source: &Path, bytes: &'t Bytes<'t>) -> Self {
        let mut taken = Taken::default();
        taken.take(Manifest::NAME.to_owned());
        Self {
            tree,
            bytes,
            source: source.into(),
            folder,
            taken,
            folders: HashMap::new(),
            entries: Vec::new(),
            tally: Tally::default(),
            lists: false,
            listed: Vec::new(),
            digest: OnceCell::new(),
            replaces: None,
            most: u64::MAX,
            asked: 0,
            is_full: false,
            largest: u64::MAX,
            bytes_made: 0,
            is_spent: false,
        }
    }

    /// Whether there may be no more files, which has been said.
    pub(crate) const fn is_full(&self) -> bool {
        self.is_full || self.is_spent
    }

    /// Whether there may be no more bytes, which has been said.
    pub(crate) const fn is_spent(&self) -> bool {
        self.is_spent
    }

    /// How many files there still may be.
    pub(crate) const fn room(&self) -> u64 {
        self.most.saturating_sub(self.asked)
    }

    /// The error of a file past the bound; none if it was told before.
    pub(crate) fn refuse(&mut self) -> Option<Error> {
        let what = "the files that are made of one input";
        let error = Error::Limit { of: Limit::Files, what, need: self.most.saturating_add(1), limit: self.most };
        (!std::mem::replace(&mut self.is_full, true)).then_some(error)
    }

    /// The input's folder.
    pub(crate) fn folder(&self) -> PathBuf {
        self.tree.root.join(&self.folder)
    }

    /// The same below the output folder, with `/`.
    pub(crate) fn below_root(&self) -> String {
        let parts = self.folder.components().map(|part| part.as_os_str().to_string_lossy());
        parts.collect::<Vec<_>>().join("/")
    }

    /// The input's path.
    pub(crate) fn source(&self) -> &Path {
        &self.source
    }

    /// Bytes of the input.
    pub(crate) fn length(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// The files listed so far, by their paths below the input's folder.
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// A folder for a part of the input, by the way to it, as a prefix of file names; the second of one name gets `~2`
    /// behind it. Parts come after the archives that they lie in.
    pub(crate) fn below(&mut self, inside: &Path) -> String {
        let prefix = match (inside.parent(), inside.file_name()) {
            (Some(parent), Some(name)) => {
                let parent = self.folders.get(parent).map_or("", String::as_str);
                format!("{}/", self.taken.take_whole(format!("{parent}{}", name.to_string_lossy())))
            }
            _ => String::new(),
        };
        // The members of an archive have a folder of their own: a nested table that is called so gets another.
        self.taken.take_whole(format!("{prefix}members"));
        self.folders.insert(inside.into(), prefix.clone());
        prefix
    }

    fn digest(&self) -> &String {
        self.digest.get_or_init(|| hex(&Sha256::digest(&self.bytes[..])))
    }

    /// Whether all outputs are there already, made of this input in this way; they then need no doing again.
    pub(crate) fn is_done(&mut self, options: &str) -> bool {
        let folder = self.folder();
        if self.tree.overwrite != Overwrite::Changed || !self.tree.is_way(&folder) {
            return false;
        }
        let Some(manifest) = Manifest::read(&folder) else { return false };
        let is_same = manifest.complete
            && manifest.tool == TOOL
            && manifest.options.iter().any(|done| done == options)
            && manifest.length == self.bytes.len() as u64
            && manifest.sha256 == *self.digest()
            && manifest.files.iter().all(|entry| self.holds(&folder, entry));
        if is_same {
            self.tally.unchanged = manifest.files.len() as u64 + 1;
            self.entries = manifest.files;
        }
        is_same
    }

    /// Whether a file that a list has is there as the list says, in its folder and by no link: anybody can have
    /// written the list.
    fn holds(&self, folder: &Path, entry: &Entry) -> bool {
        let path = folder.join(&entry.file);
        manifest::is_inside(&entry.file)
            && path.parent().is_some_and(|parent| self.tree.is_way(parent))
            && manifest::digest(&path).is_ok_and(|(size, sha256)| size == entry.size && sha256 == entry.sha256)
    }

    /// Writes a file of the input's folder, `name` with `/` between folders, and lists it.
    ///
    /// # Errors
    ///
    /// Those of `fill`, and of the file system. Nothing is left behind then. The first file past a bound is an error, and
    /// the others are passed over: there can be a million of them.
    pub(crate) fn write(
        &mut self,
        name: &str,
        label: Label<'_>,
        fill: impl FnOnce(&mut (dyn Write + Send)) -> worldview_export::Result<()>,
    ) -> worldview_export::Result<()> {
        if self.is_spent {
            return Ok(());
        }
        check_interrupt()?;
        if self.room() == 0 {
            return self.refuse().map_or(Ok(()), Err);
        }
        self.asked += 1;
        let (limit, before) = (self.largest, self.bytes_made);
        let mut need = before;
        let fill = |out: &mut (dyn Write + Send)| {
            let mut measured = Measured { out, limit, need: &mut need };
            let filled = fill(&mut measured);
            let what = "the bytes that are made of one input";
            if need > limit { Err(Error::Limit { of: Limit::Output, what, need, limit }) } else { filled }
        };
        let path = self.folder().join(name);
        let Label { kind, name: raw, text, from } = label;
        // A file that is kept is what an earlier list says.
        let put = self.put(&path, fill);
        self.is_spent = need > limit;
        let Some((size, sha256)) = put? else { return Ok(()) };
        self.bytes_made = need;
        self.entries.push(Entry {
            file: name.to_owned(),
            kind: kind.to_owned(),
            name: text,
            name_bytes: hex(raw),
            from,
            size,
            sha256,
        });
        Ok(())
    }

    fn put(
        &mut self,
        path: &Path,
        fill: impl FnOnce(&mut (dyn Write + Send)) -> worldview_export::Result<()>,
    ) -> worldview_export::Result<Option<(u64, String)>> {
        let way = path.parent().unwrap_or(&self.tree.root);
        let is_kept = || self.tree.overwrite == Overwrite::Never && fs::symlink_metadata(path).is_ok();
        if self.tree.dry {
            // A real run says what is in the way.
            let is_way = self.tree.is_way(way);
            if is_way && is_kept() {
                self.tally.kept += 1;
                return Ok(None);
            }
            let mut out = Hashing::new(io::sink());
            fill(&mut out)?;
            self.bytes.check()?;
            let (_, size, sha256) = out.finish();
            let is_same = |found: (u64, String)| found == (size, sha256.clone());
            if is_way && self.tree.overwrite == Overwrite::Changed && manifest::digest(path).is_ok_and(is_same) {
                self.tally.unchanged += 1;
            } else {
                self.tally.written += 1;
                self.tally.bytes_written += size;
                self.list(path, size);
            }
            return Ok(Some((size, sha256)));
        }
        self.tree.make_way(way)?;
        if is_kept() {
            self.tally.kept += 1;
            return Ok(None);
        }
        let out = Hashing::new(Comparer::new(path, self.tree.overwrite == Overwrite::Changed)?);
        let mut out = BufWriter::with_capacity(compare::BUFFER, out);
        // What was made of a file that shrank meanwhile is made of nothing, and that is why writing it may fail, too.
        fill(&mut out).or_else(|error| self.bytes.check().map_err(Into::into).and(Err(error)))?;
        let (out, size, sha256) = out.into_inner().map_err(io::IntoInnerError::into_error)?.finish();
        self.bytes.check()?;
        match out.finish()? {
            Written::New => {
                self.tally.written += 1;
                self.tally.bytes_written += size;
                self.list(path, size);
            }
            Written::Unchanged => self.tally.unchanged += 1,
        }
        Ok(Some((size, sha256)))
    }

    fn list(&mut self, path: &Path, size: u64) {
        if self.lists {
            self.listed.push((table::path(path), size));
        }
    }

    /// Writes the list of the outputs, if there are any. Outputs of an earlier run that are still there stay listed.
    ///
    /// # Errors
    ///
    /// Those of the file system.
    pub(crate) fn finish(&mut self, options: &str, complete: bool) -> worldview_export::Result<()> {
        if self.entries.is_empty() {
            // Where everything is kept, so is the list.
            let list = self.folder().join(Manifest::NAME);
            self.tally.kept += u64::from(self.tally.kept > 0 && fs::symlink_metadata(list).is_ok());
            return Ok(());
        }
        let sha256 = self.digest().clone();
        let folder = self.folder();
        // What shrank meanwhile has no digest.
        self.bytes.check()?;
        let mut files = std::mem::take(&mut self.entries);
        let old = if self.tree.is_way(&folder) { Manifest::read(&folder) } else { None };
        let source = table::path(&self.source);
        let mut all_options = BTreeSet::from([options.to_owned()]);
        if let Some(other) = old.as_ref().filter(|old| old.source != source && old.sha256 != sha256) {
            self.replaces = Some(other.source.clone());
        }
        if let Some(old) = old.filter(|old| old.sha256 == sha256) {
            // What another run made of the same bytes is as good as then.
            if old.complete && old.tool == TOOL {
                all_options.extend(old.options.iter().cloned());
            }
            let mut seen: HashSet<String> = files.iter().map(|entry| entry.file.clone()).collect();
            seen.insert(Manifest::NAME.to_owned());
            let is_kept = |entry: &Entry| seen.insert(entry.file.clone()) && self.holds(&folder, entry);
            let mut kept = old.files;
            kept.retain(is_kept);
            files.extend(kept);
        }
        let manifest = Manifest {
            manifest: Manifest::VERSION,
            tool: TOOL.to_owned(),
            source,
            length: self.bytes.len() as u64,
            sha256,
            options: all_options.into_iter().collect(),
            // What is kept may be of another input, made in another way.
            complete: complete && self.tally.kept == 0,
            files,
        };
        // The list follows its files, whatever happens to those that were there.
        let path = folder.join(Manifest::NAME);
        let written = if self.tree.overwrite == Overwrite::Never && !self.tree.dry {
            let mut out = Comparer::new(&path, true)?;
            fill_manifest(&manifest, &mut out)?;
            match out.finish()? {
                Written::New => self.tally.written += 1,
                Written::Unchanged => self.tally.unchanged += 1,
            }
            Ok(())
        } else {
            self.put(&path, |out| fill_manifest(&manifest, out)).map(|_| ())
        };
        self.entries = manifest.files;
        written
    }
}

/// A file that counts with all those before it.
struct Measured<'m> {
    out: &'m mut (dyn Write + Send),
    limit: u64,
    need: &'m mut u64,
}

impl Write for Measured<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        check_interrupt()?;
        *self.need = self.need.saturating_add(bytes.len() as u64);
        if *self.need > self.limit {
            return Err(io::Error::other("past the bound on all outputs"));
        }
        self.out.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// An error of the kind that [`crate::outcome`] takes for an interrupted run once Ctrl-C was pressed.
fn check_interrupt() -> io::Result<()> {
    if interrupt::is_interrupted() { Err(io::Error::other("interrupted")) } else { Ok(()) }
}

impl Drop for Output<'_> {
    fn drop(&mut self) {
        self.tree.forget(&self.folder());
    }
}

fn fill_manifest(manifest: &Manifest, mut out: &mut (dyn Write + Send)) -> worldview_export::Result<()> {
    serde_json::to_writer_pretty(&mut out, manifest).map_err(io::Error::from)?;
    Ok(out.write_all(b"\n")?)
}

/// What makes the outputs: the same input may give others in another version.
const TOOL: &str = concat!("worldview ", env!("CARGO_PKG_VERSION"));

#[cfg(test)]
mod tests {
    use super::*;

    fn label() -> Label<'static> {
        Label { kind: "map", name: b"x", text: "x".into(), from: Vec::new() }
    }

    #[test]
    fn a_file_that_fails_while_it_is_written_leaves_what_was_there() {
        let dir = tempfile::tempdir().unwrap();
        let tree = OutputTree::new(dir.path(), Overwrite::Always, false).unwrap();
        let bytes = Bytes::from(Vec::new());
        let mut output = Output::new(&tree, "level".into(), Path::new("level"), &bytes);
        output.write("map.tmx", label(), |out| Ok(out.write_all(b"whole")?)).unwrap();
        let failed = output.write("map.tmx", label(), |out| {
            out.write_all(b"half")?;
            Err(io::Error::other("the disk is full").into())
        });
        assert!(failed.is_err());
        let files: Vec<_> = fs::read_dir(dir.path().join("level")).unwrap().map(|it| it.unwrap().file_name()).collect();
        assert_eq!(files, ["map.tmx"]);
        assert_eq!(fs::read(dir.path().join("level/map.tmx")).unwrap(), b"whole");
        assert_eq!((output.tally.written, output.tally.bytes_written), (1, 5));
    }

    #[test]
    fn a_file_that_would_be_the_same_is_not_touched() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("level").join("map.tmx");
        let long = vec![7; 300_000];
        // What is there, what is written, and whether that leaves it alone.
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
            let tree = OutputTree::new(dir.path(), Overwrite::Changed, false).unwrap();
            let bytes = Bytes::from(Vec::new());
            let mut output = Output::new(&tree, "level".into(), Path::new("level"), &bytes);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, old).unwrap();
            let before = fs::metadata(&path).unwrap();
            output.write("map.tmx", label(), |out| Ok(out.write_all(new)?)).unwrap();
            assert_eq!(fs::read(&path).unwrap(), new);
            assert_eq!((output.tally.unchanged, output.tally.written), if same { (1, 0) } else { (0, 1) });
            if same {
                assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), before.modified().unwrap());
            }
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_the_way_leads_nowhere() {
        let (dir, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::os::unix::fs::symlink(outside.path(), dir.path().join("level")).unwrap();
        fs::write(outside.path().join("victim"), b"theirs").unwrap();
        let bytes = Bytes::from(Vec::new());
        for overwrite in [Overwrite::Always, Overwrite::Changed, Overwrite::Never] {
            let tree = OutputTree::new(dir.path(), overwrite, false).unwrap();
            let mut output = Output::new(&tree, "level".into(), Path::new("level"), &bytes);
            let failed = output.write("map.tmx", label(), |out| Ok(out.write_all(b"ours")?));
            assert!(failed.unwrap_err().to_string().contains("is in the way"), "{overwrite:?}");
            // A link in the place of a file is replaced, and what it leads to stays.
            let mut output = Output::new(&tree, "other".into(), Path::new("other"), &bytes);
            fs::create_dir_all(dir.path().join("other")).unwrap();
            let link = dir.path().join("other/map.tmx");
            let _ = fs::remove_file(&link);
            std::os::unix::fs::symlink(outside.path().join("victim"), &link).unwrap();
            let written = output.write("map.tmx", label(), |out| Ok(out.write_all(b"ours")?));
            // With `never` the link itself stays.
            assert!(written.is_ok());
            assert_eq!(fs::read(outside.path().join("victim")).unwrap(), b"theirs");
        }
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
    }
}
