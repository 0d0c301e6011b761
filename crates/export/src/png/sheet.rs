use std::io::Write;

use super::Options;
use super::atlas::{Atlas, Picture};
use super::grid::Size;
use super::rows::{Format, Ink, Rows, opaque, write};
use crate::palette::{self, Rgb};
use crate::{Cell, Result, Sheet};

/// Nothing.
const CLEAR: Ink = 0;
/// From one stripe of the hatch of a filled cell to the next, in pixels.
const HATCH: u32 = 8;

/// Draws a tileset, cell by cell.
pub(super) fn draw(sheet: &Sheet, options: &Options<'_>, out: &mut dyn Write) -> Result<()> {
    let cell = (sheet.tile_width.max(1), sheet.tile_height.max(1));
    let columns = sheet.columns.max(1);
    let length = |cells: u32, side: u32| u64::from(cells) * u64::from(side);
    let size = Size::of(length(columns, cell.0), length(sheet.rows(), cell.1), options.max_pixels)?;
    let words = sheet.cells.iter().filter_map(|cell| match cell {
        Cell::Frame { word } => Some(*word),
        Cell::Filled => None,
    });
    let atlas = match options.tiles {
        Some(images) => Atlas::of_set(images, &sheet.image_set, words, cell)?,
        None => Atlas::default(),
    };
    write(out, size, &Format::Rgba, |rows| paint(sheet, columns, cell, size, &atlas, rows))
}

fn paint(
    sheet: &Sheet,
    columns: u32,
    (wide, high): (u32, u32),
    size: Size,
    atlas: &Atlas,
    rows: &mut Rows<'_, '_>,
) -> Result<()> {
    let mut row = vec![CLEAR; size.width as usize];
    for y in 0..size.height {
        let (line, y) = (y / high, y % high);
        let cells = sheet.cells.chunks(columns as usize).nth(line as usize).unwrap_or(&[]);
        row.fill(CLEAR);
        for (cell, pixels) in cells.iter().zip(row.chunks_exact_mut(wide as usize)) {
            match *cell {
                Cell::Filled => filled(y, high, pixels),
                Cell::Frame { word } => match atlas.get(0, word) {
                    Some(picture) => {
                        let line = picture.row(y.into(), 0, high.into());
                        for (x, ink) in (0..).zip(pixels) {
                            *ink = Picture::sample(line, x, 0, wide.into());
                        }
                    }
                    None => framed(y, high, palette::tile(word), pixels),
                },
            }
        }
        rows.push(&row)?;
    }
    Ok(())
}

/// Row `y` of a flat cell whose outermost pixels are darker, unless it has no others.
fn framed(y: u32, high: u32, colour: Rgb, pixels: &mut [Ink]) {
    let dark = opaque(colour.map(|part| part - part / 5));
    let edge = high > 2 && (y == 0 || y + 1 == high);
    pixels.fill(if edge { dark } else { opaque(colour) });
    if let [first, _, .., last] = pixels {
        (*first, *last) = (dark, dark);
    }
}

/// Row `y` of a filled cell: hatched, since no colour of its own tells that the game has one there.
fn filled(y: u32, high: u32, pixels: &mut [Ink]) {
    framed(y, high, palette::FILLED, pixels);
    let stripe = opaque(palette::FILLED.map(|part| part + (u8::MAX - part) / 4));
    let inner = pixels.len().saturating_sub(1);
    if y == 0 || y + 1 == high {
        return;
    }
    for (x, ink) in (1..).zip(pixels.iter_mut().take(inner).skip(1)) {
        if (x + y) % HATCH < 2 {
            *ink = stripe;
        }
    }
}
