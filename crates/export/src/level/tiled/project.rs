//! The defaults of what maps leave out, declared as classes of a Tiled project.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::io::Write;
use std::sync::LazyLock;

use serde::Serialize;
use worldview_core::describe::Role;
use worldview_core::{FieldInfo, field_name};
use worldview_wwd::raw::{AttributeHead, ObjectRecord};
use worldview_wwd::{Attribute, Object};

use super::Map;
use super::field::{Field, Scalar, field, printable, property_name, zero};
use crate::{Encoding, Error, Result};

/// Logics that have a class: all of any real level, and not a file of junk many times over.
const MAX_LOGICS: usize = 512;

/// The values of the fields of objects without their properties.
static OBJECT_DEFAULTS: LazyLock<HashMap<&str, Scalar<'_>>> = LazyLock::new(|| {
    let fields = ObjectRecord::FIELDS.iter().filter(|info| info.role != Role::Storage);
    let mut defaults: HashMap<_, _> = fields.map(|info| (info.name, zero(info))).collect();
    defaults.extend(Object::STRINGS.map(|name| (name, "".into())));
    // Most objects show no frame of their own.
    defaults.insert(field_name!(ObjectRecord, i), (-1).into());
    defaults
});

/// Returns the value of a field of objects without its property; `None` for one that follows from others.
pub fn object_default(field: &str) -> Option<&'static Scalar<'static>> {
    OBJECT_DEFAULTS.get(field)
}

/// Returns whether a field of an object is an attribute instead of a property, or follows from other fields.
pub(super) fn is_implied(field: &Field<'_>) -> bool {
    /// Tiled keeps six digits of a coordinate.
    const EXACT: i64 = 999_999;
    const X: &str = field_name!(ObjectRecord, x);
    const Y: &str = field_name!(ObjectRecord, y);
    let [name, logic, ..] = Object::STRINGS;
    match (&*field.0, &field.1) {
        (X | Y, Scalar::Int(at)) => (-EXACT..=EXACT).contains(at),
        (field, _) if field == name || field == logic => true,
        (field, _) => ObjectRecord::FIELDS.iter().any(|info| info.role == Role::Storage && info.name == field),
    }
}

/// Returns whether a property of an object is only written with [`Map::full`]: it is the default, an attribute says the same, or it
/// follows from other fields.
pub fn is_left_out(field: &Field<'_>) -> bool {
    object_default(&field.0) == Some(&field.1) || is_implied(field)
}

/// Returns the value of a field of tiles with a class but without its property, in a map with tiles of this size; `None` for
/// fields without a default.
pub fn tile_default(field: &str, tile: [u32; 2]) -> Option<Scalar<'static>> {
    const WIDTH: &str = field_name!(AttributeHead, width);
    const HEIGHT: &str = field_name!(AttributeHead, height);
    const KIND: &str = field_name!(AttributeHead, kind);
    match field {
        WIDTH => Some(tile[0].into()),
        HEIGHT => Some(tile[1].into()),
        KIND => None,
        "image_set_index" => Some(0.into()),
        field => (1..=3).filter_map(Attribute::fields_of).flatten().find(|info| info.name == field).map(zero),
    }
}

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
    let kinds = [("single", 1), ("double", 2), ("mask", 3)];
    let tiles = kinds.map(|(kind, number)| (kind, tile_members(Attribute::fields_of(number).unwrap_or(&[]), tile)));
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
    let fields = ObjectRecord::FIELDS.iter().map(|info| field(info.name, zero(info)));
    let texts = Object::STRINGS.map(|name| field(name, ""));
    let named = texts.into_iter().chain(fields).filter(|field| !is_implied(field));
    named.filter_map(|(name, _)| Some(Member::new(&name, object_default(&name)?.clone()))).collect()
}

fn tile_members(fields: &'static [FieldInfo], tile: [u32; 2]) -> Vec<Member> {
    let names = std::iter::once("image_set_index").chain(fields.iter().map(|info| info.name));
    names.filter_map(|name| Some(Member::new(name, tile_default(name, tile)?))).collect()
}
