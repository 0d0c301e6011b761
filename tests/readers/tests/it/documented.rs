//! Compares what the code can report with the tables of the format pages.

use std::fs;
use std::path::Path;

fn read(path: impl AsRef<Path>) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::read_to_string(root.join(&path)).unwrap_or_else(|error| panic!("{}: {error}", path.as_ref().display()))
}

#[test]
fn all_findings_are_documented() {
    for (name, codes) in [
        ("island", worldview_island::FindingKind::CODES),
        ("rez", worldview_rez::FindingKind::CODES),
        ("wpd", worldview_wpd::FindingKind::CODES),
        ("wwd", worldview_wwd::FindingKind::CODES),
    ] {
        let page = read(format!("crates/{name}/FORMAT.md"));
        let table = page.split("\n## Findings\n").nth(1).and_then(|rest| rest.split("\n## ").next()).unwrap();
        let rows: Vec<_> = table.lines().filter(|line| line.starts_with("| `")).collect();
        // In the order of the code, without extra rows.
        assert_eq!(rows.len(), codes.len(), "crates/{name}/FORMAT.md");
        for ((code, severity), row) in codes.iter().zip(rows) {
            let start = format!("| `{code}` | {} | ", severity.name());
            assert!(row.starts_with(&start) && row.len() > start.len() + 10, "crates/{name}/FORMAT.md: no row {start}");
        }
    }
}
