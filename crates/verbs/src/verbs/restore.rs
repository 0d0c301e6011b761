//! The newest backup of a file, put back.

use std::io;
use std::path::{Path, PathBuf};

use same_file::is_same_file;

use crate::interrupt;
use crate::outcome::Outcome;
use crate::output::{backups, held};
use crate::read;
use crate::report::Report;
use crate::run::Run;
use crate::table;

/// Puts the newest backup of a file back. The file that it replaces becomes the next backup.
pub fn restore(path: &Path, run: &mut Run<'_>) -> Report {
    let mut outcome = Outcome::default();
    let file = path.canonicalize();
    match file.and_then(|file| put_back(&file)) {
        Ok((newest, kept)) => {
            let name = |path: &Path| table::path(Path::new(path.file_name().unwrap_or_default()));
            let what = format!("restored from {}; the previous version is {}", name(&newest), name(&kept));
            outcome.note(path, &what);
        }
        Err(error) => {
            outcome.input_failed(path, &error);
            outcome.nothing_done = true;
        }
    }
    run.absorb(&table::path(path), outcome, 0);
    run.end("restore", ())
}

/// Replaces a file by its newest backup. Returns the paths of that and of the new backup.
fn put_back(file: &Path) -> io::Result<(PathBuf, PathBuf)> {
    let none = || io::Error::other("has no backup: neither NAME.bak nor NAME.bak1 and so on");
    let mut backups = backups(file)?.into_iter().rev().map(|(_, backup)| backup);
    // A run that was killed here has left a second name of the file itself.
    // To compare a pipe would wait for somebody to write to it.
    let is_same = |backup: &Path| backup.is_file() && is_same_file(backup, file).unwrap_or(false);
    let newest = backups.find(|backup| !is_same(backup)).ok_or_else(none)?;
    let held = held(file, |out| read::copy(&newest, out))?;
    interrupt::check()?;
    let kept = held.replace(None)?;
    Ok((newest, kept))
}
