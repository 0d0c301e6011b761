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
    known: HashMap<Vec<u8>, HashMap<i32, usize>>,
}

/// A picture of objects, which is a tile of its own file in a [`Map`].
#[derive(Clone, Debug)]
pub struct ObjectPicture {
    path: String,
    image_set: Vec<u8>,
    frame: u32,
    is_lowest: bool,
    size: [u32; 2],
    offset: [i32; 2],
    #[cfg(feature = "game")]
    sprite: Arc<crate::level::game::Sprite>,
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

#[cfg(feature = "game")]
mod with_game {
    use std::collections::{BTreeMap, HashMap};
    use std::sync::Arc;

    use worldview_core::Budget;
    use worldview_wwd::Level;

    use super::{Collection, Map, ObjectPicture};
    use crate::level::game::{LevelPictures, Sprite};
    use crate::level::tiled::names::Names;
    use crate::level::tiled::plan;
    use crate::{Encoding, Result};

    /// Maximum number of pictures of objects, each of which is a file. A level of Claw has a few hundred.
    const MOST_PICTURES: usize = 1 << 13;

    /// Returns the maps for a level as [`plan`] does, whose objects show their pictures.
    ///
    /// Objects with a picture become tile objects with the tiles of one more tileset, each of which has its own file:
    /// [`Map::pictures`]. They are placed and flipped as the game draws them. Objects without a picture remain points.
    ///
    /// # Errors
    ///
    /// Returns an error as [`plan`] does.
    pub fn plan_with_game<'a>(
        level: &'a Level<'a>,
        encoding: Encoding,
        game: &LevelPictures<'_>,
    ) -> Result<Vec<Map<'a>>> {
        let mut maps = plan(level, encoding)?;
        let mut budget = Budget::for_bytes(level.image().len(), "walk for the pictures of objects");
        let mut files = Files { names: Names::default(), paths: HashMap::new() };
        for map in &mut maps {
            map.collection = files.collection(level, map, game, &mut budget)?;
        }
        Ok(maps)
    }

    /// What an object shows.
    struct Shown {
        path: String,
        sprite: Arc<Sprite>,
        image_set: Vec<u8>,
        frame: u32,
        is_lowest: bool,
    }

    struct Files {
        names: Names,
        /// The path by the number of the frame in the game.
        paths: HashMap<u32, String>,
    }

    impl Files {
        fn collection(
            &mut self,
            level: &Level<'_>,
            map: &Map<'_>,
            game: &LevelPictures<'_>,
            budget: &mut Budget,
        ) -> Result<Collection> {
            // By image set in upper case and frame: the same order in every run.
            let mut shown: BTreeMap<(Vec<u8>, u32), Shown> = BTreeMap::new();
            let mut uses: HashMap<Vec<u8>, HashMap<i32, u32>> = HashMap::new();
            for object in map.layers.iter().flat_map(|layer| layer.plane.objects()) {
                let object = object?;
                budget.spend(object.size(), object.at, level.image().space())?;
                let key = object.image_set.to_ascii_uppercase();
                let i = object.i.get();
                if uses.get(&key).is_some_and(|frames| frames.contains_key(&i)) {
                    continue;
                }
                let Some(set) = game.registry().set(&key) else { continue };
                let found =
                    if i == -1 { set.lowest() } else { u32::try_from(i).ok().and_then(|i| Some((i, set.frame(i)?))) };
                let Some((number, frame)) = found else { continue };
                if shown.len() >= MOST_PICTURES && !shown.contains_key(&(key.clone(), number)) {
                    continue;
                }
                let Ok(sprite) = game.decode(frame) else { continue };
                let path = self.paths.entry(frame.id()).or_insert_with(|| {
                    let name = self.names.unique(object.image_set, &format!("-{number}"));
                    format!("objects/{name}.png")
                });
                shown.entry((key.clone(), number)).or_insert_with(|| Shown {
                    path: path.clone(),
                    sprite,
                    image_set: object.image_set.to_vec(),
                    frame: number,
                    is_lowest: set.lowest().is_some_and(|(lowest, _)| lowest == number),
                });
                uses.entry(key).or_default().insert(i, number);
            }
            let first_gid = map.tilesets.last().map_or(1, |tileset| tileset.first_gid + tileset.count());
            let index: HashMap<_, _> =
                shown.keys().enumerate().map(|(at, (key, number))| ((key.as_slice(), *number), at)).collect();
            let known = uses.into_iter().map(|(key, frames)| {
                let at = |number: u32| index.get(&(key.as_slice(), number)).copied();
                let frames = frames.into_iter().filter_map(|(i, number)| Some((i, at(number)?))).collect();
                (key, frames)
            });
            let known = known.collect();
            let pictures = shown.into_values().map(|shown| ObjectPicture {
                path: shown.path,
                image_set: shown.image_set,
                frame: shown.frame,
                is_lowest: shown.is_lowest,
                size: [shown.sprite.width(), shown.sprite.height()],
                offset: shown.sprite.offset().into(),
                sprite: shown.sprite,
            });
            Ok(Collection { first_gid, pictures: pictures.collect(), known })
        }
    }
}

#[cfg(feature = "game")]
pub use with_game::plan_with_game;
