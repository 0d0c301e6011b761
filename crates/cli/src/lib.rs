//! The `worldview` command as a library, for its binary and for tests that run its verbs in-process.
//!
//! [`process`] is the whole program, except for the safety promise for memory mapping, which `main` makes.
//! [`Command`] is a parsed command line that can be run repeatedly, with any kind of [`Streams`]. This API has no
//! stability guarantees; programs should use `worldview`, `worldview-inspect` and `worldview-export`.
#![forbid(unsafe_code)]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "counts files and formats tables; the format crates keep the lints"
)]

mod args;
mod causes;
mod signals;
mod streams;
mod terminal;
mod verbs;

use std::ffi::OsString;
use std::fmt::Display;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use worldview::Loader;
use worldview_verbs::options::RunOptions;
use worldview_verbs::{Error, ReportFile, Run};

use args::{Args, Verb};
use terminal::{Terminal, exit_code, is_closed};

pub use streams::Streams;

/// Runs the command line of this process.
///
/// `mapping` creates the loader that may map files. It is not called with `--mmap never`. On `--help` or an invalid
/// command line, the process exits here.
pub fn process(mapping: impl Fn() -> Loader) -> ExitCode {
    // clap exits the process itself on --help (0) and on a usage error (2).
    let command = Command::new(std::env::args_os()).unwrap_or_else(|error| error.exit());
    let streams = Streams::standard();
    // Output lines on the same terminal would interfere with the progress bar.
    let is_free = !streams.out_is_terminal;
    let shows_progress = match &command.args.verb {
        Verb::Export(verb) => is_free || !(verb.options.preview.dry_run || verb.format.is_some()),
        Verb::Check(_) | Verb::Find(_) | Verb::List(_) => is_free,
        _ => false,
    };
    let stop = Arc::default();
    let mut terminal = Terminal::new(&command.args.run, shows_progress, streams.clone());
    let mut note = |what, why: &dyn Display| Run::new(&mut terminal).note(what, why);
    if let Err(error) = signals::install(Arc::clone(&stop)) {
        note("Ctrl-C", &format_args!("ends the command without a summary: {error}"));
    }
    if let Err(error) = worldview::guard::install() {
        note("--mmap", &format_args!("a file that shrinks while it is mapped will end the command: {error}"));
    }
    ExitCode::from(command.perform(&mapping, terminal, &streams, stop))
}

/// A parsed command line.
#[derive(Debug)]
pub struct Command {
    args: Args,
    /// The name of the verb.
    name: String,
}

impl Command {
    /// Parses a command line. The first word is the name of the program.
    ///
    /// # Errors
    ///
    /// Returns an error if clap rejects the command line, or if it contains `--help` or `--version`.
    pub fn new<W: Into<OsString> + Clone>(words: impl IntoIterator<Item = W>) -> Result<Self, clap::Error> {
        let (mut args, name) = args::parse(&words.into_iter().map(Into::into).collect::<Vec<_>>())?;
        args.verb.complete();
        Ok(Self { args, name })
    }

    /// Runs the command and returns its exit code. [`Loader::read`] can be used as `mapping`.
    ///
    /// There is no progress bar, and no handler for files that shrink while they are mapped.
    pub fn run(&self, mapping: impl Fn() -> Loader, streams: Streams) -> u8 {
        self.run_until(mapping, streams, Arc::default())
    }

    /// Runs the command as [`run`](Self::run) does, and ends it early, as Ctrl-C does, once `stop` is true.
    pub fn run_until(&self, mapping: impl Fn() -> Loader, streams: Streams, stop: Arc<AtomicBool>) -> u8 {
        self.perform(&mapping, Terminal::new(&self.args.run, false, streams.clone()), &streams, stop)
    }

    fn perform(
        &self,
        mapping: &dyn Fn() -> Loader,
        mut terminal: Terminal,
        streams: &Streams,
        stop: Arc<AtomicBool>,
    ) -> u8 {
        let verb = &self.args.verb;
        let RunOptions { threads, allow } = &self.args.run.options.0;
        let mut run = Run::new(&mut terminal).loader(mapping).threads((*threads).into()).cancel(stop);
        let file = self.args.run.report.as_deref().map(ReportFile::new).transpose();
        let done = match &file {
            Ok(_) => verbs::run(verb, &mut run, streams),
            Err(error) => {
                run.broken("--report", error);
                Ok((run.end(&self.name, ()), None))
            }
        };
        let (mut report, summary) = done.unwrap_or_else(|error| {
            match error {
                Error::Failed(failure) => run.fail(*failure),
                Error::Out(error) if is_closed(&error) => {}
                Error::Out(error) => run.broken("standard output", &error),
            }
            (run.end(&self.name, ()), None)
        });
        drop(run);
        terminal.end(summary.as_ref(), &report, verb.has_summary());
        if let Ok(Some(file)) = file
            && let Err(error) = file.write(&report, &mut streams.plain())
        {
            let mut run = Run::new(&mut terminal);
            run.broken("--report", &error);
            report.failures.extend(run.end(&self.name, ()).failures);
        }
        exit_code(&report, allow)
    }
}
