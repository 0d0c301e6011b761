use worldview_core::describe::FieldValue;
use worldview_core::{Cursor, Error, ErrorKind, FieldInfo, Result, Source};
use zerocopy::IntoBytes as _;

use crate::raw::{AttributeHead, AttributesHeader, DoubleRecord, SingleRecord};

/// The attribute of a tile, which determines what it does to whoever touches it: one record of the tile-attribute
/// table, in place. See [Tile attributes](crate::format#tile-attributes).
#[derive(Clone, Copy)]
pub enum Attribute<'a> {
    /// One attribute for the whole tile.
    Single(&'a SingleRecord),
    /// One attribute inside a rectangle, another outside.
    Double(&'a DoubleRecord),
    /// An attribute for every pixel.
    Mask {
        /// The fixed part, which includes the size.
        head: &'a AttributeHead,
        /// One byte per pixel, `width` × `height` of them, in rows from the top.
        pixels: &'a [u8],
    },
}

worldview_core::debug_summary!("Attribute", Attribute<'_>, |this| kind: this.kind_name(), width: this.width(), height: this.height());

impl<'a> Attribute<'a> {
    /// Returns all that is known of the fields of a kind: 1 for single, 2 for double, 3 for mask.
    pub const fn fields_of(kind: u32) -> Option<&'static [FieldInfo]> {
        match kind {
            1 => Some(SingleRecord::FIELDS),
            2 => Some(DoubleRecord::FIELDS),
            3 => Some(AttributeHead::FIELDS),
            _ => None,
        }
    }

    /// Returns all that is known of each field, and its value, in file order.
    pub fn fields(&self) -> impl Iterator<Item = (&'static FieldInfo, FieldValue<'a>)> + use<'a> {
        let (record, fields): (&'a [u8], _) = match *self {
            Self::Single(single) => (single.as_bytes(), SingleRecord::FIELDS),
            Self::Double(double) => (double.as_bytes(), DoubleRecord::FIELDS),
            Self::Mask { head, .. } => (head.as_bytes(), AttributeHead::FIELDS),
        };
        fields.iter().map(move |info| (info, info.value(record)))
    }

    /// Returns the number of the kind: 1 for single, 2 for double, 3 for mask.
    pub const fn kind(&self) -> u32 {
        match self {
            Self::Single(_) => 1,
            Self::Double(_) => 2,
            Self::Mask { .. } => 3,
        }
    }

    /// Returns the name of the kind: `single`, `double` or `mask`.
    pub const fn kind_name(&self) -> &'static str {
        match self {
            Self::Single(_) => "single",
            Self::Double(_) => "double",
            Self::Mask { .. } => "mask",
        }
    }

    /// Returns the tile width in pixels.
    #[inline]
    pub const fn width(&self) -> u32 {
        match self {
            Self::Single(record) => record.width.get(),
            Self::Double(record) => record.width.get(),
            Self::Mask { head, .. } => head.width.get(),
        }
    }

    /// Returns the tile height in pixels.
    #[inline]
    pub const fn height(&self) -> u32 {
        match self {
            Self::Single(record) => record.height.get(),
            Self::Double(record) => record.height.get(),
            Self::Mask { head, .. } => head.height.get(),
        }
    }

    /// Returns the attribute at a pixel, counted from the top left of the tile, or `None` outside a mask.
    ///
    /// ```
    /// # fn main() -> worldview_wwd::Result<()> {
    /// # let file: &[u8] = include_bytes!("../../../samples/harbour.wwd");
    /// let image = worldview_wwd::unpack(file)?;
    /// let level = worldview_wwd::Level::parse(&image)?;
    /// let attribute = level.attributes().get(1).expect("the sample has this tile");
    /// println!("top left: {:?}", attribute.value_at(0, 0));
    /// # Ok(())
    /// # }
    /// ```
    pub fn value_at(&self, x: u32, y: u32) -> Option<i32> {
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

    /// Returns the size of the record in the file, in bytes.
    pub const fn size(&self) -> u64 {
        match self {
            Self::Single(_) => SingleRecord::SIZE,
            Self::Double(_) => DoubleRecord::SIZE,
            Self::Mask { pixels, .. } => AttributeHead::SIZE.saturating_add(pixels.len() as u64),
        }
    }
}

/// The tile-attribute table: one record per frame number, from 0 on.
///
/// The records differ in size, so the table is indexed when the level is parsed. The size of the index is bounded by
/// the bytes that exist, since the smallest record has 16.
#[derive(Clone)]
pub struct Attributes<'a> {
    header: Option<&'a AttributesHeader>,
    records: Vec<Attribute<'a>>,
    at: u64,
    end: u64,
}

worldview_core::debug_summary!("Attributes", Attributes<'_>, |this| len: this.records().len());

impl<'a> Attributes<'a> {
    /// Returns the table of a level without one.
    pub(crate) const fn none() -> Self {
        Self { header: None, records: Vec::new(), at: 0, end: 0 }
    }

    /// Reads a table that is alone, without a level.
    ///
    /// # Errors
    ///
    /// Returns an error if the table is broken.
    pub fn of(source: Source<'a>) -> Result<Self> {
        let (table, done) = Self::read(source, source.base());
        done.map(|()| table)
    }

    /// Reads the table at offset `at`. Returns the records that could be read, and the error if reading stopped early.
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
            // Grows with the records that exist, not with the stored count.
            self.records.push(record);
            self.end = cursor.position();
        }
        Ok(())
    }

    /// Returns the table's header, or `None` if the level has no table.
    #[inline]
    pub const fn header(&self) -> Option<&'a AttributesHeader> {
        self.header
    }

    /// Returns the records, indexed by a tile's frame number.
    #[inline]
    pub fn records(&self) -> &[Attribute<'a>] {
        &self.records
    }

    /// Returns the record of a frame number.
    #[inline]
    pub fn get(&self, frame: u16) -> Option<Attribute<'a>> {
        self.records.get(usize::from(frame)).copied()
    }

    /// Returns the offsets of the table and of its end in the image.
    #[inline]
    pub const fn extent(&self) -> (u64, u64) {
        (self.at, self.end)
    }
}

pub(crate) fn read_record<'a>(cursor: &mut Cursor<'a>) -> Result<Attribute<'a>> {
    const WHAT: &str = "tile attribute";
    // Peek at the head, then read it as part of the record.
    let head: &AttributeHead = cursor.rest().view(0, WHAT)?;
    match head.kind.get() {
        1 => cursor.view(WHAT).map(Attribute::Single),
        2 => cursor.view(WHAT).map(Attribute::Double),
        3 => {
            let (width, height) = (u64::from(head.width.get()), u64::from(head.height.get()));
            let pixels = width.saturating_mul(height);
            // One bounds check for head and pixels, so that on failure the cursor stays in front of both.
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
