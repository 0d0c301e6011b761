//! Checks that the modules of each crate form layers: no module imports another that imports it, directly or through
//! others.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The path of a module, as names; the crate root is empty.
type Module = Vec<String>;

/// Collects the modules of a crate that are files, with their text.
fn modules(folder: &Path, at: &[String], found: &mut BTreeMap<Module, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let module = [at, std::slice::from_ref(&stem)].concat();
        if path.is_dir() {
            // Programs are separate crates.
            if stem != "bin" {
                modules(&path, &module, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let module = if at.is_empty() && ["lib", "main"].contains(&&*stem) { Vec::new() } else { module };
            let module = if stem == "mod" { at.to_vec() } else { module };
            found.entry(module).or_default().push_str(&code(&fs::read_to_string(&path).unwrap()));
        }
    }
}

/// Removes comments and strings.
fn code(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let line = line.split("//").next().unwrap();
        // Keeps the parts of a line outside of quotes; strings over several lines contain no relevant paths.
        out.extend(line.split('"').step_by(2));
        out.push('\n');
    }
    out
}

/// Expands a tree of imports into paths: `a::{b, c::{d, e as f}}` gives `a::b`, `a::c::d` and `a::c::e`.
fn leaves(tree: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some((head, rest)) = tree.split_once('{') else {
        return vec![tree.split(" as ").next().unwrap().trim().to_owned()];
    };
    let inner = &rest[..rest.rfind('}').unwrap()];
    let (mut depth, mut parts) = (0, vec![String::new()]);
    for char in inner.chars() {
        match char {
            ',' if depth == 0 => parts.push(String::new()),
            _ => parts.last_mut().unwrap().push(char),
        }
        depth += i32::from(char == '{') - i32::from(char == '}');
    }
    let parts = parts.iter().filter(|part| !part.trim().is_empty());
    parts.flat_map(|part| leaves(part)).map(|leaf| format!("{head}{leaf}")).collect()
}

/// Returns the paths that a module names, each with whether it is re-exported.
fn paths(text: &str) -> Vec<(String, bool)> {
    let mut paths = Vec::new();
    let mut rest = String::new();
    for statement in text.split_inclusive(';') {
        let is_use = |at: usize| statement[..at].chars().next_back().is_none_or(char::is_whitespace);
        match statement.match_indices("use ").find(|(at, _)| is_use(*at)) {
            Some((at, _)) if statement.ends_with(';') => {
                let is_public = statement[..at].trim_end().ends_with([')', 'b']) && statement[..at].contains("pub");
                let tree = statement[at + 4..].trim_end_matches(';');
                paths.extend(leaves(tree).into_iter().map(|path| (path, is_public)));
                rest.push_str(&statement[..at]);
            }
            _ => rest.push_str(statement),
        }
    }
    let is_path = |char: char| char.is_alphanumeric() || char == '_' || char == ':';
    let named = rest.split(|char| !is_path(char)).map(|path| path.trim_matches(':'));
    paths.extend(named.filter(|path| path.contains("::")).map(|path| (path.to_owned(), false)));
    paths
}

/// Returns which modules of a crate import which others, following re-exports to their definitions.
fn imports(modules: &BTreeMap<Module, String>) -> BTreeSet<(Module, Module)> {
    let absolute = |module: &Module, path: &str| -> Option<Module> {
        let names: Vec<String> = path.split("::").map(str::to_owned).collect();
        let ups = names.iter().take_while(|name| *name == "super").count();
        match &*names[0] {
            "crate" => Some(names[1..].to_vec()),
            "self" => Some([module, &names[1..]].concat()),
            "super" => Some([&module[..module.len().checked_sub(ups)?], &names[ups..]].concat()),
            first => modules
                .contains_key(&[&module[..], &[first.to_owned()]].concat())
                .then(|| [&module[..], &names].concat()),
        }
    };
    let mut all = Vec::new();
    let mut handed_on = BTreeMap::new();
    for (module, text) in modules {
        for (path, is_public) in paths(text) {
            let Some(path) = absolute(module, &path) else { continue };
            if is_public {
                let name = path.last().cloned().unwrap_or_default();
                handed_on.insert([&module[..], &[name]].concat(), path.clone());
            }
            all.push((module.clone(), path));
        }
    }
    // Returns the module that defines a path.
    let home = |mut path: Module| {
        for _ in 0..10 {
            let followed = (1..=path.len()).find_map(|len| {
                let target = handed_on.get(&path[..len]).filter(|target| **target != path[..len])?;
                Some([&target[..], &path[len..]].concat())
            });
            let Some(followed) = followed else { break };
            path = followed;
        }
        (0..=path.len()).rev().map(|len| path[..len].to_vec()).find(|module| modules.contains_key(module))
    };
    all.into_iter().filter_map(|(module, path)| Some((module, home(path)?))).collect()
}

/// Finds a cycle among modules: each imports the next, and the last imports the first.
fn circle(arrows: &BTreeMap<&Module, BTreeSet<&Module>>) -> Option<Vec<String>> {
    let reach = |from: &Module| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(module) = open.pop() {
            for next in arrows.get(module).into_iter().flatten() {
                if seen.insert(*next) {
                    open.push(next);
                }
            }
        }
        seen
    };
    let first = arrows.keys().find(|module| reach(module).contains(**module))?;
    let all = reach(first).into_iter().filter(|module| reach(module).contains(*first));
    Some(all.map(|module| module.join("::")).collect())
}

/// Returns the import cycles of a crate.
///
/// A module and its submodules are one unit in several files, so their imports of each other do not count. From outside
/// they are one: the modules of each folder form layers, each taken together with everything below it.
fn circles(modules: &BTreeMap<Module, String>) -> Vec<Vec<String>> {
    let mut folders: BTreeMap<Module, BTreeSet<(Module, Module)>> = BTreeMap::new();
    for (from, to) in imports(modules) {
        let shared = from.iter().zip(&to).take_while(|(from, to)| from == to).count();
        if shared < from.len().min(to.len()) {
            let arrow = (from[..=shared].to_vec(), to[..=shared].to_vec());
            folders.entry(from[..shared].to_vec()).or_default().insert(arrow);
        }
    }
    let circle_of = |arrows: &BTreeSet<(Module, Module)>| {
        let mut by_module: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
        for (from, to) in arrows {
            by_module.entry(from).or_default().insert(to);
        }
        circle(&by_module)
    };
    folders.values().filter_map(circle_of).collect()
}

fn of_texts(texts: &[(&str, &str)]) -> Vec<Vec<String>> {
    let module = |name: &str| name.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect();
    circles(&texts.iter().map(|(name, text)| (module(name), code(text))).collect())
}

#[test]
fn cycles_are_found_however_they_are_written() {
    let root = ("", "mod a;\nmod b;\npub use a::{self, A};\npub use b::B;");
    let none: Vec<Vec<String>> = Vec::new();
    assert_eq!(of_texts(&[root, ("a", "use crate::b::B;"), ("b", "// use crate::A;\nfn b() { \"crate::A\" }")]), none);
    for b in [
        "use crate::a::A;",
        "use crate::A;",
        "use super::{a::{C, A as D}, B};",
        "fn b() -> crate::A {}",
        "pub(crate) use super::a;",
        "use crate::{\n    // Why.\n    a::A,\n};",
    ] {
        assert_eq!(of_texts(&[root, ("a", "use crate::B;"), ("b", b)]), [["a", "b"]], "{b}");
    }
    // Through a third module, and through a submodule.
    let third = ("c", "use crate::a::A;");
    assert_eq!(of_texts(&[root, ("a", "use crate::b;"), ("b", "use crate::c;"), third]), [["a", "b", "c"]]);
    assert_eq!(of_texts(&[root, ("a", "use crate::b;"), ("b", "mod x;"), ("b::x", "use crate::A;")]), [["a", "b"]]);
    // A module and its submodules are one unit; the submodules form layers of their own.
    let parent = ("a", "mod x;\nmod y;\nuse x::X;\nfn a() { y::y() }");
    assert_eq!(of_texts(&[parent, ("a::x", "use super::A;"), ("a::y", "use super::x;")]), none);
    assert_eq!(of_texts(&[parent, ("a::x", "use super::y;"), ("a::y", "use super::x;")]), [["a::x", "a::y"]]);
}

#[test]
fn modules_form_layers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut seen = 0;
    for member in fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()) {
        let name = member.file_name().unwrap().to_str().unwrap().to_owned();
        let mut found = BTreeMap::new();
        modules(&member.join("src"), &[], &mut found);
        seen += imports(&found).len();
        let circles = circles(&found);
        assert!(circles.is_empty(), "crates/{name}: import cycle among these modules: {circles:?}");
    }
    assert!(seen > 500, "too few imports found: {seen}");
}
