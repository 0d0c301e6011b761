//! Changes drawn by chance, most of them of words that count, point or measure.

use worldview_corpus::rng::Rng;

use super::Change;

/// Values at the ends of ranges that readers may have, signatures, and floats that are no numbers.
const EDGES: [u32; 40] = [
    0,
    1,
    2,
    3,
    4,
    5,
    7,
    8,
    15,
    16,
    31,
    32,
    33,
    64,
    127,
    128,
    160,
    255,
    256,
    257,
    284,
    1523,
    1524,
    4096,
    0x7FFF,
    0x8000,
    0xFFFF,
    0x1_0000,
    0x1_0001,
    0x00FF_FFFF,
    0x3FFF_FFFF,
    0x4000_0000,
    0x7F80_0000,
    0x7FC0_0000,
    0xFF80_0000,
    0x7FFF_FFFF,
    0x8000_0000,
    0xEEEE_EEEE,
    0xFFFF_FFFE,
    u32::MAX,
];

impl Change {
    /// A change of a file that is so long.
    pub fn random(rng: &mut Rng, len: usize) -> Self {
        let label = any(rng);
        match rng.below(100) {
            0..26 => Self::Word { label, value: value(rng, len) },
            26..36 => Self::Nudge { label, by: small(rng) },
            36..44 => Self::Point { label, to: any(rng), by: if rng.one_in(2) { 0 } else { small(rng) } },
            44..52 => Self::Borrow { label, from: any(rng) },
            52..56 => Self::Turn { label },
            56..62 => Self::Half { label, value: half(value(rng, len)) },
            62..68 => Self::At { at: any(rng), value: value(rng, len) },
            68..76 => Self::Byte { at: any(rng), value: byte(rng) },
            76..81 => Self::Bit { at: any(rng), bit: byte(rng) },
            81..86 => Self::Cut { at: any(rng) },
            86..92 => Self::Splice { from: any(rng), to: any(rng), len: run(rng, len) },
            92..96 => {
                Self::Insert { at: any(rng), len: run(rng, 64), value: if rng.one_in(2) { 0 } else { byte(rng) } }
            }
            _ => Self::Remove { at: any(rng), len: run(rng, 64) },
        }
    }
}

fn any(rng: &mut Rng) -> usize {
    // As many bits as any file has; the rest would not be the same on every machine.
    usize::try_from(rng.next_u64() & 0x7FFF_FFFF).unwrap_or(0)
}

fn value(rng: &mut Rng, len: usize) -> u32 {
    let len = u32::try_from(len).unwrap_or(u32::MAX);
    match rng.below(12) {
        0..5 => rng.pick(&EDGES).copied().unwrap_or(0),
        // Near what there is, as bytes, words or entries of it.
        5 => len.wrapping_add_signed(small(rng).into()),
        6 => (len / *rng.pick(&[2, 4, 8, 16, 32]).unwrap_or(&4)).wrapping_add_signed(small(rng).into()),
        7 => rng.below(len.max(1)),
        8 => 1 << rng.below(32),
        9 => (1_u32 << rng.below(32)).wrapping_sub(1),
        10 => rng.below(400),
        _ => half_of(rng.next_u64()),
    }
}

fn half_of(value: u64) -> u32 {
    let [a, b, c, d, ..] = value.to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

fn half(value: u32) -> u16 {
    let [a, b, ..] = value.to_le_bytes();
    u16::from_le_bytes([a, b])
}

fn byte(rng: &mut Rng) -> u8 {
    rng.next_u64().to_le_bytes()[0]
}

/// -8 to 8, and not 0.
fn small(rng: &mut Rng) -> i8 {
    let by = i8::try_from(rng.range(1, 9)).unwrap_or(1);
    if rng.one_in(2) { by } else { -by }
}

/// How long a run of bytes is: mostly words or entries, sometimes much of the file.
fn run(rng: &mut Rng, most: usize) -> usize {
    let most = u32::try_from(most).unwrap_or(u32::MAX);
    let run = match rng.below(4) {
        0 => 1 + rng.below(8),
        1 => *rng.pick(&[4, 8, 16, 32, 160, 284]).unwrap_or(&4),
        2 => 1 + rng.below(200),
        _ => 1 + rng.below(most.max(1)),
    };
    usize::try_from(run).unwrap_or(1)
}
