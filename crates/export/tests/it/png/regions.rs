use worldview_core::Limit;
use worldview_corpus::sample;
use worldview_corpus::wwd::spec::{AttributeSpec, AttributeTableSpec, LevelSpec, PlaneSpec};
use worldview_export::Error;
use worldview_export::level::png::region::{Layer, PlanePainter, Region};
use worldview_export::level::png::{self, Allowance, Options};
use worldview_wwd::{Level, Plane, unpack};

use super::support::{EMPTY, FILLED, Picture, color, level, object, open, plane};

const CLEAR: [u8; 4] = [0; 4];

/// A drawn region.
pub(super) struct Drawn {
    width: usize,
    pixels: Vec<[u8; 4]>,
    /// Whether the painter said that something is there.
    is_any: bool,
}

impl Drawn {
    pub(super) fn of(painter: &PlanePainter<'_>, region: Region, layer: Layer) -> Self {
        let mut bytes = vec![7; 5];
        let is_any = painter.rgba(region, layer, &mut bytes).unwrap();
        let pixels = bytes.as_chunks().0.to_vec();
        assert_eq!(pixels.len() as u64, u64::from(region.width) * u64::from(region.height));
        let drawn = Self { width: region.width as usize, pixels, is_any };
        assert_eq!(is_any, drawn.pixels.iter().any(|pixel| pixel[3] > 0));
        // The PNG shows the same.
        let mut file = Vec::new();
        assert_eq!(painter.png(region, layer, &mut file).unwrap(), is_any);
        assert_eq!(file.is_empty(), !is_any);
        if is_any {
            let picture = Picture::decode(&file);
            assert_eq!(picture.size(), (region.width, region.height));
            for y in 0..region.height {
                for x in 0..region.width {
                    assert_eq!(picture.at(x, y), drawn.at(x, y));
                }
            }
        }
        drawn
    }

    pub(super) fn at(&self, x: u32, y: u32) -> [u8; 4] {
        self.pixels[y as usize * self.width + x as usize]
    }
}

/// The whole plane at a zoom, or the upper left part of a large one.
pub(super) fn whole(painter: &PlanePainter<'_>, zoom: u32) -> Region {
    let (width, height) = painter.size();
    let side = |length: u64| u32::try_from(length.min(1600).div_ceil(1 << zoom)).unwrap();
    Region { x: 0, y: 0, width: side(width), height: side(height), zoom }
}

/// Checks that pictures of a zoom are the averages of the pixels in full size. `tolerance` is that of a part of a
/// color that is multiplied by its opacity.
pub(super) fn assert_averages(painter: &PlanePainter<'_>, layer: Layer, zoom: u32, tolerance: f64) {
    let (full, small) = (whole(painter, 0), whole(painter, zoom));
    let (fine, coarse) = (Drawn::of(painter, full, layer), Drawn::of(painter, small, layer));
    let premultiplied = |[red, green, blue, opacity]: [u8; 4]| {
        let part = |part: u8| f64::from(part) * f64::from(opacity) / 255.0;
        [part(red), part(green), part(blue), f64::from(opacity)]
    };
    let side = 1 << zoom;
    for (x, y) in (0..small.width).flat_map(|x| (0..small.height).map(move |y| (x, y))) {
        let mut mean = [0.0; 4];
        for (x, y) in (x * side..(x + 1) * side).flat_map(|x| (y * side..(y + 1) * side).map(move |y| (x, y))) {
            if u64::from(x) < painter.size().0 && u64::from(y) < painter.size().1 {
                let parts = premultiplied(fine.at(x, y));
                mean.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part / f64::from(side * side));
            }
        }
        let found = premultiplied(coarse.at(x, y));
        let is_near = mean.iter().zip(found).all(|(mean, found)| (mean - found).abs() <= tolerance);
        assert!(is_near, "{layer:?}, zoom {zoom}, {x}, {y}: {found:?} instead of {mean:?}");
    }
}

#[test]
fn in_full_size_a_region_is_a_part_of_the_picture_of_its_plane() {
    for name in ["harbour.wwd", "garden.wwd"] {
        let file = sample(name);
        let image = unpack(&file).unwrap();
        let level = Level::parse(&image).unwrap();
        for plane in level.planes().iter().filter(|plane| !plane.tiles().is_empty()) {
            let painter = PlanePainter::new(&level, plane);
            let options = Options::default().scale(painter.tile().0.max(painter.tile().1)).marks(false);
            let expected = Picture::of(|out| png::plane(&level, plane, &options, &mut Allowance::new(&options), out));
            assert_eq!((u64::from(expected.width), u64::from(expected.height)), painter.size(), "{name}");
            // Off the grid of the tiles, and over the lower right corner.
            let (right, bottom) = (expected.width - 150, expected.height - 100);
            for (x, y) in [(0, 0), (37, 101), (right, bottom)] {
                let region = Region { x: x.into(), y: y.into(), width: 300, height: 200, zoom: 0 };
                let drawn = Drawn::of(&painter, region, Layer::Tiles);
                for (inside_x, inside_y) in (0..300).flat_map(|x| (0..200).map(move |y| (x, y))) {
                    let is_inside = x + inside_x < expected.width && y + inside_y < expected.height;
                    let wanted = if is_inside { expected.at(x + inside_x, y + inside_y) } else { CLEAR };
                    let found = drawn.at(inside_x, inside_y);
                    let is_same = found == wanted || found == CLEAR && wanted == color(EMPTY);
                    assert!(is_same, "{name}, {plane:?}, {x} + {inside_x}, {y} + {inside_y}: {found:?} and {wanted:?}");
                }
            }
        }
    }
}

#[test]
fn attributes_are_those_of_the_overlay() {
    for name in ["harbour.wwd", "garden.wwd"] {
        let file = sample(name);
        let image = unpack(&file).unwrap();
        let level = Level::parse(&image).unwrap();
        let main = level.main_plane().unwrap();
        let painter = PlanePainter::new(&level, main);
        let options = Options::default().scale(painter.tile().0).marks(false);
        let expected = Picture::of(|out| png::attributes(&level, &options, &mut Allowance::new(&options), out));
        let region = Region { x: 0, y: 0, width: 1000, height: 300, zoom: 0 };
        let drawn = Drawn::of(&painter, region, Layer::Attributes);
        for (x, y) in (0..1000).flat_map(|x| (0..300).map(move |y| (x, y))) {
            let (found, wanted) = (drawn.at(x, y), expected.at(x, y));
            assert!(found == wanted || (found[3], wanted[3]) == (0, 0), "{name}, {x}, {y}: {found:?} and {wanted:?}");
        }
        for other in level.planes().iter().filter(|plane| plane.index() != main.index()) {
            let painter = PlanePainter::new(&level, other);
            assert!(!Drawn::of(&painter, region, Layer::Attributes).is_any);
        }
    }
}

#[test]
fn every_kind_of_attribute_is_averaged() {
    let records = vec![
        AttributeSpec::single(10, 10, 1),
        AttributeSpec::double(10, 10, 2, 4, [3, 1, 7, 20]),
        AttributeSpec::mask(10, 10, (0..100).map(|at| at % 5).collect()),
        AttributeSpec::single(10, 10, 0),
    ];
    let attributes = Some(AttributeTableSpec { records, ..AttributeTableSpec::default() });
    let spec = LevelSpec { attributes, ..level(vec![plane(1, 10, 3, &[0, 1, 2, 3, EMPTY, FILLED, 9, 1, 2])]) };
    open(&spec, |level| {
        let painter = PlanePainter::new(level, &level.planes()[0]);
        // Four pixels of a mask are all looked at.
        assert_averages(&painter, Layer::Attributes, 1, 1.0);
        assert_averages(&painter, Layer::Attributes, 2, 1.0);
    });
}

#[test]
fn a_zoom_shows_averages() {
    // Odd tiles, so that pixels show parts of several cells.
    let words: Vec<u32> = (0..5 * 3).map(|at| if at % 6 == 4 { EMPTY } else { at * at % 40 }).collect();
    for tile in [1_i32, 3, 13, 16] {
        open(&level(vec![plane(1, tile, 5, &words)]), |level| {
            let painter = PlanePainter::new(level, &level.planes()[0]);
            // Further zooms look at the middles of a sixteenth of a pixel each.
            for zoom in 0..=tile.trailing_zeros() + 2 {
                assert_averages(&painter, Layer::Tiles, zoom, 1.0);
            }
        });
    }
}

#[test]
fn joins_between_regions_are_seamless() {
    let words: Vec<u32> = (0..40 * 30).map(|at| at * 31 % 97).collect();
    open(&level(vec![plane(1, 9, 40, &words)]), |level| {
        let painter = PlanePainter::new(level, &level.planes()[0]);
        for zoom in 0..painter.zooms() + 2 {
            let all = whole(&painter, zoom);
            let drawn = Drawn::of(&painter, all, Layer::Tiles);
            for (x, y) in [(0, 0), (all.width / 2, all.height / 3), (all.width - 1, all.height - 1)] {
                let region = Region { x: x.into(), y: y.into(), width: all.width - x, height: all.height - y, zoom };
                let part = Drawn::of(&painter, region, Layer::Tiles);
                for (inside_x, inside_y) in (0..region.width).flat_map(|x| (0..region.height).map(move |y| (x, y))) {
                    assert_eq!(part.at(inside_x, inside_y), drawn.at(x + inside_x, y + inside_y), "zoom {zoom}");
                }
            }
        }
    });
}

#[test]
fn the_last_zoom_is_one_picture() {
    for (tile, wide, high, zooms) in [(64, 1, 1, 1), (64, 4, 4, 1), (64, 5, 1, 2), (64, 1, 17, 4), (1, 257, 1, 2)] {
        let words = vec![3; (wide * high) as usize];
        open(&level(vec![plane(1, tile, wide, &words)]), |level| {
            let painter = PlanePainter::new(level, &level.planes()[0]);
            assert_eq!(painter.zooms(), zooms, "{wide} x {high} tiles of {tile}");
            assert!(Drawn::of(&painter, Region::of_pyramid(0, 0, zooms - 1), Layer::Tiles).is_any);
            for (x, y) in [(1, 0), (0, 1)] {
                assert!(!Drawn::of(&painter, Region::of_pyramid(x, y, zooms - 1), Layer::Tiles).is_any);
            }
        });
    }
}

#[test]
fn nothing_is_there_outside_the_plane_and_where_it_is_empty() {
    let objects = vec![object(100, 100), object(-5, i32::MAX)];
    let spec = level(vec![
        PlaneSpec { objects, ..plane(1, 64, 2, &[EMPTY, 1, EMPTY, EMPTY]) },
        PlaneSpec::empty(b"", 64, 0, 0),
    ]);
    open(&spec, |level| {
        let painter = PlanePainter::new(level, &level.planes()[0]);
        let drawn = |x, y, layer| Drawn::of(&painter, Region { x, y, width: 64, height: 64, zoom: 0 }, layer).is_any;
        assert_eq!(
            [(0, 0), (1, 0), (64, 0), (128, 0), (64, 64)].map(|(x, y)| drawn(x, y, Layer::Tiles)),
            [false, true, true, false, false]
        );
        assert!(!drawn(u64::MAX, 0, Layer::Tiles) && !drawn(0, u64::MAX - 3, Layer::Tiles));
        assert!(!drawn(64, 64, Layer::Objects) && !drawn(0, 0, Layer::Attributes));
        // Objects without a picture still have a place.
        let found: Vec<_> = painter.objects().iter().map(|object| (object.index, object.columns.clone())).collect();
        assert_eq!(found, [(0, 88..113), (1, -17..8)]);
        assert!(painter.objects().iter().all(|object| !object.has_picture()));
        let none = PlanePainter::new(level, &level.planes()[1]);
        assert_eq!((none.size(), none.zooms(), none.objects().len()), ((0, 0), 1, 0));
        assert!(!Drawn::of(&none, Region::of_pyramid(0, 0, 0), Layer::Tiles).is_any);
        assert!(!Drawn::of(&painter, Region { x: 0, y: 0, width: 0, height: 9, zoom: 0 }, Layer::Tiles).is_any);
    });
}

#[test]
fn no_tile_size_is_too_odd() {
    let sizes = [i32::MIN, -64, 0, 1, 63, 1000, i32::MAX];
    for (wide, high) in sizes.into_iter().flat_map(|wide| sizes.map(|high| (wide, high))) {
        let odd = PlaneSpec {
            tile_width: wide,
            tile_height: high,
            objects: vec![object(i32::MAX, i32::MIN), object(0, 0)],
            ..plane(1, 64, 3, &[1, EMPTY, FILLED, 2, 3, 4])
        };
        let records = vec![AttributeSpec::double(64, 64, 1, 4, [i32::MIN, 0, i32::MAX, 39]); 4];
        let attributes = Some(AttributeTableSpec { records, ..AttributeTableSpec::default() });
        open(&LevelSpec { attributes, ..level(vec![odd]) }, |level| {
            let painter = PlanePainter::new(level, &level.planes()[0]);
            assert!(painter.zooms() <= 32);
            for (zoom, at) in (0..32).flat_map(|zoom| [0, 1, 1 << 20, u64::MAX >> 8].map(|at| (zoom, at))) {
                for layer in [Layer::Tiles, Layer::Objects, Layer::Attributes] {
                    Drawn::of(&painter, Region { x: at, y: at, width: 3, height: 2, zoom }, layer);
                }
            }
            let (width, height) = painter.size();
            // What is far longer than it is wide is too thin to be seen at the last zoom.
            if width.max(height) / width.min(height) < 100 {
                let last = Region::of_pyramid(0, 0, painter.zooms() - 1);
                assert!(Drawn::of(&painter, last, Layer::Tiles).is_any);
            }
        });
    }
}

#[test]
fn regions_have_limits() {
    open(&level(vec![plane(1, 64, 1, &[1])]), |level| {
        let painter = PlanePainter::new(level, &level.planes()[0]);
        let error = |region| painter.rgba(region, Layer::Tiles, &mut Vec::new()).unwrap_err();
        let region = Region { x: 0, y: 0, width: 1, height: 1, zoom: 32 };
        assert!(matches!(error(region), Error::Limit { of: Limit::Side, .. }));
        for (width, height) in [(u32::MAX, u32::MAX), (1 << 24, 2), (4097, 4096)] {
            let region = Region { width, height, zoom: 0, ..region };
            assert!(matches!(error(region), Error::Limit { of: Limit::Pixels, .. }));
        }
    });
}

#[test]
fn a_large_plane_is_drawn_at_once() {
    const SIDE: i32 = 2048;
    let words: Vec<u32> = (0..2048 * 2048).map(|at: u32| at / 2048 / 1024 * 2 + at % 2048 / 1024).collect();
    open(&level(vec![plane(1, 64, SIDE, &words)]), |level| {
        let plane: &Plane<'_> = &level.planes()[0];
        let painter = PlanePainter::new(level, plane);
        assert_eq!(painter.zooms(), 10);
        let drawn = Drawn::of(&painter, Region::of_pyramid(0, 0, 9), Layer::Tiles);
        assert_eq!([(0, 0), (128, 0), (127, 128), (255, 255)].map(|(x, y)| drawn.at(x, y)), [0, 1, 2, 3].map(color));
    });
}
