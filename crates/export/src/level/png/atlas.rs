use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::Path;

use worldview_core::Budget;
use worldview_wwd::{Level, Plane, Tile, TileKind};

use super::Options;
use super::inks::spend;
use super::tiles::{Frames, Pixels, TileImages};
use crate::picture::Ink;
use crate::{Error, Result};

/// Maximum number of pixels of all pictures as stored on disk, which also limits their memory.
const MAX: u64 = 1 << 26;

/// The real picture of a tile, no larger than the cell in which it is drawn.
#[derive(Clone)]
pub(super) struct Picture {
    pixels: Pixels,
    /// Whether the picture has the size of its pixels, instead of that of the cell.
    is_cut: bool,
}

impl Picture {
    /// Returns the row of the picture to draw at `y`, if the picture fills `start..end`.
    pub(super) fn row(&self, y: u64, start: u64, end: u64) -> &[Ink] {
        let (width, at) = (self.pixels.width as usize, self.scaled(y, start, end, u64::from(self.pixels.height)));
        self.pixels.inks.get(at.saturating_mul(width)..).and_then(|rest| rest.get(..width)).unwrap_or(&[])
    }

    /// Returns the pixel of a row to draw at `x`, if the row fills `start..end`.
    pub(super) fn sample(&self, row: &[Ink], x: u64, start: u64, end: u64) -> Ink {
        row.get(self.scaled(x, start, end, row.len() as u64)).copied().unwrap_or(0)
    }

    fn scaled(&self, at: u64, start: u64, end: u64, count: u64) -> usize {
        let count = if self.is_cut { end.saturating_sub(start) } else { count };
        scaled(at, start, end, count)
    }
}

/// Returns which of `count` equal parts of `start..end` contains `at`.
fn scaled(at: u64, start: u64, end: u64, count: u64) -> usize {
    let length = end.saturating_sub(start).max(1);
    let part = at.saturating_sub(start).min(length - 1).saturating_mul(count) / length;
    usize::try_from(part).unwrap_or(usize::MAX)
}

/// The real pictures needed, by plane number and tile word.
#[derive(Default)]
pub(super) struct Atlas {
    pictures: Vec<Picture>,
    planes: BTreeMap<usize, BTreeMap<u32, usize>>,
}

impl Atlas {
    /// Reads the pictures for the tiles of planes. Each plane comes with the size of the cells in which its tiles are
    /// drawn.
    pub(super) fn of<'p, 'a: 'p>(
        level: &Level<'a>,
        images: &TileImages,
        planes: impl Iterator<Item = (&'p Plane<'a>, (u32, u32))>,
        budget: &mut Budget,
    ) -> Result<Self> {
        let mut reader = Reader::new(images);
        let mut atlas = BTreeMap::new();
        for (plane, cell) in planes {
            spend(level, plane, budget)?;
            let sets = image_sets(level, plane, budget)?;
            let folders: Vec<_> = sets.iter().map(|set| images.of(set)).collect();
            let unnamed = images.of(&[]);
            let mut words = BTreeMap::new();
            let mut before = Tile::EMPTY;
            for tile in plane.tiles() {
                let word = tile.get();
                let TileKind::Image { image_set, frame } = tile.kind() else { continue };
                // Adjacent tiles are often the same.
                if word == std::mem::replace(&mut before, word) {
                    continue;
                }
                let folders = folders.get(usize::from(image_set)).unwrap_or(&unnamed);
                let Entry::Vacant(entry) = words.entry(word) else { continue };
                let set = sets.get(usize::from(image_set)).copied().unwrap_or_default();
                if let Some(at) = reader.find(folders, set, frame, cell)? {
                    entry.insert(at);
                }
            }
            atlas.insert(plane.index(), words);
        }
        Ok(Self { pictures: reader.pictures, planes: atlas })
    }

    /// Reads the pictures for tile words of one image set: those of the game, and others for tiles without one.
    pub(super) fn of_set(
        options: &Options<'_>,
        image_set: &[u8],
        words: impl Iterator<Item = u32>,
        cell: (u32, u32),
    ) -> Result<Self> {
        let mut reader = options.tiles.map(Reader::new);
        let folders = options.tiles.map(|images| images.of(image_set)).unwrap_or_default();
        let (mut pictures, mut found) = (Vec::new(), BTreeMap::new());
        // The pictures of the game by the number of their frame.
        #[cfg(feature = "game")]
        let mut cut = BTreeMap::new();
        for word in words {
            let [low, high, ..] = word.to_le_bytes();
            let frame = u16::from_le_bytes([low, high]);
            #[cfg(feature = "game")]
            if let Some((id, pixels)) = options.pictures().and_then(|game| tile(game, image_set, frame, cell)) {
                let at = *cut.entry(id).or_insert_with(|| {
                    pictures.push(Picture { pixels, is_cut: true });
                    pictures.len() - 1
                });
                found.insert(word, at);
                continue;
            }
            let Some(reader) = &mut reader else { continue };
            if let Some(at) = reader.find(&folders, image_set, frame, cell)? {
                found.insert(word, pictures.len());
                pictures.push(reader.pictures[at].clone());
            }
        }
        Ok(Self { pictures, planes: BTreeMap::from([(0, found)]) })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.pictures.is_empty()
    }

    /// Returns the pictures for the tiles of a plane.
    pub(super) fn on(&self, plane: usize) -> Shown<'_> {
        Shown { pictures: &self.pictures, words: self.planes.get(&plane) }
    }
}

/// The real pictures for the tiles of one plane.
#[derive(Clone, Copy)]
pub(super) struct Shown<'a> {
    pictures: &'a [Picture],
    words: Option<&'a BTreeMap<u32, usize>>,
}

impl<'a> Shown<'a> {
    /// Returns the picture of a tile.
    pub(super) fn get(self, word: u32) -> Option<&'a Picture> {
        self.pictures.get(*self.words?.get(&word)?)
    }
}

/// Reads each picture once for each size in which it is drawn.
pub(super) struct Reader<'i> {
    images: &'i TileImages,
    pictures: Vec<Picture>,
    /// The number of the picture; none for one that is broken.
    known: BTreeMap<(&'i Path, (u32, u32)), Option<usize>>,
    pixels: u64,
}

impl<'i> Reader<'i> {
    pub(super) const fn new(images: &'i TileImages) -> Self {
        Self { images, pictures: Vec::new(), known: BTreeMap::new(), pixels: 0 }
    }

    /// Returns the picture with this number.
    #[cfg(feature = "game")]
    pub(super) fn picture(&self, number: usize) -> Option<&Picture> {
        self.pictures.get(number)
    }

    /// The number of the picture for a frame; `None`, and noted, if there is none or it cannot be read.
    pub(super) fn find(
        &mut self,
        folders: &[Option<&'i Frames>; 2],
        image_set: &[u8],
        frame: u16,
        cell: (u32, u32),
    ) -> Result<Option<usize>> {
        let Some(path) = folders.iter().flatten().find_map(|frames| frames.get(&frame)) else {
            self.images.is_missing(image_set, frame);
            return Ok(None);
        };
        if let Some(known) = self.known.get(&(path.as_path(), cell)) {
            return Ok(*known);
        }
        let at = match Pixels::read(path) {
            Err(error) => {
                self.images.is_broken(path, &error);
                None
            }
            Ok(pixels) => {
                self.pixels += pixels.inks.len() as u64;
                if self.pixels > MAX {
                    let why = format!("{}: this picture brings the tiles to more than {MAX} pixels", path.display());
                    return Err(Error::Picture { why });
                }
                self.pictures.push(Picture { pixels: pixels.within(cell.0, cell.1), is_cut: false });
                Some(self.pictures.len() - 1)
            }
        };
        self.known.insert((path, cell), at);
        Ok(at)
    }
}

/// Returns the picture of a tile, cut to the size of a cell, and the number of its frame.
#[cfg(feature = "game")]
fn tile(
    pictures: &crate::level::game::LevelPictures<'_>,
    image_set: &[u8],
    frame: u16,
    cell: (u32, u32),
) -> Option<(u32, Pixels)> {
    let frame = pictures.tile(image_set, frame)?;
    let sprite = pictures.decode(frame).ok()?;
    let (width, height) = (sprite.width().min(cell.0), sprite.height().min(cell.1));
    let start = |y: u32| y as usize * sprite.width() as usize;
    let pixels = (0..height).flat_map(|y| (start(y)..).take(width as usize));
    let ink = |at| match sprite.color(at) {
        Some([red, green, blue, 0xFF]) => crate::picture::opaque([red, green, blue]),
        _ => 0,
    };
    Some((frame.id(), Pixels { width, height, inks: pixels.map(ink).collect() }))
}

/// Returns the names of the image sets of a plane, up to the largest index that tiles can refer to.
pub(super) fn image_sets<'a>(level: &Level<'a>, plane: &Plane<'a>, budget: &mut Budget) -> Result<Vec<&'a [u8]>> {
    let mut names = plane.image_sets().iter();
    let mut sets = Vec::new();
    while sets.len() <= usize::from(u16::MAX) {
        let start = names.position();
        let Some(name) = names.next() else { break };
        sets.push(name?);
        let paid = budget.spend(names.position().saturating_sub(start), start, level.image().space());
        paid.map_err(|error| error.within(&"plane", crate::level::number(plane.index())))?;
    }
    Ok(sets)
}
