//! The palette: the sky at dusk, and ten shades of each material.

use crate::rez::Palette;

/// Number of shades of a material.
pub(super) const SHADES: i32 = 10;
/// Number of colors of the sky.
pub(super) const SKY: i32 = 32;

/// A material: its place in the palette, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ramp(u8);

pub(super) const GRASS: Ramp = Ramp(0);
pub(super) const LEAVES: Ramp = Ramp(1);
pub(super) const EARTH: Ramp = Ramp(2);
pub(super) const ROCK: Ramp = Ramp(3);
pub(super) const SAND: Ramp = Ramp(4);
pub(super) const WOOD: Ramp = Ramp(5);
pub(super) const PLANK: Ramp = Ramp(6);
pub(super) const WATER: Ramp = Ramp(7);
pub(super) const DEEP: Ramp = Ramp(8);
pub(super) const CAVE: Ramp = Ramp(9);
pub(super) const STEEL: Ramp = Ramp(10);
pub(super) const RED: Ramp = Ramp(11);
pub(super) const SAIL: Ramp = Ramp(12);
pub(super) const WHITE: Ramp = Ramp(13);
pub(super) const GOLD: Ramp = Ramp(14);
pub(super) const ICE: Ramp = Ramp(15);
pub(super) const ROSE: Ramp = Ramp(16);
pub(super) const CLAY: Ramp = Ramp(17);
pub(super) const FUR: Ramp = Ramp(18);
pub(super) const BLUE: Ramp = Ramp(19);
pub(super) const SMOKE: Ramp = Ramp(20);

/// Dark, middle and light color of each material.
const MATERIALS: [[[i32; 3]; 3]; 21] = [
    [[14, 44, 22], [74, 152, 48], [206, 236, 120]],
    [[10, 34, 30], [34, 118, 58], [158, 220, 92]],
    [[46, 22, 22], [146, 70, 40], [228, 150, 92]],
    [[26, 26, 60], [78, 80, 150], [186, 192, 232]],
    [[88, 58, 28], [204, 156, 80], [252, 236, 176]],
    [[34, 16, 16], [126, 70, 38], [220, 154, 92]],
    [[80, 44, 26], [190, 128, 68], [250, 218, 152]],
    [[8, 34, 88], [40, 122, 184], [224, 250, 250]],
    [[6, 12, 50], [22, 58, 130], [74, 136, 200]],
    [[10, 6, 22], [42, 30, 70], [104, 86, 134]],
    [[24, 28, 38], [112, 124, 144], [240, 246, 252]],
    [[58, 8, 20], [190, 38, 42], [255, 154, 120]],
    [[124, 88, 60], [222, 198, 146], [255, 250, 228]],
    [[70, 84, 124], [176, 198, 222], [255, 255, 255]],
    [[98, 50, 8], [234, 172, 32], [255, 250, 196]],
    [[20, 30, 96], [56, 172, 220], [226, 255, 255]],
    [[70, 12, 84], [222, 84, 200], [255, 222, 250]],
    [[36, 14, 22], [116, 48, 40], [188, 108, 80]],
    [[74, 36, 20], [226, 144, 66], [255, 232, 190]],
    [[12, 16, 54], [46, 74, 174], [156, 196, 252]],
    [[72, 50, 96], [150, 118, 162], [236, 214, 224]],
];

/// Positions and colors between which the sky is interpolated.
const DUSK: [(i32, [i32; 3]); 10] = [
    (0, [26, 22, 66]),
    (3, [40, 36, 112]),
    (7, [84, 44, 150]),
    (11, [146, 46, 164]),
    (15, [192, 54, 142]),
    (18, [212, 64, 92]),
    (22, [224, 104, 74]),
    (26, [232, 158, 86]),
    (29, [242, 204, 112]),
    (31, [252, 238, 164]),
];

impl Ramp {
    /// Returns the index of a shade from 0, dark, to 9, light; other shades are the nearest of these.
    pub(super) fn at(self, shade: i32) -> u8 {
        let [shade, ..] = shade.clamp(0, SHADES - 1).to_le_bytes();
        1 + SKY.to_le_bytes()[0] + self.0 * SHADES.to_le_bytes()[0] + shade
    }
}

/// Returns the index of a color of the sky, from 0, night, to 31, the sun.
pub(super) fn sky(position: i32) -> u8 {
    1 + position.clamp(0, SKY - 1).to_le_bytes()[0]
}

/// Returns the palette. Index 0 is the transparent color, which is not meant to be seen.
pub(super) fn palette() -> Palette {
    let mut out = [[0; 3]; 256];
    out[0] = [255, 0, 132];
    let mix = |a: [i32; 3], b: [i32; 3], part: i32, of: i32| {
        let mut color = [0; 3];
        for ((to, a), b) in color.iter_mut().zip(a).zip(b) {
            *to = u8::try_from(a + (b - a) * part / of).unwrap_or(255);
        }
        color
    };
    for pair in DUSK.windows(2) {
        let ((from, a), (to, b)) = (pair[0], pair[1]);
        for position in from..=to {
            out[usize::from(sky(position))] = mix(a, b, position - from, to - from);
        }
    }
    for (ramp, [dark, middle, light]) in (0..).zip(MATERIALS) {
        for shade in 0..SHADES {
            let color = if shade < 5 { mix(dark, middle, shade, 5) } else { mix(middle, light, shade - 5, 4) };
            out[usize::from(Ramp(ramp).at(shade))] = color;
        }
    }
    out
}
