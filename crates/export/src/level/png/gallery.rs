//! The pictures that a drawing needs: those of the game, and others for tiles that the game does not have.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

#[cfg(feature = "game")]
use worldview_rez::ImageSet;
use worldview_wwd::Object;

use super::Options;
use super::place::Place;
#[cfg(feature = "game")]
use super::region::{ReducedPictures, Reduction};
use super::scene::Look;
use super::tiles::{Frames, Pixels, TileImages};
#[cfg(feature = "game")]
use crate::level::game::{Frame, LevelPictures, Palette, Pixels as SpritePixels, Sprite};
#[cfg(feature = "game")]
use crate::picture::opaque;
use crate::{Error, Result};

/// Maximum number of pixels of all pictures as stored on disk, which also limits their memory.
const MAX: u64 = 1 << 26;

/// The pictures that are needed for a drawing.
pub(super) struct Gallery<'g> {
    #[cfg(feature = "game")]
    pictures: Option<&'g LevelPictures<'g>>,
    images: Option<&'g TileImages>,
    pub(super) shown: Vec<Shown>,
    /// The index in `shown` by the number of the frame; `None` for one that cannot be decoded.
    #[cfg(feature = "game")]
    known: HashMap<u32, Option<u32>>,
    /// The index in `shown` of each picture for each size in which it is drawn; `None` for one that is broken.
    read: HashMap<(&'g Path, (u32, u32)), Option<u32>>,
    /// The number of pixels in `read` as stored on disk.
    pixels: u64,
    /// The reduced pictures that are drawn instead of the game's, and how they are reduced.
    #[cfg(feature = "game")]
    pub(super) reduced: Option<(Arc<ReducedPictures>, [Reduction; 2])>,
}

/// A picture that is needed.
pub(super) enum Shown {
    /// A picture of the game.
    #[cfg(feature = "game")]
    Game(Arc<Sprite>),
    /// A reduced one, or a picture for a tile that the game does not have, no larger than the tile.
    Other(Arc<Pixels>),
}

/// Where the pictures of an image set are.
pub(super) struct TileSet<'g> {
    name: Vec<u8>,
    #[cfg(feature = "game")]
    set: Option<&'g ImageSet<Frame<'g>>>,
    folders: [Option<&'g Frames>; 2],
}

impl<'g> Gallery<'g> {
    pub(super) fn new(options: &Options<'g>) -> Self {
        Self {
            #[cfg(feature = "game")]
            pictures: options.pictures(),
            images: options.tiles,
            shown: Vec::new(),
            #[cfg(feature = "game")]
            known: HashMap::new(),
            read: HashMap::new(),
            pixels: 0,
            #[cfg(feature = "game")]
            reduced: None,
        }
    }

    /// Returns whether no tile can have a picture.
    pub(super) const fn is_empty(&self) -> bool {
        #[cfg(feature = "game")]
        if self.pictures.is_some() {
            return false;
        }
        self.images.is_none()
    }

    /// Returns the image set with this name.
    pub(super) fn set(&self, name: &[u8]) -> TileSet<'g> {
        TileSet {
            #[cfg(feature = "game")]
            set: self.pictures.and_then(|pictures| pictures.registry().set(name)),
            ..self.folders(name)
        }
    }

    /// Returns the image set of tiles whose plane does not name theirs.
    pub(super) fn nameless(&self) -> TileSet<'g> {
        self.folders(&[])
    }

    fn folders(&self, name: &[u8]) -> TileSet<'g> {
        TileSet {
            name: name.to_vec(),
            #[cfg(feature = "game")]
            set: None,
            folders: self.images.map(|images| images.of(name)).unwrap_or_default(),
        }
    }

    /// Returns what a tile with a picture shows: the game's, or else one of [`TileImages`]. That is reduced to the size of
    /// a cell.
    pub(super) fn tile(&mut self, set: &TileSet<'g>, frame: u16, cell: (u32, u32)) -> Result<Option<Look>> {
        #[cfg(feature = "game")]
        if let Some(found) = set.set.and_then(|set| set.frame(frame.into()))
            && let Some(known) = self.game(found)
        {
            return Ok(Some(self.look(known, cell)));
        }
        let Some(images) = self.images else { return Ok(None) };
        let Some(path) = set.folders.iter().flatten().find_map(|frames| frames.get(&frame)) else {
            images.is_missing(&set.name, frame);
            return Ok(None);
        };
        if let Some(known) = self.read.get(&(path.as_path(), cell)) {
            return Ok(known.map(Look::Stamp));
        }
        let at = match Pixels::read(path) {
            Err(error) => {
                images.is_broken(path, &error);
                None
            }
            Ok(pixels) => {
                self.pixels += pixels.inks.len() as u64;
                if self.pixels > MAX {
                    let why = format!("{}: this picture brings the tiles to more than {MAX} pixels", path.display());
                    return Err(Error::Picture { why });
                }
                Some(self.show(Shown::Other(Arc::new(pixels.within(cell.0, cell.1)?))))
            }
        };
        self.read.insert((path, cell), at);
        Ok(at.map(Look::Stamp))
    }

    /// Returns what a cell with a picture shows. A single pixel is painted faster without a stamp.
    pub(super) fn look(&self, stamp: u32, cell: (u32, u32)) -> Look {
        match self.shown.get(stamp as usize) {
            Some(Shown::Other(picture)) if cell == (1, 1) && picture.inks.len() == 1 => Look::Flat(picture.inks[0]),
            _ => Look::Stamp(stamp),
        }
    }

    pub(super) fn show(&mut self, picture: Shown) -> u32 {
        self.shown.push(picture);
        // There are not as many: each has a pixel.
        u32::try_from(self.shown.len() - 1).unwrap_or(u32::MAX)
    }
}

/// Returns a picture of the game, reduced.
#[cfg(feature = "game")]
pub(super) fn reduced(kept: &ReducedPictures, frame: u32, sprite: &Sprite, sides: [Reduction; 2]) -> Arc<Pixels> {
    kept.get(frame, (sprite.width(), sprite.height()), sides, |x, y| {
        match sprite.color(y as usize * sprite.width() as usize + x as usize) {
            Some([red, green, blue, 0xFF]) => opaque([red, green, blue]),
            // Pictures of a game have no other opacities.
            _ => 0,
        }
    })
}

#[cfg(feature = "game")]
impl<'g> Gallery<'g> {
    /// Returns the palette of the game.
    pub(super) fn palette(&self) -> Option<&'g Palette> {
        self.pictures?.palette()
    }

    /// Returns the picture of an object, and where it is.
    pub(super) fn object(&mut self, object: &Object<'_>) -> Option<(u32, Place)> {
        let stamp = self.game(self.pictures?.object(object)?)?;
        match self.shown.get(stamp as usize)? {
            Shown::Game(sprite) => Some((stamp, Place::of(object, sprite))),
            Shown::Other(_) => None,
        }
    }

    fn game(&mut self, frame: &Frame<'g>) -> Option<u32> {
        if let Some(known) = self.known.get(&frame.id()) {
            return *known;
        }
        let sprite = self.pictures?.decode(frame).ok();
        let stamp = sprite.map(|sprite| {
            self.show(match &self.reduced {
                Some((pictures, sides)) => Shown::Other(reduced(pictures, frame.id(), &sprite, *sides)),
                None => Shown::Game(sprite),
            })
        });
        self.known.insert(frame.id(), stamp);
        stamp
    }

    /// Returns the palette that all pictures share, and an index that no opaque pixel has; `None` if there is none.
    /// `fills` are the indices of filled cells.
    pub(super) fn indexed(&self, fills: impl Iterator<Item = u8>) -> Option<(u8, Palette)> {
        let shared = self.pictures?.shared_palette()?;
        let mut used = [false; 256];
        fills.for_each(|index| used[usize::from(index)] = true);
        for shown in &self.shown {
            let Shown::Game(sprite) = shown else { return None };
            let SpritePixels::Indices { palette, .. } = sprite.pixels() else { return None };
            if !Arc::ptr_eq(palette, shared) {
                return None;
            }
            for (used, also) in used.iter_mut().zip(sprite.used()) {
                *used |= also;
            }
        }
        let clear = (0..=u8::MAX).find(|&index| !used[usize::from(index)])?;
        Some((clear, **shared))
    }
}

#[cfg(not(feature = "game"))]
impl Gallery<'_> {
    pub(super) const fn palette(&self) -> Option<&[[u8; 3]; 256]> {
        None
    }

    pub(super) const fn object(&mut self, _: &Object<'_>) -> Option<(u32, Place)> {
        None
    }

    pub(super) fn indexed(&self, _: impl Iterator<Item = u8>) -> Option<(u8, [[u8; 3]; 256])> {
        None
    }
}
