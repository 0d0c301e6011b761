use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::Range;

use crate::Changes;
use crate::account::Account;
use crate::checked::behind;

/// The result of an edit: the original bytes, and the ranges of them that are replaced.
///
/// Nothing is copied before [`write_to`](Self::write_to), which streams the output. Without any change that is the original, byte
/// for byte.
#[derive(Clone, Debug)]
pub struct Patches<'a> {
    original: &'a [u8],
    /// In ascending order, without overlap.
    list: Vec<(Range<usize>, Cow<'a, [u8]>)>,
    account: Account,
    also: Changes,
}

/// Number of bytes of the original that are written at once. In a single call, 100 MB of a mapped file took twice as long.
const AT_ONCE: usize = 1 << 20;

impl<'a> Patches<'a> {
    /// Returns the original without any change.
    pub const fn new(original: &'a [u8]) -> Self {
        Self { original, list: Vec::new(), account: Account::new(), also: Changes::new() }
    }

    /// Returns other bytes instead of the original.
    pub(crate) fn whole(original: &'a [u8], bytes: Vec<u8>) -> Self {
        Self { list: vec![(0..original.len(), bytes.into())], ..Self::new(original) }
    }

    /// Sets the results of the changes.
    pub(crate) fn counted(self, account: Account) -> Self {
        Self { account, ..self }
    }

    /// Returns how many changes were applied, and how many were done in the original already.
    pub const fn account(&self) -> &Account {
        &self.account
    }

    /// Sets the changes that were made along with those that were given.
    pub(crate) fn with(self, also: Changes) -> Self {
        Self { also, ..self }
    }

    /// Returns the changes that were made along with those that were given, as [`FileOptions::follow`](crate::FileOptions::follow) asks
    /// for. One of a field that was given, too, has the same new value, and the old one.
    pub const fn also(&self) -> &Changes {
        &self.also
    }

    /// Replaces a range of the original. Returns `false`, and changes nothing, if the range is not inside the original or overlaps a
    /// range that was replaced before by something else.
    #[must_use]
    pub(crate) fn replace(&mut self, range: Range<usize>, bytes: impl Into<Cow<'a, [u8]>>) -> bool {
        if range.start > range.end || range.end > self.original.len() {
            return false;
        }
        // Edits mostly come in ascending order.
        let index = self.list.partition_point(|(other, _)| (other.start, other.end) <= (range.start, range.end));
        let ends_before = |other: &Range<usize>| other.end <= range.start;
        let before = index.checked_sub(1).and_then(|before| self.list.get(before));
        let behind = self.list.get(index);
        if before.is_some_and(|(other, _)| !ends_before(other))
            || behind.is_some_and(|(other, _)| range.end > other.start)
        {
            return false;
        }
        self.list.insert(index, (range, bytes.into()));
        true
    }

    /// Does the same, but replaces only what differs if the range keeps its length.
    #[must_use]
    pub(crate) fn patch(&mut self, range: Range<usize>, bytes: Vec<u8>) -> bool {
        let old = self.original.get(range.clone()).filter(|old| old.len() == bytes.len());
        let Some(old) = old else { return self.replace(range, bytes) };
        differing(old, &bytes, NUMBERS).into_iter().all(|run| {
            let (Ok(at), Some(new)) = (behind(range.start, &run), bytes.get(run)) else { return false };
            self.replace(at, new.to_vec())
        })
    }

    /// Replaces a range by an edited form of it.
    #[must_use]
    pub(crate) fn put(&mut self, range: Range<usize>, edited: Self) -> bool {
        let len = range.len();
        if edited.original.len() != len || edited.len() != len as u64 {
            return self.replace(range, edited.to_vec());
        }
        let mut parts = edited.list.into_iter();
        parts.all(|(part, bytes)| behind(range.start, &part).is_ok_and(|at| self.replace(at, bytes)))
    }

    /// Returns the ranges that are replaced.
    pub(crate) fn into_ranges(self) -> impl Iterator<Item = (Range<usize>, Vec<u8>)> {
        self.list.into_iter().map(|(range, bytes)| (range, bytes.into_owned()))
    }

    /// Returns whether the output equals the original because nothing is replaced.
    pub const fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns the length of the output in bytes.
    #[expect(clippy::arithmetic_side_effects, reason = "`replace` lets only ranges of the original in, and none twice")]
    pub fn len(&self) -> u64 {
        let (gone, new) =
            self.list.iter().fold((0, 0), |(gone, all), (range, new)| (gone + range.len(), all + new.len()));
        (self.original.len() - gone + new) as u64
    }

    /// Writes the output.
    ///
    /// # Errors
    ///
    /// Returns an error if `out` does.
    #[expect(clippy::indexing_slicing, reason = "`replace` lets only ranges of the original in, in ascending order")]
    pub fn write_to(&self, out: &mut dyn Write) -> io::Result<()> {
        let keep = |range: Range<usize>, out: &mut dyn Write| {
            self.original[range].chunks(AT_ONCE).try_for_each(|part| out.write_all(part))
        };
        let mut at = 0;
        for (range, new) in &self.list {
            keep(at..range.start, out)?;
            out.write_all(new)?;
            at = range.end;
        }
        keep(at..self.original.len(), out)
    }

    /// Returns the output as one buffer.
    pub fn to_vec(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(usize::try_from(self.len()).unwrap_or(0));
        // Writing to a vector cannot fail.
        let _ = self.write_to(&mut out);
        out
    }
}

/// Makes different numbers that follow each other one range, although their highest bytes seldom differ.
pub(crate) const NUMBERS: usize = 4;

/// Returns the ranges in which bytes differ. Those with fewer than `join` bytes between them are one.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "these are places in a slice, and the end of a range lies before the next"
)]
pub(crate) fn differing(old: &[u8], new: &[u8], join: usize) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for (at, _) in old.iter().zip(new).enumerate().filter(|(_, (old, new))| old != new) {
        match ranges.last_mut().filter(|last| at - last.end < join) {
            Some(last) => last.end = at + 1,
            None => ranges.push(at..at + 1),
        }
    }
    ranges
}
