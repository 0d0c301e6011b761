//! Empty levels.

use std::path::Path;

use worldview::rez::{File, Rez};
use worldview::wwd::{Level, Unpacked, unpack};
use worldview_import::build::{Blank, Built};

use crate::outcome::Outcome;

/// Makes a level with the tile attributes of the first level in the archives of the game that has its tiles. Reports why that is
/// impossible.
pub(super) fn made(
    (source, blank): (&Path, Result<Blank, String>),
    archives: Option<&[Rez<'_>]>,
    outcome: &mut Outcome,
) -> Option<Built> {
    let blank = blank.map_err(|why| outcome.input_failed(source, &why)).ok()?;
    let levels = archives.into_iter().flatten().flat_map(Rez::files).filter(File::is_level);
    let mut opened = levels.filter_map(|file| unpack(file.data()).ok());
    let like = opened.find(|level| blank.has_tiles_of(level) && attributes_of(level).is_some());
    let built = match like.as_ref().and_then(|file| Some((file, attributes_of(file)?))) {
        Some((file, level)) => blank.build(Some((file, &level))),
        None => {
            let tiles = blank.tiles();
            let why = match archives {
                Some(_) => format!("no level of the game has tile attributes for {tiles}, so the new one has none"),
                None => {
                    "the level has no tile attributes; with --game, they are copied from a level with the same tiles"
                        .to_owned()
                }
            };
            outcome.note(source, &why);
            blank.build(None)
        }
    };
    built.map_err(|error| outcome.input_failed(source, &error)).ok()
}

/// Returns a level that has tile attributes.
fn attributes_of<'a>(file: &'a Unpacked<'_>) -> Option<Level<'a>> {
    Level::parse(file).ok().filter(|level| !level.attributes().records().is_empty())
}
