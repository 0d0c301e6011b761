use zerocopy::little_endian::U32;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// One cell of a plane's grid: 32 bits. See [Tile grid](crate::format#tile-grid).
#[derive(Clone, Copy, PartialEq, Eq, Hash, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(transparent)]
pub struct Tile(U32);

const _: () = assert!(size_of::<Tile>() == 4);

/// The kind of a [`Tile`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TileKind {
    /// Nothing is drawn.
    Empty,
    /// The cell is painted with the plane's fill color.
    Filled,
    /// A picture.
    Image {
        /// Index into the plane's image sets.
        image_set: u16,
        /// Frame number in the image set, and index into the tile attributes.
        frame: u16,
    },
}

impl Tile {
    /// The word of an empty cell.
    pub const EMPTY: u32 = 0xFFFF_FFFF;
    /// The word of a filled cell.
    pub const FILLED: u32 = 0xEEEE_EEEE;

    /// Creates a tile from its word.
    pub const fn of(word: u32) -> Self {
        Self(U32::new(word))
    }

    /// Returns the word.
    #[inline]
    pub const fn get(self) -> u32 {
        self.0.get()
    }

    /// Returns the kind of the tile. This is lossless.
    #[inline]
    pub const fn kind(self) -> TileKind {
        match self.get() {
            Self::EMPTY => TileKind::Empty,
            Self::FILLED => TileKind::Filled,
            word => {
                let [low, high] = [word & 0xFFFF, word >> 16];
                #[expect(clippy::cast_possible_truncation, reason = "both halves were just cut to 16 bits")]
                let (image_set, frame) = (high as u16, low as u16);
                TileKind::Image { image_set, frame }
            }
        }
    }

    /// Returns the frame number, if the cell shows a picture.
    #[inline]
    pub const fn frame(self) -> Option<u16> {
        match self.kind() {
            TileKind::Image { frame, .. } => Some(frame),
            _ => None,
        }
    }
}

impl core::fmt::Debug for Tile {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Tile({:#010x})", self.get())
    }
}
