//! Work on many threads, results in order, through a bounded window.

use std::collections::VecDeque;
use std::iter::Fuse;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Mutex, MutexGuard, PoisonError};

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

enum Message<T> {
    Done(usize, T),
    /// A worker is gone: no item is left, or the window is full.
    Gone,
}

/// Says that a worker is gone even if its work panics.
struct Goodbye<'t, T>(&'t Sender<Message<T>>);

impl<T> Drop for Goodbye<'_, T> {
    fn drop(&mut self) {
        // The receiver outlives the workers.
        let _ = self.0.send(Message::Gone);
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
        let (sender, receiver) = mpsc::channel();
        let worker = |sender: Sender<Message<T>>| {
            let _goodbye = Goodbye(&sender);
            let mut buffers = locked(&scratches).pop().unwrap_or_else(&scratch);
            loop {
                let taken = take(&mut locked(&queue));
                let Some((number, item)) = taken else { break };
                // The receiver outlives the workers.
                let _ = sender.send(Message::Done(number, work(item, &mut buffers)));
            }
            locked(&scratches).push(buffers);
        };
        let worker = &worker;
        pool.in_place_scope(|scope| {
            // The results that wait, from the first that the sink has not had.
            let (mut waiting, mut first) = (VecDeque::new(), 0_usize);
            let mut running = 0_usize;
            loop {
                let has_room = {
                    let queue = locked(&queue);
                    !queue.ended && queue.next < queue.sunk.saturating_add(window)
                };
                while has_room && running < threads {
                    let sender = sender.clone();
                    scope.spawn(move |_| worker(sender));
                    running = running.saturating_add(1);
                }
                if running == 0 {
                    break;
                }
                match receiver.recv() {
                    Ok(Message::Done(number, result)) => {
                        let place = number.saturating_sub(first);
                        while waiting.len() <= place {
                            waiting.push_back(None);
                        }
                        if let Some(slot) = waiting.get_mut(place) {
                            *slot = Some(result);
                        }
                        while let Some(Some(_)) = waiting.front() {
                            if let Some(Some(result)) = waiting.pop_front() {
                                sink(result);
                            }
                            first = first.saturating_add(1);
                        }
                        locked(&queue).sunk = first;
                    }
                    Ok(Message::Gone) => running = running.saturating_sub(1),
                    Err(_) => break,
                }
            }
        });
    }
}

/// A lock that a panic elsewhere does not take away.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
