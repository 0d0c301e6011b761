//! A search of the bytes, which is much faster than one of the texts, and rules out most files.

use memchr::{memchr_iter, memchr2_iter, memmem};

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

    /// Returns `false` only if no text in these bytes can match.
    pub(super) fn may_be_in(&self, bytes: &[u8]) -> bool {
        if !self.ignores_case {
            return memmem::find(bytes, &self.bytes).is_some();
        }
        let Some(&rare) = self.bytes.get(self.rare) else { return true };
        let is_here = |at: usize| {
            let found = at.checked_sub(self.rare).and_then(|start| bytes.get(start..)?.get(..self.bytes.len()));
            found.is_some_and(|found| found.eq_ignore_ascii_case(&self.bytes))
        };
        let upper = rare.to_ascii_uppercase();
        let is_anywhere = if upper == rare {
            memchr_iter(rare, bytes).any(is_here)
        } else {
            memchr2_iter(rare, upper, bytes).any(is_here)
        };
        is_anywhere || self.others.iter().any(|other| memmem::find(bytes, other.as_bytes()).is_some())
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
