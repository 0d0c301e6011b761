//! The possible values of options.

use std::collections::BTreeSet;

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use worldview::rez::raw::RezHeader;
use worldview::wpd::Generation;
use worldview::wwd::raw::{LevelHeader, PlaneHeader};
pub(crate) use worldview_export::outputs::OutputKind as Kind;

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum MmapChoice {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatChoice {
    /// Text for people
    Table,
    /// One JSON document
    Json,
    /// One JSON object per line, printed as soon as it is known
    Ndjson,
    /// For spreadsheets
    Csv,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffFormat {
    /// Text for people
    Table,
    /// One JSON document
    Json,
    /// One JSON object per line, printed as soon as it is known
    Ndjson,
    /// For spreadsheets
    Csv,
    /// The changes that turn the left side into the right one, for `apply`
    Changes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShowFormat {
    /// Everything, as text for people
    Table,
    /// Everything, as one line of JSON per input
    Json,
    /// Records of tables, objects of levels or members of archives, one JSON object per line
    Ndjson,
    /// The same as CSV
    Csv,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableGeneration {
    /// XIII-1: a word for each field
    G1,
    /// XIII-1: fields share words
    G2,
    /// XIII-2 and Lightning Returns: field names are stored
    G3,
    /// The same, with the lists of types of XIII-1
    G3Prime,
}

impl From<TableGeneration> for Generation {
    fn from(choice: TableGeneration) -> Self {
        match choice {
            TableGeneration::G1 => Self::G1,
            TableGeneration::G2 => Self::G2,
            TableGeneration::G3 => Self::G3,
            TableGeneration::G3Prime => Self::G3Prime,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Replace {
    /// An existing file is an error
    #[default]
    Never,
    /// An existing file is replaced, unless it is an input or read-only
    Always,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DryRun {
    /// A table on a terminal, otherwise changes
    Auto,
    /// Path, old and new value of each change
    Table,
    /// A document of changes, which `apply` takes
    Changes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SummaryFormat {
    /// One JSON document
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Overwrite {
    /// Keep all existing files
    Never,
    /// Replace files whose content changes; skip inputs whose outputs are up to date
    Changed,
    /// Write every file again
    Always,
}

/// Where outputs are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Layout {
    /// A folder for each input: OUT/item.wdb/records.csv
    Folders,
    /// Files beside those of other inputs, OUT/item.csv, and one manifest.ndjson. Members, models, textures and Tiled maps
    /// stay in folders
    Flat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemaFormat {
    /// Text for people
    Table,
    /// JSON
    Json,
    /// A schema file for --schema
    Schema,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PartChoice {
    Header,
    Planes,
    Tiles,
    Objects,
    Attributes,
    Trailer,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum SeverityChoice {
    Curious,
    Suspicious,
    Fatal,
}

impl From<SeverityChoice> for worldview::Severity {
    fn from(choice: SeverityChoice) -> Self {
        match choice {
            SeverityChoice::Curious => Self::Curious,
            SeverityChoice::Suspicious => Self::Suspicious,
            SeverityChoice::Fatal => Self::Fatal,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum FailOn {
    Curious,
    Suspicious,
    Fatal,
    /// Findings never change the exit code
    Never,
}

impl FailOn {
    pub(crate) fn bar(self) -> Option<worldview::Severity> {
        match self {
            Self::Curious => Some(worldview::Severity::Curious),
            Self::Suspicious => Some(worldview::Severity::Suspicious),
            Self::Fatal => Some(worldview::Severity::Fatal),
            Self::Never => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MergeBy {
    /// All tables of a sheet in one file, named after the sheet
    Sheet,
    /// The same, and the tables without a sheet in one file for each set of fields, `layout`
    Layout,
    /// All tables in one workbook, tables.xlsx, with a worksheet for each; needs `--to xlsx`
    Workbook,
}

/// Parses a kind of output.
pub(crate) fn output_kind() -> impl TypedValueParser<Value = Kind> {
    const KINDS: [(Kind, &str); 14] = [
        (Kind::Tmx, "Tiled maps (XML) with tileset pictures"),
        (Kind::Tmj, "Tiled maps (JSON) with tileset pictures"),
        (Kind::Glb, "Models, parts and worlds as binary glTF"),
        (Kind::Preview, "Small pictures of levels"),
        (Kind::Png, "Pictures of the level, its planes and its tile attributes; textures"),
        (Kind::Bmp, "Textures of WORLD.WDB and .tex files as BMP: a texture pack for isle-portable"),
        (Kind::Csv, "Records of tables, and objects and tile attributes of levels, as CSV"),
        (Kind::Xlsx, "The same as workbooks for spreadsheets"),
        (Kind::Ndjson, "The same as NDJSON"),
        (Kind::Parquet, "Records of tables, objects, tile attributes and planes of levels as Parquet"),
        (Kind::Arrow, "The same as Arrow IPC files"),
        (Kind::Json, "Whole tables, levels and databases as JSON"),
        (Kind::Text, "The same as text, as printed by `show`"),
        (Kind::Members, "The members of archives, unchanged"),
    ];
    let values = KINDS.map(|(kind, help)| PossibleValue::new(kind.name()).help(help));
    PossibleValuesParser::new(values).try_map(|name| Kind::named(&name).ok_or("is no kind of output"))
}

/// What a text can be, for `find --what`: a field's name, a string, the name of an element, or a field that holds text.
pub(crate) fn what() -> Vec<&'static str> {
    use worldview::describe::Stored;
    // The fields of fixed structures follow from their declarations.
    const OTHERS: [&str; 29] = [
        "actor",
        "animation",
        "author",
        "color_name",
        "comment",
        "description",
        "entry",
        "extension",
        "favourite",
        "field",
        "image_set",
        "logic",
        "map_version",
        "material",
        "member",
        "model",
        "name",
        "node",
        "object",
        "part",
        "plane",
        "presenter",
        "record",
        "roi",
        "sheet_name",
        "string",
        "texture",
        "wapmap_version",
        "world",
    ];
    let fields = [LevelHeader::FIELDS, PlaneHeader::FIELDS, RezHeader::FIELDS].into_iter().flatten();
    let texts =
        fields.filter(|field| matches!(field.stored, Stored::Text(_) | Stored::Padded(_))).map(|field| field.name);
    let all: BTreeSet<_> = texts.chain(OTHERS).collect();
    all.into_iter().collect()
}
