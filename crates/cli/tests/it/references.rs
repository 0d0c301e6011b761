//! References of tables: what `show` says of one record, and what `check` says of values that name no record.

use serde_json::json;
use worldview_corpus::ff13::build::{build_archive, build_table};
use worldview_corpus::ff13::spec::{ArchiveSpec, CellSpec, Generation, MemberSpec, TableSpec};

use crate::support::Folder;

fn items(count: usize) -> TableSpec {
    let spec = TableSpec::new(Generation::G3, &["sNameId", "uPrice"]);
    (0..count).fold(spec, |spec, index| {
        let name = format!("$item_{index:02}");
        spec.row(&format!("it_{index:02}"), [CellSpec::from(name.as_str()), CellSpec::Int(5)])
    })
}

/// A shop for each value, in this order.
fn shops(values: &[String]) -> TableSpec {
    let spec = TableSpec::new(Generation::G3, &["uFloor", "sItem"]);
    values.iter().enumerate().fold(spec, |spec, (index, value)| {
        spec.row(&format!("shop_{index:02}"), [CellSpec::Int(1), CellSpec::from(value.as_str())])
    })
}

/// `hits` values that name items, and `others` that name nothing.
fn values(hits: usize, others: usize) -> Vec<String> {
    let others = (0..others).map(|index| format!("no_{index:02}"));
    (0..hits).map(|index| format!("it_{index:02}")).chain(others).collect()
}

fn bytes(spec: &TableSpec) -> Vec<u8> {
    build_table(spec).bytes
}

fn pack(members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let member = |(name, data): &(&str, Vec<u8>)| MemberSpec {
        extension: b"wdb".to_vec(),
        ..MemberSpec::new(*name, data.clone())
    };
    build_archive(&ArchiveSpec { members: members.iter().map(member).collect(), ..ArchiveSpec::default() }).bytes
}

#[test]
fn a_record_is_shown_with_what_it_refers_to_and_what_refers_to_it() {
    let folder = Folder::new();
    let shops = bytes(&shops(&values(20, 1)));
    folder.put("db/items.wdb", &bytes(&items(40)));
    folder.put("db/shops.wdb", &shops);
    folder.put("db/broken.wdb", b"WPD\0 but no more");
    folder.put("db/world.wdb", &worldview_corpus::sample("world.wdb"));
    // Tables elsewhere are not part of the set.
    folder.put("shops.wdb", &shops);
    let item = "record   it_07\nsNameId  $item_07\nuPrice   5\n\nrefers to:\n  sNameId  $item_07 (a text)\n\n";
    let from = "referred to by:\n  db/shops.wdb/shop_07/sItem\n";
    assert_eq!(folder.ok(&["show", "db/items.wdb/it_07"]), format!("{item}{from}"));
    let shop = "record  shop_07\nuFloor  1\nsItem   it_07\n\nrefers to:\n  sItem  db/items.wdb/it_07\n";
    assert_eq!(folder.ok(&["show", "db/shops.wdb/shop_07"]), shop);
    let shown = folder.ok(&["show", "db/shops.wdb/shop_20"]);
    assert!(shown.ends_with("\n  sItem  no_00 (no record of items.wdb)\n"), "{shown}");
    // What is printed as a path leads there.
    assert!(folder.ok(&["show", "db/shops.wdb/shop_07/sItem"]).ends_with("sItem   it_07\n"));
    // A table whose names are mostly others says nothing about items, and another that refers to them is found.
    let mut others = values(3, 4);
    folder.put("db/notes.wdb", &bytes(&self::shops(&others)));
    assert_eq!(folder.ok(&["show", "db/items.wdb/it_02"]).matches("/sItem").count(), 1);
    others.truncate(5);
    others.push("it_02".to_owned());
    folder.put("db/notes.wdb", &bytes(&self::shops(&others)));
    let shown = folder.ok(&["show", "db/items.wdb/it_02"]);
    let from =
        "referred to by:\n  db/notes.wdb/shop_02/sItem\n  db/notes.wdb/shop_05/sItem\n  db/shops.wdb/shop_02/sItem\n";
    assert!(shown.ends_with(from), "{shown}");
    // With the words for keys, they are shown.
    folder.put("words.txt", b"$item_07 |:| Lamp oil\n");
    let shown = folder.ok(&["show", "db/items.wdb/it_07", "--text", "words.txt"]);
    assert!(shown.contains("  sNameId  $item_07 \"Lamp oil\"\n"), "{shown}");
    // A document, rows, several records and single fields have no references.
    for args in [["--format", "json"], ["--format", "csv"], ["--format", "ndjson"]] {
        let shown = folder.ok(&[&["show", "db/items.wdb/it_07"][..], &args].concat());
        assert!(!shown.contains("shop"), "{shown}");
    }
    for path in ["db/items.wdb/it_0{7,8}", "db/items.wdb/it_07/uPrice", "db/items.wdb"] {
        assert!(!folder.ok(&["show", path]).contains("refer"), "{path}");
    }
}

#[test]
fn a_record_in_an_archive_refers_to_its_other_tables() {
    let folder = Folder::new();
    let members = [("items", bytes(&items(40))), ("shops", bytes(&shops(&values(20, 1))))];
    folder.put("pack.bin", &pack(&members));
    folder.put("outer.bin", &pack(&[("inner", pack(&members)), ("shops", members[1].1.clone())]));
    for archive in ["pack.bin", "outer.bin/inner.wdb"] {
        let shown = folder.ok(&["show", &format!("{archive}/items.wdb/it_07")]);
        assert!(shown.ends_with(&format!("referred to by:\n  {archive}/shops.wdb/shop_07/sItem\n")), "{shown}");
        let shown = folder.ok(&["show", &format!("{archive}/shops.wdb/shop_07")]);
        assert!(shown.ends_with(&format!("refers to:\n  sItem  {archive}/items.wdb/it_07\n")), "{shown}");
    }
}

#[test]
fn many_records_with_a_reference_are_counted() {
    let folder = Folder::new();
    folder.put("items.wdb", &bytes(&items(2)));
    folder.put("shops.wdb", &bytes(&shops(&["it_01"; 25].map(str::to_owned))));
    let shown = folder.ok(&["show", "items.wdb/it_01"]);
    assert!(shown.contains("shop_19/sItem") && !shown.contains("shop_20/sItem"), "{shown}");
    assert!(shown.ends_with("\n  … and 5 more records with this field\n"), "{shown}");
}

/// Returns the findings of `check` about references: the path of each report, the place, and the message.
fn missing(folder: &Folder, path: &str) -> Vec<[String; 3]> {
    let document = folder.json(&["check", path, "--format", "json"]);
    let mut found = Vec::new();
    for file in document["files"].as_array().unwrap() {
        for finding in file["findings"].as_array().unwrap() {
            assert_eq!(finding["code"], json!("reference-missing"), "{finding}");
            assert_eq!(finding["severity"], json!("curious"));
            let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
            found.push([text(&file["path"]), text(&finding["place"]), text(&finding["message"])]);
        }
    }
    found
}

#[test]
fn a_reference_to_no_record_is_found_if_95_percent_of_20_values_are_records() {
    let folder = Folder::new();
    folder.put("db/items.wdb", &bytes(&items(40)));
    let count = |hits, others| {
        folder.put("db/shops.wdb", &bytes(&shops(&values(hits, others))));
        missing(&folder, "db").len()
    };
    // 18 of 19 are too few values, 18 of 20 and 37 of 39 too few records.
    for (hits, others, found) in [(18, 1, 0), (20, 0, 0), (18, 2, 0), (37, 2, 0), (38, 2, 2), (19, 1, 1)] {
        assert_eq!(count(hits, others), found, "{hits} {others}");
    }
    let message = "neither this table nor those beside it have a record no_00; 19 of 20 values of this field are records of items.wdb";
    let expected = ["db/shops.wdb".to_owned(), "shop_19/sItem".to_owned(), message.to_owned()];
    assert_eq!(missing(&folder, "db"), [expected]);
    // The offset is that of the cell, whose four bytes are where the text is in the pool.
    let printed = folder.ok(&["check", "db", "--all"]);
    let offset = printed.split("at offset ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
    let offset: usize = offset.parse().unwrap();
    let table = folder.bytes("db/shops.wdb");
    let pool = table.windows(5).position(|bytes| bytes == b"no_00").unwrap();
    let at = u32::from_be_bytes(table[offset..offset + 4].try_into().unwrap()) as usize;
    let first = table.windows(5).position(|bytes| bytes == b"it_00").unwrap();
    assert_eq!(pool - at, first - first_offset(&table, first), "{printed}");
    // A file alone is not compared with what it was not asked about.
    assert_eq!(missing(&folder, "db/shops.wdb").len(), 0);
    // Repeated values are one finding.
    let mut twice = values(19, 1);
    twice.push("no_00".to_owned());
    folder.put("db/shops.wdb", &bytes(&shops(&twice)));
    let found = missing(&folder, "db");
    assert!(found.len() == 1 && found[0][2].contains("no_00 (2 records with it);"), "{found:?}");
    // A record of any table is one, also of the table itself.
    let extra = TableSpec::new(Generation::G3, &["u"]).row("no_00", [CellSpec::Int(0)]);
    folder.put("db/extra.wdb", &bytes(&extra));
    assert_eq!(missing(&folder, "db").len(), 0);
    // In a folder below, it is none.
    folder.put("db/below/extra.wdb", &bytes(&extra));
    std::fs::remove_file(folder.path("db/extra.wdb")).unwrap();
    assert_eq!(missing(&folder, "db").len(), 1);
    // Of two tables with as many of the names, the smaller one is meant, as by `show`.
    folder.put("db/all.wdb", &bytes(&items(45)));
    let found = missing(&folder, "db");
    assert!(found.len() == 1 && found[0][2].ends_with("records of items.wdb"), "{found:?}");
    assert!(folder.ok(&["show", "db/shops.wdb/shop_00"]).contains("db/items.wdb/it_00"));
}

/// Returns the number that the first shop has for its text, which is at `text`.
fn first_offset(table: &[u8], text: usize) -> usize {
    // The pool begins where its entry says: the name, then the offset.
    let entry = table.windows(16).position(|name| name == b"!!string\0\0\0\0\0\0\0\0").unwrap();
    let pool = u32::from_be_bytes(table[entry + 16..entry + 20].try_into().unwrap());
    text - pool as usize
}

#[test]
fn references_in_an_archive_are_checked() {
    let folder = Folder::new();
    let members = [("items", bytes(&items(40))), ("shops", bytes(&shops(&values(19, 1))))];
    folder.put("pack.bin", &pack(&members));
    let found = missing(&folder, "pack.bin");
    assert!(found.len() == 1 && found[0][0] == "pack.bin/shops.wdb", "{found:?}");
    // Each archive is a set of its own.
    folder
        .put("outer.bin", &pack(&[("a", pack(&members)), ("b", pack(&members[1..])), ("shops", members[1].1.clone())]));
    let found = missing(&folder, "outer.bin");
    assert!(found.len() == 1 && found[0][0] == "outer.bin/a.wdb/shops.wdb", "{found:?}");
}
