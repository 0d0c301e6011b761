//! Edits of maps of Tiled.

use std::collections::BTreeSet;

use quick_xml::Reader;
use quick_xml::events::Event;
use serde_json::{Map, Value, json};
use worldview::wwd::{Level, unpack};
use worldview_corpus::trial::rounds;
use worldview_corpus::wwd::build::build;
use worldview_corpus::wwd::spec::{AttributeSpec, AttributeTableSpec, LevelSpec, ObjectSpec, PlaneSpec};
use worldview_edit::{Change, Planned, wwd};
use worldview_export::Encoding;
use worldview_export::level::game::{Assets, LevelPictures};
use worldview_export::level::tiled as export;
use worldview_import::tiled::{self, IGNORED};
use worldview_rez::Rez;

/// Single changes that are made in all maps together, without `ROUNDS`.
const EDITS: u64 = 400;

/// A level with everything that a map has, as small as it can be.
fn meadow() -> LevelSpec {
    let object = |id, logic: &[u8]| ObjectSpec { id, logic: logic.to_vec(), ..ObjectSpec::default() };
    let plane = |name: &[u8], image_set: &[u8], size: [i32; 2], tiles: Vec<u32>| PlaneSpec {
        name: name.to_vec(),
        image_sets: vec![image_set.to_vec()],
        width_px: size[0] * 64,
        height_px: size[1] * 64,
        tile_width: 64,
        tile_height: 64,
        tiles_wide: size[0],
        tiles_high: size[1],
        movement_x_percent: 100,
        movement_y_percent: 50,
        scroll_x: 3,
        tiles,
        ..PlaneSpec::default()
    };
    let mut level = LevelSpec::default();
    level.header.start_x = 7;
    level.header.author = b"a\xe9\x01b".to_vec();
    level.planes = vec![
        plane(b"Action", b"ACTION", [3, 2], vec![1, 2, u32::MAX, u32::MAX, 0xEEEE_EEEE, 2]),
        plane(b"Back", b"BACK", [2, 1], vec![7, 8]),
    ];
    level.planes[0].flags = 1;
    level.planes[0].objects = vec![
        ObjectSpec { name: b"gem".to_vec(), x: 100, y: 200, score: 50, ..object(10, b"Treasure") },
        ObjectSpec { x: 1_281_197, y: -2_000_004, speed: 3, ..object(11, b"Far") },
        ObjectSpec { animation: b"one\r\ntwo".to_vec(), image_set: b"SIGN\x8a".to_vec(), x: 5, ..object(12, b"Sign") },
        ObjectSpec { draw_flags: 1, move_rect: [1, 2, 3, 4], ..object(13, b"Lift") },
    ];
    level.planes[1].objects = vec![object(14, b"Cloud")];
    let double = AttributeSpec::double(64, 64, 0, 1, [8, 8, 56, 56]);
    let records = vec![AttributeSpec::single(64, 64, 0), AttributeSpec::single(64, 64, 200), double];
    level.attributes = Some(AttributeTableSpec { records, ..AttributeTableSpec::default() });
    level
}

/// A level, and the maps that it is exported as.
pub(super) fn levels() -> Vec<(Vec<u8>, Vec<String>)> {
    let text = |write: &dyn Fn(&mut Vec<u8>)| {
        let mut out = Vec::new();
        write(&mut out);
        String::from_utf8(out).unwrap()
    };
    let forms =
        |map: &export::Map<'_>| [text(&|out| map.write_tmx(out).unwrap()), text(&|out| map.write_tmj(out).unwrap())];
    let meadow = build(&meadow()).bytes;
    let image = unpack(&meadow).unwrap();
    let level = Level::parse(&image).unwrap();
    let maps = export::plan(&level, Encoding::default()).unwrap();
    // Cells are single values only where they are numbers.
    let cells = |map: &export::Map<'_>| {
        let [mut tree, full] = [map.clone(), map.clone().full(true)].map(|map| parsed(&forms(&map)[1]));
        for (layer, full) in tree["layers"].as_array_mut().unwrap().iter_mut().zip(full["layers"].as_array().unwrap()) {
            let members = layer.as_object_mut().unwrap();
            if members.remove("encoding").is_some() {
                members.remove("compression");
                members.insert("data".to_owned(), full["data"].clone());
            }
        }
        written(&tree)
    };
    let plain = maps.iter().flat_map(forms).chain(maps.iter().map(cells)).collect();

    let scene = (0..).map(worldview_corpus::drawn::scene).find_map(|scene| {
        let (image, archive) = (unpack(&scene.level).ok()?, Rez::parse(&scene.archive).ok()?);
        let level = Level::parse(&image).ok()?;
        let pictures = LevelPictures::of(&Assets::new().archive(&archive), &level, None).ok()?;
        let maps = export::plan_with_game(&level, Encoding::default(), &pictures).ok()?;
        let has_pictures = maps[0].pictures().len() > 1 && maps[0].size()[0] < 20;
        has_pictures.then(|| (scene.level.clone(), forms(&maps[0]).to_vec()))
    });
    [(meadow, plain)].into_iter().chain(scene).collect()
}

pub(super) fn plan(file: &[u8], map: &str) -> worldview_edit::Result<Planned> {
    let image = unpack(file).unwrap();
    tiled::level(&Level::parse(&image).unwrap(), map.as_bytes(), Encoding::default())
}

/// Reads XML as a tree: elements are objects of `element`, `attributes` and `children`.
fn tree(xml: &str) -> Value {
    let mut reader = Reader::from_str(xml);
    reader.config_mut().expand_empty_elements = true;
    let mut open = vec![json!({ "children": [] })];
    loop {
        match reader.read_event().unwrap() {
            Event::Start(start) => {
                let mut attributes = Map::new();
                for attribute in start.attributes() {
                    let attribute = attribute.unwrap();
                    let value = attribute.normalized_value(quick_xml::XmlVersion::Implicit1_0).unwrap();
                    attributes.insert(attribute.key.as_ref().to_owned(), value.into_owned().into());
                }
                let name = start.name().as_ref().to_owned();
                open.push(json!({ "element": name, "attributes": attributes, "children": [] }));
            }
            Event::End(_) => {
                let done = open.pop().unwrap();
                children(open.last_mut().unwrap()).push(done);
            }
            Event::Text(text) if !text.xml10_content().trim().is_empty() => {
                children(open.last_mut().unwrap()).push(text.xml10_content().into_owned().into());
            }
            Event::Eof => return children(&mut open[0]).remove(0),
            _ => {}
        }
    }
}

fn children(element: &mut Value) -> &mut Vec<Value> {
    element["children"].as_array_mut().unwrap()
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn escaped(value: &str) -> String {
    let escape = |char: char| match char {
        '<' | '>' | '&' | '"' | '\t' | '\n' | '\r' => format!("&#{};", u32::from(char)),
        char => char.to_string(),
    };
    value.chars().map(escape).collect()
}

/// Writes a tree as XML.
fn xml(value: &Value, out: &mut String) {
    let Some(element) = value.as_object() else { return out.push_str(&escaped(&text(value))) };
    let name = text(&element["element"]);
    *out += &format!("<{name}");
    for (name, value) in element["attributes"].as_object().unwrap() {
        *out += &format!(" {name}=\"{}\"", escaped(&text(value)));
    }
    out.push('>');
    element["children"].as_array().unwrap().iter().for_each(|child| xml(child, out));
    *out += &format!("</{name}>");
}

/// The tree of a map in either form.
pub(super) fn parsed(map: &str) -> Value {
    if map.starts_with('<') { tree(map) } else { serde_json::from_str(map).unwrap() }
}

/// The map of a tree.
pub(super) fn written(tree: &Value) -> String {
    if tree.get("element").is_none() {
        return tree.to_string();
    }
    let mut map = String::new();
    xml(tree, &mut map);
    map
}

/// Pointers to all values of a tree.
pub(super) fn pointers(value: &Value, at: &str, out: &mut Vec<String>) {
    out.push(at.to_owned());
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(name, value)| pointers(value, &format!("{at}/{name}"), out));
        }
        Value::Array(list) => {
            (0..).zip(list).for_each(|(nth, value): (usize, _)| pointers(value, &format!("{at}/{nth}"), out))
        }
        _ => {}
    }
}

/// Changes one thing at a place of a tree, in the `nth` way. Returns what was done, or `None` if there are no more ways.
fn edit(tree: &mut Value, pointer: &str, nth: usize, is_xml: bool) -> Option<String> {
    let (parent, last) = pointer.rsplit_once('/')?;
    let is_frame = is_xml && matches!(last, "attributes" | "children" | "element");
    let value = tree.pointer_mut(pointer)?;
    if nth == 0 {
        let new = match &*value {
            Value::Number(number) => number.as_i64().map_or(json!(number.as_f64()? + 1.0), |number| json!(number + 1)),
            Value::Bool(bool) => json!(!bool),
            Value::String(text) if is_frame => json!(format!("{text}x")),
            Value::String(text) => text
                .parse::<f64>()
                .map_or_else(|_| json!(format!("x{text}")), |number| json!((number + 1.0).to_string())),
            // Something that nobody knows.
            Value::Object(_) if is_xml && last == "attributes" => {
                value["zzz"] = json!("1");
                return Some("added attribute zzz".to_owned());
            }
            Value::Object(_) if !is_xml => {
                value["zzz"] = json!(1);
                return Some("added member zzz".to_owned());
            }
            Value::Array(list) if is_xml && list.iter().all(Value::is_object) => {
                value.as_array_mut().unwrap().push(json!({ "element": "zzz", "attributes": {}, "children": [] }));
                return Some("added element zzz".to_owned());
            }
            _ => return Some(String::new()),
        };
        let message = format!("{value} became {new}");
        *value = new;
        return Some(message);
    }
    if is_frame {
        return None;
    }
    match (tree.pointer_mut(parent)?, nth) {
        (Value::Object(members), 1) => members.shift_remove(last).map(|_| "removed".to_owned()),
        (Value::Array(list), _) => {
            let at: usize = last.parse().ok()?;
            match nth {
                1 => drop(list.remove(at)),
                2 => list.insert(at, list[at].clone()),
                3 if at + 1 < list.len() => list.swap(at, at + 1),
                _ => return None,
            }
            Some(["removed", "duplicated", "swapped with the next"][nth - 1].to_owned())
        }
        _ => None,
    }
}

/// What the innermost elements around a place are called, one of which an account has to name.
fn names(tree: &Value, pointer: &str) -> Vec<String> {
    let member = |value: &Value, name: &str| {
        let value = value.get("attributes").unwrap_or(value).get(name)?;
        (!value.is_object() && !value.is_array()).then(|| text(value))
    };
    let mut names: Vec<String> =
        pointer.rsplit('/').take(1).filter(|name| name.parse::<u32>().is_err()).map(str::to_owned).collect();
    let mut ends: Vec<usize> = pointer.match_indices('/').map(|(at, _)| at).collect();
    ends.push(pointer.len());
    for end in ends.into_iter().rev() {
        let (at, value) = (&pointer[..end], tree.pointer(&pointer[..end]).unwrap());
        let is_part = value.get("element").is_some_and(|element| PARTS.contains(&&*text(element)));
        if !value.is_object() || at.ends_with("attributes") || is_part {
            continue;
        }
        let kind = kinds(tree, at).pop().unwrap();
        let name = member(value, "name");
        match &*kind {
            "property" => names.extend(name.map(|name| name.trim_start_matches("wwd_").to_owned())),
            "object" | "tile" => {
                names.extend(member(value, "id").map(|id| format!("{kind} {id}")));
                let keys = value.get("properties").or_else(|| value["children"].get(0).map(|first| &first["children"]));
                // The default id.
                names.push("object:0".to_owned());
                if kind == "tile" {
                    // With the id of the next.
                    let next = member(value, "id").and_then(|id| id.parse().ok()).unwrap_or(0_u32) + 1;
                    names.push(format!("tile {next}"));
                    names.push("/tile:".to_owned());
                }
                for property in keys.and_then(Value::as_array).into_iter().flatten() {
                    match member(property, "name").as_deref() {
                        Some("wwd_id") => names.extend(member(property, "value").map(|id| format!("object:{id}"))),
                        Some("frame") => names.extend(member(property, "value").map(|at| format!("frame#{at}"))),
                        _ => {}
                    }
                }
                return names;
            }
            "layer" | "tileset" | "pictures" => {
                let name = name.unwrap_or_default();
                names.push(format!("plane:{}", name.trim_end_matches(" objects")));
                names.push(name);
                if kind != "layer" {
                    // Another number of its first tile gives other tiles to planes and objects.
                    names.extend(["/tile:", "attribute \"gid\""].map(str::to_owned));
                }
                return names;
            }
            "map" => names.extend(["map", "header", "plane:", "tileset"].map(str::to_owned)),
            _ => {}
        }
    }
    names
}

/// Elements of XML that are no elements of their own in JSON.
const PARTS: [&str; 4] = ["properties", "data", "image", "point"];

/// What the elements around a place are in the table of what is ignored.
fn kinds(tree: &Value, pointer: &str) -> Vec<String> {
    let mut kinds = vec!["map".to_owned()];
    let ends = pointer.match_indices('/').map(|(end, _)| end).skip(1).chain([pointer.len()]);
    for at in ends.map(|end| &pointer[..end]).filter(|at| !at.is_empty()) {
        let (list, last) = at.rsplit_once('/').unwrap();
        let list = list.rsplit('/').next().unwrap();
        let name = match tree.pointer(at).and_then(|value| value.get("element")) {
            Some(element) => text(element),
            None if tree.get("element").is_some() => continue,
            None if last.parse::<u32>().is_ok() => list.trim_end_matches('s').replace("propertie", "property"),
            None => last.to_owned(),
        };
        let in_tile = kinds.iter().any(|kind| kind == "tile");
        kinds.push(match (&*name, in_tile) {
            ("objectgroup", true) => "shapes".to_owned(),
            ("object", true) => "shape".to_owned(),
            ("objectgroup", false) => "layer".to_owned(),
            ("tileset", _) if is_collection(tree, at) => "pictures".to_owned(),
            ("map" | "tileset" | "tile" | "layer" | "chunk" | "object" | "property", _) => name,
            _ => continue,
        });
    }
    kinds
}

/// The reason why nobody has to hear of an edit: a row of the table of what is ignored, or a default.
fn silence(tree: &Value, pointer: &str, what: &str) -> Option<String> {
    let kinds = kinds(tree, pointer);
    let value = tree.pointer(pointer)?;
    let last = pointer.rsplit('/').next()?;
    let element = value.get("element").map(text);
    let is_removed = what == "removed";
    let rows = |of: &str, name: &str| {
        let row =
            IGNORED.iter().find(|row| row.of == of && (row.name == name || row.name.split(' ').any(|own| own == name)));
        row.map(|row| format!("{of} {name}: {}", row.why))
    };
    let kind = kinds.last()?;
    if what.starts_with("swapped") || what == "duplicated" && kind == "shape" {
        let list = match &**kind {
            "property" => "properties",
            "pictures" => "tilesets",
            "layer" => "object layers",
            kind => &format!("{kind}s"),
        };
        // The parts of an element have an order in no map.
        let is_part = |element: &String| PARTS.contains(&&**element) || element == "objectgroup";
        let part = element.filter(is_part).map(|_| "order of parts".to_owned());
        return rows("order", list).or(part);
    }
    let mut names = vec![last.to_owned(), format!("image{last}")];
    names.extend(element);
    names.extend((last == "source").then(|| "image".to_owned()));
    let property = value.pointer("/attributes/name").or_else(|| value.get("name")).map(text).unwrap_or_default();
    if is_removed {
        names.extend(property.strip_prefix("wwd_").map(str::to_owned));
        names.extend(property.ends_with("_bytes").then(|| "bytes".to_owned()));
        names.extend(kinds.iter().any(|kind| kind == "shape").then(|| "type".to_owned()));
    }
    let prefixes = ["", "content of ", "digits of ", "folder of ", "absent from "];
    for (of, name) in kinds.iter().rev().take(3).flat_map(|of| names.iter().map(move |name| (of, name))) {
        let is_tileset = of == "pictures" && last != "name";
        for of in [of.as_str(), "tileset"].into_iter().take(1 + usize::from(is_tileset)) {
            let fits = |prefix: &&&str| is_removed || !prefix.starts_with("absent");
            let row = prefixes.iter().filter(fits).find_map(|prefix| rows(&format!("{prefix}{of}"), name));
            if row.is_some() {
                return row;
            }
        }
    }
    let defaults = ["0", "1", "true", "", "[]", "orthogonal", "right-down"];
    let value = value.as_f64().map_or_else(|| text(value), |number| number.to_string());
    (is_removed && defaults.contains(&&*value)).then(|| "a default".to_owned())
}

/// Returns whether a tileset is that of the pictures of objects.
fn is_collection(tree: &Value, pointer: &str) -> bool {
    let value = tree.pointer(pointer).and_then(|value| value.get("attributes").unwrap_or(value).get("name"));
    value.and_then(Value::as_str) == Some("pictures of objects")
}

/// Something that nobody knows, in elements of either form.
const UNKNOWN: [&str; 4] = [
    r#"{"attributes":{"zzz":"1"}}"#,
    r#"{"children":[{"element":"zzz","attributes":{},"children":[]}]}"#,
    r#"{"children":[{"element":"zzz","attributes":{"a":"1"},"children":["text"]}]}"#,
    r#"{"zzz":{"a":[1]}}"#,
];

#[test]
fn what_nobody_knows_is_an_entry_wherever_it_is() {
    let mut count = 0;
    for (file, map) in levels().iter().flat_map(|(file, maps)| maps.iter().map(move |map| (file, map))) {
        let (tree, mut all) = (parsed(map), Vec::new());
        pointers(&tree, "", &mut all);
        let is_xml = tree.get("element").is_some();
        let is_element = |at: &&String| {
            let value = tree.pointer(at).unwrap();
            value.is_object() && (!is_xml || value.get("element").is_some())
        };
        let all: Vec<_> = all.iter().filter(is_element).collect();
        let step = (all.len() / usize::try_from(rounds(40)).unwrap()).max(1) | 1;
        for (at, unknown) in all.iter().step_by(step).flat_map(|at| UNKNOWN.map(|unknown| (at, unknown))) {
            let (mut edited, unknown): (_, Value) = (tree.clone(), serde_json::from_str(unknown).unwrap());
            let (part, new) = unknown.as_object().unwrap().iter().next().unwrap();
            let element = edited.pointer_mut(at).unwrap();
            match (is_xml, element.get_mut(part)) {
                (true, Some(Value::Array(list))) => list.extend(new.as_array().unwrap().clone()),
                (true, Some(attributes)) => attributes["zzz"] = new["zzz"].clone(),
                (false, None) if part == "zzz" => element["zzz"] = new.clone(),
                _ => continue,
            }
            let planned = plan(file, &written(&edited)).unwrap();
            // What is in something that is known by its name only is an entry with that.
            let value = tree.pointer(at).unwrap();
            let name = value.pointer("/attributes/name").or_else(|| value.get("name")).map(text);
            let parent = if kinds(&tree, at).last().unwrap() == "property" { name } else { None };
            let parent = parent.or_else(|| value.get("element").map(text).filter(|element| element == "point"));
            let is_it = |entry: &worldview_edit::account::Entry| {
                let place = entry.place.pointer.as_deref().unwrap_or_default();
                entry.message.contains("zzz") || parent.as_ref().is_some_and(|name| place.contains(name.as_str()))
            };
            assert!(planned.changes.is_empty(), "{at}: {:?}", planned.changes);
            assert!(planned.account.entries().any(is_it), "{at} {part}: {:?}", planned.account);
            count += 1;
        }
    }
    assert!(count > 100, "{count}");
}

#[test]
fn every_single_edit_of_a_map_is_a_change_or_an_entry() {
    let levels = levels();
    assert_eq!(levels.len(), 2);
    let (mut all, mut trees) = (Vec::new(), Vec::new());
    for (nth, (file, map)) in levels.iter().flat_map(|(file, maps)| maps.iter().map(move |map| (file, map))).enumerate()
    {
        let planned = plan(file, map).unwrap();
        assert_eq!((planned.changes.len(), planned.account.entries().len()), (0, 0), "{:?}", planned.account);
        let (tree, mut list) = (parsed(map), Vec::new());
        pointers(&tree, "", &mut list);
        all.extend(list.into_iter().flat_map(|pointer| (0..4).map(move |way| (nth, pointer.clone(), way))));
        trees.push((file, tree));
    }
    // A step without a common factor with the number of ways and forms.
    let step = (all.len() / usize::try_from(rounds(EDITS)).unwrap()).max(1) | 1;
    let (mut done, mut rows, mut failures) = ([0; 4], BTreeSet::new(), Vec::new());
    for (nth, pointer, way) in all.iter().step_by(step) {
        let (file, original) = &trees[*nth];
        let mut edited = original.clone();
        let is_xml = edited.get("element").is_some();
        let Some(what) = edit(&mut edited, pointer, *way, is_xml) else { continue };
        if what.is_empty() || edited == *original {
            continue;
        }
        let map = written(&edited);
        let mut fail =
            |why: &str| failures.push(format!("{} {pointer}: {what}: {why}", if is_xml { "tmx" } else { "tmj" }));
        let planned = match plan(file, &map) {
            Ok(planned) => planned,
            Err(_) => {
                done[0] += 1;
                continue;
            }
        };
        let mut said: Vec<String> = planned.changes.iter().map(|change| change.path().to_string()).collect();
        for entry in planned.account.entries() {
            let place = entry.place.pointer.as_deref().unwrap_or_default();
            said.push(format!("{} {place} {} {:?}", entry.path, entry.message, entry.keys));
        }
        if said.is_empty() {
            match silence(original, pointer, &what) {
                Some(why) => drop(rows.insert(why)),
                None => fail("silent"),
            }
            done[1] += 1;
            continue;
        }
        let names = names(original, pointer);
        let is_named = names.iter().any(|name| said.iter().any(|said| said.contains(name.as_str())));
        if !is_named && !what.starts_with("added") {
            fail(&format!("none of {names:?} is in {said:?}"));
        }
        if planned.changes.is_empty() {
            done[2] += 1;
            continue;
        }
        done[3] += 1;
        let changed = match wwd::apply(file, &planned.changes) {
            Ok(changed) => changed.to_vec(),
            Err(error) => {
                fail(&format!("not applied: {error}"));
                continue;
            }
        };
        // Objects get other numbers if there are more or fewer of them, and planes with other tiles are in another map.
        let is_comparable = |change: &Change| matches!(change, Change::Set { path, .. } if ["tile_", "/name"].iter().all(|part| !path.as_str().contains(part)));
        if planned.account.refused() == 0 && planned.changes.iter().all(is_comparable) {
            let again = match plan(&changed, &map) {
                Ok(again) => again,
                Err(error) => {
                    fail(&format!("not read again: {error}"));
                    continue;
                }
            };
            // Where the map has a value twice, the one that was not edited is now the new one.
            let is_undone = |change: &Change| {
                let Change::Set { path: other, to, .. } = change else { return false };
                other.as_str().ends_with("draw_flags")
                    || planned.changes.iter().any(|first| match first {
                        Change::Set { path, from, .. } => {
                            path == other && from.as_ref().is_none_or(|from| from == to)
                                || path.as_str().contains("/tiles_") && other.as_str().contains("_px")
                        }
                        _ => false,
                    })
            };
            if !again.changes.iter().all(is_undone) {
                fail(&format!("not carried: {}", again.changes.to_json().unwrap()));
            }
        }
    }
    println!("{} errors, {} silent, {} entries, {} changes of {}", done[0], done[1], done[2], done[3], all.len());
    rows.iter().for_each(|row| println!("{row}"));
    assert!(failures.is_empty(), "{} of them:\n{}", failures.len(), failures[..failures.len().min(60)].join("\n"));
}
