use core::fmt;
use core::marker::PhantomData;

use worldview_core::describe::Span;
use worldview_core::{Cursor, Error, ErrorKind, Limit, OnProblem, Result, Source};

/// An element of a tree. It can be parsed on its own, and stores the number of its direct children.
pub trait Branch<'a>: Sized {
    /// Reads the element at the cursor. Its offsets are relative to the start of `blob`.
    #[doc(hidden)]
    fn read(c: &mut Cursor<'a>, blob: Source<'a>) -> Result<Self>;
    /// Validates what `read` skips.
    #[doc(hidden)]
    fn check(self) -> Result<()>;
    /// Returns the number of direct children.
    #[doc(hidden)]
    fn children(&self) -> u32;
}

/// A tree that the file stores in depth-first order, each element before its children. It is kept as a flat list,
/// whatever its depth.
///
/// Only eight bytes are kept per element. The elements themselves are views that are created on demand. A tree
/// always has a root, which is element 0.
#[derive(Clone)]
pub struct Tree<'a, T> {
    blob: Source<'a>,
    entries: Vec<Entry>,
    /// Offset in the file just past the last element.
    end: u64,
    /// Whether a broken element follows.
    is_cut: bool,
    elements: PhantomData<fn() -> T>,
}

#[derive(Clone, Copy)]
struct Entry {
    /// Offset relative to the start of the blob.
    at: u32,
    /// The index of the parent; that of the root is its own.
    parent: u32,
}

impl<'a, T: Branch<'a>> Tree<'a, T> {
    /// Reads a tree, and leaves the cursor after it. If `on_problem` is lossy, the tree ends before the first broken
    /// element, unless that is the root.
    pub(crate) fn read(c: &mut Cursor<'a>, blob: Source<'a>, on_problem: OnProblem<'_>) -> Result<Self> {
        let mut entries: Vec<Entry> = Vec::new();
        // The elements that are still missing children, and how many.
        let mut open: Vec<(u32, u32)> = Vec::new();
        let mut parent = 0;
        let mut is_cut = false;
        loop {
            let number = u32::try_from(entries.len()).unwrap_or(u32::MAX);
            let at = c.position().saturating_sub(blob.base());
            let at = u32::try_from(at).map_err(|_| {
                let limit = u64::from(u32::MAX);
                c.error(ErrorKind::Limit { of: Limit::Capacity, need: at, limit }, "offset in the blob")
            })?;
            let mut after = *c;
            let read = T::read(&mut after, blob).and_then(|element| {
                let children = element.children();
                element.check().map(|()| children)
            });
            let children = match read {
                Ok(children) => children,
                Err(error) => {
                    let error = error.with_index(error.index().unwrap_or(number));
                    if number == 0 {
                        return Err(error);
                    }
                    on_problem(error)?;
                    is_cut = true;
                    break;
                }
            };
            *c = after;
            entries.push(Entry { at, parent });
            if children > 0 {
                open.push((number, children));
            }
            match next_parent(&mut open) {
                Some(next) => parent = next,
                None => break,
            }
        }
        Ok(Self { blob, entries, end: c.position(), is_cut, elements: PhantomData })
    }

    /// Parses a tree that starts at the beginning of `source`, which its offsets are relative to.
    ///
    /// # Errors
    ///
    /// Returns an error if an element is truncated.
    pub fn parse(source: impl Into<Source<'a>>) -> Result<Self> {
        let source = source.into();
        Self::read(&mut Cursor::new(source), source, &mut Err)
    }

    /// Returns the number of elements, which is at least one.
    #[inline]
    #[expect(clippy::len_without_is_empty, reason = "a tree always has its root")]
    pub const fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns the element with this index, in file order.
    pub fn get(&self, index: usize) -> Option<T> {
        self.read_entry(self.entries.get(index)?)
    }

    /// Returns the elements in file order: each one before its children.
    pub fn iter(&self) -> TreeIter<'_, 'a, T> {
        TreeIter::new(self)
    }

    /// Returns the index of the parent, or `None` for the root.
    pub fn parent(&self, index: usize) -> Option<usize> {
        let entry = self.entries.get(index).filter(|_| index > 0)?;
        Some(entry.parent as usize)
    }

    /// Returns the offset in the file just past the last element.
    pub const fn end(&self) -> u64 {
        self.end
    }

    /// Returns the window that offsets in the tree are relative to.
    pub(crate) const fn blob(&self) -> Source<'a> {
        self.blob
    }

    /// Returns the span of an element without its children.
    pub(crate) fn span(&self, index: usize) -> Option<Span> {
        let offset = |entry: &Entry| self.blob.base().saturating_add(entry.at.into());
        let at = offset(self.entries.get(index)?);
        let end = self.entries.get(index.saturating_add(1)).map_or(self.end, offset);
        Some(Span::new(at, end.saturating_sub(at), self.blob.space()))
    }

    /// Returns the error of the element after the last one, if lossy reading stopped there.
    pub(crate) fn broken(&self) -> Option<Error> {
        let at = self.end.saturating_sub(self.blob.base());
        let mut c = self.blob.cursor(at, "tree").ok().filter(|_| self.is_cut)?;
        let error = T::read(&mut c, self.blob).and_then(T::check).err()?;
        Some(error.with_index(error.index().or_else(|| self.entries.len().try_into().ok())?))
    }

    fn read_entry(&self, entry: &Entry) -> Option<T> {
        let mut c = self.blob.cursor(entry.at.into(), "tree").ok()?;
        T::read(&mut c, self.blob).ok()
    }
}

/// Takes one child from the last element that is still missing some, and returns that element's index.
fn next_parent(open: &mut Vec<(u32, u32)>) -> Option<u32> {
    let (parent, left) = open.last_mut()?;
    let parent = *parent;
    *left = left.saturating_sub(1);
    if *left == 0 {
        open.pop();
    }
    Some(parent)
}

worldview_core::index_iter! {
    /// An iterator over the elements of a [`Tree`], each one before its children.
    pub struct TreeIter['t, 'a; T: Branch<'a>] over &'t Tree<'a, T> => T;
}

impl<'t, 'a, T: Branch<'a>> IntoIterator for &'t Tree<'a, T> {
    type Item = T;
    type IntoIter = TreeIter<'t, 'a, T>;

    #[inline]
    fn into_iter(self) -> TreeIter<'t, 'a, T> {
        self.iter()
    }
}

impl<T> fmt::Debug for Tree<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tree").field("len", &self.entries.len()).finish_non_exhaustive()
    }
}
