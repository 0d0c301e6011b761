//! The newest backup of a file, put back.

use std::io;
use std::path::{Path, PathBuf};

use crate::args::RestoreArgs;
use crate::outcome::Outcome;
use crate::output::{Single, newest_backup};
use crate::read;
use crate::run::Run;
use crate::table;

pub(crate) fn restore(args: &RestoreArgs, run: &mut Run) -> io::Result<()> {
    let mut outcome = Outcome::default();
    let file = args.file.canonicalize();
    match file.and_then(|file| put_back(&file)) {
        Ok((newest, kept)) => {
            let name = |path: &Path| table::path(Path::new(path.file_name().unwrap_or_default()));
            let what = format!("is {} again; what it was is now {}", name(&newest), name(&kept));
            outcome.note(&args.file, &what);
        }
        Err(error) => {
            outcome.input_failed(&args.file, &error);
            outcome.nothing_done();
        }
    }
    run.absorb(&table::path(&args.file), outcome, 0);
    Ok(())
}

/// Replaces a file by its newest backup. Returns the paths of that and of the new backup.
fn put_back(file: &Path) -> io::Result<(PathBuf, PathBuf)> {
    let none = || io::Error::other("has no backup: neither NAME.bak nor NAME.bak1 and so on");
    let (_, newest) = newest_backup(file)?.ok_or_else(none)?;
    let mut single = Single::new(file)?;
    read::copy(&newest, &mut single)?;
    let kept = single.replace()?;
    Ok((newest, kept))
}
