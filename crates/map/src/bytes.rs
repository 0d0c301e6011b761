use std::fmt;
use std::fs::File;
use std::io;
use std::ops::Deref;

use memmap2::Mmap;

/// The bytes of a file, read or mapped.
pub struct Bytes<'a>(Held<'a>);

enum Held<'a> {
    Owned(Vec<u8>),
    Scratch(&'a [u8]),
    Mapped(Mapped),
}

/// Fields are dropped in this order: a range must leave the guard's table before it is unmapped.
struct Mapped {
    #[cfg(all(feature = "guard", unix))]
    guard: Option<crate::guard::Registered>,
    map: Mmap,
    file: File,
}

const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<Bytes<'_>>();
};

impl<'a> Bytes<'a> {
    pub(crate) const fn scratch(bytes: &'a [u8]) -> Self {
        Self(Held::Scratch(bytes))
    }

    pub(crate) fn mapped(map: Mmap, file: File) -> Self {
        Self(Held::Mapped(Mapped {
            #[cfg(all(feature = "guard", unix))]
            guard: crate::guard::Registered::new(&map),
            map,
            file,
        }))
    }

    /// Returns whether the bytes are a mapping of the file rather than a copy.
    pub const fn is_mapped(&self) -> bool {
        matches!(self.0, Held::Mapped(_))
    }

    #[cfg(all(feature = "guard", unix))]
    const fn guard(&self) -> Option<&crate::guard::Registered> {
        match &self.0 {
            Held::Mapped(mapped) => mapped.guard.as_ref(),
            Held::Owned(_) | Held::Scratch(_) => None,
        }
    }

    /// Returns whether the bytes are a mapping that may be shortened without killing the process.
    ///
    /// That is true for mappings made after `guard::install` while the guard's table had a free slot. It is always
    /// false without the feature `guard`, and outside Unix.
    pub const fn is_guarded(&self) -> bool {
        #[cfg(all(feature = "guard", unix))]
        return self.guard().is_some();
        #[cfg(not(all(feature = "guard", unix)))]
        false
    }

    /// Returns whether a page of the mapping was found missing, and zeros were read in its place.
    ///
    /// This only works for [guarded](Self::is_guarded) mappings. A shortened file is not noticed until a missing page
    /// is accessed, nor if only part of a page is missing. [`check`](Self::check) detects these cases as well.
    pub fn shrank(&self) -> bool {
        #[cfg(all(feature = "guard", unix))]
        return self.guard().is_some_and(crate::guard::Registered::shrank);
        #[cfg(not(all(feature = "guard", unix)))]
        false
    }

    /// Checks that the file did not shrink while it was read.
    ///
    /// Call this after reading everything that is needed, and before relying on it. Bytes that are not a mapping are a
    /// copy and always valid. For a mapping, this checks [`shrank`](Self::shrank) and the current length of the file;
    /// without a guard, the process may have been killed before. Bytes that were overwritten in place are not detected.
    ///
    /// # Errors
    ///
    /// Returns an error if
    ///
    /// - the file shrank while being read (`UnexpectedEof`, "shrank while being read"), or
    /// - the length of the file cannot be queried.
    pub fn check(&self) -> io::Result<()> {
        let Held::Mapped(mapped) = &self.0 else { return Ok(()) };
        if self.shrank() || mapped.file.metadata()?.len() < mapped.map.len() as u64 {
            return Err(shrank());
        }
        Ok(())
    }
}

/// Returns the error for a file that is shorter than when it was opened.
pub(crate) fn shrank() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "shrank while being read")
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
            Held::Mapped(mapped) => &mapped.map,
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
