use worldview_core::Budget;
use worldview_wwd::{Level, Object, Plane};

use super::Options;
use super::grid::within;
use crate::Result;
use crate::level::number;
use crate::picture::Size;

/// The limit on all pictures of a level together.
///
/// Planes may share the same bytes, and a plane header is small, so a file of a few kilobytes could otherwise ask
/// for thousands of pictures of the maximum size. Each function of this module spends part of the allowance.
#[derive(Debug)]
pub struct Allowance {
    /// Limits the bytes that pictures of planes read. The two other kinds of pictures have their own budgets, so that
    /// no kind uses up the budget of another.
    pub(super) planes: Budget,
    pub(super) level: Budget,
    pub(super) attributes: Budget,
    pixels: u64,
    most: u64,
}

impl Allowance {
    /// Creates the allowance for the pictures of a level: to read its bytes a few times for each kind of picture, and
    /// to draw four times as many pixels as a single picture may have. The largest levels of Claw need that: for the
    /// level, its attributes and its planes, each at full size.
    pub fn of(level: &Level<'_>, options: &Options<'_>) -> Self {
        /// The number of pixels that is always allowed: enough for hundreds of small pictures, even if `max_pixels` is
        /// tiny.
        const MIN: u64 = 1 << 24;

        let walk = |what| Budget::for_bytes(level.image().len(), what);
        Self {
            planes: walk("walk for the pictures of planes"),
            level: walk("walk for the picture of the level"),
            attributes: walk("walk for the picture of the attributes"),
            pixels: 0,
            most: options.max_pixels.saturating_mul(4).max(MIN),
        }
    }

    /// Spends the pixels of another picture.
    pub(super) fn picture(&mut self, size: Size) -> Result<()> {
        /// The minimum cost of a picture, because every file takes time.
        const FILE: u64 = 1 << 16;

        let need = self.pixels.saturating_add(size.pixels().max(FILE));
        within("the pixels of all pictures of the level", need, self.most)?;
        self.pixels = need;
        Ok(())
    }
}

/// Charges for a part of a plane.
pub(super) fn charge(
    level: &Level<'_>,
    plane: &Plane<'_>,
    (bytes, at): (u64, u64),
    budget: &mut Budget,
) -> worldview_core::Result<()> {
    let paid = budget.spend(bytes, at, level.image().space());
    paid.map_err(|error| error.within(&"plane", number(plane.index())))
}

/// Calls `visit` with each object of a plane, and charges for it.
pub(super) fn walk_objects<'a>(
    level: &Level<'_>,
    plane: &Plane<'a>,
    budget: &mut Budget,
    mut visit: impl FnMut(&Object<'a>),
) -> worldview_core::Result<()> {
    plane.objects().iter().try_for_each(|object| {
        let object = object?;
        charge(level, plane, (object.size(), object.at), budget)?;
        visit(&object);
        Ok(())
    })
}
