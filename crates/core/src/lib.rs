//! The foundation of every worldview format crate: `no_std`, no unsafe code, and no allocation except in [`Path`].
//!
//! - [`Source`]: a window of bytes that knows its offset. One checked cast per array, then plain slices.
//! - [`Cursor`]: a position in a source, for parts whose size is only known by reading them.
//! - [`Text`]: a fixed field of bytes in an undeclared code page.
//! - [`Error`]: what is wrong, in which part, at which offset, expected and found. It is `Copy` and does not allocate.
//! - [`Finding`]: what a check or a lossy parse reports about a file that can still be opened.
//! - [`Path`]: the place of a part or field inside a file, as lossless text.
//! - [`describe`]: the protocol by which a file describes what it contains; [`edit`]: what edits need to know of its lists.
//! - [`Budget`]: a bound on walks over parts that may overlap.
//! - [`record!`]: a fixed-layout structure whose fields can also be listed by name; [`layout!`]: one without the list.
//!
//! The repository's ARCHITECTURE.md has the rules that the format crates build on these.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod budget;
mod cursor;
pub mod describe;
pub mod edit;
mod error;
mod finding;
mod iter;
mod path;
mod record;
mod source;
mod text;

pub use budget::Budget;
pub use cursor::Cursor;
pub use error::{Error, ErrorKind, Limit, OffsetBase, OnProblem, Result};
pub use finding::{AnyFinding, Finding, FindingCode, Place, PlacePart, Severity};
pub use path::{Path, PathError, PathMark, Segment, split_at_unescaped};
pub use record::{FieldInfo, RecordField};
pub use source::Source;
pub use text::{Padded, Text, brief, excerpt, printable, quote};
// The `record!` macro derives zerocopy's traits in the calling crate.
pub use zerocopy;

// Words of 32 bits, including checked counts, are used as `usize` for counts and indexes. Anything wider is `u64` and
// becomes a length only by a checked conversion.
const _: () = assert!(usize::BITS >= 32, "the formats have counts of 32 bits");

/// Implements `Display` for types by printing their `name()`.
#[macro_export]
macro_rules! display_by_name {
    ($($type:ty),+ $(,)?) => {
        $(impl core::fmt::Display for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.pad(self.name())
            }
        })+
    };
}

/// Implements `Debug` as a summary of a view: what it is and how large, never the bytes of the file.
#[macro_export]
macro_rules! debug_summary {
    ($name:literal, $type:ty, |$this:ident| $($field:ident: $value:expr),+ $(,)?) => {
        impl core::fmt::Debug for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                let $this = self;
                f.debug_struct($name)$(.field(stringify!($field), &$value))+.finish_non_exhaustive()
            }
        }
    };
}

/// Returns a name as [`debug_summary!`] prints it: in quotes, with non-ASCII bytes escaped.
pub fn quoted(name: &[u8]) -> impl core::fmt::Debug {
    struct Quoted<'a>(&'a [u8]);
    impl core::fmt::Debug for Quoted<'_> {
        fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
            write!(f, "\"{}\"", self.0.escape_ascii())
        }
    }
    Quoted(name)
}

/// Declares methods that set a field of a structure and return it, of which options are built.
#[macro_export]
macro_rules! setters {
    ($(
        $(#[$doc:meta])*
        $vis:vis $(const $(@$const:tt)?)? fn $name:ident($($arg:ident: $type:ty)?) => $field:ident = $value:expr;
    )+) => {$(
        $(#[$doc])*
        #[must_use]
        $vis $(const $($const)?)? fn $name(mut self $(, $arg: $type)?) -> Self {
            self.$field = $value;
            self
        }
    )+};
}

/// Asserts at compile time that every listed type is `Send + Sync`. Views promise to be shareable between threads.
#[macro_export]
macro_rules! assert_send_sync {
    ($($view:ty),+ $(,)?) => {
        const _: () = {
            const fn shared<T: Send + Sync>() {}
            $(shared::<$view>();)+
        };
    };
}

display_by_name!(OffsetBase, Severity);

assert_send_sync!(Source<'_>, Cursor<'_>, Text<4>, Error, Place<'_>, Budget);

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
