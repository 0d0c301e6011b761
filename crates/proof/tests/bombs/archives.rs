use worldview::Format;
use worldview_corpus::bombs::{extremes, ff13};
use worldview_corpus::ff13::build::build_table;
use worldview_corpus::ff13::spec::{ArraysSpec, Generation, TableSpec};

use crate::{all_bounded, bounded};

#[test]
fn tables() {
    all_bounded(Format::Wpd, ff13::TABLES, 40_000);
}

#[test]
fn archives() {
    all_bounded(Format::Wpd, ff13::ARCHIVES, 100_000);
}

/// Every offset and size of a table made as large as it goes, and made to lead back.
#[test]
fn numbers_that_lie() {
    let mut spec = TableSpec::new(Generation::G3, &["sName", "iCount", "s8List", "u1Flag"])
        .row("a", ["text".into(), 1.into(), "one".into(), 1.into()])
        .row("b", ["more".into(), 2.into(), "two".into(), 0.into()]);
    spec.arrays = ArraysSpec { first: vec![vec![b"x".to_vec(), b"y".to_vec()]], ..ArraysSpec::default() };
    let built = build_table(&spec);
    let mut count = 0;
    for (name, bytes) in extremes(&built, true) {
        bounded(Format::Wpd, &name, &bytes);
        count += 1;
    }
    assert!(count > 500, "{count}");
}
