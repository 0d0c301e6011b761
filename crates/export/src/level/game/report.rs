use std::collections::{BTreeMap, BTreeSet};

use worldview_wwd::{Level, Plane, TileKind};

use super::LevelPictures;
use super::assets::Frame;
use crate::Result;

/// Which tiles and objects of a level have a picture, and what is missing: [`LevelPictures::resolve`].
#[non_exhaustive]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PictureReport {
    /// Number of cells that show a frame, on all planes.
    pub tiles: u64,
    /// Number of objects with an image set, on all planes.
    pub objects: u64,
    /// The image sets with missing frames, and those that are missing altogether, by name.
    pub sets: BTreeMap<Vec<u8>, SetReport>,
    /// The tiles whose picture does not have the size of the plane's tiles, by image set and frame.
    pub sizes: BTreeMap<Vec<u8>, BTreeMap<u16, SizeReport>>,
    /// The pictures that cannot be read, or only in part, by path, and why.
    pub broken: BTreeMap<String, String>,
    /// The pictures of light, by path. They have strengths instead of colors, and are not drawn.
    pub lights: BTreeSet<String>,
}

/// What is missing of an image set.
#[non_exhaustive]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetReport {
    /// Whether the game has the image set.
    pub is_known: bool,
    /// The missing frames. The frame of an object can be -1, for the lowest.
    pub frames: BTreeMap<i32, Uses>,
}

/// How often a picture is used.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uses {
    /// Number of cells.
    pub tiles: u64,
    /// Number of objects.
    pub objects: u64,
    /// The first use.
    pub first: PictureUse,
}

/// A place where a picture is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureUse {
    /// A cell of a plane.
    Tile {
        /// Index of the plane.
        plane: usize,
        /// Column of the cell.
        column: usize,
        /// Row of the cell.
        row: usize,
    },
    /// An object of a plane.
    Object {
        /// Index of the plane.
        plane: usize,
        /// Index of the object.
        index: usize,
    },
}

/// A tile whose picture has another size than the plane's tiles.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeReport {
    /// Width and height of the picture in pixels.
    pub found: (u32, u32),
    /// Width and height of the plane's tiles in pixels.
    pub expected: (u32, u32),
    /// Where it is used.
    pub uses: Uses,
}

impl PictureReport {
    /// Returns the number of cells without a picture, and of objects without one.
    pub fn missing(&self) -> (u64, u64) {
        let uses = self.sets.values().flat_map(|set| set.frames.values());
        uses.fold((0, 0), |(tiles, objects), uses| (tiles + uses.tiles, objects + uses.objects))
    }

    fn miss(&mut self, name: &[u8], is_known: bool, frame: i32, uses: Uses) {
        let set = match self.sets.get_mut(name) {
            Some(set) => set,
            None => self.sets.entry(name.to_vec()).or_default(),
        };
        set.is_known = is_known;
        set.frames
            .entry(frame)
            .and_modify(|known| {
                known.tiles += uses.tiles;
                known.objects += uses.objects;
            })
            .or_insert(uses);
    }

    /// Decodes a picture and returns its size, or notes why it is broken.
    fn decode<'g>(&mut self, pictures: &LevelPictures<'g>, frame: &Frame<'g>) -> Option<(u32, u32)> {
        let sprite = pictures.decode(frame);
        if sprite.is_err() && pictures.is_light(frame) {
            self.lights.insert(frame.path());
            return None;
        }
        let (broken, size) = match &sprite {
            Ok(sprite) => (sprite.broken(), Some((sprite.width(), sprite.height()))),
            Err(why) => (Some(why.as_str()), None),
        };
        if let Some(why) = broken {
            self.broken.entry(frame.path()).or_insert_with(|| why.to_owned());
        }
        size
    }
}

impl<'g> LevelPictures<'g> {
    /// Looks up the pictures of all tiles and objects of a level, and decodes them. Nothing is drawn.
    ///
    /// # Errors
    ///
    /// Returns an error if an object or the name of an image set is truncated.
    pub fn resolve(&self, level: &Level<'_>) -> Result<PictureReport> {
        let mut report = PictureReport::default();
        if let Some((path, why)) = self.broken_palette() {
            report.broken.insert(path.to_owned(), why.to_owned());
        }
        for plane in level.planes() {
            self.resolve_tiles(plane, &mut report)?;
            self.resolve_objects(plane, &mut report)?;
        }
        Ok(report)
    }

    fn resolve_tiles(&self, plane: &Plane<'_>, report: &mut PictureReport) -> Result<()> {
        // Where each tile word is first used, and how often.
        let mut words: BTreeMap<u32, (TileKind, Uses)> = BTreeMap::new();
        for (row, tiles) in plane.rows().enumerate() {
            let mut column = 0;
            // Adjacent tiles are often the same.
            for run in tiles.chunk_by(|one, next| one == next) {
                let (kind, len) = (run[0].kind(), run.len() as u64);
                if let TileKind::Image { .. } = kind {
                    report.tiles += len;
                    let first = PictureUse::Tile { plane: plane.index(), column, row };
                    words
                        .entry(run[0].get())
                        .and_modify(|(_, uses)| uses.tiles += len)
                        .or_insert((kind, Uses { tiles: len, objects: 0, first }));
                }
                column += run.len();
            }
        }
        let expected = self.tile_size(plane);
        let names = crate::level::image_sets(plane)?;
        for (index, sets) in by_set(&words) {
            let name = names.get(usize::from(index)).copied().unwrap_or_default();
            let set = self.registry().set(name);
            for (number, uses) in sets {
                let Some(frame) = set.and_then(|set| set.frame(number.into())) else {
                    report.miss(name, set.is_some(), number.into(), uses);
                    continue;
                };
                let found = report.decode(self, frame);
                if let Some((found, expected)) = found.zip(expected).filter(|(found, expected)| found != expected) {
                    let sizes = report.sizes.entry(name.to_vec()).or_default();
                    let size = sizes.entry(number).or_insert(SizeReport { found, expected, uses });
                    if size.uses.first != uses.first {
                        size.uses.tiles += uses.tiles;
                    }
                }
            }
        }
        Ok(())
    }

    fn resolve_objects(&self, plane: &Plane<'_>, report: &mut PictureReport) -> Result<()> {
        for object in plane.objects() {
            let object = object?;
            if object.image_set.is_empty() {
                continue;
            }
            report.objects += 1;
            match self.object(&object) {
                Some(frame) => drop(report.decode(self, frame)),
                None => {
                    let is_known = self.registry().set(object.image_set).is_some();
                    let first = PictureUse::Object { plane: plane.index(), index: object.index };
                    report.miss(object.image_set, is_known, object.i.get(), Uses { tiles: 0, objects: 1, first });
                }
            }
        }
        Ok(())
    }
}

/// Returns the frames that tiles show, by the index of their image set.
fn by_set(words: &BTreeMap<u32, (TileKind, Uses)>) -> BTreeMap<u16, Vec<(u16, Uses)>> {
    let mut sets: BTreeMap<u16, Vec<_>> = BTreeMap::new();
    for (kind, uses) in words.values() {
        if let TileKind::Image { image_set, frame } = *kind {
            sets.entry(image_set).or_default().push((frame, *uses));
        }
    }
    sets
}
