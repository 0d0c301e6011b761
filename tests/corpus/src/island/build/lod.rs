//! Levels of detail and their meshes.

use super::Writer;
use crate::island::LOD_EMPTY;
use crate::island::spec::{LodSpec, MeshSpec};

pub(super) fn lods(w: &mut Writer, at: &str, lods: &[LodSpec]) {
    for (i, spec) in lods.iter().enumerate() {
        lod(w, &format!("{at}.lod[{i}]"), spec);
    }
}

fn lod(w: &mut Writer, at: &str, spec: &LodSpec) {
    w.label(at, "").label(at, "flags").b.u32_le(spec.flags);
    if spec.flags & LOD_EMPTY != 0 {
        return;
    }
    w.label(at, "mesh_count").count(spec.meshes.len());
    if spec.meshes.is_empty() {
        return;
    }
    let low = |count: usize| u32::try_from(count).unwrap_or(u32::MAX) & 0x7FFF;
    let counts = low(spec.vertices.len()) | low(spec.normals.len()) << 17 | spec.count_bits;
    w.label(at, "counts").b.u32_le(counts);
    let uvs = spec.uv_count.unwrap_or(i32::try_from(spec.uvs.len()).unwrap_or(i32::MAX));
    w.label(at, "uv_count").b.i32_le(uvs);
    w.label(at, "vertices").floats(spec.vertices.as_flattened());
    w.label(at, "normals").floats(spec.normals.as_flattened());
    w.label(at, "uvs").floats(spec.uvs.as_flattened());
    for (i, spec) in spec.meshes.iter().enumerate() {
        mesh(w, &format!("{at}.mesh[{i}]"), spec);
    }
}

fn mesh(w: &mut Writer, at: &str, spec: &MeshSpec) {
    let short = |count: usize| u16::try_from(count).unwrap_or(u16::MAX);
    let triangles = spec.triangles.unwrap_or(short(spec.corners.len() / 3));
    let vertices = spec.vertices.unwrap_or(short(spec.new_vertices()));
    w.label(at, "").label(at, "triangle_count").b.u16_le(triangles);
    w.label(at, "vertex_count").b.u16_le(vertices);
    w.label(at, "corners");
    for corner in &spec.corners {
        w.b.u32_le(corner.words().0);
    }
    let given = if spec.has_uvs { spec.corners.len() } else { 0 };
    let count = spec.uv_index_count.unwrap_or(u32::try_from(given).unwrap_or(u32::MAX));
    w.label(at, "uv_index_count").b.u32_le(count);
    w.label(at, "uv_indices");
    if spec.has_uvs {
        for corner in &spec.corners {
            w.b.u32_le(corner.words().1);
        }
    }
    w.label(at, "color").b.bytes(&spec.color);
    w.label(at, "alpha").b.f32_le(spec.alpha);
    w.label(at, "shading").b.u8(spec.shading);
    w.label(at, "specular").b.u8(spec.specular);
    w.label(at, "unknown").b.u8(spec.unknown);
    w.label(at, "alias").b.u8(spec.alias);
    w.text(at, "texture", &spec.texture).text(at, "material", &spec.material);
}
