//! WORLD.WDB: worlds, blobs and textures.
#![expect(unsafe_code, reason = "exported functions")]

use formats::Source;
use formats::island::raw::{Rgb, Vec3};
use formats::island::{Content, Contents, Image, LodsAt, Model, Texture, TextureAt};
use zerocopy::IntoBytes as _;

use crate::error::{Answer, Fault, WvStatus};
use crate::ffi::{ErrorOut, Grown, WvSpan, answer};
use crate::file::{WvHandle, given};

/// Instead of the index of a blob: the global parts, with their textures. `WV_GLOBAL_PARTS` in the header.
///
/// cbindgen:ignore
pub(crate) const GLOBAL_PARTS: usize = usize::MAX - 1;
/// Instead of the index of a blob: the global textures. `WV_GLOBAL_TEXTURES` in the header.
///
/// cbindgen:ignore
pub(crate) const GLOBAL_TEXTURES: usize = usize::MAX - 2;
/// Instead of an index: none. `WV_NONE` in the header.
///
/// cbindgen:ignore
pub(crate) const NONE: usize = usize::MAX;

/// The directory of a WORLD.WDB.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WvDatabase {
    /// Size of this structure. The caller sets it.
    pub size: usize,
    /// Number of worlds.
    pub world_count: usize,
    /// Number of distinct blobs. Each holds parts or a model, and any number of references leads to it.
    pub blob_count: usize,
}

/// A world.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WvWorld {
    /// Size of this structure. The caller sets it.
    pub size: usize,
    /// Name.
    pub name: WvSpan,
    /// Number of references to parts.
    pub part_count: usize,
    /// Number of references to models.
    pub model_count: usize,
}

/// A reference of a world to a blob with parts.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WvPartRef {
    /// Size of this structure. The caller sets it.
    pub size: usize,
    /// Name.
    pub name: WvSpan,
    /// Index of the blob, or `WV_NONE` if it is outside the file.
    pub blob: usize,
}

/// A reference of a world to a model, and where it is placed.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WvModelRef {
    /// Size of this structure. The caller sets it.
    pub size: usize,
    /// Name.
    pub name: WvSpan,
    /// The presenter.
    pub presenter: WvSpan,
    /// Index of the blob, or `WV_NONE` if it is outside the file.
    pub blob: usize,
    /// Position in the world: x to the right, y up, z forward.
    pub location: [f32; 3],
    /// Forward direction as stored; not always a unit vector.
    pub direction: [f32; 3],
    /// Up direction as stored; not always a unit vector.
    pub up: [f32; 3],
    /// Whether the model is initially visible.
    pub visible: bool,
}

/// What a blob holds.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WvBlobKind {
    /// Parts: lists of levels of detail that objects share by name.
    Parts = 1,
    /// A model: objects, and an animation.
    Model = 2,
    /// Only textures.
    Textures = 3,
}

/// A blob.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WvBlob {
    /// Size of this structure. The caller sets it.
    pub size: usize,
    /// What it holds.
    pub kind: WvBlobKind,
    /// Duration of the animation in milliseconds.
    pub duration: i32,
    /// The bytes.
    pub data: WvSpan,
    /// Offset in the file.
    pub offset: u64,
    /// Number of parts.
    pub part_count: usize,
    /// Number of objects of a model. The first one is the root, and each comes before its children.
    pub roi_count: usize,
    /// Number of animation nodes of a model. The first one is the root, and each comes before its children.
    pub node_count: usize,
    /// Number of textures.
    pub texture_count: usize,
}

/// A part: a list of levels of detail that objects share by its name.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WvSharedPart {
    /// Size of this structure. The caller sets it.
    pub size: usize,
    /// Name.
    pub name: WvSpan,
    /// Number of levels of detail.
    pub lod_count: usize,
}

/// An image with 8-bit pixels and a palette.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WvImage {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// The palette: red, green and blue of each color, at most 256. Other indices are black.
    pub palette: WvSpan,
    /// The pixels: one palette index each, in rows from top to bottom, without padding.
    pub pixels: WvSpan,
}

/// A texture.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WvTexture {
    /// Size of this structure. The caller sets it.
    pub size: usize,
    /// Name by which meshes refer to it, ignoring case.
    pub name: WvSpan,
    /// Name as stored: with a `^` in front if there are two images.
    pub stored_name: WvSpan,
    /// The image of low resolution, or the only one.
    pub low: WvImage,
    /// The image of high resolution, or the only one.
    pub high: WvImage,
}

/// Returns the number of worlds and blobs of a WORLD.WDB.
#[unsafe(no_mangle)]
pub extern "C" fn wv_database(
    database: Option<&WvHandle>,
    out: Grown<'_, WvDatabase>,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer(out, error, || {
        let database = given(database)?.database()?;
        Ok(WvDatabase {
            size: size_of::<WvDatabase>(),
            world_count: database.worlds().len(),
            blob_count: database.blobs().len(),
        })
    })
}

fn world_of(database: Option<&WvHandle>, index: usize) -> Answer<formats::island::World<'_, '_>> {
    let database = given(database)?.database()?;
    database.world(index).ok_or_else(|| Fault::index("world", index, database.worlds().len()))
}

/// Returns a world.
#[unsafe(no_mangle)]
pub extern "C" fn wv_world(
    database: Option<&WvHandle>,
    index: usize,
    out: Grown<'_, WvWorld>,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer(out, error, || {
        let world = world_of(database, index)?;
        Ok(WvWorld {
            size: size_of::<WvWorld>(),
            name: world.name.text().into(),
            part_count: world.parts.len(),
            model_count: world.models.len(),
        })
    })
}

/// Returns a reference of a world to a blob with parts.
#[unsafe(no_mangle)]
pub extern "C" fn wv_part_ref(
    database: Option<&WvHandle>,
    world: usize,
    index: usize,
    out: Grown<'_, WvPartRef>,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer(out, error, || {
        let parts = world_of(database, world)?.parts;
        let found = parts.get(index).ok_or_else(|| Fault::index("part reference", index, parts.len()))?;
        Ok(WvPartRef {
            size: size_of::<WvPartRef>(),
            name: found.name.text().into(),
            blob: found.blob().unwrap_or(NONE),
        })
    })
}

/// Returns a reference of a world to a model.
#[unsafe(no_mangle)]
pub extern "C" fn wv_model_ref(
    database: Option<&WvHandle>,
    world: usize,
    index: usize,
    out: Grown<'_, WvModelRef>,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer(out, error, || {
        let models = world_of(database, world)?.models;
        let found = models.get(index).ok_or_else(|| Fault::index("model reference", index, models.len()))?;
        Ok(WvModelRef {
            size: size_of::<WvModelRef>(),
            name: found.name.text().into(),
            presenter: found.presenter.text().into(),
            blob: found.blob().unwrap_or(NONE),
            location: Vec3::get(found.placement.location),
            direction: Vec3::get(found.placement.direction),
            up: Vec3::get(found.placement.up),
            visible: found.placement.is_visible(),
        })
    })
}

/// Returns the content of a blob, or why it could not be read.
fn content(handle: &WvHandle, index: usize) -> Answer<&Content<'_>> {
    let blobs = &handle.contents()?.blobs;
    let found = blobs.get(index).ok_or_else(|| Fault::index("blob", index, blobs.len()))?;
    found.as_ref().map_err(|error| Fault::from(*error))
}

/// Returns the model of a blob.
pub(crate) fn model(database: Option<&WvHandle>, blob: usize) -> Answer<&Model<'_>> {
    let handle = given(database)?;
    match blob {
        GLOBAL_PARTS | GLOBAL_TEXTURES => Err(Fault::not_found("the blob is not a model")),
        _ => content(handle, blob)?.model().ok_or_else(|| Fault::not_found("the blob is not a model")),
    }
}

/// Returns the location of a list of levels: a part of a blob with parts, or an object of a model.
pub(crate) fn lods_at(handle: &WvHandle, blob: usize, index: usize) -> Answer<LodsAt> {
    Ok(match blob {
        GLOBAL_PARTS => {
            whole(&handle.contents()?.parts)?;
            LodsAt::Global { part: index }
        }
        GLOBAL_TEXTURES => return Err(Fault::not_found("the global textures are no parts")),
        _ => match content(handle, blob)? {
            Content::Parts(_) => LodsAt::Part { blob, part: index },
            Content::Model(_) => LodsAt::Roi { blob, roi: index },
        },
    })
}

fn whole<T>(read: &formats::Result<T>) -> Answer<&T> {
    read.as_ref().map_err(|error| Fault::from(*error))
}

/// Returns a blob, or one of the two global chunks: `WV_GLOBAL_PARTS` or `WV_GLOBAL_TEXTURES`, which a texture file has, too. The first
/// call reads all blobs. A broken blob is an error that concerns no other blob.
#[unsafe(no_mangle)]
pub extern "C" fn wv_blob(
    database: Option<&WvHandle>,
    index: usize,
    out: Grown<'_, WvBlob>,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer(out, error, || {
        let handle = given(database)?;
        let mut blob = WvBlob {
            size: size_of::<WvBlob>(),
            kind: WvBlobKind::Textures,
            duration: 0,
            data: WvSpan::NONE,
            offset: 0,
            part_count: 0,
            roi_count: 0,
            node_count: 0,
            texture_count: 0,
        };
        let source = if let (Some(file), GLOBAL_TEXTURES) = (handle.handle().textures(), index) {
            blob.texture_count = file.textures().len();
            file.source()
        } else {
            counted(handle, index, &mut blob)?
        };
        blob.data = source.bytes().into();
        blob.offset = source.base();
        Ok(blob)
    })
}

/// Counts what is in a blob of a WORLD.WDB, and returns its bytes.
fn counted<'h>(handle: &'h WvHandle, index: usize, blob: &mut WvBlob) -> Answer<Source<'h>> {
    let (directory, Contents { textures, parts, .. }) = (handle.database()?, handle.contents()?);
    let (parts, source) = match index {
        GLOBAL_TEXTURES => {
            blob.texture_count = whole(textures)?.len();
            return Ok(directory.texture_chunk());
        }
        GLOBAL_PARTS => (whole(parts)?, directory.parts_chunk()),
        _ => {
            let blobs = directory.blobs();
            let source = blobs.get(index).ok_or_else(|| Fault::index("blob", index, blobs.len()))?.source;
            match content(handle, index)? {
                Content::Parts(parts) => (parts, source),
                Content::Model(model) => {
                    blob.kind = WvBlobKind::Model;
                    blob.duration = model.animation.duration;
                    blob.roi_count = model.rois.len();
                    blob.node_count = model.animation.nodes.len();
                    blob.texture_count = model.textures.len();
                    return Ok(source);
                }
            }
        }
    };
    blob.kind = WvBlobKind::Parts;
    blob.part_count = parts.len();
    blob.texture_count = parts.textures.len();
    Ok(source)
}

/// Returns a part of a blob with parts, or a global part.
#[unsafe(no_mangle)]
pub extern "C" fn wv_shared_part(
    database: Option<&WvHandle>,
    blob: usize,
    index: usize,
    out: Grown<'_, WvSharedPart>,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer(out, error, || {
        let handle = given(database)?;
        let at = lods_at(handle, blob, index)?;
        let found = handle.with_names(|library| {
            let part = library.part_at(at)?;
            Some(WvSharedPart {
                size: size_of::<WvSharedPart>(),
                name: part.name.text().into(),
                lod_count: part.lods.len(),
            })
        })?;
        found.ok_or_else(|| Fault::not_found(&format!("the blob has no part {index}")))
    })
}

/// Returns a texture of a blob, of the global parts or of the global textures; of a texture file, those are its own.
#[unsafe(no_mangle)]
pub extern "C" fn wv_texture(
    database: Option<&WvHandle>,
    blob: usize,
    index: usize,
    out: Grown<'_, WvTexture>,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer(out, error, || {
        let handle = given(database)?;
        let missing = || Fault::not_found(&format!("there is no texture {index}"));
        if let (Some(file), GLOBAL_TEXTURES) = (handle.handle().textures(), blob) {
            return file.textures().iter().nth(index).map(|texture| converted(&texture)).ok_or_else(missing);
        }
        let at = match blob {
            GLOBAL_PARTS => TextureAt::Parts(index),
            GLOBAL_TEXTURES => TextureAt::Global(index),
            _ => {
                content(handle, blob)?;
                TextureAt::Blob { blob, texture: index }
            }
        };
        let found = handle.with_names(|library| library.texture_at(at).map(|texture| converted(&texture)))?;
        found.ok_or_else(missing)
    })
}

fn converted(texture: &Texture<'_>) -> WvTexture {
    WvTexture {
        size: size_of::<WvTexture>(),
        name: texture.real_name().into(),
        stored_name: texture.name.text().into(),
        low: image(&texture.low()),
        high: image(&texture.high()),
    }
}

fn image(image: &Image<'_>) -> WvImage {
    WvImage {
        width: image.width,
        height: image.height,
        palette: <[Rgb]>::as_bytes(image.palette).into(),
        pixels: image.pixels.into(),
    }
}
