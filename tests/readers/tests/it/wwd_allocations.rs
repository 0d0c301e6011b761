//! After `parse`, reading allocates nothing. Unpacking into a warm buffer allocates nothing proportional to the level.

use worldview_corpus::wwd::build::build;
use worldview_corpus::wwd::generate::{Shape, level};
use worldview_corpus::wwd::spec::Packing;
use worldview_wwd::{self as wwd, Level, TileKind};

/// Reads everything, and returns a digest of it.
fn visit(level: &Level<'_>) -> u64 {
    let mut sum = u64::from(level.header().start_x.get().unsigned_abs());
    for plane in level.planes() {
        for row in plane.rows() {
            for tile in row {
                sum += match tile.kind() {
                    TileKind::Empty => 1,
                    TileKind::Filled => 2,
                    TileKind::Image { image_set, frame } => 3 + u64::from(image_set) + u64::from(frame),
                };
            }
        }
        sum += plane.tile(1, 1).map_or(0, |tile| tile.get().into());
        for name in plane.image_sets() {
            sum += name.map_or(0, |name| name.len() as u64);
        }
        for object in plane.objects() {
            let Ok(object) = object else { continue };
            let strings = [object.display_name(), object.logic, object.image_set, object.animation];
            sum += strings.iter().map(|string| string.len() as u64).sum::<u64>();
            sum += object.metadata().and_then(|metadata| metadata.location_list_index()).map_or(0, |_| 1);
            sum += object.record.fields().count() as u64;
            sum += u64::from(object.x.get().unsigned_abs());
        }
        sum += plane.name().len() as u64;
    }
    for record in level.attributes().records() {
        sum += record.value_at(3, 4).map_or(0, |value| value.unsigned_abs().into());
    }
    sum + level.game().map_or(0, |game| game.name().len() as u64)
        + u64::from(level.header().level_number().unwrap_or(0))
}

fn shape(packing: Packing) -> Shape {
    Shape { packing, ..Shape::claw() }
}

#[test]
fn reading_allocates_nothing_after_parse() {
    let file = build(&level(5, &shape(Packing::Zlib { level: 6 }))).bytes;
    let image = wwd::unpack(&file).unwrap();
    let level = Level::parse(&image).unwrap();
    let mut sum = 0;
    let counted = allocation_counter::measure(|| sum = visit(&level));
    assert!(sum > 100_000, "the walk visits the level: {sum}");
    assert_eq!(counted.count_total, 0);
}

#[test]
fn the_checksum_and_the_trailer_allocate_nothing() {
    let file = build(&level(5, &shape(Packing::Raw))).bytes;
    let counted = allocation_counter::measure(|| {
        let image = wwd::unpack(&file).unwrap();
        assert!(!image.checksum().is_unexplained());
        assert!(image.trailer().is_none());
    });
    assert_eq!(counted.count_total, 0, "a plain file is never copied");
}

#[test]
fn unpacking_into_a_warm_buffer_allocates_only_the_inflaters_state() {
    let file = build(&level(5, &shape(Packing::Zlib { level: 6 }))).bytes;
    let mut scratch = Vec::new();
    let len = wwd::unpack_in(&file, &mut scratch).unwrap().len() as u64;
    let counted = allocation_counter::measure(|| {
        wwd::unpack_in(&file, &mut scratch).unwrap();
    });
    assert!(counted.bytes_max < 100_000 && counted.bytes_max < len, "{counted:?}, image of {len} bytes");
}

#[test]
fn parsing_allocates_only_the_indexes() {
    let file = build(&level(5, &shape(Packing::Zlib { level: 6 }))).bytes;
    let image = wwd::unpack(&file).unwrap();
    let counted = allocation_counter::measure(|| {
        let level = Level::parse(&image).unwrap();
        assert!(!level.planes().is_empty());
    });
    assert!(counted.bytes_max < 200_000, "{counted:?}");
}
