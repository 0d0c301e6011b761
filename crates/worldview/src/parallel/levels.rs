use std::sync::atomic::{AtomicU64, Ordering};

use worldview_rez::{Directory, File, Picture};

use super::Parallel;
use crate::engine::{Engine, Threads};
use crate::opener::{affordable, is_level, unaffordable};
use crate::{Asset, Failed, Opened, Opener};

/// The result of opening a file, as [`Opener::open`] passes it on.
type Result<'o, 'a, 'f, 'b> = std::result::Result<Opened<'o, 'a>, Failed<'f, 'b>>;

/// Opens a file once more, and passes it on.
type Again<'s> = &'s mut dyn FnMut(&mut dyn FnMut(Result<'_, '_, '_, '_>));

/// What a thread made of a file.
struct LevelResult<T> {
    result: Option<T>,
    /// The size of the level, and the limit that it had; `None` for a file that was not opened.
    size: Option<u64>,
    limit: u64,
}

impl Parallel<'_> {
    /// Opens the levels below a directory of a REZ archive, and calls `work` with each on any thread. Passes the results
    /// to `sink` on this thread, in the order of the archive.
    ///
    /// There is not more than one level per thread in memory. Pictures that cannot be opened are passed on as well, and
    /// after everything else an error if the files overlap too much: together, that is what [`Opener::open`] passes on,
    /// without the pictures that can be opened.
    ///
    /// `prepare` is called with all files that are levels in order, before any is opened, and its results are lent to
    /// `work` and `sink`. The last argument of `sink` opens the file again, for what is not possible on any thread.
    pub fn levels<'v, 'a, P: Sync, T: Send>(
        &self,
        opener: &Opener<'_>,
        directory: Directory<'v, 'a>,
        mut prepare: impl FnMut(File<'v, 'a>) -> P,
        work: impl Fn(Option<&P>, Result<'_, '_, '_, '_>) -> T + Sync,
        mut sink: impl FnMut(Option<&P>, T, Again<'_>),
    ) {
        /// The number of results for each thread that may wait for an earlier one.
        const WAITING: usize = 4;

        let mut jobs = Vec::new();
        let mut end = None;
        for file in affordable(directory) {
            match file {
                Ok(file) if is_level(file) => jobs.push((file, Some(prepare(file)))),
                Ok(file) if matches!(Picture::of_file(&file), Some(Err(_))) => jobs.push((file, None)),
                Ok(_) => {}
                Err(error) => end = Some(unaffordable(error)),
            }
        }
        // What is left for all levels together, after those whose results have been passed on.
        let most = Opener::most_inflated(directory);
        let left = AtomicU64::new(most);
        let open = |(file, prepared): &(File<'_, '_>, Option<P>), scratch: &mut Vec<u8>, left: u64| {
            let mut made = LevelResult { result: None, size: None, limit: opener.own_limit(*file).min(left) };
            opener.file_within(*file, &mut { left }, scratch, &mut |opened| {
                if let Ok(Opened { asset: Asset::Level(level, _), .. }) = &opened {
                    made.size = Some(level.image().len());
                }
                made.result = Some(work(prepared.as_ref(), opened));
            });
            made
        };
        let threads = if jobs.len() < 2 { Threads::Caller } else { self.threads_to_use() };
        let window = match threads {
            Threads::Own(threads) => threads.saturating_mul(WAITING),
            Threads::Shared => rayon::current_num_threads().saturating_mul(WAITING),
            Threads::Caller => 1,
        };
        let (mut next, mut exactly_left, mut scratch) = (jobs.iter(), most, Vec::new());
        Engine { threads, window, cancel: None }.run(
            jobs.iter(),
            Vec::new,
            |job, scratch| open(job, scratch, left.load(Ordering::Relaxed)),
            |mut made| {
                let Some(job) = next.next() else { return };
                // Levels before this one have left less than was known when it was opened.
                if opener.own_limit(job.0).min(exactly_left) < made.limit
                    && made.size.is_none_or(|size| size > exactly_left)
                {
                    made = open(job, &mut scratch, exactly_left);
                }
                let before = exactly_left;
                exactly_left = exactly_left.saturating_sub(made.size.unwrap_or(0));
                left.store(exactly_left, Ordering::Relaxed);
                let Some(result) = made.result else { return };
                sink(job.1.as_ref(), result, &mut |visit| {
                    opener.file_within(job.0, &mut { before }, &mut scratch, visit)
                });
            },
        );
        if let Some(failed) = end {
            sink(None, work(None, Err(failed)), &mut |visit| visit(Err(failed)));
        }
    }
}
