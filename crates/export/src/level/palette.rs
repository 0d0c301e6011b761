//! The fixed colors that stand for tiles, attributes and marks where no pictures of the game are at hand.

/// Red, green, blue.
pub type Rgb = [u8; 3];

/// The background, also shown in empty cells.
pub const EMPTY: Rgb = [24, 26, 32];

/// A cell painted with its plane's fill color. The level does not contain the palette of that color.
pub const FILLED: Rgb = [88, 92, 104];

/// Returns the color of a tile, which is the same in every level and in every version of this crate.
///
/// Frames with adjacent numbers usually show the same material, so each group of eight shares a hue, with increasing
/// lightness. The hues of adjacent groups are a golden angle apart.
pub fn tile(id: u32) -> Rgb {
    // Hue in millidegrees, saturation and lightness in thousandths: integers, so that the result is the same on every
    // machine.
    let hue = u64::from(id / 8) * 137_508 % 360_000;
    let lightness = 300 + 55 * u64::from(id % 8);
    hsl(hue, 550, lightness)
}

fn hsl(hue: u64, saturation: u64, lightness: u64) -> Rgb {
    let chroma = (1000 - (2 * lightness).abs_diff(1000)) * saturation / 1000;
    // The component that rises in one sixth of the color circle and falls in the next.
    let second = chroma * (60_000 - (hue % 120_000).abs_diff(60_000)) / 60_000;
    let base = lightness - chroma / 2;
    let [red, green, blue] = match hue / 60_000 {
        0 => [chroma, second, 0],
        1 => [second, chroma, 0],
        2 => [0, chroma, second],
        3 => [0, second, chroma],
        4 => [second, 0, chroma],
        _ => [chroma, 0, second],
    };
    [red, green, blue].map(|part| u8::try_from((base + part) * 255 / 1000).unwrap_or(u8::MAX))
}

/// The color of a tile attribute that all games have; the others share one.
pub const fn attribute(value: i32) -> Rgb {
    match value {
        0 => [60, 64, 72],
        1 => [150, 150, 158],
        2 => [98, 180, 84],
        3 => [232, 190, 70],
        4 => [214, 62, 58],
        _ => [150, 96, 214],
    }
}

/// The color of a tile attribute of Gruntz: attributes that do similar things share one.
pub const fn gruntz_attribute(value: i32) -> Rgb {
    match value {
        // Water.
        10 => [52, 110, 210],
        // Arrows.
        11..=19 => [245, 140, 40],
        // Rocks and bricks.
        30 | 31 | 33 | 151..=153 => [128, 92, 60],
        // Spikes.
        32 => [240, 240, 245],
        // Powerups, covered or hidden.
        34 | 35 | 150 => [180, 240, 110],
        // What rolling balls sink in.
        36 => [20, 60, 110],
        // Switches and checkpoints.
        51..=66 => [255, 245, 120],
        // Pyramids.
        93..=106 => [205, 150, 120],
        // Bridges.
        107..=116 => [170, 200, 255],
        // What paths lead around.
        154 => [110, 56, 100],
        other => attribute(other),
    }
}

/// The color of the marks for objects.
pub const MARK: Rgb = [255, 84, 200];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_are_those_computed_by_hand() {
        // Hue 0, lightness 0.30: chroma 0.33, base 0.135.
        assert_eq!(tile(0), [118, 34, 34]);
        // Group 4: hue 190.032 degrees, lightness 0.30; the second component is (60 - |70.032 - 60|) / 60 of 0.33 =
        // 0.274.
        assert_eq!(tile(32), [34, 104, 118]);
    }

    #[test]
    fn no_tile_looks_empty_or_filled() {
        for id in 0..=0xFFFF {
            assert_ne!(tile(id), EMPTY, "tile {id}");
            assert_ne!(tile(id), FILLED, "tile {id}");
        }
    }
}
