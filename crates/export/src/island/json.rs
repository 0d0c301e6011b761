//! Databases, models, parts and textures as JSON. `docs/formats/island.md`, JSON, documents the shape.
//!
//! Without `full` an output has counts in place of positions, normals, texture coordinates, corners, keys and pixels;
//! with it everything, and each mesh also as vertices and indices.

mod content;
mod directory;
mod shape;
mod value;

use std::io::Write;

use serde::Serializer as _;
use serde::ser::SerializeMap as _;
use worldview_island::{Contents, Database, Model, Parts, Textures};

use super::Selection;
use crate::bounded::Bounded;
use crate::{Encoding, Result};
use value::{How, Members, Of};

/// Version of the shapes of this module's output: raised when a member changes its meaning or goes, not when one is
/// added.
pub const VERSION: u32 = 1;

/// Writes a database, or what is selected of it, as one JSON object: directory, global textures and parts, and each blob
/// once.
/// `docs/formats/island.md`, JSON.
///
/// # Errors
///
/// Those of writing; overlapping blobs past the walk's limit. A chunk, blob or mesh that cannot be read is no error: it
/// has a member `error`.
pub fn database(
    database: &Database<'_>,
    contents: &Contents<'_>,
    selection: &Selection<'_>,
    full: bool,
    encoding: Encoding,
    out: impl Write,
) -> Result<()> {
    super::check_walk(database, contents, selection, "JSON of overlapping blobs")?;
    let how = How { full, encoding };
    // A level of detail is four bytes of the file, and a hundred and fifty of JSON.
    let out = Bounded::new(out, database.source());
    write("world", Of(&directory::File { database, contents, selection }, how), out)
}

/// Writes a model as one JSON object. `docs/formats/island.md`, JSON.
///
/// # Errors
///
/// Those of writing. A mesh that cannot be rebuilt is no error: it has a member `error`.
pub fn model(model: &Model<'_>, full: bool, encoding: Encoding, out: impl Write) -> Result<()> {
    write("world-model", Of(model, How { full, encoding }), out)
}

/// Writes parts, those of a blob or the global ones, as one JSON object. `docs/formats/island.md`, JSON.
///
/// # Errors
///
/// Those of writing. A mesh that cannot be rebuilt is no error: it has a member `error`.
pub fn parts(parts: &Parts<'_>, full: bool, encoding: Encoding, out: impl Write) -> Result<()> {
    write("world-parts", Of(parts, How { full, encoding }), out)
}

/// Writes a list of textures as one JSON object. `docs/formats/island.md`, JSON.
///
/// # Errors
///
/// Those of writing.
pub fn textures(textures: &Textures<'_>, full: bool, encoding: Encoding, out: impl Write) -> Result<()> {
    write("world-textures", Of(textures, How { full, encoding }), out)
}

/// Writes an object behind the words that say what it is.
fn write<T>(format: &str, object: Of<'_, T>, mut out: impl Write) -> Result<()>
where
    for<'o> Of<'o, T>: Members,
{
    let mut json = serde_json::Serializer::new(&mut out);
    let mut map = json.serialize_map(None)?;
    map.serialize_entry("format", format)?;
    map.serialize_entry("version", &VERSION)?;
    map.serialize_entry("full", &object.1.full)?;
    object.members(&mut map)?;
    map.end()?;
    out.write_all(b"\n")?;
    out.flush()?;
    Ok(())
}
