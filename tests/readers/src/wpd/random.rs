//! Tables of the known sheets with random values.

use worldview_corpus::ff13::build::build_table;
use worldview_corpus::ff13::generate::cell;
use worldview_corpus::ff13::spec::{Generation, TableSpec};
use worldview_corpus::rng::Rng;
use worldview_wpd::Schema;

/// Returns a table of a sheet with random values, and zeros in unused bits.
pub fn random_table(sheet: &Schema, rng: &mut Rng, version: u32) -> Vec<u8> {
    let fields: Vec<&str> = sheet.fields().iter().map(String::as_str).collect();
    let mut spec = TableSpec { version: Some(version), ..TableSpec::new(Generation::G2, &fields) };
    spec.pool.leading_nul = rng.one_in(2);
    for number in 0..24 {
        let values: Vec<_> = fields.iter().map(|name| cell(rng, name)).collect();
        spec = spec.row(&format!("row_{number:02}"), values);
    }
    build_table(&spec).bytes
}
