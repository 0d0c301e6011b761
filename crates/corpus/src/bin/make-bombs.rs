//! Writes the files that ask for more than they hold into a folder, to try things on: a folder for each.
//!
//! `cargo run -p worldview-corpus --bin make-bombs -- FOLDER [BYTES]`; each has about so many bytes.

use std::path::PathBuf;
use std::{env, fs, io};

use worldview_corpus::bombs;

fn main() -> io::Result<()> {
    let mut args = env::args_os().skip(1);
    let folder = PathBuf::from(args.next().ok_or_else(|| io::Error::other("which folder?"))?);
    let size = args.next().and_then(|size| size.to_str()?.parse().ok()).unwrap_or(1 << 20);
    for (file, bomb) in bombs::all() {
        let place = folder.join(bomb.name.replace(',', ""));
        fs::create_dir_all(&place)?;
        fs::write(place.join(file), bomb.bytes(size))?;
    }
    Ok(())
}
