//! The views alone, as a program uses them: so bare that a fuzzer tries thousands of inputs a second.

use worldview::Format;

use super::LONGEST;
use crate::paths::{self, Tally};

/// The paths that open, read and check, and nothing else.
const PATHS: [&str; 19] = [
    "island check",
    "island decode",
    "island parse",
    "island parse_lossy",
    "island read_lossy",
    "rez check",
    "rez look",
    "rez parse",
    "rez parse_lossy",
    "wdb check",
    "wdb look",
    "wpd check",
    "wpd nesting",
    "wpd parse_lossy",
    "wpd table_lossy",
    "wwd check",
    "wwd look",
    "wwd parse_lossy",
    // A packed level is not inflated: the limit is 0.
    "wwd unpack_lossy",
];

/// Runs a path if it is one of those.
fn view(path: &'static str, run: &mut dyn FnMut(&mut Tally)) {
    if PATHS.contains(&path) {
        run(&mut Tally::default());
    }
}

/// Reads the image of a level.
pub fn view_level(data: &[u8]) {
    all(Format::Wwd, data);
}

/// Reads a table.
pub fn view_table(data: &[u8]) {
    all(Format::Wpd, data);
}

/// Reads an archive and those in it. Only the seeds differ from those of a table.
pub fn view_archive(data: &[u8]) {
    all(Format::Wpd, data);
}

/// Reads a WORLD.WDB with all its meshes.
pub fn view_island(data: &[u8]) {
    all(Format::Island, data);
}

/// Reads the directories of a REZ archive.
pub fn view_rez(data: &[u8]) {
    if data.len() <= LONGEST {
        paths::rez::archive(data, &mut view);
    }
}

fn all(format: Format, data: &[u8]) {
    if data.len() <= LONGEST {
        paths::all(format, data, 0, &mut view);
    }
}
