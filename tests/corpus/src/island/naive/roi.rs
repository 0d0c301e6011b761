//! The object tree of a model.

use super::animation::next_parent;
use super::lod::lods;
use super::parts::end;
use super::{Cursor, NaiveError, NaiveLod, NaiveName, Place, Real};

/// An object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveRoi {
    /// Offset in the file.
    pub at: u64,
    /// Index of the parent object, or `None` for the root.
    pub parent: Option<usize>,
    /// Name.
    pub name: NaiveName,
    /// Center of the bounding sphere.
    pub center: [Real; 3],
    /// Radius of the bounding sphere.
    pub radius: Real,
    /// Lower corner of the bounding box.
    pub minimum: [Real; 3],
    /// Upper corner of the bounding box.
    pub maximum: [Real; 3],
    /// Name of a color, or of a texture if it begins with `t_`.
    pub texture: NaiveName,
    /// Whether the levels of detail are stored elsewhere: any value but 0.
    pub shared: u8,
    /// Offset of the end of the levels, from the start of the blob; `None` without levels of its
    /// own.
    pub end_offset: Option<u32>,
    /// The levels of detail, coarsest first.
    pub lods: Vec<NaiveLod>,
    /// File offset of the end of the last level.
    pub lods_end: u64,
    /// Number of direct children.
    pub child_count: u32,
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

/// Reads the object tree in file order.
pub(super) fn rois(c: &mut Cursor<'_>, place: Place) -> Result<Vec<NaiveRoi>, NaiveError> {
    let mut out: Vec<NaiveRoi> = Vec::new();
    // Objects with the number of their children that are still missing.
    let mut open = Vec::new();
    let mut parent = None;
    loop {
        let roi = roi(c, place, parent)?;
        open.push((out.len(), roi.child_count));
        out.push(roi);
        parent = next_parent(&mut open);
        if parent.is_none() {
            return Ok(out);
        }
    }
}

fn roi(c: &mut Cursor<'_>, place: Place, parent: Option<usize>) -> Result<NaiveRoi, NaiveError> {
    let mut roi = NaiveRoi {
        at: c.at,
        parent,
        name: c.name()?,
        center: c.reals()?,
        radius: c.real()?,
        minimum: c.reals()?,
        maximum: c.reals()?,
        texture: c.name()?,
        shared: c.u8()?,
        end_offset: None,
        lods: Vec::new(),
        lods_end: c.at,
        child_count: 0,
    };
    if roi.shared == 0 {
        let count_at = c.at;
        let count = c.u32()?;
        roi.lods_end = c.at;
        if count != 0 {
            let (offset, end) = end(c, place)?;
            roi.end_offset = Some(offset);
            let mut inner = c.until(end);
            inner.needs(count_at, count.into(), 4)?;
            roi.lods = lods(&mut inner, count)?;
            roi.lods_end = inner.at;
            c.at = end;
        }
    }
    roi.child_count = c.count(53)?;
    Ok(roi)
}
