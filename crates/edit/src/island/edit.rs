//! Changes of elements and of lists, wherever they are.

use std::collections::BTreeMap;
use std::ops::Range;

use worldview_core::describe::{Describe, List, ListFlag, Part, PartList, Span};
use worldview_core::{Path, Segment};
use worldview_island::Element;

use super::file::{File, Reference};
use super::list::{ListEdit, Nodes};
use super::refs::{self, Targets};
use super::rules::{fits_pixels, keeps_layout};
use super::shape::{Own, Shape, canonical, range_of};
use crate::checked::Checked as _;
use crate::fields::{self, Draft, Wish, bytes, decode_1252, expect_bytes, replaced};
use crate::image::{Image, Piece, Target, Word};
use crate::list::with;
use crate::tree::{Tree, is_recorded, unexpected};
use crate::{Change, EditError, EditErrorKind, Position, Result, Value};

/// Applies changes to parts.
pub(super) struct Editor<'e, 'd, 'a> {
    pub(super) file: &'e File<'d, 'a>,
    pub(super) targets: Targets,
}

impl Editor<'_, '_, '_> {
    /// Applies the changes of an element, which may be replaced as a whole.
    fn element(
        &mut self,
        (shape, kind): (Shape<'_>, &'static str),
        part: &Part<'_>,
        range: Range<usize>,
        node: &Tree<'_>,
        image: &mut Image<'_>,
    ) -> Result<()> {
        match node.change {
            None | Some(Change::Rename { .. }) => self.inside(part.body, (kind, part.at), node, image),
            Some(Change::Set { path, from, to }) if kind != "world" && Own::of(part.body).link.is_none() => {
                let found = match shape {
                    Shape::Of(parts) => canonical(parts, &range, image.bytes)?,
                    Shape::Element(_) => image.get(&range)?.to_vec(),
                };
                let Some(new) = replaced(node, path, from.as_ref(), to, &found)? else { return Ok(()) };
                image.path = path.clone();
                let piece = shape.piece(new.to_vec(), image.base, path)?;
                image.put(range, piece, None);
                Ok(())
            }
            Some(change) => Err(unexpected(change)),
        }
    }

    /// Applies the changes of a part's name, fields and lists.
    pub(super) fn inside(
        &mut self,
        body: &dyn Describe,
        (kind, at): (&'static str, Option<Span>),
        node: &Tree<'_>,
        image: &mut Image<'_>,
    ) -> Result<()> {
        let mut lists = Vec::new();
        fields::lists(body, &mut |parts| lists.push(parts.list()));
        let (mut wishes, mut inner): (Vec<Wish<'_>>, BTreeMap<usize, Nodes<'_, '_>>) = (Vec::new(), BTreeMap::new());
        if let Some(Change::Rename { path, to }) = node.change {
            wishes.push(Wish { already: Some(node.note()), ..Wish::to(b"name".into(), to, path) });
        }
        let is_reference = matches!(kind, "part" | "model") && Own::of(body).link.is_some();
        let reference = if is_reference { self.file.reference_at(range_of(at).start) } else { None };
        for (segment, child) in node.elements() {
            let is_list = |list: &List| match segment.kind {
                Some(kind) if kind != "@" => !list.is(ListFlag::Single) && kind == list.kind,
                _ => (list.is(ListFlag::Single) || segment.nth.is_some()) && *segment.key == *list.kind.as_bytes(),
            };
            match (lists.iter().position(is_list), reference) {
                (Some(list), _) => inner.entry(list).or_default().push((segment, child)),
                (None, Some(reference))
                    if segment.kind.is_none() && segment.nth.is_none() && *segment.key == *b"blob" =>
                {
                    if let Some(target) = self.target(reference, child, image)?
                        && refs::kept(self.file, reference)?.as_ref() != Some(&target)
                    {
                        self.targets.changed.push((reference.at.checked()?, target));
                    }
                }
                _ => wishes.push(Wish::of(segment, child)?),
            }
        }
        if !wishes.is_empty() {
            self.fields(body, (kind, range_of(at)), &wishes, image)?;
        }
        let mut numbers = 0..;
        let mut result = Ok(());
        fields::lists(body, &mut |parts| {
            if let (Some(nodes), Ok(())) = (numbers.next().and_then(|number| inner.get(&number)), &result) {
                result = self.list(parts, kind, nodes, image);
            }
        });
        result
    }

    /// Gives values to fields.
    fn fields(
        &self,
        body: &dyn Describe,
        (kind, range): (&str, Range<usize>),
        wishes: &[Wish<'_>],
        image: &mut Image<'_>,
    ) -> Result<()> {
        let old = image.get(&range)?;
        let mut draft = Draft::new(range.start as u64, old).parsed();
        fields::set(body, wishes, &mut draft)?;
        keeps_layout(kind, body, wishes)?;
        let patches = draft.patches(old)?;
        // Only a text or bytes can get another length.
        let is_long = |wish: &&Wish<'_>| wish.to.is_some_and(|to| to.as_bytes().is_some());
        let wish = wishes.iter().find(is_long).or(wishes.first());
        image.path = wish.map(|wish| wish.path.clone()).unwrap_or_default();
        if kind == "image" {
            fits_pixels(body, wishes)?;
            let mut new = old.to_vec();
            patches.iter().rev().for_each(|(range, bytes)| drop(new.splice(range.clone(), bytes.iter().copied())));
            Shape::Element(Element::Image).offsets(&new, &image.path)?;
        }
        image.replace_all(range.start, patches)
    }

    /// Returns the blob that a reference gets; `None` if it keeps its own, also if that is edited in place because no other reference has
    /// it.
    fn target(&mut self, reference: &Reference, node: &Tree<'_>, image: &mut Image<'_>) -> Result<Option<Target>> {
        let file = self.file;
        let path = node.path();
        let number = reference.blob.ok_or_else(|| EditError::not_found(&path))?;
        let is_alone = file.database.blobs().get(number).is_some_and(|blob| blob.references == 1);
        if let Some(Change::Set { path, from, to }) = node.change {
            if refs::expect(file, reference, to, path).is_ok() {
                node.is_done_already();
                return Ok(None);
            }
            from.as_ref().map_or(Ok(()), |from| refs::expect(file, reference, from, path))?;
            let is_in_place = is_alone && matches!(to, Value::Bytes(_));
            if !is_in_place {
                return self.targets.of(file, reference.kind, to, path).map(Some);
            }
        } else if let Some(change) = node.change {
            return Err(unexpected(change));
        }
        if is_alone {
            file.blob(number, |part| self.blob(number, part, node, image))?;
            return Ok(None);
        }
        let (shape, bytes) = (file.shape(number), file.blob_bytes(number));
        shape.offsets(bytes, &path)?;
        let new = shape.edit(bytes, &path, |part, image| self.inside(part.body, ("blob", part.at), node, image))?;
        // A copy that says the same is none.
        if new == bytes { Ok(None) } else { self.targets.blob(reference.kind, new, &path).map(Some) }
    }

    /// Applies the changes of a blob in its place.
    fn blob(&mut self, number: usize, part: &Part<'_>, node: &Tree<'_>, image: &mut Image<'_>) -> Result<()> {
        let range = self.file.blob_range(number)?;
        image.base = range.start;
        self.element((self.file.shape(number), "blob"), part, range, node, image)
    }

    /// Applies the changes of a list.
    fn list(&mut self, parts: &dyn PartList, owner: &str, nodes: &Nodes<'_, '_>, image: &mut Image<'_>) -> Result<()> {
        let list = parts.list();
        let mut edit = ListEdit::new(parts, owner, nodes)?;
        let mut nodes: Vec<_> = nodes.iter().collect();
        nodes.sort_by_key(|(_, node)| node.order);
        let is_at_end = |node: &Tree<'_>| matches!(node.change, Some(Change::Add { position: Position::Natural, .. }));
        let added_to_end = nodes.iter().filter(|(_, node)| is_at_end(node)).count();
        for (segment, node) in nodes {
            let path = node.path();
            match node.change {
                Some(Change::Add { .. } | Change::Remove { .. } | Change::Move { .. }) => {
                    if edit.slots.is_none() {
                        return Err(EditError::unsupported(&path, "this list has a fixed number of elements"));
                    }
                    if let Some(error) = edit.broken {
                        return Err(error.into());
                    }
                    self.order(&mut edit, segment, (node, added_to_end), image)?;
                }
                Some(change) if list.is(ListFlag::Single) && list.kind != "global_parts" => {
                    return Err(unexpected(change));
                }
                _ if list.is(ListFlag::Single) => with(parts, 0, 0, |part| {
                    let range = range_of(part.at);
                    image.base = range.start;
                    self.element((Shape::Element(Element::Parts), list.kind), part, range, node, image)
                })?,
                _ => {
                    let at = edit.find_changed((segment, node), &path)?;
                    edit.with(at, |part| match list.kind {
                        "blob" => self.blob(at, part, node, image),
                        kind => self.element((Shape::Of(parts), kind), part, edit.range(at), node, image),
                    })?;
                }
            }
        }
        edit.finish(image)
    }

    /// Applies a change of the order of a list.
    fn order(
        &mut self,
        edit: &mut ListEdit<'_>,
        segment: &Segment<'_>,
        (node, added_to_end): (&Tree<'_>, usize),
        image: &mut Image<'_>,
    ) -> Result<()> {
        match node.change {
            Some(Change::Add { path, position, fields, data, .. }) => {
                let free = edit.is_free(segment, path);
                // Elements without names may be alike. Those that were added to the end are the last ones.
                let is_added = |at: usize| match free {
                    Ok(()) if segment.kind.is_some() || !matches!(position, Position::Natural) => false,
                    Ok(()) => edit.len().saturating_sub(at) <= added_to_end,
                    Err(_) => true,
                };
                let found = edit.find(segment, path).ok().filter(|at| is_added(*at));
                if is_recorded(fields, data.as_ref())
                    && found.is_some_and(|at| self.expect(edit, at, fields, data.as_ref(), path, image).is_ok())
                {
                    node.is_done_already();
                    return Ok(());
                }
                free?;
                let place = edit.place(position, fields, edit.time(segment), path)?;
                let piece = self.added(edit, segment, node, image)?;
                edit.insert(place, node.order, piece, path)?;
            }
            Some(Change::Remove { path, fields, data, .. }) => {
                let at = match edit.find(segment, path) {
                    Err(EditError { kind: EditErrorKind::NotFound, .. }) if is_recorded(fields, data.as_ref()) => {
                        node.is_done_already();
                        return Ok(());
                    }
                    at => at?,
                };
                self.expect(edit, at, fields, data.as_ref(), path, image)?;
                edit.remove(at, path, image)?;
            }
            Some(change @ Change::Move { path, position, .. }) => {
                if edit.is_tree {
                    return Err(unexpected(change));
                }
                let at = edit.find(segment, path)?;
                let piece = self.moved(edit, at, node, image)?;
                let place = edit.place(position, &[], None, path)?;
                edit.remove(at, path, image)?;
                edit.insert(place, node.order, piece, path)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns the reference that an element of a world is.
    fn reference(&self, edit: &ListEdit<'_>, at: usize) -> Option<&Reference> {
        self.file.reference_at(edit.range(at).start).filter(|_| edit.blobs.is_some())
    }

    /// Returns an error unless an element is what a change says.
    fn expect(
        &self,
        edit: &ListEdit<'_>,
        at: usize,
        fields: &[(String, Value)],
        data: Option<&Value>,
        path: &Path,
        image: &Image<'_>,
    ) -> Result<()> {
        let reference = self.reference(edit, at);
        if let (Some(reference), Some((_, value))) = (reference, fields.iter().find(|(name, _)| name == "blob")) {
            refs::expect(self.file, reference, value, path)?;
        }
        let is_here = |wish: &Wish<'_>| *wish.name != *b"parent" && !(reference.is_some() && *wish.name == *b"blob");
        let expected: Vec<_> = Wish::expected(fields, path).filter(is_here).collect();
        edit.with(at, |part| fields::set(part.body, &expected, &mut Draft::new(0, &[])))?;
        expect_bytes(&edit.canonical(at, image)?, data, path)
    }

    /// Returns the bytes of an element that is added.
    fn added(
        &mut self,
        edit: &ListEdit<'_>,
        segment: &Segment<'_>,
        node: &Tree<'_>,
        image: &mut Image<'_>,
    ) -> Result<Piece> {
        let Some(Change::Add { path, like, fields, data, .. }) = node.change else { return Ok(Piece::default()) };
        image.path = path.clone();
        let file = self.file;
        let (mut target, is_reference) = (None, edit.blobs.is_some());
        let start = match (data, like) {
            (Some(data), None) if !is_reference => bytes(data, path)?.to_vec(),
            (None, Some(other)) if is_reference => {
                let other = file.reference(other)?;
                if Some(other.kind) != edit.blobs {
                    return Err(EditError::unsupported(path, "`like` names a reference of another kind"));
                }
                target = refs::kept(file, other)?;
                image.get(&other.range)?.to_vec()
            }
            (None, Some(other)) => edit.canonical(edit.sibling(other, path)?, image)?,
            (None, None) => {
                let mut blank = None;
                edit.parts.editable().blank(&|_| None, &mut |bytes| blank = Some(bytes.to_vec()));
                let why = "an element of this kind needs `data`, or `like` with the path of another one";
                blank.ok_or_else(|| EditError::unsupported(path, why))?
            }
            _ => return Err(EditError::unsupported(path, "give either `data` or `like`")),
        };
        if let (Some(kind), Some((_, value))) = (edit.blobs, fields.iter().find(|(name, _)| name == "blob")) {
            target = Some(self.targets.of(file, kind, value, path)?);
        }
        let key = edit.time(segment).map_or_else(|| decode_1252(&segment.key), Value::from);
        let is_own = |wish: &Wish<'_>| *wish.name != *b"parent" && !(is_reference && *wish.name == *b"blob");
        let mut wishes: Vec<_> = Wish::given(fields, path).filter(is_own).collect();
        let name = edit.slots.and_then(|slots| slots.key).filter(|_| segment.kind.is_some());
        let name = name.filter(|name| wishes.iter().all(|wish| *wish.name != *name.as_bytes()));
        wishes.extend(name.map(|name| Wish::to(name.as_bytes().into(), &key, path)));
        placed(edit, &start, target, (path, image.base), |part, image| {
            self.fields(part.body, (edit.list.kind, range_of(part.at)), &wishes, image)
        })
    }

    /// Returns the bytes of an element that moves inside its list.
    fn moved(&mut self, edit: &ListEdit<'_>, at: usize, node: &Tree<'_>, image: &mut Image<'_>) -> Result<Piece> {
        let path = node.path();
        image.path = path.clone();
        let mut inside = node.inside();
        let mut target = None;
        if let Some(reference) = self.file.reference_at(edit.range(at).start).filter(|_| edit.blobs.is_some()) {
            let blob: Vec<_> = inside.children.keys().filter(|name| name.as_str() == "blob").cloned().collect();
            target = refs::kept(self.file, reference)?;
            for child in blob.iter().filter_map(|name| inside.children.remove(name)) {
                target = self.target(reference, &child, image)?.or(target);
            }
        }
        let old = edit.canonical(at, image)?;
        placed(edit, &old, target, (&path, image.base), |part, image| {
            self.inside(part.body, (edit.list.kind, part.at), &inside, image)
        })
    }
}

/// Returns an element with other contents as a piece of what starts at `base`; one of a world refers to a blob.
fn placed(
    edit: &ListEdit<'_>,
    old: &[u8],
    target: Option<Target>,
    (path, base): (&Path, usize),
    change: impl FnOnce(&Part<'_>, &mut Image<'_>) -> Result<()>,
) -> Result<Piece> {
    let shape = Shape::Of(edit.parts);
    shape.offsets(old, path)?;
    let new = shape.edit(old, path, change)?;
    let mut words = Vec::new();
    if edit.blobs.is_some() {
        let why = "an added reference needs `blob`, or `like` with the path of another reference";
        let target = target.ok_or_else(|| EditError::unsupported(path, why))?;
        words.push(Word::Blob { at: shape.blob_place(&new).checked()?, target });
    }
    let mut piece = shape.piece(new, base, path)?;
    piece.words.extend(words);
    Ok(piece)
}
