//! Matrices, compared with values calculated by hand.

use crate::support::{AXES, near, there};
use worldview_island::Matrix;

#[test]
fn a_quaternion_is_its_rotation() {
    // The squared length is 30, so s = 1/15: 1 - (9 + 16)/15, (6 - 4)/15, (8 + 3)/15, and so on.
    let rows = [[-10.0, 2.0, 11.0], [10.0, -5.0, 10.0], [5.0, 14.0, 2.0]].map(|row| row.map(|part| part / 15.0));
    near(Matrix::from_quaternion([1.0, 2.0, 3.0, 4.0]).unwrap(), [rows[0], rows[1], rows[2], [0.0; 3]]);
    near(Matrix::from_quaternion([-3.0, -6.0, -9.0, -12.0]).unwrap(), [rows[0], rows[1], rows[2], [0.0; 3]]);
    // Around the x axis, with the scalar 4/5: 1 - 2 * 0.36 and 2 * 0.8 * 0.6.
    let turned = [AXES[0], [0.0, 0.28, -0.96], [0.0, 0.96, 0.28], [0.0; 3]];
    near(Matrix::from_quaternion([4.0, 3.0, 0.0, 0.0]).unwrap(), turned);
    assert_eq!(Matrix::from_quaternion([7.0, 0.0, 0.0, 0.0]), Some(Matrix::IDENTITY));
    assert_eq!(Matrix::from_quaternion([0.0; 4]), None);
    assert_eq!(Matrix::from_quaternion([f64::NAN, 1.0, 0.0, 0.0]), None);
}

#[test]
fn one_after_the_other_and_back() {
    let scale = Matrix::scale([2.0, 3.0, 4.0]);
    let turn = Matrix::from_quaternion([4.0, 3.0, 0.0, 0.0]).unwrap();
    let shift = Matrix::IDENTITY.with_origin([10.0, 20.0, 30.0]);
    let all = scale.then(&turn).then(&shift);
    near(all, [[2.0, 0.0, 0.0], [0.0, 0.84, -2.88], [0.0, 3.84, 1.12], [10.0, 20.0, 30.0]]);
    assert_eq!(all.rows()[3], [10.0, 20.0, 30.0, 1.0]);
    // In the opposite order, the translation is rotated and scaled: (10, 20 * 0.28 + 30 * 0.96, -20 * 0.96 + 30 *
    // 0.28).
    near(
        shift.then(&turn).then(&scale),
        [[2.0, 0.0, 0.0], [0.0, 0.84, -3.84], [0.0, 2.88, 1.12], [20.0, 103.2, -43.2]],
    );
    // The inverse: the translation, the transposed rotation, the factors dividing its columns; (10, 20, 30) becomes the
    // negative of (5, 20 * 0.28 / 3 - 30 * 0.32, 20 * 0.24 + 30 * 0.07).
    let back = all.inverse().unwrap();
    near(back, [[0.5, 0.0, 0.0], [0.0, 0.28 / 3.0, 0.24], [0.0, -0.32, 0.07], [-5.0, 9.6 - 5.6 / 3.0, -6.9]]);
    near(all.then(&back), there([0.0; 3]));
    let point = back.apply(all.apply([1.0, -2.0, 0.5]));
    assert!(point.iter().zip([1.0, -2.0, 0.5]).all(|(a, b)| (a - b).abs() < 1e-9), "{point:?}");
    assert_eq!(shift.apply([1.0, 2.0, 3.0]), [11.0, 22.0, 33.0]);
    assert_eq!(shift.apply_to_direction([1.0, 2.0, 3.0]), [1.0, 2.0, 3.0]);
    assert_eq!(Matrix::IDENTITY.inverse(), Some(Matrix::IDENTITY));
    for flat in [[0.0, 1.0, 1.0], [1.0, 1.0, f64::NAN], [1e200, 1e200, 1.0]] {
        assert_eq!(Matrix::scale(flat).inverse(), None, "{flat:?}");
    }
    // Mirroring is allowed.
    assert_eq!(Matrix::scale([-1.0, 2.0, 1.0]).inverse(), Some(Matrix::scale([-1.0, 0.5, 1.0])));
}
