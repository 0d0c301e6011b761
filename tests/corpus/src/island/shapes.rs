//! Triangle meshes of generated databases, drawn by code with exactly reproducible arithmetic, so that all machines draw the same shapes.

use std::collections::BTreeMap;
use std::f64::consts::FRAC_PI_2;

use super::spec::{LodSpec, MeshSpec};

mod solids;

/// A point or a direction: x right, y up, z forward.
pub(super) type Vector = [f64; 3];

/// A corner of a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Corner {
    pub(super) position: Vector,
    pub(super) normal: Vector,
    pub(super) uv: [f64; 2],
}

/// Triangles, each with the index of its paint.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Shape {
    faces: Vec<(usize, [Corner; 3])>,
}

/// Returns sine and cosine of a fraction of a full turn. The series is accurate enough for `f32`, and gives the same
/// result on all machines.
pub(super) fn sin_cos(turns: f64) -> (f64, f64) {
    let quarters = (turns - turns.floor()) * 4.0;
    let x = (quarters - quarters.floor()) * FRAC_PI_2;
    let square = x * x;
    let (mut sin, mut cos) = (0.0, 0.0);
    // From the innermost term outward: 1, -x^2/(1*2), and so on.
    for n in (0..12).rev() {
        let n = 2.0 * f64::from(n);
        sin = 1.0 - square / ((n + 2.0) * (n + 3.0)) * sin;
        cos = 1.0 - square / ((n + 1.0) * (n + 2.0)) * cos;
    }
    sin *= x;
    if quarters < 1.0 {
        (sin, cos)
    } else if quarters < 2.0 {
        (cos, -sin)
    } else if quarters < 3.0 {
        (-sin, -cos)
    } else {
        (-cos, sin)
    }
}

pub(super) fn minus(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(super) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Returns the direction with length 1; the zero vector is returned unchanged.
pub(super) fn unit(v: Vector) -> Vector {
    let length = dot(v, v).sqrt();
    if length > 0.0 { v.map(|part| part / length) } else { v }
}

/// Rounds to a grid too fine to be visible. Never returns -0.
pub(super) fn narrow(value: f64, grid: f64) -> f32 {
    #[expect(clippy::cast_possible_truncation, reason = "rounding to the nearest float is intended")]
    let float = ((value * grid).round() / grid) as f32;
    float + 0.0
}

impl Shape {
    /// Adds a triangle.
    pub(super) fn face(&mut self, paint: usize, corners: [Corner; 3]) {
        self.faces.push((paint, corners));
    }

    /// Adds the triangles of another shape.
    pub(super) fn add(&mut self, other: &Self) -> &mut Self {
        self.faces.extend(&other.faces);
        self
    }

    /// Returns the shape with its positions and normals transformed.
    fn map(&self, position: impl Fn(Vector) -> Vector, normal: impl Fn(Vector) -> Vector) -> Self {
        let corner = |c: Corner| Corner { position: position(c.position), normal: unit(normal(c.normal)), uv: c.uv };
        Self { faces: self.faces.iter().map(|&(paint, corners)| (paint, corners.map(corner))).collect() }
    }

    /// Returns the shape moved.
    pub(super) fn moved(&self, by: Vector) -> Self {
        self.map(|p| [p[0] + by[0], p[1] + by[1], p[2] + by[2]], |n| n)
    }

    /// Returns the shape stretched.
    pub(super) fn stretched(&self, by: Vector) -> Self {
        self.map(|p| [p[0] * by[0], p[1] * by[1], p[2] * by[2]], |n| [n[0] / by[0], n[1] / by[1], n[2] / by[2]])
    }

    /// Returns a level of detail with a mesh for each used paint. The shared pools contain each value once.
    pub(super) fn lod(&self, flags: u32, paints: &[MeshSpec]) -> LodSpec {
        let mut lod = LodSpec { flags, ..LodSpec::default() };
        let (mut vertices, mut normals, mut uvs) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        for (paint, template) in paints.iter().enumerate() {
            let mut corners = Vec::new();
            for &(_, mut face) in self.faces.iter().filter(|face| face.0 == paint) {
                let [a, b, c] = face.map(|corner| corner.position);
                let out = face[0].normal;
                let out = [1, 2].iter().fold(out, |out, &i| [0, 1, 2].map(|axis| out[axis] + face[i].normal[axis]));
                if dot(cross(minus(b, a), minus(c, a)), out) < 0.0 {
                    face.swap(1, 2);
                }
                for corner in face {
                    let vertex = number(&mut vertices, &mut lod.vertices, corner.position.map(|v| narrow(v, 1024.0)));
                    let normal = number(&mut normals, &mut lod.normals, corner.normal.map(|v| narrow(v, 65_536.0)));
                    let uv = if template.has_uvs {
                        number(&mut uvs, &mut lod.uvs, corner.uv.map(|v| narrow(v, 4096.0)))
                    } else {
                        0
                    };
                    corners.push((vertex, normal, u32::from(uv)));
                }
            }
            if !corners.is_empty() {
                lod.meshes.push(MeshSpec { corners: MeshSpec::pack(corners), ..template.clone() });
            }
        }
        lod
    }
}

/// Returns the index of a value in a deduplicated list, appending it if necessary.
fn number<const N: usize>(known: &mut BTreeMap<[u32; N], u16>, list: &mut Vec<[f32; N]>, value: [f32; N]) -> u16 {
    *known.entry(value.map(f32::to_bits)).or_insert_with(|| {
        list.push(value);
        u16::try_from(list.len() - 1).unwrap_or(u16::MAX)
    })
}
