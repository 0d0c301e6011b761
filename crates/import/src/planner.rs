//! The planner: what a source says of the parts of a file, compared with what the file says.
//!
//! A source is a tree of cells: the members of a document, or the cells of a row. The description of the original decides what
//! each means: a cell is the value of a field, the elements of an array, or a list of parts. It is equal, becomes a change, or is
//! refused with its place; what the description does not have is refused, too. So nothing that a source says is lost.

mod list;
pub(crate) mod objects;
pub(crate) mod rows;

use std::collections::BTreeSet;

use worldview_core::describe::{Array, Describe, Elements, Field, FieldValue, Flow, Link, PartList, Role, Visit};
use worldview_core::{Error, Path, field_name};
use worldview_edit::account::{Account, Code, Column, Entry, SourcePlace};
use worldview_edit::fields::{is_said, value_of, values};
use worldview_edit::{Change, EditError, LAYOUT, Planned, Result, Value, array_changes};
use worldview_export::Encoding;
use worldview_export::table::WORDS;
use worldview_inspect::{field_name as name_of, json};
use worldview_wwd::Level;
use worldview_wwd::raw::PlaneHeader;

use self::objects::Objects;
use self::rows::{Found, Rows};
use crate::build::{NOT_BUILT, UNKNOWN_MEMBER};
use crate::codes::WORDS_NOT_READ;
use crate::doc::{Members, Read, shown};
use crate::given::{Given, Grid, Reader};

/// The values that a source gives for one element.
pub(crate) trait Cells<'c> {
    /// Returns a cell.
    fn get(&self, name: &str) -> Option<Given<'c>>;

    /// Notes that a cell was read. Returns whether it was not before.
    fn mark(&mut self, name: &str) -> bool;

    /// Returns the names of the cells that nobody has taken, and what is wrong with them.
    fn rest(&self) -> Vec<(String, String)>;

    /// Returns the number of cells.
    fn len(&self) -> usize;

    /// Returns whether all cells are empty.
    fn is_blank(&self) -> bool {
        false
    }

    /// Returns a cell that nobody has taken, and notes that it was read.
    fn take(&mut self, name: &str) -> Option<Given<'c>> {
        let given = self.get(name)?;
        self.mark(name).then_some(given)
    }
}

impl<'d> Cells<'d> for Members<'d> {
    fn get(&self, name: &str) -> Option<Given<'d>> {
        let value = Self::get(self, name);
        let bytes = if self.has_bytes { Self::get(self, &format!("{name}_bytes")) } else { None };
        (value.is_some() || bytes.is_some()).then_some(Given::Json(value, bytes))
    }

    fn mark(&mut self, name: &str) -> bool {
        let is_new = self.take(name).is_some();
        let has_bytes = self.has_bytes && self.take(&format!("{name}_bytes")).is_some();
        is_new || has_bytes
    }

    fn rest(&self) -> Vec<(String, String)> {
        Self::rest(self).map(|(name, _)| (name.to_owned(), format!("unknown member `{name}`"))).collect()
    }

    fn len(&self) -> usize {
        Self::len(self)
    }
}

/// The purpose of comparing a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// To change a file.
    Edit,
    /// To give a new file what a source has for it. What follows from the contents is not read.
    Fill,
    /// To say what of a source a new file does not have.
    Compare,
}

/// Where a source has what is being read.
#[derive(Default)]
pub(crate) struct Place {
    /// The row or line.
    pub(crate) row: Option<u64>,
    /// The pointer in a document.
    pub(crate) pointer: String,
}

impl Place {
    /// Returns the row, or the place of a member.
    fn of(&self, member: &str) -> SourcePlace {
        match self.row {
            Some(row) => SourcePlace::row(row),
            None if member.is_empty() => SourcePlace::pointer(self.pointer.clone()),
            None => SourcePlace::pointer(format!("{}/{member}", self.pointer)),
        }
    }
}

/// Compares a source with a file, and collects what becomes of it.
pub(crate) struct Planner<'p> {
    pub(crate) planned: Planned,
    pub(crate) mode: Mode,
    pub(crate) encoding: Encoding,
    /// Whether records and objects that the source does not have are removed.
    removes: bool,
    /// The level, if the file is one: its objects have ids of their own.
    level: Option<&'p Level<'p>>,
    objects: Option<Objects<'p>>,
    pub(crate) place: Place,
    /// The names of cells that show words for keys.
    words: BTreeSet<String>,
    /// The names that elements get.
    renamed: BTreeSet<String>,
    /// The number of cells of new records and objects.
    added: u64,
    /// The number of values that follow from how the content is stored, and differ.
    layout: u64,
    /// How many elements may still be visited.
    visits: u64,
}

/// The most cells that the new records or objects of a source have together: each takes some 300 bytes.
const MAX_ADDED: u64 = 1 << 20;

/// The most elements that are visited for one source. In a damaged file, lists may overlap.
const MAX_VISITS: u64 = 1 << 25;

/// The grid of a plane.
const TILES: &str = "tiles";

/// The message about arrays such as the corners of a mesh with the level's points.
const FOLLOWS: &str = "follows from other members, and is not read";

/// A part of a file, and what is known of where it is.
#[derive(Clone, Copy)]
pub(crate) struct Owner<'o> {
    pub(crate) path: &'o Path,
    /// The number of the part in its list.
    pub(crate) index: u32,
    /// Whether nothing in it can be edited.
    pub(crate) is_frozen: bool,
}

impl<'o> Owner<'o> {
    /// Returns a part that is found by its path alone.
    pub(crate) const fn at(path: &'o Path) -> Self {
        Self { path, index: 0, is_frozen: false }
    }
}

/// Returns the path of a field, array or list of a part.
fn own_path(path: &Path, is_main: bool, name: &str) -> Path {
    path.with(|path| if is_main { path.push("@", name.as_bytes(), None) } else { path.push_name(name.as_bytes()) })
}

impl<'p> Planner<'p> {
    pub(crate) fn new(mode: Mode, encoding: Encoding) -> Self {
        Self {
            planned: Planned::default(),
            mode,
            encoding,
            removes: false,
            level: None,
            objects: None,
            place: Place::default(),
            words: BTreeSet::new(),
            renamed: BTreeSet::new(),
            added: 0,
            layout: 0,
            visits: MAX_VISITS,
        }
    }

    /// Sets whether records and objects that the source does not have are removed.
    pub(crate) fn removes(self, removes: bool) -> Self {
        Self { removes, ..self }
    }

    /// Sets the level that the file is.
    pub(crate) fn level(self, level: Option<&'p Level<'p>>) -> Self {
        Self { level, ..self }
    }

    /// Refuses a cell, or the element if there is no member, with the path of what it is about.
    pub(crate) fn refuse(&mut self, path: &Path, member: &str, why: impl Into<String>) {
        self.refuse_with(EditError::wrong(path, why), member);
    }

    /// Refuses what an error is about.
    pub(crate) fn refuse_with(&mut self, error: EditError, member: &str) {
        let place = self.place.of(member);
        self.planned.refuse(&error, place);
    }

    fn note(&mut self, column: Column, code: Code, (path, member): (&Path, &str), why: impl Into<String>) {
        let place = self.place.of(member);
        self.planned.account.push(Entry::new(column, code, path, why).at(place));
    }

    /// Calls `then` with the place of a member or element.
    fn within<T>(&mut self, member: impl std::fmt::Display, then: impl FnOnce(&mut Self) -> T) -> T {
        let len = self.place.pointer.len();
        self.place.pointer.push_str(&format!("/{member}"));
        let result = then(self);
        self.place.pointer.truncate(len);
        result
    }

    /// Counts the cells of a new element. Returns an error once there are too many.
    pub(crate) fn count_added(&mut self, cells: usize) -> Result<()> {
        self.added = self.added.saturating_add(cells as u64);
        if self.added <= MAX_ADDED {
            return Ok(());
        }
        let why =
            format!("the source adds records or objects of more than {MAX_ADDED} cells; add them in several steps");
        Err(EditError::malformed(None, why))
    }

    /// Compares a part with what a source says of it. `was` has the values of the original if the part gets the shape of `body`.
    pub(crate) fn old(
        &mut self,
        body: &dyn Describe,
        owner: Owner<'_>,
        was: Option<&[(String, Value)]>,
        cells: &mut dyn Cells<'_>,
    ) {
        let mut walk = Walk { planner: self, cells, owner, is_main: body.has_main_list(), was, new: None };
        let _ = body.describe(&mut walk);
        walk.finish(body);
    }

    /// Returns the fields that a source gives to a new element like `body`.
    pub(crate) fn new_fields(
        &mut self,
        body: &dyn Describe,
        path: &Path,
        cells: &mut dyn Cells<'_>,
    ) -> Vec<(String, Value)> {
        for member in ["at", "sheet"] {
            cells.take(member);
        }
        let mut walk =
            Walk { planner: self, cells, owner: Owner::at(path), is_main: false, was: None, new: Some(Vec::new()) };
        let _ = body.describe(&mut walk);
        walk.finish(body);
        walk.new.unwrap_or_default()
    }

    /// Takes what a row, line or object says of an element that it names by a key.
    pub(crate) fn row(&mut self, rows: &mut dyn Rows, cells: &mut dyn Cells<'_>) {
        match rows.find(cells) {
            Ok(found) => self.found(rows, found, cells),
            Err(error) => self.refuse_with(error, ""),
        }
    }

    /// Does the same once it is known which element it is.
    pub(crate) fn found(&mut self, rows: &mut dyn Rows, found: Found, cells: &mut dyn Cells<'_>) {
        match found {
            Found::Nothing => {}
            Found::Old(index) => {
                rows.see(index);
                let before = (self.planned.changes.len(), self.planned.account.entries().len());
                let path = rows.path(index);
                rows.visit(index, cells, &mut |part, was, cells| {
                    self.old_part(part, Owner { index: part.index, ..Owner::at(&path) }, was, cells);
                });
                if before == (self.planned.changes.len(), self.planned.account.entries().len()) {
                    self.planned.account.equal = self.planned.account.equal.saturating_add(1);
                }
            }
            Found::New if self.mode == Mode::Compare => {
                self.note(Column::Refused, NOT_BUILT, (&Path::new(), ""), "the new file does not have this");
            }
            Found::New => {
                let added = self.count_added(cells.len()).and_then(|()| rows.add(self, cells));
                added.unwrap_or_else(|error| self.refuse_with(error, ""));
            }
        }
    }

    /// Compares an element of a list.
    fn old_part(
        &mut self,
        part: &worldview_core::describe::Part<'_>,
        owner: Owner<'_>,
        was: Option<&[(String, Value)]>,
        cells: &mut dyn Cells<'_>,
    ) {
        if let Some(at) = part.at
            && let Some(given) = cells.take("at")
        {
            let at = Field::new("at", FieldValue::Uint(at.at)).role(Role::Storage);
            self.frozen(&at, &owner.path.with(|path| path.push_name(b"at")), &given);
        }
        self.old(part.body, owner, was, cells);
    }

    /// Compares a field that cannot be edited.
    fn frozen(&mut self, field: &Field<'_>, path: &Path, given: &Given<'_>) {
        let name = name_of(&field.name);
        if given.is_unchanged(field, self.encoding) {
            self.planned.account.equal =
                self.planned.account.equal.saturating_add(u64::from(self.mode == Mode::Compare));
            return;
        }
        let expected = shown(&json::scalar(&field.value, self.encoding));
        // Bits that follow from the contents are those of the new file.
        let (old, kept) = (json::scalar(&field.value, self.encoding).as_u64(), u64::from(field.storage_bits));
        let new = given.number().and_then(|new| u64::try_from(new).ok());
        let is_layout = kept != 0 && old.zip(new).is_some_and(|(old, new)| (old ^ new) & !kept == 0);
        let is_content = matches!(field.role, Role::Data | Role::Reserved) && !is_layout;
        self.differs(&name, path, is_content, || format!("expected {expected}, found {}", given.shown()));
    }

    /// Says that a member is not as the original has it, and that no change can make it so.
    fn differs(&mut self, name: &str, path: &Path, is_content: bool, why: impl FnOnce() -> String) {
        match self.mode {
            Mode::Edit => self.refuse(path, name, format!("`{name}` cannot be edited: {}", why())),
            Mode::Fill => {}
            Mode::Compare if is_content => {
                self.note(Column::Refused, NOT_BUILT, (path, name), format!("cannot be stored: {}", why()))
            }
            Mode::Compare => self.layout = self.layout.saturating_add(1),
        }
    }

    /// Returns the results for the source.
    pub(crate) fn finish(mut self) -> Planned {
        self.place = Place::default();
        if let Some(objects) = self.objects.take() {
            objects.finish(self.removes, &mut self.planned);
        }
        for name in std::mem::take(&mut self.words) {
            let why = format!("`{name}` shows words for keys, and is not read");
            let place = SourcePlace { column: Some(name), ..SourcePlace::default() };
            self.planned.account.push(Entry::new(Column::LeftOut, WORDS_NOT_READ, &Path::new(), why).at(place));
        }
        self.planned.account.append(layout(self.layout));
        self.planned
    }

    /// Notes that a cell shows words for a key.
    pub(crate) fn words(&mut self, name: &str) {
        self.words.insert(name.to_owned());
    }
}

/// Says how many values that follow from how the content is stored differ from those of the source.
pub(crate) fn layout(count: u64) -> Account {
    let mut account = Account::new();
    if count > 0 {
        let why = match count {
            1 => "1 value that follows from the contents, such as an offset, differs from the source".to_owned(),
            _ => format!("{count} values that follow from the contents, such as offsets, differ from the source"),
        };
        account.push(Entry::new(Column::LeftOut, LAYOUT, &Path::new(), why));
    }
    account
}

/// A visit of a part, for what a source says of it.
struct Walk<'w, 'p, 'o, 'c> {
    planner: &'w mut Planner<'p>,
    cells: &'w mut dyn Cells<'c>,
    owner: Owner<'o>,
    is_main: bool,
    was: Option<&'o [(String, Value)]>,
    /// The fields of a new element.
    new: Option<Vec<(String, Value)>>,
}

impl Walk<'_, '_, '_, '_> {
    fn path(&self, name: &str) -> Path {
        own_path(self.owner.path, self.is_main, name)
    }

    /// Refuses what the part does not have.
    fn finish(&mut self, body: &dyn Describe) {
        let mut own: Option<Vec<(String, Value)>> = None;
        for (name, mut why) in self.cells.rest() {
            if self.was.is_some() && why.starts_with("unknown") {
                "the kind of this tile attribute has no such member".clone_into(&mut why);
            }
            let is_field =
                |field: &str| own.get_or_insert_with(|| values(body, None).0).iter().any(|(own, _)| own == field);
            let path = own_path(self.owner.path, self.is_main, &name);
            match self.planner.mode {
                _ if self.planner.words.contains(&name) => {}
                _ if name.strip_suffix(WORDS).is_some_and(is_field) => _ = self.planner.words.insert(name),
                Mode::Edit => self.planner.refuse(&path, &name, why),
                Mode::Fill => {}
                Mode::Compare => self.planner.note(Column::Refused, UNKNOWN_MEMBER, (&path, &name), why),
            }
        }
    }

    fn set(&mut self, field: &Field<'_>, name: &str, to: Value) {
        if let Some(new) = &mut self.new {
            // Bits that no field owns are zero unless they are given.
            if field.role != Role::Reserved || to != value_of(field.value, field.stored) {
                new.push((name.to_owned(), to));
            }
            return;
        }
        let from = match self.was {
            Some(was) => was.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone()),
            None if matches!(field.value, FieldValue::Dangling(_)) => None,
            None => Some(value_of(field.value, field.stored)),
        };
        let is_same = match &from {
            Some(from) => *from == to,
            // What only the new shape has is zero.
            None => self.was.is_some() && to == value_of(field.value, field.stored),
        };
        if !is_same {
            if let Value::Text(text) = to.clone()
                && name == "name"
            {
                self.planner.renamed.insert(text);
            }
            self.planner.planned.changes.push(Change::Set { path: self.path(name), from, to });
        }
    }

    /// Returns a grid if it has the size that its part is given. One without rows gets those.
    fn sized(&self, array: &Array<'_>, mut grid: Grid) -> Read<Grid> {
        let sides = match array.name {
            TILES => [field_name!(PlaneHeader, tiles_wide), field_name!(PlaneHeader, tiles_high)],
            "pixels" => ["width", "height"],
            _ => return Ok(grid),
        };
        let [wide, high] = sides.map(|side| self.cells.get(side).and_then(|given| given.number()));
        let (columns, rows) = (array.columns, array.elements.len().checked_div(array.columns).unwrap_or(0));
        let (wide, high) = (wide.unwrap_or(columns), high.unwrap_or(rows));
        if grid.rows.is_none() {
            (grid.columns, grid.rows) = (wide, Some(high));
        }
        // A grid without columns has no rows.
        let is_empty = grid.len() == 0 && (wide == 0 || high == 0 || array.elements.is_empty());
        if is_empty || grid.columns == wide && grid.rows == Some(high) && Some(grid.len()) == wide.checked_mul(high) {
            return Ok(grid);
        }
        let name = array.name;
        Err(format!("expected {high} rows of {wide} {name}, found {} {name}", grid.len()))
    }
}

impl Visit for Walk<'_, '_, '_, '_> {
    fn field(&mut self, field: &Field<'_>) -> Flow {
        let name = name_of(&field.name);
        let Some(given) = self.cells.take(&name) else { return Flow::Continue(()) };
        let Planner { mode, encoding, .. } = *self.planner;
        if mode == Mode::Compare || self.owner.is_frozen || !is_said(field) {
            if self.new.is_none() {
                let path = self.path(&name);
                self.planner.frozen(field, &path, &given);
            }
            return Flow::Continue(());
        }
        let is_new = self.new.is_some() || self.was.is_some();
        let reader = Reader { encoding, is_new, is_new_file: mode == Mode::Fill };
        match reader.read(field, &given) {
            Ok(None) => {}
            Ok(Some(to)) => self.set(field, &name, to),
            Err(why) => {
                let path = self.path(&name);
                self.planner.refuse(&path, &name, why);
            }
        }
        Flow::Continue(())
    }

    fn array(&mut self, array: &Array<'_>) -> Flow {
        let Some(given) = self.cells.take(array.name) else { return Flow::Continue(()) };
        let path = self.path(array.name);
        // The points and corners that meshes share are storage, but nothing else has them.
        let is_shared =
            array.role == Role::Storage && array.at.is_some() && !matches!(array.elements, Elements::Bytes(_));
        let is_content = is_shared || matches!(array.role, Role::Data | Role::Reserved);
        if self.new.is_none() && self.was.is_none() && given.is_same_cell() {
            return Flow::Continue(());
        }
        let grid = Grid::read(array, &given).and_then(|grid| self.sized(array, grid));
        let grid = match grid {
            Ok(mut grid) => {
                grid.mend(array, |(x, y), why| {
                    let cell = |path: &mut Path| path.push(array.item, format!("{x},{y}").as_bytes(), None);
                    self.planner.refuse(&self.owner.path.with(cell), array.name, why);
                });
                if grid.is_in(array) && self.new.is_none() {
                    return Flow::Continue(());
                }
                grid
            }
            Err(why) => {
                let is_said = is_content && !self.owner.is_frozen || self.planner.mode == Mode::Edit;
                match self.planner.mode {
                    _ if is_said => self.planner.refuse(&path, array.name, why),
                    Mode::Compare => self.planner.note(Column::LeftOut, LAYOUT, (&path, array.name), FOLLOWS),
                    Mode::Edit | Mode::Fill => {}
                }
                return Flow::Continue(());
            }
        };
        if !is_content || self.owner.is_frozen || self.planner.mode == Mode::Compare {
            if self.planner.mode == Mode::Compare && !is_content {
                self.planner.note(Column::LeftOut, LAYOUT, (&path, array.name), FOLLOWS);
            } else if self.new.is_none() {
                self.planner
                    .differs(array.name, &path, is_content, || format!("its elements differ, {}", given.shown()));
            }
        } else if self.new.is_some() {
            self.planner.refuse(&path, array.name, "a new element gets its elements by an edit of its own");
        } else if self.planner.mode == Mode::Fill && array.name == TILES {
            // What the empty grid of a new file has need not be expected.
            for (y, row) in grid.rows_of_words() {
                let at = format!("0,{y},{},1", row.len());
                let path = self.owner.path.with(|path| path.push(TILES, at.as_bytes(), None));
                let to = Value::Integers(row.iter().map(|word| (*word).into()).collect());
                self.planner.planned.changes.push(Change::Set { path, from: None, to });
            }
        } else {
            let new = grid.array(array);
            array_changes(self.owner.path, self.is_main, [array, &new], &mut self.planner.planned.changes);
        }
        Flow::Continue(())
    }

    fn parts(&mut self, parts: &dyn PartList) -> Flow {
        let list = parts.list();
        let Some(given) = self.cells.take(list.name) else { return Flow::Continue(()) };
        let (owner, is_main, is_new) = (self.owner, self.is_main, self.new.is_some());
        if let Some(doc) = given.doc().filter(|_| !is_new) {
            self.planner.within(list.name, |planner| planner.list(parts, doc, owner, is_main));
        }
        Flow::Continue(())
    }

    fn link(&mut self, link: &Link<'_>) -> Flow {
        let Some(given) = self.cells.take(link.name) else { return Flow::Continue(()) };
        let target = link.target.map(|target| u64::from(target.index));
        let value = target.map_or(FieldValue::Absent, FieldValue::Uint);
        if self.new.is_none() {
            let path = self.path(link.name);
            self.planner.frozen(&Field::new(link.name, value), &path, &given);
        }
        Flow::Continue(())
    }

    fn broken(&mut self, error: &Error) -> Flow {
        if let Some(given) = self.cells.take("error") {
            let (why, path) = (error.to_string(), self.path("error"));
            self.planner.frozen(&Field::new("error", FieldValue::Word(&why)), &path, &given);
        }
        Flow::Continue(())
    }

    fn wants_places(&self) -> bool {
        true
    }
}
