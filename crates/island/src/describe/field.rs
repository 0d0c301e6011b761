use worldview_core::Source;
use worldview_core::describe::{Charset, Flow, Leaf, LeafValue, Notation, Role, Span, TextValue, Visit};
use zerocopy::IntoBytes as _;

use crate::name::Name;
use crate::raw::Vec3;

/// Whether the names of a place end in a NUL that is counted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Habit {
    /// Those of the directory do.
    Directory,
    /// Those of chunks and blobs do not.
    Inside,
}

/// A name, whose bytes lie in `source`.
pub(super) fn name<'d>(field: &'static str, name: Name<'d>, habit: Habit, source: Source<'_>) -> Leaf<'d> {
    if name.is_absent() {
        return Leaf::new(field, LeafValue::Absent);
    }
    let (text, stored) = (name.text(), name.counted());
    let usual = text.len().saturating_add(usize::from(habit == Habit::Directory)) == stored.len();
    let value = LeafValue::Text(TextValue { text, stored, usual, charset: Charset::Undeclared });
    Leaf::new(field, value).at(Span::of(text, source))
}

/// A text that is not stored in this place.
pub(super) const fn text(text: &[u8]) -> LeafValue<'_> {
    LeafValue::Text(TextValue::plain(text, Charset::Undeclared))
}

/// A count or length.
pub(super) const fn count(name: &'static str, value: u64) -> Leaf<'static> {
    Leaf::new(name, LeafValue::Uint(value)).role(Role::Storage)
}

/// An offset.
pub(super) const fn offset(name: &'static str, value: u64) -> Leaf<'static> {
    count(name, value).notation(Notation::Hex)
}

/// A byte that lies in `source`.
pub(super) fn byte(name: &'static str, value: &u8, source: Source<'_>) -> Leaf<'static> {
    Leaf::new(name, LeafValue::Uint((*value).into())).at(Span::of(core::slice::from_ref(value), source))
}

/// Visits a point or direction that lies in `source`.
pub(super) fn visit_point(name: &'static str, point: &Vec3, source: Source<'_>, visitor: &mut dyn Visit) -> Flow {
    visitor.field(&Leaf::new(name, LeafValue::Floats(&point.get())).at(Span::of(point.as_bytes(), source)))
}

/// A number of something, as paths have it.
pub(super) fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// Whether a list of `len` elements has one of that number.
pub(super) fn has(len: usize, index: u32) -> bool {
    usize::try_from(index).is_ok_and(|index| index < len)
}

/// Where all bytes of a window lie.
pub(super) const fn span_of(source: Source<'_>) -> Span {
    Span::new(source.base(), source.len(), source.space())
}

/// The span from one offset to another.
pub(super) const fn between(at: u64, end: u64, source: Source<'_>) -> Span {
    Span::new(at, end.saturating_sub(at), source.space())
}

/// The span from an offset to the end of `last`, which lies in `source`.
pub(super) fn through(at: u64, last: &[u8], source: Source<'_>) -> Span {
    let last = Span::of(last, source);
    between(at, last.at.saturating_add(last.len), source)
}
