use super::*;

type Swap = fn(&[[u8; 4]], &mut [u32]);

#[cfg(target_arch = "x86_64")]
fn past(words: &[[u8; 4]], out: &mut [u32]) {
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the function requires only AVX2, which was just detected.
        #[expect(unsafe_code, reason = "few words take this way only in a test")]
        unsafe {
            stream::big_endian_past(words, out);
        }
    } else {
        assert_eq!(big_endian(words, out), words.len());
    }
}

/// Compares every conversion with words assembled byte by byte, at all alignments of source and destination.
#[track_caller]
fn agree(bytes: &[u8], before: usize) {
    let (words, _) = bytes.as_chunks::<4>();
    let mut want = vec![0xAAAA_AAAA; before];
    for [a, b, c, d] in words {
        want.push(u32::from(*a) << 24 | u32::from(*b) << 16 | u32::from(*c) << 8 | u32::from(*d));
    }
    want.push(0xBBBB_BBBB);
    let ways: &[(&str, Swap)] = &[
        ("portable", |words, out| BigEndian { words, out }.run()),
        ("as the machine can", |words, out| wide(BigEndian { words, out })),
        #[cfg(target_arch = "x86_64")]
        ("past the cache", past),
    ];
    for (way, swap) in ways {
        let mut out = vec![0xAAAA_AAAA; want.len()];
        let end = before + words.len();
        out[end] = 0xBBBB_BBBB;
        swap(words, &mut out[before..end]);
        assert!(out == want, "{way}: {} words behind {before}", words.len());
    }
}

#[test]
fn all_lengths_at_all_alignments() {
    let random = crate::tests::random(4 * 300 + 64);
    for len in 0..300 {
        for start in [0, 1, 2, 3, 4, 5, 8, 12, 15, 16, 17, 31, 32, 33, 63] {
            agree(&random[start..start + 4 * len], len % 17);
        }
        for before in 0..17 {
            agree(&random[1..1 + 4 * len], before);
        }
    }
}

#[test]
fn extreme_words() {
    for word in [[0, 0, 0, 0], [0xFF; 4], [0x80, 0, 0, 0], [0, 0, 0, 1], [0x7F, 0xFF, 0xFF, 0xFF]] {
        agree(word.repeat(77).as_slice(), 3);
    }
}

#[test]
fn the_shorter_of_the_two_counts() {
    let words = [[0, 0, 0, 7]; 5];
    let mut out = [1; 5];
    assert_eq!(big_endian(&words[..2], &mut out), 2);
    assert_eq!(out, [7, 7, 1, 1, 1]);
    assert_eq!(big_endian(&words, &mut out[..4]), 4);
    assert_eq!(out, [7, 7, 7, 7, 1]);
    assert_eq!(big_endian(&[], &mut out), 0);
}

#[cfg(target_arch = "x86_64")]
#[test]
fn more_than_the_cache_holds() {
    let count = STREAM_FROM + 21;
    let bytes = crate::tests::random(4 * count + 1);
    let (words, _) = bytes[1..].as_chunks::<4>();
    let mut out = vec![0; count + 1];
    assert_eq!(big_endian(words, &mut out[1..]), count);
    assert_eq!(out[0], 0);
    for (number, [a, b, c, d]) in out[1..].iter().zip(words) {
        assert_eq!(*number, u32::from(*a) << 24 | u32::from(*b) << 16 | u32::from(*c) << 8 | u32::from(*d));
    }
}
