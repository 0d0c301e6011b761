//! The bodies of the fuzz targets: properties that must hold for arbitrary bytes.
//!
//! Each body is a function of bytes that panics if a property does not hold. The targets in `fuzz/` at the root of the
//! repository call them in one line each, and the tests replay the committed inputs on stable Rust. The properties go
//! beyond the absence of panics: two readers agree, errors lie inside the input, walks terminate, and outputs stay
//! proportional to the input.

mod drawn;
mod edit;
mod inflate;
mod island;
mod names;
mod plan;
mod png;
mod rez;
mod seeds;
mod sniff;
mod views;
mod wpd;
mod wwd;

pub use drawn::level_draw;
pub use edit::{edit_apply, edit_diff};
pub use inflate::inflate_agree;
pub use island::{island, island_blob, textures};
pub use names::export_names;
pub use plan::edit_plan;
pub use png::png_decode;
pub use rez::{pid_decode, rez_archive};
pub use seeds::{Seed, seeds};
pub use sniff::sniff;
pub use views::{view_archive, view_island, view_level, view_rez, view_table};
pub use worldview_readers::roundtrip::roundtrip;
pub use wpd::{wdb_table, wpd_archive};
pub use wwd::{wwd_level, wwd_outline, wwd_unpack};

use worldview_readers::{MAX_LEN, holds};

use crate::paths::{self, Tally};

/// A fuzz target: its name and its body.
pub type Target = (&'static str, fn(&[u8]));

/// All targets, ordered by name.
pub const TARGETS: [Target; 25] = [
    ("diff_naive", diff_naive),
    ("edit_apply", edit_apply),
    ("edit_diff", edit_diff),
    ("edit_plan", edit_plan),
    ("export_names", export_names),
    ("inflate_agree", inflate_agree),
    ("island", island),
    ("island_blob", island_blob),
    ("level_draw", level_draw),
    ("pid_decode", pid_decode),
    ("png_decode", png_decode),
    ("rez_archive", rez_archive),
    ("roundtrip", roundtrip),
    ("sniff", sniff),
    ("textures", textures),
    ("view_archive", view_archive),
    ("view_island", view_island),
    ("view_level", view_level),
    ("view_rez", view_rez),
    ("view_table", view_table),
    ("wdb_table", wdb_table),
    ("wpd_archive", wpd_archive),
    ("wwd_level", wwd_level),
    ("wwd_outline", wwd_outline),
    ("wwd_unpack", wwd_unpack),
];

/// Chooses one of `count` groups of outputs for an input, since running all of them on each takes too long.
fn turn(data: &[u8], count: usize) -> usize {
    data.iter().fold(0, |sum: usize, &byte| sum + usize::from(byte)) % count
}

/// Chooses one of three groups of checks for an input, whatever its outputs. A fuzzer finds more with three times as many inputs.
fn third(data: &[u8]) -> usize {
    turn(data, 3 * OUTPUTS) / OUTPUTS
}

/// The number of groups of outputs.
const OUTPUTS: usize = 12;

/// Runs one in twelve of the paths that `all` passes to it, chosen by the data, and checks their tallies. `all` returns
/// the size of the image, or 0 if there is none.
fn outputs(data: &[u8], all: impl FnOnce(paths::Each<'_>) -> u64) {
    let (turn, mut number, mut tallies) = (turn(data, OUTPUTS), 0, Vec::new());
    let image = all(&mut |path, run| {
        number += 1;
        // Paths that open the file are always run, since they lead to all others.
        if number % OUTPUTS == turn || path.contains("lossy") {
            let mut tally = Tally::default();
            run(&mut tally);
            tallies.push((path, tally));
        }
    });
    for (path, tally) in tallies {
        tally.check(path, (data.len(), image));
    }
}

/// Reads the bytes with every view and every naive reader, both as files and as contents of files of the other formats.
pub fn diff_naive(data: &[u8]) {
    if data.len() > MAX_LEN {
        return;
    }
    holds(worldview_readers::wwd::agree(data));
    holds(worldview_readers::wpd::archives_agree(data));
    holds(worldview_readers::wpd::recoveries_agree(data));
    holds(worldview_readers::wpd::tables_agree(data, None));
    holds(worldview_readers::island::agree(data));
    // The bytes as the image of a packed level.
    if let Some(file) = wwd::packed(data) {
        holds(worldview_readers::wwd::agree(&file));
    }
    // The bytes as a nested archive or table, whose offsets are relative to its start.
    if data.starts_with(b"WPD\0") {
        holds(worldview_readers::wpd::archives_agree(&wpd::nested(data)));
    }
}
