//! The arguments of the commands that edit files.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use worldview_verbs::Assignment;
use worldview_verbs::options::{
    ApplyOptions, BuildOptions, EditOptions, InvertOptions, MergeOptions, RepairOptions, RestoreOptions,
};

use super::{EditFormat, InputArgs, Of, SummaryFormat, existing_or_blank, existing_or_stdin};

#[derive(Debug, Args)]
#[command(mut_arg("out", |arg| arg.short('o').conflicts_with("in_place")))]
pub(crate) struct SetArgs {
    /// File, member of an archive (`pack.bin/items.wdb`; paths then begin in the member), or folder
    #[arg(value_name = "INPUT")]
    pub(crate) input: PathBuf,
    /// Fields and their new values, or with `|=` an update of the old values
    #[arg(value_name = "PATH=VALUE", required = true)]
    pub(crate) assignments: Vec<Assignment>,
    #[command(flatten)]
    pub(crate) options: Of<EditOptions>,
    #[command(flatten)]
    pub(crate) edit: EditArgs,
}

#[derive(Debug, Args)]
#[command(mut_arg("out", |arg| arg.short('o').conflicts_with("in_place")))]
pub(crate) struct ApplyArgs {
    /// File, member of an archive, or folder
    #[arg(value_name = "INPUT")]
    pub(crate) input: PathBuf,
    /// Changes, edited exports, folders of them, or `-` for changes from standard input
    #[arg(value_name = "SOURCE", required = true, value_parser = existing_or_stdin())]
    pub(crate) sources: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) options: Of<ApplyOptions>,
    #[command(flatten)]
    pub(crate) edit: EditArgs,
}

/// The output of `set` and `apply`.
#[derive(Debug, Args)]
#[group(skip)]
pub(crate) struct EditArgs {
    /// What to print [default: nothing; with --dry-run, a table on a terminal, otherwise changes]
    #[arg(long, value_enum, value_name = "FORMAT", requires_ifs = [("table", "dry_run"), ("changes", "dry_run")])]
    pub(crate) format: Option<EditFormat>,
}

#[derive(Debug, Args)]
#[command(mut_arg("out", |arg| arg.short('o').required_unless_present("dry_run")))]
#[command(mut_arg("paths", |paths| paths.required(true).default_values(Vec::<&str>::new())))]
pub(crate) struct RepairArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) options: Of<RepairOptions>,
    /// Print a report as JSON to standard output
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<SummaryFormat>,
}

#[derive(Debug, Args)]
#[command(mut_arg("out", |arg| arg.short('o').required(true)))]
pub(crate) struct BuildArgs {
    /// Document, sheet, folder, or `blank:…` that the file is made from
    #[arg(value_name = "SOURCE", value_parser = existing_or_blank())]
    pub(crate) source: PathBuf,
    #[command(flatten)]
    pub(crate) options: Of<BuildOptions>,
    /// Print a report as JSON to standard output
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<SummaryFormat>,
}

#[derive(Debug, Args)]
pub(crate) struct RestoreArgs {
    /// File or folder that was edited in place
    #[arg(value_name = "PATH")]
    pub(crate) path: PathBuf,
    #[command(flatten)]
    pub(crate) options: Of<RestoreOptions>,
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
`remove`. Otherwise ORIGINAL, the file that they are for, provides them.

Examples:
  worldview changes invert mod.json -o undo.json
  worldview changes invert mod.json item.wdb -o undo.json")]
    #[command(mut_arg("out", |arg| arg.short('o')))]
    Invert {
        /// Changes file, or `-` for standard input
        #[arg(value_parser = existing_or_stdin())]
        file: PathBuf,
        /// The file that the changes are for
        original: Option<PathBuf>,
        #[command(flatten)]
        options: Of<InvertOptions>,
    },
    /// Merge several changes files into one
    #[command(after_help = "\
Equal changes in several files are kept once. If two files give one place different values, or if one changes what
the other removes, both are printed, nothing is written, and the exit code is 3, unless --prefer names one of them.

Mods are merged file by file. If the mods have --about lines, the merged mod keeps them all.

Examples:
  worldview changes merge prices.json names.json -o mod.json
  worldview changes merge my.ndjson your.ndjson --prefer my.ndjson -o all.ndjson")]
    #[command(mut_arg("out", |arg| arg.short('o')))]
    Merge {
        /// Changes files, one of which may be `-` for standard input; or mods: files *.ndjson, or folders with changes files
        #[arg(required = true, num_args = 2.., value_name = "FILE", value_parser = existing_or_stdin())]
        files: Vec<PathBuf>,
        #[command(flatten)]
        options: Of<MergeOptions>,
    },
}
