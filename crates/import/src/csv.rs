//! Changes from CSV as `export` wrote it and an editor or a spreadsheet saved it.
//!
//! A cell is compared by its value: `1E+06` is 1000000, `5.0` is 5, and quotes, separators (comma, semicolon, tab), line breaks, byte
//! order marks and the order of rows and columns mean nothing. What a sheet does not mention stays: a missing column leaves its fields
//! as they are, and a missing row its record or object, unless the options say that it is removed. Only cells that differ from those of the original are read.
//!
//! What a spreadsheet loses is no change either: zeros around a text that looks like a number, digits behind the fifteenth, line
//! breaks of another kind. Such an edit, as of the text `007` to `7`, has to be made another way.

mod attributes;
mod objects;
mod records;
pub(crate) mod sheet;

use worldview_export::Encoding;

pub use attributes::attributes;
pub use objects::objects;
pub use records::records;

/// How an export was written, which its manifest records.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether cells that a spreadsheet would run as formulas begin with an apostrophe.
    pub safe: bool,
    /// The code page of the texts of a level.
    pub encoding: Encoding,
    /// Whether what the sheet does not mention is removed.
    pub remove_missing: bool,
    /// Whether the sheet is that of a workbook, in which rows are numbered and not lines.
    pub(crate) is_workbook: bool,
    /// Whether the program that wrote the workbook loses white space at the ends of texts.
    pub(crate) is_trimmed: bool,
    /// Whether the sheet has all records of a new table.
    pub(crate) is_new: bool,
}

impl Options {
    /// Sets whether cells that a spreadsheet would run as formulas begin with an apostrophe.
    #[must_use]
    pub const fn safe(self, safe: bool) -> Self {
        Self { safe, ..self }
    }

    /// Sets whether records and objects that the sheet does not mention are removed; otherwise they stay.
    #[must_use]
    pub const fn remove_missing(self, remove_missing: bool) -> Self {
        Self { remove_missing, ..self }
    }

    /// Returns the same options for a worksheet.
    #[cfg(feature = "xlsx")]
    pub(crate) const fn workbook(self, is_trimmed: bool) -> Self {
        Self { safe: false, is_workbook: true, is_trimmed, ..self }
    }

    /// Sets the code page of the texts of a level.
    #[must_use]
    pub const fn encoding(self, encoding: Encoding) -> Self {
        Self { encoding, ..self }
    }
}

/// Returns the names of the columns of a sheet of records.
pub(crate) fn columns(sheet: &[u8], options: &Options) -> worldview_edit::Result<Vec<String>> {
    Ok(sheet::Sheet::open(sheet, options, |name| name == "record")?.header)
}

/// Returns an export of the original, in the style in which it was edited.
fn export(
    options: &Options,
    fill: impl FnOnce(&mut worldview_export::csv::CsvWriter<&mut Vec<u8>>) -> worldview_export::Result<()>,
) -> worldview_edit::Result<Vec<u8>> {
    let mut out = Vec::new();
    let style = worldview_export::csv::CsvStyle::default().safe(options.safe);
    style.write(&mut out, fill).map_err(crate::not_exported)?;
    Ok(out)
}
