//! Databases as plain data. The builder writes exactly what a spec says, valid or not.

mod mesh;
mod model;

pub use mesh::{CornerSpec, LodSpec, MeshSpec};
pub use model::{ActorSpec, AnimationSpec, KeySpec, LodsSpec, ModelSpec, NodeSpec, RoiSpec};

/// Spec of a whole file.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct DatabaseSpec {
    /// The worlds, in the order of the directory.
    pub worlds: Vec<WorldSpec>,
    /// The global textures.
    pub textures: Vec<TextureSpec>,
    /// Bytes of the global texture chunk after its last texture.
    pub textures_trailing: Vec<u8>,
    /// The global parts.
    pub parts: PartsSpec,
    /// The blobs, in file order.
    pub blobs: Vec<BlobSpec>,
    /// Bytes after the last blob.
    pub trailing: Vec<u8>,
}

/// A world of the directory.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct WorldSpec {
    /// The counted bytes of the name, including its usual NUL.
    pub name: Vec<u8>,
    /// The parts that the world loads.
    pub parts: Vec<PartRefSpec>,
    /// The models placed in the world.
    pub models: Vec<ModelRefSpec>,
}

/// A reference to a part blob.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct PartRefSpec {
    /// The counted bytes of the name, including its usual NUL.
    pub name: Vec<u8>,
    /// The place of the blob.
    pub place: PlaceSpec,
}

/// A reference to a model blob.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct ModelRefSpec {
    /// The counted bytes of the name, including its usual NUL.
    pub name: Vec<u8>,
    /// The place of the blob.
    pub place: PlaceSpec,
    /// The counted bytes of the presenter's name, including its usual NUL.
    pub presenter: Vec<u8>,
    /// Position of the model.
    pub location: [f32; 3],
    /// Direction of its front.
    pub direction: [f32; 3],
    /// Direction of its top.
    pub up: [f32; 3],
    /// Whether it is visible at first: any value but 0.
    pub visible: u8,
}

/// The place of a blob, as stored in a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub enum PlaceSpec {
    /// The blob with this index; several references may share one.
    Blob(usize),
    /// A fixed byte range of the file.
    Bytes {
        /// Absolute offset.
        offset: u32,
        /// Length.
        length: u32,
    },
}

/// A blob and the bytes before it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct BlobSpec {
    /// Bytes between the previous blob and this one.
    pub gap: Vec<u8>,
    /// The content.
    pub content: ContentSpec,
}

/// The content of a blob.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub enum ContentSpec {
    /// Parts.
    Parts(PartsSpec),
    /// A model.
    Model(Box<ModelSpec>),
    /// Raw bytes.
    Raw(Vec<u8>),
}

/// The global parts or those of a part blob.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct PartsSpec {
    /// The parts.
    pub parts: Vec<PartSpec>,
    /// Bytes between the last part and the texture list.
    pub before_textures: Vec<u8>,
    /// The textures.
    pub textures: Vec<TextureSpec>,
    /// Bytes after the last texture.
    pub trailing: Vec<u8>,
}

/// A part: a list of levels of detail that objects refer to by name.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct PartSpec {
    /// The counted bytes of the name.
    pub name: Vec<u8>,
    /// The levels of detail, coarsest first.
    pub lods: Vec<LodSpec>,
    /// Bytes between the last level and the stored end of the part.
    pub before_end: Vec<u8>,
}

/// A texture.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct TextureSpec {
    /// The counted bytes of the name; a leading `^` marks a texture with two images.
    pub name: Vec<u8>,
    /// The only image, or the low-quality one.
    pub image: ImageSpec,
    /// The high-quality image; written whenever it is present, whatever the name.
    pub second: Option<ImageSpec>,
}

/// An image.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct ImageSpec {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Colors: red, green, blue.
    pub palette: Vec<[u8; 3]>,
    /// Palette indices, top row first; any number of them is written unchanged.
    pub pixels: Vec<u8>,
}

/// Returns the counted bytes of a name in the directory: the text and a NUL.
pub fn with_nul(text: impl AsRef<[u8]>) -> Vec<u8> {
    [text.as_ref(), &[0]].concat()
}

impl WorldSpec {
    /// Creates an empty world.
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
    /// Creates a reference to a visible model at the origin that faces forward.
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

    /// Sets the position.
    #[must_use]
    pub fn at(self, location: [f32; 3]) -> Self {
        Self { location, ..self }
    }

    /// Sets the direction of the front.
    #[must_use]
    pub fn facing(self, direction: [f32; 3]) -> Self {
        Self { direction, ..self }
    }
}

impl BlobSpec {
    /// Creates a part blob without a gap before it.
    pub fn parts(parts: PartsSpec) -> Self {
        Self { gap: Vec::new(), content: ContentSpec::Parts(parts) }
    }

    /// Creates a model blob without a gap before it.
    pub fn model(model: ModelSpec) -> Self {
        Self { gap: Vec::new(), content: ContentSpec::Model(Box::new(model)) }
    }

    /// Creates a blob of raw bytes without a gap before it.
    pub fn raw(bytes: impl Into<Vec<u8>>) -> Self {
        Self { gap: Vec::new(), content: ContentSpec::Raw(bytes.into()) }
    }
}

impl PartSpec {
    /// Creates a part with these levels of detail.
    pub fn new(name: &str, lods: Vec<LodSpec>) -> Self {
        Self { name: name.into(), lods, before_end: Vec::new() }
    }
}

impl TextureSpec {
    /// Creates a texture with one image.
    pub fn new(name: &str, image: ImageSpec) -> Self {
        Self { name: name.into(), image, second: None }
    }

    /// Creates a texture with two images, and prefixes its name with `^`.
    pub fn pair(name: &str, low: ImageSpec, high: ImageSpec) -> Self {
        Self { name: format!("^{name}").into_bytes(), image: low, second: Some(high) }
    }
}

impl ImageSpec {
    /// Creates an image of one color.
    pub fn plain(width: u32, height: u32, color: [u8; 3]) -> Self {
        Self::drawn(width, height, vec![color], |_, _| 0)
    }

    /// Creates an image by calling a closure for each pixel, row by row from the top.
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
