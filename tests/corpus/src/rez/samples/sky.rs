//! Tiles of the background: sky, sea and hills at dusk.

use super::colors::{GOLD, SMOKE, sky};
use super::paint::{Picture, noise};
use crate::wwd::samples::harbour_sky;

/// Draws a tile of the background.
pub(super) fn tile(number: u32) -> Picture {
    match number {
        199 => return Picture::filled(64, 64, GOLD.at(9)),
        271 => return star(),
        _ => {}
    }
    let position = position(number);
    let mut out = Picture::filled(64, 64, sky(position));
    let seed = i32::try_from(number).unwrap_or(0);
    // Haze in the sky, ripples on the water.
    for streak in 0..7 {
        let y = streak * 9 + noise(seed, streak, 1, 8);
        let (x, length) = (noise(seed, streak, 2, 64), 14 + noise(seed, streak, 3, 34));
        let shade = sky(position + if streak % 2 == 0 { 1 } else { -1 });
        for at in x..x + length {
            out.set(at % 64, y, shade);
            // Thicker in the middle.
            if at > x + 5 && at + 5 < x + length {
                out.set(at % 64, y + 1, shade);
            }
        }
    }
    out
}

/// Returns where in the colors of the sky a tile belongs.
fn position(number: u32) -> i32 {
    let sky = harbour_sky();
    let in_ramp = |number: u32| sky.iter().position(|&tile| tile == number);
    // Lighter variants of a tile of the sky follow it.
    let lighter = (0..8).find_map(|more| Some((in_ramp(number.checked_sub(more)?)?, more)));
    match (number, lighter) {
        // The reflection of the sun.
        (237..=239, _) => 27 + i32::try_from(number - 237).unwrap_or(0),
        (_, Some((at, more))) => {
            let (at, more) = (i32::try_from(at).unwrap_or(0), i32::try_from(more).unwrap_or(0));
            at * 31 / 21 + more * 2
        }
        (_, None) => 16,
    }
}

fn star() -> Picture {
    let mut out = Picture::filled(64, 64, sky(1));
    let middle = (32, 30);
    out.ellipse(middle, (7, 7), sky(4));
    for (reach, shade) in [(14, SMOKE.at(5)), (8, SMOKE.at(7)), (4, SMOKE.at(9))] {
        out.line((middle.0 - reach, middle.1), (middle.0 + reach, middle.1), 1, shade);
        out.line((middle.0, middle.1 - reach), (middle.0, middle.1 + reach), 1, shade);
    }
    out.ellipse(middle, (2, 2), GOLD.at(9));
    out
}
