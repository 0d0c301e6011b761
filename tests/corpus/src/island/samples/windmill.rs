//! A brick windmill with turning sails.

use super::full_turn;
use super::paints::{flat, named, picture, window};
use crate::island::shapes::Shape;
use crate::island::spec::{LodSpec, ModelSpec, NodeSpec, RoiSpec};

pub(super) fn windmill() -> ModelSpec {
    let objects = RoiSpec::new("windmill", Vec::new())
        .child(RoiSpec::new("mill", vec![mill(8, 4, 0), mill(0, 6, 1), mill(0, 9, 2)]))
        .child(RoiSpec::new("sails", vec![sails(0, 0), sails(0, 1)]));
    let turning = NodeSpec::new("Sails").translation(0, [0.0, 7.3, 2.0]);
    let root = NodeSpec::new("windmill").child(NodeSpec::new("mill")).child(full_turn(turning, 3, 1500));
    ModelSpec::of(objects, root).texture(window())
}

fn mill(flags: u32, segments: u32, detail: u32) -> LodSpec {
    let paints = [
        picture("brick.gif"),
        named("lego brown"),
        picture("window.gif"),
        flat("door", [0x2E, 0x5A, 0x3A]),
        named("lego lt grey"),
        picture("planks.gif"),
    ];
    let mut out = Shape::lathe(&[(2.1, -0.6), (1.35, 6.4)], segments, false, 0).tiled(6.0, 5.0);
    out.add(&Shape::lathe(&[(1.75, 6.4), (1.6, 7.2), (0.95, 8.3), (0.0, 8.8)], segments, false, 1));
    out.add(&Shape::cuboid([-0.12, 7.18, 0.0], [0.12, 7.42, 2.1], 4));
    if detail > 0 {
        out.add(&Shape::cuboid([-0.5, -0.3, 1.6], [0.5, 1.4, 2.05], 3));
        out.add(&Shape::lathe(&[(1.75, 2.7), (2.3, 3.0), (1.6, 3.1)], segments, false, 5).tiled(8.0, 1.0));
    }
    if detail > 1 {
        for (turns, height, radius) in
            [(0.5, 1.5, 1.85), (0.25, 1.2, 1.9), (0.75, 1.2, 1.9), (0.0, 4.6, 1.5), (0.5, 4.6, 1.5)]
        {
            let pane = Shape::cuboid([-0.35, height, radius - 0.35], [0.35, height + 0.85, radius + 0.02], 2);
            out.add(&pane.turned(1, turns));
        }
    }
    out.lod(flags, &paints)
}

/// Four arms with boards and slats, around the z axis.
fn sails(flags: u32, detail: u32) -> LodSpec {
    let paints = [flat("wood", [0x6A, 0x44, 0x26]), picture("planks.gif"), named("lego white")];
    let mut arm = Shape::cuboid([-0.08, 0.0, -0.06], [0.08, 4.9, 0.06], 0);
    // A board, with its back mirrored behind the z = 0 plane.
    let board = |low: [f64; 2], high: [f64; 2], z: f64, paint| {
        let mut out = Shape::default();
        let ring = [[low[0], low[1], z], [high[0], low[1], z], [high[0], high[1], z], [low[0], high[1], z]];
        let uvs = [[0.0, 2.0], [0.5, 2.0], [0.5, 0.0], [0.0, 0.0]];
        out.quad(paint, ring, uvs);
        let [a, b, c, d] = ring.map(|p| [p[0], p[1], -z]);
        out.quad(paint, [d, c, b, a], uvs);
        out
    };
    arm.add(&board([0.08, 1.0], [1.0, 4.8], 0.01, if detail == 0 { 2 } else { 1 }));
    if detail > 0 {
        for slat in 0..4 {
            let y = 1.0 + 1.24 * f64::from(slat);
            arm.add(&board([0.08, y], [1.05, y + 0.08], 0.03, 2));
        }
        arm.add(&board([0.98, 1.0], [1.06, 4.8], 0.03, 2));
    }
    let mut out = Shape::default();
    for quarter in 0..4 {
        out.add(&arm.turned(2, f64::from(quarter) / 4.0));
    }
    out.add(&Shape::lathe(&[(0.0, -0.2), (0.3, -0.2), (0.22, 0.2), (0.0, 0.3)], 8, false, 0).turned(0, 0.25));
    out.lod(flags, &paints)
}
