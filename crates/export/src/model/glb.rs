//! Models, parts and worlds of `WORLD.WDB` as GLB: one file with everything in it, as glTF 2.0.
//!
//! - Nodes are the objects, with their names. They hang on each other as the nodes of the model's animation do, for
//!   that is what moves them; a few nodes without an object are between where the animation is not a plain tree of
//!   objects. Meshes are levels of detail, their primitives the meshes of the file in the order of drawing.
//! - x is negated and triangles are turned round: glTF is right-handed. Only objects without others below are drawn,
//!   as in the game; levels of the others are left out.
//! - The best level is what a viewer shows; the others are its `MSFT_lod`. See [`LodChoice`].
//! - Colors are of the screen, so glTF's linear ones are made of them. Meshes with flat shading have no normals, which
//!   by glTF means just that; wireframes are lines. What the game knows besides is in `extras`.
//! - Textures are embedded once each, as PNG with a palette; of two images the one that the game prefers.
//! - Keys of an animation are those of the file where glTF means the same by them, else as many more as it takes.
//!   A value that never changes is where its node is. Each model has its own animation, as each has its own length.
//! - Visibility is `KHR_node_visibility`, its keys drive that by `KHR_animation_pointer`, and the keys as they are
//!   stored are in `extras`, for viewers know neither yet.
//!
//! Unlike other outputs a GLB is made in memory before it is written, for it begins with its lengths.
//!
//! What glTF cannot have is replaced: positions and coordinates that are no numbers by 0, normals without a direction
//! by that of a triangle.

mod binary;
mod document;
#[cfg(feature = "preview")]
pub(crate) mod draft;
mod frame;
mod levels;
mod moments;
mod paint;
mod pictures;
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

use worldview_core::{Error as FormatError, ErrorKind, Space};
use worldview_island::labels::MODEL_REFERENCE;
use worldview_island::{Library, LodsAt, Model, ModelRef, Rig, Scope, WorldNames};

use crate::{Encoding, Error, Result};
use document::Document;
use levels::{Object, Store};
use scene::{Figure, Place};
use skeleton::Skeleton;

pub use pictures::Pictures;
pub use report::{ReferenceKind, Report, Unresolved};

/// Which levels of detail are exported; those with nothing to draw do not count.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LodChoice {
    /// The best as the mesh of its object, the others as its alternatives, by the extension `MSFT_lod`.
    #[default]
    All,
    /// The best.
    Best,
    /// One by its number in the file, 0 for the lowest; the best if there are not so many, and the next above if it has
    /// nothing to draw.
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
    /// Which levels of detail.
    pub lods: LodChoice,
    /// Leaves out what is hidden at first: models by their reference, objects by their animation.
    pub visible_only: bool,
    /// The code page of names.
    pub encoding: Encoding,
    /// Pictures of the same file that need not be compressed again; without them, each GLB compresses its own.
    pub pictures: Option<&'p Pictures<'p>>,
}

impl<'p> Options<'p> {
    /// Sets which levels of detail are exported.
    #[must_use]
    pub const fn lods(mut self, lods: LodChoice) -> Self {
        self.lods = lods;
        self
    }

    /// Sets whether what is hidden at first is left out: many programs do not know `KHR_node_visibility`, and draw it.
    #[must_use]
    pub const fn visible_only(mut self, visible_only: bool) -> Self {
        self.visible_only = visible_only;
        self
    }

    /// Sets the code page of names.
    #[must_use]
    pub const fn encoding(mut self, encoding: Encoding) -> Self {
        self.encoding = encoding;
        self
    }

    /// Sets pictures of the same file that need not be compressed again.
    #[must_use]
    pub fn pictures(mut self, pictures: impl Into<Option<&'p Pictures<'p>>>) -> Self {
        self.pictures = pictures.into();
        self
    }
}

/// Writes a model alone, as it is posed at time 0 of its animation; `scope` is from where its names are looked for.
///
/// [`Scope::Blob`] finds what the game always has loaded, and any texture; parts of a world are found from a
/// [`Scope::Model`] of that world, whose [`Library::world_names`] are `names`.
///
/// ```
/// use worldview_export::model::glb::{self, Options};
/// use worldview_island::{Contents, Database, Library, Scope};
///
/// # let samples = worldview_corpus::samples();
/// # let file = &samples.iter().find(|(name, _)| *name == "world.wdb").unwrap().1;
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

/// Writes a part alone: a list of levels of detail, which may be that of a model's object too, as part of no object.
///
/// Its textures are looked for from where it is, and in the world whose [`Library::world_names`] are `names`.
///
/// # Errors
///
/// Returns an error as [`model()`] does, and [`Error::Nothing`] if there is no such list.
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

/// The model, and what it needs, in a file that was empty.
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

/// The part in a file that was empty.
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

/// The models of a world in a file that was empty.
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

/// What is the same wherever a model is placed.
struct Actor<'d, 'a> {
    model: &'d Model<'a>,
    skeleton: Skeleton,
    has_shared: bool,
}

type Cast<'d, 'a> = HashMap<usize, std::result::Result<Actor<'d, 'a>, FormatError>>;

/// The blob and the model of a reference, or why there is none; the outer error is that of the whole export.
fn actor<'c, 'd, 'a>(
    library: &Library<'d, 'a>,
    document: &mut Document,
    cast: &'c mut Cast<'d, 'a>,
    reference: &ModelRef<'a>,
) -> Result<std::result::Result<(usize, &'c Actor<'d, 'a>), FormatError>> {
    let Some(blob) = reference.blob() else {
        let kind = ErrorKind::Corrupt { why: "it refers to bytes outside of the file" };
        return Ok(Err(FormatError::new(kind, MODEL_REFERENCE, reference.at, Space::File)));
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
    FormatError::new(ErrorKind::Corrupt { why: "there is no model in its blob" }, MODEL_REFERENCE, at, Space::File)
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

/// Why a blob has no model.
fn missing(library: &Library<'_, '_>, blob: usize) -> Error {
    match library.contents().blobs.get(blob) {
        Some(Err(error)) => Error::Format(*error),
        _ => Error::Nothing { what: "model in that blob" },
    }
}
