use arrow_buffer::{ArrowNativeType, Buffer};

/// A list that is given away as a buffer, and filled anew in the same memory once nobody has that any more: new memory
/// for each batch would take the system longer than all that is done with it.
#[derive(Debug)]
pub(super) struct Lent<T> {
    /// As long as it ever had to be; what lies behind `len` is left from before.
    list: Vec<T>,
    len: usize,
    lent: Option<Buffer>,
}

/// Bytes of a list that are kept to be used again; more is only needed for a few strings that are very long.
const KEPT: usize = 4 << 20;

impl<T: ArrowNativeType> Lent<T> {
    pub(super) const fn new() -> Self {
        Self { list: Vec::new(), len: 0, lent: None }
    }

    /// Empties the list, in the memory that was lent if it is free again.
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

    /// The room for more elements, at least so many, of which the first are to be taken by [`grow`](Self::grow).
    pub(super) fn room(&mut self, count: usize) -> &mut [T] {
        let len = self.len + count;
        if self.list.len() < len {
            // Twice as much, so that it is not for every few that there is something to do.
            self.list.resize(len.max(2 * self.list.len()), T::default());
        }
        &mut self.list[self.len..]
    }

    /// Takes what was put into the room.
    pub(super) const fn grow(&mut self, count: usize) {
        self.len += count;
    }

    /// Adds so many elements, which `fill` writes.
    pub(super) fn extend(&mut self, count: usize, fill: impl FnOnce(&mut [T])) {
        fill(&mut self.room(count)[..count]);
        self.grow(count);
    }

    pub(super) fn push(&mut self, value: T) {
        self.room(1)[0] = value;
        self.grow(1);
    }

    /// Gives the list away.
    pub(super) fn lend(&mut self) -> Buffer {
        let buffer = Buffer::from_vec(std::mem::take(&mut self.list));
        let filled = buffer.slice_with_length(0, self.len * size_of::<T>());
        self.lent = Some(buffer);
        filled
    }
}
