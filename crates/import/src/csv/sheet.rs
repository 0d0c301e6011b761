use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};
use worldview_core::Path;
use worldview_edit::account::{Column, Entry};

use super::Options;
use crate::cell::{is_trimmed, unguarded};
use crate::codes::WHITE_SPACE;
use crate::given::{Cell, Given};
use crate::planner::rows::{Found, KIND, Rows};
use crate::planner::{self, Planner};
use worldview_edit::{EditError, Planned, Result};

/// Separators that spreadsheets write.
const SEPARATORS: [u8; 3] = [b',', b';', b'\t'];

/// Maximum number of cells in a row. Each takes memory, and a separator is a byte.
const COLUMNS: usize = 1 << 20;

/// Begins a cell of a worksheet that has no value; the rest says why. No text of a workbook begins with it.
pub(crate) const REFUSED: char = '\u{FFFF}';

/// Texts that differ from those of the original only in white space at their ends, in a workbook that has lost it.
#[derive(Default)]
pub(crate) struct Trimmed {
    count: u64,
    keys: Vec<String>,
}

impl Trimmed {
    /// Adds texts of one row, and what names it.
    pub(crate) fn count(&mut self, count: usize, key: impl FnOnce() -> String) {
        if count > 0 && self.keys.len() < Entry::MAX_KEYS {
            self.keys.push(key());
        }
        self.count = self.count.saturating_add(count as u64);
    }

    /// Says how many there are.
    pub(crate) fn finish(self, planned: &mut Planned) {
        if self.count > 0 {
            let is = if self.count == 1 { "1 text differs" } else { &format!("{} texts differ", self.count) };
            let why =
                format!("{is} only in white space at the ends, which the workbook has lost, and stay as they are");
            let entry = Entry::new(Column::LeftOut, WHITE_SPACE, &Path::new(), why);
            planned.account.push(entry.about(self.count, self.keys));
        }
    }
}

/// Reads rows, one at a time.
pub(crate) struct Cells {
    reader: Reader,
    text: Vec<u8>,
    ends: Vec<usize>,
    len: usize,
}

impl Cells {
    pub(crate) fn new(separator: u8) -> Self {
        let reader = ReaderBuilder::new().delimiter(separator).build();
        Self { reader, text: vec![0; 1 << 10], ends: vec![0; 64], len: 0 }
    }

    /// Reads the row at the start of `input`, and returns its length in bytes with the line break; `None` if there is no row, or one
    /// with too many cells.
    pub(crate) fn read(&mut self, input: &[u8]) -> Option<usize> {
        self.reader.reset();
        let (mut at, mut text, mut ends) = (0_usize, 0_usize, 0_usize);
        loop {
            let (result, read, written, ended) = self.reader.read_record(
                input.get(at..).unwrap_or(&[]),
                self.text.get_mut(text..).unwrap_or(&mut []),
                self.ends.get_mut(ends..).unwrap_or(&mut []),
            );
            at = at.saturating_add(read);
            text = text.saturating_add(written);
            ends = ends.saturating_add(ended);
            match result {
                // The next call is told that nothing follows.
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull => self.text.resize(self.text.len().saturating_mul(2), 0),
                ReadRecordResult::OutputEndsFull if self.ends.len() >= COLUMNS => return None,
                ReadRecordResult::OutputEndsFull => self.ends.resize(self.ends.len().saturating_mul(2), 0),
                ReadRecordResult::Record => {
                    self.len = ends;
                    return Some(at);
                }
                ReadRecordResult::End => return None,
            }
        }
    }

    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn get(&self, index: usize) -> Option<&str> {
        let ends = self.ends.get(..self.len)?;
        let start = index.checked_sub(1).map_or(Some(0), |before| ends.get(before).copied())?;
        // Text between separators of UTF-8 is UTF-8.
        Some(std::str::from_utf8(self.text.get(start..*ends.get(index)?)?).unwrap_or_default())
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len).filter_map(|index| self.get(index))
    }
}

/// An edited sheet.
pub(super) struct Sheet<'s> {
    pub(super) text: Cow<'s, str>,
    pub(super) separator: u8,
    pub(super) header: Vec<String>,
    /// Where the rows begin.
    start: usize,
    is_workbook: bool,
    is_trimmed: bool,
    /// Where a line was counted last, and its number.
    counted: std::cell::Cell<(usize, u64)>,
    /// Columns that are not read.
    pub(super) ignored: HashSet<usize>,
}

impl<'s> Sheet<'s> {
    /// Reads the header row of an edited sheet, whose separator is the one by which most columns are known.
    pub(super) fn open(edited: &'s [u8], options: &Options, is_known: impl Fn(&str) -> bool) -> Result<Self> {
        let safe = options.safe;
        // Recognizes the byte order marks of UTF-8 and UTF-16.
        let (text, encoding, has_errors) = encoding_rs::UTF_8.decode(edited);
        if has_errors {
            let valid = edited.utf8_chunks().next().map_or("", |chunk| chunk.valid());
            let line = (encoding == encoding_rs::UTF_8).then(|| breaks(valid).saturating_add(1));
            return Err(EditError::malformed(line, "the text is not UTF-8; save the file with that encoding"));
        }
        // Excel writes this line where the separator is not the one of the system.
        let (separators, begin) = match text.strip_prefix("sep=").and_then(|rest| rest.as_bytes().first_chunk::<1>()) {
            Some(&separator) if separator[0].is_ascii() => {
                (separator.to_vec(), text.find('\n').map_or(text.len(), |end| end.saturating_add(1)))
            }
            _ => (SEPARATORS.to_vec(), 0),
        };
        let mut best: Option<(usize, u8, usize, Vec<String>)> = None;
        for separator in separators {
            let mut cells = Cells::new(separator);
            let len = cells.read(text.as_bytes().get(begin..).unwrap_or(&[]));
            let why = || format!("expected a row with the columns, of which there are at most {COLUMNS}");
            let len = len.ok_or_else(|| EditError::malformed(Some(1), why()))?;
            let header = cells.iter().map(|cell| if safe { unguarded(cell) } else { cell }.to_owned());
            let header: Vec<_> = header.collect();
            let known = header.iter().filter(|name| is_known(name)).count();
            if best.as_ref().is_none_or(|(most, ..)| known > *most) {
                best = Some((known, separator, begin.saturating_add(len), header));
            }
        }
        let best = best.ok_or_else(|| EditError::malformed(Some(1), "expected a row with the columns"));
        let (_, separator, start, header) = best?;
        let &Options { is_workbook, is_trimmed, .. } = options;
        if let Some(why) = header.iter().find_map(|name| name.strip_prefix(REFUSED)).filter(|_| is_workbook) {
            return Err(EditError::malformed(Some(1), format!("the name of a column {why}")));
        }
        let (counted, ignored) = (std::cell::Cell::new((0, 1)), HashSet::new());
        Ok(Self { text, separator, header, start, is_workbook, is_trimmed, counted, ignored })
    }

    /// Returns the row that begins at `at`, or behind the line breaks there.
    fn row(&self, at: usize) -> (usize, &str) {
        let rest = self.text.get(at..).unwrap_or("");
        let row = rest.trim_start_matches(['\r', '\n']);
        (at.saturating_add(rest.len()).saturating_sub(row.len()), row)
    }

    fn error(&self, at: usize, path: &Path, why: impl Into<String>) -> EditError {
        EditError { path: path.clone(), ..EditError::malformed(Some(self.line(at)), why) }
    }

    /// The number of the line at an offset, or of the row of a workbook, counted from 1.
    fn line(&self, at: usize) -> u64 {
        let (from, before) = Some(self.counted.get()).filter(|(from, _)| *from <= at).unwrap_or((0, 1));
        let between = self.text.get(from..at).unwrap_or("");
        let breaks: u64 = if self.is_workbook {
            // A quote in a cell is doubled there.
            between.split('"').step_by(2).map(breaks).sum()
        } else {
            breaks(between)
        };
        let line = before.saturating_add(breaks);
        self.counted.set((at, line));
        line
    }
}

fn breaks(text: &str) -> u64 {
    text.bytes().filter(|byte| *byte == b'\n').count() as u64
}

/// A row of an edited sheet, by the columns of the original.
pub(super) struct Row<'r> {
    sheet: &'r Sheet<'r>,
    at: usize,
    cells: &'r Cells,
    columns: &'r Columns,
    safe: bool,
    /// The row of the original, once it is known.
    old: Option<&'r Cells>,
    /// Whether each field was taken.
    is_taken: Vec<bool>,
    /// The field behind the one that was taken last, which is often the next one.
    next: usize,
}

impl<'r> Row<'r> {
    /// Returns the cell of a column in the row of the original.
    fn old(&self, column: usize) -> Option<&'r str> {
        let cell = self.old?.get(column).unwrap_or("");
        Some(if self.safe { unguarded(cell) } else { cell })
    }

    /// Returns the cell of a column, or `None` if the sheet has no such column. Spreadsheets drop empty cells at the end of a row.
    fn cell(&self, column: usize) -> Option<Cell<'r>> {
        let place = self.columns.places.get(column).copied().flatten()?;
        let text = self.cells.get(place).unwrap_or("");
        let text = if self.safe { unguarded(text) } else { text };
        let old = self.old(column);
        let text = old.filter(|old| self.sheet.is_trimmed && is_trimmed(old, text)).unwrap_or(text);
        // Where a comma separates columns, a dot has to be before the decimals.
        Some(Cell { text, old, has_commas: self.sheet.separator != b',' })
    }

    /// Returns the name of a column, if the sheet has it.
    fn name(&self, column: usize) -> Option<&'r str> {
        let place = self.columns.places.get(column).copied().flatten()?;
        self.sheet.header.get(place).map(String::as_str)
    }

    /// Returns the cells of a field.
    fn given(&self, place: usize) -> Option<Given<'r>> {
        let (name, columns) = self.columns.fields.get(place)?;
        if let [column] = columns.as_slice() {
            let cell = self.cell(*column)?;
            let word = self.columns.words.iter().filter(|_| name == KIND);
            let number = word.into_iter().find(|(word, _)| cell.text.eq_ignore_ascii_case(word));
            return Some(Given::Cell(number.map_or(cell, |(_, text)| Cell { text, old: None, ..cell })));
        }
        let cells = columns.iter().map(|column| (self.name(*column).unwrap_or_default(), self.cell(*column)));
        let cells: Vec<_> = cells.collect();
        cells.iter().any(|(_, cell)| cell.is_some()).then_some(Given::Cells(cells))
    }

    /// Returns an error if a cell has no value.
    fn check(&self, path: &Path) -> Result<()> {
        let refused = |place: &usize| Some((*place, self.cells.get(*place)?.strip_prefix(REFUSED)?));
        match self.columns.places.iter().flatten().find_map(refused).filter(|_| self.sheet.is_workbook) {
            None => Ok(()),
            Some((place, why)) => {
                let path = path
                    .with(|path| path.push_name(self.sheet.header.get(place).map_or(&[][..], |name| name.as_bytes())));
                Err(self.error(&path, why))
            }
        }
    }

    /// Returns an error about this row.
    fn error(&self, path: &Path, why: impl Into<String>) -> EditError {
        self.sheet.error(self.at, path, why)
    }
}

impl<'r> planner::Cells<'r> for Row<'r> {
    fn get(&self, name: &str) -> Option<Given<'r>> {
        self.given(self.columns.find(name, self.next)?)
    }

    fn mark(&mut self, name: &str) -> bool {
        let Some(place) = self.columns.find(name, self.next) else { return false };
        self.next = place.saturating_add(1);
        self.is_taken.get_mut(place).is_some_and(|taken| !std::mem::replace(taken, true))
    }

    /// Cells that are as in the original say nothing.
    fn take(&mut self, name: &str) -> Option<Given<'r>> {
        let place = self.columns.find(name, self.next)?;
        let is_free = self.mark(name);
        let is_old = |column: &usize| self.cell(*column).is_none_or(|cell| cell.old == Some(cell.text));
        let (_, columns) = self.columns.fields.get(place)?;
        if !is_free || columns.iter().all(is_old) { None } else { self.given(place) }
    }

    fn rest(&self) -> Vec<(String, String)> {
        let fields = self.columns.fields.iter().zip(&self.is_taken).filter(|(_, is_taken)| !**is_taken);
        let rest = fields
            .flat_map(|((_, columns), _)| columns.iter().copied())
            .filter(|column| self.cell(*column).is_some_and(|cell| !cell.text.is_empty()));
        let why = || "the cell must be empty in this row".to_owned();
        rest.filter_map(|column| Some((self.name(column)?.to_owned(), why()))).collect()
    }

    fn len(&self) -> usize {
        self.cells.len().max(self.columns.places.len())
    }

    fn is_blank(&self) -> bool {
        self.cells.iter().all(|cell| cell.trim().is_empty())
    }
}

impl Sheet<'_> {
    /// Returns what compares the rows with those of the export of the original.
    pub(super) fn rows<'s>(
        &'s self,
        export: &'s [u8],
        columns: &'s Columns,
        safe: bool,
    ) -> impl FnOnce(&mut dyn Rows, &mut Planner<'_>) -> Result<()> {
        move |rows, planner| compare(self, export, columns, safe, rows, planner)
    }
}

/// Compares the rows of a sheet with those of the export of the original.
///
/// Rows that are equal byte by byte are not read, so that the cost follows the edit.
fn compare(
    sheet: &Sheet<'_>,
    export: &[u8],
    columns: &Columns,
    safe: bool,
    rows: &mut dyn Rows,
    planner: &mut Planner<'_>,
) -> Result<()> {
    let places = &columns.places;
    let old_rows = split(export);
    let (mut new, mut old) = (Cells::new(sheet.separator), Cells::new(b','));
    let is_same_shape =
        sheet.separator == b',' && places.iter().enumerate().all(|(index, &place)| place == Some(index));
    let is_same_shape = is_same_shape && places.len() == sheet.header.len();
    let (mut next, mut trimmed) = (0_usize, Trimmed::default());
    let mut at = sheet.start;
    loop {
        let (start, rest) = sheet.row(at);
        if rest.is_empty() {
            trimmed.finish(&mut planner.planned);
            return Ok(());
        }
        let expected = old_rows.get(next).copied().unwrap_or(&[]);
        let expected = expected.strip_suffix(b"\n").unwrap_or(expected);
        if is_same_shape
            && next < old_rows.len()
            && !rows.is_seen(next)
            && let Some(behind) = rest.as_bytes().strip_prefix(expected)
            && (behind.is_empty() || behind.starts_with(b"\n") || behind.starts_with(b"\r\n"))
        {
            rows.see(next);
            planner.planned.account.equal = planner.planned.account.equal.saturating_add(1);
            at = start.saturating_add(expected.len());
            next = next.saturating_add(1);
            continue;
        }
        let Some(len) = new.read(rest.as_bytes()) else {
            return Err(sheet.error(start, &Path::new(), format!("the row has more than {COLUMNS} cells")));
        };
        at = start.saturating_add(len);
        planner.place.row = Some(sheet.line(start));
        let is_taken = vec![false; columns.fields.len()];
        let mut row = Row { sheet, at: start, cells: &new, columns, safe, old: None, is_taken, next: 0 };
        let nameless = |index: usize| sheet.header.get(index).is_none_or(String::is_empty);
        let is_read = |index: &usize| !sheet.ignored.contains(index);
        if (0..new.len())
            .filter(is_read)
            .any(|index| nameless(index) && new.get(index).is_some_and(|cell| !cell.is_empty()))
        {
            return Err(row.error(&Path::new(), "the row has a cell in a column without a name"));
        }
        let is_cut = at == sheet.text.len() && !rest.ends_with(['\n', '\r']);
        // Only a quoted cell would go on behind another line break.
        if at == sheet.text.len()
            && Cells::new(sheet.separator).read(format!("{rest}\n.").as_bytes()) > Some(rest.len().saturating_add(1))
        {
            return Err(row.error(&Path::new(), "the sheet is cut: it ends inside a quoted cell"));
        }
        let lacks = (new.len()..sheet.header.len()).filter(|place| is_read(place) && !nameless(*place));
        let why = format!("the row has {} of {} cells", new.len(), sheet.header.len());
        let found = match (rows.find(&mut row), row.check(&Path::new())) {
            (Ok(Found::Nothing), _) => continue,
            (Ok(Found::New), Ok(())) if is_cut && lacks.clone().count() > 0 => {
                return Err(row.error(&Path::new(), format!("the sheet is cut: {why}")));
            }
            (Ok(Found::Old(index)), _) => index,
            (Ok(found @ Found::New), Ok(())) => {
                planner.found(rows, found, &mut row);
                continue;
            }
            (_, Err(error)) | (Err(error), Ok(())) => {
                planner.refuse_with(error, "");
                continue;
            }
        };
        next = found.saturating_add(1);
        if old.read(old_rows.get(found).copied().unwrap_or(&[])).is_none() {
            rows.see(found);
            continue;
        }
        if row.check(&Path::new()).is_err() {
            rows.see(found);
            let refused = row.check(&rows.path(found));
            refused.unwrap_or_else(|error| planner.refuse_with(error, ""));
            continue;
        }
        row.old = Some(&old);
        let is_lost = |column: &usize| {
            let cell = places.get(*column).copied().flatten().and_then(|place| new.get(place));
            cell.zip(row.old(*column)).is_some_and(|(cell, old)| is_trimmed(old, cell))
        };
        let lost = (0..places.len()).filter(|column| sheet.is_trimmed && is_lost(column)).count();
        trimmed.count(lost, || rows.path(found).to_string());
        // Spreadsheets drop empty cells at the end of a row.
        let column = |place: usize| places.iter().position(|column| *column == Some(place));
        if lacks.filter_map(column).any(|column| row.old(column).is_some_and(|old| !old.is_empty())) {
            rows.see(found);
            if is_cut {
                return Err(row.error(&Path::new(), format!("the sheet is cut: {why}")));
            }
            planner.refuse_with(row.error(&Path::new(), why), "");
            continue;
        }
        planner.found(rows, Found::Old(found), &mut row);
    }
}

/// Splits an export, whose only quotes are those of quoted cells, into its rows with their line breaks, without the header.
fn split(export: &[u8]) -> Vec<&[u8]> {
    let (mut rows, mut start, mut is_quoted) = (Vec::new(), 0_usize, false);
    for at in memchr::memchr2_iter(b'"', b'\n', export) {
        if export.get(at) == Some(&b'"') {
            is_quoted = !is_quoted;
        } else if !is_quoted {
            let end = at.saturating_add(1);
            rows.push(export.get(start..end).unwrap_or(&[]));
            start = end;
        }
    }
    if !rows.is_empty() {
        rows.remove(0);
    }
    rows
}

/// The columns of a sheet.
pub(super) struct Columns {
    /// The place in the sheet of each column of the export, and of others that may be added behind them.
    places: Vec<Option<usize>>,
    /// The fields, and the columns of each.
    fields: Vec<(String, Vec<usize>)>,
    by_name: HashMap<String, usize>,
    /// Words for numbers in one column.
    words: &'static [(&'static str, &'static str)],
}

impl Columns {
    /// Finds the columns of the original in the header of a sheet. Each has its name and that of its field; the first ones are those of
    /// the export. The `keys` must be there.
    pub(super) fn of(sheet: &Sheet<'_>, columns: &[(Cow<'_, str>, Cow<'_, str>)], keys: &[&str]) -> Result<Self> {
        let mut places = vec![None; columns.len()];
        let numbers: HashMap<&str, usize> = columns.iter().map(|(name, _)| &**name).zip(0..).collect();
        let is_read = |place: &usize| !sheet.ignored.contains(place);
        let named = sheet.header.iter().enumerate().filter(|(place, name)| is_read(place) && !name.is_empty());
        for (place, name) in named {
            let error = |why: String| Err(EditError::malformed(Some(1), why));
            let Some(slot) = numbers.get(name.as_str()).and_then(|column| places.get_mut(*column)) else {
                let name: String = name.chars().take(64).collect();
                return error(format!("unknown column `{name}`"));
            };
            if slot.replace(place).is_some() {
                return error(format!("the column `{name}` occurs twice"));
            }
        }
        let is_there =
            |key: &&str| numbers.get(key).and_then(|column| places.get(*column).copied().flatten()).is_some();
        if let Some(key) = keys.iter().find(|key| !is_there(key)) {
            return Err(EditError::malformed(Some(1), format!("the column `{key}` is missing")));
        }
        let (mut fields, mut by_name) = (Vec::<(String, Vec<usize>)>::new(), HashMap::new());
        for (column, (_, field)) in columns.iter().enumerate() {
            let place = *by_name.entry(field.clone().into_owned()).or_insert(fields.len());
            match fields.get_mut(place) {
                Some((_, columns)) => columns.push(column),
                None => fields.push((field.clone().into_owned(), vec![column])),
            }
        }
        Ok(Self { places, fields, by_name, words: &[] })
    }

    /// Returns the number of a field; fields are usually asked for in order.
    fn find(&self, name: &str, next: usize) -> Option<usize> {
        let is_next = self.fields.get(next).is_some_and(|(own, _)| own == name);
        if is_next { Some(next) } else { self.by_name.get(name).copied() }
    }

    /// Sets words that stand for numbers in the column of the kind of a tile attribute.
    pub(super) fn words(self, words: &'static [(&'static str, &'static str)]) -> Self {
        Self { words, ..self }
    }
}

/// The columns of an export.
pub(super) fn header(export: &[u8], safe: bool) -> Vec<String> {
    let mut cells = Cells::new(b',');
    if cells.read(export).is_none() {
        return Vec::new();
    }
    cells.iter().map(|cell| if safe { unguarded(cell) } else { cell }.to_owned()).collect()
}
