//! Opened files. The last few are kept, because a page asks for many pieces of the same one.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::SystemTime;

use worldview::wpd::Archive;
use worldview::{Failure, File, Format, Handle, Kind, Loader, Options};

/// The number of opened parts that are kept.
const KEPT: usize = 24;

/// The maximum size, in bytes, of all parts that are kept and take memory of their own: inflated levels, and what was
/// made from files.
const KEPT_BYTES: u64 = 64 << 20;

/// An opened file or part of a file, and what was made from it.
pub(crate) struct Opened {
    pub(crate) path: PathBuf,
    /// The names of the members that lead to the part, joined by `/`.
    pub(crate) inside: Vec<u8>,
    pub(crate) handle: Handle,
    made: Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>,
}

impl Opened {
    /// Returns what `make` makes of the part, once for all requests.
    ///
    /// `make` must not wait for the thread pool: a thread that waits there takes other requests, which may need the same.
    ///
    /// Returns the error of `make`, which is called again by the next request.
    pub(crate) fn made<T, E>(self: &Arc<Self>, make: impl FnOnce(&Arc<Self>) -> Result<T, E>) -> Result<Arc<T>, E>
    where
        T: Any + Send + Sync,
    {
        // Held while `make` runs: of several requests at once, one makes it.
        let slot = {
            let mut made = lock(&self.made);
            let slot = made.entry(TypeId::of::<T>()).or_insert_with(|| Arc::new(Slot::<T>::default()));
            Arc::clone(slot).downcast::<Slot<T>>()
        };
        let Ok(slot) = slot else { return make(self).map(Arc::new) };
        let mut kept = lock(&slot.0);
        if let Some(kept) = &*kept {
            return Ok(Arc::clone(kept));
        }
        let new = Arc::new(make(self)?);
        *kept = Some(Arc::clone(&new));
        Ok(new)
    }

    /// Returns the same part with other contents, which are opened as the part was.
    pub(crate) fn with_contents(&self, bytes: Vec<u8>) -> Result<Self, Failure> {
        let part = self.handle.part();
        let handle = Handle::of(&File::from_bytes(bytes, part.name()), b"", self.handle.options())?;
        Ok(Self { path: self.path.clone(), inside: self.inside.clone(), handle, made: Mutex::default() })
    }

    /// Returns whether the file has not shrunk since it was opened.
    fn is_there(&self) -> bool {
        self.handle.part().file().check().is_ok()
    }

    /// The memory that the part takes besides its file.
    pub(crate) fn weight(&self) -> u64 {
        match self.handle.unpacked() {
            Some(unpacked) if unpacked.header().is_packed() => unpacked.len() as u64,
            _ => 0,
        }
    }
}

struct Slot<T>(Mutex<Option<Arc<T>>>);

impl<T> Default for Slot<T> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl std::fmt::Debug for Opened {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Opened").field("path", &self.path).field("handle", &self.handle).finish_non_exhaustive()
    }
}

/// What a file was when it was opened. If it is something else now, it is opened again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Version {
    len: u64,
    modified: Option<SystemTime>,
}

impl Version {
    pub(crate) fn of(path: &Path) -> std::io::Result<Self> {
        let metadata = std::fs::metadata(path)?;
        Ok(Self { len: metadata.len(), modified: metadata.modified().ok() })
    }
}

/// The path of a file, and the names of the members that lead to a part, joined by `/`.
type PartKey = (PathBuf, Vec<u8>);

#[derive(Debug, Default)]
struct Kept {
    parts: Recent<PartKey, (Version, Arc<Opened>)>,
    /// The files of parts that somebody still has.
    files: HashMap<PathBuf, (Version, Weak<File>)>,
}

/// Opens files, and keeps the last few.
#[derive(Debug)]
pub(crate) struct Files {
    loader: Loader,
    options: Options,
    kept: Mutex<Kept>,
}

impl Files {
    pub(crate) fn new(loader: Loader, options: Options) -> Self {
        Self { loader, options, kept: Mutex::default() }
    }

    /// How files are opened.
    pub(crate) const fn options(&self) -> &Options {
        &self.options
    }

    /// How files are read.
    pub(crate) const fn loader(&self) -> Loader {
        self.loader
    }

    /// Opens a file, or the part of it that names lead to. As much is opened as possible. Returns an error if the file cannot be
    /// read, or if nothing of the part can be opened.
    pub(crate) fn open(&self, path: &Path, inside: &[u8]) -> Result<Arc<Opened>, Failure> {
        let version = Version::of(path)?;
        let key = (path.to_owned(), inside.to_vec());
        let known = lock(&self.kept).parts.get(|known| *known == key);
        if let Some((_, opened)) = known.filter(|(known, opened)| *known == version && opened.is_there()) {
            return Ok(opened);
        }
        let file = self.file(path, version)?;
        let handle = Handle::of(&file, inside, &self.options)?;
        let (path, inside) = key.clone();
        let opened = Arc::new(Opened { path, inside, handle, made: Mutex::default() });
        let weight = |(_, part): &(Version, Arc<Opened>)| part.weight();
        lock(&self.kept).parts.put(key, (version, Arc::clone(&opened)), (KEPT, KEPT_BYTES), weight);
        Ok(opened)
    }

    /// Returns the format of a file that is not opened, and what it is.
    pub(crate) fn format(&self, file: &File) -> Option<(Format, Kind)> {
        let format = self.options.format(file.bytes(), file.name()).ok()?;
        let is_table = || Archive::parse_lossy(file.bytes(), &mut |_| {}).is_ok_and(|archive| archive.is_table());
        Some((format, if format == Format::Wpd && is_table() { Kind::Table } else { format.kind() }))
    }

    /// Loads a file, or returns the one that somebody has already. Returns an error if the file cannot be read.
    pub(crate) fn load(&self, path: &Path) -> Result<Arc<File>, Failure> {
        self.file(path, Version::of(path)?)
    }

    fn file(&self, path: &Path, version: Version) -> Result<Arc<File>, Failure> {
        if let Some((known, file)) = lock(&self.kept).files.get(path)
            && *known == version
            && let Some(file) = file.upgrade()
        {
            return Ok(file);
        }
        let file = File::load(self.loader, path)?;
        let mut kept = lock(&self.kept);
        kept.files.retain(|_, (_, file)| file.strong_count() > 0);
        kept.files.insert(path.to_owned(), (version, Arc::downgrade(&file)));
        Ok(file)
    }
}

/// The last values that were asked for, the newest last.
#[derive(Debug)]
pub(crate) struct Recent<K, V>(Vec<(K, V)>);

impl<K, V> Default for Recent<K, V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<K: PartialEq, V: Clone> Recent<K, V> {
    /// Returns a value, which then is the newest.
    pub(crate) fn get(&mut self, is_it: impl Fn(&K) -> bool) -> Option<V> {
        let at = self.0.iter().position(|(key, _)| is_it(key))?;
        self.0[at..].rotate_left(1);
        self.0.last().map(|(_, value)| value.clone())
    }

    /// Adds a value, and forgets the one with the same key and the oldest ones, so that there are at most so many, and those but the
    /// newest have at most this weight.
    pub(crate) fn put(&mut self, key: K, value: V, (most, heaviest): (usize, u64), weight: impl Fn(&V) -> u64) {
        self.0.retain(|(known, _)| *known != key);
        self.0.push((key, value));
        let all = |kept: &[(K, V)]| kept.iter().map(|(_, value)| weight(value)).sum::<u64>();
        while self.0.len() > 1 && (self.0.len() > most || all(&self.0) > heaviest) {
            self.0.remove(0);
        }
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
