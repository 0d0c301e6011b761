//! The three levels in `samples/`, drawn by code; the pictures of the documentation also show them.
//!
//! The exporter colors a tile without a picture by its number alone: `number / 8` chooses the hue, in steps of 137.508
//! degrees, and `number % 8` one of eight shades. So every material here is a block of eight tiles, chosen for its hue.

mod canvas;
mod cellar;
mod garden;
mod harbour;
mod harbour_blocks;
mod harbour_land;
mod harbour_ship;

use super::build::build;
use super::spec::{AttributeTableSpec, ObjectSpec};
use canvas::SHADES;

/// Returns the name and bytes of each sample.
pub fn samples() -> Vec<(&'static str, Vec<u8>)> {
    let specs = [("harbour.wwd", harbour::level()), ("garden.wwd", garden::level()), ("cellar.wwd", cellar::level())];
    specs.map(|(name, level)| (name, build(&level).bytes)).to_vec()
}

/// Returns the level of `harbour.wwd`, which `harbour.rez` contains with its pictures.
pub fn harbour() -> super::spec::LevelSpec {
    harbour::level()
}

/// Returns the tiles of that level's sky, from the night above to the sun.
pub(crate) fn harbour_sky() -> Vec<u32> {
    harbour::SKY.0.iter().map(|&(block, shade)| canvas::tile(block, shade)).collect()
}

/// Builds an attribute table for `count` tiles in which all tiles of a block share one attribute.
fn table(count: u32, record: impl Fn(u32) -> super::spec::AttributeSpec) -> AttributeTableSpec {
    let records = (0..count).map(|tile| record(tile / SHADES)).collect();
    AttributeTableSpec { records, ..AttributeTableSpec::default() }
}

/// Places objects of a few kinds on cells of the grid.
struct Placer {
    tile_px: i32,
    objects: Vec<ObjectSpec>,
}

impl Placer {
    fn new(tile_px: i32) -> Self {
        Self { tile_px, objects: Vec::new() }
    }

    /// Places an object in the center of a cell, and returns it so that the caller can set further fields.
    fn put(&mut self, x: i32, y: i32, logic: &str, image_set: &str, animation: &str) -> &mut ObjectSpec {
        let half = self.tile_px / 2;
        let at = self.objects.len();
        self.objects.push(ObjectSpec {
            id: i32::try_from(at).unwrap_or(0) + 1,
            x: x * self.tile_px + half,
            y: y * self.tile_px + half,
            z: 1000,
            logic: logic.into(),
            image_set: image_set.into(),
            animation: animation.into(),
            ..ObjectSpec::default()
        });
        &mut self.objects[at]
    }
}
