use worldview_corpus::rng::Rng;
use worldview_corpus::trial::{rounds, say_the_same};
use worldview_corpus::wwd::build::build;
use worldview_corpus::wwd::generate::{Shape, level};
use worldview_corpus::wwd::spec::{AttributeKind, AttributeSpec, LevelSpec};
use worldview_corpus::wwd::versions::{content, resize};
use worldview_edit::{Changes, wwd};
use worldview_export::Encoding;
use worldview_export::level::tiled as export;
use worldview_wwd::{Level, unpack};

use super::{SAVED, edited, plan, with};

/// Replacements in the saved map, and the changes that they give.
const EDITS: &str = r##"# Tiles: painted, erased, filled, and one of the tileset that is not in the plane so far.
\n102,103,0,\n0,104,103\n => \n103,0,101,\n104,104,103\n
{"set":"plane:Action/tile:0,0","from":1,"to":2}
{"set":"plane:Action/tile:1,0","from":2,"to":4294967295}
{"set":"plane:Action/tile:2,0","from":4294967295,"to":0}
{"set":"plane:Action/tile:0,1","from":4294967295,"to":4008636142}
# Objects: moved by fractions, of which halves go away from zero; moved far away, where six digits remain.
x="100" y="200" => x="100.5" y="199.51"
{"set":"plane:Action/object:10#0/x","from":100,"to":101}
x="1.2812e+06" y="-2e+06" => x="1.2813e+06" y="-2.00001e+06"
{"set":"plane:Action/object:11/x","from":1281197,"to":1281300}
{"set":"plane:Action/object:11/y","from":-2000004,"to":-2000010}
"wwd_x" type="int" value="1281197" => "wwd_x" type="int" value="1281198"
{"set":"plane:Action/object:11/x","from":1281197,"to":1281198}
# Attributes and properties of objects: set, and removed, which is the default.
name="gem" type="Treasure" => name="é" class="Sign"
   <property name="score" type="int" value="50"/>\n =>
{"set":"plane:Action/object:10#0/name","from":"gem","to":"é"}
{"set":"plane:Action/object:10#0/logic","from":"Treasure","to":"Sign"}
{"set":"plane:Action/object:10#0/score","from":50,"to":0}
value="1 2 3 4" => value="1 2 30 40"
 visible="0" =>
{"set":"plane:Action/object:12/draw_flags","from":1,"to":0}
{"set":"plane:Action/object:12/move_rect","from":[1,2,3,4],"to":[1,2,30,40]}
value="50"/> => value="50"/><property name="i" type="int" value="3"/><property name="hit_type_flags" value="0xffffffff"/>
{"set":"plane:Action/object:10#0/i","from":-1,"to":3}
{"set":"plane:Action/object:10#0/hit_type_flags","from":0,"to":4294967295}
value="50"/> => value="50"/><property name="metadata" value="0400000007000000"/>
{"set":"plane:Action/object:10#0/metadata","from":{"bytes":""},"to":{"bytes":"0400000007000000"}}
   <property name="wwd_id" type="int" value="12"/> =>    <property name="wwd_id" type="int" value="13"/>
{"set":"plane:Action/object:12/id","from":12,"to":13}
# The header, by property.
type="int" value="7" => type="int" value="-1"
{"set":"header/start_x","from":7,"to":-1}
"wwd_name" value="" => "wwd_name" value="Level 3"
{"set":"header/name","from":"","to":"Level 3"}
# A plane, by attributes of its layer and by properties.
id="1" name="Action" => id="1" name="Front" offsetx="-8" parallaxx="0.29"
{"set":"plane:Action/name","from":"Action","to":"Front"}
{"set":"plane:Action/scroll_x","from":0,"to":-8}
{"set":"plane:Action/movement_x_percent","from":100,"to":29}
"wrap_x" type="bool" value="false" => "wrap_x" type="bool" value="true"
{"set":"plane:Action/flags","from":1,"to":5}
"image_set_0" value="ACTION" => "image_set_0" value="GRASS"/><property name="image_set_1" value="BACK"
{"set":"plane:Action/image_set#0","from":"ACTION","to":"GRASS"}
{"add":"plane:Action/image_set#1","data":"BACK"}
# A tile of an image set that the plane names only now.
"image_set_0" value="ACTION" => "image_set_1" value="BACK"
\n102,103,0,\n => \n1,103,0,\n
{"add":"plane:Action/image_set#1","data":"BACK"}
{"set":"plane:Action/tile:0,0","from":1,"to":65543}
# Another size: of the map, which only the plane has that fills it, and of the other plane.
width="3" height="2" tilewidth => width="2" height="3" tilewidth
name="Action" width="3" height="2" => name="Action" width="2" height="3"
\n102,103,0,\n0,104,103\n => \n102,103,\n0,104,\n101,0\n
name="Back" width="3" height="2" => name="Back" width="2" height="3"
\n1,1,0,\n0,0,0\n => \n1,1,\n0,0,\n0,0\n
{"set":"plane:Action/tiles_wide","from":3,"to":2}
{"set":"plane:Action/tiles_high","from":2,"to":3}
{"set":"plane:Action/tile:0,2","to":0}
value="1"/>\n  </properties>\n  <data => value="1"/><property name="tiles_high" type="int" value="2"/>\n  </properties>\n  <data
\n1,1,0,\n0,0,0\n => \n1,1,0,\n0,1,0\n
{"set":"plane:Back/tiles_high","from":1,"to":2}
{"set":"plane:Back/tile:1,1","to":7}
# Tile attributes.
"attribute" type="int" value="1" => "attribute" type="int" value="4"
8 8 56 56 => 0 8 64 56
{"set":"tile_attributes/frame#1/attribute","from":1,"to":4}
{"set":"tile_attributes/frame#2/rect","from":[8,8,56,56],"to":[0,8,64,56]}
<tile id="0" type="wwd single"/> => <tile id="0" type="wwd double"><properties><property name="inside" value="3"/></properties></tile>
{"set":"tile_attributes/frame#0/kind","from":1,"to":2}
{"set":"tile_attributes/frame#0/inside","to":3}"##;

#[test]
fn each_kind_of_edit_is_its_change() {
    let lines: Vec<_> = EDITS.lines().filter(|line| !line.starts_with('#')).collect();
    // A case begins where changes are followed by replacements.
    for case in lines.chunk_by(|line, next| !line.starts_with("{\"") || next.starts_with("{\"")) {
        let (changes, replaced): (Vec<_>, Vec<_>) = case.iter().copied().partition(|line| line.starts_with("{\""));
        assert_eq!(with(&replaced.join("\n"), edited), changes.join("\n"), "{replaced:?}");
    }
}

#[test]
fn objects_are_added_removed_and_ordered() {
    let added = r#"  <object id="7" name="new" type="Rat" x="10" y="20.6"><properties>
   <property name="wwd_id" type="int" value="0"/></properties><point/></object>
  <object id="8" gid="2147483750" x="64" y="128" width="64" height="64"><properties>
   <property name="wwd_id" type="int" value="10"/><property name="score" type="int" value="5"/></properties></object>
  <object id="9" x="0" y="0" width="9" height="5"><properties><property name="wwd_id" type="int" value="40"/></properties></object>
 </objectgroup>"#;
    let changes = edited(&[(" </objectgroup>", added)]);
    let lines: Vec<_> = changes.lines().collect();
    assert_eq!(lines.len(), 3, "{changes}");
    // The id after the highest, also for 0, which maps with all properties have; that of a copy, which is taken, makes it the next; a free one is kept.
    let said =
        |line: &str, parts: &[&str]| parts.iter().for_each(|part| assert!(line.contains(part), "{part}: {line}"));
    said(
        lines[0],
        &[r#"{"add":"plane:Action/object:13","#, r#""name":"new","logic":"Rat""#, r#""x":10,"y":21,"i":-1"#],
    );
    // A tile stands on its place, and is mirrored by a bit of its id.
    said(lines[1], &[r#"object:14","#, r#""x":96,"y":96,"#, r#""draw_flags":2,"#, r#""score":5}"#]);
    said(lines[2], &[r#"object:40","#, r#""x":5,"y":3,"i":-1"#]);

    let (from, to) = (SAVED.find("  <object id=\"3\"").unwrap(), SAVED.find("  <object id=\"4\"").unwrap());
    let (last, end) = (&SAVED[to..], SAVED.find(" </objectgroup>").unwrap());
    let removed = edited(&[(&SAVED[from..to], "")]);
    said(&removed, &[r#"{"remove":"plane:Action/object:10#1","was_"#, r#""fields":{"name":"","logic":"Sign","#]);
    // The order only counts where the editor shows it.
    let reordered = [(&SAVED[from..end], &*format!("{}{}", &SAVED[to..end], &SAVED[from..to]))];
    assert!(!last.is_empty() && edited(&reordered).is_empty());
    let index = ("name=\"Action objects\"", "name=\"Action objects\" draworder=\"index\"");
    let moved = edited(&[reordered[0], index]);
    said(&moved, &[r#"{"move":"plane:Action/object:12","after":"plane:Action/object:11","was_"#]);
    // A layer that is gone takes its objects along, and two of them are one list.
    let (start, end) = (SAVED.find(" <objectgroup").unwrap(), SAVED.find(" <layer id=\"3\"").unwrap());
    assert_eq!(edited(&[(&SAVED[start..end], "")]).matches("{\"remove\":").count(), 4);
    let split =
        " </objectgroup><objectgroup name=\"more\"><properties><property name=\"plane\" value=\"0\"/></properties>";
    assert_eq!(edited(&[("  <object id=\"4\"", &format!("{split}<object id=\"4\""))]), "");
}

/// A part of an error, and the edit that gives it.
const REFUSED: &str = r#"plane:Action/tile:2,0: the tile is flipped or rotated | \n102,103,0,\n => \n102,103,2147483750,\n
plane:Action/tile:2,0: the tile is from the image set "BACK", and the plane has only "ACTION" | \n102,103,0,\n => \n102,103,1,\n
tile 49 of the tileset "ACTION" shows no frame | \n102,103,0,\n => \n102,103,150,\n
plane:Back/tile:2,0: the plane has 2x1 tiles | \n1,1,0,\n => \n1,1,1,\n
plane:Action: the layer declares 6 cells and has 5 | \n0,104,103\n => \n0,104\n
plane:Action/object:10#0/x:  | x="100" => x="1e30"
plane:Action/object:10#0/x: "NaN" does not fit: -2147483648 to 2147483647 | x="100" => x="nan"
plane:Action/object:10#0/score: expected an integer, found "fifty" | value="50" => value="fifty"
plane:Action/object:10#0/score: expected an integer | value="50" => value="0.5"
4294967295 does not fit: score has 32 bits, -2147483648 to 2147483647 | value="50" => value="4294967295"
plane:Action/object:12/move_rect: expected 4 integers, found 3 | value="1 2 3 4" => value="1 2 3"
plane:Action/object:10#0/name: "一" does not fit: a character is not in windows-1252 | name="gem" => name="一"
plane:Action/object:10#0: the map has two objects with the id 1 | <object id="2" => <object id="1"
the map has tiles of 32x64, and the level of 64x64 | tilewidth="64" tileheight="64" infinite => tilewidth="32" tileheight="64" infinite
tile_attributes/frame#2/kind: a map does not have the pixels of a mask | type="wwd double" => type="wwd mask"
tile_attributes/frame#2/kind: "grass" is not a kind of attribute | type="wwd double" => type="grass"
object 9 of the map is an instance of a template |  </objectgroup> => <object id="9" template="t.tx"/></objectgroup>"#;

#[test]
fn what_a_level_cannot_hold_is_an_error() {
    let refused = |error: String, expected: &str, edit: &str| {
        assert!(error.contains(expected) && !error.starts_with('{'), "{edit}: {error}");
    };
    for case in REFUSED.lines() {
        let (expected, edit) = case.split_once(" | ").unwrap();
        refused(with(edit, edited), expected, edit);
    }
    let foreign = r#"<tileset firstgid="200" name="Mine" tilecount="1" columns="1"><image source="x.png"/></tileset>"#;
    let edit = format!(" <layer id=\"1\" => {foreign} <layer id=\"1\"\n\\n102,103,0,\\n => \\n102,103,200,\\n");
    refused(with(&edit, edited), "plane:Action/tile:2,0: the tile is from the tileset \"Mine\"", "foreign");
    let error = edited(&[("x=\"1.2812e+06\"", "x=\"9\""), ("value=\"1281197\"", "value=\"5\"")]);
    assert_eq!(error, "plane:Action/object:11/x: the map has two new values for this, 5 and 9");
    let (start, end) = (SAVED.find(" <layer id=\"3\"").unwrap(), SAVED.find("</map>").unwrap());
    refused(edited(&[(&SAVED[start..end], "")]), "plane:Back: the tile layer of the plane is missing", "no layer");
}

#[test]
fn shapes_of_tiles_are_attributes() {
    // What the export draws: all of tile 1, and of tile 2 the sides of its rectangle, inclusive.
    let shape = |place: &str, class: &str| {
        let [x, y, width, height] = *place.split(' ').collect::<Vec<_>>() else { unreachable!() };
        format!(r#"<object id="1" type="{class}" x="{x}" y="{y}" width="{width}" height="{height}"/>"#)
    };
    let shapes = |first: &str, second: &str| {
        let group = |objects: &str| match objects {
            "" => String::new(),
            objects => format!("</properties><objectgroup draworder=\"index\">{objects}</objectgroup>"),
        };
        let [first, second] = [group(first), group(second)];
        let at = ["\"frame\" type=\"int\" value=\"1\"/>\n   </properties>", "8 8 56 56\"/>\n   </properties>"];
        let with = |at: &str, group: &str| match group {
            "" => at.to_owned(),
            group => at.replace("</properties>", group),
        };
        edited(&[(at[0], &with(at[0], &first)), (at[1], &with(at[1], &second))])
    };
    let (whole, inner) = (shape("0 0 64 64", "solid"), shape("8 8 49 49", "solid"));
    assert_eq!(shapes(&whole, &inner), "");
    assert_eq!(shapes("", ""), "");
    // Drawn in two halves, it is the same.
    let halves = shape("0 0 32 64", "solid") + &shape("32 0 32 64", "solid");
    assert_eq!(shapes(&halves, &inner), "");
    assert_eq!(
        shapes(&shape("0 32 64 32", "solid"), &shape("8 8.4 16 16", "death")),
        r#"{"set":"tile_attributes/frame#1/kind","from":1,"to":2}
{"set":"tile_attributes/frame#1/outside","to":0}
{"set":"tile_attributes/frame#1/inside","to":1}
{"set":"tile_attributes/frame#1/rect","to":[0,32,63,63]}
{"set":"tile_attributes/frame#2/inside","from":1,"to":4}
{"set":"tile_attributes/frame#2/rect","from":[8,8,56,56],"to":[8,8,23,23]}"#
    );
    assert_eq!(
        shapes(&shape("0 0 64 64", "attribute 7"), ""),
        r#"{"set":"tile_attributes/frame#1/attribute","from":1,"to":7}
{"set":"tile_attributes/frame#2/kind","from":2,"to":1}
{"set":"tile_attributes/frame#2/attribute","to":0}"#
    );
    let corner = shape("0 0 8 8", "solid") + &shape("8 8 8 8", "solid");
    assert!(shapes(&whole, &corner).starts_with("tile_attributes/frame#2: the shapes of the tile are more than one"));
    assert!(
        shapes(&whole, &shape("0 0 8 8", "lava")).starts_with("tile_attributes/frame#2: a shape of the tile has the")
    );
    assert!(shapes(&whole, &shape("0 0 0 0", "solid")).contains("not an upright rectangle"));
}

/// Changes what a map can express but for the number of objects.
fn vary(rng: &mut Rng, level: &LevelSpec) -> LevelSpec {
    let mut other = level.clone();
    other.header.start_x = rng.range(-5, 5000);
    other.header.author = [&b"somebody"[..], b"", b"a\xe9\t\x01b"][rng.below(3) as usize].to_vec();
    for (index, plane) in other.planes.iter_mut().enumerate() {
        plane.flags ^= rng.below(32) << 1;
        (plane.scroll_x, plane.movement_y_percent) = (rng.range(-3, 3), rng.range(0, 200));
        // The other planes have the size of the map.
        if index == 0 && rng.one_in(3) {
            resize(rng, plane);
        }
        for _ in 0..rng.below(30) {
            let index = rng.below(plane.tiles.len() as u32) as usize;
            plane.tiles[index] = [rng.below(60), u32::MAX, 0xEEEE_EEEE][rng.below(3) as usize];
        }
        for object in &mut plane.objects {
            match rng.below(9) {
                0 => object.x = rng.range(-20, 9000),
                // The six digits of a coordinate do not tell these apart.
                1 => object.y = rng.range(5_000_000, 5_000_004),
                2 => object.name = [&b"n"[..], b"", b"\x8a\n<&\">"][rng.below(3) as usize].to_vec(),
                3 => object.logic = b"TreasurePowerup".to_vec(),
                4 => object.draw_flags = rng.below(16),
                5 => object.move_rect = [rng.range(-9, 9), 2, 3, 4],
                6 => (object.i, object.user[3]) = (rng.range(-2, 9), 7),
                7 => object.hit_type_flags = u32::MAX - rng.below(2),
                _ => object.animation = vec![b'a'; rng.below(9) as usize],
            }
        }
    }
    for record in other.attributes.iter_mut().flat_map(|table| &mut table.records) {
        match (rng.below(4), &record.kind) {
            (_, AttributeKind::Mask(_)) => {}
            (0, _) => *record = AttributeSpec::single(64, 64, rng.range(0, 5)),
            (1, _) => *record = AttributeSpec::double(64, 64, 0, 1, [1, 2, 3, rng.range(4, 64)]),
            _ => {}
        }
    }
    other
}

#[test]
fn the_map_of_another_level_gives_that_level() {
    let mut count = 0;
    for seed in 0..rounds(24) {
        let mut rng = Rng::new(seed);
        let spec = level(seed, &Shape { objects: 40, image_sets: 1 + seed as u32 % 2, masks: 2, ..Shape::small() });
        let [left, right] = [&spec, &vary(&mut rng, &spec)].map(|level| build(level).bytes);
        let image = unpack(&right).unwrap();
        let other = Level::parse(&image).unwrap();
        let (mut changes, mut is_first) = (Changes::new(), true);
        for map in export::plan(&other, Encoding::default()).unwrap() {
            let mut out = Vec::new();
            let map = map.full(seed % 3 == 0);
            if seed % 2 == 0 {
                map.write_tmx(&mut out).unwrap()
            } else {
                map.write_tmj(&mut out).unwrap()
            }
            let found = plan(&left, &out).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
            // Each map has the header, and the first the attributes.
            changes.extend(found.into_iter().filter(|change| is_first || change.path().as_str().starts_with("plane:")));
            is_first = false;
        }
        count += changes.len();
        let edited = wwd::apply(&left, &changes).unwrap_or_else(|error| panic!("seed {seed}: {error}")).to_vec();
        say_the_same(format_args!("seed {seed}"), &content(&edited), &content(&right));
    }
    println!("maps: {count} changes");
    assert!(count > 2000, "{count} changes");
}
