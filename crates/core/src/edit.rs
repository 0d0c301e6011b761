//! What editing a file needs to know of its lists, beyond their [description](crate::describe).
//!
//! In each format crate, what only writes lies in a module `edit`, too. Nothing that reads uses it: a description passes its
//! [`EditableList`]s on unseen.

use alloc::vec::Vec;

use crate::describe::{Int, Part, Span};

/// A number that determines the shape of a new element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShapeNumber<'n> {
    /// The value of a field.
    Field(&'n str),
    /// The number of elements of a list or array, or of bytes in a text.
    Len(&'n str),
}

/// Returns the numbers that determine the shape of a new element.
pub type Shape<'s> = &'s dyn Fn(ShapeNumber<'_>) -> Option<i64>;

/// Returns the bytes of a field that a new element is given.
pub type Given<'g> = &'g dyn Fn(&str) -> Option<Vec<u8>>;

/// Where a list is stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Slots {
    /// Where the first element is, or would be.
    pub start: u64,
    /// Where the number of elements is stored, and how.
    pub count: Option<(Span, Int)>,
    /// The field that is the key of an element, or that gives it its number.
    pub key: Option<&'static str>,
    /// Fields of an element that decide which fields it has, or how many bytes.
    pub shape: &'static [&'static str],
}

/// A list whose elements can be added, removed and made.
///
/// What is not defined cannot be done, as for `()`.
pub trait EditableList {
    /// Returns where the list is stored, if elements can be added and removed.
    fn slots(&self) -> Option<Slots> {
        None
    }

    /// Calls `make` with the bytes of an empty element whose shape is given by the numbers that `wanted` returns.
    fn blank(&self, wanted: Shape<'_>, make: &mut dyn FnMut(&[u8])) {
        let _ = (wanted, make);
    }

    /// Calls `visit` with the element that `bytes` are, which need not be in a file: those [at](Part::at) the offset 0, followed by
    /// those [beside](Part::beside) it.
    fn alone(&self, bytes: &[u8], visit: &mut dyn FnMut(&Part<'_>)) {
        let _ = (bytes, visit);
    }

    /// Gives a name to the element that `bytes` are, as for [`alone`](Self::alone), if its name is no field that can be set. `given`
    /// returns the bytes of fields that say how a name is stored.
    ///
    /// # Errors
    ///
    /// Returns in words which names elements can have.
    fn set_name(&self, bytes: &mut Vec<u8>, name: &[u8], given: Given<'_>) -> Result<(), &'static str> {
        let _ = (bytes, name, given);
        Err("elements of this list have no names")
    }
}

impl EditableList for () {}
