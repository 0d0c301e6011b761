//! Runs files that cost far more than their size suggests through every path, and checks that output, reports and
//! allocations stay proportional. `ROUNDS=100` makes the bombs a hundred times larger.

use worldview::Format;
use worldview_corpus::bombs::{Bomb, extremes, ff13, island, rez, wwd};
use worldview_corpus::builder::Built;
use worldview_corpus::ff13::build::build_table;
use worldview_corpus::ff13::spec::{ArraysSpec, Generation, TableSpec};
use worldview_corpus::island::generate::small;
use worldview_corpus::trial::rounds;
use worldview_corpus::wwd::spec::{AttributeSpec, AttributeTableSpec, LevelSpec, ObjectSpec, PlaneSpec};
use worldview_rez::PictureKind;
use worldview_tools::paths::{self, Tally};

/// Maximum bytes allocated at once per byte of the file and its image: views of twelve bytes, lists of names, and what
/// is made from them.
const HELD: u64 = 4;
/// Additional allowance: batches and buffers of columns, nodes of a GLB, pictures.
const HELD_BESIDES: u64 = 64 << 20;
/// Maximum inflated size of a packed level in these tests.
const MAX_INFLATE: u64 = 64 << 20;

/// Runs a file through every path and checks the limits. Returns the number of paths.
#[track_caller]
fn bounded(format: Format, name: &str, bytes: &[u8]) -> usize {
    measured(name, bytes, |each| paths::all(format, bytes, MAX_INFLATE, each))
}

/// Runs the paths that `all` passes on, which returns the size of the image or 0, and checks the limits. Returns the
/// number of paths.
#[track_caller]
fn measured(name: &str, bytes: &[u8], all: impl FnOnce(paths::Each<'_>) -> u64) -> usize {
    let mut runs = Vec::new();
    let image = all(&mut |path, run| {
        let mut tally = Tally::default();
        let held = allocation_counter::measure(|| run(&mut tally)).bytes_max;
        runs.push((path, held, tally));
    });
    let size = bytes.len() as u64 + image;
    for (path, held, tally) in &runs {
        tally.check(&format!("{name}: {path}"), (bytes.len(), image));
        assert!(*held <= HELD * size + HELD_BESIDES, "{name}: {path}: {held} bytes held of {size}");
    }
    runs.len()
}

/// Runs all bombs of a format at the given size.
#[track_caller]
fn all_bounded(format: Format, bombs: &[Bomb], size: u64) {
    for bomb in bombs {
        let paths = bounded(format, bomb.name, &bomb.bytes(usize::try_from(rounds(size)).unwrap()));
        assert!(paths > 3, "{}: {paths} paths, so it did not open", bomb.name);
    }
}

#[test]
fn level_bombs_stay_within_their_limits() {
    all_bounded(Format::Wwd, wwd::BOMBS, 40_000);
}

#[test]
fn table_bombs_stay_within_their_limits() {
    all_bounded(Format::Wpd, ff13::TABLES, 40_000);
}

#[test]
fn archive_bombs_stay_within_their_limits() {
    all_bounded(Format::Wpd, ff13::ARCHIVES, 100_000);
}

#[test]
fn database_bombs_stay_within_their_limits() {
    all_bounded(Format::Island, island::BOMBS, 100_000);
}

#[test]
fn rez_and_picture_bombs_stay_within_their_limits() {
    let run = |bomb: &Bomb, size: u64, all: &dyn Fn(&[u8], paths::Each<'_>)| {
        let bytes = bomb.bytes(usize::try_from(rounds(size)).unwrap());
        let paths = measured(bomb.name, &bytes, |each| {
            all(&bytes, each);
            0
        });
        assert!(paths > 3, "{}: {paths} paths, so it did not open", bomb.name);
    };
    for bomb in rez::ARCHIVES {
        run(bomb, 100_000, &paths::rez::archive);
    }
    for bomb in rez::PIDS {
        run(bomb, 600_000, &|bytes, each| paths::rez::picture(PictureKind::Pid, bytes, each));
    }
    for bomb in rez::PCXS {
        run(bomb, 600_000, &|bytes, each| paths::rez::picture(PictureKind::Pcx, bytes, each));
    }
}

/// Sets each count, length and offset to extreme values and to its own position, and runs every `step`-th of these
/// files.
#[track_caller]
fn numbers_lie(format: Format, built: &Built, step: usize) {
    let files = extremes(built, format == Format::Wpd).step_by(step);
    let printed: Vec<_> = files.map(|(name, bytes)| bounded(format, &name, &bytes)).collect();
    assert!(printed.len() > 500 / step, "{}", printed.len());
}

#[test]
fn a_level_with_a_wrong_number_stays_within_its_limits() {
    let mut plane = PlaneSpec::empty(b"P", 64, 3, 2);
    plane.flags = 1;
    plane.tiles = vec![0, 1, 2, 1, 0, 2];
    plane.image_sets = vec![b"SET".to_vec()];
    plane.objects = vec![ObjectSpec { name: b"n".to_vec(), logic: b"l".to_vec(), ..ObjectSpec::default() }; 2];
    let records = vec![AttributeSpec::single(64, 64, 1), AttributeSpec::mask(2, 2, vec![0, 1, 1, 0])];
    let attributes = Some(AttributeTableSpec { records, ..AttributeTableSpec::default() });
    let spec = LevelSpec { planes: vec![plane], attributes, ..LevelSpec::default() };
    numbers_lie(Format::Wwd, &worldview_corpus::wwd::build::build(&spec), 1);
}

#[test]
fn a_table_with_a_wrong_number_stays_within_its_limits() {
    let mut spec = TableSpec::new(Generation::G3, &["sName", "iCount", "s8List", "u1Flag"])
        .row("a", ["text".into(), 1.into(), "one".into(), 1.into()])
        .row("b", ["more".into(), 2.into(), "two".into(), 0.into()]);
    spec.arrays = ArraysSpec { first: vec![vec![b"x".to_vec(), b"y".to_vec()]], ..ArraysSpec::default() };
    numbers_lie(Format::Wpd, &build_table(&spec), 1);
}

#[test]
fn a_database_with_a_wrong_number_stays_within_its_limits() {
    // A file that is not too large and has a bit of everything.
    let built = (0..100).map(|seed| worldview_corpus::island::build::build(&small(seed)));
    let built = built.filter(|built| built.labels.len() > 64).min_by_key(|built| built.labels.len()).unwrap();
    // Each file takes long, because its models are drawn and placed many times. One in eleven still covers all values and most
    // words; `ROUNDS` runs all of them.
    numbers_lie(Format::Island, &built, if rounds(1) > 1 { 1 } else { 11 });
}
