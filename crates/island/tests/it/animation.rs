//! Evaluation of a node's keys, compared with values calculated by hand.

use crate::support::{self, with_model};
use worldview_corpus::island::spec::{KeySpec, ModelRefSpec, ModelSpec, NodeSpec, RoiSpec};
use worldview_island::{Matrix, Node};

/// Calls `look` with a node parsed from a generated file.
fn look<R>(node: &NodeSpec, look: impl FnOnce(Node<'_>) -> R) -> R {
    let model = ModelSpec::of(RoiSpec::new("a", Vec::new()), node.clone());
    with_model(model, ModelRefSpec::new("m", 0), |model, _| look(model.animation.nodes.get(0).unwrap()))
}

fn key<T>(time: u32, flags: u8, value: T) -> KeySpec<T> {
    KeySpec { time, flags, value }
}

fn translation(keys: &[KeySpec<[f32; 3]>], t: f32) -> Option<[f64; 3]> {
    let node = NodeSpec { translations: keys.to_vec(), ..NodeSpec::new("a") };
    look(&node, |node| node.translation(t))
}

fn scale(keys: &[KeySpec<[f32; 3]>], t: f32) -> Option<[f64; 3]> {
    look(&NodeSpec { scales: keys.to_vec(), ..NodeSpec::new("a") }, |node| node.scale(t))
}

fn rotation(keys: &[KeySpec<[f32; 4]>], t: f32) -> Option<[f64; 4]> {
    look(&NodeSpec { rotations: keys.to_vec(), ..NodeSpec::new("a") }, |node| node.rotation(t))
}

#[track_caller]
fn near<const N: usize>(found: Option<[f64; N]>, expected: [f64; N]) {
    let found = found.expect("a value");
    assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?} instead of {expected:?}");
}

#[test]
fn hits_between_before_and_after() {
    let keys = [key(100, 0, [0.0; 3]), key(300, 0, [8.0, 0.0, -4.0]), key(700, 0, [8.0, 4.0, -4.0])];
    let at = |t: f32| translation(&keys, t);
    assert_eq!(at(0.0), None);
    assert_eq!(at(99.5), None);
    // The first key alone is at rest.
    assert_eq!(at(100.0), None);
    // A quarter of the way from the first key to the second, and halfway from the second to the third.
    near(at(150.0), [2.0, 0.0, -1.0]);
    near(at(300.0), [8.0, 0.0, -4.0]);
    near(at(500.0), [8.0, 2.0, -4.0]);
    near(at(700.0), [8.0, 4.0, -4.0]);
    near(at(700.5), [8.0, 4.0, -4.0]);
    near(at(f32::MAX), [8.0, 4.0, -4.0]);
    assert_eq!(translation(&[], 0.0), None);
    // The same keys as a scale, which is never at rest: (150 - 100) / (300 - 100) of the way from 0 to 8.
    assert_eq!(scale(&keys, 99.5), None);
    assert_eq!(scale(&keys, 100.0), Some([0.0; 3]));
    near(scale(&keys, 150.0), [2.0, 0.0, -1.0]);
    assert_eq!(scale(&[], 0.0), None);
}

#[test]
fn keys_out_of_order() {
    let of = |times: &[u32], t: f32| {
        let value = |i: usize| [f32::from(u8::try_from(i).unwrap()) + 1.0, 0.0, 0.0];
        let keys: Vec<_> = times.iter().enumerate().map(|(i, &time)| key(time, 0, value(i))).collect();
        translation(&keys, t).map(|[x, ..]| x)
    };
    let times = [400, 100, 900, 600];
    // Nothing applies before the first key of the list, even if a later key has an earlier time.
    assert_eq!(of(&times, 100.0), None);
    assert_eq!(of(&times, 399.0), None);
    // 400 >= 100, so the second key is next; 400 < 900, so the result is 2 + (400 - 100) / 800. The key at 400 itself
    // is not hit.
    assert_eq!(of(&times, 400.0), Some(2.375));
    assert_eq!(of(&times, 600.0), Some(2.625));
    // Later than the last key of the list.
    assert_eq!(of(&times, 601.0), Some(4.0));
    assert_eq!(of(&times, 900.0), Some(4.0));
    // Descending times: nothing before the first key; from there on, the time is past the last key.
    assert_eq!([0.0, 899.0, 900.0].map(|t| of(&[900, 500, 0], t)), [None, None, Some(3.0)]);
    // Among several keys with the same time, the last one is hit, and interpolation continues from it.
    assert_eq!([499.0, 500.0, 750.0].map(|t| of(&[0, 500, 500, 500, 1000], t)), [Some(1.998), Some(4.0), Some(4.5)]);
    assert_eq!([7.0, 8.0].map(|t| of(&[7, 7], t)), [Some(2.0), Some(2.0)]);
    // Times have 24 bits. The next smaller float below the largest time is 1 less.
    assert_eq!([16_777_214.0, 16_777_215.0].map(|t| of(&[0xFF_FFFE, 0xFF_FFFF], t)), [Some(1.0), Some(2.0)]);
}

#[test]
fn keys_that_do_something() {
    let one = |flags: u8, x: f32| translation(&[key(0, flags, [0.0, x, 0.0])], 0.0).is_some();
    let just_more = f32::from_bits(1e-5_f32.to_bits() + 1);
    assert_eq!(
        [0.0, 1e-5, -1e-5, just_more, -just_more, f32::NAN, f32::INFINITY].map(|x| one(0, x)),
        [false, false, false, true, true, false, true]
    );
    assert!(one(1, 0.0) && one(3, f32::NAN) && one(0x81, 0.0));
    assert!(!one(0xFE, 0.0));
    // It is enough if one of two keys is active; then both count. A quarter of the way from 4e-6 to 4 is slightly above
    // 1.
    let (still, moved) = (key(0, 0, [4e-6, 0.0, 0.0]), key(400, 0, [4.0, 0.0, 0.0]));
    near(translation(&[still, moved], 100.0), [1.000_003, 0.0, 0.0]);
    near(translation(&[key(0, 0, moved.value), key(400, 0, still.value)], 300.0), [1.000_003, 0.0, 0.0]);
    assert_eq!(translation(&[still, key(400, 0, still.value)], 100.0), None);
    near(translation(&[still, key(400, 1, [0.0; 3])], 100.0), [3e-6, 0.0, 0.0]);

    // Only the scalar of a quaternion counts.
    let one = |flags: u8, w: f32, x: f32| rotation(&[key(0, flags, [w, x, 0.0, 0.0])], 0.0);
    assert_eq!(one(0, 1.0, 5.0), None);
    assert_eq!(one(1, 1.0, 5.0), Some([1.0, 5.0, 0.0, 0.0]));
    assert_eq!(one(0, 0.5, 0.0), Some([0.5, 0.0, 0.0, 0.0]));
    assert!(one(0, f32::NAN, 0.0).is_some());
    // A scale is always active.
    assert_eq!(scale(&[key(0, 0, [1.0; 3])], 0.0), Some([1.0; 3]));
}

#[test]
fn flags_of_the_second_key() {
    const STILL: [f32; 4] = [1.0, 0.0, 0.0, 0.0];
    const HALF_TURN: [f32; 4] = [0.0, 1.0, 0.0, 0.0];
    let at = |first: u8, second: u8, t: f32| rotation(&[key(0, first, STILL), key(900, second, HALF_TURN)], t);
    // Perpendicular: at a third of the way, the weights are sin 60 and sin 30 degrees.
    let sixty = 3_f64.sqrt() / 2.0;
    near(at(0, 0, 300.0), [sixty, 0.5, 0.0, 0.0]);
    near(at(0, 1, 300.0), [sixty, 0.5, 0.0, 0.0]);
    near(at(0, 0xF8, 300.0), [sixty, 0.5, 0.0, 0.0]);
    near(at(0, 2, 300.0), [sixty, -0.5, 0.0, 0.0]);
    near(at(0, 4, 300.0), [1.0, 0.0, 0.0, 0.0]);
    near(at(0, 6, 899.0), [1.0, 0.0, 0.0, 0.0]);
    // The flags of the first key only affect the interpolation toward it. At the second key, there is nothing left to
    // interpolate.
    near(at(6, 0, 300.0), [sixty, 0.5, 0.0, 0.0]);
    near(at(0, 6, 900.0), [0.0, 1.0, 0.0, 0.0]);
    assert_eq!(at(0, 0, 0.0), None);
    // The flags have no effect on the other channels.
    let keys = [key(0, 6, [1.0; 3]), key(100, 6, [3.0; 3])];
    assert_eq!(translation(&keys, 50.0), Some([2.0; 3]));
    assert_eq!(scale(&keys, 50.0), Some([2.0; 3]));
}

#[test]
fn between_quaternions() {
    let third = |a: [f32; 4], b: [f32; 4]| rotation(&[key(0, 1, a), key(900, 0, b)], 300.0);
    let (p, q) = (3_f64.sqrt() / 2.0, 0.5);
    // Perpendicular, with length 2: the lengths are not normalized.
    near(third([2.0, 0.0, 0.0, 0.0], [0.0, 0.0, 2.0, 0.0]), [2.0 * p, 0.0, 2.0 * q, 0.0]);
    // A product of 4 has no angle, so the interpolation is linear: a third of the way along a straight line.
    near(third([2.0, 0.0, 0.0, 0.0], [2.0, 3.0, 0.0, 0.0]), [2.0, 1.0, 0.0, 0.0]);
    near(third([0.6, 0.0, 0.8, 0.0], [0.6, 0.0, 0.8, 0.0]), [0.6, 0.0, 0.8, 0.0]);
    // 120 degrees apart, along the longer arc that the game takes: sin 80 / sin 120 and sin 40 / sin 120.
    let far = [-0.5, 0.75_f32.sqrt(), 0.0, 0.0];
    let (of_a, of_b) = (80_f64.to_radians().sin() / p, 40_f64.to_radians().sin() / p);
    near(third([1.0, 0.0, 0.0, 0.0], far), [of_a - 0.5 * of_b, p * of_b, 0.0, 0.0]);
    // Opposite: the arc leads over (z, -y, x, -w), and the scalar is always z:
    //
    // x = 0.7 p - 0.5 q, y = 0.5 p + 0.7 q, z = 0.5 p - 0.1 q.
    let a = [0.1, 0.7, 0.5, 0.5];
    near(third(a, a.map(|part| -part)), [0.5, 0.356_217_8, 0.783_012_7, 0.383_012_7]);
    // After the negation, they are equal.
    near(rotation(&[key(0, 0, a), key(900, 2, a.map(|part| -part))], 300.0), a.map(f64::from));
    // Other lengths, with a product of -4: (0, 0, 0) p + (0, 0, -2) q.
    near(third([2.0, 0.0, 0.0, 0.0], [-2.0, 0.0, 0.0, 0.0]), [0.0, 0.0, 0.0, -2.0 * q]);
}

#[test]
fn seen_or_not() {
    let node = NodeSpec::new("a").morph(100, 0).morph(200, 7).morph(300, 0);
    let seen = |t| look(&node, |node| node.is_visible(t));
    assert_eq!(
        [0.0, 99.5, 100.0, 199.5, 200.0, 299.5, 300.0, 9e9].map(seen),
        [true, true, false, false, true, true, false, false]
    );
    assert!(look(&NodeSpec::new("a"), |node| node.is_visible(0.0)));
}

#[test]
fn stretched_then_turned_then_moved() {
    let node = NodeSpec::new("a").scale(0, [2.0, 3.0, 4.0]).rotation(0, [0.8, 0.6, 0.0, 0.0]);
    let node = node.translation(0, [10.0, 20.0, 30.0]);
    let found = look(&node, |node| node.local(0.0));
    // The rotation has the rows (1, 0, 0), (0, 0.28, -0.96), (0, 0.96, 0.28); the factors scale its rows.
    support::near(found, [[2.0, 0.0, 0.0], [0.0, 0.84, -2.88], [0.0, 3.84, 1.12], [10.0, 20.0, 30.0]]);
    near(Some(found.apply([1.0, 1.0, 1.0])), [12.0, 24.68, 28.24]);
    // A quaternion that has length 0 or contains NaN does not rotate.
    for nothing in [[0.0; 4], [f32::NAN, 0.0, 1.0, 0.0]] {
        let node = NodeSpec::new("a").scale(0, [2.0, 3.0, 4.0]).rotation(0, nothing);
        support::near(
            look(&node, |node| node.local(0.0)),
            [[2.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 4.0], [0.0; 3]],
        );
    }
    assert_eq!(look(&NodeSpec::new("a"), |node| node.local(5.0)), Matrix::IDENTITY);
    // A translation that is not finite does not affect the rest of the matrix.
    let lost = look(&node.clone().translation(9, [f32::NAN, 1.0, f32::INFINITY]), |node| node.local(9.0)).rows();
    assert!(lost[3][0].is_nan() && lost[3][2].is_infinite() && lost[0] == [2.0, 0.0, 0.0, 0.0]);
}
