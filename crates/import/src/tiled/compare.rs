//! Differences between a map and the level once the changes are applied; each gets a message.

use std::collections::BTreeSet;

use worldview_core::quote;
use worldview_edit::account::{Code, Column, Entry};

use super::codes::{ABSENT, ATTRIBUTE, DERIVED, ROUNDED, TILESET, UNKNOWN_PROPERTY, default_of, is_ignored, nearest};
use super::draft::Draft;
use super::fields::{breaks, coordinate, fraction};
use super::grid::stem;
use super::saved::{Element, Kind};
use worldview_core::Path;
use worldview_export::level::tiled::from_printable;

/// What an element is compared with: nobody has edited what is as in the original, and what is as in the result was applied.
#[derive(Clone, Copy)]
pub(super) struct Sides<'e> {
    /// The name of its kind in the table of what is ignored.
    pub(super) of: &'static str,
    /// The element of the result's export.
    pub(super) own: &'e Element,
    /// The element of the original's export.
    pub(super) was: &'e Element,
    /// The names of other properties that elements of this kind may have.
    pub(super) known: &'e BTreeSet<String>,
}

impl Sides<'_> {
    fn each(&self) -> [&Element; 2] {
        [self.own, self.was]
    }
}

/// Adds an entry for each difference between an element and its two sides. `may_lack` decides which properties may be absent, by name
/// and value.
pub(super) fn element(draft: &mut Draft, given: &Element, sides: &Sides<'_>, may_lack: &dyn Fn(&str, &str) -> bool) {
    attributes(draft, given, sides);
    properties(draft, given, sides, may_lack);
}

/// Does so for an element that has no counterpart: every attribute but for defaults is a difference.
pub(super) fn lone(draft: &mut Draft, given: &Element) {
    let (none, known) = (Element::new(given.kind), BTreeSet::new());
    let sides = Sides { of: given.kind.name(), own: &none, was: &none, known: &known };
    element(draft, given, &sides, &|_, _| true);
}

fn attributes(draft: &mut Draft, given: &Element, sides: &Sides<'_>) {
    let ignored = |name: &str, value: &str| [sides.of, given.kind.name()].iter().any(|of| is_ignored(of, name, value));
    let mut seen: Vec<&str> = Vec::new();
    for (name, value) in &given.attributes {
        let is_repeated = seen.contains(&name.as_str());
        seen.push(name);
        let place = attribute(name);
        if is_repeated {
            draft.differs(Column::Refused, ATTRIBUTE, &place, format!("the attribute {} occurs twice", quote(name)));
        } else if ignored(name, value) || sides.each().iter().any(|side| is_so(given.kind, name, value, side)) {
            continue;
        } else if near(given.kind, name, value, sides.own) == Some(true) {
            let message = format!("{name} is {value}, which is rounded to {}", sides.own.text(name));
            draft.differs(Column::LeftOut, ROUNDED, &place, message);
        } else {
            let (column, code) = what(given.kind, name, !sides.own.text(name).is_empty());
            let expected = match (sides.own.get(name), default_of(name)) {
                (Some(own), _) => format!("it stays {}", quote(own)),
                (None, "") => "levels have nothing for it".to_owned(),
                (None, default) => format!("levels only have {}", quote(default)),
            };
            draft.differs(column, code, &place, format!("{} is {}, and {expected}", quote(name), quote(value)));
        }
    }
    // What is absent in a file of its own is there.
    let [own, was] = sides.each().map(|side| side.attributes.iter().filter(|_| given.get("source").is_none()));
    let is_lost = |name: &str, value: &str| {
        let is_expected = ignored(name, value) || is_ignored(&format!("absent from {}", sides.of), name, value);
        given.get(name).is_none() && !is_expected && !same(value, default_of(name))
    };
    let was: BTreeSet<&str> = was.filter(|(name, value)| is_lost(name, value)).map(|(name, _)| name.as_str()).collect();
    for (name, _) in own.filter(|(name, value)| is_lost(name, value) && was.contains(name.as_str())) {
        let message = format!("the attribute {} is missing", quote(name));
        draft.differs(Column::LeftOut, ABSENT, &attribute(name), message);
    }
}

/// Describes a difference of an attribute of which the level `has` something.
fn what(kind: Kind, name: &str, has: bool) -> (Column, Code) {
    match (kind, name) {
        (Kind::Tileset, "source" | "name" | "image") => (Column::LeftOut, TILESET),
        (Kind::Map, "width" | "height") => (Column::LeftOut, ATTRIBUTE),
        (Kind::Map | Kind::Object, _) if has => (Column::Refused, ATTRIBUTE),
        (Kind::Layer, "offsetx" | "offsety" | "parallaxx" | "parallaxy") => (Column::Refused, ATTRIBUTE),
        _ => (Column::LeftOut, ATTRIBUTE),
    }
}

/// Returns whether a side has an attribute.
fn is_so(kind: Kind, name: &str, value: &str, side: &Element) -> bool {
    match (kind, name) {
        (Kind::Tileset, "image") => stem(value) == stem(side.text(name)),
        _ => same(value, side.text(name)) || near(kind, name, value, side) == Some(false),
    }
}

/// Returns whether an attribute that is the same coordinate as that of a side has a fraction; `None` if it is another one.
fn near(kind: Kind, name: &str, value: &str, side: &Element) -> Option<bool> {
    let scale = match (kind, name) {
        (Kind::Layer, "parallaxx" | "parallaxy") => 100.0,
        (Kind::Layer, "offsetx" | "offsety") | (Kind::Object, "x" | "y") => 1.0,
        _ => return None,
    };
    let [value, own] = [value, side.text(name)].map(|text| text.parse::<f64>().ok().map(|number| number * scale));
    let (value, own) = (value?, super::fields::round(own?, &Path::new()).ok()?);
    coordinate(own, value, &Path::new()).ok()?.is_none().then(|| fraction(own, value))
}

fn attribute(name: &str) -> String {
    format!("attribute {}", quote(name))
}

/// Whether two values are the same: numbers, truth values and texts have several forms.
fn same(left: &str, right: &str) -> bool {
    let number = |text: &str| match text {
        "true" => Some(1.0),
        "false" => Some(0.0),
        text => match text.strip_prefix("0x") {
            Some(digits) => u32::from_str_radix(digits, 16).ok().map(f64::from),
            None => text.parse::<f64>().ok(),
        },
    };
    let is_same =
        |left: &str, right: &str| left == right || number(left).is_some_and(|left| number(right) == Some(left));
    let numbers = |text| <str>::split(text, [' ', ',', '\t', '\n']).filter(|part| !part.is_empty());
    let text = |text| breaks(from_printable(text).as_bytes());
    is_same(left, right)
        || numbers(left).count() > 1
            && numbers(left).count() == numbers(right).count()
            && numbers(left).zip(numbers(right)).all(|(left, right)| number(left).is_some() && is_same(left, right))
        || [left, right].iter().any(|text| !text.is_ascii() || text.contains('\r')) && text(left) == text(right)
}

fn properties(draft: &mut Draft, given: &Element, sides: &Sides<'_>, may_lack: &dyn Fn(&str, &str) -> bool) {
    let at = |name: &str| format!("property {}", quote(name));
    let [own, was] = sides.each().map(|side| &side.properties);
    for (name, what) in &given.properties.odd {
        draft.differs(Column::Refused, UNKNOWN_PROPERTY, &at(name), format!("the property {} {what}", quote(name)));
    }
    for (name, value) in given.properties.iter() {
        let own_value = own.get(name);
        let is_copied = own_value.is_some() && is_ignored(sides.of, "properties", "");
        if is_copied || [own_value, was.get(name)].into_iter().flatten().any(|side| same(value, side)) {
            continue;
        }
        if let Some(own) = own_value {
            let message = format!("{} follows from other values: {} stays {}", quote(name), quote(value), quote(own));
            draft.differs(Column::LeftOut, DERIVED, &at(name), message);
        } else if was.get(name).is_some() || sides.known.contains(name) {
            let message = format!("{} follows from other values, and {} says nothing", quote(name), quote(value));
            draft.differs(Column::LeftOut, DERIVED, &at(name), message);
        } else {
            let names = own.iter().map(|(name, _)| name).chain(sides.known.iter().map(String::as_str));
            let hint = nearest(name, names)
                .map(|near| format!("; did you mean {near}?", near = quote(near)))
                .unwrap_or_default();
            let message = format!("there is no property {}, which is {}{hint}", quote(name), quote(value));
            draft.differs(Column::Refused, UNKNOWN_PROPERTY, &at(name), message);
        }
    }
    let is_lost = |(name, value): &(&str, &str)| {
        given.properties.get(name).is_none() && was.get(name).is_some() && !may_lack(name, value)
    };
    let absent: Vec<String> = own.iter().filter(is_lost).map(|(name, _)| name.to_owned()).collect();
    if let Some(first) = absent.first() {
        let names = absent.iter().take(3).map(|name| quote(name)).collect::<Vec<_>>().join(", ");
        let message = format!("{} properties are missing, and their values stay: {names}", absent.len());
        let entry = Entry::new(Column::LeftOut, ABSENT, &draft.path, message).at(draft.at(&at(first)));
        draft.planned.account.push(entry.about(absent.len() as u64, absent));
    }
}
