//! Tilesets for map editors.

use std::io::Write;

use worldview_wwd::Tile;

use super::draw::{Output, Picture};
use super::grid::{Axis, Beyond, Cells, Grid, size};
use super::marks::Marks;
use super::scene::{Flat, Layer, Scene};
use super::{Allowance, Options};
use crate::Result;
use crate::level::palette::{self, Rgb};
use crate::level::{Cell, Sheet};
use crate::picture::{Ink, opaque};

/// Transparent.
const CLEAR: Ink = 0;
/// The distance in pixels between the stripes of a filled cell.
const HATCH: u64 = 8;

/// Draws a tileset, cell by cell.
pub(super) fn draw(sheet: &Sheet, options: &Options<'_>, allowance: &mut Allowance, out: &mut dyn Write) -> Result<()> {
    let axis = |cells: u32, tile: u32| Axis { start: 0, cells, tile: tile.max(1), cell: tile.max(1) };
    let (across, down) = (axis(sheet.columns.max(1), sheet.tile_width), axis(sheet.rows(), sheet.tile_height));
    let size = size(across.length(), down.length(), options.max_pixels)?;
    allowance.picture(size)?;
    let cells = |axis: Axis| Cells { count: axis.cells, tile: axis.tile, beyond: Beyond::Nothing };
    let words = sheet.cells.iter().map(|cell| match cell {
        Cell::Frame { word } => *word,
        Cell::Filled => Tile::FILLED,
    });
    let mut tiles: Vec<_> = words.map(Tile::of).collect();
    tiles.resize(across.cells as usize * down.cells as usize, Tile::of(Tile::EMPTY));
    let mut layer = Layer::new(&tiles, cells(across), cells(down), sheet.fill);
    let mut scene = Scene::new(Grid { across, down }, Flat::Framed, CLEAR, options);
    if !scene.gallery.is_empty() {
        let set = scene.gallery.set(&sheet.image_set);
        layer.find_looks(&scene.grid, |_, frame, cell| scene.gallery.tile(&set, frame, cell))?;
    }
    scene.add(layer);
    Picture { scene: &scene, marks: Marks::default(), size, stride: 1, legend: None }.draw(Output::Png(out))
}

/// Returns the colors of a flat cell and of its edge.
pub(super) fn shades(color: Rgb) -> [Ink; 2] {
    [color, color.map(|part| part - part / 5)].map(opaque)
}

/// Returns the color of the stripes of a filled cell. They stand for the game's fill color, which the level does not
/// contain.
pub(super) fn stripe() -> Ink {
    opaque(palette::FILLED.map(|part| part + (u8::MAX - part) / 4))
}

/// Draws row `y` of `high` of a flat cell, with a darker edge if it has more than two pixels and stripes inside.
pub(super) fn frame<P: Copy>(
    (color, is_hatched): (Rgb, bool),
    (y, high): (u64, u64),
    pixel: &dyn Fn(Ink) -> P,
    cell: &mut [P],
) {
    let [inner, edge] = shades(color).map(pixel);
    let is_edge = y == 0 || y + 1 == high;
    cell.fill(if high > 2 && is_edge { edge } else { inner });
    if let [first, middle @ .., last] = cell
        && !middle.is_empty()
    {
        (*first, *last) = (edge, edge);
        if is_hatched && !is_edge {
            let stripe = pixel(stripe());
            (1..).zip(middle).filter(|(x, _)| (x + y) % HATCH < 2).for_each(|(_, to)| *to = stripe);
        }
    }
}
