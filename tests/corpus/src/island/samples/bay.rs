//! The island with its bay, the sea around it, and a pier.

use super::land::{BAY_HALF, bay_at};
use super::paints::{clear, flat, named, picture, rock, sand};
use crate::island::shapes::{Shape, Vector};
use crate::island::spec::{LodSpec, MeshSpec, ModelSpec, NodeSpec, RoiSpec};

/// The height of the dark ground under the sea.
const DEEP: f64 = -1.1;

pub(super) fn bay() -> ModelSpec {
    let objects = RoiSpec::new("bay", Vec::new())
        .child(RoiSpec::new("land", vec![land()]))
        .child(RoiSpec::new("sea", vec![sea()]));
    let root = NodeSpec::new("bay").child(NodeSpec::new("sea")).child(NodeSpec::new("land"));
    ModelSpec::of(objects, root).texture(sand()).texture(rock())
}

fn land() -> LodSpec {
    let ground = |texture: &str| MeshSpec { shading: 1, ..picture(texture) };
    let paints = [ground("grass.gif"), ground("sand.gif"), ground("rock.gif")];
    let side = 2.0 * BAY_HALF;
    let place = |part: f64| (part - 0.5) * side;
    let shape = Shape::sheet((12, 12), 10.0, |_, _| 0, |x, z| bay_at(place(x), place(z)));
    let rock = |p: Vector| (p[0] - 13.0) * (p[0] - 13.0) + (p[2] + 9.0) * (p[2] + 9.0) - 24.0;
    let shape = shape.moved([-0.5, 0.0, -0.5]).stretched([side, 1.0, side]).cut(0, Some(1), |p| p[1] - 0.5);
    // The part below the dark ground is omitted.
    let shape = shape.cut(1, None, |p| p[1] - DEEP).cut(0, Some(2), rock).cut(1, Some(2), rock);
    shape.lod(0, &paints)
}

fn sea() -> LodSpec {
    let paints = [clear("sea", [0x2A, 0x7E, 0xB4], 0.72), flat("deep", [0x4C, 0x70, 0x78])];
    let plane = |y: f64, half: f64, paint| {
        let mut out = Shape::default();
        let ring = [[-half, y, -half], [-half, y, half], [half, y, half], [half, y, -half]];
        out.quad(paint, ring, [[0.0; 2]; 4]);
        out
    };
    let mut out = plane(0.0, BAY_HALF, 0);
    out.add(&plane(DEEP, BAY_HALF, 1));
    out.lod(0, &paints)
}

/// Planks on posts; the end of the pier points forward.
pub(super) fn pier() -> ModelSpec {
    let paints = [picture("planks.gif"), flat("post", [0x58, 0x3C, 0x24]), named("lego red")];
    let mut out = Shape::cuboid([-1.0, 0.55, -5.0], [1.0, 0.75, 4.0], 0).tiled(1.0, 4.0);
    for z in [-4.7, -0.5, 3.7] {
        for x in [-0.95, 0.95] {
            out.add(&Shape::lathe(&[(0.16, -1.6), (0.16, 1.1), (0.0, 1.1)], 5, false, 1).moved([x, 0.0, z]));
        }
    }
    out.add(&Shape::ball(3, 6, 2).stretched([0.25; 3]).moved([0.7, 0.95, 3.4]));
    ModelSpec::new("pier", vec![out.lod(0, &paints)])
}
