use arrow_array::StringArray;
use arrow_array::builder::StringBuilder;
use arrow_buffer::{NullBufferBuilder, OffsetBuffer, ScalarBuffer};
use worldview_wpd::raw::Entry;

use super::reused_buffer::ReusedBuffer;
use crate::table::string_ends::StringEnds;
use worldview_inspect::utf8;

/// Number of bytes copied at a time. Most strings are shorter, so a fixed number of bytes is copied whatever their
/// length is; the next string overwrites the excess.
const CHUNK: usize = 32;

/// A column of strings being built. UTF-8 is validated once for all of them together.
///
/// The caller must ensure that the strings do not exceed the range of the column's offsets.
pub(super) struct Texts {
    bytes: ReusedBuffer<u8>,
    ends: ReusedBuffer<i32>,
    nulls: NullBufferBuilder,
}

impl Texts {
    pub(super) fn new() -> Self {
        Self { bytes: ReusedBuffer::new(), ends: ReusedBuffer::new(), nulls: NullBufferBuilder::new(0) }
    }

    /// Clears the column, for `count` strings.
    pub(super) fn begin(&mut self, count: usize) {
        self.bytes.begin();
        self.ends.begin();
        self.ends.push(0);
        self.nulls = NullBufferBuilder::new(count);
    }

    /// Returns the size of the strings so far, in bytes.
    pub(super) const fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Adds the names of entries.
    pub(super) fn extend_names(&mut self, entries: &[&Entry]) {
        let (mut end, mut filled) = (self.bytes.len(), 0);
        let bytes = self.bytes.room(entries.len() * 16);
        for (entry, place) in entries.iter().zip(self.ends.room(entries.len())) {
            if let Some(to) = bytes.get_mut(filled..).and_then(|rest| rest.first_chunk_mut()) {
                *to = *entry.name.raw();
            }
            let length = entry.name.as_bytes().len();
            filled += length;
            end += length;
            *place = as_end(end);
        }
        self.bytes.grow(filled);
        self.ends.grow(entries.len());
        self.nulls.append_n_non_nulls(entries.len());
    }

    /// Adds the strings at these offsets, or null for an offset outside the pool. Returns `false`, possibly without
    /// adding all of them, once they exceed `limit` bytes.
    pub(super) fn extend(&mut self, mut offsets: &[u32], strings: &StringEnds<'_, '_>, limit: u64) -> bool {
        loop {
            let short = self.extend_short(offsets, strings);
            let Some((&offset, rest)) = offsets.get(short..).and_then(<[u32]>::split_first) else {
                return self.len() <= limit;
            };
            match strings.get(offset) {
                Some(string) if self.len() + string.len() as u64 > limit => return false,
                Some(string) => {
                    self.bytes.room(string.len())[..string.len()].copy_from_slice(string);
                    self.bytes.grow(string.len());
                    self.nulls.append_non_null();
                }
                None => self.nulls.append_null(),
            }
            self.ends.push(as_end(self.bytes.len()));
            offsets = rest;
        }
    }

    /// Adds strings up to the first one that is long, near the end of the pool, or outside of it. Returns how many were
    /// added.
    fn extend_short(&mut self, offsets: &[u32], strings: &StringEnds<'_, '_>) -> usize {
        let (mut end, mut filled, mut count) = (self.bytes.len(), 0, 0);
        let bytes = self.bytes.room(offsets.len() * 2 * CHUNK);
        for (&offset, place) in offsets.iter().zip(self.ends.room(offsets.len())) {
            let Some((length, from)) = strings.short(offset) else { break };
            let Some([to, next]) = bytes.get_mut(filled..).and_then(|rest| rest.as_chunks_mut().0.first_chunk_mut())
            else {
                break;
            };
            let [first, second] = from;
            *to = *first;
            if length > CHUNK {
                *next = *second;
            }
            filled += length;
            end += length;
            *place = as_end(end);
            count += 1;
        }
        self.bytes.grow(filled);
        self.ends.grow(count);
        self.nulls.append_n_non_nulls(count);
        count
    }

    pub(super) fn finish(&mut self) -> StringArray {
        let nulls = self.nulls.finish();
        let offsets = OffsetBuffer::new(ScalarBuffer::from(self.ends.lend()));
        let values = self.bytes.lend();
        // Invalid UTF-8 has to be escaped string by string.
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

fn as_end(end: usize) -> i32 {
    i32::try_from(end).unwrap_or(i32::MAX)
}
