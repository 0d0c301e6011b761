//! Empty levels.

use std::path::Path;
use std::str::FromStr;

use serde_json::{Value as Json, json};
use worldview_core::describe::List;
use worldview_core::field_name;
use worldview_export::Encoding;
use worldview_inspect::{Options, Root, Select, json};
use worldview_wwd::raw::{LevelHeader, PlaneHeader};
use worldview_wwd::{Level, LevelDescription, Unpacked};

use super::Built;
use worldview_edit::{EditError, Result};

/// The game of a blank level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Game {
    Claw,
    Gruntz,
}

/// Describes an empty level: `blank:claw:40x20`, `blank:claw:40x20:LEVEL3` or `blank:gruntz:50x50:AREA2`.
///
/// The size is that of the main plane in tiles. The last part is the directory of the game whose tiles, palette and pictures the level has;
/// by default the first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blank {
    game: Game,
    columns: u32,
    rows: u32,
    /// The number of the directory.
    number: u32,
}

macro_rules! level {
    ($field:ident) => {
        field_name!(LevelHeader, $field)
    };
}

macro_rules! plane {
    ($field:ident) => {
        field_name!(PlaneHeader, $field)
    };
}

/// A plane: its name, flags, image set, sides in tiles, percentages of movement, and z.
type Plane = (&'static str, u32, &'static str, [u32; 2], [u32; 2], i32);

impl Blank {
    /// The start of a text that describes a level, and is no path.
    const PREFIX: &'static str = "blank:";

    /// The most columns or rows; known planes have up to 1,536 and 1,050.
    const MAX_SIDE: u32 = 4096;

    /// The most tiles.
    const MAX_TILES: u32 = 1 << 21;

    /// Returns the level that the source of a new file describes, or why it describes none. Returns `None` for a path of something else,
    /// or of a file that exists.
    pub fn of_source(source: &Path) -> Option<std::result::Result<Self, String>> {
        let text = source.to_str().filter(|text| text.starts_with(Self::PREFIX) && !source.exists())?;
        Some(text.parse())
    }

    /// Returns the directory of the tiles.
    pub fn tiles(&self) -> String {
        match self.game {
            Game::Claw => format!(r"LEVEL{}\TILES", self.number),
            Game::Gruntz => format!(r"AREA{}\TILEZ", self.number),
        }
    }

    /// Returns whether a level has the tiles of the same directory.
    pub fn has_tiles_of(&self, level: &Unpacked<'_>) -> bool {
        let directory = level.header().image_dir.as_bytes();
        let trimmed = directory.strip_prefix(b"\\").unwrap_or(directory);
        trimmed.strip_suffix(b"\\").unwrap_or(trimmed).eq_ignore_ascii_case(self.tiles().as_bytes())
    }

    /// Makes the level: with the tile attributes of another one, or none.
    ///
    /// Planes, flags and directories are those of the retail levels: in all 14 of Claw three planes with the image sets `BACK`, `ACTION`
    /// and `FRONT`, of which the second is the main one. No plane has tiles. The level starts in the middle.
    ///
    /// # Errors
    ///
    /// Returns an error if the attributes of the other level cannot be read.
    pub fn build(&self, attributes_of: Option<(&Unpacked<'_>, &Level<'_>)>) -> Result<Built> {
        let main = [self.columns, self.rows];
        let action: Plane = ("Action", 1, "ACTION", main, [100, 100], 0);
        let (side, title, images, planes): (_, _, _, &[Plane]) = match self.game {
            Game::Claw => (
                64,
                "Claw",
                "IMAGES",
                &[
                    ("Background", 0xC, "BACK", [24, 24], [50, 50], -999),
                    action,
                    ("Front", 4, "FRONT", [24, 24], [150, 125], 9000),
                ],
            ),
            Game::Gruntz => (32, "Gruntz", "IMAGEZ", &[action]),
        };
        let tiles = self.tiles();
        let (directory, _) = tiles.split_once('\\').unwrap_or_default();
        // Each area of Gruntz has four levels, and the game takes the area from the number of the level.
        let first_of_area = self.number.saturating_sub(1).saturating_mul(4).saturating_add(1);
        let (number, root, palette) = match self.game {
            Game::Claw => (self.number, "", format!(r"{directory}\PALETTES\MAIN.PAL")),
            Game::Gruntz => (first_of_area, r"\", String::new()),
        };
        let start = |tiles: u32| tiles.saturating_mul(side) / 2;
        let planes = planes.iter().map(|(name, flags, set, [columns, rows], [move_x, move_y], z)| {
            let row = vec![u32::MAX; usize::try_from(*columns).unwrap_or_default()];
            json!({
                "flags": flags, "name": name, "image_sets": [set],
                (plane!(width_px)): columns.saturating_mul(side), (plane!(height_px)): rows.saturating_mul(side),
                (plane!(tile_width)): side, (plane!(tile_height)): side, (plane!(z_coord)): z,
                (plane!(movement_x_percent)): move_x, (plane!(movement_y_percent)): move_y,
                "tiles": vec![row; usize::try_from(*rows).unwrap_or_default()],
            })
        });
        let mut document = json!({
            "format": "wwd",
            "header": {
                // The coordinates of planes along z count.
                "flags": 3, "name": format!("{title} - Level {number}"),
                (level!(image_dir)): format!("{root}{tiles}"), (level!(pal_rez)): palette,
                (level!(start_x)): start(self.columns), (level!(start_y)): start(self.rows),
                (level!(image_set_dir_1)): format!(r"{directory}\{images}"), (level!(image_set_prefix_1)): "LEVEL",
                (level!(image_set_dir_2)): format!(r"GAME\{images}"), (level!(image_set_prefix_2)): "GAME",
            },
            "planes": planes.collect::<Json>(),
        });
        let table = attributes_of.map(|(file, level)| attributes(file, level)).transpose()?;
        if let (Some(table), Some(members)) = (table, document.as_object_mut()) {
            members.insert(ATTRIBUTES.to_owned(), table);
        }
        super::level(document.to_string().as_bytes(), Encoding::default())
    }
}

/// The member of a document with the tile attributes.
const ATTRIBUTES: &str = "tile_attributes";

/// Returns the tile attributes of a level as a document has them, without the places of that level.
fn attributes(file: &Unpacked<'_>, level: &Level<'_>) -> Result<Json> {
    struct WithoutPlanes;

    impl Select for WithoutPlanes {
        fn list(&self, list: &List) -> bool {
            list.kind != "plane"
        }
    }

    let malformed = |why: String| EditError::malformed(None, format!("the tile attributes: {why}"));
    let (mut text, described) = (Vec::new(), LevelDescription::new(file, level));
    let options = Options { full: true, select: &WithoutPlanes, ..Options::default() };
    json::write(&Root::new("wwd", level.image(), &described), &options, &mut text)
        .map_err(|error| malformed(error.to_string()))?;
    let mut all: Json = serde_json::from_slice(&text).map_err(|error| malformed(error.to_string()))?;
    let mut table = all.get_mut(ATTRIBUTES).map(Json::take).unwrap_or_default();
    let without_place = |part: &mut Json| drop(part.as_object_mut().and_then(|part| part.remove("at")));
    without_place(&mut table);
    let records = table.get_mut("records").and_then(Json::as_array_mut);
    records.into_iter().flatten().for_each(without_place);
    Ok(table)
}

impl FromStr for Blank {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let usage = || {
            let (first, other) = ("blank:claw:40x20", "blank:gruntz:50x50:AREA2");
            format!(
                "expected the game, columns and rows, and the directory of the tiles if it is not the first, such as {first} or {other}"
            )
        };
        let mut parts = text.strip_prefix(Self::PREFIX).ok_or_else(usage)?.split(':');
        let (game, word, most) = match parts.next().map(str::to_ascii_lowercase).as_deref() {
            Some("claw") => (Game::Claw, "LEVEL", 999),
            Some("gruntz") => (Game::Gruntz, "AREA", 9),
            _ => return Err(format!("the games of blank levels are claw and gruntz; {}", usage())),
        };
        let size = parts.next().and_then(|size| size.split_once(['x', 'X']));
        let side = |text: &str| text.parse().ok().filter(|side| (1..=Self::MAX_SIDE).contains(side));
        let Some((Some(columns), Some(rows))) = size.map(|(columns, rows)| (side(columns), side(rows))) else {
            return Err(format!("a level has 1 to {} columns and rows; {}", Self::MAX_SIDE, usage()));
        };
        if columns.saturating_mul(rows) > Self::MAX_TILES {
            return Err(format!("an empty level has at most {} tiles", Self::MAX_TILES));
        }
        let number = match parts.next() {
            None => 1,
            Some(directory) => {
                let start = directory.get(..word.len()).filter(|start| start.eq_ignore_ascii_case(word));
                let number = start.and_then(|start| directory.get(start.len()..)?.parse().ok());
                number
                    .filter(|number| (1..=most).contains(number))
                    .ok_or_else(|| format!("the directories of the tiles are {word}1 to {word}{most}; {}", usage()))?
            }
        };
        if parts.next().is_some() {
            return Err(usage());
        }
        Ok(Self { game, columns, rows, number })
    }
}
