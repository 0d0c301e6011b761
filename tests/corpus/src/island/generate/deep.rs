//! Databases with one model whose tree is very deep or very wide.

use crate::island::build::build;
use crate::island::spec::{BlobSpec, DatabaseSpec, ModelRefSpec, ModelSpec, NodeSpec, RoiSpec, WorldSpec};

/// Builds a chain of `depth` nested nodes, all of which match the root object.
pub fn deep_nodes(depth: usize) -> Vec<u8> {
    // The name, no keys of the four kinds, and one child.
    let above = [&1_u32.to_le_bytes()[..], b"n", &[0; 8], &1_u32.to_le_bytes()].concat();
    let mut raw = above.repeat(depth.saturating_sub(1));
    raw.extend([&1_u32.to_le_bytes()[..], b"n", &[0; 8], &[0; 4]].concat());
    let root = NodeSpec { raw: Some(raw), ..NodeSpec::default() };
    of(ModelSpec::of(RoiSpec::new("n", Vec::new()), root))
}

/// Builds a chain of `depth` nested objects.
pub fn deep_rois(depth: usize) -> Vec<u8> {
    let one = |children: u32| [&[0; 44][..], &[0; 4], &[1], &children.to_le_bytes()].concat();
    let mut raw = one(1).repeat(depth.saturating_sub(1));
    raw.extend(one(0));
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
