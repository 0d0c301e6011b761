//! Benchmarks of whole folders, and of two threads against one.
#![allow(missing_docs, reason = "criterion's macros generate undocumented functions")]
#![allow(clippy::unwrap_used, clippy::arithmetic_side_effects, reason = "a benchmark of files that it generated")]

use std::hint::black_box;
use std::path::{Path, PathBuf};

use criterion::{Criterion, criterion_group, criterion_main};
use worldview::bulk::{self, Bulk};
use worldview::island::{Contents, Database};
use worldview::parallel::{Decoded, Parallel, Scratch};
use worldview::wpd::Table;
use worldview::{Asset, Loader, Walk, island, open, wpd, wwd};
use worldview_benches::inputs::{self, id, is_trial};
use worldview_benches::limits::{inflate, open_and_read, walk_and_read};
use worldview_benches::{Row, by_threads};
use worldview_corpus::ff13::generate::{Shape, table};
use worldview_corpus::tree::{self, Options};
use worldview_corpus::wwd::spec::Packing;

/// Returns the number of findings in a part of a folder.
fn findings(asset: &Asset<'_>) -> usize {
    let mut count = 0;
    match asset {
        Asset::Level(level, file) => wwd::check(file, level, &mut |_| count += 1),
        Asset::Table(table) => wpd::check_table(table, &mut |_| count += 1),
        Asset::Archive(archive) => wpd::check_archive(archive, &mut |_| count += 1),
        Asset::Database(database) => {
            let contents = Contents::read_lossy(database, &mut |_| {});
            island::check(database, &contents, &mut |_| count += 1);
        }
        _ => {}
    }
    count
}

/// The limit for a folder: reads a file, and inflates it if it is a packed level.
fn read_and_inflate(path: &PathBuf, file: &mut Vec<u8>, image: &mut Vec<u8>) -> usize {
    let len = usize::try_from(std::fs::metadata(path).unwrap().len()).unwrap();
    file.resize(file.len().max(len + 1), 0);
    let read = open_and_read(path, file).unwrap();
    let file = file.get(..read).unwrap();
    let word = |at: usize| Some(u32::from_le_bytes(*file.get(at..)?.first_chunk()?));
    if let (Some(1524), Some(2), Some(stream)) = (word(0), word(8).map(|flags| flags & 2), file.get(1524..)) {
        let len = word(0x2e8).map_or(0, |len| len as usize).min(64 << 20);
        image.resize(image.len().max(len), 0);
        black_box(inflate(stream, image));
    }
    read
}

/// The limit for findings: reads all files below a folder, in any order, and checks them. Returns the number of findings and
/// of parts that cannot be opened.
fn walk_and_check(folder: &Path, file: &mut [u8], image: &mut Vec<u8>) -> (usize, usize) {
    let (mut sum, mut failed) = (0, 0);
    walk_and_read(folder, file, &mut |path, bytes| {
        let name = path.file_name().unwrap().to_str().unwrap();
        let options = worldview::Options::new();
        let Ok(opened) = open(bytes, name, image, &options) else {
            failed += 1;
            return;
        };
        sum += findings(&opened.asset);
        let (mut walk, mut nested) = (Walk::new(&opened.asset, opened.at, &options), Vec::new());
        while let Some(found) = walk.next(&mut nested) {
            match found.opened {
                Ok(opened) => sum += findings(&opened.asset),
                Err(_) => failed += 1,
            }
        }
    });
    (sum, failed)
}

/// Everything that `check` does, on a folder of mixed files.
fn check(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    let files = if is_trial() { 50 } else { 2000 };
    let planted = tree::write(folder.path(), &Options { files, ..Options::default() }).unwrap();
    let paths: Vec<PathBuf> =
        [&planted.good, &planted.foreign, &planted.containers].into_iter().flatten().cloned().collect();
    let broken = planted.broken.iter().map(|(path, _)| path.clone());
    let mut paths: Vec<PathBuf> = paths.into_iter().chain(broken).map(|path| folder.path().join(path)).collect();
    paths.sort_unstable();
    let checked = |threads| {
        let (mut sum, mut failed) = (0, 0);
        Bulk::new(Loader::read()).threads(threads).each(
            bulk::walk(folder.path()),
            |_, opened| findings(&opened.asset),
            |_, result| match result {
                Ok(count) => sum += count,
                Err(_) => failed += 1,
            },
        );
        (sum, failed)
    };
    let expected = checked(1);
    let bytes = usize::try_from(planted.bytes).unwrap();
    let largest = paths.iter().map(|path| path.metadata().unwrap().len()).max().unwrap();
    let mut file = vec![0; usize::try_from(largest).unwrap() + 1];
    let mut image = Vec::new();
    for threads in [1, 2] {
        let bulk = Bulk::new(Loader::read()).threads(threads);
        let input = id(&format!("{files} files, {threads} threads"));
        let mut row = Row::new(criterion, "check a folder", input, bytes, expected);
        row.limit("read and inflate", || {
            let mut bytes = 0;
            bulk.ordered(
                &paths,
                || (Vec::new(), Vec::new()),
                |path, (file, image)| read_and_inflate(path, file, image),
                |read| bytes += read,
            );
            bytes
        });
        if threads == 1 {
            row.least("walk, read, the same findings in memory", || {
                walk_and_check(folder.path(), &mut file, &mut image)
            });
        }
        row.ours(|| checked(threads));
    }
    by_threads(criterion, "two threads: check a folder", &id(&format!("{files} files")), bytes, checked);
}

/// Packed levels in memory, inflated.
fn inflated(criterion: &mut Criterion) {
    let size = if is_trial() { 64 << 10 } else { 4 << 20 };
    let file = inputs::level(size, Packing::Zlib { level: 6 });
    let files = vec![file; 64];
    by_threads(criterion, "two threads: inflate", &id("64 levels of 4 MiB"), 64 * size, |threads| {
        let mut sum = 0;
        Bulk::new(Loader::read()).threads(threads).ordered(
            &files,
            Vec::new,
            |file, scratch| wwd::unpack_in(black_box(file), scratch).unwrap().len(),
            |len| sum += len,
        );
        sum
    });
}

/// Decodes every mesh and image of a WORLD.WDB.
fn decoded(criterion: &mut Criterion) {
    let one = |item: worldview::Result<worldview::parallel::DatabasePart<'_>>, scratch: &mut Scratch| {
        let mut sum = 0;
        item.unwrap().each(scratch, |decoded| {
            sum += match decoded {
                Decoded::Image(_, pixels) => pixels.len(),
                Decoded::Mesh(_, geometry) => geometry.unwrap().indices.len(),
            }
        });
        sum
    };
    let sizes = [("10 MB", 10_000_000), ("100 MB", 100_000_000)];
    let [small, large] = sizes.map(|(_, size)| inputs::database(if is_trial() { 64 << 10 } else { size }));
    for (file, (size, _)) in [&small, &large].into_iter().zip(sizes) {
        let database = Database::parse(file).unwrap();
        by_threads(criterion, "two threads: decode WORLD.WDB", &id(size), file.len(), |threads| {
            Parallel::new().threads(threads).decode(&database, one).iter().sum::<usize>()
        });
    }
    let file = large;
    by_threads(criterion, "two threads: structure of WORLD.WDB", &id("100 MB"), file.len(), |threads| {
        Parallel::new().threads(threads).contents(&Database::parse(black_box(&file)).unwrap()).blobs.len()
    });
}

/// Exports tables as CSV and levels as JSON into memory.
fn exported(criterion: &mut Criterion) {
    let size = if is_trial() { 1 << 16 } else { 1 << 20 };
    let files: Vec<Vec<u8>> = (0..16).map(|seed| table(seed, size, &Shape::monster().embedded())).collect();
    by_threads(criterion, "two threads: export", &id("16 tables of 1 MiB as CSV"), 16 * size, |threads| {
        let mut sum = 0;
        Bulk::new(Loader::read()).threads(threads).ordered(
            &files,
            Vec::new,
            |file, out| {
                out.clear();
                let table = Table::parse(black_box(file)).unwrap();
                worldview_export::table::csv::records(&table, &worldview_export::table::Selection::ALL, &mut *out)
                    .unwrap();
                out.len()
            },
            |len| sum += len,
        );
        sum
    });
}

/// Sums columns of tables that fit into no cache.
fn scanned(criterion: &mut Criterion) {
    let size = if is_trial() { 1 << 16 } else { 16 << 20 };
    let files: Vec<Vec<u8>> = (0..8).map(|seed| table(seed, size, &Shape::battle_scene().embedded())).collect();
    by_threads(criterion, "two threads: scan", &id("a column of 8 tables of 16 MiB"), 8 * size, |threads| {
        let mut sum = 0_i32;
        Bulk::new(Loader::read()).threads(threads).ordered(
            &files,
            || (),
            |file, ()| {
                let table = Table::parse(black_box(file)).unwrap();
                table.column::<i32>("iOption0").unwrap().iter().fold(0, i32::wrapping_add)
            },
            |part| sum = sum.wrapping_add(part),
        );
        sum
    });
}

/// So little work that a second thread can only add overhead.
fn tiny(criterion: &mut Criterion) {
    let file = table(1, 4 << 10, &Shape::monster().embedded());
    by_threads(criterion, "two threads: 100 us of work", &id("1 table of 4 KiB"), file.len(), |threads| {
        let mut sum = 0;
        let bulk = Bulk::new(Loader::read()).threads(threads);
        bulk.each(
            [("one.wdb", file.as_slice())],
            |_, opened| findings(&opened.asset),
            |_, result| sum += result.unwrap(),
        );
        sum
    });
    let file = inputs::database(1 << 14);
    by_threads(criterion, "two threads: 100 us of WORLD.WDB", &id("16 KiB"), file.len(), |threads| {
        Parallel::new().threads(threads).contents(&Database::parse(black_box(&file)).unwrap()).blobs.len()
    });
}

criterion_group!(benches, check, inflated, decoded, exported, scanned, tiny);
criterion_main!(benches);
