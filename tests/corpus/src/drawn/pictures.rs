//! Which picture is shown, and its pixels.

use std::collections::BTreeMap;

use super::field;
use crate::rez::Palette;
use crate::rez::naive::{
    self, NaiveArchive, NaiveEntry, NaiveFile, NaivePicture, NaiveTransparency, palette as read_palette,
};
use crate::wwd::naive::{Fields, NaiveImage, NaivePlane, NaiveValue};

/// The color of filled cells where there is no palette.
const FILLED: [u8; 3] = [88, 92, 104];

/// The longest names of directories together that the engine could find: its buffer has 1024 bytes.
const MAX_SET_LEN: usize = 1023;

/// A decoded picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveSprite {
    /// Width in pixels.
    pub width: i64,
    /// Height in pixels.
    pub height: i64,
    /// Distance from the object to the center.
    pub offset: (i64, i64),
    /// The pixels in rows from the top; `None` is transparent.
    pub pixels: Vec<Option<[u8; 3]>>,
}

/// The pictures of an image set by their numbers.
pub(super) type Frames = BTreeMap<i64, Option<NaiveSprite>>;

/// Returns the picture of a frame; -1 is the lowest frame.
pub(super) fn frame_of(frames: &Frames, frame: i64) -> Option<&NaiveSprite> {
    if frame == -1 {
        return frames.values().next()?.as_ref();
    }
    frames.get(&frame)?.as_ref()
}

/// The pictures that a game has for a level.
#[derive(Clone, Debug, Default)]
pub struct NaiveGame {
    /// The palette of the level.
    palette: Option<Palette>,
    /// Image sets by name in upper case. A frame that cannot be read has its number, but no picture.
    sets: BTreeMap<Vec<u8>, Frames>,
}

/// A directory with the prefix of its image sets; `#` is the numbered directory of the level.
type Mount = (&'static str, &'static str);

/// The games by the name of the directory that the level number follows.
const GAMES: [(&str, &[Mount]); 3] = [
    ("LEVEL", &[("", "#/TILES"), ("LEVEL", "#/IMAGES"), ("GAME", "GAME/IMAGES"), ("CLAW", "CLAW/IMAGES")]),
    ("AREA", &[("", "#/TILEZ"), ("LEVEL", "#/IMAGEZ"), ("GAME", "GAME/IMAGEZ"), ("GRUNTZ", "GRUNTZ/IMAGEZ")]),
    (
        "DUNGEON",
        &[
            ("", "#/TILES"),
            ("DUNGEON", "#/IMAGES"),
            ("GAME", "GAME/IMAGES"),
            ("ENEMIES", "ENEMIES/IMAGES"),
            ("PLAYERS", "PLAYERS/IMAGES"),
        ],
    ),
];

impl NaiveSprite {
    /// Returns the color of a pixel that is in the picture and not transparent.
    pub fn at(&self, x: i64, y: i64) -> Option<[u8; 3]> {
        if x < 0 || x >= self.width || y < 0 || y >= self.height {
            return None;
        }
        self.pixels[usize::try_from(y * self.width + x).ok()?]
    }
}

impl NaiveGame {
    /// Finds and decodes all pictures of a level in an archive.
    pub fn of(archive: &NaiveArchive, bytes: &[u8], level: &NaiveImage) -> Self {
        let mut this = Self::default();
        let image_dir = text(&level.header, "image_dir");
        let game = GAMES.iter().find(|(word, _)| {
            let rest = image_dir.strip_prefix('\\').unwrap_or(&image_dir).to_ascii_uppercase();
            rest.strip_prefix(word).is_some_and(|rest| rest.starts_with(|char: char| char.is_ascii_digit()))
        });
        let is_gruntz = game.is_some_and(|game| game.0 == "AREA");
        let own = game.and_then(|(word, _)| {
            let name = digits(&text(&level.header, "name"));
            match (is_gruntz, name) {
                (true, Some(number)) => Some(format!("{word}{}", number.saturating_sub(1) % 36 / 4 + 1)),
                (false, Some(number)) => Some(format!("{word}{number}")),
                (_, None) => Some(format!("{word}{}", digits(&image_dir)?)),
            }
        });
        if !is_gruntz {
            let named = text(&level.header, "pal_rez");
            let named: Vec<_> = named.split(['\\', '/']).filter(|part| !part.is_empty()).collect();
            let usual = own.as_ref().and_then(|own| find(archive, &format!("{own}/PALETTES/MAIN.PAL")));
            let file = usual.or_else(|| find(archive, &named.join("/")));
            this.palette = file.and_then(|file| read_palette(&bytes[file.data.clone()]).ok());
        }
        let mut mounts: Vec<(String, String)> = Vec::new();
        if let (Some((_, table)), Some(own)) = (game, &own) {
            mounts.extend(table.iter().map(|(prefix, path)| ((*prefix).to_owned(), path.replace('#', own))));
        }
        mounts.push((String::new(), image_dir.replace('\\', "/")));
        for number in 1..=4 {
            let prefix = text(&level.header, &format!("image_set_prefix_{number}"));
            let dir = text(&level.header, &format!("image_set_dir_{number}")).replace('\\', "/");
            mounts.push((prefix.clone(), dir.clone()));
            mounts.push((prefix, dir.replace('_', "/")));
        }
        let key = if is_gruntz { NaiveTransparency::Color([255, 0, 132]) } else { NaiveTransparency::Index(0) };
        for (prefix, path) in mounts {
            let names: Vec<_> = path.split('/').filter(|name| !name.is_empty()).collect();
            if names.is_empty() {
                continue;
            }
            let Some(directory) = directory(archive, &names) else { continue };
            let mut files = Vec::new();
            below(archive, directory, &prefix.to_ascii_uppercase().into_bytes(), 0, &mut files);
            // Where a number is there twice, PID counts before the others.
            files.sort_by_key(|(_, file)| !file.extension.eq_ignore_ascii_case(b"PID"));
            for (set, file) in files {
                let frames = this.sets.entry(set).or_default();
                frames.entry(frame(&file.name)).or_insert_with(|| this.palette.sprite(file, bytes, key));
            }
        }
        this
    }

    /// Returns the picture of a frame; -1 is the lowest frame.
    pub fn sprite(&self, set: &[u8], frame: i64) -> Option<&NaiveSprite> {
        frame_of(self.frames(set)?, frame)
    }

    /// Returns the pictures of an image set.
    pub(super) fn frames(&self, set: &[u8]) -> Option<&Frames> {
        self.sets.get(&set.to_ascii_uppercase())
    }

    /// Returns whether there is a file for a frame, even if it cannot be read.
    pub fn has(&self, set: &[u8], frame: i64) -> bool {
        let Some(frames) = self.frames(set) else { return false };
        frame == -1 || frames.contains_key(&frame)
    }

    /// Returns whether there are no pictures.
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    pub(super) fn fill(&self, color: i64) -> [u8; 3] {
        let index = usize::try_from(color & 255).unwrap_or(0);
        self.palette.map_or(FILLED, |palette| palette[index])
    }

    /// The size of a plane's tiles, if it has one.
    pub(super) fn tile_size(&self, plane: &NaivePlane) -> Option<(i64, i64)> {
        if field(&plane.fields, "flags") & 0x10 != 0
            && let Some(sprite) = plane.image_sets.first().and_then(|set| self.sprite(set, -1))
        {
            return Some((sprite.width, sprite.height));
        }
        let size = (field(&plane.fields, "tile_width"), field(&plane.fields, "tile_height"));
        (size.0 > 0 && size.1 > 0).then_some(size)
    }
}

trait Decode {
    fn sprite(&self, file: &NaiveFile, bytes: &[u8], key: NaiveTransparency) -> Option<NaiveSprite>;
}

impl Decode for Option<Palette> {
    fn sprite(&self, file: &NaiveFile, bytes: &[u8], key: NaiveTransparency) -> Option<NaiveSprite> {
        let data = &bytes[file.data.clone()];
        let is_pcx = file.extension.eq_ignore_ascii_case(b"PCX");
        let picture = match file.extension.to_ascii_uppercase().as_slice() {
            b"PID" => naive::pid(data),
            b"RID" => naive::rid(data),
            _ => naive::pcx(data),
        };
        let picture = picture.ok().filter(|picture| !is_pcx || picture.is_complete())?;
        let own = picture.palette.clone();
        let colors: Option<Vec<_>> = self.map(|palette| palette.to_vec()).or(own);
        if colors.is_none() && picture.channels == 1 {
            return None;
        }
        let opacity = picture.opacity(key);
        let count = picture.width * picture.height;
        let pixels = (0..count).map(|at| {
            let pixel = match (&colors, picture.channels) {
                (Some(colors), 1) => colors[usize::from(*picture.pixels.get(at)?)],
                _ => [0, 1, 2].map(|channel| picture.pixels[at * 3 + channel]),
            };
            (is_pcx || opacity.get(at) == Some(&255)).then_some(pixel)
        });
        let pixels = pixels.collect();
        Some(NaiveSprite { width: wide(picture.width), height: wide(picture.height), offset: offset(&picture), pixels })
    }
}

fn offset(picture: &NaivePicture) -> (i64, i64) {
    let field = |name: &str| picture.header.iter().find(|(field, _)| *field == name).map_or(0, |(_, value)| *value);
    (field("offset_x"), field("offset_y"))
}

fn wide(side: usize) -> i64 {
    i64::try_from(side).unwrap_or(i64::MAX)
}

/// The text of a field up to its first NUL.
fn text(fields: &Fields, name: &str) -> String {
    let found = fields.iter().find_map(|(field, value)| match value {
        NaiveValue::Text(text) if *field == name => Some(text.split(|&byte| byte == 0).next().unwrap_or(&[])),
        _ => None,
    });
    String::from_utf8_lossy(found.unwrap_or(&[])).into_owned()
}

/// The first number in a text.
fn digits(text: &str) -> Option<u32> {
    text.split(|char: char| !char.is_ascii_digit()).find(|run| !run.is_empty())?.parse().ok()
}

/// The number of a frame: the first in its name, or 0.
fn frame(name: &[u8]) -> i64 {
    let digits = name.iter().skip_while(|byte| !byte.is_ascii_digit()).take_while(|byte| byte.is_ascii_digit());
    digits.fold(0, |number, digit| (number * 10 + i64::from(digit - b'0')).min(u32::MAX.into()))
}

fn find<'n>(archive: &'n NaiveArchive, path: &str) -> Option<&'n NaiveFile> {
    archive.by_path(path.as_bytes())
}

/// The index of the directory at a path; of several with one name the last counts.
fn directory(archive: &NaiveArchive, names: &[&str]) -> Option<usize> {
    let mut at = 0;
    for name in names {
        at = archive.directories.get(at)?.entries.iter().rev().find_map(|entry| match entry {
            NaiveEntry::Directory(index) if archive.directories[*index].name.eq_ignore_ascii_case(name.as_bytes()) => {
                Some(*index)
            }
            _ => None,
        })?;
    }
    Some(at)
}

/// Collects the pictures below a directory with the names of their image sets.
fn below<'n>(
    archive: &'n NaiveArchive,
    directory: usize,
    set: &[u8],
    length: usize,
    files: &mut Vec<(Vec<u8>, &'n NaiveFile)>,
) {
    if length > MAX_SET_LEN {
        return;
    }
    for entry in &archive.directories[directory].entries {
        match entry {
            NaiveEntry::Directory(index) => {
                let name = archive.directories[*index].name.to_ascii_uppercase();
                let name_length = name.len();
                let set = if set.is_empty() { name } else { [set, b"_", &name].concat() };
                below(archive, *index, &set, length + name_length, files);
            }
            NaiveEntry::File(file) => {
                let extension = file.extension.to_ascii_uppercase();
                if [&b"PID"[..], b"PCX", b"RID"].contains(&extension.as_slice()) {
                    files.push((set.to_vec(), file));
                }
            }
        }
    }
}
