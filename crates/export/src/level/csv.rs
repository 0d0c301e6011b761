//! Objects and tile attributes as CSV: UTF-8, commas, a header line, the same columns in every file and version.

use std::io::Write;

use worldview_core::zerocopy::FromZeros as _;
use worldview_core::{Budget, Value};
use worldview_wwd::raw::ObjectRecord;
use worldview_wwd::{Attribute, Level};

use crate::hex;
use crate::{Encoding, Error, Result};

/// Writes the objects of all planes, one a row.
///
/// Columns: `plane`, `plane_name`, `object`, `name`, `logic`, `image_set`, `animation`, `metadata` (hexadecimal), then
/// the fields of the record in file order, a rectangle as four columns `_left`, `_top`, `_right`, `_bottom`.
///
/// # Errors
///
/// Those of writing; an object that breaks off; overlapping parts past the walk's limit.
pub fn objects(level: &Level<'_>, encoding: Encoding, out: impl Write) -> Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    for column in ["plane", "plane_name", "object", "name", "logic", "image_set", "animation", "metadata"] {
        csv.write_field(column)?;
    }
    for (name, value) in ObjectRecord::new_zeroed().fields() {
        if let Value::Ints(_) = value {
            for side in ["left", "top", "right", "bottom"] {
                csv.write_field(format!("{name}_{side}"))?;
            }
        } else {
            csv.write_field(name)?;
        }
    }
    csv.write_record(None::<&[u8]>)?;
    let mut budget = Budget::for_bytes(level.image().len(), "objects of overlapping planes");
    for plane in level.planes() {
        let plane_name = encoding.visible(plane.name());
        for object in plane.objects() {
            let object = object?;
            budget.spend(object.size(), object.at, level.image().space())?;
            csv.write_field(plane.index().to_string())?;
            csv.write_field(plane_name.as_bytes())?;
            csv.write_field(object.index.to_string())?;
            for text in [object.display_name(), object.logic, object.image_set, object.animation] {
                csv.write_field(encoding.visible(text).as_bytes())?;
            }
            csv.write_field(object.metadata().map_or(String::new(), |metadata| hex(metadata.stored)))?;
            for (_, value) in object.record.fields() {
                match value {
                    Value::Int(int) => csv.write_field(int.to_string())?,
                    Value::Uint(word) => csv.write_field(word.to_string())?,
                    Value::Ints(sides) => {
                        for side in sides {
                            csv.write_field(side.get().to_string())?;
                        }
                    }
                    Value::Text(text) => csv.write_field(encoding.visible(text).as_bytes())?,
                    _ => csv.write_field("")?,
                }
            }
            csv.write_record(None::<&[u8]>)?;
        }
    }
    csv.flush()?;
    Ok(())
}

/// Writes the tile attributes, one a row; cells that a kind has not stay empty.
///
/// Columns: `frame`, `kind` (`single`, `double` or `mask`), `reserved`, `width`, `height`, `attribute`, `outside`,
/// `inside`, `left`, `top`, `right`, `bottom`, `mask` (a hexadecimal byte a pixel, row after row).
///
/// # Errors
///
/// Those of writing.
pub fn attributes(level: &Level<'_>, out: impl Write) -> Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record([
        "frame",
        "kind",
        "reserved",
        "width",
        "height",
        "attribute",
        "outside",
        "inside",
        "left",
        "top",
        "right",
        "bottom",
        "mask",
    ])?;
    for (frame, record) in level.attributes().records().iter().enumerate() {
        let (kind, reserved) = match record {
            Attribute::Single(single) => ("single", single.reserved),
            Attribute::Double(double) => ("double", double.reserved),
            Attribute::Mask { head, .. } => ("mask", head.reserved),
        };
        let mut cells: [String; 13] = Default::default();
        cells[0] = frame.to_string();
        cells[1] = kind.to_owned();
        cells[2] = reserved.to_string();
        cells[3] = record.width().to_string();
        cells[4] = record.height().to_string();
        match record {
            Attribute::Single(single) => cells[5] = single.attribute.to_string(),
            Attribute::Double(double) => {
                cells[6] = double.outside.to_string();
                cells[7] = double.inside.to_string();
                for (cell, side) in cells[8..12].iter_mut().zip(double.rect.get()) {
                    *cell = side.to_string();
                }
            }
            Attribute::Mask { pixels, .. } => cells[12] = hex(pixels),
        }
        csv.write_record(&cells)?;
    }
    csv.flush()?;
    Ok(())
}

impl From<csv::Error> for Error {
    fn from(error: csv::Error) -> Self {
        Self::Io(error.into())
    }
}
