//! The options of verbs that write edited and new files.

use std::ffi::OsStr;
use std::path::PathBuf;

use worldview::wpd::Generation;
use worldview_export::Encoding;

use super::open::OPENING;
use super::value::utf8;
use super::{Form, Limits, Mmap, OpenOptions, Replace, Scalar, Spec, options};

options! {
    /// Where edited files go, and how the originals are opened.
    pub struct EditOptions {
        /// Output file, folder for the edited files, or `-` for standard output; never the input itself.
        option out: Option<PathBuf> { value: "OUT" };
        /// Replace the originals, and keep each as NAME.bak, or NAME.bak1 and so on if there are older backups.
        option in_place: bool;
        /// Print the changes and the new size without writing anything.
        option dry_run: bool;
        /// Whether an existing output file is replaced.
        option overwrite: Replace { value: "WHEN" } = Replace::Never;
        /// If something in a file is refused, apply the rest instead of nothing; the exit code is still 3.
        option skip_refused: bool;
        /// Edit WPD archives whose header was overwritten; the header stays as it is, and only changes that keep the size
        /// are possible.
        option recover: bool { heading: OPENING };
        /// When to memory-map files: `auto` maps those of 1 MiB or more.
        option mmap: Mmap { value: "WHEN", heading: OPENING } = Mmap::Auto;
        /// Multiply the limit on the size of inflated levels, or `off` for none.
        option limits: Limits { value: "FACTOR", heading: OPENING } = Limits::DEFAULT;
        /// Maximum size of an inflated level, in bytes, instead of 400 times the stored size, within 64 MiB and 1 GiB.
        option max_inflate: Option<u64> { value: "BYTES", is_number: true };
        /// Schema file with field names for tables that have none; takes precedence over the built-in schemas.
        option schema: Option<PathBuf> { value: "FILE", heading: OPENING, exists: true };
        /// Code page in which texts are written: any label of the Encoding Standard, such as windows-1251. An edited export of
        /// `export` has the one that it was made with.
        option encoding: Encoding { value: "PAGE", heading: OPENING } = Encoding::WINDOWS_1252;
    }
}

impl EditOptions {
    /// Returns the options of opening, as the other verbs have them.
    pub fn open(&self) -> OpenOptions {
        let Self { mmap, limits, max_inflate, recover, encoding, .. } = *self;
        let schema = self.schema.clone();
        OpenOptions { mmap, limits, max_inflate, recover, schema, encoding, ..OpenOptions::default() }
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
        group open: OpenOptions;
        /// Output file, or a folder for the repaired files at their relative paths; never an input.
        option out: Option<PathBuf> { value: "OUT" };
        /// Print what would be repaired without writing anything.
        option dry_run: bool;
        /// Whether an existing output file is replaced.
        option overwrite: Replace { value: "WHEN" } = Replace::Never;
    }
}

options! {
    /// The options of `build`.
    pub struct BuildOptions {
        /// The file to write.
        option out: PathBuf { value: "FILE" };
        /// Make everything, but do not write the file.
        option dry_run: bool;
        /// Write the file without what it cannot have; the exit code is 3.
        option skip_refused: bool;
        /// Whether an existing output file is replaced.
        option overwrite: Replace { value: "WHEN" } = Replace::Never;
        /// Code page of texts in levels and of names in REZ archives and WORLD.WDB: any label of the Encoding Standard.
        option encoding: Encoding { value: "PAGE" } = Encoding::WINDOWS_1252;
        /// Schema file with the field names of a table made from a sheet [default: the columns of the sheet, in their order]
        option schema: Option<PathBuf> { value: "FILE", exists: true };
        /// Generation of a table made from a sheet [default: g2 with --schema, else g3, which stores the field names]
        option generation: Option<Generation> { value: "GENERATION" };
        /// The number in the section !!version of a table made from a sheet, such as 0x85e62c73 [default: that of the schema, or 0]
        option layout_version: Option<LayoutVersion> { value: "NUMBER" };
        /// The name of the sheet of a g3 table made from a sheet.
        option sheet_name: Option<String> { value: "NAME" };
    }
}

/// The number of a table's layout, as a decimal or hexadecimal text or as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayoutVersion(pub u32);

impl Scalar for LayoutVersion {
    const FORM: Form = Form::TextOrNumber;

    fn parse(text: &OsStr, _: &Spec) -> Result<Self, String> {
        let text = utf8(text)?;
        let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
        let number = digits.map_or_else(|| text.parse(), |digits| u32::from_str_radix(digits, 16));
        number.map(Self).map_err(|_| "expected a number of 32 bits, such as 0x85e62c73".to_owned())
    }
}

options! {
    /// The options of `changes invert`.
    pub struct InvertOptions {
        /// The file that the changes are for.
        option original: Option<PathBuf> { value: "FILE" };
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
