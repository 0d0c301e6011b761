use worldview_core::{Path, RecordValue};
use worldview_export::level::csv;
use worldview_wwd::{Attribute, Level};

use super::cell::{self, is_same_text};
use super::sheet::{self, Old, Row, Rows, Sheet};
use super::{Options, export};
use crate::plan::level::value;
use crate::value::unhex;
use crate::{Change, Changes, EditError, Result, Value};

/// The kinds, as sheets name them; the first has the number 1.
const KINDS: [&str; 3] = ["single", "double", "mask"];

/// The numbers with their columns: for which kinds they are, whether they are unsigned.
const NUMBERS: [(&str, usize, &[u32], bool); 6] = [
    ("reserved", 2, &[1, 2, 3], true),
    ("width", 3, &[1, 2, 3], true),
    ("height", 4, &[1, 2, 3], true),
    ("attribute", 5, &[1], false),
    ("outside", 6, &[2], false),
    ("inside", 7, &[2], false),
];
const RECT: usize = 8;
const MASK: usize = 12;

/// Returns the changes that make a level say what its edited `attributes.csv` says.
///
/// Rows are tile attributes by `frame`, in any order. The kind of one may change, as `single` to `double`; the columns of its new kind
/// must be filled then, and those of the old one cleared.
///
/// # Errors
///
/// Returns an error, with the line, the frame and the column, if:
///
/// - the text is not UTF-8 or UTF-16 with a byte order mark
/// - a column is unknown, occurs twice, or is `frame` and missing
/// - a row was added, removed or doubled, since tiles refer to attributes by number
/// - a cell is not a number, does not fit, or is not for the kind of its row
pub fn attributes(original: &Level<'_>, edited: &[u8], options: &Options) -> Result<Changes> {
    let export = export(options, |out| csv::attributes(original, out))?;
    let names = sheet::header(&export, options.safe);
    let sheet = Sheet::open(edited, options.safe, |name| names.iter().any(|other| other == name))?;
    let places = sheet::places(&sheet, &names, &|_| None)?;
    if places.first().copied().flatten().is_none() {
        return Err(EditError::malformed(Some(1), "the column `frame` is missing"));
    }
    let mut rows = Attributes { level: original, changes: Changes::new() };
    let is_seen = sheet::compare(&sheet, &export, &places, options.safe, &mut rows)?;
    match is_seen.iter().position(|is_seen| !is_seen) {
        None => Ok(rows.changes),
        Some(index) => {
            Err(EditError::unsupported(&path(index), "the row is missing, and tiles refer to frames by number"))
        }
    }
}

struct Attributes<'l, 'a> {
    level: &'l Level<'a>,
    changes: Changes,
}

/// The path of an attribute.
fn path(index: usize) -> Path {
    let mut path = Path::new();
    path.push_name(b"tile_attributes");
    path.push_nth(b"frame", u32::try_from(index).unwrap_or(u32::MAX));
    path
}

/// The number of a record's kind, and its fields.
fn fields(record: &Attribute<'_>) -> (u32, Vec<(&'static str, Value)>) {
    let list = |fields: &mut dyn Iterator<Item = (&'static str, RecordValue<'_>)>| {
        fields.map(|(name, field)| (name, value(&field))).collect()
    };
    match record {
        Attribute::Single(single) => (1, list(&mut single.fields())),
        Attribute::Double(double) => (2, list(&mut double.fields())),
        Attribute::Mask { head, .. } => (3, list(&mut head.fields())),
    }
}

type Read<T> = std::result::Result<T, String>;

fn number(cell: &str, is_unsigned: bool, row: &Row<'_>) -> Read<i128> {
    let (min, max) = if is_unsigned { (0, u32::MAX.into()) } else { (i32::MIN.into(), i32::MAX.into()) };
    match cell::integer(cell, row.has_commas()) {
        Some(integer) if (min..=max).contains(&integer) => Ok(integer),
        Some(_) => Err(format!("{cell} does not fit: {min} to {max}")),
        None => Err(format!("expected an integer, found {cell:?}: {min} to {max}")),
    }
}

/// The changes of one record.
struct Draft<'d> {
    kind: u32,
    is_same_kind: bool,
    old: Vec<(&'static str, Value)>,
    row: &'d Row<'d>,
    list: Vec<(Path, Option<Value>, Value)>,
}

impl Draft<'_> {
    fn found(&self, name: &str) -> Option<Value> {
        self.old.iter().find(|(field, _)| *field == name).map(|(_, value)| value.clone())
    }

    /// Returns the cell of a column, if it is for the kind of the record.
    fn cell(&self, column: usize, kinds: &[u32]) -> Read<Option<&str>> {
        let Some(cell) = self.row.get(column) else { return Ok(None) };
        if kinds.contains(&self.kind) {
            return Ok(Some(cell));
        }
        let kind = usize::try_from(self.kind).ok().and_then(|kind| KINDS.get(kind.checked_sub(1)?)).unwrap_or(&"");
        if cell.is_empty() { Ok(None) } else { Err(format!("the cell must be empty in a row of the kind `{kind}`")) }
    }

    fn set(&mut self, name: &str, to: Value) {
        let (from, mut path) = (self.found(name), Path::new());
        path.push_name(name.as_bytes());
        let is_zero = match &to {
            Value::Integers(list) => list.iter().all(|integer| *integer == 0),
            to => *to == Value::from(0),
        };
        // The fields of a new kind are zero.
        if from.as_ref().map_or(!is_zero, |from| *from != to) {
            self.list.push((path, from, to));
        }
    }

    fn rect(&mut self) -> Read<()> {
        let Some(_) = self.cell(RECT, &[2])? else {
            return (RECT..MASK).try_for_each(|column| self.cell(column, &[2]).map(drop));
        };
        let mut sides = match self.found("rect") {
            Some(Value::Integers(sides)) => sides,
            _ => vec![0; 4],
        };
        for (side, column) in sides.iter_mut().zip(RECT..MASK) {
            if let Some(cell) = self.cell(column, &[2])? {
                *side = number(cell, false, self.row)?;
            }
        }
        self.set("rect", Value::Integers(sides));
        Ok(())
    }

    /// The size of a mask as it will be.
    fn size(&self) -> (usize, usize) {
        let side = |name: &str, column| {
            let cell = self.row.get(column).and_then(|cell| number(cell, true, self.row).ok());
            let old = match self.found(name) {
                Some(Value::Integer(side)) => Some(side),
                _ => None,
            };
            cell.or(old).and_then(|side| usize::try_from(side).ok()).unwrap_or(0)
        };
        (side("width", 3), side("height", 4))
    }

    fn mask(&mut self, old: Option<&[u8]>, old_cell: &str) -> Read<()> {
        let Some(cell) = self.cell(MASK, &[3])? else {
            return if self.is_same_kind || self.kind != 3 {
                Ok(())
            } else {
                Err("a mask needs its pixels".to_owned())
            };
        };
        let new = if self.is_same_kind && is_same_text(old_cell, cell) { old.map(<[u8]>::to_vec) } else { unhex(cell) };
        let (width, height) = self.size();
        let count = width.checked_mul(height);
        let new = new.filter(|pixels| Some(pixels.len()) == count).ok_or_else(|| {
            format!("expected two hexadecimal digits for each of {width} x {height} pixels, found {} signs", cell.len())
        })?;
        let old = old.filter(|old| old.len() == new.len());
        for (index, pixel) in new.iter().enumerate() {
            let from = old.and_then(|old| old.get(index)).copied();
            if from.unwrap_or(0) != *pixel {
                let (y, x) = (index.checked_div(width).unwrap_or(0), index.checked_rem(width).unwrap_or(0));
                let mut path = Path::new();
                path.push("pixel", format!("{x},{y}").as_bytes(), None);
                self.list.push((path, from.map(Value::from), (*pixel).into()));
            }
        }
        Ok(())
    }
}

impl Rows for Attributes<'_, '_> {
    fn find(&mut self, row: &Row<'_>, _: usize, is_seen: &[bool]) -> Result<Option<usize>> {
        if row.is_blank() {
            return Ok(None);
        }
        let cell = row.get(0).unwrap_or("");
        let frame = cell::integer(cell, false).and_then(|frame| usize::try_from(frame).ok());
        match frame.and_then(|frame| Some((frame, is_seen.get(frame)?))) {
            Some((frame, false)) => Ok(Some(frame)),
            Some((frame, true)) => Err(row.error(&path(frame), "the frame has two rows")),
            None => {
                let why = format!("no tile attribute has the frame {cell:?}, and none can be added");
                Err(row.error(&Path::new(), why))
            }
        }
    }

    fn changed(&mut self, index: usize, old: &Old<'_>, row: &Row<'_>) -> Result<()> {
        let Some(record) = self.level.attributes().records().get(index) else { return Ok(()) };
        let (old_kind, fields) = fields(record);
        let error = |column: &str, why: String| {
            let mut path = path(index);
            path.push_name(column.as_bytes());
            row.error(&path, why)
        };
        let kind = match row.get(1) {
            None => old_kind,
            Some(cell) => {
                let named = (1_u32..).zip(KINDS).find(|(_, name)| cell.eq_ignore_ascii_case(name));
                let number = || cell::integer(cell, false).and_then(|kind| u32::try_from(kind).ok());
                let kind = named.map(|(kind, _)| kind).or_else(number).filter(|kind| (1..=3).contains(kind));
                kind.ok_or_else(|| error("kind", format!("expected `single`, `double` or `mask`, found {cell:?}")))?
            }
        };
        let mut draft = Draft { kind, is_same_kind: kind == old_kind, old: fields, row, list: Vec::new() };
        draft.set("kind", kind.into());
        for (name, column, kinds, is_unsigned) in NUMBERS {
            let read =
                draft.cell(column, kinds).and_then(|cell| cell.map(|cell| number(cell, is_unsigned, row)).transpose());
            if let Some(to) = read.map_err(|why| error(name, why))? {
                draft.set(name, Value::Integer(to));
            }
        }
        draft.rect().map_err(|why| error("rect", why))?;
        let pixels = match record {
            Attribute::Mask { pixels, .. } => Some(*pixels),
            _ => None,
        };
        draft.mask(pixels, old.get(MASK)).map_err(|why| error("mask", why))?;
        for (field, from, to) in draft.list {
            let mut path = path(index);
            path.append(&field);
            self.changes.push(Change::Set { path, from, to });
        }
        Ok(())
    }

    fn added(&mut self, row: &Row<'_>) -> Result<()> {
        Err(row.error(&Path::new(), "no tile attribute can be added"))
    }
}
