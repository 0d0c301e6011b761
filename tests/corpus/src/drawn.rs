//! Levels drawn with the pictures of their game: a naive painter, one pixel at a time, and levels to draw.

mod generate;
mod pictures;

pub use generate::{Scene, scene};
pub use pictures::{NaiveGame, NaiveSprite};

use crate::wwd::naive::{Fields, NaiveImage, NaiveObject, NaivePlane, int};
use crate::wwd::{EMPTY_TILE, FILLED_TILE};

/// A pixel: red, green, blue and opacity.
pub type Pixel = [u8; 4];

/// What is drawn of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NaiveView {
    /// All planes over the rectangle of the main plane.
    Level,
    /// The plane with this index over its own rectangle, with its objects.
    Plane(usize),
}

/// A picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveDrawing {
    /// Width in pixels.
    pub width: i64,
    /// Height in pixels.
    pub height: i64,
    /// The pixels, in rows from the top.
    pub pixels: Vec<Pixel>,
}

/// What is drawn over what came before.
enum Step<'n> {
    Plane(&'n NaivePlane),
    Object(&'n NaiveObject),
}

/// Draws a level, or returns `None` if there is nothing to draw or the picture would have more than `most` pixels.
pub fn draw(level: &NaiveImage, game: &NaiveGame, view: NaiveView, most: i64) -> Option<NaiveDrawing> {
    let own = match view {
        NaiveView::Level => main_plane(level)?.1,
        NaiveView::Plane(index) => level.planes.get(index)?,
    };
    if own.tiles.is_empty() {
        return None;
    }
    let tile = game.tile_size(own).unwrap_or((64, 64));
    let (width, height) = (field(&own.fields, "tiles_wide") * tile.0, field(&own.fields, "tiles_high") * tile.1);
    if width.checked_mul(height)? > most {
        return None;
    }
    let steps = steps(level, own, view, (width, height));
    let mut pixels = Vec::new();
    for y in 0..height {
        for x in 0..width {
            // What is drawn last is seen first.
            let seen = steps.iter().rev().find_map(|step| match step {
                Step::Plane(plane) => plane_at(plane, game, view, tile, x, y),
                Step::Object(object) => object_at(object, game, x, y),
            });
            pixels.push(seen.map_or([0; 4], |[red, green, blue]| [red, green, blue, 255]));
        }
    }
    Some(NaiveDrawing { width, height, pixels })
}

/// The last plane with the flag; of planes without it there is none.
fn main_plane(level: &NaiveImage) -> Option<(usize, &NaivePlane)> {
    level.planes.iter().enumerate().rfind(|(_, plane)| field(&plane.fields, "flags") & 1 != 0)
}

fn steps<'n>(level: &'n NaiveImage, own: &'n NaivePlane, view: NaiveView, size: (i64, i64)) -> Vec<Step<'n>> {
    let mut objects: Vec<_> = own.objects.iter().filter(|object| is_kept(object, size)).collect();
    objects.sort_by_key(|object| field(&object.fields, "z"));
    let mut objects = objects.into_iter().peekable();
    let mut steps = Vec::new();
    let uses_z = field(&level.header, "flags") & 1 != 0;
    let main = main_plane(level).map(|(index, _)| index);
    for (index, plane) in level.planes.iter().enumerate() {
        let flags = field(&plane.fields, "flags");
        if uses_z && index > 0 {
            while let Some(object) =
                objects.next_if(|object| field(&object.fields, "z") < field(&plane.fields, "z_coord"))
            {
                steps.push(Step::Object(object));
            }
        }
        let is_drawn = match view {
            NaiveView::Level => flags & 2 == 0,
            NaiveView::Plane(only) => index == only,
        };
        if is_drawn && !plane.tiles.is_empty() {
            steps.push(Step::Plane(plane));
        }
        if !uses_z && Some(index) == main {
            steps.extend(objects.by_ref().map(Step::Object));
        }
    }
    steps.extend(objects.map(Step::Object));
    steps
}

/// Whether the game keeps an object and draws it.
fn is_kept(object: &NaiveObject, (width, height): (i64, i64)) -> bool {
    let (x, y) = (field(&object.fields, "x"), field(&object.fields, "y"));
    let is_inside = x >= 0 && x < width && y >= 0 && y < height;
    is_inside && !object.logic.is_empty() && field(&object.fields, "draw_flags") & 1 == 0
}

/// The color that a plane has at a pixel.
fn plane_at(
    plane: &NaivePlane,
    game: &NaiveGame,
    view: NaiveView,
    main_tile: (i64, i64),
    x: i64,
    y: i64,
) -> Option<[u8; 3]> {
    let tile = game.tile_size(plane).unwrap_or(main_tile);
    let (columns, rows) = (field(&plane.fields, "tiles_wide"), field(&plane.fields, "tiles_high"));
    let flags = field(&plane.fields, "flags");
    let (mut column, mut row) = (x / tile.0, y / tile.1);
    if view == NaiveView::Level && flags & 4 != 0 {
        column %= columns;
    }
    if view == NaiveView::Level && flags & 8 != 0 {
        row %= rows;
    }
    if column >= columns || row >= rows {
        return None;
    }
    let word = plane.tiles[usize::try_from(row * columns + column).ok()?];
    if word == EMPTY_TILE {
        return None;
    }
    if word == FILLED_TILE {
        return Some(game.fill(field(&plane.fields, "fill_color")));
    }
    let set = plane.image_sets.get((word >> 16) as usize)?;
    game.sprite(set, i64::from(word & 0xFFFF))?.at(x % tile.0, y % tile.1)
}

/// The color that an object has at a pixel.
fn object_at(object: &NaiveObject, game: &NaiveGame, x: i64, y: i64) -> Option<[u8; 3]> {
    let sprite = game.sprite(&object.image_set, field(&object.fields, "i"))?;
    let draw = field(&object.fields, "draw_flags");
    let (mirror, invert) = (draw & 2 != 0, draw & 4 != 0);
    let sign = |is_flipped: bool| if is_flipped { -1 } else { 1 };
    let left = field(&object.fields, "x") - (sprite.width >> 1) + sign(mirror) * sprite.offset.0;
    let top = field(&object.fields, "y") - (sprite.height >> 1) + sign(invert) * sprite.offset.1;
    let (mut column, mut row) = (x - left, y - top);
    if column < 0 || column >= sprite.width || row < 0 || row >= sprite.height {
        return None;
    }
    if mirror {
        column = sprite.width - 1 - column;
    }
    if invert {
        row = sprite.height - 1 - row;
    }
    sprite.at(column, row)
}

pub(crate) fn field(fields: &Fields, name: &str) -> i64 {
    int(fields, name).unwrap_or(0)
}
