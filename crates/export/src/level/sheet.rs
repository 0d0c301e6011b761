/// The plan of a tileset's picture: its cells, their order and their size.
///
/// Cell `i` is in column `i % columns` of row `i / columns`. The last row may have unused cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    /// Name of the image set, in the bytes of the file; empty if the level does not name one.
    pub image_set: Vec<u8>,
    /// The cells.
    pub cells: Vec<Cell>,
    /// Number of cells in a row, at least 1.
    pub columns: u32,
    /// Width of a cell in pixels, at least 1.
    pub tile_width: u32,
    /// Height of a cell in pixels, at least 1.
    pub tile_height: u32,
    /// Palette index of the fill color, which shows only with the pictures of a game that has a palette.
    pub fill: u8,
}

/// The content of a cell of a [`Sheet`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cell {
    /// A frame of the image set. The color is derived from the tile word.
    Frame {
        /// The tile word, with the image set in the high 16 bits and the frame in the low 16 bits.
        word: u32,
    },
    /// A cell painted with the plane's fill color.
    Filled,
}

impl Sheet {
    /// Returns the number of rows.
    pub fn rows(&self) -> u32 {
        let cells = u32::try_from(self.cells.len()).unwrap_or(u32::MAX);
        cells.div_ceil(self.columns.max(1)).max(1)
    }
}
