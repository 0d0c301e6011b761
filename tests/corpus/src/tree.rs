//! A folder tree with thousands of files of all kinds: valid, broken, and unrelated.
//!
//! It is laid out like a collection of unpacked games, each in its own folders, with pictures and text files in
//! between. The same seed always writes the same tree.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::rng::Rng;

mod breakage;
mod files;

use breakage::Breakage;
use files::Kind;

/// The size of a tree, and how much of it is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Total number of files.
    pub files: usize,
    /// Number of broken files per thousand.
    pub broken_per_mille: u32,
    /// Seed of the random generator.
    pub seed: u64,
}

/// The files that were written; each list is in path order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Planted {
    /// Files that open without errors, including everything nested in them.
    pub good: Vec<PathBuf>,
    /// Files that a reader must report, each with what is wrong with it.
    ///
    /// | kind | how the file is broken | what can still be read |
    /// |---|---|---|
    /// | `empty` | no bytes, named as a level or a table | nothing |
    /// | `signature` | the first four bytes are changed; named as a level or a table, or it would be skipped | nothing |
    /// | `cut in the header` | ends within the header of a level, or within the entries of an archive | nothing |
    /// | `cut` | ends after a quarter to three quarters of the bytes | what remains; for a packed level, what still inflates |
    /// | `count` | claims more planes or entries than 32 bits can address | nothing |
    /// | `zlib` | two bytes in the middle of a level's zlib stream are changed | what inflates before them, or all of it with wrong bytes |
    /// | `member` | the data of the last entry, or of the first model, lies past the end of the file | everything else |
    /// | `nested` | a valid archive with a table that claims too many entries | everything else |
    pub broken: Vec<(PathBuf, &'static str)>,
    /// Files that are unrelated by both content and name.
    pub foreign: Vec<PathBuf>,
    /// Containers that must be unpacked first: the first bytes of InstallShield cabinets and SI files.
    pub containers: Vec<PathBuf>,
    /// Total number of bytes.
    pub bytes: u64,
}

impl Default for Options {
    /// 5000 files, 1% of them broken.
    fn default() -> Self {
        Self { files: 5000, broken_per_mille: 10, seed: 1 }
    }
}

/// Writes a tree into a folder, which is created if it does not exist. Returns an error if a file or folder cannot be written.
pub fn write(folder: &Path, options: &Options) -> io::Result<Planted> {
    let mut rng = Rng::new(options.seed);
    let mut tree = Tree { folder, taken: BTreeSet::new(), made: BTreeSet::new(), planted: Planted::default() };
    let per_mille = usize::try_from(options.broken_per_mille).unwrap_or(1000).min(1000);
    let broken = (options.files * per_mille).div_ceil(1000);
    for i in 0..options.files {
        // Broken files are spread evenly, and the kinds of breakage take turns.
        let number = i * broken / options.files.max(1);
        let is_broken = number < (i + 1) * broken / options.files.max(1);
        let seed = rng.next_u64();
        if is_broken {
            tree.plant_broken(Breakage::ALL[number % Breakage::ALL.len()], seed)?;
        } else {
            tree.plant(Kind::nth(i, &mut rng), seed)?;
        }
    }
    let Planted { good, broken, foreign, containers, .. } = &mut tree.planted;
    good.sort();
    broken.sort();
    foreign.sort();
    containers.sort();
    Ok(tree.planted)
}

struct Tree<'f> {
    folder: &'f Path,
    /// Existing paths in lowercase, since some file systems ignore case.
    taken: BTreeSet<String>,
    /// Folders that have been created.
    made: BTreeSet<PathBuf>,
    planted: Planted,
}

impl Tree<'_> {
    fn plant(&mut self, kind: Kind, seed: u64) -> io::Result<()> {
        let mut rng = Rng::new(seed);
        let bytes = kind.bytes(&mut rng);
        let path = self.write(kind, &mut rng, &bytes)?;
        match kind {
            Kind::Foreign => self.planted.foreign.push(path),
            Kind::Container => self.planted.containers.push(path),
            Kind::Level | Kind::Table | Kind::Archive | Kind::Database => self.planted.good.push(path),
        }
        Ok(())
    }

    fn plant_broken(&mut self, breakage: Breakage, seed: u64) -> io::Result<()> {
        let mut rng = Rng::new(seed);
        let kind = breakage.kind(&mut rng);
        let bytes = breakage.bytes(kind, &mut rng);
        let path = self.write(kind, &mut rng, &bytes)?;
        self.planted.broken.push((path, breakage.name()));
        Ok(())
    }

    fn write(&mut self, kind: Kind, rng: &mut Rng, bytes: &[u8]) -> io::Result<PathBuf> {
        let path = loop {
            let path = kind.path(rng, bytes);
            if self.taken.insert(path.to_lowercase()) {
                break self.folder.join(path);
            }
        };
        if let Some(parent) = path.parent()
            && self.made.insert(parent.into())
        {
            fs::create_dir_all(parent)?;
        }
        fs::write(&path, bytes)?;
        self.planted.bytes += u64::try_from(bytes.len()).unwrap_or(0);
        Ok(path)
    }
}
