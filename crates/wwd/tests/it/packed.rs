//! Packed levels and their outlines, on zlib streams built here: stored blocks, and the Adler-32 by its definition.

use worldview_core::{Error, ErrorKind, Limit, OffsetBase};
use worldview_wwd::{self as wwd, FindingKind, Game, Rule, Trailer, Unpacker};

fn put(bytes: &mut [u8], at: usize, word: u32) {
    bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
}

/// Returns a header with the inflated length of its block, which begins with two plane headers.
fn header(flags: u32, block_length: usize) -> Vec<u8> {
    let mut bytes = vec![0; 1524];
    put(&mut bytes, 0, 1524);
    put(&mut bytes, 8, flags);
    bytes[464..476].copy_from_slice(b"LEVEL1\\TILES");
    put(&mut bytes, 732, 2);
    put(&mut bytes, 736, 1524);
    put(&mut bytes, 744, u32::try_from(block_length).unwrap());
    bytes
}

/// Returns two plane headers and ten bytes. The tiles of the first, 3 x 2, do not exist; the second has none.
fn block() -> Vec<u8> {
    let mut bytes = vec![0; 330];
    for plane in [0, 160] {
        put(&mut bytes, plane, 160);
    }
    put(&mut bytes, 96, 3);
    put(&mut bytes, 100, 2);
    put(&mut bytes, 128, 5);
    put(&mut bytes, 160 + 96, 7);
    put(&mut bytes, 160 + 100, 0xFFFF_FFFF);
    put(&mut bytes, 160 + 128, 0xFFFF_FFFF);
    bytes[320..].copy_from_slice(b"ten bytes!");
    bytes
}

fn zlib(content: &[u8]) -> Vec<u8> {
    let (mut a, mut b) = (1_u32, 0_u32);
    for &byte in content {
        a = (a + u32::from(byte)) % 65_521;
        b = (b + a) % 65_521;
    }
    let mut out = vec![0x78, 0x01];
    let pieces = content.len().div_ceil(0xFFFF);
    for (number, piece) in (1..).zip(content.chunks(0xFFFF)) {
        let len = u16::try_from(piece.len()).unwrap();
        out.push(u8::from(number == pieces));
        out.extend(len.to_le_bytes());
        out.extend((!len).to_le_bytes());
        out.extend(piece);
    }
    out.extend((b << 16 | a).to_be_bytes());
    out
}

fn packed() -> Vec<u8> {
    [header(2, 330), zlib(&block())].concat()
}

#[test]
fn an_image_is_the_level_as_if_stored_plain() {
    let file = [packed(), b"behind".to_vec()].concat();
    let plain = [header(0, 330), block()].concat();
    let image = wwd::unpack(&file).unwrap();
    assert_eq!(&*image, &plain[..]);
    assert!(image.is_packed() && image.header().is_packed());
    assert_eq!(image.space(), OffsetBase::Image);
    assert_eq!((image.trailing(), image.trailing_at()), (&b"behind"[..], 1524 + 341));
    assert_eq!(image.stored_block(), zlib(&block()));
    assert!(image.trailer().is_none());

    // The caller's buffer is reused, whatever it held.
    let mut scratch = vec![0xAA; 9000];
    let before = scratch.as_ptr();
    assert_eq!(&*wwd::unpack_in(&file, &mut scratch).unwrap(), &plain[..]);
    assert_eq!(scratch.as_ptr(), before);
    let lossy = Unpacker::default().unpack_lossy(&file, &mut |finding| panic!("{finding}")).unwrap();
    assert_eq!((&*lossy, lossy.trailing()), (&plain[..], &b"behind"[..]));

    let image = wwd::unpack(&plain).unwrap();
    assert!(!image.is_packed() && std::ptr::eq(image.as_ptr(), plain.as_ptr()));
    assert_eq!((image.space(), image.trailing(), image.trailing_at()), (OffsetBase::File, &b""[..], 1854));
    assert_eq!(image.stored_block(), block());
}

#[test]
fn unpacking_writes_the_image_into_the_scratch_and_nothing_behind_it() {
    const LARGE: usize = 1 << 20;
    let mut scratch = vec![0xAA; LARGE];
    let file = packed();
    let image = wwd::unpack_in(&file, &mut scratch).unwrap().len();
    // SAFETY: all bytes of the allocation were initialized by `vec!`, and it was not replaced: it was large enough.
    #[expect(unsafe_code, reason = "the only way to see what was written behind the end of a vector")]
    unsafe {
        assert!(scratch.capacity() >= LARGE);
        scratch.set_len(LARGE);
    }
    let written = scratch[image..].iter().filter(|&&byte| byte != 0xAA).count();
    assert!(written <= 1, "{written} bytes behind the image: one tells a stream that is too long");
}

#[test]
fn a_limit_is_the_last_length_that_passes() {
    let file = packed();
    assert!(Unpacker::new().max_inflate(330).unpack(&file).is_ok());
    let kind = ErrorKind::Limit { of: Limit::Inflate, need: 330, limit: 329 };
    let error = Unpacker::new().max_inflate(329).unpack(&file).unwrap_err();
    assert_eq!(error, Error::new(kind, "inflated main block", 1524, OffsetBase::File));
    let error = Unpacker::new().max_inflate(329).unpack_lossy(&file, &mut |_| ()).unwrap_err();
    assert_eq!(error.kind, kind);
    // The limit also applies if the stream is longer than the header says.
    let file = [header(2, 10), zlib(&block())].concat();
    let error = Unpacker::new().max_inflate(329).unpack_lossy(&file, &mut |_| ()).unwrap_err();
    assert_eq!(error.kind, kind);
    assert_eq!(Unpacker::new().max_inflate(330).unpack_lossy(&file, &mut |_| ()).unwrap().len(), 1854);
}

#[test]
fn the_default_limit_depends_on_the_stored_block() {
    // The block of 341 bytes may inflate to 64 MiB, so the header's number is refused as more than a stream can hold.
    let file = [header(2, (64 << 20) + 1), zlib(&block())].concat();
    assert!(matches!(wwd::unpack(&file).unwrap_err().kind, ErrorKind::NotWithin { .. }));
    // 200,000 bytes may, by 400 to 1, inflate to 80,000,000; deflate itself could make 206 MB of them.
    for (announced, is_refused) in [(80_000_000, false), (80_000_001, true)] {
        let file = [header(2, announced), vec![0; 200_000]].concat();
        let need = u64::try_from(announced).unwrap();
        let kind = ErrorKind::Limit { of: Limit::Inflate, need, limit: 80_000_000 };
        for error in [wwd::unpack(&file).unwrap_err(), wwd::unpack_in(&file, &mut Vec::new()).unwrap_err()] {
            assert_eq!(error.kind == kind, is_refused, "{error}");
        }
        let lossy = Unpacker::new().unpack_lossy(&file, &mut |_| ());
        assert_eq!(lossy.is_err_and(|error| error.kind == kind), is_refused);
    }
    let limits = [0, 167_772, 167_773, 2_684_354, 2_684_355, usize::MAX].map(Unpacker::default_limit);
    assert_eq!(limits, [64 << 20, 64 << 20, 67_109_200, 1_073_741_600, 1 << 30, 1 << 30]);
}

/// Returns the error of `unpack`, and all findings of `unpack_lossy` with the length of its image.
fn both(file: &[u8]) -> (ErrorKind, u64, Vec<(ErrorKind, u64)>, usize) {
    let error = wwd::unpack(file).unwrap_err();
    assert_eq!(error.space(), OffsetBase::File);
    let mut findings = Vec::new();
    let mut report = |finding: wwd::Finding<'_>| {
        let FindingKind::Broken { kind } = finding.kind else { panic!("{finding}") };
        findings.push((kind, finding.at));
    };
    let len = Unpacker::new().unpack_lossy(file, &mut report).unwrap().len();
    (error.kind, error.at, findings, len)
}

#[test]
fn a_length_that_is_not_that_of_the_stream() {
    let with = |announced: usize| [header(2, announced), zlib(&block())].concat();
    let more = ErrorKind::TooLong { want: 329 };
    let other = |want| ErrorKind::Mismatch { want, found: 330 };
    assert_eq!(both(&with(331)), (other(331), 1524, vec![(other(331), 1524)], 1854));
    assert_eq!(both(&with(329)), (more, 1524, vec![(other(329), 1524)], 1854));
    let none = ErrorKind::NotWithin { found: 0, min: 1, max: 351_976 };
    assert_eq!(both(&with(0)), (none, 744, vec![(none, 744)], 1854));
    // 341 stored bytes can inflate to at most 341 * 1032 + 64.
    assert_eq!(both(&with(351_976)).0, other(351_976));
    let range = ErrorKind::NotWithin { found: 351_977, min: 1, max: 351_976 };
    assert_eq!(both(&with(351_977)), (range, 744, vec![(range, 744)], 1854));
}

#[test]
fn a_long_block_of_a_length_that_nobody_tells() {
    let long: Vec<u8> = (0..300_000_u32).map(|at| (at % 251) as u8).collect();
    let file = [header(2, 0), zlib(&long)].concat();
    let mut findings = 0;
    let image = Unpacker::new().unpack_lossy(&file, &mut |_| findings += 1).unwrap();
    assert!(image[1524..] == long[..], "all of it comes out, unchanged");
    assert_eq!((findings, image.len(), image.trailing()), (1, 301_524, &b""[..]));
    // A truncated stream yields all bytes it has. The sum and the head of the last block are cut off.
    let image = Unpacker::new().unpack_lossy(&file[..file.len() - 4 - 5 - 100_000], &mut |_| findings += 1).unwrap();
    assert!(image[1524..] == long[..200_000]);
    assert_eq!(findings, 3, "the length, and that it breaks off");
}

#[test]
fn a_trailer_that_would_begin_in_the_stream_is_none() {
    // A stored block contains its bytes unchanged, including the opening tag.
    let content = [&b"<wm_meta>"[..], &[7; 80]].concat();
    let mut file = [header(2, 89), zlib(&content)].concat();
    let opening = 1524 + 2 + 5;
    assert!(file[opening..].starts_with(b"<wm_meta>"));
    let total = u32::try_from(file.len() - opening + 4 + 10).unwrap();
    file.extend(total.to_le_bytes());
    file.extend(b"</wm_meta>");
    assert_eq!(Trailer::find(&file).unwrap().offset(), opening as u64);
    let image = wwd::unpack(&file).unwrap();
    assert!(image.trailer().is_none());
    assert_eq!((&image[1524..], image.trailing().len()), (&content[..], 14));
    // The header has no checksum: 0, which matches a rule of its own.
    let rules = |checksum: wwd::Checksum| checksum.rules().collect::<Vec<_>>();
    assert_eq!(rules(image.checksum()), [Rule::Zero]);
    assert_eq!(rules(wwd::checksum(&file).unwrap()), [Rule::Zero]);
}

#[test]
fn flags_that_the_block_contradicts() {
    let found = |file: &[u8]| {
        let mut findings = Vec::new();
        let image = Unpacker::new().unpack_lossy(file, &mut |finding| findings.push(finding)).unwrap();
        let whys: Vec<_> = findings
            .iter()
            .map(|finding| match finding.kind {
                FindingKind::Broken { kind: ErrorKind::Corrupt { why } } => (why, finding.at),
                _ => panic!("{finding}"),
            })
            .collect();
        (image.to_vec(), image.is_packed(), whys)
    };
    let plain = [header(0, 330), block()].concat();
    let says_packed = [header(2, 330), block()].concat();
    let packed = "expected a plain level, since the main block begins with a plane header, found the packed flag";
    assert_eq!(found(&says_packed), (plain.clone(), false, vec![(packed, 8)]));
    let says_plain = [header(0, 330), zlib(&block())].concat();
    let stored = "expected the packed flag, since the main block begins with a zlib stream, found a plain level";
    assert_eq!(found(&says_plain), (plain, true, vec![(stored, 8)]));
    // Without planes, or with planes elsewhere, the two bytes of zlib may be anything.
    for (at, word) in [(732, 0), (736, 1525), (1524, 0x79)] {
        let mut file = says_plain.clone();
        put(&mut file, at, word);
        assert_eq!(found(&file), (file.clone(), false, vec![]), "{at}");
    }
}

#[test]
fn an_outline_inflates_the_plane_headers_and_no_more() {
    let plain = [header(0, 330), block()].concat();
    // After the plane headers, the stream is damaged or missing.
    let mut damaged = packed();
    *damaged.last_mut().unwrap() ^= 1;
    let cut = &damaged[..1524 + 7 + 320];
    for file in [&plain[..], &packed(), &damaged, cut] {
        let mut scratch = vec![1, 2, 3];
        let outline = wwd::outline(file, &mut scratch).unwrap();
        assert_eq!(outline.game(), Some(Game::Claw));
        assert_eq!(outline.planes.iter().map(|plane| plane.tiles_wide.get()).collect::<Vec<_>>(), [3, 7]);
        assert_eq!(outline.tiles(), 6, "a plane of negative height has no tiles");
        assert_eq!(outline.objects(), 0x1_0000_0004);
    }
    // Plane headers further on: what precedes them is skipped.
    let moved = [vec![9; 20_000], block()].concat();
    let mut file = [header(2, 20_330), zlib(&moved)].concat();
    put(&mut file, 736, 21_524);
    let mut scratch = Vec::new();
    assert_eq!(wwd::outline(&file, &mut scratch).unwrap().tiles(), 6);
    assert_eq!(scratch.len(), 320, "only the headers are kept");
    // No planes: their offset may be anything.
    let mut none = header(2, 330);
    put(&mut none, 732, 0);
    put(&mut none, 736, 0xFFFF_FFFF);
    assert!(wwd::outline(&none, &mut scratch).unwrap().planes.is_empty());
}

#[test]
fn an_outline_says_what_is_not_there() {
    let mut scratch = Vec::new();
    let headers = |have| ErrorKind::TooMany { count: 2, unit: 160, have };
    let plain = [header(0, 330), block()].concat();
    let error = wwd::outline(&plain[..1524 + 319], &mut scratch).unwrap_err();
    assert_eq!(error, Error::new(headers(319), "plane headers", 1524, OffsetBase::File));
    // A stream that ends within the headers, and one that ends before them.
    let short = [header(2, 330), zlib(&block()[..319])].concat();
    let error = wwd::outline(&short, &mut scratch).unwrap_err();
    assert_eq!(error, Error::new(headers(319), "plane headers", 1524, OffsetBase::Image));
    let mut behind = packed();
    put(&mut behind, 736, 1524 + 400);
    let error = wwd::outline(&behind, &mut scratch).unwrap_err();
    assert_eq!(error, Error::new(headers(0), "plane headers", 1524 + 330, OffsetBase::Image));
    let cut = &packed()[..1524 + 7 + 319];
    let error = wwd::outline(cut, &mut scratch).unwrap_err();
    assert_eq!(
        (error.kind, error.at),
        (ErrorKind::Corrupt { why: "expected the end of the zlib stream, found the end of the data" }, 1524 + 326)
    );
    let mut inside = packed();
    put(&mut inside, 736, 1523);
    let error = wwd::outline(&inside, &mut scratch).unwrap_err();
    let why = "expected at least 1524 in a packed level, found plane headers inside the file header";
    assert_eq!(error, Error::new(ErrorKind::Corrupt { why }, "plane headers", 1523, OffsetBase::Image));
    assert!(Unpacker::new().max_inflate(320).outline(&packed(), &mut scratch).is_ok());
    let error = Unpacker::new().max_inflate(319).outline(&packed(), &mut scratch).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Limit { of: Limit::Inflate, need: 320, limit: 319 });
}

#[test]
fn a_packed_block_has_a_checksum_by_any_of_four_rules() {
    // Python's zlib.compress(b"\xa0\0\0\0" + b"a tile, " * 12, 9): 100 bytes in 22.
    let stream = [
        0x78, 0xDA, 0x5B, 0xC0, 0xC0, 0xC0, 0x90, 0xA8, 0x50, 0x92, 0x99, 0x93, 0xAA, 0xA3, 0x40, 0x2B, 0x1A, 0x00,
        0xED, 0x0F, 0x1E, 0x65,
    ];
    let file = |checksum: i32, behind: &[u8]| {
        let mut file = header(2, 100);
        put(&mut file, 732, 0);
        put(&mut file, 748, checksum.cast_unsigned());
        [&file, &stream[..], behind].concat()
    };
    // The sums of crates/wwd/FORMAT.md, Checksum, computed with Python. The editor's rule uses one inflated byte.
    let sums = [
        (2435, Some(Rule::Editor)),
        (2279, Some(Rule::WapMap)),
        (2570, Some(Rule::Libwap32)),
        (0, Some(Rule::Zero)),
        (2319, None),
    ];
    for (checksum, rule) in sums {
        for behind in [&b""[..], b"bytes behind"] {
            let file = file(checksum, behind);
            let found = wwd::checksum(&file).unwrap();
            assert_eq!(found.rules().collect::<Vec<_>>(), Vec::from_iter(rule), "{checksum}");
            assert_eq!(found.is_unexplained(), rule.is_none());
            assert_eq!(found.stored(), checksum.cast_unsigned());
            assert_eq!(found, wwd::unpack(&file).unwrap().checksum());
        }
    }
    assert_eq!(Rule::ALL.map(Rule::name), ["editor", "wapmap", "libwap32", "zero"]);
}
