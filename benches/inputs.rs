//! The inputs: generated from a seed in the proportions of real files, and verified by the library's own checks.

use worldview::{Finding, FindingCode, Loader, Severity};
use worldview_corpus::wwd::build::build;
use worldview_corpus::wwd::generate::{Shape as LevelShape, level as describe};
use worldview_corpus::wwd::spec::Packing;

/// The seed of every generated input, which is part of the benchmark's name.
pub const SEED: u64 = 1;

/// A size of input and its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// The name, as used in the names of benchmarks.
    pub name: &'static str,
    /// Approximate size in bytes.
    pub bytes: usize,
}

/// Fits into the first two cache levels.
pub const SMALL: Size = Size { name: "64 KiB", bytes: 64 << 10 };
/// Fits into the last cache level.
pub const MIDDLE: Size = Size { name: "4 MiB", bytes: 4 << 20 };
/// Exceeds all caches.
pub const LARGE: Size = Size { name: "256 MiB", bytes: 256 << 20 };

/// The size of the game's own WORLD.WDB.
pub const WHOLE: Size = Size { name: "10 MB", bytes: 10_000_000 };

/// Returns `true` in a trial, in which nothing is measured: every benchmark runs once on its smallest inputs, so that
/// it keeps working.
///
/// As in criterion, a run is a trial without `--bench`, which `cargo bench` passes and `cargo test` does not, or with
/// `--test`.
pub fn is_trial() -> bool {
    let given = |wanted: &str| std::env::args().any(|argument| argument == wanted);
    given("--test") || !given("--bench")
}

/// Returns only the first of these sizes in a trial, else all of them.
pub fn sizes<T>(all: &[T]) -> &[T] {
    if is_trial() { all.get(..1).unwrap_or(all) } else { all }
}

/// Returns the loader of the command, which maps large files.
#[expect(unsafe_code, reason = "mapping requires a promise by the caller")]
pub fn mapping() -> Loader {
    // SAFETY: the benchmarks read files in folders that only their process uses, and that nothing writes to meanwhile.
    unsafe { Loader::mmap() }
}

/// Returns the name of a row: its size and the seed.
pub fn id(what: &str) -> String {
    format!("{what}, seed {SEED}")
}

/// Returns a valid level file whose image has about `bytes` bytes.
pub fn level(bytes: usize, packing: Packing) -> Vec<u8> {
    let file = build(&describe(SEED, &LevelShape { packing, ..LevelShape::sized(bytes as u64) })).bytes;
    sound_level(&file);
    file
}

/// Returns valid packed levels of the sizes that games have: a quarter as large as those of Captain Claw, the others as those
/// of Gruntz.
pub fn levels(count: u32) -> impl Iterator<Item = Vec<u8>> {
    (0..count).map(|index| {
        let large = LevelShape { tiles_wide: 200 + index * 4, objects: 900 + index * 25, ..LevelShape::claw() };
        let small = LevelShape { objects: 300 + index * 5, ..LevelShape::gruntz() };
        let file = build(&describe(SEED + u64::from(index), if index % 4 == 0 { &large } else { &small })).bytes;
        sound_level(&file);
        file
    })
}

fn sound_level(file: &[u8]) {
    let unpacked = worldview::wwd::unpack(file).unwrap();
    assert!(!unpacked.checksum().is_unexplained(), "the generated level has a wrong checksum");
    let level = worldview::wwd::Level::parse(&unpacked).unwrap();
    worldview::wwd::check(&unpacked, &level, &mut |finding| sound(&finding));
}

/// Returns a valid WORLD.WDB of about `bytes` bytes.
pub fn database(bytes: usize) -> Vec<u8> {
    let file = worldview_corpus::island::generate::database(SEED, bytes);
    let database = worldview::island::Database::parse(&file).unwrap();
    let contents = worldview::island::Contents::read(&database);
    assert!(!contents.is_broken(), "the generated database is broken");
    worldview::island::check(&database, &contents, &mut |finding| sound(&finding));
    file
}

fn sound<K: FindingCode>(finding: &Finding<'_, K>) {
    assert!(finding.kind.severity() < Severity::Fatal, "{finding}");
}
