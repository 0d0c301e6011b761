//! The parts of an image, read separately, so that an error in one does not hide another.

use super::tables::{ATTRIBUTE_KINDS, HEADER, Kind, OBJECT, PLANE, size};
use super::{Fields, NaiveAttribute, NaiveError, NaiveObject, NaiveTable, NaiveValue, unsigned};

/// Returns one byte, or an error that says how long the data is.
pub(super) fn byte(bytes: &[u8], at: u64) -> Result<u8, NaiveError> {
    let found = usize::try_from(at).ok().and_then(|at| bytes.get(at));
    found.copied().ok_or_else(|| NaiveError::new(at, format!("ends after {} bytes", bytes.len())))
}

/// Reads a little-endian `u32`.
pub(super) fn u32_at(bytes: &[u8], at: u64) -> Result<u32, NaiveError> {
    let mut value = 0;
    for i in 0..4 {
        let byte = byte(bytes, at.saturating_add(i))?;
        value |= u32::from(byte) << (8 * i);
    }
    Ok(value)
}

fn i32_at(bytes: &[u8], at: u64) -> Result<i32, NaiveError> {
    Ok(i32::from_le_bytes(u32_at(bytes, at)?.to_le_bytes()))
}

fn rect_at(bytes: &[u8], at: u64) -> Result<[i32; 4], NaiveError> {
    let mut rect = [0; 4];
    for (value, i) in rect.iter_mut().zip(0..) {
        *value = i32_at(bytes, at.saturating_add(4 * i))?;
    }
    Ok(rect)
}

/// Returns `count` bytes; the vector grows only as bytes are read.
pub(super) fn bytes_at(bytes: &[u8], at: u64, count: u64) -> Result<Vec<u8>, NaiveError> {
    let mut out = Vec::new();
    for i in 0..count {
        out.push(byte(bytes, at.saturating_add(i))?);
    }
    Ok(out)
}

fn fields_at(bytes: &[u8], start: u64, table: &[(&'static str, Kind)]) -> Result<Fields, NaiveError> {
    let mut fields = Vec::new();
    let mut at = start;
    for &(name, kind) in table {
        let (value, size) = match kind {
            Kind::U32 => (NaiveValue::Int(u32_at(bytes, at)?.into()), 4),
            Kind::I32 => (NaiveValue::Int(i32_at(bytes, at)?.into()), 4),
            Kind::Text(size) => (NaiveValue::Text(bytes_at(bytes, at, size)?), size),
            Kind::Rect => (NaiveValue::Rect(rect_at(bytes, at)?), 16),
        };
        fields.push((name, value));
        at = at.saturating_add(size);
    }
    Ok(fields)
}

/// Reads the fields of the file header.
pub fn read_header(image: &[u8]) -> Result<Fields, NaiveError> {
    let fields = fields_at(image, 0, HEADER)?;
    match unsigned(&fields, "header_size") {
        1524 => Ok(fields),
        other => Err(NaiveError::new(0, format!("header_size is {other}"))),
    }
}

/// Reads the fields of all plane headers.
pub fn read_plane_headers(image: &[u8], header: &Fields) -> Result<Vec<Fields>, NaiveError> {
    let mut planes = Vec::new();
    let mut at = u64::from(unsigned(header, "planes_offset"));
    for p in 0..unsigned(header, "num_planes") {
        let fields = fields_at(image, at, PLANE)?;
        let size = unsigned(&fields, "header_size");
        if size != 160 {
            return Err(NaiveError::new(at, format!("header_size of plane {p} is {size}")));
        }
        planes.push(fields);
        at = at.saturating_add(160);
    }
    Ok(planes)
}

/// Reads a tile grid. The offset of an empty grid is ignored.
pub fn read_tiles(image: &[u8], offset: u32, wide: i32, high: i32) -> Result<Vec<u32>, NaiveError> {
    let (Ok(wide), Ok(high)) = (u64::try_from(wide), u64::try_from(high)) else {
        return Err(NaiveError::new(offset.into(), format!("grid of {wide} x {high} tiles")));
    };
    let mut tiles = Vec::new();
    for i in 0..wide.saturating_mul(high) {
        tiles.push(u32_at(image, u64::from(offset).saturating_add(4 * i))?);
    }
    Ok(tiles)
}

/// Returns the image-set names before the first error, and the error.
pub fn read_image_sets(image: &[u8], offset: u32, count: u32) -> (Vec<Vec<u8>>, Option<NaiveError>) {
    let mut names = Vec::new();
    let mut at = u64::from(offset);
    for _ in 0..count {
        let mut name = Vec::new();
        loop {
            let byte = match byte(image, at) {
                Ok(byte) => byte,
                Err(error) => return (names, Some(error)),
            };
            at = at.saturating_add(1);
            if byte == 0 {
                break;
            }
            name.push(byte);
        }
        names.push(name);
    }
    (names, None)
}

/// Returns the objects before the first error, and the error.
pub fn read_objects(image: &[u8], offset: u32, count: u32) -> (Vec<NaiveObject>, Option<NaiveError>) {
    let mut objects = Vec::new();
    if count > 0 && offset == 0 {
        return (objects, Some(NaiveError::new(0, format!("{count} objects at offset 0"))));
    }
    let mut at = u64::from(offset);
    for _ in 0..count {
        match read_object(image, at) {
            Ok((object, end)) => {
                objects.push(object);
                at = end;
            }
            Err(error) => return (objects, Some(error)),
        }
    }
    (objects, None)
}

fn read_object(image: &[u8], start: u64) -> Result<(NaiveObject, u64), NaiveError> {
    let fields = fields_at(image, start, OBJECT)?;
    let mut at = start.saturating_add(size(OBJECT));
    let mut text = |length: &str| {
        let length = u64::from(unsigned(&fields, length));
        let text = bytes_at(image, at, length)?;
        at = at.saturating_add(length);
        Ok(text)
    };
    let name = text("name_len")?;
    let logic = text("logic_len")?;
    let image_set = text("image_set_len")?;
    let animation = text("animation_len")?;
    Ok((NaiveObject { fields, name, logic, image_set, animation }, at))
}

/// Returns the header of the tile-attribute table with the records before the first error, and the
/// error.
pub fn read_attributes(image: &[u8], offset: u32) -> (NaiveTable, Option<NaiveError>) {
    let mut table = NaiveTable::default();
    let error = fill_table(image, offset.into(), &mut table).err();
    (table, error)
}

fn fill_table(image: &[u8], start: u64, table: &mut NaiveTable) -> Result<(), NaiveError> {
    for i in 0..8 {
        table.head.push(u32_at(image, start.saturating_add(4 * i))?);
    }
    let count = table.head.get(2).copied().unwrap_or(0);
    let mut at = start.saturating_add(32);
    for i in 0..count {
        let kind = u32_at(image, at)?;
        let Some((_, layout)) = ATTRIBUTE_KINDS.iter().find(|(known, _)| *known == kind) else {
            return Err(NaiveError::new(at, format!("attribute {i} is of the unknown type {kind}")));
        };
        let fields = fields_at(image, at, layout)?;
        at = at.saturating_add(size(layout));
        let mut mask = Vec::new();
        if kind == 3 {
            let area = u64::from(unsigned(&fields, "width")) * u64::from(unsigned(&fields, "height"));
            mask = bytes_at(image, at, area)?;
            at = at.saturating_add(area);
        }
        table.records.push(NaiveAttribute { fields, mask });
    }
    Ok(())
}
