use crate::{Error, ErrorKind, Limit, Result, Space};

/// A bound on the work that a walk may do, spent as it goes.
///
/// Parts of a file may overlap, which is legal and costs a view nothing; a walk that visits each part in full would
/// do the same bytes thousands of times. A walk therefore spends what it visits, and past the bound it stops with
/// [`ErrorKind::Limit`].
// Neither `Copy` nor `Clone`: a copy would be a budget that is never spent.
///
/// ```
/// use worldview_core::{Budget, Space};
///
/// let mut budget = Budget::for_bytes(100, "walk");
/// assert!(budget.spend(100, 0, Space::File).is_ok());
/// assert!(budget.spend(u64::MAX, 0, Space::File).is_err());
/// ```
#[derive(Debug)]
pub struct Budget {
    spent: u64,
    limit: u64,
    of: Limit,
    what: &'static str,
}

impl Budget {
    /// A budget of `limit` units; `of` and `what` name it in the error.
    pub const fn new(limit: u64, of: Limit, what: &'static str) -> Self {
        Self { spent: 0, limit, of, what }
    }

    /// The budget of a walk over `len` bytes of parts that do not overlap in a sane file: four times as many bytes,
    /// and a megabyte for the smallest. Its error is a [`Limit::Overlap`].
    pub const fn for_bytes(len: u64, what: &'static str) -> Self {
        Self::new(len.saturating_mul(4).saturating_add(1 << 20), Limit::Overlap, what)
    }

    /// Takes `units` for the part at offset `at`; an error, and nothing taken, when they are not there.
    pub const fn spend(&mut self, units: u64, at: u64, space: Space) -> Result<()> {
        let need = self.spent.saturating_add(units);
        if need > self.limit {
            return Err(Error::new(ErrorKind::Limit { of: self.of, need, limit: self.limit }, self.what, at, space));
        }
        self.spent = need;
        Ok(())
    }
}
