use std::collections::{HashMap, HashSet};

use worldview_core::{Path, Segment};
use worldview_rez::raw::RezHeader;
use worldview_rez::{Directory, DirectoryEntry, Rez};
use worldview_wwd::Unpacker;
use zerocopy::IntoBytes as _;

use super::entry::{Content, Draft, Planned, entries, expect_data, is_directory, label, wrong};
use super::{LEVEL, is_field, is_level};
use crate::fields::{self, Wish};
use crate::tree::{Tree, field, is_recorded, unexpected};
use crate::{Change, Changes, EditError, EditErrorKind, Patches, Position, Result, Value, wwd};

/// Applies the changes of a tree to an archive, those of the header's fields to `header`.
pub(super) fn edit<'v, 'a>(
    root: Directory<'v, 'a>,
    tree: &Tree<'_>,
    unpacker: Unpacker,
    header: &mut RezHeader,
) -> Result<Draft<'v, 'a>> {
    let fields = tree.children.iter().filter(|(name, _)| is_field(name));
    let wishes = fields.filter_map(|(name, node)| Some(Wish::of(name.segments().next()?, node)));
    let mut draft = fields::Draft::new(0, header.as_bytes());
    fields::set(header, &wishes.collect::<Result<Vec<_>>>()?, &mut draft)?;
    *header = draft.finish_as(&Path::new())?;
    Edit { path: Path::new(), unpacker, depth: 0 }.directory(Some(root), tree)
}

/// The state of a walk into the directories that are edited.
struct Edit {
    /// The directory that is edited.
    path: Path,
    unpacker: Unpacker,
    depth: u32,
}

/// The entries of a directory by name.
struct Names {
    exact: HashMap<Vec<u8>, Vec<usize>>,
    /// In upper case.
    folded: HashMap<Vec<u8>, Vec<usize>>,
}

impl Names {
    fn of(directory: Option<&Directory<'_, '_>>) -> Self {
        let mut names = Self { exact: HashMap::new(), folded: HashMap::new() };
        for (index, entry) in directory.into_iter().flat_map(|directory| directory.entries()).enumerate() {
            let label = label(&entry);
            names.folded.entry(label.to_ascii_uppercase()).or_default().push(index);
            names.exact.entry(label).or_default().push(index);
        }
        names
    }

    fn list<'n>(names: &'n HashMap<Vec<u8>, Vec<usize>>, name: &[u8]) -> &'n [usize] {
        names.get(name).map_or(&[], |list| list)
    }

    fn alike(&self, name: &[u8]) -> &[usize] {
        Self::list(&self.folded, &name.to_ascii_uppercase())
    }

    /// Returns the entry that a segment names, ignoring case if no entry has exactly this name.
    fn find(&self, segment: &Segment<'_>) -> std::result::Result<usize, EditErrorKind> {
        let exact = Self::list(&self.exact, &segment.key);
        let list = match (exact, segment.nth) {
            (exact, Some(nth)) => exact.get(nth as usize..).and_then(|rest| rest.get(..1)).unwrap_or(&[]),
            ([], None) => self.alike(&segment.key),
            (exact, None) => exact,
        };
        match list {
            [] => Err(EditErrorKind::NotFound),
            [index] => Ok(*index),
            several => Err(EditErrorKind::Ambiguous { count: several.len() }),
        }
    }
}

impl Edit {
    /// Applies changes to a directory, or fills a new one.
    fn directory<'v, 'a>(&mut self, original: Option<Directory<'v, 'a>>, tree: &Tree<'_>) -> Result<Draft<'v, 'a>> {
        if self.depth > Rez::MAX_DEPTH {
            return Err(EditError::unsupported(&self.path, "the directories are nested too deeply"));
        }
        let names = Names::of(original.as_ref());
        let mut list = List {
            original,
            entries: original.as_ref().map(entries).unwrap_or_default(),
            names,
            removed: HashSet::new(),
        };
        let mark = self.path.mark();
        for (name, node) in tree.in_order().into_iter().filter(|(name, _)| !is_field(name)) {
            let at = || node.any().map_or_else(Path::new, |change| change.path().clone());
            let segment = name.segments().next().filter(|segment| segment.kind.is_none()).ok_or_else(|| {
                EditError::unsupported(&at(), "a directory has only files, directories and fields such as @time")
            })?;
            self.path.append(name);
            if let Some(Change::Add { .. }) = node.change {
                self.added(&mut list, &segment, node)?;
                self.path.truncate(mark);
                continue;
            }
            let index = match (list.names.find(&segment), node.change) {
                (Err(EditErrorKind::NotFound), Some(Change::Remove { fields, data, .. }))
                    if is_recorded(fields, data.as_ref()) =>
                {
                    node.are_done_already();
                    self.path.truncate(mark);
                    continue;
                }
                (Err(EditErrorKind::NotFound), Some(Change::Rename { to, path })) => {
                    let renamed = Segment { kind: None, key: bytes(to, path)?.into(), nth: None };
                    list.names.find(&renamed).map_err(|_| EditErrorKind::NotFound)
                }
                (found, _) => found,
            };
            let index = index.map_err(|kind| EditError::new(&self.path, kind))?;
            let entry = original.and_then(|directory| directory.get(index));
            let entry = entry.ok_or_else(|| EditError::new(&self.path, EditErrorKind::NotFound))?;
            self.entry(&mut list, index, &entry, node)?;
            self.path.truncate(mark);
        }
        let List { mut entries, removed, .. } = list;
        entries.retain(|entry| !entry.origin.is_some_and(|origin| removed.contains(&origin)));
        Ok(Draft { original, entries })
    }

    /// Adds an entry.
    fn added<'v, 'a>(&mut self, list: &mut List<'v, 'a>, segment: &Segment<'_>, node: &Tree<'_>) -> Result<()> {
        let Some(Change::Add { path, like, position, fields, data }) = node.change else { return Ok(()) };
        let exists = match segment.nth {
            Some(_) => list.names.find(segment).is_ok(),
            None => !list.names.alike(&segment.key).is_empty(),
        };
        if exists {
            return self.there(list, segment, (fields, data.as_ref()), node, path);
        }
        let mut entry = Planned::new(is_directory(fields));
        if let Some(like) = like {
            let index = self.sibling(list, like, path)?;
            let Some(DirectoryEntry::File(model)) = list.original.and_then(|directory| directory.get(index)) else {
                return Err(EditError::unsupported(path, "only a file can be added like another one"));
            };
            (entry.file, entry.rest, entry.header.time) =
                (Some(*model.header()), model.rest().into(), model.entry().time);
            entry.content = Content::New(model.data().to_vec());
        }
        entry.rename(&segment.key, path)?;
        for (name, value) in fields {
            entry.set(name.as_bytes(), None, value, path)?;
        }
        match (&mut entry.content, data) {
            (Content::Directory(_), Some(_)) => {
                return Err(EditError::unsupported(path, "a directory has no data; add the files in it"));
            }
            (Content::Directory(draft), None) => {
                self.depth = self.depth.saturating_add(1);
                *draft = self.directory(None, node)?;
                self.depth = self.depth.saturating_sub(1);
            }
            (content, Some(data)) => *content = Content::New(bytes(data, path)?.to_vec()),
            (_, None) => {}
        }
        let at = self.position(list, position, path)?;
        list.entries.insert(at, entry);
        Ok(())
    }

    /// Takes an entry to be added that is there already. What a directory contains is added to it.
    fn there<'v, 'a>(
        &mut self,
        list: &mut List<'v, 'a>,
        segment: &Segment<'_>,
        (fields, data): (&[(String, Value)], Option<&Value>),
        node: &Tree<'_>,
        path: &Path,
    ) -> Result<()> {
        let exists = || EditError::new(path, EditErrorKind::Exists);
        let index = list.names.find(segment).map_err(|_| exists())?;
        let entry = list.original.and_then(|directory| directory.get(index)).ok_or_else(exists)?;
        let found = Planned::of(index, &entry).expect(fields, path);
        let is_same = match &entry {
            DirectoryEntry::File(file) => !is_directory(fields) && expect_data(file, data, path).is_ok(),
            DirectoryEntry::Directory(_) => is_directory(fields),
        };
        if found.is_err() || !is_same {
            return Err(exists());
        }
        node.is_done_already();
        self.entry(list, index, &entry, &node.inside())
    }

    /// Applies the changes of an entry and of what is in it.
    fn entry<'v, 'a>(
        &mut self,
        list: &mut List<'v, 'a>,
        index: usize,
        entry: &DirectoryEntry<'v, 'a>,
        node: &Tree<'_>,
    ) -> Result<()> {
        let not_found = || EditError::new(&self.path, EditErrorKind::NotFound);
        match node.change {
            Some(Change::Remove { path, fields, data, .. }) => {
                return self.removed(list, index, entry, (path, fields, data.as_ref()), node);
            }
            Some(Change::Set { path, from, to }) => {
                let DirectoryEntry::File(file) = entry else {
                    return Err(EditError::unsupported(path, "a directory has no data; set the files in it"));
                };
                let new = bytes(to, path)?;
                let is_there = new == file.data();
                expect_data(file, from.as_ref().filter(|_| !is_there), path)?;
                let inner = node.children.iter().find(|(name, _)| !is_field(name)).and_then(|(_, node)| node.any());
                if let Some(inner) = inner {
                    return Err(EditError::new(path, EditErrorKind::Conflict { other: inner.path().clone() }));
                }
                if is_there {
                    node.is_done_already();
                } else {
                    list.planned(index).ok_or_else(not_found)?.content = Content::New(new.to_vec());
                }
            }
            Some(Change::Rename { path, to }) => {
                let label = bytes(to, path)?;
                if super::entry::label(entry) == label {
                    node.is_done_already();
                } else if list.names.alike(label).iter().any(|other| *other != index) {
                    return Err(EditError::new(path, EditErrorKind::Exists));
                } else {
                    list.planned(index).ok_or_else(not_found)?.rename(label, path)?;
                }
            }
            Some(Change::Move { path, position, .. }) => {
                let at = list.entries.iter().position(|entry| entry.origin == Some(index)).ok_or_else(not_found)?;
                let mut moved = list.entries.remove(at);
                moved.is_placed = true;
                let at = self.position(list, position, path)?;
                list.entries.insert(at, moved);
            }
            Some(change @ Change::Add { .. }) => return Err(unexpected(change)),
            None => {}
        }
        let mut inner = false;
        for (name, node) in &node.children {
            if !is_field(name) {
                inner = true;
                continue;
            }
            let (name, from, to, path) = field(name, node)?;
            if list.planned(index).ok_or_else(not_found)?.set(&name, from, to, path)? {
                node.is_done_already();
            }
        }
        if !inner {
            return Ok(());
        }
        let content = match entry {
            DirectoryEntry::Directory(directory) => {
                self.depth = self.depth.saturating_add(1);
                let draft = self.directory(Some(*directory), node)?;
                self.depth = self.depth.saturating_sub(1);
                Content::Directory(draft)
            }
            DirectoryEntry::File(file) if is_level(file) => Content::Edited(self.level(file.data(), node)?),
            DirectoryEntry::File(_) => {
                let why = "this file is not a level, so there is nothing to edit inside it";
                return Err(EditError::unsupported(&self.path, why));
            }
        };
        list.planned(index).ok_or_else(|| EditError::new(&self.path, EditErrorKind::NotFound))?.content = content;
        Ok(())
    }

    /// Removes an entry. What a removed directory must contain may be said by changes of their own.
    fn removed<'v, 'a>(
        &mut self,
        list: &mut List<'v, 'a>,
        index: usize,
        entry: &DirectoryEntry<'v, 'a>,
        (path, fields, data): (&Path, &[(String, Value)], Option<&Value>),
        node: &Tree<'_>,
    ) -> Result<()> {
        Planned::of(index, entry).expect(fields, path)?;
        match (entry, data) {
            (DirectoryEntry::File(file), data) => expect_data(file, data, path)?,
            (DirectoryEntry::Directory(_), Some(_)) => {
                return Err(EditError::unsupported(path, "a directory has no data"));
            }
            (DirectoryEntry::Directory(directory), None) => {
                if let Some(change) = other_than_removal(node) {
                    return Err(EditError::new(change.path(), EditErrorKind::Conflict { other: path.clone() }));
                }
                self.depth = self.depth.saturating_add(1);
                self.directory(Some(*directory), node)?;
                self.depth = self.depth.saturating_sub(1);
            }
        }
        list.removed.insert(index);
        Ok(())
    }

    /// Applies changes to a level in the archive.
    fn level<'a>(&self, data: &'a [u8], node: &Tree<'_>) -> Result<Patches<'a>> {
        let mut list = Vec::new();
        let mut open: Vec<&Tree<'_>> =
            node.children.iter().filter(|(name, _)| !is_field(name)).map(|(_, node)| node).collect();
        while let Some(node) = open.pop() {
            list.extend(node.change.map(|change| (node.order, change)));
            open.extend(node.children.values());
        }
        list.sort_by_key(|(order, _)| *order);
        let changes: Changes = list.into_iter().map(|(_, change)| change.clone()).collect();
        let mut level = self.path.clone();
        level.push("@", LEVEL, None);
        let changes = changes.inside(&[&level, &self.path]);
        let edited = wwd::apply_with(data, &changes, self.unpacker).map_err(|error| {
            let outer = |path: Path| {
                let mut outer = level.clone();
                outer.append(&path);
                outer
            };
            let kind = match error.kind {
                EditErrorKind::Conflict { other } => EditErrorKind::Conflict { other: outer(other) },
                kind => kind,
            };
            EditError { path: outer(error.path), kind }
        })?;
        node.done_already_inside(edited.account().equal);
        Ok(edited)
    }

    /// The entry that another path of a change leads to, which must be in the same directory.
    fn sibling(&self, list: &List<'_, '_>, other: &Path, path: &Path) -> Result<usize> {
        let same_list = other.len() == path.len()
            && other.parts().zip(path.parts()).take(path.len().saturating_sub(1)).all(|(left, right)| left == right);
        let segment = other.segments().last().filter(|segment| same_list && segment.kind.is_none());
        let segment = segment.ok_or_else(|| {
            let why = "`like`, `before` and `after` must name an entry of the same directory";
            EditError::unsupported(path, why)
        })?;
        list.names.find(&segment).map_err(|kind| EditError::new(other, kind))
    }

    /// Where in the list an entry goes.
    fn position(&self, list: &List<'_, '_>, position: &Position, path: &Path) -> Result<usize> {
        let (other, behind) = match position {
            Position::Natural => return Ok(list.entries.len()),
            Position::Before(other) => (other, 0),
            Position::After(other) => (other, 1),
        };
        let origin = self.sibling(list, other, path)?;
        let at = list.entries.iter().position(|entry| entry.origin == Some(origin));
        let at = at.ok_or_else(|| EditError::new(other, EditErrorKind::NotFound))?.saturating_add(behind);
        // Entries that go to the same place stay in the order of the list of changes.
        let placed = list.entries.iter().skip(at).take_while(|entry| behind > 0 && entry.is_placed).count();
        Ok(at.saturating_add(placed))
    }
}

/// The entries of a directory that is being edited.
struct List<'v, 'a> {
    original: Option<Directory<'v, 'a>>,
    entries: Vec<Planned<'v, 'a>>,
    names: Names,
    /// They stay in the list until the end, for others may go beside them.
    removed: HashSet<usize>,
}

impl<'v, 'a> List<'v, 'a> {
    /// Returns an entry of the original.
    fn planned(&mut self, index: usize) -> Option<&mut Planned<'v, 'a>> {
        // Entries move by few places, if at all.
        match self.entries.get(index).is_some_and(|entry| entry.origin == Some(index)) {
            true => self.entries.get_mut(index),
            false => self.entries.iter_mut().find(|entry| entry.origin == Some(index)),
        }
    }
}

/// Returns a change below a removed element that is no removal.
fn other_than_removal<'c>(node: &Tree<'c>) -> Option<&'c Change> {
    let mut open: Vec<_> = node.children.values().collect();
    while let Some(node) = open.pop() {
        match node.change {
            Some(change) if !matches!(change, Change::Remove { .. }) => return Some(change),
            _ => open.extend(node.children.values()),
        }
    }
    None
}

fn bytes<'v>(value: &'v Value, path: &Path) -> Result<&'v [u8]> {
    value.as_bytes().ok_or_else(|| wrong(path, "text or bytes", value))
}
