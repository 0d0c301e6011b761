//! Opening files: read into a reused buffer against mapped, each with a read pass, and the bare calls beside them.
//! Where the two cross is `MAP_FROM`.
#![allow(missing_docs, reason = "criterion's macros make undocumented functions")]
#![allow(clippy::unwrap_used, clippy::arithmetic_side_effects, reason = "a benchmark of files that it made itself")]

use std::fs::File;
use std::hint::black_box;
use std::io::Read as _;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use worldview::Loader;
use worldview_benches::read_pass;

fn load(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    let mut group = criterion.benchmark_group("load");
    for kib in [1_u64, 4, 64, 256, 512, 1024, 2048, 4096, 16384, 65536] {
        let len = usize::try_from(kib << 10).unwrap();
        let path = folder.path().join(format!("{kib}"));
        let content: Vec<u8> = (0..len).map(|at| u8::try_from(at * 31 % 251).unwrap()).collect();
        std::fs::write(&path, &content).unwrap();
        let expected = read_pass(&content);
        group.throughput(Throughput::Bytes(kib << 10));

        let mut scratch = Vec::new();
        let read = Loader::read();
        assert_eq!(read_pass(&read.open_in(&path, &mut scratch).unwrap()), expected);
        group.bench_function(BenchmarkId::new("read", kib), |bencher| {
            bencher.iter(|| read_pass(&read.open_in(&path, &mut scratch).unwrap()));
        });

        #[expect(unsafe_code, reason = "mapping asks for a promise")]
        // SAFETY: the files lie in a folder of this process alone, and nothing writes to them any more.
        let map = unsafe { Loader::mmap() }.map_from(0);
        assert_eq!(read_pass(&map.open(&path).unwrap()), expected);
        group.bench_function(BenchmarkId::new("map", kib), |bencher| {
            bencher.iter(|| read_pass(&map.open(&path).unwrap()));
        });

        let mut buffer = vec![0; len];
        group.bench_function(BenchmarkId::new("bare open and read", kib), |bencher| {
            bencher.iter(|| {
                File::open(&path).unwrap().read_exact(&mut buffer).unwrap();
                read_pass(black_box(&buffer))
            });
        });
    }
    group.finish();
}

criterion_group!(benches, load);
criterion_main!(benches);
