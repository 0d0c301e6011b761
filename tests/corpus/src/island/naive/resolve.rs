//! Resolves the names of level lists and textures, separately from parsing.

use super::{Budget, Kind, NaiveDatabase, NaiveLod, NaiveModel, NaiveName, NaiveParts, NaiveTexture, Result, wide};

/// Where a name is looked up from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// From the global parts.
    Global,
    /// From a blob, outside of any world.
    Blob(usize),
    /// From a part blob of a world.
    Part {
        /// Index of the world.
        world: usize,
        /// Index of the reference.
        part: usize,
    },
    /// From a model of a world.
    Model {
        /// Index of the world.
        world: usize,
        /// Index of the reference.
        model: usize,
    },
}

/// The location of a level list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LodSource {
    /// A global part.
    Global {
        /// Index of the part.
        part: usize,
    },
    /// A part of a blob.
    Part {
        /// Index of the blob.
        blob: usize,
        /// Index of the part.
        part: usize,
    },
    /// An object of a model.
    Roi {
        /// Index of the blob.
        blob: usize,
        /// Index of the object.
        roi: usize,
    },
}

/// The location of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextureSource {
    /// In the global texture chunk.
    Global(usize),
    /// In the texture list of the global parts.
    Parts(usize),
    /// In the texture list of a blob.
    Blob {
        /// Index of the blob.
        blob: usize,
        /// Index in the list.
        texture: usize,
    },
}

/// A name that does not resolve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unresolved {
    /// Where it is looked up from.
    pub scope: Scope,
    /// File offset of the object or mesh that has the name.
    pub at: u64,
    /// Whether it names a texture; otherwise it names a level list.
    pub is_texture: bool,
    /// The name in lowercase.
    pub key: Vec<u8>,
}

/// Finds the level list with this name for an object of a model. Searches the global parts, the parts of the world, and
/// the objects read before it.
pub fn lods_of(db: &NaiveDatabase, scope: Scope, before: usize, key: &[u8]) -> Option<LodSource> {
    let position = |parts: &NaiveParts| parts.parts.iter().position(|part| part.name.key() == key);
    if let Some(part) = db.parts.as_ref().ok().and_then(position) {
        return Some(LodSource::Global { part });
    }
    let (Scope::Part { world, .. } | Scope::Model { world, .. }) = scope else {
        let Scope::Blob(blob) = scope else { return None };
        return roi_of(db, blob, before, key);
    };
    let world_of = db.directory.worlds.get(world)?;
    for blob in world_of.parts.iter().filter_map(|part| db.find(part.place, Kind::Parts)) {
        if let Some(part) = db.parts_of(blob).and_then(position) {
            return Some(LodSource::Part { blob, part });
        }
    }
    let Scope::Model { model, .. } = scope else { return None };
    for (i, reference) in world_of.models.iter().enumerate().take(model + 1) {
        let last = if i == model { before } else { usize::MAX };
        let blob = db.find(reference.place, Kind::Model);
        if let Some(found) = blob.and_then(|blob| roi_of(db, blob, last, key)) {
            return Some(found);
        }
    }
    None
}

/// Finds the first object with this name and levels of its own, among those before index `before`.
fn roi_of(db: &NaiveDatabase, blob: usize, before: usize, key: &[u8]) -> Option<LodSource> {
    let rois = db.model_of(blob)?.rois.iter().take(before);
    let roi = rois.enumerate().find(|(_, roi)| !roi.lods.is_empty() && roi.name.key() == key)?.0;
    Some(LodSource::Roi { blob, roi })
}

/// Finds the texture with this name. Searches the own list, the parts of the world, the global parts, the global
/// textures, and all other blobs.
pub fn texture_of(db: &NaiveDatabase, scope: Scope, key: &[u8]) -> Option<TextureSource> {
    let world = match scope {
        Scope::Global | Scope::Blob(_) => None,
        Scope::Part { world, .. } | Scope::Model { world, .. } => Some(db.directory.worlds.get(world)?),
    };
    let own = match (scope, world) {
        (Scope::Blob(blob), _) => Some(blob),
        (Scope::Part { part, .. }, Some(world)) => world.parts.get(part).and_then(|at| db.find(at.place, Kind::Parts)),
        (Scope::Model { model, .. }, Some(world)) => {
            world.models.get(model).and_then(|at| db.find(at.place, Kind::Model))
        }
        _ => None,
    };
    let world_parts = world.map_or(&[][..], |world| &world.parts);
    let world_parts = world_parts.iter().filter_map(|part| db.find(part.place, Kind::Parts));
    for blob in own.into_iter().chain(world_parts) {
        if let Some(texture) = position(list_of(db, blob), key) {
            return Some(TextureSource::Blob { blob, texture });
        }
    }
    let global_parts = db.parts.as_ref().map_or(&[][..], |parts| &parts.textures);
    if let Some(texture) = position(global_parts, key) {
        return Some(TextureSource::Parts(texture));
    }
    let global = db.textures.as_ref().map_or(&[][..], |textures| textures);
    if let Some(texture) = position(global, key) {
        return Some(TextureSource::Global(texture));
    }
    for blob in 0..db.blobs.len() {
        if let Some(texture) = position(list_of(db, blob), key) {
            return Some(TextureSource::Blob { blob, texture });
        }
    }
    None
}

fn position(list: &[NaiveTexture], key: &[u8]) -> Option<usize> {
    list.iter().position(|texture| texture.key == key)
}

/// Returns the textures that a blob registers.
fn list_of(db: &NaiveDatabase, blob: usize) -> &[NaiveTexture] {
    if let Some(parts) = db.parts_of(blob) {
        return &parts.textures;
    }
    match db.model_of(blob) {
        Some(model) if model.skip_textures == 0 => &model.textures,
        _ => &[],
    }
}

/// Returns all names that do not resolve: those of the global parts, then those of each world's parts and models.
pub fn unresolved(db: &NaiveDatabase) -> Result<Vec<Unresolved>> {
    let mut walk = NameWalk { db, out: Vec::new(), cost: cost(db), budget: Budget(1 << 28) };
    if let Ok(parts) = &db.parts {
        walk.parts(Scope::Global, parts)?;
    }
    for (w, world) in db.directory.worlds.iter().enumerate() {
        for (part, reference) in world.parts.iter().enumerate() {
            walk.budget.spend(reference.place.offset, 1)?;
            if let Some(parts) = db.find(reference.place, Kind::Parts).and_then(|blob| db.parts_of(blob)) {
                walk.parts(Scope::Part { world: w, part }, parts)?;
            }
        }
        for (model, reference) in world.models.iter().enumerate() {
            walk.budget.spend(reference.place.offset, 1)?;
            if let Some(found) = db.find(reference.place, Kind::Model).and_then(|blob| db.model_of(blob)) {
                walk.model(Scope::Model { world: w, model }, found)?;
            }
        }
    }
    Ok(walk.out)
}

/// Returns the maximum cost of one lookup.
fn cost(db: &NaiveDatabase) -> u64 {
    let mut out = db.directory.worlds.iter().map(|world| world.parts.len() + world.models.len() + 1).sum();
    for blob in 0..db.blobs.len() {
        out += 1 + list_of(db, blob).len();
        out += db.parts_of(blob).map_or(0, |parts| parts.parts.len());
        out += db.model_of(blob).map_or(0, |model| model.rois.len());
    }
    wide(out)
}

struct NameWalk<'a> {
    db: &'a NaiveDatabase,
    out: Vec<Unresolved>,
    cost: u64,
    budget: Budget,
}

impl NameWalk<'_> {
    fn parts(&mut self, scope: Scope, parts: &NaiveParts) -> Result<()> {
        for part in &parts.parts {
            self.budget.spend(part.at, 1)?;
            self.lods(scope, &part.lods)?;
        }
        Ok(())
    }

    fn model(&mut self, scope: Scope, model: &NaiveModel) -> Result<()> {
        for (i, roi) in model.rois.iter().enumerate() {
            self.budget.spend(roi.at, 1)?;
            let key = roi.list_key();
            if roi.shared != 0 {
                self.budget.spend(roi.at, self.cost)?;
            }
            if roi.shared != 0 && lods_of(self.db, scope, i, &key).is_none() {
                self.out.push(Unresolved { scope, at: roi.at, is_texture: false, key });
            }
            if let Some(texture) = roi.texture.key().strip_prefix(b"t_") {
                self.texture(scope, roi.at, texture)?;
            }
            self.lods(scope, &roi.lods)?;
        }
        Ok(())
    }

    fn lods(&mut self, scope: Scope, lods: &[NaiveLod]) -> Result<()> {
        for lod in lods {
            self.budget.spend(lod.at, wide(lod.meshes.len()).saturating_add(1))?;
            for mesh in &lod.meshes {
                if !NaiveName::is_absent(&mesh.texture) {
                    self.texture(scope, mesh.at, &mesh.texture.key())?;
                }
            }
        }
        Ok(())
    }

    fn texture(&mut self, scope: Scope, at: u64, key: &[u8]) -> Result<()> {
        self.budget.spend(at, self.cost)?;
        if texture_of(self.db, scope, key).is_none() {
            self.out.push(Unresolved { scope, at, is_texture: true, key: key.to_vec() });
        }
        Ok(())
    }
}
