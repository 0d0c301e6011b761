//! Switches of Gruntz that move. The level, its ids and what refers to them are worked out by hand in `corpus`; that the id of a switch
//! is 256 times its column plus its row is in the format page, with the levels it was measured on.

use worldview_corpus::rez::build::build as build_archive;
use worldview_corpus::rez::spec::{ArchiveSpec, DirectorySpec, EntrySpec, FileSpec};
use worldview_corpus::wwd::build::build;
use worldview_corpus::wwd::generate::switches;
use worldview_corpus::wwd::naive::{NaiveLevel, NaiveObject, NaiveValue, int, read};
use worldview_edit::{Changes, EditError, FileOptions, Format, Patches, Result, apply, wwd};

use crate::list;

fn file() -> Vec<u8> {
    build(&switches()).bytes
}

fn follow<'a>(file: &'a [u8], changes: &Changes) -> Result<Patches<'a>> {
    apply(Format::Wwd, file, changes, &FileOptions { follow: true, ..FileOptions::default() })
}

fn following(file: &[u8], changes: &str) -> Vec<u8> {
    follow(file, &list(changes)).unwrap().to_vec()
}

/// Each object by the naive reader: its id, its speeds, and the numbers in its rectangles that are not 0.
fn objects(file: &[u8]) -> Vec<(i64, [i64; 2], Vec<i32>)> {
    let NaiveLevel { planes, .. } = read(file).unwrap();
    let object = |object: &NaiveObject| {
        let number = |name| int(&object.fields, name).unwrap();
        let rects = object.fields.iter().filter_map(|(_, value)| match value {
            NaiveValue::Rect(rect) => Some(*rect),
            _ => None,
        });
        let numbers = rects.flatten().filter(|number| *number != 0).collect();
        (number("id"), [number("speed_x"), number("speed_y")], numbers)
    };
    planes[0].objects.iter().map(object).collect()
}

/// The objects of the level if the first switch has another id and place.
fn expected(id: i32, speeds: [i64; 2]) -> Vec<(i64, [i64; 2], Vec<i32>)> {
    vec![
        (id.into(), speeds, vec![id, 1282]),
        (1282, [5, 2], vec![id, 1282]),
        (1, [0, 0], vec![id]),
        (2, [0, 0], vec![1282, id]),
        (3, [0, 0], vec![1282]),
        (1028, [0, 0], vec![]),
        (5, [0, 0], vec![770]),
    ]
}

/// What is said of an edit.
fn notes(patches: &Patches<'_>) -> Vec<String> {
    patches.account().entries().map(|entry| format!("{} {}: {}", entry.code.name, entry.path, entry.message)).collect()
}

fn refusal(result: Result<Patches<'_>>) -> (&'static str, String) {
    let error: EditError = result.unwrap_err();
    (error.kind.code().name, error.to_string())
}

#[test]
fn a_switch_that_moves_alone_is_named_with_what_refers_to_it() {
    let file = file();
    assert_eq!(objects(&file), expected(770, [3, 2]));
    let moved = list(r#"{"set":"plane:Action/object:770/x","to":144}"#);
    let patches = wwd::apply(&file, &moved).unwrap();
    let note = "switch-id plane:Action/object:770: the switch is on the tile in column 4 and row 2, where its id would be 1026, not 770, \
                and speed_x and speed_y 4 and 2, not 3 and 2; the objects that refer to it by this id are 1282, 1, 2";
    assert_eq!(notes(&patches), [note]);
    let edited = patches.to_vec();
    // What is so already, and another edit, are no news.
    assert_eq!(notes(&wwd::apply(&edited, &moved).unwrap()), [""; 0]);
    let other = list(r#"{"set":"plane:Action/object:1/score","to":5},{"set":"plane:Action/object:770/x","to":145}"#);
    let again = wwd::apply(&edited, &other).unwrap();
    assert_eq!(notes(&again), [""; 0]);
    let again = again.to_vec();
    let moved = list(r#"{"set":"plane:Action/object:770/y","to":96},{"remove":"plane:Action/object:1"}"#);
    let [note] = &notes(&wwd::apply(&again, &moved).unwrap())[..] else { panic!("one note") };
    assert!(note.contains("column 4 and row 3, where its id would be 1027") && note.ends_with("are 1282, 2"), "{note}");
    // Within its tile, and in levels with other rules, nothing is said.
    let within = list(r#"{"set":"plane:Action/object:770/x","to":127},{"set":"plane:Action/object:770/y","to":64}"#);
    assert_eq!(notes(&wwd::apply(&file, &within).unwrap()), [""; 0]);
    let mut claw = switches();
    claw.header.image_dir = b"LEVEL1\\TILES".to_vec();
    let mut high = switches();
    let plane = &mut high.planes[0];
    (plane.tiles_high, plane.height_px) = (257, 257 * 32);
    plane.tiles = vec![0; 10 * 257];
    for level in [claw, high] {
        let file = build(&level).bytes;
        let moved = list(r#"{"set":"plane:Action/object:770/x","to":144}"#);
        let patches = follow(&file, &moved).unwrap();
        assert_eq!((notes(&patches), patches.also().len()), (vec![], 0));
    }
}

#[test]
fn what_belongs_to_a_switch_follows_in_one_list() {
    let file = file();
    let moved = list(r#"{"set":"plane:Action/object:770/x","to":144}"#);
    let patches = follow(&file, &moved).unwrap();
    let edited = patches.to_vec();
    assert_eq!((notes(&patches), patches.account().done), (vec![], 7));
    assert_eq!(objects(&edited), expected(1026, [4, 2]));
    let all = moved.along(patches.also());
    let wanted = list(
        r#"{"set":"plane:Action/object:770/x","from":112,"to":144},
        {"set":"plane:Action/object:770/id","from":770,"to":1026},
        {"set":"plane:Action/object:770/speed_x","from":3,"to":4},
        {"set":"plane:Action/object:770/move_rect","from":[770,1282,0,0],"to":[1026,1282,0,0]},
        {"set":"plane:Action/object:1282/move_rect","from":[770,1282,0,0],"to":[1026,1282,0,0]},
        {"set":"plane:Action/object:1/move_rect","from":[770,0,0,0],"to":[1026,0,0,0]},
        {"set":"plane:Action/object:2/hit_rect","from":[0,770,0,0],"to":[0,1026,0,0]}"#,
    );
    assert_eq!(all.len(), wanted.len());
    assert!(wanted.iter().all(|change| all.iter().any(|other| other == change)), "{all:?}");
    // The list does the same without the option, a second time nothing, and backwards it gives the original.
    assert!(wwd::apply(&file, &all).unwrap().to_vec() == edited);
    for options in [false, true].map(|follow| FileOptions { follow, ..FileOptions::default() }) {
        let again = apply(Format::Wwd, &edited, &all, &options).unwrap();
        assert_eq!((again.account().equal, again.is_empty()), (7, true));
    }
    assert_eq!(objects(&wwd::apply(&edited, &all.invert().unwrap()).unwrap().to_vec()), objects(&file));
    // The old id is that of nothing any more.
    let old = list(r#"{"set":"plane:Action/object:770/x","to":208}"#);
    assert_eq!(refusal(follow(&edited, &old)).0, "not-found");
    // One more trigger, and the switch moves once more.
    let more = wwd::apply(
        &edited,
        &list(
            r#"{"add":"plane:Action/object:6","fields":{"logic":"TileTrigger","clip_rect":[0,0,0,1026],"x":16,"y":16}}"#,
        ),
    );
    let again = following(&more.unwrap().to_vec(), r#"{"set":"plane:Action/object:1026/x","to":208}"#);
    let mut wanted = expected(1538, [6, 2]);
    wanted.push((6, [0, 0], vec![1538]));
    assert_eq!(objects(&again), wanted);
}

#[test]
fn a_place_whose_id_is_taken_is_refused() {
    let file = file();
    let to = |more: &str| {
        list(&format!(
            r#"{{"set":"plane:Action/object:770/x","to":144}},{{"set":"plane:Action/object:770/y","to":140}}{more}"#
        ))
    };
    let why = "plane:Action/object:770: the id of a switch on the tile in column 4 and row 4 is 1028, which plane:Action/object:1028 has";
    assert_eq!(refusal(follow(&file, &to(""))), ("switch-taken", why.to_owned()));
    // Also by an object that is added, and by a switch that goes to the same tile.
    let (code, _) = refusal(follow(
        &file,
        &list(
            r#"{"set":"plane:Action/object:770/x","to":144},{"add":"plane:Action/object:1026","fields":{"logic":"Brickz"}}"#,
        ),
    ));
    assert_eq!(code, "switch-taken");
    let both = r#"{"set":"plane:Action/object:770/x","to":144},{"set":"plane:Action/object:1282/x","to":150}"#;
    assert_eq!(refusal(follow(&file, &list(both))).0, "switch-taken");
    // Not by one that goes, or gets another id, or if the change says the id.
    for more in [
        r#",{"remove":"plane:Action/object:1028"}"#,
        r#",{"set":"plane:Action/object:1028/id","to":7}"#,
        r#",{"set":"plane:Action/object:770/id","to":8}"#,
    ] {
        let id = if more.contains("770") { 8 } else { 1028 };
        let edited = follow(&file, &to(more)).unwrap().to_vec();
        assert_eq!(objects(&edited)[..2], expected(id, [4, 4])[..2], "{more}");
    }
    // Two switches change places.
    let swapped = following(
        &file,
        r#"{"set":"plane:Action/object:770/x","to":176},{"set":"plane:Action/object:1282/x","to":112}"#,
    );
    let wanted: Vec<(i64, Vec<i32>)> = vec![
        (1282, vec![1282, 770]),
        (770, vec![1282, 770]),
        (1, vec![1282]),
        (2, vec![770, 1282]),
        (3, vec![770]),
        (1028, vec![]),
        (5, vec![770]),
    ];
    let found: Vec<_> = objects(&swapped).into_iter().map(|(id, _, numbers)| (id, numbers)).collect();
    assert_eq!(found, wanted);
}

/// The number 0 refers to nothing, and the switch in the first column and row has the id 0.
#[test]
fn the_switch_with_the_id_0_is_referred_to_by_nothing() {
    let file = file();
    let first = r#"{"set":"plane:Action/object:770/x","to":16},{"set":"plane:Action/object:770/y","to":16}"#;
    let why =
        "plane:Action/object:770: the id of a switch on the tile in column 0 and row 0 is 0, which refers to no switch";
    assert_eq!(refusal(follow(&file, &list(first))), ("switch-taken", why.to_owned()));
    let mut level = switches();
    let object = &mut level.planes[0].objects[0];
    (object.id, object.x, object.y) = (0, 16, 16);
    let file = build(&level).bytes;
    let moved = list(r#"{"set":"plane:Action/object:0/x","to":112}"#);
    assert!(notes(&wwd::apply(&file, &moved).unwrap())[0].ends_with("no other object refers to it"));
    let (before, after) = (objects(&file), objects(&follow(&file, &moved).unwrap().to_vec()));
    assert_eq!(after[0].0, 768);
    assert_eq!(before[1..], after[1..]);
}

/// An old value is compared with the file whether or not something follows, and an id that is given is followed.
#[test]
fn what_is_given_stays_what_it_is() {
    let file = file();
    let other = list(r#"{"set":"plane:Action/object:770/x","from":100,"to":144}"#);
    assert_eq!(refusal(follow(&file, &other)).0, refusal(wwd::apply(&file, &other)).0);
    let given = following(&file, r#"{"set":"plane:Action/object:770/id","to":9}"#);
    assert_eq!(objects(&given), expected(9, [3, 2]));
    // A switch that was moved without the option is one whose id is stale; it gets the right one when it is named again.
    let moved = wwd::apply(&file, &list(r#"{"set":"plane:Action/object:770/x","to":144}"#)).unwrap().to_vec();
    let again = following(&moved, r#"{"set":"plane:Action/object:770/x","to":144}"#);
    assert_eq!(objects(&again), expected(1026, [4, 2]));
}

#[test]
fn a_switch_follows_that_shares_its_id_with_another_object() {
    let mut level = switches();
    level.planes[0].objects[5].id = 770;
    let edited = following(&build(&level).bytes, r#"{"set":"plane:Action/object:770#0/x","to":144}"#);
    let mut wanted = expected(1026, [4, 2]);
    wanted[5].0 = 770;
    assert_eq!(objects(&edited), wanted);
}

#[test]
fn switches_follow_inside_of_an_archive() {
    let level = FileSpec { name: b"W".to_vec(), extension: b"WWD".to_vec(), data: file(), ..FileSpec::default() };
    let root = DirectorySpec { entries: vec![EntrySpec::File(level)], ..DirectorySpec::default() };
    let file = build_archive(&ArchiveSpec { root, ..ArchiveSpec::default() }).bytes;
    let moved = list(r#"{"set":"W.WWD/plane:Action/object:770/x","to":144}"#);
    let edit = |file: &'_ [u8], changes: &Changes, follow| -> (Vec<u8>, Vec<String>, Changes, u64) {
        let options = FileOptions { follow, ..FileOptions::default() };
        let patches = apply(Format::Rez, file, changes, &options).unwrap();
        (patches.to_vec(), notes(&patches), patches.also().clone(), patches.account().done)
    };
    let (_, notes, also, _) = edit(&file, &moved, false);
    assert!(notes.len() == 1 && notes[0].starts_with("switch-id W.WWD/@level/plane:Action/object:770: "), "{notes:?}");
    assert!(also.is_empty());
    let (edited, notes, also, done) = edit(&file, &moved, true);
    assert_eq!((notes, also.len(), done), (vec![], 7, 7));
    // Each place is in the list once, and so it can be undone.
    let all = moved.along(&also);
    assert_eq!(all.len(), 7);
    let (again, ..) = edit(&file, &all, false);
    assert!(again == edited);
    let (back, ..) = edit(&edited, &all.invert().unwrap(), false);
    let data = |archive: &[u8]| {
        let archive = worldview_rez::Rez::parse(archive).unwrap();
        archive.by_path("W.WWD").unwrap().source().bytes().to_vec()
    };
    assert_eq!(objects(&data(&edited)), expected(1026, [4, 2]));
    assert_eq!(objects(&data(&back)), expected(770, [3, 2]));
}
