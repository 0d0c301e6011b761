//! Separates words by their highest bit, as the corners of meshes need it.

/// Words that [`number_corners`] has listed, each with its companion.
pub type Pair = [u32; 2];

/// Number of elements that the list of [`number_corners`] needs after those that are listed. Vectors are written as a whole.
pub const SLACK: usize = 8;

/// Lists the words whose highest bit is set, each with its companion, and numbers all words: a listed one gets its position
/// in the list, any other its own low 16 bits, which must be the position of an earlier one.
///
/// Words are little-endian. Without companions (an empty slice) they are 0. Returns the number of listed words, or `None` if a
/// number is not that of an earlier word, or if the list is not longer than the listed words by [`SLACK`]. Numbers are
/// truncated to 16 bits.
///
/// ```
/// let words = [0x8000_0007_u32, 0x8000_0009, 0, 1, 0x8000_0001].map(u32::to_le_bytes);
/// let (mut list, mut numbers) = ([[0; 2]; 3 + worldview_simd::SLACK], [0; 5]);
/// assert_eq!(worldview_simd::number_corners(&words, &[], &mut list, &mut numbers), Some(3));
/// assert_eq!(numbers, [0, 1, 0, 1, 2]);
/// assert_eq!(list[2], [0x8000_0001, 0]);
/// ```
#[inline]
pub fn number_corners(
    words: &[[u8; 4]],
    companions: &[[u8; 4]],
    list: &mut [Pair],
    numbers: &mut [u16],
) -> Option<usize> {
    #[cfg(target_arch = "x86_64")]
    if words.len() >= 8 && std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the function requires only AVX2, which was just detected.
        #[expect(unsafe_code, reason = "code for a feature of the processor, right after asking for that feature")]
        return unsafe { avx2::number_corners(words, companions, list, numbers) };
    }
    one_by_one(words, companions, list, numbers, 0)
}

/// Continues after `next` listed words.
#[inline]
fn one_by_one(
    words: &[[u8; 4]],
    companions: &[[u8; 4]],
    list: &mut [Pair],
    numbers: &mut [u16],
    next: usize,
) -> Option<usize> {
    if companions.is_empty() {
        one_by_one_with(words, std::iter::repeat(&[0; 4]), list, numbers, next)
    } else {
        one_by_one_with(words, companions.iter(), list, numbers, next)
    }
}

#[inline]
fn one_by_one_with<'c>(
    words: &[[u8; 4]],
    companions: impl Iterator<Item = &'c [u8; 4]>,
    list: &mut [Pair],
    numbers: &mut [u16],
    next: usize,
) -> Option<usize> {
    // The loop has no branches that depend on the words: one that is not listed is written, too, and then overwritten.
    let (mut next, mut behind) = (u32::try_from(next).ok()?, u32::MAX);
    for ((word, companion), to) in words.iter().zip(companions).zip(numbers) {
        let word = u32::from_le_bytes(*word);
        *list.get_mut(next as usize)? = [word, u32::from_le_bytes(*companion)];
        let is_new = word >> 31;
        let number = if is_new == 1 { next } else { word & 0xFFFF };
        next = next.wrapping_add(is_new);
        // Negative as long as each number is below that of the listed words so far.
        behind &= number.wrapping_sub(next);
        #[expect(clippy::cast_possible_truncation, reason = "documented")]
        let number = number as u16;
        *to = number;
    }
    let next = next as usize;
    (behind.cast_signed() < 0 && list.len() >= next.saturating_add(SLACK)).then_some(next)
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{
        __m256i, _mm_cvtsi64_si128, _mm256_add_epi32, _mm256_and_si256, _mm256_blendv_epi8, _mm256_castsi256_ps,
        _mm256_castsi256_si128, _mm256_cmpgt_epi32, _mm256_cvtepu8_epi32, _mm256_movemask_epi8, _mm256_movemask_ps,
        _mm256_or_si256, _mm256_packus_epi32, _mm256_permute2x128_si256, _mm256_permute4x64_epi64,
        _mm256_permutevar8x32_epi32, _mm256_set1_epi32, _mm256_srai_epi32, _mm256_unpackhi_epi32,
        _mm256_unpacklo_epi32,
    };

    use zerocopy::transmute;

    use super::Pair;

    /// For each set of lanes: how many of them are before each lane, one byte per lane.
    static BEFORE: [u64; 256] = table(false);
    /// For each set of lanes: the lanes in it, in order, one byte each.
    static LANES: [u64; 256] = table(true);

    #[expect(clippy::arithmetic_side_effects, clippy::indexing_slicing, reason = "computed when this is compiled")]
    const fn table(is_lanes: bool) -> [u64; 256] {
        let mut table = [0; 256];
        let mut set = 0_usize;
        while set < 256 {
            let (mut lane, mut count, mut entry) = (0, 0, 0_u64);
            while lane < 8 {
                if !is_lanes {
                    entry |= count << (8 * lane);
                }
                if set >> lane & 1 == 1 {
                    if is_lanes {
                        entry |= lane << (8 * count);
                    }
                    count += 1;
                }
                lane += 1;
            }
            table[set] = entry;
            set += 1;
        }
        table
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn number_corners(
        words: &[[u8; 4]],
        companions: &[[u8; 4]],
        list: &mut [Pair],
        numbers: &mut [u16],
    ) -> Option<usize> {
        let (eights, rest) = words.as_chunks::<8>();
        let mut all_companions = companions.as_chunks::<8>().0.iter();
        let done = eights.as_flattened().len();
        let (to, last) = numbers.split_at_mut_checked(done)?;
        let low = _mm256_set1_epi32(0xFFFF);
        let mut is_right = _mm256_set1_epi32(-1);
        let mut next = 0_usize;
        for (words, numbers) in eights.iter().zip(to.as_chunks_mut::<8>().0) {
            let words: __m256i = transmute!(*words);
            let companions: __m256i = all_companions.next().map_or(transmute!([0_u8; 32]), |eight| transmute!(*eight));
            let set = _mm256_movemask_ps(_mm256_castsi256_ps(words)).to_le_bytes()[0];
            // The number of each word if it is listed.
            let before = widened(*BEFORE.get(usize::from(set))?);
            let own = _mm256_add_epi32(before, _mm256_set1_epi32(i32::try_from(next).ok()?));
            let is_listed = _mm256_srai_epi32::<31>(words);
            let other = _mm256_and_si256(words, low);
            is_right = _mm256_and_si256(is_right, _mm256_or_si256(is_listed, _mm256_cmpgt_epi32(own, other)));
            let number = _mm256_and_si256(_mm256_blendv_epi8(other, own, is_listed), low);
            let halves = _mm256_permute4x64_epi64::<0b1000>(_mm256_packus_epi32(number, number));
            *numbers = transmute!(_mm256_castsi256_si128(halves));
            // Moves the listed words to the front, and their companions with them.
            let lanes = widened(*LANES.get(usize::from(set))?);
            let words = _mm256_permutevar8x32_epi32(words, lanes);
            let companions = _mm256_permutevar8x32_epi32(companions, lanes);
            let (a, b) = (_mm256_unpacklo_epi32(words, companions), _mm256_unpackhi_epi32(words, companions));
            let pairs = [_mm256_permute2x128_si256::<0x20>(a, b), _mm256_permute2x128_si256::<0x31>(a, b)];
            let place: &mut [Pair; 8] = list.get_mut(next..)?.first_chunk_mut()?;
            *place = transmute!(pairs);
            next = next.wrapping_add(set.count_ones() as usize);
        }
        if _mm256_movemask_epi8(is_right) != -1 {
            return None;
        }
        let companions = companions.get(done..).unwrap_or(&[]);
        super::one_by_one(rest, companions, list, last, next)
    }

    /// Returns the eight bytes of a number as lanes.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn widened(bytes: u64) -> __m256i {
        _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(bytes.cast_signed()))
    }
}

#[cfg(test)]
#[expect(clippy::arithmetic_side_effects, reason = "a slip fails the test")]
mod tests {
    use super::*;

    /// Returns words of which about half are new and the others refer to earlier ones, with companions.
    fn words(count: usize) -> (Vec<[u8; 4]>, Vec<[u8; 4]>) {
        let random = crate::tests::random(8 * count);
        let (eights, _) = random.as_chunks::<8>();
        let mut made = 0_u32;
        let word = |[a, b, c, d, ..]: &[u8; 8]| {
            let word = u32::from_le_bytes([*a, *b, *c, *d]);
            if made == 0 || a & 1 == 1 {
                made += 1;
                return (word | 1 << 31).to_le_bytes();
            }
            (word & 0x7FFF_0000 | (word % 0x8000 % made)).to_le_bytes()
        };
        (eights.iter().map(word).collect(), eights.iter().map(|[.., a, b, c, d]| [*a, *b, *c, *d]).collect())
    }

    type Run<'r> = &'r dyn Fn(&mut [Pair], &mut [u16]) -> Option<usize>;

    fn both(words: &[[u8; 4]], companions: &[[u8; 4]], room: usize) -> Option<(usize, Vec<Pair>, Vec<u16>)> {
        let run = |of: Run<'_>| {
            let (mut list, mut numbers) = (vec![[0; 2]; room], vec![0; words.len()]);
            let count = of(&mut list, &mut numbers)?;
            list.truncate(count);
            Some((count, list, numbers))
        };
        let wide = run(&|list, numbers| number_corners(words, companions, list, numbers));
        assert_eq!(wide, run(&|list, numbers| one_by_one(words, companions, list, numbers, 0)));
        wide
    }

    #[test]
    fn vectors_and_single_words_give_the_same() {
        for count in (0..40).chain([1000, 70_001]) {
            let (words, companions) = words(count);
            let new = words.iter().filter(|[.., high]| high >> 7 == 1).count();
            for companions in [&companions[..], &[]] {
                let (found, list, _) = both(&words, companions, new + SLACK).unwrap();
                assert_eq!(found, new);
                let listed = words.iter().enumerate().filter(|(_, [.., high])| high >> 7 == 1).map(|(at, word)| {
                    let companion = companions.get(at).map_or(0, |companion| u32::from_le_bytes(*companion));
                    [u32::from_le_bytes(*word), companion]
                });
                assert!(listed.eq(list));
            }
            assert_eq!(both(&words, &[], (new + SLACK).saturating_sub(1)), None);
        }
    }

    #[test]
    fn a_number_of_a_later_word_is_refused() {
        for at in 0..30 {
            let (mut words, companions) = words(30);
            let made = words[..at].iter().filter(|[.., high]| high >> 7 == 1).count();
            words[at] = u32::try_from(made).unwrap().to_le_bytes();
            assert_eq!(both(&words, &companions, 30 + SLACK), None, "{at}");
        }
    }
}
