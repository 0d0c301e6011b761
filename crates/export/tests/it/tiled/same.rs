//! Compares the TMJ with the TMX, value by value.

use std::collections::HashMap;

use serde_json::Value;
use tiled::{LayerType, ObjectShape, PropertyValue, TileLayer};
use worldview_corpus::wwd::generate::{Shape, edge_cases, level};
use worldview_corpus::wwd::samples;
use worldview_corpus::wwd::spec::Packing;
use worldview_export::Encoding;

use super::support::{Read, export, export_file};

/// Compares everything that the `tiled` crate provides about a map with its JSON form.
pub(crate) fn assert_same(read: &Read) {
    assert_map(read, true);
}

/// The same but for the cells of layers, which are packed.
pub(crate) fn assert_same_but_cells(read: &Read) {
    assert_map(read, false);
}

fn assert_map(read: &Read, with_cells: bool) {
    let (map, json) = (&read.map, &read.json);
    assert_eq!(json["type"], "map");
    assert_eq!(json["version"], map.version());
    assert_eq!(json["class"], map.user_type.as_str());
    assert_eq!(json["orientation"], map.orientation.to_string());
    assert_eq!(json["renderorder"], map.render_order.to_string());
    assert_eq!(json["infinite"], map.infinite());
    let size = [map.width, map.height, map.tile_width, map.tile_height];
    assert_eq!(["width", "height", "tilewidth", "tileheight"].map(|name| uint(&json[name])), size);
    assert_properties(&map.properties, &json["properties"]);
    let first_gids = tilesets(map, list(&json["tilesets"]));
    layers(map, json, with_cells.then_some(&first_gids[..]));
}

fn list(json: &Value) -> &[Value] {
    json.as_array().expect("a list")
}

fn uint(json: &Value) -> u32 {
    u32::try_from(json.as_u64().expect("a natural number")).expect("of 32 bits")
}

/// Converts to single precision, which the `tiled` crate uses for measures.
#[expect(clippy::cast_possible_truncation, reason = "the other side was rounded in the same way")]
fn float(json: &Value) -> f32 {
    json.as_f64().expect("a number") as f32
}

fn assert_properties(tmx: &HashMap<String, PropertyValue>, json: &Value) {
    let json = json.as_array().map_or(&[][..], Vec::as_slice);
    assert_eq!(json.len(), tmx.len(), "as many, and no name twice");
    for property in json {
        let name = property["name"].as_str().expect("a name");
        let (kind, value) = (property["type"].as_str().expect("a type"), &property["value"]);
        match &tmx[name] {
            PropertyValue::BoolValue(want) => assert_eq!((kind, value), ("bool", &Value::from(*want)), "{name}"),
            PropertyValue::IntValue(want) => assert_eq!((kind, value), ("int", &Value::from(*want)), "{name}"),
            PropertyValue::StringValue(want) => {
                assert_eq!((kind, value), ("string", &Value::from(want.as_str())), "{name}");
            }
            other => panic!("no property is {other:?}"),
        }
    }
}

/// Returns the first tile id of each tileset. The `tiled` crate does not provide it, but the ids follow each other
/// without gaps.
fn tilesets(map: &tiled::Map, json: &[Value]) -> Vec<u32> {
    assert_eq!(json.len(), map.tilesets().len());
    let mut first_gids = vec![1];
    for (tileset, json) in map.tilesets().iter().zip(json) {
        assert_eq!(json["name"], tileset.name.as_str());
        let numbers = [
            ("tilewidth", tileset.tile_width),
            ("tileheight", tileset.tile_height),
            ("tilecount", tileset.tilecount),
            ("columns", tileset.columns),
            ("spacing", tileset.spacing),
            ("margin", tileset.margin),
            ("firstgid", first_gids[first_gids.len() - 1]),
        ];
        for (name, want) in numbers {
            assert_eq!(uint(&json[name]), want, "{name}");
        }
        let image = tileset.image.as_ref().expect("a picture");
        assert_eq!(json["image"].as_str(), image.source.to_str());
        assert_eq!(json["imagewidth"], image.width);
        assert_eq!(json["imageheight"], image.height);
        let tiles = list(&json["tiles"]);
        assert_eq!(
            image.width * image.height,
            (tileset.tilecount * tileset.tile_width * tileset.tile_height).cast_signed()
        );
        assert!(tiles.len() <= tileset.tilecount as usize, "the picture may have cells to spare");
        for (id, json) in (0..).zip(tiles) {
            assert_eq!(uint(&json["id"]), id);
            let tile = tileset.get_tile(id).expect("a tile");
            assert_properties(&tile.properties, &json["properties"]);
            let shapes = tile.collision.as_ref().map_or(&[][..], |shapes| shapes.object_data());
            let json = json.get("objectgroup").map_or(&[][..], |group| {
                assert_eq!((&group["type"], &group["draworder"]), (&"objectgroup".into(), &"index".into()));
                list(&group["objects"])
            });
            assert_eq!(shapes.len(), json.len());
            shapes.iter().zip(json).for_each(|(shape, json)| object(shape, json));
        }
        first_gids.push(first_gids[first_gids.len() - 1] + tileset.tilecount);
    }
    first_gids
}

fn layers(map: &tiled::Map, json: &Value, first_gids: Option<&[u32]>) {
    let mut ids = Vec::new();
    let mut object_ids = Vec::new();
    assert_eq!(list(&json["layers"]).len(), map.layers().len());
    for (layer, json) in map.layers().zip(list(&json["layers"])) {
        assert_eq!(json["name"], layer.name.as_str());
        assert_eq!(uint(&json["id"]), layer.id());
        assert_eq!(json["visible"], layer.visible);
        assert_eq!(["offsetx", "offsety"].map(|name| float(&json[name])), [layer.offset_x, layer.offset_y]);
        assert_eq!(["parallaxx", "parallaxy"].map(|name| float(&json[name])), [layer.parallax_x, layer.parallax_y]);
        assert_eq!((float(&json["opacity"]), layer.opacity), (1.0, 1.0));
        assert_properties(&layer.properties, &json["properties"]);
        ids.push(layer.id());
        match layer.layer_type() {
            LayerType::Tiles(tiles) => {
                assert_eq!(json["type"], "tilelayer");
                if let Some(first_gids) = first_gids {
                    cells(&tiles, json, first_gids);
                }
            }
            LayerType::Objects(objects) => {
                assert_eq!((&json["type"], &json["draworder"]), (&"objectgroup".into(), &"topdown".into()));
                let json = list(&json["objects"]);
                assert_eq!(json.len(), objects.objects().len());
                objects.objects().zip(json).for_each(|(tmx, json)| object(&tmx, json));
                object_ids.extend(objects.objects().map(|object| object.id()));
            }
            other => panic!("no layer is {other:?}"),
        }
    }
    assert!(ids.is_sorted_by(|one, next| one < next) && object_ids.is_sorted_by(|one, next| one < next));
    assert!(ids.last() < Some(&uint(&json["nextlayerid"])) || ids.is_empty());
    assert_eq!(uint(&json["nextobjectid"]) as usize, object_ids.len() + 1);
}

fn cells(tiles: &TileLayer<'_>, json: &Value, first_gids: &[u32]) {
    let (width, data) = match tiles {
        TileLayer::Finite(layer) => {
            assert_eq!([uint(&json["width"]), uint(&json["height"])], [layer.width(), layer.height()]);
            (layer.width(), list(&json["data"]))
        }
        TileLayer::Infinite(layer) => match list(&json["chunks"]) {
            [] => {
                assert_eq!(layer.chunks().count(), 0);
                return;
            }
            [chunk] => {
                assert_eq!([&chunk["x"], &chunk["y"]], [&Value::from(0); 2]);
                assert_eq!([&chunk["width"], &chunk["height"]], [&json["width"], &json["height"]]);
                assert_eq!(
                    list(&chunk["data"]).len() as u64,
                    u64::from(uint(&chunk["width"])) * u64::from(uint(&chunk["height"]))
                );
                (uint(&chunk["width"]), list(&chunk["data"]))
            }
            more => panic!("{} chunks", more.len()),
        },
    };
    for (at, gid) in (0..).zip(data) {
        let (x, y) = (at % width, at / width);
        let tile = tiles.get_tile(x.try_into().unwrap(), y.try_into().unwrap());
        let gid_of = |tile: tiled::LayerTile<'_>| first_gids[tile.tileset_index()] + tile.id();
        assert_eq!(uint(gid), tile.map_or(0, gid_of), "cell {x}, {y}");
    }
}

fn object(tmx: &tiled::ObjectData, json: &Value) {
    assert_eq!(uint(&json["id"]), tmx.id());
    assert_eq!(json["name"], tmx.name.as_str());
    assert_eq!(json["type"], tmx.user_type.as_str());
    assert_eq!(json["visible"], tmx.visible);
    assert_eq!(["x", "y", "rotation"].map(|name| float(&json[name])), [tmx.x, tmx.y, tmx.rotation]);
    let size = ["width", "height"].map(|name| float(&json[name]));
    match tmx.shape {
        ObjectShape::Rect { width, height } => {
            assert_eq!((size, json.get("point")), ([width, height], None));
        }
        _ => assert_eq!((size, &json["point"]), ([0.0; 2], &true.into())),
    }
    assert_properties(&tmx.properties, &json["properties"]);
}

#[test]
fn samples_are_the_same_in_both_forms() {
    for (name, file) in samples() {
        println!("{name}");
        export_file(&file, Encoding::WINDOWS_1252).iter().for_each(assert_same);
    }
}

#[test]
fn oddities_are_the_same_in_both_forms() {
    for (name, spec) in edge_cases() {
        println!("{name}");
        export(&spec, Encoding::WINDOWS_1250).iter().for_each(assert_same);
    }
}

#[test]
fn generated_levels_are_the_same_in_both_forms() {
    let shapes = [
        Shape { image_sets: 3, masks: 2, ..Shape::small() },
        Shape { planes: 1, objects: 100, ..Shape::small() },
        Shape { tiles_wide: 100, tiles_high: 50, objects: 50, packing: Packing::Raw, ..Shape::gruntz() },
    ];
    for (seed, shape) in (1..).zip(&shapes) {
        export(&level(seed, shape), Encoding::WINDOWS_1252).iter().for_each(assert_same);
    }
}
