//! Where a reference puts its model. `docs/formats/island.md`, Placement.

use crate::matrix::{Matrix, cross, dot, unit};
use crate::raw::Placement;

/// The axes of the world itself.
const WORLD: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// At most so long is the product of two directions of length 1 that the game's own floats may take for parallel.
const PARALLEL: f64 = 1e-6;
/// So far from 1 a length may be, and a cosine from 0, for directions that somebody wrote with a few digits.
const ROUGHLY: f64 = 1e-3;

impl Placement {
    /// Where the axes x, y and z of the model point to in the world, each of length 1 and at right angles to the
    /// others; `None` if the two stored directions do not tell. `docs/formats/island.md`, Placement.
    ///
    /// They do not tell if one of them has no length or no finite one, or if they are parallel.
    pub fn axes(&self) -> Option<[[f64; 3]; 3]> {
        let z = unit(self.direction.get().map(f64::from), 0.0)?;
        let up = unit(self.up.get().map(f64::from), 0.0)?;
        let x = unit(cross(up, z), PARALLEL)?;
        // What is up need not be at right angles to what is ahead, so it gives way.
        let y = unit(cross(z, x), 0.0)?;
        Some([x, y, z])
    }

    /// From the model's root to the world: [`axes`](Self::axes), those of the world itself where there are none, and
    /// the location. `docs/formats/island.md`, Placement.
    pub fn matrix(&self) -> Matrix {
        Matrix::from_axes(self.axes().unwrap_or(WORLD), self.location.get().map(f64::from))
    }

    /// Whether the stored directions need no mending: of length 1 and at right angles, to about three digits.
    /// `docs/formats/island.md`, Placement.
    pub fn is_orthonormal(&self) -> bool {
        let (direction, up) = (self.direction.get().map(f64::from), self.up.get().map(f64::from));
        let is_near = |value: f64, wanted: f64| (value - wanted).abs() <= ROUGHLY;
        let has_length_1 = |direction| is_near(dot(direction, direction).sqrt(), 1.0);
        has_length_1(direction) && has_length_1(up) && is_near(dot(direction, up), 0.0)
    }

    /// Whether the model is shown at first. `docs/formats/island.md`, Directory.
    pub const fn is_visible(&self) -> bool {
        self.visible != 0
    }
}
