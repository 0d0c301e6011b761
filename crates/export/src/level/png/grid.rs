use worldview_core::Limit;
use worldview_wwd::Plane;

use super::Options;
use crate::picture::Size;
use crate::{Error, Result};

/// The side of a tile where the level gives none: that of Claw.
pub(super) const USUAL_TILE: u32 = 64;
/// What a picture of no given scale fits.
const FIT: u32 = 4096;

/// One direction of a picture: how many cells, the pixels of the level that each has, and those of the picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    pub(super) cells: u32,
    pub(super) tile: u32,
    pub(super) cell: u32,
}

impl Axis {
    /// Pixels of the picture.
    pub(super) fn length(self) -> u64 {
        u64::from(self.cells) * u64::from(self.cell)
    }

    /// The pixel of the level that lies under the middle of a pixel of the picture.
    pub(super) fn sample(self, at: u32) -> u64 {
        (2 * u64::from(at) + 1) * u64::from(self.tile) / (2 * u64::from(self.cell))
    }

    /// The pixel of the picture that holds a pixel of the level; `None` outside.
    pub(super) fn place(self, level: i32) -> Option<u32> {
        let at = u64::try_from(level).ok()? * u64::from(self.cell) / u64::from(self.tile);
        if at < self.length() { u32::try_from(at).ok() } else { None }
    }
}

/// The cells of a picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    pub(super) across: Axis,
    pub(super) down: Axis,
}

impl Grid {
    /// The grid of a plane; `None` where there are no tiles.
    pub(super) fn of(plane: &Plane<'_>, options: &Options<'_>) -> Option<Self> {
        let columns = u32::try_from(plane.columns()).ok()?;
        let rows = u32::try_from(plane.rows().len()).ok()?;
        if columns == 0 || rows == 0 {
            return None;
        }
        let (wide, high) = tile_size(plane).unwrap_or((USUAL_TILE, USUAL_TILE));
        let longer = wide.max(high);
        let most = if options.tiles.is_some() { longer.min(FIT) } else { USUAL_TILE };
        let scale = options.scale.unwrap_or_else(|| (FIT / columns.max(rows)).min(most)).max(1);
        let cell = |side: u32| {
            let (side, longer) = (u64::from(side), u64::from(longer));
            u32::try_from((u64::from(scale) * side + longer / 2) / longer).unwrap_or(scale).max(1)
        };
        Some(Self {
            across: Axis { cells: columns, tile: wide, cell: cell(wide) },
            down: Axis { cells: rows, tile: high, cell: cell(high) },
        })
    }
}

/// The size of a plane's tiles in pixels; `None` where it is no size.
pub(super) fn tile_size(plane: &Plane<'_>) -> Option<(u32, u32)> {
    let side = |side: i32| u32::try_from(side).ok().filter(|&side| side > 0);
    side(plane.header().tile_width.get()).zip(side(plane.header().tile_height.get()))
}

/// Returns the size of a picture, if a picture can and may have it.
pub(super) fn size(width: u64, height: u64, max_pixels: u64) -> Result<Size> {
    let pixels = width.saturating_mul(height);
    within("the pixels of the picture", pixels, max_pixels)?;
    Ok(Size { width: side(width)?, height: side(height)? })
}

/// A side that a PNG can have.
fn side(length: u64) -> Result<u32> {
    const MOST: u32 = i32::MAX.unsigned_abs();
    match u32::try_from(length) {
        Ok(length) if length <= MOST => Ok(length),
        _ => Err(Error::Limit { of: Limit::Side, what: "a side of the picture", need: length, limit: MOST.into() }),
    }
}

/// Fails with [`Limit::Pixels`] when a bound on pixels is passed.
pub(super) fn within(what: &'static str, need: u64, limit: u64) -> Result<()> {
    if need > limit { Err(Error::Limit { of: Limit::Pixels, what, need, limit }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_lie_in_the_middle() {
        let axis = Axis { cells: 2, tile: 64, cell: 3 };
        assert_eq!([0, 1, 2, 3].map(|x| axis.sample(x)), [10, 32, 53, 74]);
    }

    #[test]
    fn a_place_outside_is_none() {
        let axis = Axis { cells: 2, tile: 64, cell: 3 };
        assert_eq!([-1, 0, 21, 22, 127, 128].map(|x| axis.place(x)), [None, Some(0), Some(0), Some(1), Some(5), None]);
        assert_eq!(Axis { cells: 1, tile: 1, cell: u32::MAX }.place(i32::MAX), None);
    }
}
