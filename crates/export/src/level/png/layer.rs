use worldview_wwd::{Plane, Tile};

use super::atlas::{Atlas, Picture, Shown};
use super::cells::{Cells, VisibleCells, covered};
use super::grid::{Axis, Grid, tile_size};
use super::inks::Inks;
use super::marks::Marks;
use crate::Result;
use crate::picture::Ink;

/// The grid of a plane and its position over a picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layer<'a> {
    plane: Plane<'a>,
    columns: Cells,
    rows: Cells,
}

impl<'a> Layer<'a> {
    /// Creates the layer for a picture of the plane's own grid.
    pub(super) fn alone(plane: &Plane<'a>, grid: &Grid) -> Self {
        Self::new(plane, (grid.across.tile, grid.down.tile), (false, false))
    }

    /// Creates the layer of a plane over the grid of the main plane, or `None` if the plane has no tiles.
    pub(super) fn over(plane: &Plane<'a>, grid: &Grid) -> Option<Self> {
        // A plane may leave its tile size to its pictures. The size of the main plane is a good guess.
        let tile = tile_size(plane).unwrap_or((grid.across.tile, grid.down.tile));
        let layer = Self::new(plane, tile, (plane.wraps_x(), plane.wraps_y()));
        (!plane.tiles().is_empty()).then_some(layer)
    }

    fn new(plane: &Plane<'a>, tile: (u32, u32), wraps: (bool, bool)) -> Self {
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Self {
            plane: *plane,
            columns: Cells { count: count(plane.columns()), tile: tile.0, wraps: wraps.0 },
            rows: Cells { count: count(plane.rows().len()), tile: tile.1, wraps: wraps.1 },
        }
    }

    pub(super) fn plane(&self) -> &Plane<'a> {
        &self.plane
    }

    /// Returns the width and height of a cell in pixels of the picture.
    pub(super) fn cell(&self, grid: &Grid) -> (u32, u32) {
        let side = |axis: Axis, cells: Cells| {
            let side = u64::from(cells.tile) * u64::from(axis.cell) / u64::from(axis.tile);
            u32::try_from(side).unwrap_or(u32::MAX).max(1)
        };
        (side(grid.across, self.columns), side(grid.down, self.rows))
    }

    /// Returns the cost of painting the layer: its pixels, plus a fixed number for each cell.
    fn cost(&self, grid: &Grid, paints: u64) -> u64 {
        /// The number of pixels that can be filled in the time of one color lookup.
        const CELL: u64 = 2;

        let ((wide, columns), (high, _)) = (covered(grid.across, self.columns), covered(grid.down, self.rows));
        let row = wide.saturating_add(columns.saturating_mul(CELL));
        // Each layer is checked for changes at every row of the picture.
        row.saturating_mul(high.min(paints)).max(grid.down.length())
    }
}

/// Returns the cost of painting the layers over each other. Rows of `flat` cells that look the same are only painted
/// once.
pub(super) fn cost(layers: &[Layer<'_>], grid: &Grid, flat: bool) -> u64 {
    let rows = grid.down.length();
    let sum = |parts: &mut dyn Iterator<Item = u64>| parts.fold(0, u64::saturating_add);
    let looks = sum(&mut layers.iter().map(|layer| covered(grid.down, layer.rows).1));
    let paints = if flat { rows.min(looks) } else { rows };
    sum(&mut layers.iter().map(|layer| layer.cost(grid, paints)))
}

/// A layer that is painted row by row.
struct Painter<'p> {
    tiles: &'p [Tile],
    columns: usize,
    shown: Shown<'p>,
    /// Starts at the left of each row.
    across: VisibleCells,
    /// The visible row of the grid.
    down: VisibleCells,
}

impl<'p> Painter<'p> {
    fn new(layer: &Layer<'p>, grid: &Grid, atlas: &'p Atlas) -> Self {
        Self {
            tiles: layer.plane.tiles(),
            columns: layer.columns.count as usize,
            shown: atlas.on(layer.plane.index()),
            across: VisibleCells::new(grid.across, layer.columns),
            down: VisibleCells::new(grid.down, layer.rows),
        }
    }

    /// Advances to row `y` of the picture. Returns whether it shows a different row of the grid.
    fn reach(&mut self, y: u32) -> bool {
        let next = self.down.end <= u64::from(y);
        if next {
            self.down.advance();
        }
        next
    }

    /// Paints row `y` of the layer over `row`.
    fn paint(&self, y: u32, inks: &Inks, row: &mut [Ink]) {
        let columns = self.columns;
        let tiles = self.down.seen().and_then(|at| self.tiles.get(at * columns..)?.get(..columns));
        let Some(tiles) = tiles else { return };
        let (mut across, mut rest) = (self.across, row);
        while !rest.is_empty() {
            // Nothing follows after the end of a plane that does not wrap.
            let Some(tile) = across.seen().and_then(|column| tiles.get(column)) else { return };
            let wide = usize::try_from(across.end - across.start).unwrap_or(rest.len()).min(rest.len());
            let (cell, behind) = std::mem::take(&mut rest).split_at_mut(wide);
            match tile.get() {
                Tile::EMPTY => {}
                Tile::FILLED => cell.fill(inks.filled),
                word => match self.shown.get(word) {
                    Some(picture) => self.blend(picture, &across, y, cell),
                    None => cell.fill(inks.tile(word)),
                },
            }
            rest = behind;
            across.advance();
        }
    }

    /// Blends one row of a picture over the pixels of its cell.
    fn blend(&self, picture: &Picture, across: &VisibleCells, y: u32, cell: &mut [Ink]) {
        let line = picture.row(y.into(), self.down.start, self.down.end);
        let wide = across.end - across.start;
        if line.len() as u64 == wide {
            for (ink, above) in cell.iter_mut().zip(line) {
                *ink = over(*above, *ink);
            }
            return;
        }
        for (x, ink) in (0..).zip(cell) {
            *ink = over(picture.sample(line, x, 0, wide), *ink);
        }
    }
}

/// Blends a color over an opaque one.
fn over(above: Ink, below: Ink) -> Ink {
    let [opacity, above @ ..] = above.to_be_bytes();
    let [_, below @ ..] = below.to_be_bytes();
    let part = |above: u8, below: u8| {
        let (above, below, opacity) = (u32::from(above), u32::from(below), u32::from(opacity));
        u8::try_from((above * opacity + below * (255 - opacity) + 127) / 255).unwrap_or(u8::MAX)
    };
    let [red, green, blue] = [0, 1, 2].map(|at| part(above[at], below[at]));
    crate::picture::opaque([red, green, blue])
}

/// Paints all rows of a picture, first the layers and then the marks, and passes them to `push`.
pub(super) fn paint(
    layers: &[Layer<'_>],
    grid: &Grid,
    inks: &Inks,
    atlas: &Atlas,
    marks: &Marks,
    push: &mut dyn FnMut(&[Ink]) -> Result<()>,
) -> Result<()> {
    let (width, height) = (grid.across.length(), grid.down.length());
    let mut plain = vec![inks.empty; usize::try_from(width).unwrap_or(0)];
    let mut marked = Vec::new();
    let mut painters: Vec<_> = layers.iter().map(|layer| Painter::new(layer, grid, atlas)).collect();
    for y in 0..u32::try_from(height).unwrap_or(u32::MAX) {
        // Rows of flat cells stay the same until one of the layers advances.
        let mut paint = y == 0 || !atlas.is_empty();
        for painter in &mut painters {
            paint |= painter.reach(y);
        }
        if paint {
            plain.fill(inks.empty);
            for painter in &painters {
                painter.paint(y, inks, &mut plain);
            }
        }
        if marks.touch(y) {
            marked.clone_from(&plain);
            marks.draw(y, inks.mark, &mut marked);
            push(&marked)?;
        } else {
            push(&plain)?;
        }
    }
    Ok(())
}
