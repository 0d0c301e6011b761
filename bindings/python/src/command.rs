//! The `worldview` command in this process, and how long runs are interrupted.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;
use worldview::Loader;
use worldview_cli::{Command, Streams};

/// Runs the command with these arguments in this process, and returns its exit code.
#[pyfunction]
#[pyo3(signature = (*arguments))]
pub(crate) fn run(py: Python<'_>, arguments: Vec<String>) -> PyResult<u8> {
    match Command::new(std::iter::once("worldview".to_owned()).chain(arguments)) {
        // Folders change while people work, so files are read, as everywhere in the package.
        Ok(command) => interruptible(py, |stop| command.run_until(Loader::read, Streams::standard(), stop)),
        Err(error) => {
            let _ = error.print();
            Ok(if error.use_stderr() { 2 } else { 0 })
        }
    }
}

/// Does work on another thread without the GIL, and sets the flag that it gets if Python has a signal to handle.
pub(crate) fn interruptible<T: Send>(py: Python<'_>, work: impl FnOnce(Arc<AtomicBool>) -> T + Send) -> PyResult<T> {
    const PAUSE: Duration = Duration::from_millis(50);
    py.detach(|| {
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        let (done, ended) = sync_channel(1);
        thread::scope(|scope| {
            let worker = scope.spawn(move || {
                let result = work(flag);
                let _ = done.send(());
                result
            });
            let mut signal = Ok(());
            while let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(PAUSE) {
                if signal.is_ok() {
                    signal = Python::attach(|py| py.check_signals());
                    stop.store(signal.is_err(), Ordering::Relaxed);
                }
            }
            let result = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            signal.map(|()| result)
        })
    })
}
