//! The reader of `tests/corpus`, which favors obviousness over speed.
use worldview_corpus::island::naive::{
    NaiveContent, NaiveDatabase, NaiveImage, NaiveKey, NaiveLod, NaiveModel, NaiveNode, NaivePart, NaiveParts,
    NaiveTexture, Place, Real, database,
};

use crate::readers::{Digest, Sum as _, bytes};

/// Returns the digest of a file.
pub fn digest(bytes: &[u8]) -> Digest {
    let database = database(bytes)?;
    let mut sum = directory(&database);
    sum = sum.wrapping_add(all(database.textures.as_ref().map_err(Clone::clone)?, texture));
    sum = sum.wrapping_add(parts(database.parts.as_ref().map_err(Clone::clone)?));
    for blob in &database.blobs {
        sum = sum.wrapping_add(match blob.content.as_ref().map_err(Clone::clone)? {
            NaiveContent::Parts(parts) => self::parts(parts),
            NaiveContent::Model(model) => self::model(model),
        });
    }
    Ok(sum)
}

fn all<T>(list: &[T], sum: impl Fn(&T) -> u32) -> u32 {
    list.iter().map(sum).fold(0, u32::wrapping_add)
}

#[expect(clippy::cast_possible_truncation, reason = "the file stores each in 32 bits")]
fn place(place: Place) -> u32 {
    (place.length as u32).wrapping_add(place.offset as u32)
}

fn directory(database: &NaiveDatabase) -> u32 {
    let mut sum = 0_u32;
    for world in &database.directory.worlds {
        sum = sum.wrapping_add(all(&world.parts, |part| place(part.place)));
        sum = sum.wrapping_add(all(&world.models, |model| {
            let floats = [model.location, model.direction, model.up];
            [place(model.place), all(&floats, reals), model.visible.into()].sum()
        }));
    }
    sum
}

fn reals<const N: usize>(reals: &[Real; N]) -> u32 {
    reals.map(|real| real.0).sum()
}

fn texture(texture: &NaiveTexture) -> u32 {
    image(&texture.image).wrapping_add(texture.second.as_ref().map_or(0, image))
}

#[expect(clippy::cast_possible_truncation, reason = "a palette has at most 256 colors")]
fn image(image: &NaiveImage) -> u32 {
    [image.width, image.height, image.palette.len() as u32, bytes(image.palette.as_flattened()), bytes(&image.pixels)]
        .sum()
}

fn parts(parts: &NaiveParts) -> u32 {
    all(&parts.parts, part).wrapping_add(all(&parts.textures, texture))
}

fn part(part: &NaivePart) -> u32 {
    all(&part.lods, lod)
}

fn lod(lod: &NaiveLod) -> u32 {
    let pools = [all(&lod.vertices, reals), all(&lod.normals, reals), all(&lod.uvs, reals)];
    let meshes = all(&lod.meshes, |mesh| mesh.corners.sum().wrapping_add(mesh.uv_indices.sum()));
    pools.sum().wrapping_add(meshes)
}

fn model(model: &NaiveModel) -> u32 {
    let rois = all(&model.rois, |roi| {
        let bounds = [reals(&roi.center), roi.radius.0, reals(&roi.minimum), reals(&roi.maximum)];
        bounds.sum().wrapping_add(all(&roi.lods, lod))
    });
    [rois, all(&model.nodes, node), all(&model.textures, texture)].sum()
}

fn node(node: &NaiveNode) -> u32 {
    let moves = [all(&node.translations, key), all(&node.scales, key), all(&node.rotations, key)];
    moves.sum().wrapping_add(all(&node.morphs, |key| time(key).wrapping_add(key.value.into())))
}

fn key<const N: usize>(key: &NaiveKey<[Real; N]>) -> u32 {
    time(key).wrapping_add(reals(&key.value))
}

/// Reassembles the first word of a key.
fn time<T>(key: &NaiveKey<T>) -> u32 {
    key.time | u32::from(key.flags) << 24
}
