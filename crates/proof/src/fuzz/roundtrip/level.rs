//! Levels.

use worldview_corpus::wwd::build::{build, build_image};
use worldview_corpus::wwd::naive;
use worldview_corpus::wwd::spec::{AttributeKind, AttributeSpec, LengthHabit, LevelSpec, Packing, PlaneSpec};

use crate::Verdict;
use crate::fuzz::holds;

pub(super) fn described(mut spec: LevelSpec) {
    settle(&mut spec);
    level(&spec);
}

/// Builds a level that both readers must read alike, with the tiles and texts that the description says.
///
/// # Panics
///
/// Panics at the first difference.
pub fn level(spec: &LevelSpec) {
    let file = build(spec).bytes;
    let image = build_image(spec);
    let verdict = crate::wwd::agree(&file);
    // Thousands of image sets may be more than the naive reader copies.
    assert!(matches!(verdict, Ok(Verdict::Same | Verdict::TooMuch)), "{verdict:?}");
    holds(crate::wwd::lossy_keeps_its_word(&file));
    // Which of the readers says so does not matter any more.
    let found = match naive::read(&file) {
        Ok(found) => found,
        Err(error) => return assert_eq!(verdict, Ok(Verdict::TooMuch), "{}", error.what),
    };
    assert!(found.image == image.bytes, "the image is another");
    assert_eq!(found.planes.len(), spec.planes.len());
    for (found, plane) in found.planes.iter().zip(&spec.planes) {
        assert!(found.tiles == plane.tiles && found.objects.len() == plane.objects.len());
        for (found, object) in found.objects.iter().zip(&plane.objects) {
            let texts = [&found.name, &found.logic, &found.image_set, &found.animation];
            assert_eq!(texts, [&object.name, &object.logic, &object.image_set, &object.animation]);
        }
    }
}

/// Makes of it what a file can say.
fn settle(spec: &mut LevelSpec) {
    let LevelSpec { header, planes, attributes, packing, main_block_length, trailing, .. } = spec;
    header.header_size = 1524;
    planes.iter_mut().for_each(settle_plane);
    for record in attributes.iter_mut().flat_map(|table| &mut table.records) {
        let AttributeSpec { width, height, kind, .. } = record;
        if let AttributeKind::Mask(pixels) = kind {
            (*width, *height) = (*width % 12, *height % 12);
            pixels.resize((*width * *height) as usize, 3);
        }
    }
    if planes.is_empty() && attributes.is_none() {
        // A main block of no bytes cannot be packed.
        *packing = Packing::Raw;
    }
    match packing {
        // Nothing says how long it is, so what follows it is a part of it, but for a trailer.
        Packing::Raw => trailing.clear(),
        Packing::Zlib { level } => {
            *level %= 11;
            *main_block_length = LengthHabit::Canonical;
        }
    }
}

fn settle_plane(plane: &mut PlaneSpec) {
    plane.header_size = 160;
    (plane.tiles_wide, plane.tiles_high) = (plane.tiles_wide.rem_euclid(30), plane.tiles_high.rem_euclid(30));
    plane.tiles.resize((plane.tiles_wide * plane.tiles_high).unsigned_abs() as usize, 0xFFFF_FFFF);
    for name in &mut plane.image_sets {
        name.retain(|&byte| byte != 0);
        name.truncate(4000);
    }
}
