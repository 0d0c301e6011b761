//! The possible values of the command's own options.

use clap::ValueEnum;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatChoice {
    /// Human-readable text
    Table,
    /// One JSON document
    Json,
    /// One JSON object per line, written as results arrive
    Ndjson,
    /// For spreadsheets
    Csv,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffFormat {
    /// Human-readable text
    Table,
    /// One JSON document
    Json,
    /// One JSON object per line, written as results arrive
    Ndjson,
    /// For spreadsheets
    Csv,
    /// The changes that turn the left side into the right one, for `apply`
    Changes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GroupBy {
    /// One line per file with findings, worst first
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
