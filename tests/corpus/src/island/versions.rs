//! What databases say, and other versions of them.

use super::build::build_textures;
use super::naive::{Kind, NaiveContent, NaiveDatabase, NaiveLod, NaiveParts, NaiveTexture, database};
use super::spec::{
    BlobSpec, ContentSpec, DatabaseSpec, ImageSpec, KeySpec, LodSpec, LodsSpec, ModelRefSpec, NodeSpec, PartSpec,
    PartsSpec, PlaceSpec, RoiSpec, TextureSpec,
};
use crate::rng::Rng;

/// What a database says, by the naive reader, as text: everything but places, and counts that do not matter.
pub fn content(file: &[u8]) -> Vec<String> {
    let mut all = database(file).unwrap();
    let mut lines = Vec::new();
    for blob in &mut all.blobs {
        match &mut blob.content {
            Ok(NaiveContent::Parts(parts)) => clean_parts(parts),
            Ok(NaiveContent::Model(model)) => {
                (model.texture_offset, model.tree_end, model.textures_end) = (0, 0, 0);
                model.nodes.iter_mut().for_each(|node| node.at = 0);
                for roi in &mut model.rois {
                    (roi.at, roi.lods_end, roi.end_offset) = (0, 0, roi.end_offset.map(|_| 0));
                    clean_lods(&mut roi.lods);
                }
                clean_textures(&mut model.textures);
            }
            Err(error) => panic!("{error}"),
        }
    }
    let blobs: Vec<_> = all.blobs.iter().map(|blob| format!("{:?}", blob.content)).collect();
    let NaiveDatabase { directory, textures, parts, .. } = &mut all;
    for world in &directory.worlds {
        lines.push(format!("{:?}", world.name));
        for part in &world.parts {
            let blob = directory.blobs().binary_search(&(part.place, Kind::Parts));
            lines.push(format!("{:?} {}", part.name, blobs[blob.unwrap()]));
        }
        for model in &world.models {
            let blob = directory.blobs().binary_search(&(model.place, Kind::Model));
            let mut model = model.clone();
            model.place = Default::default();
            lines.push(format!("{model:?} {}", blobs[blob.unwrap()]));
        }
    }
    clean_textures(textures.as_mut().unwrap());
    clean_parts(parts.as_mut().unwrap());
    lines.push(format!("{textures:?} {parts:?}"));
    lines
}

fn clean_parts(parts: &mut NaiveParts) {
    (parts.texture_offset, parts.parts_end, parts.textures_end) = (0, 0, 0);
    for part in &mut parts.parts {
        (part.at, part.end_offset, part.lods_end) = (0, 0, 0);
        clean_lods(&mut part.lods);
    }
    clean_textures(&mut parts.textures);
}

fn clean_textures(textures: &mut [NaiveTexture]) {
    for texture in textures {
        texture.image.at = 0;
        texture.second.iter_mut().for_each(|image| image.at = 0);
    }
}

fn clean_lods(lods: &mut [NaiveLod]) {
    for lod in lods {
        (lod.at, lod.uv_count) = (0, lod.uv_count.map(|count| count.max(0)));
        for mesh in &mut lod.meshes {
            (mesh.at, mesh.corners_at, mesh.uv_indices_at) = (0, 0, 0);
            mesh.uv_index_count = mesh.uv_index_count.min(1);
        }
    }
}

/// Returns an index below a length, or 0.
fn index(rng: &mut Rng, len: usize) -> usize {
    rng.below(len as u32) as usize
}

/// Another version of a database: everything that changes can express.
pub fn vary(rng: &mut Rng, spec: &DatabaseSpec) -> DatabaseSpec {
    let mut other = spec.clone();
    for world in &mut other.worlds {
        if world.name.len() > 1 && rng.one_in(4) {
            world.name.insert(0, b'x');
        }
        for _ in 0..rng.below(4) {
            if world.models.is_empty() {
                break;
            }
            let at = index(rng, world.models.len());
            match rng.below(7) {
                0 => drop(world.models.remove(at)),
                1 => {
                    let model = world.models.remove(at);
                    world.models.insert(index(rng, world.models.len() + 1), model);
                }
                2 => {
                    let place = world.models[at].place;
                    let added = ModelRefSpec { place, ..ModelRefSpec::new("Added", 0) }.at([1.5, -2.0, 3.25]);
                    world.models.insert(at, added);
                }
                3 => world.models[at].name = b"Another\0".to_vec(),
                4 => world.models[at].place = world.models[0].place,
                5 => world.models[at].presenter = b"LegoActorPresenter\0".to_vec(),
                _ => (world.models[at].location, world.models[at].visible) = ([0.1, f32::NAN, -0.0], 1),
            }
        }
        if world.parts.len() > 1 && rng.one_in(3) {
            world.parts.swap(0, 1);
        }
    }
    vary_textures(rng, &mut other.textures);
    vary_parts(rng, &mut other.parts);
    for blob in &mut other.blobs {
        match &mut blob.content {
            _ if rng.one_in(2) => {}
            ContentSpec::Parts(parts) => vary_parts(rng, parts),
            ContentSpec::Model(model) => {
                vary_textures(rng, &mut model.textures);
                vary_roi(rng, &mut model.roi);
                vary_node(rng, &mut model.animation.root);
                if rng.one_in(3) {
                    (model.animation.duration, model.skip_textures) = (rng.range(0, 99), rng.below(2));
                }
                if rng.one_in(4) && !model.animation.actors.is_empty() {
                    model.animation.actors.remove(0);
                }
            }
            ContentSpec::Raw(_) => {}
        }
    }
    if rng.one_in(3) {
        // A blob that two references share is theirs alone.
        let blob = other.blobs.iter().position(|blob| matches!(blob.content, ContentSpec::Model(_))).unwrap();
        let ContentSpec::Model(mut model) = other.blobs[blob].content.clone() else { unreachable!() };
        model.roi.radius = 77.0;
        let place = PlaceSpec::Blob(other.blobs.len());
        other.blobs.push(BlobSpec::model(*model));
        let models = other.worlds.iter_mut().flat_map(|world| &mut world.models);
        models.filter(|model| model.place == PlaceSpec::Blob(blob)).skip(1).for_each(|model| model.place = place);
    }
    other
}

fn vary_textures(rng: &mut Rng, textures: &mut Vec<TextureSpec>) {
    for _ in 0..rng.below(3) {
        let at = index(rng, textures.len());
        let Some(texture) = textures.get_mut(at) else { break };
        match rng.below(6) {
            0 if texture.second.is_none() => drop(textures.remove(at)),
            1 => texture.name.extend(b"x"),
            2 => texture.image = ImageSpec::drawn(16, 8, vec![[1, 2, 3], [4, 5, 6]], |x, y| ((x + y) % 2) as u8),
            3 => {
                let pixel = texture.image.pixels.first_mut();
                pixel.into_iter().for_each(|pixel| *pixel ^= 1);
            }
            4 => textures.insert(at, TextureSpec::new("new.gif", ImageSpec::plain(4, 4, [9, 8, 7]))),
            _ => textures.reverse(),
        }
    }
}

fn vary_parts(rng: &mut Rng, parts: &mut PartsSpec) {
    vary_textures(rng, &mut parts.textures);
    for _ in 0..rng.below(3) {
        let at = index(rng, parts.parts.len());
        let Some(part) = parts.parts.get_mut(at) else { break };
        match rng.below(5) {
            0 => drop(parts.parts.remove(at)),
            1 => {
                let part = PartSpec::new("added", part.lods.clone());
                parts.parts.insert(at, part);
            }
            2 => parts.parts.rotate_left(1),
            _ => vary_lods(rng, &mut part.lods),
        }
    }
}

fn vary_lods(rng: &mut Rng, lods: &mut Vec<LodSpec>) {
    for _ in 0..rng.below(4) {
        let at = index(rng, lods.len());
        let Some(lod) = lods.get_mut(at) else { return lods.push(LodSpec::empty(8)) };
        match rng.below(7) {
            0 => drop(lods.remove(at)),
            1 => lods.insert(at, LodSpec::empty(0)),
            2 if lod.flags & 4 == 0 && !lod.meshes.is_empty() => drop(lod.meshes.remove(0)),
            3 if lod.flags & 4 == 0 && !lod.meshes.is_empty() => {
                let mesh = lod.meshes[0].clone();
                lod.meshes.push(mesh);
            }
            4 => lod.vertices.iter_mut().for_each(|point| point[1] += 0.5),
            _ => {
                for mesh in &mut lod.meshes {
                    (mesh.color, mesh.alpha) = ([rng.below(256) as u8; 3], 0.5);
                    mesh.texture = b"other.gif".to_vec();
                }
            }
        }
    }
}

fn vary_roi(rng: &mut Rng, roi: &mut RoiSpec) {
    match rng.below(9) {
        0 => roi.children.push(RoiSpec::new("new", vec![LodSpec::empty(0)]).child(RoiSpec::shared("below1"))),
        1 if !roi.children.is_empty() => drop(roi.children.remove(0)),
        2 => roi.texture = b"lego red".to_vec(),
        3 => roi.name.extend(b"_x"),
        4 => roi.minimum = [0.25; 3],
        5 if roi.children.len() > 1 => roi.children.swap(0, 1),
        6 => roi.lods = LodsSpec::Shared(1),
        _ => {
            if let LodsSpec::Own { lods, .. } = &mut roi.lods {
                vary_lods(rng, lods);
            }
        }
    }
    roi.children.iter_mut().for_each(|child| vary_roi(rng, child));
}

fn vary_node(rng: &mut Rng, node: &mut NodeSpec) {
    match rng.below(7) {
        0 => node.children.push(NodeSpec::new("new").translation(3, [1.0; 3])),
        1 if !node.children.is_empty() => drop(node.children.remove(0)),
        2 => node.translations.push(KeySpec { time: rng.below(9000), flags: 1, value: [0.5; 3] }),
        3 if !node.rotations.is_empty() => drop(node.rotations.remove(0)),
        4 => node.scales.iter_mut().for_each(|key| key.value[0] = 9.0),
        5 => node.morphs.iter_mut().for_each(|key| key.time += 1),
        _ => node.name.extend(b"y"),
    }
    node.children.iter_mut().for_each(|child| vary_node(rng, child));
}

/// A database in which no name repeats, as in the game's own file.
pub fn without_repetition(mut spec: DatabaseSpec) -> DatabaseSpec {
    let mut count = 0;
    let mut tag = |name: &mut Vec<u8>| {
        count += 1;
        name.truncate(name.iter().position(|&byte| byte == 0).unwrap_or(name.len()));
        name.extend(format!("_{count}").bytes());
    };
    fn rois(roi: &mut RoiSpec, tag: &mut dyn FnMut(&mut Vec<u8>)) {
        tag(&mut roi.name);
        roi.children.iter_mut().for_each(|child| rois(child, tag));
    }
    fn nodes(node: &mut NodeSpec, tag: &mut dyn FnMut(&mut Vec<u8>)) {
        tag(&mut node.name);
        let mut time = 0;
        let mut later = |key: &mut u32| (time, *key) = (time + 7, time + 7);
        node.translations.iter_mut().for_each(|key| later(&mut key.time));
        node.rotations.iter_mut().for_each(|key| later(&mut key.time));
        node.scales.iter_mut().for_each(|key| later(&mut key.time));
        node.morphs.iter_mut().for_each(|key| later(&mut key.time));
        node.children.iter_mut().for_each(|child| nodes(child, tag));
    }
    for world in &mut spec.worlds {
        let mut seen = std::collections::HashSet::new();
        world.models.retain(|model| seen.insert(model.name.clone()));
    }
    let globals = spec.textures.iter_mut().chain(&mut spec.parts.textures);
    globals.for_each(|texture| tag(&mut texture.name));
    for blob in &mut spec.blobs {
        let textures = match &mut blob.content {
            ContentSpec::Parts(parts) => &mut parts.textures,
            ContentSpec::Model(model) => {
                rois(&mut model.roi, &mut tag);
                nodes(&mut model.animation.root, &mut tag);
                &mut model.textures
            }
            ContentSpec::Raw(_) => continue,
        };
        textures.iter_mut().for_each(|texture| tag(&mut texture.name));
    }
    spec
}

/// A texture file, of whose textures two have names that differ in case only.
pub fn list_of_textures(seed: u32) -> Vec<u8> {
    let texture = |index: u32| {
        let palette = (0..=u8::try_from(seed + index).unwrap()).map(|color| [color, 7, 9]).collect();
        let image =
            ImageSpec::drawn(2 + index, 1 + seed, palette, |x, y| u8::try_from((x * y) % (seed + index + 1)).unwrap());
        TextureSpec::new(["Dog.gif", "cat.bmp", "dog.GIF"][index as usize % 3], image)
    };
    let list: Vec<_> = (0..3 + seed % 3).map(texture).collect();
    build_textures(&list, &b"\0"[..seed as usize % 2]).bytes
}
