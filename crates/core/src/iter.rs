/// Declares a named, double-ended iterator that yields the elements of a collection by index.
///
/// The collection has `len()` and a `get(index)` that returns an element for every index below `len()`.
#[macro_export]
macro_rules! index_iter {
    (
        $(#[$doc:meta])*
        pub struct $name:ident[$($life:lifetime),+] over $of:ty => $item:ty;
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $name<$($life),+> {
            of: $of,
            range: core::ops::Range<usize>,
        }

        impl<$($life),+> $name<$($life),+> {
            #[inline]
            fn new(of: $of) -> Self {
                let range = 0..of.len();
                Self { of, range }
            }
        }

        impl<$($life),+> Iterator for $name<$($life),+> {
            type Item = $item;

            #[inline]
            fn next(&mut self) -> Option<$item> {
                self.of.get(self.range.next()?)
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                self.range.size_hint()
            }

            #[inline]
            fn nth(&mut self, n: usize) -> Option<$item> {
                self.of.get(self.range.nth(n)?)
            }
        }

        impl<$($life),+> DoubleEndedIterator for $name<$($life),+> {
            #[inline]
            fn next_back(&mut self) -> Option<$item> {
                self.of.get(self.range.next_back()?)
            }
        }

        impl<$($life),+> ExactSizeIterator for $name<$($life),+> {}
        impl<$($life),+> core::iter::FusedIterator for $name<$($life),+> {}
    };
}

/// Implements `IntoIterator` for a view and for a reference to it, by one of its methods.
#[macro_export]
macro_rules! into_iter {
    ([$($life:lifetime),+] $of:ty => $item:ty, $iter:ty, $method:ident) => {
        impl<$($life),+> IntoIterator for $of {
            type Item = $item;
            type IntoIter = $iter;

            #[inline]
            fn into_iter(self) -> $iter {
                self.$method()
            }
        }

        impl<$($life),+> IntoIterator for &$of {
            type Item = $item;
            type IntoIter = $iter;

            #[inline]
            fn into_iter(self) -> $iter {
                self.$method()
            }
        }
    };
}
