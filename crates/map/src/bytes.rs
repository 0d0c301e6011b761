use std::fmt;
use std::ops::Deref;

use memmap2::Mmap;

/// The bytes of a file, however they were loaded.
pub struct Bytes<'a>(Held<'a>);

enum Held<'a> {
    Owned(Vec<u8>),
    Scratch(&'a [u8]),
    Mapped(Mmap),
}

const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<Bytes<'_>>();
};

impl<'a> Bytes<'a> {
    pub(crate) const fn scratch(bytes: &'a [u8]) -> Self {
        Self(Held::Scratch(bytes))
    }

    pub(crate) const fn mapped(map: Mmap) -> Self {
        Self(Held::Mapped(map))
    }

    /// Whether the bytes are a mapping of the file, and not a copy of it.
    pub const fn is_mapped(&self) -> bool {
        matches!(self.0, Held::Mapped(_))
    }
}

impl From<Vec<u8>> for Bytes<'_> {
    fn from(bytes: Vec<u8>) -> Self {
        Self(Held::Owned(bytes))
    }
}

impl<'a> From<&'a [u8]> for Bytes<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::scratch(bytes)
    }
}

impl Deref for Bytes<'_> {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match &self.0 {
            Held::Owned(bytes) => bytes,
            Held::Scratch(bytes) => bytes,
            Held::Mapped(map) => map,
        }
    }
}

impl AsRef<[u8]> for Bytes<'_> {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl fmt::Debug for Bytes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bytes").field("len", &self.len()).field("mapped", &self.is_mapped()).finish()
    }
}
