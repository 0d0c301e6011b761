//! A garden seen from above, in the style of Gruntz: house, pond, maze, brook, kitchen beds and an orchard.

use super::canvas::{Canvas, Ramp, bayer, curve, speckle, tile};
use super::{Placer, table};
use crate::wwd::spec::{AttributeSpec, HeaderSpec, LevelSpec, ObjectSpec};

const WIDE: i32 = 48;
const HIGH: i32 = 40;

const LAWN: u32 = 6;
const MEADOW: u32 = 19;
const HEDGE: u32 = 14;
const LEAVES: u32 = 35;
const PATH: u32 = 37;
const SOIL: u32 = 8;
const WOOD: u32 = 50;
const PLANK: u32 = 16;
const ROOF: u32 = 34;
const BRICK: u32 = 42;
const STONE: u32 = 29;
const WATER: u32 = 12;
const FOAM: u32 = 46;
const PINK: u32 = 26;
const YELLOW: u32 = 24;
const VIOLET: u32 = 15;

const POND: Ramp = Ramp(&[(20, 2), (WATER, 2), (WATER, 3), (WATER, 4), (WATER, 5), (4, 6)]);

const MAZE: [&str; 13] = [
    "#################",
    "#   #     #     #",
    "# # # ### # ### #",
    "# #   # # #   # #",
    "# ##### # ### # #",
    "#     # #   # # #",
    "##### # ### # # #",
    "#   # #   $   # #",
    "# # # ### # ### #",
    "# # #   # #   # #",
    "# # ### # ### # #",
    "# #     #     # #",
    "########### #####",
];

pub(super) fn level() -> LevelSpec {
    let mut plane = picture().plane("Action", 32, "ACTION");
    plane.flags = 0x01;
    plane.objects = objects();
    LevelSpec {
        header: HeaderSpec {
            name: b"Garden Set 1".to_vec(),
            author: b"worldview".to_vec(),
            birth: b"February 22, 1999".to_vec(),
            image_dir: b"\\AREA1\\TILEZ".to_vec(),
            start_x: 24 * 32,
            start_y: 20 * 32,
            image_set_dirs: [b"AREA1\\IMAGEZ".to_vec(), b"GAME\\IMAGEZ".to_vec(), vec![], vec![]],
            image_set_prefixes: [b"LEVEL".to_vec(), b"GAME".to_vec(), vec![], vec![]],
            ..HeaderSpec::default()
        },
        planes: vec![plane],
        attributes: Some(table(910, attribute)),
        ..LevelSpec::default()
    }
}

fn attribute(block: u32) -> AttributeSpec {
    let value = match block {
        HEDGE | LEAVES | ROOF | STONE | BRICK => 1,
        WATER | 4 | 20 => 10,
        _ => 0,
    };
    AttributeSpec::single(32, 32, value)
}

fn picture() -> Canvas {
    let mut c = Canvas::new(WIDE, HIGH);
    // A lawn mown in slanting bands, with daisies.
    c.paint_all(|x, y| {
        let band = u32::from((x + y).rem_euclid(8) < 4);
        Some(match speckle(1, x, y, 40) {
            0 => tile(FOAM, 7),
            1..5 => tile(MEADOW, 5),
            _ => tile(LAWN, 4 + band),
        })
    });
    paths(&mut c);
    brook(&mut c);
    pond(&mut c, (24, 20));
    house(&mut c, 3, 2);
    maze(&mut c, 28, 2);
    beds(&mut c, 3, 26);
    orchard(&mut c);
    border(&mut c);
    c
}

fn gravel(x: i32, y: i32) -> u32 {
    tile(PATH, 7 - u32::from(speckle(2, x, y, 3) == 0) - u32::from(speckle(3, x, y, 9) == 0))
}

fn paths(c: &mut Canvas) {
    let mut path = |from: (i32, i32), to: (i32, i32)| c.paint(from, to, |x, y| Some(gravel(x, y)));
    path((8, 11), (9, 24));
    path((8, 19), (47, 20));
    path((39, 15), (40, 19));
    path((24, 20), (25, 39));
    path((2, 24), (16, 25));
    path((16, 24), (17, 37));
    // A gravel ring around the pond.
    c.ellipse((24, 20), (9, 7), |x, y, _| Some(gravel(x, y)));
    // Flowers along the paths.
    for (x, y) in [
        (7, 13),
        (10, 13),
        (7, 15),
        (10, 15),
        (7, 17),
        (10, 17),
        (23, 29),
        (26, 29),
        (23, 32),
        (26, 32),
        (23, 35),
        (26, 35),
    ] {
        let block = [PINK, YELLOW, VIOLET, 0][usize::try_from(speckle(4, x, y, 4)).unwrap_or(0)];
        c.set(x, y, tile(block, 6));
        c.set(x, y + 1, tile(block, 4));
    }
}

fn brook(c: &mut Canvas) {
    for y in 15..HIGH {
        let middle = 46 - (y - 15) / 3 + curve(5, y, 6, 20) / 90;
        for x in middle - 2..=middle + 2 {
            let bank = (x - middle).abs() == 2;
            let light = 24 + curve(6, y + 2 * x, 3, 30) / 5;
            c.set(x, y, if bank { tile(MEADOW, 3) } else { POND.at(light, x, y) });
        }
        if y % 5 == 1 {
            c.set(middle, y, tile(FOAM, 7));
        }
    }
    // The bridge carries the path across the brook.
    c.paint((41, 18), (47, 21), |x, y| {
        Some(match y {
            18 => tile(WOOD, 4),
            21 => tile(WOOD, 1),
            _ => tile(PLANK, if x % 2 == 0 { 5 } else { 4 }),
        })
    });
}

fn pond(c: &mut Canvas, middle: (i32, i32)) {
    c.ellipse(middle, (7, 5), |x, y, d| {
        let rim = d > 175;
        let lit = x + y < middle.0 + middle.1;
        let wave = 20 + curve(7, 3 * y + x, 4, 30) / 6 - d / 10;
        Some(if rim {
            tile(STONE, if lit { 6 } else { 4 } - u32::from(bayer(x, y) > 11))
        } else {
            POND.at(wave + 24, x, y)
        })
    });
    // A fountain in the middle, with lilies around it.
    let (x, y) = middle;
    c.sprite(x - 1, y - 1, &[" s ", "sfs", " s "], &[('s', tile(FOAM, 6)), ('f', tile(FOAM, 7))]);
    for (dx, dy) in [(-4, 1), (-3, 2), (3, -2), (4, -1), (4, 1)] {
        c.set(x + dx, y + dy, tile(HEDGE, 4));
    }
    c.set(x - 3, y + 1, tile(PINK, 7));
    c.set(x + 3, y - 1, tile(PINK, 7));
}

fn house(c: &mut Canvas, x: i32, y: i32) {
    // The shadow falls to the southeast.
    c.rect((x + 2, y + 2), (x + 13, y + 9), tile(LAWN, 1));
    c.paint((x, y), (x + 12, y + 8), |at, row| {
        let from_ridge = row - (y + 4);
        let hip = (at - x).min(x + 12 - at);
        // A hipped roof: four slopes, with the ridge along the middle.
        let shade = if hip < 4 - from_ridge.abs() {
            if at < x + 6 { 4 } else { 2 }
        } else {
            match from_ridge {
                0 => 7,
                ..0 => 5,
                _ => 3,
            }
        };
        let course = u32::from((at + row) % 2 == 0 && from_ridge != 0);
        Some(tile(ROOF, shade - course))
    });
    c.sprite(x + 9, y + 2, &["bb", "ks"], &[('b', tile(BRICK, 6)), ('k', tile(BRICK, 1)), ('s', tile(BRICK, 3))]);
    // A terrace with two pots.
    c.paint((x, y + 9), (x + 12, y + 10), |at, row| Some(tile(STONE, 6 - u32::from((at + row) % 2 == 0))));
    for pot in [x + 2, x + 10] {
        c.set(pot, y + 9, tile(HEDGE, 5));
        c.set(pot, y + 10, tile(BRICK, 5));
    }
}

fn maze(c: &mut Canvas, left: i32, top: i32) {
    let is_hedge = |x: i32, y: i32| {
        let row = usize::try_from(y - top).ok().and_then(|row| MAZE.get(row));
        let letter = usize::try_from(x - left).ok().and_then(|at| row?.as_bytes().get(at));
        letter == Some(&b'#')
    };
    c.paint((left, top), (left + 16, top + 12), |x, y| {
        Some(if is_hedge(x, y) {
            // The dark face of a hedge is visible where the hedge ends to the south.
            let shade = if is_hedge(x, y + 1) { 2 + speckle(8, x, y, 2) } else { 0 };
            tile(HEDGE, shade)
        } else {
            gravel(x, y)
        })
    });
    c.sprite(left + 10, top + 7, &["s"], &[('s', tile(YELLOW, 7))]);
}

fn beds(c: &mut Canvas, left: i32, top: i32) {
    let crops =
        [(LAWN, 6, HEDGE, 3), (0, 5, HEDGE, 4), (YELLOW, 6, MEADOW, 4), (VIOLET, 4, HEDGE, 4), (3, 6, MEADOW, 5)];
    for (row, (block, shade, leaf, leaf_shade)) in (0..).zip(crops) {
        let y = top + 2 * row + 1;
        c.paint((left, y), (left + 11, y), |x, y| {
            Some(match (x + row) % 3 {
                0 => tile(block, shade),
                1 => tile(leaf, leaf_shade),
                _ => tile(SOIL, 1 + speckle(9, x, y, 2)),
            })
        });
        c.paint((left, y + 1), (left + 11, y + 1), |x, y| Some(tile(SOIL, 1 + speckle(10, x, y, 3))));
    }
    c.paint((left, top), (left + 11, top), |x, y| Some(tile(SOIL, 2 + speckle(11, x, y, 2))));
    // A scarecrow.
    c.sprite(
        left + 5,
        top + 4,
        &[" y ", "ppp", " w "],
        &[('y', tile(YELLOW, 7)), ('p', tile(20, 3)), ('w', tile(WOOD, 3))],
    );
}

fn orchard(c: &mut Canvas) {
    for (x, y, block) in [
        (30, 26, PINK),
        (35, 25, LEAVES),
        (20, 29, LEAVES),
        (31, 32, LEAVES),
        (20, 35, PINK),
        (29, 37, HEDGE),
        (35, 31, HEDGE),
        (13, 14, LEAVES),
        (4, 15, PINK),
        (4, 20, HEDGE),
        (22, 5, LEAVES),
        (19, 10, HEDGE),
        (23, 11, PINK),
        (45, 33, LEAVES),
        (38, 25, PINK),
        (35, 37, LEAVES),
    ] {
        c.ellipse((x + 1, y + 1), (3, 3), |_, _, d| (d < 160).then(|| tile(LAWN, 1)));
        c.ellipse((x, y), (3, 3), |at, row, d| {
            // Lit from the northwest; blossoms are lighter than leaves.
            let toward = (x - at + y - row + 3).clamp(0, 6);
            let light = u32::try_from(toward).unwrap_or(0) * 2 / 3 + speckle(12, at, row, 2);
            (d < 160).then(|| tile(block, light + if block == PINK { 3 } else { 0 }))
        });
    }
}

/// Draws the hedge around the garden, with a gate to the south and one to the east.
fn border(c: &mut Canvas) {
    for x in 0..WIDE {
        for y in [0, HIGH - 1] {
            if !(y > 0 && (24..=25).contains(&x)) && c.get(x, y) / 8 != WATER {
                c.set(x, y, tile(HEDGE, 1 + speckle(13, x, y, 2)));
            }
        }
    }
    for y in 0..HIGH {
        for x in [0, WIDE - 1] {
            if !(x > 0 && (18..=21).contains(&y)) && c.get(x, y) / 8 != WATER {
                c.set(x, y, tile(HEDGE, 1 + speckle(13, x, y, 2)));
            }
        }
    }
}

fn objects() -> Vec<ObjectSpec> {
    let mut p = Placer::new(32);
    p.put(9, 12, "GruntStartingPoint", "GAME_WALKER", "GAME_WALKER_SOUTH").name = b"gardener".to_vec();
    for (x, y) in [(20, 28), (35, 25), (31, 32), (13, 14), (22, 5), (45, 33)] {
        p.put(x, y, "DoNothing", "LEVEL_TREE", "").hit_rect = [-40, -40, 40, 40];
    }
    for (x, y, toy) in [(38, 9, "BALL"), (13, 20, "KITE"), (29, 20, "BOAT"), (44, 5, "DRUM")] {
        let name = format!("GAME_TOYZ_{toy}");
        p.put(x, y, "InGameIcon", &name, &name).smarts = 3;
    }
    for (x, y) in [(6, 29), (12, 33)] {
        p.put(x, y, "InGameIcon", "GAME_TOOLZ_SPADE", "GAME_TOOLZ_SPADE").powerup = 7;
    }
    for (x, y) in [(21, 19), (27, 21), (44, 30)] {
        p.put(x, y, "AniCycle", "LEVEL_RIPPLE", "GAME_CYCLE100").draw_flags = 0;
    }
    let fountain = p.put(24, 20, "EyeCandyAni", "LEVEL_FOUNTAIN", "LEVEL_FOUNTAIN_SPRAY");
    (fountain.time_delay, fountain.user) = (120, [1, 0, 0, 0, 0, 0, 0, 9]);
    p.put(8, 31, "EyeCandy", "LEVEL_SCARECROW", "").i = 1;
    p.objects
}
