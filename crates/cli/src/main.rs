//! The `worldview` command.
//!
//! `main` makes the promise of mapping and hands over to a verb; [`run::Run`] gathers what the exit code says.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "counts files and formats tables; the format crates keep the lints"
)]

mod archives;
mod args;
mod databases;
mod describe;
mod inputs;
mod only;
mod outcome;
mod output;
mod run;
mod sheet;
mod table;
mod verbs;

use std::io::{self, IsTerminal as _};
use std::process::ExitCode;

use clap::Parser as _;
use worldview::Loader;

use args::{Args, MmapChoice, OpenArgs, Verb};
use run::Run;

fn main() -> ExitCode {
    // clap ends the process itself on --help (0) and on a usage error (2).
    let args = Args::parse();
    // Lines on the same terminal would go through the bar.
    let is_free = !io::stdout().is_terminal();
    let shows_progress = match &args.verb {
        Verb::Export(verb) => is_free || !(verb.dry_run || verb.format.is_some()),
        Verb::Check(_) | Verb::Find(_) | Verb::List(_) => is_free,
        _ => false,
    };
    let mut run = Run::new(&args.run, shows_progress);
    if let Err(error) = worldview::guard::install() {
        run.note("--mmap", &format_args!("files that shrink while they are mapped will end the run: {error}"));
    }
    let run_in = &mut run;
    let done = match &args.verb {
        Verb::Info(verb) => verbs::info(verb, loader(&verb.input.open), run_in),
        Verb::List(verb) => verbs::list(verb, loader(&verb.input.open), run_in),
        Verb::Show(verb) => verbs::show(verb, loader(&verb.input.open), run_in),
        Verb::Schema(verb) => verbs::schema(verb, loader(&verb.input.open), run_in),
        Verb::Check(verb) => verbs::check(verb, loader(&verb.input.open), run_in),
        Verb::Find(verb) => verbs::find(verb, loader(&verb.input.open), run_in),
        Verb::Diff(verb) => verbs::diff(verb, loader(&verb.open), run_in),
        Verb::Export(verb) => verbs::export(verb, loader(&verb.input.open), run_in),
        Verb::Completions { shell } => verbs::completions(*shell),
        Verb::Man { out } => verbs::man(out.as_deref()),
    };
    if let Err(error) = done {
        run.output_failed(&error);
    }
    run.code()
}

fn loader(open: &OpenArgs) -> Loader {
    #[expect(unsafe_code, reason = "the promise of `Loader::mmap`, made once for the whole program")]
    // SAFETY: the user runs this command on files of theirs, and the help of --mmap says that they must not change
    // meanwhile and how to read them instead; --mmap never keeps the promise out of the program altogether. Files that
    // are shortened all the same are caught by the guard.
    let mapping = || unsafe { Loader::mmap() };
    match open.mmap {
        MmapChoice::Never => Loader::read(),
        MmapChoice::Auto => mapping(),
        MmapChoice::Always => mapping().map_from(0),
    }
}
