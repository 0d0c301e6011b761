/// Declares a named, double-ended iterator that yields the elements of a collection by index.
///
/// The collection has `len()` and a `get(index)` that returns an element for every index below `len()`.
#[macro_export]
macro_rules! index_iter {
    (
        $(#[$doc:meta])*
        pub struct $name:ident[$($life:lifetime),+ $(; $type:ident: $bound:path)?] over $of:ty => $item:ty;
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $name<$($life),+ $(, $type)?> {
            of: $of,
            range: core::ops::Range<usize>,
        }

        impl<$($life),+ $(, $type: $bound)?> $name<$($life),+ $(, $type)?> {
            #[inline]
            fn new(of: $of) -> Self {
                let range = 0..of.len();
                Self { of, range }
            }
        }

        impl<$($life),+ $(, $type: $bound)?> Iterator for $name<$($life),+ $(, $type)?> {
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

        impl<$($life),+ $(, $type: $bound)?> DoubleEndedIterator for $name<$($life),+ $(, $type)?> {
            #[inline]
            fn next_back(&mut self) -> Option<$item> {
                self.of.get(self.range.next_back()?)
            }
        }

        impl<$($life),+ $(, $type: $bound)?> ExactSizeIterator for $name<$($life),+ $(, $type)?> {}
        impl<$($life),+ $(, $type: $bound)?> core::iter::FusedIterator for $name<$($life),+ $(, $type)?> {}
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
