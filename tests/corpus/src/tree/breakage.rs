//! Ways to break a file of a tree; [`Planted::broken`](super::Planted::broken) explains them.

use super::files::{Kind, archive, level_file, table};
use crate::ff13::{ENTRY_SIZE, HEADER_SIZE};
use crate::rng::Rng;
use crate::wwd::spec::Packing;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Breakage {
    Empty,
    Signature,
    CutHeader,
    Cut,
    Count,
    Zlib,
    Member,
    Nested,
}

/// Offset of the plane count in a level's header.
const PLANES_AT: usize = 732;

impl Breakage {
    pub(super) const ALL: [Self; 8] =
        [Self::Empty, Self::Signature, Self::CutHeader, Self::Cut, Self::Count, Self::Zlib, Self::Member, Self::Nested];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Signature => "signature",
            Self::CutHeader => "cut in the header",
            Self::Cut => "cut",
            Self::Count => "count",
            Self::Zlib => "zlib",
            Self::Member => "member",
            Self::Nested => "nested",
        }
    }

    /// Picks a kind of file that can be broken this way.
    pub(super) fn kind(self, rng: &mut Rng) -> Kind {
        let kinds: &[Kind] = match self {
            Self::Empty | Self::Signature => &[Kind::Level, Kind::Table],
            Self::CutHeader | Self::Count => &[Kind::Level, Kind::Table, Kind::Archive],
            Self::Cut => &[Kind::Level, Kind::Table, Kind::Archive, Kind::Database],
            Self::Zlib => &[Kind::Level],
            Self::Member => &[Kind::Table, Kind::Archive, Kind::Database],
            Self::Nested => &[Kind::Archive],
        };
        *rng.pick(kinds).unwrap_or(&Kind::Level)
    }

    /// Builds a file of that kind and breaks it.
    pub(super) fn bytes(self, kind: Kind, rng: &mut Rng) -> Vec<u8> {
        let mut bytes = match self {
            Self::Empty => return Vec::new(),
            Self::Zlib => level_file(rng, Some(Packing::Zlib { level: 6 })),
            Self::Nested => {
                let mut inner = table(rng);
                set(&mut inner, 4, &0x4000_0000_u32.to_be_bytes());
                return archive(rng, Some(inner));
            }
            _ => kind.bytes(rng),
        };
        match (self, kind) {
            (Self::Signature, _) => set(&mut bytes, 0, &[0xBA, 0xAD, 0, 0]),
            (Self::CutHeader, Kind::Level) => bytes.truncate(at(rng, 20, 1524)),
            (Self::CutHeader, _) => {
                let count = entries(&bytes);
                bytes.truncate(at(rng, 5, HEADER_SIZE + ENTRY_SIZE * count));
            }
            (Self::Cut, _) => {
                let len = bytes.len();
                bytes.truncate(at(rng, len / 4, len * 3 / 4));
            }
            (Self::Count, Kind::Level) => set(&mut bytes, PLANES_AT, &0x7FFF_FFFF_u32.to_le_bytes()),
            (Self::Count, _) => set(&mut bytes, 4, &(0x0800_0000 + rng.below(1 << 20)).to_be_bytes()),
            (Self::Zlib, _) => {
                let middle = usize::midpoint(1524, bytes.len());
                let found = [bytes[middle], bytes[middle + 1]];
                set(&mut bytes, middle, &found.map(|byte| !byte));
            }
            (Self::Member, Kind::Database) => first_model_away(&mut bytes),
            (Self::Member, _) => {
                let (len, last) = (bytes.len(), HEADER_SIZE + ENTRY_SIZE * (entries(&bytes) - 1));
                let behind = u32::try_from(len).unwrap_or(0) + rng.below(1000);
                set(&mut bytes, last + 16, &behind.to_be_bytes());
                set(&mut bytes, last + 20, &100_u32.to_be_bytes());
            }
            (Self::Empty | Self::Nested, _) => {}
        }
        bytes
    }
}

fn set(bytes: &mut [u8], at: usize, value: &[u8]) {
    bytes[at..at + value.len()].copy_from_slice(value);
}

/// Returns a number in `low..high`.
fn at(rng: &mut Rng, low: usize, high: usize) -> usize {
    low + usize::try_from(rng.below(u32::try_from(high - low).unwrap_or(1))).unwrap_or(0)
}

/// Returns the number of entries of a valid archive.
fn entries(bytes: &[u8]) -> usize {
    bytes[4..8].iter().fold(0, |count, &byte| count << 8 | usize::from(byte))
}

/// Moves the first world's first model past the end of the file. Other worlds that share the blob still find it,
/// because only one reference changes.
fn first_model_away(bytes: &mut [u8]) {
    let len = crate::builder::count(bytes.len());
    let word = |at: usize| bytes[at..at + 4].iter().rev().fold(0, |word, &byte| word << 8 | usize::from(byte));
    let mut place = 4;
    place += 4 + word(place);
    let parts = word(place);
    place += 4;
    for _ in 0..parts {
        place += 4 + word(place) + 8;
    }
    // Skips the number of models, the name of the first, and the length of its blob.
    place += 4;
    place += 4 + word(place) + 4;
    set(bytes, place, &len.to_le_bytes());
}
