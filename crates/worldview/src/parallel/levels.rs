use std::sync::atomic::{AtomicU64, Ordering};

use worldview_rez::{File, Picture};

use super::Parallel;
use crate::engine::{Engine, Threads};
use crate::open::Form;
use crate::walk::{Affordable, most_inflated, open_file, own_limit};
use crate::{Asset, At, Entry, Failed, Opened, Options};

/// The levels below a directory of a REZ archive, which are opened on all threads: [`Parallel::levels`].
pub struct Levels<'v> {
    parallel: Parallel<'v>,
    options: &'v Options,
    jobs: Vec<Job<'v>>,
    /// How many bytes all levels may inflate to together.
    left: u64,
}

struct Job<'v> {
    file: File<'v, 'v>,
    form: Form,
    /// The error of a walk that spent its budget.
    spent: Option<worldview_core::Error>,
}

/// The result of a level.
#[derive(Debug)]
pub struct LevelResult<T> {
    /// The place of the level in [`Levels::entries`].
    pub index: usize,
    /// The result of `work`.
    pub result: T,
    /// How many bytes all levels from this one on may inflate to together.
    pub left: u64,
}

impl Parallel<'_> {
    /// Returns the levels below a directory of a REZ archive that `wanted` accepts, in the order of the archive: nothing for other
    /// assets. [`Levels::each`] opens them.
    ///
    /// Pictures that cannot be opened are among them, and after everything else an error if the files overlap too much: together,
    /// that is what a [`Walk`](crate::Walk) finds, without the pictures that can be opened.
    ///
    /// ```
    /// # #[cfg(all(feature = "rez", feature = "wwd"))]
    /// # fn main() -> Result<(), worldview::OpenError> {
    /// use worldview::parallel::Parallel;
    /// use worldview::{Asset, Failed, Opened, Options, open};
    ///
    /// let (file, options, mut image) = (include_bytes!("../../../../samples/harbour.rez"), Options::new(), Vec::new());
    /// let archive = open(file, "harbour.rez", &mut image, &options)?;
    /// let planes = |_, opened: Result<Opened<'_>, Failed<'_>>| match opened.map(|opened| opened.asset) {
    ///     Ok(Asset::Level(level, _)) => level.planes().len(),
    ///     _ => 0,
    /// };
    /// let levels = Parallel::new().levels(&archive.asset, archive.at, &options, |_| true);
    /// levels.each(planes, |level| println!("{} planes", level.result));
    /// # Ok(())
    /// # }
    /// # #[cfg(not(all(feature = "rez", feature = "wwd")))]
    /// # fn main() {}
    /// ```
    pub fn levels<'v>(
        &self,
        asset: &'v Asset<'v>,
        at: At,
        options: &'v Options,
        wanted: impl Fn(&File<'v, 'v>) -> bool,
    ) -> Levels<'v> {
        let mut levels = Levels { parallel: Parallel::new().threads(self.threads), options, jobs: Vec::new(), left: 0 };
        let Some(directory) = asset.directory(at) else { return levels };
        levels.left = most_inflated(directory.archive());
        let mut files = Affordable::new(directory);
        while let Some(file) = files.next(|file| wanted(&file)) {
            let (file, spent) = match file {
                Ok(file) => (file, None),
                Err((file, error)) => (file, Some(error)),
            };
            let form = Form::of_file(&file);
            let is_level = matches!(form, Form::File(_));
            if spent.is_some() || is_level || matches!(Picture::of_file(&file), Some(Err(_))) {
                levels.jobs.push(Job { file, form, spent });
            }
        }
        levels
    }
}

impl<'v> Levels<'v> {
    /// Returns all levels in order, opened or not.
    pub fn entries(&self) -> impl Iterator<Item = Entry<'v, 'v>> {
        self.jobs.iter().map(|job| Entry::File(job.file))
    }

    /// Returns whether an entry is a level, and not an error about something else.
    pub fn is_level(&self, index: usize) -> bool {
        self.jobs.get(index).is_some_and(|job| job.spent.is_none() && matches!(job.form, Form::File(_)))
    }

    /// Opens each level, and calls `work` with its index on any thread. Passes the results to `sink` on this thread, in order. At
    /// most one level per thread is in memory.
    pub fn each<T: Send>(
        &self,
        work: impl Fn(usize, Result<Opened<'_>, Failed<'_>>) -> T + Sync,
        mut sink: impl FnMut(LevelResult<T>),
    ) {
        /// How many results for each thread may wait for one before them.
        const AHEAD: usize = 4;
        let (threads, count) = match self.parallel.threads_to_use() {
            _ if self.jobs.len() < 2 => (Threads::Caller, 1),
            Threads::Own(threads) => (Threads::Own(threads), threads),
            Threads::Shared => (Threads::Shared, rayon::current_num_threads()),
            Threads::Caller => (Threads::Caller, 1),
        };
        let engine = Engine { threads, window: count.saturating_mul(AHEAD), cancel: None };
        // The budget that is left after the levels whose results are known, so that at most a window of levels can exceed it.
        let known = AtomicU64::new(self.left);
        let make = |index: usize, image: &mut Vec<u8>| {
            let left = known.load(Ordering::Relaxed);
            (index, left, self.made(index, left, image, &work))
        };
        engine.run(0..self.jobs.len(), Vec::new, make, |(index, guessed, mut made)| {
            let left = known.load(Ordering::Relaxed);
            // The levels before this one left less than was known when it was opened.
            if self.limit(index, left) < self.limit(index, guessed) && made.1.is_none_or(|size| size > left) {
                made = self.made(index, left, &mut Vec::new(), &work);
            }
            sink(LevelResult { index, result: made.0, left });
            known.store(left.saturating_sub(made.1.unwrap_or(0)), Ordering::Relaxed);
        });
    }

    /// Opens a level again on this thread, for work that cannot run on other threads. `left` is that of its result.
    ///
    /// # Errors
    ///
    /// Returns the same error as before, if there was one.
    pub fn again<'e>(&self, index: usize, left: u64, image: &'e mut Vec<u8>) -> Result<Opened<'e>, Failed<'e>>
    where
        'v: 'e,
    {
        let Some(job) = self.jobs.get(index) else { return Err(crate::OpenError::NotFound.into()) };
        match job.spent {
            Some(error) => Err(error.into()),
            None => open_file(job.form, job.file, self.limit(index, left), image, self.options),
        }
    }

    /// Opens a level, and returns the size of its image, too.
    fn made<T>(
        &self,
        index: usize,
        left: u64,
        image: &mut Vec<u8>,
        work: &impl Fn(usize, Result<Opened<'_>, Failed<'_>>) -> T,
    ) -> (T, Option<u64>) {
        let opened = self.again(index, left, image);
        let size = match &opened {
            Ok(Opened { asset: Asset::Level(level, _), .. }) => Some(level.image().len()),
            _ => None,
        };
        (work(index, opened), size)
    }

    /// Returns the limit for a level if there are `left` bytes for all that are left.
    fn limit(&self, index: usize, left: u64) -> u64 {
        self.jobs.get(index).map_or(0, |job| own_limit(self.options, job.file).min(left))
    }
}

worldview_core::debug_summary!("Levels", Levels<'_>, |this| len: this.jobs.len());
