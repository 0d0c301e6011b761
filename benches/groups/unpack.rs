//! Packed levels: everything from the file to each tile, object and attribute.
#![allow(missing_docs, reason = "criterion's macros generate undocumented functions")]
#![allow(clippy::unwrap_used, reason = "a benchmark of files that it generated")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use worldview::Loader;
use worldview::wwd::{self, Level};
use worldview_benches::Row;
use worldview_benches::inputs::{self, LARGE, MIDDLE, SMALL, id, sizes};
use worldview_benches::limits::{inflate, read_pass};
use worldview_benches::readers::level;
use worldview_corpus::wwd::spec::Packing;

fn whole_way(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    for size in sizes(&[SMALL, MIDDLE, LARGE]) {
        let file = inputs::level(size.bytes, Packing::Zlib { level: 6 });
        let path = folder.path().join(size.name);
        std::fs::write(&path, &file).unwrap();
        let raw = inputs::level(size.bytes, Packing::Raw);
        let expected = level::naive::digest(&raw).unwrap();
        let (mut scratch, mut image) = (Vec::new(), Vec::new());
        let mut block = vec![0; raw.len()];
        Row::new(criterion, "level: load, unpack, parse, verify, visit", id(size.name), raw.len(), expected)
            .limit("inflate and a read pass", || {
                assert!(inflate(black_box(file.get(1524..).unwrap()), &mut block));
                read_pass(&block)
            })
            .ours(|| {
                let file = Loader::read().open_in(&path, &mut scratch).unwrap();
                let unpacked = wwd::unpack_in(&file, &mut image).unwrap();
                assert!(!unpacked.checksum().is_unexplained());
                level::ours::visit(&Level::parse(&unpacked).unwrap()).unwrap()
            })
            .reader("naive reader, without the checksum", || level::naive::of_file(black_box(&file)).unwrap());
    }
}

criterion_group!(benches, whole_way);
criterion_main!(benches);
