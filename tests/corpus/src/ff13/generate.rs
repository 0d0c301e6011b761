//! Generators for archives and tables: realistic ones of any size, and edge cases of each kind.

use super::build::build_archive;
use super::spec::{ArchiveSpec, MemberSpec};
use crate::rng::Rng;

mod bulk;
mod edge;
mod small;

pub use bulk::{Shape, sizes, table, table_of_rows};
pub use edge::{edge_cases, overwritten_cases, schema_cases};
pub use small::{any_table, cell, small_archive, small_table};

/// Generates small tables like those in the XIII-1 battle-scene folder: 6 to 24 records of 21 words each.
pub fn folder(seed: u64, count: usize) -> Vec<(String, Vec<u8>)> {
    let mut rng = Rng::new(seed);
    let shape = Shape::battle_scene();
    let file = |i| {
        let rows = usize::try_from(rng.range(6, 25)).unwrap_or(6);
        (format!("btsc{i:05}.wdb"), table_of_rows(rng.next_u64(), rows, 400, &shape))
    };
    (0..count).map(file).collect()
}

/// Generates an archive of tables with embedded names, like `wdbpack.bin` of XIII-2 and Lightning Returns.
pub fn pack(seed: u64, members: usize) -> Vec<u8> {
    let mut rng = Rng::new(seed);
    let shapes = [Shape::monster(), Shape::flag().embedded(), Shape::zone().embedded()];
    let mut spec = ArchiveSpec::default();
    for ((i, size), shape) in sizes(members).enumerate().zip(shapes.iter().cycle()) {
        spec.members.push(MemberSpec::new(format!("r_table{i:04}.wdb"), table(rng.next_u64(), size, shape)));
    }
    build_archive(&spec).bytes
}

/// Generates an archive of other data: 16-byte names in no order, an extension, data at multiples of 128.
pub fn generic(seed: u64, members: usize) -> Vec<u8> {
    let mut rng = Rng::new(seed);
    let mut spec = ArchiveSpec { align: 128, first_align: 128, pad_end: true, ..ArchiveSpec::default() };
    for _ in 0..members {
        let mut data = vec![0; usize::try_from(rng.range(100, 3000)).unwrap_or(100) * 8];
        for chunk in data.chunks_exact_mut(8) {
            chunk.copy_from_slice(&rng.next_u64().to_be_bytes());
        }
        let name = format!("{:016x}", rng.next_u64());
        spec.members.push(MemberSpec { extension: b"clb".to_vec(), ..MemberSpec::new(name, data) });
    }
    build_archive(&spec).bytes
}
