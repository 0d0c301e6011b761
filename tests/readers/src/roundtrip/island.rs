//! WORLD.WDB.

use worldview_corpus::island::build::build;
use worldview_corpus::island::spec::{
    BlobSpec, ContentSpec, CornerSpec, DatabaseSpec, ImageSpec, KeySpec, LodSpec, LodsSpec, MeshSpec, ModelSpec,
    NodeSpec, PartsSpec, PlaceSpec, RoiSpec, TextureSpec,
};
use worldview_corpus::island::{LOD_EMPTY, MODEL_VERSION};
use worldview_corpus::trial::Trial;

use super::RULE;
use crate::{Verdict, holds};

pub(super) fn described(mut spec: DatabaseSpec) {
    settle(&mut spec);
    database(&spec);
}

/// Builds a database, which must open without an error and which both readers must read alike.
///
/// # Panics
///
/// Panics on the first difference.
pub fn database(spec: &DatabaseSpec) {
    let built = build(spec);
    let _trial = Trial::new(RULE, "a database", &built.bytes);
    let verdict = crate::island::agree(&built.bytes);
    assert!(matches!(verdict, Ok(Verdict::Same | Verdict::TooMuch)), "{verdict:?}");
    holds(crate::island::lossy_keeps_its_word(&built.bytes));
    let opened = crate::island::read_all(&built.bytes);
    assert_eq!(opened, Ok(()), "a described database does not open");
}

/// Turns the spec into one that a file can express.
fn settle(spec: &mut DatabaseSpec) {
    spec.blobs.retain(|blob| !matches!(blob.content, ContentSpec::Raw(_)));
    for blob in &mut spec.blobs {
        match &mut blob.content {
            ContentSpec::Parts(parts) => settle_parts(parts),
            ContentSpec::Model(model) => settle_model(model),
            ContentSpec::Raw(_) => {}
        }
    }
    let of_kind = |is_model: bool| {
        let blobs = spec.blobs.iter().enumerate();
        let is_it = |blob: &BlobSpec| matches!(blob.content, ContentSpec::Model(_)) == is_model;
        blobs.filter(|(_, blob)| is_it(blob)).map(|(number, _)| number).collect::<Vec<_>>()
    };
    let (parts, models) = (of_kind(false), of_kind(true));
    for world in &mut spec.worlds {
        world.parts.retain_mut(|part| lead(&mut part.place, &parts));
        world.models.retain_mut(|model| lead(&mut model.place, &models));
    }
    for texture in &mut spec.textures {
        texture.second = None;
        settle_image(&mut texture.image);
    }
    settle_parts(&mut spec.parts);
}

/// Redirects a reference to one of these blobs. Returns `false` if there are none.
fn lead(place: &mut PlaceSpec, blobs: &[usize]) -> bool {
    let number = match *place {
        PlaceSpec::Blob(number) => number,
        PlaceSpec::Bytes { offset, .. } => offset as usize,
    };
    let blob = blobs.get(number % blobs.len().max(1));
    blob.inspect(|&&blob| *place = PlaceSpec::Blob(blob)).is_some()
}

fn settle_parts(parts: &mut PartsSpec) {
    for part in &mut parts.parts {
        settle_lods(&mut part.lods);
    }
    parts.textures.iter_mut().for_each(settle_texture);
}

/// In a blob, a `^` at the start of a texture's name means that there are two images.
fn settle_texture(texture: &mut TextureSpec) {
    settle_image(&mut texture.image);
    if let Some(second) = &mut texture.second {
        settle_image(second);
        texture.name.insert(0, b'^');
    } else if let Some(first) = texture.name.first_mut().filter(|first| **first == b'^') {
        *first = b'x';
    }
}

fn settle_image(image: &mut ImageSpec) {
    (image.width, image.height) = (image.width % 9, image.height % 9);
    image.pixels.resize((image.width * image.height) as usize, 1);
    image.palette.truncate(256);
}

fn settle_lods(lods: &mut [LodSpec]) {
    for lod in lods {
        if lod.flags & LOD_EMPTY != 0 {
            lod.meshes.clear();
        }
        if lod.meshes.is_empty() {
            // With this flag, nothing else is written.
            *lod = LodSpec::empty(lod.flags);
            continue;
        }
        if !lod.uvs.is_empty() {
            lod.uv_count = None;
        }
        lod.uv_count = lod.uv_count.map(|count| count.min(0));
        // The two bits without a meaning.
        lod.count_bits &= 0x1_8000;
        let counts = [lod.vertices.len(), lod.normals.len(), lod.uvs.len()];
        lod.meshes.iter_mut().for_each(|mesh| settle_mesh(mesh, counts));
    }
}

fn settle_mesh(mesh: &mut MeshSpec, [vertices, normals, uvs]: [usize; 3]) {
    (mesh.triangles, mesh.vertices) = (None, None);
    let mut emitted = 0_u16;
    for corner in &mut mesh.corners {
        let (one, other) = corner.words();
        let short = |number: u32, count: usize| u16::try_from(number as usize % count.max(1)).unwrap_or(0);
        let is_new = emitted == 0 || matches!(corner, CornerSpec::New { .. });
        if vertices == 0 || normals == 0 {
            *corner = CornerSpec::Back(u16::MAX);
        } else if is_new {
            let uv = u32::from(short(other, uvs));
            *corner = CornerSpec::New { vertex: short(one, vertices), normal: short(one >> 16, normals), uv };
            emitted += 1;
        } else {
            *corner = CornerSpec::Back(short(one, emitted.into()));
        }
    }
    if emitted == 0 {
        mesh.corners.clear();
    }
    mesh.corners.truncate(mesh.corners.len() / 3 * 3);
    mesh.has_uvs &= !mesh.corners.is_empty();
    mesh.uv_index_count = mesh.uv_index_count.filter(|_| mesh.has_uvs).map(|count| count.max(1));
}

fn settle_model(model: &mut ModelSpec) {
    model.version = MODEL_VERSION;
    settle_node(&mut model.animation.root);
    settle_roi(&mut model.roi);
    model.textures.iter_mut().for_each(settle_texture);
}

fn settle_node(node: &mut NodeSpec) {
    node.raw = None;
    node.translations.iter_mut().for_each(settle_key);
    node.rotations.iter_mut().for_each(settle_key);
    node.scales.iter_mut().for_each(settle_key);
    node.morphs.iter_mut().for_each(settle_key);
    node.children.iter_mut().for_each(settle_node);
}

/// Key times have 24 bits.
fn settle_key<T>(key: &mut KeySpec<T>) {
    key.time &= 0xFF_FFFF;
}

fn settle_roi(roi: &mut RoiSpec) {
    roi.raw = None;
    match &mut roi.lods {
        LodsSpec::Shared(flag) => *flag = (*flag).max(1),
        LodsSpec::Own { lods, before_end } => {
            settle_lods(lods);
            before_end.truncate(4);
        }
    }
    roi.children.iter_mut().for_each(settle_roi);
}
