use worldview_core::{Cursor, Error, ErrorKind, OffsetBase, Result};
use zerocopy::little_endian::U32;
use zerocopy::{FromBytes as _, IntoBytes as _};

use crate::name::Name;
use crate::raw::{Corner, MeshCounts, Surface, Uv, Vec3};
use crate::read;
use crate::target::{Counts, Indices, Target, Vertices};

/// A mesh as stored: packed corners that refer to the pools of its level. See [Mesh](crate::format#mesh).
#[non_exhaustive]
#[derive(Clone, Copy)]
pub struct Mesh<'a> {
    /// Offset in the file.
    pub at: u64,
    /// The number of triangles.
    pub triangles: u16,
    /// The number of vertices of the decoded mesh.
    pub vertices: u16,
    /// The corners, three per triangle.
    pub corners: &'a [Corner],
    /// Offset of the corners in the file.
    pub corners_at: u64,
    /// The stored UV index count; only whether it is zero matters.
    pub uv_index_count: u32,
    /// Indices of texture coordinates, one per corner, or empty. The indices of corners that are not new vertices have
    /// no meaning.
    pub uv_indices: &'a [U32],
    /// Color, opacity and flags.
    pub surface: &'a Surface,
    /// The name of the texture; absent if the mesh is untextured.
    pub texture: Name<'a>,
    /// The name of the material.
    pub material: Name<'a>,
    positions: &'a [Vec3],
    normals: &'a [Vec3],
    uvs: &'a [Uv],
}

worldview_core::debug_summary!("Mesh", Mesh<'_>, |this| at: this.at, triangles: this.triangles, vertices: this.vertices, texture: this.texture, material: this.material);

impl<'a> Mesh<'a> {
    /// The size in bytes of the smallest possible mesh.
    pub(crate) const MIN: u32 = 27;

    #[inline]
    pub(crate) fn read(c: &mut Cursor<'a>, positions: &'a [Vec3], normals: &'a [Vec3], uvs: &'a [Uv]) -> Result<Self> {
        let at = c.position();
        let counts: &MeshCounts = c.view("mesh")?;
        let (triangles, vertices) = (counts.triangles.get(), counts.vertices.get());
        let corner_count = u32::from(triangles).saturating_mul(3);
        let corners_at = c.position();
        let corners = c.array(corner_count.into(), "corners of mesh")?;
        let uv_index_count = read::word(c, "UV index count of mesh")?;
        // The game reads one index per corner, regardless of the count, unless the count is 0.
        let uv_indices = if uv_index_count == 0 { &[] } else { c.array(corner_count.into(), "UV indices of mesh")? };
        Ok(Self {
            at,
            triangles,
            vertices,
            corners,
            corners_at,
            uv_index_count,
            uv_indices,
            surface: c.view("surface of mesh")?,
            texture: read::name(c, "texture name of mesh")?,
            material: read::name(c, "material name of mesh")?,
            positions,
            normals,
            uvs,
        })
    }

    /// Returns the numbers of vertices and indices that the mesh is decoded to.
    #[inline]
    pub fn counts(&self) -> Counts {
        // A mesh cannot have more vertices than corners, regardless of the stored number.
        Counts { vertices: usize::from(self.vertices).min(self.corners.len()), indices: self.corners.len() }
    }

    /// Decodes the vertices and triangles as the game does, replacing the contents of the buffers.
    /// See [Corners](crate::format#corners).
    ///
    /// # Errors
    ///
    /// Returns an error, and leaves the buffers empty, if
    ///
    /// - a corner refers to a position, normal or texture coordinate that the level does not have,
    /// - a corner refers to a vertex that the mesh does not have yet, or
    /// - the number of vertices differs from the stored one.
    ///
    /// ```
    /// # fn main() -> worldview_island::Result<()> {
    /// # let file: &[u8] = include_bytes!("../../../samples/world.wdb");
    /// use worldview_island::{Database, Geometry};
    ///
    /// let database = Database::parse(file)?;
    /// let mut geometry = Geometry::default(); // reused for every mesh
    /// for mesh in database.parts()?.lods().flatten().flat_map(|lod| lod.meshes) {
    ///     mesh.decode_into(&mut geometry)?;
    ///     assert_eq!(geometry.indices.len(), 3 * usize::from(mesh.triangles));
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn decode_into(&self, out: &mut Geometry) -> Result<()> {
        out.resize(self.counts());
        self.decode(&mut out.target()).inspect_err(|_| out.clear())
    }

    /// Decodes the vertices and triangles as the game does, into memory of the caller, and [takes](Target::take) the
    /// [`counts`](Self::counts) from it: the next mesh is written after this one. See [Corners](crate::format#corners).
    ///
    /// # Errors
    ///
    /// Returns an error, and neither writes nor takes anything, if [`Target::take`] does. Returns an error in the cases of
    /// [`decode_into`](Self::decode_into), too; all elements of the mesh are 0 then.
    pub fn decode_to(&self, target: &mut Target<'_>) -> Result<()> {
        let own = target.take(self.counts());
        self.decode(&mut own.map_err(|error| Error::new(error.kind, error.what, self.at, OffsetBase::File))?)
    }

    /// Decodes the mesh into memory that is as large as the mesh.
    #[inline]
    fn decode(&self, own: &mut Target<'_>) -> Result<()> {
        self.rebuild(own).ok_or_else(|| {
            own.clear();
            self.wrong()
        })
    }

    /// Implements [`decode_to`](Self::decode_to), and returns `None` if the mesh is invalid. The cause is determined
    /// elsewhere, so that the loop over the corners has no data-dependent branches.
    #[inline]
    fn rebuild(&self, to: &mut Target<'_>) -> Option<()> {
        // In a level without texture coordinates, the game does not use the indices.
        let (uvs, uv_indices) = (self.uvs, if self.uvs.is_empty() { &[] } else { self.uv_indices });
        let uv_indices = <[[u8; 4]]>::ref_from_bytes(uv_indices.as_bytes()).ok()?;
        let corners = <[[u8; 4]]>::ref_from_bytes(self.corners.as_bytes()).ok()?;
        let (positions, normals) = (self.positions, self.normals);
        let point = move |corner: u32, position: &mut [f32; 3], normal: &mut [f32; 3]| {
            let corner = Corner { word: corner.into() };
            *position = positions.get(usize::from(corner.position()))?.get();
            *normal = normals.get(usize::from(corner.normal()))?.get();
            Some(())
        };
        let made = if uv_indices.is_empty() {
            to.fill((corners, uv_indices), point, |_| Some([0.0; 2]))?
        } else {
            to.fill((corners, uv_indices), point, |index| Some(uvs.get(usize::try_from(index).ok()?)?.get()))?
        };
        (made == usize::from(self.vertices)).then_some(())
    }

    /// Returns the first error in a mesh that cannot be decoded.
    #[cold]
    fn wrong(&self) -> Error {
        let uv_indices = if self.uvs.is_empty() { &[] } else { self.uv_indices };
        let mut next = 0_u16;
        for (k, corner) in self.corners.iter().enumerate() {
            if !corner.is_new() {
                if corner.back() >= next {
                    return self.bad_corner(k, corner, next);
                }
                continue;
            }
            if next == self.vertices {
                break;
            }
            let uv = uv_indices.get(k).map(|index| usize::try_from(index.get()).unwrap_or(usize::MAX));
            if usize::from(corner.position()) >= self.positions.len()
                || usize::from(corner.normal()) >= self.normals.len()
                || uv.is_some_and(|uv| uv >= self.uvs.len())
            {
                return self.bad_corner(k, corner, next);
            }
            next = next.saturating_add(1);
        }
        self.other_count()
    }

    /// Returns the error in an invalid corner that `made` vertices precede.
    #[cold]
    fn bad_corner(&self, k: usize, corner: &Corner, made: u16) -> Error {
        let at = |start: u64| start.saturating_add((k as u64).saturating_mul(4));
        let outside = |what, found: u32, count: usize, at| {
            let kind = ErrorKind::OutOfRange { found: found.into(), max: (count as u64).saturating_sub(1) };
            let why = "expected none, since the level of detail has no such numbers, found one";
            let kind = if count == 0 { ErrorKind::Corrupt { why } } else { kind };
            Error::new(kind, what, at, OffsetBase::File)
        };
        let (position, normal) = (corner.position(), corner.normal());
        let here = at(self.corners_at);
        let index = u32::try_from(k).unwrap_or(u32::MAX);
        let error = if !corner.is_new() {
            let kind = match made.checked_sub(1) {
                None => ErrorKind::Corrupt {
                    why: "expected a new vertex, since there are no earlier ones, found a back reference",
                },
                Some(max) => ErrorKind::OutOfRange { found: corner.back().into(), max: max.into() },
            };
            Error::new(kind, "earlier vertex of a corner", here, OffsetBase::File)
        } else if usize::from(position) >= self.positions.len() {
            outside("position index of a corner", position.into(), self.positions.len(), here)
        } else if usize::from(normal) >= self.normals.len() {
            outside("normal index of a corner", normal.into(), self.normals.len(), here)
        } else {
            let found = self.uv_indices.get(k).map_or(0, |index| index.get());
            outside("UV index of a corner", found, self.uvs.len(), at(self.uv_indices_at()))
        };
        error.with_index(index)
    }

    #[cold]
    fn other_count(&self) -> Error {
        let want = self.corners.iter().filter(|corner| corner.is_new()).count() as u64;
        let kind = ErrorKind::Mismatch { want, found: self.vertices.into() };
        Error::new(kind, "vertex count of a mesh", self.at.saturating_add(2), OffsetBase::File)
    }

    /// Returns the offset in the file of the texture coordinate indices.
    pub const fn uv_indices_at(&self) -> u64 {
        // After the corners and the UV index count.
        self.corners_at.saturating_add(size_of_val(self.corners) as u64).saturating_add(4)
    }
}

/// Decoded mesh data, in buffers that can be reused. See [Corners](crate::format#corners).
///
/// Axes and winding are those of the file: the axes are left-handed, and the cross product of a triangle's edges
/// points along its normals.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Geometry {
    /// Vertex positions.
    pub positions: Vec<[f32; 3]>,
    /// Normals, one per position.
    pub normals: Vec<[f32; 3]>,
    /// Texture coordinates, one per position; all 0 if the mesh has none.
    pub uvs: Vec<[f32; 2]>,
    /// Vertex indices, three per triangle.
    pub indices: Vec<u16>,
}

impl Geometry {
    /// Changes the lengths of the buffers: new elements are 0.
    pub fn resize(&mut self, counts: Counts) {
        self.positions.resize(counts.vertices, [0.0; 3]);
        self.normals.resize(counts.vertices, [0.0; 3]);
        self.uvs.resize(counts.vertices, [0.0; 2]);
        self.indices.resize(counts.indices, 0);
    }

    /// Returns the buffers as a target, as long as they are.
    #[inline]
    pub fn target(&mut self) -> Target<'_> {
        let Self { positions, normals, uvs, indices } = self;
        Target { vertices: Vertices::Separate { positions, normals, uvs }, indices: Indices::U16(indices) }
    }

    /// Clears the buffers and keeps their capacity.
    pub fn clear(&mut self) {
        self.positions.clear();
        self.normals.clear();
        self.uvs.clear();
        self.indices.clear();
    }
}

worldview_core::assert_send_sync!(Mesh<'_>, Geometry);
