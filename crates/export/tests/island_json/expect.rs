//! What should be in the JSON of a file, built from the naive reader's values.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use worldview_corpus::island::naive::{
    self, Kind, NaiveBlob, NaiveContent, NaiveDatabase, NaiveImage, NaiveKey, NaiveLod, NaiveMesh, NaiveModel,
    NaiveModelRef, NaiveName, NaiveNode, NaivePart, NaivePartRef, NaiveParts, NaiveRoi, NaiveTexture, Place, Real,
};
use worldview_export::{Encoding, hex};

/// What stands for any message of an error.
const BROKEN: &str = "(an error)";

/// Compares all of two values; a float of the JSON is that whose shortest text it is, to the last bit.
pub(crate) fn same(place: &str, json: &Value, expected: &Value) {
    match (json, expected) {
        (Value::Object(json), Value::Object(expected)) => {
            let names = |map: &Map<String, Value>| map.keys().cloned().collect::<BTreeSet<_>>();
            assert_eq!(names(json), names(expected), "{place}");
            for (name, value) in json {
                same(&format!("{place}.{name}"), value, &expected[name]);
            }
        }
        (Value::Array(json), Value::Array(expected)) => {
            assert_eq!(json.len(), expected.len(), "{place}");
            for (index, (value, expected)) in json.iter().zip(expected).enumerate() {
                same(&format!("{place}[{index}]"), value, expected);
            }
        }
        (Value::String(message), Value::String(expected)) if expected == BROKEN => {
            assert!(message.contains(" at offset "), "{place}: {message}");
        }
        (Value::Number(number), expected) if number.is_f64() => {
            let bits = number.to_string().parse::<f32>().unwrap().to_bits();
            assert_eq!(*expected, json!(format!("float {bits:#x}")), "{place}");
        }
        (json, expected) => assert_eq!(json, expected, "{place}"),
    }
}

fn real(real: Real) -> Value {
    let value = real.value();
    if value.is_nan() {
        return if real.0 == 0x7fc0_0000 { json!("NaN") } else { json!(format!("NaN:{:#010x}", real.0)) };
    }
    if value.is_infinite() {
        return json!(if value > 0.0 { "Infinity" } else { "-Infinity" });
    }
    json!(format!("float {:#x}", real.0))
}

fn reals<const N: usize>(reals: [Real; N]) -> Value {
    reals.into_iter().map(real).collect()
}

fn put_name(map: &mut Value, member: &str, name: &NaiveName, nuls: usize) {
    if name.0.is_empty() {
        map[member] = Value::Null;
        return;
    }
    let text = name.text();
    map[member] = json!(Encoding::Windows1252.decode(&text));
    let usual = [text.as_slice(), &[0][..nuls]].concat();
    if name.0 != usual || text.iter().any(|&byte| byte > 127) {
        map[format!("{member}_bytes")] = json!(hex(&name.0));
    }
}

fn place(place: Place) -> Value {
    json!({"offset": place.offset, "length": place.length})
}

fn image(image: &NaiveImage, full: bool) -> Value {
    let palette: Vec<_> = image.palette.iter().map(|[r, g, b]| format!("#{r:02x}{g:02x}{b:02x}")).collect();
    let mut json = json!({"at": image.at, "width": image.width, "height": image.height, "palette": palette});
    if full {
        let mut rows = Vec::new();
        if !image.pixels.is_empty() {
            for y in 0..image.height as usize {
                let row = &image.pixels[y * image.width as usize..(y + 1) * image.width as usize];
                rows.push(row.iter().map(|pixel| format!("{pixel:02x}")).collect::<String>());
            }
        }
        json["pixels"] = json!(rows);
    }
    json
}

fn texture(texture: &NaiveTexture, full: bool) -> Value {
    // The first thing of a texture is its name, and behind that is the image.
    let at = texture.image.at - 4 - texture.name.0.len() as u64;
    let mut text = texture.name.text();
    if texture.second.is_some() {
        text.remove(0);
    }
    let images = [Some(&texture.image), texture.second.as_ref()].into_iter().flatten();
    let images: Vec<_> = images.map(|one| image(one, full)).collect();
    let mut json = json!({"at": at, "real_name": Encoding::Windows1252.decode(&text), "images": images});
    put_name(&mut json, "name", &texture.name, 0);
    json
}

fn textures(textures: &[NaiveTexture], full: bool) -> Value {
    textures.iter().map(|one| texture(one, full)).collect()
}

fn mesh(lod: &NaiveLod, mesh: &NaiveMesh, full: bool) -> Value {
    let [r, g, b] = mesh.colour;
    let mut json = json!({
        "at": mesh.at, "triangle_count": mesh.triangles, "vertex_count": mesh.vertices,
        "uv_index_count": mesh.uv_index_count, "color": format!("#{r:02x}{g:02x}{b:02x}"), "alpha": real(mesh.alpha),
        "shading": mesh.shading, "specular": mesh.specular, "unknown": mesh.unknown, "alias": mesh.alias,
    });
    put_name(&mut json, "texture", &mesh.texture, 0);
    put_name(&mut json, "material", &mesh.material, 0);
    if full {
        json["corners"] = json!(mesh.corners);
        json["uv_indices"] = json!(mesh.uv_indices);
        match naive::decode(lod, mesh) {
            Ok(geometry) => {
                json["geometry"] = json!({
                    "positions": geometry.positions.into_iter().map(reals).collect::<Value>(),
                    "normals": geometry.normals.into_iter().map(reals).collect::<Value>(),
                    "uvs": geometry.uvs.into_iter().map(reals).collect::<Value>(),
                    "indices": geometry.indices,
                });
            }
            Err(_) => json["error"] = json!(BROKEN),
        }
    }
    json
}

fn lod(lod: &NaiveLod, full: bool) -> Value {
    let mut json = json!({
        "at": lod.at, "flags": lod.flags, "counts": lod.counts, "position_count": lod.vertices.len(),
        "normal_count": lod.normals.len(), "uv_count": lod.uv_count,
        "meshes": lod.meshes.iter().map(|one| mesh(lod, one, full)).collect::<Value>(),
    });
    if full {
        json["positions"] = lod.vertices.iter().copied().map(reals).collect();
        json["normals"] = lod.normals.iter().copied().map(reals).collect();
        json["uvs"] = lod.uvs.iter().copied().map(reals).collect();
    }
    json
}

fn put_lods(json: &mut Value, lods: &[NaiveLod], end: u64, full: bool) {
    json["lods"] = lods.iter().map(|one| lod(one, full)).collect();
    json["lods_end"] = json!(end);
}

fn part(part: &NaivePart, full: bool) -> Value {
    let mut json = json!({"at": part.at, "end": part.end_offset});
    put_name(&mut json, "name", &part.name, 0);
    put_lods(&mut json, &part.lods, part.lods_end, full);
    json
}

fn parts(parts: &NaiveParts, full: bool) -> Value {
    json!({
        "textures_offset": parts.texture_offset, "parts": parts.parts.iter().map(|one| part(one, full)).collect::<Value>(),
        "parts_end": parts.parts_end, "textures": textures(&parts.textures, full), "textures_end": parts.textures_end,
    })
}

fn keys<T: Copy>(keys: &[NaiveKey<T>], value: impl Fn(T) -> Value) -> Value {
    keys.iter().map(|key| json!({"time": key.time, "flags": key.flags, "value": value(key.value)})).collect()
}

fn node(node: &NaiveNode, full: bool) -> Value {
    let mut json = json!({
        "at": node.at, "parent": node.parent, "child_count": node.child_count,
        "translation_count": node.translations.len(), "rotation_count": node.rotations.len(),
        "scale_count": node.scales.len(), "morph_count": node.morphs.len(),
    });
    put_name(&mut json, "name", &node.name, 0);
    if full {
        json["translations"] = keys(&node.translations, reals);
        json["rotations"] = keys(&node.rotations, reals);
        json["scales"] = keys(&node.scales, reals);
        json["morphs"] = keys(&node.morphs, |visible| json!(visible));
    }
    json
}

fn roi(roi: &NaiveRoi, full: bool) -> Value {
    let mut json = json!({
        "at": roi.at, "parent": roi.parent, "centre": reals(roi.centre), "radius": real(roi.radius),
        "minimum": reals(roi.minimum), "maximum": reals(roi.maximum), "shared": roi.shared, "end": roi.end_offset,
        "child_count": roi.child_count,
    });
    put_name(&mut json, "name", &roi.name, 0);
    put_name(&mut json, "color_name", &roi.texture, 0);
    put_lods(&mut json, &roi.lods, roi.lods_end, full);
    json
}

fn model(model: &NaiveModel, full: bool) -> Value {
    let actors = model.actors.iter().map(|actor| {
        let mut json = json!({"type": actor.kind});
        put_name(&mut json, "name", &actor.name, 0);
        json
    });
    let name = |node: &NaiveNode| node.name.0.len() as u64;
    // Behind the last node the first object begins.
    let sizes = |node: &NaiveNode| {
        let keys = 16 * (node.translations.len() + node.scales.len()) + 20 * node.rotations.len();
        16 + name(node) + (keys + 5 * node.morphs.len()) as u64
    };
    let last = model.nodes.last().unwrap();
    json!({
        "model_version": 19, "textures_offset": model.texture_offset, "roi_count": model.roi_count,
        "actors": actors.collect::<Value>(), "duration": model.duration,
        "nodes": model.nodes.iter().map(|one| node(one, full)).collect::<Value>(), "nodes_end": last.at + sizes(last),
        "rois": model.rois.iter().map(|one| roi(one, full)).collect::<Value>(), "rois_end": model.tree_end,
        "skip": model.skip_textures, "textures": textures(&model.textures, full), "textures_end": model.textures_end,
    })
}

fn content(content: &NaiveContent, full: bool) -> Value {
    match content {
        NaiveContent::Parts(one) => parts(one, full),
        NaiveContent::Model(one) => model(one, full),
    }
}

/// The number of a blob, by a search of all.
fn number(naive: &NaiveDatabase, place: Place, kind: Kind) -> Value {
    json!(naive.blobs.iter().position(|blob| (blob.place, blob.kind) == (place, kind)).unwrap())
}

fn part_ref(naive: &NaiveDatabase, part: &NaivePartRef, at: u64) -> Value {
    let mut json = place(part.place);
    json["at"] = json!(at);
    json["blob"] = number(naive, part.place, Kind::Parts);
    put_name(&mut json, "name", &part.name, 1);
    json
}

fn model_ref(naive: &NaiveDatabase, model: &NaiveModelRef, at: u64) -> Value {
    let mut json = place(model.place);
    json["at"] = json!(at);
    json["blob"] = number(naive, model.place, Kind::Model);
    put_name(&mut json, "name", &model.name, 1);
    put_name(&mut json, "presenter", &model.presenter, 1);
    json["location"] = reals(model.location);
    json["direction"] = reals(model.direction);
    json["up"] = reals(model.up);
    json["visible"] = json!(model.visible);
    json
}

/// All worlds; where each thing is follows from the sizes of those before it.
fn worlds(naive: &NaiveDatabase) -> Value {
    let mut at = 4;
    let mut worlds = Vec::new();
    for world in &naive.directory.worlds {
        let mut json = json!({"world": worlds.len(), "at": at});
        put_name(&mut json, "name", &world.name, 1);
        at += 8 + world.name.0.len() as u64;
        let (mut parts, mut models) = (Vec::new(), Vec::new());
        for part in &world.parts {
            parts.push(part_ref(naive, part, at));
            at += 12 + part.name.0.len() as u64;
        }
        at += 4;
        for model in &world.models {
            models.push(model_ref(naive, model, at));
            at += 53 + (model.name.0.len() + model.presenter.0.len()) as u64;
        }
        json["parts"] = parts.into();
        json["models"] = models.into();
        worlds.push(json);
    }
    assert_eq!(at, naive.directory.end);
    worlds.into()
}

fn blob(naive: &NaiveDatabase, number: usize, blob: &NaiveBlob, full: bool) -> Value {
    let (mut references, mut names) = (0, BTreeSet::new());
    for world in &naive.directory.worlds {
        let parts = world.parts.iter().map(|part| (part.place, Kind::Parts, part.name.text()));
        let models = world.models.iter().map(|model| (model.place, Kind::Model, model.name.text()));
        for (_, _, name) in parts.chain(models).filter(|(place, kind, _)| (*place, *kind) == (blob.place, blob.kind)) {
            references += 1;
            names.insert(name);
        }
    }
    let names: Vec<_> = names.iter().map(|name| Encoding::Windows1252.decode(name)).collect();
    let mut json = place(blob.place);
    json["blob"] = json!(number);
    json["kind"] = json!(if blob.kind == Kind::Parts { "parts" } else { "model" });
    json["references"] = json!(references);
    json["names"] = json!(names);
    match &blob.content {
        Ok(one) => json["content"] = content(one, full),
        Err(_) => json["error"] = json!(BROKEN),
    }
    json
}

/// What the full JSON of a file should be, or the short one.
pub(crate) fn expected(bytes: &[u8], naive: &NaiveDatabase, full: bool) -> Value {
    let chunk = naive.directory.textures;
    let global_textures = match &naive.textures {
        Ok(list) => {
            let end = list.last().map_or(chunk.offset + 4, |texture| {
                texture.image.at + 12 + (3 * texture.image.palette.len() + texture.image.pixels.len()) as u64
            });
            let trailing = &bytes[usize::try_from(end).unwrap()..usize::try_from(chunk.offset + chunk.length).unwrap()];
            let mut json = json!({"textures": textures(list, full), "textures_end": end});
            json["trailing_length"] = json!(trailing.len());
            if full {
                json["trailing"] = json!(hex(trailing));
            }
            json
        }
        Err(_) => json!({"error": BROKEN}),
    };
    json!({
        "format": "world", "version": 1, "full": full, "length": bytes.len(), "directory_end": naive.directory.end,
        "texture_chunk": place(chunk), "parts_chunk": place(naive.directory.parts), "worlds": worlds(naive),
        "global_textures": global_textures,
        "global_parts": naive.parts.as_ref().map_or(json!({"error": BROKEN}), |one| parts(one, full)),
        "blobs": naive.blobs.iter().enumerate().map(|(index, one)| blob(naive, index, one, full)).collect::<Value>(),
    })
}
