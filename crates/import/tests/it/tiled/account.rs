//! What cannot be applied, and what says nothing of a level, is named.

use std::collections::BTreeSet;

use worldview_corpus::wwd::build::build;
use worldview_edit::Planned;
use worldview_edit::account::Entry;
use worldview_export::Encoding;
use worldview_import::tiled::{self, CODES, IGNORED};
use worldview_wwd::{Level, unpack};

use super::{CSV, SAVED, meadow, replaced, with};

/// The plan for the saved map with replacements.
fn planned(replacements: &[(&str, &str)]) -> Planned {
    let file = build(&meadow()).bytes;
    let image = unpack(&file).unwrap();
    tiled::level(&Level::parse(&image).unwrap(), replaced(replacements).as_bytes(), Encoding::default()).unwrap()
}

/// The entries that replacements add to those of the saved map, which lacks most properties.
fn entries(replacements: &[(&str, &str)]) -> Vec<Entry> {
    let known: Vec<Entry> = planned(&[]).account.entries().cloned().collect();
    planned(replacements).account.entries().filter(|entry| !known.contains(entry)).cloned().collect()
}

/// The column and the code of an entry, its place, a part of its message, and the edit that makes it.
const LOST: &str = r#"refused tiled-shape | layer "Action objects", object 1, attribute "rotation" | rotated by 45 | y="200" => y="200" rotation="45"
refused tiled-shape | layer "Action objects", object 1, attribute "width" or "height" | 9x0 | y="200" => y="200" width="9"
refused tiled-shape | layer "Action objects", object 1, attribute "polygon" | polygon | y="200" => y="200"><polygon points="0,0 1,1"/
refused tiled-picture | layer "Action objects", object 1, attribute "gid" | is neither a picture | y="200" => y="200" gid="9999"
refused tiled-picture | layer "Action objects", object 1, attribute "gid" | diagonally | y="200" => y="200" gid="536870914"
left_out tiled-attribute | layer "Action objects", object 1, attribute "zzz" | zzz | y="200" => y="200" gid="101" zzz="1"
refused tiled-unknown-property | layer "Action objects", object 1, property "scroe" | did you mean "score"? | name="score" => name="scroe"
left_out tiled-rounded | layer "Action objects", object 1, attribute "x" | 100.3 | x="100" => x="100.3"
left_out tiled-foreign | layer "Action objects", object 9 | a drawing (text) |  </objectgroup> => <object id="9" x="1" y="1"><text>Note</text></object></objectgroup>
left_out tiled-foreign | layer "Sky" | the image layer "Sky" |  </objectgroup> => </objectgroup><imagelayer name="Sky"/>
refused tiled-attribute | layer "g" | moves its layers |  </objectgroup> => </objectgroup><group name="g" offsetx="1"/>
refused tiled-attribute | layer "Action objects", attribute "offsetx" | "offsetx" is "8" | name="Action objects" => name="Action objects" offsetx="8"
left_out tiled-attribute | layer "Action objects", attribute "opacity" | "0.5" | name="Action objects" => name="Action objects" opacity="0.5"
refused tiled-attribute | layer "Action objects", attribute "draworder" | random | name="Action objects" => name="Action objects" draworder="random"
left_out tiled-rounded | layer "Action", attribute "offsetx" | 0.4 | name="Action" width => name="Action" offsetx="0.4" width
refused tiled-attribute | layer "Action", property "main" | neither true nor false | type="bool" value="true" => type="bool" value="yes"
refused tiled-attribute | map, attribute "orientation" | isometric | orientation="orthogonal" => orientation="isometric"
refused tiled-unknown-property | map, property "strat_x" | did you mean "start_x"? | name="start_x" type="int" value="7" => name="strat_x" value="7"
left_out tiled-derived | map, property "generator" | "worldview" | "wwd_name" value=""/> => "wwd_name" value=""/><property name="generator" value="me"/>
refused malformed | layer "Action", tile 2,0 | shows no frame | \n102,103,0,\n => \n102,103,150,\n
refused tiled-outside | layer "Back", tile 2,0 | 2x1 tiles | \n1,1,0,\n => \n1,1,1,\n
left_out tiled-attribute | tileset "ACTION", attribute "spacing" | spacing | columns="4"> => columns="4" spacing="2">
left_out tiled-tileset | tileset "Mine", attribute "name" | "Mine" | name="ACTION" => name="Mine"
left_out tiled-absent | tileset "ACTION", tile 0, attribute "type" | no class | <tile id="0" type="wwd single"/> => <tile id="0"/>
left_out tiled-attribute | tileset "ACTION", tile 2, shape 1, attribute "name" | "n" | {shape} x="8" y="8" width="49" height="49" name="n"/></objectgroup>
left_out tiled-rounded | tileset "ACTION", tile 2, shape 1 | fractions | {shape} x="8.4" y="8" width="49" height="49"/></objectgroup>
left_out tiled-rounded | tileset "ACTION", tile 2, shape 1 | outside | {shape} x="-8" y="8" width="65" height="49"/></objectgroup>
refused tiled-contradiction | layer "Action objects", object 1 | two objects with the id 1 | <object id="2" => <object id="1"
done free-id | layer "Action objects", object 9, property "wwd_id" | another object has the id 10, so the new one gets 13 |  </objectgroup> => <object id="9" x="1" y="1"><properties><property name="wwd_id" type="int" value="10"/></properties></object></objectgroup>
done tiled-objects-removed | layer "Action objects" | its 4 objects are removed | {objects} =>"#;

#[test]
fn each_thing_that_is_lost_is_an_entry_with_its_place() {
    let objects =
        SAVED[SAVED.find(" <objectgroup").unwrap()..SAVED.find(" <layer id=\"3\"").unwrap()].replace('\n', "\\n");
    let shape =
        r#"8 8 56 56"/>\n   </properties> => 8 8 56 56"/></properties><objectgroup><object id="1" type="solid""#;
    let mut used = BTreeSet::from(["tiled-too-many", "tiled-layer"]);
    for case in LOST.lines() {
        let [what, place, message, edit] = *case.splitn(4, " | ").collect::<Vec<_>>() else { panic!("{case}") };
        let entries = with(&edit.replace("{objects}", &objects).replace("{shape}", shape), entries);
        let is_it = |entry: &Entry| {
            format!("{} {}", entry.column.name(), entry.code.name) == what
                && (entry.place.pointer.as_deref(), entry.message.contains(message)) == (Some(place), true)
        };
        assert!(entries.iter().any(is_it), "{case}: {entries:#?}");
        used.insert(what.split_once(' ').unwrap().1);
    }
    // A layer of an unknown type is not one that was deleted.
    let odd = planned(&[("<objectgroup id=\"2\"", "<objectgroups id=\"2\""), (" </objectgroup>", "</objectgroups>")]);
    assert!(odd.account.entries().any(|entry| entry.message.contains("objectgroups")), "{:#?}", odd.account);
    // Planes in another order, and too many new objects.
    let copies = (100..70_000).fold(String::new(), |list, id| list + &format!("<object id=\"{id}\"/>"));
    let crowded = entries(&[(" </objectgroup>", &format!("{copies}</objectgroup>"))]);
    let is_many = |entry: &Entry| entry.message.contains("the map adds more than 65536 objects");
    assert!(crowded.iter().any(|entry| entry.code.name == "tiled-too-many" && is_many(entry)));
    let back = &SAVED[SAVED.find(" <layer id=\"3\"").unwrap()..SAVED.find("</map>").unwrap()];
    let moved = entries(&[(back, ""), (" <layer id=\"1\"", &format!("{back} <layer id=\"1\""))]);
    assert!(moved.iter().any(|entry| entry.code.name == "tiled-layer" && entry.message.contains("another order")));

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
    assert!(changes.contains(r#""image_set":"ACTION""#) && changes.contains(r#""i":1}"#), "{changes}");
}

#[test]
fn what_is_ignored_has_a_reason() {
    for (index, row) in IGNORED.iter().enumerate() {
        let is_same = |other: &tiled::Ignored| (other.of, other.name) == (row.of, row.name);
        assert!(!row.why.is_empty() && !IGNORED[..index].iter().any(is_same), "{row:?}");
    }
    // What Tiled and others add, in one map: nothing is said about it.
    let added = r##"version="1.8" => version="1.11" compressionlevel="-1" backgroundcolor="#ff0000"
 <properties>\n  <property name="start_x" => <editorsettings><export target="a"/></editorsettings><properties>\n  <property name="start_x"
name="Action" width => name="Action" locked="1" visible="0" width
name="Action objects" => name="Action objects" color="#00ff00" draworder="topdown"
columns="4"> => columns="9" version="1.10" tiledversion="1.10.0">"##;
    for edit in added.lines() {
        assert_eq!(with(edit, entries), [], "{edit}");
    }
    // Tiles in an infinite map are in chunks.
    let chunk =
        "<data encoding=\"csv\"><chunk x=\"0\" y=\"0\" width=\"3\" height=\"2\">102,103,0,0,104,103</chunk></data>";
    assert_eq!(entries(&[("infinite=\"0\"", "infinite=\"1\""), (CSV, chunk)]), []);
}
