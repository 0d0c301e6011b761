//! Values of fields as a map has them.

use std::borrow::Cow;
use std::fmt::Display;

use worldview_core::describe::{Field, FieldValue, Stored};
use worldview_core::{FieldInfo, Path};
use worldview_export::Encoding;
use worldview_export::level::tiled::{Scalar, bytes_name, from_printable, property_name};
use worldview_inspect::field_name;

use super::saved::Properties;
use crate::doc::Read;
use crate::given::{Cell, Given, Reader};
use worldview_edit::fields::{decode_1252 as decode, encode_in, value_of};
use worldview_edit::unhex;
use worldview_edit::{EditError, EditErrorKind, Result, Value};

/// Returns the value of a field of the original, as changes express it.
pub(super) fn value(info: &FieldInfo, value: FieldValue<'_>) -> Value {
    value_of(value, info.stored)
}

/// Returns the value that the properties give to a field, if it is not the one that the field has. `default` is what the field
/// is without a property; `None` if the export always writes it, so that its absence says nothing.
pub(super) fn changed(
    info: &FieldInfo,
    old: FieldValue<'_>,
    properties: &Properties,
    default: Option<&Scalar<'_>>,
    encoding: Encoding,
    path: &Path,
) -> Result<Option<Value>> {
    let text = properties.get(&property_name(info.name)).map(Cow::Borrowed);
    if let FieldValue::Text(old) = old {
        let stored = properties.get(&bytes_name(info.name));
        return text_changed(old.stored, true, &[text.as_deref()], stored, encoding, path);
    }
    let Some(text) = text.or_else(|| Some(default?.to_string().into())) else { return Ok(None) };
    let field = Field { storage_bits: info.storage_bits, ..Field::new(info.name, old) };
    let reader = Reader { encoding, is_new: false, is_new_file: false };
    read(reader, &field.stored(info.stored), &text).map_err(|why| EditError::wrong(path, why))
}

/// Reads the text of a property.
pub(super) fn read(reader: Reader, field: &Field<'_>, text: &str) -> Read<Option<Value>> {
    let cell = |text| Cell { text, old: None, has_commas: false };
    let name = field_name(&field.name);
    let cells = || {
        let parts = text.split([' ', ',', '\t', '\n']).filter(|part| !part.is_empty());
        parts.map(|part| (&*name, Some(cell(part))))
    };
    let given = match field.stored {
        Stored::Ints(..) => Given::Cells(cells().collect()),
        _ => Given::Cell(cell(text)),
    };
    reader.read(field, &given)
}

/// Returns the new bytes of a text of which a map may have several forms: shown texts, and all bytes in hexadecimal. The forms
/// that are as the export wrote them say nothing; the others must agree. With `is_cut`, what is behind a NUL is not part of
/// the text.
pub(super) fn text_changed(
    old: &[u8],
    is_cut: bool,
    texts: &[Option<&str>],
    stored: Option<&str>,
    encoding: Encoding,
    path: &Path,
) -> Result<Option<Value>> {
    let (mut new, mut text_bytes) = (None, Vec::new());
    for text in texts.iter().flatten() {
        let bytes = encode(text, encoding, path)?;
        if !is_same_text(&bytes, shown(old)) {
            pick(&mut new, decode(&bytes), path)?;
            text_bytes = bytes;
        }
    }
    if let Some(bytes) = stored.map(|stored| hex(stored, path)).transpose()?
        && bytes != used(old)
    {
        let tail = |bytes: &[u8]| used(bytes).get(shown(bytes).len()..).unwrap_or(&[]).to_vec();
        if is_cut && tail(&bytes) != tail(old) {
            return Err(EditError::unsupported(path, "what is behind the NUL of a text cannot be changed"));
        }
        let bytes = if is_cut { shown(&bytes).to_vec() } else { bytes };
        // The bytes say more than a text that shows them.
        if new.is_some() && is_same_text(&text_bytes, shown(&bytes)) {
            new = None;
        }
        pick(&mut new, decode(&bytes), path)?;
    }
    Ok(new)
}

/// Takes a new value, which must be the same in all places of a map that say it.
pub(super) fn pick<T: PartialEq + Display>(slot: &mut Option<T>, new: T, path: &Path) -> Result<()> {
    match slot {
        Some(other) if *other != new => {
            let why = format!("the map has two new values for this, {other} and {new}");
            Err(EditError::wrong(path, why))
        }
        _ => {
            *slot = Some(new);
            Ok(())
        }
    }
}

/// Encodes a text of a map.
pub(super) fn encode(text: &str, encoding: Encoding, path: &Path) -> Result<Vec<u8>> {
    let text = from_printable(text);
    encode_in(encoding, &text, path)
}

/// Parses bytes in hexadecimal.
pub(super) fn hex(text: &str, path: &Path) -> Result<Vec<u8>> {
    let wrong = || EditErrorKind::WrongType { wanted: "pairs of hexadecimal digits", found: text.into() };
    unhex(text).ok_or_else(|| EditError::new(path, wrong()))
}

/// Whether texts are the same after a program has saved them: XML has one kind of line break.
fn is_same_text(new: &[u8], old: &[u8]) -> bool {
    new == old || old.contains(&b'\r') && breaks(new) == breaks(old)
}

/// A text with line feeds as its only line breaks.
pub(super) fn breaks(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for (index, &byte) in text.iter().enumerate() {
        let is_pair = byte == b'\n' && index.checked_sub(1).and_then(|before| text.get(before)) == Some(&b'\r');
        if !is_pair {
            out.push(if byte == b'\r' { b'\n' } else { byte });
        }
    }
    out
}

/// The bytes up to the first NUL.
pub(super) fn shown(bytes: &[u8]) -> &[u8] {
    bytes.split(|&byte| byte == 0).next().unwrap_or(&[])
}

/// The bytes without NULs at the end.
fn used(bytes: &[u8]) -> &[u8] {
    let len = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last.saturating_add(1));
    bytes.get(..len).unwrap_or(bytes)
}

/// Returns the integer nearest to a coordinate, if it is not the one that the export wrote: programs keep about six digits.
pub(super) fn coordinate(old: i32, saved: f64, path: &Path) -> Result<Option<i32>> {
    let digits = i32::try_from(old.unsigned_abs().checked_ilog10().unwrap_or(0)).unwrap_or(0).saturating_add(1);
    let step = 10_f64.powi(digits.saturating_sub(6).max(0));
    let distance = (saved - f64::from(old)).abs();
    // Halves are rounded to even digits by some and up by others.
    if distance <= step / 2.0 && step > 1.0 || saved.round() == f64::from(old) {
        return Ok(None);
    }
    round(saved, path).map(Some)
}

/// Returns the nearest integer; halves away from zero.
pub(super) fn round(saved: f64, path: &Path) -> Result<i32> {
    let rounded = saved.round();
    if (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&rounded) {
        #[expect(clippy::cast_possible_truncation, reason = "the range was checked")]
        return Ok(rounded as i32);
    }
    let limit = format!("{} to {}", i32::MIN, i32::MAX);
    Err(EditError::does_not_fit(path, saved.to_string(), limit))
}

/// Returns whether a coordinate that says nothing new is not the one that the export wrote, nor the digits that programs keep of it.
pub(super) fn fraction(old: i32, saved: f64) -> bool {
    let distance = (saved - f64::from(old)).abs();
    distance > 1e-6 && old.unsigned_abs() < 1_000_000
}
