//! The bytes of a file that are being edited: what replaces them, and words that follow from where other bytes go.

use std::ops::Range;

use worldview_core::Path;

use crate::checked::{Checked as _, Number as _, behind, sized};
use crate::patches::{NUMBERS, differing};
use crate::{EditError, Patches, Result};

/// A buffer and the ranges of it that are replaced, before the offsets that follow from them are known.
pub(crate) struct Image<'a> {
    pub(crate) bytes: &'a [u8],
    /// Where the chunk or blob starts that is being edited.
    pub(crate) base: usize,
    patches: Vec<Patch>,
    /// The change that is being applied, for messages.
    pub(crate) path: Path,
}

struct Patch {
    range: Range<usize>,
    piece: Piece,
    /// Where the list starts in which this is inserted between elements.
    list: Option<usize>,
    path: Path,
}

/// New bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Piece {
    pub(crate) bytes: Vec<u8>,
    pub(crate) words: Vec<Word>,
}

/// A place in new bytes whose value depends on where they go.
#[derive(Clone, Debug)]
pub(crate) enum Word {
    /// An offset that counts from the start of the piece, and shall count from the output's place of `base`.
    Offset { at: usize, base: usize },
    /// The length and offset of a blob.
    Blob { at: usize, target: Target },
}

/// The target of a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A range of the original.
    Kept(Range<usize>),
    /// A blob that is appended.
    New(usize),
}

/// A word of the original that follows from the places of other things.
pub(crate) enum Stored {
    /// The offset of `target`, from `base` on.
    Offset { at: usize, target: usize, base: usize },
    /// The length of a range.
    Length { at: usize, range: Range<usize> },
    /// The length and offset of a blob.
    Blob { at: usize, target: Target },
}

impl From<Vec<u8>> for Piece {
    fn from(bytes: Vec<u8>) -> Self {
        Self { bytes, words: Vec::new() }
    }
}

impl<'a> Image<'a> {
    pub(crate) const fn new(bytes: &'a [u8], path: Path) -> Self {
        Self { bytes, base: 0, patches: Vec::new(), path }
    }

    /// Returns the bytes of a range. An empty one may be anywhere.
    #[track_caller]
    pub(crate) fn get(&self, range: &Range<usize>) -> Result<&'a [u8]> {
        if range.start == range.end { Ok(&[]) } else { self.bytes.get(range.clone()).checked() }
    }

    /// Replaces a range, but only the bytes that differ if it keeps its length.
    #[track_caller]
    pub(crate) fn replace(&mut self, range: Range<usize>, bytes: Vec<u8>) -> Result<()> {
        let old = self.get(&range)?;
        if old.len() != bytes.len() {
            self.put(range, bytes.into(), None);
            return Ok(());
        }
        for run in differing(old, &bytes, NUMBERS) {
            self.put(behind(range.start, &run)?, bytes.get(run).checked()?.to_vec().into(), None);
        }
        Ok(())
    }

    /// Replaces a part that starts at an offset by an edited form of it.
    pub(crate) fn edit(&mut self, start: usize, edited: Patches<'_>) -> Result<()> {
        self.replace_all(start, edited.into_ranges())
    }

    /// Replaces ranges of a part that starts at an offset.
    pub(crate) fn replace_all(
        &mut self,
        start: usize,
        ranges: impl IntoIterator<Item = (Range<usize>, Vec<u8>)>,
    ) -> Result<()> {
        ranges.into_iter().try_for_each(|(range, bytes)| self.replace(behind(start, &range)?, bytes))
    }

    /// Replaces a range, which may be empty: then `list` is where the list starts in which the piece is inserted.
    pub(crate) fn put(&mut self, range: Range<usize>, piece: Piece, list: Option<usize>) {
        self.patches.push(Patch { range, piece, list, path: self.path.clone() });
    }

    /// Puts bytes in place of a range, which may be empty, and returns their number.
    pub(crate) fn insert(&mut self, range: Range<usize>, bytes: Vec<u8>) -> usize {
        let number = self.patches.len();
        self.put(range, bytes.into(), None);
        number
    }

    /// Returns these bytes, which may change, but not their length.
    pub(crate) fn inserted(&mut self, number: usize) -> Result<&mut Vec<u8>> {
        Ok(&mut self.patches.get_mut(number).checked()?.piece.bytes)
    }

    /// Returns whether bytes of a range are replaced.
    pub(crate) fn has_replaced(&self, range: &Range<usize>) -> bool {
        self.patches.iter().any(|patch| patch.range.start < range.end && range.start < patch.range.end)
    }

    /// Returns where things go, if nothing gets another length from now on; an error if two ranges overlap.
    pub(crate) fn moves(&self) -> Result<Moves> {
        let mut patches: Vec<_> = self.patches.iter().enumerate().collect();
        // A stable sort: insertions at one place stay in order.
        patches.sort_by_key(|(_, patch)| (patch.range.start, patch.range.end));
        for ((_, left), (_, right)) in patches.iter().zip(patches.iter().skip(1)) {
            if left.range.end > right.range.start {
                return Err(EditError::conflict(&right.path, &left.path));
            }
        }
        Moves::of(&patches)
    }

    /// Returns the ranges that get another length, with the changes that do this.
    pub(crate) fn resized(&self) -> impl Iterator<Item = (&Range<usize>, &Path)> {
        let resizes = |patch: &&Patch| patch.piece.bytes.len() != patch.range.len();
        self.patches.iter().filter(resizes).map(|patch| (&patch.range, &patch.path))
    }

    /// Returns the edited buffer, followed by new blobs.
    pub(crate) fn finish(
        mut self,
        stored: impl IntoIterator<Item = Stored>,
        appended: Vec<Vec<u8>>,
    ) -> Result<Patches<'a>> {
        let moves = self.moves()?;
        let mut end = moves.at(self.bytes.len())?;
        let mut blobs = Vec::with_capacity(appended.len());
        for blob in &appended {
            blobs.push(sized(end, blob.len())?);
            end = end.plus(blob.len())?;
        }
        let too_large =
            || EditError::unsupported(&self.path, "the file would be larger than its 32-bit offsets can express");
        let place = |target: &Target| match target {
            Target::Kept(range) => {
                let start = moves.at(range.start)?;
                Ok(start..moves.at(range.end)?.max(start))
            }
            Target::New(index) => blobs.get(*index).cloned().checked(),
        };
        let word = |value: usize| u32::try_from(value).map(u32::to_le_bytes).map_err(|_| too_large());
        let blob = |target: &Target| {
            let range = place(target)?;
            word(range.end)?;
            Ok::<_, EditError>([word(range.len())?, word(range.start)?].concat())
        };
        let mut out = Patches::new(self.bytes);
        let mut fixed = Vec::new();
        for stored in stored {
            let (at, new) = match stored {
                Stored::Offset { at, target, base } => {
                    let target = moves.seen_from(at, target)?;
                    (at, word(target.minus(moves.at(base)?)?)?.to_vec())
                }
                Stored::Length { at, range } => (at, word(place(&Target::Kept(range))?.len())?.to_vec()),
                Stored::Blob { at, target } => (at, blob(&target)?),
            };
            let range = sized(at, new.len())?;
            // What is inside a replaced element went with it.
            if !moves.covers(&range) && self.get(&range)? != new {
                fixed.push((range, new));
            }
        }
        for (patch, at) in self.patches.iter_mut().zip(&moves.starts) {
            for word in &patch.piece.words {
                let (place, new) = match word {
                    Word::Offset { at: place, base } => {
                        let old = patch.piece.bytes.get(*place..).and_then(|bytes| bytes.first_chunk()).checked()?;
                        let old = usize::try_from(u32::from_le_bytes(*old)).checked()?;
                        let moved = at.minus(moves.at(*base)?)?.plus(old)?;
                        (*place, u32::try_from(moved).map_err(|_| too_large())?.to_le_bytes().to_vec())
                    }
                    Word::Blob { at: place, target } => (*place, blob(target)?),
                };
                patch.piece.bytes.get_mut(sized(place, new.len())?).checked()?.copy_from_slice(&new);
            }
        }
        let patches = self.patches.into_iter().map(|patch| (patch.range, patch.piece.bytes));
        let mut all: Vec<_> = patches.chain(fixed).collect();
        all.sort_by_key(|(range, _)| (range.start, range.end));
        all.extend(appended.into_iter().map(|blob| (self.bytes.len()..self.bytes.len(), blob)));
        for (range, bytes) in all {
            if !out.replace(range, bytes) {
                return Err(EditError::unsupported(&self.path, "parts of the file that the changes concern overlap"));
            }
        }
        Ok(out)
    }
}

/// Where things go.
pub(crate) struct Moves {
    /// The end of each replaced range, the list in which something was inserted there, and the lengths of the old and new
    /// bytes up to there.
    ends: Vec<(Range<usize>, Option<usize>, usize, usize)>,
    /// Where each piece starts in the output, by its number.
    starts: Vec<usize>,
}

impl Moves {
    /// Takes patches in the order of the file, with their numbers.
    fn of(patches: &[(usize, &Patch)]) -> Result<Self> {
        let (mut old, mut new) = (0_usize, 0_usize);
        let (mut ends, mut starts) = (Vec::with_capacity(patches.len()), vec![0; patches.len()]);
        for (number, patch) in patches {
            *starts.get_mut(*number).checked()? = patch.range.start.plus(new)?.minus(old)?;
            old = old.plus(patch.range.len())?;
            new = new.plus(patch.piece.bytes.len())?;
            ends.push((patch.range.clone(), patch.list, old, new));
        }
        Ok(Self { ends, starts })
    }

    /// Returns where inserted bytes are in the output.
    #[track_caller]
    pub(crate) fn start(&self, number: usize) -> Result<usize> {
        self.starts.get(number).copied().checked()
    }

    fn count(&self, offset: usize) -> usize {
        self.ends.partition_point(|(range, ..)| range.end <= offset)
    }

    /// Returns where an offset of the original is in the output if `count` patches come before it.
    fn behind(&self, offset: usize, count: usize) -> Result<usize> {
        let Some(last) = count.checked_sub(1) else { return Ok(offset) };
        let (_, _, old, new) = self.ends.get(last).checked()?;
        offset.plus(*new)?.minus(*old)
    }

    /// Returns where an offset of the original is in the output: behind everything that replaces bytes before it.
    pub(crate) fn at(&self, offset: usize) -> Result<usize> {
        self.behind(offset, self.count(offset))
    }

    /// The same as a word at `at` says it. If that is inside an element of a list, it leads to the end of the element, and not
    /// behind what is inserted there into the list.
    fn seen_from(&self, at: usize, offset: usize) -> Result<usize> {
        let mut count = self.count(offset);
        while let Some(last) = count.checked_sub(1)
            && let Some((range, Some(list), ..)) = self.ends.get(last)
            && *range == (offset..offset)
            && *list <= at
        {
            count = last;
        }
        self.behind(offset, count)
    }

    /// Returns whether a range has bytes that are replaced.
    fn covers(&self, range: &Range<usize>) -> bool {
        let first = self.ends.partition_point(|(other, ..)| other.end <= range.start);
        self.ends.get(first).is_some_and(|(other, ..)| other.start < range.end)
    }
}
