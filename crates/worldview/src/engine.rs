//! Work on many threads, with results in order: what [`bulk`](crate::bulk) and [`parallel`](crate::parallel) stand on.
//!
//! Workers take items from a queue under a lock and put their results into a tray, from which the caller's thread takes
//! them in order. No worker waits for another: one that finds the window full leaves, and is called again when there is
//! room. So work may use the same pool itself, and a slow item holds up no more than the window.

use std::collections::VecDeque;
use std::iter::Fuse;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How a run uses threads and memory.
#[derive(Clone, Copy)]
pub(crate) struct Engine<'p> {
    pub(crate) threads: Threads,
    /// How many items may be ahead of the first one whose result the sink has not had.
    pub(crate) window: usize,
    /// Once true, no further item is begun.
    pub(crate) cancel: Option<&'p AtomicBool>,
}

/// Which threads work.
#[derive(Clone, Copy)]
pub(crate) enum Threads {
    /// The caller's alone.
    Caller,
    /// Those of rayon's pool: the one whose thread calls, or that of the process.
    Shared,
    /// So many, for this run alone.
    Own(usize),
}

/// The items that are left, and how far their results may run ahead.
struct Queue<I: Iterator> {
    items: Fuse<I>,
    taken: usize,
    /// Results that the sink has had.
    sunk: usize,
    ended: bool,
}

impl<I: Iterator> Queue<I> {
    const fn has_room(&self, window: usize) -> bool {
        !self.ended && self.taken < self.sunk.saturating_add(window)
    }
}

/// The results that the sink has not had.
struct Results<T> {
    /// Those from number `first` on, as far as there are any.
    waiting: VecDeque<Option<T>>,
    first: usize,
    /// How many of them are there without a gap: these can go to the sink.
    ready: usize,
    /// How many that have to be before the caller is woken.
    wanted: usize,
    /// Workers that have left since the caller last looked: no item is left for them, or the window is full.
    gone: usize,
    /// Whether a worker panicked, so that a result will never come.
    is_broken: bool,
}

/// Where workers put their results, and the caller's thread takes them.
struct Tray<T> {
    results: Mutex<Results<T>>,
    bell: Condvar,
}

impl<T> Tray<T> {
    /// How long results may lie while more of them come. Waking a thread takes longer than work on a small file, so it
    /// is not done for each of them.
    const REST: Duration = Duration::from_millis(1);

    const fn new() -> Self {
        let results = Results { waiting: VecDeque::new(), first: 0, ready: 0, wanted: 1, gone: 0, is_broken: false };
        Self { results: Mutex::new(results), bell: Condvar::new() }
    }

    /// Puts down the result of the item with that number.
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

    /// Notes that a worker is gone.
    fn leave(&self) {
        let mut results = locked(&self.results);
        results.gone = results.gone.saturating_add(1);
        results.is_broken |= std::thread::panicking();
        self.bell.notify_one();
    }

    /// Waits until there are results or a worker is gone: a while for `enough` of them, then for any.
    fn wait(&self, enough: usize) {
        let is_wanting = |results: &mut Results<T>| results.ready < results.wanted && results.gone == 0;
        let mut results = locked(&self.results);
        results.wanted = enough;
        let rested = self.bell.wait_timeout_while(results, Self::REST, is_wanting);
        (results, _) = rested.unwrap_or_else(PoisonError::into_inner);
        results.wanted = 1;
        drop(self.bell.wait_while(results, is_wanting).unwrap_or_else(PoisonError::into_inner));
    }

    /// Moves the results that are next into `ready`. Returns how many workers have gone, or `None` if one panicked.
    fn take(&self, ready: &mut Vec<T>) -> Option<usize> {
        let mut results = locked(&self.results);
        let count = std::mem::take(&mut results.ready);
        ready.extend(results.waiting.drain(..count).flatten());
        results.first = results.first.saturating_add(count);
        let gone = std::mem::take(&mut results.gone);
        (!results.is_broken).then_some(gone)
    }
}

/// Notes that a worker is gone even if its work panics.
struct Goodbye<'t, T>(&'t Tray<T>);

impl<T> Drop for Goodbye<'_, T> {
    fn drop(&mut self) {
        self.0.leave();
    }
}

impl Engine<'_> {
    fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }

    /// Calls `work` with each item on some thread, and `sink` with the results on this one, by their numbers.
    ///
    /// The numbers count from 0 without a gap. Where the items come in another order, the largest first for example, the
    /// window must be as long as all of them. `scratch` is made once for each thread.
    pub(crate) fn run<J, S: Send, T: Send>(
        self,
        items: impl Iterator<Item = (usize, J)> + Send,
        scratch: impl Fn() -> S + Sync,
        work: impl Fn(J, &mut S) -> T + Sync,
        mut sink: impl FnMut(T),
    ) {
        // Without a pool of its own, a run is no failure: the caller's thread does it all.
        let pool = match self.threads {
            Threads::Caller => None,
            Threads::Shared => Some(None),
            Threads::Own(threads) => rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok().map(Some),
        };
        let Some(pool) = pool else {
            let (mut scratch, tray) = (scratch(), Tray::new());
            let mut ready = Vec::new();
            for (number, item) in items.take_while(|_| !self.is_cancelled()) {
                tray.put(number, work(item, &mut scratch));
                tray.take(&mut ready);
                ready.drain(..).for_each(&mut sink);
            }
            return;
        };
        let threads = pool.as_ref().map_or_else(rayon::current_num_threads, rayon::ThreadPool::current_num_threads);
        // A thread of the pool that only waited for the others might wait for work that nobody is left to do.
        let helps = pool.is_none() && rayon::current_thread_index().is_some();
        let window = self.window.max(threads);
        let queue = Mutex::new(Queue { items: items.fuse(), taken: 0, sunk: 0, ended: false });
        let (tray, scratches) = (Tray::new(), Mutex::new(Vec::new()));
        let next = || {
            let mut queue = locked(&queue);
            queue.ended |= self.is_cancelled();
            if !queue.has_room(window) {
                return None;
            }
            let item = queue.items.next();
            queue.ended = item.is_none();
            queue.taken = queue.taken.saturating_add(usize::from(item.is_some()));
            item
        };
        let worker = || {
            let _goodbye = Goodbye(&tray);
            let mut buffers = locked(&scratches).pop().unwrap_or_else(&scratch);
            while let Some((number, item)) = next() {
                tray.put(number, work(item, &mut buffers));
            }
            locked(&scratches).push(buffers);
        };
        let worker = &worker;
        in_scope(pool.as_ref(), |scope| {
            let (mut running, mut ready) = (0_usize, Vec::new());
            loop {
                let has_room = locked(&queue).has_room(window);
                while has_room && running < threads.saturating_sub(usize::from(helps)) {
                    scope.spawn(move |_| worker());
                    running = running.saturating_add(1);
                }
                if has_room && helps {
                    worker();
                    running = running.saturating_add(1);
                }
                if running > 0 {
                    tray.wait(window / 4);
                }
                let gone = tray.take(&mut ready);
                let count = ready.len();
                ready.drain(..).for_each(&mut sink);
                let mut queue = locked(&queue);
                queue.sunk = queue.sunk.saturating_add(count);
                let Some(gone) = gone else {
                    queue.ended = true;
                    break;
                };
                running = running.saturating_sub(gone);
                // Workers that nobody has called yet will find nothing to do.
                if queue.ended && (queue.sunk == queue.taken || running == 0) {
                    break;
                }
            }
        });
    }
}

/// Calls `op`, whose work goes to the threads of a pool, or to those of the pool that the caller is on.
fn in_scope<'s>(pool: Option<&rayon::ThreadPool>, op: impl FnOnce(&rayon::Scope<'s>)) {
    match pool {
        Some(pool) => pool.in_place_scope(op),
        None => rayon::in_place_scope(op),
    }
}

/// A lock that a panic elsewhere does not take away.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
