use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::{Map, Value as Json};
use worldview_core::{Path, field_name};
use worldview_edit::account::Account;
use worldview_edit::{Change, Changes, EditError, Format, Position, Result, Value, rez as edit};
use worldview_export::Encoding;
use worldview_inspect::Root;
use worldview_rez::raw::{EntryHeader, FileHeader, RezHeader};
use worldview_rez::{Rez, RezDescription, split_name};
use zerocopy::IntoBytes as _;

use super::{
    Built, Files, MEMBER_ADDED, NewMember, added, check_format, compared, fields, list, not_a_member, own_fields,
    text_bytes, tree,
};
use crate::doc::{Members, shown, word};
use crate::given::text;

/// Makes a REZ archive from its files, in the order of a document as `archive.json` and the JSON of `show` have it.
///
/// The document says what the files lack: titles, order, times, numbers, comments and keys, and empty directories. Files that it
/// lacks come last in their directories. Without a document, directories come before files, times are 0, and a file gets the number
/// that the packer of the games gives it. Files that the document has with their bytes need not be given. `encoding` is the code page
/// of names.
///
/// # Errors
///
/// Returns an error if the text is not such a document, if a file of it is missing, or if a name cannot be stored.
pub fn rez(document: Option<&[u8]>, files: &[NewMember<'_>], encoding: Encoding) -> Result<Built> {
    let mut document = document.map_or_else(|| Ok(Map::new()), tree)?;
    check_format(&mut document, "rez")?;
    let changes = own_fields(RezHeader::FIELDS, &document, encoding)?;
    let mut new =
        New { files: Files::of(files)?, encoding, changes, account: Account::new(), extensions: HashSet::new() };
    let is_described = document.contains_key("entries");
    let mut entries = document.get_mut("entries").and_then(Json::as_array_mut).map(std::mem::take).unwrap_or_default();
    let mut home = Home::default();
    new.entries(&[], &mut entries, &mut home)?;
    let (changes, mut account) = new.others(home, is_described)?;
    let empty = RezHeader::empty();
    let file = edit::apply(empty.as_bytes(), &changes)?.to_vec();
    account.done = changes.len() as u64;
    // Additions come between the entries of a document, whose order is then another one.
    if is_described && !account.entries().any(|entry| entry.code == MEMBER_ADDED) {
        document.insert("entries".to_owned(), entries.into());
    } else {
        document.shift_remove("entries");
    }
    let archive = Rez::parse(&file[..])?;
    let described = RezDescription::new(&archive).opens_files(false);
    let root = Root::new("rez", archive.source(), &described);
    account.append(compared(&root, Members::of(&document), encoding, None));
    Ok(Built { file, account })
}

/// The first number of files whose names are no numbers.
const FIRST_ID: u32 = 10_000_000;

/// A directory of a new archive.
#[derive(Default)]
struct Home {
    path: Path,
    /// How many entries have a name, and how many of them were added.
    counts: HashMap<Vec<u8>, (u32, u32)>,
    /// The directories in it, the last of each name.
    directories: BTreeMap<Vec<u8>, Self>,
    /// How many files have no number as a name.
    others: u32,
}

impl Home {
    /// Returns the path of the next entry of a name.
    fn entry(&mut self, name: &[u8]) -> Path {
        let mut path = self.path.clone();
        match self.counts.get_mut(name) {
            Some((count, nth)) if *count > 1 => {
                path.push_nth(name, *nth);
                *nth = nth.saturating_add(1);
            }
            _ => path.push_name(name),
        }
        path
    }

    /// Returns the number that the packer gives to the next file.
    fn id(&mut self, name: &[u8]) -> u32 {
        let stem = std::str::from_utf8(split_name(name).0).ok();
        let number = stem.filter(|stem| stem.bytes().all(|byte| byte.is_ascii_digit()));
        number.and_then(|number| number.parse().ok()).unwrap_or_else(|| {
            self.others = self.others.saturating_add(1);
            FIRST_ID.saturating_add(self.others).saturating_sub(1)
        })
    }
}

struct New<'f> {
    files: Files<'f>,
    /// The code page of names and other texts.
    encoding: Encoding,
    changes: Changes,
    account: Account,
    /// Those of the files of the document.
    extensions: HashSet<Vec<u8>>,
}

impl New<'_> {
    /// Adds the entries that a document has in a directory, and leaves in it what the new archive has of them.
    fn entries(&mut self, names: &[Vec<u8>], entries: &mut [Json], home: &mut Home) -> Result<()> {
        if names.len() > usize::try_from(Rez::MAX_DEPTH).unwrap_or(usize::MAX) {
            return Err(EditError::unsupported(&home.path, "the directories are nested too deeply"));
        }
        for entry in entries.iter().filter_map(Json::as_object) {
            let count = &mut home.counts.entry(name_of(entry, self.encoding)?).or_default().0;
            *count = count.saturating_add(1);
        }
        for entry in entries {
            let Json::Object(own) = entry else {
                return Err(EditError::malformed(None, format!("expected an entry, found {}", shown(entry))));
            };
            let name = name_of(own, self.encoding)?;
            let path = home.entry(&name);
            let names = [names, std::slice::from_ref(&name)].concat();
            let mut all = fields(EntryHeader::FIELDS, own, self.encoding)?;
            if let Some(inside) = own.get_mut("entries") {
                let Json::Array(inside) = inside else {
                    return Err(EditError::malformed(None, format!("{path}: expected a list of `entries`")));
                };
                all.push(is_directory());
                add(&mut self.changes, path.clone(), all, None);
                let mut inner = Home { path, ..Home::default() };
                self.entries(&names, inside, &mut inner)?;
                home.directories.insert(name, inner);
            } else {
                let data = self.files.take(&names, own)?;
                all.extend(fields(FileHeader::FIELDS, own, self.encoding)?);
                let extension = text_bytes(own, EXTENSION, self.encoding)?;
                all.push((EXTENSION.to_owned(), text(&extension)));
                self.extensions.insert(extension);
                rest(own, self.encoding, &mut all)?;
                add(&mut self.changes, path, all, Some(data));
            }
        }
        Ok(())
    }

    /// Adds the files that no entry has taken behind those of their directories, and returns what was added in all.
    fn others(self, mut root: Home, is_described: bool) -> Result<(Changes, Account)> {
        let Self { files, encoding, mut changes, mut account, extensions } = self;
        let mut files = files.rest(encoding)?;
        let all = files.iter().map(|(names, _)| names.clone()).collect();
        // Directories come before files.
        files.sort_by_cached_key(|(names, _)| {
            let last = names.len().saturating_sub(1);
            names.iter().enumerate().map(|(at, name)| (at == last, name.clone())).collect::<Vec<_>>()
        });
        for file in files {
            let entry = not_a_member(Format::Rez, &file, &all, is_described.then_some(&extensions));
            if let Some(entry) = entry {
                account.push(entry);
                continue;
            }
            let (names, data) = file;
            let Some((name, directories)) = names.split_last() else { continue };
            let mut home = &mut root;
            for directory in directories {
                if !home.directories.contains_key(directory) {
                    let path = home.entry(directory);
                    add(&mut changes, path.clone(), vec![is_directory()], None);
                    home.directories.insert(directory.clone(), Home { path, ..Home::default() });
                }
                home = home.directories.entry(directory.clone()).or_default();
            }
            let path = home.entry(name);
            if is_described {
                account.push(added(&path));
            }
            let id = (field_name!(FileHeader, id).to_owned(), Value::from(home.id(name)));
            add(&mut changes, path, vec![id], Some(data.into()));
        }
        Ok((changes, account))
    }
}

fn add(changes: &mut Changes, path: Path, fields: Vec<(String, Value)>, data: Option<Cow<'_, [u8]>>) {
    let data = data.map(|data| Value::Bytes(data.into_owned()));
    changes.push(Change::Add { path, like: None, position: Position::Natural, fields, data });
}

/// Adds the fields behind the fixed part of an entry.
fn rest(own: &Map<String, Json>, encoding: Encoding, fields: &mut Vec<(String, Value)>) -> Result<()> {
    let comment = text_bytes(own, "comment", encoding)?;
    if !comment.is_empty() {
        fields.push(("comment".to_owned(), text(&comment)));
    }
    let keys = list(own, "keys")?.iter().map(|key| word(key).map(i128::from));
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
fn name_of(entry: &Map<String, Json>, encoding: Encoding) -> Result<Vec<u8>> {
    let [name, extension] = ["name", EXTENSION].map(|name| text_bytes(entry, name, encoding));
    let (name, extension) = (name?, extension?);
    Ok(if extension.is_empty() { name } else { [&name[..], b".", &extension].concat() })
}

/// The field with the extension of a file.
const EXTENSION: &str = field_name!(FileHeader, extension);
