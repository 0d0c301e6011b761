use worldview_core::{Path, quote};
use worldview_export::level::{attribute_cells, attribute_columns, csv};
use worldview_wwd::Level;

use super::sheet::{self, Old, Row, Rows, Sheet};
use super::{Options, export};
use crate::cell::{self, is_same_text};
use crate::level::{Frame, frame, read, with_part};
use crate::table::missing_of;
use worldview_edit::unhex;
use worldview_edit::{Changes, EditError, Planned, Result};

/// The kinds, as sheets name them; the first has the number 1.
const KINDS: [&str; 3] = ["single", "double", "mask"];

/// Returns the changes that apply an edited `attributes.csv` to a level.
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
pub fn attributes(original: &Level<'_>, edited: &[u8], options: &Options) -> Result<Planned> {
    let export = export(options, |out| csv::attributes(original, out))?;
    let names = sheet::header(&export, options.safe);
    let sheet = Sheet::open(edited, options, |name| names.iter().any(|other| other == name))?;
    let places = sheet::places(&sheet, &names, &|_| None)?;
    if places.first().copied().flatten().is_none() {
        return Err(EditError::malformed(Some(1), "the column `frame` is missing"));
    }
    let mut rows = Attributes { level: original, changes: Changes::new() };
    let mut planned = Planned::default();
    let is_seen = sheet::compare(&sheet, &export, &places, options.safe, &mut rows, &mut planned)?;
    planned.append(rows.changes.into());
    let missing = is_seen.iter().zip(0_u32..).filter(|(is_seen, _)| !**is_seen);
    let missing: Vec<_> = missing.map(|(_, number)| number.to_string()).collect();
    if !missing.is_empty() {
        // Tiles refer to them by number, so none is ever removed.
        let count = missing.len();
        let entry = missing_of((count, is_seen.len()), "tile attributes", false, &Path::new());
        planned.account.push(entry.about(count as u64, missing));
    }
    Ok(planned)
}

struct Attributes<'l, 'a> {
    level: &'l Level<'a>,
    changes: Changes,
}

impl Rows for Attributes<'_, '_> {
    fn find(&mut self, row: &Row<'_>, _: usize, is_seen: &[bool]) -> Result<Option<usize>> {
        if row.is_blank() {
            return Ok(None);
        }
        let cell = row.get(0).unwrap_or("");
        let number = cell::integer(cell, false).and_then(|number| usize::try_from(number).ok());
        match number.and_then(|number| Some((number, is_seen.get(number)?))) {
            Some((number, false)) => Ok(Some(number)),
            Some((number, true)) => Err(row.error(&frame(number), "the frame has two rows")),
            None => {
                let why = format!("no tile attribute has the frame {cell}, and none can be added", cell = quote(cell));
                Err(row.error(&Path::new(), why))
            }
        }
    }

    fn path(&mut self, index: usize) -> Path {
        frame(index)
    }

    fn changed(&mut self, index: usize, old: &Old<'_>, row: &Row<'_>) -> Result<bool> {
        let Some(record) = self.level.attributes().records().get(index) else { return Ok(false) };
        let error = |column: &str, why: String| {
            let mut path = frame(index);
            path.push_name(column.as_bytes());
            row.error(&path, why)
        };
        let kind = |old: u32| match row.get(1) {
            None => Some(old),
            Some(cell) => {
                let named = (1_u32..).zip(KINDS).find(|(_, name)| cell.eq_ignore_ascii_case(name));
                let number = || cell::integer(cell, false).and_then(|kind| u32::try_from(kind).ok());
                named.map(|(kind, _)| kind).or_else(number)
            }
        };
        let new = Frame::of(record, kind);
        let mut new = new.ok_or_else(|| {
            error("kind", format!("expected `single`, `double` or `mask`, found {:?}", row.get(1).unwrap_or("")))
        })?;
        let kind_name =
            usize::try_from(new.kind).ok().and_then(|kind| KINDS.get(kind.checked_sub(1)?)).copied().unwrap_or("");
        let is_empty = |name: &str, cell: &str| {
            let why = || format!("the cell must be empty in a row of the kind `{kind_name}`");
            if cell.is_empty() { Ok(()) } else { Err(error(name, why())) }
        };
        let parts = attribute_columns()
            .into_iter()
            .flat_map(|info| (0..).zip(attribute_cells(info)).map(move |part| (info, part)));
        let mut places = 2..;
        for ((info, (part, name)), place) in parts.zip(&mut places) {
            let Some(cell) = row.get(place) else { continue };
            let Some(info) = new.field(info.name) else {
                is_empty(&name, cell)?;
                continue;
            };
            let to = read(info, &row.cell(cell)).map_err(|why| error(&name, why))?;
            let to = if info.stored.count().is_some() {
                let known = new.new.pop_if(|(field, _)| *field == info.name).map(|(_, to)| to);
                with_part(info, known.as_ref().or_else(|| new.found(info.name)), part, to)
            } else {
                to
            };
            new.new.push((info.name, to));
        }
        if let Some((place, cell)) = places.next().and_then(|place| Some((place, row.get(place)?))) {
            if new.kind != 3 {
                is_empty("mask", cell)?;
            } else if !new.is_same_kind() || !is_same_text(old.get(place), cell) {
                let why = || format!("expected pairs of hexadecimal digits, found {} signs", cell.len());
                new.pixels = Some(unhex(cell).ok_or_else(|| error("mask", why()))?);
            }
        }
        let before = self.changes.len();
        new.finish(index, &mut self.changes).map_err(|why| error("mask", why))?;
        Ok(self.changes.len() > before)
    }

    fn added(&mut self, row: &Row<'_>) -> Result<()> {
        Err(row.error(&Path::new(), "no tile attribute can be added"))
    }
}
