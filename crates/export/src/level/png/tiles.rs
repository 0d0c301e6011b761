use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use png::{ColorType, Decoder, Transformations};

use crate::picture::Ink;
use crate::{Error, Result};

/// Maximum side in pixels of a tile's picture.
const MOST: u32 = 1024;

/// A folder of PNG pictures for tiles. The first run of digits in a file name is the frame number.
///
/// A subfolder with the name of an image set, ignoring case, contains the pictures for that image set. Pictures in
/// the folder itself apply to every image set that has none of its own. Pictures are only read when they are drawn,
/// so unused pictures may be invalid.
#[derive(Clone, Debug)]
pub struct TileImages {
    /// The pictures by the name of their subfolder in upper case; those in the folder itself have an empty name.
    folders: BTreeMap<Vec<u8>, Frames>,
}

/// The pictures of a folder by frame number.
pub(super) type Frames = BTreeMap<u16, PathBuf>;

impl TileImages {
    /// Lists the pictures of a folder.
    ///
    /// # Errors
    ///
    /// Returns an error if the folder cannot be read, and [`Error::Picture`] if no picture in it has a number.
    pub fn open(dir: &Path) -> Result<Self> {
        let mut folders = BTreeMap::from([(Vec::new(), Frames::new())]);
        for (name, path) in entries(dir)? {
            let kind = fs::metadata(&path).map_err(|error| at(&path, error))?;
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
            let why = format!("{}: no PNG with a frame number in its name", dir.display());
            return Err(Error::Picture { why });
        }
        Ok(Self { folders })
    }

    /// Returns the pictures for an image set: its own, and those for all image sets.
    pub(super) fn of(&self, image_set: &[u8]) -> [Option<&Frames>; 2] {
        // An image set with an empty name must not match the folder itself.
        let own = self.folders.get(&image_set.to_ascii_uppercase()).filter(|_| !image_set.is_empty());
        [own, self.folders.get(&[][..])]
    }
}

/// Returns the contents of a folder sorted by name, so that the choice between files is the same on all systems.
fn entries(dir: &Path) -> Result<BTreeMap<String, PathBuf>> {
    let list = fs::read_dir(dir).and_then(|entries| {
        entries
            .map(|entry| entry.map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path())))
            .collect()
    });
    list.map_err(|error| at(dir, error))
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

fn at(path: &Path, error: io::Error) -> Error {
    Error::Io(io::Error::new(error.kind(), format!("{}: {error}", path.display())))
}

/// The pixels of a picture in row order, as `0xAARRGGBB`.
pub(super) struct Pixels {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) inks: Vec<Ink>,
}

impl Pixels {
    /// Reads a PNG with any pixel format.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let broken = |why: &dyn std::fmt::Display| Error::Picture { why: format!("{}: {why}", path.display()) };
        let mut decoder = Decoder::new(BufReader::new(File::open(path).map_err(|error| broken(&error))?));
        decoder.set_transformations(Transformations::normalize_to_color8() | Transformations::ALPHA);
        let mut reader = decoder.read_info().map_err(|error| broken(&error))?;
        let (width, height) = reader.info().size();
        if width > MOST || height > MOST {
            return Err(broken(&format_args!("{width} x {height} pixels, {MOST} x {MOST} is the most for a tile")));
        }
        let mut bytes = vec![0; reader.output_buffer_size().unwrap_or(0)];
        let frame = reader.next_frame(&mut bytes).map_err(|error| broken(&error))?;
        bytes.truncate(frame.buffer_size());
        let inks = match frame.color_type {
            ColorType::Rgba => bytes
                .as_chunks()
                .0
                .iter()
                .map(|&[red, green, blue, opacity]| [opacity, red, green, blue])
                .map(Ink::from_be_bytes)
                .collect(),
            ColorType::GrayscaleAlpha => bytes
                .as_chunks()
                .0
                .iter()
                .map(|&[grey, opacity]| [opacity, grey, grey, grey])
                .map(Ink::from_be_bytes)
                .collect(),
            other => return Err(broken(&format_args!("pixels come out as {other:?}"))),
        };
        Ok(Self { width: frame.width, height: frame.height, inks })
    }

    /// Returns the picture reduced to at most `width` x `height`, averaging pixels.
    pub(super) fn within(self, width: u32, height: u32) -> Self {
        let (wide, high) = (self.width.min(width), self.height.min(height));
        if (wide, high) == (self.width, self.height) {
            return self;
        }
        // This cannot overflow, because no side is longer than `MOST`.
        let part = |at: u32, of: u32, all: u32| (at * all / of) as usize;
        let mut inks = Vec::with_capacity(wide as usize * high as usize);
        for y in 0..high {
            let rows = part(y, high, self.height)..part(y + 1, high, self.height);
            for x in 0..wide {
                let columns = part(x, wide, self.width)..part(x + 1, wide, self.width);
                let rows = self.inks.chunks_exact(self.width as usize).take(rows.end).skip(rows.start);
                inks.push(average(rows.flat_map(|row| &row[columns.clone()])));
            }
        }
        Self { width: wide, height: high, inks }
    }
}

/// Returns the average of colors, weighted by opacity.
fn average<'a>(inks: impl Iterator<Item = &'a Ink>) -> Ink {
    let (mut count, mut sums) = (0, [0_u64; 4]);
    for [opacity, color @ ..] in inks.map(|ink| ink.to_be_bytes().map(u64::from)) {
        count += 1;
        sums[0] += opacity;
        for (sum, part) in sums[1..].iter_mut().zip(color) {
            *sum += part * opacity;
        }
    }
    let [opacity, color @ ..] = sums;
    let mean =
        |sum: u64, count: u64| u8::try_from((sum + count / 2).checked_div(count).unwrap_or(0)).unwrap_or(u8::MAX);
    let [red, green, blue] = color.map(|sum| mean(sum, opacity));
    Ink::from_be_bytes([mean(opacity, count), red, green, blue])
}
