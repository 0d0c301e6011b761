//! References to blobs: which blob they refer to after an edit.

use std::collections::HashMap;

use worldview_core::Path;
use worldview_island::{BlobKind, Element};

use super::file::{File, Reference};
use super::shape::Shape;
use crate::fields::{expect_bytes, wrong};
use crate::image::Target;
use crate::{EditError, Result, Value};

/// The targets of references after an edit.
#[derive(Default)]
pub(super) struct Targets {
    /// The references of the original that get another blob, by the place of their range.
    pub(super) changed: Vec<(usize, Target)>,
    /// New blobs.
    pub(super) appended: Vec<Vec<u8>>,
    /// New blobs by their kind and bytes, so that equal ones are stored once.
    known: HashMap<(BlobKind, Vec<u8>), usize>,
}

impl Targets {
    /// Returns the blob of these bytes.
    pub(super) fn blob(&mut self, kind: BlobKind, bytes: Vec<u8>, path: &Path) -> Result<Target> {
        let element = if kind == BlobKind::Parts { Element::Parts } else { Element::Model };
        Shape::Element(element).offsets(&bytes, path)?;
        let next = self.appended.len();
        let number = *self.known.entry((kind, bytes)).or_insert_with_key(|(_, bytes)| {
            self.appended.push(bytes.clone());
            next
        });
        Ok(Target::New(number))
    }

    /// Returns the blob that a value stands for: its bytes, or the path of a reference to it.
    pub(super) fn of(&mut self, file: &File<'_, '_>, kind: BlobKind, value: &Value, path: &Path) -> Result<Target> {
        match value {
            Value::Bytes(bytes) => self.blob(kind, bytes.clone(), path),
            Value::Text(text) => {
                let no_path = || EditError::malformed(None, format!("{path}: expected the path of a reference"));
                let other = file.reference(&text.parse().map_err(|_| no_path())?)?;
                if other.kind != kind {
                    return Err(no_path());
                }
                kept(file, other)?.ok_or_else(no_path)
            }
            _ => Err(wrong(value, "bytes, or the path of a reference", path)),
        }
    }
}

/// The blob that a reference has.
pub(super) fn kept(file: &File<'_, '_>, reference: &Reference) -> Result<Option<Target>> {
    reference.blob.map(|blob| file.blob_range(blob).map(Target::Kept)).transpose()
}

/// Returns an error unless a value stands for the blob that a reference has.
pub(super) fn expect(file: &File<'_, '_>, reference: &Reference, expected: &Value, path: &Path) -> Result<()> {
    let other = match expected {
        Value::Text(text) => text.parse().ok().and_then(|path| file.reference(&path).ok()),
        _ => None,
    };
    let is_it = |other: &Reference| other.kind == reference.kind && other.blob == reference.blob;
    let bytes = reference.blob.map_or(&[][..], |blob| file.blob_bytes(blob));
    match expected {
        _ if other.is_some_and(is_it) => Ok(()),
        // A path is not the bytes, whatever they are.
        Value::Text(_) => Err(EditError::differs(path, expected, Value::Bytes(bytes.to_vec()))),
        _ => expect_bytes(bytes, Some(expected), path),
    }
}
