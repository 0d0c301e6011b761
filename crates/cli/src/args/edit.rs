//! The arguments of the commands that edit files.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use worldview_export::Encoding;

use super::{
    DryRun, InputArgs, MmapChoice, OPENING, OpenArgs, Replace, SummaryFormat, TableGeneration, encoding, existing,
    existing_or_stdin,
};
use crate::assignment::Assignment;

#[derive(Debug, Args)]
pub(crate) struct SetArgs {
    /// File, member of an archive (`pack.bin/items.wdb`; paths then begin in the member), or folder
    #[arg(value_name = "INPUT")]
    pub(crate) input: PathBuf,
    /// Fields and their new values, or with `|=` an update of the old values
    #[arg(value_name = "PATH=VALUE", required = true)]
    pub(crate) assignments: Vec<Assignment>,
    #[command(flatten)]
    pub(crate) to: ToArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ApplyArgs {
    /// File, member of an archive, or folder
    #[arg(value_name = "INPUT")]
    pub(crate) input: PathBuf,
    /// Changes, edited exports, folders of them, or `-` for changes from standard input
    #[arg(value_name = "SOURCE", required = true, value_parser = existing_or_stdin())]
    pub(crate) sources: Vec<PathBuf>,
    /// Remove records and objects that a sheet or table.json does not mention; otherwise they stay
    #[arg(long)]
    pub(crate) remove_missing: bool,
    #[command(flatten)]
    pub(crate) to: ToArgs,
}

/// Where edited files go, and how the originals are opened.
#[derive(Debug, Args)]
pub(crate) struct ToArgs {
    /// Output file, folder for the edited files, or `-` for standard output; never the input itself
    #[arg(short, long, value_name = "OUT", conflicts_with = "in_place")]
    pub(crate) out: Option<PathBuf>,
    /// Replace the originals, and keep each as NAME.bak, or NAME.bak1 and so on if there are older backups
    #[arg(long)]
    pub(crate) in_place: bool,
    /// Print the changes and the new size without writing anything
    #[arg(long, value_enum, value_name = "FORM", num_args = 0..=1, require_equals = true, default_missing_value = "auto")]
    pub(crate) dry_run: Option<DryRun>,
    /// Whether an existing output file is replaced
    #[arg(long, value_enum, default_value_t = Replace::Never, value_name = "WHEN")]
    pub(crate) overwrite: Replace,
    /// If something in a file is refused, apply the rest instead of nothing; the exit code is still 3
    #[arg(long)]
    pub(crate) skip_refused: bool,
    /// Print a report of what became of everything to standard output
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with = "dry_run")]
    pub(crate) format: Option<SummaryFormat>,
    /// Edit WPD archives whose header was overwritten; the header stays as it is, and only changes that keep the size
    /// are possible
    #[arg(long, help_heading = OPENING)]
    pub(crate) recover: bool,
    /// When to memory-map files: `auto` maps those of 1 MiB or more
    #[arg(long, help_heading = OPENING, value_enum, default_value_t = MmapChoice::Auto, value_name = "WHEN")]
    pub(crate) mmap: MmapChoice,
    /// Maximum size of an inflated level, in bytes [default: 400 times the stored size, within 64 MiB and 1 GiB]
    #[arg(long, help_heading = OPENING, value_name = "BYTES")]
    pub(crate) max_inflate: Option<u64>,
    /// Schema file with field names for tables that have none; takes precedence over the built-in schemas
    #[arg(long, help_heading = OPENING, value_name = "FILE", value_parser = existing())]
    pub(crate) schema: Option<PathBuf>,
    /// Code page in which texts are written: any label of the Encoding Standard, such as windows-1251. An edited export of
    /// `export` has the one that it was made with
    #[arg(long, help_heading = OPENING, value_parser = encoding, default_value = "windows-1252", value_name = "PAGE")]
    pub(crate) encoding: Encoding,
}

impl ToArgs {
    /// Returns the options of opening, as the other commands have them.
    pub(crate) fn open(&self) -> OpenArgs {
        let (mmap, max_inflate, recover) = (self.mmap, self.max_inflate, self.recover);
        OpenArgs { mmap, max_inflate, recover, schema: self.schema.clone(), encoding: self.encoding, ..plain() }
    }
}

/// Returns the default options of opening, strictly and as a whole.
pub(crate) const fn plain() -> OpenArgs {
    OpenArgs {
        mmap: MmapChoice::Auto,
        max_inflate: None,
        recover: false,
        schema: None,
        max_depth: worldview::wpd::Nesting::MAX_DEPTH,
        only: Vec::new(),
        encoding: Encoding::WINDOWS_1252,
    }
}

#[derive(Debug, Args)]
#[command(mut_arg("paths", |paths| paths.required(true).default_values(Vec::<&str>::new())))]
pub(crate) struct RepairArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Output file, or a folder for the repaired files at their relative paths; never an input
    #[arg(short, long, value_name = "OUT", required_unless_present = "dry_run")]
    pub(crate) out: Option<PathBuf>,
    /// Print what would be repaired without writing anything
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Whether an existing output file is replaced
    #[arg(long, value_enum, default_value_t = Replace::Never, value_name = "WHEN")]
    pub(crate) overwrite: Replace,
    /// Print a report of what became of everything to standard output
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<SummaryFormat>,
}

#[derive(Debug, Args)]
pub(crate) struct BuildArgs {
    /// Document, sheet of records, or folder that the file is made from
    #[arg(value_name = "SOURCE", value_parser = existing())]
    pub(crate) source: PathBuf,
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Make everything, but do not write the file
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Write the file without what it cannot have; the exit code is 3
    #[arg(long)]
    pub(crate) skip_refused: bool,
    /// Whether an existing output file is replaced
    #[arg(long, value_enum, default_value_t = Replace::Never, value_name = "WHEN")]
    pub(crate) overwrite: Replace,
    /// Print a report of what became of everything to standard output
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<SummaryFormat>,
    /// Code page of texts in levels and of names in REZ archives and WORLD.WDB: any label of the Encoding Standard
    #[arg(long, value_parser = encoding, default_value = "windows-1252", value_name = "PAGE")]
    pub(crate) encoding: Encoding,
    /// Schema file with the field names of a table made from a sheet [default: the columns of the sheet, in their order]
    #[arg(long, value_name = "FILE", value_parser = existing())]
    pub(crate) schema: Option<PathBuf>,
    /// Generation of a table made from a sheet [default: g2 with --schema, else g3, which stores the field names]
    #[arg(long, value_enum, value_name = "GENERATION")]
    pub(crate) generation: Option<TableGeneration>,
    /// The number in the section !!version of a table made from a sheet, such as 0x85e62c73 [default: that of the schema, or 0]
    #[arg(long, value_name = "NUMBER", value_parser = layout_version)]
    pub(crate) layout_version: Option<u32>,
    /// The name of the sheet of a g3 table made from a sheet
    #[arg(long, value_name = "NAME")]
    pub(crate) sheet_name: Option<String>,
}

/// Reads a layout version, in decimal or hexadecimal.
fn layout_version(text: &str) -> Result<u32, String> {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let number = digits.map_or_else(|| text.parse(), |digits| u32::from_str_radix(digits, 16));
    number.map_err(|_| "expected a number of 32 bits, such as 0x85e62c73".to_owned())
}

#[derive(Debug, Args)]
pub(crate) struct RestoreArgs {
    /// File that was edited in place
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct ChangesArgs {
    #[command(subcommand)]
    pub(crate) verb: ChangesVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ChangesVerb {
    /// Print the changes that undo the changes of a file
    #[command(after_help = "\
The changes must have the old values, as those of `diff` do: `from` in each `set`, and `fields` or `data` in each
`remove`. With --original, the file provides them.

Examples:
  worldview changes invert mod.json -o undo.json
  worldview changes invert mod.json --original item.wdb -o undo.json")]
    Invert {
        /// File of changes, or `-` for standard input
        #[arg(value_parser = existing_or_stdin())]
        file: PathBuf,
        /// The file that the changes are for
        #[arg(long, value_name = "FILE")]
        original: Option<PathBuf>,
        /// Output file [default: standard output]
        #[arg(short, long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// Whether an existing output file is replaced
        #[arg(long, value_enum, default_value_t = Replace::Never, value_name = "WHEN")]
        overwrite: Replace,
    },
    /// Merge several files of changes into one
    #[command(after_help = "\
Equal changes in several files are kept once. If two files give one place different values, or if one changes what
the other removes, both are printed, nothing is written, and the exit code is 3, unless --prefer names one of them.

Mods are merged file by file. Of mods with a head, the result has both.

Examples:
  worldview changes merge prices.json names.json -o mod.json
  worldview changes merge mine.ndjson yours.ndjson --prefer mine.ndjson -o both.ndjson")]
    Merge {
        /// Files of changes, one of which may be `-` for standard input; or mods: files *.ndjson, or folders with files of
        /// changes
        #[arg(required = true, num_args = 2.., value_name = "FILE", value_parser = existing_or_stdin())]
        files: Vec<PathBuf>,
        /// The FILE whose changes are kept where others disagree; the others are printed
        #[arg(long, value_name = "FILE")]
        prefer: Option<PathBuf>,
        /// Output file, of mods also a folder [default: standard output]
        #[arg(short, long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// Whether an existing output file is replaced
        #[arg(long, value_enum, default_value_t = Replace::Never, value_name = "WHEN")]
        overwrite: Replace,
    },
}
