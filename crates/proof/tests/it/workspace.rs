//! House rules that can be checked automatically.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(root().join(&path)).unwrap_or_else(|error| panic!("{}: {error}", path.as_ref().display()))
}

/// Returns the folders of all workspace members.
fn members() -> Vec<PathBuf> {
    let mut members: Vec<_> = fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path()).collect();
    members.push(root().join("benches"));
    members.sort();
    members
}

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

#[test]
fn every_member_inherits_the_lints() {
    for member in members() {
        let manifest = fs::read_to_string(member.join("Cargo.toml")).unwrap();
        let mut lines = manifest.lines().map(str::trim).skip_while(|line| *line != "[lints]").skip(1);
        assert_eq!(lines.next(), Some("workspace = true"), "{}", member.display());
    }
}

#[test]
fn format_crates_forbid_unsafe_code_and_relax_no_lint() {
    for name in ["core", "edit", "inspect", "island", "rez", "wpd", "wwd"] {
        let lib = read(format!("crates/{name}/src/lib.rs"));
        assert!(lib.contains("#![forbid(unsafe_code)]"), "{name}");
    }
    for name in ["core", "island", "map", "rez", "simd", "wpd", "wwd"] {
        let mut files = Vec::new();
        rust_files(&root().join("crates").join(name).join("src"), &mut files);
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            assert!(!text.contains("#![allow(clippy"), "{}", file.display());
        }
    }
}

#[test]
fn unsafe_code_is_only_where_it_is_allowed() {
    // Counts `expect` attributes, since the workspace denies `unsafe` without one.
    let sites = |name: &str| {
        let mut files = Vec::new();
        rust_files(&root().join("crates").join(name).join("src"), &mut files);
        files.retain(|file| !file.ends_with("tests.rs"));
        let texts = files.iter().map(|file| fs::read_to_string(file).unwrap());
        texts.map(|text| text.matches("#[expect(unsafe_code").count()).sum::<usize>()
    };
    let crates = members().into_iter().filter(|member| !member.ends_with("benches"));
    let with: Vec<_> = crates.filter_map(|member| member.file_name()?.to_str().map(str::to_owned)).collect();
    let with: Vec<_> = with.iter().filter(|name| sites(name) > 0).collect();
    assert_eq!(with, ["cli", "map", "simd"], "only the program makes the promise that mapping requires");
    assert_eq!(sites("cli"), 1);
    let (map, simd) = (sites("map"), sites("simd"));
    assert!(map + simd <= 12, "{map} for mapping and {simd} for vectors: each needs a review");
}

#[test]
fn libraries_do_not_name_options_of_the_command() {
    let is_option = |line: &str| {
        let mut behind = line.match_indices("--").map(|(at, _)| line[at + 2..].chars().next());
        behind.any(|char| char.is_some_and(|char| char.is_ascii_lowercase())) && !line.contains("cargo ")
    };
    assert!(is_option("\"--scale\"") && is_option("/// As `--scale` says.") && !is_option("// a -- b, or ---"));
    for name in ["core", "edit", "export", "inspect", "island", "map", "rez", "simd", "worldview", "wpd", "wwd"] {
        let mut files = Vec::new();
        rust_files(&root().join("crates").join(name).join("src"), &mut files);
        assert!(!files.is_empty(), "{name}");
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            let line = text.lines().find(|line| is_option(line));
            assert_eq!(
                line,
                None,
                "{}: a limit or an error kind says it, the command names the option",
                file.display()
            );
        }
    }
}

#[test]
fn files_stay_small() {
    let mut files = Vec::new();
    for member in members() {
        rust_files(&member, &mut files);
    }
    assert!(files.len() > 30, "the walk finds the code");
    for file in files {
        let lines = fs::read_to_string(&file).unwrap().lines().count();
        assert!(lines <= 600, "{} has {lines} lines", file.display());
    }
}

#[test]
fn ci_runs_the_lines_of_just_ci() {
    // The recipe's body extends from its name to the next blank line.
    let justfile = read("justfile");
    let recipe = justfile.lines().skip_while(|line| !line.starts_with("ci:")).skip(1);
    let recipe: Vec<_> = recipe.take_while(|line| !line.is_empty()).map(str::trim).collect();
    let script = read(".ci/run");
    let script: Vec<_> = script.lines().skip_while(|line| *line != "# just ci").skip(1).collect();
    assert!(recipe.len() > 5, "{recipe:?}");
    assert_eq!(recipe, script);
}

#[test]
fn every_finding_is_documented() {
    for (name, codes) in [
        ("island", worldview::island::FindingKind::CODES),
        ("rez", worldview_rez::FindingKind::CODES),
        ("wpd", worldview::wpd::FindingKind::CODES),
        ("wwd", worldview::wwd::FindingKind::CODES),
    ] {
        let page = read(format!("docs/formats/{name}.md"));
        let table = page.split("\n## Findings\n").nth(1).and_then(|rest| rest.split("\n## ").next()).unwrap();
        let rows: Vec<_> = table.lines().filter(|line| line.starts_with("| `")).collect();
        // In the order of the code, without extra rows.
        assert_eq!(rows.len(), codes.len(), "docs/formats/{name}.md");
        for ((code, severity), row) in codes.iter().zip(rows) {
            let start = format!("| `{code}` | {} | ", severity.name());
            assert!(row.starts_with(&start) && row.len() > start.len() + 10, "docs/formats/{name}.md: no row {start}");
        }
    }
}

#[test]
fn every_section_that_the_code_names_exists() {
    for name in ["island", "rez", "wpd", "wwd"] {
        let page = read(format!("docs/formats/{name}.md"));
        let headings =
            page.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
        // As rustdoc makes them.
        let anchors: Vec<_> = headings.map(|heading| heading.to_lowercase().replace(' ', "-")).collect();
        let mut files = Vec::new();
        rust_files(&root().join("crates").join(name).join("src"), &mut files);
        let own = files.len();
        rust_files(&root().join("crates/export/src"), &mut files);
        rust_files(&root().join("crates/edit/src"), &mut files);
        let mut named = 0;
        for (index, file) in files.iter().enumerate() {
            let text = fs::read_to_string(file).unwrap();
            let module = if index < own { "(crate::format#".to_owned() } else { format!("(worldview_{name}::format#") };
            for link in text.split(&module).skip(1) {
                let anchor = link.split(')').next().unwrap();
                assert!(anchors.iter().any(|known| known == anchor), "{}: no section {anchor:?}", file.display());
                named += 1;
            }
        }
        assert!(named > 10, "too few links found: {named} of {name}");
    }
}
