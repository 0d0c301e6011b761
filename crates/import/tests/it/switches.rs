//! Switches of Gruntz in edited exports. The level is worked out by hand in `corpus`.

use worldview_corpus::wwd::build::build;
use worldview_corpus::wwd::generate::switches;
use worldview_corpus::wwd::naive::{NaiveLevel, int, read};
use worldview_edit::{Planned, wwd};
use worldview_export::Encoding;
use worldview_export::level::csv as level_csv;
use worldview_export::level::tiled as export;
use worldview_import::csv::{Options, objects};
use worldview_import::tiled;
use worldview_wwd::{Level, unpack};

use crate::csv::{cells, lines};
use crate::messages;

fn with<T>(file: &[u8], then: impl FnOnce(&Level<'_>) -> T) -> T {
    let unpacked = unpack(file).unwrap();
    then(&Level::parse(&unpacked).unwrap())
}

/// The plan of an edited sheet.
fn by_sheet(file: &[u8], edit: impl FnOnce(&mut Vec<Vec<String>>, &dyn Fn(&str) -> usize)) -> Planned {
    let mut csv = Vec::new();
    with(file, |level| level_csv::objects(level, Encoding::default(), &mut csv)).unwrap();
    let mut rows = cells(&csv);
    let names = rows[0].clone();
    edit(&mut rows, &|name| names.iter().position(|other| other == name).unwrap());
    let mut out = ::csv::Writer::from_writer(Vec::new());
    rows.iter().for_each(|row| out.write_record(row).unwrap());
    let sheet = out.into_inner().unwrap();
    with(file, |level| objects(level, &sheet, &Options::default())).unwrap()
}

/// The plan of an edited map.
fn by_map(file: &[u8], edit: impl FnOnce(String) -> String) -> Planned {
    with(file, |level| {
        let mut map = Vec::new();
        export::plan(level, Encoding::default()).unwrap()[0].write_tmx(&mut map).unwrap();
        tiled::level(level, edit(String::from_utf8(map).unwrap()).as_bytes(), Encoding::default()).unwrap()
    })
}

/// The id and speeds of the objects behind the first seven, by the naive reader.
fn added(file: &[u8], planned: &Planned) -> Vec<[i64; 3]> {
    let edited = wwd::apply(file, &planned.changes).unwrap().to_vec();
    let NaiveLevel { planes, .. } = read(&edited).unwrap();
    let words = |name: &str, index: usize| int(&planes[0].objects[index].fields, name).unwrap();
    (7..planes[0].objects.len()).map(|index| ["id", "speed_x", "speed_y"].map(|name| words(name, index))).collect()
}

#[test]
fn a_moved_switch_has_the_same_advice_in_every_form() {
    let file = build(&switches()).bytes;
    let sheet = by_sheet(&file, |rows, column| rows[1][column("x")] = "144".to_owned());
    let map = by_map(&file, |map| map.replacen(r#"x="112""#, r#"x="144""#, 1));
    let set = r#"{"set":"plane:Action/object:770/x","from":112,"to":144}"#;
    for planned in [sheet, map] {
        assert_eq!(lines(&planned.changes), [set]);
        let said = wwd::apply(&file, &planned.changes).unwrap();
        let [entry] = &said.account().entries().collect::<Vec<_>>()[..] else { panic!("one entry") };
        assert_eq!((entry.code.name, entry.path.as_str()), ("switch-id", "plane:Action/object:770"));
    }
}

#[test]
fn a_copied_switch_gets_the_id_of_its_tile_if_that_is_free() {
    let file = build(&switches()).bytes;
    // Column 6, row 3: 6 * 256 + 3. Column 4, row 4 has the id 1028, which another object has; the next after 1282 is 1283.
    let wanted = [[1539, 6, 3], [1540, 3, 2]];
    let says = [
        "another object has the id 770, so the new one gets 1539, that of a switch on its tile",
        "another object has the id 770, so the new one gets 1540",
    ];
    let copies = [(200, 100), (130, 130)];
    let sheet = by_sheet(&file, |rows, column| {
        for (x, y) in copies {
            let mut copy = rows[1].clone();
            (copy[column("x")], copy[column("y")]) = (x.to_string(), y.to_string());
            rows.push(copy);
        }
    });
    let map = by_map(&file, |map| {
        // The first switch, as Tiled copies it.
        let logic = map.find("TileTriggerSwitch").unwrap();
        let start = map[..logic].rfind("<object id=").unwrap();
        let end = map[start..].find("</object>").unwrap() + start + "</object>".len();
        let object = &map[start..end];
        let id = object.split('"').nth(1).unwrap();
        let copies = (1000..).zip(copies).map(|(new, (x, y))| {
            let copy = object.replacen(&format!(r#"id="{id}""#), &format!(r#"id="{new}""#), 1);
            copy.replacen(r#"x="112""#, &format!(r#"x="{x}""#), 1).replacen(r#"y="77""#, &format!(r#"y="{y}""#), 1)
        });
        let copies: String = copies.collect();
        // Tilesets have layers of shapes, before that of the objects.
        let (before, after) = map.rsplit_once("</objectgroup>").unwrap();
        format!("{before}{copies}</objectgroup>{after}")
    });
    for planned in [sheet, map] {
        assert_eq!(added(&file, &planned), wanted);
        assert!(
            says.iter().all(|line| messages(&planned).iter().any(|said| said.contains(line))),
            "{:?}",
            messages(&planned)
        );
    }
    // Once more, the tile has a switch.
    let edited = with(&file, |_| {
        let first = by_sheet(&file, |rows, column| {
            let mut copy = rows[1].clone();
            (copy[column("x")], copy[column("y")]) = ("200".to_owned(), "100".to_owned());
            rows.push(copy);
        });
        wwd::apply(&file, &first.changes).unwrap().to_vec()
    });
    let again = by_sheet(&edited, |rows, column| {
        let mut copy = rows[1].clone();
        (copy[column("x")], copy[column("y")]) = ("201".to_owned(), "101".to_owned());
        rows.push(copy);
    });
    assert_eq!(added(&edited, &again), [[1539, 6, 3], [1540, 3, 2]]);
}
