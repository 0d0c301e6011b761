//! A meadow with fields and a road, and a table for the toys.

use super::land::{MEADOW_HALF, meadow_at};
use super::paints::{field, named, picture};
use crate::island::shapes::{Shape, Vector, sin_cos};
use crate::island::spec::{LodSpec, MeshSpec, ModelSpec};

pub(super) fn meadow() -> ModelSpec {
    ModelSpec::new("meadow", vec![ground()]).texture(field())
}

fn ground() -> LodSpec {
    let smooth = |texture: &str| MeshSpec { shading: 1, ..picture(texture) };
    let paints = [smooth("grass.gif"), smooth("field.gif"), MeshSpec { shading: 1, ..named("lego lt grey fla") }];
    let side = 2.0 * MEADOW_HALF;
    let place = |part: f64| (part - 0.5) * side;
    let paint = |x: f64, z: f64| {
        let is_field = (0.58..0.95).contains(&x) && (0.7..0.97).contains(&z) || (0.1..0.4).contains(&x) && z < 0.2;
        usize::from(is_field)
    };
    let shape = Shape::sheet((9, 9), 8.0, paint, |x, z| meadow_at(place(x), place(z)));
    let shape = shape.moved([-0.5, 0.0, -0.5]).stretched([side, 1.0, side]);
    // Distance north of the center of the road.
    let road = |p: Vector| p[2] + 3.0 + p[0] * 0.28 - 1.2 * sin_cos(p[0] * 0.04).0;
    shape.cut(0, Some(2), |p| road(p) - 1.4).cut(2, Some(0), |p| road(p) + 1.4).lod(0, &paints)
}

pub(super) fn table() -> ModelSpec {
    let paints = [picture("planks.gif"), named("lego brown")];
    let mut out = Shape::cuboid([-13.0, -0.6, -5.0], [13.0, 0.0, 6.0], 0).tiled(4.0, 2.0);
    for (x, z) in [(-12.0, -4.0), (12.0, -4.0), (12.0, 5.0), (-12.0, 5.0)] {
        out.add(&Shape::cuboid([x - 0.5, -6.0, z - 0.5], [x + 0.5, -0.6, z + 0.5], 1));
    }
    ModelSpec::new("table", vec![out.lod(0, &paints)])
}
