//! Conversion of meshes to glTF: mirrored, and with valid numbers only.

use std::collections::HashSet;
use std::sync::Arc;

use worldview_core::Result;
use worldview_island::{Geometry, Mesh, Name, Shading};

use super::binary::{Binary, Bounds, Values};
use super::frame::finite;
use super::schema::{Attributes, LINES, Primitive, TRIANGLES};

/// The values of a mesh, which are the same in all files.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    values: Arc<Values>,
    has_normals: bool,
    has_uvs: bool,
    mode: u32,
}

impl Shape {
    /// Decodes a mesh into `geometry` and converts it. Returns `None` if it has nothing to draw.
    pub(super) fn new(mesh: &Mesh<'_>, geometry: &mut Geometry) -> Result<Option<Self>> {
        mesh.decode_into(geometry)?;
        let shading = mesh.material(Name::default()).shading;
        let mode = if shading == Shading::Wireframe {
            geometry.indices = edges(&geometry.indices);
            LINES
        } else {
            turn(&mut geometry.indices);
            TRIANGLES
        };
        if geometry.indices.is_empty() {
            return Ok(None);
        }
        // glTF shades triangles without normals flat, and does not shade lines without normals.
        let (has_normals, has_uvs) = (shading == Shading::Smooth, !mesh.texture.is_absent());
        let per_vertex = 12 + 12 * usize::from(has_normals) + 8 * usize::from(has_uvs);
        let mut values = Values::with_capacity(per_vertex * geometry.positions.len() + 2 * geometry.indices.len());
        geometry.positions.iter_mut().for_each(|position| *position = mirrored(*position).map(valid));
        values.vectors(&geometry.positions, Bounds::Stated);
        if has_normals {
            make_unit(geometry);
            values.vectors(&geometry.normals, Bounds::Unstated);
        }
        if has_uvs {
            geometry.uvs.as_flattened_mut().iter_mut().for_each(|part| *part = valid(*part));
            values.uvs(&geometry.uvs);
        }
        values.indices(&geometry.indices);
        Ok(Some(Self { values: values.into(), has_normals, has_uvs, mode }))
    }

    /// Adds the values to a file. Returns a primitive that has no material yet.
    pub(super) fn add(&self, binary: &mut Binary) -> Primitive {
        let position = binary.add(Arc::clone(&self.values));
        let mut last = position;
        let mut next = |has: bool| {
            last += usize::from(has);
            has.then_some(last)
        };
        let attributes = Attributes { position, normal: next(self.has_normals), uv: next(self.has_uvs) };
        Primitive { attributes, indices: last + 1, material: 0, mode: self.mode }
    }

    /// Returns the approximate size in memory.
    pub(super) fn size(&self) -> usize {
        self.values.size()
    }
}

const fn mirrored([x, y, z]: [f32; 3]) -> [f32; 3] {
    [-x, y, z]
}

/// Replaces a number that is not finite with 0, and -0 with 0.
fn valid(value: f32) -> f32 {
    if value.is_finite() { value + 0.0 } else { 0.0 }
}

/// Reverses the winding of triangles, because mirroring turns front faces into back faces.
fn turn(indices: &mut [u16]) {
    indices.as_chunks_mut::<3>().0.iter_mut().for_each(|[_, b, c]| std::mem::swap(b, c));
}

/// Returns the edges of the triangles, without duplicates.
fn edges(indices: &[u16]) -> Vec<u16> {
    let (triangles, _) = indices.as_chunks::<3>();
    let mut seen = HashSet::new();
    let all = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let edges = all.filter(|&[a, b]| a != b && seen.insert([a.min(b), a.max(b)]));
    edges.flatten().collect()
}

/// Mirrors the normals, and scales them to length 1. A normal without a direction is replaced with that of a triangle,
/// or with the up direction.
fn make_unit(geometry: &mut Geometry) {
    const NONE: [f32; 3] = [0.0; 3];

    let Geometry { positions, normals, indices, .. } = geometry;
    let unit_or_none = |vector| unit(vector).unwrap_or(NONE);
    normals.iter_mut().for_each(|normal| *normal = unit_or_none(mirrored(*normal).map(f64::from)));
    if !normals.contains(&NONE) {
        return;
    }
    let (triangles, _) = indices.as_chunks::<3>();
    for triangle in triangles {
        let corners = triangle.map(usize::from);
        if corners.iter().any(|&corner| normals[corner] == NONE) {
            let [a, b, c] = corners.map(|corner| positions[corner].map(f64::from));
            let (u, v) = (minus(b, a), minus(c, a));
            let across = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
            for corner in corners {
                if normals[corner] == NONE {
                    normals[corner] = unit_or_none(across);
                }
            }
        }
    }
    normals.iter_mut().filter(|normal| **normal == NONE).for_each(|normal| *normal = [0.0, 1.0, 0.0]);
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| a[i] - b[i])
}

fn unit(vector: [f64; 3]) -> Option<[f32; 3]> {
    let length = vector.iter().map(|part| part * part).sum::<f64>().sqrt();
    (length > 0.0 && length.is_finite()).then(|| vector.map(|part| finite(part / length, 0.0)))
}
