//! Tile attributes as properties and shapes.

use std::collections::HashMap;

use tiled::{ObjectShape, TileData};
use worldview_corpus::wwd::EMPTY_TILE;
use worldview_corpus::wwd::generate::{Shape, edge_cases, level};
use worldview_corpus::wwd::spec::{AttributeKind, AttributeSpec, AttributeTableSpec, LevelSpec};
use worldview_export::Encoding;
use worldview_export::level::Cell;

use super::support::{Read, export, int, level_of, plain, plane};

const FRAME_5: u32 = 5;

/// A level with one cell and tiles with these attributes.
fn level_with(records: Vec<AttributeSpec>) -> LevelSpec {
    let mut level = level_of(vec![plane("Action", "ACTION", &[&[EMPTY_TILE]])]);
    level.attributes = Some(AttributeTableSpec { records, ..AttributeTableSpec::default() });
    level
}

/// A shape: left, top, width, height, type and attribute.
type Rectangle<'a> = (f32, f32, f32, f32, &'a str, i32);

fn rectangles(tile: &TileData) -> Vec<Rectangle<'_>> {
    let shapes = tile.collision.as_ref().map_or(&[][..], |shapes| shapes.object_data());
    let rectangle = |shape: &'_ tiled::ObjectData| match shape.shape {
        ObjectShape::Rect { width, height } => (shape.x, shape.y, width, height),
        ref other => panic!("no shape is {other:?}"),
    };
    shapes
        .iter()
        .map(|shape| {
            let (x, y, width, height) = rectangle(shape);
            (x, y, width, height, shape.user_type.as_str(), int(&shape.properties, "attribute"))
        })
        .collect()
}

/// Returns the properties of a tile, except for those that identify it.
fn record(tile: &TileData) -> HashMap<&str, String> {
    let mut properties = plain(&tile.properties);
    properties.remove("frame").expect("a frame");
    assert_eq!(properties.remove("image_set_index").as_deref(), Some("0"));
    properties
}

fn record_of<'a>(properties: &[(&'a str, &str)]) -> HashMap<&'a str, String> {
    properties.iter().map(|(name, value)| (*name, (*value).to_owned())).collect()
}

#[test]
fn each_kind_of_attribute_is_shown() {
    #[rustfmt::skip]
    let mask = vec![
        0, 1, 1, 0,
        0, 1, 1, 0,
        4, 4, 4, 0,
        0, 0, 0, 0,
    ];
    let spec = level_with(vec![
        AttributeSpec::single(64, 64, 0),
        AttributeSpec::single(64, 48, 1),
        AttributeSpec { reserved: 7, ..AttributeSpec::single(32, 32, 93) },
        AttributeSpec::double(64, 64, 0, 2, [10, 20, 29, 23]),
        AttributeSpec::double(64, 64, 1, 0, [8, 16, 64, 64]),
        AttributeSpec::mask(4, 4, mask),
    ]);
    let maps = export(&spec, Encoding::WINDOWS_1252);
    let tileset = &maps[0].map.tilesets()[0];
    assert_eq!((tileset.name.as_str(), tileset.tilecount, tileset.columns), ("ACTION", 7, 7));
    let tile = |id| tileset.get_tile(id).expect("a tile");

    let common = [("kind", "1"), ("reserved", "0"), ("width", "64"), ("attribute_kind", "single")];
    let clear = [&common[..], &[("height", "64"), ("attribute", "0"), ("attribute_name", "clear")]].concat();
    assert_eq!(record(&tile(0)), record_of(&clear));
    assert_eq!(rectangles(&tile(0)), []);
    let solid = [&common[..], &[("height", "48"), ("attribute", "1"), ("attribute_name", "solid")]].concat();
    assert_eq!(record(&tile(1)), record_of(&solid));
    assert_eq!(rectangles(&tile(1)), [(0.0, 0.0, 64.0, 48.0, "solid", 1)]);
    assert_eq!(record(&tile(2))["attribute_name"], "attribute 93");
    assert_eq!(record(&tile(2))["reserved"], "7");
    assert_eq!(rectangles(&tile(2)), [(0.0, 0.0, 32.0, 32.0, "attribute 93", 93)]);

    let ground = [
        ("attribute_kind", "double"),
        ("kind", "2"),
        ("reserved", "0"),
        ("width", "64"),
        ("height", "64"),
        ("outside", "0"),
        ("inside", "2"),
        ("rect", "10 20 29 23"),
        ("outside_name", "clear"),
        ("inside_name", "ground"),
    ];
    assert_eq!(record(&tile(3)), record_of(&ground));
    // The bounds are inclusive: columns 10 to 29 are 20 columns, rows 20 to 23 are 4 rows.
    assert_eq!(rectangles(&tile(3)), [(10.0, 20.0, 20.0, 4.0, "ground", 2)]);
    // Solid above the hole and to the left of it. The hole extends to the other edges, and one pixel past them.
    let around = [(0.0, 0.0, 64.0, 16.0, "solid", 1), (0.0, 16.0, 8.0, 48.0, "solid", 1)];
    assert_eq!(rectangles(&tile(4)), around);

    let mask = [("attribute_kind", "mask"), ("kind", "3"), ("reserved", "0"), ("width", "4"), ("height", "4")];
    assert_eq!(record(&tile(FRAME_5)), record_of(&mask));
    let two = [(1.0, 0.0, 2.0, 2.0, "solid", 1), (0.0, 2.0, 3.0, 1.0, "death", 4)];
    assert_eq!(rectangles(&tile(FRAME_5)), two);
    assert_eq!(plain(&tile(6).properties), record_of(&[("filled", "true")]));
    assert_eq!(maps[0].sheets[0].1.cells[5..], [Cell::Frame { word: 5 }, Cell::Filled]);
}

#[test]
fn a_double_whose_rectangle_is_none_or_all_of_the_tile() {
    let spec = level_with(vec![
        AttributeSpec::double(64, 64, 3, 1, [10, 10, 9, 20]),
        AttributeSpec::double(64, 64, 3, 1, [64, 0, 70, 20]),
        AttributeSpec::double(64, 64, 3, 1, [i32::MIN, -1, i32::MAX, 63]),
        AttributeSpec::double(64, 64, 3, 3, [1, 1, 2, 2]),
        AttributeSpec::double(64, 64, 1, 2, [1, 2, 3, 5]),
    ]);
    let maps = export(&spec, Encoding::WINDOWS_1252);
    let tileset = &maps[0].map.tilesets()[0];
    let tile = |id| tileset.get_tile(id).expect("a tile");
    let climb = [(0.0, 0.0, 64.0, 64.0, "climb", 3)];
    assert_eq!(rectangles(&tile(0)), climb);
    assert_eq!(rectangles(&tile(1)), climb);
    assert_eq!(rectangles(&tile(2)), [(0.0, 0.0, 64.0, 64.0, "solid", 1)]);
    assert_eq!(rectangles(&tile(3)), climb);
    let five = [
        (0.0, 0.0, 64.0, 2.0, "solid", 1),
        (0.0, 2.0, 1.0, 4.0, "solid", 1),
        (1.0, 2.0, 3.0, 4.0, "ground", 2),
        (4.0, 2.0, 60.0, 4.0, "solid", 1),
        (0.0, 6.0, 64.0, 58.0, "solid", 1),
    ];
    assert_eq!(rectangles(&tile(4)), five);
}

/// Returns the attribute of a pixel by the rules of the format. The bounds of a rectangle are inclusive.
fn attribute_at(spec: &AttributeSpec, x: u32, y: u32) -> i32 {
    match &spec.kind {
        AttributeKind::Single(attribute) => *attribute,
        AttributeKind::Double { outside, inside, rect: [left, top, right, bottom] } => {
            let (x, y) = (x.cast_signed(), y.cast_signed());
            if x < *left || x > *right || y < *top || y > *bottom { *outside } else { *inside }
        }
        AttributeKind::Mask(pixels) => pixels[(y * spec.width + x) as usize].into(),
    }
}

/// Paints the shapes of every tile and compares the result pixel by pixel.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "shapes lie within small tiles")]
fn assert_painted(spec: &LevelSpec, read: &Read) {
    let records = spec.attributes.as_ref().map_or(&[][..], |table| &table.records);
    let frames = read.map.tilesets().iter().flat_map(|tileset| tileset.tiles().map(|(_, tile)| tile));
    let mut seen = 0;
    for tile in frames.filter(|tile| tile.properties.contains_key("attribute_kind")) {
        seen += usize::from(int(&tile.properties, "image_set_index") == 0);
        let record = &records[int(&tile.properties, "frame") as usize];
        let mut painted = HashMap::new();
        for (left, top, width, height, _, attribute) in rectangles(&tile) {
            for y in top as u32..(top + height) as u32 {
                for x in left as u32..(left + width) as u32 {
                    assert_eq!(painted.insert((x, y), attribute), None, "no pixel is covered twice");
                }
            }
        }
        for y in 0..record.height {
            for x in 0..record.width {
                let found = painted.remove(&(x, y)).unwrap_or(0);
                assert_eq!(found, attribute_at(record, x, y), "{record:?} at {x}, {y}");
            }
        }
        assert!(painted.is_empty(), "nothing lies outside the tile");
    }
    assert_eq!(seen, if spec.planes.is_empty() { 0 } else { records.len() });
}

#[test]
fn shapes_cover_what_is_not_clear_and_nothing_twice() {
    for (name, spec) in edge_cases().into_iter().filter(|(_, spec)| spec.planes.len() < 4) {
        println!("{name}");
        assert_painted(&spec, &export(&spec, Encoding::WINDOWS_1252)[0]);
    }
    let spec = level(5, &Shape { tile_px: 16, attributes: 60, masks: 20, ..Shape::small() });
    assert_painted(&spec, &export(&spec, Encoding::WINDOWS_1252)[0]);
}

#[test]
fn only_the_image_sets_of_the_main_plane_have_attributes() {
    let mut main = plane("Action", "ACTION", &[&[2, 0x0001_0001]]);
    main.image_sets.push(b"MORE".to_vec());
    let mut spec = level_of(vec![main, plane("Front", "FRONT", &[&[1]])]);
    spec.attributes = Some(AttributeTableSpec {
        records: vec![AttributeSpec::single(64, 64, 0), AttributeSpec::single(64, 64, 1)],
        ..AttributeTableSpec::default()
    });
    let maps = export(&spec, Encoding::WINDOWS_1252);
    let frames = |name| {
        let tileset = maps[0].map.tilesets().iter().find(|tileset| tileset.name == name).expect("the image set");
        let mut frames: Vec<_> = tileset.tiles().filter(|(_, tile)| tile.properties.contains_key("frame")).collect();
        frames.sort_by_key(|(id, _)| *id);
        let frame = |tile: &TileData| (int(&tile.properties, "frame"), tile.properties.contains_key("attribute"));
        frames.iter().map(|(_, tile)| frame(tile)).collect::<Vec<_>>()
    };
    // Frames 0 and 1 have attributes; frame 2 is shown and has none.
    assert_eq!(frames("ACTION"), [(0, true), (1, true), (2, false)]);
    assert_eq!(frames("MORE"), [(1, true)]);
    assert_eq!(frames("FRONT"), [(1, false)]);
}
