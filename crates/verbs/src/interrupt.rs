//! The orderly end of a process that is asked to stop, such as by Ctrl-C: no more outputs are completed, and no partial file is left.
//!
//! A single run is stopped by [`Run::cancel`](crate::Run::cancel) instead. Signals come to the process, so this is for all of its
//! runs.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// The files that were completely processed so far.
static DONE: AtomicU64 = AtomicU64::new(0);

/// Temporary files that are being written. Whoever holds the lock keeps others from beginning one.
static TEMPORARY: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A hook that runs at each call of the writer of outputs.
static AT_WRITE: OnceLock<fn()> = OnceLock::new();

/// Asks all runs of the process to stop. Returns whether they were asked before.
pub fn interrupt() -> bool {
    INTERRUPTED.swap(true, Ordering::Relaxed)
}

/// Returns whether the process was asked to stop.
pub fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Returns how many files the runs of the process have completely processed so far.
pub fn completed() -> u64 {
    DONE.load(Ordering::Relaxed)
}

/// Removes all temporary files and calls `end`, which ends the process. No run can begin another file meanwhile.
pub fn abandon(end: impl FnOnce()) {
    let temporary = temporary();
    for path in temporary.iter() {
        // What cannot be removed is removed by the next run.
        let _ = std::fs::remove_file(path);
    }
    end();
}

/// Sets what is called at each call of the writer of outputs, for tests that stop a run there. Only the first call counts.
pub fn at_each_write(hook: fn()) {
    let _ = AT_WRITE.set(hook);
}

/// Returns an error of the kind that [`crate::outcome`] takes for an interrupted run once the process was asked to stop.
pub(crate) fn check() -> io::Result<()> {
    if is_interrupted() { Err(io::Error::other("interrupted")) } else { Ok(()) }
}

/// Notes a call of the writer of outputs.
pub(crate) fn at_write() {
    if let Some(hook) = AT_WRITE.get() {
        hook();
    }
}

/// Counts a file that was processed.
pub(crate) fn count_file() {
    DONE.fetch_add(1, Ordering::Relaxed);
}

fn temporary() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A temporary file, for as long as it has to be removed if the process ends.
#[derive(Debug)]
pub(crate) struct Listed(PathBuf);

impl Listed {
    /// Makes a temporary file with `begin` and lists the path that `path_of` gives.
    pub(crate) fn begin<T, E>(
        begin: impl FnOnce() -> Result<T, E>,
        path_of: impl FnOnce(&T) -> &Path,
    ) -> Result<(T, Self), E> {
        let mut temporary = temporary();
        let made = begin()?;
        let path = path_of(&made).to_path_buf();
        temporary.insert(path.clone());
        Ok((made, Self(path)))
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        temporary().remove(&self.0);
    }
}
