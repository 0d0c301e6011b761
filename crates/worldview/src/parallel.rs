//! Processes the independent parts of a file in parallel.
//!
//! WORLD.WDB consists of two chunks and some hundreds of independent blobs. [`Parallel`] opens and decodes each of them
//! once, however many references it has, starting with the largest. It returns the results in file order, whatever the
//! number of threads. Files too small to be worth waking a thread for are processed on the caller's.
//!
//! The levels of a REZ archive are independent of each other, too: `Parallel::levels`.
//!
//! To process many files in parallel, see [`bulk`](crate::bulk). Both can share a pool of threads.
//!
//! ```
//! # #[cfg(feature = "island")]
//! # fn main() -> worldview::Result<()> {
//! # let file: &[u8] = include_bytes!("../../../samples/world.wdb");
//! use worldview::parallel::Parallel;
//! use worldview::island::Database;
//!
//! let database = Database::parse(file)?; // the directory alone
//! let triangles: Vec<usize> = Parallel::new().decode(&database, |item, _| {
//!     item.map_or(0, |item| item.meshes().flatten().map(|mesh| usize::from(mesh.triangles)).sum())
//! });
//! println!("{} triangles", triangles.iter().sum::<usize>());
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "island"))]
//! # fn main() {}
//! ```

#[cfg(feature = "island")]
mod database;
#[cfg(all(feature = "rez", feature = "wwd"))]
mod levels;

use std::cmp::Reverse;
use std::sync::{Mutex, PoisonError};

#[cfg(feature = "island")]
pub use self::database::{DatabasePart, Decoded, Scratch};
#[cfg(all(feature = "rez", feature = "wwd"))]
pub use self::levels::{LevelResult, Levels};
use crate::engine::{self, Threads};

/// Options for processing the parts of a file. If there are less than 256 KiB of parts, only the caller's thread is
/// used.
#[derive(Clone, Copy, Default)]
pub struct Parallel<'p> {
    threads: usize,
    progress: Option<&'p (dyn Fn(ParallelProgress) + Sync)>,
}

/// Progress of a run.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParallelProgress {
    /// Number of chunks and blobs processed.
    pub done: usize,
    /// Total number of chunks and blobs.
    pub total: usize,
    /// Number of bytes processed.
    pub bytes_done: u64,
    /// Total number of bytes.
    pub bytes_total: u64,
}

impl<'p> Parallel<'p> {
    /// Creates the default options, which use all threads of the rayon pool that the calling thread belongs to, or else
    /// of the global one.
    pub const fn new() -> Self {
        Self { threads: 0, progress: None }
    }

    worldview_core::setters! {
        /// Sets the number of threads; 0 uses all threads of rayon's pool.
        pub const fn threads(threads: usize) => threads = threads;

        /// Calls `progress` after each item. Calls come from any thread, but never from two at once, and the last one
        /// reports that all items are done.
        pub const fn progress(progress: &'p (dyn Fn(ParallelProgress) + Sync)) => progress = Some(progress);
    }

    /// Runs any jobs, starting with the largest, with one scratch per thread. Returns the results in job order.
    ///
    /// `size` returns the input bytes of a job. It determines the order, and whether other threads are worth waking.
    pub fn run<J: Sync, S: Send, T: Send>(
        &self,
        jobs: &[J],
        size: impl Fn(&J) -> u64,
        scratch: impl Fn() -> S + Sync,
        work: impl Fn(&J, &mut S) -> T + Sync,
    ) -> Vec<T> {
        self.run_owned(jobs.iter().map(|job| (size(job), job)).collect(), scratch, work)
    }

    const fn threads_to_use(&self) -> Threads {
        match self.threads {
            0 => Threads::Shared,
            1 => Threads::Caller,
            threads => Threads::Own(threads),
        }
    }

    fn run_owned<J: Send, S: Send, T: Send>(
        &self,
        jobs: Vec<(u64, J)>,
        scratch: impl Fn() -> S + Sync,
        work: impl Fn(J, &mut S) -> T + Sync,
    ) -> Vec<T> {
        let (count, bytes_total) = (jobs.len(), jobs.iter().fold(0, |sum: u64, (size, _)| sum.saturating_add(*size)));
        // `progress` is called under the lock, so that it never goes backwards.
        let now = Mutex::new(ParallelProgress { done: 0, total: count, bytes_done: 0, bytes_total });
        let work = |(size, job), scratch: &mut S| {
            let result = work(job, scratch);
            if let Some(progress) = self.progress {
                let mut now = now.lock().unwrap_or_else(PoisonError::into_inner);
                now.done = now.done.saturating_add(1);
                now.bytes_done = now.bytes_done.saturating_add(size);
                progress(*now);
            }
            result
        };
        let threads = if count < 2 || bytes_total < WORTH_WAKING { Threads::Caller } else { self.threads_to_use() };
        let mut jobs: Vec<(usize, (u64, J))> = jobs.into_iter().enumerate().collect();
        if !matches!(threads, Threads::Caller) {
            // A large item at the end would keep one thread busy while the others wait.
            jobs.sort_by_key(|(_, (size, _))| Reverse(*size));
        }
        engine::all(threads, jobs, scratch, work)
    }
}

/// Number of input bytes below which a run stays on one thread. Waking a sleeping pool takes about ten microseconds, in
/// which this much is opened.
const WORTH_WAKING: u64 = 256 << 10;

worldview_core::debug_summary!("Parallel", Parallel<'_>, |this| threads: this.threads);

worldview_core::assert_send_sync!(Parallel<'_>, ParallelProgress);
