//! Main blocks as files store them: packed or plain, with their length and checksum.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;

use crate::flags::PACKED;
use crate::raw::LevelHeader;
use crate::{Rule, Unpacked};

/// Returns a main block as a new file stores it, and sets its checksum in the header, also its length and the flag if it is packed.
/// Returns `None` if it is larger than the header can express.
pub fn seal(header: &mut LevelHeader, block: Vec<u8>, is_packed: bool, rule: Rule) -> Option<Vec<u8>> {
    if !is_packed {
        return Some(sealed(header, block, None, rule));
    }
    header.flags.set(header.flags.get() | PACKED);
    header.main_block_length.set(u32::try_from(block.len()).ok()?);
    let packed = pack_at(&block, Compression::default())?;
    Some(sealed(header, block, Some(packed), rule))
}

impl Unpacked<'_> {
    /// Returns another main block as this file stores its own, and sets its length and checksum in the header, the checksum by the rule
    /// that the file satisfies. Returns `None` if the block is larger than the header can express.
    pub fn seal(&self, header: &mut LevelHeader, block: Vec<u8>) -> Option<Vec<u8>> {
        let stored = self.stored_block();
        // Of a plain level the field means nothing; where it is the length, it stays the length.
        if self.is_packed() || u64::from(header.main_block_length.get()) == stored.len() as u64 {
            header.main_block_length.set(u32::try_from(block.len()).ok()?);
        }
        let packed = if self.is_packed() { Some(pack(&block, stored)?) } else { None };
        Some(sealed(header, block, packed, self.checksum().rules().next().unwrap_or(Rule::Editor)))
    }
}

fn sealed(header: &mut LevelHeader, block: Vec<u8>, packed: Option<Vec<u8>>, rule: Rule) -> Vec<u8> {
    header.checksum.set(match &packed {
        Some(packed) => rule.compute(packed, Some(&block)),
        None => rule.compute(&block, None),
    });
    packed.unwrap_or(block)
}

/// Deflates a main block at the level that the original stream announces. If that gives more bytes than the original has, it is tried
/// at the best level, too: the levels of one library are not those of another.
fn pack(block: &[u8], original: &[u8]) -> Option<Vec<u8>> {
    // The two highest bits of the second byte: fastest, fast, default, best.
    let level = match original.get(1).map_or(2, |flags| flags >> 6) {
        0 => Compression::fast(),
        3 => Compression::best(),
        _ => Compression::default(),
    };
    let packed = pack_at(block, level)?;
    if packed.len() <= original.len() || level == Compression::best() {
        return Some(packed);
    }
    let best = pack_at(block, Compression::best())?;
    Some(if best.len() < packed.len() { best } else { packed })
}

fn pack_at(block: &[u8], level: Compression) -> Option<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), level);
    encoder.write_all(block).ok()?;
    encoder.finish().ok()
}
