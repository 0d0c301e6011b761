//! Searches all text of a description: names, logics, records, strings and any other text.
//!
//! Text is decoded as in all other outputs, and reported with its path and the offset of its first byte. Empty text
//! is never found.

mod bytes;
#[cfg(feature = "regex")]
mod literals;
mod pattern;

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::rc::Rc;

use worldview_core::describe::{
    Field, FieldName, FieldValue, Flow, ListFlag, Part, PartKey, PartList, Role, Span, TextValue, Visit,
};
use worldview_core::{Error as FormatError, OffsetBase, Path, Source};

use self::bytes::{Needles, Places};
use crate::meter::Meter;
use crate::place::{self, Element, Repeated};
use crate::{Options, Quoted, Result, Root, form};

pub use pattern::Pattern;

/// What a text in a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HitRole {
    /// The name of a part, such as a record or an object.
    Name,
    /// The name of a field.
    FieldName,
    /// The value of a field.
    Value,
}

/// A text that matches the pattern.
///
/// With the `json` feature it serializes as `path`, `what`, `text`, `offset` and `space`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit<'h> {
    /// The path of the field that contains the text.
    pub path: &'h Path,
    /// What the text is: the kind of the part if the text is its name, `string` for a value of a table, `field` if it is
    /// the name of the field itself, otherwise the name of the field.
    pub what: &'h str,
    /// The decoded text, which may contain control characters.
    pub text: &'h str,
    /// The offset of the first byte, in [`space`](Self::space).
    pub at: u64,
    /// The address space of [`at`](Self::at).
    pub space: OffsetBase,
    /// Whether the text is a name or a value.
    pub role: HitRole,
}

impl fmt::Display for Hit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, what, text, at, space, .. } = self;
        write!(f, "{path}: {what} {} at offset {at} ({at:#x}) of the {}", Quoted(text), space.described())
    }
}

#[cfg(feature = "json")]
impl serde::Serialize for Hit<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap as _;
        let mut map = serializer.serialize_map(Some(5))?;
        map.serialize_entry("path", self.path.as_str())?;
        map.serialize_entry("what", self.what)?;
        map.serialize_entry("text", self.text)?;
        map.serialize_entry("offset", &self.at)?;
        map.serialize_entry("space", self.space.name())?;
        map.end()
    }
}

/// A callback that receives hits one by one.
pub type OnHit<'n> = &'n mut dyn FnMut(&Hit<'_>);

/// Searches the selected parts of a description. If some parts could not be read, and hence not searched, returns
/// the first of their errors.
///
/// The name of an element of a main list also matches if the element's key does: a member matches with its extension
/// as well as without.
///
/// ```
/// use worldview_inspect::find::{self, Pattern};
/// use worldview_inspect::{Options, Root};
/// use worldview_wwd::{LevelDescription, Level, unpack};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let file: &[u8] = include_bytes!("../../../samples/harbour.wwd");
/// let unpacked = unpack(file)?;
/// let level = Level::parse(&unpacked)?;
/// let described = LevelDescription::new(&unpacked, &level);
/// let root = Root::new("wwd", level.image(), &described);
/// let mut found = Vec::new();
/// find::search(&root, &Pattern::new("act?on"), &Options::default(), &mut |hit| found.push(hit.path.to_string()))?;
/// assert_eq!(found, ["plane:Action/name", "plane:Action/image_set#0"]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// Returns an error if overlapping parts, or texts with many references, make the walk far longer than the file.
pub fn search(
    root: &Root<'_>,
    pattern: &Pattern,
    options: &Options<'_>,
    note: OnHit<'_>,
) -> Result<Option<FormatError>> {
    let meter = Meter::new(&[root], "search of overlapping parts", "search of texts with many references");
    let (source, path, unread, names, places) = (root.source, Path::new(), None, HashMap::new(), None);
    let mut search = Search { pattern, options, note, source, path, meter, unread, names, places };
    let in_main = root.body.has_main_list();
    let all_names = pattern.finds_names();
    let _ = root.body.describe(&mut Fields { search: &mut search, element: None, all_names, in_main });
    let Search { meter, unread, .. } = search;
    meter.error().or_else(|| root.body.ended_by()).map_or(Ok(unread), |error| Err(error.into()))
}

struct Search<'s> {
    pattern: &'s Pattern,
    options: &'s Options<'s>,
    note: &'s mut dyn FnMut(&Hit<'_>),
    /// The elements around the last hit, as far as they are still being searched.
    path: Path,
    meter: Meter,
    /// The error of the first part that could not be read.
    unread: Option<FormatError>,
    source: Source<'s>,
    /// Where the bytes of the source have a part of the pattern, once that was needed; `None` in it if that is not known.
    places: Option<Option<Rc<Places>>>,
    /// The names of fields that were reported, by the kind of element.
    names: HashMap<&'static str, HashSet<String>>,
}

impl Search<'_> {
    fn matches(&self, text: &TextValue<'_>) -> bool {
        self.pattern.matches(&form::decode(text, self.options.encoding))
    }

    fn places(&mut self) -> Option<Rc<Places>> {
        let Self { pattern, source, options, .. } = *self;
        let places = || Needles::of(pattern, options.encoding)?.places(source).map(Rc::new);
        self.places.get_or_insert_with(places).clone()
    }
}

/// Visits one part.
struct Fields<'f, 's> {
    search: &'f mut Search<'s>,
    /// The part, as an element of its list.
    element: Option<&'f Element<'f>>,
    /// Whether the names of numbers, and names of the file, are compared. Elements that follow in a list have the same.
    all_names: bool,
    in_main: bool,
}

impl Fields<'_, '_> {
    /// Returns whether the key of an element of a main list, which is its name in paths, matches.
    fn key_matches(&self, field: &Field<'_>, text: &TextValue<'_>) -> bool {
        let Some(Element { list, part: Part { key: PartKey::Name(key), .. }, .. }) = self.element else { return false };
        let is_name = matches!(field.name, FieldName::Static(name) if name == "name");
        is_name && list.is(ListFlag::Main) && self.search.matches(&TextValue::plain(key, text.charset))
    }

    fn what<'n>(&self, name: &FieldName<'n>) -> std::borrow::Cow<'n, str> {
        match (name, self.element) {
            (FieldName::Bytes(_), _) => "string".into(),
            (FieldName::Static(name), Some(Element { list, .. })) if *name == "name" && !list.is(ListFlag::Single) => {
                list.kind.into()
            }
            _ => form::name(name),
        }
    }

    /// Compares the name of a field of the file, and reports it at its first place.
    fn name(&mut self, field: &Field<'_>) -> Flow {
        let Some(Span { at, space, .. }) = field.at else { return Flow::Continue(()) };
        if !matches!(field.role, Role::Data | Role::Reserved) || matches!(field.value, FieldValue::Absent) {
            return Flow::Continue(());
        }
        let name = form::name(&field.name);
        if !self.search.pattern.matches(&name) {
            return Flow::Continue(());
        }
        let names = self.search.names.entry(self.element.map_or("", |element| element.list.kind)).or_default();
        if !names.insert(name.to_string()) {
            return Flow::Continue(());
        }
        let hit = Hit { path: &Path::new(), what: "field", text: &name, at, space, role: HitRole::FieldName };
        self.hit(field, &hit)
    }

    /// Reports a hit, and adds the path of the field to it.
    fn hit(&mut self, field: &Field<'_>, hit: &Hit<'_>) -> Flow {
        let search = &mut *self.search;
        if let Some(element) = self.element {
            element.enter(&mut search.path);
        }
        let mark = search.path.mark();
        if !self.element.is_some_and(|element| element.list.is(ListFlag::Scalar)) {
            place::push_field(&mut search.path, &field.name, self.in_main);
        }
        search.meter.path(&search.path)?;
        (search.note)(&Hit { path: &search.path, ..*hit });
        search.path.truncate(mark);
        Flow::Continue(())
    }
}

impl Visit for Fields<'_, '_> {
    fn field(&mut self, field: &Field<'_>) -> Flow {
        let list = self.element.map(|element| element.list);
        if !self.search.options.select.field(list, field) {
            return Flow::Continue(());
        }
        self.search.meter.field(field)?;
        if self.search.pattern.finds_names() && (self.all_names || !matches!(field.name, FieldName::Bytes(_))) {
            self.name(field)?;
        }
        let FieldValue::Text(text) = field.value else { return Flow::Continue(()) };
        // A name that only comes from a schema is not stored in the file.
        let Some(Span { at, space, .. }) = field.at else { return Flow::Continue(()) };
        if text.text.is_empty() || !matches!(field.role, Role::Data | Role::Reserved) {
            return Flow::Continue(());
        }
        let decoded = form::decode(&text, self.search.options.encoding);
        if !self.search.pattern.matches(&decoded) && !self.key_matches(field, &text) {
            return Flow::Continue(());
        }
        let what = self.what(&field.name);
        let is_name = self.element.is_some_and(|element| element.list.kind == &*what);
        let role = if is_name { HitRole::Name } else { HitRole::Value };
        self.hit(field, &Hit { path: &Path::new(), what: &what, text: &decoded, at, space, role })
    }

    fn parts(&mut self, parts: &dyn PartList) -> Flow {
        let list = parts.list();
        if !self.search.options.select.list(&list) {
            return Flow::Continue(());
        }
        let repeated = Repeated::default();
        let mut all_names = self.search.pattern.finds_names();
        // Of elements with the same fields, the first has all names. Texts that match are only in those whose bytes have a part of
        // the pattern, or which refer to a text that has it.
        let places = if list.is(ListFlag::SameFields) { self.search.places() } else { None };
        let only_first = places.as_ref().is_some_and(|places| places.are_none());
        let mut is_done = only_first && !all_names;
        if is_done {
            return Flow::Continue(());
        }
        let flow = parts.each(&mut |part| match part {
            Ok(part) => {
                let concerns = |places: &Rc<Places>| places.concern(parts, list.is(ListFlag::Enclosed), part);
                let is_ruled_out = !all_names && !places.as_ref().is_none_or(concerns);
                if is_ruled_out || !self.search.options.select.part(&list, part) {
                    return Flow::Continue(());
                }
                let (in_main, owner) = (self.in_main, self.element);
                let mark = Cell::new(None);
                let element = Element { list: &list, part, parts, repeated: &repeated, in_main, owner, mark };
                let flow = self.part(&element, all_names);
                all_names &= !list.is(ListFlag::SameFields);
                is_done = only_first && flow.is_continue();
                if is_done { Flow::Break(()) } else { flow }
            }
            Err(error) => self.broken(error),
        });
        if is_done { Flow::Continue(()) } else { flow }
    }

    fn broken(&mut self, error: &FormatError) -> Flow {
        self.search.unread.get_or_insert(*error);
        Flow::Continue(())
    }

    fn wants_bulk(&self) -> bool {
        false
    }

    fn wants_numbers(&self) -> bool {
        self.all_names
    }
}

impl Fields<'_, '_> {
    fn part(&mut self, element: &Element<'_>, all_names: bool) -> Flow {
        let (list, part) = (element.list, element.part);
        let search = &mut *self.search;
        let Ok(entered) = search.meter.enter(list, part) else { return Flow::Break(()) };
        let in_main = part.body.has_main_list();
        part.body.describe(&mut Fields { search, element: Some(element), all_names, in_main })?;
        element.leave(&mut search.path);
        search.meter.leave(entered);
        Flow::Continue(())
    }
}
