//! A byte builder that remembers where the named fields of a file lie, so that a test can break one of them.

use std::collections::BTreeMap;
use std::fmt;

/// Bytes under construction, with named positions and references to them.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    bytes: Vec<u8>,
    labels: BTreeMap<String, usize>,
    references: Vec<Reference>,
}

/// Four bytes that will hold the position of a label.
#[derive(Clone, Debug)]
struct Reference {
    at: usize,
    label: String,
    big_endian: bool,
}

/// Finished bytes and the positions of their labels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Built {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The position of each label.
    pub labels: BTreeMap<String, usize>,
}

/// A reference whose label was never set, or lies beyond what 32 bits reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingLabel {
    /// The name that was referred to.
    pub label: String,
}

impl fmt::Display for MissingLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no 32-bit position is known for the label {:?}", self.label)
    }
}

impl std::error::Error for MissingLabel {}

impl Builder {
    /// An empty builder.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many bytes there are so far, which is the position of the next one.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether nothing was written yet.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Names the current position; a later label of the same name replaces an earlier one.
    pub fn label(&mut self, name: impl Into<String>) -> &mut Self {
        self.labels.insert(name.into(), self.bytes.len());
        self
    }

    /// Names a position that was written or will be.
    pub fn label_at(&mut self, name: impl Into<String>, position: usize) -> &mut Self {
        self.labels.insert(name.into(), position);
        self
    }

    /// Appends bytes as they are.
    pub fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    /// Appends `count` zero bytes.
    pub fn zeros(&mut self, count: usize) -> &mut Self {
        self.bytes.resize(self.bytes.len() + count, 0);
        self
    }

    /// Appends exactly `size` bytes: the text cut at `size`, then zeros; a text that fills the field gets no NUL.
    pub fn cstr(&mut self, text: &[u8], size: usize) -> &mut Self {
        let end = self.bytes.len() + size;
        self.bytes.extend(text.iter().take(size));
        self.bytes.resize(end, 0);
        self
    }

    /// Appends zeros until the length is a multiple of `step`.
    pub fn align(&mut self, step: usize) -> &mut Self {
        let end = self.bytes.len().next_multiple_of(step.max(1));
        self.bytes.resize(end, 0);
        self
    }

    /// Appends one byte.
    pub fn u8(&mut self, value: u8) -> &mut Self {
        self.bytes(&[value])
    }

    /// Appends a little-endian `u16`.
    pub fn u16_le(&mut self, value: u16) -> &mut Self {
        self.bytes(&value.to_le_bytes())
    }

    /// Appends a little-endian `u32`.
    pub fn u32_le(&mut self, value: u32) -> &mut Self {
        self.bytes(&value.to_le_bytes())
    }

    /// Appends a little-endian `i32`.
    pub fn i32_le(&mut self, value: i32) -> &mut Self {
        self.bytes(&value.to_le_bytes())
    }

    /// Appends a little-endian `u64`.
    pub fn u64_le(&mut self, value: u64) -> &mut Self {
        self.bytes(&value.to_le_bytes())
    }

    /// Appends a little-endian `f32`.
    pub fn f32_le(&mut self, value: f32) -> &mut Self {
        self.bytes(&value.to_le_bytes())
    }

    /// Appends a big-endian `u16`.
    pub fn u16_be(&mut self, value: u16) -> &mut Self {
        self.bytes(&value.to_be_bytes())
    }

    /// Appends a big-endian `u32`.
    pub fn u32_be(&mut self, value: u32) -> &mut Self {
        self.bytes(&value.to_be_bytes())
    }

    /// Appends a big-endian `i32`.
    pub fn i32_be(&mut self, value: i32) -> &mut Self {
        self.bytes(&value.to_be_bytes())
    }

    /// Appends a big-endian `u64`.
    pub fn u64_be(&mut self, value: u64) -> &mut Self {
        self.bytes(&value.to_be_bytes())
    }

    /// Appends a big-endian `f32`.
    pub fn f32_be(&mut self, value: f32) -> &mut Self {
        self.bytes(&value.to_be_bytes())
    }

    /// Appends four bytes that `finish` sets to the position of `label`, little-endian.
    pub fn ref_u32_le(&mut self, label: impl Into<String>) -> &mut Self {
        self.reference(label.into(), false)
    }

    /// Appends four bytes that `finish` sets to the position of `label`, big-endian.
    pub fn ref_u32_be(&mut self, label: impl Into<String>) -> &mut Self {
        self.reference(label.into(), true)
    }

    fn reference(&mut self, label: String, big_endian: bool) -> &mut Self {
        let at = self.bytes.len();
        self.references.push(Reference { at, label, big_endian });
        self.zeros(4)
    }

    /// Sets all references and hands the bytes out.
    pub fn finish(self) -> Result<Built, MissingLabel> {
        let Self { mut bytes, labels, references } = self;
        for Reference { at, label, big_endian } in references {
            let position = labels.get(&label).and_then(|&position| u32::try_from(position).ok());
            let Some(position) = position else {
                return Err(MissingLabel { label });
            };
            let value = if big_endian { position.to_be_bytes() } else { position.to_le_bytes() };
            bytes[at..at + 4].copy_from_slice(&value);
        }
        Ok(Built { bytes, labels })
    }
}

impl Built {
    /// The position of a label.
    pub fn at(&self, label: &str) -> Option<usize> {
        self.labels.get(label).copied()
    }

    /// The little-endian `u32` at a label.
    pub fn read_u32_le(&self, label: &str) -> Option<u32> {
        let bytes = self.bytes.get(self.at(label)?..)?.first_chunk()?;
        Some(u32::from_le_bytes(*bytes))
    }

    /// Overwrites the four bytes at a label; false when there are none.
    #[must_use = "a patch that missed leaves the file as it was"]
    pub fn patch_u32_le(&mut self, label: &str, value: u32) -> bool {
        self.patch_bytes(label, &value.to_le_bytes())
    }

    /// Overwrites the four bytes at a label, big-endian; false when there are none.
    #[must_use = "a patch that missed leaves the file as it was"]
    pub fn patch_u32_be(&mut self, label: &str, value: u32) -> bool {
        self.patch_bytes(label, &value.to_be_bytes())
    }

    /// Overwrites the bytes that start at a label; false when the label is unknown or they would not fit.
    #[must_use = "a patch that missed leaves the file as it was"]
    pub fn patch_bytes(&mut self, label: &str, value: &[u8]) -> bool {
        let Some(at) = self.at(label) else {
            return false;
        };
        let target = at.checked_add(value.len()).and_then(|end| self.bytes.get_mut(at..end));
        target.map(|target| target.copy_from_slice(value)).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::{Builder, MissingLabel};

    #[test]
    fn both_byte_orders_and_references() {
        let mut b = Builder::new();
        b.u8(1).u16_le(0x0203).u16_be(0x0203).u32_le(4).u32_be(4).f32_be(1.0);
        b.label("refs").ref_u32_le("end").ref_u32_be("end").cstr(b"abcdef", 4).cstr(b"x", 3).align(4).label("end");
        let built = b.finish().unwrap();
        assert_eq!(
            built.bytes,
            [
                1, 3, 2, 2, 3, 4, 0, 0, 0, 0, 0, 0, 4, 0x3F, 0x80, 0, 0, 32, 0, 0, 0, 0, 0, 0, 32, b'a', b'b', b'c',
                b'd', b'x', 0, 0
            ]
        );
        assert_eq!(built.at("refs"), Some(17));
        assert_eq!(built.read_u32_le("refs"), Some(32));
    }

    #[test]
    fn a_missing_label_is_named() {
        let mut b = Builder::new();
        b.ref_u32_le("nowhere");
        assert_eq!(b.finish(), Err(MissingLabel { label: "nowhere".into() }));
    }

    #[test]
    fn patches_stay_inside() {
        let mut b = Builder::new();
        b.label("a").u32_le(1).label("b").u16_le(2);
        let mut built = b.finish().unwrap();
        assert!(built.patch_u32_le("a", 0x0403_0201));
        assert!(!built.patch_u32_le("b", 0));
        assert!(!built.patch_u32_be("c", 0));
        assert_eq!(built.bytes, [1, 2, 3, 4, 2, 0]);
    }
}
