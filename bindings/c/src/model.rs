//! WORLD.WDB: objects, animation nodes and poses.
#![expect(unsafe_code, reason = "exported functions, and buffers of the caller")]

use formats::island::raw::{MorphKey, RotationKey, TimeFlags, VectorKey};
use formats::island::{Pose, Rig};
use zerocopy::IntoBytes as _;

use crate::database::{NONE, model};
use crate::error::{Fault, WvStatus};
use crate::ffi::{self, ErrorOut, Grown, Out, WvSpan, answer, fill};
use crate::file::{WvHandle, given};

/// The translation keys of a node.
pub const WV_TRANSLATIONS: u32 = 0;
/// The rotation keys of a node.
pub const WV_ROTATIONS: u32 = 1;
/// The scale keys of a node.
pub const WV_SCALES: u32 = 2;
/// The morph keys of a node, which show and hide its object.
pub const WV_MORPHS: u32 = 3;

/// An object of a model.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WvRoi {
    /// Size of this structure. The caller sets it.
    pub size: usize,
    /// Name, by which animation nodes find it.
    pub name: WvSpan,
    /// Name of a color, or `t_` and the name of a texture, for meshes that inherit it; empty for most objects.
    pub color: WvSpan,
    /// Index of the parent, or `WV_NONE` for the root.
    pub parent: usize,
    /// Number of direct children. The game draws only objects without children.
    pub child_count: u32,
    /// Whether the object shares the levels of detail of a list elsewhere, which `wv_find_lods` finds.
    pub shared: bool,
    /// Number of its own levels of detail; 0 if they are shared.
    pub lod_count: usize,
    /// Center of the bounding sphere, in the object's coordinates.
    pub center: [f32; 3],
    /// Radius of the bounding sphere.
    pub radius: f32,
    /// Minimum corner of the bounding box.
    pub minimum: [f32; 3],
    /// Maximum corner of the bounding box.
    pub maximum: [f32; 3],
}

/// An animation node, with the keys for the object of the same name. The keys are as stored: little-endian and not
/// aligned. `wv_keys` converts them.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WvNode {
    /// Size of this structure. The caller sets it.
    pub size: usize,
    /// Name of the object that the node moves.
    pub name: WvSpan,
    /// Index of the parent, or `WV_NONE` for the root.
    pub parent: usize,
    /// Number of direct children.
    pub child_count: u32,
    /// Number of translation, rotation, scale and morph keys.
    pub key_counts: [u32; 4],
    /// Translation keys of 16 bytes: time and flags, x, y, z.
    pub translations: WvSpan,
    /// Rotation keys of 20 bytes: time and flags, w, x, y, z.
    pub rotations: WvSpan,
    /// Scale keys of 16 bytes: time and flags, x, y, z.
    pub scales: WvSpan,
    /// Morph keys of 5 bytes: time and flags, and one byte.
    pub morphs: WvSpan,
}

/// An animation key.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WvKey {
    /// Time in milliseconds.
    pub time: u32,
    /// Flags: 1 the key is active, 2 the quaternion is negated when interpolating toward it, 4 no interpolation toward it.
    pub flags: u32,
    /// x, y, z and 0 of a translation or scale; w, x, y, z of a rotation; 1 or 0 of a morph key, for visible or not.
    pub value: [f32; 4],
}

/// The pose of an object.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WvPose {
    /// The transformation from the object to the model or the world, for row vectors: `[x y z 1] * matrix`. The last row
    /// is the position.
    pub matrix: [[f32; 4]; 4],
    /// Whether the object is visible, provided that its ancestors are: 1 or 0.
    pub visible: u32,
    /// Whether an animation node moves the object: 1 or 0. If not, it is at the origin of the model.
    pub animated: u32,
}

/// Returns an object of a model, in the order of the file: each one before its children.
#[unsafe(no_mangle)]
pub extern "C" fn wv_roi(
    database: Option<&WvHandle>,
    blob: usize,
    index: usize,
    out: Grown<'_, WvRoi>,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer(out, error, || {
        let model = model(database, blob)?;
        let roi = model.rois.get(index).ok_or_else(|| Fault::index("object", index, model.rois.len()))?;
        Ok(WvRoi {
            size: size_of::<WvRoi>(),
            name: roi.name.text().into(),
            color: roi.color.text().into(),
            parent: model.rois.parent(index).unwrap_or(NONE),
            child_count: roi.child_count,
            shared: roi.is_shared(),
            lod_count: roi.lods.len(),
            center: roi.bounds.center.get(),
            radius: roi.bounds.radius.get(),
            minimum: roi.bounds.minimum.get(),
            maximum: roi.bounds.maximum.get(),
        })
    })
}

/// Returns an animation node of a model, in the order of the file: each one before its children.
#[unsafe(no_mangle)]
pub extern "C" fn wv_node(
    database: Option<&WvHandle>,
    blob: usize,
    index: usize,
    out: Grown<'_, WvNode>,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer(out, error, || {
        let nodes = &model(database, blob)?.animation.nodes;
        let node = nodes.get(index).ok_or_else(|| Fault::index("animation node", index, nodes.len()))?;
        let counts = [node.translations.len(), node.rotations.len(), node.scales.len(), node.morphs.len()];
        Ok(WvNode {
            size: size_of::<WvNode>(),
            name: node.name.text().into(),
            parent: nodes.parent(index).unwrap_or(NONE),
            child_count: node.child_count,
            key_counts: counts.map(|count| u32::try_from(count).unwrap_or(u32::MAX)),
            translations: node.translations.as_bytes().into(),
            rotations: node.rotations.as_bytes().into(),
            scales: node.scales.as_bytes().into(),
            morphs: node.morphs.as_bytes().into(),
        })
    })
}

/// Copies the first keys of a node, at most `capacity`, and sets `count` to their number. `track` is `WV_TRANSLATIONS`,
/// `WV_ROTATIONS`, `WV_SCALES` or `WV_MORPHS`.
///
/// # Safety
///
/// `keys` must point to `capacity` keys.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wv_keys(
    database: Option<&WvHandle>,
    blob: usize,
    node: usize,
    track: u32,
    keys: *mut WvKey,
    capacity: usize,
    count: Out<'_, usize>,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer(count, error, || {
        let nodes = &model(database, blob)?.animation.nodes;
        let found = nodes.get(node).ok_or_else(|| Fault::index("animation node", node, nodes.len()))?;
        // SAFETY: the caller guarantees `capacity` keys.
        let keys = unsafe { ffi::buffer(keys, capacity) }?;
        Ok(match track {
            WV_TRANSLATIONS => fill(keys, found.translations.iter().map(vector)),
            WV_ROTATIONS => fill(keys, found.rotations.iter().map(rotation)),
            WV_SCALES => fill(keys, found.scales.iter().map(vector)),
            WV_MORPHS => fill(keys, found.morphs.iter().map(morph)),
            _ => return Err(Fault::argument("the track is none of WV_TRANSLATIONS to WV_MORPHS")),
        })
    })
}

fn key(when: TimeFlags, value: [f32; 4]) -> WvKey {
    WvKey { time: when.time(), flags: when.flags().into(), value }
}

fn vector(from: &VectorKey) -> WvKey {
    let [x, y, z] = from.value.get();
    key(from.when, [x, y, z, 0.0])
}

fn rotation(from: &RotationKey) -> WvKey {
    key(from.when, from.get())
}

fn morph(from: &MorphKey) -> WvKey {
    let visible = if from.visible == 0 { 0.0 } else { 1.0 };
    key(from.when, [visible, 0.0, 0.0, 0.0])
}

/// Computes the poses of the first objects of a model at `time` milliseconds, at most `capacity`, and sets `count` to their
/// number.
///
/// With a `world` and the index of one of its model references, the model is placed in the world. With `WV_NONE` as
/// `world`, it is not, and `index` is that of the blob.
///
/// # Safety
///
/// `poses` must point to `capacity` poses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wv_poses(
    database: Option<&WvHandle>,
    world: usize,
    index: usize,
    time: f32,
    poses: *mut WvPose,
    capacity: usize,
    count: Out<'_, usize>,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer(count, error, || {
        // SAFETY: the caller guarantees `capacity` poses.
        let poses = unsafe { ffi::buffer(poses, capacity) }?;
        let found = if world == NONE {
            Rig::new(model(database, index)?).pose(time)
        } else {
            let directory = given(database)?.database()?;
            let reference = directory.world(world).and_then(|world| world.models.get(index));
            let reference = reference.ok_or_else(|| Fault::not_found("the world has no such model"))?;
            Rig::new(model(database, reference.blob().unwrap_or(NONE))?).placed(reference.placement, time)
        };
        Ok(fill(poses, found.iter().map(posed)))
    })
}

fn posed(pose: &Pose) -> WvPose {
    #[expect(clippy::cast_possible_truncation, reason = "the format stores 32-bit floats")]
    let matrix = pose.matrix.rows().map(|row| row.map(|value| value as f32));
    WvPose { matrix, visible: pose.visible.into(), animated: pose.touched.into() }
}
