//! Tiles of the main plane and of the plane in front: which material a block of eight tiles is made of.

use super::colors::{CAVE, CLAY, DEEP, EARTH, ICE, PLANK, ROCK, ROSE, SAIL, SAND, WATER, WHITE};
use super::materials as draw;
use super::paint::Picture;

/// Draws a tile of a set; eight shades of each material follow each other.
pub(super) fn tile(set: &str, number: u32) -> Picture {
    let seed = i32::try_from(number).unwrap_or(0);
    let (block, shade) = (number / 8, seed % 8);
    match (set, block) {
        ("FRONT", 4) => draw::crest(),
        ("FRONT", _) => draw::twigs(seed, shade),
        (_, 3 | 24) => draw::window(shade),
        (_, 4) => draw::surface(seed, shade),
        (_, 6) => draw::grass(seed, shade),
        (_, 7) => draw::stones(ROCK, seed, shade),
        (_, 8) => draw::soil(EARTH, seed, shade + 1),
        (_, 12) => draw::water(WATER, seed, shade),
        (_, 14) => draw::foliage(seed, shade),
        (_, 16) => draw::sand(SAND, seed, shade + 1),
        (_, 17) => draw::crystal(ICE, shade),
        (_, 18) => draw::crystal(ROSE, shade),
        (_, 19) => draw::bush(seed, shade),
        (_, 20) => draw::water(DEEP, seed, shade + 3),
        (_, 23) => draw::puff(shade),
        (_, 25) => draw::water(ICE, seed, shade - 1),
        (_, 28) => draw::cave(CAVE, seed, shade),
        (_, 29) => draw::wood(seed, shade),
        (_, 33) => draw::steel(shade),
        (_, 34) => draw::painted(seed, shade),
        (_, 37) => draw::cloth(SAIL, shade),
        (_, 42) => draw::soil(CLAY, seed, shade + 2),
        (_, 46) => draw::plaster(WHITE, seed, shade),
        (_, 50) => draw::deck(PLANK, seed, shade),
        (_, 58) => draw::ladder(shade),
        _ => Picture::filled(64, 64, SAND.at(shade + 1)),
    }
}
