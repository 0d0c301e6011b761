//! The object tree of a model.

use super::{Cursor, NaiveLod, NaiveName, Real, Result, naive};

naive! {
    /// An object.
    pub struct NaiveRoi |c, parent: Option<usize>| {
        /// Offset in the file.
        at: u64 = c.at,
        /// Index of the parent object, or `None` for the root.
        parent: Option<usize> = parent,
        name: NaiveName,
        /// The bounding sphere.
        center: [Real; 3],
        radius: Real,
        /// The corners of the bounding box.
        minimum, maximum: [Real; 3],
        /// Name of a color, or of a texture if it begins with `t_`.
        texture: NaiveName,
        /// Whether the levels of detail are stored elsewhere: any value but 0.
        shared: u8,
        @ { let count: u32 = c.when(shared == 0)?.unwrap_or(0); }
        /// Offset of the end of the levels, from the start of the blob; `None` without levels of its own.
        end_offset: Option<u32> = c.when(count > 0)?,
        @ {
            let mut levels = match end_offset {
                Some(offset) => c.split(offset)?,
                None => c.clone(),
            };
        }
        /// The levels of detail, coarsest first.
        lods: Vec<NaiveLod> = levels.all(count)?,
        /// File offset of the end of the last level.
        lods_end: u64 = levels.at,
        /// Number of direct children.
        child_count: u32,
    }
}

impl NaiveRoi {
    /// Returns the name of the level list that a shared object uses: its own name without trailing
    /// digits.
    pub fn list_key(&self) -> Vec<u8> {
        let mut key = self.name.key();
        while let Some(b'0'..=b'9') = key.last() {
            key.pop();
        }
        key
    }

    /// Returns `true` if its levels of detail are drawn, which is only the case for leaves of the
    /// tree.
    pub fn is_drawn(&self) -> bool {
        self.child_count == 0
    }
}
