use worldview_core::{Cursor, Error, ErrorKind, OffsetBase, OnProblem, Result, Source};

use crate::iter::sequence;
use crate::name::Name;
use crate::raw::{ImageHeader, Rgb};
use crate::read;

/// A list of textures, validated when it was opened: the global one, or that of a blob.
/// See [Global textures](crate::format#global-textures) and [Texture list](crate::format#texture-list).
#[derive(Clone, Copy)]
pub struct Textures<'a> {
    source: Source<'a>,
    count: u32,
    /// The stored number of textures, which is larger than `count` if lossy reading stopped at a broken entry.
    stored_count: u32,
    has_pairs: bool,
    end: u64,
}

worldview_core::debug_summary!("Textures", Textures<'_>, |this| len: this.len(), source: this.source);

impl<'a> Textures<'a> {
    /// The size in bytes of the smallest possible entry.
    const MIN: u32 = 16;

    /// Creates an empty list.
    pub(crate) const fn none(source: Source<'a>) -> Self {
        Self { source, count: 0, stored_count: 0, has_pairs: false, end: source.base() }
    }

    /// Parses the global texture chunk. Returns an error if an entry is truncated.
    pub(crate) fn global(chunk: Source<'a>, on_problem: OnProblem<'_>) -> Result<Self> {
        let mut c = Cursor::new(chunk);
        let count = read::count(&mut c, Self::MIN, "texture count")?;
        Self::read(c.rest(), count, false, on_problem)
    }

    /// Parses `count` entries of a blob's list.
    pub(crate) fn list(source: Source<'a>, field: &Cursor<'_>, count: u32, on_problem: OnProblem<'_>) -> Result<Self> {
        read::fits(field, &Cursor::new(source), count, Self::MIN, "texture count")?;
        Self::read(source, count, true, on_problem)
    }

    fn read(source: Source<'a>, count: u32, has_pairs: bool, on_problem: OnProblem<'_>) -> Result<Self> {
        let mut textures = Self { source, count: 0, stored_count: count, has_pairs, end: source.base() };
        let mut c = Cursor::new(source);
        for index in 0..count {
            // A broken entry is read again from its start.
            let mut entry = c;
            match Texture::read(&mut entry, has_pairs) {
                Ok(_) => {
                    c = entry;
                    textures.count = textures.count.saturating_add(1);
                }
                Err(error) => {
                    on_problem(indexed(error, index))?;
                    break;
                }
            }
        }
        textures.end = c.position();
        Ok(textures)
    }

    /// Returns everything after the number of entries, up to the end of the chunk or blob.
    pub const fn source(&self) -> Source<'a> {
        self.source
    }

    /// Returns the offset in the file just past the last entry.
    pub const fn end(&self) -> u64 {
        self.end
    }

    const fn start(&self) -> Cursor<'a> {
        Cursor::new(self.source)
    }

    #[inline]
    fn read_next(&self, c: &mut Cursor<'a>) -> Result<Texture<'a>> {
        Texture::read(c, self.has_pairs)
    }

    /// Returns the stored number of textures, some of which lossy reading may have skipped.
    pub(crate) const fn stored_count(&self) -> u32 {
        self.stored_count
    }

    /// Returns whether a `^` before a name marks a texture with two images.
    pub(crate) const fn has_pairs(&self) -> bool {
        self.has_pairs
    }

    /// Returns the texture at offset `at` in the file.
    pub(crate) fn starting_at(&self, at: u64) -> Option<Texture<'a>> {
        let offset = at.checked_sub(self.source.base())?.try_into().ok()?;
        Texture::at_offset(self.source, offset, self.has_pairs)
    }

    /// Returns the error of the texture after the last one, if lossy reading stopped there.
    pub(crate) fn broken(&self) -> Option<Error> {
        let at = self.end.saturating_sub(self.source.base());
        let mut c = self.source.cursor(at, "textures").ok().filter(|_| self.count < self.stored_count)?;
        Some(indexed(Texture::read(&mut c, self.has_pairs).err()?, self.count))
    }
}

sequence! {
    /// An iterator over [`Textures`], in file order.
    pub struct TexturesIter over Textures => Texture, "textures";
}

fn indexed(error: Error, index: u32) -> Error {
    if error.index().is_some() { error } else { error.with_index(index) }
}

/// A texture: one image, or a low-quality image followed by a high-quality one. See
/// [Texture list](crate::format#texture-list).
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub struct Texture<'a> {
    /// Offset in the file.
    pub at: u64,
    /// The name as stored: in the list of a blob, a leading `^` marks a texture with two images.
    pub name: Name<'a>,
    /// The only image, or the low-quality one.
    pub image: Image<'a>,
    /// The high-quality image, which the game uses by default.
    pub second: Option<Image<'a>>,
}

impl<'a> Texture<'a> {
    /// Parses a texture that starts at the beginning of `source`. `has_pairs` says whether a `^` before its name marks
    /// two images, as it does in the lists of blobs.
    ///
    /// # Errors
    ///
    /// Returns an error if the texture is truncated.
    pub fn parse(source: impl Into<Source<'a>>, has_pairs: bool) -> Result<Self> {
        Self::read(&mut Cursor::new(source.into()), has_pairs)
    }

    /// Returns the texture at `offset` in a chunk or blob.
    pub(crate) fn at_offset(source: Source<'a>, offset: u32, has_pairs: bool) -> Option<Self> {
        Self::read(&mut source.cursor(offset.into(), "texture").ok()?, has_pairs).ok()
    }

    #[inline]
    fn read(c: &mut Cursor<'a>, has_pairs: bool) -> Result<Self> {
        let at = c.position();
        let name = read::name(c, "name of texture")?;
        let image = Image::read(c)?;
        let is_pair = has_pairs && name.text().starts_with(b"^");
        let second = if is_pair { Some(Image::read(c)?) } else { None };
        Ok(Self { at, name, image, second })
    }

    /// Returns the text of the name that meshes use for the texture, without the `^` of a pair.
    pub fn real_name(&self) -> &'a [u8] {
        let text = self.name.text();
        if self.second.is_some() { text.strip_prefix(b"^").unwrap_or(text) } else { text }
    }

    /// Returns the low-quality image, or the only one.
    pub const fn low(&self) -> Image<'a> {
        self.image
    }

    /// Returns the high-quality image, or the only one. The game uses this one by default.
    pub const fn high(&self) -> Image<'a> {
        match self.second {
            Some(second) => second,
            None => self.image,
        }
    }
}

/// An image with 8-bit pixels and a palette. See [Image](crate::format#image).
#[derive(Clone, Copy)]
pub struct Image<'a> {
    /// Offset in the file.
    pub at: u64,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// The colors of the palette, at most 256.
    pub palette: &'a [Rgb],
    /// One palette index per pixel, in rows from top to bottom, without padding.
    pub pixels: &'a [u8],
}

worldview_core::debug_summary!("Image", Image<'_>, |this| at: this.at, width: this.width, height: this.height, colors: this.palette.len());

impl<'a> Image<'a> {
    /// Parses an image that starts at the beginning of `source`.
    ///
    /// # Errors
    ///
    /// Returns an error if the image is truncated or has more than 256 colors.
    pub fn parse(source: impl Into<Source<'a>>) -> Result<Self> {
        Self::read(&mut Cursor::new(source.into()))
    }

    fn read(c: &mut Cursor<'a>) -> Result<Self> {
        let field = *c;
        let header: &ImageHeader = c.view("image header of texture")?;
        let (width, height, colors) = (header.width.get(), header.height.get(), header.colors.get());
        if colors > 256 {
            let kind = ErrorKind::OutOfRange { found: colors.into(), max: 256 };
            return Err(field.rest().error(kind, "color count of texture", 8));
        }
        let palette = c.array(colors.into(), "palette of texture")?;
        let pixels = u64::from(width).saturating_mul(height.into());
        if pixels > c.rest().len() {
            let kind = ErrorKind::Product { counts: [width, height], unit: 1, have: c.rest().len() };
            return Err(field.error(kind, "pixels of texture"));
        }
        Ok(Self { at: field.position(), width, height, palette, pixels: c.slice(pixels, "pixels of texture")? })
    }

    /// Returns the color for an index; like the game, black if the index is past the end of the palette.
    #[inline]
    pub fn color(&self, index: u8) -> [u8; 3] {
        self.palette.get(usize::from(index)).map_or([0; 3], |color| color.get())
    }

    /// Writes the red, green and blue of every pixel, in rows from the top. `out` has three bytes per pixel.
    ///
    /// # Errors
    ///
    /// Returns an error, and writes nothing, if `out` has another length.
    ///
    /// ```
    /// # fn main() -> worldview_island::Result<()> {
    /// # let file: &[u8] = include_bytes!("../../../samples/world.wdb");
    /// let database = worldview_island::Database::parse(file)?;
    /// let mut pixels = Vec::new(); // reused for every image
    /// for texture in database.textures()? {
    ///     pixels.resize(3 * texture.image.pixels.len(), 0);
    ///     texture.image.rgb_into(&mut pixels)?;
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn rgb_into(&self, out: &mut [u8]) -> Result<()> {
        self.expect_len(out.len(), 3)?;
        let colors = self.colors();
        let color = |pixel: u8| colors.get(usize::from(pixel)).copied().unwrap_or_default();
        let (fours, last) = self.pixels.as_chunks();
        let (twelves, rest) = out.as_chunks_mut::<12>();
        // Four pixels are two stores, instead of twelve.
        for (to, pixels) in twelves.iter_mut().zip(fours) {
            let [a, b, c, d]: [u32; 4] = pixels.map(color);
            let (start, end) = to.split_at_mut(8);
            start.copy_from_slice(&(u64::from(a) | u64::from(b) << 24 | u64::from(c) << 48).to_le_bytes());
            end.copy_from_slice(&(c >> 16 | d << 8).to_le_bytes());
        }
        for (to, pixel) in rest.as_chunks_mut::<3>().0.iter_mut().zip(last) {
            let [red, green, blue, _] = color(*pixel).to_le_bytes();
            *to = [red, green, blue];
        }
        Ok(())
    }

    /// Writes the red, green, blue and opacity of every pixel as [`rgb_into`](Self::rgb_into) does. `out` has four bytes per
    /// pixel. All pixels are opaque: 255.
    ///
    /// # Errors
    ///
    /// Returns an error, and writes nothing, if `out` has another length.
    pub fn rgba_into(&self, out: &mut [u8]) -> Result<()> {
        self.expect_len(out.len(), 4)?;
        let colors = self.colors().map(|color| (color | 0xFF << 24).to_le_bytes());
        for (to, pixel) in out.as_chunks_mut().0.iter_mut().zip(self.pixels) {
            *to = colors.get(usize::from(*pixel)).copied().unwrap_or_default();
        }
        Ok(())
    }

    /// Returns the red, green and blue of every pixel, as [`rgb_into`](Self::rgb_into) writes them.
    pub fn rgb(&self) -> Vec<u8> {
        let mut out = vec![0; self.pixels.len().saturating_mul(3)];
        let written = self.rgb_into(&mut out);
        debug_assert!(written.is_ok());
        out
    }

    /// Returns the red, green, blue and opacity of every pixel, as [`rgba_into`](Self::rgba_into) writes them.
    pub fn rgba(&self) -> Vec<u8> {
        let mut out = vec![0; self.pixels.len().saturating_mul(4)];
        let written = self.rgba_into(&mut out);
        debug_assert!(written.is_ok());
        out
    }

    /// Returns the colors with red in the lowest byte, as a full table, so that loops need no bounds check.
    fn colors(&self) -> [u32; 256] {
        let mut colors = [0; 256];
        for (to, from) in colors.iter_mut().zip(self.palette) {
            let [red, green, blue] = from.get();
            *to = u32::from_le_bytes([red, green, blue, 0]);
        }
        colors
    }

    fn expect_len(&self, len: usize, channels: usize) -> Result<()> {
        let want = self.pixels.len().saturating_mul(channels) as u64;
        if len as u64 == want {
            return Ok(());
        }
        let kind = ErrorKind::Mismatch { want, found: len as u64 };
        Err(Error::new(kind, "length of the buffer for the pixels of a texture", self.at, OffsetBase::File))
    }
}

worldview_core::assert_send_sync!(Textures<'_>, Texture<'_>, Image<'_>);
