//! Databases with one model whose tree is very deep or very wide.

use crate::builder::Stored;
use crate::island::build::{build, build_unlabeled};
use crate::island::spec::{BlobSpec, DatabaseSpec, LodsSpec, ModelRefSpec, ModelSpec, NodeSpec, RoiSpec, WorldSpec};

/// Stores nodes or objects, each the only child of the one before it, without as deep a stack.
pub(crate) fn chain<T: Stored>(count: usize, one: impl Fn(usize) -> T) -> Vec<u8> {
    let mut out = Vec::new();
    for i in 0..count {
        // The last word is the number of children.
        out.extend(build_unlabeled(&one(i)).bytes);
        let end = out.len();
        out[end - 4] = u8::from(i + 1 < count);
    }
    out
}

/// Builds a chain of `depth` nested nodes, all of which match the root object.
pub fn deep_nodes(depth: usize) -> Vec<u8> {
    let root = NodeSpec { raw: Some(chain(depth, |_| NodeSpec::new("n"))), ..NodeSpec::default() };
    of(ModelSpec::of(RoiSpec::new("n", Vec::new()), root))
}

/// Builds a chain of `depth` nested objects.
pub fn deep_rois(depth: usize) -> Vec<u8> {
    let raw = chain(depth, |_| RoiSpec { lods: LodsSpec::Shared(1), ..RoiSpec::default() });
    of(ModelSpec::of(RoiSpec { raw: Some(raw), ..RoiSpec::default() }, NodeSpec::new("n")))
}

/// Builds a root with `count` nodes and a root with as many objects, where every node has the name
/// of the last object.
pub fn wide_nodes(count: usize) -> Vec<u8> {
    let mut root = NodeSpec::new("root");
    let mut roi = RoiSpec::new("root", Vec::new());
    for i in 0..count {
        root.children.push(NodeSpec::new("last"));
        roi.children.push(RoiSpec::new(if i + 1 == count { "last" } else { "other" }, Vec::new()));
    }
    of(ModelSpec::of(roi, root))
}

fn of(model: ModelSpec) -> Vec<u8> {
    let worlds = vec![WorldSpec::new("DEEP").model(ModelRefSpec::new("deep", 0))];
    build(&DatabaseSpec { worlds, blobs: vec![BlobSpec::model(model)], ..DatabaseSpec::default() }).bytes
}
