//! Whole levels as JSON, objects and tile attributes as NDJSON: UTF-8, every field, names as in the record types.
//!
//! A rectangle is `[left, top, right, bottom]`; a tile is its 32-bit word (4294967295 empty, 4008636142 filled); flags
//! and reserved words are numbers. A text is a string in the chosen code page; where its bytes are not plain ASCII or
//! go on behind a NUL, a second member, `<name>_bytes`, has them in hexadecimal. `docs/formats/wwd.md`, JSON, is the
//! documentation of the shape, which `"format"` and `"version"` name.

mod parts;

use std::io::Write;

use serde::Serializer as _;
use serde::ser::SerializeMap as _;
use worldview_core::Budget;
use worldview_wwd::{Level, Unpacked};

use crate::{Encoding, Result};
use parts::{AttributeJson, Attributes, Header, ObjectJson, Planes, Trailing};

/// Version of the shape of [`level`]'s output: raised when a member changes its meaning or goes, not when one is added.
pub const VERSION: u32 = 1;

/// Writes a whole level as one JSON object.
///
/// # Errors
///
/// Those of writing; an object or image-set name that breaks off; overlapping parts past the walk's limit.
pub fn level(file: &Unpacked<'_>, level: &Level<'_>, encoding: Encoding, mut out: impl Write) -> Result<()> {
    check_walk(level)?;
    let mut json = serde_json::Serializer::new(&mut out);
    let mut map = json.serialize_map(None)?;
    map.serialize_entry("format", "wwd")?;
    map.serialize_entry("version", &VERSION)?;
    map.serialize_entry("game", &level.game().map(|game| game.name()))?;
    map.serialize_entry("packed", &file.is_packed())?;
    map.serialize_entry("image_length", &file.len())?;
    map.serialize_entry("stored_length", &file.stored_block().len())?;
    map.serialize_entry("checksum_rules", &file.checksum().rules().map(|rule| rule.name()).collect::<Vec<_>>())?;
    map.serialize_entry("header", &Header(file.header(), encoding))?;
    map.serialize_entry("planes", &Planes(level, encoding))?;
    map.serialize_entry("tile_attributes", &Attributes(level))?;
    map.serialize_entry("trailing", &Trailing(file, encoding))?;
    map.end()?;
    out.write_all(b"\n")?;
    out.flush()?;
    Ok(())
}

/// Writes the objects of all planes as NDJSON: one JSON object a line, with `plane` and `object` numbers first.
///
/// # Errors
///
/// Those of writing; an object that breaks off; overlapping parts past the walk's limit.
pub fn objects(level: &Level<'_>, encoding: Encoding, mut out: impl Write) -> Result<()> {
    let mut budget = Budget::for_bytes(level.image().len(), "objects of overlapping planes");
    for plane in level.planes() {
        for object in plane.objects() {
            let object = object?;
            budget.spend(object.size(), object.at, level.image().space())?;
            serde_json::to_writer(&mut out, &ObjectJson { object: &object, plane: Some(plane), encoding })?;
            out.write_all(b"\n")?;
        }
    }
    out.flush()?;
    Ok(())
}

/// Writes the tile attributes as NDJSON: one JSON object a line, with the `frame` number first.
///
/// # Errors
///
/// Those of writing.
pub fn attributes(level: &Level<'_>, mut out: impl Write) -> Result<()> {
    for (frame, record) in level.attributes().records().iter().enumerate() {
        serde_json::to_writer(&mut out, &AttributeJson { frame, record })?;
        out.write_all(b"\n")?;
    }
    out.flush()?;
    Ok(())
}

/// Walks over everything once, so that nothing fails in the middle of an output.
fn check_walk(level: &Level<'_>) -> Result<()> {
    let mut budget = Budget::for_bytes(level.image().len(), "JSON of overlapping parts");
    let space = level.image().space();
    for plane in level.planes() {
        budget.spend(size_of_val(plane.tiles()) as u64, plane.at(), space)?;
        let mut names = plane.image_sets().iter();
        let start = names.position();
        for name in names.by_ref() {
            name?;
            budget.spend(1, plane.at(), space)?;
        }
        budget.spend(names.position() - start, plane.at(), space)?;
        for object in plane.objects() {
            let object = object?;
            budget.spend(object.size(), object.at, space)?;
        }
    }
    Ok(())
}
