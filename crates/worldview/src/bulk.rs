//! Processes whole folders of files in parallel.
//!
//! [`Bulk`] opens each file of an iterator and passes its contents to a function on any thread. It passes the results
//! to a sink on the caller's thread, in input order, whatever the number of threads. A bad file is one `Err` among the
//! results. However large the folder is, memory holds at most one file per thread and a window of results; each thread
//! reuses its buffers.
//!
//! ```
//! # #[cfg(all(feature = "island", feature = "wpd", feature = "wwd"))]
//! # fn main() {
//! # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples");
//! use worldview::bulk::{self, Bulk};
//! use worldview::{Asset, Loader, Opened};
//!
//! let count = |_: &bulk::FilePart, opened: &Opened<'_>| match &opened.asset {
//!     Asset::Level(level, _) => level.planes().len(),
//!     Asset::Table(table) => table.len(),
//!     Asset::Database(database) => database.blobs().len(),
//!     _ => 0,
//! };
//! Bulk::new(Loader::read()).each(bulk::walk(folder), count, |item, result| match result {
//!     Ok(count) => println!("{item}: {count}"),
//!     Err(error) => eprintln!("{item}: {error}"),
//! });
//! # }
//! # #[cfg(not(all(feature = "island", feature = "wpd", feature = "wwd")))]
//! # fn main() {}
//! ```
//!
//! To process the independent parts of one file, see [`parallel`](crate::parallel). The function may use both together.

mod input;
#[cfg(feature = "arrow")]
mod rows;

use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use smallvec::{SmallVec, smallvec};
use worldview_map::{Bytes, Loader};

pub use input::{BulkError, Input, load, load_found, walk};
#[cfg(feature = "arrow")]
pub use rows::BatchReader;

use crate::engine::{Engine, Threads};
use crate::{OpenError, Opened, Options, Walk, open};

/// Options for processing files.
#[derive(Clone, Copy)]
pub struct Bulk<'p> {
    loader: Loader,
    options: &'p Options,
    threads: usize,
    window: Option<usize>,
    cancel: Option<&'p AtomicBool>,
    progress: Option<&'p dyn Fn(BulkProgress)>,
}

/// Progress of a run.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BulkProgress {
    /// Number of files processed, including failed ones.
    pub files: u64,
    /// Number of files with at least one error.
    pub failed: u64,
    /// Total size of the processed files, in bytes.
    pub bytes: u64,
}

/// A file, or a part of it.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePart {
    /// The path of the file, or the name given for bytes.
    pub path: PathBuf,
    /// The path to a part of an archive, as member names joined by `/`; empty for the file itself.
    pub inside: String,
    /// Size of the whole file, in bytes.
    pub length: u64,
}

impl fmt::Display for FilePart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.path.display().fmt(f)?;
        if self.inside.is_empty() { Ok(()) } else { write!(f, "/{}", self.inside) }
    }
}

/// The buffers that a thread reuses for every file.
#[derive(Default)]
struct Buffers {
    file: Vec<u8>,
    image: Vec<u8>,
    /// The image of a level in an archive, whose own bytes may be in `image`.
    nested: Vec<u8>,
}

impl<'p> Bulk<'p> {
    /// Creates the default options: all threads of the machine, files loaded by `loader` and opened strictly.
    pub const fn new(loader: Loader) -> Self {
        static STRICT: Options = Options::new();
        Self { loader, options: &STRICT, threads: 0, window: None, cancel: None, progress: None }
    }

    worldview_core::setters! {
        /// Sets the number of threads; 0 uses all threads of the machine, and 1 only the caller's.
        pub const fn threads(threads: usize) => threads = threads;

        /// Sets how many files may be processed ahead of the first unfinished one; the default is 64 per thread. Their
        /// results are kept in memory, the files are not.
        pub const fn window(files: usize) => window = Some(files);

        /// Sets how files are opened.
        pub const fn options(options: &'p Options) => options = options;

        /// Starts no further file once `cancel` is true. The sink still receives the results of files already started.
        pub const fn cancel(cancel: &'p AtomicBool) => cancel = Some(cancel);

        /// Calls `progress` on the caller's thread after each file whose results the sink has received.
        pub const fn progress(progress: &'p dyn Fn(BulkProgress)) => progress = Some(progress);
    }

    /// Opens each input, calls `look` on any thread with every asset in it, and passes the results to `sink` on this
    /// thread, in input order. An archive comes first, then the tables and archives in it. Returns the totals.
    ///
    /// A file, or part of an archive, that cannot be opened is one `Err`. A file that shrank while it was processed
    /// yields only that `Err`.
    ///
    /// The return value of `look` outlives the file, so it must own its data. A panic in `look` ends the run and is
    /// propagated.
    pub fn each<'i, I, T>(
        &self,
        inputs: I,
        look: impl Fn(&FilePart, &Opened<'_>) -> T + Sync,
        mut sink: impl FnMut(FilePart, Result<T, BulkError>),
    ) -> BulkProgress
    where
        I: IntoIterator<Item: Into<Input<'i>>>,
        T: Send,
    {
        let total = RefCell::new(BulkProgress::default());
        let (loader, options) = (self.loader, self.options);
        let mut sink = |Results { path, length, parts }: Results<T>| {
            let mut failed = false;
            for (inside, result) in parts {
                failed |= result.is_err();
                sink(FilePart { path: path.clone(), inside, length }, result);
            }
            let now = {
                let mut total = total.borrow_mut();
                total.files = total.files.saturating_add(1);
                total.failed = total.failed.saturating_add(failed.into());
                total.bytes = total.bytes.saturating_add(length);
                *total
            };
            if let Some(progress) = self.progress {
                progress(now);
            }
        };
        let mut inputs = inputs.into_iter();
        let mut next = inputs.next().map(Into::into);
        if self.threads != 1 {
            // A few small files are finished before another thread has woken up.
            let (start, mut buffers) = (Instant::now(), Buffers::default());
            while let Some(input) = next.take_if(|input| self.is_for_one(input, start)) {
                sink(one(loader, options, input, &mut buffers, &look));
                next = inputs.next().map(Into::into);
            }
        }
        if next.is_some() {
            let inputs = next.into_iter().chain(inputs.map(Into::into));
            self.ordered(
                inputs,
                Buffers::default,
                |input, buffers| one(loader, options, input, buffers, &look),
                &mut sink,
            );
        }
        total.into_inner()
    }

    /// Returns whether to process an input on the caller's thread, because it is small and the run has just started.
    fn is_for_one(&self, input: &Input<'_>, start: Instant) -> bool {
        /// Opening and processing a file of this size takes about as long as waking a thread.
        const SMALL: u64 = 32 << 10;
        const WAKING: Duration = Duration::from_micros(200);
        let is_small =
            |path: &Path| std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() <= SMALL);
        start.elapsed() < WAKING
            && !self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
            && match input {
                Input::Path(path) | Input::Found(path) => is_small(path),
                Input::Bytes(_, bytes) => bytes.len() as u64 <= SMALL,
                Input::Failed(..) => true,
            }
    }

    /// Returns the results of [`each`](Self::each) in a vector.
    pub fn collect<'i, I, T>(
        &self,
        inputs: I,
        look: impl Fn(&FilePart, &Opened<'_>) -> T + Sync,
    ) -> Vec<(FilePart, Result<T, BulkError>)>
    where
        I: IntoIterator<Item: Into<Input<'i>>>,
        T: Send,
    {
        let mut all = Vec::new();
        self.each(inputs, look, |item, result| all.push((item, result)));
        all
    }

    /// Runs `work` on each item on any thread with that thread's scratch, and passes the results to `sink` on this
    /// thread, in item order. Progress is not reported.
    ///
    /// This is the engine below [`each`](Self::each), for items of any kind. Items are taken from the iterator on this
    /// thread, too, never further ahead than the window.
    pub fn ordered<I, S, T>(
        &self,
        items: I,
        scratch: impl Fn() -> S + Sync,
        work: impl Fn(I::Item, &mut S) -> T + Sync,
        sink: impl FnMut(T),
    ) where
        I: IntoIterator<Item: Send>,
        S: Send,
        T: Send,
    {
        let threads = match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let window = self.window.unwrap_or(threads.saturating_mul(64));
        let own = if threads == 1 { Threads::Caller } else { Threads::Own(threads) };
        Engine { threads: own, window, cancel: self.cancel }.run(items.into_iter(), scratch, work, sink);
    }
}

/// The results of one input.
struct Results<T> {
    /// The path that the input came with. Copies of it are made where they are dropped, on the caller's thread: allocators hold
    /// up a thread while another one frees what it has allocated.
    path: PathBuf,
    length: u64,
    /// The path to each part in the file, and its result.
    parts: SmallVec<[(String, Result<T, BulkError>); 1]>,
}

fn one<T>(
    loader: Loader,
    options: &Options,
    input: Input<'_>,
    buffers: &mut Buffers,
    look: &(impl Fn(&FilePart, &Opened<'_>) -> T + Sync),
) -> Results<T> {
    let (path, bytes) = match input {
        Input::Path(path) => {
            let bytes = load(loader, &path, &mut buffers.file);
            (path, bytes)
        }
        Input::Found(path) => {
            let bytes = load_found(loader, &path, &mut buffers.file);
            (path, bytes)
        }
        Input::Bytes(name, Cow::Borrowed(bytes)) => (name, Ok(Bytes::from(bytes))),
        Input::Bytes(name, Cow::Owned(bytes)) => (name, Ok(Bytes::from(bytes))),
        Input::Failed(path, error) => (path, Err(error.into())),
    };
    let bytes = match bytes {
        Ok(bytes) => bytes,
        Err(error) => return Results { path, length: 0, parts: smallvec![(String::new(), Err(error))] },
    };
    let length = bytes.len() as u64;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let (mut item, mut parts) = (FilePart { path, inside: String::new(), length }, SmallVec::new());
    let mut add = |inside, opened: Result<&Opened<'_>, OpenError>| {
        item.inside = inside;
        let result = opened.map(|part| look(&item, part)).map_err(BulkError::Open);
        parts.push((std::mem::take(&mut item.inside), result));
    };
    match open(&bytes, &name, &mut buffers.image, options) {
        Ok(opened) => {
            add(String::new(), Ok(&opened));
            let mut walk = Walk::new(&opened.asset, opened.at, options);
            while let Some(found) = walk.next(&mut buffers.nested) {
                add(found.names().join("/"), found.opened.as_ref().map_err(|failed| failed.error));
            }
        }
        Err(error) => add(String::new(), Err(error)),
    }
    // Results from a file that shrank may be about bytes that do not exist.
    if let Err(error) = bytes.check() {
        parts = smallvec![(String::new(), Err(BulkError::Io(error)))];
    }
    Results { path: item.path, length, parts }
}

worldview_core::debug_summary!("Bulk", Bulk<'_>, |this| loader: this.loader, threads: this.threads);
