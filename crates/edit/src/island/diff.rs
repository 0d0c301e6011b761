use std::collections::HashMap;

use worldview_core::Path;
use worldview_island::Database;

use super::files::{Files, Reference};
use super::pairs::{self, Pairs};
use super::places::keys;
use super::select::Index;
use super::view::View;
use super::walk::{Side, Walk};
use crate::{Changes, EditError, Result, Value};

/// Returns the changes that make one database say what another says.
///
/// Worlds are compared by number. References, parts, textures, objects, nodes, actors and keys are compared by name or time, and of several
/// with one name the first with the first; levels, meshes and images by number. Blobs are compared if a reference to one has become a
/// reference to the other. Offsets, gaps, and bytes that nothing refers to mean nothing.
///
/// A level whose pools have other sizes, a mesh with other corners, an object whose children have another order, and what gets levels or
/// meshes before others, are replaced as a whole.
///
/// # Errors
///
/// Returns an error if a file is not a database or has broken blobs, or if the databases have different numbers of worlds.
pub fn diff(left: &[u8], right: &[u8]) -> Result<Changes> {
    for file in [left, right] {
        let database = Database::parse(file)?;
        database.affordable_blobs().try_for_each(|blob| blob.map(drop))?;
    }
    let files = [Files::open(left)?, Files::open(right)?];
    let [a, b] = &files;
    let budget = left.len().saturating_add(right.len()).saturating_mul(4).saturating_add(1 << 20);
    let mut walk = Walk { bytes: [left, right], changes: Vec::new(), path: Path::new(), budget };
    let worlds = [a.worlds(), b.worlds()];
    let [ours, theirs] = &worlds;
    if ours.len() != theirs.len() {
        return Err(EditError::unsupported(&walk.path, "the files have different numbers of worlds"));
    }
    let blobs = Blobs::of(&files, &worlds);
    let names = Index::of(ours);
    for (number, views) in ours.iter().zip(theirs).enumerate() {
        let mark = walk.path.mark();
        names.name("world", views.0, number, &mut walk.path);
        walk.world([views.0, views.1], &files, &blobs)?;
        walk.path.truncate(mark);
    }
    let all: Vec<_> = a.blob_keys().collect();
    let keys = Index::of_keys(all.iter().cloned());
    for (number, other) in &blobs.partners {
        let mark = walk.path.mark();
        match blobs.paths.get(number) {
            // A path with a name still holds if blobs are numbered otherwise.
            Some((path, 1)) => {
                walk.path.append(path);
                walk.path.push_name(b"blob");
            }
            _ => keys.name_key("blob", all.get(*number).cloned().flatten(), *number, &mut walk.path),
        }
        walk.blobs(&files, *number, *other)?;
        walk.path.truncate(mark);
    }
    let chunks = [("global_textures", [a.textures()?, b.textures()?]), ("global_parts", [a.parts()?, b.parts()?])];
    for (name, [a, b]) in &chunks {
        let mark = walk.path.mark();
        walk.path.push_name(name.as_bytes());
        walk.element([a, b])?;
        walk.path.truncate(mark);
    }
    Ok(walk.changes.into_iter().collect())
}

/// The references of a pair of worlds, and which of them belong together.
fn references<'d, 'a>(
    files: &[Files<'_>; 2],
    worlds: [&View<'d, 'a>; 2],
    kind: &'static str,
) -> ([Vec<View<'d, 'a>>; 2], Pairs) {
    let [a, b] = [worlds[0].items(files[0].bytes, kind), worlds[1].items(files[1].bytes, kind)];
    let pairs = pairs::pairs(&keys(&a), &keys(&b));
    ([a, b], pairs)
}

/// Which blobs of two files belong together.
struct Blobs {
    /// The blob of the right file by that of the left.
    partners: std::collections::BTreeMap<usize, usize>,
    /// The blob of the left file by that of the right.
    origins: HashMap<usize, usize>,
    /// The first reference to each blob of the left file, and the number of its references.
    paths: HashMap<usize, (Path, usize)>,
    /// The first reference that both files have to each blob of the left file and its partner.
    still: HashMap<usize, Path>,
}

impl Blobs {
    fn of(files: &[Files<'_>; 2], worlds: &[Vec<View<'_, '_>>; 2]) -> Self {
        let mut votes: HashMap<(usize, usize), usize> = HashMap::new();
        let mut paths: HashMap<usize, (Path, usize)> = HashMap::new();
        let mut places: HashMap<(usize, usize), Path> = HashMap::new();
        let names = Index::of(&worlds[0]);
        for (number, (ours, theirs)) in worlds[0].iter().zip(&worlds[1]).enumerate() {
            for kind in ["part", "model"] {
                let ([a, b], pairs) = references(files, [ours, theirs], kind);
                let index = Index::of(&a);
                for (at, view) in a.iter().enumerate() {
                    let Some(blob) = Reference::of(view).and_then(Reference::blob) else { continue };
                    let (_, count) = paths.entry(blob).or_insert_with(|| {
                        let mut path = Path::new();
                        names.name("world", ours, number, &mut path);
                        index.name(kind, view, at, &mut path);
                        (path, 0)
                    });
                    *count = count.saturating_add(1);
                }
                for (left, right) in pairs.both() {
                    let blob = |items: &[View<'_, '_>], at: usize| Reference::of(items.get(at)?)?.blob();
                    if let Some(pair) = blob(&a, left).zip(blob(&b, right)) {
                        if let (Some(view), std::collections::hash_map::Entry::Vacant(place)) =
                            (a.get(left), places.entry(pair))
                        {
                            let mut path = Path::new();
                            names.name("world", ours, number, &mut path);
                            index.name(kind, view, left, &mut path);
                            place.insert(path);
                        }
                        let count = votes.entry(pair).or_default();
                        *count = count.saturating_add(1);
                    }
                }
            }
        }
        let mut votes: Vec<_> = votes.into_iter().collect();
        // If a blob is still there as it was, no other one has become it.
        let is_same = |a: usize, b: usize| files[0].blob_bytes(a) == files[1].blob_bytes(b);
        votes.sort_by_cached_key(|&((a, b), count)| (std::cmp::Reverse((is_same(a, b), count)), a, b));
        let (mut partners, mut origins) = (std::collections::BTreeMap::new(), HashMap::new());
        for ((a, b), _) in votes {
            if let std::collections::btree_map::Entry::Vacant(partner) = partners.entry(a) {
                partner.insert(b);
                origins.entry(b).or_insert(a);
            }
        }
        let still = partners.iter().filter_map(|(a, b)| Some((*a, places.remove(&(*a, *b))?))).collect();
        Self { partners, origins, paths, still }
    }
}

impl Walk<'_> {
    /// Compares worlds: their names and references.
    fn world(&mut self, worlds: [&View<'_, '_>; 2], files: &[Files<'_>; 2], blobs: &Blobs) -> Result<()> {
        self.fields(worlds)?;
        for kind in ["part", "model"] {
            let ([a, b], pairs) = references(files, worlds, kind);
            let described = |walk: &mut Self, item: &View<'_, '_>, side: Side, here: &Path| {
                let mut fields = walk.values(item, side);
                if let Some(reference) = Reference::of(item) {
                    let blob = match side {
                        Side::Left => walk.origin(files, blobs, reference, here)?,
                        Side::Right => {
                            let blob = reference.blob().unwrap_or(usize::MAX);
                            match blobs.origins.get(&blob).and_then(|origin| blobs.still.get(origin)) {
                                Some(path) => path.as_str().into(),
                                None => walk.spend(files[1].blob_bytes(blob).to_vec())?,
                            }
                        }
                    };
                    fields.push(("blob".to_owned(), blob));
                }
                Ok((fields, None))
            };
            self.steps(kind, [&a, &b], &pairs, &described, &mut |walk, [ours, theirs], _| {
                walk.fields([ours, theirs])?;
                if let Some((ours, theirs)) = Reference::of(ours).zip(Reference::of(theirs)) {
                    walk.reference(files, blobs, [ours, theirs])?;
                }
                Ok(true)
            })?;
        }
        Ok(())
    }

    /// Compares the blobs of references, unless they belong together.
    fn reference(
        &mut self,
        files: &[Files<'_>; 2],
        blobs: &Blobs,
        [ours, theirs]: [Reference<'_, '_>; 2],
    ) -> Result<()> {
        let (Some(a), Some(b)) = (ours.blob(), theirs.blob()) else { return Ok(()) };
        if blobs.partners.get(&a) == Some(&b) {
            return Ok(());
        }
        let here = self.path.clone();
        let mark = self.path.mark();
        if let Some(path) = blobs.origins.get(&b).and_then(|origin| blobs.still.get(origin)) {
            let from = self.origin(files, blobs, ours, &here)?;
            self.set("blob", from, path.as_str().into());
            return Ok(());
        }
        self.path.push_name(b"blob");
        let count = self.changes.len();
        self.blobs(files, a, b)?;
        self.path.truncate(mark);
        if self.changes.len() == count && blobs.partners.contains_key(&a) {
            // It says what it said, but the blob that it shares now does not.
            let from = self.origin(files, blobs, ours, &here)?;
            let to = self.spend(files[1].blob_bytes(b).to_vec())?;
            self.set("blob", from, to);
        }
        Ok(())
    }

    /// Returns the blob of a reference of the left file: the path of another reference to it, or its bytes.
    fn origin(&mut self, files: &[Files<'_>; 2], blobs: &Blobs, of: Reference<'_, '_>, here: &Path) -> Result<Value> {
        let blob = of.blob().unwrap_or(usize::MAX);
        match blobs.still.get(&blob).filter(|path| *path != here) {
            Some(path) => Ok(path.as_str().into()),
            None => self.spend(files[0].blob_bytes(blob).to_vec()),
        }
    }

    /// Compares the contents of blobs.
    fn blobs(&mut self, files: &[Files<'_>; 2], a: usize, b: usize) -> Result<()> {
        if files[0].blob_bytes(a) == files[1].blob_bytes(b) {
            return Ok(());
        }
        // Many references may be compared to the same blobs.
        self.budget = self.budget.saturating_sub(files[1].blob_bytes(b).len());
        self.spend(Vec::new())?;
        let [ours, theirs] = [files[0].blob(a, &self.path)?, files[1].blob(b, &self.path)?];
        if files[0].is_broken(a) || files[1].is_broken(b) {
            let why = "one of the blobs can be read only in part";
            return Err(EditError::unsupported(&self.path, why));
        }
        self.element([&ours, &theirs])
    }
}
