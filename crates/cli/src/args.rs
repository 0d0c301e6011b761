//! The command-line arguments as parsed by clap, including the help texts.

mod choices;

use std::path::PathBuf;

use clap::{Parser, Subcommand};
use worldview_export::model::glb::LodChoice;

use crate::only::Term;

use choices::EncodingChoice;
pub(crate) use choices::{
    Colour, FailOn, FormatChoice, Kind, MmapChoice, Overwrite, PartChoice, SchemaFormat, SeverityChoice, ShowFormat,
    SummaryFormat,
};

/// Looks into, checks and exports the data files of games: archives and tables of Final Fantasy XIII, XIII-2 and
/// Lightning Returns, levels of Claw, Gruntz and Get Medieval, WORLD.WDB of LEGO Island.
#[derive(Debug, Parser)]
#[command(
    name = "worldview",
    version,
    after_help = "\
Exit codes: 0 all done; 1 `check` found something as bad as --fail-on, `diff` a difference, \
or `find` nothing; 2 the command line is \
wrong; 3 some inputs failed, the others are done; 4 an output cannot be written, or standard input cannot be read. 2 \
goes before 4, 4 before 3, 3 before 1."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) verb: Verb,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// What every verb has.
#[derive(Debug, clap::Args)]
pub(crate) struct RunArgs {
    /// How many threads to work on; 0 is as many as the machine has
    #[arg(long, global = true, default_value_t = 0, value_name = "COUNT", help_heading = "Running",
        value_parser = clap::value_parser!(u16).range(0..=256))]
    pub(crate) threads: u16,

    /// Say nothing on standard error but what fails
    #[arg(short, long, global = true, help_heading = "Running")]
    pub(crate) quiet: bool,

    /// Say of each file that it is done, or passed over
    #[arg(short, long, global = true, conflicts_with = "quiet", help_heading = "Running")]
    pub(crate) verbose: bool,

    /// Whether messages are coloured
    #[arg(long, global = true, value_enum, default_value_t = Colour::Auto, value_name = "WHEN", help_heading = "Running")]
    pub(crate) color: Colour,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Say what a file is and what is in it
    #[command(after_help = "\
Examples:
  worldview info LEVEL1.WWD
  worldview info wdbpack.bin/r_quest.wdb
  worldview info WORLD.WDB --only world=ACT1")]
    Info(InfoArgs),
    /// List levels, tables, archives and databases, a line each
    #[command(after_help = "\
Examples:
  worldview list levels/ --format json
  worldview list db/resident")]
    List(ListArgs),
    /// Dump everything in a file, every field of every part, as text or JSON
    #[command(after_help = "\
A path may go on inside an archive: wdbpack.bin/r_quest.wdb is a member, and one more name a record of it.

Examples:
  worldview show item.wdb --record it_potion --field uPurchasePrice,uSellPrice
  worldview show wdbpack.bin/r_quest.wdb --format csv > r_quest.csv
  worldview show WORLD.WDB --only 'isle*' --full
  worldview show LEVEL1.WWD
  worldview show LEVEL1.WWD --part objects
  worldview show - --format json < LEVEL1.WWD")]
    Show(ShowArgs),
    /// Look for what is broken, suspicious or odd
    #[command(after_help = "\
Examples:
  worldview check levels/
  worldview check MYLEVEL.WWD --fail-on fatal --min suspicious")]
    Check(CheckArgs),
    /// Say where each field of a table lies, and what it holds
    #[command(after_help = "\
Examples:
  worldview schema item.wdb
  worldview schema unknown.wdb --format schema > mine.txt    (name the fields there, then use --schema mine.txt)")]
    Schema(SchemaArgs),
    /// Find text: names of records, objects, textures, worlds, whatever a file calls something
    #[command(after_help = "\
Upper and lower case are the same unless --case; `*` and `?` stand for any letters, and the pattern is then for the whole
text.

Examples:
  worldview find OFFICER levels/
  worldview find 'it_*' db/ --format csv
  worldview find isle WORLD.WDB --what texture,model")]
    Find(FindArgs),
    /// Say how two files, or two folders, differ in what they mean: fields, objects, records, models
    #[command(after_help = "\
Files are compared by what is in them, not by their bytes: a packed level equals the same one stored plain. Folders are
compared file by file, by their names.
Exit code 1 says that there are differences.

Examples:
  worldview diff LEVEL1.WWD LEVEL1_mine.WWD
  worldview diff db/ db_modded/ --format json")]
    Diff(DiffArgs),
    /// Write tables, archive members, Tiled maps, pictures and models
    #[command(after_help = "\
Each table becomes a folder, OUT/<source path>/, with
  records.csv, .ndjson, .parquet, .arrow    the records; arrays.* the arrays of strings, if there are any
  table.json, table.txt                     everything
Each archive becomes a folder with its members as they are in members/, and a folder for each table or archive in it.

Each level becomes a folder, OUT/<source path>/, where the source path of a file is its name, and that of a file \
found in a folder is the folder's name and the way from there. In it:
  map.tmx, map.tmj          the planes with the main plane's tile size; map-32x32.* those with another one
  level.tiled-project       the defaults of what the maps leave out
  tilesets/NAME.png         a picture for each image set
  level.png                 the whole level; planes/NN-NAME.png each plane; attributes.png the tile attributes
  objects.csv, .ndjson, .parquet, .arrow    the objects; attributes.* the tile attributes
  planes.parquet, .arrow    the planes with their tiles
  level.json, level.txt     everything

WORLD.WDB becomes a folder, OUT/<source path>/, with
  worlds/NAME.glb           each world, every model in its place
  models/NAME.glb           each model alone; parts/NAME.glb each part
  textures/NAME.png         each picture; of a pair, NAME.low.png is the one of low quality
  world.json, world.txt     everything
The same picture or the same bytes under several names are written once.

Previews are preview.png of a level, and previews/ of WORLD.WDB with a picture of each world, model and part. Every folder has a
manifest.json that says where each file comes from. The page of --html is OUT/index.html.

Examples:
  worldview export levels/ -o out
  worldview export WORLD.WDB -o out --only world=ACT1 --to glb --lod best
  worldview export LEVEL1.WWD -o out --to tmx,png --tiles pictures/LEVEL1
  worldview export 'game/**/*.wdb' -o out --to parquet --dry-run")]
    Export(ExportArgs),
    /// Print the completions of a shell
    #[command(after_help = "\
Examples:
  worldview completions bash > ~/.local/share/bash-completion/completions/worldview
  worldview completions fish > ~/.config/fish/completions/worldview.fish")]
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write those of all verbs to a folder
    #[command(after_help = "\
Examples:
  worldview man | man -l -
  worldview man --out ~/.local/share/man/man1")]
    Man {
        /// Write a page for each verb to this folder
        #[arg(short, long, value_name = "FOLDER")]
        out: Option<PathBuf>,
    },
}

#[derive(Debug, clap::Args)]
pub(crate) struct InputArgs {
    /// Files, members of archives (`pack.bin/items.wdb`), folders (searched through and through), patterns
    /// (`'db/**/*.wdb'`), or `-` for standard input
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) open: OpenArgs,
}

/// The heading in the help for options about opening files.
const OPENING: &str = "Opening files";

/// How files are opened.
#[derive(Debug, clap::Args)]
pub(crate) struct OpenArgs {
    /// Whether files are memory-mapped: `auto` maps those of 1 MiB and more, `never` is for files that other programs
    /// may change or shorten meanwhile
    #[arg(long, help_heading = OPENING, value_enum, default_value_t = MmapChoice::Auto, value_name = "WHEN")]
    pub(crate) mmap: MmapChoice,

    /// What a packed level may inflate to, in bytes; the default is 400 times its size, but at least 64 MiB and at most
    /// 1 GiB
    #[arg(long, help_heading = OPENING, value_name = "BYTES")]
    pub(crate) max_inflate: Option<u64>,

    /// Open WPD archives whose header was overwritten, as a common extractor leaves them
    #[arg(long, help_heading = OPENING)]
    pub(crate) recover: bool,

    /// Field names for tables that have none: a schema file, which goes before the built-in ones
    #[arg(long, help_heading = OPENING, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,

    /// How deep archives inside archives are opened
    #[arg(long, help_heading = OPENING, default_value_t = worldview::wpd::Nesting::DEEPEST, value_name = "DEPTH",
        value_parser = clap::value_parser!(u32).range(..=64))]
    pub(crate) max_depth: u32,

    /// Only what has this name (`*` and `?` stand for any letters, upper or lower case are the same): files, members
    /// of archives, and what is in WORLD.WDB; or a path in WORLD.WDB as `find` prints it, such as `world:ACT1`,
    /// `world:ACT1/model:isle`, `blob#12` or `global_parts/part:lamp`; or `kind=` with level, table, archive, world, model,
    /// part or texture; of several of one kind any, of different kinds all. `list` lists whole files all the same, `show`
    /// whole blobs
    #[arg(long, help_heading = OPENING, value_delimiter = ',', value_name = "WHAT")]
    pub(crate) only: Vec<Term>,

    /// Code page of the texts in levels and of the names in WORLD.WDB, which do not say
    #[arg(long, help_heading = OPENING, value_enum, default_value_t = EncodingChoice::Windows1252, value_name = "PAGE")]
    pub(crate) encoding: EncodingChoice,
}

#[derive(Debug, clap::Args)]
pub(crate) struct InfoArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// How to print it
    #[arg(long, value_enum, default_value_t = FormatChoice::Table)]
    pub(crate) format: FormatChoice,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// How to print it
    #[arg(long, value_enum, default_value_t = FormatChoice::Table)]
    pub(crate) format: FormatChoice,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ShowArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// How to print it
    #[arg(long, value_enum, default_value_t = ShowFormat::Table)]
    pub(crate) format: ShowFormat,
    /// Only these records of tables
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    pub(crate) record: Vec<String>,
    /// Only these fields of records
    #[arg(long, value_delimiter = ',', value_name = "FIELD")]
    pub(crate) field: Vec<String>,
    /// Of WORLD.WDB, the geometry, keys and pixels as well; of tables and archives, the bytes of sections and members
    #[arg(long)]
    pub(crate) full: bool,
    /// Only these parts of levels, in the text form
    #[arg(long, value_enum, value_delimiter = ',', value_name = "PART")]
    pub(crate) part: Vec<PartChoice>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct SchemaArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// How to print it
    #[arg(long, value_enum, default_value_t = SchemaFormat::Table)]
    pub(crate) format: SchemaFormat,
}

#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// How to print it
    #[arg(long, value_enum, default_value_t = FormatChoice::Table)]
    pub(crate) format: FormatChoice,
    /// From which severity on a finding makes the exit code 1; many good levels have duplicate ids, which are
    /// suspicious
    #[arg(long, value_enum, default_value_t = FailOn::Suspicious, value_name = "SEVERITY")]
    pub(crate) fail_on: FailOn,
    /// From which severity on findings are printed
    #[arg(long, value_enum, default_value_t = SeverityChoice::Curious, value_name = "SEVERITY")]
    pub(crate) min: SeverityChoice,
}

#[derive(Debug, clap::Args)]
pub(crate) struct FindArgs {
    /// What to look for
    #[arg(value_name = "TEXT")]
    pub(crate) pattern: String,
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// How to print it
    #[arg(long, value_enum, default_value_t = FormatChoice::Table)]
    pub(crate) format: FormatChoice,
    /// Upper and lower case are different
    #[arg(long)]
    pub(crate) case: bool,
    /// Only in texts of these kinds: names of parts by what they are (plane, object, record, member, world, model, texture,
    /// …), values of tables as string, other texts by their field (logic, image_set, author, …)
    #[arg(long, value_delimiter = ',', value_name = "KIND")]
    pub(crate) what: Vec<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct DiffArgs {
    /// A file or a folder
    pub(crate) left: PathBuf,
    /// Another of the same kind
    pub(crate) right: PathBuf,
    #[command(flatten)]
    pub(crate) open: OpenArgs,
    /// How to print it
    #[arg(long, value_enum, default_value_t = FormatChoice::Table)]
    pub(crate) format: FormatChoice,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// The folder to write to; made if missing
    #[arg(short, long, value_name = "FOLDER")]
    pub(crate) out: PathBuf,
    /// What to write
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = [Kind::Csv, Kind::Glb, Kind::Members, Kind::Tmx, Kind::Png], value_name = "KIND")]
    pub(crate) to: Vec<Kind>,
    /// What happens to files that are there already
    #[arg(long, value_enum, default_value_t = Overwrite::Changed, value_name = "WHEN")]
    pub(crate) overwrite: Overwrite,
    /// Write nothing; print what would be written
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// One page with a picture or a table of everything as well: OUT/index.html
    #[arg(long)]
    pub(crate) html: bool,
    /// How to print what was done, on standard output
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<SummaryFormat>,
    /// Pixels a tile in pictures; by default as many as fit 4,096 pixels
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=4096), value_name = "PIXELS")]
    pub(crate) scale: Option<u32>,
    /// The largest picture, in pixels; all pictures of a level may have twice as many together
    #[arg(long, default_value_t = 1 << 28, value_name = "PIXELS")]
    pub(crate) max_pixels: u64,
    /// How many files are made of one input, which can have a million parts [default: 16384, and fewer of a small one]
    #[arg(long, value_name = "COUNT")]
    pub(crate) max_files: Option<u64>,
    /// How many bytes all of them have
    #[arg(long, default_value_t = 1 << 32, value_name = "BYTES")]
    pub(crate) max_output: u64,
    /// A folder of PNG files named by frame number, in subfolders named by image set or not, to draw the tiles with; or
    /// one with such a folder for each level, by its tile directory: LEVEL1/TILES/ACTION/001.png
    #[arg(long, value_name = "FOLDER")]
    pub(crate) tiles: Option<PathBuf>,
    /// Which levels of detail of models: `best`, `all` (the best is shown, the others are kept), or one by its number,
    /// 0 for the lowest; the best of objects that have not so many
    #[arg(long, default_value = "all", value_parser = lod_choice, value_name = "LOD")]
    pub(crate) lod: LodChoice,
    /// Leave out the marks that stand for objects in pictures
    #[arg(long)]
    pub(crate) no_marks: bool,
    /// Draw levels with a color for each tile number instead of the tile attributes, where there are no pictures for
    /// --tiles
    #[arg(long)]
    pub(crate) tile_colors: bool,
    /// Write every property of every object and tile to Tiled maps, and layers as plain numbers, instead of what
    /// differs from the defaults in level.tiled-project
    #[arg(long)]
    pub(crate) full: bool,
}

fn lod_choice(text: &str) -> Result<LodChoice, String> {
    match text {
        "all" => Ok(LodChoice::All),
        "best" => Ok(LodChoice::Best),
        number => number.parse().map(LodChoice::Level).map_err(|_| "expected best, all or a number".into()),
    }
}
