//! A harbor at dusk, in the style of Claw: distant sky and sea; land, pier and ship; and waves in front.

use super::canvas::{Canvas, Ramp, SHADES, bayer, curve, speckle, tile};
use super::harbour_blocks::{CLAY, DECK, EARTH, GRASS, HIGH, LADDER, POOL, ROCK, SAND, STEEL, SURFACE, WIDE};
use super::{Placer, harbour_land, harbour_ship, table};
use crate::wwd::spec::{AttributeSpec, HeaderSpec, LevelSpec, ObjectSpec, Packing};

/// The row where sky and sea meet.
const HORIZON: i32 = 39;
/// The column of the sun.
const SUN: i32 = 64;
const SHALLOW: u32 = 4;
const WATER: u32 = 12;
const DEEP: u32 = 20;

pub(super) const SKY: Ramp = Ramp(&[
    (7, 0),
    (7, 1),
    (28, 1),
    (15, 1),
    (15, 2),
    (36, 2),
    (23, 2),
    (10, 2),
    (10, 3),
    (31, 3),
    (18, 3),
    (5, 3),
    (26, 4),
    (13, 4),
    (13, 5),
    (0, 5),
    (42, 5),
    (8, 6),
    (29, 6),
    (16, 6),
    (37, 7),
    (3, 7),
]);

const FAR_SEA: Ramp = Ramp(&[(0, 5), (13, 4), (5, 4), (18, 3), (10, 2), (36, 2), (15, 2), (28, 2), (7, 2), (7, 1)]);

const NEAR_SEA: Ramp = Ramp(&[(4, 5), (12, 5), (12, 4), (12, 3), (12, 2), (20, 2), (20, 1), (20, 0)]);

pub(super) fn level() -> LevelSpec {
    let mut back = background().plane("Background", 64, "BACK");
    back.flags = 0x0C;
    back.movement_x_percent = 50;
    back.movement_y_percent = 50;
    back.z_coord = 0;
    let mut action = action().plane("Action", 64, "ACTION");
    action.flags = 0x01;
    action.z_coord = 4000;
    action.objects = objects();
    let mut front = front().plane("Front", 64, "FRONT");
    front.movement_x_percent = 120;
    front.z_coord = 8000;
    LevelSpec {
        header: header(),
        planes: vec![back, action, front],
        attributes: Some(table(480, attribute)),
        packing: Packing::Zlib { level: 9 },
        ..LevelSpec::default()
    }
}

fn header() -> HeaderSpec {
    HeaderSpec {
        name: b"Harbour - Level 1".to_vec(),
        author: b"worldview".to_vec(),
        birth: b"October 28, 1997".to_vec(),
        image_dir: b"\\LEVEL1\\TILES".to_vec(),
        pal_rez: b"\\LEVEL1\\PALETTES\\MAIN.PAL".to_vec(),
        start_x: 12 * 64 + 32,
        start_y: 20 * 64,
        flags: 3,
        image_set_dirs: [b"LEVEL1\\IMAGES".to_vec(), b"GAME\\IMAGES".to_vec(), vec![], vec![]],
        image_set_prefixes: [b"LEVEL".to_vec(), b"GAME".to_vec(), vec![], vec![]],
        ..HeaderSpec::default()
    }
}

/// Returns how the game treats each block; decoration is clear.
fn attribute(block: u32) -> AttributeSpec {
    match block {
        EARTH | CLAY | ROCK | SAND => AttributeSpec::single(64, 64, 1),
        // Only the upper quarter is a platform; the player can jump through the rest.
        GRASS | DECK => AttributeSpec::double(64, 64, 0, 2, [0, 0, 63, 15]),
        LADDER => AttributeSpec::single(64, 64, 3),
        STEEL | POOL | SHALLOW | WATER | DEEP => AttributeSpec::single(64, 64, 4),
        _ => AttributeSpec::single(64, 64, 0),
    }
}

fn background() -> Canvas {
    let mut c = Canvas::new(WIDE, HIGH);
    c.paint_all(|x, y| {
        let sea = y - HORIZON;
        // A gentle wave bends the bands of the sky, which would otherwise be straight lines.
        let sway = (curve(11, x, 16, 10) - 128) / 10;
        Some(if sea < 0 { SKY.at(y * 340 / HORIZON + sway, x, y) } else { FAR_SEA.at(sea * 11, x, y) })
    });
    stars(&mut c);
    let sun = (SUN, HORIZON - 4);
    c.ellipse(sun, (11, 11), |x, y, d| (y < HORIZON && d > 120 && bayer(x, y) > 5).then(|| tile(3, 7)));
    c.ellipse(sun, (8, 8), |_, y, d| (y < HORIZON).then(|| tile(if d < 130 { 24 } else { 3 }, 7)));
    clouds(&mut c);
    ranges(&mut c);
    beam(&mut c);
    for (x, y) in [(48, 15), (54, 18), (59, 12), (126, 24), (131, 21)] {
        c.sprite(x, y, &["a   a", " a a ", "  a  "], &[('a', tile(7, 0))]);
    }
    // The sun is reflected on the water in broken strips that widen toward the viewer.
    c.paint((0, HORIZON), (WIDE - 1, HIGH - 1), |x, y| {
        let reach = 5 + (y - HORIZON) / 2;
        let near = reach - (x - sun.0).abs();
        let strip = speckle(5, x / 3, y, 16) < 12 && near > 0 && (y + x / 5) % 2 == 0;
        strip.then(|| tile(if near > 3 { 3 } else { 29 }, if near > 3 { 7 } else { 5 }))
    });
    c.paint((0, HORIZON + 2), (WIDE - 1, HIGH - 1), |x, y| {
        let crest = speckle(6, x / 4, y, 12) == 0 && (x - sun.0).abs() > 9;
        crest.then(|| tile(10, 4))
    });
    c
}

fn stars(c: &mut Canvas) {
    c.paint((0, 0), (WIDE - 1, 12), |x, y| {
        let star = speckle(3, x, y, 60) == 0 && speckle(4, x, y, 14) > u32::try_from(y).unwrap_or(0);
        star.then(|| tile(33, 7))
    });
}

fn clouds(c: &mut Canvas) {
    for (cx, cy, rx) in
        [(20, 22, 17), (34, 20, 11), (92, 26, 20), (104, 23, 12), (138, 18, 15), (64, 13, 14), (8, 29, 12)]
    {
        c.ellipse((cx, cy), (rx, 3), |x, y, d| {
            let ragged = curve(u64::from(cx.unsigned_abs()), x + 3 * y, 3, 50) / 3;
            // Lit from below by the sun.
            let shade = match y - cy {
                2.. => 7,
                1 => 6,
                0 => 5,
                _ => 4,
            };
            (d + ragged < 256).then(|| tile(if y > cy { 8 } else { 5 }, shade))
        });
    }
}

/// Draws the beam of the lighthouse, which lightens the sky a little.
fn beam(c: &mut Canvas) {
    let (lamp_x, lamp_y) = (144, 13);
    for x in 100..lamp_x {
        for y in 0..HORIZON {
            let (along, across) = (lamp_x - x, 6 * (y - lamp_y) - (lamp_x - x));
            let inside = across.abs() < 2 * along + 3;
            // The beam fades with distance.
            let tile = c.get(x, y);
            if inside && bayer(x, y) > along / 3 && tile % SHADES < 7 {
                c.set(x, y, tile + 1);
            }
        }
    }
}

/// Draws two ranges of hills on the horizon, which join where the plane wraps.
fn ranges(c: &mut Canvas) {
    for (seed, block, base, tall, shade) in [(21, 31, 1, 34, 3), (22, 36, 0, 60, 2)] {
        c.paint((0, HORIZON - 9), (WIDE - 1, HORIZON - 1), |x, y| {
            let height = base + curve(seed, x, 10, 16) / tall + curve(seed + 9, x, 4, 40) / 120;
            // The bay is open at the sunset.
            let top = HORIZON - height.min(((x - SUN).abs() - 6) / 2);
            (y >= top).then(|| tile(block, if y == top { shade + 1 } else { shade }))
        });
    }
}

fn action() -> Canvas {
    let mut c = Canvas::new(WIDE, HIGH);
    c.paint((0, SURFACE), (WIDE - 1, HIGH - 1), |x, y| {
        let sway = curve(31, x, 8, 20) / 16;
        Some(match y - SURFACE {
            0 if (x + 1) % 7 < 3 => tile(SHALLOW, 7),
            0 => tile(SHALLOW, 6),
            depth => NEAR_SEA.at(depth * 14 - 8 + sway, x, y),
        })
    });
    harbour_land::sea_floor(&mut c);
    harbour_land::headland(&mut c);
    harbour_land::island(&mut c);
    harbour_ship::pier(&mut c);
    harbour_ship::ship(&mut c);
    c
}

fn front() -> Canvas {
    let mut c = Canvas::new(WIDE, HIGH);
    // Wave crests in front of posts and hull.
    c.paint((49, SURFACE + 1), (124, SURFACE + 3), |x, y| {
        let crest = (x + 3 * y) % 13 < 5 && speckle(41, x / 2, y, 5) < 3;
        crest.then(|| tile(SHALLOW, 6))
    });
    // A branch that hangs into the picture from above.
    let canopy = |x: i32| 5 - x / 5 + curve(42, x, 3, 30) / 50;
    c.paint((0, 0), (34, 14), |x, y| {
        let depth = canopy(x) - y;
        let leaf = depth > 0 && (depth > 2 || speckle(43, x, y, 3) > 0);
        leaf.then(|| tile(35, if depth < 3 { 1 + speckle(44, x, y, 2) } else { 0 }))
    });
    for (x, length) in [(3, 6), (9, 4), (14, 5), (21, 3)] {
        let top = canopy(x);
        c.paint((x, top), (x, top + length), |_, y| Some(tile(35, u32::from(y % 2 == 0))));
    }
    // Ferns in both lower corners.
    for (root, lean) in [(0, 1), (9, 1), (159, -1), (152, -1)] {
        for i in 0_i32..5 {
            let tip = (root + lean * (i * 3 - 5), HIGH - 6 + (i - 2).abs() * 2 - root % 3);
            c.line((root, HIGH + 1), tip, tile(35, u32::from(i % 2 == 0)));
        }
    }
    c
}

fn objects() -> Vec<ObjectSpec> {
    let mut p = Placer::new(64);
    p.put(12, 20, "CaptainClaw", "CLAW", "").name = b"start".to_vec();
    for (x, y) in [(17, 21), (19, 21), (21, 21), (29, 26), (31, 26), (52, 41), (55, 41), (58, 41), (61, 41), (64, 41)] {
        p.put(x, y, "TreasurePowerup", "GAME_COINS", "GAME_CYCLE50").points = 100;
    }
    for (x, y) in [(95, 31), (101, 28), (107, 31), (90, 39), (97, 41), (104, 41), (145, 9), (129, 45), (131, 45)] {
        p.put(x, y, "TreasurePowerup", "GAME_COINS", "GAME_CYCLE50").points = 100;
    }
    for (x, y, from, to) in [(25, 23, 18, 28), (57, 43, 50, 66), (72, 43, 68, 77), (100, 41, 93, 110)] {
        let guard = p.put(x, y, "Officer", "LEVEL_LOOKOUT", "LEVEL_LOOKOUT_WALK");
        (guard.min_x, guard.max_x, guard.speed_x, guard.health) = (from * 64, to * 64, 60, 10);
        guard.hit_rect = [-16, -40, 16, 40];
        guard.object_type = 4;
    }
    for (x, y) in [(11, 41), (28, 41), (142, 42), (149, 42)] {
        p.put(x, y, "AniCycle", "LEVEL_TORCH", "GAME_CYCLE100").draw_flags = 0;
    }
    for (x, y) in [(18, 46), (19, 46), (20, 46), (21, 46)] {
        p.put(x, y, "FloorSpike", "LEVEL_SPIKES", "").damage = 50;
    }
    for (x, y) in [(50, 43), (76, 43)] {
        p.put(x, y, "Checkpoint", "GAME_FLAG", "GAME_FLAG_WAVE").smarts = 1;
    }
    for (x, y) in [(35, 10), (42, 12), (74, 8), (124, 14)] {
        p.put(x, y, "Seagull", "LEVEL_GULL", "LEVEL_GULL_GLIDE").add_flags = 2;
    }
    p.put(145, 11, "BehindAniCandy", "LEVEL_LAMP", "GAME_CYCLE100").dynamic_flags = 2;
    p.put(146, 45, "TreasurePowerup", "GAME_CHEST", "").powerup = 1;
    p.put(87, 37, "FrontCandy", "LEVEL_BELL", "LEVEL_BELL_RING").name = b"ship's bell".to_vec();
    for object in &mut p.objects {
        // As high as the main plane, and so in front of it.
        object.z = 4000;
    }
    p.objects
}
