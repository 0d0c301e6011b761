//! The manifest in the output folder: a line for each input whose files lie beside those of others, and for merged rows. Lines are
//! added as inputs are finished, so that a run goes on where a killed one was; when a run ends, one line of each input is left.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::listing::Stale;
use super::manifest::Manifest;
use super::{Finished, OutputTree, TopFile};
use crate::interrupt;
use crate::read::{Room, SourceKind};
use crate::report::InputReport;

/// The lines of earlier runs that count, which are parsed when they are needed.
#[derive(Debug, Default)]
pub(super) struct OldLines {
    pub(super) lines: Vec<OldLine>,
    /// The lines of inputs whose files lie beside those of others, and of merged rows.
    by_folder: HashMap<String, usize>,
}

/// The key of a line. That of merged rows has no folder.
#[derive(Debug, Deserialize)]
pub(super) struct OldLine {
    #[serde(default)]
    folder: String,
    source: String,
    files: Vec<IgnoredAny>,
    #[serde(default)]
    stale: Vec<IgnoredAny>,
    #[serde(skip)]
    text: String,
}

impl OldLine {
    /// A line without files only has the status of an input.
    fn has_files(&self) -> bool {
        !(self.files.is_empty() && self.stale.is_empty())
    }

    fn is_of_folder(&self) -> bool {
        is_of_folder(&self.folder, &self.source, self.has_files())
    }
}

/// Whether a line is that of the input whose own folder the manifest is in.
pub(super) const fn is_of_folder(folder: &str, source: &str, has_files: bool) -> bool {
    folder.is_empty() && !source.is_empty() && has_files
}

/// Returns the lines of a file in a folder; none if there is no such file. Returns an error if it cannot be read.
pub(super) fn read(folder: &Path, name: &str) -> io::Result<Vec<String>> {
    let path = folder.join(name);
    let is_file = fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_file());
    let bytes = if is_file { Room::default().read(&path, SourceKind::List) } else { Ok(Vec::new()) };
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other));
    let text = text.map_err(|error| io::Error::new(error.kind(), format!("{name}: {error}")))?;
    Ok(text.lines().map(str::to_owned).collect())
}

/// Opens a file, to add lines. Returns `None` if it is a link, which would lead elsewhere.
pub(super) fn open(path: &Path) -> io::Result<Option<File>> {
    if fs::symlink_metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return Ok(None);
    }
    interrupt::at_write();
    let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
    // A line that a killed run has left may have no end.
    let mut last = [b'\n'];
    if file.seek(SeekFrom::End(-1)).is_ok() {
        file.read_exact(&mut last)?;
    }
    if last != [b'\n'] {
        file.write_all(b"\n")?;
    }
    Ok(Some(file))
}

impl OldLines {
    pub(super) fn read(folder: &Path) -> io::Result<Self> {
        let (mut lines, mut folders, mut sources) = (Vec::new(), HashSet::new(), HashSet::new());
        for text in Manifest::lines(folder)?.into_iter().rev() {
            let Ok(line) = serde_json::from_str::<OldLine>(&text) else { continue };
            let line = OldLine { text, ..line };
            let is_last = sources.insert(line.source.clone());
            let counts = match line.has_files() {
                true => folders.insert((line.folder.clone(), line.is_of_folder())),
                false => is_last,
            };
            if counts {
                lines.push(line);
            }
        }
        lines.reverse();
        let of_files = lines.iter().enumerate().filter(|(_, line)| line.has_files() && !line.is_of_folder());
        let by_folder = of_files.map(|(at, line)| (line.folder.clone(), at)).collect();
        Ok(Self { lines, by_folder })
    }

    /// Returns the line of an input, by its folder.
    pub(super) fn line(&self, folder: &str) -> Option<Manifest> {
        Manifest::parse(&self.lines[*self.by_folder.get(folder)?].text)
    }
}

impl Manifest {
    /// Reads the lines of the inputs that have files in a folder, or below it beside those of other inputs, and of merged rows.
    pub(crate) fn read_all(folder: &Path) -> Vec<Self> {
        // Without a manifest, files are what they look like.
        let old = OldLines::read(folder).unwrap_or_default();
        let beside = old.lines.iter().filter(|line| line.has_files() && !line.is_of_folder());
        beside.filter_map(|line| Self::parse(&line.text)).filter(|line| !line.files.is_empty()).collect()
    }

    /// Returns the manifest in a folder with this line in place of that of the input whose own folder it is. Lines of other inputs stay.
    pub(super) fn among_others(&self, folder: &Path) -> io::Result<String> {
        let mut text = String::new();
        for line in OldLines::read(folder)?.lines.iter().filter(|line| !line.is_of_folder()) {
            text.extend([&line.text, "\n"]);
        }
        if self.is_of_folder() {
            text += &self.line()?;
        }
        Ok(text)
    }
}

/// The manifest that there is when this run ends, and that lines are added to until then.
pub(crate) struct RunManifest<'t> {
    tree: &'t OutputTree,
    out: BufWriter<TopFile>,
    /// The manifest of an earlier run, to which lines are added until this run ends.
    appended: Option<File>,
    /// How many inputs of the report have a line.
    inputs: usize,
    /// The folders and inputs of lines, and the files in them.
    folders: HashSet<String>,
    sources: HashSet<String>,
    files: HashSet<String>,
    /// The inputs that have an old line with files.
    known: HashSet<&'t str>,
    /// The old lines, which need not be added.
    lines: HashSet<&'t str>,
}

impl<'t> RunManifest<'t> {
    /// # Errors
    ///
    /// Returns an error if the file cannot be created.
    pub(crate) fn new(tree: &'t OutputTree) -> io::Result<Self> {
        let out = BufWriter::with_capacity(1 << 16, tree.begin(Manifest::NAME, true)?);
        let old = &tree.old.lines;
        let known = old.iter().filter(|line| !line.folder.is_empty()).map(|line| &*line.source).collect();
        let lines = old.iter().map(|line| &*line.text).collect();
        let (folders, sources, files) = (HashSet::new(), HashSet::new(), HashSet::new());
        Ok(Self { tree, out, appended: None, inputs: 0, folders, sources, files, known, lines })
    }

    /// Adds a line.
    pub(crate) fn add(&mut self, manifest: &Manifest) -> io::Result<()> {
        // Of an input without files there is nothing to replace.
        if !manifest.files.is_empty() {
            self.folders.insert(manifest.folder.clone());
            self.files.extend(manifest.files.iter().map(|entry| entry.file.clone()));
        }
        self.sources.insert(manifest.source.clone());
        let line = manifest.line()?;
        if !self.tree.dry && !self.lines.contains(line.trim_end()) {
            interrupt::at_write();
            if self.appended.is_none() {
                self.appended = Manifest::open(&self.tree.root)?;
            }
            self.appended.iter_mut().try_for_each(|file| file.write_all(line.as_bytes()))?;
        }
        self.out.write_all(line.as_bytes())
    }

    /// Adds the last input of a report, and those before it that have no manifest. An old line of such an input stays, as its files do.
    pub(crate) fn add_input(&mut self, report: &[InputReport], manifest: Option<&Manifest>) -> io::Result<()> {
        let end = report.len() - usize::from(manifest.is_some());
        for input in report.get(self.inputs..end).unwrap_or_default() {
            if !self.known.contains(&*input.path) {
                self.add(&Manifest::new(input.clone()))?;
            }
        }
        self.inputs = report.len();
        manifest.map_or(Ok(()), |manifest| self.add(manifest))
    }

    /// Adds the lines of earlier runs that are still valid, and moves the file to its final path. `is_gone` says which
    /// inputs are gone.
    pub(crate) fn finish(mut self, is_gone: &dyn Fn(&Path, &str) -> bool, stale: &mut Stale) -> io::Result<Finished> {
        for line in &self.tree.old.lines {
            let OldLine { folder, source, text, .. } = line;
            let is_replaced = match (line.is_of_folder(), line.has_files()) {
                (true, _) => false,
                (_, true) => self.folders.contains(folder),
                (_, false) => self.sources.contains(source) || is_gone(Path::new(""), source),
            };
            if is_replaced {
                continue;
            }
            if folder.is_empty() || !is_gone(Path::new(folder), source) {
                writeln!(self.out, "{text}")?;
                continue;
            }
            let Some(mut manifest) = Manifest::parse(text) else { continue };
            manifest.files.append(&mut manifest.stale);
            manifest.files.retain(|entry| !self.files.contains(&entry.file));
            manifest.files = self.tree.clear(&self.tree.root, manifest.files, stale);
            if !manifest.files.is_empty() {
                self.out.write_all(manifest.line()?.as_bytes())?;
            }
        }
        // Inputs may have other names than in an earlier run.
        let is_old = |path: &PathBuf| {
            let below = path.strip_prefix(&self.tree.root).unwrap_or(path);
            !below.to_str().is_some_and(|below| self.files.contains(below))
        };
        stale.found.retain(is_old);
        stale.edited.retain(is_old);
        self.out.into_inner().map_err(io::IntoInnerError::into_error)?.finish()
    }
}
