use std::any::Any;
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use worldview_rez::{ColorKey, Picture, Registry};
use worldview_wwd::{Game, Level, Object, Plane};

use super::assets::{Assets, Frame, Place, Stored};
use super::mounts::{mounts, own_directory, parts};
use super::sprite::{Palette, Sprite};
use crate::level::folder::named;

/// Maximum number of pixels of all pictures of a level, which limits their memory.
const MAX_PIXELS: u64 = 1 << 26;

/// The pictures of a level: which picture the game shows for a tile or object, and its pixels.
///
/// Pictures are decoded when they are first needed, and kept. Together they have at most 2^26 pixels; pictures beyond
/// that are refused, as broken ones are.
pub struct LevelPictures<'g> {
    game: Option<Game>,
    number: Option<u32>,
    registry: Registry<Frame<'g>>,
    palette: Option<Arc<Palette>>,
    /// The path of the palette and why it cannot be used.
    broken_palette: Option<(String, String)>,
    decoded: Mutex<Decoded>,
    /// What painters keep for all planes of the level. They are above this module, which does not know their types.
    kept: OnceLock<Arc<dyn Any + Send + Sync>>,
}

/// The decoded pictures by the number of their frame; of those that cannot be decoded, the reason.
#[derive(Default)]
struct Decoded {
    sprites: HashMap<u32, Result<Arc<Sprite>, String>>,
    pixels: u64,
}

worldview_core::debug_summary!("LevelPictures", LevelPictures<'_>, |this| game: this.game, number: this.number, sets: this.registry.len());

impl<'g> LevelPictures<'g> {
    /// Finds the pictures of a level. Nothing is decoded yet.
    ///
    /// The directories follow from the game and the level number, which is the first number in the level's name or else
    /// in its tile directory; the directories that the header names are searched after them. `custom` is the folder with
    /// the level's own pictures, which has the name of the level file: its `IMAGES` are the image sets `CUSTOM_…`, and
    /// its `TILES` image sets for planes.
    ///
    /// # Errors
    ///
    /// Returns an error if a folder cannot be read, or contains more than a million pictures.
    pub fn of(assets: &Assets<'g>, level: &Level<'_>, custom: Option<&Path>) -> crate::Result<Self> {
        let mut registry = Registry::new();
        let mut count = 0;
        let mut mount = |prefix: &str, place: Place<'g>| -> crate::Result<()> {
            for picture in place.pictures()? {
                let frame = Frame { id: count, kind: picture.kind, stored: picture.stored };
                count += 1;
                registry.insert(prefix, &picture.directories, &picture.name, frame);
            }
            Ok(())
        };
        for found in mounts(level) {
            let path: Vec<_> = found.path.iter().map(String::as_str).collect();
            for place in assets.directories(&path)? {
                mount(&found.prefix, place)?;
            }
        }
        for (prefix, path) in [("CUSTOM", "IMAGES"), ("CUSTOM", "IMAGEZ"), ("", "TILES"), ("", "TILEZ")] {
            for folder in custom.map(|custom| named(custom, path)).transpose()?.into_iter().flatten() {
                mount(prefix, Place::Folder(folder))?;
            }
        }
        if let Some(folder) = custom.filter(|custom| custom.is_dir()) {
            mount("CUSTOM", Place::Folder(folder.to_owned()))?;
        }
        let mut pictures = Self {
            game: level.game(),
            number: level.header().number(),
            registry,
            palette: None,
            broken_palette: None,
            decoded: Mutex::default(),
            kept: OnceLock::new(),
        };
        if let Some(stored) = palette(assets, level)? {
            match stored.read().map_err(|error| error.to_string()).and_then(|bytes| colors(&bytes)) {
                Ok(colors) => pictures.palette = Some(Arc::new(colors)),
                Err(why) => pictures.broken_palette = Some((stored.path(), why)),
            }
        }
        Ok(pictures)
    }

    /// Returns the game of the level, by its tile directory.
    pub const fn game(&self) -> Option<Game> {
        self.game
    }

    /// Returns the number of the level, which selects the directories.
    pub const fn number(&self) -> Option<u32> {
        self.number
    }

    /// Returns whether there are no pictures at all.
    pub fn is_empty(&self) -> bool {
        self.registry.is_empty()
    }

    /// Returns the image sets with their frames.
    pub const fn registry(&self) -> &Registry<Frame<'g>> {
        &self.registry
    }

    /// Returns the palette of the level, in which all its pictures are shown. Levels of Gruntz have none: each picture
    /// has its own.
    pub fn palette(&self) -> Option<&Palette> {
        self.palette.as_deref()
    }

    pub(crate) const fn shared_palette(&self) -> Option<&Arc<Palette>> {
        self.palette.as_ref()
    }

    /// Returns what painters keep with the pictures, which is empty at first. There is one such value.
    pub(crate) fn kept<T: Any + Default + Send + Sync>(&self) -> Arc<T> {
        let kept = self.kept.get_or_init(|| Arc::<T>::default());
        Arc::clone(kept).downcast().unwrap_or_default()
    }

    pub(super) fn broken_palette(&self) -> Option<(&str, &str)> {
        self.broken_palette.as_ref().map(|(path, why)| (path.as_str(), why.as_str()))
    }

    /// Returns the picture of a tile: the frame with this number in the image set with this name.
    pub fn tile(&self, image_set: &[u8], frame: u16) -> Option<&Frame<'g>> {
        self.registry.set(image_set)?.frame(frame.into())
    }

    /// Returns the picture of an object: its frame of its image set, or the lowest one if it has no frame.
    pub fn object(&self, object: &Object<'_>) -> Option<&Frame<'g>> {
        self.registry.set(object.image_set)?.shown(object.i.get())
    }

    /// Returns the size of a plane's tiles in pixels; `None` if it is not positive.
    ///
    /// A plane with the flag for an automatic tile size has that of the lowest frame of its first image set.
    pub fn tile_size(&self, plane: &Plane<'_>) -> Option<(u32, u32)> {
        let header = plane.header();
        if header.flags.get() & worldview_wwd::flags::AUTO_TILE_SIZE != 0
            && let Some(Ok(name)) = plane.image_sets().iter().next()
            && let Some((_, frame)) = self.registry.set(name).and_then(|set| set.lowest())
            && let Ok(sprite) = self.decode(frame)
        {
            return Some((sprite.width, sprite.height));
        }
        let side = |side: i32| u32::try_from(side).ok().filter(|&side| side > 0);
        side(header.tile_width.get()).zip(side(header.tile_height.get()))
    }

    /// Decodes a picture, unless it has been decoded before.
    ///
    /// # Errors
    ///
    /// Returns the reason if the picture cannot be read, if it needs a palette and there is none, or if all pictures
    /// decoded so far have too many pixels.
    pub fn decode(&self, frame: &Frame<'g>) -> Result<Arc<Sprite>, String> {
        let mut decoded = self.decoded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = decoded.sprites.get(&frame.id) {
            return known.clone();
        }
        let sprite = self.load(frame, &mut decoded.pixels).map(Arc::new);
        decoded.sprites.insert(frame.id, sprite.clone());
        sprite
    }

    /// Returns whether a picture is one of light, which has strengths instead of colors. Such pictures are not drawn.
    pub(super) fn is_light(&self, frame: &Frame<'g>) -> bool {
        let bytes = frame.stored.read().ok();
        let picture = bytes.as_deref().and_then(|bytes| Picture::parse(frame.kind, bytes).ok());
        picture.is_some_and(|picture| self.lacks_colors(&picture))
    }

    fn lacks_colors(&self, picture: &Picture<'_>) -> bool {
        let is_light = matches!(picture, Picture::Pid(pid) if pid.is_light() && pid.palette().is_none());
        is_light && self.palette.is_none()
    }

    fn load(&self, frame: &Frame<'g>, pixels: &mut u64) -> Result<Sprite, String> {
        let bytes = frame.stored.read().map_err(|error| error.to_string())?;
        let picture = Picture::parse(frame.kind, &*bytes).map_err(|error| error.to_string())?;
        if self.lacks_colors(&picture) {
            return Err("a picture of light, which has strengths instead of colors".to_owned());
        }
        let all = pixels.saturating_add(picture.pixels() as u64);
        if all > MAX_PIXELS {
            return Err(format!("this picture brings those of the level to more than {MAX_PIXELS} pixels"));
        }
        *pixels = all;
        let key = if self.game == Some(Game::Gruntz) { ColorKey::GRUNTZ } else { ColorKey::CLAW };
        Sprite::decode(&picture, key, self.palette.as_ref())
    }
}

/// Returns the palette file of a level: that of its directory, or the one that the header names.
fn palette<'g>(assets: &Assets<'g>, level: &Level<'_>) -> crate::Result<Option<Stored<'g>>> {
    if level.game() == Some(Game::Gruntz) {
        return Ok(None);
    }
    if let Some(own) = own_directory(level)
        && let Some(found) = assets.file(&[&own, "PALETTES", "MAIN.PAL"])?
    {
        return Ok(Some(found));
    }
    let named = String::from_utf8_lossy(level.header().pal_rez.as_bytes());
    assets.file(&parts(&named))
}

fn colors(file: &[u8]) -> Result<Palette, String> {
    worldview_rez::Palette::parse(file).map(|palette| palette.colors).map_err(|error| error.to_string())
}
