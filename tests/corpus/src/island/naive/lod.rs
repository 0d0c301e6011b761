//! Levels of detail and their meshes, as stored.

use super::{Cursor, Load, NaiveName, Real, Result, naive};

naive! {
    /// A level of detail.
    pub struct NaiveLod |c| {
        /// Offset in the file.
        at: u64 = c.at,
        flags: u32,
        /// Number of meshes; `None` if the flags say that nothing follows.
        mesh_count: Option<u32> = c.when(flags & 4 == 0)?,
        @ { let meshes = mesh_count.unwrap_or(0); }
        /// The word that holds the numbers of positions and normals; `None` without meshes.
        counts: Option<u32> = c.when(meshes > 0)?,
        /// Number of texture coordinates; `None` without meshes.
        uv_count: Option<i32> = c.when(meshes > 0)?,
        @ { let lengths = counts.unwrap_or(0); }
        /// Positions.
        vertices: Vec<[Real; 3]> = c.all(lengths & 0x7FFF)?,
        normals: Vec<[Real; 3]> = c.all(lengths >> 17)?,
        uvs: Vec<[Real; 2]> = c.all(uv_count.unwrap_or(0).max(0).unsigned_abs())?,
        meshes: Vec<NaiveMesh> = c.all(meshes)?,
    }

    /// A mesh.
    pub struct NaiveMesh |c| {
        /// Offset in the file.
        at: u64 = c.at,
        /// Number of triangles, and the stored number of vertices.
        triangles, vertices: u16,
        @ { let count = 3 * u32::from(triangles); }
        /// File offset of the corners.
        corners_at: u64 = c.at,
        /// Three packed corners per triangle.
        corners: Vec<u32> = c.all(count)?,
        /// Stored number of texture-coordinate indices.
        uv_index_count: u32,
        /// File offset of the texture-coordinate indices.
        uv_indices_at: u64 = c.at,
        /// Texture-coordinate indices: one per corner if their count is not 0, whatever it says.
        uv_indices: Vec<u32> = c.all(if uv_index_count == 0 { 0 } else { count })?,
        /// Red, green, blue.
        color: [u8; 3],
        /// Opacity; 0 also means opaque.
        alpha: Real,
        /// 0 flat, 1 smooth, 2 wireframe.
        shading: u8,
        /// Whether it is shiny: any value but 0.
        specular: u8,
        /// A byte that the game does not use.
        unknown: u8,
        /// Whether the material's name selects the color from the game's table: any value but 0.
        alias: u8,
        texture, material: NaiveName,
    }
}

impl NaiveLod {
    /// Returns `true` if it is only used when its model is tiny on screen.
    pub fn is_extra(&self) -> bool {
        self.flags & 8 != 0
    }
}
