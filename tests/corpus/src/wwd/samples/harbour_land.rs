//! The two shores of the harbor, and the sea floor between them.

use super::canvas::{Canvas, Ramp, SHADES, curve, profile, speckle, tile};
use super::harbour_blocks::{
    BUSH, CAVE, CLAY, EARTH, GRASS, HIGH, LADDER, LEAVES, LIGHT, POOL, RED, ROCK, SAND, STEEL, SURFACE, WHITE, WIDE,
    WOOD,
};

const SOIL: Ramp = Ramp(&[
    (EARTH, 5),
    (EARTH, 4),
    (EARTH, 3),
    (EARTH, 2),
    (EARTH, 1),
    (CLAY, 2),
    (CLAY, 1),
    (EARTH, 0),
    (CLAY, 0),
    (CLAY, 0),
]);
const STONE: Ramp =
    Ramp(&[(ROCK, 6), (ROCK, 5), (ROCK, 4), (ROCK, 3), (ROCK, 2), (ROCK, 2), (ROCK, 1), (ROCK, 1), (ROCK, 0)]);

const HEADLAND: &[(i32, i32)] = &[
    (0, 18),
    (5, 20),
    (10, 22),
    (22, 23),
    (25, 25),
    (28, 28),
    (40, 28),
    (43, 30),
    (45, 35),
    (46, 38),
    (48, 44),
    (49, 52),
    (53, 59),
];

const ISLAND: &[(i32, i32)] =
    &[(116, 59), (121, 54), (125, 50), (133, 48), (136, 44), (137, 37), (139, 32), (153, 32), (156, 34), (159, 33)];

pub(super) fn sea_floor(c: &mut Canvas) {
    c.paint((0, SURFACE + 3), (WIDE - 1, HIGH - 1), |x, y| {
        let top = HIGH - 2 - curve(51, x, 9, 30) / 100;
        (y >= top).then(|| tile(SAND, 2 - u32::from(y > top) - u32::from(speckle(52, x, y, 4) == 0)))
    });
    for (x, tall) in [(58, 4), (60, 3), (71, 3), (83, 2), (96, 4), (98, 3), (113, 3)] {
        c.paint((x, HIGH - 2 - tall), (x + 1, HIGH - 2), |at, y| {
            ((y + at) % 2 == 0 || y > HIGH - 4).then(|| tile(LEAVES, 1 + u32::from(y % 3 == 0)))
        });
    }
}

/// Draws grass over soil along a profile. The uneven second layer softens the edge.
fn land(c: &mut Canvas, points: &[(i32, i32)], soil: &Ramp, seed: u64, steep: i32) {
    c.paint_all(|x, y| {
        let top = profile(points, x);
        let depth = y.checked_sub(top).filter(|&depth| depth >= 0)?;
        let slope = (profile(points, x + 1).min(99) - top).abs();
        let grassy = slope < steep && top < SURFACE - 2;
        let roots = 1 + i32::try_from(speckle(seed, x, 0, 3)).unwrap_or(0);
        if grassy && depth == 0 {
            return Some(tile(GRASS, 5 + speckle(seed + 1, x, y, 3)));
        }
        if grassy && depth < roots {
            return Some(tile(GRASS, 4 - u32::try_from(depth).unwrap_or(0)));
        }
        // Undulating layers that darken with depth, and are lighter where the sun meets the cliff.
        let layers = (3 * y + curve(seed + 2, x, 9, 40) / 12 + curve(seed + 3, x, 4, 60) / 30).rem_euclid(17) * 2;
        let open = (1..WIDE - 1).contains(&x) && profile(points, x - 1).max(profile(points, x + 1)) > y + 1;
        let lit = if open { 28 } else { 0 };
        let stone = i32::from(speckle(seed + 4, x / 2, y, 11) == 0) * 18;
        Some(soil.at(12 + depth * 3 + layers - lit - stone, x, y))
    });
}

pub(super) fn headland(c: &mut Canvas) {
    land(c, HEADLAND, &SOIL, 61, 3);
    // The cave: two rooms, a passage to the pier, and a shaft with a ladder to the meadow.
    hollow(c, (13, 42), (9, 5));
    hollow(c, (27, 42), (8, 4));
    c.paint((20, 41), (49, 44), |x, y| (x < profile(HEADLAND, 0).max(48)).then(|| cave_wall(x, y)));
    c.rect((34, 29), (36, 44), tile(CAVE, 0));
    for y in 28..=44 {
        c.set(35, y, tile(LADDER, if y % 2 == 0 { 5 } else { 3 }));
    }
    // Props that support the passage.
    for x in [22, 31, 39, 45] {
        c.rect((x, 40), (x, 44), tile(WOOD, 2));
        c.rect((x - 1, 40), (x + 1, 40), tile(WOOD, 3));
    }
    for x in 16..=21 {
        c.set(x, 46, tile(STEEL, if x % 2 == 0 { 7 } else { 4 }));
    }
    for (x, y) in [(11, 40), (28, 40)] {
        c.set(x, y, tile(LIGHT, 7));
        c.set(x, y + 1, tile(WOOD, 4));
        for (dx, dy) in [(-1, 0), (1, 0), (0, -1)] {
            c.set(x + dx, y + dy, tile(RED, 3));
        }
    }
    grotto(c);
    cottage(c, 13, 13);
    tree(c, (4, 10), (5, 5), 19);
    tree(c, (31, 19), (4, 5), 28);
    tree(c, (39, 22), (3, 4), 28);
    for x in [9, 27, 36, 42] {
        bush(c, x, profile(HEADLAND, x) - 1);
    }
    fence(c);
}

fn hollow(c: &mut Canvas, middle: (i32, i32), radii: (i32, i32)) {
    c.ellipse(middle, radii, |x, y, d| {
        let ragged = i32::try_from(speckle(71, x, y, 40)).unwrap_or(0);
        (d + ragged < 256).then(|| cave_wall(x, y))
    });
}

fn cave_wall(x: i32, y: i32) -> u32 {
    tile(CAVE, u32::from(curve(72, 2 * x + 5 * y, 4, 40) > 150))
}

/// Draws a flooded room under the cave, with crystals and a ladder down to it.
fn grotto(c: &mut Canvas) {
    hollow(c, (17, 53), (13, 4));
    for y in 54..=57 {
        for x in 3..=31 {
            // Fill only cells that are still cave wall.
            if c.get(x, y) / SHADES == CAVE {
                c.set(x, y, tile(POOL, if y == 54 { 6 } else { 3 - u32::from(y > 55) }));
            }
        }
    }
    c.rect((25, 45), (27, 52), tile(CAVE, 0));
    for y in 44..54 {
        c.set(26, y, tile(LADDER, if y % 2 == 0 { 5 } else { 3 }));
    }
    for (x, y, block) in [(8, 51, 18), (12, 50, 17), (21, 50, 18), (6, 53, 17)] {
        c.sprite(x, y, &[" a", "ab", "ab"], &[('a', tile(block, 7)), ('b', tile(block, 4))]);
    }
}

fn cottage(c: &mut Canvas, x: i32, y: i32) {
    let rows = [
        "        cc  ",
        "    rr  cc  ",
        "   rRRr cc  ",
        "  rRRRRrcc  ",
        " rRRRRRRRr  ",
        "rRRRRRRRRRr ",
        " wwwwwwwwd  ",
        " wyywDDwyd  ",
        " wyywDDwyd  ",
        " wwwwDDwwd  ",
    ];
    let key = [
        ('c', tile(EARTH, 2)),
        ('r', tile(RED, 2)),
        ('R', tile(RED, 4)),
        ('w', tile(SAND, 6)),
        ('d', tile(SAND, 4)),
        ('y', tile(LIGHT, 7)),
        ('D', tile(WOOD, 1)),
    ];
    c.sprite(x, y, &rows, &key);
    // Smoke that drifts from the chimney.
    for (dx, dy, shade) in [(9, -1, 4), (10, -2, 4), (10, -3, 3), (12, -4, 3), (13, -5, 2)] {
        c.set(x + dx, y + dy, tile(23, shade + 2));
    }
}

fn tree(c: &mut Canvas, (cx, cy): (i32, i32), radii: (i32, i32), ground: i32) {
    c.rect((cx, cy), (cx, ground), tile(WOOD, 1));
    c.ellipse((cx, cy), radii, |x, y, d| {
        let ragged = i32::try_from(speckle(81, x, y, 70)).unwrap_or(0);
        // Lit from the upper right.
        let light = 40 + (x - cx) * 7 - (y - cy) * 7 + i32::try_from(speckle(82, x, y, 16)).unwrap_or(0);
        (d + ragged < 280).then(|| tile(LEAVES, u32::try_from(light.clamp(8, 88) / 16).unwrap_or(0)))
    });
}

fn bush(c: &mut Canvas, x: i32, y: i32) {
    c.sprite(x - 1, y, &["abc"], &[('a', tile(BUSH, 2)), ('b', tile(BUSH, 4)), ('c', tile(BUSH, 5))]);
    c.set(x, y - 1, tile(BUSH, 5));
}

fn fence(c: &mut Canvas) {
    for x in 0..9 {
        let top = profile(HEADLAND, x) - 2;
        c.set(x, top, tile(SAND, 4));
        if x % 3 == 1 {
            c.rect((x, top - 1), (x, top + 1), tile(SAND, 3));
        }
    }
}

pub(super) fn island(c: &mut Canvas) {
    land(c, ISLAND, &STONE, 91, 3);
    c.paint((117, SURFACE - 4), (135, HIGH - 2), |x, y| {
        let depth = y.checked_sub(profile(ISLAND, x)).filter(|depth| (0..4).contains(depth))?;
        Some(tile(SAND, 6 - u32::try_from(depth).unwrap_or(0)))
    });
    skull(c, 139, 35);
    lighthouse(c, 142, 9);
    palm(c, 129, 48);
    for x in [139, 153, 157] {
        bush(c, x, profile(ISLAND, x) - 1);
    }
}

fn skull(c: &mut Canvas, x: i32, y: i32) {
    let rows = [
        "   hhhhhhhh   ",
        "  hbbbbbbbbh  ",
        " hbbbbbbbbbbh ",
        " bb##bbbb##bb ",
        " bb###bb###bb ",
        " bbb##bb##bbs ",
        "  bbbb##bbbs  ",
        "  bbbb##bbss  ",
        "   t t tt t   ",
        "   ########   ",
        "   ########   ",
        "   ##gGg###   ",
        "   ##GgG###   ",
    ];
    let key = [
        ('h', tile(WHITE, 7)),
        ('b', tile(WHITE, 5)),
        ('s', tile(WHITE, 3)),
        ('t', tile(WHITE, 6)),
        ('#', tile(CAVE, 0)),
        ('g', tile(LIGHT, 6)),
        ('G', tile(LIGHT, 4)),
    ];
    c.rect((x + 3, y + 8), (x + 10, y + 8), tile(CAVE, 0));
    c.sprite(x, y, &rows, &key);
}

fn lighthouse(c: &mut Canvas, x: i32, y: i32) {
    let rows = [
        "   rr   ", "  rRRr  ", " rRRRRr ", "  yLLy  ", "  yLLy  ", " kkkkkk ", "  wWWs  ", "  wWWs  ", "  wWWs  ",
        "  aAAb  ", "  aAAb  ", "  aAAb  ", " wWWWWs ", " wWDWWs ", " wWWWWs ", " aAAAAb ", " aAAAAb ", " aAAAAb ",
        " wWWWWs ", " wWWDWs ", "wwWWDWss", "wwWWDWss", "kkkkkkkk",
    ];
    let key = [
        ('r', tile(RED, 2)),
        ('R', tile(RED, 3)),
        ('y', tile(LIGHT, 6)),
        ('L', tile(24, 7)),
        ('k', tile(ROCK, 0)),
        ('w', tile(WHITE, 7)),
        ('W', tile(WHITE, 6)),
        ('s', tile(WHITE, 4)),
        ('a', tile(RED, 5)),
        ('A', tile(RED, 4)),
        ('b', tile(RED, 2)),
        ('D', tile(CAVE, 0)),
    ];
    c.sprite(x, y, &rows, &key);
}

fn palm(c: &mut Canvas, x: i32, ground: i32) {
    for (i, lean) in [0, 0, 0, 1, 1, 1, 2, 2, 3, 3].into_iter().enumerate() {
        let y = ground - i32::try_from(i).unwrap_or(0);
        c.set(x + lean, y, tile(WOOD, if y % 2 == 0 { 3 } else { 2 }));
    }
    let rows = ["  aab  bba  ", " abbbaabbba ", "ab  abbb  ba", "a  ab nab  a", "   a   b    "];
    c.sprite(x - 3, ground - 12, &rows, &[('a', tile(LEAVES, 3)), ('b', tile(LEAVES, 5)), ('n', tile(WOOD, 1))]);
}
