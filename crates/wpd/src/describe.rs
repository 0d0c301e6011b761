//! Descriptions of tables and archives.

pub(crate) mod archive;
pub(crate) mod records;
pub(crate) mod sections;
mod strings;
mod table;

use core::ops::Range;

use worldview_core::describe::{
    Array, Charset, Field, FieldName, FieldValue, Flow, Notation, Role, Span, Stored, TextValue, Visit, visit_fields,
};
use worldview_core::{Source, Text};
use zerocopy::IntoBytes as _;

use crate::archive::{Archive, Member};
use crate::raw::{ArchiveHeader, Entry};

pub use archive::ArchiveDescription;
pub use table::TableDescription;

/// Returns the bytes of an element with an entry, other than where they are.
fn own<'a>(entry: &'a Entry, data: &'a [u8]) -> [&'a [u8]; 3] {
    [entry.name.raw(), entry.extension.raw(), data]
}

/// Returns whether bytes and the pool of strings have none in common.
fn is_apart(bytes: Span, pool: Source<'_>) -> bool {
    bytes.at.saturating_add(bytes.len) <= pool.base() || pool.base().saturating_add(pool.len()) <= bytes.at
}

/// Returns whether an offset is in one of the ranges of [`Shortcuts::refers_to`](worldview_core::describe::Shortcuts::refers_to).
fn begins_in(at: u64, texts: &[Range<u64>]) -> bool {
    let next = texts.partition_point(|text| text.end <= at);
    texts.get(next).is_some_and(|text| text.start <= at)
}

/// Creates a field for the name of an element, which is in `source`.
fn named<'d, const N: usize>(name: &'static str, field: &'d Text<N>, source: Source<'_>) -> Field<'d> {
    text(name, field.as_bytes(), source).stored(Stored::Name(u16::try_from(N).unwrap_or(u16::MAX)))
}

/// Creates a field for a text that lies in `source`.
fn text<'d>(name: &'static str, text: &'d [u8], source: Source<'_>) -> Field<'d> {
    Field::new(name, FieldValue::Text(TextValue::plain(text, Charset::Utf8))).at(Span::of(text, source))
}

/// Creates a field for a text that is not in the file, or is described elsewhere.
fn said<'d>(name: &'static str, text: &'d [u8]) -> Field<'d> {
    Field::new(name, FieldValue::Text(TextValue::plain(text, Charset::Utf8))).role(Role::Derived)
}

/// Creates a field for a text in the pool. `reference`, stored at `at`, refers to the text.
fn referred<'d>(name: FieldName<'d>, text: Option<&'d [u8]>, reference: u32, at: Span, pool: Source<'_>) -> Field<'d> {
    let (value, at, reference) = match text {
        Some(text) => (FieldValue::Text(TextValue::plain(text, Charset::Utf8)), Span::of(text, pool), Some(reference)),
        None => (FieldValue::Dangling(reference), at, None),
    };
    Field { name, reference, ..Field::new("", value) }.at(at)
}

/// Creates an array with the bytes of `source`.
fn bytes<'d>(name: &'static str, source: Source<'d>, role: Role) -> Array<'d> {
    Array::bytes(name, source.bytes()).bulk().role(role).at(span_of(source))
}

/// Returns the span of a whole window.
pub(crate) const fn span_of(source: Source<'_>) -> Span {
    Span::new(source.base(), source.len(), source.space())
}

/// Visits the header fields other than the number of entries. In a recovered archive, only the first eight bytes were
/// overwritten.
fn header(archive: &Archive<'_>, visitor: &mut dyn Visit) -> Flow {
    let source = archive.source();
    if let Some(overwritten) = source.bytes().get(..8).filter(|_| archive.is_recovered()) {
        let field = Field::new("overwritten_header", FieldValue::Bytes(overwritten)).role(Role::Storage);
        visitor.field(&field.at(Span::of(overwritten, source)))?;
    }
    let at = Span::new(source.base(), ArchiveHeader::SIZE, source.space());
    visit_fields(archive.header().as_bytes(), ArchiveHeader::FIELDS, at, visitor)
}

/// Returns the span of an archive's directory, which opening it reads.
fn directory(archive: &Archive<'_>) -> Span {
    let source = archive.source();
    let end = crate::archive::entry_at(u32::try_from(archive.entries().len()).unwrap_or(u32::MAX));
    Span::new(source.base(), end.min(source.len()), source.space())
}

/// Returns the span of a member's entry.
fn entry_span(entry: &Entry, archive: &Archive<'_>) -> Span {
    Span::of(entry.as_bytes(), archive.source())
}

/// Visits the offset and size of a member's data, as stored in its entry.
fn place(entry: &Entry, source: Source<'_>, visitor: &mut dyn Visit) -> Flow {
    for (name, word, notation) in [("offset", &entry.offset, Notation::Hex), ("size", &entry.size, Notation::Decimal)] {
        let at = Span::of(word.as_bytes(), source);
        let field = Field::new(name, FieldValue::Uint(word.get().into())).role(Role::Storage);
        visitor.field(&field.notation(notation).at(at))?;
    }
    Flow::Continue(())
}

/// Visits the bytes after the NULs that end an entry's name and extension, up to the last one that is not zero.
fn tails(entry: &Entry, source: Source<'_>, visitor: &mut dyn Visit) -> Flow {
    for (name, tail) in [("name_tail", entry.name.tail()), ("extension_tail", entry.extension.tail())] {
        let used = tail.iter().rposition(|&byte| byte != 0).map_or(0, |last| last.saturating_add(1));
        if used > 0 || visitor.wants_places() && !tail.is_empty() {
            let bytes = tail.get(..used).unwrap_or(tail);
            let field = Field::new(name, FieldValue::Bytes(bytes)).role(Role::Reserved);
            let room = u16::try_from(tail.len()).unwrap_or(u16::MAX);
            visitor.field(&field.at(Span::of(bytes, source)).stored(Stored::Bytes(room)))?;
        }
    }
    Flow::Continue(())
}

/// Returns whether a member's data is truncated.
fn is_missing(member: &Member<'_>) -> bool {
    (member.data().len() as u64) < u64::from(member.entry().size.get())
}
