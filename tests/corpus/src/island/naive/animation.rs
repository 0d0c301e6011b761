//! The animation of a model: actors and the node tree.

use super::{Cursor, Load, NaiveName, Real, Result, naive};

naive! {
    /// An actor.
    pub struct NaiveActor |c| {
        name: NaiveName,
        /// Type; not stored if the name is empty.
        kind: Option<u32> = c.when(!name.is_absent())?,
    }

    /// A node.
    pub struct NaiveNode |c, parent: Option<usize>| {
        /// Offset in the file.
        at: u64 = c.at,
        /// Index of the parent node, or `None` for the root.
        parent: Option<usize> = parent,
        name: NaiveName,
        translations: Vec<NaiveKey<[Real; 3]>> = keys(c)?,
        /// Quaternions, scalar first.
        rotations: Vec<NaiveKey<[Real; 4]>> = keys(c)?,
        scales: Vec<NaiveKey<[Real; 3]>> = keys(c)?,
        /// Visibility keys; any value but 0 means visible.
        morphs: Vec<NaiveKey<u8>> = keys(c)?,
        /// Number of direct children.
        child_count: u32,
    }
}

/// A key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NaiveKey<T> {
    /// Time in milliseconds.
    pub time: u32,
    /// The flags, as stored.
    pub flags: u8,
    /// The value.
    pub value: T,
}

impl<T: Load> Load for NaiveKey<T> {
    fn load(c: &mut Cursor<'_>) -> Result<Self> {
        let [low, middle, high, flags] = c.load()?;
        Ok(Self { time: u32::from_le_bytes([low, middle, high, 0]), flags, value: c.load()? })
    }
}

fn keys<T: Load>(c: &mut Cursor<'_>) -> Result<Vec<NaiveKey<T>>> {
    let count: u16 = c.load()?;
    c.all(count)
}
