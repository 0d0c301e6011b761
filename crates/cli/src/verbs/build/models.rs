//! Edited models, parts and worlds beside the document of a WORLD.WDB.

use std::path::Path;

use worldview::Asset;
use worldview::island::Database;
use worldview_edit::{EditError, Planned, island};
use worldview_import::build::Built;

use super::{pictures, read};
use crate::inputs::has_extension;
use crate::outcome::Outcome;
use crate::output::{Entry, Manifest};
use crate::table;
use crate::verbs::apply::edited_model;

/// The folders of what is edited as a model.
pub(super) const FOLDERS: [&str; 3] = ["models", "parts", "worlds"];

/// Gives a new file what was edited in the models beside its document, which the manifest of the export tells. Reports why that is
/// impossible.
pub(super) fn edited(source: &Path, document: &Path, mut built: Built, outcome: &mut Outcome) -> Option<Built> {
    let Some(manifest) = Manifest::read(source).filter(|_| document.ends_with(pictures::WORLD)) else {
        return Some(built);
    };
    let is_model = |entry: &&Entry| has_extension(Path::new(&entry.file), "glb") && entry.is_edited(source);
    let mut edits = Planned::default();
    for entry in manifest.files.iter().filter(is_model) {
        let path = source.join(&entry.file);
        let bytes = read(&path, outcome).ok()?;
        let planned = Database::parse(&built.file[..]).map_err(EditError::from);
        let planned = planned.and_then(|database| edited_model(&Asset::Database(&database), Some(entry), &bytes));
        let mut planned = planned.map_err(|error| outcome.input_failed(&path, &error)).ok()?;
        planned.account.entries_mut().for_each(|entry| entry.place.file = table::path(&path));
        edits.append(planned);
    }
    let is_edited = |name: &str| manifest.files.iter().any(|entry| entry.file == name && entry.is_edited(source));
    if !edits.changes.is_empty() && is_edited(pictures::WORLD) {
        outcome.note(document, &"was edited, too; where an edited model says something else, the model is taken");
    }
    let made = island::apply(&built.file, &edits.changes).map(|patches| patches.to_vec());
    built.file = made.map_err(|error| outcome.input_failed(source, &error)).ok()?;
    built.account.append(edits.account);
    Some(built)
}
