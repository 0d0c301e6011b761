use std::collections::BTreeSet;
use std::io::Write;

use super::Options;
use super::allowance::Allowance;
use super::atlas::Atlas;
use super::grid::size;
use crate::Result;
use crate::level::palette::{self, Rgb};
use crate::level::{Cell, Sheet};
use crate::picture::{Format, Ink, Rows, Size, opaque, write};

/// Transparent.
const CLEAR: Ink = 0;
/// The distance in pixels between the stripes of a filled cell.
const HATCH: u32 = 8;

/// Draws a tileset, cell by cell.
pub(super) fn draw(sheet: &Sheet, options: &Options<'_>, allowance: &mut Allowance, out: &mut dyn Write) -> Result<()> {
    let cell = (sheet.tile_width.max(1), sheet.tile_height.max(1));
    let columns = sheet.columns.max(1);
    let length = |cells: u32, side: u32| u64::from(cells) * u64::from(side);
    let size = size(length(columns, cell.0), length(sheet.rows(), cell.1), options.max_pixels)?;
    allowance.picture(size)?;
    let words = sheet.cells.iter().filter_map(|cell| match cell {
        Cell::Frame { word } => Some(*word),
        Cell::Filled => None,
    });
    let atlas = Atlas::of_set(options, &sheet.image_set, words, cell)?;
    let colors = if atlas.is_empty() { Colors::of(sheet) } else { Colors(None) };
    write(out, size, &colors.format(), |rows| paint(sheet, columns, cell, size, &atlas, &colors, options, rows))
}

/// The colors of a picture with a palette, sorted, or `None` for a picture with arbitrary colors.
struct Colors(Option<Vec<Ink>>);

impl Colors {
    /// Returns the colors of all flat cells, if they fit into a palette.
    fn of(sheet: &Sheet) -> Self {
        /// The size of a palette.
        const MAX: usize = 256;

        let mut known = BTreeSet::from([CLEAR]);
        for cell in &sheet.cells {
            match *cell {
                Cell::Frame { word } => known.extend(shades(palette::tile(word))),
                Cell::Filled => {
                    known.extend(shades(palette::FILLED));
                    known.insert(stripe());
                }
            }
            if known.len() > MAX {
                return Self(None);
            }
        }
        Self(Some(known.into_iter().collect()))
    }

    fn format(&self) -> Format {
        let Some(known) = &self.0 else { return Format::Rgba };
        let parts = known.iter().map(|ink| {
            let [opacity, red, green, blue] = ink.to_be_bytes();
            [red, green, blue, opacity]
        });
        Format::Indexed(parts.collect())
    }

    /// Returns the ink for a color.
    fn ink(&self, color: Ink) -> Ink {
        let Some(known) = &self.0 else { return color };
        let (Ok(at) | Err(at)) = known.binary_search(&color);
        Ink::try_from(at).unwrap_or(CLEAR)
    }
}

/// Returns the colors of a flat cell and of its edge.
fn shades(color: Rgb) -> [Ink; 2] {
    [color, color.map(|part| part - part / 5)].map(opaque)
}

/// Returns the color of the stripes of a filled cell.
fn stripe() -> Ink {
    opaque(palette::FILLED.map(|part| part + (u8::MAX - part) / 4))
}

/// Returns the fill color, if the game has a palette.
#[cfg(feature = "game")]
fn fill(sheet: &Sheet, options: &Options<'_>) -> Option<Ink> {
    Some(opaque(options.pictures()?.palette()?[usize::from(sheet.fill)]))
}

#[cfg(not(feature = "game"))]
fn fill(_: &Sheet, _: &Options<'_>) -> Option<Ink> {
    None
}

#[expect(clippy::too_many_arguments, reason = "one caller")]
fn paint(
    sheet: &Sheet,
    columns: u32,
    (wide, high): (u32, u32),
    size: Size,
    atlas: &Atlas,
    colors: &Colors,
    options: &Options<'_>,
    rows: &mut Rows<'_, '_>,
) -> Result<()> {
    let clear = colors.ink(CLEAR);
    // Without a palette of the game, filled cells are hatched.
    let fill = fill(sheet, options).filter(|_| colors.0.is_none());
    let mut row = vec![clear; size.width as usize];
    let pictures = atlas.on(0);
    for line in 0..size.height / high {
        let cells = sheet.cells.chunks(columns as usize).nth(line as usize).unwrap_or(&[]);
        row.fill(clear);
        for y in 0..high {
            let edge = |y: u32| high > 2 && (y == 0 || y + 1 == high);
            // Flat cells only have two different rows.
            let other = y == 0 || edge(y) != edge(y - 1);
            for (cell, pixels) in cells.iter().zip(row.chunks_exact_mut(wide as usize)) {
                match *cell {
                    Cell::Frame { word } => match pictures.get(word) {
                        Some(picture) => {
                            let line = picture.row(y.into(), 0, high.into());
                            for (x, ink) in (0..).zip(pixels) {
                                *ink = picture.sample(line, x, 0, wide.into());
                            }
                        }
                        None if other => {
                            framed(edge(y), shades(palette::tile(word)).map(|ink| colors.ink(ink)), pixels)
                        }
                        None => {}
                    },
                    Cell::Filled if fill.is_some() => pixels.fill(fill.unwrap_or(clear)),
                    Cell::Filled => {
                        framed(edge(y), shades(palette::FILLED).map(|ink| colors.ink(ink)), pixels);
                        if y > 0 && y + 1 < high {
                            hatch(y, colors.ink(stripe()), pixels);
                        }
                    }
                }
            }
            rows.push(&row)?;
        }
    }
    Ok(())
}

/// Draws a row of a flat cell with darker pixels at both ends, if it has more than two pixels.
fn framed(edge: bool, [color, dark]: [Ink; 2], pixels: &mut [Ink]) {
    pixels.fill(if edge { dark } else { color });
    if let [first, _, .., last] = pixels {
        (*first, *last) = (dark, dark);
    }
}

/// Draws the stripes of row `y` of a filled cell inside its edge. They stand for the game's fill color, which the
/// level does not contain.
fn hatch(y: u32, stripe: Ink, pixels: &mut [Ink]) {
    let inner = pixels.len().saturating_sub(1);
    for (x, ink) in (1..).zip(pixels.iter_mut().take(inner).skip(1)) {
        if (x + y) % HATCH < 2 {
            *ink = stripe;
        }
    }
}
