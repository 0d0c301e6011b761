//! The pictures of objects: tiles whose properties say so, and those of the planes.

use std::collections::HashMap;

use worldview_export::level::Cell;

use super::grid::Tilesets;
use super::saved::{Element, Kind};
use worldview_core::quote;

/// The bits of a tile id that flip a tile in ways that objects have.
pub(super) const FLIPS: u32 = 0xC000_0000;
/// The bits that turn it.
const TURNS: u32 = 0x3000_0000;

/// The tiles of a saved map that objects may show.
pub(super) struct Pictures<'m> {
    /// Those that are pictures of objects, by their global ids.
    own: HashMap<u32, Picture<'m>>,
    tilesets: &'m Tilesets<'m>,
    tile_size: [u32; 2],
}

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
    /// Width and height in pixels, if the map has them.
    pub(super) size: Option<[u32; 2]>,
    /// The part of the picture that is left of and above the place of an object.
    pub(super) anchor: [f64; 2],
}

/// Returns where the pictures of a tileset are around the places of objects.
fn anchor(tileset: &Element) -> Result<[f64; 2], String> {
    let wrong = |what: String| Err(format!("the tileset {} {what}", tileset.shown()));
    if tileset.get("tileoffset").is_some() {
        return wrong("is drawn beside the places of its objects; remove its drawing offset".to_owned());
    }
    Ok(match tileset.text("objectalignment") {
        "topleft" => [0.0, 0.0],
        "top" => [0.5, 0.0],
        "topright" => [1.0, 0.0],
        "left" => [0.0, 0.5],
        "center" => [0.5, 0.5],
        "right" => [1.0, 0.5],
        "" | "unspecified" | "bottomleft" => BOTTOM_LEFT,
        "bottom" => [0.5, 1.0],
        "bottomright" => [1.0, 1.0],
        other => return wrong(format!("has the unknown object alignment {}", quote(other))),
    })
}

/// Where Tiled puts pictures, unless their tileset says otherwise.
const BOTTOM_LEFT: [f64; 2] = [0.0, 1.0];

impl<'m> Pictures<'m> {
    pub(super) fn of(tilesets: &'m Tilesets<'m>, tile_size: [u32; 2]) -> Self {
        let tiles = tilesets.iter().filter(|set| set.own.is_none()).map(|set| set.saved);
        let tiles = tiles
            .flat_map(|tileset| tileset.all(Kind::Tile).map(move |tile| (tileset.number::<u32>("firstgid"), tile)));
        let pictures =
            tiles.filter_map(|(first, tile)| Some((first.checked_add(tile.number("id"))?, Picture::of(tile)?)));
        Self { own: pictures.collect(), tilesets, tile_size }
    }

    /// Returns the size of the picture of objects that shows a frame of an image set.
    pub(super) fn size_of(&self, image_set: &str, i: i32) -> Option<[u32; 2]> {
        let is_it =
            |picture: &&Picture<'_>| picture.is_shown_by(i) && picture.image_set.eq_ignore_ascii_case(image_set);
        self.own.values().find(is_it)?.size
    }

    /// Returns the picture that an object shows; `None` if it shows none. Returns why the level cannot say what the object shows,
    /// or where.
    pub(super) fn get(&self, object: &Element) -> Result<Option<Picture<'m>>, String> {
        let gid: u32 = object.number("gid");
        if gid == 0 {
            return Ok(None);
        }
        if gid & TURNS != 0 {
            return Err("the picture is flipped diagonally, which objects of a level are not".to_owned());
        }
        let gid = gid & !FLIPS;
        let place = self.tilesets.place(gid).ok_or_else(|| format!("no tileset has the tile id {gid}"))?;
        let (set, id) = place;
        let anchor = anchor(set.saved)?;
        if let Some(picture) = self.own.get(&gid) {
            return Ok(Some(Picture { anchor, ..*picture }));
        }
        let wrong = |what: &str| format!("tile {id} of the tileset {} {what}", quote(set.saved.name()));
        let named = set.own.filter(|(_, own)| !own.sheet().image_set.is_empty());
        let image_set = match (set.own, named) {
            (_, Some((_, own))) => own.name(),
            (None, _) => set.saved.name(),
            (Some(_), None) => return Err(wrong("belongs to no image set with a name")),
        };
        match set.cell(id) {
            Some(Cell::Frame { word }) => Ok(Some(Picture {
                image_set,
                i: i32::try_from(word & 0xFFFF).unwrap_or_default(),
                is_lowest: false,
                offset: [0, 0],
                size: Some(self.tile_size),
                anchor,
            })),
            Some(Cell::Filled) => Err(wrong("is a filled cell, which objects do not show")),
            None => Err(wrong("is neither a picture of objects nor a frame of an image set")),
        }
    }
}

impl<'m> Picture<'m> {
    pub(super) fn of(tile: &'m Element) -> Option<Self> {
        let text = |name: &str| tile.properties.get(name);
        let number = |name: &str| text(name)?.trim().parse().ok();
        let names = ["image_set", "i", "is_lowest", "offset_x", "offset_y"];
        let all = names.into_iter().map(text).collect::<Option<Vec<_>>>()?;
        // Exports of older versions do not have it.
        if text("shows").is_some_and(|shows| shows != all.join(" ")) {
            return None;
        }
        let size = ["imagewidth", "imageheight"].map(|name| tile.number(name));
        let is_lowest = match text("is_lowest")? {
            "true" => true,
            "false" => false,
            _ => return None,
        };
        Some(Self {
            image_set: text("image_set")?,
            i: number("i")?,
            is_lowest,
            offset: [number("offset_x")?, number("offset_y")?],
            size: (!size.contains(&0)).then_some(size),
            anchor: BOTTOM_LEFT,
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
