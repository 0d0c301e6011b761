//! Levels of detail as glTF's meshes, each written once however often it is drawn.

use std::collections::HashMap;
use std::rc::Rc;

use worldview_island::{Geometry, Library, Lod, Lods, LodsAt, Mesh, Name, NameKey, Scope, ScopedNames, WorldNames};

use super::document::Document;
use super::paint::Paints;
use super::report::ReferenceKind;
use super::schema::{self, Primitive};
use super::shape::Shape;
use super::{LodChoice, Options};
use crate::Result;

/// The meshes that there are so far, and where the names in them are looked for.
pub(super) struct Store<'n, 'd, 'a> {
    pub(super) library: &'n Library<'d, 'a>,
    pub(super) world: Option<&'n WorldNames<'a>>,
    lods: LodChoice,
    /// Whether objects that are hidden at first are left out.
    pub(super) visible_only: bool,
    /// The names that meshes of a blob can have, or those of the global parts.
    names: HashMap<Option<usize>, ScopedNames<'n, 'd, 'a>>,
    paints: Paints<'n, 'a>,
    geometry: Geometry,
    /// By the level's offset in the file and the number of the mesh; none for one that is not drawn.
    shapes: HashMap<(u64, usize), Option<Shape>>,
    /// By the positions and the material of each primitive.
    meshes: HashMap<Vec<(usize, usize)>, usize>,
    drawn: HashMap<Looks<'a>, Rc<Levels>>,
}

/// All that the look of a list of levels follows from.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Looks<'a> {
    /// Where in the file the list is, and how many levels it has.
    at: (u64, usize),
    /// The blob that it is of, in which the names of its meshes are looked for; none for the global parts.
    owner: Option<usize>,
    /// The blob of the object, and its color.
    object: Option<(usize, NameKey<'a>)>,
}

/// The levels of an object that are drawn, the best first.
#[derive(Debug)]
pub(super) struct Levels {
    pub(super) meshes: Vec<usize>,
    /// The number of each in its list, where the coarsest is 0.
    pub(super) numbers: Vec<usize>,
    /// Whether the last is one for objects that are hardly to be seen.
    has_extra: bool,
}

/// What a list of levels is drawn on.
#[derive(Clone, Copy)]
pub(super) struct Object<'a> {
    /// Where in the file it is.
    pub(super) at: u64,
    /// What it is called.
    pub(super) name: &'a [u8],
    /// Its blob and its color, if it is more than a part alone.
    pub(super) of: Option<(usize, Name<'a>)>,
}

impl Levels {
    /// From which part of the screen on each level is drawn.
    ///
    /// The game goes one level up whenever the size quadruples, and shows the extra level below 1/1024.
    pub(super) fn coverage(&self) -> Vec<f32> {
        let count = self.meshes.len();
        let normal = if self.has_extra { count.saturating_sub(1) } else { count };
        let least = |i: usize| {
            let steps = i32::try_from(normal - 1 - i).unwrap_or(i32::MAX);
            (4.0_f32.powi(steps) / 1024.0).min(1.0)
        };
        // The lowest is drawn however small it is.
        (0..count).map(|i| if i + 1 == count { 0.0 } else { least(i) }).collect()
    }
}

impl<'n, 'd, 'a> Store<'n, 'd, 'a> {
    pub(super) fn new(library: &'n Library<'d, 'a>, world: Option<&'n WorldNames<'a>>, options: &Options<'n>) -> Self {
        Self {
            library,
            world,
            lods: options.lods,
            visible_only: options.visible_only,
            names: HashMap::new(),
            paints: Paints::new(options.pictures.filter(|pictures| pictures.are_of(library.contents()))),
            geometry: Geometry::default(),
            shapes: HashMap::new(),
            meshes: HashMap::new(),
            drawn: HashMap::new(),
        }
    }

    /// The levels of a list, as they look on an object.
    pub(super) fn levels(
        &mut self,
        document: &mut Document,
        list: LodsAt,
        lods: Lods<'a>,
        object: Object<'a>,
    ) -> Result<Rc<Levels>> {
        let owner = match list {
            LodsAt::Global { .. } => None,
            LodsAt::Part { blob, .. } | LodsAt::Roi { blob, .. } => Some(blob),
        };
        let color = object.of.filter(|(_, color)| !color.is_absent()).map(|(blob, color)| (blob, color.key()));
        let looks = Looks { at: (lods.at(), lods.len()), owner, object: color };
        if let Some(known) = self.drawn.get(&looks) {
            return Ok(Rc::clone(known));
        }
        document.spend(16 * lods.len(), object.at)?;
        // Those without a mesh have nothing to draw, and are four bytes each: a list of them would be many times the file.
        let from = match self.lods {
            LodChoice::All | LodChoice::Best => 0,
            LodChoice::Level(level) => usize::try_from(level).unwrap_or(usize::MAX).min(lods.len().saturating_sub(1)),
        };
        let mut all: Vec<(usize, Lod<'a>)> =
            lods.iter().enumerate().skip(from).filter(|(_, lod)| !lod.meshes.is_empty()).collect();
        // From the best down, or from the one that is asked for up, if that has nothing to draw.
        if !matches!(self.lods, LodChoice::Level(_)) {
            all.reverse();
        }
        let (mut meshes, mut numbers) = (Vec::new(), Vec::new());
        let mut has_extra = false;
        for (number, lod) in all {
            let Some(mesh) = self.mesh(document, &lod, owner, object)? else { continue };
            has_extra |= number == 0 && lod.is_extra();
            meshes.push(mesh);
            numbers.push(number);
            if !matches!(self.lods, LodChoice::All) {
                break;
            }
        }
        let levels = Rc::new(Levels { meshes, numbers, has_extra });
        self.drawn.insert(looks, Rc::clone(&levels));
        Ok(levels)
    }

    /// A level as a mesh, or nothing if none of it is drawn.
    fn mesh(
        &mut self,
        document: &mut Document,
        lod: &Lod<'a>,
        owner: Option<usize>,
        object: Object<'a>,
    ) -> Result<Option<usize>> {
        let color = object.of.map_or_else(Name::default, |(_, color)| color);
        Document::room_for_meshes(lod.meshes.len(), lod.at)?;
        let all: Vec<Mesh<'a>> = lod.meshes.iter().collect();
        // The names of a mesh are read for each look of it, and may be as long as the file.
        let names = all.iter().map(|mesh| mesh.texture.counted().len() + mesh.material.counted().len());
        document.spend(64 * all.len() + names.sum::<usize>(), lod.at)?;
        let mut key = Vec::new();
        let mut primitives = Vec::new();
        for i in lod.draw_order() {
            let mesh = &all[i];
            let Some(shape) = self.shape(document, (lod.at, i), mesh)? else { continue };
            let look = mesh.material(color);
            let texture = match look.texture {
                None => None,
                Some(name) => {
                    let is_objects = mesh.inherits() && color.inherited_texture().is_some();
                    let (blob, at) = match object.of {
                        Some((blob, _)) if is_objects => (Some(blob), object.at),
                        _ => (owner, mesh.at),
                    };
                    self.texture(document, blob, name, at)?
                }
            };
            let material = self.paints.material(document, mesh, &look, texture)?;
            let Shape { attributes, indices, mode } = shape;
            key.push((attributes.position, material));
            primitives.push(Primitive { attributes, indices, material, mode });
        }
        if primitives.is_empty() {
            return Ok(None);
        }
        let root = &mut document.root;
        let new = root.meshes.len();
        let mesh = *self.meshes.entry(key).or_insert(new);
        if mesh == new {
            let name = document.text(object.name);
            document.spend(128 * primitives.len() + name.len(), lod.at)?;
            document.root.meshes.push(schema::Mesh { name, primitives });
        }
        Ok(Some(mesh))
    }

    fn shape(&mut self, document: &mut Document, key: (u64, usize), mesh: &Mesh<'a>) -> Result<Option<Shape>> {
        if let Some(&known) = self.shapes.get(&key) {
            return Ok(known);
        }
        document.spend(512 + 6 * mesh.corners.len() + 32 * usize::from(mesh.vertices), mesh.at)?;
        let shape = match mesh.decode_into(&mut self.geometry) {
            Ok(()) => {
                let shading = mesh.material(Name::default()).shading;
                Shape::add(mesh, &self.geometry, shading, &mut document.binary)
            }
            Err(error) => {
                document.report.leave_out(error);
                None
            }
        };
        self.shapes.insert(key, shape);
        Ok(shape)
    }

    /// The texture that a name leads to from a blob, or from the global parts.
    fn texture(&mut self, document: &mut Document, blob: Option<usize>, name: &[u8], at: u64) -> Result<Option<usize>> {
        let (library, world) = (self.library, self.world);
        // Textures are found alike from everything that refers to a blob, so the blob is as good as the reference.
        let names = self.names.entry(blob).or_insert_with(|| match blob {
            Some(blob) => library.names(Scope::Blob(blob), world),
            None => library.names(Scope::Global, None),
        });
        let Some(found) = names.texture(name) else {
            document.spend(name.len(), at)?;
            let text = document.text(name);
            document.report.miss(ReferenceKind::Texture, at, text);
            return Ok(None);
        };
        self.paints.texture(document, library, found)
    }
}
