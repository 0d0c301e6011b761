//! A search of the bytes, which is much faster than one of the texts, and rules out most files.

use std::ops::Range;

use memchr::{memchr2_iter, memmem, memrchr};
use worldview_core::describe::{Part, PartList, Span};
use worldview_core::{OffsetBase, Source};

use super::Pattern;
use crate::Encoding;

/// The literals of which every text with a match, and hence the bytes of the file, contain at least one.
#[derive(Clone, Debug)]
pub(super) struct Needles {
    runs: Vec<Run>,
    /// Characters outside of ASCII that can stand for one of a run, as stored.
    others: Vec<Vec<u8>>,
}

/// A run of printable ASCII characters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Run {
    bytes: Vec<u8>,
    ignores_case: bool,
}

impl Needles {
    /// The maximum number of runs, each of which is searched for.
    const MAX: usize = 16;

    /// Returns the longest run of each text that a match requires, unless one is too short to be rare.
    pub(super) fn of(pattern: &Pattern, encoding: Encoding) -> Option<Self> {
        // Most code pages have the same ASCII characters, stored alike.
        let required = pattern.required().filter(|_| encoding.is_ascii_compatible())?;
        let ignores_case = !required.is_exact;
        let run = |text: &&str| Some(Run { bytes: longest_run(text)?.to_vec(), ignores_case });
        let mut runs: Vec<_> = required.texts.iter().map(run).collect::<Option<_>>()?;
        runs.sort_unstable();
        runs.dedup();
        // Each text is one of a table, in UTF-8, or has the code page.
        let stored = |other: &char| {
            let utf8 = other.to_string();
            let paged = encoding.encode(&utf8).filter(|paged| paged != utf8.as_bytes());
            [Some(utf8.into_bytes()), paged]
        };
        let others = required.others.iter().flat_map(stored).flatten().collect();
        (runs.len() <= Self::MAX).then_some(Self { runs, others })
    }

    /// Returns where a run may begin in the bytes of a source, or where it has one of the other characters; `None` if there are too
    /// many places.
    pub(super) fn places(&self, source: Source<'_>) -> Option<Places> {
        let (bytes, mut starts) = (source.bytes(), Vec::new());
        let mut add = |at: usize| {
            starts.push(at);
            starts.len() <= Places::MAX
        };
        let mut others = self.others.iter().flat_map(|other| memmem::find_iter(bytes, other));
        let is_complete = others.all(&mut add) && self.runs.iter().all(|run| run.starts(bytes, &mut add));
        if !is_complete {
            return None;
        }
        starts.sort_unstable();
        let texts = beginnings(bytes, &starts);
        let at = |at: usize| source.base().saturating_add(at as u64);
        let texts = texts.into_iter().map(|text| at(text.start)..at(text.end)).collect();
        Some(Places { starts: starts.into_iter().map(at).collect(), texts, space: source.space() })
    }
}

impl Run {
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
        let rarest = self.bytes.iter().enumerate().max_by_key(|(_, byte)| rarity(**byte));
        let Some((before, rare)) = rarest else { return false };
        let start = |at: usize| {
            let start = at.checked_sub(before)?;
            let found = bytes.get(start..)?.get(..self.bytes.len())?;
            found.eq_ignore_ascii_case(&self.bytes).then_some(start)
        };
        memchr2_iter(rare.to_ascii_lowercase(), rare.to_ascii_uppercase(), bytes).filter_map(start).all(add)
    }
}

/// Returns the longest run of a text that is stored wherever the text is shown, unless it is too short to be rare.
pub(super) fn longest_run(text: &str) -> Option<&[u8]> {
    // Bytes that are no UTF-8 are shown as `\x8f`, so a run may begin or end in one.
    let is_end = |char: char| !char.is_ascii() || char.is_ascii_control() || char == '\\';
    let run = text.split(is_end).map(|run| behind_escape(run.as_bytes())).max_by_key(|run| run.len())?;
    (run.len() >= 3).then_some(run)
}

/// Returns a run without the beginning that could be the end of `\x8f`.
fn behind_escape(run: &[u8]) -> &[u8] {
    let is_low = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let is_high = |byte: &u8| matches!(byte, b'8' | b'9' | b'a'..=b'f');
    match run {
        [b'x', high, low, rest @ ..] | [high, low, rest @ ..] if is_high(high) && is_low(low) => rest,
        [low, rest @ ..] if is_low(low) => rest,
        _ => run,
    }
}

/// Returns where a text can begin that ends with a NUL and has one of the places, which are in order.
fn beginnings(bytes: &[u8], places: &[usize]) -> Vec<Range<usize>> {
    let mut texts: Vec<Range<usize>> = Vec::new();
    for &place in places {
        let before = texts.last().map_or(0, |text| text.end);
        let between = bytes.get(before..place).unwrap_or_default();
        match (memrchr(0, between), texts.last_mut()) {
            (None, Some(text)) => text.end = text.end.max(place.saturating_add(1)),
            (nul, _) => {
                let start = nul.map_or(before, |nul| before.saturating_add(nul).saturating_add(1));
                texts.push(start..place.saturating_add(1));
            }
        }
    }
    texts
}

/// Where in the bytes of a source a match may be, in order.
#[derive(Debug)]
pub(super) struct Places {
    starts: Vec<u64>,
    /// Where texts may begin that have one of the places.
    texts: Vec<Range<u64>>,
    space: OffsetBase,
}

impl Places {
    /// The maximum number of places. Elements with more are not worth looking for.
    const MAX: usize = 1 << 16;

    pub(super) const fn are_none(&self) -> bool {
        self.starts.is_empty()
    }

    /// Returns whether a place is in the bytes of an element, or in a text that it refers to.
    pub(super) fn concern(&self, parts: &dyn PartList, is_enclosed: bool, part: &Part<'_>) -> bool {
        [part.at, part.beside].into_iter().any(|span| self.are_in(span))
            || !is_enclosed && parts.shortcuts().refers_to(part.index, &self.texts)
    }

    fn are_in(&self, span: Option<Span>) -> bool {
        let Some(Span { at, len, .. }) = span.filter(|span| span.space == self.space) else { return false };
        let next = self.starts.partition_point(|start| *start < at);
        self.starts.get(next).is_some_and(|start| *start < at.saturating_add(len))
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
