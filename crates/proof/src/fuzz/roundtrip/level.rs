//! Levels.

use worldview_corpus::wwd::build::{build, build_image};
use worldview_corpus::wwd::describe::{as_described, describe};
use worldview_corpus::wwd::naive;
use worldview_corpus::wwd::spec::{
    AttributeKind, AttributeSpec, LengthHabit, LevelSpec, Packing, PlaneSpec, TrailerBlockSpec,
};

use crate::Verdict;
use crate::fuzz::holds;

pub(super) fn level(mut spec: LevelSpec) {
    settle(&mut spec);
    let file = build(&spec).bytes;
    let image = build_image(&spec);
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
    let word = |label| image.read_u32_le(label).unwrap_or_default();
    let expected = as_described(&spec, word("header.checksum"), word("header.main_block_length"));
    assert_eq!(describe(&found), expected);
}

/// Makes of it what a file can say.
fn settle(spec: &mut LevelSpec) {
    let LevelSpec { header, planes, attributes, packing, main_block_length, trailer, trailing, .. } = spec;
    header.header_size = 1524;
    text(&mut header.name, 64);
    text(&mut header.author, 64);
    text(&mut header.birth, 64);
    text(&mut header.rez_file, 256);
    text(&mut header.image_dir, 128);
    text(&mut header.pal_rez, 128);
    text(&mut header.launch_app, 128);
    header.image_set_dirs.iter_mut().for_each(|dir| text(dir, 128));
    header.image_set_prefixes.iter_mut().for_each(|prefix| text(prefix, 32));
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
    for block in trailer.iter_mut().flat_map(|trailer| &mut trailer.blocks) {
        match block {
            TrailerBlockSpec::Header { wapmap_version, map_version, description, .. } => {
                [wapmap_version, map_version, description].into_iter().for_each(until_nul);
            }
            TrailerBlockSpec::Guides(_) => {}
            TrailerBlockSpec::Favourites(places) => places.iter_mut().for_each(|(name, ..)| until_nul(name)),
            // The lower ones have a content of their own.
            TrailerBlockSpec::Other { id, .. } => *id = (*id).max(5),
        }
    }
}

fn settle_plane(plane: &mut PlaneSpec) {
    plane.header_size = 160;
    text(&mut plane.name, 64);
    (plane.tiles_wide, plane.tiles_high) = (plane.tiles_wide.rem_euclid(30), plane.tiles_high.rem_euclid(30));
    plane.tiles.resize((plane.tiles_wide * plane.tiles_high).unsigned_abs() as usize, 0xFFFF_FFFF);
    for name in &mut plane.image_sets {
        until_nul(name);
        name.truncate(4000);
    }
}

/// What a field of that size holds of a text; NULs at its end cannot be told from those behind it.
fn text(text: &mut Vec<u8>, size: usize) {
    text.truncate(size);
    while text.last() == Some(&0) {
        text.pop();
    }
}

fn until_nul(text: &mut Vec<u8>) {
    text.truncate(text.iter().position(|&byte| byte == 0).unwrap_or(text.len()));
}
