//! The pictures of objects: what the properties of their tiles say.

use std::collections::HashMap;

use super::saved;

/// The bits of a tile id that flip and rotate a tile.
const FLIPS: u32 = 0xF000_0000;

/// The tiles of a saved map that are pictures of objects, by their global ids.
#[derive(Default)]
pub(super) struct Pictures<'m>(HashMap<u32, Picture<'m>>);

/// A picture of objects.
#[derive(Clone, Copy)]
pub(super) struct Picture<'m> {
    pub(super) image_set: &'m str,
    /// The number of the frame.
    i: i32,
    /// Whether an object without a frame shows it.
    is_lowest: bool,
    /// The distance from the position of an object to the center of the picture.
    pub(super) offset: [i32; 2],
}

impl<'m> Pictures<'m> {
    pub(super) fn of(map: &'m saved::Map) -> Self {
        let tilesets = map.tilesets.iter();
        let tiles = tilesets.flat_map(|tileset| tileset.tiles.iter().map(move |tile| (tileset.firstgid, tile)));
        let pictures = tiles.filter_map(|(first, tile)| Some((first.checked_add(tile.id)?, Picture::of(tile)?)));
        Self(pictures.collect())
    }

    /// Returns the picture that an object shows.
    pub(super) fn get(&self, object: &saved::Object) -> Option<Picture<'m>> {
        self.0.get(&(object.gid & !FLIPS)).copied().filter(|_| object.gid != 0)
    }
}

impl<'m> Picture<'m> {
    fn of(tile: &'m saved::Tile) -> Option<Self> {
        let number = |name: &str| tile.properties.get(name)?.trim().parse().ok();
        Some(Self {
            image_set: tile.properties.get("image_set")?,
            i: number("i")?,
            is_lowest: tile.properties.get("is_lowest") == Some("true"),
            offset: [number("offset_x")?, number("offset_y")?],
        })
    }

    /// Returns whether an object with this frame shows the picture.
    pub(super) fn is_shown_by(&self, i: i32) -> bool {
        if i == -1 { self.is_lowest } else { self.i == i }
    }

    /// Returns the frame of an object that shows the picture.
    pub(super) const fn frame(&self) -> i32 {
        if self.is_lowest { -1 } else { self.i }
    }
}
