use std::ops::Range;

/// The ranges of a file to which something refers. What several parts of a file share cannot change for one of them.
#[derive(Debug)]
pub(crate) struct Used<T> {
    /// By their starts, each with the end of those up to it.
    ranges: Vec<(Range<T>, T)>,
}

impl<T: Copy + Default + Ord> Used<T> {
    pub(crate) fn of(ranges: impl IntoIterator<Item = Range<T>>) -> Self {
        let mut ranges: Vec<_> = ranges.into_iter().collect();
        ranges.sort_by_key(|range| (range.start, range.end));
        let mut end = T::default();
        let with_end = |range: Range<T>| {
            end = range.end.max(end);
            (range, end)
        };
        Self { ranges: ranges.into_iter().map(with_end).collect() }
    }

    /// Returns whether none but one of the ranges has bytes of this one, which is not empty.
    pub(crate) fn is_own(&self, range: &Range<T>) -> bool {
        let behind = self.ranges.partition_point(|(other, _)| other.start < range.end);
        let first = self.ranges.partition_point(|(other, _)| (other.start, other.end) < (range.start, range.end));
        let before = first.checked_sub(1).and_then(|before| self.ranges.get(before));
        before.is_none_or(|(_, end)| *end <= range.start) && behind.saturating_sub(first) <= 1
    }
}
