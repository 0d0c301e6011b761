use worldview_wwd::raw::{AttributeHead, AttributesHeader, DoubleRecord, SingleRecord};
use worldview_wwd::{Attribute, Attributes};
use zerocopy::{FromZeros as _, IntoBytes as _};

use super::image::{Image, missing};
use super::record::{Record, int};
use crate::tree::{Tree, field, unexpected};
use crate::{EditError, EditErrorKind, Result, Value};

/// Applies changes of tile attributes.
pub(super) fn edit<'a>(table: &Attributes<'a>, tree: &Tree<'_>, image: &mut Image<'a>) -> Result<()> {
    if let Some(change) = tree.change {
        return Err(unexpected(change));
    }
    let mut starts = Vec::with_capacity(table.records().len());
    let mut at = table.extent().0.saturating_add(AttributesHeader::SIZE);
    for record in table.records() {
        starts.push(at);
        at = at.saturating_add(record.size());
    }
    for (name, node) in &tree.children {
        let segment = name.segments().next().filter(|segment| segment.kind.is_none() && &*segment.key == b"frame");
        let index = segment.and_then(|segment| usize::try_from(segment.nth?).ok());
        let found = index.and_then(|index| Some((table.records().get(index)?, *starts.get(index)?)));
        let (record, at) = found.ok_or_else(|| missing(node, true, 0))?;
        let Some(change) = node.any() else { continue };
        let old = bytes(record);
        let new = changed(record, node)?;
        if new.len() == old.len() {
            image.patch(at, &old, &new, change.path())?;
        } else {
            image.replace(at, old.len(), new, change.path())?;
        }
    }
    Ok(())
}

/// The bytes of a record, without copying the pixels of masks twice.
fn bytes(record: &Attribute<'_>) -> Vec<u8> {
    match record {
        Attribute::Single(single) => single.as_bytes().to_vec(),
        Attribute::Double(double) => double.as_bytes().to_vec(),
        Attribute::Mask { head, pixels } => [head.as_bytes(), pixels].concat(),
    }
}

/// The fields of a record; of the kind that it gets.
fn fields_of(kind: u32, record: &Attribute<'_>) -> Option<Record> {
    Some(match (kind, record) {
        (1, Attribute::Single(single)) => Record::of(single.as_bytes(), single.fields()),
        (2, Attribute::Double(double)) => Record::of(double.as_bytes(), double.fields()),
        (3, Attribute::Mask { head, .. }) => Record::of(head.as_bytes(), head.fields()),
        (1, _) => {
            let empty = SingleRecord::new_zeroed();
            Record::of(empty.as_bytes(), empty.fields())
        }
        (2, _) => {
            let empty = DoubleRecord::new_zeroed();
            Record::of(empty.as_bytes(), empty.fields())
        }
        (3, _) => {
            let empty = AttributeHead::new_zeroed();
            Record::of(empty.as_bytes(), empty.fields())
        }
        _ => return None,
    })
}

/// Applies the changes of one record, whose kind may be one of them.
fn changed(record: &Attribute<'_>, node: &Tree<'_>) -> Result<Vec<u8>> {
    let old_kind = match record {
        Attribute::Single(_) => 1,
        Attribute::Double(_) => 2,
        Attribute::Mask { .. } => 3,
    };
    let (mut kind, mut list, mut pixels) = (old_kind, Vec::new(), Vec::new());
    for (name, node) in &node.children {
        if name.segments().next().is_some_and(|segment| segment.kind == Some("pixel")) {
            pixels.push((name, node));
            continue;
        }
        let (field, from, to, path) = field(name, node)?;
        if *field == *b"kind" {
            kind = int(to, path, 1, 3)?;
        }
        list.push((field, from, to, path));
    }
    let mut new = fields_of(kind, record).ok_or_else(|| missing(node, true, 0))?;
    if kind != old_kind {
        // What all kinds begin with stays.
        let old = fields_of(old_kind, record);
        let here = worldview_core::Path::new();
        for (name, value) in old.iter().flat_map(Record::values).filter(|(name, _)| AttributeHead::NAMES.contains(name))
        {
            new.set(name.as_bytes(), None, &value, &here)?;
        }
    }
    let mut size = None;
    for (name, from, to, path) in list {
        // Fields of the kind that the record has no more are gone with it.
        if kind != old_kind && !new.has(&name) {
            continue;
        }
        new.set(&name, from, to, path)?;
        if kind == 3 && matches!(&*name, b"width" | b"height") {
            size = Some(path);
        }
    }
    if kind != 3 {
        return match pixels.first() {
            Some((_, node)) if kind == old_kind => Err(missing(node, true, 0)),
            _ => Ok(new.bytes().to_vec()),
        };
    }
    mask(record, &new, &pixels, size)
}

/// A mask with its pixels: those of the original, if it was a mask of this size, else zeros.
fn mask(
    record: &Attribute<'_>,
    head: &Record,
    pixels: &[(&worldview_core::Path, &Tree<'_>)],
    size: Option<&worldview_core::Path>,
) -> Result<Vec<u8>> {
    let side = |name: &str| match head.values().find(|(field, _)| *field == name) {
        Some((_, Value::Integer(side))) => usize::try_from(side).ok(),
        _ => None,
    };
    let sides = side("width").zip(side("height"));
    let Some((width, len)) =
        sides.and_then(|(width, height)| Some((width, width.checked_mul(height).filter(|len| *len <= 1 << 24)?)))
    else {
        let path = size.cloned().unwrap_or_default();
        return Err(EditError::unsupported(&path, "a mask has at most 16777216 pixels"));
    };
    let mut grid = match record {
        Attribute::Mask { pixels, .. } if pixels.len() == len => pixels.to_vec(),
        _ => vec![0; len],
    };
    for (name, node) in pixels {
        let (Some(crate::Change::Set { path, from, to }), Some(segment)) = (node.change, name.segments().next()) else {
            return Err(missing(node, true, 0));
        };
        let cell = std::str::from_utf8(&segment.key).ok().and_then(|text| text.split_once(','));
        let cell = cell.and_then(|(x, y)| Some((x.parse::<usize>().ok()?, y.parse::<usize>().ok()?)));
        let at = cell.filter(|(x, _)| *x < width).and_then(|(x, y)| y.checked_mul(width)?.checked_add(x));
        let place = at.and_then(|at| grid.get_mut(at)).ok_or_else(|| EditError::new(path, EditErrorKind::NotFound))?;
        if let Some(expected) = from.as_ref().filter(|expected| **expected != Value::from(*place)) {
            let found = (*place).into();
            return Err(EditError::new(path, EditErrorKind::Differs { expected: expected.clone(), found }));
        }
        *place = u8::try_from(int(to, path, 0, 255)?).unwrap_or_default();
    }
    Ok([head.bytes(), &grid].concat())
}
