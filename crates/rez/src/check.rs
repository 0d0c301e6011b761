//! The full check of an archive or a picture: everything that is broken, suspicious or unusual.

use std::collections::HashMap;

use worldview_core::{ErrorKind, Place, Source, field_name};

use crate::archive::{Directory, DirectoryEntry, File, Rez};
use crate::finding::{Finding, FindingKind};
use crate::raw::{Palette, PcxHeader, PidHeader, RezHeader};
use crate::runs::Tokens;
use crate::{Bmp, Pcx, Picture, Pid, flags};

/// Checks an archive's header, names and the layout of its files, and reports findings.
///
/// Findings of the parser are not reported again. The files themselves are not opened.
pub fn check_archive<'a>(archive: &Rez<'a>, report: &mut dyn FnMut(Finding<'a>)) {
    let mut check = Check { source: archive.source(), report };
    let (mut longest_directory, mut longest_file, mut end) = (0, 0, 0_u64);
    let mut directories = vec![archive.root()];
    while let Some(directory) = directories.pop() {
        check.names(&directory);
        for entry in directory {
            match entry {
                DirectoryEntry::Directory(directory) => {
                    longest_directory = longest_directory.max(directory.name().len());
                    directories.push(directory);
                }
                DirectoryEntry::File(file) => {
                    longest_file = longest_file.max(file.name().len());
                    check.file(&file);
                    if !file.data().is_empty() {
                        let data = file.source();
                        end = end.max(data.base().saturating_sub(check.source.base()).saturating_add(data.len()));
                    }
                }
            }
        }
    }
    check.header(archive.header(), (longest_directory, longest_file), end);
    check.layout(archive);
}

/// Checks a picture and reports findings: its header, and whether the stream yields exactly its pixels.
pub fn check_picture<'a>(picture: &Picture<'a>, report: &mut dyn FnMut(Finding<'a>)) {
    match picture {
        Picture::Pid(pid) => check_pid(pid, report),
        Picture::Pcx(pcx) => check_pcx(pcx, report),
        Picture::Bmp(bmp) => check_bmp(bmp, report),
    }
}

fn check_pid<'a>(pid: &Pid<'a>, report: &mut dyn FnMut(Finding<'a>)) {
    let mut check = Check { source: pid.source(), report };
    let header = pid.header();
    let at = |offset: usize| offset as u64;
    let place = Place::of("picture");
    let unknown = flags::NAMES.iter().fold(header.flags.get(), |rest, (bit, _)| rest & !bit);
    if unknown != 0 {
        let offset = core::mem::offset_of!(PidHeader, flags);
        check.report(FindingKind::FlagsUnknown { bits: unknown }, at(offset), place);
    }
    if header.user_2.get() != 0 {
        let value = header.user_2.get();
        let offset = core::mem::offset_of!(PidHeader, user_2);
        check.report(FindingKind::Reserved { field: field_name!(PidHeader, user_2), value }, at(offset), place);
    }
    if !pid.has_skip_runs() && !pid.width().is_multiple_of(4) {
        let offset = core::mem::offset_of!(PidHeader, width);
        check.report(FindingKind::WidthUneven { width: pid.width() }, at(offset), place);
    }
    let decoded = pid.decoded();
    let place = Place::of("pixels");
    if decoded.pixels < pid.len() {
        let kind = ErrorKind::Truncated { need: pid.len() as u64, have: decoded.pixels as u64 };
        check.report(FindingKind::Broken { kind }, PidHeader::SIZE, place);
    }
    if decoded.overrun > 0 {
        check.report(FindingKind::Overrun { pixels: decoded.overrun }, PidHeader::SIZE, place);
    }
    if decoded.tokens == Tokens::Editor {
        check.report(FindingKind::EditorTokens, PidHeader::SIZE, place);
    }
    // One byte is usual before a palette: the mark of PCX palettes.
    if decoded.left > usize::from(pid.palette().is_some()) {
        let from_end = if pid.palette().is_some() { Palette::SIZE } else { 0 };
        let end = pid.source().len().saturating_sub(from_end);
        let kind = FindingKind::TrailingBytes { count: decoded.left };
        check.report(kind, end.saturating_sub(decoded.left as u64), place);
    }
}

fn check_pcx<'a>(pcx: &Pcx<'a>, report: &mut dyn FnMut(Finding<'a>)) {
    let mut check = Check { source: pcx.source(), report };
    let (need, have) = pcx.unpacked_len();
    if have < need {
        let kind = ErrorKind::Truncated { need, have };
        check.report(FindingKind::Broken { kind }, PcxHeader::SIZE, Place::of("pixels"));
    }
    if pcx.palette().is_some()
        && let Some(&mark) = pcx.stream().bytes().last()
        && mark != Pcx::PALETTE_MARK
    {
        let at = PcxHeader::SIZE.saturating_add(pcx.stream().len()).saturating_sub(1);
        check.report(FindingKind::PaletteMark { found: mark }, at, Place::of("palette"));
    }
}

fn check_bmp<'a>(bmp: &Bmp<'a>, report: &mut dyn FnMut(Finding<'a>)) {
    let colors = bmp.colors().len();
    let pixels = (0..bmp.height()).filter_map(|y| bmp.row(y)).flatten();
    let pixels = pixels.filter(|&&pixel| usize::from(pixel) >= colors).count() as u64;
    if pixels > 0 {
        let mut check = Check { source: bmp.source(), report };
        check.report(
            FindingKind::PixelNoColor { pixels, colors },
            bmp.header().pixels_pos.get().into(),
            Place::of("pixels"),
        );
    }
}

/// The callback for findings.
struct Check<'r, 'a> {
    source: Source<'a>,
    report: &'r mut dyn FnMut(Finding<'a>),
}

impl<'a> Check<'_, 'a> {
    /// Reports a finding about the byte at offset `at` of the archive or picture.
    fn report(&mut self, kind: FindingKind, at: u64, place: Place<'a>) {
        let at = self.source.base().saturating_add(at.min(self.source.len()));
        (self.report)(Finding { kind, at, space: self.source.space(), place });
    }

    /// Returns the offset of bytes of the archive.
    fn offset(&self, bytes: &[u8]) -> u64 {
        worldview_core::describe::Span::of(bytes, self.source).at.saturating_sub(self.source.base())
    }

    fn header(&mut self, header: &RezHeader, (directory, file): (usize, usize), end: u64) {
        let place = Place::of("header");
        for (field, value, at) in [
            (
                field_name!(RezHeader, largest_key_ary),
                header.largest_key_ary,
                core::mem::offset_of!(RezHeader, largest_key_ary),
            ),
            (
                field_name!(RezHeader, largest_comment),
                header.largest_comment,
                core::mem::offset_of!(RezHeader, largest_comment),
            ),
        ] {
            if value.get() != 0 {
                self.report(FindingKind::Reserved { field, value: value.get() }, at as u64, place);
            }
        }
        for (field, value, at, longest) in [
            (
                field_name!(RezHeader, largest_dir_name),
                header.largest_dir_name,
                core::mem::offset_of!(RezHeader, largest_dir_name),
                directory,
            ),
            (
                field_name!(RezHeader, largest_rez_name),
                header.largest_rez_name,
                core::mem::offset_of!(RezHeader, largest_rez_name),
                file,
            ),
        ] {
            let expected = longest.saturating_add(1);
            if longest > 0 && (value.get() as usize) < expected {
                self.report(FindingKind::LongestName { field, found: value.get(), expected }, at as u64, place);
            }
        }
        let found = header.next_write_pos.get();
        if end > 0 && u64::from(found) != end {
            let at = core::mem::offset_of!(RezHeader, next_write_pos) as u64;
            self.report(FindingKind::DataEnd { found, expected: end }, at, place);
        }
    }

    /// Checks the names of a directory's entries.
    fn names(&mut self, directory: &Directory<'_, 'a>) {
        let mut files = HashMap::new();
        let mut directories = HashMap::new();
        for (index, entry) in (0_u32..).zip(*directory) {
            let (name, full) = match entry {
                DirectoryEntry::Directory(directory) => (directory.name(), directory.name().to_ascii_uppercase()),
                DirectoryEntry::File(file) => (file.name(), file.file_name().to_ascii_uppercase()),
            };
            let (at, place) = (self.offset(name), Place::numbered("entry", index, name));
            if !full.is_ascii() {
                self.report(FindingKind::NameNotAscii, at, place);
            }
            let first = match entry {
                DirectoryEntry::Directory(_) => *directories.entry(full).or_insert(index),
                DirectoryEntry::File(_) => *files.entry(full).or_insert(index),
            };
            if first != index {
                self.report(
                    match entry {
                        DirectoryEntry::Directory(_) => FindingKind::DirectoryDuplicate { first },
                        DirectoryEntry::File(_) => FindingKind::NameDuplicate { first },
                    },
                    at,
                    place,
                );
            }
            if name.is_empty() {
                self.report(FindingKind::NameEmpty, at, place);
            }
            let is_unsafe = |byte: &&u8| **byte < 0x20 || b"/\\:*?\"<>|".contains(byte);
            if let Some(&byte) = name.iter().find(is_unsafe) {
                self.report(FindingKind::NameUnsafe { byte }, at, place);
            } else if matches!(name, b"." | b"..") && matches!(entry, DirectoryEntry::Directory(_)) {
                self.report(FindingKind::NameUnsafe { byte: b'.' }, at, place);
            }
            if name.iter().any(u8::is_ascii_lowercase) {
                self.report(FindingKind::NameLowerCase, at, place);
            }
        }
    }

    fn file(&mut self, file: &File<'_, 'a>) {
        let index = u32::try_from(file.index()).unwrap_or(u32::MAX);
        let (at, place) = (self.offset(file.name()), Place::numbered("entry", index, file.name()));
        if file.header().extension.tail().iter().any(|&byte| byte != 0) {
            self.report(FindingKind::ExtensionTail, at, place);
        }
        if !file.comment().is_empty() {
            self.report(FindingKind::Comment { len: file.comment().len() }, at, place);
        }
        if !file.keys().is_empty() {
            self.report(FindingKind::Keys { count: file.keys().len() }, at, place);
        }
    }

    /// Checks the data of the files: overlaps, and gaps before the end of the last file.
    fn layout(&mut self, archive: &Rez<'a>) {
        let mut data: Vec<_> = archive.files().filter(|file| !file.data().is_empty()).collect();
        data.sort_by_key(|file| file.source().base());
        let mut end = self.source.base().saturating_add(RezHeader::SIZE);
        // How many files, how many bytes, and the first of the files.
        let (mut overlaps, mut gaps) = ((0_u64, 0_u64, None), (0_u64, 0_u64, None));
        for file in data {
            let source = file.source();
            let own_end = source.base().saturating_add(source.len());
            let (seen, len) = if source.base() < end {
                (&mut overlaps, end.min(own_end).saturating_sub(source.base()))
            } else {
                (&mut gaps, source.base().saturating_sub(end))
            };
            if len > 0 {
                (seen.0, seen.1) = (seen.0.saturating_add(1), seen.1.saturating_add(len));
                seen.2.get_or_insert(file);
            }
            end = end.max(own_end);
        }
        if let (count, len, Some(first)) = overlaps {
            self.say_of_data(FindingKind::Overlap { count, len }, &first);
        }
        if let (count, len, Some(first)) = gaps {
            self.say_of_data(FindingKind::Gap { count, len }, &first);
        }
    }

    fn say_of_data(&mut self, kind: FindingKind, file: &File<'_, 'a>) {
        let index = u32::try_from(file.index()).unwrap_or(u32::MAX);
        let at = file.source().base().saturating_sub(self.source.base());
        self.report(kind, at, Place::numbered("data of entry", index, file.name()));
    }
}
