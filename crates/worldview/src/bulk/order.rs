//! Work on many threads, results in order, through a bounded window.

use std::collections::VecDeque;
use std::iter::Fuse;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How a run goes about it.
#[derive(Clone, Copy)]
pub(super) struct Plan<'p> {
    pub(super) threads: usize,
    /// Items whose results may wait for an earlier one.
    pub(super) window: usize,
    pub(super) cancel: Option<&'p AtomicBool>,
}

/// The items that are left, and how far their results may run ahead.
struct Queue<I: Iterator> {
    items: Fuse<I>,
    /// Number of the next item.
    next: usize,
    /// Results that the sink has had.
    sunk: usize,
    ended: bool,
}

/// The results that the sink has not had.
struct Results<T> {
    /// Those from number `first` on, as far as there are any.
    waiting: VecDeque<Option<T>>,
    first: usize,
    /// How many of them are there without a gap: these can go to the sink.
    ready: usize,
    /// How many that have to be before the caller is told.
    wanted: usize,
    /// Workers that have left since the caller last looked: no item is left for them, or the window is full.
    gone: usize,
}

/// Where workers put their results, and the caller's thread takes them.
struct Tray<T> {
    results: Mutex<Results<T>>,
    bell: Condvar,
}

impl<T> Tray<T> {
    /// How long results may lie while more of them come. To wake a thread takes longer than to work on a small file, so
    /// it is not done for each of them.
    const REST: Duration = Duration::from_millis(1);

    const fn new() -> Self {
        let results = Results { waiting: VecDeque::new(), first: 0, ready: 0, wanted: 1, gone: 0 };
        Self { results: Mutex::new(results), bell: Condvar::new() }
    }

    /// Puts down the result of that number.
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
        if results.ready >= results.wanted {
            self.bell.notify_one();
        }
    }

    /// Says that a worker is gone.
    fn leave(&self) {
        let mut results = locked(&self.results);
        results.gone = results.gone.saturating_add(1);
        self.bell.notify_one();
    }

    /// Waits until there are results or a worker is gone: a while for `enough` of them, then for any. Moves those that
    /// are next into `ready`, and says how many workers have gone.
    fn take(&self, enough: usize, ready: &mut Vec<T>) -> usize {
        let is_wanting = |results: &mut Results<T>| results.ready < results.wanted && results.gone == 0;
        let mut results = locked(&self.results);
        results.wanted = enough;
        let rested = self.bell.wait_timeout_while(results, Self::REST, is_wanting);
        (results, _) = rested.unwrap_or_else(PoisonError::into_inner);
        results.wanted = 1;
        results = self.bell.wait_while(results, is_wanting).unwrap_or_else(PoisonError::into_inner);
        let count = std::mem::take(&mut results.ready);
        ready.extend(results.waiting.drain(..count).flatten());
        results.first = results.first.saturating_add(count);
        std::mem::take(&mut results.gone)
    }
}

/// Says that a worker is gone even if its work panics.
struct Goodbye<'t, T>(&'t Tray<T>);

impl<T> Drop for Goodbye<'_, T> {
    fn drop(&mut self) {
        self.0.leave();
    }
}

impl Plan<'_> {
    fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }

    /// Lets `work` have each item, on some thread, and `sink` the results, on this one and in the order of the items.
    ///
    /// No worker ever waits for another: one that finds the window full leaves, and is called again when there is
    /// room. So work may itself use the pool, and a slow first item holds up no more than the window.
    pub(super) fn run<I, S, T>(
        self,
        items: I,
        scratch: impl Fn() -> S + Sync,
        work: impl Fn(I::Item, &mut S) -> T + Sync,
        mut sink: impl FnMut(T),
    ) where
        I: Iterator + Send,
        S: Send,
        T: Send,
    {
        // A pool that cannot be had is no reason to fail: the caller's thread does it all.
        let pool = match self.threads {
            1 => None,
            threads => rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok(),
        };
        let Some(pool) = pool else {
            let mut scratch = scratch();
            for item in items {
                if self.is_cancelled() {
                    break;
                }
                sink(work(item, &mut scratch));
            }
            return;
        };
        let threads = pool.current_num_threads();
        let window = self.window.max(threads);
        let queue = Mutex::new(Queue { items: items.fuse(), next: 0, sunk: 0, ended: false });
        let scratches = Mutex::new(Vec::new());
        let take = |queue: &mut Queue<I>| {
            if self.is_cancelled() {
                queue.ended = true;
            }
            if queue.ended || queue.next >= queue.sunk.saturating_add(window) {
                return None;
            }
            let item = queue.items.next();
            queue.ended = item.is_none();
            let number = queue.next;
            queue.next = number.saturating_add(1);
            item.map(|item| (number, item))
        };
        let tray = Tray::new();
        let worker = || {
            let _goodbye = Goodbye(&tray);
            let mut buffers = locked(&scratches).pop().unwrap_or_else(&scratch);
            loop {
                let taken = take(&mut locked(&queue));
                let Some((number, item)) = taken else { break };
                tray.put(number, work(item, &mut buffers));
            }
            locked(&scratches).push(buffers);
        };
        let worker = &worker;
        pool.in_place_scope(|scope| {
            let (mut running, mut ready) = (0_usize, Vec::new());
            loop {
                let has_room = {
                    let queue = locked(&queue);
                    !queue.ended && queue.next < queue.sunk.saturating_add(window)
                };
                while has_room && running < threads {
                    scope.spawn(move |_| worker());
                    running = running.saturating_add(1);
                }
                if running == 0 {
                    break;
                }
                running = running.saturating_sub(tray.take(window / 4, &mut ready));
                let count = ready.len();
                ready.drain(..).for_each(&mut sink);
                let mut queue = locked(&queue);
                queue.sunk = queue.sunk.saturating_add(count);
            }
        });
    }
}

/// A lock that a panic elsewhere does not take away.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
