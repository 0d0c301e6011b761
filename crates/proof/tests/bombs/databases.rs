use worldview::Format;
use worldview_corpus::bombs::{extremes, island};
use worldview_corpus::island::build::build;
use worldview_corpus::island::generate::small;

use crate::{all_bounded, bounded};

#[test]
fn small_ones() {
    all_bounded(Format::Island, island::BOMBS, 100_000);
}

/// Every count, length and offset of a database made as large as it goes, and made to lead back.
#[test]
fn numbers_that_lie() {
    // Not too large, and with a bit of everything.
    let built = (0..100).map(|seed| build(&small(seed))).filter(|built| built.labels.len() > 64);
    let built = built.min_by_key(|built| built.labels.len()).unwrap();
    let mut count = 0;
    // Models are drawn and placed at many times for each: a fifth of them, of all words and of all values.
    for (name, bytes) in extremes(&built, false).step_by(5) {
        bounded(Format::Island, &name, &bytes);
        count += 1;
    }
    assert!(count > 100, "{count}");
}
