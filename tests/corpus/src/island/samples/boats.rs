//! A sailboat that rocks and bobs. The sail is a child of the hull in the animation, and its sibling in the object
//! tree.

use super::paints::{flat, named, picture, sail};
use crate::island::shapes::{Shape, Vector};
use crate::island::spec::{LodSpec, ModelSpec, NodeSpec, RoiSpec};

pub(super) fn boat() -> ModelSpec {
    let objects = RoiSpec::new("boat", Vec::new())
        .child(RoiSpec::new("hull", vec![hull(0, 1), hull(0, 2)]))
        .child(RoiSpec::new("sail", vec![sails(0, 4)]));
    let rocks = |angle: f32| {
        // For small angles the sine is close to the angle, and the error in length is negligible.
        [1.0 - angle * angle / 8.0, 0.0, 0.0, angle / 2.0]
    };
    let hull = NodeSpec::new("hull")
        .translation(0, [0.0, -0.05, 0.0])
        .translation(1500, [0.0, 0.12, 0.0])
        .translation(3000, [0.0, -0.05, 0.0])
        .rotation(0, rocks(-0.07))
        .rotation(1500, rocks(0.07))
        .rotation(3000, rocks(-0.07));
    let swing = |angle: f32| [1.0 - angle * angle / 8.0, 0.0, angle / 2.0, 0.0];
    let sail_node =
        NodeSpec::new("sail").rotation(0, swing(0.2)).rotation(1500, swing(0.35)).rotation(3000, swing(0.2));
    let root = NodeSpec::new("boat").child(hull.child(sail_node));
    ModelSpec::of(objects, root).texture(sail())
}

/// Returns half the width, the height of the edge, and the depth at a position between stern and bow.
fn station(z: f64) -> Vec<Vector> {
    let part = (z + 3.0) / 6.5;
    let half = 1.15 * (1.0 - part * part * part) * (0.75 + 0.5 * part) + 0.02;
    let edge = 0.62 + 0.35 * part * part;
    let depth = -0.45 + 0.4 * part * part * part;
    vec![[-half, edge, z], [-half * 0.85, 0.1, z], [0.0, depth, z], [half * 0.85, 0.1, z], [half, edge, z]]
}

fn hull(flags: u32, detail: u32) -> LodSpec {
    let paints = [named("lego white"), picture("planks.gif"), named("lego blue"), flat("wood", [0x7A, 0x50, 0x2C])];
    let count = 3 * detail;
    let at = |i: u32| -3.0 + 6.5 * f64::from(i) / f64::from(count);
    let outlines: Vec<_> = (0..=count).map(|i| station(at(i))).collect();
    let mut out = Shape::hull(&outlines, 0);
    // The deck is slightly below the edge, so the inside of the edge is visible as well.
    for pair in outlines.windows(2) {
        let down = |p: Vector| [p[0] * 0.97, p[1] - 0.18, p[2]];
        let ring = [down(pair[0][0]), down(pair[1][0]), down(pair[1][4]), down(pair[0][4])];
        out.quad(1, ring, ring.map(|p| [p[2] / 2.0, p[0] / 2.0]));
        for side in [0, 4] {
            let (near, far) = (pair[0][side], pair[1][side]);
            let ring = [near, far, down(far), down(near)];
            let mut wall = Shape::default();
            wall.quad(2, ring, [[0.0; 2]; 4]);
            out.add(&wall.two_sided());
        }
    }
    let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(|i| outlines[0][i]);
    out.quad(0, [e, d, b, a], [[0.0; 2]; 4]).triangle(0, [d, c, b], [[0.0; 2]; 3]);
    if detail > 1 {
        out.add(&Shape::cuboid([-0.55, 0.4, -2.1], [0.55, 0.62, -1.5], 1));
        out.add(&Shape::cuboid([-0.06, 0.2, -3.2], [0.06, 0.9, -3.0], 3));
        out.add(&Shape::lathe(&[(0.1, 0.3), (0.06, 6.4)], 6, false, 3).moved([0.0, 0.0, 0.6]));
    } else {
        out.add(&Shape::lathe(&[(0.1, 0.3), (0.06, 6.4)], 3, false, 3).moved([0.0, 0.0, 0.6]));
    }
    out.lod(flags, &paints)
}

/// A main sail that bulges to one side, a jib in front of the mast, a boom and a flag.
fn sails(flags: u32, steps: u32) -> LodSpec {
    let paints = [picture("sail.gif"), flat("wood", [0x7A, 0x50, 0x2C]), named("lego red")];
    let mut cloth = Shape::default();
    for (low, high, front, back, bulge) in [(1.4, 6.1, 0.45, -2.7, 0.5), (1.0, 5.2, 3.2, 0.8, -0.35)] {
        let jib = bulge < 0.0;
        let point = |row: u32, column: u32| {
            let (v, u) = (f64::from(row) / f64::from(steps), f64::from(column) / f64::from(steps));
            // The jib's front edge slants back to the mast; the main sail's is vertical.
            let front = if jib { front + (0.75 - front) * v } else { front };
            let back = if jib { back } else { back + (front - back) * v };
            let z = front + (back - front) * u;
            let x = bulge * 4.0 * u * (1.0 - u) * (1.0 - v * 0.7);
            ([x, low + (high - low) * v, z], [u, 1.0 - v])
        };
        for row in 0..steps {
            for column in 0..steps {
                let ring = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(r, c)| point(row + r, column + c));
                cloth.quad(0, ring.map(|corner| corner.0), ring.map(|corner| corner.1));
            }
        }
    }
    let mut out = cloth.two_sided();
    out.add(&Shape::cuboid([-0.05, 1.25, -2.8], [0.05, 1.35, 0.5], 1));
    let mut flag = Shape::default();
    flag.triangle(2, [[0.0, 6.1, 0.55], [0.0, 6.55, 0.55], [0.1, 6.3, -0.45]], [[0.0; 2]; 3]);
    out.add(&flag.two_sided());
    out.lod(flags, &paints)
}
