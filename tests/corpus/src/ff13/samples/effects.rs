//! Members that are not tables: 16-byte names in no order, extensions, data at multiples of 128.

use crate::ff13::build::build_archive;
use crate::ff13::spec::{ArchiveSpec, MemberSpec};
use crate::rng::Rng;

pub(super) fn archive() -> Vec<u8> {
    let mut rng = Rng::new(13);
    let mut members = Vec::new();
    for (n, (name, extension)) in (1_u8..).zip([
        ("spray_of_the_sea", "vtex"),
        ("glow_of_the_lamp", "vtex"),
        ("a_fog_that_rolls", "clb"),
        ("sparks_from_bell", "clb"),
        ("mist_over_garden", "txbh"),
        ("falling_leaves_1", "txb"),
        ("falling_leaves_2", "txb"),
        ("dust", ""),
        ("ripples_in_well_", "vtex"),
        ("nothing_in_there", "clb"),
    ]) {
        let size = if n == 10 { 0 } else { usize::from(n) * 131 % 700 + 40 };
        let mut data = Vec::with_capacity(size);
        // Runs of one byte, as in masks.
        while data.len() < size {
            let run = usize::try_from(rng.range(1, 40)).unwrap_or(1).min(size - data.len());
            data.resize(data.len() + run, n.wrapping_mul(rng.next_u64().to_be_bytes()[0] % 8));
        }
        members.push(MemberSpec { extension: extension.into(), ..MemberSpec::new(name, data) });
    }
    let spec = ArchiveSpec { members, align: 128, first_align: 128, pad_end: true, ..ArchiveSpec::default() };
    build_archive(&spec).bytes
}
