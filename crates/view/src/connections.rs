//! The open connections, and which of them end when there are too many.

use std::collections::{HashSet, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::task::AbortHandle;

/// How many connections are open at once on which nobody has sent the key.
const MAX_OTHERS: usize = 128;

/// How many more are open on which somebody has. Browsers keep six for each server.
const MAX_OWN: usize = 256;

/// All open connections.
#[derive(Debug, Default)]
pub(crate) struct Connections {
    next: AtomicU64,
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
    /// Those without the key, each with its task. The first has not asked for anything for the longest time.
    others: VecDeque<(u64, AbortHandle)>,
    own: HashSet<u64>,
}

/// An open connection, whose place is free again when this is dropped.
#[derive(Debug)]
pub(crate) struct Connection {
    number: u64,
    all: Arc<Connections>,
}

impl Connection {
    pub(crate) fn new(all: &Arc<Connections>) -> Self {
        Self { number: all.next.fetch_add(1, Ordering::Relaxed), all: Arc::clone(all) }
    }

    /// Takes a place for the connection that this task serves. If there is none, the connection that is idle for the longest time
    /// ends.
    pub(crate) fn begin(&self, task: AbortHandle) {
        let mut open = self.open();
        open.others.push_back((self.number, task));
        let oldest = if open.others.len() > MAX_OTHERS { open.others.pop_front() } else { None };
        drop(open);
        if let Some((_, oldest)) = oldest {
            oldest.abort();
        }
    }

    /// Notes that the connection is not idle. One with the key gets a place that others cannot take.
    pub(crate) fn asked(&self, has_key: bool) {
        let mut open = self.open();
        let at = open.others.iter().position(|(number, _)| *number == self.number);
        let Some(other) = at.and_then(|at| open.others.remove(at)) else { return };
        if has_key && open.own.len() < MAX_OWN {
            open.own.insert(self.number);
        } else {
            open.others.push_back(other);
        }
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.all.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let mut open = self.open();
        open.others.retain(|(number, _)| *number != self.number);
        open.own.remove(&self.number);
    }
}
