//! Conversion of levels to maps and back.

use std::collections::HashMap;
use std::io::{self, Cursor};
use std::ops::Range;
use std::path::Path;

use serde_json::Value;
use tiled::{Loader, PropertyValue};
use worldview_corpus::builder::Built;
use worldview_corpus::wwd::build::build;
use worldview_corpus::wwd::spec::{LevelSpec, PlaneSpec};
use worldview_export::Encoding;
use worldview_export::level::{Sheet, tiled::plan};
use worldview_wwd::{Level, unpack};

/// A map as read from both files.
pub(crate) struct Read {
    pub(crate) stem: String,
    pub(crate) map: tiled::Map,
    pub(crate) json: Value,
    pub(crate) tmx: String,
    pub(crate) tmj: String,
    /// The path and plan of each tileset's picture.
    pub(crate) sheets: Vec<(String, Sheet)>,
}

/// Exports a level and reads the maps back.
pub(crate) fn export(spec: &LevelSpec, encoding: Encoding) -> Vec<Read> {
    export_file(&build(spec).bytes, encoding)
}

/// Exports the file of a level and reads the maps back.
pub(crate) fn export_file(file: &[u8], encoding: Encoding) -> Vec<Read> {
    let image = unpack(file).expect("the level unpacks");
    let level = Level::parse_lossy(&image, &mut |_| {}).expect("the level opens");
    let maps = plan(&level, encoding).expect("the level is planned");
    maps.into_iter().map(|map| read(&map.full(true))).collect()
}

/// Reads both files of a map.
pub(crate) fn read(map: &worldview_export::level::tiled::Map<'_>) -> Read {
    let (mut tmx, mut tmj) = (Vec::new(), Vec::new());
    map.write_tmx(&mut tmx).expect("TMX is written");
    map.write_tmj(&mut tmj).expect("TMJ is written");
    let mut loader = Loader::with_reader(|_: &Path| io::Result::Ok(Cursor::new(tmx.clone())));
    Read {
        stem: map.stem().to_owned(),
        map: loader.load_tmx_map("map.tmx").expect("the tiled crate reads the TMX"),
        json: pictured(serde_json::from_slice(&tmj).expect("the TMJ is JSON")),
        sheets: map.tilesets().iter().map(|set| (set.picture().to_owned(), set.sheet().clone())).collect(),
        tmx: String::from_utf8(tmx).expect("the TMX is UTF-8"),
        tmj: String::from_utf8(tmj).expect("the TMJ is UTF-8"),
    }
}

/// A text as XML can hold it: control characters, but for tab and line breaks, as their pictures.
pub(crate) fn pictures(text: &str) -> String {
    let picture = |char| match u32::from(char) {
        code @ (0..=8 | 11 | 12 | 14..=31) => char::from_u32(0x2400 + code).unwrap(),
        _ => char,
    };
    text.chars().map(picture).collect()
}

/// The same of all texts in a document, so that it can be compared with one in XML.
fn pictured(json: Value) -> Value {
    match json {
        Value::String(text) => pictures(&text).into(),
        Value::Array(list) => list.into_iter().map(pictured).collect(),
        Value::Object(members) => members.into_iter().map(|(name, value)| (name, pictured(value))).collect(),
        other => other,
    }
}

/// A level with these planes, the first of which is the main one.
pub(crate) fn level_of(mut planes: Vec<PlaneSpec>) -> LevelSpec {
    planes[0].flags |= 1;
    LevelSpec { planes, attributes: None, ..LevelSpec::default() }
}

/// A plane with these rows of tiles, a tile size of 64 pixels, and one image set.
pub(crate) fn plane(name: &str, image_set: &str, rows: &[&[u32]]) -> PlaneSpec {
    let (wide, high) = (i32::try_from(rows[0].len()).unwrap(), i32::try_from(rows.len()).unwrap());
    PlaneSpec {
        tiles: rows.concat(),
        image_sets: vec![image_set.into()],
        ..PlaneSpec::empty(name.as_bytes(), 64, wide, high)
    }
}

/// Returns the level after copying the words at `labels` from the first plane to `planes`.
pub(crate) fn shared(built: &Built, planes: Range<usize>, labels: &[&str]) -> Vec<u8> {
    let mut image = built.bytes.clone();
    for plane in planes {
        for label in labels {
            let [from, to] = [0, plane].map(|plane| built.labels[&format!("plane[{plane}].{label}")]);
            image.copy_within(from..from + 4, to);
        }
    }
    image
}

/// Returns properties as plain text: `true`, `-3`, `some words`.
pub(crate) fn plain(properties: &HashMap<String, PropertyValue>) -> HashMap<&str, String> {
    let text = |value: &PropertyValue| match value {
        PropertyValue::BoolValue(value) => value.to_string(),
        PropertyValue::IntValue(value) => value.to_string(),
        PropertyValue::StringValue(value) => value.clone(),
        other => panic!("no property is {other:?}"),
    };
    properties.iter().map(|(name, value)| (field(name), text(value))).collect()
}

/// The field that a property is of.
fn field(property: &str) -> &str {
    let field = property.strip_prefix("wwd_").unwrap_or(property);
    let is_renamed = ["id", "name", "x", "y", "width", "height"].contains(&field);
    assert_eq!(is_renamed, field != property, "programs refuse properties with names of attributes: {property}");
    field
}

/// Returns an int property.
pub(crate) fn int(properties: &HashMap<String, PropertyValue>, name: &str) -> i32 {
    match properties.get(name).or_else(|| properties.get(&format!("wwd_{name}"))) {
        Some(PropertyValue::IntValue(value)) => *value,
        other => panic!("{name} is {other:?}"),
    }
}

/// Returns bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
