use worldview_core::RecordField as _;
use worldview_core::describe::{
    Charset, Describe, Each, Field, FieldValue, Flow, Items, List, ListFlag, Notation, Part, PartKey, Role, Span,
    Stored, TextValue, Visit,
};
use zerocopy::big_endian::U32;

use super::records::Records;
use super::sections::Sections;
use super::strings::{visit_string_arrays, visit_texts};
use super::{header, said, text};
use crate::sections::WordTypes;
use crate::table::{NameOrigin, Table};

/// Describes everything a table contains: sections, fields, strings, string arrays and records.
///
/// Records are described by the fields of the table. [`Table`] implements [`Describe`] the same way.
#[derive(Clone, Copy, Debug)]
pub struct TableDescription<'t, 'a> {
    table: &'t Table<'a>,
    by_words: bool,
}

impl<'t, 'a> TableDescription<'t, 'a> {
    /// Creates a description of `table` by its fields.
    pub const fn new(table: &'t Table<'a>) -> Self {
        Self { table, by_words: false }
    }

    /// Describes the words of records instead of their fields, to compare a table with named fields to one without.
    #[must_use]
    pub const fn by_words(mut self) -> Self {
        self.by_words = true;
        self
    }
}

impl Describe for Table<'_> {
    fn has_main_list(&self) -> bool {
        true
    }

    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        TableDescription::new(self).describe(visitor)
    }
}

impl Describe for TableDescription<'_, '_> {
    fn has_main_list(&self) -> bool {
        true
    }

    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let Self { table, by_words } = *self;
        about(table, visitor)?;
        Sections { table, known: true }.visit(visitor)?;
        Sections { table, known: false }.visit(visitor)?;
        if by_words {
            let list = List::indexed("words", "word").with(&[ListFlag::Scalar]);
            let types = table.words();
            visitor.parts(&Items::indexed(list, types.len(), |index, visit| {
                let kind = usize::try_from(index).ok().and_then(|index| types.get(index)).unwrap_or_default();
                visit(Ok(&Part::new(index, PartKey::Index, &|visitor: &mut dyn Visit| visit_type(kind, visitor))))
            }))?;
        } else {
            visit_plan(table, visitor)?;
        }
        if let (Some((None, _)), Some(section)) = (table.schema_mismatch(), table.sections().structitem()) {
            visit_texts(List::indexed("refused_names", "refused_name"), "name", section.source(), visitor)?;
        }
        // Strings that a record or an array refers to are described with it.
        if let Some(section) = table.sections().string().filter(|_| visitor.wants_bulk()) {
            let list = List::indexed("strings", "string").with(&[ListFlag::Bulk]);
            visit_texts(list, "string", section.source(), visitor)?;
        }
        visit_string_arrays(table, visitor)?;
        Records::new(table, by_words).visit(visitor)
    }
}

/// Visits what concerns the table as a whole.
fn about(table: &Table<'_>, visitor: &mut dyn Visit) -> Flow {
    let sections = table.sections();
    visitor.field(&Field::new("generation", FieldValue::Word(table.generation().name())))?;
    visitor.field(&match (sections.sheet_name(), sections.sheetname()) {
        (Some(name), Some(section)) => {
            let value = TextValue { charset: Charset::Utf8, ..TextValue::fixed(section.data()) };
            let is_ended = section.data().len() > name.len();
            let stored = if is_ended { Stored::Terminated(u32::MAX) } else { Stored::Nowhere };
            Field::new("sheet_name", FieldValue::Text(value)).at(Span::of(name, section.source())).stored(stored)
        }
        _ => Field::new("sheet_name", FieldValue::Absent),
    })?;
    let version = Field::new("layout_version", FieldValue::Absent).notation(Notation::Hex);
    visitor.field(&match (table.layout_version(), sections.version()) {
        (Some(word), Some(section)) => {
            let source = section.source();
            let at = Span::new(source.base(), 4, source.space());
            Field { value: FieldValue::Uint(word.into()), ..version }.at(at).stored(U32::STORED)
        }
        _ => version,
    })?;
    visitor.field(&Field::new("names", FieldValue::Word(table.name_origin().name())).role(Role::Derived))?;
    visitor.field(&match table.name_origin() {
        NameOrigin::Schema(schema) => said("schema", schema.name().as_bytes()),
        NameOrigin::Embedded | NameOrigin::Generated => Field::new("schema", FieldValue::Absent).role(Role::Derived),
    })?;
    if let Some((schema, refusal)) = table.schema_mismatch() {
        let why = match schema {
            Some(schema) => format!("schema {:?}: {refusal}", schema.name()),
            None => format!("embedded: {refusal}"),
        };
        visitor.field(&said("names_refused", why.as_bytes()))?;
    }
    if let Some(refusal) = table.arrays_refused() {
        visitor.field(&said("string_arrays_refused", refusal.to_string().as_bytes()))?;
    }
    let counts = [("record_size", u64::from(table.record_size())), ("record_count", table.len() as u64)];
    for (name, count) in counts {
        visitor.field(&Field::new(name, FieldValue::Uint(count)).role(Role::Storage))?;
    }
    if table.strings().bytes().last().is_some_and(|&last| last != 0) {
        // The last string of every known table ends with a NUL.
        visitor.field(&Field::new("unterminated_strings", FieldValue::Bool(true)).role(Role::Storage))?;
    }
    header(&table.archive(), visitor)
}

/// Visits the field plan.
fn visit_plan(table: &Table<'_>, visitor: &mut dyn Visit) -> Flow {
    let sections = table.sections();
    // The table's own names, one per field, if it has names and they are used.
    let names = sections.item_names().filter(|_| table.name_origin() == NameOrigin::Embedded);
    let names: Vec<_> = names.into_iter().flatten().collect();
    let source = sections.structitem().map_or(table.archive().source(), |section| section.source());
    // Only fields whose name an earlier one has, too, have one more name.
    let used = table.fields().iter().map(|field| field.name());
    let same_fields = names.is_empty() || used.eq(names.iter().copied());
    let list = List::new("fields", "field")
        .with(&[ListFlag::Compact, ListFlag::Unique])
        .with_if(same_fields, ListFlag::SameFields);
    let part = |index, field: &crate::plan::Field<'_>, visit: Each<'_>| {
        let stored = usize::try_from(index).ok().and_then(|index| names.get(index)).copied();
        let body = |visitor: &mut dyn Visit| {
            match stored {
                Some(name) if name == field.name() => visitor.field(&text("name", name, source))?,
                _ => {
                    let value = FieldValue::Text(TextValue::plain(field.name(), Charset::Utf8));
                    visitor.field(&Field::new("name", value))?;
                }
            }
            if let Some(name) = stored.filter(|&name| name != field.name()) {
                // An earlier field already has this name.
                visitor.field(&text("stored_name", name, source))?;
            }
            visitor.field(&Field::new("kind", FieldValue::Word(field.kind().name())))?;
            let mut number =
                |name, value: u64, role| visitor.field(&Field::new(name, FieldValue::Uint(value)).role(role));
            number("word", field.word().into(), Role::Storage)?;
            number("bit", field.bit().into(), Role::Storage)?;
            number("width", field.width().into(), Role::Data)?;
            if let Some(array) = field.array() {
                number("string_array", array as u64, Role::Storage)?;
            }
            let kind = field.kind().value_type().name();
            visitor.field(&Field::new("type", FieldValue::Word(kind)).role(Role::Derived))
        };
        let at = stored.map(|name| Span::of(name, source));
        let part = Part::new(index, PartKey::Name(field.name()), &body).at(at);
        visit(Ok(&part.summary(&format_args!("{}, {} bits", field.kind().name(), field.width()))))
    };
    visitor.parts(&Items::slice(list, table.fields(), part))
}

/// Visits the type of a word of a record.
fn visit_type(kind: u32, visitor: &mut dyn Visit) -> Flow {
    let value = match kind {
        WordTypes::BITS => FieldValue::Word("bits"),
        WordTypes::FLOAT => FieldValue::Word("float"),
        WordTypes::STRING => FieldValue::Word("string"),
        WordTypes::UINT => FieldValue::Word("uint"),
        other => FieldValue::Uint(other.into()),
    };
    visitor.field(&Field::new("type", value))
}
