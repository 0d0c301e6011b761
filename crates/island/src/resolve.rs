//! Name resolution: shared lists of levels, and textures. See [Resolution](crate::format#resolution).

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use worldview_core::Source;

use crate::blob::Content;
use crate::contents::Contents;
use crate::database::Database;
use crate::lod::Lods;
use crate::model::Model;
use crate::name::NameKey;
use crate::parts::{Part, Parts};
use crate::texture::{Texture, Textures};

/// The place from which a name is resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// The global parts.
    Global,
    /// A blob, outside of any world.
    Blob(usize),
    /// A part blob of a world.
    Part {
        /// The index of the world.
        world: usize,
        /// The index of the reference in the world.
        part: usize,
    },
    /// A model of a world.
    Model {
        /// The index of the world.
        world: usize,
        /// The index of the reference in the world.
        model: usize,
    },
}

/// The location of a list of levels of detail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LodsAt {
    /// A global part.
    Global {
        /// The index of the part.
        part: usize,
    },
    /// A part of a blob.
    Part {
        /// The index of the blob.
        blob: usize,
        /// The index of the part in the blob.
        part: usize,
    },
    /// An object of a model.
    Roi {
        /// The index of the blob.
        blob: usize,
        /// The index of the object in the model.
        roi: usize,
    },
}

/// The location of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TextureAt {
    /// A texture of the global texture chunk, by index.
    Global(usize),
    /// A texture of the global parts, by index.
    Parts(usize),
    /// A texture of a blob.
    Blob {
        /// The index of the blob.
        blob: usize,
        /// The index of the texture in the blob's list.
        texture: usize,
    },
}

/// The contents of a whole file with an index of its names. See [Resolution](crate::format#resolution).
pub struct Library<'d, 'a> {
    database: &'d Database<'a>,
    contents: &'d Contents<'a>,
    /// The offsets of the elements of every list, because the views themselves can only be walked from the start.
    globals: Index,
    of_parts: Index,
    of_blobs: Vec<Index>,
    global_lods: HashMap<NameKey<'a>, LodsAt>,
    global_textures: HashMap<NameKey<'a>, TextureAt>,
    any_textures: HashMap<NameKey<'a>, TextureAt>,
    /// What each blob registers, built on first use, because thousands of parts can share a blob.
    own: Vec<OnceLock<Own<'a>>>,
}

worldview_core::debug_summary!("Library", Library<'_, '_>, |this| database: this.database);

/// What one blob registers: the index of the first element with each name.
#[derive(Debug, Default)]
struct Own<'a> {
    textures: HashMap<NameKey<'a>, usize>,
    /// Objects that have levels of their own.
    rois: HashMap<NameKey<'a>, usize>,
}

impl<'a> Own<'a> {
    fn of(content: &Content<'a>) -> Self {
        let mut own = Self::default();
        for (number, texture) in content.own_textures().iter().enumerate() {
            own.textures.entry(NameKey(texture.real_name())).or_insert(number);
        }
        for (key, roi) in content.model().into_iter().flat_map(own_lists) {
            own.rois.entry(key).or_insert(roi);
        }
        own
    }
}

/// Offsets of the textures and parts of a chunk or blob, relative to its start.
#[derive(Debug, Default)]
struct Index {
    textures: Vec<u32>,
    parts: Vec<u32>,
}

impl Index {
    fn of(source: Source<'_>, textures: Textures<'_>, parts: Option<&Parts<'_>>) -> Self {
        let from_start = |at: u64| u32::try_from(at.saturating_sub(source.base())).unwrap_or(u32::MAX);
        Self {
            textures: textures.iter().map(|texture| from_start(texture.at)).collect(),
            parts: parts.into_iter().flat_map(|parts| parts.iter()).map(|part| from_start(part.at)).collect(),
        }
    }
}

impl<'d, 'a> Library<'d, 'a> {
    /// Builds the index.
    ///
    /// ```
    /// # fn main() -> worldview_island::Result<()> {
    /// # let file: &[u8] = include_bytes!("../../../samples/world.wdb");
    /// use worldview_island::{Contents, Database, Library, Scope};
    ///
    /// let database = Database::parse(file)?;
    /// let contents = Contents::read(&database);
    /// let library = Library::new(&database, &contents);
    /// let names = library.names(Scope::Global, None);
    /// println!("{:?}", names.texture("dunes.gif"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn new(database: &'d Database<'a>, contents: &'d Contents<'a>) -> Self {
        let none = Textures::none(database.source());
        let textures = contents.textures.as_ref().map_or(none, |textures| *textures);
        let parts = contents.parts.as_ref().ok();
        let part_textures = parts.map_or(none, |parts| parts.textures);
        let mut global_lods = HashMap::new();
        for (number, part) in parts.into_iter().flat_map(Parts::iter).enumerate() {
            global_lods.entry(part.name.key()).or_insert(LodsAt::Global { part: number });
        }
        let mut global_textures = HashMap::new();
        add_textures(&mut global_textures, part_textures, TextureAt::Parts);
        add_textures(&mut global_textures, textures, TextureAt::Global);
        let mut any_textures = HashMap::new();
        let mut of_blobs = Vec::new();
        for (number, (blob, content)) in database.blobs().iter().zip(&contents.blobs).enumerate() {
            let Ok(content) = content else {
                of_blobs.push(Index::default());
                continue;
            };
            add_textures(&mut any_textures, content.own_textures(), |texture| TextureAt::Blob {
                blob: number,
                texture,
            });
            of_blobs.push(Index::of(blob.source, content.textures(), content.parts()));
        }
        Self {
            database,
            contents,
            globals: Index::of(database.texture_chunk(), textures, None),
            of_parts: Index::of(database.parts_chunk(), part_textures, parts),
            of_blobs,
            global_lods,
            global_textures,
            any_textures,
            own: database.blobs().iter().map(|_| OnceLock::new()).collect(),
        }
    }

    /// Returns the database.
    pub const fn database(&self) -> &'d Database<'a> {
        self.database
    }

    /// Returns the contents of the database.
    pub const fn contents(&self) -> &'d Contents<'a> {
        self.contents
    }

    /// Returns the content of a blob, or `None` if it could not be opened.
    pub fn content(&self, blob: usize) -> Option<&'d Content<'a>> {
        self.contents.blobs.get(blob)?.as_ref().ok()
    }

    /// Returns the model of a blob, or `None` if the blob is not a model or could not be opened.
    pub fn model(&self, blob: usize) -> Option<&'d Model<'a>> {
        self.content(blob)?.model()
    }

    /// Returns the parts of a blob, or `None` if the blob does not hold parts or could not be opened.
    pub fn parts(&self, blob: usize) -> Option<&'d Parts<'a>> {
        self.content(blob)?.parts()
    }

    /// Returns the texture at a location.
    pub fn texture_at(&self, at: TextureAt) -> Option<Texture<'a>> {
        let (source, offsets, number, has_pairs) = match at {
            TextureAt::Global(number) => (self.database.texture_chunk(), &self.globals, number, false),
            TextureAt::Parts(number) => (self.database.parts_chunk(), &self.of_parts, number, true),
            TextureAt::Blob { blob, texture } => {
                (self.database.blobs().get(blob)?.source, self.of_blobs.get(blob)?, texture, true)
            }
        };
        Texture::at_offset(source, *offsets.textures.get(number)?, has_pairs)
    }

    /// Returns the list of levels at a location.
    pub fn lods_at(&self, at: LodsAt) -> Option<Lods<'a>> {
        if let LodsAt::Roi { blob, roi } = at {
            return Some(self.model(blob)?.rois.get(roi)?.lods);
        }
        Some(self.part_at(at)?.lods)
    }

    /// Returns the part at a location, or `None` if the location is an object of a model.
    pub fn part_at(&self, at: LodsAt) -> Option<Part<'a>> {
        let (source, offsets, number) = match at {
            LodsAt::Global { part } => (self.database.parts_chunk(), &self.of_parts, part),
            LodsAt::Part { blob, part } => (self.database.blobs().get(blob)?.source, self.of_blobs.get(blob)?, part),
            LodsAt::Roi { .. } => return None,
        };
        Part::at_offset(source, *offsets.parts.get(number)?)
    }

    /// Returns the names that the parts and models of a world register.
    ///
    /// This walks each blob that the world refers to once. When calling it for many worlds, note that they may all
    /// refer to the same blobs.
    pub fn world_names(&self, world: usize) -> WorldNames<'a> {
        let mut names = WorldNames { lods: HashMap::new(), rois: HashMap::new(), textures: HashMap::new() };
        let Some(world) = self.database.world(world) else { return names };
        let mut seen = HashSet::new();
        for blob in world.parts.iter().filter_map(|part| part.blob()) {
            let Some(parts) = self.parts(blob).filter(|_| seen.insert(blob)) else { continue };
            for (part, view) in parts.iter().enumerate() {
                names.lods.entry(view.name.key()).or_insert(LodsAt::Part { blob, part });
            }
            add_textures(&mut names.textures, parts.textures, |texture| TextureAt::Blob { blob, texture });
        }
        for (model, blob) in world.models.iter().enumerate().filter_map(|(i, model)| Some((i, model.blob()?))) {
            let Some(content) = self.model(blob).filter(|_| seen.insert(blob)) else { continue };
            for (key, roi) in own_lists(content) {
                names.rois.entry(key).or_insert((model, blob, roi));
            }
        }
        names
    }

    /// Returns the names visible from a scope. `world` is the result of [`world_names`](Self::world_names) for the
    /// world of the scope.
    pub fn names<'n>(&'n self, scope: Scope, world: Option<&'n WorldNames<'a>>) -> ScopedNames<'n, 'd, 'a> {
        let blob = match scope {
            Scope::Global => None,
            Scope::Blob(blob) => Some(blob),
            Scope::Part { world, part } => {
                self.database.world(world).and_then(|world| world.parts.get(part)).and_then(|part| part.blob())
            }
            Scope::Model { world, model } => {
                self.database.world(world).and_then(|world| world.models.get(model)).and_then(|model| model.blob())
            }
        };
        let own = blob.and_then(|blob| {
            let content = self.content(blob)?;
            Some((blob, self.own.get(blob)?.get_or_init(|| Own::of(content))))
        });
        ScopedNames { library: self, scope, world, own }
    }
}

/// Returns the objects of a model that have levels of their own, which other objects may share.
fn own_lists<'m, 'a>(model: &'m Model<'a>) -> impl Iterator<Item = (NameKey<'a>, usize)> + use<'m, 'a> {
    let rois = model.rois.iter().enumerate();
    rois.filter(|(_, roi)| !roi.lods.is_empty()).map(|(number, roi)| (roi.name.key(), number))
}

/// Adds the textures of a list to the map. If several have the same name, the first one is kept.
fn add_textures<'a>(
    map: &mut HashMap<NameKey<'a>, TextureAt>,
    textures: Textures<'a>,
    at: impl Fn(usize) -> TextureAt,
) {
    for (number, texture) in textures.iter().enumerate() {
        map.entry(NameKey(texture.real_name())).or_insert_with(|| at(number));
    }
}

/// The names that the parts and models of one world register.
#[derive(Clone)]
pub struct WorldNames<'a> {
    lods: HashMap<NameKey<'a>, LodsAt>,
    /// The first object with each name: the index of its model in the world, the blob, and the index of the object.
    rois: HashMap<NameKey<'a>, (usize, usize, usize)>,
    textures: HashMap<NameKey<'a>, TextureAt>,
}

worldview_core::debug_summary!("WorldNames", WorldNames<'_>, |this| textures: this.textures.len(), lods: this.lods.len(), rois: this.rois.len());

/// The names visible from one part or model. See [Resolution](crate::format#resolution).
pub struct ScopedNames<'n, 'd, 'a> {
    library: &'n Library<'d, 'a>,
    scope: Scope,
    world: Option<&'n WorldNames<'a>>,
    /// The blob of the scope, and what it registers.
    own: Option<(usize, &'n Own<'a>)>,
}

worldview_core::debug_summary!("ScopedNames", ScopedNames<'_, '_, '_>, |this| scope: this.scope);

impl<'d, 'a> ScopedNames<'_, 'd, 'a> {
    pub(crate) const fn library(&self) -> &Library<'d, 'a> {
        self.library
    }

    /// Resolves a texture name. Searches the blob's own list, the world's parts, the global parts, the global textures
    /// and then all blobs.
    pub fn texture(&self, name: impl AsRef<[u8]>) -> Option<TextureAt> {
        let key = NameKey(name.as_ref());
        if let Some((blob, own)) = self.own
            && let Some(&texture) = own.textures.get(&key)
        {
            return Some(TextureAt::Blob { blob, texture });
        }
        let world = self.world.and_then(|world| world.textures.get(&key));
        let found = world.or_else(|| self.library.global_textures.get(&key));
        found.or_else(|| self.library.any_textures.get(&key)).copied()
    }

    /// Resolves the name of a list of levels for the object at index `roi` in the scope's model. The result is a global
    /// part, a part of the world, or an earlier object with levels of its own.
    pub fn lods(&self, roi: usize, name: impl AsRef<[u8]>) -> Option<LodsAt> {
        let key = NameKey(name.as_ref());
        let part = self.library.global_lods.get(&key).or_else(|| self.world.and_then(|world| world.lods.get(&key)));
        if let Some(part) = part {
            return Some(*part);
        }
        match (self.scope, self.world, self.own) {
            (Scope::Blob(_), _, Some((blob, own))) => {
                let found = *own.rois.get(&key)?;
                (found < roi).then_some(LodsAt::Roi { blob, roi: found })
            }
            (Scope::Model { model, .. }, Some(world), _) => {
                let (of_model, blob, found) = *world.rois.get(&key)?;
                ((of_model, found) < (model, roi)).then_some(LodsAt::Roi { blob, roi: found })
            }
            _ => None,
        }
    }
}

worldview_core::assert_send_sync!(Library<'_, '_>, WorldNames<'_>, ScopedNames<'_, '_, '_>, Scope, LodsAt, TextureAt);
