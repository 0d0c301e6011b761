//! Poses of a model's objects.

use worldview_corpus::island::naive::{self, NaiveDatabase, NaiveModel, NaiveModelRef, NaivePose};
use worldview_island::{Database, Matrix, Pose, Rig};

use crate::{Verdict, equal};

/// Allowed difference between elements, relative to the largest element of the matrix.
const NEAR: f64 = 1e-6;
/// A determinant this small, relative to the lengths of the axes, is noise, and so is anything divided by it.
const FLAT: f64 = 1e-7;

/// Poses every model of a file at many times and places it as each reference says, with the views and with the naive
/// reader.
pub fn poses_agree(file: &[u8]) -> Result<Verdict, String> {
    let Ok(database) = Database::parse(file) else { return Ok(Verdict::Refused) };
    let Ok(naive) = naive::database(file) else { return Ok(Verdict::TooMuch) };
    same_places(&database, &naive)?;
    let mut verdict = Verdict::Same;
    for blob in database.blobs() {
        let Ok(content) = blob.read() else { continue };
        let (Some(model), Some(naive_model)) = (content.model(), naive.model_of(blob.index())) else { continue };
        let rig = Rig::new(model);
        let references = references(&database, &naive, blob.index());
        for t in times(naive_model) {
            let same = same_at(&rig, naive_model, &references, t);
            if same.map_err(|why| format!("blob {} at {t} ms: {why}", blob.index()))? == Verdict::TooMuch {
                verdict = Verdict::TooMuch;
            }
        }
        same_rig(&rig, model.animation.nodes.len())?;
    }
    Ok(verdict)
}

/// Compares the poses of a model's objects at a time, in the model and in the world.
fn same_at(rig: &Rig<'_, '_>, naive: &NaiveModel, references: &[Reference<'_, '_>], t: f32) -> Result<Verdict, String> {
    for (node, naive) in rig.model().animation.nodes.iter().zip(&naive.nodes) {
        near("node", &node.local(t), &naive::local(naive, t), 0.0)?;
    }
    let Ok(posed) = naive::pose(naive, t) else { return Ok(Verdict::TooMuch) };
    same_poses(&rig.pose(t), &posed, 0.0)?;
    let root = posed.first().map_or(naive::IDENTITY, |root| root.matrix);
    let noise = noise(&posed, &root);
    for (placement, reference) in references {
        let Ok(naive) = naive::placed(naive, reference, t) else { return Ok(Verdict::TooMuch) };
        let placed = rig.placed(placement, t);
        // The root is exactly where the reference puts it, whatever its pose.
        same_poses(&placed[..1], &naive[..1], 0.0)?;
        if !is_flat(&root) {
            same_poses(&placed, &naive, noise * size(&naive[0].matrix))?;
        }
    }
    Ok(Verdict::Same)
}

/// Compares the placement of each reference.
fn same_places(database: &Database<'_>, naive: &NaiveDatabase) -> Result<(), String> {
    for (world, naive) in database.worlds().zip(&naive.directory.worlds) {
        for (model, naive) in world.models.iter().zip(&naive.models) {
            near("placement", &model.placement.matrix(), &naive::place(naive), 0.0)?;
            equal("visible", &model.placement.is_visible(), &(naive.visible != 0))?;
        }
    }
    Ok(())
}

type Reference<'n, 'a> = (&'a worldview_island::raw::Placement, &'n NaiveModelRef);

/// Returns the first few references to a blob, from both readers.
fn references<'n, 'a>(database: &Database<'a>, naive: &'n NaiveDatabase, blob: usize) -> Vec<Reference<'n, 'a>> {
    let naive = naive.directory.worlds.iter().flat_map(|world| &world.models);
    let both = database.model_refs().iter().zip(naive);
    both.filter(|(model, _)| model.blob() == Some(blob))
        .map(|(model, naive)| (model.placement, naive))
        .take(4)
        .collect()
}

/// Returns times before, at, between and after the keys, limited to a few keys.
fn times(model: &NaiveModel) -> Vec<f32> {
    let mut keys = Vec::new();
    for node in model.nodes.iter().take(20) {
        let vectors = node.translations.iter().chain(&node.scales).map(|key| key.time);
        keys.extend(vectors.chain(node.rotations.iter().map(|key| key.time)));
        keys.extend(node.morphs.iter().map(|key| key.time));
    }
    keys.sort_unstable();
    keys.dedup();
    // Key times have 24 bits, which `f32` represents exactly.
    #[expect(clippy::cast_precision_loss, reason = "24 bits")]
    let keys: Vec<f32> = keys.into_iter().take(12).map(|time| time as f32).collect();
    let mut times = vec![0.0, -1.0, 0.25, 333.5, 1e9];
    times.extend(keys.iter().flat_map(|&time| [time, time - 0.5, time + 17.25]));
    times
}

fn same_poses(views: &[Pose], naive: &[NaivePose], noise: f64) -> Result<(), String> {
    equal("objects", &views.len(), &naive.len())?;
    for (index, (views, naive)) in views.iter().zip(naive).enumerate() {
        let what = format!("object {index}");
        equal(&what, &(views.visible, views.touched), &(naive.visible, naive.touched))?;
        near(&what, &views.matrix, &naive.matrix, noise)?;
    }
    Ok(())
}

/// Checks that both directions of a rig's mapping are consistent.
fn same_rig(rig: &Rig<'_, '_>, nodes: usize) -> Result<(), String> {
    let mut last = vec![None; rig.model().rois.len()];
    for node in 0..nodes {
        if let Some(object) = rig.object_of(node) {
            last[object] = Some(node);
        }
    }
    let found: Vec<_> = (0..last.len()).map(|object| rig.node_of(object)).collect();
    equal("the node of each object", &found, &last)
}

/// Returns how much two correct ways to invert the root's pose can differ: dividing large values leaves rounding errors
/// in their last digits.
fn noise(poses: &[NaivePose], root: &naive::Matrix) -> f64 {
    let undo = size(&naive::inverse(root).unwrap_or(naive::IDENTITY));
    let largest = poses.iter().map(|pose| size(&pose.matrix)).fold(1.0, f64::max);
    1e-13 * largest * undo * (size(root) * undo).max(1.0)
}

/// Returns the largest finite element.
fn size(matrix: &naive::Matrix) -> f64 {
    matrix.as_flattened().iter().map(|element| element.abs()).filter(|element| element.is_finite()).fold(0.0, f64::max)
}

/// Returns `true` if inverting a matrix means dividing by noise.
fn is_flat(matrix: &naive::Matrix) -> bool {
    let [x, y, z] = [0, 1, 2].map(|row| [matrix[row][0], matrix[row][1], matrix[row][2]]);
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let cross = [y[1] * z[2] - y[2] * z[1], y[2] * z[0] - y[0] * z[2], y[0] * z[1] - y[1] * z[0]];
    let volume = (dot(x, x) * dot(y, y) * dot(z, z)).sqrt();
    let flat = dot(x, cross) / volume;
    // A volume of exactly 0 is not noise: neither reader has an inverse then.
    volume != 0.0 && (flat.is_nan() || flat.abs() < FLAT)
}

/// Compares elements up to the tolerance and `noise`. The naive reader multiplies by zeros that the views skip, so NaNs
/// and infinities in the file spread to more of its elements.
fn near(what: &str, views: &Matrix, naive: &naive::Matrix, noise: f64) -> Result<(), String> {
    let rows = views.rows();
    let elements = || rows.as_flattened().iter().zip(naive.as_flattened()).enumerate().filter(|(at, _)| at % 4 != 3);
    let far = (NEAR * size(naive)).max(noise);
    let is_near = |views: f64, naive: f64| !naive.is_finite() || (views - naive).abs() <= far;
    if elements().all(|(_, (views, naive))| is_near(*views, *naive)) {
        return Ok(());
    }
    Err(format!("{what}: the views say {rows:?}, the naive reader {naive:?}"))
}
