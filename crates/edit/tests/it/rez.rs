use std::collections::BTreeMap;

use worldview_core::FindingCode as _;
use worldview_corpus::rez::build::build;
use worldview_corpus::rez::generate::small;
use worldview_corpus::rez::naive::{NaiveArchive, NaiveEntry, archive as naive};
use worldview_corpus::rez::spec::{ArchiveSpec, DirectorySpec, EntrySpec, FileSpec};
use worldview_corpus::rng::Rng;
use worldview_corpus::sample;
use worldview_corpus::trial::rounds;
use worldview_corpus::wwd::versions::content as level_content;
use worldview_edit::{Change, Changes, Position, Value, rez};
use worldview_rez::{Rez, check_archive};

use crate::{add, list, path};

/// What an archive says, by the naive reader: everything but positions, sizes and what the header repeats.
pub(crate) fn content(file: &[u8]) -> Vec<String> {
    let archive = naive(file).unwrap();
    let own = ["time", "root_dir_time", "largest_key_ary"];
    let own: Vec<_> = archive.header.iter().filter(|(name, _)| own.contains(name)).collect();
    let mut lines = vec![format!("{:?} {own:?}", archive.user_title)];
    directory(&archive, 0, "", file, &mut lines);
    lines
}

fn directory(archive: &NaiveArchive, index: usize, path: &str, file: &[u8], lines: &mut Vec<String>) {
    for (number, entry) in archive.directories[index].entries.iter().enumerate() {
        match entry {
            NaiveEntry::Directory(index) => {
                let child = &archive.directories[*index];
                let path = format!("{path}/{number} {:?}", child.name);
                lines.push(format!("{path} {}", child.words[2]));
                directory(archive, *index, &path, file, lines);
            }
            NaiveEntry::File(own) => {
                let [_, _, time, id, ..] = own.words;
                let what = (&own.name, &own.extension, time, id, &own.comment, &own.keys);
                lines.push(format!("{path}/{number} {what:?} {:?}", &file[own.data.clone()]));
            }
        }
    }
}

/// What `check` reports about an archive, and how often.
pub(crate) fn findings(file: &[u8]) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    check_archive(&Rez::parse(file).unwrap(), &mut |finding| {
        *counts.entry(finding.kind.code()).or_default() += 1;
    });
    counts
}

/// Another version of a directory.
fn vary(rng: &mut Rng, directory: &mut DirectorySpec) {
    for _ in 0..rng.below(4) {
        let count = directory.entries.len() as u32;
        let index = rng.below(count.max(1)) as usize;
        match rng.below(9) {
            0 => directory.entries.push(EntrySpec::File(FileSpec {
                name: b"ADDED".to_vec(),
                extension: b"PID".to_vec(),
                data: vec![1; rng.below(50) as usize],
                keys: vec![rng.below(9); rng.below(3) as usize],
                ..FileSpec::default()
            })),
            1 => {
                let mut child = DirectorySpec::new(*b"NEW");
                vary(rng, &mut child);
                directory.entries.insert(index.min(directory.entries.len()), EntrySpec::Directory(child));
            }
            2 if count > 0 => drop(directory.entries.remove(index)),
            3 if count > 0 => {
                let entry = directory.entries.remove(index);
                directory.entries.insert(rng.below(count) as usize, entry);
            }
            _ => match directory.entries.get_mut(index) {
                Some(EntrySpec::Directory(child)) if rng.one_in(4) => child.time ^= 1,
                Some(EntrySpec::Directory(child)) => vary(rng, child),
                Some(EntrySpec::File(file)) => match rng.below(5) {
                    0 => file.time ^= 4,
                    1 => file.comment = b"another comment".to_vec(),
                    2 => file.data.truncate(5),
                    3 => file.data.push(7),
                    _ => file.name.push(b'X'),
                },
                None => {}
            },
        }
    }
}

/// Two versions of an archive, or two archives.
pub(crate) fn versions(seed: u64) -> [Vec<u8>; 2] {
    let (mut rng, left) = (Rng::new(seed), small(seed));
    let right = if rng.one_in(3) {
        small(seed + 10_000)
    } else {
        let mut right = left.clone();
        vary(&mut rng, &mut right.root);
        right.time ^= rng.below(2);
        right
    };
    [left, right].map(|spec| build(&spec).bytes)
}

/// Lists that no comparison gives, about files of which some have one name: what is applied and can be inverted is undone.
#[test]
fn what_is_written_by_hand_is_undone_or_refused() {
    const PATHS: [&str; 5] = ["A#0", "A#1", "A#2", "B", "a#0"];
    let (mut undone, mut refused, mut reasons) = (0, [0; 2], BTreeMap::<String, usize>::new());
    for seed in 0..rounds(4000) {
        let mut rng = Rng::new(seed);
        let mut spec = ArchiveSpec::default();
        for name in [b"A", b"B", b"A", b"a", b"A"] {
            let (name, data) = (name.to_vec(), vec![rng.below(3) as u8]);
            spec.root.entries.push(EntrySpec::File(FileSpec { name, data, ..FileSpec::default() }));
        }
        let file = build(&spec).bytes;
        let order = ["A#0", "B", "A#1", ["a", "a#0"][rng.below(2) as usize], "A#2"];
        let archive = naive(&file).unwrap();
        let old = |nth: usize| match &archive.directories[0].entries[nth] {
            NaiveEntry::File(own) => Value::Bytes(file[own.data.clone()].to_vec()),
            NaiveEntry::Directory(_) => unreachable!(),
        };
        let mut changes = Changes::new();
        let place = |rng: &mut Rng| match rng.below(3) {
            0 => Position::Natural,
            1 => Position::Before(path(rng.pick(&PATHS).unwrap())),
            _ => Position::After(path(rng.pick(&PATHS).unwrap())),
        };
        let new = Value::Bytes(vec![rng.below(3) as u8]);
        for nth in 0..5 {
            let own = path(order[nth]);
            let was = match nth {
                0 => Position::Before(path("B")),
                _ => Position::After(path(order[nth - 1])),
            };
            match rng.below(9) {
                0 | 1 => {
                    changes.push(Change::Remove { path: own, fields: Vec::new(), data: Some(old(nth)), was });
                }
                2 => changes.push(Change::Move { path: own, position: place(&mut rng), was }),
                3 => changes.push(Change::Set { path: own, from: Some(old(nth)), to: new.clone() }),
                4 => changes.push(Change::Add {
                    path: path(&format!("A#{}", rng.below(5))),
                    like: None,
                    position: place(&mut rng),
                    fields: Vec::new(),
                    data: Some(new.clone()),
                }),
                _ => {}
            }
        }
        let edited = match rez::apply(&file, &changes) {
            Ok(edited) if edited.account().equal > 0 => continue,
            Ok(edited) => edited.to_vec(),
            Err(error) => {
                refused[0] += 1;
                *reasons.entry(error.kind.code().name.to_owned()).or_default() += 1;
                continue;
            }
        };
        let Ok(inverse) = changes.invert() else {
            refused[1] += 1;
            continue;
        };
        let json = || format!("{seed}: {}\n{}", changes.to_json().unwrap(), inverse.to_json().unwrap());
        let back = rez::apply(&edited, &inverse).unwrap_or_else(|error| panic!("{error} {}", json())).to_vec();
        assert_eq!(content(&back), content(&file), "{}", json());
        undone += 1;
    }
    println!("{undone} undone, {refused:?} refused: {reasons:?}");
    assert!(undone > 800, "{undone}");
}

#[test]
fn numbers_say_the_order_of_elements_with_one_name() {
    let archive = |files: &[(&str, &[u8])]| {
        let mut spec = ArchiveSpec::default();
        for (name, data) in files {
            let (name, data) = (name.as_bytes().to_vec(), data.to_vec());
            spec.root.entries.push(EntrySpec::File(FileSpec { name, data, ..FileSpec::default() }));
        }
        build(&spec).bytes
    };
    let file = archive(&[("NEW", b"old"), ("B", b"b")]);
    let replaced = list(r#"{"remove":"NEW","data":"old","was_before":"B"},{"add":"NEW#1","data":"new"}"#);
    let edited = rez::apply(&file, &replaced).unwrap().to_vec();
    assert_eq!(content(&edited), content(&archive(&[("B", b"b"), ("NEW", b"new")])));
    let back = rez::apply(&edited, &replaced.invert().unwrap()).unwrap().to_vec();
    assert_eq!(content(&back), content(&file));
    let file = archive(&[("A", b"1"), ("B", b"b"), ("A", b"1"), ("a", b"2"), ("A", b"3")]);
    for (added, path, other) in [
        (r#"{"add":"A#5","data":"x"}"#, "A#5", "A#3"),
        (r#"{"add":"A#3","data":"x","before":"B"}"#, "A#3", "A#1"),
        (r#"{"move":"A#2","before":"A#0"}"#, "A#0", "A#2"),
        (r#"{"remove":"A#0","data":"1","was_before":"B"}"#, "A#0", "A#1"),
        (r#"{"remove":"a","data":"2"}"#, "a", "a#0"),
    ] {
        let error = rez::apply(&file, &list(added)).unwrap_err().to_string();
        assert!(error.starts_with(&format!("{path}: ")) && error.ends_with(&format!(" {other}")), "{error}");
    }
    // After the first change, the path of the second one would be that of the element that goes back.
    let both = list(r#"{"remove":"A#1","data":"1","was_after":"B"},{"set":"A#2","from":"3","to":"4"}"#);
    rez::apply(&file, &both).unwrap();
    let error = both.invert().unwrap_err().to_string();
    assert!(error.starts_with("A#2: ") && error.ends_with(" A#1"), "{error}");
}

fn harbour() -> Vec<u8> {
    sample("harbour.rez")
}

/// The data of a file, by the naive reader.
fn data(file: &[u8], path: &str) -> Vec<u8> {
    let archive = naive(file).unwrap();
    let mut directory = 0;
    let (above, name) = path.rsplit_once('/').unwrap_or(("", path));
    for part in above.split('/').filter(|part| !part.is_empty()) {
        let find = |entry: &NaiveEntry| match entry {
            NaiveEntry::Directory(index) if archive.directories[*index].name == part.as_bytes() => Some(*index),
            _ => None,
        };
        directory = archive.directories[directory].entries.iter().find_map(find).unwrap();
    }
    let find = |entry: &NaiveEntry| match entry {
        NaiveEntry::File(own) if own.file_name() == name.as_bytes() => Some(file[own.data.clone()].to_vec()),
        _ => None,
    };
    archive.directories[directory].entries.iter().find_map(find).unwrap()
}

fn edited(file: &[u8], changes: impl IntoIterator<Item = Change>) -> Result<Vec<u8>, String> {
    let changes = changes.into_iter().collect();
    rez::apply(file, &changes).map(|patches| patches.to_vec()).map_err(|error| error.to_string())
}

/// The offsets at which two texts differ, as far as both go.
fn differences(left: &[u8], right: &[u8]) -> Vec<usize> {
    left.iter().zip(right).enumerate().filter(|(_, (left, right))| left != right).map(|(at, _)| at).collect()
}

const LEVEL: &str = "LEVEL1/WORLDS/WORLD.WWD";
const TILE: &str = "LEVEL1/TILES/BACK/005.PID";

#[test]
fn only_what_is_named_changes() {
    let file = harbour();
    let words = naive(&file).unwrap();
    let header = |name: &str| words.header.iter().find(|(field, _)| *field == name).unwrap().1 as usize;
    // The level's number is stored packed, so the level becomes longer or shorter; a changed header field keeps its size.
    let same = edited(&file, [Change::set(path("level1/worlds/World.wwd/header/start_x"), 77)]).unwrap();
    assert_eq!(same.len(), file.len());
    let start = Rez::parse(&file).unwrap().by_path(LEVEL).unwrap().source().base() as usize;
    let changed = differences(&file, &same);
    assert!(changed.iter().all(|at| (start..start + 1524).contains(at)), "{changed:?}");
    // What shrinks stays in place, and its entry gets another size.
    let short = edited(&file, [Change::set(path(TILE), Value::Bytes(b"short".to_vec()))]).unwrap();
    assert_eq!((short.len(), data(&short, TILE)), (file.len(), b"short".to_vec()));
    // What grows goes to the end; its entry and the end of all data in the header say where it is.
    let long = edited(&file, [Change::set(path(TILE), Value::Bytes(vec![9; 1000]))]).unwrap();
    assert_eq!((long.len(), data(&long, TILE)), (file.len() + 1000, vec![9; 1000]));
    assert_eq!(&long[file.len()..], [9; 1000]);
    let changed = differences(&file, &long);
    let is_header = |at: usize| (143..147).contains(&at) || at == 167;
    let entries = changed.iter().filter(|at| !is_header(**at)).collect::<Vec<_>>();
    assert!(entries.len() <= 8 && entries.last().unwrap().abs_diff(**entries.first().unwrap()) < 8, "{changed:?}");
    let after = naive(&long).unwrap();
    assert_eq!(after.header.iter().find(|(field, _)| *field == "next_write_pos").unwrap().1 as usize, long.len());
    assert_eq!(long[167], 0, "the files of the directory no longer follow each other");
    // A longer name moves its directory, and no other: the parent's entry is patched in place.
    let renamed = edited(&file, [Change::Rename { path: path(TILE), to: "0000005.PID".into() }]).unwrap();
    assert_eq!(data(&renamed, "LEVEL1/TILES/BACK/0000005.PID"), data(&file, TILE));
    let changed = differences(&file, &renamed);
    assert!(changed.iter().all(|at| *at >= header("next_write_pos")), "{changed:?}");
    assert_eq!(findings(&renamed).keys().filter(|code| **code != "gap").count(), 0);
}

#[test]
fn a_level_in_an_archive_is_edited_and_may_grow() {
    let file = harbour();
    let level = data(&file, LEVEL);
    let object = "plane:Action/object:41/name";
    let text = "a name that is longer than all others";
    let inner: Changes = [Change::set(path(object), text)].into_iter().collect();
    let wanted = worldview_edit::wwd::apply(&level, &inner).unwrap().to_vec();
    let changes = inner.prefixed(&path(LEVEL));
    let result = rez::apply(&file, &changes).unwrap().to_vec();
    assert_eq!(level_content(&data(&result, LEVEL)), level_content(&wanted));
    let found = rez::diff(&file, &result).unwrap().changes;
    let json = found.to_json().unwrap();
    assert!(found.len() == 1 && json.contains(&format!(r#"{{"set":"{LEVEL}/@level/{object}","from":"#)), "{json}");
    let undone = rez::apply(&result, &found.invert().unwrap()).unwrap().to_vec();
    assert_eq!(level_content(&data(&undone, LEVEL)), level_content(&level));
    // A level that is moved or renamed is edited at once.
    let rename = Change::Rename { path: path(LEVEL), to: "OTHER.WWD".into() };
    let both = edited(&file, [Change::set(path(&format!("{LEVEL}/@level/{object}")), text), rename]).unwrap();
    assert_eq!(level_content(&data(&both, "LEVEL1/WORLDS/OTHER.WWD")), level_content(&wanted));
}

#[test]
fn directories_are_added_and_removed() {
    let file = harbour();
    let changes = list(
        r#"{"add":"LEVEL2","fields":{"kind":1}}, {"add":"LEVEL2/EMPTY","fields":{"kind":1}},
        {"add":"LEVEL2/A/B","fields":{"time":5},"data":"data"}, {"add":"LEVEL2/A","fields":{"kind":1}}, {"remove":"GAME"}"#,
    );
    let result = rez::apply(&file, &changes).unwrap().to_vec();
    assert_eq!(data(&result, "LEVEL2/A/B"), b"data");
    let archive = Rez::parse(&result).unwrap();
    assert!(archive.directory("LEVEL2/EMPTY").unwrap().is_empty() && archive.directory("GAME").is_none());
    // What is between them says also what was removed, and is undone.
    let changes = rez::diff(&file, &result).unwrap().changes;
    let undone = rez::apply(&result, &changes.invert().unwrap()).unwrap().to_vec();
    let sorted = |file: &[u8]| {
        let mut lines: Vec<_> = Rez::parse(file).unwrap().files().map(|file| format!("{}", file.path())).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&undone), sorted(&file));
    // The last entry of an archive may go.
    let archive = Rez::parse(&file).unwrap();
    let directories = archive.root().directories().map(|child| child.name().to_vec());
    let all = directories.chain(archive.root().files().map(|file| file.file_name()));
    let remove = |name: Vec<u8>| Change::remove(path(std::str::from_utf8(&name).unwrap()));
    let empty = edited(&file, all.map(remove).collect::<Vec<_>>()).unwrap();
    assert!(Rez::parse(&empty).unwrap().root().is_empty());
}

#[test]
fn what_cannot_be_edited_is_said() {
    let file = harbour();
    let set = |text: &str, to: &str| Change::set(path(text), to);
    let rename = |text: &str, to: &str| Change::Rename { path: path(text), to: to.into() };
    let field = |name: &str, to: Value| Change::set(path(name), to);
    for (changes, why) in [
        (vec![set("LEVEL9/A.PID", "x")], "LEVEL9: not found in this file"),
        (vec![set("LEVEL1/TILES", "x")], "LEVEL1/TILES: a directory has no data"),
        (vec![set("", "x")], "a whole file cannot be set"),
        (vec![set(&format!("{TILE}/width"), "x")], "this file is not a level"),
        (vec![set(&format!("{LEVEL}/header/nothing"), "x")], "LEVEL1/WORLDS/WORLD.WWD/@level/header/nothing"),
        (["", "/@level"].map(|by| set(&format!("{LEVEL}{by}/header/name"), by)).into(), "conflicts"),
        (vec![set(&format!("{LEVEL}/@level"), "x")], "a whole file cannot be set"),
        (vec![set("plane:Action/a", "x")], "a directory has only files"),
        (vec![add("LEVEL1/worlds")], "LEVEL1/worlds: this name exists already"),
        (vec![rename("LEVEL1/TILES", "worlds")], "LEVEL1/TILES: the name worlds exists already"),
        (vec![rename(TILE, "A\0B")], "a name has no NUL"),
        (vec![add("NEW/A")], "NEW: not found in this file"),
        (vec![set(TILE, "x"), set("level1/TILES/back/005.pid", "y")], "conflicts with the change of"),
        (vec![set(TILE, "x"), Change::remove(path("LEVEL1"))], "conflicts with the change of"),
        (vec![set(LEVEL, "x"), set(&format!("{LEVEL}/header/name"), "y")], "conflicts with the change of"),
        (vec![field("@user_title", "x".repeat(61).into())], "does not fit: at most 60 bytes"),
        (vec![field("@format_version", 2.into())], "@format_version: this field follows from the content"),
        (vec![field("LEVEL1/@time", (-1).into())], "LEVEL1/@time: -1 does not fit: 0 to 4294967295"),
        (vec![field("LEVEL1/@kind", 0.into())], "LEVEL1/@kind: this field follows from the content and cannot be set"),
    ] {
        let error = edited(&file, changes).unwrap_err();
        assert!(error.contains(why), "{error}");
    }
    // An archive of which a part cannot be read is not edited.
    let mut cut = file.clone();
    cut.truncate(file.len() - 1);
    assert!(edited(&cut, [set(TILE, "x")]).is_err());
}

#[test]
fn shared_bytes_change_for_one_entry_only() {
    let mut spec = ArchiveSpec::default();
    for name in ["A.PID", "B.PID", "C.PID"] {
        spec.root.add(name, b"the same".to_vec());
    }
    let built = build(&spec);
    let mut file = built.bytes.clone();
    let pos_of = |entry: &str| built.at(&format!("entry[{entry}]")).unwrap() + 4;
    let first: [u8; 4] = file[pos_of("A.PID")..][..4].try_into().unwrap();
    file[pos_of("B.PID")..][..4].copy_from_slice(&first);
    let result = edited(&file, [Change::set(path("B.PID"), "new")]).unwrap();
    let all = ["A.PID", "B.PID", "C.PID"].map(|name| data(&result, name));
    assert_eq!(all, [&b"the same"[..], b"new", b"the same"]);
    // The data of a file inside the directory: the directory moves, and the data stays.
    let at = built.at("body[]").unwrap() as u32;
    file[pos_of("B.PID")..][..4].copy_from_slice(&at.to_le_bytes());
    let before = data(&file, "B.PID");
    let result = edited(&file, [Change::set(path("A.PID"), "new")]).unwrap();
    assert_eq!((data(&result, "A.PID"), data(&result, "B.PID")), (b"new".to_vec(), before));
    // Inside the header there is no other place.
    file[pos_of("B.PID")..][..4].copy_from_slice(&140_u32.to_le_bytes());
    let error = edited(&file, [Change::set(path("A.PID"), "longer than it was")]).unwrap_err();
    assert!(error.contains("lies inside the header"), "{error}");
}
