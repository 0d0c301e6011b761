use std::io::{self, Write};

use worldview_core::Limit;
use worldview_corpus::wwd::spec::{LevelSpec, PlaneSpec};
use worldview_export::Error;
use worldview_export::level::palette;
use worldview_export::level::png::{self, Allowance, Options};

use super::support::{EMPTY, FILLED, MARK, OUTLINE, Picture, color, level, object, open, plane};

fn draw(spec: &LevelSpec, options: &Options<'_>) -> Result<Vec<u8>, Error> {
    open(spec, |level| {
        let mut bytes = Vec::new();
        png::plane(level, &level.planes()[0], options, &mut Allowance::new(options), &mut bytes).map(|()| bytes)
    })
}

fn picture(spec: &LevelSpec, scale: u32) -> Picture {
    Picture::decode(&draw(spec, &Options::default().scale(scale)).unwrap())
}

#[test]
fn every_cell_has_the_color_of_its_tile() {
    let words = [0, 7, EMPTY, FILLED, 0x0001_0000, 900];
    let spec = level(vec![plane(1, 64, 3, &words)]);
    let one = picture(&spec, 1);
    assert_eq!(one.color, ::png::ColorType::Indexed);
    assert_eq!(one.trns, None);
    one.shows(&[&words[..3], &words[3..]]);
    let three = picture(&spec, 3);
    assert_eq!(three.size(), (9, 6));
    for (x, y) in (0..9).flat_map(|x| (0..6).map(move |y| (x, y))) {
        assert_eq!(three.at(x, y), color(words[(y / 3 * 3 + x / 3) as usize]), "{x}, {y}");
    }
}

#[test]
fn up_to_240_tiles_are_indexed_and_more_are_rgb() {
    let mut words: Vec<u32> = (0..238).chain([0xEEEE_EE00, 0x0002_0001, EMPTY, FILLED]).collect();
    let few = picture(&level(vec![plane(1, 64, 242, &words)]), 1);
    assert_eq!(few.color, ::png::ColorType::Indexed);
    few.shows(&[&words]);
    words.push(500);
    let many = picture(&level(vec![plane(1, 64, 243, &words)]), 1);
    assert_eq!(many.color, ::png::ColorType::Rgb);
    many.shows(&[&words]);
}

#[test]
fn the_picture_fits_4096_pixels_when_no_scale_is_given() {
    for (wide, high, scale) in [(10, 4, 64), (64, 1, 64), (65, 1, 63), (3, 1000, 4), (5000, 2, 1)] {
        let spec = level(vec![plane(1, 64, wide, &vec![3; (wide * high) as usize])]);
        let picture = Picture::decode(&draw(&spec, &Options::default()).unwrap());
        assert_eq!(picture.size(), (wide.unsigned_abs() * scale, high.unsigned_abs() * scale));
    }
}

#[test]
fn cells_keep_the_proportions_of_their_tiles() {
    let spec = level(vec![PlaneSpec { tile_height: 32, ..plane(1, 64, 2, &[1, 2]) }]);
    let picture = picture(&spec, 5);
    // 2.5 is rounded up.
    assert_eq!(picture.size(), (10, 3));
    assert_eq!([picture.at(4, 2), picture.at(5, 2)], [color(1), color(2)]);
}

#[test]
fn objects_are_diamonds_around_their_pixel() {
    // In cells of 5 pixels, a mark has a radius of 2 pixels; 64 pixels of the level are 5 pixels of the picture.
    let objects =
        vec![object(64, 70), object(64, 70), object(0, 0), object(-1, 5), object(4 * 64, 5), object(5, i32::MAX)];
    let spec = level(vec![PlaneSpec { objects, ..plane(1, 64, 4, &[1; 16]) }]);
    let picture = picture(&spec, 5);
    let expected = |x: u32, y: u32| match (x.abs_diff(5) + y.abs_diff(5)).min(x + y) {
        0 | 1 => MARK,
        2 => OUTLINE,
        _ => color(1),
    };
    for (x, y) in (0..20).flat_map(|x| (0..20).map(move |y| (x, y))) {
        assert_eq!(picture.at(x, y), expected(x, y), "{x}, {y}");
    }
    let bare = draw(&spec, &Options::default().scale(1).marks(false)).unwrap();
    Picture::decode(&bare).shows(&[&[1; 4][..]; 4]);
}

#[test]
fn a_mark_of_one_pixel_is_all_fill() {
    let spec = level(vec![PlaneSpec { objects: vec![object(64, 127)], ..plane(1, 64, 3, &[1; 9]) }]);
    let picture = picture(&spec, 1);
    assert_eq!(picture.at(1, 1), MARK);
    assert_eq!((0..9).filter(|at| picture.at(at % 3, at / 3) == MARK).count(), 1);
}

#[test]
fn marks_are_seen_in_rgb_as_well() {
    let words: Vec<u32> = (0..300).collect();
    let spec = level(vec![PlaneSpec { objects: vec![object(640, 0)], ..plane(1, 64, 300, &words) }]);
    let picture = picture(&spec, 5);
    assert_eq!(picture.color, ::png::ColorType::Rgb);
    assert_eq!([48, 49, 50, 51, 52].map(|x| picture.at(x, 0)), [OUTLINE, MARK, MARK, MARK, OUTLINE]);
}

#[test]
fn too_many_pixels_are_an_error_that_names_the_option_and_nothing_is_written() {
    let spec = level(vec![plane(1, 64, 10, &[1; 100])]);
    let options = Options::default().scale(2).max_pixels(399);
    let mut bytes = Vec::new();
    let error =
        open(&spec, |level| png::plane(level, &level.planes()[0], &options, &mut Allowance::new(&options), &mut bytes))
            .unwrap_err();
    assert_eq!(error.to_string(), "the pixels of the picture would take 400, the limit is 399");
    assert!(bytes.is_empty());
    assert!(draw(&spec, &options.max_pixels(400)).is_ok());
}

#[test]
fn a_side_that_no_png_has_is_an_error() {
    let spec = level(vec![plane(1, 64, 2, &[1; 2])]);
    let options = Options::default().scale(1 << 31).max_pixels(u64::MAX);
    let error = draw(&spec, &options).unwrap_err();
    assert!(matches!(error, Error::Limit { of: Limit::Side, .. }), "{error}");
}

#[test]
fn a_plane_without_tiles_is_nothing() {
    for (wide, high) in [(0, 0), (0, 5), (5, 0)] {
        let spec = level(vec![PlaneSpec { flags: 1, ..PlaneSpec::empty(b"", 64, wide, high) }]);
        assert_eq!(
            draw(&spec, &Options::default()).unwrap_err().to_string(),
            "nothing to export: no tiles on this plane"
        );
    }
}

#[test]
fn the_same_level_gives_the_same_bytes() {
    let words: Vec<u32> = (0..400).map(|at| at * 7 % 90).collect();
    let spec = level(vec![PlaneSpec { objects: vec![object(70, 9)], ..plane(1, 64, 20, &words) }]);
    assert_eq!(draw(&spec, &Options::default()).unwrap(), draw(&spec, &Options::default()).unwrap());
}

/// A writer that accepts a number of bytes, and then fails.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(self.0);
        self.0 -= taken;
        if taken == 0 { Err(io::Error::new(io::ErrorKind::StorageFull, "disk full")) } else { Ok(taken) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_failing_writer_is_an_error_whenever_it_fails() {
    let spec = level(vec![plane(1, 64, 20, &(0..400).collect::<Vec<_>>())]);
    let options = Options::default().scale(1);
    let length = draw(&spec, &options).unwrap().len();
    open(&spec, |level| {
        for room in 0..length {
            let error =
                png::plane(level, &level.planes()[0], &options, &mut Allowance::new(&options), Full(room)).unwrap_err();
            assert_eq!(error.to_string(), "disk full", "{room} of {length}");
        }
        png::plane(level, &level.planes()[0], &options, &mut Allowance::new(&options), Full(length)).unwrap();
    });
}

#[test]
fn colors_of_the_palette_are_far_from_each_other() {
    let far = |a: [u8; 3], b: [u8; 3]| a.iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(b))).sum::<u32>() > 100;
    assert!(far(palette::EMPTY, palette::FILLED) && far(palette::MARK, palette::EMPTY));
}
