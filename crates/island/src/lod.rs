use worldview_core::{Cursor, ErrorKind, Result, Source};

use crate::iter::sequence;
use crate::mesh::Mesh;
use crate::raw::{PoolCounts, Uv, Vec3};
use crate::read;
use crate::target::Counts;

/// A list of levels of detail, validated when it was opened. The coarsest level comes first.
/// See [LOD](crate::format#lod).
#[derive(Clone, Copy)]
pub struct Lods<'a> {
    source: Source<'a>,
    count: u32,
}

worldview_core::debug_summary!("Lods", Lods<'_>, |this| at: this.offset(), len: this.len());

impl<'a> Lods<'a> {
    /// The size in bytes of the smallest possible level.
    pub(crate) const MIN: u32 = 4;

    /// Creates an empty list.
    pub(crate) const fn none(source: Source<'a>) -> Self {
        Self { source, count: 0 }
    }

    /// Creates a list without validating it. The caller must call [`check`](Self::check), or know that the list was
    /// validated before.
    pub(crate) const fn unchecked(source: Source<'a>, count: u32) -> Self {
        Self { source, count }
    }

    /// Validates the list. Returns an error if anything in the list is truncated. The owner of the list is then broken, too.
    pub(crate) fn check(&self) -> Result<()> {
        let mut c = Cursor::new(self.source);
        for index in 0..self.count {
            Lod::read(&mut c).map_err(|error| error.with_index(error.index().unwrap_or(index)))?;
        }
        Ok(())
    }

    /// Returns the offset in the file of the first level.
    #[inline]
    pub const fn offset(&self) -> u64 {
        self.source.base()
    }

    /// Returns the offset in the file just past the last level. This walks the list.
    pub fn end(&self) -> u64 {
        self.iter().last().map_or(self.offset(), |lod| lod.end)
    }

    const fn start(&self) -> Cursor<'a> {
        Cursor::new(self.source)
    }

    #[inline]
    #[expect(clippy::unused_self, reason = "one of the readers that `sequence!` calls")]
    fn read_next(&self, c: &mut Cursor<'a>) -> Result<Lod<'a>> {
        Lod::read(c)
    }

    /// Returns the window that contains the levels.
    pub const fn source(&self) -> Source<'a> {
        self.source
    }

    /// Returns the level at offset `at` in the file.
    pub(crate) fn starting_at(&self, at: u64) -> Option<Lod<'a>> {
        let offset = at.checked_sub(self.source.base())?;
        Lod::read(&mut self.source.cursor(offset, "LOD").ok()?).ok()
    }
}

/// A level of detail: meshes, and the pools that they share. See [LOD](crate::format#lod).
#[non_exhaustive]
#[derive(Clone, Copy)]
pub struct Lod<'a> {
    /// Offset in the file.
    pub at: u64,
    /// Offset in the file just past the last byte.
    pub end: u64,
    /// The flags as stored: [`NO_DATA`](Self::NO_DATA), [`EXTRA`](Self::EXTRA) and unknown bits.
    pub flags: u32,
    /// The sizes of the pools as stored; `None` in a level without meshes.
    pub counts: Option<&'a PoolCounts>,
    /// The pool of positions.
    pub positions: &'a [Vec3],
    /// The pool of normals.
    pub normals: &'a [Vec3],
    /// The pool of texture coordinates.
    pub uvs: &'a [Uv],
    /// The meshes.
    pub meshes: Meshes<'a>,
}

worldview_core::debug_summary!("Lod", Lod<'_>, |this| at: this.at, flags: this.flags, positions: this.positions.len(), normals: this.normals.len(), uvs: this.uvs.len(), meshes: this.meshes.len());

impl<'a> Lod<'a> {
    /// Flag: no data follows the flags.
    pub const NO_DATA: u32 = 4;
    /// Flag: the level is only used at a great distance, where the model appears tiny.
    pub const EXTRA: u32 = 8;

    /// Parses a level that starts at the beginning of `source`.
    ///
    /// # Errors
    ///
    /// Returns an error if the level is truncated. Corners are only validated when a mesh is decoded.
    pub fn parse(source: impl Into<Source<'a>>) -> Result<Self> {
        Self::read(&mut Cursor::new(source.into()))
    }

    /// Parses a mesh that starts at the beginning of `source` and refers to the pools of this level.
    ///
    /// # Errors
    ///
    /// Returns an error if the mesh is truncated.
    pub fn parse_mesh(&self, source: impl Into<Source<'a>>) -> Result<Mesh<'a>> {
        self.meshes.read_next(&mut Cursor::new(source.into()))
    }

    #[inline]
    fn read(c: &mut Cursor<'a>) -> Result<Self> {
        let at = c.position();
        let flags = read::word(c, "LOD flags")?;
        let mut lod = Self {
            at,
            end: c.position(),
            flags,
            counts: None,
            positions: &[],
            normals: &[],
            uvs: &[],
            meshes: Meshes { source: c.rest(), count: 0, positions: &[], normals: &[], uvs: &[] },
        };
        if flags & Self::NO_DATA != 0 {
            return Ok(lod);
        }
        let mesh_count = read::count(c, Mesh::MIN, "mesh count of LOD")?;
        if mesh_count != 0 {
            lod.pools(c, mesh_count)?;
        }
        lod.end = c.position();
        Ok(lod)
    }

    fn pools(&mut self, c: &mut Cursor<'a>, mesh_count: u32) -> Result<()> {
        let field = *c;
        let counts: &PoolCounts = c.view("pool counts of LOD")?;
        let (positions, normals, uvs) = (counts.positions(), counts.normals(), counts.uv_count());
        let mut have = c.rest().len();
        for (count, unit, what) in [
            (positions, Vec3::SIZE, "position count of LOD"),
            (normals, Vec3::SIZE, "normal count of LOD"),
            (uvs, Uv::SIZE, "UV count of LOD"),
        ] {
            let Some(rest) = have.checked_sub(u64::from(count).saturating_mul(unit)) else {
                let unit = u32::try_from(unit).unwrap_or(u32::MAX);
                return Err(field.error(ErrorKind::TooMany { count, unit, have }, what));
            };
            have = rest;
        }
        self.counts = Some(counts);
        self.positions = c.array(positions.into(), "positions of LOD")?;
        self.normals = c.array(normals.into(), "normals of LOD")?;
        self.uvs = c.array(uvs.into(), "texture coordinates of LOD")?;
        self.meshes = Meshes {
            source: c.rest(),
            count: mesh_count,
            positions: self.positions,
            normals: self.normals,
            uvs: self.uvs,
        };
        for index in 0..mesh_count {
            self.meshes.read_next(c).map_err(|error| error.with_index(index))?;
        }
        Ok(())
    }

    /// Returns whether the level is only used at a great distance, where the model appears tiny.
    #[inline]
    pub const fn is_extra(&self) -> bool {
        self.flags & Self::EXTRA != 0
    }

    /// Returns the numbers of vertices and indices of all meshes together.
    pub fn counts(&self) -> Counts {
        self.meshes.iter().map(|mesh| mesh.counts()).sum()
    }

    /// Returns the total number of triangles in all meshes.
    pub fn triangles(&self) -> u64 {
        self.counts().indices as u64 / 3
    }
}

/// The meshes of a level, validated when the level was opened. See [Mesh](crate::format#mesh).
#[derive(Clone, Copy)]
pub struct Meshes<'a> {
    source: Source<'a>,
    count: u32,
    positions: &'a [Vec3],
    normals: &'a [Vec3],
    uvs: &'a [Uv],
}

worldview_core::debug_summary!("Meshes", Meshes<'_>, |this| len: this.len());

impl<'a> Meshes<'a> {
    const fn start(&self) -> Cursor<'a> {
        Cursor::new(self.source)
    }

    /// Returns the window that contains the meshes.
    pub(crate) const fn source(&self) -> Source<'a> {
        self.source
    }

    /// Returns the mesh at offset `at` in the file.
    pub(crate) fn starting_at(&self, at: u64) -> Option<Mesh<'a>> {
        let offset = at.checked_sub(self.source.base())?;
        self.read_next(&mut self.source.cursor(offset, "mesh").ok()?).ok()
    }

    #[inline]
    fn read_next(&self, c: &mut Cursor<'a>) -> Result<Mesh<'a>> {
        Mesh::read(c, self.positions, self.normals, self.uvs)
    }
}

sequence! {
    /// An iterator over [`Lods`], from the coarsest level to the finest.
    pub struct LodsIter over Lods => Lod, "levels";
}

sequence! {
    /// An iterator over [`Meshes`], in file order.
    pub struct MeshesIter over Meshes => Mesh, "meshes";
}

worldview_core::assert_send_sync!(Lods<'_>, Lod<'_>, Meshes<'_>);
