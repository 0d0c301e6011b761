use std::collections::{BTreeMap, HashMap, HashSet};

use worldview_core::describe::{
    Array, Describe, Field, FieldName, FieldValue, Flow, Link, List, Part, PartList, Role, Visit,
};
use worldview_core::{Error, OffsetBase, Path, Source};
use worldview_inspect::{Root, Select};
use worldview_island::{Contents, Database, DatabaseDescription, Element};

use super::file::{File, Reference};
use super::rules::has_same_layout;
use super::shape::{Offsets, Shape, range_of};
use super::tree::partners;
use crate::diff::{Consists, Rules};
use crate::{Change, Changes, EditError, Result, Value, fields};

/// Returns the changes that make one database say what another says.
///
/// Worlds are compared by number. References, parts, textures, objects, nodes, actors and keys are compared by name or time, and of several
/// with one name the first with the first; levels, meshes and images by number. Blobs are compared if a reference to one has become a
/// reference to the other. Offsets, gaps, and bytes that nothing refers to mean nothing.
///
/// A level whose pools have other sizes, a mesh with other corners, and an object whose children have another order are replaced as a
/// whole.
///
/// # Errors
///
/// Returns an error if a file is not a database or has broken blobs, or if the databases have different numbers of worlds.
pub fn diff(left: &[u8], right: &[u8]) -> Result<Changes> {
    let databases = [Database::parse(left)?, Database::parse(right)?];
    for database in &databases {
        database.affordable_blobs().try_for_each(|blob| blob.map(drop))?;
    }
    let [a, b] = &databases;
    if a.worlds().len() != b.worlds().len() {
        return Err(EditError::unsupported(&Path::new(), "the files have different numbers of worlds"));
    }
    let contents = [Contents::read(a), Contents::read(b)];
    let described = [DatabaseDescription::new(a, &contents[0]), DatabaseDescription::new(b, &contents[1])];
    let files = [File::new(left, a, &described[0], false), File::new(right, b, &described[1], false)];
    let blobs = Blobs::of(&files);
    let budget = left.len().saturating_add(right.len()).saturating_mul(4).saturating_add(1 << 20);
    let mut walk = Walk { bytes: [left, right], files: Some((&files, &blobs)), budget };
    let [one, other] = [&described[0], &described[1]].map(|body| body as &dyn Describe);
    let (one, other) = (Root::new("wdb", a.source(), one), Root::new("wdb", b.source(), other));
    let mut changes = crate::diff::diff(&one, &other, &Content, &mut walk)?;
    for (number, path) in (0..).zip(files[0].blob_paths()) {
        let Some(partner) = blobs.partners.get(&number).filter(|_| !blobs.split.contains(&number)) else { continue };
        // A path with a name still holds if blobs are numbered otherwise.
        let mut only = files[0].references.iter().filter(|reference| reference.blob == Some(number));
        let path = match (only.next(), only.next()) {
            (Some(reference), None) => blob_of(reference),
            _ => path,
        };
        changes.extend(walk.blobs(&files, [number, *partner], &path)?);
    }
    Ok(changes)
}

/// Returns the changes that make one element another one, with paths relative to it.
pub(crate) fn diff_alone(element: Element, left: &[u8], right: &[u8]) -> Result<Changes> {
    let mut walk = Walk { bytes: [left, right], files: None, budget: usize::MAX };
    let mut result = Err(EditError::malformed(None, format!("expected the bytes of {element}")));
    let kind = if element == Element::Lod { "lod" } else { "element" };
    let list = List::indexed(kind, kind);
    let shape = Shape::Element(element);
    shape.visit(left, &mut |one| {
        shape.visit(right, &mut |other| {
            let mut changes = Changes::new();
            if one.index == 0 && other.index == 0 {
                result = walk.pair(&list, &Path::new(), [one, other], false, &mut changes).and_then(|is_said| {
                    if !is_said {
                        changes.extend(walk.inside([one, other])?);
                    }
                    Ok(changes)
                });
            }
        });
    });
    result
}

/// What is not said by other means.
struct Content;

impl Select for Content {
    fn list(&self, list: &List) -> bool {
        !matches!(list.kind, "node" | "roi")
    }

    fn array(&self, array: &Array<'_>) -> bool {
        array.role == Role::Data
    }
}

/// The left one of a pair (0), or the right one.
fn of<T>([left, right]: [T; 2], side: usize) -> T {
    if side == 0 { left } else { right }
}

/// The path of the blob of a reference.
fn blob_of(reference: &Reference) -> Path {
    let mut path = reference.path.clone();
    path.push_name(b"blob");
    path
}

/// Which blobs of two files belong together.
pub(super) struct Blobs {
    /// The blob of the right file by that of the left.
    partners: BTreeMap<usize, usize>,
    /// The blob of the left file by that of the right.
    origins: HashMap<usize, usize>,
    /// The first reference that both files have to each blob of the left file and its partner.
    still: HashMap<usize, Path>,
    /// Blobs of the left file that are not the same for all references any more, and different from their partners. Changes of such a
    /// blob would be changes of all references, so that each reference has its own.
    split: HashSet<usize>,
}

impl Blobs {
    fn of(files: &[File<'_, '_>; 2]) -> Self {
        let mut votes: HashMap<(usize, usize), (usize, &Path)> = HashMap::new();
        for references in files[0].references.chunk_by(is_one_list) {
            let Some(first) = references.first() else { continue };
            let others: Vec<_> = files[1].references.iter().filter(|other| is_one_list(first, other)).collect();
            let (partners, _) =
                partners(references.iter().map(|one| &*one.name), others.iter().map(|other| &*other.name));
            for (one, other) in references.iter().zip(partners) {
                let other = other.and_then(|other| others.get(other)?.blob);
                if let Some(pair) = one.blob.zip(other) {
                    let (count, _) = votes.entry(pair).or_insert((0, &one.path));
                    *count = count.saturating_add(1);
                }
            }
        }
        let mut all: Vec<_> = votes.into_iter().collect();
        // If a blob is still there as it was, no other one has become it.
        let is_same = |a: usize, b: usize| files[0].blob_bytes(a) == files[1].blob_bytes(b);
        all.sort_by_cached_key(|&((a, b), (count, _))| (std::cmp::Reverse((is_same(a, b), count)), a, b));
        let mut blobs =
            Self { partners: BTreeMap::new(), origins: HashMap::new(), still: HashMap::new(), split: HashSet::new() };
        for ((a, b), (_, path)) in all {
            match blobs.partners.get(&a) {
                None => {
                    blobs.partners.insert(a, b);
                    blobs.origins.entry(b).or_insert(a);
                    blobs.still.insert(a, path.clone());
                }
                Some(partner) if !is_same(a, *partner) => {
                    blobs.split.insert(a);
                    blobs.still.remove(&a);
                }
                Some(_) => {}
            }
        }
        blobs
    }

    /// Returns the path of a reference to the blob that becomes one of the right file.
    fn path(&self, right: usize) -> Option<&Path> {
        self.still.get(self.origins.get(&right)?)
    }
}

fn is_one_list(one: &Reference, other: &Reference) -> bool {
    (one.world, one.kind) == (other.world, other.kind)
}

/// A comparison of elements, whatever they are in.
pub(super) struct Walk<'w, 'd, 'a> {
    pub(super) bytes: [&'w [u8]; 2],
    files: Option<(&'w [File<'d, 'a>; 2], &'w Blobs)>,
    /// How many bytes changes may still hold.
    budget: usize,
}

impl Walk<'_, '_, '_> {
    pub(super) fn spend(&mut self, bytes: Vec<u8>) -> Result<Value> {
        let left = self.budget.checked_sub(bytes.len().saturating_add(1));
        let why = "the changes would be far longer than the files";
        self.budget = left.ok_or_else(|| EditError::unsupported(&Path::new(), why))?;
        Ok(Value::Bytes(bytes))
    }

    /// Returns the changes inside elements, with paths relative to them.
    pub(super) fn inside(&mut self, parts: [&Part<'_>; 2]) -> Result<Changes> {
        let root = |side: usize| {
            let (part, bytes) = (of(parts, side), of(self.bytes, side));
            let root = Root::new("wdb", Source::new(bytes, OffsetBase::File), part.body);
            root.file(bytes.get(range_of(part.at)).unwrap_or_default())
        };
        let [left, right] = [root(0), root(1)];
        crate::diff::diff(&left, &right, &Content, self)
    }

    /// Returns the changes between the contents of blobs, of which the left one has this path.
    fn blobs(&mut self, files: &[File<'_, '_>; 2], [a, b]: [usize; 2], path: &Path) -> Result<Changes> {
        if files[0].blob_bytes(a) == files[1].blob_bytes(b) {
            return Ok(Changes::new());
        }
        // Many references may be compared to the same blobs.
        self.budget = self.budget.saturating_sub(files[1].blob_bytes(b).len());
        self.spend(Vec::new())?;
        files[0].blob(a, |one| {
            files[1].blob(b, |other| {
                let mut changes = self.inside([one, other])?.prefixed(path);
                for kind in ["node", "roi"] {
                    let found = crate::list::of_kind(one.body, kind, |left| {
                        crate::list::of_kind(other.body, kind, |right| self.tree([left, right], path))
                    });
                    changes.extend(found.flatten().transpose()?.unwrap_or_default());
                }
                Ok(changes)
            })
        })
    }

    /// Adds the changes of the blob of a reference, unless both blobs belong together.
    fn reference(&mut self, [ours, theirs]: [&Reference; 2], changes: &mut Changes) -> Result<()> {
        let (Some((files, blobs)), Some(a), Some(b)) = (self.files, ours.blob, theirs.blob) else { return Ok(()) };
        if blobs.partners.get(&a) == Some(&b) && !blobs.split.contains(&a) {
            return Ok(());
        }
        if let Some(path) = blobs.path(b) {
            let from = Some(self.origin(ours)?);
            changes.push(Change::Set { path: blob_of(ours), from, to: path.as_str().into() });
            return Ok(());
        }
        changes.extend(self.blobs(files, [a, b], &blob_of(ours))?);
        Ok(())
    }

    /// Returns the blob of a reference of the left file: the path of another reference to it, or its bytes.
    fn origin(&mut self, of: &Reference) -> Result<Value> {
        let (Some((files, blobs)), Some(blob)) = (self.files, of.blob) else { return Ok(Value::Bytes(Vec::new())) };
        match blobs.still.get(&blob).filter(|path| **path != of.path) {
            Some(path) => Ok(path.as_str().into()),
            None => self.spend(files[0].blob_bytes(blob).to_vec()),
        }
    }
}

impl Rules for Walk<'_, '_, '_> {
    fn pair(
        &mut self,
        list: &List,
        path: &Path,
        parts: [&Part<'_>; 2],
        _: bool,
        changes: &mut Changes,
    ) -> Result<bool> {
        let ranges = parts.map(|part| range_of(part.at));
        if let Some(references) = self.references(&ranges) {
            self.reference(references, changes)?;
            return Ok(false);
        }
        let [old, new] =
            [0, 1].map(|side| of(self.bytes, side).get(of(ranges.each_ref(), side).clone()).unwrap_or_default());
        if old == new {
            return Ok(true);
        }
        let bodies = parts.map(|part| part.body);
        let is_same = has_same_layout(list.kind, bodies)
            && match list.kind {
                "lod" | "mesh" => Pools::compare(bodies, list.kind == "lod", path, changes),
                _ => true,
            };
        if !is_same {
            let [from, to] = [0, 1]
                .map(|side| Offsets::of(of(bodies, side)).rebased(of(ranges.each_ref(), side), of(self.bytes, side)));
            let (from, to) = (self.spend(from)?, self.spend(to)?);
            changes.push(Change::Set { path: path.clone(), from: Some(from), to });
        }
        Ok(!is_same)
    }

    fn can_resize(&self, _: &Array<'_>) -> bool {
        true
    }

    /// An element that can be empty is said by its fields, others by their bytes.
    fn lone(&mut self, list: &List, _: &Path, part: &Part<'_>, side: usize) -> Result<Option<Consists>> {
        let range = range_of(part.at);
        if let Some((files, blobs)) = self.files
            && let Some(reference) = of(files.each_ref(), side).reference_at(range.start)
        {
            let mut all = fields::all_values(part.body);
            let path = reference.blob.and_then(|blob| blobs.path(blob)).filter(|_| side == 1);
            let blob = match (side, path) {
                (0, _) => self.origin(reference)?,
                (_, Some(path)) => path.as_str().into(),
                (_, None) => self.spend(files[1].blob_bytes(reference.blob.unwrap_or(usize::MAX)).to_vec())?,
            };
            all.push(("blob".to_owned(), blob));
            return Ok(Some((all, None)));
        }
        if matches!(list.kind, "translation" | "rotation" | "scale" | "morph") {
            return Ok(Some((fields::all_values(part.body), None)));
        }
        let bytes = Offsets::of(part.body).rebased(&range, of(self.bytes, side));
        Ok(Some((Vec::new(), Some(self.spend(bytes)?))))
    }
}

impl<'w> Walk<'w, '_, '_> {
    /// Returns a pair of references.
    fn references(&self, ranges: &[std::ops::Range<usize>; 2]) -> Option<[&'w Reference; 2]> {
        let (files, _) = self.files?;
        Some([files[0].reference_at(ranges[0].start)?, files[1].reference_at(ranges[1].start)?])
    }
}

/// What people are not shown: the pools of a level, and how a mesh refers to them.
#[derive(Default, PartialEq)]
struct Pools {
    /// Name, item, columns and elements of each array.
    arrays: Vec<(&'static str, &'static str, usize, Vec<u32>)>,
    numbers: Vec<u64>,
}

impl Pools {
    /// Adds the changes of the points of levels. Returns whether changes inside levels or meshes can say what differs between them.
    fn compare(bodies: [&dyn Describe; 2], is_level: bool, path: &Path, changes: &mut Changes) -> bool {
        let [left, right] = bodies.map(|body| {
            let mut found = Self::default();
            let _ = body.describe(&mut found);
            found
        });
        if !is_level {
            return left == right;
        }
        let size = |pools: &Self| pools.arrays.iter().map(|(name, .., all)| (*name, all.len())).collect::<Vec<_>>();
        if size(&left) != size(&right) || left.numbers != right.numbers {
            return false;
        }
        for ((_, item, columns, old), (.., new)) in left.arrays.iter().zip(&right.arrays) {
            let points = old.chunks(*columns).zip(new.chunks(*columns));
            for (number, (old, new)) in (0..).zip(points).filter(|(_, (old, new))| old != new) {
                let point = |bits: &[u32]| Value::from(&*bits.iter().copied().map(f32::from_bits).collect::<Vec<_>>());
                let mut path = path.clone();
                path.push_nth(item.as_bytes(), number);
                changes.push(Change::Set { path, from: Some(point(old)), to: point(new) });
            }
        }
        true
    }
}

impl Visit for Pools {
    fn field(&mut self, field: &Field<'_>) -> Flow {
        let FieldName::Static(name) = field.name else { return Flow::Continue(()) };
        match (name, field.value) {
            ("vertex_count", FieldValue::Uint(count)) if field.role == Role::Data => self.numbers.push(count),
            ("has_uv_indices", FieldValue::Bool(has_indices)) => self.numbers.push(has_indices.into()),
            // Only a level with pools has these bits.
            ("unused_bits", _) => self.numbers.push(field.at.is_some().into()),
            _ => {}
        }
        Flow::Continue(())
    }

    fn array(&mut self, array: &Array<'_>) -> Flow {
        if array.at.is_some() {
            let elements = (0..array.elements.len()).map_while(|index| array.elements.bits(index)).collect();
            self.arrays.push((array.name, array.item, array.columns.max(1), elements));
        }
        Flow::Continue(())
    }

    fn parts(&mut self, _: &dyn PartList) -> Flow {
        Flow::Continue(())
    }

    fn link(&mut self, _: &Link<'_>) -> Flow {
        Flow::Continue(())
    }

    fn broken(&mut self, _: &Error) -> Flow {
        Flow::Continue(())
    }
}
