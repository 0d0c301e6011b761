//! Random changes to the bytes of a file, for tests of hostile input.

use worldview_corpus::rng::Rng;
use worldview_corpus::trial::{place, rounds};

/// Limits that readers may have, record sizes, signatures, and a NaN.
const EDGES: [u32; 20] = [
    0,
    1,
    2,
    4,
    16,
    32,
    33,
    64,
    255,
    256,
    257,
    1524,
    0x7FFF,
    0xFFFF,
    0x1_0000,
    0x7FC0_0000,
    0x7FFF_FFFF,
    0x8000_0000,
    0xFFFF_FFFE,
    u32::MAX,
];

/// Changes a file in one place, most often a labeled word, which holds a count, an offset or a length.
///
/// `word` converts a number to bytes in the byte order of the format.
pub fn change(rng: &mut Rng, bytes: &mut Vec<u8>, labels: &[usize], word: fn(u32) -> [u8; 4]) {
    let len = bytes.len();
    if len == 0 {
        return;
    }
    let label = rng.pick(labels).copied().unwrap_or(0);
    let (at, to) = (below(rng, len), below(rng, len));
    match rng.below(16) {
        0..6 => put(bytes, label, word(value(rng, len))),
        6 | 7 => {
            let found = bytes.get(label..).and_then(<[u8]>::first_chunk).copied().unwrap_or_default();
            // Converting twice restores the number.
            let number = u32::from_le_bytes(word(u32::from_le_bytes(found)));
            put(bytes, label, word(number.wrapping_add_signed(rng.range(-3, 4))));
        }
        8 => {
            let target = rng.pick(labels).and_then(|&label| u32::try_from(label).ok());
            put(bytes, label, word(target.unwrap_or(0)));
        }
        9 => bytes[at] = *rng.pick(&[0, 1, 0x7F, 0x80, 0xFF]).unwrap_or(&0),
        10 => bytes[at] ^= 1 << rng.below(8),
        11 => bytes[at] = rng.next_u64().to_le_bytes()[0],
        12 => bytes.truncate(at),
        13 => {
            let count = (1 + below(rng, 200)).min(len - at.max(to));
            bytes.copy_within(at..at + count, to);
        }
        14 => drop(bytes.splice(at..at, std::iter::repeat_n(0, 1 + below(rng, 64)))),
        _ => drop(bytes.drain(at..(at + 1 + below(rng, 64)).min(len))),
    }
}

/// Applies one change per seed to a file, and checks the result. Returns what the check returns, with the first byte that was
/// changed.
pub fn changed(
    seeds: &[u64],
    file: &[u8],
    labels: &[usize],
    word: fn(u32) -> [u8; 4],
    check: impl FnOnce(&[u8]) -> Result<(), String>,
) -> Result<(), String> {
    let mut bytes = file.to_vec();
    seeds.iter().for_each(|&seed| change(&mut Rng::new(seed), &mut bytes, labels, word));
    check(&bytes).map_err(|why| format!("{why}\n{}", place(file, &bytes)))
}

/// Runs a test as often as [`rounds`] says. It is given a seed below 4000, from which it makes a file, and the seeds of one to
/// `most` changes of that file. Panics if the test fails, with its message and the changes without which it passes.
#[track_caller]
pub fn at_random(count: u64, most: u32, test: impl Fn(u64, &[u64]) -> Result<(), String>) {
    let mut rng = Rng::new(count);
    for _ in 0..rounds(count) {
        let file = rng.next_u64() % 4000;
        let mut seeds: Vec<_> = (0..=rng.below(most)).map(|_| rng.next_u64()).collect();
        let Err(mut why) = test(file, &seeds) else { continue };
        for at in (0..seeds.len()).rev() {
            let fewer = [&seeds[..at], &seeds[at + 1..]].concat();
            if let Err(same) = test(file, &fewer) {
                (seeds, why) = (fewer, same);
            }
        }
        crate::holds::<()>(Err(format!("{why} (file {file}, changes {seeds:?})")));
    }
}

fn below(rng: &mut Rng, end: usize) -> usize {
    rng.below(u32::try_from(end).unwrap_or(u32::MAX)) as usize
}

fn value(rng: &mut Rng, len: usize) -> u32 {
    let len = u32::try_from(len).unwrap_or(u32::MAX);
    match rng.below(10) {
        0..3 => rng.pick(&EDGES).copied().unwrap_or(0),
        3 => rng.below(40),
        4 => rng.below(4000),
        5 => len.wrapping_add_signed(rng.range(-8, 9)),
        6 => rng.below(len),
        // A mesh corner that is a new vertex.
        7 => 0x8000_0000 | rng.below(0x1_0000),
        // Four letters of a name, which may include its terminator.
        8 => u32::from_le_bytes([(); 4].map(|()| rng.pick(b"\0aBm^ti1_").copied().unwrap_or(0))),
        _ => rng.below(u32::MAX),
    }
}

/// Overwrites a word if it is inside the file.
fn put(bytes: &mut [u8], at: usize, word: [u8; 4]) {
    if let Some(place) = bytes.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
        *place = word;
    }
}

#[cfg(test)]
mod tests {
    use worldview_corpus::rng::Rng;

    use super::change;

    #[test]
    fn changes_cover_every_kind_and_depend_on_the_seed_alone() {
        let file: Vec<u8> = (0..100).collect();
        let changed = |seed| {
            let mut bytes = file.clone();
            change(&mut Rng::new(seed), &mut bytes, &[0, 40, 80], u32::to_be_bytes);
            bytes
        };
        let all: Vec<_> = (0..500).map(changed).collect();
        assert!(all.iter().enumerate().all(|(seed, bytes)| *bytes == changed(seed as u64)));
        for kind in [|len: usize| len < 100, |len| len == 100, |len| len > 100] {
            assert!(all.iter().filter(|bytes| kind(bytes.len())).count() > 20);
        }
        assert!(all.iter().filter(|bytes| **bytes == file).count() < 50);
        // A label is overwritten with the position of another, in the byte order of the format.
        assert!(all.iter().any(|bytes| bytes.len() == 100 && bytes[..4] == [0, 0, 0, 80]));
        change(&mut Rng::new(1), &mut Vec::new(), &[], u32::to_le_bytes);
    }
}
