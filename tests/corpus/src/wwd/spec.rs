//! A level as plain data: what the builder writes and what a reader should find.

mod object;

pub use object::ObjectSpec;

/// Spec of a whole file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct LevelSpec {
    /// The file header.
    pub header: HeaderSpec,
    /// The planes, in file order.
    pub planes: Vec<PlaneSpec>,
    /// The tile-attribute table; `None` writes an offset of 0.
    pub attributes: Option<AttributeTableSpec>,
    /// How the main block is stored.
    pub packing: Packing,
    /// What the checksum word holds.
    pub checksum: ChecksumRule,
    /// What the `main_block_length` word holds.
    pub main_block_length: LengthRule,
    /// WapMap's trailer after the main block.
    pub trailer: Option<TrailerSpec>,
    /// Junk at the end of the file. In a raw level, readers cannot tell it from the main block.
    pub trailing: Vec<u8>,
}

/// The fields of the file header that do not follow from the rest of the level.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct HeaderSpec {
    /// 1524 in every known file.
    pub header_size: u32,
    /// The word at 0x04.
    pub reserved_04: u32,
    /// Flag bits; bit 1 is set or cleared according to the packing.
    pub flags: u32,
    /// The word at 0x0C.
    pub reserved_0c: u32,
    /// Name of the level, 64 bytes.
    pub name: Vec<u8>,
    /// Author, 64 bytes.
    pub author: Vec<u8>,
    /// Date as free text, 64 bytes.
    pub birth: Vec<u8>,
    /// Resource file, 256 bytes.
    pub rez_file: Vec<u8>,
    /// Folder of the tile images, 128 bytes.
    pub image_dir: Vec<u8>,
    /// Palette, 128 bytes.
    pub pal_rez: Vec<u8>,
    /// Horizontal start position of the player or camera.
    pub start_x: i32,
    /// Vertical start position of the player or camera.
    pub start_y: i32,
    /// The word at 0x2D8.
    pub reserved_2d8: u32,
    /// The word at 0x2F0.
    pub reserved_2f0: u32,
    /// Program that the editor launches, 128 bytes.
    pub launch_app: Vec<u8>,
    /// Four folders of image sets, 128 bytes each.
    pub image_set_dirs: [Vec<u8>; 4],
    /// Prefixes of the image sets, 32 bytes each.
    pub image_set_prefixes: [Vec<u8>; 4],
}

/// A plane: its three parts, and the fields of its header other than counts and offsets.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct PlaneSpec {
    /// 160; the game rejects any other value.
    pub header_size: u32,
    /// The word at 4.
    pub reserved_04: u32,
    /// Flag bits: main, no draw, wrap x, wrap y, auto tile size.
    pub flags: u32,
    /// The word at 12.
    pub reserved_0c: u32,
    /// Name, 64 bytes.
    pub name: Vec<u8>,
    /// Width in pixels.
    pub width_px: i32,
    /// Height in pixels.
    pub height_px: i32,
    /// Width of a tile in pixels.
    pub tile_width: i32,
    /// Height of a tile in pixels.
    pub tile_height: i32,
    /// Columns of the grid.
    pub tiles_wide: i32,
    /// Rows of the grid.
    pub tiles_high: i32,
    /// Horizontal scroll origin.
    pub scroll_x: i32,
    /// Vertical scroll origin.
    pub scroll_y: i32,
    /// Horizontal parallax.
    pub movement_x_percent: i32,
    /// Vertical parallax.
    pub movement_y_percent: i32,
    /// Palette index for filled cells.
    pub fill_color: i32,
    /// Depth.
    pub z_coord: i32,
    /// The word at 0x94.
    pub reserved_94: u32,
    /// The word at 0x98.
    pub reserved_98: u32,
    /// The word at 0x9C.
    pub reserved_9c: u32,
    /// The grid, row by row; a level is valid only if it has exactly columns times rows tiles.
    pub tiles: Vec<u32>,
    /// Names of the image sets, without a NUL inside.
    pub image_sets: Vec<Vec<u8>>,
    /// Objects.
    pub objects: Vec<ObjectSpec>,
    /// Value of `objects_offset` if there are no objects: 0, except in files by IceSword.
    pub empty_objects_offset: u32,
}

/// How the main block is stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub enum Packing {
    /// Uncompressed.
    #[default]
    Raw,
    /// As one zlib stream.
    Zlib {
        /// Deflate level, 0 to 10.
        level: u8,
    },
}

/// What the checksum word holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub enum ChecksumRule {
    /// The sum computed by Monolith's editors.
    #[default]
    Editor,
    /// The sum computed by WapMap.
    WapMap,
    /// WapMap's sum over the unpacked block.
    Libwap32,
    /// Zero, as written by IceSword.
    Zero,
    /// This value.
    Value(u32),
}

/// What the `main_block_length` word holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub enum LengthRule {
    /// The unpacked length if packed, else 0.
    #[default]
    Canonical,
    /// This value.
    Value(u32),
}

/// The tile-attribute table.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct AttributeTableSpec {
    /// The eight words of the header; the third is replaced by the number of records.
    pub head: [u32; 8],
    /// The records; the low 16 bits of a tile value are an index into them.
    pub records: Vec<AttributeSpec>,
}

/// A record of the tile-attribute table.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct AttributeSpec {
    /// The second word, normally 0.
    pub reserved: u32,
    /// Width of the tile in pixels.
    pub width: u32,
    /// Height of the tile in pixels.
    pub height: u32,
    /// The kind of record and its data.
    pub kind: AttributeKind,
}

/// The three kinds of records.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub enum AttributeKind {
    /// One attribute for the whole tile.
    Single(i32),
    /// One attribute inside a rectangle and one outside.
    Double {
        /// The attribute outside.
        outside: i32,
        /// The attribute inside.
        inside: i32,
        /// The inclusive rectangle: left, top, right, bottom.
        rect: [i32; 4],
    },
    /// One byte per pixel; a level is valid only if the mask has exactly width times height bytes.
    Mask(Vec<u8>),
}

/// WapMap's trailer. The first and last blocks, which hold its size, are added automatically.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct TrailerSpec {
    /// The blocks in between.
    pub blocks: Vec<TrailerBlockSpec>,
}

/// A block of the trailer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub enum TrailerBlockSpec {
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

impl Default for LevelSpec {
    fn default() -> Self {
        Self {
            header: HeaderSpec::default(),
            planes: Vec::new(),
            attributes: Some(AttributeTableSpec::default()),
            packing: Packing::default(),
            checksum: ChecksumRule::default(),
            main_block_length: LengthRule::default(),
            trailer: None,
            trailing: Vec::new(),
        }
    }
}

impl Default for HeaderSpec {
    fn default() -> Self {
        Self {
            header_size: 1524,
            reserved_04: 0,
            flags: 1,
            reserved_0c: 0,
            name: Vec::new(),
            author: Vec::new(),
            birth: Vec::new(),
            rez_file: Vec::new(),
            image_dir: Vec::new(),
            pal_rez: Vec::new(),
            start_x: 0,
            start_y: 0,
            reserved_2d8: 0,
            reserved_2f0: 0,
            launch_app: Vec::new(),
            image_set_dirs: Default::default(),
            image_set_prefixes: Default::default(),
        }
    }
}

impl Default for PlaneSpec {
    fn default() -> Self {
        Self {
            header_size: 160,
            reserved_04: 0,
            flags: 0,
            reserved_0c: 0,
            name: Vec::new(),
            width_px: 0,
            height_px: 0,
            tile_width: 0,
            tile_height: 0,
            tiles_wide: 0,
            tiles_high: 0,
            scroll_x: 0,
            scroll_y: 0,
            movement_x_percent: 100,
            movement_y_percent: 100,
            fill_color: 0,
            z_coord: 0,
            reserved_94: 0,
            reserved_98: 0,
            reserved_9c: 0,
            tiles: Vec::new(),
            image_sets: Vec::new(),
            objects: Vec::new(),
            empty_objects_offset: 0,
        }
    }
}

impl Default for AttributeTableSpec {
    fn default() -> Self {
        Self { head: [32, 0, 0, 0, 0, 0, 0, 0], records: Vec::new() }
    }
}

impl AttributeSpec {
    /// Creates a record with one attribute for the whole tile.
    pub const fn single(width: u32, height: u32, attribute: i32) -> Self {
        Self { reserved: 0, width, height, kind: AttributeKind::Single(attribute) }
    }

    /// Creates a record with one attribute inside a rectangle and one outside.
    pub const fn double(width: u32, height: u32, outside: i32, inside: i32, rect: [i32; 4]) -> Self {
        Self { reserved: 0, width, height, kind: AttributeKind::Double { outside, inside, rect } }
    }

    /// Creates a record with one byte per pixel.
    pub const fn mask(width: u32, height: u32, bytes: Vec<u8>) -> Self {
        Self { reserved: 0, width, height, kind: AttributeKind::Mask(bytes) }
    }
}

impl PlaneSpec {
    /// Creates a plane of empty cells with square tiles; the pixel dimensions follow from them.
    pub fn empty(name: &[u8], tile: i32, wide: i32, high: i32) -> Self {
        let cells = usize::try_from(i64::from(wide) * i64::from(high)).unwrap_or(0);
        Self {
            name: name.to_vec(),
            width_px: wide.wrapping_mul(tile),
            height_px: high.wrapping_mul(tile),
            tile_width: tile,
            tile_height: tile,
            tiles_wide: wide,
            tiles_high: high,
            tiles: vec![super::EMPTY_TILE; cells],
            ..Self::default()
        }
    }
}
