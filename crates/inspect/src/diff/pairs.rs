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

    /// Matches elements that only have numbers: equal ones at the start and at the end, and the others in order. What only one
    /// side has is at the end, unless it is the left side.
    pub(super) fn ends(left: &[Common], right: &[Common]) -> Self {
        let (len, other) = (left.len(), right.len());
        let is_same = |(one, other): &(&Common, &Common)| one.0 == other.0;
        let start = left.iter().zip(right).take_while(is_same).count();
        let most = other.saturating_sub(start);
        let end = left.iter().rev().zip(right.iter().rev()).take(most).take_while(is_same).count();
        let number = |place: usize| u32::try_from(place).unwrap_or(NONE);
        let mut pairs = Self::none(number(len), number(other));
        let Self::Matched { left: of_left, right: of_right } = &mut pairs else { return pairs };
        // Nothing is inserted, because paths are those of the left side.
        let end = if len < other { 0 } else { end };
        let start = (0..other.saturating_sub(end).min(len)).map(|place| (place, place));
        let end = (0..end).map(|place| (len - 1 - place, other - 1 - place));
        for (place, partner) in start.chain(end) {
            of_left[place] = number(partner);
            of_right[partner] = true;
        }
        pairs
    }

    /// Matches what is unmatched between the same matched neighbors, in order.
    pub(super) fn between(&mut self) {
        let Self::Matched { left, right } = self else { return };
        let mut partners: Vec<_> = left.iter().map(|&other| (other != NONE).then_some(other as usize)).collect();
        between(&mut partners, right.len());
        for (left, partner) in left.iter_mut().zip(partners) {
            if let Some(partner) = partner {
                *left = u32::try_from(partner).unwrap_or(NONE);
                right[partner] = true;
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

/// Matches what is unmatched in two lists between the same matched neighbors, in order. Of matches that cross, those that leave
/// the most others in order are neighbors.
pub fn between(partners: &mut [Option<usize>], right: usize) {
    let kept = ascending(&partners.iter().flatten().copied().collect::<Vec<_>>());
    let mut is_taken = vec![false; right];
    partners.iter().flatten().for_each(|&partner| is_taken[partner] = true);
    let (mut free, mut next) = (Vec::new(), 0);
    for place in 0..=partners.len() {
        let end = match partners.get(place) {
            Some(None) => {
                free.push(place);
                continue;
            }
            Some(Some(partner)) if kept.binary_search(partner).is_err() => continue,
            Some(Some(partner)) => *partner,
            None => right,
        };
        let others = (next..end).filter(|&other| !is_taken[other]);
        free.drain(..).zip(others).for_each(|(place, other)| partners[place] = Some(other));
        next = end + 1;
    }
}

/// A longest ascending subsequence.
pub fn ascending(list: &[usize]) -> Vec<usize> {
    // Of each length, where the subsequence with the smallest end ends.
    let mut ends: Vec<usize> = Vec::new();
    let mut before = vec![None; list.len()];
    for (index, value) in list.iter().enumerate() {
        let at = ends.partition_point(|end| list.get(*end).is_some_and(|end| end < value));
        if let Some(slot) = before.get_mut(index) {
            *slot = at.checked_sub(1).and_then(|at| ends.get(at)).copied();
        }
        match ends.get_mut(at) {
            Some(end) => *end = index,
            None => ends.push(index),
        }
    }
    let last = ends.last().copied();
    let ends = std::iter::successors(last, |index| before.get(*index).copied().flatten());
    let mut kept: Vec<_> = ends.filter_map(|index| list.get(index).copied()).collect();
    kept.reverse();
    kept
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
