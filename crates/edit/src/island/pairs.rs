//! Which elements of two lists are the same one.

use std::collections::HashMap;

/// Two lists as one: which element of the right list each element of the left is, and what only one of them has.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Pairs {
    /// What becomes of the right list's elements, in their order.
    pub(super) steps: Vec<Step>,
    /// Elements that only the left list has.
    pub(super) removed: Vec<usize>,
}

/// Where an element of the right list comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// An element of the left list, which stays in its place.
    Keep { left: usize, right: usize },
    /// An element of the left list that moves behind another one, or to the start.
    Move { left: usize, right: usize, behind: Option<usize> },
    /// An element that only the right list has.
    Add { right: usize, behind: Option<usize> },
}

impl Pairs {
    /// Returns the elements that both lists have.
    pub(super) fn both(&self) -> impl Iterator<Item = (usize, usize)> {
        self.steps.iter().filter_map(|step| match *step {
            Step::Keep { left, right } | Step::Move { left, right, .. } => Some((left, right)),
            Step::Add { .. } => None,
        })
    }

    /// Returns whether an element moves.
    pub(super) fn moves(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Move { .. }))
    }

    /// Returns the first element of the left list that stays in its place.
    pub(super) fn first_kept(&self) -> Option<usize> {
        self.steps.iter().find_map(|step| match *step {
            Step::Keep { left, .. } => Some(left),
            _ => None,
        })
    }
}

/// Pairs elements with equal keys: of several, the first with the first. What then is left between two pairs is paired in order.
pub(super) fn pairs(left: &[Vec<u8>], right: &[Vec<u8>]) -> Pairs {
    let mut places: HashMap<(&[u8], usize), usize> = HashMap::new();
    let mut counts: HashMap<&[u8], usize> = HashMap::new();
    for (at, key) in right.iter().enumerate() {
        let count = counts.entry(key).or_default();
        places.insert((key, *count), at);
        *count = count.saturating_add(1);
    }
    counts.clear();
    let mut partners: Vec<Option<usize>> = Vec::with_capacity(left.len());
    for key in left {
        let count = counts.entry(key).or_default();
        partners.push(places.get(&(key.as_slice(), *count)).copied());
        *count = count.saturating_add(1);
    }
    arrange(&mut partners, right.len())
}

/// Pairs elements by equal content at the start and at the end, and the others in order.
pub(super) fn numbered(left: usize, right: usize, is_same: impl Fn(usize, usize) -> bool) -> Pairs {
    let start = (0..left.min(right)).take_while(|&at| is_same(at, at)).count();
    let rest = left.min(right).saturating_sub(start);
    let from_end = |len: usize, at: usize| len.saturating_sub(at).saturating_sub(1);
    let end = (0..rest).take_while(|&at| is_same(from_end(left, at), from_end(right, at))).count();
    let partner = |at: usize| {
        if at < start {
            return Some(at);
        }
        let behind = left.saturating_sub(at);
        (behind <= end).then(|| right.saturating_sub(behind))
    };
    arrange(&mut (0..left).map(partner).collect::<Vec<_>>(), right)
}

/// Finds what stays in its place, and pairs what is left between.
fn arrange(partners: &mut [Option<usize>], right: usize) -> Pairs {
    let stays = longest_ascent(partners);
    let mut taken = vec![false; right];
    for partner in partners.iter().flatten() {
        taken.get_mut(*partner).into_iter().for_each(|taken| *taken = true);
    }
    // Elements without a partner between two that stay, in order.
    let mut out = Pairs::default();
    let mut is_kept: Vec<bool> = stays.clone();
    let mut next = 0;
    let mut free: Vec<usize> = Vec::new();
    for at in 0..=partners.len() {
        let anchor = partners.get(at).copied().flatten().filter(|_| stays.get(at) == Some(&true));
        if anchor.is_none() && at < partners.len() {
            if partners.get(at) == Some(&None) {
                free.push(at);
            }
            continue;
        }
        let end = anchor.unwrap_or(right);
        let mut gap = (next..end).filter(|&other| taken.get(other) == Some(&false));
        for left in free.drain(..) {
            let Some(other) = gap.next() else { break };
            if let (Some(partner), Some(kept)) = (partners.get_mut(left), is_kept.get_mut(left)) {
                (*partner, *kept) = (Some(other), true);
            }
        }
        next = end.saturating_add(1);
    }
    let mut owner: Vec<Option<usize>> = vec![None; right];
    for (left, partner) in partners.iter().enumerate() {
        match partner {
            Some(partner) => owner.get_mut(*partner).into_iter().for_each(|owner| *owner = Some(left)),
            None => out.removed.push(left),
        }
    }
    let mut behind = None;
    for (right, owner) in owner.into_iter().enumerate() {
        out.steps.push(match owner {
            Some(left) if is_kept.get(left) == Some(&true) => {
                behind = Some(left);
                Step::Keep { left, right }
            }
            Some(left) => Step::Move { left, right, behind },
            None => Step::Add { right, behind },
        });
    }
    out
}

/// Returns which of the numbers belong to a longest ascending sequence.
fn longest_ascent(numbers: &[Option<usize>]) -> Vec<bool> {
    // The index of the last element of the best sequence of each length, and the element before each.
    let mut ends: Vec<usize> = Vec::new();
    let mut before = vec![None; numbers.len()];
    let value = |at: usize| numbers.get(at).copied().flatten();
    for (at, number) in numbers.iter().enumerate() {
        let Some(number) = number else { continue };
        let len = ends.partition_point(|&end| value(end) < Some(*number));
        before.get_mut(at).into_iter().for_each(|before| {
            *before = len.checked_sub(1).and_then(|last| ends.get(last)).copied();
        });
        match ends.get_mut(len) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut stays = vec![false; numbers.len()];
    let mut next = ends.last().copied();
    while let Some(at) = next {
        stays.get_mut(at).into_iter().for_each(|stays| *stays = true);
        next = before.get(at).copied().flatten();
    }
    stays
}
