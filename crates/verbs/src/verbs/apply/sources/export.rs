//! Edited exports: which manifest a file or folder belongs to, and the changes that were made since.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;
use worldview::Format;
use worldview_edit::account::{self, Code, Column};
use worldview_edit::{EditError, EditErrorKind, Planned};

use super::{
    InFolder, NOT_APPLICABLE, NOT_OF_EXPORT, Rules, Source, check_link, edited, kind_of, not_a_source, unsupported,
};
use crate::inputs::{Input, has_extension};
use crate::output::{Entry, Manifest};
use crate::read::{digest, digest_of, is_inside};
use crate::verbs::edit::Original;
use worldview_export::outputs::OutputKind as Kind;

/// The export of a file.
pub(in crate::verbs::apply) struct Export {
    /// The folder with the manifest.
    pub(super) folder: PathBuf,
    manifest: Box<Manifest>,
    /// The folder or file in it that is applied.
    part: PathBuf,
    /// Files beside those of the export that nothing is known of, if the manifest is of many inputs.
    others: Option<Vec<PathBuf>>,
}

impl Export {
    /// Returns the export of a single input in a folder.
    pub(super) fn whole(folder: PathBuf, manifest: Manifest) -> Self {
        Self { folder, manifest: manifest.into(), part: PathBuf::new(), others: None }
    }

    /// Returns the export of an input that a file or folder is part of.
    pub(super) fn of(path: &Path, input: &Input) -> Option<Self> {
        let whole = std::path::absolute(path).ok()?;
        whole.ancestors().take(16).find_map(|folder| {
            let part = whole.strip_prefix(folder).ok()?.to_path_buf();
            // The folder as it was named, as far as it was.
            let above = part.components().count();
            let shown = path.ancestors().nth(above).filter(|shown| !shown.as_os_str().is_empty());
            let shown = shown.unwrap_or(folder).to_path_buf();
            let own = Manifest::read(folder);
            let mut lines = Manifest::read_all(folder);
            let files = lines.iter().flat_map(|line| &line.files).map(|entry| shown.join(&entry.file));
            let known: HashSet<_> = files.chain([shown.join(Manifest::NAME)]).collect();
            let has = |line: &Manifest| line.files.iter().any(|entry| Path::new(&entry.file) == part);
            // A folder, or a file that the export did not write, is of the line that the input has.
            let is_of =
                |line: &Manifest, (size, sha256): &(u64, String)| line.length == *size && line.sha256 == *sha256;
            let at = lines.iter().position(has);
            if let (None, Some(own)) = (at, own) {
                return Some(Self { part, ..Self::whole(shown, own) });
            }
            let at = at.or_else(|| {
                let found = if lines.is_empty() { None } else { digest(&input.path).ok() }?;
                lines.iter().position(|line| is_of(line, &found))
            })?;
            let others = if whole.is_dir() { unknown(&shown.join(&part), &known) } else { Vec::new() };
            let manifest = lines.swap_remove(at).into();
            Some(Self { folder: shown, manifest, part, others: Some(others) })
        })
    }
}

/// Returns the exports whose files lie beside each other in a folder.
pub(super) fn beside(folder: &Path) -> InFolder {
    let lines = Manifest::read_all(folder);
    if lines.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let files = || lines.iter().flat_map(|line| &line.files);
    let known = files().map(|entry| folder.join(&entry.file)).chain([folder.join(Manifest::NAME)]).collect();
    let mut others = unknown(folder, &known);
    // New members are found beside those that were exported.
    let members = files().filter(|entry| entry.kind == "member").filter_map(|entry| Path::new(&entry.file).parent());
    let members: HashSet<_> = members.map(|members| folder.join(members)).collect();
    others.retain(|path| path.parent().is_none_or(|parent| !members.contains(parent)));
    // Merged rows belong to no file.
    let of_inputs = lines.into_iter().filter(|line| !line.source.is_empty());
    let source = |line: Manifest| {
        let key = PathBuf::from(&line.folder);
        let export = Export { others: Some(Vec::new()), ..Export::whole(folder.into(), line) };
        (key, Source::Export(export))
    };
    (of_inputs.map(source).collect(), others.into_iter().map(|path| (path, UNNAMED.into())).collect())
}

impl Export {
    /// Passes the changes of the export, or of the part of it that was named.
    pub(super) fn changes(
        &self,
        rules: Rules<'_>,
        original: &Original<'_>,
        found: &mut dyn FnMut(&Path, Result<Planned, EditError>),
    ) {
        let Self { folder, manifest, part, others } = self;
        let failed = |why: &str| Err(EditError::malformed(None, why.to_owned()));
        if digest_of(original.bytes) != (manifest.length, manifest.sha256.clone()) {
            let why =
                "was exported from another file or version: it can only be applied to the file that it comes from";
            return found(folder, failed(why));
        }
        if manifest.replacing.is_some() {
            return found(folder, failed("belongs to an export that was interrupted; export the file again"));
        }
        let asked = folder.join(part);
        let is_named = asked.is_file();
        let rules = Rules { adds_all: is_named, ..rules };
        let mut known = HashSet::from([folder.join(Manifest::NAME)]);
        // What cannot be applied is left out of a folder, and refused if it was named.
        let mut pass = |path: &Path, planned: Result<Planned, EditError>| match planned {
            Err(error)
                if !is_named
                    && matches!(&error.kind, EditErrorKind::Refused { code, .. } if *code == NOT_APPLICABLE) =>
            {
                let why = "was edited, but only shows the input or a part of it, and cannot be applied";
                found(path, Ok(left_out(NOT_APPLICABLE, why)));
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
            if let Err(error) = check_link(&path, folder) {
                pass(&path, Err(error));
                continue;
            }
            if !path.is_file() || digest(&path).is_ok_and(|found| entry.is(&found)) {
                continue;
            }
            if entry.of.is_some() {
                let why =
                    "was edited in an export of an earlier version of the file; it can only be applied to that version";
                pass(&path, failed(why));
                continue;
            }
            let inside = entry.from.first().map_or("", |from| &from.inside);
            let kind = (entry.kind == "member").then_some(Kind::Members);
            pass(
                &path,
                edited((&path, None), inside.as_bytes(), (Some(entry), Some(&entry.with), kind), rules, original),
            );
        }
        for (path, inside) in added(folder, manifest, original.format, others.is_none()) {
            if path.starts_with(&asked) {
                let planned =
                    || edited((&path, None), inside.as_bytes(), (None, None, Some(Kind::Members)), rules, original);
                pass(&path, check_link(&path, folder).and_then(|()| planned()));
            }
            known.insert(path);
        }
        if is_named {
            if !known.contains(&asked) {
                pass(&asked, renamed(&asked, folder, manifest, rules, original));
            }
            return;
        }
        let others = match others {
            Some(others) => others.iter().filter(|path| !known.contains(*path)).cloned().collect(),
            None => unknown(&asked, &known),
        };
        for path in others {
            pass(&path, Ok(left_out(NOT_OF_EXPORT, UNNAMED)));
        }
    }
}

/// The message about files in the folder of an export that it did not write.
const UNNAMED: &str = "is not a file of the export, and is applied only if it is named";

/// Returns a plan that only says that a file is left out.
pub(super) fn left_out(code: Code, why: &str) -> Planned {
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
    rules: Rules<'_>,
    original: &Original<'_>,
) -> Result<Planned, EditError> {
    let kind = kind_of(path).ok_or_else(|| unsupported(not_a_source(path)))?;
    let beside = |entry: &&Entry| {
        let other = folder.join(&entry.file);
        other.parent() == path.parent() && kind_of(&other) == Some(kind)
    };
    let entries: Vec<&Entry> = manifest.files.iter().filter(beside).collect();
    let inside = |entry: &Entry| entry.from.first().map(|from| from.inside.clone());
    let why = "the export has no file of this kind in this folder, so nothing says what it belongs to";
    let first = entries.first().ok_or_else(|| unsupported(why))?;
    let is_picture = matches!(kind, Kind::Png | Kind::Glb);
    if entries.iter().any(|entry| inside(entry) != inside(first)) || is_picture && entries.len() > 1 {
        let why = format!(
            "is not a file of the export, which has {} of this kind here; give it the name of the one that it replaces, such as {}",
            entries.len(),
            first.file
        );
        return Err(EditError::malformed(None, why));
    }
    let entry = is_picture.then_some(*first);
    edited(
        (path, None),
        inside(first).unwrap_or_default().as_bytes(),
        (entry, Some(&first.with), Some(kind)),
        rules,
        original,
    )
}

/// Returns the files below a folder of an export that are not known: no hidden ones, none of other exports, and none that Tiled keeps
/// for itself.
fn unknown(folder: &Path, known: &HashSet<PathBuf>) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut entries = WalkDir::new(folder).sort_by_file_name().into_iter();
    while let Some(entry) = entries.next() {
        let entry = match entry {
            Ok(entry) => entry,
            // Nothing is known of what is in a folder that cannot be read, either.
            Err(error) => {
                found.extend(error.path().map(Path::to_path_buf));
                continue;
            }
        };
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

/// Returns the files beside exported members that the export did not write: new members, with the path of their archive. If no other input
/// was exported to the folder, these are also the PNG files beside exported pictures of a REZ archive.
fn added(folder: &Path, manifest: &Manifest, format: Format, is_alone: bool) -> Vec<(PathBuf, String)> {
    // The path of a file in a REZ archive has its name, that of a member is the path of its archive.
    let holder = |inside: &'_ str| match format {
        Format::Rez => inside.rsplit_once('/').map_or("", |(directory, _)| directory).to_owned(),
        _ => inside.to_owned(),
    };
    let files = || manifest.files.iter().filter(|entry| is_inside(&entry.file));
    let known: HashSet<PathBuf> = files().map(|entry| folder.join(&entry.file)).collect();
    let is_picture = |entry: &Entry| is_alone && format == Format::Rez && entry.kind == "picture";
    let mut folders: BTreeMap<PathBuf, (String, bool)> = BTreeMap::new();
    for entry in files().filter(|entry| entry.kind == "member" || is_picture(entry)) {
        let path = folder.join(&entry.file);
        let (Some(parent), Some(from)) = (path.parent(), entry.from.first()) else { continue };
        let (_, has_members) = folders.entry(parent.into()).or_insert_with(|| (holder(&from.inside), false));
        *has_members |= entry.kind == "member";
    }
    let mut found = Vec::new();
    for (folder, (inside, has_members)) in folders {
        let files = fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path());
        // Of hidden files that could be members it is said why they are none.
        let is_hidden = |path: &Path| path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        let is_png = |path: &Path| has_extension(path, "png") && !is_hidden(path);
        let is_new = |path: &PathBuf| !path.is_dir() && !known.contains(path) && (has_members || is_png(path));
        found.extend(files.filter(is_new).map(|path| (path, inside.clone())));
    }
    found.sort();
    found
}
