//! The pier, and the ship moored at its end.

use super::canvas::{Canvas, speckle, tile};
use super::harbour_blocks::{CAVE, DECK, HIGH, LADDER, LIGHT, RED, SAIL, SURFACE, WOOD, is_empty};

/// The row of the pier's planks.
const PLANKS: i32 = 45;

pub(super) fn pier(c: &mut Canvas) {
    for x in (51..80).step_by(6) {
        c.paint((x, PLANKS), (x + 1, HIGH - 3), |at, y| {
            // Wet and dark below the surface.
            let shade = if y > SURFACE { 0 } else { 3 };
            Some(tile(WOOD, shade + u32::from(at == x && y <= SURFACE)))
        });
    }
    for x in (51..74).step_by(6) {
        c.line((x + 1, PLANKS + 4), (x + 6, PLANKS + 1), tile(WOOD, 1));
    }
    c.paint((47, PLANKS), (80, PLANKS), |x, _| Some(tile(DECK, if x % 4 == 0 { 4 } else { 6 })));
    c.rect((47, PLANKS + 1), (80, PLANKS + 1), tile(WOOD, 2));
    for x in [54, 66, 78] {
        c.rect((x, PLANKS - 5), (x, PLANKS - 1), tile(WOOD, 1));
        c.rect((x - 1, PLANKS - 6), (x + 1, PLANKS - 6), tile(LIGHT, 7));
        c.set(x, PLANKS - 7, tile(RED, 2));
    }
    let crate_rows = ["aaa", "axa", "aaa"];
    let key = [('a', tile(WOOD, 4)), ('x', tile(WOOD, 2))];
    for (x, y) in [(58, PLANKS - 3), (61, PLANKS - 3), (59, PLANKS - 6), (71, PLANKS - 3)] {
        c.sprite(x, y, &crate_rows, &key);
    }
    c.sprite(74, PLANKS - 2, &["bb", "bb"], &[('b', tile(RED, 3))]);
    for y in PLANKS..SURFACE {
        c.set(68, y, tile(LADDER, if y % 2 == 0 { 5 } else { 3 }));
    }
}

/// Returns the upper edge of the hull: a castle at the stern, the waist, and the rising bow.
fn rail(x: i32) -> i32 {
    match x {
        ..83 => 99,
        83..92 => 38,
        92..94 => 40,
        94..111 => 43,
        111..115 => 41,
        _ => 41 - (x - 115) / 2,
    }
}

/// Returns the lower edge of the hull.
fn keel(x: i32) -> i32 {
    54 - (85 - x).max(0) * 2 - (x - 108).max(0)
}

pub(super) fn ship(c: &mut Canvas) {
    for (x, top) in [(89, 17), (101, 10), (112, 18)] {
        c.rect((x, top), (x, 43), tile(WOOD, 2));
    }
    rigging(c);
    for (mast, top, rows, half) in [
        (89, 20, 6, 5),
        (89, 28, 8, 6),
        (101, 13, 7, 6),
        (101, 22, 9, 8),
        (101, 33, 6, 8),
        (112, 20, 6, 4),
        (112, 28, 8, 6),
    ] {
        sail(c, mast, top, rows, half);
    }
    flag(c, 101, 7);
    flag(c, 89, 14);
    flag(c, 112, 15);
    hull(c);
    c.line((119, 39), (127, 34), tile(WOOD, 2));
    // The jib between the bowsprit and the foremast.
    c.paint((114, 22), (126, 37), |x, y| {
        let (along, down) = (x - 114, y - 22);
        let inside = down > along && along * 3 + 34 >= down * 3 - along && down < 14 - along / 4;
        inside.then(|| tile(SAIL, if along + 1 == down { 7 } else { 5 + u32::from(down % 3 == 0) }))
    });
}

fn hull(c: &mut Canvas) {
    c.paint((83, 36), (121, 56), |x, y| {
        let (top, bottom) = (rail(x), keel(x));
        if y < top || y > bottom {
            return None;
        }
        Some(match y - top {
            0 => tile(DECK, 6),
            _ if y > SURFACE => tile(WOOD, 0),
            1 if x < 93 => tile(RED, 3),
            _ if y == 46 => tile(LADDER, 5),
            _ if y == 45 => tile(RED, 3),
            _ if y == 48 && x % 4 == 1 && (90..114).contains(&x) => tile(CAVE, 0),
            _ if y % 2 == 0 => tile(WOOD, 3),
            _ => tile(WOOD, 2 + u32::from(speckle(101, x / 3, y, 5) == 0)),
        })
    });
    // The windows of the great cabin, the stern lantern, and a rope ladder amidships.
    for x in [84, 87, 90] {
        c.rect((x, 41), (x + 1, 42), tile(LIGHT, 7));
    }
    c.rect((83, 35), (83, 36), tile(LIGHT, 7));
    c.set(83, 37, tile(WOOD, 1));
    for y in 43..SURFACE {
        c.set(98, y, tile(LADDER, if y % 2 == 0 { 7 } else { 4 }));
    }
}

fn rigging(c: &mut Canvas) {
    let rope = tile(WOOD, 1);
    for (from, to) in [
        ((101, 11), (93, 42)),
        ((101, 11), (109, 42)),
        ((89, 18), (84, 38)),
        ((112, 19), (126, 34)),
        ((101, 11), (89, 18)),
        ((101, 11), (112, 19)),
    ] {
        c.line(from, to, rope);
    }
}

/// Draws a square sail filled by wind from the left.
fn sail(c: &mut Canvas, mast: i32, top: i32, rows: i32, half: i32) {
    c.rect((mast - half, top - 1), (mast + half, top - 1), tile(WOOD, 1));
    for row in 0..rows {
        // Narrow at the yard and full in the middle; the lower corners hang free.
        let belly = i32::from(row > 0 && row < rows - 1);
        let (left, right) = (mast - half + 1, mast + half - 1 + belly);
        c.paint((left, top + row), (right, top + row), |x, y| {
            let foot = row == rows - 1 && (left + 2..right - 1).contains(&x) && rows > 6;
            let fold = u32::from((x - left) % 5 == 4);
            let light = match 4 * (x - left) / (right - left).max(1) {
                0 => 4,
                1 => 5,
                2 => 6,
                _ => 7,
            };
            (!foot).then(|| tile(SAIL, light - fold - u32::from(y == top)))
        });
    }
    // A red stripe across the main sails.
    if half > 7 {
        let y = top + rows / 2;
        c.paint((mast - half + 1, y), (mast + half, y), |x, _| Some(tile(RED, if x > mast { 5 } else { 4 })));
    }
}

fn flag(c: &mut Canvas, x: i32, y: i32) {
    let rows = ["kRR   ", "kRRRR ", "kRR RR", "k     "];
    for (dy, row) in (0..).zip(rows) {
        for (dx, letter) in (0..).zip(row.chars()) {
            let color = match letter {
                'k' => tile(WOOD, 2),
                'R' => tile(RED, 4),
                _ => continue,
            };
            if is_empty(c, x + dx, y + dy) {
                c.set(x + dx, y + dy, color);
            }
        }
    }
}
