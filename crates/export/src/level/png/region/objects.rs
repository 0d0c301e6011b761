use std::ops::Range;
#[cfg(feature = "game")]
use std::sync::Arc;

use worldview_wwd::Object;

use super::PlanePainter;
#[cfg(feature = "game")]
use crate::level::game::Sprite;
#[cfg(feature = "game")]
use crate::level::png::place::{Place, is_drawn, is_inside};

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
    #[cfg(feature = "game")]
    picture: Option<Picture>,
}

impl PlacedObject {
    /// Returns whether the rectangle is that of a picture.
    pub const fn has_picture(&self) -> bool {
        #[cfg(feature = "game")]
        return self.picture.is_some();
        #[cfg(not(feature = "game"))]
        return false;
    }

    #[cfg(feature = "game")]
    pub(super) const fn picture(&self) -> Option<&Picture> {
        self.picture.as_ref()
    }

    pub(super) fn of(painter: &PlanePainter<'_>, object: &Object<'_>) -> Self {
        #[cfg(feature = "game")]
        if let Some(picture) = Picture::of(painter, object) {
            let Place { left, top, width, height, .. } = picture.place;
            let (columns, rows) = (left..left + i64::from(width), top..top + i64::from(height));
            return Self { index: object.index, columns, rows, picture: Some(picture) };
        }
        #[cfg(not(feature = "game"))]
        let _ = painter;
        let around = |at: i32| i64::from(at) - RADIUS..i64::from(at) + RADIUS + 1;
        Self {
            index: object.index,
            columns: around(object.x.get()),
            rows: around(object.y.get()),
            #[cfg(feature = "game")]
            picture: None,
        }
    }
}

/// The picture of an object.
#[cfg(feature = "game")]
#[derive(Clone)]
pub(super) struct Picture {
    pub(super) place: Place,
    /// The number of the frame.
    pub(super) frame: u32,
    pub(super) sprite: Arc<Sprite>,
}

#[cfg(feature = "game")]
impl std::fmt::Debug for Picture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.place.fmt(f)
    }
}

#[cfg(feature = "game")]
impl Picture {
    /// Returns the picture of an object, if the game draws it.
    pub(super) fn of(painter: &PlanePainter<'_>, object: &Object<'_>) -> Option<Self> {
        let game = painter.game.as_ref()?;
        if !is_inside(object, painter.size()) || !is_drawn(object) {
            return None;
        }
        let (frame, sprite) = game.object(object)?;
        Some(Self { place: Place::of(object, &sprite), frame, sprite })
    }
}
