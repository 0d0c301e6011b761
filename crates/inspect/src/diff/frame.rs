//! The state of a comparison of two parts.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};

use worldview_core::Error;
use worldview_core::describe::{Field, FieldName, List, ListFlag, Role};

use super::DiffOptions;
use super::array::Context;
use super::kept::{Bytes, KeptField, Marks};
use super::report::{Report, integer};

/// Compares a field that both parts have.
pub(super) fn compare_fields(left: &Field<'_>, other: &Field<'_>, frame: &mut Frame, report: &mut Report<'_>) {
    if left.role == Role::Storage || other.role == Role::Storage {
        return;
    }
    if let (Some(left), Some(right)) = (integer(&left.value), integer(&other.value))
        && left != right
    {
        let stored = i128::from(other.storage_bits);
        if (left | stored) == (right | stored) {
            return;
        }
        frame.changed.push((left, right));
    }
    report.field(left, other, frame);
}

/// The state of a comparison of two parts.
pub(super) struct Frame {
    pub(super) list: Option<List>,
    pub(super) in_main: bool,
    pub(super) start: Marks,
    /// Whether the right part has been visited.
    pub(super) visited: bool,
    pub(super) index: Index,
    /// The integers that changed, as pairs of left and right values.
    pub(super) changed: Vec<(i128, i128)>,
    pub(super) broken: [Option<Error>; 2],
    pub(super) left_lists: Vec<&'static str>,
    pub(super) right_lists: Vec<&'static str>,
}

impl Frame {
    pub(super) fn new(list: Option<List>, in_main: bool, start: Marks) -> Self {
        Self {
            list,
            in_main,
            start,
            visited: false,
            index: Index::default(),
            changed: Vec::new(),
            broken: [None; 2],
            left_lists: Vec::new(),
            right_lists: Vec::new(),
        }
    }

    pub(super) fn clone_numbers(&self) -> Self {
        Self { changed: self.changed.clone(), ..Self::new(self.list, self.in_main, self.start) }
    }

    pub(super) fn is_scalar(&self) -> bool {
        self.list.is_some_and(|list| list.is(ListFlag::Scalar))
    }

    /// Returns whether the list of the fields reports that only one side has a field, or that its type changed. If only some elements
    /// are selected, that list need not be.
    pub(super) fn is_column(&self, field: &Field<'_>) -> bool {
        let by_columns = |list: List| list.is(ListFlag::Columns) && !list.is(ListFlag::Selected);
        matches!(field.name, FieldName::Bytes(_)) && self.list.is_some_and(by_columns)
    }

    pub(super) fn context(&self, options: &DiffOptions<'_>) -> Context<'_> {
        Context { changed: &self.changed, in_main: self.in_main, cells: options.cells }
    }
}

/// Finds fields by name. They are usually in the same order on both sides.
#[derive(Default)]
pub(super) struct Index {
    /// The index after the field that was found last.
    next: usize,
    by_name: Option<HashMap<u64, usize>>,
}

impl Index {
    /// The number of fields up to which a linear search is used.
    const FEW: usize = 32;

    pub(super) fn find(
        &mut self,
        fields: &[KeptField],
        bytes: &Bytes<'_>,
        name: FieldName<'_>,
        hasher: &RandomState,
    ) -> Option<usize> {
        let is_it = |place: &usize| fields.get(*place).is_some_and(|field| field.name(bytes) == name);
        let found = if is_it(&self.next) {
            Some(self.next)
        } else if fields.len() <= Self::FEW {
            (0..fields.len()).find(is_it)
        } else {
            let hash = |field: &KeptField| hasher.hash_one(field.name(bytes));
            let by_name = self.by_name.get_or_insert_with(|| fields.iter().map(hash).zip(0..).collect());
            by_name.get(&hasher.hash_one(name)).copied().filter(is_it)
        };
        self.next = found.map_or(self.next, |found| found + 1);
        found
    }
}
