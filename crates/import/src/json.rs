//! Changes from JSON as `export` wrote it, as one document (`table.json`, `level.json`) or one line for each element (NDJSON), and any
//! tool saved it.
//!
//! Values are compared with those that the same export of the original has: numbers by value, text as text, or by its bytes where
//! the member with them, as `name_bytes`, was edited. A missing member leaves its part as it is; a missing element of a list is
//! removed. Members that follow from others, as offsets and counts, cannot be edited, and need not be corrected.

mod level;
mod table;

use std::fmt::{self, Display};

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value as Json};
use worldview_core::Path;
use worldview_inspect::json::{self, VERSION};
use worldview_inspect::{Options, Root};

use super::cell::float;
use worldview_edit::{EditError, EditErrorKind, Result, Value, nearest_float};

pub use level::{attributes, level, objects};
pub(super) use level::{edited as field, level_of};
pub(super) use table::records_of;
pub use table::{records, table};

/// Why a value cannot be taken.
pub(super) type Read<T> = std::result::Result<T, String>;

/// Reads a document.
pub(super) fn parse(edited: &[u8], line: Option<u64>) -> Result<Map<String, Json>> {
    let text = edited.strip_prefix(b"\xef\xbb\xbf").unwrap_or(edited);
    let json = serde_json::from_slice(text).map(|Document(json)| json).map_err(|error| {
        let line = line.or_else(|| (error.line() > 0).then_some(error.line() as u64));
        EditError::malformed(line, error.to_string())
    })?;
    match json {
        Json::Object(members) => Ok(members),
        _ => Err(EditError::malformed(line, "expected a JSON object")),
    }
}

/// A document without two members of one name in an object, of which one would be lost.
struct Document(Json);

impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: Deserializer<'de>>(json: D) -> std::result::Result<Self, D::Error> {
        json.deserialize_any(Document(Json::Null))
    }
}

impl<'de> Visitor<'de> for Document {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> std::result::Result<Self, A::Error> {
        let mut members = Map::new();
        while let Some(name) = from.next_key::<String>()? {
            let Self(json) = from.next_value()?;
            if members.contains_key(&name) {
                return Err(A::Error::custom(format_args!("the member `{name}` is there twice")));
            }
            members.insert(name, json);
        }
        Ok(Self(members.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> std::result::Result<Self, A::Error> {
        let mut list = Vec::new();
        while let Some(Self(json)) = from.next_element()? {
            list.push(json);
        }
        Ok(Self(list.into()))
    }

    fn visit_unit<E>(self) -> std::result::Result<Self, E> {
        Ok(self)
    }

    fn visit_bool<E>(self, json: bool) -> std::result::Result<Self, E> {
        Ok(Self(json.into()))
    }

    fn visit_u64<E>(self, json: u64) -> std::result::Result<Self, E> {
        Ok(Self(json.into()))
    }

    fn visit_i64<E>(self, json: i64) -> std::result::Result<Self, E> {
        Ok(Self(json.into()))
    }

    fn visit_f64<E>(self, json: f64) -> std::result::Result<Self, E> {
        Ok(Self(json.into()))
    }

    fn visit_str<E>(self, json: &str) -> std::result::Result<Self, E> {
        Ok(Self(json.into()))
    }

    fn visit_string<E>(self, json: String) -> std::result::Result<Self, E> {
        Ok(Self(json.into()))
    }
}

/// Returns what the export of the original says.
pub(super) fn export(root: &Root<'_>, options: &Options<'_>) -> Result<Map<String, Json>> {
    let why = |error: &dyn Display| EditError::malformed(None, format!("the original cannot be exported: {error}"));
    let mut text = Vec::new();
    json::write(root, options, &mut text).map_err(|error| why(&error))?;
    serde_json::from_slice(&text).map_err(|error| why(&error))
}

/// The last version of documents, in which `object` of levels was a row number.
const OLD_VERSION: u32 = 2;

/// Takes the members that every document has, and returns the version, if there is one.
pub(super) fn check_format(edited: &mut Map<String, Json>, format: &str) -> Result<Option<u32>> {
    let mut take = |name: &str, accepted: &[Json]| match edited.shift_remove(name) {
        Some(found) if !accepted.contains(&found) => {
            let expected = accepted.first().unwrap_or(&Json::Null);
            Err(EditError::malformed(None, format!("expected the {name} {expected}, found {found}")))
        }
        found => Ok(found),
    };
    take("format", &[format.into()])?;
    let version = take("version", &[VERSION, OLD_VERSION].map(Json::from))?;
    edited.shift_remove("full");
    Ok(version.map(|version| if version == OLD_VERSION { OLD_VERSION } else { VERSION }))
}

/// Whether two values are equal, numbers by value; objects may lack members.
pub(super) fn same(old: &Json, new: &Json) -> bool {
    match (old, new) {
        (Json::Number(old), Json::Number(new)) => match (integer(old), integer(new)) {
            (Some(old), Some(new)) => old == new,
            // Numbers behind 2^53 may have been rounded, and a sign of zero be lost.
            (Some(_), None) | (None, Some(_)) => old.as_f64() == new.as_f64(),
            // Files have floats of 32 bits, whose digits are those of one.
            (None, None) => old.as_f64().map(single_bits) == new.as_f64().map(single_bits),
        },
        (Json::Array(old), Json::Array(new)) => {
            old.len() == new.len() && old.iter().zip(new).all(|(old, new)| same(old, new))
        }
        (Json::Object(old), Json::Object(new)) => {
            new.iter().all(|(name, new)| old.get(name).is_some_and(|old| same(old, new)))
        }
        _ => old == new,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the nearest float of 32 bits is meant")]
const fn single_bits(number: f64) -> u32 {
    (number as f32).to_bits()
}

fn integer(number: &serde_json::Number) -> Option<i128> {
    number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from))
}

/// Returns an integer of a range, which may be written as `1e6`.
pub(super) fn whole(json: &Json, (min, max): (i128, i128)) -> Read<i128> {
    let number = match json {
        Json::Number(number) => integer(number).or_else(|| {
            let float = number.as_f64().filter(|float| float.fract() == 0.0 && float.abs() < 1e19)?;
            #[expect(clippy::cast_possible_truncation, reason = "in range")]
            Some(float as i128)
        }),
        _ => None,
    };
    match number {
        Some(number) if (min..=max).contains(&number) => Ok(number),
        Some(number) => Err(format!("{number} does not fit: {min} to {max}")),
        None => Err(format!("expected an integer, found {}: {min} to {max}", shown(json))),
    }
}

/// Returns a 32-bit float: a number, or the name of one that is not finite.
pub(super) fn single(json: &Json) -> Read<f32> {
    let float = match json {
        Json::Number(number) => number.as_f64().and_then(nearest_float),
        Json::String(name) => float(name, false).filter(|float| !float.is_finite()),
        _ => None,
    };
    float.ok_or_else(|| format!("expected a 32-bit float, found {}", shown(json)))
}

/// A value for messages.
pub(super) fn shown(json: &Json) -> String {
    match json {
        Json::Array(list) => format!("a list of {}", list.len()),
        Json::Object(_) => "an object".to_owned(),
        Json::String(text) => Value::from(text.as_str()).to_string(),
        other => other.to_string(),
    }
}

/// An error about a place of the document.
fn error(path: &Path, line: Option<u64>, why: impl Into<String>) -> EditError {
    EditError { path: path.clone(), kind: EditErrorKind::Malformed { line, why: why.into() } }
}

/// Returns the place of the first difference in two values, as a JSON pointer, and what is there.
fn first_difference<'j>(old: &'j Json, new: &'j Json) -> (String, &'j Json, &'j Json) {
    let (mut pointer, mut pair) = (String::new(), (old, new));
    loop {
        let inner = match pair {
            (Json::Array(old), Json::Array(new)) if old.len() == new.len() => {
                let mut items = old.iter().zip(new).zip(0_usize..);
                items.find(|((old, new), _)| !same(old, new)).map(|(items, index)| (index.to_string(), items))
            }
            (Json::Object(old), Json::Object(new)) => {
                let mut members = new.iter().filter_map(|(name, new)| Some((name.clone(), (old.get(name)?, new))));
                members.find(|(_, (old, new))| !same(old, new))
            }
            _ => None,
        };
        let Some((name, items)) = inner else { return (pointer, pair.0, pair.1) };
        pointer.extend(["/", &name]);
        pair = items;
    }
}

/// Refuses an edit of a member that follows from others, and members that the export does not have.
fn unchanged(name: &str, old: Option<&Json>, new: &Json) -> Read<()> {
    match old {
        Some(old) if same(old, new) => Ok(()),
        Some(old) => {
            let (inside, old, new) = first_difference(old, new);
            Err(format!("`{name}{inside}` cannot be edited: expected {}, found {}", shown(old), shown(new)))
        }
        None => Err(format!("unknown member `{name}`")),
    }
}
