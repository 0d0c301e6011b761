use std::collections::BTreeMap;

use worldview_core::Path;
use worldview_wwd::raw::{AttributeHead, AttributesHeader, DoubleRecord, SingleRecord};
use worldview_wwd::{Attribute, Attributes};
use zerocopy::{FromBytes as _, FromZeros as _, IntoBytes as _};

use super::image::{Image, fields, missing};
use super::plane::only_last;
use super::record::{Record, int};
use crate::tree::{Tree, field, unexpected};
use crate::{Change, EditError, EditErrorKind, Position, Result, Value};

/// Applies changes of tile attributes.
pub(super) fn edit<'a>(table: &Attributes<'a>, tree: &Tree<'_>, image: &mut Image<'a>) -> Result<()> {
    if let Some(change) = tree.change {
        return Err(unexpected(change));
    }
    if !image.has_own_attributes() {
        let path = tree.any().map(|change| change.path().clone()).unwrap_or_default();
        return Err(EditError::unsupported(&path, "another part of the level shares the bytes of the tile attributes"));
    }
    let mut starts = Vec::with_capacity(table.records().len());
    let (start, end) = table.extent();
    let mut at = start.saturating_add(AttributesHeader::SIZE);
    for record in table.records() {
        starts.push(at);
        at = at.saturating_add(record.size());
    }
    let (mut added, mut removed) = (BTreeMap::new(), BTreeMap::new());
    let mut own = Tree::default();
    for (name, node) in &tree.children {
        let segment = name.segments().next().filter(|segment| segment.kind.is_none());
        let Some(segment) = segment.filter(|segment| &*segment.key == b"frame") else {
            own.children.insert(name.clone(), node.clone_subtree());
            continue;
        };
        let index = segment.nth.and_then(|nth| usize::try_from(nth).ok()).ok_or_else(|| missing(node, true, 0))?;
        if let Some(Change::Add { path, like: None, position: Position::Natural, fields, data }) = node.change {
            added.insert(index, (new(fields, data.as_ref(), path)?, path));
            continue;
        }
        let found = table.records().get(index).zip(starts.get(index).copied());
        let (record, at) = found.ok_or_else(|| missing(node, true, 0))?;
        match node.change {
            Some(Change::Remove { path, fields, data, was: _ }) => {
                expect(record, fields, data.as_ref(), path)?;
                removed.insert(index, (at, record.size(), path));
            }
            Some(change) => return Err(unexpected(change)),
            None => {
                let Some(change) = node.any() else { continue };
                let old = bytes(record);
                let new = changed(record, node)?;
                if new.len() == old.len() {
                    image.patch(at, &old, &new, change.path())?;
                } else {
                    image.replace(at, old.len(), new, change.path())?;
                }
            }
        }
    }
    let mut count = table.records().len();
    for (index, (at, size, path)) in removed.into_iter().rev() {
        only_last(index.saturating_add(1) == count && added.is_empty(), path)?;
        image.replace(at, usize::try_from(size).unwrap_or(usize::MAX), Vec::new(), path)?;
        image.is_shrunk = true;
        count = index;
    }
    let mut list = Vec::new();
    for (index, (bytes, path)) in added {
        only_last(index == count, path)?;
        list.extend(bytes);
        count = count.saturating_add(1);
    }
    let mut path = tree.any().map(|change| change.path().clone()).unwrap_or_default();
    let empty = AttributesHeader::new_zeroed();
    let old = table.header().unwrap_or(&empty);
    let mut record = Record::of(old.as_bytes(), old.fields());
    fields(&mut record, &own)?;
    let mut header = AttributesHeader::read_from_bytes(record.bytes()).unwrap_or(empty);
    header.count.set(u32::try_from(count).unwrap_or(u32::MAX));
    if table.header().is_some() {
        image.patch(start, old.as_bytes(), header.as_bytes(), &path)?;
        return if list.is_empty() { Ok(()) } else { image.replace(end, 0, list, &path) };
    }
    if let Some(change) = own.any() {
        path = change.path().clone();
    }
    if list.is_empty() {
        return Err(EditError::new(&path, EditErrorKind::NotFound));
    }
    header.header_size.set(u32::try_from(AttributesHeader::SIZE).unwrap_or(0));
    image.attributes = Some([header.as_bytes(), &list].concat());
    Ok(())
}

/// The bytes of a new record: its kind, fields and, of a mask, its pixels.
fn new(given: &[(String, Value)], data: Option<&Value>, path: &Path) -> Result<Vec<u8>> {
    let kind = given.iter().find(|(name, _)| name == "kind");
    let kind = kind.ok_or_else(|| EditError::unsupported(path, "a new tile attribute must say its kind: 1, 2 or 3"))?;
    let empty = SingleRecord::new_zeroed();
    let mut record = fields_of(int(&kind.1, path, 1, 3)?, &Attribute::Single(&empty))
        .ok_or_else(|| EditError::new(path, EditErrorKind::NotFound))?;
    given.iter().try_for_each(|(name, value)| record.set(name.as_bytes(), None, value, path))?;
    if kind.1 != Value::from(3) {
        return match data {
            Some(_) => Err(EditError::unsupported(path, "only masks have pixels")),
            None => Ok(record.bytes().to_vec()),
        };
    }
    let len = mask_size(&record, path)?.1;
    let pixels = data.and_then(Value::as_bytes).unwrap_or(&[]);
    if pixels.len() != len {
        let value = data.cloned().unwrap_or(Value::Bytes(Vec::new()));
        let limit = format!("a mask of this size has {len} pixels of one byte");
        return Err(EditError::new(path, EditErrorKind::DoesNotFit { value, limit }));
    }
    Ok([record.bytes(), pixels].concat())
}

/// Compares a record with what a change expects.
fn expect(record: &Attribute<'_>, expected: &[(String, Value)], data: Option<&Value>, path: &Path) -> Result<()> {
    let found = fields_of(kind_of(record), record).ok_or_else(|| EditError::new(path, EditErrorKind::NotFound))?;
    expected.iter().try_for_each(|(name, value)| found.expect(name.as_bytes(), value, path))?;
    let pixels = match record {
        Attribute::Mask { pixels, .. } => pixels,
        _ => &[][..],
    };
    match data {
        Some(data) if data.as_bytes() != Some(pixels) => {
            let found = Value::Bytes(pixels.to_vec());
            Err(EditError::new(path, EditErrorKind::Differs { expected: data.clone(), found }))
        }
        _ => Ok(()),
    }
}

/// The number of a record's kind.
const fn kind_of(record: &Attribute<'_>) -> u32 {
    match record {
        Attribute::Single(_) => 1,
        Attribute::Double(_) => 2,
        Attribute::Mask { .. } => 3,
    }
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
    let old_kind = kind_of(record);
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
    let old = fields_of(old_kind, record);
    if kind != old_kind {
        // What all kinds begin with stays.
        let here = Path::new();
        for (name, value) in old.iter().flat_map(Record::values).filter(|(name, _)| AttributeHead::NAMES.contains(name))
        {
            new.set(name.as_bytes(), None, &value, &here)?;
        }
    }
    let mut size = None;
    for (name, from, to, path) in list {
        // Fields of the kind that the record has no more are gone with it.
        if kind != old_kind
            && !new.has(&name)
            && let Some(old) = old.as_ref().filter(|old| old.has(&name))
        {
            from.map_or(Ok(()), |from| old.expect(&name, from, path))?;
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
            _ => {
                pixels.iter().try_for_each(|(name, node)| set_pixel(record, name, node, (0, &mut [])))?;
                Ok(new.bytes().to_vec())
            }
        };
    }
    mask(record, &new, &pixels, size)
}

/// A mask with its pixels: those that the original has, and zeros.
fn mask(record: &Attribute<'_>, head: &Record, changes: &[(&Path, &Tree<'_>)], size: Option<&Path>) -> Result<Vec<u8>> {
    let (width, len) = mask_size(head, &size.cloned().unwrap_or_default())?;
    let mut grid = match record {
        Attribute::Mask { pixels, .. } if size.is_none() => pixels.to_vec(),
        _ => {
            let old = |index: usize| pixel(record, (index.checked_rem(width)?, index.checked_div(width)?));
            (0..len).map(|index| old(index).unwrap_or(0)).collect()
        }
    };
    for (name, node) in changes {
        set_pixel(record, name, node, (width, &mut grid))?;
    }
    Ok([head.bytes(), &grid].concat())
}

/// Sets a pixel of a mask of the given width. One that is gone can be set to zero.
fn set_pixel(record: &Attribute<'_>, name: &Path, node: &Tree<'_>, (width, grid): (usize, &mut [u8])) -> Result<()> {
    let (Some(Change::Set { path, from, to }), Some(segment)) = (node.change, name.segments().next()) else {
        return Err(missing(node, true, 0));
    };
    let not_found = || EditError::new(path, EditErrorKind::NotFound);
    let cell = std::str::from_utf8(&segment.key).ok().and_then(|text| text.split_once(','));
    let cell = cell.and_then(|(x, y)| Some((x.parse::<usize>().ok()?, y.parse::<usize>().ok()?)));
    let (x, y) = cell.ok_or_else(not_found)?;
    let old = pixel(record, (x, y));
    let found = Value::from(old.unwrap_or(0));
    if let Some(expected) = from.as_ref().filter(|expected| **expected != found) {
        return Err(EditError::new(path, EditErrorKind::Differs { expected: expected.clone(), found }));
    }
    let to = u8::try_from(int(to, path, 0, 255)?).unwrap_or_default();
    let at = Some(x).filter(|x| *x < width).and_then(|x| y.checked_mul(width)?.checked_add(x));
    match at.and_then(|at| grid.get_mut(at)) {
        Some(place) => *place = to,
        None if to == 0 && old.is_some() => {}
        None => return Err(not_found()),
    }
    Ok(())
}

/// The pixel of a mask at a column and row.
pub(super) fn pixel(record: &Attribute<'_>, (x, y): (usize, usize)) -> Option<u8> {
    let Attribute::Mask { pixels, .. } = record else { return None };
    let width = usize::try_from(record.width()).ok().filter(|width| x < *width)?;
    pixels.get(y.checked_mul(width)?.checked_add(x)?).copied()
}

/// The width of a mask, and the number of its pixels.
fn mask_size(head: &Record, path: &Path) -> Result<(usize, usize)> {
    let side = |name: &str| match head.values().find(|(field, _)| *field == name) {
        Some((_, Value::Integer(side))) => usize::try_from(side).ok(),
        _ => None,
    };
    let sides = side("width").zip(side("height"));
    let size =
        sides.and_then(|(width, height)| Some((width, width.checked_mul(height).filter(|len| *len <= 1 << 24)?)));
    size.ok_or_else(|| EditError::unsupported(path, "a mask has at most 16777216 pixels"))
}
