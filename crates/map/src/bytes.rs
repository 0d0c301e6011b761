use std::fmt;
use std::fs::File;
use std::io;
use std::ops::Deref;

use memmap2::Mmap;

/// The bytes of a file, however they were loaded.
pub struct Bytes<'a>(Held<'a>);

enum Held<'a> {
    Owned(Vec<u8>),
    Scratch(&'a [u8]),
    Mapped(Mapped),
}

/// Fields are dropped in this order: a range that is unmapped must not be in the guard's table any more.
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

    /// Whether the bytes are a mapping of the file, and not a copy of it.
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

    /// Whether the bytes are a mapping that may be shortened without harm to the process: one that was made after
    /// `guard::install`, while the table had a place. Always false without the feature `guard`, and outside Unix.
    pub const fn is_guarded(&self) -> bool {
        #[cfg(all(feature = "guard", unix))]
        return self.guard().is_some();
        #[cfg(not(all(feature = "guard", unix)))]
        false
    }

    /// Whether a page of the mapping was found missing, and zeros were read in its place; only what is
    /// [guarded](Self::is_guarded) lives to tell.
    ///
    /// A file that was shortened is not noticed before somebody looks at a page that is gone, nor if what is gone lies
    /// within one page: [`check`](Self::check) sees these as well.
    pub fn shrank(&self) -> bool {
        #[cfg(all(feature = "guard", unix))]
        return self.guard().is_some_and(crate::guard::Registered::shrank);
        #[cfg(not(all(feature = "guard", unix)))]
        false
    }

    /// Makes sure that the bytes were those of the file: to be called when all that was needed of them has been read,
    /// and before it is believed.
    ///
    /// Bytes that are no mapping are a copy, and always good. A mapping is asked whether it [shrank](Self::shrank),
    /// and its file whether it is still as long; without a guard the answer comes only if the process still lives. Bytes
    /// that somebody overwrote in place are not noticed.
    ///
    /// # Errors
    ///
    /// `UnexpectedEof`, "shrank while being read", and those of asking the file for its length.
    pub fn check(&self) -> io::Result<()> {
        let Held::Mapped(mapped) = &self.0 else { return Ok(()) };
        if self.shrank() || mapped.file.metadata()?.len() < mapped.map.len() as u64 {
            return Err(shrank());
        }
        Ok(())
    }
}

/// The error of a file that has become shorter than it was when it was opened.
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
