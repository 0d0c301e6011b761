//! Pictures of objects: a tileset with a picture file for each of its tiles.

use std::collections::HashMap;
#[cfg(feature = "game")]
use std::sync::Arc;

use worldview_wwd::Object;

use super::Map;
use super::field::{Field, field, text};
use super::view::Item;
use crate::Encoding;

/// The bits of a tile id that flip an object's picture, and the draw flags that they stand for.
const FLIPS: [(i64, u32); 2] = [(1 << 31, 2), (1 << 30, 4)];

/// The pictures of the objects of a map, whose tiles are numbered in their order.
#[derive(Clone, Debug, Default)]
pub(super) struct Collection {
    pub(super) first_gid: u32,
    pub(super) pictures: Vec<ObjectPicture>,
    /// The index of the picture by image set in upper case, and frame of the object.
    pub(super) known: HashMap<Vec<u8>, HashMap<i32, usize>>,
}

/// A picture of objects, which is a tile of its own file in a [`Map`].
#[derive(Clone, Debug)]
pub struct ObjectPicture {
    pub(super) path: String,
    pub(super) image_set: Vec<u8>,
    pub(super) frame: u32,
    pub(super) is_lowest: bool,
    pub(super) size: [u32; 2],
    pub(super) offset: [i32; 2],
    #[cfg(feature = "game")]
    pub(super) sprite: Arc<crate::level::game::Sprite>,
}

impl ObjectPicture {
    /// Returns the path of the picture relative to the folder of the map file, such as `objects/LEVEL_CRAB-1.png`.
    ///
    /// All maps of a level that show the picture have the same path.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns the width and height in pixels.
    pub const fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Writes the picture as PNG.
    ///
    /// # Errors
    ///
    /// Returns an error if writing to `out` fails.
    #[cfg(feature = "game")]
    pub fn write_png(&self, out: impl std::io::Write) -> crate::Result<()> {
        self.sprite.write_png(out)
    }

    /// Returns the properties of the tile, by which a saved map can be read without the pictures.
    pub(super) fn properties(&self, encoding: Encoding) -> Vec<Field<'_>> {
        let mut properties: Vec<_> = text("image_set", &self.image_set, encoding).into_iter().flatten().collect();
        properties.extend([
            field("i", self.frame),
            field("is_lowest", self.is_lowest),
            field("offset_x", self.offset[0]),
            field("offset_y", self.offset[1]),
        ]);
        // Objects are placed by the others, so an edit of one of them would move all objects with this picture.
        let image_set = encoding.decode(&self.image_set);
        let [x, y] = self.offset;
        properties.push(field("shows", format!("{image_set} {} {} {x} {y}", self.frame, self.is_lowest)));
        properties
    }
}

impl Collection {
    pub(super) const NAME: &'static str = "pictures of objects";

    /// Returns the attributes of the tileset.
    pub(super) fn attributes(&self) -> Vec<Field<'_>> {
        let side = |at: usize| self.pictures.iter().map(|picture| picture.size[at]).max().unwrap_or(1);
        vec![
            field("firstgid", self.first_gid),
            field("name", Self::NAME),
            field("tilewidth", side(0)),
            field("tileheight", side(1)),
            field("spacing", 0),
            field("margin", 0),
            field("tilecount", crate::level::number(self.pictures.len())),
            field("columns", 0),
        ]
    }

    /// Makes an object one that shows its picture, if it has one.
    pub(super) fn show(&self, object: &Object<'_>, item: &mut Item<'_>) {
        let frames = if self.known.is_empty() { None } else { self.known.get(&object.image_set.to_ascii_uppercase()) };
        let Some(&at) = frames.and_then(|frames| frames.get(&object.i.get())) else { return };
        let Some(picture) = self.pictures.get(at) else { return };
        let draw = object.draw_flags.get();
        let start = |at: i32, side: u32, offset: i32, flag: u32| {
            let offset = if draw & flag == 0 { i64::from(offset) } else { -i64::from(offset) };
            i64::from(at) - i64::from(side / 2) + offset
        };
        let [width, height] = picture.size;
        let left = start(object.x.get(), width, picture.offset[0], 2);
        let top = start(object.y.get(), height, picture.offset[1], 4);
        let flips = FLIPS.iter().filter(|(_, flag)| draw & flag != 0).fold(0, |all, (bit, _)| all | bit);
        let gid = i64::from(self.first_gid) + i64::from(crate::level::number(at));
        for (name, value) in &mut item.attributes {
            match &**name {
                "x" => *value = left.into(),
                // The place of a tile is its lower left corner.
                "y" => *value = (top + i64::from(height)).into(),
                "width" => *value = width.into(),
                "height" => *value = height.into(),
                _ => {}
            }
        }
        item.attributes.push(field("gid", gid | flips));
        item.is_point = false;
    }
}

impl Map<'_> {
    /// Returns the pictures of objects that the map refers to; none if it was planned without those of the game.
    pub fn pictures(&self) -> &[ObjectPicture] {
        &self.collection.pictures
    }
}
