use std::io::Write;

use worldview_wwd::{Game, Level, Plane, Tile};

use super::Options;
use super::allowance::Allowance;
use super::class::{Class, MARK, PAPER, format};
use super::grid::{Axis, Grid, USUAL_TILE, size, tile_size};
use super::inks::spend;
use super::legend::Legend;
use super::marks::Marks;
use crate::Result;
use crate::picture::{Ink, write};

/// Draws the tile attributes and their legend, as an overlay or as a picture that stands for the level.
pub(super) fn draw(
    level: &Level<'_>,
    (main, grid): (&Plane<'_>, &Grid),
    is_overlay: bool,
    options: &Options<'_>,
    allowance: &mut Allowance,
    out: &mut dyn Write,
) -> Result<()> {
    let (width, height) = (grid.across.length(), grid.down.length());
    let legend = Legend::new(width, level.game());
    let full = size(width.max(legend.width.into()), height + u64::from(legend.height), options.max_pixels)?;
    allowance.picture(full)?;
    let budget = if is_overlay { &mut allowance.attributes } else { &mut allowance.level };
    spend(level, main, budget)?;
    let marks = Marks::of(level, level.planes(), grid, options, budget)?;
    let empty = empty(is_overlay);
    write(out, full, &format(is_overlay), |rows| {
        let mut row = vec![empty; full.width as usize];
        let width = usize::try_from(width).unwrap_or(row.len());
        let mut whole = row.clone();
        paint(level, (main, grid), empty, &marks, &mut row[..width], &mut |painted| {
            whole[..width].copy_from_slice(painted);
            rows.push(&whole)
        })?;
        for line in legend.rows() {
            whole.fill(PAPER);
            for (ink, of) in whole.iter_mut().zip(line) {
                *ink = *of;
            }
            rows.push(&whole)?;
        }
        Ok(())
    })
}

/// What is drawn where there is no tile.
pub(super) const fn empty(is_overlay: bool) -> Ink {
    if is_overlay { Class::Clear.ink(false) } else { PAPER }
}

/// Paints the attributes of the tiles and the marks, row by row, and hands each row on.
///
/// A cell of the grid may be a tile or several, of which only the one in its middle is looked at.
pub(super) fn paint(
    level: &Level<'_>,
    (main, grid): (&Plane<'_>, &Grid),
    empty: Ink,
    marks: &Marks,
    row: &mut [Ink],
    push: &mut dyn FnMut(&[Ink]) -> Result<()>,
) -> Result<()> {
    let tile = tile_size(main).unwrap_or((USUAL_TILE, USUAL_TILE));
    // Which tile each pixel looks at, and where: the same in every row.
    let seen: Vec<_> = (0..).take(row.len()).map(|x| look(grid.across, x, tile.0, main.columns())).collect();
    let pixels: Vec<_> = seen.iter().map(|(_, pixel)| *pixel).collect();
    let runs: Vec<_> = seen.chunk_by(|one, next| one.0 == next.0).map(|run| (run[0].0, run.len())).collect();
    let (rows, game) = (main.rows().len(), level.game());
    for y in 0..u32::try_from(grid.down.length()).unwrap_or(u32::MAX) {
        let (at, inside) = look(grid.down, y, tile.1, rows);
        let Some(tiles) = main.rows().nth(at) else { break };
        let mut start = 0;
        for &(column, length) in &runs {
            let cell = start..start + length;
            start = cell.end;
            let tile = tiles.get(column).copied();
            classify((level, game), tile, inside, &pixels[cell.clone()], empty, &mut row[cell]);
        }
        marks.draw(y, MARK, row);
        push(row)?;
    }
    Ok(())
}

/// The tile that a pixel of the picture looks at, and the pixel in it.
fn look(axis: Axis, at: u32, tile: u32, tiles: usize) -> (usize, u32) {
    let sample = axis.sample(at);
    let pixel = u32::try_from(sample % u64::from(tile)).unwrap_or(0);
    let of = usize::try_from(sample / u64::from(tile)).unwrap_or(usize::MAX);
    (of.min(tiles.saturating_sub(1)), pixel)
}

/// Classifies row `y` of a tile at some of its columns.
fn classify(
    (level, game): (&Level<'_>, Option<Game>),
    tile: Option<Tile>,
    y: u32,
    columns: &[u32],
    empty: Ink,
    cell: &mut [Ink],
) {
    use worldview_wwd::Attribute::Single;

    let Some(frame) = tile.and_then(Tile::frame) else { return cell.fill(empty) };
    match level.attributes().get(frame) {
        None => cell.fill(Class::Missing.ink(false)),
        Some(Single(record)) => cell.fill(Class::of(record.attribute.get(), game).ink(false)),
        Some(attribute) => {
            for (&x, ink) in columns.iter().zip(cell) {
                *ink = attribute.value_at(x, y).map_or(Class::Missing, |value| Class::of(value, game)).ink(false);
            }
        }
    }
}
