//! Levels of detail and their meshes.

use std::collections::BTreeMap;

use crate::builder::count;
use crate::island::LOD_EMPTY;
use crate::spec::{counted, elsewhere, list, spec};

spec! {
    /// A level of detail.
    pub struct LodSpec |lod, b| {
        /// Flags; if bit 2 is set, nothing else is written.
        pub flags: u32,
        @ {
            if lod.flags & LOD_EMPTY != 0 {
                return;
            }
        }
        mesh_count: count(lod.meshes.len()),
        @ {
            if lod.meshes.is_empty() {
                return;
            }
            let low = |list: &[_]| count(list.len()) & 0x7FFF;
        }
        counts: low(&lod.vertices) | low(&lod.normals) << 17 | lod.count_bits,
        @ { let uvs = i32::try_from(lod.uvs.len()).unwrap_or(i32::MAX); }
        uv_count: lod.uv_count.unwrap_or(uvs),
        /// Positions and normals shared by the meshes.
        pub vertices, normals: Vec<[f32; 3]>,
        /// Texture coordinates shared by the meshes.
        pub uvs: Vec<[f32; 2]>,
        /// Overrides the number of texture coordinates.
        pub uv_count: Option<i32> => elsewhere,
        /// Additional bits for the word with the other two counts; bits 15 and 16 have no meaning.
        pub count_bits: u32 => elsewhere,
        /// The meshes; if there are none, only the flags and a count of 0 are written.
        pub meshes: Vec<MeshSpec> => list("mesh"),
    }

    /// A mesh.
    pub struct MeshSpec |mesh, b| {
        /// Three corners per triangle.
        pub corners: Vec<CornerSpec> => elsewhere,
        /// Overrides the number of triangles.
        pub triangles: Option<u16> => elsewhere,
        /// Overrides the number of vertices, which is otherwise the number of new corners.
        pub vertices: Option<u16> => elsewhere,
        /// Whether there are texture-coordinate indices.
        pub has_uvs: bool => elsewhere,
        /// Overrides the number of those indices, which is otherwise the number of corners.
        pub uv_index_count: Option<u32> => elsewhere,
        @ {
            let short = |count| u16::try_from(count).unwrap_or(u16::MAX);
            let (corners, mut uvs): (Vec<_>, Vec<_>) = mesh.corners.iter().map(|corner| corner.words()).unzip();
            uvs.truncate(if mesh.has_uvs { uvs.len() } else { 0 });
        }
        triangle_count: mesh.triangles.unwrap_or(short(corners.len() / 3)),
        vertex_count: mesh.vertices.unwrap_or(short(mesh.new_vertices())),
        corners: corners,
        uv_index_count: mesh.uv_index_count.unwrap_or(count(uvs.len())),
        uv_indices: uvs,
        /// Red, green, blue.
        pub color: [u8; 3] = [0x80; 3],
        /// Opacity; 0 also means opaque.
        pub alpha: f32,
        /// 0 flat, 1 smooth, 2 wireframe.
        pub shading: u8 = 1,
        /// Whether it is shiny: any value but 0.
        pub specular: u8,
        /// A byte that the game does not use.
        pub unknown: u8,
        /// Whether the material's name selects the color from the game's table: any value but 0.
        pub alias: u8,
        pub texture, material: Vec<u8> => counted,
    }
}

/// A corner of a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CornerSpec {
    /// A vertex that is new to the mesh.
    New {
        /// Index of the position.
        vertex: u16,
        /// Index of the normal.
        normal: u16,
        /// Index of the texture coordinate.
        uv: u32,
    },
    /// An existing vertex of the mesh. Its index is written to both halves of the corner and as the texture coordinate.
    Back(u16),
    /// Raw words.
    Raw {
        /// The corner.
        corner: u32,
        /// Index of the texture coordinate.
        uv: u32,
    },
}

impl LodSpec {
    /// Creates a level with one triangle, whose mesh has no corners yet.
    pub fn triangle(mesh: MeshSpec) -> Self {
        let uvs = if mesh.has_uvs { vec![[0.0; 2], [1.0, 0.0], [0.0, 1.0]] } else { Vec::new() };
        let corners = MeshSpec::pack((0..3).map(|i| (i, 0, if mesh.has_uvs { i.into() } else { 0 })));
        Self {
            vertices: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            normals: vec![[0.0, 0.0, 1.0]],
            uvs,
            meshes: vec![MeshSpec { corners, ..mesh }],
            ..Self::default()
        }
    }

    /// Creates a level without meshes.
    pub fn empty(flags: u32) -> Self {
        Self { flags, ..Self::default() }
    }
}

impl MeshSpec {
    /// Packs corners given as position, normal and texture coordinate. The first use of a combination is a new vertex,
    /// and later uses refer to it.
    pub fn pack(corners: impl IntoIterator<Item = (u16, u16, u32)>) -> Vec<CornerSpec> {
        let mut known = BTreeMap::new();
        let mut out = Vec::new();
        for corner in corners {
            let count = u16::try_from(known.len()).unwrap_or(u16::MAX);
            out.push(match known.get(&corner) {
                Some(&index) => CornerSpec::Back(index),
                None => {
                    known.insert(corner, count);
                    let (vertex, normal, uv) = corner;
                    CornerSpec::New { vertex, normal, uv }
                }
            });
        }
        out
    }

    /// Creates a mesh without a texture.
    pub fn colored(corners: Vec<CornerSpec>, color: [u8; 3], material: &str) -> Self {
        Self { corners, color, material: material.into(), ..Self::default() }
    }

    /// Creates a mesh with a texture and texture-coordinate indices.
    pub fn textured(corners: Vec<CornerSpec>, texture: &str) -> Self {
        Self { corners, has_uvs: true, color: [0xFF; 3], texture: texture.into(), ..Self::default() }
    }

    /// Returns the number of corners that are new vertices.
    pub fn new_vertices(&self) -> usize {
        self.corners.iter().filter(|corner| corner.words().0 & 0x8000_0000 != 0).count()
    }
}

impl CornerSpec {
    /// Returns the corner and the index of its texture coordinate, as written to the file.
    pub fn words(self) -> (u32, u32) {
        match self {
            Self::New { vertex, normal, uv } => (0x8000_0000 | u32::from(normal) << 16 | u32::from(vertex), uv),
            Self::Back(index) => (u32::from(index) << 16 | u32::from(index), u32::from(index)),
            Self::Raw { corner, uv } => (corner, uv),
        }
    }
}
