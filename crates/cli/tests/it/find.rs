//! What `find` finds, and that its paths lead there.

use std::collections::BTreeSet;

use serde_json::Value;
use worldview::{Format, Path};
use worldview_corpus::{sample, samples};
use worldview_edit::{Change, Changes, EditErrorKind};

use crate::support::Folder;

/// The matches of a search, as lines of NDJSON.
pub(crate) fn hits(folder: &Folder, args: &[&str]) -> Vec<Value> {
    let (code, out, err) = folder.said(&[&["find"], args, &["--format", "ndjson"]].concat());
    assert!(code < 2, "{err}");
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

pub(crate) fn text(hit: &Value, member: &str) -> String {
    hit[member].as_str().unwrap().to_owned()
}

#[test]
fn paths_that_find_prints_are_paths_that_set_takes() {
    let folder = Folder::new();
    let mut kinds = BTreeSet::new();
    for (name, bytes) in samples() {
        folder.put(name, &bytes);
        let format = Format::sniff(&bytes).or_else(|| Format::of_file_name(name)).unwrap();
        let found = hits(&folder, &["*", name]);
        assert!(!found.is_empty(), "{name}");
        for hit in found {
            let mut path = Path::new();
            text(&hit, "path").split('/').skip(1).for_each(|member| path.push_name(member.as_bytes()));
            path.append(&text(&hit, "place").parse().unwrap());
            let what = text(&hit, "what");
            let is_field = what == "field";
            // What a field holds is not printed, so any value is tried.
            let to = if is_field { 0.into() } else { worldview_edit::Value::from(text(&hit, "text").as_str()) };
            let changes = Changes::from_iter([Change::set(path.clone(), to)]);
            match worldview_edit::apply(format, &bytes, &changes, &Default::default()).map_err(|error| error.kind) {
                Ok(_) if is_field => {}
                Ok(edited) => assert_eq!(edited.account().equal, 1, "{name}: {path}"),
                Err(error)
                    if is_field && !matches!(error, EditErrorKind::NotFound | EditErrorKind::Ambiguous { .. }) => {}
                // It is only replaced as a whole.
                Err(EditErrorKind::Unsupported { .. }) if path.as_str().starts_with("trailer/") => {}
                Err(error) => panic!("{name}: {path} ({what}): {error}"),
            }
            kinds.insert(what);
        }
    }
    assert!(kinds.len() > 30, "{kinds:?}");
}

#[test]
fn names_are_set_by_renaming() {
    let folder = Folder::new();
    for name in ["items.wdb", "effects.bin", "harbour.rez"] {
        folder.put(name, &sample(name));
    }
    for (file, assignment, old, new) in [
        ("items.wdb", "apple_dried/record=apple_fresh", "apple_dried", "apple_fresh"),
        ("effects.bin", "spray_of_the_sea.vtex/@name=foam", "spray_of_the_sea.vtex", "foam.vtex"),
        ("effects.bin", "spray_of_the_sea.vtex/@extension=vt", "spray_of_the_sea.vtex", "spray_of_the_sea.vt"),
        ("harbour.rez", "LEVEL1/@name=LEVEL7", "LEVEL1", "LEVEL7"),
    ] {
        let out = format!("out/{}/{file}", new.to_lowercase());
        folder.ok(&format!("set {file} {assignment} -o {out}"));
        assert_eq!(folder.said(&["show", &format!("{out}/{new}")]).0, 0, "{new}");
        assert_eq!(folder.said(&["show", &format!("{out}/{old}")]).0, 2, "{old}");
    }
    folder.says(3, "set items.wdb apple_dried/record=anchor_pin --dry-run", &["exists"]);
}

#[test]
fn names_of_fields_are_found_once() {
    let folder = Folder::new();
    folder.put("items.wdb", &sample("items.wdb"));
    folder.put("harbour.wwd", &sample("harbour.wwd"));
    let found = hits(&folder, &["uPurchasePrice"]);
    let first = text(&hits(&folder, &["*", "items.wdb", "--in", "names"])[0], "text");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(text(&found[0], "place"), format!("{first}/uPurchasePrice"));
    assert_eq!((text(&found[0], "what"), text(&found[0], "text")), ("field".into(), "uPurchasePrice".into()));
    // Each kind of element has its own fields.
    let found = hits(&folder, &["f?ags", "harbour.wwd", "--in", "fields"]);
    let places: Vec<_> = found.iter().map(|hit| text(hit, "place")).collect();
    assert_eq!(places, ["header/flags", "plane:Background/flags"]);
}

#[test]
fn regular_expressions_files_and_counts() {
    let folder = Folder::new();
    folder.put("db/items.wdb", &sample("items.wdb"));
    folder.put("db/pack.bin", &sample("wdbpack.bin"));
    folder.put("db/harbour.wwd", &sample("harbour.wwd"));
    let all = hits(&folder, &["-e", "^apple_.*d$", "-e", "^Captain", "db"]);
    let is_one = |hit: &Value| {
        let found = text(hit, "text").to_lowercase();
        found.starts_with("apple_") && found.ends_with('d') || found.starts_with("captain")
    };
    assert!(all.len() > 1 && all.iter().all(is_one), "{all:?}");
    let exact = hits(&folder, &["-e", "^captain", "db", "--case"]);
    assert!(exact.is_empty(), "{exact:?}");
    let paths: BTreeSet<_> = all.iter().map(|hit| text(hit, "path")).collect();
    let lines = |args: &[&str]| {
        let out = folder.ok(&[&["find", "-e", "^apple_.*d$|^captain", "db"], args].concat());
        out.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(lines(&["-l"]), Vec::from_iter(paths.clone()));
    let count = |path: &String| format!("{path}:{}", all.iter().filter(|hit| text(hit, "path") == **path).count());
    assert_eq!(lines(&["-c"]), Vec::from_iter(paths.iter().map(count)));
    // Without a path, the current folder is searched.
    assert_eq!(folder.said(&["find", "-e", "captain", "-c"]).0, 0);
    for wrong in [&["find", "-e", "(", "db"][..], &["find", "x", "db", "--in", "records"], &["find"]] {
        let err = folder.fails(2, wrong);
        assert!(!wrong.contains(&"--in") || err.contains("names, fields, values"), "{err}");
    }
}
