//! Levels of detail as glTF meshes. Each is written once, however often it is used.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::rc::Rc;
use std::sync::Arc;

use worldview_island::{Geometry, Library, Lod, Lods, LodsAt, Mesh, Name, NameKey, Scope, ScopedNames, WorldNames};

use super::cache::Cache;
use super::document::Document;
use super::paint::Paints;
use super::report::ReferenceKind;
use super::schema::{self, Primitive};
use super::shape::Shapes;
use super::{LodChoice, Options};
use crate::Result;

/// The meshes written so far, and the scope for resolving names.
pub(super) struct Store<'n, 'd, 'a> {
    pub(super) library: &'n Library<'d, 'a>,
    pub(super) world: Option<&'n WorldNames<'a>>,
    lods: LodChoice,
    /// Whether objects that are hidden at first are left out.
    pub(super) visible_only: bool,
    /// The names visible from each blob, or from the global parts.
    names: HashMap<Option<usize>, ScopedNames<'n, 'd, 'a>>,
    cache: Option<&'n Cache<'n>>,
    paints: Paints<'n, 'a>,
    geometry: Geometry,
    /// The primitives of each level, without their material, by its offset in the file; `None` for a mesh that is not drawn.
    shapes: HashMap<u64, Rc<[Option<Primitive>]>>,
    /// The meshes by position accessor and material of each primitive.
    meshes: HashMap<Vec<(usize, usize)>, usize>,
    drawn: HashMap<Looks<'a>, Rc<Levels>>,
}

/// Everything that determines the appearance of a list of levels.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Looks<'a> {
    /// Offset of the list in the file, and the number of its levels.
    at: (u64, usize),
    /// The blob that contains the list, from which the names of its meshes are resolved; `None` for the global parts.
    owner: Option<usize>,
    /// The blob of the object, and its color name.
    object: Option<(usize, NameKey<'a>)>,
}

/// The levels of an object that are drawn, from the best to the coarsest.
#[derive(Debug)]
pub(super) struct Levels {
    pub(super) meshes: Vec<usize>,
    /// The index of each level in its list, where 0 is the coarsest.
    pub(super) numbers: Vec<usize>,
    /// Whether the last level is only for objects that appear tiny.
    has_extra: bool,
}

/// The object on which a list of levels is drawn.
#[derive(Clone, Copy)]
pub(super) struct Object<'a> {
    /// Offset in the file.
    pub(super) at: u64,
    /// The object's name.
    pub(super) name: &'a [u8],
    /// The object's blob and color name, or `None` for a part on its own.
    pub(super) of: Option<(usize, Name<'a>)>,
}

impl Levels {
    /// Returns the minimum screen coverage for each level.
    ///
    /// The game switches to the next better level whenever the size quadruples, and uses the extra level below 1/1024.
    pub(super) fn coverage(&self) -> Vec<f32> {
        let count = self.meshes.len();
        let normal = if self.has_extra { count.saturating_sub(1) } else { count };
        let least = |i: usize| {
            let steps = i32::try_from(normal - 1 - i).unwrap_or(i32::MAX);
            (4.0_f32.powi(steps) / 1024.0).min(1.0)
        };
        // The coarsest level has no minimum.
        (0..count).map(|i| if i + 1 == count { 0.0 } else { least(i) }).collect()
    }
}

impl<'n, 'd, 'a> Store<'n, 'd, 'a> {
    pub(super) fn new(library: &'n Library<'d, 'a>, world: Option<&'n WorldNames<'a>>, options: &Options<'n>) -> Self {
        let cache = options.cache.filter(|cache| cache.are_of(library.contents()));
        Self {
            library,
            world,
            lods: options.lods,
            visible_only: options.visible_only,
            names: HashMap::new(),
            cache,
            paints: Paints::new(cache),
            geometry: Geometry::default(),
            shapes: HashMap::new(),
            meshes: HashMap::new(),
            drawn: HashMap::new(),
        }
    }

    /// Returns the levels of a list with their appearance on an object.
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
        let looks = Looks { at: (lods.offset(), lods.len()), owner, object: color };
        if let Some(known) = self.drawn.get(&looks) {
            return Ok(Rc::clone(known));
        }
        document.spend(16 * lods.len(), object.at)?;
        // Levels without a mesh have nothing to draw. They take four bytes each, so collecting all of them could take
        // many times the size of the file.
        let from = match self.lods {
            LodChoice::All | LodChoice::Best => 0,
            LodChoice::Level(level) => usize::try_from(level).unwrap_or(usize::MAX).min(lods.len().saturating_sub(1)),
        };
        let mut all: Vec<(usize, Lod<'a>)> =
            lods.iter().enumerate().skip(from).filter(|(_, lod)| !lod.meshes.is_empty()).collect();
        // From best to coarsest. If a level was requested, the list stays in ascending order, so that the next higher
        // level follows if the requested one has nothing to draw.
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

    /// Returns a level as a mesh, or `None` if nothing of it is drawn.
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
        // The names of a mesh are read for each of its appearances, and may be as long as the file.
        let names = all.iter().map(|mesh| mesh.texture.counted().len() + mesh.material.counted().len());
        document.spend(64 * all.len() + names.sum::<usize>(), lod.at)?;
        let order = lod.draw_order();
        let shapes = self.shapes(document, lod.at, &all, &order)?;
        let mut key = Vec::with_capacity(all.len());
        let mut primitives = Vec::with_capacity(all.len());
        for i in order {
            let (mesh, Some(shape)) = (&all[i], shapes[i]) else { continue };
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
            key.push((shape.attributes.position, material));
            primitives.push(Primitive { material, ..shape });
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

    /// Returns the meshes of a level, which are added to the file in the order in which they are drawn.
    fn shapes(
        &mut self,
        document: &mut Document,
        level: u64,
        meshes: &[Mesh<'a>],
        order: &[usize],
    ) -> Result<Rc<[Option<Primitive>]>> {
        let place = match self.shapes.entry(level) {
            Entry::Occupied(known) => return Ok(Rc::clone(known.get())),
            Entry::Vacant(place) => place,
        };
        for mesh in order.iter().map(|&i| &meshes[i]) {
            document.spend(512 + 6 * mesh.corners.len() + 32 * usize::from(mesh.vertices), mesh.at)?;
        }
        let mut make = || Shapes::new(meshes, order, &mut self.geometry);
        let shapes = match self.cache {
            Some(cache) => cache.shapes(level, make),
            None => Arc::new(make()),
        };
        let report = &mut document.report;
        let primitives = shapes.add(&mut document.binary);
        let primitives = primitives.map(|primitive| {
            primitive.unwrap_or_else(|error| {
                report.leave_out(error);
                None
            })
        });
        Ok(Rc::clone(place.insert(primitives.collect())))
    }

    /// Resolves the name of a texture from a blob, or from the global parts.
    fn texture(&mut self, document: &mut Document, blob: Option<usize>, name: &[u8], at: u64) -> Result<Option<usize>> {
        let (library, world) = (self.library, self.world);
        // Texture names resolve in the same way from all references to a blob, so the blob is enough as the scope.
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
