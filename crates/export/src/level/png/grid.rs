use worldview_core::Limit;
use worldview_wwd::Plane;

use super::Options;
use crate::picture::Size;
use crate::{Error, Result};

/// The side of a tile in pixels if the level does not specify it; the default of Claw.
pub(super) const USUAL_TILE: u32 = 64;
/// Maximum side in pixels of a picture without an explicit scale.
const FIT: u32 = 4096;

/// One dimension of a picture: the number of cells, and the size of a cell in pixels of the level and of the
/// picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    pub(super) cells: u32,
    pub(super) tile: u32,
    pub(super) cell: u32,
}

impl Axis {
    /// Returns the length in pixels of the picture.
    pub(super) fn length(self) -> u64 {
        u64::from(self.cells) * u64::from(self.cell)
    }

    /// Returns the pixel of the level at the center of a pixel of the picture.
    pub(super) fn sample(self, at: u32) -> u64 {
        (2 * u64::from(at) + 1) * u64::from(self.tile) / (2 * u64::from(self.cell))
    }

    /// Returns the pixel of the picture that contains a pixel of the level, or `None` if it is outside.
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
    /// Returns the grid of a plane, or `None` if it has no tiles.
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

/// Returns the size of a plane's tiles in pixels, or `None` if it is not a valid size.
pub(super) fn tile_size(plane: &Plane<'_>) -> Option<(u32, u32)> {
    let side = |side: i32| u32::try_from(side).ok().filter(|&side| side > 0);
    side(plane.header().tile_width.get()).zip(side(plane.header().tile_height.get()))
}

/// Returns the size of a picture, or an error if it exceeds a limit of PNG or `max_pixels`.
pub(super) fn size(width: u64, height: u64, max_pixels: u64) -> Result<Size> {
    let pixels = width.saturating_mul(height);
    within("the pixels of the picture", pixels, max_pixels)?;
    Ok(Size { width: side(width)?, height: side(height)? })
}

/// Returns a side if PNG can represent it.
fn side(length: u64) -> Result<u32> {
    const MAX: u32 = i32::MAX.unsigned_abs();
    match u32::try_from(length) {
        Ok(length) if length <= MAX => Ok(length),
        _ => Err(Error::Limit { of: Limit::Side, what: "a side of the picture", need: length, limit: MAX.into() }),
    }
}

/// Returns a [`Limit::Pixels`] error if `need` exceeds `limit`.
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
