//! Maps whose objects show their pictures.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use worldview_wwd::Level;

use super::Map;
use super::collection::{Collection, ObjectPicture};
use super::names::Names;
use super::plan::plan;
use crate::level::game::{LevelPictures, Sprite};
use crate::{Encoding, Result};

/// Maximum number of pictures of objects, each of which is a file. A level of Claw has a few hundred.
const MAX_PICTURES: usize = 1 << 13;

/// Returns the maps for a level as [`plan`] does, whose objects show their pictures.
///
/// Objects with a picture become tile objects with the tiles of one more tileset, each of which has its own file:
/// [`Map::pictures`]. They are placed and flipped as the game draws them. Objects without a picture remain points.
///
/// # Errors
///
/// Returns an error as [`plan`] does.
pub fn plan_with_game<'a>(level: &'a Level<'a>, encoding: Encoding, game: &LevelPictures<'_>) -> Result<Vec<Map<'a>>> {
    let mut maps = plan(level, encoding)?;
    let mut files = Files { names: Names::default(), paths: HashMap::new() };
    for map in &mut maps {
        map.collection = files.collection(map, game)?;
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
    fn collection(&mut self, map: &Map<'_>, game: &LevelPictures<'_>) -> Result<Collection> {
        // By image set in upper case and frame: the same order in every run.
        let mut shown: BTreeMap<(Vec<u8>, u32), Shown> = BTreeMap::new();
        let mut uses: HashMap<Vec<u8>, HashMap<i32, u32>> = HashMap::new();
        for object in map.layers.iter().flat_map(|layer| layer.plane.objects()) {
            let object = object?;
            let key = object.image_set.to_ascii_uppercase();
            let i = object.i.get();
            if uses.get(&key).is_some_and(|frames| frames.contains_key(&i)) {
                continue;
            }
            let Some(set) = game.registry().set(&key) else { continue };
            let found =
                if i == -1 { set.lowest() } else { u32::try_from(i).ok().and_then(|i| Some((i, set.frame(i)?))) };
            let Some((number, frame)) = found else { continue };
            if shown.len() >= MAX_PICTURES && !shown.contains_key(&(key.clone(), number)) {
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
