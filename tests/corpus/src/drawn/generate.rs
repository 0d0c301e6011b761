//! Levels with pictures of every kind, small enough to draw pixel by pixel.

use crate::rez::build::build as build_archive;
use crate::rez::picture::{PALETTE, PcxSpec, PidSpec, SKIP_RUNS, TRANSPARENT};
use crate::rez::spec::{ArchiveSpec, DirectorySpec};
use crate::rng::Rng;
use crate::wwd::spec::{LevelSpec, ObjectSpec, Packing, PlaneSpec};
use crate::wwd::{EMPTY_TILE, FILLED_TILE, build};

/// A level and the archive with its pictures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// The level file.
    pub level: Vec<u8>,
    /// The archive.
    pub archive: Vec<u8>,
}

/// The directories of a game: tiles, images of the level, images of the game, and the tile directory in the header.
const GAMES: [[&str; 4]; 3] = [
    ["LEVEL3/TILES", "LEVEL3/IMAGES", "GAME/IMAGES", "\\LEVEL3\\TILES"],
    ["AREA1/TILEZ", "AREA1/IMAGEZ", "GAME/IMAGEZ", "AREA1\\TILEZ"],
    ["DUNGEON3/TILES", "DUNGEON3/IMAGES", "GAME/IMAGES", "DUNGEON3\\TILES"],
];

/// Creates a level with a few planes and objects: tiles with and without transparency, smaller and larger than the
/// tile size, of several image sets; missing frames and sets; filled and empty cells; repeated planes; objects that are
/// flipped, hidden, beyond the edges, and between the planes.
pub fn scene(seed: u64) -> Scene {
    let mut rng = Rng::new(seed);
    let game = usize::try_from(rng.below(3)).unwrap_or(0);
    let [tiles, images, shared, image_dir] = GAMES[game];
    let has_palette = game != 1 && !rng.one_in(6);
    let tile = (rng.range(3, 14), rng.range(3, 14));
    let mut root = DirectorySpec::default();
    if has_palette {
        root.add(&format!("{}/PALETTES/MAIN.PAL", tiles.split_once('/').map_or("", |(own, _)| own)), {
            palette(&mut rng).as_flattened().to_vec()
        });
    }
    for set in ["ACTION", "back", "FRONT_2"] {
        for frame in 0..5 {
            let size = if rng.one_in(4) { (rng.range(1, 20), rng.range(1, 20)) } else { tile };
            picture(&mut rng, &mut root, &format!("{tiles}/{set}/{frame:03}"), size, has_palette);
        }
    }
    for (folder, sets) in [(images, ["CRAB", "ROPE/LONG"]), (shared, ["COIN", "Rope_Long"])] {
        for set in sets {
            for frame in [2, 3, 7] {
                let size = (rng.range(1, 30), rng.range(1, 30));
                picture(&mut rng, &mut root, &format!("{folder}/{set}/FRAME{frame}"), size, has_palette);
            }
        }
    }
    let archive = ArchiveSpec { root, ..ArchiveSpec::default() };
    Scene { level: build::build(&level(&mut rng, tile, image_dir, game)).bytes, archive: build_archive(&archive).bytes }
}

fn palette(rng: &mut Rng) -> [[u8; 3]; 256] {
    let mut palette = [[0; 3]; 256];
    for color in &mut palette {
        let [red, green, blue, ..] = rng.next_u64().to_le_bytes();
        *color = [red, green, blue];
    }
    // The color that is transparent in Gruntz.
    palette[8] = [255, 0, 132];
    palette
}

/// Adds a picture of a random kind.
fn picture(rng: &mut Rng, root: &mut DirectorySpec, path: &str, (width, height): (i32, i32), has_palette: bool) {
    let count = usize::try_from(width * height).unwrap_or(0);
    let most = if rng.one_in(8) { 256 } else { 16 };
    let pixels: Vec<u8> = (0..count).map(|_| rng.below(most).to_le_bytes()[0]).collect();
    let side = |side: i32| u16::try_from(side).unwrap_or(1);
    if rng.one_in(12) {
        let planes = if rng.one_in(2) { 3 } else { 1 };
        let pixels = pixels.repeat(planes.into());
        let pcx = PcxSpec {
            width: side(width),
            height: side(height),
            planes,
            pixels,
            palette: palette(rng),
            padding: width.unsigned_abs().to_le_bytes()[0].into(),
        };
        root.add(&format!("{path}.PCX"), pcx.build());
        return;
    }
    let mut pid = PidSpec::new(usize::try_from(width).unwrap_or(1), &pixels);
    pid.flags = if rng.one_in(3) { TRANSPARENT } else { 0 };
    if rng.one_in(2) {
        pid.flags |= TRANSPARENT | SKIP_RUNS;
        for pixel in &mut pid.pixels {
            *pixel = pixel.filter(|index| index % 3 != 0);
        }
    }
    if !has_palette && !rng.one_in(12) || rng.one_in(6) {
        pid.flags |= PALETTE;
        pid.palette = palette(rng);
    }
    if rng.one_in(2) {
        pid.offset = (rng.range(-20, 20), rng.range(-20, 20));
    }
    let mut bytes = pid.build();
    if rng.one_in(30) {
        bytes.truncate(33);
    }
    root.add(&format!("{path}.PID"), bytes);
}

fn level(rng: &mut Rng, tile: (i32, i32), image_dir: &str, game: usize) -> LevelSpec {
    let count = rng.range(1, 5);
    let main = rng.range(0, count);
    let mut planes = Vec::new();
    for index in 0..count {
        let (wide, high) = (rng.range(1, 9), rng.range(1, 9));
        let mut plane = PlaneSpec::empty(b"plane", tile.0, wide, high);
        plane.tile_height = tile.1;
        plane.flags = rng.below(8) << 2 & 0xC;
        if index == main {
            plane.flags |= 1;
        }
        if rng.one_in(8) {
            plane.flags |= 2;
        }
        if rng.one_in(6) {
            plane.flags |= 0x10;
        }
        if rng.one_in(6) {
            (plane.tile_width, plane.tile_height) = (rng.range(0, 9), rng.range(-1, 9));
        }
        plane.z_coord = if rng.one_in(5) { rng.range(-50, 50) } else { index * 10 };
        plane.fill_color = rng.range(-5, 1000);
        plane.image_sets = vec![b"action".to_vec(), b"BACK".to_vec(), b"FRONT_2".to_vec(), b"NONE".to_vec()];
        plane.image_sets.truncate(usize::try_from(rng.range(1, 5)).unwrap_or(1));
        let cells = wide * high;
        plane.tiles = (0..cells)
            .map(|_| match rng.below(12) {
                0 => FILLED_TILE,
                1..=3 => EMPTY_TILE,
                4 => rng.below(4) << 16 | rng.below(7),
                _ => rng.below(6),
            })
            .collect();
        if index == main || rng.one_in(4) {
            plane.objects = (0..rng.range(0, 12)).map(|_| object(rng)).collect();
        }
        planes.push(plane);
    }
    let mut level = LevelSpec { planes, packing: Packing::Raw, ..LevelSpec::default() };
    level.header.flags = u32::from(!rng.one_in(3));
    level.header.name = if game == 1 { b"Quest 2".to_vec() } else { b"Level 3".to_vec() };
    level.header.image_dir = image_dir.into();
    level
}

fn object(rng: &mut Rng) -> ObjectSpec {
    let sets = ["LEVEL_CRAB", "level_rope_long", "GAME_COIN", "GAME_ROPE_LONG", "DUNGEON_CRAB", "ACTION", "LEVEL_NONE"];
    let set = rng.pick(&sets).copied().unwrap_or_default();
    ObjectSpec {
        x: rng.range(-4, 90),
        y: rng.range(-4, 90),
        z: rng.range(-10, 50),
        i: *rng.pick(&[-1, -1, 2, 3, 5, 7, -2]).unwrap_or(&-1),
        draw_flags: if rng.one_in(2) { 0 } else { rng.below(16) },
        logic: if rng.one_in(10) { Vec::new() } else { b"Crab".to_vec() },
        image_set: set.into(),
        ..ObjectSpec::default()
    }
}
