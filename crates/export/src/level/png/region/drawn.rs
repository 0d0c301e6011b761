use std::ops::Range;
use std::sync::Arc;

use worldview_wwd::Level;

use super::color::{add, ink};
use super::objects::{Picture, PlacedObject};
use super::side::Side;
use super::{MAX_PIXELS, PlanePainter};
use crate::Result;
use crate::level::png::compose::Pixel as _;
use crate::level::png::grid::within;
use crate::level::png::scene::between_planes;
use crate::picture::Ink;

/// The objects with a picture.
pub(super) struct Drawn {
    /// Indices of objects in the order in which they are drawn: by depth, and those of the same depth in file order.
    order: Vec<usize>,
    /// The parts of `order` that are drawn directly after each plane.
    between: Vec<Range<usize>>,
    /// Indices in `order`, sorted so that neighbors on the plane are mostly close to each other.
    nearby: Vec<usize>,
    /// The rectangle around each [`BLOCK`] of `nearby`.
    around: Vec<Rectangle>,
}

/// Columns and rows of the plane.
type Rectangle = [Range<i64>; 2];

/// The number of neighbors that are looked at one by one.
const BLOCK: usize = 32;

impl Drawn {
    /// Sorts the objects of a plane, whose depths are `depths`.
    pub(super) fn of(level: &Level<'_>, list: &[PlacedObject], depths: &[i32]) -> Self {
        /// The height of a strip of the plane in which objects are sorted from left to right.
        const STRIP: i64 = 1024;

        let mut order: Vec<usize> = (0..list.len()).filter(|&at| list[at].has_picture()).collect();
        order.sort_by_key(|&at| depths[at]);
        let ascending: Vec<_> = order.iter().map(|&at| depths[at]).collect();
        let mut nearby: Vec<usize> = (0..order.len()).collect();
        nearby.sort_by_key(|&at| {
            let object = &list[order[at]];
            (object.rows.start.div_euclid(STRIP), object.columns.start)
        });
        let around = nearby.chunks(BLOCK).map(|block| {
            let rectangles = block.iter().map(|&at| rectangle(&list[order[at]]));
            rectangles.reduce(|[a, b], [c, d]| [hull(&a, &c), hull(&b, &d)]).unwrap_or([0..0, 0..0])
        });
        Self { around: around.collect(), between: between_planes(level, &ascending), order, nearby }
    }

    /// Returns the indices of the planes directly after which objects are drawn.
    pub(super) fn after(&self) -> impl Iterator<Item = usize> {
        self.between.iter().enumerate().filter(|(_, objects)| !objects.is_empty()).map(|(plane, _)| plane)
    }

    /// Returns those objects that meet a rectangle, in the order in which they are drawn.
    fn within<'l>(&self, list: &'l [PlacedObject], drawn: &Range<usize>, wanted: &Rectangle) -> Vec<&'l PlacedObject> {
        let blocks = self.nearby.chunks(BLOCK).zip(&self.around).filter(|(_, around)| meets(around, wanted));
        let places = blocks.flat_map(|(block, _)| block);
        let drawn = places.copied().filter(|at| drawn.contains(at));
        let mut found: Vec<_> = drawn.filter(|&at| meets(&rectangle(&list[self.order[at]]), wanted)).collect();
        found.sort_unstable();
        found.into_iter().map(|at| &list[self.order[at]]).collect()
    }

    /// Paints the pictures of the objects in a region: of all, or of those that are drawn directly after a plane.
    /// Returns `None` if there are none.
    pub(super) fn paint(
        &self,
        list: &[PlacedObject],
        painter: &PlanePainter<'_>,
        after: Option<usize>,
        (across, down): (Side, Side),
    ) -> Result<Option<Vec<Ink>>> {
        /// The number of pixels that can be painted in the time that an object takes in addition.
        const OBJECT: u64 = 16;

        let Some(game) = &painter.game else { return Ok(None) };
        let shown = |side: Side| {
            let Range { start, end } = side.on_plane();
            let place = |at: u64| i64::try_from(at).unwrap_or(i64::MAX);
            place(start)..place(end)
        };
        let drawn = match after {
            None => 0..self.order.len(),
            Some(plane) => self.between.get(plane).cloned().unwrap_or(0..0),
        };
        let found = self.within(list, &drawn, &[shown(across), shown(down)]);
        if found.is_empty() {
            return Ok(None);
        }
        let (width, height) = painter.size();
        let mut painted = 0_u64;
        let mut inks = vec![0; across.length as usize * down.length as usize];
        for picture in found.iter().filter_map(|object| object.picture()) {
            let Picture { place, frame, sprite } = picture;
            let columns = across.of_picture(place.left, place.width, width, place.mirror);
            let rows = down.of_picture(place.top, place.height, height, place.invert);
            painted = painted.saturating_add(columns.len() as u64 * rows.len() as u64 + OBJECT);
            within("the pixels of all objects of the region", painted, MAX_PIXELS)?;
            let Some(stamp) = game.stamp(*frame, || Some(Arc::clone(sprite))) else { continue };
            for row in &rows {
                let pixels = &mut inks[row.pixel * across.length as usize..][..across.length as usize];
                for column in &columns {
                    let sum = stamp.sum(column.from..column.to, row.from..row.to);
                    let mut mean = [0.0; 4];
                    add(&mut mean, sum, column.weight * row.weight);
                    let above = ink(mean);
                    let below = &mut pixels[column.pixel];
                    *below = above.over(above.to_be_bytes()[0], *below);
                }
            }
        }
        Ok(Some(inks))
    }
}

fn rectangle(object: &PlacedObject) -> Rectangle {
    [object.columns.clone(), object.rows.clone()]
}

/// Returns the smallest range around two.
fn hull(one: &Range<i64>, other: &Range<i64>) -> Range<i64> {
    one.start.min(other.start)..one.end.max(other.end)
}

/// Returns whether two rectangles have a pixel in common.
fn meets(one: &Rectangle, other: &Rectangle) -> bool {
    one.iter().zip(other).all(|(one, other)| one.start < other.end && other.start < one.end)
}
