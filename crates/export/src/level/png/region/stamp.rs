use std::ops::Range;
use std::sync::Arc;

use super::color::{Color, sampled};
use crate::level::game::Sprite;

/// Maximum number of pixels of a picture whose sums are prepared.
const MAX_PREPARED: usize = 1 << 20;

/// A picture of the game, prepared for averages.
pub(super) enum Stamp {
    Sums(Sums),
    /// A picture whose sums would take too much memory. Some of its pixels are looked at.
    Large(Arc<Sprite>),
}

/// The sums of the colors of all pixels above and to the left of each corner of a pixel. They give the sum of any
/// rectangle by four look-ups.
pub(super) struct Sums {
    /// The number of corners in a row.
    corners: usize,
    sums: Vec<[u32; 4]>,
}

impl Stamp {
    pub(super) fn of(sprite: Arc<Sprite>) -> Self {
        let (width, height) = (sprite.width() as usize, sprite.height() as usize);
        if width.saturating_add(1).saturating_mul(height.saturating_add(1)) > MAX_PREPARED {
            return Self::Large(sprite);
        }
        let corners = width + 1;
        let mut sums = vec![[0; 4]; corners * (height + 1)];
        for y in 0..height {
            let (above, row) = sums[y * corners..][..2 * corners].split_at_mut(corners);
            let mut before = [0; 4];
            for x in 0..width {
                for (sum, part) in before.iter_mut().zip(pixel(&sprite, y * width + x)) {
                    *sum += u32::from(part);
                }
                for (at, sum) in row[x + 1].iter_mut().enumerate() {
                    *sum = above[x + 1][at] + before[at];
                }
            }
        }
        Self::Sums(Sums { corners, sums })
    }

    /// Returns the sum of the pixels of a rectangle. There is nothing outside the picture.
    pub(super) fn sum(&self, columns: Range<u32>, rows: Range<u32>) -> Color {
        match self {
            Self::Sums(sums) => sums.sum(columns, rows),
            Self::Large(sprite) => {
                let cut = |range: Range<u32>, length: u32| range.start.min(length)..range.end.min(length);
                sampled(cut(columns, sprite.width()), cut(rows, sprite.height()), |x, y| {
                    pixel(sprite, y as usize * sprite.width() as usize + x as usize).map(f32::from)
                })
            }
        }
    }

    /// Returns the number of pixels that are kept.
    pub(super) const fn pixels(&self) -> usize {
        match self {
            Self::Sums(sums) => sums.sums.len(),
            // The game's pictures keep it anyway.
            Self::Large(_) => 0,
        }
    }
}

impl Sums {
    #[inline]
    fn sum(&self, columns: Range<u32>, rows: Range<u32>) -> Color {
        let (width, height) = (self.corners - 1, self.sums.len() / self.corners - 1);
        let [left, right] = [columns.start, columns.end].map(|x| (x as usize).min(width));
        let [top, bottom] = [rows.start, rows.end].map(|y| (y as usize).min(height) * self.corners);
        let (first, last) = (self.sums[top + left], self.sums[bottom + right]);
        let (above, before) = (self.sums[top + right], self.sums[bottom + left]);
        // No sum overflows: a picture has at most 2^20 pixels.
        [0, 1, 2, 3].map(|at| ((first[at] + last[at]) - (above[at] + before[at])) as f32)
    }
}

/// Returns the color of a pixel, multiplied by its opacity, and the opacity.
fn pixel(sprite: &Sprite, at: usize) -> [u8; 4] {
    // Pictures of a game have no other opacities.
    sprite.color(at).filter(|color| color[3] == 0xFF).unwrap_or_default()
}
