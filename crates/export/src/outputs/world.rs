//! The outputs of a WORLD.WDB and of a texture file.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::ControlFlow::{Break, Continue};
use std::sync::OnceLock;

use sha2::{Digest as _, Sha256};
use worldview_core::{Budget, Error, Limit};
use worldview_inspect::{self as inspect, Root, Select, json, text};
use worldview_island::{
    Contents, Database, DatabaseDescription, Image, Library, Scope, Texture, TextureAt, TextureFile, WorldNames,
};

use super::item::{self, Found, Item};
use super::{Note, Options, Origin, Output, OutputKind, Report, Sink};
use crate::Encoding;
use crate::model::{bmp, glb, png};
use crate::names::{Taken, file_name, texture_stem};

/// Passes the outputs of a WORLD.WDB to a sink: of its worlds, models, parts and textures those that `wants` selects, by their names,
/// and documents of what `select` does.
pub fn world(
    (database, contents): (&Database<'_>, &Contents<'_>),
    wants: &dyn Fn(Item, &[u8]) -> bool,
    select: &dyn Select,
    kinds: &[OutputKind],
    options: &Options<'_>,
    sink: &mut dyn Sink,
) {
    if kinds.iter().any(|kind| matches!(kind, OutputKind::Glb | OutputKind::Png | OutputKind::Bmp)) {
        items(&Library::new(database, contents), wants, kinds, options, sink);
    }
    let described = DatabaseDescription::new(database, contents);
    let written = inspect::Options { encoding: options.encoding, full: true, select };
    documents(&Root::new("world", database.source(), &described), ("world", "database"), kinds, &written, sink);
}

/// Passes the outputs of a texture file to a sink.
pub fn textures(file: &TextureFile<'_>, kinds: &[OutputKind], options: &Options<'_>, sink: &mut dyn Sink) {
    let mut taken = Taken::default();
    for kind in [OutputKind::Png, OutputKind::Bmp].into_iter().filter(|kind| kinds.contains(kind)) {
        let found: Vec<_> = item::textures(file.textures(), TextureAt::Global).collect();
        let outputs = found.iter().map(|found| {
            let from = Origin { part: Some("textures".to_owned()), ..found.origin() };
            output_of(found, (kind, false), vec![from], options.encoding, &mut taken)
        });
        sink.many(outputs.collect(), &|index, out| {
            match found[index].texture {
                Some(texture) if kind == OutputKind::Bmp => bmp::image(texture.image, out)?,
                Some(texture) => png::image(texture.image, out)?,
                None => {}
            }
            Ok(Report::default())
        });
    }
    let written = inspect::Options { encoding: options.encoding, full: true, ..inspect::Options::default() };
    documents(&Root::new("tex", file.source(), file), ("textures", "textures"), kinds, &written, sink);
}

/// Passes on what describes a whole file.
fn documents(
    root: &Root<'_>,
    (stem, of): (&str, &'static str),
    kinds: &[OutputKind],
    written: &inspect::Options<'_>,
    sink: &mut dyn Sink,
) {
    let mut put = |kind, extension, fill: super::Fill<'_>| {
        if kinds.contains(&kind) {
            let from = Origin { length: Some(root.source.len()), ..Origin::default() };
            sink.one(Output::new(kind, format!("{stem}.{extension}"), of, from), fill);
        }
    };
    put(OutputKind::Json, "json", &mut |out| Ok(json::write(root, written, out)?));
    put(OutputKind::Text, "txt", &mut |out| Ok(text::write(root, written, out)?));
}

/// Returns the output of an item: of a kind, and whether it is the low-quality texture of a pair.
fn output_of<'a>(
    found: &Found<'a>,
    (kind, is_low): (OutputKind, bool),
    from: Vec<Origin>,
    encoding: Encoding,
    taken: &mut Taken,
) -> Output<'a> {
    let (of, name, low) = (found.item.kind(), file_name(found.name), if is_low { ".low" } else { "" });
    let name = match kind {
        OutputKind::Png => format!("{of}s/{}{low}.png", texture_stem(&name)),
        // isle-portable makes names small before it looks for `<name>.bmp`.
        OutputKind::Bmp => format!("{of}s/{}.bmp", file_name(&found.name.to_ascii_lowercase())),
        _ => format!("{of}s/{name}.glb"),
    };
    let output = Output::new(kind, taken.take(name), of, Origin::default());
    Output { from, size: found.size, ..output.called(found.name, encoding.decode(found.name)) }
}

/// Passes on worlds, models, parts and textures in file order.
fn items(
    library: &Library<'_, '_>,
    wants: &dyn Fn(Item, &[u8]) -> bool,
    kinds: &[OutputKind],
    options: &Options<'_>,
    sink: &mut dyn Sink,
) {
    let plan = Plan::new(library, wants, kinds, sink.room());
    for error in plan.refused {
        sink.note(Note::Failed("", error.into()));
    }
    // The outputs within the limit are still created.
    if plan.is_cut {
        sink.note(Note::Full);
    }
    if plan.shadowed > 0 {
        sink.note(Note::Shadowed(plan.shadowed));
    }
    // Items that are not selected are also assigned file names, so that the names of the others do not depend on the
    // selection.
    let (mut taken, mut outputs, mut jobs) = (Taken::default(), Vec::new(), Vec::new());
    for mut job in plan.jobs {
        let from = std::mem::take(&mut job.from);
        let output = output_of(&job.found, (job.kind, job.is_low), from, options.encoding, &mut taken);
        if job.is_wanted {
            outputs.push(output);
            jobs.push(job);
        }
    }
    // The names that each world registers, built on first use.
    let names: Vec<OnceLock<WorldNames<'_>>> = library.database().worlds().map(|_| OnceLock::new()).collect();
    let cache = glb::Cache::new(library.contents());
    let models = options.models.cache(&cache);
    sink.many(outputs, &|index, out| {
        let Job { found: Found { item, texture, .. }, kind, is_low, scope, .. } = &jobs[index];
        let mut report = Report::default();
        match texture {
            Some(texture) if *kind == OutputKind::Bmp => bmp::image(texture.high(), out)?,
            Some(texture) => out.write_all(&cache.png(if *is_low { texture.low() } else { texture.high() })?)?,
            None => {
                let names = item.world(*scope).map(|world| names[world].get_or_init(|| library.world_names(world)));
                report.model = item.write_glb(*scope, library, names, &models, out)?;
            }
        }
        Ok(report)
    });
}

/// An item, and the output that it gets if it is wanted.
struct Job<'a> {
    found: Found<'a>,
    /// Where its names are resolved from.
    scope: Scope,
    kind: OutputKind,
    /// Whether it is the low-quality texture of a pair.
    is_low: bool,
    from: Vec<Origin>,
    is_wanted: bool,
}

impl<'a> Job<'a> {
    fn new(found: Found<'a>, kind: OutputKind) -> Self {
        Self { found, scope: Scope::Global, kind, is_low: false, from: vec![found.origin()], is_wanted: false }
    }
}

/// The jobs for a file, one for each output. A file can have a part for every twelve bytes.
struct Plan<'p, 'a> {
    wants: &'p dyn Fn(Item, &[u8]) -> bool,
    jobs: Vec<Job<'a>>,
    /// Errors for worlds that would walk over the same blobs too often.
    refused: Vec<Error>,
    /// Textures that are not in the pack, because another has their name.
    shadowed: u64,
    /// Whether the limit on the number of jobs was exceeded.
    is_cut: bool,
    /// Maximum number of jobs.
    room: usize,
    /// The job of each image, by a hash of its name and contents, because most models contain the same ones.
    pictures: HashMap<[u8; 32], usize>,
    /// The job of each name in the pack, and the digest of its picture.
    pack: HashMap<Vec<u8>, (usize, [u8; 32])>,
}

impl<'p, 'a> Plan<'p, 'a> {
    fn new(
        library: &Library<'_, 'a>,
        wants: &'p dyn Fn(Item, &[u8]) -> bool,
        kinds: &[OutputKind],
        room: usize,
    ) -> Self {
        let (jobs, refused, pictures, pack) = Default::default();
        let mut plan = Self { wants, jobs, refused, shadowed: 0, is_cut: false, room, pictures, pack };
        let has = |kind| kinds.contains(&kind);
        let (has_models, has_pictures, has_pack) = (has(OutputKind::Glb), has(OutputKind::Png), has(OutputKind::Bmp));
        let scopes = if has_models { plan.worlds(library) } else { Vec::new() };
        let (database, contents) = (library.database(), library.contents());
        let _ = item::contents(database, contents, (has_models, has_pictures || has_pack), &mut |found| {
            match found.texture {
                Some(texture) => {
                    let is_wanted = wants(found.item, found.name);
                    if has_pack {
                        plan.packed(found, texture, is_wanted);
                    }
                    if has_pictures {
                        plan.picture(found, texture, is_wanted);
                    }
                }
                None => {
                    let scope = found.item.blob().map_or(Scope::Global, |blob| scopes[blob]);
                    plan.push(found, scope);
                }
            }
            if plan.is_cut { Break(()) } else { Continue(()) }
        });
        plan
    }

    fn push(&mut self, found: Found<'a>, scope: Scope) {
        if self.jobs.len() < self.room {
            let is_wanted = (self.wants)(found.item, found.name);
            self.jobs.push(Job { scope, is_wanted, ..Job::new(found, OutputKind::Glb) });
        } else {
            self.is_cut = true;
        }
    }

    /// Adds the worlds that may be walked: thousands can refer to the same blobs. Returns the scope of each blob: that of the first of
    /// these worlds that uses it.
    fn worlds(&mut self, library: &Library<'_, 'a>) -> Vec<Scope> {
        let database = library.database();
        let source = database.source();
        // The game's own worlds take about twice the size of the file.
        let limit = source.len().saturating_mul(8).saturating_add(1 << 24);
        let mut budget = Budget::new(limit, Limit::Work, "worlds of the same blobs");
        let mut seen = vec![usize::MAX; database.blobs().len()];
        let mut scopes: Vec<Scope> = (0..seen.len()).map(Scope::Blob).collect();
        for world in database.worlds() {
            let (index, name) = (world.index, world.name.text());
            let parts = world.parts.iter().enumerate();
            let parts = parts.map(|(part, found)| (found.blob(), Scope::Part { world: index, part }));
            let models = world.models.iter().enumerate();
            let models = models.map(|(model, found)| (found.blob(), Scope::Model { world: index, model }));
            let blobs = parts.chain(models).filter_map(|(blob, scope)| Some((blob?, scope)));
            // Each blob once, plus a fixed cost for each reference.
            let cost = |(blob, _): (usize, Scope)| {
                let is_new = std::mem::replace(&mut seen[blob], index) != index;
                64 + if is_new { database.blobs()[blob].source.len() } else { 0 }
            };
            let size: u64 = blobs.clone().map(cost).sum();
            let item = Item::World(index);
            match budget.spend(size, world.at, source.space()) {
                Ok(()) => {
                    self.push(Found { item, name, at: world.at, size, texture: None }, Scope::Global);
                    for (blob, scope) in blobs {
                        if matches!(scopes[blob], Scope::Blob(_)) {
                            scopes[blob] = scope;
                        }
                    }
                }
                Err(error) if (self.wants)(item, name) => self.refused.push(error),
                Err(_) => {}
            }
        }
        scopes
    }

    /// Adds the pictures of a texture, unless they are known.
    fn picture(&mut self, found: Found<'a>, texture: Texture<'a>, is_wanted: bool) {
        let low = texture.second.is_some().then(|| (texture.low(), true));
        for (image, is_low) in [(texture.high(), false)].into_iter().chain(low) {
            let size = image.pixels.len() as u64;
            let found = Found { at: image.at, size, ..found };
            match self.pictures.entry(digest(found.name, image, is_low)) {
                Entry::Occupied(known) => {
                    let job = &mut self.jobs[*known.get()];
                    job.from.push(found.origin());
                    job.is_wanted |= is_wanted;
                }
                Entry::Vacant(_) if self.jobs.len() >= self.room => self.is_cut = true,
                Entry::Vacant(new) => {
                    new.insert(self.jobs.len());
                    self.jobs.push(Job { is_low, is_wanted, ..Job::new(found, OutputKind::Png) });
                }
            }
        }
    }

    /// Adds a picture of the pack: the first of its name that is wanted, for the game asks by name alone.
    fn packed(&mut self, found: Found<'a>, texture: Texture<'a>, is_wanted: bool) {
        let new = (self.jobs.len(), digest(found.name, texture.high(), false));
        let job = Job { is_wanted, ..Job::new(found, OutputKind::Bmp) };
        match self.pack.entry(found.name.to_ascii_lowercase()) {
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
