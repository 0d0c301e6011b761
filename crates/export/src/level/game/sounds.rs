use std::collections::{BTreeMap, HashSet};

use worldview_wwd::{Game, Level};

use super::mounts::own_directory;
use super::{Assets, PictureUse, Uses};
use crate::Result;

/// A part of the names of all logics that play a sound.
const SOUND: &[u8] = b"Sound";

/// Returns the keys of sounds and animations that objects of a level name and the game does not have, in upper case, and the objects
/// that name them. Only the directories of Claw are known, and a key is only
/// missed if the game has others of its kind: sounds for the logics that play them, animations for all others.
///
/// # Errors
///
/// Returns an error if a folder cannot be read, or if an object is truncated.
pub fn missing_sounds(assets: &Assets<'_>, level: &Level<'_>) -> Result<BTreeMap<Vec<u8>, Uses>> {
    let (mut keys, mut kinds, mut missing) = (HashSet::new(), Vec::new(), BTreeMap::new());
    let Some(own) = own_directory(level).filter(|_| level.game() == Some(Game::Claw)) else { return Ok(missing) };
    let is_sound = |extension: &[u8]| {
        (extension.eq_ignore_ascii_case(b"ANI") || extension.eq_ignore_ascii_case(b"WAV")).then_some(())
    };
    for (prefix, directory) in [("LEVEL", &*own), ("GAME", "GAME"), ("CLAW", "CLAW")] {
        for (is_of_sounds, kind) in [(false, "ANIS"), (true, "SOUNDS")] {
            for place in assets.directories(&[directory, kind])? {
                kinds.push((prefix.as_bytes(), is_of_sounds));
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
