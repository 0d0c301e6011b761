//! References to blobs: which blob they refer to after an edit, and references that are added or move.

use std::collections::HashMap;

use worldview_core::Path;
use worldview_island::BlobKind;

use super::alone::Alone;
use super::field::{Field, Kind, name};
use super::files::{Files, Reference};
use super::image::{Piece, Target, Word};
use super::view::{View, index, place};
use crate::{EditError, EditErrorKind, Result, Value};

/// What references refer to after an edit.
pub(super) struct Targets {
    /// The references of the original that get another blob, by the place of their range.
    pub(super) changed: Vec<(usize, Target)>,
    /// New blobs.
    pub(super) appended: Vec<Vec<u8>>,
    /// New blobs by their kind and bytes, so that equal ones are stored once.
    known: HashMap<(BlobKind, Vec<u8>), usize>,
}

impl Targets {
    pub(super) fn new() -> Self {
        Self { changed: Vec::new(), appended: Vec::new(), known: HashMap::new() }
    }

    /// Returns the blob of these bytes.
    pub(super) fn blob(&mut self, kind: BlobKind, bytes: Vec<u8>, path: &Path) -> Result<Target> {
        let alone = match kind {
            BlobKind::Parts => Alone::Parts,
            BlobKind::Model => Alone::Model,
        };
        if alone.parse(&bytes, |_| ()).is_none() {
            let limit = format!("these bytes are not a blob of kind {kind}");
            return Err(EditError::new(path, EditErrorKind::DoesNotFit { value: Value::Bytes(bytes), limit }));
        }
        let next = self.appended.len();
        let number = *self.known.entry((kind, bytes)).or_insert_with_key(|(_, bytes)| {
            self.appended.push(bytes.clone());
            next
        });
        Ok(Target::New(number))
    }

    /// Returns the blob that a value stands for: its bytes, or the path of a reference to it.
    pub(super) fn of(&mut self, files: &Files<'_>, kind: BlobKind, value: &Value, path: &Path) -> Result<Target> {
        match value {
            Value::Bytes(bytes) => self.blob(kind, bytes.clone(), path),
            Value::Text(text) => {
                let wrong = || EditError::malformed(None, format!("{path}: expected the path of a reference"));
                let other = files.reference(&text.parse().map_err(|_| wrong())?)?;
                if other.kind() != kind {
                    return Err(wrong());
                }
                kept(files, other).ok_or_else(wrong)
            }
            _ => Err(EditError::new(
                path,
                EditErrorKind::WrongType { wanted: "bytes, or the path of a reference", found: value.clone() },
            )),
        }
    }
}

/// The range of the blob of a reference.
pub(super) fn kept(files: &Files<'_>, reference: Reference<'_, '_>) -> Option<Target> {
    let blob = files.database.blobs().get(reference.blob()?)?;
    Some(Target::Kept(place(files.bytes, blob.source.bytes())))
}

/// Returns an error unless a value stands for the blob that a reference has.
pub(super) fn expect(files: &Files<'_>, reference: Reference<'_, '_>, expected: &Value, path: &Path) -> Result<()> {
    let bytes = reference.blob().map_or(&[][..], |blob| files.blob_bytes(blob));
    let is_same = match expected {
        Value::Bytes(expected) => expected == bytes,
        Value::Text(text) => {
            let other = text.parse().ok().and_then(|path| files.reference(&path).ok());
            other.is_some_and(|other| other.kind() == reference.kind() && other.blob() == reference.blob())
        }
        _ => false,
    };
    if is_same {
        return Ok(());
    }
    let found = Value::Bytes(bytes.to_vec());
    Err(EditError::new(path, EditErrorKind::Differs { expected: expected.clone(), found }))
}

/// A reference that is added or moves.
pub(super) struct Draft {
    name: Vec<u8>,
    target: Option<Target>,
    /// The presenter with its count, and the placement; only models have them.
    model: Option<(Vec<u8>, Vec<u8>)>,
}

impl Draft {
    /// Returns an empty reference.
    pub(super) fn new(kind: BlobKind) -> Self {
        let empty = || vec![1, 0, 0, 0, 0];
        Self { name: empty(), target: None, model: (kind == BlobKind::Model).then(|| (empty(), vec![0; 37])) }
    }

    /// Returns a copy of a reference.
    pub(super) fn like(files: &Files<'_>, reference: Reference<'_, '_>) -> Self {
        let counted = |name: worldview_island::Name<'_>| {
            let range = place(files.bytes, name.counted());
            files.bytes.get(range.start.saturating_sub(4)..range.end).unwrap_or(&[]).to_vec()
        };
        let target = kept(files, reference);
        match reference {
            Reference::Part(part) => Self { name: counted(part.name), target, model: None },
            Reference::Model(model) => {
                let at = place(files.bytes, zerocopy::IntoBytes::as_bytes(model.placement));
                let placement = files.bytes.get(at).unwrap_or(&[]).to_vec();
                Self { name: counted(model.name), target, model: Some((counted(model.presenter), placement)) }
            }
        }
    }

    /// Sets the blob.
    pub(super) fn refer(&mut self, target: Target) {
        self.target = Some(target);
    }

    /// Gives a value to a field other than the blob.
    pub(super) fn set(&mut self, field: &[u8], from: Option<&Value>, to: &Value, path: &Path) -> Result<()> {
        let missing = || EditError::new(path, EditErrorKind::NotFound);
        let whole = |bytes: &[u8], name, kind| Field { name, range: 0..bytes.len(), kind };
        let text = Kind::Name { in_directory: true };
        if field == b"name" {
            self.name = whole(&self.name, "name", text).set(&self.name, from, to, path)?;
            return Ok(());
        }
        let (presenter, placement) = self.model.as_mut().ok_or_else(missing)?;
        let (name, range, kind) = match field {
            b"presenter" => {
                *presenter = whole(presenter, "presenter", text).set(presenter, from, to, path)?;
                return Ok(());
            }
            b"location" => ("location", 0..12, Kind::Floats),
            b"direction" => ("direction", 12..24, Kind::Floats),
            b"up" => ("up", 24..36, Kind::Floats),
            b"visible" => ("visible", 36..37, Kind::Uint),
            _ => return Err(missing()),
        };
        let new = Field { name, range: range.clone(), kind }.set(placement, from, to, path)?;
        placement.get_mut(range).into_iter().for_each(|place| place.copy_from_slice(&new));
        Ok(())
    }

    /// Gives the reference the name of its path, unless it has it.
    pub(super) fn rename(&mut self, key: &[u8], path: &Path) -> Result<()> {
        let misfit = || {
            let limit = "at most 127 bytes".to_owned();
            EditError::new(path, EditErrorKind::DoesNotFit { value: Value::from_bytes(key), limit })
        };
        self.name = name(&self.name, key, true).ok_or_else(misfit)?;
        Ok(())
    }

    /// Returns the bytes.
    pub(super) fn finish(self, path: &Path) -> Result<Piece> {
        let why = "an added reference needs `blob`, or `like` with the path of another reference";
        let target = self.target.ok_or_else(|| EditError::unsupported(path, why))?;
        let at = self.name.len();
        let mut bytes = self.name;
        bytes.extend([0; 8]);
        for more in self.model.into_iter().flat_map(|(presenter, placement)| [presenter, placement]) {
            bytes.extend(more);
        }
        Ok(Piece { bytes, words: vec![Word::Blob { at, target }] })
    }
}

/// The place of the range of a reference.
pub(super) fn range_at(buffer: &[u8], view: &View<'_, '_>) -> usize {
    match view {
        View::PartRef(part) => place(buffer, zerocopy::IntoBytes::as_bytes(part.range)).start,
        View::ModelRef(model) => place(buffer, zerocopy::IntoBytes::as_bytes(model.range)).start,
        _ => index(u64::MAX),
    }
}
