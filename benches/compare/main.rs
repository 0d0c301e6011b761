//! Compares readers on the files that are given: see [`worldview_benches::compare`].
#![forbid(unsafe_code)]

use std::env;
use std::ffi::OsString;
use std::io::stdout;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use worldview_benches::compare::{Format, Found, Passes, compare, report};

const USAGE: &str = "\
usage: compare [--format text|csv] FILE|FOLDER...

Reads levels, tables and WORLD.WDB with all readers that know them, checks that their digests are equal, and prints how long
each takes. Exit codes: 1 if digests differ, 2 if there is nothing to compare.";

const PASSES: Passes = Passes { least: 5, time: Duration::from_secs(1) };

fn main() -> ExitCode {
    let Some((paths, is_csv)) = arguments(env::args_os().skip(1)) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    if cfg!(debug_assertions) {
        eprintln!("compiled without optimizations, so the times say little: cargo run --release");
    }
    if cfg!(not(feature = "readers")) {
        eprintln!("compiled without binrw and ff13-formats: cargo run --features readers");
    }
    let Found { files, left_out } = Found::load(&paths);
    if let Some((path, error)) = left_out.first() {
        eprintln!("left out: {}, first {path}: {error}", left_out.len());
    }
    if files.is_empty() {
        eprintln!("nothing to compare: there is no level, no table and no WORLD.WDB");
        return ExitCode::from(2);
    }
    let mut rows = Vec::new();
    for format in Format::ALL {
        let files: Vec<_> = files.iter().filter(|file| file.format == format).collect();
        if files.is_empty() {
            continue;
        }
        match compare(format, &files, &format.readers(files.len()), PASSES) {
            Ok(compared) => rows.extend(compared),
            Err(mismatch) => {
                eprintln!("error: {mismatch}");
                return ExitCode::FAILURE;
            }
        }
    }
    let mut out = stdout().lock();
    let written = if is_csv { report::csv(&rows, &mut out) } else { report::text(&rows, PASSES, &mut out) };
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the paths, and whether CSV is wanted.
fn arguments(mut given: impl Iterator<Item = OsString>) -> Option<(Vec<PathBuf>, bool)> {
    let (mut paths, mut is_csv) = (Vec::new(), false);
    while let Some(argument) = given.next() {
        match argument.to_str() {
            Some("--format") => match given.next()?.to_str()? {
                "csv" => is_csv = true,
                "text" => is_csv = false,
                _ => return None,
            },
            Some(option) if option.starts_with('-') => return None,
            _ => paths.push(argument.into()),
        }
    }
    (!paths.is_empty()).then_some((paths, is_csv))
}
