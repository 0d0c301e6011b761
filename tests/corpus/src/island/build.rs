//! Builds a database from its spec, with a label on every count, offset, length and list.
//!
//! Labels in the directory begin with `world[w]`, those in the two global chunks with `textures` and `parts`, and those
//! in a blob with `blob[b]`. A blob built alone has the same labels without that prefix, and positions relative to its
//! own start.

use super::spec::{DatabaseSpec, ModelSpec, PartsSpec, TextureSpec, textures};
use crate::builder::{Builder, Built, Stored};

/// Builds the file of a database. Panics if a referenced blob does not exist.
pub fn build(spec: &DatabaseSpec) -> Built {
    built(spec)
}

/// Builds a global texture chunk.
pub fn build_textures(spec: &[TextureSpec], trailing: &[u8]) -> Built {
    let mut b = Builder::new();
    textures(spec, trailing, &mut b);
    b.finish()
}

/// Builds a part blob or the global parts.
pub fn build_parts(spec: &PartsSpec) -> Built {
    built(spec)
}

/// Builds a model blob.
pub fn build_model(spec: &ModelSpec) -> Built {
    built(spec)
}

fn built(spec: &impl Stored) -> Built {
    let mut b = Builder::new();
    b.put(spec);
    b.finish()
}

/// Builds a file or a part of one, however large, with labels of parts only.
pub(crate) fn build_unlabeled(spec: &impl Stored) -> Built {
    let mut b = Builder::new();
    b.silent = true;
    b.put(spec);
    b.finish()
}
