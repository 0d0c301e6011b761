//! The `worldview` command.
//!
//! `main` makes the promise of mapping and hands over to a verb; [`exit::Outcome`] gathers what the exit code says.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "counts files and formats tables; the format crates keep the lints"
)]

mod archives;
mod args;
mod databases;
mod describe;
mod exit;
mod inputs;
mod only;
mod output;
mod table;
mod verbs;

use std::process::ExitCode;

use clap::Parser as _;
use worldview::Loader;

use args::{Args, MmapChoice, Verb};
use exit::Outcome;

fn main() -> ExitCode {
    // clap ends the process itself on --help (0) and on a usage error (2).
    let args = Args::parse();
    let mut outcome = Outcome::default();
    let done = match &args.verb {
        Verb::Info(verb) => verbs::info(verb, loader(&verb.input), &mut outcome),
        Verb::List(verb) => verbs::list(verb, loader(&verb.input), &mut outcome),
        Verb::Show(verb) => verbs::show(verb, loader(&verb.input), &mut outcome),
        Verb::Schema(verb) => verbs::schema(verb, loader(&verb.input), &mut outcome),
        Verb::Check(verb) => verbs::check(verb, loader(&verb.input), &mut outcome),
        Verb::Export(verb) => verbs::export(verb, loader(&verb.input), &mut outcome),
    };
    if let Err(error) = done {
        outcome.output_failed(&error);
    }
    outcome.code()
}

fn loader(input: &args::InputArgs) -> Loader {
    #[expect(unsafe_code, reason = "the promise of `Loader::mmap`, made once for the whole program")]
    // SAFETY: the user runs this command on files of theirs, and the help of --mmap says that they must not change
    // meanwhile and how to read them instead; --mmap never keeps the promise out of the program altogether.
    let mapping = || unsafe { Loader::mmap() };
    match input.mmap {
        MmapChoice::Never => Loader::read(),
        MmapChoice::Auto => mapping(),
        MmapChoice::Always => mapping().map_from(0),
    }
}
