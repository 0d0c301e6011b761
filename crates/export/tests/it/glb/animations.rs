use worldview_corpus::island::naive::{self, Matrix, NaiveModel, NaivePose};
use worldview_export::model::glb::LodChoice;

use super::gltf::{Glb, list, number};
use super::support::{distance, files, is_sane, mirrored, objects, placed, sample, with, world};

/// Returns the times in milliseconds to test: near every key, and in between.
fn times(model: &NaiveModel) -> Vec<u32> {
    let mut keys: Vec<u32> = Vec::new();
    for node in &model.nodes {
        keys.extend(node.translations.iter().map(|key| key.time));
        keys.extend(node.rotations.iter().map(|key| key.time));
        keys.extend(node.scales.iter().map(|key| key.time));
        keys.extend(node.morphs.iter().map(|key| key.time));
    }
    let last = keys.iter().copied().max().unwrap_or(0).min(20_000);
    let mut out: Vec<u32> = keys.iter().flat_map(|&key| [key.saturating_sub(1), key, key + 1]).collect();
    out.extend((0..last + 10).step_by(13));
    out.sort_unstable();
    out.dedup();
    // In floats, milliseconds are indistinguishable at times several hours away.
    out.retain(|&time| time < 1 << 20);
    out
}

/// Returns the path extended to the node with an object's best level.
pub(crate) fn drawn_at(glb: &Glb, path: &[usize]) -> Option<Vec<usize>> {
    let node = *path.last().unwrap();
    if glb.node(node).get("mesh").is_some() {
        return Some(path.to_vec());
    }
    let own = glb.children(node).into_iter().filter(|&child| glb.node(child)["extras"].get("object").is_none());
    own.into_iter().find_map(|child| drawn_at(glb, &[path, &[child]].concat()))
}

/// Returns whether an object and its ancestors are visible. The reference determines the visibility of the root.
pub(crate) fn is_seen(model: &NaiveModel, object: usize, pose: &[NaivePose], is_root_seen: bool) -> bool {
    match model.rois[object].parent {
        None => is_root_seen,
        Some(parent) => pose[object].visible && is_seen(model, parent, pose, is_root_seen),
    }
}

#[test]
fn all_times() {
    let mut compared = 0;
    for (name, bytes) in files() {
        with(&bytes, |library, naive| {
            let Some(number) =
                (0..naive.directory.worlds.len()).max_by_key(|&w| naive.directory.worlds[w].models.len())
            else {
                return;
            };
            let (glb, _) = world(library, number, LodChoice::Best);
            for (root, reference, of_reference, of) in placed(&glb, naive, number) {
                let animated = glb.list("animations").iter();
                if animated.count() == 0 {
                    continue;
                }
                // Testing one reference to each model is enough.
                if naive.directory.worlds[number].models[..reference]
                    .iter()
                    .any(|other| other.place == of_reference.place)
                {
                    continue;
                }
                let root_now = naive::pose(of, 0.0).unwrap()[0].matrix;
                let undo = naive::inverse(&root_now).unwrap_or(naive::IDENTITY);
                let moved = naive::product(&undo, &naive::place(of_reference));
                let stays = naive::inverse(&root_now).is_none();
                let paths = objects(&glb, &[root], of);
                for time in times(of) {
                    let poses = glb.posed(f64::from(time) / 1000.0);
                    let wanted = naive::pose(of, time as f32).unwrap();
                    for (object, path) in paths.iter().enumerate() {
                        if let Some(path) = drawn_at(&glb, path) {
                            let seen = is_seen(of, object, &wanted, of_reference.visible != 0);
                            assert_eq!(glb.is_seen(&path, &poses), seen, "{name}: object {object} at {time}");
                        }
                        let wanted: Matrix = if stays && object == 0 {
                            naive::place(of_reference)
                        } else {
                            naive::product(&wanted[object].matrix, &moved)
                        };
                        let wanted = mirrored(&wanted);
                        let (found, sizes) = glb.world(path, &poses);
                        if is_sane(&wanted) && is_sane(&sizes) {
                            let distance = distance(&found, &wanted, &sizes);
                            assert!(distance < 1e-3, "{name}: object {object} at {time}: {distance}");
                            compared += 1;
                        }
                    }
                }
            }
        });
    }
    assert!(compared > 10_000);
}

/// An ordinary animation has the same keys as the file.
#[test]
fn plain_keys() {
    with(&sample(), |library, naive| {
        let meadow = naive.directory.worlds.iter().position(|world| world.name.text() == b"MEADOW").unwrap();
        let (glb, _) = world(library, meadow, LodChoice::Best);
        let (.., of) =
            placed(&glb, naive, meadow).into_iter().find(|(.., of)| of.rois[0].name.0 == b"windmill").unwrap();
        let sails = of.nodes.iter().find(|node| node.name.0 == b"Sails").unwrap();
        let animation = glb.list("animations").iter().find(|animation| animation["name"] == "windmill").unwrap();
        // The single key of its translation becomes the transformation of the node.
        assert_eq!(list(animation, "channels").len(), 1);
        let sampler = &animation["samplers"][0];
        assert_eq!(sampler["interpolation"], "LINEAR");
        let times = glb.accessor(number(&sampler["input"])).concat();
        let wanted: Vec<f64> = sails.rotations.iter().map(|key| f64::from(key.time) / 1000.0).collect();
        assert_eq!(times, wanted);
        let values = glb.accessor(number(&sampler["output"]));
        let wanted = sails.rotations.iter().map(|key| key.value.map(naive::Real::wide));
        let wanted: Vec<Vec<f64>> = wanted.map(|[w, x, y, z]| vec![-x, y, z, w]).collect();
        assert_eq!(values, wanted);
    });
}
