//! The tile attributes of a level and their legend.

use std::io::Write;

use worldview_wwd::{Attribute, Game, Level, Plane, Tile};

use super::class::Class;
use super::draw::{Output, Picture};
use super::grid::{Axis, Beyond, Cells, Grid, size};
use super::legend::{Legend, PAPER};
use super::marks::Marks;
use super::scene::{Flat, Layer, Look, Scene, View};
use super::{Allowance, Options};
use crate::Result;
use crate::picture::Size;

/// Draws the tile attributes and their legend, as an overlay or as a picture that stands for the level.
pub(super) fn draw<'p>(
    level: &'p Level<'p>,
    main: &Plane<'p>,
    is_overlay: bool,
    options: &Options<'p>,
    allowance: &mut Allowance,
    out: &mut dyn Write,
) -> Result<()> {
    let grid = Grid::of(level, View::Level(main), options)?;
    let (width, height) = (grid.across.length(), grid.down.length());
    let legend = Legend::new(width, level.game());
    allowance.picture(size(width.max(legend.width.into()), height + u64::from(legend.height), options.max_pixels)?)?;
    let mut scene = scene(level, main, grid, is_overlay, options)?;
    for plane in level.planes() {
        scene.add_objects(plane, &options.without_game())?;
    }
    let marks = Marks::new(&scene.marks, &grid);
    let size = Size { width: u32::try_from(width).unwrap_or(0), height: u32::try_from(height).unwrap_or(0) };
    Picture { scene: &scene, marks, size, stride: 1, legend: Some(legend) }.draw(Output::Png(out))
}

/// Returns the scene of the attributes, without marks.
///
/// A cell of the grid may be a tile or several, of which only the one in its middle is looked at.
pub(super) fn scene<'p>(
    level: &'p Level<'p>,
    main: &Plane<'p>,
    grid: Grid,
    is_overlay: bool,
    options: &Options<'p>,
) -> Result<Scene<'p>> {
    let background = if is_overlay { Class::Clear.ink(true) } else { PAPER };
    let flat = Flat::Attributes { level, is_overlay };
    let mut scene = Scene::new(grid, flat, background, &options.without_game());
    let full = Grid::of_plane(View::Level(main), &options.without_game())?;
    let cells = |axis: Axis| Cells { count: axis.cells, tile: axis.tile, beyond: Beyond::Clamp };
    scene.add(Layer::new(main.tiles(), cells(full.across), cells(full.down), 0));
    Ok(scene)
}

/// Returns what the attribute of a tile shows.
pub(super) fn look(level: &Level<'_>, tile: Tile, is_overlay: bool) -> Look {
    let Some(frame) = tile.frame() else { return Look::Nothing };
    let class = match level.attributes().get(frame) {
        None => Class::Missing,
        Some(Attribute::Single(record)) => Class::of(record.attribute.get(), level.game()),
        Some(_) => return Look::Attribute(frame),
    };
    if is_overlay && class == Class::Clear { Look::Nothing } else { Look::Flat(class.ink(is_overlay)) }
}

/// Returns the class of a pixel of a tile.
pub(super) fn class_at(attribute: Option<Attribute<'_>>, game: Option<Game>, (x, y): (u32, u32)) -> Class {
    let value = attribute.and_then(|attribute| attribute.value_at(x, y));
    value.map_or(Class::Missing, |value| Class::of(value, game))
}
