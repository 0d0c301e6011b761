//! Levels drawn with the pictures of their game, as the game draws them. See [Drawing](worldview_rez::format#drawing).

mod gallery;
mod paint;
mod place;
mod plan;
mod reduce;

use std::io::Write;

use worldview_core::Budget;
use worldview_wwd::{Level, Plane};

use super::grid::{Axis, Grid, USUAL_TILE, size, within};
use super::marks::Marks;
use super::{Allowance, Options};
use crate::level::game::LevelPictures;
use crate::level::palette;
use crate::picture::{Format, Ink, Size, opaque, write};
use crate::{Error, Result};
use gallery::Gallery;
pub(super) use paint::Pixel;
use paint::{Stamps, paint};
pub(super) use place::{Place, is_drawn, is_inside};
pub(super) use plan::between_planes;
use plan::{Extent, Plan};
use reduce::Reduced;

/// The fully transparent ink of a picture with colors.
const CLEAR: Ink = 0;

/// How often each pixel of a picture of the maximum size may be painted over.
const DEPTH: u64 = 4;
/// The number of painted pixels that is always allowed, so that small pictures may have many layers.
const MIN: u64 = 1 << 24;

/// The maximum width of a level in pixels, which limits the memory for its rows.
const MAX_WIDTH: u64 = 1 << 22;

/// A row of a drawn level.
#[derive(Clone, Copy, Debug)]
pub enum Row<'r> {
    /// Indices into the palette of the level. An index that no picture uses is transparent.
    Indices(&'r [u8]),
    /// Colors as `0xAARRGGBB`.
    Colors(&'r [u32]),
}

/// Where a picture goes.
pub(super) enum Output<'o> {
    Png(&'o mut dyn Write),
    Rows(&'o mut dyn FnMut(Row<'_>) -> Result<()>),
}

/// What is drawn: all planes over the rectangle of the main plane, or one plane over its own.
#[derive(Clone, Copy)]
pub(super) enum View<'v, 'a> {
    Level(&'v Plane<'a>),
    Plane(&'v Plane<'a>),
}

impl<'v, 'a> View<'v, 'a> {
    /// The plane whose rectangle and objects are drawn.
    const fn plane(self) -> &'v Plane<'a> {
        match self {
            Self::Level(plane) | Self::Plane(plane) => plane,
        }
    }
}

/// Returns the grid of a picture, or `None` if the plane has no tiles.
///
/// Tiles have their own size, or the largest smaller one with which the picture and the work for it stay within
/// limits.
pub(super) fn grid(
    level: &Level<'_>,
    view: View<'_, '_>,
    options: &Options<'_>,
    pictures: &LevelPictures<'_>,
) -> Option<Grid> {
    let plane = view.plane();
    let columns = u32::try_from(plane.columns()).ok()?;
    let rows = u32::try_from(plane.rows().len()).ok()?;
    if columns == 0 || rows == 0 {
        return None;
    }
    let (wide, high) = pictures.tile_size(plane).unwrap_or((USUAL_TILE, USUAL_TILE));
    let longer = wide.max(high);
    let with = |scale: u32| {
        let cell = |side: u32| {
            let cell = (u64::from(scale) * u64::from(side) + u64::from(longer) / 2) / u64::from(longer);
            u32::try_from(cell).unwrap_or(scale).max(1)
        };
        Grid {
            across: Axis { cells: columns, tile: wide, cell: cell(wide) },
            down: Axis { cells: rows, tile: high, cell: cell(high) },
        }
    };
    if let Some(scale) = options.scale {
        return Some(with(scale.clamp(1, longer)));
    }
    let painted = plan::cost_of_layers(level, view, Extent::of(&with(longer)), pictures);
    let skipped = painted.div_ceil(work(options)).max(1);
    let most = u32::try_from(u64::from(longer) / skipped).unwrap_or(longer).max(1);
    // The largest scale whose picture is not too large.
    let (mut fits, mut over) = (1, most + 1);
    while fits + 1 < over {
        let middle = fits + (over - fits) / 2;
        let grid = with(middle);
        let is_within = grid.across.length().saturating_mul(grid.down.length()) <= options.max_pixels;
        if is_within { fits = middle } else { over = middle }
    }
    Some(with(fits))
}

/// The maximum number of pixels to paint for a picture.
fn work(options: &Options<'_>) -> u64 {
    options.max_pixels.saturating_mul(DEPTH).max(MIN)
}

/// Draws a picture.
pub(super) fn draw(
    level: &Level<'_>,
    view: View<'_, '_>,
    options: &Options<'_>,
    pictures: &LevelPictures<'_>,
    allowance: &mut Allowance,
    output: Output<'_>,
) -> Result<()> {
    let what = match view {
        View::Level(_) => "tiles on its main plane",
        View::Plane(_) => "tiles on this plane",
    };
    let grid = grid(level, view, options, pictures).ok_or(Error::Nothing { what })?;
    let size = size(grid.across.length(), grid.down.length(), options.max_pixels)?;
    allowance.picture(size)?;
    let budget = match view {
        View::Level(_) => &mut allowance.level,
        View::Plane(_) => &mut allowance.planes,
    };
    draw_into(level, view, (&grid, size), work(options), options, pictures, budget, output)
}

/// Draws a picture of a given size, for which not more than `work` pixels are painted.
#[expect(clippy::too_many_arguments, reason = "two callers, and each argument is another thing")]
pub(super) fn draw_into(
    level: &Level<'_>,
    view: View<'_, '_>,
    (grid, size): (&Grid, Size),
    work: u64,
    options: &Options<'_>,
    pictures: &LevelPictures<'_>,
    budget: &mut Budget,
    output: Output<'_>,
) -> Result<()> {
    let extent = Extent::of(grid);
    within("the pixels of a row of the level", extent.width, MAX_WIDTH)?;
    let mut gallery = Gallery::new(pictures, options.tiles);
    let plan = Plan::of(level, view, extent, options, &mut gallery, budget)?;
    let marks = Marks::at_positions(plan.unseen.iter().copied(), grid);
    // Painting only some of the rows of a large level is enough for a small picture.
    let skipped = plan.cost().div_ceil(work).max(1);
    let stride = skipped.min((extent.height / u64::from(size.height)).max(1));
    within("the pixels of all planes and objects together", plan.cost() / stride, work)?;

    let is_whole = extent.width == u64::from(size.width) && extent.height == u64::from(size.height);
    if let Some((clear, colors)) = gallery.indexed(plan.fills()).filter(|_| is_whole) {
        let marked = [palette::MARK, super::inks::OUTLINE].map(|color| nearest(&colors, clear, color));
        let stamps = Stamps::indexed(&gallery, &plan, clear);
        let format = (0..=u8::MAX)
            .zip(&colors)
            .map(|(index, &[red, green, blue])| [red, green, blue, if index == clear { 0 } else { 0xFF }]);
        let paint = |push: &mut dyn FnMut(&[u8]) -> Result<()>| {
            paint(&plan, &stamps, 1, &mut |y, row| {
                mark(&marks, y, marked, row);
                push(row)
            })
        };
        return match output {
            Output::Rows(push) => paint(&mut |row| push(Row::Indices(row))),
            Output::Png(out) => {
                write(out, size, &Format::Indexed(format.collect()), |rows| paint(&mut |row| rows.push_indices(row)))
            }
        };
    }
    let marked = [palette::MARK, super::inks::OUTLINE].map(opaque);
    let stamps = Stamps::colored(&gallery, &plan);
    let paint = |push: &mut dyn FnMut(&[Ink]) -> Result<()>| {
        if is_whole {
            return paint(&plan, &stamps, 1, &mut |y, row| {
                mark(&marks, y, marked, row);
                push(row)
            });
        }
        let mut reduced = Reduced::new(extent, size);
        let mut push = |y: u32, row: &mut [Ink]| {
            mark(&marks, y.into(), marked, row);
            push(row)
        };
        paint(&plan, &stamps, stride, &mut |y, row| reduced.add(y, row, &mut push))?;
        reduced.finish(&mut push)
    };
    match output {
        Output::Rows(push) => paint(&mut |row| push(Row::Colors(row))),
        Output::Png(out) => write(out, size, &Format::Rgba, |rows| paint(&mut |row| rows.push(row))),
    }
}

/// Draws the marks in row `y`.
fn mark<P: Copy>(marks: &Marks, y: u64, inks: [P; 2], row: &mut [P]) {
    if let Ok(y) = u32::try_from(y)
        && marks.touch(y)
    {
        marks.draw(y, inks, row);
    }
}

/// Returns the index of the color that is most similar to another, and is not `clear`.
fn nearest(colors: &[[u8; 3]; 256], clear: u8, wanted: [u8; 3]) -> u8 {
    let distance = |color: &[u8; 3]| -> u32 {
        color.iter().zip(wanted).map(|(&one, other)| u32::from(one.abs_diff(other)).pow(2)).sum()
    };
    let others = (0..=u8::MAX).zip(colors).filter(|(index, _)| *index != clear);
    others.min_by_key(|(_, color)| distance(color)).map_or(0, |(index, _)| index)
}
