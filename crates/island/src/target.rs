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

/// The corners of a mesh, and the index of the texture coordinate of each unless there are none.
type Corners<'c> = (&'c [[u8; 4]], &'c [[u8; 4]]);

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

    /// Numbers the corners of a mesh. For each new one, `point` writes position and normal, and `uv` makes the texture coordinate of
    /// its index. Returns the number of vertices, or `None` if a corner is invalid, `point` or `uv` return `None`, or there is
    /// no room.
    #[inline]
    pub(crate) fn fill(
        &mut self,
        both: Corners<'_>,
        point: impl Fn(u32, &mut [f32; 3], &mut [f32; 3]) -> Option<()> + Copy,
        uv: impl Fn(u32) -> Option<[f32; 2]> + Copy,
    ) -> Option<usize> {
        let Self { vertices, indices } = self;
        match vertices {
            Vertices::Separate { positions, normals, uvs } => indices.number(both, |first, listed| {
                let range = first..first.checked_add(listed.len())?;
                let (positions, normals) = (positions.get_mut(range.clone())?, normals.get_mut(range.clone())?);
                for (([corner, _], position), normal) in listed.iter().zip(positions).zip(normals) {
                    point(*corner, position, normal)?;
                }
                // In a loop of their own, since one over everything needs more registers than there are.
                for ([_, index], to) in listed.iter().zip(uvs.get_mut(range)?) {
                    *to = uv(*index)?;
                }
                Some(())
            }),
            Vertices::Interleaved { values, stride, position, normal, uv: uv_at } => {
                indices.number(both, |first, listed| {
                    let own = values.get_mut(first.checked_mul(*stride)?..)?.chunks_exact_mut(*stride);
                    if own.len() < listed.len() {
                        return None;
                    }
                    for (to, [corner, index]) in own.zip(listed) {
                        let mut made = ([0.0; 3], [0.0; 3]);
                        point(*corner, &mut made.0, &mut made.1)?;
                        *to.get_mut(*position..)?.first_chunk_mut()? = made.0;
                        *to.get_mut(*normal..)?.first_chunk_mut()? = made.1;
                        *to.get_mut(*uv_at..)?.first_chunk_mut()? = uv(*index)?;
                    }
                    Some(())
                })
            }
        }
    }

    /// Sets the attributes of all vertices, and all indices, to 0.
    #[cold]
    pub(crate) fn clear(&mut self) {
        match &mut self.vertices {
            Vertices::Separate { positions, normals, uvs } => {
                positions.fill([0.0; 3]);
                normals.fill([0.0; 3]);
                uvs.fill([0.0; 2]);
            }
            Vertices::Interleaved { values, stride, position, normal, uv } => {
                for vertex in values.chunks_exact_mut(*stride) {
                    for (at, len) in [(*position, 3), (*normal, 3), (*uv, 2)] {
                        vertex.iter_mut().skip(at).take(len).for_each(|value| *value = 0.0);
                    }
                }
            }
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

    /// Numbers the corners of a mesh in pieces. Passes the number of the first vertex of each piece, and its corners that are new
    /// vertices, to `put`. Returns the number of vertices, or `None` if a corner is invalid or `put` returns `None`.
    #[inline]
    fn number(&mut self, both: Corners<'_>, put: impl FnMut(usize, &[Pair]) -> Option<()>) -> Option<usize> {
        match self {
            #[expect(clippy::cast_possible_truncation, reason = "a mesh with more vertices is refused in the end")]
            Self::U16(numbers) => number(both, numbers, |number| number as u16, put),
            Self::U32 { numbers, base } => {
                let base = *base;
                number(both, numbers, |number| number.wrapping_add(base), put)
            }
        }
    }
}

#[inline]
fn number<N>(
    (corners, uv_indices): Corners<'_>,
    numbers: &mut [N],
    convert: impl Fn(u32) -> N + Copy,
    mut put: impl FnMut(usize, &[Pair]) -> Option<()>,
) -> Option<usize> {
    LIST.with_borrow_mut(|list| {
        let (mut made, mut uv_indices) = (0_usize, uv_indices.chunks(PIECE));
        for (corners, numbers) in corners.chunks(PIECE).zip(numbers.chunks_mut(PIECE)) {
            let uv_indices = uv_indices.next().unwrap_or(&[]);
            let new = number_corners(corners, uv_indices, made, list, numbers, convert)?;
            put(made, list.get(..new)?)?;
            made = made.saturating_add(new);
        }
        Some(made)
    })
}

worldview_core::assert_send_sync!(Counts, Target<'_>);
