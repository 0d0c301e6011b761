use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use worldview_corpus::rng::Rng;
use worldview_corpus::samples;
use worldview_corpus::wwd::build::build;
use worldview_corpus::wwd::generate::{Shape, edge_cases, level};
use worldview_corpus::wwd::spec::{AttributeSpec, AttributeTableSpec, LevelSpec, ObjectSpec, PlaneSpec};
use worldview_edit::plan::tiled;
use worldview_edit::{Changes, Result, wwd};
use worldview_export::Encoding;
use worldview_export::level::tiled as export;
use worldview_wwd::{Level, unpack};

fn plan(file: &[u8], map: &[u8]) -> Result<Changes> {
    let image = unpack(file).unwrap();
    tiled::level(&Level::parse(&image).unwrap(), map, Encoding::default())
}

/// A small level: a main plane of 3 by 2 tiles, and one of 2 by 1.
fn meadow() -> LevelSpec {
    let object = |id, logic: &[u8]| ObjectSpec { id, logic: logic.to_vec(), ..ObjectSpec::default() };
    let (empty, filled) = (u32::MAX, 0xEEEE_EEEE);
    let plane = |name: &[u8], image_set: &[u8], size: [i32; 2], tiles: Vec<u32>| PlaneSpec {
        name: name.to_vec(),
        image_sets: vec![image_set.to_vec()],
        width_px: size[0] * 64,
        height_px: size[1] * 64,
        tile_width: 64,
        tile_height: 64,
        tiles_wide: size[0],
        tiles_high: size[1],
        movement_x_percent: 100,
        movement_y_percent: 100,
        tiles,
        ..PlaneSpec::default()
    };
    let mut level = LevelSpec::default();
    level.header.start_x = 7;
    level.planes = vec![
        plane(b"Action", b"ACTION", [3, 2], vec![1, 2, empty, empty, filled, 2]),
        plane(b"Back", b"BACK", [2, 1], vec![7, 7]),
    ];
    level.planes[0].flags = 1;
    level.planes[0].objects = vec![
        ObjectSpec { name: b"gem".to_vec(), x: 100, y: 200, score: 50, ..object(10, b"Treasure") },
        ObjectSpec { x: 1_281_197, y: -2_000_004, ..object(11, b"Far") },
        ObjectSpec { animation: b"one\r\ntwo".to_vec(), x: 5, ..object(10, b"Sign") },
        ObjectSpec { draw_flags: 1, move_rect: [1, 2, 3, 4], ..object(12, b"Lift") },
    ];
    level.attributes = Some(AttributeTableSpec {
        records: vec![
            AttributeSpec::single(64, 64, 0),
            AttributeSpec::single(64, 64, 1),
            AttributeSpec::double(64, 64, 0, 1, [8, 8, 56, 56]),
        ],
        ..AttributeTableSpec::default()
    });
    level
}

/// The meadow as Tiled 1.8 saves it, with its tilesets in the other order.
const SAVED: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<map version="1.8" tiledversion="1.8.2" orientation="orthogonal" renderorder="right-down" width="3" height="2" tilewidth="64" tileheight="64" infinite="0" nextlayerid="5" nextobjectid="5">
 <properties>
  <property name="start_x" type="int" value="7"/>
  <property name="wwd_name" value=""/>
 </properties>
 <tileset firstgid="1" name="BACK" tilewidth="64" tileheight="64" tilecount="2" columns="2">
  <image source="tilesets/BACK.png" width="128" height="64"/>
 </tileset>
 <tileset firstgid="101" name="ACTION" tilewidth="64" tileheight="64" tilecount="4" columns="4">
  <image source="tilesets/ACTION.png" width="256" height="64"/>
  <tile id="0" type="wwd single"/>
  <tile id="1" type="wwd single">
   <properties>
    <property name="attribute" type="int" value="1"/>
    <property name="frame" type="int" value="1"/>
   </properties>
  </tile>
  <tile id="2" type="wwd double">
   <properties>
    <property name="inside" type="int" value="1"/>
    <property name="rect" value="8 8 56 56"/>
   </properties>
  </tile>
 </tileset>
 <layer id="1" name="Action" width="3" height="2">
  <properties>
   <property name="flags" type="int" value="1"/>
   <property name="image_set_0" value="ACTION"/>
   <property name="main" type="bool" value="true"/>
   <property name="plane" type="int" value="0"/>
   <property name="tiles_wide" type="int" value="3"/>
   <property name="wrap_x" type="bool" value="false"/>
   <property name="wwd_name" value="Action"/>
  </properties>
  <data encoding="csv">
102,103,0,
0,104,103
</data>
 </layer>
 <objectgroup id="2" name="Action objects">
  <object id="1" name="gem" type="Treasure" x="100" y="200">
   <properties>
    <property name="score" type="int" value="50"/>
    <property name="wwd_id" type="int" value="10"/>
   </properties>
   <point/>
  </object>
  <object id="2" type="Far" x="1.2812e+06" y="-2e+06">
   <properties>
    <property name="wwd_id" type="int" value="11"/>
    <property name="wwd_x" type="int" value="1281197"/>
    <property name="wwd_y" type="int" value="-2000004"/>
   </properties>
   <point/>
  </object>
  <object id="3" type="Sign" x="5" y="0">
   <properties>
    <property name="animation">one
two</property>
    <property name="wwd_id" type="int" value="10"/>
   </properties>
   <point/>
  </object>
  <object id="4" type="Lift" x="0" y="0" visible="0">
   <properties>
    <property name="draw_flags" type="int" value="1"/>
    <property name="move_rect" value="1 2 3 4"/>
    <property name="wwd_id" type="int" value="12"/>
   </properties>
   <point/>
  </object>
 </objectgroup>
 <layer id="3" name="Back" width="3" height="2">
  <properties>
   <property name="plane" type="int" value="1"/>
  </properties>
  <data encoding="csv">
1,1,0,
0,0,0
</data>
 </layer>
</map>
"#;

/// The changes that replacements in the saved map give, a line each, as `changes.json` has them.
fn edited(replacements: &[(&str, &str)]) -> String {
    let file = build(&meadow()).bytes;
    let mut map = SAVED.to_owned();
    for (from, to) in replacements {
        assert_eq!(map.matches(from).count(), 1, "{from}");
        map = map.replace(from, to);
    }
    let changes = match plan(&file, map.as_bytes()) {
        Ok(changes) => changes,
        Err(error) => return error.to_string(),
    };
    wwd::apply(&file, &changes).unwrap_or_else(|error| panic!("{replacements:?}: {error}"));
    let json = changes.to_json().unwrap();
    let lines = json.lines().filter(|line| line.starts_with("{\"") && !line.contains("worldview_changes"));
    lines.map(|line| line.trim_end_matches(',')).collect::<Vec<_>>().join("\n")
}

#[test]
fn an_unedited_export_has_no_changes() {
    let cases = edge_cases().into_iter().map(|(name, level)| (name.to_owned(), build(&level).bytes));
    let samples = samples().into_iter().filter(|(name, _)| name.ends_with(".wwd"));
    let samples = samples.map(|(name, file)| (name.to_owned(), file));
    let shapes = [Shape::small(), Shape { masks: 3, image_sets: 3, planes: 5, ..Shape::gruntz() }];
    let generated = (0..6).map(|seed| (format!("seed {seed}"), build(&level(seed, &shapes[seed as usize % 2])).bytes));
    let mut count = 0;
    for (name, file) in cases.chain(samples).chain(generated) {
        let Ok(image) = unpack(&file) else { continue };
        let Ok(level) = Level::parse(&image) else { continue };
        for encoding in [Encoding::Windows1252, Encoding::Windows1250] {
            let Ok(maps) = export::plan(&level, encoding) else { continue };
            for map in maps.into_iter().flat_map(|map| [map.clone().full(true), map.full(false)]) {
                let (mut tmx, mut tmj) = (Vec::new(), Vec::new());
                map.write_tmx(&mut tmx).unwrap();
                map.write_tmj(&mut tmj).unwrap();
                for saved in [tmx, tmj] {
                    let changes = tiled::level(&level, &saved, encoding);
                    let changes = changes.unwrap_or_else(|error| panic!("{name}, {}: {error}", map.stem()));
                    assert!(changes.is_empty(), "{name}, {}: {}", map.stem(), changes.to_json().unwrap());
                    count += 1;
                }
            }
        }
    }
    assert!(count > 200, "{count} maps");
}

#[test]
fn what_tiled_changes_when_it_saves_is_no_change() {
    assert_eq!(edited(&[]), "");
    // Only the picture still says which tileset it is.
    assert_eq!(edited(&[("name=\"ACTION\"", "name=\"Mine\"")]), "");
    // The other form, where numbers may be floats, and layers may be in groups.
    let map = r#"{"type":"map","width":3,"height":2,"tilewidth":64,"tileheight":64,"infinite":false,"properties":[],
        "tilesets":[{"firstgid":1,"name":"ACTION","tiles":[{"id":1,"type":"wwd single","properties":[
            {"name":"attribute","type":"int","value":1}]}]},{"firstgid":5,"source":"sets/BACK.tsx"}],
        "layers":[{"type":"group","name":"g","layers":[
            {"type":"tilelayer","name":"Back","width":3,"height":2,"data":[5,5,0,0,0,0]}]},
        {"type":"tilelayer","name":"Action","width":3,"height":2,"data":[2,3,0,0,4,3],"properties":[
            {"name":"fill_color","type":"float","value":0.0},{"name":"notes","type":"class","value":{"a":[1]}}]},
        {"type":"objectgroup","name":"Action objects","objects":[
            {"id":1,"name":"gem","type":"Treasure","x":100.3,"y":199.6,"width":0,"height":0,"rotation":45,"properties":[
                {"name":"score","value":50},{"name":"wwd_id","value":10}]},
            {"id":2,"class":"Far","x":1281200,"y":-2000000,"properties":[{"name":"wwd_id","value":11}]},
            {"id":3,"type":"Sign","x":5,"y":0,"properties":[{"name":"animation","value":"one\r\ntwo"},{"name":"wwd_id","value":10}]},
            {"id":4,"type":"Lift","x":0,"y":0,"visible":false,"properties":[{"name":"draw_flags","value":1},
                {"name":"move_rect","value":"1 2 3 4"},{"name":"wwd_id","value":12}]}]}]}"#;
    let changes = plan(&build(&meadow()).bytes, map.as_bytes()).unwrap();
    assert!(changes.is_empty(), "{}", changes.to_json().unwrap());
}

#[test]
fn every_encoding_of_layers_is_read() {
    let gids = [102_u32, 103, 0, 0, 104, 103];
    let bytes: Vec<u8> = gids.iter().flat_map(|gid| gid.to_le_bytes()).collect();
    let packed = |mut encoder: Box<dyn FnMut(&[u8]) -> Vec<u8>>| STANDARD.encode(encoder(&bytes));
    let zlib = packed(Box::new(|bytes| {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        std::io::Write::write_all(&mut encoder, bytes).unwrap();
        encoder.finish().unwrap()
    }));
    let gzip = packed(Box::new(|bytes| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        std::io::Write::write_all(&mut encoder, bytes).unwrap();
        encoder.finish().unwrap()
    }));
    // RFC 8878: magic, a single segment of 24 bytes, and one raw block, the last.
    let zstd = packed(Box::new(|bytes| {
        let header = [0x28, 0xB5, 0x2F, 0xFD, 0xA0, 24, 0, 0, 0, 1 | (24 << 3), 0, 0];
        [&header[..], bytes].concat()
    }));
    let plain = STANDARD.encode(&bytes);
    let elements = gids.iter().fold(String::new(), |mut text, gid| {
        let _ = write!(text, "<tile gid=\"{gid}\"/>");
        text
    });
    let csv = "<data encoding=\"csv\">\n102,103,0,\n0,104,103\n</data>";
    for data in [
        format!("<data encoding=\"base64\" compression=\"zlib\">\n   {zlib}\n  </data>"),
        format!("<data encoding=\"base64\" compression=\"gzip\">{gzip}</data>"),
        format!("<data encoding=\"base64\" compression=\"zstd\">{zstd}</data>"),
        format!("<data encoding=\"base64\">{plain}</data>"),
        format!("<data>{elements}</data>"),
    ] {
        assert_eq!(edited(&[(csv, &data)]), "", "{data}");
    }
    // An infinite map, in chunks that begin anywhere.
    let chunks = "<data encoding=\"csv\"><chunk x=\"-2\" y=\"0\" width=\"4\" height=\"1\">0,0,102,103</chunk>\
        <chunk x=\"0\" y=\"1\" width=\"3\" height=\"2\">0,104,103,0,0,0</chunk></data>";
    let infinite = ("infinite=\"0\"", "infinite=\"1\"");
    assert_eq!(edited(&[infinite, (csv, chunks)]), "");
    let outside = chunks.replace("0,0,102,103", "9,0,102,103");
    assert!(
        edited(&[infinite, (csv, &outside)])
            .starts_with("plane:Action/tile:-2,0: \"-2,0\" does not fit: the plane has 3x2")
    );
}

#[test]
fn each_kind_of_edit_is_its_change() {
    let action = "\n102,103,0,\n0,104,103\n";
    let cases: &[(&[(&str, &str)], &str)] = &[
        // Tiles: painted, erased, filled, and one of the tileset that is not in the plane so far.
        (
            &[(action, "\n103,0,101,\n104,104,103\n")],
            r#"{"set":"plane:Action/tile:0,0","from":1,"to":2}
{"set":"plane:Action/tile:1,0","from":2,"to":4294967295}
{"set":"plane:Action/tile:2,0","from":4294967295,"to":0}
{"set":"plane:Action/tile:0,1","from":4294967295,"to":4008636142}"#,
        ),
        // Objects: moved by fractions, of which halves go away from zero; moved far away, where six digits remain.
        (
            &[("x=\"100\" y=\"200\"", "x=\"100.5\" y=\"199.51\"")],
            r#"{"set":"plane:Action/object:10#0/x","from":100,"to":101}"#,
        ),
        (
            &[("x=\"1.2812e+06\" y=\"-2e+06\"", "x=\"1.2813e+06\" y=\"-2.00001e+06\"")],
            r#"{"set":"plane:Action/object:11/x","from":1281197,"to":1281300}
{"set":"plane:Action/object:11/y","from":-2000004,"to":-2000010}"#,
        ),
        (
            &[("\"wwd_x\" type=\"int\" value=\"1281197\"", "\"wwd_x\" type=\"int\" value=\"1281198\"")],
            r#"{"set":"plane:Action/object:11/x","from":1281197,"to":1281198}"#,
        ),
        // Attributes and properties of objects: set, and removed, which is the default.
        (
            &[
                ("name=\"gem\" type=\"Treasure\"", "name=\"\u{e9}\" class=\"Sign\""),
                ("   <property name=\"score\" type=\"int\" value=\"50\"/>\n", ""),
            ],
            r#"{"set":"plane:Action/object:10#0/name","from":"gem","to":"é"}
{"set":"plane:Action/object:10#0/logic","from":"Treasure","to":"Sign"}
{"set":"plane:Action/object:10#0/score","from":50,"to":0}"#,
        ),
        (
            &[("value=\"1 2 3 4\"", "value=\"1 2 30 40\""), (" visible=\"0\"", "")],
            r#"{"set":"plane:Action/object:12/draw_flags","from":1,"to":0}
{"set":"plane:Action/object:12/move_rect","from":[1,2,3,4],"to":[1,2,30,40]}"#,
        ),
        (
            &[(
                "value=\"50\"/>",
                "value=\"50\"/><property name=\"i\" type=\"int\" value=\"3\"/><property name=\"hit_type_flags\" value=\"0xffffffff\"/>",
            )],
            r#"{"set":"plane:Action/object:10#0/i","from":-1,"to":3}
{"set":"plane:Action/object:10#0/hit_type_flags","from":0,"to":4294967295}"#,
        ),
        (
            &[("value=\"50\"/>", "value=\"50\"/><property name=\"metadata\" value=\"0400000007000000\"/>")],
            r#"{"set":"plane:Action/object:10#0/metadata","from":{"bytes":""},"to":{"bytes":"0400000007000000"}}"#,
        ),
        (
            &[(
                "   <property name=\"wwd_id\" type=\"int\" value=\"12\"/>",
                "   <property name=\"wwd_id\" type=\"int\" value=\"13\"/>",
            )],
            r#"{"set":"plane:Action/object:12/id","from":12,"to":13}"#,
        ),
        // The header, by property.
        (&[("type=\"int\" value=\"7\"", "type=\"int\" value=\"-1\"")], r#"{"set":"header/start_x","from":7,"to":-1}"#),
        (
            &[("\"wwd_name\" value=\"\"", "\"wwd_name\" value=\"Level 3\"")],
            r#"{"set":"header/name","from":"","to":"Level 3"}"#,
        ),
        // A plane, by attributes of its layer and by properties.
        (
            &[("id=\"1\" name=\"Action\"", "id=\"1\" name=\"Front\" offsetx=\"-8\" parallaxx=\"0.29\"")],
            r#"{"set":"plane:Action/name","from":"Action","to":"Front"}
{"set":"plane:Action/scroll_x","from":0,"to":-8}
{"set":"plane:Action/movement_x_percent","from":100,"to":29}"#,
        ),
        (
            &[("\"wrap_x\" type=\"bool\" value=\"false\"", "\"wrap_x\" type=\"bool\" value=\"true\"")],
            r#"{"set":"plane:Action/flags","from":1,"to":5}"#,
        ),
        (
            &[(
                "\"image_set_0\" value=\"ACTION\"",
                "\"image_set_0\" value=\"GRASS\"/><property name=\"image_set_1\" value=\"BACK\"",
            )],
            r#"{"set":"plane:Action/image_set#0","from":"ACTION","to":"GRASS"}
{"add":"plane:Action/image_set#1","data":"BACK"}"#,
        ),
        // A tile of an image set that the plane names only now.
        (
            &[
                ("\"image_set_0\" value=\"ACTION\"", "\"image_set_1\" value=\"BACK\""),
                (action, "\n1,103,0,\n0,104,103\n"),
            ],
            r#"{"add":"plane:Action/image_set#1","data":"BACK"}
{"set":"plane:Action/tile:0,0","from":1,"to":65543}"#,
        ),
        // Another size: of the map, which only the plane has that fills it, and of the other plane.
        (
            &[
                ("width=\"3\" height=\"2\" tilewidth", "width=\"2\" height=\"3\" tilewidth"),
                ("name=\"Action\" width=\"3\" height=\"2\"", "name=\"Action\" width=\"2\" height=\"3\""),
                (action, "\n102,103,\n0,104,\n101,0\n"),
                ("name=\"Back\" width=\"3\" height=\"2\"", "name=\"Back\" width=\"2\" height=\"3\""),
                ("\n1,1,0,\n0,0,0\n", "\n1,1,\n0,0,\n0,0\n"),
            ],
            r#"{"set":"plane:Action/tiles_wide","from":3,"to":2}
{"set":"plane:Action/tiles_high","from":2,"to":3}
{"set":"plane:Action/tile:0,2","to":0}"#,
        ),
        (
            &[
                (
                    "value=\"1\"/>\n  </properties>\n  <data",
                    "value=\"1\"/><property name=\"tiles_high\" type=\"int\" value=\"2\"/>\n  </properties>\n  <data",
                ),
                ("\n1,1,0,\n0,0,0\n", "\n1,1,0,\n0,1,0\n"),
            ],
            r#"{"set":"plane:Back/tiles_high","from":1,"to":2}
{"set":"plane:Back/tile:1,1","to":7}"#,
        ),
        // Tile attributes.
        (
            &[
                ("\"attribute\" type=\"int\" value=\"1\"", "\"attribute\" type=\"int\" value=\"4\""),
                ("8 8 56 56", "0 8 64 56"),
            ],
            r#"{"set":"tile_attributes/frame#1/attribute","from":1,"to":4}
{"set":"tile_attributes/frame#2/rect","from":[8,8,56,56],"to":[0,8,64,56]}"#,
        ),
        (
            &[(
                "<tile id=\"0\" type=\"wwd single\"/>",
                "<tile id=\"0\" type=\"wwd double\"><properties><property name=\"inside\" value=\"3\"/></properties></tile>",
            )],
            r#"{"set":"tile_attributes/frame#0/kind","from":1,"to":2}
{"set":"tile_attributes/frame#0/inside","to":3}"#,
        ),
    ];
    for (replacements, expected) in cases {
        assert_eq!(edited(replacements), *expected, "{replacements:?}");
    }
}

#[test]
fn objects_are_added_removed_and_ordered() {
    let added = r#"  <object id="7" name="new" type="Rat" x="10" y="20.6"><point/></object>
  <object id="8" gid="2147483750" x="64" y="128" width="64" height="64"><properties>
   <property name="wwd_id" type="int" value="10"/><property name="score" type="int" value="5"/></properties></object>
  <object id="9" x="0" y="0" width="9" height="5"><properties><property name="wwd_id" type="int" value="40"/></properties></object>
 </objectgroup>"#;
    let changes = edited(&[(" </objectgroup>", added)]);
    let lines: Vec<_> = changes.lines().collect();
    assert_eq!(lines.len(), 3, "{changes}");
    // The id after the highest; that of a copy, which is taken, makes it the next; a free one is kept.
    let said =
        |line: &str, parts: &[&str]| parts.iter().for_each(|part| assert!(line.contains(part), "{part}: {line}"));
    said(
        lines[0],
        &[r#"{"add":"plane:Action/object:13","#, r#""name":"new","logic":"Rat""#, r#""x":10,"y":21,"z":0,"i":-1,"#],
    );
    // A tile stands on its place, and is mirrored by a bit of its id.
    said(lines[1], &[r#"object:14","#, r#""x":96,"y":96,"#, r#""draw_flags":2,"#, r#""score":5,"#]);
    said(lines[2], &[r#"object:40","#, r#""x":5,"y":3,"#]);

    let (from, to) = (SAVED.find("  <object id=\"3\"").unwrap(), SAVED.find("  <object id=\"4\"").unwrap());
    let (last, end) = (&SAVED[to..], SAVED.find(" </objectgroup>").unwrap());
    assert!(
        edited(&[(&SAVED[from..to], "")])
            .starts_with(r#"{"remove":"plane:Action/object:10#1","fields":{"name":"","logic":"Sign","#)
    );
    // The order only counts where the editor shows it.
    let reordered = [(&SAVED[from..end], &*format!("{}{}", &SAVED[to..end], &SAVED[from..to]))];
    assert!(!last.is_empty() && edited(&reordered).is_empty());
    let index = ("name=\"Action objects\"", "name=\"Action objects\" draworder=\"index\"");
    let moved = edited(&[reordered[0], index]);
    assert_eq!(moved, r#"{"move":"plane:Action/object:12","after":"plane:Action/object:11"}"#);
    // A layer that is gone takes its objects along, and two of them are one list.
    let (start, end) = (SAVED.find(" <objectgroup").unwrap(), SAVED.find(" <layer id=\"3\"").unwrap());
    assert_eq!(edited(&[(&SAVED[start..end], "")]).matches("{\"remove\":").count(), 4);
    let split =
        " </objectgroup><objectgroup name=\"more\"><properties><property name=\"plane\" value=\"0\"/></properties>";
    assert_eq!(edited(&[("  <object id=\"4\"", &format!("{split}<object id=\"4\""))]), "");
}

#[test]
fn what_a_level_cannot_hold_is_an_error() {
    let action = "\n102,103,0,\n0,104,103\n";
    let tile = |gid: &str| format!("\n102,103,{gid},\n0,104,103\n");
    let refused = |from: &str, to: &str, expected: &str| {
        let error = edited(&[(from, to)]);
        assert!(error.contains(expected) && !error.starts_with('{'), "{to}: {error}");
    };
    refused(action, &tile("2147483750"), "plane:Action/tile:2,0: the tile is flipped or rotated");
    refused(
        action,
        &tile("1"),
        "plane:Action/tile:2,0: the tile is from the image set \"BACK\", and the plane has only \"ACTION\"",
    );
    let foreign = "<tileset firstgid=\"200\" name=\"Mine\" tilecount=\"1\" columns=\"1\"><image source=\"x.png\"/></tileset>\n <layer id=\"1\"";
    let error = edited(&[(" <layer id=\"1\"", foreign), (action, &tile("200"))]);
    assert!(error.contains("plane:Action/tile:2,0: the tile is from the tileset \"Mine\""), "{error}");
    refused(action, &tile("150"), "tile 49 of the tileset \"ACTION\" shows no frame");
    refused(
        "\n1,1,0,\n0,0,0\n",
        "\n1,1,1,\n0,0,0\n",
        "plane:Back/tile:2,0: \"2,0\" does not fit: the plane has 2x1 tiles",
    );
    refused(action, "\n102,103,0,\n0,104\n", "plane:Action: the layer declares 6 cells and has 5");
    refused("x=\"100\"", "x=\"1e30\"", "plane:Action/object:10#0/x: ");
    refused("x=\"100\"", "x=\"nan\"", "plane:Action/object:10#0/x: \"NaN\" does not fit: -2147483648 to 2147483647");
    refused("value=\"50\"", "value=\"fifty\"", "plane:Action/object:10#0/score: expected an integer, found \"fifty\"");
    refused("value=\"50\"", "value=\"0.5\"", "plane:Action/object:10#0/score: expected an integer");
    refused("value=\"50\"", "value=\"4294967295\"", "4294967295 does not fit: -2147483648 to 2147483647");
    refused(
        "value=\"1 2 3 4\"",
        "value=\"1 2 3\"",
        "plane:Action/object:12/move_rect: \"1 2 3\" does not fit: 4 integers",
    );
    refused(
        "name=\"gem\"",
        "name=\"\u{4e00}\"",
        "plane:Action/object:10#0/name: \"\u{4e00}\" does not fit: a character is not in Windows-1252",
    );
    refused("<object id=\"2\"", "<object id=\"1\"", "plane:Action/object:10#0: the map has two objects with the id 1");
    let error = edited(&[("x=\"1.2812e+06\"", "x=\"9\""), ("value=\"1281197\"", "value=\"5\"")]);
    assert_eq!(error, "plane:Action/object:11/x: the map has two new values for this, 5 and 9");
    refused(
        "tilewidth=\"64\" tileheight=\"64\" infinite",
        "tilewidth=\"32\" tileheight=\"64\" infinite",
        "the map has tiles of 32x64, and the level of 64x64",
    );
    let (start, end) = (SAVED.find(" <layer id=\"3\"").unwrap(), SAVED.find("</map>").unwrap());
    refused(&SAVED[start..end], "", "plane:Back: the tile layer of the plane is missing");
    let copy = SAVED[start..end].replace("\"Back\"", "\"Back copy\"");
    refused("</map>", &format!("{copy}</map>"), "the tile layer \"Back copy\" is no plane of the level");
    refused(
        "type=\"wwd double\"",
        "type=\"wwd mask\"",
        "tile_attributes/frame#2/kind: a map does not have the pixels of a mask",
    );
    refused("type=\"wwd double\"", "type=\"grass\"", "tile_attributes/frame#2/kind: \"grass\" is no kind of attribute");
    refused("</objectgroup>", "<object id=\"9\" template=\"t.tx\"/></objectgroup>", "an instance of a template");
}

#[test]
fn hostile_maps_are_errors() {
    let file = build(&meadow()).bytes;
    let refused = |map: &[u8], expected: &str| {
        let error = plan(&file, map).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    refused(b"", "this is not a Tiled map");
    refused(b"[1]", "this is not a Tiled map");
    refused(b"{}", "the map has tiles of 0x0");
    refused(b"{\n\"layers\": 5}", "line 2: ");
    refused(b"<map>\n<layer>\n", "line 3: ");
    refused(b"<map>\n</layer>", "line 2: ");
    refused(b"<tileset/>", "line 1: the root element is not one `map`");
    refused(b"<map>\n\n\xFF</map>", "line 3: the map is not UTF-8");
    refused(
        b"<!DOCTYPE m [<!ENTITY a \"b\">]><map><properties><property>&a;</property></properties></map>",
        "unknown entity `a`",
    );
    refused(format!("<map>{}", "<group>".repeat(100_000)).as_bytes(), "nested more than 64 deep");
    refused(format!("{{\"layers\":{}", "[{\"layers\":".repeat(100_000)).as_bytes(), "recursion limit");
    let with = |from: &str, to: &str| SAVED.replacen(from, to, 1);
    let large =
        with("name=\"Action\" width=\"3\" height=\"2\"", "name=\"Action\" width=\"4000000000\" height=\"4000000000\"");
    refused(large.as_bytes(), "plane:Action: \"4000000000x4000000000\" does not fit: the layers of the map may have");
    let grown = with("\"tiles_wide\" type=\"int\" value=\"3\"", "\"tiles_wide\" type=\"int\" value=\"2000000000\"");
    refused(grown.as_bytes(), "does not fit: the layers of the map may have");
    // A small stream of many zeros, for six cells.
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    std::io::Write::write_all(&mut encoder, &vec![0; 50_000_000]).unwrap();
    let bomb = STANDARD.encode(encoder.finish().unwrap());
    let bomb = format!("<data encoding=\"base64\" compression=\"zlib\">{bomb}</data>");
    let bomb = with("<data encoding=\"csv\">\n102,103,0,\n0,104,103\n</data>", &bomb);
    refused(bomb.as_bytes(), "the cells of the layer");

    let mut tmj = Vec::new();
    let image = unpack(&file).unwrap();
    let level = Level::parse(&image).unwrap();
    export::plan(&level, Encoding::default()).unwrap()[0].write_tmj(&mut tmj).unwrap();
    let mut rng = Rng::new(1);
    for map in [SAVED.as_bytes(), &tmj] {
        for end in 0..map.len() {
            // What comes after the last element may be missing.
            assert!(plan(&file, &map[..end]).is_err() || end + 2 > map.len(), "{end}");
        }
        for _ in 0..2000 {
            let mut map = map.to_vec();
            for _ in 0..rng.range(1, 6) {
                let at = rng.below(map.len() as u32) as usize;
                map[at] = *b"0123456789-e.\"<>/{}[],:x &".get(rng.below(26) as usize).unwrap();
            }
            if let Ok(changes) = plan(&file, &map) {
                let _ = wwd::apply(&file, &changes);
            }
        }
    }
}
