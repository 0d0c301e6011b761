//! Where changes come from: files of changes, and edited exports.

mod world;

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};
use walkdir::WalkDir;
use worldview::account::{self, Code, Column};
use worldview::{Asset, Format, OpenError, Opened, codes};
use worldview_edit::{Change, Changes, EditError, EditErrorKind, Planned, Position, Value};
use worldview_export::table::label;
use worldview_export::{Encoding, hex};
use worldview_import::{csv, json, members, tiled};

use crate::changes::{self, SUFFIX, bounded};
use crate::inputs::{self, Input};
use crate::output::{Entry, Manifest, With, digest, is_inside};
use crate::table;
use crate::text;
use crate::verbs::edit::{Original, unpacker};

/// Maximum size of an edited export.
const MAX_SIZE: u64 = 1 << 30;

codes! {
    /// The codes of files of an edited export.
    pub(crate) SOURCES {
        NOT_APPLICABLE = "not-applicable": "the file shows something of the input, and edits of it cannot be applied",
        NOT_OF_EXPORT = "not-of-the-export": "the export did not write this file; it is applied only if it is named",
        LEADS_OUT = "leads-out": "a link in the folder of an export leads out of it",
    }
}

/// How edited exports are applied.
#[derive(Clone, Copy)]
pub(super) struct Rules {
    /// Whether records and objects that a sheet does not mention are removed.
    pub(super) remove_missing: bool,
}

/// A source of changes for one file.
pub(super) enum Source {
    /// A file of changes.
    Changes(PathBuf),
    /// What an export wrote for the file: the folder with the manifest, and the folder or file in it that is applied.
    Export { folder: PathBuf, part: PathBuf },
    /// An edited export without a manifest.
    Alone(PathBuf),
}

/// An edited export.
struct Edited<'e> {
    kind: Kind,
    /// The name of the file, or of the archive member that it holds.
    name: String,
    bytes: Vec<u8>,
    /// The options that the manifest records.
    with: &'e With,
    /// What the manifest says about the file.
    entry: Option<&'e Entry>,
    rules: Rules,
}

/// The kind of an export, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Csv,
    Json,
    Ndjson,
    Tmx,
    Tmj,
    Png,
    Glb,
    Member,
}

impl Kind {
    fn of(path: &Path) -> Option<Self> {
        let folder = path.parent().and_then(Path::file_name);
        if folder.is_some_and(|folder| folder == MEMBERS) {
            return Some(Self::Member);
        }
        Some(match &*path.extension()?.to_ascii_lowercase().to_string_lossy() {
            "csv" => Self::Csv,
            "json" => Self::Json,
            "ndjson" => Self::Ndjson,
            "tmx" => Self::Tmx,
            "tmj" => Self::Tmj,
            "png" => Self::Png,
            "glb" => Self::Glb,
            _ => return None,
        })
    }
}

/// The folder of an archive's members in its export.
const MEMBERS: &str = "members";

/// Finds the changes between an export of the original and its edited form. Their paths begin at the part of the original that was
/// exported.
fn plan(original: &Opened<'_, '_>, edited: &Edited<'_>) -> Result<Planned, EditError> {
    let Edited { kind, name, bytes, with, entry, rules } = edited;
    if *kind == Kind::Member
        && let Some(changes) = game_file(original, edited)
    {
        return Ok(changes.into());
    }
    let encoding = match with.encoding.as_deref() {
        Some("windows-1250") => Encoding::Windows1250,
        _ => Encoding::Windows1252,
    };
    let removes = rules.remove_missing;
    let sheet = csv::Options::default().safe(with.csv_safe).encoding(encoding).remove_missing(removes);
    let is_attributes = is_attributes(*kind, bytes);
    match (*kind, original.asset) {
        (Kind::Member, Asset::Archive(archive)) => {
            members::members(archive, [(name.as_bytes(), bytes.as_slice())], &members::Options::default())
        }
        (Kind::Csv | Kind::Ndjson, Asset::Table(_)) if name.starts_with("arrays") => {
            Err(unsupported("arrays of texts are edited through the fields of records, in records.csv"))
        }
        (Kind::Csv, Asset::Table(table)) => csv::records(table, bytes, &sheet),
        (Kind::Json, Asset::Table(table)) => json::table(table, bytes, removes),
        (Kind::Ndjson, Asset::Table(table)) => json::records(table, bytes, removes),
        (Kind::Csv, Asset::Level(level, _)) if is_attributes => csv::attributes(level, bytes, &sheet),
        (Kind::Csv, Asset::Level(level, _)) => csv::objects(level, bytes, &sheet),
        (Kind::Json, Asset::Level(level, file)) => json::level(file, level, bytes, encoding),
        (Kind::Ndjson, Asset::Level(level, file)) if is_attributes => json::attributes(file, level, bytes, encoding),
        (Kind::Ndjson, Asset::Level(level, file)) => json::objects(file, level, bytes, encoding, removes),
        (Kind::Tmx | Kind::Tmj, Asset::Level(level, _)) => tiled::level(level, bytes, encoding),
        (Kind::Png | Kind::Glb, ref asset) => world::plan(asset, *entry, bytes),
        _ => Err(not_applicable()),
    }
}

/// Whether a sheet or a file of lines is about tile attributes, which have a frame, or about objects.
fn is_attributes(kind: Kind, bytes: &[u8]) -> bool {
    let text = text::decode(bytes.get(..1 << 12).unwrap_or(bytes));
    let Some(first) = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with("sep=")) else {
        return false;
    };
    let names: Vec<&str> = match kind {
        Kind::Csv => first.split([',', ';', '\t']).map(|name| name.trim_matches('"')).collect(),
        Kind::Ndjson => first.split('"').collect(),
        _ => return false,
    };
    names.contains(&"frame") && !names.contains(&"object")
}

/// Returns the changes of a file in a REZ archive, or of a new one in a directory of it.
fn game_file(original: &Opened<'_, '_>, edited: &Edited<'_>) -> Option<Changes> {
    let change = match (original.file, original.asset) {
        (Some(file), _) if file.data() == edited.bytes => return Some(Changes::new()),
        (Some(file), _) => {
            let from = Some(Value::Bytes(file.data().to_vec()));
            Change::Set { path: worldview::Path::new(), from, to: Value::Bytes(edited.bytes.clone()) }
        }
        (None, Asset::Rez(_)) => {
            let mut path = worldview::Path::new();
            path.push_name(edited.name.as_bytes());
            let (position, data) = (Position::Natural, Some(Value::Bytes(edited.bytes.clone())));
            Change::Add { path, like: None, position, fields: Vec::new(), data }
        }
        _ => return None,
    };
    Some([change].into_iter().collect())
}

/// The error about a file that shows something of the input.
fn not_applicable() -> EditError {
    EditError::refused(&worldview::Path::new(), NOT_APPLICABLE, "nothing of this kind can be applied to the input")
}

/// What is said about files that are neither changes nor exports.
const UNKNOWN: &str = "is neither a file of changes nor an edited export that can be applied";

impl Source {
    /// Returns the source that a path is for a file.
    pub(super) fn of_file(path: &Path, input: &Input) -> Result<Self, String> {
        let metadata = fs::metadata(path).map_err(|error| error.to_string())?;
        if !metadata.is_dir() {
            // A pipe can be read only once, and only changes come from one.
            if !metadata.is_file() || is_changes(path) {
                return Ok(Self::Changes(path.into()));
            }
            // Members have any name.
            if let Some(source) = exported(path) {
                return Ok(source);
            }
            Kind::of(path).ok_or(UNKNOWN)?;
            return Ok(Self::Alone(path.into()));
        }
        if let Some(source) = exported(path) {
            return Ok(source);
        }
        let name = inputs::last_name(&input.path);
        let beside = path.join(format!("{name}{SUFFIX}"));
        if beside.is_file() {
            return Ok(Self::Changes(beside));
        }
        for folder in [path.to_path_buf(), path.join(&name)] {
            if folder.join(Manifest::NAME).exists() {
                let why = "is not one of this version, or is damaged; export the file again";
                return match Manifest::read(&folder) {
                    Some(_) => Ok(Self::Export { folder, part: PathBuf::new() }),
                    None => Err(format!("{} {why}", table::path(&folder.join(Manifest::NAME)))),
                };
            }
        }
        Err(format!("has neither {name}{SUFFIX} nor a folder {name} with an export"))
    }

    /// Returns the sources in a folder by the relative paths of the files that they are for.
    pub(super) fn in_folder(folder: &Path) -> io::Result<Vec<(PathBuf, Self)>> {
        if !fs::metadata(folder)?.is_dir() {
            return Err(io::Error::other("is a file; to edit a folder, give a folder of changes or exports"));
        }
        let mut found = Vec::new();
        let mut entries = WalkDir::new(folder).sort_by_file_name().into_iter();
        while let Some(entry) = entries.next() {
            let entry = entry?;
            let below = entry.path().strip_prefix(folder).unwrap_or(entry.path());
            if entry.file_type().is_dir() {
                if entry.depth() > 0 && Manifest::read(entry.path()).is_some() {
                    let source = Self::Export { folder: entry.path().into(), part: PathBuf::new() };
                    found.push((below.into(), source));
                    entries.skip_current_dir();
                }
            } else if let Some(key) = below.to_str().and_then(|below| below.strip_suffix(SUFFIX)) {
                found.push((key.into(), Self::Changes(entry.path().into())));
            }
        }
        if found.is_empty() {
            return Err(io::Error::other(format!("contains neither NAME{SUFFIX} nor exports")));
        }
        Ok(found)
    }

    /// Returns the path of the source.
    pub(super) fn path(&self) -> &Path {
        match self {
            Self::Changes(path) | Self::Alone(path) => path,
            Self::Export { folder, .. } => folder,
        }
    }

    /// Passes the changes of each file of the source to `found`, with paths that begin at the original.
    pub(super) fn changes(
        &self,
        original: &Original<'_>,
        rules: Rules,
        found: &mut dyn FnMut(&Path, Result<Planned, EditError>),
    ) {
        match self {
            Self::Changes(path) => {
                found(path, changes::read(path).map(|list| list.prefixed(&original.prefix()).into()));
            }
            Self::Alone(path) => {
                let inside = original.input.inner.as_deref().unwrap_or_default();
                found(path, edited(path, inside, (None, None, None), rules, original));
            }
            Self::Export { folder, part } => export(folder, part, rules, original, found),
        }
    }
}

/// Passes the changes of an export, or of the part of it that was named.
fn export(
    folder: &Path,
    part: &Path,
    rules: Rules,
    original: &Original<'_>,
    found: &mut dyn FnMut(&Path, Result<Planned, EditError>),
) {
    let failed = |why: &str| Err(unsupported_text(why.to_owned()));
    let Some(manifest) = Manifest::read(folder) else {
        return found(folder, failed("manifest.json is not one of this version; export the file again"));
    };
    if manifest.length != original.bytes.len() as u64 || manifest.sha256 != hex(&Sha256::digest(original.bytes)) {
        let why = "was exported from another file or version: it can only be applied to the file that it comes from";
        return found(folder, failed(why));
    }
    let asked = folder.join(part);
    let is_named = asked.is_file();
    let mut known = HashSet::from([folder.join(Manifest::NAME)]);
    // What cannot be applied is left out of a folder, and refused if it was named.
    let mut pass = |path: &Path, planned: Result<Planned, EditError>| match planned {
        Err(error)
            if !is_named && matches!(&error.kind, EditErrorKind::Refused { code, .. } if *code == NOT_APPLICABLE) =>
        {
            found(
                path,
                Ok(left_out(NOT_APPLICABLE, "was edited, but shows something of the input, which cannot be applied")),
            );
        }
        planned => found(path, planned),
    };
    for entry in &manifest.files {
        let path = folder.join(&entry.file);
        known.insert(path.clone());
        // Manifests are not trusted. Deleted exports mean nothing.
        let is_asked = is_inside(&entry.file) && path.starts_with(&asked) && path.exists();
        if !is_asked {
            continue;
        }
        if leads_out(&path, folder) {
            pass(
                &path,
                Err(EditError::refused(&worldview::Path::new(), LEADS_OUT, "is a link out of the export's folder")),
            );
            continue;
        }
        if !path.is_file() || digest(&path).is_ok_and(|(size, sha256)| size == entry.size && sha256 == entry.sha256) {
            continue;
        }
        let inside = entry.from.first().map_or("", |from| &from.inside);
        let kind = (entry.kind == "member").then_some(Kind::Member);
        pass(&path, edited(&path, inside.as_bytes(), (Some(entry), Some(&entry.with), kind), rules, original));
    }
    for (path, inside) in added(folder, &manifest, original.format) {
        if path.starts_with(&asked) {
            let planned = if leads_out(&path, folder) {
                Err(EditError::refused(&worldview::Path::new(), LEADS_OUT, "is a link out of the export's folder"))
            } else {
                edited(&path, inside.as_bytes(), (None, None, Some(Kind::Member)), rules, original)
            };
            pass(&path, planned);
        }
        known.insert(path);
    }
    if is_named {
        if !known.contains(&asked) {
            pass(&asked, renamed(&asked, folder, &manifest, rules, original));
        }
        return;
    }
    for path in others(&asked, &known) {
        let why = "is not a file of the export, and is applied only if it is named";
        pass(&path, Ok(left_out(NOT_OF_EXPORT, why)));
    }
}

/// Returns a plan that only says that a file is left out.
fn left_out(code: Code, why: &str) -> Planned {
    let mut planned = Planned::default();
    planned.account.push(account::Entry::new(Column::LeftOut, code, &worldview::Path::new(), why));
    planned
}

/// Plans a file that an export did not write: it was saved under another name, or copied there. The files beside it say of which part
/// of the input it is.
fn renamed(
    path: &Path,
    folder: &Path,
    manifest: &Manifest,
    rules: Rules,
    original: &Original<'_>,
) -> Result<Planned, EditError> {
    let kind = Kind::of(path).ok_or_else(|| unsupported(UNKNOWN))?;
    let beside = |entry: &&Entry| {
        let other = folder.join(&entry.file);
        other.parent() == path.parent() && Kind::of(&other) == Some(kind)
    };
    let entries: Vec<&Entry> = manifest.files.iter().filter(beside).collect();
    let inside = |entry: &Entry| entry.from.first().map(|from| from.inside.clone());
    let Some(first) = entries.first() else {
        return Err(unsupported(
            "the export has no file of this kind in this folder, so it is not known what it is of",
        ));
    };
    let is_picture = matches!(kind, Kind::Png | Kind::Glb);
    if entries.iter().any(|entry| inside(entry) != inside(first)) || is_picture && entries.len() > 1 {
        let why = format!(
            "is not a file of the export, which has {} of this kind here; give it the name of the one that it replaces, as {}",
            entries.len(),
            first.file
        );
        return Err(unsupported_text(why));
    }
    let entry = is_picture.then_some(*first);
    edited(path, inside(first).unwrap_or_default().as_bytes(), (entry, Some(&first.with), Some(kind)), rules, original)
}

/// Returns the files below a folder of an export that are not known: no hidden ones, none of other exports, and none that Tiled keeps
/// for itself.
fn others(folder: &Path, known: &HashSet<PathBuf>) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut entries = WalkDir::new(folder).sort_by_file_name().into_iter();
    while let Some(Ok(entry)) = entries.next() {
        let name = entry.file_name().as_encoded_bytes();
        if entry.file_type().is_dir() {
            if entry.depth() > 0 && (name.starts_with(b".") || entry.path().join(Manifest::NAME).exists()) {
                entries.skip_current_dir();
            }
        } else if !known.contains(entry.path()) && !name.starts_with(b".") && !name.ends_with(b".tiled-session") {
            found.push(entry.path().to_path_buf());
        }
    }
    found
}

/// Whether a path in the folder of an export leads out of it by a link.
fn leads_out(path: &Path, folder: &Path) -> bool {
    match (path.canonicalize(), folder.canonicalize()) {
        (Ok(path), Ok(folder)) => !path.starts_with(folder),
        _ => true,
    }
}

/// Returns the files beside exported members that the export did not write: new members, with the path of their archive.
fn added(folder: &Path, manifest: &Manifest, format: Format) -> Vec<(PathBuf, String)> {
    // The path of a file in a REZ archive has its name, that of a member is the path of its archive.
    let holder = |inside: &'_ str| match format {
        Format::Rez => inside.rsplit_once('/').map_or("", |(directory, _)| directory).to_owned(),
        _ => inside.to_owned(),
    };
    let is_member = |entry: &&Entry| entry.kind == "member" && is_inside(&entry.file);
    let members = || manifest.files.iter().filter(is_member);
    let known: HashSet<PathBuf> = members().map(|entry| folder.join(&entry.file)).collect();
    let folders: BTreeMap<PathBuf, String> = members()
        .filter_map(|entry| {
            Some((folder.join(&entry.file).parent()?.to_path_buf(), holder(&entry.from.first()?.inside)))
        })
        .collect();
    let mut found = Vec::new();
    for (folder, inside) in folders {
        let files = fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let is_new = |path: &PathBuf| {
            let is_hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
            !is_hidden && path.is_file() && !known.contains(path)
        };
        found.extend(files.filter(is_new).map(|path| (path, inside.clone())));
    }
    found.sort();
    found
}

/// Returns the export that a file or folder is part of.
fn exported(path: &Path) -> Option<Source> {
    let whole = std::path::absolute(path).ok()?;
    let folder = whole.ancestors().take(16).find(|folder| Manifest::read(folder).is_some())?;
    let part = whole.strip_prefix(folder).ok()?.to_path_buf();
    // The folder as it was named, as far as it was.
    let above = part.components().count();
    let shown = path.ancestors().nth(above).filter(|shown| !shown.as_os_str().is_empty());
    Some(Source::Export { folder: shown.unwrap_or(folder).into(), part })
}

/// Whether a file begins like a file of changes.
fn is_changes(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(4096).read_to_end(&mut head));
    read.is_ok() && text::decode(&head).contains("\"worldview_changes\"")
}

/// Compares an edited export with what the original says.
fn edited(
    path: &Path,
    inside: &[u8],
    (entry, with, kind): (Option<&Entry>, Option<&With>, Option<Kind>),
    rules: Rules,
    original: &Original<'_>,
) -> Result<Planned, EditError> {
    let default = With::default();
    let with = with.unwrap_or(&default);
    let kind = kind.or_else(|| Kind::of(path)).ok_or_else(not_applicable)?;
    let schema = original.open.schema.as_ref().and_then(|path| Some(digest(path).ok()?.1));
    if with.schema.is_some() && with.schema != schema {
        return Err(unsupported("was exported with another file of field names: give the same one with --schema"));
    }
    let bytes = bounded(path, MAX_SIZE).map_err(|error| unsupported_text(error.to_string()))?;
    let member = entry.filter(|entry| entry.kind == "member").map(|entry| entry.name.clone());
    let name = member.unwrap_or_else(|| inputs::last_name(path));
    let edited = Edited { kind, name, bytes, with, entry, rules };
    let mut opener = inputs::opener(original.open).lossy(false).unpacker(unpacker(original.open)).nested(false);
    if let Some(schemas) = original.schemas {
        opener = opener.schemas(schemas);
    }
    if !inside.is_empty() {
        opener = opener.select(inside);
    }
    let mut planned = Err(unsupported("the input has no such part"));
    let name = inputs::last_name(&original.input.path);
    opener.open(original.bytes, &name, &mut Vec::new(), &mut |opened| {
        planned = match opened {
            Ok(opened) => plan(&opened, &edited).map(|planned| {
                let mut prefix = worldview::Path::new();
                opened.members.iter().for_each(|member| prefix.push_name(label(member).as_bytes()));
                let names = match (opened.file, opened.asset) {
                    (Some(file), _) => file.path().names(),
                    (None, Asset::Rez(directory)) => directory.path().names(),
                    _ => Vec::new(),
                };
                names.iter().for_each(|name| prefix.push_name(name));
                planned.prefixed(&prefix)
            }),
            Err(failed) => Err(match failed.error {
                OpenError::Format(error) => error.into(),
                error => unsupported_text(error.to_string()),
            }),
        };
    });
    planned
}

fn unsupported(why: &'static str) -> EditError {
    EditError { path: worldview::Path::new(), kind: EditErrorKind::Unsupported { why } }
}

fn unsupported_text(why: String) -> EditError {
    EditError { path: worldview::Path::new(), kind: EditErrorKind::Malformed { line: None, why } }
}
