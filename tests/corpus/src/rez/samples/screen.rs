//! The title screen: the harbor at dusk.

use super::colors::{DEEP, GOLD, WOOD, sky};
use super::paint::{Picture, noise, zigzag};

pub(super) fn title() -> Picture {
    let (width, height, horizon) = (320, 200, 128);
    let mut out = Picture::new(width, height);
    for y in 0..height {
        let position = if y < horizon { y * 31 / horizon } else { 26 - (y - horizon) * 26 / (height - horizon) };
        out.rect((0, y), (width - 1, y), sky(position));
    }
    out.ellipse((160, 112), (34, 34), GOLD.at(8));
    out.ellipse((160, 112), (28, 28), GOLD.at(9));
    for y in horizon..height {
        let position = 24 - (y - horizon) * 24 / (height - horizon);
        out.rect((0, y), (width - 1, y), sky(position));
        if y % 3 == 0 {
            let half = 10 + (y - horizon) / 2 + noise(1, y, 0, 8);
            out.rect((160 - half, y), (160 + half, y), GOLD.at(7));
        }
    }
    // A ship, dark against the sun.
    let dark = WOOD.at(0);
    out.polygon(&[(112, 128), (208, 128), (222, 112), (104, 118)], dark);
    out.rect((104, 106), (122, 118), dark);
    out.line((206, 116), (236, 100), 2, dark);
    for (x, top, half) in [(130, 56, 14), (160, 40, 19), (190, 58, 14)] {
        out.rect((x - 1, top), (x + 1, 118), dark);
        for (y, tall) in [(top + 6, 20), (top + 30, 26)] {
            for row in 0..tall {
                let wide = half - zigzag(row, tall * 2, 3) + row / 5;
                out.rect((x - wide, y + row), (x + wide + 3, y + row), DEEP.at(0));
            }
        }
        out.polygon(&[(x + 2, top - 8), (x + 16, top - 5), (x + 2, top - 1)], dark);
    }
    for x in (0..width).step_by(2) {
        let shore = 196 - zigzag(x, 160, 14) * (x - 160).abs() / 160;
        out.rect((x, shore), (x + 1, height - 1), DEEP.at(0));
    }
    out
}
