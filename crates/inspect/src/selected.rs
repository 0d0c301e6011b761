//! The selected parts of a description, as a description of their own.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use worldview_core::describe::{
    Array, Describe, Each, Field, FieldName, FieldValue, Flow, Link, List, ListFlag, MatchRule, Part, PartKey,
    PartList, Shortcuts, Span, Visit, only,
};
use worldview_core::edit::EditableList;
use worldview_core::{Error, Segment};

use crate::meter::Meter;
use crate::place::Repeated;
use crate::selection::{Selection, is_called};
use crate::{Root, form};

/// The selected parts of a description. Elements and fields keep their paths: the second of two elements with the same name remains the
/// second, even if only that one is selected.
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
    rule: Rule,
    /// The list and the key of the part, if it is an element.
    element: Option<(List, PartKey<'s>)>,
    /// Limits the work on parts that are not selected, which visitors do not see.
    meter: Rc<RefCell<Meter>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Rule {
    Plain,
    OnlyFields,
    WithKeys,
    WithoutEntries,
}

impl<'s> Selected<'s> {
    /// Selects parts of a description.
    pub fn new(root: &Root<'s>, selection: Selection<'s>) -> Self {
        let meter = Meter::new(&[root], "selection in overlapping parts", "selection of texts with many references");
        let meter = Rc::new(RefCell::new(meter));
        Self { body: root.body, selection, rule: Rule::Plain, element: None, meter }
    }

    worldview_core::setters! {
        /// Selects only fields that are named by a pattern, so an element that is selected as a whole has none.
        pub fn only_fields() => rule = Rule::OnlyFields;

        /// Also selects the field with the key of an element if other fields of it are selected.
        pub fn with_keys() => rule = Rule::WithKeys;

        /// Leaves out the elements of the main list.
        pub fn without_entries() => rule = Rule::WithoutEntries;
    }

    /// Returns what is selected in the root of a description.
    pub fn root<'r>(&'r self, root: &Root<'r>) -> Root<'r> {
        // The description does not depend on the bytes of the file alone.
        Root { body: self, file: None, ..*root }
    }

    /// Returns whether nothing is selected.
    pub fn is_empty(&self) -> bool {
        let (selection, meter) = (self.selection.clone(), Rc::clone(&self.meter));
        let rule = if self.rule == Rule::WithKeys { Rule::Plain } else { self.rule };
        is_empty(&Self { rule, selection, meter, ..*self })
    }

    /// Returns the selected parts of an element or of a link's target, or `None` if there are none.
    fn within<'i>(&self, list: &List, part: &'i Part<'_>, selection: Selection<'i>) -> Option<Selected<'i>>
    where
        's: 'i,
    {
        let rule = if self.rule == Rule::WithoutEntries { Rule::Plain } else { self.rule };
        let element = Some((*list, part.key));
        let inside = Selected { body: part.body, selection, rule, element, meter: Rc::clone(&self.meter) };
        (!inside.is_empty()).then_some(inside)
    }

    /// Returns the kind that fields of this part have in paths.
    fn own_kind(&self) -> Option<&'static str> {
        self.body.has_main_list().then_some("@")
    }

    /// Returns what is selected inside of a field, an array, a link or a single part.
    fn own(&self, name: &[u8]) -> Selection<'s> {
        let mut has_exact = |key: &[u8]| {
            let mut found = Named { name: key, found: false };
            let _ = self.body.describe(&mut found);
            found.found
        };
        self.selection.step(&Segment { kind: self.own_kind(), key: Cow::Borrowed(name), nth: None }, &mut has_exact)
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
        if self.selection.is_all() && self.rule != Rule::OnlyFields {
            return self.body.describe(visitor);
        }
        self.body.describe(&mut Filter { of: self, visitor })
    }

    fn ended_by(&self) -> Option<Error> {
        self.meter.borrow().error()
    }
}

/// Passes on the selected parts.
struct Filter<'f, 's> {
    of: &'f Selected<'s>,
    visitor: &'f mut dyn Visit,
}

impl Filter<'_, '_> {
    /// Returns whether a bulk array or list may be named by a pattern, so that even a visitor that does not want them gets it.
    fn is_bulk_named(&self) -> bool {
        self.of.rule != Rule::OnlyFields && self.of.selection.has_names()
    }
}

impl Visit for Filter<'_, '_> {
    fn field(&mut self, field: &Field<'_>) -> Flow {
        self.of.meter.borrow_mut().field(field)?;
        // The only field of an element that is one value has the path of the element.
        let is_only = self.of.element.is_some_and(|(list, _)| list.is(ListFlag::Scalar)) && self.of.selection.is_all();
        let is_key = self.of.rule == Rule::WithKeys && self.of.is_key(field);
        if is_only || is_key || self.of.own(form::name(&field.name).as_bytes()).is_all() {
            return self.visitor.field(field);
        }
        Flow::Continue(())
    }

    fn array(&mut self, array: &Array<'_>) -> Flow {
        let of = self.of;
        if of.rule == Rule::OnlyFields {
            return Flow::Continue(());
        }
        if of.own(array.name.as_bytes()).is_all() {
            let bulk = array.bulk && (self.visitor.wants_bulk() || !self.is_bulk_named());
            return self.visitor.array(&Array { bulk, ..*array });
        }
        // An item is a field, since an array that has other items before it would have another number for it.
        of.selection.items(of.own_kind(), array).into_iter().try_for_each(|(name, elements)| {
            let size = array.at.map_or(0, |at| at.len / array.elements.len().max(1) as u64);
            let span =
                |at: Span| Span::new(at.at + elements.start as u64 * size, elements.len() as u64 * size, at.space);
            form::with_item(array, elements.clone(), |(value, notation)| {
                let field =
                    Field { name: FieldName::Bytes(name.as_bytes()), at: array.at.map(span), ..Field::new("", value) };
                self.visitor.field(&field.role(array.role).notation(notation))
            })
        })
    }

    fn parts(&mut self, parts: &dyn PartList) -> Flow {
        let list = parts.list();
        if self.of.rule == Rule::WithoutEntries && list.is(ListFlag::Main) {
            return Flow::Continue(());
        }
        let is_named = !self.visitor.wants_bulk() && self.is_bulk_named();
        let list = if is_named { list.without(ListFlag::Bulk) } else { list };
        let all = SelectedList { of: self.of, parts, list, repeated: Repeated::default(), exact: RefCell::default() };
        self.visitor.parts(&all)
    }

    fn link(&mut self, link: &Link<'_>) -> Flow {
        let inside = self.of.own(link.name.as_bytes());
        if inside.is_all() && self.of.rule != Rule::OnlyFields {
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
        self.visitor.wants_bulk() || self.is_bulk_named()
    }

    fn wants_numbers(&self) -> bool {
        self.visitor.wants_numbers()
    }

    fn wants_places(&self) -> bool {
        self.visitor.wants_places()
    }
}

/// The elements of a list that are selected, or that have selected parts.
struct SelectedList<'f, 's> {
    of: &'f Selected<'s>,
    parts: &'f dyn PartList,
    list: List,
    repeated: Repeated,
    /// For the keys of patterns, whether an element has exactly this key.
    exact: RefCell<HashMap<Vec<u8>, bool>>,
}

impl SelectedList<'_, '_> {
    fn pass(&self, part: &Part<'_>, visit: Each<'_>) -> Flow {
        let (of, list) = (self.of, &self.list);
        if of.ended_by().is_some() {
            return Flow::Break(());
        }
        let Some(inside) = self.step(part) else { return Flow::Continue(()) };
        let is_part = of.rule != Rule::OnlyFields || list.is(ListFlag::Scalar);
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
        let (kind, key) = match part.key {
            PartKey::Index => (of.own_kind(), list.kind.as_bytes()),
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
        let segment = Segment { kind, key: Cow::Borrowed(key), nth };
        Some(of.selection.step_into(&segment, list.is(ListFlag::Members), &mut has_exact))
    }

    fn has_exact(&self, key: &[u8]) -> bool {
        if let Some(known) = self.exact.borrow().get(key) {
            return *known;
        }
        let is_it = |name: &[u8]| if self.list.is(ListFlag::Members) { is_called(name, key) } else { name == key };
        let mut found = false;
        let _ = self.parts.each_of_all(&mut |part| {
            found |= part.is_ok_and(|part| matches!(part.key, PartKey::Name(name) if is_it(name)));
            if found { Flow::Break(()) } else { Flow::Continue(()) }
        });
        self.exact.borrow_mut().insert(key.to_vec(), found);
        found
    }
}

impl PartList for SelectedList<'_, '_> {
    fn list(&self) -> List {
        // Different fields may be selected in each element.
        self.list.without(ListFlag::SameFields).with(&[ListFlag::Selected])
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
        // Elements with equal bytes differ if different fields of them are selected.
        &()
    }

    fn editable(&self) -> &dyn EditableList {
        self.parts.editable()
    }
}

/// Returns whether a description is empty: it has no field, no array and no element, and was walked to its end.
pub fn is_empty(body: &dyn Describe) -> bool {
    let mut found = Anything(false);
    let _ = body.describe(&mut found);
    !found.0 && body.ended_by().is_none()
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
