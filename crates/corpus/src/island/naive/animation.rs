//! The animation of a model: actors and the tree of nodes.

use super::{Cursor, NaiveError, NaiveName, Real};

/// An actor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveActor {
    /// Its name.
    pub name: NaiveName,
    /// Its type; none behind an empty name.
    pub kind: Option<u32>,
}

/// A node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveNode {
    /// Offset in the file.
    pub at: u64,
    /// The number of the node above, or none for the root.
    pub parent: Option<usize>,
    /// Its name.
    pub name: NaiveName,
    /// Where it moves.
    pub translations: Vec<NaiveKey<[Real; 3]>>,
    /// How it turns: quaternions, the scalar first.
    pub rotations: Vec<NaiveKey<[Real; 4]>>,
    /// How it grows.
    pub scales: Vec<NaiveKey<[Real; 3]>>,
    /// When it is seen: at any value but 0.
    pub morphs: Vec<NaiveKey<u8>>,
    /// The number of nodes right below.
    pub child_count: u32,
}

/// A key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NaiveKey<T> {
    /// Time in milliseconds.
    pub time: u32,
    /// The flags as stored.
    pub flags: u8,
    /// The value.
    pub value: T,
}

/// Reads the number of actors and the actors.
pub(super) fn actors(c: &mut Cursor<'_>) -> Result<Vec<NaiveActor>, NaiveError> {
    let mut out = Vec::new();
    for _ in 0..c.count(4)? {
        let name = c.name()?;
        let kind = if name.is_absent() { None } else { Some(c.u32()?) };
        out.push(NaiveActor { name, kind });
    }
    Ok(out)
}

/// Reads the tree of nodes, in the order of the file.
pub(super) fn nodes(c: &mut Cursor<'_>) -> Result<Vec<NaiveNode>, NaiveError> {
    let mut out: Vec<NaiveNode> = Vec::new();
    // The nodes that still want children, and how many.
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

/// Takes one child off the last entry that still wants some, and says which that is.
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
