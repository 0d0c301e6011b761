mod pictures;

use serde_json::{Map, Value as Json};
use worldview_core::describe::{Array, Elements, Field, FieldName, Stored};
use worldview_edit::island::new::{self, Content};
use worldview_edit::{EditError, Result, Value, unhex};
use worldview_export::Encoding;
use worldview_inspect::Root;
use worldview_island::{Contents, Database, DatabaseDescription, TextureFile};

use self::pictures::painted_by;
use super::{Built, Comparison, NewMember, list, object, text_bytes};
use crate::json::{check_format, parse, shown, single, whole};

/// Makes a WORLD.WDB from a document, as `world.json` and the full JSON of `show` have it.
///
/// Worlds, references, parts, objects, nodes, keys, levels and meshes are those of the document, and so are the bytes of points and
/// corners. References share a blob by its number in `blobs`. Colors and pixels of textures come from the document, and those of
/// `pictures` are newer: PNG with the paths that `export` gives them, `textures/dog.png` and `textures/dog.low.png`.
///
/// # Errors
///
/// Returns an error if the text is not such a document, if what it says is no database, or if a picture cannot be read.
///
/// ```
/// use worldview_export::Encoding;
/// use worldview_import::build;
///
/// let document = br#"{"format": "world", "worlds": [{"name": "BAY", "models": [{"name": "boat", "blob": 0}]}], "blobs": [{
///     "nodes": [{"name": "boat", "translations": [{"time": 500, "value": [0, 1, 0]}]}],
///     "rois": [{"name": "boat", "radius": 2}]}]}"#;
/// let file = build::world(document, &[], Encoding::default())?.complete()?;
/// let database = worldview_island::Database::parse(&file[..])?;
/// let model = database.blobs()[0].read()?;
/// assert_eq!(model.model().unwrap().animation.nodes.get(0).unwrap().translations[0].when.time(), 500);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn world(document: &[u8], pictures: &[NewMember<'_>], encoding: Encoding) -> Result<Built> {
    described(parse(document, None)?, pictures, encoding)
}

/// Makes a `.tex` file from a document, as `textures.json` and the full JSON of `show` have it, and pictures.
///
/// # Errors
///
/// Returns an error in the cases of [`world`].
pub fn textures(document: &[u8], pictures: &[NewMember<'_>], encoding: Encoding) -> Result<Built> {
    texture_file(parse(document, None)?, pictures, encoding)
}

/// Makes a database from the members of a document.
pub(super) fn described(
    mut document: Map<String, Json>,
    pictures: &[NewMember<'_>],
    encoding: Encoding,
) -> Result<Built> {
    check_format(&mut document, "world")?;
    let mut account = painted_by(&mut document, pictures, encoding)?;
    let file = new::database(&Members { members: &document, encoding })?;
    account.done = elements(&document);
    let database = Database::parse(&file[..])?;
    let contents = Contents::read(&database);
    let described = DatabaseDescription::new(&database, &contents);
    account.append(Comparison::of(&Root::new("world", database.source(), &described), &document, encoding)?);
    drop(contents);
    Ok(Built { file, account })
}

/// Makes a `.tex` file from the members of a document.
pub(super) fn texture_file(
    mut document: Map<String, Json>,
    pictures: &[NewMember<'_>],
    encoding: Encoding,
) -> Result<Built> {
    check_format(&mut document, "tex")?;
    let mut account = painted_by(&mut document, pictures, encoding)?;
    let file = new::textures(&Members { members: &document, encoding })?;
    account.done = elements(&document);
    let read = TextureFile::parse(&file[..])?;
    account.append(Comparison::of(&Root::new("tex", read.source(), &read), &document, encoding)?);
    Ok(Built { file, account })
}

/// Returns the number of elements that a document has.
fn elements(members: &Map<String, Json>) -> u64 {
    let count = |json: &Json| match json {
        Json::Object(members) => elements(members).saturating_add(1),
        Json::Array(list) => list
            .iter()
            .filter_map(Json::as_object)
            .fold(0, |sum: u64, members| sum.saturating_add(elements(members)).saturating_add(1)),
        _ => 0,
    };
    members.values().map(count).fold(0, u64::saturating_add)
}

/// A part of a document.
struct Members<'j> {
    members: &'j Map<String, Json>,
    encoding: Encoding,
}

impl Content for Members<'_> {
    fn field(&self, field: &Field<'_>) -> Result<Option<Value>> {
        let FieldName::Static(name) = field.name else { return Ok(None) };
        let Some(json) = self.members.get(name) else { return Ok(None) };
        let named = |why: String| EditError::malformed(None, format!("`{name}`: {why}"));
        let value = match field.stored {
            Stored::Int(int) => whole(json, int.range()).map(Value::Integer),
            Stored::Masked(..) => whole(json, (0, u32::MAX.into())).map(Value::Integer),
            Stored::Float { .. } => single(json).map(Value::from),
            Stored::Floats(count) => floats(json, count.into()).map(|floats| Value::from(&*floats)),
            Stored::Color => match json {
                Json::String(color) => Ok(Value::Text(color.clone())),
                other => Err(format!("expected a color, found {}", shown(other))),
            },
            Stored::Counted(counted) => {
                let mut bytes = text_bytes(self.members, name, self.encoding)?;
                // The bytes of a name are all that are counted, and null is a name without any.
                let is_text = json.is_string() && !self.members.contains_key(&format!("{name}_bytes"));
                if is_text && counted.nul {
                    bytes.push(0);
                }
                Ok(Value::Bytes(bytes))
            }
            _ => Err("cannot be set".to_owned()),
        };
        value.map(Some).map_err(named)
    }

    fn array(&self, array: &Array<'_>) -> Result<Option<Vec<u8>>> {
        let Some(json) = self.members.get(array.name) else { return Ok(None) };
        let bytes = match array.elements {
            Elements::Bytes(_) => bytes(json, array.columns),
            Elements::Colors(_) => colors(json),
            Elements::StoredFloats(_) => rows(json).and_then(|rows| {
                let rows = rows.iter().map(|row| floats(row, array.columns));
                let rows = rows.collect::<std::result::Result<Vec<_>, _>>()?;
                Ok(rows.into_iter().flatten().flat_map(f32::to_le_bytes).collect())
            }),
            Elements::Words(_) => rows(json).and_then(|words| {
                let words = words.iter().map(|word| whole(word, (0, u32::MAX.into())));
                let words = words.map(|word| Ok(u32::try_from(word?).unwrap_or(u32::MAX).to_le_bytes()));
                words.collect::<std::result::Result<Vec<_>, String>>().map(|words| words.concat())
            }),
            _ => Err("cannot be set".to_owned()),
        };
        bytes.map(Some).map_err(|why| EditError::malformed(None, format!("`{}`: {why}", array.name)))
    }

    fn number(&self, name: &str) -> Option<i64> {
        self.members.get(name)?.as_i64()
    }

    fn len(&self, name: &str) -> Option<usize> {
        match self.members.get(name)? {
            Json::String(digits) if name.ends_with("_bytes") => digits.len().checked_div(2),
            Json::String(text) => self.len(&format!("{name}_bytes")).or(Some(text.len())),
            // Rows of bytes, but not colors.
            Json::Array(rows) if rows.first().and_then(Json::as_str).is_some_and(|row| !row.starts_with('#')) => {
                let digits = rows.iter().filter_map(Json::as_str).map(str::len).fold(0, usize::saturating_add);
                digits.checked_div(2)
            }
            Json::Array(list) => Some(list.len()),
            _ => None,
        }
    }

    fn list(&self, name: &str) -> Result<Vec<Self>> {
        let part = |json| object(json, "an object").map(|members| Self { members, encoding: self.encoding });
        match self.members.get(name) {
            Some(single @ Json::Object(_)) => Ok(vec![part(single)?]),
            _ => list(self.members, name)?.iter().map(part).collect(),
        }
    }
}

/// Returns the elements of a list.
fn rows(json: &Json) -> std::result::Result<&[Json], String> {
    json.as_array().map(Vec::as_slice).ok_or_else(|| format!("expected a list, found {}", shown(json)))
}

/// Returns the floats of a point.
fn floats(json: &Json, count: usize) -> std::result::Result<Vec<f32>, String> {
    let list = rows(json)?;
    if list.len() != count {
        return Err(format!("expected {count} numbers, found {}", shown(json)));
    }
    list.iter().map(single).collect()
}

/// Returns the bytes of colors.
pub(super) fn colors(json: &Json) -> std::result::Result<Vec<u8>, String> {
    let color = |json: &Json| {
        let digits = json.as_str().and_then(|color| color.strip_prefix('#')).and_then(unhex);
        digits.filter(|color| color.len() == 3).ok_or_else(|| format!("expected a color, found {}", shown(json)))
    };
    rows(json)?.iter().map(color).collect::<std::result::Result<Vec<_>, _>>().map(|colors| colors.concat())
}

/// Returns bytes as one text, or in rows of this length, if it is not 0.
pub(super) fn bytes(json: &Json, columns: usize) -> std::result::Result<Vec<u8>, String> {
    let digits = |json: &Json| {
        let digits = json.as_str().and_then(unhex);
        let why = || format!("expected pairs of hexadecimal digits, found {}", shown(json));
        let row = digits.ok_or_else(why)?;
        if columns > 0 && row.len() != columns {
            return Err(format!("expected rows of {columns} bytes, found one of {}", row.len()));
        }
        Ok(row)
    };
    match json {
        Json::Array(rows) => {
            rows.iter().map(digits).collect::<std::result::Result<Vec<_>, _>>().map(|all| all.concat())
        }
        all => digits(all),
    }
}
