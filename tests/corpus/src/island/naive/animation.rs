//! The animation of a model: actors and the node tree.

use super::{Cursor, NaiveError, NaiveName, Real};

/// An actor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveActor {
    /// Name.
    pub name: NaiveName,
    /// Type; not stored if the name is empty.
    pub kind: Option<u32>,
}

/// A node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveNode {
    /// Offset in the file.
    pub at: u64,
    /// Index of the parent node, or `None` for the root.
    pub parent: Option<usize>,
    /// Name.
    pub name: NaiveName,
    /// Translation keys.
    pub translations: Vec<NaiveKey<[Real; 3]>>,
    /// Rotation keys: quaternions, scalar first.
    pub rotations: Vec<NaiveKey<[Real; 4]>>,
    /// Scale keys.
    pub scales: Vec<NaiveKey<[Real; 3]>>,
    /// Visibility keys; any value but 0 means visible.
    pub morphs: Vec<NaiveKey<u8>>,
    /// Number of direct children.
    pub child_count: u32,
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

/// Reads the actor count and the actors.
pub(super) fn actors(c: &mut Cursor<'_>) -> Result<Vec<NaiveActor>, NaiveError> {
    let mut out = Vec::new();
    for _ in 0..c.count(4)? {
        let name = c.name()?;
        let kind = if name.is_absent() { None } else { Some(c.u32()?) };
        out.push(NaiveActor { name, kind });
    }
    Ok(out)
}

/// Reads the node tree in file order.
pub(super) fn nodes(c: &mut Cursor<'_>) -> Result<Vec<NaiveNode>, NaiveError> {
    let mut out: Vec<NaiveNode> = Vec::new();
    // Nodes with the number of their children that are still missing.
    let mut open = Vec::new();
    let mut parent = None;
    loop {
        let node = node(c, parent)?;
        open.push((out.len(), node.child_count));
        out.push(node);
        parent = next_parent(&mut open);
        if parent.is_none() {
            return Ok(out);
        }
    }
}

/// Decrements the last entry with missing children, and returns its index.
pub(super) fn next_parent(open: &mut Vec<(usize, u32)>) -> Option<usize> {
    while let Some((parent, left)) = open.last_mut() {
        if *left > 0 {
            *left -= 1;
            return Some(*parent);
        }
        open.pop();
    }
    None
}

fn node(c: &mut Cursor<'_>, parent: Option<usize>) -> Result<NaiveNode, NaiveError> {
    Ok(NaiveNode {
        at: c.at,
        parent,
        name: c.name()?,
        translations: keys(c, 16, Cursor::reals)?,
        rotations: keys(c, 20, Cursor::reals)?,
        scales: keys(c, 16, Cursor::reals)?,
        morphs: keys(c, 5, Cursor::u8)?,
        child_count: c.count(16)?,
    })
}

fn keys<'a, T>(
    c: &mut Cursor<'a>,
    size: u64,
    value: impl Fn(&mut Cursor<'a>) -> Result<T, NaiveError>,
) -> Result<Vec<NaiveKey<T>>, NaiveError> {
    let mut out = Vec::new();
    for _ in 0..c.short_count(size)? {
        let word = c.u32()?;
        let [.., flags] = word.to_le_bytes();
        out.push(NaiveKey { time: word & 0xFF_FFFF, flags, value: value(c)? });
    }
    Ok(out)
}
