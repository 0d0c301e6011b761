//! Tables of the known sheets with random values.

use worldview_corpus::ff13::build::build_table;
use worldview_corpus::ff13::generate::TEXTS;
use worldview_corpus::ff13::spec::{CellSpec, Generation, RowSpec, TableSpec};
use worldview_corpus::rng::Rng;
use worldview_wpd::Schema;

/// Returns a value for a field, with an even chance of being a limit of its range.
fn cell(rng: &mut Rng, name: &str) -> CellSpec {
    let random = rng.next_u64();
    match name.as_bytes() {
        [b's', ..] => CellSpec::from(*rng.pick(&TEXTS).unwrap()),
        [b'f', second, ..] if !second.is_ascii_digit() => {
            let odd = [0, 0x8000_0000, 1, 0x7F7F_FFFF, 0x7F80_0000, 0xFF80_0000, 0x7FC0_0000, 0x7FA0_0001, 0x3DCC_CCCD];
            CellSpec::Float(if rng.one_in(3) { *rng.pick(&odd).unwrap() } else { rng.below(0x7F80_0000) })
        }
        // The builder keeps the bits that fit.
        _ => CellSpec::Int(
            *rng.pick(&[0, 1, -1, i64::MIN, i64::MAX, random.cast_signed(), !random.cast_signed()]).unwrap(),
        ),
    }
}

/// Returns a table of a sheet with random values, and zeros in unused bits.
pub fn random_table(sheet: &Schema, rng: &mut Rng, version: u32) -> Vec<u8> {
    let fields: Vec<&str> = sheet.fields().iter().map(String::as_str).collect();
    let mut spec = TableSpec { version: Some(version), ..TableSpec::new(Generation::G2, &fields) };
    spec.pool.leading_nul = rng.one_in(2);
    for number in 0..24 {
        let values = fields.iter().map(|name| cell(rng, name)).collect();
        spec.rows.push(RowSpec { name: format!("row_{number:02}").into_bytes(), values, data: None });
    }
    build_table(&spec).bytes
}
