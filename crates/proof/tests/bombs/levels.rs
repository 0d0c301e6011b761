use worldview::Format;
use worldview_corpus::bombs::{extremes, wwd};
use worldview_corpus::wwd::build::build;
use worldview_corpus::wwd::spec::{AttributeSpec, AttributeTableSpec, LevelSpec, ObjectSpec, PlaneSpec};

use crate::{all_bounded, bounded};

#[test]
fn small() {
    all_bounded(Format::Wwd, wwd::BOMBS, 40_000);
}

/// Every count, length and offset of a level made as large as it goes, and made to lead back.
#[test]
fn numbers_that_lie() {
    let mut plane = PlaneSpec::empty(b"P", 64, 3, 2);
    plane.flags = 1;
    plane.tiles = vec![0, 1, 2, 1, 0, 2];
    plane.image_sets = vec![b"SET".to_vec()];
    plane.objects = vec![ObjectSpec { name: b"n".to_vec(), logic: b"l".to_vec(), ..ObjectSpec::default() }; 2];
    let records = vec![AttributeSpec::single(64, 64, 1), AttributeSpec::mask(2, 2, vec![0, 1, 1, 0])];
    let attributes = Some(AttributeTableSpec { records, ..AttributeTableSpec::default() });
    let built = build(&LevelSpec { planes: vec![plane], attributes, ..LevelSpec::default() });
    let mut count = 0;
    for (name, bytes) in extremes(&built, false) {
        bounded(Format::Wwd, &name, &bytes);
        count += 1;
    }
    assert!(count > 500, "{count}");
}
