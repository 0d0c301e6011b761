//! The rows that a question is about, in its order.

use std::cmp::Reverse;
use std::sync::{Arc, Mutex};

use rayon::iter::{IndexedParallelIterator as _, ParallelIterator as _};
use rayon::slice::ParallelSliceMut as _;
use worldview::wpd::{Table, Value};

use super::Which;
use super::columns::{Column, Columns, cut};
use super::filter::Filter;
use crate::answer::Failed;
use crate::files::{Opened, Recent, lock};
use crate::work::CancelToken;

/// The maximum number of rows that are sorted or filtered.
const MAX: usize = 4 << 20;

/// The number of rows that are looked at together, so that they stay in the cache.
const PIECE: usize = 256;

/// How much of a text decides about the order, in bytes.
const MAX_TEXT: usize = 256;

/// The number of orders that are kept for a table, and the size of all if there are several, in bytes.
const KEPT: (usize, u64) = (8, 4 << 20);

/// Rows in the order in which they are shown.
pub(super) enum Order {
    /// All rows, as they are in the file.
    All(usize),
    Rows(Arc<Vec<u32>>),
}

/// The last orders of a table.
type Kept = Mutex<Recent<Which, Arc<Vec<u32>>>>;

/// Returns whether a table is short enough to be sorted and filtered.
pub(super) fn is_possible(table: &Table<'_>) -> bool {
    table.len() <= MAX
}

impl Order {
    /// Returns the rows of a question. Returns an error if an expression makes no sense, if there is no such column, or if the
    /// table is too long.
    pub(super) fn of(
        opened: &Arc<Opened>,
        columns: &Columns<'_>,
        which: &Which,
        cancel: &CancelToken,
    ) -> Result<Self, Failed> {
        if which.sort.is_empty() && which.text.is_empty() && which.filters.is_empty() {
            return Ok(Self::All(columns.table().len()));
        }
        if !is_possible(columns.table()) {
            return Err(Failed::broken(format_args!("has more than {MAX} records, too many to sort or filter here")));
        }
        let kept = opened.made(|_| Ok::<_, Failed>(Kept::default()))?;
        let known = lock(&kept).get(|known| known == which);
        if let Some(rows) = known {
            return Ok(Self::Rows(rows));
        }
        let rows = Arc::new(make(columns, which, cancel)?);
        lock(&kept).put(which.clone(), Arc::clone(&rows), KEPT, |rows| 4 * rows.len() as u64);
        Ok(Self::Rows(rows))
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::All(len) => *len,
            Self::Rows(rows) => rows.len(),
        }
    }

    /// Returns the index in the table of the row at a place.
    pub(super) fn get(&self, place: usize) -> Option<usize> {
        match self {
            Self::All(len) => (place < *len).then_some(place),
            Self::Rows(rows) => rows.get(place).map(|&row| row as usize),
        }
    }

    /// Returns the place of a row of the table.
    pub(super) fn position(&self, row: usize) -> Option<usize> {
        match self {
            Self::All(len) => (row < *len).then_some(row),
            Self::Rows(rows) => rows.iter().position(|&found| found as usize == row),
        }
    }
}

fn make(columns: &Columns<'_>, which: &Which, cancel: &CancelToken) -> Result<Vec<u32>, Failed> {
    let column =
        |index| columns.column(index).ok_or_else(|| Failed::invalid(format_args!("there is no column {index}")));
    let mut rows = matching(columns, which, column, cancel)?;
    // The first column decides, so it sorts last. Rows that are equal in it keep the order of the others.
    for &(index, is_descending) in which.sort.iter().rev() {
        cancel.check()?;
        rows = sorted(rows, &column(index)?, is_descending);
    }
    Ok(rows)
}

/// Returns the rows that match, in the order of the file.
fn matching<'t>(
    columns: &Columns<'t>,
    which: &Which,
    column: impl Fn(usize) -> Result<Column<'t, 't>, Failed>,
    cancel: &CancelToken,
) -> Result<Vec<u32>, Failed> {
    let table = columns.table();
    let pool = table.strings().bytes();
    let mut filters = Vec::new();
    for (index, expression) in &which.filters {
        let column = column(*index)?;
        filters.push((Filter::new(expression, &column, pool)?, column));
    }
    let anywhere = (!which.text.is_empty()).then(|| {
        let filter = Filter::containing(&which.text, pool);
        let columns = (0..columns.len()).filter_map(|index| columns.column(index));
        let columns: Vec<_> = columns.filter(|column| filter.can_match(column)).collect();
        (filter, columns)
    });
    let mut keep = vec![true; table.len()];
    if !filters.is_empty() || anywhere.is_some() {
        keep.par_chunks_mut(PIECE).enumerate().try_for_each(|(piece, keep)| {
            cancel.check()?;
            let (first, mut text) = (piece * PIECE, String::new());
            for (filter, column) in &filters {
                for (row, keep) in (first..).zip(&mut *keep).filter(|(_, keep)| **keep) {
                    *keep = filter.matches(column, row, &mut text);
                }
            }
            let Some((filter, columns)) = &anywhere else { return Ok(()) };
            // Rows in which the text was not found yet.
            let mut missing: Vec<_> = (0..keep.len()).filter(|&row| std::mem::take(&mut keep[row])).collect();
            for column in columns {
                missing.retain(|&row| {
                    let found = filter.matches(column, first + row, &mut text);
                    keep[row] = found;
                    !found
                });
            }
            Ok::<_, Failed>(())
        })?;
    }
    Ok((0..).zip(keep).filter_map(|(row, keep)| keep.then_some(row)).collect())
}

/// Sorts rows by a column. Rows with equal values stay in their order, and what is not a number comes last.
fn sorted(rows: Vec<u32>, column: &Column<'_, '_>, is_descending: bool) -> Vec<u32> {
    if column.bytes(0).is_some() {
        let text = |row: u32| cut(column.bytes(row as usize).unwrap_or_default(), MAX_TEXT);
        let mut keyed: Vec<_> = rows.into_iter().map(|row| (text(row), row)).collect();
        if is_descending {
            keyed.par_sort_by_key(|&(text, _)| Reverse(text));
        } else {
            keyed.par_sort_by_key(|&(text, _)| text);
        }
        return keyed.into_iter().map(|(_, row)| row).collect();
    }
    let key = |row: u32| {
        let key = key(column, row as usize)?;
        Some(if is_descending { !key } else { key })
    };
    let mut keyed: Vec<_> = rows.into_iter().map(|row| (key(row).unwrap_or(u64::MAX), row)).collect();
    keyed.par_sort_by_key(|&(key, _)| key);
    keyed.into_iter().map(|(_, row)| row).collect()
}

/// Returns a number that is greater for greater values; `None` if the cell is no number.
fn key(column: &Column<'_, '_>, row: usize) -> Option<u64> {
    const SIGN: u64 = 1 << 63;
    Some(match column.get(row)? {
        Value::I32(value) => i64::from(value).cast_unsigned() ^ SIGN,
        Value::U32(value) => value.into(),
        Value::U64(value) => value,
        Value::F32(value) if value.is_nan() => return None,
        Value::F32(value) => {
            // Zero has one place, whatever its sign.
            let bits = if value == 0.0 { 0 } else { value.to_bits() };
            // The bits of floats ascend with their size; those of negative ones the other way around.
            let key = if bits >> 31 == 1 { !bits } else { bits | 1 << 31 };
            key.into()
        }
        Value::Text(_) => return None,
    })
}
