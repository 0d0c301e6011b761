use worldview_core::{Cursor, ErrorKind, Result, Source};

use crate::iter::sequence;
use crate::mesh::Mesh;
use crate::raw::{PoolCounts, Uv, Vec3};
use crate::read;

/// A list of levels of detail, checked when it was opened; the coarsest comes first. `docs/formats/island.md`, LOD.
#[derive(Clone, Copy)]
pub struct Lods<'a> {
    source: Source<'a>,
    count: u32,
}

worldview_core::debug_summary!("Lods", Lods<'_>, |this| at: this.at(), len: this.len());

impl<'a> Lods<'a> {
    /// Bytes that the shortest level takes.
    pub(crate) const LEAST: u32 = 4;

    /// No levels.
    pub(crate) const fn none(source: Source<'a>) -> Self {
        Self { source, count: 0 }
    }

    /// A list that is not looked at: to be followed by [`check`](Self::check), or to be looked at again.
    pub(crate) const fn unchecked(source: Source<'a>, count: u32) -> Self {
        Self { source, count }
    }

    /// Walks over the list.
    ///
    /// # Errors
    ///
    /// The first thing in it that is not all there: with it, whatever has the list is broken.
    pub(crate) fn check(&self) -> Result<()> {
        let mut c = Cursor::new(self.source);
        for index in 0..self.count {
            Lod::read(&mut c).map_err(|error| error.with_index(error.index().unwrap_or(index)))?;
        }
        Ok(())
    }

    /// How many there are.
    #[inline]
    pub const fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether there are none.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Offset in the file of the first level.
    #[inline]
    pub const fn at(&self) -> u64 {
        self.source.base()
    }

    /// Offset in the file behind the last level, which is a walk away.
    pub fn end(&self) -> u64 {
        self.iter().last().map_or(self.at(), |lod| lod.end)
    }

    const fn start(&self) -> Cursor<'a> {
        Cursor::new(self.source)
    }

    #[inline]
    #[expect(clippy::unused_self, reason = "one of the readers that `sequence!` calls")]
    fn read_next(&self, c: &mut Cursor<'a>) -> Result<Lod<'a>> {
        Lod::read(c)
    }

    /// Returns the window that the levels lie in.
    pub(crate) const fn source(&self) -> Source<'a> {
        self.source
    }

    /// Returns the level at offset `at` of the file.
    pub(crate) fn starting_at(&self, at: u64) -> Option<Lod<'a>> {
        let offset = at.checked_sub(self.source.base())?;
        Lod::read(&mut self.source.cursor(offset, "LOD").ok()?).ok()
    }

    /// The level number `index`; those before it are passed over.
    pub fn get(&self, index: usize) -> Option<Lod<'a>> {
        self.iter().nth(index)
    }
}

/// A level of detail: pools that its meshes share. `docs/formats/island.md`, LOD.
#[non_exhaustive]
#[derive(Clone, Copy)]
pub struct Lod<'a> {
    /// Offset in the file.
    pub at: u64,
    /// Offset in the file behind its last byte.
    pub end: u64,
    /// The flags as they are stored: [`NO_DATA`](Self::NO_DATA), [`EXTRA`](Self::EXTRA), and what is not known.
    pub flags: u32,
    /// The sizes of the pools as they are stored; none in a level without meshes.
    pub counts: Option<&'a PoolCounts>,
    /// Positions.
    pub positions: &'a [Vec3],
    /// Normals.
    pub normals: &'a [Vec3],
    /// Texture coordinates.
    pub uvs: &'a [Uv],
    /// The meshes.
    pub meshes: Meshes<'a>,
}

worldview_core::debug_summary!("Lod", Lod<'_>, |this| at: this.at, flags: this.flags, positions: this.positions.len(), normals: this.normals.len(), uvs: this.uvs.len(), meshes: this.meshes.len());

impl<'a> Lod<'a> {
    /// Bit of the flags: nothing follows them.
    pub const NO_DATA: u32 = 4;
    /// Bit of the flags: the level is only shown far away, when its model is tiny.
    pub const EXTRA: u32 = 8;

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
        let mesh_count = read::count(c, Mesh::LEAST, "mesh count of LOD")?;
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

    /// Whether it is only shown far away, when its model is tiny.
    #[inline]
    pub const fn is_extra(&self) -> bool {
        self.flags & Self::EXTRA != 0
    }

    /// Triangles of all meshes.
    pub fn triangles(&self) -> u64 {
        self.meshes.iter().map(|mesh| u64::from(mesh.triangles)).fold(0, u64::saturating_add)
    }
}

/// The meshes of a level, checked when the level was opened. `docs/formats/island.md`, Mesh.
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
    /// How many there are.
    #[inline]
    pub const fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether there are none.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    const fn start(&self) -> Cursor<'a> {
        Cursor::new(self.source)
    }

    /// Returns the window that the meshes lie in.
    pub(crate) const fn source(&self) -> Source<'a> {
        self.source
    }

    /// Returns the mesh at offset `at` of the file.
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
    /// An iterator over [`Lods`], the coarsest first.
    pub struct LodsIter over Lods => Lod;
}

sequence! {
    /// An iterator over [`Meshes`], in file order.
    pub struct MeshesIter over Meshes => Mesh;
}

worldview_core::assert_send_sync!(Lods<'_>, Lod<'_>, Meshes<'_>);
