//! The entries of directories.

use core::cell::RefCell;
use core::hash::Hasher;

use worldview_core::describe::{
    Array, Charset, Describe, Each, Elements, Field, FieldValue, Flow, Int, Items, List, ListFlag, MainBody, MatchRule,
    Notation, Part, PartKey, Role, Span, Stored, TextValue, Visit, visit_fields,
};
use worldview_core::{Budget, Source, field_name};
use zerocopy::IntoBytes as _;

use super::RezDescription;
use crate::archive::{Directory, DirectoryEntry, File};
use crate::picture::Picture;
use crate::raw::{EntryHeader, FileHeader};

/// State shared by all directories of a walk.
pub(crate) struct DirectoryWalk<'w, 'a> {
    pub(crate) of: &'w RezDescription<'w, 'a>,
    pub(super) pixels: RefCell<Budget>,
}

/// The entries of a directory.
pub(crate) struct Entries<'w, 'a> {
    pub(super) directory: Directory<'w, 'a>,
    pub(crate) walk: &'w DirectoryWalk<'w, 'a>,
}

impl Entries<'_, '_> {
    pub(super) fn visit(&self, visitor: &mut dyn Visit) -> Flow {
        let Self { directory, walk } = *self;
        let list = List::new("entries", "entry").with(&[ListFlag::Main, ListFlag::Members, ListFlag::IgnoresCase]);
        let part = |index: u32, visit: Each<'_>| {
            let entry = directory.get(index as usize);
            entry.map_or(Flow::Continue(()), |entry| part(index, entry, None, walk, visit))
        };
        // The name, and what is called so: a directory, or a file with an extension of this length.
        let identity = |part: &Part<'_>, round, hasher: &mut dyn Hasher| {
            let (PartKey::Name(name), 0) = (part.key, round) else { return MatchRule::None };
            hasher.write(name);
            hasher.write_usize(match directory.get(part.index as usize) {
                Some(DirectoryEntry::File(file)) => file.extension().as_bytes().len().saturating_add(1),
                _ => 0,
            });
            MatchRule::Any
        };
        visitor.parts(&Items::indexed(list, directory.len(), part).identified(&identity).editable(self))
    }

    /// Returns where the directory lies.
    pub(crate) fn span(&self) -> Span {
        self.directory.span()
    }
}

/// Passes on an entry. `alone` is the data of a file that is not in the archive.
pub(crate) fn part<'w, 'a>(
    number: u32,
    entry: DirectoryEntry<'w, 'a>,
    alone: Option<Source<'a>>,
    walk: &'w DirectoryWalk<'w, 'a>,
    visit: Each<'_>,
) -> Flow {
    let at = entry.span();
    match entry {
        DirectoryEntry::Directory(directory) => {
            let body = MainBody(|visitor: &mut dyn Visit| visit_directory(directory, walk, visitor));
            let part = Part::new(number, PartKey::Name(directory.name()), &body).at(at);
            visit(Ok(&part.summary(&format_args!("directory with {} entries", directory.len()))))
        }
        DirectoryEntry::File(file) => {
            let body = FileBody { file, alone, walk };
            let (name, data) = (file.file_name(), body.data());
            let beside = Span::new(data.base(), data.len(), data.space());
            let part = Part::new(number, PartKey::Name(&name), &body).at(at).beside(beside);
            visit(Ok(&part.summary(&format_args!("{} bytes", data.len()))))
        }
    }
}

fn visit_directory<'w, 'a>(
    directory: Directory<'w, 'a>,
    walk: &'w DirectoryWalk<'w, 'a>,
    visitor: &mut dyn Visit,
) -> Flow {
    let source = directory.archive().source();
    visitor.field(&name(directory.name(), source))?;
    if let Some(entry) = directory.entry() {
        let at = Span::of(entry.as_bytes(), source);
        if visitor.wants_places() {
            let kind = FieldValue::Uint(entry.kind.get().into());
            visitor.field(&Field::new(field_name!(EntryHeader, kind), kind).at(at))?;
        }
        visit_fields(entry.as_bytes(), EntryHeader::FIELDS, at, visitor)?;
    }
    Entries { directory, walk }.visit(visitor)
}

struct FileBody<'w, 'a> {
    file: File<'w, 'a>,
    /// The data, if it is not where the entry says.
    alone: Option<Source<'a>>,
    walk: &'w DirectoryWalk<'w, 'a>,
}

/// The name of a file's extension, which is stored reversed.
pub(crate) const EXTENSION: &str = field_name!(FileHeader, extension);

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
            let array = Array::new("keys", "key", Elements::Words(keys)).role(Role::Reserved).notation(Notation::Hex);
            let count = (Span::of(header.key_count.as_bytes(), source), Int::word(4, false));
            visitor.array(&array.at(Span::new(start, keys.as_bytes().len() as u64, at.space)).count(count))?;
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
                            let at = Span::new(data.base(), data.len(), data.space());
                            return visitor.parts(&Items::single("picture", Some(&picture), Some(at)));
                        }
                        Err(error) => visitor.broken(&error)?,
                    }
                }
                Some(Err(error)) => visitor.broken(&error)?,
                None => {}
            }
        }
        let at = Span::new(data.base(), data.len(), data.space());
        visitor.array(&Array::bytes("bytes", data.bytes()).bulk().at(at))
    }
}

/// The name of an entry, which takes as many bytes as it has.
fn name<'d>(name: &'d [u8], source: Source<'_>) -> Field<'d> {
    let value = FieldValue::Text(TextValue::plain(name, Charset::Undeclared));
    let stored = Stored::Name(u16::try_from(name.len()).unwrap_or(u16::MAX));
    Field::new("name", value).at(Span::of(name, source)).stored(stored)
}
