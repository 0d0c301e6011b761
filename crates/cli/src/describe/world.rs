//! Descriptions of WORLD.WDB for `info` and `list`.

use serde::Serialize;
use worldview::island::{Content, Lods, Model, Parts};
use worldview_export::Encoding;

use crate::world::{Only, World};

/// The fields common to `info` and `list`.
#[derive(Debug, Serialize)]
pub(crate) struct DatabaseEntry {
    pub(crate) path: String,
    pub(crate) format: &'static str,
    pub(crate) length: u64,
    pub(crate) directory_length: u64,
    pub(crate) world_count: usize,
    pub(crate) part_references: usize,
    pub(crate) model_references: usize,
    pub(crate) part_blobs: usize,
    pub(crate) model_blobs: usize,
    pub(crate) global_textures: usize,
    pub(crate) global_parts: usize,
    /// As many as the file says there are, of which some may not be readable; 0 if that cannot be read.
    pub(crate) global_parts_stored: u32,
}

#[derive(Debug, Serialize)]
pub(crate) struct DatabaseInfo {
    #[serde(flatten)]
    pub(crate) entry: DatabaseEntry,
    pub(crate) worlds: Vec<WorldInfo>,
    pub(crate) blobs: Vec<BlobInfo>,
}

#[derive(Debug, Serialize)]
pub(crate) struct WorldInfo {
    pub(crate) index: usize,
    pub(crate) name: String,
    pub(crate) parts: usize,
    pub(crate) models: usize,
    pub(crate) visible_models: usize,
}

#[derive(Debug, Serialize)]
pub(crate) struct BlobInfo {
    pub(crate) index: usize,
    pub(crate) kind: &'static str,
    /// The name given by the first reference.
    pub(crate) name: String,
    pub(crate) offset: u64,
    pub(crate) length: u64,
    pub(crate) references: u32,
    #[serde(flatten)]
    pub(crate) content: Option<ContentInfo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct ContentInfo {
    /// The number of parts or objects.
    pub(crate) elements: usize,
    /// The total number of levels of detail.
    pub(crate) lods: usize,
    /// The total number of triangles in the best levels.
    pub(crate) triangles: u64,
    pub(crate) textures: usize,
    /// The number of nodes in the animation; 0 if none of them has a key.
    pub(crate) animated_nodes: usize,
}

impl DatabaseEntry {
    pub(crate) fn of(path: String, opened: World<'_, '_>) -> Self {
        let database = opened.database;
        let is_parts = |blob: &&worldview::island::Blob<'_>| blob.kind == worldview::island::BlobKind::Parts;
        let part_blobs = database.blobs().iter().filter(is_parts).count();
        Self {
            path,
            format: "world",
            length: database.source().len(),
            directory_length: database.directory_end(),
            world_count: database.worlds().len(),
            part_references: database.part_refs().len(),
            model_references: database.model_refs().len(),
            part_blobs,
            model_blobs: database.blobs().len() - part_blobs,
            global_textures: opened.contents.textures.map_or(0, |textures| textures.len()),
            global_parts: opened.contents.parts.map_or(0, |parts| parts.len()),
            global_parts_stored: opened.contents.parts.map_or(0, |parts| parts.stored_count()),
        }
    }
}

impl DatabaseInfo {
    pub(crate) fn of(path: String, opened: World<'_, '_>, only: &Only<'_>, encoding: Encoding) -> Self {
        let text = |bytes: &[u8]| encoding.decode(bytes).into_owned();
        let database = opened.database;
        let worlds = database.worlds().filter(|world| only.wants_world(world.index, world.name.text()));
        let names = database.blob_names();
        let blobs = database.blobs().iter().zip(&opened.contents.blobs);
        let blobs = blobs.filter(|(blob, _)| only.wants_blob(database, blob.index()));
        Self {
            entry: DatabaseEntry::of(path, opened),
            worlds: worlds
                .map(|world| WorldInfo {
                    index: world.index,
                    name: text(world.name.text()),
                    parts: world.parts.len(),
                    models: world.models.len(),
                    visible_models: world.models.iter().filter(|model| model.placement.is_visible()).count(),
                })
                .collect(),
            blobs: blobs
                .map(|(blob, content)| BlobInfo {
                    index: blob.index(),
                    kind: blob.kind.name(),
                    name: text(names[blob.index()]),
                    offset: blob.source.base(),
                    length: blob.source.len(),
                    references: blob.references,
                    content: content.as_ref().ok().map(ContentInfo::of),
                    error: match content {
                        Ok(content) => content.broken(),
                        Err(error) => Some(*error),
                    }
                    .map(|error| error.to_string()),
                })
                .collect(),
        }
    }
}

impl ContentInfo {
    fn of(content: &Content<'_>) -> Self {
        match content {
            Content::Parts(parts) => Self::of_parts(parts),
            Content::Model(model) => Self::of_model(model),
        }
    }

    fn of_parts(parts: &Parts<'_>) -> Self {
        let mut info = Self::none(parts.len(), parts.textures.len());
        parts.iter().for_each(|part| info.add(part.lods));
        info
    }

    fn of_model(model: &Model<'_>) -> Self {
        let mut info = Self::none(model.rois.len(), model.textures.len());
        model.rois.iter().for_each(|roi| info.add(roi.lods));
        if model.animation.has_keys() {
            info.animated_nodes = model.animation.nodes.iter().filter(|node| node.key_count() > 0).count();
        }
        info
    }

    const fn none(elements: usize, textures: usize) -> Self {
        Self { elements, lods: 0, triangles: 0, textures, animated_nodes: 0 }
    }

    fn add(&mut self, lods: Lods<'_>) {
        self.lods += lods.len();
        // The best level is the last one.
        self.triangles += lods.iter().last().map_or(0, |lod| lod.triangles());
    }
}
