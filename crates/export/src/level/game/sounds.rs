use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use worldview_wwd::{Game, Level};

use super::assets::Place;
use super::mounts::own_directory;
use super::{Assets, PictureUse, Uses};
use crate::Result;
use crate::level::folder::named;

/// A part of the names of all logics that play a sound.
const SOUND: &[u8] = b"Sound";

/// The logic whose script is a file of the level.
const CUSTOM_LOGIC: &[u8] = b"CustomLogic";

/// Returns the keys of sounds and animations that objects of a level name and the game does not have, in upper case, and the objects
/// that name them. Only the directories of Claw are known, and a key is only missed if the game has others of its kind: sounds for the
/// logics that play them, animations for all others. Keys that begin with `CUSTOM_` are looked up in `custom`, the
/// [folder of the level](super::LevelPictures::of), which need not exist; without one, they are not missed.
///
/// # Errors
///
/// Returns an error if a folder cannot be read, or if an object is truncated.
pub fn missing_sounds(
    assets: &Assets<'_>,
    level: &Level<'_>,
    custom: Option<&Path>,
) -> Result<BTreeMap<Vec<u8>, Uses>> {
    let (mut keys, mut kinds, mut missing) = (HashSet::new(), Vec::new(), BTreeMap::new());
    let Some(own) = own_directory(level).filter(|_| level.game() == Some(Game::Claw)) else { return Ok(missing) };
    let is_sound = |extension: &[u8]| {
        (extension.eq_ignore_ascii_case(b"ANI") || extension.eq_ignore_ascii_case(b"WAV")).then_some(())
    };
    let directories = [("LEVEL", Some(&*own)), ("GAME", Some("GAME")), ("CLAW", Some("CLAW"))];
    let of_custom = custom.map(|_| ("CUSTOM", None));
    for (prefix, directory) in directories.into_iter().chain(of_custom) {
        for (is_of_sounds, kind) in [(false, "ANIS"), (true, "SOUNDS")] {
            let places = match directory {
                Some(directory) => assets.directories(&[directory, kind])?,
                None => of_level(custom, kind)?,
            };
            if directory.is_none() || !places.is_empty() {
                kinds.push((prefix.as_bytes(), is_of_sounds));
            }
            for place in places {
                for file in place.files(is_sound)? {
                    let names = file.directories.iter().map(Vec::as_slice).chain([&*file.name]);
                    let key: Vec<_> = std::iter::once(prefix.as_bytes()).chain(names).collect();
                    keys.insert(key.join(&b'_').to_ascii_uppercase());
                }
            }
        }
    }
    for plane in level.planes() {
        for object in plane.objects() {
            let object = object?;
            let key = object.animation.to_ascii_uppercase();
            let prefix = key.split(|&byte| byte == b'_').next().unwrap_or_default();
            let is_sound = object.logic.windows(SOUND.len()).any(|part| part == SOUND);
            if kinds.contains(&(prefix, is_sound)) && !keys.contains(&key) {
                let first = PictureUse::Object { plane: plane.index(), index: object.index };
                missing.entry(key).or_insert(Uses { tiles: 0, objects: 0, first }).objects += 1;
            }
        }
    }
    Ok(missing)
}

/// Returns the names of scripts that objects with the logic `CustomLogic` have and the folder of the level lacks, and the objects that
/// have them: `enemy:boss` is `LOGICS/enemy/boss.lua`. Without a folder, none is missed; it need not exist.
///
/// # Errors
///
/// Returns an error if a folder cannot be read, or if an object is truncated.
pub fn missing_logics(level: &Level<'_>, custom: Option<&Path>) -> Result<BTreeMap<Vec<u8>, Uses>> {
    let (mut known, mut missing) = (HashSet::new(), BTreeMap::new());
    if custom.is_none() {
        return Ok(missing);
    }
    for place in of_level(custom, "LOGICS")? {
        for file in place.files(|extension| extension.eq_ignore_ascii_case(b"LUA").then_some(()))? {
            let names: Vec<_> = file.directories.iter().map(Vec::as_slice).chain([&*file.name]).collect();
            known.insert(names.join(&b':').to_ascii_uppercase());
        }
    }
    for plane in level.planes() {
        for object in plane.objects() {
            let object = object?;
            if object.logic.eq_ignore_ascii_case(CUSTOM_LOGIC) && !known.contains(&object.name.to_ascii_uppercase()) {
                let first = PictureUse::Object { plane: plane.index(), index: object.index };
                missing.entry(object.name.to_vec()).or_insert(Uses { tiles: 0, objects: 0, first }).objects += 1;
            }
        }
    }
    Ok(missing)
}

/// Returns the folders of a kind in that of a level.
fn of_level<'g>(custom: Option<&Path>, kind: &str) -> Result<Vec<Place<'g>>> {
    let found = custom.map(|custom| named(custom, kind)).transpose()?.unwrap_or_default();
    Ok(found.into_iter().map(Place::Folder).collect())
}
