//! The options of verbs that read.

use std::path::PathBuf;

use worldview::Severity;
use worldview_inspect::find::HitRole;

use super::{CsvOptions, FailOn, OpenOptions, Replace, SchemaFormat, ShowFormat, TextOptions, Texts, options};

options! {
    /// The options of `list`.
    pub struct ListOptions {
        /// How files are opened.
        group open: OpenOptions;
        /// Sort by a column: numbers by value, texts without regard to case. `bytes` begins with the smallest, `-bytes` with the
        /// largest.
        option sort: Option<String> { value: "COLUMN" };
    }
}

options! {
    /// The options of `show`.
    pub struct ShowOptions {
        /// How files are opened.
        group open: OpenOptions;
        /// Output format.
        option format: ShowFormat { value: "FORMAT" } = ShowFormat::Table;
        /// Words for the keys that tables have instead of texts.
        group words: TextOptions;
        /// How CSV is written.
        group csv: CsvOptions;
        /// Include bulk data: geometry, keyframes and pixels of WORLD.WDB, bytes of sections and members of tables and archives.
        option full: bool;
        /// Print tables as they are stored, with sections, fields and bytes, instead of a grid of records
        /// (--format table only).
        option raw: bool;
        /// Maximum width of a grid of records in terminal columns, if there is one.
        plain width: Option<usize>;
    }
}

options! {
    /// The options of `schema`.
    pub struct SchemaOptions {
        /// How files are opened.
        group open: OpenOptions { without: &["encoding"] };
        /// Output format.
        option format: SchemaFormat { value: "FORMAT" } = SchemaFormat::Table;
    }
}

options! {
    /// The options of `check`.
    pub struct CheckOptions {
        /// How files are opened.
        group open: OpenOptions;
        /// Lowest severity for which the exit code is 1.
        option fail_on: FailOn { value: "SEVERITY" } = FailOn::Fatal;
        /// Lowest severity to print [default: curious; for several files, text lists suspicious findings and counts curious
        /// ones]
        option min: Option<Severity> { value: "SEVERITY" };
        /// Game to take pictures and sounds from: its REZ archive, or a folder with it or with its unpacked files. The folder `Assets`
        /// beside the archive comes first. A level in a REZ archive takes them from that archive.
        option game: Option<PathBuf> { value: "PATH", exists: true };
        /// Whether findings have their places.
        plain places: bool = true;
    }
}

options! {
    /// The options of `find`.
    pub struct FindOptions {
        /// How files are opened.
        group open: OpenOptions;
        /// Regular expression to find, instead of TEXT; may be given several times.
        option regex: Vec<String> { value: "REGEX" };
        /// Words for the keys that tables have instead of texts.
        group words: TextOptions;
        /// Match case.
        option case: bool;
        /// Search only these texts.
        option r#in: Vec<Texts> { value: "TEXTS", split: true };
        /// Whether matches are only counted.
        plain counts_only: bool;
    }
}

impl FindOptions {
    /// Returns whether texts with a role are searched.
    pub(crate) fn searches(&self, role: HitRole) -> bool {
        self.r#in.is_empty() || self.r#in.iter().any(|texts| texts.role() == role)
    }
}

options! {
    /// The options of `diff`.
    pub struct DiffOptions {
        /// How files are opened.
        group open: OpenOptions;
        /// Where --format changes writes: a file, or a folder for one file each [default: standard output]; a file *.ndjson gets
        /// the changes of all files.
        option out: Option<PathBuf> { value: "OUT" };
        /// Whether existing changes files are replaced.
        option overwrite: Replace { value: "WHEN" } = Replace::Never;
        /// A line about the mod, such as its name, version and author; `apply` prints it.
        option about: Option<String> { value: "TEXT" };
    }
}

options! {
    /// The options of `view`.
    pub struct ViewOptions {
        /// Port to listen on; 0 takes a free one.
        option port: u16 { value: "PORT" } = 0;
        /// Print the address without opening a browser.
        option no_open: bool;
        /// REZ archive or folder of the game that has the pictures of levels.
        option game: Option<PathBuf> { value: "PATH", exists: true };
        /// How files are opened.
        group open: OpenOptions { without: &["recover", "max_depth", "only"] };
        /// Words for the keys that tables have instead of texts.
        group words: TextOptions;
    }
}
