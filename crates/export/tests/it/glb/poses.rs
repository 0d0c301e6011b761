use worldview_corpus::island::naive;
use worldview_export::model::glb::LodChoice;
use worldview_island::Scope;

use super::animations::{drawn_at, is_seen};
use super::gltf::Poses;
use super::support::{distance, files, is_sane, mirrored, model, objects, placed, with, world};

/// Every object of every model in every world is where the game puts it at time 0.
#[test]
fn placed_models() {
    let mut compared = 0;
    for (name, bytes) in files() {
        with(&bytes, |library, naive| {
            for number in 0..naive.directory.worlds.len() {
                let (glb, report) = world(library, number, LodChoice::Best);
                let models = naive.directory.worlds[number].models.len();
                // Omitted meshes are counted, too.
                assert!(glb.roots().len() + usize::try_from(report.left_out_count).unwrap() >= models, "{name}");
                for (root, _, reference, of) in placed(&glb, naive, number) {
                    let wanted = naive::placed(of, reference, 0.0).unwrap();
                    for (object, path) in objects(&glb, &[root], of).iter().enumerate() {
                        let wanted = mirrored(&wanted[object].matrix);
                        let (found, sizes) = glb.world(path, &Poses::new());
                        if is_sane(&wanted) && is_sane(&sizes) {
                            let distance = distance(&found, &wanted, &sizes);
                            assert!(distance < 1e-6, "{name}: object {object}: {found:?} {wanted:?} {sizes:?}");
                            compared += 1;
                        }
                    }
                }
            }
        });
    }
    assert!(compared > 1000);
}

/// Every object of every single model has the position and visibility given by the animation. For a model that is
/// not placed, the keys of the root also count.
#[test]
fn models_alone() {
    for (name, bytes) in files() {
        with(&bytes, |library, naive| {
            for blob in 0..naive.blobs.len() {
                let Some(of) = naive.model_of(blob) else { continue };
                let (glb, _) = model(library, blob, Scope::Blob(blob));
                let paths = objects(&glb, &glb.roots(), of);
                for time in [0_u16, 1, 250, 700, 1111] {
                    let wanted = naive::pose(of, f32::from(time)).unwrap();
                    let poses = glb.posed(f64::from(time) / 1000.0);
                    for (object, path) in paths.iter().enumerate() {
                        if let Some(path) = drawn_at(&glb, path) {
                            let seen = is_seen(of, object, &wanted, wanted[0].visible);
                            assert_eq!(glb.is_seen(&path, &poses), seen, "{name}: object {object} at {time}");
                        }
                        let wanted = mirrored(&wanted[object].matrix);
                        let (found, sizes) = glb.world(path, &poses);
                        if is_sane(&wanted) && is_sane(&sizes) {
                            let distance = distance(&found, &wanted, &sizes);
                            let most = if time == 0 { 1e-6 } else { 1e-3 };
                            assert!(distance < most, "{name}: object {object} at {time}: {distance}");
                        }
                    }
                }
            }
        });
    }
}
