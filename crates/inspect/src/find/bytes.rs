//! A search of the bytes, which is much faster than one of the texts, and rules out most files.

use std::ops::Range;

use memchr::{memchr2_iter, memmem};
use worldview_core::describe::{Flow, Part, PartList, Span};
use worldview_core::{OffsetBase, Source};

use super::Pattern;

/// A run of ASCII characters that every text with a match contains, and hence the bytes of the file. All code pages have
/// the same ASCII characters.
#[derive(Clone, Debug)]
pub(super) struct Run {
    bytes: Vec<u8>,
    /// The index of the byte that is the rarest in files.
    rare: usize,
    ignores_case: bool,
    /// Characters outside of ASCII of which one of the run is the lower case: the Kelvin sign and the dotted I.
    others: &'static [&'static str],
}

impl Run {
    /// Returns the longest run of a pattern, unless it is too short to be rare.
    pub(super) fn of(pattern: &Pattern) -> Option<Self> {
        let text = pattern.text()?;
        // Bytes without a character are decoded as `\xNN`.
        if text.contains('\\') {
            return None;
        }
        let is_glob = pattern.is_glob();
        let is_end = |char: char| !char.is_ascii() || char.is_ascii_control() || is_glob && matches!(char, '*' | '?');
        let run = text.split(is_end).max_by_key(|run| run.len()).filter(|run| run.len() >= 3)?;
        let rare = run.bytes().enumerate().max_by_key(|(_, byte)| rarity(*byte))?.0;
        let ignores_case = !pattern.is_exact_case();
        let others: &[&str] = if ignores_case && run.contains(['i', 'k']) { &["\u{212a}", "\u{130}"] } else { &[] };
        Some(Self { bytes: run.as_bytes().to_vec(), rare, ignores_case, others })
    }

    /// Returns where the run may begin in the bytes of a source, or where it has one of the other characters; `None` if there are too
    /// many places.
    pub(super) fn places(&self, source: Source<'_>) -> Option<Places> {
        let (bytes, mut starts) = (source.bytes(), Vec::new());
        let mut add = |at: usize| {
            starts.push(source.base().saturating_add(at as u64));
            starts.len() <= Places::MAX
        };
        let mut others = self.others.iter().flat_map(|other| memmem::find_iter(bytes, other.as_bytes()));
        let is_complete = others.all(&mut add) && self.starts(bytes, &mut add);
        starts.sort_unstable();
        is_complete.then_some(Places { starts, space: source.space() })
    }

    /// Calls `add` with each place of the run, also with those that overlap, until it returns `false`.
    fn starts(&self, bytes: &[u8], add: &mut dyn FnMut(usize) -> bool) -> bool {
        if !self.ignores_case {
            let finder = memmem::Finder::new(&self.bytes);
            let mut from = 0_usize;
            let next = || {
                let at = from.checked_add(finder.find(bytes.get(from..)?)?)?;
                from = at.saturating_add(1);
                Some(at)
            };
            return std::iter::from_fn(next).all(add);
        }
        let Some(&rare) = self.bytes.get(self.rare) else { return false };
        let start = |at: usize| {
            let start = at.checked_sub(self.rare)?;
            let found = bytes.get(start..)?.get(..self.bytes.len())?;
            found.eq_ignore_ascii_case(&self.bytes).then_some(start)
        };
        memchr2_iter(rare, rare.to_ascii_uppercase(), bytes).filter_map(start).all(add)
    }
}

/// Where in the bytes of a source a match may be, in order.
#[derive(Debug)]
pub(super) struct Places {
    starts: Vec<u64>,
    space: OffsetBase,
}

impl Places {
    /// The maximum number of places. Elements with more are not worth looking for.
    const MAX: usize = 1 << 16;

    pub(super) const fn are_none(&self) -> bool {
        self.starts.is_empty()
    }

    /// Returns the numbers of the places in the bytes of an element.
    fn of(&self, part: &Part<'_>) -> [Range<usize>; 2] {
        [part.at, part.beside].map(|span| {
            let Some(Span { at, len, .. }) = span.filter(|span| span.space == self.space) else { return 0..0 };
            let before = |end: u64| self.starts.partition_point(|start| *start < end);
            before(at)..before(at.saturating_add(len))
        })
    }

    pub(super) fn has(&self, part: &Part<'_>) -> bool {
        self.of(part).iter().any(|places| !places.is_empty())
    }

    /// Returns whether each place lies in an element of a list.
    pub(super) fn are_all_in(&self, parts: &dyn PartList) -> bool {
        let mut is_inside = vec![false; self.starts.len()];
        let _ = parts.each(&mut |part| {
            for places in part.iter().flat_map(|part| self.of(part)) {
                is_inside.get_mut(places).into_iter().flatten().for_each(|is_inside| *is_inside = true);
            }
            Flow::Continue(())
        });
        is_inside.into_iter().all(|is_inside| is_inside)
    }
}

/// Ranks the bytes of names: the higher, the rarer in files of games.
fn rarity(byte: u8) -> usize {
    const COMMON: &[u8] = b"eatsrinolcdmpgubhfwyvkxzjq";
    match byte {
        b'0'..=b'9' | b' ' | b'_' => 0,
        _ => COMMON.iter().position(|common| *common == byte.to_ascii_lowercase()).map_or(1, |at| at.saturating_add(2)),
    }
}
