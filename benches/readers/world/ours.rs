//! The views of this project.
use worldview::island::{Content, Contents, Database, Image, Lod, Model, Node, Parts, Textures};
use worldview_core::zerocopy::IntoBytes as _;

use crate::readers::{Sum as _, bytes as sum_of_bytes, words};

/// Returns the digest of a file.
pub fn digest(bytes: &[u8]) -> Option<u32> {
    let database = Database::parse(bytes).ok()?;
    let contents = Contents::read(&database);
    let mut sum = 0_u32;
    for part in database.part_refs() {
        sum = sum.wrapping_add(words(part.range.as_bytes()));
    }
    for model in database.model_refs() {
        let [place @ .., visible] = model.placement.as_bytes() else {
            return None;
        };
        sum = sum
            .wrapping_add(words(model.range.as_bytes()))
            .wrapping_add(words(place))
            .wrapping_add(u32::from(*visible));
    }
    sum = sum.wrapping_add(textures(contents.textures.ok()?));
    sum = sum.wrapping_add(parts(&contents.parts.ok()?));
    for blob in contents.blobs {
        sum = sum.wrapping_add(match blob.ok()? {
            Content::Parts(content) => parts(&content),
            Content::Model(content) => model(&content),
        });
    }
    Some(sum)
}

fn textures(textures: Textures<'_>) -> u32 {
    let images = textures.iter().flat_map(|texture| [Some(texture.image), texture.second]);
    images.flatten().map(image).fold(0, u32::wrapping_add)
}

#[expect(clippy::cast_possible_truncation, reason = "a palette has at most 256 colors")]
fn image(image: Image<'_>) -> u32 {
    let colors = image.palette.len() as u32;
    [image.width, image.height, colors, sum_of_bytes(image.palette.as_bytes()), sum_of_bytes(image.pixels)].sum()
}

fn parts(parts: &Parts<'_>) -> u32 {
    let lods = parts.iter().flat_map(|part| part.lods.iter());
    lods.map(lod).fold(textures(parts.textures), u32::wrapping_add)
}

fn lod(lod: Lod<'_>) -> u32 {
    let mut sum = [words(lod.positions.as_bytes()), words(lod.normals.as_bytes()), words(lod.uvs.as_bytes())].sum();
    for mesh in lod.meshes.iter() {
        sum = sum.wrapping_add(words(mesh.corners.as_bytes())).wrapping_add(words(mesh.uv_indices.as_bytes()));
    }
    sum
}

fn model(model: &Model<'_>) -> u32 {
    let mut sum = textures(model.textures);
    for node in model.animation.nodes.iter() {
        sum = sum.wrapping_add(keys(node));
    }
    for roi in model.rois.iter() {
        sum = sum.wrapping_add(words(roi.bounds.as_bytes()));
        sum = sum.wrapping_add(roi.lods.iter().map(lod).fold(0, u32::wrapping_add));
    }
    sum
}

fn keys(node: Node<'_>) -> u32 {
    let moves = [node.translations.as_bytes(), node.scales.as_bytes(), node.rotations.as_bytes()].map(words).sum();
    let morphs = node.morphs.iter().map(|key| key.when.word.get().wrapping_add(key.visible.into()));
    morphs.fold(moves, u32::wrapping_add)
}
