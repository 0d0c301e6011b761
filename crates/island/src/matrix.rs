//! Matrices that move, turn and stretch. `docs/formats/island.md`, Placement.

/// A move, turn and stretch, for row vectors: a point `p` ends up at `p * M`. `docs/formats/island.md`, Placement.
///
/// Where the three axes of the one side lie on the other, and where its origin does; lengths are those of the file.
/// The file has floats of 32 bits, the arithmetic 64.
#[derive(Clone, Copy, Debug, PartialEq)]
// The last column of all these matrices is 0, 0, 0, 1, so it is not kept: nothing can make it anything else, and a
// location that is no number leaves the axes alone.
pub struct Matrix([[f64; 3]; 4]);

impl Matrix {
    /// The matrix that changes nothing.
    pub const IDENTITY: Self = Self::scale([1.0; 3]);

    /// The matrix that puts the axes x, y and z here, and the origin there.
    #[inline]
    pub const fn from_axes([x, y, z]: [[f64; 3]; 3], origin: [f64; 3]) -> Self {
        Self([x, y, z, origin])
    }

    /// Stretches by these factors along the axes.
    #[inline]
    pub const fn scale([x, y, z]: [f64; 3]) -> Self {
        Self::from_axes([[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]], [0.0; 3])
    }

    /// Turns by a quaternion of any length, its scalar first; `None` if it has none, or is no number.
    /// `docs/formats/island.md`, Placement.
    pub fn from_quaternion([w, x, y, z]: [f64; 4]) -> Option<Self> {
        let square = w * w + x * x + y * y + z * z;
        // False for no number, too.
        if square > 0.0 {
            let s = 2.0 / square;
            let (xx, yy, zz) = (s * (x * x), s * (y * y), s * (z * z));
            let (xy, xz, yz) = (s * (x * y), s * (x * z), s * (y * z));
            let (wx, wy, wz) = (s * (w * x), s * (w * y), s * (w * z));
            let right = [1.0 - (yy + zz), xy - wz, xz + wy];
            let up = [xy + wz, 1.0 - (xx + zz), yz - wx];
            let forward = [xz - wy, yz + wx, 1.0 - (xx + yy)];
            return Some(Self::from_axes([right, up, forward], [0.0; 3]));
        }
        None
    }

    /// The same axes, with the origin there.
    #[inline]
    #[must_use]
    pub const fn with_origin(self, origin: [f64; 3]) -> Self {
        let Self([x, y, z, _]) = self;
        Self([x, y, z, origin])
    }

    /// This one first, then the next: what is written `M * next` for row vectors.
    #[inline]
    #[must_use]
    pub const fn then(&self, next: &Self) -> Self {
        let [x, y, z, origin] = self.0;
        Self([next.apply_to_direction(x), next.apply_to_direction(y), next.apply_to_direction(z), next.apply(origin)])
    }

    /// The matrix that takes everything back; `None` where the determinant is 0 or no finite number.
    pub fn inverse(&self) -> Option<Self> {
        let [x, y, z, origin] = self.0;
        let (yz, zx, xy) = (cross(y, z), cross(z, x), cross(x, y));
        let determinant = dot(x, yz);
        if determinant == 0.0 || !determinant.is_finite() {
            return None;
        }
        // Each of the three products is at right angles to two of the rows: as columns they are the inverse.
        let [a, b, c] = [yz, zx, xy].map(|column| column.map(|part| part / determinant));
        let ([ax, ay, az], [bx, by, bz], [cx, cy, cz]) = (a, b, c);
        // A difference and not a negation, which would make a 0 negative.
        let origin = [a, b, c].map(|column| 0.0 - dot(origin, column));
        Some(Self::from_axes([[ax, bx, cx], [ay, by, cy], [az, bz, cz]], origin))
    }

    /// Where a point ends up.
    #[inline]
    pub const fn apply(&self, point: [f64; 3]) -> [f64; 3] {
        let [.., [origin_x, origin_y, origin_z]] = self.0;
        let [x, y, z] = self.apply_to_direction(point);
        [x + origin_x, y + origin_y, z + origin_z]
    }

    /// What becomes of a direction, for which it does not matter where the origin is.
    #[inline]
    pub const fn apply_to_direction(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let [[ax, ay, az], [bx, by, bz], [cx, cy, cz], _] = self.0;
        [x * ax + y * bx + z * cx, x * ay + y * by + z * cy, x * az + y * bz + z * cz]
    }

    /// All four rows: the axes x, y, z that end in 0, and the origin that ends in 1.
    pub const fn rows(&self) -> [[f64; 4]; 4] {
        let [[ax, ay, az], [bx, by, bz], [cx, cy, cz], [x, y, z]] = self.0;
        [[ax, ay, az, 0.0], [bx, by, bz, 0.0], [cx, cy, cz, 0.0], [x, y, z, 1.0]]
    }
}

pub(crate) const fn dot([ax, ay, az]: [f64; 3], [bx, by, bz]: [f64; 3]) -> f64 {
    ax * bx + ay * by + az * bz
}

pub(crate) const fn cross([ax, ay, az]: [f64; 3], [bx, by, bz]: [f64; 3]) -> [f64; 3] {
    [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
}

/// The same direction with length 1; `None` where it has no length above `least`, or none that is finite.
pub(crate) fn unit(direction: [f64; 3], least: f64) -> Option<[f64; 3]> {
    let length = dot(direction, direction).sqrt();
    (length > least && length.is_finite()).then(|| direction.map(|part| part / length))
}

worldview_core::assert_send_sync!(Matrix);
