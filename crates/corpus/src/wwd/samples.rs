//! Three places drawn by code: what the files in `samples/` hold, and what every picture of the documentation shows.
//!
//! The exporter gives a tile without a picture a colour by its number alone: `number / 8` chooses the hue, 137.508 degrees
//! apart, and `number % 8` one of eight shades. So every material here is a block of eight tiles, chosen for its hue.

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

/// Name and bytes of each sample.
pub fn samples() -> Vec<(&'static str, Vec<u8>)> {
    let specs = [("harbour.wwd", harbour::level()), ("garden.wwd", garden::level()), ("cellar.wwd", cellar::level())];
    specs.map(|(name, level)| (name, build(&level).bytes)).to_vec()
}

/// A table of `count` tiles whose attribute depends on the block alone.
fn table(count: u32, record: impl Fn(u32) -> super::spec::AttributeSpec) -> AttributeTableSpec {
    let records = (0..count).map(|tile| record(tile / SHADES)).collect();
    AttributeTableSpec { records, ..AttributeTableSpec::default() }
}

/// Places objects of a few kinds at cells of the grid.
struct Placer {
    tile_px: i32,
    objects: Vec<ObjectSpec>,
}

impl Placer {
    fn new(tile_px: i32) -> Self {
        Self { tile_px, objects: Vec::new() }
    }

    /// Puts an object at the middle of a cell and hands it out for what is special about it.
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
