use std::io::Write;

use worldview_wwd::Level;

use super::draw::{Output, Picture};
use super::grid::{self, Axis, Grid};
use super::marks::Marks;
use super::scene::{Scene, View};
use super::{Allowance, Options, main_plane, overlay, shows_attributes};
use crate::Result;
use crate::picture::Size;

/// Maximum number of pixels of the drawing per pixel of a thumbnail, in each direction.
const FINER: u32 = 3;

/// The number of pixels that a drawing may always have, even for a small box, so that several planes can be drawn.
const MIN: u64 = 1 << 23;

/// The number of pixels of the game's pictures that are painted for a thumbnail. More are skipped row by row.
const PAINTED: u64 = 1 << 27;

/// Draws the picture of [`level()`](super::level()) without marks, as large as fits into a box.
///
/// Each cell has a whole number of pixels if the box is large enough. Otherwise, several cells are averaged, and if
/// there are very many cells, only some of them are sampled. Pictures of the game are always averaged.
pub(crate) fn thumbnail<'p>(
    level: &'p Level<'p>,
    (width, height): (u32, u32),
    options: Options<'p>,
    out: &mut dyn Write,
) -> Result<()> {
    let finest = u64::from(width) * u64::from(height) * u64::from(FINER * FINER);
    let options = Options { scale: Some(1), max_pixels: finest.max(MIN), marks: false, ..options };
    let mut allowance = Allowance::new(&options);
    let view = View::Level(main_plane(level)?);
    let full = Grid::of_plane(view, &options)?;
    let (grid, size) = if options.has_game() {
        let box_of = |axis: Axis, most: u32| u32::try_from(axis.length()).unwrap_or(most).min(most);
        (full, fitting(&full, (box_of(full.across, width), box_of(full.down, height))))
    } else {
        let reduced = fitting(&full, (width, height));
        let whole = whole(&full, (width, height));
        let grid = whole.unwrap_or_else(|| finer(&full, reduced));
        let drawn = grid::size(grid.across.length(), grid.down.length(), options.max_pixels)?;
        allowance.picture(drawn)?;
        (grid, if whole.is_some() { drawn } else { reduced })
    };
    let (scene, stride) = if shows_attributes(level, &options) && !options.has_game() {
        (overlay::scene(level, view.plane(), grid, false, &options)?, 1)
    } else {
        let least = (grid.down.length() / u64::from(size.height)).max(1);
        let scene = Scene::of(level, view, grid, least, &options)?;
        let scene = if options.has_game() { Scene { work: PAINTED, ..scene } } else { scene };
        let stride = scene.stride(size)?;
        (scene, stride)
    };
    Picture { scene: &scene, marks: Marks::default(), size, stride, legend: None }.draw(Output::Png(out))
}

/// Returns the grid with the largest whole number of pixels per cell that fits into the box, or `None` if it has
/// more cells than pixels.
fn whole(full: &Grid, (width, height): (u32, u32)) -> Option<Grid> {
    let (wide, high) = (full.across.tile, full.down.tile);
    let longer = wide.max(high);
    // Size in pixels of the longer side of a tile. Tiles are not enlarged.
    let most = |pixels: u32, cells: u32, side: u32| {
        let most = u64::from(pixels) * u64::from(longer) / (u64::from(cells) * u64::from(side)).max(1);
        u32::try_from(most).unwrap_or(u32::MAX)
    };
    let scale = most(width, full.across.cells, wide).min(most(height, full.down.cells, high)).min(longer);
    // Sides are rounded, so the largest size may be one too large.
    [scale, scale.saturating_sub(1)].into_iter().filter(|&scale| scale > 0).find_map(|scale| {
        let grid = full.scaled(scale);
        let fits = |axis: Axis, most: u32| axis.length() <= most.into();
        (fits(grid.across, width) && fits(grid.down, height)).then_some(grid)
    })
}

/// Returns the largest size in a box that has the aspect ratio of the grid.
fn fitting(grid: &Grid, (width, height): (u32, u32)) -> Size {
    let length = |axis: Axis| u128::from(axis.cells) * u128::from(axis.tile);
    let (across, down) = (length(grid.across).max(1), length(grid.down).max(1));
    let side = |side: u128, most: u32| u32::try_from(side).unwrap_or(u32::MAX).clamp(1, most.max(1));
    if across * u128::from(height) > down * u128::from(width) {
        Size { width: width.max(1), height: side(down * u128::from(width) / across, height) }
    } else {
        Size { width: side(across * u128::from(height) / down, width), height: height.max(1) }
    }
}

/// Returns a grid with at least as many pixels as the reduced picture. Each pixel represents several cells or is
/// part of one.
fn finer(grid: &Grid, Size { width, height }: Size) -> Grid {
    let axis = |axis: Axis, pixels: u32| {
        let Axis { cells, tile, .. } = axis;
        if cells < pixels {
            return Axis { start: 0, cells, tile, cell: pixels.div_ceil(cells.max(1)) };
        }
        let together = cells.div_ceil(pixels.saturating_mul(FINER)).max(1);
        Axis { start: 0, cells: cells.div_ceil(together), tile: tile.saturating_mul(together), cell: 1 }
    };
    Grid { across: axis(grid.across, width), down: axis(grid.down, height) }
}
