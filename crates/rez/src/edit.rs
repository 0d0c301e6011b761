//! What only writes: entries outside an archive, and pixels as pictures store them.

mod encode;

use worldview_core::describe::{Part, Span, only};
use worldview_core::edit::{EditableList, Given, Shape, ShapeNumber, Slots};
use worldview_core::{Source, field_name};
use zerocopy::{FromBytes as _, FromZeros as _, IntoBytes as _};

use crate::archive::{DirectoryEntry, Rez, split_name};
use crate::describe::entries::{EXTENSION, Entries, part};
use crate::raw::{EntryHeader, FileHeader};

pub use encode::PidPixel;

impl EditableList for Entries<'_, '_> {
    fn slots(&self) -> Option<Slots> {
        Some(Slots { start: self.span().at, ..Slots::default() })
    }

    /// A file or a directory without a name.
    fn blank(&self, wanted: Shape<'_>, make: &mut dyn FnMut(&[u8])) {
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
            let _ = part(0, entry, Some(data), self.walk, &mut only(visit));
        }
    }

    fn set_name(&self, bytes: &mut Vec<u8>, label: &[u8], given: Given<'_>) -> Result<(), &'static str> {
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
}
