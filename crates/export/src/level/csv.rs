//! Objects and tile attributes as CSV: UTF-8, commas, a header line, the same columns in every file and version.
//!
//! Text is what the code page makes of the bytes, control characters included; a cell with one is quoted.

use std::io::Write;

use worldview_core::describe::FieldValue;
use worldview_inspect::Bound;
use worldview_wwd::raw::ObjectRecord;
use worldview_wwd::{Attribute, Level};

use crate::hex;
use crate::write::{Out, cell, int};
use crate::{Encoding, Result};

/// Writes the objects of all planes, one per row.
///
/// The columns are `plane`, `plane_name`, `object` (its key in paths, as `1471` or `1471#1`), `name`, `logic`, `image_set`,
/// `animation`, `metadata` (hexadecimal), and the fields of the record in file order. A rectangle has four columns, `_left`, `_top`,
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
/// csv::objects(&level, Encoding::WINDOWS_1252, &mut out)?;
/// assert!(out.starts_with(b"plane,plane_name,object,name,logic,image_set,animation,metadata,id,"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns an error if:
///
/// - an object is truncated
/// - the output exceeds its limit
/// - writing to `out` fails
pub fn objects(level: &Level<'_>, encoding: Encoding, out: impl Write) -> Result<()> {
    let mut out = Out::new(out, Bound::of(level.image()));
    out.put(b"plane,plane_name,object,name,logic,image_set,animation,metadata");
    for name in ObjectRecord::FIELDS.iter().flat_map(|info| info.columns()) {
        write!(out, ",{name}")?;
    }
    out.end_row()?;
    for plane in level.planes() {
        let plane_name = encoding.decode(plane.name());
        for object in plane.objects().with_keys() {
            let (key, object) = object?;
            int(plane.index(), &mut out.bytes);
            out.put(b",");
            cell(&plane_name, &mut out.bytes);
            out.put(b",");
            write!(out, "{key}")?;
            for text in object.strings() {
                out.put(b",");
                cell(&encoding.decode(text), &mut out.bytes);
            }
            out.put(b",");
            out.put(object.metadata().map_or(String::new(), |metadata| hex(metadata.stored)).as_bytes());
            for (_, value) in object.record.fields() {
                cells(value, encoding, &mut out)?;
            }
            out.end_row()?;
        }
    }
    out.finish()
}

/// Writes the cells of a field, each behind a comma.
fn cells<W: Write>(value: FieldValue<'_>, encoding: Encoding, out: &mut Out<W>) -> Result<()> {
    if let FieldValue::Ints(parts) = value {
        for part in parts {
            out.put(b",");
            int(part.get(), &mut out.bytes);
        }
        return Ok(());
    }
    out.put(b",");
    match value {
        FieldValue::Int(value) => int(value, &mut out.bytes),
        FieldValue::Uint(value) => int(value, &mut out.bytes),
        FieldValue::Float(value) => write!(out, "{value}")?,
        FieldValue::Text(text) => cell(&encoding.decode(text.text), &mut out.bytes),
        FieldValue::Bytes(bytes) => out.put(hex(bytes).as_bytes()),
        // Fixed-layout structures have no others.
        FieldValue::Absent
        | FieldValue::Ints(_)
        | FieldValue::Floats(_)
        | FieldValue::Dangling(_)
        | FieldValue::Bool(_)
        | FieldValue::Word(_)
        | FieldValue::Words(_)
        | FieldValue::Color(_) => {}
    }
    Ok(())
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
    out.put(b"frame,kind");
    let columns = super::attribute_columns();
    for name in columns.iter().flat_map(|info| super::attribute_cells(info)) {
        write!(out, ",{name}")?;
    }
    out.put(b",mask");
    out.end_row()?;
    for (frame, record) in level.attributes().records().iter().enumerate() {
        write!(out, "{frame},{}", record.kind_name())?;
        for info in &columns {
            match record.fields().find(|(other, _)| other.name == info.name) {
                Some((_, value)) => cells(value, Encoding::default(), &mut out)?,
                None => (0..info.columns().count()).for_each(|_| out.put(b",")),
            }
        }
        out.put(b",");
        if let Attribute::Mask { pixels, .. } = record {
            out.put(hex(pixels).as_bytes());
        }
        out.end_row()?;
    }
    out.finish()
}

/// Returns the cells of a fixed-layout structure.
#[cfg(test)]
pub(super) fn row<'v>(
    fields: impl Iterator<Item = (&'static worldview_core::FieldInfo, FieldValue<'v>)>,
    encoding: Encoding,
) -> Result<String> {
    let mut bytes = Vec::new();
    let source = worldview_core::Source::new(&[0; 1 << 10], worldview_core::OffsetBase::File);
    let mut out = Out::new(&mut bytes, Bound::of(source));
    for (_, value) in fields {
        cells(value, encoding, &mut out)?;
    }
    out.finish()?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
