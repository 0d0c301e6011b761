//! Descriptions of archives and pictures.

use core::cell::RefCell;
use core::fmt;

use worldview_core::describe::{
    Array, Charset, Describe, Each, Elements, Field, FieldValue, Flow, List, Notation, OnePart, Part, PartKey,
    PartList, Role, Span, TextValue, Visit, visit_fields,
};
use worldview_core::{Budget, Limit, OffsetBase, Result, Source};
use zerocopy::IntoBytes as _;

use crate::archive::{Directory, DirectoryEntry, File, Rez};
use crate::raw::{BmpHeader, EntryHeader, FileHeader, PcxHeader, PidHeader, RezHeader};
use crate::{Bmp, ColorKey, Pcx, Picture, PictureKind, Pid};

/// Describes a file of an archive in another format. Returns `None` if it does not know the format.
pub type DescribeFile<'d> = &'d dyn for<'v, 'a> Fn(&File<'v, 'a>, &mut dyn Visit) -> Option<Flow>;

/// Describes everything an archive contains: its directories, files, and the pictures among them.
///
/// [`Rez`] implements [`Describe`] with the default options.
#[derive(Clone, Copy)]
pub struct RezDescription<'d, 'a> {
    archive: &'d Rez<'a>,
    /// The directory to describe; the root with the header by default.
    directory: Option<Directory<'d, 'a>>,
    contents: Option<DescribeFile<'d>>,
    opens_files: bool,
}

worldview_core::debug_summary!("RezDescription", RezDescription<'_, '_>, |this| archive: this.archive, opens_files: this.opens_files);

impl<'d, 'a> RezDescription<'d, 'a> {
    /// Describes `archive`.
    pub const fn new(archive: &'d Rez<'a>) -> Self {
        Self { archive, directory: None, contents: None, opens_files: true }
    }

    /// Describes only a directory.
    #[must_use]
    pub const fn directory(mut self, directory: Directory<'d, 'a>) -> Self {
        self.directory = Some(directory);
        self
    }

    /// Sets how files of other formats are described, such as levels. The others are described as bytes.
    #[must_use]
    pub const fn contents(mut self, contents: DescribeFile<'d>) -> Self {
        self.contents = Some(contents);
        self
    }

    /// Sets whether files are opened, which is the default, or only listed.
    #[must_use]
    pub const fn opens_files(mut self, opens_files: bool) -> Self {
        self.opens_files = opens_files;
        self
    }
}

impl Describe for Rez<'_> {
    fn has_main_list(&self) -> bool {
        true
    }

    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        RezDescription::new(self).describe(visitor)
    }
}

impl Describe for RezDescription<'_, '_> {
    fn has_main_list(&self) -> bool {
        true
    }

    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let archive = self.archive;
        let source = archive.source();
        let directory = self.directory.unwrap_or_else(|| archive.root());
        if directory.entry().is_none() {
            let at = Span::new(source.base(), RezHeader::SIZE, source.space());
            visit_fields(archive.header().as_bytes(), RezHeader::FIELDS, at, visitor)?;
        }
        // Files may share the same bytes, and a few bytes may be a large picture.
        let most = source.len().saturating_mul(16).saturating_add(Pid::MAX_PIXELS);
        let walk =
            DirectoryWalk { of: self, pixels: RefCell::new(Budget::new(most, Limit::Work, "pixels of all pictures")) };
        visitor.parts(&Entries { directory, walk: &walk })
    }
}

impl Describe for RezHeader {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        visit_fields(self.as_bytes(), Self::FIELDS, Span::new(0, Self::SIZE, OffsetBase::File), visitor)
    }
}

/// State shared by all directories of a walk.
struct DirectoryWalk<'w, 'a> {
    of: &'w RezDescription<'w, 'a>,
    pixels: RefCell<Budget>,
}

/// The entries of a directory.
struct Entries<'w, 'a> {
    directory: Directory<'w, 'a>,
    walk: &'w DirectoryWalk<'w, 'a>,
}

impl Entries<'_, '_> {
    fn with(&self, index: usize, visit: &mut dyn FnMut(&Part<'_>) -> Flow) -> Flow {
        let Some(entry) = self.directory.get(index) else { return Flow::Continue(()) };
        let number = u32::try_from(index).unwrap_or(u32::MAX);
        let source = self.walk.of.archive.source();
        match entry {
            DirectoryEntry::Directory(directory) => {
                let body = DirectoryBody { directory, walk: self.walk };
                let child = Part::new(number, PartKey::Name(directory.name()), &body).summary(&body);
                match directory.entry() {
                    Some(entry) => visit(&child.at(Span::of(entry.as_bytes(), source))),
                    None => visit(&child),
                }
            }
            DirectoryEntry::File(file) => {
                let body = FileBody { file, walk: self.walk };
                let name = file.file_name();
                let at = Span::of(file.entry().as_bytes(), source);
                visit(&Part::new(number, PartKey::Name(&name), &body).at(at).summary(&body))
            }
        }
    }
}

impl PartList for Entries<'_, '_> {
    fn list(&self) -> List {
        List { main: true, ..List::new("entries", "entry") }
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
        let source = self.walk.of.archive.source();
        visitor.field(&name(self.directory.name(), source))?;
        if let Some(entry) = self.directory.entry() {
            visit_fields(entry.as_bytes(), EntryHeader::FIELDS, Span::of(entry.as_bytes(), source), visitor)?;
        }
        visitor.parts(&Entries { directory: self.directory, walk: self.walk })
    }
}

struct FileBody<'w, 'a> {
    file: File<'w, 'a>,
    walk: &'w DirectoryWalk<'w, 'a>,
}

impl fmt::Display for FileBody<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.file.data().len())
    }
}

impl Describe for FileBody<'_, '_> {
    /// A file may be a level or another archive.
    fn has_main_list(&self) -> bool {
        true
    }

    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let (file, source) = (&self.file, self.walk.of.archive.source());
        visitor.field(&name(file.name(), source))?;
        let extension = file.extension();
        let value = FieldValue::Text(TextValue::plain(extension.as_bytes(), Charset::Undeclared));
        let at = Span::of(file.header().extension.raw(), source);
        visitor.field(&Field::new("extension", value).at(at))?;
        let (entry, header) = (file.entry(), file.header());
        visit_fields(entry.as_bytes(), EntryHeader::FIELDS, Span::of(entry.as_bytes(), source), visitor)?;
        visit_fields(header.as_bytes(), FileHeader::FIELDS, Span::of(header.as_bytes(), source), visitor)?;
        if !file.comment().is_empty() {
            let value = FieldValue::Text(TextValue::plain(file.comment(), Charset::Undeclared));
            visitor.field(&Field::new("comment", value).at(Span::of(file.comment(), source)))?;
        }
        if !file.keys().is_empty() {
            visitor.array(&Array {
                name: "keys",
                item: "key",
                elements: Elements::Words(file.keys()),
                columns: 0,
                rows_are_items: false,
                bulk: false,
                role: Role::Reserved,
                at: Some(Span::of(file.keys().as_bytes(), source)),
                notation: Notation::Hex,
                blank: 0,
                count: None,
            })?;
        }
        if file.is_missing() {
            let content = Field::new("content", FieldValue::Word("missing")).role(Role::Derived);
            return visitor.field(&content);
        }
        self.content(visitor)
    }
}

impl FileBody<'_, '_> {
    /// Describes the data in its format, or as bytes if the format is unknown.
    fn content(&self, visitor: &mut dyn Visit) -> Flow {
        let file = &self.file;
        if self.walk.of.opens_files {
            if let Some(flow) = self.walk.of.contents.and_then(|contents| contents(file, visitor)) {
                return flow;
            }
            match Picture::of_file(file) {
                Some(Ok(picture)) => {
                    let pixels = picture.pixels() as u64;
                    let data = file.source();
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
        let data = file.source();
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

fn name<'d>(name: &'d [u8], source: Source<'_>) -> Field<'d> {
    let value = FieldValue::Text(TextValue::plain(name, Charset::Undeclared));
    Field::new("name", value).at(Span::of(name, source))
}

impl Describe for Picture<'_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        match self {
            Self::Pid(pid) => pid.describe(visitor),
            Self::Pcx(pcx) => pcx.describe(visitor),
            Self::Bmp(bmp) => bmp.describe(visitor),
        }
    }
}

impl Describe for Pid<'_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let source = self.source();
        let kind = if self.is_raw() { PictureKind::Rid } else { PictureKind::Pid };
        visitor.field(&Field::new("kind", FieldValue::Word(kind.name())).role(Role::Derived))?;
        let at = Span::new(source.base(), PidHeader::SIZE, source.space());
        visit_fields(self.header().as_bytes(), PidHeader::FIELDS, at, visitor)?;
        colors(self.palette(), source, visitor)?;
        if !visitor.wants_bulk() {
            return Flow::Continue(());
        }
        if let Err(error) = bounded(self.len(), source) {
            return visitor.broken(&error);
        }
        let (mut pixels, mut opacity) = (vec![0; self.len()], vec![0; self.len()]);
        // Which indices are transparent depends on the game; skipped pixels are the picture's own.
        let none = ColorKey::Color([0; 3]);
        let decoded = if self.has_skip_runs() {
            self.decode_with_opacity(none, &mut pixels, &mut opacity)
        } else {
            self.decode_into(&mut pixels)
        };
        if let Err(error) = decoded {
            visitor.broken(&error)?;
        }
        visitor.array(&grid("pixels", &pixels, self.width()))?;
        if self.has_skip_runs() {
            visitor.array(&grid("opacity", &opacity, self.width()))?;
        }
        Flow::Continue(())
    }
}

impl Describe for Pcx<'_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let source = self.source();
        visitor.field(&Field::new("kind", FieldValue::Word(PictureKind::Pcx.name())).role(Role::Derived))?;
        let at = Span::new(source.base(), PcxHeader::SIZE, source.space());
        visit_fields(self.header().as_bytes(), PcxHeader::FIELDS, at, visitor)?;
        colors(self.palette(), source, visitor)?;
        if !visitor.wants_bulk() {
            return Flow::Continue(());
        }
        if let Err(error) = bounded(self.len(), source) {
            return visitor.broken(&error);
        }
        let mut pixels = vec![0; self.len()];
        if let Err(error) = self.decode_into(&mut pixels) {
            visitor.broken(&error)?;
        }
        let columns = self.width().saturating_mul(u32::from(self.header().planes));
        visitor.array(&grid("pixels", &pixels, columns))
    }
}

impl Describe for Bmp<'_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let source = self.source();
        visitor.field(&Field::new("kind", FieldValue::Word(PictureKind::Bmp.name())).role(Role::Derived))?;
        let at = Span::new(source.base(), BmpHeader::SIZE, source.space());
        visit_fields(self.header().as_bytes(), BmpHeader::FIELDS, at, visitor)?;
        let palette = self.palette();
        let colors = palette.colors.get(..self.colors().len()).unwrap_or(&palette.colors);
        visitor.array(&Array {
            name: "palette",
            item: "color",
            elements: Elements::Colors(colors),
            columns: 0,
            rows_are_items: false,
            bulk: true,
            role: Role::Data,
            at: Some(Span::of(self.colors().as_flattened(), source)),
            notation: Notation::Hex,
            blank: 0,
            count: None,
        })?;
        if !visitor.wants_bulk() {
            return Flow::Continue(());
        }
        let mut pixels = vec![0; self.len()];
        if let Err(error) = self.decode_into(&mut pixels) {
            visitor.broken(&error)?;
        }
        visitor.array(&grid("pixels", &pixels, self.width()))
    }
}

/// Checks that the decoded picture, which a description holds as a whole, is not too large for its file. Small files may
/// be pictures of any usual size.
fn bounded(len: usize, source: Source<'_>) -> Result<()> {
    let most = source.len().saturating_mul(2).saturating_add(1 << 22);
    Budget::new(most, Limit::Work, "pixels of a picture").spend(len as u64, source.base(), source.space())
}

fn colors(palette: Option<&crate::Palette>, source: Source<'_>, visitor: &mut dyn Visit) -> Flow {
    let Some(palette) = palette else { return Flow::Continue(()) };
    visitor.array(&Array {
        name: "palette",
        item: "color",
        elements: Elements::Colors(&palette.colors),
        columns: 0,
        rows_are_items: false,
        bulk: true,
        role: Role::Data,
        at: Some(Span::of(palette.as_bytes(), source)),
        notation: Notation::Hex,
        blank: 0,
        count: None,
    })
}

fn grid<'d>(name: &'static str, pixels: &'d [u8], columns: u32) -> Array<'d> {
    Array {
        name,
        item: "pixel",
        elements: Elements::Bytes(pixels),
        columns: columns as usize,
        rows_are_items: false,
        bulk: true,
        role: Role::Data,
        at: None,
        notation: Notation::Decimal,
        blank: 0,
        count: None,
    }
}
