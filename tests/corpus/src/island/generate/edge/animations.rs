//! Actors, nodes, keys, poses and placements.

use super::{Cases, base, model};
use crate::island::spec::{ActorSpec, KeySpec, ModelSpec, NodeSpec, RoiSpec};

/// Returns the base model with the node that moves its wall replaced by this one.
fn with_node(node: NodeSpec) -> ModelSpec {
    let mut model = model();
    model.animation.root.children[0] = node;
    model
}

fn wall() -> NodeSpec {
    NodeSpec::new("WALL")
}

pub(super) fn trees(cases: &mut Cases) {
    let actor = |name: &[u8]| ActorSpec { name: name.to_vec(), kind: 7 };
    let mut actors = model();
    actors.animation.actors = vec![actor(b"Pepe"), actor(b""), actor(b"\0"), actor(b""), actor(b"Nick\0junk")];
    cases.model("actors with and without names", actors);
    for duration in [i32::MIN, -1, 1, i32::MAX] {
        let mut model = model();
        model.animation.duration = duration;
        cases.model(&format!("a duration of {duration}"), model);
    }
    let mut keys = model();
    keys.animation.root = NodeSpec::new("hut")
        .translation(0, [1.0, 0.0, 0.0])
        .translation(1000, [0.0, 2.0, 0.0])
        .rotation(500, [0.6, 0.0, 0.8, 0.0])
        .scale(0, [2.0, 2.0, 2.0])
        .morph(0, 0)
        .morph(700, 1)
        .child(wall().translation(0, [5.0, 0.0, 0.0]));
    cases.model("keys of every kind on the root node", keys);
}

pub(super) fn keys(cases: &mut Cases) {
    let turn = [0.6, 0.0, 0.8, 0.0];
    let other = [0.0, 0.0, 1.0, 0.0];
    let rotation = |time, flags, value| KeySpec { time, flags, value };
    for flags in [0, 1, 2, 3, 4, 5, 6, 7, 0xF8] {
        let mut node = wall();
        node.rotations = vec![rotation(0, 0, turn), rotation(1000, flags, other), rotation(2000, 0, turn)];
        node.translations =
            vec![KeySpec { time: 0, flags, value: [0.0; 3] }, KeySpec { time: 900, flags, value: [3.0, 0.0, 0.0] }];
        node.scales = vec![KeySpec { time: 0, flags, value: [1.0; 3] }, KeySpec { time: 900, flags, value: [2.0; 3] }];
        node.morphs = vec![KeySpec { time: 0, flags, value: 1 }, KeySpec { time: 900, flags, value: 0 }];
        cases.model(&format!("keys with flags {flags:#x}"), with_node(node));
    }
    for (name, a, b) in [
        ("equal quaternions", turn, turn),
        ("opposite quaternions", turn, turn.map(|part| -part)),
        ("quaternions that are nearly opposite", turn, [-0.6, 0.001, -0.8, 0.0]),
        ("quaternions half a turn apart", [1.0, 0.0, 0.0, 0.0], other),
        ("a quaternion of no length", turn, [0.0; 4]),
        ("two quaternions of no length", [0.0; 4], [0.0; 4]),
        ("quaternions of other lengths", [3.0, 0.0, 4.0, 0.0], [0.0, 0.0, 0.01, 0.0]),
        ("a quaternion that is no number", turn, [f32::NAN, 0.0, 0.0, 1.0]),
        ("quaternions that do not turn", [1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]),
        ("quaternions that seem not to turn", [1.0, 5.0, 0.0, 0.0], [1.0, 0.0, 5.0, 0.0]),
    ] {
        cases.model(name, with_node(wall().rotation(0, a).rotation(1000, b)));
    }
    let moved = |times: &[u32]| {
        let mut node = wall();
        for (i, &time) in (0_u8..).zip(times) {
            let at = f32::from(i) + 1.0;
            node = node.translation(time, [at, -at, 0.0]).scale(time, [at, 1.0, at]).morph(time, i % 2);
        }
        with_node(node)
    };
    cases.model("a single key", moved(&[500]));
    cases.model("keys that begin late", moved(&[700, 900]));
    cases.model("keys of one time", moved(&[0, 500, 500, 500, 1000]));
    cases.model("keys that fall", moved(&[900, 500, 0]));
    cases.model("keys out of order", moved(&[0, 1500, 200, 1000]));
    cases.model("keys of the latest time", moved(&[0, 0xFF_FFFE, 0xFF_FFFF]));
    let small = wall().translation(0, [1e-5, -1e-5, 0.0]).scale(0, [1.000_005, 1.0, 0.999_995]);
    cases.model("keys too small to be active", with_node(small));
    cases.model("keys just large enough", with_node(wall().translation(0, [1.1e-5, 0.0, 0.0]).scale(0, [1.0001; 3])));
    cases.model("a scale of 0", with_node(wall().scale(0, [0.0; 3])));
    let mut root = model();
    root.animation.root = root.animation.root.scale(0, [0.0; 3]).translation(0, [1.0, 2.0, 3.0]);
    cases.model("a root of scale 0", root);
}

pub(super) fn poses(cases: &mut Cases) {
    let shift = |name: &str, x: f32| NodeSpec::new(name).translation(0, [x, 0.0, 0.0]);
    let tree = |root: NodeSpec| ModelSpec { animation: model().animation, ..ModelSpec::of(objects(), root) };
    fn objects() -> RoiSpec {
        let of = |name: &str| RoiSpec::new(name, Vec::new());
        of("a").child(of("b").child(of("c")).child(of("d"))).child(of("c")).child(of("e").child(of("f")))
    }
    let cases_of = [
        ("nodes as deep as objects", shift("a", 1.0).child(shift("b", 2.0).child(shift("c", 4.0)))),
        ("nodes deeper than objects", shift("a", 1.0).child(shift("c", 2.0).child(shift("f", 4.0)))),
        ("nodes flatter than objects", shift("a", 1.0).child(shift("d", 2.0)).child(shift("f", 4.0))),
        ("a child right below comes before one deeper", shift("a", 1.0).child(shift("c", 2.0))),
        ("a name that is found from the root only", shift("a", 1.0).child(shift("e", 2.0).child(shift("d", 4.0)))),
        (
            "a node that finds nothing",
            shift("a", 1.0).child(shift("x", 2.0).child(shift("b", 4.0))).child(shift("e", 8.0)),
        ),
        ("a root node that finds nothing", shift("x", 1.0).child(shift("b", 2.0))),
        ("a root node of another object", shift("b", 1.0).child(shift("a", 2.0)).child(shift("e", 4.0))),
        ("a node of no name", shift("a", 1.0).child(shift("", 2.0).child(shift("b", 4.0)))),
        (
            "a node of the name above",
            shift("a", 1.0).child(shift("A", 2.0).child(shift("b", 4.0))).child(shift("e", 8.0)),
        ),
        (
            "nodes of one name",
            shift("a", 1.0).child(shift("b", 2.0).morph(0, 0)).child(shift("b", 4.0)).child(shift("e", 8.0)),
        ),
        ("names of nodes with a NUL", shift("A\0junk", 1.0).child(shift("E\0", 2.0))),
    ];
    for (name, root) in cases_of {
        let mut model = tree(root.clone());
        model.animation.root = root;
        cases.model(name, model);
    }
}

pub(super) fn places(cases: &mut Cases) {
    for (name, direction, up) in [
        ("a model that faces right", [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]),
        ("a model upside down", [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]),
        ("axes of other lengths", [0.0, 0.0, 0.001], [0.0, 300.0, 0.0]),
        ("axes that are not at right angles", [0.0, 1.0, 1.0], [0.0, 1.0, 0.0]),
        ("no direction", [0.0; 3], [0.0, 1.0, 0.0]),
        ("no direction and no up", [0.0; 3], [0.0; 3]),
        ("no up", [0.0, 0.0, 1.0], [0.0; 3]),
        ("parallel axes", [1.0, 2.0, 3.0], [2.0, 4.0, 6.0]),
        ("a direction that is no number", [f32::NAN, 0.0, 1.0], [0.0, 1.0, 0.0]),
        ("an endless direction", [f32::INFINITY, 0.0, 1.0], [0.0, 1.0, 0.0]),
        ("a direction that hardly is", [0.0, 0.0, f32::MIN_POSITIVE / 4.0], [0.0, 1.0, 0.0]),
    ] {
        let mut spec = base();
        for model in &mut spec.worlds[1].models {
            (model.direction, model.up) = (direction, up);
        }
        spec.worlds[1].models[0].location = [f32::NAN, 1e38, -0.0];
        cases.database(name, &spec);
    }
}
