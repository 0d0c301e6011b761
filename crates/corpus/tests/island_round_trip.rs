//! What the builder writes, the naive reader finds again, down to the last bit.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

use std::collections::BTreeSet;

use worldview_corpus::island::build::build;
use worldview_corpus::island::generate::{database as bulk, edge_cases, small};
use worldview_corpus::island::naive::{Kind, NaiveDatabase, database, decode, placed, unresolved};
use worldview_corpus::island::same::assert_same;
use worldview_corpus::island::spec::DatabaseSpec;

/// Compares a file that is sound with what it was built from.
fn check(spec: &DatabaseSpec) -> NaiveDatabase {
    let built = build(spec);
    let found = database(&built.bytes).unwrap();
    assert_same(&found, &built, spec);
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
