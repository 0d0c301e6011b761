use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};

use worldview_core::{Path, Segment};

use super::{Change, Changes, Position, check_path, place};
use crate::fields::{decode_1252, name_of};
use crate::list::{free, rank_of};
use crate::{EditError, EditErrorKind, Result, Value};

impl Changes {
    /// Returns the changes that undo these: applied to the edited file, they give the meaning of the original.
    ///
    /// The paths of the result refer to the edited file. Elements that were removed from a list without an order go back to where `was`
    /// says, and else to its end; those of WORLD.WDB without names go back to where their numbers say.
    ///
    /// Where elements of WORLD.WDB have repeated names, only changes of values can be inverted without the file, because changes do not
    /// say in which order elements with one name are in the edited file. For other changes this, or applying the result, is an error;
    /// so it can be if references changed, from which blobs have their names. With the file, the changes between the edited file and the
    /// original are the inverse. In a REZ archive, the numbers of elements with one name say their order.
    ///
    /// # Errors
    ///
    /// Returns an error if the list does not say what was there before: a `set` without `from`, a `remove` without the fields or data of
    /// the element, or a `move` without `was_before` and `was_after`. [`wpd::diff`](crate::wpd::diff) and
    /// [`wwd::diff`](crate::wwd::diff) always write them.
    pub fn invert(&self) -> Result<Self> {
        self.with_places().inverse()
    }

    /// Says where elements of WORLD.WDB without names were. What is added to the end of such a list counts as done if an equal element
    /// is there.
    fn with_places(&self) -> Cow<'_, Self> {
        let number = |change: &Change| match change {
            Change::Remove { path, was: Position::Natural, .. } if is_in_world(path) => {
                let (list, nth) = unnumbered(path);
                Some((list, nth.filter(|_| path.segments().last().is_some_and(|last| last.kind.is_none()))?))
            }
            _ => None,
        };
        let mut removed = HashMap::<Path, BTreeSet<u32>>::new();
        for (list, nth) in self.iter().filter_map(number) {
            removed.entry(list).or_default().insert(nth);
        }
        if removed.is_empty() {
            return Cow::Borrowed(self);
        }
        let placed = self.iter().cloned().map(|mut change| {
            if let (Some((list, nth)), Change::Remove { path, was, .. }) = (number(&change), &mut change) {
                let owner = path.first(path.len().saturating_sub(1));
                let key = path.segments().last().map(|last| last.key.into_owned()).unwrap_or_default();
                let other = |nth| owner.with(|path| path.push_nth(&key, nth));
                let is_gone = |nth: &u32| removed.get(&list).is_some_and(|removed| removed.contains(nth));
                *was = match nth.checked_sub(1) {
                    Some(before) => Position::After(other(before)),
                    None => Position::Before(other((1..).find(|nth| !is_gone(nth)).unwrap_or(u32::MAX))),
                };
            }
            change
        });
        Cow::Owned(placed.collect())
    }

    fn inverse(&self) -> Result<Self> {
        let edited = Edited::of(self)?;
        let mut past = Past::of(self);
        // Added elements by what contains them: if no other element stays, removed ones go back before them.
        let mut added_to = HashMap::new();
        for path in
            self.iter().filter_map(|change| if let Change::Add { path, .. } = change { Some(path) } else { None })
        {
            added_to.entry(parent(path)).or_insert_with(|| edited.added(path));
        }
        // Elements that go to one place do so in the order of the list.
        let (mut plain, mut placed, mut seen) = (Vec::new(), Vec::new(), HashMap::new());
        let mut after: HashMap<&Position, Path> = HashMap::new();
        for change in self {
            if is_counted(change) {
                let why = "elements of WORLD.WDB are found by their numbers, so undoing this change needs the file";
                return Err(EditError::unsupported(change.path(), why));
            }
            // Equal changes are one.
            if seen.insert(change.path(), change) == Some(change) {
                continue;
            }
            edited.check(change.path())?;
            let mut now = |path: &Path, position| past.now(path, position, &edited, &mut after);
            match change {
                Change::Set { path, from, to } => {
                    let from = from.clone().ok_or_else(|| {
                        EditError::unsupported(path, "the change has no old value, so it cannot be undone")
                    })?;
                    let name = path.segments().last().map_or_else(Default::default, |segment| segment.key.into_owned());
                    let (from, to) = (edited.value(&name, to), edited.value(&name, &from));
                    plain.push(Change::Set { path: edited.path(path), from: Some(from), to });
                }
                Change::Rename { path, to } => {
                    let old = path.segments().last().map(|segment| match segment.kind {
                        None => Value::from_bytes(&segment.key),
                        Some(_) => decode_1252(&segment.key),
                    });
                    let old = old.unwrap_or_else(|| to.clone());
                    plain.push(Change::Rename { path: edited.path(path), to: old });
                }
                Change::Add { path, like, position, fields, data } => {
                    let was = now(&edited.added(path), position);
                    // Without the fields that came from another element, these do not describe the whole.
                    let fields = if like.is_none() { edited.fields(fields) } else { Vec::new() };
                    plain.push(Change::Remove { path: edited.added(path), fields, data: data.clone(), was });
                }
                Change::Remove { path, fields, data, was } => {
                    if fields.is_empty() && data.is_none() {
                        let why = "the change does not say what was removed, so it cannot be undone";
                        return Err(EditError::unsupported(path, why));
                    }
                    let (root, depth) = past.root(path, was)?;
                    let mut position = edited.position(root);
                    // In a tree they go back below their parent.
                    let is_below = is_in_world(path) && fields.iter().any(|(name, _)| name == "parent");
                    if let Some(other) = added_to.get(&parent(path))
                        && position == Position::Natural
                        && !is_below
                        && (depth > 0 || past.is_followed(path))
                    {
                        position = Position::Before(other.clone());
                    }
                    let (fields, data) = (edited.fields(fields), data.clone());
                    placed.push((depth, Change::Add { path: edited.added(path), like: None, position, fields, data }));
                }
                Change::Move { path, position, was } => {
                    if *was == Position::Natural {
                        let why = "the change does not say where the element was, so it cannot be undone";
                        return Err(EditError::unsupported(path, why));
                    }
                    let now = now(&edited.path(path), position);
                    let (root, depth) = past.root(path, was)?;
                    let position = edited.position(root);
                    placed.push((depth, Change::Move { path: edited.path(path), position, was: now }));
                }
            }
        }
        placed.sort_by_key(|(depth, _)| *depth);
        Ok(plain.into_iter().chain(placed.into_iter().map(|(_, change)| change)).collect())
    }
}

/// Where elements of the original are in the edited file.
struct Edited {
    /// The new names of renamed elements, by their paths.
    names: HashMap<Path, Vec<u8>>,
    /// The changes of elements that share a name, by the path without the number.
    numbers: HashMap<Path, Numbers>,
    /// The elements that are removed.
    removed: HashSet<Path>,
}

/// The numbers of elements that share a name, in ascending order.
#[derive(Default)]
struct Numbers {
    removed: Vec<u32>,
    added: Vec<u32>,
    /// Those of the added ones in the edited file.
    ranks: Vec<u32>,
}

impl Numbers {
    /// Returns the number that an element has in the edited file or, if it is removed, that it gets there when it goes back. Of an added
    /// element and one of the original with one number, `is_old` says which is meant.
    fn after(&self, nth: Option<u32>, is_old: bool) -> Option<u32> {
        let own = nth.unwrap_or(0);
        let has = |list: &[u32]| list.binary_search(&own).is_ok();
        let new = match (has(&self.removed), has(&self.added)) {
            (true, _) => free(own, &self.ranks),
            (_, true) if !is_old => rank_of(own, &self.removed),
            _ => free(rank_of(own, &self.removed), &self.ranks),
        };
        let others = [&self.removed, &self.added].into_iter().flatten().any(|other| *other != own);
        (nth.is_some() || new > 0 || others).then_some(new)
    }
}

impl Edited {
    fn of(changes: &Changes) -> Result<Self> {
        let mut edited = Self { names: HashMap::new(), numbers: HashMap::new(), removed: HashSet::new() };
        for change in changes {
            match change {
                Change::Rename { path, to } => {
                    if path.segments().last().is_some_and(|segment| segment.kind.is_none() && segment.nth.is_some()) {
                        let why = "the change does not say the old name, so it cannot be undone; use `set` with `from`";
                        return Err(EditError::unsupported(path, why));
                    }
                    let is_table = path.segments().last().is_some_and(|last| last.kind.is_none());
                    let name = if is_table { to.as_bytes().map(<[u8]>::to_vec) } else { name_of(to) };
                    let name = name.ok_or_else(|| crate::fields::wrong(to, "a name", path))?;
                    edited.names.insert(place(path).into_owned(), name);
                }
                Change::Set { path, to, .. } => edited.names.extend(key(&place(path), to)),
                Change::Add { path, .. } if !is_in_world(path) => {
                    let (path, nth) = unnumbered(&place(path));
                    edited.numbers.entry(path).or_default().added.push(nth.unwrap_or(0));
                }
                Change::Add { .. } => {}
                Change::Remove { path, .. } => {
                    edited.removed.insert(place(path).into_owned());
                    let (path, nth) = unnumbered(&place(path));
                    edited.numbers.entry(path).or_default().removed.push(nth.unwrap_or(0));
                }
                Change::Move { .. } => {}
            }
        }
        for Numbers { removed, added, ranks } in edited.numbers.values_mut() {
            [&mut *removed, added].into_iter().for_each(|list| {
                list.sort_unstable();
                list.dedup();
            });
            *ranks = added.iter().map(|nth| rank_of(*nth, removed)).collect();
        }
        Ok(edited)
    }

    /// Returns the path that an element of the original has in the edited file.
    fn path(&self, original: &Path) -> Path {
        self.mapped(original, original.len(), false)
    }

    /// Returns the path of an added element, of which only what contains it is in the original.
    fn added(&self, path: &Path) -> Path {
        self.mapped(path, path.len().saturating_sub(1), false)
    }

    /// Maps the first `count` segments of a path, which may be that of an element of the original.
    fn mapped(&self, original: &Path, count: usize, is_old: bool) -> Path {
        let (mut old, mut new) = (Path::new(), Path::new());
        let (mut is_removed, in_world) = (false, is_in_world(original));
        for (number, segment) in original.segments().enumerate() {
            old.push_segment(&segment);
            // An element of WORLD.WDB that goes back has the number of the original, also in the paths of what was in it.
            is_removed = is_removed || self.removed.contains(&*place(&old));
            if in_world && (number >= count || is_removed) {
                new.push_segment(&segment);
                continue;
            }
            if let Some(name) = self.names.get(&*place(&old)).filter(|_| number < count && !is_removed) {
                new.push_segment(&Segment { kind: segment.kind, key: name.as_slice().into(), nth: None });
                continue;
            }
            let numbers = self.numbers.get(&unnumbered(&place(&old)).0);
            let nth = numbers
                .map_or(segment.nth, |numbers| numbers.after(segment.nth, is_old && number.saturating_add(1) == count));
            new.push_segment(&Segment { nth, ..segment });
        }
        new
    }

    /// Returns an error if a change is inside an element that gets the number of one that goes back.
    fn check(&self, path: &Path) -> Result<()> {
        check_path(path)?;
        let mut here = Path::new();
        for segment in path.segments() {
            here.push_segment(&segment);
            if self.removed.contains(&*place(&here)) || is_in_world(path) {
                break;
            }
            if let Some(numbers) = self.numbers.get(&unnumbered(&place(&here)).0)
                && numbers.added.binary_search(&segment.nth.unwrap_or(0)).is_err()
                && let Some(nth) = numbers.after(segment.nth, false)
                && numbers.removed.binary_search(&rank_of(nth, &numbers.ranks)).is_ok()
            {
                let nth = Some(rank_of(nth, &numbers.ranks));
                let owner = path.first(here.len().saturating_sub(1));
                let other = owner.with(|path| path.push_segment(&Segment { nth, ..segment }));
                let why = "undoing this needs the file, because its element gets the number of one that is removed:";
                return Err(EditError::new(path, EditErrorKind::Misnumbered { why, other }));
            }
        }
        Ok(())
    }

    /// Returns a value for the edited file: those of `blob` and `parent` are paths.
    fn value(&self, name: &[u8], value: &Value) -> Value {
        match (name, value) {
            (b"blob" | b"parent", Value::Text(text)) => match text.parse() {
                Ok(path) => self.path(&path).as_str().into(),
                Err(_) => value.clone(),
            },
            _ => value.clone(),
        }
    }

    fn fields(&self, fields: &[(String, Value)]) -> Vec<(String, Value)> {
        fields.iter().map(|(name, value)| (name.clone(), self.value(name.as_bytes(), value))).collect()
    }

    fn position(&self, position: &Position) -> Position {
        position.clone().with_path(|path| self.mapped(&path, path.len(), true))
    }
}

/// Whether a change gives other elements of WORLD.WDB another number, because they have the same name.
fn is_counted(change: &Change) -> bool {
    let is_plain = matches!(change, Change::Set { path, to, .. } if key(path, to).is_none());
    let has_number = || change.path().segments().any(|segment| segment.kind.is_some() && segment.nth.is_some());
    is_in_world(change.path()) && !is_plain && has_number()
}

/// Whether a path is one of WORLD.WDB.
fn is_in_world(path: &Path) -> bool {
    path.segments().next().is_some_and(|first| match (first.kind, &*first.key, first.nth) {
        (Some("world" | "blob"), ..) | (None, b"global_parts" | b"global_textures", None) => true,
        (None, key, nth) => key == b"blob" && nth.is_some(),
        _ => false,
    })
}

/// The new key of an element whose name is one of its fields, or of one that is replaced as a whole.
fn key(path: &Path, to: &Value) -> Option<(Path, Vec<u8>)> {
    let (outer, _) = parent(path);
    let last = path.segments().last()?;
    let kind = outer.segments().last().and_then(|above| above.kind.map(str::to_owned));
    if let Some(name) = last.kind.and_then(|kind| stored_key(kind, to.as_bytes()?)) {
        return (name != *last.key).then(|| (path.clone(), name));
    }
    let name = match (kind.as_deref()?, &*last.key) {
        ("object", b"id") | ("translation" | "rotation" | "scale" | "morph", b"time") => to.to_string().into_bytes(),
        ("plane" | "world" | "part" | "model" | "texture" | "actor" | "roi" | "node", b"name") => name_of(to)?,
        _ => return None,
    };
    Some((outer, name))
}

/// The key of an element of WORLD.WDB by its bytes, which start with its name or time.
pub(crate) fn stored_key(kind: &str, bytes: &[u8]) -> Option<Vec<u8>> {
    let (&word, rest) = bytes.split_first_chunk()?;
    let word = u32::from_le_bytes(word);
    match kind {
        "part" | "texture" | "actor" | "roi" | "node" => {
            let counted = rest.get(..usize::try_from(word).ok()?)?;
            counted.split(|&byte| byte == 0).next().map(<[u8]>::to_vec)
        }
        // The high byte of the word has the flags of the key.
        "translation" | "rotation" | "scale" | "morph" => Some((word & 0xff_ffff).to_string().into_bytes()),
        _ => None,
    }
}

/// Returns the path of what contains an element, and the kind of the list.
fn parent(path: &Path) -> (Path, Option<String>) {
    (path.first(path.len().saturating_sub(1)), path.segments().last().and_then(|last| last.kind.map(str::to_owned)))
}

/// Splits the number off a path.
fn unnumbered(path: &Path) -> (Path, Option<u32>) {
    let Some(last) = path.segments().last() else { return (Path::new(), None) };
    let nth = last.nth;
    (parent(path).0.with(|path| path.push_segment(&Segment { nth: None, ..last })), nth)
}

/// Where elements were that are removed or moved.
struct Past<'c> {
    was: HashMap<&'c Path, &'c Position>,
    /// The elements behind which others were.
    behind: HashSet<&'c Path>,
    /// The element that stays and that an element was behind, by way of how many others that go too.
    roots: HashMap<&'c Path, (&'c Position, usize)>,
}

impl<'c> Past<'c> {
    fn of(changes: &'c Changes) -> Self {
        let was = changes.iter().filter_map(|change| match change {
            Change::Remove { path, was, .. } | Change::Move { path, was, .. } => Some((path, was)),
            _ => None,
        });
        let was: HashMap<_, _> = was.collect();
        let behind = was.values().filter_map(|was| if let Position::After(other) = was { Some(other) } else { None });
        Self { behind: behind.collect(), was, roots: HashMap::new() }
    }

    /// Returns whether another element that goes was behind this one.
    fn is_followed(&self, path: &Path) -> bool {
        self.behind.contains(path)
    }

    /// Returns the position beside an element that stays, and how many elements that go are between.
    fn root(&mut self, path: &'c Path, was: &'c Position) -> Result<(&'c Position, usize)> {
        let (mut chain, mut here) = (vec![path], was);
        let (root, depth) = loop {
            let next = here.neighbor().and_then(|next| self.was.get_key_value(next));
            let Some((next, position)) = next else { break (here, 0) };
            if let Some((root, depth)) = self.roots.get(*next) {
                break (*root, depth.saturating_add(1));
            }
            if !matches!(here, Position::After(_)) || chain.len() > self.was.len() {
                return Err(EditError::unsupported(path, "the place where the element was is not known"));
            }
            chain.push(*next);
            here = *position;
        };
        for (above, path) in chain.iter().rev().enumerate() {
            self.roots.insert(*path, (root, depth.saturating_add(above)));
        }
        Ok(self.roots.get(path).copied().unwrap_or((root, depth)))
    }

    /// Returns where an element is in the edited file: beside its neighbor, or behind the element that was put there before it.
    fn now(
        &self,
        path: &Path,
        position: &'c Position,
        edited: &Edited,
        after: &mut HashMap<&'c Position, Path>,
    ) -> Position {
        if *position == Position::Natural {
            return Position::Natural;
        }
        match after.insert(position, path.clone()) {
            Some(before) => Position::After(before),
            None => edited.position(position),
        }
    }
}
