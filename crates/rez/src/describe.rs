//! Descriptions of archives and pictures.

pub(crate) mod entries;

use core::cell::RefCell;

use worldview_core::describe::{
    Array, Describe, Elements, Field, FieldValue, Flow, Notation, Role, Span, Visit, visit_fields,
};
use worldview_core::{Budget, Limit, OffsetBase, Result, Source};
use zerocopy::IntoBytes as _;

use self::entries::{DirectoryWalk, Entries};
use crate::archive::{Directory, File, Rez};
use crate::raw::{BmpHeader, PcxHeader, PidHeader, RezHeader};
use crate::{Bmp, ColorKey, Pcx, Picture, PictureKind, Pid};

/// Describes a file of an archive in another format. Returns `None` if it does not know the format.
pub type DescribeFile<'d> = &'d dyn for<'v, 'a> Fn(&File<'v, 'a>, &mut dyn Visit) -> Option<Flow>;

/// Describes everything an archive contains: its directories, files, and the pictures among them.
///
/// [`Rez`] implements [`Describe`] with the default options.
#[derive(Clone, Copy)]
pub struct RezDescription<'d, 'a> {
    pub(crate) archive: &'d Rez<'a>,
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

    worldview_core::setters! {
        /// Describes only a directory.
        pub const fn directory(directory: Directory<'d, 'a>) => directory = Some(directory);

        /// Sets how files of other formats are described, such as levels. The others are described as bytes.
        pub const fn contents(contents: DescribeFile<'d>) => contents = Some(contents);

        /// Sets whether files are opened, which is the default, or only listed.
        pub const fn opens_files(opens_files: bool) => opens_files = opens_files;
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
        Entries { directory, walk: &walk }.visit(visitor)
    }
}

impl Describe for RezHeader {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        visit_fields(self.as_bytes(), Self::FIELDS, Span::new(0, Self::SIZE, OffsetBase::File), visitor)
    }
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
        visit_palette(self.palette(), source, visitor)?;
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
        visit_palette(self.palette(), source, visitor)?;
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
        let shown = palette.colors.get(..self.colors().len()).unwrap_or(&palette.colors);
        visitor.array(&colors(shown, self.colors().as_flattened(), source))?;
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

fn visit_palette(palette: Option<&crate::Palette>, source: Source<'_>, visitor: &mut dyn Visit) -> Flow {
    palette.map_or(Flow::Continue(()), |palette| visitor.array(&colors(&palette.colors, palette.as_bytes(), source)))
}

fn colors<'d>(colors: &'d [[u8; 3]], bytes: &[u8], source: Source<'_>) -> Array<'d> {
    let array = Array::new("palette", "color", Elements::Colors(colors)).bulk();
    array.at(Span::of(bytes, source)).notation(Notation::Hex)
}

fn grid<'d>(name: &'static str, pixels: &'d [u8], columns: u32) -> Array<'d> {
    Array::new(name, "pixel", Elements::Bytes(pixels)).grid(columns as usize).bulk()
}
