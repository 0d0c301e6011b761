//! The jobs for a file, one per output.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::OnceLock;

use sha2::{Digest as _, Sha256};
use worldview::island::{BlobKind, Image, Library, LodsAt, Parts, Scope, Textures, WorldNames};
use worldview::{Budget, Error, Limit};
use worldview_export::Result;
use worldview_export::model::bmp;
use worldview_export::model::glb::{self, Report};
use worldview_export::names::texture_stem;

use crate::output::{Origin, Taken, file_name};
use crate::world::Only;

/// The item that a job exports.
#[derive(Clone, Copy, Debug)]
pub(super) enum What<'a> {
    World(usize),
    Model {
        blob: usize,
        scope: Scope,
    },
    Part {
        at: LodsAt,
        scope: Scope,
    },
    /// An image, and whether it is the low-quality one of a pair.
    Texture(Image<'a>, bool),
    /// The same for a texture pack.
    Bmp(Image<'a>),
}

/// Which sorts of outputs there are to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sorts {
    /// Worlds, models and parts.
    pub(super) models: bool,
    pub(super) textures: bool,
    /// The textures by their names, each name once.
    pub(super) pack: bool,
}

/// A single output.
#[derive(Debug)]
pub(super) struct Job<'a> {
    pub(super) what: What<'a>,
    /// The name in the input.
    pub(super) name: &'a [u8],
    /// The path of the output relative to the folder of the input.
    pub(super) file: String,
    is_wanted: bool,
    pub(super) from: Vec<Origin>,
    /// The size in bytes in the input.
    pub(super) size: u64,
}

/// All jobs, and the data they share.
pub(super) struct Plan<'a> {
    pub(super) jobs: Vec<Job<'a>>,
    /// Errors for worlds that would walk over the same blobs too often.
    pub(super) refused: Vec<Error>,
    /// Textures that are not in the pack, for another has their name.
    pub(super) shadowed: u64,
    /// Whether the limit on the number of jobs was exceeded.
    pub(super) is_cut: bool,
    /// Maximum number of jobs.
    room: usize,
    /// The names that each world registers, built on first use.
    names: Vec<OnceLock<WorldNames<'a>>>,
    /// The job of each image, by a hash of its name and contents, because most models contain the same ones.
    pictures: HashMap<[u8; 32], usize>,
    /// The job of each name in the pack, and the digest of its picture.
    pack: HashMap<Vec<u8>, (usize, [u8; 32])>,
}

impl What<'_> {
    pub(super) const fn name(&self) -> &'static str {
        match self {
            Self::World(_) => "world",
            Self::Model { .. } => "model",
            Self::Part { .. } => "part",
            Self::Texture(..) | Self::Bmp(_) => "texture",
        }
    }

    const fn folder(&self) -> &'static str {
        match self {
            Self::World(_) => "worlds",
            Self::Model { .. } => "models",
            Self::Part { .. } => "parts",
            Self::Texture(..) | Self::Bmp(_) => "textures",
        }
    }

    const fn extension(&self) -> &'static str {
        match self {
            Self::Texture(..) => "png",
            Self::Bmp(_) => "bmp",
            _ => "glb",
        }
    }
}

impl<'a> Plan<'a> {
    /// Creates the jobs for all selected models and textures, up to `room`. A file can have a part for every twelve
    /// bytes.
    pub(super) fn new(library: &Library<'_, 'a>, only: &Only<'a>, sorts: Sorts, room: usize) -> Self {
        let database = library.database();
        let names = database.worlds().map(|_| OnceLock::new()).collect();
        let (jobs, refused, pictures, pack) = (Vec::new(), Vec::new(), HashMap::new(), HashMap::new());
        let mut plan = Self { jobs, refused, shadowed: 0, is_cut: false, room, names, pictures, pack };
        let allowed = if sorts.models { plan.worlds(library, only) } else { Vec::new() };
        if sorts.models {
            plan.models(library, only, &allowed);
        }
        if sorts.textures || sorts.pack {
            plan.all_textures(library, only, sorts);
        }
        // Items that are not selected are also assigned file names, so that the names of the others do not depend on
        // the selection.
        let mut taken = Taken::default();
        for job in &mut plan.jobs {
            let stem = match job.what {
                // isle-portable makes names small before it looks for `<name>.bmp`.
                What::Bmp(_) => file_name(&job.name.to_ascii_lowercase()),
                _ => job.suffixed(&file_name(job.name)),
            };
            job.file = taken.take(format!("{}/{stem}.{}", job.what.folder(), job.what.extension()));
        }
        plan.jobs.retain(|job| job.is_wanted);
        plan
    }

    fn push(&mut self, job: Job<'a>) {
        if self.jobs.len() < self.room {
            self.jobs.push(job);
        } else {
            self.is_cut = true;
        }
    }

    /// Adds the worlds. Returns which of them may be walked, because thousands can refer to the same blobs.
    fn worlds(&mut self, library: &Library<'_, 'a>, only: &Only<'a>) -> Vec<bool> {
        let database = library.database();
        let source = database.source();
        // The game's own worlds take about twice the size of the file.
        let limit = source.len().saturating_mul(8).saturating_add(1 << 24);
        let mut budget = Budget::new(limit, Limit::Work, "worlds of the same blobs");
        let (mut allowed, mut seen) = (Vec::new(), vec![usize::MAX; database.blobs().len()]);
        for world in database.worlds() {
            let blobs = world.parts.iter().filter_map(|part| part.blob());
            let blobs = blobs.chain(world.models.iter().filter_map(|model| model.blob()));
            // Each blob once, plus a fixed cost for each reference.
            let cost = |blob: usize| {
                let is_new = std::mem::replace(&mut seen[blob], world.index) != world.index;
                64 + if is_new { database.blobs()[blob].source.len() } else { 0 }
            };
            let size = blobs.map(cost).sum();
            let paid = budget.spend(size, world.at, source.space());
            allowed.push(paid.is_ok());
            let is_wanted = only.wants_world(world.index, world.name.text());
            match paid {
                Ok(()) => self.push(Job {
                    what: What::World(world.index),
                    name: world.name.text(),
                    file: String::new(),
                    is_wanted,
                    from: vec![Origin {
                        part: Some("directory".into()),
                        index: Some(world.index),
                        offset: world.at,
                        ..Origin::default()
                    }],
                    size,
                }),
                Err(error) if is_wanted => self.refused.push(error),
                Err(_) => {}
            }
        }
        allowed
    }

    /// Adds each model and each part once, in the scope of the first world that uses it.
    fn models(&mut self, library: &Library<'_, 'a>, only: &Only<'a>, allowed: &[bool]) {
        let database = library.database();
        let mut scopes: Vec<Scope> = (0..database.blobs().len()).map(Scope::Blob).collect();
        let mut see = |blob: Option<usize>, scope| {
            if let Some(slot) = blob.and_then(|blob| scopes.get_mut(blob))
                && matches!(slot, Scope::Blob(_))
            {
                *slot = scope;
            }
        };
        for world in database.worlds().filter(|world| allowed[world.index]) {
            let index = world.index;
            for (part, reference) in world.parts.iter().enumerate() {
                see(reference.blob(), Scope::Part { world: index, part });
            }
            for (model, reference) in world.models.iter().enumerate() {
                see(reference.blob(), Scope::Model { world: index, model });
            }
        }
        if let Ok(parts) = &library.contents().parts {
            self.parts(parts, None, Scope::Global, only);
        }
        for (blob, scope) in database.blobs().iter().zip(scopes) {
            let number = blob.index();
            match blob.kind {
                BlobKind::Parts => {
                    if let Some(parts) = library.parts(number) {
                        self.parts(parts, Some(number), scope, only);
                    }
                }
                BlobKind::Model if library.model(number).is_some() => {
                    self.push(Job {
                        what: What::Model { blob: number, scope },
                        name: only.name_of(number),
                        file: String::new(),
                        is_wanted: only.wants_blob(database, number),
                        from: vec![Origin {
                            part: Some("blob".into()),
                            blob: Some(number),
                            offset: blob.source.base(),
                            length: Some(blob.source.len()),
                            ..Origin::default()
                        }],
                        size: blob.source.len(),
                    });
                }
                BlobKind::Model => {}
            }
        }
    }

    fn parts(&mut self, parts: &Parts<'a>, blob: Option<usize>, scope: Scope, only: &Only<'a>) {
        for (number, part) in parts.iter().enumerate() {
            if self.is_cut {
                return;
            }
            let at = match blob {
                Some(blob) => LodsAt::Part { blob, part: number },
                None => LodsAt::Global { part: number },
            };
            let end = parts.source().base() + u64::from(part.end_offset);
            let length = end.saturating_sub(part.at);
            let place = if blob.is_some() { "blob" } else { "global parts" };
            self.push(Job {
                what: What::Part { at, scope },
                name: part.name.text(),
                file: String::new(),
                is_wanted: only.wants_part(blob, part.name.text()),
                from: vec![Origin {
                    part: Some(place.into()),
                    blob,
                    index: Some(number),
                    offset: part.at,
                    length: Some(length),
                    ..Origin::default()
                }],
                size: length,
            });
        }
    }

    fn all_textures(&mut self, library: &Library<'_, 'a>, only: &Only<'a>, sorts: Sorts) {
        let contents = library.contents();
        if let Ok(textures) = contents.textures {
            self.textures(textures, ("global textures", None), only, sorts);
        }
        if let Ok(parts) = &contents.parts {
            self.textures(parts.textures, ("global parts", None), only, sorts);
        }
        for (blob, content) in contents.blobs.iter().enumerate() {
            if let Ok(content) = content {
                self.textures(content.textures(), ("blob", Some(blob)), only, sorts);
            }
        }
    }

    fn textures(
        &mut self,
        textures: Textures<'a>,
        (part, blob): (&'static str, Option<usize>),
        only: &Only<'a>,
        sorts: Sorts,
    ) {
        for (index, texture) in textures.iter().enumerate() {
            if self.is_cut {
                return;
            }
            let name = texture.real_name();
            let is_wanted = only.wants_texture(blob, name);
            let images = [(texture.high(), false), (texture.low(), true)];
            let origin = |image: Image<'_>| {
                let part = Some(part.to_owned());
                Origin { part, blob, index: Some(index), offset: image.at, ..Origin::default() }
            };
            if sorts.pack {
                self.packed(texture.high(), name, is_wanted, origin(texture.high()));
            }
            if !sorts.textures {
                continue;
            }
            for (image, is_low) in images.into_iter().take(if texture.second.is_some() { 2 } else { 1 }) {
                let origin = origin(image);
                match self.pictures.entry(digest(name, image, is_low)) {
                    Entry::Occupied(known) => {
                        let job = &mut self.jobs[*known.get()];
                        job.from.push(origin);
                        job.is_wanted |= is_wanted;
                    }
                    Entry::Vacant(_) if self.jobs.len() >= self.room => self.is_cut = true,
                    Entry::Vacant(new) => {
                        new.insert(self.jobs.len());
                        self.jobs.push(Job {
                            what: What::Texture(image, is_low),
                            name,
                            file: String::new(),
                            is_wanted,
                            from: vec![origin],
                            size: image.pixels.len() as u64,
                        });
                    }
                }
            }
        }
    }

    /// A picture of the pack: the first of its name that is wanted, for the game asks by name alone.
    fn packed(&mut self, image: Image<'a>, name: &'a [u8], is_wanted: bool, origin: Origin) {
        let new = (self.jobs.len(), digest(name, image, false));
        let job = Job {
            what: What::Bmp(image),
            name,
            file: String::new(),
            is_wanted,
            from: vec![origin],
            size: image.pixels.len() as u64,
        };
        match self.pack.entry(name.to_ascii_lowercase()) {
            Entry::Occupied(mut known) => {
                let (number, digest) = *known.get();
                if digest == new.1 {
                    self.jobs[number].from.extend(job.from);
                    self.jobs[number].is_wanted |= is_wanted;
                } else if is_wanted && !self.jobs[number].is_wanted {
                    known.insert((number, new.1));
                    self.jobs[number] = job;
                } else {
                    self.shadowed += u64::from(is_wanted);
                }
            }
            Entry::Vacant(_) if self.jobs.len() >= self.room => self.is_cut = true,
            Entry::Vacant(entry) => {
                entry.insert(new);
                self.jobs.push(job);
            }
        }
    }

    fn names(&self, library: &Library<'_, 'a>, scope: Scope) -> Option<&WorldNames<'a>> {
        match scope {
            Scope::Part { world, .. } | Scope::Model { world, .. } => {
                Some(self.names[world].get_or_init(|| library.world_names(world)))
            }
            Scope::Global | Scope::Blob(_) => None,
        }
    }
}

fn digest(name: &[u8], image: Image<'_>, is_low: bool) -> [u8; 32] {
    let mut digest = Sha256::new();
    digest.update(name.to_ascii_lowercase());
    // The sizes have a fixed length and follow the name and a NUL, so different images have different input.
    digest.update([0, u8::from(is_low)]);
    digest.update(image.width.to_le_bytes());
    digest.update(image.height.to_le_bytes());
    for color in image.palette {
        digest.update(color.get());
    }
    digest.update(image.pixels);
    digest.finalize().into()
}

impl<'a> Job<'a> {
    /// Returns the file name for a stem.
    fn suffixed(&self, stem: &str) -> String {
        let stem = if matches!(self.what, What::Texture(..)) { texture_stem(stem) } else { stem };
        if matches!(self.what, What::Texture(_, true)) { format!("{stem}.low") } else { stem.to_owned() }
    }

    pub(super) fn make(
        &self,
        library: &Library<'_, 'a>,
        plan: &Plan<'a>,
        options: &glb::Options<'_>,
        cache: &glb::Cache<'_>,
    ) -> Result<(Report, Vec<u8>)> {
        let mut out = Vec::new();
        let report = match self.what {
            What::World(world) => {
                let names = plan.names[world].get_or_init(|| library.world_names(world));
                glb::world(library, world, names, options, &mut out)?
            }
            What::Model { blob, scope } => {
                glb::model(library, blob, scope, plan.names(library, scope), options, &mut out)?
            }
            What::Part { at, scope } => glb::part(library, at, plan.names(library, scope), options, &mut out)?,
            What::Texture(image, _) => {
                out.extend_from_slice(&cache.png(image)?);
                Report::default()
            }
            What::Bmp(image) => {
                bmp::image(image, &mut out)?;
                Report::default()
            }
        };
        Ok((report, out))
    }
}
