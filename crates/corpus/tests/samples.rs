//! The three places hold together: every tile has an attribute, every object is in the level, the files stay small.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

use worldview_corpus::wwd::naive::{NaiveLevel, Rule, int, read, trailer};
use worldview_corpus::wwd::samples::samples;

fn levels() -> Vec<(&'static str, usize, NaiveLevel)> {
    let read = |(name, bytes): (&'static str, Vec<u8>)| (name, bytes.len(), read(&bytes).unwrap());
    samples().into_iter().map(read).collect()
}

#[test]
fn names_and_sizes() {
    let levels = levels();
    let names: Vec<_> = levels.iter().map(|(name, ..)| *name).collect();
    assert_eq!(names, ["harbour.wwd", "garden.wwd", "cellar.wwd"]);
    for (name, size, level) in &levels {
        let packed = int(&level.header, "flags") == Some(3);
        assert!(*size < if packed { 20_000 } else { 60_000 }, "{name}: {size} bytes");
        assert!(level.image.len() < 250_000, "{name}: an image of {} bytes", level.image.len());
    }
}

#[test]
fn checksums_and_trailer() {
    let [harbour, garden, cellar] = levels().try_into().unwrap();
    assert_eq!(harbour.2.checksum_rules, [Rule::Editor].into());
    assert!(garden.2.checksum_rules.contains(&Rule::Editor));
    assert_eq!(cellar.2.checksum_rules, [Rule::WapMap].into());
    assert!(harbour.2.trailing.is_empty() && garden.2.trailing.is_empty());
    assert_eq!(trailer(&cellar.2.trailing).unwrap().len(), 4);
}

#[test]
fn tiles_have_attributes_and_objects_are_inside() {
    for (name, _, level) in levels() {
        let table = level.attribute_table.unwrap().records;
        let main: Vec<_> = level.planes.iter().filter(|plane| int(&plane.fields, "flags") == Some(1)).collect();
        assert_eq!(main.len(), 1, "{name}: main planes");
        for plane in main {
            let ids = plane.tiles.iter().filter(|&&id| id != u32::MAX);
            let last = usize::try_from(*ids.max().unwrap()).unwrap();
            assert!(last < table.len(), "{name}: tile {last} of {}", table.len());
            assert!(plane.objects.len() > 10, "{name}: objects");
            for object in &plane.objects {
                let inside =
                    |at, size| (0..int(&plane.fields, size).unwrap()).contains(&int(&object.fields, at).unwrap());
                assert!(inside("x", "width_px") && inside("y", "height_px"), "{name}: {:?}", object.fields);
                assert!(!object.logic.is_empty(), "{name}: an object without logic");
            }
        }
    }
}

#[test]
fn the_cellar_has_every_kind_of_attribute() {
    let (.., cellar) = levels().pop().unwrap();
    let table = cellar.attribute_table.unwrap().records;
    for kind in 1..=3 {
        assert!(table.iter().any(|record| int(&record.fields, "type") == Some(kind)), "kind {kind}");
    }
    let sizes: Vec<_> = cellar.planes.iter().map(|plane| int(&plane.fields, "tile_width")).collect();
    assert_eq!(sizes, [Some(32), Some(64)]);
}
