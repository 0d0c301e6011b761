//! The mutation run: breaks files by the hundred thousand and drives the command's verbs on each.
//!
//! `mutate N` does so for N files of each format, a thousand a process, each process under a limit of its address space, and
//! reports whatever panicked, aborted, took too long, had too much memory, ended with a wrong exit code, or wrote what is
//! not what it should be. `--binary` drives the program itself. Every file belongs to its seed and number, for ever.
#![forbid(unsafe_code)]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "counts files and failures; a slip here fails the run and nothing else"
)]

mod binary;
mod child;
mod options;
mod parent;

use std::io::{self, Write as _};
use std::process::ExitCode;

use worldview_proof::mutate::drive::Driver;
use worldview_proof::mutate::{Family, Recipe, Sources};

use options::{Mode, Options};

fn main() -> ExitCode {
    let options = match Options::parse(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(error) => {
            eprintln!("mutate: {error}\n{}", options::USAGE);
            return ExitCode::from(2);
        }
    };
    let failed = match options.mode {
        Mode::Child { from, to } => child::run(&options, from, to).map(|()| false),
        Mode::Replay(number) => replay(&options, number),
        Mode::Run { files, binary: false } => all(&options, |family| parent::run(&options, family, files)),
        Mode::Run { files, binary: true } => all(&options, |family| binary::run(&options, family, files)),
    };
    match failed {
        Ok(false) => ExitCode::SUCCESS,
        Ok(true) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("mutate: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Every family that is asked for; whether any failed.
fn all(options: &Options, mut run: impl FnMut(Family) -> io::Result<bool>) -> io::Result<bool> {
    let mut failed = false;
    for &family in &options.families {
        failed |= run(family)?;
    }
    Ok(failed)
}

/// One file: what is done to it, and what comes of that.
fn replay(options: &Options, number: u64) -> io::Result<bool> {
    let mut failed = false;
    for &family in &options.families {
        let recipe = Recipe::new(&Sources::new(family, options.given(family)?), options.seed, number);
        println!("{}: {recipe}", family.name());
        let file = recipe.make(family);
        println!("saved as {}", options.save(family, number, &file.broken)?.display());
        let mut driver = Driver::new(family)?;
        driver.run(number, &file, &mut |verb, fault| {
            failed = true;
            println!("{verb}: {fault}");
        })?;
        for (verb, cost) in driver.costs() {
            let (time, memory) = (cost.time.0, cost.memory.0);
            println!("{verb}: {time:.1?}, {memory} bytes past four times input and image");
        }
    }
    io::stdout().flush()?;
    Ok(failed)
}
