//! Descriptions of tables and archives.

mod archive;
mod records;
mod sections;
mod strings;
mod table;

use core::ops::Range;

use worldview_core::describe::{
    Array, Charset, Each, Elements, Field, FieldName, FieldValue, Flow, List, Notation, Part, PartList, Role,
    ShapeNumber, Slots, Span, Stored, TextValue, Visit, visit_fields,
};
use worldview_core::{Source, Text};
use zerocopy::IntoBytes as _;

use crate::archive::{Archive, Member};
use crate::raw::{ArchiveHeader, Entry};

pub use archive::ArchiveDescription;
pub use table::TableDescription;

/// A list whose elements are accessed by index.
trait Indexed {
    fn list(&self) -> List;

    fn len(&self) -> usize;

    /// Calls `visit` with the element at `index`, if it exists.
    fn with(&self, index: u32, visit: &mut dyn FnMut(&Part<'_>) -> Flow) -> Flow;

    /// Returns whether elements can be added and removed.
    fn is_editable(&self) -> bool {
        false
    }

    /// Returns the number of bytes that an element without content has besides its entry.
    fn blank(&self) -> usize {
        0
    }

    /// See [`PartList::context`].
    fn context(&self, visit: &mut dyn FnMut(&[u8])) -> bool {
        let _ = visit;
        false
    }

    /// The entry and the data of an element, if it has them.
    fn entry(&self, index: usize) -> Option<(&Entry, &[u8])> {
        let _ = index;
        None
    }

    /// See [`PartList::refers_to`].
    fn refers_to(&self, index: u32, texts: &[Range<u64>]) -> bool {
        let _ = (index, texts);
        true
    }

    /// See [`PartList::alone`].
    fn alone(&self, bytes: &[u8], visit: &mut dyn FnMut(&Part<'_>)) {
        let _ = (bytes, visit);
    }

    /// See [`PartList::set_name`].
    fn set_name(&self, bytes: &mut [u8], name: &[u8]) -> Result<(), &'static str> {
        let _ = (bytes, name);
        Err("elements of this list have no names")
    }
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

    fn slots(&self) -> Option<Slots> {
        self.0.is_editable().then_some(Slots { start: 0, count: None, key: None, shape: &[] })
    }

    fn blank(&self, _: &dyn Fn(ShapeNumber<'_>) -> Option<i64>, make: &mut dyn FnMut(&[u8])) {
        make(&vec![0; self.0.blank().saturating_add(ENTRY)]);
    }

    fn alone(&self, bytes: &[u8], visit: &mut dyn FnMut(&Part<'_>)) {
        self.0.alone(bytes, visit);
    }

    fn refers_to(&self, index: u32, texts: &[Range<u64>]) -> bool {
        self.0.refers_to(index, texts)
    }

    fn context(&self, visit: &mut dyn FnMut(&[u8])) -> bool {
        self.0.context(visit)
    }

    fn own<'s>(&'s self, part: &Part<'_>) -> [&'s [u8]; 3] {
        let entry = usize::try_from(part.index).ok().and_then(|index| self.0.entry(index));
        entry.map_or([&[]; 3], |(entry, data)| [entry.name.raw(), entry.extension.raw(), data])
    }

    fn set_name(
        &self,
        bytes: &mut Vec<u8>,
        name: &[u8],
        _: &dyn Fn(&str) -> Option<Vec<u8>>,
    ) -> Result<(), &'static str> {
        self.0.set_name(bytes, name)
    }
}

/// Returns whether bytes and the pool of strings have none in common.
fn is_apart(bytes: Span, pool: Source<'_>) -> bool {
    bytes.at.saturating_add(bytes.len) <= pool.base() || pool.base().saturating_add(pool.len()) <= bytes.at
}

/// Returns whether an offset is in one of the ranges of [`PartList::refers_to`].
fn begins_in(at: u64, texts: &[Range<u64>]) -> bool {
    let next = texts.partition_point(|text| text.end <= at);
    texts.get(next).is_some_and(|text| text.start <= at)
}

/// Bytes of an entry.
const ENTRY: usize = size_of::<Entry>();

/// Writes a name into a field, which it may fill. What is behind the NUL of the old name stays.
fn rename<const N: usize>(field: &mut Text<N>, name: &[u8]) -> Option<()> {
    let used = field.as_bytes().len().max(name.len().saturating_add(1)).min(N);
    let bytes = <Text<N> as zerocopy::IntoBytes>::as_mut_bytes(field);
    bytes.get_mut(..used)?.fill(0);
    bytes.get_mut(..name.len())?.copy_from_slice(name);
    Some(())
}

/// Names an entry.
fn rename_entry(entry: &mut Entry, name: &[u8]) -> Result<(), &'static str> {
    if name.contains(&0) {
        return Err("names have no NUL");
    }
    rename(&mut entry.name, name).ok_or("names have at most 16 bytes")
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
