/// The plan of a tileset's picture: which cells it has, in which order, how large.
///
/// Cell `i` lies in column `i % columns` of row `i / columns`; the last row may have cells to spare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    /// Name of the image set, in the bytes of the file; empty where the level names none.
    pub image_set: Vec<u8>,
    /// The cells.
    pub cells: Vec<Cell>,
    /// Cells in a row, at least 1.
    pub columns: u32,
    /// Width of a cell in pixels, at least 1.
    pub tile_width: u32,
    /// Height of a cell in pixels, at least 1.
    pub tile_height: u32,
}

/// What a cell of a [`Sheet`] shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cell {
    /// A frame of the image set; the word is the tile's, and gives the color.
    Frame {
        /// The tile word: image set in the high half, frame in the low.
        word: u32,
    },
    /// A cell painted with the plane's fill color.
    Filled,
}

impl Sheet {
    /// Rows of the picture.
    pub fn rows(&self) -> u32 {
        let cells = u32::try_from(self.cells.len()).unwrap_or(u32::MAX);
        cells.div_ceil(self.columns.max(1)).max(1)
    }
}
