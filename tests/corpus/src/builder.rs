//! A byte builder that records the positions of named fields, so that a test can corrupt a single one.

use std::collections::BTreeMap;

/// Bytes under construction, with labeled positions and references to them.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    bytes: Vec<u8>,
    labels: BTreeMap<String, usize>,
    /// Positions of four-byte placeholders, each with the label whose position goes there.
    references: Vec<(usize, String)>,
}

/// Finished bytes, with the positions of the labels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Built {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The position of each label.
    pub labels: BTreeMap<String, usize>,
}

impl Builder {
    /// Creates an empty builder.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of bytes written so far, which is the position of the next one.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Returns `true` if nothing has been written yet.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Labels the current position; a later label with the same name replaces an earlier one.
    pub fn label(&mut self, name: impl Into<String>) -> &mut Self {
        self.labels.insert(name.into(), self.bytes.len());
        self
    }

    /// Labels any position, written or not.
    pub fn label_at(&mut self, name: impl Into<String>, position: usize) -> &mut Self {
        self.labels.insert(name.into(), position);
        self
    }

    /// Appends bytes unchanged.
    pub fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    /// Appends `count` zero bytes.
    pub fn zeros(&mut self, count: usize) -> &mut Self {
        self.bytes.resize(self.bytes.len() + count, 0);
        self
    }

    /// Appends exactly `size` bytes: the text, truncated or padded with zeros. A text that fills the field gets no NUL.
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

    /// Appends a little-endian `f32`.
    pub fn f32_le(&mut self, value: f32) -> &mut Self {
        self.bytes(&value.to_le_bytes())
    }

    /// Appends a big-endian `u32`.
    pub fn u32_be(&mut self, value: u32) -> &mut Self {
        self.bytes(&value.to_be_bytes())
    }

    /// Appends four bytes that `finish` sets to the little-endian position of `label`.
    pub fn ref_u32_le(&mut self, label: impl Into<String>) -> &mut Self {
        self.references.push((self.bytes.len(), label.into()));
        self.zeros(4)
    }

    /// Resolves all references and returns the bytes.
    ///
    /// # Panics
    ///
    /// Panics if a referenced label was never set.
    pub fn finish(self) -> Built {
        let Self { mut bytes, labels, references } = self;
        for (at, label) in references {
            // Saturates only for positions that no file can have.
            let position = u32::try_from(labels[&label]).unwrap_or(u32::MAX);
            bytes[at..at + 4].copy_from_slice(&position.to_le_bytes());
        }
        Built { bytes, labels }
    }
}

impl Built {
    /// Returns the position of a label.
    pub fn at(&self, label: &str) -> Option<usize> {
        self.labels.get(label).copied()
    }

    /// Returns the little-endian `u32` at a label.
    pub fn read_u32_le(&self, label: &str) -> Option<u32> {
        let bytes = self.bytes.get(self.at(label)?..)?.first_chunk()?;
        Some(u32::from_le_bytes(*bytes))
    }

    /// Overwrites the `u32` at a label, little-endian. Returns `false` if the label is unknown or the file too short.
    #[must_use = "a patch that missed leaves the file as it was"]
    pub fn patch_u32_le(&mut self, label: &str, value: u32) -> bool {
        self.patch_bytes(label, &value.to_le_bytes())
    }

    /// Overwrites the `u32` at a label, big-endian. Returns `false` if the label is unknown or the file too short.
    #[must_use = "a patch that missed leaves the file as it was"]
    pub fn patch_u32_be(&mut self, label: &str, value: u32) -> bool {
        self.patch_bytes(label, &value.to_be_bytes())
    }

    /// Overwrites the bytes that start at a label. Returns `false` if the label is unknown or the bytes would not fit.
    #[must_use = "a patch that missed leaves the file as it was"]
    pub fn patch_bytes(&mut self, label: &str, value: &[u8]) -> bool {
        let Some(at) = self.at(label) else {
            return false;
        };
        let target = at.checked_add(value.len()).and_then(|end| self.bytes.get_mut(at..end));
        target.map(|target| target.copy_from_slice(value)).is_some()
    }
}
