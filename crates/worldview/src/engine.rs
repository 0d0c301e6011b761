//! Runs work on many threads: the basis of [`bulk`](crate::bulk) and [`parallel`](crate::parallel).
//!
//! The caller's thread is one of those that work. [`all`] returns the results of a list. [`Engine`] passes results on while
//! it runs, in order: the caller's thread puts items into a queue, within a window, works on one of them if there is nothing
//! else to do, and passes on what is next. No worker waits for another: if the queue is empty, a worker exits, and a new one
//! is started when there are items again. So the work may itself use the same pool, and a slow item holds up no more than
//! the window.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use rayon::{Scope, ThreadPool, ThreadPoolBuilder};

/// The threads that do the work.
#[derive(Clone, Copy)]
pub(crate) enum Threads {
    /// Only the caller's thread.
    Caller,
    /// As many as in the rayon pool of the calling thread, or else in the global one.
    Shared,
    /// This many, in a pool that is created for the run.
    Own(usize),
}

impl Threads {
    /// Returns how many threads besides the caller's work, and their pool, if it is not the shared one.
    fn others(self) -> (usize, Option<ThreadPool>) {
        let own = |threads| ThreadPoolBuilder::new().num_threads(threads).build().ok();
        match self {
            Self::Caller | Self::Own(0 | 1) => (0, None),
            Self::Shared => (rayon::current_num_threads().saturating_sub(1), None),
            // If a pool cannot be created, the caller's thread does all the work.
            Self::Own(threads) => {
                let others = threads.saturating_sub(1);
                own(others).map_or((0, None), |pool| (others, Some(pool)))
            }
        }
    }
}

/// Calls `op` with a scope of `pool`, or of the pool that the caller belongs to.
fn in_scope<'s>(pool: Option<&ThreadPool>, op: impl FnOnce(&Scope<'s>)) {
    match pool {
        Some(pool) => pool.in_place_scope(op),
        None => rayon::in_place_scope(op),
    }
}

/// Calls `work` with each item, in this order, on any thread, and returns the results by the numbers of the items, which
/// count from 0 without a gap. `scratch` is called once per thread.
pub(crate) fn all<J: Send, S, T: Send>(
    threads: Threads,
    items: Vec<(usize, J)>,
    scratch: impl Fn() -> S + Sync,
    work: impl Fn(J, &mut S) -> T + Sync,
) -> Vec<T> {
    let (others, pool) = threads.others();
    let others = others.min(items.len().saturating_sub(1));
    let (items, done) = (Mutex::new(items.into_iter()), Mutex::new(Vec::new()));
    let next = || locked(&items).next();
    let worker = || {
        let (mut scratch, mut results) = (scratch(), Vec::new());
        while let Some((number, item)) = next() {
            results.push((number, work(item, &mut scratch)));
        }
        locked(&done).append(&mut results);
    };
    if others == 0 {
        worker();
    } else {
        let worker = &worker;
        in_scope(pool.as_ref(), |scope| {
            (0..others).for_each(|_| scope.spawn(move |_| worker()));
            worker();
        });
    }
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_unstable_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

/// The threads and memory that a run with results in order may use.
#[derive(Clone, Copy)]
pub(crate) struct Engine<'p> {
    pub(crate) threads: Threads,
    /// How many items may be in progress or done ahead of the first one whose result the sink has not received.
    pub(crate) window: usize,
    /// No further item is started once this is true.
    pub(crate) cancel: Option<&'p AtomicBool>,
}

/// How many items are put into the queue at once.
const BATCH: usize = 32;

/// The state that the threads of a run share.
struct State<J, T> {
    /// The items that nobody has begun.
    queue: VecDeque<(usize, J)>,
    /// The results from number `first` on that the sink has not received, `None` where they are missing.
    results: VecDeque<Option<T>>,
    first: usize,
    /// The number of workers besides the caller's thread.
    running: usize,
    /// Whether a worker panicked, so that a result will never arrive.
    is_broken: bool,
    /// Whether the caller's thread waits. Otherwise the system call that wakes it is left out.
    is_waiting: bool,
}

impl<J, T> State<J, T> {
    fn put(&mut self, number: usize, result: T) {
        let place = number.saturating_sub(self.first);
        while self.results.len() <= place {
            self.results.push_back(None);
        }
        if let Some(slot) = self.results.get_mut(place) {
            *slot = Some(result);
        }
    }

    fn is_ready(&self) -> bool {
        matches!(self.results.front(), Some(Some(_)))
    }

    /// Moves the results that are next into a list.
    fn take(&mut self, ready: &mut Vec<T>) {
        while self.is_ready() {
            ready.extend(self.results.pop_front().flatten());
            self.first = self.first.saturating_add(1);
        }
    }
}

/// Records on drop that a worker exited, even if its work panics.
struct WorkerExit<'t, J, T>(&'t Mutex<State<J, T>>, &'t Condvar);

impl<J, T> Drop for WorkerExit<'_, J, T> {
    fn drop(&mut self) {
        let mut state = locked(self.0);
        state.running = state.running.saturating_sub(1);
        state.is_broken |= std::thread::panicking();
        if state.is_waiting {
            self.1.notify_one();
        }
    }
}

impl Engine<'_> {
    fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }

    /// Calls `work` with each item on any thread, and `sink` with the results on this thread, in the order of the items.
    ///
    /// `scratch` is called once per thread.
    pub(crate) fn run<J: Send, S: Send, T: Send>(
        self,
        items: impl Iterator<Item = J>,
        scratch: impl Fn() -> S + Sync,
        work: impl Fn(J, &mut S) -> T + Sync,
        mut sink: impl FnMut(T),
    ) {
        let (others, pool) = self.threads.others();
        if others == 0 {
            let mut scratch = scratch();
            items.take_while(|_| !self.is_cancelled()).for_each(|item| sink(work(item, &mut scratch)));
            return;
        }
        let window = self.window.max(others.saturating_add(1));
        let state = State {
            queue: VecDeque::new(),
            results: VecDeque::new(),
            first: 0,
            running: 0,
            is_broken: false,
            is_waiting: false,
        };
        let (state, bell, scratches) = (Mutex::new(state), Condvar::new(), Mutex::new(Vec::new()));
        // Returns whether there was an item.
        let work_on_next = |scratch: &mut S| {
            let next = if self.is_cancelled() { None } else { locked(&state).queue.pop_front() };
            let Some((number, item)) = next else { return false };
            let result = work(item, scratch);
            let mut state = locked(&state);
            state.put(number, result);
            if state.is_waiting && number == state.first {
                bell.notify_one();
            }
            true
        };
        let worker = || {
            let _goodbye = WorkerExit(&state, &bell);
            let mut own = locked(&scratches).pop().unwrap_or_else(&scratch);
            while work_on_next(&mut own) {}
            locked(&scratches).push(own);
        };
        let worker = &worker;
        in_scope(pool.as_ref(), |scope| {
            let (mut items, mut fetched, mut has_ended) = (items.enumerate().fuse(), 0_usize, false);
            let (mut batch, mut ready, mut own) = (Vec::new(), Vec::new(), scratch());
            loop {
                let first = locked(&state).first;
                while !has_ended {
                    let room = first.saturating_add(window).saturating_sub(fetched).min(BATCH);
                    if room == 0 {
                        break;
                    }
                    batch.extend(items.by_ref().take(room));
                    has_ended = batch.len() < room || self.is_cancelled();
                    fetched = fetched.saturating_add(batch.len());
                    let mut state = locked(&state);
                    state.queue.extend(batch.drain(..));
                    let missing = others.min(state.queue.len()).saturating_sub(state.running);
                    state.running = state.running.saturating_add(missing);
                    (0..missing).for_each(|_| scope.spawn(move |_| worker()));
                }
                let has_worked = work_on_next(&mut own);
                let mut now = locked(&state);
                if !has_worked {
                    // Other threads work on the next result, or all of them have exited.
                    let is_waiting = |state: &mut State<J, T>| {
                        state.is_waiting = state.running > 0 && !state.is_ready() && !state.is_broken;
                        state.is_waiting
                    };
                    now = bell.wait_while(now, is_waiting).unwrap_or_else(PoisonError::into_inner);
                }
                now.take(&mut ready);
                let is_over =
                    now.first == fetched && has_ended || now.running == 0 && self.is_cancelled() || now.is_broken;
                if now.is_broken {
                    now.queue.clear();
                }
                drop(now);
                ready.drain(..).for_each(&mut sink);
                if is_over {
                    break;
                }
            }
        });
    }
}

/// Locks a mutex, ignoring poisoning by a panic elsewhere.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
