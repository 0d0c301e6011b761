//! Textures that an edit gives another size.

use std::collections::{BTreeSet, HashMap};

use worldview_core::Path;
use worldview_island::{Contents, Database, DatabaseDescription, NameKey, Texture, Textures};

use super::file::File;
use crate::account::{Account, Column, Entry};
use crate::{codes, order};

codes! {
    /// The codes of textures.
    pub TEXTURES {
        TEXTURE_SIZE = "texture-size": "a texture has a size that no texture of this name had before; the game copies pixels by the size of the first texture of that name",
    }
}

/// The sizes of all images of each name.
type Sizes<'a> = HashMap<NameKey<'a>, BTreeSet<[u32; 2]>>;

/// Returns an entry for each texture of an edited file with a size that no texture of its name had.
pub(super) fn changed(old: &Contents<'_>, edited: &[u8]) -> Account {
    let mut account = Account::new();
    let Ok(database) = Database::parse_lossy(edited, &mut |_| {}) else { return account };
    let new = Contents::read_lossy(&database, &mut |_| {});
    let old_sizes = of_names(old);
    let is_new = |texture: &Texture<'_>| {
        let old = old_sizes.get(&NameKey(texture.real_name()));
        old.is_some_and(|old| sizes(texture).any(|size| !old.contains(&size)))
    };
    if !lists(&new).any(|(_, textures)| textures.iter().any(|texture| is_new(&texture))) {
        return account;
    }
    let description = DatabaseDescription::new(&database, &new);
    let blobs = File::new(edited, &database, &description, false).blob_paths();
    for (list, textures) in lists(&new) {
        let owner = match list {
            List::Chunk(name) => Path::new().with(|path| path.push_name(name)),
            List::Blob(number) => blobs.get(number).cloned().unwrap_or_default(),
        };
        let names: Vec<_> = textures.iter().map(|texture| texture.name.text()).collect();
        for ((texture, name), nth) in textures.iter().zip(&names).zip(order::numbers(&names)) {
            if !is_new(&texture) {
                continue;
            }
            let text = |[width, height]: [u32; 2]| format!("{width} x {height}");
            let before = old_sizes.get(&NameKey(texture.real_name())).into_iter().flatten();
            let before: Vec<_> = before.copied().map(text).collect();
            let now: Vec<_> = sizes(&texture).map(text).collect();
            let is_odd = |side: u32| !side.is_power_of_two();
            let odd =
                if sizes(&texture).flatten().any(is_odd) { "; the sides should also be powers of two" } else { "" };
            let message = format!(
                "is now {} pixels instead of {}; if the game has already loaded a texture of this name from another file, it \
                 copies the pixels by the size of that one{odd}",
                now.join(" and "),
                before.join(" and ")
            );
            let path = owner.with(|path| path.push("texture", name, nth));
            account.push(Entry::new(Column::Done, TEXTURE_SIZE, &path, message));
        }
    }
    account
}

/// The place of a list of textures.
enum List {
    Chunk(&'static [u8]),
    Blob(usize),
}

/// Returns all lists of textures.
fn lists<'c, 'a>(contents: &'c Contents<'a>) -> impl Iterator<Item = (List, Textures<'a>)> + 'c {
    let textures = contents.textures.iter().map(|textures| (List::Chunk(b"global_textures"), *textures));
    let parts = contents.parts.iter().map(|parts| (List::Chunk(b"global_parts"), parts.textures));
    let blobs = contents.blobs.iter().enumerate();
    let blobs = blobs.filter_map(|(at, blob)| Some((List::Blob(at), blob.as_ref().ok()?.textures())));
    textures.chain(parts).chain(blobs)
}

fn of_names<'a>(contents: &Contents<'a>) -> Sizes<'a> {
    let mut all = Sizes::new();
    for texture in lists(contents).flat_map(|(_, textures)| textures.iter()) {
        all.entry(NameKey(texture.real_name())).or_default().extend(sizes(&texture));
    }
    all
}

/// Returns the sizes of the images of a texture.
fn sizes(texture: &Texture<'_>) -> impl Iterator<Item = [u32; 2]> + use<> {
    let images = [Some(texture.image), texture.second].map(|image| image.map(|image| [image.width, image.height]));
    images.into_iter().flatten()
}
