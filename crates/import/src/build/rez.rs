use std::collections::{BTreeMap, HashMap, VecDeque};

use serde_json::{Map, Value as Json};
use worldview_core::account::{Account, Column, Entry};
use worldview_core::{Path, field_name};
use worldview_edit::{Change, Changes, EditError, Position, Result, Value, rez as edit};
use worldview_export::Encoding;
use worldview_inspect::Root;
use worldview_rez::raw::{EntryHeader, FileHeader, RezHeader};
use worldview_rez::{Rez, RezDescription, split_name};
use zerocopy::IntoBytes as _;

use super::{Built, Comparison, MEMBER_ADDED, NewMember, fields, hex, list, no_data, object, text_bytes};
use crate::json::{check_format, parse, whole};
use crate::level::text;

/// Makes a REZ archive from its files, in the order of a document as `archive.json` and `show --format json` have it.
///
/// The document says what the files lack: titles, order, times, numbers, comments and keys, and empty directories. Files that it
/// lacks come last in their directories. Without a document, directories come before files, times are 0, and a file gets the number
/// that the packer of the games gives it. Files that the document has with their bytes need not be given.
///
/// # Errors
///
/// Returns an error if the text is not such a document, if a file of it is missing, or if a name cannot be stored.
pub fn rez(document: Option<&[u8]>, files: &[NewMember<'_>]) -> Result<Built> {
    described(document.map_or_else(|| Ok(Map::new()), |document| parse(document, None))?, files)
}

/// Makes an archive from the members of a document, and files.
pub(super) fn described(mut document: Map<String, Json>, files: &[NewMember<'_>]) -> Result<Built> {
    check_format(&mut document, "rez")?;
    let mut tree = Tree::default();
    for (index, file) in files.iter().enumerate() {
        tree.put(&file.path, index)?;
    }
    let mut new = New { files, changes: Changes::new(), account: Account::new(), has_document: !document.is_empty() };
    for (name, to) in fields(RezHeader::FIELDS, &document, CODE_PAGE)? {
        let mut path = Path::new();
        path.push("@", name.as_bytes(), None);
        new.changes.push(Change::set(path, to));
    }
    let entries = document.get_mut("entries").and_then(Json::as_array_mut).map(std::mem::take).unwrap_or_default();
    let entries = new.directory(&Path::new(), entries, tree)?;
    let empty = RezHeader::empty();
    let file = edit::apply(empty.as_bytes(), &new.changes)?.to_vec();
    let mut account = new.account;
    account.done = new.changes.len() as u64;
    if account.entries().len() == 0 {
        document.extend(entries.map(|entries| ("entries".to_owned(), entries)));
    }
    let archive = Rez::parse(&file[..])?;
    let described = RezDescription::new(&archive).opens_files(false);
    account.append(Comparison::of(&Root::new("rez", archive.source(), &described), &document, CODE_PAGE)?);
    Ok(Built { file, account })
}

/// Names are ASCII in every known archive.
const CODE_PAGE: Encoding = Encoding::WINDOWS_1252;

/// The first number of files whose names are no numbers.
const FIRST_ID: u32 = 10_000_000;

/// The files of a directory by name, in the order in which they were given.
#[derive(Default)]
struct Tree {
    directories: BTreeMap<Vec<u8>, Self>,
    files: BTreeMap<Vec<u8>, VecDeque<usize>>,
}

impl Tree {
    fn put(&mut self, path: &[Vec<u8>], index: usize) -> Result<()> {
        if path.len() > usize::try_from(Rez::MAX_DEPTH).unwrap_or(usize::MAX) {
            return Err(EditError::malformed(None, "the directories are nested too deeply"));
        }
        let Some((name, directories)) = path.split_last() else { return Ok(()) };
        let home = directories.iter().fold(self, |tree, name| tree.directories.entry(name.clone()).or_default());
        home.files.entry(name.clone()).or_default().push_back(index);
        Ok(())
    }
}

struct New<'f> {
    files: &'f [NewMember<'f>],
    changes: Changes,
    account: Account,
    has_document: bool,
}

impl New<'_> {
    /// Adds what a document and files have in a directory. Returns the entries as the new archive has them.
    fn directory(&mut self, path: &Path, entries: Vec<Json>, mut tree: Tree) -> Result<Option<Json>> {
        let mut names = Names::of(&entries, &tree)?;
        let mut kept = Vec::with_capacity(entries.len());
        for entry in entries {
            let mut own = object(&entry, "an entry")?.clone();
            let name = name_of(&own)?;
            let mut inner = path.clone();
            names.push(&mut inner, &name);
            if own.contains_key("entries") {
                let Some(Json::Array(inside)) = own.shift_remove("entries") else {
                    return Err(EditError::malformed(None, format!("{inner}: expected a list of `entries`")));
                };
                let mut fields = fields(EntryHeader::FIELDS, &own, CODE_PAGE)?;
                fields.push(is_directory());
                self.add(inner.clone(), fields, None);
                let inside = self.directory(&inner, inside, tree.directories.remove(&name).unwrap_or_default())?;
                own.extend(inside.map(|inside| ("entries".to_owned(), inside)));
            } else {
                let number = tree.files.get_mut(&name).and_then(VecDeque::pop_front);
                let data = match number.and_then(|number| self.files.get(number)) {
                    // A file is newer than what the document says of it.
                    Some(file) => {
                        own.retain(|name, _| !matches!(name.as_str(), "bytes" | "content"));
                        file.data.to_vec()
                    }
                    None => hex(&own, "bytes")?.ok_or_else(|| no_data(&inner))?,
                };
                let mut fields = fields(EntryHeader::FIELDS, &own, CODE_PAGE)?;
                fields.extend(super::fields(FileHeader::FIELDS, &own, CODE_PAGE)?);
                fields.push((EXTENSION.to_owned(), text(&text_bytes(&own, EXTENSION, CODE_PAGE)?)));
                rest(&own, &mut fields)?;
                self.add(inner, fields, Some(data));
            }
            kept.push(Json::Object(own));
        }
        let mut is_whole = true;
        for (name, inside) in tree.directories {
            let mut inner = path.clone();
            names.push(&mut inner, &name);
            self.say(&inner);
            is_whole = false;
            self.add(inner.clone(), vec![is_directory()], None);
            self.directory(&inner, Vec::new(), inside)?;
        }
        let mut next = FIRST_ID;
        for (name, index) in tree.files.iter().flat_map(|(name, list)| list.iter().map(move |index| (name, *index))) {
            let mut inner = path.clone();
            names.push(&mut inner, name);
            self.say(&inner);
            is_whole = false;
            let stem = split_name(name).0;
            let number = std::str::from_utf8(stem).ok().filter(|stem| stem.bytes().all(|byte| byte.is_ascii_digit()));
            let id = number.and_then(|number| number.parse().ok()).unwrap_or_else(|| {
                next = next.saturating_add(1);
                next.saturating_sub(1)
            });
            let data = self.files.get(index).map(|file| file.data.to_vec());
            self.add(inner, vec![(field_name!(FileHeader, id).to_owned(), Value::from(id))], data);
        }
        Ok(is_whole.then(|| kept.into()))
    }

    fn add(&mut self, path: Path, fields: Vec<(String, Value)>, data: Option<Vec<u8>>) {
        let data = data.map(Value::Bytes);
        self.changes.push(Change::Add { path, like: None, position: Position::Natural, fields, data });
    }

    /// Says that the document lacks something.
    fn say(&mut self, path: &Path) {
        if self.has_document {
            let why = "the document does not have this file, which comes after the others";
            self.account.push(Entry::new(Column::Done, MEMBER_ADDED, path, why));
        }
    }
}

/// Adds the fields behind the fixed part of an entry.
fn rest(own: &Map<String, Json>, fields: &mut Vec<(String, Value)>) -> Result<()> {
    let comment = text_bytes(own, "comment", CODE_PAGE)?;
    if !comment.is_empty() {
        fields.push(("comment".to_owned(), text(&comment)));
    }
    let keys = list(own, "keys")?.iter().map(|key| whole(key, (0, u32::MAX.into())));
    let keys: Vec<i128> = keys.collect::<std::result::Result<_, _>>().map_err(|why| EditError::malformed(None, why))?;
    if !keys.is_empty() {
        fields.push(("keys".to_owned(), Value::Integers(keys)));
    }
    Ok(())
}

/// The field that makes an added entry a directory.
fn is_directory() -> (String, Value) {
    (field_name!(EntryHeader, kind).to_owned(), Value::from(EntryHeader::DIRECTORY))
}

/// Returns the name of an entry of a document, with its extension.
fn name_of(entry: &Map<String, Json>) -> Result<Vec<u8>> {
    let [name, extension] = ["name", EXTENSION].map(|name| text_bytes(entry, name, CODE_PAGE));
    let (name, extension) = (name?, extension?);
    Ok(if extension.is_empty() { name } else { [&name[..], b".", &extension].concat() })
}

/// The field with the extension of a file.
const EXTENSION: &str = field_name!(FileHeader, extension);

/// The names of the entries of a directory, of which several may be equal.
struct Names {
    /// How many entries have a name, and how many of them were there already.
    counts: HashMap<Vec<u8>, (u32, u32)>,
}

impl Names {
    fn of(entries: &[Json], tree: &Tree) -> Result<Self> {
        let mut counts: HashMap<Vec<u8>, (u32, u32)> = HashMap::new();
        let mut described: HashMap<Vec<u8>, usize> = HashMap::new();
        for entry in entries {
            let name = name_of(object(entry, "an entry")?)?;
            let seen = described.entry(name.clone()).or_default();
            *seen = seen.saturating_add(1);
            let count = &mut counts.entry(name).or_default().0;
            *count = count.saturating_add(1);
        }
        // Files beyond those that the document has.
        let files = tree.files.iter().map(|(name, list)| (name, list.len()));
        for (name, given) in files.chain(tree.directories.keys().map(|name| (name, 1))) {
            let more = given.saturating_sub(described.get(name).copied().unwrap_or(0));
            let count = &mut counts.entry(name.clone()).or_default().0;
            *count = count.saturating_add(u32::try_from(more).unwrap_or(u32::MAX));
        }
        Ok(Self { counts })
    }

    /// Adds the next entry of a name to a path.
    fn push(&mut self, path: &mut Path, name: &[u8]) {
        match self.counts.get_mut(name) {
            Some((count, nth)) if *count > 1 => {
                path.push_nth(name, *nth);
                *nth = nth.saturating_add(1);
            }
            _ => path.push_name(name),
        }
    }
}
