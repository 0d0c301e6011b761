//! WapMap's trailer.

use worldview_corpus::wwd::naive::{self, NaiveBlock};
use worldview_corpus::wwd::spec::TrailerBlockSpec;
use worldview_wwd::Unpacked;

use crate::tree::Tree;

/// Adds what the naive reader finds after the main block.
pub(super) fn add(whole: Tree, unpacked: &Unpacked<'_>, trailing: &[u8]) -> Tree {
    let start = naive::find_trailer(trailing);
    let between = &trailing[..start.unwrap_or(trailing.len())];
    let whole = if between.is_empty() { whole } else { whole.with("trailing_bytes", between) };
    let Some(start) = start else { return whole.list("trailer", []) };
    let bytes = &trailing[start..];
    let mut trailer =
        Tree::default().with("offset", unpacked.trailing_at() + start as u64).with("length", bytes.len() as u64);
    match naive::trailer(bytes) {
        Ok(blocks) => trailer = trailer.list("blocks", blocks.iter().map(block)),
        Err(_) => trailer.broken = true,
    }
    whole.list("trailer", [trailer])
}

fn block(block: &NaiveBlock) -> Tree {
    let tree = Tree::default().with("id", block.id);
    match &block.content {
        TrailerBlockSpec::First(size) | TrailerBlockSpec::Last(size) => tree.with("total_size", *size),
        TrailerBlockSpec::Header { wapmap_build, wapmap_version, map_build, map_version, description } => tree
            .with("wapmap_build", *wapmap_build)
            .with("wapmap_version", wapmap_version.as_slice())
            .with("map_build", *map_build)
            .with("map_version", map_version.as_slice())
            .with("description", description.as_slice()),
        TrailerBlockSpec::Guides(guides) => {
            let guide = |(orientation, position): &(u8, u32)| {
                Tree::default().with("orientation", *orientation).with("position", *position)
            };
            tree.list("guides", guides.iter().map(guide))
        }
        TrailerBlockSpec::Favourites(places) => {
            let place = |(name, x, y): &(Vec<u8>, u32, u32)| {
                Tree::default().with("name", name.as_slice()).with("x", *x).with("y", *y)
            };
            tree.list("favourites", places.iter().map(place))
        }
        TrailerBlockSpec::Other { bytes, .. } => tree.with("bytes", bytes.as_slice()),
    }
}
