mod object;

use std::collections::HashSet;

use serde_json::{Map, Value as Json};
use worldview_core::describe::{Describe, FieldValue, Stored};
use worldview_core::quote;
use worldview_core::{FieldInfo, Path, field_name};
use worldview_edit::account::SourcePlace;
use worldview_export::Encoding;
use worldview_inspect::{Options, Root};
use worldview_wwd::raw::PlaneHeader;
use worldview_wwd::{Level, LevelDescription, Plane, Unpacked};

use super::{Read, check_format, error, export, parse, same, shown, single, unchanged, whole};
use crate::level::{Frame, Given, KIND, Objects, frame, not_encodable, paths, read, text, value, with_part};
use crate::table::missing_of;
use worldview_edit::unhex;
use worldview_edit::{Change, EditError, Planned, Position, Result, Value};

/// Returns the changes that apply an edited `level.json` to a level; `encoding` is the code page of the export.
///
/// Planes and tile attributes are found by their place, objects by `object`, the key of their path. An object without this member is
/// new, and comes last in its plane. In older exports `object` is a number, that of the row in the plane. A plane gets another size if `tiles_wide` or `tiles_high` and the rows of `tiles` are edited.
///
/// # Errors
///
/// Returns an error, with the path of the place, if:
///
/// - the text is not such a document
/// - a member is unknown, or follows from others and was edited
/// - planes, tile attributes or image sets are missing, or the former two were added
/// - a value has another type, does not fit, or has a character that the code page lacks
pub fn level(file: &Unpacked<'_>, original: &Level<'_>, edited: &[u8], encoding: Encoding) -> Result<Planned> {
    let mut edited = parse(edited, None)?;
    let version = check_format(&mut edited, "wwd")?;
    level_of(file, original, &edited, (version, false), encoding)
}

/// Returns the same as [`level`] for the members of a document, of a version. In a new level, a member that cannot be read is refused
/// without the rest of its element.
pub(crate) fn level_of(
    file: &Unpacked<'_>,
    original: &Level<'_>,
    edited: &Map<String, Json>,
    (version, is_new): (Option<u32>, bool),
    encoding: Encoding,
) -> Result<Planned> {
    let described = LevelDescription::new(file, original);
    let mut export = exported(file, original, &described, encoding)?;
    let mut import = LevelImport { version, is_new, ..LevelImport::of(original, encoding) };
    for (name, new) in edited {
        import.pointer = format!("/{name}");
        let old = export.shift_remove(name);
        match (name.as_str(), &old, new) {
            ("header", Some(Json::Object(old)), Json::Object(new)) => {
                let mut path = Path::new();
                path.push_name(b"header");
                import.fields(&path, file.header().fields(), old, new, &mut |_, _| Ok(false))?;
            }
            ("planes", Some(Json::Array(old)), Json::Array(new)) => import.planes(old, new)?,
            ("tile_attributes", Some(Json::Object(old)), Json::Object(new)) => import.table(old, new)?,
            (_, old, new) => {
                let read = unchanged(name, old.as_ref(), new).map_err(|why| error(&Path::new(), None, why));
                import.settle(read);
            }
        }
    }
    Ok(import.planned)
}

/// Returns the changes that apply an edited `objects.ndjson` to a level, as [`level`] does for `level.json`.
///
/// # Errors
///
/// Returns an error as [`level`] does, also with the line.
pub fn objects(
    file: &Unpacked<'_>,
    original: &Level<'_>,
    edited: &[u8],
    encoding: Encoding,
    removes: bool,
) -> Result<Planned> {
    let described = LevelDescription::new(file, original);
    let export = exported(file, original, &described, encoding)?;
    let old = export.get("planes").and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
    let mut import = LevelImport::of(original, encoding);
    let (mut list, mut is_seen) = (Objects::of(original)?, Vec::new());
    for (line, text) in (1..).zip(edited.split(|&byte| byte == b'\n')) {
        if text.trim_ascii().is_empty() {
            continue;
        }
        import.line = Some(line);
        let mut members = parse(text, Some(line))?;
        let plane = members.shift_remove("plane").and_then(|plane| plane.as_u64());
        let plane = plane.and_then(|plane| usize::try_from(plane).ok()).filter(|plane| *plane < old.len());
        let plane =
            plane.ok_or_else(|| error(&Path::new(), Some(line), "an object needs the number of its `plane`"))?;
        let name = original.planes().get(plane).map(|plane| encoding.decode(plane.name()).into());
        if let Some(found) = members.shift_remove("plane_name") {
            unchanged("plane_name", name.as_ref(), &found).map_err(|why| error(&Path::new(), Some(line), why))?;
        }
        let old = old.get(plane).and_then(|plane| plane.get("objects")).and_then(Json::as_array);
        let old = old.map_or(&[][..], Vec::as_slice);
        let read = import.object(plane, old, &Json::Object(members), &mut list, &mut is_seen);
        import.settle(read);
    }
    is_seen.resize(list.len(), false);
    let removes = removes && import.planned.account.refused() == 0;
    import.planned.append(list.finish(&is_seen, removes));
    Ok(import.planned)
}

/// Returns the changes that apply an edited `attributes.ndjson` to a level, as [`level`] does for `level.json`.
///
/// # Errors
///
/// Returns an error as [`level`] does, also with the line.
pub fn attributes(file: &Unpacked<'_>, original: &Level<'_>, edited: &[u8], encoding: Encoding) -> Result<Planned> {
    let described = LevelDescription::new(file, original);
    let export = exported(file, original, &described, encoding)?;
    let old = export.get("tile_attributes").and_then(|table| table.get("records")).and_then(Json::as_array);
    let mut import = LevelImport::of(original, encoding);
    let (old, mut count, mut seen) = (old.map_or(&[][..], Vec::as_slice), 0_usize, HashSet::new());
    for (line, text) in (1..).zip(edited.split(|&byte| byte == b'\n')) {
        if !text.trim_ascii().is_empty() {
            import.line = Some(line);
            let members = Json::Object(parse(text, Some(line))?);
            // Lines that were left out still have the numbers of theirs.
            let number = members.get("frame").and_then(Json::as_u64).and_then(|number| usize::try_from(number).ok());
            let number = number.unwrap_or(count);
            let read = import.attribute(number, old.get(number), &members);
            import.settle(read);
            seen.insert(number);
            count = count.saturating_add(1);
        }
    }
    let missing: Vec<_> = (0..old.len()).filter(|number| !seen.contains(number)).collect();
    if !missing.is_empty() {
        let entry = missing_of((missing.len(), old.len()), "tile attributes", false, &Path::new());
        let keys = missing.iter().map(ToString::to_string);
        import.planned.account.push(entry.about(missing.len() as u64, keys));
    }
    Ok(import.planned)
}

/// Returns what the export of the original says.
fn exported(
    file: &Unpacked<'_>,
    level: &Level<'_>,
    described: &dyn Describe,
    encoding: Encoding,
) -> Result<Map<String, Json>> {
    let root = Root::new("wwd", level.image(), described).besides(file.trailing().len() as u64);
    export(&root, &Options { encoding, full: true, ..Options::default() })
}

struct LevelImport<'l, 'a> {
    level: &'l Level<'a>,
    encoding: Encoding,
    /// The version of the document; lines have none.
    version: Option<u32>,
    /// Whether the level is a new one.
    is_new: bool,
    planned: Planned,
    line: Option<u64>,
    /// Where the document has what is being read.
    pointer: String,
}

impl<'l, 'a> LevelImport<'l, 'a> {
    fn of(level: &'l Level<'a>, encoding: Encoding) -> Self {
        let planned = Planned::default();
        Self { level, encoding, version: None, is_new: false, planned, line: None, pointer: String::new() }
    }

    /// Adds the refusal of a part, if there is one.
    fn settle(&mut self, read: Result<()>) {
        if let Err(error) = read {
            let place = self.place();
            self.planned.refuse(&error, place);
        }
    }

    /// Adds the refusal of a member of a part, if there is one.
    fn settle_at(&mut self, read: Result<()>, member: &str) {
        let len = self.pointer.len();
        self.pointer.extend(["/", member]);
        self.settle(read);
        self.pointer.truncate(len);
    }

    /// Where the source has the part that is being read.
    fn place(&self) -> SourcePlace {
        match self.line {
            Some(line) => SourcePlace::row(line),
            None => SourcePlace::pointer(self.pointer.clone()),
        }
    }

    fn error(&self, path: &Path, why: impl Into<String>) -> EditError {
        error(path, self.line, why)
    }

    fn member(&self, path: &Path, name: &str, why: impl Into<String>) -> EditError {
        let mut path = path.clone();
        path.push_name(name.as_bytes());
        self.error(&path, why)
    }

    /// Returns what was read of a member. What could not be read is an error about the whole element, if the level is no new one.
    fn taken<T>(&mut self, read: Read<Option<T>>, path: &Path, name: &str) -> Result<Option<T>> {
        match read.map_err(|why| self.member(path, name, why)) {
            Err(error) if self.is_new => {
                self.settle_at(Err(error), name);
                Ok(None)
            }
            read => read,
        }
    }

    fn set(&mut self, path: &Path, name: &str, from: Option<Value>, to: Value) {
        let mut path = path.clone();
        path.push_name(name.as_bytes());
        self.planned.changes.push(Change::Set { path, from, to });
    }

    /// Takes the members of a fixed-layout structure; `other` takes a member that is no field of it, if it returns `true`.
    fn fields<'f>(
        &mut self,
        path: &Path,
        fields: impl Iterator<Item = (&'static FieldInfo, FieldValue<'f>)>,
        old: &Map<String, Json>,
        new: &Map<String, Json>,
        other: &mut dyn FnMut(&mut Self, &str) -> Result<bool>,
    ) -> Result<()> {
        let fields: Vec<_> = fields.collect();
        for (name, json) in new {
            let is_text =
                |name: &str| fields.iter().any(|(info, _)| info.name == name && matches!(info.stored, Stored::Text(_)));
            // Bytes are taken with their text.
            let base = name.strip_suffix("_bytes").filter(|base| is_text(base));
            if base.is_some_and(|base| new.contains_key(base)) {
                continue;
            }
            let name = base.unwrap_or(name);
            let Some((info, field)) = fields.iter().find(|(info, _)| info.name == name) else {
                if !other(self, name)? {
                    let read = unchanged(name, old.get(name), json).map_err(|why| self.member(path, name, why));
                    self.settle_at(read, name);
                }
                continue;
            };
            let read = match info.stored {
                Stored::Text(_) => self.text(name, old, new),
                _ => edited(info, old.get(name), json),
            };
            match read {
                Ok(Some(to)) => self.set(path, name, Some(value(info, *field)), to),
                Ok(None) => {}
                Err(why) => {
                    let refused = Err(self.member(path, name, why));
                    self.settle_at(refused, name);
                }
            }
        }
        Ok(())
    }

    /// Reads a text, or its bytes if these were edited. Returns `None` if the original has it.
    fn text(&self, name: &str, old: &Map<String, Json>, new: &Map<String, Json>) -> Read<Option<Value>> {
        let bytes_name = format!("{name}_bytes");
        let edited = |name: &str| new.get(name).filter(|new| !old.get(name).is_some_and(|old| same(old, new)));
        let stored = match edited(&bytes_name) {
            Some(Json::String(digits)) => Some(unhex(digits).ok_or_else(|| {
                format!(
                    "expected pairs of hexadecimal digits as `{bytes_name}`, found {digits}",
                    digits = quote(digits)
                )
            })?),
            Some(other) => return Err(format!("expected text as `{bytes_name}`, found {}", shown(other))),
            None => None,
        };
        let encoded = match edited(name) {
            Some(Json::String(text)) => {
                Some(self.encoding.encode(text).ok_or_else(|| not_encodable(text, self.encoding))?)
            }
            Some(other) => return Err(format!("expected text, found {}", shown(other))),
            None => None,
        };
        match (encoded, stored) {
            (Some(encoded), Some(stored)) if encoded != stored => {
                Err(format!("`{name}` and `{bytes_name}` were edited to different texts"))
            }
            (_, Some(stored)) => Ok(Some(text(&stored))),
            (encoded, None) => Ok(encoded.map(|encoded| text(&encoded))),
        }
    }

    fn count(&self, what: &str, old: usize, new: usize, path: &Path) -> Result<()> {
        if old == new {
            return Ok(());
        }
        Err(self.error(path, format!("the number of {what} cannot change: expected {old}, found {new}")))
    }

    fn planes(&mut self, old: &[Json], new: &[Json]) -> Result<()> {
        self.count("planes", old.len(), new.len(), &Path::new())?;
        let mut objects = Objects::of(self.level)?;
        let mut is_seen = Vec::new();
        let level = self.level;
        for (((plane, path), old), new) in level.planes().iter().zip(paths(level)).zip(old).zip(new) {
            let pointer = format!("/planes/{}", plane.index());
            self.pointer.clone_from(&pointer);
            let (Json::Object(old), Json::Object(new)) = (old, new) else {
                return Err(self.error(&path, format!("expected a plane, found {}", shown(new))));
            };
            self.fields(&path, plane.header().fields(), old, new, &mut |import, name| match (name, new.get(name)) {
                ("image_sets", Some(Json::Array(names))) => {
                    let read = import.image_sets(plane, &path, old.get(name), names);
                    import.settle_at(read, name);
                    Ok(true)
                }
                ("tiles", Some(Json::Array(rows))) => {
                    let read = import.tiles(plane, &path, new, rows);
                    import.settle_at(read, name);
                    Ok(true)
                }
                ("objects", Some(Json::Array(list))) => {
                    let old = old.get(name).and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
                    for (number, object) in list.iter().enumerate() {
                        import.pointer = format!("{pointer}/objects/{number}");
                        let read = import.object(plane.index(), old, object, &mut objects, &mut is_seen);
                        import.settle(read);
                    }
                    import.pointer.clone_from(&pointer);
                    Ok(true)
                }
                _ => Ok(false),
            })?;
            if !new.contains_key("objects") {
                let kept = (0..).map_while(|index| objects.number(plane.index(), index));
                kept.for_each(|number| see(&mut is_seen, number));
            }
        }
        is_seen.resize(objects.len(), false);
        self.planned.append(objects.finish(&is_seen, true));
        Ok(())
    }

    fn image_sets(&mut self, plane: &Plane<'_>, path: &Path, old: Option<&Json>, new: &[Json]) -> Result<()> {
        let old = old.and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
        let names = plane.image_sets().iter().map(|name| Ok(name?.to_vec()));
        let names = names.collect::<worldview_core::Result<Vec<_>>>()?;
        if new.len() < old.len() {
            let why = format!(
                "tiles refer to image sets by number, so none can be removed: expected {}, found {}",
                old.len(),
                new.len()
            );
            return Err(self.member(path, "image_sets", why));
        }
        for (index, new) in new.iter().enumerate() {
            if old.get(index) == Some(new) {
                continue;
            }
            let mut path = path.clone();
            path.push_nth(b"image_set", u32::try_from(index).unwrap_or(u32::MAX));
            let read = match new {
                Json::String(name) => self.encoding.encode(name).ok_or_else(|| not_encodable(name, self.encoding)),
                other => Err(format!("expected text, found {}", shown(other))),
            };
            let to = text(&read.map_err(|why| self.error(&path, why))?);
            self.planned.changes.push(match names.get(index) {
                Some(old) => Change::Set { path, from: Some(text(old)), to },
                None => {
                    let (fields, position) = (Vec::new(), Position::Natural);
                    Change::Add { path, like: None, position, fields, data: Some(to) }
                }
            });
        }
        Ok(())
    }

    fn tiles(&mut self, plane: &Plane<'_>, path: &Path, members: &Map<String, Json>, rows: &[Json]) -> Result<()> {
        let size = |name: &str, old: i32| match members.get(name) {
            Some(size) => whole(size, (0, i32::MAX.into())).ok().and_then(|size| usize::try_from(size).ok()),
            None => usize::try_from(old).ok(),
        };
        let raw = plane.header();
        let (wide, high) = (
            size(field_name!(PlaneHeader, tiles_wide), raw.tiles_wide.get()),
            size(field_name!(PlaneHeader, tiles_high), raw.tiles_high.get()),
        );
        let is_size =
            |rows: &[Json]| Some(rows.len()) == high && rows.iter().all(|row| row.as_array().map(Vec::len) == wide);
        // A plane without columns has no rows here.
        if !is_size(rows) && !(rows.is_empty() && (wide == Some(0) || high == Some(0) || plane.tiles().is_empty())) {
            let [wide, high] = [wide, high].map(|size| size.map_or_else(|| "?".to_owned(), |size| size.to_string()));
            return Err(self.member(path, "tiles", format!("expected {high} rows of {wide} tiles")));
        }
        for (y, row) in rows.iter().enumerate() {
            for (x, tile) in row.as_array().into_iter().flatten().enumerate() {
                let old = plane.tile(x, y).map(|tile| tile.get());
                let mut place = path.clone();
                if old.is_some_and(|old| tile.as_u64() == Some(old.into())) {
                    continue;
                }
                place.push("tile", format!("{x},{y}").as_bytes(), None);
                let word = whole(tile, (0, u32::MAX.into())).map_err(|why| self.error(&place, why))?;
                // New cells are empty.
                if old.unwrap_or(u32::MAX) != u32::try_from(word).unwrap_or_default() {
                    let (from, to) = (old.map(Value::from), Value::Integer(word));
                    self.planned.changes.push(Change::Set { path: place, from, to });
                }
            }
        }
        Ok(())
    }

    fn table(&mut self, old: &Map<String, Json>, new: &Map<String, Json>) -> Result<()> {
        let mut path = Path::new();
        path.push_name(b"tile_attributes");
        for (name, json) in new {
            match (name.as_str(), old.get(name), json) {
                ("records", Some(Json::Array(old)), Json::Array(new)) => {
                    self.count("tile attributes", old.len(), new.len(), &path)?;
                    for (index, new) in new.iter().enumerate() {
                        self.pointer = format!("/tile_attributes/records/{index}");
                        let read = self.attribute(index, old.get(index), new);
                        self.settle(read);
                    }
                }
                (_, old, json) => {
                    self.pointer = format!("/tile_attributes/{name}");
                    let read = unchanged(name, old, json).map_err(|why| self.member(&path, name, why));
                    self.settle(read);
                }
            }
        }
        Ok(())
    }

    fn attribute(&mut self, index: usize, old: Option<&Json>, new: &Json) -> Result<()> {
        let path = frame(index);
        let record = self.level.attributes().records().get(index);
        let (Some(record), Some(Json::Object(old))) = (record, old) else {
            return Err(self.error(&path, "no tile attribute can be added"));
        };
        let Json::Object(members) = new else {
            return Err(self.error(&path, format!("expected a tile attribute, found {}", shown(new))));
        };
        if old.len() == members.len() && same(&Json::Object(old.clone()), new) {
            return Ok(());
        }
        let kind = |old: u32| match members.get(KIND) {
            None => Some(old),
            Some(kind) => whole(kind, (1, 3)).ok().and_then(|kind| u32::try_from(kind).ok()),
        };
        let edited = Frame::of(record, kind);
        let mut edited = edited.ok_or_else(|| self.member(&path, "kind", "expected 1, 2 or 3"))?;
        for (name, json) in members.iter().filter(|(name, _)| *name != KIND) {
            if let Some(info) = edited.field(name) {
                let value = self.taken(self::edited(info, None, json), &path, name)?;
                edited.new.extend(value.map(|value| (info.name, value)));
            } else if name == "pixels" && edited.kind == 3 {
                let why = || {
                    self.member(&path, name, "expected rows of pixels as pairs of hexadecimal digits, or as numbers")
                };
                edited.pixels = Some(pixels(json).ok_or_else(why)?);
            } else if edited.is_same_kind() || !old.contains_key(name) || matches!(name.as_str(), "at" | "frame") {
                unchanged(name, old.get(name), json).map_err(|why| self.member(&path, name, why))?;
            } else {
                return Err(self.member(&path, name, "the kind of this tile attribute has no such member"));
            }
        }
        edited.finish(index, &mut self.planned.changes).map_err(|why| self.member(&path, "pixels", why))
    }
}

fn see(is_seen: &mut Vec<bool>, number: usize) {
    if is_seen.len() <= number {
        is_seen.resize(number.saturating_add(1), false);
    }
    is_seen.get_mut(number).into_iter().for_each(|seen| *seen = true);
}

/// Reads the pixels of a mask: rows of hexadecimal digits or of numbers, or one such row.
fn pixels(json: &Json) -> Option<Vec<u8>> {
    match json {
        Json::String(digits) => unhex(digits),
        Json::Number(pixel) => Some(vec![u8::try_from(pixel.as_u64()?).ok()?]),
        Json::Array(rows) => rows.iter().map(pixels).collect::<Option<Vec<_>>>().map(|rows| rows.concat()),
        _ => None,
    }
}

/// Reads a field that is no text. Returns `None` if the original has the value.
pub(crate) fn edited(info: &FieldInfo, old: Option<&Json>, new: &Json) -> Read<Option<Value>> {
    if old.is_some_and(|old| same(old, new)) {
        return Ok(None);
    }
    match (info.stored.count(), new) {
        (None, new) => read(info, new).map(Some),
        (Some(count), Json::Array(list)) if list.len() == count => {
            let mut all = None;
            for (part, json) in list.iter().enumerate() {
                all = Some(with_part(info, all.as_ref(), part, read(info, json)?));
            }
            Ok(all)
        }
        (Some(count), other) => Err(format!("expected {count} integers, found {}", shown(other))),
    }
}

impl Given for Json {
    fn integer(&self, range: (i128, i128)) -> Read<i128> {
        whole(self, range)
    }

    fn float(&self) -> Read<f32> {
        single(self)
    }

    fn bytes(&self) -> Read<Vec<u8>> {
        let bytes = self.as_str().and_then(unhex);
        bytes.ok_or_else(|| format!("expected pairs of hexadecimal digits, found {}", shown(self)))
    }
}
