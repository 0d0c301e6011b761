//! Aligned columns for people.
//!
//! Names in files can hold anything, terminal commands too: what is no text is shown as a replacement character.

use std::io::{self, Write};

/// The text as it can be shown on a terminal.
pub(crate) fn shown(text: &str) -> String {
    text.chars().map(|char| if char.is_control() { char::REPLACEMENT_CHARACTER } else { char }).collect()
}

/// A cell that would make every row as wide as itself, cut.
fn cell(text: &str) -> String {
    const WIDEST: usize = 100;
    let text = shown(text);
    match text.char_indices().nth(WIDEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Writes rows as columns, two spaces apart; columns whose name begins with `>` are aligned to the right.
pub(crate) fn write(out: &mut dyn Write, columns: &[&str], rows: &[Vec<String>]) -> io::Result<()> {
    let heads: Vec<_> = columns.iter().map(|column| column.trim_start_matches('>').to_owned()).collect();
    let rows: Vec<Vec<_>> = rows.iter().map(|row| row.iter().map(|text| cell(text)).collect()).collect();
    let widths: Vec<_> = (0..columns.len())
        .map(|column| {
            let cells = rows.iter().chain([&heads]).filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        })
        .collect();
    for row in [&heads].into_iter().chain(&rows) {
        let mut line = String::new();
        for ((cell, width), column) in row.iter().zip(&widths).zip(columns) {
            let space = " ".repeat(width - cell.chars().count());
            let (before, behind) =
                if column.starts_with('>') { (space, String::new()) } else { (String::new(), space) };
            line.push_str(&before);
            line.push_str(cell);
            line.push_str(&behind);
            line.push_str("  ");
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut out = Vec::new();
        let rows = [vec!["T\u{142}o".to_owned(), "7".to_owned()], vec!["\x1B".to_owned(), "1000".to_owned()]];
        super::write(&mut out, &["name", ">tiles"], &rows).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "name  tiles\nT\u{142}o       7\n\u{FFFD}      1000\n");
    }
}
