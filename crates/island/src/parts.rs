use worldview_core::{Cursor, Error, ErrorKind, OnProblem, Result, Source};

use crate::iter::sequence;
use crate::lod::Lods;
use crate::name::Name;
use crate::read;
use crate::roi::until;
use crate::texture::Textures;

/// A list of parts and its textures, validated when it was opened: the global parts, or those of a blob.
/// See [Parts](crate::format#parts).
#[non_exhaustive]
#[derive(Clone, Copy)]
pub struct Parts<'a> {
    source: Source<'a>,
    count: u32,
    /// The stored number of parts, which is larger than `count` if lossy reading stopped at a broken part.
    stored_count: u32,
    end: u64,
    /// Offset of the list of textures, relative to the start of the chunk or blob.
    pub texture_offset: u32,
    /// The textures.
    pub textures: Textures<'a>,
}

worldview_core::debug_summary!("Parts", Parts<'_>, |this| len: this.len(), textures: this.textures.len(), source: this.source);

impl<'a> Parts<'a> {
    const START: u64 = 8;
    /// The smallest valid offset of the list of textures: after the offset and the part count.
    const MIN_LIST: u32 = 8;

    /// Parses the global parts chunk or a blob of parts.
    ///
    /// # Errors
    ///
    /// Returns an error if a part or texture is truncated. Corners are only validated when a mesh is decoded.
    pub fn parse(source: impl Into<Source<'a>>) -> Result<Self> {
        Self::read(source.into(), &mut Err)
    }

    /// Parses the chunk or blob. If `on_problem` is lossy, parts and textures end before the first broken one.
    pub(crate) fn read(source: Source<'a>, on_problem: OnProblem<'_>) -> Result<Self> {
        let mut c = Cursor::new(source);
        let texture_offset = read::word(&mut c, "texture list offset of parts")?;
        let textures = textures(source, texture_offset, on_problem).or_else(|error| {
            on_problem(error)?;
            Ok(Textures::none(source))
        })?;
        let field = c;
        let count = read::word(&mut c, "part count")?;
        let too_many = read::fits(&field, &c, count, 12, "part count").err();
        if let Some(error) = too_many {
            on_problem(error)?;
        }
        let mut parts = Self { source, count, stored_count: count, end: c.position(), texture_offset, textures };
        for index in 0..count {
            let broken = Part::read(&mut c, source).and_then(|part| part.lods.check()).err();
            if let Some(error) = broken {
                // Where the chunk is too short for its count, that was said already.
                if too_many.is_none() {
                    on_problem(error.with_index(error.index().unwrap_or(index)))?;
                }
                parts.count = index;
                break;
            }
            parts.end = c.position();
        }
        Ok(parts)
    }

    /// Returns the chunk or blob.
    pub const fn source(&self) -> Source<'a> {
        self.source
    }

    /// Returns the offset in the file just past the last part.
    pub const fn end(&self) -> u64 {
        self.end
    }

    fn start(&self) -> Cursor<'a> {
        self.source.cursor(Self::START, "parts").unwrap_or(Cursor::new(self.source))
    }

    #[inline]
    fn read_next(&self, c: &mut Cursor<'a>) -> Result<Part<'a>> {
        Part::read(c, self.source)
    }

    /// Returns the number of parts that the file stores, of which a lossy reading may have left out some.
    pub const fn stored_count(&self) -> u32 {
        self.stored_count
    }

    /// Returns the part at offset `at` in the file.
    pub(crate) fn starting_at(&self, at: u64) -> Option<Part<'a>> {
        Part::at_offset(self.source, at.checked_sub(self.source.base())?.try_into().ok()?)
    }

    /// Returns the error of the part after the last one, if lossy reading stopped there.
    pub(crate) fn broken(&self) -> Option<Error> {
        let at = self.end.saturating_sub(self.source.base());
        let mut c = self.source.cursor(at, "parts").ok().filter(|_| self.count < self.stored_count)?;
        let error = Part::read(&mut c, self.source).and_then(|part| part.lods.check()).err()?;
        Some(error.with_index(error.index().unwrap_or(self.count)))
    }

    /// Returns why there are no textures, if a lossy reading could not find their list.
    pub(crate) fn no_textures(&self) -> Option<Error> {
        textures(self.source, self.texture_offset, &mut |_| Ok(())).err()
    }

    /// Returns what is wrong with the first part or texture that a lossy reading left out, or `None` if all are there.
    pub fn left_out(&self) -> Option<Error> {
        self.broken().or_else(|| self.no_textures()).or_else(|| self.textures.broken())
    }

    /// Returns the levels of detail of each part.
    pub fn lods(&self) -> impl Iterator<Item = Lods<'a>> + use<'a> {
        self.iter().map(|part| part.lods)
    }
}

sequence! {
    /// An iterator over [`Parts`], in file order.
    pub struct PartsIter over Parts => Part, "parts";
}

/// Reads the list of textures. Its offset must not point into the header or too close to the end.
fn textures<'a>(source: Source<'a>, offset: u32, on_problem: OnProblem<'_>) -> Result<Textures<'a>> {
    let mut c = list(source, offset, Parts::MIN_LIST, 4, 0)?;
    let field = c;
    let count = read::word(&mut c, "texture count")?;
    Textures::list(c.rest(), &field, count, on_problem)
}

/// Returns a cursor at a list of textures. If the offset is out of range, the error refers to the field at `word`.
pub(crate) fn list(source: Source<'_>, offset: u32, least: u32, own: u64, word: u64) -> Result<Cursor<'_>> {
    const WHAT: &str = "texture list offset";
    let max = source.len().saturating_sub(own);
    if offset < least || u64::from(offset) > max {
        return Err(source.error(ErrorKind::NotWithin { found: offset, min: least, max }, WHAT, word));
    }
    source.cursor(offset.into(), WHAT)
}

/// A part: a named list of levels of detail that objects share by its name. See [Parts](crate::format#parts).
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// Offset in the file.
    pub at: u64,
    /// The part's name.
    pub name: Name<'a>,
    /// Offset of the next part, relative to the start of the chunk or blob.
    pub end_offset: u32,
    /// The levels of detail.
    pub lods: Lods<'a>,
}

impl<'a> Part<'a> {
    /// Parses a part that starts at the beginning of `source`, which its offset is relative to.
    ///
    /// # Errors
    ///
    /// Returns an error if the part is truncated. Corners are only validated when a mesh is decoded.
    pub fn parse(source: impl Into<Source<'a>>) -> Result<Self> {
        let source = source.into();
        let part = Self::read(&mut Cursor::new(source), source)?;
        part.lods.check().map(|()| part)
    }

    /// Returns the part at `offset` in a chunk or blob.
    pub(crate) fn at_offset(chunk: Source<'a>, offset: u32) -> Option<Self> {
        Self::read(&mut chunk.cursor(offset.into(), "part").ok()?, chunk).ok()
    }

    #[inline]
    fn read(c: &mut Cursor<'a>, chunk: Source<'a>) -> Result<Self> {
        let at = c.position();
        let name = read::name(c, "name of part")?;
        let field = *c;
        let count = read::word(c, "LOD count of part")?;
        let (end_offset, own) = until(c, chunk, "end offset of part")?;
        read::fits(&field, &Cursor::new(own), count, Lods::MIN, "LOD count of part")?;
        Ok(Self { at, name, end_offset, lods: Lods::unchecked(own, count) })
    }
}

worldview_core::assert_send_sync!(Parts<'_>, Part<'_>);
