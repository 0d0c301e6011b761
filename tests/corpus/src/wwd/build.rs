//! Builds a level from its spec in the canonical order, with a label on every field.

use super::HEADER_SIZE;
use super::checksum::{editor, editor_tail, wapmap};
use super::spec::{ChecksumRule, LengthRule, LevelSpec, Packing};
use crate::builder::{Builder, Built, count};

/// Offset of the checksum word.
const CHECKSUM_AT: usize = 748;

/// Builds the file of a level. In a packed level, label positions count in the image, as its offsets do.
pub fn build(level: &LevelSpec) -> Built {
    let image = unsummed_image(level);
    Built { bytes: pack(&image.bytes, level), labels: image.labels }
}

/// Builds the image of a level: the header exactly as in the file, and the unpacked main block.
pub fn build_image(level: &LevelSpec) -> Built {
    let mut image = unsummed_image(level);
    let stored = stored_block(&image.bytes, level.packing);
    set_checksum(&mut image.bytes, &stored, level.checksum);
    image
}

/// Builds the file of an image that a test may have changed: packs it, sets the checksum, and appends trailer and junk.
///
/// The rest of the header stays as it is in the image.
pub fn pack(image: &[u8], level: &LevelSpec) -> Vec<u8> {
    let stored = stored_block(image, level.packing);
    let mut header = image.to_vec();
    set_checksum(&mut header, &stored, level.checksum);
    header.truncate(HEADER_SIZE);
    let mut file = Builder::new();
    file.put((header, stored, &level.trailer, &level.trailing));
    file.finish().bytes
}

fn main_block(image: &[u8]) -> &[u8] {
    image.get(HEADER_SIZE..).unwrap_or(&[])
}

fn stored_block(image: &[u8], packing: Packing) -> Vec<u8> {
    match packing {
        Packing::Raw => main_block(image).to_vec(),
        Packing::Zlib { level } => miniz_oxide::deflate::compress_to_vec_zlib(main_block(image), level),
    }
}

fn set_checksum(image: &mut [u8], stored: &[u8], rule: ChecksumRule) {
    let unpacked = main_block(image);
    // Nothing follows a raw block in the editor's buffer; a packed block is followed by the rest of the unpacked one.
    let tail = editor_tail(stored, unpacked);
    let value = match rule {
        ChecksumRule::Editor => editor(stored, tail),
        ChecksumRule::WapMap => wapmap(stored),
        ChecksumRule::Libwap32 => wapmap(unpacked),
        ChecksumRule::Zero => 0,
        ChecksumRule::Value(value) => value,
    };
    if let Some(word) = image.get_mut(CHECKSUM_AT..CHECKSUM_AT + 4) {
        word.copy_from_slice(&value.to_le_bytes());
    }
}

/// Builds the image with a checksum of 0.
fn unsummed_image(level: &LevelSpec) -> Built {
    let mut b = Builder::new();
    b.put(level);
    let mut image = b.finish();
    let flags = level.header.flags & !2;
    let unpacked = count(main_block(&image.bytes).len());
    let (flags, length) = match level.packing {
        Packing::Raw => (flags, 0),
        Packing::Zlib { .. } => (flags | 2, unpacked),
    };
    let length = match level.main_block_length {
        LengthRule::Canonical => length,
        LengthRule::Value(value) => value,
    };
    let position = |label| image.at(label).map_or(0, count);
    let words = [
        ("header.flags", flags),
        ("header.num_planes", count(level.planes.len())),
        ("header.planes_offset", position("planes")),
        ("header.tile_attribs_offset", position("attributes")),
        ("header.main_block_length", length),
    ];
    image.words_le(&words);
    image
}
