//! Edits of maps of Tiled.

use std::collections::{BTreeMap, BTreeSet};

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
    let plain = maps.iter().flat_map(forms).collect();

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
        if !value.is_object() || at.ends_with("attributes") {
            continue;
        }
        let kind = member_of(tree, at);
        let name = member(value, "name");
        match &*kind {
            "property" => names.extend(name.map(|name| name.trim_start_matches("wwd_").to_owned())),
            "object" if at.contains("/objectgroup/") || is_shape(tree, at) => {}
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
            "layer" | "objectgroup" | "tileset" => {
                let name = name.unwrap_or_default();
                names.push(format!("plane:{}", name.trim_end_matches(" objects")));
                names.push(name);
                if kind == "tileset" {
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

/// What kind of element is at a place: its name in XML, that of its list in JSON.
fn member_of(tree: &Value, pointer: &str) -> String {
    if let Some(element) = tree.pointer(pointer).and_then(|value| value.get("element")) {
        return text(element);
    }
    let mut parts: Vec<&str> = pointer.split('/').skip(1).collect();
    match parts.pop() {
        None => "map".to_owned(),
        Some("objectgroup") => "shapes".to_owned(),
        Some(_) => parts.pop().map_or(String::new(), |list| match list {
            "properties" => "property".to_owned(),
            list => list.trim_end_matches('s').to_owned(),
        }),
    }
}

/// The reason why nobody has to hear of an edit: a row of the table of what is ignored, or that a map means the same.
fn silence(tree: &Value, pointer: &str, what: &str, is_xml: bool) -> Option<String> {
    let parts: Vec<&str> = pointer.split('/').skip(1).collect();
    let name = *parts.last()?;
    let owner = pointer.rsplit_once('/').unwrap().0;
    let owner = if is_xml { owner.trim_end_matches("/attributes").trim_end_matches("/children") } else { owner };
    let mut kind = member_of(tree, owner);
    let in_tile = parts.iter().filter(|part| **part == "objectgroup").count() > 0 || is_shape(tree, owner);
    let value = tree.pointer(pointer)?;
    let element = if is_xml { value.get("element").map(text) } else { None };
    kind = match &*kind {
        "objectgroup" if in_tile => "shapes",
        "object" if in_tile => "shape",
        "objectgroup" | "data" | "chunk" => "layer",
        "image" if is_xml => "image",
        other => other,
    }
    .to_owned();
    let rows: BTreeMap<(&str, &str), &str> = IGNORED.iter().map(|row| ((row.of, row.name), row.why)).collect();
    let row = |of: &str, name: &str| rows.get(&(of, name)).map(|why| format!("{of} {name}: {why}"));
    if let Some(element) = &element
        && let Some(why) = row(&kind, element)
    {
        return Some(why);
    }
    if what.starts_with("swapped") || what == "duplicated" && kind == "shapes" {
        let list = match (&*element.clone().unwrap_or(member_of(tree, pointer)), in_tile) {
            ("property", _) => "properties",
            ("tileset", _) => "tilesets",
            ("tile", _) => "tiles",
            ("object", true) | ("image", true) => "shapes",
            ("object", false) => "objects",
            ("layer" | "objectgroup", _) => "object layers",
            // The parts of an element have an order in no map.
            ("properties" | "data" | "image" | "point", _) => return Some("order of parts".to_owned()),
            _ => "",
        };
        return row("order", list);
    }
    let shown = if kind == "image" {
        (if owner_is_tile(tree, owner) { "tile" } else { "tileset" }).to_owned()
    } else {
        kind.clone()
    };
    let named = if kind == "image" && name != "source" {
        format!("image{name}")
    } else if kind == "image" {
        "image".to_owned()
    } else {
        name.to_owned()
    };
    if let Some(why) = row(&shown, &named) {
        return Some(why);
    }
    let this = element.clone().unwrap_or(member_of(tree, pointer));
    let in_shapes = pointer.contains("/objectgroup/")
        || in_tile && pointer.match_indices('/').any(|(end, _)| member_of_xml(tree, &pointer[..end]) == "objectgroup");
    let is_large = text(value).parse::<f64>().is_ok_and(|at| at.abs() > 999_999.0);
    let other = match (&*kind, name) {
        ("object", "x" | "y") if is_large => row("digits of object", name),
        (_, "source" | "image") if what.contains("became") => row("folder of tileset", "image"),
        _ if in_shapes && what == "removed" && (name == "type" || matches!(&*this, "property" | "properties")) => {
            row("shape", "type")
        }
        (_, "properties") if in_shapes && what == "removed" => row("shape", "type"),
        ("tileset", _) if is_collection(tree, owner) => row("pictures", name),
        _ => None,
    };
    if other.is_some() {
        return other;
    }
    // The exact value is an attribute, too.
    let shown_property = if is_xml { value.pointer("/attributes/name") } else { value.get("name") };
    if what == "removed" && shown_property.and_then(Value::as_str).is_some_and(|name| name.ends_with("_bytes")) {
        return row("absent from object", "bytes");
    }
    if what == "removed" && matches!(shown_property.and_then(Value::as_str), Some("wwd_x" | "wwd_y")) {
        return Some("the attribute has the exact value".to_owned());
    }
    if what == "removed" {
        if let Some(why) = row(&format!("absent from {shown}"), &named) {
            return Some(why);
        }
        // The defaults of the format.
        let default = match (&*kind, name) {
            (_, "visible" | "opacity" | "parallaxx" | "parallaxy") => "1",
            (_, "id" | "x" | "y" | "offsetx" | "offsety" | "rotation" | "spacing" | "margin" | "width" | "height") => {
                "0"
            }
            ("map", "orientation") => "orthogonal",
            ("map", "renderorder") => "right-down",
            ("property", "value") => "",
            (_, "name" | "type") => "",
            (_, "properties") => "[]",
            _ => return None,
        };
        if value.as_f64().is_some_and(|number| default.parse() == Ok(number)) {
            return Some("a default".to_owned());
        }
        return [default, if default == "1" { "true" } else { default }]
            .contains(&&*text(value))
            .then(|| "a default".to_owned());
    }
    None
}

fn member_of_xml(tree: &Value, pointer: &str) -> String {
    tree.pointer(pointer).and_then(|value| value.get("element")).map_or(String::new(), text)
}

/// Returns whether an element of XML is in a tile.
fn is_shape(tree: &Value, pointer: &str) -> bool {
    pointer.match_indices('/').any(|(end, _)| member_of_xml(tree, &pointer[..end]) == "tile")
}

/// Returns whether a tileset is that of the pictures of objects.
fn is_collection(tree: &Value, pointer: &str) -> bool {
    let value = tree.pointer(pointer).and_then(|value| value.get("attributes").unwrap_or(value).get("name"));
    value.and_then(Value::as_str) == Some("pictures of objects")
}

fn owner_is_tile(tree: &Value, owner: &str) -> bool {
    let above = owner.rsplit_once("/children").map_or("", |(above, _)| above);
    member_of_xml(tree, above) == "tile"
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
            match silence(original, pointer, &what, is_xml) {
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
