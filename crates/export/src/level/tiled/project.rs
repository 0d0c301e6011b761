//! The defaults of what maps leave out, declared as classes of a Tiled project.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::Write;

use serde::Serialize;
use worldview_core::RecordValue;
use worldview_core::zerocopy::FromZeros as _;
use worldview_wwd::raw::{AttributeHead, DoubleRecord, ObjectRecord, SingleRecord};

use super::Map;
use super::field::{Field, Scalar, field, printable, property_name, record};
use crate::{Encoding, Error, Result};

/// Logics that have a class: all of any real level, and not a file of junk many times over.
const MAX_LOGICS: usize = 512;

/// Returns the value of a field of objects without its property.
pub fn object_default(field: &str) -> Scalar<'static> {
    match field {
        "image_set" | "animation" => "".into(),
        // Most objects show no frame of their own.
        "i" => (-1).into(),
        _ if field.ends_with("_rect") || field.starts_with("user_rect") => NO_RECT.into(),
        _ => 0.into(),
    }
}

/// Fields of an object that are no properties but attributes, or follow from others.
pub(super) fn is_implied(field: &Field<'_>) -> bool {
    /// Tiled keeps six digits of a coordinate.
    const EXACT: i64 = 999_999;
    match (&*field.0, &field.1) {
        ("x" | "y", Scalar::Int(at)) => (-EXACT..=EXACT).contains(at),
        ("name" | "logic" | "name_len" | "logic_len" | "image_set_len" | "animation_len", _) => true,
        _ => false,
    }
}

/// Returns the value of a field of tiles with a class but without its property, in a map with tiles of this size; `None` for
/// fields without a default.
pub fn tile_default(field: &str, tile: [u32; 2]) -> Option<Scalar<'static>> {
    Some(match field {
        "image_set_index" | "reserved" | "attribute" | "outside" | "inside" => 0.into(),
        "width" => tile[0].into(),
        "height" => tile[1].into(),
        "rect" => NO_RECT.into(),
        _ => return None,
    })
}

const NO_RECT: &str = "0 0 0 0";

/// Returns the class of tiles with an attribute of this kind: `single`, `double` or `mask`.
pub fn tile_class(kind: &str) -> String {
    format!("wwd {kind}")
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Project<'a> {
    automapping_rules_file: &'static str,
    commands: [(); 0],
    extensions_path: &'static str,
    folders: [&'static str; 1],
    property_types: Vec<Class<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Class<'a> {
    color: &'static str,
    draw_fill: bool,
    id: u32,
    members: &'a [Member],
    name: Cow<'a, str>,
    r#type: &'static str,
    use_as: [&'static str; 1],
}

#[derive(Serialize)]
struct Member {
    name: String,
    r#type: &'static str,
    value: Scalar<'static>,
}

impl Member {
    fn new(field: &str, value: Scalar<'static>) -> Self {
        Self { name: property_name(field).into_owned(), r#type: value.kind(), value }
    }
}

/// Writes a Tiled project that declares, as classes, the properties of objects and tiles with their defaults.
///
/// Each logic of the level's objects is a class, and so is each kind of tile attribute: `wwd single`, `wwd double`,
/// `wwd mask`. Of more than 512 logics the first, in the order of their bytes, have one.
///
/// # Errors
///
/// Returns an error if an object is truncated or writing to `out` fails.
pub fn write_project(maps: &[Map<'_>], out: impl Write) -> Result<()> {
    let mut logics = BTreeSet::new();
    for layer in maps.iter().flat_map(|map| &map.layers) {
        for object in layer.plane.objects() {
            logics.insert(object?.logic);
            if logics.len() > MAX_LOGICS {
                logics.pop_last();
            }
        }
    }
    logics.remove(&[][..]);
    let encoding = maps.first().map_or(Encoding::default(), |map| map.encoding);
    let objects = object_members();
    let tile = maps.first().map_or([0; 2], |map| map.tile);
    let tiles = [
        ("single", tile_members(SingleRecord::new_zeroed().fields(), tile)),
        ("double", tile_members(DoubleRecord::new_zeroed().fields(), tile)),
        ("mask", tile_members(AttributeHead::new_zeroed().fields(), tile)),
    ];
    let named = tiles.iter().map(|(kind, members)| (tile_class(kind).into(), &members[..], "tile"));
    // As a map in XML has it.
    let class_of = |logic: &[u8]| Cow::Owned(printable(&encoding.decode(logic)).into_owned());
    let logics = logics.iter().map(|logic| (class_of(logic), &objects[..], "object"));
    let property_types = (1..)
        .zip(named.chain(logics))
        .map(|(id, (name, members, of))| Class {
            color: "#ffa0a0a4",
            draw_fill: true,
            id,
            members,
            name,
            r#type: "class",
            use_as: [of],
        })
        .collect();
    let project = Project {
        automapping_rules_file: "",
        commands: [],
        extensions_path: "extensions",
        folders: ["."],
        property_types,
    };
    let mut out = std::io::BufWriter::new(out);
    serde_json::to_writer(&mut out, &project).map_err(|error| Error::Io(error.into()))?;
    out.write_all(b"\n")?;
    Ok(out.flush()?)
}

fn object_members() -> Vec<Member> {
    let zeroed = ObjectRecord::new_zeroed();
    let fields = record(zeroed.fields(), Encoding::default()).filter(|field| !is_implied(field));
    let texts = ["image_set", "animation"].map(|name| field(name, ""));
    texts.into_iter().chain(fields).map(|(name, _)| Member::new(&name, object_default(&name))).collect()
}

fn tile_members<'a>(fields: impl Iterator<Item = (&'static str, RecordValue<'a>)>, tile: [u32; 2]) -> Vec<Member> {
    let names = std::iter::once("image_set_index").chain(fields.map(|(name, _)| name));
    names.filter_map(|name| Some(Member::new(name, tile_default(name, tile)?))).collect()
}
