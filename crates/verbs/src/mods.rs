//! Changes files, with the files beside them, and mods: changes of many files in one file, with a line about the mod and a
//! line of JSON for each file.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use walkdir::WalkDir;
use worldview::excerpt;
use worldview_edit::{Changes, EditError};

use crate::inputs::{self, has_extension};
use crate::options::Replace;
use crate::output::Target;
use crate::read::{Room, SourceKind, check_inside, decode, is_inside};
use crate::table;

/// The suffix of changes files in folders, after the name of the file that they are for.
pub(crate) const SUFFIX: &str = ".changes.json";

/// The suffix of the folder beside a changes file that holds its large values.
const SIDE_SUFFIX: &str = ".changes.files";

/// The extension of mods.
const EXTENSION: &str = "ndjson";

/// The version of the format.
const VERSION: u32 = 1;

/// Reads a changes file, or standard input for `-`, and the files beside it that it names. Returns an error if a file
/// cannot be read, is too large, or is outside the folder, or if the changes are malformed.
pub(crate) fn read_changes(path: &Path, room: &Room) -> Result<Changes, EditError> {
    let failed = |error: io::Error| EditError::malformed(None, error.to_string());
    let json = room.read_or_stdin(path, SourceKind::Changes).map_err(failed)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    Changes::from_json_with_files(decode(&json).as_bytes(), &mut |name| match is_inside(name) {
        true => room.read_in(folder, &folder.join(name), SourceKind::Data),
        false => Err(io::Error::other("leads out of the folder of the changes")),
    })
}

/// Returns whether a path leads into a folder of large values beside a changes file.
pub(crate) fn is_side_file(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str().to_str().is_some_and(|name| name.ends_with(SIDE_SUFFIX)))
}

/// Writes a changes file with large values in files beside it. `named` is the path that the user gave: that of the file, or of the
/// folder that it is in.
pub(crate) fn write_changes(path: &Path, named: &Path, changes: &Changes, replace: Replace) -> io::Result<()> {
    let target = Target::of(path, named, &[], replace)?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let folder = format!("{}.files", name.strip_suffix(".json").unwrap_or(&name));
    let (json, files) = changes.to_json_with_files(&folder).map_err(io::Error::other)?;
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    for (name, bytes) in files {
        let beside = Target::of(&parent.join(name), parent, &[], Replace::Always)?;
        beside.write(&mut io::stdout(), |out| out.write_all(&bytes))?;
    }
    target.write(&mut io::stdout(), |out| out.write_all(json.as_bytes()))
}

/// The first line of a mod.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Head {
    worldview_mod: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    about: Option<String>,
}

impl Head {
    /// Returns the head of a mod with this description.
    pub(crate) const fn new(about: String) -> Self {
        Self { worldview_mod: VERSION, about: Some(about) }
    }

    /// Returns the head of two merged mods.
    pub(crate) fn and(self, other: Self) -> Self {
        let about = match (self.about, other.about) {
            (Some(one), Some(other)) if one != other => Some(format!("{one}; {other}")),
            (one, other) => one.or(other),
        };
        Self { worldview_mod: VERSION, about }
    }
}

impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&excerpt(self.about.as_deref().unwrap_or("a mod")))
    }
}

/// The changes of a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct ModFile {
    pub(crate) changes: Changes,
    /// The size and SHA-256 of the file that they were made for.
    pub(crate) original: Option<(u64, String)>,
    /// The head of the mod, if the file is edited on its own.
    pub(crate) head: Option<Head>,
}

/// A mod: the changes by the relative paths of their files.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mod {
    pub(crate) head: Option<Head>,
    pub(crate) files: BTreeMap<PathBuf, ModFile>,
}

/// The line of a file, in a mod or in a dry run.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Line {
    pub(crate) path: String,
    /// The size and SHA-256 of the original.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) size: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) sha256: Option<String>,
    /// The size of the file after the edit, in a dry run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) new_size: Option<u64>,
    pub(crate) changes: serde_json::Value,
}

impl Line {
    /// Returns the line with these changes as text, including the line break.
    pub(crate) fn with(self, changes: &Changes) -> Result<String, EditError> {
        let malformed = |error: serde_json::Error| EditError::malformed(None, error.to_string());
        let mut document: serde_json::Value = serde_json::from_str(&changes.to_json()?).map_err(malformed)?;
        let line = Self { changes: document["changes"].take(), ..self };
        Ok(serde_json::to_string(&line).map_err(malformed)? + "\n")
    }
}

impl From<Changes> for Mod {
    /// A list of changes is a mod of a single file without a name.
    fn from(changes: Changes) -> Self {
        let file = ModFile { changes, ..ModFile::default() };
        Self { files: [(PathBuf::new(), file)].into(), ..Self::default() }
    }
}

impl Mod {
    /// Returns the changes of a mod that was made from a list of changes.
    pub(crate) fn list(&self) -> Option<&Changes> {
        self.files.get(Path::new("")).map(|file| &file.changes)
    }

    /// Returns whether a path is that of a mod: a file with a line per file, or a folder of changes files.
    pub(crate) fn is_at(path: &Path) -> bool {
        path.is_dir() || Self::is_named(path)
    }

    /// Returns whether a file is named like a mod.
    pub(crate) fn is_named(path: &Path) -> bool {
        has_extension(path, EXTENSION)
    }

    /// Reads a mod, or standard input for `-`. Returns `None` if it is not a mod, and an error with the line number if a line is
    /// malformed, if a file has two lines, or if a path does not lead to a file in the folder.
    pub(crate) fn read(path: &Path, room: &Room) -> Option<Result<Self, EditError>> {
        if path.is_dir() {
            return Some(Self::of_folder(path, room));
        }
        if !Self::is_named(path) && path.as_os_str() != "-" {
            return None;
        }
        let failed = |error: io::Error| EditError::malformed(None, error.to_string());
        match room.read_or_stdin(path, SourceKind::Changes).map_err(failed) {
            Ok(bytes) => Self::parse(&decode(&bytes)).transpose(),
            Err(error) => Some(Err(error)),
        }
    }

    fn parse(text: &str) -> Result<Option<Self>, EditError> {
        let mut all = Self::default();
        let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
        for (number, line) in lines {
            let malformed = |why: String| EditError::malformed(Some(number), why);
            if all.files.is_empty() && all.head.is_none() && line.contains("\"worldview_mod\"") {
                let head: Head = serde_json::from_str(line).map_err(|error| malformed(error.to_string()))?;
                if head.worldview_mod != VERSION {
                    let why = format!("expected version {VERSION} of a mod, found {}", head.worldview_mod);
                    return Err(malformed(why));
                }
                all.head = Some(head);
                continue;
            }
            let is_ours = all.head.is_some() || !all.files.is_empty() || line.contains("\"changes\"");
            if !is_ours {
                return Ok(None);
            }
            let line: Line = serde_json::from_str(line).map_err(|error| malformed(error.to_string()))?;
            check_inside(&line.path).map_err(malformed)?;
            let list = serde_json::json!({ "worldview_changes": 1, "changes": line.changes }).to_string();
            let changes = Changes::from_json(list.as_bytes()).map_err(|error| malformed(error.to_string()))?;
            let file = ModFile { changes, original: line.size.zip(line.sha256), head: None };
            if all.files.insert(line.path.clone().into(), file).is_some() {
                return Err(malformed(format!("there are two lines for the file {}", excerpt(&line.path))));
            }
        }
        Ok((all.head.is_some() || !all.files.is_empty()).then_some(all))
    }

    /// Reads the changes files in a folder.
    fn of_folder(folder: &Path, room: &Room) -> Result<Self, EditError> {
        let mut all = Self::default();
        for entry in WalkDir::new(folder).sort_by_file_name() {
            let entry = entry.map_err(|error| EditError::malformed(None, error.to_string()))?;
            let below = entry.path().strip_prefix(folder).unwrap_or(entry.path());
            if let Some(key) = below.to_str().and_then(|below| below.strip_suffix(SUFFIX)) {
                check_inside(key).map_err(|why| EditError::malformed(None, why))?;
                let changes = read_changes(entry.path(), room)?;
                all.files.insert(key.into(), ModFile { changes, ..ModFile::default() });
            }
        }
        if all.files.is_empty() {
            return Err(EditError::malformed(None, format!("contains no NAME{SUFFIX}")));
        }
        Ok(all)
    }

    /// Returns the mod as lines.
    pub(crate) fn to_lines(&self) -> Result<String, EditError> {
        let mut out = String::new();
        if let Some(head) = &self.head {
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{}", serde_json::json!(head));
        }
        for (path, file) in &self.files {
            let (size, sha256) = file.original.clone().unzip();
            let line = Line { path: table::path(path), size, sha256, ..Line::default() };
            out.push_str(&line.with(&file.changes)?);
        }
        Ok(out)
    }
}

/// Returns the item for an input: the one with its source path, or else the only one with its file name.
pub(crate) fn for_input<T>(mut files: BTreeMap<PathBuf, T>, input: &inputs::Input) -> Result<T, String> {
    let name = inputs::last_name(&input.path);
    let mut same = files.keys().filter(|file| inputs::last_name(file) == name);
    let found = if files.contains_key(&input.source) { Some(&input.source) } else { same.next() };
    let Some(found) = found.cloned() else { return Err(format!("has no changes for {name}")) };
    if found != input.source && same.next().is_some() {
        return Err(format!("has changes for several files named {name}; apply it to their folder"));
    }
    files.remove(&found).ok_or_else(|| format!("has no changes for {name}"))
}

/// Returns the archive whose member a file replaces: in mods, `_NAME/MEMBER` replaces MEMBER of the archive NAME.
pub(crate) fn archive_of(file: &Path) -> Option<PathBuf> {
    let folder = file.parent()?;
    let name = folder.file_name()?.to_str()?.strip_prefix('_')?;
    Some(folder.with_file_name(name))
}
