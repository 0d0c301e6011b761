use std::borrow::Cow;
use std::collections::HashMap;

use worldview_wpd::{Column, Element, Field, StringArray, Table, Value, ValueType};

use super::{Selection, budget::Budgets};
use crate::{Error, Result};
use worldview_inspect::utf8;

/// A field, with the conversion of its values determined once for all records.
pub(super) struct Cells<'t, 'a> {
    pub(super) field: Cow<'t, Field<'a>>,
    pub(super) column: TypedColumn<'t, 'a>,
}

/// A column of one of the value types, which is determined once for all records.
#[derive(Clone, Copy, Debug)]
pub enum TypedColumn<'t, 'a> {
    /// Signed integers.
    I32(Column<'t, 'a, i32>),
    /// Unsigned integers, or words of unknown layout.
    U32(Column<'t, 'a, u32>),
    /// Floats.
    F32(Column<'t, 'a, f32>),
    /// Unsigned integers of two words.
    U64(Column<'t, 'a, u64>),
    /// Strings.
    Text(Column<'t, 'a, Option<&'a [u8]>>),
    /// Elements of string arrays.
    Element(Column<'t, 'a, Element<'a>>),
}

impl<'t, 'a> TypedColumn<'t, 'a> {
    /// Returns the column of a field, or `None` as [`Table::column_of`] does.
    pub fn of(table: &'t Table<'a>, field: &Field<'_>) -> Option<Self> {
        Some(match field.kind().value_type() {
            ValueType::I32 => Self::I32(table.column_of(field)?),
            ValueType::U32 => Self::U32(table.column_of(field)?),
            ValueType::F32 => Self::F32(table.column_of(field)?),
            ValueType::U64 => Self::U64(table.column_of(field)?),
            ValueType::Text => match table.column_of(field) {
                Some(column) => Self::Text(column),
                None => Self::Element(table.column_of(field)?),
            },
        })
    }

    /// Returns the value in a row. Every row of a table has one.
    // When inlined, this match merges with that of the caller.
    #[inline(always)]
    pub fn get(&self, row: usize) -> Option<Value<'a>> {
        Some(match self {
            Self::I32(column) => Value::I32(column.get(row)?),
            Self::U32(column) => Value::U32(column.get(row)?),
            Self::F32(column) => Value::F32(column.get(row)?),
            Self::U64(column) => Value::U64(column.get(row)?),
            Self::Text(column) => Value::Text(column.get(row)?),
            Self::Element(column) => Value::Text(column.get(row)?.text),
        })
    }
}

impl<'t, 'a> Cells<'t, 'a> {
    fn of(table: &'t Table<'a>, field: Cow<'t, Field<'a>>) -> Option<Self> {
        let column = TypedColumn::of(table, &field)?;
        Some(Self { field, column })
    }

    /// Whether a column of bits has one that is set.
    fn any_set(&self, rows: &Rows) -> bool {
        let TypedColumn::U32(column) = &self.column else { return false };
        let all = match rows {
            Rows::All(_) => column.iter().fold(0, |all, bits| all | bits),
            Rows::Some(rows) => rows.iter().filter_map(|&row| column.get(row)).fold(0, |all, bits| all | bits),
        };
        all != 0
    }

    #[inline(always)]
    pub(super) fn get(&self, row: usize) -> Option<Value<'a>> {
        self.column.get(row)
    }
}

/// The columns of the fields that are selected. Of all fields, behind them those of the bits that no field owns and that are
/// not zero in all rows; the rows are paid for.
fn columns<'t, 'a>(table: &'t Table<'a>, selection: &Selection<'_>, rows: &Rows) -> Result<Vec<Cells<'t, 'a>>> {
    let Some(names) = selection.fields else {
        let fields = table.fields().iter().filter_map(|field| Cells::of(table, Cow::Borrowed(field)));
        let bits = table.unowned_bits().filter_map(|bits| Cells::of(table, Cow::Owned(bits)));
        return Ok(fields.chain(bits.filter(|bits| bits.any_set(rows))).collect());
    };
    let mut columns: Vec<Cells<'t, 'a>> = Vec::with_capacity(names.len());
    for &name in names {
        let bits = || table.unowned_bits().find(|bits| bits.name() == name).map(Cow::Owned);
        let field = table.field(name).map(Cow::Borrowed).or_else(bits);
        let cells = field.and_then(|field| Cells::of(table, field));
        let cells = cells.ok_or_else(|| Error::Unknown { what: "field", name: utf8(name).into() })?;
        if columns.iter().all(|other| other.field.name() != name) {
            columns.push(cells);
        }
    }
    Ok(columns)
}

/// The selected rows.
pub(super) enum Rows {
    /// This many rows, starting at the first.
    All(usize),
    /// The rows with these indices.
    Some(Vec<usize>),
}

impl Rows {
    pub(super) fn of(table: &Table<'_>, selection: &Selection<'_>) -> Result<Self> {
        if let Some(rows) = selection.rows {
            return Ok(Self::Some(rows.iter().copied().filter(|row| *row < table.len()).collect()));
        }
        let Some(names) = selection.records else { return Ok(Self::All(table.len())) };
        let mut places = HashMap::with_capacity(names.len());
        for (place, &name) in names.iter().enumerate() {
            places.entry(name).or_insert((place, Vec::new()));
        }
        if table.archive().is_sorted() {
            for (name, (_, rows)) in &mut places {
                rows.extend(table.by_name(name).map(|row| row.index()));
            }
        } else {
            for row in table.rows() {
                if let Some((_, rows)) = places.get_mut(row.name()) {
                    rows.push(row.index());
                }
            }
        }
        let mut found: Vec<_> = places.into_iter().map(|(name, (place, rows))| (place, name, rows)).collect();
        found.sort_unstable_by_key(|(place, ..)| *place);
        if let Some((_, name, _)) = found.iter().find(|(.., rows)| rows.is_empty()) {
            return Err(Error::Unknown { what: "record", name: utf8(name).into() });
        }
        Ok(Self::Some(found.into_iter().flat_map(|(.., rows)| rows).collect()))
    }

    pub(super) const fn len(&self) -> usize {
        match self {
            Self::All(count) => *count,
            Self::Some(rows) => rows.len(),
        }
    }

    /// Returns the index in the table of the `index`-th selected row.
    #[inline]
    pub(super) fn row(&self, index: usize) -> usize {
        match self {
            Self::All(_) => index,
            Self::Some(rows) => rows.get(index).copied().unwrap_or(usize::MAX),
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        (0..self.len()).map(|index| self.row(index))
    }
}

/// Returns the fields that have a string array, each with its array.
pub(super) fn arrays<'t, 'a>(table: &'t Table<'a>) -> impl Iterator<Item = (&'t Field<'a>, StringArray<'t, 'a>)> {
    let arrays = table.string_arrays();
    table.fields().iter().filter_map(move |field| Some((field, arrays.get(field.array()?)?)))
}

/// What is selected, and the budgets after charging the rows.
pub(super) struct Selected<'t, 'a> {
    pub(super) rows: Rows,
    pub(super) columns: Vec<Cells<'t, 'a>>,
    /// The value of the column `sheet`, if there is such a column.
    pub(super) sheet: Option<Option<String>>,
    pub(super) budgets: Budgets,
}

impl<'t, 'a> Selected<'t, 'a> {
    pub(super) fn of(table: &'t Table<'a>, selection: &Selection<'_>) -> Result<Self> {
        let rows = Rows::of(table, selection)?;
        let mut budgets = Budgets::new(table);
        budgets.rows(table, rows.len())?;
        let columns = columns(table, selection, &rows)?;
        let has_column = selection.sheet && columns.iter().all(|cells| cells.field.name() != b"sheet");
        let sheet = has_column.then(|| super::sheet(table).map(Cow::into_owned));
        let bytes = sheet.as_ref().map_or(0, |name| name.as_ref().map_or(0, String::len));
        budgets.text((bytes as u64).saturating_mul(rows.len() as u64))?;
        Ok(Self { rows, columns, sheet, budgets })
    }
}
