//! Offsets, lengths, counts and indices of what is written. What can only fail if worldview is wrong stops the edit all the same, because
//! nobody would find a wrong number in a file.

use std::num::TryFromIntError;
use std::ops::Range;
use std::panic::Location;

use worldview_core::Path;

use crate::{EditError, EditErrorKind, Result};

/// A value that is there unless worldview is wrong.
pub(crate) trait Checked<T> {
    /// Returns the value, or an error that names the caller.
    fn checked(self) -> Result<T>;
}

impl<T> Checked<T> for Option<T> {
    #[track_caller]
    fn checked(self) -> Result<T> {
        let place = Location::caller();
        self.ok_or_else(|| EditError::new(&Path::new(), EditErrorKind::Fault { place }))
    }
}

impl<T> Checked<T> for std::result::Result<T, TryFromIntError> {
    #[track_caller]
    fn checked(self) -> Result<T> {
        self.ok().checked()
    }
}

/// A number of which another one can be made unless worldview is wrong.
pub(crate) trait Number: Sized {
    fn plus(self, other: Self) -> Result<Self>;
    fn minus(self, other: Self) -> Result<Self>;
    fn times(self, other: Self) -> Result<Self>;
}

macro_rules! numbers {
    ($($type:ty),*) => {$(
        impl Number for $type {
            #[track_caller]
            fn plus(self, other: Self) -> Result<Self> {
                self.checked_add(other).checked()
            }

            #[track_caller]
            fn minus(self, other: Self) -> Result<Self> {
                self.checked_sub(other).checked()
            }

            #[track_caller]
            fn times(self, other: Self) -> Result<Self> {
                self.checked_mul(other).checked()
            }
        }
    )*};
}

numbers!(i64, i128, u32, u64, usize);

/// Returns an offset as an index.
#[track_caller]
pub(crate) fn index(at: u64) -> Result<usize> {
    usize::try_from(at).checked()
}

/// Returns a range of a file as one of indices.
#[track_caller]
pub(crate) fn indices(range: &Range<u64>) -> Result<Range<usize>> {
    Ok(index(range.start)?..index(range.end)?)
}

/// Returns the range of `len` that starts at an offset.
#[track_caller]
pub(crate) fn sized<N: Number + Copy>(start: N, len: N) -> Result<Range<N>> {
    Ok(start..start.plus(len)?)
}

/// Returns a range that counts from a place as one that counts from where the place itself is counted from.
#[track_caller]
pub(crate) fn behind(place: usize, range: &Range<usize>) -> Result<Range<usize>> {
    Ok(place.plus(range.start)?..place.plus(range.end)?)
}

#[cfg(test)]
#[test]
fn a_fault_names_its_place_in_the_source() {
    let (line, error) = (line!(), 1_u32.minus(2).unwrap_err().to_string());
    assert!(
        error.starts_with("this is a bug in worldview") && error.contains(&format!("(checked.rs:{line})")),
        "{error}"
    );
}
