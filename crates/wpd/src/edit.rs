//! Elements for writing only: members, records and sections outside a file, packed string arrays, and new files.

use core::cell::OnceCell;

use worldview_core::describe::{Part, PartKey, Span};
use worldview_core::edit::{EditableList, Given, Shape, Slots};
use worldview_core::{Source, Text};
use zerocopy::{FromBytes as _, IntoBytes as _};

use crate::archive::Member;
use crate::describe::archive::{Body, MemberBody};
use crate::describe::records::{Record, Records};
use crate::describe::sections::{Section, Sections};
use crate::describe::span_of;
use crate::raw::Entry;
use crate::sections::KNOWN;
use crate::table::Row;

pub mod new;
mod repack;

pub use repack::RepackedArrays;

/// Where lists with entries are stored: their entries say where the elements are.
const SLOTS: Slots = Slots { start: 0, count: None, key: None, shape: &[] };

const NO_ENTRY: &str = "there is no entry to name";

/// Writes a name into a field, which it may fill. What is behind the NUL of the old name stays.
fn rename<const N: usize>(field: &mut Text<N>, name: &[u8]) -> Option<()> {
    let used = field.as_bytes().len().max(name.len().saturating_add(1)).min(N);
    let bytes = field.as_mut_bytes();
    bytes.get_mut(..used)?.fill(0);
    bytes.get_mut(..name.len())?.copy_from_slice(name);
    Some(())
}

/// Names an entry.
fn rename_entry(entry: &mut Entry, name: &[u8]) -> Result<(), &'static str> {
    if name.contains(&0) {
        return Err("names have no NUL");
    }
    rename(&mut entry.name, name).ok_or("names have at most 16 bytes")
}

/// Passes on an element whose entry, at the start of its bytes, is followed by its data.
fn with_data<'a>(
    bytes: &'a [u8],
    space: worldview_core::OffsetBase,
    what: &'static str,
    visit: impl FnOnce(Member<'a>, Source<'a>, [Span; 2]),
) {
    let source = Source::new(bytes, space);
    if let (Ok((entry, _)), Ok(data)) = (Entry::ref_from_prefix(bytes), source.tail(Entry::SIZE, what)) {
        visit(Member::alone(entry, data), source, [Span::new(0, Entry::SIZE, space), span_of(data)]);
    }
}

impl EditableList for Body<'_, '_> {
    fn slots(&self) -> Option<Slots> {
        Some(SLOTS)
    }

    fn blank(&self, _: Shape<'_>, make: &mut dyn FnMut(&[u8])) {
        make(&[0; size_of::<Entry>()]);
    }

    fn alone(&self, bytes: &[u8], visit: &mut dyn FnMut(&Part<'_>)) {
        with_data(bytes, self.archive.source().space(), "member", |member, source, [at, beside]| {
            let within = Body { depth: u32::MAX, ..*self };
            let body = MemberBody { member, within: &within, source, nested: OnceCell::from(Ok(None)) };
            visit(&Part::new(0, PartKey::Name(&[]), &body).at(at).beside(beside));
        });
    }

    fn set_name(&self, bytes: &mut Vec<u8>, name: &[u8], _: Given<'_>) -> Result<(), &'static str> {
        let (entry, _) = Entry::mut_from_prefix(bytes).map_err(|_| NO_ENTRY)?;
        // Without extensions, dots in names mean nothing. The first member may have one. A dot at the end is part of the name.
        let entries = self.archive.entries();
        let has_extensions = entries.is_empty() || entries.iter().any(|entry| !entry.extension.is_empty());
        // Nor is one at the start the beginning of an extension: every new member has a name.
        if name.is_empty() {
            return Err("members have names");
        }
        let dot = name.iter().rposition(|&byte| byte == b'.');
        let dot = dot.filter(|&dot| has_extensions && dot > 0 && dot.saturating_add(1) < name.len());
        let (name, extension) = match dot.and_then(|dot| name.split_at_checked(dot)) {
            Some((name, extension)) => (name, extension.strip_prefix(b".").unwrap_or(extension)),
            None => (name, &[][..]),
        };
        rename_entry(entry, name)?;
        rename(&mut entry.extension, extension).ok_or("extensions have at most 8 bytes")
    }
}

impl EditableList for Records<'_, '_> {
    fn slots(&self) -> Option<Slots> {
        Some(SLOTS)
    }

    fn blank(&self, _: Shape<'_>, make: &mut dyn FnMut(&[u8])) {
        let size = usize::try_from(self.table.record_size()).unwrap_or(0);
        make(&vec![0; size.saturating_add(size_of::<Entry>())]);
    }

    /// The bytes of a record, followed by those of its entry.
    fn alone(&self, bytes: &[u8], visit: &mut dyn FnMut(&Part<'_>)) {
        let Ok((data, entry)) = Entry::ref_from_suffix(bytes) else { return };
        let source = Source::new(bytes, self.table.archive().source().space());
        let at = Span::of(data, source);
        let record = Record { records: self, row: Row::alone(self.table, entry, data), at, source };
        let part = Part::new(0, PartKey::Name(entry.name.as_bytes()), &record).at(at);
        visit(&part.beside(Span::of(entry.as_bytes(), source)));
    }

    fn set_name(&self, bytes: &mut Vec<u8>, name: &[u8], _: Given<'_>) -> Result<(), &'static str> {
        let (_, entry) = Entry::mut_from_suffix(bytes).map_err(|_| NO_ENTRY)?;
        rename_entry(entry, name)?;
        if self.table.is_section(entry) { Err("this is a name of sections") } else { Ok(()) }
    }
}

impl EditableList for Sections<'_, '_> {
    fn slots(&self) -> Option<Slots> {
        (!self.known).then_some(SLOTS)
    }

    fn blank(&self, _: Shape<'_>, make: &mut dyn FnMut(&[u8])) {
        make(&[0; size_of::<Entry>()]);
    }

    fn alone(&self, bytes: &[u8], visit: &mut dyn FnMut(&Part<'_>)) {
        let Self { table, known } = *self;
        with_data(bytes, table.archive().source().space(), "section", |member, source, [at, beside]| {
            let section = Section { table, member, known, source };
            visit(&Part::new(0, PartKey::Name(&[]), &section).at(at).beside(beside));
        });
    }

    fn set_name(&self, bytes: &mut Vec<u8>, name: &[u8], _: Given<'_>) -> Result<(), &'static str> {
        let (entry, _) = Entry::mut_from_prefix(bytes).map_err(|_| NO_ENTRY)?;
        rename_entry(entry, name)?;
        let is_section = self.table.is_section(entry) && !KNOWN.contains(&name);
        if is_section { Ok(()) } else { Err("this is not the name of an unknown section") }
    }
}
