//! Writes pictures with an alpha channel as PNG, with a palette where possible.

use std::collections::{HashMap, HashSet};
use std::io::Write;

use crate::Result;
use crate::picture::{colored, numbered};

/// Red, green, blue and opacity.
type Color = [u8; 4];

/// The size of a palette.
const MOST: usize = 256;

/// Writes a square picture. It has a palette if it contains few colors.
pub(super) fn write(pixels: &[Color], side: usize, out: &mut dyn Write) -> Result<()> {
    let size = [u32::try_from(side).unwrap_or(u32::MAX); 2];
    // Most pixels are equal to the one before, or transparent.
    let colors: HashSet<Color> = pixels.chunk_by(PartialEq::eq).map(|run| run[0]).collect();
    if colors.len() > MOST {
        return colored(out, size.into(), pixels.chunks(side));
    }
    let mut palette: Vec<Color> = colors.into_iter().collect();
    // Transparent pixels first; sorting also makes the result independent of the order of the hash map.
    palette.sort_unstable_by_key(|&[red, green, blue, opacity]| [opacity, red, green, blue]);
    let numbers: HashMap<Color, u8> = palette.iter().copied().zip(0..=u8::MAX).collect();
    let rows = pixels.chunks(side).map(|row| {
        let mut out = Vec::with_capacity(row.len());
        for run in row.chunk_by(PartialEq::eq) {
            let number = numbers.get(&run[0]).copied().unwrap_or_default();
            out.resize(out.len() + run.len(), number);
        }
        out
    });
    numbered(out, size.into(), palette, rows)
}
