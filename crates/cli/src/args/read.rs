//! The arguments of verbs that read.

use std::path::PathBuf;

use super::choices::what;
use super::{
    CsvArgs, DiffFormat, FailOn, FormatChoice, InputArgs, OpenArgs, PartChoice, Replace, SchemaFormat, SeverityChoice,
    ShowFormat, TextArgs, existing,
};
use crate::mods::{HeadKey, head_option};

#[derive(Debug, clap::Args)]
pub(crate) struct InfoArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Output format
    #[arg(long, value_enum, default_value_t = FormatChoice::Table)]
    pub(crate) format: FormatChoice,
    #[command(flatten)]
    pub(crate) csv: CsvArgs,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Sort by a column, such as `bytes`: numbers by value, texts without regard to case
    #[arg(long, value_name = "COLUMN")]
    pub(crate) sort: Option<String>,
    /// Sort in descending order
    #[arg(long, requires = "sort")]
    pub(crate) reverse: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = FormatChoice::Table)]
    pub(crate) format: FormatChoice,
    #[command(flatten)]
    pub(crate) csv: CsvArgs,
}

/// `show` prints everything, so it requires a path.
#[derive(Debug, clap::Args)]
#[command(mut_arg("paths", |paths| paths.required(true).default_values(Vec::<&str>::new())))]
pub(crate) struct ShowArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Output format
    #[arg(long, value_enum, default_value_t = ShowFormat::Table)]
    pub(crate) format: ShowFormat,
    #[command(flatten)]
    pub(crate) words: TextArgs,
    #[command(flatten)]
    pub(crate) csv: CsvArgs,
    /// Print only these records of tables. A word is a whole name, `*` stands for any characters and `?` for one, and
    /// case is ignored, as in --field and --only
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    pub(crate) record: Vec<String>,
    /// Print only these fields of tables; tables without any of them are left out
    #[arg(long, value_delimiter = ',', value_name = "FIELD")]
    pub(crate) field: Vec<String>,
    /// Include bulk data: geometry, keyframes and pixels of WORLD.WDB, bytes of sections and members of tables and archives
    #[arg(long)]
    pub(crate) full: bool,
    /// Print tables as they are stored, with sections, fields and bytes, instead of a grid of records (text format)
    #[arg(long)]
    pub(crate) raw: bool,
    /// Print only these parts of levels (text format)
    #[arg(long, value_enum, value_delimiter = ',', value_name = "PART")]
    pub(crate) part: Vec<PartChoice>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct SchemaArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Output format
    #[arg(long, value_enum, default_value_t = SchemaFormat::Table)]
    pub(crate) format: SchemaFormat,
}

#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Output format
    #[arg(long, value_enum, default_value_t = FormatChoice::Table)]
    pub(crate) format: FormatChoice,
    #[command(flatten)]
    pub(crate) csv: CsvArgs,
    /// Lowest severity for which the exit code is 1
    #[arg(long, value_enum, default_value_t = FailOn::Fatal, value_name = "SEVERITY")]
    pub(crate) fail_on: FailOn,
    /// Lowest severity that is printed
    #[arg(long, value_enum, default_value_t = SeverityChoice::Curious, value_name = "SEVERITY")]
    pub(crate) min: SeverityChoice,
    /// Game to take pictures and sounds from: its REZ archive, or a folder with it or with its unpacked files. The folder `Assets`
    /// beside the archive comes first. A level in a REZ archive takes them from that archive
    #[arg(long, value_name = "PATH", value_parser = existing())]
    pub(crate) game: Option<PathBuf>,
    /// Print every finding with its offset instead of groups; other formats always do (up to 1,000 per code and file)
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Debug, clap::Args)]
#[command(mut_arg("paths", |paths| paths.default_values(Vec::<&str>::new())))]
pub(crate) struct FindArgs {
    /// Text or pattern to find; with -e, the first path
    #[arg(value_name = "TEXT", required_unless_present = "regex")]
    pub(crate) pattern: Option<String>,
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Regular expression to find, instead of TEXT; may be given several times
    #[arg(short = 'e', long, value_name = "REGEX")]
    pub(crate) regex: Vec<String>,
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
    pub(crate) words: TextArgs,
    #[command(flatten)]
    pub(crate) csv: CsvArgs,
    /// Match case
    #[arg(long)]
    pub(crate) case: bool,
    /// Search only texts of these kinds: `field` for names of fields, `string` for values of tables; plane, object, record, member,
    /// world, model and so on for names of elements; otherwise the field that holds the text
    #[arg(long, value_delimiter = ',', value_name = "KIND",
        value_parser = clap::builder::PossibleValuesParser::new(what()))]
    pub(crate) what: Vec<String>,
}

impl FindArgs {
    /// With -e, what comes first is a path. Without a path, the current folder is searched.
    pub(crate) fn take_paths(&mut self) {
        let paths = &mut self.input.paths;
        if !self.regex.is_empty() {
            paths.splice(..0, self.pattern.take().map(PathBuf::from));
        }
        if paths.is_empty() {
            paths.push(".".into());
        }
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct DiffArgs {
    /// File or folder
    pub(crate) left: PathBuf,
    /// File or folder to compare with
    pub(crate) right: PathBuf,
    #[command(flatten)]
    pub(crate) open: OpenArgs,
    /// Output format
    #[arg(long, value_enum, default_value_t = DiffFormat::Table)]
    pub(crate) format: DiffFormat,
    /// File for changes, or folder for those of each file [default: standard output]; a file *.ndjson gets those of all files
    #[arg(short, long, value_name = "OUT")]
    pub(crate) out: Option<PathBuf>,
    /// Whether existing files are replaced by those of changes
    #[arg(long, value_enum, default_value_t = Replace::Never, value_name = "WHEN")]
    pub(crate) overwrite: Replace,
    /// What the mod says about itself: name=TEXT, author=TEXT, version=TEXT, game=TEXT
    #[arg(long, value_name = "KEY=TEXT", value_parser = head_option)]
    pub(crate) about: Vec<(HeadKey, String)>,
    #[command(flatten)]
    pub(crate) csv: CsvArgs,
}
