//! Descriptions that are written to a file and read back.

use worldview_corpus::rng::Rng;
use worldview_corpus::{ff13, island, wwd};

mod level;
mod table;

pub use level::level;
pub use table::{archive, table};
use worldview_corpus::island::build::build;
use worldview_corpus::island::spec::DatabaseSpec;
use worldview_corpus::trial::Trial;

use crate::{Verdict, holds};

/// What is checked of each description.
const RULE: &str = "a file says what was described";

/// Lets the bytes choose a description, lets the corpus write it to a file, and checks that the views read it back.
///
/// The first byte selects the kind of description.
pub fn roundtrip(data: &[u8]) {
    let Some((kind, bytes)) = data.split_first().filter(|_| data.len() <= super::MAX_LEN) else { return };
    let rng = &mut Rng::of(bytes);
    match kind % 4 {
        0 => level(&wwd::generate::any(rng)),
        1 => archive(&ff13::generate::small_archive(rng)),
        2 => table(&ff13::generate::any_table(rng)),
        _ => database(&island::generate::any(rng)),
    }
}

/// Builds a database, which must open without an error and which both readers must read alike.
pub fn database(spec: &DatabaseSpec) {
    let built = build(spec);
    let _trial = Trial::new(RULE, "a database", &built.bytes);
    let verdict = crate::island::agree(&built.bytes);
    assert!(matches!(verdict, Ok(Verdict::Same | Verdict::TooMuch)), "{verdict:?}");
    holds(crate::island::lossy_keeps_its_word(&built.bytes));
    let opened = crate::island::read_all(&built.bytes);
    assert_eq!(opened, Ok(()), "a described database does not open");
}
