use core::fmt;

use zerocopy::FromBytes as _;
use zerocopy::big_endian::{U32, U64};

use crate::plan::{Field, FieldKind};
use crate::strings::{StringArray, Strings};
use crate::table::{Row, Table};

/// The value of a string-array field: the index of an element, and its string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element<'a> {
    /// The index of the element in the field's array.
    pub index: u32,
    /// The string, or `None` if the index lies outside the array or the string's offset outside the pool.
    pub text: Option<&'a [u8]>,
}

/// How to extract a value from a record; computed once per column.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct FieldDecoder<'t, 'a> {
    // See `shifts`.
    left: u32,
    right: u32,
    strings: Strings<'t, 'a>,
    array: StringArray<'t, 'a>,
}

impl<'t, 'a> FieldDecoder<'t, 'a> {
    pub(super) fn of(table: &'t Table<'a>, field: &Field<'_>) -> Self {
        let (left, right) = shifts(field);
        Self {
            left,
            right,
            strings: table.strings(),
            array: field.array().and_then(|array| table.string_arrays().get(array)).unwrap_or(StringArray::none()),
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

    /// Returns the same decoder if the field occupies its whole word, with constant shifts that the compiler can
    /// eliminate.
    #[inline]
    pub(super) const fn of_whole_word(&self) -> Option<Self> {
        match self {
            Self { left: 0, right: 0, strings, array } => {
                Some(Self { left: 0, right: 0, strings: *strings, array: *array })
            }
            _ => None,
        }
    }
}

/// Returns the left shift that drops the bits above a field, and the right shift that then drops those below it.
#[inline]
fn shifts(field: &Field<'_>) -> (u32, u32) {
    let width = u32::from(field.width()).min(32);
    let right = 32_u32.saturating_sub(width);
    (right.saturating_sub(field.bit().into()), right)
}

// Shifts of 32 or more do not occur, because a field has at least one bit. The wrapping operators just avoid a check.
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
/// For a string outside the pool, `Option<&[u8]>` is `None` and `&[u8]` is empty.
pub trait ColumnType<'a>: Copy + sealed::Sealed {
    #[doc(hidden)]
    type Raw: zerocopy::FromBytes + zerocopy::KnownLayout + zerocopy::Immutable + zerocopy::Unaligned + Copy + 'static;

    #[doc(hidden)]
    const NAME: &'static str;

    #[doc(hidden)]
    fn accepts(kind: FieldKind) -> bool;

    #[doc(hidden)]
    fn decode(raw: Self::Raw, decoder: &FieldDecoder<'_, 'a>) -> Self;
}

mod sealed {
    pub trait Sealed {}
}

/// Any field of up to 32 bits as raw bits, for checks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bits(pub(crate) u32);

/// Declares the types of columns: the name of each in messages, the kinds of fields that it is for, what it is stored as, and how it
/// is made of that.
macro_rules! column_types {
    ($($type:ty, $name:literal, $kinds:pat, $raw:ty, |$of:ident, $decoder:pat_param| $value:expr;)+) => {
        $(
            impl<'a> sealed::Sealed for $type {}

            impl<'a> ColumnType<'a> for $type {
                type Raw = $raw;
                const NAME: &'static str = $name;

                fn accepts(kind: FieldKind) -> bool {
                    matches!(kind, $kinds)
                }

                #[inline]
                fn decode($of: $raw, $decoder: &FieldDecoder<'_, 'a>) -> Self {
                    $value
                }
            }
        )+
    };
}

use FieldKind as Kind;

column_types! {
    u32, "u32", Kind::Uint | Kind::BitsUint | Kind::Raw, U32, |raw, decoder| decoder.unsigned(raw.get());
    i32, "i32", Kind::Int | Kind::BitsInt | Kind::BitsFixed, U32, |raw, decoder| decoder.signed(raw.get());
    f32, "f32", Kind::Float, U32, |raw, _| Self::from_bits(raw.get());
    u64, "u64", Kind::Uint64, U64, |raw, _| raw.get();
    Option<&'a [u8]>, "a string", Kind::String, U32, |raw, decoder| decoder.strings.get(raw.get());
    &'a [u8], "a string", Kind::String, U32, |raw, decoder| decoder.strings.get(raw.get()).unwrap_or(&[]);
    Element<'a>, "an element of a string array", Kind::Element, U32, |raw, decoder| {
        let index = decoder.unsigned(raw.get());
        Self { index, text: decoder.array.text_at(index) }
    };
    Bits, "bits", Kind::Int | Kind::Uint | Kind::Float | Kind::String | Kind::Raw
        | Kind::BitsInt | Kind::BitsUint | Kind::BitsFixed | Kind::Element,
        U32, |raw, decoder| Self(decoder.unsigned(raw.get()));
}

/// A value of a record.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// A signed integer, full or packed, or the raw value of a fixed-point number.
    I32(i32),
    /// An unsigned integer, full or packed, or a word of unknown layout.
    U32(u32),
    /// A float.
    F32(f32),
    /// An unsigned integer of two words.
    U64(u64),
    /// A string, resolved from its offset or its array, or `None` if that is out of bounds.
    Text(Option<&'a [u8]>),
}

impl<'a> Value<'a> {
    /// Returns an integer, or `None` for floats, texts, and integers of two words that do not fit.
    pub fn as_i64(&self) -> Option<i64> {
        match *self {
            Self::I32(integer) => Some(integer.into()),
            Self::U32(integer) => Some(integer.into()),
            Self::U64(integer) => integer.try_into().ok(),
            Self::F32(_) | Self::Text(_) => None,
        }
    }

    /// Returns a number, or `None` for texts. Integers of two words are rounded above 2<sup>53</sup>.
    pub fn as_f64(&self) -> Option<f64> {
        match *self {
            Self::I32(integer) => Some(integer.into()),
            Self::U32(integer) => Some(integer.into()),
            Self::F32(float) => Some(float.into()),
            #[expect(clippy::cast_precision_loss, reason = "documented")]
            Self::U64(integer) => Some(integer as f64),
            Self::Text(_) => None,
        }
    }

    /// Returns a text, or `None` for numbers, and for texts that are out of bounds or not UTF-8.
    pub fn as_str(&self) -> Option<&'a str> {
        match *self {
            Self::Text(text) => text.and_then(|text| core::str::from_utf8(text).ok()),
            _ => None,
        }
    }

    /// Returns the value of a field in a record, or `None` if the record is too short.
    #[inline]
    fn of(table: &Table<'a>, field: &Field<'_>, record: &'a [u8]) -> Option<Self> {
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
                Self::Text(array.and_then(|array| array.text_at(unsigned(word, left, right))))
            }
        })
    }
}

/// Numbers, and texts with U+FFFD for bytes that are not UTF-8. A text that is out of bounds is empty.
impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::I32(integer) => integer.fmt(f),
            Self::U32(integer) => integer.fmt(f),
            Self::F32(float) => float.fmt(f),
            Self::U64(integer) => integer.fmt(f),
            Self::Text(text) => f.pad(&String::from_utf8_lossy(text.unwrap_or_default())),
        }
    }
}

impl<'t, 'a> Row<'t, 'a> {
    /// Returns the value of a field, or `None` if there is no field of that name.
    ///
    /// ```
    /// # fn main() -> worldview_wpd::Result<()> {
    /// # let file: &[u8] = include_bytes!("../../../../samples/items.wdb");
    /// let table = worldview_wpd::Table::parse(file)?;
    /// let pin = table.by_name("anchor_pin").unwrap();
    /// let price = pin.get("uPurchasePrice").unwrap();
    /// assert_eq!((price.as_i64(), price.to_string()), (Some(140), "140".to_owned()));
    /// # Ok(())
    /// # }
    /// ```
    pub fn get(&self, name: impl AsRef<[u8]>) -> Option<Value<'a>> {
        self.value(self.table().field(name)?)
    }

    /// Returns the value of a field, or `None` if it belongs to another table and lies past the end of the record.
    #[inline]
    pub fn value(&self, field: &Field<'_>) -> Option<Value<'a>> {
        Value::of(self.table(), field, self.data())
    }

    /// Returns every field with its value, in record order.
    ///
    /// ```
    /// # fn main() -> worldview_wpd::Result<()> {
    /// # let file: &[u8] = include_bytes!("../../../../samples/items.wdb");
    /// let table = worldview_wpd::Table::parse(file)?;
    /// for row in &table {
    ///     for (field, value) in row.values() {
    ///         println!("{} = {value:?}", field.name().escape_ascii());
    ///     }
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn values(&self) -> impl Iterator<Item = (&'t Field<'a>, Value<'a>)> + use<'t, 'a> {
        let this = *self;
        this.table().fields().iter().filter_map(move |field| Some((field, this.value(field)?)))
    }
}
