//! References: fields whose values name records of another table of the set, which is a table of the same archive or folder.
//!
//! Nothing in the files says so. A field is probably a reference if most of its different values are names of records of one
//! table.

mod index;
mod set;

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use worldview::wpd::{Archive, Table, Value};
use worldview_export::table::TypedColumn;

pub(crate) use index::{Dangling, Index, Indices};
pub use set::{Around, Beside, Place, TableSet};

/// The maximum number of entries of other tables that are looked at.
const MAX_ENTRIES: usize = 4 << 20;

/// The maximum number of different values of a table.
const MAX_VALUES: usize = 1 << 20;

/// The references of a table.
#[derive(Debug, Default)]
pub struct References {
    /// The table that each field refers to.
    fields: Vec<Option<Reference>>,
    /// Whether not all tables, or not all values, were looked at.
    pub is_partial: bool,
}

/// A table whose records the values of a field probably name.
#[derive(Clone, Debug)]
pub struct Reference {
    /// The table.
    pub table: Beside,
    /// How many of the different values of the field are names of its records.
    pub hits: usize,
    /// The number of different values.
    pub values: usize,
    records: usize,
}

/// Records with a field that names a record of another table.
#[derive(Clone, Debug)]
pub struct Referrer {
    /// The name of the field.
    pub field: Vec<u8>,
    /// The names of the first records, at most as many as were asked for.
    pub records: Vec<Vec<u8>>,
    /// The number of records.
    pub count: usize,
}

/// The different values of the fields that can be names, and the fields with each.
#[derive(Debug, Default)]
struct Values<'a> {
    fields: HashMap<&'a [u8], Vec<u32>>,
    /// The number of different values of each field.
    counts: Vec<usize>,
    is_partial: bool,
}

impl References {
    /// Finds the table that each field of a table refers to. `goes_on` is asked after each table beside it; after `false`, what was found
    /// until then counts.
    pub fn of(table: &Table<'_>, set: &TableSet<'_>, goes_on: &dyn Fn() -> bool) -> Self {
        let values = Values::of(table, |_| true);
        let mut references = Self { fields: vec![None; table.fields().len()], is_partial: values.is_partial };
        if values.fields.is_empty() {
            return references;
        }
        let mut entries = 0;
        for beside in set.tables() {
            set.archive(&beside, |archive| {
                let records = archive.entries().len();
                for (field, hits) in values.hits(archive).into_iter().enumerate().filter(|(_, hits)| *hits > 0) {
                    let best = &mut references.fields[field];
                    let is_better = best
                        .as_ref()
                        .is_none_or(|best| likelihood(hits, records) > likelihood(best.hits, best.records));
                    let values = values.counts[field];
                    if is_better && is_likely(hits, values) {
                        *best = Some(Reference { table: beside.clone(), hits, values, records });
                    }
                }
                entries += records;
            });
            if !goes_on() || entries >= MAX_ENTRIES {
                references.is_partial = true;
                break;
            }
        }
        references
    }

    /// Returns the table whose records the values of a field name.
    pub fn of_field(&self, field: usize) -> Option<&Reference> {
        self.fields.get(field)?.as_ref()
    }
}

/// Returns the fields of `table` that probably refer to records of `to`, and the records in which they name one of them, of which the
/// first `most` are returned with their names. Also returns whether not all cells were looked at.
pub fn referrers(table: &Table<'_>, (to, name): (&Archive<'_>, &[u8]), most: usize) -> (Vec<Referrer>, bool) {
    let (mut found, mut left) = (Vec::new(), room(table));
    for (index, field) in table.fields().iter().enumerate() {
        let (mut records, mut count) = (Vec::new(), 0);
        for (row, value) in cells(table, index) {
            if left == 0 {
                return (found, true);
            }
            left -= 1;
            if value == name {
                count += 1;
                records.extend(table.get(row).filter(|_| count <= most).map(|row| row.name().to_vec()));
            }
        }
        if count == 0 {
            continue;
        }
        // Only these fields are compared with all names.
        let values = Values::of(table, |field| field == index);
        if is_likely(values.hits(to)[index], values.counts[index]) {
            found.push(Referrer { field: field.name().to_vec(), records, count });
        }
    }
    (found, false)
}

/// Returns how many cells of a table are looked at: eight a word, which is more than there are texts in any known one. Records that share
/// their bytes can have many more.
fn room(table: &Table<'_>) -> usize {
    usize::try_from(table.archive().source().len()).unwrap_or(usize::MAX).saturating_mul(2)
}

impl<'a> Values<'a> {
    /// Returns the values of the wanted fields.
    fn of(table: &Table<'a>, wants: impl Fn(usize) -> bool) -> Self {
        let mut values = Self { counts: vec![0; table.fields().len()], ..Self::default() };
        let mut left = room(table);
        for field in (0..table.fields().len()).filter(|field| wants(*field)) {
            let index = u32::try_from(field).unwrap_or(u32::MAX);
            for (_, value) in cells(table, field) {
                if left == 0 || values.fields.len() >= MAX_VALUES {
                    values.is_partial = true;
                    return values;
                }
                left -= 1;
                let with = values.fields.entry(value).or_default();
                if with.last() != Some(&index) {
                    with.push(index);
                    values.counts[field] += 1;
                }
            }
        }
        values
    }

    /// Returns how many different values of each field are names of records of a table.
    fn hits(&self, archive: &Archive<'_>) -> Vec<usize> {
        let mut hits = vec![0; self.counts.len()];
        let mut seen = HashSet::new();
        for name in names(archive) {
            let Some((value, fields)) = self.fields.get_key_value(name) else { continue };
            if seen.insert(*value) {
                fields.iter().for_each(|&field| hits[field as usize] += 1);
            }
        }
        hits
    }
}

/// Returns the texts of a field that are not empty, with their rows; none for numbers.
fn cells<'t, 'a>(table: &'t Table<'a>, field: usize) -> impl Iterator<Item = (usize, &'a [u8])> + use<'t, 'a> {
    let column = table.fields().get(field).and_then(|field| TypedColumn::of(table, field));
    let column = column.filter(|column| matches!(column, TypedColumn::Text(_) | TypedColumn::Element(_)));
    column.into_iter().flat_map(move |column| {
        (0..table.len()).filter_map(move |row| match column.get(row)? {
            Value::Text(Some(text)) if !text.is_empty() => Some((row, text)),
            _ => None,
        })
    })
}

/// Returns what is compared of tables that a field may refer to: the one with more of the names is more likely, and of two with as many,
/// the smaller one.
const fn likelihood(hits: usize, records: usize) -> (usize, Reverse<usize>) {
    (hits, Reverse(records))
}

/// Returns whether a field with so many different values, of which so many name records of a table, refers to them.
const fn is_likely(hits: usize, values: usize) -> bool {
    2 * hits > values
}

/// Returns the names of the records of a table.
fn names<'a>(archive: &Archive<'a>) -> impl Iterator<Item = &'a [u8]> + use<'a> {
    archive.entries().iter().map(|entry| entry.name.as_bytes()).filter(|name| is_record(name))
}

/// Returns whether an entry is a record, and not a section.
fn is_record(name: &[u8]) -> bool {
    !name.starts_with(b"!!") && !name.starts_with(b"__")
}
