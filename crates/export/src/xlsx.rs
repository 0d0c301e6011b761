//! Workbooks for spreadsheets (XLSX): the sheets that `csv` writes, with types.
//!
//! A text is a text in a workbook: a spreadsheet takes neither `007` for a number nor `1E5`, and runs no formula. Numbers of more than
//! fifteen digits are texts as well, because spreadsheets keep no more. The first row and the column with the key of each row stay in
//! view.

use std::collections::HashSet;
use std::io::Write;

use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Worksheet, XlsxError};
use worldview_core::Limit;
#[cfg(feature = "table")]
use {
    crate::table::Selection,
    worldview_inspect::utf8,
    worldview_wpd::{Table, ValueType},
};
#[cfg(feature = "level")]
use {worldview_core::describe::Stored, worldview_wwd::Level, worldview_wwd::raw::ObjectRecord};

use crate::{Error, Result};

/// Rows, columns and UTF-16 units of a cell that the format can have.
const ROWS: u32 = 1 << 20;
const COLUMNS: usize = 1 << 14;
const UNITS: usize = 32_767;

/// The least and most places that a column is wide.
const NARROWEST: usize = 4;
const WIDEST: usize = 40;

/// Characters that the name of a worksheet can have.
const NAME: usize = 31;

/// The name of the hidden column that repeats the names of records, by which a renamed one is recognized.
pub const KEY: &str = "record_key";

/// The name of the hidden worksheet that says which file the others come from, in a workbook of several files: a row for each, with
/// the name of the worksheet, the path of the file, and the path of the table in it.
pub const FILES: &str = "worldview files";

/// A workbook that is being filled.
///
/// ```
/// use worldview_export::table::Selection;
/// use worldview_export::xlsx::Workbook;
/// use worldview_wpd::Table;
///
/// # let file = &worldview_corpus::sample("items.wdb");
/// let table = Table::parse(file)?;
/// let mut workbook = Workbook::new();
/// workbook.records("items", &table, &Selection::ALL)?;
/// let mut out = Vec::new();
/// workbook.write(&mut out)?;
/// assert!(out.starts_with(b"PK"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct Workbook {
    book: rust_xlsxwriter::Workbook,
    /// The names of the worksheets in lower case: spreadsheets ignore case.
    taken: HashSet<String>,
    /// The worksheets and the files that they come from, of a workbook of several files.
    files: Vec<[String; 3]>,
}

worldview_core::debug_summary!("Workbook", Workbook, |this| worksheets: this.taken);

/// What the columns of a sheet hold.
#[derive(Clone, Debug)]
pub struct Columns {
    /// Whether each column holds text.
    texts: Vec<bool>,
    /// How many of the first columns stay in view.
    frozen: u16,
    /// Whether the first column is repeated in a hidden one.
    has_key: bool,
}

impl Columns {
    /// The columns of the records of a table.
    #[cfg(feature = "table")]
    pub fn of_records(table: &Table<'_>, has_sheet: bool) -> Self {
        let fields = || table.fields().iter();
        let is_text = |kind: worldview_wpd::FieldKind| kind.value_type() == ValueType::Text;
        let first = std::iter::repeat_n(true, if has_sheet { 2 } else { 1 });
        let has_key = !fields().any(|field| utf8(field.name()) == KEY);
        Self { texts: first.chain(fields().map(|field| is_text(field.kind()))).collect(), frozen: 1, has_key }
    }

    /// The columns of the string arrays of a table.
    #[cfg(feature = "table")]
    fn of_arrays() -> Self {
        Self { texts: vec![true, false, true], frozen: 2, has_key: false }
    }

    /// The columns of the objects of a level.
    #[cfg(feature = "level")]
    fn of_objects() -> Self {
        // The plane is a number; the key, the four strings and the metadata are texts.
        let first = std::iter::once(false).chain(std::iter::repeat_n(true, 7));
        let fields = ObjectRecord::FIELDS.iter().flat_map(|info| info.columns().map(|_| is_text(info.stored)));
        Self { texts: first.chain(fields).collect(), frozen: 3, has_key: false }
    }

    /// The columns of the tile attributes of a level.
    #[cfg(feature = "level")]
    fn of_attributes() -> Self {
        let columns = crate::level::attribute_columns();
        let fields = columns.iter().flat_map(|info| crate::level::attribute_cells(info).map(|_| is_text(info.stored)));
        Self { texts: [false, true].into_iter().chain(fields).chain([true]).collect(), frozen: 1, has_key: false }
    }
}

impl Columns {
    /// Returns whether each column of a header holds text.
    fn texts_of(&self, header: &::csv::StringRecord) -> Vec<bool> {
        let mut known = self.texts.iter().copied();
        #[cfg(feature = "table")]
        let is_words = |name: &str| self.has_key && name.ends_with(crate::table::WORDS);
        #[cfg(not(feature = "table"))]
        let is_words = |_: &str| false;
        header.iter().map(|name| is_words(name) || known.next().unwrap_or(false)).collect()
    }
}

#[cfg(feature = "level")]
const fn is_text(stored: Stored) -> bool {
    matches!(stored, Stored::Text(_) | Stored::Padded(_) | Stored::Bytes(_))
}

impl Workbook {
    /// Returns an empty workbook.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns whether there is no worksheet yet.
    pub fn is_empty(&self) -> bool {
        self.taken.is_empty()
    }

    /// Adds the records of a table, with a hidden column [`KEY`] behind the others.
    ///
    /// # Errors
    ///
    /// Returns an error if [`csv::records`](crate::table::csv::records) does, or if the records do not fit into a worksheet.
    #[cfg(feature = "table")]
    pub fn records(&mut self, name: &str, table: &Table<'_>, selection: &Selection<'_>) -> Result<()> {
        let mut csv = Vec::new();
        crate::table::csv::records(table, selection, &mut csv)?;
        self.add(name, &csv, &Columns::of_records(table, selection.sheet))
    }

    /// Adds the string arrays of a table.
    ///
    /// # Errors
    ///
    /// Returns an error if [`csv::arrays`](crate::table::csv::arrays) does, or if they do not fit into a worksheet.
    #[cfg(feature = "table")]
    pub fn arrays(&mut self, name: &str, table: &Table<'_>) -> Result<()> {
        let mut csv = Vec::new();
        crate::table::csv::arrays(table, &mut csv)?;
        self.add(name, &csv, &Columns::of_arrays())
    }

    /// Adds the objects of a level.
    ///
    /// # Errors
    ///
    /// Returns an error if [`csv::objects`](crate::level::csv::objects) does, or if the objects do not fit into a worksheet.
    #[cfg(feature = "level")]
    pub fn objects(&mut self, name: &str, level: &Level<'_>, encoding: crate::Encoding) -> Result<()> {
        let mut csv = Vec::new();
        crate::level::csv::objects(level, encoding, &mut csv)?;
        self.add(name, &csv, &Columns::of_objects())
    }

    /// Adds the tile attributes of a level.
    ///
    /// # Errors
    ///
    /// Returns an error if [`csv::attributes`](crate::level::csv::attributes) does, or if they do not fit into a worksheet.
    #[cfg(feature = "level")]
    pub fn attributes(&mut self, name: &str, level: &Level<'_>) -> Result<()> {
        let mut csv = Vec::new();
        crate::level::csv::attributes(level, &mut csv)?;
        self.add(name, &csv, &Columns::of_attributes())
    }

    /// Adds the records of a table in one of several files, given its path and that of the table inside, as
    /// [`csv::records`](crate::table::csv::records) wrote them. The worksheet is called
    /// `name`, or something like it if that cannot be.
    ///
    /// # Errors
    ///
    /// Returns an error if the records do not fit into a worksheet.
    pub fn records_of(
        &mut self,
        name: &str,
        (file, inside): (&str, &str),
        csv: &[u8],
        columns: &Columns,
    ) -> Result<()> {
        let name = self.free(name);
        self.add(&name, csv, columns)?;
        self.files.push([name, file.to_owned(), inside.to_owned()]);
        Ok(())
    }

    /// Returns a name that a worksheet can have and that no other one has.
    fn free(&self, name: &str) -> String {
        let is_allowed = |char: char| !matches!(char, '[' | ']' | ':' | '*' | '?' | '/' | '\\') && !char.is_control();
        let name: String = name.chars().map(|char| if is_allowed(char) { char } else { '_' }).collect();
        let name = name.trim_matches('\'');
        let numbers = std::iter::once(String::new()).chain((2_u64..).map(|number| format!(" {number}")));
        let tried = numbers.map(|number| {
            // The format counts UTF-16 units.
            let room = NAME - number.len();
            let fits = name
                .char_indices()
                .take_while(|(at, char)| name[..at + char.len_utf8()].encode_utf16().count() <= room);
            let cut: String = fits.map(|(_, char)| char).collect();
            cut + &number
        });
        let mut free = tried.filter(|name| !name.is_empty() && !self.taken.contains(&name.to_lowercase()));
        // There are more numbers than worksheets.
        free.next().unwrap_or_default()
    }

    /// Adds a worksheet with the rows of CSV. Columns of words, whose names end with [`WORDS`](crate::table::WORDS), may be among those
    /// of records.
    ///
    /// # Errors
    ///
    /// Returns an error if the rows do not fit into a worksheet, or if it cannot have this name.
    pub fn add(&mut self, name: &str, csv: &[u8], columns: &Columns) -> Result<()> {
        self.taken.insert(name.to_lowercase());
        let sheet = self.book.add_worksheet();
        sheet.set_name(name).map_err(failed)?;
        sheet.set_freeze_panes(1, columns.frozen).map_err(failed)?;
        let (bold, text) = (Format::new().set_bold(), Format::new().set_num_format("@"));
        let rows = ::csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(csv);
        let (mut width, mut texts, mut widest) = (0, Vec::new(), Vec::<usize>::new());
        for (row, cells) in (0_u32..).zip(rows.into_records()) {
            // Our own CSV is well-formed and UTF-8.
            let cells = cells.map_err(std::io::Error::other)?;
            if row == ROWS {
                return Err(too_much("the rows of a worksheet", row as usize + 1, ROWS as usize));
            }
            if row == 0 {
                texts = columns.texts_of(&cells);
            }
            widest.resize(widest.len().max(cells.len()), 0);
            for (column, cell) in cells.iter().enumerate() {
                widest[column] = widest[column].max(places(cell));
                let is_text = texts.get(column).copied().unwrap_or(false);
                put(sheet, (row, column), cell, if row == 0 { Some(&bold) } else { is_text.then_some(&text) })?;
            }
            if columns.has_key {
                width = width.max(cells.len());
                let key = if row == 0 { KEY } else { cells.get(0).unwrap_or("") };
                put(sheet, (row, width), key, Some(if row == 0 { &bold } else { &text }))?;
            }
        }
        for (column, places) in widest.into_iter().enumerate() {
            sheet
                .set_column_width(column_number(column)?, places.clamp(NARROWEST, WIDEST) as f64 + 1.0)
                .map_err(failed)?;
        }
        if columns.has_key {
            sheet.set_column_hidden(column_number(width)?).map_err(failed)?;
        }
        Ok(())
    }

    /// Writes the workbook.
    ///
    /// # Errors
    ///
    /// Returns an error if writing to `out` fails.
    pub fn write(mut self, mut out: impl Write) -> Result<()> {
        if !self.files.is_empty() {
            let sheet = self.book.add_worksheet();
            sheet.set_name(FILES).map_err(failed)?.set_hidden(true);
            for (row, cells) in (0..).zip(&self.files) {
                for (column, cell) in (0..).zip(cells) {
                    sheet.write_string(row, column, cell).map_err(failed)?;
                }
            }
        }
        // The same file again is the same bytes.
        let date = ExcelDateTime::from_ymd(2000, 1, 1).map_err(failed)?;
        self.book.set_properties(&DocProperties::new().set_creation_datetime(&date));
        Ok(out.write_all(&self.book.save_to_buffer().map_err(failed)?)?)
    }
}

/// Writes a cell: as text in the format that is given, otherwise as a number if it is one that spreadsheets keep.
fn put(sheet: &mut Worksheet, (row, column): (u32, usize), cell: &str, format: Option<&Format>) -> Result<()> {
    let at = column_number(column)?;
    let units = cell.encode_utf16().count();
    if units > UNITS {
        return Err(too_much("the characters of a cell of a worksheet", units, UNITS));
    }
    let digits = cell.bytes().filter(u8::is_ascii_digit).count();
    let number = cell.parse::<f64>().ok().filter(|number| number.is_finite() && (1..=15).contains(&digits));
    match (format, number) {
        (None, _) if cell.is_empty() => Ok(sheet),
        (Some(format), _) if cell.is_empty() => sheet.write_blank(row, at, format),
        (Some(format), _) if is_escape(cell) => {
            // In two runs nothing looks like an escape.
            let runs = cell.match_indices("_x").map(|(at, _)| at + 1);
            let starts = std::iter::once(0).chain(runs.clone()).zip(runs.chain([cell.len()]));
            let plain = Format::default();
            let runs: Vec<_> = starts.map(|(start, end)| (&plain, &cell[start..end])).collect();
            sheet.write_rich_string_with_format(row, at, &runs, format)
        }
        (Some(format), _) => sheet.write_string_with_format(row, at, cell, format),
        (None, Some(number)) => sheet.write_number(row, at, number),
        (None, None) => sheet.write_string(row, at, cell),
    }
    .map_err(failed)?;
    Ok(())
}

/// How many places a text is wide, about: letters of Asian scripts take two.
fn places(text: &str) -> usize {
    text.chars().take(WIDEST).map(|char| if char < '\u{1100}' { 1 } else { 2 }).sum()
}

/// Whether a text has what LibreOffice reads as a character: `_x` and one to four hexadecimal digits. Others only read four, and
/// the library escapes these.
fn is_escape(text: &str) -> bool {
    text.split("_x").skip(1).any(|rest| {
        let digits = rest.bytes().take_while(u8::is_ascii_hexdigit).count();
        (1..=4).contains(&digits) && rest.as_bytes().get(digits) == Some(&b'_')
    })
}

fn column_number(column: usize) -> Result<u16> {
    let number = u16::try_from(column).ok().filter(|_| column < COLUMNS);
    number.ok_or_else(|| too_much("the columns of a worksheet", column.saturating_add(1), COLUMNS))
}

fn too_much(what: &'static str, need: usize, limit: usize) -> Error {
    Error::Limit { of: Limit::Capacity, what, need: need as u64, limit: limit as u64 }
}

fn failed(error: XlsxError) -> Error {
    Error::Io(std::io::Error::other(error))
}
