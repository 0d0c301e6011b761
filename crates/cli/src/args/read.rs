//! The arguments of verbs that read, and of `export`.

use std::path::PathBuf;

use clap::Args;
use worldview_verbs::options::{
    CheckOptions, CsvOptions, DiffOptions, ExportOptions, FindOptions, ListOptions, OpenOptions, SchemaOptions,
    ShowOptions,
};

use super::{DiffFormat, FormatChoice, GroupBy, InputArgs, Of, SummaryFormat};

#[derive(Debug, Args)]
pub(crate) struct InfoArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) options: Of<OpenOptions>,
    /// Output format
    #[arg(long, value_enum, default_value_t = FormatChoice::Table)]
    pub(crate) format: FormatChoice,
    #[command(flatten)]
    pub(crate) csv: Of<CsvOptions>,
}

#[derive(Debug, Args)]
#[command(mut_arg("sort", |arg| arg.allow_hyphen_values(true)))]
pub(crate) struct ListArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) options: Of<ListOptions>,
    /// Output format
    #[arg(long, value_enum, default_value_t = FormatChoice::Table)]
    pub(crate) format: FormatChoice,
    #[command(flatten)]
    pub(crate) csv: Of<CsvOptions>,
}

/// `show` prints everything, so it requires a path.
#[derive(Debug, Args)]
#[command(mut_arg("paths", |paths| paths.required(true).default_values(Vec::<&str>::new())))]
pub(crate) struct ShowArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) options: Of<ShowOptions>,
}

#[derive(Debug, Args)]
pub(crate) struct SchemaArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) options: Of<SchemaOptions>,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) options: Of<CheckOptions>,
    /// Output format
    #[arg(long, value_enum, default_value_t = FormatChoice::Table)]
    pub(crate) format: FormatChoice,
    #[command(flatten)]
    pub(crate) csv: Of<CsvOptions>,
    /// How text groups findings [default: file; code for a single file]
    #[arg(long, value_enum, value_name = "WHAT", conflicts_with = "all")]
    pub(crate) group_by: Option<GroupBy>,
    /// Print every finding with its offset instead of groups; other formats always do (up to 1,000 per code and file)
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Debug, Args)]
#[command(mut_arg("regex", |arg| arg.short('e')))]
#[command(mut_arg("paths", |paths| paths.default_values(Vec::<&str>::new())))]
pub(crate) struct FindArgs {
    /// Text or pattern to find; with -e, the first path
    #[arg(value_name = "TEXT", required_unless_present = "regex")]
    pub(crate) pattern: Option<String>,
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) options: Of<FindOptions>,
    /// Print only the paths of files and archive members with matches
    #[arg(short = 'l', long, conflicts_with_all = ["format", "count"])]
    pub(crate) files_with_matches: bool,
    /// Print only the number of matches of each file and archive member that has any
    #[arg(short = 'c', long, conflicts_with = "format")]
    pub(crate) count: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = FormatChoice::Table)]
    pub(crate) format: FormatChoice,
    #[command(flatten)]
    pub(crate) csv: Of<CsvOptions>,
}

impl FindArgs {
    /// With -e, what comes first is a path. Without a path, the current folder is searched.
    pub(crate) fn take_paths(&mut self) {
        let paths = &mut self.input.paths;
        if !self.options.regex.is_empty() {
            paths.splice(..0, self.pattern.take().map(PathBuf::from));
        }
        if paths.is_empty() {
            paths.push(".".into());
        }
    }
}

#[derive(Debug, Args)]
#[command(mut_arg("out", |arg| arg.short('o')))]
pub(crate) struct DiffArgs {
    /// File or folder
    pub(crate) left: PathBuf,
    /// File or folder to compare with
    pub(crate) right: PathBuf,
    #[command(flatten)]
    pub(crate) options: Of<DiffOptions>,
    /// Output format
    #[arg(long, value_enum, default_value_t = DiffFormat::Table)]
    pub(crate) format: DiffFormat,
    #[command(flatten)]
    pub(crate) csv: Of<CsvOptions>,
}

#[derive(Debug, Args)]
#[command(mut_arg("out", |arg| arg.short('o').required(true)))]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) options: Of<ExportOptions>,
    /// Print a summary with all written files to standard output
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<SummaryFormat>,
}

#[cfg(feature = "view")]
#[derive(Debug, Args)]
pub(crate) struct ViewArgs {
    /// Files and folders to show, or paths inside files, where the page begins; two files or two folders are also compared
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) options: Of<worldview_verbs::options::ViewOptions>,
}
