//! Writes a folder tree of mixed files: `make-tree FOLDER [FILES] [SEED]`.

use std::path::PathBuf;
use std::process::ExitCode;

use worldview_corpus::tree::{self, Options};

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let number = |at: usize| arguments.get(at).map(|given| given.to_str().and_then(|given| given.parse::<u64>().ok()));
    let usage = || {
        eprintln!("usage: make-tree FOLDER [FILES] [SEED]");
        ExitCode::from(2)
    };
    let Some(folder) = arguments.first().map(PathBuf::from).filter(|_| arguments.len() <= 3) else { return usage() };
    let mut options = Options::default();
    match (number(1), number(2)) {
        (Some(None), _) | (_, Some(None)) => return usage(),
        (files, seed) => {
            if let Some(files) = files.flatten() {
                options.files = usize::try_from(files).unwrap_or(usize::MAX);
            }
            options.seed = seed.flatten().unwrap_or(options.seed);
        }
    }
    match tree::write(&folder, &options) {
        Ok(planted) => {
            println!(
                "{} good, {} broken, {} foreign, {} containers, {} bytes",
                planted.good.len(),
                planted.broken.len(),
                planted.foreign.len(),
                planted.containers.len(),
                planted.bytes
            );
            for (path, what) in &planted.broken {
                println!("{}: {what}", path.display());
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{}: {error}", folder.display());
            ExitCode::FAILURE
        }
    }
}
