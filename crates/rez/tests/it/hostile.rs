use worldview_rez::{Error, ErrorKind, FindingKind, Limit, Pid, Rez};

use crate::{directory, file, header, pid, words};

fn at(error: &Error) -> (&'static str, u64) {
    (error.what, error.at)
}

#[test]
fn a_directory_that_contains_itself() {
    let size = 18;
    let bytes = [&header(168, size)[..], &directory(168, size, b"A")].concat();
    let error = Rez::parse(&bytes).unwrap_err();
    assert_eq!(at(&error), ("offset of a directory", 172));
    let mut findings = 0;
    let archive = Rez::parse_lossy(&bytes, &mut |_| findings += 1).unwrap();
    assert_eq!((archive.root().len(), archive.directory("A").map(|a| a.len()), findings), (1, Some(0), 1));
}

#[test]
fn directories_that_overlap_stop_at_a_limit() {
    // A directory begins at every entry of the root: half a billion bytes in all.
    let (count, root) = (8000, 168);
    let body: Vec<u8> = (0..count).flat_map(|i| directory(root + 17 * i, 17 * (count - i), b"")).collect();
    let bytes = [&header(root, body.len())[..], &body].concat();
    let error = Rez::parse(&bytes).unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Corrupt { .. }), "the first is the root: {error}");
    let mut limits = 0;
    let archive = Rez::parse_lossy(&bytes, &mut |finding| {
        limits += u32::from(matches!(
            finding.kind,
            FindingKind::Broken { kind: ErrorKind::Limit { of: Limit::Overlap, .. } }
        ));
    });
    assert!(archive.is_ok() && limits > 100, "{limits}");
}

#[test]
fn the_rest_of_a_directory_is_kept() {
    let good = file(168, 8, b"GOOD", *b"TXT\0");
    let outside = file(168, 9999, b"OUTSIDE", *b"TXT\0");
    let mut cut = file(168, 8, b"CUT", *b"TXT\0");
    cut.truncate(cut.len() - 2);
    let body = [&good[..], &outside, &good, &cut].concat();
    let bytes = [&header(176, body.len())[..], b"contents", &body].concat();
    let error = Rez::parse(&bytes).unwrap_err();
    assert_eq!(at(&error), ("data of entry", 168));
    let mut findings = Vec::new();
    let archive = Rez::parse_lossy(&bytes, &mut |finding| findings.push(finding.to_string())).unwrap();
    let files: Vec<_> = archive.files().map(|file| (file.data().len(), file.is_missing())).collect();
    assert_eq!((files, findings.len()), (vec![(8, false), (0, true), (8, false)], 2));
}

#[test]
fn sizes_that_no_file_has_are_refused_before_memory_is_asked_for() {
    for (width, height, part) in [
        (0, 4, "width of a PID picture"),
        (4, 0, "height of a PID picture"),
        (0x8000_0000, 4, "width of a PID picture"),
        (4, 0xFFFF_FFFF, "height of a PID picture"),
        (0x7FFF_FFFF, 0x7FFF_FFFF, "pixels of a PID picture (width by height)"),
        (8193, 8192, "pixels of a PID picture (width by height)"),
        (128, 1, "pixels of a PID picture"),
    ] {
        assert_eq!(Pid::parse(&pid(0x20, width, height, &[0xFF])).map_err(|error| error.what).err(), Some(part));
    }
    // The stream may be as small as the longest runs allow.
    assert!(Pid::parse(&pid(0x20, 127, 1, &[0xFF])).is_ok());
    let largest = pid(0x20, 8192, 8192, &vec![0xFF; (1 << 26) / 127 + 1]);
    assert_eq!(Pid::parse(&largest).map(|picture| picture.decoded().pixels).ok(), Some(1 << 26));
}

#[test]
fn a_short_file_of_another_kind_is_told_by_its_signature() {
    assert!(!Rez::sniff(b"WPD\0") && Rez::sniff(&header(168, 0)));
    assert_eq!(at(&Rez::parse(b"WPD\0").unwrap_err()), ("signature of a REZ archive", 0));
    let mut other = header(168, 0);
    other[127..131].copy_from_slice(&words(&[2]));
    assert_eq!(at(&Rez::parse(&other).unwrap_err()), ("version of a REZ archive", 127));
}
