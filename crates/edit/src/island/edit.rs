//! Changes of elements and of lists, wherever they are.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use worldview_core::{Path, Segment};

use super::alone::{Alone, canonical, is_orderly, stored};
use super::files::{Files, Reference};
use super::image::{Image, Piece, Target};
use super::refs::{self, Draft, Targets};
use super::select::Index;
use super::step::{
    Plan, Set, TANGLED, bytes, does_not_parse, expect_bytes, fits_pixels, piece, recount, set, sibling, slot,
};
use super::view::{List, View};
use crate::tree::{Tree, field, unexpected};
use crate::{Change, EditError, EditErrorKind, Position, Result, Value};

/// Applies changes to views.
pub(super) struct Editor<'e, 'a> {
    pub(super) files: &'e Files<'a>,
    pub(super) targets: Targets,
}

/// The changes of a list's elements.
type Nodes<'n, 'c> = Vec<(Segment<'n>, &'n Tree<'c>)>;

impl Editor<'_, '_> {
    /// Applies the changes of an element, which may be replaced as a whole.
    pub(super) fn element(&mut self, view: &View<'_, '_>, node: &Tree<'_>, image: &mut Image<'_>) -> Result<()> {
        match (node.change, Alone::of(view)) {
            (None | Some(Change::Rename { .. }), _) => self.inside(view, node, image),
            (Some(Change::Set { path, from, to }), Some(kind)) => {
                let found = canonical(view, image.bytes);
                expect_bytes(&found, from.as_ref(), path)?;
                let new = bytes(to, path)?;
                if new == found {
                    return Ok(());
                }
                let base = match view {
                    View::Part(_, base) | View::Roi(_, _, base) => *base,
                    _ => 0,
                };
                image.path = path.clone();
                image.put(view.range(image.bytes), piece(kind, new, base, path)?, false);
                Ok(())
            }
            (Some(change), _) => Err(unexpected(change)),
        }
    }

    /// Applies the changes of an element's name, fields and lists.
    fn inside(&mut self, view: &View<'_, '_>, node: &Tree<'_>, image: &mut Image<'_>) -> Result<()> {
        let (fields, lists) = (view.fields(image.bytes), view.lists(image.bytes));
        let mut inner: BTreeMap<usize, Nodes<'_, '_>> = BTreeMap::new();
        let mut new = Set::new();
        if let Some(Change::Rename { path, to }) = node.change {
            let name = fields.iter().find(|field| field.name == "name");
            let name = name.ok_or_else(|| EditError::unsupported(path, "this part has no name"))?;
            set(view, name, (None, to), path, image, &mut new)?;
        }
        for (name, child) in &node.children {
            let Some(segment) = name.segments().next() else { continue };
            let word = segment.kind.unwrap_or_else(|| std::str::from_utf8(&segment.key).unwrap_or_default());
            let is_numbered = segment.kind.is_none() && segment.nth.is_some();
            let list = lists.iter().position(|list| list.kind == word);
            if let Some(list) = list.filter(|_| is_numbered || segment.kind.is_some_and(|kind| kind != "@")) {
                inner.entry(list).or_default().push((segment, child));
                continue;
            }
            if let Some(reference) = Reference::of(view).filter(|_| name.as_str() == "blob") {
                self.blob(view, reference, child, image)?;
                continue;
            }
            if let Some(item) = view.item(image.bytes, word, &segment.key, segment.nth)
                && let (Some(Change::Set { path, from, to }), true) = (child.change, child.children.is_empty())
            {
                set(view, &item, (from.as_ref(), to), path, image, &mut new)?;
                continue;
            }
            if segment.nth.is_some() || segment.kind.is_some_and(|kind| kind != "@") {
                let path = child.any().map(|change| change.path().clone()).unwrap_or_default();
                return Err(EditError::new(&path, EditErrorKind::NotFound));
            }
            let (key, from, to, path) = field(name, child)?;
            let found = fields.iter().find(|field| field.name.as_bytes() == &*key);
            let found = found.ok_or_else(|| EditError::new(path, EditErrorKind::NotFound))?;
            set(view, found, (from, to), path, image, &mut new)?;
        }
        if let View::Image(old) = view {
            fits_pixels(old, &new, &image.path)?;
        }
        for (list, nodes) in inner {
            let Some(list) = lists.get(list) else { continue };
            if list.count.is_none() && matches!(list.kind, "node" | "roi") {
                self.tree(view, list, &nodes, image)?;
            } else {
                self.list(view, list, &nodes, image)?;
            }
        }
        Ok(())
    }

    /// Applies the changes of the blob that a reference has: for this reference alone.
    fn blob(
        &mut self,
        view: &View<'_, '_>,
        reference: Reference<'_, '_>,
        node: &Tree<'_>,
        image: &mut Image<'_>,
    ) -> Result<()> {
        let Some(target) = self.target(reference, node, image)? else { return Ok(()) };
        if refs::kept(self.files, reference).as_ref() != Some(&target) {
            self.targets.changed.push((refs::range_at(image.bytes, view), target));
        }
        Ok(())
    }

    /// Returns the blob that a reference gets; `None` if no other reference has it, so that it is edited in place.
    fn target(
        &mut self,
        reference: Reference<'_, '_>,
        node: &Tree<'_>,
        image: &mut Image<'_>,
    ) -> Result<Option<Target>> {
        let files = self.files;
        let path = node.any().map(|change| change.path().clone()).unwrap_or_default();
        let number = reference.blob().ok_or_else(|| EditError::new(&path, EditErrorKind::NotFound))?;
        let is_alone = files.database.blobs().get(number).is_some_and(|blob| blob.references == 1);
        if let Some(Change::Set { path, from, to }) = node.change {
            from.as_ref().map_or(Ok(()), |from| refs::expect(files, reference, from, path))?;
            let is_in_place = is_alone && matches!(to, Value::Bytes(_));
            if !is_in_place {
                return self.targets.of(files, reference.kind(), to, path).map(Some);
            }
        } else if let Some(change) = node.change {
            return Err(unexpected(change));
        }
        if is_alone {
            self.element(&files.blob(number, &path)?, node, image)?;
            return Ok(None);
        }
        let kind = Alone::of(&files.blob(number, &path)?);
        let kind = kind.ok_or_else(|| EditError::new(&path, EditErrorKind::NotFound))?;
        let new = self.alone(kind, files.blob_bytes(number).to_vec(), &path, |editor, view, image| {
            editor.inside(view, node, image)
        })?;
        self.targets.blob(reference.kind(), new, &path).map(Some)
    }

    /// Edits an element that stands alone.
    fn alone(
        &mut self,
        kind: Alone,
        bytes: Vec<u8>,
        path: &Path,
        edit: impl FnOnce(&mut Self, &View<'_, '_>, &mut Image<'_>) -> Result<()>,
    ) -> Result<Vec<u8>> {
        let edited = kind.parse(&bytes, |view| {
            let mut image = Image::new(&bytes, path.clone());
            edit(self, view, &mut image)?;
            if image.resized().next().is_some() && !is_orderly(view, &bytes) {
                return Err(EditError::unsupported(path, TANGLED));
            }
            let words = if image.resized().next().is_some() { stored(view, &bytes) } else { Vec::new() };
            Ok(image.finish(words, Vec::new())?.to_vec())
        });
        edited.unwrap_or_else(|| Err(does_not_parse(kind, &bytes, path)))
    }

    /// Applies the changes of a list without a hierarchy.
    fn list(&mut self, parent: &View<'_, '_>, list: &List, nodes: &Nodes<'_, '_>, image: &mut Image<'_>) -> Result<()> {
        let items = parent.items(image.bytes, list.kind);
        let index = Index::of(&items);
        let mut plan = Plan::default();
        let mut nodes: Vec<_> = nodes.iter().collect();
        nodes.sort_by_key(|(_, node)| node.order);
        for (segment, node) in nodes {
            let slot = |position: &Position, path: &Path| slot(position, path, &index, items.len());
            match node.change {
                Some(Change::Add { path, position, .. }) => {
                    let piece = self.added(parent, list, (&items, &index, &index), segment, node, image)?;
                    let at = match (position, items.first()) {
                        (Position::Natural, Some(View::Vector(_) | View::Rotation(_) | View::Morph(_))) => {
                            let time =
                                |key: &[u8]| std::str::from_utf8(key).ok().and_then(|key| key.parse::<u32>().ok());
                            let new = time(&segment.key);
                            let behind = |item: &View<'_, '_>| item.key().and_then(|key| time(&key)) > new;
                            items.iter().position(behind).unwrap_or(items.len())
                        }
                        _ => slot(position, path)?,
                    };
                    plan.insert(at, piece);
                }
                Some(Change::Remove { path, fields, data, .. }) => {
                    let at = index.find(segment, path)?;
                    let Some(item) = items.get(at) else { continue };
                    self.expect(item, fields, data.as_ref(), path, image)?;
                    plan.removed.push(at);
                }
                Some(Change::Move { path, position, .. }) => {
                    let at = index.find(segment, path)?;
                    let Some(item) = items.get(at) else { continue };
                    plan.removed.push(at);
                    plan.insert(slot(position, path)?, self.moved(parent, item, node, image)?);
                }
                _ => {
                    let path = node.any().map(|change| change.path().clone()).unwrap_or_default();
                    let at = index.find(segment, &path)?;
                    let Some(item) = items.get(at) else { continue };
                    self.element(item, node, image)?;
                }
            }
        }
        if plan.is_empty() {
            return Ok(());
        }
        let why = "this list has a fixed number of elements";
        let count = list.count.as_ref().ok_or_else(|| EditError::unsupported(&image.path, why))?;
        for &at in &plan.removed {
            let Some(item) = items.get(at) else { continue };
            image.put(item.range(image.bytes), Piece::default(), false);
        }
        let added: usize = plan.inserted.values().map(Vec::len).sum();
        for (at, pieces) in plan.inserted {
            let place = items.get(at).map_or(list.end, |item| item.range(image.bytes).start);
            // What is behind the last level of the part before is still that part's.
            for piece in pieces {
                image.put(place..place, piece, list.kind == "part");
            }
        }
        recount(count, items.len().saturating_sub(plan.removed.len()).saturating_add(added), image)
    }

    /// Applies the changes of a tree.
    fn tree(&mut self, parent: &View<'_, '_>, list: &List, nodes: &Nodes<'_, '_>, image: &mut Image<'_>) -> Result<()> {
        let items = parent.items(image.bytes, list.kind);
        let index = Index::of(&items);
        // What is below a removed element goes with it, so that its name is free.
        let mut goes = vec![false; items.len()];
        for (segment, node) in nodes {
            let Some(Change::Remove { path, .. }) = node.change else { continue };
            goes.get_mut(index.find(segment, path)?).into_iter().for_each(|goes| *goes = true);
        }
        let names = Index::of_keys(items.iter().enumerate().map(|(at, item)| {
            let above = item.parent().and_then(|above| goes.get(above).copied());
            let goes = goes.get_mut(at)?;
            *goes |= above == Some(true);
            item.key().filter(|_| !*goes)
        }));
        let mut counts: BTreeMap<usize, i64> = BTreeMap::new();
        let mut inserted = Vec::new();
        for (segment, node) in nodes {
            match node.change {
                Some(Change::Add { path, position, fields, .. }) => {
                    let find = |other: &Path| sibling(other, path, &index);
                    let above = fields.iter().find(|(name, _)| name == "parent").map(|(_, value)| value);
                    let (place, above) = match (position, above) {
                        (Position::Before(other) | Position::After(other), _) => {
                            let at = find(other)?;
                            let item = items.get(at).and_then(|item| Some((item.range(image.bytes), item.parent()?)));
                            let why = "nothing can be added beside the root";
                            let (range, above) = item.ok_or_else(|| EditError::unsupported(path, why))?;
                            (if matches!(position, Position::Before(_)) { range.start } else { range.end }, above)
                        }
                        (Position::Natural, above) => {
                            let at = match above.map(Value::as_bytes) {
                                None => 0,
                                Some(text) => {
                                    let text = text.and_then(|text| std::str::from_utf8(text).ok());
                                    let other = text.and_then(|text| text.parse().ok());
                                    find(&other.ok_or_else(|| EditError::new(path, EditErrorKind::NotFound))?)?
                                }
                            };
                            (items.get(at).map_or(list.end, |item| item.range(image.bytes).end), at)
                        }
                    };
                    let piece = self.added(parent, list, (&items, &index, &names), segment, node, image)?;
                    count(&mut counts, above, 1);
                    inserted.push((place, Reverse(above), node.order, piece, path));
                }
                Some(Change::Remove { path, fields, data, .. }) => {
                    let at = index.find(segment, path)?;
                    let Some(item) = items.get(at) else { continue };
                    let above = item.parent();
                    let above = above.ok_or_else(|| EditError::unsupported(path, "the root cannot be removed"))?;
                    self.expect(item, fields, data.as_ref(), path, image)?;
                    count(&mut counts, above, -1);
                    image.path = path.clone();
                    image.put(item.range(image.bytes), Piece::default(), false);
                }
                Some(change @ Change::Move { .. }) => return Err(unexpected(change)),
                _ => {
                    let path = node.any().map(|change| change.path().clone()).unwrap_or_default();
                    let at = index.find(segment, &path)?;
                    let Some(item) = items.get(at) else { continue };
                    self.element(item, node, image)?;
                }
            }
        }
        // Of two places at one offset, the deeper comes first.
        inserted.sort_by_key(|(place, above, order, ..)| (*place, *above, *order));
        for (place, _, _, piece, path) in inserted {
            image.path = path.clone();
            image.put(place..place, piece, false);
        }
        for (at, more) in counts {
            let Some(count) = items.get(at).and_then(View::child_count) else { continue };
            let old = image.get(&count).first_chunk().map_or(0, |&old| i64::from(u32::from_le_bytes(old)));
            recount(&count, usize::try_from(old.saturating_add(more)).unwrap_or(0), image)?;
        }
        Ok(())
    }

    /// Returns the bytes of an element that is added. `names` has the elements whose names it cannot have.
    fn added(
        &mut self,
        parent: &View<'_, '_>,
        list: &List,
        (items, index, names): (&[View<'_, '_>], &Index, &Index),
        segment: &Segment<'_>,
        node: &Tree<'_>,
        image: &mut Image<'_>,
    ) -> Result<Piece> {
        let Some(Change::Add { path, like, fields, data, .. }) = node.change else { return Ok(Piece::default()) };
        image.path = path.clone();
        let is_named = segment.kind.is_some();
        let nth = usize::try_from(segment.nth.unwrap_or(0)).unwrap_or(usize::MAX);
        if is_named && nth < names.count(&segment.key) {
            return Err(EditError::new(path, EditErrorKind::Exists));
        }
        if let View::World(_) = parent {
            return self.reference(list.kind, segment, like.as_ref(), fields, path);
        }
        let Some(kind) = Alone::in_list(parent, list.kind) else {
            return Err(EditError::unsupported(path, "nothing can be added here"));
        };
        let start = match (data, like) {
            (Some(data), None) => bytes(data, path)?,
            (None, Some(other)) => {
                let at = sibling(other, path, index)?;
                items.get(at).map(|item| canonical(item, image.bytes)).unwrap_or_default()
            }
            (None, None) => {
                let why = "an element of this kind needs `data`, or `like` with the path of another one";
                kind.empty().ok_or_else(|| EditError::unsupported(path, why))?
            }
            _ => return Err(EditError::unsupported(path, "give either `data` or `like`")),
        };
        let new = self.alone(kind, start, path, |_, view, image| {
            let all = view.fields(image.bytes);
            let mut new = Set::new();
            let key = all.first().filter(|field| is_named && fields.iter().all(|(name, _)| name != field.name));
            if let Some(field) = key {
                let text = std::str::from_utf8(&segment.key).ok();
                let time = text.filter(|_| field.name == "time").and_then(|text| text.parse::<u32>().ok());
                let value = time.map_or_else(|| Value::from_bytes(&segment.key), Value::from);
                set(view, field, (None, &value), path, image, &mut new)?;
            }
            for (name, value) in fields.iter().filter(|(name, _)| name != "parent") {
                let field = all.iter().find(|field| field.name == name);
                let field = field.ok_or_else(|| EditError::new(path, EditErrorKind::NotFound))?;
                set(view, field, (None, value), path, image, &mut new)?;
            }
            Ok(())
        })?;
        self.placed(parent, kind, new, path, image)
    }

    /// Returns the bytes of an element that moves inside its list.
    fn moved(
        &mut self,
        parent: &View<'_, '_>,
        item: &View<'_, '_>,
        node: &Tree<'_>,
        image: &mut Image<'_>,
    ) -> Result<Piece> {
        let path = node.any().map(|change| change.path().clone()).unwrap_or_default();
        image.path = path.clone();
        if let Some(reference) = Reference::of(item) {
            let mut draft = Draft::like(self.files, reference);
            for (name, child) in &node.children {
                if name.as_str() == "blob" {
                    if let Some(target) = self.target(reference, child, image)? {
                        draft.refer(target);
                    }
                    continue;
                }
                let (field, from, to, path) = field(name, child)?;
                draft.set(&field, from, to, path)?;
            }
            return draft.finish(&path);
        }
        let Some(kind) = Alone::of(item) else { return Err(EditError::unsupported(&path, "this part cannot move")) };
        let new = canonical(item, image.bytes);
        let inside = Tree { change: None, ..node.clone_subtree() };
        let new = self.alone(kind, new, &path, |editor, view, image| editor.inside(view, &inside, image))?;
        self.placed(parent, kind, new, &path, image)
    }

    fn placed(
        &self,
        parent: &View<'_, '_>,
        kind: Alone,
        new: Vec<u8>,
        path: &Path,
        image: &Image<'_>,
    ) -> Result<Piece> {
        let base = match parent {
            View::Part(_, base) | View::Roi(_, _, base) => *base,
            _ => parent.range(image.bytes).start,
        };
        piece(kind, new, base, path)
    }

    /// Returns the bytes of a reference that is added.
    fn reference(
        &mut self,
        kind: &str,
        segment: &Segment<'_>,
        like: Option<&Path>,
        fields: &[(String, Value)],
        path: &Path,
    ) -> Result<Piece> {
        let kind = if kind == "part" { worldview_island::BlobKind::Parts } else { worldview_island::BlobKind::Model };
        let mut draft = match like {
            None => Draft::new(kind),
            Some(other) => {
                let reference = self.files.reference(other)?;
                if reference.kind() != kind {
                    return Err(EditError::unsupported(path, "`like` names a reference of another kind"));
                }
                Draft::like(self.files, reference)
            }
        };
        draft.rename(&segment.key, path)?;
        for (name, value) in fields {
            if name == "blob" {
                draft.refer(self.targets.of(self.files, kind, value, path)?);
            } else {
                draft.set(name.as_bytes(), None, value, path)?;
            }
        }
        draft.finish(path)
    }

    /// Returns an error unless an element has the fields and bytes that its removal expects.
    fn expect(
        &self,
        item: &View<'_, '_>,
        fields: &[(String, Value)],
        data: Option<&Value>,
        path: &Path,
        image: &mut Image<'_>,
    ) -> Result<()> {
        image.path = path.clone();
        let all = item.fields(image.bytes);
        for (name, value) in fields.iter().filter(|(name, _)| name != "parent") {
            if let Some(reference) = Reference::of(item).filter(|_| name == "blob") {
                refs::expect(self.files, reference, value, path)?;
                continue;
            }
            let field = all.iter().find(|field| field.name == name);
            field.ok_or_else(|| EditError::new(path, EditErrorKind::NotFound))?.expect(image.bytes, value, path)?;
        }
        expect_bytes(&canonical(item, image.bytes), data, path)
    }
}

/// Counts a child that an element of a tree gets or loses.
fn count(counts: &mut BTreeMap<usize, i64>, above: usize, more: i64) {
    let count = counts.entry(above).or_default();
    *count = count.saturating_add(more);
}
