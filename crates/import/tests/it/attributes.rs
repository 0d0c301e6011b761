//! Sheets of tile attributes.

use worldview_corpus::sample;
use worldview_corpus::wwd::naive::{NaiveValue as Field, read};
use worldview_edit::{Planned, wwd};
use worldview_export::level::csv as level_csv;
use worldview_import::csv::{Options, attributes};
use worldview_wwd::{Level, unpack};

use crate::csv::lines;

#[test]
fn edited_attributes_become_changes() {
    let file = sample("cellar.wwd");
    let unpacked = unpack(&file).unwrap();
    let level = Level::parse(&unpacked).unwrap();
    let mut sheet = Vec::new();
    level_csv::attributes(&level, &mut sheet).unwrap();
    let sheet = String::from_utf8(sheet).unwrap();
    let first = sheet.lines().nth(1).unwrap();
    assert_eq!(first, "0,single,0,64,64,0,,,,,,,");
    let edited = sheet
        .replacen(first, "0,double,0,64,64,,2,1,0,0,63,20,", 1)
        .replace("152,double,0,64,64,,0,4,0,12,63,63,", "152,mask,0,2,2,,,,,,,,00010203")
        .replace("153,double,0,64,64,,0,4,0,12,63,63,", "153,double,0,64,64,,0,5,0,12,63,62,");
    let plan = |sheet: &str| {
        attributes(&level, sheet.as_bytes(), &Options::default().remove_missing(true)).and_then(Planned::complete)
    };
    let changes = plan(&edited).unwrap();
    assert_eq!(
        lines(&changes),
        [
            r#"{"set":"tile_attributes/frame#0/kind","from":1,"to":2}"#,
            r#"{"set":"tile_attributes/frame#0/outside","to":2}"#,
            r#"{"set":"tile_attributes/frame#0/inside","to":1}"#,
            r#"{"set":"tile_attributes/frame#0/rect","to":[0,0,63,20]}"#,
            r#"{"set":"tile_attributes/frame#152/kind","from":2,"to":3}"#,
            r#"{"set":"tile_attributes/frame#152/width","from":64,"to":2}"#,
            r#"{"set":"tile_attributes/frame#152/height","from":64,"to":2}"#,
            r#"{"set":"tile_attributes/frame#152/pixel:1,0","from":0,"to":1}"#,
            r#"{"set":"tile_attributes/frame#152/pixels:0,1,2,1","from":[0,0],"to":[2,3]}"#,
            r#"{"set":"tile_attributes/frame#153/inside","from":4,"to":5}"#,
            r#"{"set":"tile_attributes/frame#153/rect","from":[0,12,63,63],"to":[0,12,63,62]}"#,
        ]
    );
    let output = read(&wwd::apply(&file, &changes).unwrap().to_vec()).unwrap();
    let records = output.attribute_table.unwrap().records;
    assert_eq!(records[152].mask, [0, 1, 2, 3]);
    assert!(records[153].fields.contains(&("rect", Field::Rect([0, 12, 63, 62]))));
    for (from, to, expected) in [
        ("single,", "double,", "frame#0/attribute: line 2: the cell must be empty in this row"),
        ("single,0,64,64,0,", "single,0,64,64,99999999999,", "frame#0/attribute: line 2: 99999999999 does not fit"),
        ("0,single,", "1,single,", "tile_attributes/frame#1: line 3: the frame has two rows"),
        ("0,single,", "9999,single,", "line 2: no tile attribute has the frame \"9999\", and none can be added"),
        (
            "single,0,64,64,0,,,,,,,",
            "mask,0,2,2,,,,,,,,0001",
            "frame#0/pixels: line 2: expected 2 rows of 2 pixels, found 2 pixels",
        ),
    ] {
        let error = plan(&sheet.replacen(first, &first.replacen(from, to, 1), 1)).unwrap_err().to_string();
        assert!(error.contains(expected), "{to}: {error}");
    }
}
