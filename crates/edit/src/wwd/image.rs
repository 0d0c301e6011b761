use std::ops::Range;

use worldview_core::{Budget, Path, Space};
use worldview_wwd::raw::{LevelHeader, PlaneHeader};
use worldview_wwd::{Level, Plane};
use zerocopy::IntoBytes as _;
use zerocopy::little_endian::U32;

use super::record::Record;
use crate::tree::{Tree, field, unexpected};
use crate::{EditError, EditErrorKind, Patches, Result};

/// Fields that follow from the content.
pub(crate) const DERIVED: [&str; 18] = [
    "header_size",
    "num_planes",
    "planes_offset",
    "tile_attribs_offset",
    "main_block_length",
    "checksum",
    "num_image_sets",
    "num_objects",
    "tiles_offset",
    "image_sets_offset",
    "objects_offset",
    "name_len",
    "logic_len",
    "image_set_len",
    "animation_len",
    "count",
    "object",
    "frame",
];

/// The parts of a plane that its header refers to.
#[derive(Clone, Copy)]
pub(super) enum Part {
    Tiles,
    ImageSets,
    Objects,
}

/// A plane as it will be.
pub(super) struct Slot {
    /// Which plane of the original it is; `None` if it was added.
    pub(super) origin: Option<usize>,
    pub(super) header: PlaneHeader,
    /// Where its parts are in `Image::tail`; `None` if they stay where the original has them.
    pub(super) homes: [Option<usize>; 3],
}

/// The image of a level that is being edited.
pub(super) struct Image<'a> {
    patches: Patches<'a>,
    /// The planes, in the order that they will have.
    pub(super) planes: Vec<Slot>,
    /// The ranges that the parts of each plane of the original have.
    parts: Vec<[Range<u64>; 3]>,
    /// The ranges that the file header, the plane headers and the tile attributes have.
    rest: [Range<u64>; 3],
    /// What goes behind everything else.
    tail: Vec<u8>,
    /// Where the tile attributes are in `tail`, if they are new.
    pub(super) attributes: Option<usize>,
    /// Whether elements were removed to which tiles may refer by number.
    pub(super) is_shrunk: bool,
}

impl<'a> Image<'a> {
    pub(super) fn new(level: &Level<'a>) -> Result<Self> {
        let slot = |plane: &Plane<'_>| Slot { origin: Some(plane.index()), header: *plane.header(), homes: [None; 3] };
        let mut budget = Budget::for_bytes(level.image().len(), "walk over overlapping parts");
        let parts = level.planes().iter().map(|plane| parts(plane, &mut budget));
        let (start, end) = level.attributes().extent();
        Ok(Self {
            rest: [0..LevelHeader::SIZE, headers(level), start..end],
            parts: parts.collect::<worldview_core::Result<_>>()?,
            patches: Patches::new(level.image().bytes()),
            planes: level.planes().iter().map(slot).collect(),
            tail: Vec::new(),
            attributes: None,
            is_shrunk: false,
        })
    }

    /// Replaces a range; parts of a level may share bytes, and then only one change can be made.
    pub(super) fn replace(&mut self, at: u64, len: usize, bytes: Vec<u8>, path: &Path) -> Result<()> {
        let start = usize::try_from(at).unwrap_or(usize::MAX);
        if self.patches.replace(start..start.saturating_add(len), bytes) {
            return Ok(());
        }
        Err(EditError::unsupported(path, "two changes are about the same bytes, which parts of the level share"))
    }

    /// Replaces the bytes that differ between a structure and its edited form.
    pub(super) fn patch(&mut self, at: u64, old: &[u8], new: &[u8], path: &Path) -> Result<()> {
        let mut offset = 0_usize;
        for (old, new) in old.chunks(4).zip(new.chunks(4)) {
            if old != new {
                self.replace(at.saturating_add(offset as u64), old.len(), new.to_vec(), path)?;
            }
            offset = offset.saturating_add(4);
        }
        Ok(())
    }

    /// Puts bytes behind everything else, and returns where they are in the tail.
    pub(super) fn append(&mut self, bytes: &[u8]) -> usize {
        let at = self.tail.len();
        self.tail.extend_from_slice(bytes);
        at
    }

    /// Returns the range of a plane's part in the original.
    pub(super) fn part(&self, plane: usize, part: Part) -> Range<u64> {
        let part = part as usize;
        self.parts.get(plane).and_then(|parts| parts.get(part)).map_or(0..0, Clone::clone)
    }

    /// Returns whether a part of a plane can be edited where it is: it has bytes there, and nothing else has them too.
    pub(super) fn is_own(&self, plane: usize, part: Part) -> bool {
        let own = self.part(plane, part);
        let is_other =
            |(index, _): &(usize, &Range<u64>)| *index != plane.saturating_mul(3).saturating_add(part as usize);
        let others = self.parts.iter().flatten().enumerate().filter(is_other).map(|(_, other)| other);
        !own.is_empty() && !others.chain(&self.rest).any(|other| overlap(&own, other))
    }

    /// Returns whether the tile attributes can be edited where they are.
    pub(super) fn has_own_attributes(&self) -> bool {
        let [file, planes, own] = &self.rest;
        !self.parts.iter().flatten().chain([file, planes]).any(|other| overlap(own, other))
    }

    /// Replaces a part of a plane: where it is, or by a copy of its own if other planes have it too.
    pub(super) fn replace_part(&mut self, plane: usize, part: Part, bytes: Vec<u8>, path: &Path) -> Result<()> {
        if self.is_own(plane, part) {
            let range = self.part(plane, part);
            let len = usize::try_from(range.end.saturating_sub(range.start)).unwrap_or(usize::MAX);
            return self.replace(range.start, len, bytes, path);
        }
        let at = self.append(&bytes);
        let slot = self.planes.iter_mut().find(|slot| slot.origin == Some(plane));
        slot.and_then(|slot| slot.homes.get_mut(part as usize)).into_iter().for_each(|home| *home = Some(at));
        Ok(())
    }

    /// Removes the bytes of a plane that leaves, as far as nothing else has them too.
    pub(super) fn drop_parts(&mut self, plane: usize) {
        let others = || {
            let kept = self.planes.iter().filter_map(|slot| slot.origin).filter(|other| *other != plane);
            kept.filter_map(|other| self.parts.get(other)).flatten().chain(&self.rest)
        };
        let parts = self.parts.get(plane).cloned().unwrap_or_default();
        let own: Vec<_> =
            parts.into_iter().filter(|part| !part.is_empty() && !others().any(|other| overlap(part, other))).collect();
        for part in own {
            let range =
                usize::try_from(part.start).unwrap_or(usize::MAX)..usize::try_from(part.end).unwrap_or(usize::MAX);
            // Bytes that two leaving planes share are removed once.
            let _ = self.patches.replace(range, Vec::new());
        }
    }

    /// Writes the plane headers, and corrects the offsets of all parts that moved.
    pub(super) fn finish(mut self, level: &Level<'a>, header: &mut LevelHeader) -> Result<Patches<'a>> {
        let here = Path::new();
        let array = headers(level);
        let is_in_place = self.planes.len() == level.planes().len()
            && self.planes.iter().enumerate().all(|(index, slot)| slot.origin == Some(index));
        let new_len = (self.planes.len() as u64).saturating_mul(PlaneHeader::SIZE);
        let moved = |offset: u64| {
            let moved = self.patches.moved(offset);
            if is_in_place || array.is_empty() || offset < array.end {
                moved
            } else {
                moved.saturating_add(new_len).saturating_sub(array.end.saturating_sub(array.start))
            }
        };
        let word = |offset: u64| U32::new(u32::try_from(offset).unwrap_or(u32::MAX));
        let end = level.image().len();
        let tail = moved(end);
        let place = |home: Option<usize>, old: U32| match home {
            Some(at) => word(tail.saturating_add(at as u64)),
            None => word(moved(old.get().into())),
        };
        for slot in &mut self.planes {
            let (raw, [tiles, image_sets, objects]) = (&mut slot.header, slot.homes);
            raw.tiles_offset = place(tiles, raw.tiles_offset);
            raw.image_sets_offset = place(image_sets, raw.image_sets_offset);
            raw.objects_offset = place(objects, raw.objects_offset);
        }
        // Without planes, the offset of their headers means nothing.
        let is_new = array.is_empty() && !is_in_place;
        header.planes_offset = place(is_new.then_some(self.tail.len()), header.planes_offset);
        header.num_planes.set(u32::try_from(self.planes.len()).unwrap_or(u32::MAX));
        header.tile_attribs_offset = place(self.attributes, header.tile_attribs_offset);
        let planes = std::mem::take(&mut self.planes);
        if is_in_place {
            for (plane, slot) in level.planes().iter().zip(&planes) {
                self.patch(plane.at(), plane.header().as_bytes(), slot.header.as_bytes(), &here)?;
            }
        } else {
            let bytes: Vec<u8> = planes.iter().flat_map(|slot| slot.header.as_bytes().to_vec()).collect();
            let len = usize::try_from(array.end.saturating_sub(array.start)).unwrap_or(usize::MAX);
            if is_new {
                self.append(&bytes);
            } else {
                self.replace(array.start, len, bytes, &here)?;
            }
        }
        if !self.tail.is_empty() {
            let tail = std::mem::take(&mut self.tail);
            self.replace(end, 0, tail, &here)?;
        }
        Ok(self.patches)
    }
}

/// The range of the plane headers.
fn headers(level: &Level<'_>) -> Range<u64> {
    let start = u64::from(level.header().planes_offset.get());
    start..start.saturating_add((level.planes().len() as u64).saturating_mul(PlaneHeader::SIZE))
}

/// The ranges of a plane's parts; of broken lists, up to what is broken.
fn parts(plane: &Plane<'_>, budget: &mut Budget) -> worldview_core::Result<[Range<u64>; 3]> {
    let raw = plane.header();
    let tiles = u64::from(raw.tiles_offset.get());
    let (mut names, mut objects) = (plane.image_sets().iter(), plane.objects().iter());
    let mut at = names.position();
    while names.next().is_some_and(|name| name.is_ok()) {
        budget.spend(names.position().saturating_sub(at), at, Space::Image)?;
        at = names.position();
    }
    let (start, mut end) = (objects.position(), objects.position());
    while let Some(Ok(object)) = objects.next() {
        budget.spend(object.size(), end, Space::Image)?;
        end = objects.position();
    }
    Ok([
        tiles..tiles.saturating_add(size_of_val(plane.tiles()) as u64),
        raw.image_sets_offset.get().into()..at,
        start..end,
    ])
}

fn overlap(left: &Range<u64>, right: &Range<u64>) -> bool {
    left.start < right.end && right.start < left.end
}

/// Sets fields of a structure.
pub(super) fn fields(record: &mut Record, node: &Tree<'_>) -> Result<()> {
    for (name, node) in &node.children {
        let (name, from, to, path) = field(name, node)?;
        not_derived(&name, path)?;
        record.set(&name, from, to, path)?;
    }
    match node.change {
        Some(change) => Err(unexpected(change)),
        None => Ok(()),
    }
}

/// Refuses fields that follow from the content.
pub(super) fn not_derived(name: &[u8], path: &Path) -> Result<()> {
    if DERIVED.iter().any(|derived| *derived.as_bytes() == *name) {
        return Err(EditError::unsupported(path, "this field follows from the content and cannot be set"));
    }
    Ok(())
}

/// Why a path leads nowhere.
pub(super) fn missing(node: &Tree<'_>, is_unnumbered: bool, count: usize) -> EditError {
    let path = node.any().map(|change| change.path().clone()).unwrap_or_default();
    let kind = if is_unnumbered && count > 1 { EditErrorKind::Ambiguous { count } } else { EditErrorKind::NotFound };
    EditError::new(&path, kind)
}
