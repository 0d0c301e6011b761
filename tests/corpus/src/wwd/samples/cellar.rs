//! A wine cellar by torchlight: a back wall of small tiles; barrels, stairs and a pool of slime in front of it.

use super::canvas::{Canvas, SHADES, bayer, curve, speckle, tile};
use super::{Placer, table};
use crate::wwd::spec::{
    AttributeSpec, ChecksumRule, HeaderSpec, LevelSpec, ObjectSpec, Packing, TrailerBlockSpec, TrailerSpec,
};

const WIDE: i32 = 40;
const HIGH: i32 = 24;
/// The first row of the floor.
const FLOOR: i32 = 21;

const FLAGS: u32 = 15;
const STEP: u32 = 36;
const SLOPE: u32 = 46;
const BEAM: u32 = 29;
const PLANK: u32 = 50;
const STAVE: u32 = 16;
const IRON: u32 = 33;
const HATCH: u32 = 28;
const LADDER: u32 = 37;
const SLIME: u32 = 19;
const GLOW: u32 = 32;
const FLAME: u32 = 3;
const EMBER: u32 = 8;
const GLASS: u32 = 35;
const WINE: u32 = 13;
const BONE: u32 = 24;

/// Columns and row of the torches, in cells of the main plane.
const TORCHES: [(i32, i32); 3] = [(10, 8), (22, 8), (34, 8)];

pub(super) fn level() -> LevelSpec {
    let mut wall = wall().plane("Background", 32, "BACK");
    wall.flags = 0x0C;
    let mut action = action().plane("Action", 64, "ACTION");
    action.flags = 0x01;
    action.z_coord = 4000;
    action.objects = objects();
    LevelSpec {
        header: HeaderSpec {
            name: b"Cellar - Level 2".to_vec(),
            author: b"worldview".to_vec(),
            birth: b"20:15 14.03.2026".to_vec(),
            image_dir: b"LEVEL2\\TILES\\".to_vec(),
            pal_rez: b"\\LEVEL2\\PALETTES\\MAIN.PAL".to_vec(),
            start_x: 3 * 64,
            start_y: 7 * 64,
            flags: 3,
            image_set_dirs: [b"GAME_IMAGES".to_vec(), b"LEVEL2_IMAGES".to_vec(), vec![], vec![]],
            image_set_prefixes: [b"GAME".to_vec(), b"LEVEL".to_vec(), vec![], vec![]],
            ..HeaderSpec::default()
        },
        planes: vec![wall, action],
        attributes: Some(table(416, attribute)),
        packing: Packing::Zlib { level: 9 },
        checksum: ChecksumRule::WapMap,
        trailer: Some(trailer()),
        ..LevelSpec::default()
    }
}

fn trailer() -> TrailerSpec {
    let header = TrailerBlockSpec::Header {
        wapmap_build: 182,
        wapmap_version: b"MAINDEV".to_vec(),
        map_build: 3,
        map_version: b"1.0".to_vec(),
        description: b"A cellar for tests".to_vec(),
    };
    let places = vec![(b"stairs".to_vec(), 192, 448), (b"slime".to_vec(), 1376, 1376)];
    TrailerSpec { blocks: vec![header, TrailerBlockSpec::Favourites(places)] }
}

fn attribute(block: u32) -> AttributeSpec {
    match block {
        FLAGS | STEP | STAVE => AttributeSpec::single(64, 64, 1),
        BEAM | PLANK => AttributeSpec::double(64, 64, 0, 2, [0, 0, 63, 20]),
        LADDER => AttributeSpec::single(64, 64, 3),
        SLIME | GLOW => AttributeSpec::double(64, 64, 0, 4, [0, 12, 63, 63]),
        // Rubble at the foot of the stairs, solid below its diagonal.
        SLOPE => {
            let pixels = (0..64_u32 * 64).map(|i| u8::from(i / 64 >= i % 64));
            AttributeSpec::mask(64, 64, pixels.collect())
        }
        _ => AttributeSpec::single(64, 64, 0),
    }
}

/// Returns how much torchlight falls on a cell of the wall, in sixteenths of a shade.
fn torchlight(x: i32, y: i32) -> i32 {
    let lights = TORCHES.map(|(tx, ty)| {
        let (dx, dy) = (x - 2 * tx, y - 2 * ty);
        (84 - (dx * dx + dy * dy) * 84 / 230).max(0)
    });
    lights.into_iter().sum::<i32>().min(84)
}

fn wall() -> Canvas {
    let mut c = Canvas::new(2 * WIDE, 2 * HIGH);
    c.paint_all(|x, y| {
        // Courses of bricks, every second one shifted by half a brick.
        let (course, line) = (y / 3, y % 3);
        let along = x + 3 * (course % 2);
        let joint = line == 2 || along % 6 == 5;
        let tint = i32::try_from(speckle(1, along / 6, course, 24)).unwrap_or(0);
        let light = torchlight(x, y) + if joint { -14 } else { 4 + tint / 2 };
        let shade = u32::try_from((light.max(0) + bayer(x, y)) / 16).unwrap_or(0);
        let block = if shade > 3 {
            29
        } else if shade > 1 {
            8
        } else {
            42
        };
        Some(tile(block, shade))
    });
    for middle in [30, 60] {
        alcove(&mut c, middle);
    }
    c
}

/// Draws a vaulted recess with a rim of pale stone.
fn alcove(c: &mut Canvas, middle: i32) {
    let spring = 31;
    c.paint((middle - 8, 18), (middle + 8, 2 * HIGH - 1), |x, y| {
        let (dx, dy) = (x - middle, (y - spring).min(0));
        let reach = dx * dx + dy * dy;
        let light = torchlight(x, y) / 2;
        match reach {
            ..43 => Some(tile(28, u32::from(curve(2, 3 * x + y, 5, 30) > 170))),
            43..66 => {
                let joint = (x + 2 * y) % 5 == 0;
                Some(tile(16, u32::try_from((light + 34 + bayer(x, y)) / 16).unwrap_or(0) - u32::from(joint)))
            }
            _ => None,
        }
    });
}

fn action() -> Canvas {
    let mut c = Canvas::new(WIDE, HIGH);
    ceiling(&mut c);
    stairs(&mut c);
    floor(&mut c);
    barrels(&mut c);
    for (x, y) in TORCHES {
        let rows = [" e ", "efe", "efe", " b ", " b "];
        c.sprite(x - 1, y - 2, &rows, &[('e', tile(EMBER, 6)), ('f', tile(FLAME, 7)), ('b', tile(BEAM, 0))]);
    }
    rack(&mut c, 12, 14);
    // A ladder to the hatch.
    for y in 1..FLOOR {
        c.set(38, y, tile(LADDER, if y % 2 == 0 { 6 } else { 4 }));
    }
    // A board on two chains over the slime.
    for x in [20, 25] {
        c.paint((x, 2), (x, 15), |_, y| Some(tile(IRON, if y % 2 == 0 { 5 } else { 2 })));
    }
    c.paint((19, 16), (26, 16), |x, _| Some(tile(PLANK, 4 + u32::from(x % 2 == 0))));
    // An abandoned bottle and a skull.
    c.sprite(23, 14, &["g", "g"], &[('g', tile(GLASS, 4))]);
    c.sprite(10, FLOOR - 1, &["w"], &[('w', tile(BONE, 7))]);
    c
}

fn ceiling(c: &mut Canvas) {
    c.paint((0, 0), (WIDE - 1, 1), |x, y| {
        let end = x % 8 == 0;
        Some(tile(
            BEAM,
            if end { 0 } else { 2 - u32::try_from(y).unwrap_or(0) + u32::from(speckle(3, x / 3, y, 4) == 0) },
        ))
    });
    for x in [8, 16, 24, 32] {
        c.rect((x, 2), (x, 3), tile(BEAM, 1));
        c.set(x - 1, 2, tile(BEAM, 2));
        c.set(x + 1, 2, tile(BEAM, 2));
    }
    c.rect((37, 0), (39, 1), tile(HATCH, 0));
    // A cobweb in the corner.
    let web = ["wwww", "w w ", "ww  ", "w   "];
    c.sprite(0, 2, &web, &[('w', tile(IRON, 3))]);
}

fn stairs(c: &mut Canvas) {
    for x in 0..10 {
        let top = 9 + (x / 2) * 2 + (x % 2);
        c.paint((x, top), (x, FLOOR), |x, y| {
            // Stone blocks, two cells long, lighter at the top.
            let joint = (x + y % 2) % 3 == 0;
            let shade = if y == top { 6 } else { 4 - u32::from(joint) };
            Some(tile(STEP, shade.saturating_sub(u32::try_from((y - top) / 3).unwrap_or(0))))
        });
    }
    c.sprite(10, FLOOR - 2, &["s  ", "ts "], &[('s', tile(SLOPE, 5)), ('t', tile(STEP, 3))]);
}

fn floor(c: &mut Canvas) {
    c.paint((0, FLOOR), (WIDE - 1, HIGH - 1), |x, y| {
        let joint = (x + 2 * (y % 2)) % 4 == 0;
        Some(tile(FLAGS, if y == FLOOR { 5 } else { 2 + speckle(4, x, y, 2) } - u32::from(joint)))
    });
    c.paint((18, FLOOR), (27, HIGH - 1), |x, y| {
        let wall = x == 18 || x == 27 || y == HIGH - 1;
        Some(match y - FLOOR {
            _ if wall => tile(FLAGS, 1),
            0 => tile(GLOW, 7 - speckle(5, x, y, 2)),
            _ => tile(SLIME, 4 - u32::from(x % 3 == 0)),
        })
    });
    // Bubbles.
    c.set(21, FLOOR - 1, tile(GLOW, 6));
    c.set(24, FLOOR - 2, tile(GLOW, 7));
}

/// Draws the barrels' round ends: rim, staves and tap.
fn barrels(c: &mut Canvas) {
    let large = ["  rrr  ", " rssSr ", "rsssSSr", "RssOSSR", "RsssSSR", " RssSR ", "  RRR  "];
    let small = [" rrr ", "rssSr", "rsOSR", "RssSR", " RRR "];
    let key = [
        ('r', tile(BEAM, 3)),
        ('R', tile(BEAM, 1)),
        ('s', tile(STAVE, 5)),
        ('S', tile(STAVE, 4)),
        ('O', tile(WINE, 2)),
    ];
    c.sprite(28, FLOOR - 7, &large, &key);
    c.sprite(29, FLOOR - 12, &small, &key);
    c.sprite(33, FLOOR - 5, &small, &key);
    // Wine that dripped from the tap.
    c.sprite(31, FLOOR - 3, &["w", "w"], &[('w', tile(WINE, 4))]);
}

fn rack(c: &mut Canvas, x: i32, y: i32) {
    c.paint((x, y), (x + 5, FLOOR - 1), |at, row| {
        let post = at == x || at == x + 5;
        let shelf = (row - y) % 2 == 0;
        if post || shelf {
            return Some(tile(BEAM, if shelf { 3 } else { 2 }));
        }
        let bottle = [tile(GLASS, 3), tile(WINE, 4), tile(GLASS, 1), tile(WINE, 2)];
        Some(bottle[usize::try_from(speckle(6, at, row, 4)).unwrap_or(0)])
    });
}

fn objects() -> Vec<ObjectSpec> {
    let mut p = Placer::new(64);
    p.put(3, 7, "CaptainClaw", "CLAW", "").append_metadata(0);
    for (x, y) in TORCHES {
        p.put(x, y, "AniCycle", "LEVEL_TORCH", "GAME_CYCLE100").add_flags = 2;
    }
    for (x, y) in [(19, 15), (21, 15), (26, 15), (31, 12), (34, 10)] {
        p.put(x, y, "TreasurePowerup", "GAME_COINS", "GAME_CYCLE50").points = 100;
    }
    let rat = p.put(14, 20, "Rat", "LEVEL_RAT", "LEVEL_RAT_RUN");
    (rat.min_x, rat.max_x, rat.speed_x, rat.damage) = (12 * 64, 17 * 64, 150, 5);
    let lift = p.put(22, 16, "Elevator", "LEVEL_BOARD", "");
    (lift.min_y, lift.max_y, lift.speed_y) = (10 * 64, 18 * 64, -40);
    let exit = p.put(38, 2, "EndOfLevelPowerup", "GAME_HATCH", "");
    exit.name = "out".into();
    exit.append_metadata(1);
    p.objects
}

/// The attribute table must cover every tile of the main plane.
const _: () = assert!(52 * SHADES == 416 && PLANK < 52 && SLOPE < 52);
