//! The possible values of the command's own options.

use clap::ValueEnum;

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
pub(crate) enum GroupBy {
    /// A line for each broken file, the worst first
    File,
    /// The findings of each code, with the first few places
    Code,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EditFormat {
    /// Path, old and new value of each change
    Table,
    /// A changes file, which `apply` takes
    Changes,
    /// A report as JSON
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SummaryFormat {
    /// One JSON document
    Json,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    Always,
    Never,
}
