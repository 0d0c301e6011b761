use std::fmt;

use worldview_core::Source;
use worldview_core::describe::{Array, Child, Describe, Leaf, List};

use crate::Encoding;

/// What is described, and the bytes that bound a walk over it.
#[derive(Clone, Copy)]
pub struct Root<'r> {
    /// The short name of the format, such as `wwd`.
    pub format: &'r str,
    /// The bytes of the file, image or part.
    pub source: Source<'r>,
    /// The description.
    pub body: &'r dyn Describe,
    /// All bytes of the file, if they alone determine the description. Files with equal bytes are not compared further.
    pub file: Option<&'r [u8]>,
    /// Number of bytes that are described as well but lie outside of `source`, such as what follows a level in its file.
    pub besides: u64,
}

impl<'r> Root<'r> {
    /// Returns the root of a description of `source`.
    pub const fn new(format: &'r str, source: Source<'r>, body: &'r dyn Describe) -> Self {
        Self { format, source, body, file: None, besides: 0 }
    }

    /// The same root, which also describes so many bytes outside of its source.
    #[must_use]
    pub const fn besides(mut self, bytes: u64) -> Self {
        self.besides = bytes;
        self
    }

    /// Returns how many bytes are described.
    pub(crate) const fn len(&self) -> u64 {
        self.source.len().saturating_add(self.besides)
    }

    /// The same root, of which these bytes determine the description.
    #[must_use]
    pub const fn file(mut self, bytes: &'r [u8]) -> Self {
        self.file = Some(bytes);
        self
    }
}

impl fmt::Debug for Root<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Root").field("format", &self.format).field("len", &self.source.len()).finish_non_exhaustive()
    }
}

/// Which parts of a description are wanted; by default all.
pub trait Select {
    /// Whether a list, or a single part, is wanted at all.
    fn list(&self, list: &List) -> bool {
        let _ = list;
        true
    }

    /// Whether an element of a list is wanted.
    fn part(&self, list: &List, part: &Child<'_>) -> bool {
        let _ = (list, part);
        true
    }

    /// Whether a field is wanted of the elements of `list`; `None` for the root.
    fn field(&self, list: Option<&List>, field: &Leaf<'_>) -> bool {
        let _ = (list, field);
        true
    }

    /// Whether an array is wanted.
    fn array(&self, array: &Array<'_>) -> bool {
        let _ = array;
        true
    }
}

/// Wants everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Everything;

impl Select for Everything {}

/// How a description is written.
#[derive(Clone, Copy)]
pub struct Options<'o> {
    /// The code page of texts for which the file declares none.
    pub encoding: Encoding,
    /// Whether bulk lists and arrays are written as well: keys, pixels, geometry.
    pub full: bool,
    /// What is wanted.
    pub select: &'o dyn Select,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self { encoding: Encoding::default(), full: false, select: &Everything }
    }
}

impl fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options").field("encoding", &self.encoding).field("full", &self.full).finish_non_exhaustive()
    }
}
