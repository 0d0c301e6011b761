use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::{Map, Value as Json};
use worldview_core::Path;
use worldview_core::account::{Account, Column, Entry, SourcePlace};
use worldview_core::describe::{Array, Elements, Field, FieldName, Stored};
use worldview_edit::island::new::{self, Content};
use worldview_edit::{EditError, Result, Value, unhex};
use worldview_export::Encoding;
use worldview_export::names::{Taken, file_name, texture_stem};
use worldview_inspect::{Root, hex};
use worldview_island::{Contents, Database, DatabaseDescription, TextureFile};

use super::{Built, Comparison, NewMember, PICTURE_NOT_USED, list, object, text_bytes};
use crate::json::{check_format, parse, shown, single, whole};
use crate::png::{Indexed, painted};

/// The most pixels that the pictures of a source may have together.
const MAX_PIXELS: usize = 1 << 27;

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

/// Gives the images of a document the colors and pixels of pictures.
fn painted_by(document: &mut Map<String, Json>, pictures: &[NewMember<'_>], encoding: Encoding) -> Result<Account> {
    let mut painter = Painter {
        files: pictures.iter().map(|picture| (picture.path, picture.data)).collect(),
        used: BTreeSet::new(),
        taken: Taken::default(),
        known: HashMap::new(),
        has_no_pixels: false,
        left: MAX_PIXELS,
        account: Account::new(),
        encoding,
    };
    // The order in which `export` names pictures.
    let is_file = document.contains_key("textures");
    painter.list(document, String::new(), !is_file)?;
    for name in ["global_textures", "global_parts"] {
        if let Some(Json::Object(part)) = document.get_mut(name) {
            painter.list(part, format!("/{name}"), true)?;
        }
    }
    if let Some(Json::Array(blobs)) = document.get_mut("blobs") {
        for (number, blob) in blobs.iter_mut().enumerate() {
            if let Json::Object(blob) = blob {
                painter.list(blob, format!("/blobs/{number}"), true)?;
            }
        }
    }
    Ok(painter.finish())
}

/// The file of a picture by its name, its quality, and all that the document says of the image.
type Known = HashMap<(Vec<u8>, bool, [Json; 4]), String>;

struct Painter<'f> {
    files: BTreeMap<&'f str, &'f [u8]>,
    /// The paths of pictures that images have.
    used: BTreeSet<String>,
    taken: Taken,
    known: Known,
    /// Whether an image has no pixels but those of a picture.
    has_no_pixels: bool,
    /// The number of pixels that pictures may still have.
    left: usize,
    account: Account,
    encoding: Encoding,
}

impl Painter<'_> {
    /// Gives the textures of a list the pixels of pictures. Equal images of one name share a picture, except in a `.tex` file.
    fn list(&mut self, owner: &mut Map<String, Json>, pointer: String, are_shared: bool) -> Result<()> {
        let Some(Json::Array(textures)) = owner.get_mut("textures") else { return Ok(()) };
        for (number, texture) in textures.iter_mut().enumerate() {
            let pointer = format!("{pointer}/textures/{number}");
            let Json::Object(texture) = texture else { continue };
            let mut name = text_bytes(texture, "name", self.encoding)?;
            name.truncate(name.iter().position(|byte| *byte == 0).unwrap_or(name.len()));
            let Some(Json::Array(images)) = texture.get_mut("images") else { continue };
            if images.len() > 1 && name.starts_with(b"^") {
                name.remove(0);
            }
            let last = images.len().saturating_sub(1);
            // The high quality comes first.
            for (at, image) in images.iter_mut().enumerate().rev() {
                let pointer = format!("{pointer}/images/{at}");
                if let Json::Object(image) = image {
                    self.image(image, (&name, at < last), are_shared, &pointer)?;
                }
            }
        }
        Ok(())
    }

    fn image(
        &mut self,
        image: &mut Map<String, Json>,
        (name, is_low): (&[u8], bool),
        is_shared: bool,
        pointer: &str,
    ) -> Result<()> {
        let error = |why: String| EditError::malformed(None, format!("{pointer}: {why}"));
        let has_size = |image: &Map<String, Json>| {
            ["width", "height"].iter().all(|side| image.get(*side).and_then(Json::as_u64).is_some_and(|side| side > 0))
        };
        let has_pixels = image.contains_key("pixels");
        // Pictures have pixels.
        let path =
            if has_pixels && !has_size(image) { String::new() } else { self.path(image, name, is_low, is_shared) };
        let Some(file) = self.files.get(&*path).copied() else {
            if !has_pixels && has_size(image) {
                return Err(error(format!("the source has neither `pixels` nor the picture {path}")));
            }
            return Ok(());
        };
        self.used.insert(path.clone());
        self.has_no_pixels |= !has_pixels;
        let old = if has_pixels { indexed(image).map_err(error)? } else { Indexed::default() };
        let (new, mut planned) =
            painted(&old, file).map_err(|error| EditError::malformed(None, format!("{path}: {error}")))?;
        planned.account.entries_mut().for_each(|entry| {
            let inside = entry.place.pointer.take().unwrap_or_default();
            entry.place = SourcePlace::pointer(format!("{path} {inside}").trim_end());
        });
        self.account.append(planned.account);
        let Some(mut new) = new else { return Ok(()) };
        // A palette that was too short for its pixels is longer in the picture.
        let count = image.get("color_count").and_then(Json::as_u64).and_then(|count| usize::try_from(count).ok());
        let behind = count.filter(|_| !has_pixels).and_then(|count| new.palette.get(count..));
        if let (Some(count), Some(behind)) = (count, behind)
            && behind.iter().all(|color| *color == [0; 3])
        {
            new.palette.truncate(count);
        }
        let left = self.left.checked_sub(new.pixels.len());
        self.left = left.ok_or_else(|| error(format!("the pictures have more than {MAX_PIXELS} pixels together")))?;
        let width = usize::try_from(new.width).unwrap_or(usize::MAX).max(1);
        let palette = new.palette.iter().map(|color| format!("#{}", hex(color)).into()).collect();
        let pixels = new.pixels.chunks(width).map(|row| hex(row).into()).collect();
        image.shift_remove("color_count");
        image.insert("width".to_owned(), new.width.into());
        image.insert("height".to_owned(), new.height.into());
        image.insert("palette".to_owned(), Json::Array(palette));
        image.insert("pixels".to_owned(), Json::Array(pixels));
        Ok(())
    }

    /// Returns the path that `export` gives the picture of an image.
    fn path(&mut self, image: &Map<String, Json>, name: &[u8], is_low: bool, is_shared: bool) -> String {
        let stem = file_name(name);
        let low = if is_low { ".low" } else { "" };
        let mut new = || self.taken.take(format!("textures/{}{low}.png", texture_stem(&stem)));
        if !is_shared {
            return new();
        }
        let said = ["width", "height", "palette", "pixels"].map(|name| image.get(name).cloned().unwrap_or_default());
        self.known.entry((name.to_ascii_lowercase(), is_low, said)).or_insert_with(new).clone()
    }

    /// Says which pictures no image has taken.
    fn finish(mut self) -> Account {
        // Equal pictures may be files of one image each, and only pixels say which.
        let column = if self.has_no_pixels { Column::Refused } else { Column::LeftOut };
        for path in self.files.keys().filter(|path| !self.used.contains(**path)) {
            let entry =
                Entry::new(column, PICTURE_NOT_USED, &Path::new(), "the document has no image for this picture");
            self.account.push(entry.at(SourcePlace::pointer(*path)));
        }
        self.account
    }
}

/// Returns the image that a document has with its pixels.
fn indexed(image: &Map<String, Json>) -> std::result::Result<Indexed, String> {
    let side = |name: &str| image.get(name).map_or(Ok(0), |side| whole(side, (0, u32::MAX.into())));
    let [width, height] = [side("width")?, side("height")?].map(|side| u32::try_from(side).unwrap_or(u32::MAX));
    let colors = image.get("palette").map_or(Ok(Vec::new()), colors)?;
    let pixels = image.get("pixels").map_or(Ok(Vec::new()), |rows| bytes(rows, 0))?;
    if u64::from(width).checked_mul(height.into()) != Some(pixels.len() as u64) {
        return Err(format!("{} `pixels` are not {width} x {height}", pixels.len()));
    }
    Ok(Indexed { width, height, palette: colors.as_chunks::<3>().0.to_vec(), pixels })
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
        let len = |len: usize| i64::try_from(len).ok();
        match self.members.get(name)? {
            Json::Number(number) => number.as_i64(),
            Json::String(digits) if name.ends_with("_bytes") => len(digits.len().checked_div(2)?),
            Json::String(text) => self.number(&format!("{name}_bytes")).or_else(|| len(text.len())),
            // Rows of bytes, but not colors.
            Json::Array(rows) if rows.first().and_then(Json::as_str).is_some_and(|row| !row.starts_with('#')) => {
                let digits = rows.iter().filter_map(Json::as_str).map(str::len).fold(0, usize::saturating_add);
                len(digits.checked_div(2)?)
            }
            Json::Array(list) => len(list.len()),
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
