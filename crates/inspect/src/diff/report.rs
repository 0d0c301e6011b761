use std::borrow::Cow;

use worldview_core::describe::{Field, FieldValue, Notation, TextValue};
use worldview_core::{Error, Path};

use super::frame::Frame;
use super::{Change, Difference, Event, OnEvent, Side};
use crate::meter::Meter;
use crate::{Encoding, form, hex};

/// A value and its notation.
pub(super) type Shown<'v> = (FieldValue<'v>, Notation);

/// The position of the walk, and the receiver of differences.
pub(super) struct Report<'n> {
    note: &'n mut dyn FnMut(&Difference<'_>),
    /// Receives everything instead, if there is one.
    pub(super) events: Option<OnEvent<'n>>,
    pub(super) path: Path,
    pub(super) meter: Meter,
    encoding: Encoding,
}

/// Returns a word that describes a side.
pub(super) const fn word(word: &str) -> Shown<'_> {
    (FieldValue::Word(word), Notation::Decimal)
}

impl<'n> Report<'n> {
    pub(super) fn new(
        note: &'n mut dyn FnMut(&Difference<'_>),
        events: Option<OnEvent<'n>>,
        meter: Meter,
        encoding: Encoding,
    ) -> Self {
        Self { note, events, path: Path::new(), meter, encoding }
    }

    /// Passes a finding to the receiver of events, if there is one.
    pub(super) fn event(&mut self, event: impl FnOnce(&Path, OnEvent<'_>)) -> bool {
        let Some(events) = &mut self.events else { return false };
        if !self.meter.path(&self.path).is_break() && self.meter.error().is_none() {
            event(&self.path, *events);
        }
        true
    }

    /// Calls `report` with the path extended by `push`.
    pub(super) fn within(&mut self, push: impl FnOnce(&mut Path), report: impl FnOnce(&mut Self)) {
        let mark = self.path.mark();
        push(&mut self.path);
        report(self);
        self.path.truncate(mark);
    }

    fn say(&mut self, change: Change, field: Option<&str>, sides: [Option<Shown<'_>>; 2], count: u64) {
        if self.meter.path(&self.path).is_break() || self.meter.error().is_some() {
            return;
        }
        let encoding = self.encoding;
        let [left, right] = sides.map(|side| side.map(|(value, notation)| Side { value, notation, encoding }));
        (self.note)(&Difference { change, path: &self.path, field, left, right, count });
    }

    /// Reports that the part was added or removed, with an optional short description.
    pub(super) fn lone(&mut self, change: Change, shown: Option<Shown<'_>>) {
        let sides = if change == Change::Added { [None, shown] } else { [shown, None] };
        self.say(change, None, sides, 1);
    }

    /// Reports that a field or the part itself changed.
    pub(super) fn changed(&mut self, field: Option<&str>, left: Option<Shown<'_>>, right: Option<Shown<'_>>) {
        self.say(Change::Changed, field, [left, right], 1);
    }

    /// Reports the first of `count` elements that differ; the path leads to that element.
    pub(super) fn element(&mut self, left: Shown<'_>, right: Shown<'_>, count: u64) {
        self.say(Change::Changed, None, [Some(left), Some(right)], count);
    }

    /// Reports that more elements of an array differ.
    pub(super) fn more(&mut self, array: &str, count: u64) {
        self.say(Change::Changed, Some(array), [None, None], count);
    }

    /// Reports a field that only one side has, unless it has no value.
    pub(super) fn lone_field(&mut self, field: &Field<'_>, is_left: bool, frame: &Frame) {
        let (is_scalar, in_main) = (frame.is_scalar(), frame.in_main);
        if field.value == FieldValue::Absent || frame.is_column(field) {
            return;
        }
        let sides = if is_left { [Some(field), None] } else { [None, Some(field)] };
        if self.event(|part, events| events(&Event::Field { part, is_scalar, in_main, sides })) {
            return;
        }
        let name = form::name(&field.name);
        let (name, side) = ((!is_scalar).then_some(&*name), Some((field.value, field.notation)));
        if is_left { self.changed(name, side, None) } else { self.changed(name, None, side) }
    }

    /// Compares a field that both sides have.
    pub(super) fn field(&mut self, left: &Field<'_>, right: &Field<'_>, frame: &Frame) {
        let (is_scalar, in_main) = (frame.is_scalar(), frame.in_main);
        let is_other_type = frame.is_column(left) && !is_one_type(&left.value, &right.value);
        // Changes may have to say what follows a text.
        let is_stored = match (left.value, right.value) {
            (FieldValue::Text(left), FieldValue::Text(right)) => self.events.is_none() || left.stored == right.stored,
            _ => true,
        };
        if is_other_type || is_same(&left.value, &right.value) && is_stored {
            return;
        }
        // What is kept of the left side does not say where it is stored.
        let stored = Field { stored: right.stored, ..*left };
        let sides = [Some(&stored), Some(right)];
        if self.event(|part, events| events(&Event::Field { part, is_scalar, in_main, sides })) {
            return;
        }
        let name = form::name(&left.name);
        let field = (!is_scalar).then_some(&*name);
        if let (FieldValue::Text(one), FieldValue::Text(other)) = (left.value, right.value) {
            let decode = |text: &TextValue<'_>| form::decode(text, self.encoding).into_owned();
            let is_visible = one.text != other.text && decode(&one) != decode(&other);
            if is_visible {
                self.changed(field, shown(left), shown(right));
            }
            if !is_visible || tail(&one) != tail(&other) {
                // Bytes after a NUL, or bytes that the displayed texts do not show.
                let (one, other) = (hex(one.stored), hex(other.stored));
                self.changed(Some(&format!("{name}_bytes")), Some(word(&one)), Some(word(&other)));
            }
            return;
        }
        self.changed(field, shown(left), shown(right));
    }

    /// Compares whether the parts could be read. The offset of the error does not count as a difference.
    pub(super) fn broken(&mut self, left: Option<&Error>, right: Option<&Error>) {
        let shown = |error: Option<&Error>| match error {
            Some(error) => format!("broken: {}: {}", error.what, error.kind),
            None => "whole".into(),
        };
        if left.is_some() || right.is_some() {
            if let Some(error) = left.or(right)
                && self.event(|_, events| events(&Event::Broken(error)))
            {
                return;
            }
            let (left, right) = (shown(left), shown(right));
            if left != right {
                self.changed(Some("content"), Some(word(&left)), Some(word(&right)));
            }
        }
    }
}

worldview_core::debug_summary!("Report", Report<'_>, |this| path: this.path);

fn shown<'f>(field: &Field<'f>) -> Option<Shown<'f>> {
    (field.value != FieldValue::Absent).then_some((field.value, field.notation))
}

/// Returns the bytes stored after the NUL of a text.
fn tail<'t>(text: &TextValue<'t>) -> &'t [u8] {
    let behind = text.stored.strip_prefix(text.text).unwrap_or(text.stored);
    behind.strip_prefix(&[0]).unwrap_or(behind)
}

/// Returns the value if it is an integer.
pub(super) fn integer(value: &FieldValue<'_>) -> Option<i128> {
    match *value {
        FieldValue::Int(int) => Some(int.into()),
        FieldValue::Uint(uint) => Some(uint.into()),
        _ => None,
    }
}

/// Returns whether two values have the same type, or at least one of them is absent.
fn is_one_type(left: &FieldValue<'_>, right: &FieldValue<'_>) -> bool {
    match (left, right) {
        (FieldValue::Absent, _) | (_, FieldValue::Absent) => true,
        (FieldValue::Text(_) | FieldValue::Dangling(_), FieldValue::Text(_) | FieldValue::Dangling(_)) => true,
        _ => std::mem::discriminant(left) == std::mem::discriminant(right),
    }
}

/// Returns whether two values are equal. Floats are compared by their bits. The target of a dangling reference does
/// not count as a difference.
fn is_same(left: &FieldValue<'_>, right: &FieldValue<'_>) -> bool {
    let is_same_float = |left: &f32, right: &f32| left.to_bits() == right.to_bits();
    match (left, right) {
        (FieldValue::Text(left), FieldValue::Text(right)) => left.text == right.text && tail(left) == tail(right),
        (FieldValue::Float(left), FieldValue::Float(right)) => is_same_float(left, right),
        (FieldValue::Floats(left), FieldValue::Floats(right)) => {
            left.len() == right.len() && left.iter().zip(*right).all(|(left, right)| is_same_float(left, right))
        }
        (FieldValue::Dangling(_), FieldValue::Dangling(_)) => true,
        (FieldValue::Word(_) | FieldValue::Words(_), FieldValue::Word(_) | FieldValue::Words(_)) => {
            words(left) == words(right)
        }
        _ => integer(left).map_or_else(|| left == right, |left| integer(right) == Some(left)),
    }
}

fn words<'v>(value: &FieldValue<'v>) -> Cow<'v, str> {
    match *value {
        FieldValue::Word(word) => word.into(),
        FieldValue::Words(words) => words.join(" ").into(),
        _ => "".into(),
    }
}
