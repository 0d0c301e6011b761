use std::ops::Range;

use worldview_wwd::{Object, flags};

#[cfg(feature = "game")]
use crate::level::game::Sprite;

/// Draw flag of an object: its picture is flipped left to right.
#[cfg(feature = "game")]
const MIRROR: u32 = 2;
/// Draw flag of an object: its picture is flipped upside down.
#[cfg(feature = "game")]
const INVERT: u32 = 4;

/// Where the picture of an object is on its plane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) left: i64,
    pub(super) top: i64,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) mirror: bool,
    pub(super) invert: bool,
}

#[cfg(feature = "game")]
impl Place {
    pub(super) fn of(object: &Object<'_>, sprite: &Sprite) -> Self {
        let draw = object.draw_flags.get();
        let (mirror, invert) = (draw & MIRROR != 0, draw & INVERT != 0);
        let start = |at: i32, side: u32, offset: i32, is_flipped: bool| {
            let offset = i64::from(offset);
            i64::from(at) - i64::from(side / 2) + if is_flipped { -offset } else { offset }
        };
        let (width, height) = (sprite.width(), sprite.height());
        Self {
            left: start(object.x.get(), width, sprite.offset().0, mirror),
            top: start(object.y.get(), height, sprite.offset().1, invert),
            width,
            height,
            mirror,
            invert,
        }
    }
}

impl Place {
    /// Returns the columns that the picture covers.
    pub(super) fn columns(&self) -> Range<i64> {
        self.left..self.left + i64::from(self.width)
    }

    /// Returns the rows that the picture covers.
    pub(super) fn rows(&self) -> Range<i64> {
        self.top..self.top + i64::from(self.height)
    }
}

/// Returns whether the game keeps an object of a plane of this size: it drops those outside.
pub(super) fn is_inside(object: &Object<'_>, (width, height): (u64, u64)) -> bool {
    let is_within = |at: i32, end: u64| u64::try_from(at).is_ok_and(|at| at < end);
    is_within(object.x.get(), width) && is_within(object.y.get(), height)
}

/// Returns whether the game draws an object that it keeps, if it has a picture.
pub(super) fn is_drawn(object: &Object<'_>) -> bool {
    !object.logic.is_empty() && object.draw_flags.get() & flags::DRAW_NO_DRAW == 0
}
