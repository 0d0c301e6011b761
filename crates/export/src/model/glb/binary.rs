//! The binary chunk, and the assembly of the file from its two chunks.

use std::io::Write;

use worldview_core::{Error, ErrorKind, Limit, OffsetBase};

use super::schema::{
    ARRAY_BUFFER, Accessor, Buffer, BufferView, ELEMENT_ARRAY_BUFFER, FLOAT, Root, UNSIGNED_BYTE, UNSIGNED_SHORT,
};
use crate::Result;
use crate::error::from_json;

/// The runs of bytes that accessors refer to, one for each kind of element, followed by the pictures.
///
/// A few long runs are used instead of one per accessor, because a world has thousands of accessors.
#[derive(Debug, Default)]
pub(super) struct Binary {
    runs: [Vec<u8>; RUNS],
    pictures: Vec<u8>,
    /// Start and length of each picture.
    ranges: Vec<(usize, usize)>,
    accessors: Vec<Accessor>,
}

const RUNS: usize = 4;
const VECTORS: usize = 0;
const UVS: usize = 1;
const INDICES: usize = 2;
const KEYS: usize = 3;

/// Whether an accessor includes the range of its values. The format only requires this for some.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Bounds {
    Stated,
    Unstated,
}

impl Binary {
    /// Adds positions or normals.
    pub(super) fn vectors(&mut self, values: &[[f32; 3]], bounds: Bounds) -> usize {
        self.floats(VECTORS, values, "VEC3", bounds)
    }

    /// Adds texture coordinates.
    pub(super) fn uvs(&mut self, values: &[[f32; 2]]) -> usize {
        self.floats(UVS, values, "VEC2", Bounds::Unstated)
    }

    /// Adds vertex indices. Those of a mesh always fit into 16 bits.
    pub(super) fn indices(&mut self, values: &[u16]) -> usize {
        let run = &mut self.runs[INDICES];
        let start = run.len();
        run.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        self.accessor(INDICES, start, values.len(), UNSIGNED_SHORT, "SCALAR")
    }

    /// Adds the times of keys.
    pub(super) fn times(&mut self, values: &[f32]) -> usize {
        let (elements, _) = values.as_chunks::<1>();
        self.floats(KEYS, elements, "SCALAR", Bounds::Stated)
    }

    /// Adds the values of keys: vectors or quaternions.
    pub(super) fn keys<const N: usize>(&mut self, values: &[[f32; N]]) -> usize {
        self.floats(KEYS, values, if N == 4 { "VEC4" } else { "VEC3" }, Bounds::Unstated)
    }

    /// Adds the Boolean values of keys.
    pub(super) fn switches(&mut self, values: impl ExactSizeIterator<Item = bool>) -> usize {
        let run = &mut self.runs[KEYS];
        let (start, count) = (run.len(), values.len());
        run.extend(values.map(u8::from));
        run.resize(run.len().next_multiple_of(4), 0);
        self.accessor(KEYS, start, count, UNSIGNED_BYTE, "SCALAR")
    }

    /// Adds a picture, and returns its index among the pictures.
    pub(super) fn picture(&mut self, bytes: &[u8]) -> usize {
        self.ranges.push((self.pictures.len(), bytes.len()));
        self.pictures.extend_from_slice(bytes);
        self.pictures.resize(self.pictures.len().next_multiple_of(4), 0);
        self.ranges.len() - 1
    }

    fn floats<const N: usize>(&mut self, run: usize, values: &[[f32; N]], kind: &'static str, bounds: Bounds) -> usize {
        let start = self.runs[run].len();
        self.runs[run].extend(values.iter().flatten().flat_map(|value| value.to_le_bytes()));
        let accessor = self.accessor(run, start, values.len(), FLOAT, kind);
        if bounds == Bounds::Stated {
            let fold = |pick: fn(f32, f32) -> f32| {
                let first = values.first().copied().unwrap_or([0.0; N]);
                let all = values.iter().fold(first, |all, value| std::array::from_fn(|i| pick(all[i], value[i])));
                all.iter().map(|&part| part.into()).collect()
            };
            (self.accessors[accessor].min, self.accessors[accessor].max) = (fold(f32::min), fold(f32::max));
        }
        accessor
    }

    fn accessor(
        &mut self,
        run: usize,
        byte_offset: usize,
        count: usize,
        component_type: u32,
        kind: &'static str,
    ) -> usize {
        let (min, max) = (Vec::new(), Vec::new());
        self.accessors.push(Accessor { buffer_view: run, byte_offset, component_type, count, kind, min, max });
        self.accessors.len() - 1
    }

    /// Writes the file: header, JSON, binary chunk.
    pub(super) fn write(mut self, mut root: Root, mut out: impl Write) -> Result<()> {
        /// Size in bytes of a vertex attribute, and the target of the buffer view.
        const KINDS: [(Option<usize>, Option<u32>); RUNS] = [
            (Some(12), Some(ARRAY_BUFFER)),
            (Some(8), Some(ARRAY_BUFFER)),
            (None, Some(ELEMENT_ARRAY_BUFFER)),
            (None, None),
        ];

        let mut length = 0;
        let mut view_of = [0; RUNS];
        for (i, run) in self.runs.iter_mut().enumerate() {
            if run.is_empty() {
                continue;
            }
            view_of[i] = root.buffer_views.len();
            let (byte_stride, target) = KINDS[i];
            root.buffer_views.push(BufferView {
                buffer: 0,
                byte_offset: length,
                byte_length: run.len(),
                byte_stride,
                target,
            });
            run.resize(run.len().next_multiple_of(4), 0);
            length += run.len();
        }
        for accessor in &mut self.accessors {
            accessor.buffer_view = view_of[accessor.buffer_view];
        }
        for image in &mut root.images {
            image.buffer_view += root.buffer_views.len();
        }
        for &(start, byte_length) in &self.ranges {
            let byte_offset = length + start;
            root.buffer_views.push(BufferView { buffer: 0, byte_offset, byte_length, byte_stride: None, target: None });
        }
        length += self.pictures.len();
        root.accessors = std::mem::take(&mut self.accessors);
        if length > 0 {
            root.buffers.push(Buffer { byte_length: length });
        }
        let mut json = serde_json::to_vec(&root).map_err(from_json)?;
        json.resize(json.len().next_multiple_of(4), b' ');
        write_chunks(&json, self.runs.iter().chain([&self.pictures]), length, &mut out)?;
        out.flush()?;
        Ok(())
    }
}

fn write_chunks<'r>(
    json: &[u8],
    runs: impl Iterator<Item = &'r Vec<u8>>,
    length: usize,
    out: &mut impl Write,
) -> Result<()> {
    let total = 12 + 8 + json.len() + if length > 0 { 8 + length } else { 0 };
    // The budget of an input of 250 MB or more allows sizes that exceed the limit of the format.
    let need = total as u64;
    let total = u32::try_from(total).map_err(|_| {
        let kind = ErrorKind::Limit { of: Limit::Capacity, need, limit: u32::MAX.into() };
        Error::new(kind, "GLB, which has 32-bit lengths", 0, OffsetBase::File)
    })?;
    let short = |length: usize| u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes();
    out.write_all(b"glTF")?;
    out.write_all(&2_u32.to_le_bytes())?;
    out.write_all(&total.to_le_bytes())?;
    out.write_all(&short(json.len()))?;
    out.write_all(b"JSON")?;
    out.write_all(json)?;
    if length > 0 {
        out.write_all(&short(length))?;
        out.write_all(b"BIN\0")?;
        for run in runs {
            out.write_all(run)?;
        }
    }
    Ok(())
}
