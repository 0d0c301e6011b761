//! WORLD.WDB of LEGO Island: a complete dump as text, and by features JSON and pictures of textures.
//!
//! What is exported is the file as it is stored: names lead nowhere, models do not move, and each blob appears once,
//! however many references it has. What cannot be read appears with its error, and the rest of the file all the same.

#[cfg(feature = "json")]
pub mod json;
#[cfg(feature = "png")]
pub mod png;
pub mod text;

use std::fmt;

use worldview_core::Budget;
use worldview_island::{Contents, Database};

use crate::Result;

/// What of a database is exported.
#[derive(Clone, Copy)]
pub struct Selection<'s> {
    /// Whether a world is, by its number.
    pub worlds: &'s dyn Fn(usize) -> bool,
    /// Whether a blob is, by its number.
    pub blobs: &'s dyn Fn(usize) -> bool,
    /// Whether the global textures and parts are.
    pub globals: bool,
}

impl Selection<'_> {
    /// Everything.
    pub const ALL: Self = Self { worlds: &|_| true, blobs: &|_| true, globals: true };
}

impl fmt::Debug for Selection<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Selection").field("globals", &self.globals).finish_non_exhaustive()
    }
}

/// The texts of the names that references give to blobs, each once for a blob.
struct BlobNames<'a>(Vec<(usize, &'a [u8])>);

impl<'a> BlobNames<'a> {
    fn of(database: &Database<'a>) -> Self {
        let parts = database.part_refs().iter().map(|part| (part.blob(), part.name));
        let models = database.model_refs().iter().map(|model| (model.blob(), model.name));
        let mut names: Vec<_> = parts.chain(models).filter_map(|(blob, name)| Some((blob?, name.text()))).collect();
        names.sort_unstable();
        names.dedup();
        Self(names)
    }

    /// Those of a blob, by their bytes.
    fn get(&self, blob: usize) -> impl Iterator<Item = &'a [u8]> {
        let first = self.0.partition_point(|(other, _)| *other < blob);
        self.0.iter().skip(first).take_while(move |(other, _)| *other == blob).map(|(_, name)| *name)
    }
}

/// Pays for all blobs before anything is written: each costs its bytes, and they may overlap.
fn check_walk(
    database: &Database<'_>,
    contents: &Contents<'_>,
    selection: &Selection<'_>,
    what: &'static str,
) -> Result<()> {
    let mut budget = Budget::for_bytes(database.source().len(), what);
    for (blob, content) in database.blobs().iter().zip(&contents.blobs) {
        if content.is_ok() && (selection.blobs)(blob.index()) {
            budget.spend(blob.source.len(), blob.source.base(), blob.source.space())?;
        }
    }
    Ok(())
}
