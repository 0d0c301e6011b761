//! Descriptions of tables and archives, on hand-built bytes.

use crate::support::{Part, archive, put, words};
use crate::tree::tree;
use worldview_core::{OffsetBase, Source};
use worldview_wpd::{Archive, ArchiveDescription, Schemas, Table, TableOptions};

/// Returns the lines of one list of a tree, or those of its fields if `name` is empty.
fn part<'t>(tree: &'t [String], name: &str) -> Vec<&'t str> {
    let mut within = name.is_empty();
    let lines = tree.iter().filter(|line| {
        if !line.starts_with(' ') && line.ends_with(':') {
            within = line.strip_suffix(':') == Some(name);
            return false;
        }
        within
    });
    lines.map(|line| line.strip_prefix("  ").unwrap_or(line)).collect()
}

/// Returns a table of XIII-1 with one word of each type: two records, and their strings. The data begins at 208.
fn plain_table(rows: [&[u8]; 2]) -> Vec<u8> {
    archive(&[
        (b"!!string", b"", b"one\0two"),
        (b"!!typelist", b"", &words(&[0, 1, 2, 3])),
        (b"!!version", b"", &words(&[0xABCD])),
        (b"!what", b"x", b"?"),
        (b"a", b"", rows[0]),
        (b"b", b"", rows[1]),
    ])
}

#[test]
fn a_record_that_is_too_long_and_an_entry_with_more_than_a_name() {
    let row = words(&[0; 4]);
    let mut bytes = plain_table([&row, &[&row[..], b"\xEE\xFF"].concat()]);
    // The entry of the last record: bytes after the NULs of its name and extension.
    let entry = 16 + 5 * 32;
    bytes[entry + 3] = 9;
    bytes[entry + 24..entry + 27].copy_from_slice(b"e\0f");
    let table = TableOptions::new().table_lossy(Archive::parse(&bytes).unwrap(), &mut |_| {}).unwrap();
    let all = tree(&table);
    let last = &part(&all, "records")[6..];
    assert_eq!(
        (&last[..6], last[10]),
        (
            &[
                "1 b at 252+18",
                r#"  record "b" at 176+1"#,
                r#"  extension "e" reserved at 200+1"#,
                "  name_tail [00, 09] reserved at 178+2",
                "  extension_tail [66] reserved at 202+1",
                "  entry_size Uint(18) storage at 196+4",
            ][..],
            "  extra [ee, ff] at 268+2"
        )
    );
}

/// Returns a table of XIII-2: packed bits with an array element and four bits that belong to no field, and a 64-bit
/// field.
fn named_table(names: &[u8]) -> Vec<u8> {
    let row = |bits: u32| words(&[bits, 0x0123_4567, 0x89AB_CDEF]);
    archive(&[
        (b"!!sheetname", b"", b"sheet\0\0x"),
        (b"!!strArray", b"", &words(&[4 << 16, 9])),
        (b"!!strArrayInfo", b"", &[0, 0, 2, 16]),
        (b"!!strArrayList", b"", &words(&[0])),
        (b"!!string", b"", b"aaa\0bbb\0"),
        (b"!!strtypelistb", b"", &[0, 3]),
        (b"!structitem", b"", names),
        (b"row_a", b"", &row(0xF | 0x801 << 4 | 1 << 16 | 0xA << 24)),
        (b"row_b", b"", &row(7 << 16)),
    ])
}

#[test]
fn names_that_are_not_used_are_there() {
    // The second of two equal names.
    let bytes = named_table(b"i4Low\0u12High\0s8Text\0i4Low\0u64Id\0");
    let all = tree(&Table::parse(&bytes).unwrap());
    let fourth = ["3 word0_bit24 at 359+5", r#"  name "word0_bit24""#, r#"  stored_name "i4Low" at 359+5"#];
    assert_eq!(part(&all, "fields")[22..25], fourth);
    // The names need more words than there are, and the arrays are not needed then. The last name has no NUL.
    let bytes = named_table(b"sA\0xB");
    let all = tree(&Table::parse(&bytes).unwrap());
    assert_eq!(
        part(&all, "")[3..7],
        [
            r#"names Word("generated") derived"#,
            "schema Absent derived",
            r#"names_refused "embedded: name 1 does not begin with i, u, f or s" derived"#,
            r#"string_arrays_refused "there are 1 arrays, but 0 fields that need one" derived"#,
        ]
    );
    let names = ["0 at 338+3", r#"  name "sA" at 338+2"#, "1 at 341+2", r#"  name "xB" at 341+2"#];
    assert_eq!(part(&all, "refused_names"), names);
    // A word of packed bits with unknown layout.
    assert_eq!(part(&all, "records")[2], "  word0 Uint(167870495) hex at 343+4");
}

/// Returns the lines that begin with one of `starts`, without their indentation.
fn only<'t>(tree: &'t [String], starts: &[&str]) -> Vec<&'t str> {
    tree.iter()
        .map(|line| line.trim_start())
        .filter(|line| starts.iter().any(|start| line.starts_with(start)))
        .collect()
}

#[test]
fn an_archive_and_what_is_nested_in_it() {
    let table = archive(&[(b"!!typelist", b"", &words(&[3])), (b"row", b"", &words(&[5]))]);
    let deep = archive(&[(b"t", b"wdb", &table)]);
    let mut cut = archive(&[]);
    put(&mut cut, 4, 3);
    // The data begins at 144 and ends at 298: 136 bytes of the nested archive, 16, 1 and 1.
    let members: [Part<'_>; 4] =
        [(b"deep", b"bin", &deep), (b"cut", b"", &cut), (b"file", b"", b"1"), (b"gone", b"", b"2")];
    let mut bytes = archive(&members);
    put(&mut bytes, 8, 6);
    put(&mut bytes, 16 + 3 * 32 + 20, 2);
    bytes[..8].copy_from_slice(b"\0\x01overwr");
    let archive = Archive::recover(Source::new(&bytes, OffsetBase::File), &mut |_| {}).unwrap();
    let schemas = Schemas::parse("sheet mine\nfile t\nuPrice").unwrap();
    let description = ArchiveDescription::new(&archive).schemas(&schemas);
    let all = tree(&description);
    let header = [
        "overwritten_header [00, 01, 6f, 76, 65, 72, 77, 72] storage at 0+8",
        "reserved_08 Uint(6) hex reserved at 8+4",
        "reserved_0c Uint(0) hex reserved at 12+4",
    ];
    assert_eq!((&all[0][..], &part(&all, "")[1..]), ("member_count Uint(4) storage", &header[..]));
    let member = [r#"  name "deep" at 16+4"#, r#"  extension "bin" at 40+3"#, "  offset Uint(144) hex storage at 32+4"];
    assert_eq!(part(&all, "members")[1..4], member);
    let wanted = ["content", "archive:", "table:", "0 ", "schema", "uPrice", "broken", "bytes [31", "bytes [57"];
    let broken = "broken: entries at offset 296 (0x128) of the file: 3 elements of at least 32 bytes need 96 bytes, but none are available";
    let magic = "bytes [57, 50, 44, 00, 00, 00, 00, 03, 00, 00, 00, 00, 00, 00, 00, 00] at 280+16";
    let rest = [
        r#"content Word("broken archive") derived"#,
        broken,
        magic,
        r#"content Word("data") derived"#,
        "bytes [31] at 296+1",
        r#"content Word("missing") derived"#,
    ];
    let nested = [
        "0 deep.bin at 16+32",
        r#"content Word("archive") derived"#,
        "archive:",
        "0 at 144+48",
        "0 t.wdb at 160+32",
        r#"content Word("table") derived"#,
        "table:",
        "0 at 192+80",
        r#"schema "mine" derived"#,
        "0 !!typelist at 208+32",
        "0 uPrice",
        "0 row at 276+4",
        "uPrice Uint(5) at 276+4",
    ];
    assert_eq!(only(&all, &wanted), [&nested[..], &rest].concat());
    // Limited depth.
    let short = only(&tree(&description.max_depth(1)), &["broken", "table:"]).len();
    assert_eq!(short, 2);
    // Members only.
    let listed = tree(&description.max_depth(0));
    let kinds = ["archive", "broken archive", "data", "missing"].map(|kind| format!("content Word({kind:?}) derived"));
    assert_eq!(only(&listed, &["content", "broken", "table:", "archive:"]), kinds);
}
