//! The header's checksum: four habits of four writers. `docs/formats/wwd.md`, Checksum.

use worldview_core::{Result, Source, Space};

use crate::inflate;
use crate::raw::LevelHeader;
use crate::trailer::Trailer;

/// A way of computing the checksum, by the programs that do.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Monolith's editors: the stored bytes but the first, less their positions, with one byte of the inflated block.
    Editor,
    /// WapMap: all the stored bytes, less their positions, less 160.
    WapMap,
    /// libwap32: WapMap's sum over the inflated block.
    Libwap32,
    /// Programs that write 0.
    Zero,
}

impl Rule {
    /// Every rule, in the order in which they are shown.
    pub const ALL: [Self; 4] = [Self::Editor, Self::WapMap, Self::Libwap32, Self::Zero];

    /// The word used in messages and in machine output.
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

/// A checksum, and the set of rules that it satisfies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checksum {
    stored: u32,
    rules: u8,
}

impl Checksum {
    /// The value in the header.
    pub const fn stored(&self) -> u32 {
        self.stored
    }

    /// Whether the value is what the rule gives.
    pub const fn satisfies(&self, rule: Rule) -> bool {
        self.rules & rule.bit() != 0
    }

    /// Whether no rule gives the value.
    pub const fn is_unexplained(&self) -> bool {
        self.rules == 0
    }

    /// The rules that give the value.
    pub fn rules(self) -> impl Iterator<Item = Rule> {
        Rule::ALL.into_iter().filter(move |rule| self.satisfies(*rule))
    }

    const fn add(&mut self, rule: Rule, value: u32) {
        if value == self.stored {
            self.rules |= rule.bit();
        }
    }
}

/// The checksum of a file, at the price of a byte sum over what is stored.
///
/// Of a packed block only as many bytes are inflated as are stored, for the editor's tail byte, and in pieces;
/// the whole of it only where that explains nothing. libwap32's rule, which needs the whole block, is
/// tried only where no other rule holds.
///
/// # Errors
///
/// No header, or a damaged stream.
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
    let source = Source::new(file, Space::File);
    let header = LevelHeader::of(source)?;
    let rest = source.tail(LevelHeader::SIZE, "main block")?.bytes();
    let trailer = Trailer::find(file).map_or(0, |trailer| trailer.bytes().len());
    let block = rest.len().checked_sub(trailer).and_then(|len| rest.get(..len)).unwrap_or(rest);
    let stored = header.checksum.get();
    if !header.is_packed() {
        return Ok(of_blocks(stored, block, None));
    }
    // As if the stream were all of the block; bytes behind it are rare, and show themselves by a sum that no rule has.
    match tail_byte(block).map(|tail| of_stored(stored, block, tail)) {
        Ok(quick) if !quick.is_unexplained() => return Ok(quick),
        Err(error) if trailer == 0 => return Err(error),
        // The stream may go on where a trailer seems to begin: then there is none.
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

/// The rules that `stored` satisfies for a block, and what it inflates to if it is packed.
pub(crate) fn of_blocks(stored: u32, block: &[u8], inflated: Option<&[u8]>) -> Checksum {
    let Some(inflated) = inflated else {
        let mut plain = of_stored(stored, block, 0);
        // libwap32 differs from WapMap in the block it sums, and here there is but one.
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

/// The editor starts at the second byte and goes one byte too far: into the inflated block that its buffer still holds, or,
/// for a plain level, into nothing.
fn editor(block: &[u8], sum: u32, tail: u8) -> u32 {
    let first = block.first().copied().unwrap_or(0);
    sum.wrapping_sub(first.into()).wrapping_add(tail.into()).wrapping_sub(triangle(block.len() as u64))
}

const fn wapmap(sum: u32, len: u64) -> u32 {
    sum.wrapping_sub(160).wrapping_sub(triangle(len))
}

/// 1 + 2 + … + `len`, modulo 2^32: what the positions of all bytes add up to.
const fn triangle(len: u64) -> u32 {
    let len = len as u128;
    #[expect(clippy::cast_possible_truncation, reason = "the sum is wanted modulo 2^32")]
    let sum = (len.saturating_mul(len.saturating_add(1)) / 2) as u32;
    sum
}

/// The byte of the inflated block at the position where the stored block ends; 0 where it is not as long.
fn tail_byte(block: &[u8]) -> Result<u8> {
    let mut before = block.len();
    let mut tail = 0;
    inflate::inflate_through(block, (block.len() as u64).saturating_add(1), |piece| {
        tail = piece.get(before).copied().unwrap_or(0);
        before = before.saturating_sub(piece.len());
    })?;
    Ok(tail)
}

/// The sum of all bytes, modulo 2^32.
///
/// As fast as memory delivers them, tens of times faster than byte after byte: a packed level's checksum would
/// otherwise cost more than inflating it.
pub fn byte_sum(bytes: &[u8]) -> u32 {
    worldview_simd::byte_sum(bytes)
}

worldview_core::display_by_name!(Rule);
