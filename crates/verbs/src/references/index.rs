//! The names of the records of all tables of a set, by which references to no record are found.

use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::mem::offset_of;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use worldview::wpd::Table;
use worldview::wpd::raw::Entry;

use super::{Around, Beside, Place, Values, cells, likelihood, names, room};

/// The maximum number of names of a set. Larger sets are not searched for references to no record.
const MAX_NAMES: usize = 1 << 20;

/// How many different values a field needs to be judged, and how many percent of them have to name records of one table.
const MIN_VALUES: usize = 20;
const MIN_PERCENT: usize = 95;

/// How many folders are kept: those that threads are in, and the ones above.
const FOLDERS: usize = 8;

/// The index of each folder, which is made when the first of its tables needs it.
#[derive(Debug, Default)]
pub(crate) struct Indices(Mutex<Vec<(PathBuf, Slot)>>);

type Slot = Arc<OnceLock<Arc<Index>>>;

/// The indices of archives, by their offsets.
pub(crate) type OfArchives = BTreeMap<u64, Arc<Index>>;

/// The names of the records of all tables of a set.
#[derive(Debug, Default)]
pub(crate) struct Index {
    tables: Vec<Beside>,
    /// The number of entries of each table.
    entries: Vec<usize>,
    /// The names with the table of each, sorted.
    names: Vec<([u8; NAME], u32)>,
    /// Whether not all names are there.
    is_partial: bool,
}

/// The size of a name.
const NAME: usize = offset_of!(Entry, offset) - offset_of!(Entry, name);

/// A value of a field that names no record.
#[derive(Debug)]
pub(crate) struct Dangling<'a> {
    /// The index of the field.
    pub(crate) field: usize,
    /// The value.
    pub(crate) value: &'a [u8],
    /// The first row with it, and the number of rows.
    pub(crate) row: usize,
    pub(crate) rows: usize,
    /// The table that the other values refer to, how many of them do, and the number of different values.
    pub(crate) table: String,
    pub(crate) hits: usize,
    pub(crate) values: usize,
}

impl Indices {
    /// Returns the index of the set around a table. `archives` has those of the archives of the file.
    pub(crate) fn of(&self, around: &Around<'_>, archives: &mut OfArchives) -> Arc<Index> {
        let new = || Arc::new(Index::of(around));
        match around {
            Around::Nothing => Arc::default(),
            // No thread that makes one waits for others.
            Around::Folder(path, _) => Arc::clone(self.slot(path.parent().unwrap_or(path)).get_or_init(new)),
            Around::Archive(archive) => Arc::clone(archives.entry(archive.source().base()).or_insert_with(new)),
        }
    }

    fn slot(&self, folder: &Path) -> Slot {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, index)) = kept.iter().find(|(path, _)| path == folder) {
            return Arc::clone(index);
        }
        let index = Slot::default();
        kept.truncate(FOLDERS - 1);
        kept.insert(0, (folder.to_owned(), Arc::clone(&index)));
        index
    }
}

impl Index {
    fn of(around: &Around<'_>) -> Self {
        let tables = around.all();
        let mut index = Self { entries: vec![0; tables.len()], tables, ..Self::default() };
        for (number, beside) in (0..).zip(&index.tables) {
            let added = around.archive(beside, |archive| {
                let entries = archive.entries().len();
                let has_room = index.names.len() + entries <= MAX_NAMES;
                index.entries[number as usize] = entries;
                index
                    .names
                    .extend(names(archive).take(MAX_NAMES).filter(|_| has_room).map(|name| (padded(name), number)));
                has_room
            });
            if added == Some(false) {
                index.is_partial = true;
                return index;
            }
        }
        index.names.sort_unstable();
        index.names.dedup();
        index
    }

    /// Returns the tables that have a record with this name.
    fn tables_with(&self, name: &[u8]) -> impl Iterator<Item = u32> {
        let name = (name.len() <= NAME).then(|| padded(name));
        let start = name.map_or(self.names.len(), |name| self.names.partition_point(|(other, _)| *other < name));
        self.names[start..].iter().take_while(move |(other, _)| Some(*other) == name).map(|(_, table)| *table)
    }

    /// Returns whether a table may have fields to judge.
    pub(crate) fn can_judge(table: &Table<'_>) -> bool {
        table.len() >= MIN_VALUES && (0..table.fields().len()).any(|field| cells(table, field).next().is_some())
    }

    /// Passes on the values that name no record of any table of the set, of fields of which nearly all values name records of one that is
    /// beside the table. Returns whether the set is too large for that.
    pub(crate) fn dangling<'a>(&self, table: &Table<'a>, own: &Place, sink: &mut dyn FnMut(Dangling<'a>)) -> bool {
        let is_own = |number: u32| self.tables[number as usize].place == *own;
        let left = Cell::new(room(table));
        // Most fields are no references, and are left after a few of their values.
        let can_refer = |field: usize| {
            let mut seen = HashSet::new();
            let cells = cells(table, field).map(|(_, value)| value);
            let cells = cells.take_while(|_| left.replace(left.get().saturating_sub(1)) > 0);
            let most_misses = table.len() * (100 - MIN_PERCENT) / 100;
            let mut first = cells.filter(|value| seen.insert(*value)).take(most_misses + 1);
            first.any(|value| self.tables_with(value).any(|number| !is_own(number)))
        };
        let values = Values::of(table, can_refer);
        if self.is_partial || values.is_partial || left.get() == 0 {
            return true;
        }
        let mut hits: Vec<HashMap<u32, usize>> = vec![HashMap::new(); values.counts.len()];
        for (value, fields) in &values.fields {
            for number in self.tables_with(value).filter(|number| !is_own(*number)) {
                fields.iter().for_each(|&field| *hits[field as usize].entry(number).or_default() += 1);
            }
        }
        for (field, (hits, &count)) in hits.iter().zip(&values.counts).enumerate() {
            // The first of several that are as likely is named.
            let ranked = hits.iter().map(|(&number, &hits)| {
                let likelihood = likelihood(hits, self.entries[number as usize]);
                ((likelihood, Reverse(number)), number, hits)
            });
            let best = ranked.max().filter(|(.., hits)| 100 * hits >= MIN_PERCENT * count);
            let Some((_, number, hits)) = best else { continue };
            if count < MIN_VALUES || hits == count {
                continue;
            }
            let mut found: BTreeMap<usize, Dangling<'a>> = BTreeMap::new();
            let mut first = HashMap::new();
            for (row, value) in cells(table, field).filter(|(_, value)| self.tables_with(value).next().is_none()) {
                let table = || self.tables[number as usize].name.clone();
                let new = || Dangling { field, value, row, rows: 0, table: table(), hits, values: count };
                found.entry(*first.entry(value).or_insert(row)).or_insert_with(new).rows += 1;
            }
            found.into_values().for_each(&mut *sink);
        }
        false
    }
}

fn padded(name: &[u8]) -> [u8; NAME] {
    let mut padded = [0; NAME];
    padded.iter_mut().zip(name).for_each(|(to, from)| *to = *from);
    padded
}
