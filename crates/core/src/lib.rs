//! The ground under every worldview format crate: `no_std`, no unsafe code, and no allocation but in [`Path`].
//!
//! - [`Source`]: a window of bytes that knows where it lies. One checked cast per array, then plain slices.
//! - [`Cursor`]: a position in a source, for the parts whose size is only known by reading them.
//! - [`Text`]: a fixed field of bytes in an undeclared code page.
//! - [`Error`]: what is wrong, in which part, at which offset, wanted and found; `Copy`, no allocation.
//! - [`Finding`]: what a check or a lossy parse has to say about a file that opens all the same.
//! - [`Path`]: the place of a part or field inside a file, as text that loses nothing.
//! - [`describe`]: the protocol by which a file describes what it contains.
//! - [`Budget`]: the bound on walks over parts that may overlap.
//! - [`record!`]: a fixed-layout structure whose fields can also be listed by name; [`layout!`]: one without the list.
//!
//! The rules that the format crates build on these are in the repository's ARCHITECTURE.md.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod budget;
mod cursor;
pub mod describe;
mod error;
mod finding;
mod iter;
mod path;
mod record;
mod source;
mod text;

pub use budget::Budget;
pub use cursor::Cursor;
pub use error::{Error, ErrorKind, Limit, Recover, Result, Space};
pub use finding::{Finding, Kind, Place, PlacePart, Severity};
pub use path::{Path, PathError, PathMark, Segment, split_at_unescaped};
pub use record::{RecordField, RecordValue};
pub use source::Source;
pub use text::Text;
// The `record!` macro derives zerocopy's traits in the crate that calls it.
pub use zerocopy;

// Words of 32 bits, counts that were checked among them, are numbers of elements and places in lists; all that is wider is
// `u64`, and becomes a length by a checked conversion only.
const _: () = assert!(usize::BITS >= 32, "the formats have counts of 32 bits");

/// Implements `Display` for types whose `name()` is all there is to say of them.
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

/// Implements `Debug` as a summary: what a view is and how much there is of it, never the bytes of the file.
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

/// Returns a name as [`debug_summary!`] shows it: in quotes, with other bytes than ASCII escaped.
pub fn quoted(name: &[u8]) -> impl core::fmt::Debug {
    core::fmt::from_fn(move |f| write!(f, "\"{}\"", name.escape_ascii()))
}

/// Compiles only if every listed type is `Send + Sync`: views travel between threads, and that is a promise.
#[macro_export]
macro_rules! assert_send_sync {
    ($($view:ty),+ $(,)?) => {
        const _: () = {
            const fn shared<T: Send + Sync>() {}
            $(shared::<$view>();)+
        };
    };
}

display_by_name!(Space, Severity);

assert_send_sync!(Source<'_>, Cursor<'_>, Text<4>, Error, Place<'_>, Budget, RecordValue<'_>);

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
