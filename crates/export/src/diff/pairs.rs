use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;

/// Which elements of two lists are the same thing.
#[derive(Debug)]
pub(super) struct Pairs {
    /// For each on the left, its number on the right.
    left: Vec<Option<usize>>,
    /// For each on the right, whether it has one on the left.
    right: Vec<bool>,
}

impl Pairs {
    /// None are, of two lists of these lengths.
    pub(super) fn new(left: usize, right: usize) -> Self {
        Self { left: vec![None; left], right: vec![false; right] }
    }

    /// Those that share a key, several of one key in their order.
    pub(super) fn keyed<K: Eq + Hash>(left: &[K], right: &[K]) -> Self {
        let mut pairs = Self::new(left.len(), right.len());
        pairs.by(|index| left.get(index), |index| right.get(index));
        pairs
    }

    /// Those at the same place.
    pub(super) fn placed(left: usize, right: usize) -> Self {
        Self {
            left: (0..left).map(|index| (index < right).then_some(index)).collect(),
            right: (0..right).map(|index| index < left).collect(),
        }
    }

    /// Of those without a match, matches the ones that share a key, several of one key in their order.
    pub(super) fn by<K: Eq + Hash>(&mut self, left: impl Fn(usize) -> Option<K>, right: impl Fn(usize) -> Option<K>) {
        // Of each key the first on the right, and of each of them the next.
        let mut first: HashMap<K, Option<usize>> = HashMap::new();
        let mut next = vec![None; self.right.len()];
        for (index, matched) in self.right.iter().enumerate().rev() {
            if let Some(key) = right(index).filter(|_| !matched) {
                match first.entry(key) {
                    Entry::Occupied(mut found) => next[index] = found.insert(Some(index)),
                    Entry::Vacant(empty) => _ = empty.insert(Some(index)),
                }
            }
        }
        if first.is_empty() {
            return;
        }
        for (index, matched) in self.left.iter_mut().enumerate().filter(|(_, matched)| matched.is_none()) {
            let Some(found) = left(index).and_then(|key| first.get_mut(&key)) else { continue };
            if let Some(other) = *found {
                *matched = Some(other);
                self.right[other] = true;
                *found = next[other];
            }
        }
    }

    /// All elements: those on the left with their matches, then what only the right has.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Option<usize>, Option<usize>)> {
        let left = self.left.iter().enumerate().map(|(index, other)| (Some(index), *other));
        let right = self.right.iter().enumerate().filter(|(_, matched)| !**matched);
        left.chain(right.map(|(index, _)| (None, Some(index))))
    }

    /// The match of an element on the left.
    pub(super) fn of_left(&self, left: usize) -> Option<usize> {
        self.left.get(left).copied().flatten()
    }

    /// Of those that both have, the first that is another on the right: what is there on the left, and what on the right.
    pub(super) fn out_of_order(&self) -> Option<(usize, usize)> {
        let both = || self.left.iter().enumerate().filter_map(|(index, other)| Some((index, (*other)?)));
        if both().map(|(_, other)| other).is_sorted() {
            return None;
        }
        let of_right = self.right.iter().enumerate().filter(|(_, matched)| **matched).map(|(index, _)| index);
        both().zip(of_right).find(|((_, other), there)| other != there).map(|((left, _), there)| (left, there))
    }
}

#[cfg(test)]
mod tests {
    use super::Pairs;

    fn all(pairs: &Pairs) -> Vec<(Option<usize>, Option<usize>)> {
        pairs.iter().collect()
    }

    #[test]
    fn the_nth_of_a_key_goes_with_the_nth() {
        let pairs = Pairs::keyed(&["a", "b", "a", "c"], &["a", "d", "a", "a", "b"]);
        let (one, two, three, none) = (Some(1), Some(2), Some(3), None);
        assert_eq!(
            all(&pairs),
            [(Some(0), Some(0)), (one, Some(4)), (two, Some(2)), (three, none), (none, one), (none, three)]
        );
        // Of those that both have, "b" stands second on the left and third on the right, where the second is an "a".
        assert_eq!(pairs.out_of_order(), Some((1, 2)));
    }

    #[test]
    fn what_is_added_or_removed_disorders_nothing() {
        assert_eq!(Pairs::keyed(&["a", "b", "c"], &["x", "b", "y", "c"]).out_of_order(), None);
        assert_eq!(Pairs::placed(3, 1).out_of_order(), None);
        assert_eq!(all(&Pairs::placed(1, 2)), [(Some(0), Some(0)), (None, Some(1))]);
    }
}
