use crate::{Error, ErrorKind, Limit, OffsetBase, Result};

/// A bound on the work that a walk may do.
///
/// Parts of a file may overlap. That is legal and costs a view nothing, but a walk that visits each part in full could
/// process the same bytes thousands of times. A walk therefore charges what it visits to a budget, and stops with
/// [`ErrorKind::Limit`] when the budget is exhausted.
// Neither `Copy` nor `Clone`: spending from a copy would leave the original untouched.
///
/// ```
/// use worldview_core::{Budget, OffsetBase};
///
/// let mut budget = Budget::for_bytes(100, "walk");
/// assert!(budget.spend(100, 0, OffsetBase::File).is_ok());
/// assert!(budget.spend(u64::MAX, 0, OffsetBase::File).is_err());
/// ```
#[derive(Debug)]
pub struct Budget {
    spent: u64,
    limit: u64,
    of: Limit,
    what: &'static str,
}

impl Budget {
    /// Creates a budget of `limit` units; `of` and `what` identify it in errors.
    pub const fn new(limit: u64, of: Limit, what: &'static str) -> Self {
        Self { spent: 0, limit, of, what }
    }

    /// Creates the budget of a walk over `len` bytes: four times `len` plus 1 MiB.
    ///
    /// Parts do not overlap in a sane file, so this is ample. Exceeding the budget is a [`Limit::Overlap`].
    pub const fn for_bytes(len: u64, what: &'static str) -> Self {
        Self::new(len.saturating_mul(4).saturating_add(1 << 20), Limit::Overlap, what)
    }

    /// Charges `units` for the part at offset `at`; charges nothing on failure.
    ///
    /// # Errors
    ///
    /// Returns an error if fewer than `units` are left.
    pub const fn spend(&mut self, units: u64, at: u64, space: OffsetBase) -> Result<()> {
        let need = self.spent.saturating_add(units);
        if need > self.limit {
            return Err(Error::new(ErrorKind::Limit { of: self.of, need, limit: self.limit }, self.what, at, space));
        }
        self.spent = need;
        Ok(())
    }
}
