//! The records of a table, by the paths that name them everywhere.

use std::sync::Arc;

use worldview::wpd::Table;
use worldview::{Path, Segment};
use worldview_edit::order::numbered;

use crate::answer::Failed;
use crate::files::Opened;

/// How many earlier records have the same name, for each record. Empty if all names differ.
struct Numbers(Vec<u32>);

/// The records of a table.
pub(super) struct Records<'t, 'a> {
    table: &'t Table<'a>,
    numbers: Arc<Numbers>,
}

impl<'t, 'a> Records<'t, 'a> {
    pub(super) fn of(opened: &Arc<Opened>, table: &'t Table<'a>) -> Result<Self, Failed> {
        let numbers = opened.made(|_| Ok::<_, Failed>(Numbers(numbers(table))))?;
        Ok(Self { table, numbers })
    }

    /// Returns the path of a record.
    pub(super) fn path(&self, index: usize) -> Path {
        let name = self.table.get(index).map_or(&[][..], |row| row.name());
        let mut path = Path::new();
        match self.numbers.0.get(index) {
            None | Some(0) => path.push_name(name),
            Some(&number) => path.push_nth(name, number),
        }
        path
    }

    /// Returns the index of the record that the segment of a path names.
    pub(super) fn index(&self, segment: &Segment<'_>) -> Option<usize> {
        if segment.kind.is_some() {
            return None;
        }
        let number = segment.nth.unwrap_or(0);
        if number == 0 {
            return self.table.by_name(&segment.key).map(|row| row.index());
        }
        let numbered = self.numbers.0.iter().enumerate().filter(|(_, found)| **found == number);
        let mut named = numbered.map(|(index, _)| index);
        named.find(|&index| self.table.get(index).is_some_and(|row| *row.name() == *segment.key))
    }
}

fn numbers(table: &Table<'_>) -> Vec<u32> {
    if table.archive().is_sorted() {
        return Vec::new();
    }
    let numbers: Vec<_> = numbered(table.rows().map(|row| row.name())).into_iter().map(|(_, nth)| nth).collect();
    if numbers.iter().all(|&number| number == 0) { Vec::new() } else { numbers }
}
