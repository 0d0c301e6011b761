//! The columns of a table, and their cells.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::Arc;

use worldview::describe::Span;
use worldview::wpd::{self, Element, Field, FieldKind, Row, Table, ValueType};
use worldview_export::table::{WORDS, Words};
use worldview_inspect::utf8;

use crate::answer::Failed;
use crate::files::Opened;
use crate::state::State;

/// The name of the column with the names of the records: the field of a record that has its name.
const RECORD: &[u8] = b"record";

/// The number of rows that are looked at together.
const PIECE: usize = 256;

/// The fields of bits that no field of the table owns, as far as any of them is set: they are columns, too.
struct Unowned(Vec<Field<'static>>);

impl Unowned {
    /// Reads all records. Not in parallel: a thread that waits for others may take up another request for the same
    /// columns, and would wait for itself.
    fn of(table: &Table<'_>) -> Self {
        let fields: Vec<_> = table.unowned_bits().collect();
        let mut columns: Vec<_> = fields.iter().map(|field| (table.column_of::<u32>(field), false)).collect();
        // All columns of some rows at once: each record is read once.
        for first in (0..table.len()).step_by(PIECE) {
            for (column, is_set) in columns.iter_mut().filter(|(_, is_set)| !is_set) {
                let mut bits = (first..).take(PIECE).filter_map(|row| column.as_ref()?.get(row));
                *is_set = bits.any(|bits| bits != 0);
            }
        }
        let set = fields.into_iter().zip(columns).filter(|(_, (_, is_set))| *is_set);
        Self(set.map(|(field, _)| field).collect())
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
    Name(&'t Table<'a>),
    I32(wpd::Column<'t, 'a, i32>),
    U32(wpd::Column<'t, 'a, u32>),
    F32(wpd::Column<'t, 'a, f32>),
    U64(wpd::Column<'t, 'a, u64>),
    Text(wpd::Column<'t, 'a, &'a [u8]>),
    Element(wpd::Column<'t, 'a, Element<'a>>),
    /// The words for the keys of a column.
    Words(Box<Self>, &'a Words),
}

impl<'t> Columns<'t> {
    /// Returns the columns of an opened table.
    pub(super) fn of(state: &'t State, opened: &Arc<Opened>, table: &'t Table<'t>) -> Result<Self, Failed> {
        let words = state.words.as_ref();
        let unowned = opened.made(|_| Ok::<_, Failed>(Unowned::of(table)))?;
        let count = 1 + table.fields().len() + unowned.0.len();
        let all = Places((0..count).map(|base| (base, false)).collect());
        let mut columns = Self { table, words, unowned, order: Arc::new(all) };
        if let Some(words) = words {
            let places = |base| {
                let keys = columns.column(base).filter(|keys| matches!(keys, Column::Text(_) | Column::Element(_)));
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
        let column = match field.kind().value_type() {
            ValueType::I32 => Column::I32(table.column_of(field)?),
            ValueType::U32 => Column::U32(table.column_of(field)?),
            ValueType::F32 => Column::F32(table.column_of(field)?),
            ValueType::U64 => Column::U64(table.column_of(field)?),
            ValueType::Text => match table.column_of(field) {
                Some(column) => Column::Text(column),
                None => Column::Element(table.column_of(field)?),
            },
        };
        Some(match self.words {
            Some(words) if self.is_words(index) => Column::Words(Box::new(column), words),
            _ => column,
        })
    }
}

impl<'a> Column<'_, 'a> {
    /// Returns the bytes of a text; `None` for numbers. A text outside of the pool is empty, as in all tables that are
    /// written.
    pub(super) fn bytes(&self, row: usize) -> Option<&'a [u8]> {
        match self {
            Self::Name(table) => Some(table.get(row)?.name()),
            Self::Text(column) => column.get(row),
            Self::Element(column) => Some(column.get(row)?.text.unwrap_or_default()),
            Self::Words(keys, words) => Some(words.of(keys.bytes(row)?).unwrap_or_default().as_bytes()),
            _ => None,
        }
    }

    /// Returns a number; `None` for texts.
    #[expect(clippy::cast_precision_loss, reason = "plots need no more than 53 bits")]
    pub(super) fn number(&self, row: usize) -> Option<f64> {
        Some(match self {
            Self::I32(column) => column.get(row)?.into(),
            Self::U32(column) => column.get(row)?.into(),
            Self::F32(column) => column.get(row)?.into(),
            Self::U64(column) => column.get(row)? as f64,
            Self::Name(_) | Self::Text(_) | Self::Element(_) | Self::Words(..) => return None,
        })
    }

    /// Appends a cell as text, at most so many bytes of it.
    pub(super) fn text(&self, row: usize, most: usize, out: &mut String) {
        // Writing to a string cannot fail.
        let _ = match self {
            Self::I32(column) => column.get(row).map_or(Ok(()), |value| write!(out, "{value}")),
            Self::U32(column) => column.get(row).map_or(Ok(()), |value| write!(out, "{value}")),
            Self::U64(column) => column.get(row).map_or(Ok(()), |value| write!(out, "{value}")),
            Self::F32(column) => {
                if let Some(value) = column.get(row) {
                    worldview_inspect::float(value, out);
                }
                Ok(())
            }
            Self::Name(_) | Self::Text(_) | Self::Element(_) | Self::Words(..) => {
                let bytes = self.bytes(row).unwrap_or_default();
                out.push_str(&utf8(cut(bytes, most)));
                if bytes.len() > most {
                    out.push('…');
                }
                Ok(())
            }
        };
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
