/// Declares a list in a plane, whose elements follow each other without an index, and its iterator.
///
/// The iterator provides `read(&mut self)`, which reads the element at its cursor. Errors are those of the plane.
macro_rules! list {
    (
        $(#[$doc:meta])*
        pub struct $list:ident<$a:lifetime> => $item:ty, $what:literal;

        $(#[$iter_doc:meta])*
        pub struct $iter:ident;
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $list<$a> {
            source: worldview_core::Source<$a>,
            count: u32,
            plane: u32,
        }

        impl<$a> $list<$a> {
            pub(crate) const fn new(source: worldview_core::Source<$a>, count: u32, plane: u32) -> Self {
                Self { source, count, plane }
            }

            /// Returns the element at `index`, which lies at offset `at` of the image.
            pub(crate) fn starting_at(&self, index: u32, at: u64) -> Option<$item> {
                let from_start = at.checked_sub(self.source.base())?;
                let cursor = self.source.cursor(from_start, $what).ok()?;
                $iter { cursor, next: index, ..self.iter() }.next()?.ok()
            }

            /// Returns an iterator over the elements, in file order.
            #[inline]
            pub const fn iter(&self) -> $iter<$a> {
                let cursor = worldview_core::Cursor::new(self.source);
                $iter { cursor, next: 0, count: self.count, plane: self.plane }
            }
        }

        worldview_core::into_iter!([$a] $list<$a> => worldview_core::Result<$item>, $iter<$a>, iter);

        $(#[$iter_doc])*
        #[derive(Clone, Debug)]
        pub struct $iter<$a> {
            cursor: worldview_core::Cursor<$a>,
            next: u32,
            count: u32,
            plane: u32,
        }

        impl $iter<'_> {
            pub(crate) const fn space(&self) -> worldview_core::OffsetBase {
                self.cursor.rest().space()
            }

            /// Returns the offset in the image of the next element, or the end of the last one.
            #[inline]
            pub const fn position(&self) -> u64 {
                self.cursor.position()
            }
        }

        impl<$a> Iterator for $iter<$a> {
            type Item = worldview_core::Result<$item>;

            #[inline]
            fn next(&mut self) -> Option<Self::Item> {
                if self.next >= self.count {
                    return None;
                }
                let item = self.read().map_err(|error| error.with_index(self.next).within(&"plane", self.plane));
                self.next = if item.is_ok() { self.next.saturating_add(1) } else { self.count };
                Some(item)
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                let rest = usize::try_from(self.count.saturating_sub(self.next)).ok();
                (usize::from(self.next < self.count), rest)
            }
        }

        impl core::iter::FusedIterator for $iter<'_> {}
    };
}

pub(crate) use list;
