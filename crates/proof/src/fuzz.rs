//! The bodies of the fuzz targets: what must hold for any bytes.
//!
//! Each is a function of bytes that panics where something does not hold. `fuzz/` at the root of the repository hands
//! them to libFuzzer, a line each; the tests replay on stable what is committed there. What a body states is more than
//! that nothing panics: two readers agree, errors lie inside the bytes, walks end, outputs stay in proportion.

mod inflate;
mod island;
mod names;
pub mod roundtrip;
mod seeds;
mod sniff;
mod wpd;
mod wwd;

pub use inflate::inflate_agree;
pub use island::{island, island_blob};
pub use names::export_names;
pub use roundtrip::roundtrip;
pub use seeds::{Seed, seeds};
pub use sniff::sniff;
pub use wpd::{wdb_table, wpd_archive};
pub use wwd::{wwd_level, wwd_outline, wwd_unpack};

use crate::paths::{self, Tally};

/// A fuzz target: what it is called and what it does with bytes.
pub type Target = (&'static str, fn(&[u8]));

/// All targets, in the order of their names.
pub const TARGETS: [Target; 12] = [
    ("diff_naive", diff_naive),
    ("export_names", export_names),
    ("inflate_agree", inflate_agree),
    ("island", island),
    ("island_blob", island_blob),
    ("roundtrip", roundtrip),
    ("sniff", sniff),
    ("wdb_table", wdb_table),
    ("wpd_archive", wpd_archive),
    ("wwd_level", wwd_level),
    ("wwd_outline", wwd_outline),
    ("wwd_unpack", wwd_unpack),
];

/// Longer inputs are passed over: what is found in them is found in shorter ones, a hundred times as fast.
pub const LONGEST: usize = 1 << 16;

/// Which of `count` groups of outputs an input is for: to make all of them of each takes too long.
fn turn(data: &[u8], count: usize) -> usize {
    data.iter().fold(0, |sum: usize, &byte| sum + usize::from(byte)) % count
}

/// Takes some of the paths that `all` hands over, one of six by the data, and holds them to what paths promise; `all`
/// returns the size of the image if there is one.
fn outputs(data: &[u8], all: impl FnOnce(paths::Each<'_>) -> u64) {
    let (turn, mut number, mut tallies) = (turn(data, 6), 0, Vec::new());
    let image = all(&mut |path, run| {
        number += 1;
        // Those that open the file lead to all others.
        if number % 6 == turn || path.contains("lossy") {
            let mut tally = Tally::default();
            run(&mut tally);
            tallies.push((path, tally));
        }
    });
    for (path, tally) in tallies {
        tally.check(path, (data.len(), image));
    }
}

/// The first difference of two readers, or broken promise, is the panic.
fn holds<T>(result: Result<T, String>) {
    let why = result.err();
    assert!(why.is_none(), "{}", why.unwrap_or_default());
}

/// Reads bytes by every view and by every naive reader, as files and as what files of the other formats hold.
pub fn diff_naive(data: &[u8]) {
    if data.len() > LONGEST {
        return;
    }
    holds(crate::wwd::agree(data));
    holds(crate::wpd::archives_agree(data));
    holds(crate::wpd::recoveries_agree(data));
    holds(crate::wpd::tables_agree(data, None));
    holds(crate::island::agree(data));
    // A level's image, packed.
    if let Some(file) = wwd::packed(data) {
        holds(crate::wwd::agree(&file));
    }
    // An archive or table that is a member, whose offsets begin behind those of another.
    if data.starts_with(b"WPD\0") {
        holds(crate::wpd::archives_agree(&wpd::nested(data)));
    }
}
