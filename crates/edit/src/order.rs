//! The order of lists: what stays, what moves, and numbers of repeated names.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use worldview_core::Path;
pub use worldview_inspect::diff::ascending;

use crate::Position;

/// Keys with a number that tells repeated ones apart.
pub fn numbered<K: Clone + Eq + Hash>(keys: impl Iterator<Item = K>) -> Vec<(K, u32)> {
    let mut counts: HashMap<K, u32> = HashMap::new();
    let number = |key: K| {
        let count = counts.entry(key.clone()).or_default();
        let nth = *count;
        *count = count.saturating_add(1);
        (key, nth)
    };
    keys.map(number).collect()
}

/// The numbers that keys have in paths: those that repeat count from 0.
pub fn numbers<K: Eq + Hash>(keys: &[K]) -> Vec<Option<u32>> {
    let all = numbered(keys.iter());
    let repeated: HashSet<_> = all.iter().filter(|(_, nth)| *nth > 0).map(|(key, _)| *key).collect();
    all.iter().map(|(key, nth)| repeated.contains(key).then_some(*nth)).collect()
}

/// The result for an element that both lists have.
#[derive(Clone, Copy)]
pub(crate) enum Order {
    Kept,
    /// Where it is in the left list.
    Moved(usize),
}

/// Where an element goes, by its neighbor in the left list.
#[derive(Clone, Copy)]
pub(crate) enum Neighbor {
    Before(usize),
    After(usize),
}

impl Neighbor {
    /// Returns the place as changes express it. `path` returns the path of an element of the left list.
    pub(crate) fn position(self, path: impl Fn(usize) -> Path) -> Position {
        match self {
            Self::Before(index) => Position::Before(path(index)),
            Self::After(index) => Position::After(path(index)),
        }
    }
}

/// The moves and additions that turn one list into another.
pub(crate) struct Arrangement {
    /// Of each element of the right list, whether the left one has it, and where it goes if it does not stay.
    pub(crate) places: Vec<(Option<Order>, Option<Neighbor>)>,
    /// The first element of the left list that stays where it is.
    first: Option<usize>,
}

impl Arrangement {
    /// Compares two lists. Elements stay where that is possible; the others go behind the one before them. `left_of` has the index in
    /// the left list of each element on the right that has a match there.
    pub(crate) fn new(left_of: impl Iterator<Item = Option<usize>> + Clone) -> Self {
        let kept = ascending(&left_of.clone().flatten().collect::<Vec<_>>());
        let first = kept.first().copied();
        let mut kept = kept.into_iter().peekable();
        let mut before = first.map(Neighbor::Before);
        let place = |index: Option<usize>| match index {
            Some(index) if kept.next_if_eq(&index).is_some() => {
                before = Some(Neighbor::After(index));
                (Some(Order::Kept), None)
            }
            Some(index) => (Some(Order::Moved(index)), before),
            None => (None, before),
        };
        Self { places: left_of.map(place).collect(), first }
    }

    /// Returns where an element of the left list is: behind the one before it, which may go too, or before all that stay.
    pub(crate) fn was(&self, index: usize, path: impl Fn(usize) -> Path) -> Position {
        let neighbor = index.checked_sub(1).map(Neighbor::After).or(self.first.map(Neighbor::Before));
        neighbor.map_or(Position::Natural, |neighbor| neighbor.position(path))
    }
}
