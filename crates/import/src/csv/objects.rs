use worldview_core::describe::Role;
use worldview_core::quote;
use worldview_core::zerocopy::IntoBytes as _;
use worldview_core::{FieldInfo, Path};
use worldview_edit::account::SourcePlace;
use worldview_export::Encoding;
use worldview_export::level::csv;
use worldview_wwd::raw::ObjectRecord;
use worldview_wwd::{Level, Object, ObjectKey};

use super::sheet::{self, Old, Row, Rows, Sheet};
use super::{Options, export};
use crate::cell::{self, is_same_text};
use crate::level::{ID, Objects, not_encodable, object, read, text, value, with_part};
use worldview_edit::unhex;
use worldview_edit::{EditError, Planned, Result, Value};

/// Columns before those of the strings.
const KEYS: usize = 3;

/// What errors say about sheets of older versions.
const OLD: &str =
    "sheets of older versions have row numbers in the column `object`: export again, and keep the column `id`";

/// Returns the changes that apply an edited `objects.csv` to a level.
///
/// Rows are objects by `plane`, its number, and `object`, the key of its path, in any order. A row whose `object` is empty, or that of
/// another row, is a new object, which comes last in its plane; empty or missing numbers are zero, and an id that is empty or that of
/// another object becomes the next free one.
///
/// In sheets of older versions `object` was a row number. They are recognized by the column `id` and refused.
///
/// # Errors
///
/// Returns an error, with the line, the object and the column, if:
///
/// - the text is not UTF-8 or UTF-16 with a byte order mark
/// - a column is unknown, occurs twice, or is `plane` or `object` and missing
/// - the plane has no object with the key, or several
/// - the sheet is, or could be, one of an older version
/// - a cell is not a number, does not fit, or has a character that the code page lacks
/// - the name of a plane or the length of a string was edited
pub fn objects(original: &Level<'_>, edited: &[u8], options: &Options) -> Result<Planned> {
    let columns = columns();
    let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
    let sheet = Sheet::open(edited, options, |name| names.iter().any(|other| other == name))?;
    let export = export(options, |out| csv::objects(original, options.encoding, out))?;
    let places = sheet::places(&sheet, &names, &|_| None)?;
    for key in [0, 2] {
        if places.get(key).copied().flatten().is_none() {
            let name = names.get(key).map_or("", String::as_str);
            return Err(EditError::malformed(Some(1), format!("the column `{name}` is missing")));
        }
    }
    let planes = original.planes().iter().map(|plane| options.encoding.decode(plane.name()).into_owned()).collect();
    let objects = Objects::of(original)?;
    let mut rows = Sorted { objects, columns, planes, encoding: options.encoding, unclear: None };
    let mut planned = Planned::default();
    let is_seen = sheet::compare(&sheet, &export, &places, options.safe, &mut rows, &mut planned)?;
    rows.check_age(&is_seen)?;
    let removes = options.remove_missing && planned.account.refused() == 0;
    planned.append(rows.objects.finish(&is_seen, removes));
    Ok(planned)
}

/// A column of the sheet.
struct Column {
    name: String,
    kind: Kind,
}

enum Kind {
    Plane,
    PlaneName,
    Object,
    /// One of the four strings.
    Text(usize),
    Metadata,
    /// A field, or one of its parts.
    Field(&'static FieldInfo, usize),
}

fn columns() -> Vec<Column> {
    let keys = [("plane", Kind::Plane), ("plane_name", Kind::PlaneName), ("object", Kind::Object)];
    let texts = Object::STRINGS.into_iter().zip((0..).map(Kind::Text));
    let fixed = keys.into_iter().chain(texts).chain([("metadata", Kind::Metadata)]);
    let fixed = fixed.map(|(name, kind)| Column { name: name.to_owned(), kind });
    let fields = ObjectRecord::FIELDS.iter().flat_map(|info| {
        let parts = info.columns().zip(0..);
        parts.map(move |(name, part)| Column { name: name.into_owned(), kind: Kind::Field(info, part) })
    });
    fixed.chain(fields).collect()
}

struct Sorted<'a> {
    objects: Objects<'a>,
    columns: Vec<Column>,
    /// The names of the planes.
    planes: Vec<String>,
    encoding: Encoding,
    /// How many rows could be those of an older sheet, and the error about the first.
    unclear: Option<(usize, EditError)>,
}

/// The path of a row by its keys, for errors before it is known which object it is.
fn place(row: &Row<'_>) -> Path {
    let mut path = Path::new();
    path.push("plane", row.get(1).or(row.get(0)).unwrap_or("").as_bytes(), None);
    match key(row.get(2)) {
        Some(key) => object(&path, key),
        None => {
            path.push("object", row.get(2).unwrap_or("").as_bytes(), None);
            path
        }
    }
}

/// Reads the key of an object. A spreadsheet may have taken it for a number.
fn key(cell: Option<&str>) -> Option<ObjectKey> {
    let cell = cell?.trim();
    let number = || Some(ObjectKey::new(i32::try_from(cell::integer(cell, false)?).ok()?, None));
    cell.parse().ok().or_else(number)
}

fn index(cell: Option<&str>) -> Option<usize> {
    usize::try_from(cell::integer(cell?, false)?).ok()
}

impl Sorted<'_> {
    /// Returns the plane of a row, whose name must be that of the plane.
    fn plane(&self, row: &Row<'_>) -> Result<usize> {
        let count = self.objects.planes();
        let plane = index(row.get(0)).filter(|plane| *plane < count).ok_or_else(|| {
            let found = row.get(0).unwrap_or("");
            row.error(
                &place(row),
                format!("the level has no plane {found}; it has {count}, counted from 0", found = quote(found)),
            )
        })?;
        let name = self.planes.get(plane).map_or("", String::as_str);
        match row.get(1) {
            Some(cell) if !cell.is_empty() && !is_same_text(name, cell) => Err(row.error(
                &place(row),
                format!(
                    "the column `plane_name` cannot be edited: plane {plane} is {name}, found {cell}",
                    name = quote(name),
                    cell = quote(cell)
                ),
            )),
            _ => Ok(plane),
        }
    }

    /// Refuses a row of an older sheet, in which `object` is a row number and `id` that of the object in this row.
    fn recognize(&mut self, row: &Row<'_>, key: ObjectKey, number: usize) -> Result<()> {
        let id = self.columns.iter().position(|column| column.name == ID);
        let id = id.and_then(|id| self::key(row.get(id))).map(|key| key.id);
        let Some(other) = self.other(number).filter(|_| key.nth.is_none() && id != Some(key.id)) else { return Ok(()) };
        let error = || row.error(&place(row), format!("the row has not the `id` of this object; {OLD}"));
        let of_other = self.objects.key(other).map(|(_, _, key)| key.id);
        match &mut self.unclear {
            _ if id.is_some() && id == of_other => return Err(error()),
            Some((count, _)) => *count = count.saturating_add(1),
            none => *none = Some((1, error())),
        }
        Ok(())
    }

    /// Returns the other object whose row number could be meant by the key of an object.
    fn other(&self, number: usize) -> Option<usize> {
        let (plane, index, key) = self.objects.key(number).filter(|(_, _, key)| key.nth.is_none())?;
        let row = usize::try_from(key.id).ok().filter(|row| *row != index)?;
        self.objects.number(plane, row)
    }

    /// Refuses a sheet with unclear rows, unless another row tells that it is no older one: by an `id`, or a key that is no row number.
    fn check_age(&mut self, is_seen: &[bool]) -> Result<()> {
        let Some((count, error)) = self.unclear.take() else { return Ok(()) };
        let seen = || is_seen.iter().zip(0..).filter(|(is_seen, _)| **is_seen).map(|(_, number)| number);
        let is_key = |number: usize| {
            let (plane, _, key) = self.objects.key(number)?;
            let row = usize::try_from(key.id).ok().and_then(|row| self.objects.number(plane, row));
            Some(key.nth.is_some() || row.is_none())
        };
        let others = seen().filter(|number| self.other(*number).is_some()).count();
        if others > count || seen().any(|number| is_key(number) == Some(true)) { Ok(()) } else { Err(error) }
    }

    /// Reads a cell of a text.
    fn text(&self, cell: &str) -> std::result::Result<Value, String> {
        self.encoding.encode(cell).map(|bytes| text(&bytes)).ok_or_else(|| not_encodable(cell, self.encoding))
    }
}

fn metadata(cell: &str) -> std::result::Result<Value, String> {
    unhex(cell)
        .map(Value::Bytes)
        .ok_or_else(|| format!("expected pairs of hexadecimal digits, found {cell}", cell = quote(cell)))
}

fn field(object: &Object<'_>, info: &FieldInfo) -> Value {
    value(info, info.value(object.record.as_bytes()))
}

impl Rows for Sorted<'_> {
    fn find(&mut self, row: &Row<'_>, _: usize, is_seen: &[bool]) -> Result<Option<usize>> {
        if row.is_blank() {
            return Ok(None);
        }
        let plane = self.plane(row)?;
        let cell = row.get(2).unwrap_or("");
        if cell.trim().is_empty() {
            return Ok(None);
        }
        let expected = || format!("expected the key of an object, as in paths, found {cell}", cell = quote(cell));
        let key = key(Some(cell)).ok_or_else(|| row.error(&place(row), expected()))?;
        let number = self.objects.find(plane, key);
        let number = number.map_err(|why| row.error(&place(row), format!("{why}; {OLD}")))?;
        if is_seen.get(number) == Some(&true) {
            // A copy of the row is another object.
            return Ok(None);
        }
        self.recognize(row, key, number)?;
        Ok(Some(number))
    }

    fn path(&mut self, index: usize) -> Path {
        self.objects.path(index)
    }

    fn changed(&mut self, index: usize, old: &Old<'_>, row: &Row<'_>) -> Result<bool> {
        let Some((_, _, object)) = self.objects.get(index) else { return Ok(false) };
        let mut list: Vec<(String, Option<Value>, Value)> = Vec::new();
        for (nth, column) in self.columns.iter().enumerate() {
            let (Some(new), old) = (row.get(nth), old.get(nth)) else { continue };
            if new == old {
                continue;
            }
            let name = column.name.as_str();
            let change = match &column.kind {
                Kind::Plane | Kind::Object => continue,
                Kind::PlaneName if is_same_text(old, new) => continue,
                Kind::PlaneName => Err(format!(
                    "the name of the plane cannot be edited: expected {old}, found {new}",
                    old = quote(old),
                    new = quote(new)
                )),
                Kind::Text(_) | Kind::Metadata if is_same_text(old, new) => continue,
                Kind::Text(nth) => {
                    let from = object.strings().get(*nth).map(|bytes| text(bytes));
                    self.text(new).map(|to| (name.to_owned(), from, to))
                }
                Kind::Metadata => {
                    let from = object.metadata().map(|metadata| Value::Bytes(metadata.stored.to_vec()));
                    metadata(new).map(|to| (name.to_owned(), from, to))
                }
                Kind::Field(info, part) => match read(info, &row.cell(new)) {
                    Ok(found) if info.role == Role::Storage => match found {
                        Value::Integer(found) if found.to_string() == old => continue,
                        _ => Err(format!(
                            "the column follows from others and cannot be edited: expected {old}, found {new}"
                        )),
                    },
                    Ok(to) if info.stored.count().is_some() => {
                        // Another part may have changed, too.
                        let known = list.iter().position(|(field, ..)| field == info.name).map(|at| list.remove(at));
                        let from = field(&object, info);
                        let to = with_part(info, known.as_ref().map_or(Some(&from), |(_, _, to)| Some(to)), *part, to);
                        Ok((info.name.to_owned(), Some(from), to))
                    }
                    read => read.map(|to| (info.name.to_owned(), Some(field(&object, info)), to)),
                },
            };
            match change {
                Ok((_, Some(from), to)) if from == to => {}
                Ok(change) => list.push(change),
                Err(why) => {
                    let mut path = self.objects.path(index);
                    path.push_name(name.as_bytes());
                    return Err(row.error(&path, why));
                }
            }
        }
        let is_changed = !list.is_empty();
        for (name, from, to) in list {
            self.objects.set(index, &name, from, to);
        }
        Ok(is_changed)
    }

    fn added(&mut self, row: &Row<'_>) -> Result<()> {
        let plane = self.plane(row)?;
        let (mut id, mut fields): (_, Vec<(String, Value)>) = (None, Vec::new());
        for (nth, column) in self.columns.iter().enumerate().skip(KEYS) {
            let Some(cell) = row.get(nth).filter(|cell| !cell.is_empty()) else { continue };
            let is_read = match &column.kind {
                Kind::Plane | Kind::PlaneName | Kind::Object => continue,
                Kind::Field(info, _) if info.role == Role::Storage => continue,
                Kind::Text(_) => self.text(cell).map(|to| fields.push((column.name.clone(), to))),
                Kind::Metadata => metadata(cell).map(|to| fields.push((column.name.clone(), to))),
                Kind::Field(info, part) => read(info, &row.cell(cell)).map(|to| {
                    if info.name == ID {
                        id = Some(to);
                    } else if info.stored.count().is_some() {
                        let known = fields.pop_if(|(field, _)| field == info.name);
                        let to = with_part(info, known.as_ref().map(|(_, to)| to), *part, to);
                        fields.push((info.name.to_owned(), to));
                    } else {
                        fields.push((info.name.to_owned(), to));
                    }
                }),
            };
            if let Err(why) = is_read {
                let mut path = place(row);
                path.push_name(column.name.as_bytes());
                return Err(row.error(&path, why));
            }
        }
        let id = match id {
            Some(Value::Integer(id)) => i32::try_from(id).ok(),
            _ => None,
        };
        self.objects.add(plane, (id, false), fields, SourcePlace::row(row.line()));
        Ok(())
    }
}
