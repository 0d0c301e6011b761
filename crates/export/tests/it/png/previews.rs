//! Small pictures of levels.

use worldview_corpus::wwd::build::build;
use worldview_corpus::wwd::samples;
use worldview_corpus::wwd::spec::{AttributeSpec, AttributeTableSpec, LevelSpec, PlaneSpec};
use worldview_export::level::palette;
use worldview_export::level::png::{self, Allowance};
use worldview_export::level::preview::{self, Options};
use worldview_export::{Error, Result};
use worldview_wwd::{Level, unpack};

use super::support::Picture;

/// The flag of the main plane.
const MAIN: u32 = 1;

fn of(tile: (i32, i32), columns: i32, rows: i32, word: impl Fn(i32, i32) -> u32) -> LevelSpec {
    let tiles = (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))).map(|(x, y)| word(x, y)).collect();
    let plane = PlaneSpec { flags: MAIN, tiles, ..PlaneSpec::empty(b"plane", tile.0, columns, rows) };
    let plane = PlaneSpec { tile_height: tile.1, ..plane };
    LevelSpec { planes: vec![plane], ..LevelSpec::default() }
}

fn draw(level: &LevelSpec, options: &Options<'_>) -> Result<Picture> {
    let file = build(level).bytes;
    let image = unpack(&file).unwrap();
    let mut out = Vec::new();
    preview::level(&Level::parse(&image).unwrap(), options, &mut out)?;
    Ok(Picture::decode(&out))
}

fn rgba([red, green, blue]: [u8; 3]) -> [u8; 4] {
    [red, green, blue, 255]
}

/// Each tile has a whole number of pixels if there are enough, and the picture matches the level.
#[test]
fn whole_pixels() {
    let picture = draw(&of((64, 64), 100, 30, |x, y| (x * y).cast_unsigned() % 50), &Options::default()).unwrap();
    assert_eq!((picture.width, picture.height), (400, 120));
    for (x, y) in [(0, 0), (399, 119), (200, 60), (17, 113)] {
        let word = (x / 4) * (y / 4) % 50;
        assert_eq!(picture.at(x, y), rgba(palette::tile(word)), "{x}, {y}");
    }
    // Tiles are never enlarged.
    let picture = draw(&of((16, 8), 2, 3, |_, _| 7), &Options::default()).unwrap();
    assert_eq!((picture.width, picture.height), (32, 24));
    for (name, file) in samples() {
        let image = unpack(&file).unwrap();
        let level = Level::parse(&image).unwrap();
        let (mut small, mut large) = (Vec::new(), Vec::new());
        preview::level(&level, &Options::default().tile_colors(true), &mut small).unwrap();
        let columns = level.main_plane().unwrap().columns();
        let scale = Picture::decode(&small).width / u32::try_from(columns).unwrap();
        assert!(scale > 0, "{name}");
        let options = png::Options::default().scale(scale).marks(false);
        let colors = options.tile_colors(true);
        png::level(&level, &colors, &mut Allowance::new(&colors), &mut large).unwrap();
        assert!(small == large, "{name}");
        // Without colors asked for, it shows the tile attributes, and no legend.
        let (mut small, mut large) = (Vec::new(), Vec::new());
        preview::level(&level, &Options::default(), &mut small).unwrap();
        png::level(&level, &options, &mut Allowance::new(&options), &mut large).unwrap();
        let (small, large) = (Picture::decode(&small), Picture::decode(&large));
        assert!(large.height > small.height, "{name}");
        for (x, y) in (0..small.width).flat_map(|x| (0..small.height).map(move |y| (x, y))) {
            assert_eq!(small.at(x, y), large.at(x, y), "{name}: {x}, {y}");
        }
    }
}

/// A level with more tiles than the box has pixels shows the attributes of a part of them.
#[test]
fn attributes_of_more_tiles_than_pixels() {
    let mut spec = of((64, 64), 9600, 4800, |x, _| u32::from(x >= 4800));
    let records = vec![AttributeSpec::single(64, 64, 1), AttributeSpec::single(64, 64, 4)];
    spec.attributes = Some(AttributeTableSpec { records, ..AttributeTableSpec::default() });
    let picture = draw(&spec, &Options::default()).unwrap();
    assert_eq!((picture.width, picture.height), (480, 240));
    for (x, attribute) in [(0, 1), (238, 1), (241, 4), (479, 4)] {
        assert_eq!(picture.at(x, 100), rgba(palette::attribute(attribute)), "{x}");
    }
}

/// If there are more tiles than pixels, each pixel is the mean of several tiles.
#[test]
fn a_pixel_is_the_mean_of_its_tiles() {
    let (a, b) = (0, 36);
    let picture = draw(&of((64, 64), 960, 480, |x, _| if x % 2 == 0 { a } else { b }), &Options::default()).unwrap();
    assert_eq!((picture.width, picture.height), (480, 240));
    let (first, second) = (palette::tile(a), palette::tile(b));
    let mean: [u8; 3] = std::array::from_fn(|i| first[i].midpoint(second[i]));
    for (x, y) in [(0, 0), (479, 239), (100, 77)] {
        let found = picture.at(x, y);
        assert!((0..3).all(|i| found[i].abs_diff(mean[i]) <= 1), "{found:?} {mean:?}");
    }
}

/// The picture has the aspect ratio of the level, and never exceeds its box.
#[test]
fn a_preview_keeps_the_aspect_ratio_and_fits_its_box() {
    let cases = [
        ((64, 64), (2_000, 500), (480, 120)),
        ((64, 64), (500, 2_000), (80, 320)),
        ((64, 64), (70_000, 1), (480, 1)),
        ((64, 64), (1, 70_000), (1, 320)),
        // Far more tiles in one direction than in the other, but the same number of pixels.
        ((1, 1_000), (1_000, 1), (320, 320)),
        ((2, 1), (1_000, 1_000), (480, 240)),
    ];
    for (tile, (columns, rows), size) in cases {
        let half = columns / 2;
        let level = of(tile, columns, rows, |x, _| if x < half { 0 } else { 36 });
        let picture = draw(&level, &Options::default()).unwrap();
        assert_eq!((picture.width, picture.height), size, "{columns} x {rows}");
        if columns > 1 {
            assert_eq!(picture.at(2, picture.height / 2), rgba(palette::tile(0)));
            assert_eq!(picture.at(picture.width - 2, picture.height / 2), rgba(palette::tile(36)));
        }
    }
    for (width, height) in [(1, 1), (7, 3), (64, 2048), (2048, 64)] {
        for columns in [1, 5, 63, 64, 65, 300] {
            let options = Options::default().size(width, height);
            let picture = draw(&of((32, 32), columns, 40, |_, _| 3), &options).unwrap();
            assert!(picture.width <= width && picture.height <= height);
        }
    }
}

/// Levels that cannot be drawn return an error, and tiles of the maximum size cause no problems.
#[test]
fn levels_that_cannot_be_drawn_are_errors() {
    let options = Options::default();
    assert!(matches!(draw(&LevelSpec::default(), &options), Err(Error::Nothing { .. })));
    let level = of((64, 64), 3, 3, |_, _| 1);
    for (width, height) in [(0, 10), (10, 0)] {
        assert!(matches!(draw(&level, &Options::default().size(width, height)), Err(Error::Nothing { .. })));
    }
    assert!(matches!(draw(&level, &options.size(2049, options.height)), Err(Error::Limit { .. })));
    for tile in [(i32::MAX, i32::MAX), (i32::MAX, 1), (1, i32::MAX), (0, 0), (-1, 5)] {
        for columns in [1, 3, 700] {
            let picture = draw(&of(tile, columns, 2, |_, _| 1), &options).unwrap();
            assert!(picture.width <= 480 && picture.height <= 320, "{tile:?}");
        }
    }
    // Thousands of overlapping planes are either rejected or drawn quickly.
    let mut many = of((1, 1), 600, 400, |_, _| 1);
    many.planes[0].flags = MAIN;
    let plane = PlaneSpec { flags: 4 | 8, ..PlaneSpec::empty(b"plane", 1, 1, 1) };
    many.planes.extend(std::iter::repeat_n(PlaneSpec { tiles: vec![1], ..plane }, 2_000));
    assert!(matches!(draw(&many, &options), Ok(_) | Err(Error::Limit { .. })));
}
