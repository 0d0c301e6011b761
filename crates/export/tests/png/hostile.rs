use worldview_core::ErrorKind;
use worldview_corpus::wwd::build::{build, build_image};
use worldview_corpus::wwd::generate::edge_cases;
use worldview_corpus::wwd::spec::PlaneSpec;
use worldview_export::Error;
use worldview_export::png::{self, Options};
use worldview_wwd::{Level, unpack};

use crate::support::{EMPTY, FILLED, level, object, open, plane};

/// Draws everything there is; errors are fine.
fn draw_all(level: &Level<'_>, options: &Options<'_>) {
    for plane in level.planes() {
        let _ = png::plane(level, plane, options, std::io::sink());
    }
    let _ = png::level(level, options, std::io::sink());
    let _ = png::attributes(level, options, std::io::sink());
}

#[test]
fn no_tile_size_is_too_odd() {
    let sizes = [i32::MIN, -64, 0, 1, 63, 1000, i32::MAX];
    for (wide, high) in sizes.into_iter().flat_map(|wide| sizes.map(|high| (wide, high))) {
        let odd = |flags| PlaneSpec {
            tile_width: wide,
            tile_height: high,
            objects: vec![object(i32::MAX, i32::MIN), object(0, 0), object(64, i32::MAX)],
            ..plane(flags, 64, 3, &[1, EMPTY, FILLED, 2, 3, 4])
        };
        let usual = |flags| plane(flags, 64, 2, &[5, 6, 7, 8]);
        for planes in [vec![odd(12), usual(1), odd(0)], vec![usual(12), odd(1), usual(0)]] {
            open(&level(planes), |level| {
                for scale in [None, Some(0), Some(1), Some(7), Some(100), Some(u32::MAX)] {
                    draw_all(level, &Options { scale, max_pixels: 20_000, ..Options::default() });
                }
            });
        }
    }
}

#[test]
fn every_edge_case_is_drawn_or_refused() {
    for (name, spec) in edge_cases() {
        let file = build(&spec).bytes;
        let Ok(image) = unpack(&file) else { continue };
        if let Ok(level) = Level::parse_lossy(&image, &mut |_| ()) {
            for scale in [1, 3] {
                println!("{name}");
                draw_all(&level, &Options { scale: Some(scale), max_pixels: 1 << 22, ..Options::default() });
            }
        }
    }
}

#[test]
fn many_planes_over_one_grid_are_refused() {
    const COUNT: i32 = 500;
    let grid = plane(1, 64, 200, &[1; 40_000]);
    let mut planes = vec![PlaneSpec::empty(b"", 64, 0, 0); COUNT as usize - 1];
    planes.push(grid);
    let mut image = build_image(&level(planes)).bytes;
    // All plane headers become the last one, which lies behind the 1,524 bytes of the header and 160 for each before.
    let (first, size) = (1524, 160);
    let last = first + (COUNT as usize - 1) * size;
    let header = image[last..last + size].to_vec();
    image[first..last].chunks_exact_mut(size).for_each(|other| other.copy_from_slice(&header));
    let level = Level::parse(&image).unwrap();
    let refused = png::level(&level, &Options { scale: Some(1), ..Options::default() }, std::io::sink()).unwrap_err();
    let Error::Format(error) = refused else { panic!("{refused}") };
    assert!(matches!(error.kind, ErrorKind::Limit { .. }), "{error}");
    let options = Options { scale: Some(1), max_pixels: 100_000, ..Options::default() };
    let refused = png::level(&level, &options, std::io::sink()).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the pixels of all planes together would take 20000000, the limit is 3200000; --max-pixels moves it"
    );
}

#[test]
fn broken_levels_are_drawn_as_far_as_they_go() {
    let spec = level(vec![PlaneSpec { objects: vec![object(1, 1); 5], ..plane(1, 64, 4, &[1; 16]) }]);
    let image = build_image(&spec).bytes;
    for end in 1524..image.len() {
        if let Ok(level) = Level::parse_lossy(&image[..end].to_vec(), &mut |_| ()) {
            draw_all(&level, &Options { scale: Some(2), ..Options::default() });
        }
    }
    // Every byte of the headers, changed to what makes numbers large, odd or negative.
    for (at, byte) in (1524..1524 + 160).flat_map(|at| [0x00, 0x01, 0x7F, 0x80, 0xFF].map(|byte| (at, byte))) {
        let mut changed = image.clone();
        changed[at] = byte;
        if let Ok(level) = Level::parse_lossy(&changed, &mut |_| ()) {
            draw_all(&level, &Options { scale: Some(3), max_pixels: 1 << 16, ..Options::default() });
        }
    }
}
