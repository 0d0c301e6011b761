//! Conversion of meshes to glTF: mirrored, and with valid numbers only.

use std::collections::HashSet;
use std::sync::Arc;

use worldview_core::Result;
use worldview_island::{Counts, Geometry, Mesh, Shading};

use super::binary::{Binary, Bounds, Values};
use super::frame::finite;
use super::schema::{Attributes, LINES, Primitive, TRIANGLES};

/// The meshes of a level, which are the same in all files.
#[derive(Debug)]
pub(super) struct Shapes {
    values: Arc<Values>,
    /// By index of the mesh, the primitive, with indices into `values` and no material; `None` if it has nothing to draw.
    primitives: Vec<Result<Option<Primitive>>>,
}

impl Shapes {
    /// Decodes the meshes of a level into `geometry` and converts them in this order.
    pub(super) fn new(meshes: &[Mesh<'_>], order: &[usize], geometry: &mut Geometry) -> Self {
        let size = meshes.iter().map(|mesh| {
            let (has_normals, has_uvs) = stated(mesh);
            let per_vertex = 12 + 12 * usize::from(has_normals) + 8 * usize::from(has_uvs);
            let Counts { vertices, indices } = mesh.counts();
            per_vertex * vertices + 2 * indices + 2
        });
        let mut values = Values::with_capacity(size.sum(), 4 * meshes.len());
        let mut primitives = vec![Ok(None); meshes.len()];
        for &i in order {
            primitives[i] = add(&meshes[i], geometry, &mut values);
        }
        Self { values: values.into(), primitives }
    }

    /// Adds the values to a file. Returns the primitives, which have no material yet.
    pub(super) fn add(&self, binary: &mut Binary) -> impl Iterator<Item = Result<Option<Primitive>>> {
        let first = binary.add(Arc::clone(&self.values));
        self.primitives.iter().map(move |primitive| {
            primitive.map(|primitive| {
                primitive.map(|primitive| {
                    let Attributes { position, normal, uv } = primitive.attributes;
                    let attributes = Attributes {
                        position: first + position,
                        normal: normal.map(|normal| first + normal),
                        uv: uv.map(|uv| first + uv),
                    };
                    Primitive { attributes, indices: first + primitive.indices, ..primitive }
                })
            })
        })
    }

    /// Returns the approximate size in memory.
    pub(super) fn size(&self) -> usize {
        size_of_val(self.primitives.as_slice()) + self.values.size()
    }
}

/// Returns whether the values of a mesh contain normals and texture coordinates. glTF shades triangles without normals
/// flat, and does not shade lines without normals.
fn stated(mesh: &Mesh<'_>) -> (bool, bool) {
    (mesh.shading() == Shading::Smooth, !mesh.texture.is_absent())
}

/// Adds the values of a mesh.
fn add(mesh: &Mesh<'_>, geometry: &mut Geometry, values: &mut Values) -> Result<Option<Primitive>> {
    mesh.decode_into(geometry)?;
    let mode = if mesh.shading() == Shading::Wireframe {
        geometry.indices = edges(&geometry.indices);
        LINES
    } else {
        turn(&mut geometry.indices);
        TRIANGLES
    };
    if geometry.indices.is_empty() {
        return Ok(None);
    }
    let (has_normals, has_uvs) = stated(mesh);
    geometry.positions.iter_mut().for_each(|position| *position = mirrored(*position).map(valid));
    let position = values.vectors(&geometry.positions, Bounds::Stated);
    let normal = has_normals.then(|| {
        make_unit(geometry);
        values.vectors(&geometry.normals, Bounds::Unstated)
    });
    let uv = has_uvs.then(|| {
        geometry.uvs.as_flattened_mut().iter_mut().for_each(|part| *part = valid(*part));
        values.uvs(&geometry.uvs)
    });
    let indices = values.indices(&geometry.indices);
    Ok(Some(Primitive { attributes: Attributes { position, normal, uv }, indices, material: 0, mode }))
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
