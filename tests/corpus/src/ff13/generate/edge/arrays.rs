//! String arrays.

use super::{Cases, int, text};
use crate::ff13::spec::{ArraysSpec, Generation, PoolSpec, TableSpec};

fn two() -> TableSpec {
    let spec = TableSpec::new(Generation::G3, &["sFull", "s4A", "u3B", "s2C"]);
    let spec = spec.row("a", [text("lamp_oil"), text("oil"), int(1), text("")]);
    let spec = spec.row("b", [text(""), text("lamp"), int(2), text("\u{795e}\u{8a71}")]);
    spec.row("c", [text("x"), text("lamp_oil"), int(7), text("oil")])
}

pub(super) fn arrays(cases: &mut Cases) {
    cases.table("arrays of strings", &two());
    let forced = |per_word, bits| {
        let arrays = ArraysSpec { per_word: Some(per_word), bits: Some(bits), ..ArraysSpec::default() };
        TableSpec { arrays, ..two() }
    };
    for (per_word, bits) in
        [(1, 32), (1, 5), (2, 15), (2, 16), (3, 9), (3, 10), (4, 8), (5, 6), (32, 1), (16, 2), (31, 1), (1, 31)]
    {
        cases.table(&format!("arrays of {per_word} offsets of {bits} bits"), &forced(per_word, bits));
    }
    for (per_word, bits) in
        [(0, 9), (3, 0), (0, 0), (1, 33), (3, 11), (2, 17), (33, 1), (255, 255), (32, 2), (128, 2), (16, 16), (1, 255)]
    {
        let info = [0, 0, per_word, bits];
        cases.table(
            &format!("refused arrays of {per_word} offsets of {bits} bits"),
            &two().section("!!strArrayInfo", Some(&info)),
        );
    }
    cases.table("array info with other words", &two().section("!!strArrayInfo", Some(&[1, 2, 3, 5, 9])));
    for section in ["!!strArray", "!!strArrayInfo", "!!strArrayList", "!!string"] {
        cases.table(&format!("arrays without {section}"), &two().section(section, None));
        cases.table(&format!("arrays with an empty {section}"), &two().section(section, Some(b"")));
        cases.table(&format!("arrays with 3 bytes of {section}"), &two().section(section, Some(&[0, 0, 0])));
        cases.table(&format!("arrays with a second {section}"), &two().other(section, &[0, 0, 1, 1, 9, 9, 9, 9]));
    }
    for (name, list) in [
        ("a list of one array too few", &[0][..]),
        ("a list of one array too many", &[0, 4, 8]),
        ("a list that falls", &[4, 0]),
        ("a list of equal offsets", &[0, 0]),
        ("a list of odd offsets", &[1, 6]),
        ("a list that ends at the end", &[0, 8]),
        ("a list that goes behind the end", &[0, 9]),
        ("a list far behind the end", &[0x8000_0000, u32::MAX]),
        ("a list whose first is behind its second", &[u32::MAX, 0]),
    ] {
        cases.table(name, &two().words("!!strArrayList", list));
    }
    cases.table("array with 2 bytes too many", &two().section("!!strArray", Some(&[0, 0, 0, 1, 0, 0, 0, 2, 3, 3])));
    cases.table("offsets of an array behind the pool", &two().words("!!strArray", &[u32::MAX, u32::MAX]));
    let indices = TableSpec::new(Generation::G3, &["s8A", "s4B"]).words("!!strArray", &[0x0001_0003, 0x0002_0000]);
    let indices = indices.words("!!strArrayList", &[0, 4]).section("!!strArrayInfo", Some(&[0, 0, 2, 16]));
    let mut indices = indices.section("!!string", Some(b"abc\0"));
    for i in 0..4 {
        indices = indices.row(&format!("row{i}"), [int(i), int(3 - i)]);
    }
    cases.table("indices behind their arrays", &indices.row("row9", [int(255), int(15)]));
    cases.table(
        "arrays in a table without such fields",
        &TableSpec {
            fields: ["sFull", "uA", "uB", "uC"].map(String::from).to_vec(),
            ..TableSpec::new(Generation::G3, &[])
        }
        .words("!!strArrayList", &[])
        .words("!!strArray", &[1, 2])
        .section("!!strArrayInfo", Some(&[0, 0, 1, 8])),
    );
    let names: Vec<String> = (0..40).map(|n| format!("s{}Link{n}", n % 32 + 1)).collect();
    let many: Vec<_> = names.iter().map(String::as_str).collect();
    let row = |step: usize| many.iter().enumerate().map(move |(n, _)| text(["", "one", "two"][(n / 7 + step) % 2]));
    let pool = PoolSpec { empties: 2, ..PoolSpec::default() };
    let table = TableSpec { pool, ..TableSpec::new(Generation::G3Prime, &many) };
    cases.table("forty arrays of all widths", &table.row("a", row(0)).row("b", row(1)));
    let large = PoolSpec { first: vec![vec![b'p'; 70_000]], share_tails: false, ..PoolSpec::default() };
    cases.table("arrays into a large pool", &TableSpec { pool: large, ..two() });
}
