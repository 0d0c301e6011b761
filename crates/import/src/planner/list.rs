//! Lists in documents.

use std::collections::{HashMap, VecDeque};

use worldview_core::Path;
use worldview_core::describe::{Field, Flow, List, ListFlag, PartList, Role};
use worldview_edit::fields::{is_said, value_of, values};
use worldview_edit::{Change, Position, element_key, element_paths};
use worldview_inspect::first_field;

use super::objects::{ObjectRows, Objects};
use super::rows::{Frames, Records, Rows};
use super::{Mode, Owner, Planner, own_path};
use crate::doc::{Doc, Members};
use crate::given::{Given, Reader};

/// The keys and the offsets of the elements of a list.
type Elements = (Vec<Option<Vec<u8>>>, Vec<u64>);

impl Planner<'_> {
    /// Compares a list with what a document has for it.
    pub(super) fn list(&mut self, parts: &dyn PartList, doc: Doc<'_>, owner: Owner<'_>, is_main: bool) {
        let list = parts.list();
        let is_frozen = owner.is_frozen || !matches!(list.role, Role::Data | Role::Reserved);
        let owner = Owner { is_frozen, ..owner };
        let path = own_path(owner.path, is_main, list.name);
        if list.is(ListFlag::Single) {
            return self.single(parts, doc, (owner, is_main));
        }
        let docs = match doc.list() {
            Ok(docs) => docs,
            Err(why) => return self.refuse(&path, "", why),
        };
        let (mut keys, mut offsets) = Elements::default();
        let mut error = None;
        let _ = parts.each(&mut |part| {
            match part {
                Ok(part) => {
                    keys.push(element_key(part.key));
                    offsets.push(part.offset());
                }
                Err(found) => error = Some(*found),
            }
            if keys.len() as u64 <= self.visits { Flow::Continue(()) } else { Flow::Break(()) }
        });
        let visits = self.visits.checked_sub(keys.len() as u64);
        self.visits = visits.unwrap_or(0);
        if visits.is_none() {
            return self.refuse(&path, "", "the lists of the file overlap, so that comparing them takes too long");
        }
        // What ends a list early is its last element in a document.
        let (docs, behind) = match error {
            Some(_) => docs.split_at(docs.len().saturating_sub(1)),
            None => (&docs[..], &[][..]),
        };
        if let Some((error, last)) = error.zip(behind.first().and_then(|last| last.members().ok())) {
            let body = |visitor: &mut dyn worldview_core::describe::Visit| visitor.broken(&error);
            self.within(docs.len(), |planner| planner.old(&body, owner, None, &mut { last }));
        }
        if list.is(ListFlag::Scalar) {
            return self.scalars(parts, &offsets, docs, (owner, is_main));
        }
        let rows = |planner: &mut Self, rows: &mut dyn Rows| {
            for (number, doc) in docs.iter().enumerate() {
                planner.within(number, |planner| match doc.members() {
                    Ok(mut members) => planner.row(rows, &mut members),
                    Err(why) => planner.refuse(&path, "", why),
                });
            }
        };
        match list.kind {
            "record" if !is_frozen => {
                let mut records = Records::of(parts, keys.len(), self.mode != Mode::Edit);
                rows(self, &mut records);
                records.finish(self);
            }
            "frame" if self.mode != Mode::Compare => {
                self.check_count(&list, keys.len(), docs.len(), &path);
                rows(self, &mut Frames::of(parts));
            }
            "object" if self.mode != Mode::Compare && self.level.is_some() => {
                let Some(level) = self.level else { return };
                let objects = self.objects.take().map_or_else(|| Objects::of(level), Ok);
                let mut objects = match objects {
                    Ok(objects) => objects,
                    Err(error) => return self.refuse_with(error.into(), ""),
                };
                objects.list(owner.index);
                rows(self, &mut ObjectRows::of_plane(&mut objects, owner.index, self));
                self.objects = Some(objects);
            }
            _ => self.elements(parts, &(keys, offsets), docs, (owner, is_main)),
        }
    }

    /// Refuses a list that has another number of elements.
    fn check_count(&mut self, list: &List, old: usize, new: usize, path: &Path) -> bool {
        if old == new {
            return true;
        }
        let is_content = list.role != Role::Storage && list.role != Role::Derived;
        if self.mode != Mode::Edit || !is_content {
            let why = || format!("expected a list of {old}, found a list of {new}");
            self.differs(list.name, path, is_content, why);
            return false;
        }
        let name = if list.kind == "frame" { "tile attributes".to_owned() } else { list.name.replace('_', " ") };
        self.refuse(path, "", format!("the number of {name} cannot change: expected {old}, found {new}"));
        false
    }

    fn single(&mut self, parts: &dyn PartList, doc: Doc<'_>, (owner, is_main): (Owner<'_>, bool)) {
        let (list, mut is_there) = (parts.list(), false);
        let _ = parts.each(&mut |part| {
            is_there = true;
            let Ok(part) = part else { return Flow::Break(()) };
            let path = match part.body.has_main_list() {
                true => owner.path.clone(),
                false => own_path(owner.path, is_main, list.name),
            };
            match doc.members() {
                Ok(mut members) => {
                    let owner = Owner { path: &path, index: part.index, ..owner };
                    self.old_part(part, owner, None, &mut members);
                }
                Err(why) => self.differs(list.name, &path, true, || why),
            }
            Flow::Break(())
        });
        if !is_there && !doc.is_null() {
            let path = own_path(owner.path, is_main, list.name);
            self.differs(list.name, &path, true, || "the file has none".to_owned());
        }
    }

    /// Compares elements that are values: texts.
    fn scalars(
        &mut self,
        parts: &dyn PartList,
        offsets: &[u64],
        docs: &[Doc<'_>],
        (owner, is_main): (Owner<'_>, bool),
    ) {
        let list = parts.list();
        let path = own_path(owner.path, is_main, list.name);
        let can_grow = !owner.is_frozen && self.mode != Mode::Compare && parts.editable().slots().is_some();
        // Texts that records brought to the pool of a new table are behind those of the document.
        let is_pool = self.mode == Mode::Compare && owner.is_frozen && docs.len() < offsets.len();
        if can_grow && docs.len() < offsets.len() {
            let why = format!(
                "tiles refer to image sets by number, so none can be removed: expected {}, found {}",
                offsets.len(),
                docs.len()
            );
            return self.refuse(&path, "", why);
        } else if !can_grow && !is_pool && !self.check_count(&list, offsets.len(), docs.len(), &path) {
            return;
        }
        let element = |index: u32| {
            let kind = list.kind.as_bytes();
            owner.path.with(|path| if is_main { path.push("@", kind, Some(index)) } else { path.push_nth(kind, index) })
        };
        let is_frozen = owner.is_frozen || self.mode == Mode::Compare;
        for ((number, doc), at) in (0_u32..).zip(docs).zip(offsets) {
            let (given, path) = (Given::Json(Some(*doc), None), element(number));
            let reader = Reader { encoding: self.encoding, is_new: false, is_new_file: false };
            let first = &mut |field: &Field<'_>| match reader.read(field, &given) {
                // A reference that is renamed has its name here, too.
                _ if given.name().is_some_and(|name| self.renamed.contains(&*name)) => {}
                _ if is_frozen || !is_said(field) => self.frozen(field, &path, &given),
                Ok(None) => {}
                Ok(Some(to)) => {
                    let from = Some(value_of(field.value, field.stored));
                    self.planned.changes.push(Change::Set { path: path.clone(), from, to });
                }
                Err(why) => self.refuse(&path, "", why),
            };
            parts.get(number, *at, &mut |part| first_field(part.body, first));
        }
        for (index, doc) in (0_u32..).zip(docs).skip(offsets.len()).take_while(|_| can_grow) {
            let reader = Reader { encoding: self.encoding, is_new: true, is_new_file: false };
            let mut read = Err("no element can be added".to_owned());
            let editable = parts.editable();
            editable.blank(&|_| None, &mut |bytes| {
                editable.alone(bytes, &mut |part| {
                    first_field(part.body, &mut |field| read = reader.read(field, &Given::Json(Some(*doc), None)));
                });
            });
            match read {
                Ok(data) => self.planned.changes.push(Change::Add {
                    path: element(index),
                    like: None,
                    position: Position::Natural,
                    fields: Vec::new(),
                    data,
                }),
                Err(why) => self.within(index, |planner| planner.refuse(&element(index), "", why)),
            }
        }
    }

    /// Compares elements that a document has in the order of the file. If it has more or fewer, they are found by their keys.
    fn elements(
        &mut self,
        parts: &dyn PartList,
        (keys, offsets): &Elements,
        docs: &[Doc<'_>],
        (owner, is_main): (Owner<'_>, bool),
    ) {
        let list = parts.list();
        let key = parts.editable().slots().and_then(|slots| slots.key);
        let all: Vec<_> = docs.iter().map(|doc| doc.members()).collect();
        let is_keyed = keys.len() != docs.len() && !owner.is_frozen && self.mode == Mode::Edit;
        let can_change = is_keyed && matches!(list.kind, "translation" | "rotation" | "scale" | "morph");
        let mut doc_of: Vec<Option<usize>> =
            (0..keys.len()).map(|index| Some(index).filter(|index| *index < docs.len())).collect();
        let path = own_path(owner.path, is_main, list.name);
        let mut added = Vec::new();
        if let Some(key) = key.filter(|_| can_change) {
            let own = all.iter().map(|members| members.as_ref().ok().and_then(|members| self.key(members, key)));
            (doc_of, added) = pair(keys, own.collect());
        } else if !self.check_count(&list, keys.len(), docs.len(), &path) && self.mode == Mode::Edit {
            return;
        }
        let paths = element_paths(&list, keys, owner.path, is_main);
        let mut all: Vec<_> = all.into_iter().map(Some).collect();
        for (((index, at), path), doc) in (0_u32..).zip(offsets).zip(&paths).zip(&doc_of) {
            parts.get(index, *at, &mut |part| match doc.and_then(|doc| Some((doc, all.get_mut(doc)?.take()?))) {
                Some((number, Ok(mut members))) => {
                    let owner = Owner { path, index, ..owner };
                    self.within(number, |planner| planner.old_part(part, owner, None, &mut members));
                }
                Some((number, Err(why))) => self.within(number, |planner| planner.refuse(path, "", why)),
                None if can_change => {
                    let (fields, data) = values(part.body, None);
                    let (path, was) = (path.clone(), Position::Natural);
                    self.planned.changes.push(Change::Remove { path, fields, data, was });
                }
                None => {}
            });
        }
        for number in added {
            let Some(Some(Ok(mut members))) = all.get_mut(number).map(Option::take) else { continue };
            let Some(own) = key.and_then(|key| self.key(&members, key)) else {
                self.within(number, |planner| planner.refuse(&path, "", format!("a new {} needs its key", list.kind)));
                continue;
            };
            let path = owner.path.with(|path| path.push(list.kind, &own, None));
            let mut fields = Vec::new();
            let editable = parts.editable();
            self.within(number, |planner| {
                editable.blank(&|_| None, &mut |bytes| {
                    editable.alone(bytes, &mut |part| fields = planner.new_fields(part.body, &path, &mut members));
                });
            });
            fields.retain(|(name, _)| Some(name.as_str()) != key);
            self.planned.changes.push(Change::Add {
                path,
                like: None,
                position: Position::Natural,
                fields,
                data: None,
            });
        }
    }

    /// Returns the key of an element of a document.
    fn key(&self, members: &Members<'_>, key: &str) -> Option<Vec<u8>> {
        let doc = Members::get(members, key)?;
        match doc.text() {
            Some(text) => self.encoding.encode(&text),
            None => Some(crate::doc::whole(&*doc.json().ok()?)?.to_string().into_bytes()),
        }
    }
}

/// Pairs elements with those of a document by their keys, and those that are left in order: their key was edited. Returns the
/// element of the document for each, and the elements of the document that are new.
fn pair(elements: &[Option<Vec<u8>>], keys: Vec<Option<Vec<u8>>>) -> (Vec<Option<usize>>, Vec<usize>) {
    let mut by_key: HashMap<Option<&Vec<u8>>, VecDeque<usize>> = HashMap::new();
    for (index, key) in elements.iter().enumerate() {
        by_key.entry(key.as_ref()).or_default().push_back(index);
    }
    let (mut doc_of, mut left) = (vec![None; elements.len()], Vec::new());
    for (number, key) in keys.iter().enumerate() {
        let found = by_key.get_mut(&key.as_ref()).and_then(VecDeque::pop_front).and_then(|index| doc_of.get_mut(index));
        match found {
            Some(place) => *place = Some(number),
            None => left.push(number),
        }
    }
    (doc_of, left)
}
