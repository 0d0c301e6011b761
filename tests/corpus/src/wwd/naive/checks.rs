//! Which checksum rules a file satisfies.

use std::collections::BTreeSet;

use crate::wwd::HEADER_SIZE;
use crate::wwd::checksum::{editor, editor_tail, wapmap};

/// A checksum rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// The sum computed by Monolith's editors.
    Editor,
    /// The sum computed by WapMap.
    WapMap,
    /// WapMap's sum over the unpacked block; equal to WapMap's if the block is not packed.
    Libwap32,
    /// Zero.
    Zero,
}

impl Rule {
    /// Returns the rule's name as printed.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Editor => "editor",
            Self::WapMap => "wapmap",
            Self::Libwap32 => "libwap32",
            Self::Zero => "zero",
        }
    }
}

/// Returns the rules under which `checksum` is correct for a stored main block and its image.
pub fn checksum_rules(checksum: u32, stored: &[u8], image: &[u8]) -> BTreeSet<Rule> {
    let unpacked = image.get(HEADER_SIZE..).unwrap_or(&[]);
    let sums = [
        (Rule::Editor, editor(stored, editor_tail(stored, unpacked))),
        (Rule::WapMap, wapmap(stored)),
        (Rule::Libwap32, wapmap(unpacked)),
        (Rule::Zero, 0),
    ];
    sums.into_iter().filter(|(_, sum)| *sum == checksum).map(|(rule, _)| rule).collect()
}
