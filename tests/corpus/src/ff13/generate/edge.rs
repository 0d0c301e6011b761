//! Edge cases among archives and tables, one for each rule that a reader could get wrong, including files that must be
//! rejected.

use crate::ff13::build::{build_archive, build_table};
use crate::ff13::spec::{ArchiveSpec, CellSpec, Generation, TableSpec};

mod archives;
mod arrays;
mod fields;
mod tables;

/// Returns the name and bytes of each edge case.
pub fn edge_cases() -> Vec<(String, Vec<u8>)> {
    let mut cases = Cases::default();
    archives::archives(&mut cases);
    tables::sections(&mut cases);
    tables::records(&mut cases);
    tables::strings(&mut cases);
    fields::names(&mut cases);
    fields::widths(&mut cases);
    fields::long(&mut cases);
    fields::without_names(&mut cases);
    arrays::arrays(&mut cases);
    cases.files
}

/// Name and bytes of tables that were damaged while they were extracted, and that can be recovered.
pub fn overwritten_cases() -> Vec<(String, Vec<u8>)> {
    archives::overwritten()
}

/// Returns tables without embedded names, each with a name and a schema that a caller could pass, valid or not.
pub fn schema_cases() -> Vec<(String, Vec<u8>, Vec<String>)> {
    fields::schemas()
}

/// The files built so far.
#[derive(Default)]
struct Cases {
    files: Vec<(String, Vec<u8>)>,
}

impl Cases {
    fn bytes(&mut self, name: &str, bytes: Vec<u8>) {
        self.files.push((name.into(), bytes));
    }

    fn archive(&mut self, name: &str, spec: &ArchiveSpec) {
        self.bytes(name, build_archive(spec).bytes);
    }

    fn table(&mut self, name: &str, spec: &TableSpec) {
        self.bytes(name, build_table(spec).bytes);
    }

    /// Builds a table and overwrites some of its labeled words.
    fn patched(&mut self, name: &str, spec: &TableSpec, patches: &[(&str, u32)]) {
        let mut built = build_table(spec);
        built.words_be(patches);
        self.bytes(name, built.bytes);
    }
}

fn int(value: i64) -> CellSpec {
    CellSpec::Int(value)
}

fn text(value: &str) -> CellSpec {
    CellSpec::from(value)
}

/// Returns a table with a field of each kind and three records.
fn base(generation: Generation) -> TableSpec {
    let fields = match generation {
        Generation::G0 | Generation::G1 => &["iOne", "fTwo", "sThree", "uFour"][..],
        _ => &["iOne", "fTwo", "sThree", "uFour", "i5Five", "u12Six", "f16Seven", "u7Eight"],
    };
    let row = |n: i64, word: &str| {
        [int(-n), CellSpec::from(0.5_f32), text(word), int(n), int(-n), int(n), int(-n), int(n)]
            .into_iter()
            .take(fields.len())
    };
    TableSpec::new(generation, fields)
        .row("a_row", row(1, "lamp_oil"))
        .row("b_row", row(2, ""))
        .row("c_row", row(3, "oil"))
}
