//! Levels of any size with the statistics of real ones: the same skew of names, the same empty sky, the same unusual
//! bytes.

use super::spec::{
    AttributeSpec, AttributeTableSpec, ChecksumRule, LevelSpec, Packing, PlaneSpec, TrailerBlockSpec, TrailerSpec,
};
use crate::rng::Rng;

mod edge;
mod objects;
mod switches;
mod terrain;

pub use edge::edge_cases;
pub use switches::switches;

/// The game that a level is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Game {
    /// Captain Claw.
    Claw,
    /// Gruntz.
    Gruntz,
    /// Get Medieval.
    GetMedieval,
}

/// The size and options of a generated level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The game.
    pub game: Game,
    /// Number of planes. The second is the main plane; a single plane is the main plane itself.
    pub planes: u32,
    /// Columns of the main plane and of those in front of it; planes behind it have half as many.
    pub tiles_wide: u32,
    /// Rows, by the same rule.
    pub tiles_high: u32,
    /// Width and height of a tile in pixels.
    pub tile_px: u32,
    /// Objects on the main plane.
    pub objects: u32,
    /// Number of image sets per plane.
    pub image_sets: u32,
    /// Number of records in the tile-attribute table; 0 omits the table.
    pub attributes: u32,
    /// How many of the records are masks.
    pub masks: u32,
    /// How the main block is stored.
    pub packing: Packing,
    /// What the checksum word holds.
    pub checksum: ChecksumRule,
    /// Whether WapMap's trailer is appended.
    pub trailer: bool,
}

impl Shape {
    /// A level of a few kilobytes, stored raw.
    pub const fn small() -> Self {
        Self {
            game: Game::Claw,
            planes: 3,
            tiles_wide: 24,
            tiles_high: 16,
            tile_px: 64,
            objects: 12,
            image_sets: 1,
            attributes: 40,
            masks: 0,
            packing: Packing::Raw,
            checksum: ChecksumRule::Editor,
            trailer: false,
        }
    }

    /// A level as large as a late Claw level, packed.
    pub const fn claw() -> Self {
        Self {
            tiles_wide: 480,
            tiles_high: 220,
            objects: 2800,
            attributes: 928,
            packing: Packing::Zlib { level: 6 },
            ..Self::small()
        }
    }

    /// A Gruntz level, packed.
    pub const fn gruntz() -> Self {
        Self {
            game: Game::Gruntz,
            planes: 2,
            tiles_wide: 120,
            tiles_high: 120,
            tile_px: 32,
            objects: 560,
            attributes: 910,
            packing: Packing::Zlib { level: 6 },
            ..Self::small()
        }
    }

    /// A raw Claw level whose image has about `bytes` bytes: mostly tiles, and a fifth of it objects up to a maximum
    /// count.
    pub fn sized(bytes: u64) -> Self {
        let objects = (bytes / 5 / 330).min(20_000);
        let attributes = (bytes / 10 / 24).clamp(8, 928);
        let rest = bytes.saturating_sub(1524 + 3 * 160 + objects * 330 + attributes * 24);
        // Two full grids and one of half the width and height, at four bytes per tile.
        let cells = (rest / 9).max(4);
        let high = (cells / 2).isqrt().max(1);
        let count = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
        Self {
            tiles_wide: count(cells / high),
            tiles_high: count(high),
            objects: count(objects),
            attributes: count(attributes),
            ..Self::small()
        }
    }
}

/// Generates the level for a seed and a shape; the result never changes.
pub fn level(seed: u64, shape: &Shape) -> LevelSpec {
    let mut rng = Rng::new(seed);
    let mut level = LevelSpec {
        planes: planes(&mut rng, shape),
        attributes: (shape.attributes > 0).then(|| attributes(&mut rng, shape)),
        packing: shape.packing,
        checksum: shape.checksum,
        trailer: shape.trailer.then(|| trailer(&mut rng)),
        ..LevelSpec::default()
    };
    header(&mut rng, shape, &mut level);
    level
}

/// Generates a small level of any game.
pub fn small(rng: &mut Rng) -> LevelSpec {
    let (level, odd) = (1 + rng.below(9).to_le_bytes()[0], rng.below(8));
    let tiles_wide = 6 + rng.below(28);
    let shape = Shape {
        game: *rng.pick(&[Game::Claw, Game::Gruntz, Game::GetMedieval]).unwrap_or(&Game::Claw),
        planes: 1 + rng.below(4),
        tiles_wide,
        tiles_high: 4 + rng.below(20),
        tile_px: if rng.one_in(2) { 64 } else { 32 },
        objects: rng.below(14),
        image_sets: 1 + rng.below(3),
        attributes: 1 + rng.below(30),
        masks: 0,
        packing: if odd == 0 { Packing::Raw } else { Packing::Zlib { level } },
        checksum: *rng.pick(&[ChecksumRule::Editor, ChecksumRule::WapMap]).unwrap_or(&ChecksumRule::Editor),
        trailer: rng.one_in(6),
    };
    self::level(rng.next_u64(), &shape)
}

/// Generates a small level; every fourth is one of the [`edge_cases`].
pub fn any(rng: &mut Rng) -> LevelSpec {
    if !rng.one_in(4) {
        return small(rng);
    }
    let mut cases = edge_cases();
    let pick = rng.next_u64() % u64::try_from(cases.len()).unwrap_or(1);
    cases.swap_remove(usize::try_from(pick).unwrap_or(0)).1
}

fn signed(value: u32) -> i32 {
    i32::try_from(value).unwrap_or(i32::MAX)
}

fn header(rng: &mut Rng, shape: &Shape, level: &mut LevelSpec) {
    let level_number = rng.range(1, 15);
    // Four levels of Gruntz share an area.
    let number = if shape.game == Game::Gruntz { (level_number - 1) / 4 + 1 } else { level_number };
    let (title, folder, tiles) = match shape.game {
        Game::Claw => ("Claw - Level", "LEVEL", "TILES"),
        Game::Gruntz => ("Level Set", "AREA", "TILEZ"),
        Game::GetMedieval => ("Dungeon", "DUNGEON", "TILES"),
    };
    let slash = if rng.one_in(2) { "\\" } else { "" };
    let header = &mut level.header;
    header.name = format!("{title} {level_number}").into_bytes();
    header.author = b"Corpus".to_vec();
    header.birth = format!("October {}, 1997", rng.range(1, 32)).into_bytes();
    header.rez_file = b"C:\\WORK\\CORPUS.REZ".to_vec();
    header.image_dir = format!("{slash}{folder}{number}\\{tiles}").into_bytes();
    if shape.game != Game::Gruntz {
        header.pal_rez = format!("\\{folder}{number}\\PALETTES\\MAIN.PAL").into_bytes();
    }
    header.launch_app = b"C:\\WORK\\GAME.EXE".to_vec();
    let [dir_1, dir_2, ..] = &mut header.image_set_dirs;
    *dir_1 = format!("{folder}{number}\\IMAGES").into_bytes();
    *dir_2 = b"GAME\\IMAGES".to_vec();
    let [prefix_1, prefix_2, ..] = &mut header.image_set_prefixes;
    *prefix_1 = b"LEVEL".to_vec();
    *prefix_2 = b"GAME".to_vec();
    header.start_x = signed(shape.tile_px.saturating_mul(2));
    header.start_y = signed(shape.tile_px.saturating_mul(shape.tiles_high / 2));
}

fn planes(rng: &mut Rng, shape: &Shape) -> Vec<PlaneSpec> {
    let main = u32::from(shape.planes > 1);
    let mut planes = Vec::new();
    for p in 0..shape.planes {
        // Planes behind the main one scroll more slowly and need fewer tiles.
        let part = if p < main { 2 } else { 1 };
        let (wide, high) = (shape.tiles_wide.div_ceil(part), shape.tiles_high.div_ceil(part));
        let name = match p {
            _ if p == main => "Action".to_owned(),
            0 => "Background".to_owned(),
            _ if p == main + 1 => "Front".to_owned(),
            _ => format!("Front {p}"),
        };
        let mut plane = PlaneSpec::empty(name.as_bytes(), signed(shape.tile_px), signed(wide), signed(high));
        plane.image_sets = image_sets(shape, p, main);
        if p == main {
            plane.flags = 0x01;
            plane.z_coord = 4000;
            terrain::ground(rng, &mut plane, shape.attributes);
            plane.objects = objects::objects(rng, shape.game, shape.objects, &plane);
        } else if p < main {
            plane.flags = 0x0C;
            plane.movement_x_percent = 50;
            plane.movement_y_percent = 50;
            terrain::pattern(rng, &mut plane);
        } else {
            plane.z_coord = 8000;
            plane.movement_x_percent = 120;
            terrain::clumps(rng, &mut plane);
        }
        planes.push(plane);
    }
    planes
}

fn image_sets(shape: &Shape, plane: u32, main: u32) -> Vec<Vec<u8>> {
    let first: &[u8] = match plane {
        _ if plane == main => b"ACTION",
        0 => b"BACK",
        _ => b"FRONT",
    };
    let mut names = Vec::new();
    for i in 0..shape.image_sets {
        names.push(if i == 0 { first.to_vec() } else { format!("EXTRA{i}").into_bytes() });
    }
    names
}

/// Attribute values that occur in Gruntz, including some beyond the five common ones.
const GRUNTZ_VALUES: &[i32] = &[0, 0, 0, 1, 1, 4, 10, 11, 14, 18, 32, 36, 51, 66, 93, 116, 150, 154];

fn attributes(rng: &mut Rng, shape: &Shape) -> AttributeTableSpec {
    let px = shape.tile_px;
    let mut records = Vec::new();
    for i in 0..shape.attributes {
        let record = if i >= shape.attributes.saturating_sub(shape.masks) {
            let mask = (0..u64::from(px) * u64::from(px)).map(|_| rng.below(5).to_le_bytes()[0]);
            AttributeSpec::mask(px, px, mask.collect())
        } else if shape.game == Game::Gruntz {
            AttributeSpec::single(px, px, rng.pick(GRUNTZ_VALUES).copied().unwrap_or(0))
        } else if rng.one_in(10) {
            let top = rng.range(0, signed(px / 2));
            // One past the inclusive maximum, as in real files.
            AttributeSpec::double(px, px, 0, rng.range(1, 5), [0, top, signed(px), signed(px)])
        } else {
            AttributeSpec::single(px, px, rng.pick(&[0, 0, 1, 1, 1, 2, 3, 4]).copied().unwrap_or(0))
        };
        records.push(record);
    }
    AttributeTableSpec { records, ..AttributeTableSpec::default() }
}

fn trailer(rng: &mut Rng) -> TrailerSpec {
    let header = TrailerBlockSpec::Header {
        wapmap_build: rng.below(200),
        wapmap_version: b"MAINDEV".to_vec(),
        map_build: rng.below(1000),
        map_version: b"1.0".to_vec(),
        description: Vec::new(),
    };
    let guides = (0..rng.below(4)).map(|i| ((i % 2).to_le_bytes()[0], rng.below(4096)));
    let guides = TrailerBlockSpec::Guides(guides.collect());
    let places = (0..rng.below(3)).map(|i| (format!("place {i}").into_bytes(), rng.below(4096), rng.below(4096)));
    let places = TrailerBlockSpec::Favourites(places.collect());
    TrailerSpec { blocks: vec![header, guides, places] }
}
