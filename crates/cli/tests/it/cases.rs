//! The cases of `tests/cases`: small inputs of which a README says where they come from and what is right.

use std::fs;
use std::path::Path;

use crate::support::{Folder, snapshot_of_files};

mod levels;
mod mods;
mod rez;
mod tables;
mod worlds;

const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/cases");

/// Returns a folder with the files of a case.
fn case(name: &str) -> Folder {
    let folder = Folder::new();
    let root = Path::new(CASES).join(name);
    for below in snapshot_of_files(&root).into_keys() {
        folder.put(below.to_str().unwrap(), &fs::read(root.join(&below)).unwrap());
    }
    folder
}

impl Folder {
    /// Returns the records of a table as CSV.
    fn csv(&self, file: &str) -> String {
        let (_, out, err) = self.said(&["show", file, "--format", "csv"]);
        assert!(!out.is_empty(), "{file}: {err}");
        out
    }

    /// Returns the codes of all findings that `check` has in a file.
    fn codes(&self, file: &str) -> Vec<String> {
        let (_, out, _) = self.said(&["check", "--all", "--format", "csv", file]);
        let mut lines = out.lines();
        let column = lines.next().unwrap().split(',').position(|name| name == "code").unwrap();
        lines.map(|line| line.split(',').nth(column).unwrap().to_owned()).collect()
    }

    /// Exports a file, applies the export after these replacements in one of its files, and returns the changes.
    fn edited(&self, file: &str, kind: &str, sheet: &str, replacements: &[(&str, &str)]) -> Vec<String> {
        self.ok(&["export", file, "-o", "out", "--to", kind, "--overwrite", "always"]);
        let path = format!("out/{file}/{sheet}");
        let mut text = self.text(&path);
        for (from, to) in replacements {
            assert!(text.contains(from), "{from:?} in {text}");
            text = text.replacen(from, to, 1);
        }
        self.put(&path, text.as_bytes());
        let changes = self.ok(&["apply", file, &path, "--dry-run"]);
        self.ok(&["apply", file, &path, "-o", "edited", "--overwrite", "always"]);
        changes
            .lines()
            .filter(|line| line.starts_with("{\"") && !line.contains("worldview_changes"))
            .map(str::to_owned)
            .collect()
    }
}

#[test]
fn every_case_has_a_test() {
    let sources = ["levels", "mods", "rez", "tables", "worlds"].map(|name| {
        let path = format!("{}/tests/it/cases/{name}.rs", env!("CARGO_MANIFEST_DIR"));
        fs::read_to_string(path).unwrap()
    });
    let mut count = 0;
    for entry in fs::read_dir(CASES).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let readme = fs::read_to_string(Path::new(CASES).join(&name).join("README")).unwrap();
        assert!(readme.lines().count() >= 3, "{name}: source, input, right answer");
        let has_test = sources.iter().any(|source| source.contains(&format!("(\"{name}\"")));
        assert!(has_test, "{name}");
        count += 1;
    }
    assert!(count >= 39, "{count}");
}
