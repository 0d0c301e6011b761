//! What the parts of the harbor share: its dimensions, and the blocks of its main plane.

use super::canvas::Canvas;
use crate::wwd::EMPTY_TILE;

pub(super) const WIDE: i32 = 160;
pub(super) const HIGH: i32 = 60;
/// The row of the water surface on the main plane.
pub(super) const SURFACE: i32 = 51;

// Blocks of the main plane, grouped by function.
pub(super) const GRASS: u32 = 6;
pub(super) const LEAVES: u32 = 14;
pub(super) const BUSH: u32 = 19;
pub(super) const EARTH: u32 = 8;
pub(super) const CLAY: u32 = 42;
pub(super) const ROCK: u32 = 7;
pub(super) const CAVE: u32 = 28;
pub(super) const SAND: u32 = 16;
pub(super) const DECK: u32 = 50;
pub(super) const WOOD: u32 = 29;
pub(super) const LADDER: u32 = 58;
pub(super) const STEEL: u32 = 33;
pub(super) const SAIL: u32 = 37;
pub(super) const RED: u32 = 34;
pub(super) const WHITE: u32 = 46;
pub(super) const LIGHT: u32 = 3;
pub(super) const POOL: u32 = 25;

/// Returns `true` if nothing has been drawn on the cell.
pub(super) fn is_empty(c: &Canvas, x: i32, y: i32) -> bool {
    c.get(x, y) == EMPTY_TILE
}
