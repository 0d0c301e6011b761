use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use worldview_wwd::Game;

use super::reduce::Reduced;
use crate::level::folder::{below, entries, io_error};
use crate::picture::{Ink, Picture, Size};
use crate::{Error, Result};

/// Maximum side in pixels of a tile's picture.
const MAX: u32 = 1024;

/// A folder of PNG pictures for tiles. The first run of digits in a file name is the frame number.
///
/// A subfolder with the name of an image set, ignoring case, contains the pictures for that image set. Pictures in
/// the folder itself apply to every image set that has none of its own. Pictures are only read when they are drawn,
/// so unused pictures may be invalid.
#[derive(Clone, Debug)]
pub struct TileImages {
    /// The pictures by the name of their subfolder in upper case; those in the folder itself have an empty name.
    folders: BTreeMap<Vec<u8>, Frames>,
    report: Arc<Mutex<TileReport>>,
}

/// What was found wrong with [`TileImages`] while pictures were drawn with them; the tiles kept their flat color.
#[non_exhaustive]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TileReport {
    /// Frames without a picture, by the name of their image set.
    pub missing: BTreeMap<Vec<u8>, BTreeSet<u16>>,
    /// Pictures that cannot be read, and why.
    pub broken: BTreeMap<PathBuf, String>,
}

/// The pictures of a folder by frame number.
pub(super) type Frames = BTreeMap<u16, PathBuf>;

impl TileImages {
    /// Finds the pictures for a level, by its tile directory (`image_dir` in the header, such as `LEVEL1\TILES`).
    ///
    /// They are in `LEVEL1/TILES` below the folder, else in `TILES`, else in the folder itself, as
    /// [`open`](Self::open) reads it; upper and lower case are the same.
    ///
    /// # Errors
    ///
    /// Returns an error as [`open`](Self::open) does, and [`Error::Picture`] if the names of folders say that these are
    /// the pictures of other levels: the folder is called `LEVEL3`, or has a `LEVEL3` and no `LEVEL1`.
    pub fn of_level(dir: &Path, image_dir: &[u8]) -> Result<Self> {
        let image_dir = String::from_utf8_lossy(image_dir).into_owned();
        let parts: Vec<_> = image_dir.split(['\\', '/']).filter(|part| !part.is_empty()).collect();
        let level = parts.first().copied().filter(|part| is_level(part));
        let own = parts.iter().enumerate().find_map(|(at, _)| Some((at, below(dir, parts.get(at..)?).ok()??)));
        if let Some((0, folder)) = &own {
            return Self::open(folder);
        }
        let names = dir.components().map(|part| part.as_os_str().to_string_lossy().into_owned());
        let called = names.rev().find(|name| is_level(name));
        let others = match &called {
            Some(_) => None,
            None => {
                entries(dir)?.into_iter().find(|(name, path)| is_level(name) && path.is_dir()).map(|(name, _)| name)
            }
        };
        let of = called.or(others);
        match of.filter(|of| level.is_none_or(|level| !of.eq_ignore_ascii_case(level))) {
            Some(of) => {
                let why =
                    format!("{}: has pictures of {of}, but the level's pictures are in {image_dir}", dir.display());
                Err(Error::Picture { why })
            }
            None => Self::open(own.as_ref().map_or(dir, |(_, folder)| folder)),
        }
    }

    /// Reads the names of the pictures in a folder.
    ///
    /// # Errors
    ///
    /// Returns an error if the folder cannot be read, and [`Error::Picture`] if it has no picture with a number.
    pub fn open(dir: &Path) -> Result<Self> {
        let mut folders = BTreeMap::from([(Vec::new(), Frames::new())]);
        for (name, path) in entries(dir)? {
            let kind = fs::metadata(&path).map_err(|error| io_error(&path, error))?;
            if kind.is_dir() {
                let frames: &mut Frames = folders.entry(name.to_ascii_uppercase().into_bytes()).or_default();
                for (name, path) in entries(&path)? {
                    add(frames, &name, path);
                }
            } else {
                add(folders.entry(Vec::new()).or_default(), &name, path);
            }
        }
        if folders.values().all(BTreeMap::is_empty) {
            let why = format!("{}: contains no PNG with a frame number in its name", dir.display());
            return Err(Error::Picture { why });
        }
        Ok(Self { folders, report: Arc::default() })
    }

    /// Returns what was wrong with the pictures that were drawn so far.
    pub fn report(&self) -> TileReport {
        self.report.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn count(&self, add: impl FnOnce(&mut TileReport)) {
        add(&mut self.report.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Notes a frame without a picture.
    pub(super) fn is_missing(&self, image_set: &[u8], frame: u16) {
        self.count(|report| {
            report.missing.entry(image_set.to_vec()).or_default().insert(frame);
        });
    }

    /// Notes a picture that cannot be read.
    pub(super) fn is_broken(&self, path: &Path, error: &Error) {
        self.count(|report| {
            report.broken.insert(path.to_owned(), error.to_string());
        });
    }

    /// Returns the pictures for an image set: its own, and those for all image sets.
    pub(super) fn of(&self, image_set: &[u8]) -> [Option<&Frames>; 2] {
        // An image set with an empty name must not match the folder itself.
        let own = self.folders.get(&image_set.to_ascii_uppercase()).filter(|_| !image_set.is_empty());
        [own, self.folders.get(&[][..])]
    }
}

/// Whether a folder is called like the tile directory of a level: `LEVEL1`, `AREA1`, `DUNGEON1`.
fn is_level(name: &str) -> bool {
    let digits = name.trim_start_matches(|char: char| char.is_ascii_alphabetic());
    Game::of_image_dir(name.as_bytes()).is_some() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn add(frames: &mut Frames, name: &str, path: PathBuf) {
    let Some((stem, _)) = name.rsplit_once('.').filter(|(_, kind)| kind.eq_ignore_ascii_case("png")) else { return };
    let digits = stem.split(|char: char| !char.is_ascii_digit()).find(|run| !run.is_empty());
    // Opening a pipe would wait for a writer.
    if let Some(frame) = digits.and_then(|digits| digits.parse().ok())
        && path.is_file()
    {
        frames.entry(frame).or_insert(path);
    }
}

/// The pixels of a picture in row order, as `0xAARRGGBB`.
#[derive(Clone)]
pub(super) struct Pixels {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) inks: Vec<Ink>,
    /// Whether a cell of another size cuts the picture, instead of scaling it.
    pub(super) is_cut: bool,
}

impl Pixels {
    /// Reads a PNG with any pixel format.
    pub(super) fn read(path: &Path) -> Result<Self> {
        /// The largest file: uncompressed pixels of 16 bits, and as much besides.
        const FILE: u64 = 16 << 20;

        let broken = |why: &dyn std::fmt::Display| Error::Picture { why: format!("{}: {why}", path.display()) };
        let mut file = Vec::new();
        File::open(path).and_then(|open| open.take(FILE).read_to_end(&mut file)).map_err(|error| broken(&error))?;
        let picture = Picture::decode(&file, (MAX * MAX) as usize).map_err(|why| broken(&why))?;
        let (width, height) = (picture.width, picture.height);
        if width > MAX || height > MAX {
            return Err(broken(&format_args!("{width} x {height} pixels, but tiles can have at most {MAX} x {MAX}")));
        }
        let ink = |[red, green, blue, opacity]: [u8; 4]| Ink::from_be_bytes([opacity, red, green, blue]);
        Ok(Self { width, height, inks: picture.colors().into_iter().map(ink).collect(), is_cut: false })
    }

    /// Returns the picture reduced to at most `width` x `height`, averaging pixels.
    pub(super) fn within(mut self, width: u32, height: u32) -> Result<Self> {
        let size = Size { width: self.width.min(width), height: self.height.min(height) };
        if (size.width, size.height) == (self.width, self.height) {
            return Ok(self);
        }
        let mut inks = Vec::with_capacity(size.width as usize * size.height as usize);
        let mut push = |_, row: &mut [Ink]| {
            inks.extend_from_slice(row);
            Ok(())
        };
        let mut reduced = Reduced::new((self.width.into(), self.height.into()), size);
        // From the lower right, so that of sizes that do not divide evenly the first pixels average fewer than the last.
        self.inks.reverse();
        for (y, row) in (0..).zip(self.inks.chunks_exact(self.width as usize)) {
            reduced.add(y, row, &mut push)?;
        }
        reduced.finish(&mut push)?;
        inks.reverse();
        Ok(Self { width: size.width, height: size.height, inks, ..self })
    }
}
