//! Maps that leave out what the project beside them declares.

use std::collections::HashMap;

use serde_json::Value;
use tiled::TileLayer;
use worldview_corpus::wwd::build::build;
use worldview_corpus::wwd::generate::edge_cases;
use worldview_corpus::wwd::samples;
use worldview_export::Encoding;
use worldview_export::level::tiled::{plan, write_project};
use worldview_wwd::{Level, unpack};

use super::support::{pictures, plain, read};

/// The defaults of each class of a project.
fn defaults(project: &Value) -> HashMap<String, HashMap<String, String>> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let members = |class: &Value| {
        let members = class["members"].as_array().unwrap().iter();
        members.map(|member| (text(&member["name"]), text(&member["value"]))).collect()
    };
    let classes = project["propertyTypes"].as_array().unwrap().iter();
    classes.map(|class| (pictures(class["name"].as_str().unwrap()), members(class))).collect()
}

/// The properties with the defaults of a class where they are missing.
fn filled<'a>(
    properties: &'a HashMap<String, tiled::PropertyValue>,
    class: Option<&'a HashMap<String, String>>,
) -> HashMap<&'a str, String> {
    let field = |name: &'a str| name.strip_prefix("wwd_").unwrap_or(name);
    let mut all: HashMap<_, _> =
        class.into_iter().flatten().map(|(name, value)| (field(name), value.clone())).collect();
    all.extend(plain(properties));
    all
}

fn check(file: &[u8]) -> [usize; 2] {
    let image = unpack(file).unwrap();
    let level = Level::parse(&image).unwrap();
    let maps = plan(&level, Encoding::WINDOWS_1252).unwrap();
    let mut project = Vec::new();
    write_project(&maps, &mut project).unwrap();
    let defaults = defaults(&serde_json::from_slice(&project).unwrap());
    let mut sizes = [project.len(), 0];
    for map in maps {
        let (slim, full) = (read(&map), read(&map.full(true)));
        super::same::assert_same_but_cells(&slim);
        sizes[0] += slim.tmx.len();
        sizes[1] += full.tmx.len();
        for (slim, full) in slim.map.layers().zip(full.map.layers()) {
            assert_eq!(slim.properties, full.properties);
            if let (Some(slim), Some(full)) = (slim.as_object_layer(), full.as_object_layer()) {
                assert_eq!(slim.objects().len(), full.objects().len());
                for (slim, full) in slim.objects().zip(full.objects()) {
                    assert_eq!((slim.id(), &slim.name, &slim.user_type), (full.id(), &full.name, &full.user_type));
                    assert_eq!((slim.x, slim.y, slim.visible), (full.x, full.y, full.visible));
                    let Some(class) = defaults.get(&slim.user_type) else {
                        assert_eq!(slim.user_type, "", "every logic has a class");
                        continue;
                    };
                    let mut want = plain(&full.properties);
                    for implied in ["name", "logic", "name_len", "logic_len", "image_set_len", "animation_len"] {
                        want.remove(implied);
                    }
                    for at in ["x", "y"] {
                        // Tiled keeps six digits.
                        if want[at].trim_start_matches('-').len() <= 6 {
                            want.remove(at);
                        }
                    }
                    assert_eq!(filled(&slim.properties, Some(class)), want);
                }
            }
            if let (Some(TileLayer::Finite(slim)), Some(TileLayer::Finite(full))) =
                (slim.as_tile_layer(), full.as_tile_layer())
            {
                let cells = |layer: &tiled::FiniteTileLayer<'_>| {
                    let (wide, high) = (layer.width().cast_signed(), layer.height().cast_signed());
                    let at = |x, y| layer.get_tile(x, y).map(|tile| (tile.tileset_index(), tile.id()));
                    (0..high).flat_map(|y| (0..wide).map(move |x| (x, y))).map(|(x, y)| at(x, y)).collect::<Vec<_>>()
                };
                assert_eq!(cells(&slim), cells(&full));
            }
        }
        for (slim, full) in slim.map.tilesets().iter().zip(full.map.tilesets()) {
            for (id, full) in full.tiles() {
                let slim = slim.get_tile(id).expect("the same tiles");
                let mut want = plain(&full.properties);
                if want.get("image_set_index").is_some_and(|index| index == "0") && slim.user_type.is_empty() {
                    want.remove("image_set_index");
                }
                for implied in ["attribute_kind", "kind", "attribute_name", "outside_name", "inside_name"] {
                    want.remove(implied);
                }
                let class = (!slim.user_type.is_empty()).then(|| &defaults[&slim.user_type]);
                assert_eq!(filled(&slim.properties, class), want, "tile {id}");
            }
        }
    }
    sizes
}

#[test]
fn what_is_left_out_is_what_the_project_declares() {
    for (name, file) in samples() {
        println!("{name}");
        let [slim, full] = check(&file);
        println!("{slim} of {full} bytes");
    }
    for (name, spec) in edge_cases() {
        println!("{name}");
        check(&build(&spec).bytes);
    }
}
