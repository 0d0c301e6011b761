//! Edited models, parts and worlds beside the document of a WORLD.WDB.

use std::collections::HashSet;
use std::fs::{self, DirEntry};
use std::path::Path;

use worldview::Asset;
use worldview::island::Database;
use worldview_edit::{EditError, Planned, island};
use worldview_import::build::Built;

use super::{pictures, read};
use crate::inputs::has_extension;
use crate::outcome::Outcome;
use crate::output::Manifest;
use crate::read::{Room, SourceKind};
use crate::table;
use crate::verbs::apply::edited_model;

/// The folders of what is edited as a model.
pub(super) const FOLDERS: [&str; 3] = ["models", "parts", "worlds"];

/// Applies the edits in the GLB files beside the document, which the manifest of the export lists, to a new WORLD.WDB. Reports why that
/// is impossible.
pub(super) fn edited(
    source: &Path,
    document: &Path,
    mut built: Built,
    room: &Room,
    outcome: &mut Outcome,
) -> Option<Built> {
    let files = Manifest::read(source).map(|manifest| manifest.files).unwrap_or_default();
    let listed: HashSet<_> = files.iter().map(|entry| source.join(&entry.file)).collect();
    for folder in FOLDERS.map(|name| source.join(name)).into_iter().filter(|folder| folder.exists()) {
        let found = fs::read_dir(&folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
        for path in found.map_err(|error| outcome.input_failed(&folder, &error)).ok()?.iter().map(DirEntry::path) {
            if !listed.contains(&path) {
                outcome.note(&path, &"is not read, because manifest.ndjson does not say what it is");
            }
        }
    }
    let mut edits = Planned::default();
    for entry in files.iter().filter(|entry| has_extension(Path::new(&entry.file), "glb") && entry.is_edited(source)) {
        let path = source.join(&entry.file);
        let bytes = read((source, &path), SourceKind::Model, room, outcome).ok()?;
        let planned = Database::parse(&built.file[..]).map_err(EditError::from);
        let planned = planned.and_then(|database| edited_model(&Asset::Database(database), Some(entry), &bytes));
        let mut planned = planned.map_err(|error| outcome.input_failed(&path, &error)).ok()?;
        planned.account.entries_mut().for_each(|entry| entry.place.file = table::path(&path));
        edits.append(planned);
    }
    let is_edited = files.iter().any(|entry| entry.file == pictures::WORLD && entry.is_edited(source));
    if !edits.changes.is_empty() && is_edited {
        let places: Vec<_> = edits.changes.iter().map(|change| change.path().to_string()).collect();
        let places = table::some(places.into_iter(), 5);
        let text = format!("was also edited, but the edited models decide these places: {places}");
        outcome.note(document, &text);
    }
    let made = island::apply(&built.file, &edits.changes).map(|patches| patches.to_vec());
    built.file = made.map_err(|error| outcome.input_failed(source, &error)).ok()?;
    built.account.append(edits.account);
    Some(built)
}
