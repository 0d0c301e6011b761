use std::borrow::Cow;

use worldview_core::describe::Role;
use worldview_core::{FieldInfo, Path};
use worldview_rez::raw::{EntryHeader, FileHeader};
use worldview_rez::{Directory, DirectoryEntry, File};
use zerocopy::little_endian::U32;
use zerocopy::{FromZeros as _, IntoBytes as _};

use crate::fields::{self, same, word};
use crate::{EditError, EditErrorKind, Patches, Result, Value};

/// An entry of a directory as it will be.
pub(super) struct Planned<'v, 'a> {
    /// Which entry of the original it is.
    pub(super) origin: Option<usize>,
    /// Whether a change put it where it is.
    pub(super) is_placed: bool,
    /// Whether its name, comment or keys are new.
    pub(super) is_longer: bool,
    pub(super) header: EntryHeader,
    /// `None` for a directory.
    pub(super) file: Option<FileHeader>,
    pub(super) name: Cow<'a, [u8]>,
    /// The bytes after the name and its NUL: the comment and the keys of a file.
    pub(super) rest: Cow<'a, [u8]>,
    pub(super) content: Content<'v, 'a>,
}

/// What an entry refers to.
pub(super) enum Content<'v, 'a> {
    /// The data or directory of the original; nothing in an added entry.
    Kept,
    New(Vec<u8>),
    Edited(Patches<'a>),
    Directory(Draft<'v, 'a>),
}

/// A directory as it will be.
#[derive(Default)]
pub(super) struct Draft<'v, 'a> {
    /// `None` if it is added.
    pub(super) original: Option<Directory<'v, 'a>>,
    pub(super) entries: Vec<Planned<'v, 'a>>,
}

impl<'a> Planned<'_, 'a> {
    pub(super) fn of(origin: usize, entry: &DirectoryEntry<'_, 'a>) -> Self {
        let (header, file, name, rest) = match entry {
            DirectoryEntry::Directory(directory) => {
                (directory.entry().copied().unwrap_or_else(EntryHeader::new_zeroed), None, directory.name(), &b""[..])
            }
            DirectoryEntry::File(file) => (*file.entry(), Some(*file.header()), file.name(), file.rest()),
        };
        Self {
            origin: Some(origin),
            is_placed: false,
            is_longer: false,
            header,
            file,
            name: name.into(),
            rest: rest.into(),
            content: Content::Kept,
        }
    }

    /// An entry without data.
    pub(super) fn new(is_directory: bool) -> Self {
        let mut header = EntryHeader::new_zeroed();
        if is_directory {
            header.kind.set(EntryHeader::DIRECTORY);
        }
        let rest: &[u8] = if is_directory { b"" } else { b"\0" };
        Self {
            origin: None,
            is_placed: true,
            is_longer: true,
            header,
            file: (!is_directory).then(FileHeader::new_zeroed),
            name: Cow::Borrowed(b""),
            rest: rest.into(),
            content: if is_directory { Content::Directory(Draft::default()) } else { Content::Kept },
        }
    }

    /// Returns the entry as it is stored.
    pub(super) fn write_to(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.header.as_bytes());
        if let Some(file) = &self.file {
            out.extend_from_slice(file.as_bytes());
        }
        out.extend_from_slice(&self.name);
        out.push(0);
        out.extend_from_slice(&self.rest);
    }

    /// Gives the entry a name; that of a file with its extension.
    pub(super) fn rename(&mut self, label: &[u8], path: &Path) -> Result<()> {
        let value = || Value::from_bytes(label);
        if label.contains(&0) {
            let limit = "a name has no NUL".to_owned();
            return Err(EditError::new(path, EditErrorKind::DoesNotFit { value: value(), limit }));
        }
        let (name, extension) = if self.file.is_some() { split(label) } else { (label, &b""[..]) };
        self.set_extension(extension);
        self.name = name.to_vec().into();
        self.is_longer = true;
        Ok(())
    }

    fn set_extension(&mut self, extension: &[u8]) {
        let Some(file) = &mut self.file else { return };
        let mut stored = [0; 4];
        stored.iter_mut().zip(extension.iter().rev()).for_each(|(to, from)| *to = *from);
        file.extension = zerocopy::transmute!(stored);
    }

    /// Gives a value to a field, which must have the expected one. Returns whether it has the new one already.
    pub(super) fn set(&mut self, name: &[u8], from: Option<&Value>, to: &Value, path: &Path) -> Result<bool> {
        let found = self.field(name).ok_or_else(|| EditError::new(path, EditErrorKind::NotFound))?;
        if same(to, &found) {
            return Ok(true);
        }
        if let Some(from) = from.filter(|from| !same(from, &found)) {
            return Err(EditError::new(path, EditErrorKind::Differs { expected: from.clone(), found }));
        }
        self.is_longer |= matches!(name, b"comment" | b"keys");
        match (name, &mut self.file) {
            (b"comment", Some(_)) => {
                let text = text(to, path)?;
                let old = self.comment().len().saturating_add(1);
                let keys = self.rest.get(old..).unwrap_or(&[]);
                self.rest = [text, &[0], keys].concat().into();
            }
            (b"keys", Some(file)) => {
                let Value::Integers(keys) = to else { return Err(wrong(path, "a list of integers", to)) };
                let words = keys.iter().map(|key| word(&Value::Integer(*key), path)).collect::<Result<Vec<_>>>()?;
                file.key_count.set(word(&Value::from(words.len() as u64), path)?);
                let comment = self.rest.get(..=self.comment().len()).unwrap_or(b"\0");
                let words = words.into_iter().flat_map(u32::to_le_bytes);
                self.rest = comment.iter().copied().chain(words).collect();
            }
            (b"name", _) => return Err(EditError::new(path, EditErrorKind::IsName)),
            (b"extension", Some(_)) => self.change_extension(text(to, path)?, path)?,
            _ => {
                let Some((info, record)) = self.stored_mut(name) else {
                    return Err(EditError::unsupported(path, "an entry cannot become one of another kind"));
                };
                fields::put(info, record, to, path)?;
            }
        }
        Ok(false)
    }

    /// Gives a new file another extension than its name suggests.
    fn change_extension(&mut self, extension: &[u8], path: &Path) -> Result<()> {
        if self.origin.is_some() {
            return Err(EditError::new(path, EditErrorKind::IsName));
        }
        let label = self.label();
        let name = match extension {
            [] => Some(&*label),
            _ => label.strip_suffix(extension).and_then(|name| name.strip_suffix(b".")),
        };
        let fits = name.filter(|_| extension.len() <= 4);
        let name = fits.ok_or_else(|| {
            let limit = "the end of the name behind a dot, at most 4 bytes".to_owned();
            EditError::new(path, EditErrorKind::DoesNotFit { value: Value::from_bytes(extension), limit })
        })?;
        let name = name.to_vec();
        self.set_extension(extension);
        self.name = name.into();
        Ok(())
    }

    /// The value of a field.
    fn field(&self, name: &[u8]) -> Option<Value> {
        let file = self.file.as_ref();
        Some(match name {
            b"kind" if file.is_none() => EntryHeader::DIRECTORY.into(),
            b"name" => Value::from_bytes(&self.name),
            b"extension" => Value::from_bytes(&extension(file?)),
            b"comment" if file.is_some() => Value::from_bytes(self.comment()),
            b"keys" if file.is_some() => {
                let keys = self.rest.get(self.comment().len().saturating_add(1)..).unwrap_or(&[]);
                Value::Integers(keys.chunks_exact(4).map(|key| key_of(key).into()).collect())
            }
            _ => {
                let mut known = EntryHeader::FIELDS.iter().map(|info| (info, self.header.as_bytes())).chain(
                    file.into_iter().flat_map(|file| FileHeader::FIELDS.iter().map(|info| (info, file.as_bytes()))),
                );
                let (info, record) = known.find(|(info, _)| is_own(info, name))?;
                fields::value_of(info.value(record), info.stored)
            }
        })
    }

    /// Returns a field of the fixed part that has no other form, and the bytes of its structure.
    fn stored_mut(&mut self, name: &[u8]) -> Option<(&'static FieldInfo, &mut [u8])> {
        if let Some(info) = EntryHeader::FIELDS.iter().find(|info| is_own(info, name)) {
            return Some((info, self.header.as_mut_bytes()));
        }
        let info = FileHeader::FIELDS.iter().find(|info| is_own(info, name))?;
        Some((info, self.file.as_mut()?.as_mut_bytes()))
    }

    /// The values of all fields that are not usual, and the kind of a directory.
    pub(super) fn fields(&self) -> Vec<(String, Value)> {
        let mut fields = Vec::new();
        let stored = self.file.as_ref().map(extension);
        for name in ["kind", "time", "id", "extension", "comment", "keys"] {
            let is_usual = |value: &Value| match name {
                "kind" => false,
                "extension" => stored.as_deref() == Some(split(&self.label()).1),
                _ => is_empty(value),
            };
            fields.extend(
                self.field(name.as_bytes()).filter(|value| !is_usual(value)).map(|value| (name.to_owned(), value)),
            );
        }
        fields
    }

    /// Compares the values of all fields, and returns the names and values of those that differ. Both are files, or directories.
    pub(super) fn differences(&self, other: &Self) -> Vec<(&'static str, Value, Value)> {
        let both = |name: &'static str| Some((name, self.field(name.as_bytes())?, other.field(name.as_bytes())?));
        let all = ["time", "id", "comment", "keys"].into_iter().filter_map(both);
        all.filter(|(_, left, right)| !same(left, right)).collect()
    }

    /// Checks the fields that a removed entry must have.
    pub(super) fn expect(&self, fields: &[(String, Value)], path: &Path) -> Result<()> {
        for (name, expected) in fields {
            let mut path = path.clone();
            path.push("@", name.as_bytes(), None);
            let found = self.field(name.as_bytes()).ok_or_else(|| EditError::new(&path, EditErrorKind::NotFound))?;
            if !same(expected, &found) {
                return Err(EditError::new(&path, EditErrorKind::Differs { expected: expected.clone(), found }));
            }
        }
        Ok(())
    }

    pub(super) fn comment(&self) -> &[u8] {
        self.rest.split(|&byte| byte == 0).next().unwrap_or(&[])
    }

    pub(super) fn label(&self) -> Vec<u8> {
        match self.file.as_ref().map(extension).filter(|extension| !extension.is_empty()) {
            Some(extension) => [&*self.name, b".", &extension].concat(),
            None => self.name.to_vec(),
        }
    }
}

/// Returns whether a field with this name is content in the form in which it is stored.
fn is_own(info: &FieldInfo, name: &[u8]) -> bool {
    info.role == Role::Data && *info.name.as_bytes() == *name
}

/// Returns whether the fields of a change are those of a directory.
pub(super) fn is_directory(fields: &[(String, Value)]) -> bool {
    fields.iter().any(|(name, value)| name == "kind" && *value == Value::from(EntryHeader::DIRECTORY))
}

/// Returns the name of an entry, that of a file with its extension.
pub(super) fn label(entry: &DirectoryEntry<'_, '_>) -> Vec<u8> {
    match entry {
        DirectoryEntry::Directory(directory) => directory.name().to_vec(),
        DirectoryEntry::File(file) => file.file_name(),
    }
}

/// Splits a name as the packer does: at the last dot, if at most four bytes follow.
fn split(label: &[u8]) -> (&[u8], &[u8]) {
    let at = label.iter().rposition(|&byte| byte == b'.').filter(|at| label.len().saturating_sub(*at) <= 5);
    match at.and_then(|at| Some((label.get(..at)?, label.get(at.checked_add(1)?..)?))) {
        Some((name, extension)) if !extension.is_empty() => (name, extension),
        _ => (label, b""),
    }
}

fn extension(file: &FileHeader) -> Vec<u8> {
    file.extension.as_bytes().iter().rev().copied().collect()
}

fn key_of(bytes: &[u8]) -> u32 {
    <[u8; 4]>::try_from(bytes).map_or(0, |bytes| U32::from_bytes(bytes).get())
}

/// Whether a value is that of an entry of which nothing is known.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Integer(integer) => *integer == 0,
        Value::Integers(list) => list.is_empty(),
        value => value.as_bytes() == Some(b""),
    }
}

fn text<'v>(value: &'v Value, path: &Path) -> Result<&'v [u8]> {
    let text = value.as_bytes().ok_or_else(|| wrong(path, "text", value))?;
    if text.contains(&0) {
        let limit = "a text has no NUL".to_owned();
        return Err(EditError::new(path, EditErrorKind::DoesNotFit { value: value.clone(), limit }));
    }
    Ok(text)
}

pub(super) fn wrong(path: &Path, wanted: &'static str, found: &Value) -> EditError {
    EditError::new(path, EditErrorKind::WrongType { wanted, found: found.clone() })
}

/// Returns the entries of a directory as they are.
pub(super) fn entries<'v, 'a>(directory: &Directory<'v, 'a>) -> Vec<Planned<'v, 'a>> {
    directory.entries().enumerate().map(|(index, entry)| Planned::of(index, &entry)).collect()
}

/// Returns whether the bytes of a file are those that a change expects.
pub(super) fn expect_data(file: &File<'_, '_>, expected: Option<&Value>, path: &Path) -> Result<()> {
    let Some(expected) = expected else { return Ok(()) };
    let bytes = expected.as_bytes().ok_or_else(|| wrong(path, "text or bytes", expected))?;
    if bytes == file.data() {
        return Ok(());
    }
    let found = Value::Bytes(file.data().to_vec());
    Err(EditError::new(path, EditErrorKind::Differs { expected: expected.clone(), found }))
}
