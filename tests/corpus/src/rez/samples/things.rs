//! Sprites of things: coins, a chest, flags, torches, spikes, gulls, a lamp and a bell.

use super::colors::{GOLD, PLANK, RED, STEEL, WHITE, WOOD};
use super::paint::{Picture, wave, zigzag};

/// Returns the folder of each image set, and its frames.
pub(super) fn sets() -> Vec<(&'static str, Vec<Picture>)> {
    vec![
        ("GAME/IMAGES/COINS", [13, 11, 7, 2, 7, 11].map(coin).to_vec()),
        ("GAME/IMAGES/CHEST", vec![chest(0), chest(6)]),
        ("GAME/IMAGES/FLAG", (0..4).map(flag).collect()),
        ("LEVEL1/IMAGES/TORCH", (0..4).map(torch).collect()),
        ("LEVEL1/IMAGES/SPIKES", vec![spikes(52), spikes(26), spikes(8)]),
        ("LEVEL1/IMAGES/GULL", [-16, -6, 8, -6].map(gull).to_vec()),
        ("LEVEL1/IMAGES/LAMP", [24, 28, 32, 28].map(lamp).to_vec()),
        ("LEVEL1/IMAGES/BELL", [-8, 0, 8].map(bell).to_vec()),
    ]
}

/// A coin that turns; `half` is half of its width.
fn coin(half: i32) -> Picture {
    let mut out = Picture::new(32, 32);
    out.ball((16, 16), (half, 13), GOLD, 5);
    if half > 3 {
        out.ellipse((16, 16), (half - 3, 10), GOLD.at(4));
        out.ball((16, 16), (half - 4, 9), GOLD, 6);
        // A skull.
        out.ellipse((16, 14), (half / 3, 4), GOLD.at(3));
        out.rect((16 - half / 5, 17), (16 + half / 5, 20), GOLD.at(3));
    }
    out.rect((16 + half / 3, 7), (16 + half / 3, 9), GOLD.at(9));
    out.outlined(GOLD.at(0)).offset(0, 8)
}

/// A chest; its lid is open by some pixels.
fn chest(open: i32) -> Picture {
    let mut out = Picture::new(76, 64);
    let lid = 22 - open;
    out.ellipse((38, lid), (34, 16), WOOD.at(4));
    out.rect((4, lid), (72, lid + 6), WOOD.at(4));
    for x in [4, 35, 66] {
        out.rect((x, lid - 12 + (x - 35).abs() / 4), (x + 6, lid + 6), GOLD.at(5));
    }
    if open > 0 {
        out.rect((6, lid + 7), (70, 30), WOOD.at(0));
        for x in (8..68).step_by(9) {
            out.ball((x + 3, 28 - zigzag(x, 18, 4)), (5, 4), GOLD, 7);
        }
    }
    out.rect((4, 30), (72, 60), WOOD.at(5));
    for y in [38, 48] {
        out.rect((4, y), (72, y), WOOD.at(2));
    }
    for x in [4, 35, 66] {
        out.rect((x, 30), (x + 6, 60), GOLD.at(6));
        out.rect((x + 5, 30), (x + 6, 60), GOLD.at(3));
    }
    out.rect((4, 30), (72, 32), GOLD.at(7));
    out.rect((31, 30), (45, 42), GOLD.at(8));
    out.rect((36, 34), (40, 39), WOOD.at(0));
    out.outlined(WOOD.at(0)).offset(0, 64)
}

/// A flag on a pole; `phase` moves its waves.
fn flag(phase: i32) -> Picture {
    let mut out = Picture::new(84, 136);
    out.rect((10, 8), (14, 133), WOOD.at(5));
    out.rect((13, 8), (14, 133), WOOD.at(3));
    out.ball((12, 6), (5, 5), GOLD, 6);
    for x in 15..78 {
        let bend = wave(x + phase * 11, 44, 12) * (x - 15) / 60;
        let light = zigzag(x + phase * 11 + 11, 44, 3);
        for y in 14..54 {
            let stripe = (y - 14) / 10 % 2;
            let index = if stripe == 0 { RED.at(4 + light) } else { WHITE.at(6 + light) };
            out.set(x, y + bend, index);
        }
    }
    out.outlined(WOOD.at(0)).offset(22, 29)
}

fn torch(phase: i32) -> Picture {
    let mut out = Picture::new(44, 84);
    out.polygon(&[(18, 40), (28, 40), (25, 82), (21, 82)], WOOD.at(4));
    out.rect((15, 38), (30, 44), STEEL.at(4));
    out.rect((15, 38), (30, 39), STEEL.at(7));
    let lean = [0, 4, 0, -4][usize::try_from(phase).unwrap_or(0)];
    for (ramp_shade, half, tall) in [(3, 14, 34), (5, 10, 27), (8, 6, 19)] {
        let index = if ramp_shade == 3 { RED.at(6) } else { GOLD.at(ramp_shade) };
        out.ellipse((22, 30), (half, half.min(10)), index);
        out.polygon(&[(22 - half, 30), (22 + lean, 38 - tall), (23 + half, 30)], index);
    }
    out.outlined(RED.at(2)).offset(0, -10)
}

/// Spikes that stand out by some pixels.
fn spikes(tall: i32) -> Picture {
    let mut out = Picture::new(64, 64);
    for x in [2, 17, 33, 48] {
        out.polygon(&[(x, 62), (x + 7, 62 - tall), (x + 7, 62)], STEEL.at(8));
        out.polygon(&[(x + 7, 62 - tall), (x + 14, 62), (x + 7, 62)], STEEL.at(4));
    }
    out.rect((0, 60), (63, 63), STEEL.at(2));
    out.outlined(STEEL.at(0)).offset(0, -62)
}

/// A gull; `tip` is how far the tips of its wings are below its body.
fn gull(tip: i32) -> Picture {
    let mut out = Picture::new(92, 52);
    for (side, shade) in [(-1, 6), (1, 8)] {
        let x = |from: i32| 46 + side * from;
        out.polygon(
            &[(x(4), 22), (x(22), 14 + tip / 3), (x(44), 24 + tip), (x(24), 22 + tip / 3), (x(6), 32)],
            WHITE.at(shade),
        );
        out.polygon(&[(x(34), 18 + tip * 2 / 3), (x(44), 24 + tip), (x(32), 23 + tip * 2 / 3)], STEEL.at(2));
    }
    out.ball((46, 28), (9, 7), WHITE, 7);
    out.ball((56, 24), (6, 5), WHITE, 8);
    out.polygon(&[(61, 23), (70, 26), (61, 28)], GOLD.at(5));
    out.polygon(&[(38, 27), (26, 34), (40, 33)], WHITE.at(5));
    out.rect((57, 22), (58, 23), STEEL.at(0));
    out.outlined(STEEL.at(1)).offset(0, -3)
}

/// The light of the lighthouse; `reach` is the length of its rays.
fn lamp(reach: i32) -> Picture {
    let mut out = Picture::new(72, 72);
    for (x, y) in [(0, -3), (2, -2), (3, 0), (2, 2), (0, 3), (-2, 2), (-3, 0), (-2, -2)] {
        out.line((36, 36), (36 + x * reach / 3, 36 + y * reach / 3), 3, GOLD.at(7));
    }
    for (radius, shade) in [(19, 6), (15, 7), (11, 8), (6, 9)] {
        out.ellipse((36, 36), (radius, radius), GOLD.at(shade));
    }
    out.offset(-32, 64)
}

fn bell(swing: i32) -> Picture {
    let mut out = Picture::new(64, 64);
    out.rect((8, 2), (55, 7), PLANK.at(4));
    out.rect((8, 2), (55, 3), PLANK.at(7));
    out.rect((30, 8), (33, 12), STEEL.at(3));
    let x = 32 + swing;
    out.ball((x, 54), (5, 5), STEEL, 4);
    for y in 12..50 {
        let half = 8 + (y - 12) / 5 + ((y - 38).max(0)) * 2 / 3;
        let middle = 32 + swing * (y - 12) / 38;
        for dx in -half..=half {
            let shade = 6 + dx * 3 / half - i32::from(y > 44) * 2;
            out.set(middle + dx, y, GOLD.at(shade));
        }
    }
    out.rect((32 + swing / 2 - 11, 34), (32 + swing / 2 + 11, 35), GOLD.at(2));
    out.outlined(GOLD.at(0)).offset(4, -12)
}
