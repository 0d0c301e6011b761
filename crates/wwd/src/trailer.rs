use core::fmt;

use worldview_core::{Cursor, OffsetBase, Result, Source, record};
use zerocopy::little_endian::U32;
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use crate::raw::LevelHeader;

const OPEN: &[u8] = b"<wm_meta>";
const CLOSE: &[u8] = b"</wm_meta>";

/// The data that WapMap appends to a level: `<wm_meta>`, blocks, `</wm_meta>`. See [Trailer](crate::format#trailer).
#[derive(Clone, Copy)]
pub struct Trailer<'a> {
    source: Source<'a>,
}

worldview_core::debug_summary!("Trailer", Trailer<'_>, |this| at: this.offset(), len: this.bytes().len());

impl<'a> Trailer<'a> {
    /// Finds a trailer at the end of a file, by its closing tag, the total size before it, and the opening tag at the
    /// offset that follows from the size.
    pub fn find(file: &'a [u8]) -> Option<Self> {
        let (head, size) = file.strip_suffix(CLOSE)?.split_last_chunk()?;
        let total = u64::from(u32::from_le_bytes(*size));
        let start = (file.len() as u64).checked_sub(total)?;
        let inside = usize::try_from(start).ok().and_then(|start| head.get(start..))?;
        if start < LevelHeader::SIZE || !inside.starts_with(OPEN) {
            return None;
        }
        Source::new(file, OffsetBase::File).tail(start, "trailer").ok().map(|source| Self { source })
    }

    /// Returns the offset in the file.
    pub const fn offset(&self) -> u64 {
        self.source.base()
    }

    /// Returns all bytes of the trailer, including the tags.
    pub const fn bytes(&self) -> &'a [u8] {
        self.source.bytes()
    }

    /// Returns an iterator over the blocks between the tags. It ends after the first truncated block, for which it
    /// returns an error.
    ///
    /// ```
    /// # fn main() -> worldview_wwd::Result<()> {
    /// # let file: &[u8] = include_bytes!("../../../samples/cellar.wwd");
    /// let image = worldview_wwd::unpack(file)?;
    /// if let Some(trailer) = image.trailer() {
    ///     for block in trailer.blocks() {
    ///         println!("{:?}", block?.content()?);
    ///     }
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn blocks(&self) -> TrailerBlocks<'a> {
        let (open, tags) = (OPEN.len() as u64, OPEN.len().saturating_add(CLOSE.len()) as u64);
        let inside = self.source.window(open, self.source.len().saturating_sub(tags), "trailer");
        TrailerBlocks { rest: inside.ok().map(Cursor::new) }
    }
}

/// An iterator over the blocks of a [`Trailer`]; fused after the first error.
#[derive(Clone, Debug)]
pub struct TrailerBlocks<'a> {
    rest: Option<Cursor<'a>>,
}

impl<'a> Iterator for TrailerBlocks<'a> {
    type Item = Result<TrailerBlock<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        let cursor = self.rest.as_mut().filter(|cursor| cursor.rest().len() > 0)?;
        let block = TrailerBlock::read(cursor);
        if block.is_err() {
            self.rest = None;
        }
        Some(block)
    }
}

impl core::iter::FusedIterator for TrailerBlocks<'_> {}

/// One block of a [`Trailer`].
#[non_exhaustive]
#[derive(Clone, Copy)]
pub struct TrailerBlock<'a> {
    /// The kind of the block.
    pub id: u8,
    source: Source<'a>,
}

worldview_core::debug_summary!("TrailerBlock", TrailerBlock<'_>, |this| id: this.id, at: this.offset(), len: this.bytes().len());

#[derive(FromBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
struct BlockHead {
    id: u8,
    len: U32,
}

impl<'a> TrailerBlock<'a> {
    fn read(cursor: &mut Cursor<'a>) -> Result<Self> {
        let head: &BlockHead = cursor.view("trailer block")?;
        let source = cursor.rest().window(0, head.len.get().into(), "trailer block")?;
        cursor.slice(source.len(), "trailer block")?;
        Ok(Self { id: head.id, source })
    }

    /// Returns the offset of the block's content in the file.
    pub const fn offset(&self) -> u64 {
        self.source.base()
    }

    /// Returns the content as raw bytes.
    pub const fn bytes(&self) -> &'a [u8] {
        self.source.bytes()
    }

    /// Parses the content according to the block's id.
    ///
    /// # Errors
    ///
    /// Returns an error if the content is too short for its id.
    pub fn content(&self) -> Result<TrailerContent<'a>> {
        let mut cursor = Cursor::new(self.source);
        Ok(match self.id {
            0 => TrailerContent::MetaInfo { total_size: u32_of(&mut cursor)? },
            1 => TrailerContent::MetaEndInfo { total_size: u32_of(&mut cursor)? },
            2 => TrailerContent::Header(MapHeader {
                wapmap_build: u32_of(&mut cursor)?,
                wapmap_version: cursor.until_nul(usize::MAX, "trailer version")?,
                map_build: u32_of(&mut cursor)?,
                map_version: cursor.until_nul(usize::MAX, "trailer map version")?,
                description: cursor.until_nul(usize::MAX, "trailer description")?,
            }),
            3 => {
                let count = u32_of(&mut cursor)?;
                TrailerContent::Guides(cursor.rest().array(0, count.into(), "trailer guides")?)
            }
            4 => {
                let count = u32_of(&mut cursor)?;
                TrailerContent::Favourites(Favourites { cursor, left: count })
            }
            _ => TrailerContent::Unknown,
        })
    }
}

fn u32_of(cursor: &mut Cursor<'_>) -> Result<u32> {
    cursor.view::<U32>("trailer word").map(|word| word.get())
}

/// The content of a [`TrailerBlock`].
#[non_exhaustive]
#[derive(Clone, Debug)]
pub enum TrailerContent<'a> {
    /// Id 0: the size of the whole trailer.
    MetaInfo {
        /// Size in bytes, including the tags.
        total_size: u32,
    },
    /// Id 1, the last block: the size of the whole trailer.
    MetaEndInfo {
        /// Size in bytes, including the tags.
        total_size: u32,
    },
    /// Id 2: information about the map.
    Header(MapHeader<'a>),
    /// Id 3: guide lines.
    Guides(&'a [Guide]),
    /// Id 4: marked places.
    Favourites(Favourites<'a>),
    /// Any other id.
    Unknown,
}

/// Information that WapMap stores about a map and about itself.
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct MapHeader<'a> {
    /// Build number of WapMap.
    pub wapmap_build: u32,
    /// Version of WapMap.
    pub wapmap_version: &'a [u8],
    /// Number of times the map was saved.
    pub map_build: u32,
    /// The author's version of the map.
    pub map_version: &'a [u8],
    /// The author's description.
    pub description: &'a [u8],
}

impl fmt::Debug for MapHeader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MapHeader")
            .field("wapmap_build", &self.wapmap_build)
            .field("wapmap_version", &self.wapmap_version.escape_ascii().to_string())
            .field("map_build", &self.map_build)
            .field("map_version", &self.map_version.escape_ascii().to_string())
            .field("description", &self.description.escape_ascii().to_string())
            .finish()
    }
}

record! {
    /// A guide line of the editor. Its first byte is the orientation, which has a type of its own because it is not a
    /// word.
    pub struct Guide: 5 {
        /// Orientation.
        pub orientation: Orientation,
        /// Position in pixels.
        pub position: U32,
    }
}

/// Orientation of a [`Guide`], one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, zerocopy::IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(transparent)]
pub struct Orientation(pub u8);

impl worldview_core::RecordField for Orientation {
    const STORED: worldview_core::describe::Stored<'static> = u8::STORED;
}

/// Places marked by the author of a map: name, x, y. The iterator ends after the first truncated one.
#[derive(Clone, Debug)]
pub struct Favourites<'a> {
    cursor: Cursor<'a>,
    left: u32,
}

/// Name, x and y.
type Favourite<'a> = (&'a [u8], u32, u32);

fn favourite<'a>(cursor: &mut Cursor<'a>) -> Result<Favourite<'a>> {
    let name = cursor.until_nul(usize::MAX, "trailer favourite")?;
    Ok((name, u32_of(cursor)?, u32_of(cursor)?))
}

impl<'a> Favourites<'a> {
    /// Returns the favorite at offset `at` of the file, which must not be before the next one.
    pub(crate) fn get_at(&self, at: u64) -> Option<Favourite<'a>> {
        let from_here = at.checked_sub(self.cursor.position())?;
        favourite(&mut self.cursor.rest().cursor(from_here, "trailer favourite").ok()?).ok()
    }
}

impl<'a> Iterator for Favourites<'a> {
    type Item = Result<Favourite<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let favourite = favourite(&mut self.cursor);
        if favourite.is_err() {
            self.left = 0;
        }
        Some(favourite)
    }
}

worldview_core::assert_send_sync!(Trailer<'_>, TrailerBlocks<'_>, TrailerBlock<'_>, TrailerContent<'_>, Favourites<'_>);
