//! Shows a description level by level: what is directly inside a part, with values and offsets.

use std::fmt::{self, Write as _};

use worldview_core::describe::{
    Array, Describe, Field, Flow, Link, List, ListFlag, Part, PartKey, PartList, Role, Span, Visit,
};
use worldview_core::{Error as FormatError, Path, PathError, Segment};

use crate::form;
use crate::meter::Meter;
use crate::place::{self, Repeated};
use crate::{Encoding, Result, Root, utf8};

/// An item that can be opened: a part, or a list of parts in it.
///
/// Its printed form is the path of the part. For a list, the name of the list follows, with a `*`, which no path
/// contains: `plane:Action/objects*`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Address {
    /// The path of the part.
    pub path: Path,
    /// The name of the list.
    pub list: Option<String>,
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(list) = &self.list else { return self.path.fmt(f) };
        let mark = if self.path.is_empty() { "" } else { "/" };
        write!(f, "{}{mark}{list}*", self.path)
    }
}

impl std::str::FromStr for Address {
    type Err = PathError;

    fn from_str(text: &str) -> std::result::Result<Self, PathError> {
        let is_list =
            |rest: &str| !rest.is_empty() && rest.bytes().all(|byte| byte == b'_' || byte.is_ascii_lowercase());
        if let Some(rest) = text.strip_suffix('*') {
            let (path, list) = rest.rsplit_once('/').unwrap_or(("", rest));
            if is_list(list) {
                return Ok(Self { path: path.parse()?, list: Some(list.to_owned()) });
            }
        }
        Ok(Self { path: text.parse()?, list: None })
    }
}

/// The kind of an [`Item`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// A field.
    Field,
    /// Many values of one type.
    Array,
    /// A part, which can be opened.
    Part,
    /// A list of parts, which can be opened.
    List,
    /// A reference to a part.
    Link,
    /// A part that could not be read.
    Error,
}

impl ItemKind {
    /// Returns the name of the kind, as used in machine-readable output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Field => "field",
            Self::Array => "array",
            Self::Part => "part",
            Self::List => "list",
            Self::Link => "link",
            Self::Error => "error",
        }
    }
}

/// Something directly inside a part.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Item<'i> {
    /// Its kind.
    pub kind: ItemKind,
    /// Its name.
    pub name: String,
    /// Its path, or the address of a list.
    pub address: Address,
    /// Its value; for a part, a short description, if there is one.
    pub text: String,
    /// Its purpose.
    pub role: Role,
    /// Its bytes.
    pub at: Option<Span>,
    /// Whether it can be opened.
    pub open: bool,
    /// The number of elements of a list or an array.
    pub count: Option<u64>,
    /// The list that it is, if it is one.
    list: Option<List>,
    /// The name of elements of an array in paths.
    item: Option<&'i str>,
}

/// The number of array values that are shown.
const VALUES: usize = 16;

/// The maximum length, in bytes, of a value that is shown.
const TEXT: usize = 4096;

/// Passes what is directly inside a part or list to `visit`, in file order, until it returns `Flow::Break(())`. Returns whether
/// there is such a part or list.
///
/// ```
/// use worldview_core::describe::Flow;
/// use worldview_inspect::browse::{self, Address};
/// use worldview_inspect::{Encoding, Root};
/// use worldview_wwd::{Level, LevelDescription, unpack};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let file: &[u8] = include_bytes!("../../../samples/harbour.wwd");
/// let unpacked = unpack(file)?;
/// let level = Level::parse(&unpacked)?;
/// let described = LevelDescription::new(&unpacked, &level);
/// let root = Root::new("wwd", level.image(), &described);
/// let mut names = Vec::new();
/// browse::rows(&root, &"planes*".parse()?, Encoding::default(), &mut |row| {
///     names.push(row.address.to_string());
///     Flow::Continue(())
/// })?;
/// assert_eq!(names, ["plane:Background", "plane:Action", "plane:Front"]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// Returns an error if overlapping parts make the walk far longer than the file.
pub fn rows(
    root: &Root<'_>,
    address: &Address,
    encoding: Encoding,
    visit: &mut dyn FnMut(&Item<'_>) -> Flow,
) -> Result<bool> {
    let meter = Meter::new(&[root], "walk over overlapping parts", "walk over texts with many references");
    let mut walk = AddressWalk { address, encoding, visit, path: Path::new(), meter, found: false };
    let in_main = root.body.has_main_list();
    if address.path.is_empty() {
        let _ = walk.enter(root.body, in_main);
    } else {
        let _ = root.body.describe(&mut Seek { walk: &mut walk, in_main });
    }
    let found = walk.found;
    walk.meter.error().map_or(Ok(found), |error| Err(error.into()))
}

/// A step on the way to a part: an item to open, and the row in it that leads further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The item to open.
    pub address: Address,
    /// The index of the row.
    pub row: u64,
}

/// Returns the rows to open, outermost first, until the row of a part or field is visible. The last step is that row, or the last one that
/// exists if the path leads nowhere.
///
/// # Errors
///
/// Returns an error if overlapping parts make the walk far longer than the file.
pub fn way(root: &Root<'_>, path: &Path) -> Result<Vec<Step>> {
    let segments: Vec<Segment<'_>> = path.segments().collect();
    let (mut steps, mut dead_ends) = (Vec::<Step>::new(), Vec::new());
    let mut here = Address::default();
    loop {
        let next = segments.get(here.path.len());
        let (mut row, mut found) = (0, None);
        rows(root, &here, Encoding::default(), &mut |candidate| {
            let address = &candidate.address;
            let leads = match (candidate.kind, &candidate.list, next) {
                (ItemKind::List, Some(list), Some(next)) => is_element(list, next) && !dead_ends.contains(address),
                (ItemKind::Array, _, Some(next)) => candidate.item.is_some_and(|item| next.kind == Some(item)),
                _ => leads_to(path, &address.path) && address.path.len() > here.path.len(),
            };
            if leads {
                found = Some((address.clone(), candidate.open));
                return Flow::Break(());
            }
            row += 1;
            Flow::Continue(())
        })?;
        match found {
            Some((address, open)) => {
                let is_there =
                    address.list.is_none() && address.path.len() == path.len() && leads_to(path, &address.path);
                steps.push(Step { address: std::mem::replace(&mut here, address), row });
                if is_there || !open {
                    return Ok(steps);
                }
            }
            // Another list of the same part can have elements with such names, too.
            None if here.list.is_some() => {
                let Some(last) = steps.pop() else { return Ok(steps) };
                dead_ends.push(std::mem::replace(&mut here, last.address));
            }
            None => return Ok(steps),
        }
    }
}

/// Returns whether a path leads to a part or into it. Without a number, it leads to the first of several elements.
fn leads_to(path: &Path, part: &Path) -> bool {
    let is_same = |part: &Segment<'_>, path: Segment<'_>| {
        *part == path || path.nth.is_none() && *part == Segment { nth: Some(0), ..path }
    };
    path.is_within(part)
        || part.as_str().contains("#0")
            && part.len() <= path.len()
            && part.segments().zip(path.segments()).all(|(part, path)| is_same(&part, path))
}

/// Returns whether a segment can name an element of a list.
fn is_element(list: &List, segment: &Segment<'_>) -> bool {
    match segment.kind {
        Some("@") | None if segment.nth.is_some() && *segment.key == *list.kind.as_bytes() => true,
        Some(kind) => kind == list.kind,
        None => list.is(ListFlag::Main),
    }
}

struct AddressWalk<'w> {
    address: &'w Address,
    encoding: Encoding,
    visit: &'w mut dyn FnMut(&Item<'_>) -> Flow,
    path: Path,
    meter: Meter,
    found: bool,
}

impl AddressWalk<'_> {
    /// Visits what is inside the requested part, which is the one at the current path.
    fn enter(&mut self, body: &dyn Describe, in_main: bool) -> Flow {
        self.found |= self.address.list.is_none();
        body.describe(&mut Inside { walk: self, in_main })
    }

    /// Returns a row for what `push` appends to the current path.
    fn row(&mut self, kind: ItemKind, name: impl Into<String>, push: impl FnOnce(&mut Path)) -> Item<'static> {
        let mark = self.path.mark();
        push(&mut self.path);
        let address = Address { path: self.path.clone(), list: None };
        self.path.truncate(mark);
        let (text, role) = (String::new(), Role::Data);
        Item {
            kind,
            name: name.into(),
            address,
            text,
            role,
            at: None,
            open: false,
            count: None,
            list: None,
            item: None,
        }
    }

    fn error(&mut self, error: &FormatError) -> Flow {
        let mut row = self.row(ItemKind::Error, "error", |_| {});
        row.text = error.to_string();
        (self.visit)(&row)
    }
}

/// Looks for the requested part.
struct Seek<'s, 'w> {
    walk: &'s mut AddressWalk<'w>,
    in_main: bool,
}

impl Seek<'_, '_> {
    /// Continues with the part at the current path if it is, or contains, the requested part.
    fn part(&mut self, list: Option<&List>, part: &Part<'_>) -> Flow {
        let walk = &mut *self.walk;
        let wanted = &walk.address.path;
        if !leads_to(wanted, &walk.path) {
            return Flow::Continue(());
        }
        let Some(list) = list else { return walk.describe(part) };
        let Ok(entered) = walk.meter.enter(list, part) else { return Flow::Break(()) };
        walk.describe(part)?;
        walk.meter.leave(entered);
        Flow::Continue(())
    }
}

impl AddressWalk<'_> {
    fn describe(&mut self, part: &Part<'_>) -> Flow {
        let in_main = part.body.has_main_list();
        if self.path.len() == self.address.path.len() {
            self.enter(part.body, in_main)?;
            return Flow::Break(());
        }
        part.body.describe(&mut Seek { walk: self, in_main })
    }
}

impl Visit for Seek<'_, '_> {
    fn parts(&mut self, parts: &dyn PartList) -> Flow {
        let list = parts.list();
        let repeated = Repeated::default();
        parts.each(&mut |part| {
            let Ok(part) = part else { return Flow::Continue(()) };
            let mark = self.walk.path.mark();
            place::push_element(&mut self.walk.path, &list, part, repeated.nth(parts, &list, part), self.in_main);
            self.part(Some(&list), part)?;
            self.walk.path.truncate(mark);
            Flow::Continue(())
        })
    }

    fn link(&mut self, link: &Link<'_>) -> Flow {
        let Some(target) = link.target else { return Flow::Continue(()) };
        let mark = self.walk.path.mark();
        place::push_own(&mut self.walk.path, link.name.as_bytes(), self.in_main);
        self.part(None, target)?;
        self.walk.path.truncate(mark);
        Flow::Continue(())
    }

    fn broken(&mut self, _: &FormatError) -> Flow {
        Flow::Continue(())
    }
}

/// Shows what is directly inside a part, or the elements of the requested list.
struct Inside<'i, 'w> {
    walk: &'i mut AddressWalk<'w>,
    in_main: bool,
}

impl Inside<'_, '_> {
    const fn is_list(&self) -> bool {
        self.walk.address.list.is_some()
    }

    fn elements(&mut self, list: &List, parts: &dyn PartList) -> Flow {
        self.walk.found = true;
        let repeated = Repeated::default();
        parts.each(&mut |part| {
            let part = match part {
                Ok(part) => part,
                Err(error) => return self.walk.error(error),
            };
            let (nth, in_main) = (repeated.nth(parts, list, part), self.in_main);
            let mut row = self.walk.row(ItemKind::Part, element_name(list, part), |path| {
                place::push_element(path, list, part, nth, in_main);
            });
            (row.at, row.open) = (part.at, !list.is(ListFlag::Scalar));
            if let Some(summary) = part.summary {
                row.text = summary.to_string();
            }
            if list.is(ListFlag::Scalar) {
                row.kind = ItemKind::Field;
                let _ = part.body.describe(&mut Scalar { row: &mut row, encoding: self.walk.encoding });
            }
            shorten(&mut row.text);
            (self.walk.visit)(&row)
        })
    }
}

/// Returns the name under which an element of a list is shown.
fn element_name(list: &List, part: &Part<'_>) -> String {
    match part.key {
        PartKey::Index => format!("{} {}", list.kind, part.index),
        PartKey::Name(name) if list.is(ListFlag::Main) => utf8(name).into_owned(),
        PartKey::Name(name) => format!("{} {} {}", list.kind, part.index, form::Quoted(&utf8(name))),
        PartKey::Number(number) => format!("{} {number} (row {})", list.kind, part.index),
    }
}

/// Shortens a long value. An editor shows the whole value, and a hex view its bytes.
fn shorten(text: &mut String) {
    if text.len() > TEXT {
        let end = (0..=TEXT).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        text.truncate(end);
        text.push('…');
    }
}

impl Visit for Inside<'_, '_> {
    fn field(&mut self, field: &Field<'_>) -> Flow {
        if self.is_list() {
            return Flow::Continue(());
        }
        self.walk.meter.field(field)?;
        let push = |path: &mut Path| place::push_field(path, &field.name, self.in_main);
        let mut row = self.walk.row(ItemKind::Field, form::name(&field.name), push);
        (row.role, row.at) = (field.role, field.at);
        form::value(&field.value, field.notation, self.walk.encoding, &mut row.text);
        shorten(&mut row.text);
        (self.walk.visit)(&row)
    }

    fn array(&mut self, array: &Array<'_>) -> Flow {
        if self.is_list() {
            return Flow::Continue(());
        }
        let push = |path: &mut Path| place::push_own(path, array.name.as_bytes(), self.in_main);
        let mut row = Item { item: Some(array.item), ..self.walk.row(ItemKind::Array, array.name, push) };
        let len = array.elements.len();
        (row.role, row.at, row.count) = (array.role, array.at, Some(len as u64));
        // Writing to a string cannot fail.
        if let Some(rows) = len.checked_div(array.columns) {
            let _ = write!(row.text, "{} × {rows}: ", array.columns);
        }
        for index in 0..len.min(VALUES) {
            let bits = array.elements.bits(index).unwrap_or(0);
            if index > 0 {
                row.text.push(' ');
            }
            form::element(array, bits, &mut row.text);
        }
        if len > VALUES {
            row.text.push_str(" …");
        }
        (self.walk.visit)(&row)
    }

    fn parts(&mut self, parts: &dyn PartList) -> Flow {
        let list = parts.list();
        if !list.is(ListFlag::Single) {
            if self.is_list() {
                let is_it = self.walk.address.list.as_deref() == Some(list.name);
                return if is_it && !self.walk.found { self.elements(&list, parts) } else { Flow::Continue(()) };
            }
            let mut row = Item { list: Some(list), ..self.walk.row(ItemKind::List, list.name, |_| {}) };
            row.address.list = Some(list.name.to_owned());
            (row.role, row.open) = (list.role, true);
            let mut count = 0;
            let _ = parts.each(&mut |part| {
                count += u64::from(part.is_ok());
                Flow::Continue(())
            });
            row.count = Some(count);
            return (self.walk.visit)(&row);
        }
        parts.each(&mut |part| {
            let part = match part {
                Ok(part) => part,
                Err(error) => return self.walk.error(error),
            };
            // Such a part has no path segment of its own, so its contents are shown in its place.
            if part.body.has_main_list() {
                return part.body.describe(&mut Inside { walk: self.walk, in_main: true });
            }
            if self.is_list() {
                return Flow::Continue(());
            }
            let push = |path: &mut Path| place::push_element(path, &list, part, None, self.in_main);
            let mut row = self.walk.row(ItemKind::Part, list.name, push);
            (row.at, row.open) = (part.at, true);
            (self.walk.visit)(&row)
        })
    }

    fn link(&mut self, link: &Link<'_>) -> Flow {
        if self.is_list() {
            return Flow::Continue(());
        }
        let push = |path: &mut Path| place::push_own(path, link.name.as_bytes(), self.in_main);
        let mut row = self.walk.row(ItemKind::Link, link.name, push);
        row.text = match link.target {
            Some(target) => match target.key {
                PartKey::Name(name) => format!("{} {} {}", link.kind, target.index, form::Quoted(&utf8(name))),
                _ => format!("{} {}", link.kind, target.index),
            },
            None => "none".to_owned(),
        };
        (row.at, row.open) = (link.target.and_then(|target| target.at), link.target.is_some());
        (self.walk.visit)(&row)
    }

    fn broken(&mut self, error: &FormatError) -> Flow {
        if self.is_list() { Flow::Continue(()) } else { self.walk.error(error) }
    }
}

/// Sets a row to the value of a part that is shown as its only field.
struct Scalar<'s, 'r> {
    row: &'s mut Item<'r>,
    encoding: Encoding,
}

impl Visit for Scalar<'_, '_> {
    fn field(&mut self, field: &Field<'_>) -> Flow {
        self.row.role = field.role;
        self.row.at = field.at.or(self.row.at);
        form::value(&field.value, field.notation, self.encoding, &mut self.row.text);
        Flow::Continue(())
    }

    fn broken(&mut self, error: &FormatError) -> Flow {
        self.row.kind = ItemKind::Error;
        self.row.text = error.to_string();
        Flow::Continue(())
    }
}
