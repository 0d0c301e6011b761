//! The records of a table as a grid of columns, as many as fit.

use std::io::Write;

use unicode_width::UnicodeWidthStr as _;
use worldview_export::Error;

use crate::table::{counted, line, shown};

/// Maximum width of a cell: in a grid that fits the terminal, and in whole lines.
const WIDEST: [usize; 2] = [30, 100];

struct Column {
    width: usize,
    is_number: bool,
}

/// Writes CSV as a grid. If there is a `width`, the last columns that exceed it are left out, and a line says how many.
pub(crate) fn write(csv: &[u8], width: Option<usize>, out: &mut dyn Write) -> Result<(), Error> {
    let rows = || {
        let records = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(csv).into_records();
        records.map(|row| row.map_err(std::io::Error::other))
    };
    let widest = WIDEST[usize::from(width.is_none())];
    let mut columns: Vec<Column> = Vec::new();
    for (row, index) in rows().zip(0..) {
        let row = row?;
        columns.resize_with(row.len().max(columns.len()), || Column { width: 0, is_number: true });
        for (column, cell) in columns.iter_mut().zip(&row) {
            column.width = column.width.max(shown(cell).width().min(widest));
            column.is_number &= index == 0 || cell.is_empty() || cell.parse::<f64>().is_ok();
        }
    }
    let (mut room, mut count) = (width.unwrap_or(usize::MAX), 0);
    // The name of a record is always there.
    while let Some(column) = columns.get(count).filter(|column| count == 0 || column.width <= room) {
        room = room.saturating_sub(column.width + 2);
        count += 1;
    }
    for row in rows() {
        let row = row?;
        let cells: Vec<_> = row.iter().map(shown).collect();
        let cells = columns.iter().take(count).zip(&cells);
        writeln!(out, "{}", line(cells.map(|(column, cell)| (&**cell, column.width, column.is_number))))?;
    }
    if let Some(more @ 1..) = columns.len().checked_sub(count) {
        let more = counted(more as u64, "more field");
        writeln!(out, "… and {more}: FILE/*/FIELD prints one, --raw everything")?;
    }
    Ok(())
}

/// Writes the only record of CSV, a field a line.
pub(crate) fn write_lines(csv: &[u8], out: &mut dyn Write) -> Result<(), Error> {
    let mut records = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(csv).into_records();
    let mut next = || records.next().transpose().map(Option::unwrap_or_default).map_err(std::io::Error::other);
    let (names, cells) = (next()?, next()?);
    let names: Vec<_> = names.iter().map(shown).collect();
    let width = names.iter().map(|name| name.width()).max().unwrap_or(0);
    for (name, cell) in names.iter().zip(cells.iter().map(shown)) {
        writeln!(out, "{}", line([(&**name, width, false), (&*cell, cell.width(), false)].into_iter()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(csv: &str, width: Option<usize>) -> String {
        let mut out = Vec::new();
        write(csv.as_bytes(), width, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn long_cells_are_cut() {
        let long = format!("record,s\na,{}\n", "x".repeat(200));
        assert!(grid(&long, Some(80)).contains(&format!("{}…\n", "x".repeat(29))));
        assert!(grid(&long, None).contains(&format!("{}…\n", "x".repeat(99))));
    }
}
