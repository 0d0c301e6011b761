//! What the exit code says, gathered over a whole run.

use std::fmt::Display;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

use serde::Serialize;

use crate::table::shown;

/// Notes what went wrong, says it on standard error at once, and knows the exit code.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    found: bool,
    broken_output: bool,
    failures: Vec<Failure>,
}

/// An input that cannot be done, or only in part.
#[derive(Debug, Serialize)]
pub(crate) struct Failure {
    path: String,
    error: String,
}

impl Outcome {
    /// `check` found something as bad as it was told to look for.
    pub(crate) fn found(&mut self) {
        self.found = true;
    }

    /// An input cannot be done.
    pub(crate) fn input_failed(&mut self, path: &Path, why: &dyn Display) {
        let (path, error) = (path.display().to_string(), why.to_string());
        say(&format!("{path}: {error}"));
        self.failures.push(Failure { path, error });
    }

    /// The inputs that could not be done, for a document that lists those that could.
    pub(crate) fn failures(&self) -> &[Failure] {
        &self.failures
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
            Self { failures, .. } if !failures.is_empty() => 3,
            Self { found: true, .. } => 1,
            _ => 0,
        })
    }
}

fn say(line: &str) {
    // Standard error may be closed; there is nowhere left to say so.
    let _ = writeln!(io::stderr(), "worldview: {}", shown(line));
}
