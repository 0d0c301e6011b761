//! Whatever is done to a file, the naive reader ends with a level or an error.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

use worldview_corpus::rng::Rng;
use worldview_corpus::wwd::build::{build, build_image, pack};
use worldview_corpus::wwd::generate::{Shape, level};
use worldview_corpus::wwd::naive::{read, read_attributes, read_image_sets, read_objects, read_tiles};
use worldview_corpus::wwd::spec::{LengthHabit, LevelSpec, Packing};

fn packed() -> LevelSpec {
    level(1, &Shape { packing: Packing::Zlib { level: 6 }, ..Shape::small() })
}

#[test]
fn every_cut_of_a_packed_file_is_an_error() {
    let file = build(&packed()).bytes;
    for end in 0..file.len() {
        assert!(read(&file[..end]).is_err(), "cut at {end}");
    }
}

#[test]
fn every_byte_of_a_stream_counts() {
    let file = build(&packed()).bytes;
    let whole = read(&file).unwrap();
    for at in 1524..file.len() {
        let mut broken = file.clone();
        broken[at] ^= 0x40;
        // A distance may change to another one at which the same bytes lie.
        assert!(read(&broken).is_err() || read(&broken).unwrap().image == whole.image, "byte {at}");
    }
}

#[test]
fn lengths_that_are_not_those_of_the_stream() {
    let spec = packed();
    let length = build_image(&spec).read_u32_le("header.main_block_length").unwrap();
    for wrong in [0, 1, length - 1, length + 1, 1 << 29, u32::MAX] {
        let spec = LevelSpec { main_block_length: LengthHabit::Value(wrong), ..spec.clone() };
        assert_eq!(read(&build(&spec).bytes).unwrap_err().offset, 1524, "{wrong}");
    }
}

#[test]
fn every_label_set_to_odd_values() {
    let spec = level(2, &Shape { masks: 1, objects: 4, ..Shape::small() });
    let image = build_image(&spec);
    for label in image.labels.keys() {
        for value in [0, 1, 0x7FFF_FFFF, 0x8000_0000, u32::MAX] {
            let mut broken = image.clone();
            // The last label is the end of the image and has no bytes.
            if broken.patch_u32_le(label, value) {
                let _ = read(&pack(&broken.bytes, &spec));
            }
        }
    }
}

#[test]
fn random_bytes_in_the_main_block() {
    let spec = level(3, &Shape { tiles_wide: 6, tiles_high: 4, objects: 5, ..Shape::small() });
    let image = build_image(&spec);
    let mut rng = Rng::new(1);
    for _ in 0..500 {
        let mut broken = image.bytes.clone();
        for _ in 0..8 {
            let at = usize::try_from(rng.below(u32::try_from(broken.len()).unwrap())).unwrap();
            broken[at] = rng.next_u64().to_le_bytes()[0];
        }
        let _ = read(&broken);
    }
}

#[test]
fn a_part_is_read_up_to_the_first_error() {
    let spec = level(4, &Shape::small());
    let image = build_image(&spec);
    let offset = |label| image.read_u32_le(label).unwrap();
    let objects = offset("plane[1].objects_offset");
    let (found, error) = read_objects(&image.bytes, objects, 12);
    assert_eq!((found.len(), error), (12, None));
    let third = image.at("object[1][3].image_set_len").unwrap();
    let (found, error) = read_objects(&image.bytes[..third + 2], objects, 12);
    assert_eq!((found.len(), error.unwrap().offset), (3, u64::try_from(third).unwrap() + 2));
    assert!(read_objects(&image.bytes, 0, 1).1.is_some());
    assert!(read_objects(&image.bytes, 0, 0).1.is_none());

    let (names, error) = read_image_sets(b"one\0two\0thr", 0, 3);
    assert_eq!((names.len(), error.unwrap().offset), (2, 11));

    let (table, error) =
        read_attributes(&image.bytes[..image.at("attribute[7]").unwrap() + 9], offset("header.tile_attribs_offset"));
    assert_eq!(table.records.len(), 7);
    assert!(error.is_some());

    assert!(read_tiles(&image.bytes, u32::MAX, 0, 9).unwrap().is_empty());
    assert!(read_tiles(&image.bytes, 0, -1, 9).is_err());
    assert!(read_tiles(&image.bytes, 0, i32::MAX, i32::MAX).is_err());
}

#[test]
fn planes_that_share_one_grid_run_out_of_budget() {
    let mut spec = level(5, &Shape { planes: 1, tiles_wide: 400, tiles_high: 400, objects: 0, ..Shape::small() });
    let small = worldview_corpus::wwd::spec::PlaneSpec {
        tiles_wide: 1,
        tiles_high: 1,
        tiles: vec![0],
        ..spec.planes[0].clone()
    };
    spec.planes.extend(std::iter::repeat_n(small, 60));
    let mut image = build_image(&spec);
    for p in 1..61 {
        let grid = image.read_u32_le("plane[0].tiles_offset").unwrap();
        assert!(image.patch_u32_le(&format!("plane[{p}].tiles_offset"), grid));
        assert!(image.patch_u32_le(&format!("plane[{p}].tiles_wide"), 400));
        assert!(image.patch_u32_le(&format!("plane[{p}].tiles_high"), 400));
    }
    assert!(read(&image.bytes).unwrap_err().what.starts_with("budget"));
}
