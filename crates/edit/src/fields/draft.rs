use std::ops::Range;

use worldview_core::Path;
use worldview_core::describe::{Int, Part, Span};
use zerocopy::FromBytes;

use crate::Result;
use crate::checked::{Checked as _, Number as _, behind};
use crate::patches::differing;

/// The bytes of a part that is being edited.
pub(crate) struct Draft<'p> {
    /// Returns the reference to a text: its offset in the pool, or which element of an array it is.
    pub(super) refer: Option<&'p mut Refer<'p>>,
    /// Where the part is.
    at: u64,
    bytes: Vec<u8>,
    /// Where other bytes of the part are, which follow those at its place: their span, and where they begin in `bytes`.
    beside: Vec<(Span, usize)>,
    /// Ranges of the bytes that get another length.
    resized: Vec<(Range<usize>, Vec<u8>)>,
    /// Whether arrays whose length follows from other fields can get another one: the result is parsed.
    pub(super) is_parsed: bool,
}

/// Finds or appends a text that a field refers to; the number says of which array it is an element.
pub(crate) type Refer<'p> = dyn FnMut(Option<u32>, &[u8], &[u8], &Path) -> Result<u32> + 'p;

impl<'p> Draft<'p> {
    pub(crate) fn new(at: u64, bytes: &[u8]) -> Self {
        Self { refer: None, at, bytes: bytes.to_vec(), beside: Vec::new(), resized: Vec::new(), is_parsed: false }
    }

    /// Takes the bytes of an element, which are those at its place and those beside it.
    pub(crate) fn of(part: &Part<'_>, bytes: Vec<u8>) -> Self {
        // A length that is no index lies behind the bytes, where nothing can be written.
        let (at, start) = part.at.map_or((0, 0), |at| (at.at, usize::try_from(at.len).unwrap_or(usize::MAX)));
        let beside = part.beside.map(|beside| (beside, start)).into_iter().collect();
        Self { refer: None, at, bytes, beside, resized: Vec::new(), is_parsed: false }
    }

    /// Lets arrays get another length that other fields must follow. The caller has to parse the result.
    pub(crate) fn parsed(mut self) -> Self {
        self.is_parsed = true;
        self
    }

    /// Adds bytes that are elsewhere.
    pub(crate) fn beside(mut self, at: Span, bytes: &[u8]) -> Self {
        self.beside.push((at, self.bytes.len()));
        self.bytes.extend_from_slice(bytes);
        self
    }

    /// Sets what finds texts that fields refer to.
    pub(crate) fn refer(mut self, refer: Option<&'p mut Refer<'p>>) -> Self {
        self.refer = refer;
        self
    }

    fn range(&self, at: Span) -> Option<Range<usize>> {
        let own = self.beside.first().map_or(self.bytes.len(), |(_, start)| *start);
        let is_in = |start: u64, len: u64| {
            at.at.checked_sub(start).and_then(|before| before.checked_add(at.len)).is_some_and(|end| end <= len)
        };
        let is_own = is_in(self.at, own as u64);
        // Bytes beside the part may be at any place, also at one inside it.
        let is_beside = |(all, _): &&(Span, usize)| at == *all || !is_own && is_in(all.at, all.len);
        let (base, first, end) = match self.beside.iter().find(is_beside) {
            Some((all, start)) => (all.at, *start, start.checked_add(usize::try_from(all.len).ok()?)?),
            None => (self.at, 0, own),
        };
        let start = first.checked_add(usize::try_from(at.at.checked_sub(base)?).ok()?)?;
        let range = start..start.checked_add(usize::try_from(at.len).ok()?)?;
        (range.end <= end).then_some(range)
    }

    /// Writes an integer, and leaves the bits beside it.
    pub(crate) fn put(&mut self, at: Span, int: Int, value: i128) -> bool {
        let range = self.range(at);
        range.and_then(|range| self.bytes.get_mut(range)).is_some_and(|word| int.write(word, value))
    }

    /// Writes those bits of an integer that a mask has.
    pub(super) fn put_masked(&mut self, at: Span, int: Int, mask: i128, value: i128) -> bool {
        let old = self.range(at).and_then(|range| self.bytes.get(range)).and_then(|word| int.read(word));
        old.is_some_and(|old| self.put(at, int, old & !mask | value))
    }

    /// Writes the number of elements of a list.
    pub(crate) fn count(&mut self, edited: &crate::list::Edited) -> Result<()> {
        let Some((at, int)) = edited.slots.count else { return Ok(()) };
        self.put(at, int, edited.count.into()).then_some(()).checked()
    }

    /// Adds to an integer, such as a length of which several fields are part.
    pub(super) fn add(&mut self, at: Span, int: Int, delta: i128, most: u32) -> bool {
        let word = self.range(at).and_then(|range| self.bytes.get(range)).and_then(|word| int.read(word));
        let new = word.and_then(|word| word.checked_add(delta)).filter(|new| (0..=most.into()).contains(new));
        new.is_some_and(|new| self.put(at, int, new))
    }

    pub(super) fn replace(&mut self, at: Span, new: &[u8]) -> bool {
        match self.range(at) {
            Some(range) if range.len() == new.len() => {
                let place = self.bytes.get_mut(range);
                place.map(|place| place.copy_from_slice(new)).is_some()
            }
            Some(range) => {
                self.resized.push((range, new.to_vec()));
                true
            }
            None => false,
        }
    }

    /// Returns the edited bytes of the part, and those beside it.
    pub(crate) fn finish_all(mut self) -> Result<Vec<Vec<u8>>> {
        let moved = |start: usize| {
            let mut before = self.resized.iter().filter(|(range, _)| range.start < start);
            before.try_fold(start, |at, (range, new)| at.plus(new.len())?.minus(range.len()))
        };
        let starts = self.beside.iter().map(|(_, start)| moved(*start)).collect::<Result<Vec<_>>>()?;
        self.beside.clear();
        let mut bytes = self.finish();
        let mut all: Vec<_> = starts.into_iter().rev().map(|start| bytes.split_off(start)).collect();
        all.push(bytes);
        all.reverse();
        Ok(all)
    }

    /// Returns the ranges that differ from the bytes before, which start where the part does, and their new bytes.
    pub(crate) fn patches(mut self, old: &[u8]) -> Result<Vec<(Range<usize>, Vec<u8>)>> {
        self.resized.sort_by_key(|(range, _)| (range.start, range.end));
        let (mut all, mut at) = (Vec::new(), 0);
        let end = (old.len()..old.len(), Vec::new());
        for (range, new) in std::mem::take(&mut self.resized).into_iter().chain([end]) {
            let [before, after] = [old, &self.bytes].map(|bytes| bytes.get(at..range.start).checked());
            let after = after?;
            for run in differing(before?, after, 1) {
                all.push((behind(at, &run)?, after.get(run).checked()?.to_vec()));
            }
            at = range.end;
            if range.len() != new.len() {
                all.push((range, new));
            }
        }
        Ok(all)
    }

    /// Returns the edited bytes as a structure.
    pub(crate) fn finish_as<T: FromBytes>(self) -> Result<T> {
        structure(&self.finish())
    }

    /// Returns the edited bytes.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.resized.sort_by_key(|(range, _)| (range.start, range.end));
        for (range, new) in self.resized.into_iter().rev() {
            self.bytes.splice(range, new);
        }
        self.bytes
    }
}

/// Returns the bytes of a structure as the structure.
pub(crate) fn structure<T: FromBytes>(bytes: &[u8]) -> Result<T> {
    T::read_from_bytes(bytes).ok().checked()
}
