use std::collections::{HashMap, HashSet};

use worldview::Asset;
use worldview_core::Path;
use worldview_inspect::Root;
use worldview_rez::raw::RezHeader;
use worldview_rez::{Directory, DirectoryEntry, File, Rez};
use worldview_wwd::Unpacker;

use super::entry::{self, label};
use super::{LEVEL, is_level};
use crate::fields::value_of;
use crate::order::{Order, arrange, numbered};
use crate::pairs::{compare, complete};
use crate::{Change, EditError, EditErrorKind, Planned, Position, Result, Value, wwd};

/// Returns the changes that make one archive say what another says, and an account of the differences that they leave.
///
/// Entries are compared by name, and of several with one name the first with the first. Levels are compared inside, all other files by
/// their bytes. Positions, gaps and sizes that the header repeats mean nothing.
///
/// # Errors
///
/// Returns an error if a file is not an archive, if a part of it cannot be read, or if levels differ in what changes cannot express.
pub fn diff(left: &[u8], right: &[u8]) -> Result<Planned> {
    diff_with(left, right, Unpacker::new())
}

/// Returns the changes that make one archive say what another says, and an account of the differences that they leave. Levels are
/// unpacked with the caller's limits.
///
/// # Errors
///
/// Returns an error as [`diff`] does.
pub fn diff_with(left: &[u8], right: &[u8], unpacker: Unpacker) -> Result<Planned> {
    let (one, other) = (Rez::parse(left)?, Rez::parse(right)?);
    let mut walk = Walk { planned: Planned::default(), path: Path::new(), unpacker };
    walk.header(one.header(), other.header());
    walk.directories(&one.root(), &other.root())?;
    let edited = super::apply_with(left, &walk.planned.changes, unpacker);
    Ok(complete(walk.planned, edited, right, |edited, note| {
        let edited = Rez::parse(edited)?;
        let assets = [Asset::Rez(edited.root()), Asset::Rez(other.root())];
        let compare = |left: &Root<'_>, right: &Root<'_>| compare(left, right, note);
        let compared = assets[0].compare(&assets[1], [edited.source().bytes(), right], (0, None), compare);
        compared.unwrap_or(Ok(()))
    }))
}

struct Walk {
    planned: Planned,
    path: Path,
    unpacker: Unpacker,
}

/// What tells the entries of a directory apart: the name, the length of the extension of a file, and which of several it is.
type Key = ((Vec<u8>, Option<usize>), u32);

/// The entries of a directory.
struct Side<'v, 'a> {
    entries: Vec<DirectoryEntry<'v, 'a>>,
    keys: Vec<Key>,
}

impl<'v, 'a> Side<'v, 'a> {
    fn of(directory: &Directory<'v, 'a>) -> Self {
        let entries: Vec<_> = directory.entries().collect();
        let key = |entry: &DirectoryEntry<'_, '_>| {
            let extension = match entry {
                DirectoryEntry::File(file) => Some(file.extension().as_bytes().len()),
                DirectoryEntry::Directory(_) => None,
            };
            (label(entry), extension)
        };
        let keys = numbered(entries.iter().map(key));
        Self { entries, keys }
    }
}

impl Walk {
    fn header(&mut self, left: &RezHeader, right: &RezHeader) {
        for ((info, from), (_, to)) in left.content().zip(right.content()) {
            if from != to {
                self.set("@", info.name, value_of(from, info.stored), value_of(to, info.stored));
            }
        }
    }

    fn set(&mut self, kind: &str, name: &str, from: Value, to: Value) {
        let mut path = self.path.clone();
        path.push(kind, name.as_bytes(), None);
        self.planned.changes.push(Change::Set { path, from: Some(from), to });
    }

    fn directories(&mut self, left: &Directory<'_, '_>, right: &Directory<'_, '_>) -> Result<()> {
        let (left, right) = (Side::of(left), Side::of(right));
        let in_right: HashMap<&Key, &DirectoryEntry<'_, '_>> = right.keys.iter().zip(&right.entries).collect();
        let order = arrange(&left.keys, &right.keys);
        let names = Names::of(&left);
        let mark = self.path.mark();
        let place = self.path.clone();
        let paths: HashMap<&Key, Path> = left.keys.iter().zip(names.paths(&left, &place)).collect();
        let path = |key: &Key| paths.get(key).cloned().unwrap_or_default();
        let is_moved = |place: &Option<Order>| match place {
            Some(Order::Moved(index)) => Some(*index),
            _ => None,
        };
        let moved: HashSet<usize> = order.places.iter().filter_map(|(place, _)| is_moved(place)).collect();
        // One change cannot move a file and give it other data.
        let mut replaced = HashSet::new();
        for ((entry, key), index) in left.entries.iter().zip(&left.keys).zip(0..) {
            self.path = path(key);
            let mark = self.planned.changes.len();
            let is_whole = match in_right.get(key) {
                Some(other) => self.entries(entry, other)?,
                None => true,
            };
            if is_whole && (moved.contains(&index) || !in_right.contains_key(key)) {
                self.planned.changes.truncate(mark);
                replaced.insert(index);
                let was = order.was(index, &left.keys, path);
                self.lone(entry, was)?;
            }
        }
        let mut names = names;
        for ((entry, key), (index, position)) in right.entries.iter().zip(&right.keys).zip(&order.places) {
            let position = position.map_or(Position::Natural, |neighbor| neighbor.position(&left.keys, path));
            match index {
                Some(Order::Kept) => {}
                Some(Order::Moved(index)) if !replaced.contains(index) => {
                    let was = order.was(*index, &left.keys, path);
                    self.planned.changes.push(Change::Move { path: path(key), position, was });
                }
                _ => {
                    self.path.clone_from(&place);
                    names.push(&label(entry), &mut self.path);
                    self.added(entry, position)?;
                }
            }
        }
        self.path = place;
        self.path.truncate(mark);
        Ok(())
    }

    /// Compares two entries of one name and kind. Returns whether a file gets other data as a whole.
    fn entries(&mut self, left: &DirectoryEntry<'_, '_>, right: &DirectoryEntry<'_, '_>) -> Result<bool> {
        for (name, from, to) in entry::Planned::of(0, left).differences(&entry::Planned::of(0, right)) {
            self.set("@", name, from, to);
        }
        match (left, right) {
            (DirectoryEntry::Directory(left), DirectoryEntry::Directory(right)) => {
                self.directories(left, right).map(|()| false)
            }
            (DirectoryEntry::File(left), DirectoryEntry::File(right)) => self.files(left, right),
            _ => Ok(false),
        }
    }

    fn files(&mut self, left: &File<'_, '_>, right: &File<'_, '_>) -> Result<bool> {
        if left.data() == right.data() {
            return Ok(false);
        }
        if is_level(left) && is_level(right) {
            let mut level = self.path.clone();
            level.push("@", LEVEL, None);
            match wwd::changes(left.data(), right.data(), self.unpacker) {
                Ok(planned) => {
                    self.planned.append(planned.prefixed(&level));
                    return Ok(false);
                }
                // What cannot be read is compared by its bytes.
                Err(EditError { kind: EditErrorKind::Format(_), .. }) => {}
                Err(error) => {
                    level.append(&error.path);
                    return Err(EditError { path: level, ..error });
                }
            }
        }
        let [from, to] = [left, right].map(|file| Value::Bytes(file.data().to_vec()));
        self.planned.changes.push(Change::Set { path: self.path.clone(), from: Some(from), to });
        Ok(true)
    }

    /// Adds what only the right archive has.
    fn added(&mut self, entry: &DirectoryEntry<'_, '_>, position: Position) -> Result<()> {
        let (path, (fields, data)) = (self.path.clone(), whole(entry));
        self.planned.changes.push(Change::Add { path, like: None, position, fields, data });
        self.contents(entry, false)
    }

    /// Removes what only the left archive has.
    fn lone(&mut self, entry: &DirectoryEntry<'_, '_>, was: Position) -> Result<()> {
        let (path, (fields, data)) = (self.path.clone(), whole(entry));
        self.planned.changes.push(Change::Remove { path, fields, data, was });
        self.contents(entry, true)
    }

    /// Adds or removes what is in a directory that only one archive has.
    fn contents(&mut self, entry: &DirectoryEntry<'_, '_>, is_gone: bool) -> Result<()> {
        let DirectoryEntry::Directory(directory) = entry else { return Ok(()) };
        let side = Side::of(directory);
        let place = self.path.clone();
        let mut before = None;
        let mut names = Names::of(&Side { entries: Vec::new(), keys: Vec::new() });
        let paths = Names::of(&side).paths(&side, &place);
        for (entry, path) in side.entries.iter().zip(paths) {
            if is_gone {
                self.path.clone_from(&path);
                self.lone(entry, before.replace(path).map(Position::After).unwrap_or_default())?;
            } else {
                self.path.clone_from(&place);
                names.push(&label(entry), &mut self.path);
                self.added(entry, Position::Natural)?;
            }
        }
        self.path = place;
        Ok(())
    }
}

/// The fields of an entry, and the data of a file.
fn whole(entry: &DirectoryEntry<'_, '_>) -> (Vec<(String, Value)>, Option<Value>) {
    let data = match entry {
        DirectoryEntry::File(file) => Some(Value::Bytes(file.data().to_vec())),
        DirectoryEntry::Directory(_) => None,
    };
    (entry::Planned::of(0, entry).fields(), data)
}

/// How many entries of each name there are, exactly and ignoring case.
struct Names {
    exact: HashMap<Vec<u8>, u32>,
    folded: HashMap<Vec<u8>, u32>,
}

impl Names {
    fn of(side: &Side<'_, '_>) -> Self {
        let mut names = Self { exact: HashMap::new(), folded: HashMap::new() };
        for entry in &side.entries {
            names.count(&label(entry));
        }
        names
    }

    /// Counts a name, and returns how many there were before.
    fn count(&mut self, label: &[u8]) -> (u32, u32) {
        let next = |names: &mut HashMap<Vec<u8>, u32>, label: Vec<u8>| {
            let count = names.entry(label).or_default();
            let before = *count;
            *count = count.saturating_add(1);
            before
        };
        (next(&mut self.exact, label.to_vec()), next(&mut self.folded, label.to_ascii_uppercase()))
    }

    /// Appends the name of an added entry to a path: with a number where the directory has or gets others of this name.
    fn push(&mut self, label: &[u8], path: &mut Path) {
        match self.count(label) {
            (_, 0) => path.push_name(label),
            (nth, _) => path.push_nth(label, nth),
        }
    }

    /// Returns the paths of the entries of a directory.
    fn paths(&self, side: &Side<'_, '_>, place: &Path) -> Vec<Path> {
        let labels = numbered(side.entries.iter().map(label));
        let path = |(label, nth): (Vec<u8>, u32)| {
            let mut path = place.clone();
            match self.exact.get(&label) {
                Some(2..) => path.push_nth(&label, nth),
                _ => path.push_name(&label),
            }
            path
        };
        labels.into_iter().map(path).collect()
    }
}
