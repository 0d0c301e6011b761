//! Levels of detail and their meshes.

use std::collections::BTreeMap;

/// One level of detail.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct LodSpec {
    /// Flags; with bit 2 nothing else is written.
    pub flags: u32,
    /// Positions that the meshes share.
    pub vertices: Vec<[f32; 3]>,
    /// Normals that the meshes share.
    pub normals: Vec<[f32; 3]>,
    /// Texture coordinates that the meshes share.
    pub uvs: Vec<[f32; 2]>,
    /// The number of texture coordinates, if it is to be told otherwise.
    pub uv_count: Option<i32>,
    /// Bits that the word of the two other counts has besides; 15 and 16 mean nothing.
    pub count_bits: u32,
    /// The meshes; without any, flags and a count of 0 are all that is written.
    pub meshes: Vec<MeshSpec>,
}

/// One mesh.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct MeshSpec {
    /// Three corners for each triangle.
    pub corners: Vec<CornerSpec>,
    /// The number of triangles, if it is to be told otherwise.
    pub triangles: Option<u16>,
    /// The number of vertices, if it is not that of the new ones among the corners.
    pub vertices: Option<u16>,
    /// Whether there are indices of texture coordinates.
    pub has_uvs: bool,
    /// The number of those indices, if it is not that of the corners.
    pub uv_index_count: Option<u32>,
    /// Red, green, blue.
    pub colour: [u8; 3],
    /// Opacity; 0 is opaque too.
    pub alpha: f32,
    /// 0 flat, 1 smooth, 2 wireframe.
    pub shading: u8,
    /// Whether it shines: any value but 0.
    pub specular: u8,
    /// The byte that the game does not use.
    pub unknown: u8,
    /// Whether the colour comes from the table by the name of the material: any value but 0.
    pub alias: u8,
    /// The counted bytes of the texture's name.
    pub texture: Vec<u8>,
    /// The counted bytes of the material's name.
    pub material: Vec<u8>,
}

/// One corner of a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub enum CornerSpec {
    /// A vertex that the mesh did not have before.
    New {
        /// Number of the position.
        vertex: u16,
        /// Number of the normal.
        normal: u16,
        /// Number of the texture coordinate.
        uv: u32,
    },
    /// A vertex that the mesh has, by its number, which is written as both halves and as texture coordinate.
    Back(u16),
    /// Any words.
    Raw {
        /// The corner.
        corner: u32,
        /// The number of the texture coordinate.
        uv: u32,
    },
}

impl LodSpec {
    /// A level without meshes.
    pub fn empty(flags: u32) -> Self {
        Self { flags, ..Self::default() }
    }
}

impl Default for MeshSpec {
    fn default() -> Self {
        Self {
            corners: Vec::new(),
            triangles: None,
            vertices: None,
            has_uvs: false,
            uv_index_count: None,
            colour: [0x80; 3],
            alpha: 0.0,
            shading: 1,
            specular: 0,
            unknown: 0,
            alias: 0,
            texture: Vec::new(),
            material: Vec::new(),
        }
    }
}

impl MeshSpec {
    /// Packs corners of position, normal and texture coordinate: each combination is new once and referred to afterwards.
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

    /// A mesh without a texture.
    pub fn coloured(corners: Vec<CornerSpec>, colour: [u8; 3], material: &str) -> Self {
        Self { corners, colour, material: material.into(), ..Self::default() }
    }

    /// A mesh with a texture and indices of its coordinates.
    pub fn textured(corners: Vec<CornerSpec>, texture: &str) -> Self {
        Self { corners, has_uvs: true, colour: [0xFF; 3], texture: texture.into(), ..Self::default() }
    }

    /// How many corners are new vertices.
    pub fn new_vertices(&self) -> usize {
        self.corners.iter().filter(|corner| corner.words().0 & 0x8000_0000 != 0).count()
    }
}

impl CornerSpec {
    /// The corner and the number of its texture coordinate, as they are written.
    pub fn words(self) -> (u32, u32) {
        match self {
            Self::New { vertex, normal, uv } => (0x8000_0000 | u32::from(normal) << 16 | u32::from(vertex), uv),
            Self::Back(index) => (u32::from(index) << 16 | u32::from(index), u32::from(index)),
            Self::Raw { corner, uv } => (corner, uv),
        }
    }
}
