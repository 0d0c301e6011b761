//! The targets, and what each measurement is compared with.

use crate::measured::Measured;

/// The target for a ratio.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wanted {
    /// Our time divided by that of the limit.
    AtMost(f64),
    /// Our speed divided by that of the limit, or of one thread.
    AtLeast(f64),
}

/// A line of the table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Figure {
    /// The description of the work.
    pub(crate) what: &'static str,
    /// The benchmark group that it is taken from.
    pub(crate) group: &'static str,
    /// The name of our reader.
    pub(crate) ours: &'static str,
    /// The name, or the start of the name, of the reader to compare with.
    pub(crate) against: &'static str,
    /// Prefixes of the inputs that it applies to; if empty, it applies to all.
    pub(crate) inputs: &'static [&'static str],
    /// The target.
    pub(crate) wanted: Wanted,
    /// What is added to the time of the limit, in milliseconds.
    pub(crate) allowance: f64,
    /// Whether the fastest runs are compared, and not the medians.
    pub(crate) is_fastest: bool,
}

impl Figure {
    pub(crate) const fn new(what: &'static str, group: &'static str, wanted: Wanted) -> Self {
        Self {
            what,
            group,
            ours: "worldview",
            against: "limit: ",
            inputs: &[],
            wanted,
            allowance: 0.0,
            is_fastest: false,
        }
    }

    const fn of(self, ours: &'static str, against: &'static str) -> Self {
        Self { ours, against, ..self }
    }

    const fn only(self, inputs: &'static [&'static str]) -> Self {
        Self { inputs, ..self }
    }

    const fn allowing(self, allowance: f64) -> Self {
        Self { allowance, ..self }
    }

    const fn threads(what: &'static str, group: &'static str, wanted: f64) -> Self {
        let figure = Self::new(what, group, Wanted::AtLeast(wanted));
        Self { is_fastest: true, ..figure.of("worldview, two threads", "worldview, one thread") }
    }

    /// Returns the time in nanoseconds that counts.
    pub(crate) const fn time(&self, of: &Measured) -> f64 {
        if self.is_fastest { of.fastest_ns } else { of.median_ns }
    }

    /// Returns our time divided by that of the limit and its allowance.
    pub(crate) fn ratio(&self, (ours, limit): (&Measured, &Measured)) -> f64 {
        self.time(ours) / (self.time(limit) + self.allowance * 1e6)
    }
}

use Wanted::{AtLeast, AtMost};

/// What users wait for, in the order of the table.
pub(crate) const WAITS: &[Figure] = &[
    Figure::new("start: `--version`; limit: the start of `cat`, plus 2 ms", "start of the program", AtMost(1.0))
        .only(&["--version"])
        .allowing(2.0),
    Figure::new("start: `info` of a table; limit: `cat` of it, plus 2 ms", "start of the program", AtMost(1.0))
        .only(&["info"])
        .allowing(2.0),
    Figure::new(
        "open a large file and its directory of 1,000 entries; limit: open, map, unmap, and read the entries",
        "open an archive of 1000 entries",
        AtMost(1.1),
    ),
    Figure::new(
        "WWD: load, unpack, parse, verify, visit all; limit: open, read, inflate, and a read pass",
        "level: load, unpack, parse, verify, visit",
        AtMost(1.25),
    ),
    Figure::new(
        "read every field of 500 XIII-1 tables; compared with ff13-formats",
        "every field of 500 tables",
        AtLeast(50.0),
    )
    .of("worldview", "ff13-formats"),
    Figure::new("WORLD.WDB: read every payload byte; limit: a read pass", "WORLD.WDB: every payload byte", AtMost(4.0))
        .only(&["10 MB"]),
    Figure::new(
        "read one column of 16-byte records; limit: a hand-written loop with known shifts",
        "one column of 16-byte records",
        AtMost(1.05),
    )
    .of("worldview", "limit: loop")
    .only(&["100 MB"]),
    Figure::new("table as CSV; limit: csv with strings where the table has them", "table as CSV", AtMost(1.1))
        .of("worldview", "limit: csv, fed with strings")
        .only(&["4 MiB", "32 MiB"]),
    Figure::new(
        "WORLD.WDB: rebuild every mesh; limit: read the corners, gather the vertices by ready lists, copy the indices",
        "every mesh rebuilt",
        AtMost(1.3),
    )
    .of("worldview", "limit: read")
    .only(&["10 MB"]),
    Figure::new(
        "WORLD.WDB: rebuild every mesh into four buffers; limit: gather the vertices by ready lists, copy the indices",
        "meshes into the caller's buffers",
        AtMost(1.2),
    )
    .only(&["10 MB"]),
    Figure::threads("two threads: decode WORLD.WDB", "two threads: decode WORLD.WDB", 1.8).only(&["100 MB"]),
    Figure::new(
        "WORLD.WDB: export all GLB and PNG; limit: decode, copy, JSON, and PNG once per texture",
        "all GLB and PNG of WORLD.WDB",
        AtMost(1.5),
    )
    .only(&["10 MB"]),
    Figure::new(
        "level drawn with the game's artwork; limit: memcpy of the picture",
        "level drawn with its game",
        AtMost(2.0),
    ),
    Figure::new(
        "the same as PNG; limit: a PNG encoder with the ready picture",
        "level drawn with its game, as PNG",
        AtMost(1.1),
    ),
    Figure::new(
        "find a text in 2,000 files; limit: walk, read, open in memory, search the bytes",
        "find in a folder",
        AtMost(1.5),
    )
    .of("worldview", "limit: the same"),
    Figure::new(
        "check a folder of 2,000 files, one thread; limit: walk, read, the same findings in memory",
        "check a folder",
        AtMost(1.1),
    )
    .of("worldview", "limit: walk"),
    Figure::threads("two threads: check a folder of 2,000 files", "two threads: check a folder", 1.7),
    Figure::threads("two threads: find in a folder of 2,000 files", "two threads: find in a folder", 1.7),
    Figure::new("`list` of a folder; limit: walk, read, open in memory", "list a folder", AtMost(2.0)),
    Figure::new("`diff` of two folders; limit: walk, read both, compare the bytes", "diff of two folders", AtMost(2.0)),
    Figure::new(
        "`export` into a new folder; limit: read the inputs, compress the ready pictures, write the ready outputs",
        "export",
        AtMost(2.5),
    ),
    Figure::new("`export` once more; limit: read the inputs and the outputs", "export once more", AtMost(4.0)),
    Figure::new(
        "`set` one value of 10 MB; limit: read the file, write as many bytes, plus 100 ms",
        "set one value, command",
        AtMost(1.0),
    )
    .allowing(100.0),
    Figure::new(
        "`apply` one change to 10 MB; limit: read the file, write as many bytes, plus 100 ms",
        "apply one change, command",
        AtMost(1.0),
    )
    .allowing(100.0),
    Figure::new(
        "`diff --format changes` of two files of 10 MB; limit: read both, compare the bytes, plus 100 ms",
        "diff as changes, command",
        AtMost(1.0),
    )
    .allowing(100.0),
    Figure::new(
        "viewer: first picture of a folder of 5,000 files; limit: the bare server, plus 500 ms",
        "first picture of a folder",
        AtMost(1.0),
    )
    .allowing(500.0),
    Figure::new(
        "viewer: first picture of a world; limit: the bare server, plus 300 ms",
        "first picture of a world",
        AtMost(1.0),
    )
    .allowing(300.0),
    Figure::new(
        "viewer: first picture of a level; limit: the bare server, plus 300 ms",
        "first picture of a level",
        AtMost(1.0),
    )
    .allowing(300.0),
    Figure::new(
        "viewer: first picture of a table of 100,000 records; limit: the bare server, plus 300 ms",
        "first picture of a table",
        AtMost(1.0),
    )
    .allowing(300.0),
];

/// All other figures, in the order of their table.
pub(crate) const FIGURES: &[Figure] = &[
    Figure::new("load a small file; limit: open and read", "load small files", AtMost(1.15)),
    Figure::new("WWD checksum, data in memory; limit: a read pass", "checksum", AtLeast(0.90)).only(&["256 MiB"]),
    Figure::new("WWD checksum, data in cache; limit: a read pass", "checksum", AtLeast(0.70))
        .only(&["64 KiB", "4 MiB"]),
    Figure::new(
        "79 packed levels of real sizes, in memory; limit: inflate into ready slices, read passes",
        "packed levels of real sizes",
        AtMost(1.15),
    ),
    Figure::new(
        "a level of 4 KiB with the scratch of one of 16 MiB; limit: the same",
        "small level after one of 16 MiB",
        AtMost(1.25),
    ),
    Figure::new(
        "300 levels of 4 KiB after one of 16 MiB; limit: the same",
        "a large level and 300 small ones",
        AtMost(1.15),
    ),
    Figure::new(
        "WWD: outline of a packed level; limit: open, read, inflate the same bytes",
        "outline of a packed level",
        AtMost(2.0),
    ),
    Figure::new("copy a column of 4-byte records; limit: memcpy", "column of 4-byte records, copied", AtLeast(0.90)),
    Figure::new("read one column of 16-byte records; limit: a read pass", "one column of 16-byte records", AtMost(1.6))
        .only(&["100 MB"]),
    Figure::new("read one column of 32-byte records; limit: a read pass", "one column of 32-byte records", AtMost(1.6))
        .only(&["100 MB"]),
    Figure::new(
        "read one column of 84-byte records; limit: a read pass",
        "one column of 84-byte records",
        AtMost(1.15),
    )
    .only(&["100 MB"]),
    Figure::new(
        "read one column of 268-byte records; limit: a read pass",
        "one column of 268-byte records",
        AtMost(1.15),
    )
    .only(&["100 MB"]),
    Figure::new("look up a record by name among 20,000; limit: binary_search", "record by name", AtMost(1.1)),
    Figure::new(
        "WORLD.WDB: directory; limit: the chain of names, 64 bytes per reference, and the distinct blobs",
        "WORLD.WDB: directory",
        AtMost(1.5),
    )
    .only(&["10 MB"]),
    Figure::new("WORLD.WDB: check the structure; limit: a read pass", "WORLD.WDB: structure checked", AtMost(1.0))
        .only(&["10 MB"]),
    Figure::new(
        "REZ: directories with 21,303 files; limit: follow the names, and 64 bytes per entry",
        "directory of a REZ archive",
        AtMost(1.5),
    ),
    Figure::new(
        "PID: decode runs of equal pixels; limit: the plain loop of a port to C",
        "PID of repeats",
        AtMost(1.0),
    ),
    Figure::new("PID: decode runs of literals; limit: the plain loop of a port to C", "PID of skips", AtMost(1.0)),
    Figure::new("table as CSV; limit: csv with ready rows", "table as CSV", AtMost(1.1)),
    Figure::new("table as NDJSON; limit: serde_json with ready rows", "table as NDJSON", AtMost(1.1)),
    Figure::new(
        "table as Arrow IPC; limit: byte swaps, strings gathered by ready offsets, arrow",
        "table as Arrow IPC",
        AtMost(1.15),
    )
    .only(&["4 MiB", "256 MiB"]),
    Figure::new("the same for small tables", "table as Arrow IPC", AtMost(1.4)).only(&["64 KiB"]),
    Figure::new("table as Parquet; limit: parquet with ready arrays", "table as Parquet", AtMost(1.3)),
    Figure::new(
        "882 small tables as CSV; limit: csv with strings where the tables have them",
        "882 tables as CSV",
        AtMost(1.1),
    ),
    Figure::new("the same as NDJSON; limit: serde_json with ready rows", "882 tables as NDJSON", AtMost(1.1)),
    Figure::new(
        "the same as Arrow IPC; limit: byte swaps, strings gathered by ready offsets, arrow",
        "882 tables as Arrow IPC",
        AtMost(1.4),
    ),
    Figure::new(
        "the same as Parquet; limit: parquet with ready arrays, uncompressed, no dictionaries",
        "882 tables as Parquet",
        AtMost(1.4),
    ),
    Figure::new(
        "records of 500 XIII-1 tables as JSON; compared with ff13-formats",
        "records of 500 tables as JSON",
        AtLeast(15.0),
    )
    .of("worldview", "ff13-formats"),
    Figure::new("whole file as JSON; limit: serde_json with a ready document", "whole file as JSON", AtMost(1.5)),
    Figure::new("whole file as text; limit: serde_json with a ready document", "whole file as text", AtMost(1.5)),
    Figure::new("diff of two files; limit: compare the bytes, plus 100 ms", "diff of two files", AtMost(1.0))
        .allowing(100.0),
    Figure::new(
        "set one value of a table, and write the file; limit: write the same bytes, plus 10 ms",
        "set one value of a table",
        AtMost(1.0),
    )
    .allowing(10.0),
    Figure::new("table from its edited CSV; limit: export the CSV", "apply an edited CSV", AtMost(3.0)),
    Figure::threads("two threads: decode WORLD.WDB, 10 MB", "two threads: decode WORLD.WDB", 1.8).only(&["10 MB"]),
    Figure::threads("two threads: inflate", "two threads: inflate", 1.8),
    Figure::threads("two threads: export", "two threads: export", 1.8),
    Figure::threads("two threads: levels and pictures of a REZ of 85 MB", "two threads: a whole archive", 1.8),
    Figure::threads("two threads: scan of tables in memory", "two threads: scan", 1.3),
    Figure::threads("two threads: structure of WORLD.WDB", "two threads: structure of WORLD.WDB", 1.3),
    Figure::threads("two threads: a table, under 100 us", "two threads: 100 us of work", 0.952),
    Figure::threads("two threads: a WORLD.WDB, under 100 us", "two threads: 100 us of WORLD.WDB", 0.952),
    Figure::new(
        "WORLD.WDB: rebuild every mesh; limit: the same without reading the corners",
        "every mesh rebuilt",
        AtMost(1.3),
    )
    .of("worldview", "limit: gather")
    .only(&["10 MB"]),
    Figure::new(
        "find a text in 2,000 files; limit: walk, read, inflate, search the bytes",
        "find in a folder",
        AtMost(1.5),
    )
    .of("worldview", "limit: walk"),
    Figure::new("check a folder of 2,000 files; limit: read and inflate, plus 2 ms", "check a folder", AtMost(1.5))
        .allowing(2.0),
];
