use std::sync::OnceLock;

use memchr::memchr;

/// Number of bytes to search for the end of a string before using [`OverlongStrings`], and the size of its blocks. The longest
/// known string has 107 bytes.
const BLOCK: usize = 4096;

/// The string pool. See [Strings](crate::format#strings).
#[derive(Clone, Copy)]
pub struct Strings<'t, 'a> {
    pool: &'a [u8],
    overlong: &'t OverlongStrings,
}

worldview_core::debug_summary!("Strings", Strings<'_, '_>, |this| bytes: this.bytes().len());

impl<'t, 'a> Strings<'t, 'a> {
    pub(crate) const fn new(pool: &'a [u8], overlong: &'t OverlongStrings) -> Self {
        Self { pool, overlong }
    }

    /// Returns a pool without strings.
    pub(crate) const fn none() -> Self {
        static NONE: OverlongStrings = OverlongStrings::new();
        Self { pool: &[], overlong: &NONE }
    }

    /// Returns the string at `offset`, up to its NUL or the end of the pool, or `None` if `offset` is out of bounds.
    ///
    /// An offset may point into the middle of another string. The end of a string of any length is found as fast as
    /// that of one of 4 KiB, except for the first long string, which triggers a scan of the whole pool.
    #[inline]
    pub fn get(&self, offset: u32) -> Option<&'a [u8]> {
        let start = usize::try_from(offset).ok()?;
        let rest = self.pool.get(start..).filter(|rest| !rest.is_empty())?;
        match memchr(0, rest.first_chunk::<BLOCK>().map_or(rest, <[u8; BLOCK]>::as_slice)) {
            Some(end) => rest.get(..end),
            None => Some(self.long(start)),
        }
    }

    /// Returns the string from `start`, whose first [`BLOCK`] bytes contain no NUL.
    #[cold]
    #[inline(never)]
    fn long(&self, start: usize) -> &'a [u8] {
        let rest = self.pool.get(start..).unwrap_or(&[]);
        if rest.len() <= BLOCK {
            return rest;
        }
        self.pool.get(start..self.overlong.end(self.pool, start)).unwrap_or(rest)
    }

    /// Returns all bytes of the pool.
    #[inline]
    pub const fn bytes(&self) -> &'a [u8] {
        self.pool
    }

    /// Returns whether an offset lies inside the pool.
    #[inline]
    pub(crate) fn has(&self, offset: u32) -> bool {
        usize::try_from(offset).is_ok_and(|offset| offset < self.pool.len())
    }
}

/// The ends of strings longer than a block: for each block, the first NUL in it or after it.
///
/// All strings of a hostile table may be the same one, half as long as the file. The pool is scanned once, when the
/// first such string is requested. No known table has any.
#[derive(Clone, Debug)]
pub(crate) struct OverlongStrings(OnceLock<Box<[u32]>>);

impl OverlongStrings {
    pub(crate) const fn new() -> Self {
        Self(OnceLock::new())
    }

    /// Returns where such a string ends.
    fn end(&self, pool: &[u8], start: usize) -> usize {
        let ends = self.0.get_or_init(|| {
            let mut next = pool.len();
            let mut ends: Vec<u32> = Vec::with_capacity(pool.len().div_ceil(BLOCK));
            for (index, block) in pool.chunks(BLOCK).enumerate().rev() {
                if let Some(nul) = memchr(0, block) {
                    next = index.saturating_mul(BLOCK).saturating_add(nul);
                }
                // The size of a member is a 32-bit word.
                ends.push(u32::try_from(next).unwrap_or(u32::MAX));
            }
            ends.reverse();
            ends.into()
        });
        // The next block begins within the bytes already searched, so its first NUL is the end of the string.
        let next = (start / BLOCK).saturating_add(1);
        ends.get(next).and_then(|&end| usize::try_from(end).ok()).unwrap_or(pool.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns strings of these lengths, each with a NUL, except perhaps the last.
    fn pool(lengths: &[usize], unterminated: bool) -> Vec<u8> {
        let mut pool = Vec::new();
        for &length in lengths {
            pool.extend((1..=251).cycle().take(length));
            pool.push(0);
        }
        if unterminated {
            pool.pop();
        }
        pool
    }

    #[test]
    fn a_string_ends_where_a_search_finds_it_however_long_it_is() {
        let lengths = [0, 1, 4094, 4095, 4096, 4097, 8191, 8192, 8193, 3, 20_000, 1, 0, 5000];
        for unterminated in [false, true] {
            let whole = pool(&lengths, unterminated);
            // Cut the last block at both ends of the range of lengths that it can have.
            for end in [whole.len(), whole.len() - 1, whole.len() / BLOCK * BLOCK, whole.len() / BLOCK * BLOCK + 1] {
                let pool = &whole[..end];
                let overlong = OverlongStrings::new();
                let strings = Strings::new(pool, &overlong);
                for start in (0..end).filter(|start| end == whole.len() || start % 11 == 0) {
                    let length = pool[start..].iter().position(|&byte| byte == 0).unwrap_or(pool.len() - start);
                    let found = strings.get(u32::try_from(start).unwrap()).unwrap();
                    assert_eq!((found.as_ptr(), found.len()), (pool[start..].as_ptr(), length), "{start} of {end}");
                }
                assert_eq!(strings.get(u32::try_from(end).unwrap()), None);
            }
        }
    }

    #[test]
    fn nothing_is_gone_through_for_strings_of_a_block() {
        let overlong = OverlongStrings::new();
        let pool = pool(&[4095, 4095, 2, 4096], true);
        let strings = Strings::new(&pool, &overlong);
        assert!([0, 4096, 8192, 8195, 8200].iter().all(|&offset| strings.get(offset).is_some()));
        assert!(overlong.0.get().is_none());
        let longer = [pool.as_slice(), b"\x01"].concat();
        assert_eq!(Strings::new(&longer, &overlong).get(8195).map(<[u8]>::len), Some(4097));
        assert_eq!(overlong.0.get().map(|ends| ends.to_vec()), Some(vec![4095, 8191, 8194, 12292]));
    }
}
