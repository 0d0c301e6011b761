//! Matrices for row vectors: the translation is the last row, and `a * b` applies `a` first.

/// A matrix as four rows.
pub type Matrix = [[f64; 4]; 4];

/// The identity matrix.
pub const IDENTITY: Matrix = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];

/// Returns the product that applies `a`, then `b`.
pub fn product(a: &Matrix, b: &Matrix) -> Matrix {
    a.map(|row| [0, 1, 2, 3].map(|column| (0..4).map(|k| row[k] * b[k][column]).sum()))
}

/// Returns the inverse of a matrix whose last column is that of the identity, or `None` if it is
/// singular.
pub fn inverse(m: &Matrix) -> Option<Matrix> {
    let minor = |r: usize, c: usize| {
        let (r0, r1) = ((r + 1) % 3, (r + 2) % 3);
        let (c0, c1) = ((c + 1) % 3, (c + 2) % 3);
        m[r0][c0] * m[r1][c1] - m[r0][c1] * m[r1][c0]
    };
    let determinant = m[0][0] * minor(0, 0) + m[0][1] * minor(0, 1) + m[0][2] * minor(0, 2);
    if determinant == 0.0 || !determinant.is_finite() {
        return None;
    }
    let [x, y, z] = [0, 1, 2].map(|row| [0, 1, 2].map(|column| minor(column, row) / determinant));
    let [tx, ty, tz] = [0, 1, 2].map(|column| -(m[3][0] * x[column] + m[3][1] * y[column] + m[3][2] * z[column]));
    let row = |[a, b, c]: [f64; 3]| [a, b, c, 0.0];
    Some([row(x), row(y), row(z), [tx, ty, tz, 1.0]])
}

/// Returns the matrix of a quaternion of any length (scalar first), or `None` if the length is 0.
pub(super) fn rotation([w, x, y, z]: [f64; 4]) -> Option<Matrix> {
    let square = x * x + y * y + z * z + w * w;
    // This comparison is also false for NaN.
    if square > 0.0 {
        let s = 2.0 / square;
        return Some([
            [1.0 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y), 0.0],
            [s * (x * y + w * z), 1.0 - s * (x * x + z * z), s * (y * z - w * x), 0.0],
            [s * (x * z - w * y), s * (y * z + w * x), 1.0 - s * (x * x + y * y), 0.0],
            [0.0, 0.0, 0.0, 1.0],
        ]);
    }
    None
}

/// Returns a vector of length 1, or `None` if the length is at most `least` or not finite.
pub(super) fn unit([x, y, z]: [f64; 3], least: f64) -> Option<[f64; 3]> {
    let length = (x * x + y * y + z * z).sqrt();
    if length > least && length.is_finite() { Some([x / length, y / length, z / length]) } else { None }
}

pub(super) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
