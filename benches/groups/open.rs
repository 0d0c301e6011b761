//! From a path to bytes and a directory: large files are mapped, small ones are read, and of some levels only the
//! headers are needed.
#![allow(missing_docs, reason = "criterion's macros generate undocumented functions")]
#![allow(clippy::unwrap_used, clippy::arithmetic_side_effects, reason = "a benchmark of files that it generated")]

use std::fs::File;
use std::hint::black_box;
use std::path::{Path, PathBuf};

use criterion::{Criterion, criterion_group, criterion_main};
use memmap2::Mmap;
use worldview::wpd::{Archive, Table};
use worldview::{Loader, wwd};
use worldview_benches::Row;
use worldview_benches::inputs::{self, LARGE, MIDDLE, SMALL, id, mapping, sizes};
use worldview_benches::limits::{entries, in_lines, inflate_some, open_and_read, read_pass};
use worldview_corpus::ff13::generate::{Shape, generic, table_of_rows};
use worldview_corpus::wwd::spec::Packing;

#[expect(unsafe_code, reason = "the limit is the bare call")]
fn map(path: &Path) -> Mmap {
    let file = File::open(path).unwrap();
    // SAFETY: the files are in a folder that only this process uses, and nothing writes to them anymore.
    unsafe { Mmap::map(&file) }.unwrap()
}

/// An archive of a thousand entries and its directory.
fn directory(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    let archive = generic(inputs::SEED, 1000);
    let expected = Archive::parse(&archive).unwrap().entries().iter().map(|entry| u64::from(entry.size.get())).sum();
    for (name, bytes) in sizes(&[("1 MB", 0), ("100 MB", 100_000_000), ("1 GB", 1_000_000_000)]) {
        let path = folder.path().join(name);
        std::fs::write(&path, &archive).unwrap();
        // The bytes after the last member are a hole in the file, and opening touches no page of the members either.
        let len = archive.len().max(*bytes);
        File::options().write(true).open(&path).unwrap().set_len(len as u64).unwrap();
        let load = mapping().map_from(0);
        Row::new(criterion, "open an archive of 1000 entries", id(name), len, expected)
            .least("open, map, unmap, and read the entries", || entries(&map(&path)))
            .ours(|| {
                let bytes = load.open(&path).unwrap();
                Archive::parse(&bytes).unwrap().entries().iter().map(|entry| u64::from(entry.size.get())).sum::<u64>()
            })
            .reader("read whole, then the directory", || {
                let bytes = std::fs::read(&path).unwrap();
                Archive::parse(&bytes).unwrap().entries().iter().map(|entry| u64::from(entry.size.get())).sum()
            });
    }
}

/// A table of two million records, each of 268 bytes and an entry of 32.
fn large_table(criterion: &mut Criterion) {
    for (name, rows) in sizes(&[("6 MB", 20_000), ("600 MB", 2_000_000)]) {
        let file = table_of_rows(inputs::SEED, *rows, 4 << 20, &Shape::chara_set().embedded());
        let archive = Archive::parse(&file).unwrap();
        let entries = file.get(16..16 + 32 * archive.len()).unwrap();
        let last = archive.get(archive.len() - 1).unwrap().name();
        Row::new(criterion, "open a table", id(name), file.len(), *rows)
            .limit("read the entries", || read_pass(black_box(entries)))
            .ours(|| Table::parse(black_box(&file)).unwrap().len())
            .reader("unverified, and the last row by name", || {
                let table = Archive::parse_unverified(black_box(&file)).unwrap().table().unwrap();
                table.by_name(last).unwrap().index() + 1
            });
    }
}

fn file_of(folder: &Path, name: &str, content: &[u8]) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, content).unwrap();
    path
}

/// Files below the size threshold for mapping, without reading the bytes.
fn small(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    for kib in sizes(&[1, 4, 16, 64, 256]) {
        let content: Vec<u8> = (0..kib << 10).map(|at| u8::try_from(at * 31 % 251).unwrap()).collect();
        let path = file_of(folder.path(), &format!("{kib}"), &content);
        let (mut buffer, mut scratch) = (vec![0; content.len() + 65], Vec::new());
        let buffer = in_lines(&mut buffer, content.len() + 1);
        Row::new(criterion, "load small files", format!("{kib} KiB"), content.len(), content.len())
            .limit("open and read into a ready buffer", || open_and_read(&path, black_box(&mut *buffer)).unwrap())
            .ours(|| mapping().open_in(&path, &mut scratch).unwrap().len())
            .reader("worldview, mapped", || mapping().map_from(0).open(&path).unwrap().len())
            .reader("fs::read", || std::fs::read(&path).unwrap().len());
    }
}

/// The crossover between reading and mapping, when every byte is read.
fn read_or_map(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    for kib in sizes(&[64, 256, 512, 1024, 2048, 4096, 65536]) {
        let content: Vec<u8> = (0..kib << 10).map(|at| u8::try_from(at * 31 % 251).unwrap()).collect();
        let path = file_of(folder.path(), &format!("{kib}"), &content);
        let mut scratch = Vec::new();
        Row::new(criterion, "read or map", format!("{kib} KiB"), content.len(), read_pass(&content))
            .reader("worldview, read", || read_pass(&Loader::read().open_in(&path, &mut scratch).unwrap()))
            .reader("worldview, mapped", || read_pass(&mapping().map_from(0).open(&path).unwrap()));
    }
}

/// The headers of a packed level, starting from its path.
fn outline(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    for size in sizes(&[SMALL, MIDDLE, LARGE]) {
        let file = inputs::level(size.bytes, Packing::Zlib { level: 6 });
        let path = file_of(folder.path(), size.name, &file);
        let level = wwd::unpack(&file).unwrap();
        let expected = wwd::Level::parse(&level).unwrap().planes().len();
        let mut headers = vec![0; expected * 160];
        let (mut buffer, mut prefix, mut scratch) = (vec![0; 8 << 10], vec![0; 8 << 10], Vec::new());
        Row::new(criterion, "outline of a packed level", id(size.name), headers.len(), expected)
            .limit("open, read 8 KiB, inflate the headers", || {
                let mut file = File::open(&path).unwrap();
                let read = std::io::Read::read(&mut file, &mut buffer).unwrap();
                inflate_some(black_box(buffer.get(1524..read).unwrap()), &mut headers)
            })
            .ours(|| {
                let file = Loader::read().prefix(&path, &mut prefix).unwrap();
                wwd::outline(black_box(file), &mut scratch).unwrap().planes.len()
            })
            .reader("the whole file unpacked", || {
                let file = std::fs::read(&path).unwrap();
                wwd::Level::parse(&wwd::unpack(&file).unwrap()).unwrap().planes().len()
            });
    }
}

criterion_group!(benches, directory, large_table, small, read_or_map, outline);
criterion_main!(benches);
