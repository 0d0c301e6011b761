//! A model: animation, object tree, textures.

use super::cursor::tree;
use super::{Cursor, Load, NaiveActor, NaiveError, NaiveNode, NaiveRoi, NaiveTexture, Place, Result, naive};
use crate::island::MODEL_VERSION;

naive! {
    /// A model.
    pub struct NaiveModel |c| {
        @ {
            let version: u32 = c.load()?;
            if version != MODEL_VERSION {
                return Err(NaiveError::new(c.at - 4, format!("a model of version {version}")));
            }
        }
        /// Offset of the texture list, from the start of the blob.
        texture_offset: u32,
        /// Stored number of objects, which has no effect.
        roi_count: u32,
        actors: Vec<NaiveActor>,
        /// Duration of the animation in milliseconds.
        duration: i32,
        /// The nodes of the animation, parents before children.
        nodes: Vec<NaiveNode> = tree(c, NaiveNode::read, |node| node.child_count)?,
        /// The objects, parents before children.
        rois: Vec<NaiveRoi> = tree(c, NaiveRoi::read, |roi| roi.child_count)?,
        /// File offset of the end of the last object.
        tree_end: u64 = c.at,
        @ {
            c.jump(texture_offset, 12, 8)?;
            let count: u32 = c.load()?;
        }
        /// Whether registration of the textures is skipped: any value but 0.
        skip_textures: u32,
        textures: Vec<NaiveTexture> = NaiveTexture::list(c, count, true)?,
        /// File offset of the end of the last texture.
        textures_end: u64 = c.at,
    }
}

/// Parses a model blob.
pub fn model(bytes: &[u8], place: Place) -> Result<NaiveModel> {
    Cursor::new(bytes, place)?.load()
}
