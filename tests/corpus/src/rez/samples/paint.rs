//! A picture to draw on. It uses integers only, so that all machines draw the same.

use super::colors::Ramp;
use crate::rng::Rng;

/// A picture of palette indices; `None` is transparent.
#[derive(Clone, Debug)]
pub(super) struct Picture {
    pub(super) width: i32,
    pub(super) height: i32,
    /// Distance from an object's position to the center.
    pub(super) offset: (i32, i32),
    pub(super) pixels: Vec<Option<u8>>,
}

/// Returns a random number below `end` that depends on a place and a seed only.
pub(super) fn noise(seed: i32, x: i32, y: i32, end: i32) -> i32 {
    let place = u64::from(x.cast_unsigned()) << 32 | u64::from(y.cast_unsigned());
    let seed = u64::from(seed.cast_unsigned()).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    i32::try_from(Rng::new(seed ^ place).below(end.cast_unsigned())).unwrap_or(0)
}

/// A wave of straight lines: from 0 up to `height` and back, once in `period`.
pub(super) fn zigzag(x: i32, period: i32, height: i32) -> i32 {
    let at = x.rem_euclid(period);
    (period / 2 - (at - period / 2).abs()) * 2 * height / period
}

/// A smooth wave: from 0 up to `height` and back, once in `period`.
pub(super) fn wave(x: i32, period: i32, height: i32) -> i32 {
    let (at, half) = (x.rem_euclid(period), period / 2);
    // A parabola for each half, joined in the middle of the height.
    let bend = |at: i32| 2 * height * at * (half - at) / (half * half);
    if at < half { height / 2 + bend(at) } else { height / 2 - bend(at - half) }
}

impl Picture {
    pub(super) fn new(width: i32, height: i32) -> Self {
        let count = usize::try_from(width * height).unwrap_or(0);
        Self { width, height, offset: (0, 0), pixels: vec![None; count] }
    }

    /// Returns a tile filled with an index.
    pub(super) fn filled(width: i32, height: i32, index: u8) -> Self {
        let mut out = Self::new(width, height);
        out.pixels.fill(Some(index));
        out
    }

    /// Sets where the center is from the position of an object.
    pub(super) fn offset(mut self, x: i32, y: i32) -> Self {
        self.offset = (x, y);
        self
    }

    fn place(&self, x: i32, y: i32) -> Option<usize> {
        let inside = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        if inside { usize::try_from(y * self.width + x).ok() } else { None }
    }

    pub(super) fn get(&self, x: i32, y: i32) -> Option<u8> {
        self.pixels[self.place(x, y)?]
    }

    /// Sets a pixel; outside the picture nothing happens.
    pub(super) fn set(&mut self, x: i32, y: i32, index: u8) {
        if let Some(at) = self.place(x, y) {
            self.pixels[at] = Some(index);
        }
    }

    /// Makes a pixel transparent.
    pub(super) fn clear(&mut self, x: i32, y: i32) {
        if let Some(at) = self.place(x, y) {
            self.pixels[at] = None;
        }
    }

    /// Fills a rectangle, both corners included.
    pub(super) fn rect(&mut self, (x0, y0): (i32, i32), (x1, y1): (i32, i32), index: u8) {
        for y in y0..=y1 {
            for x in x0..=x1 {
                self.set(x, y, index);
            }
        }
    }

    /// Fills an ellipse.
    pub(super) fn ellipse(&mut self, middle: (i32, i32), radii: (i32, i32), index: u8) {
        self.in_ellipse(middle, radii, |_, _| index);
    }

    /// Fills an ellipse as a ball that is lit from the upper right, with shades around `shade`.
    pub(super) fn ball(&mut self, (cx, cy): (i32, i32), (rx, ry): (i32, i32), ramp: Ramp, shade: i32) {
        self.in_ellipse((cx, cy), (rx, ry), |x, y| {
            let light = (x - cx) * 4 / rx.max(1) - (y - cy) * 5 / ry.max(1);
            ramp.at(shade + light.div_euclid(3))
        });
    }

    fn in_ellipse(&mut self, (cx, cy): (i32, i32), (rx, ry): (i32, i32), index: impl Fn(i32, i32) -> u8) {
        let (rx, ry) = (rx.max(1), ry.max(1));
        for y in cy - ry..=cy + ry {
            for x in cx - rx..=cx + rx {
                let (dx, dy) = ((x - cx) * ry, (y - cy) * rx);
                if dx * dx + dy * dy <= rx * rx * ry * ry {
                    self.set(x, y, index(x, y));
                }
            }
        }
    }

    /// Fills a polygon.
    pub(super) fn polygon(&mut self, corners: &[(i32, i32)], index: u8) {
        for y in 0..self.height {
            for x in 0..self.width {
                let mut inside = false;
                for (at, &(x0, y0)) in corners.iter().enumerate() {
                    let (x1, y1) = corners[(at + 1) % corners.len()];
                    if (y0 > y) != (y1 > y) {
                        // The edge crosses the row; is it to the right of the pixel?
                        let side = (x1 - x0) * (y - y0) - (x - x0) * (y1 - y0);
                        inside ^= (side > 0) == (y1 > y0);
                    }
                }
                if inside {
                    self.set(x, y, index);
                }
            }
        }
    }

    /// Draws a line of a thickness, both ends included.
    pub(super) fn line(&mut self, (x0, y0): (i32, i32), (x1, y1): (i32, i32), thick: i32, index: u8) {
        let steps = (x1 - x0).abs().max((y1 - y0).abs()).max(1);
        for step in 0..=steps {
            let (x, y) = (x0 + (x1 - x0) * step / steps, y0 + (y1 - y0) * step / steps);
            let from = (x - thick / 2, y - thick / 2);
            self.rect(from, (from.0 + thick - 1, from.1 + thick - 1), index);
        }
    }

    /// Draws an edge around everything that is not transparent.
    pub(super) fn outlined(mut self, index: u8) -> Self {
        let before = self.clone();
        for y in 0..self.height {
            for x in 0..self.width {
                let near = [(1, 0), (-1, 0), (0, 1), (0, -1)];
                if before.get(x, y).is_none() && near.iter().any(|(dx, dy)| before.get(x + dx, y + dy).is_some()) {
                    self.set(x, y, index);
                }
            }
        }
        self
    }

    pub(super) fn has_holes(&self) -> bool {
        self.pixels.contains(&None)
    }

    /// Returns the indices; transparent pixels are 0.
    pub(super) fn indices(&self) -> Vec<u8> {
        self.pixels.iter().map(|pixel| pixel.unwrap_or(0)).collect()
    }
}
