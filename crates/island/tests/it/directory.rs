//! Directories whose blobs overlap.

use worldview_core::{ErrorKind, Limit};
use worldview_island::{Database, FindingKind};

/// Two thousand references to blobs that overlap: the loop in the crate's documentation read all of each.
#[test]
fn overlapping_blobs_are_refused_or_left_out() {
    let case = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/cases/81-overlapping-loops/bomb-world.wdb");
    let bytes = std::fs::read(case).unwrap();
    let most = 4 * bytes.len() as u64 + (1 << 20);
    let is_limit = |kind| matches!(kind, ErrorKind::Limit { of: Limit::Overlap, limit, .. } if limit == most);
    let error = Database::parse(&bytes).unwrap_err();
    assert!(is_limit(error.kind), "{error}");
    let mut left_out = 0;
    let database = Database::parse_lossy(&bytes, &mut |finding| match finding.kind {
        FindingKind::Broken { kind } if is_limit(kind) => left_out += 1,
        other => panic!("{other}"),
    });
    let database = database.unwrap();
    let walked: u64 = database.blobs().iter().map(|blob| blob.source.len()).sum();
    assert!(walked > most / 2 && walked <= most, "{walked} bytes of {most}");
    let without = database.part_refs().iter().filter(|part| part.blob().is_none()).count();
    assert_eq!((database.blobs().len() + left_out, without), (2000, left_out));
}
