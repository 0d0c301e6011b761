use zerocopy::big_endian;
use zerocopy::little_endian::{I32, U16, U32};

use crate::Text;

/// The value of one field, for tools that print, export or compare all fields of a record.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordValue<'a> {
    /// A signed 32-bit integer.
    Int(i32),
    /// An unsigned 32-bit integer: a count, an offset, flags or a reserved word.
    Uint(u32),
    /// An unsigned 16-bit integer.
    Short(u16),
    /// An unsigned 8-bit integer.
    Byte(u8),
    /// Several signed 32-bit integers, in place.
    Ints(&'a [I32]),
    /// A fixed text field, with all its bytes.
    Text(&'a [u8]),
}

/// A type that a field of a [`record!`](crate::record) can have.
pub trait RecordField {
    /// Returns the value of the field.
    fn value(&self) -> RecordValue<'_>;
}

impl RecordField for I32 {
    #[inline]
    fn value(&self) -> RecordValue<'_> {
        RecordValue::Int(self.get())
    }
}

impl RecordField for U32 {
    #[inline]
    fn value(&self) -> RecordValue<'_> {
        RecordValue::Uint(self.get())
    }
}

impl RecordField for U16 {
    #[inline]
    fn value(&self) -> RecordValue<'_> {
        RecordValue::Short(self.get())
    }
}

impl RecordField for u8 {
    #[inline]
    fn value(&self) -> RecordValue<'_> {
        RecordValue::Byte(*self)
    }
}

impl<const N: usize> RecordField for [I32; N] {
    #[inline]
    fn value(&self) -> RecordValue<'_> {
        RecordValue::Ints(self)
    }
}

impl RecordField for big_endian::U32 {
    #[inline]
    fn value(&self) -> RecordValue<'_> {
        RecordValue::Uint(self.get())
    }
}

impl<const N: usize> RecordField for Text<N> {
    #[inline]
    fn value(&self) -> RecordValue<'_> {
        RecordValue::Text(self.raw())
    }
}

/// Declares a fixed-layout structure over file bytes: `repr(C)`, alignment 1, size checked at compile time.
///
/// Besides the structure with its public fields, it generates `NAMES`, the field names in file order, and `fields()`,
/// the names with their values. Every dump, export and comparison uses this one list, so no tool can miss a field.
#[macro_export]
macro_rules! record {
    (
        $(#[$doc:meta])*
        pub struct $name:ident: $size:literal {
            $($(#[$field_doc:meta])* pub $field:ident: $type:ty,)+
        }
    ) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq,
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

            /// Returns every field name with its value, in file order.
            #[inline]
            pub fn fields(&self) -> impl ExactSizeIterator<Item = (&'static str, $crate::RecordValue<'_>)> + use<'_> {
                [$((stringify!($field), $crate::RecordField::value(&self.$field))),+].into_iter()
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
        }
    )+};
}
