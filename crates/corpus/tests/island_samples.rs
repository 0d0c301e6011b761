//! The sample holds together: small, read by the naive reader to the last vertex, and with something of everything.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

use std::collections::BTreeSet;

use worldview_corpus::island::naive::{
    Kind, NaiveDatabase, NaiveLod, NaiveModel, NaiveName, Real, Scope, TextureSource, database, decode, is_inherited,
    material, placed, texture_of, unresolved,
};
use worldview_corpus::island::samples::samples;

fn read() -> NaiveDatabase {
    database(&samples()[0].1).unwrap()
}

fn models(db: &NaiveDatabase) -> Vec<&NaiveModel> {
    (0..db.blobs.len()).filter_map(|blob| db.model_of(blob)).collect()
}

fn lods(db: &NaiveDatabase) -> Vec<&NaiveLod> {
    let mut out: Vec<_> = models(db).iter().flat_map(|model| &model.rois).flat_map(|roi| &roi.lods).collect();
    let parts = (0..db.blobs.len()).filter_map(|blob| db.parts_of(blob)).chain(db.parts.as_ref().ok());
    out.extend(parts.flat_map(|parts| &parts.parts).flat_map(|part| &part.lods));
    out
}

#[test]
fn name_and_size() {
    let samples = samples();
    let [(name, bytes)] = &samples[..] else { panic!("one sample") };
    assert_eq!(*name, "world.wdb");
    assert!((100_000..150_000).contains(&bytes.len()), "{} bytes", bytes.len());
    let db = read();
    let names: Vec<_> = db.directory.worlds.iter().map(|world| world.name.text()).collect();
    assert_eq!(names, [&b"BAY"[..], b"MEADOW", b"TOYBOX"]);
    assert!(db.blobs.iter().all(|blob| blob.content.is_ok()));
    assert!(db.textures.is_ok() && db.parts.is_ok());
    assert_eq!(unresolved(&db).unwrap(), []);
    // Every byte belongs to something, and every blob is referred to.
    let mut at = db.directory.parts.offset + db.directory.parts.length;
    for blob in &db.blobs {
        assert_eq!(blob.place.offset, at);
        at += blob.place.length;
    }
    assert_eq!(at, u64::try_from(bytes.len()).unwrap());
}

#[test]
fn geometry_is_sound() {
    let db = read();
    let mut count = 0;
    for lod in lods(&db) {
        let mut used = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for mesh in &lod.meshes {
            let shape = decode(lod, mesh).unwrap();
            assert!(mesh.triangles > 0);
            used.0.extend(shape.positions.iter().copied());
            used.1.extend(shape.normals.iter().copied());
            used.2.extend(shape.uvs.iter().copied());
            for normal in &shape.normals {
                let length: f64 = normal.iter().map(|part| part.wide() * part.wide()).sum();
                assert!((length - 1.0).abs() < 1e-3, "{normal:?}");
            }
            for corners in shape.indices.chunks(3) {
                let corner = |i: usize| usize::try_from(corners[i]).unwrap();
                let [a, b, c] = [0, 1, 2].map(|i| shape.positions[corner(i)].map(Real::wide));
                let (u, v) = ([0, 1, 2].map(|i| b[i] - a[i]), [0, 1, 2].map(|i| c[i] - a[i]));
                let out = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
                let normal = shape.normals[corner(0)].map(Real::wide);
                let facing: f64 = out.iter().zip(normal).map(|(a, b)| a * b).sum();
                assert!(facing > -1e-6, "a triangle faces backwards at {}", mesh.at);
                let area: f64 = out.iter().map(|part| part * part).sum();
                assert!(area > 1e-12, "a triangle of no area at {}", mesh.at);
                count += 1;
            }
        }
        assert_eq!(used.0.len(), lod.vertices.len(), "every position is used, and there once");
        assert_eq!(used.1.len(), lod.normals.len(), "every normal is used, and there once");
        assert!(used.2.len() >= lod.uvs.len());
    }
    assert!((2000..4000).contains(&count), "{count} triangles");
    for roi in models(&db).iter().flat_map(|model| &model.rois) {
        for vertex in roi.lods.iter().flat_map(|lod| &lod.vertices) {
            let bounds = roi.minimum.iter().zip(&roi.maximum);
            assert!(bounds.zip(vertex).all(|((low, high), at)| (low.value()..=high.value()).contains(&at.value())));
        }
    }
}

#[test]
fn levels_rise_and_the_first_may_be_extra() {
    let db = read();
    let lists = models(&db).into_iter().flat_map(|model| &model.rois).map(|roi| &roi.lods);
    let parts = (0..db.blobs.len()).filter_map(|blob| db.parts_of(blob)).chain(db.parts.as_ref().ok());
    let parts = parts.flat_map(|parts| &parts.parts).map(|part| &part.lods);
    for list in lists.chain(parts) {
        let triangles = |lod: &NaiveLod| lod.meshes.iter().map(|mesh| usize::from(mesh.triangles)).sum::<usize>();
        assert!(list.is_sorted_by_key(triangles), "{:?}", list.iter().map(triangles).collect::<Vec<_>>());
        assert!(list.iter().skip(1).all(|lod| !lod.is_extra()));
    }
}

#[test]
fn something_of_everything() {
    let db = read();
    let models = models(&db);
    let references: Vec<_> = db.directory.worlds.iter().flat_map(|world| &world.models).collect();
    assert!(references.len() > models.len(), "some models stand more than once");
    assert!(references.iter().any(|reference| reference.visible == 0));
    let nodes = || models.iter().flat_map(|model| &model.nodes);
    assert!(nodes().any(|node| node.translations.len() > 1) && nodes().any(|node| node.rotations.len() > 1));
    assert!(nodes().any(|node| node.scales.len() > 1) && nodes().any(|node| node.morphs.len() > 1));
    assert!(models.iter().any(|model| model.textures.iter().any(|texture| texture.second.is_some())));
    let rois = || models.iter().flat_map(|model| &model.rois);
    assert!(rois().any(|roi| roi.shared != 0) && rois().any(|roi| !roi.texture.is_absent()));
    let lods = lods(&db);
    assert!(lods.iter().any(|lod| lod.is_extra()));
    let meshes = || lods.iter().flat_map(|lod| &lod.meshes);
    assert!(meshes().any(is_inherited) && meshes().any(|mesh| mesh.alias != 0));
    assert!(meshes().any(|mesh| mesh.alpha.value() > 0.0));
    assert!(meshes().any(|mesh| mesh.shading == 0) && meshes().any(|mesh| mesh.shading == 1));
    let magenta = meshes().filter(|mesh| material(mesh, &NaiveName::default()).colour == [255, 0, 255]);
    assert_eq!(magenta.count(), 0, "every alias is in the table");
    let grass = texture_of(&db, Scope::Model { world: 1, model: 0 }, b"grass.gif");
    assert_eq!(grass, Some(TextureSource::Parts(0)));
}

#[test]
fn every_model_stands_and_moves() {
    let db = read();
    for reference in db.directory.worlds.iter().flat_map(|world| &world.models) {
        let model = db.model_of(db.find(reference.place, Kind::Model).unwrap()).unwrap();
        for time in [0.0, 333.0, 1999.0, 60_000.0] {
            let poses = placed(model, reference, time).unwrap();
            assert!(poses.iter().all(|pose| pose.touched), "every object has its node");
            assert!(poses.iter().flat_map(|pose| pose.matrix.as_flattened()).all(|part| part.is_finite()));
            assert_ne!(poses[0].matrix, [[0.0; 4]; 4]);
        }
        let moved = placed(model, reference, 333.0).unwrap() != placed(model, reference, 0.0).unwrap();
        let moves = model.nodes.iter().any(|node| node.translations.len() + node.rotations.len() > 2);
        assert_eq!(moved, moves, "{:?}", String::from_utf8_lossy(&reference.name.text()));
        assert!(placed(model, reference, 0.0).unwrap().len() < 10);
    }
}
