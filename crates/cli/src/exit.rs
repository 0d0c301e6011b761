//! What the exit code says, gathered over a whole run.

use std::fmt::Display;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

/// Notes what went wrong, says it on standard error at once, and knows the exit code.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    found: bool,
    failed: bool,
    broken_output: bool,
}

impl Outcome {
    /// `check` found something as bad as it was told to look for.
    pub(crate) fn found(&mut self) {
        self.found = true;
    }

    /// An input cannot be done.
    pub(crate) fn input_failed(&mut self, path: &Path, why: &dyn Display) {
        self.failed = true;
        say(&format!("{}: {why}", path.display()));
    }

    /// Standard input cannot be read.
    pub(crate) fn stdin_failed(&mut self, why: &dyn Display) {
        self.broken_output = true;
        say(&format!("standard input: {why}"));
    }

    /// A file of the output cannot be written.
    pub(crate) fn cannot_write(&mut self, path: &Path, why: &dyn Display) {
        self.broken_output = true;
        say(&format!("{}: cannot be written: {why}", path.display()));
    }

    /// Standard output cannot be written. A reader that has had enough, as `head` does, is no failure.
    pub(crate) fn output_failed(&mut self, error: &io::Error) {
        if error.kind() != io::ErrorKind::BrokenPipe {
            self.broken_output = true;
            say(&format!("standard output: {error}"));
        }
    }

    /// Something to know that changes no exit code.
    pub(crate) fn note(&self, path: &Path, what: &dyn Display) {
        say(&format!("{}: {what}", path.display()));
    }

    /// What a run has done, at its end.
    pub(crate) fn summary(&self, line: &str) {
        say(line);
    }

    pub(crate) fn code(&self) -> ExitCode {
        // 2 is clap's, which ends the process before there is an outcome.
        ExitCode::from(match self {
            Self { broken_output: true, .. } => 4,
            Self { failed: true, .. } => 3,
            Self { found: true, .. } => 1,
            _ => 0,
        })
    }
}

fn say(line: &str) {
    // Standard error may be closed; there is nowhere left to say so.
    let _ = writeln!(io::stderr(), "worldview: {line}");
}
