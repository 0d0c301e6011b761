//! Runs files through a fuzz target's body on stable: the first argument is the target, the others are files and folders.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

use worldview_proof::fuzz::TARGETS;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_default();
    let Some((_, body)) = TARGETS.iter().find(|(target, _)| *target == name) else {
        eprintln!("usage: replay TARGET FILE...");
        eprintln!("targets: {}", TARGETS.map(|(name, _)| name).join(" "));
        return ExitCode::from(2);
    };
    let mut files = Vec::new();
    for path in arguments.map(PathBuf::from) {
        if let Err(error) = gather(&path, &mut files) {
            eprintln!("{}: {error}", path.display());
            return ExitCode::FAILURE;
        }
    }
    let broken = files.iter().filter(|path| !holds(*body, path)).count();
    println!("{} files, {broken} of them broken", files.len());
    if broken == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Whether the body holds for a file, which is told if not.
fn holds(body: fn(&[u8]), path: &Path) -> bool {
    let held = fs::read(path).map(|bytes| std::panic::catch_unwind(|| body(&bytes)).is_ok());
    let held = matches!(held, Ok(true));
    if !held {
        eprintln!("does not hold: {}", path.display());
    }
    held
}

fn gather(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !path.is_dir() {
        files.push(path.into());
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        gather(&entry?.path(), files)?;
    }
    files.sort();
    Ok(())
}
