//! Levels.

use worldview_corpus::trial::Trial;
use worldview_corpus::wwd::build::{build, build_image};
use worldview_corpus::wwd::naive;
use worldview_corpus::wwd::spec::{AttributeKind, AttributeSpec, LengthRule, LevelSpec, Packing, PlaneSpec};

use super::RULE;
use crate::{Verdict, holds};

pub(super) fn described(mut spec: LevelSpec) {
    settle(&mut spec);
    level(&spec);
}

/// Builds a level, which both readers must read alike, with the tiles and texts of the description.
///
/// # Panics
///
/// Panics on the first difference.
pub fn level(spec: &LevelSpec) {
    let file = build(spec).bytes;
    let _trial = Trial::new(RULE, "a level", &file);
    let image = build_image(spec);
    let verdict = crate::wwd::agree(&file);
    // Thousands of image sets may exceed the budget of the naive reader.
    assert!(matches!(verdict, Ok(Verdict::Same | Verdict::TooMuch)), "{verdict:?}");
    holds(crate::wwd::lossy_keeps_its_word(&file));
    // From here on, the choice of the reader does not matter.
    let found = match naive::read(&file) {
        Ok(found) => found,
        Err(error) => return assert_eq!(verdict, Ok(Verdict::TooMuch), "{}", error.what),
    };
    assert!(found.image == image.bytes, "the image differs");
    assert_eq!(found.planes.len(), spec.planes.len());
    for (found, plane) in found.planes.iter().zip(&spec.planes) {
        assert!(found.tiles == plane.tiles && found.objects.len() == plane.objects.len());
        for (found, object) in found.objects.iter().zip(&plane.objects) {
            let texts = [&found.name, &found.logic, &found.image_set, &found.animation];
            assert_eq!(texts, [&object.name, &object.logic, &object.image_set, &object.animation]);
        }
    }
}

/// Turns the spec into one that a file can express.
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
        // An empty main block cannot be packed.
        *packing = Packing::Raw;
    }
    match packing {
        // The length of a raw main block is not stored, so anything after it except a trailer is part of it.
        Packing::Raw => trailing.clear(),
        Packing::Zlib { level } => {
            *level %= 11;
            *main_block_length = LengthRule::Canonical;
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
