use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use worldview_rez::ImageSet;
use worldview_wwd::{Object, Plane, Tile, TileKind};

use super::MAX_KEPT;
use super::color::{Color, color};
use super::look::CellLook;
use super::stamp::Stamp;
use crate::level::game::{Frame, LevelPictures, Sprite};
use crate::level::palette;

/// Maximum number of averages that are kept.
const MAX_MEANS: usize = 1 << 16;

/// The pictures of the game for a plane.
pub(super) struct PlaneGame<'p> {
    pictures: &'p LevelPictures<'p>,
    plane: Plane<'p>,
    tile: (u32, u32),
    fill: Color,
    sets: OnceLock<Vec<Option<&'p ImageSet<Frame<'p>>>>>,
    prepared: Arc<Mutex<Prepared>>,
}

/// What the regions of all planes of a level share.
#[derive(Default)]
struct Prepared {
    /// By the number of the frame.
    stamps: HashMap<u32, Arc<Stamp>>,
    /// The number of pixels of all `stamps`.
    pixels: usize,
    /// The averages of whole tiles, by the number of the frame and the size of the tiles.
    means: HashMap<(u32, (u32, u32)), Color>,
}

impl<'p> PlaneGame<'p> {
    pub(super) fn new(plane: &Plane<'p>, tile: (u32, u32), pictures: &'p LevelPictures<'p>) -> Self {
        let [fill, ..] = plane.header().fill_color.get().to_le_bytes();
        let fill = pictures.palette().map_or(palette::FILLED, |palette| palette[usize::from(fill)]);
        Self {
            pictures,
            plane: *plane,
            tile,
            fill: color(fill, 0xFF),
            sets: OnceLock::new(),
            prepared: pictures.kept(),
        }
    }

    fn prepared(&self) -> MutexGuard<'_, Prepared> {
        self.prepared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the image set with this index, if the game has it.
    fn set(&self, index: u16) -> Option<&'p ImageSet<Frame<'p>>> {
        let sets = self.sets.get_or_init(|| {
            // Tiles cannot refer to more names.
            let names = self.plane.image_sets().iter().take(1 << 16).map_while(Result::ok);
            names.map(|name| self.pictures.registry().set(name)).collect()
        });
        sets.get(usize::from(index)).copied().flatten()
    }

    /// Returns what a tile shows; if pixels show nothing but whole cells, its average.
    pub(super) fn look(&self, tile: Tile, is_whole: bool) -> CellLook<'p> {
        let frame = match tile.kind() {
            TileKind::Empty => None,
            TileKind::Filled => return CellLook::Flat(self.fill),
            TileKind::Image { image_set, frame } => self.set(image_set).and_then(|set| set.frame(frame.into())),
        };
        let Some(frame) = frame else { return CellLook::Nothing };
        let sprite = || self.pictures.decode(frame).ok();
        if !is_whole {
            return self.stamp(frame.id(), sprite).map_or(CellLook::Nothing, CellLook::Stamp);
        }
        let key = (frame.id(), self.tile);
        let known = self.prepared().means.get(&key).copied();
        if let Some(mean) = known {
            return CellLook::Flat(mean);
        }
        let Some(stamp) = self.stamp(frame.id(), sprite) else { return CellLook::Nothing };
        let (wide, high) = self.tile;
        let mean = stamp.sum(0..wide, 0..high).map(|sum| sum / (wide as f32 * high as f32));
        let means = &mut self.prepared().means;
        if means.len() == MAX_MEANS {
            means.clear();
        }
        means.insert(key, mean);
        CellLook::Flat(mean)
    }

    /// Returns the picture of an object and the number of its frame.
    pub(super) fn object(&self, object: &Object<'_>) -> Option<(u32, Arc<Sprite>)> {
        let frame = self.pictures.object(object)?;
        Some((frame.id(), self.pictures.decode(frame).ok()?))
    }

    /// Returns a prepared picture by the number of its frame, and prepares it if necessary.
    pub(super) fn stamp(&self, frame: u32, sprite: impl FnOnce() -> Option<Arc<Sprite>>) -> Option<Arc<Stamp>> {
        let known = self.prepared().stamps.get(&frame).cloned();
        if known.is_some() {
            return known;
        }
        // Other threads go on meanwhile. If two of them prepare the same picture, the last one is kept.
        let stamp = Arc::new(Stamp::of(sprite()?));
        let mut kept = self.prepared();
        if kept.pixels > MAX_KEPT {
            kept.stamps.clear();
            kept.pixels = 0;
        }
        if kept.stamps.insert(frame, Arc::clone(&stamp)).is_none() {
            kept.pixels += stamp.pixels();
        }
        Some(stamp)
    }
}
