//! The committed samples are what the generator makes, and every tool can rely on them.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

use std::fs;
use std::path::Path;

use worldview::wwd;
use worldview_corpus::wwd::samples::samples;

#[test]
fn committed_samples_are_those_of_the_generator() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    for (name, made) in samples() {
        let committed = fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        // Another deflate packs other bytes; what they inflate to is the sample.
        let (committed, made) = (wwd::unpack(&committed).unwrap(), wwd::unpack(&made).unwrap());
        assert!(committed[1524..] == made[1524..], "{name}: `just samples` writes it anew");
        assert_eq!(committed.trailing(), made.trailing(), "{name}");
        assert_eq!(committed.is_packed(), made.is_packed(), "{name}");
    }
}
