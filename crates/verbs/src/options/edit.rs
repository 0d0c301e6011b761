//! The options of verbs that write edited and new files.

use std::path::PathBuf;

use worldview::wpd::Generation;
use worldview_export::Encoding;

use super::{DryRunOptions, OpenOptions, Replace, options};

options! {
    /// Where edited files go, and how the originals are opened.
    pub struct EditOptions {
        /// Output file, or folder for the edited files, or `-` for standard output; never the input itself. One of --out,
        /// --in-place and --dry-run is required.
        option out: Option<PathBuf> { value: "OUT" };
        /// Replace the originals, and keep each as NAME.bak, or NAME.bak1 and so on if there are older backups.
        option in_place: bool;
        /// Whether anything is written.
        group preview: DryRunOptions;
        /// Whether an existing output file is replaced.
        option overwrite: Replace { value: "WHEN" } = Replace::Never;
        /// If something in a file is refused, apply the rest instead of nothing; the exit code is still 3.
        option skip_refused: bool;
        /// If a switch of a Gruntz level moves to another tile, also change its id and speeds to those of the tile, and the triggers that
        /// refer to it.
        option follow: bool;
        /// How files are opened.
        group open: OpenOptions { without: &["max_depth", "only"] };
    }
}

options! {
    /// The options of `apply`.
    pub struct ApplyOptions {
        /// Remove records and objects that a sheet or table.json does not mention; otherwise they stay.
        option remove_missing: bool;
        /// Where edited files go.
        group to: EditOptions;
    }
}

options! {
    /// The options of `repair`.
    pub struct RepairOptions {
        /// How files are opened.
        group open: OpenOptions { without: &["recover", "schema", "max_depth", "encoding"] };
        /// Output file, or a folder for the repaired files at their relative paths; never an input.
        option out: Option<PathBuf> { value: "OUT" };
        /// Whether anything is written.
        group preview: DryRunOptions;
        /// Whether an existing output file is replaced.
        option overwrite: Replace { value: "WHEN" } = Replace::Never;
    }
}

options! {
    /// The options of `restore`.
    pub struct RestoreOptions {
        /// Whether anything is written.
        group preview: DryRunOptions;
    }
}

options! {
    /// The options of `build`.
    pub struct BuildOptions {
        /// The file to write.
        option out: PathBuf { value: "FILE" };
        /// Whether anything is written.
        group preview: DryRunOptions;
        /// Write the file without what it cannot represent; the exit code is 3.
        option skip_refused: bool;
        /// Whether an existing output file is replaced.
        option overwrite: Replace { value: "WHEN" } = Replace::Never;
        /// Code page of texts in levels and of names in REZ archives and WORLD.WDB: any label of the Encoding Standard.
        option encoding: Encoding { value: "PAGE" } = Encoding::WINDOWS_1252;
        /// Schema file with the field names of a table made from a sheet [default: the columns of the sheet, in their order]
        option schema: Option<PathBuf> { value: "FILE", exists: true };
        /// Generation of a table made from a sheet [default: g2 with --schema, else g3, which stores the field names]
        option generation: Option<Generation> { value: "GENERATION" };
        /// The name of the sheet of a g3 table made from a sheet.
        option sheet_name: Option<String> { value: "NAME" };
        /// REZ archive or folder of the game, for tile attributes of `blank:…`.
        option game: Option<PathBuf> { value: "PATH", exists: true };
    }
}

options! {
    /// The options of `changes invert`.
    pub struct InvertOptions {
        /// The file that the changes are for.
        plain original: Option<PathBuf>;
        /// Output file [default: standard output]
        option out: Option<PathBuf> { value: "FILE" };
        /// Whether an existing output file is replaced.
        option overwrite: Replace { value: "WHEN" } = Replace::Never;
    }
}

options! {
    /// The options of `changes merge`.
    pub struct MergeOptions {
        /// The FILE whose changes are kept where others disagree; the others are printed.
        option prefer: Option<PathBuf> { value: "FILE" };
        /// Output file, of mods also a folder [default: standard output]
        option out: Option<PathBuf> { value: "FILE" };
        /// Whether an existing output file is replaced.
        option overwrite: Replace { value: "WHEN" } = Replace::Never;
    }
}
