//! Exact dumps and JSON. `UPDATE_GOLDEN=1` rewrites the goldens; review the diff before committing it.

mod databases;
mod levels;
mod tables;

/// Compares an output with a file next to this one.
#[track_caller]
fn golden(name: &str, expected: &str, found: &str) {
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/written/");
        return std::fs::write(format!("{folder}{name}"), found).unwrap();
    }
    assert_eq!(found, expected, "{name}");
}
