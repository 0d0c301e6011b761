use alloc::borrow::Cow;
use alloc::format;

use zerocopy::big_endian;
use zerocopy::little_endian::{F32, I32, U16, U32};

use crate::describe::{Charset, FieldValue, Follows, Int, Notation, Role, Stored, TextValue};
use crate::{Padded, Text};

/// A type that a field of a [`record!`](crate::record) can have.
pub trait RecordField {
    /// How the field is stored.
    const STORED: Stored<'static>;

    /// The names of its parts, if it has several.
    const PARTS: &'static [&'static str] = &[];
}

impl RecordField for I32 {
    const STORED: Stored<'static> = Stored::Int(Int::word(4, true));
}

impl RecordField for U32 {
    const STORED: Stored<'static> = Stored::Int(Int::word(4, false));
}

impl RecordField for U16 {
    const STORED: Stored<'static> = Stored::Int(Int::word(2, false));
}

impl RecordField for u8 {
    const STORED: Stored<'static> = Stored::Int(Int::word(1, false));
}

impl RecordField for F32 {
    const STORED: Stored<'static> = Stored::Float { big: false };
}

impl RecordField for big_endian::U32 {
    const STORED: Stored<'static> = Stored::Int(Int::word(4, false).big_endian());
}

#[expect(clippy::cast_possible_truncation, reason = "structures are far smaller, as `record!` asserts")]
impl<const N: usize> RecordField for [I32; N] {
    const STORED: Stored<'static> = Stored::Ints(Int::word(4, true), N as u16);
}

#[expect(clippy::cast_possible_truncation, reason = "structures are far smaller, as `record!` asserts")]
impl<const N: usize> RecordField for Text<N> {
    const STORED: Stored<'static> = Stored::Text(N as u16);
}

#[expect(clippy::cast_possible_truncation, reason = "structures are far smaller, as `record!` asserts")]
impl<const N: usize> RecordField for Padded<N> {
    const STORED: Stored<'static> = Stored::Padded(N as u16);
}

#[expect(clippy::cast_possible_truncation, reason = "structures are far smaller, as `record!` asserts")]
impl<const N: usize> RecordField for [u8; N] {
    const STORED: Stored<'static> = Stored::Bytes(N as u16);
}

/// All that is known of one field of a [`record!`](crate::record).
#[derive(Clone, Copy, Debug)]
pub struct FieldInfo {
    /// The name.
    pub name: &'static str,
    /// The offset in the structure.
    pub offset: usize,
    /// How it is stored.
    pub stored: Stored<'static>,
    /// Its purpose.
    pub role: Role,
    /// The source that it is derived from, if it is [`Role::Storage`].
    pub follows: Option<Follows>,
    /// How it is shown to people.
    pub notation: Notation,
    /// Bits that follow from how the content is stored.
    pub storage_bits: u32,
    /// The names of its parts, if it has several: the sides of a rectangle.
    pub parts: &'static [&'static str],
    /// Whether descriptions leave it out, because they have its content in another form.
    pub is_implied: bool,
    /// The lines of its documentation.
    pub docs: &'static [&'static str],
}

impl FieldInfo {
    /// Creates a content field.
    pub const fn new<T: RecordField>(name: &'static str, offset: usize, docs: &'static [&'static str]) -> Self {
        let (role, notation) = (Role::Data, Notation::Decimal);
        let (stored, parts) = (T::STORED, T::PARTS);
        Self { name, offset, stored, role, follows: None, notation, storage_bits: 0, parts, is_implied: false, docs }
    }

    /// A field that descriptions have in another form.
    #[must_use]
    pub const fn implied(mut self) -> Self {
        (self.role, self.is_implied) = (Role::Storage, true);
        self
    }

    /// A field that follows from the content. Offsets and checksums are shown in hexadecimal.
    #[must_use]
    pub const fn derived(mut self, follows: Follows) -> Self {
        (self.role, self.follows) = (Role::Storage, Some(follows));
        if matches!(follows, Follows::Offset | Follows::Checksum) {
            self.notation = Notation::Hex;
        }
        self
    }

    /// A field without a known meaning, which is shown in hexadecimal.
    #[must_use]
    pub const fn reserved(mut self) -> Self {
        (self.role, self.notation) = (Role::Reserved, Notation::Hex);
        self
    }

    crate::setters! {
        /// A field with a notation.
        pub const fn notation(notation: Notation) => notation = notation;

        /// A field with bits that follow from how the content is stored.
        pub const fn storage_bits(bits: u32) => storage_bits = bits;
    }

    /// Returns the names of the columns that the field has in a sheet: its own, or one for each of its parts, such as
    /// `clip_rect_left`.
    pub fn columns(&self) -> impl Iterator<Item = Cow<'static, str>> {
        let (name, count) = (self.name, self.stored.count());
        (0..count.unwrap_or(1)).map(move |nth| match (count, self.parts.get(nth)) {
            (None, _) => name.into(),
            (Some(_), Some(part)) => format!("{name}_{part}").into(),
            (Some(_), None) => format!("{name}_{nth}").into(),
        })
    }

    /// Returns the value of the field in the bytes of a structure.
    #[inline]
    pub fn value<'v>(&self, record: &'v [u8]) -> FieldValue<'v> {
        let bytes = self.stored.size().and_then(|size| record.get(self.offset..self.offset.checked_add(size)?));
        let Some(bytes) = bytes else { return FieldValue::Absent };
        match self.stored {
            Stored::Int(int) if int == Int::word(4, true) => {
                bytes.first_chunk().map_or(FieldValue::Absent, |word| FieldValue::Int(i32::from_le_bytes(*word).into()))
            }
            Stored::Int(int) if int == Int::word(4, false) => bytes
                .first_chunk()
                .map_or(FieldValue::Absent, |word| FieldValue::Uint(u32::from_le_bytes(*word).into())),
            Stored::Int(int) => match (int.read(bytes), int.signed) {
                (Some(value), true) => i64::try_from(value).map_or(FieldValue::Absent, FieldValue::Int),
                (Some(value), false) => u64::try_from(value).map_or(FieldValue::Absent, FieldValue::Uint),
                (None, _) => FieldValue::Absent,
            },
            Stored::Ints(..) => {
                <[I32] as zerocopy::FromBytes>::ref_from_bytes(bytes).map_or(FieldValue::Absent, FieldValue::Ints)
            }
            Stored::Float { big } => bytes.first_chunk().map_or(FieldValue::Absent, |word| {
                FieldValue::Float(if big { f32::from_be_bytes(*word) } else { f32::from_le_bytes(*word) })
            }),
            Stored::Bytes(_) => FieldValue::Bytes(bytes),
            Stored::Text(_) | Stored::Name(_) => FieldValue::Text(TextValue::fixed(bytes)),
            Stored::Padded(_) => FieldValue::Text(TextValue::plain(bytes.trim_ascii_end(), Charset::Undeclared)),
            // No field of fixed size is stored like this.
            Stored::Floats(_)
            | Stored::Color
            | Stored::Masked(..)
            | Stored::Offset(..)
            | Stored::Nowhere
            | Stored::Counted(_)
            | Stored::Terminated(_)
            | Stored::Pooled { .. } => FieldValue::Absent,
        }
    }
}

/// Declares a fixed-layout structure over file bytes: `repr(C)`, alignment 1, size checked at compile time.
///
/// Besides the structure with its public fields, it generates `FIELDS`, which is all that is known of them. Every dump,
/// export, comparison and edit uses this one list, so no tool can miss a field. Behind its documentation a field may
/// have, in this order:
///
/// | attribute | meaning |
/// |---|---|
/// | `#[derived(Offset)]` | it follows from the content, see [`Follows`](crate::describe::Follows) |
/// | `#[implied]` | descriptions have its content in another form |
/// | `#[reserved]` | it has no known meaning |
/// | `#[hex]` | it is shown in hexadecimal |
/// | `#[flags(NAMES)]` | its bits have names |
/// | `#[storage_bits(BITS)]` | these bits follow from how the content is stored |
/// | `#[named(function)]` | it is shown as this function writes it |
#[macro_export]
macro_rules! record {
    (
        $(#[$doc:meta])*
        pub struct $name:ident: $size:literal {
            $(
                $(#[doc = $field_doc:literal])*
                $(#[derived($follows:ident)])?
                $(#[implied$($implied:tt)?])?
                $(#[reserved$($reserved:tt)?])?
                $(#[hex$($hex:tt)?])?
                $(#[flags($flags:expr)])?
                $(#[storage_bits($bits:expr)])?
                $(#[named($named:expr)])?
                pub $field:ident: $type:ty,
            )+
        }
    ) => {
        $crate::layout! {
            $(#[$doc])*
            pub struct $name: $size {
                $($(#[doc = $field_doc])* pub $field: $type,)+
            }
        }

        impl $name {
            /// The size in a file as a word.
            pub const SIZE_U32: u32 = $size;

            /// All that is known of the fields, in file order.
            pub const FIELDS: &'static [$crate::FieldInfo] = &[$(
                $crate::FieldInfo::new::<$type>(
                    stringify!($field), core::mem::offset_of!($name, $field), &[$($field_doc),*]
                )
                $(.derived($crate::describe::Follows::$follows))?
                $(.implied($($implied)?))?
                $(.reserved($($reserved)?))?
                $(.notation({ $($hex)? $crate::describe::Notation::Hex }))?
                $(.notation($crate::describe::Notation::Flags($flags)))?
                $(.storage_bits($bits))?
                $(.notation($crate::describe::Notation::Named($named)))?
            ),+];

            /// Returns all that is known of each field, and its value, in file order.
            #[inline]
            pub fn fields(
                &self,
            ) -> impl ExactSizeIterator<Item = (&'static $crate::FieldInfo, $crate::describe::FieldValue<'_>)> + use<'_>
            {
                let record = $crate::zerocopy::IntoBytes::as_bytes(self);
                Self::FIELDS.iter().map(move |info| (info, info.value(record)))
            }

            /// Returns the same of the fields that do not follow from the content.
            #[inline]
            pub fn content(
                &self,
            ) -> impl Iterator<Item = (&'static $crate::FieldInfo, $crate::describe::FieldValue<'_>)> + use<'_> {
                self.fields().filter(|(info, _)| info.role != $crate::describe::Role::Storage)
            }
        }
    };
}

/// Declares fixed-layout structures over file bytes with fields of any type, including structures.
///
/// This is [`record!`](crate::record) without the list of fields, and without `Eq` because fields may be floats.
#[macro_export]
macro_rules! layout {
    ($(
        $(#[$doc:meta])*
        pub struct $name:ident: $size:literal {
            $($(#[$field_doc:meta])* pub $field:ident: $type:ty,)+
        }
    )+) => {$(
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, PartialEq,
            $crate::zerocopy::FromBytes, $crate::zerocopy::IntoBytes, $crate::zerocopy::KnownLayout,
            $crate::zerocopy::Immutable, $crate::zerocopy::Unaligned,
        )]
        #[repr(C)]
        pub struct $name {
            $($(#[$field_doc])* pub $field: $type,)+
        }

        const _: () = assert!(size_of::<$name>() == $size);

        impl $name {
            /// Size of the structure in a file, in bytes.
            pub const SIZE: u64 = $size;

            /// The names of the fields, in file order.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($field)),+];
        }
    )+};
}

/// The name of a field of a [`record!`](crate::record) or [`layout!`](crate::layout) as a constant; it does not compile if there is no such field.
#[macro_export]
macro_rules! field_name {
    ($record:ty, $field:ident) => {
        const {
            let _ = core::mem::offset_of!($record, $field);
            stringify!($field)
        }
    };
}
