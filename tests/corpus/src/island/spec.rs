//! Databases as plain data. The builder writes exactly what a spec says, valid or not.

use crate::builder::{Builder, Stored, count};
use crate::spec::{To, bare, counted, elsewhere, list, spec};

mod mesh;
mod model;

pub use mesh::{CornerSpec, LodSpec, MeshSpec};
pub use model::{ActorSpec, AnimationSpec, KeySpec, LodsSpec, ModelSpec, NodeSpec, RoiSpec};

/// A database with more blobs gets no labels inside them, since they would take more memory than the file itself.
const LABELED_BLOBS: usize = 100;

spec! {
    /// Spec of a whole file.
    pub struct DatabaseSpec |database, b| {
        world_count: count(database.worlds.len()),
        /// The worlds, in the order of the directory.
        pub worlds: Vec<WorldSpec> => list("world"),
        @ {
            b.field("textures.size").size_of("textures".into());
            b.part("textures", |b| textures(&database.textures, &database.textures_trailing, b));
            b.field("parts.size").size_of("parts".into());
            b.part("parts", |b| database.parts.store(b));
        }
        /// The global textures.
        pub textures: Vec<TextureSpec> => elsewhere,
        /// Bytes of the global texture chunk after its last texture.
        pub textures_trailing: Vec<u8> => elsewhere,
        /// The global parts.
        pub parts: PartsSpec => elsewhere,
        @ {
            let silent = b.silent;
            b.silent |= database.blobs.len() > LABELED_BLOBS;
        }
        /// The blobs, in file order.
        pub blobs: Vec<BlobSpec> => elsewhere,
        @ {
            for (i, BlobSpec { gap, content }) in database.blobs.iter().enumerate() {
                b.put(gap).part(format_args!("blob[{i}]"), |b| content.store(b));
            }
            b.silent = silent;
        }
        /// Bytes after the last blob.
        pub trailing: Vec<u8>,
        end: (),
    }

    /// A world of the directory.
    pub struct WorldSpec |world, b| {
        /// The counted bytes include the usual NUL, as in the names of its parts and models.
        pub name: Vec<u8> => counted,
        part_count: count(world.parts.len()),
        /// The parts that the world loads.
        pub parts: Vec<PartRefSpec> => list("part"),
        model_count: count(world.models.len()),
        /// The models placed in the world.
        pub models: Vec<ModelRefSpec> => list("model"),
    }

    /// A reference to a part blob.
    pub struct PartRefSpec |reference, b| {
        pub name: Vec<u8> => counted,
        pub place: PlaceSpec = PlaceSpec::Blob(0) => bare,
    }

    /// A reference to a model blob.
    pub struct ModelRefSpec |reference, b| {
        pub name: Vec<u8> => counted,
        pub place: PlaceSpec = PlaceSpec::Blob(0) => bare,
        pub presenter: Vec<u8> => counted,
        /// Position, and directions of front and top.
        pub location: [f32; 3],
        pub direction: [f32; 3] = [0.0, 0.0, 1.0],
        pub up: [f32; 3] = [0.0, 1.0, 0.0],
        /// Whether it is visible at first: any value but 0.
        pub visible: u8 = 1,
    }

    /// The global parts or those of a part blob.
    pub struct PartsSpec |parts, b| {
        texture_offset: To("texture_count"),
        part_count: count(parts.parts.len()),
        pub parts: Vec<PartSpec> => list("part"),
        /// Bytes between the last part and the texture list.
        pub before_textures: Vec<u8> => bare,
        @ { b.label("texture_count").put(count(parts.textures.len())); }
        pub textures: Vec<TextureSpec> => list("texture"),
        /// Bytes after the last texture.
        pub trailing: Vec<u8>,
        end: (),
    }

    /// A part: a list of levels of detail that objects refer to by name.
    pub struct PartSpec |part, b| {
        pub name: Vec<u8> => counted,
        lod_count: count(part.lods.len()),
        end_offset: To("end"),
        /// The levels of detail, coarsest first.
        pub lods: Vec<LodSpec> => list("lod"),
        /// Bytes between the last level and the stored end of the part.
        pub before_end: Vec<u8> => bare,
        @ { b.label("end"); }
    }

    /// A texture.
    pub struct TextureSpec |texture, b| {
        /// A leading `^` marks a texture with two images.
        pub name: Vec<u8> => counted,
        /// The only image, or the low-quality one.
        pub image: ImageSpec => bare,
        /// The high-quality image; written whenever it is present, whatever the name.
        pub second: Option<ImageSpec> => elsewhere,
        @ { b.within("second", |b| texture.second.store(b)); }
    }

    /// An image.
    pub struct ImageSpec |image, b| {
        /// Dimensions in pixels.
        pub width, height: u32,
        color_count: count(image.palette.len()),
        /// Colors: red, green, blue.
        pub palette: Vec<[u8; 3]>,
        /// Palette indices, top row first; any number of them is written unchanged.
        pub pixels: Vec<u8>,
    }
}

/// The place of a blob, as stored in a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

impl Stored for PlaceSpec {
    fn store(&self, b: &mut Builder) {
        match self {
            Self::Blob(blob) => {
                b.field("length").size_of(format!("blob[{blob}]"));
                b.field("offset").position_of(format!("blob[{blob}]"));
            }
            Self::Bytes { offset, length } => {
                b.field("length").put(length).field("offset").put(offset);
            }
        }
    }
}

/// A blob and the bytes before it.
#[derive(Clone, Debug, PartialEq)]
pub struct BlobSpec {
    /// Bytes between the previous blob and this one.
    pub gap: Vec<u8>,
    /// The content.
    pub content: ContentSpec,
}

/// The content of a blob.
#[derive(Clone, Debug, PartialEq)]
pub enum ContentSpec {
    /// Parts.
    Parts(PartsSpec),
    /// A model.
    Model(Box<ModelSpec>),
    /// Raw bytes.
    Raw(Vec<u8>),
}

impl Stored for ContentSpec {
    fn store(&self, b: &mut Builder) {
        match self {
            Self::Parts(parts) => b.put(parts),
            Self::Model(model) => b.put(&**model),
            Self::Raw(bytes) => b.put(bytes),
        };
    }
}

/// Writes the global textures.
pub(super) fn textures(textures: &[TextureSpec], trailing: &[u8], b: &mut Builder) {
    b.field("texture_count").put(count(textures.len()));
    list("texture")(textures, b, "");
    b.field("trailing").bytes(trailing);
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
            ..Self::default()
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
