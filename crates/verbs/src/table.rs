//! Text for people: aligned columns, paths, numbers and sizes.
//!
//! Names in files can contain anything, including terminal escape sequences, so all text goes through [`shown`].

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};
use worldview::OffsetBase;

pub use worldview::printable as shown;

pub use worldview::facts::counted;

/// Prints the labels and values of a part below its path.
pub fn lines(lines: &[(&str, String)], out: &mut impl Write) -> io::Result<()> {
    lines
        .iter()
        .try_for_each(|(label, value)| writeln!(out, "{}", format!("  {label:<17} {}", shown(value)).trim_end()))
}

/// Returns a line and its end, with the line cut if both together are wider than the terminal.
pub fn fitted(line: &str, end: &str, width: Option<usize>) -> String {
    match width {
        Some(width) => format!("{}{end}", cut(line, width.saturating_sub(end.width()).max(NARROWEST))),
        None => format!("{line}{end}"),
    }
}

/// Returns the name of an offset's space for people, given its name in machine-readable output.
pub fn space(name: &str) -> &'static str {
    if name == OffsetBase::Image.name() { OffsetBase::Image } else { OffsetBase::File }.described()
}

/// Returns a path as text, with bytes that are not valid UTF-8 as `\xNN`, so that different paths never look alike.
///
/// On Windows, the separator is `/`, as in paths inside files, so that output is the same on every system. Verbatim
/// paths (`\\?\C:\games`) are not changed, since Windows would not understand them.
pub fn path(path: &Path) -> String {
    let bytes = path.as_os_str().as_encoded_bytes();
    let is_turned = cfg!(windows) && !bytes.starts_with(br"\\?\");
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        if is_turned {
            text.extend(chunk.valid().chars().map(|char| if char == '\\' { '/' } else { char }));
        } else {
            text.push_str(chunk.valid());
        }
        chunk.invalid().iter().for_each(|byte| text.push_str(&format!("\\x{byte:02X}")));
    }
    text
}

/// Returns a path as a word of a command line, for sh or PowerShell: quoted, unless it has only characters that mean nothing to
/// either.
pub fn word(of: &Path) -> String {
    let is_plain = |sign: char| sign.is_alphanumeric() || "_-./:".contains(sign);
    let text = path(of);
    let text = if text.starts_with('-') && text.len() > 1 { format!("./{text}") } else { text };
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text,
        false => format!("'{}'", text.replace('\'', if cfg!(windows) { "''" } else { r"'\''" })),
    }
}

/// Returns the first names of a list, separated by commas.
pub(crate) fn some(names: impl ExactSizeIterator<Item = String>, most: usize) -> String {
    let more = if names.len() > most { ", …" } else { "" };
    format!("{}{more}", names.take(most).collect::<Vec<_>>().join(", "))
}

/// Returns the first numbers of a list, separated by commas, and how many more there are.
pub(crate) fn numbers<N: ToString>(numbers: impl ExactSizeIterator<Item = N>) -> String {
    const NAMED: usize = 8;
    let more = numbers.len().saturating_sub(NAMED);
    let named: Vec<_> = numbers.take(NAMED).map(|number| number.to_string()).collect();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    named.join(", ") + &more
}

/// Formats a number of bytes for people.
pub fn size(bytes: u64) -> String {
    if bytes < 1000 { counted(bytes, "byte") } else { amount(bytes as f64) }
}

/// Formats a number of bytes for people, in thousands.
pub fn amount(bytes: f64) -> String {
    const UNITS: [&str; 5] = ["kB", "MB", "GB", "TB", "PB"];
    let mut amount = bytes / 1000.0;
    for unit in UNITS {
        if amount < 999.95 {
            return format!("{amount:.1} {unit}");
        }
        amount /= 1000.0;
    }
    format!("{amount:.1} EB")
}

/// Maximum width of a column. A wider cell is cut if there is a terminal to fit, and otherwise makes only its own row longer.
const WIDEST: usize = 100;

/// The minimum width that a column is cut to.
const NARROWEST: usize = 16;

/// The minimum width left to the columns after a path, which is never cut.
const BESIDE_PATH: usize = 40;

/// Returns text cut to a width.
pub(crate) fn cut(text: &str, widest: usize) -> String {
    if text.width() <= widest {
        return text.to_owned();
    }
    let (mut width, mut end) = (0, 0);
    for (at, char) in text.char_indices() {
        width += char.width().unwrap_or(0);
        if width >= widest {
            break;
        }
        end = at + char.len_utf8();
    }
    format!("{}…", &text[..end])
}

/// Returns the width that tables for people must fit into: COLUMNS if it is set, or else the width of the terminal, if there is one.
pub fn width(is_terminal: bool) -> Option<usize> {
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).filter(|width| *width > 0);
    let terminal = || terminal_size::terminal_size().filter(|_| is_terminal);
    columns.or_else(|| terminal().map(|(width, _)| width.0.into()))
}

/// Returns cells as a line, each padded to its width, and right-aligned if it is `true`.
pub(crate) fn line<C: AsRef<str>>(cells: impl Iterator<Item = (C, usize, bool)>) -> String {
    let mut line = String::new();
    for (cell, width, is_right) in cells {
        let cell = cell.as_ref();
        let space = " ".repeat(width.saturating_sub(cell.width()));
        line.extend(if is_right { [&*space, cell, "  "] } else { [cell, &*space, "  "] });
    }
    line.truncate(line.trim_end().len());
    line
}

/// Writes rows as columns, separated by two spaces. Columns with a name starting with `>` are right-aligned. If there is a
/// [`width`], columns of text other than paths are cut so that each row fits on a line; if that is not enough, the last columns are
/// omitted, and their names listed.
pub fn write(out: &mut dyn Write, columns: &[&str], rows: &[Vec<String>], room: Option<usize>) -> io::Result<()> {
    let heads: Vec<_> = columns.iter().map(|column| column.trim_start_matches('>').to_owned()).collect();
    let rows: Vec<Vec<_>> = rows.iter().map(|row| row.iter().map(|text| shown(text)).collect()).collect();
    let mut widths: Vec<_> = (0..columns.len())
        .map(|column| {
            let cells = rows.iter().chain([&heads]).filter_map(|row| row.get(column));
            cells.map(|cell| cell.width().min(WIDEST)).max().unwrap_or(0)
        })
        .collect();
    // Part of a number is another number, and part of a path leads nowhere.
    let may_cut: Vec<_> = columns.iter().map(|column| *column != "path" && !column.starts_with('>')).collect();
    if let Some(room) = room {
        let room = if columns.first() == Some(&"path") { room.max(widths[0] + BESIDE_PATH) } else { room };
        fit(&mut widths, &may_cut, room);
        let mut end = 0;
        let is_inside = |width: &&usize| {
            end += **width + 2;
            end <= room + 2
        };
        let count = widths.iter().take_while(is_inside).count().max(1);
        widths.truncate(count);
    }
    for row in [&heads].into_iter().chain(&rows) {
        let cells =
            row.iter().zip(&widths).zip(columns.iter().zip(&may_cut)).map(|((cell, &width), (column, may_cut))| {
                let cell = if *may_cut && room.is_some() { cut(cell, width).into() } else { Cow::from(&**cell) };
                (cell, width, column.starts_with('>'))
            });
        writeln!(out, "{}", line(cells))?;
    }
    match heads.get(widths.len()..) {
        None | Some([]) => Ok(()),
        Some(more) => writeln!(out, "… and {}: {}", counted(more.len() as u64, "more column"), more.join(", ")),
    }
}

/// Narrows the widest of the columns that may be cut until all fit, or until they would no longer be readable.
fn fit(widths: &mut [usize], may_cut: &[bool], room: usize) {
    let mut over = (widths.iter().sum::<usize>() + 2 * widths.len().saturating_sub(1)).saturating_sub(room);
    while over > 0 {
        let cut = widths.iter_mut().zip(may_cut).filter_map(|(width, may_cut)| may_cut.then_some(width));
        let Some(widest) = cut.max() else { return };
        if *widest <= NARROWEST {
            return;
        }
        *widest -= 1;
        over -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(columns: &[&str], rows: &[&[&str]], room: Option<usize>) -> String {
        let mut out = Vec::new();
        let rows: Vec<Vec<_>> = rows.iter().map(|row| row.iter().map(|cell| (*cell).to_owned()).collect()).collect();
        write(&mut out, columns, &rows, room).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn sizes_are_said_in_thousands() {
        for (bytes, expected) in
            [(0, "0 bytes"), (999, "999 bytes"), (1000, "1.0 kB"), (999_949, "999.9 kB"), (999_950, "1.0 MB")]
        {
            assert_eq!(size(bytes), expected);
        }
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let out = written(&["name", ">tiles"], &[&["T\u{142}o", "7"], &["\x1B", "1000"]], None);
        assert_eq!(out, "name  tiles\nT\u{142}o       7\n\u{FFFD}      1000\n");
    }

    #[test]
    fn wide_letters_take_two_columns_and_marks_none() {
        let out = written(&["name", "x"], &[&["\u{6C34}\u{6C34}\u{6C34}", "1"], &["e\u{301}", "2"]], None);
        assert_eq!(out, "name    x\n\u{6C34}\u{6C34}\u{6C34}  1\ne\u{301}       2\n");
    }

    #[test]
    fn rows_are_cut_to_the_terminal() {
        let long = "n".repeat(60);
        let out = written(&["name", "what", ">n"], &[&[&long, "level", "12"], &["short", "table", "3"]], Some(40));
        let expected = format!("{}…  level  12", "n".repeat(28));
        assert!(out.contains(&expected), "{out}");
        assert!(out.lines().all(|line| line.width() <= 40));
        // What does not fit then is left out from the end, and named.
        let row: Vec<_> = std::iter::repeat_n(&long[..], 4).chain(["123456789"]).collect();
        let out = written(&["a", "b", "c", "d", ">n"], &[&row], Some(45));
        let lines: Vec<_> = out.lines().collect();
        assert_eq!((lines[1].matches('…').count(), lines[1].width()), (2, 34), "{out}");
        assert_eq!(lines[2], "… and 3 more columns: c, d, n");
        // No narrower than is readable.
        let out = written(&["name"], &[&[&long]], Some(5));
        assert!(out.contains(&format!("{}…", "n".repeat(15))), "{out}");
    }

    #[test]
    fn paths_are_never_cut() {
        let path = format!("{}/item.wdb", "p".repeat(60));
        let out = written(&["path", ">records", "name"], &[&[&path, "12", "a name"]], Some(40));
        assert_eq!(out.lines().nth(1), Some(&*format!("{path}       12  a name")), "{out}");
        // Nor is anything else without a terminal, and one long cell does not make all rows long.
        let long = "p".repeat(300);
        for room in [Some(40), None] {
            let out = written(&["path", "name"], &[&[&long, &long], &["a", "b"]], room);
            let end = room.map_or(long.clone(), |_| format!("{}…", "p".repeat(37)));
            assert_eq!(out, format!("path{0}  name\n{long}  {end}\na{1}  b\n", " ".repeat(96), " ".repeat(99)));
        }
    }

    #[test]
    fn words_that_a_shell_would_change_are_quoted() {
        for (text, quoted) in [
            ("out/items.wdb", "out/items.wdb"),
            ("C:/games", "C:/games"),
            ("my game", "'my game'"),
            ("-x", "./-x"),
            ("a*", "'a*'"),
            (r"a\b", if cfg!(windows) { "a/b" } else { r"'a\b'" }),
            ("~", "'~'"),
            ("", "''"),
        ] {
            assert_eq!(word(Path::new(text)), quoted);
        }
        assert_eq!(word(Path::new("it's")), if cfg!(windows) { "'it''s'" } else { r"'it'\''s'" });
    }
}
