//! Resolves paths: gives each element the one path by which the file names it, before anything is changed.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

use crate::account::Account;
use worldview_core::describe::{Array, Describe, Flow, Link, List, ListFlag, PartKey, PartList, Visit};
use worldview_core::{Path, Segment};

use crate::changes::check_path;
use crate::tree::{Tree, is_recorded};
use crate::{Change, Changes, EditError, EditErrorKind, Result};

/// The file, and the parts in it, that the paths of changes lead into.
#[derive(Clone, Copy)]
pub(crate) struct Names<'n> {
    pub(crate) file: &'n dyn Describe,
    /// Whether the field `parent` of an added element is a path.
    pub(crate) has_parents: bool,
    /// A segment that may be left out before others.
    pub(crate) optional: Option<&'static str>,
    /// Says what changes are about if they reach shared content by several paths.
    pub(crate) shared: Option<&'n Shared<'n>>,
}

/// Returns each change by all paths by which it is to be applied, with its number in the list; `None` if nothing is different.
pub(crate) type Shared<'n> = dyn Fn(&Changes) -> Option<Vec<(usize, Change)>> + 'n;

impl<'n> Names<'n> {
    pub(crate) const fn of(file: &'n dyn Describe) -> Self {
        Self { file, has_parents: false, optional: None, shared: None }
    }

    /// Applies changes of a file by the paths that it has for its elements, and counts those that are done already. Errors name
    /// paths as the changes spell them. Returns an error if a path is too long, if two changes conflict, if one is about the whole
    /// file, or as `apply` does.
    pub(crate) fn apply<T>(
        self,
        changes: &Changes,
        is_container: fn(&Change) -> bool,
        apply: impl FnOnce(&Tree<'_>) -> Result<T>,
    ) -> Result<(T, Account)> {
        let mut resolved = resolve(self, changes)?;
        let mut spelled_so = Cow::Borrowed(changes);
        if let Some(all) = self.shared.and_then(|shared| shared(&resolved)) {
            let spelled = |(number, change): &(usize, Change)| {
                changes.iter().nth(*number).map_or_else(|| change.clone(), Clone::clone)
            };
            spelled_so = Cow::Owned(all.iter().map(spelled).collect());
            resolved = Cow::Owned(all.into_iter().map(|(_, change)| change).collect());
        }
        let changes = &*spelled_so;
        // Otherwise it would be in conflict with all others.
        if let Some(change) = resolved.iter().find(|change| change.path().is_empty()) {
            return Err(EditError::unsupported(
                change.path(),
                "a whole file cannot be set; copy the other file instead",
            ));
        }
        let tree = Tree::of(&resolved, changes, is_container)?;
        let spelled = |path: Path| {
            let mut pairs = resolved.iter().zip(changes);
            if matches!(resolved, Cow::Borrowed(_)) || changes.iter().any(|change| *change.path() == path) {
                return path;
            }
            pairs.find(|(resolved, _)| *resolved.path() == path).map_or(path, |(_, change)| change.path().clone())
        };
        let applied = apply(&tree).map_err(|error| error.with_paths(spelled))?;
        let count = changes.len() as u64;
        let equal = tree.count_already().min(count);
        let mut account = Account::new();
        (account.done, account.equal) = (count.saturating_sub(equal), equal);
        Ok((applied, account))
    }
}

/// Returns the changes with each path as the file has it; a path that leads nowhere, or to several elements, stays as it is.
fn resolve<'c>(names: Names<'_>, changes: &'c Changes) -> Result<Cow<'c, Changes>> {
    let parents: Vec<_> = changes.iter().map(|change| change.parent().filter(|_| names.has_parents)).collect();
    let mut root = Node::default();
    for (change, parent) in changes.iter().zip(&parents) {
        for path in change.paths().chain(parent) {
            check_path(path)?;
            root.at(path);
        }
        if let Change::Add { path, like, .. } = change {
            let node = root.at(path);
            node.like = like.as_ref().and_then(|like| like.segments().last().map(Box::new));
            node.is_added = true;
        }
    }
    root.resolve(names.file, names);
    for change in changes {
        if let Change::Remove { path, fields, data, .. } = change
            && is_recorded(fields, data.as_ref())
            && root.at(path).is_alike
        {
            // What undoes it adds a name that cannot be told from the other one.
            let other = path.first(path.len().saturating_sub(1)).with(|other| {
                path.segments().last().into_iter().for_each(|last| other.push_nth(&last.key, 0));
            });
            let why = "another element has this name in another case; to remove this one, name";
            return Err(EditError::new(path, EditErrorKind::Misnumbered { why, other }));
        }
    }
    if !root.has_names() {
        return Ok(Cow::Borrowed(changes));
    }
    let resolved = changes.iter().zip(&parents).map(|(change, parent)| {
        let mut change = change.clone().with_paths(|path| root.path(&path));
        if parent.is_some() {
            change.map_parent(|path| root.path(&path));
        }
        change
    });
    Ok(Cow::Owned(resolved.collect()))
}

/// The paths of changes by their segments.
#[derive(Default)]
struct Node<'c> {
    segment: Option<Segment<'c>>,
    children: BTreeMap<&'c str, Node<'c>>,
    /// The segment that the file has for the element, if it is another; empty for one that may be left out.
    name: Option<Path>,
    /// Whether it is added.
    is_added: bool,
    /// Whether it has no number although other elements have its name in another case.
    is_alike: bool,
    /// Of an added element, the last segment of the one that it is like.
    like: Option<Box<Segment<'c>>>,
}

impl<'c> Node<'c> {
    fn at(&mut self, path: &'c Path) -> &mut Self {
        path.texts().zip(path.segments()).fold(self, |node, (text, segment)| {
            let child = || Node { segment: Some(segment), ..Node::default() };
            node.children.entry(text).or_insert_with(child)
        })
    }

    fn has_names(&self) -> bool {
        self.name.is_some() || self.children.values().any(Self::has_names)
    }

    /// Returns a path as the file has it.
    fn path(&self, spelled: &Path) -> Path {
        let (mut path, mut node) = (Path::new(), Some(self));
        for (number, (text, segment)) in (1..).zip(spelled.texts().zip(spelled.segments())) {
            node = node.and_then(|node| node.children.get(text));
            match node.and_then(|node| node.name.as_ref()) {
                Some(name) if !name.is_empty() || number < spelled.len() => path.append(name),
                _ => path.push_segment(&segment),
            }
        }
        path
    }

    /// Finds what is inside an element in its description.
    fn resolve(&mut self, body: &dyn Describe, names: Names<'_>) {
        if self.children.is_empty() {
            return;
        }
        let in_main = body.has_main_list();
        for (text, child) in &mut self.children {
            let Some(segment) = child.segment.as_ref().filter(|segment| segment.kind == Some("@")) else { continue };
            if !in_main {
                child.name = Some(one(&Segment { kind: None, ..segment.clone() }));
            } else if names.optional == Some(*text) {
                child.name = Some(Path::new());
            }
        }
        let _ = body.describe(&mut Walk { node: self, in_main, names });
    }
}

fn one(segment: &Segment<'_>) -> Path {
    Path::new().with(|path| path.push_segment(segment))
}

/// Visits an element to which paths lead.
struct Walk<'w, 'c> {
    node: &'w mut Node<'c>,
    in_main: bool,
    names: Names<'w>,
}

impl Walk<'_, '_> {
    /// Visits a part that occurs at most once.
    fn single(&mut self, name: &str, body: Option<&dyn Describe>) {
        let kind = self.in_main.then_some("@");
        for child in self.node.children.values_mut() {
            let Some(segment) = &child.segment else { continue };
            let is_here = segment.kind == kind || segment.kind == Some("@");
            if is_here && *segment.key == *name.as_bytes() && segment.nth.is_none_or(|nth| nth == 0) {
                let name = Segment { kind, nth: None, ..segment.clone() };
                child.name = (name != *segment).then(|| one(&name));
                body.into_iter().for_each(|body| child.resolve(body, self.names));
            }
        }
    }

    fn list(&mut self, parts: &dyn PartList, list: &List) {
        let is_here = |segment: &Segment<'_>| match segment.kind {
            None => list.is(ListFlag::Main) || is_numbered(list, segment),
            Some(kind) => !list.is(ListFlag::Main) && kind == list.kind,
        };
        let wanted = self.node.children.values().flat_map(|child| child.segment.iter().chain(child.like.as_deref()));
        let wanted: Vec<_> = wanted.filter(|segment| is_here(segment)).collect();
        if wanted.is_empty() {
            return;
        }
        let elements = Elements::of(parts, list, &wanted);
        for child in self.node.children.values_mut() {
            let Some(segment) = child.segment.as_ref().filter(|segment| is_here(segment)) else { continue };
            let (name, element) = elements.find(segment);
            child.is_alike = segment.nth.is_none() && elements.is_alike(&segment.key);
            // The number of an added element is the one that it will get, even if only one element has the name so far.
            let is_kept = list.is(ListFlag::Main) && child.is_added && segment.nth.is_some() && element.is_some();
            if name != *segment && !is_kept {
                child.name = Some(one(&name));
            }
            let like = || elements.find(child.like.as_deref().filter(|like| is_here(like))?).1;
            if let Some((index, at)) = element.or_else(like).filter(|_| !child.children.is_empty()) {
                parts.get(index, at, &mut |part| child.resolve(part.body, self.names));
            }
        }
    }
}

impl Visit for Walk<'_, '_> {
    /// Visits an array, whose items have numbers for keys.
    fn array(&mut self, array: &Array<'_>) -> Flow {
        for child in self.node.children.values_mut() {
            let item = child.segment.as_ref().filter(|segment| segment.kind.is_some());
            let Some(item) = item.filter(|item| [Some(array.item), Some(array.name)].contains(&item.kind)) else {
                continue;
            };
            let numbers = std::str::from_utf8(&item.key).map(|key| key.split(',').map(str::parse::<u32>).collect());
            let Ok(Ok(numbers)) = numbers.map(|numbers: std::result::Result<Vec<_>, _>| numbers) else { continue };
            let key = numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
            let name = Segment { kind: item.kind, key: key.as_bytes().into(), nth: item.nth.filter(|nth| *nth > 0) };
            if name != *item {
                child.name = Some(one(&name));
            }
        }
        Flow::Continue(())
    }

    fn parts(&mut self, parts: &dyn PartList) -> Flow {
        let list = parts.list();
        if !list.is(ListFlag::Single) {
            self.list(parts, &list);
            return Flow::Continue(());
        }
        let mut is_there = false;
        let _ = parts.each(&mut |part| {
            is_there = true;
            match part {
                // It has no segment of its own.
                Ok(part) if part.body.has_main_list() => self.node.resolve(part.body, self.names),
                part => self.single(list.name, part.ok().map(|part| part.body)),
            }
            Flow::Continue(())
        });
        if !is_there {
            self.single(list.name, None);
        }
        Flow::Continue(())
    }

    fn link(&mut self, link: &Link<'_>) -> Flow {
        if link.content {
            self.single(link.name, link.target.map(|target| target.body));
        }
        Flow::Continue(())
    }

    fn broken(&mut self, _: &worldview_core::Error) -> Flow {
        Flow::Continue(())
    }

    fn wants_bulk(&self) -> bool {
        false
    }

    fn wants_numbers(&self) -> bool {
        false
    }
}

/// Whether a segment names an element by its number among all elements.
fn is_numbered(list: &List, segment: &Segment<'_>) -> bool {
    !list.is(ListFlag::Main) && segment.kind.is_none() && segment.nth.is_some() && *segment.key == *list.kind.as_bytes()
}

/// An element's index and offset.
type Element = (u32, u64);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Key {
    Name(Vec<u8>),
    Number(i64),
}

impl Key {
    fn segment(&self, list: &List, nth: Option<u32>) -> Segment<'static> {
        let key = match self {
            Self::Name(name) => name.clone(),
            Self::Number(number) => number.to_string().into_bytes(),
        };
        // The word for an element is the same in all files of a format.
        Segment { kind: (!list.is(ListFlag::Main)).then_some(list.kind), key: key.into(), nth }
    }
}

/// The elements of a list by their keys.
struct Elements<'l> {
    list: &'l List,
    keys: HashMap<Key, Vec<Element>>,
    /// The key of each element in order, if segments name elements by their numbers.
    order: Vec<(Option<Key>, Element)>,
    /// The names of elements by their upper case, if case is ignored.
    folded: HashMap<Vec<u8>, Vec<Key>>,
}

impl<'l> Elements<'l> {
    fn of(parts: &dyn PartList, list: &'l List, wanted: &[&Segment<'_>]) -> Self {
        let ignores_case = list.is(ListFlag::IgnoresCase);
        let mut elements = Self { list, keys: HashMap::new(), order: Vec::new(), folded: HashMap::new() };
        let is_ordered = wanted.iter().any(|segment| is_numbered(list, segment));
        let wanted: HashSet<_> = wanted.iter().map(|segment| fold(&segment.key, ignores_case)).collect();
        let wanted_numbers: HashSet<_> = wanted.iter().filter_map(|key| number(key)).collect();
        let _ = parts.each(&mut |part| {
            let Ok(part) = part else { return Flow::Continue(()) };
            let element = (part.index, part.offset());
            let key = match part.key {
                PartKey::Name(name) if is_ordered || wanted.contains(&fold(name, ignores_case)) => {
                    Some(Key::Name(name.to_vec()))
                }
                PartKey::Number(number) if is_ordered || wanted_numbers.contains(&number) => Some(Key::Number(number)),
                _ => None,
            };
            if is_ordered {
                elements.order.push((key.clone(), element));
            }
            let Some(key) = key else { return Flow::Continue(()) };
            if let (Key::Name(name), true) = (&key, ignores_case) {
                elements.folded.entry(name.to_ascii_uppercase()).or_default().push(key.clone());
            }
            elements.keys.entry(key).or_default().push(element);
            Flow::Continue(())
        });
        elements
    }

    /// Returns whether several elements have a name, ignoring case.
    fn is_alike(&self, key: &[u8]) -> bool {
        self.folded.get(&key.to_ascii_uppercase()).is_some_and(|all| all.len() > 1)
    }

    /// Returns the segment that the file has for what a segment names, and the element if there is exactly one.
    fn find<'s>(&self, segment: &Segment<'s>) -> (Segment<'s>, Option<Element>) {
        let unchanged = || (segment.clone(), None);
        let get = |key: &Key| self.keys.get(key).map_or(&[][..], Vec::as_slice);
        if is_numbered(self.list, segment) {
            let found = segment.nth.and_then(|nth| self.order.get(usize::try_from(nth).ok()?));
            return match found {
                Some((Some(key), element)) => {
                    let all = get(key);
                    let nth = all.iter().position(|other| other == element).and_then(|nth| u32::try_from(nth).ok());
                    (key.segment(self.list, nth.filter(|_| all.len() > 1)), Some(*element))
                }
                Some((None, element)) => (segment.clone(), Some(*element)),
                None => unchanged(),
            };
        }
        let number = number(&segment.key).map(Key::Number).filter(|number| self.keys.contains_key(number));
        let mut key = number.unwrap_or_else(|| Key::Name(segment.key.to_vec()));
        if get(&key).is_empty() {
            match (self.folded.get(&segment.key.to_ascii_uppercase()).map(Vec::as_slice), segment.nth) {
                (None, _) => {}
                (Some([other]), None) => key = other.clone(),
                _ => return unchanged(),
            }
        }
        match (get(&key), segment.nth) {
            // The first of at most one; if there is none, it may be added.
            ([], Some(0)) => (key.segment(self.list, None), None),
            ([element], None | Some(0)) => (key.segment(self.list, None), Some(*element)),
            (all, Some(nth)) => match usize::try_from(nth).ok().and_then(|nth| all.get(nth)) {
                Some(element) => (key.segment(self.list, Some(nth)), Some(*element)),
                None => unchanged(),
            },
            _ => unchanged(),
        }
    }
}

/// Returns a name as it is compared.
fn fold(name: &[u8], ignores_case: bool) -> Cow<'_, [u8]> {
    if ignores_case { name.to_ascii_uppercase().into() } else { name.into() }
}

/// Returns the number that a key is, however it is written.
fn number(key: &[u8]) -> Option<i64> {
    std::str::from_utf8(key).ok()?.parse().ok()
}
