//! Matched elements of two lists, and how to reach them again.

use std::hash::RandomState;

use worldview_core::Error;
use worldview_core::describe::Part;

use super::pairs::{Common, Pairs};
use crate::place::hash_key;

/// The elements of two lists, and which of them match.
#[derive(Debug)]
pub(super) struct Matching {
    pub(super) kind: &'static str,
    pub(super) left: Elements,
    pub(super) right: Elements,
    pub(super) pairs: Pairs,
}

/// The locations of a list's elements. A list can have an element for every byte of a file, so this is compact.
#[derive(Debug, Default)]
pub(super) struct Elements {
    pub(super) count: u32,
    /// The offsets up to the first one of 4 GiB or more.
    near: Vec<u32>,
    /// The offsets from that one on.
    far: Vec<u64>,
    /// The element numbers; empty if they equal the positions in the list.
    numbers: Vec<u32>,
    /// For each element, the number of earlier elements with the same key; empty if all keys are unique.
    nth: Vec<u32>,
    /// The hashes of names in upper case and of the names, if case is ignored.
    pub(super) folded: Vec<(u64, u64)>,
    /// The hashes of keys that several elements have.
    pub(super) repeated: std::collections::HashSet<u64>,
    /// The error at which the list ends early.
    pub(super) broken: Option<Error>,
}

impl Elements {
    pub(super) fn push(&mut self, part: &Part<'_>) -> u32 {
        let place = self.count;
        match u32::try_from(part.offset()) {
            Ok(offset) if self.far.is_empty() => self.near.push(offset),
            _ => self.far.push(part.offset()),
        }
        if part.index != place || !self.numbers.is_empty() {
            let known = u32::try_from(self.numbers.len()).unwrap_or(place);
            self.numbers.extend(known..place);
            self.numbers.push(part.index);
        }
        self.count = place.saturating_add(1);
        place
    }

    /// Returns the number and offset of the element at a position.
    pub(super) fn index_and_offset(&self, place: u32) -> (u32, u64) {
        let index = place as usize;
        let offset = match self.near.get(index) {
            Some(&offset) => offset.into(),
            None => self.far.get(index - self.near.len()).copied().unwrap_or(0),
        };
        (self.numbers.get(index).copied().unwrap_or(place), offset)
    }

    pub(super) fn nth(&self, place: u32) -> u32 {
        self.nth.get(place as usize).copied().unwrap_or(0)
    }

    /// Returns the number of an element in its path, if several have its key.
    pub(super) fn shown(&self, place: u32, part: &Part<'_>, hasher: &RandomState) -> Option<u32> {
        let hash = hash_key(part.key, hasher).filter(|hash| self.repeated.contains(hash));
        hash.map(|_| self.nth(place))
    }

    /// Counts names of these and of other elements as repeated if they differ only in case.
    pub(super) fn repeat_alike(&mut self, other: &Self) {
        let mut all = [&*self.folded, &other.folded].concat();
        all.sort_unstable();
        all.dedup();
        for alike in all.chunk_by(|one, next| one.0 == next.0).filter(|alike| alike.len() > 1) {
            self.repeated.extend(alike.iter().map(|(_, hash)| *hash));
        }
    }

    /// Numbers elements that have the same key.
    pub(super) fn number(&mut self, mut keys: Vec<Common>) {
        keys.sort_unstable();
        for same in keys.chunk_by(|one, next| one.0 == next.0).filter(|same| same.len() > 1) {
            self.nth.resize(self.count as usize, 0);
            self.repeated.extend(same.first().map(|(hash, _)| *hash));
            for (nth, &(_, place)) in (0..).zip(same) {
                self.nth[place as usize] = nth;
            }
        }
    }
}
