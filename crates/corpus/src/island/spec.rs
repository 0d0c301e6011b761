//! What a database should hold, as plain data; the builder writes exactly this, broken or not.

mod mesh;
mod model;

pub use mesh::{CornerSpec, LodSpec, MeshSpec};
pub use model::{ActorSpec, AnimationSpec, KeySpec, LodsSpec, ModelSpec, NodeSpec, RoiSpec};

/// A whole file.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct DatabaseSpec {
    /// The worlds, in the order of the directory.
    pub worlds: Vec<WorldSpec>,
    /// The global textures.
    pub textures: Vec<TextureSpec>,
    /// Bytes of the global texture chunk behind its last texture.
    pub textures_trailing: Vec<u8>,
    /// The global parts.
    pub parts: PartsSpec,
    /// The blobs, in the order of the file.
    pub blobs: Vec<BlobSpec>,
    /// Bytes behind the last blob.
    pub trailing: Vec<u8>,
}

/// A world of the directory.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct WorldSpec {
    /// The counted bytes of the name, with the NUL that belongs there.
    pub name: Vec<u8>,
    /// The parts that the world loads.
    pub parts: Vec<PartRefSpec>,
    /// The models that stand in the world.
    pub models: Vec<ModelRefSpec>,
}

/// A reference to a part blob.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct PartRefSpec {
    /// The counted bytes of the name, with the NUL that belongs there.
    pub name: Vec<u8>,
    /// Where the blob lies.
    pub place: PlaceSpec,
}

/// A reference to a model blob.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct ModelRefSpec {
    /// The counted bytes of the name, with the NUL that belongs there.
    pub name: Vec<u8>,
    /// Where the blob lies.
    pub place: PlaceSpec,
    /// The counted bytes of the presenter's name, with the NUL that belongs there.
    pub presenter: Vec<u8>,
    /// Where the model stands.
    pub location: [f32; 3],
    /// Where its front points to.
    pub direction: [f32; 3],
    /// Where its top points to.
    pub up: [f32; 3],
    /// Whether it is shown at first: any value but 0.
    pub visible: u8,
}

/// Where a reference says that its blob lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub enum PlaceSpec {
    /// At the blob of that number; several references may share one.
    Blob(usize),
    /// At these bytes of the file.
    Bytes {
        /// Absolute offset.
        offset: u32,
        /// Length.
        length: u32,
    },
}

/// A blob and what lies before it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct BlobSpec {
    /// Bytes between the blob and the one before.
    pub gap: Vec<u8>,
    /// What the blob holds.
    pub content: ContentSpec,
}

/// What a blob holds.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub enum ContentSpec {
    /// Parts.
    Parts(PartsSpec),
    /// A model.
    Model(Box<ModelSpec>),
    /// These bytes.
    Raw(Vec<u8>),
}

/// The global parts, or those of a part blob.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct PartsSpec {
    /// The parts.
    pub parts: Vec<PartSpec>,
    /// Bytes between the last part and the list of textures.
    pub before_textures: Vec<u8>,
    /// The textures.
    pub textures: Vec<TextureSpec>,
    /// Bytes behind the last texture.
    pub trailing: Vec<u8>,
}

/// One part: a list of levels of detail that others share by its name.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct PartSpec {
    /// The counted bytes of the name.
    pub name: Vec<u8>,
    /// The levels of detail, the coarsest first.
    pub lods: Vec<LodSpec>,
    /// Bytes between the last level and the end that the part tells.
    pub before_end: Vec<u8>,
}

/// One texture.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct TextureSpec {
    /// The counted bytes of the name; a `^` begins the name of one that has two images.
    pub name: Vec<u8>,
    /// The image, or the one of low quality.
    pub image: ImageSpec,
    /// The image of high quality; written whenever it is given, whatever the name begins with.
    pub second: Option<ImageSpec>,
}

/// One image.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct ImageSpec {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Colours: red, green, blue.
    pub palette: Vec<[u8; 3]>,
    /// One index into the palette for each pixel, the top row first; written as they are, however many.
    pub pixels: Vec<u8>,
}

/// The counted bytes of a name in the directory: the text and a NUL.
pub fn with_nul(text: impl AsRef<[u8]>) -> Vec<u8> {
    [text.as_ref(), &[0]].concat()
}

impl WorldSpec {
    /// A world that is empty.
    pub fn new(name: &str) -> Self {
        Self { name: with_nul(name), ..Self::default() }
    }

    /// Adds a reference to a part blob.
    #[must_use]
    pub fn part(mut self, name: &str, blob: usize) -> Self {
        self.parts.push(PartRefSpec { name: with_nul(name), place: PlaceSpec::Blob(blob) });
        self
    }

    /// Adds a reference to a model blob.
    #[must_use]
    pub fn model(mut self, model: ModelRefSpec) -> Self {
        self.models.push(model);
        self
    }
}

impl ModelRefSpec {
    /// A visible model at the origin that faces forward.
    pub fn new(name: &str, blob: usize) -> Self {
        Self {
            name: with_nul(name),
            place: PlaceSpec::Blob(blob),
            presenter: with_nul("LegoEntityPresenter"),
            location: [0.0; 3],
            direction: [0.0, 0.0, 1.0],
            up: [0.0, 1.0, 0.0],
            visible: 1,
        }
    }

    /// The same model somewhere else.
    #[must_use]
    pub fn at(self, location: [f32; 3]) -> Self {
        Self { location, ..self }
    }

    /// The same model with its front elsewhere.
    #[must_use]
    pub fn facing(self, direction: [f32; 3]) -> Self {
        Self { direction, ..self }
    }
}

impl BlobSpec {
    /// A blob of parts right behind the one before.
    pub fn parts(parts: PartsSpec) -> Self {
        Self { gap: Vec::new(), content: ContentSpec::Parts(parts) }
    }

    /// A blob of a model right behind the one before.
    pub fn model(model: ModelSpec) -> Self {
        Self { gap: Vec::new(), content: ContentSpec::Model(Box::new(model)) }
    }

    /// A blob of any bytes right behind the one before.
    pub fn raw(bytes: impl Into<Vec<u8>>) -> Self {
        Self { gap: Vec::new(), content: ContentSpec::Raw(bytes.into()) }
    }
}

impl PartSpec {
    /// A part of these levels of detail.
    pub fn new(name: &str, lods: Vec<LodSpec>) -> Self {
        Self { name: name.into(), lods, before_end: Vec::new() }
    }
}

impl TextureSpec {
    /// A texture of one image.
    pub fn new(name: &str, image: ImageSpec) -> Self {
        Self { name: name.into(), image, second: None }
    }

    /// A texture of two images, whose name gets its `^`.
    pub fn pair(name: &str, low: ImageSpec, high: ImageSpec) -> Self {
        Self { name: format!("^{name}").into_bytes(), image: low, second: Some(high) }
    }
}

impl ImageSpec {
    /// An image of one colour.
    pub fn plain(width: u32, height: u32, colour: [u8; 3]) -> Self {
        Self::drawn(width, height, vec![colour], |_, _| 0)
    }

    /// An image whose pixels are asked for, row by row from the top.
    pub fn drawn(width: u32, height: u32, palette: Vec<[u8; 3]>, mut pixel: impl FnMut(u32, u32) -> u8) -> Self {
        let mut pixels = Vec::new();
        for y in 0..height {
            for x in 0..width {
                pixels.push(pixel(x, y));
            }
        }
        Self { width, height, palette, pixels }
    }
}
