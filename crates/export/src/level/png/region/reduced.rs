use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use crate::level::png::reduce::{add, mean};
use crate::level::png::tiles::Pixels;
use crate::picture::Ink;

/// Maximum number of pixels of the pictures that are kept.
const MAX_KEPT: usize = 1 << 21;
/// The number of pixels that take as much memory as a picture without any.
const PICTURE: usize = 32;
/// Maximum number of pixels in a row or column that are looked at for an average.
const MAX_SAMPLES: usize = 64;

/// One dimension of a reduced picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::level::png) struct Reduction {
    /// The length of the cell that cuts the picture.
    pub(super) cell: u32,
    /// How often pixels are halved.
    pub(super) zoom: u32,
    /// Where the picture starts in its first pixel.
    pub(super) shift: u32,
}

impl Reduction {
    /// Returns for each pixel the part of the picture that it shows, and its own length. The last pixel of a cell may be
    /// shorter than the others.
    fn pixels(self, length: u32) -> impl Iterator<Item = (Range<u32>, u64)> {
        let (shift, cell, length) = (u64::from(self.shift), u64::from(self.cell), u64::from(length.min(self.cell)));
        let place = move |at: u64| u32::try_from(at.saturating_sub(shift).min(length)).unwrap_or(u32::MAX);
        (0..(shift + length).div_ceil(1 << self.zoom)).map(move |at| {
            let (start, end) = (at << self.zoom, ((at + 1) << self.zoom).min(shift + cell));
            (place(start)..place(end), end - start)
        })
    }
}

/// Reduced pictures by their numbers, which the regions of a painter share, and those of a game all painters with its pictures.
#[derive(Default)]
pub(in crate::level::png) struct ReducedPictures(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    known: HashMap<(u32, [Reduction; 2]), Arc<Pixels>>,
    pixels: usize,
}

impl ReducedPictures {
    /// Returns a picture of this width and height, reduced.
    pub(in crate::level::png) fn get(
        &self,
        number: u32,
        (width, height): (u32, u32),
        sides: [Reduction; 2],
        pixel: impl Fn(u32, u32) -> Ink,
    ) -> Arc<Pixels> {
        let kept = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = kept().known.get(&(number, sides)).cloned();
        known.unwrap_or_else(|| {
            // Other threads go on meanwhile. If two of them reduce the same picture, the last one is kept.
            let (columns, rows): (Vec<_>, Vec<_>) =
                (sides[0].pixels(width).collect(), sides[1].pixels(height).collect());
            let pixel = &pixel;
            let inks = rows.iter().flat_map(|row| columns.iter().map(move |column| average(column, row, pixel)));
            let inks = inks.collect();
            let side = |pixels: &[_]| u32::try_from(pixels.len()).unwrap_or(u32::MAX);
            let made = Arc::new(Pixels { width: side(&columns), height: side(&rows), inks, is_cut: true });
            let mut kept = kept();
            if kept.pixels > MAX_KEPT {
                *kept = Kept::default();
            }
            kept.pixels += made.inks.len() + PICTURE;
            kept.known.insert((number, sides), Arc::clone(&made));
            made
        })
    }
}

/// Returns the average of a pixel of a reduced picture. What is outside the picture is transparent.
fn average(
    (columns, wide): &(Range<u32>, u64),
    (rows, high): &(Range<u32>, u64),
    pixel: &impl Fn(u32, u32) -> Ink,
) -> Ink {
    let samples = |range: &Range<u32>| {
        let step = range.len().div_ceil(MAX_SAMPLES).max(1);
        range.clone().skip(step / 2).step_by(step)
    };
    let (mut sums, mut seen) = ([0; 4], 0_u128);
    for y in samples(rows) {
        for x in samples(columns) {
            add(&mut sums, pixel(x, y));
            seen += 1;
        }
    }
    let [opacity, red, green, blue] = sums;
    let parts = [red, green, blue].map(|sum| mean(sum, opacity));
    let covered = columns.len() as u128 * rows.len() as u128;
    let whole = u128::from(*wide) * u128::from(*high) * seen;
    let opacity = (u128::from(opacity) * covered + whole / 2).checked_div(whole).unwrap_or(0);
    let opacity = u8::try_from(opacity).unwrap_or(u8::MAX);
    Ink::from_be_bytes([opacity, parts[0], parts[1], parts[2]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_start_anywhere_and_are_cut_at_the_end_of_their_cell() {
        let parts = |cell, zoom, shift, length| -> Vec<_> { Reduction { cell, zoom, shift }.pixels(length).collect() };
        assert_eq!(parts(u32::MAX, 1, 1, 4), [(0..1, 2), (1..3, 2), (3..4, 2)]);
        assert_eq!(parts(6, 2, 0, 9), [(0..4, 4), (4..6, 2)]);
        assert_eq!(parts(6, 2, 0, 5), [(0..4, 4), (4..5, 2)]);
        assert_eq!(parts(6, 9, 0, 5), [(0..5, 6)]);
        assert_eq!(parts(6, 1, 0, 0), []);
    }
}
