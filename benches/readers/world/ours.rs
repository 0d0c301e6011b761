//! The views of this project.
use worldview::island::{Content, Contents, Database, Image, Lod, Model, Node, Parts, Textures};
use worldview::parallel::{DatabasePart, Parallel};
use worldview_core::zerocopy::IntoBytes as _;

use crate::readers::{Digest, Sum as _, bytes as sum_of_bytes, words};

/// Returns the digest of a file.
pub fn digest(bytes: &[u8]) -> Digest {
    let database = Database::parse(bytes)?;
    let contents = Contents::read(&database);
    let mut sum = references(&database);
    sum = sum.wrapping_add(textures(contents.textures?));
    sum = sum.wrapping_add(parts(&contents.parts?));
    for blob in contents.blobs {
        sum = sum.wrapping_add(content(&blob?));
    }
    Ok(sum)
}

/// Returns the digest of a file, whose chunks and blobs are read by all threads.
pub fn in_parallel(bytes: &[u8]) -> Digest {
    let database = Database::parse(bytes)?;
    let sums = Parallel::new().decode(&database, |part, _| {
        Ok(match part? {
            DatabasePart::Textures(list) => textures(list),
            DatabasePart::Parts(list) => parts(&list),
            DatabasePart::Blob(_, blob) => content(&blob),
        })
    });
    sums.into_iter().try_fold(references(&database), |sum, part: Digest| Ok(sum.wrapping_add(part?)))
}

fn references(database: &Database<'_>) -> u32 {
    let mut sum = 0_u32;
    for part in database.part_refs() {
        sum = sum.wrapping_add(words(part.range.as_bytes()));
    }
    for model in database.model_refs() {
        // The byte after the whole words of a placement is the last one.
        let placement = words(model.placement.as_bytes()).wrapping_add(model.placement.visible.into());
        sum = [sum, words(model.range.as_bytes()), placement].sum();
    }
    sum
}

fn content(content: &Content<'_>) -> u32 {
    match content {
        Content::Parts(content) => parts(content),
        Content::Model(content) => model(content),
    }
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
