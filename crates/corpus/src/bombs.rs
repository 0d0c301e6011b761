//! Files that are legal, or nearly, and ask a reader for far more than they hold: time, memory, output, files.
//!
//! Each is made of about as many bytes as it is asked for, so that the same one is small in a test and large where time is
//! taken. Nothing in them is random but where it says so.

pub mod ff13;
pub mod island;
mod words;
pub mod wwd;

pub use words::extremes;

/// A file that does harm where nothing bounds what is done with it.
#[derive(Clone, Copy, Debug)]
pub struct Bomb {
    /// What it is called: a sentence without its end.
    pub name: &'static str,
    /// What it attacks.
    pub attacks: &'static str,
    make: fn(usize) -> Vec<u8>,
}

impl Bomb {
    /// The file, of about so many bytes; some have a size of their own.
    pub fn bytes(&self, size: usize) -> Vec<u8> {
        (self.make)(size)
    }
}

/// All of them, each with the file name that its format goes by.
pub fn all() -> impl Iterator<Item = (&'static str, &'static Bomb)> {
    let of = |name: &'static str, list: &'static [Bomb]| list.iter().map(move |bomb| (name, bomb));
    of("level.wwd", wwd::BOMBS)
        .chain(of("table.wdb", ff13::TABLES))
        .chain(of("archive.wpd", ff13::ARCHIVES))
        .chain(of("WORLD.WDB", island::BOMBS))
}

/// A number as the formats store it; only what no file can hold saturates.
fn long(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

/// Puts a little-endian word into bytes that are there.
fn put(bytes: &mut [u8], at: usize, value: u32) {
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
}
