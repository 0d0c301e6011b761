//! One run at a time writes to an output folder.

use std::fs::File;
use std::io;
use std::path::Path;
use std::time::Duration;

use crate::interrupt;

/// How long to wait before the next attempt.
const PAUSE: Duration = Duration::from_millis(50);

/// Locks a folder until the returned file is closed, which the system does for a killed run. Calls `waits` if another run has
/// locked it. Returns `None` where the file system has no locks. Returns an error if the run is interrupted while it waits.
pub(super) fn lock(folder: &Path, waits: impl FnOnce()) -> io::Result<Option<File>> {
    let mut waits = Some(waits);
    loop {
        match attempt(folder) {
            Ok(Some(lock)) => return Ok(Some(lock)),
            Ok(None) => {}
            Err(_) => return Ok(None),
        }
        if let Some(waits) = waits.take() {
            waits();
        }
        if interrupt::is_interrupted() {
            return Err(io::Error::other("interrupted while waiting for another run"));
        }
        std::thread::sleep(PAUSE);
    }
}

/// Locks a folder, or returns `None` if another run has locked it. The folder itself is locked, so no lock file is left behind.
#[cfg(unix)]
fn attempt(folder: &Path) -> io::Result<Option<File>> {
    use rustix::fs::{FlockOperation, flock};

    let folder = File::open(folder)?;
    match flock(&folder, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(Some(folder)),
        Err(rustix::io::Errno::WOULDBLOCK) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Locks a folder, or returns `None` if another run has locked it. The lock is a file that nobody else can open, and that the
/// system removes when it is closed.
#[cfg(windows)]
fn attempt(folder: &Path) -> io::Result<Option<File>> {
    use std::os::windows::fs::OpenOptionsExt as _;

    const DELETE_ON_CLOSE: u32 = 0x0400_0000;
    const SHARING_VIOLATION: i32 = 32;
    let mut options = File::options();
    options.write(true).create(true).truncate(false).share_mode(0).custom_flags(DELETE_ON_CLOSE);
    match options.open(folder.join(".worldview.lock")) {
        Ok(lock) => Ok(Some(lock)),
        Err(error) if error.raw_os_error() == Some(SHARING_VIOLATION) => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(not(any(unix, windows)))]
fn attempt(_: &Path) -> io::Result<Option<File>> {
    Err(io::ErrorKind::Unsupported.into())
}
