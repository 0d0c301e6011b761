use worldview_core::{Cursor, Error, ErrorKind, Result, Source};

use crate::raw::{AttributeHead, AttributesHeader, DoubleRecord, SingleRecord};

/// What a tile does to those who touch it: one record of the tile-attribute table, in place.
/// `docs/formats/wwd.md`, Tile attributes.
#[derive(Clone, Copy)]
pub enum Attribute<'a> {
    /// One attribute for the whole tile.
    Single(&'a SingleRecord),
    /// One attribute inside a rectangle, one outside.
    Double(&'a DoubleRecord),
    /// An attribute for every pixel.
    Mask {
        /// The fixed part, with the size.
        head: &'a AttributeHead,
        /// Row after row from the top, one byte a pixel, `width` × `height` of them.
        pixels: &'a [u8],
    },
}

worldview_core::debug_summary!("Attribute", Attribute<'_>, |this| kind: match this { Self::Single(_) => "single", Self::Double(_) => "double", Self::Mask { .. } => "mask" }, width: this.width(), height: this.height());

impl Attribute<'_> {
    /// Tile width in pixels.
    #[inline]
    pub const fn width(&self) -> u32 {
        match self {
            Self::Single(record) => record.width.get(),
            Self::Double(record) => record.width.get(),
            Self::Mask { head, .. } => head.width.get(),
        }
    }

    /// Tile height in pixels.
    #[inline]
    pub const fn height(&self) -> u32 {
        match self {
            Self::Single(record) => record.height.get(),
            Self::Double(record) => record.height.get(),
            Self::Mask { head, .. } => head.height.get(),
        }
    }

    /// The attribute at a pixel of the tile, counted from its top left; `None` outside a mask.
    ///
    /// ```
    /// # fn main() -> worldview_wwd::Result<()> {
    /// # let file: &[u8] = include_bytes!("../../../samples/harbour.wwd");
    /// let image = worldview_wwd::unpack(file)?;
    /// let level = worldview_wwd::Level::parse(&image)?;
    /// let attribute = level.attributes().get(1).expect("the sample has this tile");
    /// println!("top left: {:?}", attribute.at(0, 0));
    /// # Ok(())
    /// # }
    /// ```
    pub fn at(&self, x: u32, y: u32) -> Option<i32> {
        match self {
            Self::Single(record) => Some(record.attribute.get()),
            Self::Double(record) => {
                let inside =
                    i32::try_from(x).ok().zip(i32::try_from(y).ok()).is_some_and(|(x, y)| record.rect.contains(x, y));
                Some(if inside { record.inside } else { record.outside }.get())
            }
            Self::Mask { head, pixels } => {
                if x >= head.width.get() {
                    return None;
                }
                let index = u64::from(y).checked_mul(head.width.get().into())?.checked_add(x.into())?;
                pixels.get(usize::try_from(index).ok()?).map(|&byte| byte.into())
            }
        }
    }

    /// Bytes of the record in the file.
    pub const fn size(&self) -> u64 {
        match self {
            Self::Single(_) => SingleRecord::SIZE,
            Self::Double(_) => DoubleRecord::SIZE,
            Self::Mask { pixels, .. } => AttributeHead::SIZE.saturating_add(pixels.len() as u64),
        }
    }
}

/// The tile-attribute table: a record for every frame number, from 0 on.
///
/// The records differ in size, so the table is indexed when the level is parsed; the index is bounded by the bytes
/// that are really there, 16 for the smallest record.
#[derive(Clone)]
pub struct Attributes<'a> {
    header: Option<&'a AttributesHeader>,
    records: Vec<Attribute<'a>>,
    at: u64,
    end: u64,
}

worldview_core::debug_summary!("Attributes", Attributes<'_>, |this| len: this.records().len());

impl<'a> Attributes<'a> {
    /// The table of a level that has none.
    pub(crate) const fn none() -> Self {
        Self { header: None, records: Vec::new(), at: 0, end: 0 }
    }

    /// Reads the table at `at`; with what could be read when it breaks off, and why it does.
    pub(crate) fn read(image: Source<'a>, at: u64) -> (Self, Result<()>) {
        let mut table = Self { at, end: at, ..Self::none() };
        let done = table.fill(image);
        (table, done)
    }

    fn fill(&mut self, image: Source<'a>) -> Result<()> {
        const WHAT: &str = "tile-attribute table";
        let header: &AttributesHeader = image.view(self.at, WHAT)?;
        let mut cursor = image.cursor(self.at.saturating_add(AttributesHeader::SIZE), WHAT)?;
        self.header = Some(header);
        self.end = cursor.position();
        for index in 0..header.count.get() {
            let record = read_record(&mut cursor).map_err(|error| error.with_index(index))?;
            // Grows with the records that were there, never by the count.
            self.records.push(record);
            self.end = cursor.position();
        }
        Ok(())
    }

    /// The table's head, `None` where the level has no table.
    #[inline]
    pub const fn header(&self) -> Option<&'a AttributesHeader> {
        self.header
    }

    /// The records; the index is a tile's frame number.
    #[inline]
    pub fn records(&self) -> &[Attribute<'a>] {
        &self.records
    }

    /// The record of a frame number.
    #[inline]
    pub fn get(&self, frame: u16) -> Option<Attribute<'a>> {
        self.records.get(usize::from(frame)).copied()
    }

    /// Offset of the table in the image, and of what follows it.
    #[inline]
    pub const fn extent(&self) -> (u64, u64) {
        (self.at, self.end)
    }
}

fn read_record<'a>(cursor: &mut Cursor<'a>) -> Result<Attribute<'a>> {
    const WHAT: &str = "tile attribute";
    // The head is looked at first, and taken with the record that it announces.
    let head: &AttributeHead = cursor.rest().view(0, WHAT)?;
    match head.kind.get() {
        1 => cursor.view(WHAT).map(Attribute::Single),
        2 => cursor.view(WHAT).map(Attribute::Double),
        3 => {
            let (width, height) = (u64::from(head.width.get()), u64::from(head.height.get()));
            let pixels = width.saturating_mul(height);
            // One bounds check for head and pixels together, so that a failed take leaves the cursor before both.
            let have = cursor.rest().len().saturating_sub(AttributeHead::SIZE);
            if pixels > have {
                let (wide, high) = (head.width.get(), head.height.get());
                let kind = ErrorKind::Product { counts: [wide, high], unit: 1, have };
                return Err(cursor.error(kind, "mask of tile attribute"));
            }
            let record = Source::new(
                cursor.slice(AttributeHead::SIZE.saturating_add(pixels), "mask of tile attribute")?,
                cursor.rest().space(),
            );
            Ok(Attribute::Mask { head, pixels: record.tail(AttributeHead::SIZE, WHAT)?.bytes() })
        }
        kind => Err(unknown_kind(cursor, kind)),
    }
}

#[cold]
fn unknown_kind(cursor: &Cursor<'_>, kind: u32) -> Error {
    let known = "1 single, 2 double, 3 mask";
    cursor.error(ErrorKind::UnknownKind { found: kind, known }, "tile attribute")
}

worldview_core::assert_send_sync!(Attribute<'_>, Attributes<'_>);
