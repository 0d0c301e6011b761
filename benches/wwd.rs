//! Levels: the checksum's byte sum, and the whole way from the file to every tile, object and attribute, each against
//! its limit.
#![allow(missing_docs, reason = "criterion's macros make undocumented functions")]
#![allow(clippy::unwrap_used, clippy::arithmetic_side_effects, reason = "a benchmark of files that it made itself")]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use flate2::{Decompress, FlushDecompress};
use worldview::wwd::{self, Level};
use worldview_benches::{SEED, level_file, read_pass};
use worldview_corpus::wwd::naive;
use worldview_corpus::wwd::spec::Packing;

const SIZES: [(&str, u64); 2] = [("64 KiB", 64 << 10), ("4 MiB", 4 << 20)];

fn checksum(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("checksum");
    for (name, size) in SIZES {
        let bytes = level_file(size, Packing::Raw);
        let expected = bytes.iter().fold(0_u32, |sum, &byte| sum.wrapping_add(byte.into()));
        assert_eq!(wwd::byte_sum(&bytes), expected);
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        let id = format!("{name}, seed {SEED}");
        group.bench_function(BenchmarkId::new("byte_sum", &id), |bencher| {
            bencher.iter(|| wwd::byte_sum(black_box(&bytes)));
        });
        group.bench_function(BenchmarkId::new("read pass", &id), |bencher| {
            bencher.iter(|| read_pass(black_box(&bytes)));
        });
        group.bench_function(BenchmarkId::new("byte after byte", &id), |bencher| {
            bencher.iter(|| {
                // The order of the additions is hidden from the compiler, which would make vector code of them.
                black_box(&bytes).iter().fold(0_u32, |sum, &byte| black_box(sum.wrapping_add(byte.into())))
            });
        });
    }
    group.finish();
}

/// Everything that a level has, added up.
fn visit(level: &Level<'_>) -> u64 {
    let mut sum = 0_u64;
    for plane in level.planes() {
        sum = plane.tiles().iter().fold(sum, |sum, tile| sum.wrapping_add(tile.get().into()));
        for object in plane.objects() {
            let object = object.unwrap();
            sum = sum.wrapping_add(object.x.get().unsigned_abs().into()).wrapping_add(object.logic.len() as u64);
        }
    }
    for record in level.attributes().records() {
        sum = sum.wrapping_add(record.width().into());
    }
    sum
}

/// The same by the naive reader.
fn visit_naively(file: &[u8]) -> u64 {
    let level = naive::read(file).unwrap();
    let int = |fields, name| naive::int(fields, name).unwrap().unsigned_abs();
    let mut sum = 0_u64;
    for plane in &level.planes {
        sum = plane.tiles.iter().fold(sum, |sum, &tile| sum.wrapping_add(tile.into()));
        for object in &plane.objects {
            sum = sum.wrapping_add(int(&object.fields, "x")).wrapping_add(object.logic.len() as u64);
        }
    }
    for record in level.attribute_table.iter().flat_map(|table| &table.records) {
        sum = sum.wrapping_add(int(&record.fields, "width"));
    }
    sum
}

fn whole_way(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("unpack, parse, verify, visit");
    for (name, size) in SIZES {
        let file = level_file(size, Packing::Zlib { level: 6 });
        let mut scratch = Vec::new();
        let mut ours = |file: &[u8]| {
            let image = wwd::unpack_in(file, &mut scratch).unwrap();
            let verified = !image.checksum().is_unexplained();
            (verified, visit(&Level::parse(&image).unwrap()))
        };
        assert_eq!(ours(&file), (true, visit_naively(&file)));
        let image = wwd::unpack(&file).unwrap().to_vec();
        group.throughput(Throughput::Bytes(image.len() as u64));
        let id = format!("{name}, seed {SEED}");
        group.bench_function(BenchmarkId::new("ours", &id), |bencher| bencher.iter(|| ours(black_box(&file))));
        let mut block = vec![0; image.len()];
        group.bench_function(BenchmarkId::new("bare inflate and a read pass", &id), |bencher| {
            bencher.iter(|| {
                let stream = file.get(1524..).unwrap();
                Decompress::new(true).decompress(black_box(stream), &mut block, FlushDecompress::Finish).unwrap();
                read_pass(&block)
            });
        });
        group.bench_function(BenchmarkId::new("naive reader", &id), |bencher| {
            bencher.iter(|| visit_naively(black_box(&file)));
        });
    }
    group.finish();
}

fn outline(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("outline of a packed level");
    for (name, size) in SIZES {
        let file = level_file(size, Packing::Zlib { level: 6 });
        let mut scratch = Vec::new();
        let planes = wwd::outline(&file, &mut scratch).unwrap().planes.len();
        assert_eq!(planes, naive::read(&file).unwrap().planes.len());
        let id = format!("{name}, seed {SEED}");
        group.bench_function(BenchmarkId::new("ours", &id), |bencher| {
            bencher.iter(|| wwd::outline(black_box(&file), &mut scratch).unwrap().planes.len());
        });
        let mut headers = vec![0; planes * 160];
        group.bench_function(BenchmarkId::new("bare inflate of those bytes", &id), |bencher| {
            bencher.iter(|| {
                let stream = file.get(1524..).unwrap();
                Decompress::new(true).decompress(black_box(stream), &mut headers, FlushDecompress::None).unwrap()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, checksum, whole_way, outline);
criterion_main!(benches);
