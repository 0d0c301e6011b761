//! Checks a whole file for everything that the format notes call fatal, suspicious, curious or unknown.

mod animation;
mod directory;
mod layout;
mod lods;
mod lost_objects;
mod rois;
mod textures;

use std::collections::HashMap;

use worldview_core::{Budget, Limit, OffsetBase, Place};

use crate::blob::Content;
use crate::contents::Contents;
use crate::database::Database;
use crate::finding::{Finding, FindingKind};
use crate::mesh::Geometry;
use crate::model::Model;
use crate::name::{Name, NameKey};
use crate::parts::Parts;
use crate::raw::Vec3;
use crate::resolve::{Library, Scope, ScopedNames, WorldNames};
use crate::texture::Texture;
use crate::texture_file::TextureFile;

pub use self::lost_objects::check_grouped;

/// Checks a whole file and reports every problem and oddity.
///
/// `contents` is the result of [`Contents::read_lossy`] for `database`. Problems that were reported while opening
/// the two are not reported again. Every mesh is decoded, and every blob is walked once. Names are resolved from
/// every world that uses a blob, as long as that walk stays within 16 times the length of the file plus 16 MiB.
///
/// ```
/// # fn main() -> worldview_island::Result<()> {
/// # let file: &[u8] = include_bytes!("../../../samples/world.wdb");
/// use worldview_island::{Contents, Database, check};
///
/// let database = Database::parse(file)?;
/// let contents = Contents::read(&database);
/// check(&database, &contents, &mut |finding| println!("{finding}"));
/// # Ok(())
/// # }
/// ```
pub fn check<'a>(database: &Database<'a>, contents: &Contents<'a>, report: &mut dyn FnMut(Finding<'a>)) {
    let library = Library::new(database, contents);
    let mut checker = Checker { report, geometry: Geometry::default(), textures: HashMap::new() };
    directory::check(database, &mut checker);
    layout::check(database, &mut checker);
    if let Ok(textures) = contents.textures {
        let place = Place::of("global textures");
        textures::check(textures, place, &mut checker);
        // What follows something broken is part of it.
        let chunk = database.texture_chunk();
        if textures.broken().is_none() && !database.is_cut(chunk) {
            checker.trailing(textures.end(), chunk.base().saturating_add(chunk.len()), place);
        }
    }
    if let Ok(parts) = &contents.parts {
        check_parts(parts, database.is_cut(parts.source()), Place::of("global parts"), &mut checker);
    }
    for ((blob, content), name) in database.blobs().iter().zip(&contents.blobs).zip(database.blob_names()) {
        let place = blob.named(name);
        match content {
            Ok(Content::Parts(parts)) => check_parts(parts, false, place, &mut checker),
            Ok(Content::Model(model)) => check_model(model, place, &mut checker),
            Err(_) => {}
        }
    }
    resolve(&library, &mut checker);
}

/// Checks a `.tex` file. What follows the NUL of a name is not reported, since the names of all known files continue there.
pub fn check_textures<'a>(file: &TextureFile<'a>, report: &mut dyn FnMut(Finding<'a>)) {
    let mut note = |finding: Finding<'a>| match finding.kind {
        FindingKind::NameTail { .. } | FindingKind::TrailingBytes { len: ..=TextureFile::MAX_TRAILING } => {}
        _ => report(finding),
    };
    let mut checker = Checker { report: &mut note, geometry: Geometry::default(), textures: HashMap::new() };
    let (textures, place) = (file.textures(), Place::of("textures"));
    textures::check(textures, place, &mut checker);
    // What follows something broken is part of it.
    if textures.broken().is_none() {
        checker.trailing(textures.end(), file.source().base().saturating_add(file.source().len()), place);
    }
}

fn check_parts<'a>(parts: &Parts<'a>, is_cut: bool, place: Place<'a>, checker: &mut Checker<'_, 'a>) {
    let start = parts.source().base();
    let list = start.saturating_add(parts.texture_offset.into());
    // What follows something broken is part of it.
    if parts.left_out().is_none() && !is_cut {
        checker.list(parts.end(), list, place);
        checker.trailing(parts.textures.end().max(parts.end()), start.saturating_add(parts.source().len()), place);
    }
    textures::check(parts.textures, place, checker);
    let mut seen = HashMap::new();
    for (number, (index, part)) in (0_u32..).zip(parts.iter()).enumerate() {
        let place = place.with("part", Some(index), part.name.text());
        checker.blob_name(part.name, "its name", part.at, place);
        let first = *seen.entry(part.name.key()).or_insert(number);
        if first != number {
            checker.report(FindingKind::PartDuplicate { first }, part.at, place);
        }
        let end = start.saturating_add(part.end_offset.into());
        lods::check(part.lods, part.at, Some(end), place, checker);
    }
}

fn check_model<'a>(model: &Model<'a>, place: Place<'a>, checker: &mut Checker<'_, 'a>) {
    let start = model.source().base();
    if model.roi_count != 1 {
        checker.report(FindingKind::RoiCount { found: model.roi_count }, start.saturating_add(8), place);
    }
    if model.skip_textures != 0 {
        let at = start.saturating_add(model.texture_offset.into()).saturating_add(4);
        checker.report(FindingKind::TexturesSkipped { word: model.skip_textures }, at, place);
    }
    if model.left_out().is_none() {
        checker.list(model.rois.end(), start.saturating_add(model.texture_offset.into()), place);
        checker.trailing(model.textures.end().max(model.rois.end()), start.saturating_add(model.source().len()), place);
    }
    animation::check(model, place, checker);
    rois::check(model, place, checker);
    textures::check(model.textures, place, checker);
}

/// Resolves every name in every scope that uses it.
fn resolve<'a>(library: &Library<'_, 'a>, checker: &mut Checker<'_, 'a>) {
    let database = library.database();
    let limit = database.source().len().saturating_mul(16).saturating_add(1 << 24);
    let mut budget = Budget::new(limit, Limit::Overlap, "walk over names");
    let mut cost = |library: &Library<'_, 'a>, blob: usize, at: u64| {
        let len = database.blobs().get(blob).map_or(0, |blob| blob.source.len());
        budget.spend(len.saturating_add(64), at, library.database().source().space())
    };
    if let Ok(parts) = &library.contents().parts {
        names_of_parts(parts, &library.names(Scope::Global, None), Place::of("global parts"), checker);
    }
    for world in database.worlds() {
        let place = Place::numbered("world", u32::try_from(world.index).unwrap_or(u32::MAX), world.name.text());
        let blobs = world.parts.iter().filter_map(|part| part.blob());
        let mut blobs = blobs.chain(world.models.iter().filter_map(|model| model.blob()));
        // Each blob costs twice: once for the names that the world registers, once for the names that are looked up.
        if let Err(error) = blobs.try_for_each(|blob| {
            cost(library, blob, world.at)?;
            cost(library, blob, world.at)
        }) {
            checker.report(FindingKind::WalkLimit { kind: error.kind }, world.at, place);
            return;
        }
        let names = library.world_names(world.index);
        names_of_world(library, world, &names, place, checker);
    }
}

fn names_of_world<'a>(
    library: &Library<'_, 'a>,
    world: crate::World<'_, 'a>,
    world_names: &WorldNames<'a>,
    place: Place<'a>,
    checker: &mut Checker<'_, 'a>,
) {
    for ((number, index), part) in (0_usize..).zip(0_u32..).zip(world.parts) {
        let Some(parts) = part.blob().and_then(|blob| library.parts(blob)) else { continue };
        let names = library.names(Scope::Part { world: world.index, part: number }, Some(world_names));
        names_of_parts(parts, &names, place.with("part reference", Some(index), part.name.text()), checker);
    }
    for ((number, index), reference) in (0_usize..).zip(0_u32..).zip(world.models) {
        let Some(model) = reference.blob().and_then(|blob| library.model(blob)) else { continue };
        let names = library.names(Scope::Model { world: world.index, model: number }, Some(world_names));
        let place = place.with("model reference", Some(index), reference.name.text());
        rois::names(model, &names, place, checker);
    }
}

fn names_of_parts<'a>(
    parts: &Parts<'a>,
    names: &ScopedNames<'_, '_, 'a>,
    place: Place<'a>,
    checker: &mut Checker<'_, 'a>,
) {
    for (index, part) in (0_u32..).zip(parts.iter()) {
        lods::names(part.lods, names, place.with("part", Some(index), part.name.text()), checker);
    }
}

/// State of the check: the sink for findings, and reused buffers.
struct Checker<'r, 'a> {
    report: &'r mut dyn FnMut(Finding<'a>),
    /// Used again for every mesh.
    geometry: Geometry,
    /// The first texture of each name.
    textures: HashMap<NameKey<'a>, Texture<'a>>,
}

impl<'a> Checker<'_, 'a> {
    fn report(&mut self, kind: FindingKind, at: u64, place: Place<'a>) {
        (self.report)(Finding { kind, at, space: OffsetBase::File, place });
    }

    /// Checks a name of the directory, whose count includes a NUL.
    fn directory_name(&mut self, name: Name<'a>, field: &'static str, at: u64, place: Place<'a>) {
        let counted = name.counted();
        if !counted.is_empty() && !counted.contains(&0) {
            self.report(FindingKind::NameUnterminated { field }, at, place);
        }
        if !name.tail().is_empty() {
            self.report(FindingKind::NameTail { field }, at, place);
        }
        self.ascii(name, field, at, place);
    }

    /// Checks a name of a chunk or blob, whose count does not include a NUL.
    fn blob_name(&mut self, name: Name<'a>, field: &'static str, at: u64, place: Place<'a>) {
        if name.counted().contains(&0) {
            self.report(FindingKind::NameTail { field }, at, place);
        }
        self.ascii(name, field, at, place);
    }

    fn ascii(&mut self, name: Name<'a>, field: &'static str, at: u64, place: Place<'a>) {
        if !name.text().is_ascii() {
            self.report(FindingKind::NameNotAscii { field }, at, place);
        }
    }

    /// Checks a one-byte flag.
    fn flag(&mut self, field: &'static str, value: u8, at: u64, place: Place<'a>) {
        if value > 1 {
            self.report(FindingKind::FlagValue { field, value }, at, place);
        }
    }

    /// Reports a gap or an overlap between the list of textures and the data before it.
    fn list(&mut self, before: u64, list: u64, place: Place<'a>) {
        if list > before {
            self.report(FindingKind::ListGap { len: list.saturating_sub(before) }, before, place);
        } else if list < before {
            self.report(FindingKind::ListOverlap { len: before.saturating_sub(list) }, list, place);
        }
    }

    /// Reports bytes of a chunk or blob after its last element.
    fn trailing(&mut self, end: u64, of_all: u64, place: Place<'a>) {
        if end < of_all {
            self.report(FindingKind::TrailingBytes { len: of_all.saturating_sub(end) }, end, place);
        }
    }

    /// Reports values that are NaN or infinite.
    fn finite(&mut self, field: &'static str, bad: usize, at: u64, place: Place<'a>) {
        if bad > 0 {
            self.report(FindingKind::NotFinite { field, count: bad }, at, place);
        }
    }
}

/// Returns how many of the values are not finite.
fn not_finite(vectors: &[Vec3]) -> usize {
    vectors
        .iter()
        .map(|vector| vector.get().iter().filter(|number| !number.is_finite()).count())
        .fold(0, usize::saturating_add)
}

worldview_core::assert_send_sync!(Finding<'_>);
