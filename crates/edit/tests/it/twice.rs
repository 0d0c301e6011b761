//! Changes that are applied twice.

use worldview_corpus::sample;
use worldview_edit::{Change, Changes, EditError, EditErrorKind, Patches, Result, Value, island, rez, wpd, wwd};

use crate::change;

/// Applies changes to the file that they gave, which stays as it is.
pub(crate) fn are_done(what: &str, changes: &Changes, edited: &[u8], again: Result<Patches<'_>>) {
    // A value that is the path of another element leads nowhere once that has another name.
    let renamed = changes.iter().filter_map(|change| change.path().as_str().strip_suffix("/name"));
    let renamed: Vec<_> = renamed.collect();
    let leads = |fields: &[(String, Value)]| {
        let is_path =
            |value: &Value| matches!(value, Value::Text(text) if renamed.iter().any(|path| text.starts_with(path)));
        fields.iter().any(|(_, value)| is_path(value))
    };
    // Which of several elements of one name a number means depends on the others, and so does a place beside others.
    let depends = |change: &Change| match change {
        Change::Add { fields, .. } | Change::Remove { fields, .. } if leads(fields) => true,
        Change::Move { .. } => true,
        Change::Remove { fields, data: None, .. } if fields.is_empty() => true,
        change => change.path().as_str().contains('#'),
    };
    let is_exact = !changes.iter().any(depends);
    match again {
        Ok(again) => {
            let account = again.account();
            assert_eq!(account.done + account.equal, changes.len() as u64, "{what}");
            if is_exact {
                let json = || changes.to_json().unwrap();
                assert!(again.to_vec() == edited, "{what}: another file\n{}", json());
                assert_eq!(account.equal, changes.len() as u64, "{what}\n{}", json());
            }
        }
        // An element with a new name may have that of another one, and then nothing says which of them is meant.
        Err(EditError { kind: EditErrorKind::Ambiguous { .. }, .. }) => {}
        Err(EditError { kind: EditErrorKind::NotFound, path })
            if renamed.iter().any(|old| path.as_str().starts_with(old)) => {}
        Err(error) => assert!(!is_exact, "{what}: {error}\n{}", changes.to_json().unwrap()),
    }
}

fn set(path: &str, from: impl Into<Value>, to: impl Into<Value>) -> Change {
    Change::Set { path: path.parse().unwrap(), from: Some(from.into()), to: to.into() }
}

/// Applies changes, again, and with one more that conflicts with the file.
#[track_caller]
fn twice(name: &str, changes: Vec<Change>, more: Change, apply: for<'a> fn(&'a [u8], &Changes) -> Result<Patches<'a>>) {
    let file = sample(name);
    let count = changes.len() as u64;
    let changes: Changes = changes.into_iter().collect();
    let first = apply(&file, &changes).unwrap();
    assert_eq!((first.account().done, first.account().equal), (count, 0), "{name}");
    let edited = first.to_vec();
    assert_ne!(edited, file);
    let again = apply(&edited, &changes).unwrap();
    assert_eq!((again.account().done, again.account().equal), (0, count), "{name}");
    assert!(again.to_vec() == edited, "{name}");
    // A mixture is applied.
    let part: Changes = changes.iter().take(changes.len() - 1).cloned().collect();
    let mixed = apply(&file, &part).unwrap().to_vec();
    let mixed = apply(&mixed, &changes).unwrap();
    assert_eq!((mixed.account().done, mixed.account().equal), (1, count - 1), "{name}");
    // What does not say what was there before may be about another element.
    let renamed = changes.iter().filter_map(|change| match change {
        Change::Set { path, from: Some(_), to } if path.as_str().ends_with("/name") => {
            Some(Change::set(path.clone(), to.clone()))
        }
        _ => None,
    });
    for change in renamed {
        let error = apply(&edited, &[change].into_iter().collect()).unwrap_err();
        assert!(matches!(error.kind, EditErrorKind::NotFound), "{name}: {error}");
    }
    // What is neither the old nor the new value stays a conflict.
    let error = apply(&edited, &[more].into_iter().collect()).unwrap_err();
    assert!(matches!(error.kind, EditErrorKind::Differs { .. }), "{name}: {error}");
}

#[test]
fn a_mod_is_applied_twice() {
    twice(
        "items.wdb",
        vec![
            set("apple_dried/uPurchasePrice", 6, 1234),
            change(r#"{"add": "zz_new", "like": "apple_dried", "fields": {"uPurchasePrice": 7}}"#),
        ],
        set("apple_dried/uPurchasePrice", 7, 8),
        wpd::apply,
    );
    twice(
        "harbour.wwd",
        vec![
            set("header/start_x", 800, 801),
            // What is in an element with a new name is found by its old one.
            set("plane:Action/name", "Action", "Near"),
            set("trailing_bytes", Value::Bytes(Vec::new()), Value::Bytes(vec![0, 1, 2])),
            change(r#"{"add": "plane:Sky", "fields": {"tiles_wide": 2, "tiles_high": 1, "fill_color": 3}}"#),
            change(r#"{"set": "plane:Sky/tiles:0,0,2,1", "to": [7, 8]}"#),
            change(r#"{"add": "plane:Sky/object:12", "fields": {"x": 5, "name": "lamp"}}"#),
            // An attribute of another kind has other fields.
            change(r#"{"set": "tile_attributes/frame#0/kind", "from": 1, "to": 2}"#),
            change(r#"{"set": "tile_attributes/frame#0/inside", "to": 4}"#),
            change(r#"{"add": "plane:Action/object:4711", "fields": {"x": 5, "logic": "Torch"}}"#),
        ],
        set("header/start_x", 800, 802),
        wwd::apply,
    );
    twice(
        "harbour.rez",
        vec![
            set("LEVEL1/@time", 878_000_400, 5),
            change(r#"{"add": "NEW", "fields": {"kind": 1}}"#),
            change(r#"{"add": "NEW/README.TXT", "data": "text"}"#),
            change(r#"{"set": "LEVEL1/WORLDS/WORLD.WWD/@level/header/start_x", "to": 4}"#),
        ],
        set("LEVEL1/@time", 878_000_400, 6),
        rez::apply,
    );
    twice(
        "world.wdb",
        vec![
            set("world:BAY/model:bay/visible", 1, 0),
            set("world:BAY/model:lighthouse/name", "lighthouse", "Wärter"),
            set("world:BAY/model:lighthouse/visible", 1, 0),
            // There are others with these names.
            set("world:BAY/model:pier/name", "pier", "boat"),
            change(r#"{"rename": "world:MEADOW/model:car", "to": "grove"}"#),
            set("world:TOYBOX/name", "TOYBOX", "TOYS"),
            change(r#"{"remove": "world:BAY/part:oak", "fields": {"name": "oak"}}"#),
        ],
        set("world:BAY/model:bay/visible", 1, 2),
        island::apply,
    );
}

/// Applies changes and then their inverse, which gives the original.
fn undone(file: &[u8], changes: Changes, apply: for<'a> fn(&'a [u8], &Changes) -> Result<Patches<'a>>) {
    let edited = apply(file, &changes).unwrap().to_vec();
    assert_ne!(edited, file);
    let inverse = changes.invert().unwrap();
    let back = apply(&edited, &inverse).unwrap_or_else(|error| panic!("{error}\n{}", inverse.to_json().unwrap()));
    assert!(back.to_vec() == file, "{}", inverse.to_json().unwrap());
}

#[test]
fn the_inverse_finds_elements_under_their_new_names() {
    let level = worldview_wwd::unpack(&sample("harbour.wwd")).unwrap().into_vec();
    let set = |path: &str, from: Value, to: Value| set(path, from, to);
    let padded = |text: &[u8]| Value::Bytes(text.iter().copied().chain([0; 64]).take(64).collect());
    let bytes = [set("plane:Action/name", padded(b"Action"), padded(b"Action\0\0left by a program"))];
    let named = |[one, other]: [&str; 2]| {
        let name = set(&format!("{one}/name"), "Action".into(), "Áction".into());
        [name, set(&format!("{other}/fill_color"), 0.into(), 3.into())]
    };
    // The first edit of a level gives it a valid checksum.
    let level = wwd::apply(&level, &bytes.iter().cloned().collect()).unwrap().to_vec();
    let back = Changes::from_iter(bytes).invert().unwrap();
    let level = wwd::apply(&level, &back).unwrap().to_vec();
    undone(&level, back.invert().unwrap(), wwd::apply);
    for planes in
        [["plane:Action", "plane:Action"], ["plane:Action", "plane:Action#0"], ["plane:Action#0", "plane:Action"]]
    {
        undone(&level, named(planes).into_iter().collect(), wwd::apply);
    }
    let world = [set("world:BAY/part:oak/name", "oak".into(), "öak".into())];
    undone(&sample("world.wdb"), world.into_iter().collect(), island::apply);
}

#[test]
fn an_archive_gets_its_order_back_when_none_of_its_members_stayed() {
    let (left, right) = (sample("effects.bin"), sample("wdbpack.bin"));
    let changes = wpd::diff(&left, &right).unwrap().changes;
    let edited = wpd::apply(&left, &changes).unwrap().to_vec();
    let back = wpd::apply(&edited, &changes.invert().unwrap()).unwrap().to_vec();
    let names = |file: &[u8]| {
        let members = worldview_corpus::ff13::naive::archive(file).unwrap().members;
        members.into_iter().map(|member| (member.name, member.data)).collect::<Vec<_>>()
    };
    assert_eq!(names(&back), names(&left));
}

#[test]
fn an_element_without_a_name_is_not_added_again() {
    let file = sample("world.wdb");
    let like = change(r#"{"add":"blob:fir/part:Fir/lod#4","like":"blob:fir/part:Fir/lod#0"}"#);
    let edited = island::apply(&file, &[like].into_iter().collect()).unwrap().to_vec();
    let changes = island::diff(&file, &edited).unwrap().changes;
    assert_eq!(changes.len(), 1);
    let again = island::apply(&edited, &changes).unwrap();
    assert_eq!((again.account().done, again.account().equal), (0, 1));
    assert!(again.to_vec() == edited);
    // A copy goes to the end, although an element with its number and contents is there.
    let Some(Change::Add { data, .. }) = changes.iter().next() else { panic!("{changes:?}") };
    let path = "blob:fir/part:Fir/lod#0".parse().unwrap();
    let position = worldview_edit::Position::Natural;
    let copy = Change::Add { path, like: None, position, fields: Vec::new(), data: data.clone() };
    let copied = island::apply(&file, &[copy].into_iter().collect()).unwrap();
    assert!(copied.to_vec() == edited);
}

/// All lists of at most three of two levels, equal or not.
#[test]
fn the_inverse_puts_elements_without_names_where_they_were() {
    let file = sample("world.wdb");
    let lod = |nth: usize| format!("blob:fir/part:Fir/lod#{nth}");
    let applied =
        |file: &[u8], changes: Vec<Change>| island::apply(file, &changes.into_iter().collect()).unwrap().to_vec();
    let like = |nth: usize| change(&format!(r#"{{"add":"{}","like":"{}"}}"#, lod(4), lod(nth)));
    let without = |changes: &[usize]| changes.iter().map(|nth| Change::remove(lod(*nth).parse().unwrap())).collect();
    let with = |levels: &[usize]| {
        let file = levels.iter().fold(file.clone(), |file, level| applied(&file, vec![like(*level)]));
        applied(&file, without(&[0, 1, 2, 3]))
    };
    let both = |lists: &[Vec<usize>]| -> Vec<Vec<usize>> {
        lists.iter().flat_map(|list| [0, 3].map(|level| [&list[..], &[level]].concat())).collect()
    };
    let mut lists = vec![Vec::new()];
    (0..3).for_each(|_| lists = [lists[..1].to_vec(), both(&lists)].concat());
    assert_eq!(lists.len(), 15);
    let mut count = 0;
    for list in &lists {
        let all = with(list);
        let data: Vec<_> = island::diff(&all, &with(&[])).unwrap().changes.into_iter().collect();
        assert_eq!(data.len(), list.len());
        for kept in 0..1 << list.len() {
            let removed: Vec<_> = (0..list.len()).filter(|nth| kept >> nth & 1 == 0).collect();
            let rest: Vec<_> = (0..list.len()).filter(|nth| kept >> nth & 1 == 1).map(|nth| list[nth]).collect();
            let rest = with(&rest);
            let by_hand = removed.iter().map(|nth| {
                let of_this = |change: &&Change| change.path().as_str() == lod(*nth);
                let Some(Change::Remove { path, data, .. }) = data.iter().find(of_this).cloned() else {
                    panic!("{list:?}")
                };
                Change::Remove { path, fields: Vec::new(), data, was: worldview_edit::Position::Natural }
            });
            for changes in [by_hand.collect(), island::diff(&all, &rest).unwrap().changes] {
                assert!(island::apply(&all, &changes).unwrap().to_vec() == rest, "{list:?} without {removed:?}");
                let back = island::apply(&rest, &changes.invert().unwrap());
                let back = back.unwrap_or_else(|error| panic!("{list:?} without {removed:?}: {error}"));
                assert!(back.to_vec() == all, "{list:?} without {removed:?}");
                count += 1;
            }
        }
    }
    assert_eq!(count, 170);
}

#[test]
fn removed_nodes_go_back_below_their_parent() {
    let parent = r#""fields": {"parent": "blob:m/node:p"}, "data": {"bytes": "00"}"#;
    // The last one is beside the parent.
    let changes = crate::list(&format!(
        r#"{{"remove": "blob:m/node:a", {parent}}}, {{"remove": "blob:m/node:b", "was_after": "blob:m/node:a", {parent}}},
        {{"add": "blob:m/node:c", "after": "blob:m/node:p", "data": {{"bytes": "00"}}}}"#
    ));
    let added: Vec<_> = changes.invert().unwrap().into_iter().skip(1).collect();
    let expected = ["a", "b"].map(|name| change(&format!(r#"{{"add": "blob:m/node:{name}", {parent}}}"#)));
    assert_eq!(added, expected);
}
