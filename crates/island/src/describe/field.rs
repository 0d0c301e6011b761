use worldview_core::Source;
use worldview_core::describe::{
    Charset, Counted, Field, FieldValue, Flow, Int, Notation, Role, Span, Stored, TextValue, Visit,
};
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

/// The bytes that the game has room for in names of the directory, with their NUL.
const NAME_ROOM: u32 = 128;

/// Visits a name whose bytes are in `source`, behind their count.
pub(super) fn visit_name(
    field: &'static str,
    name: Name<'_>,
    form: NameForm,
    source: Source<'_>,
    visitor: &mut dyn Visit,
) -> Flow {
    if name.is_absent() && !visitor.wants_places() {
        return visitor.field(&Field::new(field, FieldValue::Absent));
    }
    let (text, stored) = (name.text(), name.counted());
    let has_nul = form == NameForm::Directory;
    let usual = text.len().saturating_add(usize::from(has_nul)) == stored.len();
    let now = u32::try_from(stored.len()).unwrap_or(u32::MAX);
    let whole = Span::of(stored, source);
    let counted = Counted {
        count: Span::new(whole.at.saturating_sub(4), 4, whole.space),
        int: Int::word(4, false),
        now,
        most: if has_nul { NAME_ROOM.max(now) } else { u32::MAX },
        to_nul: true,
        with_nul: None,
        whole: Some(whole),
        nul: has_nul,
    };
    let value = FieldValue::Text(TextValue { text, stored, usual, charset: Charset::Undeclared });
    let at = Span { len: text.len() as u64, ..whole };
    visitor.field(&Field::new(field, value).at(at).stored(Stored::Counted(&counted)))
}

/// Returns the offset just past a name.
pub(super) fn end_of(name: Name<'_>, source: Source<'_>) -> u64 {
    let at = Span::of(name.counted(), source);
    at.at.saturating_add(at.len)
}

/// Returns a word at an offset.
pub(super) const fn word(at: u64, source: Source<'_>) -> (Span, Int) {
    (Span::new(at, 4, source.space()), Int::word(4, false))
}

/// Returns the field of an integer that is stored at a place.
pub(super) const fn integer(name: &'static str, value: FieldValue<'static>, place: (Span, Int)) -> Field<'static> {
    Field::new(name, value).at(place.0).stored(Stored::Int(place.1))
}

/// Returns the field of a word that is the offset of something from the start of a chunk or blob.
pub(super) const fn offset_from(name: &'static str, value: u32, at: u64, source: Source<'_>) -> Field<'static> {
    let (at, int) = word(at, source);
    offset(name, value as u64).at(at).stored(Stored::Offset(int, source.base()))
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
    let at = Span::of(core::slice::from_ref(value), source);
    integer(name, FieldValue::Uint((*value).into()), (at, Int::word(1, false)))
}

/// Visits a point or direction in `source`.
pub(super) fn visit_point(name: &'static str, point: &Vec3, source: Source<'_>, visitor: &mut dyn Visit) -> Flow {
    let (value, at) = (point.get(), Span::of(point.as_bytes(), source));
    visitor.field(&Field::new(name, FieldValue::Floats(&value)).at(at).stored(Stored::Floats(3)))
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
pub(crate) const fn span_of(source: Source<'_>) -> Span {
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
