//! Descriptions of tables and archives.

mod archive;
mod records;
mod sections;
mod strings;
mod table;

use worldview_core::describe::{
    Array, Charset, Each, Elements, Field, FieldName, FieldValue, Flow, List, Notation, Part, PartList, Role, Span,
    TextValue, Visit, visit_record,
};
use worldview_core::{Source, Text};

use crate::archive::{Archive, Member};
use crate::raw::Entry;

pub use archive::ArchiveDescription;
pub use table::TableDescription;

/// A list whose elements are accessed by index.
trait Indexed {
    fn list(&self) -> List;

    fn len(&self) -> usize;

    /// Calls `visit` with the element at `index`, if it exists.
    fn with(&self, index: u32, visit: &mut dyn FnMut(&Part<'_>) -> Flow) -> Flow;
}

/// Adapts an indexed list to [`PartList`].
struct Counted<T>(T);

impl<T: Indexed> PartList for Counted<T> {
    fn list(&self) -> List {
        self.0.list()
    }

    fn each(&self, visit: Each<'_>) -> Flow {
        let count = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        (0..count).try_for_each(|index| self.0.with(index, &mut |part| visit(Ok(part))))
    }

    fn get(&self, index: u32, _: u64, visit: &mut dyn FnMut(&Part<'_>)) {
        let _ = self.0.with(index, &mut |part| {
            visit(part);
            Flow::Continue(())
        });
    }
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
    Array {
        name,
        item: "byte",
        elements: Elements::Bytes(source.bytes()),
        columns: 0,
        rows_are_items: false,
        bulk: true,
        role,
        at: Some(Span::new(source.base(), source.len(), source.space())),
        notation: Notation::Hex,
        blank: 0,
        count: None,
    }
}

/// Visits the header fields other than the number of entries. In a recovered archive, only the first eight bytes were
/// overwritten.
fn header(archive: &Archive<'_>, visitor: &mut dyn Visit) -> Flow {
    let source = archive.source();
    if let Some(overwritten) = source.bytes().get(..8).filter(|_| archive.is_recovered()) {
        let field = Field::new("overwritten_header", FieldValue::Bytes(overwritten)).role(Role::Storage);
        visitor.field(&field.at(Span::of(overwritten, source)))?;
    }
    let reserved = |name: &'static str| name.starts_with("reserved").then_some((Role::Reserved, Notation::Hex));
    visit_record(archive.header().fields(), source.base(), source.space(), visitor, reserved)
}

/// Returns the span of an archive's directory, which opening it reads.
fn directory(archive: &Archive<'_>) -> Span {
    let source = archive.source();
    let end = crate::archive::entry_at(u32::try_from(archive.entries().len()).unwrap_or(u32::MAX));
    Span::new(source.base(), end.min(source.len()), source.space())
}

/// Returns the span of a member's entry.
fn entry_span(entry: &Entry, archive: &Archive<'_>) -> Span {
    Span::of(zerocopy::IntoBytes::as_bytes(entry), archive.source())
}

/// Visits the offset and size of a member's data, as stored in its entry.
fn place(member: &Member<'_>, archive: &Archive<'_>, visitor: &mut dyn Visit) -> Flow {
    let entry = member.entry();
    for (name, word, notation) in [("offset", &entry.offset, Notation::Hex), ("size", &entry.size, Notation::Decimal)] {
        let at = Span::of(zerocopy::IntoBytes::as_bytes(word), archive.source());
        let field = Field::new(name, FieldValue::Uint(word.get().into())).role(Role::Storage);
        visitor.field(&field.notation(notation).at(at))?;
    }
    Flow::Continue(())
}

/// Visits the bytes after the NULs that end an entry's name and extension, up to the last one that is not zero.
fn tails(entry: &Entry, archive: &Archive<'_>, visitor: &mut dyn Visit) -> Flow {
    for (name, tail) in [("name_tail", tail(&entry.name)), ("extension_tail", tail(&entry.extension))] {
        if !tail.is_empty() {
            let field = Field::new(name, FieldValue::Bytes(tail)).role(Role::Storage);
            visitor.field(&field.at(Span::of(tail, archive.source())))?;
        }
    }
    Flow::Continue(())
}

fn tail<const N: usize>(text: &Text<N>) -> &[u8] {
    let used = text.tail().iter().rposition(|&byte| byte != 0).map_or(0, |last| last.saturating_add(1));
    text.tail().get(..used).unwrap_or(&[])
}

/// Returns whether a member's data is truncated.
fn is_missing(member: &Member<'_>) -> bool {
    (member.data().len() as u64) < u64::from(member.entry().size.get())
}
