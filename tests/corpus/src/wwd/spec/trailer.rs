//! The trailer that WapMap appends.

use crate::builder::{Builder, Stored, count};

/// WapMap's trailer. The first and last blocks, which hold its size, are added automatically.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrailerSpec {
    /// The blocks in between.
    pub blocks: Vec<TrailerBlockSpec>,
}

/// A block of the trailer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TrailerBlockSpec {
    /// Block 0, the first one: the size of the trailer.
    First(u32),
    /// Block 1, the last one: the size of the trailer again.
    Last(u32),
    /// Block 2: build numbers, versions and description.
    Header {
        /// Build number of the editor.
        wapmap_build: u32,
        /// Version of the editor.
        wapmap_version: Vec<u8>,
        /// Build number of the map.
        map_build: u32,
        /// Version of the map.
        map_version: Vec<u8>,
        /// Free text.
        description: Vec<u8>,
    },
    /// Block 3: orientation and position of each guide.
    Guides(Vec<(u8, u32)>),
    /// Block 4: name, x and y of each bookmarked place.
    Favourites(Vec<(Vec<u8>, u32, u32)>),
    /// Any other block.
    Other {
        /// The kind of block.
        id: u8,
        /// The bytes of the block.
        bytes: Vec<u8>,
    },
}

impl Stored for TrailerSpec {
    /// Writes the trailer including both tags.
    fn store(&self, b: &mut Builder) {
        let mut blocks = Builder::new();
        self.blocks.iter().for_each(|block| block.store(&mut blocks));
        let blocks = blocks.finish().bytes;
        // Two tags, and the two blocks that hold this size.
        let total = count(9 + 9 + blocks.len() + 9 + 10);
        let [first, last] = [TrailerBlockSpec::First(total), TrailerBlockSpec::Last(total)];
        b.put((b"<wm_meta>", first, blocks, last, b"</wm_meta>"));
    }
}

impl Stored for TrailerBlockSpec {
    fn store(&self, b: &mut Builder) {
        let mut block = Builder::new();
        let (id, _) = match self {
            Self::First(total) => (0, block.put(total)),
            Self::Last(total) => (1, block.put(total)),
            Self::Header { wapmap_build, wapmap_version, map_build, map_version, description } => {
                let map = (map_build, map_version, 0_u8);
                (2, block.put((wapmap_build, wapmap_version, 0_u8, map, description, 0_u8)))
            }
            Self::Guides(guides) => (3, block.put((count(guides.len()), guides))),
            Self::Favourites(places) => {
                block.put(count(places.len()));
                places.iter().for_each(|(name, x, y)| _ = block.put((name, 0_u8, x, y)));
                (4, &mut block)
            }
            Self::Other { id, bytes } => (*id, block.put(bytes)),
        };
        let block = block.finish().bytes;
        b.put((id, count(block.len()), block));
    }
}
