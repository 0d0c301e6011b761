//! Pictures of textures, beside the document about them.

use std::fs;
use std::path::Path;

use super::{read, stale};
use crate::inputs::has_extension;
use crate::outcome::Outcome;
use crate::read::{Room, SourceKind};

/// The document about a WORLD.WDB.
pub(super) const WORLD: &str = "world.json";

/// The document about a `.tex` file.
pub(super) const TEXTURES: &str = "textures.json";

/// The folder of the pictures.
pub(super) const FOLDER: &str = "textures";

/// Returns whether pictures lie beside a document.
pub(super) fn has_pictures(document: &Path) -> bool {
    document.ends_with(WORLD) || document.ends_with(TEXTURES)
}

/// Reads the pictures beside a document: their paths and data. Reports why that is impossible.
pub(super) fn read_all(
    source: &Path,
    document: &Path,
    room: &Room,
    outcome: &mut Outcome,
) -> Option<Vec<(String, Vec<u8>)>> {
    let mut all = Vec::new();
    let folder = source.join(FOLDER);
    if !has_pictures(document) || !folder.is_dir() {
        return Some(all);
    }
    let stale = stale(source);
    let entries = fs::read_dir(&folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let mut entries = entries.map_err(|error| outcome.input_failed(&folder, &error)).ok()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        // `export` writes pictures of other formats here, too.
        if !has_extension(&path, "png") {
            continue;
        }
        if stale.contains(&path) {
            outcome.note(&path, &"belongs to an export of another file, as the manifest says, and is not used");
            continue;
        }
        let Some(name) = entry.file_name().to_str().map(|name| format!("{FOLDER}/{name}")) else {
            return outcome.nothing(&path, &"its name is not valid Unicode");
        };
        all.push((name, read((source, &path), SourceKind::Packed, room, outcome).ok()?));
    }
    Some(all)
}
