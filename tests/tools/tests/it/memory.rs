//! The memory that a source of an edit takes: at most 12 times its size, and 64 MB.

use allocation_counter::measure;
use worldview::wpd::Table;
use worldview::wwd::{Level, LevelDescription, unpack};
use worldview_corpus::ff13::build::build_table;
use worldview_corpus::ff13::spec::{Generation, TableSpec};
use worldview_corpus::wwd::build::build;
use worldview_corpus::wwd::spec::{AttributeSpec, AttributeTableSpec, LevelSpec, PlaneSpec};
use worldview_edit::{Changes, wwd};
use worldview_export::Encoding;
use worldview_export::table::{Selection, csv};
use worldview_import::csv::Options as Sheet;
use worldview_import::{build as new, csv as sheets, json};
use worldview_inspect::json::{lines, write};
use worldview_inspect::{Options, Root};

/// Runs `run` and checks how many bytes it holds at once.
#[track_caller]
fn holds_little(what: &str, size: usize, run: impl FnOnce()) {
    let held = measure(run).bytes_max;
    let limit = 12 * size as u64 + (64 << 20);
    assert!(held <= limit, "{what}: {held} bytes held for a source of {size}");
    // Less would say that nothing was read.
    assert!(held > 10_000, "{what}: {held} bytes");
}

#[test]
fn documents_of_large_levels_take_little_memory() {
    let mut plane = PlaneSpec::empty(b"Action", 64, 3000, 2000);
    plane.flags = 1;
    plane.tiles = (0..6_000_000).map(|tile| 100 + tile % 7).collect();
    let records = vec![AttributeSpec::single(64, 64, 1)];
    let attributes = Some(AttributeTableSpec { records, ..AttributeTableSpec::default() });
    let file = build(&LevelSpec { planes: vec![plane], attributes, ..LevelSpec::default() }).bytes;
    let image = unpack(&file).unwrap();
    let level = Level::parse(&image).unwrap();
    let described = LevelDescription::new(&image, &level);
    let mut document = Vec::new();
    let options = Options { full: true, ..Options::default() };
    write(&Root::new("wwd", level.image(), &described), &options, &mut document).unwrap();
    holds_little("build", document.len(), || {
        drop(new::level(&document, Encoding::default()).unwrap().complete().unwrap())
    });
    let at = document.windows(6).position(|text| text == b"[100,1").unwrap() + 1;
    document[at] = b'9';
    holds_little("apply", document.len(), || {
        assert_eq!(json::level(&image, &level, &document, Encoding::default()).unwrap().changes.len(), 1);
    });
}

#[test]
fn lists_of_many_changes_take_little_memory() {
    let file =
        build(&LevelSpec { planes: vec![PlaneSpec::empty(b"Action", 64, 500, 500)], ..LevelSpec::default() }).bytes;
    let list = |rows: std::ops::Range<u32>| {
        let tiles = rows.flat_map(|row| (0..500).map(move |column| (column, row)));
        let lines = tiles.map(|(x, y)| format!("{{\"set\":\"plane:Action/tile:{x},{y}\",\"to\":{}}}", x % 7));
        format!("{{\"worldview_changes\":1,\"changes\":[{}]}}", lines.collect::<Vec<_>>().join(","))
    };
    let [all, one, other] = [list(0..500), list(0..250), list(250..500)];
    holds_little("changes", all.len(), || {
        let changes = Changes::from_json(all.as_bytes()).unwrap();
        assert_eq!(wwd::apply(&file, &changes).unwrap().account().done, 250_000);
    });
    holds_little("merge", one.len() + other.len(), || {
        let mut merged = Changes::from_json(one.as_bytes()).unwrap();
        merged.merge(&Changes::from_json(other.as_bytes()).unwrap()).unwrap();
        assert_eq!(merged.len(), 250_000);
    });
}

#[test]
fn sheets_of_large_tables_take_little_memory() {
    let mut spec = TableSpec::new(Generation::G3, &["sName", "iCount", "uOther"]);
    for row in 0..100_000 {
        let text = format!("the text of the record {row}");
        spec = spec.row(&format!("r{row:06}"), [text.as_str().into(), row.into(), row.into()]);
    }
    let file = build_table(&spec).bytes;
    let table = Table::parse(&file).unwrap();
    let (mut sheet, mut rows) = (Vec::new(), Vec::new());
    csv::records(&table, &Selection::ALL, &mut sheet).unwrap();
    lines(&Root::new("wdb", table.archive().source(), &table), &["records"], &Options::default(), &mut rows).unwrap();
    // As a spreadsheet saves it: every row is read.
    let saved = String::from_utf8(sheet).unwrap().replace(',', ";");
    holds_little("sheet", saved.len(), || {
        assert!(sheets::records(&table, saved.as_bytes(), &Sheet::default()).unwrap().changes.is_empty());
    });
    holds_little("lines", rows.len(), || assert!(json::records(&table, &rows, true).unwrap().changes.is_empty()));
}
