//! The placement that a reference gives its model. See [Placement](crate::format#placement).

use crate::matrix::{Matrix, cross, dot, unit};
use crate::raw::Placement;

/// The axes of the world.
const WORLD: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// The largest length of the cross product of two unit vectors at which the game's own floats may treat them as
/// parallel.
const PARALLEL: f64 = 1e-6;
/// The tolerance for lengths of 1 and cosines of 0, for directions that were entered with a few digits.
const ROUGHLY: f64 = 1e-3;

impl Placement {
    /// Returns the directions of the model's x, y and z axes in the world, or `None` if the two stored directions do
    /// not define them. The axes have length 1 and are perpendicular. See [Placement](crate::format#placement).
    ///
    /// The stored directions do not define axes if one of them has length 0 or a length that is not finite, or if they
    /// are parallel.
    pub fn axes(&self) -> Option<[[f64; 3]; 3]> {
        let z = unit(self.direction.get().map(f64::from), 0.0)?;
        let up = unit(self.up.get().map(f64::from), 0.0)?;
        let x = unit(cross(up, z), PARALLEL)?;
        // The stored up vector need not be perpendicular to the direction, so it is adjusted.
        let y = unit(cross(z, x), 0.0)?;
        Some([x, y, z])
    }

    /// Returns the transformation from the model's root to the world: [`axes`](Self::axes), or the axes of the world if
    /// there are none, and the location. See [Placement](crate::format#placement).
    pub fn matrix(&self) -> Matrix {
        Matrix::from_axes(self.axes().unwrap_or(WORLD), self.location.get().map(f64::from))
    }

    /// Returns whether the stored directions can be used as they are: they have length 1 and are perpendicular, to
    /// about three digits. See [Placement](crate::format#placement).
    pub fn is_orthonormal(&self) -> bool {
        let (direction, up) = (self.direction.get().map(f64::from), self.up.get().map(f64::from));
        let is_near = |value: f64, wanted: f64| (value - wanted).abs() <= ROUGHLY;
        let has_length_1 = |direction| is_near(dot(direction, direction).sqrt(), 1.0);
        has_length_1(direction) && has_length_1(up) && is_near(dot(direction, up), 0.0)
    }

    /// Returns whether the model is initially visible. See [Directory](crate::format#directory).
    pub const fn is_visible(&self) -> bool {
        self.visible != 0
    }
}
