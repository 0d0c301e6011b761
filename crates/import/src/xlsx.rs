//! Changes from workbooks (XLSX) as `export` wrote them and Excel, LibreOffice or pandas saved them.
//!
//! A worksheet is compared like the CSV that it says, by the planners of [`csv`]. Which sheet of the original it is follows
//! from its columns, since programs rename worksheets. Worksheets with other columns are left out.

use std::collections::HashSet;
use std::fmt::Display;
use std::io::{self, Cursor, Read as _};

use calamine::{DataRef, Reader as _, Xlsx};
use quick_xml::events::Event;
use worldview_core::account::{Column, Entry};
use worldview_core::{Path, quote};
use worldview_export::xlsx::{FILES, KEY};
use worldview_wpd::Table;
use worldview_wwd::Level;

use crate::cell::is_same_text;
use crate::codes::WORKSHEET_UNKNOWN;
use crate::csv::sheet::Cells;
use crate::csv::{self, Options};
use crate::not_exported;
use crate::table::{NameLookup, Names, check_name};
use worldview_edit::{Change, EditError, Planned, Result, Value};

/// Maximum size of all parts of a workbook together, unpacked, and of the text of its cells.
const MAX_UNPACKED: u64 = 1 << 28;

/// The cells of a workbook.
#[derive(Debug)]
pub struct Workbook {
    sheets: Vec<Worksheet>,
    files: Vec<SheetFile>,
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
#[derive(Debug)]
struct Worksheet {
    name: String,
    csv: Vec<u8>,
}

impl Workbook {
    /// Reads the cells of all worksheets.
    ///
    /// # Errors
    ///
    /// Returns an error, with the worksheet and the cell, if:
    ///
    /// - the bytes are no workbook, or one that takes more than 256 MiB unpacked
    /// - a cell has a date, which nothing of ours is, an error, or a formula without its value
    pub fn open(bytes: &[u8]) -> Result<Self> {
        check(bytes).map_err(|error| malformed(&format_args!("is not a workbook: {error}")))?;
        let mut book: Xlsx<_> =
            Xlsx::new(Cursor::new(bytes)).map_err(|error| malformed(&format_args!("is not a workbook: {error}")))?;
        let (mut sheets, mut left) = (Vec::new(), MAX_UNPACKED);
        for name in book.sheet_names() {
            let csv = cells(&mut book, &name, &mut left)?;
            sheets.push(Worksheet { name, csv });
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
        Ok(Self { sheets, files })
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
        let sheet = Worksheet { name: sheet.name.clone(), csv: sheet.csv.clone() };
        Some(Self { sheets: vec![sheet], files: Vec::new() })
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
    plan(workbook, |sheet, header| {
        let has = |name: &str| header.contains(name);
        if has("record") {
            Some(records(original, sheet, options))
        } else if has("field") && has("index") && has("value") {
            Some(arrays(original, sheet))
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
    let options = options.workbook();
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
        let Some(planned) = of(sheet, &header) else {
            if !sheet.csv.is_empty() {
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
        return Err(malformed(&"has no worksheet with a column `record`, `object` or `frame`"));
    }
    Ok(all)
}

/// Plans a worksheet of records.
fn records(original: &Table<'_>, sheet: &Worksheet, options: &Options) -> Result<Planned> {
    let (mut names, unseen) = (Names::of(original), vec![false; original.len()]);
    let mut record = |key: &str| match names.find(key, &unseen) {
        NameLookup::Record(index) => Some(index),
        NameLookup::Doubled | NameLookup::Unknown => None,
    };
    let (csv, renamed) = by_key(&sheet.csv, &mut record);
    let mut planned = csv::records(original, &csv, &options.workbook())?;
    for (index, name) in renamed {
        let path = names.path(index);
        match check_name(&name, &path) {
            Ok(()) => {
                planned.changes.push(Change::Rename { path, to: Value::from_bytes(&crate::cell::bytes(&name, &[])) })
            }
            Err(error) => planned.refuse(&error, worldview_core::account::SourcePlace::default()),
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
        let may_be_renamed = !name.is_empty() && !is_same_text(was, name) && !names.contains(was);
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
fn arrays(original: &Table<'_>, sheet: &Worksheet) -> Result<Planned> {
    let mut export = Vec::new();
    worldview_export::table::csv::arrays(original, &mut export).map_err(not_exported)?;
    let (mut old, mut new) = (Cells::new(b','), Cells::new(b','));
    let (mut old_rest, mut new_rest) = (export.as_slice(), sheet.csv.as_slice());
    loop {
        let (old_len, new_len) = (old.read(old_rest), new.read(new_rest));
        let (Some(old_len), Some(new_len)) = (old_len, new_len) else {
            return if old_len == new_len { Ok(Planned::default()) } else { Err(arrays_edited()) };
        };
        let cell = |cells: &Cells, index| cells.get(index).unwrap_or("").to_owned();
        if (0..3).any(|index| !is_same_text(&cell(&old, index), &cell(&new, index))) {
            return Err(arrays_edited());
        }
        old_rest = old_rest.get(old_len..).unwrap_or(&[]);
        new_rest = new_rest.get(new_len..).unwrap_or(&[]);
    }
}

fn arrays_edited() -> EditError {
    malformed(&"arrays of texts are edited through the fields of records")
}

/// Returns an error if the parts of a workbook are too large, or have what the library does not check.
fn check(bytes: &[u8]) -> io::Result<()> {
    let mut parts = zip::ZipArchive::new(Cursor::new(bytes)).map_err(io::Error::other)?;
    let mut left = MAX_UNPACKED;
    for index in 0..parts.len() {
        let part = parts.by_index(index).map_err(io::Error::other)?;
        let mut unpacked = Vec::new();
        part.take(left.saturating_add(1)).read_to_end(&mut unpacked)?;
        left = left
            .checked_sub(unpacked.len() as u64)
            .ok_or_else(|| io::Error::other(format!("its parts take more than {MAX_UNPACKED} bytes unpacked")))?;
        check_references(&unpacked).map_err(io::Error::other)?;
    }
    Ok(())
}

/// Returns an error if a reference to cells is none: the library computes with its numbers. Parts that are no XML have none.
fn check_references(part: &[u8]) -> std::result::Result<(), String> {
    let Ok(text) = std::str::from_utf8(part) else {
        let is_utf16 = part.starts_with(&[0xFE, 0xFF]) || part.starts_with(&[0xFF, 0xFE]);
        return if is_utf16 { Err("a part is in UTF-16".to_owned()) } else { Ok(()) };
    };
    let mut reader = quick_xml::Reader::from_str(text);
    // As lenient as the library, so that it ends where this does.
    reader.config_mut().check_end_names = false;
    reader.config_mut().allow_unmatched_ends = true;
    loop {
        let element = match reader.read_event() {
            Ok(Event::Start(element) | Event::Empty(element)) => element,
            Ok(Event::Decl(declared)) => {
                let encoding = declared.encoding().and_then(std::result::Result::ok);
                match encoding.filter(|encoding| !encoding.as_bytes().eq_ignore_ascii_case(b"UTF-8")) {
                    Some(_) => return Err("a part is not in UTF-8".to_owned()),
                    None => continue,
                }
            }
            // What is malformed is found by the library.
            Ok(Event::Eof) | Err(_) => return Ok(()),
            Ok(_) => continue,
        };
        if !matches!(element.local_name().as_ref(), "row" | "c" | "f" | "dimension") {
            continue;
        }
        for attribute in element.attributes().with_checks(false) {
            let attribute = attribute.map_err(|error| error.to_string())?;
            let value = &attribute.value;
            if matches!(attribute.key.as_ref(), "r" | "ref") && !is_reference(value) {
                return Err(format!("{} is no reference to cells", quote(value)));
            }
        }
    }
}

/// Whether a text is a cell, a row, or a range from one cell to a later one.
fn is_reference(text: &str) -> bool {
    let cell = |cell: &str| {
        let letters = cell.bytes().take_while(u8::is_ascii_alphabetic).count();
        let (column, row) = cell.split_at_checked(letters)?;
        let column = column.bytes().fold(0_u32, |number, letter| {
            number.saturating_mul(26).saturating_add(u32::from(letter.to_ascii_uppercase().saturating_sub(b'@')))
        });
        let row: u32 = row.parse().ok()?;
        (letters <= 3 && (1..=1 << 20).contains(&row)).then_some((column, row))
    };
    match text.split_once(':') {
        None => cell(text).is_some(),
        Some((first, last)) => {
            cell(first).zip(cell(last)).is_some_and(|(first, last)| first.0 <= last.0 && first.1 <= last.1)
        }
    }
}

/// Returns the cells of a worksheet as CSV, in which a line is a row.
fn cells(book: &mut Xlsx<Cursor<&[u8]>>, name: &str, left: &mut u64) -> Result<Vec<u8>> {
    let sheet = |why: &dyn Display| in_sheet(malformed(why), name);
    // Charts have no cells.
    let Ok(mut reader) = book.worksheet_cells_reader(name) else { return Ok(Vec::new()) };
    let (mut out, mut at) = (Vec::new(), (0_u32, 0_u32));
    let mut is_first = true;
    while let Some(cell) = reader.next_cell_with_formula_metadata().map_err(|error| sheet(&error))? {
        let (row, column) = cell.pos;
        let text = match cell.value {
            DataRef::Empty if cell.formula.is_some() => {
                Err("has a formula without its value; save it in a spreadsheet program")
            }
            DataRef::Empty => continue,
            DataRef::Int(number) => Ok(number.to_string()),
            DataRef::Float(number) => Ok(number.to_string()),
            DataRef::Bool(is) => Ok(if is { "TRUE" } else { "FALSE" }.to_owned()),
            DataRef::String(text) => Ok(text),
            DataRef::SharedString(text) => Ok(text.to_owned()),
            DataRef::Error(_) => Err("has an error"),
            DataRef::DateTime(_) | DataRef::DateTimeIso(_) | DataRef::DurationIso(_) => {
                Err("was taken for a date; make it a text or a number and enter it again")
            }
        };
        let text = text.map_err(|why| {
            sheet(&format_args!("the cell in row {}, column {} {why}", row.saturating_add(1), column.saturating_add(1)))
        })?;
        if !is_first && (row, column) <= at {
            return Err(sheet(&"cells are not in order"));
        }
        let before = out.len();
        let (rows, columns) =
            if row == at.0 { (0, column.saturating_sub(at.1)) } else { (row.saturating_sub(at.0), column) };
        out.extend(std::iter::repeat_n(b'\n', rows as usize));
        out.extend(std::iter::repeat_n(b',', columns as usize));
        put(&text, &mut out);
        (at, is_first) = ((row, column), false);
        let size = out.len().saturating_sub(before) as u64;
        *left = left
            .checked_sub(size)
            .ok_or_else(|| sheet(&format_args!("the cells take more than {MAX_UNPACKED} bytes")))?;
    }
    if !out.is_empty() {
        out.push(b'\n');
    }
    Ok(out)
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
