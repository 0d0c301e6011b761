use worldview_core::{Error, ErrorKind, Place, Result, Source};

use crate::finding::{Finding, broken};
use crate::texture::Textures;

/// A `.tex` file: a list of textures on its own, as the game's streams contain them. See
/// [Texture files](crate::format#texture-files).
#[derive(Clone, Copy)]
pub struct TextureFile<'a> {
    source: Source<'a>,
    textures: Textures<'a>,
}

worldview_core::debug_summary!("TextureFile", TextureFile<'_>, |this| len: this.textures.len(), source: this.source);

impl<'a> TextureFile<'a> {
    /// The most bytes after the textures that are no error: known files end in one.
    pub const MAX_TRAILING: u64 = 1;

    /// Parses a file.
    ///
    /// ```
    /// # fn main() -> worldview_island::Result<()> {
    /// # let bytes: &[u8] = include_bytes!("../../../samples/pennant.tex");
    /// use worldview_island::TextureFile;
    ///
    /// for texture in TextureFile::parse(bytes)?.textures() {
    ///     println!("{:?}: {} x {}", texture.name, texture.image.width, texture.image.height);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if a texture is truncated, or if more than [one byte](Self::MAX_TRAILING) follows the last one: the
    /// file has no signature, so only an exact parse shows that it is one.
    pub fn parse(source: impl Into<Source<'a>>) -> Result<Self> {
        let source = source.into();
        let file = Self { source, textures: Textures::global(source, &mut Err)? };
        let (end, len) = (file.textures.end().saturating_sub(source.base()), source.len());
        if len.saturating_sub(end) > Self::MAX_TRAILING {
            return Err(source.error(ErrorKind::Mismatch { want: end, found: len }, "length of the file", 0));
        }
        Ok(file)
    }

    /// Parses the textures before the first broken one, which is reported.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot hold as many textures as it says.
    pub fn parse_lossy(source: impl Into<Source<'a>>, report: &mut dyn FnMut(Finding<'a>)) -> Result<Self> {
        let source = source.into();
        let mut note = |error: Error| {
            report(broken(&error, Place::one(error.what, error.index())));
            Ok(())
        };
        Ok(Self { source, textures: Textures::global(source, &mut note)? })
    }

    /// Returns the whole file.
    pub const fn source(&self) -> Source<'a> {
        self.source
    }

    /// Returns the textures. None of them has two images.
    pub const fn textures(&self) -> Textures<'a> {
        self.textures
    }
}

worldview_core::assert_send_sync!(TextureFile<'_>);
