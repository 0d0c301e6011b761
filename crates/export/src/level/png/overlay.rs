use std::io::Write;

use worldview_wwd::{Level, Plane, Tile, TileKind};

use super::Options;
use super::allowance::Allowance;
use super::class::{Class, MARK, PAPER, format};
use super::grid::{Grid, size};
use super::inks::spend;
use super::legend::Legend;
use super::marks::Marks;
use crate::Result;
use crate::picture::{Ink, Rows, write};

/// Draws the overlay and its legend.
pub(super) fn draw(
    level: &Level<'_>,
    main: &Plane<'_>,
    grid: &Grid,
    options: &Options<'_>,
    allowance: &mut Allowance,
    out: &mut dyn Write,
) -> Result<()> {
    let (width, height) = (grid.across.length(), grid.down.length());
    let legend = Legend::for_width(width);
    let full = size(width.max(legend.width.into()), height + u64::from(legend.height), options.max_pixels)?;
    allowance.picture(full)?;
    spend(level, main, &mut allowance.attributes)?;
    let marks = Marks::of(level, level.planes(), grid, options, &mut allowance.attributes)?;
    write(out, full, &format(), |rows| {
        let mut row = vec![Class::Clear.ink(false); full.width as usize];
        let width = usize::try_from(width).unwrap_or(row.len());
        paint(level, main, grid, &marks, &mut row, width, rows)?;
        for line in legend.rows() {
            row.fill(PAPER);
            for (ink, of) in row.iter_mut().zip(line) {
                *ink = *of;
            }
            rows.push(&row)?;
        }
        Ok(())
    })
}

fn paint(
    level: &Level<'_>,
    main: &Plane<'_>,
    grid: &Grid,
    marks: &Marks,
    row: &mut [Ink],
    width: usize,
    rows: &mut Rows<'_, '_>,
) -> Result<()> {
    let pixel = |sample: u64, tile: u32| u32::try_from(sample % u64::from(tile)).unwrap_or(0);
    // The column of the tile that each pixel of a cell shows, which is the same in every cell.
    let columns: Vec<_> = (0..grid.across.cell).map(|x| pixel(grid.across.sample(x), grid.across.tile)).collect();
    let mut y = 0;
    for tiles in main.rows() {
        for _ in 0..grid.down.cell {
            let inside = pixel(grid.down.sample(y), grid.down.tile);
            for (tile, cell) in tiles.iter().zip(row[..width].chunks_exact_mut(columns.len())) {
                classify(level, *tile, inside, &columns, cell);
            }
            marks.draw(y, MARK, &mut row[..width]);
            rows.push(row)?;
            y += 1;
        }
    }
    Ok(())
}

/// Classifies row `y` of a tile at some of its columns.
fn classify(level: &Level<'_>, tile: Tile, y: u32, columns: &[u32], cell: &mut [Ink]) {
    use worldview_wwd::Attribute::Single;

    let TileKind::Image { frame, .. } = tile.kind() else { return cell.fill(Class::Clear.ink(false)) };
    match level.attributes().get(frame) {
        None => cell.fill(Class::Missing.ink(false)),
        Some(Single(record)) => cell.fill(Class::of(record.attribute.get()).ink(false)),
        Some(attribute) => {
            for (&x, ink) in columns.iter().zip(cell) {
                *ink = attribute.at(x, y).map_or(Class::Missing, Class::of).ink(false);
            }
        }
    }
}
