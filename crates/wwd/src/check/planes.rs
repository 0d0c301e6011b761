use std::collections::BTreeMap;

use worldview_core::{Place, field_name};
use zerocopy::IntoBytes as _;

use super::{Checker, objects, place};
use crate::finding::{FindingKind, FoundTiles};
use crate::flags;
use crate::level::Level;
use crate::plane::Plane;
use crate::raw::{LevelHeader, PlaneHeader};
use crate::tile::TileKind;

macro_rules! at {
    ($plane:expr, $field:ident) => {
        $plane.offset().saturating_add(core::mem::offset_of!(PlaneHeader, $field) as u64)
    };
}

/// The extent of those parts of a plane whose size is only known by walking them, as offsets of start and end.
pub(super) struct Walked {
    pub(super) names: (u64, u64),
    pub(super) objects: (u64, u64),
}

/// Checks every plane, and returns the extent of its parts of unknown size.
pub(super) fn check<'a>(level: &Level<'a>, checker: &mut Checker<'_, 'a>) -> Vec<Walked> {
    main_plane(level, checker);
    let mut walked = Vec::with_capacity(level.planes().len());
    // For each name, the first plane that has it.
    let mut names = BTreeMap::new();
    // Look it up once: with thousands of planes, the search may be long.
    let main = level.main_plane().map(Plane::number);
    for plane in level.planes() {
        let place = place(plane);
        checker.fields(plane.header().as_bytes(), PlaneHeader::FIELDS, plane.offset(), place);
        let first = *names.entry(plane.name()).or_insert(plane.number());
        if first != plane.number() {
            checker.report(FindingKind::PlaneNameDuplicate { first }, at!(plane, name), place);
        }
        sizes(plane, checker);
        offsets(plane, checker);
        let names = image_sets(plane, checker);
        tiles(level, main, plane, checker);
        walked.push(Walked { names, objects: objects::check(level, plane, checker) });
    }
    walked
}

fn main_plane<'a>(level: &Level<'a>, checker: &mut Checker<'_, 'a>) {
    let at = core::mem::offset_of!(LevelHeader, num_planes) as u64;
    let count = level.planes().iter().filter(|plane| plane.is_main()).count();
    match count {
        0 => checker.report(FindingKind::NoMainPlane, at, Place::of("planes")),
        1 => {}
        _ => {
            let count = u32::try_from(count).unwrap_or(u32::MAX);
            checker.report(FindingKind::SeveralMainPlanes { count }, at, Place::of("planes"));
        }
    }
}

fn sizes<'a>(plane: &Plane<'a>, checker: &mut Checker<'_, 'a>) {
    let (header, place) = (plane.header(), place(plane));
    let wraps = plane.wraps_x() || plane.wraps_y();
    let axes = [
        (
            field_name!(PlaneHeader, width_px),
            at!(plane, width_px),
            header.width_px,
            field_name!(PlaneHeader, tile_width),
            at!(plane, tile_width),
            header.tile_width,
            header.tiles_wide,
        ),
        (
            field_name!(PlaneHeader, height_px),
            at!(plane, height_px),
            header.height_px,
            field_name!(PlaneHeader, tile_height),
            at!(plane, tile_height),
            header.tile_height,
            header.tiles_high,
        ),
    ];
    for (pixels, pixels_at, found, tile, tile_at, size, tiles) in axes {
        let expected = i64::from(size.get()).saturating_mul(tiles.get().into());
        // The pictures that determine the tile size of such a plane are not in the level.
        let is_auto = header.flags.get() & flags::AUTO_TILE_SIZE != 0 && size.get() <= 0;
        if i64::from(found.get()) != expected && !is_auto {
            let kind = FindingKind::PlaneSize { field: pixels, found: found.get(), expected };
            checker.report(kind, pixels_at, place);
        }
        let size = size.get();
        if size <= 0 && !is_auto {
            checker.report(FindingKind::TileSize { field: tile, found: size }, tile_at, place);
        } else if wraps && size > 0 && !size.unsigned_abs().is_power_of_two() {
            checker.report(FindingKind::WrapTileSize { field: tile, found: size }, tile_at, place);
        }
    }
    if header.tiles_wide.get() == 0 || header.tiles_high.get() == 0 {
        checker.report(FindingKind::PlaneEmpty, at!(plane, tiles_wide), place);
    }
    let found = header.fill_color.get();
    if !(0..=255).contains(&found) {
        checker.report(FindingKind::FillColor { found }, at!(plane, fill_color), place);
    }
}

fn offsets<'a>(plane: &Plane<'a>, checker: &mut Checker<'_, 'a>) {
    let (header, place) = (plane.header(), place(plane));
    let grid = u32::from(header.tiles_wide.get() > 0 && header.tiles_high.get() > 0);
    let parts = [
        (field_name!(PlaneHeader, tiles_offset), at!(plane, tiles_offset), header.tiles_offset.get(), grid),
        (
            field_name!(PlaneHeader, image_sets_offset),
            at!(plane, image_sets_offset),
            header.image_sets_offset.get(),
            header.num_image_sets.get(),
        ),
        (
            field_name!(PlaneHeader, objects_offset),
            at!(plane, objects_offset),
            header.objects_offset.get(),
            header.num_objects.get(),
        ),
    ];
    for (field, at, found, count) in parts {
        if count != 0 && found == 0 && field == field_name!(PlaneHeader, objects_offset) {
            checker.report(FindingKind::ObjectsWithoutOffset { count }, at, place);
        } else if count != 0 && u64::from(found) < LevelHeader::SIZE {
            checker.report(FindingKind::OffsetInHeader { field, found }, at, place);
        } else if count == 0 && found != 0 && field == field_name!(PlaneHeader, objects_offset) {
            // Programs write the other two offsets whatever the count, but this one is 0 if there are no objects.
            checker.report(FindingKind::OffsetOfNothing { field, found }, at, place);
        }
    }
    let count = plane.objects().count();
    if count != 0 && !plane.is_main() {
        checker.report(FindingKind::ObjectsOffMain { count }, at!(plane, num_objects), place);
    }
}

fn image_sets<'a>(plane: &Plane<'a>, checker: &mut Checker<'_, 'a>) -> (u64, u64) {
    let place = place(plane);
    let count = plane.image_sets().count();
    if count > 1 {
        checker.report(FindingKind::SeveralImageSets { count }, at!(plane, num_image_sets), place);
    }
    let mut names = plane.image_sets().iter();
    let start = names.position();
    let mut index = 0_u32;
    loop {
        let at = names.position();
        let Some(name) = names.next() else { break };
        let place = place.with("image set", Some(index), name.unwrap_or(&[]));
        match name {
            Err(error) => checker.report(FindingKind::Broken { kind: error.kind }, error.at, place),
            Ok(name) => {
                if name.is_empty() {
                    checker.report(FindingKind::ImageSetEmpty, at, place);
                } else if let Some(&byte) = name.iter().find(|byte| !(0x30..=0x7F).contains(*byte)) {
                    checker.report(FindingKind::ImageSetBytes { byte }, at, place);
                }
            }
        }
        index = index.saturating_add(1);
    }
    (start, names.position())
}

fn tiles<'a>(level: &Level<'a>, main: Option<u32>, plane: &Plane<'a>, checker: &mut Checker<'_, 'a>) {
    let place = place(plane);
    let records = level.attributes().records().len();
    let has_table = level.attributes().header().is_some();
    let sets = plane.image_sets().count();
    let (mut pictures, mut no_attribute, mut no_set) = (false, None, None);
    // Counts a tile, and keeps the first.
    let note = |found: &mut Option<(usize, u32, u64)>, cell, word| {
        let (.., count) = found.get_or_insert((cell, word, 0));
        *count = count.saturating_add(1);
    };
    for (cell, tile) in plane.tiles().iter().enumerate() {
        let TileKind::Image { image_set, frame } = tile.kind() else { continue };
        pictures = true;
        if usize::from(frame) >= records && has_table {
            note(&mut no_attribute, cell, tile.get());
        }
        if u32::from(image_set) >= sets && sets != 0 {
            note(&mut no_set, cell, tile.get());
        }
    }
    if pictures && sets == 0 {
        checker.report(FindingKind::NoImageSet, at!(plane, num_image_sets), place);
    }
    say_of_tiles(plane, checker, no_set, |tiles| FindingKind::TileImageSet { tiles });
    // The game looks up attributes for the last of several main planes.
    say_of_tiles(plane, checker, no_attribute, |tiles| match main == Some(plane.number()) {
        true => FindingKind::TileAttributeMissing { tiles },
        false => FindingKind::TileAttributeMissingOffMain { tiles },
    });
}

/// Reports tiles with something in common: the cell and the word of the first, and how many there are.
fn say_of_tiles<'a>(
    plane: &Plane<'a>,
    checker: &mut Checker<'_, 'a>,
    found: Option<(usize, u32, u64)>,
    kind: impl FnOnce(FoundTiles) -> FindingKind,
) {
    let Some((cell, word, count)) = found else { return };
    let columns = plane.columns().max(1);
    let of = |value: Option<usize>| value.and_then(|value| u32::try_from(value).ok()).unwrap_or(u32::MAX);
    let (column, row) = (of(cell.checked_rem(columns)), of(cell.checked_div(columns)));
    let at = u64::from(plane.header().tiles_offset.get()).saturating_add((cell as u64).saturating_mul(4));
    let tiles = FoundTiles { count, word, column, row };
    checker.report(kind(tiles), at, place(plane).with("tile", u32::try_from(cell).ok(), &[]));
}
