//! New files, from the documents and files that `export` writes.
//!
//! A new file is an empty one of its format, to which changes add everything else, as they do in an edited file. What a document
//! leaves out is zero or empty. Offsets, sizes, counts and checksums follow from the contents, so those in the document are not
//! taken; a message says how many differ.
//!
//! Every function compares what it made with the document that it was given, and refuses what is not in the file as it is there.
//!
//! ```
//! use worldview_import::build;
//! use worldview_export::Encoding;
//!
//! let level = br#"{"format": "wwd", "header": {"name": "Level 1"}, "planes": [
//!     {"name": "Action", "tile_width": 64, "tile_height": 64, "tiles": [[7, 8], [9, 4294967295]],
//!      "image_sets": ["ACTION"], "objects": [{"logic": "CaptainClaw", "x": 32, "y": 32}]}]}"#;
//! let level = build::level(level, Encoding::default())?.complete()?;
//! assert!(worldview_wwd::unpack(&level)?.is_packed());
//!
//! let table = br#"{"format": "wdb", "generation": "G3", "sheet_name": "Lamps",
//!     "fields": [{"name": "sName"}, {"name": "u8Color"}, {"name": "u4Size"}],
//!     "records": [{"record": "lamp_gate", "sName": "Gate", "u8Color": 12, "u4Size": 3}]}"#;
//! let table = build::table(table, None)?.complete()?;
//! let table = worldview_wpd::Table::parse(&table[..])?;
//! assert_eq!(table.by_name("lamp_gate").and_then(|row| row.get("u8Color")), Some(worldview_wpd::Value::U32(12)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod archive;
mod blank;
mod island;
mod level;
mod picture;
mod rez;
mod table;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use serde_json::{Map, Value as Json};
use worldview_core::describe::{Field, FieldValue, Role};
use worldview_core::{FieldInfo, Path, quote};
use worldview_edit::account::{Account, Column, Entry};
use worldview_edit::codes;
use worldview_edit::{Change, Changes, EditError, Format, Planned, Result, Value};
use worldview_export::Encoding;
use worldview_export::names::{Taken, file_name, raw_of};
use worldview_inspect::Root;
use worldview_wwd::Level;

use crate::doc::{Doc, Members, parse, shown};
use crate::given::{Reader, not_encodable};
use crate::members::{self, Has};
use crate::planner::{Cells, Mode, Owner, Planner};

pub use archive::archive;
pub use blank::Blank;
pub use island::{textures, world};
pub use level::{level, map};
pub use picture::picture;
pub use rez::rez;
pub use table::{Layout, sheet, table};

codes! {
    /// The codes of what is said about new files.
    pub BUILDS {
        NOT_BUILT = "not-built": "the new file cannot represent this",
        UNKNOWN_MEMBER = "unknown-member": "the source has a member that files of this format do not have",
        NO_DATA = "no-data": "the source of an archive has no file with the data of an entry",
        MEMBER_ADDED = "member-added": "a file is added that the archive, or the document about it, does not have",
        NOT_A_MEMBER = "not-a-member": "a file in the folder of an archive's members is neither a member nor a new one: it is hidden, a backup, a copy, or neither a table nor an archive",
        PICTURE_NOT_USED = "picture-not-used": "the source has a picture of a texture for which the document has no image",
    }
}

/// A new file.
#[derive(Clone, Debug, Default)]
pub struct Built {
    /// Its bytes.
    pub file: Vec<u8>,
    /// The results for the elements of the source. If any was refused, the file does not match the source.
    pub account: Account,
}

impl Built {
    /// Returns the file, if nothing was refused.
    ///
    /// # Errors
    ///
    /// Returns the first refusal as an error.
    pub fn complete(self) -> Result<Vec<u8>> {
        let planned = Planned { account: self.account, ..Planned::default() };
        planned.complete().map(|_| self.file)
    }
}

/// The files beside a document that complete it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Beside<'f> {
    /// The records of a table as a sheet, if the document does not have them.
    pub sheet: Option<(&'f [u8], &'f crate::csv::Options)>,
    /// The members of an archive, or the pictures of textures.
    pub members: &'f [NewMember<'f>],
}

/// Makes the file that a document describes: a table (`wdb`), a level (`wwd`), an archive (`wpd`, `rez`), a WORLD.WDB (`world`), a
/// `.tex` file (`tex`) or a picture (`pid`, `rid`, `pcx`), as its `format` says.
///
/// `encoding` is the code page of texts of a level, and of names in REZ archives, WORLD.WDB and `.tex` files.
///
/// # Errors
///
/// Returns an error if the text is not a document of one of these formats, and in the cases of [`table`](fn@table),
/// [`level`](fn@level), [`archive`](fn@archive), [`rez`](fn@rez), [`world`] and [`picture`](fn@picture).
pub fn document(document: &[u8], beside: &Beside<'_>, encoding: Encoding) -> Result<Built> {
    let format = parse(document, None)?.get("format").and_then(Doc::text);
    match format.as_deref() {
        Some("wdb") => table(document, beside.sheet),
        Some("wwd") => level(document, encoding),
        Some("wpd") => archive(Some(document), beside.members),
        Some("rez") => rez(Some(document), beside.members, encoding),
        Some("world") => world(document, beside.members, encoding),
        Some("pid" | "rid" | "pcx" | "bmp") => picture(document),
        Some("tex") => textures(document, beside.members, encoding),
        Some(format) => {
            let why = format!("files cannot be made from documents of the format {}", quote(format));
            Err(EditError::malformed(None, why))
        }
        None => {
            Err(EditError::malformed(None, "the document has no `format`, so neither `export` nor `show` wrote it"))
        }
    }
}

/// A file that becomes a member of a new archive.
#[derive(Clone, Copy, Debug)]
pub struct NewMember<'f> {
    /// The path that `export` gives it, relative to its folder `members` and separated by `/`: bytes that file names may not have
    /// are written as `%` and two hexadecimal digits.
    pub path: &'f str,
    /// The bytes.
    pub data: &'f [u8],
}

/// The files that become members of a new archive, by path.
struct Files<'f> {
    by_path: BTreeMap<&'f str, &'f [u8]>,
    /// The names that entries of a document have taken.
    taken: Taken,
}

/// The names in the path of a file that no entry has taken, and its data.
type RestFile<'f> = (Vec<Vec<u8>>, &'f [u8]);

impl<'f> Files<'f> {
    fn of(members: &[NewMember<'f>]) -> Result<Self> {
        Ok(Self { by_path: by_path(members)?, taken: Taken::default() })
    }

    /// Takes the file of the next entry of a document. A file is newer than what the document says of it.
    fn take(&mut self, path: &[Vec<u8>], own: &mut Map<String, Json>) -> Result<Cow<'f, [u8]>> {
        let names: Vec<_> = path.iter().map(|name| file_name(name)).collect();
        if let Some(data) = self.by_path.remove(&*self.taken.take(names.join("/"))) {
            own.retain(|name, _| !matches!(name.as_str(), "bytes" | "content"));
            return Ok(data.into());
        }
        Members::of(own).bytes_of("bytes")?.map(Cow::Owned).ok_or_else(|| {
            let mut place = Path::new();
            path.iter().for_each(|name| place.push_name(name));
            EditError::refused(&place, NO_DATA, "the source has no file with the data of this entry")
        })
    }

    /// Returns the files that no entry has taken, with the names in their paths, whose text is stored in a code page.
    fn rest(self, encoding: Encoding) -> Result<Vec<RestFile<'f>>> {
        let name = |name: &str| {
            let name = encoding.encode(name).ok_or_else(|| EditError::malformed(None, not_encodable(name, encoding)));
            name.map(raw_of)
        };
        let names = |path: &str| path.split('/').map(name).collect::<Result<Vec<_>>>();
        self.by_path.into_iter().map(|(path, data)| Ok((names(path)?, data))).collect()
    }
}

/// Returns the data of files by their paths, each of which only one file may have.
fn by_path<'f>(members: &[NewMember<'f>]) -> Result<BTreeMap<&'f str, &'f [u8]>> {
    let mut all = BTreeMap::new();
    for member in members {
        if all.insert(member.path, member.data).is_some() {
            return Err(EditError::malformed(None, format!("two files have the path {}", quote(member.path))));
        }
    }
    Ok(all)
}

/// The names of files in a folder, as they are stored.
type FileNames = HashSet<Vec<Vec<u8>>>;

/// Returns why a file that no entry has taken is no member, by its names and its data. `extensions` are those of a document.
fn not_a_member(
    format: Format,
    (names, data): &RestFile<'_>,
    files: &FileNames,
    extensions: Option<&HashSet<Vec<u8>>>,
) -> Option<Entry> {
    let (name, folders) = names.split_last()?;
    let in_folder = |name: &[u8]| files.contains(&[folders, &[name.to_vec()]].concat());
    let has = extensions.map(|all| |extension: &[u8]| all.contains(extension));
    let has = has.as_ref().map(|has| -> Has<'_> { has });
    let is_hidden = folders.iter().any(|folder| folder.starts_with(b"."));
    let why = || members::not_a_member(format, name, data, has, &in_folder);
    let why = if is_hidden { Some("is in a hidden folder") } else { why() };
    let mut path = Path::new();
    names.iter().for_each(|name| path.push_name(name));
    why.map(|why| members::left_out(&path, why))
}

/// Says that a document lacks a file.
fn added(path: &Path) -> Entry {
    Entry::new(Column::Done, MEMBER_ADDED, path, "the document does not have this file, which comes after the others")
}

/// Says what a new file does not have as the document says it that it was made from.
fn compared(root: &Root<'_>, mut document: Members<'_>, encoding: Encoding, level: Option<&Level<'_>>) -> Account {
    let mut planner = Planner::new(Mode::Compare, encoding).level(level);
    planner.old(root.body, Owner::at(&Path::new()), None, &mut document);
    planner.finish().account
}

/// Reads a document into memory.
fn tree(document: &[u8]) -> Result<Map<String, Json>> {
    let members = parse(document, None)?;
    let all = members.rest().map(|(name, value)| Ok((name.to_owned(), value.tree(0)?)));
    all.collect::<std::result::Result<_, _>>().map_err(|why: String| EditError::malformed(None, why))
}

/// Takes the members that every document of a whole file has.
fn check_format(document: &mut Map<String, Json>, format: &str) -> Result<()> {
    Members::of(document).check_whole(format)?;
    for name in ["format", "version", "full", "parts"] {
        document.shift_remove(name);
    }
    Ok(())
}

/// Returns the list that a member is; a missing one is empty.
fn list<'j>(members: &'j Map<String, Json>, name: &str) -> Result<&'j [Json]> {
    match members.get(name) {
        None | Some(Json::Null) => Ok(&[]),
        Some(Json::Array(list)) => Ok(list),
        Some(other) => Err(EditError::malformed(None, format!("expected a list as `{name}`, found {}", shown(other)))),
    }
}

/// Returns the object that an element of a list is.
fn object<'j>(json: &'j Json, what: &str) -> Result<&'j Map<String, Json>> {
    json.as_object().ok_or_else(|| EditError::malformed(None, format!("expected {what}, found {}", shown(json))))
}

/// Returns the bytes of a text: those of the member with them, or the text in a code page. A missing one is empty.
fn text_bytes(members: &Map<String, Json>, name: &str, encoding: Encoding) -> Result<Vec<u8>> {
    Members::of(members).text_of(name, encoding)
}

/// Returns the changes that give a new file the fields of its own that a document has.
fn own_fields(infos: &[FieldInfo], document: &Map<String, Json>, encoding: Encoding) -> Result<Changes> {
    let fields = fields(infos, document, encoding)?.into_iter().map(|(name, to)| {
        let path = Path::new().with(|path| path.push("@", name.as_bytes(), None));
        Change::set(path, to)
    });
    Ok(fields.collect())
}

/// Returns the fields that an object has of a structure, without those that follow from the contents.
fn fields(infos: &[FieldInfo], members: &Map<String, Json>, encoding: Encoding) -> Result<Vec<(String, Value)>> {
    fields_of(infos, &Members::of(members), encoding)
}

/// Does the same for an object of a document that is not in memory.
fn fields_of(infos: &[FieldInfo], members: &Members<'_>, encoding: Encoding) -> Result<Vec<(String, Value)>> {
    let reader = Reader { encoding, is_new: true, is_new_file: true };
    let mut all = Vec::new();
    for info in infos.iter().filter(|info| info.role != Role::Storage) {
        let Some(given) = Cells::get(members, info.name) else { continue };
        let field = Field { storage_bits: info.storage_bits, ..Field::new(info.name, FieldValue::Absent) };
        let value = reader.read(&field.stored(info.stored), &given);
        let value = value.map_err(|why| EditError::malformed(None, format!("`{}`: {why}", info.name)))?;
        all.extend(value.map(|value| (info.name.to_owned(), value)));
    }
    Ok(all)
}
