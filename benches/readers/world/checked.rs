use worldview_core::zerocopy::little_endian::{I32, U16, U32};
use worldview_core::{OffsetBase, Result, Source};

use super::{Blob, distinct};
use crate::readers::Digest;

pub(super) fn digest(bytes: &[u8]) -> Digest {
    Ok(database(Source::new(bytes, OffsetBase::File))?)
}

/// A position in the file; each number is read with a bounds check.
#[derive(Clone, Copy)]
struct At<'a> {
    source: Source<'a>,
    at: u64,
}

impl<'a> At<'a> {
    fn new(source: Source<'a>, at: u64) -> Self {
        Self { source, at }
    }

    fn byte(&mut self) -> Result<u32> {
        self.at += 1;
        Ok((*self.source.view::<u8>(self.at - 1, "byte")?).into())
    }

    fn half(&mut self) -> Result<u32> {
        self.at += 2;
        Ok(self.source.view::<U16>(self.at - 2, "half")?.get().into())
    }

    fn word(&mut self) -> Result<u32> {
        self.at += 4;
        Ok(self.source.view::<U32>(self.at - 4, "word")?.get())
    }

    fn signed(&mut self) -> Result<i32> {
        self.at += 4;
        Ok(self.source.view::<I32>(self.at - 4, "word")?.get())
    }

    /// Sums `count` bytes.
    fn bytes(&mut self, count: u64) -> Result<u32> {
        let mut sum = 0_u32;
        for _ in 0..count {
            sum = sum.wrapping_add(self.byte()?);
        }
        Ok(sum)
    }

    /// Sums `count` words.
    fn words(&mut self, count: u32) -> Result<u32> {
        let mut sum = 0_u32;
        for _ in 0..count {
            sum = sum.wrapping_add(self.word()?);
        }
        Ok(sum)
    }

    /// Skips a name.
    fn name(&mut self) -> Result<()> {
        let length = self.word()?;
        self.at += u64::from(length);
        Ok(())
    }

    /// Reads a count, and sums that many parts.
    fn counted(&mut self, mut part: impl FnMut(&mut Self) -> Result<u32>) -> Result<u32> {
        let count = self.word()?;
        self.times(count, &mut part)
    }

    /// Sums `count` parts.
    fn times(&mut self, count: u32, mut part: impl FnMut(&mut Self) -> Result<u32>) -> Result<u32> {
        let mut sum = 0_u32;
        for _ in 0..count {
            sum = sum.wrapping_add(part(self)?);
        }
        Ok(sum)
    }
}

fn database(file: Source<'_>) -> Result<u32> {
    let mut at = At::new(file, 0);
    let mut blobs = Vec::new();
    let mut sum = at.counted(|at| world(at, &mut blobs))?;
    let size = at.word()?;
    sum = sum.wrapping_add(At::new(file, at.at).counted(|at| texture(at, false))?);
    at.at += u64::from(size);
    let size = at.word()?;
    sum = sum.wrapping_add(parts(file.window(at.at, size.into(), "parts")?)?);
    for blob in distinct(blobs) {
        let window = file.window(blob.offset.into(), blob.length.into(), "blob")?;
        sum = sum.wrapping_add(if blob.is_model { model(window)? } else { parts(window)? });
    }
    Ok(sum)
}

fn world(at: &mut At<'_>, blobs: &mut Vec<Blob>) -> Result<u32> {
    at.name()?;
    let parts = at.counted(|at| reference(at, false, blobs))?;
    let models = at.counted(|at| {
        let range = reference(at, true, blobs)?;
        at.name()?;
        Ok(range.wrapping_add(at.words(9)?).wrapping_add(at.byte()?))
    })?;
    Ok(parts.wrapping_add(models))
}

fn reference(at: &mut At<'_>, is_model: bool, blobs: &mut Vec<Blob>) -> Result<u32> {
    at.name()?;
    let (length, offset) = (at.word()?, at.word()?);
    blobs.push(Blob { offset, length, is_model });
    Ok(length.wrapping_add(offset))
}

fn texture(at: &mut At<'_>, has_pairs: bool) -> Result<u32> {
    let mut name = *at;
    let is_pair = has_pairs && name.word()? != 0 && name.byte()? == u32::from(b'^');
    at.name()?;
    at.times(if is_pair { 2 } else { 1 }, image)
}

fn image(at: &mut At<'_>) -> Result<u32> {
    let (width, height, colors) = (at.word()?, at.word()?, at.word()?);
    let head = width.wrapping_add(height).wrapping_add(colors);
    let palette = at.bytes(3 * u64::from(colors))?;
    Ok(head.wrapping_add(palette).wrapping_add(at.bytes(u64::from(width) * u64::from(height))?))
}

fn parts(chunk: Source<'_>) -> Result<u32> {
    let mut at = At::new(chunk, 0);
    let textures = at.word()?;
    let parts = at.counted(|at| {
        at.name()?;
        let count = at.word()?;
        lods(at, count)
    })?;
    Ok(parts.wrapping_add(At::new(chunk, textures.into()).counted(|at| texture(at, true))?))
}

/// Reads the word that gives the end of the levels of detail, and the levels.
fn lods(at: &mut At<'_>, count: u32) -> Result<u32> {
    let end = at.word()?;
    let sum = at.times(count, lod)?;
    at.at = end.into();
    Ok(sum)
}

fn lod(at: &mut At<'_>) -> Result<u32> {
    if at.word()? & 4 != 0 {
        return Ok(0);
    }
    let meshes = at.word()?;
    if meshes == 0 {
        return Ok(0);
    }
    let (counts, uvs) = (at.word()?, at.signed()?.max(0).unsigned_abs());
    let positions = at.words(3 * (counts & 0x7FFF))?;
    let normals = at.words(3 * (counts >> 17))?;
    let uvs = at.words(2 * uvs)?;
    Ok(positions.wrapping_add(normals).wrapping_add(uvs).wrapping_add(at.times(meshes, mesh)?))
}

fn mesh(at: &mut At<'_>) -> Result<u32> {
    let count = 3 * at.half()?;
    at.half()?;
    let corners = at.words(count)?;
    let uv_indices = if at.word()? == 0 { 0 } else { at.words(count)? };
    // The surface properties.
    at.at += 11;
    at.name()?;
    at.name()?;
    Ok(corners.wrapping_add(uv_indices))
}

fn model(blob: Source<'_>) -> Result<u32> {
    let mut at = At::new(blob, 4);
    let textures = at.word()?;
    // The number of objects, which is ignored.
    at.word()?;
    at.counted(|at| {
        let mut name = *at;
        at.name()?;
        at.at += if name.word()? == 0 { 0 } else { 4 };
        Ok(0)
    })?;
    // The duration.
    at.word()?;
    let sum = node(&mut at)?.wrapping_add(roi(&mut at)?);
    let mut at = At::new(blob, textures.into());
    let count = at.word()?;
    at.word()?;
    Ok(sum.wrapping_add(at.times(count, |at| texture(at, true))?))
}

fn node(at: &mut At<'_>) -> Result<u32> {
    at.name()?;
    let mut sum = 0_u32;
    for words in [4, 5, 4] {
        let count = at.half()?;
        sum = sum.wrapping_add(at.words(words * count)?);
    }
    let count = at.half()?;
    sum = sum.wrapping_add(at.times(count, |at| Ok(at.word()?.wrapping_add(at.byte()?)))?);
    Ok(sum.wrapping_add(at.counted(node)?))
}

fn roi(at: &mut At<'_>) -> Result<u32> {
    at.name()?;
    let mut sum = at.words(10)?;
    at.name()?;
    if at.byte()? == 0 {
        let count = at.word()?;
        sum = sum.wrapping_add(if count == 0 { 0 } else { lods(at, count)? });
    }
    Ok(sum.wrapping_add(at.counted(roi)?))
}
