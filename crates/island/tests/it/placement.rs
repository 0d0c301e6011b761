//! Poses and placements, compared with values calculated by hand.

use crate::support::{near, there, with_model};
use worldview_corpus::island::spec::{ModelRefSpec, ModelSpec, NodeSpec, RoiSpec};
use worldview_island::raw::Placement;
use worldview_island::{Pose, Rig};

const ROOT_HALF: f32 = std::f32::consts::FRAC_1_SQRT_2;

/// Calls `look` with a rig of a model and a reference to it.
fn look<R>(model: ModelSpec, at: ModelRefSpec, look: impl FnOnce(&Rig<'_, '_>, &Placement) -> R) -> R {
    with_model(model, at, |model, placement| look(&Rig::new(model), placement))
}

fn place<R>(direction: [f32; 3], up: [f32; 3], look_at: impl FnOnce(&Placement) -> R) -> R {
    let at = ModelRefSpec { direction, up, location: [100.0, 0.0, 7.0], ..ModelRefSpec::new("m", 0) };
    look(ModelSpec::new("m", Vec::new()), at, |_, placement| look_at(placement))
}

#[test]
fn where_a_reference_puts_a_model() {
    let of = |direction, up| place(direction, up, Placement::matrix);
    let up = [0.0, 1.0, 0.0];
    near(of([0.0, 0.0, 1.0], up), there([100.0, 0.0, 7.0]));
    // Z = (0, 0, -1), Y up, X = Y x Z = (-1, 0, 0); the lengths do not matter.
    let turned = [[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0], [100.0, 0.0, 7.0]];
    near(of([0.0, 0.0, -2.0], [0.0, 3.0, 0.0]), turned);
    near(of([0.0, 0.0, -1e-42], [0.0, 3e38, 0.0]), turned);
    // Z = (0.6, 0, 0.8), Y = (0.6, 1, 0.8) / sqrt(2); Y x Z = (0.8, 0, -0.6) / sqrt(2), and Z x X points straight up.
    let leaning = [[0.8, 0.0, -0.6], [0.0, 1.0, 0.0], [0.6, 0.0, 0.8], [100.0, 0.0, 7.0]];
    near(of([3.0, 0.0, 4.0], [0.6, 1.0, 0.8]), leaning);
    // The direction is nearly up: X = (0, 0, -1), and Y becomes (-1, 0, 0).
    let steep = [[0.0, 0.0, -1.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [100.0, 0.0, 7.0]];
    assert!(of([1e-5, 1.0, 0.0], up).rows().iter().zip(steep).all(|(a, b)| (a[0] - b[0]).abs() < 2e-5));
    for (direction, up) in [
        ([0.0; 3], up),
        ([0.0, 0.0, 1.0], [0.0; 3]),
        ([0.0; 3], [0.0; 3]),
        ([1.0, 2.0, 3.0], [-2.0, -4.0, -6.0]),
        ([1e-7, 1.0, 0.0], up),
        ([f32::NAN, 0.0, 1.0], up),
        ([0.0, 0.0, 1.0], [0.0, f32::INFINITY, 0.0]),
    ] {
        place(direction, up, |placement| {
            assert_eq!(placement.axes(), None);
            assert!(!placement.is_orthonormal() || direction == [1e-7, 1.0, 0.0]);
            near(placement.matrix(), there([100.0, 0.0, 7.0]));
        });
    }
}

#[test]
fn directions_as_they_should_be() {
    let of = |direction, up| place(direction, up, Placement::is_orthonormal);
    let up = [0.0, 1.0, 0.0];
    assert!(of([0.6, 0.0, 0.8], up) && of([0.0, 0.0, -1.0], [1.0, 0.0, 0.0]));
    // sqrt(0.6005^2 + 0.64) is 1.0003, sqrt(0.602^2 + 0.64) is 1.0012; 0.002 * 0.6 is 0.0012.
    assert!(of([0.6005, 0.0, 0.8], up) && of([0.6, 0.0, 0.8], [0.001, 1.0, 0.0]));
    assert!(!of([0.602, 0.0, 0.8], up) && !of([0.6, 0.0, 0.8], [0.002, 1.0, 0.0]));
    assert!(!of([0.6, 0.0, 0.8], [0.0, 2.0, 0.0]) && !of(up, up) && !of([f32::NAN; 3], up));
}

fn roi(name: &str) -> RoiSpec {
    RoiSpec::new(name, Vec::new())
}

fn shift(name: &str, by: [f32; 3]) -> NodeSpec {
    NodeSpec::new(name).translation(0, by)
}

/// Returns the object that each node finds.
fn found(objects: &RoiSpec, nodes: NodeSpec) -> Vec<Option<usize>> {
    look(ModelSpec::of(objects.clone(), nodes), ModelRefSpec::new("m", 0), |rig, _| {
        let out = (0..rig.model().animation.nodes.len()).map(|node| rig.object_of(node)).collect();
        assert_eq!((rig.object_of(usize::MAX), rig.node_of(usize::MAX)), (None, None));
        out
    })
}

#[test]
fn nodes_find_objects() {
    let node = NodeSpec::new;
    // 0 r, 1 a, 2 b, 3 x, 4 c, 5 x, 6 x.
    let deep = roi("r").child(roi("a").child(roi("b").child(roi("x")))).child(roi("C").child(roi("x").child(roi("x"))));
    // Neither a nor c is an x, so the search goes below a. It has no child x, so the search goes below b, before
    // anything below c.
    assert_eq!(found(&deep, node("R").child(node("x"))), [Some(0), Some(3)]);
    assert_eq!(found(&deep, node("r").child(node("c").child(node("X")))), [Some(0), Some(4), Some(5)]);
    // The object itself comes first.
    let chain = node("x").child(node("x").child(node("x")));
    assert_eq!(found(&deep, node("c").child(chain)), [Some(4), Some(5), Some(5), Some(5)]);
    // Not found below c, so the search restarts at the root, and continues from there.
    let chain = node("c").child(node("b").child(node("x").child(node("r").child(node("x")))));
    assert_eq!(found(&deep, chain), [Some(4), Some(2), Some(3), Some(0), Some(3)]);
    // A direct child comes before a deeper descendant.
    let flat = roi("r").child(roi("a").child(roi("x"))).child(roi("x"));
    assert_eq!(
        found(&flat, node("r").child(node("x")).child(node("a").child(node("x")))),
        [Some(0), Some(3), Some(1), Some(2)]
    );
    // Nodes below a node without an object have none, wherever an object with their name is.
    let ghost = node("r").child(node("ghost").child(node("a"))).child(node("a\0junk"));
    assert_eq!(found(&flat, ghost), [Some(0), None, None, Some(1)]);
    assert_eq!(found(&flat, node("ghost").child(node("r"))), [None, None]);
    // An empty name matches nothing, not even an object without a name.
    assert_eq!(found(&roi("").child(roi("a")), node("").child(node("a"))), [None, None]);
    assert_eq!(found(&roi("\0").child(roi("a")), node("a").child(node("\0r"))), [Some(1), None]);
}

#[test]
fn nodes_move_the_objects_of_their_names() {
    let origin = |pose: &Pose| (pose.matrix.apply([0.0; 3]), pose.visible, pose.touched);
    // 0 root, 1 left, 2 right, 3 hand; the nodes are in a different order.
    let objects = roi("root").child(roi("left")).child(roi("right").child(roi("hand")));
    let nodes = shift("root", [1.0, 0.0, 0.0])
        .child(shift("right", [0.0, 2.0, 0.0]).child(shift("hand", [0.0, 0.0, 3.0]).morph(0, 0)))
        .child(shift("left", [5.0, 0.0, 0.0]));
    look(ModelSpec::of(objects.clone(), nodes), ModelRefSpec::new("m", 0), |rig, _| {
        let expected =
            [([1.0, 0.0, 0.0], true), ([6.0, 0.0, 0.0], true), ([1.0, 2.0, 0.0], true), ([1.0, 2.0, 3.0], false)];
        assert_eq!(rig.pose(0.0).iter().map(origin).collect::<Vec<_>>(), expected.map(|(at, seen)| (at, seen, true)));
        assert_eq!([0, 1, 2, 3].map(|object| rig.node_of(object)), [Some(0), Some(3), Some(1), Some(2)]);
    });
    // Two nodes move the same object: the later one determines its position, but the hand follows its own parent node.
    // And below a node without an object, everything stays at the origin of the model.
    let nodes = shift("root", [1.0, 0.0, 0.0])
        .child(shift("left", [5.0, 0.0, 0.0]).child(shift("hand", [0.0, 0.0, 3.0])))
        .child(shift("LEFT", [7.0, 0.0, 0.0]).morph(0, 0))
        .child(shift("nobody", [9.0, 0.0, 0.0]).child(shift("right", [9.0, 0.0, 0.0])));
    look(ModelSpec::of(objects, nodes), ModelRefSpec::new("m", 0), |rig, _| {
        let poses: Vec<_> = rig.pose(0.0).iter().map(origin).collect();
        assert_eq!(
            poses,
            [
                ([1.0, 0.0, 0.0], true, true),
                ([8.0, 0.0, 0.0], false, true),
                ([0.0, 0.0, 0.0], true, false),
                ([6.0, 0.0, 3.0], true, true)
            ]
        );
        assert_eq!([0, 1, 2, 3].map(|object| rig.node_of(object)), [Some(0), Some(3), None, Some(2)]);
    });
}

#[test]
fn objects_of_a_placed_model_are_in_the_world() {
    // A quarter turn: rows (0, 0, 1), (0, 1, 0), (-1, 0, 0).
    let node = shift("a", [1.0, 2.0, 3.0]).rotation(0, [ROOT_HALF, 0.0, ROOT_HALF, 0.0]).morph(0, 0);
    let objects = roi("a").child(roi("b")).child(roi("c"));
    let at = ModelRefSpec::new("m", 0).at([10.0, 20.0, 30.0]).facing([0.0, 0.0, -1.0]);
    let model = ModelSpec::of(objects.clone(), node.child(shift("b", [5.0, 0.0, 0.0])));
    look(model.clone(), at.clone(), |rig, placement| {
        // The rotation maps (5, 0, 0) to (0, 0, 5).
        near(rig.pose(0.0)[1].matrix, [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [1.0, 2.0, 8.0]]);
        let poses = rig.placed(placement, 0.0);
        let axes = |origin| [[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0], origin];
        assert_eq!(poses[0].matrix, placement.matrix());
        near(poses[0].matrix, axes([10.0, 20.0, 30.0]));
        // Five to the right of the root, which is to the left in the world.
        near(poses[1].matrix, axes([5.0, 20.0, 30.0]));
        // Objects that no node moves are transformed back with the root: the inverse rotation has the rows (0, 0, -1),
        // (0, 1, 0), (1, 0, 0) and maps the origin to -(3, 2, -1); the half turn maps that to (13, 18, 29).
        near(poses[2].matrix, [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [13.0, 18.0, 29.0]]);
        // The reference overrides the visibility of the root, and only of the root.
        assert_eq!(poses.iter().map(|pose| pose.visible).collect::<Vec<_>>(), [true; 3]);
    });
    look(model, ModelRefSpec { visible: 0, ..at.clone() }, |rig, placement| {
        let poses = rig.placed(placement, 0.0);
        assert_eq!(poses.iter().map(|pose| pose.visible).collect::<Vec<_>>(), [false, true, true]);
    });
    // A root of size 0 has no inverse, so only the placement counts.
    let flat = NodeSpec::new("a").scale(0, [1.0, 0.0, 1.0]).child(shift("b", [5.0, 6.0, 0.0]));
    look(ModelSpec::of(objects, flat), at, |rig, placement| {
        let poses = rig.placed(placement, 0.0);
        near(poses[0].matrix, [[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0], [10.0, 20.0, 30.0]]);
        near(poses[1].matrix, [[-1.0, 0.0, 0.0], [0.0; 3], [0.0, 0.0, -1.0], [5.0, 20.0, 30.0]]);
    });
}

#[test]
fn the_worked_example_of_the_format_page() {
    let arm = shift("arm", [0.0, 2.0, 0.0]).rotation(0, [0.5, 0.0, 0.5, 0.0]);
    let at = ModelRefSpec { up: [0.0, 2.0, 0.0], ..ModelRefSpec::new("m", 0) }.at([10.0, 0.0, 0.0]);
    let of = |arm: NodeSpec, t: f32| {
        let model = ModelSpec::of(roi("base").child(roi("arm")), shift("base", [0.0, 0.0, 5.0]).child(arm));
        look(model, at.clone().facing([1.0, 0.0, 0.0]), |rig, placement| {
            let [posed, placed] = [rig.pose(t), rig.placed(placement, t)].map(|poses| poses[1].matrix);
            [posed.apply([1.0, 0.0, 0.0]), placed.apply([1.0, 0.0, 0.0])]
        })
    };
    assert_eq!(of(arm.clone(), 0.0), [[0.0, 2.0, 6.0], [11.0, 2.0, 0.0]]);
    // A translation key with a later time does not apply yet: two less above the model.
    let mut late = arm;
    late.translations[0].time = 100;
    assert_eq!(of(late.clone(), 0.0), [[0.0, 0.0, 6.0], [11.0, 0.0, 0.0]]);
    assert_eq!(of(late.translation(300, [0.0, 4.0, 0.0]), 200.0), [[0.0, 3.0, 6.0], [11.0, 3.0, 0.0]]);
}
