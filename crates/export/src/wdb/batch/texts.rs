use arrow_array::StringArray;
use arrow_array::builder::StringBuilder;
use arrow_buffer::{Buffer, NullBufferBuilder, OffsetBuffer, ScalarBuffer};

use crate::wdb::write::utf8;

/// A column of strings in the making: whether they are text is asked once, of all of them together.
///
/// Who adds strings sees to it that they do not have more bytes than the offsets of such a column can tell.
pub(super) struct Texts {
    bytes: Vec<u8>,
    ends: Vec<i32>,
    nulls: NullBufferBuilder,
}

impl Texts {
    pub(super) fn with_capacity(count: usize) -> Self {
        let mut ends = Vec::with_capacity(count + 1);
        ends.push(0);
        Self { bytes: Vec::with_capacity(8 * count), ends, nulls: NullBufferBuilder::new(count) }
    }

    #[inline]
    pub(super) fn push(&mut self, text: Option<&[u8]>) {
        match text {
            Some(text) => {
                self.bytes.extend_from_slice(text);
                self.nulls.append_non_null();
            }
            None => self.nulls.append_null(),
        }
        self.ends.push(i32::try_from(self.bytes.len()).unwrap_or(i32::MAX));
    }

    pub(super) fn finish(mut self) -> StringArray {
        let nulls = self.nulls.finish();
        let offsets = OffsetBuffer::new(ScalarBuffer::from(self.ends));
        let values = Buffer::from_vec(self.bytes);
        // What is no text has to be marked, one string after the other.
        StringArray::try_new(offsets.clone(), values.clone(), nulls.clone()).unwrap_or_else(|_| {
            let mut marked = StringBuilder::new();
            for (index, (start, length)) in offsets.iter().zip(offsets.lengths()).enumerate() {
                if nulls.as_ref().is_some_and(|nulls| nulls.is_null(index)) {
                    marked.append_null();
                } else {
                    let start = usize::try_from(*start).unwrap_or(0);
                    marked.append_value(utf8(values.get(start..start + length).unwrap_or(&[])));
                }
            }
            marked.finish()
        })
    }
}
