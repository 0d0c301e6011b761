//! Compares the TMX with the description from which the level was built: every cell, every field, every object.

use std::collections::HashMap;

use tiled::ObjectShape;
use worldview_corpus::builder::Built;
use worldview_corpus::wwd::build::build_image;
use worldview_corpus::wwd::generate::{Shape, edge_cases, level};
use worldview_corpus::wwd::spec::{LevelSpec, ObjectSpec, Packing, PlaneSpec};
use worldview_corpus::wwd::{EMPTY_TILE, FILLED_TILE};
use worldview_export::Encoding;

use super::support::{Read, export, hex, int, pictures, plain};

/// Checks all maps of a level.
fn check(spec: &LevelSpec) -> Vec<Read> {
    let maps = export(spec, Encoding::WINDOWS_1252);
    let built = build_image(spec);
    for read in &maps {
        header_properties(&read.map.properties, &built, "header.");
    }
    let mut planes = 0;
    for read in &maps {
        assert!(read.map.layers().map(|layer| int(&layer.properties, "plane")).is_sorted());
        let mut layers = read.map.layers().peekable();
        while let Some(layer) = layers.next() {
            let number = usize::try_from(int(&layer.properties, "plane")).unwrap();
            let plane = &spec.planes[number];
            planes += 1;
            assert_eq!(
                [read.map.tile_width, read.map.tile_height].map(u32::cast_signed),
                [plane.tile_width, plane.tile_height]
            );
            header_properties(&layer.properties, &built, &format!("plane[{number}]."));
            flags(plane, &plain(&layer.properties));
            cells(number, plane, read, layer.as_tile_layer().expect("a plane has a tile layer"));
            if plane.objects.is_empty() {
                continue;
            }
            let of_objects = layers.next().expect("a plane with objects has a second layer");
            assert_eq!(int(&of_objects.properties, "plane"), int(&layer.properties, "plane"));
            assert_eq!(of_objects.name, format!("{} objects", layer.name));
            for layer in [&layer, &of_objects] {
                assert_eq!(layer.visible, plane.flags & 2 == 0);
                assert_eq!([layer.offset_x, layer.offset_y], [plane.scroll_x, plane.scroll_y].map(|at| at as f32));
                let percent = [plane.movement_x_percent, plane.movement_y_percent];
                assert_eq!([layer.parallax_x, layer.parallax_y], percent.map(|percent| percent as f32 / 100.0));
            }
            let objects = of_objects.as_object_layer().expect("an object layer");
            assert_eq!(objects.objects().len(), plane.objects.len());
            objects.objects().zip(&plane.objects).for_each(|(found, want)| object(&found, want));
        }
    }
    assert_eq!(planes, spec.planes.len());
    maps
}

/// Checks every field of a header, located in the image by the builder's labels.
fn header_properties(found: &HashMap<String, tiled::PropertyValue>, built: &Built, prefix: &str) {
    let found = plain(found);
    let mut fields: Vec<_> =
        built.labels.iter().filter_map(|(label, at)| Some((*at, label.strip_prefix(prefix)?))).collect();
    fields.retain(|(_, name)| !["tiles", "image_sets", "objects"].contains(name));
    fields.sort_unstable();
    let end = fields[0].0 + if prefix == "header." { 1524 } else { 160 };
    let ends = fields.iter().skip(1).map(|(at, _)| *at).chain([end]);
    for ((at, name), end) in fields.iter().zip(ends) {
        let bytes = &built.bytes[*at..end];
        let found_text = found.get(*name).unwrap_or_else(|| panic!("no property {name}"));
        let Ok(word) = bytes.try_into().map(u32::from_le_bytes) else {
            text(&found, name, bytes);
            continue;
        };
        // Everything is signed, except for counts, offsets, flags and reserved words.
        let unsigned = ["header_size", "flags", "checksum", "main_block_length"].contains(name)
            || ["reserved", "num_"].iter().any(|start| name.starts_with(start))
            || name.ends_with("_offset");
        // The reader clears the flag for compressed files.
        let word = if (prefix, *name) == ("header.", "flags") { word & !2 } else { word };
        let want = match i32::try_from(word) {
            Ok(word) => word.to_string(),
            Err(_) if unsigned => format!("{word:#x}"),
            Err(_) => word.cast_signed().to_string(),
        };
        assert_eq!(found_text, &want, "{prefix}{name}");
    }
}

/// A text property: ASCII is shown as it is, and of all else there are the bytes.
fn text(found: &HashMap<&str, String>, name: &str, bytes: &[u8]) {
    let used = bytes.iter().rposition(|&byte| byte != 0).map_or(&[][..], |last| &bytes[..=last]);
    match std::str::from_utf8(used) {
        Ok(text) if text.is_ascii() && !text.contains('\0') => {
            assert_eq!(found[name], pictures(text), "{name}");
            assert!(!found.contains_key(format!("{name}_bytes").as_str()), "{name}");
        }
        _ => assert_eq!(found[format!("{name}_bytes").as_str()], hex(used), "{name}"),
    }
}

fn flags(plane: &PlaneSpec, found: &HashMap<&str, String>) {
    let flags = ["main", "no_draw", "wrap_x", "wrap_y", "auto_tile_size"];
    for (name, bit) in flags.iter().zip([1, 2, 4, 8, 16]) {
        assert_eq!(found[name], (plane.flags & bit != 0).to_string(), "{name}");
    }
    for (index, name) in plane.image_sets.iter().enumerate() {
        text(found, &format!("image_set_{index}"), name);
    }
}

fn cells(number: usize, plane: &PlaneSpec, read: &Read, layer: tiled::TileLayer<'_>) {
    let high = u32::try_from(plane.tiles_high).unwrap();
    let wide = u32::try_from(plane.tiles_wide).unwrap();
    assert!(!read.map.infinite());
    assert!(read.map.width >= wide && read.map.height >= high);
    for y in 0..read.map.height {
        for x in 0..read.map.width {
            let found = layer.get_tile(x.try_into().unwrap(), y.try_into().unwrap());
            let inside = x < wide && y < high;
            let word = if inside { plane.tiles[(y * wide + x) as usize] } else { EMPTY_TILE };
            if word == EMPTY_TILE {
                assert!(found.is_none(), "{x}, {y}");
                continue;
            }
            let found = found.unwrap_or_else(|| panic!("{x}, {y} is empty"));
            let index = if word == FILLED_TILE { 0 } else { word >> 16 };
            match plane.image_sets.get(index as usize) {
                Some(name) if name.is_ascii() && !name.is_empty() => {
                    assert_eq!(found.get_tileset().name.as_bytes(), name);
                }
                Some(name) if !name.is_empty() => {}
                _ => assert_eq!(found.get_tileset().name, format!("plane {number} nameless")),
            }
            let properties = &found.get_tile().expect("a tile").properties;
            if word == FILLED_TILE {
                assert_eq!(plain(properties), HashMap::from([("filled", "true".to_owned())]));
                let cells = read.sheets[found.tileset_index()].1.cells.len();
                assert_eq!(found.id() as usize + 1, cells, "the filled cell is the last");
            } else {
                assert_eq!(int(properties, "frame").cast_unsigned(), word & 0xFFFF);
                assert_eq!(int(properties, "image_set_index").cast_unsigned(), index);
            }
        }
    }
}

fn object(found: &tiled::ObjectData, want: &ObjectSpec) {
    let properties = plain(&found.properties);
    let display = want.name.split(|&byte| byte == 0).next().unwrap();
    for (found, want) in [(&found.name, display), (&found.user_type, &want.logic)] {
        if let Some(want) = std::str::from_utf8(want).ok().filter(|want| want.is_ascii()) {
            assert_eq!(*found, pictures(want));
        }
    }
    assert_eq!([found.x, found.y], [want.x, want.y].map(|at| at as f32));
    assert_eq!(found.visible, want.draw_flags & 1 == 0);
    assert!(!matches!(found.shape, ObjectShape::Rect { .. }));
    for (name, bytes) in
        [("name", &want.name), ("logic", &want.logic), ("image_set", &want.image_set), ("animation", &want.animation)]
    {
        text(&properties, name, bytes);
    }
    let metadata = want.name.iter().position(|&byte| byte == 0).map(|nul| hex(&want.name[nul + 1..]));
    assert_eq!(properties.get("metadata"), metadata.as_ref());
    let fields = fields(want);
    for (name, value) in &fields {
        assert_eq!(&properties[name.as_str()], value, "{name}");
    }
    let texts = properties.keys().filter(|name| name.ends_with("_bytes")).count();
    assert_eq!(properties.len(), fields.len() + 4 + texts + usize::from(metadata.is_some()), "and no more");
}

/// Names and values of fields of an object, each as a function shows it.
macro_rules! fields {
    ($object:ident, $shown:expr, $($field:ident)*) => {
        [$((stringify!($field).to_owned(), $shown($object.$field))),*]
    };
}

/// The fixed part of an object.
fn fields(o: &ObjectSpec) -> Vec<(String, String)> {
    let unsigned = |value: u32| if value > 0x7FFF_FFFF { format!("0x{value:x}") } else { value.to_string() };
    let rect = |[left, top, right, bottom]: [i32; 4]| format!("{left} {top} {right} {bottom}");
    let mut fields = fields!(o, |value: i32| value.to_string(), id x y z i score points powerup damage smarts health
        min_x min_y max_x max_y speed_x speed_y tweak_x tweak_y counter speed width height direction face_dir
        time_delay frame_delay move_res_x move_res_y)
    .to_vec();
    fields.extend((1..).zip(&o.user).map(|(n, value)| (format!("user{n}"), value.to_string())));
    fields.extend(fields!(o, unsigned, add_flags dynamic_flags draw_flags user_flags object_type hit_type_flags));
    fields.extend(fields!(o, rect, move_rect hit_rect attack_rect clip_rect user_rect1 user_rect2));
    let texts = [("name", &o.name), ("logic", &o.logic), ("image_set", &o.image_set), ("animation", &o.animation)];
    fields.extend(texts.map(|(name, text)| (format!("{name}_len"), text.len().to_string())));
    fields
}

#[test]
fn oddities_come_out_as_described() {
    for (name, spec) in edge_cases() {
        println!("{name}");
        check(&spec);
    }
}

#[test]
fn generated_levels_come_out_as_described() {
    let shapes = [
        Shape { image_sets: 3, masks: 2, ..Shape::small() },
        Shape { planes: 1, objects: 100, ..Shape::small() },
        Shape { tiles_wide: 100, tiles_high: 50, objects: 50, packing: Packing::Raw, ..Shape::gruntz() },
    ];
    for (seed, shape) in (10..).zip(&shapes) {
        let maps = check(&level(seed, shape));
        assert_eq!(maps.len(), 1);
        let game = if shape.tile_px == 32 { "Gruntz" } else { "Claw" };
        assert_eq!(plain(&maps[0].map.properties)["game"], game);
    }
}
