use std::collections::HashMap;
use std::sync::Arc;

use worldview_rez::ImageSet;
use worldview_wwd::Object;

use crate::Result;
use crate::level::game::{Frame, LevelPictures, Palette, Pixels, Sprite};
use crate::level::png::atlas::{Picture, Reader};
use crate::level::png::tiles::{Frames, TileImages};
use crate::picture::Ink;

/// Maximum side of a tile for which a picture of [`TileImages`] is scaled.
const MAX_SIDE: u32 = 4096;

/// The pictures that are needed for a drawing.
pub(super) struct Gallery<'g, 'i> {
    pictures: &'g LevelPictures<'g>,
    images: Option<&'i TileImages>,
    reader: Option<Reader<'i>>,
    shown: Vec<Shown>,
    /// The index in `shown` by the number of the frame; `None` for one that cannot be decoded.
    known: HashMap<u32, Option<usize>>,
    /// The index in `shown` of pictures that are not the game's, by their number and the size of the tile.
    scaled: HashMap<(usize, (u32, u32)), usize>,
}

/// A picture that is needed.
pub(super) enum Shown {
    /// A picture of the game.
    Game(Arc<Sprite>),
    /// A picture for a tile that the game does not have, in the size of the tile.
    Other { size: (u32, u32), inks: Vec<Ink> },
}

/// Where the pictures of an image set are.
#[derive(Default)]
pub(super) struct TileSet<'g, 'i> {
    name: Vec<u8>,
    set: Option<&'g ImageSet<Frame<'g>>>,
    folders: [Option<&'i Frames>; 2],
}

impl<'g, 'i> Gallery<'g, 'i> {
    pub(super) fn new(pictures: &'g LevelPictures<'g>, images: Option<&'i TileImages>) -> Self {
        let reader = images.map(Reader::new);
        Self { pictures, images, reader, shown: Vec::new(), known: HashMap::new(), scaled: HashMap::new() }
    }

    pub(super) const fn pictures(&self) -> &'g LevelPictures<'g> {
        self.pictures
    }

    pub(super) fn shown(&self) -> &[Shown] {
        &self.shown
    }

    pub(super) fn set(&self, name: &[u8]) -> TileSet<'g, 'i> {
        let folders = self.images.map(|images| images.of(name)).unwrap_or_default();
        TileSet { name: name.to_vec(), set: self.pictures.registry().set(name), folders }
    }

    /// Returns the picture of a tile: the game's, or else one of [`TileImages`].
    pub(super) fn tile(&mut self, set: &TileSet<'g, 'i>, frame: u16, tile: (u32, u32)) -> Result<Option<usize>> {
        if let Some(found) = set.set.and_then(|set| set.frame(frame.into()))
            && let Some(known) = self.game(found)
        {
            return Ok(Some(known));
        }
        let Some(reader) = &mut self.reader else { return Ok(None) };
        if tile.0.max(tile.1) > MAX_SIDE {
            return Ok(None);
        }
        let Some(at) = reader.find(&set.folders, &set.name, frame, tile)? else { return Ok(None) };
        if let Some(known) = self.scaled.get(&(at, tile)) {
            return Ok(Some(*known));
        }
        let Some(picture) = reader.picture(at) else { return Ok(None) };
        let stamp = self.shown.len();
        self.shown.push(Shown::Other { size: tile, inks: scaled(picture, tile) });
        self.scaled.insert((at, tile), stamp);
        Ok(Some(stamp))
    }

    /// Returns the picture of an object.
    pub(super) fn object(&mut self, object: &Object<'_>) -> Option<(usize, Arc<Sprite>)> {
        let stamp = self.game(self.pictures.object(object)?)?;
        match self.shown.get(stamp)? {
            Shown::Game(sprite) => Some((stamp, Arc::clone(sprite))),
            Shown::Other { .. } => None,
        }
    }

    fn game(&mut self, frame: &Frame<'g>) -> Option<usize> {
        if let Some(known) = self.known.get(&frame.id()) {
            return *known;
        }
        let stamp = self.pictures.decode(frame).ok().map(|sprite| {
            self.shown.push(Shown::Game(sprite));
            self.shown.len() - 1
        });
        self.known.insert(frame.id(), stamp);
        stamp
    }

    /// Returns the palette that all pictures share, and an index that no opaque pixel has; `None` if there is none.
    /// `fills` are the indices of filled cells.
    pub(super) fn indexed(&self, fills: impl Iterator<Item = u8>) -> Option<(u8, Palette)> {
        let shared = self.pictures.shared_palette()?;
        let mut used = [false; 256];
        fills.for_each(|index| used[usize::from(index)] = true);
        for shown in &self.shown {
            let Shown::Game(sprite) = shown else { return None };
            let Pixels::Indices { palette, .. } = sprite.pixels() else { return None };
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

/// Returns a picture in the size of a tile.
fn scaled(picture: &Picture, (wide, high): (u32, u32)) -> Vec<Ink> {
    let mut inks = Vec::with_capacity(wide as usize * high as usize);
    for y in 0..high {
        let row = picture.row(y.into(), 0, high.into());
        inks.extend((0..wide).map(|x| picture.sample(row, x.into(), 0, wide.into())));
    }
    inks
}
