use std::io::Write;

use worldview_core::Budget;
use worldview_wwd::{Level, Plane};

use super::atlas::Atlas;
use super::class::{Class, Seen};
use super::grid::{self, Axis, Grid, tile_size};
use super::inks::{Inks, spend};
use super::layer::{self, Layer};
use super::marks::Marks;
use super::{Allowance, Options, Scene, class, main_grid, overlay, shows_attributes};
use crate::level::palette::Rgb;
use crate::picture::{self, Format, Ink, Size};
use crate::{Error, Result};

/// Maximum number of pixels of the drawing per pixel of a thumbnail, in each direction.
const FINER: u32 = 3;

/// The number of pixels that a drawing may always have, even for a small box, so that several planes can be drawn.
const MIN: u64 = 1 << 23;

/// The number of pixels of the game's pictures that are painted for a thumbnail. More are skipped row by row.
#[cfg(feature = "game")]
const PAINTED: u64 = 1 << 27;

/// Draws the picture of [`level()`](super::level()) without marks, as large as fits into a box.
///
/// Each cell has a whole number of pixels if the box is large enough. Otherwise, several cells are averaged, and if
/// there are very many cells, only some of them are sampled.
///
/// Returns the names and colors of the tile attributes in the picture, if it shows them.
pub(crate) fn thumbnail(
    level: &Level<'_>,
    (width, height): (u32, u32),
    options: Options<'_>,
    out: &mut dyn Write,
) -> Result<Vec<(&'static str, Rgb)>> {
    let finest = u64::from(width) * u64::from(height) * u64::from(FINER * FINER);
    let options = Options { scale: Some(1), max_pixels: finest.max(MIN), marks: false, ..options };
    #[cfg(feature = "game")]
    if let Some((pictures, main)) = options.pictures().zip(level.main_plane()) {
        let full = Options { scale: Some(u32::MAX), ..options };
        let view = super::game::View::Level(main);
        let grid = super::game::grid(level, view, &full, pictures);
        let grid = grid.ok_or(Error::Nothing { what: "tiles on its main plane" })?;
        let box_of = |axis: Axis, most: u32| u32::try_from(axis.length()).unwrap_or(most).min(most);
        let size = fitting(&grid, (box_of(grid.across, width), box_of(grid.down, height)));
        let budget = &mut Allowance::of(level, &options).level;
        super::game::draw_into(
            level,
            view,
            (&grid, size),
            PAINTED,
            &options,
            pictures,
            budget,
            super::game::Output::Png(out),
        )?;
        return Ok(Vec::new());
    }
    let (main, small) = main_grid(level, &options)?;
    let grid = whole(main, &small, (width, height), options);
    let reduced = if grid.is_some() { None } else { Some(fitting(&small, (width, height))) };
    let grid = grid.unwrap_or_else(|| finer(&small, reduced));
    let mut allowance = Allowance::of(level, &options);
    if shows_attributes(level, &options) {
        return attributes(level, (main, &grid), reduced, &options, &mut allowance, out);
    }
    let drawn = level.planes().iter().filter(|plane| plane.is_drawn());
    let layers = drawn.filter_map(|plane| Layer::over(plane, &grid)).collect();
    let scene = Scene { level, grid, layers, marked: &[], options: &options };
    let size = scene.size(&mut allowance)?;
    match reduced {
        None => scene.draw(size, &mut allowance.level, out)?,
        Some(reduced) => scene.reduce(size, reduced, &mut allowance.level, out)?,
    }
    Ok(Vec::new())
}

/// Draws the tile attributes, and returns their names and colors instead of drawing a legend.
fn attributes(
    level: &Level<'_>,
    (main, grid): (&Plane<'_>, &Grid),
    reduced: Option<Size>,
    options: &Options<'_>,
    allowance: &mut Allowance,
    out: &mut dyn Write,
) -> Result<Vec<(&'static str, Rgb)>> {
    let drawn = grid::size(grid.across.length(), grid.down.length(), options.max_pixels)?;
    allowance.picture(drawn)?;
    spend(level, main, &mut allowance.level)?;
    let (marks, empty) = (Marks::default(), overlay::empty(false));
    let mut row = vec![empty; usize::try_from(drawn.width).unwrap_or(0)];
    let mut seen = Seen::default();
    let mut paint = |push: Push<'_>| {
        overlay::paint(level, (main, grid), empty, &marks, &mut row, &mut |row| {
            seen.add(row);
            push(row)
        })
    };
    let Some(reduced) = reduced else {
        picture::write(out, drawn, &class::format(false), |rows| paint(&mut |row| rows.push(row)))?;
        return Ok(Class::shown(&seen));
    };
    let colors = class::direct();
    let mut direct = Vec::new();
    reduce(drawn, reduced, out, |push| {
        paint(&mut |row| {
            direct.clear();
            direct.extend(row.iter().filter_map(|&ink| colors.get(usize::try_from(ink).ok()?)));
            push(&direct)
        })
    })?;
    Ok(Class::shown(&seen))
}

/// Takes the rows of a drawing.
type Push<'a> = &'a mut dyn FnMut(&[Ink]) -> Result<()>;

/// Returns the grid with the largest whole number of pixels per cell that fits into the box, or `None` if it has
/// more cells than pixels.
fn whole(main: &Plane<'_>, small: &Grid, (width, height): (u32, u32), options: Options<'_>) -> Option<Grid> {
    let (wide, high) = tile_size(main).unwrap_or((small.across.tile, small.down.tile));
    let longer = wide.max(high);
    // Size in pixels of the longer side of a tile. Tiles are not enlarged.
    let most = |pixels: u32, cells: u32, side: u32| {
        let most = u64::from(pixels) * u64::from(longer) / (u64::from(cells) * u64::from(side)).max(1);
        u32::try_from(most).unwrap_or(u32::MAX)
    };
    let scale = most(width, small.across.cells, wide).min(most(height, small.down.cells, high)).min(longer);
    // Sides are rounded, so the largest size may be one too large.
    [scale, scale.saturating_sub(1)].into_iter().filter(|&scale| scale > 0).find_map(|scale| {
        let grid = Grid::of(main, &Options { scale: Some(scale), ..options })?;
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
fn finer(grid: &Grid, reduced: Option<Size>) -> Grid {
    let Some(Size { width, height }) = reduced else { return *grid };
    let axis = |axis: Axis, pixels: u32| {
        let Axis { cells, tile, .. } = axis;
        if cells < pixels {
            return Axis { cells, tile, cell: pixels.div_ceil(cells.max(1)) };
        }
        let together = cells.div_ceil(pixels.saturating_mul(FINER)).max(1);
        Axis { cells: cells.div_ceil(together), tile: tile.saturating_mul(together), cell: 1 }
    };
    Grid { across: axis(grid.across, width), down: axis(grid.down, height) }
}

impl Scene<'_, '_> {
    /// Draws a scene smaller than it is.
    fn reduce(&self, drawn: Size, size: Size, budget: &mut Budget, out: &mut dyn Write) -> Result<()> {
        let Self { level, grid, layers, options, .. } = self;
        let atlas = match options.tiles {
            None => Atlas::default(),
            Some(images) => {
                let cells = layers.iter().map(|layer| (layer.plane(), layer.cell(grid)));
                Atlas::of(level, images, cells, budget)?
            }
        };
        let (inks, marks) = (Inks::direct(), Marks::default());
        reduce(drawn, size, out, |push| layer::paint(layers, grid, &inks, &atlas, &marks, push))
    }
}

/// Writes a drawing smaller than it is, each pixel the average of those that it takes the place of.
fn reduce(drawn: Size, size: Size, out: &mut dyn Write, paint: impl FnOnce(Push<'_>) -> Result<()>) -> Result<()> {
    let width = usize::try_from(size.width).map_err(|_| Error::Nothing { what: "memory for a row" })?;
    picture::write(out, size, &Format::Rgb, |rows| {
        let (mut sums, mut y) = (vec![[0_u32; 4]; width], 0_u32);
        paint(&mut |row| {
            for (x, ink) in (0_u64..).zip(row) {
                let at = usize::try_from(x * u64::from(size.width) / u64::from(drawn.width)).unwrap_or(usize::MAX);
                let Some(sum) = sums.get_mut(at) else { continue };
                for (sum, part) in sum.iter_mut().zip(ink.to_be_bytes()) {
                    *sum += u32::from(part);
                }
            }
            let line = |y: u32| u64::from(y) * u64::from(size.height) / u64::from(drawn.height);
            y += 1;
            if line(y) == line(y - 1) {
                return Ok(());
            }
            let mean: Vec<Ink> = sums.iter().map(mean).collect();
            sums.fill([0; 4]);
            rows.push(&mean)
        })
    })
}

/// Returns the mean of opaque colors from the sums of their components. The sum of the opacities gives their number.
fn mean([opacity, color @ ..]: &[u32; 4]) -> Ink {
    let count = (opacity / 255).max(1);
    crate::picture::opaque(color.map(|sum| u8::try_from((sum + count / 2) / count).unwrap_or(u8::MAX)))
}
