//! The parts of a description that patterns select, as a description of their own.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use worldview_core::describe::{
    Array, Describe, Each, Field, FieldName, FieldValue, Flow, Link, List, ListFlag, MatchRule, Part, PartKey,
    PartList, Shortcuts, Visit, only,
};
use worldview_core::edit::EditableList;
use worldview_core::{Error, Segment};

use crate::meter::Meter;
use crate::place::Repeated;
use crate::selection::Selection;
use crate::{Root, form};

/// What a selection selects of a description. Elements and fields keep their paths: an element that is the second with its name still is, if
/// it alone is selected.
///
/// ```
/// use worldview_inspect::{Options, PathPattern, Root, Selected, Selection, text};
/// use worldview_wwd::{LevelDescription, Level, unpack};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let file: &[u8] = include_bytes!("../../../samples/harbour.wwd");
/// let unpacked = unpack(file)?;
/// let level = Level::parse(&unpacked)?;
/// let described = LevelDescription::new(&unpacked, &level);
/// let root = Root::new("wwd", level.image(), &described);
/// let pattern: PathPattern = "header/name".parse()?;
/// let selected = Selected::new(&root, Selection::of([&pattern]));
/// let mut dump = Vec::new();
/// text::write(&Root { body: &selected, ..root }, &Options::default(), &mut dump)?;
/// assert_eq!(String::from_utf8(dump)?, "wwd\nheader at 0x0\n  name \"Harbour - Level 1\"\n");
/// # Ok(())
/// # }
/// ```
pub struct Selected<'s> {
    body: &'s dyn Describe,
    selection: Selection<'s>,
    rules: Rules,
    /// The list and the key of the part, if it is an element.
    element: Option<(List, PartKey<'s>)>,
    /// Limits the work on what is not selected, which the visitor does not see.
    meter: Rc<RefCell<Meter>>,
}

#[derive(Clone, Copy, Default)]
struct Rules {
    only_fields: bool,
    with_keys: bool,
    without_entries: bool,
}

impl<'s> Selected<'s> {
    /// Selects parts of a description.
    pub fn new(root: &Root<'s>, selection: Selection<'s>) -> Self {
        let meter = Meter::new(&[root], "selection in overlapping parts", "selection of texts with many references");
        let meter = Rc::new(RefCell::new(meter));
        Self { body: root.body, selection, rules: Rules::default(), element: None, meter }
    }

    worldview_core::setters! {
        /// Selects only fields that a pattern names, and no elements with all that is in them.
        pub fn only_fields() => rules = Rules { only_fields: true, ..Rules::default() };

        /// Selects the field with the key of an element as well, if some of its fields are selected.
        pub fn with_keys() => rules = Rules { with_keys: true, ..Rules::default() };

        /// Leaves out the elements of the main list.
        pub fn without_entries() => rules = Rules { without_entries: true, ..Rules::default() };
    }

    /// Returns whether nothing is selected.
    pub fn is_empty(&self) -> bool {
        let (selection, meter) = (self.selection.clone(), Rc::clone(&self.meter));
        let rules = Rules { with_keys: false, ..self.rules };
        is_empty(&Self { rules, selection, meter, ..*self })
    }

    /// Returns the error that ended a walk early, because overlapping parts made it far longer than the file.
    pub fn error(&self) -> Option<Error> {
        self.meter.borrow().error()
    }

    /// Returns the body of an element or a link's target, as far as it is selected; `None` if nothing in it is.
    fn within<'i>(&self, list: &List, part: &'i Part<'_>, selection: Selection<'i>) -> Option<Selected<'i>>
    where
        's: 'i,
    {
        let rules = Rules { without_entries: false, ..self.rules };
        let element = Some((*list, part.key));
        let inside = Selected { body: part.body, selection, rules, element, meter: Rc::clone(&self.meter) };
        (!inside.is_empty()).then_some(inside)
    }

    /// Returns what is selected inside of a field, an array, a link or a single part.
    fn own(&self, name: &[u8]) -> Selection<'s> {
        let kind = self.body.has_main_list().then_some("@");
        let mut has_exact = |key: &[u8]| {
            let mut found = Named { name: key, found: false };
            let _ = self.body.describe(&mut found);
            found.found
        };
        self.selection.step(&Segment { kind, key: Cow::Borrowed(name), nth: None }, &mut has_exact)
    }

    /// Returns whether a field is the key of the element.
    fn is_key(&self, field: &Field<'_>) -> bool {
        let FieldName::Static(name) = field.name else { return false };
        match (self.element, field.value) {
            (Some((_, PartKey::Name(key))), FieldValue::Text(text)) => name == "name" && text.text == key,
            (Some((_, PartKey::Number(key))), FieldValue::Uint(id)) => {
                name == "id" && i128::from(id) == i128::from(key)
            }
            (Some((_, PartKey::Number(key))), FieldValue::Int(id)) => name == "id" && i128::from(id) == i128::from(key),
            _ => false,
        }
    }
}

impl Describe for Selected<'_> {
    fn has_main_list(&self) -> bool {
        self.body.has_main_list()
    }

    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        if self.selection.is_all() && !self.rules.only_fields {
            return self.body.describe(visitor);
        }
        self.body.describe(&mut Filter { of: self, visitor })
    }
}

/// Passes on what is selected.
struct Filter<'f, 's> {
    of: &'f Selected<'s>,
    visitor: &'f mut dyn Visit,
}

impl Visit for Filter<'_, '_> {
    fn field(&mut self, field: &Field<'_>) -> Flow {
        self.of.meter.borrow_mut().field(field)?;
        // The only field of an element that is one value has the path of the element.
        let is_only = self.of.element.is_some_and(|(list, _)| list.is(ListFlag::Scalar)) && self.of.selection.is_all();
        let is_key = self.of.rules.with_keys && self.of.is_key(field);
        if is_only || is_key || self.of.own(form::name(&field.name).as_bytes()).is_all() {
            return self.visitor.field(field);
        }
        Flow::Continue(())
    }

    fn array(&mut self, array: &Array<'_>) -> Flow {
        let kind = self.of.body.has_main_list().then_some("@");
        let is_item = || self.of.selection.has_item(kind, array.item.as_bytes());
        if !self.of.rules.only_fields && (self.of.own(array.name.as_bytes()).is_all() || is_item()) {
            return self.visitor.array(array);
        }
        Flow::Continue(())
    }

    fn parts(&mut self, parts: &dyn PartList) -> Flow {
        let list = parts.list();
        if self.of.rules.without_entries && list.is(ListFlag::Main) {
            return Flow::Continue(());
        }
        let all = SelectedList { of: self.of, parts, list, repeated: Repeated::default(), exact: RefCell::default() };
        self.visitor.parts(&all)
    }

    fn link(&mut self, link: &Link<'_>) -> Flow {
        let inside = self.of.own(link.name.as_bytes());
        if inside.is_all() && !self.of.rules.only_fields {
            return self.visitor.link(link);
        }
        let Some(target) = link.target.filter(|_| link.content && !inside.is_none()) else { return Flow::Continue(()) };
        let list = List::new(link.name, link.kind);
        match self.of.within(&list, target, inside) {
            Some(body) => self.visitor.link(&Link { target: Some(&Part { body: &body, ..*target }), ..*link }),
            None => Flow::Continue(()),
        }
    }

    fn broken(&mut self, error: &Error) -> Flow {
        self.visitor.broken(error)
    }

    fn wants_bulk(&self) -> bool {
        self.visitor.wants_bulk()
    }

    fn wants_numbers(&self) -> bool {
        self.visitor.wants_numbers()
    }

    fn wants_places(&self) -> bool {
        self.visitor.wants_places()
    }
}

/// The elements of a list that are selected, or in which something is.
struct SelectedList<'f, 's> {
    of: &'f Selected<'s>,
    parts: &'f dyn PartList,
    list: List,
    repeated: Repeated,
    /// Whether an element has exactly a key of a pattern.
    exact: RefCell<HashMap<Vec<u8>, bool>>,
}

impl SelectedList<'_, '_> {
    fn pass(&self, part: &Part<'_>, visit: Each<'_>) -> Flow {
        let (of, list) = (self.of, &self.list);
        let Some(inside) = self.step(part) else { return Flow::Continue(()) };
        let is_part = !of.rules.only_fields || list.is(ListFlag::Scalar);
        if inside.is_all() && is_part {
            return visit(Ok(part));
        }
        if inside.is_none() {
            return Flow::Continue(());
        }
        let Ok(entered) = of.meter.borrow_mut().enter(list, part) else { return Flow::Break(()) };
        let flow = match of.within(list, part, inside) {
            Some(body) => visit(Ok(&Part { body: &body, ..*part })),
            None => Flow::Continue(()),
        };
        of.meter.borrow_mut().leave(entered);
        flow
    }

    /// Returns what is selected in an element.
    fn step(&self, part: &Part<'_>) -> Option<Selection<'_>> {
        let (of, list) = (self.of, &self.list);
        if list.is(ListFlag::Single) {
            let is_transparent = part.body.has_main_list();
            return Some(if is_transparent { of.selection.clone() } else { of.own(list.name.as_bytes()) });
        }
        let mut buffer = itoa::Buffer::new();
        let own = of.body.has_main_list().then_some("@");
        let (kind, key) = match part.key {
            PartKey::Index => (own, list.kind.as_bytes()),
            PartKey::Name(name) => (Some(list.kind), name),
            PartKey::Number(number) => (Some(list.kind), buffer.format(number).as_bytes()),
        };
        let is_index = matches!(part.key, PartKey::Index);
        let kind = if list.is(ListFlag::Main) && !is_index { None } else { kind };
        let nth = match is_index {
            true => Some(part.index),
            false if of.selection.has_numbers() => self.repeated.nth(self.parts, list, part),
            false => None,
        };
        let mut has_exact = |key: &[u8]| !is_index && self.has_exact(key);
        Some(of.selection.step(&Segment { kind, key: Cow::Borrowed(key), nth }, &mut has_exact))
    }

    fn has_exact(&self, key: &[u8]) -> bool {
        if let Some(known) = self.exact.borrow().get(key) {
            return *known;
        }
        let mut found = false;
        let _ = self.parts.each_of_all(&mut |part| {
            found |= part.is_ok_and(|part| matches!(part.key, PartKey::Name(name) if name == key));
            if found { Flow::Break(()) } else { Flow::Continue(()) }
        });
        self.exact.borrow_mut().insert(key.to_vec(), found);
        found
    }
}

impl PartList for SelectedList<'_, '_> {
    fn list(&self) -> List {
        // Other fields may be selected of each element.
        self.list.without(ListFlag::SameFields)
    }

    fn each(&self, visit: Each<'_>) -> Flow {
        self.parts.each(&mut |part| match part {
            Ok(part) => self.pass(part, visit),
            Err(error) => visit(Err(error)),
        })
    }

    fn each_of_all(&self, visit: Each<'_>) -> Flow {
        self.parts.each_of_all(visit)
    }

    fn get(&self, index: u32, at: u64, visit: &mut dyn FnMut(&Part<'_>)) {
        self.parts.get(index, at, &mut |part| {
            let _ = self.pass(part, &mut only(visit));
        });
    }

    fn match_rule(&self, part: &Part<'_>, round: u32, hasher: &mut dyn std::hash::Hasher) -> MatchRule {
        self.parts.match_rule(part, round, hasher)
    }

    fn identity(&self, part: &Part<'_>, round: u32, hasher: &mut dyn std::hash::Hasher) -> MatchRule {
        self.parts.identity(part, round, hasher)
    }

    fn shortcuts(&self) -> &dyn Shortcuts {
        self.parts.shortcuts()
    }

    fn editable(&self) -> &dyn EditableList {
        self.parts.editable()
    }
}

/// Returns whether a description has nothing: no field, no array and no element.
pub fn is_empty(body: &dyn Describe) -> bool {
    let mut found = Anything(false);
    let _ = body.describe(&mut found);
    !found.0
}

/// Whether there is anything in a part.
struct Anything(bool);

impl Anything {
    fn found(&mut self) -> Flow {
        self.0 = true;
        Flow::Break(())
    }
}

impl Visit for Anything {
    fn field(&mut self, _: &Field<'_>) -> Flow {
        self.found()
    }

    fn array(&mut self, _: &Array<'_>) -> Flow {
        self.found()
    }

    fn parts(&mut self, parts: &dyn PartList) -> Flow {
        let is_transparent = parts.list().is(ListFlag::Single);
        parts.each(&mut |part| match part {
            // It may have no part that is selected.
            Ok(part) if is_transparent && part.body.has_main_list() => part.body.describe(self),
            Ok(_) => self.found(),
            Err(_) => Flow::Continue(()),
        })
    }

    fn link(&mut self, _: &Link<'_>) -> Flow {
        self.found()
    }

    fn broken(&mut self, _: &Error) -> Flow {
        Flow::Continue(())
    }
}

/// Whether a part has a field, an array, a link or a single part of exactly this name.
struct Named<'n> {
    name: &'n [u8],
    found: bool,
}

impl Named<'_> {
    fn compare(&mut self, name: &[u8]) -> Flow {
        self.found |= name == self.name;
        if self.found { Flow::Break(()) } else { Flow::Continue(()) }
    }
}

impl Visit for Named<'_> {
    fn field(&mut self, field: &Field<'_>) -> Flow {
        self.compare(form::name(&field.name).as_bytes())
    }

    fn array(&mut self, array: &Array<'_>) -> Flow {
        self.compare(array.name.as_bytes())
    }

    fn parts(&mut self, parts: &dyn PartList) -> Flow {
        let list = parts.list();
        if list.is(ListFlag::Single) { self.compare(list.name.as_bytes()) } else { Flow::Continue(()) }
    }

    fn link(&mut self, link: &Link<'_>) -> Flow {
        self.compare(link.name.as_bytes())
    }

    fn broken(&mut self, _: &Error) -> Flow {
        Flow::Continue(())
    }
}

worldview_core::debug_summary!("Selected", Selected<'_>, |this| selection: this.selection);
