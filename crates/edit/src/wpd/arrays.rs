use worldview_core::{Path, quote};
use worldview_inspect::utf8;
use worldview_wpd::{Element, Field, Table};

use super::pool::Pool;
use crate::account::{Account, Column, Entry};
use crate::checked::{Checked as _, Number as _, index};
use crate::codes;
use crate::nearest::nearest;
use crate::{EditError, Result, Value};

codes! {
    /// The codes of what was done in tables.
    pub TABLES {
        NEW_ARRAY_STRING = "new-array-string": "a string that no record had is added to the array of a field",
    }
}

/// The string arrays of a table, and what edits append to them.
pub(super) struct Arrays {
    /// Offsets of the elements, those that only fill the last word included.
    lists: Vec<List>,
    /// The texts that no record had.
    pub(super) notes: Account,
}

struct List {
    offsets: Vec<u32>,
    /// How many elements records of the original use, or are more than filling; counted when an element is first appended.
    used: Option<usize>,
    /// How many elements edited records use.
    claimed: usize,
    is_changed: bool,
}

impl Arrays {
    pub(super) fn of(table: &Table<'_>) -> Self {
        let offsets = |array: worldview_wpd::StringArray<'_, '_>| {
            (0..array.len()).filter_map(|index| array.offset(index)).collect()
        };
        let list = |array| List { offsets: offsets(array), used: None, claimed: 0, is_changed: false };
        Self { lists: table.string_arrays().iter().map(list).collect(), notes: Account::new() }
    }

    /// Returns the index of a text in a field's array, to which it is appended if the array does not hold it.
    pub(super) fn element(
        &mut self,
        table: &Table<'_>,
        field: &Field<'_>,
        array: usize,
        text: &[u8],
        pool: &mut Pool<'_>,
        path: &Path,
    ) -> Result<u32> {
        let missing =
            || EditError::unsupported(path, "the table's string arrays cannot be read, so this field cannot be set");
        let stored = table.string_arrays().get(array).ok_or_else(missing)?;
        let list = self.lists.get_mut(array).ok_or_else(missing)?;
        // Filling may have been overwritten by an element that was appended.
        let is_kept = |index: usize| list.offsets.get(index).copied() == stored.offset(index);
        let is_stored = (0..stored.len()).find(|&index| stored.get(index) == Some(text) && is_kept(index));
        let index = match is_stored {
            Some(index) => index,
            None => {
                let offset = pool.offset(text, path)?;
                match list
                    .offsets
                    .iter()
                    .position(|&other| other == offset)
                    .filter(|&index| index >= stored.len() || list.is_changed)
                {
                    Some(index) => index,
                    None => {
                        if !text.is_empty() {
                            self.notes.push(added(text, stored.iter().flatten(), path));
                        }
                        list.append(table, field, offset)?
                    }
                }
            }
        };
        list.claimed = list.claimed.max(index.plus(1)?);
        let count = 1_u64.unbounded_shl(field.width().into());
        match u32::try_from(index) {
            Ok(number) if u64::from(number) < count => Ok(number),
            _ => {
                let (name, bits) = (field.name().escape_ascii(), field.width());
                let near = nearest_of(text, stored.iter().flatten());
                let limit = format!("{name} has {bits} bits and selects one of at most {count} strings{near}");
                Err(EditError::does_not_fit(path, Value::from_bytes(text), limit))
            }
        }
    }

    /// Returns the sections that changed, by their number in the archive.
    pub(super) fn finish(self, table: &Table<'_>, path: &Path) -> Result<Vec<(usize, Vec<u8>)>> {
        if self.lists.iter().all(|list| !list.is_changed) {
            return Ok(Vec::new());
        }
        let sections = table.sections();
        let (Some(array), Some(info), Some(starts)) =
            (sections.str_array(), sections.str_array_info(), sections.str_array_list())
        else {
            return Err(EditError::unsupported(path, "the table lacks a section of its string arrays"));
        };
        if !table.string_arrays().starts().is_sorted_by_key(|start| start.get()) {
            return Err(EditError::unsupported(path, "the string arrays overlap, so none can grow"));
        }
        if table.string_arrays().starts().last().is_some_and(|start| u64::from(start.get()) > array.data().len() as u64)
        {
            return Err(EditError::inconsistent(path, "a string array is not in its section"));
        }
        let offsets: Vec<&[u32]> = self.lists.iter().map(|list| &*list.offsets).collect();
        let too_large = || EditError::unsupported(path, "the string arrays would be too large for 32-bit offsets");
        let new = table.string_arrays().repacked(&offsets).ok_or_else(too_large)?;
        let mut out = vec![(array.index(), new.array), (starts.index(), new.list)];
        if let Some(packing) = new.packing {
            let mut bytes = info.data().to_vec();
            bytes.get_mut(2..4).checked()?.copy_from_slice(&packing);
            out.push((info.index(), bytes));
        }
        Ok(out)
    }
}

/// Says which of several texts is most like another one.
fn nearest_of<'t>(text: &[u8], others: impl Iterator<Item = &'t [u8]>) -> String {
    let near = nearest(&utf8(text), others.filter(|other| !other.is_empty()).map(utf8));
    near.map_or(String::new(), |(_, near)| format!("; the nearest is {}", quote(&near)))
}

/// Says that a text is added to an array of texts.
fn added<'t>(text: &[u8], others: impl Iterator<Item = &'t [u8]> + Clone, path: &Path) -> Entry {
    let near = nearest_of(text, others.clone());
    let (text, count) = (quote(&utf8(text)), others.count());
    let why = format!("{text} is not one of the {count} strings of this field, and is added{near}");
    Entry::new(Column::Done, NEW_ARRAY_STRING, path, why)
}

impl List {
    /// Appends an element; one that only fills the last word, and that no record uses, is taken first.
    fn append(&mut self, table: &Table<'_>, field: &Field<'_>, offset: u32) -> Result<usize> {
        let original = match self.used {
            Some(used) => used,
            None => {
                let name = std::str::from_utf8(field.name()).ok();
                let column = name.and_then(|name| table.column::<Element<'_>>(name).ok());
                let largest = column.and_then(|column| column.iter().map(|element| element.index).max());
                let filled = self.offsets.iter().rposition(|&offset| offset != 0);
                let last = largest.map(|largest| index(largest.into())).transpose()?.max(filled);
                // Records may select what the array does not have.
                last.map_or(Ok(0), |last| last.plus(1))?.min(self.offsets.len())
            }
        };
        self.used = Some(original);
        self.is_changed = true;
        let used = original.max(self.claimed);
        match self.offsets.get_mut(used) {
            Some(filling) => *filling = offset,
            None => self.offsets.push(offset),
        }
        Ok(used)
    }
}
