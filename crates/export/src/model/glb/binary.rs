//! The binary chunk, and the assembly of the file from its two chunks.

use std::io::{self, BufWriter, ErrorKind::WriteZero, IoSlice, Write};
use std::sync::Arc;

use worldview_core::{Error, ErrorKind, Limit, OffsetBase};

use super::schema::{
    ARRAY_BUFFER, Buffer, BufferView, Buffers, ELEMENT_ARRAY_BUFFER, FLOAT, Root, UNSIGNED_BYTE, UNSIGNED_SHORT,
};
use crate::Result;
use crate::error::from_json;

/// The values of consecutive accessors. Those of a level of detail are the same in all files, which share them.
#[derive(Debug)]
pub(super) struct Values {
    bytes: Vec<u8>,
    /// What the JSON of the accessors says about the values: everything except where they are.
    json: Vec<u8>,
    parts: Vec<Part>,
}

/// The values of one accessor.
#[derive(Debug)]
struct Part {
    run: usize,
    /// Where its bytes and its JSON end, which are where those of the next one start.
    bytes: usize,
    json: usize,
}

/// The runs of bytes that accessors refer to, one for each kind of element.
///
/// A few long runs are used instead of one per accessor, because a world has thousands of accessors.
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

impl Values {
    /// Adds positions or normals, and returns the index of their accessor, as all of these methods do.
    pub(super) fn vectors(&mut self, values: &[[f32; 3]], bounds: Bounds) -> usize {
        self.floats(VECTORS, values, "VEC3", bounds)
    }

    /// Adds texture coordinates.
    pub(super) fn uvs(&mut self, values: &[[f32; 2]]) -> usize {
        self.floats(UVS, values, "VEC2", Bounds::Unstated)
    }

    /// Adds vertex indices. Those of a mesh always fit into 16 bits.
    pub(super) fn indices(&mut self, values: &[u16]) -> usize {
        self.bytes_of(values.iter().map(|value| value.to_le_bytes()));
        self.add(INDICES, UNSIGNED_SHORT, values.len(), "SCALAR", None::<[[f32; 1]; 2]>)
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
        let count = values.len();
        self.bytes.extend(values.map(u8::from));
        self.bytes.extend_from_slice(padding(count));
        self.add(KEYS, UNSIGNED_BYTE, count, "SCALAR", None::<[[f32; 1]; 2]>)
    }

    fn floats<const N: usize>(&mut self, run: usize, values: &[[f32; N]], kind: &str, bounds: Bounds) -> usize {
        self.bytes_of(values.as_flattened().iter().map(|value| value.to_le_bytes()));
        let bounds = (bounds == Bounds::Stated).then(|| {
            let first = values.first().copied().unwrap_or([0.0; N]);
            values.iter().fold([first; 2], |[min, max], value| {
                [std::array::from_fn(|i| min[i].min(value[i])), std::array::from_fn(|i| max[i].max(value[i]))]
            })
        });
        self.add(run, FLOAT, values.len(), kind, bounds)
    }

    fn bytes_of<const N: usize>(&mut self, values: impl ExactSizeIterator<Item = [u8; N]>) {
        let start = self.bytes.len();
        self.bytes.resize(start + N * values.len(), 0);
        for (place, value) in self.bytes[start..].as_chunks_mut().0.iter_mut().zip(values) {
            *place = value;
        }
    }

    /// Adds an accessor for the bytes that have been added. `bounds` are finite.
    fn add<const N: usize>(
        &mut self,
        run: usize,
        component_type: u32,
        count: usize,
        kind: &str,
        bounds: Option<[[f32; N]; 2]>,
    ) -> usize {
        let json = &mut self.json;
        // Writing to a vector cannot fail.
        let _ = write!(json, r#""componentType":{component_type},"count":{count},"type":"{kind}""#);
        for (bound, name) in bounds.iter().flatten().zip([r#","min":["#, r#","max":["#]) {
            json.extend_from_slice(name.as_bytes());
            for (i, &number) in bound.iter().enumerate() {
                if i > 0 {
                    json.push(b',');
                }
                // 64-bit floats, so that all readers round them in the same way.
                json.extend_from_slice(zmij::Buffer::new().format_finite(f64::from(number)).as_bytes());
            }
            json.push(b']');
        }
        self.parts.push(Part { run, bytes: self.bytes.len(), json: self.json.len() });
        self.parts.len() - 1
    }

    /// Returns the run, the bytes and the JSON of each accessor.
    fn parts(&self) -> impl Iterator<Item = (usize, &[u8], &[u8])> {
        let (mut bytes, mut json) = (0, 0);
        self.parts.iter().map(move |part| {
            let all = (part.run, &self.bytes[bytes..part.bytes], &self.json[json..part.json]);
            (bytes, json) = (part.bytes, part.json);
            all
        })
    }

    /// Creates an empty value with memory for this many bytes and accessors, so that they need not be moved while they
    /// are added.
    pub(super) fn with_capacity(bytes: usize, accessors: usize) -> Self {
        // The JSON of an accessor takes up to 200 bytes with bounds, which one in four has, and otherwise up to 60.
        let json = Vec::with_capacity(100 * accessors);
        Self { bytes: Vec::with_capacity(bytes), json, parts: Vec::with_capacity(accessors) }
    }

    /// Returns the approximate size in memory.
    pub(super) const fn size(&self) -> usize {
        self.bytes.len() + self.json.len() + size_of::<Part>() * self.parts.len()
    }
}

/// The accessors and pictures of a file.
#[derive(Debug, Default)]
pub(super) struct Binary {
    values: Vec<Arc<Values>>,
    accessors: usize,
    pictures: Vec<Arc<[u8]>>,
}

impl Binary {
    /// Adds an accessor for each part of the values, and returns the index of the first one.
    pub(super) fn add(&mut self, values: impl Into<Arc<Values>>) -> usize {
        let values = values.into();
        let first = self.accessors;
        self.accessors += values.parts.len();
        self.values.push(values);
        first
    }

    /// Adds a picture, and returns its index among the pictures.
    pub(super) fn picture(&mut self, png: Arc<[u8]>) -> usize {
        self.pictures.push(png);
        self.pictures.len() - 1
    }

    fn parts(&self) -> impl Iterator<Item = (usize, &[u8], &[u8])> {
        self.values.iter().flat_map(|values| values.parts())
    }

    /// Writes the file: header, JSON, binary chunk.
    pub(super) fn write(self, mut root: Root, out: impl Write) -> Result<()> {
        /// Size in bytes of a vertex attribute, and the target of the buffer view.
        const KINDS: [(Option<usize>, Option<u32>); RUNS] = [
            (Some(12), Some(ARRAY_BUFFER)),
            (Some(8), Some(ARRAY_BUFFER)),
            (None, Some(ELEMENT_ARRAY_BUFFER)),
            (None, None),
        ];

        let mut lengths = [0; RUNS];
        self.parts().for_each(|(run, bytes, _)| lengths[run] += bytes.len());
        let mut views = Vec::new();
        let mut view_of = [0; RUNS];
        let mut length = 0;
        for (i, &byte_length) in lengths.iter().enumerate().filter(|(_, length)| **length > 0) {
            view_of[i] = views.len();
            let (byte_stride, target) = KINDS[i];
            views.push(BufferView { buffer: 0, byte_offset: length, byte_length, byte_stride, target });
            length += byte_length.next_multiple_of(4);
        }
        for image in &mut root.images {
            image.buffer_view += views.len();
        }
        for picture in &self.pictures {
            let (byte_offset, byte_length) = (length, picture.len());
            views.push(BufferView { buffer: 0, byte_offset, byte_length, byte_stride: None, target: None });
            length += byte_length.next_multiple_of(4);
        }
        let mut json = serde_json::to_vec(&root).map_err(from_json)?;
        self.write_accessors(&view_of, &mut json);
        if length > 0 {
            let buffers = Buffers { buffer_views: views, buffers: [Buffer { byte_length: length }] };
            let buffers = serde_json::to_vec(&buffers).map_err(from_json)?;
            json.pop();
            json.push(b',');
            json.extend_from_slice(&buffers[1..]);
        }
        json.resize(json.len().next_multiple_of(4), b' ');
        self.write_chunks(&json, length, BufWriter::new(out))
    }

    /// Adds the accessors to the JSON object of the file. They are most of it, and most of their text is known.
    fn write_accessors(&self, view_of: &[usize; RUNS], json: &mut Vec<u8>) {
        if self.accessors == 0 {
            return;
        }
        json.pop();
        json.reserve(self.values.iter().map(|values| values.json.len()).sum::<usize>() + 64 * self.accessors);
        let mut number = itoa::Buffer::new();
        let mut lengths = [0; RUNS];
        let mut before: &[u8] = b",\"accessors\":[";
        for (run, bytes, rest) in self.parts() {
            json.extend_from_slice(before);
            json.extend_from_slice(b"{\"bufferView\":");
            json.extend_from_slice(number.format(view_of[run]).as_bytes());
            json.extend_from_slice(b",\"byteOffset\":");
            json.extend_from_slice(number.format(lengths[run]).as_bytes());
            json.push(b',');
            json.extend_from_slice(rest);
            json.push(b'}');
            lengths[run] += bytes.len();
            before = b",";
        }
        json.extend_from_slice(b"]}");
    }

    fn write_chunks(&self, json: &[u8], length: usize, mut out: impl Write) -> Result<()> {
        let total = 12 + 8 + json.len() + if length > 0 { 8 + length } else { 0 };
        // The budget of an input of 250 MB or more allows sizes that exceed the limit of the format.
        let need = total as u64;
        let total = u32::try_from(total).map_err(|_| {
            let kind = ErrorKind::Limit { of: Limit::Capacity, need, limit: u32::MAX.into() };
            Error::new(kind, "GLB, which has 32-bit lengths", 0, OffsetBase::File)
        })?;
        let short = |length: usize| u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes();
        let version = 2_u32.to_le_bytes();
        let total = total.to_le_bytes();
        let (json_length, length) = (short(json.len()), (length > 0).then(|| short(length)));
        let mut pieces: Vec<&[u8]> = vec![b"glTF", &version, &total, &json_length, b"JSON", json];
        if let Some(length) = &length {
            pieces.extend([&length[..], b"BIN\0"]);
            for run in 0..RUNS {
                let from = pieces.len();
                pieces.extend(self.parts().filter(|part| part.0 == run).map(|(_, bytes, _)| bytes));
                pieces.push(padding(pieces[from..].iter().map(|piece| piece.len()).sum()));
            }
            pieces.extend(self.pictures.iter().flat_map(|picture| [picture, padding(picture.len())]));
        }
        write_all(&pieces, &mut out)?;
        out.flush()?;
        Ok(())
    }
}

/// Writes all pieces at once: memory then grows once, and a file is written in few calls.
fn write_all(pieces: &[&[u8]], out: &mut impl Write) -> io::Result<()> {
    let mut slices: Vec<_> = pieces.iter().map(|piece| IoSlice::new(piece)).collect();
    let mut rest = &mut slices[..];
    while !rest.is_empty() {
        match out.write_vectored(rest) {
            Ok(0) => return Err(WriteZero.into()),
            Ok(written) => IoSlice::advance_slices(&mut rest, written),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Returns the zeros that follow this many bytes.
fn padding(length: usize) -> &'static [u8] {
    &[0; 3][..length.next_multiple_of(4) - length]
}
