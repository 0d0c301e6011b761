//! Offsets and counts wider than the machine's words: a check that truncated them would accept ranges out of bounds.

use worldview_core::zerocopy::little_endian::U32;
use worldview_core::{Budget, Cursor, ErrorKind, Limit, OffsetBase, Source};

/// Returns numbers that become small when truncated, added or multiplied with wrapping.
fn wide() -> impl Iterator<Item = u64> {
    let small = [0, 1, 3, 4, 5, 16, 17];
    let tops = [0, 1 << 31, 1 << 32, 1 << 33, 1 << 48, 1 << 62, 1 << 63, u64::MAX - 20];
    tops.into_iter().flat_map(move |top| small.map(|low| top + low)).chain([u32::MAX.into(), u64::MAX])
}

const BYTES: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

#[test]
fn ranges_are_where_sums_without_a_limit_say() {
    let source = Source::new(&BYTES, OffsetBase::File);
    let mut there = 0;
    for (at, len) in wide().flat_map(|at| wide().map(move |len| (at, len))) {
        let inside = u128::from(at) + u128::from(len) <= 16;
        let expected = inside.then(|| &BYTES[usize::try_from(at).unwrap()..usize::try_from(at + len).unwrap()]);
        assert_eq!(source.slice(at, len, "it").ok(), expected, "{at} {len}");
        let window = source.window(at, len, "it");
        assert_eq!(window.map(|window| (window.base(), window.bytes())).ok(), expected.map(|bytes| (at, bytes)));
        let mut cursor = Cursor::new(source);
        assert_eq!(cursor.slice(len, "it").is_ok(), len <= 16, "{len}");
        there += usize::from(inside);
    }
    assert!(there > 10);
}

#[test]
fn counts_are_what_products_without_a_limit_say() {
    let source = Source::new(&BYTES, OffsetBase::File);
    for (at, count) in wide().flat_map(|at| wide().map(move |count| (at, count))) {
        let size = u128::from(count) * 4;
        let inside = u128::from(at) + size <= 16;
        let array = source.array::<U32>(at, count, "it");
        assert_eq!(array.map(|array| array.len() as u64).ok(), inside.then_some(count), "{at} {count}");
        if let Err(error) = array {
            // The number of bytes needed is reported in full, saturated at 2^64 - 1.
            let ErrorKind::Truncated { need, have } = error.kind else { panic!("{error}") };
            assert_eq!(u128::from(need), size.min(u64::MAX.into()));
            assert_eq!(have, 16_u64.saturating_sub(at));
        }
        if let Ok(mut cursor) = source.cursor(at, "it") {
            assert_eq!(cursor.array::<U32>(count, "it").is_ok(), inside, "{at} {count}");
        }
    }
}

#[test]
fn what_is_spent_never_comes_round() {
    for (first, second) in wide().flat_map(|first| wide().map(move |second| (first, second))) {
        let limit = 1 << 32;
        let mut budget = Budget::new(limit, Limit::Work, "walk");
        let (one, both) = (first <= limit, u128::from(first) + u128::from(second) <= limit.into());
        assert_eq!(budget.spend(first, 0, OffsetBase::File).is_ok(), one);
        assert_eq!(budget.spend(second, 0, OffsetBase::File).is_ok(), if one { both } else { second <= limit });
    }
    assert!(Budget::for_bytes(u64::MAX, "walk").spend(u64::MAX, 0, OffsetBase::File).is_ok());
}
