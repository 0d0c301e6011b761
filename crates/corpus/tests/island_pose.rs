//! Poses and placements against values that were worked out by hand.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

use worldview_corpus::island::build::{build, build_model};
use worldview_corpus::island::generate::edge_cases;
use worldview_corpus::island::naive::{
    IDENTITY, Kind, Matrix, NaiveModel, NaiveModelRef, Place, database, directory, inverse, local, model, place,
    placed, pose, product,
};
use worldview_corpus::island::spec::{
    BlobSpec, DatabaseSpec, KeySpec, ModelRefSpec, ModelSpec, NodeSpec, RoiSpec, WorldSpec,
};

const ROOT_HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;
/// About the upright axis, with the scalar 0.6.
const TURN: [f32; 4] = [0.6, 0.0, 0.8, 0.0];
const STILL: [f32; 4] = [1.0, 0.0, 0.0, 0.0];
const HALF_TURN: [f32; 4] = [0.0, 0.0, 1.0, 0.0];

#[track_caller]
fn near(found: Matrix, expected: [[f64; 3]; 4]) {
    for (row, (found, expected)) in found.iter().zip(expected).enumerate() {
        for axis in 0..3 {
            assert!((found[axis] - expected[axis]).abs() < 1e-6, "row {row}: {found:?} instead of {expected:?}");
        }
        assert_eq!(found[3], if row == 3 { 1.0 } else { 0.0 });
    }
}

fn read(spec: &ModelSpec) -> NaiveModel {
    let bytes = build_model(spec).bytes;
    model(&bytes, Place::whole(&bytes)).unwrap()
}

/// The local matrix of a root node at a time.
fn of(node: NodeSpec, time: f32) -> Matrix {
    local(&read(&ModelSpec::of(RoiSpec::new("a", Vec::new()), node)).nodes[0], time)
}

fn turned(keys: [(u32, u8, [f32; 4]); 2], time: f32) -> Matrix {
    let mut node = NodeSpec::new("a");
    node.rotations = keys.map(|(time, flags, value)| KeySpec { time, flags, value }).to_vec();
    of(node, time)
}

fn reference(direction: [f32; 3], up: [f32; 3], location: [f32; 3]) -> NaiveModelRef {
    let at = ModelRefSpec { direction, up, location, ..ModelRefSpec::new("m", 0) };
    let worlds = vec![WorldSpec::new("W").model(at)];
    let blobs = vec![BlobSpec::raw([])];
    let bytes = build(&DatabaseSpec { worlds, blobs, ..DatabaseSpec::default() }).bytes;
    directory(&bytes).unwrap().worlds[0].models[0].clone()
}

const UNITS: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

fn with_units(translation: [f64; 3]) -> [[f64; 3]; 4] {
    [UNITS[0], UNITS[1], UNITS[2], translation]
}

#[test]
fn a_quaternion_and_the_order_of_the_three() {
    let turn = [[-0.28, 0.0, 0.96], [0.0, 1.0, 0.0], [-0.96, 0.0, -0.28]];
    near(of(NodeSpec::new("a").rotation(0, TURN), 0.0), [turn[0], turn[1], turn[2], [0.0; 3]]);
    // Twice as long is the same, no length is none.
    near(of(NodeSpec::new("a").rotation(0, TURN.map(|v| v * 2.0)), 0.0), [turn[0], turn[1], turn[2], [0.0; 3]]);
    near(of(NodeSpec::new("a").rotation(0, [0.0; 4]), 0.0), with_units([0.0; 3]));
    let all = NodeSpec::new("a").translation(0, [10.0, 20.0, 30.0]).rotation(0, TURN).scale(0, [2.0, 1.0, 3.0]);
    let expected = [[-0.56, 0.0, 1.92], [0.0, 1.0, 0.0], [-2.88, 0.0, -0.84], [10.0, 20.0, 30.0]];
    near(of(all, 0.0), expected);
}

#[test]
fn interpolation() {
    let node = || NodeSpec::new("a").translation(100, [0.0; 3]).translation(1100, [4.0, -8.0, 0.0]);
    near(of(node(), 99.0), with_units([0.0; 3]));
    near(of(node(), 100.0), with_units([0.0; 3]));
    near(of(node(), 350.0), with_units([1.0, -2.0, 0.0]));
    near(of(node(), 1100.0), with_units([4.0, -8.0, 0.0]));
    near(of(node(), 5000.0), with_units([4.0, -8.0, 0.0]));
    let grows = NodeSpec::new("a").scale(0, [1.0; 3]).scale(1000, [3.0, 1.0, 2.0]);
    near(of(grows, 500.0), [[2.0, 0.0, 0.0], UNITS[1], [0.0, 0.0, 1.5], [0.0; 3]]);

    let quarter = [[0.0, 0.0, 1.0], UNITS[1], [-1.0, 0.0, 0.0], [0.0; 3]];
    near(turned([(0, 0, STILL), (1000, 0, HALF_TURN)], 500.0), quarter);
    near(turned([(0, 0, STILL), (1000, 1, HALF_TURN)], 500.0), quarter);
    let back = [[0.0, 0.0, -1.0], UNITS[1], [1.0, 0.0, 0.0], [0.0; 3]];
    near(turned([(0, 0, STILL), (1000, 2, HALF_TURN)], 500.0), back);
    near(turned([(0, 0, STILL), (1000, 4, HALF_TURN)], 500.0), with_units([0.0; 3]));
    let half = [[-1.0, 0.0, 0.0], UNITS[1], [0.0, 0.0, -1.0], [0.0; 3]];
    near(turned([(0, 0, STILL), (1000, 4, HALF_TURN)], 1000.0), half);
    // The flags of the first of two keys mean nothing.
    near(turned([(0, 6, STILL), (1000, 0, HALF_TURN)], 500.0), quarter);
    // Equal ones stay, whatever the weights.
    let turn = [[-0.28, 0.0, 0.96], [0.0, 1.0, 0.0], [-0.96, 0.0, -0.28], [0.0; 3]];
    near(turned([(0, 0, TURN), (1000, 0, TURN)], 300.0), turn);
    // Scalars of 1 turn nothing, even with an axis, unless a flag says so.
    let odd = [1.0, 0.0, 1.0, 0.0];
    near(turned([(0, 0, odd), (1000, 0, odd)], 500.0), with_units([0.0; 3]));
    near(turned([(0, 1, odd), (1000, 0, odd)], 500.0), quarter);
}

#[test]
fn opposite_quaternions() {
    // Scalar a.z = 0; the rest (-0.8, 0.8, -0.6) times the root of a half: squared length 0.32 + 0.32 + 0.18.
    let [x, y, z] = [-0.8, 0.8, -0.6].map(|v| v * ROOT_HALF);
    let s = 2.0 / 0.82;
    let expected = [
        [1.0 - s * (y * y + z * z), s * x * y, s * x * z],
        [s * x * y, 1.0 - s * (x * x + z * z), s * y * z],
        [s * x * z, s * y * z, 1.0 - s * (x * x + y * y)],
        [0.0; 3],
    ];
    near(turned([(0, 0, TURN), (1000, 0, TURN.map(|v| -v))], 500.0), expected);
}

#[test]
fn the_search_for_keys() {
    let cases = edge_cases();
    let case = |name: &str| &cases.iter().find(|(case, _)| case == name).unwrap().1;
    let x = |name: &str, time: f32| {
        let found = database(case(name)).unwrap();
        let model = found.model_of(found.find(found.directory.worlds[0].models[0].place, Kind::Model).unwrap());
        local(&model.unwrap().nodes[1], time)[3][0]
    };
    for (name, values) in [
        ("a single key", &[(499.0, 0.0), (500.0, 1.0), (9000.0, 1.0)][..]),
        ("keys that begin late", &[(0.0, 0.0), (699.0, 0.0), (700.0, 1.0), (800.0, 1.5), (1000.0, 2.0)]),
        ("keys of one time", &[(250.0, 1.5), (500.0, 4.0), (750.0, 4.5), (1000.0, 5.0)]),
        // The first key is later than the last: before it nothing, from it on the last one.
        ("keys that fall", &[(0.0, 0.0), (500.0, 0.0), (899.0, 0.0), (900.0, 3.0), (2000.0, 3.0)]),
        ("keys out of order", &[(0.0, 1.0), (750.0, 1.5), (1000.0, 1.0 + 2.0 / 3.0), (1001.0, 4.0), (1500.0, 4.0)]),
        ("keys of the latest time", &[(16_777_214.0, 2.0), (16_777_215.0, 3.0)]),
        ("keys too small to be active", &[(0.0, 0.0)]),
        ("keys just large enough", &[(0.0, f64::from(1.1e-5_f32))]),
        ("keys with flags 0x0", &[(450.0, 1.5)]),
        ("keys with flags 0x4", &[(450.0, 1.5)]),
    ] {
        for &(time, expected) in values {
            assert!((x(name, time) - expected).abs() < 1e-6, "{name} at {time}: {}", x(name, time));
        }
    }
}

#[test]
fn nodes_find_objects() {
    let cases = edge_cases();
    // Objects a, b below it with c and d, then another c and e with f below a; `None` is one that nothing found.
    for (name, expected) in [
        ("nodes as deep as objects", [Some(1), Some(3), Some(7), None, None, None, None]),
        ("nodes deeper than objects", [Some(1), None, None, None, Some(3), None, Some(7)]),
        ("nodes flatter than objects", [Some(1), None, None, Some(3), None, None, Some(5)]),
        ("a child right below comes before one deeper", [Some(1), None, None, None, Some(3), None, None]),
        ("a name that is found from the root only", [Some(1), None, None, Some(7), None, Some(3), None]),
        ("a node that finds nothing", [Some(1), None, None, None, None, Some(9), None]),
        ("a root node that finds nothing", [None; 7]),
        ("a root node of another object", [Some(3), Some(1), None, None, None, Some(5), None]),
        ("a node of no name", [Some(1), None, None, None, None, None, None]),
        ("a node of the name above", [Some(3), Some(7), None, None, None, Some(9), None]),
        ("nodes of one name", [Some(1), Some(5), None, None, None, Some(9), None]),
        ("names of nodes with a NUL", [Some(1), None, None, None, None, Some(3), None]),
    ] {
        let bytes = &cases.iter().find(|(case, _)| case == name).unwrap().1;
        let found = database(bytes).unwrap();
        let blob = found.find(found.directory.worlds[0].models[0].place, Kind::Model).unwrap();
        let poses = pose(found.model_of(blob).unwrap(), 0.0).unwrap();
        let moved = poses.iter().map(|pose| pose.touched.then_some(pose.matrix[3][0]));
        assert_eq!(moved.collect::<Vec<_>>(), expected.map(|x| x.map(f64::from)), "{name}");
        assert!(poses.iter().all(|pose| pose.visible), "{name}");
    }
}

#[test]
fn visibility_follows_the_last_key() {
    let node = NodeSpec::new("a").morph(100, 0).morph(200, 7).morph(300, 0);
    let spec = ModelSpec::of(RoiSpec::new("a", Vec::new()), node);
    let model = read(&spec);
    let seen = |time| pose(&model, time).unwrap()[0].visible;
    let times = [0.0, 99.0, 100.0, 150.0, 200.0, 299.0, 300.0, 9000.0];
    assert_eq!(times.map(seen), [true, true, false, false, true, true, false, false]);
    // A reference has the last word about the root.
    let at = reference([0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [0.0; 3]);
    assert!(placed(&model, &at, 100.0).unwrap()[0].visible);
    assert!(!placed(&model, &NaiveModelRef { visible: 0, ..at }, 0.0).unwrap()[0].visible);
}

#[test]
fn where_a_reference_puts_a_model() {
    let up = [0.0, 1.0, 0.0];
    let at = [100.0, 0.0, 7.0];
    let right = [[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [100.0, 0.0, 7.0]];
    near(place(&reference([1.0, 0.0, 0.0], up, at)), right);
    near(place(&reference([0.001, 0.0, 0.0], [0.0, 300.0, 0.0], at)), right);
    near(place(&reference([1.0, 0.0, 0.0], [0.5, 1.0, 0.0], at)), right);
    // Front up by 45 degrees: the top leans back.
    let r = ROOT_HALF;
    near(place(&reference([0.0, 1.0, 1.0], up, [0.0; 3])), [[1.0, 0.0, 0.0], [0.0, r, -r], [0.0, r, r], [0.0; 3]]);
    for (direction, up) in
        [([0.0; 3], up), ([0.0, 0.0, 1.0], [0.0; 3]), ([1.0, 2.0, 3.0], [2.0, 4.0, 6.0]), ([f32::NAN, 0.0, 1.0], up)]
    {
        near(place(&reference(direction, up, at)), with_units([100.0, 0.0, 7.0]));
    }
}

#[test]
fn a_placed_model() {
    let node = NodeSpec::new("a").translation(0, [1.0, 2.0, 3.0]).rotation(0, TURN);
    let root = node.child(NodeSpec::new("b").translation(0, [5.0, 0.0, 0.0]));
    let objects =
        RoiSpec::new("a", Vec::new()).child(RoiSpec::new("b", Vec::new())).child(RoiSpec::new("c", Vec::new()));
    let model = read(&ModelSpec::of(objects, root));
    let at = reference([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [100.0, 0.0, 7.0]);
    let found = placed(&model, &at, 0.0).unwrap();
    // The root's own animation cancels: it is where the reference says, and the child is five to its right.
    near(found[0].matrix, [[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [100.0, 0.0, 7.0]]);
    near(found[1].matrix, [[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [100.0, 0.0, 2.0]]);
    // What no node moves stays behind when the root is moved: the inverse of the turn and the shift, then the place.
    let undone = inverse(&pose(&model, 0.0).unwrap()[0].matrix).unwrap();
    near(undone, [[-0.28, 0.0, -0.96], [0.0, 1.0, 0.0], [0.96, 0.0, -0.28], [-2.6, -2.0, 1.8]]);
    near(found[2].matrix, [[-0.96, 0.0, 0.28], [0.0, 1.0, 0.0], [-0.28, 0.0, -0.96], [101.8, -2.0, 9.6]]);
    assert_eq!(found[2].matrix, product(&product(&IDENTITY, &undone), &place(&at)));

    // A root of no size cannot be undone, so it counts as one that is where it began.
    let flat = NodeSpec::new("a").scale(0, [0.0; 3]).child(NodeSpec::new("b").translation(0, [5.0, 0.0, 0.0]));
    let objects = RoiSpec::new("a", Vec::new()).child(RoiSpec::new("b", Vec::new()));
    let found = placed(&read(&ModelSpec::of(objects, flat)), &at, 0.0).unwrap();
    near(found[0].matrix, [[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [100.0, 0.0, 7.0]]);
    near(found[1].matrix, [[0.0; 3], [0.0; 3], [0.0; 3], [100.0, 0.0, 7.0]]);
}
