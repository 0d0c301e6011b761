mod pictures;

use serde_json::{Map, Value as Json};
use worldview_core::describe::{Array, Field, FieldName, Stored};
use worldview_edit::island::new::{self, Content};
use worldview_edit::{EditError, Result, Value};
use worldview_export::Encoding;
use worldview_inspect::Root;
use worldview_island::{Contents, Database, DatabaseDescription, TextureFile};

use self::pictures::painted_by;
use super::{Built, NewMember, check_format, compared, tree};
use crate::doc::{Doc, Members, whole};
use crate::given::{Grid, Reader};
use crate::planner::Cells;

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
    let mut document = tree(document)?;
    check_format(&mut document, "world")?;
    let mut account = painted_by(&mut document, pictures, encoding)?;
    let file = new::database(&Part { members: Members::of(&document), encoding })?;
    account.done = elements(&document);
    let database = Database::parse(&file[..])?;
    let contents = Contents::read(&database);
    let described = DatabaseDescription::new(&database, &contents);
    let root = Root::new("world", database.source(), &described);
    account.append(compared(&root, Members::of(&document), encoding, None));
    drop(contents);
    Ok(Built { file, account })
}

/// Makes a `.tex` file from a document, as `textures.json` and the full JSON of `show` have it, and pictures.
///
/// # Errors
///
/// Returns an error in the cases of [`world`].
pub fn textures(document: &[u8], pictures: &[NewMember<'_>], encoding: Encoding) -> Result<Built> {
    let mut document = tree(document)?;
    check_format(&mut document, "tex")?;
    let mut account = painted_by(&mut document, pictures, encoding)?;
    let file = new::textures(&Part { members: Members::of(&document), encoding })?;
    account.done = elements(&document);
    let read = TextureFile::parse(&file[..])?;
    account.append(compared(&Root::new("tex", read.source(), &read), Members::of(&document), encoding, None));
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
struct Part<'j> {
    members: Members<'j>,
    encoding: Encoding,
}

impl Content for Part<'_> {
    fn field(&self, field: &Field<'_>) -> Result<Option<Value>> {
        let FieldName::Static(name) = field.name else { return Ok(None) };
        let Some(given) = Cells::get(&self.members, name) else { return Ok(None) };
        if let Stored::Counted(counted) = field.stored {
            let mut bytes = self.members.text_of(name, self.encoding)?;
            // The bytes of a name are all that are counted, and null is a name without any.
            let is_text = given.name().is_some() && self.members.get(&format!("{name}_bytes")).is_none();
            if is_text && counted.nul {
                bytes.push(0);
            }
            return Ok(Some(Value::Bytes(bytes)));
        }
        let reader = Reader { encoding: self.encoding, is_new: true, is_new_file: true };
        reader.read(field, &given).map_err(|why| EditError::malformed(None, format!("`{name}`: {why}")))
    }

    fn array(&self, array: &Array<'_>) -> Result<Option<Vec<u8>>> {
        let Some(given) = Cells::get(&self.members, array.name) else { return Ok(None) };
        let stored = Grid::read(array, &given).and_then(Grid::stored);
        stored.map(Some).map_err(|why| EditError::malformed(None, format!("`{}`: {why}", array.name)))
    }

    fn number(&self, name: &str) -> Option<i64> {
        whole(&*self.members.get(name)?.json().ok()?).and_then(|number| number.try_into().ok())
    }

    fn len(&self, name: &str) -> Option<usize> {
        let found = self.members.get(name)?;
        if let Some(text) = found.text() {
            return match name.ends_with("_bytes") {
                true => text.len().checked_div(2),
                false => self.len(&format!("{name}_bytes")).or(Some(text.len())),
            };
        }
        let rows = found.list().ok()?;
        // Rows of bytes, but not colors.
        if rows.first().and_then(|row| row.text()).is_some_and(|row| !row.starts_with('#')) {
            let digits = rows.iter().filter_map(|row| row.text()).map(|row| row.len()).fold(0, usize::saturating_add);
            return digits.checked_div(2);
        }
        Some(rows.len())
    }

    fn list(&self, name: &str) -> Result<Vec<Self>> {
        let single = self.members.get(name).filter(|found| found.is_object()).map(Doc::members);
        let all = match single {
            Some(single) => vec![single.map_err(|why| EditError::malformed(None, format!("`{name}`: {why}")))?],
            None => self.members.objects_of(name)?,
        };
        Ok(all.into_iter().map(|members| Self { members, encoding: self.encoding }).collect())
    }
}
