//! The limits for WORLD.WDB: its directory, its meshes, and its models and pictures.

use worldview::island::raw::Corner;
use worldview::island::{Counts, Geometry, Lod, Mesh};

/// Follows the names of the directory, each of which determines where the next one is, writes 64 bytes for each reference, and
/// finds the distinct blobs. Returns the number of references and of blobs, or `None` if the file ends before.
pub fn directory(file: &[u8], out: &mut Vec<[u64; 8]>, blobs: &mut Vec<(u64, u64)>) -> Option<(usize, usize)> {
    let word = |at: usize| Some(u32::from_le_bytes(*file.get(at..)?.first_chunk()?) as usize);
    out.clear();
    let mut at = 4;
    for _ in 0..word(0)? {
        at += 4 + word(at)?;
        let parts = word(at)?;
        at += 4;
        for _ in 0..parts {
            let name = word(at)?;
            out.push([at, name, word(at + 4 + name)?, word(at + 8 + name)?, 0, 0, 0, 0].map(|value| value as u64));
            at += 12 + name;
        }
        let models = word(at)?;
        at += 4;
        for _ in 0..models {
            let name = word(at)?;
            let presenter = at + 12 + name;
            let length = word(presenter)?;
            let (size, offset) = (word(at + 4 + name)?, word(at + 8 + name)?);
            out.push([at, name, size, offset, presenter, length, 0, 0].map(|value| value as u64));
            at = presenter + 4 + length + 37;
        }
    }
    blobs.clear();
    blobs.extend(out.iter().map(|[_, _, size, offset, ..]| (*offset, *size)));
    blobs.sort_unstable();
    blobs.dedup();
    Some((out.len(), blobs.len()))
}

/// A mesh whose corners have already been decoded to lists of indices.
#[derive(Clone, Debug)]
pub struct Gather<'a> {
    lod: Lod<'a>,
    positions: Vec<u16>,
    normals: Vec<u16>,
    uvs: Vec<u32>,
    indices: Vec<u16>,
    corners: &'a [Corner],
}

impl<'a> Gather<'a> {
    /// Decodes the corners of a mesh. Panics if the mesh cannot be decoded, or if the limit makes something else of it.
    pub fn new(lod: Lod<'a>, mesh: &Mesh<'a>) -> Self {
        let mut expected = Geometry::default();
        mesh.decode_into(&mut expected).expect("the mesh is valid");
        let new = || mesh.corners.iter().enumerate().filter(|(_, corner)| corner.is_new());
        let uv = |at: usize| mesh.uv_indices.get(at).map(|index| index.get());
        let this = Self {
            lod,
            positions: new().map(|(_, corner)| corner.position()).collect(),
            normals: new().map(|(_, corner)| corner.normal()).collect(),
            uvs: new().filter_map(|(at, _)| uv(at)).collect(),
            indices: expected.indices.clone(),
            corners: mesh.corners,
        };
        let mut geometry = Geometry::default();
        this.gather(&mut geometry);
        assert_eq!(geometry, expected, "the lists give a different mesh");
        this
    }

    /// Gathers the vertices by the lists, and copies the indices.
    #[expect(clippy::indexing_slicing, reason = "the lists were checked")]
    pub fn gather(&self, out: &mut Geometry) {
        let Self { lod, positions, normals, uvs, indices, .. } = self;
        out.clear();
        out.positions.extend(positions.iter().map(|&index| lod.positions[usize::from(index)].get()));
        out.normals.extend(normals.iter().map(|&index| lod.normals[usize::from(index)].get()));
        if lod.uvs.is_empty() {
            out.uvs.resize(positions.len(), [0.0; 2]);
        } else {
            out.uvs.extend(uvs.iter().map(|&index| lod.uvs[index as usize].get()));
            out.uvs.resize(positions.len(), [0.0; 2]);
        }
        out.indices.extend_from_slice(indices);
    }

    /// Gathers the vertices by the lists into buffers of several meshes, from `first` on, and copies the indices. Returns where
    /// the next mesh begins.
    #[expect(clippy::indexing_slicing, reason = "the lists were checked")]
    pub fn gather_at(&self, first: Counts, out: &mut Geometry) -> Counts {
        let Self { lod, positions, normals, uvs, indices, .. } = self;
        let next = first + Counts { vertices: positions.len(), indices: indices.len() };
        let own = first.vertices..next.vertices;
        for (to, &index) in out.positions[own.clone()].iter_mut().zip(positions) {
            *to = lod.positions[usize::from(index)].get();
        }
        for (to, &index) in out.normals[own.clone()].iter_mut().zip(normals) {
            *to = lod.normals[usize::from(index)].get();
        }
        if lod.uvs.is_empty() || uvs.is_empty() {
            out.uvs[own].fill([0.0; 2]);
        } else {
            for (to, &index) in out.uvs[own].iter_mut().zip(uvs) {
                *to = lod.uvs[index as usize].get();
            }
        }
        out.indices[first.indices..next.indices].copy_from_slice(indices);
        next
    }

    /// Reads the corners, from which the lists were made.
    pub fn read_corners(&self) -> u32 {
        self.corners.iter().fold(0, |sum, corner| sum.wrapping_add(corner.word.get()))
    }
}

/// A GLB file as a finished document and its binary chunk.
#[derive(Clone, Debug)]
pub struct Glb {
    document: serde_json::Value,
    binary: Vec<u8>,
}

impl Glb {
    /// Splits a file. Panics if it is not a GLB file with both chunks.
    pub fn new(file: &[u8]) -> Self {
        let (_, chunk) = file.split_at(12);
        let (length, rest) = chunk.split_first_chunk().expect("the length of the document");
        let (document, binary) = rest.split_at(4 + u32::from_le_bytes(*length) as usize);
        let document = document.get(4..).and_then(|text| serde_json::from_slice(text).ok());
        Self { document: document.expect("a document"), binary: binary.get(8..).unwrap_or(&[]).to_vec() }
    }

    /// Writes the document as JSON and copies the binary chunk. Returns the size of the file. Panics if memory cannot be written
    /// to.
    pub fn write(&self, out: &mut Vec<u8>) -> usize {
        out.clear();
        out.resize(20, 0);
        serde_json::to_writer(&mut *out, &self.document).expect("it is written to memory");
        out.resize(out.len().next_multiple_of(4), b' ');
        if !self.binary.is_empty() {
            out.resize(out.len() + 8, 0);
            out.extend_from_slice(&self.binary);
        }
        out.len()
    }
}
