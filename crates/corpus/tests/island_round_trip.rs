//! What the builder writes, the naive reader finds again, down to the last bit.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

use std::collections::BTreeSet;

use worldview_corpus::island::build::build;
use worldview_corpus::island::generate::{database as bulk, edge_cases, small};
use worldview_corpus::island::naive::{
    Kind, NaiveContent, NaiveDatabase, NaiveImage, NaiveKey, NaiveLod, NaiveMesh, NaiveModel, NaiveNode, NaiveParts,
    NaiveRoi, NaiveTexture, Place, Real, database, decode, placed, unresolved,
};
use worldview_corpus::island::spec::{
    ContentSpec, CornerSpec, DatabaseSpec, ImageSpec, KeySpec, LodSpec, LodsSpec, MeshSpec, ModelSpec, NodeSpec,
    PartsSpec, RoiSpec, TextureSpec,
};

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

/// Compares a file that is sound with what it was built from.
fn check(spec: &DatabaseSpec) -> NaiveDatabase {
    let built = build(spec);
    let found = database(&built.bytes).unwrap();
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
    found
}

#[test]
fn small_databases() {
    let mut sizes = BTreeSet::new();
    for seed in 0..300 {
        let spec = small(seed);
        let found = check(&spec);
        let again = build(&small(seed));
        assert!(again == build(&spec), "the same seed is the same file");
        sizes.insert(again.bytes.len());
        for world in &found.directory.worlds {
            for reference in &world.models {
                let blob = found.find(reference.place, Kind::Model).unwrap();
                let model = found.model_of(blob).unwrap();
                for time in [0.0, 333.5, 2000.0] {
                    assert_eq!(placed(model, reference, time).unwrap().len(), model.rois.len());
                }
            }
        }
        unresolved(&found).unwrap();
    }
    assert!(sizes.len() > 250, "seeds differ");
    assert!(sizes.last() < Some(&60_000), "{sizes:?}");
}

#[test]
fn every_small_database_has_every_feature() {
    for seed in 0..40 {
        let spec = small(seed);
        let found = check(&spec);
        let models: Vec<_> = (0..found.blobs.len()).filter_map(|blob| found.model_of(blob)).collect();
        let parts: Vec<_> = (0..found.blobs.len()).filter_map(|blob| found.parts_of(blob)).collect();
        let rois: Vec<_> = models.iter().flat_map(|model| &model.rois).collect();
        let lods: Vec<_> = rois.iter().flat_map(|roi| &roi.lods).collect();
        let has = [
            (
                "a blob of several references",
                found.directory.worlds.iter().flat_map(|w| &w.models).count() > models.len(),
            ),
            ("several blobs of each kind", models.len() > 2 && parts.len() > 1),
            ("skipped textures", models.iter().any(|model| model.skip_textures != 0)),
            ("pairs in models", models.iter().all(|model| model.textures[0].second.is_some())),
            ("pairs in parts", parts.iter().all(|parts| parts.textures[0].second.is_some())),
            ("a part without levels", parts.iter().all(|parts| parts.parts[1].lods.is_empty())),
            ("an actor with a name", models.iter().any(|model| model.actors[0].kind.is_some())),
            ("keys of every kind on the root", {
                let root = &models[0].nodes[0];
                !root.translations.is_empty()
                    && !root.rotations.is_empty()
                    && !root.scales.is_empty()
                    && !root.morphs.is_empty()
            }),
            ("a shared object with digits", rois.iter().any(|roi| roi.shared != 0 && roi.list_key() != roi.name.key())),
            ("an object without levels", rois.iter().any(|roi| roi.shared == 0 && roi.lods.is_empty())),
            ("an extra level", lods.iter().any(|lod| lod.is_extra())),
            ("a level with nothing behind its flags", lods.iter().any(|lod| lod.mesh_count.is_none())),
            ("a level without meshes", lods.iter().any(|lod| lod.mesh_count == Some(0))),
            ("a world without a name", found.directory.worlds.iter().any(|world| world.name.is_absent())),
        ];
        for (feature, is_there) in has {
            assert!(is_there, "seed {seed} lacks {feature}");
        }
    }
}

#[test]
fn large_databases_have_the_proportions_of_the_real_one() {
    let file = bulk(1, 10_000_000);
    assert!((8_500_000..11_500_000).contains(&file.len()), "{} bytes", file.len());
    let found = database(&file).unwrap();
    let models: Vec<_> = (0..found.blobs.len()).filter_map(|blob| found.model_of(blob)).collect();
    assert_eq!((found.blobs.len(), models.len()), (58 + 193, 193));
    assert_eq!(found.textures.as_ref().unwrap().len(), 43);
    assert_eq!(found.parts.as_ref().unwrap().parts.len(), 58);
    assert_eq!(unresolved(&found).unwrap(), []);
    let end = found.blobs.last().unwrap().place;
    assert_eq!(end.offset + end.length, u64::try_from(file.len()).unwrap());
    let largest = found.blobs.iter().map(|blob| blob.place.length).max().unwrap();
    let smallest = found.blobs.iter().map(|blob| blob.place.length).min().unwrap();
    assert!((100_000..900_000).contains(&largest) && smallest < 3000, "{smallest} to {largest}");
    let (mut pool, mut emitted, mut triangles) = (0, 0, 0);
    for lod in models.iter().flat_map(|model| &model.rois).flat_map(|roi| &roi.lods) {
        pool += lod.vertices.len();
        for mesh in &lod.meshes {
            emitted += decode(lod, mesh).unwrap().positions.len();
            triangles += usize::from(mesh.triangles);
        }
    }
    assert!((120..220).contains(&(emitted * 100 / pool)), "{emitted} vertices of {pool} positions");
    assert!(triangles > 100_000, "{triangles} triangles");
    assert!(bulk(1, 10_000_000) == file, "the same seed is the same file");
}

#[test]
fn databases_of_any_size() {
    for (seed, target) in [(1, 0), (2, 100_000), (3, 500_000), (4, 2_000_000)] {
        let file = bulk(seed, target);
        assert!(file.len() < target * 3 / 2 + 150_000, "{} bytes for {target}", file.len());
        assert!(file.len() > target * 2 / 3, "{} bytes for {target}", file.len());
        let found = database(&file).unwrap();
        assert!(found.blobs.iter().all(|blob| blob.content.is_ok()));
        assert_eq!(unresolved(&found).unwrap(), []);
    }
}

#[test]
fn edge_cases_are_different_files() {
    let cases = edge_cases();
    let names: BTreeSet<_> = cases.iter().map(|(name, _)| name).collect();
    assert_eq!(names.len(), cases.len());
    let mut files = std::collections::BTreeMap::new();
    for (name, bytes) in &cases {
        if let Some(other) = files.insert(bytes, name) {
            panic!("{name} is {other}");
        }
    }
    assert!(cases.len() > 350, "{} cases", cases.len());
    let size: usize = cases.iter().map(|(_, bytes)| bytes.len()).sum();
    assert!(size < 2_000_000, "{size} bytes");
}
