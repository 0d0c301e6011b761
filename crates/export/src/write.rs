//! Helpers for text outputs: numbers, CSV cells, and buffered output.

use std::io::{self, Write};

use crate::Result;
use worldview_inspect::Bound;

/// Appends an integer.
#[cfg(any(feature = "csv", feature = "json"))]
#[inline]
pub(crate) fn int(value: impl itoa::Integer + TryInto<u8> + Copy, out: &mut Vec<u8>) {
    match value.try_into() {
        // Most integers in real tables have one digit.
        Ok(digit @ 0..=9) => out.push(b'0' | digit),
        _ => out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes()),
    }
}

/// Appends a finite float as the shortest text that parses to the same value. Returns `false` and appends nothing if
/// it is not finite.
#[cfg(all(feature = "table", any(feature = "csv", feature = "json")))]
#[inline]
pub(crate) fn number(value: f32, out: &mut Vec<u8>) -> bool {
    if value.is_finite() {
        out.extend_from_slice(zmij::Buffer::new().format_finite(value).as_bytes());
    }
    value.is_finite()
}

/// Appends a float, finite or not.
#[cfg(all(feature = "table", feature = "csv"))]
#[inline]
pub(crate) fn float(value: f32, out: &mut Vec<u8>) {
    if !number(value, out) {
        not_finite(value, out);
    }
}

/// Appends the name of a float that is not finite.
#[cfg(all(feature = "table", any(feature = "csv", feature = "json")))]
#[cold]
pub(crate) fn not_finite(value: f32, out: &mut Vec<u8>) {
    let name = match value.to_bits() {
        0x7fc0_0000 => "NaN",
        0x7f80_0000 => "Infinity",
        0xff80_0000 => "-Infinity",
        bits => {
            // Writing to a vector cannot fail.
            let _ = write!(out, "NaN:{bits:#010x}");
            return;
        }
    };
    out.extend_from_slice(name.as_bytes());
}

/// Whether a cell of CSV with this byte is quoted: separators, and control characters, which some readers drop otherwise.
#[cfg(feature = "csv")]
#[inline]
pub(crate) const fn quoted_in_csv(byte: u8) -> bool {
    matches!(byte, b',' | b'"') | byte.is_ascii_control()
}

/// Appends a CSV cell, quoted if necessary. The `csv` crate would also check numbers, which never need quotes.
#[cfg(feature = "csv")]
#[inline]
pub(crate) fn cell(text: &str, out: &mut Vec<u8>) {
    // Without an early exit, the compiler can check many bytes at once.
    if text.bytes().fold(false, |any, byte| any | quoted_in_csv(byte)) {
        out.push(b'"');
        for (index, part) in text.split('"').enumerate() {
            if index > 0 {
                out.extend_from_slice(b"\"\"");
            }
            out.extend_from_slice(part.as_bytes());
        }
        out.push(b'"');
    } else {
        out.extend_from_slice(text.as_bytes());
    }
}

/// Output that is buffered and written in large pieces, which end after a whole row.
#[derive(Debug)]
pub(crate) struct Out<W> {
    /// The buffered output.
    pub(crate) bytes: Vec<u8>,
    /// The length of the whole rows in it.
    rows: usize,
    to: W,
    bound: Bound,
}

impl<W: Write> Out<W> {
    const PIECE: usize = 1 << 16;
    /// The maximum size of a row, which is in memory.
    const ROW: u64 = 64 << 20;

    pub(crate) fn new(to: W, bound: Bound) -> Self {
        // Thousands of small outputs should not take and give back the memory of a large one.
        Self { bytes: Vec::with_capacity(1 << 13), rows: 0, to, bound }
    }

    pub(crate) fn put(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Ends a row.
    #[inline]
    pub(crate) fn end_row(&mut self) -> Result<()> {
        self.bytes.push(b'\n');
        self.rows = self.bytes.len();
        self.flush_if_full()
    }

    /// Writes the rows that are buffered if there are enough of them.
    #[inline]
    pub(crate) fn flush_if_full(&mut self) -> Result<()> {
        if self.bytes.len() < Self::PIECE { Ok(()) } else { self.flush_rows() }
    }

    fn flush_rows(&mut self) -> Result<()> {
        self.bound.take(self.rows)?;
        self.to.write_all(&self.bytes[..self.rows])?;
        self.bytes.drain(..std::mem::take(&mut self.rows));
        let need = self.bytes.len() as u64;
        if need > Self::ROW {
            return Err(self.bound.exceeded(need, Self::ROW).into());
        }
        if self.bytes.is_empty() {
            // Do not keep the memory of a single long string until the end.
            self.bytes.shrink_to(2 * Self::PIECE);
        }
        Ok(())
    }

    /// Writes what is left.
    pub(crate) fn finish(mut self) -> Result<()> {
        self.rows = self.bytes.len();
        self.flush_rows()?;
        self.to.flush()?;
        Ok(())
    }
}

impl<W: Write> Write for Out<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
