//! Names the shared library by its version, so that a program never loads one with another binary interface.

use std::env;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let part = |name: &str| env::var(name).unwrap_or_default();
    // Before 1.0, a minor version may break programs, as `worldview-config-version.cmake.in` has it.
    let version = match (part("CARGO_PKG_VERSION_MAJOR"), part("CARGO_PKG_VERSION_MINOR")) {
        (major, minor) if major == "0" => format!("0.{minor}"),
        (major, _) => major,
    };
    match (part("CARGO_CFG_TARGET_VENDOR").as_str(), part("CARGO_CFG_TARGET_FAMILY").as_str()) {
        ("apple", _) => println!("cargo:rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libworldview.{version}.dylib"),
        (_, "unix") => println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libworldview.so.{version}"),
        _ => {}
    }
}
