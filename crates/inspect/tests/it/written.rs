//! Exact dumps and JSON. `UPDATE_GOLDEN=1` rewrites the goldens; review the diff before committing it.

use worldview_inspect::{Options, Root, json, text};

use crate::open::{Described, Open};

mod databases;
mod levels;
mod tables;

/// Returns the dump of a file.
fn dump(open: Open<'_>, bytes: &[u8], name: &str, full: bool) -> String {
    let (mut out, options) = (Vec::new(), Options { full, ..Options::default() });
    let mut write =
        |(source, body): Described<'_>| text::write(&Root::new(name, source, body), &options, &mut out).unwrap();
    open(bytes, &mut write).unwrap();
    String::from_utf8(out).unwrap()
}

/// Returns the JSON of a file.
fn to_json(open: Open<'_>, bytes: &[u8], name: &str) -> String {
    let (mut out, options) = (Vec::new(), Options::default());
    let mut write =
        |(source, body): Described<'_>| json::write(&Root::new(name, source, body), &options, &mut out).unwrap();
    open(bytes, &mut write).unwrap();
    String::from_utf8(out).unwrap()
}

/// Compares an output with a file next to this one.
#[track_caller]
fn golden(name: &str, expected: &str, found: &str) {
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/written/");
        return std::fs::write(format!("{folder}{name}"), found).unwrap();
    }
    assert_eq!(found, expected, "{name}");
}
