//! Options that several verbs share.

use std::path::PathBuf;

use worldview::wpd::Nesting;
use worldview_edit::account::Code;
use worldview_export::Encoding;
use worldview_export::csv::CsvStyle;

use super::{Limits, Mmap, options};
use crate::only::Term;

/// The heading of the options about opening files.
pub(crate) const OPENING: Option<&str> = Some("Opening files");

const RUNNING: Option<&str> = Some("Running");
const SPREADSHEETS: Option<&str> = Some("Spreadsheets");

options! {
    /// How files are opened.
    pub struct OpenOptions {
        /// When to memory-map files: `auto` maps those of 1 MiB or more; use `never` if other programs may change or
        /// truncate the files during the run.
        option mmap: Mmap { value: "WHEN", heading: OPENING } = Mmap::Auto;
        /// Multiply the limits on the size of inflated levels, and on the files, bytes and pixels that `export` writes per input, or
        /// `off` for none. Archives still nest no deeper than --max-depth.
        option limits: Limits { value: "FACTOR", heading: OPENING } = Limits::DEFAULT;
        /// Maximum size of an inflated level, in bytes, instead of 400 times the stored size, within 64 MiB and 1 GiB.
        option max_inflate: Option<u64> { value: "BYTES", is_number: true };
        /// Open WPD archives whose header was overwritten (a common extractor does this). `set` and `apply` leave the header as it
        /// is, and make only changes that keep the size.
        option recover: bool { heading: OPENING };
        /// Schema file with field names for tables that have none; takes precedence over the built-in schemas.
        option schema: Option<PathBuf> { value: "FILE", heading: OPENING, exists: true };
        /// Maximum depth of nested archives.
        option max_depth: u32 { value: "DEPTH", heading: OPENING, range: 0..=64 } = Nesting::MAX_DEPTH;
        /// Process only what matches.
        ///
        /// A name selects files, archive members and parts of WORLD.WDB; case is ignored, `*` stands for any characters and
        /// `?` for one. `kind=` selects by kind: level, table, archive, picture, world, model, part, texture, or several:
        /// `kind=level,texture`. Filters of the same kind are ORed, filters of different kinds ANDed. A path inside of a
        /// file is written behind that of the file: `FILE/…`.
        option only: Vec<Term> { value: "WHAT", heading: OPENING, split: true };
        /// Code page of the text in levels and WORLD.WDB, which the files do not declare: any label of the Encoding Standard, such as
        /// windows-1251. `set` and `apply` write in it; an edited export has the one that it was made with.
        option encoding: Encoding { value: "PAGE", heading: OPENING } = Encoding::WINDOWS_1252;
    }
}

options! {
    /// Whether a verb that writes only tells what it would do.
    pub struct DryRunOptions {
        /// Print what would be written, without writing anything.
        option dry_run: bool;
    }
}

options! {
    /// Words for the keys that tables have instead of texts.
    pub struct TextOptions {
        /// File with the words for keys such as `$atar_ttl_010`, as ZTRtool and chronostasis write them: lines `key |:| words`.
        option text: Option<PathBuf> { value: "FILE", heading: OPENING, exists: true };
    }
}

options! {
    /// How CSV is written for spreadsheets.
    pub struct CsvOptions {
        /// In CSV, put an apostrophe before cells that a spreadsheet would run as formulas: text that begins with =, +, -, @, a
        /// tab, a line break or an apostrophe. Numbers stay as they are.
        option csv_safe: bool { heading: SPREADSHEETS };
        /// Begin CSV with a byte order mark, by which Excel recognizes UTF-8.
        option csv_bom: bool { heading: SPREADSHEETS };
    }
}

impl CsvOptions {
    /// Returns the style of an output, which is the default for anything but CSV.
    pub fn style(&self, is_csv: bool) -> CsvStyle {
        CsvStyle::default().safe(is_csv && self.csv_safe).bom(is_csv && self.csv_bom)
    }
}

options! {
    /// How a verb runs.
    pub struct RunOptions {
        /// Number of threads; 0 uses all processors.
        option threads: u16 { value: "COUNT", heading: RUNNING, range: 0..=256 };
        /// Failure and refusal codes to ignore when choosing the exit code, such as `unreadable-empty`.
        option allow: Vec<Code> { value: "CODE", heading: RUNNING, split: true };
    }
}
