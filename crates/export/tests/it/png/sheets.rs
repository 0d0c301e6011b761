use ::png::ColorType::{Indexed, Rgba};
use worldview_core::Limit;
use worldview_export::Error;
use worldview_export::level::png::{self, Allowance, Options, TileImages};
use worldview_export::level::{Cell, Sheet, palette};

use super::support::{Folder, Picture, rgba};

fn sheet(columns: u32, size: (u32, u32), cells: &[Cell]) -> Sheet {
    Sheet {
        image_set: b"ACTION".into(),
        cells: cells.into(),
        columns,
        tile_width: size.0,
        tile_height: size.1,
        fill: 0,
    }
}

fn draw(sheet: &Sheet, options: &Options<'_>) -> Result<Vec<u8>, Error> {
    let mut allowance = Allowance::new(options);
    let mut bytes = Vec::new();
    png::sheet(sheet, options, &mut allowance, &mut bytes).map(|()| bytes)
}

fn picture(sheet: &Sheet, tiles: Option<&TileImages>) -> Picture {
    Picture::decode(&draw(sheet, &Options::default().tiles(tiles)).unwrap())
}

const FRAMES: [Cell; 4] =
    [Cell::Frame { word: 5 }, Cell::Filled, Cell::Frame { word: 0x0001_0006 }, Cell::Frame { word: 7 }];

fn darker(color: [u8; 3]) -> [u8; 4] {
    rgba(color.map(|part| part - part / 5))
}

#[test]
fn the_picture_has_exactly_the_cells_of_the_plan() {
    let sheet = sheet(3, (16, 8), &FRAMES);
    let picture = picture(&sheet, None);
    assert_eq!(picture.size(), (48, 16));
    assert_eq!(picture.color, Indexed);
    assert_eq!(picture.at(0, 0), darker(palette::tile(5)));
    assert_eq!(picture.at(15, 4), darker(palette::tile(5)));
    assert_eq!(picture.at(1, 1), rgba(palette::tile(5)));
    assert_eq!(picture.at(33, 6), rgba(palette::tile(0x0001_0006)));
    assert_eq!(picture.at(33, 7), darker(palette::tile(0x0001_0006)));
    assert_eq!(picture.at(4, 12), rgba(palette::tile(7)));
    for (x, y) in [(16, 8), (20, 12), (47, 15)] {
        assert_eq!(picture.at(x, y), [0; 4], "cells to spare are transparent");
    }
}

#[test]
fn cells_are_indexed_as_long_as_a_palette_has_room() {
    let frames = |count: u32| (0..count).map(|word| Cell::Frame { word }).chain([Cell::Filled]).collect::<Vec<_>>();
    // Transparent, three colors for a filled cell, and two for each frame.
    for (count, color) in [(126, Indexed), (127, Rgba)] {
        let picture = picture(&sheet(128, (3, 3), &frames(count)), None);
        assert_eq!((picture.color, picture.trns.is_some()), (color, color == Indexed));
        for word in 0..count {
            let [outer, inner, below] = [(3 * word, 1), (3 * word + 1, 1), (3 * word + 1, 2)];
            let dark = darker(palette::tile(word));
            let expected = [dark, rgba(palette::tile(word)), dark];
            assert_eq!([outer, inner, below].map(|(x, y)| picture.at(x, y)), expected);
        }
        assert_eq!(picture.at(3 * 127 + 1, 1)[3], if count == 127 { 255 } else { 0 });
    }
}

#[test]
fn every_line_of_cells_is_drawn() {
    let cells: Vec<_> = [3, 40, 5, 60, 7].map(|word| Cell::Frame { word }).to_vec();
    let picture = picture(&sheet(2, (4, 4), &cells), None);
    assert_eq!(picture.size(), (8, 12));
    for (at, word) in (0..).zip([3, 40, 5, 60, 7]) {
        for (x, y) in (0..4).flat_map(|x| (0..4).map(move |y| (x, y))) {
            let color = palette::tile(word);
            let edge = x == 0 || y == 0 || x == 3 || y == 3;
            let expected = if edge { darker(color) } else { rgba(color) };
            assert_eq!(picture.at(at % 2 * 4 + x, at / 2 * 4 + y), expected, "{at}: {x}, {y}");
        }
    }
    assert_eq!(picture.at(5, 9), [0; 4]);
}

#[test]
fn the_filled_cell_is_hatched() {
    let picture = picture(&sheet(1, (16, 16), &[Cell::Filled]), None);
    let inner: Vec<_> = (1..15).flat_map(|x| (1..15).map(move |y| (x, y))).map(|(x, y)| picture.at(x, y)).collect();
    let plain = inner.iter().filter(|&&color| color == rgba(palette::FILLED)).count();
    assert!(plain > 100 && plain < 180, "{plain}");
    assert_eq!(picture.at(0, 3), darker(palette::FILLED));
}

#[test]
fn the_smallest_cells_have_no_edge() {
    let picture = picture(&sheet(2, (1, 2), &FRAMES[..1]), None);
    assert_eq!(picture.size(), (2, 2));
    assert_eq!(
        [picture.at(0, 0), picture.at(0, 1), picture.at(1, 0)],
        [rgba(palette::tile(5)), rgba(palette::tile(5)), [0; 4]]
    );
}

#[test]
fn a_plan_of_nothing_is_still_a_picture() {
    let picture = picture(&sheet(0, (0, 0), &[]), None);
    assert_eq!((picture.size(), picture.at(0, 0)), ((1, 1), [0; 4]));
}

#[test]
fn real_pictures_fill_their_cells() {
    let folder = Folder::new("sheet");
    folder.picture("action/tile007.png", (2, 1), Rgba, &[255, 0, 0, 128, 0, 0, 255, 255]);
    let tiles = TileImages::open(folder.path()).unwrap();
    let picture = picture(&sheet(3, (4, 4), &FRAMES), Some(&tiles));
    assert_eq!(
        [0, 1, 2, 3].map(|x| picture.at(x, 4)),
        [[255, 0, 0, 128], [255, 0, 0, 128], [0, 0, 255, 255], [0, 0, 255, 255]]
    );
    assert_eq!(picture.color, Rgba);
    assert_eq!(picture.at(0, 7), [255, 0, 0, 128]);
    assert_eq!(picture.at(1, 1), rgba(palette::tile(5)));
}

#[test]
fn too_many_pixels_are_an_error_that_names_the_limit() {
    let options = Options::default().max_pixels(1 << 20);
    for (columns, size) in [(3, (1024, 1024)), (u32::MAX, (u32::MAX, u32::MAX))] {
        let error = draw(&sheet(columns, size, &FRAMES), &options).unwrap_err();
        assert!(matches!(error, Error::Limit { of: Limit::Pixels, .. }), "{error}");
    }
}
