//! The materials that tiles are made of: 64 by 64 pixels each. `shade` is from 0, dark, to 7, light.

use super::colors::{CAVE, EARTH, GOLD, GRASS, LEAVES, PLANK, RED, Ramp, SMOKE, STEEL, WATER, WOOD};
use super::paint::{Picture, noise, wave};

fn filled(ramp: Ramp, shade: i32) -> Picture {
    Picture::filled(64, 64, ramp.at(shade))
}

/// Draws wave strokes that join at the edges of the tile.
fn waves(out: &mut Picture, ramp: Ramp, seed: i32, shade: i32, from: i32) {
    for row in 0..5 {
        let y = from + row * 12 + noise(seed, row, 1, 4);
        let (x, length) = (noise(seed, row, 2, 64), 20 + noise(seed, row, 3, 22));
        let stroke = ramp.at(shade + if row % 2 == 0 { 1 } else { -1 });
        for at in x..x + length {
            out.set(at.rem_euclid(64), y + wave(at, 32, 5), stroke);
            out.set(at.rem_euclid(64), y + wave(at, 32, 5) + 1, stroke);
        }
    }
}

pub(super) fn water(ramp: Ramp, seed: i32, shade: i32) -> Picture {
    let mut out = filled(ramp, shade + 1);
    waves(&mut out, ramp, seed, shade + 1, 4);
    out
}

/// Draws the surface of the water: foam on waves, and nothing above them.
pub(super) fn surface(seed: i32, shade: i32) -> Picture {
    let mut out = water(WATER, seed, 4);
    if shade < 6 {
        return out;
    }
    for x in 0..64 {
        let top = 3 + wave(x, 64, 14);
        for y in 0..top {
            out.clear(x, y);
        }
        for (depth, foam) in [(0, 9), (1, 9), (2, 9), (3, 8), (4, 7), (5, 7), (6, 6), (7, 6), (8, 6)] {
            out.set(x, top + depth, WATER.at(foam));
        }
    }
    out
}

/// Draws the crest of a wave in front of everything.
pub(super) fn crest() -> Picture {
    let mut out = Picture::new(64, 64);
    for x in 0..64 {
        let top = 24 + wave(x, 64, 16);
        for y in top..top + 11 {
            out.set(x, y, WATER.at(9 - (y - top) / 3));
        }
    }
    out
}

pub(super) fn grass(seed: i32, shade: i32) -> Picture {
    // The lower layer ends in the soil, the upper one under the sky.
    let mut out = filled(GRASS, shade + 1);
    for x in (0..64).step_by(4) {
        let (up, down) = (noise(seed, x, 1, 12), noise(seed, x, 2, 18));
        let blade = GRASS.at(shade + 1 + noise(seed, x, 3, 3) - 1);
        out.rect((x, 12 + up), (x + 1, 30 + up), blade);
        out.rect((x + 2, 34 + up), (x + 2, 50 + up), GRASS.at(shade));
        if shade < 5 {
            out.rect((x, 44 + down), (x + 3, 63), EARTH.at(5));
            out.rect((x, 43 + down), (x + 3, 43 + down), GRASS.at(shade - 1));
        } else {
            for y in 0..up {
                (0..4).for_each(|dx| out.clear(x + dx, y));
            }
            out.rect((x, up), (x + 3, up + 2), GRASS.at(9));
        }
    }
    out
}

pub(super) fn soil(ramp: Ramp, seed: i32, shade: i32) -> Picture {
    let mut out = filled(ramp, shade);
    for layer in 0..3 {
        let y = 10 + layer * 20 + noise(seed, layer, 1, 6);
        for x in 0..64 {
            let bend = wave(x + 16 * layer, 64, 7);
            out.rect((x, y + bend), (x, y + bend + 1), ramp.at(shade - 1));
        }
    }
    for pebble in 0..7 {
        let (x, y) = (noise(seed, pebble, 2, 56) + 4, noise(seed, pebble, 3, 56) + 4);
        let size = 2 + noise(seed, pebble, 4, 3);
        out.ellipse((x, y + 1), (size + 1, size), ramp.at(shade - 2));
        out.ellipse((x, y), (size, size - 1), ramp.at(shade + 1));
    }
    out
}

/// Draws stones of different width in rows, lit from above.
pub(super) fn stones(ramp: Ramp, seed: i32, shade: i32) -> Picture {
    let mut out = filled(ramp, shade);
    for (row, top) in [(0, 0), (1, 22), (2, 42)] {
        let bottom = [21, 41, 63][usize::try_from(row).unwrap_or(0)];
        let mut x = -noise(seed, row, 1, 14);
        while x < 64 {
            let width = 18 + noise(seed, row, x, 14);
            let own = shade + 1 + noise(seed, x, row, 3) - 1;
            out.rect((x + 1, top + 1), (x + width - 2, bottom - 1), ramp.at(own));
            out.rect((x + 2, top + 1), (x + width - 4, top + 2), ramp.at(own + 1));
            out.rect((x + 2, bottom - 2), (x + width - 2, bottom - 1), ramp.at(own - 1));
            x += width;
        }
    }
    out
}

pub(super) fn sand(ramp: Ramp, seed: i32, shade: i32) -> Picture {
    let mut out = filled(ramp, shade);
    for x in 0..64 {
        for y in [14, 37, 57] {
            out.set(x, y + wave(x + y, 64, 7), ramp.at(shade - 1));
        }
    }
    for grain in 0..16 {
        let (x, y) = (noise(seed, grain, 1, 62), noise(seed, grain, 2, 64));
        out.rect((x, y), (x + 1, y), ramp.at(shade + 1 - 2 * (grain % 2)));
    }
    out
}

pub(super) fn foliage(seed: i32, shade: i32) -> Picture {
    let mut out = filled(LEAVES, shade);
    for clump in 0..9 {
        let (x, y) = (clump % 3 * 22 + noise(seed, clump, 1, 14), clump / 3 * 22 + noise(seed, clump, 2, 12));
        out.ellipse((x, y + 2), (11, 8), LEAVES.at(shade - 1));
        out.ellipse((x, y), (10, 7), LEAVES.at(shade + 1));
        out.ellipse((x + 3, y - 2), (5, 3), LEAVES.at(shade + 2));
    }
    out
}

pub(super) fn bush(seed: i32, shade: i32) -> Picture {
    let mut out = Picture::new(64, 64);
    for (x, y, size) in [(10, 46, 16), (52, 44, 17), (30, 32, 20), (18, 56, 18), (46, 58, 18), (32, 52, 20)] {
        out.ball((x + noise(seed, x, y, 4), y), (size, size - 3), GRASS, shade + 2);
    }
    out
}

/// Draws leaves that hang in front of the picture, against the light.
pub(super) fn twigs(seed: i32, shade: i32) -> Picture {
    let mut out = Picture::new(64, 64);
    for leaf in 0..15 {
        let (x, y) = (leaf % 4 * 17 + noise(seed, leaf, 1, 12), leaf / 4 * 17 + noise(seed, leaf, 2, 12));
        let dark = LEAVES.at(shade + leaf % 2);
        out.polygon(&[(x - 11, y - 4), (x, y - 9), (x + 12, y + 3), (x + 2, y + 9)], dark);
        out.line((x - 9, y - 3), (x + 10, y + 3), 1, LEAVES.at(shade + 2));
    }
    out
}

pub(super) fn puff(shade: i32) -> Picture {
    let mut out = Picture::new(64, 64);
    for (x, y, size) in [(22, 40, 18), (44, 38, 17), (32, 24, 18)] {
        out.ball((x, y), (size, size - 2), SMOKE, shade);
    }
    out
}

pub(super) fn cave(ramp: Ramp, seed: i32, shade: i32) -> Picture {
    let mut out = filled(ramp, shade + 1);
    for blot in 0..5 {
        let (x, y) = (noise(seed, blot, 1, 64), blot * 13 + 4);
        out.ellipse((x, y), (9, 4), ramp.at(shade + 2));
        out.ellipse((x, y + 2), (9, 3), ramp.at(shade));
    }
    out
}

/// Draws boards: those of some shades upright, as masts and posts are.
pub(super) fn wood(seed: i32, shade: i32) -> Picture {
    let mut out = filled(WOOD, shade + 1);
    let upright = shade == 1 || shade == 4;
    let mut line = |from: i32, to: i32, at: i32, thick: i32, index: u8| {
        if upright {
            out.rect((at, from), (at + thick - 1, to), index);
        } else {
            out.rect((from, at), (to, at + thick - 1), index);
        }
    };
    for board in 0..4 {
        let at = board * 16;
        line(0, 63, at, 1, WOOD.at(shade + 2));
        line(0, 63, at + 14, 2, WOOD.at(shade - 1));
        let (from, length) = (noise(seed, board, 1, 40), 12 + noise(seed, board, 2, 20));
        line(from, from + length, at + 6, 1, WOOD.at(shade));
        line(from / 2, from / 2 + length, at + 10, 1, WOOD.at(shade));
        // A nail.
        line(4, 5, at + 7, 2, WOOD.at(0));
    }
    out
}

pub(super) fn steel(shade: i32) -> Picture {
    let mut out = filled(STEEL, shade);
    out.rect((0, 0), (63, 3), STEEL.at(shade + 2));
    out.rect((0, 58), (63, 63), STEEL.at(shade - 2));
    for x in [8, 52] {
        for y in [12, 48] {
            out.ball((x, y), (4, 4), STEEL, shade + 1);
        }
    }
    out.line((20, 50), (44, 14), 2, STEEL.at(shade + 1));
    out
}

/// Draws painted boards or cloth, with scales in the darker shades, as roofs have.
pub(super) fn painted(seed: i32, shade: i32) -> Picture {
    let mut out = filled(RED, shade + 1);
    for row in 0..4 {
        let y = row * 16;
        out.rect((0, y + 14), (63, y + 15), RED.at(shade));
        out.rect((0, y), (63, y), RED.at(shade + 2));
        if shade < 4 {
            for x in (row % 2 * 8..64).step_by(16) {
                out.rect((x, y), (x, y + 15), RED.at(shade));
                out.rect((x + 6, y + 4), (x + 6 + noise(seed, x, row, 5), y + 4), RED.at(shade + 2));
            }
        }
    }
    out
}

/// Draws sailcloth: soft folds, and a seam.
pub(super) fn cloth(ramp: Ramp, shade: i32) -> Picture {
    let mut out = filled(ramp, shade + 1);
    for (x, width, change) in [(6, 10, 1), (26, 8, -1), (44, 12, 1)] {
        out.rect((x, 0), (x + width, 63), ramp.at(shade + 1 + change));
    }
    out.rect((0, 31), (63, 31), ramp.at(shade - 1));
    for x in (2..64).step_by(8) {
        out.set(x, 33, ramp.at(shade - 1));
    }
    out
}

/// Draws plastered masonry.
pub(super) fn plaster(ramp: Ramp, seed: i32, shade: i32) -> Picture {
    let mut out = filled(ramp, shade + 1);
    for row in 0..4 {
        let y = row * 16;
        out.rect((0, y + 15), (63, y + 15), ramp.at(shade));
        for x in [row % 2 * 16 + 8, row % 2 * 16 + 40] {
            out.rect((x % 64, y), (x % 64, y + 15), ramp.at(shade));
        }
        let x = noise(seed, row, 1, 40);
        out.rect((x, y + 3), (x + 12, y + 5), ramp.at(shade + 2));
    }
    out
}

/// Draws the planks of a deck from the side, with a beam below them.
pub(super) fn deck(ramp: Ramp, seed: i32, shade: i32) -> Picture {
    let mut out = filled(ramp, shade);
    out.rect((0, 0), (63, 4), ramp.at(shade + 3));
    out.rect((0, 5), (63, 7), ramp.at(shade + 1));
    let joint = 12 + noise(seed, 1, 1, 40);
    out.rect((joint, 5), (joint, 27), ramp.at(shade - 3));
    out.rect((0, 18), (63, 19), ramp.at(shade - 2));
    out.rect((0, 28), (63, 63), WOOD.at(4));
    out.rect((0, 28), (63, 32), WOOD.at(2));
    out.rect((0, 48), (63, 48), WOOD.at(3));
    for x in [joint - 5, joint + 5] {
        out.rect((x, 11), (x + 1, 12), WOOD.at(1));
    }
    out
}

pub(super) fn ladder(shade: i32) -> Picture {
    let mut out = filled(CAVE, 1);
    for rung in 0..4 {
        let y = rung * 16 + 4;
        out.rect((8, y), (55, y + 5), PLANK.at(shade));
        out.rect((8, y), (55, y + 1), PLANK.at(shade + 2));
        out.rect((8, y + 6), (55, y + 7), CAVE.at(0));
    }
    for x in [10, 46] {
        out.rect((x, 0), (x + 7, 63), PLANK.at(shade + 1));
        out.rect((x + 6, 0), (x + 7, 63), PLANK.at(shade - 1));
    }
    out
}

/// Draws a lighted window pane in its frame.
pub(super) fn window(shade: i32) -> Picture {
    let mut out = filled(GOLD, shade + 1);
    out.ellipse((32, 32), (28, 28), GOLD.at(shade + 2));
    out.ellipse((32, 32), (16, 16), GOLD.at(shade + 3));
    for at in [0, 31, 60] {
        out.rect((at, 0), (at + 3, 63), PLANK.at(4));
        out.rect((0, at), (63, at + 3), PLANK.at(4));
    }
    out.line((40, 24), (54, 10), 2, GOLD.at(9));
    out
}

pub(super) fn crystal(ramp: Ramp, shade: i32) -> Picture {
    let mut out = filled(CAVE, 1);
    let parts: [(&[(i32, i32)], i32); 4] = [
        (&[(10, 64), (18, 10), (32, 0), (32, 64)], 1),
        (&[(32, 0), (44, 12), (54, 64), (32, 64)], -2),
        (&[(18, 10), (26, 5), (28, 64), (20, 64)], 2),
        (&[(44, 12), (48, 34), (46, 64), (40, 64)], -1),
    ];
    for (corners, change) in parts {
        out.polygon(corners, ramp.at(shade + 1 + change));
    }
    out
}
