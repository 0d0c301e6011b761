//! How planes become maps: sizes, tile sizes and names.

use tiled::{Layer, TileLayer};
use worldview_corpus::wwd::spec::{LevelSpec, ObjectSpec, PlaneSpec};
use worldview_corpus::wwd::{EMPTY_TILE, FILLED_TILE};
use worldview_export::Encoding;
use worldview_export::level::Cell;

use super::same::assert_same;
use super::support::{Read, export, hex, int, level_of, plain, plane};

fn layers(read: &Read) -> Vec<Layer<'_>> {
    read.map.layers().collect()
}

/// Returns the tileset name and frame of every cell in a layer. Frame -1 is the filled cell.
fn cells<'a>(layer: &Layer<'a>) -> Vec<Option<(&'a str, i32)>> {
    let Some(TileLayer::Finite(tiles)) = layer.as_tile_layer() else { panic!("not a tile layer of a finite map") };
    let places = (0..tiles.height().cast_signed()).flat_map(|y| (0..tiles.width().cast_signed()).map(move |x| (x, y)));
    places
        .map(|(x, y)| {
            let tile = tiles.get_tile(x, y)?;
            let properties = &tile.get_tile()?.properties;
            let frame = if properties.contains_key("filled") { -1 } else { int(properties, "frame") };
            Some((tile.get_tileset().name.as_str(), frame))
        })
        .collect()
}

#[test]
fn grids_of_different_sizes_are_padded() {
    const E: u32 = EMPTY_TILE;
    let spec = level_of(vec![
        plane("wide", "ONE", &[&[1, E, FILLED_TILE]]),
        plane("high", "TWO", &[&[3], &[1]]),
        PlaneSpec::empty(b"none", 64, 0, 0),
    ]);
    let maps = export(&spec, Encoding::WINDOWS_1252);
    let map = &maps[0].map;
    assert_eq!((map.infinite(), map.width, map.height, map.tile_width, map.tile_height), (false, 3, 2, 64, 64));
    assert_eq!((maps[0].stem.as_str(), map.user_type.as_str(), map.version()), ("map", "wwd", "1.10"));
    let layers = layers(&maps[0]);
    let [wide, high, none] = &layers[..] else { panic!("three planes") };
    assert_eq!(cells(wide), [Some(("ONE", 1)), None, Some(("ONE", -1)), None, None, None]);
    assert_eq!(cells(high), [Some(("TWO", 3)), None, None, Some(("TWO", 1)), None, None]);
    assert_eq!(cells(none), [None; 6]);
    assert_same(&maps[0]);
    // Separate tilesets with their frames in order and one more cell.
    let [(one, _), (two, sheet)] = &maps[0].sheets[..] else { panic!("two image sets") };
    assert_eq!((one.as_str(), two.as_str()), ("tilesets/ONE.png", "tilesets/TWO.png"));
    assert_eq!(sheet.cells, [Cell::Frame { word: 1 }, Cell::Frame { word: 3 }, Cell::Filled]);
    assert_eq!((sheet.columns, sheet.rows(), sheet.tile_width, sheet.tile_height), (3, 1, 64, 64));
    assert_eq!(sheet.image_set, b"TWO");
    let picture = map.tilesets()[1].image.as_ref().expect("a picture");
    assert_eq!((picture.source.to_str(), picture.width, picture.height), (Some("tilesets/TWO.png"), 192, 64));
}

#[test]
fn the_tmx_is_what_the_editor_would_read() {
    let spec = level_of(vec![plane("wide", "ONE", &[&[1, EMPTY_TILE], &[FILLED_TILE, 0]])]);
    let tmx = &export(&spec, Encoding::WINDOWS_1252)[0].tmx;
    let starts =
        tmx.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<map version=\"1.10\" tiledversion=\"1.10.0\"");
    assert!(starts && tmx.ends_with("</map>\n"), "{tmx}");
    // Frame 0 is the first tile, frame 1 the second, and the filled cell the third.
    assert!(tmx.contains("  <data encoding=\"csv\">\n2,0,\n3,1\n  </data>\n"), "{tmx}");
}

#[test]
fn a_map_that_padding_would_blow_up_is_infinite() {
    let column: Vec<_> = (0..2000_u32).map(|y| y % 7).collect();
    let row: Vec<_> = (0..2000_u32).map(|x| if x % 5 == 0 { EMPTY_TILE } else { x % 11 }).collect();
    let column: Vec<_> = column.chunks(1).collect();
    let spec = level_of(vec![
        plane("row", "SET", &[&row]),
        plane("column", "SET", &column),
        PlaneSpec::empty(b"none", 64, 0, 0),
    ]);
    let maps = export(&spec, Encoding::WINDOWS_1252);
    let map = &maps[0].map;
    assert_eq!((map.infinite(), map.width, map.height), (true, 2000, 2000));
    let frame = |layer: &Layer<'_>, x, y| {
        let tile = layer.as_tile_layer().expect("a tile layer").get_tile(x, y)?;
        Some(int(&tile.get_tile().expect("a tile").properties, "frame"))
    };
    let layers = layers(&maps[0]);
    for at in 0..2000 {
        assert_eq!(frame(&layers[0], at, 0), (at % 5 != 0).then_some(at % 11));
        assert_eq!(frame(&layers[1], 0, at), Some(at % 7));
        assert_eq!(frame(&layers[0], at, 1), None);
        assert_eq!(frame(&layers[1], 1, at), None);
    }
    assert_same(&maps[0]);
    // A few bytes per cell, and not four million cells.
    assert!(maps[0].tmx.len() < 40_000, "{}", maps[0].tmx.len());
}

#[test]
fn a_plane_with_another_tile_size_has_a_map_of_its_own() {
    let sized = |name, image_set, wide, high| PlaneSpec {
        tile_width: wide,
        tile_height: high,
        ..plane(name, image_set, &[&[1, 2]])
    };
    let mut spec = level_of(vec![
        sized("back", "ACTION", 32, 16),
        sized("action", "ACTION", 64, 64),
        sized("front", "action", 64, 64),
        sized("junk", "ACTION", -5, i32::MAX),
        sized("sky", "SKY", 32, 16),
    ]);
    (spec.planes[0].flags, spec.planes[1].flags) = (0, 1);
    let maps = export(&spec, Encoding::WINDOWS_1252);
    let planes = |read: &Read| layers(read).iter().map(|layer| layer.name.clone()).collect::<Vec<_>>();
    let [main, other] = &maps[..] else { panic!("two tile sizes") };
    assert_eq!((main.stem.as_str(), planes(main)), ("map", vec!["action".into(), "front".into(), "junk".into()]));
    assert_eq!((other.stem.as_str(), planes(other)), ("map-32x16", vec!["back".into(), "sky".into()]));
    assert_eq!((other.map.tile_width, other.map.tile_height), (32, 16));
    // The invalid values are kept as properties.
    let junk = layers(main)[2].properties.clone();
    assert_eq!((int(&junk, "tile_width"), int(&junk, "tile_height")), (-5, i32::MAX));
    let pictures =
        maps.iter().flat_map(|read| &read.sheets).map(|(picture, sheet)| (picture.as_str(), sheet.tile_width));
    let want = [
        ("tilesets/ACTION.png", 64),
        ("tilesets/action-2.png", 64),
        ("tilesets/ACTION-32x16.png", 32),
        ("tilesets/SKY-32x16.png", 32),
    ];
    assert_eq!(pictures.collect::<Vec<_>>(), want);
    assert_eq!(cells(&layers(other)[0]), [Some(("ACTION", 1)), Some(("ACTION", 2))]);
    maps.iter().for_each(assert_same);
}

#[test]
fn cells_without_an_image_set_share_a_tileset_of_their_plane() {
    let mut bare = plane("bare", "", &[&[FILLED_TILE, 7, 0xEEEE_EE00]]);
    bare.image_sets.clear();
    let mut half = plane("half", "ONE", &[&[1, 0x0001_0005, 0x0002_0005]]);
    half.image_sets.push(Vec::new());
    let spec = level_of(vec![plane("filled", "ONE", &[&[FILLED_TILE]]), bare, half]);
    let maps = export(&spec, Encoding::WINDOWS_1252);
    let layers = layers(&maps[0]);
    assert_eq!(cells(&layers[0]), [Some(("ONE", -1)), None, None]);
    // 0xEEEEEE00: image set 0xEEEE, frame 0xEE00.
    let own = "plane 1 nameless";
    assert_eq!(cells(&layers[1]), [Some((own, -1)), Some((own, 7)), Some((own, 0xEE00))]);
    // The second image set has an empty name, the third has none.
    let own = "plane 2 nameless";
    assert_eq!(cells(&layers[2]), [Some(("ONE", 1)), Some((own, 5)), Some((own, 5))]);
    let sheets: Vec<_> = maps[0]
        .sheets
        .iter()
        .map(|(picture, sheet)| (picture.as_str(), &sheet.image_set[..], &sheet.cells[..sheet.cells.len() - 1]))
        .collect();
    let frame = |word| Cell::Frame { word };
    let want = [
        ("tilesets/ONE.png", &b"ONE"[..], &[frame(1)][..]),
        ("tilesets/plane_1_nameless.png", b"", &[frame(7), frame(0xEEEE_EE00)]),
        ("tilesets/plane_2_nameless.png", b"", &[frame(0x0001_0005), frame(0x0002_0005)]),
    ];
    assert_eq!(sheets, want);
    // Both are frame 5, in image sets 1 and 2.
    let tileset = &maps[0].map.tilesets()[2];
    let index_of = |id| int(&tileset.get_tile(id).expect("a tile").properties, "image_set_index");
    assert_eq!([index_of(0), index_of(1)], [1, 2]);
    assert_same(&maps[0]);
}

#[test]
fn large_image_sets_have_square_pictures() {
    let frames: Vec<u32> = (0..399).collect();
    let maps = export(&level_of(vec![plane("many", "MANY", &[&frames])]), Encoding::WINDOWS_1252);
    let (_, sheet) = &maps[0].sheets[0];
    assert_eq!((sheet.cells.len(), sheet.columns, sheet.rows()), (400, 20, 20));
    let maps = export(&level_of(vec![plane("some", "SOME", &[&frames[..99]])]), Encoding::WINDOWS_1252);
    let (_, sheet) = &maps[0].sheets[0];
    assert_eq!((sheet.cells.len(), sheet.columns, sheet.rows()), (100, 16, 7));
    // The editor counts the cells of the picture, and would number the tiles behind them anew.
    assert_eq!(maps[0].map.tilesets()[0].tilecount, 16 * 7);
}

fn tlo() -> LevelSpec {
    let mut plane = plane("", "T\u{1}O", &[&[1]]);
    plane.name = b"T\xB3o".to_vec();
    plane.objects = vec![ObjectSpec {
        x: -7,
        y: 12,
        draw_flags: 1,
        name: b"<\"&'>\0\x04\0\0\0abcd".to_vec(),
        logic: b"tab\there".to_vec(),
        image_set: b"\xFF".to_vec(),
        ..ObjectSpec::default()
    }];
    plane.flags = 0x06;
    plane.movement_x_percent = 33;
    plane.movement_y_percent = -150;
    plane.scroll_x = -4;
    let mut level = level_of(vec![plane]);
    level.header.name = b"line\nbreak \x81".to_vec();
    level
}

#[test]
fn text_of_any_bytes_is_shown() {
    for (encoding, name, image_set) in [(Encoding::WINDOWS_1252, "T³o", "ÿ"), (Encoding::WINDOWS_1250, "Tło", "˙")]
    {
        let maps = export(&tlo(), encoding);
        let layers = layers(&maps[0]);
        let [tiles, objects] = &layers[..] else { panic!("tiles and objects") };
        assert_eq!((tiles.name.as_str(), objects.name.as_str()), (name, format!("{name} objects").as_str()));
        assert_eq!(plain(&tiles.properties)["name_bytes"], hex(b"T\xB3o"));
        let flags = ["main", "no_draw", "wrap_x", "wrap_y", "auto_tile_size"];
        let set = flags.iter().filter(|flag| plain(&tiles.properties)[**flag] == "true");
        assert_eq!(set.collect::<Vec<_>>(), [&"main", &"no_draw", &"wrap_x"]);
        // XML has no such character, and no text of a level has its picture; JSON has an escape.
        assert_eq!(maps[0].map.tilesets()[0].name, "T\u{2401}O");
        assert!(maps[0].tmj.contains("\"name\":\"T\\u0001O\"") && maps[0].tmj.contains("\"tab\\there\""));
        assert_eq!(maps[0].sheets[0].0, "tilesets/T_O.png");
        assert_eq!(plain(&maps[0].map.properties)["name"], "line\nbreak \u{81}");
        assert!(maps[0].tmx.contains("value=\"line&#10;break ") && maps[0].tmx.contains("type=\"tab&#9;here\""));
        assert_eq!(plain(&maps[0].map.properties)["name_bytes"], hex(b"line\nbreak \x81"));
        let object = objects.as_object_layer().expect("objects").get_object(0).expect("one of them");
        let properties = plain(&object.properties);
        assert_eq!((object.name.as_str(), object.user_type.as_str()), ("<\"&'>", "tab\there"));
        assert_eq!((object.x, object.y, object.visible, object.id()), (-7.0, 12.0, false, 1));
        assert_eq!((properties["image_set"].as_str(), properties["image_set_bytes"].as_str()), (image_set, "ff"));
        assert_eq!(properties["metadata"], hex(b"\x04\0\0\0abcd"));
        for layer in [tiles, objects] {
            assert_eq!((layer.visible, layer.offset_x, layer.offset_y), (false, -4.0, 0.0));
            assert_eq!((layer.parallax_x, layer.parallax_y), (0.33, -1.5));
        }
        assert_same(&maps[0]);
    }
}
