//! Helpers shared by the tests of matrices.

use worldview_island::Matrix;

pub(crate) const AXES: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

#[track_caller]
pub(crate) fn near(found: Matrix, expected: [[f64; 3]; 4]) {
    for (row, (found, expected)) in found.rows().iter().zip(expected).enumerate() {
        for axis in 0..3 {
            assert!((found[axis] - expected[axis]).abs() < 1e-6, "row {row}: {found:?} instead of {expected:?}");
        }
        assert_eq!(found[3], if row == 3 { 1.0 } else { 0.0 });
    }
}

/// Returns the rows of a matrix with the axes unchanged and this origin.
pub(crate) fn there(origin: [f64; 3]) -> [[f64; 3]; 4] {
    let [x, y, z] = AXES;
    [x, y, z, origin]
}
