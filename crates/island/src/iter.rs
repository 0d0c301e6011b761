/// Declares an iterator over a list of consecutive elements of variable length.
///
/// The list was read to its end when it was opened, so reading an element again does not fail. The list type
/// provides `start()`, `read_next(&mut Cursor)` and `count`, the number of elements.
macro_rules! sequence {
    (
        $(#[$doc:meta])*
        pub struct $name:ident over $of:ident => $item:ident, $items:literal;
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $name<'a> {
            of: $of<'a>,
            cursor: worldview_core::Cursor<'a>,
            left: u32,
        }

        impl<'a> Iterator for $name<'a> {
            type Item = $item<'a>;

            #[inline]
            fn next(&mut self) -> Option<$item<'a>> {
                if self.left == 0 {
                    return None;
                }
                self.left = self.left.wrapping_sub(1);
                match self.of.read_next(&mut self.cursor) {
                    Ok(item) => Some(item),
                    Err(_) => {
                        // Only reachable if a memory-mapped file shrank in the meantime.
                        self.left = 0;
                        None
                    }
                }
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                (self.left as usize, Some(self.left as usize))
            }
        }

        impl ExactSizeIterator for $name<'_> {}
        impl core::iter::FusedIterator for $name<'_> {}

        impl<'a> $of<'a> {
            #[doc = concat!("Returns the number of ", $items, ".")]
            #[inline]
            pub const fn len(&self) -> usize {
                self.count as usize
            }

            #[doc = concat!("Returns whether there are no ", $items, ".")]
            #[inline]
            pub const fn is_empty(&self) -> bool {
                self.count == 0
            }

            /// Returns an iterator over the elements in file order.
            #[inline]
            pub fn iter(&self) -> $name<'a> {
                $name { of: *self, cursor: self.start(), left: self.count }
            }
        }

        worldview_core::into_iter!(['a] $of<'a> => $item<'a>, $name<'a>, iter);
    };
}

pub(crate) use sequence;
