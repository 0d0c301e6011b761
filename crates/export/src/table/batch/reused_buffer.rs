use arrow_buffer::{ArrowNativeType, Buffer};

/// A list that is lent out as a buffer, and whose memory is reused once the buffer has been dropped. Allocating new
/// memory for each batch would take longer than everything else.
#[derive(Debug)]
pub(super) struct ReusedBuffer<T> {
    /// As long as ever necessary. Elements past `len` are left over from before.
    list: Vec<T>,
    len: usize,
    lent: Option<Buffer>,
}

/// Maximum size in bytes of a list that is kept for reuse. Only a few very long strings need more.
const KEPT: usize = 4 << 20;

impl<T: ArrowNativeType> ReusedBuffer<T> {
    pub(super) const fn new() -> Self {
        Self { list: Vec::new(), len: 0, lent: None }
    }

    /// Clears the list, and takes back the lent memory if it is no longer in use.
    pub(super) fn begin(&mut self) {
        if let Some(Ok(list)) = self.lent.take().map(Buffer::into_vec) {
            self.list = list;
        }
        self.len = 0;
        self.list.truncate(KEPT / size_of::<T>());
        self.list.shrink_to(KEPT / size_of::<T>());
    }

    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// Returns space for at least `count` more elements. [`grow`](Self::grow) adds those that have been written.
    pub(super) fn room(&mut self, count: usize) -> &mut [T] {
        let len = self.len + count;
        if self.list.len() < len {
            // Double the size, so that it rarely has to grow.
            self.list.resize(len.max(2 * self.list.len()), T::default());
        }
        &mut self.list[self.len..]
    }

    /// Adds `count` elements that have been written to the space.
    pub(super) const fn grow(&mut self, count: usize) {
        self.len += count;
    }

    /// Adds `count` elements written by `fill`.
    pub(super) fn extend(&mut self, count: usize, fill: impl FnOnce(&mut [T])) {
        fill(&mut self.room(count)[..count]);
        self.grow(count);
    }

    pub(super) fn push(&mut self, value: T) {
        self.room(1)[0] = value;
        self.grow(1);
    }

    /// Lends the list out as a buffer.
    pub(super) fn lend(&mut self) -> Buffer {
        let buffer = Buffer::from_vec(std::mem::take(&mut self.list));
        let filled = buffer.slice_with_length(0, self.len * size_of::<T>());
        self.lent = Some(buffer);
        filled
    }
}
