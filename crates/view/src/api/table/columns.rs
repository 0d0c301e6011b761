//! The columns of a table, and their cells.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::Arc;

use worldview::describe::Span;
use worldview::wpd::{Field, FieldKind, Row, Table, Value, ValueType};
use worldview_export::table::{TypedColumn, WORDS, Words};
use worldview_inspect::utf8;

use crate::answer::Failed;
use crate::files::Opened;
use crate::state::State;

/// The name of the column with the names of the records: the field of a record that has its name.
const RECORD: &[u8] = b"record";

/// The fields of bits that no field of the table owns, as far as any of them is set: they are columns, too.
struct Unowned(Vec<Field<'static>>);

impl Unowned {
    /// Reads all records. Not in parallel: a thread that waits for others may take up another request for the same
    /// columns, and would wait for itself.
    fn of(table: &Table<'_>) -> Self {
        let is_set =
            |field: &Field<'_>| table.column_of::<u32>(field).is_some_and(|bits| bits.iter().any(|bits| bits != 0));
        Self(table.unowned_bits().filter(is_set).collect())
    }
}

/// The columns of a table: the names of the records, the fields, and bits that no field owns. A column with keys is followed by one
/// with the words for them.
pub(super) struct Columns<'t> {
    table: &'t Table<'t>,
    words: Option<&'t Words>,
    unowned: Arc<Unowned>,
    order: Arc<Places>,
}

/// The column of the table that each column shows, without those of words, and whether it shows the words for it.
struct Places(Vec<(usize, bool)>);

/// One column.
pub(super) enum Column<'t, 'a> {
    /// The names of the records.
    Name(&'t Table<'a>),
    Field(TypedColumn<'t, 'a>),
    /// The words for the keys of a column.
    Words(TypedColumn<'t, 'a>, &'a Words),
}

impl<'t> Columns<'t> {
    /// Returns the columns of an opened table. Returns an error if it is something else.
    pub(super) fn of(state: &'t State, opened: &'t Arc<Opened>) -> Result<Self, Failed> {
        let handle = &opened.handle;
        let not_a_table = || Failed::invalid(format_args!("is not a table but a {}", handle.kind()));
        let table = handle.table().ok_or_else(not_a_table)?;
        let words = state.words.as_ref();
        let unowned = opened.made(|_| Ok::<_, Failed>(Unowned::of(table)))?;
        let count = 1 + table.fields().len() + unowned.0.len();
        let all = Places((0..count).map(|base| (base, false)).collect());
        let mut columns = Self { table, words, unowned, order: Arc::new(all) };
        if let Some(words) = words {
            let places = |base| {
                let keys = columns.column(base).filter(Column::has_strings);
                let mut keys = (0..table.len()).filter_map(|row| keys.as_ref()?.bytes(row));
                let has_words = keys.any(|key| words.of(key).is_some());
                [Some((base, false)), has_words.then_some((base, true))].into_iter().flatten()
            };
            columns.order = opened.made(|_| Ok::<_, Failed>(Places((0..count).flat_map(places).collect())))?;
        }
        Ok(columns)
    }

    pub(super) const fn table(&self) -> &'t Table<'t> {
        self.table
    }

    pub(super) fn len(&self) -> usize {
        self.order.0.len()
    }

    /// Returns whether a column shows the words for the one before it.
    fn is_words(&self, index: usize) -> bool {
        self.order.0.get(index).is_some_and(|(_, is_words)| *is_words)
    }

    /// Returns the index of the field that a column shows; `None` for names of records, words, and bits that no field owns.
    pub(super) fn field_index(&self, index: usize) -> Option<usize> {
        let (base, is_words) = self.order.0.get(index)?;
        base.checked_sub(1).filter(|field| !is_words && *field < self.table.fields().len())
    }

    /// Returns the field of a column; `None` for the names of the records.
    fn field(&self, index: usize) -> Option<&Field<'_>> {
        let index = self.order.0.get(index)?.0.checked_sub(1)?;
        let fields = self.table.fields();
        fields.get(index).or_else(|| self.unowned.0.get(index - fields.len()))
    }

    /// Returns the name of a column.
    pub(super) fn name(&self, index: usize) -> Cow<'_, [u8]> {
        let name = self.key(index);
        if self.is_words(index) { [name, WORDS.as_bytes()].concat().into() } else { name.into() }
    }

    /// Returns the name of the field that a column shows.
    pub(super) fn key(&self, index: usize) -> &[u8] {
        self.field(index).map_or(RECORD, Field::name)
    }

    /// Returns the column with a name.
    pub(super) fn index(&self, name: &[u8]) -> Option<usize> {
        (0..self.len()).find(|&index| *self.name(index) == *name)
    }

    /// Returns the type of a column in a word.
    pub(super) fn type_name(&self, index: usize) -> &'static str {
        match self.field(index).map(|field| field.kind().value_type()) {
            None => "name",
            _ if self.is_words(index) => "words",
            Some(ValueType::Text) => "string",
            Some(kind) => kind.name(),
        }
    }

    /// Returns what is special about a column.
    pub(super) fn group(&self, index: usize) -> Option<&'static str> {
        if self.order.0.get(index).is_some_and(|(base, _)| *base > self.table.fields().len()) {
            return Some("no field owns these bits");
        }
        match self.field(index)?.kind() {
            FieldKind::Raw => Some("unknown layout"),
            FieldKind::BitsFixed => Some("fixed point"),
            FieldKind::Element => Some("string array"),
            _ => None,
        }
    }

    /// Returns where the values of a column are in a record, in words.
    pub(super) fn bits(&self, index: usize) -> String {
        let Some(field) = self.field(index) else { return "entry".to_owned() };
        let (word, low, width) = (field.word(), field.bit(), field.width());
        match width {
            64 => format!("words {word}–{}", word.saturating_add(1)),
            32 => format!("word {word}"),
            1 => format!("word {word}, bit {low}"),
            _ => format!("word {word}, bits {low}–{}", low.saturating_add(width).saturating_sub(1)),
        }
    }

    /// Returns where a cell is in the file: offset, length and address space.
    pub(super) fn place(&self, index: usize, row: &Row<'_, '_>) -> Option<(u64, u64, &'static str)> {
        let source = self.table.archive().source();
        let Some(field) = self.field(index) else {
            let Span { at, .. } = Span::of(row.name(), source);
            return Some((at, row.name().len() as u64, source.space().name()));
        };
        let start = usize::try_from(field.word()).ok()?.checked_mul(4)?;
        let bytes = row.data().get(start..)?;
        let len = if field.width() == 64 { 8 } else { 4 };
        let span = Span::of(bytes.get(..len)?, source);
        Some((span.at, span.len, source.space().name()))
    }

    /// Returns the cells of a column.
    pub(super) fn column(&self, index: usize) -> Option<Column<'t, 't>> {
        let table = self.table;
        let Some(field) = self.field(index) else { return (index == 0).then_some(Column::Name(table)) };
        let column = TypedColumn::of(table, field)?;
        Some(match self.words {
            Some(words) if self.is_words(index) => Column::Words(column, words),
            _ => Column::Field(column),
        })
    }
}

impl<'a> Column<'_, 'a> {
    /// Returns whether the cells are in the pool of strings.
    pub(super) const fn has_strings(&self) -> bool {
        matches!(self, Self::Field(TypedColumn::Text(_) | TypedColumn::Element(_)))
    }

    /// Returns the value of a cell.
    pub(super) fn get(&self, row: usize) -> Option<Value<'a>> {
        match self {
            Self::Name(table) => Some(Value::Text(Some(table.get(row)?.name()))),
            Self::Field(column) => column.get(row),
            Self::Words(keys, words) => match keys.get(row)? {
                Value::Text(key) => Some(Value::Text(key.and_then(|key| words.of(key)).map(str::as_bytes))),
                _ => None,
            },
        }
    }

    /// Returns the bytes of a text; `None` for numbers. A text outside of the pool is empty, as in all tables that are
    /// written.
    pub(super) fn bytes(&self, row: usize) -> Option<&'a [u8]> {
        if let Value::Text(text) = self.get(row)? { Some(text.unwrap_or_default()) } else { None }
    }

    /// Appends a cell as text, at most so many bytes of it.
    pub(super) fn text(&self, row: usize, most: usize, out: &mut String) {
        match self.get(row) {
            None => {}
            Some(Value::Text(text)) => {
                let bytes = text.unwrap_or_default();
                out.push_str(&utf8(cut(bytes, most)));
                if bytes.len() > most {
                    out.push('…');
                }
            }
            Some(Value::F32(value)) => worldview_inspect::float(value, out),
            // Writing to a string cannot fail.
            Some(integer) => _ = write!(out, "{integer}"),
        }
    }
}

/// Returns the beginning of a text, without a half character at its end.
pub(super) fn cut(bytes: &[u8], most: usize) -> &[u8] {
    let Some(start) = bytes.get(..most) else { return bytes };
    let whole = (0..4).map(|less| most.saturating_sub(less)).find(|&end| {
        // The byte after the end begins a character.
        bytes.get(end).is_none_or(|byte| byte & 0xC0 != 0x80)
    });
    whole.and_then(|end| bytes.get(..end)).unwrap_or(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_between_characters() {
        for (text, most, start) in
            [("abc", 5, "abc"), ("abc", 2, "ab"), ("aä", 2, "a"), ("aä", 3, "aä"), ("日本", 4, "日"), ("日本", 5, "日")]
        {
            assert_eq!(cut(text.as_bytes(), most), start.as_bytes(), "{text} {most}");
        }
        assert_eq!(cut(&[0x80; 8], 6), &[0x80; 6]);
    }
}
