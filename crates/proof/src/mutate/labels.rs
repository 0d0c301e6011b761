//! Where the words of a file are that count, point or measure, as far as that can be said without a builder.

use worldview_corpus::ff13::{ENTRY_SIZE, HEADER_SIZE, MAGIC};
use worldview_corpus::wwd::{OBJECT_SIZE, PLANE_HEADER_SIZE, TABLE_HEAD_SIZE};

use super::family::Family;

/// Entries, planes and the like of which there are labels; a file is changed in a few places only.
const SOME: usize = 64;

/// Labels on a file of a family, or on the image of a packed level.
pub(super) fn labels(family: Family, bytes: &[u8]) -> Vec<usize> {
    match family {
        Family::Ff13 => archives(bytes),
        Family::Wwd => level(bytes),
        Family::Island => small_words(bytes),
    }
}

/// The header and the entries of every archive in a file, and where the data of each member begins.
fn archives(bytes: &[u8]) -> Vec<usize> {
    let mut labels = Vec::new();
    let word = |at: usize| {
        bytes.get(at..at + 4).map_or(0, |word| word.iter().fold(0, |word, &byte| word << 8 | usize::from(byte)))
    };
    let starts = bytes.windows(MAGIC.len()).enumerate().filter(|(_, window)| *window == MAGIC);
    for (start, _) in starts.take(SOME) {
        labels.extend([start, start + 4, start + 4]);
        for entry in 0..word(start + 4).min(SOME) {
            let entry = start + HEADER_SIZE + entry * ENTRY_SIZE;
            let data = start + word(entry + 16);
            // The name, the position, the length and the extension; words of the data.
            labels.extend([entry, entry + 16, entry + 20, entry + 24]);
            labels.extend((data..data + word(entry + 20).min(32)).step_by(4));
        }
    }
    labels.retain(|&at| at + 4 <= bytes.len());
    labels
}

/// The words of the header, of the planes, of some objects and of the tile attributes.
fn level(image: &[u8]) -> Vec<usize> {
    let word = |at: usize| -> usize {
        let word = image.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |word| u32::from_le_bytes(*word));
        usize::try_from(word).unwrap_or(usize::MAX)
    };
    let mut labels: Vec<_> = [0, 4, 8, 12].into_iter().chain((720..756).step_by(4)).collect();
    let (planes, first, attributes) = (word(732), word(736), word(740));
    for plane in 0..planes.min(8) {
        let plane = first.saturating_add(plane * PLANE_HEADER_SIZE);
        labels.extend([0, 4, 8, 12].map(|at| plane.saturating_add(at)));
        labels.extend((80..PLANE_HEADER_SIZE).step_by(4).map(|at| plane.saturating_add(at)));
        let mut object = word(plane.saturating_add(140));
        for _ in 0..word(plane.saturating_add(128)).min(8) {
            labels.extend((0..40).step_by(4).map(|at| object.saturating_add(at)));
            let lengths = [4, 8, 12, 16].map(|at| word(object.saturating_add(at)));
            object = lengths.into_iter().fold(object.saturating_add(OBJECT_SIZE), usize::saturating_add);
        }
    }
    let records = TABLE_HEAD_SIZE + 4 * SOME;
    labels.extend((0..records).step_by(4).map(|at| attributes.saturating_add(at)));
    labels.retain(|&at| at.saturating_add(4) <= image.len());
    labels
}

/// Every word, wherever it begins, that could be a count, a length or an offset in the file.
fn small_words(bytes: &[u8]) -> Vec<usize> {
    let is_small = |word: &[u8]| {
        let word = word.iter().rev().fold(0, |word, &byte| word << 8 | usize::from(byte));
        word > 0 && word <= bytes.len()
    };
    bytes.windows(4).enumerate().filter(|(_, word)| is_small(word)).map(|(at, _)| at).collect()
}
