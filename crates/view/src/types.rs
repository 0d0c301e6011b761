//! The types of the answers, for the page: `web/src/types.ts` is generated from the structures that are sent.

use ts_rs::{Config, TS};

use crate::api::types::declarations;
use crate::places::KINDS;

/// What is written above the types.
const HEAD: &str =
    "/// The types of the server's answers. Generated: `UPDATE_GOLDEN=1 cargo test -p worldview-view types`.\n";

/// The bytes that something was read from.
#[derive(TS)]
#[ts(type = "[offset: number, length: number, space: Space]")]
pub(crate) struct Span;

/// A value as changes files have it; see docs/editing.md.
#[derive(TS)]
#[ts(type = "number | string | number[] | { bits: string } | { bytes: string }")]
pub(crate) struct Value;

#[test]
fn the_page_has_the_types_of_the_answers() {
    let union = |name: &str, values: &[&str]| {
        let values: Vec<_> = values.iter().map(|value| format!("'{value}'")).collect();
        format!("\nexport type {name} = {};\n", values.join(" | "))
    };
    let config = Config::new().with_large_int("number");
    let unions = [
        union("Kind", &KINDS),
        union("Tab", &crate::api::types::VIEWS),
        union("Space", &["file", "image"]),
        union("PairChange", &["same", "changed", "added", "removed", "error"]),
        union("Change", &["added", "removed", "changed", "moved"]),
        format!("\nexport {}\n", Span::decl(&config)),
        format!("\nexport {}\n", Value::decl(&config)),
    ];
    let types = [HEAD.to_owned(), unions.concat(), declarations(&config)].concat();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/web/src/types.ts");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(path, &types).unwrap();
    }
    let known = std::fs::read_to_string(path).unwrap();
    assert!(known == types, "web/src/types.ts is out of date: UPDATE_GOLDEN=1 cargo test -p worldview-view types");
}
