use worldview_wwd::{Plane, Tile};

use super::atlas::{Atlas, Picture};
use super::grid::{Axis, Grid, tile_size};
use super::inks::Inks;
use super::marks::Marks;
use super::rows::{Ink, Rows};
use crate::Result;

/// One direction of a layer: how many cells, the pixels of the level that each has, and whether they start over.
#[derive(Clone, Copy, Debug)]
struct Cells {
    count: u32,
    tile: u32,
    wraps: bool,
}

impl Cells {
    /// The cell of the grid that is seen as the one number `at`, counted without an end.
    fn seen(self, at: u64) -> Option<usize> {
        let count = u64::from(self.count);
        let at = if self.wraps { at.checked_rem(count)? } else { at };
        if at < count { usize::try_from(at).ok() } else { None }
    }
}

/// The grid of a plane, as it lies over a picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layer<'a> {
    plane: u32,
    tiles: &'a [Tile],
    columns: Cells,
    rows: Cells,
}

/// A cell in one direction of the picture: its number, counted without an end, and the pixels it takes.
#[derive(Clone, Copy)]
struct Span {
    number: u64,
    start: u64,
    end: u64,
}

impl Span {
    /// The cell that the picture shows at a pixel.
    fn at(axis: Axis, cells: Cells, at: u32) -> Self {
        let tile = u64::from(cells.tile);
        let number = axis.sample(at) / tile;
        let start = axis.first(number * tile);
        // Cells may be smaller than pixels: the one that is seen takes all of its pixel.
        Self { number, start, end: axis.first((number + 1) * tile).max(u64::from(at) + 1) }
    }
}

impl<'a> Layer<'a> {
    /// A plane in a picture of its own grid.
    pub(super) fn alone(plane: &Plane<'a>, grid: &Grid) -> Self {
        Self::new(plane, (grid.across.tile, grid.down.tile), (false, false))
    }

    /// A plane over the grid of the main plane; `None` where it has no tiles.
    pub(super) fn over(plane: &Plane<'a>, grid: &Grid) -> Option<Self> {
        // A plane may leave its tile size to its pictures; that of the main plane is a good guess.
        let tile = tile_size(plane).unwrap_or((grid.across.tile, grid.down.tile));
        let layer = Self::new(plane, tile, (plane.wraps_x(), plane.wraps_y()));
        (!layer.tiles.is_empty()).then_some(layer)
    }

    fn new(plane: &Plane<'a>, tile: (u32, u32), wraps: (bool, bool)) -> Self {
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Self {
            plane: plane.index(),
            tiles: plane.tiles(),
            columns: Cells { count: count(plane.columns()), tile: tile.0, wraps: wraps.0 },
            rows: Cells { count: count(plane.rows().len()), tile: tile.1, wraps: wraps.1 },
        }
    }

    /// The pixels of the picture that a cell takes, each way.
    pub(super) fn cell(&self, grid: &Grid) -> (u32, u32) {
        let side = |axis: Axis, cells: Cells| {
            let side = u64::from(cells.tile) * u64::from(axis.cell) / u64::from(axis.tile);
            u32::try_from(side).unwrap_or(u32::MAX).max(1)
        };
        (side(grid.across, self.columns), side(grid.down, self.rows))
    }

    /// The row of the grid that the picture shows at a pixel.
    fn row(&self, down: Axis, y: u32) -> Option<usize> {
        self.rows.seen(down.sample(y) / u64::from(self.rows.tile))
    }

    /// Paints what the layer has at row `y` of the picture over `row`.
    fn paint(&self, grid: &Grid, y: u32, inks: &Inks, atlas: &Atlas, row: &mut [Ink]) {
        let down = Span::at(grid.down, self.rows, y);
        let columns = self.columns.count as usize;
        let tiles = self.row(grid.down, y).and_then(|at| self.tiles.get(at * columns..)?.get(..columns));
        let Some(tiles) = tiles else { return };
        let mut x = 0;
        while (x as usize) < row.len() {
            let across = Span::at(grid.across, self.columns, x);
            // Behind the end of a plane that does not wrap is nothing more.
            let Some(tile) = self.columns.seen(across.number).and_then(|column| tiles.get(column)) else { return };
            let end = u32::try_from(across.end).unwrap_or(u32::MAX).min(u32::try_from(row.len()).unwrap_or(u32::MAX));
            let cell = &mut row[x as usize..end as usize];
            match tile.get() {
                Tile::EMPTY => {}
                Tile::FILLED => cell.fill(inks.filled),
                word => match atlas.get(self.plane, word) {
                    Some(picture) => blend(picture, across, down, x, y, cell),
                    None => cell.fill(inks.tile(word)),
                },
            }
            x = end;
        }
    }
}

/// Lays one row of a picture that fills a cell over the pixels from `x` on.
fn blend(picture: &Picture, across: Span, down: Span, x: u32, y: u32, cell: &mut [Ink]) {
    let line = picture.row(y.into(), down.start, down.end);
    for (x, ink) in (u64::from(x)..).zip(cell) {
        *ink = over(Picture::sample(line, x, across.start, across.end), *ink);
    }
}

/// One colour over another that is opaque.
fn over(above: Ink, below: Ink) -> Ink {
    let [opacity, above @ ..] = above.to_be_bytes();
    let [_, below @ ..] = below.to_be_bytes();
    let part = |above: u8, below: u8| {
        let (above, below, opacity) = (u32::from(above), u32::from(below), u32::from(opacity));
        u8::try_from((above * opacity + below * (255 - opacity) + 127) / 255).unwrap_or(u8::MAX)
    };
    let [red, green, blue] = [0, 1, 2].map(|at| part(above[at], below[at]));
    super::rows::opaque([red, green, blue])
}

/// Paints all rows of a picture: the layers, and the marks over them.
pub(super) fn paint(
    layers: &[Layer<'_>],
    grid: &Grid,
    inks: &Inks,
    atlas: &Atlas,
    marks: &Marks,
    rows: &mut Rows<'_, '_>,
) -> Result<()> {
    let (width, height) = (grid.across.length(), grid.down.length());
    let mut plain = vec![inks.empty; usize::try_from(width).unwrap_or(0)];
    let mut marked = Vec::new();
    let mut shown: Option<Vec<Option<usize>>> = None;
    for y in 0..u32::try_from(height).unwrap_or(u32::MAX) {
        // Rows of flat cells look alike until one of the layers comes to its next.
        let show = layers.iter().map(|layer| layer.row(grid.down, y));
        if !atlas.is_empty() || !shown.as_ref().is_some_and(|shown| shown.iter().copied().eq(show.clone())) {
            plain.fill(inks.empty);
            for layer in layers {
                layer.paint(grid, y, inks, atlas, &mut plain);
            }
            let shown = shown.get_or_insert_default();
            shown.clear();
            shown.extend(show);
        }
        if marks.touch(y) {
            marked.clone_from(&plain);
            marks.draw(y, inks.mark, &mut marked);
            rows.push(&marked)?;
        } else {
            rows.push(&plain)?;
        }
    }
    Ok(())
}
