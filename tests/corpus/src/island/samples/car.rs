//! A car whose body takes the color of its object, and whose turning wheels are shared.

use super::full_turn;
use super::paints::{clear, flat, inherited, named};
use crate::island::shapes::Shape;
use crate::island::spec::{LodSpec, ModelSpec, NodeSpec, RoiSpec};

pub(super) fn car() -> ModelSpec {
    let body =
        RoiSpec { texture: b"Lego Red".to_vec(), ..RoiSpec::new("body", vec![body(8, 0), body(0, 1), body(0, 2)]) };
    let mut objects = RoiSpec::new("car", Vec::new()).child(body);
    // The body bobs slightly, and the wheels with it.
    let mut moves = NodeSpec::new("body")
        .translation(0, [0.0, 0.0, 0.0])
        .translation(200, [0.0, 0.06, 0.0])
        .translation(400, [0.0, 0.0, 0.0]);
    for (name, x, z) in
        [("wheel1", -0.95, 1.35), ("wheel2", 0.95, 1.35), ("wheel3", -0.95, -1.3), ("wheel4", 0.95, -1.3)]
    {
        objects.children.push(RoiSpec { radius: 0.6, ..RoiSpec::shared(name) });
        moves.children.push(full_turn(NodeSpec::new(name).translation(0, [x, 0.55, z]), 1, 200));
    }
    ModelSpec::of(objects, NodeSpec::new("car").child(moves))
}

fn body(flags: u32, detail: u32) -> LodSpec {
    let paints = [
        inherited(),
        clear("pane", [0xA8, 0xD0, 0xE6], 0.5),
        named("lego yellow"),
        named("lego drk grey"),
        flat("seat", [0x54, 0x38, 0x28]),
    ];
    // Side outlines with the front to the right, then turned so that the front points forward.
    let side = |outline: &[(f64, f64)], half: f64, paint| Shape::prism(outline, -half, half, paint).turned(1, -0.25);
    let low = [(-2.1, 0.35), (-2.1, 0.95), (-1.9, 1.1), (0.9, 1.1), (1.95, 0.95), (2.1, 0.75), (2.1, 0.35)];
    let mut out = side(&low, 0.85, 0);
    let cabin = [(-1.3, 1.1), (-1.0, 1.75), (0.2, 1.75), (0.75, 1.1)];
    out.add(&side(&cabin, 0.72, if detail == 0 { 0 } else { 1 }));
    if detail > 0 {
        out.add(&side(&[(-1.0, 1.75), (-0.95, 1.85), (0.15, 1.85), (0.2, 1.75)], 0.74, 0));
        out.add(&Shape::cuboid([-0.9, 0.35, 2.05], [0.9, 0.5, 2.25], 3));
        out.add(&Shape::cuboid([-0.9, 0.35, -2.25], [0.9, 0.5, -2.05], 3));
    }
    if detail > 1 {
        for x in [-0.6, 0.6] {
            out.add(&Shape::ball(3, 5, 2).stretched([0.17, 0.17, 0.1]).moved([x, 0.75, 2.08]));
            out.add(&Shape::cuboid([x - 0.15, 0.7, -2.15], [x + 0.15, 0.8, -2.08], 2));
        }
        out.add(&Shape::cuboid([-0.6, 1.1, -0.9], [0.6, 1.35, -0.6], 4));
    }
    out.lod(flags, &paints)
}
