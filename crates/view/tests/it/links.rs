//! Values that name records of other tables.

use serde_json::{Value, json};
use worldview_corpus::ff13::build::{build_archive, build_table};
use worldview_corpus::ff13::spec::{ArchiveSpec, CellSpec, Generation, MemberSpec, TableSpec};

use crate::client::Viewer;
use crate::support::{Folder, encoded};

fn items() -> Vec<u8> {
    let spec = TableSpec::new(Generation::G3, &["uPrice"]);
    build_table(&(0..40).fold(spec, |spec, index| spec.row(&format!("it_{index:02}"), [CellSpec::Int(index)]))).bytes
}

/// A table with a column that names items, one that names nothing, and one that names its own records.
fn shops() -> Vec<u8> {
    let spec = TableSpec::new(Generation::G3, &["sItem", "sNote", "sNext"]);
    let row = |spec: TableSpec, index: i64| {
        // A few values are no items.
        let item = if index % 10 == 3 { "it_none".to_owned() } else { format!("it_{:02}", index * 7 % 40) };
        let cells: [CellSpec; 3] = [
            item.as_str().into(),
            format!("note {index}").as_str().into(),
            format!("shop_{:02}", (index + 1) % 30).as_str().into(),
        ];
        spec.row(&format!("shop_{index:02}"), cells)
    };
    build_table(&(0..30).fold(spec, row)).bytes
}

#[track_caller]
fn check(viewer: &Viewer, folder: &str) {
    let at = encoded(&format!("{folder}/shops.wdb"));
    let document = viewer.json(&format!("/api/table?at={at}"));
    let links: Vec<_> = document["columns"].as_array().unwrap().iter().map(|column| column["link"].clone()).collect();
    let items = format!("{folder}/items.wdb");
    let shops = format!("{folder}/shops.wdb");
    let link = |at: &str, name: &str, hits, values| json!({"at": at, "name": name, "hits": hits, "values": values});
    // 27 rows name one of 27 different items; three name one that is none.
    let (items_link, shops_link) = (link(&items, "items.wdb", 27, 28), link(&shops, "shops.wdb", 30, 30));
    assert_eq!(links, [Value::Null, items_link, Value::Null, shops_link]);
    let cell = |row: usize, column: usize| {
        viewer.json(&format!("/api/table/cell?at={at}&row={row}&column={column}"))["link"].clone()
    };
    assert_eq!(cell(2, 1), json!({"at": items, "path": "it_14"}));
    assert_eq!(cell(3, 1), Value::Null);
    assert_eq!(cell(29, 3), json!({"at": shops, "path": "shop_00"}));
}

#[test]
fn links_lead_to_tables_of_the_same_folder() {
    let folder = Folder::new();
    folder.write("set/shops.wdb", &shops());
    folder.write("set/items.wdb", &items());
    // A larger table with the same names is less likely, and one with fewer of them is not meant at all.
    let spec = |count: u32| {
        (0..count).fold(TableSpec::new(Generation::G3, &["u"]), |spec, index| {
            spec.row(&format!("it_{index:02}"), [CellSpec::Int(0)])
        })
    };
    folder.write("set/all.wdb", &build_table(&spec(60)).bytes);
    folder.write("set/few.wdb", &build_table(&spec(20)).bytes);
    // Neither other files nor tables elsewhere are part of the set.
    folder.write("set/broken.wdb", b"WPD\0 but no more");
    folder.write("items.wdb", &items());
    let viewer = Viewer::open([folder.path()]);
    check(&viewer, &format!("{}/set", folder.at()));
}

#[test]
fn links_lead_to_tables_of_the_same_archive() {
    let folder = Folder::new();
    let member = |name: &str, data| MemberSpec { extension: b"wdb".to_vec(), ..MemberSpec::new(name, data) };
    let members = vec![member("shops", shops()), member("items", items()), MemberSpec::new("data", "no table")];
    folder.write("pack.bin", &build_archive(&ArchiveSpec { members, ..ArchiveSpec::default() }).bytes);
    folder.write("items.wdb", &items());
    let viewer = Viewer::open([folder.path()]);
    check(&viewer, &format!("{}/pack.bin", folder.at()));
}

#[test]
fn a_table_alone_has_no_links_to_what_is_not_shown() {
    let folder = Folder::new();
    let shops = folder.write("shops.wdb", &shops());
    folder.write("items.wdb", &items());
    let viewer = Viewer::open([shops]);
    let document = viewer.json("/api/table?at=shops.wdb");
    assert_eq!(document["columns"][1].get("link"), None);
}
