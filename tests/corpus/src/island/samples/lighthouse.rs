//! A lighthouse whose beam turns, and goes out briefly once per turn.

use super::full_turn;
use super::paints::{bands, clear, flat, named, picture};
use crate::island::shapes::Shape;
use crate::island::spec::{LodSpec, MeshSpec, ModelSpec, NodeSpec, RoiSpec};

pub(super) fn lighthouse() -> ModelSpec {
    let beam = [clear("beam", [0xFF, 0xF2, 0xB0], 0.3)];
    let cone = Shape::lathe(&[(0.25, 0.4), (1.5, 9.0)], 6, true, 0).turned(0, 0.25);
    let mut both = cone.clone();
    both.add(&cone.turned(1, 0.5));
    let objects = RoiSpec::new("lighthouse", Vec::new())
        .child(RoiSpec::new("tower", vec![tower(8, 4, 0), tower(0, 6, 1), tower(0, 12, 2)]))
        .child(RoiSpec { radius: 0.5, ..RoiSpec::shared("lamp1") })
        .child(RoiSpec::new("beam", vec![both.two_sided().lod(0, &beam)]));
    let top = [0.0, 9.2, 0.0];
    let beam = full_turn(NodeSpec::new("BEAM").translation(0, top), 2, 1000);
    let beam = beam.morph(0, 1).morph(3000, 0).morph(3250, 1);
    let root = NodeSpec::new("lighthouse")
        .child(NodeSpec::new("tower"))
        .child(NodeSpec::new("lamp1").translation(0, top))
        .child(beam);
    ModelSpec::of(objects, root).texture(bands())
}

fn tower(flags: u32, segments: u32, detail: u32) -> LodSpec {
    let paints = [
        MeshSpec { shading: 1, ..picture("bands.gif") },
        named("lego lt grey"),
        named("lego red"),
        clear("pane", [0xB8, 0xDC, 0xEC], 0.4),
        flat("door", [0x4A, 0x2E, 0x1C]),
        named("lego drk grey"),
    ];
    let mut out = Shape::lathe(&[(1.65, 0.3), (1.4, 4.0), (1.15, 8.0)], segments, true, 0);
    out.add(&Shape::lathe(&[(2.5, -1.5), (2.3, 0.0), (2.0, 0.3), (0.0, 0.3)], segments, false, 1));
    // In the coarsest level the roof sits directly on the wall.
    let eaves = if detail > 0 { 9.95 } else { 8.0 };
    out.add(&Shape::lathe(&[(1.35, eaves), (0.0, 11.2)], segments, false, 2));
    if detail > 0 {
        out.add(&Shape::lathe(&[(1.1, 7.9), (1.75, 8.25), (1.75, 8.5), (0.0, 8.5)], segments, false, 1));
        out.add(&Shape::lathe(&[(0.95, 8.5), (0.95, 9.95)], segments, true, 3));
        out.add(&Shape::cuboid([-0.45, 0.3, 1.3], [0.45, 1.9, 1.75], 4));
    }
    if detail > 1 {
        // A railing, and a ball on the roof.
        out.add(&Shape::lathe(&[(1.68, 8.95), (1.72, 9.0), (1.68, 9.05)], segments, false, 5));
        for post in 0..6 {
            let bar = Shape::cuboid([-0.04, 8.5, -1.72], [0.04, 9.0, -1.64], 5);
            out.add(&bar.turned(1, f64::from(post) / 6.0));
        }
        out.add(&Shape::ball(4, 6, 2).stretched([0.22; 3]).moved([0.0, 11.25, 0.0]));
    }
    out.lod(flags, &paints)
}
