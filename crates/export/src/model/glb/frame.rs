//! Conversion from the game's coordinates to glTF's. Negating x turns the left-handed system into a right-handed
//! one.

use worldview_island::Matrix;

/// The scale, rotation and translation of a node, applied in this order. All values are finite, and the rotation is
/// a unit quaternion with its scalar last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Trs {
    pub(super) translation: [f32; 3],
    pub(super) rotation: [f32; 4],
    pub(super) scale: [f32; 3],
}

impl Trs {
    pub(super) const IDENTITY: Self = Self { translation: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0], scale: [1.0; 3] };

    /// Returns the chain of nodes, starting with the outermost, whose product is a matrix of the game: a single one if
    /// possible, otherwise two.
    ///
    /// A matrix with axes that are not perpendicular cannot be expressed as scale, rotation and translation, but every
    /// matrix is a rotation followed by a scale and another rotation.
    pub(super) fn chain(matrix: &Matrix) -> Vec<Self> {
        let rows = matrix.rows();
        let sign = |i: usize| if i == 0 { -1.0 } else { 1.0 };
        // The rows are the images of the axes, so they are the columns of the matrix for column vectors.
        let mut columns: Columns =
            std::array::from_fn(|row| std::array::from_fn(|i| sign(row) * sign(i) * rows[row][i]));
        let translation = std::array::from_fn(|i| finite(sign(i) * rows[3][i], 0.0));
        let first = straighten(&mut columns);
        let mut scale = columns.map(length);
        let mut axes: Columns =
            std::array::from_fn(|i| columns[i].map(|part| if scale[i] > 0.0 { part / scale[i] } else { 0.0 }));
        if dot(cross(axes[0], axes[1]), axes[2]) < 0.0 {
            scale[0] = -scale[0];
            axes[0] = axes[0].map(|part| -part);
        }
        let rotation = quaternion(&axes);
        let outer = Self { translation, rotation, scale: scale.map(|part| finite(part, 1.0)) };
        match first {
            None => vec![outer],
            Some(turned) => vec![outer, Self { rotation: quaternion(&transposed(&turned)), ..Self::IDENTITY }],
        }
    }
}

/// Converts a translation or position to glTF's coordinates.
pub(super) fn point([x, y, z]: [f64; 3]) -> [f32; 3] {
    [finite(-x, 0.0), finite(y, 0.0), finite(z, 0.0)]
}

/// Converts a scale, which is not affected by mirroring.
pub(super) fn scale(value: [f64; 3]) -> [f32; 3] {
    value.map(|part| finite(part, 1.0))
}

/// Converts a rotation of the game, with its scalar first and of any length, to glTF's coordinates. A quaternion
/// that is zero or not finite becomes the identity.
///
/// The game multiplies row vectors, so its rotation is the inverse of the quaternion's. Mirroring inverts it again
/// around all axes except the mirrored one.
pub(super) fn turn(value: [f64; 4]) -> [f32; 4] {
    let square: f64 = value.iter().map(|part| part * part).sum();
    if !(square > 0.0 && square.is_finite()) {
        return Trs::IDENTITY.rotation;
    }
    // Quaternions that have length 1 within the precision of floats are not changed.
    let length = if (square - 1.0).abs() < 1e-6 { 1.0 } else { square.sqrt() };
    let [w, x, y, z] = value.map(|part| part / length);
    [-x, y, z, w].map(|part| finite(part, 0.0))
}

/// Converts to a 32-bit float, or returns `other` if the result is not finite.
#[expect(clippy::cast_possible_truncation, reason = "glTF has floats of 32 bits; what does not fit is caught")]
pub(super) fn finite(value: f64, other: f32) -> f32 {
    let value = value as f32;
    // Adding 0 turns the -0 that mirroring can produce into 0.
    if value.is_finite() { value + 0.0 } else { other }
}

type Columns = [[f64; 3]; 3];

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn length(a: [f64; 3]) -> f64 {
    dot(a, a).sqrt()
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn transposed(m: &Columns) -> Columns {
    std::array::from_fn(|i| std::array::from_fn(|j| m[j][i]))
}

/// Rotates the columns until they are perpendicular (one-sided Jacobi), and returns the rotation, or `None` if they
/// already were.
fn straighten(columns: &mut Columns) -> Option<Columns> {
    /// The largest absolute cosine at which two columns count as perpendicular.
    const RIGHT: f64 = 1e-9;
    /// The method converges quadratically. If it takes more rounds than this, it does not converge.
    const ROUNDS: usize = 40;

    let mut turned: Columns = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mut is_turned = false;
    for _ in 0..ROUNDS {
        let mut is_done = true;
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let (a, b) = (columns[p], columns[q]);
            let between = dot(a, b);
            let is_right = between.abs() <= RIGHT * length(a) * length(b);
            if is_right || between.is_nan() {
                continue;
            }
            (is_done, is_turned) = (false, true);
            let ratio = (dot(b, b) - dot(a, a)) / (2.0 * between);
            let tangent = ratio.signum() / (ratio.abs() + ratio.hypot(1.0));
            let cosine = tangent.hypot(1.0).recip();
            let sine = cosine * tangent;
            for m in [&mut *columns, &mut turned] {
                let (a, b) = (m[p], m[q]);
                m[p] = std::array::from_fn(|i| cosine * a[i] - sine * b[i]);
                m[q] = std::array::from_fn(|i| sine * a[i] + cosine * b[i]);
            }
        }
        if is_done {
            break;
        }
    }
    is_turned.then_some(turned)
}

/// Converts a rotation matrix given by its columns to a quaternion with its scalar last.
fn quaternion([x, y, z]: &Columns) -> [f32; 4] {
    // Each is four times the square of a component. Dividing by the largest one is numerically stable.
    let squares =
        [1.0 + x[0] - y[1] - z[2], 1.0 - x[0] + y[1] - z[2], 1.0 - x[0] - y[1] + z[2], 1.0 + x[0] + y[1] + z[2]];
    let largest = (0..4).max_by(|&a, &b| squares[a].total_cmp(&squares[b])).unwrap_or(3);
    let (yz, zx, xy) = (y[2] - z[1], z[0] - x[2], x[1] - y[0]);
    let (sum_xy, sum_zx, sum_yz) = (x[1] + y[0], z[0] + x[2], y[2] + z[1]);
    let s = squares[largest];
    let q = match largest {
        0 => [s, sum_xy, sum_zx, yz],
        1 => [sum_xy, s, sum_yz, zx],
        2 => [sum_zx, sum_yz, s, xy],
        _ => [yz, zx, xy, s],
    };
    let length = q.iter().map(|part| part * part).sum::<f64>().sqrt();
    if length > 0.0 && length.is_finite() { q.map(|part| finite(part / length, 0.0)) } else { Trs::IDENTITY.rotation }
}
