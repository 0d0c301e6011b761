//! Levels that cost a reader far more than their size suggests.

use super::{Bomb, long};
use crate::rng::Rng;
use crate::wwd::build::{build, build_image, pack};
use crate::wwd::spec::{
    AttributeSpec, AttributeTableSpec, LengthRule, LevelSpec, ObjectSpec, Packing, PlaneSpec, TrailerBlockSpec,
    TrailerSpec,
};
use crate::wwd::{EMPTY_TILE, HEADER_SIZE};

/// All level bombs.
pub const BOMBS: &[Bomb] = &[
    Bomb { name: "planes that share a grid", attacks: "code that walks over the tiles of each plane", make: one_grid },
    Bomb { name: "planes that share a list of objects", attacks: "code that lists all objects", make: one_list },
    Bomb { name: "planes that share a list of names", attacks: "code that lists image sets", make: one_list_of_names },
    Bomb { name: "planes that are only headers", attacks: "output per plane", make: bare_planes },
    Bomb { name: "planes with different tile sizes", attacks: "a map for each tile size", make: sizes },
    Bomb { name: "planes whose data are the headers", attacks: "offsets that point backward", make: on_headers },
    Bomb { name: "a wide plane and a tall plane", attacks: "padding of all grids to the largest", make: crossed },
    Bomb { name: "planes that wrap around many times", attacks: "repeated drawing of tiny grids", make: wrapped },
    Bomb { name: "a grid of 65,535 squared", attacks: "the product of two sides", make: squared },
    Bomb { name: "tiles of 65,535 pixels", attacks: "pictures whose size depends on the tile size", make: huge_tiles },
    Bomb { name: "tiles that are all different", attacks: "tilesets with a cell for each tile", make: random_tiles },
    Bomb { name: "image sets with all indices", attacks: "tilesets with one cell each", make: all_indices },
    Bomb { name: "a million empty names", attacks: "list entries of one byte", make: empty_names },
    Bomb { name: "objects without texts", attacks: "the sixty fields of an object", make: objects },
    Bomb { name: "objects with long texts", attacks: "escapes of several bytes", make: long_texts },
    Bomb { name: "checkerboard attributes", attacks: "a rectangle for each pixel", make: chess },
    Bomb { name: "attributes of one pixel", attacks: "output per attribute", make: pixels },
    Bomb { name: "a thousand bytes from one", attacks: "maximum deflate compression", make: deflated },
    Bomb { name: "a large block that claims to be small", attacks: "a buffer of the stored size", make: says_small },
    Bomb { name: "a small block that claims 4 GiB", attacks: "an allocation of the stored size", make: says_large },
    Bomb { name: "guides and blocks of a trailer", attacks: "lists in the trailer", make: trailer },
];

/// Fields of a plane header and their values.
type Words = Vec<(&'static str, u32)>;

/// Builds a level of planes.
fn of(planes: Vec<PlaneSpec>) -> Vec<u8> {
    build(&LevelSpec { planes, ..LevelSpec::default() }).bytes
}

/// Builds a level with `count` planes that share the data of the last one. `edit` changes every header except that.
fn planes(count: usize, plane: PlaneSpec, edit: impl Fn(usize) -> Words) -> Vec<u8> {
    let bare = PlaneSpec { tiles: Vec::new(), image_sets: Vec::new(), objects: Vec::new(), ..plane.clone() };
    let mut spec = LevelSpec { planes: vec![bare; count - 1], ..LevelSpec::default() };
    spec.planes.push(plane);
    let mut image = build_image(&spec);
    let last = |field| (field, image.read_u32_le(&format!("plane[{}].{field}", count - 1)).unwrap_or(0));
    let shared = ["num_image_sets", "num_objects", "tiles_offset", "image_sets_offset", "objects_offset"].map(last);
    for p in 0..count - 1 {
        for (field, value) in shared.into_iter().chain(edit(p)) {
            image.words_le(&[(&format!("plane[{p}].{field}"), value)]);
        }
    }
    image.words_le(&[("header.tile_attribs_offset", 0)]);
    pack(&image.bytes, &spec)
}

/// Returns how many plane headers to put into a level of `size` bytes, leaving room for the data that they share.
fn many(size: usize) -> usize {
    (size / 640).clamp(2, 2000)
}

/// Returns the side of a square grid of about `bytes` bytes.
fn side(bytes: usize) -> i32 {
    i32::try_from((bytes / 4).isqrt().max(1)).unwrap_or(1)
}

fn grid(wide: i32, high: i32, tile: impl Fn(u32) -> u32) -> PlaneSpec {
    let mut plane = PlaneSpec::empty(b"P", 64, wide, high);
    plane.flags = 1;
    plane.tiles.iter_mut().zip(0..).for_each(|(cell, i)| *cell = tile(i));
    plane
}

fn one_grid(size: usize) -> Vec<u8> {
    let count = many(size);
    let side = side(size.saturating_sub(160 * count));
    planes(count, grid(side, side, |i| i % 50), |_| Vec::new())
}

fn one_list(size: usize) -> Vec<u8> {
    let count = many(size);
    let objects = vec![ObjectSpec { logic: b"L".to_vec(), ..ObjectSpec::default() }; size / 2 / 285];
    planes(count, PlaneSpec { objects, ..grid(1, 1, |_| 0) }, |_| Vec::new())
}

fn one_list_of_names(size: usize) -> Vec<u8> {
    planes(many(size), PlaneSpec { image_sets: vec![Vec::new(); size / 2], ..grid(1, 1, |_| 0) }, |_| Vec::new())
}

fn bare_planes(size: usize) -> Vec<u8> {
    planes((size / 160).max(2), PlaneSpec { flags: 1, ..PlaneSpec::default() }, |_| Vec::new())
}

fn sizes(size: usize) -> Vec<u8> {
    planes((size / 160).max(2), grid(1, 1, |_| 0), |i| {
        vec![("flags", 0), ("tile_width", long(i % 4096 + 1)), ("tile_height", long(i / 4096 + 1))]
    })
}

fn on_headers(size: usize) -> Vec<u8> {
    let count = many(size) * 3;
    let start = long(HEADER_SIZE);
    planes(count, grid(1, 1, |_| 0), |_| {
        vec![
            ("tiles_offset", start),
            ("image_sets_offset", start),
            ("objects_offset", start),
            ("tiles_wide", 40),
            ("tiles_high", long(count)),
            ("num_image_sets", 1000),
            ("num_objects", 3),
        ]
    })
}

fn crossed(size: usize) -> Vec<u8> {
    let line = i32::try_from(size / 8).unwrap_or(i32::MAX).max(1);
    let planes = vec![grid(line, 1, |i| i % 50), grid(1, line, |i| i % 50)];
    of(planes)
}

fn wrapped(size: usize) -> Vec<u8> {
    let side = side(size / 2);
    let main = grid(side, side, |i| i % 50);
    let tiny = PlaneSpec { flags: 12, tile_width: 1, tile_height: 1, ..grid(2, 2, |i| i) };
    let mut planes = vec![main];
    planes.resize(1 + (size / 2 / 176).max(1), tiny);
    build(&LevelSpec { planes, ..LevelSpec::default() }).bytes
}

fn squared(size: usize) -> Vec<u8> {
    let side = side(size);
    planes(2, grid(side, side, |i| i), |_| vec![("tiles_wide", 65_535), ("tiles_high", 65_535)])
}

fn huge_tiles(size: usize) -> Vec<u8> {
    let side = side(size);
    planes(2, PlaneSpec { tile_width: 65_535, tile_height: 65_535, ..grid(side, side, |i| i % 500) }, |_| {
        vec![("tile_width", 4096), ("tile_height", 4096)]
    })
}

fn random_tiles(size: usize) -> Vec<u8> {
    let side = side(size);
    let mut rng = Rng::new(1);
    let mut plane = grid(side, side, |_| 0);
    plane.tiles.iter_mut().for_each(|tile| *tile = u32::try_from(rng.next_u64() >> 32).unwrap_or(0));
    of(vec![plane])
}

fn all_indices(size: usize) -> Vec<u8> {
    let side = side(size / 2);
    let image_sets = (0..size / 2 / 6).map(|i| format!("{i:05}").into_bytes()).collect();
    let plane = PlaneSpec { image_sets, ..grid(side, side, |i| i << 16) };
    of(vec![plane])
}

fn empty_names(size: usize) -> Vec<u8> {
    let plane = PlaneSpec { image_sets: vec![Vec::new(); size], ..grid(1, 1, |_| 0) };
    of(vec![plane])
}

fn objects(size: usize) -> Vec<u8> {
    let wide = ObjectSpec { x: i32::MIN, y: i32::MIN, z: i32::MIN, id: i32::MIN, ..ObjectSpec::default() };
    let plane = PlaneSpec { objects: vec![wide; size / 284], ..grid(1, 1, |_| 0) };
    of(vec![plane])
}

fn long_texts(size: usize) -> Vec<u8> {
    let text = |byte: u8| vec![byte; size / 8];
    // A control character takes six bytes in JSON. A byte without a meaning in the code page is shown twice, and so is
    // a byte after a NUL.
    let object = ObjectSpec {
        name: text(1),
        logic: text(0x81),
        image_set: text(b'"'),
        animation: text(0),
        ..ObjectSpec::default()
    };
    let plane = PlaneSpec { objects: vec![object; 2], ..grid(1, 1, |_| 0) };
    of(vec![plane])
}

fn attributes(plane: PlaneSpec, records: Vec<AttributeSpec>) -> Vec<u8> {
    let attributes = Some(AttributeTableSpec { records, ..AttributeTableSpec::default() });
    build(&LevelSpec { planes: vec![plane], attributes, ..LevelSpec::default() }).bytes
}

fn chess(size: usize) -> Vec<u8> {
    let (side, count) = (64, (size / (64 * 64)).max(1));
    let board = |i: u32| u8::from((i % 64 + i / 64).is_multiple_of(2)) * 7;
    let mask = AttributeSpec::mask(side, side, (0..side * side).map(board).collect());
    attributes(grid(side_of(count), side_of(count), |i| i), vec![mask; count])
}

/// Returns the side of a square grid with at least `count` tiles.
fn side_of(count: usize) -> i32 {
    i32::try_from(count.isqrt() + 1).unwrap_or(1)
}

fn pixels(size: usize) -> Vec<u8> {
    let count = size / 20;
    attributes(grid(side_of(count), side_of(count), |i| i), vec![AttributeSpec::single(1, 1, 1); count])
}

/// Builds a packed level that inflates to 16 times `size`.
fn packed(size: usize, main_block_length: LengthRule) -> Vec<u8> {
    let side = side(16 * size);
    let packing = Packing::Zlib { level: 9 };
    let planes = vec![grid(side, side, |_| EMPTY_TILE)];
    build(&LevelSpec { planes, packing, main_block_length, ..LevelSpec::default() }).bytes
}

fn deflated(size: usize) -> Vec<u8> {
    packed(size, LengthRule::Canonical)
}

fn says_small(size: usize) -> Vec<u8> {
    packed(size, LengthRule::Value(1000))
}

fn says_large(size: usize) -> Vec<u8> {
    packed(size, LengthRule::Value(u32::MAX))
}

fn trailer(size: usize) -> Vec<u8> {
    let blocks = vec![
        TrailerBlockSpec::Guides(vec![(1, u32::MAX); size / 10]),
        TrailerBlockSpec::Favourites(vec![(Vec::new(), 0, 0); size / 36]),
        TrailerBlockSpec::Other { id: 200, bytes: vec![1; size / 4] },
    ];
    let blocks = blocks.into_iter().chain(vec![TrailerBlockSpec::Other { id: 9, bytes: Vec::new() }; size / 20]);
    let trailer = Some(TrailerSpec { blocks: blocks.collect() });
    build(&LevelSpec { planes: vec![grid(1, 1, |_| 0)], trailer, ..LevelSpec::default() }).bytes
}
