//! Levels that are valid, or can at least be opened, but are designed to cause harm.

use std::io;

use worldview_core::ErrorKind;
use worldview_corpus::sink::Count;
use worldview_corpus::wwd::EMPTY_TILE;
use worldview_corpus::wwd::build::{build, build_image};
use worldview_corpus::wwd::generate::{Shape, level};
use worldview_corpus::wwd::spec::{ObjectSpec, PlaneSpec};
use worldview_export::level::tiled::plan;
use worldview_export::{Encoding, Error, Result};
use worldview_wwd::{Level, unpack};

use super::same::assert_same;
use super::support::{export, export_file, level_of, plane, shared};

/// Plans the maps of an image, and returns the total size of all maps in both formats.
fn size(image: &Vec<u8>) -> Result<u64> {
    let Ok(level) = Level::parse_lossy(image, &mut |_| {}) else { return Ok(0) };
    let mut count = Count(0);
    for map in plan(&level, Encoding::WINDOWS_1252)? {
        map.write_tmx(&mut count)?;
        map.write_tmj(&mut count)?;
    }
    Ok(count.0)
}

fn is_limit(result: &Result<u64>) -> bool {
    matches!(result, Err(Error::Format(error)) if matches!(error.kind, ErrorKind::Limit { .. }))
}

#[test]
fn planes_over_one_grid_end_at_the_limit() {
    let grid = plane("grid", "SET", &vec![&[1; 300][..]; 300]);
    let others = vec![PlaneSpec::empty(b"over it", 64, 0, 0); 2000];
    let spec = level_of([vec![grid], others].concat());
    assert!(size(&build_image(&spec).bytes).is_ok());
    let image = shared(&build_image(&spec), 1..spec.planes.len(), &["tiles_wide", "tiles_high", "tiles_offset"]);
    assert!(is_limit(&size(&image)));
}

#[test]
fn planes_over_the_same_objects_end_at_the_limit() {
    let mut first = PlaneSpec::empty(b"first", 64, 1, 1);
    first.objects = vec![ObjectSpec::default(); 1000];
    let spec = level_of([vec![first], vec![PlaneSpec::empty(b"again", 64, 1, 1); 1000]].concat());
    let image = shared(&build_image(&spec), 1..spec.planes.len(), &["num_objects", "objects_offset"]);
    assert!(is_limit(&size(&image)));
}

#[test]
fn planes_over_the_same_names_end_at_the_limit() {
    let mut first = PlaneSpec::empty(b"first", 64, 1, 1);
    first.image_sets = vec![Vec::new(); 10_000];
    let spec = level_of([vec![first], vec![PlaneSpec::empty(b"again", 64, 1, 1); 1000]].concat());
    let image = shared(&build_image(&spec), 1..spec.planes.len(), &["num_image_sets", "image_sets_offset"]);
    assert!(is_limit(&size(&image)));
}

#[test]
fn padding_is_bounded_over_all_maps() {
    // Each pair of planes would be padded to a map of a million cells. All pairs share two lines of tiles.
    let line = plane("row", "SET", &[&[1; 1000]]);
    let turned = |size| PlaneSpec { tile_width: size, tiles_wide: 1, tiles_high: 1000, ..line.clone() };
    let lying = |size| PlaneSpec { tile_width: size, ..line.clone() };
    let spec = level_of((1..200).flat_map(|size| [lying(size), turned(size)]).collect());
    let bytes = size(&build_image(&spec).bytes).expect("the maps are written");
    let file = build_image(&spec).bytes.len() as u64;
    assert!(bytes < 20 * file + (4 << 20), "{bytes} of {file}");
}

#[test]
fn junk_of_every_image_set_is_one_tileset() {
    let words: Vec<u32> = (0..60_000).map(|index| index << 16).collect();
    let image = build_image(&level_of(vec![plane("all", "SET", &[&words])])).bytes;
    let level = Level::parse(&image).expect("the level opens");
    let maps = plan(&level, Encoding::WINDOWS_1252).expect("the level is planned");
    // Index 0 has a name. The other 59,999 share one tileset, which has an additional cell for filled ones.
    let cells: Vec<_> = maps[0].tilesets().iter().map(|tileset| tileset.sheet().cells.len()).collect();
    assert_eq!(cells, [2, 60_000]);
}

#[test]
fn broken_objects_are_an_error_of_the_plan() {
    let mut spec = level(1, &Shape::small());
    spec.attributes = None;
    let built = build_image(&spec);
    let mut image = built.bytes;
    let at = built.labels["object[1][5].logic_len"];
    image[at..at + 4].fill(0xFF);
    let level = Level::parse(&image).expect("objects are not looked at by the strict parse");
    assert!(matches!(plan(&level, Encoding::WINDOWS_1252), Err(Error::Format(_))));
    // The lossy parser omits them.
    let maps = export_file(&image, Encoding::WINDOWS_1252);
    let objects = maps[0].map.layers().find_map(|layer| layer.as_object_layer()).expect("an object layer");
    assert_eq!(objects.objects().len(), 5);
    maps.iter().for_each(assert_same);
}

#[test]
fn sizes_that_are_none() {
    for size in [i32::MIN, -1, 0, 1, 4096, 4097, i32::MAX] {
        let plane = PlaneSpec { tile_width: size, ..plane("one", "ONE", &[&[1, EMPTY_TILE]]) };
        let maps = export(&level_of(vec![plane]), Encoding::WINDOWS_1252);
        let want = if (1..=4096).contains(&size) { size.unsigned_abs() } else { 64 };
        assert_eq!((maps.len(), maps[0].map.tile_width, maps[0].sheets[0].1.tile_width), (1, want, want));
        maps.iter().for_each(assert_same);
    }
}

#[test]
fn errors_of_writing_are_passed_on() {
    struct Full;
    impl io::Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let file = build(&level(1, &Shape::small())).bytes;
    let image = unpack(&file).expect("the level unpacks");
    let level = Level::parse(&image).expect("the level opens");
    let map = &plan(&level, Encoding::WINDOWS_1252).expect("the level is planned")[0];
    for result in [map.write_tmx(Full), map.write_tmj(Full)] {
        assert!(matches!(result, Err(Error::Io(error)) if error.kind() == io::ErrorKind::StorageFull));
    }
}
