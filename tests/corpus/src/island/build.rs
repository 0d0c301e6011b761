//! Builds a database from its spec, with a label on every count, offset, length and list.
//!
//! Labels in the directory begin with `world[w]`, those in the two global chunks with `textures` and `parts`, and those
//! in a blob with `blob[b]`. A blob built alone has the same labels without that prefix, and positions relative to its
//! own start.

use super::spec::{
    BlobSpec, ContentSpec, DatabaseSpec, ModelRefSpec, PartRefSpec, PartSpec, PartsSpec, PlaceSpec, TextureSpec,
    WorldSpec,
};
use crate::builder::{Builder, Built};

mod image;
mod lod;
mod model;

use image::{texture_list, textures};
use lod::lods;

/// A database with more blobs gets no labels inside them, since they would take more memory than the file itself.
const LABELLED_BLOBS: usize = 100;

/// Builds the file of a database.
pub fn build(spec: &DatabaseSpec) -> Built {
    let labelled = spec.blobs.len() <= LABELLED_BLOBS;
    let blobs: Vec<_> = spec.blobs.iter().map(|blob| content(blob, labelled)).collect();
    let mut w = Writer::new(true);
    w.label("", "world_count").count(spec.worlds.len());
    for (i, spec) in spec.worlds.iter().enumerate() {
        world(&mut w, &format!("world[{i}]"), spec, &blobs);
    }
    let textures = build_textures(&spec.textures, &spec.textures_trailing);
    w.label("", "textures.size").count(textures.bytes.len());
    w.insert("textures", &textures);
    let parts = build_parts(&spec.parts);
    w.label("", "parts.size").count(parts.bytes.len());
    w.insert("parts", &parts);
    for (i, (blob, built)) in spec.blobs.iter().zip(&blobs).enumerate() {
        w.b.bytes(&blob.gap);
        w.insert(&format!("blob[{i}]"), built);
    }
    w.label("", "trailing").b.bytes(&spec.trailing);
    w.label("", "end");
    w.finish()
}

/// Builds a global texture chunk.
pub fn build_textures(spec: &[TextureSpec], trailing: &[u8]) -> Built {
    let mut w = Writer::new(true);
    textures(&mut w, "", spec);
    w.label("", "trailing").b.bytes(trailing);
    w.finish()
}

/// Builds a part blob or the global parts.
pub fn build_parts(spec: &PartsSpec) -> Built {
    parts(spec, true)
}

/// Builds a model blob.
pub fn build_model(spec: &super::spec::ModelSpec) -> Built {
    model::model(spec, true)
}

fn content(blob: &BlobSpec, labelled: bool) -> Built {
    match &blob.content {
        ContentSpec::Parts(spec) => parts(spec, labelled),
        ContentSpec::Model(spec) => model::model(spec, labelled),
        ContentSpec::Raw(bytes) => Built { bytes: bytes.clone(), ..Built::default() },
    }
}

fn world(w: &mut Writer, at: &str, spec: &WorldSpec, blobs: &[Built]) {
    w.label(at, "").text(at, "name", &spec.name);
    w.label(at, "part_count").count(spec.parts.len());
    for (i, PartRefSpec { name, place }) in spec.parts.iter().enumerate() {
        let at = format!("{at}.part[{i}]");
        w.label(&at, "").text(&at, "name", name);
        reference(w, &at, *place, blobs);
    }
    w.label(at, "model_count").count(spec.models.len());
    for (i, spec) in spec.models.iter().enumerate() {
        let ModelRefSpec { name, place, presenter, location, direction, up, visible } = spec;
        let at = format!("{at}.model[{i}]");
        w.label(&at, "").text(&at, "name", name);
        reference(w, &at, *place, blobs);
        w.text(&at, "presenter", presenter);
        w.label(&at, "location").floats(location);
        w.label(&at, "direction").floats(direction);
        w.label(&at, "up").floats(up);
        w.label(&at, "visible").b.u8(*visible);
    }
}

fn reference(w: &mut Writer, at: &str, place: PlaceSpec, blobs: &[Built]) {
    match place {
        PlaceSpec::Blob(blob) => {
            w.label(at, "length").count(blobs.get(blob).map_or(0, |blob| blob.bytes.len()));
            w.label(at, "offset").b.ref_u32_le(format!("blob[{blob}]"));
        }
        PlaceSpec::Bytes { offset, length } => {
            w.label(at, "length").b.u32_le(length);
            w.label(at, "offset").b.u32_le(offset);
        }
    }
}

fn parts(spec: &PartsSpec, labelled: bool) -> Built {
    let mut w = Writer::new(labelled);
    w.label("", "texture_offset").b.ref_u32_le("texture_count");
    w.label("", "part_count").count(spec.parts.len());
    for (i, part) in spec.parts.iter().enumerate() {
        let at = format!("part[{i}]");
        let PartSpec { name, lods: list, before_end } = part;
        w.label(&at, "").text(&at, "name", name);
        w.label(&at, "lod_count").count(list.len());
        w.label(&at, "end_offset").b.ref_u32_le(format!("{at}.end"));
        lods(&mut w, &at, list);
        w.b.bytes(before_end).label(format!("{at}.end"));
    }
    w.b.bytes(&spec.before_textures);
    texture_list(&mut w, None, &spec.textures, &spec.trailing);
    w.finish()
}

/// A builder that can omit the labels that nothing refers to.
struct Writer {
    b: Builder,
    labelled: bool,
}

impl Writer {
    fn new(labelled: bool) -> Self {
        Self { b: Builder::new(), labelled }
    }

    /// Labels the next byte as a field of `at`, or as `at` itself if `field` is empty.
    fn label(&mut self, at: &str, field: &str) -> &mut Self {
        if self.labelled {
            let dot = if at.is_empty() || field.is_empty() { "" } else { "." };
            self.b.label(format!("{at}{dot}{field}"));
        }
        self
    }

    /// Writes a count; saturates only for counts that no file can have.
    fn count(&mut self, count: usize) -> &mut Self {
        self.b.u32_le(u32::try_from(count).unwrap_or(u32::MAX));
        self
    }

    /// Writes a counted string.
    fn text(&mut self, at: &str, field: &str, text: &[u8]) -> &mut Self {
        self.label(at, &format!("{field}_len")).count(text.len());
        self.label(at, field).b.bytes(text);
        self
    }

    fn floats(&mut self, values: &[f32]) -> &mut Self {
        for &value in values {
            self.b.f32_le(value);
        }
        self
    }

    /// Appends separately built bytes, with their labels under a prefix.
    fn insert(&mut self, prefix: &str, built: &Built) -> &mut Self {
        let start = self.b.len();
        self.b.label(prefix).bytes(&built.bytes);
        for (label, at) in &built.labels {
            self.b.label_at(format!("{prefix}.{label}"), start + at);
        }
        self
    }

    /// Panics if a referenced blob does not exist.
    fn finish(self) -> Built {
        self.b.finish()
    }
}
