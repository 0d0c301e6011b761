//! Changes from CSV as `export` wrote it and an editor or a spreadsheet saved it.
//!
//! A cell is compared by its value: `1E+06` is 1000000, `5.0` is 5, and quotes, separators (comma, semicolon, tab), line breaks, byte
//! order marks and the order of rows and columns mean nothing. What a sheet does not mention stays: a missing column leaves its fields
//! as they are, and a missing row its record or object, unless the options say that it is removed. Only cells that differ from those of the original are read.
//!
//! Losses of spreadsheets are not changes either: zeros around a text that looks like a number, digits behind the fifteenth, line
//! breaks of another kind. Such an edit, as of the text `007` to `7`, has to be made another way.

pub(crate) mod sheet;

use std::borrow::Cow;
use std::collections::HashSet;

use worldview_edit::{Planned, Result};
use worldview_export::Encoding;
use worldview_export::level::{attribute_cells, attribute_columns, csv as csv_level};
use worldview_export::table::{Selection, WORDS, csv};
use worldview_inspect::utf8;
use worldview_wpd::Table;
use worldview_wwd::raw::ObjectRecord;
use worldview_wwd::{Level, Object};

use self::sheet::{Columns, Sheet};
use crate::planner::{Mode, Planner};

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
pub(crate) fn columns(sheet: &[u8], options: &Options) -> Result<Vec<String>> {
    Ok(Sheet::open(sheet, options, |name| name == "record")?.header)
}

/// A column: its name, and that of the field that it shows.
type Named<'n> = (Cow<'n, str>, Cow<'n, str>);

fn own<'n>(name: impl Into<Cow<'n, str>>) -> Named<'n> {
    let name = name.into();
    (name.clone(), name)
}

/// Returns an export of the original, in the style in which it was edited.
fn export(
    options: &Options,
    fill: impl FnOnce(&mut worldview_export::csv::CsvWriter<&mut Vec<u8>>) -> worldview_export::Result<()>,
) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    let style = worldview_export::csv::CsvStyle::default().safe(options.safe);
    style.write(&mut out, fill).map_err(crate::not_exported)?;
    Ok(out)
}

impl Options {
    fn planner<'p>(&self) -> Planner<'p> {
        let mode = if self.is_new { Mode::Fill } else { Mode::Edit };
        Planner::new(mode, self.encoding).removes(self.remove_missing)
    }
}

/// Returns the changes that make a table say what its edited `records.csv` says.
///
/// Rows are records by name, in any order. An added row is a new record, whose empty numbers are zero. A column of bits that no field
/// owns, as `word65_bits29_31`, may be added.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use worldview_import::csv::{Options, records};
/// use worldview_edit::wpd;
/// use worldview_export::table::{Selection, csv};
/// use worldview_wpd::Table;
///
/// # let file: &[u8] = include_bytes!("../../../samples/items.wdb");
/// let table = Table::parse(file)?;
/// let mut sheet = Vec::new();
/// csv::records(&table, &Selection::ALL, &mut sheet)?;
/// assert!(records(&table, &sheet, &Options::default())?.changes.is_empty());
///
/// let sheet = String::from_utf8(sheet)?.replace("apple_dried,", "apple_dry,");
/// let changes = records(&table, sheet.as_bytes(), &Options::default().remove_missing(true))?.complete()?;
/// let names: Vec<_> = changes.iter().map(|change| change.path().as_str()).collect();
/// assert_eq!(names, ["apple_dry", "apple_dried"]);
/// # let edited = wpd::apply(file, &changes)?.to_vec();
/// # assert_eq!(Table::parse(&edited)?.len(), table.len());
/// # Ok(())
/// # }
/// ```
///
/// A cell that cannot be taken is refused in the account, with its line and column; so is a row of a record that has another one.
///
/// # Errors
///
/// Returns an error if the text is not UTF-8 or UTF-16 with a byte order mark, if a column is unknown, occurs twice, or is `record` and
/// missing, or if the sheet is cut.
pub fn records(original: &Table<'_>, edited: &[u8], options: &Options) -> Result<Planned> {
    let names: HashSet<Cow<'_, str>> = original.fields().iter().map(|field| utf8(field.name())).collect();
    let is_sheet = |name: &str| name == "sheet" && !names.contains("sheet");
    let mut sheet = Sheet::open(edited, options, |name| name == "record" || is_sheet(name) || names.contains(name))?;
    let is_words = |name: &str| name.strip_suffix(WORDS).is_some_and(|field| names.contains(field));
    let words: Vec<_> = sheet.header.iter().enumerate().filter(|(_, name)| is_words(name)).collect();
    let mut planner = options.planner();
    words.iter().for_each(|(_, name)| planner.words(name));
    sheet.ignored = words.into_iter().map(|(place, _)| place).collect();
    let has_sheet = sheet.header.iter().any(|name| is_sheet(name));
    let selection = Selection::ALL.sheet(has_sheet);
    let export = export(options, |out| csv::records(original, &selection, out))?;
    let mut columns: Vec<_> = sheet::header(&export, options.safe).into_iter().map(own).collect();
    // The bits that no field owns are columns if one is set in any record. The others may be added.
    let shown: HashSet<String> = columns.iter().map(|(name, _)| name.clone().into_owned()).collect();
    let bits = original.unowned_bits().map(|bits| utf8(bits.name()).into_owned());
    columns.extend(bits.filter(|bits| !shown.contains(bits)).map(own));
    let columns = Columns::of(&sheet, &columns, &["record"])?;
    let name = has_sheet.then(|| worldview_export::table::sheet(original).unwrap_or_default());
    let rows = sheet.rows(&export, &columns, options.safe);
    planner.records(original, name, options.is_trimmed, rows)
}

/// Returns the changes that apply an edited `objects.csv` to a level.
///
/// Rows are objects by `plane`, its number, and `object`, the key of its path, in any order. A row whose `object` is empty, or that of
/// another row, is a new object, which comes last in its plane; empty or missing numbers are zero, and an id that is empty or that of
/// another object becomes the next free one. A cell that cannot be taken is refused in the account.
///
/// # Errors
///
/// Returns an error if the text is not UTF-8 or UTF-16 with a byte order mark, if a column is unknown, occurs twice, or is `plane` or
/// `object` and missing, or if the sheet is cut.
pub fn objects(original: &Level<'_>, edited: &[u8], options: &Options) -> Result<Planned> {
    let texts = ["plane", "plane_name", "object"].into_iter().chain(Object::STRINGS).chain(["metadata"]).map(own);
    let fields = ObjectRecord::FIELDS.iter().flat_map(|info| info.columns().map(|name| (name, info.name.into())));
    let columns: Vec<Named<'_>> = texts.chain(fields).collect();
    let sheet = Sheet::open(edited, options, |name| columns.iter().any(|(other, _)| other == name))?;
    let export = export(options, |out| csv_level::objects(original, options.encoding, out))?;
    let columns = Columns::of(&sheet, &columns, &["plane", "object"])?;
    options.planner().objects(original, sheet.rows(&export, &columns, options.safe))
}

/// Returns the changes that apply an edited `attributes.csv` to a level.
///
/// Rows are tile attributes by `frame`, in any order. The kind of one may change, as `single` to `double`; the columns of its new kind
/// must be filled then, and those of the old one cleared. A row that was added or doubled is refused in the account, since tiles refer to
/// attributes by number, and so is a cell that cannot be taken.
///
/// # Errors
///
/// Returns an error if the text is not UTF-8 or UTF-16 with a byte order mark, if a column is unknown, occurs twice, or is `frame` and
/// missing, or if the sheet is cut.
pub fn attributes(original: &Level<'_>, edited: &[u8], options: &Options) -> Result<Planned> {
    let export = export(options, |out| csv_level::attributes(original, out))?;
    let fields = attribute_columns().into_iter();
    let fields = fields.flat_map(|info| attribute_cells(info).map(move |name| (name, info.name.into())));
    let mask = ("mask".into(), "pixels".into());
    let columns: Vec<Named<'_>> = ["frame", "kind"].map(own).into_iter().chain(fields).chain([mask]).collect();
    let sheet = Sheet::open(edited, options, |name| columns.iter().any(|(other, _)| other == name))?;
    let columns = Columns::of(&sheet, &columns, &["frame"])?.words(&[("single", "1"), ("double", "2"), ("mask", "3")]);
    options.planner().attributes(original, sheet.rows(&export, &columns, options.safe))
}
