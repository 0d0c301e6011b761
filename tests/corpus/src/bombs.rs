//! Valid or nearly valid files that cost a reader far more than their size suggests: time, memory, output, or number of
//! files.
//!
//! Each bomb is generated at roughly the requested size, so the same one can be small in a test and large in a time
//! measurement. Bombs are deterministic unless they say otherwise.

pub mod ff13;
pub mod island;
pub mod rez;
mod words;
pub mod wwd;

pub use words::extremes;

use crate::builder::count as long;

/// A file that does harm if its processing is not bounded.
#[derive(Clone, Copy, Debug)]
pub struct Bomb {
    /// The bomb's name: a sentence without its period.
    pub name: &'static str,
    /// What the bomb attacks.
    pub attacks: &'static str,
    make: fn(usize) -> Vec<u8>,
}

impl Bomb {
    /// Returns a file of about `size` bytes; some bombs have a fixed size.
    pub fn bytes(&self, size: usize) -> Vec<u8> {
        (self.make)(size)
    }
}

/// Returns all bombs, each with a file name typical of its format.
pub fn all() -> impl Iterator<Item = (&'static str, &'static Bomb)> {
    let of = |name: &'static str, list: &'static [Bomb]| list.iter().map(move |bomb| (name, bomb));
    of("level.wwd", wwd::BOMBS)
        .chain(of("table.wdb", ff13::TABLES))
        .chain(of("archive.wpd", ff13::ARCHIVES))
        .chain(of("WORLD.WDB", island::BOMBS))
        .chain(of("GAME.REZ", rez::ARCHIVES))
        .chain(of("FRAME001.PID", rez::PIDS))
        .chain(of("SCREEN.PCX", rez::PCXS))
}

/// Overwrites the four bytes at `at` with a little-endian word.
fn put(bytes: &mut [u8], at: usize, value: u32) {
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
}
