//! `set` with patterns and updates. Expected values are those of tests/samples.

use std::fs;

use crate::support::{Folder, snapshot};

/// Four models of the samples are called so, of which the last is not visible.
const BOATS: &str = "world:BAY/model:boat/visible";

/// The changes that a dry run prints, line by line.
fn changes(folder: &Folder, input: &str, assignments: &[&str]) -> Vec<String> {
    let out = folder.ok(&[&["set", input, "--dry-run"], assignments].concat());
    let lines = out.lines().filter(|line| line.starts_with("{\"set\""));
    lines.map(|line| line.trim_end_matches(',').to_owned()).collect()
}

#[test]
fn a_pattern_selects_fields_and_an_update_uses_their_values() {
    let folder = Folder::samples();
    let halves = changes(&folder, "game/items.wdb", &["b*/upurchaseprice|=*0.5"]);
    let expected = [("barnacle_knife", 85, 43), ("bell_cord", 30, 15), ("biscuit_hard", 4, 2), ("bread_rye", 8, 4)];
    let expected = expected.into_iter().chain([("brush_tar", 22, 11)]);
    let line = |(name, from, to)| format!("{{\"set\":\"{name}/uPurchasePrice\",\"from\":{from},\"to\":{to}}}");
    assert_eq!(halves, expected.map(line).collect::<Vec<_>>());
    // Every row of every sheet: texts that do not match stay, and a pattern can give one value to all.
    let texts = changes(&folder, "game/items.wdb", &["bread*/sHelpStringId|=s/_food_(\\d+)/_bread$1/"]);
    assert_eq!(texts, [r#"{"set":"bread_rye/sHelpStringId","from":"$help_food_06","to":"$help_bread06"}"#]);
    let help = changes(&folder, "game/items.wdb", &["*/sHelpStringId|=s/food/bread/g"]);
    assert!(!help.is_empty() && help.iter().all(|line| line.contains("$help_bread_")), "{help:?}");
    assert_eq!(changes(&folder, "game/items.wdb", &["*/uSellPrice=7"]).len(), 38, "two of the 40 cost 7");
    // A single path, a table in an archive, a level, a level in an archive, and a database.
    assert_eq!(changes(&folder, "game/items.wdb", &["bread_rye/uSellPrice|=+1"]).len(), 1);
    for (input, assignment, from) in [
        ("game/wdbpack.bin", "r_lamps.wdb/lamp_gate/fHeight|=*2", "\"from\":2.5,\"to\":5"),
        ("game/wdbpack.bin/r_lamps.wdb", "lamp_g*/fHeight|=*2", "{\"set\":\"r_lamps.wdb/lamp_gate/fHeight\""),
        ("game/harbour.wwd", "header/start_?|=+1", "{\"set\":\"header/start_y\""),
        ("game/harbour.rez", "LEVEL1/WORLDS/*/header/name|=s/$/!/", "{\"set\":\"LEVEL1/WORLDS/WORLD.WWD/header/name\""),
        ("game/world.wdb", "blob:*/roi:*/color_name|=s/Red/Blue/", "\"from\":\"Lego Red\",\"to\":\"Lego Blue\""),
    ] {
        let changes = changes(&folder, input, &[assignment]);
        assert!(changes.iter().any(|line| line.contains(from)), "{input} {assignment}: {changes:?}");
    }
}

#[test]
fn a_name_that_several_elements_have_is_refused_as_in_a_changes_file() {
    let folder = Folder::samples();
    let why = format!("{BOATS}: 4 elements have this name; select one with #0 to #3");
    folder
        .put("changes.json", format!(r#"{{"worldview_changes":1,"changes":[{{"set":"{BOATS}","to":0}}]}}"#).as_bytes());
    folder.says(3, "apply game/world.wdb changes.json --dry-run", &[&why]);
    for input in ["game/world.wdb", "game", "game/w*.wdb"] {
        folder.says(3, &["set", input, &format!("{BOATS}=0"), "--dry-run"], &[&why]);
        let one = BOATS.replace("boat", "boat#1");
        let out = folder.ok(&["set", input, &format!("{one}=0"), "--dry-run"]);
        assert!(out.matches("\"set\"").count() == 1 && out.contains(&one), "{out}");
    }
    folder.says(3, &["set", "game/world.wdb", "world:BAY/model:BOAT/Visible=0", "--dry-run"], &[&why]);
    folder.says(3, &["set", "game/world.wdb/world:*", "model:boat/visible=0", "--dry-run"], &[&why]);
    // An update is for all, and so is a pattern.
    assert_eq!(changes(&folder, "game/world.wdb", &[&format!("{BOATS}|=+1")]).len(), 4);
    assert_eq!(changes(&folder, "game/world.wdb", &["world:BAY/model:boa?/visible=0"]).len(), 3);
}

#[test]
fn a_field_is_changed_once() {
    let folder = Folder::samples();
    let three = r#"{"set":"apple_dried/uSellPrice","from":2,"to":3}"#;
    let (all, one) = ("apple*/uSellPrice", "apple_dried/uSellPrice");
    for twice in [["=3", "=3"], ["|=+1", "=3"], ["=3", "=0x3"]] {
        let [left, right] = [format!("{all}{}", twice[0]), format!("{one}{}", twice[1])];
        assert_eq!(changes(&folder, "game/items.wdb", &[&left, &right]), [three], "{twice:?}");
        folder.says(
            0,
            &["set", "game/items.wdb", &left, &right, "-o", "new.wdb", "--overwrite", "always"],
            &[": 1 change;"],
        );
    }
    folder.says(
        0,
        &["set", "game/items.wdb", &format!("{one}=3"), &format!("{one}=3"), "-o", "one.wdb"],
        &[": 1 change;"],
    );
    // It is not clear which of two updates comes first.
    for (left, right) in [("|=+1", "|=+1"), ("|=+1", "|=*2"), ("|=+1", "=4")] {
        let args = ["set", "game/items.wdb", &format!("{all}{left}"), &format!("{one}{right}"), "--dry-run"];
        folder.says(3, &args, &["apple_dried/uSellPrice: conflicts with another change of the same place"]);
    }
}

#[test]
fn what_is_rounded_or_does_not_fit_is_named() {
    let folder = Folder::samples();
    let before = snapshot(&folder.path(""));
    let halve = ["set", "game/items.wdb", "*/uPurchasePrice|=*0.5", "-o", "new.wdb"];
    let report = folder.json(&[&halve[..], &["--format", "json"]].concat());
    let account = &report["inputs"][0]["account"];
    assert_eq!((&account["entries"][0]["column"], &account["entries"][0]["code"]), (&"done".into(), &"rounded".into()));
    let keys = account["entries"][0]["keys"].as_array().unwrap();
    assert!(keys.contains(&"barnacle_knife/uPurchasePrice: 42.5 -> 43".into()), "{keys:?}");
    fs::remove_file(folder.path("new.wdb")).unwrap();
    // A field of 8 bits.
    let icons = ["set", "game/items.wdb", "b*/u8MenuIcon|=*20", "-o", "new.wdb"];
    let (code, _, err) = folder.said(&icons);
    assert!(code == 3 && !err.contains("barnacle_knife"), "{err}");
    assert!(err.contains("bell_cord/u8MenuIcon: 260 does not fit: u8MenuIcon has 8 bits, 0 to 255"), "{err}");
    assert_eq!(snapshot(&folder.path("")), before, "nothing is written");
    folder.fails(3, &[&icons[..], &["--skip-refused"]].concat());
    let (_, out, _) = folder.said(&["diff", "game/items.wdb", "new.wdb"]);
    assert!(out.contains("barnacle_knife: u8MenuIcon: 11 -> 220") && !out.contains("bell_cord"), "{out}");
    // The same for a single field, and for changes: what is refused has the name of the file.
    let icons = "bell_cord/u8MenuIcon=300 bread_rye/uSellPrice=9 nobody/x=1";
    let refused = "game/items.wdb: bell_cord/u8MenuIcon: 300 does not fit";
    let missing = "game/items.wdb: nobody: not found in this file";
    folder.says(3, &format!("set game/items.wdb {icons} -o no.wdb"), &[missing]);
    assert!(!folder.path("no.wdb").exists());
    folder.says(3, &format!("set game/items.wdb {icons} -o one.wdb --skip-refused"), &[refused, missing]);
    let (_, out, _) = folder.said("diff game/items.wdb one.wdb");
    assert_eq!(out.lines().skip(1).collect::<Vec<_>>(), ["  ~ bread_rye: uSellPrice: 2 -> 9"]);
    folder.put("icons.json", br#"{"worldview_changes":1,"changes":[{"set":"bell_cord/u8MenuIcon","to":300}]}"#);
    let err = folder.fails(3, "apply game/items.wdb icons.json --in-place --skip-refused");
    assert!(err.contains(refused) && !err.contains("up to date"), "{err}");
    folder.says(3, "set game/items.wdb b*/s*|=*2 --dry-run", &["expected a number, to calculate with it"]);
    let (code, _, err) = folder.said(&["set", "game/items.wdb", "bread_rye/record|=s/rye/oat/", "--dry-run"]);
    assert!(code == 3 && err.contains("bread_rye/record: this field is derived from others, or is the name"), "{err}");
    // Beside others, a field that follows from them stays, with a message.
    let (code, out, err) = folder.said(&["set", "game/harbour.wwd", "plane:Action/t*|=+1", "--dry-run"]);
    assert!(code == 0 && out.contains("tile_width") && !out.contains("tiles_offset"), "{out}");
    assert!(
        err.contains("harbour.wwd: plane:Action/t*|=+1: fields that are not stored in the file, derived from others")
            && err.contains("tiles_offset"),
        "{err}"
    );
}

#[test]
fn a_pattern_that_matches_nothing_is_told() {
    let folder = Folder::samples();
    let before = snapshot(&folder.path(""));
    for (assignment, why) in [
        ("*/uPurchasPrice|=*2", "no field matches this path; did you mean uPurchasePrice?"),
        ("bread_rey/u*|=*2", "no field matches this path; did you mean bread_rye?"),
        ("nothing*/x=1", "no field matches this path"),
        ("*/uPurchasePrice+=7", "is not an update; write */uPurchasePrice|=+7"),
    ] {
        let (code, _, err) = folder.said(&["set", "game/items.wdb", assignment, "a*/uSellPrice=1", "--in-place"]);
        let expected = format!("worldview: {assignment}: {why}\n");
        assert!(code == 2 && err.contains(&expected), "{code} {err}");
        assert_eq!(snapshot(&folder.path("")), before);
    }
    folder.says(2, "set game/wdbpack.bin/r_lamps.wdb lamp_*/fHieght=1 --dry-run", &["did you mean fHeight?"]);
    let (code, _, err) = folder.said(&["set", "game/items.wdb", "bread_rye/uPurchasePrice-=7", "--dry-run"]);
    assert!(code == 3 && err.contains("-=7: is not an update; write bread_rye/uPurchasePrice|=-7\n"), "{err}");
    let (code, _, err) = folder.said(&["set", "game/items.wdb", "bread_rye/uPurchasePrice/=2", "--dry-run"]);
    assert!(code == 2 && err.contains("is not an update; write bread_rye/uPurchasePrice|=/2\n"), "{err}");
    // A part of INPUT that is not there.
    let why = "game/items.wdb: has no part with the path zz\n";
    folder.says(2, "set game/items.wdb/{apple_dried,zz} uSellPrice=3 --in-place", &[why]);
    let why = "has no part with the path aple_dried; did you mean apple_dried?\n";
    folder.says(2, "set game/items.wdb/{aple_dried,bread_rye} uSellPrice=3 --in-place", &[why]);
    let why = "game/*.wdb/{apple_dried,zz}: no file has a part with the path zz\n";
    folder.says(2, "set game/*.wdb/{apple_dried,zz} uSellPrice=3 --dry-run", &[why]);
    assert_eq!(snapshot(&folder.path("")), before);
    for wrong in ["a/b|=5", "a/b|=*x", "a/b|=s/(/x/"] {
        assert_eq!(folder.said(&["set", "game/items.wdb", wrong, "--dry-run"]).0, 2, "{wrong}");
    }
}

#[test]
fn a_folder_is_edited_as_far_as_paths_match() {
    let folder = Folder::samples();
    folder.put("game/notes.txt", b"not of ours");
    let (code, out, err) = folder.said("set game plane:*/object:*/points|=+5 bread_rye/uSellPrice=3 -o new");
    assert_eq!((code, out.as_str()), (0, ""), "{err}");
    let written = folder.files("new");
    assert!(written.contains(&"items.wdb".to_owned()) && written.contains(&"harbour.wwd".to_owned()), "{written:?}");
    assert!(!written.contains(&"bestiary.wdb".to_owned()) && !written.contains(&"notes.txt".to_owned()));
    let (_, out, _) = folder.said(&["diff", "game/items.wdb", "new/items.wdb"]);
    assert_eq!(out.lines().skip(1).collect::<Vec<_>>(), ["  ~ bread_rye: uSellPrice: 2 -> 3"]);
    let (code, out, _) = folder.said(&["set", "game", "bread_rye/uSellPrice|=*2", "--dry-run", "--format", "table"]);
    assert_eq!(code, 0);
    assert_eq!(out.as_str(), "game/items.wdb\npath                  old  new\nbread_rye/uSellPrice  2    4\n");
    assert_eq!(folder.said(&["set", "game", "no/such=1", "-o", "other"]).0, 2);
    // Files that a pattern selects are printed as those of a folder are.
    for input in ["game", "game/*.wdb"] {
        let set =
            |words: &[&str]| folder.said(&[&["set", input, "bread_rye/uSellPrice=3", "--dry-run"], words].concat()).1;
        assert!(set(&[]).contains("{\"path\":\"game/items.wdb\","), "{input}: {}", set(&[]));
        assert!(set(&["--format", "table"]).starts_with("game/items.wdb\npath  "), "{input}");
    }
    for input in ["game", "game/it*.wdb"] {
        folder.says(0, &["set", input, "bread_rye/uSellPrice=2", "-o", "same"], &[": already up to date"]);
    }
    assert!(!folder.path("same").exists());
    folder.says(0, "set game/*.wdb bread_rye/uSellPrice=3 --in-place", &["to undo: `worldview restore game`"]);
    let quoted = folder.path("a game");
    fs::rename(folder.path("game"), &quoted).unwrap();
    folder.says(0, &["set", "a game", "bread_rye/uSellPrice=4", "--in-place"], &["`worldview restore 'a game'`"]);
}
