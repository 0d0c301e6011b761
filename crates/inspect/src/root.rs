use worldview_core::describe::{Array, Describe, Field, Flow, List, Part, Visit};
use worldview_core::{Error, Source};

use crate::Encoding;

/// A description, and the bytes whose size limits a walk over it.
#[derive(Clone, Copy)]
pub struct Root<'r> {
    /// The short name of the format, such as `wwd`.
    pub format: &'r str,
    /// The bytes of the file, of an image, or of a part.
    pub source: Source<'r>,
    /// The description.
    pub body: &'r dyn Describe,
    /// All bytes of the file, if they alone determine the description. Files with equal bytes are not compared further.
    pub file: Option<&'r [u8]>,
    /// The number of bytes that are described as well but are not in `source`, such as the trailing bytes of a level's
    /// file.
    pub besides: u64,
}

impl<'r> Root<'r> {
    /// Creates the root of a description of `source`.
    pub const fn new(format: &'r str, source: Source<'r>, body: &'r dyn Describe) -> Self {
        Self { format, source, body, file: None, besides: 0 }
    }

    /// Sets the number of bytes outside `source` that are described as well.
    #[must_use]
    pub const fn besides(mut self, bytes: u64) -> Self {
        self.besides = bytes;
        self
    }

    /// Returns the number of bytes described.
    pub(crate) const fn len(&self) -> u64 {
        self.source.len().saturating_add(self.besides)
    }

    /// Sets the bytes that determine the description.
    #[must_use]
    pub const fn file(mut self, bytes: &'r [u8]) -> Self {
        self.file = Some(bytes);
        self
    }
}

worldview_core::debug_summary!("Root", Root<'_>, |this| format: this.format, len: this.source.len());

/// Calls `then` with the first field of a part that is shown as its only field.
pub fn first_field(body: &dyn Describe, then: &mut dyn FnMut(&Field<'_>)) {
    struct First<'t>(&'t mut dyn FnMut(&Field<'_>));

    impl Visit for First<'_> {
        fn field(&mut self, field: &Field<'_>) -> Flow {
            (self.0)(field);
            Flow::Break(())
        }

        fn broken(&mut self, _: &Error) -> Flow {
            Flow::Continue(())
        }
    }

    let _ = body.describe(&mut First(then));
}

/// Selects parts of a description. The default methods select everything.
pub trait Select {
    /// Returns whether a list, or a single part, is selected.
    fn list(&self, list: &List) -> bool {
        let _ = list;
        true
    }

    /// Returns whether an element of a list is selected.
    fn part(&self, list: &List, part: &Part<'_>) -> bool {
        let _ = (list, part);
        true
    }

    /// Returns whether a field of the elements of `list`, or of the root if `None`, is selected.
    fn field(&self, list: Option<&List>, field: &Field<'_>) -> bool {
        let _ = (list, field);
        true
    }

    /// Returns whether an array is selected.
    fn array(&self, array: &Array<'_>) -> bool {
        let _ = array;
        true
    }

    /// Returns what selects, as people write it; nothing if everything is selected. Documents say so, because nobody may take what they
    /// lack for removed.
    fn parts(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Selects everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Everything;

impl Select for Everything {}

/// Options for writing a description.
#[derive(Clone, Copy)]
pub struct Options<'o> {
    /// The code page of text for which the file does not declare one.
    pub encoding: Encoding,
    /// Whether to include bulk lists and arrays: keys, pixels and geometry.
    pub full: bool,
    /// The parts to write.
    pub select: &'o dyn Select,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self { encoding: Encoding::default(), full: false, select: &Everything }
    }
}

worldview_core::debug_summary!("Options", Options<'_>, |this| encoding: this.encoding, full: this.full);
