//! Flying objects: a balloon that swells and shrinks, with a flickering flame, and three circling gulls.

use super::paints::{clear, flat, gores, named, picture};
use crate::island::shapes::{Shape, narrow, sin_cos};
use crate::island::spec::{LodSpec, MeshSpec, ModelSpec, NodeSpec, RoiSpec};

pub(super) fn balloon() -> ModelSpec {
    let fire = [clear("flame", [0xFF, 0x8C, 0x1A], 0.8), clear("flame", [0xFF, 0xE0, 0x60], 0.9)];
    let mut flame = Shape::lathe(&[(0.0, 0.0), (0.22, 0.25), (0.0, 1.1)], 7, true, 0);
    flame.add(&Shape::lathe(&[(0.0, 0.0), (0.12, 0.18), (0.0, 0.6)], 6, true, 1));
    let objects = RoiSpec::new("balloon", Vec::new())
        .child(RoiSpec::new("envelope", vec![envelope(8, 3, 4), envelope(0, 7, 12)]))
        .child(RoiSpec::new("basket", vec![basket()]))
        .child(RoiSpec::new("flame", vec![flame.lod(0, &fire)]));
    // Everything is attached to the basket, which rises and sinks.
    let flame = NodeSpec::new("flame")
        .translation(0, [0.0, 1.4, 0.0])
        .scale(0, [0.6, 0.4, 0.6])
        .scale(300, [1.0, 1.3, 1.0])
        .scale(600, [0.8, 0.9, 0.8])
        .scale(1200, [1.1, 1.4, 1.1])
        .scale(2000, [0.4, 0.3, 0.4])
        .morph(0, 1)
        .morph(2000, 0)
        .morph(6000, 1);
    let envelope = NodeSpec::new("envelope")
        .translation(0, [0.0, 5.4, 0.0])
        .scale(0, [1.0; 3])
        .scale(2500, [1.05, 1.0, 1.05])
        .scale(8000, [1.0; 3]);
    let basket = NodeSpec::new("basket")
        .translation(0, [0.0, 0.0, 0.0])
        .translation(4000, [0.4, 1.6, 0.0])
        .translation(8000, [0.0, 0.0, 0.0])
        .child(envelope)
        .child(flame);
    ModelSpec::of(objects, NodeSpec::new("balloon").child(basket)).texture(gores())
}

fn envelope(flags: u32, rings: u32, segments: u32) -> LodSpec {
    let paints = [MeshSpec { shading: 1, ..picture("gores.gif") }];
    // Round at the top, tapering to the opening at the bottom.
    let mut profile = vec![(0.5, -3.6)];
    for ring in 1..=rings {
        let (sin, cos) = sin_cos(f64::from(ring) / f64::from(rings) / 2.0);
        let height = -cos * if cos > 0.0 { 3.3 } else { 2.7 };
        let last = ring == rings;
        profile.push((if last { 0.0 } else { 2.7 * sin }, height));
    }
    Shape::lathe(&profile, segments, true, 0).lod(flags, &paints)
}

fn basket() -> LodSpec {
    let paints = [picture("planks.gif"), flat("rope", [0xC8, 0xB0, 0x80]), named("lego brown")];
    let mut out = Shape::cuboid([-0.5, -0.5, -0.5], [0.5, 0.35, 0.5], 0).tiled(0.7, 0.7);
    out.add(&Shape::cuboid([-0.56, 0.3, -0.56], [0.56, 0.4, 0.56], 2));
    for (x, z) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
        let rope = Shape::lathe(&[(0.03, 0.4), (0.03, 1.9)], 3, false, 1);
        out.add(&rope.moved([x * 0.42, 0.0, z * 0.42]));
    }
    out.lod(0, &paints)
}

/// The second and third gull share the levels of the first.
pub(super) fn gulls() -> ModelSpec {
    let mut objects = RoiSpec::new("gulls", Vec::new()).child(RoiSpec::new("gull", vec![gull()]));
    let mut root = NodeSpec::new("gulls");
    for (i, name) in (0..3).zip(["gull", "gull2", "gull3"]) {
        if i > 0 {
            objects.children.push(RoiSpec { radius: 1.5, ..RoiSpec::shared(name) });
        }
        let mut node = NodeSpec::new(name);
        for step in 0..=8 {
            // Each gull faces along the circle, a quarter turn ahead of its position.
            let turns = f64::from(step) / 8.0 + f64::from(i) / 3.0;
            let (sin, cos) = sin_cos(turns);
            let time = 750 * step;
            let height = f64::from(i) * 0.8 + 0.4 * sin_cos(turns * 2.0).0;
            node = node.translation(time, [sin * 5.0, height, cos * 5.0].map(|v| narrow(v, 256.0)));
            let (half_sin, half_cos) = sin_cos(-(turns + 0.25) / 2.0);
            node = node.rotation(time, [half_cos, 0.0, half_sin, 0.0].map(|v| narrow(v, 65_536.0)));
        }
        root = root.child(node);
    }
    ModelSpec::of(objects, root)
}

fn gull() -> LodSpec {
    let paints = [named("lego white"), flat("wing", [0x9A, 0xA2, 0xAC]), named("lego yellow")];
    let mut out = Shape::ball(4, 6, 0).stretched([0.2, 0.2, 0.6]);
    out.add(&Shape::lathe(&[(0.07, 0.5), (0.0, 0.8)], 4, false, 2).turned(0, 0.25));
    let mut wings = Shape::default();
    for side in [-1.0, 1.0] {
        let at = |x: f64, y: f64, z: f64| [side * x, y, z];
        wings.quad(
            1,
            [at(0.1, 0.1, -0.2), at(0.1, 0.1, 0.3), at(0.9, 0.45, 0.25), at(0.9, 0.45, -0.15)],
            [[0.0; 2]; 4],
        );
        wings.quad(
            1,
            [at(0.9, 0.45, -0.15), at(0.9, 0.45, 0.25), at(1.7, 0.3, -0.1), at(1.6, 0.3, -0.2)],
            [[0.0; 2]; 4],
        );
    }
    wings.quad(0, [[-0.2, 0.05, -0.8], [-0.1, 0.05, -0.4], [0.1, 0.05, -0.4], [0.2, 0.05, -0.8]], [[0.0; 2]; 4]);
    out.add(&wings.two_sided());
    out.lod(0, &paints)
}
