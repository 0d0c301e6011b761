//! Drawn levels.

use worldview_readers::{MAX_LEN, holds};

/// Draws a level with the pictures of an archive. The level follows its length, 32 bits, and the archive follows the
/// level.
pub fn level_draw(data: &[u8]) {
    if data.len() > MAX_LEN {
        return;
    }
    let Some((len, rest)) = data.split_first_chunk() else { return };
    let len = usize::try_from(u32::from_le_bytes(*len)).unwrap_or(usize::MAX);
    if let Some((level, archive)) = rest.split_at_checked(len) {
        // One view of each level; the others are drawn of other levels.
        holds(crate::drawn::agree(level, archive, Some(super::turn(data, 6))));
    }
}
