//! Compares what the naive reader found with what was described.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a difference is a panic, for tests and fuzzers")]

use super::naive::{
    NaiveContent, NaiveDatabase, NaiveImage, NaiveKey, NaiveLod, NaiveMesh, NaiveModel, NaiveNode, NaiveParts,
    NaiveRoi, NaiveTexture, Place, Real, decode,
};
use super::spec::{
    ContentSpec, CornerSpec, DatabaseSpec, ImageSpec, KeySpec, LodSpec, LodsSpec, MeshSpec, ModelSpec, NodeSpec,
    PartsSpec, RoiSpec, TextureSpec,
};
use crate::builder::Built;

fn bits<const N: usize>(values: [f32; N]) -> [Real; N] {
    values.map(Real::from)
}

fn same_image(found: &NaiveImage, spec: &ImageSpec) {
    assert_eq!((found.width, found.height), (spec.width, spec.height));
    assert!(found.palette == spec.palette && found.pixels == spec.pixels);
}

fn same_textures(found: &[NaiveTexture], spec: &[TextureSpec]) {
    assert_eq!(found.len(), spec.len());
    for (found, spec) in found.iter().zip(spec) {
        assert_eq!(found.name.0, spec.name);
        same_image(&found.image, &spec.image);
        assert_eq!(found.second.is_some(), spec.second.is_some());
        if let (Some(found), Some(spec)) = (&found.second, &spec.second) {
            same_image(found, spec);
        }
    }
}

fn same_mesh(lod: &NaiveLod, found: &NaiveMesh, spec: &MeshSpec) {
    let words: Vec<_> = spec.corners.iter().map(|corner| corner.words()).collect();
    assert_eq!(found.corners, words.iter().map(|word| word.0).collect::<Vec<_>>());
    let uvs: Vec<_> = words.iter().filter(|_| spec.has_uvs).map(|word| word.1).collect();
    assert_eq!(found.uv_indices, uvs);
    assert_eq!((found.colour, found.alpha), (spec.colour, Real::from(spec.alpha)));
    let bytes = (found.shading, found.specular, found.unknown, found.alias);
    assert_eq!(bytes, (spec.shading, spec.specular, spec.unknown, spec.alias));
    assert_eq!((&found.texture.0, &found.material.0), (&spec.texture, &spec.material));

    let shape = decode(lod, found).unwrap();
    assert_eq!(shape.positions.len(), spec.new_vertices());
    assert_eq!((shape.normals.len(), shape.uvs.len()), (shape.positions.len(), shape.positions.len()));
    assert_eq!(shape.indices.len(), spec.corners.len());
    let mut emitted = 0;
    for (&index, corner) in shape.indices.iter().zip(&spec.corners) {
        let at = usize::try_from(index).unwrap();
        match *corner {
            CornerSpec::New { vertex, normal, uv } => {
                assert_eq!(at, emitted);
                emitted += 1;
                assert_eq!(shape.positions[at], lod.vertices[usize::from(vertex)]);
                assert_eq!(shape.normals[at], lod.normals[usize::from(normal)]);
                let has_uv = spec.has_uvs && !lod.uvs.is_empty();
                let uv = if has_uv { lod.uvs[usize::try_from(uv).unwrap()] } else { [Real(0); 2] };
                assert_eq!(shape.uvs[at], uv);
            }
            CornerSpec::Back(back) => assert_eq!(at, usize::from(back)),
            CornerSpec::Raw { corner, .. } => assert_eq!(index, corner & 0xFFFF),
        }
    }
}

fn same_lods(found: &[NaiveLod], spec: &[LodSpec]) {
    assert_eq!(found.len(), spec.len());
    for (found, spec) in found.iter().zip(spec) {
        assert_eq!(found.flags, spec.flags);
        assert_eq!(found.mesh_count.is_none(), spec.flags & 4 != 0);
        assert_eq!(found.meshes.len(), spec.meshes.len());
        if spec.meshes.is_empty() {
            assert!(found.counts.is_none() && found.vertices.is_empty());
            continue;
        }
        assert_eq!(found.vertices, spec.vertices.iter().map(|&v| bits(v)).collect::<Vec<_>>());
        assert_eq!(found.normals, spec.normals.iter().map(|&v| bits(v)).collect::<Vec<_>>());
        assert_eq!(found.uvs, spec.uvs.iter().map(|&v| bits(v)).collect::<Vec<_>>());
        for (mesh, spec) in found.meshes.iter().zip(&spec.meshes) {
            same_mesh(found, mesh, spec);
        }
    }
}

fn same_keys<T: Copy, U: Copy + PartialEq + std::fmt::Debug>(
    found: &[NaiveKey<U>],
    spec: &[KeySpec<T>],
    value: impl Fn(T) -> U,
) {
    let spec = spec.iter().map(|key| NaiveKey { time: key.time, flags: key.flags, value: value(key.value) });
    assert_eq!(found, spec.collect::<Vec<_>>());
}

/// Compares a node and those below it, and gives the number of the next one.
fn same_node(found: &[NaiveNode], at: usize, parent: Option<usize>, spec: &NodeSpec) -> usize {
    let node = &found[at];
    assert_eq!((node.parent, &node.name.0), (parent, &spec.name));
    same_keys(&node.translations, &spec.translations, bits);
    same_keys(&node.rotations, &spec.rotations, bits);
    same_keys(&node.scales, &spec.scales, bits);
    same_keys(&node.morphs, &spec.morphs, |value| value);
    spec.children.iter().fold(at + 1, |next, child| same_node(found, next, Some(at), child))
}

/// Compares an object and those below it, and gives the number of the next one.
fn same_roi(found: &[NaiveRoi], at: usize, parent: Option<usize>, spec: &RoiSpec) -> usize {
    let roi = &found[at];
    assert_eq!((roi.parent, &roi.name.0, &roi.texture.0), (parent, &spec.name, &spec.texture));
    assert_eq!((roi.centre, roi.radius), (bits(spec.centre), spec.radius.into()));
    assert_eq!((roi.minimum, roi.maximum), (bits(spec.minimum), bits(spec.maximum)));
    match &spec.lods {
        LodsSpec::Shared(flag) => assert_eq!((roi.shared, roi.lods.len()), (*flag, 0)),
        LodsSpec::Own { lods, before_end } => {
            assert_eq!((roi.shared, roi.end_offset.is_some()), (0, !lods.is_empty()));
            same_lods(&roi.lods, lods);
            let gap = u64::try_from(before_end.len()).unwrap();
            assert!(lods.is_empty() || gap < 9, "the generator writes few bytes before an end");
        }
    }
    spec.children.iter().fold(at + 1, |next, child| same_roi(found, next, Some(at), child))
}

fn same_model(found: &NaiveModel, spec: &ModelSpec) {
    assert_eq!((found.roi_count, found.duration), (spec.roi_count, spec.animation.duration));
    assert_eq!(found.skip_textures, spec.skip_textures);
    same_textures(&found.textures, &spec.textures);
    assert_eq!(found.actors.len(), spec.animation.actors.len());
    for (found, spec) in found.actors.iter().zip(&spec.animation.actors) {
        assert_eq!((&found.name.0, found.kind), (&spec.name, (!spec.name.is_empty()).then_some(spec.kind)));
    }
    assert_eq!(same_node(&found.nodes, 0, None, &spec.animation.root), found.nodes.len());
    assert_eq!(same_roi(&found.rois, 0, None, &spec.roi), found.rois.len());
}

fn same_parts(found: &NaiveParts, spec: &PartsSpec) {
    same_textures(&found.textures, &spec.textures);
    assert_eq!(found.parts.len(), spec.parts.len());
    for (found, spec) in found.parts.iter().zip(&spec.parts) {
        assert_eq!(found.name.0, spec.name);
        same_lods(&found.lods, &spec.lods);
    }
}

/// Compares what was found in a file that is sound with what it was built from; the first difference is a panic.
pub fn assert_same(found: &NaiveDatabase, built: &Built, spec: &DatabaseSpec) {
    let at = |label: &str| u64::try_from(built.at(label).unwrap_or_else(|| panic!("no {label}"))).unwrap();
    assert_eq!(found.directory.end, at("textures.size"));
    assert_eq!(found.directory.textures.offset, at("textures"));
    same_textures(found.textures.as_ref().unwrap(), &spec.textures);
    same_parts(found.parts.as_ref().unwrap(), &spec.parts);
    assert_eq!(found.directory.worlds.len(), spec.worlds.len());
    let place = |blob: usize| {
        let start = at(&format!("blob[{blob}]"));
        let end = match &spec.blobs[blob].content {
            ContentSpec::Raw(bytes) => start + u64::try_from(bytes.len()).unwrap(),
            _ => at(&format!("blob[{blob}].end")),
        };
        Place { offset: start, length: end - start }
    };
    let blob_of = |offset| (0..spec.blobs.len()).find(|&blob| place(blob).offset == offset).unwrap();
    for (world, spec) in found.directory.worlds.iter().zip(&spec.worlds) {
        assert_eq!(world.name.0, spec.name);
        assert_eq!((world.parts.len(), world.models.len()), (spec.parts.len(), spec.models.len()));
        for (found, spec) in world.parts.iter().zip(&spec.parts) {
            assert_eq!((&found.name.0, found.place), (&spec.name, place(blob_of(found.place.offset))));
        }
        for (found, spec) in world.models.iter().zip(&spec.models) {
            assert_eq!((&found.name.0, &found.presenter.0), (&spec.name, &spec.presenter));
            assert_eq!((found.location, found.direction), (bits(spec.location), bits(spec.direction)));
            assert_eq!((found.up, found.visible), (bits(spec.up), spec.visible));
        }
    }
    for blob in &found.blobs {
        let number = blob_of(blob.place.offset);
        assert_eq!(blob.place, place(number));
        match (blob.content.as_ref().unwrap(), &spec.blobs[number].content) {
            (NaiveContent::Parts(found), ContentSpec::Parts(spec)) => same_parts(found, spec),
            (NaiveContent::Model(found), ContentSpec::Model(spec)) => same_model(found, spec),
            _ => panic!("a blob of another kind"),
        }
    }
}
