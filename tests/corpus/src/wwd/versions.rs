//! What levels say, and other versions of them.

use super::build::build;
use super::generate::{Shape, edge_cases, level};
use super::naive::{NaiveLevel, NaiveValue, read};
use super::spec::{AttributeSpec, LevelSpec, ObjectSpec, PlaneSpec};
use crate::rng::Rng;

/// Whether a field follows from how the level is stored.
pub fn is_derived(name: &str) -> bool {
    name.ends_with("_offset") || name.starts_with("num_") || name.ends_with("_len") || name == "count"
}

/// What a level says, by the naive reader, as text: everything but counts, offsets, lengths and the checksum.
pub fn content(file: &[u8]) -> Vec<String> {
    let NaiveLevel { header, planes, attribute_table, trailing, .. } = read(file).unwrap();
    let is_said = |name: &str| !is_derived(name) && !matches!(name, "checksum" | "main_block_length");
    let mut lines = Vec::new();
    let mut fields = |what: &str, fields: &[(&'static str, NaiveValue)]| {
        // What is behind the NUL of a text means nothing.
        let value = |value: &NaiveValue| match value {
            NaiveValue::Text(text) => format!("{:?}", text.split(|&byte| byte == 0).next()),
            value => format!("{value:?}"),
        };
        let said = fields.iter().filter(|(name, _)| is_said(name));
        lines.extend(said.map(|(name, field)| format!("{what} {name} {}", value(field))));
    };
    fields("header", &header.iter().filter(|(name, _)| *name != "tile_attribs_offset").cloned().collect::<Vec<_>>());
    for (index, plane) in planes.iter().enumerate() {
        fields(&format!("plane {index}"), &plane.fields);
        for (nth, object) in plane.objects.iter().enumerate() {
            fields(&format!("plane {index} object {nth}"), &object.fields);
        }
    }
    for (index, record) in attribute_table.iter().flat_map(|table| &table.records).enumerate() {
        fields(&format!("attribute {index}"), &record.fields);
    }
    for (index, plane) in planes.iter().enumerate() {
        lines.push(format!("plane {index} tiles {:?} names {:?}", plane.tiles, plane.image_sets));
        for object in &plane.objects {
            lines.push(format!("{:?} {:?} {:?} {:?}", object.name, object.logic, object.image_set, object.animation));
        }
    }
    lines.extend(
        attribute_table.iter().flat_map(|table| &table.records).map(|record| format!("mask {:?}", record.mask)),
    );
    lines.push(format!("trailing {trailing:?}"));
    lines
}

/// Gives a plane another size: cells that both sizes have keep their tiles.
pub fn resize(rng: &mut Rng, plane: &mut PlaneSpec) {
    let (wide, high) = (plane.tiles_wide as usize, plane.tiles_high as usize);
    let (new_wide, new_high) = (rng.range(1, 2 * wide as i32) as usize, rng.range(1, 2 * high as i32) as usize);
    let tile = |index: usize| {
        let (x, y) = (index % new_wide, index / new_wide);
        if x < wide && y < high { plane.tiles[y * wide + x] } else { u32::MAX }
    };
    plane.tiles = (0..new_wide * new_high).map(tile).collect();
    (plane.tiles_wide, plane.tiles_high) = (new_wide as i32, new_high as i32);
    (plane.width_px, plane.height_px) = (plane.tiles_wide * plane.tile_width, plane.tiles_high * plane.tile_height);
}

/// Another version of a level: everything that changes can express.
pub fn vary(rng: &mut Rng, level: &LevelSpec) -> LevelSpec {
    let mut other = level.clone();
    other.header.start_x = rng.range(-5, 5000);
    other.header.author = if rng.one_in(2) { b"somebody else".to_vec() } else { Vec::new() };
    for plane in &mut other.planes {
        if rng.one_in(3) {
            plane.fill_color = rng.range(0, 256);
        }
        if rng.one_in(4) && plane.tiles_wide > 1 {
            let pixels = (plane.width_px, plane.height_px);
            resize(rng, plane);
            if rng.one_in(3) {
                // The size in pixels need not follow the tiles.
                (plane.width_px, plane.height_px) = pixels;
            }
        }
        if rng.one_in(6) {
            plane.tile_width = 32;
        }
        for _ in 0..rng.below(20) {
            let index = rng.below(plane.tiles.len() as u32) as usize;
            plane.tiles[index] = rng.below(900);
        }
        match rng.below(12) {
            0 => plane.objects.clear(),
            1 => plane.objects.push(ObjectSpec::default()),
            _ => {}
        }
        for _ in 0..rng.below(12) {
            let index = rng.below(plane.objects.len() as u32) as usize;
            if plane.objects.is_empty() {
                break;
            }
            match rng.below(7) {
                0 => drop(plane.objects.remove(index)),
                1 => {
                    let object = plane.objects.remove(index);
                    let to = rng.below(plane.objects.len() as u32 + 1) as usize;
                    plane.objects.insert(to, object);
                }
                2 => {
                    let mut object = plane.objects[index].clone();
                    object.id = rng.range(-3, 9000);
                    object.logic = b"TreasurePowerup".to_vec();
                    let to = rng.below(plane.objects.len() as u32 + 1) as usize;
                    plane.objects.insert(to, object);
                }
                3 => plane.objects[index].name = vec![b'n'; rng.below(30) as usize],
                4 => plane.objects[index].move_rect = [rng.range(0, 9), 2, 3, 4],
                5 => plane.objects[index].append_metadata(rng.range(0, 7)),
                _ => (plane.objects[index].x, plane.objects[index].user[3]) = (rng.range(-9, 9999), 7),
            }
        }
    }
    for plane in &mut other.planes {
        match rng.below(6) {
            0 => plane.image_sets.push(b"NEW".to_vec()),
            1 => plane.image_sets.iter_mut().take(1).for_each(|name| name.push(b'X')),
            _ => {}
        }
    }
    if other.planes.len() > 1 {
        match rng.below(6) {
            0 => drop(other.planes.remove(0)),
            1 => other.planes.swap(0, 1),
            2 => {
                let mut plane = other.planes[0].clone();
                plane.name = b"Added".to_vec();
                other.planes.insert(rng.below(other.planes.len() as u32 + 1) as usize, plane);
            }
            3 => other.planes[0].name = b"Renamed".to_vec(),
            _ => {}
        }
    }
    if let Some(table) = &mut other.attributes {
        if rng.one_in(4) {
            table.records.push(AttributeSpec::mask(3, 3, vec![7; 9]));
        }
        for _ in 0..rng.below(6) {
            let index = rng.below(table.records.len() as u32) as usize;
            table.records[index] = match rng.below(3) {
                0 => AttributeSpec::single(64, 64, rng.range(0, 5)),
                1 => AttributeSpec::double(64, 64, 0, 1, [1, 2, 3, rng.range(0, 64)]),
                _ => AttributeSpec::mask(4, 2, (0..8).map(|_| rng.below(5) as u8).collect()),
            };
        }
    }
    other
}

/// Two versions of a level, of any packing.
pub fn pair(seed: u64) -> [LevelSpec; 2] {
    let mut shape = Shape { objects: 40, attributes: 30, ..Shape::small() };
    if seed % 2 == 1 {
        shape = Shape { packing: Shape::gruntz().packing, trailer: seed % 4 == 1, ..shape };
    }
    let spec = level(seed, &shape);
    let other = vary(&mut Rng::new(seed), &spec);
    [spec, other]
}

/// The levels of the corpus.
pub fn levels() -> Vec<(String, Vec<u8>)> {
    let generated = (0..20).map(|seed| {
        let shape = Shape { objects: 40, attributes: 30, ..Shape::small() };
        (format!("seed {seed}"), build(&level(seed, &shape)).bytes)
    });
    let odd = edge_cases().into_iter().map(|(name, level)| (name.to_string(), build(&level).bytes));
    let samples = super::samples().into_iter();
    generated.chain(odd).chain(samples.map(|(name, file)| (name.to_owned(), file))).collect()
}
