//! Sections, records and strings.

use super::{Cases, base, int, text};
use crate::ff13::spec::{Generation, MemberSpec, PoolSpec, TableSpec};

const ALL: [Generation; 5] = [Generation::G0, Generation::G1, Generation::G2, Generation::G3, Generation::G3Prime];

pub(super) fn sections(cases: &mut Cases) {
    for generation in ALL {
        let spec = base(generation);
        cases.table(&format!("{generation:?}"), &spec);
        cases.table(&format!("{generation:?} without records"), &TableSpec { rows: Vec::new(), ..spec.clone() });
        for section in [
            "__string",
            "__typelist",
            "!!string",
            "!!typelist",
            "!!strtypelist",
            "!!strtypelistb",
            "!!version",
            "!structitem",
            "!structitemnum",
        ] {
            let left_out = spec.clone().section(section, None);
            // For a generation without this section, the file would be the same as the one above.
            let named = format!("{generation:?}");
            if has(generation, section) {
                cases.table(&format!("{named} without {section}"), &left_out);
                cases.table(&format!("{named} with an empty {section}"), &spec.clone().section(section, Some(b"")));
                cases.table(
                    &format!("{named} with 3 bytes of {section}"),
                    &spec.clone().section(section, Some(b"\0\0\0")),
                );
                cases.table(&format!("{named} with a second {section}"), &spec.clone().other(section, b"\0\0\0\x01"));
            }
        }
    }
    let g2 = || base(Generation::G2);
    let g3 = || base(Generation::G3);
    cases.table("sheet name", &TableSpec { sheet_name: Some(b"MonsterBook".to_vec()), ..g3() });
    cases.table("sheet name without a NUL", &g3().section("!!sheetname", Some(b"Sheet")));
    cases.table("sheet name with bytes behind its NUL", &g3().section("!!sheetname", Some(b"Sheet\0dirt")));
    cases.table("empty sheet name", &g3().section("!!sheetname", Some(b"")));
    cases.table("version of 5 bytes", &g2().section("!!version", Some(b"\x01\x02\x03\x04\x05")));
    cases.table("version of 3 bytes", &g2().section("!!version", Some(b"\x01\x02\x03")));
    cases.table("number of fields that is not theirs", &g3().words("!structitemnum", &[99]));
    cases.table("unknown sections", &g3().other("!new", b"odd").other("!", b"").other("!!zzz", b"1"));
    let types = [0, 1, 2, 3, 0, 0];
    cases.table("G3 with the type lists of G2", &g3().words("!!strtypelist", &types).words("!!typelist", &types));
    cases.table("G3 with a broken type list of G2", &g3().section("!!strtypelist", Some(b"odd")));
    cases.table("G3 with a type list of 5 bytes", &g3().section("!!typelist", Some(b"\0\0\0\0\0")));
    cases.table(
        "G2 with names in the file",
        &g2().section("!structitem", Some(b"iA\0fB\0sC\0uD\0i5E\0u12F\0f16G\0u7H\0")),
    );
    cases.table("G1 with names in the file", &base(Generation::G1).section("!structitem", Some(b"iA\0fB\0sC\0uD\0")));
    cases.table("G1 with a record that begins with __", &with_row(base(Generation::G1), "__row", &[1, 0, 0, 9]));
    cases.table("G0 with another __ section", &base(Generation::G0).other("__version", b"\0\0\0\x07"));
    cases.table("G0 with a ! section", &base(Generation::G0).other("!!version", b"\0\0\0\x07"));
    cases.table("__typelist of a newer table is a record", &g2().other("__typelist", &[0; 24]));
    cases.table("type list of 65,536 words", &big_types(65_536));
    cases.table("type list of 65,537 words", &big_types(65_537));
    let mut interleaved = g3();
    (interleaved.keep_order, interleaved.sections) =
        (true, g3().section("!structitem", None).section("!!string", None).sections);
    cases.table(
        "sections behind the records",
        &interleaved.other("!structitem", b"iA\0fB\0sC\0uD\0i5E\0u12F\0f16G\0u7H\0").other("!!string", b"lamp_oil\0"),
    );
    cases.table("not a table", &g2().section("!!strtypelist", None).section("!!typelist", None));
    cases.table("table aligned to 128", &TableSpec { align: 128, ..g3() });
    cases.table(
        "table without alignment",
        &TableSpec { align: 1, sheet_name: Some(b"Sheet".to_vec()), sheet_slot: 1, ..g3() },
    );
    cases.table("table with reserved words", &TableSpec { reserved: [9; 8], ..g3() });
    cases.table(
        "table with an extension",
        &TableSpec { others: vec![MemberSpec { extension: b"ext".to_vec(), ..MemberSpec::new("!odd", "") }], ..g3() },
    );
}

fn has(generation: Generation, section: &str) -> bool {
    let sections: &[&str] = match generation {
        Generation::G0 => &["__string", "__typelist"],
        Generation::G1 => &["!!string", "!!typelist", "!!version"],
        Generation::G2 => &["!!string", "!!strtypelist", "!!typelist", "!!version"],
        Generation::G3 => &["!!string", "!!strtypelistb", "!!version", "!structitem", "!structitemnum"],
        Generation::G3Prime => {
            &["!!string", "!!strtypelist", "!!typelist", "!!version", "!structitem", "!structitemnum"]
        }
    };
    sections.contains(&section)
}

fn with_row(spec: TableSpec, name: &str, words: &[u32]) -> TableSpec {
    let data: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
    spec.raw_row(name, &data)
}

fn big_types(count: usize) -> TableSpec {
    let types = vec![0; count];
    TableSpec::new(Generation::G3, &["iOne"])
        .section("!!strtypelistb", Some(&types))
        .raw_row("row", &vec![0; 4 * count])
}

pub(super) fn records(cases: &mut Cases) {
    let g2 = || base(Generation::G2);
    cases.table("record that is too short", &g2().raw_row("short", &[0; 20]));
    cases.table("record that is too long", &g2().raw_row("wide", &[0; 28]));
    cases.table("first record that is too long", &g2().raw_row("_first", &[0; 28]));
    cases.table("empty record", &g2().raw_row("empty", &[]));
    cases.table("records of no words", &TableSpec::new(Generation::G2, &[]).raw_row("a", &[]).raw_row("b", &[]));
    cases.table("records of no words that are not empty", &TableSpec::new(Generation::G2, &[]).raw_row("a", &[0; 4]));
    cases.table("table of no words and no records", &TableSpec::new(Generation::G3, &[]));
    cases.table("duplicate rows", &with_row(g2(), "a_row", &[1, 2, 0, 4, 5, 6]));
    cases.table("row without a name", &with_row(g2(), "", &[1, 2, 0, 4, 5, 6]));
    cases.table("row of 16 bytes of name", &with_row(g2(), "sixteen_bytes_16", &[1, 2, 0, 4, 5, 6]));
    cases.table("row with bytes behind its NUL", &with_row(g2(), "row\0dirt", &[1, 2, 0, 4, 5, 6]));
    cases.table("row that ends with a space", &with_row(g2(), "auto_p_hast ", &[1, 2, 0, 4, 5, 6]));
    cases.table("row that begins with @", &with_row(g2(), "@row", &[1, 2, 0, 4, 5, 6]));
    let mut unsorted = TableSpec { keep_order: true, ..g2() };
    unsorted.rows.reverse();
    cases.table("rows in no order", &unsorted);
    let places = [("record a_row offset", 16), ("record b_row offset", 17), ("record c_row offset", 17)];
    cases.patched("records over the table, not aligned", &g2(), &places);
    cases.patched("strings over the table", &g2(), &[("section !!string offset", 0), ("section !!string size", 200)]);
    cases.patched("type list that is the records", &g2(), &[("section !!typelist offset", 16)]);
}

pub(super) fn strings(cases: &mut Cases) {
    let of = |pool: PoolSpec| TableSpec { pool, ..base(Generation::G2) };
    let spec = PoolSpec::default();
    cases.table("pool with a NUL first", &of(PoolSpec { leading_nul: true, ..spec.clone() }));
    cases.table("pool without shared tails", &of(PoolSpec { share_tails: false, ..spec.clone() }));
    cases.table("pool with an open end", &of(PoolSpec { open_end: true, first: vec![b"x".to_vec()], ..spec.clone() }));
    cases.table(
        "pool with strings that nobody uses",
        &of(PoolSpec { first: vec![b"unused".to_vec(), vec![], b"lamp".to_vec()], ..spec.clone() }),
    );
    cases.table(
        "empty strings in several places",
        &of(PoolSpec { empties: 3, ..spec }).row("d_row", [int(0), int(0), text("")]),
    );
    let offsets = |offsets: &[i64]| {
        let mut spec =
            TableSpec::new(Generation::G2, &["sText"]).section("!!string", Some("ab\0\u{795e}\0c".as_bytes()));
        for (i, &offset) in offsets.iter().enumerate() {
            spec = spec.row(&format!("row{i}"), [int(offset)]);
        }
        spec
    };
    cases.table("offsets inside strings, at NULs and at the end", &offsets(&[0, 1, 2, 3, 4, 5, 6, 7]));
    cases.table("offsets behind the pool", &offsets(&[8, 9, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF]));
    cases.table("strings that are no UTF-8", &offsets(&[0, 1]).section("!!string", Some(b"\x83\x65\xFF\0")));
    cases.table("strings with control codes", &offsets(&[0, 2]).section("!!string", Some(b"\x01\n\t\"\\\x7F\0")));
    cases.table("strings without a pool", &offsets(&[0, 1]).section("!!string", None));
}
