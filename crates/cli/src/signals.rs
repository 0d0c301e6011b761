//! Ctrl-C and SIGTERM: the run ends in order, or is killed if that takes too long.

use std::io::IsTerminal as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::time::Duration;

use worldview_verbs::interrupt;
use worldview_verbs::table::counted;

/// The exit code of a command that was interrupted: 128 and the number of SIGINT, as shells have it.
const CODE: u8 = 130;

/// The exit code of a command that was told to end: 128 and the number of SIGTERM.
#[cfg(unix)]
const TERMINATED: u8 = 143;

/// How long a run may take to end in order: together with the rest less than a second.
const TIMEOUT: Duration = Duration::from_millis(700);

/// The exit code, once the process was asked to stop.
static INTERRUPTED: AtomicU8 = AtomicU8::new(CODE);

pub(crate) use interrupt::is_interrupted;

/// Returns the exit code of a command that was interrupted.
pub(crate) fn code() -> Option<u8> {
    is_interrupted().then(|| INTERRUPTED.load(Ordering::Relaxed))
}

/// Sets `stop` on Ctrl-C, and where there is one on SIGTERM, and ends the process if that does not help. Returns an error if the
/// system lets nobody handle its signals.
#[cfg(unix)]
pub(crate) fn install(stop: Arc<AtomicBool>) -> std::io::Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};

    #[cfg(debug_assertions)]
    interrupt::at_each_write(stop_at_write);
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    std::thread::Builder::new().spawn(move || {
        for signal in signals.forever() {
            stop_run(if signal == SIGTERM { TERMINATED } else { CODE }, &stop);
        }
    })?;
    Ok(())
}

/// Sets `stop` on Ctrl-C, and ends the process if that does not help. Returns an error if the system lets nobody handle its
/// signals.
#[cfg(not(unix))]
pub(crate) fn install(stop: Arc<AtomicBool>) -> std::io::Result<()> {
    ctrlc::set_handler(move || stop_run(CODE, &stop)).map_err(std::io::Error::other)
}

/// Counts a call of the writer of outputs. Tests stop a debug build at the N-th: `WORLDVIEW_STOP=interrupt:N` presses Ctrl-C there,
/// `pause:N` halts the process until it is continued, and `kill:N` ends it.
#[cfg(all(debug_assertions, unix))]
fn stop_at_write() {
    use std::sync::atomic::AtomicU64;

    use signal_hook::{consts, low_level::raise};

    static CALLS: AtomicU64 = AtomicU64::new(1);
    let call = CALLS.fetch_add(1, Ordering::Relaxed).to_string();
    let stop = std::env::var("WORLDVIEW_STOP").unwrap_or_default();
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

fn stop_run(code: u8, stop: &AtomicBool) {
    INTERRUPTED.store(code, Ordering::Relaxed);
    // Whoever asks twice does not want to wait.
    if interrupt::interrupt() {
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
    interrupt::abandon(|| {
        let files = counted(interrupt::completed(), "file");
        // The cursor may be behind a progress bar, which is erased as in the usual summary.
        let erase = if std::io::stderr().is_terminal() { "\r\x1b[2K" } else { "" };
        eprintln!("{erase}worldview: interrupted; {files} completed");
        std::process::exit(INTERRUPTED.load(Ordering::Relaxed).into());
    });
}
