//! The trailer that WapMap appends.

use super::count_u32;
use crate::builder::Builder;
use crate::wwd::spec::{TrailerBlockSpec, TrailerSpec};

/// Builds a trailer including both tags.
pub fn build_trailer(trailer: &TrailerSpec) -> Vec<u8> {
    let blocks: Vec<(u8, Vec<u8>)> = trailer.blocks.iter().map(block).collect();
    let inner: usize = blocks.iter().map(|(_, bytes)| 5 + bytes.len()).sum();
    // Two tags, and the two blocks that hold this size.
    let total = count_u32(9 + 9 + inner + 9 + 10);
    let mut b = Builder::new();
    b.bytes(b"<wm_meta>").u8(0).u32_le(4).u32_le(total);
    for (id, bytes) in &blocks {
        b.u8(*id).u32_le(count_u32(bytes.len())).bytes(bytes);
    }
    b.u8(1).u32_le(4).u32_le(total).bytes(b"</wm_meta>");
    b.finish().bytes
}

fn block(spec: &TrailerBlockSpec) -> (u8, Vec<u8>) {
    let mut b = Builder::new();
    let id = match spec {
        TrailerBlockSpec::Header { wapmap_build, wapmap_version, map_build, map_version, description } => {
            b.u32_le(*wapmap_build).bytes(wapmap_version).u8(0);
            b.u32_le(*map_build).bytes(map_version).u8(0);
            b.bytes(description).u8(0);
            2
        }
        TrailerBlockSpec::Guides(guides) => {
            b.u32_le(count_u32(guides.len()));
            for (orientation, position) in guides {
                b.u8(*orientation).u32_le(*position);
            }
            3
        }
        TrailerBlockSpec::Favourites(places) => {
            b.u32_le(count_u32(places.len()));
            for (name, x, y) in places {
                b.bytes(name).u8(0).u32_le(*x).u32_le(*y);
            }
            4
        }
        TrailerBlockSpec::Other { id, bytes } => {
            b.bytes(bytes);
            *id
        }
    };
    (id, b.finish().bytes)
}
