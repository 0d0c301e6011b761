//! Reads the entries of an archive once, and finds everything that opening it and its table needs to know.

use crate::raw::Entry;

/// The common properties of the entries of an archive.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scan {
    /// Whether all members lie inside the archive. The offset of an empty member may point anywhere.
    pub(crate) inside: bool,
    /// Whether the names are strictly ascending and fully determined by their [keys](Entry::key).
    pub(crate) sorted: bool,
    /// The index of the first entry of the last run: each member after it has the same size and follows the one before.
    pub(crate) run: usize,
}

impl Scan {
    /// Number of entries read at a time: 64 KiB, which are in the cache if they are read again.
    const PIECE: usize = 2048;

    /// Reads the entries of an archive of `len` bytes.
    pub(crate) fn of(entries: &[Entry], len: u64) -> Self {
        let mut scan = Self { inside: true, sorted: true, run: 0 };
        for start in (0..entries.len()).step_by(Self::PIECE) {
            // A piece ends with the first entry of the next, so that each pair of neighbors is in a piece.
            let piece = entries.get(start..).unwrap_or(&[]);
            let piece = piece.get(..=Self::PIECE).unwrap_or(piece);
            // If the entries before are in a run, it probably goes on.
            match (scan.run < start).then(|| read_run(piece, len)).flatten() {
                Some((inside, sorted)) => {
                    scan.inside &= inside;
                    scan.sorted &= sorted;
                }
                None => scan.add(start, piece, len),
            }
        }
        scan
    }

    /// Adds any entries, the first of which has the index `start`.
    fn add(&mut self, start: usize, piece: &[Entry], len: u64) {
        self.inside &= piece.iter().fold(true, |all, entry| all & ((entry.end() <= len) | (entry.size.get() == 0)));
        let breaks = |pair: &[Entry]| matches!(pair, [one, next] if !next.follows(one));
        if let Some(last) = piece.windows(2).rposition(breaks) {
            self.run = start.saturating_add(last).saturating_add(1);
        }
        self.sorted = self.sorted && are_sorted(piece);
    }
}

/// Returns whether the names are strictly ascending and fully determined by their [keys](Entry::key).
fn are_sorted(entries: &[Entry]) -> bool {
    let Some((first, rest)) = entries.split_first() else { return true };
    let mut before = first.key();
    let rise = rest.iter().all(|entry| {
        let key = entry.key();
        let rises = before < key;
        before = key;
        rises && entry.name_tail() == 0
    });
    rise && first.name_tail() == 0
}

/// Returns whether the members of a run lie inside an archive of `len` bytes, and whether they are sorted. `None` if they
/// are no run.
fn read_run(entries: &[Entry], len: u64) -> Option<(bool, bool)> {
    let (first, rest) = entries.split_first()?;
    // Without branches, the loop is as fast as memory.
    let (differs, falls, tails) = worldview_simd::widest(|| {
        let step = u64::from(first.size.get()) << 32;
        let (mut next, mut before) = (first.place(), first.halves());
        let (mut differs, mut falls, mut tails) = (0, false, first.name_tail());
        for entry in rest {
            next = next.wrapping_add(step);
            differs |= entry.place() ^ next;
            let [high, low] = entry.halves();
            falls |= (before[0] > high) | ((before[0] == high) & (before[1] >= low));
            tails |= entry.name_tail();
            before = [high, low];
        }
        (differs, falls, tails)
    });
    // If no offset exceeds 32 bits, the last member is where it should be. It ends after all others.
    let (end, size) = (entries.last()?.end(), u64::from(first.size.get()));
    let is_run = differs == 0 && end == first.end().saturating_add(size.saturating_mul(rest.len() as u64));
    is_run.then_some(((end <= len) | (size == 0), !falls && tails == 0))
}

#[cfg(test)]
mod tests {
    use zerocopy::FromZeros as _;

    use super::*;

    fn entry(name: [u8; 16], offset: u32, size: u32) -> Entry {
        let mut entry = Entry::new_zeroed();
        (entry.name, entry.offset, entry.size) = (zerocopy::transmute!(name), offset.into(), size.into());
        entry
    }

    /// Returns entries in one run, with ascending names.
    fn run_of(count: u32, size: u32) -> Vec<Entry> {
        let name = |index: u32| -> [u8; 16] { format!("row_{index:08}\0\0\0\0").into_bytes().try_into().unwrap() };
        let at = |index: u32| 1000_u32.wrapping_add(index.wrapping_mul(size));
        (0..count).map(|index| entry(name(index), at(index), size)).collect()
    }

    /// Compares a scan with its definition.
    #[track_caller]
    fn check(entries: &[Entry], len: u64) -> Scan {
        let place = |entry: &Entry| (u64::from(entry.offset.get()), u64::from(entry.size.get()));
        let inside = entries.iter().map(place).all(|(offset, size)| size == 0 || offset.saturating_add(size) <= len);
        let follows = |(one, next): (&Entry, &Entry)| {
            let ((offset, size), next) = (place(one), place(next));
            next == (offset.saturating_add(size), size)
        };
        let pairs = || entries.iter().zip(entries.iter().skip(1));
        let run = pairs().rposition(|pair| !follows(pair)).map_or(0, |pair| pair.saturating_add(1));
        let has_order = pairs().all(|(one, next)| one.name.raw() < next.name.raw());
        let has_tail = entries.iter().any(|entry| entry.name.tail().iter().any(|&byte| byte != 0));
        let scan = Scan::of(entries, len);
        assert_eq!((scan.inside, scan.run, scan.sorted), (inside, run, has_order && !has_tail));
        scan
    }

    #[test]
    fn a_change_at_any_place_is_found() {
        const COUNT: u32 = 5000;
        for count in [0, 1, 2, 2047, 2048, 2049, 2050, COUNT] {
            let scan = check(&run_of(count, 12), 1000 + 12 * u64::from(count));
            assert!(scan.inside && scan.sorted && scan.run == 0, "{count}");
        }
        let last = usize::try_from(COUNT).unwrap() - 1;
        for at in [0, 1, 2, 100, 2046, 2047, 2048, 2049, 4095, 4096, 4097, last - 1, last] {
            let changed = |change: &dyn Fn(&mut Entry)| {
                let mut entries = run_of(COUNT, 12);
                change(&mut entries[at]);
                check(&entries, 1000 + 12 * u64::from(COUNT))
            };
            assert!(!changed(&|entry| entry.offset = u32::MAX.into()).inside);
            assert!(changed(&|entry| entry.offset = 8.into()).inside);
            assert!(!changed(&|entry| entry.size = u32::MAX.into()).inside);
            // An empty member may be anywhere.
            assert!(changed(&|entry| (entry.offset, entry.size) = (u32::MAX.into(), 0.into())).inside);
            assert!(!changed(&|entry| entry.name = zerocopy::transmute!(*b"row_00000000\0tai")).sorted);
            assert_eq!(changed(&|entry| entry.name = zerocopy::transmute!([b'a'; 16])).sorted, at == 0);
            assert_eq!(changed(&|entry| entry.name = zerocopy::transmute!([b'z'; 16])).sorted, at == last);
        }
    }

    #[test]
    fn a_run_does_not_wrap_around() {
        // The offset at index 4096 would be 4 GiB and 1000 bytes.
        let entries = run_of(5000, 1 << 20);
        assert_eq!(check(&entries, u64::MAX).run, 4096);
        assert!(!check(&entries, 1 << 32).inside);
        // All members of no size are in the same place.
        assert_eq!(check(&run_of(5000, 0), 0).run, 0);
    }
}
