use core::cell::RefCell;
use core::iter::Sum;
use core::ops::Add;

use worldview_core::{Error, ErrorKind, OffsetBase, Result};
use worldview_simd::{Pair, number_corners};

/// Numbers of vertices and of indices: of a mesh, or of several meshes together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The number of vertices.
    pub vertices: usize,
    /// The number of indices: three per triangle.
    pub indices: usize,
}

impl Add for Counts {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            vertices: self.vertices.saturating_add(other.vertices),
            indices: self.indices.saturating_add(other.indices),
        }
    }
}

impl Sum for Counts {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), Add::add)
    }
}

/// Memory of the caller that [`Mesh::decode_to`](crate::Mesh::decode_to) writes to, such as a mapped GPU buffer.
///
/// ```
/// # fn main() -> worldview_island::Result<()> {
/// # let file: &[u8] = include_bytes!("../../../samples/world.wdb");
/// use worldview_island::{Contents, Database, Indices, Target, Vertices};
///
/// let contents = Contents::read(&Database::parse(file)?);
/// let counts = contents.counts();
/// let (mut vertices, mut numbers) = (vec![0.0; 8 * counts.vertices], vec![0; counts.indices]);
/// let mut target = Target {
///     vertices: Vertices::Interleaved { values: &mut vertices, stride: 8, position: 0, normal: 3, uv: 6 },
///     indices: Indices::U32 { numbers: &mut numbers, base: 0 },
/// };
/// for mesh in contents.lods().flatten().flat_map(|lod| lod.meshes) {
///     mesh.decode_to(&mut target)?; // each after the one before it
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Target<'o> {
    /// Where vertices are written to.
    pub vertices: Vertices<'o>,
    /// Where indices are written to.
    pub indices: Indices<'o>,
}

/// The vertices of a [`Target`]. Axes are those of [`Geometry`](crate::Geometry).
#[derive(Debug)]
pub enum Vertices<'o> {
    /// A slice per attribute.
    Separate {
        /// Vertex positions: x, y and z.
        positions: &'o mut [[f32; 3]],
        /// Normals, one per position.
        normals: &'o mut [[f32; 3]],
        /// Texture coordinates, one per position; 0 if the mesh has none.
        uvs: &'o mut [[f32; 2]],
    },
    /// One vertex after the other, with all its attributes. Lengths and offsets count in floats. Floats of a vertex that belong to
    /// none of the three attributes are left alone.
    Interleaved {
        /// The vertices.
        values: &'o mut [f32],
        /// Length of a vertex.
        stride: usize,
        /// Offset of the three floats of the position in a vertex.
        position: usize,
        /// Offset of the three floats of the normal in a vertex.
        normal: usize,
        /// Offset of the two floats of the texture coordinate in a vertex.
        uv: usize,
    },
}

/// The indices of a [`Target`], three per triangle.
#[derive(Debug)]
pub enum Indices<'o> {
    /// Indices that count from the first vertex of each mesh.
    U16(&'o mut [u16]),
    /// Indices that count from the beginning of a buffer, which meshes share.
    U32 {
        /// The indices.
        numbers: &'o mut [u32],
        /// The index of the first vertex of the target in the buffer, which is added to every index.
        base: u32,
    },
}

/// Number of corners that are decoded at a time.
const PIECE: usize = 512;

thread_local! {
    /// The new corners of a piece and their texture coordinate indices, kept because clearing a list for each mesh takes time.
    static LIST: RefCell<[Pair; PIECE]> = const { RefCell::new([[0; 2]; PIECE]) };
}

/// Position, normal and texture coordinate.
pub(crate) type Vertex = ([f32; 3], [f32; 3], [f32; 2]);

impl<'o> Target<'o> {
    /// Splits off the first vertices and indices. What is left begins after them.
    ///
    /// # Errors
    ///
    /// Returns an error, and takes nothing, if
    ///
    /// - fewer vertices or indices are left,
    /// - 32-bit numbers do not reach the last vertex, or
    /// - interleaved attributes overlap or do not fit into the stride.
    pub fn take(&mut self, counts: Counts) -> Result<Self> {
        let wrong = |kind, what| Err(Error::new(kind, what, 0, OffsetBase::File));
        let Some(vertices) = self.vertices.len() else {
            let why = "expected a stride that holds a position, a normal and a texture coordinate side by side";
            return wrong(ErrorKind::Corrupt { why }, "layout of the vertex buffer");
        };
        let (reach, indices) = match &self.indices {
            Indices::U16(numbers) => (usize::MAX, numbers.len()),
            Indices::U32 { numbers, base } => {
                (usize::try_from(u32::MAX.abs_diff(*base)).unwrap_or(usize::MAX), numbers.len())
            }
        };
        for (needed, room, what) in [
            (counts.vertices, vertices.min(reach), "number of vertices for a buffer"),
            (counts.indices, indices, "number of indices for a buffer"),
        ] {
            if needed > room {
                let found = i64::try_from(needed).unwrap_or(i64::MAX);
                return wrong(ErrorKind::OutOfRange { found, max: room as u64 }, what);
            }
        }
        Ok(Self { vertices: self.vertices.take(counts.vertices), indices: self.indices.take(counts) })
    }

    /// Numbers the corners of a mesh, each of which has a texture coordinate index unless there are none, and makes a vertex of
    /// each new one. Returns the number of vertices, or `None` if a corner, or what `vertex` makes of it, is invalid, or if
    /// there is no room.
    #[inline]
    pub(crate) fn fill(
        &mut self,
        (corners, uv_indices): (&[[u8; 4]], &[[u8; 4]]),
        vertex: impl Fn(Pair) -> Option<Vertex> + Copy,
    ) -> Option<usize> {
        LIST.with_borrow_mut(|list| {
            let (mut made, mut uv_indices) = (0_usize, uv_indices.chunks(PIECE));
            for (at, corners) in corners.chunks(PIECE).enumerate() {
                let both = (corners, uv_indices.next().unwrap_or(&[]));
                let new = self.indices.number(at.saturating_mul(PIECE), both, made, list)?;
                self.vertices.put(made, list.get(..new)?, vertex)?;
                made = made.saturating_add(new);
            }
            Some(made)
        })
    }

    /// Sets the attributes of all vertices, and all indices, to 0.
    #[cold]
    pub(crate) fn clear(&mut self) {
        let count = self.vertices.len().unwrap_or(0);
        let zeros = [[0; 2]; PIECE];
        for first in (0..count).step_by(PIECE) {
            let own = zeros.get(..count.saturating_sub(first)).unwrap_or(&zeros);
            self.vertices.put(first, own, |_| Some(Vertex::default()));
        }
        match &mut self.indices {
            Indices::U16(numbers) => numbers.fill(0),
            Indices::U32 { numbers, .. } => numbers.fill(0),
        }
    }
}

/// Splits off the first elements of a slice that has them.
fn front<'o, T>(slice: &mut &'o mut [T], len: usize) -> &'o mut [T] {
    slice.split_off_mut(..len).unwrap_or_default()
}

impl Vertices<'_> {
    /// Returns the number of vertices that there is room for, or `None` if the attributes overlap.
    fn len(&self) -> Option<usize> {
        match self {
            Self::Separate { positions, normals, uvs } => Some(positions.len().min(normals.len()).min(uvs.len())),
            Self::Interleaved { values, stride, position, normal, uv } => {
                let mut attributes = [(*position, 3), (*normal, 3), (*uv, 2)];
                attributes.sort_unstable();
                let end = attributes.iter().try_fold(
                    0,
                    |end, &(start, len)| {
                        if start < end { None } else { start.checked_add(len) }
                    },
                );
                values.len().checked_div(*stride).filter(|_| end.is_some_and(|end| end <= *stride))
            }
        }
    }

    fn take(&mut self, count: usize) -> Self {
        match self {
            Self::Separate { positions, normals, uvs } => Self::Separate {
                positions: front(positions, count),
                normals: front(normals, count),
                uvs: front(uvs, count),
            },
            Self::Interleaved { values, stride, position, normal, uv } => Self::Interleaved {
                values: front(values, count.saturating_mul(*stride)),
                stride: *stride,
                position: *position,
                normal: *normal,
                uv: *uv,
            },
        }
    }

    /// Writes the vertices that `vertex` makes of these corners, beginning with that of index `first`. Returns `None` if there is
    /// no room for them or one is `None`.
    #[inline(never)]
    fn put(&mut self, first: usize, listed: &[Pair], vertex: impl Fn(Pair) -> Option<Vertex>) -> Option<()> {
        let range = first..first.checked_add(listed.len())?;
        match self {
            Self::Separate { positions, normals, uvs } => {
                let (positions, normals) = (positions.get_mut(range.clone())?, normals.get_mut(range.clone())?);
                let to = positions.iter_mut().zip(normals).zip(uvs.get_mut(range)?);
                for (((position, normal), uv), listed) in to.zip(listed) {
                    (*position, *normal, *uv) = vertex(*listed)?;
                }
            }
            Self::Interleaved { values, stride, position, normal, uv } => {
                let range = range.start.checked_mul(*stride)?..range.end.checked_mul(*stride)?;
                for (to, listed) in values.get_mut(range)?.chunks_exact_mut(*stride).zip(listed) {
                    let vertex = vertex(*listed)?;
                    *to.get_mut(*position..)?.first_chunk_mut()? = vertex.0;
                    *to.get_mut(*normal..)?.first_chunk_mut()? = vertex.1;
                    *to.get_mut(*uv..)?.first_chunk_mut()? = vertex.2;
                }
            }
        }
        Some(())
    }
}

impl Indices<'_> {
    fn take(&mut self, counts: Counts) -> Self {
        match self {
            Self::U16(numbers) => Self::U16(front(numbers, counts.indices)),
            Self::U32 { numbers, base } => {
                let own = Self::U32 { numbers: front(numbers, counts.indices), base: *base };
                // Cannot saturate, since the numbers reach the last vertex.
                *base = base.saturating_add(u32::try_from(counts.vertices).unwrap_or(u32::MAX));
                own
            }
        }
    }

    /// Numbers corners as [`number_corners`] does, beginning with that of index `first`.
    #[inline]
    pub(crate) fn number(
        &mut self,
        first: usize,
        (corners, uv_indices): (&[[u8; 4]], &[[u8; 4]]),
        before: usize,
        list: &mut [Pair],
    ) -> Option<usize> {
        match self {
            Self::U16(numbers) => {
                #[expect(clippy::cast_possible_truncation, reason = "a mesh with more vertices is refused in the end")]
                let convert = |number| number as u16;
                number_corners(corners, uv_indices, before, list, numbers.get_mut(first..)?, convert)
            }
            Self::U32 { numbers, base } => {
                let base = *base;
                let convert = |number: u32| number.wrapping_add(base);
                number_corners(corners, uv_indices, before, list, numbers.get_mut(first..)?, convert)
            }
        }
    }
}

worldview_core::assert_send_sync!(Counts, Target<'_>);
