//! Files, and ranges of them.

use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use self_cell::MutBorrow;

use super::Handle;
use crate::{Bytes, Loader, OffsetBase, Options, Source};

/// The bytes of a file, and its name.
pub struct File {
    bytes: Held,
    name: String,
}

/// Where the bytes are.
enum Held {
    Loaded(Bytes<'static>),
    /// With somebody else, such as an object of another language.
    Shared(Box<dyn AsRef<[u8]> + Send + Sync>),
}

impl File {
    /// Loads a file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, or if it is a stream that is longer than 1 GiB.
    pub fn load(loader: Loader, path: &Path) -> io::Result<Arc<Self>> {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        Ok(Arc::new(Self { bytes: Held::Loaded(loader.open(path)?), name }))
    }

    /// Creates a file from bytes in memory. `name` decides its format where the bytes do not.
    pub fn from_bytes(bytes: Vec<u8>, name: impl Into<String>) -> Arc<Self> {
        Arc::new(Self { bytes: Held::Loaded(Bytes::from(bytes)), name: name.into() })
    }

    /// Creates a file from bytes that somebody else holds, without a copy. They must not move or change.
    pub fn from_owner(owner: impl AsRef<[u8]> + Send + Sync + 'static, name: impl Into<String>) -> Arc<Self> {
        Arc::new(Self { bytes: Held::Shared(Box::new(owner)), name: name.into() })
    }

    /// Returns the copy in which entries of an archive were rebuilt.
    pub(super) fn copied(archive: &Handle) -> Arc<Self> {
        struct Copied(Handle);
        impl AsRef<[u8]> for Copied {
            fn as_ref(&self) -> &[u8] {
                self.0.asset().source().bytes()
            }
        }
        Self::from_owner(Copied(archive.clone()), archive.part().file.name())
    }

    /// Returns the bytes.
    pub fn bytes(&self) -> &[u8] {
        match &self.bytes {
            Held::Loaded(bytes) => bytes,
            Held::Shared(owner) => (**owner).as_ref(),
        }
    }

    /// Returns the name of the file, without folders.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns an error if the file is mapped and has shrunk since.
    ///
    /// # Errors
    ///
    /// Returns an error if the file has shrunk: what was read from it since may be zeros that it does not contain.
    pub fn check(&self) -> io::Result<()> {
        match &self.bytes {
            Held::Loaded(bytes) => bytes.check(),
            Held::Shared(_) => Ok(()),
        }
    }
}

impl std::fmt::Debug for File {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("File").field("name", &self.name).field("len", &self.bytes().len()).finish()
    }
}

/// The data that a view borrows: a range of a file, which is all of it or a member of an archive, the options, and memory for the image of a
/// packed level.
pub struct Part {
    file: Arc<File>,
    range: Range<usize>,
    inside: Vec<String>,
    pub(super) options: Arc<Options>,
    pub(super) image: MutBorrow<Vec<u8>>,
}

impl Part {
    pub(super) fn new(file: &Arc<File>, range: Range<usize>, inside: Vec<String>, options: &Arc<Options>) -> Self {
        let (file, options) = (Arc::clone(file), Arc::clone(options));
        Self { file, range, inside, options, image: MutBorrow::new(Vec::new()) }
    }

    /// Returns the file.
    pub const fn file(&self) -> &Arc<File> {
        &self.file
    }

    /// Returns the bytes of the part.
    pub fn bytes(&self) -> &[u8] {
        self.file.bytes().get(self.range.clone()).unwrap_or_default()
    }

    /// Returns the bytes of the part, with offsets that count in the file.
    pub fn source(&self) -> Source<'_> {
        let whole = Source::new(self.file.bytes(), OffsetBase::File);
        let (start, len) = (self.range.start as u64, self.range.len() as u64);
        whole.window(start, len, "part of the file").unwrap_or_else(|_| Source::new(&[], OffsetBase::File))
    }

    /// Returns the offset of the part in the file.
    pub const fn offset(&self) -> usize {
        self.range.start
    }

    /// Returns the names of the members that lead to the part, outermost first.
    pub fn path_in_file(&self) -> &[String] {
        &self.inside
    }

    /// Returns the name of the part: that of the file, or that of the member.
    pub fn name(&self) -> &str {
        self.inside.last().map_or(self.file.name(), String::as_str)
    }
}

worldview_core::debug_summary!("Part", Part, |this| file: this.file, range: this.range);
