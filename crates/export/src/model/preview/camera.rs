//! From where things are seen, and where that puts them in the picture.

/// Something of three parts.
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

/// The same direction with length 1; one without a direction as it is.
pub(super) fn unit(a: Vector) -> Vector {
    let length = dot(a, a).sqrt();
    if length > 0.0 { a.map(|part| part / length) } else { a }
}

/// The box that holds some points.
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

    /// From the middle to a corner.
    pub(super) fn corner(&self) -> Vector {
        std::array::from_fn(|i| (self.most[i] - self.least[i]) / 2.0)
    }

    /// How far a corner is from the middle.
    pub(super) fn radius(&self) -> f64 {
        dot(self.corner(), self.corner()).sqrt()
    }
}

/// An eye that looks at a middle from a fixed distance.
#[derive(Clone, Copy)]
pub(super) struct Camera {
    middle: Vector,
    /// What is to the right, above and towards the eye.
    right: Vector,
    up: Vector,
    back: Vector,
    distance: f64,
}

/// Where a point is seen.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    /// To the right of the middle and above it.
    pub(super) x: f64,
    pub(super) y: f64,
    /// One by the distance; larger is nearer, and it changes evenly over the picture.
    pub(super) near: f64,
}

impl Camera {
    /// How many radii away the eye is: so far that nothing is behind it, and little is bent.
    const RADII: f64 = 3.6;

    /// An eye so far to the right of the front and so high above it, both in radians, that looks at what lies within
    /// the radius around the middle.
    pub(super) fn new(middle: Vector, radius: f64, (turn, tilt): (f64, f64)) -> Self {
        let back = [turn.sin() * tilt.cos(), tilt.sin(), turn.cos() * tilt.cos()];
        let right = [turn.cos(), 0.0, -turn.sin()];
        // A single point has no size, but is seen all the same.
        let distance = if radius > 0.0 { radius * Self::RADII } else { 1.0 };
        Self { middle, right, up: cross(back, right), back, distance }
    }

    pub(super) fn see(&self, point: Vector) -> Seen {
        let from = minus(point, self.middle);
        let away = 1.0 - dot(from, self.back) / self.distance;
        let side = |axis| dot(from, axis) / self.distance / away;
        Seen { x: side(self.right), y: side(self.up), near: 1.0 / away }
    }

    /// A direction as the eye has it, in that of the world.
    pub(super) fn direction(&self, [x, y, z]: Vector) -> Vector {
        std::array::from_fn(|i| x * self.right[i] + y * self.up[i] + z * self.back[i])
    }
}
