use std::fmt;
use std::io;
use std::ops::Deref;

use memmap2::Mmap;

use crate::origin::Origin;

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
    origin: Origin,
}

/// The order in which the bytes of a mapping will be read. See [`Bytes::advise`].
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Advice {
    /// From the first byte to the last: the system reads far ahead. This is how files are mapped.
    Sequential,
    /// Here and there, as by a few lookups in a large file: the system reads nothing ahead.
    Random,
}

const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<Bytes<'_>>();
};

impl<'a> Bytes<'a> {
    pub(crate) const fn scratch(bytes: &'a [u8]) -> Self {
        Self(Held::Scratch(bytes))
    }

    pub(crate) fn mapped(map: Mmap, origin: Origin) -> Self {
        Self(Held::Mapped(Mapped {
            #[cfg(all(feature = "guard", unix))]
            guard: crate::guard::Registered::new(&map),
            map,
            origin,
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
    /// That is true for mappings made after `guard::install`. It is always false without the feature `guard`, and outside
    /// Unix.
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

    /// Advises the system how the mapping will be read. Does nothing for a copy, and outside Unix.
    ///
    /// ```no_run
    /// # fn main() -> std::io::Result<()> {
    /// use worldview_map::{Advice, Loader};
    ///
    /// # #[expect(unsafe_code, reason = "mapping asks for a promise")]
    /// # // SAFETY: never run.
    /// # let load = unsafe { Loader::mmap() };
    /// let file = load.open("large.wdb")?;
    /// file.advise(Advice::Random); // for a few lookups
    /// # Ok(())
    /// # }
    /// ```
    #[cfg_attr(not(unix), expect(unused_variables, reason = "there is nobody to advise"))]
    pub fn advise(&self, advice: Advice) {
        #[cfg(unix)]
        if let Held::Mapped(mapped) = &self.0 {
            let advice = match advice {
                Advice::Sequential => memmap2::Advice::Sequential,
                Advice::Random => memmap2::Advice::Random,
            };
            // It does not matter if the system ignores the advice.
            let _ = mapped.map.advise(advice);
        }
    }

    /// Checks that the file did not shrink while it was read.
    ///
    /// Call this after reading everything that is needed, and before relying on it. Bytes that are not a mapping are a
    /// copy and always valid, and Windows does not allow shortening a mapped file. Elsewhere, this checks
    /// [`shrank`](Self::shrank) and the length of the file; without a guard, the process may have been killed before.
    /// Bytes that were overwritten in place are not detected.
    ///
    /// A mapping does not keep its file open. If the path no longer leads to the file, because it was renamed, replaced or
    /// deleted, its length is unknown, and this reads the last page of a [guarded](Self::is_guarded) mapping instead. It
    /// then does not detect that less than a page is missing; without a guard it detects nothing.
    ///
    /// # Errors
    ///
    /// Returns an error if the file shrank while being read (`UnexpectedEof`, "shrank while being read").
    pub fn check(&self) -> io::Result<()> {
        if let Held::Mapped(mapped) = &self.0 {
            let len = mapped.origin.len();
            if len.is_none() && self.is_guarded() {
                // If the page is missing, this calls the guard's handler.
                std::hint::black_box(mapped.map.last().copied());
            }
            if self.shrank() || len.is_some_and(|len| len < mapped.map.len() as u64) {
                return Err(shrank());
            }
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
