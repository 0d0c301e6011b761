//! The entries of directories.

use core::cell::RefCell;
use core::fmt;
use core::hash::Hasher;

use worldview_core::describe::{
    Array, Charset, Describe, Each, Elements, Field, FieldValue, Flow, Int, List, MatchRule, Notation, OnePart, Part,
    PartKey, PartList, Role, ShapeNumber, Slots, Span, Stored, TextValue, Visit, visit_fields,
};
use worldview_core::{Budget, Source, field_name};
use zerocopy::{FromBytes as _, FromZeros as _, IntoBytes as _};

use super::RezDescription;
use crate::archive::{Directory, DirectoryEntry, File, Rez, split_name};
use crate::picture::Picture;
use crate::raw::{EntryHeader, FileHeader};

/// State shared by all directories of a walk.
pub(super) struct DirectoryWalk<'w, 'a> {
    pub(super) of: &'w RezDescription<'w, 'a>,
    pub(super) pixels: RefCell<Budget>,
}

/// The entries of a directory.
pub(super) struct Entries<'w, 'a> {
    pub(super) directory: Directory<'w, 'a>,
    pub(super) walk: &'w DirectoryWalk<'w, 'a>,
}

impl<'w, 'a> Entries<'w, 'a> {
    fn with(&self, index: usize, visit: &mut dyn FnMut(&Part<'_>) -> Flow) -> Flow {
        let Some(entry) = self.directory.get(index) else { return Flow::Continue(()) };
        part(u32::try_from(index).unwrap_or(u32::MAX), entry, None, self.walk, visit)
    }
}

/// Visits an entry. `alone` is the data of a file that is not in the archive.
fn part<'w, 'a>(
    number: u32,
    entry: DirectoryEntry<'w, 'a>,
    alone: Option<Source<'a>>,
    walk: &'w DirectoryWalk<'w, 'a>,
    visit: &mut dyn FnMut(&Part<'_>) -> Flow,
) -> Flow {
    let at = entry.span();
    match entry {
        DirectoryEntry::Directory(directory) => {
            let body = DirectoryBody { directory, walk };
            visit(&Part { at, ..Part::new(number, PartKey::Name(directory.name()), &body).summary(&body) })
        }
        DirectoryEntry::File(file) => {
            let body = FileBody { file, alone, walk };
            let (name, data) = (file.file_name(), body.data());
            let beside = Some(Span::new(data.base(), data.len(), data.space()));
            visit(&Part { at, beside, ..Part::new(number, PartKey::Name(&name), &body).summary(&body) })
        }
    }
}

impl PartList for Entries<'_, '_> {
    fn list(&self) -> List {
        List { main: true, ignores_case: true, ..List::new("entries", "entry") }
    }

    fn each(&self, visit: Each<'_>) -> Flow {
        (0..self.directory.len()).try_for_each(|index| self.with(index, &mut |part| visit(Ok(part))))
    }

    fn get(&self, index: u32, _: u64, visit: &mut dyn FnMut(&Part<'_>)) {
        let _ = self.with(index as usize, &mut |part| {
            visit(part);
            Flow::Continue(())
        });
    }

    fn slots(&self) -> Option<Slots> {
        Some(Slots { start: self.directory.span().at, count: None, key: None, shape: &[] })
    }

    /// A file or a directory without a name.
    fn blank(&self, wanted: &dyn Fn(ShapeNumber<'_>) -> Option<i64>, make: &mut dyn FnMut(&[u8])) {
        let mut entry = EntryHeader::new_zeroed();
        if wanted(ShapeNumber::Field(field_name!(EntryHeader, kind))) == Some(EntryHeader::DIRECTORY.into()) {
            entry.kind.set(EntryHeader::DIRECTORY);
            return make(&[entry.as_bytes(), &[0]].concat());
        }
        make(&[entry.as_bytes(), FileHeader::new_zeroed().as_bytes(), &[0; 2]].concat());
    }

    fn alone(&self, bytes: &[u8], visit: &mut dyn FnMut(&Part<'_>)) {
        let archive = self.walk.of.archive;
        let source = Source::new(bytes, archive.source().space());
        let Ok((alone, len)) = Rez::of_entry(archive.header(), source) else { return };
        if let (Some(entry), Ok(data)) = (alone.root().get(0), source.tail(len, crate::labels::DATA)) {
            let _ = part(0, entry, Some(data), self.walk, &mut |part| {
                visit(part);
                Flow::Continue(())
            });
        }
    }

    fn set_name(
        &self,
        bytes: &mut Vec<u8>,
        label: &[u8],
        given: &dyn Fn(&str) -> Option<Vec<u8>>,
    ) -> Result<(), &'static str> {
        const NOTHING: &str = "there is no entry to name";
        let source = Source::from(bytes.as_slice());
        let (alone, _) = Rez::of_entry(self.walk.of.archive.header(), source).map_err(|_| NOTHING)?;
        let (is_file, old) = match alone.root().get(0) {
            Some(DirectoryEntry::File(file)) => (true, Span::of(file.name(), source)),
            Some(DirectoryEntry::Directory(directory)) => (false, Span::of(directory.name(), source)),
            None => return Err(NOTHING),
        };
        if label.contains(&0) {
            return Err("a name has no NUL");
        }
        let (mut name, mut extension) = if is_file { split_name(label) } else { (label, &[][..]) };
        let wanted = given(EXTENSION).filter(|_| is_file);
        if let Some(wanted) = wanted.as_deref().filter(|wanted| *wanted != extension) {
            let before = label.strip_suffix(wanted).filter(|_| wanted.len() <= 4);
            let before = if wanted.is_empty() { before } else { before.and_then(|before| before.strip_suffix(b".")) };
            name = before.ok_or("the extension is the end of the name behind a dot, at most 4 bytes")?;
            extension = wanted;
        }
        let mut stored = [0; 4];
        stored.iter_mut().zip(extension.iter().rev()).for_each(|(to, from)| *to = *from);
        let start = usize::try_from(old.at).map_err(|_| NOTHING)?;
        let end = usize::try_from(old.at.saturating_add(old.len)).map_err(|_| NOTHING)?;
        drop(alone);
        if is_file {
            let (_, rest) = EntryHeader::mut_from_prefix(bytes).map_err(|_| NOTHING)?;
            let (file, _) = FileHeader::mut_from_prefix(rest).map_err(|_| NOTHING)?;
            file.extension = zerocopy::transmute!(stored);
        }
        bytes.splice(start..end, name.iter().copied());
        Ok(())
    }

    /// The name, and what is called so: a directory, or a file with an extension of this length.
    fn identity(&self, part: &Part<'_>, round: u32, hasher: &mut dyn Hasher) -> MatchRule {
        let (PartKey::Name(name), 0) = (part.key, round) else { return MatchRule::None };
        hasher.write(name);
        hasher.write_usize(match self.directory.get(part.index as usize) {
            Some(DirectoryEntry::File(file)) => file.extension().as_bytes().len().saturating_add(1),
            _ => 0,
        });
        MatchRule::Any
    }
}

struct DirectoryBody<'w, 'a> {
    directory: Directory<'w, 'a>,
    walk: &'w DirectoryWalk<'w, 'a>,
}

impl fmt::Display for DirectoryBody<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "directory with {} entries", self.directory.len())
    }
}

impl Describe for DirectoryBody<'_, '_> {
    fn has_main_list(&self) -> bool {
        true
    }

    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let source = self.directory.archive().source();
        visitor.field(&name(self.directory.name(), source))?;
        if let Some(entry) = self.directory.entry() {
            let at = Span::of(entry.as_bytes(), source);
            if visitor.wants_places() {
                let kind = FieldValue::Uint(entry.kind.get().into());
                visitor.field(&Field::new(field_name!(EntryHeader, kind), kind).at(at))?;
            }
            visit_fields(entry.as_bytes(), EntryHeader::FIELDS, at, visitor)?;
        }
        visitor.parts(&Entries { directory: self.directory, walk: self.walk })
    }
}

struct FileBody<'w, 'a> {
    file: File<'w, 'a>,
    /// The data, if it is not where the entry says.
    alone: Option<Source<'a>>,
    walk: &'w DirectoryWalk<'w, 'a>,
}

impl fmt::Display for FileBody<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.data().len())
    }
}

/// The name of a file's extension, which is stored reversed.
const EXTENSION: &str = field_name!(FileHeader, extension);

impl Describe for FileBody<'_, '_> {
    /// A file may be a level or another archive.
    fn has_main_list(&self) -> bool {
        true
    }

    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let (file, source) = (&self.file, self.file.parent().archive().source());
        visitor.field(&name(file.name(), source))?;
        let extension = file.extension();
        let value = FieldValue::Text(TextValue::plain(extension.as_bytes(), Charset::Undeclared));
        let at = Span::of(file.header().extension.raw(), source);
        visitor.field(&Field::new(EXTENSION, value).at(at))?;
        let (entry, header) = (file.entry(), file.header());
        visit_fields(entry.as_bytes(), EntryHeader::FIELDS, Span::of(entry.as_bytes(), source), visitor)?;
        visit_fields(header.as_bytes(), FileHeader::FIELDS, Span::of(header.as_bytes(), source), visitor)?;
        let (comment, keys) = (file.comment(), file.keys());
        let at = Span { len: comment.len() as u64, ..Span::of(file.rest(), source) };
        if !comment.is_empty() || visitor.wants_places() {
            let value = FieldValue::Text(TextValue::plain(comment, Charset::Undeclared));
            visitor.field(&Field::new("comment", value).at(at).stored(Stored::Terminated(u32::MAX)))?;
        }
        if !keys.is_empty() || visitor.wants_places() {
            let start = at.at.saturating_add(at.len).saturating_add(1);
            visitor.array(&Array {
                name: "keys",
                item: "key",
                elements: Elements::Words(keys),
                columns: 0,
                rows_are_items: false,
                bulk: false,
                role: Role::Reserved,
                at: Some(Span::new(start, keys.as_bytes().len() as u64, at.space)),
                notation: Notation::Hex,
                blank: 0,
                count: Some((Span::of(header.key_count.as_bytes(), source), Int::word(4, false))),
            })?;
        }
        if file.is_missing() && self.alone.is_none() {
            let content = Field::new("content", FieldValue::Word("missing")).role(Role::Derived);
            return visitor.field(&content);
        }
        self.content(visitor)
    }
}

impl<'a> FileBody<'_, 'a> {
    fn data(&self) -> Source<'a> {
        self.alone.unwrap_or_else(|| self.file.source())
    }

    /// Describes the data in its format, or as bytes if the format is unknown.
    fn content(&self, visitor: &mut dyn Visit) -> Flow {
        let (file, data) = (&self.file, self.data());
        if self.walk.of.opens_files && self.alone.is_none() {
            if let Some(flow) = self.walk.of.contents.and_then(|contents| contents(file, visitor)) {
                return flow;
            }
            match Picture::of_file(file) {
                Some(Ok(picture)) => {
                    let pixels = picture.pixels() as u64;
                    // The pixels are only decoded for a full dump or a comparison.
                    let spent = if visitor.wants_bulk() {
                        self.walk.pixels.borrow_mut().spend(pixels, data.base(), data.space())
                    } else {
                        Ok(())
                    };
                    match spent {
                        Ok(()) => {
                            let at = Some(Span::new(data.base(), data.len(), data.space()));
                            return visitor.parts(&OnePart { name: "picture", body: Some(&picture), at });
                        }
                        Err(error) => visitor.broken(&error)?,
                    }
                }
                Some(Err(error)) => visitor.broken(&error)?,
                None => {}
            }
        }
        visitor.array(&Array {
            name: "bytes",
            item: "byte",
            elements: Elements::Bytes(data.bytes()),
            columns: 0,
            rows_are_items: false,
            bulk: true,
            role: Role::Data,
            at: Some(Span::new(data.base(), data.len(), data.space())),
            notation: Notation::Hex,
            blank: 0,
            count: None,
        })
    }
}

/// The name of an entry, which takes as many bytes as it has.
fn name<'d>(name: &'d [u8], source: Source<'_>) -> Field<'d> {
    let value = FieldValue::Text(TextValue::plain(name, Charset::Undeclared));
    let stored = Stored::Name(u16::try_from(name.len()).unwrap_or(u16::MAX));
    Field::new("name", value).at(Span::of(name, source)).stored(stored)
}
