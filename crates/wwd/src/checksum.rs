//! The header's checksum, which four kinds of programs compute in four ways. See [Checksum](crate::format#checksum).

use worldview_core::{OffsetBase, Result, Source};

use crate::inflate;
use crate::raw::LevelHeader;
use crate::trailer::Trailer;

/// A rule for computing the checksum, named after the programs that use it.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Monolith's editors: the sum of the stored bytes except the first, minus their positions, plus one inflated byte.
    Editor,
    /// WapMap: the sum of all stored bytes, minus their positions, minus 160.
    WapMap,
    /// libwap32: WapMap's rule over the inflated block.
    Libwap32,
    /// Programs that store 0.
    Zero,
}

impl Rule {
    /// Every rule, in display order.
    pub const ALL: [Self; 4] = [Self::Editor, Self::WapMap, Self::Libwap32, Self::Zero];

    /// Returns the word used in messages and in machine-readable output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Editor => "editor",
            Self::WapMap => "wapmap",
            Self::Libwap32 => "libwap32",
            Self::Zero => "zero",
        }
    }

    /// Returns the checksum that this rule gives for a stored main block, and what the block inflates to if it is packed.
    pub fn compute(self, block: &[u8], inflated: Option<&[u8]>) -> u32 {
        match self {
            Self::Editor => {
                let tail = inflated.and_then(|inflated| inflated.get(block.len())).copied().unwrap_or(0);
                editor(block, byte_sum(block), tail)
            }
            Self::WapMap => wapmap(byte_sum(block), block.len() as u64),
            Self::Libwap32 => {
                let inflated = inflated.unwrap_or(block);
                wapmap(byte_sum(inflated), inflated.len() as u64)
            }
            Self::Zero => 0,
        }
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// A stored checksum, and the rules that it satisfies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checksum {
    stored: u32,
    rules: u8,
}

impl Checksum {
    /// Returns the value in the header.
    pub const fn stored(&self) -> u32 {
        self.stored
    }

    /// Returns whether the value matches `rule`.
    pub const fn satisfies(&self, rule: Rule) -> bool {
        self.rules & rule.bit() != 0
    }

    /// Returns whether the value matches no rule.
    pub const fn is_unexplained(&self) -> bool {
        self.rules == 0
    }

    /// Returns the rules that the value matches.
    pub fn rules(self) -> impl Iterator<Item = Rule> {
        Rule::ALL.into_iter().filter(move |rule| self.satisfies(*rule))
    }

    const fn add(&mut self, rule: Rule, value: u32) {
        if value == self.stored {
            self.rules |= rule.bit();
        }
    }
}

/// Determines which rules the checksum of a file satisfies, usually at the cost of summing the stored bytes.
///
/// The editors' rule needs one byte of the inflated block, so a packed block is inflated in pieces up to as many bytes
/// as are stored. The whole block is inflated only if that matches no rule, to find the exact end of the stream and to
/// try libwap32's rule. So bytes behind the stream count as part of it if the sum of all matches a rule by chance, in one of four
/// billion files; [`Unpacked::checksum`](crate::Unpacked::checksum) is exact.
///
/// # Errors
///
/// Returns an error if the file has no header, or if the zlib stream is damaged.
///
/// ```
/// # fn main() -> worldview_wwd::Result<()> {
/// # let file: &[u8] = include_bytes!("../../../samples/harbour.wwd");
/// use worldview_wwd::{Rule, checksum};
///
/// let checksum = checksum(file)?;
/// assert!(checksum.satisfies(Rule::Editor));
/// println!("{:#x}: {}", checksum.stored(), checksum.rules().map(|rule| rule.to_string()).collect::<Vec<_>>().join(", "));
/// # Ok(())
/// # }
/// ```
pub fn checksum(file: &[u8]) -> Result<Checksum> {
    let source = Source::new(file, OffsetBase::File);
    let header = LevelHeader::of(source)?;
    let rest = source.tail(LevelHeader::SIZE, "main block")?.bytes();
    let trailer = Trailer::find(file).map_or(0, |trailer| trailer.bytes().len());
    let block = rest.len().checked_sub(trailer).and_then(|len| rest.get(..len)).unwrap_or(rest);
    let stored = header.checksum.get();
    if !header.is_packed() {
        return Ok(of_blocks(stored, block, None));
    }
    // Assume that the stream is the whole block. Bytes after it are rare, and then the sum matches no rule.
    match tail_byte(block).map(|tail| of_stored(stored, block, tail)) {
        Ok(quick) if !quick.is_unexplained() => return Ok(quick),
        Err(error) if trailer == 0 => return Err(error),
        // The stream may continue where a trailer seems to begin, in which case there is no trailer.
        _ => {}
    }
    let (mut sum, mut inflated) = (0_u32, 0_u64);
    let end = inflate::inflate_through(rest, u64::MAX, |piece| {
        sum = sum.wrapping_add(byte_sum(piece));
        inflated = inflated.saturating_add(piece.len() as u64);
    })?;
    let taken = end.and_then(|end| usize::try_from(end).ok());
    let block = taken.and_then(|taken| rest.get(..taken)).unwrap_or(rest);
    let mut exact = of_stored(stored, block, tail_byte(block)?);
    if exact.is_unexplained() {
        exact.add(Rule::Libwap32, wapmap(sum, inflated));
    }
    Ok(exact)
}

/// Returns the rules that `stored` satisfies for a block and, if it is packed, its inflated contents.
pub(crate) fn of_blocks(stored: u32, block: &[u8], inflated: Option<&[u8]>) -> Checksum {
    let Some(inflated) = inflated else {
        let mut plain = of_stored(stored, block, 0);
        // libwap32 differs from WapMap only in the block it sums, and a plain file has only one.
        if plain.satisfies(Rule::WapMap) {
            plain.rules |= Rule::Libwap32.bit();
        }
        return plain;
    };
    let mut packed = of_stored(stored, block, inflated.get(block.len()).copied().unwrap_or(0));
    if packed.is_unexplained() {
        packed.add(Rule::Libwap32, wapmap(byte_sum(inflated), inflated.len() as u64));
    }
    packed
}

fn of_stored(stored: u32, block: &[u8], tail: u8) -> Checksum {
    let mut checksum = Checksum { stored, rules: 0 };
    let (sum, len) = (byte_sum(block), block.len() as u64);
    checksum.add(Rule::Editor, editor(block, sum, tail));
    checksum.add(Rule::WapMap, wapmap(sum, len));
    checksum.add(Rule::Zero, 0);
    checksum
}

/// The editor starts at the second byte and reads one byte too many. That byte is from the inflated block still in its buffer;
/// for a plain level it is 0.
fn editor(block: &[u8], sum: u32, tail: u8) -> u32 {
    let first = block.first().copied().unwrap_or(0);
    sum.wrapping_sub(first.into()).wrapping_add(tail.into()).wrapping_sub(triangle(block.len() as u64))
}

const fn wapmap(sum: u32, len: u64) -> u32 {
    sum.wrapping_sub(160).wrapping_sub(triangle(len))
}

/// Returns 1 + 2 + … + `len`, modulo 2^32: the sum of the positions of all bytes.
const fn triangle(len: u64) -> u32 {
    let len = len as u128;
    #[expect(clippy::cast_possible_truncation, reason = "the sum is wanted modulo 2^32")]
    let sum = (len.saturating_mul(len.saturating_add(1)) / 2) as u32;
    sum
}

/// Returns the inflated byte at the position where the stored block ends, or 0 if the inflated block is shorter.
fn tail_byte(block: &[u8]) -> Result<u8> {
    let mut before = block.len();
    let mut tail = 0;
    inflate::inflate_through(block, (block.len() as u64).saturating_add(1), |piece| {
        tail = piece.get(before).copied().unwrap_or(0);
        before = before.saturating_sub(piece.len());
    })?;
    Ok(tail)
}

/// Returns the sum of all bytes, modulo 2^32.
///
/// It runs at the speed of memory, tens of times faster than a byte-by-byte loop. Otherwise the checksum of a packed
/// level would cost more than inflating it.
pub fn byte_sum(bytes: &[u8]) -> u32 {
    worldview_simd::byte_sum(bytes)
}

worldview_core::display_by_name!(Rule);
