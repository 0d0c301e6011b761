//! Pixels of palette indices or colors, and the pictures of tiles and objects that are laid over others.

use std::borrow::Cow;

use super::draw::Row;
use crate::picture::Ink;

/// A pixel of a picture: a palette index or a color.
pub(super) trait Pixel: Copy + PartialEq {
    /// Lays a pixel over another.
    fn over(self, opacity: u8, below: Self) -> Self;

    /// Returns a row of a picture.
    fn row(row: &[Self]) -> Row<'_>;
}

impl Pixel for u8 {
    fn over(self, opacity: u8, below: Self) -> Self {
        // Indices are either opaque or transparent.
        (self & opacity) | (below & !opacity)
    }

    fn row(row: &[Self]) -> Row<'_> {
        Row::Indices(row)
    }
}

impl Pixel for Ink {
    fn over(self, opacity: u8, below: Self) -> Self {
        match opacity {
            0xFF => self,
            0 => below,
            _ => blend(self, opacity, below),
        }
    }

    fn row(row: &[Self]) -> Row<'_> {
        Row::Colors(row)
    }
}

/// Blends a color over another, which may be transparent.
fn blend(above: Ink, opacity: u8, below: Ink) -> Ink {
    let [_, above @ ..] = above.to_be_bytes();
    let [under, below @ ..] = below.to_be_bytes();
    let (above_part, under) = (u32::from(opacity) * 255, u32::from(under));
    let below_part = under * (255 - u32::from(opacity));
    let whole = above_part + below_part;
    let mix = |above: u8, below: u8| {
        let sum = u32::from(above) * above_part + u32::from(below) * below_part;
        u8::try_from((sum + whole / 2).checked_div(whole).unwrap_or(0)).unwrap_or(u8::MAX)
    };
    let [red, green, blue] = [0, 1, 2].map(|at| mix(above[at], below[at]));
    Ink::from_be_bytes([u8::try_from((whole + 127) / 255).unwrap_or(u8::MAX), red, green, blue])
}

/// The pixels of a picture that is drawn.
pub(super) struct Stamp<'s, P: Clone> {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) pixels: Cow<'s, [P]>,
    /// Empty if all pixels are opaque.
    pub(super) opacity: Cow<'s, [u8]>,
    /// Whether a cell of another size cuts the picture, instead of scaling it.
    pub(super) is_cut: bool,
}

impl<P: Pixel> Stamp<'_, P> {
    /// Paints rows of a cell of this width and height, each with its number in the cell. A cell that cuts the picture may
    /// start with its column `first`.
    pub(super) fn paint<'c>(
        &self,
        rows: impl Iterator<Item = (usize, &'c mut [P])>,
        (wide, high): (usize, usize),
        first: usize,
    ) where
        P: 'c,
    {
        let is_scaled = !self.is_cut && (wide, high) != (self.width, self.height);
        for (row, cell) in rows {
            let row = if is_scaled { row.saturating_mul(self.height) / high } else { row };
            if row >= self.height {
                return;
            }
            let range = row * self.width..(row + 1) * self.width;
            if is_scaled {
                let opacity = self.opacity.get(range.clone());
                self.stretch((&self.pixels[range], opacity), wide, cell);
                continue;
            }
            let start = range.start + first.min(self.width);
            let range = start..range.end.min(start + cell.len());
            let (cell, source) = (&mut cell[..range.len()], &self.pixels[range.clone()]);
            match self.opacity.get(range) {
                None => cell.copy_from_slice(source),
                Some(opacity) => put(cell, source.iter(), opacity.iter()),
            }
        }
    }

    /// Paints a row into a cell that is `wide`. The picture is not larger than the cell: each of its pixels is repeated.
    fn stretch(&self, (source, opacity): (&[P], Option<&[u8]>), wide: usize, cell: &mut [P]) {
        let mut start = 0;
        for (at, pixel) in source.iter().enumerate() {
            let end = (at + 1).saturating_mul(wide).div_ceil(self.width).min(cell.len());
            let opacity = opacity.map_or(0xFF, |opacity| opacity[at]);
            cell[start..end].iter_mut().for_each(|to| *to = pixel.over(opacity, *to));
            start = end;
        }
    }
}

/// Lays pixels over others.
pub(super) fn put<'s, P: Pixel + 's>(
    to: &mut [P],
    source: impl Iterator<Item = &'s P>,
    opacity: impl Iterator<Item = &'s u8>,
) {
    for ((to, source), opacity) in to.iter_mut().zip(source).zip(opacity) {
        *to = source.over(*opacity, *to);
    }
}
