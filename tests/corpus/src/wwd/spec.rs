//! A level as plain data: what the builder writes and what a reader should find.

use crate::builder::{Builder, Stored, count};
use crate::spec::{To, bare, elsewhere, list, nested, spec, text};

mod object;
mod trailer;

pub use object::ObjectSpec;
pub use trailer::{TrailerBlockSpec, TrailerSpec};

/// A level with more objects gets no object labels, since they would take more memory than the level itself.
const LABELED_OBJECTS: usize = 10_000;

spec! {
    /// Spec of a whole file. It is stored as its image with the words of the header that `build` sets still 0.
    pub struct LevelSpec |level, b| {
        pub header: HeaderSpec => nested("header"),
        @ { b.label("planes"); }
        pub planes: Vec<PlaneSpec> => list("plane"),
        @ {
            let each = || level.planes.iter().enumerate();
            each().for_each(|(p, plane)| _ = b.label(&format!("plane[{p}].tiles")).put(&plane.tiles));
            for (p, plane) in each() {
                b.label(&format!("plane[{p}].image_sets"));
                plane.image_sets.iter().for_each(|name| _ = b.put((name, 0_u8)));
            }
            b.silent = level.planes.iter().map(|plane| plane.objects.len()).sum::<usize>() > LABELED_OBJECTS;
            for (p, plane) in each() {
                b.label(&format!("plane[{p}].objects"));
                for (i, object) in plane.objects.iter().enumerate() {
                    nested(format_args!("object[{p}][{i}]"))(object, b, "");
                }
            }
            b.silent = false;
        }
        /// The tile-attribute table; `None` writes an offset of 0.
        pub attributes: Option<AttributeTableSpec> = Some(AttributeTableSpec::default()) => bare,
        /// How the main block is stored.
        pub packing: Packing => elsewhere,
        /// What the checksum word holds.
        pub checksum: ChecksumRule => elsewhere,
        /// What the `main_block_length` word holds.
        pub main_block_length: LengthRule => elsewhere,
        /// WapMap's trailer after the main block.
        pub trailer: Option<TrailerSpec> => elsewhere,
        /// Junk at the end of the file. In a raw level, readers cannot tell it from the main block.
        pub trailing: Vec<u8> => elsewhere,
        end: (),
    }

    /// The file header.
    pub struct HeaderSpec |header, b| {
        /// 1524 in every known file.
        pub header_size: u32 = 1524,
        pub reserved_04: u32,
        /// Flag bits; bit 1 is set or cleared according to the packing.
        pub flags: u32 = 1,
        pub reserved_0c: u32,
        pub name, author: Vec<u8> => text::<64>,
        /// Date as free text.
        pub birth: Vec<u8> => text::<64>,
        /// Resource file.
        pub rez_file: Vec<u8> => text::<256>,
        /// Folder of the tile images, and the palette.
        pub image_dir, pal_rez: Vec<u8> => text::<128>,
        /// Start position of the player or camera.
        pub start_x, start_y: i32,
        pub reserved_2d8: u32,
        num_planes: 0_u32,
        planes_offset: 0_u32,
        tile_attribs_offset: 0_u32,
        main_block_length: 0_u32,
        checksum: 0_u32,
        pub reserved_2f0: u32,
        /// Program that the editor launches.
        pub launch_app: Vec<u8> => text::<128>,
        /// Folders of image sets.
        pub image_set_dirs: [Vec<u8>; 4] => numbered::<128>,
        pub image_set_prefixes: [Vec<u8>; 4] => numbered::<32>,
    }

    /// A plane: its header, and the three parts that are stored elsewhere.
    pub struct PlaneSpec |plane, b| {
        /// 160; the game rejects any other value.
        pub header_size: u32 = 160,
        pub reserved_04: u32,
        /// Flag bits: main, no draw, wrap x, wrap y, auto tile size.
        pub flags: u32,
        pub reserved_0c: u32,
        pub name: Vec<u8> => text::<64>,
        /// Dimensions in pixels.
        pub width_px, height_px: i32,
        /// Dimensions of a tile in pixels.
        pub tile_width, tile_height: i32,
        /// Dimensions of the grid in tiles.
        pub tiles_wide, tiles_high: i32,
        /// Scroll origin.
        pub scroll_x, scroll_y: i32,
        /// Parallax.
        pub movement_x_percent, movement_y_percent: i32 = 100,
        /// Palette index for filled cells.
        pub fill_color: i32,
        num_image_sets: count(plane.image_sets.len()),
        num_objects: count(plane.objects.len()),
        tiles_offset: To("tiles"),
        image_sets_offset: To("image_sets"),
        @ {
            match b.field("objects_offset") {
                b if plane.objects.is_empty() => b.put(plane.empty_objects_offset),
                b => b.put(To("objects")),
            };
        }
        /// Depth.
        pub z_coord: i32,
        pub reserved_94, reserved_98, reserved_9c: u32,
        /// The grid, row by row; a level is valid only if it has exactly columns times rows tiles.
        pub tiles: Vec<u32> => elsewhere,
        /// Names of the image sets, without a NUL inside.
        pub image_sets: Vec<Vec<u8>> => elsewhere,
        pub objects: Vec<ObjectSpec> => elsewhere,
        /// Value of `objects_offset` if there are no objects: 0, except in files by IceSword.
        pub empty_objects_offset: u32 => elsewhere,
    }

    /// The tile-attribute table.
    pub struct AttributeTableSpec |table, b| {
        @ { b.label("attributes"); }
        /// The eight words of the header; the third is replaced by the number of records.
        pub head: [u32; 8] = [32, 0, 0, 0, 0, 0, 0, 0] => elsewhere,
        @ {
            for (i, word) in table.head.iter().enumerate() {
                match i {
                    2 => b.label("attributes.count").put(count(table.records.len())),
                    _ => b.label(&format!("attributes.head[{i}]")).put(word),
                };
            }
        }
        /// The records; the low 16 bits of a tile value are an index into them.
        pub records: Vec<AttributeSpec> => list("attribute"),
    }

    /// A record of the tile-attribute table.
    pub struct AttributeSpec |record, b| {
        type: match record.kind {
            AttributeKind::Single(_) => 1_u32,
            AttributeKind::Double { .. } => 2,
            AttributeKind::Mask(_) => 3,
        },
        /// Normally 0.
        pub reserved: u32,
        /// Dimensions of the tile in pixels.
        pub width, height: u32,
        /// The kind of record and its data.
        pub kind: AttributeKind = AttributeKind::Single(0) => bare,
    }
}

/// Texts whose labels count from 1.
fn numbered<const N: usize>(texts: &[Vec<u8>; 4], b: &mut Builder, name: &str) {
    let name = name.trim_end_matches("es").trim_end_matches('s');
    for (n, value) in (1..).zip(texts) {
        text::<N>(value, b, &format!("{name}_{n}"));
    }
}

/// How the main block is stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
pub enum LengthRule {
    /// The unpacked length if packed, else 0.
    #[default]
    Canonical,
    /// This value.
    Value(u32),
}

/// The three kinds of records.
#[derive(Clone, Debug, PartialEq, Eq)]
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

impl Stored for AttributeKind {
    fn store(&self, b: &mut Builder) {
        match self {
            Self::Single(attribute) => b.field("attribute").put(attribute),
            Self::Double { outside, inside, rect } => {
                b.field("outside").put(outside).field("inside").put(inside).field("rect").put(rect)
            }
            Self::Mask(bytes) => b.put(bytes),
        };
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
