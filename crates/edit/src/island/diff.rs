use std::collections::HashMap;

use worldview_core::Path;
use worldview_island::Database;
use zerocopy::IntoBytes as _;

use super::alone::{Alone, canonical};
use super::field::Kind;
use super::files::{Files, Reference};
use super::pairs::{self, Pairs, Step};
use super::select::Index;
use super::step;
use super::view::View;
use crate::{Change, Changes, EditError, Position, Result, Value};

/// Returns the changes that make one database say what another says.
///
/// Worlds are compared by number. References, parts, textures, objects, nodes, actors and keys are compared by name or time, and of several
/// with one name the first with the first; levels, meshes and images by number. Blobs are compared if a reference to one has become a
/// reference to the other. Offsets, gaps, and bytes that nothing refers to mean nothing.
///
/// A level whose pools have other sizes, a mesh with other corners, and an object whose children have another order, are replaced as a
/// whole.
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
    for (number, other) in &blobs.partners {
        let mark = walk.path.mark();
        match blobs.paths.get(number) {
            // A path with a name still holds if blobs are numbered otherwise.
            Some((path, 1)) => {
                walk.path.append(path);
                walk.path.push_name(b"blob");
            }
            _ => walk.path.push_nth(b"blob", u32::try_from(*number).unwrap_or(u32::MAX)),
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

/// Returns the changes that make one element another one, with paths relative to it.
pub(crate) fn diff_alone(kind: Alone, left: &[u8], right: &[u8]) -> Result<Changes> {
    let differs = || EditError::malformed(None, format!("expected the bytes of {}", kind.describe()));
    let mut walk = Walk { bytes: [left, right], changes: Vec::new(), path: Path::new(), budget: usize::MAX };
    let done = kind.parse(left, |ours| kind.parse(right, |theirs| walk.element([ours, theirs])));
    done.flatten().unwrap_or_else(|| Err(differs()))?;
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

fn keys(items: &[View<'_, '_>]) -> Vec<Vec<u8>> {
    items.iter().map(|item| item.key().unwrap_or_default()).collect()
}

/// Which blobs of two files belong together.
struct Blobs {
    /// The blob of the right file by that of the left.
    partners: std::collections::BTreeMap<usize, usize>,
    /// The blob of the left file by that of the right.
    origins: HashMap<usize, usize>,
    /// The first reference to each blob of the left file, and the number of its references.
    paths: HashMap<usize, (Path, usize)>,
}

impl Blobs {
    fn of(files: &[Files<'_>; 2], worlds: &[Vec<View<'_, '_>>; 2]) -> Self {
        let mut votes: HashMap<(usize, usize), usize> = HashMap::new();
        let mut paths: HashMap<usize, (Path, usize)> = HashMap::new();
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
        Self { partners, origins, paths }
    }
}

struct Walk<'a> {
    bytes: [&'a [u8]; 2],
    changes: Vec<Change>,
    path: Path,
    /// How many bytes changes may still hold.
    budget: usize,
}

#[derive(Clone, Copy)]
enum Side {
    Left,
    Right,
}

/// The fields and the bytes that describe an element.
type Described = (Vec<(String, Value)>, Option<Value>);

/// Whether changes inside an element express its differences.
type Expressed = Result<bool>;

impl<'a> Walk<'a> {
    const fn side(&self, side: Side) -> &'a [u8] {
        let [left, right] = self.bytes;
        match side {
            Side::Left => left,
            Side::Right => right,
        }
    }

    fn push(&mut self, change: Change) {
        self.budget = self.budget.saturating_sub(64);
        self.changes.push(change);
    }

    fn spend(&mut self, bytes: Vec<u8>) -> Result<Value> {
        let left = self.budget.checked_sub(bytes.len().saturating_add(1));
        let why = "the changes would be far longer than the files";
        self.budget = left.ok_or_else(|| EditError::unsupported(&self.path, why))?;
        Ok(Value::Bytes(bytes))
    }

    fn set(&mut self, name: &str, from: Value, to: Value) {
        let mark = self.path.mark();
        self.path.push_name(name.as_bytes());
        self.push(Change::Set { path: self.path.clone(), from: Some(from), to });
        self.path.truncate(mark);
    }

    /// Compares elements; replaces the left one if nothing smaller expresses the difference.
    fn element(&mut self, views: [&View<'_, '_>; 2]) -> Result<()> {
        let mark = self.changes.len();
        if self.inside(views)? {
            return Ok(());
        }
        self.changes.truncate(mark);
        self.replace(views)
    }

    fn replace(&mut self, [a, b]: [&View<'_, '_>; 2]) -> Result<()> {
        if Alone::of(a).is_none() {
            let why = "these elements differ in what changes cannot express";
            return Err(EditError::unsupported(&self.path, why));
        }
        let from = self.spend(canonical(a, self.bytes[0]))?;
        let to = self.spend(canonical(b, self.bytes[1]))?;
        self.push(Change::Set { path: self.path.clone(), from: Some(from), to });
        Ok(())
    }

    /// Compares fields and lists.
    fn inside(&mut self, views: [&View<'_, '_>; 2]) -> Expressed {
        if !self.fields(views)? || !self.arrays(views) {
            return Ok(false);
        }
        let [a, b] = views;
        let lists = [a.lists(self.bytes[0]), b.lists(self.bytes[1])];
        if lists[0].iter().map(|list| list.kind).ne(lists[1].iter().map(|list| list.kind)) {
            return Ok(false);
        }
        for list in &lists[0] {
            let is_expressed = match list.kind {
                "node" | "roi" => self.tree(views, list.kind)?,
                kind => self.list(views, kind, list.count.is_some())?,
            };
            if !is_expressed {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn fields(&mut self, [a, b]: [&View<'_, '_>; 2]) -> Expressed {
        let [ours, theirs] = [a.fields(self.bytes[0]), b.fields(self.bytes[1])];
        if ours.len() != theirs.len() {
            return Ok(false);
        }
        for (ours, theirs) in ours.iter().zip(&theirs) {
            let [old, new] = [self.bytes[0].get(ours.range.clone()), self.bytes[1].get(theirs.range.clone())];
            let (Some(old), Some(new), true) = (old, new, ours.name == theirs.name) else { return Ok(false) };
            let [from, mut to] = [ours.value(self.bytes[0]), theirs.value(self.bytes[1])];
            let is_part = matches!(ours.kind, Kind::Bits(_));
            if old == new
                || (is_part && from == to)
                || (ours.kind == Kind::Run && self.pixels([a, b], old, new))
                || (ours.kind == Kind::Palette && self.colors(old, new))
            {
                continue;
            }
            if step::keeps_layout(a, ours.name, old, new, &self.path).is_err() {
                return Ok(false);
            }
            // What is behind the text of a name would stay.
            if let Kind::Name { .. } = ours.kind
                && ours.encode(old, &to, &self.path).is_ok_and(|encoded| encoded != new)
            {
                to = Value::Bytes(new.get(4..).unwrap_or(&[]).to_vec());
            }
            self.set(ours.name, from, to);
        }
        Ok(true)
    }

    /// Compares pixels one by one if few of them differ.
    fn pixels(&mut self, views: [&View<'_, '_>; 2], old: &[u8], new: &[u8]) -> bool {
        let [View::Image(a), View::Image(b)] = views else { return false };
        let differing = || old.iter().zip(new).enumerate().filter(|(_, (old, new))| old != new);
        if a.width != b.width || old.len() != new.len() || differing().count().saturating_mul(16) > old.len() {
            return false;
        }
        for (at, (old, new)) in differing() {
            let width = usize::try_from(a.width).unwrap_or(usize::MAX);
            let (x, y) = (at.checked_rem(width).unwrap_or(0), at.checked_div(width).unwrap_or(0));
            let mark = self.path.mark();
            self.path.push("pixel", format!("{x},{y}").as_bytes(), None);
            self.push(Change::Set { path: self.path.clone(), from: Some((*old).into()), to: (*new).into() });
            self.path.truncate(mark);
        }
        true
    }

    /// Compares colors one by one if there are as many.
    fn colors(&mut self, old: &[u8], new: &[u8]) -> bool {
        let colors = [old, new].map(|bytes| bytes.get(4..).unwrap_or(&[]).chunks_exact(3));
        let [old, new] = colors;
        if old.len() != new.len() {
            return false;
        }
        for (number, (old, new)) in (0_u32..).zip(old.zip(new)).filter(|(_, (old, new))| old != new) {
            let mark = self.path.mark();
            self.path.push_nth(b"color", number);
            let (from, to) = (Some(super::field::color_text(old)), super::field::color_text(new));
            self.push(Change::Set { path: self.path.clone(), from, to });
            self.path.truncate(mark);
        }
        true
    }

    /// Compares what is neither a field nor a list: pools and corners.
    fn arrays(&mut self, views: [&View<'_, '_>; 2]) -> bool {
        match views {
            [View::Lod(a), View::Lod(b)] => {
                let pools = [
                    ("position", [a.positions.as_bytes(), b.positions.as_bytes()], 12),
                    ("normal", [a.normals.as_bytes(), b.normals.as_bytes()], 12),
                    ("uv", [a.uvs.as_bytes(), b.uvs.as_bytes()], 8),
                ];
                let same_size = pools.iter().all(|(_, [a, b], _)| a.len() == b.len());
                if !same_size || a.counts.is_some() != b.counts.is_some() {
                    return false;
                }
                for (kind, [old, new], size) in pools {
                    for (number, (old, new)) in (0_u32..).zip(old.chunks_exact(size).zip(new.chunks_exact(size))) {
                        if old != new {
                            let mark = self.path.mark();
                            self.path.push_nth(kind.as_bytes(), number);
                            let (from, to) = (Some(super::field::floats(old)), super::field::floats(new));
                            self.push(Change::Set { path: self.path.clone(), from, to });
                            self.path.truncate(mark);
                        }
                    }
                }
                true
            }
            [View::Mesh(a), View::Mesh(b)] => {
                a.vertices == b.vertices
                    && a.corners.as_bytes() == b.corners.as_bytes()
                    && a.uv_indices.as_bytes() == b.uv_indices.as_bytes()
                    && (a.uv_index_count == 0) == (b.uv_index_count == 0)
            }
            _ => true,
        }
    }

    /// Compares lists without a hierarchy.
    fn list(&mut self, views: [&View<'_, '_>; 2], kind: &'static str, can_grow: bool) -> Expressed {
        let [a, b] = [views[0].items(self.bytes[0], kind), views[1].items(self.bytes[1], kind)];
        let pairs = match a.first().or(b.first()).map(View::key) {
            None => return Ok(true),
            Some(Some(_)) => pairs::pairs(&keys(&a), &keys(&b)),
            Some(None) => {
                let bytes = |side: Side, items: &[View<'_, '_>], at: usize| {
                    items.get(at).map(|item| canonical(item, self.side(side)))
                };
                pairs::numbered(a.len(), b.len(), |left, right| {
                    bytes(Side::Left, &a, left) == bytes(Side::Right, &b, right)
                })
            }
        };
        if !can_grow && (a.len() != b.len() || pairs.moves()) {
            return Ok(false);
        }
        let index = Index::of(&a);
        let mut places = Places::new(kind, &a, &index, &self.path, pairs.first_kept());
        for &at in &pairs.removed {
            let Some(item) = a.get(at) else { continue };
            let (fields, data) = self.described(item, Side::Left)?;
            self.push(Change::Remove { path: places.path(at), fields, data, was: places.position(at.checked_sub(1)) });
        }
        let mark = self.path.mark();
        for step in &pairs.steps {
            let (left, right) = match *step {
                Step::Keep { left, right } | Step::Move { left, right, .. } => (left, right),
                Step::Add { right, behind } => {
                    let Some(item) = b.get(right) else { continue };
                    let (fields, data) = self.described(item, Side::Right)?;
                    let (path, position) = (places.new_path(item), places.position(behind));
                    self.push(Change::Add { path, like: None, position, fields, data });
                    continue;
                }
            };
            let (Some(ours), Some(theirs)) = (a.get(left), b.get(right)) else { continue };
            index.name(kind, ours, left, &mut self.path);
            if let Step::Move { behind, .. } = *step {
                let was = places.position(left.checked_sub(1));
                self.push(Change::Move { path: self.path.clone(), position: places.position(behind), was });
                if !self.inside([ours, theirs])? {
                    self.path.truncate(mark);
                    return Ok(false);
                }
            } else {
                self.element([ours, theirs])?;
            }
            self.path.truncate(mark);
        }
        Ok(true)
    }

    /// Compares trees, without recursion: they can be as deep as a file is long.
    fn tree(&mut self, views: [&View<'_, '_>; 2], kind: &'static str) -> Expressed {
        let [a, b] = [views[0].items(self.bytes[0], kind), views[1].items(self.bytes[1], kind)];
        let [ours, theirs] = [children(&a), children(&b)];
        let below = |lists: &[Vec<usize>], at: usize| lists.get(at).cloned().unwrap_or_default();
        let index = Index::of(&a);
        let mut places = Places::new(kind, &a, &index, &self.path, None);
        let mark = self.path.mark();
        let mut open = vec![(0, 0)];
        while let Some((left, right)) = open.pop() {
            let (Some(our), Some(their)) = (a.get(left), b.get(right)) else { continue };
            let (our_children, their_children) = (below(&ours, left), below(&theirs, right));
            let names = |items: &[View<'_, '_>], list: &[usize]| {
                list.iter().filter_map(|at| Some(items.get(*at)?.key().unwrap_or_default())).collect::<Vec<_>>()
            };
            let pairs = pairs::pairs(&names(&a, &our_children), &names(&b, &their_children));
            index.name(kind, our, left, &mut self.path);
            let count = self.changes.len();
            if pairs.moves() || !self.inside([our, their])? {
                self.changes.truncate(count);
                self.replace([our, their])?;
                self.path.truncate(mark);
                continue;
            }
            self.path.truncate(mark);
            let at = |list: &[usize], nth: usize| list.get(nth).copied().unwrap_or(usize::MAX);
            places.first = pairs.first_kept().map(|nth| at(&our_children, nth));
            for &nth in &pairs.removed {
                let Some(item) = a.get(at(&our_children, nth)) else { continue };
                let (fields, data) = self.described(item, Side::Left)?;
                let was = places.position(nth.checked_sub(1).map(|nth| at(&our_children, nth)));
                self.push(Change::Remove { path: places.path(at(&our_children, nth)), fields, data, was });
            }
            for step in &pairs.steps {
                if let Step::Add { right, behind } = *step
                    && let Some(item) = b.get(at(&their_children, right))
                {
                    let (mut fields, data) = self.described(item, Side::Right)?;
                    let position = places.position(behind.map(|nth| at(&our_children, nth)));
                    if position == Position::Natural {
                        fields.push(("parent".to_owned(), places.path(left).as_str().into()));
                    }
                    self.push(Change::Add { path: places.new_path(item), like: None, position, fields, data });
                }
            }
            open.extend(pairs.both().map(|(left, right)| (at(&our_children, left), at(&their_children, right))));
        }
        Ok(true)
    }

    /// Returns what an element consists of: the fields of a key, the bytes of others.
    fn described(&mut self, item: &View<'_, '_>, side: Side) -> Result<Described> {
        if let View::Vector(_) | View::Rotation(_) | View::Morph(_) = item {
            return Ok((self.values(item, side), None));
        }
        Ok((Vec::new(), Some(self.spend(canonical(item, self.side(side)))?)))
    }

    fn values(&self, item: &View<'_, '_>, side: Side) -> Vec<(String, Value)> {
        let fields = item.fields(self.side(side)).into_iter();
        fields.map(|field| (field.name.to_owned(), field.value(self.side(side)))).collect()
    }

    /// Compares worlds: their names and references.
    fn world(&mut self, worlds: [&View<'_, '_>; 2], files: &[Files<'_>; 2], blobs: &Blobs) -> Result<()> {
        self.fields(worlds)?;
        for kind in ["part", "model"] {
            let ([a, b], pairs) = references(files, worlds, kind);
            let index = Index::of(&a);
            let mut places = Places::new(kind, &a, &index, &self.path, pairs.first_kept());
            for &at in &pairs.removed {
                let Some((item, reference)) = a.get(at).and_then(|item| Some((item, Reference::of(item)?))) else {
                    continue;
                };
                let mut fields = self.values(item, Side::Left);
                fields.push(("blob".to_owned(), self.origin(files, blobs, reference, &places.path(at))?));
                let was = places.position(at.checked_sub(1));
                self.push(Change::Remove { path: places.path(at), fields, data: None, was });
            }
            let mark = self.path.mark();
            for step in &pairs.steps {
                let (left, right) = match *step {
                    Step::Keep { left, right } | Step::Move { left, right, .. } => (left, right),
                    Step::Add { right, behind } => {
                        let Some(item) = b.get(right) else { continue };
                        let mut fields = self.values(item, Side::Right);
                        let blob = Reference::of(item).and_then(Reference::blob).unwrap_or(usize::MAX);
                        let value = match blobs.origins.get(&blob).and_then(|origin| blobs.paths.get(origin)) {
                            Some((path, _)) => path.as_str().into(),
                            None => self.spend(files[1].blob_bytes(blob).to_vec())?,
                        };
                        fields.push(("blob".to_owned(), value));
                        let (path, position) = (places.new_path(item), places.position(behind));
                        self.push(Change::Add { path, like: None, position, fields, data: None });
                        continue;
                    }
                };
                let (Some(ours), Some(theirs)) = (a.get(left), b.get(right)) else { continue };
                index.name(kind, ours, left, &mut self.path);
                if let Step::Move { behind, .. } = *step {
                    let was = places.position(left.checked_sub(1));
                    self.push(Change::Move { path: self.path.clone(), position: places.position(behind), was });
                }
                self.fields([ours, theirs])?;
                if let Some((ours, theirs)) = Reference::of(ours).zip(Reference::of(theirs)) {
                    self.reference(files, blobs, [ours, theirs])?;
                }
                self.path.truncate(mark);
            }
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
        if let Some((path, _)) = blobs.origins.get(&b).and_then(|origin| blobs.paths.get(origin)) {
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
        match blobs.paths.get(&blob).filter(|(path, _)| path != here) {
            Some((path, _)) => Ok(path.as_str().into()),
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

/// Returns the children of each element of a tree.
fn children(items: &[View<'_, '_>]) -> Vec<Vec<usize>> {
    let mut children = vec![Vec::new(); items.len()];
    for (at, item) in items.iter().enumerate() {
        let list = item.parent().and_then(|parent| children.get_mut(parent));
        list.into_iter().for_each(|list: &mut Vec<usize>| list.push(at));
    }
    children
}

/// The paths of a list's elements.
struct Places<'p, 'd, 'a> {
    kind: &'static str,
    items: &'p [View<'d, 'a>],
    index: &'p Index,
    parent: Path,
    /// The first element that stays in its place.
    first: Option<usize>,
    /// How many elements were added, by key.
    added: HashMap<Option<Vec<u8>>, usize>,
}

impl<'p, 'd, 'a> Places<'p, 'd, 'a> {
    fn new(
        kind: &'static str,
        items: &'p [View<'d, 'a>],
        index: &'p Index,
        parent: &Path,
        first: Option<usize>,
    ) -> Self {
        Self { kind, items, index, parent: parent.clone(), first, added: HashMap::new() }
    }

    fn path(&self, at: usize) -> Path {
        let mut path = self.parent.clone();
        if let Some(item) = self.items.get(at) {
            self.index.name(self.kind, item, at, &mut path);
        }
        path
    }

    /// Returns the place behind an element that stays, or at the start.
    fn position(&self, behind: Option<usize>) -> Position {
        match (behind, self.first) {
            (Some(at), _) => Position::After(self.path(at)),
            (None, Some(first)) => Position::Before(self.path(first)),
            (None, None) => Position::Natural,
        }
    }

    /// Returns a path for a new element.
    fn new_path(&mut self, item: &View<'_, '_>) -> Path {
        let key = item.key();
        let old = key.as_ref().map_or(self.items.len(), |key| self.index.count(key));
        let added = self.added.entry(key.clone()).or_default();
        let nth = u32::try_from(old.saturating_add(*added)).unwrap_or(u32::MAX);
        *added = added.saturating_add(1);
        let mut path = self.parent.clone();
        match key {
            Some(key) => path.push(self.kind, &key, (nth > 0).then_some(nth)),
            None => path.push_nth(self.kind.as_bytes(), nth),
        }
        path
    }
}
