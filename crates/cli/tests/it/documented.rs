//! Checks that docs/json.md describes every member of every JSON document, and that recipes print what their pages show.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

#[cfg(unix)]
use crate::support::without_times;
use crate::support::{Folder, WORLDVIEW};

/// The root of the workspace.
fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn run(args: &[&str]) -> Value {
    let mut command = Command::new(WORLDVIEW);
    let done = command.current_dir(root()).args(args).output().unwrap();
    serde_json::from_slice(&done.stdout).unwrap_or_else(|error| panic!("{args:?}: {error}"))
}

/// Collects the names of all members, except for members whose names are codes.
fn members(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => {
            for (name, value) in map {
                names.insert(name.clone());
                if name != "omitted" {
                    members(value, names);
                }
            }
        }
        Value::Array(list) => list.iter().for_each(|value| members(value, names)),
        _ => {}
    }
}

#[test]
fn every_member_is_described() {
    let out = tempfile::tempdir().unwrap();
    let out = out.path().to_str().unwrap();
    let broken = Path::new(out).join("broken.wwd");
    std::fs::write(&broken, b"\xF4\x05\0\0").unwrap();
    let broken = broken.to_str().unwrap();
    let json = ["--format", "json"];
    let mut names = BTreeSet::new();
    for args in [
        &["info", "samples/harbour.wwd", "samples/items.wdb", "samples/effects.bin", "samples/world.wdb", broken][..],
        &["info", "samples/harbour.rez", "samples/harbour.rez/CLAW/SCREENS/TITLE.PCX"],
        &["list", "samples", broken],
        &["check", "samples"],
        &["find", "a", "samples"],
        &["diff", "samples/harbour.wwd", "samples/garden.wwd"],
        &["export", "samples", "-o", out, "--to", "csv,glb,members"],
        &["export", "samples", "-o", out, "--dry-run"],
    ] {
        members(&run(&[args, &json].concat()), &mut names);
    }
    for input in ["harbour.wwd", "effects.bin", "world.wdb"] {
        let manifest = std::fs::read(Path::new(out).join("samples").join(input).join("manifest.ndjson")).unwrap();
        members(&serde_json::from_slice(&manifest).unwrap(), &mut names);
    }
    assert!(names.len() > 100, "{}", names.len());
    let page = std::fs::read_to_string(root().join("docs/json.md")).unwrap();
    let missing: Vec<_> = names.iter().filter(|name| !page.contains(&format!("`{name}`"))).collect();
    assert!(missing.is_empty(), "not in docs/json.md: {missing:?}");
}

#[test]
fn the_columns_of_sheets_are_described() {
    let page = std::fs::read_to_string(root().join("docs/json.md")).unwrap();
    // The samples are clean, so `check` needs another file for its columns.
    let folder = Folder::new();
    let harbour = std::fs::read(root().join("samples/harbour.wwd")).unwrap();
    folder.put("cut.wwd", &harbour[..harbour.len() / 2]);
    let cut = folder.path("cut.wwd").to_str().unwrap().to_owned();
    for args in [
        &["info", "samples/items.wdb"][..],
        &["list", "samples"],
        &["check", &cut, "--fail-on", "never"],
        &["find", "a", "samples"],
        &["diff", "samples/harbour.wwd", "samples/garden.wwd"],
    ] {
        let mut command = Command::new(WORLDVIEW);
        let done = command.current_dir(root()).args(args).args(["--format", "csv"]).output().unwrap();
        let sheet = String::from_utf8(done.stdout).unwrap();
        let head = sheet.lines().next().unwrap();
        for column in head.split(',') {
            assert!(page.contains(&format!("`{column}`")), "{args:?}: {column}");
        }
        // Each row has as many cells as there are columns, regardless of their contents.
        let mut reader = csv::Reader::from_reader(sheet.as_bytes());
        assert!(reader.records().all(|row| row.is_ok()));
        assert!(sheet.lines().count() > 1, "{args:?}");
    }
}

/// Runs the recipes of a page as printed, in their order, in a folder that contains the samples.
#[cfg(unix)]
fn run_recipes(page: &str, least: usize) {
    let (page, folder) = (root().join(page), tempfile::tempdir().unwrap());
    let folder = folder.path();
    std::os::unix::fs::symlink(root().canonicalize().unwrap().join("samples"), folder.join("samples")).unwrap();
    let program = Path::new(WORLDVIEW);
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let (before, mut after, mut is_recipe) = (std::fs::read_to_string(&page).unwrap(), String::new(), false);
    for line in before.lines() {
        is_recipe = if is_recipe { line != "```" } else { line == "```console" };
        let command = line.strip_prefix("$ ").filter(|_| is_recipe);
        if !is_recipe || line == "```console" || command.is_some() {
            after.extend([line, "\n"]);
        }
        if let Some(command) = command {
            let mut shell = std::process::Command::new("sh");
            let done = shell.args(["-c", command]).current_dir(folder).env("PATH", &path).output().unwrap();
            after += &without_times(std::str::from_utf8(&done.stdout).unwrap());
        }
    }
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&page, &after).unwrap();
    }
    assert!(before.matches("```console").count() >= least, "{} has {least} recipes", page.display());
    assert_eq!(after, before, "UPDATE_GOLDEN=1 writes what the command prints");
}

#[cfg(unix)]
#[test]
fn recipes_print_what_the_pages_show() {
    run_recipes("README.md", 5);
    run_recipes("docs/editing.md", 5);
    run_recipes("docs/building.md", 2);
}
