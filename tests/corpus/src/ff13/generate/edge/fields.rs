//! Field names, widths, and tables without names.

use super::{Cases, base, int};
use crate::ff13::build::build_table;
use crate::ff13::spec::{CellSpec, Generation, TableSpec};

fn g3(fields: &[&str]) -> TableSpec {
    TableSpec::new(Generation::G3, fields).row("first", (0..8).map(|n| int(!n))).row("second", (1..9).map(int))
}

pub(super) fn names(cases: &mut Cases) {
    let list = |names: &[u8]| base(Generation::G3).section("!structitem", Some(names));
    let cases_of_lists: [(&str, &[u8]); 10] = [
        ("last name without a NUL", b"iA\0fB\0sC\0uD\0i5E\0u12F\0f16G\0u7H"),
        ("empty name among the names", b"iA\0fB\0sC\0\0uD\0i5E\0u12F\0f16G\0u7H\0"),
        ("empty name at the end", b"iA\0fB\0sC\0uD\0i5E\0u12F\0f16G\0u7H\0\0"),
        ("name of an unknown kind", b"xA\0fB\0sC\0uD\0i5E\0u12F\0f16G\0u7H\0"),
        ("packed name of an unknown kind", b"iA\0fB\0sC\0uD\0i5E\0u12F\0f16G\0x7H\0"),
        ("name of a capital kind", b"iA\0FB\0sC\0uD\0i5E\0u12F\0f16G\0u7H\0"),
        ("a name too few", b"iA\0fB\0sC\0uD\0i5E\0u12F\0"),
        ("a name too few in a packed word", b"iA\0fB\0sC\0uD\0i5E\0u12F\0f16G\0"),
        ("a word too few", b"iA\0fB\0sC\0uD\0i5E\0u12F\0f16G\0u7H\0iI\0"),
        ("duplicate names of fields", b"iA\0fB\0iA\0iA\0i5A\0u12F\0u12F\0i5A\0"),
    ];
    for (name, names) in cases_of_lists {
        cases.table(name, &list(names));
    }
    cases.table("names that are no UTF-8", &list(b"i\xFF\0f\x80\0s\xE3\0u \0i5\xFE\0u12\x01\0f16\"\0u7,\0"));
    cases.table("kinds that are not those of the words", &list(b"sA\0iB\0fC\0iD\0i5E\0u12F\0f16G\0u7H\0"));
    cases.table("more kinds that are not those of the words", &list(b"uA\0uB\0uC\0fD\0i5E\0u12F\0f16G\0u7H\0"));
    cases.table(
        "floats and strings in words of numbers",
        &g3(&["fA", "sB", "uC", "iD"]).section("!!strtypelistb", Some(&[0; 4])),
    );
    cases.table(
        "words of unknown types",
        &g3(&["iA", "uB", "sC", "fD"]).section("!!strtypelistb", Some(&[4, 9, 200, 255])),
    );
    let unknown = TableSpec { generation: Generation::G2, ..g3(&["iA", "uB", "sC", "fD"]) };
    cases.table("words of large unknown types", &unknown.words("!!strtypelist", &[4, 0x0100_0000, 256, u32::MAX]));
    cases.table("packed fields in a word of type 3", &g3(&["u4A", "u28B"]).section("!!strtypelistb", Some(&[3])));
    cases.table(
        "two packed words, the second of type 1",
        &g3(&["u4A", "u29B"]).section("!!strtypelistb", Some(&[0, 1])),
    );
    let many = |count: usize| {
        let names: Vec<u8> = (0..count).flat_map(|_| *b"u1\0").collect();
        let types = vec![0; count.div_ceil(32)];
        let table = TableSpec::new(Generation::G3, &[]).section("!structitem", Some(&names));
        table.section("!!strtypelistb", Some(&types)).raw_row("row", &vec![0x5A; 4 * types.len()])
    };
    cases.table("65,536 names", &many(65_536));
    cases.table("65,537 names", &many(65_537));
}

pub(super) fn widths(cases: &mut Cases) {
    for letter in ["i", "u", "f", "s"] {
        for width in 1..=32 {
            // A single field of that width, and two that share words under the greedy packing rule.
            let fields = [format!("{letter}{width}A"), format!("{letter}{width}B"), format!("u{}C", 33 - width)];
            cases.table(&format!("{letter} of width {width}"), &g3(&fields.each_ref().map(String::as_str)));
        }
    }
    for width in 33..=99 {
        cases.table(&format!("u of width {width}"), &g3(&["iA", &format!("u{width}B")]));
    }
    for name in ["i33A", "i64A", "f64A", "s64A", "s99A"] {
        cases.table(&format!("field {name}"), &g3(&["iZ", name]));
    }
    for name in ["i0A", "u0x", "i00", "i05x", "u1", "u12", "i", "u", "u128A", "u9\u{ff12}", "i1 5", "f032", "s0"] {
        cases.table(&format!("field {name}"), &g3(&["iZ", name]));
    }
    cases.table("full word behind a word that is not full", &g3(&["u4A", "iB", "u4C", "fD", "u4E", "sF"]));
    cases.table("full word of type 0 named u", &g3(&["uA"]).section("!!strtypelistb", Some(&[0])));
    cases.table("fields that would straddle", &g3(&["u20A", "u20B", "u12C", "u1D", "u31E", "u32F"]));
    cases.table("thirty-two bits", &g3(&["u1A"; 32]));
    cases.table("unused bits that are set", &g3(&["u3A", "i5B"]).raw_row("third", &[0xFF; 4]));
}

/// Adds tables with a `u64` field in each position, for both record sizes.
pub(super) fn long(cases: &mut Cases) {
    let of = |fields: &[&str], size: usize| TableSpec::new(Generation::G3, fields).raw_row("row", &vec![0xA5; size]);
    cases.table("u64 last, record of two words", &of(&["sA", "uB", "u64C"], 16));
    cases.table("u64 last, record of one word", &of(&["sA", "uB", "u64C"], 12));
    cases.table("u64 last, no record", &TableSpec::new(Generation::G3, &["sA", "u64C"]));
    cases.table("u64 alone", &of(&["u64"], 8));
    cases.table("u641 is a u64", &of(&["iA", "u641"], 12));
    cases.table("u64 first", &of(&["u64C", "uB"], 12));
    cases.table("u64 first, record of words", &of(&["u64C", "uB"], 8));
    cases.table("two u64", &of(&["u64A", "u64B"], 16));
    cases.table("u64 behind packed fields", &of(&["u4A", "u64B"], 12));
    cases.table("u64 on a word of type 0", &of(&["iA", "u64B"], 12).section("!!strtypelistb", Some(&[0, 0])));
    cases.table("u64 on a word of type 2", &of(&["iA", "u64B"], 12).section("!!strtypelistb", Some(&[0, 2])));
    cases.table("u64, second record too short", &of(&["iA", "u64B"], 12).raw_row("second", &[0; 8]));
    cases.table("u64, second record longer", &of(&["iA", "u64B"], 8).raw_row("second", &[0; 12]));
    cases.table("u32 last, record of a word more", &of(&["iA", "uB"], 12));
}

pub(super) fn without_names(cases: &mut Cases) {
    let of = |types: &[u32], kinds: &[u32], size: usize| {
        let spec = TableSpec::new(Generation::G2, &[]).words("!!strtypelist", types).words("!!typelist", kinds);
        spec.raw_row("row", &(0..size).map(|n| 0xF0 | n.to_le_bytes()[0]).collect::<Vec<_>>())
    };
    cases.table("type lists that are equal", &of(&[0, 1, 2, 3], &[0, 1, 2, 3], 16));
    cases.table("type lists of other order", &of(&[0, 0, 1], &[0, 1, 0], 12));
    cases.table("type lists of equal length, one packed", &of(&[0, 1], &[3, 1], 8));
    cases.table("longer list of kinds", &of(&[0, 1], &[0, 1, 3], 8));
    cases.table("type 3 last, record of a word more", &of(&[2, 3, 3], &[2, 3, 3], 16));
    cases.table("type 0 last, record of a word more", &of(&[2, 3, 0], &[2, 3, 0], 16));
    cases.table("type 3 last, record of a word less", &of(&[2, 3, 3], &[2, 3, 3], 8));
    cases.table("kinds that are no kinds", &of(&[0, 1], &[9, u32::MAX], 8));
    let one = TableSpec::new(Generation::G1, &["iA", "uB"]).raw_row("row", &[0xFF; 12]);
    cases.table("G1 with a u64", &one);
    cases.table("G0 with a u64", &TableSpec { generation: Generation::G0, ..one });
}

pub(super) fn schemas() -> Vec<(String, Vec<u8>, Vec<String>)> {
    let mut out = Vec::new();
    let mut add = |name: &str, spec: &TableSpec, schema: &str| {
        out.push((name.into(), build_table(spec).bytes, schema.split_whitespace().map(String::from).collect()));
    };
    let (four, fewer) = ("iOne fTwo sThree uFour", "iOne fTwo sThree uFour i5Five u12Six f16Seven");
    let own = &*format!("{fewer} u7Eight");
    let g2 = base(Generation::G2);
    add("schema that fits", &g2, own);
    add("schema of no names", &g2, "");
    add("schema of another letter", &g2, "uOne fTwo sThree uFour i5Five u12Six f16Seven u7Eight");
    add("schema of another packed letter", &g2, "iOne fTwo sThree uFour u5Five u12Six f16Seven u7Eight");
    add("schema of packed letters in another order", &g2, "iOne fTwo sThree uFour u5A i12B u16C f7D");
    add("schema of other widths", &g2, "iOne fTwo sThree uFour i1A u1B f31C u31D");
    add("schema with a field too many", &g2, &format!("{own} u1Nine"));
    add("schema with a field too few", &g2, fewer);
    add("schema with an unknown letter", &g2, &format!("{fewer} x7Eight"));
    add("schema with duplicate names", &g2, "iOne fTwo sThree uFour i5Five u12Six f16Seven u12Six");
    let twice = ["i5A", "u12B", "u12B", "i5A", "i5A"];
    add(
        "schema with names that are there twice",
        &TableSpec::new(Generation::G2, &twice).row("a", [int(-3), int(5), int(6), int(-2), int(4)]),
        "i5A u12B u12B i5A i5A",
    );
    add(
        "schema without a list of kinds",
        &g2.clone().section("!!typelist", None),
        "iOne fTwo sThree uFour u5A u12B s16C s7D",
    );
    add("schema and unknown kinds", &g2.clone().words("!!typelist", &[0, 1, 2, 3, 0, 3, 1, 3, 7]), own);
    add("schema and a type that no letter has", &g2.clone().words("!!strtypelist", &[0, 1, 2, 7, 0, 0]), own);
    add("schema and names in the file", &base(Generation::G3), "iZ fTwo sThree uFour i5Five u12Six f16Seven u7Eight");
    add("schema and broken names in the file", &base(Generation::G3).section("!structitem", Some(b"zA\0")), own);
    add("schema of a table without records", &TableSpec { rows: Vec::new(), ..g2 }, own);
    for generation in [Generation::G0, Generation::G1] {
        let table = base(generation);
        add(&format!("schema of {generation:?}"), &table, four);
        add(&format!("schema of {generation:?} with other letters"), &table, "uOne fTwo sThree uFour");
        add(&format!("schema of {generation:?} with a packed field"), &table, "i32One fTwo sThree uFour");
    }
    let movie = |bytes: &[u8]| TableSpec::new(Generation::G2, &["sZone", "uSize", "u64Start"]).raw_row("row", bytes);
    add("schema with a u64", &movie(&[1; 16]), "sZone uSize u64Start");
    add("schema with a u64 and short records", &movie(&[1; 12]), "sZone uSize u64Start");
    add("schema without the u64", &movie(&[1; 16]), "sZone uSize uStart");
    let no_record = TableSpec::new(Generation::G2, &["sZone", "uSize", "u64Start"]);
    add("schema with a u64 and no records", &no_record, "sZone uSize u64Start");
    let arrays = TableSpec::new(Generation::G2, &["s4A", "u4B", "s8C"]);
    let row = [CellSpec::from("one"), int(3), CellSpec::from("two")];
    add("schema with arrays of strings", &arrays.clone().row("a", row.clone()), "s4A u4B s8C");
    add("schema with arrays of strings for other fields", &arrays.row("a", row), "s4A s4B u8C");
    out
}
