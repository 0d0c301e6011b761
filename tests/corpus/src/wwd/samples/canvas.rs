//! A grid to draw on, with tile numbers as colors. It uses integers only, so that all machines draw the same level.

use crate::rng::Rng;
use crate::wwd::EMPTY_TILE;
use crate::wwd::spec::PlaneSpec;

/// Number of shades in a block of tiles.
pub(super) const SHADES: u32 = 8;

/// Returns the tile for a block and a shade from 0 (dark) to 7 (light).
pub(super) const fn tile(block: u32, shade: u32) -> u32 {
    block * SHADES + if shade < SHADES { shade } else { SHADES - 1 }
}

/// Returns the ordered-dithering threshold of a cell, 0 to 15.
pub(super) fn bayer(x: i32, y: i32) -> i32 {
    const ORDER: [[i32; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];
    ORDER[index(y.rem_euclid(4))][index(x.rem_euclid(4))]
}

fn index(value: i32) -> usize {
    usize::try_from(value).unwrap_or(0)
}

/// Returns a pseudorandom number below `end`, determined by the cell and `seed`.
pub(super) fn speckle(seed: u64, x: i32, y: i32, end: u32) -> u32 {
    let cell = u64::from(x.unsigned_abs()) << 32 | u64::from(y.unsigned_abs());
    Rng::new(seed ^ cell.wrapping_mul(0x9E37_79B9)).below(end)
}

/// A smooth curve between 0 and 255 with a random height every `step` columns; it repeats after `period` steps.
pub(super) fn curve(seed: u64, x: i32, step: i32, period: i32) -> i32 {
    let height = |knot: i32| i32::try_from(speckle(seed, knot.rem_euclid(period), 0, 256)).unwrap_or(0);
    let (knot, part) = (x.div_euclid(step), x.rem_euclid(step));
    (height(knot) * (step - part) + height(knot + 1) * part) / step
}

/// Returns the height at `x` of a polyline whose points are sorted by x.
pub(super) fn profile(points: &[(i32, i32)], x: i32) -> i32 {
    for pair in points.windows(2) {
        let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
        if (x0..=x1).contains(&x) && x1 > x0 {
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0);
        }
    }
    i32::MAX
}

/// Colors between which a value in sixteenths fades by dithering.
pub(super) struct Ramp(pub(super) &'static [(u32, u32)]);

impl Ramp {
    /// Returns the tile at `value / 16` of the list, dithered by position.
    pub(super) fn at(&self, value: i32, x: i32, y: i32) -> u32 {
        let step = ((value + bayer(x, y)) / 16).max(0);
        let (block, shade) = self.0[index(step).min(self.0.len() - 1)];
        tile(block, shade)
    }
}

/// A grid of tiles; drawing outside its edges has no effect.
pub(super) struct Canvas {
    pub(super) wide: i32,
    pub(super) high: i32,
    cells: Vec<u32>,
}

impl Canvas {
    pub(super) fn new(wide: i32, high: i32) -> Self {
        Self { wide, high, cells: vec![EMPTY_TILE; index(wide * high)] }
    }

    pub(super) fn get(&self, x: i32, y: i32) -> u32 {
        let inside = (0..self.wide).contains(&x) && (0..self.high).contains(&y);
        if inside { self.cells[index(y * self.wide + x)] } else { EMPTY_TILE }
    }

    pub(super) fn set(&mut self, x: i32, y: i32, tile: u32) {
        if (0..self.wide).contains(&x) && (0..self.high).contains(&y) {
            self.cells[index(y * self.wide + x)] = tile;
        }
    }

    /// Fills a rectangle, both corners included.
    pub(super) fn rect(&mut self, (x0, y0): (i32, i32), (x1, y1): (i32, i32), tile: u32) {
        self.paint((x0, y0), (x1, y1), |_, _| Some(tile));
    }

    /// Sets each cell of a rectangle, both corners included, to the tile that a closure returns.
    pub(super) fn paint(
        &mut self,
        (x0, y0): (i32, i32),
        (x1, y1): (i32, i32),
        mut tile: impl FnMut(i32, i32) -> Option<u32>,
    ) {
        for y in y0..=y1 {
            for x in x0..=x1 {
                if let Some(tile) = tile(x, y) {
                    self.set(x, y, tile);
                }
            }
        }
    }

    /// Sets each cell of the grid to the tile that a closure returns.
    pub(super) fn paint_all(&mut self, tile: impl FnMut(i32, i32) -> Option<u32>) {
        self.paint((0, 0), (self.wide - 1, self.high - 1), tile);
    }

    /// Sets each cell of an ellipse to the tile that a closure returns. The third argument grows from 0 in the center
    /// to 256 at the rim.
    pub(super) fn ellipse(
        &mut self,
        (cx, cy): (i32, i32),
        (rx, ry): (i32, i32),
        mut tile: impl FnMut(i32, i32, i32) -> Option<u32>,
    ) {
        self.paint((cx - rx, cy - ry), (cx + rx, cy + ry), |x, y| {
            let (dx, dy) = (x - cx, y - cy);
            let distance = 256 * dx * dx / (rx * rx) + 256 * dy * dy / (ry * ry);
            if distance <= 256 { tile(x, y, distance) } else { None }
        });
    }

    /// Draws a line, both ends included.
    pub(super) fn line(&mut self, (x0, y0): (i32, i32), (x1, y1): (i32, i32), tile: u32) {
        let steps = (x1 - x0).abs().max((y1 - y0).abs()).max(1);
        for i in 0..=steps {
            // Rounded to the nearest cell.
            let along = |from: i32, to: i32| (2 * from * steps + 2 * (to - from) * i + steps).div_euclid(2 * steps);
            self.set(along(x0, x1), along(y0, y1), tile);
        }
    }

    /// Draws rows of letters; letters that are not in the key are transparent.
    pub(super) fn sprite(&mut self, x: i32, y: i32, rows: &[&str], key: &[(char, u32)]) {
        for (dy, row) in (0..).zip(rows) {
            for (dx, letter) in (0..).zip(row.chars()) {
                if let Some((_, tile)) = key.iter().find(|(known, _)| *known == letter) {
                    self.set(x + dx, y + dy, *tile);
                }
            }
        }
    }

    /// Returns a plane with this grid.
    pub(super) fn plane(self, name: &str, tile_px: i32, image_set: &str) -> PlaneSpec {
        let mut plane = PlaneSpec::empty(name.as_bytes(), tile_px, self.wide, self.high);
        plane.tiles = self.cells;
        plane.image_sets = vec![image_set.as_bytes().to_vec()];
        plane
    }
}
