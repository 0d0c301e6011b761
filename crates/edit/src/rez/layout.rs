use std::borrow::Cow;
use std::ops::Range;

use worldview_core::Path;
use worldview_rez::raw::{EntryHeader, FileHeader, RezHeader};
use worldview_rez::{Directory, DirectoryEntry, Rez};
use zerocopy::{FromBytes as _, IntoBytes as _};

use crate::checked::{Checked as _, sized};
use crate::used::Used;
use crate::{EditError, Patches, Result};

/// An entry of a directory as it will be.
pub(super) struct Planned<'v, 'a> {
    /// Which entry of the original it is.
    pub(super) origin: Option<usize>,
    pub(super) header: EntryHeader,
    /// The bytes behind the header.
    pub(super) rest: Cow<'a, [u8]>,
    pub(super) content: Content<'v, 'a>,
}

/// The data or directory of an entry.
pub(super) enum Content<'v, 'a> {
    /// The data or directory of the original.
    Kept,
    New(Patches<'a>),
    Directory(Draft<'v, 'a>),
}

/// A directory as it will be.
pub(super) struct Draft<'v, 'a> {
    /// `None` if it is added.
    pub(super) original: Option<Directory<'v, 'a>>,
    pub(super) entries: Vec<Planned<'v, 'a>>,
}

impl Planned<'_, '_> {
    pub(super) const fn is_directory(&self) -> bool {
        self.header.kind.get() == EntryHeader::DIRECTORY
    }

    fn set_place(&mut self, (pos, size): (u32, u32)) {
        self.header.pos.set(pos);
        self.header.size.set(size);
    }
}

impl<'a> Draft<'_, 'a> {
    /// Returns the bytes behind the header that an entry had.
    fn old(&self, entry: &Planned<'_, 'a>) -> Option<&'a [u8]> {
        self.original?.get(entry.origin?)?.bytes()?.get(size_of::<EntryHeader>()..)
    }
}

/// Bytes of the header.
const HEADER: Range<usize> = 0..size_of::<RezHeader>();

/// Returns the edited archive.
pub(super) fn finish<'a>(archive: &Rez<'a>, mut root: Draft<'_, 'a>, mut header: RezHeader) -> Result<Patches<'a>> {
    let bytes = archive.source().bytes();
    let mut layout = Layout {
        bytes,
        used: used(archive),
        out: Patches::new(bytes),
        end: bytes.len(),
        names: Longest::default(),
        is_moved: false,
    };
    layout.data(&mut root)?;
    let (old_end, new_end) = (data_end(&archive.root()), draft_end(&root));
    let place = (header.root_dir_pos.get(), header.root_dir_size.get());
    let (pos, size) = layout.directory(&mut root, place)?;
    header.root_dir_pos.set(pos);
    header.root_dir_size.set(size);
    // What a program adds goes behind all data, also if the original says otherwise.
    let next = u64::from(header.next_write_pos.get());
    if old_end != new_end && (next == old_end || next < new_end) {
        header.next_write_pos.set(u32::try_from(new_end).map_err(|_| too_large())?);
    }
    let Longest { directory, file, comment, keys } = layout.names;
    for (field, longest) in [
        (&mut header.largest_dir_name, directory),
        (&mut header.largest_rez_name, file),
        (&mut header.largest_comment, comment),
    ] {
        field.set(field.get().max(u32::try_from(longest).map_err(|_| too_large())?));
    }
    header.largest_key_ary.set(header.largest_key_ary.get().max(keys));
    if layout.is_moved && !archive.root().is_empty() {
        header.is_sorted = 0;
    }
    if header.as_bytes() != archive.header().as_bytes() {
        if !layout.used.is_own(&HEADER) {
            let why = "the data of a file or a directory lies inside the header, which has to change";
            return Err(EditError::unsupported(&Path::new(), why));
        }
        layout.replace(HEADER, header.as_bytes().to_vec())?;
    }
    Ok(layout.out)
}

/// An archive whose edited parts get their places.
struct Layout<'a> {
    bytes: &'a [u8],
    used: Used<usize>,
    out: Patches<'a>,
    /// The length of the archive with what has been appended.
    end: usize,
    names: Longest,
    /// Whether the files of a directory no longer lie next to each other.
    is_moved: bool,
}

/// The largest lengths that the header must allow for, with NULs.
#[derive(Default)]
struct Longest {
    directory: usize,
    file: usize,
    comment: usize,
    keys: u32,
}

impl<'a> Layout<'a> {
    fn replace(&mut self, range: Range<usize>, bytes: Vec<u8>) -> Result<()> {
        if self.out.patch(range, bytes) { Ok(()) } else { Err(shared()) }
    }

    /// Returns where `len` bytes go that are appended next.
    fn append(&mut self, len: usize) -> Result<(u32, Range<usize>)> {
        let pos = u32::try_from(self.end).map_err(|_| too_large())?;
        self.end = self.end.checked_add(len).filter(|end| u32::try_from(*end).is_ok()).ok_or_else(too_large)?;
        Ok((pos, self.bytes.len()..self.bytes.len()))
    }

    /// Places the new data of all files: where the old data was if it fits there and no one else has these bytes, else at the end.
    fn data(&mut self, draft: &mut Draft<'_, 'a>) -> Result<()> {
        let kept = draft.entries.iter().filter(|entry| entry.origin.is_some()).count();
        self.is_moved |= draft.original.is_some_and(|original| kept < original.len());
        for entry in &mut draft.entries {
            let new = match std::mem::replace(&mut entry.content, Content::Kept) {
                Content::New(new) => new,
                other => {
                    entry.content = other;
                    continue;
                }
            };
            let len = usize::try_from(new.len()).map_err(|_| too_large())?;
            let old = range(&entry.header).filter(|_| entry.origin.is_some());
            let old = old.filter(|old| len <= old.len() && (len == 0 || self.used.is_own(old)));
            self.is_moved |= old.as_ref().is_none_or(|old| old.len() != len);
            let target = match old {
                Some(old) => sized(old.start, len)?,
                None => {
                    let (pos, range) = self.append(len)?;
                    entry.header.pos.set(pos);
                    range
                }
            };
            entry.header.size.set(u32::try_from(len).map_err(|_| too_large())?);
            if len > 0 && !self.out.put(target, new) {
                return Err(shared());
            }
        }
        // The files of a directory lie next to each other.
        draft.entries.iter_mut().try_for_each(|entry| match &mut entry.content {
            Content::Directory(draft) => self.data(draft),
            _ => Ok(()),
        })
    }

    /// Places the entries of a directory that was at `place`, and of those below it, and returns where it is now.
    fn directory(&mut self, draft: &mut Draft<'_, 'a>, place: (u32, u32)) -> Result<(u32, u32)> {
        for entry in &mut draft.entries {
            if let Content::Directory(child) = &mut entry.content {
                let place = (entry.header.pos.get(), entry.header.size.get());
                let place = self.directory(child, place)?;
                entry.set_place(place);
            }
        }
        let mut body = Vec::new();
        for entry in &draft.entries {
            if matches!(entry.rest, Cow::Owned(_)) {
                self.names.add(entry, draft.old(entry))?;
            }
            body.extend_from_slice(entry.header.as_bytes());
            body.extend_from_slice(&entry.rest);
        }
        let size = u32::try_from(body.len()).map_err(|_| too_large())?;
        // The engine skips directories at position 0.
        let old = draft.original.and_then(|_| span(place)).filter(|_| place.0 != 0);
        let old_body = old.clone().map_or(Ok(&[][..]), |old| self.bytes.get(old).checked())?;
        if draft.original.is_some() && old_body == body {
            return Ok(place);
        }
        if let Some(old) = old.filter(|old| body.len() <= old.len() && self.used.is_own(old)) {
            self.replace(sized(old.start, body.len())?, body)?;
            return Ok((place.0, size));
        }
        let (pos, target) = self.append(body.len())?;
        if !body.is_empty() {
            self.replace(target, body)?;
        }
        Ok((pos, size))
    }
}

impl Longest {
    /// Adds an entry unless its name, comment and keys are those that it had.
    fn add(&mut self, entry: &Planned<'_, '_>, old: Option<&[u8]>) -> Result<()> {
        if entry.is_directory() {
            if old != Some(&entry.rest) {
                self.directory = self.directory.max(entry.rest.len());
            }
            return Ok(());
        }
        let behind_id = std::mem::offset_of!(FileHeader, extension)..;
        if old.is_some_and(|old| old.get(behind_id.clone()) == entry.rest.get(behind_id)) {
            return Ok(());
        }
        let mut texts = FileHeader::ref_from_prefix(&entry.rest).ok().into_iter().flat_map(|(file, texts)| {
            self.keys = self.keys.max(file.key_count.get());
            texts.split(|&byte| byte == 0).map(|text| text.len().saturating_add(1))
        });
        let (Some(name), Some(comment)) = (texts.next(), texts.next()) else {
            return Err(EditError::inconsistent(&Path::new(), "an entry has no name or no comment"));
        };
        self.file = self.file.max(name);
        if comment > 1 {
            self.comment = self.comment.max(comment);
        }
        Ok(())
    }
}

/// The ranges of an archive to which something refers.
fn used(archive: &Rez<'_>) -> Used<usize> {
    let header = archive.header();
    let mut ranges = vec![HEADER];
    ranges.extend(span((header.root_dir_pos.get(), header.root_dir_size.get())));
    let mut open = vec![archive.root()];
    while let Some(directory) = open.pop() {
        for entry in directory {
            match entry {
                DirectoryEntry::File(file) => ranges.extend(range(file.entry())),
                DirectoryEntry::Directory(directory) => {
                    ranges.extend(directory.entry().filter(|entry| entry.pos.get() != 0).and_then(range));
                    open.push(directory);
                }
            }
        }
    }
    Used::of(ranges)
}

/// Where an entry's data or directory is. Empty ones may point anywhere.
fn range(entry: &EntryHeader) -> Option<Range<usize>> {
    span((entry.pos.get(), entry.size.get()))
}

fn span((pos, size): (u32, u32)) -> Option<Range<usize>> {
    let start = usize::try_from(pos).ok()?;
    (size > 0).then_some(start..start.checked_add(usize::try_from(size).ok()?)?)
}

/// The end of the data of all files, at least that of the header.
fn data_end(directory: &Directory<'_, '_>) -> u64 {
    directory.all_files().fold(RezHeader::SIZE, |end, file| end.max(entry_end(file.entry())))
}

fn draft_end(draft: &Draft<'_, '_>) -> u64 {
    let original = |entry: &Planned<'_, '_>| draft.original?.get(entry.origin?);
    let ends = draft.entries.iter().map(|entry| match (&entry.content, original(entry)) {
        (Content::Directory(draft), _) => draft_end(draft),
        (_, Some(DirectoryEntry::Directory(directory))) => data_end(&directory),
        _ => entry_end(&entry.header),
    });
    ends.fold(RezHeader::SIZE, u64::max)
}

#[expect(clippy::arithmetic_side_effects, reason = "both are words of 32 bits")]
fn entry_end(entry: &EntryHeader) -> u64 {
    match entry.size.get() {
        0 => 0,
        size => u64::from(entry.pos.get()) + u64::from(size),
    }
}

fn too_large() -> EditError {
    EditError::unsupported(&Path::new(), "the archive would be larger than its 32-bit positions can express")
}

fn shared() -> EditError {
    EditError::unsupported(&Path::new(), "two changed parts of the archive share bytes")
}
