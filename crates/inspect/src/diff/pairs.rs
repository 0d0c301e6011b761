/// Which elements of two lists match.
#[derive(Debug)]
pub(super) enum Pairs {
    /// Elements with equal numbers match; the fields are the lengths of the two lists.
    Placed(u32, u32),
    /// Elements are matched by something they have in common.
    Matched {
        /// For each element on the left, the number of its match on the right, or [`NONE`].
        left: Vec<u32>,
        /// For each element on the right, whether it has a match on the left.
        right: Vec<bool>,
    },
}

const NONE: u32 = u32::MAX;

/// The hash by which an element is matched, and the element's number.
pub(super) type Common = (u64, u32);

impl Pairs {
    /// Creates an empty matching for lists of these lengths.
    pub(super) fn none(left: u32, right: u32) -> Self {
        Self::Matched { left: vec![NONE; left as usize], right: vec![false; right as usize] }
    }

    /// Matches elements of both sides that have equal hashes, in order if there are several. With `once`, only matches
    /// hashes that are unique on their side. Both lists must be sorted by element number and contain only unmatched
    /// elements.
    pub(super) fn pair(&mut self, mut left: Vec<Common>, mut right: Vec<Common>, once: bool) {
        let Self::Matched { left: of_left, right: of_right } = self else { return };
        let mut pair = |(_, left): Common, (_, right): Common| {
            of_left[left as usize] = right;
            of_right[right as usize] = true;
        };
        let is_same = left.len() == right.len() && left.iter().zip(&right).all(|(left, right)| left.0 == right.0);
        if is_same && !once {
            return left.into_iter().zip(right).for_each(|(left, right)| pair(left, right));
        }
        left.sort_unstable();
        right.sort_unstable();
        let mut others = right.chunk_by(|one, next| one.0 == next.0).peekable();
        for these in left.chunk_by(|one, next| one.0 == next.0) {
            while others.next_if(|others| others[0].0 < these[0].0).is_some() {}
            let Some(others) = others.next_if(|others| others[0].0 == these[0].0) else { continue };
            if !once || (these.len() == 1 && others.len() == 1) {
                these.iter().zip(others).for_each(|(&left, &right)| pair(left, right));
            }
        }
    }

    /// Returns the match of an element on the left.
    pub(super) fn of_left(&self, left: u32) -> Option<u32> {
        match self {
            Self::Placed(_, right) => (left < *right).then_some(left),
            Self::Matched { left: all, .. } => all.get(left as usize).copied().filter(|&other| other != NONE),
        }
    }

    /// Returns for each element on the right its match on the left.
    pub(super) fn left_of(&self) -> Vec<Option<u32>> {
        match self {
            Self::Placed(left, right) => (0..*right).map(|place| (place < *left).then_some(place)).collect(),
            Self::Matched { left, right } => {
                let mut all = vec![None; right.len()];
                for (place, other) in (0..).zip(left).filter(|(_, other)| **other != NONE) {
                    all[*other as usize] = Some(place);
                }
                all
            }
        }
    }

    /// Returns the elements on the left that have no match.
    pub(super) fn lone_left(&self) -> impl Iterator<Item = u32> {
        let count = match self {
            Self::Placed(left, _) => *left,
            Self::Matched { left, .. } => u32::try_from(left.len()).unwrap_or(NONE),
        };
        (0..count).filter(|&left| self.of_left(left).is_none())
    }

    /// Returns the elements on the right that have no match.
    pub(super) fn lone_right(&self) -> impl Iterator<Item = u32> {
        let (count, matched) = match self {
            Self::Placed(_, right) => (*right, None),
            Self::Matched { right, .. } => (u32::try_from(right.len()).unwrap_or(NONE), Some(right)),
        };
        (0..count).filter(move |&index| match (self, matched) {
            (Self::Placed(left, _), _) => index >= *left,
            (_, Some(matched)) => !matched[index as usize],
            (_, None) => false,
        })
    }

    /// Returns the first pair whose order differs: the element on the left, and the element that is at its position on
    /// the right.
    pub(super) fn out_of_order(&self) -> Option<(u32, u32)> {
        let Self::Matched { left, right } = self else { return None };
        let both = || (0..).zip(left).filter(|(_, other)| **other != NONE);
        if both().map(|(_, other)| other).is_sorted() {
            return None;
        }
        let of_right = (0..).zip(right).filter(|(_, matched)| **matched).map(|(index, _)| index);
        both().zip(of_right).find(|((_, other), there)| **other != *there).map(|((left, _), there)| (left, there))
    }
}

#[cfg(test)]
mod tests {
    use super::{Common, Pairs};

    fn pairs(left: &[u64], right: &[u64], once: bool) -> Pairs {
        let common = |all: &[u64]| all.iter().copied().zip(0..).collect::<Vec<Common>>();
        let mut pairs = Pairs::none(left.len().try_into().unwrap(), right.len().try_into().unwrap());
        pairs.pair(common(left), common(right), once);
        pairs
    }

    fn all(pairs: &Pairs, left: u32) -> (Vec<Option<u32>>, Vec<u32>) {
        ((0..left).map(|left| pairs.of_left(left)).collect(), pairs.lone_right().collect())
    }

    #[test]
    fn the_nth_of_several_goes_with_the_nth() {
        let pairs = pairs(&[5, 3, 5, 9], &[5, 8, 5, 5, 3], false);
        assert_eq!(all(&pairs, 4), (vec![Some(0), Some(4), Some(2), None], vec![1, 3]));
        assert_eq!(pairs.lone_left().collect::<Vec<_>>(), [3]);
        // Of the matched elements, 3 comes second on the left and third on the right, where 5 comes second.
        assert_eq!(pairs.out_of_order(), Some((1, 2)));
    }

    #[test]
    fn once_pairs_only_what_is_unique_on_both_sides() {
        let pairs = pairs(&[1, 2, 2, 3, 4], &[4, 3, 3, 2, 1], true);
        assert_eq!(all(&pairs, 5), (vec![Some(4), None, None, None, Some(0)], vec![1, 2, 3]));
    }

    #[test]
    fn what_is_added_or_removed_disorders_nothing() {
        assert_eq!(pairs(&[1, 2, 3], &[7, 2, 8, 3], false).out_of_order(), None);
        assert_eq!(pairs(&[1, 1], &[1, 1], false).out_of_order(), None);
        let placed = Pairs::Placed(1, 2);
        assert_eq!((all(&placed, 1), placed.out_of_order()), ((vec![Some(0)], vec![1]), None));
        assert_eq!(Pairs::Placed(3, 1).lone_left().collect::<Vec<_>>(), [1, 2]);
    }
}
