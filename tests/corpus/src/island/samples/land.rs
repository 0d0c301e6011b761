//! Ground height of the worlds at a position.

use crate::island::shapes::{narrow, sin_cos};

/// Half the side length of the bay.
pub(super) const BAY_HALF: f64 = 32.0;
/// Half the side length of the meadow.
pub(super) const MEADOW_HALF: f64 = 18.0;

/// Long waves, so that no two spots look the same.
fn waves(x: f64, z: f64) -> f64 {
    let wave = |a: f64, b: f64, c: f64| sin_cos(a * x + b * z + c).0;
    wave(0.031, 0.017, 0.1) + 0.6 * wave(-0.023, 0.051, 0.4) + 0.35 * wave(0.071, -0.043, 0.7)
}

/// Ground height of an island with a bay to the south and a rock for the lighthouse to the east.
pub(super) fn bay_at(x: f64, z: f64) -> f64 {
    let hill = |at: (f64, f64), radius: f64, height: f64| {
        let square = ((x - at.0) * (x - at.0) + (z - at.1) * (z - at.1)) / (radius * radius);
        height / (1.0 + square * square)
    };
    let land = hill((-2.0, 4.0), 15.0, 4.2) + hill((13.0, -9.0), 4.5, 3.2) + hill((-14.0, -1.0), 7.0, 1.6);
    land - hill((-1.0, -17.0), 8.0, 1.6) + 0.25 * waves(x, z) - 1.35
}

/// Ground height of gentle slopes.
pub(super) fn meadow_at(x: f64, z: f64) -> f64 {
    0.55 * waves(1.4 * x, 1.4 * z + 20.0) + 0.03 * z
}

/// Returns the ground height of the bay as a coordinate.
pub(super) fn bay(x: f32, z: f32) -> f32 {
    narrow(bay_at(x.into(), z.into()), 64.0)
}

/// Returns the ground height of the meadow as a coordinate.
pub(super) fn meadow(x: f32, z: f32) -> f32 {
    narrow(meadow_at(x.into(), z.into()), 64.0)
}
