use worldview_core::Path;
use worldview_wwd::Level;
use worldview_wwd::raw::{LevelHeader, PlaneHeader};

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

/// The image of a level that is being edited.
pub(super) struct Image<'a> {
    pub(super) patches: Patches<'a>,
    /// Lists that had no place in the original: the plane's header and the bytes, which go behind everything else.
    pub(super) appended: Vec<(usize, Vec<u8>)>,
}

impl<'a> Image<'a> {
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

    /// Corrects the offsets of all parts that moved.
    pub(super) fn finish(mut self, level: &Level<'a>, header: &mut LevelHeader) -> Result<Patches<'a>> {
        let here = Path::new();
        let end = level.image().len();
        let mut at = self.patches.moved(end);
        let mut tail = Vec::new();
        let mut homes = Vec::new();
        for (plane, bytes) in std::mem::take(&mut self.appended) {
            homes.push((plane, at));
            at = at.saturating_add(bytes.len() as u64);
            tail.extend(bytes);
        }
        let moved = |offset: u32| u32::try_from(self.patches.moved(offset.into())).unwrap_or(u32::MAX);
        let mut corrections = Vec::new();
        for plane in level.planes() {
            let raw = plane.header();
            let home = homes.iter().find(|(index, _)| *index == plane.index());
            let objects =
                home.map_or_else(|| moved(raw.objects_offset.get()), |(_, at)| u32::try_from(*at).unwrap_or(u32::MAX));
            let offsets = [
                (core::mem::offset_of!(PlaneHeader, tiles_offset), raw.tiles_offset, moved(raw.tiles_offset.get())),
                (
                    core::mem::offset_of!(PlaneHeader, image_sets_offset),
                    raw.image_sets_offset,
                    moved(raw.image_sets_offset.get()),
                ),
                (core::mem::offset_of!(PlaneHeader, objects_offset), raw.objects_offset, objects),
            ];
            let changed = offsets.into_iter().filter(|(_, old, new)| old.get() != *new);
            corrections.extend(changed.map(|(field, _, new)| (plane.at().saturating_add(field as u64), new)));
        }
        header.planes_offset.set(moved(header.planes_offset.get()));
        header.tile_attribs_offset.set(moved(header.tile_attribs_offset.get()));
        for (at, new) in corrections {
            self.replace(at, 4, new.to_le_bytes().to_vec(), &here)?;
        }
        if !tail.is_empty() {
            self.replace(end, 0, tail, &here)?;
        }
        Ok(self.patches)
    }
}

/// Sets fields of a structure.
pub(super) fn fields(record: &mut Record, node: &Tree<'_>) -> Result<()> {
    for (name, node) in &node.children {
        let (name, from, to, path) = field(name, node)?;
        if DERIVED.iter().any(|derived| *derived.as_bytes() == *name) {
            return Err(EditError::unsupported(path, "this field follows from the content and cannot be set"));
        }
        record.set(&name, from, to, path)?;
    }
    match node.change {
        Some(change) => Err(unexpected(change)),
        None => Ok(()),
    }
}

/// Why a path leads nowhere.
pub(super) fn missing(node: &Tree<'_>, is_unnumbered: bool, count: usize) -> EditError {
    let path = node.any().map(|change| change.path().clone()).unwrap_or_default();
    let kind = if is_unnumbered && count > 1 { EditErrorKind::Ambiguous { count } } else { EditErrorKind::NotFound };
    EditError::new(&path, kind)
}
