//! Finds entries by name.

use core::hint::select_unpredictable;

use crate::raw::Entry;

/// Returns whether entries are in strictly ascending order of all bytes of their names.
pub(crate) fn have_order(entries: &[Entry]) -> bool {
    entries.windows(2).all(|pair| matches!(pair, [one, next] if one.name.raw() < next.name.raw()))
}

/// Returns the index of the entry with exactly this name, the first if there are several.
pub(crate) fn find(entries: &[Entry], sorted: bool, name: &[u8]) -> Option<usize> {
    if sorted {
        let key = key_of(name)?;
        let index = last_not_behind(entries, key);
        // A sorted entry has no bytes after its NUL. Comparing the length rejects a name that itself ends with a NUL.
        let found = entries.get(index).filter(|entry| entry.key() == key && entry.name_len() == name.len());
        return found.map(|_| index);
    }
    entries.iter().position(|entry| entry.name.as_bytes() == name)
}

/// Returns a name in the form of [`Entry::key`], padded with zeros, or `None` if it has more than 16 bytes.
///
/// It is assembled from two numbers that may overlap, since a name is too short to be worth a call to `memcpy`.
#[inline]
fn key_of(name: &[u8]) -> Option<u128> {
    let eight = |bytes: Option<&[u8; 8]>| bytes.map(|bytes| u128::from(u64::from_be_bytes(*bytes)));
    let four = |bytes: Option<&[u8; 4]>| bytes.map(|bytes| u128::from(u32::from_be_bytes(*bytes)));
    let free = u32::try_from(16_usize.checked_sub(name.len())?).ok()?.wrapping_mul(8);
    let (first, last) = match (eight(name.first_chunk()), eight(name.last_chunk())) {
        (Some(first), Some(last)) => (first << 64, last),
        _ => match (four(name.first_chunk()), four(name.last_chunk())) {
            (Some(first), Some(last)) => (first << 96, last),
            _ => (0, name.iter().fold(0, |key, &byte| key << 8 | u128::from(byte))),
        },
    };
    // Where the two overlap, they have the same bits.
    Some(first | last.unbounded_shl(free))
}

/// Returns the index of the last of the sorted entries that is not greater than `key`, or 0 if there is none.
///
/// Both candidates for the next middle key are loaded before the comparison is done. The search spends its time waiting
/// for memory, so this halves it.
#[inline]
fn last_not_behind(entries: &[Entry], key: u128) -> usize {
    let at = |index: usize| entries.get(index).map_or(u128::MAX, Entry::key);
    let (mut start, mut rest) = (0_usize, entries.len());
    let mut half = rest / 2;
    let mut middle = at(half);
    while half > 0 {
        // The length of the larger half, so that each index below stays inside its half.
        rest = rest.wrapping_sub(half);
        let (upper, next) = (start.wrapping_add(half), rest / 2);
        let (in_lower, in_upper) = (at(start.wrapping_add(next)), at(upper.wrapping_add(next)));
        let behind = middle > key;
        start = select_unpredictable(behind, start, upper);
        middle = select_unpredictable(behind, in_lower, in_upper);
        half = next;
    }
    start
}

#[cfg(test)]
mod tests {
    use zerocopy::FromZeros as _;

    use super::*;

    fn entry(raw: [u8; 16]) -> Entry {
        let mut entry = Entry::new_zeroed();
        entry.name = zerocopy::transmute!(raw);
        entry
    }

    fn padded(name: &[u8]) -> [u8; 16] {
        let mut raw = [0; 16];
        raw[..name.len()].copy_from_slice(name);
        raw
    }

    /// Returns names of all lengths, some a prefix of others, in byte order.
    fn names(count: usize) -> Vec<Vec<u8>> {
        let mut state = 1_u64;
        let mut names = std::collections::BTreeSet::from([Vec::new()]);
        while names.len() < count {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let length = usize::try_from(state >> 60).unwrap();
            let letters = [b'a', b'a', b'\x01', b'\xFF', b'b', b'\x80', b' ', b'~'];
            let bytes = (0..=length).map(|at| letters[usize::try_from(state >> at & 7).unwrap()]);
            names.insert(bytes.collect());
        }
        names.into_iter().take(count).collect()
    }

    #[test]
    fn sorted_names_are_found_where_they_are() {
        for count in (0..70).chain([100, 127, 128, 129, 1000]) {
            let names = names(count);
            let entries: Vec<_> = names.iter().map(|name| entry(padded(name))).collect();
            for (index, name) in names.iter().enumerate() {
                assert_eq!(find(&entries, true, name), Some(index), "{}", name.escape_ascii());
                // Without the entry, the name is not found.
                let mut without = entries.clone();
                without.remove(index);
                assert_eq!(find(&without, true, name), None, "{}", name.escape_ascii());
            }
        }
    }

    #[test]
    fn a_name_is_all_its_bytes() {
        let names = [&b"a"[..], b"ab", b"abcdefg", b"abcdefgh", b"abcdefghi", b"sixteen bytes ok"];
        let entries = names.map(|name| entry(padded(name)));
        for sorted in [true, false] {
            for (index, name) in names.into_iter().enumerate() {
                assert_eq!(find(&entries, sorted, name), Some(index));
                let longer = |end: &[u8]| [name, end].concat();
                for end in [&b"\0"[..], b"\0\0", b"\0a", b"\xFF"] {
                    assert_eq!(find(&entries, sorted, &longer(end)), None, "{:?}", longer(end));
                }
            }
            for none in [&b""[..], b"\0", b"\0a", b"A", b"b", b"\xFF", &[0xFF; 16], b"sixteen bytes ok\0", &[b'a'; 40]]
            {
                assert_eq!(find(&entries, sorted, none), None, "{none:?}");
            }
        }
    }

    #[test]
    fn the_first_of_equal_names_is_found() {
        let entries = [b"b", b"a", b"b", b"a"].map(|name| entry(padded(name)));
        assert_eq!(find(&entries, false, b"b"), Some(0));
        assert_eq!(find(&entries, false, b"a"), Some(1));
        // Bytes after the NUL of an entry are not part of its name.
        let behind = [entry(*b"a\0behind the NUL")];
        assert_eq!(find(&behind, false, b"a"), Some(0));
    }
}
