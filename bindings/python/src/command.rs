//! The `worldview` command in this process.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;
use worldview::Loader;
use worldview_cli::{Command, Streams};

/// A stream into memory.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl Kept {
    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Runs the command with these arguments, and returns its exit code and what it wrote to its two streams. With
/// `keep=False` it writes to the streams of the process.
#[pyfunction]
#[pyo3(signature = (arguments, *, keep = true))]
pub(crate) fn _command(py: Python<'_>, arguments: Vec<String>, keep: bool) -> PyResult<(u8, Vec<u8>, String)> {
    let words = std::iter::once("worldview".to_owned()).chain(arguments);
    let command = match Command::new(words) {
        Ok(command) => command,
        Err(error) if keep => return Ok((if error.use_stderr() { 2 } else { 0 }, Vec::new(), error.to_string())),
        Err(error) => {
            let _ = error.print();
            return Ok((if error.use_stderr() { 2 } else { 0 }, Vec::new(), String::new()));
        }
    };
    let (out, err) = (Kept::default(), Kept::default());
    let streams = if keep { Streams::new(out.clone(), err.clone()) } else { Streams::standard() };
    let code = py.detach(|| interruptible(&command, streams))?;
    Ok((code, out.take(), String::from_utf8_lossy(&err.take()).into_owned()))
}

/// Runs a command on another thread, and ends it early if Python has a signal to handle.
fn interruptible(command: &Command, streams: Streams) -> PyResult<u8> {
    const PAUSE: Duration = Duration::from_millis(50);
    let stop = Arc::new(AtomicBool::new(false));
    let (done, ended) = sync_channel(1);
    thread::scope(|scope| {
        let flag = Arc::clone(&stop);
        scope.spawn(move || {
            // Folders change while people work, so files are read, as everywhere in the package.
            let code = command.run_until(Loader::read, streams, flag);
            let _ = done.send(code);
        });
        let mut signal = Ok(());
        loop {
            match ended.recv_timeout(PAUSE) {
                Ok(code) => return signal.map(|()| code),
                Err(RecvTimeoutError::Disconnected) => return signal.map(|()| 1),
                Err(RecvTimeoutError::Timeout) if signal.is_ok() => {
                    signal = Python::attach(|py| py.check_signals());
                    stop.store(signal.is_err(), Ordering::Relaxed);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    })
}
