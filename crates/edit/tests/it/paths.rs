//! Elements that changes name by different paths.

use worldview_core::Path;
use worldview_corpus::rng::Rng;
use worldview_corpus::{sample, samples};
use worldview_edit::{
    Change, Changes, EditErrorKind, FileOptions, Format, MergeError, Patches, Position, Result, Value, island, rez,
    wpd, wwd,
};

use crate::path;

/// Spells a path in another way: elements as the first of their name, numbers with zeros, fields with `@`.
fn respelled_path(rng: &mut Rng, path: &Path, added: &[Path], is_field: bool) -> Path {
    let (mut new, mut here) = (Path::new(), Path::new());
    for (number, segment) in (1..).zip(path.segments()) {
        // An added element has nothing by which the paths inside it could be resolved.
        let is_inside = added.contains(&here);
        here.push_segment(&segment);
        let is_last = number == path.len();
        let mut segment = segment;
        match (segment.kind, segment.nth) {
            _ if is_inside => {}
            (Some("object"), _) if !segment.key.starts_with(b"-") && rng.one_in(3) => {
                segment.key = [b"00", &*segment.key].concat().into()
            }
            (Some("tile" | "tiles"), _) if rng.one_in(3) => segment.key = [b"0", &*segment.key].concat().into(),
            (None, None) if is_last && is_field => {
                // In a directory of an archive, this would be a field of the directory.
                let is_inner = path.segments().any(|segment| segment.kind.is_some() || *segment.key == *b"header");
                segment.kind = Some("@").filter(|_| is_inner && rng.one_in(3));
            }
            (Some("@" | "tile" | "tiles" | "pixel"), _) => {}
            (_, None) if rng.one_in(2) => segment.nth = Some(0),
            _ => {}
        }
        new.push_segment(&segment);
    }
    new
}

/// Spells the paths of changes in other ways, and repeats some of them.
pub(crate) fn respelled(rng: &mut Rng, changes: &Changes) -> Changes {
    let added = changes.iter().filter(|change| matches!(change, Change::Add { .. }));
    let added: Vec<_> = added.map(|change| change.path().clone()).collect();
    let mut list = Changes::new();
    for change in changes {
        let mut spell = |path: &Path, is_field: bool| respelled_path(rng, path, &added, is_field);
        let mut position = |position: &Position| match position {
            Position::Natural => Position::Natural,
            Position::Before(other) => Position::Before(spell(other, false)),
            Position::After(other) => Position::After(spell(other, false)),
        };
        match change.clone() {
            Change::Set { path, from, to } => {
                list.push(Change::Set { path: spell(&path, true), from: from.clone(), to: to.clone() });
                if rng.one_in(3) {
                    let path = respelled_path(rng, &path, &added, true);
                    list.push(Change::Set { path, from, to });
                }
            }
            Change::Add { path, like, position: place, fields, data } => {
                let position = position(&place);
                let like = like.map(|like| spell(&like, false));
                list.push(Change::Add { path: spell(&path, false), like, position, fields, data });
            }
            Change::Remove { path, fields, data, was } => {
                let was = position(&was);
                list.push(Change::Remove { path: spell(&path, false), fields, data, was });
            }
            Change::Rename { path, to } => list.push(Change::Rename { path: spell(&path, false), to }),
            Change::Move { path, position: place, was } => {
                let (position, was) = (position(&place), position(&was));
                list.push(Change::Move { path: spell(&path, false), position, was });
            }
            _ => unreachable!(),
        }
    }
    list
}

/// Asserts that changes give the same file, however their paths are spelled.
pub(crate) fn are_resolved<'a>(
    seed: u64,
    changes: &Changes,
    edited: &[u8],
    apply: impl Fn(&Changes) -> Result<Patches<'a>>,
) {
    let other = respelled(&mut Rng::new(seed), changes);
    let found = apply(&other).unwrap_or_else(|error| panic!("{seed}: {error}\n{}", other.to_json().unwrap())).to_vec();
    assert!(found == edited, "{seed}: {}", other.to_json().unwrap());
}

fn apply<'a>(name: &str, file: &'a [u8], changes: &Changes) -> Result<Patches<'a>> {
    match name.rsplit_once('.').unwrap().1 {
        "wwd" => wwd::apply(file, changes),
        "rez" => rez::apply(file, changes),
        "tex" => worldview_edit::apply(Format::Tex, file, changes, &FileOptions::default()),
        _ if name == "world.wdb" => island::apply(file, changes),
        _ => wpd::apply(file, changes),
    }
}

/// Applies sets to a sample.
fn set(name: &str, sets: &[(&str, Value)]) -> std::result::Result<Vec<u8>, String> {
    let changes = sets.iter().map(|(path, to)| Change::set(path.parse().unwrap(), to.clone())).collect();
    let file = sample(name);
    apply(name, &file, &changes).map(|edited| edited.to_vec()).map_err(|error| error.to_string())
}

/// Two paths of one element, in a sample that has it once, with two fields of it.
const SPELLINGS: [(&str, &str, &str, [&str; 2]); 22] = [
    ("harbour.wwd", "header", "header#0", ["start_x", "start_y"]),
    ("harbour.wwd", "header", "header", ["start_x", "@start_y"]),
    ("harbour.wwd", "plane:Action", "plane:Action#0", ["fill_color", "scroll_x"]),
    ("harbour.wwd", "plane:Action", "plane:Action", ["fill_color", "@scroll_x"]),
    ("harbour.wwd", "plane:Action", "plane#1", ["fill_color", "scroll_x"]),
    ("harbour.wwd", "plane:Action/object:1", "plane:Action/object:1#0", ["x", "y"]),
    ("harbour.wwd", "plane:Action/object:1", "plane:Action#0/object:01", ["x", "y"]),
    ("harbour.wwd", "plane:Action/object:1", "plane:Action/object:+1", ["x", "y"]),
    ("harbour.wwd", "plane:Action", "plane:Action#0", ["tile:1,1", "tile:02,1"]),
    ("harbour.wwd", "tile_attributes/frame#3", "tile_attributes#0/frame#3", ["attribute", "@width"]),
    ("items.wdb", "apple_dried", "apple_dried#0", ["uPurchasePrice", "uSellPrice"]),
    ("items.wdb", "apple_dried", "apple_dried", ["uPurchasePrice", "@uSellPrice"]),
    ("wdbpack.bin", "r_lamps.wdb/lamp_gate", "r_lamps.wdb#0/lamp_gate#0", ["fHeight", "fHeight"]),
    ("harbour.rez", "LEVEL1/WORLDS/WORLD.WWD", "LEVEL1#0/worlds/WORLD.WWD", ["@time", "@id"]),
    (
        "harbour.rez",
        "LEVEL1/WORLDS/WORLD.WWD/header",
        "level1/WORLDS/WORLD.WWD#0/@level/header",
        ["start_x", "start_y"],
    ),
    ("world.wdb", "world:TOYBOX/model:car", "world:TOYBOX#0/model:car#0", ["visible", "visible"]),
    ("world.wdb", "world:TOYBOX/model:car", "world#2/model#1", ["visible", "visible"]),
    ("world.wdb", "blob:boat", "blob:boat#0", ["duration", "skip"]),
    ("world.wdb", "blob:boat", "blob#4", ["duration", "skip"]),
    ("world.wdb", "blob:boat", "blob:boat", ["duration", "@skip"]),
    ("world.wdb", "world:TOYBOX/model:car/blob", "world:TOYBOX/model:car#0/blob", ["duration", "skip"]),
    ("world.wdb", "world:TOYBOX/model:car/blob", "world:TOYBOX/model:car/blob#0", ["duration", "skip"]),
];

/// A value for a field.
fn value(field: &str, number: i32) -> Value {
    if field == "fHeight" { Value::from(number as f32) } else { number.into() }
}

#[test]
fn an_element_with_two_paths_is_one() {
    for (name, one, two, [first, second]) in SPELLINGS {
        let sets = |paths: [&str; 2], values: [i32; 2]| {
            let [left, right] =
                [(paths[0], first), (paths[1], second)].map(|(element, field)| format!("{element}/{field}"));
            set(name, &[(&left, value(first, values[0])), (&right, value(second, values[1]))])
        };
        let what = format!("{name}: {one}, {two}");
        let values = if first == second || second == "visible" { [0, 0] } else { [1, 2] };
        let plain = second.trim_start_matches('@').replace("tile:02", "tile:2");
        let plain = if second.starts_with('@') && name == "harbour.rez" { second.to_owned() } else { plain };
        let [left, right] = [first, &*plain].map(|field| format!("{one}/{field}"));
        let wanted = set(name, &[(&left, value(first, values[0])), (&right, value(first, values[1]))]);
        let wanted = wanted.unwrap_or_else(|error| panic!("{what}: {error}"));
        assert!(wanted != sample(name), "{what}");
        for paths in [[one, two], [two, one]] {
            let found = sets(paths, values).unwrap_or_else(|error| panic!("{what}: {error}"));
            assert!(found == wanted, "{what}");
        }
    }
}

#[test]
fn two_paths_of_one_field_conflict_unless_they_say_the_same() {
    for (name, one, two, [_, field]) in SPELLINGS {
        let is_entry = name == "harbour.rez" && field.starts_with('@');
        let plain = if is_entry { field } else { &field.trim_start_matches('@').replace("tile:02", "tile:2") };
        let [left, right] = [format!("{one}/{plain}"), format!("{two}/{field}")];
        if left == right {
            continue;
        }
        for [left, right] in [[&left, &right], [&right, &left]] {
            let error = set(name, &[(left, value(field, 0)), (right, value(field, 1))]).unwrap_err();
            let wanted = format!("{right}: conflicts with the change of {left}");
            assert_eq!(error, wanted, "{name}");
            let both = set(name, &[(left, value(field, 1)), (right, value(field, 1))]).unwrap();
            assert_eq!(both, set(name, &[(left, value(field, 1))]).unwrap(), "{name}: {left}, {right}");
        }
    }
}

/// Rectangles without columns are nothing, however many rows they have.
#[test]
fn rows_without_columns_are_not_visited() {
    for (name, place, kind) in
        [("harbour.wwd", "plane:Action", "tiles"), ("pennant.tex", "texture:wall.gif/image#0", "pixels")]
    {
        let place = format!("{place}/{kind}:0,0,0,{}", u64::MAX);
        let _ = set(name, &[(&place, Value::Integers(Vec::new()))]);
    }
}

#[test]
fn what_several_elements_have_is_no_path_of_one() {
    for (name, ambiguous, first) in [
        ("world.wdb", "world:BAY/model:boat/visible", "world:BAY/model:boat#0/visible"),
        ("world.wdb", "world:MEADOW/model:grove/visible", "world:MEADOW/model:grove#1/visible"),
    ] {
        let error = set(name, &[(first, 0.into()), (ambiguous, 0.into())]).unwrap_err();
        assert!(error.starts_with(ambiguous) && error.contains("elements have this name"), "{error}");
        set(name, &[(first, 0.into())]).unwrap();
    }
    let (blob, boat) = ("world:BAY/model:bay/blob", "world:BAY/model:boat");
    let error = set("world.wdb", &[(blob, boat.into())]).unwrap_err();
    assert_eq!(error, format!("{boat}: 4 elements have this name; select one with #0 to #3"));
    set("world.wdb", &[(blob, format!("{boat}#0").as_str().into())]).unwrap();
    // A number that no element has is not the first of its name.
    for path in ["plane:Action#1/fill_color", "header#1/start_x", "plane:Action/object:1#1/x"] {
        assert!(set("harbour.wwd", &[(path, 1.into())]).is_err(), "{path}");
    }
    for path in ["apple_dried#1/uSellPrice", "apple_dried/uSellPrice#0", "apple_dried/x:uSellPrice"] {
        assert!(set("items.wdb", &[(path, 1.into())]).is_err(), "{path}");
    }
}

fn list(sets: &[(&str, Value)]) -> Changes {
    sets.iter().map(|(place, to)| Change::set(path(place), to.clone())).collect()
}

#[test]
fn merged_lists_apply_or_conflict() {
    let tiles = |row: &[i128]| Value::Integers(row.to_vec());
    let (x, first, other) = ("plane:Action/object:1/x", "plane:Action/object:1#0/x", "plane:Action/object:1#0/y");
    let range = "plane:Action/tiles:4,5,3,1";
    type Case<'c> = (&'c [(&'c str, Value)], &'c [(&'c str, Value)], Option<usize>);
    let cases: &[Case<'_>] = &[
        (&[(x, 3.into())], &[(other, 4.into())], Some(2)),
        (&[(x, 3.into())], &[(first, 3.into())], Some(1)),
        (&[(x, 3.into())], &[(first, 4.into())], None),
        (&[(range, tiles(&[7, 1, 7]))], &[("plane:Action/tile:5,5", 1.into())], Some(2)),
        (&[(range, tiles(&[7, 1, 7]))], &[("plane:Action#0/tiles:5,4,1,2", tiles(&[9, 1]))], Some(2)),
        (&[(range, tiles(&[7, 1, 7]))], &[("plane:Action/tiles:5,4,1,2", tiles(&[1, 9]))], None),
        (&[(range, tiles(&[7, 1, 7]))], &[("plane:Action#0/tile:05,5", 2.into())], None),
        (&[(range, tiles(&[7, 1, 7]))], &[("plane:Background/tile:5,5", 2.into())], Some(2)),
        (&[(range, tiles(&[7, 1, 7]))], &[(range, tiles(&[7, 2, 7]))], None),
    ];
    let file = sample("harbour.wwd");
    for (number, (left, right, wanted)) in cases.iter().enumerate() {
        for (left, right) in [(left, right), (right, left)] {
            let (left, right) = (list(left), list(right));
            let mut merged = left.clone();
            match (merged.merge(&right), wanted) {
                (Ok(()), Some(count)) => {
                    assert_eq!(merged.len(), *count, "case {number}");
                    let at_once =
                        wwd::apply(&file, &merged).unwrap_or_else(|error| panic!("case {number}: {error}")).to_vec();
                    let first = wwd::apply(&file, &left).unwrap().to_vec();
                    assert_eq!(wwd::apply(&first, &right).unwrap().to_vec(), at_once, "case {number}");
                }
                (Err(MergeError::Conflicts(conflicts)), None) => {
                    assert_eq!((conflicts.len(), &merged), (1, &left), "case {number}");
                    let [one, two] = [&conflicts[0].left, &conflicts[0].right].map(Change::path);
                    assert!(left.iter().any(|change| change.path() == one), "case {number}");
                    assert!(right.iter().any(|change| change.path() == two), "case {number}");
                }
                (found, _) => panic!("case {number}: {found:?}"),
            }
        }
    }
}

#[test]
fn merged_changes_of_images_and_names_conflict() {
    for (left, right) in [
        (r#"{"set":"blob:x/texture:a/image#0/pixels","to":{"bytes":"01"}}"#, "blob:x/texture:a/image#0/pixel:0,0"),
        (r#"{"set":"blob:x/texture:a/image#0/palette","to":{"bytes":"01"}}"#, "blob:x/texture:a/image#0/color#0"),
        (r#"{"rename":"world:ACT1","to":"ACT9"}"#, "world:ACT1#0/name"),
    ] {
        let (left, right) = (crate::list(left), list(&[(right, "x".into())]));
        for merged in [left.clone().merge(&right), right.clone().merge(&left)] {
            assert!(matches!(merged, Err(MergeError::Conflicts(conflicts)) if conflicts.len() == 1));
        }
    }
}

#[test]
fn tiles_that_no_level_can_have_are_not_merged() {
    let plain = list(&[("plane:Action/tile:0,0", 1.into())]);
    for (tiles, to, expected) in [
        ("tile:5", 1.into(), "plane:Action/tile:5: not found in this file"),
        ("tile:-1,5", 1.into(), "plane:Action/tile:-1,5: not found in this file"),
        ("tiles:0,0,2,2", Value::Integers(vec![1]), "2 times 2 tiles"),
        ("tiles:0,0,1,1", 1.into(), "expected a list of tiles"),
        ("tile:0,1", "1:x".into(), "expected a tile"),
        ("tile:0,1", Value::Integer(1 << 40), "0 to 4294967295"),
    ] {
        let broken = list(&[(&format!("plane:Action/{tiles}"), to)]);
        for merged in [plain.clone().merge(&broken), broken.clone().merge(&plain)] {
            let error = merged.unwrap_err();
            assert!(matches!(error, MergeError::Malformed(_)) && error.to_string().contains(expected), "{error}");
        }
    }
}

#[test]
fn expected_values_of_overlapping_tiles_are_joined() {
    let tile =
        |path_of: &str, from: Option<i128>, to| Change::Set { path: path(path_of), from: from.map(Value::Integer), to };
    let file = sample("harbour.wwd");
    let two = [
        tile("plane:Action/tile:5,5", Some(-1), 1.into()),
        tile("plane:Action/tiles:5,5,1,1", None, Value::Integers(vec![1])),
    ];
    for changes in [two.clone(), [two[1].clone(), two[0].clone()]] {
        let changes: Changes = changes.into_iter().collect();
        let error = wwd::apply(&file, &changes).unwrap_err();
        assert!(!matches!(error.kind, EditErrorKind::Conflict { .. }), "{error}");
    }
}

#[test]
fn a_path_has_at_most_256_segments() {
    let deep = |count: usize| ["a"; 1].repeat(count).join("/");
    for count in [257, 15_000, 60_000, 500_000] {
        let text = deep(count);
        let json = format!("{{\"worldview_changes\":1,\"changes\":[{{\"set\":\"{text}\",\"to\":1}}]}}");
        let from_json = Changes::from_json(json.as_bytes()).unwrap_err();
        let programs = |name: &str| {
            let changes: Changes = [Change::set(path(&text), 1)].into_iter().collect();
            apply(name, &sample(name), &changes).unwrap_err()
        };
        let all = samples().into_iter().map(|(name, _)| programs(name));
        for error in all.chain([from_json]) {
            assert!(
                matches!(error.kind, EditErrorKind::PathTooLong { segments, limit: 256 } if segments == count),
                "{error}"
            );
            assert!(error.to_string().len() < 200, "{error}");
        }
    }
    let json =
        |path: &str| format!("{{\"worldview_changes\":1,\"changes\":[{{\"move\":\"a\",\"before\":\"{path}\"}}]}}");
    Changes::from_json(json(&deep(256)).as_bytes()).unwrap();
    Changes::from_json(json(&deep(257)).as_bytes()).unwrap_err();
    // A path of that length is no more than a place that files do not have.
    let changes: Changes = [Change::set(path(&deep(256)), 1)].into_iter().collect();
    for (name, file) in samples() {
        let error = apply(name, &file, &changes).unwrap_err();
        assert!(!matches!(error.kind, EditErrorKind::PathTooLong { .. }), "{name}: {error}");
    }
}
