mod account;
mod edits;
mod pictures;

use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use worldview_corpus::rng::Rng;
use worldview_corpus::wwd::build::build;
use worldview_corpus::wwd::spec::{AttributeSpec, AttributeTableSpec, LevelSpec, ObjectSpec, PlaneSpec};
use worldview_edit::{Changes, Planned, Result, wwd};
use worldview_export::Encoding;
use worldview_export::level::tiled as export;
use worldview_import::tiled;
use worldview_wwd::{Level, unpack};

fn plan(file: &[u8], map: &[u8]) -> Result<Changes> {
    let image = unpack(file).unwrap();
    tiled::level(&Level::parse(&image).unwrap(), map, Encoding::default()).and_then(Planned::complete)
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

/// The tiles of its main plane.
const CSV: &str = "<data encoding=\"csv\">\n102,103,0,\n0,104,103\n</data>";

/// The saved map with replacements, each of something that it has once.
fn replaced(replacements: &[(&str, &str)]) -> String {
    replacements.iter().fold(SAVED.to_owned(), |map, (from, to)| {
        assert_eq!(map.matches(from).count(), 1, "{from}");
        map.replace(from, to)
    })
}

/// Replacements in a table: `from => to` in each line, with `\n` for a line break.
fn replacements(lines: &str) -> Vec<(String, String)> {
    let lines = lines.lines().map(|line| line.split_once(" =>").unwrap_or_else(|| panic!("{line}")));
    let text = |text: &str| text.replace("\\n", "\n");
    lines.map(|(from, to)| (text(from), text(to.strip_prefix(' ').unwrap_or(to)))).collect()
}

/// Hands replacements of a table to a function that takes them.
fn with<T>(lines: &str, then: impl FnOnce(&[(&str, &str)]) -> T) -> T {
    then(&replacements(lines).iter().map(|(from, to)| (&**from, &**to)).collect::<Vec<_>>())
}

/// The changes that replacements in the saved map give, a line each, as `changes.json` has them.
fn edited(replacements: &[(&str, &str)]) -> String {
    let file = build(&meadow()).bytes;
    let changes = match plan(&file, replaced(replacements).as_bytes()) {
        Ok(changes) => changes,
        Err(error) => return error.to_string(),
    };
    wwd::apply(&file, &changes).unwrap_or_else(|error| panic!("{replacements:?}: {error}"));
    crate::csv::lines(&changes).join("\n")
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
        "layers":[{"type":"tilelayer","name":"Action","width":3,"height":2,"data":[2,3,0,0,4,3],"properties":[
            {"name":"fill_color","type":"float","value":0.0}]},
        {"type":"objectgroup","name":"Action objects","objects":[
            {"id":1,"name":"gem","type":"Treasure","x":100.3,"y":199.6,"width":0,"height":0,"rotation":0,"properties":[
                {"name":"score","value":50},{"name":"wwd_id","value":10}]},
            {"id":2,"class":"Far","x":1281200,"y":-2000000,"properties":[{"name":"wwd_id","value":11}]},
            {"id":3,"type":"Sign","x":5,"y":0,"properties":[{"name":"animation","value":"one\r\ntwo"},{"name":"wwd_id","value":10}]},
            {"id":4,"type":"Lift","x":0,"y":0,"visible":false,"properties":[{"name":"draw_flags","value":1},
                {"name":"move_rect","value":"1 2 3 4"},{"name":"wwd_id","value":12}]}]},
        {"type":"group","name":"g","layers":[
            {"type":"tilelayer","name":"Back","width":3,"height":2,"data":[5,5,0,0,0,0]}]}]}"#;
    let changes = plan(&build(&meadow()).bytes, map.as_bytes()).unwrap();
    assert!(changes.is_empty(), "{}", changes.to_json().unwrap());
}

#[test]
fn every_encoding_of_layers_is_read() {
    let gids = [102_u32, 103, 0, 0, 104, 103];
    let bytes: Vec<u8> = gids.iter().flat_map(|gid| gid.to_le_bytes()).collect();
    let (mut zlib, mut gzip) = (Vec::new(), Vec::new());
    flate2::write::ZlibEncoder::new(&mut zlib, flate2::Compression::default()).write_all(&bytes).unwrap();
    flate2::write::GzEncoder::new(&mut gzip, flate2::Compression::default()).write_all(&bytes).unwrap();
    // RFC 8878: magic, a single segment of 24 bytes, and one raw block, the last.
    let header = [0x28, 0xB5, 0x2F, 0xFD, 0xA0, 24, 0, 0, 0, 1 | (24 << 3), 0, 0];
    let zstd = [&header[..], &bytes].concat();
    let [zlib, gzip, zstd, plain] = [&zlib, &gzip, &zstd, &bytes].map(|bytes| STANDARD.encode(bytes));
    let elements = gids.map(|gid| format!("<tile gid=\"{gid}\"/>")).concat();
    for data in [
        format!("<data encoding=\"base64\" compression=\"zlib\">\n   {zlib}\n  </data>"),
        format!("<data encoding=\"base64\" compression=\"gzip\">{gzip}</data>"),
        format!("<data encoding=\"base64\" compression=\"zstd\">{zstd}</data>"),
        format!("<data encoding=\"base64\">{plain}</data>"),
        format!("<data>{elements}</data>"),
    ] {
        assert_eq!(edited(&[(CSV, &data)]), "", "{data}");
    }
    // An infinite map, in chunks that begin anywhere.
    let chunks = "<data encoding=\"csv\"><chunk x=\"-2\" y=\"0\" width=\"4\" height=\"1\">0,0,102,103</chunk>\
        <chunk x=\"0\" y=\"1\" width=\"3\" height=\"2\">0,104,103,0,0,0</chunk></data>";
    let infinite = ("infinite=\"0\"", "infinite=\"1\"");
    assert_eq!(edited(&[infinite, (CSV, chunks)]), "");
    let outside = chunks.replace("0,0,102,103", "9,0,102,103");
    assert!(edited(&[infinite, (CSV, &outside)]).starts_with("plane:Action/tile:-2,0: the plane has 3x2"));
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
    let entity = b"<!DOCTYPE m [<!ENTITY a \"b\">]><map><properties><property>&a;</property></properties></map>";
    refused(entity, "unknown entity `a`");
    refused(format!("<map>{}", "<group>".repeat(100_000)).as_bytes(), "nested more than 64 deep");
    refused(format!("{{\"layers\":{}", "[{\"layers\":".repeat(100_000)).as_bytes(), "recursion limit");
    let crowd = format!("{{\"layers\":[{}{{}}]}}", "{},".repeat(1_000_000));
    refused(crowd.as_bytes(), "more objects than maps of its length have");
    refused(format!("<map>{}</map>", "<layer/>".repeat(100_000)).as_bytes(), "the map has more than 65536 layers");
    let large = r#"name="Action" width="3" height="2" => name="Action" width="4000000000" height="4000000000""#;
    let why = "plane:Action: \"4000000000x4000000000\" does not fit: the layers of the map may have";
    refused(with(large, replaced).as_bytes(), why);
    let grown = r#""tiles_wide" type="int" value="3" => "tiles_wide" type="int" value="2000000000""#;
    refused(with(grown, replaced).as_bytes(), "does not fit: the layers of the map may have");
    // A small stream of many zeros, for six cells.
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(&vec![0; 50_000_000]).unwrap();
    let bomb = STANDARD.encode(encoder.finish().unwrap());
    let bomb = format!("<data encoding=\"base64\" compression=\"zlib\">{bomb}</data>");
    refused(replaced(&[(CSV, &bomb)]).as_bytes(), "the cells of the layer");

    let mut tmj = Vec::new();
    let image = unpack(&file).unwrap();
    let level = Level::parse(&image).unwrap();
    export::plan(&level, Encoding::default()).unwrap()[0].write_tmj(&mut tmj).unwrap();
    let mut rng = Rng::new(1);
    for map in [SAVED.as_bytes(), &tmj] {
        for end in (0..map.len()).step_by(3) {
            // What comes after the last element may be missing.
            assert!(plan(&file, &map[..end]).is_err() || end + 2 > map.len(), "{end}");
        }
        for _ in 0..1000 {
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
