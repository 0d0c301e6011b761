use std::collections::HashSet;

use serde_json::Value;
use worldview_corpus::island::naive::{self, NaiveDatabase, NaiveLod, NaiveMesh, NaiveModel, Scope, Surface};
use worldview_export::model::glb::LodChoice;

use super::gltf::{Glb, list, number};
use super::looks::{Place, is_material};
use super::support::{files, objects, placed, with, world};

/// Returns the meshes of an object's levels, starting with the best. Those of child objects are not included.
pub(crate) fn levels(glb: &Glb, node: usize) -> Vec<usize> {
    let value = glb.node(node);
    if let Some(mesh) = value.get("mesh") {
        let lower = list(&value["extensions"]["MSFT_lod"], "ids");
        let lower = lower.iter().map(|id| number(&glb.node(number(id))["mesh"]));
        return [number(mesh)].into_iter().chain(lower).collect();
    }
    let own = glb.children(node).into_iter().filter(|&child| glb.node(child)["extras"].get("object").is_none());
    own.flat_map(|child| levels(glb, child)).collect()
}

/// Returns the list of an object's levels, and the scope of the names in it.
fn list_of<'n>(
    naive: &'n NaiveDatabase,
    place: Place,
    model: &'n NaiveModel,
    object: usize,
) -> (&'n [NaiveLod], Scope) {
    let roi = &model.rois[object];
    let scope = Scope::Model { world: place.world, model: place.reference };
    if roi.shared == 0 {
        return (&roi.lods, scope);
    }
    let references = &naive.directory.worlds[place.world];
    match naive::lods_of(naive, scope, object, &roi.list_key()) {
        None => (&[], scope),
        Some(naive::LodSource::Global { part }) => (&naive.parts.as_ref().unwrap().parts[part].lods, Scope::Global),
        Some(naive::LodSource::Part { blob, part }) => {
            let at =
                references.parts.iter().position(|other| naive.find(other.place, naive::Kind::Parts) == Some(blob));
            let scope = Scope::Part { world: place.world, part: at.unwrap() };
            (&naive.parts_of(blob).unwrap().parts[part].lods, scope)
        }
        Some(naive::LodSource::Roi { blob, roi }) => {
            let at =
                references.models.iter().position(|other| naive.find(other.place, naive::Kind::Model) == Some(blob));
            let scope = Scope::Model { world: place.world, model: at.unwrap() };
            (&naive.model_of(blob).unwrap().rois[roi].lods, scope)
        }
    }
}

/// Returns the meshes of a level that are drawn, in drawing order.
fn drawn(lod: &NaiveLod) -> Vec<(&NaiveMesh, naive::NaiveGeometry)> {
    let all = naive::mesh_order(lod).into_iter().map(|i| &lod.meshes[i]);
    let decoded = all.filter_map(|mesh| Some((mesh, naive::decode(lod, mesh).ok()?)));
    decoded
        .filter(|(mesh, geometry)| {
            let is_lines = naive::material(mesh, &naive::NaiveName::default()).surface == Surface::Wireframe;
            let has_edges = geometry.indices.chunks(3).any(|three| three[0] != three[1] || three[1] != three[2]);
            !geometry.indices.is_empty() && (!is_lines || has_edges)
        })
        .collect()
}

#[test]
fn every_level_of_every_object() {
    let mut compared = 0;
    for (name, bytes) in files() {
        with(&bytes, |library, naive| {
            for number in 0..naive.directory.worlds.len() {
                let (glb, _) = world(library, number, LodChoice::All);
                for (root, reference, _, model) in placed(&glb, naive, number) {
                    let place = Place { world: number, reference };
                    for (object, path) in objects(&glb, &[root], model).iter().enumerate() {
                        let roi = &model.rois[object];
                        let (lods, scope) = list_of(naive, place, model, object);
                        let mut wanted: Vec<_> = lods.iter().map(drawn).filter(|meshes| !meshes.is_empty()).collect();
                        wanted.reverse();
                        if !roi.is_drawn() {
                            wanted.clear();
                        }
                        let found = levels(&glb, *path.last().unwrap());
                        assert_eq!(found.len(), wanted.len(), "{name}: object {object}");
                        for (mesh, wanted) in found.into_iter().zip(wanted) {
                            let primitives = list(&glb.list("meshes")[mesh], "primitives");
                            assert_eq!(primitives.len(), wanted.len(), "{name}: object {object}");
                            for (primitive, (mesh, geometry)) in primitives.iter().zip(wanted) {
                                let material = naive::material(mesh, &roi.texture);
                                is_shape(&glb, primitive, &geometry, &material);
                                is_material(&glb, naive, primitive, (mesh, roi), &material, (place, scope));
                                compared += 1;
                            }
                        }
                    }
                }
            }
        });
    }
    assert!(compared > 1000);
}

fn real(value: naive::Real) -> f64 {
    if value.value().is_finite() { value.wide() } else { 0.0 }
}

fn is_shape(glb: &Glb, primitive: &Value, geometry: &naive::NaiveGeometry, material: &naive::NaiveMaterial) {
    let attributes = &primitive["attributes"];
    let positions: Vec<Vec<f64>> =
        geometry.positions.iter().map(|[x, y, z]| vec![-real(*x), real(*y), real(*z)]).collect();
    assert_eq!(glb.accessor(number(&attributes["POSITION"])), positions);
    let indices = glb.indices(number(&primitive["indices"]));
    let three: Vec<[usize; 3]> = geometry.indices.chunks(3).map(|c| [c[0], c[1], c[2]].map(|i| i as usize)).collect();
    if material.surface == Surface::Wireframe {
        assert_eq!(primitive["mode"], 1);
        let edge = |a: usize, b: usize| (a.min(b), a.max(b));
        let found: Vec<_> = indices.chunks(2).map(|pair| edge(pair[0], pair[1])).collect();
        let mut wanted: HashSet<_> = three.iter().flat_map(|&[a, b, c]| [edge(a, b), edge(b, c), edge(c, a)]).collect();
        wanted.retain(|(a, b)| a != b);
        assert_eq!(found.len(), wanted.len());
        assert_eq!(found.into_iter().collect::<HashSet<_>>(), wanted);
    } else {
        assert!(primitive.get("mode").is_none());
        assert_eq!(indices, three.iter().flat_map(|&[a, b, c]| [a, c, b]).collect::<Vec<_>>());
    }
    match (attributes.get("NORMAL"), material.surface) {
        (Some(normals), Surface::Smooth) => {
            let normals = glb.accessor(number(normals));
            assert_eq!(normals.len(), geometry.normals.len());
            for (found, stored) in normals.iter().zip(&geometry.normals) {
                let length = |vector: &[f64]| vector.iter().map(|part| part * part).sum::<f64>().sqrt();
                assert!((length(found) - 1.0).abs() < 1e-6);
                let stored = stored.map(naive::Real::wide);
                let stored_length = length(&stored);
                if stored_length > 0.0 && stored_length.is_finite() {
                    let wanted = [-stored[0], stored[1], stored[2]].map(|part| part / stored_length);
                    assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-6));
                }
            }
        }
        (None, Surface::Flat | Surface::Wireframe) => {}
        other => panic!("{other:?}"),
    }
    assert_eq!(attributes.get("TEXCOORD_0").is_some(), material.texture.is_some());
    if let Some(uvs) = attributes.get("TEXCOORD_0") {
        let wanted: Vec<Vec<f64>> = geometry.uvs.iter().map(|uv| uv.map(real).to_vec()).collect();
        assert_eq!(glb.accessor(number(uvs)), wanted);
    }
}
