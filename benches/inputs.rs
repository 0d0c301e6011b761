//! The inputs: generated, of the proportions of real files, by seed, and found sound by the library's own checks.

use worldview::{Finding, Kind, Severity};
use worldview_corpus::wwd::build::build;
use worldview_corpus::wwd::generate::{Shape as LevelShape, level as describe};
use worldview_corpus::wwd::spec::Packing;

/// The seed of every generated input; part of the benchmark's name.
pub const SEED: u64 = 1;

/// A size of input, and what it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// As in the names of benchmarks.
    pub name: &'static str,
    /// About so many bytes.
    pub bytes: usize,
}

/// In the first two levels of cache.
pub const SMALL: Size = Size { name: "64 KiB", bytes: 64 << 10 };
/// In the last level of cache.
pub const MIDDLE: Size = Size { name: "4 MiB", bytes: 4 << 20 };
/// Out of memory.
pub const LARGE: Size = Size { name: "256 MiB", bytes: 256 << 20 };

/// The size of the game's own WORLD.WDB.
pub const WHOLE: Size = Size { name: "10 MB", bytes: 10_000_000 };

/// Whether this is no measurement: every benchmark runs once, on the smallest inputs, so that none rots.
///
/// As criterion tells it: without `--bench`, which `cargo bench` adds and `cargo test` does not, or with `--test`.
pub fn is_trial() -> bool {
    let given = |wanted: &str| std::env::args().any(|argument| argument == wanted);
    given("--test") || !given("--bench")
}

/// The first of these sizes in a trial, else all.
pub fn sizes<T>(all: &[T]) -> &[T] {
    if is_trial() { all.get(..1).unwrap_or(all) } else { all }
}

/// What a row is called: its size and the seed.
pub fn id(what: &str) -> String {
    format!("{what}, seed {SEED}")
}

/// A level file whose image has about `bytes` bytes, with nothing wrong in it.
///
/// # Panics
///
/// If there is.
pub fn level(bytes: usize, packing: Packing) -> Vec<u8> {
    let file = build(&describe(SEED, &LevelShape { packing, ..LevelShape::sized(bytes as u64) })).bytes;
    sound_level(&file);
    file
}

fn sound_level(file: &[u8]) {
    let unpacked = worldview::wwd::unpack(file).unwrap();
    assert!(!unpacked.checksum().is_unexplained(), "the generated level has a wrong checksum");
    let level = worldview::wwd::Level::parse(&unpacked).unwrap();
    worldview::wwd::check(&unpacked, &level, &mut |finding| sound(&finding));
}

/// A WORLD.WDB of about `bytes` bytes, with nothing wrong in it.
///
/// # Panics
///
/// If there is.
pub fn database(bytes: usize) -> Vec<u8> {
    let file = worldview_corpus::island::generate::database(SEED, bytes);
    let database = worldview::island::Database::parse(&file).unwrap();
    let contents = worldview::island::Contents::read(&database);
    assert!(!contents.is_broken(), "the generated database is broken");
    worldview::island::check(&database, &contents, &mut |finding| sound(&finding));
    file
}

fn sound<K: Kind>(finding: &Finding<'_, K>) {
    assert!(finding.kind.severity() < Severity::Fatal, "{finding}");
}
