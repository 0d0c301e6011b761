//! Changes from workbooks (XLSX) as `export` wrote them and Excel, LibreOffice or pandas saved them.
//!
//! A worksheet is compared like the CSV that it says, by the planners of [`csv`]. Which sheet of the original it is follows
//! from its columns, since programs rename worksheets. Worksheets with other columns are left out.

mod check;

use std::collections::HashSet;
use std::fmt::Display;
use std::io::Cursor;

use calamine::{DataRef, Reader as _, Xlsx};
use worldview_core::{Path, quote};
use worldview_edit::account::{Column, Entry, SourcePlace};
use worldview_export::xlsx::{FILES, KEY};
use worldview_wpd::{Table, TableDescription};
use worldview_wwd::Level;

use crate::cell::{is_same_text, is_trimmed};
use crate::codes::WORKSHEET_UNKNOWN;
use crate::csv::sheet::{Cells, REFUSED, Trimmed};
use crate::csv::{self, Options};
use crate::not_exported;
use crate::planner::rows::{Records, Rows as _, check_name};
use worldview_edit::{Change, EditError, Planned, Result, Value, of_kind};

/// Maximum size of the text of all cells of a workbook together.
const MAX_TEXT: u64 = 1 << 27;

/// The cells of a workbook.
#[derive(Debug)]
pub struct Workbook {
    sheets: Vec<Worksheet>,
    files: Vec<SheetFile>,
    /// Whether the program that wrote it loses white space at the ends of texts.
    is_trimmed: bool,
}

/// Where a worksheet comes from, in a workbook of several files.
#[derive(Clone, Debug)]
pub struct SheetFile {
    /// The name of the worksheet.
    pub sheet: String,
    /// The path of the file.
    pub file: String,
    /// The path of the table in it; empty for the file itself.
    pub inside: String,
}

/// The cells of a worksheet, as CSV.
#[derive(Clone, Debug)]
struct Worksheet {
    name: String,
    csv: Vec<u8>,
    /// Why the CSV ends before the worksheet.
    failed: Option<EditError>,
}

impl Workbook {
    /// Reads the cells of all worksheets.
    ///
    /// # Errors
    ///
    /// Returns an error, with the part and the offset, if the bytes are no workbook, or one that asks for too much. What is wrong in
    /// a worksheet is an error once that is applied.
    pub fn open(bytes: &[u8]) -> Result<Self> {
        let is_trimmed = check::check(bytes).map_err(|error| malformed(&format_args!("is not a workbook: {error}")))?;
        let mut book: Xlsx<_> =
            Xlsx::new(Cursor::new(bytes)).map_err(|error| malformed(&format_args!("is not a workbook: {error}")))?;
        let (mut sheets, mut left, mut names) = (Vec::new(), MAX_TEXT, HashSet::new());
        for name in book.sheet_names() {
            if !names.insert(name.clone()) {
                return Err(malformed(&format_args!("two worksheets have the name {}", quote(&name))));
            }
            let mut csv = Vec::new();
            let failed = cells(&mut book, &name, &mut left, &mut csv).err();
            sheets.push(Worksheet { name, csv, failed });
        }
        let list = sheets.iter().position(|sheet| sheet.name == FILES).map(|index| sheets.remove(index));
        let mut files = Vec::new();
        let mut rows = Cells::new(b',');
        let mut rest = list.as_ref().map_or(&[][..], |list| &list.csv);
        while let Some(len) = rows.read(rest).filter(|len| *len > 0) {
            let cell = |index| rows.get(index).unwrap_or("").to_owned();
            files.push(SheetFile { sheet: cell(0), file: cell(1), inside: cell(2) });
            rest = rest.get(len..).unwrap_or(&[]);
        }
        Ok(Self { sheets, files, is_trimmed })
    }

    /// Returns the worksheets that are the records of different files, with the paths of these; none if the workbook is of one file.
    pub fn files(&self) -> &[SheetFile] {
        &self.files
    }

    /// Returns the names of the worksheets that are of none of several files.
    pub fn others(&self) -> impl Iterator<Item = &str> {
        let is_listed = |name: &str| self.files.iter().any(|file| file.sheet == name);
        self.sheets.iter().map(|sheet| sheet.name.as_str()).filter(move |name| !is_listed(name))
    }

    /// Returns the workbook with one of its worksheets only.
    #[must_use]
    pub fn only(&self, name: &str) -> Option<Self> {
        let sheet = self.sheets.iter().find(|sheet| sheet.name == name)?;
        Some(Self { sheets: vec![sheet.clone()], files: Vec::new(), is_trimmed: self.is_trimmed })
    }
}

/// Returns the changes that make a table say what its edited workbook says.
///
/// In the column [`KEY`], which is hidden, a record has the name that it had. One that has another name in the column `record` now is
/// renamed, if no other row has the old name; else the row was copied, and is a new record.
///
/// # Errors
///
/// Returns an error, with the worksheet, if [`csv::records`] does, or if a string array was edited.
pub fn table(original: &Table<'_>, workbook: &Workbook, options: &Options) -> Result<Planned> {
    let options = options.workbook(workbook.is_trimmed);
    plan(workbook, |sheet, header| {
        let has = |name: &str| header.contains(name);
        if has("record") {
            Some(records(original, sheet, &options))
        } else if has("field") && has("index") && has("value") {
            Some(arrays(original, sheet, &options))
        } else {
            None
        }
    })
}

/// Returns the changes that apply the edited workbook of a level to it.
///
/// # Errors
///
/// Returns an error, with the worksheet, if [`csv::objects`] or [`csv::attributes`] does.
pub fn level(original: &Level<'_>, workbook: &Workbook, options: &Options) -> Result<Planned> {
    let options = options.workbook(workbook.is_trimmed);
    plan(workbook, |sheet, header| {
        if header.contains("object") {
            Some(csv::objects(original, &sheet.csv, &options))
        } else if header.contains("frame") {
            Some(csv::attributes(original, &sheet.csv, &options))
        } else {
            None
        }
    })
}

/// Plans each worksheet by its columns. One that `of` does not know is left out.
fn plan(
    workbook: &Workbook,
    mut of: impl FnMut(&Worksheet, &HashSet<&str>) -> Option<Result<Planned>>,
) -> Result<Planned> {
    let mut all = Planned::default();
    let mut is_known = false;
    for sheet in &workbook.sheets {
        let mut first = Cells::new(b',');
        let header: HashSet<&str> =
            if first.read(&sheet.csv).is_some() { first.iter().collect() } else { HashSet::new() };
        let planned = of(sheet, &header).map(|planned| sheet.failed.clone().map_or(planned, Err));
        let Some(planned) = planned else {
            if !sheet.csv.is_empty() || sheet.failed.is_some() {
                let why = format!("the worksheet {} has columns of no sheet of the original", quote(&sheet.name));
                all.account.push(Entry::new(Column::LeftOut, WORKSHEET_UNKNOWN, &Path::new(), why));
            }
            continue;
        };
        is_known = true;
        let mut planned = planned.map_err(|error| in_sheet(error, &sheet.name))?;
        planned.account.entries_mut().for_each(|entry| entry.place.pointer = Some(sheet.name.clone()));
        all.append(planned);
    }
    if !is_known {
        let failed = workbook.sheets.iter().find_map(|sheet| Some(in_sheet(sheet.failed.clone()?, &sheet.name)));
        let none = || malformed(&"has no worksheet with a column `record`, `object` or `frame`");
        return Err(failed.unwrap_or_else(none));
    }
    Ok(all)
}

/// Plans a worksheet of records.
fn records(original: &Table<'_>, sheet: &Worksheet, options: &Options) -> Result<Planned> {
    let (mut csv, mut renamed) = (Vec::new(), Vec::new());
    of_kind(&TableDescription::new(original), "record", |parts| {
        let mut rows = Records::of(parts, original.len(), false).with(None, options.is_trimmed);
        let (sheet, names) = by_key(&sheet.csv, &mut |key| rows.index_of(key));
        (csv, renamed) = (sheet, names.into_iter().map(|(index, name)| (rows.path(index), name)).collect());
    });
    let mut planned = csv::records(original, &csv, options)?;
    // A row without all of its values has no effect.
    let refused = planned.account.entries().filter(|entry| entry.column == Column::Refused);
    let refused: HashSet<_> = refused.map(|entry| entry.path.first(1)).collect();
    for (path, name) in renamed.into_iter().filter(|(path, _)| !refused.contains(path)) {
        match check_name(&name, &path) {
            Ok(()) => {
                planned.changes.push(Change::Rename { path, to: Value::from_bytes(&crate::cell::bytes(&name, &[])) })
            }
            Err(error) => planned.refuse(&error, SourcePlace::default()),
        }
    }
    Ok(planned)
}

/// Returns CSV without the column of keys and with the names that records had, and the renamed records with their new names. A key
/// that is not the name of a record means nothing.
fn by_key(csv: &[u8], record_of: &mut dyn FnMut(&str) -> Option<usize>) -> (Vec<u8>, Vec<(usize, String)>) {
    let mut rows = Cells::new(b',');
    let header = rows.read(csv);
    let column = |name: &str| rows.iter().position(|cell| cell == name);
    let (Some(_), Some(record), Some(key)) = (header, column("record"), column(KEY)) else {
        return (csv.to_vec(), Vec::new());
    };
    let each = |found: &mut dyn FnMut(&Cells, &[u8])| {
        let (mut rows, mut rest) = (Cells::new(b','), csv);
        while let Some(len) = rows.read(rest).filter(|len| *len > 0) {
            // Empty lines before a row are those of empty rows.
            let blank = rest.iter().take_while(|byte| **byte == b'\n').count();
            found(&rows, rest.get(..blank).unwrap_or(&[]));
            rest = rest.get(len..).unwrap_or(&[]);
        }
    };
    let mut names = HashSet::new();
    each(&mut |row, _| {
        names.insert(row.get(record).unwrap_or("").to_owned());
    });
    let (mut out, mut renamed) = (Vec::with_capacity(csv.len()), Vec::new());
    // The cell of the header is no name.
    let mut taken = HashSet::from([KEY.to_owned()]);
    each(&mut |row, blank| {
        out.extend_from_slice(blank);
        let (name, was) = (row.get(record).unwrap_or(""), row.get(key).unwrap_or(""));
        let may_be_renamed = !name.is_empty() && !name.starts_with(REFUSED);
        let may_be_renamed = may_be_renamed && !is_same_text(was, name) && !names.contains(was);
        let old = if may_be_renamed { record_of(was) } else { None };
        let old = old.filter(|_| taken.insert(was.to_owned()));
        for (place, cell) in row.iter().enumerate().filter(|(place, _)| *place != key) {
            let index = if place > key { place.saturating_sub(1) } else { place };
            if index > 0 {
                out.push(b',');
            }
            put(if old.is_some() && place == record { was } else { cell }, &mut out);
        }
        out.push(b'\n');
        renamed.extend(old.map(|old| (old, name.to_owned())));
    });
    (out, renamed)
}

/// Compares a worksheet of string arrays, which are edited through the fields of records.
fn arrays(original: &Table<'_>, sheet: &Worksheet, options: &Options) -> Result<Planned> {
    let mut export = Vec::new();
    worldview_export::table::csv::arrays(original, &mut export).map_err(not_exported)?;
    let (mut old, mut new) = (Cells::new(b','), Cells::new(b','));
    let (mut old_rest, mut new_rest) = (export.as_slice(), sheet.csv.as_slice());
    let (mut planned, mut trimmed) = (Planned::default(), Trimmed::default());
    loop {
        let (old_len, new_len) = (old.read(old_rest), new.read(new_rest));
        let (Some(old_len), Some(new_len)) = (old_len, new_len) else {
            trimmed.finish(&mut planned);
            return if old_len == new_len { Ok(planned) } else { Err(arrays_edited()) };
        };
        for index in 0..3 {
            let (old, new) = (old.get(index).unwrap_or(""), new.get(index).unwrap_or(""));
            if options.is_trimmed && is_trimmed(old, new) {
                trimmed.count(1, || quote(old));
            } else if !is_same_text(old, new) {
                return Err(arrays_edited());
            }
        }
        old_rest = old_rest.get(old_len..).unwrap_or(&[]);
        new_rest = new_rest.get(new_len..).unwrap_or(&[]);
    }
}

fn arrays_edited() -> EditError {
    malformed(&"arrays of texts are edited through the fields of records")
}

/// Appends the cells of a worksheet as CSV, in which a line is a row. A cell without a value says why there is none.
fn cells(book: &mut Xlsx<Cursor<&[u8]>>, name: &str, left: &mut u64, out: &mut Vec<u8>) -> Result<()> {
    // Charts have no cells.
    let Ok(mut reader) = book.worksheet_cells_reader(name) else { return Ok(()) };
    let (mut at, mut is_first) = ((0_u32, 0_u32), true);
    while let Some(cell) = reader.next_cell_with_formula_metadata().map_err(|error| malformed(&error))? {
        let (row, column) = cell.pos;
        let text = match cell.value {
            DataRef::Empty if cell.formula.is_some() => {
                Err("has a formula without its value; save it in a spreadsheet program")
            }
            DataRef::Empty => continue,
            DataRef::Int(number) => Ok(number.to_string()),
            DataRef::Float(number) => Ok(number.to_string()),
            DataRef::Bool(is) => Ok(if is { "TRUE" } else { "FALSE" }.to_owned()),
            DataRef::String(text) if text.starts_with(REFUSED) => Err("has a character that no text can have"),
            DataRef::SharedString(text) if text.starts_with(REFUSED) => Err("has a character that no text can have"),
            DataRef::String(text) => Ok(text),
            DataRef::SharedString(text) => Ok(text.to_owned()),
            DataRef::Error(_) => Err("has an error"),
            DataRef::DateTime(_) | DataRef::DateTimeIso(_) | DataRef::DurationIso(_) => {
                Err("was taken for a date; make it a text or a number and enter it again")
            }
        };
        let text = text.unwrap_or_else(|why| format!("{REFUSED}{why}"));
        if !is_first && (row, column) <= at {
            return Err(malformed(&"cells are not in order"));
        }
        let before = out.len();
        let (rows, columns) =
            if row == at.0 { (0, column.saturating_sub(at.1)) } else { (row.saturating_sub(at.0), column) };
        out.extend(std::iter::repeat_n(b'\n', rows as usize));
        out.extend(std::iter::repeat_n(b',', columns as usize));
        put(&text, out);
        (at, is_first) = ((row, column), false);
        let size = out.len().saturating_sub(before) as u64;
        *left = left
            .checked_sub(size)
            .ok_or_else(|| malformed(&format_args!("the cells of the workbook take more than {MAX_TEXT} bytes")))?;
    }
    if !out.is_empty() {
        out.push(b'\n');
    }
    Ok(())
}

/// Appends a cell of CSV.
fn put(text: &str, out: &mut Vec<u8>) {
    if text.contains(['"', ',', '\n', '\r']) {
        out.push(b'"');
        out.extend_from_slice(text.replace('"', "\"\"").as_bytes());
        out.push(b'"');
    } else {
        out.extend_from_slice(text.as_bytes());
    }
}

fn malformed(why: &dyn Display) -> EditError {
    EditError::malformed(None, why.to_string())
}

/// Returns an error that says in which worksheet it is.
fn in_sheet(mut error: EditError, name: &str) -> EditError {
    if let worldview_edit::EditErrorKind::Malformed { line, why } = &mut error.kind {
        let row = line.take().map(|row| format!(", row {row}"));
        *why = format!("worksheet {}{}: {why}", quote(name), row.unwrap_or_default());
    }
    error
}
