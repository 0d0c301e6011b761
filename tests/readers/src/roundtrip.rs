//! Descriptions that are written to a file and read back.
#![allow(clippy::cast_possible_truncation, reason = "arbitrary numbers are truncated to the width that is needed")]

mod island;
mod level;
mod table;

pub use island::database;
pub use level::level;
pub use table::table;

use arbitrary::{Arbitrary, Unstructured};

/// What is checked of each description.
const RULE: &str = "a file says what was described";

/// Derives a description from the bytes, lets the corpus write it to a file, and checks that the views read it back.
///
/// The first byte selects the kind of description. Descriptions that no file can express (a grid whose size differs
/// from the number of its tiles, a corner outside its mesh) are corrected before they are written.
pub fn roundtrip(data: &[u8]) {
    let Some((kind, bytes)) = data.split_first().filter(|_| data.len() <= super::MAX_LEN) else { return };
    let mut bytes = Unstructured::new(bytes);
    match kind % 4 {
        0 => describe(&mut bytes, level::described),
        1 => describe(&mut bytes, table::archive),
        2 => describe(&mut bytes, table::described),
        _ => describe(&mut bytes, island::described),
    }
}

fn describe<'b, T: Arbitrary<'b>>(bytes: &mut Unstructured<'b>, run: impl Fn(T)) {
    // Too few bytes do not make a description.
    if let Ok(description) = bytes.arbitrary() {
        run(description);
    }
}
