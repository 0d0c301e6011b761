//! Descriptions of archives and pictures, on hand-built bytes.

use worldview_rez::{Bmp, Pid, Rez, RezDescription};

use crate::tree::{described, tree};
use crate::{directory, file, header, pid, words};

#[test]
fn an_archive_has_its_header_and_entries() {
    // A picture at 168, a directory with it, and the root with the directory and a file with a comment and keys.
    let picture = pid(0, 2, 1, &[5, 6]);
    let inner = file(168, picture.len(), b"001", *b"DIP\0");
    let inner_at = 168 + picture.len();
    let mut other = file(170, 3, b"NOTE", *b"TXT\0");
    // The number of keys, and in place of the last NUL a comment and a key.
    other[24] = 1;
    other.pop();
    other.extend(b"why\0");
    other.extend(words(&[7]));
    let root = [directory(inner_at, inner.len(), b"TILES"), other].concat();
    let bytes = [header(inner_at + inner.len(), root.len()), picture, inner, root].concat();
    let archive = Rez::parse(&bytes).unwrap();
    let all = tree(&archive);
    let entries: Vec<_> = all.iter().skip_while(|line| !line.starts_with("entries")).map(String::as_str).collect();
    assert_eq!(
        entries,
        [
            "entries:",
            "  0 TILES at 235+22",
            r#"    name "TILES" at 251+5"#,
            "    pos Uint(202) hex storage at 239+4",
            "    size Uint(33) storage at 243+4",
            "    time Uint(7) at 247+4",
            "    entries:",
            "      0 001.PID at 202+33",
            r#"        name "001" at 230+3"#,
            r#"        extension "PID" at 222+4"#,
            "        pos Uint(168) hex storage at 206+4",
            "        size Uint(34) storage at 210+4",
            "        time Uint(7) at 214+4",
            "        id Uint(10000000) at 218+4",
            "        picture:",
            "          0 at 168+34",
            r#"            kind Word("PID") derived"#,
            "            id Uint(10) at 168+4",
            "            flags Uint(0) at 172+4",
            "            width Int(2) at 176+4",
            "            height Int(1) at 180+4",
            "            offset_x Int(0) at 184+4",
            "            offset_y Int(0) at 188+4",
            "            key Uint(0) at 192+4",
            "            user_2 Uint(0) hex reserved at 196+4",
            "            pixels [05, 06] in rows of 2",
            "  1 NOTE.TXT at 257+41",
            r#"    name "NOTE" at 285+4"#,
            r#"    extension "TXT" at 277+4"#,
            "    pos Uint(170) hex storage at 261+4",
            "    size Uint(3) storage at 265+4",
            "    time Uint(7) at 269+4",
            "    id Uint(10000000) at 273+4",
            r#"    comment "why" at 290+3"#,
            "    keys [7] reserved at 294+4",
            "    bytes [00, 00, 00] at 170+3",
        ]
    );
    let listed = described(&RezDescription::new(&archive).opens_files(false), false);
    assert!(!listed.iter().any(|line| line.contains("picture")), "{listed:?}");
}

#[test]
fn a_picture_has_its_pixels_only_on_request() {
    let skips = pid(0x20, 2, 2, &[0x81, 1, 5, 0x82]);
    let picture = Pid::parse(&skips).unwrap();
    let short = described(&picture, false);
    assert_eq!(short[1..3], ["id Uint(10) at 0+4", "flags Uint(32) at 4+4"]);
    assert_eq!(
        tree(&picture)[short.len()..],
        ["pixels [00, 05, 00, 00] in rows of 2", "opacity [00, ff, 00, 00] in rows of 2"]
    );
    let bitmap =
        [&b"BM"[..], &words(&[0, 0, 58, 40, 2, 1, 8 << 16 | 1, 0, 0, 0, 0, 1, 0]), &[1, 2, 3, 0], &[0, 9, 0xFF, 0xFF]]
            .concat();
    let all = tree(&Bmp::parse(&bitmap).unwrap());
    assert_eq!(all[all.len() - 2..], ["palette [30201] at 54+4", "pixels [00, 09] in rows of 2"]);
}
