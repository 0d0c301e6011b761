//! Prints what readers did, as a table for people or as CSV.

use std::io::{self, Write};

use super::{Passes, Row};
use crate::units::{duration, gigabytes};

/// The columns of both forms.
const HEADS: [&str; 8] = ["format", "reader", "files", "bytes", "time", "GB/s", "times ours", "unreadable"];

/// Writes a table with a heading, and below it the first error of each reader.
pub fn text(rows: &[Row], passes: Passes, out: &mut impl Write) -> io::Result<()> {
    writeln!(
        out,
        "Files are loaded, and packed levels inflated, before timing. A time is the median of at least {}",
        passes.least
    )?;
    writeln!(
        out,
        "passes after a warm-up. The readers of a format are timed on the same files: those that all can read.\n"
    )?;
    let mut lines = vec![HEADS.map(String::from)];
    lines.extend(rows.iter().map(cells));
    let widths: [usize; HEADS.len()] = std::array::from_fn(|column| {
        lines.iter().filter_map(|line| line.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    });
    for line in &lines {
        let cells = line.iter().zip(widths).enumerate().map(|(column, (cell, width))| {
            if column < 2 { format!("{cell:width$}") } else { format!("{cell:>width$}") }
        });
        writeln!(out, "{}", cells.collect::<Vec<_>>().join("  "))?;
    }
    // Readers often fail alike.
    let mut failures: Vec<(&Row, Vec<&str>)> = Vec::new();
    for row in rows.iter().filter(|row| row.unreadable > 0) {
        let of = |row: &Row| (row.format, row.unreadable, row.first_error.clone());
        match failures.iter_mut().find(|(other, _)| of(other) == of(row)) {
            Some((_, readers)) => readers.push(&row.reader),
            None => failures.push((row, vec![&row.reader])),
        }
    }
    for (index, (row, readers)) in failures.iter().enumerate() {
        let gap = if index == 0 { "\n" } else { "" };
        let (file, error) = row.first_error.as_ref().map_or(("", ""), |(file, error)| (file, error));
        let (format, count, readers) = (row.format.name(), row.unreadable, readers.join("; "));
        writeln!(out, "{gap}{format}: {count} unreadable, first {file}: {error} ({readers})")?;
    }
    Ok(())
}

fn cells(row: &Row) -> [String; HEADS.len()] {
    let shown = |value: Option<String>| value.unwrap_or_else(|| "-".into());
    [
        row.format.name().into(),
        row.reader.clone(),
        row.files.to_string(),
        row.bytes.to_string(),
        shown(row.median_ns.map(duration)),
        shown(row.median_ns.map(|median| format!("{:.2}", gigabytes(row.bytes, median)))),
        shown(row.times_ours.map(|times| format!("{times:.2}"))),
        row.unreadable.to_string(),
    ]
}

/// Writes CSV. Times are in seconds.
pub fn csv(rows: &[Row], out: &mut impl Write) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record([
        "format",
        "reader",
        "files",
        "bytes",
        "seconds",
        "gb_per_s",
        "times_ours",
        "unreadable",
        "first_file",
        "first_error",
    ])?;
    for row in rows {
        let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
        let (file, error) = row.first_error.clone().unwrap_or_default();
        writer.write_record([
            row.format.name().into(),
            row.reader.clone(),
            row.files.to_string(),
            row.bytes.to_string(),
            number(row.median_ns.map(|median| median / 1e9)),
            number(row.median_ns.map(|median| gigabytes(row.bytes, median))),
            number(row.times_ours),
            row.unreadable.to_string(),
            file,
            error,
        ])?;
    }
    writer.flush()
}
