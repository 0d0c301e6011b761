//! The nodes of a model's GLB with their keys, for programs that compare an edited GLB with the original.

use worldview_island::{Model, Rig};

use super::document::Document;
use super::skeleton::Skeleton;
use super::track::{Track, rotations, scales, translations};
use crate::{Encoding, Result};

/// A node that [`model()`](super::model()) writes for an object or an animation node, in glTF's coordinates.
#[non_exhaustive]
#[derive(Clone, Debug)]
pub struct Bone {
    /// The name.
    pub name: String,
    /// The index of the parent, which comes before this bone.
    pub parent: Option<usize>,
    /// The index of the object that the bone represents.
    pub object: Option<usize>,
    /// The index of the animation node that moves the bone; `None` for an object that no node moves.
    pub node: Option<usize>,
    /// The translation keys.
    pub translation: Track<3>,
    /// The rotation keys: unit quaternions with the scalar last.
    pub rotation: Track<4>,
    /// The scale keys.
    pub scale: Track<3>,
}

/// Returns the nodes of a model's GLB, except those that only carry a level of detail.
///
/// # Errors
///
/// Returns an error if the model has so many objects that the GLB would be far larger than the file.
pub fn bones(model: &Model<'_>, encoding: Encoding) -> Result<Vec<Bone>> {
    let mut document = Document::new(model.source().len(), encoding);
    let skeleton = Skeleton::new(&mut document, model, &Rig::new(model), false)?;
    let bones = skeleton.bones.into_iter().map(|bone| {
        let node = bone.node.and_then(|node| model.animation.nodes.get(node));
        Bone {
            name: bone.name,
            parent: bone.parent,
            object: bone.roi,
            node: bone.node,
            translation: node.map_or(Track::EMPTY, |node| translations(node.translations)),
            rotation: node.map_or(Track::EMPTY, |node| rotations(node.rotations)),
            scale: node.map_or(Track::EMPTY, |node| scales(node.scales)),
        }
    });
    Ok(bones.collect())
}
