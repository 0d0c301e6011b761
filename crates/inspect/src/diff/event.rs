//! The findings of a comparison, from which lines for people and changes are made.

use worldview_core::describe::{Array, Field, List, Part, PartList, Sorting};
use worldview_core::{Error, Path};

/// One finding of a [comparison](super::events), with all that is known of both sides.
///
/// Paths are those of the left file, and exact: elements whose key repeats in one of the files have their numbers. Of an element that
/// only the right file has, the path is that of the right file.
#[non_exhaustive]
pub enum Event<'e> {
    /// A field differs, or only one side has it.
    Field {
        /// The part that has the field.
        part: &'e Path,
        /// Whether it is the only field of an element, which goes by the element's path.
        is_scalar: bool,
        /// Whether names of fields have an `@` in paths, because elements go by their bare names.
        in_main: bool,
        /// The field on both sides.
        sides: [Option<&'e Field<'e>>; 2],
    },
    /// An array that both sides or only one have; the receiver finds out whether it differs.
    Array {
        /// The part that has the array.
        part: &'e Path,
        /// Whether names of arrays have an `@` in paths.
        in_main: bool,
        /// The array on both sides.
        sides: [Option<&'e Array<'e>>; 2],
    },
    /// Two lists were matched. What differs inside the matched elements follows.
    List(&'e Matched<'e>),
    /// One of two parts could not be read to its end.
    Broken(&'e Error),
}

/// Two lists, and which of their elements match.
pub struct Matched<'e> {
    /// The part that has the lists.
    pub part: &'e Path,
    /// The properties of both lists.
    pub list: List,
    /// The lists.
    pub lists: [&'e dyn PartList; 2],
    /// Whether names decide where elements are, on both sides.
    pub sorting: [Sorting; 2],
    /// The numbers of elements.
    pub counts: [u32; 2],
    /// For each element on the right, its match on the left.
    pub left_of: Vec<Option<u32>>,
    pub(super) get: &'e GetElement<'e>,
    /// The elements on the left that are not compared.
    pub(super) skipped: std::cell::RefCell<std::collections::HashSet<u32>>,
}

/// Calls the callback with the element of a side, and its path.
pub(super) type GetElement<'e> = dyn Fn(usize, u32, &mut dyn FnMut(&Part<'_>, &Path)) + 'e;

impl Matched<'_> {
    /// Calls `visit` with an element of the left list (0) or the right one (1), and with its path.
    pub fn get(&self, side: usize, place: u32, visit: &mut dyn FnMut(&Part<'_>, &Path)) {
        (self.get)(side, place, visit);
    }

    /// Leaves out what is inside an element on the left and its match.
    pub fn skip(&self, left: u32) {
        self.skipped.borrow_mut().insert(left);
    }
}

/// A callback that receives the findings of a comparison.
pub type OnEvent<'n> = &'n mut dyn FnMut(&Event<'_>);

impl std::fmt::Debug for Event<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Field { part, sides, .. } => {
                f.debug_struct("Field").field("part", part).field("sides", sides).finish()
            }
            Self::Array { part, sides, .. } => {
                f.debug_struct("Array").field("part", part).field("sides", sides).finish()
            }
            Self::List(list) => list.fmt(f),
            Self::Broken(error) => error.fmt(f),
        }
    }
}

worldview_core::debug_summary!("Matched", Matched<'_>, |this| list: this.list.name, counts: this.counts);
