//! `manifest.ndjson`, the manifest of a run: a line for each input whose files lie beside those of others, and for merged rows.

use std::collections::{HashMap, HashSet};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::listing::Stale;
use super::manifest::Manifest;
use super::{OutputTree, TopFile};
use crate::report::InputReport;

/// The lines of earlier runs, which are parsed when they are needed.
#[derive(Debug, Default)]
pub(super) struct OldLines {
    lines: Vec<String>,
    /// The folder of each line and the name of its input.
    keys: Vec<(String, String)>,
    by_folder: HashMap<String, usize>,
}

/// What tells a line from the others. That of merged rows has no folder.
#[derive(Deserialize)]
struct Key {
    #[serde(default)]
    folder: String,
    source: String,
    files: Vec<IgnoredAny>,
    #[serde(default)]
    stale: Vec<IgnoredAny>,
}

impl OldLines {
    pub(super) fn read(folder: &Path) -> io::Result<Self> {
        let mut old = Self::default();
        for line in Manifest::lines(folder)? {
            let Ok(Key { folder, source, files, stale }) = serde_json::from_str(&line) else { continue };
            // A line without files only says what became of an input.
            if !files.is_empty() || !stale.is_empty() {
                old.by_folder.insert(folder.clone(), old.lines.len());
            }
            old.keys.push((folder, source));
            old.lines.push(line);
        }
        Ok(old)
    }

    pub(super) fn has_lines(&self) -> bool {
        !self.lines.is_empty()
    }

    /// Returns the line of an input, by its folder.
    pub(super) fn line(&self, folder: &str) -> Option<Manifest> {
        Manifest::parse(self.lines[*self.by_folder.get(folder)?].as_bytes())
    }
}

/// The manifest of this run. It gets its name when it is complete.
pub(crate) struct RunManifest<'t> {
    tree: &'t OutputTree,
    out: BufWriter<TopFile>,
    /// How many inputs of the report have a line.
    inputs: usize,
    /// The folders and inputs of lines, and the files in them.
    folders: HashSet<String>,
    sources: HashSet<String>,
    files: HashSet<String>,
    /// The inputs that have an old line with files.
    known: HashSet<&'t str>,
}

impl<'t> RunManifest<'t> {
    /// # Errors
    ///
    /// Returns an error if the file cannot be created.
    pub(crate) fn new(tree: &'t OutputTree) -> io::Result<Self> {
        let out = BufWriter::with_capacity(1 << 16, tree.begin(Manifest::LINES, true)?);
        let of_files = tree.old.keys.iter().filter(|(folder, _)| !folder.is_empty());
        let known = of_files.map(|(_, source)| &**source).collect();
        let (folders, sources, files) = (HashSet::new(), HashSet::new(), HashSet::new());
        Ok(Self { tree, out, inputs: 0, folders, sources, files, known })
    }

    /// Adds a line.
    pub(crate) fn add(&mut self, manifest: &Manifest) -> io::Result<()> {
        // Of an input without files there is nothing to replace.
        if !manifest.files.is_empty() {
            self.folders.insert(manifest.folder.clone());
            self.files.extend(manifest.files.iter().map(|entry| entry.file.clone()));
        }
        self.sources.insert(manifest.source.clone());
        self.write(manifest)
    }

    fn write(&mut self, manifest: &Manifest) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, manifest)?;
        self.out.write_all(b"\n")
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

    /// Adds the lines of earlier runs that are still valid, and moves the file to its final path. Returns the path, and the size
    /// unless the same file was already there. `is_gone` says which inputs are gone.
    pub(crate) fn finish(
        mut self,
        is_gone: &dyn Fn(&Path, &str) -> bool,
        stale: &mut Stale,
    ) -> io::Result<(PathBuf, Option<u64>)> {
        let old = &self.tree.old;
        for (at, (line, (folder, source))) in old.lines.iter().zip(&old.keys).enumerate() {
            let is_replaced = match (&**folder, &**source) {
                // Without files.
                ("", source) if !source.is_empty() => self.sources.contains(source) || is_gone(Path::new(""), source),
                _ => self.folders.contains(folder) || old.by_folder.get(folder) != Some(&at),
            };
            if is_replaced {
                continue;
            }
            if folder.is_empty() || !is_gone(Path::new(folder), source) {
                writeln!(self.out, "{line}")?;
                continue;
            }
            let Some(mut manifest) = Manifest::parse(line.as_bytes()) else { continue };
            manifest.files.append(&mut manifest.stale);
            manifest.files.retain(|entry| !self.files.contains(&entry.file));
            manifest.files = self.tree.clear(&self.tree.root, manifest.files, stale);
            if !manifest.files.is_empty() {
                self.write(&manifest)?;
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
