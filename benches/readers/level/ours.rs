//! The views of this project.
use worldview::wwd::{Attribute, Level};
use worldview_core::zerocopy::little_endian::U32;
use worldview_core::zerocopy::{IntoBytes as _, transmute_ref};

use crate::readers::{Digest, Sum as _, bytes as sum_of_bytes, words};

/// Returns the digest of an image.
pub fn digest(bytes: &[u8]) -> Digest {
    Ok(visit(&Level::parse(bytes)?)?)
}

/// Returns the digest of an open level.
pub fn visit(level: &Level<'_>) -> worldview::Result<u32> {
    let mut sum = 0_u32;
    for plane in level.planes() {
        for tile in plane.tiles() {
            sum = sum.wrapping_add(tile.get());
        }
        for object in plane.objects() {
            let words: &[U32; 71] = transmute_ref!(object?.record);
            sum = sum.wrapping_add(words.sum());
        }
    }
    for attribute in level.attributes().records() {
        sum = sum.wrapping_add(match attribute {
            Attribute::Single(record) => words(record.as_bytes()),
            Attribute::Double(record) => words(record.as_bytes()),
            Attribute::Mask { head, pixels } => words(head.as_bytes()).wrapping_add(sum_of_bytes(pixels)),
        });
    }
    Ok(sum)
}
