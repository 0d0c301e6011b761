//! Files with a few bytes changed, compared with the originals: nothing panics, and both directions report the same.

use worldview_corpus::ff13::build::build_table;
use worldview_corpus::ff13::generate::{edge_cases as tables, pack, small_table};
use worldview_corpus::island::build::build as build_database;
use worldview_corpus::island::generate::small;
use worldview_corpus::rng::Rng;
use worldview_corpus::wwd::build::build as build_level;
use worldview_corpus::wwd::generate::{Shape, level};
use worldview_inspect::diff::DiffOptions;

use super::support::opened;
use crate::open::{self, Open};

/// Returns the bytes with a few of them changed, mostly within the first `head`.
fn mutant(rng: &mut Rng, bytes: &[u8], head: usize) -> Vec<u8> {
    let mut mutant = bytes.to_vec();
    for _ in 0..=rng.below(4) {
        let end = if rng.one_in(3) { bytes.len() } else { head.min(bytes.len()) };
        let at = usize::try_from(rng.below(u32::try_from(end).unwrap())).unwrap();
        mutant[at] = match rng.below(4) {
            0 => 0,
            1 => 0xFF,
            2 => mutant[at] ^ 1,
            _ => rng.next_u64().to_le_bytes()[0],
        };
    }
    mutant
}

/// Compares files with copies that have a few bytes changed. At least this many must open, and differ.
fn alike<'f>(
    files: impl IntoIterator<Item = &'f Vec<u8>>,
    (rng, head): (&mut Rng, usize),
    opens: &[Open<'_>],
    least: (usize, usize),
) {
    let (mut compared, mut differences) = (0, 0);
    for bytes in files {
        let other = mutant(rng, bytes, head);
        let lines = opens.iter().find_map(|open| opened(*open, bytes, &other, &DiffOptions::default()));
        compared += usize::from(lines.is_some());
        differences += usize::from(lines.is_some_and(|lines| lines.is_ok_and(|lines| !lines.is_empty())));
    }
    assert!(compared > least.0 && differences > least.1, "{compared} compared, {differences} different");
}

#[test]
fn changed_levels_differ_alike_in_both_directions() {
    let bytes = build_level(&level(3, &Shape { masks: 2, trailer: true, image_sets: 3, ..Shape::small() })).bytes;
    alike(std::iter::repeat_n(&bytes, 400), (&mut Rng::new(7), 2100), &[&open::level], (200, 200));
}

#[test]
fn changed_tables_and_archives_differ_alike_in_both_directions() {
    let mut files: Vec<_> = (0..30).map(|seed| build_table(&small_table(seed)).bytes).collect();
    files.extend(tables().into_iter().map(|(_, bytes)| bytes));
    files.push(pack(1, 3));
    files.retain(|bytes| !bytes.is_empty());
    let all = (0..8).flat_map(|_| &files);
    alike(all, (&mut Rng::new(8), 600), &[&open::table, &open::archive], (400, 300));
}

#[test]
fn changed_databases_differ_alike_in_both_directions() {
    let files: Vec<_> = (0..300).map(|seed| build_database(&small(seed % 10)).bytes).collect();
    alike(&files, (&mut Rng::new(9), usize::MAX), &[&open::database], (200, 150));
}
