use core::ops::Range;

use worldview_core::Source;
use worldview_core::describe::{
    Describe, Each, Field, FieldName, FieldValue, Flow, Int, Items, List, ListFlag, Notation, Part, PartKey, Role,
    Shortcuts, Sorting, Span, Stored, Visit,
};
use zerocopy::IntoBytes as _;

use super::{begins_in, bytes, is_apart, named, own, referred, tails, text};
use crate::column;
use crate::plan::{self, FieldKind};
use crate::sections::WordTypes;
use crate::strings::low_bits;
use crate::table::{Row, Table};

/// The records of a table.
pub(crate) struct Records<'t, 'a> {
    pub(crate) table: &'t Table<'a>,
    pool: Source<'a>,
    shape: Shape,
}

/// The form in which records are described.
enum Shape {
    /// As fields, and the words not filled by them, each with the lowest bit that belongs to no field.
    Fields(Vec<(u32, u8)>),
    /// As words with these names.
    Words(Vec<String>),
}

impl<'t, 'a> Records<'t, 'a> {
    pub(super) fn new(table: &'t Table<'a>, by_words: bool) -> Self {
        let pool = table.sections().string().map_or(table.archive().source(), |pool| pool.source());
        let shape = if by_words {
            Shape::Words((0..table.record_size() / 4).map(|word| format!("word{word}")).collect())
        } else {
            Shape::Fields(plan::unowned(table.fields()))
        };
        Self { table, pool, shape }
    }

    fn row(&self, index: u32) -> Option<Row<'t, 'a>> {
        self.table.get(usize::try_from(index).ok()?)
    }

    fn span(&self, row: &Row<'_, '_>) -> Span {
        let source = self.table.archive().source();
        // The offset of an empty record may point anywhere.
        let start = source.base().saturating_add(u64::from(row.entry().offset.get()).min(source.len()));
        Span::new(start, row.data().len() as u64, source.space())
    }

    /// Returns the index of a string in its array, given the word of a field, and the string.
    fn element(&self, field: &plan::Field<'_>, word: u32) -> (u32, Option<&'a [u8]>) {
        let index = word.unbounded_shr(field.bit().into()) & low_bits(field.width().into());
        let array = field.array().and_then(|array| self.table.string_arrays().get(array));
        (index, array.and_then(|array| array.text_at(index)))
    }

    /// Returns whether the strings that records refer to lie apart from the bytes of all records.
    fn is_pool_apart(&self) -> bool {
        let archive = self.table.archive();
        self.table.sections().string().is_none()
            || is_apart(Span::of(archive.entries().as_bytes(), archive.source()), self.pool)
                && self.table.rows().all(|row| is_apart(self.span(&row), self.pool))
    }

    pub(super) fn visit(&self, visitor: &mut dyn Visit) -> Flow {
        let unique = self.table.archive().is_sorted();
        // Bytes behind the NULs of names change nothing in their order.
        let is_sorted = unique || crate::lookup::have_order(self.table.archive().entries());
        let list = List::new("records", "record")
            .with(&[ListFlag::Main, ListFlag::Compact, ListFlag::Columns])
            .with_if(unique, ListFlag::Unique)
            .with_if(self.is_pool_apart(), ListFlag::SameFields)
            .sorting(if is_sorted { Sorting::Always } else { Sorting::None });
        let source = self.table.archive().source();
        let part = |index, visit: Each<'_>| {
            self.row(index).map_or(Flow::Continue(()), |row| {
                let at = self.span(&row);
                let beside = Span::of(row.entry().as_bytes(), source);
                let record = Record { records: self, row, at, source };
                visit(Ok(&Part::new(index, PartKey::Name(row.name()), &record).at(at).beside(beside)))
            })
        };
        visitor.parts(&Items::indexed(list, self.table.len(), part).shortcuts(self).editable(self))
    }
}

impl Shortcuts for Records<'_, '_> {
    /// The names of the fields and all sections.
    fn context(&self, visit: &mut dyn FnMut(&[u8])) -> bool {
        self.table.fields().iter().for_each(|field| visit(field.name()));
        let archive = self.table.archive();
        for section in archive.members().filter(|member| self.table.is_section(member.entry())) {
            visit(section.name());
            visit(section.data());
        }
        true
    }

    fn own<'s>(&'s self, part: &Part<'_>) -> [&'s [u8]; 3] {
        self.row(part.index).map_or([&[]; 3], |row| own(row.entry(), row.data()))
    }

    fn refers_to(&self, index: u32, texts: &[Range<u64>]) -> bool {
        let Some(row) = self.row(index) else { return true };
        let record = Record { records: self, row, at: self.span(&row), source: self.table.archive().source() };
        let is_at = |word: u32| begins_in(self.pool.base().saturating_add(word.into()), texts);
        match &self.shape {
            Shape::Fields(_) => self.table.fields().iter().any(|field| match field.kind() {
                FieldKind::String => record.bits(field.word()).is_some_and(is_at),
                FieldKind::Element => {
                    let text = record.bits(field.word()).and_then(|word| self.element(field, word).1);
                    text.is_some_and(|text| begins_in(Span::of(text, self.pool).at, texts))
                }
                _ => false,
            }),
            Shape::Words(_) => (0..)
                .zip(self.table.words().iter())
                .any(|(word, kind)| kind == WordTypes::STRING && record.bits(word).is_some_and(is_at)),
        }
    }
}

pub(crate) struct Record<'r, 't, 'a> {
    pub(crate) records: &'r Records<'t, 'a>,
    pub(crate) row: Row<'t, 'a>,
    pub(crate) at: Span,
    /// The element with the record and its entry.
    pub(crate) source: Source<'a>,
}

impl Describe for Record<'_, '_, '_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let Self { records: Records { table, shape, .. }, row, source, .. } = self;
        let (entry, source) = (row.entry(), *source);
        visitor.field(&named("record", &entry.name, source))?;
        // None of these names can be the name of a field.
        if !entry.extension.is_empty() || visitor.wants_places() {
            let extension = text("extension", entry.extension.as_bytes(), source).role(Role::Reserved);
            visitor.field(&extension.stored(Stored::Text(8)))?;
        }
        tails(entry, source, visitor)?;
        if entry.size.get() != table.record_size() {
            let at = Span::of(entry.size.as_bytes(), source);
            let size = Field::new("entry_size", FieldValue::Uint(entry.size.get().into()));
            visitor.field(&size.role(Role::Storage).at(at))?;
        }
        match shape {
            Shape::Fields(unowned) => {
                table.fields().iter().try_for_each(|field| self.field(field, visitor))?;
                unowned.iter().try_for_each(|&(word, low)| self.unowned(word, low, visitor))?;
            }
            Shape::Words(names) => {
                (0..).zip(names).try_for_each(|(word, name)| self.word(word, name, visitor))?;
            }
        }
        if row.extra().is_empty() {
            return Flow::Continue(());
        }
        let start = self.at.at.saturating_sub(source.base());
        source
            .window(
                start.saturating_add(table.record_size().into()),
                row.extra().len() as u64,
                "bytes after the fields of a record",
            )
            .map_or(Flow::Continue(()), |extra| visitor.array(&bytes("extra", extra, Role::Data)))
    }
}

impl Record<'_, '_, '_> {
    /// Returns the span of `len` bytes that starts at a word.
    fn span(&self, word: u32, len: u64) -> Span {
        Span { at: self.at.at.saturating_add(u64::from(word).saturating_mul(4)), len, ..self.at }
    }

    fn bits(&self, word: u32) -> Option<u32> {
        Some(self.row.words().get(usize::try_from(word).ok()?)?.get())
    }

    fn field(&self, field: &plan::Field<'_>, visitor: &mut dyn Visit) -> Flow {
        let pool = self.records.pool;
        let Some(word) = self.bits(field.word()) else { return Flow::Continue(()) };
        let (name, at) = (FieldName::Bytes(field.name()), self.span(field.word(), 4));
        let stored = match (field.kind(), field.int()) {
            (_, None) => Stored::Float { big: true },
            (FieldKind::String | FieldKind::Element, Some(int)) => {
                Stored::Pooled { reference: at, int, array: field.array().and_then(|array| u32::try_from(array).ok()) }
            }
            (_, Some(int)) => Stored::Int(int),
        };
        if field.kind() == FieldKind::Element {
            let (index, text) = self.records.element(field, word);
            return visitor.field(&referred(name, text, index, at, pool).stored(stored));
        }
        let with = |value| Field { name, ..Field::new("", value) }.at(at);
        visitor.field(
            &match self.row.value(field) {
                Some(column::Value::I32(value)) => with(FieldValue::Int(value.into())),
                Some(column::Value::U32(value)) if field.kind() == FieldKind::Raw => {
                    with(FieldValue::Uint(value.into())).notation(Notation::Hex)
                }
                Some(column::Value::U32(value)) => with(FieldValue::Uint(value.into())),
                Some(column::Value::F32(value)) => with(FieldValue::Float(value)),
                Some(column::Value::U64(value)) => with(FieldValue::Uint(value)).at(self.span(field.word(), 8)),
                Some(column::Value::Text(text)) => referred(name, text, word, at, pool),
                None => with(FieldValue::Absent),
            }
            .stored(stored),
        )
    }

    /// Visits the bits of a word that no field owns, unless they are all 0.
    fn unowned(&self, word: u32, low: u8, visitor: &mut dyn Visit) -> Flow {
        let bits = self.bits(word).unwrap_or(0).unbounded_shr(low.into());
        if bits == 0 && !visitor.wants_places() {
            return Flow::Continue(());
        }
        let name = FieldName::Bits { word, low, high: 31 };
        let field = Field { name, ..Field::new("", FieldValue::Uint(bits.into())) };
        let int = Int::word(4, false).big_endian().bits(low, 32_u8.saturating_sub(low));
        visitor
            .field(&field.role(Role::Reserved).notation(Notation::Hex).at(self.span(word, 4)).stored(Stored::Int(int)))
    }

    /// Visits a word according to its type. The second half of a 64-bit field has no type.
    fn word(&self, word: u32, name: &str, visitor: &mut dyn Visit) -> Flow {
        let Records { table, pool, .. } = self.records;
        let Some(bits) = self.bits(word) else { return Flow::Continue(()) };
        let (name, at) = (FieldName::Bytes(name.as_bytes()), self.span(word, 4));
        let with = |value| Field { name, ..Field::new("", value) }.at(at);
        let kind = usize::try_from(word).ok().and_then(|word| table.words().get(word));
        visitor.field(&match kind {
            Some(WordTypes::FLOAT) => with(FieldValue::Float(f32::from_bits(bits))),
            Some(WordTypes::STRING) => referred(name, table.strings().get(bits), bits, at, *pool),
            Some(WordTypes::UINT) => with(FieldValue::Uint(bits.into())),
            _ => with(FieldValue::Uint(bits.into())).notation(Notation::Hex),
        })
    }
}
