//! Compares elements, whatever file they are in.

use worldview_core::Path;
use zerocopy::IntoBytes as _;

use super::alone::{Alone, canonical};
use super::field::Kind;
use super::pairs::{self, Pairs, Step};
use super::places::{Places, children, keys};
use super::select::Index;
use super::step;
use super::view::View;
use crate::{Change, Changes, EditError, Position, Result, Value};

/// Returns the changes that make one element another one, with paths relative to it.
pub(crate) fn diff_alone(kind: Alone, left: &[u8], right: &[u8]) -> Result<Changes> {
    let differs = || EditError::malformed(None, format!("expected the bytes of {}", kind.describe()));
    let mut walk = Walk { bytes: [left, right], changes: Vec::new(), path: Path::new(), budget: usize::MAX };
    let done = kind.parse(left, |ours| kind.parse(right, |theirs| walk.element([ours, theirs])));
    done.flatten().unwrap_or_else(|| Err(differs()))?;
    Ok(walk.changes.into_iter().collect())
}

pub(super) struct Walk<'a> {
    pub(super) bytes: [&'a [u8]; 2],
    pub(super) changes: Vec<Change>,
    pub(super) path: Path,
    /// How many bytes changes may still hold.
    pub(super) budget: usize,
}

#[derive(Clone, Copy)]
pub(super) enum Side {
    Left,
    Right,
}

/// The fields and the bytes that describe an element.
pub(super) type Described = (Vec<(String, Value)>, Option<Value>);

/// Returns what an element of a list consists of.
pub(super) type Describe<'f, W> = dyn Fn(&mut W, &View<'_, '_>, Side, &Path) -> Result<Described> + 'f;

/// Whether changes inside an element express its differences.
pub(super) type Expressed = Result<bool>;

impl<'a> Walk<'a> {
    pub(super) const fn side(&self, side: Side) -> &'a [u8] {
        let [left, right] = self.bytes;
        match side {
            Side::Left => left,
            Side::Right => right,
        }
    }

    pub(super) fn push(&mut self, change: Change) {
        self.budget = self.budget.saturating_sub(64);
        self.changes.push(change);
    }

    pub(super) fn spend(&mut self, bytes: Vec<u8>) -> Result<Value> {
        let left = self.budget.checked_sub(bytes.len().saturating_add(1));
        let why = "the changes would be far longer than the files";
        self.budget = left.ok_or_else(|| EditError::unsupported(&self.path, why))?;
        Ok(Value::Bytes(bytes))
    }

    pub(super) fn set(&mut self, name: &str, from: Value, to: Value) {
        let mark = self.path.mark();
        self.path.push_name(name.as_bytes());
        self.push(Change::Set { path: self.path.clone(), from: Some(from), to });
        self.path.truncate(mark);
    }

    /// Compares elements; replaces the left one if nothing smaller expresses the difference.
    pub(super) fn element(&mut self, views: [&View<'_, '_>; 2]) -> Result<()> {
        let mark = self.changes.len();
        if self.inside(views)? {
            return Ok(());
        }
        self.changes.truncate(mark);
        self.replace(views)
    }

    pub(super) fn replace(&mut self, [a, b]: [&View<'_, '_>; 2]) -> Result<()> {
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
    pub(super) fn inside(&mut self, views: [&View<'_, '_>; 2]) -> Expressed {
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

    pub(super) fn fields(&mut self, [a, b]: [&View<'_, '_>; 2]) -> Expressed {
        let [ours, theirs] = [a.fields(self.bytes[0]), b.fields(self.bytes[1])];
        if ours.len() != theirs.len() {
            return Ok(false);
        }
        for (ours, theirs) in ours.iter().zip(&theirs) {
            let [old, new] = [self.bytes[0].get(ours.range.clone()), self.bytes[1].get(theirs.range.clone())];
            let (Some(old), Some(new), true) = (old, new, ours.name == theirs.name) else { return Ok(false) };
            let [mut from, mut to] = [ours.value(self.bytes[0]), theirs.value(self.bytes[1])];
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
            // What is behind the text of a name would stay, in the inverse too.
            if let Kind::Name { .. } = ours.kind {
                let counted = |bytes: &[u8]| Value::Bytes(bytes.get(4..).unwrap_or(&[]).to_vec());
                let gives = |old: &[u8], value: &Value, new: &[u8]| {
                    ours.encode(old, value, &self.path).is_ok_and(|encoded| encoded == new)
                };
                if !gives(old, &to, new) {
                    to = counted(new);
                }
                if !gives(new, &from, old) {
                    from = counted(old);
                }
            }
            self.set(ours.name, from, to);
        }
        Ok(true)
    }

    /// Compares pixels one by one if few of them differ.
    pub(super) fn pixels(&mut self, views: [&View<'_, '_>; 2], old: &[u8], new: &[u8]) -> bool {
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
    pub(super) fn colors(&mut self, old: &[u8], new: &[u8]) -> bool {
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
    pub(super) fn arrays(&mut self, views: [&View<'_, '_>; 2]) -> bool {
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
    pub(super) fn list(&mut self, views: [&View<'_, '_>; 2], kind: &'static str, can_grow: bool) -> Expressed {
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
        // An element without a name that is added before others would have the number of one of them.
        let has_names = a.first().or(b.first()).is_some_and(|item| item.key().is_some());
        let mut behind = pairs.steps.iter().skip_while(|step| !matches!(step, Step::Add { .. }));
        if !has_names && behind.any(|step| !matches!(step, Step::Add { .. })) {
            return Ok(false);
        }
        let described = |walk: &mut Self, item: &View<'_, '_>, side: Side, _: &Path| walk.described(item, side);
        self.steps(kind, [&a, &b], &pairs, &described, &mut |walk, views, is_moved| {
            if is_moved { walk.inside(views) } else { walk.element(views).map(|()| true) }
        })
    }

    /// Adds the changes of a list by the steps that make one list the other. `described` gets an element that comes or goes, with
    /// its path, and `inside` a pair of elements and whether they have another place.
    pub(super) fn steps(
        &mut self,
        kind: &'static str,
        [a, b]: [&[View<'_, '_>]; 2],
        pairs: &Pairs,
        described: &Describe<'_, Self>,
        inside: &mut dyn FnMut(&mut Self, [&View<'_, '_>; 2], bool) -> Expressed,
    ) -> Expressed {
        let index = Index::of(a);
        let mut places = Places::new(kind, a, &index, &self.path, pairs.first_kept());
        for &at in &pairs.removed {
            let Some(item) = a.get(at) else { continue };
            let (fields, data) = described(self, item, Side::Left, &places.path(at))?;
            self.push(Change::Remove { path: places.path(at), fields, data, was: places.position(at.checked_sub(1)) });
        }
        let mark = self.path.mark();
        for step in &pairs.steps {
            let (left, right) = match *step {
                Step::Keep { left, right } | Step::Move { left, right, .. } => (left, right),
                Step::Add { right, behind } => {
                    let Some(item) = b.get(right) else { continue };
                    let (fields, data) = described(self, item, Side::Right, &Path::new())?;
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
            }
            let is_expressed = inside(self, [ours, theirs], matches!(step, Step::Move { .. }))?;
            self.path.truncate(mark);
            if !is_expressed {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Compares trees, without recursion: they can be as deep as a file is long.
    pub(super) fn tree(&mut self, views: [&View<'_, '_>; 2], kind: &'static str) -> Expressed {
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
                let (mut fields, data) = self.described(item, Side::Left)?;
                fields.push(("parent".to_owned(), places.path(left).as_str().into()));
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
    pub(super) fn described(&mut self, item: &View<'_, '_>, side: Side) -> Result<Described> {
        if let View::Vector(_) | View::Rotation(_) | View::Morph(_) = item {
            return Ok((self.values(item, side), None));
        }
        Ok((Vec::new(), Some(self.spend(canonical(item, self.side(side)))?)))
    }

    pub(super) fn values(&self, item: &View<'_, '_>, side: Side) -> Vec<(String, Value)> {
        let fields = item.fields(self.side(side)).into_iter();
        fields.map(|field| (field.name.to_owned(), field.value(self.side(side)))).collect()
    }
}
