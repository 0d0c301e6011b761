//! The protocol by which a file describes what it contains.
//!
//! Each format lists its contents once: fields, arrays, lists of parts, references. Everything that treats them
//! uniformly (dumps, JSON, searches, comparisons) is a [visitor](Visit) of that description and knows no format.
//!
//! A part implements [`Describe`], or is a closure, and passes its fields to a visitor, in file order. Nested parts are
//! passed as a [`PartList`]: the visitor decides whether to visit them, and describes an element by calling its
//! [`body`](Part::body). Descriptions therefore nest without a stack of their own, and nothing is computed unless a
//! visitor asks for it. There is one dynamic call per field and array, never one per tile or pixel.
//!
//! # Describing a list
//!
//! A list is an [`Items`]: properties, what the elements are made of, and a closure that passes an element on as a
//! [`Part`], with its index, its key and a body.
//!
//! ```
//! use worldview_core::describe::{Describe, Field, FieldValue, Flow, Items, List, ListFlag, Part, PartKey, Span, Visit};
//! use worldview_core::{Error, OffsetBase};
//!
//! /// A file of pairs of bytes.
//! struct Points<'a>(&'a [[u8; 2]]);
//!
//! impl Describe for Points<'_> {
//!     fn describe(&self, visitor: &mut dyn Visit) -> Flow {
//!         let list = List::indexed("points", "point").with(&[ListFlag::Compact, ListFlag::Inside]);
//!         visitor.parts(&Items::slice(list, self.0, |index, [x, y], visit| {
//!             let body = |visitor: &mut dyn Visit| {
//!                 visitor.field(&Field::new("x", FieldValue::Uint((*x).into())))?;
//!                 visitor.field(&Field::new("y", FieldValue::Uint((*y).into())))
//!             };
//!             let at = Span::new(u64::from(index) * 2, 2, OffsetBase::File);
//!             visit(Ok(&Part::new(index, PartKey::Index, &body).at(at).summary(&format_args!("{x}, {y}"))))
//!         }))
//!     }
//! }
//!
//! /// Counts what there is.
//! #[derive(Default)]
//! struct Count(usize);
//!
//! impl Visit for Count {
//!     fn field(&mut self, _: &Field<'_>) -> Flow {
//!         self.0 += 1;
//!         Flow::Continue(())
//!     }
//!     fn parts(&mut self, parts: &dyn worldview_core::describe::PartList) -> Flow {
//!         parts.each(&mut |part| match part {
//!             Ok(part) => part.body.describe(self),
//!             Err(error) => error.describe(self),
//!         })
//!     }
//!     fn broken(&mut self, _: &Error) -> Flow {
//!         Flow::Continue(())
//!     }
//! }
//!
//! let mut count = Count::default();
//! let _ = Points(&[[1, 2], [3, 4], [5, 6]]).describe(&mut count);
//! assert_eq!(count.0, 6);
//! ```
//!
//! - [`Items::slice`] is for slices, [`Items::indexed`] for everything that has elements by number, [`Items::walked`] for
//!   elements of variable length, [`Items::single`] for a part that occurs once.
//! - Elements are matched by their [`PartKey`]s when files are compared. A list with another rule sets it with
//!   [`Items::matched`], one for changes with [`Items::identified`].
//! - If elements can be added and removed, [`Items::editable`] says how.

mod array;
mod field;
mod items;
mod list;
mod stored;

use core::ops::ControlFlow;

use crate::{Error, OffsetBase};

pub use array::{Array, Elements};
pub use field::{Charset, Field, FieldName, FieldValue, Notation, Role, TextValue, visit_fields, visit_fields_with};
pub use items::{Items, MatchBy, only};
pub use list::{Each, Link, List, ListFlag, MatchRule, Pairing, Part, PartKey, PartList, Shortcuts, Sorting};
pub use stored::{Counted, Follows, Int, Stored};

/// Whether a walk continues: `Flow::Continue(())` or `Flow::Break(())`.
pub type Flow = ControlFlow<()>;

/// A part of a file that describes what it contains.
pub trait Describe {
    /// Passes each field, array and list of parts to `visitor`, in file order, until the visitor stops the walk.
    fn describe(&self, visitor: &mut dyn Visit) -> Flow;

    /// Returns whether the part has, or can have, a [main](ListFlag::Main) list.
    ///
    /// The elements of a main list go by their bare names in paths, so the part's own fields and single parts are
    /// prefixed with `@`. A single part with a main list has no path segment of its own.
    fn has_main_list(&self) -> bool {
        false
    }

    /// Returns the error that ended the last walk early, if the description limits walks itself, as a selection of parts does.
    fn ended_by(&self) -> Option<Error> {
        None
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

    /// Returns whether [bulk](ListFlag::Bulk) arrays and lists are wanted. If not, they are not computed.
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
    /// The space that the offset counts in.
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

/// A closure describes a part without a main list.
impl<F: Fn(&mut dyn Visit) -> Flow> Describe for F {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        self(visitor)
    }
}

/// A closure that describes a part that has, or can have, a [main](ListFlag::Main) list.
#[derive(Clone, Copy, Debug)]
pub struct MainBody<F>(pub F);

impl<F: Fn(&mut dyn Visit) -> Flow> Describe for MainBody<F> {
    fn has_main_list(&self) -> bool {
        true
    }

    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        (self.0)(visitor)
    }
}
