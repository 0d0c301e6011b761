use worldview_core::{Cursor, Error, ErrorKind, OnProblem, Result, Source};

use crate::animation::Animation;
use crate::labels;
use crate::lod::Lods;
use crate::parts::list;
use crate::read;
use crate::roi::Roi;
use crate::texture::Textures;
use crate::tree::Tree;

/// A model: an animation, a tree of objects, and textures. See [Model](crate::format#model).
#[non_exhaustive]
#[derive(Clone, Debug)]
pub struct Model<'a> {
    source: Source<'a>,
    /// Offset of the list of textures, relative to the start of the blob.
    pub texture_offset: u32,
    /// The stored number of objects. It has no meaning: there is always one tree.
    pub roi_count: u32,
    /// The animation.
    pub animation: Animation<'a>,
    /// The tree of objects.
    pub rois: Tree<'a, Roi<'a>>,
    /// The skip word: if it is not 0, the game reads the textures and discards them.
    pub skip_textures: u32,
    /// The textures.
    pub textures: Textures<'a>,
}

impl<'a> Model<'a> {
    /// The only model version that the game reads.
    pub const VERSION: u32 = 19;

    /// Parses the blob of a model.
    ///
    /// # Errors
    ///
    /// Returns an error if the version is not [`VERSION`](Self::VERSION), or if a node, object, level, mesh or texture
    /// is truncated. Corners are only validated when a mesh is decoded.
    pub fn parse(source: impl Into<Source<'a>>) -> Result<Self> {
        Self::read(source.into(), &mut Err)
    }

    /// Parses the blob. If `on_problem` is lossy, objects and textures end before the first broken one.
    pub(crate) fn read(source: Source<'a>, on_problem: OnProblem<'_>) -> Result<Self> {
        let mut c = Cursor::new(source);
        let field = c;
        let version = read::word(&mut c, labels::MODEL_VERSION)?;
        if version != Self::VERSION {
            let kind = ErrorKind::Mismatch { want: Self::VERSION.into(), found: version.into() };
            return Err(field.error(kind, labels::MODEL_VERSION));
        }
        let texture_offset = read::word(&mut c, "texture list offset of the model")?;
        let (skip_textures, textures) = textures(source, texture_offset, on_problem).or_else(|error| {
            on_problem(error)?;
            Ok((0, Textures::none(source)))
        })?;
        let roi_count = read::word(&mut c, "ROI count of the model")?;
        let animation = Animation::read(&mut c, source)?;
        let rois = Tree::read(&mut c, source, on_problem)?;
        Ok(Self { source, texture_offset, roi_count, animation, rois, skip_textures, textures })
    }

    /// Returns the blob.
    pub const fn source(&self) -> Source<'a> {
        self.source
    }

    /// Returns why there are no textures, if a lossy reading could not find their list.
    pub(crate) fn no_textures(&self) -> Option<Error> {
        textures(self.source, self.texture_offset, &mut |_| Ok(())).err()
    }

    /// Returns what is wrong with the first object or texture that a lossy reading left out, or `None` if all are there.
    pub fn left_out(&self) -> Option<Error> {
        self.rois.broken().or_else(|| self.no_textures()).or_else(|| self.textures.broken())
    }

    /// Returns the levels of detail of each object.
    pub fn lods(&self) -> impl Iterator<Item = Lods<'a>> {
        self.rois.iter().map(|roi| roi.lods)
    }

    /// Returns the textures that the model registers: none if they are to be skipped.
    pub const fn own_textures(&self) -> Textures<'a> {
        if self.skip_textures == 0 { self.textures } else { Textures::none(self.source) }
    }
}

/// Reads the skip word and the list of textures.
fn textures<'a>(source: Source<'a>, offset: u32, on_problem: OnProblem<'_>) -> Result<(u32, Textures<'a>)> {
    let mut c = list(source, offset, 12, 8, 4)?;
    let field = c;
    let count = read::word(&mut c, "texture count")?;
    let skip = read::word(&mut c, "skip word of the model")?;
    Ok((skip, Textures::list(c.rest(), &field, count, on_problem)?))
}

worldview_core::assert_send_sync!(Model<'_>);
