use worldview_core::Limit;
use worldview_wwd::{Level, Plane};

use super::Options;
use super::cells::Cells;
use super::scene::{View, cost_of_layers, work};
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
    pub(super) fn sample(self, at: u64) -> u64 {
        (2 * at + 1) * u64::from(self.tile) / (2 * u64::from(self.cell))
    }

    /// Returns the pixel of the picture that contains a pixel of the level, or `None` if it is outside.
    pub(super) fn place(self, level: i32) -> Option<u32> {
        let at = u64::try_from(level).ok()? * u64::from(self.cell) / u64::from(self.tile);
        if at < self.length() { u32::try_from(at).ok() } else { None }
    }

    /// Returns the size of a cell of a layer in whole pixels of the picture, at least 1.
    pub(super) fn cell_of(self, cells: Cells) -> u32 {
        let side = u64::from(cells.tile) * u64::from(self.cell) / u64::from(self.tile);
        u32::try_from(side).unwrap_or(u32::MAX).max(1)
    }

    /// Returns whether all cells of a layer have the size that [`cell_of`](Self::cell_of) returns.
    pub(super) const fn is_exact(self, cells: Cells) -> bool {
        (cells.tile as u64 * self.cell as u64).is_multiple_of(self.tile as u64)
    }

    /// Returns the maximum number of cells of a layer that can be visible before it repeats.
    pub(super) fn visible(self, cells: Cells) -> usize {
        let length = u64::from(self.cells) * u64::from(self.tile);
        usize::try_from(length.div_ceil(cells.tile.into())).unwrap_or(usize::MAX)
    }
}

/// The cells of a picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    pub(super) across: Axis,
    pub(super) down: Axis,
}

impl Grid {
    /// Returns the grid of a picture, or an error if the plane has no tiles.
    ///
    /// With the pictures of a game, tiles have their own size, or the largest smaller one with which the picture and the
    /// work for it stay within limits.
    pub(super) fn of(level: &Level<'_>, view: View<'_, '_>, options: &Options<'_>) -> Result<Self> {
        let full = Self::of_plane(view, options)?;
        let longer = full.across.tile.max(full.down.tile);
        if !options.has_game() {
            let most = if options.tiles.is_some() { longer.min(FIT) } else { USUAL_TILE };
            let fit = FIT / full.across.cells.max(full.down.cells);
            return Ok(full.scaled(options.scale.unwrap_or_else(|| fit.min(most)).max(1)));
        }
        if let Some(scale) = options.scale {
            return Ok(full.scaled(scale.clamp(1, longer)));
        }
        let skipped = cost_of_layers(level, view, &full, options).div_ceil(work(options)).max(1);
        let most = u32::try_from(u64::from(longer) / skipped).unwrap_or(longer).max(1);
        // The largest scale whose picture is not too large.
        let (mut fits, mut over) = (1, most + 1);
        while fits + 1 < over {
            let middle = fits + (over - fits) / 2;
            let grid = full.scaled(middle);
            let is_within = grid.across.length().saturating_mul(grid.down.length()) <= options.max_pixels;
            if is_within { fits = middle } else { over = middle }
        }
        Ok(full.scaled(fits))
    }

    /// Returns the grid of a plane in full size, or an error if it has no tiles.
    pub(super) fn of_plane(view: View<'_, '_>, options: &Options<'_>) -> Result<Self> {
        let count = |count: usize| u32::try_from(count).ok().filter(|&count| count > 0);
        let Some((columns, rows)) = count(view.plane().columns()).zip(count(view.plane().rows().len())) else {
            let what = match view {
                View::Level(_) => "tiles on its main plane",
                View::Plane(_) => "tiles on this plane",
            };
            return Err(Error::Nothing { what });
        };
        let (wide, high) = tile_size(view.plane(), options).unwrap_or((USUAL_TILE, USUAL_TILE));
        let axis = |cells: u32, tile: u32| Axis { cells, tile, cell: tile };
        Ok(Self { across: axis(columns, wide), down: axis(rows, high) })
    }

    /// Returns the grid with `scale` pixels for the longer side of a tile.
    pub(super) fn scaled(self, scale: u32) -> Self {
        let longer = u64::from(self.across.tile.max(self.down.tile));
        let axis = |axis: Axis| {
            let cell = (u64::from(scale) * u64::from(axis.tile) + longer / 2) / longer;
            Axis { cell: u32::try_from(cell).unwrap_or(scale).max(1), ..axis }
        };
        Self { across: axis(self.across), down: axis(self.down) }
    }

    /// Returns the grid in full size.
    pub(super) fn full(self) -> Self {
        let axis = |axis: Axis| Axis { cell: axis.tile, ..axis };
        Self { across: axis(self.across), down: axis(self.down) }
    }
}

/// Returns the size of a plane's tiles in pixels, or `None` if it is not a valid size.
pub(super) fn tile_size(plane: &Plane<'_>, options: &Options<'_>) -> Option<(u32, u32)> {
    #[cfg(feature = "game")]
    if let Some(pictures) = options.pictures() {
        return pictures.tile_size(plane);
    }
    #[cfg(not(feature = "game"))]
    let _ = options;
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
