//! The committed header is the one that the sources give.

use std::fs;
use std::path::Path;

#[test]
fn the_header_is_current() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).unwrap();
    let mut written = Vec::new();
    cbindgen::Builder::new().with_crate(root).with_config(config).generate().unwrap().write(&mut written);
    // In C, a safety section is a sentence like any other.
    let written = String::from_utf8(written).unwrap().replace("// # Safety\n//\n", "");
    let path = root.join("include/worldview.h");
    if std::env::var_os("UPDATE_HEADER").is_some() {
        fs::write(&path, &written).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap();
    assert!(committed == written, "run UPDATE_HEADER=1 cargo test -p worldview-c header and review the difference");
}
