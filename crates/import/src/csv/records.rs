use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use worldview_core::describe::Int;
use worldview_core::{Path, quote};
use worldview_edit::account::{Column, Entry, SourcePlace};
use worldview_export::table::{Selection, WORDS, csv};
use worldview_inspect::utf8;
use worldview_wpd::{Field, FieldKind, Table, Value as Cell};

use super::sheet::{self, Old, Row, Rows, Sheet};
use super::{Options, export};
use crate::cell::{self, is_rounded, is_same_text};
use crate::codes::{NEW_ARRAY_STRING, WORDS_NOT_READ};
use crate::nearest::nearest;
use crate::table::{NAMELESS, NameLookup, Names, check_name, limit, value};
use worldview_edit::{Change, Changes, EditError, Planned, Position, Result, Value};

/// Returns the changes that make a table say what its edited `records.csv` says.
///
/// Rows are records by name, in any order. An added row is a new record, whose empty numbers are zero. A column of bits that no field
/// owns, as `word65_bits29_31`, may be added.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use worldview_import::csv::{Options, records};
/// use worldview_edit::wpd;
/// use worldview_export::table::{Selection, csv};
/// use worldview_wpd::Table;
///
/// # let file: &[u8] = include_bytes!("../../../../samples/items.wdb");
/// let table = Table::parse(file)?;
/// let mut sheet = Vec::new();
/// csv::records(&table, &Selection::ALL, &mut sheet)?;
/// assert!(records(&table, &sheet, &Options::default())?.changes.is_empty());
///
/// let sheet = String::from_utf8(sheet)?.replace("apple_dried,", "apple_dry,");
/// let changes = records(&table, sheet.as_bytes(), &Options::default().remove_missing(true))?.complete()?;
/// let names: Vec<_> = changes.iter().map(|change| change.path().as_str()).collect();
/// assert_eq!(names, ["apple_dry", "apple_dried"]);
/// # let edited = wpd::apply(file, &changes)?.to_vec();
/// # assert_eq!(Table::parse(&edited)?.len(), table.len());
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// Returns an error, with the line, the record and the column, if:
///
/// - the text is not UTF-8 or UTF-16 with a byte order mark
/// - a column is unknown, occurs twice, or is `record` and missing
/// - a record has two rows, or one of several with its name was removed
/// - a cell is not a number or does not fit, or the name of the sheet was edited
pub fn records(original: &Table<'_>, edited: &[u8], options: &Options) -> Result<Planned> {
    let safe = options.safe;
    let names: HashSet<Cow<'_, str>> = original.fields().iter().map(|field| utf8(field.name())).collect();
    let is_sheet = |name: &str| name == "sheet" && !names.contains("sheet");
    let mut sheet = Sheet::open(edited, options, |name| name == "record" || is_sheet(name) || names.contains(name))?;
    let is_words = |name: &str| name.strip_suffix(WORDS).is_some_and(|field| names.contains(field));
    let words = sheet.header.iter().enumerate().filter(|(_, name)| is_words(name));
    let words: Vec<(usize, String)> = words.map(|(place, name)| (place, name.clone())).collect();
    sheet.ignored = words.iter().map(|(place, _)| *place).collect();
    let has_sheet = sheet.header.iter().any(|name| is_sheet(name));
    let selection = Selection::ALL.sheet(has_sheet);
    let export = export(options, |out| csv::records(original, &selection, out))?;
    let header = sheet::header(&export, safe);
    let first = if has_sheet { 2 } else { 1 };
    // The bits that no field owns are columns if one is set in any record. The others may be added.
    let mut bits: Vec<_> = original.unowned_bits().collect();
    let shown = header.get(original.fields().len().saturating_add(first)..).unwrap_or(&[]);
    let is_shown: HashSet<_> = shown.iter().map(String::as_bytes).collect();
    bits.sort_by_key(|bits| !is_shown.contains(bits.name()));
    let hidden = bits.iter().skip(shown.len()).map(|bits| bits.name());
    let hidden: HashMap<_, _> = hidden.zip(header.len()..).collect();
    let places = sheet::places(&sheet, &header, &|name| hidden.get(name.as_bytes()).copied())?;
    if places.first().copied().flatten().is_none() {
        return Err(EditError::malformed(Some(1), "the column `record` is missing"));
    }
    let fields = original.fields().iter().map(Cow::Borrowed).chain(bits.into_iter().map(Cow::Owned)).collect();
    let mut names = Names::of(original, options.is_trimmed);
    names.may_lack_name = options.is_new;
    let (planned, arrays, is_new) = (Planned::default(), HashMap::new(), options.is_new);
    let mut rows = Records { table: original, fields, first, names, planned, is_new, arrays };
    let mut planned = Planned::default();
    for (_, name) in words {
        let why = format!("the column `{name}` shows words for keys, and is not read");
        let place = SourcePlace { column: Some(name), ..SourcePlace::default() };
        planned.account.push(Entry::new(Column::LeftOut, WORDS_NOT_READ, &Path::new(), why).at(place));
    }
    let is_seen = sheet::compare(&sheet, &export, &places, safe, &mut rows, &mut planned)?;
    planned.append(rows.planned);
    let removes = options.remove_missing && planned.account.refused() == 0;
    rows.names.missing(&is_seen, removes, &mut planned)?;
    Ok(planned)
}

struct Records<'t, 'a> {
    table: &'t Table<'a>,
    /// The fields of the columns from `first` on.
    fields: Vec<Cow<'t, Field<'a>>>,
    first: usize,
    names: Names<'t, 'a>,
    planned: Planned,
    /// Whether the table is a new one: a cell that cannot be read is refused without its row.
    is_new: bool,
    /// The strings of the array of each field, when one was asked for.
    arrays: HashMap<Vec<u8>, HashSet<&'a [u8]>>,
}

impl Records<'_, '_> {
    /// Returns why the cell of the sheet's name is wrong, which is the same in all rows.
    fn wrong_sheet(&self, row: &Row<'_>) -> Option<String> {
        let cell = row.get(1).filter(|cell| self.first == 2 && !cell.is_empty())?;
        let name = worldview_export::table::sheet(self.table).unwrap_or_default();
        let why = || {
            format!(
                "the column `sheet` cannot be edited: expected {name}, found {cell}",
                name = quote(&name),
                cell = quote(cell)
            )
        };
        (!is_same_text(&name, cell)).then(why)
    }
}

impl<'t, 'a> Records<'t, 'a> {
    /// Takes the cells of a record that differ.
    fn cells(&mut self, index: usize, fields: &[Cow<'t, Field<'a>>], old: &Old<'_>, row: &Row<'_>) -> Result<bool> {
        let Some(record) = self.table.get(index) else { return Ok(false) };
        let mut changes = Changes::new();
        if let Some(why) = self.wrong_sheet(row) {
            return Err(row.error(&self.names.path(index), why));
        }
        for (field, column) in fields.iter().zip(self.first..) {
            let (Some(new), old) = (row.get(column), old.get(column)) else { continue };
            let Some(found) = record.value(field).filter(|_| new != old) else { continue };
            let read = read(field, Some((old, &found)), new, row.has_commas());
            if let Ok(None) = read {
                continue;
            }
            let mut path = self.names.path(index);
            path.push_name(field.name());
            match read {
                Ok(Some(to)) => {
                    self.look(field, &path, &to);
                    changes.push(Change::Set { path, from: value(&found), to });
                }
                Ok(None) => {}
                Err(why) => return Err(row.error(&path, why)),
            }
        }
        let is_changed = !changes.is_empty();
        self.planned.changes.extend(changes);
        Ok(is_changed)
    }

    /// Says so if a value of a field with an array of strings is none of them: it is added, and may be a slip.
    fn look(&mut self, field: &Field<'a>, path: &Path, to: &Value) {
        let text = match to {
            Value::Text(text) => text.as_bytes(),
            Value::Bytes(bytes) => bytes,
            _ => return,
        };
        if field.kind() != FieldKind::Element || text.is_empty() {
            return;
        }
        let table = self.table;
        let strings = self.arrays.entry(field.name().to_vec()).or_insert_with(|| {
            let array = field.array().and_then(|index| table.string_arrays().get(index));
            array.map(|array| array.iter().flatten().collect()).unwrap_or_default()
        });
        if strings.contains(text) {
            return;
        }
        let nearest = nearest(&utf8(text), strings.iter().map(|string| utf8(string)));
        let nearest = nearest.map_or(String::new(), |(_, nearest)| format!("; the nearest is {}", quote(&nearest)));
        let why = format!(
            "{} is none of the {} strings of this field, and is added{nearest}",
            quote(&utf8(text)),
            strings.len()
        );
        self.planned.account.push(Entry::new(Column::Done, NEW_ARRAY_STRING, path, why));
    }
}

impl Rows for Records<'_, '_> {
    fn find(&mut self, row: &Row<'_>, next: usize, is_seen: &[bool]) -> Result<Option<usize>> {
        let name = row.get(0).unwrap_or("");
        let error = |why: &str| {
            let mut path = Path::new();
            path.push_name(name.as_bytes());
            Err(row.error(&path, why))
        };
        match self.names.find_next(name, next, is_seen) {
            NameLookup::Record(index) => Ok(Some(index)),
            NameLookup::Doubled | NameLookup::Nameless if row.is_blank() => Ok(None),
            NameLookup::Nameless => Err(row.error(&Path::new(), NAMELESS)),
            NameLookup::Doubled => error("the record has two rows"),
            NameLookup::Unknown => match self.names.by_number(name) {
                // A spreadsheet took the name for a number.
                Some(Some(index)) if is_seen.get(index) == Some(&false) => Ok(Some(index)),
                Some(None) => error("several records have this number as their name; format the column as text"),
                _ => Ok(None),
            },
        }
    }

    fn path(&mut self, index: usize) -> Path {
        self.names.path(index)
    }

    fn changed(&mut self, index: usize, old: &Old<'_>, row: &Row<'_>) -> Result<bool> {
        let fields = std::mem::take(&mut self.fields);
        let changed = self.cells(index, &fields, old, row);
        self.fields = fields;
        changed
    }

    fn added(&mut self, row: &Row<'_>) -> Result<()> {
        let mut path = Path::new();
        path.push_name(&cell::bytes(row.get(0).unwrap_or(""), &[]));
        if let Some(why) = self.wrong_sheet(row) {
            return Err(row.error(&path, why));
        }
        check_name(row.get(0).unwrap_or(""), &path)?;
        let mut fields = Vec::with_capacity(self.fields.len());
        let owned = self.table.fields().len();
        for (number, field) in self.fields.iter().enumerate() {
            let cell = row.get(number.saturating_add(self.first)).unwrap_or("");
            let is_text = matches!(field.kind(), FieldKind::String | FieldKind::Element);
            let value = if cell.is_empty() && !is_text {
                Ok(Some(Value::from(0)))
            } else {
                read(field, None, cell, row.has_commas())
            };
            match value {
                Ok(Some(value)) if number < owned || value != Value::from(0) => {
                    fields.push((String::from_utf8_lossy(field.name()).into_owned(), value));
                }
                Ok(_) => {}
                Err(why) => {
                    let mut path = path.clone();
                    path.push_name(field.name());
                    let error = row.error(&path, why);
                    if !self.is_new {
                        return Err(error);
                    }
                    self.planned.refuse(&error, SourcePlace::default());
                }
            }
        }
        self.planned.changes.push(Change::Add { path, like: None, position: Position::Natural, fields, data: None });
        Ok(())
    }
}

/// Reads the cell of a field. Returns `None` if it has the value of the original, which is given as its cell and as a value.
fn read(
    field: &Field<'_>,
    old: Option<(&str, &Cell<'_>)>,
    new: &str,
    has_commas: bool,
) -> std::result::Result<Option<Value>, String> {
    if matches!(field.kind(), FieldKind::String | FieldKind::Element) {
        if old.is_some_and(|(old, _)| is_same_text(old, new)) {
            return Ok(None);
        }
        let bytes = match old {
            Some((_, Cell::Text(Some(old)))) => cell::bytes(new, old),
            _ => cell::bytes(new, &[]),
        };
        return Ok(Some(Value::from_bytes(&bytes)));
    }
    let is_kept = || old.is_some_and(|(old, _)| is_rounded(old, new, has_commas));
    let Some((min, max)) = field.int().map(Int::range) else {
        if let Some((_, Cell::F32(float))) = old
            && float.to_bits() == 0x8000_0000
            && new == "0"
        {
            // Spreadsheets lose the sign.
            return Ok(None);
        }
        let Some(float) = cell::float(new, has_commas) else {
            return if is_kept() {
                Ok(None)
            } else {
                Err(format!("expected a number, found {new}: {}", limit(field), new = quote(new)))
            };
        };
        let is_same = matches!(old, Some((_, Cell::F32(old))) if old.to_bits() == float.to_bits());
        return Ok((!is_same && !is_kept()).then(|| float.into()));
    };
    let Some(integer) = cell::integer(new, has_commas) else {
        return Err(format!("expected an integer, found {new}: {}", limit(field), new = quote(new)));
    };
    let found = old.and_then(|(_, cell)| value(cell));
    if found == Some(Value::Integer(integer)) {
        return Ok(None);
    }
    // Spreadsheets keep 15 digits.
    if matches!(old, Some((_, Cell::U64(old))) if *old >= 10_u64.pow(15)) && is_kept() {
        return Ok(None);
    }
    if !(min..=max).contains(&integer) {
        return Err(format!("{new} does not fit: {}", limit(field)));
    }
    Ok(Some(Value::Integer(integer)))
}
