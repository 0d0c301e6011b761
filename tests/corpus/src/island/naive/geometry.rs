//! A mesh as rebuilt by the game: vertices, and three indices per triangle.

use super::{NaiveError, NaiveLod, NaiveMesh, Real, Result, wide};

/// The vertices and indices of a mesh.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NaiveGeometry {
    /// Positions.
    pub positions: Vec<[Real; 3]>,
    /// Normals, as many as positions.
    pub normals: Vec<[Real; 3]>,
    /// Texture coordinates, as many as positions; all 0 if the mesh has none.
    pub uvs: Vec<[Real; 2]>,
    /// Vertex indices, three per triangle.
    pub indices: Vec<u32>,
}

/// Rebuilds a mesh of a level of detail.
pub fn decode(lod: &NaiveLod, mesh: &NaiveMesh) -> Result<NaiveGeometry> {
    let mut out = NaiveGeometry::default();
    let has_uvs = mesh.uv_index_count != 0 && lod.uv_count > Some(0);
    for (k, &corner) in mesh.corners.iter().enumerate() {
        let at = mesh.corners_at + 4 * wide(k);
        let low = corner & 0xFFFF;
        if corner < 0x8000_0000 {
            if wide(out.positions.len()) <= u64::from(low) {
                return Err(NaiveError::new(at, format!("back to vertex {low} of {}", out.positions.len())));
            }
            out.indices.push(low);
            continue;
        }
        out.indices.push(u32::try_from(out.positions.len()).unwrap_or(u32::MAX));
        out.positions.push(nth(&lod.vertices, low, at, "position")?);
        out.normals.push(nth(&lod.normals, corner >> 16 & 0x7FFF, at, "normal")?);
        out.uvs.push(if has_uvs {
            nth(&lod.uvs, mesh.uv_indices[k], mesh.uv_indices_at + 4 * wide(k), "texture coordinate")?
        } else {
            [Real(0); 2]
        });
    }
    if wide(out.positions.len()) != u64::from(mesh.vertices) {
        let what = format!("{} vertices instead of {}", out.positions.len(), mesh.vertices);
        return Err(NaiveError::new(mesh.at + 2, what));
    }
    Ok(out)
}

fn nth<T: Copy>(list: &[T], index: u32, at: u64, what: &str) -> Result<T> {
    let found = usize::try_from(index).ok().and_then(|index| list.get(index));
    found.copied().ok_or_else(|| NaiveError::new(at, format!("{what} {index} of {}", list.len())))
}
