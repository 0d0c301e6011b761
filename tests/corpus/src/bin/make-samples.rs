//! Writes the sample files into the folder given as the only argument.

use std::path::PathBuf;
use std::process::ExitCode;

use worldview_corpus::samples;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(folder), None) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: make-samples FOLDER");
        return ExitCode::from(2);
    };
    let folder = PathBuf::from(folder);
    for (name, bytes) in samples() {
        let path = folder.join(name);
        if let Err(error) = std::fs::write(&path, bytes) {
            eprintln!("{}: {error}", path.display());
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
