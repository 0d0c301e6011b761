use std::borrow::Cow;
use std::collections::HashSet;

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};
use worldview_core::{Path, quote};
use worldview_edit::account::{Column, Entry, SourcePlace};

use super::Options;
use crate::cell::{self, is_trimmed, unguarded};
use crate::codes::WHITE_SPACE;
use crate::level::Given;
use crate::table::Added;
use worldview_edit::unhex;
use worldview_edit::{EditError, EditErrorKind, Planned, Result};

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
        let line = Some(self.line(at));
        EditError { path: path.clone(), kind: EditErrorKind::Malformed { line, why: why.into() } }
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
    /// Where each column of the original is.
    places: &'r [Option<usize>],
    safe: bool,
    /// The row of the original, once it is known.
    old: Option<&'r Old<'r>>,
}

impl Row<'_> {
    /// Returns the cell of a column, or `None` if the sheet has no such column. Spreadsheets drop empty cells at the end of a row.
    pub(super) fn get(&self, column: usize) -> Option<&str> {
        let place = self.places.get(column).copied().flatten()?;
        let cell = self.cells.get(place).unwrap_or("");
        let cell = if self.safe { unguarded(cell) } else { cell };
        match self.old {
            Some(old) if self.sheet.is_trimmed && is_trimmed(old.get(column), cell) => Some(old.get(column)),
            _ => Some(cell),
        }
    }

    /// Returns an error if a cell has no value.
    fn check(&self, path: &Path) -> Result<()> {
        let refused = |place: &usize| Some((*place, self.cells.get(*place)?.strip_prefix(REFUSED)?));
        match self.places.iter().flatten().find_map(refused).filter(|_| self.sheet.is_workbook) {
            None => Ok(()),
            Some((place, why)) => {
                let mut path = path.clone();
                path.push_name(self.sheet.header.get(place).map_or(&[][..], |name| name.as_bytes()));
                Err(self.error(&path, why))
            }
        }
    }

    /// Returns the number of the line at which the row begins, counted from 1.
    pub(super) fn line(&self) -> u64 {
        self.sheet.line(self.at)
    }

    /// Returns an error about this row.
    pub(super) fn error(&self, path: &Path, why: impl Into<String>) -> EditError {
        self.sheet.error(self.at, path, why)
    }

    /// Whether there are decimal commas: where a comma separates columns, a dot has to be before the decimals.
    pub(super) const fn has_commas(&self) -> bool {
        self.sheet.separator != b','
    }

    /// Returns a cell of the row, to be read as a field.
    pub(super) const fn cell<'c>(&self, text: &'c str) -> Cell<'c> {
        Cell { text, has_commas: self.has_commas() }
    }

    pub(super) fn is_blank(&self) -> bool {
        self.cells.iter().all(|cell| cell.trim().is_empty())
    }
}

/// A row of the export of the original.
pub(super) struct Old<'o> {
    cells: &'o Cells,
    safe: bool,
}

impl Old<'_> {
    pub(super) fn get(&self, column: usize) -> &str {
        let cell = self.cells.get(column).unwrap_or("");
        if self.safe { unguarded(cell) } else { cell }
    }
}

/// What the rows of a sheet mean.
pub(super) trait Rows {
    /// Returns which row of the original a row is: often `next`, and never one that `is_seen`. `None` for an added row.
    fn find(&mut self, row: &Row<'_>, next: usize, is_seen: &[bool]) -> Result<Option<usize>>;

    /// Returns the path of a row of the original.
    fn path(&mut self, index: usize) -> Path;

    /// Takes a row that the original has, and returns whether it says anything else. A row with an error has no effect.
    fn changed(&mut self, index: usize, old: &Old<'_>, row: &Row<'_>) -> Result<bool>;

    /// Takes a row that the original does not have.
    fn added(&mut self, row: &Row<'_>) -> Result<()>;
}

/// Compares the rows of a sheet with those of the export of the original, and returns which of the latter were found.
///
/// `places` has the column of the sheet for each column of the original. A row that cannot be taken is refused as a whole.
pub(super) fn compare(
    sheet: &Sheet<'_>,
    export: &[u8],
    places: &[Option<usize>],
    safe: bool,
    rows: &mut dyn Rows,
    planned: &mut Planned,
) -> Result<Vec<bool>> {
    let old_rows = split(export);
    let mut is_seen = vec![false; old_rows.len()];
    let (mut new, mut old) = (Cells::new(sheet.separator), Cells::new(b','));
    // Rows that are equal byte by byte are not read, if the columns are equal as well.
    let is_same_shape =
        sheet.separator == b',' && places.iter().enumerate().all(|(index, &place)| place == Some(index));
    let is_same_shape = is_same_shape && places.len() == sheet.header.len();
    let (mut next, mut added, mut trimmed) = (0_usize, Added::default(), Trimmed::default());
    let mut at = sheet.start;
    loop {
        let (start, rest) = sheet.row(at);
        if rest.is_empty() {
            trimmed.finish(planned);
            return Ok(is_seen);
        }
        let expected = old_rows.get(next).copied().unwrap_or(&[]);
        let expected = expected.strip_suffix(b"\n").unwrap_or(expected);
        if let Some(seen) = is_seen.get_mut(next).filter(|seen| is_same_shape && !**seen)
            && let Some(behind) = rest.as_bytes().strip_prefix(expected)
            && (behind.is_empty() || behind.starts_with(b"\n") || behind.starts_with(b"\r\n"))
        {
            *seen = true;
            planned.account.equal = planned.account.equal.saturating_add(1);
            at = start.saturating_add(expected.len());
            next = next.saturating_add(1);
            continue;
        }
        let Some(len) = new.read(rest.as_bytes()) else {
            return Err(sheet.error(start, &Path::new(), format!("the row has more than {COLUMNS} cells")));
        };
        at = start.saturating_add(len);
        let row = Row { sheet, at: start, cells: &new, places, safe, old: None };
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
        let found = match (rows.find(&row, next, &is_seen), row.check(&Path::new())) {
            (Ok(Some(index)), _) => index,
            (Ok(None), _) if row.is_blank() => continue,
            (Ok(None), Ok(())) => {
                if is_cut && lacks.count() > 0 {
                    let why = format!("the sheet is cut: the row has {} of {} cells", new.len(), sheet.header.len());
                    return Err(row.error(&Path::new(), why));
                }
                // A new record has all fields, also those of cells that are left out.
                added.count(new.len().max(places.len()))?;
                refuse(rows.added(&row), planned);
                continue;
            }
            (_, Err(error)) | (Err(error), Ok(())) => {
                refuse(Err(error), planned);
                continue;
            }
        };
        is_seen.get_mut(found).into_iter().for_each(|seen| *seen = true);
        next = found.saturating_add(1);
        if old.read(old_rows.get(found).copied().unwrap_or(&[])).is_none() {
            continue;
        }
        let old = Old { cells: &old, safe };
        if row.check(&Path::new()).is_err() {
            refuse(row.check(&rows.path(found)), planned);
            continue;
        }
        let is_lost = |column: &usize| row.get(*column).is_some_and(|cell| is_trimmed(old.get(*column), cell));
        let lost = (0..places.len()).filter(|column| sheet.is_trimmed && is_lost(column)).count();
        trimmed.count(lost, || rows.path(found).to_string());
        let row = Row { old: Some(&old), ..row };
        // Spreadsheets drop empty cells at the end of a row.
        let column = |place: usize| places.iter().position(|column| *column == Some(place));
        if lacks.filter_map(column).any(|column| !old.get(column).is_empty()) {
            let why = format!("the row has {} of {} cells", new.len(), sheet.header.len());
            if is_cut {
                return Err(row.error(&Path::new(), format!("the sheet is cut: {why}")));
            }
            refuse(Err(row.error(&Path::new(), why)), planned);
            continue;
        }
        match rows.changed(found, &old, &row) {
            Ok(false) => planned.account.equal = planned.account.equal.saturating_add(1),
            Ok(true) => {}
            Err(error) => refuse(Err(error), planned),
        }
    }
}

/// Adds the refusal of a row.
fn refuse(taken: Result<()>, planned: &mut Planned) {
    if let Err(error) = taken {
        planned.refuse(&error, SourcePlace::default());
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

/// Finds the columns of the original in the header of a sheet: for each its place. `extra` numbers columns that the export of the
/// original omits; they are numbered from the number of its columns.
pub(super) fn places(
    sheet: &Sheet<'_>,
    columns: &[String],
    extra: &dyn Fn(&str) -> Option<usize>,
) -> Result<Vec<Option<usize>>> {
    let mut places = vec![None; columns.len()];
    let numbers: std::collections::HashMap<&str, usize> = columns.iter().map(String::as_str).zip(0..).collect();
    let is_read = |place: &usize| !sheet.ignored.contains(place);
    let named = sheet.header.iter().enumerate().filter(|(place, name)| is_read(place) && !name.is_empty());
    for (place, name) in named {
        let error = |why: String| Err(EditError::malformed(Some(1), why));
        let Some(column) = numbers.get(name.as_str()).copied().or_else(|| extra(name)) else {
            let name: String = name.chars().take(64).collect();
            return error(format!("unknown column `{name}`"));
        };
        if column >= places.len() {
            places.resize(column.saturating_add(1), None);
        }
        match places.get_mut(column) {
            Some(slot @ None) => *slot = Some(place),
            _ => return error(format!("the column `{name}` occurs twice")),
        }
    }
    Ok(places)
}

/// The columns of an export.
pub(super) fn header(export: &[u8], safe: bool) -> Vec<String> {
    let mut cells = Cells::new(b',');
    if cells.read(export).is_none() {
        return Vec::new();
    }
    cells.iter().map(|cell| if safe { unguarded(cell) } else { cell }.to_owned()).collect()
}

/// A cell of a row.
pub(super) struct Cell<'r> {
    text: &'r str,
    has_commas: bool,
}

impl Given for Cell<'_> {
    fn integer(&self, (min, max): (i128, i128)) -> std::result::Result<i128, String> {
        let text = self.text;
        match cell::integer(text, self.has_commas) {
            Some(integer) if (min..=max).contains(&integer) => Ok(integer),
            Some(_) => Err(format!("{text} does not fit: {min} to {max}")),
            None => Err(format!("expected an integer, found {text}: {min} to {max}", text = quote(text))),
        }
    }

    fn float(&self) -> std::result::Result<f32, String> {
        cell::float(self.text, self.has_commas).ok_or_else(|| format!("expected a number, found {:?}", self.text))
    }

    fn bytes(&self) -> std::result::Result<Vec<u8>, String> {
        unhex(self.text).ok_or_else(|| format!("expected pairs of hexadecimal digits, found {:?}", self.text))
    }
}
