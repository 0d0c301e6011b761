use std::ops::Range;
#[cfg(feature = "game")]
use std::sync::Arc;

use worldview_wwd::Object;

use super::PlanePainter;
use crate::level::png::place::Place;
#[cfg(feature = "game")]
use crate::{
    Result,
    level::game::Sprite,
    level::png::grid::within,
    level::png::place::{is_drawn, is_inside},
    level::png::region::{color, side::Side},
    level::png::scene::between_planes,
    level::png::stamp::Pixel as _,
    picture::Ink,
};

/// The distance from the position of an object without a picture to the sides of its rectangle.
const RADIUS: i64 = 12;

/// The rectangle that an object takes on its plane.
#[non_exhaustive]
#[derive(Clone, Debug)]
pub struct PlacedObject {
    /// The index in the plane.
    pub index: usize,
    /// The columns: those of its picture, or a few around its position if it has none. They may start or end outside
    /// the plane.
    pub columns: Range<i64>,
    /// The rows.
    pub rows: Range<i64>,
    has_picture: bool,
}

impl PlacedObject {
    /// Returns whether the rectangle is that of a picture.
    pub const fn has_picture(&self) -> bool {
        self.has_picture
    }

    fn of(object: &Object<'_>, picture: Option<Place>) -> Self {
        let around = |at: i32| i64::from(at) - RADIUS..i64::from(at) + RADIUS + 1;
        let (columns, rows) = match picture {
            Some(place) => (place.columns(), place.rows()),
            None => (around(object.x.get()), around(object.y.get())),
        };
        Self { index: object.index, columns, rows, has_picture: picture.is_some() }
    }
}

/// The objects of a plane.
#[derive(Default)]
pub(super) struct Placed {
    /// The objects in file order, up to the first that cannot be read.
    pub(super) list: Vec<PlacedObject>,
    pub(super) error: Option<worldview_core::Error>,
    /// The pictures in the order in which they are drawn: by depth, and those of the same depth in file order.
    #[cfg(feature = "game")]
    pictures: Vec<Picture>,
    /// The pictures that are drawn directly after each plane.
    #[cfg(feature = "game")]
    between: Vec<Range<usize>>,
}

/// The picture of an object.
#[cfg(feature = "game")]
struct Picture {
    z: i32,
    place: Place,
    /// The number of the frame.
    frame: u32,
    sprite: Arc<Sprite>,
}

impl Placed {
    pub(super) fn of(painter: &PlanePainter<'_>) -> Self {
        let mut placed = Self::default();
        for object in painter.plane.objects() {
            match object {
                Ok(object) => {
                    let picture = placed.add_picture(painter, &object);
                    placed.list.push(PlacedObject::of(&object, picture));
                }
                Err(error) => placed.error = Some(error),
            }
        }
        #[cfg(feature = "game")]
        {
            placed.pictures.sort_by_key(|picture| picture.z);
            placed.between = between_planes(painter.level, &placed.pictures, |picture| picture.z);
        }
        placed
    }

    #[cfg(not(feature = "game"))]
    const fn add_picture(&mut self, _: &PlanePainter<'_>, _: &Object<'_>) -> Option<Place> {
        None
    }
}

#[cfg(feature = "game")]
impl Placed {
    /// Adds the picture of an object, if the game draws one, and returns where it is.
    fn add_picture(&mut self, painter: &PlanePainter<'_>, object: &Object<'_>) -> Option<Place> {
        if !is_inside(object, painter.size()) || !is_drawn(object) {
            return None;
        }
        let (frame, sprite) = painter.game.as_ref()?.object(object)?;
        let place = Place::of(object, &sprite);
        self.pictures.push(Picture { z: object.z.get(), place, frame, sprite });
        Some(place)
    }

    /// Returns the indices of the planes directly after which objects are drawn.
    pub(super) fn after(&self) -> impl Iterator<Item = usize> {
        self.between.iter().enumerate().filter(|(_, objects)| !objects.is_empty()).map(|(plane, _)| plane)
    }

    /// Paints the pictures of the objects in a region: of all, or of those that are drawn directly after a plane.
    /// Returns `None` if there are none.
    pub(super) fn paint(
        &self,
        painter: &PlanePainter<'_>,
        after: Option<usize>,
        (across, down): (Side, Side),
    ) -> Result<Option<Vec<Ink>>> {
        /// The number of pixels that can be painted in the time that an object takes in addition.
        const OBJECT: u64 = 16;

        let Some(game) = &painter.game else { return Ok(None) };
        let drawn = match after {
            None => 0..self.pictures.len(),
            Some(plane) => self.between.get(plane).cloned().unwrap_or(0..0),
        };
        // All are compared. An index would save a microsecond for a thousand, of the hundreds that a picture takes.
        let (columns, rows) = (across.on_plane(), down.on_plane());
        let meets = |one: Range<i64>, other: &Range<i64>| one.start < other.end && other.start < one.end;
        let is_shown = |place: &Place| meets(place.columns(), &columns) && meets(place.rows(), &rows);
        let mut found = self.pictures[drawn].iter().filter(|picture| is_shown(&picture.place)).peekable();
        if found.peek().is_none() {
            return Ok(None);
        }
        let (width, height) = painter.size();
        let mut painted = 0_u64;
        let mut inks = vec![0; across.length as usize * down.length as usize];
        for Picture { place, frame, sprite, .. } in found {
            let columns = across.of_picture(place.left, place.width, width, place.mirror);
            let rows = down.of_picture(place.top, place.height, height, place.invert);
            painted = painted.saturating_add(columns.len() as u64 * rows.len() as u64 + OBJECT);
            within("the pixels of all objects of the region", painted, super::MAX_PIXELS)?;
            let Some(stamp) = game.stamp(*frame, || Some(Arc::clone(sprite))) else { continue };
            for row in &rows {
                let pixels = &mut inks[row.pixel * across.length as usize..][..across.length as usize];
                for column in &columns {
                    let sum = stamp.sum(column.from..column.to, row.from..row.to);
                    let above = color::ink(sum.map(|part| part * (column.weight * row.weight)));
                    let below = &mut pixels[column.pixel];
                    *below = above.over(above.to_be_bytes()[0], *below);
                }
            }
        }
        Ok(Some(inks))
    }
}
