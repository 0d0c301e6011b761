use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

use worldview_corpus::wwd::build::build;
use worldview_corpus::wwd::spec::{
    AttributeKind, AttributeSpec, AttributeTableSpec, ChecksumRule, LengthRule, LevelSpec, ObjectSpec, Packing,
    PlaneSpec, TrailerBlockSpec, TrailerSpec,
};
use worldview_inspect::diff::{DiffOptions, compare};
use worldview_inspect::{Error, Root};
use worldview_wwd::{Level, LevelDescription, unpack};

use super::support::{edited, levels, levels_of};

/// A level with at least one of everything.
pub(crate) fn level() -> LevelSpec {
    let object = |id, x, logic: &[u8]| ObjectSpec { id, x, logic: logic.to_vec(), ..ObjectSpec::default() };
    let mut back = PlaneSpec::empty(b"Back", 64, 4, 3);
    back.image_sets = vec![b"BACK".to_vec(), b"SKY".to_vec()];
    let mut action = PlaneSpec::empty(b"Action", 64, 5, 4);
    action.flags = 1;
    action.tiles[7] = 0x0001_0009;
    action.objects = vec![object(10, 1, b"Rat"), object(11, 2, b"Chest"), object(12, 3, b"Rat")];
    let records = vec![
        AttributeSpec::single(64, 64, 1),
        AttributeSpec::double(64, 64, 0, 2, [1, 2, 3, 4]),
        AttributeSpec::mask(2, 3, vec![0, 1, 2, 3, 4, 5]),
    ];
    let header = TrailerBlockSpec::Header {
        wapmap_build: 3,
        wapmap_version: b"v1".to_vec(),
        map_build: 8,
        map_version: b"1.0".to_vec(),
        description: b"A map".to_vec(),
    };
    let blocks = vec![
        header,
        TrailerBlockSpec::Guides(vec![(0, 64), (1, 128)]),
        TrailerBlockSpec::Favourites(vec![(b"cave".to_vec(), 5, 6), (b"ship".to_vec(), 7, 8)]),
        TrailerBlockSpec::Other { id: 77, bytes: vec![1, 2, 3] },
    ];
    let mut level = LevelSpec {
        planes: vec![back, action],
        attributes: Some(AttributeTableSpec { records, ..AttributeTableSpec::default() }),
        trailer: Some(TrailerSpec { blocks }),
        ..LevelSpec::default()
    };
    level.header.author = b"Nobody".to_vec();
    level
}

/// Returns the differences that an edit of the level causes.
fn differences(edit: impl FnOnce(&mut LevelSpec)) -> Vec<String> {
    let level = level();
    levels(&level, &edited(&level, edit))
}

/// Compares with the level after an edit.
#[track_caller]
fn gives(expected: &str, edit: impl FnOnce(&mut LevelSpec)) {
    assert_eq!(differences(edit).join("\n"), expected);
}

#[test]
fn how_a_level_is_stored_is_no_difference() {
    for edit in [
        (|_| {}) as fn(&mut LevelSpec),
        |level| level.packing = Packing::Zlib { level: 6 },
        |level| level.checksum = ChecksumRule::Zero,
        |level| level.main_block_length = LengthRule::Value(77),
        // An offset of objects in a plane without any.
        |level| level.planes[0].empty_objects_offset = 9,
    ] {
        assert_eq!(differences(edit), [""; 0]);
    }
    let level = level();
    let packed = |level: &LevelSpec, by| edited(level, |level| level.packing = Packing::Zlib { level: by });
    assert_eq!(levels(&packed(&level, 1), &packed(&level, 9)), [""; 0]);
}

#[test]
fn parts_may_lie_in_any_order() {
    // The objects of one plane are moved to the end, and the offset in its header is changed.
    let level = level();
    let built = build(&level);
    let mut moved = built.bytes.clone();
    let trailer = moved.split_off(built.at("end").unwrap());
    let (start, end) = (built.at("plane[1].objects").unwrap(), built.at("attributes").unwrap());
    let objects = moved[start..end].to_vec();
    let there = u32::try_from(moved.len()).unwrap();
    moved.extend(objects);
    moved.extend(trailer);
    let field = built.at("plane[1].objects_offset").unwrap();
    moved[field..field + 4].copy_from_slice(&there.to_le_bytes());
    assert_eq!(levels_of(&built.bytes, &moved, &DiffOptions::default()), [""; 0]);
}

#[test]
fn a_changed_header_field_is_one_difference() {
    gives("~ header: author: \"Nobody\" -> \"Somebody\"", |level| level.header.author = b"Somebody".to_vec());
    gives("~ header: start_x: 0 -> -4", |level| level.header.start_x = -4);
    gives("~ header: flags: 0x1 use-z-coords -> 0x0", |level| level.header.flags = 0);
    gives("~ header: reserved_2d8: 0x0 -> 0x12", |level| level.header.reserved_2d8 = 18);
    gives("~ header: image_set_prefix_4: \"\" -> \"GAME\"", |level| {
        level.header.image_set_prefixes[3] = b"GAME".to_vec()
    });
    // Bytes after the NUL, and text outside the code page of the terminal.
    gives("~ header: author_bytes: 4e6f626f6479 -> 4e6f626f6479000078", |level| {
        level.header.author = b"Nobody\0\0x".to_vec()
    });
    gives("~ header: name: \"\" -> \"été\\x07\\\"\"", |level| level.header.name = b"\xe9t\xe9\x07\"".to_vec());
}

#[test]
fn planes_by_name() {
    gives("- plane:Back", |level| _ = level.planes.remove(0));
    gives("+ plane:Middle", |level| level.planes.insert(1, PlaneSpec::empty(b"Middle", 64, 2, 2)));
    gives("~ planes: order: plane:Back -> plane:Action", |level| level.planes.swap(0, 1));
    // Planes are matched by number if their names do not match.
    gives("~ plane:Action: name: \"Action\" -> \"Main\"", |level| level.planes[1].name = b"Main".to_vec());
    gives("~ plane:Action: flags: 0x1 main -> 0x21 main", |level| level.planes[1].flags = 0x21);
    gives("~ plane:Back: z_coord: 0 -> 9", |level| level.planes[0].z_coord = 9);
    gives("~ plane:Back: reserved_9c: 0x0 -> 0x9", |level| level.planes[0].reserved_9c = 9);
}

#[test]
fn a_changed_tile_is_one_difference() {
    gives("~ plane:Action/tile:2,1: 1:9 -> 2:3", |level| level.planes[1].tiles[7] = 0x0002_0003);
    gives("~ plane:Back/tile:3,2: . -> #", |level| level.planes[0].tiles[11] = 0xEEEE_EEEE);
    // An additional row; the rest of the grid is unchanged.
    let higher = differences(|level| {
        level.planes[0].tiles_high = 4;
        level.planes[0].tiles.extend([7; 4]);
    });
    assert_eq!(higher, ["~ plane:Back: tiles_high: 3 -> 4"]);
    // An additional column; the other columns are unchanged.
    let wider = differences(|level| {
        let plane = &mut level.planes[1];
        plane.tiles_wide = 6;
        plane.tiles = plane.tiles.chunks(5).flat_map(|row| [row, &[0][..]].concat()).collect();
    });
    assert_eq!(wider, ["~ plane:Action: tiles_wide: 5 -> 6"]);
}

#[test]
fn a_grid_that_is_not_all_there() {
    let built = build(&level());
    let mut other = built.clone();
    other.words_le(&[("plane[0].tiles_offset", u32::MAX)]);
    let differences = levels_of(&built.bytes, &other.bytes, &DiffOptions::default());
    assert_eq!(differences, ["~ plane:Back/tiles: size: 4x3 -> 0x0"]);
}

#[test]
fn cells_past_the_bound_are_counted() {
    let level = level();
    let other = edited(&level, |level| level.planes[0].tiles = (0..12).collect());
    let options = DiffOptions { cells: 2, ..DiffOptions::default() };
    assert_eq!(
        levels_of(&build(&level).bytes, &build(&other).bytes, &options),
        ["~ plane:Back/tile:0,0: . -> 0", "~ plane:Back/tile:1,0: . -> 1", "~ plane:Back: tiles: 10 more",]
    );
}

#[test]
fn a_canceled_comparison_ends() {
    let level = level();
    let other = edited(&level, |level| {
        level.planes.iter_mut().for_each(|plane| plane.image_sets.iter_mut().for_each(|set| set.push(b'X')));
    });
    let [left, right] = [build(&level).bytes, build(&other).bytes];
    let (left, right) = (unpack(&left).unwrap(), unpack(&right).unwrap());
    let (first, second) = (Level::parse(&left).unwrap(), Level::parse(&right).unwrap());
    let (described, changed) = (LevelDescription::new(&left, &first), LevelDescription::new(&right, &second));
    let (left, right) = (Root::new("wwd", first.image(), &described), Root::new("wwd", second.image(), &changed));
    let (cancel, mut planes) = (AtomicBool::new(false), HashSet::new());
    let options = DiffOptions { cancel: Some(&cancel), ..DiffOptions::default() };
    let compared = compare(&left, &right, &options, &mut |difference| {
        cancel.store(true, Ordering::Relaxed);
        planes.extend(difference.path.parts().next().map(|plane| plane.to_string()));
    });
    assert!(matches!(compared, Err(Error::Cancelled)));
    assert_eq!(planes, HashSet::from(["plane:Back".to_owned()]));
}

#[test]
fn a_changed_image_set_is_one_difference() {
    gives("~ plane:Back/image_set#1: \"SKY\" -> \"SEA\"", |level| level.planes[0].image_sets[1] = b"SEA".to_vec());
    gives("+ plane:Back/image_set#2: \"FOG\"", |level| level.planes[0].image_sets.push(b"FOG".to_vec()));
}

#[test]
fn a_changed_tile_attribute_is_one_difference() {
    let records = |expected: &str, edit: fn(&mut Vec<AttributeSpec>)| {
        gives(expected, |level| edit(&mut level.attributes.as_mut().unwrap().records));
    };
    records("~ tile_attributes/frame#0: attribute: 1 solid -> 4 death", |list| {
        list[0] = AttributeSpec::single(64, 64, 4)
    });
    records("~ tile_attributes/frame#0: width: 64 -> 32", |list| list[0].width = 32);
    records("~ tile_attributes/frame#1: rect: 1 2 3 4 -> 1 2 3 5", |list| {
        list[1] = AttributeSpec::double(64, 64, 0, 2, [1, 2, 3, 5])
    });
    records("~ tile_attributes/frame#2/pixel:1,1: 3 -> 9\n~ tile_attributes/frame#2/pixel:1,2: 5 -> 9", |list| {
        list[2].kind = AttributeKind::Mask(vec![0, 1, 2, 9, 4, 9])
    });
    let other = [
        "kind: 2 double -> 1 single",
        "outside: 0 clear -> none",
        "inside: 2 ground -> none",
        "rect: 1 2 3 4 -> none",
        "attribute: none -> 3 climb",
    ];
    let other = other.map(|field| format!("~ tile_attributes/frame#1: {field}")).join("\n");
    records(&other, |list| list[1] = AttributeSpec::single(64, 64, 3));
    records("- tile_attributes/frame#2: mask 2x3", |list| _ = list.pop());
    gives("- tile_attributes", |level| level.attributes = None);
    gives("~ tile_attributes: reserved_14: 0x0 -> 0x1", |level| level.attributes.as_mut().unwrap().head[5] = 1);
}

#[test]
fn a_changed_trailer_block_is_one_difference() {
    let blocks = |expected: &str, edit: fn(&mut Vec<TrailerBlockSpec>)| {
        gives(expected, |level| edit(&mut level.trailer.as_mut().unwrap().blocks));
    };
    gives("- trailer", |level| level.trailer = None);
    blocks("~ trailer/block:2: description: \"A map\" -> \"Another map\"", |list| {
        let TrailerBlockSpec::Header { description, .. } = &mut list[0] else { panic!() };
        *description = b"Another map".to_vec();
    });
    blocks("~ trailer/block:2: map_build: 8 -> 9", |list| {
        let TrailerBlockSpec::Header { map_build, .. } = &mut list[0] else { panic!() };
        *map_build = 9;
    });
    blocks(
        "- trailer/block:3/guide#0: orientation 0 position 64\n+ trailer/block:3/guide#1: orientation 0 position 65",
        |list| list[1] = TrailerBlockSpec::Guides(vec![(1, 128), (0, 65)]),
    );
    blocks(
        "~ trailer/block:4/favourite:ship: y: 8 -> 9\n~ trailer/block:4/favourites: order: favourite:cave -> favourite:ship",
        |list| list[2] = TrailerBlockSpec::Favourites(vec![(b"ship".to_vec(), 7, 9), (b"cave".to_vec(), 5, 6)]),
    );
    blocks("- trailer/block:4/favourite:ship", |list| {
        list[2] = TrailerBlockSpec::Favourites(vec![(b"cave".to_vec(), 5, 6)])
    });
    blocks("~ trailer/block:77/byte#2: 0x3 -> 0x4", |list| {
        list[3] = TrailerBlockSpec::Other { id: 77, bytes: vec![1, 2, 4] }
    });
    blocks("- trailer/block:77", |list| _ = list.pop());
}

#[test]
fn bytes_behind_packed_levels() {
    let packed = edited(&level(), |level| level.packing = Packing::Zlib { level: 6 });
    let with = |bytes: &[u8]| {
        // Junk in place of a trailer.
        edited(&packed, |level| (level.trailer, level.trailing) = (None, bytes.to_vec()))
    };
    assert_eq!(levels(&with(b"abc"), &with(b"abd")), ["~ byte#2: 0x63 -> 0x64"]);
    assert_eq!(levels(&with(b"abc"), &with(b"")), ["- trailing_bytes: 3 bytes"]);
}
