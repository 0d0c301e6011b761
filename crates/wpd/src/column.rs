mod value;

use core::fmt;
use std::slice;

use worldview_core::Source;
use zerocopy::FromBytes as _;

use crate::plan::{Field, FieldKind};
use crate::records::{Records, RowIndex, data};
use crate::table::Table;

pub(crate) use value::Bits;
use value::FieldDecoder;
pub use value::{ColumnType, Element, Value};

/// Error returned when a field cannot be read as a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    field: Box<str>,
    has: Option<FieldKind>,
    asked: &'static str,
}

impl FieldError {
    /// Returns what the field holds instead of the requested type, or `None` if there is no field of that name.
    pub const fn has(&self) -> Option<FieldKind> {
        self.has
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.has {
            None => write!(f, "the table has no field {:?}", self.field),
            Some(kind) => {
                let (field, has, kind, asked) = (&self.field, kind.value_type().name(), kind.name(), self.asked);
                write!(f, "the field {field:?} holds {has} ({kind}), and was asked for as {asked}")
            }
        }
    }
}

impl std::error::Error for FieldError {}

impl<'a> Table<'a> {
    /// Returns one field of every record, as one type. The name and the type are checked once, here.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no field of that name, if it holds another type, or if a record of an
    /// [unverified](crate::Archive::parse_unverified) archive is too short.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let file: &[u8] = include_bytes!("../../../samples/items.wdb");
    /// let table = worldview_wpd::Table::parse(file)?;
    /// let prices = table.column::<u32>("uPurchasePrice")?;
    /// assert_eq!(prices.len(), table.len());
    /// let total: u64 = prices.iter().map(u64::from).sum();
    /// # let _ = total;
    /// # Ok(())
    /// # }
    /// ```
    pub fn column<T: ColumnType<'a>>(
        &self,
        name: impl AsRef<[u8]>,
    ) -> core::result::Result<Column<'_, 'a, T>, FieldError> {
        Column::by_name(self, name.as_ref())
    }

    /// Returns the column of a field, or `None` if the field holds another type, or if it lies past the end of the records. That is
    /// so if it belongs to another table, or if a record of an [unverified](crate::Archive::parse_unverified) archive is too short.
    pub fn column_of<T: ColumnType<'a>>(&self, field: &Field<'_>) -> Option<Column<'_, 'a, T>> {
        Column::of(self, field)
    }
}

/// One field of every record, in row order.
#[derive(Clone, Copy)]
pub struct Column<'t, 'a, T: ColumnType<'a>> {
    records: Records<'t, 'a>,
    at: usize,
    decoder: FieldDecoder<'t, 'a>,
    of: core::marker::PhantomData<T>,
}

impl<'a, T: ColumnType<'a>> core::fmt::Debug for Column<'_, 'a, T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Column").field("type", &T::NAME).field("len", &self.len()).finish_non_exhaustive()
    }
}

impl<'t, 'a, T: ColumnType<'a>> Column<'t, 'a, T> {
    fn by_name(table: &'t Table<'a>, name: &[u8]) -> Result<Self, FieldError> {
        let error = |has| FieldError { field: String::from_utf8_lossy(name).into(), has, asked: T::NAME };
        let field = table.field(name).ok_or_else(|| error(None))?;
        Self::of(table, field).ok_or_else(|| error(Some(field.kind())))
    }

    pub(crate) fn of(table: &'t Table<'a>, field: &Field<'_>) -> Option<Self> {
        let end = u32::try_from(field.byte().checked_add(size_of::<T::Raw>())?).ok()?;
        let reaches = |record: &[u8]| u32::try_from(record.len()).is_ok_and(|len| end <= len);
        let is_verified = table.archive().run().is_some() || table.rows().all(|row| reaches(row.data()));
        (T::accepts(field.kind()) && end <= table.record_size() && is_verified).then(|| Self {
            records: table.records(),
            at: field.byte(),
            decoder: FieldDecoder::of(table, field),
            of: core::marker::PhantomData,
        })
    }

    /// Returns the number of values, which is the number of the table's rows.
    #[inline]
    pub fn len(&self) -> usize {
        match self.records {
            Records::Dense(bytes, size) => bytes.len().checked_div(size).unwrap_or(0),
            Records::Listed(_, row_entries) => row_entries.len(),
        }
    }

    /// Returns whether there are no rows.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the value in one row.
    // If this is not inlined, each value of a row costs a call: 1.6% of all instructions when writing NDJSON.
    #[inline(always)]
    pub fn get(&self, row: usize) -> Option<T> {
        let record = match self.records {
            Records::Dense(bytes, size) => bytes.get(row.checked_mul(size)?..)?,
            Records::Listed(source, row_entries) => data(source, row_entries.get(row)?),
        };
        let (raw, _) = T::Raw::read_from_prefix(record.get(self.at..)?).ok()?;
        Some(T::decode(raw, &self.decoder))
    }

    /// Returns an iterator over the values, in row order.
    #[inline]
    pub fn iter(&self) -> ColumnIter<'t, 'a, T> {
        let from = match self.records {
            Records::Dense(bytes, size) if size == size_of::<T::Raw>() => {
                RawValues::Array(<[T::Raw]>::ref_from_bytes(bytes).unwrap_or(&[]).iter())
            }
            // Skips the bytes before the field once, so that each piece begins with the field.
            Records::Dense(bytes, size) => RawValues::Strided(bytes.get(self.at..).unwrap_or(&[]), size.max(1)),
            Records::Listed(source, row_entries) => RawValues::Listed(source, row_entries, 0, self.at),
        };
        ColumnIter { from, decoder: self.decoder }
    }

    /// Copies the values of the first rows into `out`, as many as both hold, and returns how many.
    ///
    /// ```
    /// # fn main() -> worldview_wpd::Result<()> {
    /// # let file: &[u8] = include_bytes!("../../../samples/items.wdb");
    /// let table = worldview_wpd::Table::parse(file)?;
    /// let prices = table.column_of::<u32>(table.field("uPurchasePrice").expect("a field")).expect("numbers");
    /// let mut out = vec![0; prices.len()]; // reused for the next column
    /// assert_eq!(prices.copy_to(&mut out), table.len());
    /// # Ok(())
    /// # }
    /// ```
    pub fn copy_to(&self, out: &mut [T]) -> usize {
        let count = out.len().min(self.len());
        // A separate loop for each layout of the records avoids a branch for each value.
        match self.iter().from {
            RawValues::Array(..) => self.iter().zip(out).for_each(|(value, out)| *out = value),
            RawValues::Strided(bytes, size) => out.iter_mut().zip(bytes.chunks(size)).for_each(|(out, piece)| {
                if let Ok((raw, _)) = T::Raw::read_from_prefix(piece) {
                    *out = T::decode(raw, &self.decoder);
                }
            }),
            RawValues::Listed(..) => out.iter_mut().zip(self.iter()).for_each(|(out, value)| *out = value),
        }
        count
    }
}

impl<'t, 'a, T: ColumnType<'a>> IntoIterator for Column<'t, 'a, T> {
    type Item = T;
    type IntoIter = ColumnIter<'t, 'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'t, 'a, T: ColumnType<'a>> IntoIterator for &Column<'t, 'a, T> {
    type Item = T;
    type IntoIter = ColumnIter<'t, 'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[derive(Clone, Debug)]
enum RawValues<'t, 'a, R> {
    Array(slice::Iter<'a, R>),
    /// From the first value on, with a value at the beginning of every piece of this size. The last piece is shorter.
    Strided(&'a [u8], usize),
    Listed(Source<'a>, RowIndex<'t, 'a>, usize, usize),
}

/// An iterator over the values of a column, in row order.
#[derive(Clone)]
pub struct ColumnIter<'t, 'a, T: ColumnType<'a>> {
    from: RawValues<'t, 'a, T::Raw>,
    decoder: FieldDecoder<'t, 'a>,
}

impl<'a, T: ColumnType<'a>> core::fmt::Debug for ColumnIter<'_, 'a, T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("ColumnIter").field("type", &T::NAME).field("left", &self.size_hint().0).finish_non_exhaustive()
    }
}

impl<'a, T: ColumnType<'a>> Iterator for ColumnIter<'_, 'a, T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        let raw = match &mut self.from {
            RawValues::Array(words) => *words.next()?,
            RawValues::Strided(bytes, size) => {
                let raw = T::Raw::read_from_prefix(bytes).ok()?.0;
                *bytes = bytes.get(*size..).unwrap_or(&[]);
                raw
            }
            RawValues::Listed(source, row_entries, row, at) => {
                let record = data(*source, row_entries.get(*row)?);
                *row = row.saturating_add(1);
                T::Raw::read_from_prefix(record.get(*at..)?).ok()?.0
            }
        };
        Some(T::decode(raw, &self.decoder))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = match &self.from {
            RawValues::Array(words) => words.len(),
            RawValues::Strided(bytes, size) => bytes.len().div_ceil(*size),
            RawValues::Listed(_, row_entries, row, _) => row_entries.len().saturating_sub(*row),
        };
        (left, Some(left))
    }

    #[inline]
    fn fold<B, F: FnMut(B, T) -> B>(self, init: B, mut fold: F) -> B {
        let decoder = self.decoder;
        match self.from {
            RawValues::Array(words) => match decoder.of_whole_word() {
                Some(decoder) => words.fold(init, |all, &raw| fold(all, T::decode(raw, &decoder))),
                None => words.fold(init, |all, &raw| fold(all, T::decode(raw, &decoder))),
            },
            RawValues::Strided(bytes, size) => {
                let mut add = |all, piece: &[u8]| match T::Raw::read_from_prefix(piece) {
                    Ok((raw, _)) => fold(all, T::decode(raw, &decoder)),
                    Err(_) => all,
                };
                let pieces = bytes.chunks_exact(size);
                let last = pieces.remainder();
                let all = pieces.fold(init, &mut add);
                add(all, last)
            }
            RawValues::Listed(source, row_entries, row, at) => (row..row_entries.len()).fold(init, |all, row| {
                let record = row_entries.get(row).and_then(|entry| data(source, entry).get(at..));
                match record.and_then(|record| T::Raw::read_from_prefix(record).ok()) {
                    Some((raw, _)) => fold(all, T::decode(raw, &decoder)),
                    None => all,
                }
            }),
        }
    }
}

impl<'a, T: ColumnType<'a>> ExactSizeIterator for ColumnIter<'_, 'a, T> {}
impl<'a, T: ColumnType<'a>> core::iter::FusedIterator for ColumnIter<'_, 'a, T> {}

worldview_core::assert_send_sync!(Column<'_, '_, u32>, ColumnIter<'_, '_, &[u8]>, Value<'_>);
