use std::borrow::Cow;
use std::collections::HashMap;

use worldview_core::{Path, Segment};
use worldview_wpd::raw::Entry;
use worldview_wpd::{Archive, Member, Table};
use zerocopy::{FromBytes as _, FromZeros as _};

use super::layout::{Data, Draft, Planned};
use crate::tree::Tree;
use crate::{Change, EditError, EditErrorKind, Position, Result, Value};

/// An archive that is being edited, by the names of those members that changes may be about.
pub(super) struct Edit<'e, 'a> {
    pub(super) archive: &'e Archive<'a>,
    pub(super) draft: Draft<'a>,
    pub(super) path: &'e Path,
    pub(super) names: Names<'e, 'a>,
}

/// Members by name.
pub(super) enum Names<'e, 'a> {
    /// Names that the archive itself can look up; of a table, the names of its rows.
    Sorted(Archive<'a>, Option<&'e Table<'e>>),
    Map(HashMap<Cow<'a, [u8]>, Vec<usize>>),
}

impl<'e, 'a> Names<'e, 'a> {
    /// Takes the names of all members, or those of a table's rows.
    pub(super) fn of(archive: &Archive<'a>, table: Option<&'e Table<'e>>) -> Self {
        if archive.is_sorted() {
            return Self::Sorted(*archive, table);
        }
        let mut names: HashMap<_, Vec<usize>> = HashMap::new();
        for member in archive.members().filter(|member| is_named(table, member)) {
            names.entry(label(&member)).or_default().push(member.index());
        }
        Self::Map(names)
    }

    /// Returns the number of the `nth` member of a name, and how many there are.
    fn get(&self, name: &[u8], nth: usize) -> (Option<usize>, usize) {
        match self {
            Self::Sorted(archive, table) => {
                // The name may end at any dot, or have no extension.
                let dots = name.iter().enumerate().filter(|(_, byte)| **byte == b'.').map(|(at, _)| at);
                let mut ends = dots.chain([name.len()]);
                let member = ends.find_map(|end| {
                    let member = archive.by_name(name.get(..end)?)?;
                    (*label(&member) == *name && is_named(*table, &member)).then_some(member)
                });
                (member.as_ref().filter(|_| nth == 0).map(Member::index), usize::from(member.is_some()))
            }
            Self::Map(names) => {
                let list = names.get(name).map_or(&[][..], |list| list);
                (list.get(nth).copied(), list.len())
            }
        }
    }
}

/// Whether changes name a member: in a table, they name the rows and not the sections.
fn is_named(table: Option<&Table<'_>>, member: &Member<'_>) -> bool {
    !table.is_some_and(|table| table.is_section(member.entry()))
}

/// What a path leads to: the member's number.
pub(super) type MemberNumber = Option<usize>;

impl<'a> Edit<'_, 'a> {
    /// Finds the member that a segment names.
    pub(super) fn place(&self, name: &Path, node: &Tree<'_>) -> Result<MemberNumber> {
        let at = || node.any().map_or_else(|| joined(self.path, name), |change| change.path().clone());
        let segment = only(name).filter(|segment| segment.kind.is_none());
        let segment = segment
            .ok_or_else(|| EditError::unsupported(&at(), "only members, records and their fields can be edited"))?;
        let nth = usize::try_from(segment.nth.unwrap_or(0)).unwrap_or(usize::MAX);
        match self.names.get(&segment.key, nth) {
            (Some(_), count) if count > 1 && segment.nth.is_none() => {
                Err(EditError::new(&at(), EditErrorKind::Ambiguous { count }))
            }
            (found, _) => Ok(found),
        }
    }

    /// Returns the member that a segment led to.
    pub(super) fn found(&self, place: &MemberNumber, name: &Path) -> Result<Member<'a>> {
        let not_found = || EditError::new(&joined(self.path, name), EditErrorKind::NotFound);
        place.and_then(|index| self.archive.get(index)).ok_or_else(not_found)
    }

    /// Applies a change of a whole member.
    pub(super) fn member(&mut self, change: &Change, name: &Path, place: MemberNumber) -> Result<()> {
        let path = change.path();
        match change {
            Change::Set { from, to, .. } => {
                let member = self.found(&place, name)?;
                expect_bytes(path, from.as_ref(), member.data())?;
                let new = bytes(path, to)?;
                if new != member.data() {
                    self.draft.put(member.index(), Data::New(new.to_vec().into()));
                }
                Ok(())
            }
            Change::Add { like, position, fields, data, .. } => {
                if !fields.is_empty() {
                    return Err(EditError::unsupported(path, "a member has no fields; give its bytes as `data`"));
                }
                let model = like.as_ref().map(|like| self.sibling(like, path)).transpose()?;
                let data = match (data, &model) {
                    (Some(data), _) => bytes(path, data)?.to_vec(),
                    (None, Some(model)) => model.data().to_vec(),
                    (None, None) => Vec::new(),
                };
                self.add(path, name, place, position, data)
            }
            Change::Remove { data, fields, .. } => {
                if !fields.is_empty() {
                    return Err(EditError::unsupported(path, "a member has no fields; give its bytes as `data`"));
                }
                let member = self.found(&place, name)?;
                expect_bytes(path, data.as_ref(), member.data())?;
                self.remove(member.index());
                Ok(())
            }
            Change::Rename { to, .. } => {
                let member = self.found(&place, name)?;
                self.rename(path, member.index(), to)
            }
            Change::Move { position, .. } => {
                let member = self.found(&place, name)?;
                self.shift(path, member.index(), position)
            }
        }
    }

    pub(super) fn remove(&mut self, index: usize) {
        self.draft.remove(index);
    }

    /// Adds a member; in a sorted archive it goes where its name belongs.
    pub(super) fn add(
        &mut self,
        path: &Path,
        name: &Path,
        place: MemberNumber,
        position: &Position,
        data: Vec<u8>,
    ) -> Result<()> {
        if place.is_some() {
            return Err(EditError::new(path, EditErrorKind::Exists));
        }
        let Some(segment) = only(name) else { return Err(EditError::new(path, EditErrorKind::NotFound)) };
        let entry = self.named(path, &segment.key)?;
        let at = self.position(path, position, &entry)?;
        self.draft.members().insert(at, Planned { origin: None, entry, data: Data::New(data.into()) });
        Ok(())
    }

    pub(super) fn rename(&mut self, path: &Path, index: usize, to: &Value) -> Result<()> {
        let name = to.as_bytes().ok_or_else(|| wrong(path, "a name", to))?;
        if self.names.get(name, 0).1 > 0 {
            return Err(EditError::new(path, EditErrorKind::Exists));
        }
        let entry = self.named(path, name)?;
        let members = self.draft.members();
        // Members move by few places, if at all.
        let at = match members.get(index) {
            Some(member) if member.origin == Some(index) => Some(index),
            _ => members.iter().position(|member| member.origin == Some(index)),
        };
        let found = at.and_then(|at| Some((at, members.get_mut(at)?)));
        let (at, member) = found.ok_or_else(|| EditError::new(path, EditErrorKind::NotFound))?;
        (member.entry.name, member.entry.extension) = (entry.name, entry.extension);
        if !self.archive.is_sorted() {
            return Ok(());
        }
        if self.archive.is_table() {
            self.draft.sort = true;
            return Ok(());
        }
        let member = self.draft.members().remove(at);
        let at = self.position(path, &Position::Natural, &entry)?;
        self.draft.members().insert(at, member);
        Ok(())
    }

    pub(super) fn shift(&mut self, path: &Path, index: usize, position: &Position) -> Result<()> {
        if self.is_ordered(position) {
            return Err(EditError::unsupported(path, "the records are sorted by name, so their order cannot change"));
        }
        let Some(at) = self.draft.members().iter().position(|member| member.origin == Some(index)) else {
            return Err(EditError::new(path, EditErrorKind::NotFound));
        };
        let member = self.draft.members().remove(at);
        let at = self.position(path, position, &member.entry)?;
        self.draft.members().insert(at, member);
        Ok(())
    }

    /// Whether names decide where a member goes: in sorted tables, and where a sorted archive gets a member without a place.
    fn is_ordered(&self, position: &Position) -> bool {
        let has_order = self.archive.is_table() || *position == Position::Natural && !self.archive.entries().is_empty();
        self.archive.is_sorted() && has_order
    }

    /// Where in the draft a member goes.
    fn position(&mut self, path: &Path, position: &Position, entry: &Entry) -> Result<usize> {
        let (other, behind) = match position {
            _ if self.archive.is_table() && self.is_ordered(position) => {
                self.draft.sort = true;
                return Ok(self.draft.members().len());
            }
            _ if self.is_ordered(position) => {
                let members = self.draft.members();
                return Ok(members.partition_point(|member| member.entry.name.raw() < entry.name.raw()));
            }
            Position::Natural => return Ok(self.draft.members().len()),
            Position::Before(other) => (other, 0),
            Position::After(other) => (other, 1),
        };
        let origin = self.sibling(other, path)?.index();
        let members = self.draft.members();
        let at = members.iter().position(|member| member.origin == Some(origin));
        let at = at.ok_or_else(|| EditError::new(other, EditErrorKind::NotFound))?.saturating_add(behind);
        // Elements that go to the same place stay in the order of the list of changes.
        let added = members.iter().skip(at).take_while(|member| behind > 0 && member.origin.is_none()).count();
        Ok(at.saturating_add(added))
    }

    /// The member that another path of a change leads to, which must be in the same archive.
    pub(super) fn sibling(&self, other: &Path, path: &Path) -> Result<Member<'a>> {
        let Some((outer, last)) = split_last(other).filter(|(outer, _)| outer == self.path) else {
            return Err(EditError::unsupported(
                path,
                "`like`, `before` and `after` must name an element of the same list",
            ));
        };
        debug_assert_eq!(&outer, self.path);
        let place = self.place(&last, &Tree::default())?;
        self.found(&place, &last)
    }

    /// An entry with this name.
    fn named(&self, path: &Path, label: &[u8]) -> Result<Entry> {
        let too_long = |limit: &str| {
            EditError::new(path, EditErrorKind::DoesNotFit { value: Value::from_bytes(label), limit: limit.to_owned() })
        };
        if label.contains(&0) {
            return Err(too_long("names have no NUL"));
        }
        // Tables have no extensions, and dots in names then mean nothing.
        let has_extensions = self.archive.entries().iter().any(|entry| !entry.extension.is_empty());
        let dot = label.iter().rposition(|&byte| byte == b'.').filter(|_| has_extensions);
        let (name, extension) = match dot.and_then(|dot| label.split_at_checked(dot)) {
            Some((name, extension)) => (name, extension.strip_prefix(b".").unwrap_or(extension)),
            None => (label, &[][..]),
        };
        let mut raw = [0; 32];
        let mut put = |at: usize, len: usize, bytes: &[u8], limit: &str| {
            let to = raw.get_mut(at..at.saturating_add(len)).and_then(|field| field.get_mut(..bytes.len()));
            to.map(|to| to.copy_from_slice(bytes)).ok_or_else(|| too_long(limit))
        };
        put(0, 16, name, "names have at most 16 bytes")?;
        put(24, 8, extension, "extensions have at most 8 bytes")?;
        Ok(Entry::read_from_bytes(&raw).unwrap_or_else(|_| Entry::new_zeroed()))
    }
}

/// Compares the bytes of a member with those that a change expects.
fn expect_bytes(path: &Path, expected: Option<&Value>, found: &[u8]) -> Result<()> {
    match expected {
        Some(expected) if bytes(path, expected)? != found => Err(EditError::new(
            path,
            EditErrorKind::Differs { expected: expected.clone(), found: Value::Bytes(found.to_vec()) },
        )),
        _ => Ok(()),
    }
}

fn bytes<'v>(path: &Path, value: &'v Value) -> Result<&'v [u8]> {
    value.as_bytes().ok_or_else(|| wrong(path, "text or bytes", value))
}

pub(super) fn wrong(path: &Path, wanted: &'static str, found: &Value) -> EditError {
    EditError::new(path, EditErrorKind::WrongType { wanted, found: found.clone() })
}

/// A member's name, with its extension behind a dot if it has one.
pub(crate) fn label<'a>(member: &Member<'a>) -> Cow<'a, [u8]> {
    match member.extension() {
        [] => member.name().into(),
        extension => [member.name(), b".", extension].concat().into(),
    }
}

/// The segment of a path that has one.
pub(super) fn only(path: &Path) -> Option<Segment<'_>> {
    path.segments().next()
}

pub(super) fn joined(path: &Path, name: &Path) -> Path {
    let mut joined = path.clone();
    joined.append(name);
    joined
}

/// Splits the last segment off a path.
fn split_last(path: &Path) -> Option<(Path, Path)> {
    let mut outer = Path::new();
    let mut parts: Vec<_> = path.parts().collect();
    let last = parts.pop()?;
    parts.iter().for_each(|part| outer.append(part));
    Some((outer, last))
}
