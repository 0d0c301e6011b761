//! What the command line says.

use std::fs;
use std::io;
use std::path::PathBuf;

use worldview_proof::mutate::Family;

/// How it is called.
pub(crate) const USAGE: &str = "usage: mutate N [--format ff13|wwd|island] [--seed S] [--first NUMBER] [--binary [PROGRAM]] [--files FOLDER] [--save FOLDER]
       mutate --replay SEED NUMBER [--format ...] [--files FOLDER]";

/// Address space of a process that works on broken files, in KiB: several times what it may need, and little enough that a runaway
/// ends there.
pub(crate) const ADDRESS_SPACE: u64 = 1 << 20;

#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) mode: Mode,
    pub(crate) families: Vec<Family>,
    pub(crate) seed: u64,
    pub(crate) first: u64,
    /// The program to run instead of the one beside this.
    pub(crate) program: Option<PathBuf>,
    /// Files of the caller's, to be broken as well.
    pub(crate) files: Option<PathBuf>,
    save: PathBuf,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Mode {
    Run {
        files: u64,
        binary: bool,
    },
    Replay(u64),
    /// The process that does a part of a run.
    Child {
        from: u64,
        to: u64,
    },
}

impl Options {
    pub(crate) fn parse(words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut words = words.peekable();
        let (mut files, mut binary, mut replay, mut child) = (None, false, None, None);
        let mut options = Self {
            mode: Mode::Replay(0),
            families: Family::ALL.to_vec(),
            seed: 1,
            first: 0,
            program: None,
            files: None,
            save: "target/mutate-found".into(),
        };
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} wants a value"));
            match word.as_str() {
                "--format" => {
                    let name = value()?;
                    let family = Family::ALL.into_iter().find(|family| family.name() == name);
                    options.families = vec![family.ok_or(format!("no format is called {name}"))?];
                }
                "--seed" => options.seed = number(&value()?)?,
                "--first" => options.first = number(&value()?)?,
                "--files" => options.files = Some(value()?.into()),
                "--save" => options.save = value()?.into(),
                "--replay" => {
                    options.seed = number(&value()?)?;
                    replay = Some(number(&value()?)?);
                }
                "--child" => child = Some((number(&value()?)?, number(&value()?)?)),
                "--binary" => {
                    binary = true;
                    options.program = words.next_if(|word| !word.starts_with("--")).map(PathBuf::from);
                }
                _ if word.starts_with('-') => return Err(format!("there is no {word}")),
                _ => files = Some(number(&word)?),
            }
        }
        options.mode = match (files, replay, child) {
            (None, None, Some((from, to))) => Mode::Child { from, to },
            (None, Some(number), None) => Mode::Replay(number),
            (Some(files), None, None) => Mode::Run { files, binary },
            _ => return Err("how many files a format?".into()),
        };
        Ok(options)
    }

    /// The caller's files of a family, by their names, in a fixed order.
    pub(crate) fn given(&self, family: Family) -> io::Result<Vec<(String, Vec<u8>)>> {
        let Some(folder) = &self.files else { return Ok(Vec::new()) };
        let mut paths: Vec<_> = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
        paths.sort();
        let mut files = Vec::new();
        for path in paths.into_iter().filter(|path| path.is_file()) {
            let bytes = fs::read(&path)?;
            if Family::of(&bytes) == family {
                files.push((path.file_name().unwrap_or_default().to_string_lossy().into_owned(), bytes));
            }
        }
        Ok(files)
    }

    /// Keeps a file that something was found with.
    pub(crate) fn save(&self, family: Family, number: u64, bytes: &[u8]) -> io::Result<PathBuf> {
        fs::create_dir_all(&self.save)?;
        let path = self.save.join(format!("{}-{}-{number}.{}", family.name(), self.seed, family.extension()));
        fs::write(&path, bytes)?;
        Ok(path)
    }
}

fn number(word: &str) -> Result<u64, String> {
    word.parse().map_err(|_| format!("{word} is no number"))
}
