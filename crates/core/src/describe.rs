//! The protocol by which a file describes what it contains.
//!
//! Each format lists its contents once: fields, arrays, lists of parts, references. Everything that treats them
//! uniformly (dumps, JSON, searches, comparisons) is a [visitor](Visit) of that description and knows no format.
//!
//! A part implements [`Describe`] and passes its fields to a visitor, in file order. Nested parts are passed as
//! [`PartList`]: the visitor decides whether to visit them, and describes an element by calling its
//! [`body`](Part::body). Descriptions therefore nest without a stack of their own, and nothing is computed unless a
//! visitor asks for it. There is one dynamic call per field and array, never one per tile or pixel.

mod array;
mod field;
mod list;
mod stored;

use core::ops::ControlFlow;

use crate::{Error, OffsetBase};

pub use array::{Array, Elements};
pub use field::{Charset, Field, FieldName, FieldValue, Notation, Role, TextValue, visit_fields, visit_fields_with};
pub use list::{Each, Link, List, MatchRule, OnePart, Pairing, Part, PartKey, PartList, ShapeNumber, Slots, Sorting};
pub use stored::{Counted, Follows, Int, Stored};

/// Whether a walk continues: `Flow::Continue(())` or `Flow::Break(())`.
pub type Flow = ControlFlow<()>;

/// A part of a file that describes what it contains.
pub trait Describe {
    /// Passes each field, array and list of parts to `visitor`, in file order, until the visitor stops the walk.
    fn describe(&self, visitor: &mut dyn Visit) -> Flow;

    /// Returns whether the part has, or can have, a [`main`](List::main) list.
    ///
    /// The elements of a main list go by their bare names in paths, so the part's own fields and single parts are
    /// prefixed with `@`. A single part with a main list has no path segment of its own.
    fn has_main_list(&self) -> bool {
        false
    }
}

/// A visitor of a description. What it does not define passes without effect; errors are for every visitor to decide on.
pub trait Visit {
    /// Visits a field.
    fn field(&mut self, field: &Field<'_>) -> Flow {
        _ = field;
        Flow::Continue(())
    }

    /// Visits many values of one type.
    fn array(&mut self, array: &Array<'_>) -> Flow {
        _ = array;
        Flow::Continue(())
    }

    /// Visits a list of parts, or a single part.
    fn parts(&mut self, parts: &dyn PartList) -> Flow {
        _ = parts;
        Flow::Continue(())
    }

    /// Visits a reference to an element of a list.
    fn link(&mut self, link: &Link<'_>) -> Flow {
        _ = link;
        Flow::Continue(())
    }

    /// Visits an error in place of a part that could not be read.
    fn broken(&mut self, error: &Error) -> Flow;

    /// Returns whether [`bulk`](List::bulk) arrays and lists are wanted. If not, they are not computed.
    fn wants_bulk(&self) -> bool {
        true
    }

    /// Returns whether fields other than texts are wanted. If not, they need not be visited.
    fn wants_numbers(&self) -> bool {
        true
    }

    /// Returns whether fields are wanted that do not exist but could, with [`FieldValue::Absent`] or an empty value and
    /// the place where they would be.
    fn wants_places(&self) -> bool {
        false
    }
}

/// The bytes of a part or field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Offset of the first byte, counted in [`space`](Self::space).
    pub at: u64,
    /// Number of bytes.
    pub len: u64,
    /// What the offset counts in.
    pub space: OffsetBase,
}

impl Span {
    /// Returns the span of `len` bytes at offset `at` of `space`.
    pub const fn new(at: u64, len: u64, space: OffsetBase) -> Self {
        Self { at, len, space }
    }

    /// Returns the span of `bytes`, which must have been taken from the window `source`.
    pub fn of(bytes: &[u8], source: crate::Source<'_>) -> Self {
        let from_start = bytes.as_ptr().addr().wrapping_sub(source.bytes().as_ptr().addr());
        Self::new(source.base().saturating_add(from_start as u64), bytes.len() as u64, source.space())
    }
}

/// A part that could not be read.
impl Describe for Error {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        visitor.broken(self)
    }
}
