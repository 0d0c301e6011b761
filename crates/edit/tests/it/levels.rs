use worldview_core::FindingCode as _;
use worldview_corpus::trial::say_the_same;
use worldview_corpus::wwd::build::build;
use worldview_corpus::wwd::generate::{Shape, edge_cases, level};
use worldview_corpus::wwd::naive::read;
use worldview_corpus::wwd::spec::{ObjectSpec, Packing};
use worldview_corpus::wwd::versions::content;
use worldview_edit::{Change, Changes, Planned, Position, Value, wwd};
use worldview_wwd::{Level, check, unpack};

use crate::paths::are_resolved;

/// What `check` reports about a level.
pub(crate) fn findings(file: &[u8]) -> Vec<String> {
    let image = unpack(file).unwrap();
    let mut list = Vec::new();
    check(&image, &Level::parse(&image).unwrap(), &mut |finding| {
        list.push(format!("{} {}", finding.kind.code(), finding.place));
    });
    list.sort();
    list
}

/// Levels that have nothing to do with each other: other planes, tile attributes, image sets and objects.
#[test]
fn any_level_becomes_any_other() {
    let generated =
        (0..6).map(|seed| level(100 + seed, &Shape { objects: 8, attributes: 3 * seed as u32, ..Shape::small() }));
    // Longer strings overflow a buffer of the engine, so no change makes them.
    let fits = |object: &ObjectSpec| {
        [&object.name, &object.logic, &object.image_set, &object.animation].iter().all(|text| text.len() < 1024)
    };
    let edge_cases = edge_cases().into_iter().map(|(_, level)| level);
    let edge_cases = edge_cases.filter(|level| level.planes.iter().flat_map(|plane| &plane.objects).all(fits));
    let files: Vec<_> = generated.chain(edge_cases).map(|level| build(&level).bytes).collect();
    // Whether a file is packed and what is behind its main block stays as it was.
    let said = |file: &[u8]| {
        let mut lines = content(file);
        lines.retain(|line| !line.starts_with("trailing") && !line.starts_with("header flags"));
        lines
    };
    let mut count = 0;
    for (nth, left) in files.iter().enumerate() {
        for (other, right) in files.iter().enumerate() {
            // All pairs would take ten times as long.
            if nth >= 6 && other >= 6 && other != nth + 1 {
                continue;
            }
            let Ok(Planned { changes, .. }) = wwd::diff(left, right) else { continue };
            let edited =
                wwd::apply(left, &changes).unwrap_or_else(|error| panic!("{nth} to {other}: {error}")).to_vec();
            are_resolved(other as u64, &changes, &edited, |changes| wwd::apply(left, changes));
            say_the_same(format_args!("{nth} to {other}"), &said(&edited), &said(right));
            // The first level has no tile attributes, but a table that loses all its records stays.
            if (1..6).contains(&nth) && (1..6).contains(&other) {
                assert_eq!(findings(&edited), findings(right), "{nth} to {other}");
            }
            count += 1;
        }
    }
    assert!(count > 400, "{count} pairs");
}

#[test]
fn a_plane_is_added_with_what_it_consists_of() {
    let spec = level(1, &Shape::small());
    let file = build(&spec).bytes;
    let first = String::from_utf8(spec.planes[0].name.clone()).unwrap();
    let json = format!(
        r#"{{"worldview_changes":1,"changes":[
{{"add":"plane:Sky","before":"plane:{first}","fields":{{"tiles_wide":3,"tiles_high":2,"tile_width":64,"tile_height":64,"z_coord":9}}}},
{{"set":"plane:Sky/tiles:1,0,2,2","to":[7,8,9,4008636142]}},
{{"add":"plane:Sky/image_set#0","data":"BACK"}},
{{"add":"plane:Sky/object:5","fields":{{"logic":"FrontCandy","x":-3}}}}]}}"#
    );
    let changes = Changes::from_json(json.as_bytes()).unwrap();
    let edited = wwd::apply(&file, &changes).unwrap().to_vec();
    let (before, after) = (read(&file).unwrap(), read(&edited).unwrap());
    assert_eq!(after.planes.len(), before.planes.len() + 1);
    let sky = &after.planes[0];
    assert_eq!(sky.tiles, [u32::MAX, 7, 8, u32::MAX, 9, 0xEEEE_EEEE]);
    assert_eq!((sky.image_sets.as_slice(), sky.objects.len()), (&[b"BACK".to_vec()][..], 1));
    assert_eq!(sky.objects[0].logic, b"FrontCandy");
    let back = wwd::apply(&edited, &wwd::diff(&edited, &file).unwrap().changes).unwrap().to_vec();
    assert_eq!(content(&back), content(&file));
}

/// Two billion rows without columns are nothing, and must not be visited.
#[test]
fn a_grid_without_columns_may_have_any_number_of_rows() {
    let spec = level(1, &Shape::small());
    let name = String::from_utf8(spec.planes[0].name.clone()).unwrap();
    let set = |field: &str, to: i32| Change::set(format!("plane:{name}/{field}").parse().unwrap(), to);
    let changes: Changes = [set("tiles_wide", 0), set("tiles_high", i32::MAX)].into_iter().collect();
    let edited = wwd::apply(&build(&spec).bytes, &changes).unwrap().to_vec();
    assert!(read(&edited).unwrap().planes[0].tiles.is_empty());
}

#[test]
fn elements_that_tiles_refer_to_are_not_removed() {
    let mut spec = level(1, &Shape { attributes: 4, ..Shape::small() });
    let main = spec.planes.iter().position(|plane| plane.flags & 1 != 0).unwrap();
    spec.planes[main].tiles.fill(0);
    let remove = |path: &str| Change::remove(path.parse().unwrap());
    let last = "tile_attributes/frame#3";
    let edited = |tile| {
        let mut spec = spec.clone();
        spec.planes[main].tiles[0] = tile;
        let file = build(&spec).bytes;
        wwd::apply(&file, &[remove(last)].into_iter().collect()).map(|edited| edited.to_vec())
    };
    assert_eq!(read(&edited(2).unwrap()).unwrap().attribute_table.unwrap().records.len(), 3);
    let error = edited(3).unwrap_err().to_string();
    assert!(error.starts_with(last) && error.contains("refer to this element"), "{error}");
    let file = build(&spec).bytes;
    let error = wwd::apply(&file, &[remove("tile_attributes/frame#1")].into_iter().collect()).unwrap_err().to_string();
    assert!(error.contains("only the last elements"), "{error}");
}

#[test]
fn a_field_changes_its_bytes_and_no_others() {
    let spec = level(1, &Shape::small());
    let file = build(&spec).bytes;
    let plane = spec.planes.iter().position(|plane| !plane.objects.is_empty()).unwrap();
    let object = &spec.planes[plane].objects[0];
    let name = String::from_utf8(spec.planes[plane].name.clone()).unwrap();
    let path = format!("plane:{name}/object:{}#0/x", object.id).parse().unwrap();
    let from = Some(object.x.into());
    let changes = [Change::Set { path, from, to: (object.x ^ 1).into() }].into_iter().collect();
    let edited = wwd::apply(&file, &changes).unwrap().to_vec();
    let differing: Vec<usize> = (0..file.len()).filter(|&at| edited[at] != file[at]).collect();
    // The coordinate, and the checksum at 748.
    let others: Vec<usize> = differing.into_iter().filter(|at| !(748..752).contains(at)).collect();
    assert!(edited.len() == file.len() && others.len() == 1, "{others:?}");
}

#[test]
fn what_cannot_be_done_is_refused() {
    let spec = level(1, &Shape::small());
    let file = build(&spec).bytes;
    let plane = spec.planes.iter().find(|plane| !plane.objects.is_empty()).unwrap();
    let (name, id) = (String::from_utf8(plane.name.clone()).unwrap(), plane.objects[0].id);
    let refused = |change: Change, expected: &str| {
        let error = wwd::apply(&file, &[change].into_iter().collect()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    let set = |path: &str, to: Value| Change::set(path.parse().unwrap(), to);
    refused(set("header/name", "n".repeat(64).into()), "header/name: \"nnn");
    refused(set("header/checksum", 1.into()), "follows from the content");
    refused(set("header/start_x", "left".into()), "expected an integer, found \"left\"");
    refused(set("header/start_x", (1_i64 << 31).into()), "2147483648 does not fit: -2147483648 to 2147483647");
    refused(set("header/author", "\u{4e00}".into()), "not in windows-1252");
    refused(set("plane:Nowhere/fill_color", 1.into()), "plane:Nowhere/fill_color: not found");
    refused(set(&format!("plane:{name}/tile:99999,0"), 1.into()), "not found");
    refused(set(&format!("plane:{name}/object:{id}#0/name"), "n".repeat(1024).into()), "at most 1023 bytes");
    refused(set("tile_attributes/frame#99999/attribute", 1.into()), "not found");
    refused(set(&format!("plane:{name}/image_set#0"), "n".repeat(4097).into()), "at most 4096 bytes");
    let position = Position::After(format!("plane:{name}/object:123456789").parse().unwrap());
    let path = format!("plane:{name}/object:{id}#0").parse().unwrap();
    refused(Change::Move { path, position, was: Position::Natural }, "object:123456789: not found");
}

#[test]
fn what_is_behind_the_main_block_is_compared_and_changed() {
    for name in ["harbour.wwd", "cellar.wwd"] {
        let plain = worldview_corpus::sample(name);
        let tailed = [&*plain, b"\x01left by an editor"].concat();
        for (left, right) in [(&plain, &tailed), (&tailed, &plain)] {
            let changes = wwd::diff(left, right).unwrap().changes;
            assert_eq!(changes.len(), 1, "{name}");
            assert_eq!(wwd::apply(left, &changes).unwrap().to_vec(), *right, "{name}");
        }
        let other = [&*plain, b"\x01left by another editor"].concat();
        wwd::apply(&other, &wwd::diff(&tailed, &plain).unwrap().changes).unwrap_err();
    }
}

/// The default level of one library may pack a large empty plane five times worse than that of another.
#[test]
fn a_level_stays_about_as_small_as_it_was() {
    let mut spec = level(1, &Shape::small());
    let main = spec.planes.iter_mut().find(|plane| plane.flags & 1 != 0).unwrap();
    (main.tiles_wide, main.tiles_high) = (1500, 500);
    main.tiles = (0..750_000).map(|at: u32| if at % 1500 < 1490 { u32::MAX } else { at / 1500 % 20 }).collect();
    spec.packing = Packing::Zlib { level: 9 };
    let name = String::from_utf8(main.name.clone()).unwrap();
    let mut file = build(&spec).bytes;
    // The level that most streams announce, whatever packed them.
    file[1525] = 0x9C;
    let change = Change::set(format!("plane:{name}/tile:3,5").parse().unwrap(), 1);
    let edited = wwd::apply(&file, &[change].into_iter().collect()).unwrap().to_vec();
    assert!(edited.len() < file.len() + file.len() / 4, "{} bytes become {}", file.len(), edited.len());
}
