//! Conversion of meshes to glTF: mirrored, and with valid numbers only.

use std::collections::HashSet;

use worldview_island::{Geometry, Mesh, Shading};

use super::binary::{Binary, Bounds};
use super::frame::{finite, point};
use super::schema::{Attributes, LINES, TRIANGLES};

/// A mesh in the binary chunk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) attributes: Attributes,
    pub(super) indices: usize,
    pub(super) mode: u32,
}

impl Shape {
    /// Adds a decoded mesh. Returns `None` if it has nothing to draw.
    pub(super) fn add(mesh: &Mesh<'_>, geometry: &Geometry, shading: Shading, binary: &mut Binary) -> Option<Self> {
        let (indices, mode) = match shading {
            Shading::Wireframe => (edges(&geometry.indices), LINES),
            _ => (turned(&geometry.indices), TRIANGLES),
        };
        if indices.is_empty() {
            return None;
        }
        let positions: Vec<_> = geometry.positions.iter().map(|position| point(position.map(f64::from))).collect();
        // glTF shades triangles without normals flat, and does not shade lines without normals.
        let normals = (shading == Shading::Smooth).then(|| normals(geometry, &positions, &indices));
        let uvs = (!mesh.texture.is_absent())
            .then(|| geometry.uvs.iter().map(|uv| uv.map(|part| finite(part.into(), 0.0))).collect::<Vec<_>>());
        let attributes = Attributes {
            position: binary.vectors(&positions, Bounds::Stated),
            normal: normals.map(|normals| binary.vectors(&normals, Bounds::Unstated)),
            uv: uvs.map(|uvs| binary.uvs(&uvs)),
        };
        Some(Self { attributes, indices: binary.indices(&indices), mode })
    }
}

/// Returns the triangles with reversed winding, because mirroring turns front faces into back faces.
fn turned(indices: &[u16]) -> Vec<u16> {
    let (triangles, _) = indices.as_chunks::<3>();
    triangles.iter().flat_map(|&[a, b, c]| [a, c, b]).collect()
}

/// Returns the edges of the triangles, without duplicates.
fn edges(indices: &[u16]) -> Vec<u16> {
    let (triangles, _) = indices.as_chunks::<3>();
    let mut seen = HashSet::new();
    let all = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let edges = all.filter(|&[a, b]| a != b && seen.insert([a.min(b), a.max(b)]));
    edges.flatten().collect()
}

/// Returns the normals, mirrored and scaled to length 1. A normal without a direction is replaced with that of a
/// triangle, or with the up direction.
fn normals(geometry: &Geometry, positions: &[[f32; 3]], indices: &[u16]) -> Vec<[f32; 3]> {
    let mut out: Vec<_> = geometry.normals.iter().map(|&[x, y, z]| unit([-x, y, z].map(f64::from))).collect();
    if out.contains(&None) {
        let (triangles, _) = indices.as_chunks::<3>();
        for triangle in triangles {
            let corners = triangle.map(usize::from);
            if corners.iter().any(|&corner| out[corner].is_none()) {
                let [a, b, c] = corners.map(|corner| positions[corner].map(f64::from));
                let (u, v) = (minus(b, a), minus(c, a));
                let across = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
                for corner in corners {
                    out[corner] = out[corner].or_else(|| unit(across));
                }
            }
        }
    }
    out.into_iter().map(|normal| normal.unwrap_or([0.0, 1.0, 0.0])).collect()
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| a[i] - b[i])
}

fn unit(vector: [f64; 3]) -> Option<[f32; 3]> {
    let length = vector.iter().map(|part| part * part).sum::<f64>().sqrt();
    (length > 0.0 && length.is_finite()).then(|| vector.map(|part| finite(part / length, 0.0)))
}
