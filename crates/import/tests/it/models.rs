use gltf::json::Value as Json;
use serde_json::json;
use worldview_corpus::island::build::build;
use worldview_corpus::island::generate::small;
use worldview_corpus::island::naive::{NaiveLod, NaiveMesh, database, decode};
use worldview_corpus::island::spec::{
    BlobSpec, DatabaseSpec, LodSpec, MeshSpec, ModelRefSpec, ModelSpec, NodeSpec, RoiSpec, WorldSpec,
};
use worldview_corpus::sample;
use worldview_edit::account::Column;
use worldview_edit::{Changes, Planned, island};
use worldview_export::model::glb::{self, LodChoice, Options};
use worldview_island::{Contents, Database, Library, Scope};

/// The primitives of a mesh: the material, and for each corner position, normal and texture coordinate.
pub(crate) type Primitives = Vec<(Option<usize>, Vec<[[f32; 3]; 3]>)>;

pub(crate) fn exported(file: &[u8], blob: usize) -> Option<Vec<u8>> {
    exported_with(file, blob, LodChoice::All)
}

fn exported_with(file: &[u8], blob: usize, lods: LodChoice) -> Option<Vec<u8>> {
    let database = Database::parse(file).unwrap();
    let contents = Contents::read(&database);
    let (library, options, mut out) = (Library::new(&database, &contents), Options::default().lods(lods), Vec::new());
    glb::model(&library, blob, Scope::Blob(blob), None, &options, &mut out).ok().map(|_| out)
}

pub(crate) fn planned(file: &[u8], blob: usize, glb: &[u8]) -> worldview_edit::Result<Changes> {
    told(file, blob, glb).and_then(Planned::complete)
}

/// What an edited GLB says, with its account.
pub(crate) fn told(file: &[u8], blob: usize, glb: &[u8]) -> worldview_edit::Result<Planned> {
    compared((file, blob), LodChoice::All, &exported(file, blob).unwrap(), glb)
}

fn compared(
    (file, blob): (&[u8], usize),
    lods: LodChoice,
    exported: &[u8],
    glb: &[u8],
) -> worldview_edit::Result<Planned> {
    let database = Database::parse(file).unwrap();
    let content = database.blobs()[blob].read().unwrap();
    let again = |changes: &Changes| Ok(exported_with(&applied(file, blob, changes), blob, lods).unwrap());
    worldview_import::glb(content.model().unwrap(), exported, glb, &again)
}

/// Whether nothing of a GLB is a change, and nothing is said of it but that it has no animation.
fn is_unedited(planned: &Planned) -> bool {
    let is_animation = |entry: &worldview_edit::account::Entry| entry.code.name == "animation-missing";
    planned.changes.is_empty() && planned.account.entries().all(is_animation)
}

/// Applies changes of a model.
pub(crate) fn applied(file: &[u8], blob: usize, changes: &Changes) -> Vec<u8> {
    island::apply(file, &changes.clone().prefixed(&crate::path(&format!("blob#{blob}")))).unwrap().to_vec()
}

/// What Blender makes of a GLB without an edit: no extras, all vertices split, normals everywhere, primitives of one material merged,
/// nodes in another order, no animation. `edit` gets the name of each node and its primitives, in the coordinates of the game.
pub(crate) fn saved(glb: &[u8], edit: &mut dyn FnMut(&str, &mut Primitives)) -> Vec<u8> {
    let container = gltf::Glb::from_slice(glb).unwrap();
    let mut json: Json = serde_json::from_slice(&container.json).unwrap();
    json.as_object_mut().unwrap().remove("animations");
    let document = gltf::Document::from_json(serde_json::from_value(json).unwrap()).unwrap();
    let binary = container.bin.unwrap_or_default();
    let (mut data, mut views, mut accessors) = (Vec::<u8>::new(), Vec::new(), Vec::new());
    let (mut meshes, mut nodes) = (Vec::new(), Vec::new());
    let mut names = std::collections::HashMap::<String, usize>::new();
    let last = document.nodes().count() - 1;
    for node in document.nodes() {
        let mut all: Primitives = Vec::new();
        let primitives = node.mesh().into_iter().flat_map(|mesh| mesh.primitives());
        for primitive in primitives.filter(|primitive| primitive.mode() == gltf::mesh::Mode::Triangles) {
            let reader = primitive.reader(|_| Some(&binary));
            let positions: Vec<_> = reader.read_positions().unwrap().collect();
            let normals: Option<Vec<_>> = reader.read_normals().map(Iterator::collect);
            let uvs: Option<Vec<_>> = reader.read_tex_coords(0).map(|uvs| uvs.into_f32().collect());
            let indices = reader.read_indices().unwrap().into_u32().map(|index| index as usize);
            let corners = indices.map(|at| {
                let [u, v] = uvs.as_ref().map_or([0.0; 2], |uvs| uvs[at]);
                [positions[at], normals.as_ref().map_or([0.0, 1.0, 0.0], |normals| normals[at]), [u, v, 0.0]]
            });
            let corners: Vec<_> = corners.map(|[[x, y, z], [a, b, c], uv]| [[-x, y, z], [-a, b, c], uv]).collect();
            let material = primitive.material().index();
            match all.iter_mut().find(|(other, _)| *other == material) {
                Some((_, list)) => list.extend(corners),
                None => all.push((material, corners)),
            }
        }
        let name = node.name().unwrap_or_default().to_owned();
        if !all.is_empty() {
            edit(&name, &mut all);
        }
        let mut primitives = Vec::new();
        for (material, corners) in all {
            let mut put = |part: usize, width: usize| {
                let start = data.len();
                for corner in &corners {
                    let [x, y, z] = corner[part];
                    let values = if part < 2 { [-x, y, z] } else { [x, y, z] };
                    data.extend(values[..width].iter().flat_map(|value| value.to_le_bytes()));
                }
                views.push(json!({ "buffer": 0, "byteOffset": start, "byteLength": data.len() - start }));
                let kind = if width == 3 { "VEC3" } else { "VEC2" };
                let bounds = if part == 0 { json!([0.0, 0.0, 0.0]) } else { Json::Null };
                let mut accessor = json!({ "bufferView": views.len() - 1, "componentType": 5126, "count": corners.len(), "type": kind });
                if part == 0 {
                    accessor["min"] = bounds.clone();
                    accessor["max"] = bounds;
                }
                accessors.push(accessor);
                accessors.len() - 1
            };
            let attributes = json!({ "POSITION": put(0, 3), "NORMAL": put(1, 3), "TEXCOORD_0": put(2, 2) });
            let mut primitive = json!({ "attributes": attributes });
            material.into_iter().for_each(|material| primitive["material"] = material.into());
            primitives.push(primitive);
        }
        let count = names.entry(name.clone()).or_default();
        let unique = if *count == 0 { name.clone() } else { format!("{name}.{count:03}") };
        *count += 1;
        let (translation, rotation, scale) = node.transform().decomposed();
        let mut saved = json!({
            "name": unique, "translation": translation, "rotation": rotation, "scale": scale,
        });
        if node.children().next().is_some() {
            saved["children"] = node.children().map(|child| last - child.index()).collect::<Vec<_>>().into();
        }
        if !primitives.is_empty() {
            saved["mesh"] = meshes.len().into();
            meshes.push(json!({ "name": name, "primitives": primitives }));
        }
        nodes.insert(0, saved);
    }
    let materials = document.materials().map(|material| {
        let pbr = material.pbr_metallic_roughness();
        let mut out = json!({ "pbrMetallicRoughness": { "baseColorFactor": pbr.base_color_factor() } });
        match material.name() {
            Some(name) if !name.is_empty() => out["name"] = name.into(),
            _ => out["name"] = format!("Material_{}", material.index().unwrap_or(0)).into(),
        }
        if let Some(picture) = pbr.base_color_texture() {
            out["pbrMetallicRoughness"]["baseColorTexture"] = json!({ "index": picture.texture().index() });
        }
        out
    });
    let mut root = json!({ "asset": { "version": "2.0" }, "scene": 0 });
    let materials: Vec<Json> = materials.collect();
    // Names of pictures lose their end.
    let images = document.images().map(|image| {
        let name = image.name().unwrap_or_default();
        json!({ "uri": "", "name": name.rsplit_once('.').map_or(name, |(stem, _)| stem) })
    });
    let images: Vec<Json> = images.collect();
    let textures = document.textures().map(|texture| json!({ "source": texture.source().index() }));
    let textures: Vec<Json> = textures.collect();
    let below: Vec<_> = document.nodes().flat_map(|node| node.children().map(|child| child.index())).collect();
    let roots: Vec<_> = (0..=last).filter(|at| !below.contains(&(last - at))).collect();
    root["scenes"] = json!([{ "nodes": roots }]);
    for (name, list) in [
        ("nodes", nodes),
        ("meshes", meshes),
        ("materials", materials),
        ("images", images),
        ("textures", textures),
        ("accessors", accessors),
        ("bufferViews", views),
    ] {
        if !list.is_empty() {
            root[name] = list.into();
        }
    }
    if !data.is_empty() {
        root["buffers"] = json!([{ "byteLength": data.len() }]);
    }
    packed(&root, data)
}

pub(crate) fn packed(root: &Json, mut data: Vec<u8>) -> Vec<u8> {
    let mut json = serde_json::to_vec(root).unwrap();
    json.resize(json.len().next_multiple_of(4), b' ');
    data.resize(data.len().next_multiple_of(4), 0);
    let [all, one, other] =
        [28 + json.len() + data.len(), json.len(), data.len()].map(|size| (size as u32).to_le_bytes());
    [&b"glTF\x02\0\0\0"[..], &all, &one, b"JSON", &json, &other, b"BIN\0", &data].concat()
}

#[test]
fn an_export_without_an_edit_is_no_change() {
    let sample = sample("world.wdb");
    let files = std::iter::once(sample).chain((0..20).map(|seed| build(&small(seed)).bytes));
    let mut count = 0;
    for file in files {
        for blob in 0..Database::parse(&file).unwrap().blobs().len() {
            let Some(glb) = exported(&file, blob) else { continue };
            let planned = told(&file, blob, &glb).unwrap();
            assert!(planned.changes.is_empty() && planned.account.entries().len() == 0, "blob {blob}: {planned:?}");
            for lods in [LodChoice::Best, LodChoice::Level(0), LodChoice::Level(2)] {
                let glb = exported_with(&file, blob, lods).unwrap();
                for edited in [&glb, &saved(&glb, &mut |_, _| ())] {
                    let planned = compared((&file, blob), lods, &glb, edited).unwrap();
                    assert!(is_unedited(&planned), "blob {blob}, {lods}: {planned:?}");
                }
            }
            let mut has_meshes = false;
            let saved = saved(&glb, &mut |_, _| has_meshes = true);
            if has_meshes {
                let planned = told(&file, blob, &saved).unwrap();
                assert!(is_unedited(&planned), "blob {blob}: {planned:?}");
                count += 1;
            }
        }
    }
    assert!(count > 40, "{count} models");
}

/// A model with two levels; the better one is a box of two materials.
pub(crate) fn boxed() -> Vec<u8> {
    let corner = |at: u16| [f32::from(at & 1), f32::from(at >> 1 & 1), f32::from(at >> 2)];
    let sides: [([u16; 4], u16); 3] = [([0, 2, 3, 1], 0), ([4, 5, 7, 6], 1), ([0, 1, 5, 4], 2)];
    let mesh = |sides: &[([u16; 4], u16)]| {
        let triangles = sides
            .iter()
            .flat_map(|&([a, b, c, d], normal)| [[a, b, c], [a, c, d]].map(|all| all.map(|at| (at, normal, 0))));
        MeshSpec::pack(triangles.flatten())
    };
    let normals = vec![[0.0, 0.0, -1.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]];
    let vertices: Vec<_> = (0..8).map(corner).collect();
    let meshes = vec![
        MeshSpec::colored(mesh(&sides[..2]), [10, 200, 30], "green"),
        MeshSpec::colored(mesh(&sides[2..]), [0, 0, 255], "blue"),
    ];
    let high = LodSpec { vertices, normals, meshes, ..LodSpec::default() };
    let low = LodSpec { meshes: high.meshes[1..].to_vec(), ..high.clone() };
    let roi = RoiSpec::new("root", Vec::new()).child(RoiSpec::new("box", vec![low, high]));
    let model = ModelSpec::of(roi, NodeSpec::new("root").child(NodeSpec::new("box")));
    let worlds = vec![WorldSpec::new("ACT1").model(ModelRefSpec::new("box", 0))];
    build(&DatabaseSpec { worlds, blobs: vec![BlobSpec::model(model)], ..DatabaseSpec::default() }).bytes
}

/// The triangles of a level by the naive reader: color and positions, each from its least position on, sorted.
fn triangles(file: &[u8], level: usize) -> Vec<String> {
    let all = database(file).unwrap();
    let lod: &NaiveLod = &all.model_of(0).unwrap().rois[1].lods[level];
    let mut out = Vec::new();
    for mesh in &lod.meshes {
        let mesh: &NaiveMesh = mesh;
        let geometry = decode(lod, mesh).unwrap();
        for triangle in geometry.indices.chunks(3) {
            let mut corners: Vec<_> =
                triangle.iter().map(|&at| geometry.positions[at as usize].map(|part| part.value() + 0.0)).collect();
            let least = (0..3).min_by(|&a, &b| corners[a].partial_cmp(&corners[b]).unwrap()).unwrap();
            corners.rotate_left(least);
            out.push(format!("{:?} {corners:?}", mesh.color));
        }
    }
    out.sort();
    out
}

pub(crate) fn paths(changes: &Changes) -> Vec<String> {
    changes.iter().map(|change| change.path().to_string()).collect()
}

#[test]
fn a_moved_vertex_moves_its_position() {
    let file = boxed();
    let glb = exported(&file, 0).unwrap();
    let edited = saved(&glb, &mut |name, all| {
        for corner in all.iter_mut().flat_map(|(_, all)| all).filter(|_| name == "box LOD1") {
            if corner[0] == [1.0, 1.0, 1.0] {
                corner[0] = [1.0, 2.5, 1.0];
            }
        }
    });
    let changes = planned(&file, 0, &edited).unwrap();
    assert_eq!(paths(&changes), ["roi:box/lod#1/position#7", "roi:box/radius", "roi:box/maximum"]);
    let edited = applied(&file, 0, &changes);
    assert_eq!(edited.len(), file.len());
    assert_eq!(triangles(&edited, 0), triangles(&file, 0));
    let expected: Vec<_> =
        triangles(&file, 1).iter().map(|line| line.replace("[1.0, 1.0, 1.0]", "[1.0, 2.5, 1.0]")).collect();
    assert_eq!(triangles(&edited, 1), expected);
    let maximum = database(&edited).unwrap().model_of(0).unwrap().rois[1].maximum;
    assert_eq!(maximum.map(|part| part.value()), [1.0, 2.5, 1.0]);
}

#[test]
fn triangles_come_and_go() {
    let file = boxed();
    let glb = exported(&file, 0).unwrap();
    let edited_glb = saved(&glb, &mut |name, all| {
        let Some((_, green)) = all.iter_mut().find(|(_, all)| name == "box LOD1" && all.len() == 12) else { return };
        green.drain(..3);
        let normal = [1.0, 0.0, 0.0];
        green.extend([[1.0, 0.0, 0.0], [1.0, 0.0, 3.0], [1.0, 1.0, 0.0]].map(|position| [position, normal, [0.0; 3]]));
    });
    let changes = planned(&file, 0, &edited_glb).unwrap();
    let edited = applied(&file, 0, &changes);
    let (old, new) = (triangles(&file, 1), triangles(&edited, 1));
    // GLB turns triangles, as this test's reader of GLB does not.
    let added: Vec<_> = new.iter().filter(|line| !old.contains(line)).collect();
    assert_eq!(added, ["[10, 200, 30] [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 0.0, 3.0]]"]);
    assert_eq!((old.iter().filter(|line| !new.contains(line)).count(), new.len()), (1, old.len()));
    assert_eq!(triangles(&edited, 0), triangles(&file, 0));
    // The new model is what the edited export says, and it is what would be exported.
    assert!(planned(&edited, 0, &edited_glb).unwrap().is_empty());
    let again = exported(&edited, 0).unwrap();
    assert!(planned(&edited, 0, &saved(&again, &mut |_, _| ())).unwrap().is_empty());
}

#[test]
fn a_color_of_a_material_is_that_of_its_meshes() {
    let file = boxed();
    let glb = exported(&file, 0).unwrap();
    let red =
        |json: &mut Json| json["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"] = json!([1.0, 0.0, 0.0, 0.5]);
    let edited = with_json(&glb, red);
    let changes = planned(&file, 0, &edited).unwrap();
    // The first material is that of the best level's first mesh.
    assert_eq!(paths(&changes), ["roi:box/lod#1/mesh#0/color", "roi:box/lod#1/mesh#0/alpha"]);
    let all = database(&applied(&file, 0, &changes)).unwrap();
    let mesh = &all.model_of(0).unwrap().rois[1].lods[1].meshes[0];
    assert_eq!((mesh.color, mesh.alpha.value()), ([255, 0, 0], 0.5));
    // A program that draws the file would show it without the opacity.
    let said = |glb: &[u8]| {
        let entries = told(&file, 0, glb).unwrap().account;
        entries.entries().map(|entry| (entry.column, entry.message.clone())).collect::<Vec<_>>()
    };
    let why = "material \"green\", alphaMode: it is OPAQUE, which does not go with the opacity 0.5; the opacity counts";
    assert_eq!(said(&edited), [(Column::LeftOut, why.to_owned())]);
    let both = with_json(&glb, |json| {
        red(json);
        json["materials"][0]["alphaMode"] = "BLEND".into();
    });
    assert!(said(&both).is_empty());
    // A picture that nothing shows is not read.
    let more = with_json(&glb, |json| json["images"] = json!([{ "uri": "", "name": "moon" }]));
    assert_eq!(said(&more), [(Column::LeftOut, "image \"moon\": no material shows it; not read".to_owned())]);
}

#[test]
fn what_the_result_does_not_show_is_refused() {
    let file = boxed();
    let glb = exported(&file, 0).unwrap();
    // The game shows an opacity of 0 as 1.
    let edited = with_json(&glb, |json| {
        json["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"] = json!([1.0, 0.0, 0.0, 0.0]);
    });
    let planned = told(&file, 0, &edited).unwrap();
    let place = "material \"green\", pbrMetallicRoughness, baseColorFactor";
    assert_eq!(
        planned.account.entries().map(|entry| entry.place.pointer.as_deref()).collect::<Vec<_>>(),
        [Some(place)]
    );
}

#[test]
fn what_the_format_lacks_is_refused() {
    let file = boxed();
    let glb = exported(&file, 0).unwrap();
    let refused = |glb: &[u8], expected: &str| {
        let error = planned(&file, 0, glb).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    let plain = saved(&glb, &mut |_, _| ());
    let changed = |expected: &str, edit: &dyn Fn(&mut Json)| refused(&with_json(&plain, edit), expected);
    refused(b"OBJ", "not a readable GLB");
    refused(&saved(&glb, &mut |_, all| all[0].1[0][0][1] = f32::NAN), ": a number is not finite");
    changed("a number of its transformation is not finite", &|json| {
        json["nodes"][0]["translation"] = json!([1e39, 0.0, 0.0]);
    });
    changed("its mesh has no texture, so it cannot show \"moon\"", &|json| {
        json["images"] = json!([{ "uri": "", "name": "moon" }]);
        json["textures"] = json!([{ "source": 0 }]);
        json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = json!({ "index": 0 });
    });
    changed("skin 0: models of the game have none", &|json| json["skins"] = json!([{ "joints": [0] }]));
    changed("morph targets", &|json| json["meshes"][0]["primitives"][0]["targets"] = json!([{ "POSITION": 0 }]));
    changed("one set of texture coordinates", &|json| {
        json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_1"] = 2.into();
    });
    let why = "node \"Suzanne\": the model has no object of this name";
    changed(why, &|json| json["nodes"][0]["name"] = "Suzanne".into());
    changed("data that the file does not describe", &|json| json["accessors"] = json!([]));
    changed("than one of its size may have", &|json| json["accessors"][0]["count"] = 4_000_000_000_u32.into());
    changed("outside the file", &|json| json["accessors"][0]["count"] = 10_000.into());
    changed("outside the file", &|json| json["bufferViews"][0]["byteOffset"] = u32::MAX.into());
    let many = saved(&glb, &mut |_, all| {
        let more = (0..33_000).map(|at| [[at as f32, 0.5, 0.5], [0.0, 1.0, 0.0], [0.0; 3]]);
        all[0].1.extend(more);
    });
    refused(&many, "does not fit: a level has at most 32767 different positions");
    // Cut anywhere, it is an error or says nothing new.
    for end in (0..glb.len()).step_by(7) {
        let _ = planned(&file, 0, &glb[..end]);
    }
}

/// A GLB with another JSON, and data behind its own.
pub(crate) fn altered(glb: &[u8], edit: impl FnOnce(&mut Json, &mut Vec<u8>)) -> Vec<u8> {
    let all = gltf::Glb::from_slice(glb).unwrap();
    let mut json: Json = serde_json::from_slice(&all.json).unwrap();
    let mut binary = all.bin.unwrap_or_default().into_owned();
    edit(&mut json, &mut binary);
    json["buffers"][0]["byteLength"] = binary.len().into();
    packed(&json, binary)
}

/// A GLB with another JSON.
fn with_json(glb: &[u8], edit: impl FnOnce(&mut Json)) -> Vec<u8> {
    altered(glb, |json, _| edit(json))
}

/// The node with a name.
pub(crate) fn node<'json>(json: &'json mut Json, name: &str) -> &'json mut Json {
    json["nodes"].as_array_mut().unwrap().iter_mut().find(|node| node["name"] == name).unwrap()
}

/// The places and messages of entries.
fn entries(planned: &Planned) -> Vec<String> {
    let entry = |entry: &worldview_edit::account::Entry| {
        format!("{}: {}: {}", entry.column.name(), entry.place.pointer.as_deref().unwrap_or_default(), entry.message)
    };
    planned.account.entries().map(entry).collect()
}

#[test]
fn what_a_glb_cannot_change_is_named() {
    let file = boxed();
    let glb = exported(&file, 0).unwrap();
    let said = |expected: &str, edit: &dyn Fn(&mut Json)| {
        let planned = told(&file, 0, &with_json(&glb, edit)).unwrap();
        assert!(planned.changes.is_empty(), "{planned:?}");
        assert_eq!(entries(&planned), [expected]);
    };
    // A primitive of points leaves the triangles alone.
    let why = "refused: node \"box LOD1\": mesh \"box\", primitive 0: it has Points, the game has triangles; remove it or make \
        triangles of it";
    said(why, &|json| json["meshes"][0]["primitives"][0]["mode"] = 0.into());
    let why = "refused: node \"crate\", name: node \"crate\", name: it was \"box\"; a GLB does not change this";
    said(why, &|json| node(json, "box")["name"] = "crate".into());
    let why = "left_out: node \"box LOD1\": node \"box LOD1\": it has lost its mesh; that of the original stays";
    said(why, &|json| drop(node(json, "box LOD1").as_object_mut().unwrap().remove("mesh")));
    let place = "material \"green\", pbrMetallicRoughness, roughnessFactor";
    let why = format!("refused: {place}: {place}: it was 1.0; a GLB does not change this; edit the mesh by its path");
    said(&why, &|json| json["materials"][0]["pbrMetallicRoughness"]["roughnessFactor"] = 0.25.into());
    let why = "left_out: cameras: cameras: the export has none; not read";
    said(why, &|json| json["cameras"] = json!([]));
    let twice = with_json(&glb, |json| {
        let root = json["scenes"][0]["nodes"][0].clone();
        json["scenes"][0]["nodes"].as_array_mut().unwrap().push(root);
    });
    assert_eq!(planned(&file, 0, &twice).unwrap_err().to_string(), "node \"root\": it occurs twice");
}

#[test]
fn a_material_keeps_or_changes_its_name() {
    let file = boxed();
    let glb = exported(&file, 0).unwrap();
    let renamed = with_json(&glb, |json| json["materials"][0]["name"] = "grass".into());
    let changes = planned(&file, 0, &renamed).unwrap();
    assert_eq!(paths(&changes), ["roi:box/lod#1/mesh#0/material"]);
    let inherited = with_json(&glb, |json| json["materials"][0]["name"] = "inherit".into());
    let error = planned(&file, 0, &inherited).unwrap_err();
    assert!(error.to_string().ends_with("new names have 1 to 255 ASCII characters, and do not begin with \"inh\""));
}

#[test]
fn exact_duplicates_of_triangles_stay() {
    // The first triangle is there three times.
    let corner = |at: u16| [f32::from(at & 1), f32::from(at >> 1), 0.0];
    let corners = [0, 1, 2, 0, 1, 2, 1, 3, 2, 0, 1, 2].map(|at| (at, 0, 0));
    let lod = LodSpec {
        vertices: (0..4).map(corner).collect(),
        normals: vec![[0.0, 0.0, 1.0]],
        meshes: vec![MeshSpec::colored(MeshSpec::pack(corners), [9, 9, 9], "grey")],
        ..LodSpec::default()
    };
    let model = ModelSpec::new("track", vec![lod]);
    let worlds = vec![WorldSpec::new("ACT1").model(ModelRefSpec::new("track", 0))];
    let file = build(&DatabaseSpec { worlds, blobs: vec![BlobSpec::model(model)], ..DatabaseSpec::default() }).bytes;
    let glb = exported(&file, 0).unwrap();
    let dropped = |by: f32| {
        saved(&glb, &mut |_, all| {
            let (_, corners) = &mut all[0];
            // Blender drops all but the first, whatever else is edited.
            *corners = [&corners[..3], &corners[6..9]].concat();
            corners.iter_mut().filter(|corner| corner[0] == [0.0; 3]).for_each(|corner| corner[0][2] += by);
        })
    };
    assert!(is_unedited(&told(&file, 0, &dropped(0.0)).unwrap()));
    let changes = planned(&file, 0, &dropped(2.0)).unwrap();
    assert_eq!(paths(&changes)[0], "roi:track/lod#0/position#0");
}

#[test]
fn broken_containers_are_refused() {
    let file = boxed();
    let glb = exported(&file, 0).unwrap();
    for length in [0_u32, 11, u32::MAX] {
        let mut broken = glb.clone();
        broken[8..12].copy_from_slice(&length.to_le_bytes());
        let error = planned(&file, 0, &broken).unwrap_err().to_string();
        assert_eq!(error, format!("not a readable GLB: its header says {length} bytes, but it has {}", glb.len()));
    }
    // Primitives that share their data take no more memory than the file may.
    let shared = with_json(&glb, |json| {
        let one = json["meshes"][0]["primitives"][0].clone();
        json["accessors"][one["attributes"]["POSITION"].as_u64().unwrap() as usize]["count"] = 500.into();
        json["meshes"][0]["primitives"] = vec![one; 20_000].into();
    });
    let error = planned(&file, 0, &shared).unwrap_err().to_string();
    assert_eq!(error, "mesh \"box\": the file has more vertices and indices than one of its size may have");
}
