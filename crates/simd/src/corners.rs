//! Separates words by their highest bit, as the corners of meshes need it.

/// Words that [`number_corners`] has listed, each with its companion.
pub type Pair = [u32; 2];

/// Lists the words whose highest bit is set, each with its companion, and numbers all words: a listed one gets its position
/// in the list, any other its own low 16 bits, which must be the position of an earlier one.
///
/// Words are little-endian. Without companions (an empty slice) they are 0. `before` is the number of words that were listed
/// already, so that many words can be numbered in pieces. `convert` makes an element of `numbers` of each number.
///
/// Returns the number of listed words, or `None` if a number is not that of an earlier word, or if `list` has fewer elements
/// than `words`, rounded up to a multiple of 8: vectors are written as a whole, so elements after the listed ones are
/// overwritten, too.
///
/// ```
/// let words = [0x8000_0007_u32, 0x8000_0009, 0, 1, 0x8000_0001].map(u32::to_le_bytes);
/// let (mut list, mut numbers) = ([[0; 2]; 8], [0; 5]);
/// let listed = worldview_simd::number_corners(&words, &[], 0, &mut list, &mut numbers, |number| number);
/// assert_eq!(listed, Some(3));
/// assert_eq!(numbers, [0, 1, 0, 1, 2]);
/// assert_eq!(list[2], [0x8000_0001, 0]);
/// ```
#[inline]
pub fn number_corners<N, C: Fn(u32) -> N + Copy>(
    words: &[[u8; 4]],
    companions: &[[u8; 4]],
    before: usize,
    list: &mut [Pair],
    numbers: &mut [N],
    convert: C,
) -> Option<usize> {
    #[cfg(target_arch = "x86_64")]
    if words.len() >= 8 && std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("popcnt")
    {
        let number = match companions {
            [] => avx2::number_corners::<false, N, C>,
            _ => avx2::number_corners::<true, N, C>,
        };
        // SAFETY: the function requires only AVX2 and POPCNT, which were just detected.
        #[expect(unsafe_code, reason = "code for a feature of the processor, right after asking for that feature")]
        return unsafe { number(words, companions, before, list, numbers, convert) };
    }
    one_by_one(words, companions, before, list, numbers, convert)
}

#[inline]
fn one_by_one<N>(
    words: &[[u8; 4]],
    companions: &[[u8; 4]],
    before: usize,
    list: &mut [Pair],
    numbers: &mut [N],
    convert: impl Fn(u32) -> N,
) -> Option<usize> {
    let before = u32::try_from(before).ok()?;
    let mut companions = companions.iter();
    // The loop has no branches that depend on the words: one that is not listed is written, too, and then overwritten.
    let (mut next, mut behind) = (0_u32, u32::MAX);
    for (word, to) in words.iter().zip(numbers) {
        let word = u32::from_le_bytes(*word);
        *list.get_mut(next as usize)? = [word, companions.next().map_or(0, |companion| u32::from_le_bytes(*companion))];
        let is_new = word >> 31;
        let number = if is_new == 1 { before.wrapping_add(next) } else { word & 0xFFFF };
        next = next.wrapping_add(is_new);
        // Negative as long as each number is below that of the listed words so far.
        behind &= number.wrapping_sub(before.wrapping_add(next));
        *to = convert(number);
    }
    (behind.cast_signed() < 0).then_some(next as usize)
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{
        __m256i, _mm_cvtsi64_si128, _mm256_add_epi32, _mm256_and_si256, _mm256_blendv_epi8, _mm256_castsi256_ps,
        _mm256_cmpgt_epi32, _mm256_cvtepu8_epi32, _mm256_movemask_epi8, _mm256_movemask_ps, _mm256_or_si256,
        _mm256_permute2x128_si256, _mm256_permutevar8x32_epi32, _mm256_set1_epi32, _mm256_srai_epi32,
        _mm256_unpackhi_epi32, _mm256_unpacklo_epi32,
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

    /// The same, for words with companions or without.
    #[target_feature(enable = "avx2,popcnt")]
    pub(super) fn number_corners<const HAS_COMPANIONS: bool, N, C: Fn(u32) -> N + Copy>(
        words: &[[u8; 4]],
        companions: &[[u8; 4]],
        before: usize,
        list: &mut [Pair],
        numbers: &mut [N],
        convert: C,
    ) -> Option<usize> {
        let ((eights, rest), (all_companions, last_companions)) = (words.as_chunks::<8>(), companions.as_chunks::<8>());
        let (to, last) = numbers.split_at_mut_checked(eights.as_flattened().len())?;
        let mut all_companions = all_companions.iter();
        let mut is_right = _mm256_set1_epi32(-1);
        let mut next = 0_usize;
        for (words, numbers) in eights.iter().zip(to.as_chunks_mut::<8>().0) {
            let companions = if HAS_COMPANIONS { *all_companions.next()? } else { NONE };
            let (eight, count) =
                number(words, companions, before.wrapping_add(next), &mut is_right, list.get_mut(next..)?)?;
            *numbers = eight.map(convert);
            next = next.wrapping_add(count);
        }
        if !rest.is_empty() {
            // Words of 0 after the others refer to the first word, and are listed nowhere.
            let (rest, companions) = (padded(rest), if HAS_COMPANIONS { padded(last_companions) } else { NONE });
            let (eight, count) =
                number(&rest, companions, before.wrapping_add(next), &mut is_right, list.get_mut(next..)?)?;
            last.iter_mut().zip(eight).for_each(|(to, number)| *to = convert(number));
            next = next.wrapping_add(count);
        }
        (_mm256_movemask_epi8(is_right) == -1).then_some(next)
    }

    const NONE: [[u8; 4]; 8] = [[0; 4]; 8];

    fn padded(words: &[[u8; 4]]) -> [[u8; 4]; 8] {
        let mut all = NONE;
        all.iter_mut().zip(words).for_each(|(to, word)| *to = *word);
        all
    }

    /// Lists those of eight words that are to be listed. Returns the numbers of all, and how many are listed.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    fn number(
        words: &[[u8; 4]; 8],
        companions: [[u8; 4]; 8],
        before: usize,
        is_right: &mut __m256i,
        list: &mut [Pair],
    ) -> Option<([u32; 8], usize)> {
        let (words, companions): (__m256i, __m256i) = (transmute!(*words), transmute!(companions));
        let set = _mm256_movemask_ps(_mm256_castsi256_ps(words)).to_le_bytes()[0];
        // The number of each word if it is listed.
        let first = _mm256_set1_epi32(i32::try_from(before).ok()?);
        let own = _mm256_add_epi32(widened(*BEFORE.get(usize::from(set))?), first);
        let is_listed = _mm256_srai_epi32::<31>(words);
        let other = _mm256_and_si256(words, _mm256_set1_epi32(0xFFFF));
        *is_right = _mm256_and_si256(*is_right, _mm256_or_si256(is_listed, _mm256_cmpgt_epi32(own, other)));
        let numbers = _mm256_blendv_epi8(other, own, is_listed);
        // Moves the listed words to the front, and their companions with them.
        let lanes = widened(*LANES.get(usize::from(set))?);
        let words = _mm256_permutevar8x32_epi32(words, lanes);
        let companions = _mm256_permutevar8x32_epi32(companions, lanes);
        let (a, b) = (_mm256_unpacklo_epi32(words, companions), _mm256_unpackhi_epi32(words, companions));
        let pairs = [_mm256_permute2x128_si256::<0x20>(a, b), _mm256_permute2x128_si256::<0x31>(a, b)];
        *list.first_chunk_mut::<8>()? = transmute!(pairs);
        Some((transmute!(numbers), set.count_ones() as usize))
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

    type Run<'r> = &'r dyn Fn(&[[u8; 4]], &[[u8; 4]], usize, &mut [Pair], &mut [u32]) -> Option<usize>;

    /// Numbers the words with vectors and one by one, each in pieces of this length.
    fn both(words: &[[u8; 4]], companions: &[[u8; 4]], piece: usize) -> Option<(Vec<Pair>, Vec<u32>)> {
        let run = |number: Run<'_>| {
            let (mut list, mut numbers) = (Vec::new(), vec![0; words.len()]);
            let mut companions = companions.chunks(piece);
            for (words, numbers) in words.chunks(piece).zip(numbers.chunks_mut(piece)) {
                let (companions, mut own) =
                    (companions.next().unwrap_or(&[]), vec![[0; 2]; words.len().next_multiple_of(8)]);
                let listed = number(words, companions, list.len(), &mut own, numbers)?;
                list.extend(own.drain(..listed));
            }
            Some((list, numbers))
        };
        let wide = run(&|words, companions, before, list, numbers| {
            number_corners(words, companions, before, list, numbers, |number| number)
        });
        let single = run(&|words, companions, before, list, numbers| {
            one_by_one(words, companions, before, list, numbers, |number| number)
        });
        assert_eq!(wide, single);
        wide
    }

    #[test]
    fn vectors_and_single_words_give_the_same() {
        for (count, piece) in (0..40).map(|count| (count, 64)).chain([(1000, 24), (1000, 7), (70_001, 70_001)]) {
            let (words, companions) = words(count);
            for companions in [&companions[..], &[]] {
                let (list, numbers) = both(&words, companions, piece).unwrap();
                let listed = words.iter().enumerate().filter(|(_, [.., high])| high >> 7 == 1).map(|(at, word)| {
                    let companion = companions.get(at).map_or(0, |companion| u32::from_le_bytes(*companion));
                    [u32::from_le_bytes(*word), companion]
                });
                assert!(listed.eq(list));
                let mut next = 0..;
                let expected = words.iter().map(|word| match u32::from_le_bytes(*word) {
                    word if word >> 31 == 1 => next.next().unwrap(),
                    word => word & 0xFFFF,
                });
                assert!(expected.eq(numbers));
            }
        }
    }

    #[test]
    fn a_number_of_a_later_word_is_refused() {
        for at in 0..30 {
            let (mut words, companions) = words(30);
            let made = words[..at].iter().filter(|[.., high]| high >> 7 == 1).count();
            words[at] = u32::try_from(made).unwrap().to_le_bytes();
            for piece in [30, 9] {
                assert_eq!(both(&words, &companions, piece), None, "{at}");
            }
        }
    }
}
