//! The camera and its projection.

/// A vector with three components.
pub(super) type Vector = [f64; 3];

pub(super) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn minus(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(super) fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Returns the vector scaled to length 1, or unchanged if its length is 0.
pub(super) fn unit(a: Vector) -> Vector {
    let length = dot(a, a).sqrt();
    if length > 0.0 { a.map(|part| part / length) } else { a }
}

/// The bounding box of a set of points.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    least: Vector,
    most: Vector,
}

impl Extent {
    pub(super) const NONE: Self = Self { least: [f64::INFINITY; 3], most: [f64::NEG_INFINITY; 3] };

    pub(super) fn add(&mut self, point: Vector) {
        self.least = std::array::from_fn(|i| self.least[i].min(point[i]));
        self.most = std::array::from_fn(|i| self.most[i].max(point[i]));
    }

    pub(super) fn middle(&self) -> Vector {
        std::array::from_fn(|i| f64::midpoint(self.least[i], self.most[i]))
    }

    /// Returns the vector from the center to a corner.
    pub(super) fn corner(&self) -> Vector {
        std::array::from_fn(|i| (self.most[i] - self.least[i]) / 2.0)
    }

    /// Returns the distance from the center to a corner.
    pub(super) fn radius(&self) -> f64 {
        dot(self.corner(), self.corner()).sqrt()
    }
}

/// A camera that looks at a center from a fixed distance.
#[derive(Clone, Copy)]
pub(super) struct Camera {
    middle: Vector,
    /// The directions to the right, up, and toward the camera.
    right: Vector,
    up: Vector,
    back: Vector,
    distance: f64,
}

/// The projection of a point.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    /// The position relative to the center: to the right, and up.
    pub(super) x: f64,
    pub(super) y: f64,
    /// The reciprocal of the distance. Larger values are nearer, and it is linear over the picture.
    pub(super) near: f64,
}

impl Camera {
    /// The distance of the camera in radii: far enough that nothing is behind it and that there is little perspective
    /// distortion.
    const RADII: f64 = 3.6;

    /// Creates a camera at the given angles to the right of the front and above it, both in radians. It looks at
    /// everything within the radius around the center.
    pub(super) fn new(middle: Vector, radius: f64, (turn, tilt): (f64, f64)) -> Self {
        let back = [turn.sin() * tilt.cos(), tilt.sin(), turn.cos() * tilt.cos()];
        let right = [turn.cos(), 0.0, -turn.sin()];
        // A single point has radius 0, but is still visible.
        let distance = if radius > 0.0 { radius * Self::RADII } else { 1.0 };
        Self { middle, right, up: cross(back, right), back, distance }
    }

    pub(super) fn see(&self, point: Vector) -> Seen {
        let from = minus(point, self.middle);
        let away = 1.0 - dot(from, self.back) / self.distance;
        let side = |axis| dot(from, axis) / self.distance / away;
        Seen { x: side(self.right), y: side(self.up), near: 1.0 / away }
    }

    /// Converts a direction from the coordinates of the camera to those of the world.
    pub(super) fn direction(&self, [x, y, z]: Vector) -> Vector {
        std::array::from_fn(|i| x * self.right[i] + y * self.up[i] + z * self.back[i])
    }
}
