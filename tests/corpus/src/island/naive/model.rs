//! A model: animation, object tree, textures.

use super::animation::{actors, nodes};
use super::parts::texture_list;
use super::roi::rois;
use super::{Cursor, NaiveActor, NaiveError, NaiveNode, NaiveRoi, NaiveTexture, Place, textures};
use crate::island::MODEL_VERSION;

/// A model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveModel {
    /// Offset of the texture list, from the start of the blob.
    pub texture_offset: u32,
    /// Stored number of objects, which has no effect.
    pub roi_count: u32,
    /// The actors of the animation.
    pub actors: Vec<NaiveActor>,
    /// Duration of the animation in milliseconds.
    pub duration: i32,
    /// The nodes of the animation, parents before children.
    pub nodes: Vec<NaiveNode>,
    /// The objects, parents before children.
    pub rois: Vec<NaiveRoi>,
    /// File offset of the end of the last object.
    pub tree_end: u64,
    /// Whether registration of the textures is skipped: any value but 0.
    pub skip_textures: u32,
    /// The textures.
    pub textures: Vec<NaiveTexture>,
    /// File offset of the end of the last texture.
    pub textures_end: u64,
}

/// Parses a model blob.
pub fn model(bytes: &[u8], place: Place) -> Result<NaiveModel, NaiveError> {
    let start = Cursor::new(bytes, place)?;
    let mut c = start.clone();
    let version = c.u32()?;
    if version != MODEL_VERSION {
        return Err(NaiveError::new(place.offset, format!("a model of version {version}")));
    }
    let texture_offset = c.u32()?;
    let mut list = texture_list(&start, texture_offset, 12, 8)?;
    let count_at = list.at;
    let count = list.u32()?;
    let skip_textures = list.u32()?;
    list.needs(count_at, count.into(), 16)?;
    let textures = textures::list(&mut list, count)?;
    let roi_count = c.u32()?;
    let actors = actors(&mut c)?;
    let duration = c.i32()?;
    let nodes = nodes(&mut c)?;
    let rois = rois(&mut c, place)?;
    Ok(NaiveModel {
        texture_offset,
        roi_count,
        actors,
        duration,
        nodes,
        rois,
        tree_end: c.at,
        skip_textures,
        textures,
        textures_end: list.at,
    })
}
