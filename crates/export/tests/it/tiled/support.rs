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
    maps.iter().map(read).collect()
}

fn read(map: &worldview_export::level::tiled::Map<'_>) -> Read {
    let (mut tmx, mut tmj) = (Vec::new(), Vec::new());
    map.write_tmx(&mut tmx).expect("TMX is written");
    map.write_tmj(&mut tmj).expect("TMJ is written");
    let mut loader = Loader::with_reader(|_: &Path| io::Result::Ok(Cursor::new(tmx.clone())));
    Read {
        stem: map.stem().to_owned(),
        map: loader.load_tmx_map("map.tmx").expect("the tiled crate reads the TMX"),
        json: serde_json::from_slice(&tmj).expect("the TMJ is JSON"),
        sheets: map.tilesets().iter().map(|set| (set.picture().to_owned(), set.sheet().clone())).collect(),
        tmx: String::from_utf8(tmx).expect("the TMX is UTF-8"),
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
    properties.iter().map(|(name, value)| (name.as_str(), text(value))).collect()
}

/// Returns an int property.
pub(crate) fn int(properties: &HashMap<String, PropertyValue>, name: &str) -> i32 {
    match properties.get(name) {
        Some(PropertyValue::IntValue(value)) => *value,
        other => panic!("{name} is {other:?}"),
    }
}

/// Returns bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
