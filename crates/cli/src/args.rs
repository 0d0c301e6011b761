//! The command-line arguments as parsed by clap, including the help texts.

mod choices;
mod edit;
mod help;
mod of;
mod read;

use std::io;
use std::path::PathBuf;

use clap::builder::{PathBufValueParser, TypedValueParser as _, ValueParser};
use clap::{ArgMatches, Error, FromArgMatches as _, Parser, Subcommand};
use worldview_verbs::Blank;
use worldview_verbs::options::RunOptions;

pub(crate) use choices::{Color, DiffFormat, EditFormat, FormatChoice, GroupBy, SummaryFormat};
pub(crate) use edit::{ApplyArgs, BuildArgs, ChangesArgs, ChangesVerb, EditArgs, RepairArgs, RestoreArgs, SetArgs};
pub(crate) use help::{command, parse};
pub(crate) use of::Of;
#[cfg(feature = "view")]
pub(crate) use read::ViewArgs;
pub(crate) use read::{CheckArgs, DiffArgs, ExportArgs, FindArgs, InfoArgs, ListArgs, SchemaArgs, ShowArgs};

/// Inspects, checks, converts and edits game data: tables and archives of Final Fantasy XIII, XIII-2 and Lightning Returns,
/// levels of Claw, Gruntz and Get Medieval, and LEGO Island's WORLD.WDB.
#[derive(Debug, Parser)]
#[command(
    name = "worldview",
    version,
    after_help = "\
`worldview FILE` is `worldview info FILE`.

  worldview help paths      paths into files, and patterns
  worldview help options    options of several commands, limits, exit codes"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) verb: Verb,
    #[arg(skip)]
    pub(crate) run: RunArgs,
}

/// How a verb runs. Each verb has those of these options that mean something for it.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) options: Of<RunOptions>,

    /// Suppress all messages except errors
    #[arg(short, long, help_heading = "Running")]
    pub(crate) quiet: bool,

    /// Print each file as it is processed or skipped
    #[arg(short, long, conflicts_with = "quiet", help_heading = "Running")]
    pub(crate) verbose: bool,

    /// Write a JSON report of the run to this file, with the status of each input; replaces an existing report
    #[arg(long, value_name = "FILE", help_heading = "Running")]
    pub(crate) report: Option<PathBuf>,

    /// When to color messages
    #[arg(long, value_enum, default_value_t = Color::Auto, value_name = "WHEN", help_heading = "Running")]
    pub(crate) color: Color,
}

impl RunArgs {
    /// Returns the options that a verb has, and the defaults of the others.
    fn of(matches: &ArgMatches) -> Result<Self, Error> {
        fn given<T: Clone + Send + Sync + 'static>(matches: &ArgMatches, id: &str) -> Option<T> {
            matches.try_contains_id(id).is_ok().then(|| matches.get_one(id).cloned()).flatten()
        }
        Ok(Self {
            options: Of::from_arg_matches(matches)?,
            quiet: given(matches, "quiet").unwrap_or_default(),
            verbose: given(matches, "verbose").unwrap_or_default(),
            report: given(matches, "report"),
            color: given(matches, "color").unwrap_or_default(),
        })
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Summarize files: format, sizes, counts
    #[command(after_help = "\
Examples:
  worldview info LEVEL1.WWD
  worldview info wdbpack.bin/r_quest.wdb
  worldview info WORLD.WDB/world:ACT1")]
    Info(InfoArgs),
    /// List levels, tables, archives and databases, one per line
    #[command(after_help = "\
Examples:
  worldview list levels/
  worldview list levels/ --format json
  worldview list db/resident")]
    List(ListArgs),
    /// Print every field of every part of a file, as text, JSON or CSV; bulk data needs --full
    #[command(after_help = "\
A path can continue inside a file and contain patterns: wdbpack.bin/r_quest.wdb is a member of an archive, and a name
after it is a record.
With several inputs, the output names the file before each part.

Examples:
  worldview show 'item.wdb/it_potion'
  worldview show 'item.wdb/it_*/u*Price'
  worldview show wdbpack.bin/r_quest.wdb --format csv > r_quest.csv
  worldview show WORLD.WDB/blob:isle --full
  worldview show LEVEL1.WWD
  worldview show 'LEVEL1.WWD/plane:Action/object:*/{x,y,logic}'
  worldview show - --format json < LEVEL1.WWD")]
    Show(ShowArgs),
    /// Find what is broken, suspicious or unusual
    #[command(after_help = "\
Findings are fatal (the game refuses the file or crashes), suspicious (probably a mistake) or curious (unusual but
harmless). For several files, prints one line per file with fatal or suspicious findings, worst first, and counts curious
findings by code; --min curious lists files with only curious findings as well.

Examples:
  worldview check levels/
  worldview check levels/ --group-by code
  worldview check MYLEVEL.WWD --all
  worldview check MYLEVEL.WWD --fail-on suspicious --min suspicious")]
    Check(CheckArgs),
    /// Print where each field of a table is stored, and its type
    #[command(after_help = "\
Examples:
  worldview schema item.wdb
  worldview schema unknown.wdb --format schema > mine.txt
  worldview show unknown.wdb --schema mine.txt        # with the names edited")]
    Schema(SchemaArgs),
    /// Search names of records, fields, objects, textures and worlds, and all other text
    #[command(after_help = "\
The search ignores case unless --case is given. TEXT without wildcards is found anywhere; with `*` (any characters)
or `?` (one character), the pattern must match the whole text. A regular expression (-e) matches anywhere in the decoded text.
The name of a field is reported once for each kind of element, where it first occurs. `set` takes the paths that are
printed.

Examples:
  worldview find OFFICER levels/
  worldview find 'it_*' db/ --format csv
  worldview find uPurchasePrice db/ -l
  worldview find -e '^it_.*potion$' db/ -c
  worldview find isle WORLD.WDB --in names
  worldview find potion 'db/**/*.wdb/*/sName*'")]
    Find(FindArgs),
    /// Compare the contents of two files or folders: fields, objects, records, models
    #[command(after_help = "\
Files are compared by content, not byte by byte: a compressed level equals the same level stored uncompressed. In
folders, files with the same relative path are compared. The exit code is 1 if there are differences.

--format changes prints the changes that turn LEFT into RIGHT, for `worldview apply`. For folders, -o FOLDER writes
NAME.changes.json for each file NAME that differs; -o NAME.ndjson, or standard output, gets a mod: an optional --about
line, then one line per file. Files in a folder _NAME of RIGHT are compared with the members of the archive NAME;
what such a folder lacks is not compared.

Examples:
  worldview diff LEVEL1.WWD LEVEL1_mine.WWD
  worldview diff db/ db_modded/ --format json
  worldview diff item.wdb item_mine.wdb --format changes > mod.json
  worldview diff db mine --format changes -o mod.ndjson --about 'Cheap, by Ada'")]
    Diff(DiffArgs),
    /// Set field values
    #[command(after_help = "\
PATH is the path of a field, as `find`, `diff` and `check` print it: it_potion/uPurchasePrice in a table,
r_quest.wdb/q_001/sName in an archive, header/start_x, plane:Action/object:17/logic or plane:Action/tile:3,5 in a level.
An object is named by its id, with #n if several objects share it (object:17#1), as in the column `object` of objects.csv.
In PATH, * and ? select all fields that match. Escape =, /, #, :, @, * and ? in names with a backslash. If INPUT is a
folder or has patterns, every PATH is matched in each file; for a folder, PATH may also begin with the name of a file in
it.

VALUE is read according to the type of the field: numbers are decimal or hexadecimal (0x1F), text is used as it is. A
VALUE that begins with a quote, a bracket or a brace is JSON: \"0x1F\" is a text, [0,0,64,64] a rectangle,
{\"bits\": \"0x7fc00000\"} a float by its bits, {\"bytes\": \"ff00\"} bytes.

PATH|=UPDATE makes the new value from the old one: *1.5, /3, +10 and -10 calculate, and round integers to the nearest;
s/REGEX/TEXT/ replaces the first match in a text; append g to replace all, i to ignore case.

Examples:
  worldview set item.wdb it_potion/uPurchasePrice=10 -o new/item.wdb
  worldview set LEVEL1.WWD plane:Action/object:17/points=500 --in-place
  worldview set wdbpack.bin/r_quest.wdb 'q_001/sName=$q_new' --dry-run
  worldview set item.wdb '*/u*Price|=*0.5' '*/sHelp*|=s/food/bread/' --dry-run
  worldview set levels/ 'plane:*/object:*/points|=+100' -o harder")]
    Set(SetArgs),
    /// Apply changes to a file or folder
    #[command(after_help = "\
A SOURCE is a changes file, as `diff --format changes` writes it, or an edited export: records.csv, objects.csv,
attributes.csv, table.xlsx, level.xlsx, a document such as table.json, level.json or world.json, map.tmx, map.tmj, a file of
members/, the PNG of a texture or of a PID, RID, PCX or BMP picture, models/*.glb, parts/*.glb or worlds/*.glb.
Several are merged; if two disagree about a value, the file is not written. All paths in them refer to the original.
`-` reads changes from standard input, for a folder those of a mod; files beside them are in the current folder.

With a file as INPUT, OUT is a file, or a folder that gets a file of the same name. A SOURCE may then be a folder that
contains NAME.changes.json for a file NAME, or the folder that `export` wrote for it.
With a folder as INPUT, each SOURCE is a mod (mod.ndjson), the workbook of `export --merge workbook`, or a folder that
mirrors INPUT and has NAME.changes.json or an export for each file to edit. OUT gets the edited files at their relative
paths; files without changes are not copied.

Each file is written completely or not at all. If a change of a file cannot be applied, this file is not written, the
others are, and the exit code is 3.

Examples:
  worldview apply item.wdb mod.json -o new/item.wdb
  worldview apply item.wdb out/item.wdb/records.csv -o new/item.wdb
  worldview apply db/ mod/ -o new
  worldview apply item.wdb mod.json --dry-run")]
    Apply(ApplyArgs),
    /// Make a new file from a document, a sheet or a folder
    #[command(after_help = "\
SOURCE is what `export` and `show` write:
  table.json, level.json, ...    documents of `export --to json`, or of
                                 `show --full --format json`; of PID, RID, PCX
                                 and BMP pictures only the latter
  records.csv                    a table: the columns are its fields
  map.tmx, map.tmj               a level: each tile layer is a plane
  a folder with one of these     also what lies beside it: records.csv for
                                 table.json; members/ for archive.json;
                                 textures/*.png for textures.json, world.json;
                                 edited models/*.glb, parts/*.glb and
                                 worlds/*.glb for world.json
  any other folder               an archive of its files: a REZ archive if FILE
                                 ends in .rez, else a WPD archive
  blank:claw:40x20               an empty level of 40 by 20 tiles
  blank:gruntz:50x50:AREA2       the same for Gruntz, with the tiles of AREA2

Offsets, sizes, counts and checksums follow from the contents. Anything the new file cannot represent is refused; FILE
is then not written, and the exit code is 3.

Examples:
  worldview build out/GAME.REZ -o NEW.REZ   (after `export --to members`)
  worldview build level.json -o new.wwd     (after `show --full --format json`)
  worldview build out/WORLD.WDB -o NEW.WDB  (after `export --to json,png`)
  worldview build lamps.csv --sheet-name Lamps -o lamps.wdb
  worldview build blank:claw:40x20 --game CLAW.REZ -o MyLevel.wwd")]
    Build(BuildArgs),
    /// Repair damaged files
    #[command(after_help = "\
Restores what can be derived from the rest of a file: the header and the first entries of a WPD archive that an
extractor has overwritten, and a checksum of a level that matches no rule. Guesses are printed. Files without such
damage are not written.

If a repaired file still has fatal findings, they are printed, and the exit code is 3.

Examples:
  worldview repair r_item.wdb -o repaired/r_item.wdb
  worldview repair db/ -o repaired
  worldview repair db/ --dry-run")]
    Repair(RepairArgs),
    /// Restore a file from its newest backup, or undo the last edit of a folder
    #[command(after_help = "\
The newest backup is the one with the highest number: NAME.bak2 before NAME.bak1 before NAME.bak. The file that it
replaces becomes the next backup, so restoring a file a second time brings the edited version back.

For a folder, undoes the last `set --in-place` or `apply --in-place` over it, as recorded in .worldview-edits.ndjson;
repeat to undo the run before that. Files that were changed since are named and stay as they are, and the exit code
is 3; the next `restore` tries them again, and goes on to the run before if none of them can be restored.

Examples:
  worldview restore item.wdb
  worldview restore db --dry-run")]
    Restore(RestoreArgs),
    /// Invert or merge changes files
    #[command(after_help = "\
Examples:
  worldview changes invert mod.json -o undo.json
  worldview changes merge prices.json names.json -o mod.json")]
    Changes(ChangesArgs),
    /// Convert to CSV, Parquet, Tiled maps, PNG and glTF, and extract archives
    #[command(after_help = "\
Each input gets a folder, OUT/<source path>/. The source path of a file is its name; that of a file found in a folder
is the folder's name plus the relative path.

--to names the files of each kind. Members of archives keep their bytes, in members/; a nested table, archive or level has a
folder of its own, at its path inside. Identical pictures and identical blobs are written once. Every folder has a
manifest.ndjson that records where each file comes from.

Files get their names when they are complete, so an interrupted run leaves no partial file; rerun the command to resume.

Examples:
  worldview export levels/ -o out
  worldview export WORLD.WDB/world:ACT1 -o out --to glb --lod best
  worldview export 'CLAW.REZ/LEVEL*' -o out
  worldview export LEVEL1.WWD -o out --to tmx,png --game CLAW.REZ
  worldview export 'game/**/*.wdb' -o out --to parquet --merge sheet")]
    Export(ExportArgs),
    /// Show files and folders in the browser
    #[cfg(feature = "view")]
    #[command(after_help = "\
The viewer serves a page on this machine, opens the browser and runs until Ctrl-C. The page shows models and worlds with
their animations, levels, tables, pictures and all bytes, searches everything, and compares two files or two folders.
The given files are never written: edits are saved as a changes file, or as an edited copy.

The address contains a token that works once, in the browser that opens it first. Nothing is served to other users or
machines, and nothing outside the given paths.

Examples:
  worldview view CLAW.REZ
  worldview view item.wdb/it_potion
  worldview view LEVEL1.WWD --game CLAW.REZ
  worldview view item.wdb item_mine.wdb")]
    View(ViewArgs),
    /// Print shell completions
    #[command(
        hide = true,
        after_help = "\
Examples:
  source <(worldview completions bash)                      (in ~/.bashrc)
  worldview completions fish > ~/.config/fish/completions/worldview.fish"
    )]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write one per command to a folder
    #[command(
        hide = true,
        after_help = "\
Examples:
  worldview man | man -l -
  worldview man --out ~/.local/share/man/man1"
    )]
    Man {
        /// Write a page for each command to this folder
        #[arg(short, long, value_name = "FOLDER")]
        out: Option<PathBuf>,
    },
}

impl Verb {
    /// Completes the options with what is the command's own.
    pub(crate) fn complete(&mut self) {
        match self {
            Self::Find(verb) => verb.take_paths(),
            Self::Changes(ChangesArgs { verb: ChangesVerb::Invert { original, options, .. } }) => {
                options.original = original.take();
            }
            _ => {}
        }
    }

    /// Whether it prints a summary on standard error, or runs until Ctrl-C.
    pub(crate) fn has_summary(&self) -> bool {
        match self {
            Self::Info(_) | Self::Show(_) | Self::Schema(_) | Self::Changes(_) => false,
            Self::Completions { .. } | Self::Man { .. } => false,
            Self::Restore(args) => args.path.is_dir(),
            _ => true,
        }
    }
}

#[derive(Clone, Debug, clap::Args)]
#[group(skip)]
pub(crate) struct InputArgs {
    /// Files, archive members (`pack.bin/items.wdb`), folders (searched recursively), glob patterns (`'db/**/*.wdb'`), or
    /// `-` for standard input
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) paths: Vec<PathBuf>,
}

/// A path that leads somewhere, or `-` for standard input.
fn existing_or_stdin() -> ValueParser {
    let path = PathBufValueParser::new().try_map(|path| if path.as_os_str() == "-" { Ok(path) } else { found(path) });
    ValueParser::new(path)
}

/// A path that exists, or the description of an empty level.
fn existing_or_blank() -> ValueParser {
    let path = PathBufValueParser::new().try_map(|path| match Blank::of_source(&path) {
        Some(blank) => blank.map(|_| path).map_err(io::Error::other),
        None => found(path),
    });
    ValueParser::new(path)
}

fn found(path: PathBuf) -> io::Result<PathBuf> {
    match path.metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(error),
        _ => Ok(path),
    }
}
