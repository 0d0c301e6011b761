use worldview_core::Source;
use worldview_core::describe::{Charset, Field, FieldValue, Flow, Notation, Role, Span, TextValue, Visit};
use zerocopy::IntoBytes as _;

use crate::name::Name;
use crate::raw::Vec3;

/// Whether the counted bytes of a name normally end in a NUL.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NameForm {
    /// Names of the directory do.
    Directory,
    /// Names of chunks and blobs do not.
    Inside,
}

/// Returns the field for a name whose bytes are in `source`.
pub(super) fn name<'d>(field: &'static str, name: Name<'d>, form: NameForm, source: Source<'_>) -> Field<'d> {
    if name.is_absent() {
        return Field::new(field, FieldValue::Absent);
    }
    let (text, stored) = (name.text(), name.counted());
    let usual = text.len().saturating_add(usize::from(form == NameForm::Directory)) == stored.len();
    let value = FieldValue::Text(TextValue { text, stored, usual, charset: Charset::Undeclared });
    Field::new(field, value).at(Span::of(text, source))
}

/// Returns the value for text that is stored elsewhere.
pub(super) const fn text(text: &[u8]) -> FieldValue<'_> {
    FieldValue::Text(TextValue::plain(text, Charset::Undeclared))
}

/// Returns the field for a count or length.
pub(super) const fn count(name: &'static str, value: u64) -> Field<'static> {
    Field::new(name, FieldValue::Uint(value)).role(Role::Storage)
}

/// Returns the field for an offset.
pub(super) const fn offset(name: &'static str, value: u64) -> Field<'static> {
    count(name, value).notation(Notation::Hex)
}

/// Returns the field for a byte in `source`.
pub(super) fn byte(name: &'static str, value: &u8, source: Source<'_>) -> Field<'static> {
    Field::new(name, FieldValue::Uint((*value).into())).at(Span::of(core::slice::from_ref(value), source))
}

/// Visits a point or direction in `source`.
pub(super) fn visit_point(name: &'static str, point: &Vec3, source: Source<'_>, visitor: &mut dyn Visit) -> Flow {
    visitor.field(&Field::new(name, FieldValue::Floats(&point.get())).at(Span::of(point.as_bytes(), source)))
}

/// Converts an index to the width used in paths.
pub(super) fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// Returns whether a list of `len` elements has an element at `index`.
pub(super) fn has(len: usize, index: u32) -> bool {
    usize::try_from(index).is_ok_and(|index| index < len)
}

/// Returns the span of a whole window.
pub(super) const fn span_of(source: Source<'_>) -> Span {
    Span::new(source.base(), source.len(), source.space())
}

/// Returns the span from one offset to another.
pub(super) const fn between(at: u64, end: u64, source: Source<'_>) -> Span {
    Span::new(at, end.saturating_sub(at), source.space())
}

/// Returns the span from an offset to the end of `last`, which is in `source`.
pub(super) fn through(at: u64, last: &[u8], source: Source<'_>) -> Span {
    let last = Span::of(last, source);
    between(at, last.at.saturating_add(last.len), source)
}
