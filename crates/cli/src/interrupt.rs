//! What happens on Ctrl-C and SIGTERM: the run ends in order, or is ended if that takes too long.

use std::collections::BTreeSet;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The exit code of a command that was interrupted: 128 and the number of SIGINT, as shells have it.
const CODE: u8 = 130;

/// The exit code of a command that was told to end: 128 and the number of SIGTERM.
#[cfg(unix)]
const TERMINATED: u8 = 143;

/// Returns the exit code of a command that was interrupted.
pub(crate) fn code() -> u8 {
    match INTERRUPTED.load(Ordering::Relaxed) {
        0 => CODE,
        code => code,
    }
}

/// How long a run may take to end in order: together with the rest less than a second.
const TIMEOUT: Duration = Duration::from_millis(700);

/// The exit code, once the process was asked to stop. Signals come to the process, not to a run, so this is one for all.
static INTERRUPTED: AtomicU8 = AtomicU8::new(0);

/// The files that were completely processed so far, for the message of a run that is ended.
static DONE: AtomicU64 = AtomicU64::new(0);

/// Temporary files that are being written. Whoever holds the lock keeps others from beginning one.
static TEMPORARY: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Returns whether the process was asked to stop.
pub(crate) fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed) != 0
}

/// Returns an error of the kind that [`crate::outcome`] takes for an interrupted run once the process was asked to stop.
pub(crate) fn check() -> std::io::Result<()> {
    if is_interrupted() { Err(std::io::Error::other("interrupted")) } else { Ok(()) }
}

/// Counts a call of the output writer. Tests stop a debug build at the N-th: `WORLDVIEW_STOP=interrupt:N` presses Ctrl-C there,
/// `pause:N` halts the process until it is continued, and `kill:N` ends it.
pub(crate) fn at_write() {
    #[cfg(all(debug_assertions, unix))]
    {
        static CALLS: AtomicU64 = AtomicU64::new(1);
        let call = CALLS.fetch_add(1, Ordering::Relaxed).to_string();
        let stop = std::env::var("WORLDVIEW_STOP").unwrap_or_default();
        use signal_hook::{consts, low_level::raise};

        match stop.split_once(':').filter(|(_, number)| *number == call) {
            Some(("kill", _)) => std::process::exit(CODE.into()),
            Some(("pause", _)) => drop(raise(consts::SIGSTOP)),
            Some(_) => {
                let raised = raise(consts::SIGINT);
                while raised.is_ok() && !is_interrupted() {
                    std::thread::yield_now();
                }
            }
            None => {}
        }
    }
}

/// Counts a file that was processed.
pub(crate) fn count_file() {
    DONE.fetch_add(1, Ordering::Relaxed);
}

/// Sets `stop` on Ctrl-C, and where there is one on SIGTERM, and ends the process if that does not help. Returns an error if the
/// system lets nobody handle its signals.
#[cfg(unix)]
pub(crate) fn install(stop: Arc<AtomicBool>) -> std::io::Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};

    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    std::thread::Builder::new().spawn(move || {
        for signal in signals.forever() {
            interrupt(if signal == SIGTERM { TERMINATED } else { CODE }, &stop);
        }
    })?;
    Ok(())
}

/// Sets `stop` on Ctrl-C, and ends the process if that does not help. Returns an error if the system lets nobody handle its
/// signals.
#[cfg(not(unix))]
pub(crate) fn install(stop: Arc<AtomicBool>) -> std::io::Result<()> {
    ctrlc::set_handler(move || interrupt(CODE, &stop)).map_err(std::io::Error::other)
}

fn interrupt(code: u8, stop: &AtomicBool) {
    // Whoever asks twice does not want to wait.
    if INTERRUPTED.swap(code, Ordering::Relaxed) != 0 {
        end();
    }
    stop.store(true, Ordering::Relaxed);
    std::thread::spawn(|| {
        std::thread::sleep(TIMEOUT);
        end();
    });
}

/// Ends the process at once, without half-written files.
fn end() {
    let temporary = temporary();
    for path in temporary.iter() {
        // What cannot be removed is removed by the next run.
        let _ = std::fs::remove_file(path);
    }
    let files = crate::table::counted(DONE.load(Ordering::Relaxed), "file");
    // The cursor may be behind a progress bar, which is erased as in the usual summary.
    let erase = if std::io::stderr().is_terminal() { "\r\x1b[2K" } else { "" };
    eprintln!("{erase}worldview: interrupted; {files} completed");
    std::process::exit(code().into());
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
