use worldview_corpus::wwd::spec::{LevelSpec, PlaneSpec};
use worldview_export::Error;
use worldview_export::level::png::{self, Allowance, Options};

use super::support::{EMPTY, FILLED, MARK, Picture, color, level, object, open, plane};

const MAIN: u32 = 1;
const NO_DRAW: u32 = 2;
const WRAP_X: u32 = 4;
const WRAP_Y: u32 = 8;

fn picture(spec: &LevelSpec, scale: u32) -> Picture {
    let options = Options::default().scale(scale);
    open(spec, |level| Picture::of(|bytes| png::level(level, &options, &mut Allowance::new(&options), bytes)))
}

#[test]
fn planes_lie_over_each_other_in_file_order() {
    let spec = level(vec![
        plane(0, 64, 3, &[10, 11, 12, EMPTY, EMPTY, EMPTY]),
        plane(MAIN, 64, 3, &[20, EMPTY, EMPTY, FILLED, EMPTY, 25]),
        plane(NO_DRAW, 64, 3, &[50; 6]),
        plane(0, 64, 3, &[EMPTY, EMPTY, FILLED, 33, EMPTY, EMPTY]),
    ]);
    picture(&spec, 1).shows(&[&[20, 11, FILLED], &[33, EMPTY, 25]]);
}

#[test]
fn depths_do_not_change_the_order() {
    let front = PlaneSpec { z_coord: -9000, ..plane(0, 64, 1, &[2]) };
    picture(&level(vec![plane(MAIN, 64, 1, &[1]), front]), 1).shows(&[&[2]]);
}

#[test]
fn planes_that_wrap_are_repeated_and_others_end() {
    let small = |flags| {
        let spec = level(vec![plane(MAIN, 64, 5, &[EMPTY; 15]), plane(flags, 64, 2, &[1, 2, 3, 4])]);
        picture(&spec, 1)
    };
    small(0).shows(&[&[1, 2, EMPTY, EMPTY, EMPTY], &[3, 4, EMPTY, EMPTY, EMPTY], &[EMPTY; 5]]);
    small(WRAP_X).shows(&[&[1, 2, 1, 2, 1], &[3, 4, 3, 4, 3], &[EMPTY; 5]]);
    small(WRAP_Y).shows(&[&[1, 2, EMPTY, EMPTY, EMPTY], &[3, 4, EMPTY, EMPTY, EMPTY], &[1, 2, EMPTY, EMPTY, EMPTY]]);
    small(WRAP_X | WRAP_Y).shows(&[&[1, 2, 1, 2, 1], &[3, 4, 3, 4, 3], &[1, 2, 1, 2, 1]]);
}

#[test]
fn a_main_plane_that_is_not_drawn_still_gives_the_rectangle() {
    let spec = level(vec![plane(MAIN | NO_DRAW, 64, 2, &[9; 2]), plane(WRAP_X, 64, 1, &[1])]);
    picture(&spec, 1).shows(&[&[1, 1]]);
}

#[test]
fn parallax_and_scroll_do_not_shift() {
    let back = PlaneSpec { movement_x_percent: 50, scroll_x: 64, ..plane(WRAP_X, 64, 2, &[1, 2]) };
    picture(&level(vec![back, plane(MAIN, 64, 3, &[EMPTY; 3])]), 1).shows(&[&[1, 2, 1]]);
}

#[test]
fn planes_of_other_tile_sizes_keep_their_size_in_pixels() {
    let over = |tile, words: &[u32]| {
        let wide = i32::try_from(words.len()).unwrap();
        level(vec![plane(MAIN, 64, 3, &[EMPTY; 3]), plane(WRAP_X | WRAP_Y, tile, wide, words)])
    };
    // Half the size: two cells in each cell of the main plane.
    let row: &[u32] = &[1, 2, 3, 1, 2, 3];
    picture(&over(32, &[1, 2, 3]), 2).shows(&[row, row]);
    // Twice the size.
    let row: &[u32] = &[1, 1, 1, 1, 2, 2];
    picture(&over(128, &[1, 2, 3]), 2).shows(&[row, row]);
    // 40 pixels, sampled at 32, 96 and 160: cells 0, 2 and 4, which wraps to 1.
    picture(&over(40, &[1, 2, 3]), 1).shows(&[&[1, 3, 2]]);
    // One pixel, sampled at 16, 48, 80 and so on.
    let row: &[u32] = &[2, 1, 3, 2, 1, 3];
    picture(&over(1, &[1, 2, 3]), 2).shows(&[row, row]);
}

#[test]
fn a_tile_size_that_is_none_is_taken_to_be_that_of_the_main_plane() {
    let spec = level(vec![plane(MAIN, 64, 3, &[EMPTY; 3]), plane(0, 0, 2, &[1, 2])]);
    picture(&spec, 1).shows(&[&[1, 2, EMPTY]]);
}

#[test]
fn the_colors_of_all_planes_are_counted_together() {
    let words = |from: u32| (from..from + 121).collect::<Vec<_>>();
    let planes = |second| level(vec![plane(MAIN, 64, 121, &words(0)), plane(0, 64, 121, &words(second))]);
    assert_eq!(picture(&planes(119), 1).color, ::png::ColorType::Indexed);
    assert_eq!(picture(&planes(120), 1).color, ::png::ColorType::Rgb);
    picture(&planes(120), 1).shows(&[&words(120)]);
}

#[test]
fn objects_of_all_planes_are_marked_on_top() {
    let spec = level(vec![
        PlaneSpec { objects: vec![object(130, 0)], ..plane(0, 64, 1, &[1]) },
        PlaneSpec { objects: vec![object(63, 0)], ..plane(MAIN, 64, 4, &[2; 4]) },
        plane(0, 64, 4, &[3; 4]),
    ]);
    let picture = picture(&spec, 1);
    assert_eq!([0, 1, 2, 3].map(|x| picture.at(x, 0)), [MARK, color(3), MARK, color(3)]);
}

#[test]
fn without_a_main_plane_there_is_nothing() {
    for (planes, what) in [
        (vec![], "main plane"),
        (vec![plane(0, 64, 1, &[1])], "main plane"),
        (vec![PlaneSpec { flags: MAIN, ..PlaneSpec::empty(b"", 64, 0, 7) }], "tiles on its main plane"),
    ] {
        let error = open(&level(planes), |level| {
            png::level(level, &Options::default(), &mut Allowance::new(&Options::default()), std::io::sink())
        })
        .unwrap_err();
        assert!(matches!(error, Error::Nothing { .. }));
        assert_eq!(error.to_string(), format!("nothing to export: no {what}"));
    }
}
