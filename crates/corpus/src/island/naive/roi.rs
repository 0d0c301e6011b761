//! The tree of a model's objects.

use super::animation::next_parent;
use super::lod::lods;
use super::parts::end;
use super::{Cursor, NaiveError, NaiveLod, NaiveName, Place, Real};

/// An object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveRoi {
    /// Offset in the file.
    pub at: u64,
    /// The number of the object above, or none for the root.
    pub parent: Option<usize>,
    /// Its name.
    pub name: NaiveName,
    /// Middle of the sphere around it.
    pub centre: [Real; 3],
    /// Radius of the sphere around it.
    pub radius: Real,
    /// Lower corner of the box around it.
    pub minimum: [Real; 3],
    /// Upper corner of the box around it.
    pub maximum: [Real; 3],
    /// The name of a colour, or of a texture behind `t_`.
    pub texture: NaiveName,
    /// Whether the levels of detail are elsewhere: any value but 0.
    pub shared: u8,
    /// Where the levels end, from the beginning of the blob; none without levels of its own.
    pub end_offset: Option<u32>,
    /// The levels of detail, the coarsest first.
    pub lods: Vec<NaiveLod>,
    /// Offset in the file behind the last level.
    pub lods_end: u64,
    /// The number of objects right below.
    pub child_count: u32,
}

impl NaiveRoi {
    /// The name of the list of levels that a shared object uses: its own without the last digits.
    pub fn list_key(&self) -> Vec<u8> {
        let mut key = self.name.key();
        while let Some(b'0'..=b'9') = key.last() {
            key.pop();
        }
        key
    }

    /// Whether its levels of detail are drawn at all: only those of the leaves of the tree are.
    pub fn is_drawn(&self) -> bool {
        self.child_count == 0
    }
}

/// Reads the tree of objects, in the order of the file.
pub(super) fn rois(c: &mut Cursor<'_>, place: Place) -> Result<Vec<NaiveRoi>, NaiveError> {
    let mut out: Vec<NaiveRoi> = Vec::new();
    // The objects that still want children, and how many.
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
        centre: c.reals()?,
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
