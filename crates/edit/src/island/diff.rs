use std::collections::HashMap;

use worldview_core::describe::{Array, Describe, List, Part, PartList, Role};
use worldview_core::{OffsetBase, Path, Source};
use worldview_inspect::{Root, Select};
use worldview_island::{Contents, Database, DatabaseDescription, Element};

use super::blobs::Blobs;
use super::file::{File, Reference};
use super::pools::Pools;
use super::rules::has_same_layout;
use super::shape::{Offsets, Shape, range_of};
use super::tree::{Side, partners};
use crate::checked::{Checked as _, Number as _};
use crate::diff::{Consists, Rules};
use crate::list::with;
use crate::order::{Arrangement, Order};
use crate::pairs::{compare, complete};
use crate::{Change, Changes, EditError, Planned, Position, Result, Value, fields};

/// Returns the changes that make one database say what another says, and an account of the differences that they leave.
///
/// Worlds are compared by number. References, parts, textures, objects, nodes, actors and keys are compared by name or time, and of several
/// with one name the first with the first; levels, meshes and images by number. Blobs are compared if a reference to one has become a
/// reference to the other. Offsets, gaps, and bytes that nothing refers to mean nothing, nor does it matter which of several blobs a
/// reference has that say the same.
///
/// A level whose pools have other sizes, a mesh with other corners, and an object whose children have another order are replaced as a
/// whole.
///
/// # Errors
///
/// Returns an error if a file is not a database or has broken blobs, or if the databases have different numbers of worlds.
pub fn diff(left: &[u8], right: &[u8]) -> Result<Planned> {
    let planned = changes(left, right)?;
    let edited = super::apply(left, &planned.changes);
    Ok(complete(planned, edited, right, |edited, note| {
        let [left, right] = [Database::parse(edited)?, Database::parse(right)?];
        let contents = [Contents::read(&left), Contents::read(&right)];
        let [before, after] = [(&left, &contents[0]), (&right, &contents[1])]
            .map(|(database, contents)| DatabaseDescription::new(database, contents));
        compare(&Root::new("wdb", left.source(), &before), &Root::new("wdb", right.source(), &after), note)
    }))
}

fn changes(left: &[u8], right: &[u8]) -> Result<Planned> {
    let [a, b] = &[Database::parse(left)?, Database::parse(right)?];
    if a.worlds().len() != b.worlds().len() {
        return Err(EditError::unsupported(&Path::new(), "the files have different numbers of worlds"));
    }
    let contents = [Contents::read(a), Contents::read(b)];
    let described = [DatabaseDescription::new(a, &contents[0]), DatabaseDescription::new(b, &contents[1])];
    let files = [File::new(left, a, &described[0], false), File::new(right, b, &described[1], false)];
    let blobs = Blobs::of(&files);
    let budget = left.len().saturating_add(right.len()).saturating_mul(4).saturating_add(1 << 20);
    let mut walk = Walk { bytes: [left, right], files: Some((&files, &blobs)), budget, compared: budget };
    let [one, other] = [&described[0], &described[1]].map(|body| body as &dyn Describe);
    let (one, other) = (Root::new("wdb", a.source(), one), Root::new("wdb", b.source(), other));
    let mut planned = crate::diff::diff(&one, &other, &Content, &mut walk)?;
    for (number, path) in (0..).zip(files[0].blob_paths()) {
        let Some(partner) = blobs.partners.get(&number).filter(|_| !blobs.split.contains(&number)) else { continue };
        // A path with a name still holds if blobs are numbered otherwise.
        let mut only = files[0].references().iter().filter(|reference| reference.blob == Some(number));
        let path = match (only.next(), only.next()) {
            (Some(reference), None) => blob_of(reference),
            _ => path,
        };
        planned.append(walk.blobs(&files, [number, *partner], &path)?);
    }
    Ok(planned)
}

/// Returns the changes that make one element another one, with paths relative to it.
pub fn diff_alone(element: Element, left: &[u8], right: &[u8]) -> Result<Changes> {
    let mut walk = Walk { bytes: [left, right], files: None, budget: usize::MAX, compared: 0 };
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
                        changes.extend(walk.inside([one, other])?.changes);
                    }
                    Ok(changes)
                });
            }
        });
    });
    result
}

/// Differences that no other change covers.
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

/// A part as something to compare.
fn root<'p>(part: &'p Part<'_>, bytes: &'p [u8]) -> Root<'p> {
    Root::new("wdb", Source::new(bytes, OffsetBase::File), part.body).file(bytes_of(part, bytes))
}

/// The bytes of a part; one without a place has none.
fn bytes_of<'b>(part: &Part<'_>, bytes: &'b [u8]) -> &'b [u8] {
    bytes.get(range_of(part.at)).unwrap_or_default()
}

/// The same, with offsets that count from the start of the part.
fn alone(part: &Part<'_>, bytes: &[u8]) -> Result<Vec<u8>> {
    Offsets::of(part.body).rebased(&range_of(part.at), bytes)
}

/// The path of the blob of a reference.
fn blob_of(reference: &Reference) -> Path {
    reference.path.with(|path| path.push_name(b"blob"))
}

/// A comparison of elements, whatever they are in.
pub(super) struct Walk<'w, 'd, 'a> {
    pub(super) bytes: [&'w [u8]; 2],
    files: Option<(&'w [File<'d, 'a>; 2], &'w Blobs)>,
    /// How many bytes changes may still hold.
    budget: usize,
    /// How many bytes may still be compared only to find out whether blobs say the same.
    compared: usize,
}

impl Walk<'_, '_, '_> {
    pub(super) fn spend(&mut self, bytes: Vec<u8>) -> Result<Value> {
        let left = self.budget.checked_sub(bytes.len().saturating_add(1));
        let why = "the changes would be far longer than the files";
        self.budget = left.ok_or_else(|| EditError::unsupported(&Path::new(), why))?;
        Ok(Value::Bytes(bytes))
    }

    /// Returns the changes inside elements, with paths relative to them.
    pub(super) fn inside(&mut self, parts: [&Part<'_>; 2]) -> Result<Planned> {
        let ([left, right], [ours, theirs]) = (parts, self.bytes);
        crate::diff::diff(&root(left, ours), &root(right, theirs), &Content, self)
    }

    /// Returns the changes of a tree that is in what has this path. There is no recursion, because trees can be as deep as a file is
    /// long.
    pub(super) fn tree(&mut self, [left, right]: [&dyn PartList; 2], owner: &Path) -> Result<Changes> {
        let list = left.list();
        let (ours, theirs) = (Side::of(left, self.bytes[0], owner), Side::of(right, self.bytes[1], owner));
        let (mut changes, mut added) = (Changes::new(), HashMap::new());
        let mut open = vec![(0, 0)];
        while let Some((left, right)) = open.pop() {
            let (our_children, their_children) = (ours.children(left), theirs.children(right));
            let (partners, count) = partners(ours.keys(our_children), theirs.keys(their_children));
            let mut left_of = vec![None; count];
            for (at, partner) in partners.iter().enumerate() {
                if let Some(partner) = *partner {
                    *left_of.get_mut(partner).checked()? = Some(at);
                }
            }
            let order = Arrangement::new(left_of.iter().copied());
            let moves = order.places.iter().any(|(order, _)| matches!(order, Some(Order::Moved(_))));
            let inside = if moves { None } else { self.branch(&list, [&ours, &theirs], [left, right])? };
            let Some(inside) = inside else {
                let (from, to) = (self.spend(ours.canonical(left)?)?, self.spend(theirs.canonical(right)?)?);
                changes.push(Change::Set { path: ours.path(left), from: Some(from), to });
                continue;
            };
            changes.extend(inside.prefixed(&ours.path(left)));
            let child = |list: &[usize], nth: usize| list.get(nth).copied().checked();
            // Neighbors are children of the same element.
            let path = |nth: usize| our_children.get(nth).map(|at| ours.path(*at)).unwrap_or_default();
            let parent = || ("parent".to_owned(), ours.path(left).as_str().into());
            for (nth, _) in partners.iter().enumerate().filter(|(_, partner)| partner.is_none()) {
                let at = child(our_children, nth)?;
                let data = Some(self.spend(ours.canonical(at)?)?);
                let was = order.was(nth, path);
                changes.push(Change::Remove { path: ours.path(at), fields: vec![parent()], data, was });
            }
            for (nth, (_, position)) in order.places.iter().enumerate().filter(|(_, (order, _))| order.is_none()) {
                let at = child(their_children, nth)?;
                let data = Some(self.spend(theirs.canonical(at)?)?);
                let position = position.map_or(Position::Natural, |position| position.position(path));
                let fields = if position == Position::Natural { vec![parent()] } else { Vec::new() };
                // A name that others have needs a number.
                let key = theirs.keys.get(at).cloned().checked()?;
                let own = || ours.keys.iter().filter(|other| **other == key).count();
                let number = added.entry(key.clone()).or_insert_with(own);
                let nth = Some(u32::try_from(*number).checked()?).filter(|nth| *nth > 0);
                let path = owner.with(|path| path.push(list.kind, &key, nth));
                *number = number.plus(1)?;
                changes.push(Change::Add { path, like: None, position, fields, data });
            }
            for (nth, partner) in partners.iter().enumerate().filter_map(|(nth, partner)| Some((nth, (*partner)?))) {
                open.push((child(our_children, nth)?, child(their_children, partner)?));
            }
        }
        Ok(changes)
    }

    /// Returns the changes of an element without what is below it; `None` if it has to be replaced.
    fn branch(&mut self, list: &List, sides: [&Side<'_>; 2], [left, right]: [usize; 2]) -> Result<Option<Changes>> {
        let start = |side: &Side<'_>, at: usize| Ok::<_, EditError>(side.ranges.get(at).checked()?.start as u64);
        with(sides[0].parts, left, start(sides[0], left)?, |one| {
            with(sides[1].parts, right, start(sides[1], right)?, |other| {
                if !has_same_layout(list.kind, [one.body, other.body]) {
                    return Ok(None);
                }
                self.inside([one, other]).map(|planned| Some(planned.changes))
            })
        })
    }

    /// Returns the changes between the contents of blobs, of which the left one has this path.
    fn blobs(&mut self, files: &[File<'_, '_>; 2], [a, b]: [usize; 2], path: &Path) -> Result<Planned> {
        if files[0].blob_bytes(a) == files[1].blob_bytes(b) {
            return Ok(Planned::default());
        }
        // Many references may be compared to the same blobs.
        self.budget = self.budget.saturating_sub(files[1].blob_bytes(b).len());
        self.spend(Vec::new())?;
        files[0].blob(a, |one| {
            files[1].blob(b, |other| {
                let mut planned = self.inside([one, other])?.prefixed(path);
                for kind in ["node", "roi"] {
                    let found = crate::list::of_kind(one.body, kind, |left| {
                        crate::list::of_kind(other.body, kind, |right| self.tree([left, right], path))
                    });
                    planned.changes.extend(found.flatten().transpose()?.unwrap_or_default());
                }
                Ok(planned)
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
            if self.says_the_same([a, b]) {
                return Ok(());
            }
            let from = Some(self.origin(ours)?);
            changes.push(Change::Set { path: blob_of(ours), from, to: path.as_str().into() });
            return Ok(());
        }
        changes.extend(self.blobs(files, [a, b], &blob_of(ours))?.changes);
        Ok(())
    }

    /// Returns whether blobs of both files say the same, so that it does not matter which of them a reference has. If this would take
    /// too long, they do not.
    fn says_the_same(&mut self, [a, b]: [usize; 2]) -> bool {
        let Some((files, _)) = self.files else { return false };
        let budget = std::mem::replace(&mut self.budget, self.compared);
        let inside = self.blobs(files, [a, b], &Path::new());
        self.budget = budget;
        self.compared = self.compared.saturating_sub(files[1].blob_bytes(b).len());
        inside.is_ok_and(|inside| inside.changes.is_empty() && inside.account.entries().len() == 0)
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
        if let Some(references) = self.references(parts) {
            self.reference(references, changes)?;
            return Ok(false);
        }
        let ([left, right], [ours, theirs]) = (parts, self.bytes);
        if bytes_of(left, ours) == bytes_of(right, theirs) {
            return Ok(true);
        }
        let bodies = parts.map(|part| part.body);
        let is_same = has_same_layout(list.kind, bodies)
            && match list.kind {
                "lod" | "mesh" => Pools::compare(bodies, list.kind == "lod", path, changes),
                _ => true,
            };
        if !is_same {
            let (from, to) = (self.spend(alone(left, ours)?)?, self.spend(alone(right, theirs)?)?);
            changes.push(Change::Set { path: path.clone(), from: Some(from), to });
        }
        Ok(!is_same)
    }

    fn can_resize(&self, _: &Array<'_>) -> bool {
        true
    }

    /// An element that can be empty is said by its fields, others by their bytes.
    fn lone(&mut self, list: &List, _: &Path, part: &Part<'_>, side: usize) -> Result<Option<Consists>> {
        if let Some((files, blobs)) = self.files
            && let Some(reference) = of(files.each_ref(), side).reference_at(range_of(part.at).start)
        {
            let mut all = fields::all_values(part.body);
            let path = reference.blob.and_then(|blob| blobs.path(blob)).filter(|_| side == 1);
            let blob = match (side, path) {
                (0, _) => self.origin(reference)?,
                (_, Some(path)) => path.as_str().into(),
                // A blob outside of the file has no bytes.
                (_, None) => self.spend(reference.blob.map_or(&[][..], |blob| files[1].blob_bytes(blob)).to_vec())?,
            };
            all.push(("blob".to_owned(), blob));
            return Ok(Some((all, None)));
        }
        if matches!(list.kind, "translation" | "rotation" | "scale" | "morph") {
            return Ok(Some((fields::all_values(part.body), None)));
        }
        let bytes = alone(part, of(self.bytes, side))?;
        Ok(Some((Vec::new(), Some(self.spend(bytes)?))))
    }
}

impl<'w> Walk<'w, '_, '_> {
    /// Returns a pair of references.
    fn references(&self, [left, right]: [&Part<'_>; 2]) -> Option<[&'w Reference; 2]> {
        let ([ours, theirs], _) = self.files?;
        Some([ours.reference_at(range_of(left.at).start)?, theirs.reference_at(range_of(right.at).start)?])
    }
}
