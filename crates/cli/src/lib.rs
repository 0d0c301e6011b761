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
mod assignment;
mod causes;
mod changes;
mod chosen;
mod game;
mod grid;
mod hint;
mod inputs;
mod interrupt;
mod mods;
mod only;
mod open;
mod outcome;
mod output;
mod path_prefix;
mod read;
mod report;
mod run;
mod selected;
mod sheet;
mod streams;
mod table;
mod text;
mod texts;
mod update;
mod verbs;
mod world;

use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::FromArgMatches as _;
use worldview::Loader;

use args::{Args, MmapChoice, OpenArgs, Verb};
use run::Run;

pub use streams::Streams;

/// Runs the command line of this process.
///
/// `mapping` creates the loader that may map files. It is not called with `--mmap never`. On `--help` or an invalid
/// command line, the process exits here.
pub fn process(mapping: impl Fn() -> Loader) -> ExitCode {
    // clap exits the process itself on --help (0) and on a usage error (2).
    let command = Command::of(parsed(&args::command().get_matches()));
    let streams = Streams::standard();
    // Output lines on the same terminal would interfere with the progress bar.
    let is_free = !streams.out_is_terminal();
    let shows_progress = match &command.args.verb {
        Verb::Export(verb) => is_free || !(verb.dry_run || verb.format.is_some()),
        Verb::Check(_) | Verb::Find(_) | Verb::List(_) => is_free,
        _ => false,
    };
    let mut run = Run::new(&command.args.run, shows_progress, streams);
    if let Err(error) = interrupt::install(Arc::clone(&run.stop)) {
        run.note("Ctrl-C", &format_args!("ends the command without a summary: {error}"));
    }
    if let Err(error) = worldview::guard::install() {
        run.note("--mmap", &format_args!("a file that shrinks while it is mapped will end the command: {error}"));
    }
    ExitCode::from(command.perform(&mapping, run))
}

/// Converts what clap has parsed; where that fails, it exits the process as clap does.
fn parsed(matches: &clap::ArgMatches) -> Args {
    Args::from_arg_matches(matches).unwrap_or_else(|error| error.exit())
}

/// A parsed command line.
#[derive(Debug)]
pub struct Command {
    args: Args,
}

impl Command {
    /// Parses a command line. The first word is the name of the program.
    ///
    /// # Errors
    ///
    /// Returns an error if clap rejects the command line, or if it contains `--help` or `--version`.
    pub fn new<W: Into<OsString> + Clone>(words: impl IntoIterator<Item = W>) -> Result<Self, clap::Error> {
        Ok(Self::of(Args::from_arg_matches(&args::command().try_get_matches_from(words)?)?))
    }

    fn of(mut args: Args) -> Self {
        if let Some(only) = args.verb.only() {
            only::join_kinds(only);
        }
        if let Verb::Find(verb) = &mut args.verb {
            verb.take_paths();
        }
        Self { args }
    }

    /// Runs the command and returns its exit code. [`Loader::read`] can be used as `mapping`.
    ///
    /// There is no progress bar, and no handler for files that shrink while they are mapped.
    pub fn run(&self, mapping: impl Fn() -> Loader, streams: Streams) -> u8 {
        self.perform(&mapping, Run::new(&self.args.run, false, streams))
    }

    /// Runs the command as [`run`](Self::run) does, and ends it early, as Ctrl-C does, once `stop` is true.
    pub fn run_until(&self, mapping: impl Fn() -> Loader, streams: Streams, stop: Arc<AtomicBool>) -> u8 {
        let mut run = Run::new(&self.args.run, false, streams);
        run.stop = stop;
        self.perform(&mapping, run)
    }

    fn perform(&self, mapping: &dyn Fn() -> Loader, mut run: Run) -> u8 {
        let mapped = |choice| match choice {
            MmapChoice::Never => Loader::read(),
            MmapChoice::Auto => mapping(),
            MmapChoice::Always => mapping().map_from(0),
        };
        let loader = |open: &OpenArgs| mapped(open.mmap);
        let report = match self.args.run.report.as_deref().map(report::target).transpose() {
            Ok(report) => report,
            Err(error) => {
                run.broken("--report", &error);
                return run.code();
            }
        };
        let run_in = &mut run;
        let done = match &self.args.verb {
            Verb::Info(verb) => verbs::info(verb, loader(&verb.input.open), run_in),
            Verb::List(verb) => verbs::list(verb, loader(&verb.input.open), run_in),
            Verb::Show(verb) => verbs::show(verb, loader(&verb.input.open), run_in),
            Verb::Schema(verb) => verbs::schema(verb, loader(&verb.input.open), run_in),
            Verb::Check(verb) => verbs::check(verb, loader(&verb.input.open), run_in),
            Verb::Find(verb) => verbs::find(verb, loader(&verb.input.open), run_in),
            Verb::Diff(verb) => verbs::diff(verb, loader(&verb.open), run_in),
            Verb::Export(verb) => verbs::export(verb, loader(&verb.input.open), run_in),
            Verb::Set(verb) => verbs::set(verb, loader(&verb.to.open()), run_in),
            Verb::Build(verb) => verbs::build(verb, run_in),
            Verb::Repair(verb) => verbs::repair(verb, loader(&verb.input.open), run_in),
            Verb::Restore(verb) => verbs::restore(verb, run_in),
            Verb::Apply(verb) => verbs::apply(verb, loader(&verb.to.open()), run_in),
            #[cfg(feature = "view")]
            Verb::View(verb) => verbs::view(verb, mapped(verb.mmap), run_in),
            Verb::Changes(verb) => verbs::changes(verb, run_in),
            Verb::Completions { shell } => verbs::completions(*shell, run_in),
            Verb::Man { out } => verbs::man(out.as_deref(), run_in),
        };
        if let Err(error) = done {
            run.output_failed(&error);
        }
        run.interrupted(self.args.verb.has_summary());
        if let Some(report) = report
            && let Err(error) = report::write(self.args.verb.name(), &report, &run)
        {
            run.broken("--report", &error);
        }
        run.code()
    }
}
