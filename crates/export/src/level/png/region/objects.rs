use std::ops::Range;
#[cfg(feature = "game")]
use std::{collections::HashMap, sync::Arc};

use worldview_wwd::Object;

use super::PlanePainter;
use crate::level::png::place::Place;
use crate::level::png::scene::Scene;
#[cfg(feature = "game")]
use crate::{
    Result,
    level::game::Sprite,
    level::png::gallery::{Shown, reduced},
    level::png::grid::within,
    level::png::place::{is_drawn, is_inside},
    level::png::region::{ReducedPictures, Reduction},
    level::png::scene::{Item, Step, between_planes},
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

    #[cfg(not(feature = "game"))]
    #[expect(clippy::unnecessary_wraps, reason = "as with pictures")]
    pub(super) const fn add(
        &self,
        _: &PlanePainter<'_>,
        _: Option<usize>,
        _: u32,
        _: &mut Scene<'_>,
    ) -> crate::Result<()> {
        Ok(())
    }
}

#[cfg(feature = "game")]
impl Placed {
    /// Adds the picture of an object, if the game draws one, and returns where it is.
    fn add_picture(&mut self, painter: &PlanePainter<'_>, object: &Object<'_>) -> Option<Place> {
        if !is_inside(object, painter.size()) || !is_drawn(object) {
            return None;
        }
        let pictures = painter.options.pictures()?;
        let frame = pictures.object(object)?;
        let (frame, sprite) = (frame.id(), pictures.decode(frame).ok()?);
        let place = Place::of(object, &sprite);
        self.pictures.push(Picture { z: object.z.get(), place, frame, sprite });
        Some(place)
    }

    /// Returns the indices of the planes directly after which objects are drawn.
    pub(super) fn after(&self) -> impl Iterator<Item = usize> {
        self.between.iter().enumerate().filter(|(_, objects)| !objects.is_empty()).map(|(plane, _)| plane)
    }

    /// Adds the pictures of the objects in a region: of all, or of those that are drawn directly after a plane.
    pub(super) fn add<'p>(
        &self,
        painter: &PlanePainter<'p>,
        after: Option<usize>,
        zoom: u32,
        scene: &mut Scene<'p>,
    ) -> Result<()> {
        /// The number of pixels that can be painted in the time that an object takes in addition.
        const OBJECT: u64 = 16;

        let Some(pictures) = painter.options.pictures() else { return Ok(()) };
        let kept = pictures.kept::<ReducedPictures>();
        let objects = match after {
            None => 0..self.pictures.len(),
            Some(plane) => self.between.get(plane).cloned().unwrap_or(0..0),
        };
        let on_plane = |at: u64| i64::try_from(at << zoom).unwrap_or(i64::MAX);
        // Pictures are moved by less than a pixel.
        let around = |Range { start, end }: Range<u64>| on_plane(start.saturating_sub(1))..on_plane(end + 1);
        let (columns, rows) = (around(scene.grid.across.pixels()), around(scene.grid.down.pixels()));
        let meets = |one: Range<i64>, other: &Range<i64>| one.start < other.end && other.start < one.end;
        let (mut known, mut painted) = (HashMap::new(), 0_u64);
        // All are compared. An index would save a microsecond for a thousand, of the hundreds that a picture takes.
        for Picture { z, place, frame, sprite } in &self.pictures[objects] {
            if !meets(place.columns(), &columns) || !meets(place.rows(), &rows) {
                continue;
            }
            let (left, across) = first_pixel(place.columns(), place.mirror, zoom);
            let (top, down) = first_pixel(place.rows(), place.invert, zoom);
            let &mut (stamp, width, height) = known.entry((*frame, across, down)).or_insert_with(|| {
                let picture = reduced(&kept, *frame, sprite, [across, down]);
                let (width, height) = (picture.width, picture.height);
                (scene.gallery.show(Shown::Other(picture)), width, height)
            });
            // A flipped picture starts at its end.
            let left = if place.mirror { left - i64::from(width) } else { left };
            let top = if place.invert { top - i64::from(height) } else { top };
            let item = Item { z: *z, place: Place { left, top, width, height, ..*place }, stamp };
            let count = |pixels: Range<u64>| pixels.end.saturating_sub(pixels.start);
            painted = painted.saturating_add(count(item.columns(scene)) * count(item.rows(scene)) + OBJECT);
            within("the pixels of all objects of the region", painted, super::MAX_PIXELS)?;
            scene.objects.push(item);
        }
        if !scene.objects.is_empty() {
            scene.steps.push(Step::Objects(0..scene.objects.len()));
        }
        Ok(())
    }
}

/// Returns the pixel in which a picture starts, or behind which it does if it is flipped, and how it is reduced.
///
/// Places are rounded to quarters of a pixel, so that few pictures are needed.
#[cfg(feature = "game")]
fn first_pixel(place: Range<i64>, is_flipped: bool, zoom: u32) -> (i64, Reduction) {
    let step = zoom.saturating_sub(2);
    let nearest = |at: i64| (at + (1 << step >> 1)) >> step << step;
    let (first, shift) = if is_flipped {
        let end = nearest(place.end);
        let first = -(-end >> zoom);
        (first, (first << zoom) - end)
    } else {
        let start = nearest(place.start);
        (start >> zoom, start - (start >> zoom << zoom))
    };
    (first, Reduction { cell: u32::MAX, zoom, shift: u32::try_from(shift).unwrap_or(0) })
}
