//! Stores files and the views into them together, in values that own both.
//!
//! Views borrow the bytes of a file. If a program needs a single value for both, to store it in a cache or send it to
//! another thread, a self-referential cell can hold them. This example uses the crate `self_cell`, and no unsafe code.
//!
//! `cargo run --example owned -- samples/items.wdb samples/harbour.wwd`

use std::error::Error;
use std::path::Path;

use self_cell::self_cell;
use worldview::wpd::Table;
use worldview::wwd::{self, Level, Unpacked};
use worldview::{Bytes, Format, Loader};

self_cell! {
    /// A table and its file.
    pub struct TableFile {
        owner: Bytes<'static>,

        #[covariant]
        dependent: Table,
    }

    impl { Debug }
}

self_cell! {
    /// A level's file and its image, which is another owner: a packed level is inflated into memory of its own.
    pub struct LevelImage {
        owner: Bytes<'static>,

        #[covariant]
        dependent: Unpacked,
    }

    impl { Debug }
}

self_cell! {
    /// A level, its image and its file.
    pub struct LevelFile {
        owner: LevelImage,

        #[covariant]
        dependent: Level,
    }

    impl { Debug }
}

impl TableFile {
    /// Opens a table, mapping the file if the loader does.
    pub fn open(loader: Loader, path: impl AsRef<Path>) -> Result<Self, Box<dyn Error>> {
        Self::try_new(loader.open(path)?, |file| Ok(Table::parse(file)?))
    }
}

impl LevelFile {
    /// Opens a level, mapping the file if the loader does.
    pub fn open(loader: Loader, path: impl AsRef<Path>) -> Result<Self, Box<dyn Error>> {
        let image = LevelImage::try_new(loader.open(path)?, |file| wwd::unpack(file))?;
        Ok(Self::try_new(image, |image| Level::parse(image.borrow_dependent()))?)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut tables, mut levels) = (Vec::new(), Vec::new());
    for path in std::env::args_os().skip(1) {
        // A program that knows that nobody changes its files may map them with `unsafe { Loader::mmap() }`.
        let loader = Loader::read();
        match Format::sniff(&loader.open(&path)?) {
            Some(Format::Wpd) => tables.push(TableFile::open(loader, path)?),
            Some(Format::Wwd) => levels.push(LevelFile::open(loader, path)?),
            _ => return Err(format!("{}: neither a table nor a level", path.display()).into()),
        }
    }
    // The values can be moved, including to other threads.
    std::thread::spawn(move || {
        for table in &tables {
            println!("{} records", table.borrow_dependent().len());
        }
        for level in &levels {
            println!("{} planes", level.borrow_dependent().planes().len());
        }
    })
    .join()
    .map_err(|_| "the thread panicked".into())
}
