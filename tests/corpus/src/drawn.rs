//! Levels drawn with the pictures of their game: a naive painter, one pixel at a time, and levels to draw.

mod generate;
mod pictures;

pub use generate::{Scene, scene};
pub use pictures::{NaiveGame, NaiveSprite};

use self::pictures::{Frames, frame_of};
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

/// A step with everything that is the same for all of its pixels.
enum Drawn<'n> {
    Plane(DrawnPlane<'n>),
    Object(DrawnObject<'n>),
}

struct DrawnPlane<'n> {
    plane: &'n NaivePlane,
    tile: (i64, i64),
    size: (i64, i64),
    /// Whether columns and rows repeat.
    repeats: (bool, bool),
    fill: [u8; 3],
    sets: Vec<Option<&'n Frames>>,
}

struct DrawnObject<'n> {
    sprite: &'n NaiveSprite,
    /// The first column and row.
    corner: (i64, i64),
    is_flipped: (bool, bool),
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
    let drawn = steps(level, own, view, (width, height)).into_iter().filter_map(|step| match step {
        Step::Plane(plane) => Some(Drawn::Plane(DrawnPlane::of(plane, game, view, tile))),
        Step::Object(object) => Some(Drawn::Object(DrawnObject::of(object, game)?)),
    });
    // What is drawn last is seen first.
    let drawn: Vec<_> = drawn.collect::<Vec<_>>().into_iter().rev().collect();
    let mut pixels = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let seen = drawn.iter().find_map(|drawn| match drawn {
                Drawn::Plane(plane) => plane.at(x, y),
                Drawn::Object(object) => object.at(x, y),
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

impl<'n> DrawnPlane<'n> {
    fn of(plane: &'n NaivePlane, game: &'n NaiveGame, view: NaiveView, main_tile: (i64, i64)) -> Self {
        let flags = if view == NaiveView::Level { field(&plane.fields, "flags") } else { 0 };
        Self {
            plane,
            tile: game.tile_size(plane).unwrap_or(main_tile),
            size: (field(&plane.fields, "tiles_wide"), field(&plane.fields, "tiles_high")),
            repeats: (flags & 4 != 0, flags & 8 != 0),
            fill: game.fill(field(&plane.fields, "fill_color")),
            sets: plane.image_sets.iter().map(|set| game.frames(set)).collect(),
        }
    }

    /// The color at a pixel.
    fn at(&self, x: i64, y: i64) -> Option<[u8; 3]> {
        let (mut column, mut row) = (x / self.tile.0, y / self.tile.1);
        if self.repeats.0 {
            column %= self.size.0;
        }
        if self.repeats.1 {
            row %= self.size.1;
        }
        if column >= self.size.0 || row >= self.size.1 {
            return None;
        }
        let word = self.plane.tiles[usize::try_from(row * self.size.0 + column).ok()?];
        if word == EMPTY_TILE {
            return None;
        }
        if word == FILLED_TILE {
            return Some(self.fill);
        }
        let frames = (*self.sets.get((word >> 16) as usize)?)?;
        frame_of(frames, i64::from(word & 0xFFFF))?.at(x % self.tile.0, y % self.tile.1)
    }
}

impl<'n> DrawnObject<'n> {
    /// Returns `None` for an object without a picture.
    fn of(object: &NaiveObject, game: &'n NaiveGame) -> Option<Self> {
        let sprite = game.sprite(&object.image_set, field(&object.fields, "i"))?;
        let draw = field(&object.fields, "draw_flags");
        let (mirror, invert) = (draw & 2 != 0, draw & 4 != 0);
        let sign = |is_flipped: bool| if is_flipped { -1 } else { 1 };
        let left = field(&object.fields, "x") - (sprite.width >> 1) + sign(mirror) * sprite.offset.0;
        let top = field(&object.fields, "y") - (sprite.height >> 1) + sign(invert) * sprite.offset.1;
        Some(Self { sprite, corner: (left, top), is_flipped: (mirror, invert) })
    }

    /// The color at a pixel.
    fn at(&self, x: i64, y: i64) -> Option<[u8; 3]> {
        let (mut column, mut row) = (x - self.corner.0, y - self.corner.1);
        if column < 0 || column >= self.sprite.width || row < 0 || row >= self.sprite.height {
            return None;
        }
        if self.is_flipped.0 {
            column = self.sprite.width - 1 - column;
        }
        if self.is_flipped.1 {
            row = self.sprite.height - 1 - row;
        }
        self.sprite.at(column, row)
    }
}

pub(crate) fn field(fields: &Fields, name: &str) -> i64 {
    int(fields, name).unwrap_or(0)
}
