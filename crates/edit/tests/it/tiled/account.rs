//! What cannot be applied, and what says nothing of a level, is named.

use std::collections::BTreeSet;

use worldview_corpus::wwd::build::build;
use worldview_edit::Planned;
use worldview_edit::account::{Column, Entry};
use worldview_export::Encoding;
use worldview_import::tiled::{self, CODES, IGNORED};
use worldview_wwd::{Level, unpack};

use super::{SAVED, meadow};

/// The plan for the saved map with replacements.
fn planned(replacements: &[(&str, &str)]) -> Planned {
    let mut map = SAVED.to_owned();
    for (from, to) in replacements {
        assert_eq!(map.matches(from).count(), 1, "{from}");
        map = map.replace(from, to);
    }
    let file = build(&meadow()).bytes;
    let image = unpack(&file).unwrap();
    tiled::level(&Level::parse(&image).unwrap(), map.as_bytes(), Encoding::default()).unwrap()
}

/// The entries that replacements add to those of the saved map, which lacks most properties.
fn entries(replacements: &[(&str, &str)]) -> Vec<Entry> {
    let known: Vec<Entry> = planned(&[]).account.entries().cloned().collect();
    planned(replacements).account.entries().filter(|entry| !known.contains(entry)).cloned().collect()
}

#[test]
fn each_thing_that_is_lost_is_an_entry_with_its_place() {
    use Column::{Done, LeftOut, Refused};
    let gem = "name=\"gem\" type=\"Treasure\" x=\"100\" y=\"200\"";
    let with = |attributes: &str| format!("{gem} {attributes}");
    let in_gem = |element: &str| format!("{gem}>{element}");
    let text = "<object id=\"9\" x=\"1\" y=\"1\"><text>Note</text></object></objectgroup>";
    let group = SAVED.find(" <objectgroup").unwrap()..SAVED.find(" <layer id=\"3\"").unwrap();
    let objects = &SAVED[group];
    let action = "\n102,103,0,\n0,104,103\n";
    let shape = "8 8 56 56\"/>\n   </properties>";
    let shaped = |place: &str, attributes: &str| {
        format!(
            "8 8 56 56\"/></properties><objectgroup><object id=\"1\" type=\"solid\" {place} {attributes}/></objectgroup>"
        )
    };
    let object = r#"layer "Action objects", object 1"#;
    let cases: Vec<(&str, String, Column, &str, String, &str)> = vec![
        (
            gem,
            with("rotation=\"45\""),
            Refused,
            "tiled-shape",
            format!("{object}, attribute \"rotation\""),
            "rotated by 45",
        ),
        (
            gem,
            with("width=\"9\""),
            Refused,
            "tiled-shape",
            format!("{object}, attribute \"width\" or \"height\""),
            "9x0",
        ),
        (
            gem,
            in_gem("<polygon points=\"0,0 1,1\"/"),
            Refused,
            "tiled-shape",
            format!("{object}, attribute \"polygon\""),
            "polygon",
        ),
        (gem, with("gid=\"9999\""), Refused, "tiled-picture", format!("{object}, attribute \"gid\""), "is no picture"),
        (
            gem,
            with("gid=\"536870914\""),
            Refused,
            "tiled-picture",
            format!("{object}, attribute \"gid\""),
            "diagonally",
        ),
        (gem, with("gid=\"101\" zzz=\"1\""), LeftOut, "tiled-attribute", format!("{object}, attribute \"zzz\""), "zzz"),
        (
            "name=\"score\"",
            "name=\"scroe\"".to_owned(),
            Refused,
            "tiled-unknown-property",
            format!("{object}, property \"scroe\""),
            "did you mean \"score\"?",
        ),
        (
            "x=\"100\" y=\"200\"",
            "x=\"100.3\" y=\"200\"".to_owned(),
            LeftOut,
            "tiled-rounded",
            format!("{object}, attribute \"x\""),
            "100.3",
        ),
        (
            " </objectgroup>",
            text.to_owned(),
            LeftOut,
            "tiled-foreign",
            r#"layer "Action objects", object 9"#.to_owned(),
            "a drawing (text)",
        ),
        (
            " </objectgroup>",
            "</objectgroup><imagelayer name=\"Sky\"/>".to_owned(),
            LeftOut,
            "tiled-foreign",
            "layer \"Sky\"".to_owned(),
            "the image layer \"Sky\"",
        ),
        (
            " </objectgroup>",
            "</objectgroup><group name=\"g\" offsetx=\"1\"/>".to_owned(),
            Refused,
            "tiled-attribute",
            "layer \"g\"".to_owned(),
            "moves its layers",
        ),
        (
            "name=\"Action objects\"",
            "name=\"Action objects\" offsetx=\"8\"".to_owned(),
            Refused,
            "tiled-attribute",
            r#"layer "Action objects", attribute "offsetx""#.to_owned(),
            "offsetx is 8",
        ),
        (
            "name=\"Action objects\"",
            "name=\"Action objects\" opacity=\"0.5\"".to_owned(),
            LeftOut,
            "tiled-attribute",
            r#"layer "Action objects", attribute "opacity""#.to_owned(),
            "\"0.5\"",
        ),
        (
            "name=\"Action objects\"",
            "name=\"Action objects\" draworder=\"random\"".to_owned(),
            Refused,
            "tiled-attribute",
            r#"layer "Action objects", attribute "draworder""#.to_owned(),
            "random",
        ),
        (
            "name=\"Action\" width",
            "name=\"Action\" offsetx=\"0.4\" width".to_owned(),
            LeftOut,
            "tiled-rounded",
            r#"layer "Action", attribute "offsetx""#.to_owned(),
            "0.4",
        ),
        (
            "type=\"bool\" value=\"true\"",
            "type=\"bool\" value=\"yes\"".to_owned(),
            Refused,
            "tiled-attribute",
            r#"layer "Action", property "main""#.to_owned(),
            "neither true nor false",
        ),
        (
            objects,
            String::new(),
            Done,
            "tiled-objects-removed",
            "layer \"Action objects\"".to_owned(),
            "its 4 objects are removed",
        ),
        (
            "orientation=\"orthogonal\"",
            "orientation=\"isometric\"".to_owned(),
            Refused,
            "tiled-attribute",
            "map, attribute \"orientation\"".to_owned(),
            "isometric",
        ),
        (
            "name=\"start_x\" type=\"int\" value=\"7\"",
            "name=\"strat_x\" value=\"7\"".to_owned(),
            Refused,
            "tiled-unknown-property",
            "map, property \"strat_x\"".to_owned(),
            "did you mean \"start_x\"?",
        ),
        (
            "name=\"wwd_name\" value=\"\"/>\n",
            "name=\"wwd_name\" value=\"\"/><property name=\"generator\" value=\"me\"/>\n".to_owned(),
            LeftOut,
            "tiled-derived",
            "map, property \"generator\"".to_owned(),
            "\"worldview\"",
        ),
        (
            action,
            "\n102,103,150,\n0,104,103\n".to_owned(),
            Refused,
            "malformed",
            r#"layer "Action", tile 2,0"#.to_owned(),
            "shows no frame",
        ),
        (
            "\n1,1,0,\n0,0,0\n",
            "\n1,1,1,\n0,0,0\n".to_owned(),
            Refused,
            "tiled-outside",
            r#"layer "Back", tile 2,0"#.to_owned(),
            "2x1 tiles",
        ),
        (
            "columns=\"4\">",
            "columns=\"4\" spacing=\"2\">".to_owned(),
            LeftOut,
            "tiled-attribute",
            r#"tileset "ACTION", attribute "spacing""#.to_owned(),
            "spacing",
        ),
        (
            "name=\"ACTION\"",
            "name=\"Mine\"".to_owned(),
            LeftOut,
            "tiled-tileset",
            r#"tileset "Mine", attribute "name""#.to_owned(),
            "\"Mine\"",
        ),
        (
            "<tile id=\"0\" type=\"wwd single\"/>",
            "<tile id=\"0\"/>".to_owned(),
            LeftOut,
            "tiled-absent",
            r#"tileset "ACTION", tile 0, attribute "type""#.to_owned(),
            "no class",
        ),
        (
            shape,
            shaped("x=\"8\" y=\"8\" width=\"49\" height=\"49\"", "name=\"n\""),
            LeftOut,
            "tiled-attribute",
            r#"tileset "ACTION", tile 2, shape 1"#.to_owned(),
            "a name",
        ),
        (
            shape,
            shaped("x=\"8.4\" y=\"8\" width=\"49\" height=\"49\"", ""),
            LeftOut,
            "tiled-rounded",
            r#"tileset "ACTION", tile 2, shape 1"#.to_owned(),
            "fractions",
        ),
        (
            shape,
            shaped("x=\"-8\" y=\"8\" width=\"65\" height=\"49\"", ""),
            LeftOut,
            "tiled-rounded",
            r#"tileset "ACTION", tile 2, shape 1"#.to_owned(),
            "outside",
        ),
        (
            "<object id=\"2\"",
            "<object id=\"1\"".to_owned(),
            Refused,
            "tiled-contradiction",
            object.to_owned(),
            "two objects with the id 1",
        ),
    ];
    for (from, to, column, code, place, message) in &cases {
        let entries = entries(&[(from, to)]);
        let is_it = |entry: &&Entry| {
            (entry.column, entry.code.name, entry.place.pointer.as_deref()) == (*column, *code, Some(place))
                && entry.message.contains(message)
        };
        assert!(entries.iter().any(|entry| is_it(&entry)), "{to}: {entries:#?}");
    }
    // A layer of an unknown type is not one that was deleted.
    let odd = planned(&[("<objectgroup id=\"2\"", "<objectgroups id=\"2\""), (" </objectgroup>", "</objectgroups>")]);
    assert!(odd.account.entries().any(|entry| entry.message.contains("objectgroups")), "{:#?}", odd.account);
    // Planes in another order, and too many new objects.
    let copies = (100..70_000).fold(String::new(), |list, id| list + &format!("<object id=\"{id}\"/>"));
    let crowded = entries(&[(" </objectgroup>", &format!("{copies}</objectgroup>"))]);
    assert!(crowded.iter().any(|entry| entry.code.name == "tiled-too-many"));
    let back = &SAVED[SAVED.find(" <layer id=\"3\"").unwrap()..SAVED.find("</map>").unwrap()];
    let moved = entries(&[(back, ""), (" <layer id=\"1\"", &format!("{back} <layer id=\"1\""))]);
    assert!(moved.iter().any(|entry| entry.code.name == "tiled-layer" && entry.message.contains("another order")));

    let used: BTreeSet<&str> = cases.iter().map(|case| case.3).chain(["tiled-too-many", "tiled-layer"]).collect();
    let unused: Vec<_> = CODES.iter().map(|code| code.name).filter(|code| !used.contains(code)).collect();
    assert!(unused.is_empty(), "{unused:?}");
}

#[test]
fn a_mistyped_property_leaves_the_value_that_it_means() {
    let changes = planned(&[("name=\"score\"", "name=\"scroe\"")]).changes;
    assert!(changes.is_empty(), "{}", changes.to_json().unwrap());
}

#[test]
fn a_tile_of_a_plane_is_the_picture_of_an_object() {
    let tile = |name: &str| format!("{name} gid=\"102\" width=\"64\" height=\"64\"");
    let changes = planned(&[("name=\"gem\"", &tile("name=\"gem\""))]).changes.to_json().unwrap();
    for expected in [
        r#"{"set":"plane:Action/object:10#0/image_set","from":"","to":"ACTION"}"#,
        r#"{"set":"plane:Action/object:10#0/i","from":-1,"to":1}"#,
        r#"{"set":"plane:Action/object:10#0/x","from":100,"to":132}"#,
    ] {
        assert!(changes.contains(expected), "{changes}");
    }
    let new = "<object id=\"9\" x=\"0\" y=\"64\" gid=\"102\" width=\"64\" height=\"64\"/></objectgroup>";
    let changes = planned(&[(" </objectgroup>", new)]).changes.to_json().unwrap();
    assert!(changes.contains(r#""image_set":"ACTION""#) && changes.contains(r#""i":1,"#), "{changes}");
}

#[test]
fn what_is_ignored_has_a_reason() {
    for (index, row) in IGNORED.iter().enumerate() {
        let is_same = |other: &tiled::Ignored| (other.of, other.name) == (row.of, row.name);
        assert!(!row.why.is_empty() && !IGNORED[..index].iter().any(is_same), "{row:?}");
    }
    // What Tiled and others add, in one map: nothing is said about it.
    let added = [
        ("version=\"1.8\"", "version=\"1.11\" compressionlevel=\"-1\" backgroundcolor=\"#ff0000\""),
        (
            " <properties>\n  <property name=\"start_x\"",
            "<editorsettings><export target=\"a\"/></editorsettings><properties>\n  <property name=\"start_x\"",
        ),
        ("name=\"Action\" width", "name=\"Action\" locked=\"1\" visible=\"0\" width"),
        ("name=\"Action objects\"", "name=\"Action objects\" color=\"#00ff00\" draworder=\"topdown\""),
        ("columns=\"4\">", "columns=\"9\" version=\"1.10\" tiledversion=\"1.10.0\">"),
    ];
    for edit in added {
        assert_eq!(entries(&[edit]), [], "{edit:?}");
    }
    // Tiles in an infinite map are in chunks.
    let chunk =
        "<data encoding=\"csv\"><chunk x=\"0\" y=\"0\" width=\"3\" height=\"2\">102,103,0,0,104,103</chunk></data>";
    let csv = "<data encoding=\"csv\">\n102,103,0,\n0,104,103\n</data>";
    assert_eq!(entries(&[("infinite=\"0\"", "infinite=\"1\""), (csv, chunk)]), []);
}
