//! Objects and tile attributes as CSV: UTF-8, commas, a header line, the same columns in every file and version.
//!
//! Text is what the code page makes of the bytes, control characters included; a cell with one is quoted.

use std::io::Write;

use worldview_core::zerocopy::FromZeros as _;
use worldview_core::{Budget, RecordValue};
use worldview_inspect::Bound;
use worldview_wwd::raw::ObjectRecord;
use worldview_wwd::{Attribute, Level};

use crate::hex;
use crate::write::{Out, cell, int};
use crate::{Encoding, Result};

/// Writes the objects of all planes, one per row.
///
/// The columns are `plane`, `plane_name`, `object`, `name`, `logic`, `image_set`, `animation`, `metadata`
/// (hexadecimal), and the fields of the record in file order. A rectangle has four columns, `_left`, `_top`,
/// `_right` and `_bottom`.
///
/// ```
/// use worldview_export::{Encoding, level::csv};
/// use worldview_wwd::{Level, unpack};
///
/// # let file = &worldview_corpus::sample("harbour.wwd");
/// let image = unpack(file)?;
/// let level = Level::parse(&image)?;
/// let mut out = Vec::new();
/// csv::objects(&level, Encoding::Windows1252, &mut out)?;
/// assert!(out.starts_with(b"plane,plane_name,object,name,logic,image_set,animation,metadata,id,"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns an error if:
///
/// - an object is truncated
/// - overlapping planes exceed the work limit, or the output exceeds its limit
/// - writing to `out` fails
pub fn objects(level: &Level<'_>, encoding: Encoding, out: impl Write) -> Result<()> {
    let mut out = Out::new(out, Bound::of(level.image()));
    out.put(b"plane,plane_name,object,name,logic,image_set,animation,metadata");
    for (name, value) in ObjectRecord::new_zeroed().fields() {
        if let RecordValue::Ints(_) = value {
            for side in ["left", "top", "right", "bottom"] {
                write!(out, ",{name}_{side}")?;
            }
        } else {
            write!(out, ",{name}")?;
        }
    }
    out.put(b"\n");
    let mut budget = Budget::for_bytes(level.image().len(), "objects of overlapping planes");
    for plane in level.planes() {
        let plane_name = encoding.decode(plane.name());
        for object in plane.objects() {
            let object = object?;
            budget.spend(object.size(), object.at, level.image().space())?;
            int(plane.index(), &mut out.bytes);
            out.put(b",");
            cell(&plane_name, &mut out.bytes);
            out.put(b",");
            int(object.index, &mut out.bytes);
            for text in [object.display_name(), object.logic, object.image_set, object.animation] {
                out.put(b",");
                cell(&encoding.decode(text), &mut out.bytes);
            }
            out.put(b",");
            out.put(object.metadata().map_or(String::new(), |metadata| hex(metadata.stored)).as_bytes());
            for (_, value) in object.record.fields() {
                if let RecordValue::Ints(sides) = value {
                    for side in sides {
                        out.put(b",");
                        int(side.get(), &mut out.bytes);
                    }
                    continue;
                }
                out.put(b",");
                match value {
                    RecordValue::Int(value) => int(value, &mut out.bytes),
                    RecordValue::Uint(value) => int(value, &mut out.bytes),
                    RecordValue::Text(text) => cell(&encoding.decode(text), &mut out.bytes),
                    _ => {}
                }
            }
            out.put(b"\n");
            out.flush_if_full()?;
        }
    }
    out.finish()
}

/// Writes the tile attributes, one per row. Cells that do not apply to a kind are empty.
///
/// The columns are `frame`, `kind` (`single`, `double` or `mask`), `reserved`, `width`, `height`, `attribute`,
/// `outside`, `inside`, `left`, `top`, `right`, `bottom` and `mask` (one hexadecimal byte per pixel, in row order).
///
/// # Errors
///
/// Returns an error if the output exceeds its limit or writing to `out` fails.
pub fn attributes(level: &Level<'_>, out: impl Write) -> Result<()> {
    let mut out = Out::new(out, Bound::of(level.image()));
    out.put(b"frame,kind,reserved,width,height,attribute,outside,inside,left,top,right,bottom,mask\n");
    for (frame, record) in level.attributes().records().iter().enumerate() {
        let (kind, reserved) = match record {
            Attribute::Single(single) => ("single", single.reserved),
            Attribute::Double(double) => ("double", double.reserved),
            Attribute::Mask { head, .. } => ("mask", head.reserved),
        };
        write!(out, "{frame},{kind},{reserved},{},{},", record.width(), record.height())?;
        match record {
            Attribute::Single(single) => write!(out, "{},,,,,,,", single.attribute)?,
            Attribute::Double(double) => {
                write!(out, ",{},{}", double.outside, double.inside)?;
                for side in double.rect.get() {
                    write!(out, ",{side}")?;
                }
                out.put(b",");
            }
            Attribute::Mask { pixels, .. } => {
                out.put(b",,,,,,,");
                out.put(hex(pixels).as_bytes());
            }
        }
        out.put(b"\n");
        out.flush_if_full()?;
    }
    out.finish()
}
