//! The parts of an image.

use super::tables::{ATTRIBUTES, HEADER, OBJECT, PLANE, fields_at, size};
use super::{
    Fields, NaiveAttribute, NaiveError, NaiveImage, NaiveObject, NaivePlane, NaiveTable, Result, signed, unsigned,
};
use crate::naive::{Budget, bytes_at, text_at, u32_at, wide};
use crate::wwd::OBJECT_SIZE;

/// Parses all parts of an image, whether or not its header has the packed flag.
pub fn read_image(image: &[u8]) -> Result<NaiveImage> {
    let header = read_header(image)?;
    // Planes with shared parts can make the reader copy more than there is.
    let mut budget = Budget(wide(image.len()).saturating_mul(2).saturating_add(16 << 20));
    let mut planes = Vec::new();
    let mut at = u64::from(unsigned(&header, "planes_offset"));
    for p in 0..unsigned(&header, "num_planes") {
        let fields = fields_at(image, at, &PLANE)?;
        let size = unsigned(&fields, "header_size");
        if size != 160 {
            return Err(NaiveError::new(at, format!("header_size of plane {p} is {size}")));
        }
        planes.push(NaivePlane { fields, ..NaivePlane::default() });
        at = at.saturating_add(160);
    }
    planes.iter_mut().try_for_each(|plane| fill_plane(image, plane, &mut budget))?;
    let attribute_table = match unsigned(&header, "tile_attribs_offset") {
        0 => None,
        offset => Some(read_attributes(image, offset.into())?),
    };
    Ok(NaiveImage { header, planes, attribute_table })
}

/// Reads the fields of the file header.
pub(super) fn read_header(image: &[u8]) -> Result<Fields> {
    let fields = fields_at(image, 0, &HEADER)?;
    match unsigned(&fields, "header_size") {
        1524 => Ok(fields),
        other => Err(NaiveError::new(0, format!("header_size is {other}"))),
    }
}

/// Reads the three parts of a plane that are stored elsewhere.
fn fill_plane(image: &[u8], plane: &mut NaivePlane, budget: &mut Budget) -> Result<()> {
    let [tiles_at, image_sets_at, objects_at] =
        ["tiles_offset", "image_sets_offset", "objects_offset"].map(|name| u64::from(unsigned(&plane.fields, name)));
    let [columns, rows] = ["tiles_wide", "tiles_high"].map(|name| u64::try_from(signed(&plane.fields, name)));
    let (Ok(columns), Ok(rows)) = (columns, rows) else {
        return Err(NaiveError::new(tiles_at, "a grid of fewer than no tiles"));
    };
    // The offset of an empty grid is ignored.
    for i in 0..columns.saturating_mul(rows) {
        plane.tiles.push(u32_at(image, tiles_at.saturating_add(4 * i))?);
    }
    budget.spend(tiles_at, wide(plane.tiles.len() * 4))?;

    let mut at = image_sets_at;
    for _ in 0..unsigned(&plane.fields, "num_image_sets") {
        let (name, next) = text_at(image, at)?;
        // An owned name costs more than its bytes.
        budget.spend(at, wide(name.len() + 32))?;
        plane.image_sets.push(name);
        at = next;
    }

    // Offset 0 means no objects, whatever the count.
    let count = if objects_at == 0 { 0 } else { unsigned(&plane.fields, "num_objects") };
    let mut at = objects_at;
    for _ in 0..count {
        let (object, next) = read_object(image, at)?;
        plane.objects.push(object);
        at = next;
    }
    budget.spend(objects_at, wide(plane.objects.len() * OBJECT_SIZE))
}

/// Reads an object, and returns where it ends as well.
fn read_object(image: &[u8], start: u64) -> Result<(NaiveObject, u64)> {
    let fields = fields_at(image, start, &OBJECT)?;
    let mut at = start.saturating_add(size(&OBJECT));
    let mut text = |length: &str| {
        let text = bytes_at(image, at, unsigned(&fields, length).into())?;
        at = at.saturating_add(wide(text.len()));
        Ok(text)
    };
    let (name, logic) = (text("name_len")?, text("logic_len")?);
    let (image_set, animation) = (text("image_set_len")?, text("animation_len")?);
    Ok((NaiveObject { fields, name, logic, image_set, animation }, at))
}

fn read_attributes(image: &[u8], start: u64) -> Result<NaiveTable> {
    let mut table = NaiveTable::default();
    for i in 0..8 {
        table.head.push(u32_at(image, start.saturating_add(4 * i))?);
    }
    let mut at = start.saturating_add(32);
    for i in 0..table.head[2] {
        let kind = u32_at(image, at)?;
        let Some(layout) = ATTRIBUTES.get((kind as usize).wrapping_sub(1)) else {
            return Err(NaiveError::new(at, format!("attribute {i} is of the unknown type {kind}")));
        };
        let fields = fields_at(image, at, layout)?;
        at = at.saturating_add(size(layout));
        // The bytes of a mask.
        let area = u64::from(unsigned(&fields, "width")) * u64::from(unsigned(&fields, "height"));
        let mask = bytes_at(image, at, if kind == 3 { area } else { 0 })?;
        at = at.saturating_add(wide(mask.len()));
        table.records.push(NaiveAttribute { fields, mask });
    }
    Ok(table)
}
