//! What CSV for spreadsheets needs: a byte order mark, and cells that are not run as formulas.

use std::io::{self, Write};

use crate::Result;

/// How CSV is written for spreadsheets. The default changes nothing.
///
/// ```
/// use std::io::Write as _;
/// use worldview_export::csv::CsvStyle;
///
/// let mut out = CsvStyle::default().safe(true).writer(Vec::new());
/// out.write_all(b"name,price\n=1+1,-5\n")?;
/// assert_eq!(out.finish()?, b"name,price\n\"'=1+1\",-5\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CsvStyle {
    /// Whether cells that a spreadsheet would run as formulas begin with an apostrophe.
    pub safe: bool,
    /// Whether the output begins with a byte order mark, by which Excel recognizes UTF-8.
    pub bom: bool,
}

impl CsvStyle {
    /// Sets whether a cell that begins with `=`, `+`, `-`, `@`, a tab, a line break or an apostrophe gets an apostrophe before
    /// that, and quotes. Numbers stay as they are. To get the text back, remove one apostrophe from the start of a cell.
    #[must_use]
    pub const fn safe(self, safe: bool) -> Self {
        Self { safe, ..self }
    }

    /// Sets whether the output begins with a byte order mark.
    #[must_use]
    pub const fn bom(self, bom: bool) -> Self {
        Self { bom, ..self }
    }

    /// Returns a writer that takes CSV and writes it to `out` in this style. End it with [`CsvWriter::finish`].
    pub const fn writer<W: Write>(self, out: W) -> CsvWriter<W> {
        let at = At::Start;
        CsvWriter { out, style: self, has_bom: false, at, held: Vec::new(), ready: Vec::new() }
    }

    /// Writes to `out` in this style what `fill` writes.
    ///
    /// # Errors
    ///
    /// Returns an error if `fill` does or writing to `out` fails.
    pub fn write<W: Write>(self, out: W, fill: impl FnOnce(&mut CsvWriter<W>) -> Result<()>) -> Result<()> {
        let mut writer = self.writer(out);
        fill(&mut writer)?;
        writer.finish()?.flush()?;
        Ok(())
    }
}

/// Writes CSV in a [`CsvStyle`].
#[derive(Debug)]
pub struct CsvWriter<W> {
    out: W,
    style: CsvStyle,
    has_bom: bool,
    at: At,
    /// The start of a cell that may still be a number.
    held: Vec<u8>,
    /// What is to be written.
    ready: Vec<u8>,
}

/// Where in a cell the next byte is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    /// At the start of a cell without quotes so far.
    Start,
    /// In a cell without quotes.
    Plain,
    /// In a cell that may be a number.
    Number,
    /// In a cell without quotes that gets them.
    Guarded,
    /// Behind the opening quote.
    QuotedStart,
    /// In a quoted cell.
    Quoted,
}

/// Bytes of a number: the longest of a table has 24.
const MAX_LEN: usize = 32;

impl<W: Write> CsvWriter<W> {
    /// Writes what is left, and returns the output.
    ///
    /// # Errors
    ///
    /// Returns an error if writing fails.
    pub fn finish(mut self) -> io::Result<W> {
        self.end_cell();
        self.flush_buffer()?;
        Ok(self.out)
    }

    fn byte(&mut self, byte: u8) {
        let ends = matches!(byte, b',' | b'\n' | b'\r');
        match self.at {
            At::Start if byte == b'"' => self.turn(At::QuotedStart, byte),
            At::Start if matches!(byte, b'+' | b'-') => {
                self.at = At::Number;
                self.held.push(byte);
            }
            // A tab is quoted by some writers of CSV and not by others.
            At::Start if matches!(byte, b'=' | b'@' | b'\'' | b'\t') => {
                self.ready.extend_from_slice(b"\"'");
                self.turn(At::Guarded, byte);
            }
            At::Start if !ends => self.turn(At::Plain, byte),
            At::Number if !ends => {
                self.held.push(byte);
                if self.held.len() > MAX_LEN {
                    self.guard();
                }
            }
            At::QuotedStart => {
                // An apostrophe inside the quotes that are there. A quote ends an empty cell, or is the first of two.
                if matches!(byte, b'=' | b'+' | b'-' | b'@' | b'\'' | b'\t' | b'\n' | b'\r') {
                    self.ready.push(b'\'');
                }
                self.turn(if byte == b'"' { At::Plain } else { At::Quoted }, byte);
            }
            // Of two quotes in a row the second opens the cell again.
            At::Quoted if byte == b'"' => self.turn(At::Plain, byte),
            At::Plain if byte == b'"' => self.turn(At::Quoted, byte),
            At::Quoted => self.ready.push(byte),
            _ if ends => {
                self.end_cell();
                self.ready.push(byte);
            }
            _ => self.ready.push(byte),
        }
    }

    fn turn(&mut self, at: At, byte: u8) {
        self.at = at;
        self.ready.push(byte);
    }

    /// The held cell is no number.
    fn guard(&mut self) {
        self.ready.extend_from_slice(b"\"'");
        self.ready.append(&mut self.held);
        self.at = At::Guarded;
    }

    fn end_cell(&mut self) {
        if self.at == At::Number {
            if is_number(&self.held) {
                self.ready.append(&mut self.held);
            } else {
                self.guard();
            }
        }
        if self.at == At::Guarded {
            self.ready.push(b'"');
        }
        self.at = At::Start;
    }

    fn flush_buffer(&mut self) -> io::Result<()> {
        self.out.write_all(&self.ready)?;
        self.ready.clear();
        Ok(())
    }
}

impl<W: Write> Write for CsvWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.style.bom && !self.has_bom && !bytes.is_empty() {
            self.has_bom = true;
            self.out.write_all("\u{feff}".as_bytes())?;
        }
        if !self.style.safe {
            return self.out.write(bytes);
        }
        let bytes = &bytes[..bytes.len().min(1 << 16)];
        bytes.iter().for_each(|&byte| self.byte(byte));
        self.flush_buffer()?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Whether a cell is a number as CSV here has them: `-5`, `-0.25`, `-1e-45`.
fn is_number(cell: &[u8]) -> bool {
    let digits_only = cell.iter().skip(1).all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'));
    digits_only && std::str::from_utf8(cell).is_ok_and(|cell| cell.parse::<f64>().is_ok())
}
