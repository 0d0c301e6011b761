//! Exports models, parts and worlds of `WORLD.WDB` as GLB: self-contained glTF 2.0 files.
//!
//! - Nodes are the objects, with their names. Their hierarchy is that of the nodes of the model's animation, because
//!   those move the objects. If the animation is not a plain tree of objects, a few additional nodes have no object.
//!   Meshes are levels of detail; their primitives are the meshes of the file in drawing order.
//! - x is negated and the winding of triangles is reversed, because glTF is right-handed. As in the game, only
//!   objects without children are drawn; the levels of all others are omitted.
//! - Viewers show the best level; the others are its `MSFT_lod`. See [`LodChoice`].
//! - The file's sRGB colors are converted to glTF's linear colors. Meshes with flat shading have no normals, which
//!   is how glTF expresses this, and wireframes are lines. Other information used by the game is in `extras`.
//! - Textures are embedded once each, as indexed PNG. If a texture has two images, the one that the game prefers is
//!   used.
//! - Animation keys are those of the file if they have the same meaning in glTF; otherwise, keys are added as
//!   necessary. A value that never changes is part of its node's transformation. Each model has its own animation,
//!   because each has its own duration.
//! - Visibility is expressed by `KHR_node_visibility`, and its keys by `KHR_animation_pointer`. The stored keys are
//!   in `extras`, because viewers do not support either extension yet.
//!
//! Unlike other outputs, a GLB is built in memory before it is written, because it starts with its lengths.
//!
//! Values that glTF does not allow are replaced: positions and coordinates that are not finite with 0, normals
//! without a direction with that of a triangle.

mod binary;
mod bones;
mod cache;
mod document;
mod frame;
mod levels;
mod moments;
mod paint;
mod report;
mod scene;
mod schema;
mod shape;
mod skeleton;
mod track;
mod visibility;

use std::collections::HashMap;
use std::fmt;
use std::io::Write;

use worldview_core::{Error as FormatError, ErrorKind, OffsetBase};
use worldview_island::labels::MODEL_REFERENCE;
use worldview_island::{Library, LodsAt, Model, ModelRef, Rig, Scope, WorldNames};

use crate::{Encoding, Error, Result};
use document::Document;
use levels::{Object, Store};
use scene::{Figure, Place};
use skeleton::Skeleton;

pub use bones::{Bone, bones};
pub use cache::Cache;
pub use report::{ReferenceKind, Report, Unresolved};
pub use track::Track;

/// Which levels of detail to export. Levels with nothing to draw do not count.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LodChoice {
    /// All levels: the best one as the mesh of its object, the others as its alternatives by the extension `MSFT_lod`.
    #[default]
    All,
    /// The best level.
    Best,
    /// The level with this index in the file, where 0 is the lowest. If there are fewer levels, the best one; if the
    /// level has nothing to draw, the next higher one.
    Level(u32),
}

impl fmt::Display for LodChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("all"),
            Self::Best => f.write_str("best"),
            Self::Level(level) => level.fmt(f),
        }
    }
}

/// Options for GLB files.
///
/// ```
/// use worldview_export::model::glb::{LodChoice, Options};
///
/// let options = Options::default().lods(LodChoice::Best);
/// assert_eq!(options.lods, LodChoice::Best);
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'p> {
    /// Which levels of detail to export.
    pub lods: LodChoice,
    /// Leaves out what is hidden at first: models by their reference, objects by their animation.
    pub visible_only: bool,
    /// The code page of names.
    pub encoding: Encoding,
    /// Textures and meshes of the same file that earlier exports have made. Without them, each GLB makes its own.
    pub cache: Option<&'p Cache<'p>>,
}

impl<'p> Options<'p> {
    worldview_core::setters! {
        /// Sets which levels of detail to export.
        pub const fn lods(lods: LodChoice) => lods = lods;

        /// Sets whether what is hidden at first is left out: many programs do not know `KHR_node_visibility`, and draw it.
        pub const fn visible_only(visible_only: bool) => visible_only = visible_only;

        /// Sets the code page of names.
        pub const fn encoding(encoding: Encoding) => encoding = encoding;

        /// Sets what exports of the same file share.
        pub fn cache(cache: impl Into<Option<&'p Cache<'p>>>) => cache = cache.into();
    }
}

/// Writes a single model, posed at time 0 of its animation. Its names are resolved from `scope`.
///
/// [`Scope::Blob`] finds what the game always has loaded, and any texture. To find the parts of a world, pass a
/// [`Scope::Model`] of that world, and its [`Library::world_names`] as `names`.
///
/// ```
/// use worldview_export::model::glb::{self, Options};
/// use worldview_island::{Contents, Database, Library, Scope};
///
/// # let file = &worldview_corpus::sample("world.wdb");
/// let database = Database::parse(file)?;
/// let contents = Contents::read(&database);
/// let library = Library::new(&database, &contents);
/// let blob = (0..contents.blobs.len()).find(|&blob| library.model(blob).is_some()).unwrap();
/// let mut out = Vec::new();
/// let report = glb::model(&library, blob, Scope::Blob(blob), None, &Options::default(), &mut out)?;
/// assert!(out.starts_with(b"glTF") && report.nodes > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns an error if:
///
/// - the blob could not be opened, or has no model: [`Error::Nothing`]
/// - the file refers to its parts so often that the output would be far larger than the file
/// - writing to `out` fails
pub fn model<'a>(
    library: &Library<'_, 'a>,
    blob: usize,
    scope: Scope,
    names: Option<&WorldNames<'a>>,
    options: &Options<'_>,
    out: impl Write,
) -> Result<Report> {
    let document = document(library, options);
    add_model(document, library, (blob, scope), names, options)?.write(out)
}

/// Writes a single part, that is, a list of levels of detail. It may also be the list of a model's object, which is
/// then written without its object.
///
/// Its textures are resolved from its location, and in the world whose [`Library::world_names`] are `names`.
///
/// # Errors
///
/// Returns an error under the same conditions as [`model()`], and [`Error::Nothing`] if there is no such list.
pub fn part<'a>(
    library: &Library<'_, 'a>,
    part: LodsAt,
    names: Option<&WorldNames<'a>>,
    options: &Options<'_>,
    out: impl Write,
) -> Result<Report> {
    add_part(document(library, options), library, part, names, options)?.write(out)
}

/// Writes a world, whose [`Library::world_names`] are `names`: each model that it refers to, where the reference places
/// it.
///
/// Models that the game does not show at first are there, invisible, unless the options leave them out. Models that cannot be opened are left out and
/// reported.
///
/// # Errors
///
/// Returns an error as [`model()`] does, and [`Error::Nothing`] if there is no such world.
pub fn world<'a>(
    library: &Library<'_, 'a>,
    world: usize,
    names: &WorldNames<'a>,
    options: &Options<'_>,
    out: impl Write,
) -> Result<Report> {
    add_world(document(library, options), library, world, names, options)?.write(out)
}

/// Adds a model and everything it needs to an empty document.
fn add_model<'a>(
    mut document: Document,
    library: &Library<'_, 'a>,
    (blob, scope): (usize, Scope),
    names: Option<&WorldNames<'a>>,
    options: &Options<'_>,
) -> Result<Document> {
    let model = library.model(blob).ok_or_else(|| missing(library, blob))?;
    let mut store = Store::new(library, names, options);
    let rig = Rig::new(model);
    let figure = Figure {
        skeleton: &Skeleton::new(&mut document, model, &rig, false)?,
        rois: &model.rois,
        blob,
        name: model.rois.get(0).map_or(&[][..], |root| root.name.text()),
        duration: model.animation.duration,
        place: None,
    };
    document.root.scenes[0].name = document.text(figure.name);
    scene::add(&mut document, &mut store, Some(&library.names(scope, names)), &figure)?;
    Ok(document)
}

/// Adds a part to an empty document.
fn add_part<'a>(
    mut document: Document,
    library: &Library<'_, 'a>,
    part: LodsAt,
    names: Option<&WorldNames<'a>>,
    options: &Options<'_>,
) -> Result<Document> {
    let lods = library.lods_at(part).ok_or(Error::Nothing { what: "part of that number" })?;
    let (at, name) = match (part, library.part_at(part)) {
        (_, Some(part)) => (part.at, part.name),
        (LodsAt::Roi { blob, roi }, None) => {
            let roi = library.model(blob).and_then(|model| model.rois.get(roi));
            roi.map_or_else(Default::default, |roi| (roi.at, roi.name))
        }
        _ => Default::default(),
    };
    let mut store = Store::new(library, names, options);
    let levels = store.levels(&mut document, part, lods, Object { at, name: name.text(), of: None })?;
    let name = document.text(name.text());
    let node = document.node(schema::Node { name: name.clone(), ..schema::Node::default() }, at)?;
    document.root.scenes[0].nodes.push(node);
    document.root.scenes[0].name = name;
    scene::hang(&mut document, &levels, node, at)?;
    Ok(document)
}

/// Adds the models of a world to an empty document.
fn add_world<'a>(
    mut document: Document,
    library: &Library<'_, 'a>,
    world: usize,
    names: &WorldNames<'a>,
    options: &Options<'_>,
) -> Result<Document> {
    let view = library.database().world(world).ok_or(Error::Nothing { what: "world of that number" })?;
    document.root.scenes[0].name = document.text(view.name.text());
    let mut store = Store::new(library, Some(names), options);
    let mut cast = HashMap::new();
    for (number, reference) in view.models.iter().enumerate() {
        document.spend(64, reference.at)?;
        document.report.references += 1;
        if options.visible_only && !reference.placement.is_visible() {
            continue;
        }
        match actor(library, &mut document, &mut cast, reference)? {
            Ok((blob, actor)) => {
                place(&mut document, &mut store, (world, number), reference, (blob, actor))?;
            }
            Err(error) => {
                document.report.unopened += 1;
                document.report.leave_out(error);
            }
        }
    }
    Ok(document)
}

/// The data of a model that does not depend on its placement.
struct Actor<'d, 'a> {
    model: &'d Model<'a>,
    skeleton: Skeleton,
    has_shared: bool,
}

type Cast<'d, 'a> = HashMap<usize, std::result::Result<Actor<'d, 'a>, FormatError>>;

/// Returns the blob and the model of a reference, or the error that prevents it from being used. The outer error is
/// one that stops the whole export.
fn actor<'c, 'd, 'a>(
    library: &Library<'d, 'a>,
    document: &mut Document,
    cast: &'c mut Cast<'d, 'a>,
    reference: &ModelRef<'a>,
) -> Result<std::result::Result<(usize, &'c Actor<'d, 'a>), FormatError>> {
    let Some(blob) = reference.blob() else {
        let kind = ErrorKind::Corrupt { why: "it refers to data outside the file" };
        return Ok(Err(FormatError::new(kind, MODEL_REFERENCE, reference.at, OffsetBase::File)));
    };
    if let std::collections::hash_map::Entry::Vacant(entry) = cast.entry(blob) {
        let new = match library.contents().blobs.get(blob) {
            Some(Ok(content)) => match content.model() {
                Some(model) => Ok(Actor {
                    model,
                    skeleton: Skeleton::new(document, model, &Rig::new(model), true)?,
                    has_shared: model.rois.iter().any(|roi| roi.is_shared() && roi.is_drawn()),
                }),
                None => Err(no_model(reference.at)),
            },
            Some(Err(error)) => Err(*error),
            None => Err(no_model(reference.at)),
        };
        entry.insert(new);
    }
    Ok(match cast.get(&blob) {
        Some(Ok(actor)) => Ok((blob, actor)),
        Some(Err(error)) => Err(*error),
        None => Err(no_model(reference.at)),
    })
}

fn no_model(at: u64) -> FormatError {
    FormatError::new(ErrorKind::Corrupt { why: "its blob contains no model" }, MODEL_REFERENCE, at, OffsetBase::File)
}

fn place<'d, 'a>(
    document: &mut Document,
    store: &mut Store<'_, 'd, 'a>,
    (world, number): (usize, usize),
    reference: &ModelRef<'a>,
    (blob, actor): (usize, &Actor<'d, 'a>),
) -> Result<()> {
    let names = actor.has_shared.then(|| store.library.names(Scope::Model { world, model: number }, store.world));
    let place = Place {
        reference: number,
        matrix: reference.placement.matrix(),
        visible: reference.placement.is_visible(),
        presenter: reference.presenter,
    };
    let figure = Figure {
        skeleton: &actor.skeleton,
        rois: &actor.model.rois,
        blob,
        name: reference.name.text(),
        duration: actor.model.animation.duration,
        place: Some(place),
    };
    scene::add(document, store, names.as_ref(), &figure)
}

fn document(library: &Library<'_, '_>, options: &Options<'_>) -> Document {
    Document::new(library.database().source().len(), options.encoding)
}

/// Returns the reason why a blob has no model.
fn missing(library: &Library<'_, '_>, blob: usize) -> Error {
    match library.contents().blobs.get(blob) {
        Some(Err(error)) => Error::Format(*error),
        _ => Error::Nothing { what: "model in that blob" },
    }
}
