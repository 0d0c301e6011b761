//! The committed header is the one that the sources give.

use std::fs;
use std::path::Path;

/// The types of arguments that are pointers in the header.
const POINTERS: [&str; 4] = ["ErrorOut", "Grown", "Out", "OwnedOut"];

#[test]
fn the_header_is_current() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).unwrap();
    let mut written = Vec::new();
    cbindgen::Builder::new().with_crate(root).with_config(config).generate().unwrap().write(&mut written);
    // In C, a safety section is a sentence like any other.
    let written = String::from_utf8(written).unwrap().replace("// # Safety\n//\n", "");
    let (mut blocks, mut pointers) = (Vec::new(), Vec::new());
    for block in written.split("\n\n") {
        let last = block.lines().last().unwrap_or_default();
        let alias = last.strip_prefix("typedef ").and_then(|last| last.strip_suffix(';')?.rsplit_once('*'));
        match alias.filter(|(_, name)| name.split('_').next().is_some_and(|name| POINTERS.contains(&name))) {
            Some((target, name)) => pointers.push((format!("{name} "), format!("{target}*"))),
            None => blocks.push(block),
        }
    }
    // No name is the end of another one that comes first.
    pointers.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    let written = pointers.iter().fold(blocks.join("\n\n"), |text, (name, pointer)| text.replace(name, pointer));
    let path = root.join("include/worldview.h");
    if std::env::var_os("UPDATE_HEADER").is_some() {
        fs::write(&path, &written).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap();
    assert!(committed == written, "run UPDATE_HEADER=1 cargo test -p worldview-c header and review the difference");
}
