//! What the builder writes, the naive reader finds again, down to the last word.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

use std::collections::BTreeSet;

use worldview_corpus::wwd::build::{build, build_image, pack};
use worldview_corpus::wwd::describe::{as_described, describe};
use worldview_corpus::wwd::generate::{Game, Shape, edge_cases, level};
use worldview_corpus::wwd::naive::{NaiveContent, Rule, int, read, read_image, trailer};
use worldview_corpus::wwd::spec::{ChecksumHabit, LevelSpec, Packing, TrailerBlockSpec};

fn check(name: &str, spec: &LevelSpec) {
    let built = build(spec);
    let image = build_image(spec);
    assert_eq!(pack(&image.bytes, spec), built.bytes, "{name}: pack of the image is the file");
    assert_eq!(image.labels, built.labels, "{name}: labels");

    let found = read(&built.bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(found.image == image.bytes, "{name}: image");
    let checksum = image.read_u32_le("header.checksum").unwrap();
    let length = image.read_u32_le("header.main_block_length").unwrap();
    assert!(describe(&found) == as_described(spec, checksum, length), "{name}: description");
    assert_eq!(build_image(&describe(&found)).bytes, image.bytes, "{name}: image of the description");

    let again = read_image(&image.bytes).unwrap();
    assert!(again.planes == found.planes && again.attribute_table == found.attribute_table, "{name}: image alone");
    let rule = match spec.checksum {
        ChecksumHabit::Editor => Rule::Editor,
        ChecksumHabit::WapMap => Rule::WapMap,
        ChecksumHabit::Libwap32 => Rule::Libwap32,
        ChecksumHabit::Zero => Rule::Zero,
        ChecksumHabit::Value(_) => {
            assert_eq!(found.checksum_rules, BTreeSet::new(), "{name}: rules");
            return;
        }
    };
    assert!(found.checksum_rules.contains(&rule), "{name}: {rule:?} is not in {:?}", found.checksum_rules);
}

#[test]
fn edge_levels() {
    let cases = edge_cases();
    let names: BTreeSet<_> = cases.iter().map(|(name, _)| name).collect();
    assert_eq!(names.len(), cases.len(), "every case has its own name");
    for (name, spec) in &cases {
        check(name, spec);
        // Whatever the oddity, it can also be packed, but for a main block without a byte.
        if spec.packing == Packing::Raw && *name != "nothing at all" {
            check(name, &LevelSpec { packing: Packing::Zlib { level: 1 }, ..spec.clone() });
        }
    }
}

#[test]
fn generated_levels() {
    for seed in 0..20 {
        let game = [Game::Claw, Game::Gruntz, Game::GetMedieval][usize::try_from(seed % 3).unwrap()];
        let shape = Shape { game, masks: 2, trailer: seed % 2 == 0, image_sets: 2, ..Shape::small() };
        check(&format!("seed {seed}"), &level(seed, &shape));
    }
    check("Claw", &level(5, &Shape { tiles_wide: 100, tiles_high: 50, objects: 300, ..Shape::claw() }));
    check("Gruntz", &level(6, &Shape::gruntz()));
}

#[test]
fn the_same_seed_is_the_same_level() {
    assert_eq!(level(9, &Shape::small()), level(9, &Shape::small()));
    assert_ne!(level(9, &Shape::small()), level(10, &Shape::small()));
    // Written down once: a benchmark of next year must measure the same bytes.
    let image = build_image(&level(9, &Shape::small()));
    assert_eq!(image.read_u32_le("header.checksum"), Some(0xFDD6_FBE8));
}

#[test]
fn sized_levels_have_about_that_size() {
    for bytes in [8_000_u32, 100_000, 3_000_000] {
        let built = build(&level(1, &Shape::sized(bytes.into())));
        let size = u32::try_from(built.bytes.len()).unwrap();
        assert!(size.abs_diff(bytes) * 20 < bytes, "{bytes} bytes were asked for, {size} came");
    }
}

#[test]
fn labels_name_the_fields() {
    let spec = level(3, &Shape { packing: Packing::Zlib { level: 6 }, ..Shape::small() });
    let mut image = build_image(&spec);
    for (label, at) in [("header.flags", 8), ("header.checksum", 748), ("header.image_set_prefix_4", 1492)] {
        assert_eq!(image.at(label), Some(at), "{label}");
    }
    assert_eq!(image.at("plane[1].tiles_offset"), Some(1524 + 160 + 132));
    assert_eq!(image.at("plane[2].reserved_9c"), Some(1524 + 320 + 156));
    let found = read(&build(&spec).bytes).unwrap();
    let object = &found.planes[1].objects[4];
    let image_set = u32::try_from(int(&object.fields, "image_set_len").unwrap()).unwrap();
    assert_eq!(image.read_u32_le("object[1][4].image_set_len"), Some(image_set));
    assert_eq!(image.read_u32_le("attribute[7].type"), Some(1));

    assert!(image.patch_u32_le("object[1][4].logic_len", u32::MAX));
    let error = read(&pack(&image.bytes, &spec)).unwrap_err();
    assert!(error.what.contains("ends after"), "{error}");
}

#[test]
fn blocks_of_a_trailer() {
    let (_, spec) = edge_cases().into_iter().find(|(name, _)| *name == "trailer, raw").unwrap();
    let found = read(&build(&spec).bytes).unwrap();
    let blocks = trailer(&found.trailing).unwrap();
    let size = u32::try_from(found.trailing.len()).unwrap();
    assert_eq!(blocks.first().unwrap().content, NaiveContent::MetaInfo(size));
    assert_eq!(blocks.last().unwrap().content, NaiveContent::MetaEndInfo(size));
    let described = spec.trailer.unwrap().blocks;
    assert_eq!(blocks.len(), described.len() + 2);
    for (block, spec) in blocks[1..].iter().zip(described) {
        let same = match (&block.content, spec) {
            (
                NaiveContent::Header { wapmap_build, map_version, description, .. },
                TrailerBlockSpec::Header { wapmap_build: build, map_version: version, description: text, .. },
            ) => *wapmap_build == build && *map_version == version && *description == text,
            (NaiveContent::Guides(found), TrailerBlockSpec::Guides(spec)) => *found == spec,
            (NaiveContent::Favourites(found), TrailerBlockSpec::Favourites(spec)) => *found == spec,
            (NaiveContent::Unknown, TrailerBlockSpec::Other { id, bytes }) => block.id == id && block.bytes == bytes,
            _ => false,
        };
        assert!(same, "block {}", block.id);
    }
    // A trailer cut anywhere is refused, not read beyond its end.
    for end in 0..found.trailing.len() {
        assert!(trailer(&found.trailing[..end]).is_err());
    }
}
