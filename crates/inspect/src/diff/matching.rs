//! Which elements of two lists are the same, and how to reach them again.

use worldview_core::Error;
use worldview_core::describe::Child;

use super::pairs::{Common, Pairs};

/// The elements of two lists, and which of them are the same.
#[derive(Debug)]
pub(super) struct Matching {
    pub(super) kind: &'static str,
    pub(super) left: Elements,
    pub(super) right: Elements,
    pub(super) pairs: Pairs,
}

/// How to reach the elements of a list again. A list can have an element for each byte of a file.
#[derive(Debug, Default)]
pub(super) struct Elements {
    pub(super) count: u32,
    /// Offsets, as long as they are below 4 GiB.
    near: Vec<u32>,
    /// The offsets from there on.
    far: Vec<u64>,
    /// The numbers of the elements, unless each is that of its place.
    numbers: Vec<u32>,
    /// For each element the number of those before it with its key; empty if each has its own.
    nth: Vec<u32>,
    /// Why the list ends early.
    pub(super) broken: Option<Error>,
}

impl Elements {
    pub(super) fn push(&mut self, part: &Child<'_>) -> u32 {
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

    /// Returns the number and offset of the element at a place.
    pub(super) fn at(&self, place: u32) -> (u32, u64) {
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

    /// Numbers elements with equal keys.
    pub(super) fn number(&mut self, mut keys: Vec<Common>) {
        keys.sort_unstable();
        for same in keys.chunk_by(|one, next| one.0 == next.0).filter(|same| same.len() > 1) {
            self.nth.resize(self.count as usize, 0);
            for (nth, &(_, place)) in (0..).zip(same) {
                self.nth[place as usize] = nth;
            }
        }
    }
}
