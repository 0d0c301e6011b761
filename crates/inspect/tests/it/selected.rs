//! What patterns select of a description.

use worldview_core::describe::Flow;
use worldview_core::{ErrorKind, Path};
use worldview_corpus::bombs::ff13::TABLES;
use worldview_corpus::wwd::build::build as build_level;
use worldview_corpus::wwd::spec::{LevelSpec, ObjectSpec, PlaneSpec};
use worldview_inspect::browse::{self, Address, ItemKind};
use worldview_inspect::find::{self, Pattern};
use worldview_inspect::{Encoding, Error, Options, PathPattern, Root, Selected, Selection, text};

use crate::open::{self, Described, Open};

/// Returns the lines of the text dump of what a pattern selects, without the first one, and whether the pattern was found.
fn selected(open: Open<'_>, bytes: &[u8], pattern: &str) -> (Vec<String>, bool) {
    let (pattern, mut dump): (PathPattern, _) = (pattern.parse().unwrap(), Vec::new());
    let mut write = |(source, body): Described<'_>| {
        let root = Root::new("file", source, body);
        let selected = Selected::new(&root, Selection::of([&pattern]));
        text::write(&selected.root(&root), &Options::default(), &mut dump).unwrap();
    };
    open(bytes, &mut write).unwrap();
    let lines = String::from_utf8(dump).unwrap().lines().skip(1).map(|line| line.trim().to_owned()).collect();
    (lines, pattern.is_found())
}

fn level() -> Vec<u8> {
    let object = |id, x| ObjectSpec { id, x, ..ObjectSpec::default() };
    let mut plane = PlaneSpec::empty(b"Action", 64, 3, 2);
    plane.tiles = vec![10, 11, 12, 13, 14, 15];
    plane.objects = vec![object(7, 1), object(8, 2), object(7, 3)];
    build_level(&LevelSpec { planes: vec![plane], ..LevelSpec::default() }).bytes
}

#[test]
fn an_item_of_an_array_is_selected_alone_and_only_if_it_exists() {
    let bytes = level();
    for (pattern, expected) in [
        ("plane:Action/tile:2,1", Some("tile:2,1 15")),
        ("plane:Action/tile#1", Some("tile#1 11")),
        ("plane:Action/tile:3,0", None),
        ("plane:Action/tile:0,2", None),
        ("plane:Action/tile#6", None),
        ("plane:Action/tile#4294967295", None),
    ] {
        let (lines, is_found) = selected(&open::level, &bytes, pattern);
        assert_eq!(lines.get(1).map(String::as_str), expected, "{pattern}");
        assert_eq!((lines.len(), is_found), (if expected.is_some() { 2 } else { 0 }, expected.is_some()), "{pattern}");
    }
}

#[test]
fn one_level_has_the_paths_of_all_others() {
    let open_level = |address: &Address| {
        let mut paths = Vec::new();
        let mut list = |(source, body): Described<'_>| {
            let found = browse::rows(&Root::new("wwd", source, body), address, Encoding::default(), &mut |item| {
                paths.push((item.kind, item.address.to_string()));
                Flow::Continue(())
            });
            assert!(found.unwrap(), "{address}");
        };
        open::level(&level(), &mut list).unwrap();
        paths
    };
    let objects = ["plane:Action/object:7#0", "plane:Action/object:8", "plane:Action/object:7#1"];
    let listed = open_level(&"plane:Action/objects*".parse().unwrap());
    assert_eq!(listed, objects.map(|path| (ItemKind::Part, path.to_owned())));
    // A path without the number leads to the first one.
    for (path, row) in [("plane:Action/object:7", 0), ("plane:Action/object:7#0", 0), ("plane:Action/object:7#1", 2)] {
        let x = open_level(&path.parse().unwrap()).into_iter().find(|(_, path)| path.ends_with("/x")).unwrap();
        assert_eq!(x.1, format!("{}/x", objects[row]));
        let path: Path = format!("{path}/x").parse().unwrap();
        let mut steps = Vec::new();
        let mut find =
            |(source, body): Described<'_>| steps = browse::way(&Root::new("wwd", source, body), &path).unwrap();
        open::level(&level(), &mut find).unwrap();
        let at: Vec<_> = steps.iter().map(|step| step.address.to_string()).collect();
        assert_eq!(at[3..], ["plane:Action/objects*".to_owned(), objects[row].to_owned()], "{path}");
        assert_eq!(steps[3].row, row as u64, "{path}");
    }
}

#[test]
fn work_on_what_is_not_selected_is_limited() {
    let bomb = TABLES.iter().find(|bomb| bomb.name == "one long string for all records").unwrap();
    let bytes = bomb.bytes(200_000);
    let pattern: PathPattern = "*/nothing".parse().unwrap();
    let mut search = |(source, body): Described<'_>| {
        let root = Root::new("wdb", source, body);
        let selected = Selected::new(&root, Selection::of([&pattern]));
        let root = selected.root(&root);
        assert!(!selected.is_empty(), "it is not known whether there is nothing");
        for written in [
            text::write(&root, &Options::default(), Vec::new()),
            find::search(&root, &Pattern::new("x"), &Options::default(), &mut |_| {}).map(drop),
        ] {
            let Err(Error::Format(error)) = written else { panic!("{written:?}") };
            assert!(matches!(error.kind, ErrorKind::Limit { .. }), "{error}");
        }
    };
    open::table(&bytes, &mut search).unwrap();
}

#[test]
#[cfg(feature = "json")]
fn json_leaves_out_what_is_not_selected() {
    use worldview_inspect::json;

    let (pattern, mut out): (PathPattern, _) = ("plane:Action/object:8/x".parse().unwrap(), Vec::new());
    let mut write = |(source, body): Described<'_>| {
        let root = Root::new("wwd", source, body);
        let selected = Selected::new(&root, Selection::of([&pattern]));
        json::write(&selected.root(&root), &Options::default(), &mut out).unwrap();
    };
    open::level(&level(), &mut write).unwrap();
    let document = String::from_utf8(out).unwrap();
    let (_, behind) = document.split_once("\"full\":false,").unwrap();
    let ats = behind.split("\"at\":").skip(1).map(|rest| rest.split_once(',').unwrap().0).collect::<Vec<_>>();
    let expected = format!("\"planes\":[{{\"at\":{},\"objects\":[{{\"at\":{},\"x\":2}}]}}]}}\n", ats[0], ats[1]);
    assert_eq!(behind, expected);
}
