//! Records and tile attributes by their keys.

use std::borrow::Cow;
use std::collections::HashMap;

use worldview_core::describe::{Flow, ListFlag, Part, PartKey, PartList};
use worldview_core::edit::ShapeNumber;
use worldview_core::{Path, field_name, quote};
use worldview_edit::account::{Column, Entry};
use worldview_edit::{Change, EditError, EditErrorKind, Planned, Position, Result, Value, fields, of_kind};
use worldview_inspect::utf8;
use worldview_wpd::{Table, TableDescription};
use worldview_wwd::Level;
use worldview_wwd::raw::AttributeHead;

use super::objects::{ObjectRows, Objects};
use super::{Cells, Mode, Planner};
use crate::cell::{self, is_same_text, is_trimmed, number, trim};
use crate::codes::{CONTROL_CHARACTERS, NOT_MENTIONED, REMOVED};

/// The element that a row is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// Nothing: the row is empty.
    Nothing,
    /// An element of the original.
    Old(usize),
    /// A new one.
    New,
}

/// Takes a part, the values that it had in its old shape, and the cells.
pub(crate) type Visitor<'v> = &'v mut dyn FnMut(&Part<'_>, Option<&[(String, Value)]>, &mut dyn Cells<'_>);

/// The elements of a list that a source names by keys, in any order.
pub(crate) trait Rows {
    /// Finds the element that a row is about, and takes the cells with its key.
    fn find(&mut self, row: &mut dyn Cells<'_>) -> Result<Found>;

    /// Notes that the source has an element of the original.
    fn see(&mut self, index: usize);

    /// Returns whether the source has had the element with a number in the file.
    fn is_seen(&self, index: usize) -> bool;

    /// Returns the path of an element of the original.
    fn path(&mut self, index: usize) -> Path;

    /// Passes on an element of the original, in the shape that the row gives it.
    fn visit(&self, index: usize, row: &mut dyn Cells<'_>, then: Visitor<'_>);

    /// Adds the element of the row that was found last.
    fn add(&mut self, planner: &mut Planner<'_>, row: &mut dyn Cells<'_>) -> Result<()>;
}

impl<'p> Planner<'p> {
    /// Takes the rows of all records of a table, which may repeat the name of the sheet. With `is_trimmed`, names may lack white space at
    /// their ends.
    pub(crate) fn records(
        mut self,
        table: &Table<'_>,
        sheet: Option<Cow<'_, str>>,
        is_trimmed: bool,
        take: impl FnOnce(&mut dyn Rows, &mut Self) -> Result<()>,
    ) -> Result<Planned> {
        let planned = of_kind(&TableDescription::new(table), "record", |parts| {
            let mut rows = Records::of(parts, table.len(), self.mode == Mode::Fill).with(sheet, is_trimmed);
            take(&mut rows, &mut self)?;
            rows.finish(&mut self);
            Ok(self.finish())
        });
        planned.unwrap_or_else(|| Ok(Planned::default()))
    }

    /// Takes the rows of all objects of a level.
    pub(crate) fn objects(
        mut self,
        level: &'p Level<'p>,
        take: impl FnOnce(&mut dyn Rows, &mut Self) -> Result<()>,
    ) -> Result<Planned> {
        let mut objects = Objects::of(level)?;
        objects.list_all();
        take(&mut ObjectRows::of_all(&mut objects, self.encoding), &mut self)?;
        self.objects = Some(objects);
        Ok(self.finish())
    }

    /// Takes the rows of all tile attributes of a level.
    pub(crate) fn attributes(
        mut self,
        level: &Level<'_>,
        take: impl FnOnce(&mut dyn Rows, &mut Self) -> Result<()>,
    ) -> Result<Planned> {
        let planned = of_kind(level.attributes(), "frame", |parts| {
            let mut rows = Frames::of(parts);
            take(&mut rows, &mut self)?;
            rows.finish(&mut self.planned);
            Ok(self.finish())
        });
        planned.unwrap_or_else(|| Ok(Planned::default()))
    }
}

/// The message about a row without a name that does not belong to a record without one.
const NAMELESS: &str = "the record has no name; programs such as pandas take names such as `NA` for empty cells";

/// The records of a table.
pub(crate) struct Records<'r> {
    parts: &'r dyn PartList,
    is_seen: Vec<bool>,
    /// The record behind the last one, which is often the next one.
    next: usize,
    /// The name of the sheet, which rows may repeat.
    sheet: Option<Cow<'r, str>>,
    /// Whether names may lack white space at their ends.
    is_trimmed: bool,
    /// Whether the next record that is added may lack a name, as one of a new table may.
    may_lack_name: bool,
    /// The name of a new record.
    name: String,
    /// Made when it is first asked for.
    numbers: Option<Numbers>,
}

#[derive(Default)]
struct Numbers {
    by_name: HashMap<String, Named>,
    /// Names that spreadsheets take for numbers, by the bits of these; `None` if several are the same number.
    by_number: HashMap<u64, Option<usize>>,
}

/// The records of one name, in order.
#[derive(Default)]
struct Named {
    list: Vec<usize>,
    /// How many at the start of the list were found.
    found: usize,
}

impl<'r> Records<'r> {
    /// Returns the `len` records of a list.
    pub(crate) fn of(parts: &'r dyn PartList, len: usize, is_new_file: bool) -> Self {
        Self {
            parts,
            is_seen: vec![false; len],
            next: 0,
            sheet: None,
            is_trimmed: false,
            may_lack_name: is_new_file,
            name: String::new(),
            numbers: None,
        }
    }

    /// Sets the name of the sheet, and whether names may lack white space at their ends.
    pub(crate) fn with(self, sheet: Option<Cow<'r, str>>, is_trimmed: bool) -> Self {
        Self { sheet, is_trimmed, ..self }
    }

    /// Calls `then` with the name of a record.
    fn name<T>(&self, index: usize, then: impl FnOnce(&[u8]) -> T) -> Option<T> {
        let (mut then, mut result) = (Some(then), None);
        self.parts.get(u32::try_from(index).ok()?, 0, &mut |part| {
            if let (PartKey::Name(name), Some(then)) = (part.key, then.take()) {
                result = Some(then(name));
            }
        });
        result
    }

    fn numbers(&mut self) -> &mut Numbers {
        if self.numbers.is_none() {
            let (mut all, mut trimmed) = (Numbers::default(), HashMap::<String, Named>::new());
            for index in 0..self.is_seen.len() {
                let name = self.name(index, |name| utf8(name).into_owned()).unwrap_or_default();
                if let Some(number) = number(&name) {
                    let same = all.by_number.entry(number.to_bits());
                    same.and_modify(|index| *index = None).or_insert(Some(index));
                }
                if self.is_trimmed && trim(&name).len() < name.len() {
                    trimmed.entry(trim(&name).to_owned()).or_default().list.push(index);
                }
                all.by_name.entry(name).or_default().list.push(index);
            }
            trimmed.retain(|name, _| !all.by_name.contains_key(name));
            all.by_name.extend(trimmed);
            self.numbers = Some(all);
        }
        self.numbers.get_or_insert_default()
    }

    /// Whether the order of names shows that no other record has this one.
    fn is_alone(&self, index: usize, name: &[u8]) -> bool {
        let differs =
            |index: Option<usize>| index.and_then(|index| self.name(index, |other| other != name)).unwrap_or(true);
        self.parts.list().is(ListFlag::Unique) && differs(index.checked_sub(1)) && differs(index.checked_add(1))
    }

    /// Finds a record by its name: the first that was not seen, or `None` if all of them were. Fails if no record has the name.
    fn by_name(&mut self, name: &str) -> std::result::Result<Option<usize>, ()> {
        self.numbers();
        let is_seen = std::mem::take(&mut self.is_seen);
        let named = self.numbers().by_name.get_mut(name).ok_or(());
        let index = named.map(|Named { list, found }| {
            let rest = list.get(*found..).unwrap_or(&[]);
            let seen = rest.iter().take_while(|&&index| is_seen.get(index) != Some(&false)).count();
            *found = found.saturating_add(seen);
            list.get(*found).copied()
        });
        self.is_seen = is_seen;
        index
    }

    /// Returns the first record with a name.
    #[cfg(feature = "xlsx")]
    pub(crate) fn index_of(&mut self, name: &str) -> Option<usize> {
        self.numbers().by_name.get(name)?.list.first().copied()
    }

    /// Returns a record whose name a spreadsheet took for a number: `Some(None)` if several are this number.
    fn by_number(&mut self, name: &str) -> Option<Option<usize>> {
        let index = *self.numbers().by_number.get(&number(name)?.to_bits())?;
        let is_shown = |index| self.name(index, |own| is_same_text(&utf8(own), name)) == Some(true);
        match index {
            Some(index) => (is_shown(index) && self.is_seen.get(index) == Some(&false)).then_some(Some(index)),
            None => Some(None),
        }
    }

    /// Takes the records that the source does not have: they stay, or are removed.
    pub(crate) fn finish(mut self, planner: &mut Planner<'_>) {
        planner.place.row = None;
        let missing: Vec<usize> =
            (0..self.is_seen.len()).filter(|index| self.is_seen.get(*index) == Some(&false)).collect();
        if missing.is_empty() {
            return;
        }
        let removes = planner.removes && planner.planned.account.refused() == 0;
        let keys = missing.iter().filter_map(|index| self.name(*index, |name| utf8(name).into_owned()));
        let entry = missing_of((missing.len(), self.is_seen.len()), "records", removes, &Path::new());
        planner.planned.account.push(entry.about(missing.len() as u64, keys.collect::<Vec<_>>()));
        for index in missing.into_iter().filter(|_| removes) {
            let path = self.path(index);
            let name = self.name(index, <[u8]>::to_vec).unwrap_or_default();
            let list = match self.is_alone(index, &name) {
                true => Vec::new(),
                false => self.numbers().by_name.get(&*utf8(&name)).map_or_else(Vec::new, |named| named.list.clone()),
            };
            if list.iter().any(|&index| self.is_seen.get(index) == Some(&true)) {
                let name = Path::new().with(|path| path.push_name(&name));
                return planner.refuse_with(EditError::new(&name, EditErrorKind::Ambiguous { count: list.len() }), "");
            }
            let mut fields = Vec::new();
            let number = u32::try_from(index).unwrap_or(u32::MAX);
            self.parts.get(number, 0, &mut |record| fields = fields::values(record.body, None).0);
            // Names decide where records are.
            planner.planned.changes.push(Change::Remove { path, fields, data: None, was: Position::Natural });
        }
    }
}

impl Rows for Records<'_> {
    fn find(&mut self, row: &mut dyn Cells<'_>) -> Result<Found> {
        let given = row.take("record").and_then(|given| given.name());
        let name = given.ok_or_else(|| EditError::wrong(&Path::new(), "a record needs its name as `record`"))?;
        let path = Path::new().with(|path| path.push_name(name.as_bytes()));
        if let Some(sheet) = &self.sheet
            && let Some(given) = row.take("sheet")
        {
            let found = given.name().unwrap_or_default();
            if !found.is_empty() && !is_same_text(sheet, &found) {
                let why = format!("`sheet` cannot be edited: expected {}, found {}", quote(sheet), given.shown());
                return Err(EditError::wrong(&path, why));
            }
        }
        let (next, name) = (self.next, name.into_owned());
        let is_free = self.is_seen.get(next) == Some(&false);
        let is = |own: &[u8]| utf8(own) == *name || self.is_trimmed && is_trimmed(&utf8(own), &name);
        if is_free && self.name(next, is) == Some(true) {
            return Ok(Found::Old(next));
        }
        let found = self.by_name(&name);
        // In the order of the original, it is the row of the next record, whose name is lost.
        let is_lost = name.is_empty() && (is_free || !matches!(found, Ok(Some(_))));
        if is_lost && !std::mem::take(&mut self.may_lack_name) {
            return if row.is_blank() { Ok(Found::Nothing) } else { Err(EditError::wrong(&Path::new(), NAMELESS)) };
        }
        match found {
            Ok(Some(index)) => Ok(Found::Old(index)),
            Ok(None) if row.is_blank() => Ok(Found::Nothing),
            Ok(None) => Err(EditError::wrong(&path, "the record occurs twice")),
            Err(()) => match self.by_number(&name) {
                // A spreadsheet took the name for a number.
                Some(Some(index)) => Ok(Found::Old(index)),
                Some(None) => Err(EditError::wrong(
                    &path,
                    "several records have this number as their name; format the column as text",
                )),
                None => {
                    self.name = name;
                    Ok(Found::New)
                }
            },
        }
    }

    fn see(&mut self, index: usize) {
        self.is_seen.get_mut(index).into_iter().for_each(|seen| *seen = true);
        self.next = index.saturating_add(1);
    }

    fn is_seen(&self, index: usize) -> bool {
        self.is_seen.get(index) != Some(&false)
    }

    /// Returns the path of a record, with its number among several of its name.
    fn path(&mut self, index: usize) -> Path {
        let name = self.name(index, <[u8]>::to_vec).unwrap_or_default();
        let mut nth = None;
        if !self.is_alone(index, &name) {
            let list = self.numbers().by_name.get(&*utf8(&name)).map_or(&[][..], |named| &named.list);
            nth = list.binary_search(&index).ok().filter(|_| list.len() > 1);
        }
        let nth = nth.and_then(|nth| u32::try_from(nth).ok());
        Path::new().with(|path| match nth {
            Some(nth) => path.push_nth(&name, nth),
            None => path.push_name(&name),
        })
    }

    fn visit(&self, index: usize, row: &mut dyn Cells<'_>, then: Visitor<'_>) {
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        self.parts.get(index, 0, &mut |part| then(part, None, row));
    }

    fn add(&mut self, planner: &mut Planner<'_>, row: &mut dyn Cells<'_>) -> Result<()> {
        let path = Path::new().with(|path| path.push_name(&cell::bytes(&self.name, &[])));
        check_name(&self.name, &path)?;
        let (editable, mut fields) = (self.parts.editable(), Vec::new());
        editable.blank(&|_| None, &mut |bytes| {
            editable.alone(bytes, &mut |part| fields = planner.new_fields(part.body, &path, row));
        });
        let position = Position::Natural;
        planner.planned.changes.push(Change::Add { path, like: None, position, fields, data: None });
        Ok(())
    }
}

/// The cell that names a tile attribute.
const FRAME: &str = "frame";

/// The field that decides which others a tile attribute has.
pub(crate) const KIND: &str = field_name!(AttributeHead, kind);

/// The tile attributes of a level, by their frames.
pub(crate) struct Frames<'f> {
    parts: &'f dyn PartList,
    /// The offset of each.
    offsets: Vec<u64>,
    is_seen: Vec<bool>,
    /// The number of rows so far: rows that do not name their frame are in order.
    count: usize,
}

impl<'f> Frames<'f> {
    pub(crate) fn of(parts: &'f dyn PartList) -> Self {
        let mut offsets = Vec::new();
        let _ = parts.each(&mut |part| {
            offsets.extend(part.ok().map(Part::offset));
            Flow::Continue(())
        });
        Self { parts, is_seen: vec![false; offsets.len()], offsets, count: 0 }
    }

    /// Says which tile attributes the source does not have. Tiles refer to them by number, so none is ever removed.
    pub(crate) fn finish(self, planned: &mut Planned) {
        let missing = self.is_seen.iter().zip(0_u32..).filter(|(is_seen, _)| !**is_seen);
        let missing: Vec<_> = missing.map(|(_, number)| number.to_string()).collect();
        if !missing.is_empty() {
            let entry = missing_of((missing.len(), self.is_seen.len()), "tile attributes", false, &Path::new());
            planned.account.push(entry.about(missing.len() as u64, missing));
        }
    }
}

/// Returns the path of a tile attribute.
pub(crate) fn frame(index: usize) -> Path {
    let mut path = Path::new();
    path.push_name(b"tile_attributes");
    path.push_nth(b"frame", u32::try_from(index).unwrap_or(u32::MAX));
    path
}

impl Rows for Frames<'_> {
    fn find(&mut self, row: &mut dyn Cells<'_>) -> Result<Found> {
        if row.is_blank() {
            return Ok(Found::Nothing);
        }
        let given = row.take(FRAME);
        let number = given.as_ref().map_or(Some(self.count), |given| given.number());
        self.count = self.count.saturating_add(1);
        match number.and_then(|number| Some((number, std::mem::replace(self.is_seen.get_mut(number)?, true)))) {
            Some((number, false)) => {
                match row.get(KIND).filter(|kind| !kind.number().is_some_and(|kind| (1..=3).contains(&kind))) {
                    Some(kind) => {
                        let path = frame(number).with(|path| path.push_name(KIND.as_bytes()));
                        let why = format!("expected `single` (1), `double` (2) or `mask` (3), found {}", kind.shown());
                        Err(EditError::wrong(&path, why))
                    }
                    None => Ok(Found::Old(number)),
                }
            }
            Some((number, true)) => Err(EditError::wrong(&frame(number), "the frame has two rows")),
            None => {
                let cell = given.map_or_else(String::new, |given| given.shown());
                let why = format!("no tile attribute has the frame {cell}, and none can be added");
                Err(EditError::wrong(&Path::new().with(|path| path.push_name(b"tile_attributes")), why))
            }
        }
    }

    fn see(&mut self, index: usize) {
        self.is_seen.get_mut(index).into_iter().for_each(|seen| *seen = true);
    }

    fn is_seen(&self, index: usize) -> bool {
        self.is_seen.get(index) != Some(&false)
    }

    fn path(&mut self, index: usize) -> Path {
        frame(index)
    }

    fn visit(&self, index: usize, row: &mut dyn Cells<'_>, then: Visitor<'_>) {
        let [kind, width, height] =
            [KIND, "width", "height"].map(|name| row.get(name).and_then(|given| given.number()));
        let (editable, offset) = (self.parts.editable(), self.offsets.get(index).copied().unwrap_or(0));
        self.parts.get(u32::try_from(index).unwrap_or(u32::MAX), offset, &mut |part| {
            let own = fields::values(part.body, None).0;
            let old = |name: &str| match own.iter().find(|(own, _)| own == name) {
                Some((_, Value::Integer(number))) => Some(*number),
                _ => None,
            };
            let wanted = |wanted: ShapeNumber<'_>| match wanted {
                ShapeNumber::Field("width") if width.is_some() => width.and_then(|width| width.try_into().ok()),
                ShapeNumber::Field("height") if height.is_some() => height.and_then(|height| height.try_into().ok()),
                ShapeNumber::Field(KIND) => kind.and_then(|kind| kind.try_into().ok()),
                ShapeNumber::Field(name) => old(name).and_then(|number| number.try_into().ok()),
                ShapeNumber::Len(_) => None,
            };
            let mut blank = None;
            if kind.is_some_and(|kind| old(KIND) != i128::try_from(kind).ok()) {
                editable.blank(&wanted, &mut |bytes| blank = Some(bytes.to_vec()));
            }
            match &blank {
                Some(blank) => {
                    editable.alone(blank, &mut |new| then(&Part { body: new.body, ..*part }, Some(&own), row))
                }
                None => then(part, None, row),
            }
        });
    }

    fn add(&mut self, _: &mut Planner<'_>, _: &mut dyn Cells<'_>) -> Result<()> {
        Err(EditError::wrong(&Path::new(), "no tile attribute can be added"))
    }
}

/// Returns an error if a name cannot be that of a new record.
pub(crate) fn check_name(name: &str, path: &Path) -> Result<()> {
    if !name.chars().any(char::is_control) {
        return Ok(());
    }
    let why = format!(
        "a new record cannot have control characters in its name {}; programs read `_x1_` in a name as one",
        quote(name)
    );
    Err(EditError::refused(path, CONTROL_CHARACTERS, why))
}

/// Returns the entry about elements that a source does not have, which either stay or are removed.
pub(super) fn missing_of((missing, all): (usize, usize), what: &str, removes: bool, path: &Path) -> Entry {
    let (column, code, verb) = if removes {
        (Column::Done, REMOVED, if missing == 1 { "is removed" } else { "are removed" })
    } else {
        (Column::LeftOut, NOT_MENTIONED, if missing == 1 { "stays" } else { "stay" })
    };
    let is = if missing == 1 { "is" } else { "are" };
    Entry::new(column, code, path, format!("{missing} of {all} {what} {is} not in the source and {verb}"))
}
