//! The protocol by which a file describes what it contains.
//!
//! Each format writes down once what there is in a file: fields, arrays, lists of parts, references. Everything that
//! treats all of it alike (dumps, JSON, searches, comparisons) is a [visitor](Visit) of that description and knows no format.
//!
//! A part implements [`Describe`] and hands its fields to a visitor, in file order. What lies within it comes as
//! [`Children`]: the visitor decides whether to go through them, and describes an element by calling its
//! [`body`](Child::body). So descriptions nest without a stack of their own, and what nobody asks for is never computed.
//! There is one dynamic call for each field and array, never for each tile or pixel.

mod array;
mod field;
mod list;

use core::ops::ControlFlow;

use crate::{Error, Space};

pub use array::{Array, Elements};
pub use field::{Charset, Leaf, LeafName, LeafValue, Notation, Role, TextValue, visit_record};
pub use list::{Child, ChildKey, Children, Each, Likeness, Link, List, Pairing, Single};

/// Whether a walk goes on.
pub type Flow = ControlFlow<()>;

/// Goes on.
pub const GO: Flow = ControlFlow::Continue(());

/// Ends the walk.
pub const STOP: Flow = ControlFlow::Break(());

/// A part of a file that describes what it contains.
pub trait Describe {
    /// Hands each field, array and list of parts to `visitor`, in file order, until it asks to stop.
    fn describe(&self, visitor: &mut dyn Visit) -> Flow;

    /// Whether the part has, or can have, a [`main`](List::main) list: its own fields and single parts then have an `@` in
    /// paths, since the elements of that list go by their bare names. A single part with a main list has no segment of its own.
    fn has_main_list(&self) -> bool {
        false
    }
}

/// What is done with a description.
pub trait Visit {
    /// Visits a field.
    fn field(&mut self, field: &Leaf<'_>) -> Flow;

    /// Visits many values of one type.
    fn array(&mut self, array: &Array<'_>) -> Flow;

    /// Visits a list of parts, or a single part.
    fn children(&mut self, parts: &dyn Children) -> Flow;

    /// Visits a reference to an element of a list.
    fn link(&mut self, link: &Link<'_>) -> Flow;

    /// Visits what could not be read.
    fn broken(&mut self, error: &Error) -> Flow;

    /// Whether arrays and lists that are [`bulk`](List::bulk) are wanted: where they are not, describing does not compute any.
    fn wants_bulk(&self) -> bool {
        true
    }

    /// Whether fields without a text are wanted: where they are not, describing need not visit them.
    fn wants_numbers(&self) -> bool {
        true
    }
}

/// Where the bytes of a part or field lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Offset of the first byte, counted in [`space`](Self::space).
    pub at: u64,
    /// Number of bytes.
    pub len: u64,
    /// What the offset counts in.
    pub space: Space,
}

impl Span {
    /// Returns the span of `len` bytes at offset `at` of `space`.
    pub const fn new(at: u64, len: u64, space: Space) -> Self {
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
