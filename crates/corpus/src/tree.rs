//! A folder with thousands of files of all kinds, good ones, broken ones and some of nobody's.
//!
//! It is laid out as somebody's collection would be: unpacked games side by side, each in folders of its own, with pictures
//! and texts among them. The same seed writes the same tree for ever.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::rng::Rng;

mod breakage;
mod files;

use breakage::Breakage;
use files::Kind;

/// How large a tree is and what is wrong with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Files in all.
    pub files: usize,
    /// How many of a thousand of them are broken.
    pub broken_per_mille: u32,
    /// Which tree of that size it is.
    pub seed: u64,
}

/// What was written; each list in the order of the paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Planted {
    /// Files that open without an error, with all that is nested in them.
    pub good: Vec<PathBuf>,
    /// Files that a reader must report, and what is wrong with each.
    ///
    /// | what | how it is broken | what can be had of it |
    /// |---|---|---|
    /// | `empty` | no bytes, under the name of a level or a table | nothing |
    /// | `signature` | the first four bytes are others; named as a level or a table, or nobody would look | nothing |
    /// | `cut in the header` | ends in the header of a level, or in the entries of an archive | nothing |
    /// | `cut` | ends after a quarter to three quarters of the bytes | what is left; of a packed level what inflates |
    /// | `count` | says that it has more planes or entries than 32 bits can address | nothing |
    /// | `zlib` | two bytes in the middle of a level's zlib stream are others | what inflates before them, or all of it and wrong |
    /// | `member` | the last entry's data, or that of the first model, lies behind the end | all but that |
    /// | `nested` | an archive in order, one of whose tables says that it has too many entries | all but that |
    pub broken: Vec<(PathBuf, &'static str)>,
    /// Files that have nothing to do with us, neither by content nor by name.
    pub foreign: Vec<PathBuf>,
    /// Containers that must be unpacked first: the beginnings of REZ archives and SI files.
    pub containers: Vec<PathBuf>,
    /// The bytes of all files.
    pub bytes: u64,
}

impl Default for Options {
    /// Five thousand files, one of a hundred broken.
    fn default() -> Self {
        Self { files: 5000, broken_per_mille: 10, seed: 1 }
    }
}

/// Writes a tree into a folder, which is made if it is not there.
///
/// # Errors
///
/// Those of writing.
pub fn write(folder: &Path, options: &Options) -> io::Result<Planted> {
    let mut rng = Rng::new(options.seed);
    let mut tree = Tree { folder, taken: BTreeSet::new(), made: BTreeSet::new(), planted: Planted::default() };
    let per_mille = usize::try_from(options.broken_per_mille).unwrap_or(1000).min(1000);
    let broken = (options.files * per_mille).div_ceil(1000);
    for i in 0..options.files {
        // Broken ones are spread evenly, and each breakage has its turn.
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
    /// Paths that there are, in small letters, for folders that do not tell these from capitals.
    taken: BTreeSet<String>,
    /// Folders that were made.
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
