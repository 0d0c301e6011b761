//! What tools do with descriptions: whole files as text and JSON, comparison of two files, and search in a folder.
#![allow(missing_docs, reason = "criterion's macros generate undocumented functions")]
#![allow(
    clippy::unwrap_used,
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "a benchmark of files that it generated"
)]

use std::hint::black_box;
use std::path::Path;

use criterion::{Criterion, criterion_group, criterion_main};
use memchr::memmem::Finder;
use worldview::bulk::{self, Bulk};
use worldview::island::{Contents, DatabaseDescription};
use worldview::wpd::ArchiveDescription;
use worldview::wwd::{self, LevelDescription};
use worldview::{Asset, Loader, Options as OpenOptions, Walk, open};
use worldview_benches::inputs::{self, Size, id, is_trial};
use worldview_benches::limits::walk_and_read;
use worldview_benches::{Row, by_threads};
use worldview_corpus::ff13::generate::{Shape, table};
use worldview_corpus::tree::{self, Options as TreeOptions};
use worldview_corpus::wwd::spec::Packing;
use worldview_inspect::diff::{self, DiffOptions};
use worldview_inspect::find::{self, Pattern};
use worldview_inspect::{Options, Root, json, text};

/// The allocator of the command, whose work this group measures.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Calls `then` with the description of an asset.
fn described<T>(asset: &Asset<'_>, then: impl FnOnce(&Root<'_>) -> T) -> Option<T> {
    Some(match asset {
        Asset::Level(level, file) => then(
            &Root::new("wwd", level.image(), &LevelDescription::new(file, level)).besides(file.trailing().len() as u64),
        ),
        Asset::Table(table) => then(&Root::new("wdb", table.archive().source(), table)),
        Asset::Archive(archive) => {
            then(&Root::new("wpd", archive.source(), &ArchiveDescription::new(archive).max_depth(0)))
        }
        Asset::Database(database) => {
            let contents = Contents::read(database);
            then(&Root::new("world", database.source(), &DatabaseDescription::new(database, &contents)))
        }
        _ => return None,
    })
}

/// Opens a file and calls `then` with its description. Returns `None` if it cannot be opened.
fn opened<T>(file: &[u8], scratch: &mut Vec<u8>, then: impl FnOnce(&Root<'_>) -> T) -> Option<T> {
    let options = OpenOptions::new();
    described(&open(file, "", scratch, &options).ok()?.asset, then)
}

/// Valid files of 10 MB, one of each format.
fn files(size: usize) -> [(&'static str, Vec<u8>); 3] {
    [
        ("level", inputs::level(size, Packing::Raw)),
        ("table", table(inputs::SEED, size, &Shape::monster().embedded())),
        ("WORLD.WDB", inputs::database(size)),
    ]
}

const TEN: Size = Size { name: "10 MB", bytes: 10_000_000 };

fn size() -> Size {
    if is_trial() { inputs::SMALL } else { TEN }
}

/// A whole file from its bytes to text and to JSON, against the bare writer of JSON with a ready document.
fn show(criterion: &mut Criterion) {
    let options = Options { full: true, ..Options::default() };
    for (name, file) in files(size().bytes) {
        let input = id(&format!("{name} of {}", size().name));
        let (mut out, mut scratch) = (Vec::new(), Vec::new());
        opened(&file, &mut scratch, |root| json::write(root, &options, &mut out)).unwrap().unwrap();
        let document: serde_json::Value = serde_json::from_slice(&out).unwrap();
        let bare = |out: &mut Vec<u8>| {
            out.clear();
            serde_json::to_writer(&mut *out, black_box(&document)).unwrap();
        };
        let expected = out.len();
        let again = |text: &[u8]| serde_json::from_slice::<serde_json::Value>(text).unwrap() == document;
        bare(&mut out);
        assert!(again(&out), "the bare writer gives a different document");
        Row::new(criterion, "whole file as JSON", &input, file.len(), expected)
            .limit("serde_json, with a ready document", || bare(&mut out))
            .ours(|| {
                out.clear();
                opened(black_box(&file), &mut scratch, |root| json::write(root, &options, &mut out)).unwrap().unwrap();
                out.len()
            });
        let mut shown = Vec::new();
        opened(&file, &mut scratch, |root| text::write(root, &options, &mut shown)).unwrap().unwrap();
        let expected = shown.len();
        Row::new(criterion, "whole file as text", &input, file.len(), expected)
            .limit("serde_json, with a ready document", || bare(&mut out))
            .ours(|| {
                shown.clear();
                opened(black_box(&file), &mut scratch, |root| text::write(root, &options, &mut shown))
                    .unwrap()
                    .unwrap();
                shown.len()
            });
    }
}

/// Two files that differ in one byte, against comparing their bytes.
fn compare(criterion: &mut Criterion) {
    for (name, file) in files(size().bytes) {
        let (mut first, mut second) = (Vec::new(), Vec::new());
        let mut compared = |left: &[u8], right: &[u8]| {
            let mut count = 0;
            opened(left, &mut first, |left| {
                opened(right, &mut second, |right| {
                    diff::compare(left, right, &DiffOptions::default(), &mut |_| count += 1).unwrap();
                })
            })??;
            Some(count)
        };
        // Somewhere in the second half there is a byte whose change is a single difference.
        let mut other = file.clone();
        let at = (file.len() / 2..).step_by(1021).take_while(|at| *at < file.len()).find(|&at| {
            other[at] ^= 1;
            let is_one = compared(&file, &other) == Some(1);
            other[at] ^= u8::from(!is_one);
            is_one
        });
        assert!(at.is_some(), "no byte of the {name} is a single difference");
        let input = id(&format!("{name} of {}", size().name));
        Row::new(criterion, "diff of two files", input, file.len() + other.len(), Some(1))
            .least("compare the bytes", || {
                Some(black_box(&file).iter().zip(black_box(&other)).filter(|(left, right)| left != right).count())
            })
            .ours(|| compared(black_box(&file), black_box(&other)));
    }
}

/// Counts the files below a folder that contain something, in any order, read into `file`.
fn grep(folder: &Path, file: &mut [u8], contains: &mut dyn FnMut(&Path, &[u8]) -> bool) -> usize {
    let mut count = 0;
    walk_and_read(folder, file, &mut |path, bytes| count += usize::from(contains(path, bytes)));
    count
}

/// A search in a folder of mixed files, of which one has the text.
fn search(criterion: &mut Criterion) {
    const TEXT: &str = "NeedleInTheHay";
    let folder = tempfile::tempdir().unwrap();
    let count = if is_trial() { 50 } else { 2000 };
    let planted = tree::write(folder.path(), &TreeOptions { files: count, ..TreeOptions::default() }).unwrap();
    let needle = table(inputs::SEED, 10_000, &Shape { sheet: TEXT, ..Shape::monster().embedded() });
    std::fs::write(folder.path().join("needle.wdb"), needle).unwrap();
    let pattern = Pattern::new(TEXT);
    let found = |threads| {
        let mut files = 0;
        Bulk::new(Loader::read()).threads(threads).each(
            bulk::walk(folder.path()),
            |_, opened| {
                let mut hits = 0;
                described(&opened.asset, |root| {
                    _ = find::search(root, &pattern, &Options::default(), &mut |_| hits += 1);
                });
                hits
            },
            |_, hits| files += usize::from(hits.is_ok_and(|hits| hits > 0)),
        );
        files
    };
    let bytes = usize::try_from(planted.bytes).unwrap();
    let (finder, mut file) = (Finder::new(TEXT), vec![0; bytes]);
    let (mut image, mut scratch, mut nested) = (Vec::new(), Vec::new(), Vec::new());
    let options = OpenOptions::new();
    let is_in = |bytes: &[u8]| finder.find(bytes).is_some();
    let mut inflated =
        |_: &Path, bytes: &[u8]| is_in(wwd::unpack_in(bytes, &mut image).as_ref().map_or(bytes, |image| image));
    // Files must be opened to tell what could not be searched.
    let mut opened = |path: &Path, bytes: &[u8]| {
        let mut contains = false;
        let mut look = |asset: &Asset<'_>| {
            contains |= described(asset, |root| is_in(root.source.bytes())) == Some(true);
        };
        let name = path.file_name().unwrap().to_str().unwrap();
        if let Ok(opened) = open(bytes, name, &mut scratch, &options) {
            look(&opened.asset);
            let mut walk = Walk::new(&opened.asset, opened.at, &options);
            while let Some(found) = walk.next(&mut nested) {
                found.opened.iter().for_each(|opened| look(&opened.asset));
            }
        }
        contains
    };
    Row::new(criterion, "find in a folder", id(&format!("{count} files")), bytes, 1)
        .least("walk, read, inflate, search the bytes", || grep(folder.path(), &mut file, &mut inflated))
        .least("the same, with every file opened", || grep(folder.path(), &mut file, &mut opened))
        .ours(|| found(1));
    by_threads(criterion, "two threads: find in a folder", &id(&format!("{count} files")), bytes, found);
}

criterion_group!(benches, show, compare, search);
criterion_main!(benches);
