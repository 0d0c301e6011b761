//! Rows as lines of JSON, and as CSV with a header line.

use std::io::{self, Write};

use serde::Serialize;

/// Writes rows of the same shape as CSV.
#[derive(Debug, Default)]
pub struct Sheet {
    begun: bool,
}

impl Sheet {
    /// Writes the header if there were no rows; `row` is any row.
    ///
    /// # Errors
    ///
    /// Returns an error if `out` cannot be written to.
    pub fn finish(&mut self, row: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
        if self.begun {
            return Ok(());
        }
        let mut sheet = Vec::new();
        self.write(row, &mut sheet)?;
        let head = sheet.split_inclusive(|&byte| byte == b'\n').next().unwrap_or_default();
        out.write_all(head)
    }

    /// Writes a row, and before the first one the names of its fields.
    ///
    /// # Errors
    ///
    /// Returns an error if `out` cannot be written to.
    pub fn write(&mut self, row: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
        let mut writer = csv::WriterBuilder::new().has_headers(!self.begun).from_writer(out);
        self.begun = true;
        writer.serialize(row).map_err(|error| match error.into_kind() {
            csv::ErrorKind::Io(error) => error,
            other => io::Error::other(format!("{other:?}")),
        })?;
        writer.flush()
    }

    /// Writes the cells of a row, if there is one, and before the first row the names of the columns.
    ///
    /// # Errors
    ///
    /// Returns an error if `out` cannot be written to.
    pub fn cells(&mut self, columns: &[&str], row: Option<Vec<String>>, out: &mut dyn Write) -> io::Result<()> {
        let mut writer = csv::Writer::from_writer(out);
        if !std::mem::replace(&mut self.begun, true) {
            writer.write_record(columns)?;
        }
        row.iter().try_for_each(|row| writer.write_record(row))?;
        writer.flush()
    }
}

/// Writes a JSON document on a single line.
///
/// # Errors
///
/// Returns an error if `out` cannot be written to.
pub fn json_line(out: &mut dyn Write, document: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, document)?;
    writeln!(out)
}
