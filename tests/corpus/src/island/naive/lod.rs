//! Levels of detail and their meshes, as stored.

use super::{Cursor, NaiveError, NaiveName, Real};

/// A level of detail.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NaiveLod {
    /// Offset in the file.
    pub at: u64,
    /// Flags.
    pub flags: u32,
    /// Number of meshes; `None` if the flags say that nothing follows.
    pub mesh_count: Option<u32>,
    /// The word that holds the numbers of positions and normals; `None` without meshes.
    pub counts: Option<u32>,
    /// Number of texture coordinates; `None` without meshes.
    pub uv_count: Option<i32>,
    /// Positions.
    pub vertices: Vec<[Real; 3]>,
    /// Normals.
    pub normals: Vec<[Real; 3]>,
    /// Texture coordinates.
    pub uvs: Vec<[Real; 2]>,
    /// Meshes.
    pub meshes: Vec<NaiveMesh>,
}

/// A mesh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveMesh {
    /// Offset in the file.
    pub at: u64,
    /// Number of triangles.
    pub triangles: u16,
    /// Stored number of vertices.
    pub vertices: u16,
    /// File offset of the corners.
    pub corners_at: u64,
    /// Three packed corners per triangle.
    pub corners: Vec<u32>,
    /// Stored number of texture-coordinate indices.
    pub uv_index_count: u32,
    /// File offset of the texture-coordinate indices.
    pub uv_indices_at: u64,
    /// Texture-coordinate indices: one per corner, or none.
    pub uv_indices: Vec<u32>,
    /// Red, green, blue.
    pub color: [u8; 3],
    /// Opacity; 0 also means opaque.
    pub alpha: Real,
    /// 0 flat, 1 smooth, 2 wireframe.
    pub shading: u8,
    /// Whether it is shiny: any value but 0.
    pub specular: u8,
    /// A byte that the game does not use.
    pub unknown: u8,
    /// Whether the material's name selects the color from the game's table: any value but 0.
    pub alias: u8,
    /// Name of the texture.
    pub texture: NaiveName,
    /// Name of the material.
    pub material: NaiveName,
}

impl NaiveLod {
    /// Returns `true` if it is only used when its model is tiny on screen.
    pub fn is_extra(&self) -> bool {
        self.flags & 8 != 0
    }
}

/// Reads `count` levels, all of which must be inside the cursor's window.
pub(super) fn lods(c: &mut Cursor<'_>, count: u32) -> Result<Vec<NaiveLod>, NaiveError> {
    let mut out = Vec::new();
    for _ in 0..count {
        out.push(lod(c)?);
    }
    Ok(out)
}

fn lod(c: &mut Cursor<'_>) -> Result<NaiveLod, NaiveError> {
    let mut out = NaiveLod { at: c.at, flags: c.u32()?, ..NaiveLod::default() };
    if out.flags & 4 != 0 {
        return Ok(out);
    }
    let at = c.at;
    let mesh_count = c.u32()?;
    out.mesh_count = Some(mesh_count);
    if mesh_count == 0 {
        return Ok(out);
    }
    c.needs(at, mesh_count.into(), 27)?;
    let counts_at = c.at;
    let counts = c.u32()?;
    let (vertices, normals) = (counts & 0x7FFF, counts >> 17);
    let uv_count = c.i32()?;
    let uvs = if uv_count > 0 { uv_count.unsigned_abs() } else { 0 };
    let size = 12 * u64::from(vertices) + 12 * u64::from(normals) + 8 * u64::from(uvs);
    c.needs(counts_at, size, 1)?;
    (out.counts, out.uv_count) = (Some(counts), Some(uv_count));
    for _ in 0..vertices {
        out.vertices.push(c.reals()?);
    }
    for _ in 0..normals {
        out.normals.push(c.reals()?);
    }
    for _ in 0..uvs {
        out.uvs.push(c.reals()?);
    }
    for _ in 0..mesh_count {
        out.meshes.push(mesh(c)?);
    }
    Ok(out)
}

fn mesh(c: &mut Cursor<'_>) -> Result<NaiveMesh, NaiveError> {
    let at = c.at;
    let (triangles, vertices) = (c.u16()?, c.u16()?);
    let corner_count = 3 * u32::from(triangles);
    let (corners_at, corners) = words(c, at, corner_count)?;
    let count_at = c.at;
    let uv_index_count = c.u32()?;
    // If the count is not 0, there is one index per corner, whatever the count says.
    let given = if uv_index_count == 0 { 0 } else { corner_count };
    let (uv_indices_at, uv_indices) = words(c, count_at, given)?;
    Ok(NaiveMesh {
        at,
        triangles,
        vertices,
        corners_at,
        corners,
        uv_index_count,
        uv_indices_at,
        uv_indices,
        color: [c.u8()?, c.u8()?, c.u8()?],
        alpha: c.real()?,
        shading: c.u8()?,
        specular: c.u8()?,
        unknown: c.u8()?,
        alias: c.u8()?,
        texture: c.name()?,
        material: c.name()?,
    })
}

fn words(c: &mut Cursor<'_>, count_at: u64, count: u32) -> Result<(u64, Vec<u32>), NaiveError> {
    c.needs(count_at, count.into(), 4)?;
    let at = c.at;
    let mut out = Vec::new();
    for _ in 0..count {
        out.push(c.u32()?);
    }
    Ok((at, out))
}
