//! Whole folders: in file order on any number of threads, with a bounded window, and bad files among good ones.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex};

use worldview::bulk::{self, Bulk, BulkError, BulkProgress, FilePart, Input};
use worldview::parallel::Parallel;
use worldview::{Asset, Loader, OpenError, Opened, Options};
use worldview_corpus::{ff13, island, wwd};

/// The samples of all formats, by name.
fn samples() -> Vec<(String, Vec<u8>)> {
    let all = [wwd::samples(), ff13::samples(), island::samples()];
    all.into_iter().flatten().map(|(name, file)| (name.to_owned(), file)).collect()
}

/// Creates a folder with many small files, of which every tenth is truncated, and every tenth of an unknown format.
fn folder(files: usize) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let samples = samples();
    for number in 0..files {
        let (name, file) = &samples[number % samples.len()];
        let file = match number % 10 {
            7 => &file[..file.len() / 3],
            9 => b"of nobody",
            _ => &file[..],
        };
        // With the name of a known format, it would be opened as that.
        let name = if number % 10 == 9 { "notes.txt" } else { name };
        std::fs::write(dir.path().join(format!("{number:04}-{name}")), file).unwrap();
    }
    dir
}

fn count(_: &FilePart, opened: &Opened<'_>) -> (&'static str, usize) {
    let parts = match &opened.asset {
        Asset::Level(level, _) => level.planes().len(),
        Asset::Table(table) => table.len(),
        Asset::Archive(archive) => archive.members().len(),
        Asset::Database(database) => database.blobs().len(),
        _ => usize::MAX,
    };
    (opened.kind().name(), parts)
}

/// A kind of asset, and the number of its parts.
type Counted = (&'static str, usize);

fn printed(results: Vec<(FilePart, Result<Counted, BulkError>)>) -> Vec<String> {
    results.into_iter().map(|(item, result)| format!("{item} {result:?}")).collect()
}

#[test]
fn any_number_of_threads_gives_the_same_in_the_order_of_the_files() {
    let dir = folder(200);
    let bulk = Bulk::new(Loader::read());
    let alone = printed(bulk.threads(1).collect(bulk::walk(dir.path()), count));
    assert!(alone.len() > 200, "archives give what is in them as well");
    assert!(alone.is_sorted_by_key(|line| line.split("-").next().unwrap_or("").to_owned()));
    for (threads, window) in [(0, 64), (2, 1), (3, 2), (8, 500)] {
        let many = printed(bulk.threads(threads).window(window).collect(bulk::walk(dir.path()), count));
        assert_eq!(many, alone, "{threads} threads, {window} ahead");
    }
}

#[test]
fn a_bad_file_is_one_error_among_the_results() {
    let dir = folder(20);
    let results = Bulk::new(Loader::read()).collect(bulk::walk(dir.path()), count);
    let of = |number: &str| -> Vec<_> {
        let is_it = |item: &&(FilePart, _)| item.0.path.file_name().unwrap().to_string_lossy().starts_with(number);
        results.iter().filter(is_it).collect()
    };
    assert!(matches!(of("0009")[..], [(_, Err(BulkError::Open(OpenError::Unknown)))]));
    assert!(matches!(of("0019")[..], [(_, Err(BulkError::Open(OpenError::Unknown)))]));
    assert!(matches!(of("0007")[..], [(_, Err(BulkError::Open(OpenError::Format(_))))]), "{:?}", of("0007"));
    let failed = results.iter().filter(|(_, result)| result.is_err()).count();
    assert_eq!(failed, 4, "and nothing else failed");
    let missing = Bulk::new(Loader::read()).collect(["no such file"], count);
    assert!(matches!(&missing[..], [(_, Err(BulkError::Io(error)))] if error.kind() == std::io::ErrorKind::NotFound));
}

#[test]
fn large_files_of_nobody_are_not_opened_and_containers_are_named() {
    let dir = tempfile::tempdir().unwrap();
    // A sparse file of one tebibyte: reading it would take forever.
    std::fs::File::create(dir.path().join("film.avi")).unwrap().set_len(1 << 40).unwrap();
    let mut rar = b"Rar!\x1a\x07\0".to_vec();
    rar.resize(100_000, b' ');
    std::fs::write(dir.path().join("game.rar"), &rar).unwrap();
    let results = Bulk::new(Loader::read()).collect(bulk::walk(dir.path()), count);
    let errors: Vec<_> = results.into_iter().map(|(_, result)| result.unwrap_err()).collect();
    assert!(matches!(
        errors[..],
        [BulkError::Open(OpenError::Unknown), BulkError::Open(OpenError::Container(worldview::Container::Rar))]
    ));
}

#[test]
fn archives_give_what_is_nested_in_them() {
    let (name, pack) = ff13::samples().into_iter().find(|(name, _)| name.ends_with(".bin")).unwrap();
    let seen = |depth| -> Vec<_> {
        let options = Options { max_depth: depth, ..Options::new() };
        let bulk = Bulk::new(Loader::read()).options(&options);
        bulk.collect([(name, &pack[..])], |item, opened| format!("{} {}", item.inside, opened.kind().name()))
            .into_iter()
            .map(|(item, result)| result.unwrap_or_else(|error| format!("{} {error}", item.inside)))
            .collect()
    };
    let all = seen(16);
    // The sample archive contains three tables.
    assert_eq!(all, [" archive", "r_bells.wdb table", "r_lamps.wdb table", "r_tides.wdb table"]);
    assert!(seen(0)[1].contains("depth of nested archive"), "{:?}", seen(0));
}

#[test]
fn no_more_files_are_ahead_than_the_window_has() {
    // The first file waits until the others cannot continue because the window is full.
    let (begun, woken) = (AtomicUsize::new(0), (Mutex::new(0_usize), Condvar::new()));
    let window = 5;
    let mut sunk = Vec::new();
    Bulk::new(Loader::read()).threads(3).window(window).ordered(
        0..40_usize,
        || (),
        |number, ()| {
            begun.fetch_add(1, Ordering::SeqCst);
            let (done, bell) = &woken;
            if number == 0 {
                // All files in the window except this one are done.
                let guard = done.lock().unwrap();
                drop(bell.wait_while(guard, |done| *done < window - 1).unwrap());
                assert_eq!(begun.load(Ordering::SeqCst), window);
            } else {
                *done.lock().unwrap() += 1;
                bell.notify_all();
            }
            number
        },
        |number| sunk.push(number),
    );
    assert!(sunk.into_iter().eq(0..40));
}

#[test]
fn a_scratch_belongs_to_one_thread_and_is_used_again() {
    let made = AtomicUsize::new(0);
    Bulk::new(Loader::read()).threads(4).ordered(
        0..1000,
        || {
            made.fetch_add(1, Ordering::SeqCst);
            AtomicBool::new(false)
        },
        |_, in_use| {
            assert!(!in_use.swap(true, Ordering::SeqCst));
            in_use.store(false, Ordering::SeqCst);
        },
        |()| {},
    );
    assert!(made.into_inner() <= 4);
}

#[test]
fn a_cancelled_run_begins_no_further_file() {
    for threads in [1, 4] {
        let cancel = AtomicBool::new(false);
        let mut sunk = Vec::new();
        Bulk::new(Loader::read()).threads(threads).window(8).cancel(&cancel).ordered(
            0..10_000,
            || (),
            |number, ()| number,
            |number| {
                sunk.push(number);
                cancel.fetch_or(number == 9, Ordering::SeqCst);
            },
        );
        // Files that were started still yield results, in order.
        assert!(sunk.len() >= 10 && sunk.len() <= 10 + 8, "{}", sunk.len());
        assert!(sunk.iter().copied().eq(0..i32::try_from(sunk.len()).unwrap()));
    }
}

#[test]
fn the_work_on_a_file_may_be_on_many_threads_itself() {
    let file = island::generate::database(3, 1 << 20);
    let inputs: Vec<_> = (0..12).map(|_| ("WORLD.WDB", &file[..])).collect();
    let blobs = Bulk::new(Loader::read()).threads(3).window(4).collect(inputs, |_, opened| match &opened.asset {
        Asset::Database(database) => Parallel::new().decode(database, |item, _| item.is_ok()).len(),
        _ => 0,
    });
    let counts: BTreeSet<_> = blobs.into_iter().map(|(_, result)| result.unwrap()).collect();
    assert_eq!(counts.len(), 1);
    assert!(counts.first() > Some(&2));
}

#[test]
fn progress_counts_files_failures_and_bytes() {
    let seen = Mutex::new(Vec::new());
    let report = |progress: BulkProgress| seen.lock().unwrap().push(progress);
    let good = samples().remove(0).1;
    let inputs = [("a", &good[..]), ("b", b"of nobody"), ("c", &good[..])].map(Input::from);
    let done = Bulk::new(Loader::read()).threads(2).progress(&report).each(inputs, count, |_, _| {});
    let seen = seen.into_inner().unwrap();
    let length = good.len() as u64;
    let counts: Vec<_> = seen.iter().map(|now| (now.files, now.failed, now.bytes)).collect();
    assert_eq!(counts, [(1, 0, length), (2, 1, length + 9), (3, 1, 2 * length + 9)]);
    assert_eq!(seen.last(), Some(&done));
}
