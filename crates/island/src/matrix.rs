//! Matrices that translate, rotate and scale. See [Placement](crate::format#placement).

/// A translation, rotation and scale for row vectors: a point `p` is mapped to `p * M`.
/// See [Placement](crate::format#placement).
///
/// The matrix holds the images of the three axes and of the origin. Lengths are in the units of the file. The file
/// stores 32-bit floats; the arithmetic uses 64 bits.
#[derive(Clone, Copy, Debug, PartialEq)]
// The last column of all these matrices is 0, 0, 0, 1, so it is not stored. It cannot become anything else, and a
// location that is NaN does not affect the axes.
pub struct Matrix([[f64; 3]; 4]);

impl Matrix {
    /// The identity matrix.
    pub const IDENTITY: Self = Self::scale([1.0; 3]);

    /// Creates a matrix from the images of the x, y and z axes and of the origin.
    #[inline]
    pub const fn from_axes([x, y, z]: [[f64; 3]; 3], origin: [f64; 3]) -> Self {
        Self([x, y, z, origin])
    }

    /// Creates a matrix that scales by these factors along the axes.
    #[inline]
    pub const fn scale([x, y, z]: [f64; 3]) -> Self {
        Self::from_axes([[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]], [0.0; 3])
    }

    /// Creates a rotation from a quaternion of any length, with its scalar first. Returns `None` if the length is 0 or
    /// NaN. See [Placement](crate::format#placement).
    pub fn from_quaternion([w, x, y, z]: [f64; 4]) -> Option<Self> {
        let square = w * w + x * x + y * y + z * z;
        // Also false for NaN.
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

    /// Returns the matrix with the same axes and this origin.
    #[inline]
    #[must_use]
    pub const fn with_origin(self, origin: [f64; 3]) -> Self {
        let Self([x, y, z, _]) = self;
        Self([x, y, z, origin])
    }

    /// Returns the matrix that applies this one first, then `next`: `self * next` for row vectors.
    #[inline]
    #[must_use]
    pub const fn then(&self, next: &Self) -> Self {
        let [x, y, z, origin] = self.0;
        Self([next.apply_to_direction(x), next.apply_to_direction(y), next.apply_to_direction(z), next.apply(origin)])
    }

    /// Returns the inverse matrix, or `None` if the determinant is 0 or not finite.
    pub fn inverse(&self) -> Option<Self> {
        let [x, y, z, origin] = self.0;
        let (yz, zx, xy) = (cross(y, z), cross(z, x), cross(x, y));
        let determinant = dot(x, yz);
        if determinant == 0.0 || !determinant.is_finite() {
            return None;
        }
        // Each of the three cross products is perpendicular to two of the rows; divided by the determinant, they are
        // the columns of the inverse.
        let [a, b, c] = [yz, zx, xy].map(|column| column.map(|part| part / determinant));
        let ([ax, ay, az], [bx, by, bz], [cx, cy, cz]) = (a, b, c);
        // A subtraction instead of a negation, which would turn 0 into -0.
        let origin = [a, b, c].map(|column| 0.0 - dot(origin, column));
        Some(Self::from_axes([[ax, bx, cx], [ay, by, cy], [az, bz, cz]], origin))
    }

    /// Transforms a point.
    #[inline]
    pub const fn apply(&self, point: [f64; 3]) -> [f64; 3] {
        let [.., [origin_x, origin_y, origin_z]] = self.0;
        let [x, y, z] = self.apply_to_direction(point);
        [x + origin_x, y + origin_y, z + origin_z]
    }

    /// Transforms a direction, ignoring the origin.
    #[inline]
    pub const fn apply_to_direction(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let [[ax, ay, az], [bx, by, bz], [cx, cy, cz], _] = self.0;
        [x * ax + y * bx + z * cx, x * ay + y * by + z * cy, x * az + y * bz + z * cz]
    }

    /// Returns all four rows: the x, y and z axes, which end in 0, and the origin, which ends in 1.
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

/// Returns the direction scaled to length 1, or `None` if its length is not above `least` or not finite.
pub(crate) fn unit(direction: [f64; 3], least: f64) -> Option<[f64; 3]> {
    let length = dot(direction, direction).sqrt();
    (length > least && length.is_finite()).then(|| direction.map(|part| part / length))
}

worldview_core::assert_send_sync!(Matrix);
