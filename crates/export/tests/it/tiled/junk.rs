//! Levels with invalid parts: the rest is exported, and omissions are marked.

use tiled::{Properties, PropertyValue, TileData, TileLayer};
use worldview_corpus::wwd::EMPTY_TILE;
use worldview_corpus::wwd::build::build_image;
use worldview_corpus::wwd::spec::{AttributeSpec, AttributeTableSpec, LevelSpec, PlaneSpec};
use worldview_export::Encoding;
use worldview_export::level::Cell;

use super::same::assert_same;
use super::support::{Read, export, export_file, int, level_of, plane, shared};

/// The cost of a tile of a tileset.
const TILE: usize = 16;
/// The cost of a tile's attribute as properties.
const PROPERTIES: usize = 48;
/// The cost of a single attribute as shapes: its record, and one shape.
const SHAPES: usize = 20 + 20;

/// The budget for the tiles of tilesets and their attributes: the size of the level, plus one megabyte.
fn budget(image: &[u8]) -> usize {
    image.len() + 1024 * 1024
}

/// Returns the only map of a level, and checks that its size is proportionate.
fn map_of(image: &[u8]) -> Read {
    let mut maps = export_file(image, Encoding::WINDOWS_1252);
    let map = maps.remove(0);
    assert_eq!(maps.len(), 0);
    assert!(map.tmx.len() < 17 * (4 * image.len() + 1024 * 1024), "{} of {}", map.tmx.len(), image.len());
    map
}

fn with_attributes(plane: PlaneSpec, records: Vec<AttributeSpec>) -> LevelSpec {
    let attributes = Some(AttributeTableSpec { records, ..AttributeTableSpec::default() });
    LevelSpec { attributes, ..level_of(vec![plane]) }
}

/// A checkerboard of two attributes, which has as many shapes as pixels.
fn checkerboard(width: u32, height: u32) -> AttributeSpec {
    let pixels = (0..height).flat_map(|y| (0..width).map(move |x| if (x + y) % 2 == 0 { 1 } else { 4 }));
    AttributeSpec::mask(width, height, pixels.collect())
}

/// A square plane of `side` rows without duplicate tiles, and without image set 0: 0x00010001, 0x00020002 and so on.
fn random_square(side: u32) -> PlaneSpec {
    let words: Vec<u32> = (1..=side * side).map(|word| word * 0x0001_0001).collect();
    plane("junk", "SET", &words.chunks(side as usize).collect::<Vec<_>>())
}

/// The largest such plane.
fn random_grid() -> PlaneSpec {
    random_square(200)
}

/// Returns the tiles of a tileset, without the filled cell.
fn tiles(read: &Read, tileset: usize) -> Vec<TileData> {
    let cells = u32::try_from(read.sheets[tileset].1.cells.len()).unwrap();
    let tileset = &read.map.tilesets()[tileset];
    (0..cells - 1).map(|id| tileset.get_tile(id).expect("a tile").clone()).collect()
}

fn shapes(tile: &TileData) -> usize {
    tile.collision.as_ref().map_or(0, |shapes| shapes.object_data().len())
}

fn left_out(properties: &Properties) -> Option<&str> {
    match properties.get("left_out")? {
        PropertyValue::StringValue(what) => Some(what),
        other => panic!("left out is {other:?}"),
    }
}

/// Returns the number of tiles that are marked with this omission.
fn lacking(tiles: &[TileData], what: Option<&str>) -> usize {
    tiles.iter().filter(|tile| left_out(&tile.properties) == what).count()
}

#[test]
fn a_grid_of_random_tiles_has_one_tileset() {
    let map = map_of(&build_image(&level_of(vec![random_grid()])).bytes);
    let [(picture, sheet)] = &map.sheets[..] else { panic!("one tileset") };
    // 40,001 cells: 200 columns and 201 rows, with 199 unused cells in the last row.
    assert_eq!((picture.as_str(), sheet.cells.len()), ("tilesets/plane_0_nameless.png", 40_001));
    assert_eq!((sheet.columns, sheet.rows()), (200, 201));
    assert_eq!(sheet.cells[39_999..], [Cell::Frame { word: 0x9C40_9C40 }, Cell::Filled]);
    let tiles = tiles(&map, 0);
    assert_eq!((tiles.len(), lacking(&tiles, None)), (40_000, 40_000));
    for (at, tile) in (1..).zip(&tiles) {
        assert_eq!(["frame", "image_set_index"].map(|name| int(&tile.properties, name)), [at, at]);
    }
    let layer = map.map.get_layer(0).expect("a layer");
    assert_eq!(left_out(&layer.properties), None);
    let Some(TileLayer::Finite(grid)) = layer.as_tile_layer() else { panic!("a grid") };
    let id = |x, y| grid.get_tile(x, y).expect("a cell").id();
    assert_eq!([id(0, 0), id(199, 0), id(0, 1), id(199, 199)], [0, 199, 200, 39_999]);
}

#[test]
fn random_tiles_with_attributes_keep_what_the_budget_pays_for() {
    // Each word has a frame with an attribute. Image set 0 only has the frames themselves.
    let spec = with_attributes(random_square(95), vec![AttributeSpec::single(64, 64, 1); 9026]);
    let image = build_image(&spec).bytes;
    let map = map_of(&image);
    // In the order of their first cells: the nameless tileset, then image set 0 with the 9026 frames.
    let [junk, frames] = [0, 1].map(|tileset| tiles(&map, tileset));
    assert_eq!([junk.len(), frames.len()], [9025, 9026]);
    let all = [junk, frames].concat();
    // The tiles and their properties are charged first.
    let paid = (budget(&image) - all.len() * (TILE + PROPERTIES)) / SHAPES;
    assert!((1..all.len()).contains(&paid), "some are paid for, and not all");
    assert_eq!(lacking(&all, None), paid);
    assert_eq!(lacking(&all, Some("shapes")), all.len() - paid);
    assert_eq!(all.iter().map(shapes).sum::<usize>(), paid);
    assert!(all.iter().all(|tile| int(&tile.properties, "attribute") == 1));
}

#[test]
fn attributes_of_random_tiles_are_left_out_before_the_tiles() {
    // Frame 1 has an attribute, and occurs in 39,999 image sets.
    let words: Vec<u32> = (1..40_000).map(|index| index << 16 | 1).collect();
    let spec = with_attributes(plane("junk", "SET", &[&words]), vec![AttributeSpec::single(64, 64, 1); 2]);
    let image = build_image(&spec).bytes;
    let map = map_of(&image);
    // Plus frames 0 and 1 of image set 0.
    let all = [tiles(&map, 0), tiles(&map, 1)].concat();
    assert_eq!(all.len(), 40_001);
    let left = budget(&image) - all.len() * TILE;
    let paid = left / PROPERTIES;
    assert!((1..all.len()).contains(&paid), "some are paid for, and not all");
    assert!(left % PROPERTIES < SHAPES, "the rest pays for no record with its shape");
    assert_eq!(lacking(&all, Some("attribute and shapes")), all.len() - paid);
    assert_eq!(lacking(&all, Some("shapes")), paid);
    assert_eq!(all.iter().filter(|tile| tile.properties.contains_key("attribute")).count(), paid);
    assert_same(&map);
}

#[test]
fn a_mask_of_too_many_shapes_loses_them_alone() {
    let records = vec![
        AttributeSpec::single(64, 64, 1),
        checkerboard(64, 64),
        checkerboard(4097, 1),
        checkerboard(3200, 320),
        AttributeSpec::mask(4097, 1, vec![1; 4097]),
    ];
    let map = map_of(&build_image(&with_attributes(plane("Action", "SET", &[&[EMPTY_TILE]]), records)).bytes);
    let tiles = tiles(&map, 0);
    assert_eq!(tiles.iter().map(shapes).collect::<Vec<_>>(), [1, 4096, 0, 0, 1]);
    let lacking: Vec<_> = tiles.iter().map(|tile| left_out(&tile.properties)).collect();
    assert_eq!(lacking, [None, None, Some("shapes"), Some("shapes"), None]);
    assert_eq!(int(&tiles[3].properties, "width"), 3200);
    assert_same(&map);
}

#[test]
fn masks_have_shapes_as_long_as_the_budget_pays() {
    let spec = with_attributes(plane("Action", "SET", &[&[EMPTY_TILE]]), vec![checkerboard(64, 64); 40]);
    let image = build_image(&spec).bytes;
    let tiles = tiles(&map_of(&image), 0);
    // A mask costs 16 + 64 × 64 bytes, and each of its shapes 20.
    let left = budget(&image) - 40 * (TILE + PROPERTIES);
    assert_eq!(left / (4112 + 4096 * 20), 14);
    for (at, tile) in tiles.iter().enumerate() {
        let want = if at < 14 { (4096, None) } else { (0, Some("shapes")) };
        assert_eq!((shapes(tile), left_out(&tile.properties)), want, "{at}");
    }
}

#[test]
fn planes_over_random_tiles_lose_those_that_come_last() {
    let others = vec![PlaneSpec::empty(b"over it", 64, 0, 0); 4];
    let mut spec = level_of([vec![random_grid()], others].concat());
    // A valid plane after them loses nothing.
    spec.planes.push(plane("sound", "SOUND", &[&[7, 7, 8]]));
    (spec.planes[0].flags, spec.planes[5].flags) = (0, 1);
    let image = shared(&build_image(&spec), 1..5, &["tiles_wide", "tiles_high", "tiles_offset"]);
    let map = map_of(&image);
    let lacking: Vec<_> = map.map.layers().map(|layer| left_out(&layer.properties).map(str::to_owned)).collect();
    let cut = || Some("tiles".to_owned());
    assert_eq!(lacking, [None, cut(), cut(), cut(), cut(), None]);
    let paid = budget(&image) / TILE;
    // Two cells belong to the valid plane, and each tileset has an additional filled cell.
    let cells: Vec<_> = map.sheets.iter().map(|(_, sheet)| sheet.cells.len()).collect();
    assert_eq!(cells, [40_001, paid - 2 - 40_000 + 1, 1, 1, 1, 3]);
    assert_same(&map);
}

#[test]
fn tile_sizes_past_the_256th_are_in_the_first_map() {
    let sized = |size| PlaneSpec { tile_width: size, ..plane("sized", "SET", &[&[1]]) };
    let maps = export(&level_of((1..=300).map(sized).collect()), Encoding::WINDOWS_1252);
    assert_eq!(maps.len(), 256);
    assert_eq!((maps[0].stem.as_str(), maps[255].stem.as_str()), ("map", "map-256x64"));
    let planes: Vec<_> = maps[0].map.layers().map(|layer| int(&layer.properties, "plane")).collect();
    assert_eq!(planes, [vec![0], (256..300).collect()].concat());
    assert_eq!(maps[0].map.layers().map(|layer| int(&layer.properties, "tile_width")).max(), Some(300));
}

#[test]
fn image_sets_past_the_1024th_share_a_tileset() {
    let named = |frame: u32| plane("named", &format!("SET{frame}"), &[&[frame]]);
    let map = map_of(&build_image(&level_of((0..1030).map(named).collect())).bytes);
    assert_eq!(map.sheets.len(), 1025);
    let (picture, sheet) = &map.sheets[1024];
    assert_eq!((picture.as_str(), &sheet.image_set[..]), ("tilesets/all_other_image_sets.png", &b""[..]));
    let frames = (1024..1030).map(|word| Cell::Frame { word });
    assert_eq!(sheet.cells, frames.chain([Cell::Filled]).collect::<Vec<_>>());
    let shown = map.map.layers().map(|layer| {
        let tile = layer.as_tile_layer().and_then(|tiles| tiles.get_tile(0, 0)).expect("a cell");
        int(&tile.get_tile().expect("a tile").properties, "frame")
    });
    assert!(shown.eq(0..1030));
}
