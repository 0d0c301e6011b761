//! Shared level lists (a lamp used in all worlds, trees, a wheel, a cottage), and models that consist only of those.

use super::paints::{flat, inherited, named, picture, smooth, window};
use crate::island::shapes::Shape;
use crate::island::spec::{LodSpec, ModelSpec, NodeSpec, PartSpec, PartsSpec, RoiSpec};

/// A glowing ball.
pub(super) fn lamp() -> PartSpec {
    let paints = [smooth("glow", [0xFF, 0xF0, 0xA0])];
    let of = |flags, rings, segments| Shape::ball(rings, segments, 0).stretched([0.45; 3]).lod(flags, &paints);
    PartSpec::new("Lamp", vec![of(8, 2, 3), of(0, 3, 5), of(0, 5, 9)])
}

pub(super) fn trees() -> PartsSpec {
    let paints =
        [flat("bark", [0x6E, 0x4A, 0x2C]), flat("needles", [0x1E, 0x5C, 0x34]), flat("leaves", [0x4E, 0x94, 0x38])];
    let fir = |flags, segments: u32, tiers: u32| {
        let mut out = Shape::lathe(&[(0.3, -0.4), (0.22, 1.2)], segments.min(6), false, 0);
        for tier in 0..tiers {
            let part = f64::from(tier) / f64::from(tiers);
            let (low, high) = (0.9 + part * 3.4, 4.6 - (1.0 - part) * 1.2);
            let radius = 1.55 * (1.0 - part * 0.62);
            out.add(&Shape::lathe(&[(0.2, low + 0.15), (radius, low), (0.0, high + part)], segments, false, 1));
        }
        out.lod(flags, &paints)
    };
    let oak = |flags, rings, segments: u32| {
        let mut out = Shape::lathe(&[(0.4, -0.4), (0.28, 2.2)], segments.min(6), false, 0);
        let ball = Shape::ball(rings, segments, 2);
        out.add(&ball.stretched([1.7, 1.4, 1.7]).moved([0.0, 3.2, 0.0]));
        if rings > 3 {
            out.add(&ball.stretched([1.0, 0.9, 1.0]).moved([0.9, 3.9, 0.4]));
            out.add(&ball.stretched([0.9, 0.8, 1.0]).moved([-0.9, 3.7, -0.5]));
        }
        out.lod(flags, &paints)
    };
    PartsSpec {
        parts: vec![
            PartSpec::new("Fir", vec![fir(8, 3, 1), fir(0, 4, 1), fir(0, 5, 2), fir(0, 8, 3)]),
            PartSpec::new("Oak", vec![oak(0, 2, 4), oak(0, 3, 5), oak(0, 4, 7)]),
        ],
        ..PartsSpec::default()
    }
}

/// Trees with shared levels, placed by nodes with one translation key and one scale key.
pub(super) fn grove() -> ModelSpec {
    let places = [
        ("fir1", [0.0, 0.0, 0.0], 1.0),
        ("fir2", [2.6, -0.1, 1.2], 1.25),
        ("oak1", [-2.6, 0.0, 1.9], 0.9),
        ("fir4", [0.9, -0.3, 3.6], 1.1),
        ("Oak02", [-3.4, -0.2, -1.8], 1.1),
    ];
    let mut root = NodeSpec::new("grove");
    let mut objects = RoiSpec::new("grove", Vec::new());
    for (name, at, size) in places {
        root.children.push(NodeSpec::new(name).translation(0, at).scale(0, [size; 3]));
        objects.children.push(RoiSpec { center: [0.0, 2.5, 0.0], radius: 3.0, ..RoiSpec::shared(name) });
    }
    ModelSpec::of(objects, root)
}

/// A tire and a hub, centered on the x axis.
pub(super) fn wheel() -> PartsSpec {
    let paints = [named("lego black"), named("lego lt grey")];
    let of = |flags, segments| {
        let tyre = [(0.3, -0.16), (0.5, -0.16), (0.55, -0.08), (0.55, 0.08), (0.5, 0.16), (0.3, 0.16)];
        let mut out = Shape::lathe(if segments < 8 { &tyre[1..5] } else { &tyre }, segments, true, 0);
        out.add(&Shape::lathe(&[(0.0, -0.18), (0.3, -0.12), (0.3, 0.12), (0.0, 0.18)], segments, false, 1));
        out.turned(2, 0.25).lod(flags, &paints)
    };
    let parts = vec![PartSpec::new("wheel", vec![of(8, 4), of(0, 5), of(0, 10)])];
    PartsSpec { parts, ..PartsSpec::default() }
}

/// A house whose walls take the color of the object that uses it.
pub(super) fn cottage() -> PartsSpec {
    let parts = vec![PartSpec::new("Cottage", vec![house(8, 0), house(0, 1), house(0, 2)])];
    PartsSpec { parts, textures: vec![window()], ..PartsSpec::default() }
}

fn house(flags: u32, detail: u32) -> LodSpec {
    let paints = [
        inherited(),
        picture("roof.gif"),
        picture("brick.gif"),
        picture("window.gif"),
        flat("door", [0x5A, 0x36, 0x1E]),
    ];
    let mut out = Shape::cuboid([-2.0, -0.6, -1.5], [2.0, 2.0, 1.5], 0);
    // The gables, with two sheets of tiles that overhang on all sides.
    let gable = [(-1.5, 2.0), (0.0, 3.4), (1.5, 2.0)];
    out.add(&Shape::prism(&gable, -2.0, 2.0, 0).turned(1, 0.25));
    let uvs = [[0.0, 2.0], [0.0, 0.0], [4.0, 0.0], [4.0, 2.0]];
    let mut slope = Shape::default();
    slope.quad(1, [[-2.3, 1.75, -1.85], [-2.3, 3.5, 0.0], [2.3, 3.5, 0.0], [2.3, 1.75, -1.85]], uvs);
    out.add(&slope.clone().two_sided()).add(&slope.turned(1, 0.5).two_sided());
    if detail > 0 {
        out.add(&Shape::cuboid([1.0, 2.4, 0.4], [1.6, 4.1, 1.0], 2).tiled(0.5, 1.0));
        out.add(&Shape::cuboid([-0.4, -0.6, 1.5], [0.4, 1.3, 1.58], 4));
    }
    if detail > 1 {
        for (x, z) in [(-1.25, 1.5), (1.25, 1.5), (-0.9, -1.5), (0.9, -1.5)] {
            out.add(&Shape::cuboid([x - 0.4, 0.5, z - 0.06], [x + 0.4, 1.4, z + 0.06], 3));
        }
    }
    out.lod(flags, &paints)
}

/// A cottage in a color: the root has no levels of its own.
pub(super) fn cottage_in(name: &str, color: &str) -> ModelSpec {
    let root = RoiSpec { texture: color.into(), center: [0.0, 1.5, 0.0], radius: 3.5, ..RoiSpec::shared(name) };
    ModelSpec::of(root, NodeSpec::new(name))
}
