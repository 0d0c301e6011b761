//! Writes the seeds of the fuzz targets into the folder given as the argument, in one folder per target.

use std::path::Path;
use std::process::ExitCode;
use std::{fs, io};

use worldview_tools::fuzz::{Seed, seeds};

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(folder), None) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: make-seeds FOLDER");
        return ExitCode::from(2);
    };
    match write(Path::new(&folder), &seeds()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn write(folder: &Path, seeds: &[Seed]) -> io::Result<()> {
    for (target, ..) in seeds {
        // Seeds that are no longer generated must not stay behind.
        let folder = folder.join(target);
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
    }
    for (target, name, bytes) in seeds {
        fs::create_dir_all(folder.join(target))?;
        fs::write(folder.join(target).join(name), bytes)?;
    }
    Ok(())
}
