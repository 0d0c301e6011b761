//! WORLD.WDB: the directory, the structure of every blob, every payload byte and every mesh, each against its limit.
#![allow(missing_docs, reason = "criterion's macros make undocumented functions")]
#![allow(clippy::unwrap_used, clippy::arithmetic_side_effects, reason = "a benchmark of files that it made itself")]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use worldview::island::{Contents, Database, Geometry};
use worldview::parallel::{Decoded, Parallel, Scratch};
use worldview_benches::{SEED, read_pass};
use worldview_corpus::island::{generate, naive};

/// The size of the game's own file.
const SIZE: usize = 10_000_000;

fn id(file: &[u8]) -> String {
    format!("{} bytes, seed {SEED}", file.len())
}

/// Opening the file, its directory alone, and all of its blobs.
fn open(criterion: &mut Criterion) {
    let file = generate::database(SEED, SIZE);
    let expected = naive::directory(&file).unwrap();
    let database = Database::parse(&file).unwrap();
    assert_eq!(database.blobs().len(), expected.blobs().len());
    assert_eq!(database.model_refs().len(), expected.worlds.iter().map(|world| world.models.len()).sum::<usize>());
    assert!(!Contents::read(&database).is_broken());
    let mut group = criterion.benchmark_group("open WORLD.WDB");
    group.throughput(Throughput::Bytes(file.len() as u64));
    group.bench_function(BenchmarkId::new("read pass", id(&file)), |bencher| {
        bencher.iter(|| read_pass(black_box(&file)));
    });
    group.bench_function(BenchmarkId::new("directory", id(&file)), |bencher| {
        bencher.iter(|| Database::parse(black_box(&file)).unwrap().blobs().len());
    });
    group.bench_function(BenchmarkId::new("structure checked", id(&file)), |bencher| {
        bencher.iter(|| Contents::read(&Database::parse(black_box(&file)).unwrap()).blobs.len());
    });
    for threads in [1, 2] {
        group.bench_function(BenchmarkId::new(format!("structure checked, bulk of {threads}"), id(&file)), |bencher| {
            let bulk = Parallel::new().threads(if threads == 1 { 1 } else { 0 });
            bencher.iter(|| bulk.contents(&Database::parse(black_box(&file)).unwrap()).blobs.len());
        });
    }
    group.finish();
}

/// What decoding writes: bytes, and a sum of the indices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Written {
    bytes: usize,
    indices: u64,
}

impl Written {
    fn add(&mut self, geometry: &Geometry) {
        self.bytes += size_of_val(geometry.positions.as_slice()) + size_of_val(geometry.normals.as_slice());
        self.bytes += size_of_val(geometry.uvs.as_slice()) + size_of_val(geometry.indices.as_slice());
        self.indices += geometry.indices.iter().map(|&index| u64::from(index)).sum::<u64>();
    }
}

/// Every mesh rebuilt, against copying as many bytes as that writes.
fn decode(criterion: &mut Criterion) {
    let file = generate::database(SEED, SIZE);
    let database = Database::parse(&file).unwrap();
    let all = |bulk: Parallel<'_>| {
        let of_each = bulk.decode(&database, |item, scratch: &mut Scratch| {
            let mut written = Written::default();
            for mesh in item.unwrap().meshes().flatten() {
                mesh.decode_into(&mut scratch.geometry).unwrap();
                written.add(&scratch.geometry);
            }
            written
        });
        of_each.iter().fold(Written::default(), |sum, written| Written {
            bytes: sum.bytes + written.bytes,
            indices: sum.indices + written.indices,
        })
    };
    let naive = naive::database(&file).unwrap();
    let mut indices = 0;
    let mut add = |lods: &[naive::NaiveLod]| {
        for (lod, mesh) in lods.iter().flat_map(|lod| lod.meshes.iter().map(move |mesh| (lod, mesh))) {
            indices += naive::decode(lod, mesh).unwrap().indices.iter().map(|&index| u64::from(index)).sum::<u64>();
        }
    };
    naive.parts.as_ref().unwrap().parts.iter().for_each(|part| add(&part.lods));
    for blob in &naive.blobs {
        match blob.content.as_ref().unwrap() {
            naive::NaiveContent::Parts(parts) => parts.parts.iter().for_each(|part| add(&part.lods)),
            naive::NaiveContent::Model(model) => model.rois.iter().for_each(|roi| add(&roi.lods)),
        }
    }
    let written = all(Parallel::new().threads(1));
    assert_eq!(written.indices, indices);
    let mut group = criterion.benchmark_group("every mesh of WORLD.WDB");
    group.throughput(Throughput::Bytes(written.bytes as u64));
    let from = vec![1_u8; written.bytes];
    // As the meshes are: into a buffer that is used again, so out of memory and into the cache.
    let mut to = vec![0_u8; 1 << 16];
    group.bench_function(BenchmarkId::new("memcpy of what it writes", id(&file)), |bencher| {
        bencher.iter(|| {
            for part in black_box(&from).chunks_exact(to.len()) {
                to.copy_from_slice(part);
                black_box(&to);
            }
        });
    });
    for (name, threads) in [("one thread", 1), ("all threads", 0)] {
        group.bench_function(BenchmarkId::new(name, id(&file)), |bencher| {
            bencher.iter(|| all(Parallel::new().threads(threads)));
        });
    }
    group.finish();
}

/// Every image to red, green and blue.
fn images(criterion: &mut Criterion) {
    let file = generate::database(SEED, SIZE);
    let database = Database::parse(&file).unwrap();
    let pixels = |bulk: Parallel<'_>| -> usize {
        bulk.decode(&database, |item, scratch: &mut Scratch| {
            let mut sum = 0;
            item.unwrap().each(scratch, |decoded| {
                if let Decoded::Image(_, pixels) = decoded {
                    sum += pixels.len();
                }
            });
            sum
        })
        .iter()
        .sum()
    };
    assert!(pixels(Parallel::new()) > 0);
    let mut group = criterion.benchmark_group("every mesh and image of WORLD.WDB");
    group.throughput(Throughput::Bytes(file.len() as u64));
    for (name, threads) in [("one thread", 1), ("all threads", 0)] {
        group.bench_function(BenchmarkId::new(name, id(&file)), |bencher| {
            bencher.iter(|| pixels(Parallel::new().threads(threads)));
        });
    }
    group.finish();
}

criterion_group!(benches, open, decode, images);
criterion_main!(benches);
