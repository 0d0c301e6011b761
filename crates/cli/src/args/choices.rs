//! The possible values of options.

use clap::ValueEnum;

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum MmapChoice {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum EncodingChoice {
    #[value(name = "windows-1252", alias = "1252")]
    Windows1252,
    #[value(name = "windows-1250", alias = "1250")]
    Windows1250,
}

impl From<EncodingChoice> for worldview_export::Encoding {
    fn from(choice: EncodingChoice) -> Self {
        match choice {
            EncodingChoice::Windows1252 => Self::Windows1252,
            EncodingChoice::Windows1250 => Self::Windows1250,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatChoice {
    /// For people
    Table,
    /// For programs: one document
    Json,
    /// For programs: a line for each thing, as soon as it is there
    Ndjson,
    /// For spreadsheets
    Csv,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShowFormat {
    /// For people: everything
    Table,
    /// For programs: everything, a document in one line
    Json,
    /// For programs: records of tables, objects of levels, members of archives, a line each
    Ndjson,
    /// The same for spreadsheets
    Csv,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SummaryFormat {
    /// One document
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Overwrite {
    /// Files that are there stay as they are
    Never,
    /// Files that are there and would be the same stay as they are; inputs whose outputs are all there are not done again
    Changed,
    /// Every file is written anew
    Always,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemaFormat {
    /// For people
    Table,
    /// For programs
    Json,
    /// As a schema file, for --schema
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
pub(crate) enum Kind {
    /// Tiled maps, XML, with tileset pictures
    Tmx,
    /// Tiled maps, JSON, with tileset pictures
    Tmj,
    /// Models, parts and worlds, for any program that knows glTF
    Glb,
    /// Small pictures of levels, models, parts and worlds
    Preview,
    /// Pictures of the level, its planes and its tile attributes; textures
    Png,
    /// Records of tables, objects and tile attributes of levels as CSV
    Csv,
    /// The same as NDJSON
    Ndjson,
    /// Records of tables, objects, tile attributes and planes of levels as Parquet
    Parquet,
    /// The same as Arrow IPC files
    Arrow,
    /// Whole tables, levels and databases as JSON
    Json,
    /// The same as text, as `show` prints them
    Text,
    /// The members of archives, as they are
    Members,
}

impl Kind {
    /// All kinds, in the order in which they are written.
    pub(crate) const ALL: [Self; 12] = [
        Self::Members,
        Self::Tmx,
        Self::Tmj,
        Self::Glb,
        Self::Preview,
        Self::Png,
        Self::Csv,
        Self::Ndjson,
        Self::Parquet,
        Self::Arrow,
        Self::Json,
        Self::Text,
    ];
}
