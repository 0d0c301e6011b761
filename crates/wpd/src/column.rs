use core::fmt;
use std::slice;

use worldview_core::Source;
use zerocopy::FromBytes as _;
use zerocopy::big_endian::{U32, U64};

use crate::plan::{Field, FieldKind};
use crate::raw::Entry;
use crate::strings::{StringArray, Strings};
use crate::table::Table;

/// A string-array field's value: which element, and its string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element<'a> {
    /// Which element of the field's array.
    pub index: u32,
    /// Its string; none where the index lies outside the array, or the array's offset outside the strings.
    pub text: Option<&'a [u8]>,
}

/// Why a column cannot be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    field: Box<str>,
    has: Option<FieldKind>,
    asked: &'static str,
}

impl FieldError {
    /// What the field holds instead of the type asked for; none if there is no field of that name.
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

/// How a value comes out of a record; settled once a column.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Recipe<'a> {
    // As `shifts` says.
    left: u32,
    right: u32,
    strings: Strings<'a>,
    array: StringArray<'a>,
}

impl<'a> Recipe<'a> {
    fn of(table: &Table<'a>, field: &Field<'_>) -> Self {
        let (left, right) = shifts(field);
        Self {
            left,
            right,
            strings: table.strings(),
            array: field.array().and_then(|array| table.string_arrays().get(array)).unwrap_or(StringArray::NONE),
        }
    }

    #[inline]
    const fn unsigned(&self, word: u32) -> u32 {
        unsigned(word, self.left, self.right)
    }

    #[inline]
    const fn signed(&self, word: u32) -> i32 {
        signed(word, self.left, self.right)
    }

    /// The same recipe where the field is all of its word, told in a way that lets the compiler leave the shifts out.
    #[inline]
    const fn of_whole_word(&self) -> Option<Self> {
        match self {
            Self { left: 0, right: 0, strings, array } => {
                Some(Self { left: 0, right: 0, strings: *strings, array: *array })
            }
            _ => None,
        }
    }
}

/// The left shift that drops the bits above a field, and the right one that drops all but it.
#[inline]
fn shifts(field: &Field<'_>) -> (u32, u32) {
    let width = u32::from(field.width()).min(32);
    let right = 32_u32.saturating_sub(width);
    (right.saturating_sub(field.bit().into()), right)
}

// Shifts of 32 and more do not occur: a field is at least one bit wide. Masked, they cost nothing.
#[inline]
const fn unsigned(word: u32, left: u32, right: u32) -> u32 {
    word.wrapping_shl(left).wrapping_shr(right)
}

#[inline]
const fn signed(word: u32, left: u32, right: u32) -> i32 {
    word.wrapping_shl(left).cast_signed().wrapping_shr(right)
}

/// A type that a column can be read as: `u32`, `i32`, `f32`, `u64`, `&[u8]`, `Option<&[u8]>` and [`Element`].
///
/// A string that lies outside the pool is none as `Option<&[u8]>` and empty as `&[u8]`.
pub trait ColumnType<'a>: Copy + sealed::Sealed {
    #[doc(hidden)]
    type Raw: zerocopy::FromBytes + zerocopy::KnownLayout + zerocopy::Immutable + zerocopy::Unaligned + Copy + 'static;

    #[doc(hidden)]
    const NAME: &'static str;

    #[doc(hidden)]
    fn accepts(kind: FieldKind) -> bool;

    #[doc(hidden)]
    fn decode(raw: Self::Raw, recipe: &Recipe<'a>) -> Self;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for u32 {}
    impl Sealed for i32 {}
    impl Sealed for f32 {}
    impl Sealed for u64 {}
    impl Sealed for &[u8] {}
    impl Sealed for Option<&[u8]> {}
    impl Sealed for super::Element<'_> {}
}

impl<'a> ColumnType<'a> for u32 {
    type Raw = U32;
    const NAME: &'static str = "u32";

    fn accepts(kind: FieldKind) -> bool {
        matches!(kind, FieldKind::Uint | FieldKind::BitsUint | FieldKind::Raw)
    }

    #[inline]
    fn decode(raw: U32, recipe: &Recipe<'a>) -> Self {
        recipe.unsigned(raw.get())
    }
}

impl<'a> ColumnType<'a> for i32 {
    type Raw = U32;
    const NAME: &'static str = "i32";

    fn accepts(kind: FieldKind) -> bool {
        matches!(kind, FieldKind::Int | FieldKind::BitsInt | FieldKind::BitsFixed)
    }

    #[inline]
    fn decode(raw: U32, recipe: &Recipe<'a>) -> Self {
        recipe.signed(raw.get())
    }
}

impl<'a> ColumnType<'a> for f32 {
    type Raw = U32;
    const NAME: &'static str = "f32";

    fn accepts(kind: FieldKind) -> bool {
        kind == FieldKind::Float
    }

    #[inline]
    fn decode(raw: U32, _: &Recipe<'a>) -> Self {
        Self::from_bits(raw.get())
    }
}

impl<'a> ColumnType<'a> for u64 {
    type Raw = U64;
    const NAME: &'static str = "u64";

    fn accepts(kind: FieldKind) -> bool {
        kind == FieldKind::Uint64
    }

    #[inline]
    fn decode(raw: Self::Raw, _: &Recipe<'a>) -> Self {
        raw.get()
    }
}

impl<'a> ColumnType<'a> for Option<&'a [u8]> {
    type Raw = U32;
    const NAME: &'static str = "a string";

    fn accepts(kind: FieldKind) -> bool {
        kind == FieldKind::String
    }

    #[inline]
    fn decode(raw: U32, recipe: &Recipe<'a>) -> Self {
        recipe.strings.get(raw.get())
    }
}

impl<'a> ColumnType<'a> for &'a [u8] {
    type Raw = U32;
    const NAME: &'static str = "a string";

    fn accepts(kind: FieldKind) -> bool {
        kind == FieldKind::String
    }

    #[inline]
    fn decode(raw: U32, recipe: &Recipe<'a>) -> Self {
        recipe.strings.get(raw.get()).unwrap_or(&[])
    }
}

impl<'a> ColumnType<'a> for Element<'a> {
    type Raw = U32;
    const NAME: &'static str = "an element of a string array";

    fn accepts(kind: FieldKind) -> bool {
        kind == FieldKind::Element
    }

    #[inline]
    fn decode(raw: U32, recipe: &Recipe<'a>) -> Self {
        let index = recipe.unsigned(raw.get());
        Self { index, text: recipe.array.get(index) }
    }
}

/// Any field of 32 bits or fewer as its bare bits, for checks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bits(pub(crate) u32);

impl sealed::Sealed for Bits {}

impl<'a> ColumnType<'a> for Bits {
    type Raw = U32;
    const NAME: &'static str = "bits";

    fn accepts(kind: FieldKind) -> bool {
        kind != FieldKind::Uint64
    }

    #[inline]
    fn decode(raw: U32, recipe: &Recipe<'a>) -> Self {
        Self(recipe.unsigned(raw.get()))
    }
}

impl<'t, 'a> Column<'t, 'a, Bits> {
    /// All bits of the word that a field lies in.
    pub(crate) fn whole_word(table: &'t Table<'a>, field: &Field<'_>) -> Self {
        let recipe = Recipe { left: 0, right: 0, ..Recipe::of(table, field) };
        Self { records: table.records(), at: field.byte(), recipe, of: core::marker::PhantomData }
    }
}

/// The bytes of a table's records, in row order.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Records<'t, 'a> {
    /// One after the other without a gap, as in every known table: their bytes, and the size of one.
    Dense(&'a [u8], usize),
    /// Wherever the entries say.
    Listed(Source<'a>, Picks<'t, 'a>),
}

/// The entries that are rows.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Picks<'t, 'a> {
    /// All of these.
    All(&'a [Entry]),
    /// Those of these numbers.
    Chosen(&'a [Entry], &'t [u32]),
}

impl<'t, 'a> Picks<'t, 'a> {
    #[inline]
    pub(crate) const fn len(&self) -> usize {
        match self {
            Self::All(entries) => entries.len(),
            Self::Chosen(_, picks) => picks.len(),
        }
    }

    #[inline]
    pub(crate) fn get(&self, row: usize) -> Option<&'a Entry> {
        match self {
            Self::All(entries) => entries.get(row),
            Self::Chosen(entries, picks) => picks.get(row).and_then(|&index| entries.get(usize::try_from(index).ok()?)),
        }
    }
}

/// One field of every record, in row order.
#[derive(Clone, Copy, Debug)]
pub struct Column<'t, 'a, T: ColumnType<'a>> {
    records: Records<'t, 'a>,
    at: usize,
    recipe: Recipe<'a>,
    of: core::marker::PhantomData<T>,
}

impl<'t, 'a, T: ColumnType<'a>> Column<'t, 'a, T> {
    pub(crate) fn settle(table: &'t Table<'a>, name: &str) -> Result<Self, FieldError> {
        let error = |has| FieldError { field: name.into(), has, asked: T::NAME };
        let field = table.field(name.as_bytes()).ok_or_else(|| error(None))?;
        Self::of(table, field).ok_or_else(|| error(Some(field.kind())))
    }

    pub(crate) fn of(table: &'t Table<'a>, field: &Field<'_>) -> Option<Self> {
        T::accepts(field.kind()).then(|| Self {
            records: table.records(),
            at: field.byte(),
            recipe: Recipe::of(table, field),
            of: core::marker::PhantomData,
        })
    }

    /// Number of values: the table's rows.
    #[inline]
    pub fn len(&self) -> usize {
        match self.records {
            Records::Dense(bytes, size) => bytes.len().checked_div(size).unwrap_or(0),
            Records::Listed(_, picks) => picks.len(),
        }
    }

    /// Whether there are no rows.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value of one row.
    #[inline]
    pub fn get(&self, row: usize) -> Option<T> {
        let record = match self.records {
            Records::Dense(bytes, size) => bytes.get(row.checked_mul(size)?..)?,
            Records::Listed(source, picks) => data(source, picks.get(row)?),
        };
        let (raw, _) = T::Raw::read_from_prefix(record.get(self.at..)?).ok()?;
        Some(T::decode(raw, &self.recipe))
    }

    /// The values, row after row.
    #[inline]
    pub fn iter(&self) -> ColumnIter<'t, 'a, T> {
        let from = match self.records {
            Records::Dense(bytes, size) if size == size_of::<T::Raw>() => {
                Walk::Array(<[T::Raw]>::ref_from_bytes(bytes).unwrap_or(&[]).iter())
            }
            // The bytes before the field are cut off at the front, so that each piece begins with the field.
            Records::Dense(bytes, size) => Walk::Strided(bytes.get(self.at..).unwrap_or(&[]).chunks(size.max(1))),
            Records::Listed(source, picks) => Walk::Listed(source, picks, 0, self.at),
        };
        ColumnIter { from, recipe: self.recipe }
    }

    /// Copies the values of the first rows into a slice, and says how many: the shorter of the two.
    pub fn copy_to(&self, out: &mut [T]) -> usize {
        let count = out.len().min(self.len());
        // One loop for each way in which records can lie, so that none asks again for every value.
        match self.iter().from {
            Walk::Array(words) => match self.recipe.of_whole_word() {
                Some(recipe) => out.iter_mut().zip(words).for_each(|(out, &raw)| *out = T::decode(raw, &recipe)),
                None => out.iter_mut().zip(words).for_each(|(out, &raw)| *out = T::decode(raw, &self.recipe)),
            },
            Walk::Strided(pieces) => out.iter_mut().zip(pieces).for_each(|(out, piece)| {
                if let Ok((raw, _)) = T::Raw::read_from_prefix(piece) {
                    *out = T::decode(raw, &self.recipe);
                }
            }),
            Walk::Listed(..) => out.iter_mut().zip(self.iter()).for_each(|(out, value)| *out = value),
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

/// The data of a row.
#[inline]
pub(crate) fn data<'a>(source: Source<'a>, entry: &Entry) -> &'a [u8] {
    source.slice(entry.offset.get().into(), entry.size.get().into(), "record").unwrap_or(&[])
}

#[derive(Clone, Debug)]
enum Walk<'t, 'a, R> {
    Array(slice::Iter<'a, R>),
    Strided(slice::Chunks<'a, u8>),
    Listed(Source<'a>, Picks<'t, 'a>, usize, usize),
}

/// The values of a column, row after row.
#[derive(Clone, Debug)]
pub struct ColumnIter<'t, 'a, T: ColumnType<'a>> {
    from: Walk<'t, 'a, T::Raw>,
    recipe: Recipe<'a>,
}

impl<'a, T: ColumnType<'a>> Iterator for ColumnIter<'_, 'a, T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        let raw = match &mut self.from {
            Walk::Array(words) => *words.next()?,
            Walk::Strided(pieces) => T::Raw::read_from_prefix(pieces.next()?).ok()?.0,
            Walk::Listed(source, picks, row, at) => {
                let record = data(*source, picks.get(*row)?);
                *row = row.saturating_add(1);
                T::Raw::read_from_prefix(record.get(*at..)?).ok()?.0
            }
        };
        Some(T::decode(raw, &self.recipe))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = match &self.from {
            Walk::Array(words) => words.len(),
            Walk::Strided(pieces) => pieces.len(),
            Walk::Listed(_, picks, row, _) => picks.len().saturating_sub(*row),
        };
        (left, Some(left))
    }

    #[inline]
    fn fold<B, F: FnMut(B, T) -> B>(self, init: B, mut fold: F) -> B {
        let recipe = self.recipe;
        match self.from {
            Walk::Array(words) => match recipe.of_whole_word() {
                Some(recipe) => words.fold(init, |all, &raw| fold(all, T::decode(raw, &recipe))),
                None => words.fold(init, |all, &raw| fold(all, T::decode(raw, &recipe))),
            },
            Walk::Strided(pieces) => pieces.fold(init, |all, piece| match T::Raw::read_from_prefix(piece) {
                Ok((raw, _)) => fold(all, T::decode(raw, &recipe)),
                Err(_) => all,
            }),
            Walk::Listed(source, picks, row, at) => (row..picks.len()).fold(init, |all, row| {
                let record = picks.get(row).and_then(|entry| data(source, entry).get(at..));
                match record.and_then(|record| T::Raw::read_from_prefix(record).ok()) {
                    Some((raw, _)) => fold(all, T::decode(raw, &recipe)),
                    None => all,
                }
            }),
        }
    }
}

impl<'a, T: ColumnType<'a>> ExactSizeIterator for ColumnIter<'_, 'a, T> {}
impl<'a, T: ColumnType<'a>> core::iter::FusedIterator for ColumnIter<'_, 'a, T> {}

/// A value of a record.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// A signed integer, full or packed, or a raw fixed-point number.
    I32(i32),
    /// An unsigned integer, full or packed, or a word whose layout nothing tells.
    U32(u32),
    /// A float.
    F32(f32),
    /// An unsigned integer of two words.
    U64(u64),
    /// A string, resolved from its offset or its array; none where that leads outside.
    Text(Option<&'a [u8]>),
}

impl<'a> Value<'a> {
    /// The value of a field in a record; none in a record that is too short.
    #[inline]
    pub(crate) fn of(table: &Table<'a>, field: &Field<'_>, record: &'a [u8]) -> Option<Self> {
        let at = record.get(field.byte()..)?;
        let word = U32::read_from_prefix(at).ok()?.0.get();
        let (left, right) = shifts(field);
        Some(match field.kind() {
            FieldKind::Int | FieldKind::BitsInt | FieldKind::BitsFixed => Self::I32(signed(word, left, right)),
            FieldKind::Uint | FieldKind::BitsUint | FieldKind::Raw => Self::U32(unsigned(word, left, right)),
            FieldKind::Float => Self::F32(f32::from_bits(word)),
            FieldKind::Uint64 => Self::U64(U64::read_from_prefix(at).ok()?.0.get()),
            FieldKind::String => Self::Text(table.strings().get(word)),
            FieldKind::Element => {
                let array = field.array().and_then(|array| table.string_arrays().get(array));
                Self::Text(array.and_then(|array| array.get(unsigned(word, left, right))))
            }
        })
    }
}

worldview_core::assert_send_sync!(Column<'_, '_, u32>, ColumnIter<'_, '_, &[u8]>, Value<'_>);
