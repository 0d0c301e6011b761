//! Whole folders of files side by side, on as many threads as there are.
//!
//! [`Bulk`] opens each file of any iterator, hands what is in it to a function on some thread, and the function's
//! results to a sink on the caller's thread, in the order of the files: the same on one thread and on many. A bad file
//! is one `Err` among the results. In memory are at most one file a thread and a window of results, however large the
//! folder is; each thread uses its buffers again for every file.
//!
//! ```
//! # fn main() {
//! # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples");
//! use worldview::bulk::{self, Bulk};
//! use worldview::{Asset, Loader, Opened};
//!
//! let count = |_: &bulk::FilePart, opened: &Opened<'_, '_>| match opened.asset {
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
//! ```
//!
//! For the independent parts of one file see [`parallel`](crate::parallel); the function may use both together.

mod input;

use std::cell::RefCell;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use worldview_map::{Bytes, Loader};

pub use input::{BulkError, Input, load, load_found, walk};

use crate::engine::{Engine, Threads};
use crate::{Failed, Opened, Opener};

/// How files are worked on.
#[derive(Clone, Copy)]
pub struct Bulk<'p> {
    loader: Loader,
    opener: Opener<'p>,
    threads: usize,
    window: Option<usize>,
    cancel: Option<&'p AtomicBool>,
    progress: Option<&'p dyn Fn(BulkProgress)>,
}

/// How far a run is.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BulkProgress {
    /// Files that are done, the failed ones too.
    pub files: u64,
    /// Files of which something failed.
    pub failed: u64,
    /// Bytes of the files that are done.
    pub bytes: u64,
}

/// Which file, and which part of it.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePart {
    /// The file's path, or the name that bytes were given.
    pub path: PathBuf,
    /// The way to a part of an archive, member names joined by `/`; empty for the file itself.
    pub inside: String,
    /// Bytes of the whole file.
    pub length: u64,
}

impl fmt::Display for FilePart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.path.display().fmt(f)?;
        if self.inside.is_empty() { Ok(()) } else { write!(f, "/{}", self.inside) }
    }
}

/// What one thread uses again for every file.
#[derive(Default)]
struct Buffers {
    file: Vec<u8>,
    image: Vec<u8>,
}

impl<'p> Bulk<'p> {
    /// On as many threads as the machine has, files opened by `loader` and by the strict [`Opener`].
    pub const fn new(loader: Loader) -> Self {
        Self { loader, opener: Opener::new(), threads: 0, window: None, cancel: None, progress: None }
    }

    /// On this many threads; 0 is as many as the machine has, and 1 the caller's alone.
    #[must_use]
    pub const fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// How many files may be ahead of the first that is not done; by default 64 a thread. Their results are in memory,
    /// the files are not.
    #[must_use]
    pub const fn window(self, files: usize) -> Self {
        Self { window: Some(files), ..self }
    }

    /// Opens files in this way.
    #[must_use]
    pub const fn opener(self, opener: Opener<'p>) -> Self {
        Self { opener, ..self }
    }

    /// Begins no further file once `cancel` is true; the sink still gets those that were begun.
    #[must_use]
    pub const fn cancel(self, cancel: &'p AtomicBool) -> Self {
        Self { cancel: Some(cancel), ..self }
    }

    /// Tells `progress` after each file that the sink has had, on the caller's thread.
    #[must_use]
    pub const fn progress(self, progress: &'p dyn Fn(BulkProgress)) -> Self {
        Self { progress: Some(progress), ..self }
    }

    /// Opens each input, lets `look` see every asset in it on some thread, and gives `sink` what it makes of them on this
    /// one, in the order of the inputs; of an archive first itself, then the tables and archives in it. Answers how much
    /// there was.
    ///
    /// A file that cannot be opened is one `Err`; so is each part of an archive that cannot. Of a file that shrank while
    /// it was looked at there is nothing but that `Err`.
    ///
    /// What `look` returns outlives the file, so it owns what it takes from it. A panic in `look` ends the run and is passed on.
    pub fn each<'i, I, T>(
        &self,
        inputs: I,
        look: impl Fn(&FilePart, &Opened<'_, '_>) -> T + Sync,
        mut sink: impl FnMut(FilePart, Result<T, BulkError>),
    ) -> BulkProgress
    where
        I: IntoIterator<IntoIter: Send, Item: Into<Input<'i>>>,
        T: Send,
    {
        let total = RefCell::new(BulkProgress::default());
        let (loader, opener) = (self.loader, self.opener);
        let mut sink = |(length, results): Results<T>| {
            let mut failed = false;
            for (item, result) in results {
                failed |= result.is_err();
                sink(item, result);
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
            // A few small files are done before another thread is awake.
            let (start, mut buffers) = (Instant::now(), Buffers::default());
            while let Some(input) = next.take_if(|input| self.is_for_one(input, start)) {
                sink(one(loader, opener, input, &mut buffers, &look));
                next = inputs.next().map(Into::into);
            }
        }
        if next.is_some() {
            let inputs = next.into_iter().chain(inputs.map(Into::into));
            self.ordered(
                inputs,
                Buffers::default,
                |input, buffers| one(loader, opener, input, buffers, &look),
                &mut sink,
            );
        }
        total.into_inner()
    }

    /// Whether an input is small and the run has hardly begun: then the caller's thread has it.
    fn is_for_one(&self, input: &Input<'_>, start: Instant) -> bool {
        /// What opening and looking at takes about as long as waking a thread.
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

    /// The results of [`each`](Self::each), all in memory.
    pub fn collect<'i, I, T>(
        &self,
        inputs: I,
        look: impl Fn(&FilePart, &Opened<'_, '_>) -> T + Sync,
    ) -> Vec<(FilePart, Result<T, BulkError>)>
    where
        I: IntoIterator<IntoIter: Send, Item: Into<Input<'i>>>,
        T: Send,
    {
        let mut all = Vec::new();
        self.each(inputs, look, |item, result| all.push((item, result)));
        all
    }

    /// The engine below [`each`](Self::each), for items of any kind: lets `work` have each of them on some thread, with
    /// the thread's scratch, and `sink` the results on this one, in the order of the items. Progress is not reported.
    ///
    /// The items are taken one by one under a lock, never further ahead than the window.
    pub fn ordered<I, S, T>(
        &self,
        items: I,
        scratch: impl Fn() -> S + Sync,
        work: impl Fn(I::Item, &mut S) -> T + Sync,
        sink: impl FnMut(T),
    ) where
        I: IntoIterator<IntoIter: Send>,
        S: Send,
        T: Send,
    {
        let threads = match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let window = self.window.unwrap_or(threads.saturating_mul(64));
        let own = if threads == 1 { Threads::Caller } else { Threads::Own(threads) };
        let items = items.into_iter().enumerate();
        Engine { threads: own, window, cancel: self.cancel }.run(items, scratch, work, sink);
    }
}

/// What came of one input: its length, and its results.
type Results<T> = (u64, Vec<(FilePart, Result<T, BulkError>)>);

fn one<T>(
    loader: Loader,
    opener: Opener<'_>,
    input: Input<'_>,
    buffers: &mut Buffers,
    look: &(impl Fn(&FilePart, &Opened<'_, '_>) -> T + Sync),
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
        Input::Bytes(name, bytes) => (name, Ok(Bytes::from(bytes))),
        Input::Failed(path, error) => (path, Err(error.into())),
    };
    let bytes = match bytes {
        Ok(bytes) => bytes,
        Err(error) => return (0, vec![(FilePart { path, inside: String::new(), length: 0 }, Err(error))]),
    };
    let length = bytes.len() as u64;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut results = Vec::new();
    opener.open(&bytes, &name, &mut buffers.image, &mut |opened| {
        let inside = opened.as_ref().map_or_else(Failed::inside, Opened::inside);
        let item = FilePart { path: path.clone(), inside, length };
        let result = opened.map(|part| look(&item, &part)).map_err(|failed| BulkError::Open(failed.error));
        results.push((item, result));
    });
    // What was seen of a file that shrank is about bytes that are not there.
    if let Err(error) = bytes.check() {
        return (length, vec![(FilePart { path, inside: String::new(), length }, Err(BulkError::Io(error)))]);
    }
    (length, results)
}

impl fmt::Debug for Bulk<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bulk").field("loader", &self.loader).field("threads", &self.threads).finish_non_exhaustive()
    }
}
