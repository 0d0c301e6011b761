//! What is described, written and read back.
#![allow(clippy::cast_possible_truncation, reason = "numbers that a fuzzer made up are cut to what is asked for")]

mod island;
mod level;
mod table;

pub use island::database;
pub use level::level;
pub use table::table;

use arbitrary::{Arbitrary, Unstructured};

/// A description made of the bytes, which the corpus writes down as a file; the views must read back what it says.
///
/// The first byte tells of what kind. What a description cannot say in a file (a grid of another size than its tiles, a
/// corner that no mesh has) is put right before it is written.
pub fn roundtrip(data: &[u8]) {
    let Some((kind, bytes)) = data.split_first().filter(|_| data.len() <= super::LONGEST) else { return };
    let mut bytes = Unstructured::new(bytes);
    match kind % 4 {
        0 => describe(&mut bytes, level::described),
        1 => describe(&mut bytes, table::archive),
        2 => describe(&mut bytes, table::described),
        _ => describe(&mut bytes, island::described),
    }
}

fn describe<'b, T: Arbitrary<'b>>(bytes: &mut Unstructured<'b>, run: impl Fn(T)) {
    // Bytes that are too few describe nothing.
    if let Ok(description) = bytes.arbitrary() {
        run(description);
    }
}
