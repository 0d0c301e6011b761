//! The files that paths on the command line lead to, and what is selected in each.

use std::collections::HashMap;
use std::io;
use std::path::{Component, Path, PathBuf, is_separator};
use std::sync::Arc;

use glob::{MatchOptions, Pattern};
use walkdir::{DirEntry, WalkDir};
use worldview::PathError;
use worldview_inspect::{PathPattern, Selection, expand_braces};

use super::last_name;
use crate::only::{self, Term};
use crate::open::names_of;
use crate::output::{EditLog, backup_of};
use crate::table;

/// A file to be processed.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    /// The path as used for opening and in messages; `-` for standard input.
    pub(crate) path: PathBuf,
    /// The source path: the location of the file's outputs relative to the output folder.
    pub(crate) source: PathBuf,
    /// What is selected inside the file; empty if that is everything.
    pub(crate) inside: Vec<Arc<PathPattern>>,
    /// Whether the path was given on the command line rather than found in a folder.
    pub(crate) named: bool,
}

impl Input {
    /// Returns the path as text, including a path that goes on inside the file.
    pub(crate) fn shown(&self) -> String {
        match &self.inside[..] {
            [inside] => format!("{}/{inside}", table::path(&self.path)),
            _ => table::path(&self.path),
        }
    }

    /// Returns what is selected inside the file.
    pub(crate) fn selection(&self) -> Selection<'_> {
        match &self.inside[..] {
            [] => Selection::all(),
            inside => Selection::of(inside.iter().map(Arc::as_ref)),
        }
    }

    /// Returns the path inside the file if that is no pattern; empty for the file itself.
    pub(crate) fn literal(&self) -> Option<worldview::Path> {
        match &self.inside[..] {
            [] => Some(worldview::Path::new()),
            [inside] => inside.path(),
            _ => None,
        }
    }

    /// Returns the names of a path inside the file, separated by `/`, if that is no pattern.
    pub(crate) fn names(&self) -> Option<Vec<u8>> {
        self.literal().map(|path| names_of(&path))
    }
}

/// An item found for a path.
pub(super) enum WalkEvent {
    File(Input),
    Unreadable(PathBuf, io::Error),
    /// A file in a folder that cannot match --only, by its name.
    Unwanted(PathBuf),
    /// The output folder, which is not read.
    Output(PathBuf),
    /// A path that leads nowhere; the name that was not found, and the names in its folder.
    Missing(PathBuf, Option<(String, Vec<String>)>),
}

/// A path on the command line.
#[derive(Debug)]
pub(crate) struct Argument {
    pub(crate) path: PathBuf,
    /// The leading part that exists, as the file system spells it: the whole path, a file, or the folder of a pattern.
    pub(crate) base: PathBuf,
    /// What is behind the base, without a separator before it.
    rest: String,
    /// Whether the rest begins with a pattern in a folder.
    is_glob: bool,
    /// Two entries that differ from a plain name in the path only by their case, if it has more than one.
    pub(crate) alike: Option<[PathBuf; 2]>,
    /// Whether it leads to any number of files: it is a folder, a pattern, or a name that several files have in another case.
    pub(crate) is_many: bool,
    /// What is selected inside of files.
    patterns: Vec<Arc<PathPattern>>,
    /// Whether it leads to a file that an earlier path leads to.
    pub(super) is_shared: bool,
    /// Whether it leads to a whole file.
    pub(super) has_whole: bool,
}

impl Argument {
    /// Splits a path into the leading part that exists and the rest.
    pub(crate) fn of(path: &Path) -> Self {
        let (mut base, rest) = split(path);
        let (mut rest, mut alike) = (rest.to_owned(), None);
        while stdin(path).is_none() && !rest.is_empty() && is_folder(&base) {
            let (first, behind) = first_of(&rest);
            match &*named(&base, first) {
                [one] => (base, rest) = (one.clone(), behind.to_owned()),
                [] => break,
                [one, other, ..] => {
                    alike = Some([one.clone(), other.clone()]);
                    break;
                }
            }
        }
        let is_in_folder = !rest.is_empty() && is_folder(&base) && stdin(path).is_none();
        let is_glob = is_in_folder && is_pattern(&rest);
        let is_many = rest.is_empty() && base.is_dir() || is_glob || alike.is_some();
        Self {
            path: path.into(),
            base,
            rest,
            is_glob,
            alike,
            is_many,
            patterns: Vec::new(),
            is_shared: false,
            has_whole: false,
        }
    }

    /// Returns whether it is a folder.
    pub(super) fn is_folder(&self) -> bool {
        self.is_many && self.rest.is_empty()
    }

    /// Returns the file or folder that it is, unless it goes on behind that.
    pub(super) fn whole(self) -> Option<PathBuf> {
        self.rest.is_empty().then_some(self.base)
    }

    /// Returns whether it leads to a file, a folder or standard input, or is a pattern in a folder.
    pub(crate) fn leads(&self) -> bool {
        self.rest.is_empty() || stdin(&self.path).is_some() || self.is_many || !is_folder(&self.base)
    }

    /// Returns the patterns that nothing in any file matched.
    pub(super) fn unmatched(&self) -> impl Iterator<Item = &PathPattern> {
        self.patterns.iter().map(Arc::as_ref).filter(|pattern| !pattern.is_found())
    }
}

/// The files of all paths, each once, in the order in which the paths lead to them.
#[derive(Default)]
pub(super) struct Files {
    pub(super) arguments: Vec<Argument>,
    /// What was found, and the number of the first path that led to it.
    pub(super) events: Vec<(WalkEvent, usize)>,
}

impl Files {
    /// Finds the files of paths. The folder `exclude` below them is skipped.
    ///
    /// # Errors
    ///
    /// Returns the path that is not a valid pattern, and the reason.
    pub(super) fn of(
        paths: &[impl AsRef<Path>],
        exclude: Option<&Path>,
        terms: &[Term],
    ) -> Result<Self, (PathBuf, String)> {
        let (mut files, mut places) = (Self::default(), HashMap::<PathBuf, usize>::new());
        for (number, path) in paths.iter().enumerate() {
            let mut found = Found::new(exclude, Argument::of(path.as_ref()));
            found.walk().map_err(|why| (path.as_ref().to_path_buf(), why))?;
            for event in found.events {
                let WalkEvent::File(input) = event else {
                    files.events.push((event, number));
                    continue;
                };
                let key = input.path.components().filter(|part| *part != Component::CurDir).collect();
                let place = *places.entry(key).or_insert(files.events.len());
                match files.events.get_mut(place) {
                    Some((WalkEvent::File(known), _)) => {
                        found.argument.is_shared = true;
                        known.add(input);
                    }
                    Some(_) => found.argument.is_shared = true,
                    None if input.named || only::may_want(terms, &last_name(&input.path)) => {
                        files.events.push((WalkEvent::File(input), number));
                    }
                    None => files.events.push((WalkEvent::Unwanted(input.path), number)),
                }
            }
            files.arguments.push(found.argument);
        }
        Ok(files)
    }

    /// Returns how many files there are.
    pub(super) fn count(&self) -> u64 {
        self.events.iter().filter(|event| matches!(event, (WalkEvent::File(_), _))).count() as u64
    }
}

impl Input {
    /// Adds what another path selects in the same file.
    fn add(&mut self, other: Self) {
        self.named |= other.named;
        match self.inside.is_empty() || other.inside.is_empty() {
            true => {
                // Everything is selected, so these patterns need no match of their own.
                self.inside.drain(..).chain(other.inside).for_each(|pattern| pattern.mark_found());
            }
            false => self.inside.extend(other.inside),
        }
    }
}

/// Returns whether a text contains a wildcard, or a brace that nothing escapes.
pub(super) fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '[']) || expand_braces(text, HAS_ESCAPES).is_ok_and(|texts| texts != [text])
}

/// Whether a backslash escapes in the names of folders and files. On Windows it separates them.
const HAS_ESCAPES: bool = !cfg!(windows);

/// Returns a name in a folder without the escapes of braces and commas.
fn unescaped(name: &str) -> String {
    let (mut out, mut chars) = (String::new(), name.chars());
    while let Some(char) = chars.next() {
        let escaped = if HAS_ESCAPES && char == '\\' { chars.next() } else { None };
        if !matches!(escaped, Some('{' | '}' | ',')) {
            out.push(char);
        }
        out.extend(escaped);
    }
    out
}

/// Splits a path at its first separator.
fn first_of(path: &str) -> (&str, &str) {
    let (first, behind) = path.split_once(is_separator).unwrap_or((path, ""));
    (first, behind.trim_start_matches(is_separator))
}

/// Returns what has exactly this name in a folder, or else all that has it in another case; nothing for a pattern.
fn named(folder: &Path, name: &str) -> Vec<PathBuf> {
    if is_pattern(name) {
        return Vec::new();
    }
    let name = unescaped(name);
    let exact = joined(folder, name.as_ref());
    if exact.exists() {
        return vec![exact];
    }
    // A folder that cannot be read is reported when it is searched.
    let entries = entries(folder).filter_map(Result::ok);
    let is_it = |entry: &DirEntry| entry.file_name().eq_ignore_ascii_case(&name);
    entries.filter(is_it).map(|entry| joined(folder, entry.file_name())).collect()
}

/// Returns the path inside of standard input, if a path begins with that: `-/…`, or `./-/…`, which is no option.
fn stdin(path: &Path) -> Option<&str> {
    let text = path.to_str()?;
    let inside = text.strip_prefix("./").unwrap_or(text).strip_prefix('-')?;
    let inside = if inside.is_empty() { Some("") } else { inside.strip_prefix('/') };
    inside.filter(|_| !path.exists())
}

/// Returns whether the part of a path before a pattern is a folder. That of a pattern in the current folder is empty.
fn is_folder(base: &Path) -> bool {
    base.as_os_str().is_empty() || base.is_dir()
}

/// Splits a path into the longest leading part that exists, and the rest, without a separator between them.
fn split(path: &Path) -> (PathBuf, &str) {
    let Some(text) = path.to_str().filter(|_| !path.exists()) else { return (path.into(), "") };
    let ends = text.rmatch_indices(is_separator).map(|(at, _)| {
        // The separator belongs to a root.
        let is_root = text[..at].is_empty() || text[..at].ends_with(':');
        (&text[..at + usize::from(is_root)], text[at + 1..].trim_start_matches(is_separator))
    });
    let found = ends.into_iter().find(|(base, _)| Path::new(base).exists());
    found.map_or_else(|| (PathBuf::new(), text), |(base, rest)| (base.into(), rest))
}

/// The files of one path.
struct Found<'f> {
    exclude: Option<&'f Path>,
    argument: Argument,
    events: Vec<WalkEvent>,
    /// The first name in a folder that nothing matches, and the names that are there.
    unmatched: Option<(String, Vec<String>)>,
}

impl<'f> Found<'f> {
    fn new(exclude: Option<&'f Path>, argument: Argument) -> Self {
        Self { exclude, argument, events: Vec::new(), unmatched: None }
    }

    fn walk(&mut self) -> Result<(), String> {
        let Argument { path, base, rest, .. } = &self.argument;
        let (path, base, rest) = (path.clone(), base.clone(), rest.clone());
        if let Some(inside) = stdin(&path) {
            let inside = self.patterns(inside)?;
            self.file("-".into(), "stdin".into(), inside, true);
        } else if !is_folder(&base) || base.as_os_str().is_empty() && rest.is_empty() {
            let inside = self.patterns(&rest)?;
            let source = source_of(&base);
            self.file(base, source, inside, true);
        } else if rest.is_empty() {
            self.folder(&base);
        } else {
            for text in expand_braces(&rest, HAS_ESCAPES)? {
                self.pattern(&base, &text)?;
            }
            if self.events.is_empty() {
                let unmatched = self.unmatched.take();
                self.events.push(WalkEvent::Missing(path, unmatched));
            }
        }
        Ok(())
    }

    /// Parses the path inside of a file.
    fn patterns(&mut self, text: &str) -> Result<Vec<Arc<PathPattern>>, String> {
        if text.is_empty() {
            return Ok(Vec::new());
        }
        expand_braces(text, true)?.iter().map(|text| self.parsed(text)).collect()
    }

    /// Returns the pattern of a text, which is the same for all files.
    fn parsed(&mut self, text: &str) -> Result<Arc<PathPattern>, String> {
        let pattern: PathPattern = text.parse().map_err(|error: PathError| error.to_string())?;
        let known = self.argument.patterns.iter().find(|known| known.to_string() == pattern.to_string());
        let pattern = known.cloned().unwrap_or_else(|| Arc::new(pattern));
        if known.is_none() {
            self.argument.patterns.push(Arc::clone(&pattern));
        }
        Ok(pattern)
    }

    fn file(&mut self, path: PathBuf, source: PathBuf, inside: Vec<Arc<PathPattern>>, named: bool) {
        self.argument.has_whole |= inside.is_empty();
        self.events.push(WalkEvent::File(Input { path, source, inside, named }));
    }

    /// Matches the rest of a pattern in a folder.
    fn pattern(&mut self, folder: &Path, rest: &str) -> Result<(), String> {
        if rest.is_empty() {
            self.folder(if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
            return Ok(());
        }
        let (first, behind) = first_of(rest);
        if first == "**" {
            // No folder, or any folder with the same pattern inside of it.
            self.pattern(folder, if behind.is_empty() { "*" } else { behind })?;
            for entry in self.entries(folder) {
                let path = joined(folder, entry.file_name());
                if entry.file_type().is_dir() && !self.is_output(&path) {
                    self.pattern(&path, rest)?;
                }
            }
            return Ok(());
        }
        match first {
            "" | "." => return self.pattern(folder, behind),
            // What is found would not be below the base.
            ".." => return Err("`..` can only be before patterns and braces".to_owned()),
            _ => {}
        }
        for path in self.matching(folder, first)? {
            if path.is_dir() {
                match behind.is_empty() {
                    true if !first.contains(['*', '?', '[']) => self.folder(&path),
                    // What a pattern matches is not searched.
                    true => {}
                    false if self.is_output(&path) => {}
                    false => self.pattern(&path, behind)?,
                }
            } else if path.is_file() && !(self.argument.is_glob && is_of_edits(&path)) {
                // Pipes are not opened, because that would wait for a writer.
                // The braces are expanded.
                let inside = if behind.is_empty() { Vec::new() } else { vec![self.parsed(behind)?] };
                // Keep all components, so that matches with the same name in different folders get different output folders.
                let normal = || path.components().filter(|part| matches!(part, Component::Normal(_))).collect();
                let source = if self.argument.is_glob { normal() } else { source_of(&path) };
                self.file(path, source, inside, !self.argument.is_glob);
            }
        }
        Ok(())
    }

    /// Returns what matches one name in a folder: what is called exactly so, or else all that is in another case.
    fn matching(&mut self, folder: &Path, name: &str) -> Result<Vec<PathBuf>, String> {
        let name = unescaped(name);
        let exact = joined(folder, name.as_ref());
        if exact.exists() {
            return Ok(vec![exact]);
        }
        let pattern = Pattern::new(&name).map_err(|error| error.to_string())?;
        let options = MatchOptions { case_sensitive: false, ..MatchOptions::new() };
        let entries = self.entries(folder);
        let matched =
            entries.iter().filter(|entry| pattern.matches_with(&entry.file_name().to_string_lossy(), options));
        let matched: Vec<_> = matched.map(|entry| joined(folder, entry.file_name())).collect();
        if matched.is_empty() && self.unmatched.is_none() {
            let names = entries.iter().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
            self.unmatched = Some((name, names));
        }
        Ok(matched)
    }

    /// Returns what is in a folder, in the order of the names. What cannot be read is reported, once.
    fn entries(&mut self, folder: &Path) -> Vec<DirEntry> {
        let mut found = Vec::new();
        for entry in entries(folder) {
            match entry {
                Ok(entry) => found.push(entry),
                Err(error) => {
                    let at = error.path().unwrap_or(folder).to_path_buf();
                    let is_it = |event: &WalkEvent| matches!(event, WalkEvent::Unreadable(path, _) if *path == at);
                    if !self.events.iter().any(is_it) {
                        self.events.push(WalkEvent::Unreadable(at, error.into()));
                    }
                }
            }
        }
        found
    }

    /// Returns whether a folder is that of the outputs. If the inputs are in it as well, they cannot be distinguished.
    fn is_output(&self, folder: &Path) -> bool {
        let Some(exclude) = self.exclude else { return false };
        // Resolving links is expensive, so only folders of this name are resolved.
        folder.file_name() == exclude.file_name()
            && folder.canonicalize().is_ok_and(|folder| folder == exclude)
            && !self.argument.base.canonicalize().is_ok_and(|base| base.starts_with(exclude))
    }

    /// Finds all files in a folder, in the order of their names.
    fn folder(&mut self, root: &Path) {
        // A pattern expanded by the shell may include the output folder.
        if self.exclude.is_some_and(|exclude| root.canonicalize().is_ok_and(|root| root == exclude)) {
            self.events.push(WalkEvent::Output(root.into()));
            return;
        }
        // The last name of the path. `.`, `..` and a root have none, so their contents are at the top level of the output.
        let name = root.components().next_back().and_then(|last| match last {
            Component::Normal(name) => Some(PathBuf::from(name)),
            _ => None,
        });
        let base = name.unwrap_or_default();
        let (exclude, mut found) = (self.exclude, Vec::new());
        let is_searched = |entry: &DirEntry| {
            let Some(exclude) = exclude else { return true };
            // Resolving links is expensive, so only folders of this name are resolved.
            let may_be =
                entry.depth() > 0 && entry.file_type().is_dir() && Some(entry.file_name()) == exclude.file_name();
            !may_be || entry.path().canonicalize().is_ok_and(|path| path != exclude)
        };
        for entry in WalkDir::new(root).sort_by_file_name().into_iter().filter_entry(is_searched) {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    let at = error.path().unwrap_or(root).to_path_buf();
                    found.push(WalkEvent::Unreadable(at, error.into()));
                    continue;
                }
            };
            // Links to files are followed, links to folders are not. Pipes and devices are ignored.
            let is_file = entry.file_type().is_file() || (entry.path_is_symlink() && entry.path().is_file());
            if is_file && !is_of_edits(entry.path()) {
                let (path, inside) = (entry.path().to_path_buf(), Vec::new());
                let source = base.join(path.strip_prefix(root).unwrap_or(&path));
                found.push(WalkEvent::File(Input { path, source, inside, named: false }));
            }
        }
        self.argument.has_whole = true;
        self.events.append(&mut found);
    }
}

fn entries(folder: &Path) -> walkdir::IntoIter {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    WalkDir::new(folder).min_depth(1).max_depth(1).sort_by_file_name().into_iter()
}

/// Returns where the outputs of a named file go.
fn source_of(path: &Path) -> PathBuf {
    path.file_name().map_or_else(|| "input".into(), PathBuf::from)
}

fn joined(folder: &Path, name: &std::ffi::OsStr) -> PathBuf {
    if folder.as_os_str().is_empty() { name.into() } else { folder.join(name) }
}

/// Returns whether a file is what edits left: their log, or a backup beside its file. Only a named one is read.
fn is_of_edits(path: &Path) -> bool {
    if path.ends_with(EditLog::NAME) {
        return true;
    }
    let name = path.file_name().and_then(|name| name.to_str());
    let original =
        name.and_then(|name| backup_of(name.as_bytes())).and_then(|(name, _)| std::str::from_utf8(name).ok());
    original.is_some_and(|original| path.with_file_name(original).is_file())
}
