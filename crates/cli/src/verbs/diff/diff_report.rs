//! The differences between two files, as printed.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Value;
use worldview_inspect::diff::{Difference, Side};

use crate::args::DiffFormat;
use crate::sheet::{self, Sheet};
use crate::table::shown;

/// Two files, or a file that only one side has.
#[derive(Serialize)]
pub(super) struct Compared {
    pub(super) left: Option<String>,
    pub(super) right: Option<String>,
    /// `changed`, `added`, `removed` or `same`.
    pub(super) change: &'static str,
    pub(super) differences: Vec<PrintedDifference>,
    /// The number of differences that are not reported.
    pub(super) more: u64,
}

/// A difference as printed.
#[derive(Serialize)]
pub(super) struct PrintedDifference {
    change: &'static str,
    place: String,
    field: Option<String>,
    left: Option<Value>,
    right: Option<Value>,
    count: u64,
    #[serde(skip)]
    text: String,
}

/// A difference as a row of a CSV file.
#[derive(Default, Serialize)]
struct Row<'r, S> {
    left_path: Option<&'r str>,
    right_path: Option<&'r str>,
    change: &'r str,
    place: &'r str,
    field: Option<&'r str>,
    left: Option<S>,
    right: Option<S>,
    count: u64,
}

/// Maximum number of differences reported per pair of files.
const MAX_DIFFERENCES: usize = 10_000;

impl Compared {
    pub(super) fn note(&mut self, difference: &Difference<'_>) {
        if self.differences.len() >= MAX_DIFFERENCES {
            self.more += 1;
            return;
        }
        let text = difference.to_string();
        let Difference { change, path, field, left, right, count } = *difference;
        // A side is a plain value, which can always be converted to JSON.
        let side = |side: Option<Side<'_>>| side.and_then(|side| serde_json::to_value(side).ok());
        self.differences.push(PrintedDifference {
            change: change.name(),
            place: path.to_string(),
            field: field.map(str::to_owned),
            left: side(left),
            right: side(right),
            count,
            text,
        });
    }

    /// Returns the differences as rows, with the sides converted by `side`.
    fn rows<'r, S>(&'r self, side: impl Fn(&'r Value) -> S) -> impl Iterator<Item = Row<'r, S>> {
        let (left_path, right_path) = (self.left.as_deref(), self.right.as_deref());
        let whole = self.differences.is_empty() && self.change != "same";
        let whole = whole.then_some(Row {
            left_path,
            right_path,
            change: self.change,
            place: "",
            field: None,
            left: None,
            right: None,
            count: 1,
        });
        // What is not listed is counted.
        let more = (self.more > 0).then_some(Row {
            left_path,
            right_path,
            change: "not listed",
            place: "",
            field: None,
            left: None,
            right: None,
            count: self.more,
        });
        let listed = whole.into_iter().chain(self.differences.iter().map(move |difference| Row {
            left_path,
            right_path,
            change: difference.change,
            place: &difference.place,
            field: difference.field.as_deref(),
            left: difference.left.as_ref().map(&side),
            right: difference.right.as_ref().map(&side),
            count: difference.count,
        }));
        listed.chain(more)
    }
}

/// Writes the columns, if there were no differences.
pub(super) fn finish(sheet: &mut Sheet, out: &mut impl Write) -> io::Result<()> {
    sheet.finish(&Row::<String>::default(), out)
}

/// Returns a side as a CSV cell: text unchanged, everything else as JSON.
fn cell(side: &Value) -> String {
    side.as_str().map_or_else(|| side.to_string(), str::to_owned)
}

pub(super) fn report(
    compared: Compared,
    format: DiffFormat,
    all: &mut Vec<Compared>,
    sheet: &mut Sheet,
    out: &mut impl Write,
) -> io::Result<()> {
    match format {
        DiffFormat::Json if compared.change == "same" => {}
        DiffFormat::Changes => {}
        DiffFormat::Json => all.push(compared),
        DiffFormat::Ndjson => {
            return compared.rows(|side| side).try_for_each(|row| sheet::json_line(out, &row));
        }
        DiffFormat::Csv => return compared.rows(cell).try_for_each(|row| sheet.write(&row, out)),
        DiffFormat::Table => {
            let name = |side: &Option<String>| shown(side.as_deref().unwrap_or_default());
            match compared.change {
                "same" => return Ok(()),
                "added" => return writeln!(out, "+ {}", name(&compared.right)),
                "removed" => return writeln!(out, "- {}", name(&compared.left)),
                _ => {}
            }
            writeln!(out, "{} -> {}", name(&compared.left), name(&compared.right))?;
            for difference in &compared.differences {
                writeln!(out, "  {}", shown(&difference.text))?;
            }
            if compared.more > 0 {
                writeln!(out, "  and {} more", compared.more)?;
            }
        }
    }
    Ok(())
}
