use worldview_core::{FindingCode as _, Path};
use worldview_corpus::rng::Rng;
use worldview_corpus::wwd::build::build;
use worldview_corpus::wwd::generate::{Shape, edge_cases, level};
use worldview_corpus::wwd::naive::{NaiveLevel, NaiveValue, read};
use worldview_corpus::wwd::spec::{AttributeSpec, LevelSpec, ObjectSpec, Packing, PlaneSpec};
use worldview_edit::{Change, Changes, Planned, Position, Value, wwd};
use worldview_export::Encoding;
use worldview_import::json;
use worldview_wwd::{Level, check, unpack};

use crate::import_json::level_json;
use crate::paths::are_resolved;
use crate::twice::are_done;

/// Whether a field follows from how the level is stored.
fn is_derived(name: &str) -> bool {
    name.ends_with("_offset") || name.starts_with("num_") || name.ends_with("_len") || name == "count"
}

/// What a level says, by the naive reader, as text: everything but counts, offsets, lengths and the checksum.
pub(crate) fn content(file: &[u8]) -> Vec<String> {
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

/// What `check` reports about a level.
fn findings(file: &[u8]) -> Vec<String> {
    let image = unpack(file).unwrap();
    let mut list = Vec::new();
    check(&image, &Level::parse(&image).unwrap(), &mut |finding| {
        list.push(format!("{} {}", finding.kind.code(), finding.place));
    });
    list.sort();
    list
}

/// Gives a plane another size: cells that both sizes have keep their tiles.
pub(crate) fn resize(rng: &mut Rng, plane: &mut PlaneSpec) {
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
fn vary(rng: &mut Rng, level: &LevelSpec) -> LevelSpec {
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

/// Removes from a document what follows from how the level is stored, and names metadata that an object lacks.
fn without_storage(value: &mut serde_json::Value) {
    let storage = |name: &str| {
        let others = ["at", "checksum", "checksum_rules", "trailer"];
        is_derived(name) || name.ends_with("_length") || others.contains(&name)
    };
    match value {
        serde_json::Value::Object(members) => {
            members.retain(|name, _| !storage(name));
            members.values_mut().for_each(without_storage);
            if members.contains_key("logic") {
                members.entry("metadata").or_insert_with(|| "".into());
            }
        }
        serde_json::Value::Array(list) => list.iter_mut().for_each(without_storage),
        _ => {}
    }
}

/// Changes that give every field, tile and pixel the value that the naive reader finds.
fn as_they_are(file: &[u8]) -> Changes {
    let NaiveLevel { header, planes, attribute_table, .. } = read(file).unwrap();
    let is_set = |name: &str| !is_derived(name) && !matches!(name, "checksum" | "main_block_length" | "header_size");
    let text = |bytes: &[u8]| Value::Bytes(bytes.split(|&byte| byte == 0).next().unwrap().to_vec());
    let value = |value: &NaiveValue| match value {
        NaiveValue::Int(int) => Value::Integer((*int).into()),
        NaiveValue::Text(bytes) => text(bytes),
        NaiveValue::Rect(sides) => Value::Integers(sides.iter().map(|&side| side.into()).collect()),
    };
    let mut changes = Changes::new();
    let mut set = |path: &Path, name: &str, value: Value| {
        let mut path = path.clone();
        path.push_name(name.as_bytes());
        changes.push(Change::Set { path, from: Some(value.clone()), to: value });
    };
    let mut fields = |path: &Path, fields: &[(&'static str, NaiveValue)]| {
        // The naive reader has names of its own.
        let own = |name: &'static str| if name == "type" { "kind" } else { name };
        fields.iter().filter(|(name, _)| is_set(name)).for_each(|(name, field)| set(path, own(name), value(field)));
    };
    fields(&"header".parse().unwrap(), &header);
    for (index, record) in (0..).zip(attribute_table.iter().flat_map(|table| &table.records)) {
        let mut path: Path = "tile_attributes".parse().unwrap();
        path.push_nth(b"frame", index);
        fields(&path, &record.fields);
    }
    let mut objects = Vec::new();
    for (index, plane) in planes.iter().enumerate() {
        let name = |plane: &worldview_corpus::wwd::naive::NaivePlane| {
            plane.fields.iter().find_map(|(name, field)| (*name == "name").then(|| value(field))).unwrap()
        };
        let own = name(plane);
        let nth = planes[..index].iter().filter(|other| name(other) == own).count();
        let is_repeated = planes.iter().filter(|other| name(other) == own).count() > 1;
        let mut path = Path::new();
        path.push("plane", own.as_bytes().unwrap(), is_repeated.then_some(nth as u32));
        fields(&path, &plane.fields);
        let mut counts = std::collections::HashMap::new();
        for object in &plane.objects {
            let id = object.fields.iter().find(|(name, _)| *name == "id").unwrap().1.clone();
            let NaiveValue::Int(id) = id else { panic!("an id is a number") };
            let nth = counts.entry(id).or_insert(0);
            let mut path = path.clone();
            path.push("object", id.to_string().as_bytes(), Some(*nth));
            *nth += 1;
            fields(&path, &object.fields);
            objects.push((path, object.clone()));
        }
    }
    for (path, object) in objects {
        set(&path, "name", text(&object.name));
        set(&path, "logic", Value::Bytes(object.logic));
        set(&path, "image_set", Value::Bytes(object.image_set));
        set(&path, "animation", Value::Bytes(object.animation));
    }
    changes
}

#[test]
fn no_changes_and_values_as_they_are_give_the_original() {
    let (mut levels, mut count) = (0, 0);
    for (name, file) in crate::csv::levels() {
        let Ok(edited) = wwd::apply(&file, &Changes::new()) else { continue };
        assert_eq!(edited.to_vec(), file, "{name}");
        assert_eq!(wwd::diff(&file, &file).unwrap().changes.len(), 0, "{name}");
        let changes = as_they_are(&file);
        let edited = wwd::apply(&file, &changes).unwrap_or_else(|error| panic!("{name}: {error}")).to_vec();
        assert!(edited == file, "{name}");
        (levels, count) = (levels + 1, count + changes.len());
    }
    assert!(levels > 40, "{levels} levels");
    assert!(count > 10_000, "{count} values");
}

#[test]
fn a_difference_applied_gives_the_other_level() {
    let (mut count, mut planned_count) = (0, 0);
    for seed in 0..40 * crate::rounds() {
        let mut rng = Rng::new(seed);
        let mut shape = Shape { objects: 40, attributes: 30, ..Shape::small() };
        if seed % 2 == 1 {
            shape = Shape { packing: Shape::gruntz().packing, trailer: seed % 4 == 1, ..shape };
        }
        let spec = level(seed, &shape);
        let other = vary(&mut rng, &spec);
        let [left, right] = [&spec, &other].map(|level| build(level).bytes);
        let changes = wwd::diff(&left, &right).unwrap().changes;
        let changes = Changes::from_json(changes.to_json().unwrap().as_bytes()).unwrap();
        count += changes.len();
        let apply = |file: &[u8], changes: &Changes| {
            wwd::apply(file, changes).unwrap_or_else(|error| panic!("seed {seed}: {error}")).to_vec()
        };
        let same = |found: &[u8], expected: &[u8]| {
            content(found)
                .iter()
                .zip(&content(expected))
                .for_each(|(line, other)| assert_eq!(line, other, "seed {seed}"));
            assert_eq!(content(found).len(), content(expected).len(), "seed {seed}");
        };
        let edited = apply(&left, &changes);
        are_resolved(seed, &changes, &edited, |changes| wwd::apply(&left, changes));
        are_done(&format!("level {seed}"), &changes, &edited, wwd::apply(&edited, &changes));
        same(&edited, &right);
        assert_eq!(read(&edited).unwrap().checksum_rules, read(&left).unwrap().checksum_rules, "seed {seed}");
        assert_eq!(findings(&edited), findings(&right), "seed {seed}");
        // The builder stores the parts as all known programs do, and so does the editor.
        let [found, wanted] = [&edited, &right].map(|file| unpack(file).unwrap().into_vec());
        assert!(found[1524..] == wanted[1524..], "seed {seed}: the main blocks differ");
        // So it is if the exports of the other level are compared with this one.
        let (first, second) = (unpack(&left).unwrap(), unpack(&right).unwrap());
        let (before, after) = (Level::parse(&first).unwrap(), Level::parse(&second).unwrap());
        // Documents add no planes, image sets or tile attributes.
        let counts = |level: &Level<'_>| {
            let sets = level.planes().iter().map(|plane| plane.image_sets().count()).collect::<Vec<_>>();
            (sets, level.attributes().records().len())
        };
        // In a document, sizes in pixels that are not edited follow the tiles.
        let follows = |plane: &PlaneSpec| {
            (plane.width_px, plane.height_px)
                == (plane.tiles_wide * plane.tile_width, plane.tiles_high * plane.tile_height)
        };
        if counts(&before) == counts(&after) && other.planes.iter().all(follows) {
            let [whole, ..] = level_json(&second, &after, Encoding::WINDOWS_1250).unwrap();
            let mut document = serde_json::from_slice(&whole).unwrap();
            without_storage(&mut document);
            // Documents of version 2 name objects by their rows, whatever ids they have.
            document["version"] = 2.into();
            for plane in document["planes"].as_array_mut().unwrap() {
                let objects = plane["objects"].as_array_mut().unwrap();
                objects.iter_mut().enumerate().for_each(|(row, object)| object["object"] = row.into());
            }
            let whole = document.to_string();
            let changes =
                json::level(&first, &before, whole.as_bytes(), Encoding::WINDOWS_1250).and_then(Planned::complete);
            let changes = changes.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
            let planned = apply(&left, &changes);
            same(&planned, &right);
            planned_count += 1;
        }
        same(&apply(&edited, &wwd::diff(&edited, &left).unwrap().changes), &left);
        let inverse = changes.invert().unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let inverse = Changes::from_json(inverse.to_json().unwrap().as_bytes()).unwrap();
        let back = apply(&edited, &inverse);
        same(&back, &left);
        same(&apply(&back, &inverse.invert().unwrap()), &edited);
    }
    println!("levels: {count} changes");
    assert!(count > 2000 && planned_count >= 8, "{count} changes, {planned_count} documents");
}

/// Levels that have nothing to do with each other: other planes, tile attributes, image sets and objects.
#[test]
fn any_level_becomes_any_other() {
    let generated =
        (0..6).map(|seed| level(100 + seed, &Shape { objects: 8, attributes: 3 * seed as u32, ..Shape::small() }));
    // Longer strings overflow a buffer of the engine, so no change makes them.
    let fits = |object: &ObjectSpec| {
        [&object.name, &object.logic, &object.image_set, &object.animation].iter().all(|text| text.len() < 1024)
    };
    let edge_cases = edge_cases().into_iter().map(|(_, level)| level);
    let edge_cases = edge_cases.filter(|level| level.planes.iter().flat_map(|plane| &plane.objects).all(fits));
    let files: Vec<_> = generated.chain(edge_cases).map(|level| build(&level).bytes).collect();
    // Whether a file is packed and what is behind its main block stays as it was.
    let said = |file: &[u8]| {
        let mut lines = content(file);
        lines.retain(|line| !line.starts_with("trailing") && !line.starts_with("header flags"));
        lines
    };
    let mut count = 0;
    for (nth, left) in files.iter().enumerate() {
        for (other, right) in files.iter().enumerate() {
            // All pairs would take ten times as long.
            if nth >= 6 && other >= 6 && other != nth + 1 {
                continue;
            }
            let Ok(Planned { changes, .. }) = wwd::diff(left, right) else { continue };
            let edited =
                wwd::apply(left, &changes).unwrap_or_else(|error| panic!("{nth} to {other}: {error}")).to_vec();
            are_resolved(other as u64, &changes, &edited, |changes| wwd::apply(left, changes));
            for (line, expected) in said(&edited).iter().zip(&said(right)) {
                assert_eq!(line, expected, "{nth} to {other}");
            }
            assert_eq!(said(&edited).len(), said(right).len(), "{nth} to {other}");
            // The first level has no tile attributes, but a table that loses all its records stays.
            if (1..6).contains(&nth) && (1..6).contains(&other) {
                assert_eq!(findings(&edited), findings(right), "{nth} to {other}");
            }
            count += 1;
        }
    }
    assert!(count > 400, "{count} pairs");
}

#[test]
fn a_plane_is_added_with_what_it_consists_of() {
    let spec = level(1, &Shape::small());
    let file = build(&spec).bytes;
    let first = String::from_utf8(spec.planes[0].name.clone()).unwrap();
    let json = format!(
        r#"{{"worldview_changes":1,"changes":[
{{"add":"plane:Sky","before":"plane:{first}","fields":{{"tiles_wide":3,"tiles_high":2,"tile_width":64,"tile_height":64,"z_coord":9}}}},
{{"set":"plane:Sky/tiles:1,0,2,2","to":[7,8,9,4008636142]}},
{{"add":"plane:Sky/image_set#0","data":"BACK"}},
{{"add":"plane:Sky/object:5","fields":{{"logic":"FrontCandy","x":-3}}}}]}}"#
    );
    let changes = Changes::from_json(json.as_bytes()).unwrap();
    let edited = wwd::apply(&file, &changes).unwrap().to_vec();
    let (before, after) = (read(&file).unwrap(), read(&edited).unwrap());
    assert_eq!(after.planes.len(), before.planes.len() + 1);
    let sky = &after.planes[0];
    assert_eq!(sky.tiles, [u32::MAX, 7, 8, u32::MAX, 9, 0xEEEE_EEEE]);
    assert_eq!((sky.image_sets.as_slice(), sky.objects.len()), (&[b"BACK".to_vec()][..], 1));
    assert_eq!(sky.objects[0].logic, b"FrontCandy");
    let back = wwd::apply(&edited, &wwd::diff(&edited, &file).unwrap().changes).unwrap().to_vec();
    assert_eq!(content(&back), content(&file));
}

/// Two billion rows without columns are nothing, and must not be visited.
#[test]
fn a_grid_without_columns_may_have_any_number_of_rows() {
    let spec = level(1, &Shape::small());
    let name = String::from_utf8(spec.planes[0].name.clone()).unwrap();
    let set = |field: &str, to: i32| Change::set(format!("plane:{name}/{field}").parse().unwrap(), to);
    let changes: Changes = [set("tiles_wide", 0), set("tiles_high", i32::MAX)].into_iter().collect();
    let edited = wwd::apply(&build(&spec).bytes, &changes).unwrap().to_vec();
    assert!(read(&edited).unwrap().planes[0].tiles.is_empty());
}

#[test]
fn elements_that_tiles_refer_to_are_not_removed() {
    let mut spec = level(1, &Shape { attributes: 4, ..Shape::small() });
    let main = spec.planes.iter().position(|plane| plane.flags & 1 != 0).unwrap();
    spec.planes[main].tiles.fill(0);
    let remove = |path: &str| Change::remove(path.parse().unwrap());
    let last = "tile_attributes/frame#3";
    let edited = |tile| {
        let mut spec = spec.clone();
        spec.planes[main].tiles[0] = tile;
        let file = build(&spec).bytes;
        wwd::apply(&file, &[remove(last)].into_iter().collect()).map(|edited| edited.to_vec())
    };
    assert_eq!(read(&edited(2).unwrap()).unwrap().attribute_table.unwrap().records.len(), 3);
    let error = edited(3).unwrap_err().to_string();
    assert!(error.starts_with(last) && error.contains("refer to this element"), "{error}");
    let file = build(&spec).bytes;
    let error = wwd::apply(&file, &[remove("tile_attributes/frame#1")].into_iter().collect()).unwrap_err().to_string();
    assert!(error.contains("only the last elements"), "{error}");
}

#[test]
fn a_field_changes_its_bytes_and_no_others() {
    let spec = level(1, &Shape::small());
    let file = build(&spec).bytes;
    let plane = spec.planes.iter().position(|plane| !plane.objects.is_empty()).unwrap();
    let object = &spec.planes[plane].objects[0];
    let name = String::from_utf8(spec.planes[plane].name.clone()).unwrap();
    let path = format!("plane:{name}/object:{}#0/x", object.id).parse().unwrap();
    let from = Some(object.x.into());
    let changes = [Change::Set { path, from, to: (object.x ^ 1).into() }].into_iter().collect();
    let edited = wwd::apply(&file, &changes).unwrap().to_vec();
    let differing: Vec<usize> = (0..file.len()).filter(|&at| edited[at] != file[at]).collect();
    // The coordinate, and the checksum at 748.
    let others: Vec<usize> = differing.into_iter().filter(|at| !(748..752).contains(at)).collect();
    assert!(edited.len() == file.len() && others.len() == 1, "{others:?}");
}

#[test]
fn what_cannot_be_done_is_refused() {
    let spec = level(1, &Shape::small());
    let file = build(&spec).bytes;
    let plane = spec.planes.iter().find(|plane| !plane.objects.is_empty()).unwrap();
    let (name, id) = (String::from_utf8(plane.name.clone()).unwrap(), plane.objects[0].id);
    let refused = |change: Change, expected: &str| {
        let error = wwd::apply(&file, &[change].into_iter().collect()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    let set = |path: &str, to: Value| Change::set(path.parse().unwrap(), to);
    refused(set("header/name", "n".repeat(64).into()), "header/name: \"nnn");
    refused(set("header/checksum", 1.into()), "follows from the content");
    refused(set("header/start_x", "left".into()), "expected an integer, found \"left\"");
    refused(set("header/start_x", (1_i64 << 31).into()), "2147483648 does not fit: -2147483648 to 2147483647");
    refused(set("header/author", "\u{4e00}".into()), "not in windows-1252");
    refused(set("plane:Nowhere/fill_color", 1.into()), "plane:Nowhere/fill_color: not found");
    refused(set(&format!("plane:{name}/tile:99999,0"), 1.into()), "not found");
    refused(set(&format!("plane:{name}/object:{id}#0/name"), "n".repeat(1024).into()), "at most 1023 bytes");
    refused(set("tile_attributes/frame#99999/attribute", 1.into()), "not found");
    refused(set(&format!("plane:{name}/image_set#0"), "n".repeat(4097).into()), "at most 4096 bytes");
    let position = Position::After(format!("plane:{name}/object:123456789").parse().unwrap());
    let path = format!("plane:{name}/object:{id}#0").parse().unwrap();
    refused(Change::Move { path, position, was: Position::Natural }, "object:123456789: not found");
}

#[test]
fn two_spellings_name_one_element() {
    let spec = level(1, &Shape::small());
    let file = build(&spec).bytes;
    let plane = spec.planes.iter().position(|plane| !plane.objects.is_empty()).unwrap();
    let name = String::from_utf8(spec.planes[plane].name.clone()).unwrap();
    let id = spec.planes[plane].objects[0].id;
    assert_eq!(spec.planes[plane].objects.iter().filter(|object| object.id == id).count(), 1);
    let set = |path: String, to: i32| Change::set(path.parse().unwrap(), to);
    let apply = |changes: Vec<Change>| wwd::apply(&file, &changes.into_iter().collect()).map(|edited| edited.to_vec());
    let edited = apply(vec![
        set(format!("plane:{name}/fill_color"), 5),
        set(format!("plane:{name}#0/scroll_x"), 7),
        set(format!("plane:{name}#0/object:{id}/x"), 11),
        set(format!("plane:{name}/object:{id}#0/y"), 12),
        set(format!("plane:{name}/object:{id}#0/x"), 11),
        set(format!("plane:{name}/tile:0,0"), 3),
        Change::set(format!("plane:{name}#0/tiles:0,0,2,1").parse().unwrap(), Value::Integers(vec![3, 4])),
    ])
    .unwrap();
    let read = read(&edited).unwrap();
    let field =
        |fields: &[(&'static str, NaiveValue)], name: &str| match fields.iter().find(|(field, _)| *field == name) {
            Some((_, NaiveValue::Int(int))) => *int,
            _ => panic!("{name}"),
        };
    let after = &read.planes[plane];
    assert_eq!((field(&after.fields, "fill_color"), field(&after.fields, "scroll_x")), (5, 7));
    assert_eq!((field(&after.objects[0].fields, "x"), field(&after.objects[0].fields, "y")), (11, 12));
    assert_eq!(after.tiles[..2], [3, 4]);
    let conflict = [set(format!("plane:{name}/fill_color"), 5), set(format!("plane:{name}#0/fill_color"), 6)];
    assert!(apply(conflict.into()).unwrap_err().to_string().contains("conflict"));
    let conflict = [set(format!("plane:{name}/object:{id}/x"), 5), set(format!("plane:{name}/object:{id}#0/x"), 6)];
    assert!(apply(conflict.into()).unwrap_err().to_string().contains("conflict"));
}

#[test]
fn what_is_behind_the_main_block_is_compared_and_changed() {
    for name in ["harbour.wwd", "cellar.wwd"] {
        let plain = worldview_corpus::sample(name);
        let tailed = [&*plain, b"\x01left by an editor"].concat();
        for (left, right) in [(&plain, &tailed), (&tailed, &plain)] {
            let changes = wwd::diff(left, right).unwrap().changes;
            assert_eq!(changes.len(), 1, "{name}");
            assert_eq!(wwd::apply(left, &changes).unwrap().to_vec(), *right, "{name}");
        }
        let other = [&*plain, b"\x01left by another editor"].concat();
        wwd::apply(&other, &wwd::diff(&tailed, &plain).unwrap().changes).unwrap_err();
    }
}

/// The default level of one library may pack a large empty plane five times worse than that of another.
#[test]
fn a_level_stays_about_as_small_as_it_was() {
    let mut spec = level(1, &Shape::small());
    let main = spec.planes.iter_mut().find(|plane| plane.flags & 1 != 0).unwrap();
    (main.tiles_wide, main.tiles_high) = (1500, 500);
    main.tiles = (0..750_000).map(|at: u32| if at % 1500 < 1490 { u32::MAX } else { at / 1500 % 20 }).collect();
    spec.packing = Packing::Zlib { level: 9 };
    let name = String::from_utf8(main.name.clone()).unwrap();
    let mut file = build(&spec).bytes;
    // The level that most streams announce, whatever packed them.
    file[1525] = 0x9C;
    let change = Change::set(format!("plane:{name}/tile:3,5").parse().unwrap(), 1);
    let edited = wwd::apply(&file, &[change].into_iter().collect()).unwrap().to_vec();
    assert!(edited.len() < file.len() + file.len() / 4, "{} bytes become {}", file.len(), edited.len());
}
