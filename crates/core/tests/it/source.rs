//! Sources, cursors, texts and errors, on hand-built bytes.

use worldview_core::zerocopy::little_endian::{U16, U32};
use worldview_core::{Budget, Cursor, Error, ErrorKind, Limit, OffsetBase, Source, Text};

const BYTES: &[u8] = &[1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0xFF];

fn source() -> Source<'static> {
    Source::new(BYTES, OffsetBase::File)
}

#[test]
fn arrays_are_checked_once_and_read_in_place() {
    let words: &[U32] = source().array(0, 3, "words").unwrap();
    assert_eq!(words.iter().map(|word| word.get()).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(words.as_ptr().cast::<u8>(), BYTES.as_ptr());
    // An odd offset: nothing needs to be aligned.
    let odd: &[U16] = source().array(3, 2, "words").unwrap();
    assert_eq!([odd[0].get(), odd[1].get()], [0x0200, 0]);
    assert!(source().array::<U32>(13, 0, "words").unwrap().is_empty());
}

#[test]
fn what_does_not_fit_is_truncated() {
    let truncated = |error: Error| (error.kind, error.at);
    let need = |need, have| ErrorKind::Truncated { need, have };
    assert_eq!(truncated(source().array::<U32>(4, 3, "words").unwrap_err()), (need(12, 9), 4));
    assert_eq!(truncated(source().view::<U32>(10, "word").unwrap_err()), (need(4, 3), 10));
    assert_eq!(truncated(source().view::<U32>(99, "word").unwrap_err()), (need(4, 0), 99));
    assert_eq!(truncated(source().slice(u64::MAX, 1, "byte").unwrap_err()), (need(1, 0), u64::MAX));
    assert_eq!(truncated(source().slice(1, u64::MAX, "bytes").unwrap_err()), (need(u64::MAX, 12), 1));
}

#[test]
fn windows_count_in_their_file() {
    let window = source().window(4, 8, "window").unwrap();
    assert_eq!((window.base(), window.len()), (4, 8));
    assert_eq!(window.view::<U32>(4, "word").unwrap().get(), 3);
    assert_eq!(window.view::<U32>(5, "word").unwrap_err().at, 9);
    let inner = window.tail(6, "inner").unwrap();
    assert_eq!((inner.base(), inner.bytes()), (10, &[0, 0][..]));
    assert!(window.tail(9, "behind").is_err());
}

#[test]
fn cursors_stay_where_they_are_when_they_fail() {
    let mut cursor = source().cursor(0, "words").unwrap();
    assert_eq!(cursor.view::<U32>("word").unwrap().get(), 1);
    assert_eq!(cursor.position(), 4);
    let error = cursor.slice(10, "bytes").unwrap_err();
    assert_eq!((error.at, error.kind), (4, ErrorKind::Truncated { need: 10, have: 9 }));
    assert_eq!(cursor.position(), 4);
    assert_eq!(cursor.slice(9, "bytes").unwrap(), &BYTES[4..]);
    assert_eq!(cursor.rest().len(), 0);
    assert!(cursor.view::<U32>("word").is_err());
}

#[test]
fn a_cursor_takes_arrays_and_names_what_it_could_not_take() {
    let mut cursor = source().window(4, 9, "window").unwrap().cursor(0, "words").unwrap();
    assert_eq!((cursor.rest().base(), cursor.rest().space()), (4, OffsetBase::File));
    let words: &[U32] = cursor.array(2, "words").unwrap();
    assert_eq!(words.iter().map(|word| word.get()).collect::<Vec<_>>(), [2, 3]);
    assert_eq!(words.as_ptr().cast::<u8>(), BYTES[4..].as_ptr());
    assert_eq!(cursor.position(), 12);
    assert!(cursor.array::<U32>(0, "words").unwrap().is_empty());
    let need = |need| Error::new(ErrorKind::Truncated { need, have: 1 }, "words", 12, OffsetBase::File);
    assert_eq!(cursor.array::<U32>(1, "words"), Err(need(4)));
    // A product past 2^64 is an ordinary truncation.
    assert_eq!(cursor.array::<U32>(u64::MAX, "words"), Err(need(u64::MAX)));
    assert_eq!(cursor.slice(u64::MAX, "words"), Err(need(u64::MAX)));
    assert_eq!(cursor.view::<U16>("words"), Err(need(2)));
    assert_eq!(cursor.position(), 12, "what failed took nothing");
    assert_eq!(source().cursor(13, "end").unwrap().rest().bytes(), b"");
    assert_eq!(source().cursor(14, "end").unwrap_err(), need_at(14));
}

fn need_at(at: u64) -> Error {
    Error::new(ErrorKind::Truncated { need: 0, have: 0 }, "end", at, OffsetBase::File)
}

#[test]
fn texts_end_at_their_nul() {
    let mut names = Cursor::new(Source::new(b"BACK\0\0FRONT", OffsetBase::Image));
    assert_eq!(names.until_nul(9, "name"), Ok(&b"BACK"[..]));
    assert_eq!(names.until_nul(9, "name"), Ok(&b""[..]));
    let error = names.until_nul(9, "name").unwrap_err();
    assert_eq!(
        (error.at, error.kind),
        (6, ErrorKind::Corrupt { why: "expected a NUL before the end of the data, found none" })
    );
    assert_eq!(names.position(), 6);
    // A text of the maximum length is read; one byte more is an error.
    let mut names = Cursor::new(Source::new(b"1234\x0012345\0", OffsetBase::Image));
    assert_eq!(names.until_nul(4, "name"), Ok(&b"1234"[..]));
    let error = names.until_nul(4, "name").unwrap_err();
    assert_eq!((error.at, error.kind), (5, ErrorKind::Limit { of: Limit::Text, need: 5, limit: 4 }));
    // The text has the maximum length, and its NUL is missing.
    let mut names = Cursor::new(Source::new(b"1234", OffsetBase::Image));
    let error = names.until_nul(4, "name").unwrap_err();
    assert_eq!(
        (error.at, error.kind),
        (0, ErrorKind::Corrupt { why: "expected a NUL before the end of the data, found none" })
    );
}

#[test]
fn a_text_ends_at_its_first_nul_wherever_that_is() {
    fn check<const N: usize>() {
        // A search that compares many bytes at once could mistake 0x01 or 0x80 after a zero.
        for filler in [b'a', 0x01, 0x80, 0xFF] {
            for end in 0..=N {
                for behind in [0, 0x01, filler] {
                    let bytes: Vec<u8> = (0..N)
                        .map(|at| match at.cmp(&end) {
                            std::cmp::Ordering::Less => filler,
                            std::cmp::Ordering::Equal => 0,
                            std::cmp::Ordering::Greater => behind,
                        })
                        .collect();
                    let text: &Text<N> = Source::new(&bytes, OffsetBase::File).view(0, "text").unwrap();
                    assert_eq!(text.as_bytes(), vec![filler; end], "{N}");
                    assert_eq!(text.tail(), vec![behind; N.saturating_sub(end + 1)], "{N}");
                    assert_eq!(text.is_terminated(), end < N);
                }
            }
        }
    }
    check::<4>();
    check::<8>();
    check::<16>();
    check::<19>();
}

#[test]
fn fixed_texts_keep_all_their_bytes() {
    let text: &Text<6> = Source::new(b"ab\0cd\0", OffsetBase::File).view(0, "text").unwrap();
    assert_eq!((text.as_bytes(), text.tail(), text.is_terminated()), (&b"ab"[..], &b"cd\0"[..], true));
    assert_eq!(text.raw(), b"ab\0cd\0");
    assert_eq!(format!("{text:?}"), "\"ab\"");
    let full: &Text<2> = Source::new(b"\xB3b", OffsetBase::File).view(0, "text").unwrap();
    assert_eq!((full.as_bytes(), full.tail(), full.is_terminated()), (&b"\xB3b"[..], &b""[..], false));
    let empty: &Text<2> = Source::new(b"\0\0", OffsetBase::File).view(0, "text").unwrap();
    assert!(empty.is_empty() && empty.is_terminated());
    assert!(!text.is_empty() && !full.is_empty());
}

#[test]
fn errors_read_like_sentences() {
    let error = Error::new(ErrorKind::Truncated { need: 160, have: 3 }, "plane header", 1524, OffsetBase::Image);
    assert_eq!(
        error.to_string(),
        "plane header at offset 1524 (0x5f4) of the unpacked image: needs 160 bytes, but only 3 are available"
    );
    let inner = error.with_index(17).within(&"plane", 3);
    assert_eq!(
        inner.to_string(),
        "plane 3, plane header 17 at offset 1524 (0x5f4) of the unpacked image: needs 160 bytes, but only 3 are available"
    );
    let blob = Error::new(ErrorKind::Packed, "roi", 7, OffsetBase::File).within(&"blob", 2).to_string();
    assert!(blob.starts_with("blob 2, roi at offset 7 (0x7) of the file: "), "{blob}");
    assert_eq!((error.index(), inner.index()), (None, Some(17)));
    assert_eq!((error.enclosing(), inner.enclosing()), (None, Some(("plane", 3))));
    // The number and the space share a word: neither changes the other, and the last enclosing part wins.
    for (space, number) in [
        (OffsetBase::File, 0),
        (OffsetBase::Image, 0),
        (OffsetBase::File, 0x7FFF_FFFF),
        (OffsetBase::Image, 0x7FFF_FFFF),
    ] {
        let error = Error::new(ErrorKind::Packed, "roi", 7, space).within(&"blob", 5).within(&"world", number);
        assert_eq!((error.space(), error.enclosing()), (space, Some(("world", number))));
    }
    assert_eq!(error.with_index(0).index(), Some(0));
    let kinds = [
        (ErrorKind::Truncated { need: 1, have: 0 }, "needs 1 byte, but none is available"),
        (
            ErrorKind::TooMany { count: 3, unit: 12, have: 35 },
            "3 elements of at least 12 bytes need 36 bytes, but only 35 are available",
        ),
        (
            ErrorKind::TooMany { count: 1, unit: 1, have: 0 },
            "1 element of at least 1 byte needs 1 byte, but none are available",
        ),
        (ErrorKind::Truncated { need: 2, have: 1 }, "needs 2 bytes, but only 1 is available"),
        (
            ErrorKind::TooMany { count: u32::MAX, unit: 1, have: 0 },
            "4294967295 elements of at least 1 byte need 4294967295 bytes, but none are available",
        ),
        (
            ErrorKind::Product { counts: [3, 2], unit: 4, have: 23 },
            "3 by 2 elements of 4 bytes need 24 bytes, but only 23 are available",
        ),
        (
            ErrorKind::Product { counts: [u32::MAX; 2], unit: 4, have: 8 },
            "4294967295 by 4294967295 elements of 4 bytes need 73786976260478468100 bytes, but only 8 are available",
        ),
        (ErrorKind::Outside { found: 99, end: 98 }, "expected at most 98 (the end of the data), found 99"),
        (ErrorKind::NotWithin { found: 7, min: 12, max: 98 }, "expected 12 to 98, found 7"),
        (ErrorKind::Mismatch { want: 160, found: 0 }, "expected 160, found 0"),
        (ErrorKind::TooLong { want: 160 }, "expected 160 bytes, found more"),
        (ErrorKind::Magic { want: *b"WPD\0", found: *b"\xFFP\"D" }, "expected \"WPD\\x00\", found \"\\xffP\\\"D\""),
        (ErrorKind::NotWhole { found: 7, unit: 4 }, "expected a multiple of 4, found 7"),
        (ErrorKind::Packed, "is packed; call unpack first and parse the image"),
        (ErrorKind::Corrupt { why: "is odd" }, "is odd"),
        (ErrorKind::OutOfRange { found: -1, max: 9 }, "expected 0 to 9, found -1"),
        (ErrorKind::UnknownKind { found: 4, known: "1 to 3" }, "expected a known kind (1 to 3), found 4"),
        (ErrorKind::Limit { of: Limit::Depth, need: 9, limit: 8 }, "would take 9, the limit is 8"),
    ];
    for (kind, text) in kinds {
        assert_eq!(kind.to_string(), text);
    }
    assert!(size_of::<Error>() <= 64);
}

#[test]
fn counts_are_refused_by_what_they_would_take() {
    let source = Source::new(&[0; 40], OffsetBase::File).window(4, 30, "part").unwrap();
    assert_eq!(source.counted::<[u8; 12]>(6, 2, "list"), Ok(&[[0; 12]; 2][..]));
    let error = source.counted::<[u8; 12]>(7, 2, "list").unwrap_err();
    assert_eq!((error.at, error.kind), (11, ErrorKind::TooMany { count: 2, unit: 12, have: 23 }));
    assert_eq!(source.holds(30, 0, 12, "list"), Ok(()));
    assert_eq!(source.holds(18, 12, 1, "list"), Ok(()));
    let error = source.holds(18, u32::MAX, u32::MAX, "list").unwrap_err();
    assert_eq!(error.kind, ErrorKind::TooMany { count: u32::MAX, unit: u32::MAX, have: 12 });
    // No element fits past the end.
    assert!(source.holds(31, 1, 1, "list").is_err() && source.counted::<[u8; 12]>(31, 0, "list").is_err());
}

#[test]
fn budgets_are_spent_and_then_refuse() {
    let mut budget = Budget::new(10, Limit::Work, "walk");
    assert_eq!(budget.spend(4, 0, OffsetBase::File), Ok(()));
    let error = budget.spend(7, 99, OffsetBase::File).unwrap_err();
    assert_eq!((error.kind, error.at), (ErrorKind::Limit { of: Limit::Work, need: 11, limit: 10 }, 99));
    assert_eq!(budget.spend(6, 0, OffsetBase::File), Ok(()), "what was refused was not taken");
    // Four times the bytes, plus 1 MiB.
    let mut budget = Budget::for_bytes(1000, "walk");
    assert_eq!(budget.spend(4000 + 1_048_576, 0, OffsetBase::Image), Ok(()));
    let limit = ErrorKind::Limit { of: Limit::Overlap, need: 1_052_577, limit: 1_052_576 };
    assert_eq!(budget.spend(1, 7, OffsetBase::Image), Err(Error::new(limit, "walk", 7, OffsetBase::Image)));
}
