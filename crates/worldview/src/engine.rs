//! Runs work on many threads, with results in order: the basis of [`bulk`](crate::bulk) and
//! [`parallel`](crate::parallel).
//!
//! The caller's thread puts items into a queue, ahead of the workers but within a window, and workers put their results
//! into a queue, from which the caller's thread takes them in order. To find an item can take as long as to process it, for
//! example if a folder is searched, so it happens while the workers work. No worker waits for another: if the queue is
//! empty, a worker exits, and a new one is started when there are items again. So the work may itself use the same pool,
//! and a slow item holds up no more than the window.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The threads and memory that a run may use.
#[derive(Clone, Copy)]
pub(crate) struct Engine<'p> {
    pub(crate) threads: Threads,
    /// How many items may be in progress or done ahead of the first one whose result the sink has not received.
    pub(crate) window: usize,
    /// No further item is started once this is true.
    pub(crate) cancel: Option<&'p AtomicBool>,
}

/// The threads that do the work.
#[derive(Clone, Copy)]
pub(crate) enum Threads {
    /// Only the caller's thread.
    Caller,
    /// The rayon pool that the calling thread belongs to, or else the global one.
    Shared,
    /// A pool with this many threads, created for the run.
    Own(usize),
}

/// How many items are put into the queue at once.
const BATCH: usize = 32;

/// The results that the sink has not received yet.
struct Results<T> {
    /// The results from number `first` on, `None` where they are missing.
    waiting: VecDeque<Option<T>>,
    first: usize,
    /// Number of results at the front without a gap, which can go to the sink.
    ready: usize,
    /// Number of results in `ready` at which the caller is woken, while it waits. To wake nobody is a system call, too.
    wanted: Option<usize>,
    /// Workers that exited since the caller last checked, because the queue was empty.
    gone: usize,
    /// Whether a worker panicked, so that a result will never arrive.
    is_broken: bool,
}

/// Where workers put results and the caller's thread takes them.
struct ResultQueue<T> {
    results: Mutex<Results<T>>,
    bell: Condvar,
}

impl<T> ResultQueue<T> {
    /// How long results may wait while more arrive. Waking a thread takes longer than processing a small file, so the
    /// caller is not woken for each result.
    const REST: Duration = Duration::from_millis(1);

    const fn new() -> Self {
        let results = Results { waiting: VecDeque::new(), first: 0, ready: 0, wanted: None, gone: 0, is_broken: false };
        Self { results: Mutex::new(results), bell: Condvar::new() }
    }

    /// Stores the result of the item with this number.
    fn put(&self, number: usize, result: T) {
        let mut results = locked(&self.results);
        let place = number.saturating_sub(results.first);
        while results.waiting.len() <= place {
            results.waiting.push_back(None);
        }
        if let Some(slot) = results.waiting.get_mut(place) {
            *slot = Some(result);
        }
        while let Some(Some(_)) = results.waiting.get(results.ready) {
            results.ready = results.ready.saturating_add(1);
        }
        let ready = results.ready;
        if results.wanted.take_if(|wanted| ready >= *wanted).is_some() {
            self.bell.notify_one();
        }
    }

    /// Records that a worker exited.
    fn leave(&self) {
        let mut results = locked(&self.results);
        results.gone = results.gone.saturating_add(1);
        results.is_broken |= std::thread::panicking();
        self.bell.notify_one();
    }

    /// Waits until there are results or a worker exited: for a while for `enough` results, then for any.
    fn wait(&self, enough: usize) {
        let is_short = |results: &mut Results<T>, enough| {
            let is_short = results.ready < enough && results.gone == 0;
            results.wanted = is_short.then_some(enough);
            is_short
        };
        let results = locked(&self.results);
        let rested = self.bell.wait_timeout_while(results, Self::REST, |results| is_short(results, enough));
        let (results, _) = rested.unwrap_or_else(PoisonError::into_inner);
        let mut results =
            self.bell.wait_while(results, |results| is_short(results, 1)).unwrap_or_else(PoisonError::into_inner);
        results.wanted = None;
    }

    /// Moves the next results into `ready`. Returns how many workers exited, or `None` if one panicked.
    fn take(&self, ready: &mut Vec<T>) -> Option<usize> {
        let mut results = locked(&self.results);
        let count = std::mem::take(&mut results.ready);
        ready.extend(results.waiting.drain(..count).flatten());
        results.first = results.first.saturating_add(count);
        let gone = std::mem::take(&mut results.gone);
        (!results.is_broken).then_some(gone)
    }
}

/// Records on drop that a worker exited, even if its work panics.
struct WorkerExit<'t, T>(&'t ResultQueue<T>);

impl<T> Drop for WorkerExit<'_, T> {
    fn drop(&mut self) {
        self.0.leave();
    }
}

impl Engine<'_> {
    fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }

    /// Calls `work` with each item on any thread, and `sink` with the results on this thread, in the order of their
    /// numbers.
    ///
    /// The numbers count from 0 without a gap. If the items come in another order, for example the largest first, the
    /// window must be as long as all of them. `scratch` is called once per thread.
    pub(crate) fn run<J: Send, S: Send, T: Send>(
        self,
        items: impl Iterator<Item = (usize, J)>,
        scratch: impl Fn() -> S + Sync,
        work: impl Fn(J, &mut S) -> T + Sync,
        mut sink: impl FnMut(T),
    ) {
        // If a pool cannot be created, the caller's thread does all the work.
        let pool = match self.threads {
            Threads::Caller => None,
            Threads::Shared => Some(None),
            Threads::Own(threads) => rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok().map(Some),
        };
        let Some(pool) = pool else {
            let (mut scratch, results) = (scratch(), ResultQueue::new());
            let mut ready = Vec::new();
            for (number, item) in items.take_while(|_| !self.is_cancelled()) {
                results.put(number, work(item, &mut scratch));
                results.take(&mut ready);
                ready.drain(..).for_each(&mut sink);
            }
            return;
        };
        let threads = pool.as_ref().map_or_else(rayon::current_num_threads, rayon::ThreadPool::current_num_threads);
        // If the caller is a thread of the pool, it must help: merely waiting could leave nobody to do the work.
        let helps = pool.is_none() && rayon::current_thread_index().is_some();
        let window = self.window.max(threads);
        let (queue, results, scratches) = (Mutex::new(VecDeque::new()), ResultQueue::new(), Mutex::new(Vec::new()));
        let work_on_next = |buffers: &mut S| {
            let next = if self.is_cancelled() { None } else { locked(&queue).pop_front() };
            next.is_some_and(|(number, item)| {
                results.put(number, work(item, buffers));
                true
            })
        };
        let worker = || {
            let _goodbye = WorkerExit(&results);
            let mut buffers = locked(&scratches).pop().unwrap_or_else(&scratch);
            while work_on_next(&mut buffers) {}
            locked(&scratches).push(buffers);
        };
        let worker = &worker;
        let start = |running: usize| {
            let is_needed = running < threads.saturating_sub(usize::from(helps)) && !locked(&queue).is_empty();
            (is_needed && !self.is_cancelled()).then(|| running.saturating_add(1))
        };
        in_scope(pool.as_ref(), |scope| {
            let (mut items, mut fetched, mut sunk, mut running) = (items.fuse(), 0_usize, 0_usize, 0);
            let (mut batch, mut ready, mut own) = (Vec::new(), Vec::new(), helps.then(&scratch));
            let mut has_ended = false;
            loop {
                loop {
                    let room = sunk.saturating_add(window).saturating_sub(fetched).min(BATCH);
                    batch.extend(items.by_ref().take(room));
                    has_ended |= batch.len() < room || self.is_cancelled();
                    fetched = fetched.saturating_add(batch.len());
                    locked(&queue).extend(batch.drain(..));
                    while let Some(more) = start(running) {
                        scope.spawn(move |_| worker());
                        running = more;
                    }
                    if has_ended || room == 0 {
                        break;
                    }
                }
                if !own.as_mut().is_some_and(work_on_next) && running > 0 {
                    results.wait(window / 4);
                }
                let Some(gone) = results.take(&mut ready) else {
                    locked(&queue).clear();
                    break;
                };
                running = running.saturating_sub(gone);
                sunk = sunk.saturating_add(ready.len());
                ready.drain(..).for_each(&mut sink);
                // Workers that have not started yet will find nothing to do.
                let is_idle = || running == 0 && (self.is_cancelled() || locked(&queue).is_empty());
                if has_ended && (sunk == fetched || is_idle()) {
                    break;
                }
            }
        });
    }
}

/// Calls `op` with a scope of `pool`, or of the pool that the caller belongs to.
fn in_scope<'s>(pool: Option<&rayon::ThreadPool>, op: impl FnOnce(&rayon::Scope<'s>)) {
    match pool {
        Some(pool) => pool.in_place_scope(op),
        None => rayon::in_place_scope(op),
    }
}

/// Locks a mutex, ignoring poisoning by a panic elsewhere.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
