//! Tile grids as redundant as real ones: many empty cells, long runs, repeating patterns.

use crate::rng::Rng;
use crate::wwd::spec::PlaneSpec;
use crate::wwd::{EMPTY_TILE, FILLED_TILE};

/// Returns the rows of a plane as slices of cells.
fn rows(plane: &mut PlaneSpec) -> impl Iterator<Item = &mut [u32]> {
    let wide = usize::try_from(plane.tiles_wide).unwrap_or(0).max(1);
    plane.tiles.chunks_mut(wide)
}

/// Draws ground with an uneven surface, ledges above it and solid fill deep below, using only tiles that have an
/// attribute.
pub(super) fn ground(rng: &mut Rng, plane: &mut PlaneSpec, attributes: u32) {
    if attributes == 0 {
        return;
    }
    let high = plane.tiles_high;
    let mut top = high / 2;
    let mut tops = Vec::new();
    for _ in 0..plane.tiles_wide {
        if rng.one_in(4) {
            top = (top + rng.range(-2, 3)).clamp(high / 4, high - 1);
        }
        tops.push(top);
    }
    for (y, row) in (0..).zip(rows(plane)) {
        let mut ledge = 0;
        for (cell, &top) in row.iter_mut().zip(&tops) {
            if ledge == 0 && rng.one_in(64) {
                ledge = rng.range(2, 9);
            }
            *cell = match y - top {
                // The ledge tile appears only every fourth row.
                ..-1 if ledge > 0 && y % 4 == 2 => 300 % attributes,
                ..0 => EMPTY_TILE,
                0 => (10 + rng.below(3)) % attributes,
                1..6 => (100 + rng.below(8)) % attributes,
                _ => FILLED_TILE,
            };
            ledge = (ledge - 1).max(0);
        }
    }
}

/// Draws one repeating pattern of 8 × 8 tiles.
pub(super) fn pattern(rng: &mut Rng, plane: &mut PlaneSpec) {
    let base = rng.below(600);
    for (y, row) in (0_u32..).zip(rows(plane)) {
        for (x, cell) in (0_u32..).zip(row) {
            *cell = base + (y % 8) * 8 + x % 8;
        }
    }
}

/// Draws an occasional run of a few tiles on an otherwise empty plane.
pub(super) fn clumps(rng: &mut Rng, plane: &mut PlaneSpec) {
    for row in rows(plane) {
        let mut left = 0;
        for cell in row {
            if left == 0 && rng.one_in(80) {
                left = 1 + rng.below(6);
            }
            if left > 0 {
                *cell = 700 + left;
                left -= 1;
            }
        }
    }
}
