use std::collections::{BTreeSet, HashMap};

use serde_json::{Map, Value as Json};
use worldview_core::Path;
use worldview_core::describe::Int;
use worldview_edit::account::{Column, Entry, SourcePlace};
use worldview_export::table::WORDS;
use worldview_inspect::{Options, Root, utf8};
use worldview_wpd::{Field, FieldKind, Table, Value as Cell};

use super::{Read, check_format, error, export, parse, same, shown, single, unchanged, whole};
use crate::cell::bytes;
use crate::codes::WORDS_NOT_READ;
use crate::table::{Added, NAMELESS, NameLookup, Names, check_name, limit, value};
use worldview_edit::{Change, Changes, Planned, Position, Result, Value};

/// Returns the changes that make a table say what its edited `table.json` says.
///
/// Records are found by `record`, their name, in any order. A new record is an object with other names; members that it lacks are
/// zero or empty. Records that the document does not have stay, unless `removes` is true.
///
/// # Errors
///
/// Returns an error, with the record and the field, if:
///
/// - the text is not such a document
/// - a member is unknown, or follows from others and was edited
/// - a record occurs twice, or one of several with its name was removed
/// - a value has another type or does not fit
pub fn table(original: &Table<'_>, edited: &[u8], removes: bool) -> Result<Planned> {
    let mut edited = parse(edited, None)?;
    check_format(&mut edited, "wdb")?;
    let root = Root::new("wdb", original.archive().source(), original);
    let mut export = export(&root, &Options { full: true, ..Options::default() })?;
    let (old, new) = (export.shift_remove("records"), edited.shift_remove("records"));
    let mut records = Records::of(original);
    for (name, new) in &edited {
        if let Err(why) = unchanged(name, export.get(name), new) {
            records.planned.refuse(&error(&Path::new(), None, why), SourcePlace::pointer(format!("/{name}")));
        }
    }
    let Some(new) = new else { return Ok(records.planned) };
    let (Some(Json::Array(old)), Json::Array(new)) = (old, new) else {
        return Err(error(&Path::new(), None, "expected a list of `records`"));
    };
    records.take_all(&old, &new);
    records.finish(removes)
}

/// Returns the changes that make a new table have the records of a document.
pub(crate) fn records_of(original: &Table<'_>, list: &[Json]) -> Result<Planned> {
    let root = Root::new("wdb", original.archive().source(), original);
    let old = export(&root, &Options { full: true, ..Options::default() })?;
    let old = old.get("records").and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
    let mut records = Records { is_new: true, ..Records::of(original) };
    records.names.may_lack_name = true;
    records.take_all(old, list);
    records.finish(false)
}

/// Returns the changes that make a table say what its edited `records.ndjson` says, as [`table`] does for `table.json`.
///
/// # Errors
///
/// Returns an error as [`table`] does, also with the line.
pub fn records(original: &Table<'_>, edited: &[u8], removes: bool) -> Result<Planned> {
    let mut records = Records::of(original);
    for (line, text) in (1..).zip(edited.split(|&byte| byte == b'\n')) {
        if !text.trim_ascii().is_empty() {
            records.place = SourcePlace::row(line);
            let taken = records.take(&parse(text, Some(line))?, &|_| None, Some(line));
            records.settle(taken);
        }
    }
    records.finish(removes)
}

struct Records<'t, 'a> {
    table: &'t Table<'a>,
    /// The fields, and the bits that no field owns, by name.
    fields: HashMap<String, Field<'a>>,
    names: Names<'t, 'a>,
    is_seen: Vec<bool>,
    next: usize,
    planned: Planned,
    added: Added,
    /// Whether the table is a new one, whose records are all in the document.
    is_new: bool,
    /// Where the document has the record that is being read.
    place: SourcePlace,
    /// The members that show words for keys.
    words: BTreeSet<String>,
}

impl<'t, 'a> Records<'t, 'a> {
    fn of(table: &'t Table<'a>) -> Self {
        let mut fields: HashMap<String, Field<'a>> = HashMap::new();
        fields.extend(table.fields().iter().map(|field| (utf8(field.name()).into_owned(), field.clone())));
        fields.extend(table.unowned_bits().map(|field| (utf8(field.name()).into_owned(), field)));
        let (names, is_seen) = (Names::of(table, false), vec![false; table.len()]);
        let (planned, added, words) = (Planned::default(), Added::default(), BTreeSet::new());
        let place = SourcePlace::default();
        Self { table, fields, names, is_seen, next: 0, planned, added, is_new: false, place, words }
    }

    /// Takes a list of records; `old` are those of the export of the original.
    fn take_all(&mut self, old: &[Json], list: &[Json]) {
        for (number, record) in list.iter().enumerate() {
            let old = |index: usize| old.get(index).and_then(Json::as_object);
            self.place = SourcePlace::pointer(format!("/records/{number}"));
            let taken = match record {
                Json::Object(members) => self.take(members, &old, None),
                other => Err(error(&Path::new(), None, format!("expected a record, found {}", shown(other)))),
            };
            self.settle(taken);
        }
    }

    /// Returns whether a member shows the words for the key before it.
    fn is_words(&mut self, name: &str) -> bool {
        let is_words = name.strip_suffix(WORDS).is_some_and(|field| self.fields.contains_key(field));
        if is_words && !self.words.contains(name) {
            self.words.insert(name.to_owned());
        }
        is_words
    }

    /// Adds what came of a record: changes, or a refusal.
    fn settle(&mut self, taken: Result<Changes>) {
        match taken {
            Ok(changes) if changes.is_empty() => {
                self.planned.account.equal = self.planned.account.equal.saturating_add(1);
            }
            Ok(changes) => self.planned.changes.extend(changes),
            Err(error) => self.planned.refuse(&error, self.place.clone()),
        }
    }

    /// Takes a record; `old` has those of the export of the original, for members that are not fields.
    fn take<'o>(
        &mut self,
        members: &Map<String, Json>,
        old: &dyn Fn(usize) -> Option<&'o Map<String, Json>>,
        line: Option<u64>,
    ) -> Result<Changes> {
        let mut changes = Changes::new();
        let Some(Json::String(name)) = members.get("record") else {
            return Err(error(&Path::new(), line, "a record needs its name as `record`"));
        };
        let mut path = Path::new();
        let index = match self.names.find_next(name, self.next, &self.is_seen) {
            NameLookup::Record(index) => index,
            NameLookup::Doubled => {
                path.push_name(name.as_bytes());
                return Err(error(&path, line, "the record occurs twice"));
            }
            NameLookup::Nameless => return Err(error(&path, line, NAMELESS)),
            NameLookup::Unknown => return self.add(name, members, line),
        };
        self.is_seen.get_mut(index).into_iter().for_each(|seen| *seen = true);
        self.next = index.saturating_add(1);
        let (old, Some(row)) = (old(index), self.table.get(index)) else { return Ok(changes) };
        for (name, new) in members.iter().filter(|(name, _)| *name != "record") {
            if self.is_words(name) {
                continue;
            }
            let field = self.fields.get(name);
            let read = match field {
                None if name == "sheet" && old.is_none() => Ok(None),
                None => unchanged(name, old.and_then(|old| old.get(name)), new).map(|()| None),
                Some(field) => row.value(field).map_or(Ok(None), |cell| read(field, Some(&cell), new)),
            };
            if let Ok(None) = read {
                continue;
            }
            let mut path = self.names.path(index);
            path.push_name(field.map_or(name.as_bytes(), |field| field.name()));
            match read {
                Ok(Some(to)) => {
                    let from = field.and_then(|field| row.value(field)).and_then(|cell| value(&cell));
                    changes.push(Change::Set { path, from, to });
                }
                Ok(None) => {}
                Err(why) => return Err(error(&path, line, why)),
            }
        }
        Ok(changes)
    }

    fn add(&mut self, name: &str, members: &Map<String, Json>, line: Option<u64>) -> Result<Changes> {
        let mut path = Path::new();
        path.push_name(&bytes(name, &[]));
        check_name(name, &path)?;
        self.added.count(members.len())?;
        let mut fields = Vec::with_capacity(members.len());
        for (name, new) in members.iter().filter(|(name, _)| !matches!(name.as_str(), "record" | "at" | "sheet")) {
            if self.is_words(name) {
                continue;
            }
            let field = self.fields.get(name).ok_or_else(|| format!("unknown member `{name}`"));
            match field.and_then(|field| Ok((field, read(field, None, new)?))) {
                Ok((field, Some(value))) => {
                    fields.push((String::from_utf8_lossy(field.name()).into_owned(), value));
                }
                Ok((_, None)) => {}
                Err(why) => {
                    let mut path = path.clone();
                    path.push_name(name.as_bytes());
                    let error = error(&path, line, why);
                    if !self.is_new {
                        return Err(error);
                    }
                    self.planned.refuse(&error, self.place.clone());
                }
            }
        }
        Ok([Change::Add { path, like: None, position: Position::Natural, fields, data: None }].into_iter().collect())
    }

    fn finish(mut self, removes: bool) -> Result<Planned> {
        let removes = removes && self.planned.account.refused() == 0;
        self.names.missing(&self.is_seen, removes, &mut self.planned)?;
        for name in self.words {
            let why = format!("the member `{name}` shows words for keys, and is not read");
            self.planned.account.push(Entry::new(Column::LeftOut, WORDS_NOT_READ, &Path::new(), why));
        }
        Ok(self.planned)
    }
}

/// Reads the value of a field. Returns `None` if the original has it.
fn read(field: &Field<'_>, old: Option<&Cell<'_>>, new: &Json) -> Read<Option<Value>> {
    if matches!(field.kind(), FieldKind::String | FieldKind::Element) {
        let old = match old {
            Some(Cell::Text(old)) => Some(*old),
            _ => None,
        };
        return match (old, new) {
            // A string that does not exist, or none that is given.
            (Some(None) | None, Json::Null) => Ok(None),
            (Some(Some(old)), Json::String(new)) if utf8(old) == *new => Ok(None),
            (old, Json::String(new)) => Ok(Some(Value::from_bytes(&bytes(new, old.flatten().unwrap_or(&[]))))),
            _ => Err(format!("expected text, found {}", shown(new))),
        };
    }
    let Some(range) = field.int().map(Int::range) else {
        let float = single(new).map_err(|why| format!("{why}: {}", limit(field)))?;
        let Some(Cell::F32(old)) = old else { return Ok(Some(float.into())) };
        // The sign of a zero is lost where numbers have no type, and some floats are rounded twice.
        let is_same = old.to_bits() == float.to_bits()
            || serde_json::to_string(old).and_then(|text| serde_json::from_str(&text)).is_ok_and(|old| same(&old, new));
        return Ok((!is_same).then(|| float.into()));
    };
    let old = old.and_then(value);
    if let Some(Value::Integer(old)) = old
        && let Ok(old) = u64::try_from(old)
        && same(&old.into(), new)
    {
        return Ok(None);
    }
    match whole(new, range) {
        Ok(integer) => Ok((old != Some(Value::Integer(integer))).then_some(Value::Integer(integer))),
        Err(_) if matches!(new, Json::Number(_)) => Err(format!("{new} does not fit: {}", limit(field))),
        Err(_) => Err(format!("expected an integer, found {}: {}", shown(new), limit(field))),
    }
}
