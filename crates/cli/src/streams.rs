//! The streams that a run writes to.

use std::fmt;
use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use worldview_export::csv::{CsvStyle, CsvWriter};
use worldview_verbs::options::CsvOptions;
use worldview_verbs::table::{self, shown};

use crate::args::FormatChoice;

/// Standard output and standard error of a run, or replacements for them.
#[derive(Clone, Debug)]
pub struct Streams {
    out: Stream,
    err: Arc<Mutex<Messages>>,
    pub(crate) out_is_terminal: bool,
    pub(crate) err_is_terminal: bool,
}

impl Streams {
    /// Returns the standard streams of the process.
    pub fn standard() -> Self {
        Self {
            out_is_terminal: io::stdout().is_terminal(),
            err_is_terminal: io::stderr().is_terminal(),
            ..Self::new(io::stdout(), io::stderr())
        }
    }

    /// Creates replacement streams, which do not count as terminals.
    pub fn new(out: impl Write + Send + 'static, err: impl Write + Send + 'static) -> Self {
        let out = Stream(Arc::new(Mutex::new(Box::new(out))));
        let err = Messages { err: Box::new(err), held: Vec::new(), written: None, holds: false };
        Self { out, err: Arc::new(Mutex::new(err)), out_is_terminal: false, err_is_terminal: false }
    }

    /// Returns the width that text for people must fit into, if there is one.
    pub(crate) fn width(&self) -> Option<usize> {
        table::width(self.out_is_terminal)
    }

    /// Returns where a verb writes what it was asked for, in this style. In text for people, no name can command a terminal.
    pub(crate) fn styled(&self, style: CsvStyle, is_text: bool) -> Out {
        BufWriter::with_capacity(1 << 16, style.writer(ForPeople::new(self.out.clone(), is_text)))
    }

    /// Returns where a verb writes what is for programs.
    pub(crate) fn plain(&self) -> Out {
        self.styled(CsvStyle::default(), false)
    }

    /// Returns where a verb prints its rows. No name can command a terminal except in JSON, which is read by programs only.
    pub(crate) fn rows(&self, csv: &CsvOptions, format: FormatChoice) -> Out {
        let is_text = matches!(format, FormatChoice::Table | FormatChoice::Csv);
        self.styled(csv.style(format == FormatChoice::Csv), is_text)
    }

    /// Prints a line of a message.
    pub(crate) fn say(&self, line: &str) {
        let mut messages = locked(&self.err);
        messages.held.extend_from_slice(line.as_bytes());
        messages.held.push(b'\n');
        let is_soon = messages.written.is_some_and(|time| time.elapsed() < Messages::WAIT);
        if !messages.holds || !is_soon || messages.held.len() >= Messages::MAX {
            messages.write();
        }
    }

    /// Sets whether lines may wait for others that follow soon, to be written together. They do not if somebody is
    /// watching.
    pub(crate) fn hold(&self, holds: bool) {
        let mut messages = locked(&self.err);
        messages.holds = holds && !self.err_is_terminal;
        if !messages.holds {
            messages.write();
        }
    }
}

/// Standard error, and the lines that wait to be written.
struct Messages {
    err: Box<dyn Write + Send>,
    held: Vec<u8>,
    /// When lines were last written.
    written: Option<Instant>,
    holds: bool,
}

impl Messages {
    /// How long after others a line may wait.
    const WAIT: Duration = Duration::from_millis(50);
    /// The maximum size of the lines that wait, in bytes.
    const MAX: usize = 1 << 14;

    fn write(&mut self) {
        if !self.held.is_empty() {
            // Standard error may be closed, and then there is nowhere to report the error.
            let _ = self.err.write_all(&self.held);
            self.held.clear();
            self.written = Some(Instant::now());
        }
    }
}

impl Drop for Messages {
    fn drop(&mut self) {
        self.write();
    }
}

impl fmt::Debug for Messages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Messages").field("holds", &self.holds).finish_non_exhaustive()
    }
}

/// Where a verb writes.
pub(crate) type Out = BufWriter<CsvWriter<ForPeople>>;

/// Standard output, shared by all writers.
#[derive(Clone)]
pub(crate) struct Stream(Arc<Mutex<Box<dyn Write + Send>>>);

/// Locks a mutex. A panic while writing leaves an incomplete line at worst.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        locked(&self.0).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        locked(&self.0).flush()
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").finish_non_exhaustive()
    }
}

/// Standard output, where text for people has no characters that command a terminal, whatever names a file contains.
#[derive(Debug)]
pub(crate) struct ForPeople {
    out: Stream,
    is_text: bool,
    /// The start of a character whose end comes with the next bytes.
    begun: Vec<u8>,
}

impl ForPeople {
    pub(crate) const fn new(out: Stream, is_text: bool) -> Self {
        Self { out, is_text, begun: Vec::new() }
    }
}

impl Write for ForPeople {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Lines and columns are ours.
        let is_plain = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
        if !self.is_text || self.begun.is_empty() && bytes.iter().all(is_plain) {
            return self.out.write(bytes);
        }
        let mut all = std::mem::take(&mut self.begun);
        all.extend_from_slice(bytes);
        let len = match std::str::from_utf8(&all) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => all.len(),
        };
        self.begun = all.split_off(len);
        let text = String::from_utf8_lossy(&all);
        let lines: Vec<_> =
            text.split('\n').map(|line| line.split('\t').map(shown).collect::<Vec<_>>().join("\t")).collect();
        self.out.write_all(lines.join("\n").as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
