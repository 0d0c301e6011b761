//! What the planners for tables share: the records of the original by name.

use std::borrow::Cow;
use std::collections::HashMap;

use worldview_core::describe::{Int, PartList};
use worldview_core::{Path, quote};
use worldview_inspect::utf8;
use worldview_wpd::{Field, Table, TableDescription, Value as Cell};

use super::cell::{is_same_text, is_trimmed, number, trim};
use super::codes::{CONTROL_CHARACTERS, NOT_MENTIONED, REMOVED};
use worldview_edit::account::{Column, Entry};
use worldview_edit::fields;
use worldview_edit::of_kind;
use worldview_edit::{Change, Changes, EditError, EditErrorKind, Planned, Position, Result, Value};

/// The records of a table by name.
pub(super) struct Names<'t, 'a> {
    table: &'t Table<'a>,
    /// Whether names may lack white space at their ends.
    is_trimmed: bool,
    /// Whether the next record that is added may lack a name, as one of a new table may.
    pub(super) may_lack_name: bool,
    /// Made when it is first asked for.
    numbers: Option<Numbers<'a>>,
}

#[derive(Default)]
struct Numbers<'a> {
    by_name: HashMap<Cow<'a, str>, Named>,
    /// Names that spreadsheets take for numbers, by the bits of these; `None` if several are the same number.
    by_number: HashMap<u64, Option<usize>>,
}

/// The records of one name, in order.
#[derive(Default)]
struct Named {
    list: Vec<usize>,
    /// How many at the start of the list were found.
    found: usize,
}

/// What a name leads to.
pub(super) enum NameLookup {
    /// A record, the first with this name that was not seen.
    Record(usize),
    /// All records with this name were seen.
    Doubled,
    /// No record has this name.
    Unknown,
    /// The name is empty, and it is not that of a record without a name.
    Nameless,
}

/// What is said of a row without a name that is not that of a record without one.
pub(super) const NAMELESS: &str =
    "the record has no name; programs such as pandas take names such as `NA` for empty cells";

impl<'t, 'a> Names<'t, 'a> {
    pub(super) const fn of(table: &'t Table<'a>, is_trimmed: bool) -> Self {
        Self { table, is_trimmed, may_lack_name: false, numbers: None }
    }

    /// Whether a record has this name.
    fn is(&self, index: usize, name: &str) -> bool {
        let is = |found: &str| found == name || self.is_trimmed && is_trimmed(found, name);
        self.table.get(index).is_some_and(|row| is(&utf8(row.name())))
    }

    fn numbers(&mut self) -> &mut Numbers<'a> {
        let (table, is_trimmed) = (self.table, self.is_trimmed);
        self.numbers.get_or_insert_with(|| {
            let mut numbers = Numbers::default();
            for row in table.rows() {
                let name = utf8(row.name());
                if let Some(number) = number(&name) {
                    let same = numbers.by_number.entry(number.to_bits());
                    same.and_modify(|index| *index = None).or_insert(Some(row.index()));
                }
                numbers.by_name.entry(name).or_default().list.push(row.index());
            }
            let mut trimmed: HashMap<Cow<'a, str>, Named> = HashMap::new();
            for row in table.rows().filter(|_| is_trimmed) {
                let name = utf8(row.name());
                let short = trim(&name);
                if short.len() < name.len() && !numbers.by_name.contains_key(short) {
                    trimmed.entry(short.to_owned().into()).or_default().list.push(row.index());
                }
            }
            numbers.by_name.extend(trimmed);
            numbers
        })
    }

    /// Whether the order of names shows that no other record has this one.
    fn is_alone(&self, index: usize, name: &[u8]) -> bool {
        let differs = |index: Option<usize>| {
            index.and_then(|index| self.table.get(index)).is_none_or(|other| other.name() != name)
        };
        self.table.archive().is_sorted() && differs(index.checked_sub(1)) && differs(index.checked_add(1))
    }

    /// Returns the path of a record, with its number among several of its name.
    pub(super) fn path(&mut self, index: usize) -> Path {
        let name = self.table.get(index).map_or(&[][..], |row| row.name());
        let mut path = Path::new();
        if self.is_alone(index, name) {
            path.push_name(name);
            return path;
        }
        let list = self.numbers().by_name.get(&utf8(name)).map_or(&[][..], |named| &named.list);
        let nth = list.binary_search(&index).ok().filter(|_| list.len() > 1);
        match nth.and_then(|nth| u32::try_from(nth).ok()) {
            Some(nth) => path.push_nth(name, nth),
            None => path.push_name(name),
        }
        path
    }

    /// Finds the record of the next row, which is often `next`.
    pub(super) fn find_next(&mut self, name: &str, next: usize, is_seen: &[bool]) -> NameLookup {
        let is_free = is_seen.get(next) == Some(&false);
        if is_free && self.is(next, name) {
            return NameLookup::Record(next);
        }
        let found = self.find(name, is_seen);
        // In the order of the original, it is the row of the next record, whose name is lost.
        let is_lost = name.is_empty() && (is_free || !matches!(found, NameLookup::Record(_)));
        if is_lost && !std::mem::take(&mut self.may_lack_name) { NameLookup::Nameless } else { found }
    }

    /// Finds a record by its name.
    pub(super) fn find(&mut self, name: &str, is_seen: &[bool]) -> NameLookup {
        let Some(Named { list, found }) = self.numbers().by_name.get_mut(name) else { return NameLookup::Unknown };
        let rest = list.get(*found..).unwrap_or(&[]);
        let seen = rest.iter().take_while(|&&index| is_seen.get(index) != Some(&false)).count();
        *found = found.saturating_add(seen);
        list.get(*found).map_or(NameLookup::Doubled, |&index| NameLookup::Record(index))
    }

    /// Finds a record whose name a spreadsheet took for a number: `Some(None)` if several are this number.
    pub(super) fn by_number(&mut self, name: &str) -> Option<Option<usize>> {
        let bits = number(name)?.to_bits();
        let index = *self.numbers().by_number.get(&bits)?;
        let is_shown = |index| self.table.get(index).is_some_and(|row| is_same_text(&utf8(row.name()), name));
        match index {
            Some(index) => is_shown(index).then_some(Some(index)),
            None => Some(None),
        }
    }

    /// Takes the records that were not seen: they stay, or are removed. Returns an error if records are removed, and some but not
    /// all of several with one name were seen.
    pub(super) fn missing(&mut self, is_seen: &[bool], removes: bool, planned: &mut Planned) -> Result<()> {
        let missing = is_seen.iter().filter(|is_seen| !**is_seen).count();
        if missing == 0 {
            return Ok(());
        }
        if removes {
            let table = self.table;
            let remove = |records: &dyn PartList| self.remove(records, is_seen, &mut planned.changes);
            of_kind(&TableDescription::new(table), "record", remove).unwrap_or(Ok(()))?;
        }
        let keys = self.table.rows().filter(|row| is_seen.get(row.index()) == Some(&false));
        let keys = keys.map(|row| utf8(row.name()).into_owned());
        planned
            .account
            .push(missing_of((missing, is_seen.len()), "records", removes, &Path::new()).about(missing as u64, keys));
        Ok(())
    }

    fn remove(&mut self, records: &dyn PartList, is_seen: &[bool], changes: &mut Changes) -> Result<()> {
        for row in self.table.rows().filter(|row| is_seen.get(row.index()) == Some(&false)) {
            let path = self.path(row.index());
            let is_alone = self.is_alone(row.index(), row.name());
            let named = if is_alone { None } else { self.numbers().by_name.get(&utf8(row.name())) };
            let list = named.map_or(&[][..], |named| &named.list);
            if list.iter().any(|&index| is_seen.get(index) == Some(&true)) {
                let mut name = Path::new();
                name.push_name(row.name());
                return Err(EditError::new(&name, EditErrorKind::Ambiguous { count: list.len() }));
            }
            // Names decide where records are.
            let (mut fields, was) = (Vec::new(), Position::Natural);
            let index = u32::try_from(row.index()).unwrap_or(u32::MAX);
            records.get(index, 0, &mut |record| fields = fields::values(record.body, None).0);
            changes.push(Change::Remove { path, fields, data: None, was });
        }
        Ok(())
    }
}

/// The number of cells that the new records or objects of a source may have together: each takes some 300 bytes.
const MAX_ADDED: u64 = 1 << 20;

/// Counts the cells of new records or objects.
#[derive(Debug, Default)]
pub(super) struct Added(u64);

impl Added {
    /// Counts the cells of one. Returns an error once there are too many.
    pub(super) fn count(&mut self, cells: usize) -> Result<()> {
        self.0 = self.0.saturating_add(cells as u64);
        if self.0 <= MAX_ADDED {
            return Ok(());
        }
        let why =
            format!("the source adds records or objects of more than {MAX_ADDED} cells; add them in several steps");
        Err(EditError::malformed(None, why))
    }
}

/// Returns an error if a name cannot be that of a new record.
pub(super) fn check_name(name: &str, path: &Path) -> Result<()> {
    if !name.chars().any(char::is_control) {
        return Ok(());
    }
    let why = format!(
        "a new record cannot have control characters in its name {}; programs read `_x1_` in a name as one",
        quote(name)
    );
    Err(EditError::refused(path, CONTROL_CHARACTERS, why))
}

/// Returns the entry about elements that a source does not have, which either stay or are removed.
pub(super) fn missing_of((missing, all): (usize, usize), what: &str, removes: bool, path: &Path) -> Entry {
    let (column, code, verb) = if removes {
        (Column::Done, REMOVED, if missing == 1 { "is removed" } else { "are removed" })
    } else {
        (Column::LeftOut, NOT_MENTIONED, if missing == 1 { "stays" } else { "stay" })
    };
    let is = if missing == 1 { "is" } else { "are" };
    Entry::new(column, code, path, format!("{missing} of {all} {what} {is} not in the source and {verb}"))
}

/// The value of a field as changes express it; `None` for a string that lies outside the pool.
pub(super) fn value(cell: &Cell<'_>) -> Option<Value> {
    Some(match *cell {
        Cell::I32(integer) => integer.into(),
        Cell::U32(integer) => integer.into(),
        Cell::U64(integer) => integer.into(),
        Cell::F32(float) => float.into(),
        Cell::Text(text) => Value::from_bytes(text?),
    })
}

/// What fits into a number, in words.
pub(super) fn limit(field: &Field<'_>) -> String {
    let (name, width) = (field.name().escape_ascii(), field.width());
    match field.int().map(Int::range) {
        Some((min, max)) => format!("{name} has {width} bits, {min} to {max}"),
        None => format!("{name} is a 32-bit float"),
    }
}
