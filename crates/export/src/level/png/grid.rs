use std::ops::Range;

use worldview_core::Limit;
use worldview_wwd::{Level, Plane};

use super::Options;
use super::scene::{View, cost_of_layers, work};
use crate::picture::Size;
use crate::{Error, Result};

/// The side of a tile in pixels if the level does not specify it; the default of Claw.
pub(super) const USUAL_TILE: u32 = 64;
/// Maximum side in pixels of a picture without an explicit scale.
const FIT: u32 = 4096;

/// One dimension of a picture: its first pixel, the number of cells, and the size of a cell in pixels of the level and
/// of the picture.
///
/// The pixels of a picture are counted from the origin of the level, also if that is not part of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    pub(super) start: u64,
    pub(super) cells: u32,
    pub(super) tile: u32,
    pub(super) cell: u32,
}

/// One dimension of a layer: the number of cells, and the size of a cell in pixels of the level.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cells {
    pub(super) count: u32,
    pub(super) tile: u32,
    pub(super) beyond: Beyond,
}

/// What is behind the last cell of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beyond {
    Nothing,
    /// The cells again, from the first.
    Repeat,
    /// The last cell, which goes on.
    Clamp,
}

impl Axis {
    /// Returns the pixels of the picture.
    pub(super) fn pixels(self) -> Range<u64> {
        self.start..self.start + self.length()
    }

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

    /// Returns the cells of a layer that are visible, each once.
    pub(super) fn visible(self, cells: Cells) -> impl Iterator<Item = usize> {
        let Range { start: mut at, end } = self.pixels();
        let length = u64::from(self.cells) * u64::from(self.tile);
        (0..cells.count).map_while(move |number| {
            if cells.beyond == Beyond::Repeat {
                return usize::try_from(number).ok().filter(|_| u64::from(number) * u64::from(cells.tile) < length);
            }
            let (cell, _, next) = (at < end).then(|| self.cell_at(at, cells))?;
            at = next;
            cell
        })
    }

    /// Returns the cell of a layer at a pixel of the picture, or `None` if there is none, and the pixels where it starts
    /// and ends. A pixel shows the cell at its center.
    #[inline]
    pub(super) fn cell_at(self, at: u64, cells: Cells) -> (Option<usize>, u64, u64) {
        let (pixel, cell) = self.ratio(cells);
        let number = divide(u128::from(self.tile) * (2 * u128::from(at) + 1), cell);
        let first = |number: u64| divide(u128::from(number) * u128::from(cell) + u128::from(pixel / 2 - 1), pixel);
        let (start, end) = (first(number).min(at), first(number.saturating_add(1)));
        let count = u64::from(cells.count);
        let index = match cells.beyond {
            Beyond::Repeat => number.checked_rem(count),
            Beyond::Clamp if count > 0 => Some(number.min(count - 1)),
            _ => Some(number).filter(|&number| number < count),
        };
        (index.and_then(|index| usize::try_from(index).ok()), start, end)
    }

    /// Returns the number of pixels of the picture that a layer covers, and the maximum number of its cells visible there.
    pub(super) fn covered(self, cells: Cells) -> (u64, u64) {
        let (pixel, cell) = self.ratio(cells);
        let end = u64::from(cells.count).saturating_mul(cell).saturating_add(u64::from(self.tile) - 1) / pixel;
        let pixels = if cells.beyond == Beyond::Repeat { self.length() } else { self.length().min(end) };
        let seen = if cell < pixel { pixels } else { pixels.saturating_mul(pixel) / cell + 1 };
        (pixels, seen)
    }

    /// Returns the ratio of a pixel of the picture to a cell of a layer: twice the side of each, in a fraction of a
    /// pixel of the level.
    fn ratio(self, cells: Cells) -> (u64, u64) {
        (2 * u64::from(self.tile), 2 * u64::from(self.cell).saturating_mul(cells.tile.into()))
    }
}

/// Returns a quotient. Nearly all numbers fit into 64 bits, whose division is many times as fast.
#[inline]
fn divide(number: u128, by: u64) -> u64 {
    match u64::try_from(number) {
        Ok(number) => number / by,
        Err(_) => u64::try_from(number / u128::from(by)).unwrap_or(u64::MAX),
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
        let axis = |cells: u32, tile: u32| Axis { start: 0, cells, tile, cell: tile };
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
        let axis = Axis { start: 0, cells: 2, tile: 64, cell: 3 };
        assert_eq!([0, 1, 2, 3].map(|x| axis.sample(x)), [10, 32, 53, 74]);
    }

    #[test]
    fn a_place_outside_is_none() {
        let axis = Axis { start: 0, cells: 2, tile: 64, cell: 3 };
        assert_eq!([-1, 0, 21, 22, 127, 128].map(|x| axis.place(x)), [None, Some(0), Some(0), Some(1), Some(5), None]);
        assert_eq!(Axis { start: 0, cells: 1, tile: 1, cell: u32::MAX }.place(i32::MAX), None);
    }

    #[test]
    fn pixels_show_the_cells_at_their_centers() {
        for (columns, tile, cell) in [(7, 64, 3), (5, 3, 64), (9, 1, 1), (4, 10, 7), (3, 7, 10), (11, 64, 64)] {
            let axis = Axis { start: 0, cells: columns, tile, cell };
            for (count, tile) in (1..8).flat_map(|count| [1, 2, 3, 7, 20, 21, 64, 65, 1000].map(|tile| (count, tile))) {
                for beyond in [Beyond::Nothing, Beyond::Repeat] {
                    let cells = Cells { count, tile, beyond };
                    let number = |x: u64| axis.sample(x) / u64::from(tile);
                    let numbers: Vec<_> = (0..axis.length()).map(number).collect();
                    let mut shown = 0;
                    for (x, &number) in (0..).zip(&numbers) {
                        let at = if beyond == Beyond::Repeat { number % u64::from(count) } else { number };
                        let expected = (at < count.into()).then(|| usize::try_from(at).unwrap());
                        let (found, start, end) = axis.cell_at(x, cells);
                        assert_eq!(found, expected, "{axis:?} {cells:?} {x}");
                        assert_eq!(numbers.iter().position(|&other| other == number), usize::try_from(start).ok());
                        let last = numbers.iter().rposition(|&other| other == number).unwrap() as u64;
                        assert!(last < end && (end == last + 1 || last + 1 == axis.length()), "{axis:?} {cells:?} {x}");
                        shown += u64::from(expected.is_some());
                    }
                    let (pixels, seen) = axis.covered(cells);
                    assert_eq!(pixels, shown, "{axis:?} {cells:?}");
                    let spans =
                        numbers[..usize::try_from(shown).unwrap()].chunk_by(|one, next| one == next).count() as u64;
                    assert!((spans..=spans + 2).contains(&seen), "{axis:?} {cells:?}: {seen} of {spans}");
                }
            }
        }
    }

    #[test]
    fn the_last_cell_goes_on_if_it_is_to() {
        let axis = Axis { start: 0, cells: 4, tile: 10, cell: 10 };
        let cells = Cells { count: 2, tile: 10, beyond: Beyond::Clamp };
        assert_eq!([0, 9, 10, 39].map(|x| axis.cell_at(x, cells).0), [Some(0), Some(0), Some(1), Some(1)]);
    }

    #[test]
    fn the_largest_sizes_do_not_overflow() {
        const MAX: u32 = i32::MAX.unsigned_abs();
        for (cell, tile) in [(1, 1), (1, MAX), (MAX, 1), (MAX, MAX)] {
            let axis = Axis { start: 0, cells: MAX / cell, tile, cell };
            for (count, tile) in [(1, 1), (1, MAX), (MAX, 1), (MAX, MAX)] {
                for beyond in [Beyond::Nothing, Beyond::Repeat, Beyond::Clamp] {
                    let cells = Cells { count, tile, beyond };
                    for at in [0, axis.length() - 1] {
                        let (_, start, end) = axis.cell_at(at, cells);
                        assert!(start <= at && at < end, "{axis:?} {cells:?} {at}");
                    }
                    assert!(axis.covered(cells).0 <= axis.length());
                }
            }
        }
    }
}
