//! Edits of pictures and models.
//!
//! Everything in the JSON and the data of an exported GLB is changed, one thing at a time: a number, a text, a member or element that is
//! removed, doubled or swapped, and members, extensions, custom properties and nodes that nobody knows. Each edit is an error, or an entry
//! that is refused or left out, or makes changes, or is in the table of what programs write for themselves. Changes are complete: applied
//! and exported again, the same edit is no change any more.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde_json::{Value as Json, json};
use worldview::island::{Contents, Database, Library, LodsAt, Scope};
use worldview_corpus::island::build::build;
use worldview_corpus::island::spec::{
    BlobSpec, DatabaseSpec, ImageSpec, LodSpec, MeshSpec, ModelRefSpec, ModelSpec, NodeSpec, PartSpec, PartsSpec,
    RoiSpec, TextureSpec, WorldSpec,
};
use worldview_edit::{Changes, EditError, Planned, island};
use worldview_export::model::glb;
use worldview_import::{GLB_NOT_READ, When};

/// Every how many edits one is tried, unless `ROUNDS` is set.
const SELECTED: usize = 7;

fn selected() -> usize {
    if std::env::var_os("ROUNDS").is_some() { 1 } else { SELECTED }
}

/// A database with a part, a model and a world, with textures, levels of detail, an animation and a wireframe.
static FILE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let picture =
        |shade| ImageSpec::drawn(4, 2, vec![[shade; 3], [200, 100, 50], [1, 1, 1]], |x, _| u8::from(x % 2 == 1));
    let corners = |first: u16| {
        let all = [[first, 1, 2], [1, 3, 2]];
        MeshSpec::pack(all.into_iter().flatten().map(|at| (at, at, u32::from(at))))
    };
    let lod = |size: f32, textured: bool| {
        let mut meshes = vec![MeshSpec::colored(corners(0), [10, 200, 30], "green")];
        if textured {
            meshes.push(MeshSpec::textured(corners(4), "dog.gif"));
        }
        LodSpec {
            vertices: [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
                .map(|all: [f32; 3]| all.map(|part| part * size))
                .to_vec(),
            normals: vec![[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.6, 0.8], [0.6, 0.8, 0.0]],
            uvs: vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [0.5, 0.5]],
            meshes,
            ..LodSpec::default()
        }
    };
    // A mesh with another number of triangles, and a picture: in place of another, it is not that one moved.
    let triangle = MeshSpec::pack([0, 1, 2].map(|at| (at, at + 2, u32::from(at))));
    let ball = LodSpec { meshes: vec![MeshSpec::textured(triangle, "dog.gif")], ..lod(3.0, false) };
    let roi = RoiSpec::new("root", Vec::new())
        .child(RoiSpec::new("box", vec![lod(1.0, false), lod(2.0, true)]))
        .child(RoiSpec::new("ball", vec![ball]));
    let ball = NodeSpec::new("ball")
        .translation(0, [0.0, 0.0, 0.0])
        .translation(1000, [-2.0, 4.0, 0.0])
        .rotation(0, [1.0, 0.0, 0.0, 0.0])
        .rotation(2000, [0.6, 0.0, 0.8, 0.0]);
    let model =
        ModelSpec::of(roi, NodeSpec::new("root").child(NodeSpec::new("box").morph(0, 1).morph(1500, 0)).child(ball));
    let model =
        model.texture(TextureSpec::new("dog.gif", picture(10))).texture(TextureSpec::new("cat.gif", picture(99)));
    let world = WorldSpec::new("ACT1")
        .model(ModelRefSpec::new("toy", 0).at([1.0, 2.0, 3.0]))
        .model(ModelRefSpec::new("toy", 0).at([5.0, 2.0, 3.0]));
    let parts = PartsSpec {
        parts: vec![PartSpec::new("leg", vec![lod(1.0, false), lod(2.0, true)])],
        textures: vec![TextureSpec::new("dog.gif", picture(10))],
        ..PartsSpec::default()
    };
    build(&DatabaseSpec { parts, worlds: vec![world], blobs: vec![BlobSpec::model(model)], ..DatabaseSpec::default() })
        .bytes
});

/// One of the three kinds of GLBs.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Model,
    Part,
    World,
}

impl Kind {
    fn export(self, file: &[u8]) -> Vec<u8> {
        let database = Database::parse(file).unwrap();
        let contents = Contents::read(&database);
        let (library, mut out) = (Library::new(&database, &contents), Vec::new());
        let (names, options) = (library.world_names(0), glb::Options::default());
        match self {
            Self::Model => glb::model(&library, 0, Scope::Blob(0), None, &options, &mut out),
            Self::Part => glb::part(&library, LodsAt::Global { part: 0 }, None, &options, &mut out),
            Self::World => glb::world(&library, 0, &names, &options, &mut out),
        }
        .unwrap();
        out
    }

    fn plan(self, file: &[u8], exported: &[u8], edited: &[u8]) -> Result<Planned, EditError> {
        let database = Database::parse(file).unwrap();
        let contents = Contents::read(&database);
        let again = |changes: &Changes| Ok(self.export(&self.applied(file, changes)?));
        match self {
            Self::Model => {
                let content = contents.blobs[0].as_ref().unwrap();
                worldview_import::glb(content.model().unwrap(), exported, edited, &again)
            }
            Self::Part => {
                let parts = contents.parts.as_ref().unwrap();
                worldview_import::glb_part(&parts.iter().next().unwrap(), parts.textures, exported, edited, &again)
            }
            Self::World => worldview_import::glb_world(&database.world(0).unwrap(), exported, edited, &again),
        }
    }

    fn applied(self, file: &[u8], changes: &Changes) -> Result<Vec<u8>, EditError> {
        let path = match self {
            Self::Model => "blob#0",
            Self::Part => "global_parts/part:leg",
            Self::World => "world:ACT1",
        };
        Ok(island::apply(file, &changes.clone().prefixed(&path.parse().unwrap()))?.to_vec())
    }
}

/// A GLB in its parts.
#[derive(Clone)]
struct Parts {
    json: Json,
    binary: Vec<u8>,
}

impl Parts {
    fn of(glb: &[u8]) -> Self {
        let word = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().unwrap()) as usize;
        let json = serde_json::from_slice(&glb[20..20 + word(12)]).unwrap();
        Self { json, binary: glb[28 + word(12)..].to_vec() }
    }

    fn packed(&self) -> Vec<u8> {
        let mut json = serde_json::to_vec(&self.json).unwrap();
        json.resize(json.len().next_multiple_of(4), b' ');
        let size = |bytes: &[u8]| (bytes.len() as u32).to_le_bytes();
        let all = (28 + json.len() + self.binary.len()) as u32;
        let mut out = [&b"glTF\x02\0\0\0"[..], &all.to_le_bytes(), &size(&json), b"JSON", &json].concat();
        out.extend([&size(&self.binary)[..], b"BIN\0", &self.binary].concat());
        out
    }
}

/// An edit of a document: where, what was done, and the result.
struct Edit {
    pointer: String,
    what: &'static str,
    json: Json,
}

/// Every edit of one thing in a document.
fn edits(root: &Json) -> Vec<Edit> {
    let (mut pointers, mut out) = (Vec::new(), Vec::new());
    super::tiled::pointers(root, "", &mut pointers);
    for here in pointers {
        let mut with = |below: &str, what, edit: &dyn Fn(&mut Json)| {
            let mut json = root.clone();
            edit(json.pointer_mut(&here).unwrap());
            out.push(Edit { pointer: format!("{here}{below}"), what, json });
        };
        let values: Vec<(&str, Json)> = match root.pointer(&here).unwrap() {
            Json::Number(number) => match (number.as_u64(), number.as_f64().unwrap()) {
                (Some(whole), _) => [whole + 1, whole.checked_sub(1).unwrap_or(7), 1_000_000].map(Json::from).to_vec(),
                // Between 0 and 1, if it was.
                (None, float) => [float + 0.3, float * 0.6, 0.0 - float, 1e39].map(Json::from).to_vec(),
            }
            .into_iter()
            .map(|number| ("number", number))
            .collect(),
            Json::String(text) => {
                vec![
                    ("text longer", format!("{text}x").into()),
                    ("text other", "other".into()),
                    ("text empty", "".into()),
                ]
            }
            Json::Bool(is) => vec![("negated", (!is).into())],
            Json::Object(members) => {
                with("/surprise", "added", &|json| json["surprise"] = json!({ "a": 1 }));
                with("/extensions", "added", &|json| json["extensions"]["ODD_surprise"] = json!({ "a": 1 }));
                with("/extras", "added", &|json| json["extras"]["surprise"] = json!({ "a": 1 }));
                for key in members.keys() {
                    with(&format!("/{key}"), "removed", &|json| _ = json.as_object_mut().unwrap().remove(key));
                }
                continue;
            }
            Json::Array(list) => {
                for (at, item) in list.iter().enumerate() {
                    let below = format!("/{at}");
                    with(&below, "removed", &|json| _ = json.as_array_mut().unwrap().remove(at));
                    with(&below, "doubled", &|json| json.as_array_mut().unwrap().push(item.clone()));
                    if at + 1 < list.len() {
                        with(&below, "swapped", &|json| json.as_array_mut().unwrap().swap(at, at + 1));
                    }
                }
                continue;
            }
            Json::Null => continue,
        };
        values.into_iter().for_each(|(what, value)| with("", what, &|json| *json = value.clone()));
    }
    out
}

/// A node that nobody knows below each node, and every exchange of the meshes of two nodes.
fn nodes(root: &Json) -> Vec<Edit> {
    let (nodes, mut out) = (root["nodes"].as_array().unwrap(), Vec::new());
    for (one, node) in nodes.iter().enumerate() {
        let mut json = root.clone();
        json["nodes"].as_array_mut().unwrap().push(json!({ "name": "odd" }));
        let mut children = node["children"].as_array().cloned().unwrap_or_default();
        children.push(nodes.len().into());
        json["nodes"][one]["children"] = children.into();
        out.push(Edit { pointer: format!("/nodes/{one}/children"), what: "added", json });
        for other in one + 1..nodes.len() {
            if let (Some(mesh), Some(other_mesh)) = (node.get("mesh"), nodes[other].get("mesh")) {
                let mut json = root.clone();
                (json["nodes"][one]["mesh"], json["nodes"][other]["mesh"]) = (other_mesh.clone(), mesh.clone());
                out.push(Edit { pointer: format!("/nodes/{one}/mesh"), what: "exchanged", json });
            }
        }
    }
    out
}

/// The pointer of a pattern: numbers are `*`.
pub(super) fn pattern(pointer: &str) -> String {
    let parts = pointer.split('/').map(|part| if part.parse::<u32>().is_ok() { "*" } else { part });
    parts.collect::<Vec<_>>().join("/")
}

/// Whether the table has an edit.
fn is_documented(edit: &Edit) -> bool {
    let pattern = pattern(&edit.pointer);
    let (parent, _) = pattern.rsplit_once('/').unwrap_or_default();
    let rows = GLB_NOT_READ.iter().flat_map(|row| row.members.split(' ').map(|member| (row.when, member)));
    rows.into_iter().any(|(when, member)| match when {
        When::Any => pattern.strip_prefix(member).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')),
        When::Missing => edit.what == "removed" && pattern == member,
        When::Added => false,
        When::Order => edit.what == "swapped" && parent == member,
        When::Unused => edit.what == "doubled" && parent == member,
        // The end of a name, where this test adds a letter.
        When::Same => edit.what == "text longer" && pattern == member,
    })
}

/// The elements of an accessor: where each is in the data, and its size.
fn elements(json: &Json, at: usize) -> (Vec<usize>, usize, usize) {
    let number = |json: &Json, key: &str| json[key].as_u64().unwrap_or(0) as usize;
    let accessor = &json["accessors"][at];
    let view = &json["bufferViews"][number(accessor, "bufferView")];
    let width = match accessor["type"].as_str() {
        Some("SCALAR") => 1,
        Some("VEC2") => 2,
        Some("VEC3") => 3,
        _ => 4,
    };
    let size = match number(accessor, "componentType") {
        5121 => 1,
        5123 => 2,
        _ => 4,
    };
    let stride = view["byteStride"].as_u64().map_or(size * width, |stride| stride as usize);
    let start = number(view, "byteOffset") + number(accessor, "byteOffset");
    ((0..number(accessor, "count")).map(|element| start + element * stride).collect(), size, width)
}

/// The data of all accessors, with their types.
fn data(parts: &Parts, json: &Json) -> Vec<(Json, Json, Vec<u8>)> {
    let of = |(at, accessor): (usize, &Json)| {
        let (places, size, width) = elements(json, at);
        let bytes = places.into_iter().filter_map(|place| parts.binary.get(place..place + size * width));
        (accessor["type"].clone(), accessor["componentType"].clone(), bytes.flatten().copied().collect())
    };
    json["accessors"].as_array().into_iter().flatten().enumerate().map(of).collect()
}

/// Whether an edit says what glTF says without it, or stores the same data in another way.
fn is_default(parts: &Parts, edit: &Edit) -> bool {
    let (list, was) = (edit.pointer.split('/').nth(1), parts.json.pointer(&edit.pointer));
    edit.json == parts.json
        || (matches!(list, Some("accessors" | "bufferViews"))
            && (edit.pointer.ends_with("/byteOffset") || edit.pointer.ends_with("/byteStride"))
            && data(parts, &parts.json) == data(parts, &edit.json))
        || (edit.what == "removed"
            && (edit.pointer == "/scene" && was == Some(&0.into())
                || edit.pointer.ends_with("/baseColorFactor") && was == Some(&json!([1.0, 1.0, 1.0, 1.0]))))
}

/// The colors and pictures that the objects of a GLB show.
fn shown(parts: &Parts) -> BTreeSet<String> {
    let json = &parts.json;
    let at = |list: &str, index: &Json| json[list].as_array().and_then(|list| list.get(index.as_u64()? as usize));
    let look = |node: &Json, primitive: &Json| {
        let material = at("materials", &primitive["material"]).map(|material| &material["pbrMetallicRoughness"]);
        let picture = material.and_then(|material| {
            at("images", &at("textures", &material["baseColorTexture"]["index"])?["source"])?["name"].as_str()
        });
        let part = |part: &Json| format!("{:.2} ", part.as_f64().unwrap_or(1.0));
        let color = material.and_then(|material| material["baseColorFactor"].as_array());
        let color = color.map_or("1.00 1.00 1.00 1.00 ".to_owned(), |color| color.iter().map(part).collect());
        // A level without triangles is no node, and a single level has the name of its object.
        let object = node["name"].as_str().unwrap_or_default().split(" LOD").next().unwrap_or_default();
        format!("{object}: {color}{}", picture.unwrap_or_default())
    };
    let nodes = json["nodes"].as_array().into_iter().flatten();
    let meshes = nodes.filter_map(|node| Some((node, at("meshes", &node["mesh"])?["primitives"].as_array()?)));
    let all = meshes.flat_map(|(node, primitives)| primitives.iter().map(move |primitive| (node, primitive)));
    let triangles = all.filter(|(_, primitive)| primitive["mode"].as_u64().is_none_or(|mode| mode == 4));
    triangles.map(|(node, primitive)| look(node, primitive)).collect()
}

/// The result of an edit.
fn outcome(kind: Kind, exported: &[u8], edited: &[u8]) -> Result<&'static str, String> {
    let planned = match kind.plan(&FILE, exported, edited) {
        Ok(planned) => planned,
        Err(error) if error.to_string().len() > 500 => return Err(format!("a long error: {error}")),
        Err(_) => return Ok("error"),
    };
    for entry in planned.account.entries() {
        if entry.message.len() > 500 {
            return Err(format!("a long message: {}", entry.message));
        }
    }
    let is_named = planned.account.refused() + planned.account.left_out() > 0;
    if planned.changes.is_empty() {
        return Ok(if is_named { "entry" } else { "nothing" });
    }
    // The changes carry the edit: it is no change of their result.
    let new = kind.applied(&FILE, &planned.changes).map_err(|error| format!("cannot be applied: {error}"))?;
    let again = kind.plan(&new, &kind.export(&new), edited).map_err(|error| format!("the result: {error}"))?;
    if !again.changes.is_empty() {
        return Err(format!("changed again: {}", again.changes.to_json().unwrap()));
    }
    // What the planner does not see would be no change of the result, either.
    let (found, expected) = (shown(&Parts::of(&kind.export(&new))), shown(&Parts::of(edited)));
    if !is_named && found != expected {
        return Err(format!("shows {found:?} instead of {expected:?}"));
    }
    Ok("changes")
}

#[test]
fn every_edit_of_a_model_is_in_the_account() {
    let mut silent: BTreeMap<String, usize> = BTreeMap::new();
    let (mut counts, mut wrong) = (BTreeMap::<&str, usize>::new(), Vec::new());
    for kind in [Kind::Model, Kind::Part, Kind::World] {
        let exported = kind.export(&FILE);
        let parts = Parts::of(&exported);
        assert_eq!(outcome(kind, &exported, &parts.packed()).unwrap(), "nothing");
        for edit in edits(&parts.json).into_iter().step_by(selected()).chain(nodes(&parts.json)) {
            let edited = Parts { json: edit.json.clone(), binary: parts.binary.clone() }.packed();
            match outcome(kind, &exported, &edited) {
                Ok("nothing") if is_default(&parts, &edit) => {}
                Ok("nothing") if is_documented(&edit) => *counts.entry("documented").or_default() += 1,
                Ok("nothing") => {
                    *silent.entry(format!("{kind:?} {} {}", edit.pointer, edit.what)).or_default() += 1;
                }
                Ok(outcome) => *counts.entry(outcome).or_default() += 1,
                Err(why) => wrong.push(format!("{kind:?} {} {}: {why}", edit.pointer, edit.what)),
            }
        }
    }
    // Each kind of outcome is there, so that the test tests something.
    assert!(["changes", "documented", "entry", "error"].iter().all(|outcome| counts[outcome] > 10), "{counts:?}");
    let silent: Vec<_> = silent.into_keys().collect();
    assert!(silent.is_empty() && wrong.is_empty(), "silent: {silent:#?}\nwrong: {wrong:#?}");
}

/// Plans every edit of a model that puts a text where another one is.
pub(super) fn with_texts(text: &str, check: &mut dyn FnMut(&str, &Result<Planned, EditError>)) {
    let kind = Kind::Model;
    let exported = kind.export(&FILE);
    let parts = Parts::of(&exported);
    for Edit { pointer, mut json, .. } in edits(&parts.json).into_iter().filter(|edit| edit.what == "text other") {
        *json.pointer_mut(&pointer).unwrap() = text.into();
        let edited = Parts { json, binary: parts.binary.clone() }.packed();
        check(&pointer, &kind.plan(&FILE, &exported, &edited));
    }
}

/// Every value in the data of a GLB, changed: floats by 0.3, integers by 1. Where it is, and the new data.
fn values(parts: &Parts) -> Vec<(String, Vec<u8>)> {
    let meshes = parts.json["meshes"].as_array().unwrap().iter();
    let primitives = meshes.flat_map(|mesh| mesh["primitives"].as_array().unwrap());
    let normals: Vec<u64> = primitives.filter_map(|primitive| primitive["attributes"]["NORMAL"].as_u64()).collect();
    let mut out = Vec::new();
    for at in 0..parts.json["accessors"].as_array().unwrap().len() {
        let (places, size, width) = elements(&parts.json, at);
        for (element, start) in places.into_iter().enumerate() {
            for part in 0..width {
                let place = start + part * size;
                let mut binary = parts.binary.clone();
                let bytes = &mut binary[place..place + size];
                match <[u8; 4]>::try_from(&*bytes) {
                    // Only the direction of a normal counts, and this one keeps it.
                    Ok(float) if f32::from_le_bytes(float).abs() == 1.0 && normals.contains(&(at as u64)) => continue,
                    Ok(float) => bytes.copy_from_slice(&(f32::from_le_bytes(float) + 0.3).to_le_bytes()),
                    Err(_) => bytes[0] ^= 1,
                }
                out.push((format!("accessor {at}, element {element}, part {part}"), binary));
            }
        }
    }
    out
}

#[test]
fn every_value_of_a_model_is_in_the_account() {
    let mut silent = Vec::new();
    for kind in [Kind::Model, Kind::Part, Kind::World] {
        let exported = kind.export(&FILE);
        let parts = Parts::of(&exported);
        for (place, binary) in values(&parts).into_iter().step_by(selected()) {
            match outcome(kind, &exported, &Parts { json: parts.json.clone(), binary }.packed()) {
                Ok("nothing") => silent.push(format!("{kind:?} {place}")),
                Ok(_) => {}
                Err(why) => silent.push(format!("{kind:?} {place}: {why}")),
            }
        }
    }
    assert!(silent.is_empty(), "{silent:#?}");
}

/// A PNG of the texture `dog.gif`: its chunks before the pixels, color type, size and pixels.
fn picture(size: (u32, u32), color: ::png::ColorType, palette: &[u8], pixels: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut out, size.0, size.1);
    encoder.set_color(color);
    if color == ::png::ColorType::Indexed {
        encoder.set_palette(palette);
    }
    encoder.write_header().unwrap().write_image_data(pixels).unwrap();
    out
}

#[test]
fn every_edit_of_a_picture_is_in_the_account() {
    use ::png::ColorType::{Indexed, Rgb, Rgba};

    let database = Database::parse(FILE.as_slice()).unwrap();
    let content = database.blobs()[0].read().unwrap();
    let image = content.model().unwrap().own_textures().iter().next().unwrap().image;
    let plan = |file: &[u8]| worldview_import::png(&image, file);
    let is_silent = |file: &[u8]| {
        let planned = plan(file);
        planned.is_ok_and(|planned| planned.changes.is_empty() && planned.account.entries().len() == 0)
    };
    let mut original = Vec::new();
    worldview_export::model::png::image(image, &mut original).unwrap();
    assert!(is_silent(&original));
    let palette: Vec<u8> = image.palette.iter().flat_map(|color| color.get()).collect();
    let colors: Vec<[u8; 3]> = image.pixels.iter().map(|&index| image.color(index)).collect();
    assert!(
        is_silent(&picture((4, 2), Indexed, &palette, image.pixels))
            && is_silent(&picture((4, 2), Rgb, &[], colors.as_flattened()))
    );
    // Every index, every color of the palette, every sample of every pixel, and every opacity.
    for at in 0..image.pixels.len() {
        let mut pixels = image.pixels.to_vec();
        pixels[at] ^= 1;
        assert!(!is_silent(&picture((4, 2), Indexed, &palette, &pixels)), "index {at}");
    }
    for at in 0..palette.len() {
        let mut palette = palette.clone();
        palette[at] ^= 1;
        assert!(!is_silent(&picture((4, 2), Indexed, &palette, image.pixels)), "palette {at}");
    }
    let opaque: Vec<u8> = colors.iter().flat_map(|&[red, green, blue]| [red, green, blue, 255]).collect();
    for at in 0..opaque.len() {
        let mut samples = opaque.clone();
        samples[at] ^= 1;
        assert!(!is_silent(&picture((4, 2), Rgba, &[], &samples)), "sample {at}");
    }
    // Colors that no pixel has, in palettes of other lengths and orders.
    let odd = [[&palette[..], &[7, 8, 9]].concat(), [&[7, 8, 9], &palette[..]].concat()];
    let later: Vec<u8> = image.pixels.iter().map(|index| index + 1).collect();
    assert!(!is_silent(&picture((4, 2), Indexed, &odd[0], image.pixels)));
    assert!(!is_silent(&picture((4, 2), Indexed, &odd[1], &later)));
    assert!(is_silent(&picture((4, 2), Indexed, &[&palette[..], &[0; 30]].concat(), image.pixels)));
    // Every other size.
    for (width, height) in [(2, 4), (8, 1), (1, 8), (3, 2), (4, 1)] {
        let pixels = image.pixels[..(width * height) as usize].to_vec();
        assert!(!is_silent(&picture((width, height), Indexed, &palette, &pixels)), "{width} x {height}");
    }
    // Every bit of the file: the checksums find all of them, except where nothing is read.
    for at in 0..original.len() * 8 {
        let mut file = original.clone();
        file[at / 8] ^= 1 << (at % 8);
        assert!(!is_silent(&file), "bit {at}");
    }
    // Every chunk doubled, removed, and one of each kind that is not in the table.
    let mut at = 8;
    while at < original.len() {
        let end = at + 12 + u32::from_be_bytes(original[at..at + 4].try_into().unwrap()) as usize;
        let chunk = &original[at..end];
        assert!(!is_silent(&[&original[..at], &original[end..]].concat()), "{:?} removed", &chunk[4..8]);
        // Compressed data end by themselves, and what follows them is no picture.
        let is_doubled = is_silent(&[&original[..end], chunk, &original[end..]].concat());
        assert!(!is_doubled || &chunk[4..8] == b"IDAT", "{:?} doubled", &chunk[4..8]);
        at = end;
    }
    for name in [b"acTL", b"fdAT", b"vpAg", b"ABCD", b"tRNS"] {
        let chunk = [&0_u32.to_be_bytes()[..], name, &[0; 4]].concat();
        assert!(!is_silent(&[&original[..33], &chunk, &original[33..]].concat()), "{name:?}");
    }
}
