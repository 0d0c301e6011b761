use std::ops::Range;

use worldview_core::Path;
use worldview_wwd::raw::{LevelHeader, PlaneHeader};
use worldview_wwd::{Level, Plane};
use zerocopy::IntoBytes as _;
use zerocopy::little_endian::U32;

use crate::checked::{Checked as _, Number as _, index, indices, sized};
use crate::image::{Image, Piece};
use crate::list::Edited;
use crate::used::Used;
use crate::{EditError, EditErrorKind, Patches, Result};

/// Why a level cannot grow any more.
pub(super) const TOO_LARGE: &str = "the level would be larger than its 32-bit offsets can express";

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
    /// The bytes of its tiles, image-set names and objects; `None` if they stay where the original has them.
    pub(super) parts: [Option<Vec<u8>>; 3],
}

/// The planes and tile attributes of a level that is being edited.
pub(super) struct Planes<'a> {
    image: Image<'a>,
    /// The planes, in the order that they will have.
    pub(super) slots: Vec<Slot>,
    /// The ranges that the parts of each plane of the original have.
    parts: Vec<[Range<u64>; 3]>,
    /// The ranges that the file header, the plane headers and the tile attributes have.
    rest: [Range<u64>; 3],
    used: Used<u64>,
    /// Whether parts that change are kept apart from the original, for a plane that goes elsewhere.
    pub(super) is_apart: bool,
    /// The tile attributes, if the original has none.
    pub(super) attributes: Option<Vec<u8>>,
    /// Whether elements were removed to which tiles may refer by number.
    pub(super) is_shrunk: bool,
}

impl<'a> Planes<'a> {
    pub(super) fn new(level: &Level<'a>) -> Result<Self> {
        let slot = |plane: &Plane<'_>| Slot {
            origin: Some(plane.index()),
            header: *plane.header(),
            parts: [const { None }; 3],
        };
        let parts = level.planes().iter().map(parts).collect::<Result<Vec<_>>>()?;
        let (start, end) = level.attributes().extent();
        let array = (level.planes().len() as u64).times(PlaneHeader::SIZE)?;
        let rest = [0..LevelHeader::SIZE, sized(level.header().planes_offset.get().into(), array)?, start..end];
        Ok(Self {
            used: Used::of(parts.iter().flatten().chain(&rest).cloned()),
            rest,
            parts,
            image: Image::new(level.image().bytes(), Path::new()),
            slots: level.planes().iter().map(slot).collect(),
            is_apart: false,
            attributes: None,
            is_shrunk: false,
        })
    }

    /// Replaces a range.
    pub(super) fn put(&mut self, range: &Range<u64>, bytes: Vec<u8>, path: &Path) -> Result<()> {
        self.image.path = path.clone();
        self.image.replace(indices(range)?, bytes)
    }

    /// Replaces what changed of a list of a plane: where it is, or in a copy if other planes have it too.
    pub(super) fn put_list(&mut self, plane: usize, part: Part, edited: Edited, path: &Path) -> Result<()> {
        self.is_shrunk |= edited.is_shrunk;
        if self.is_own(plane, part)? {
            return edited.ranges.into_iter().try_for_each(|(range, new)| self.put(&range, new, path));
        }
        if edited.ranges.is_empty() {
            return Ok(());
        }
        let mut list = Patches::new(self.image.get(&indices(&edited.all)?)?);
        for (range, new) in edited.ranges {
            let range = range.start.minus(edited.all.start)?..range.end.minus(edited.all.start)?;
            if !list.replace(indices(&range)?, new) {
                return Err(EditError::inconsistent(path, "the elements of a list overlap"));
            }
        }
        self.put_part(plane, part, list.to_vec(), path)
    }

    /// Returns the bytes of a plane's part in the original.
    pub(super) fn bytes(&self, plane: usize, part: Part) -> Result<&'a [u8]> {
        self.image.get(&indices(&self.part(plane, part)?)?)
    }

    /// Returns the range of a plane's part in the original.
    fn part(&self, plane: usize, part: Part) -> Result<Range<u64>> {
        self.parts.get(plane).and_then(|parts| parts.get(part as usize)).cloned().checked()
    }

    /// Returns whether a part of a plane can be edited where it is: it has bytes there, and nothing else has them too.
    fn is_own(&self, plane: usize, part: Part) -> Result<bool> {
        let own = self.part(plane, part)?;
        Ok(!self.is_apart && !own.is_empty() && self.used.is_own(&own))
    }

    /// Returns whether the tile attributes can be edited where they are.
    pub(super) fn has_own_attributes(&self) -> bool {
        let [.., own] = &self.rest;
        self.used.is_own(own)
    }

    /// Replaces a part of a plane: where it is, or by one of its own if other planes have it too.
    pub(super) fn put_part(&mut self, plane: usize, part: Part, bytes: Vec<u8>, path: &Path) -> Result<()> {
        if self.is_own(plane, part)? {
            return self.put(&self.part(plane, part)?, bytes, path);
        }
        let slot = self.slots.iter_mut().find(|slot| slot.origin == Some(plane));
        *slot.and_then(|slot| slot.parts.get_mut(part as usize)).checked()? = Some(bytes);
        Ok(())
    }

    /// Removes the bytes that a plane has in the original, as far as no plane has them there any more.
    pub(super) fn drop_parts(&mut self, plane: usize) -> Result<()> {
        let kept = self.slots.iter().filter_map(|slot| Some((slot.origin.filter(|other| *other != plane)?, slot)));
        let kept = kept.flat_map(|(origin, slot)| self.parts.get(origin).into_iter().flatten().zip(&slot.parts));
        let kept: Vec<_> = kept.filter(|(_, own)| own.is_none()).map(|(range, _)| range).chain(&self.rest).collect();
        for part in self.parts.get(plane).checked()? {
            let range = indices(part)?;
            // Bytes that two leaving planes share are removed once.
            let is_left = !kept.iter().any(|other| overlap(part, other)) && !self.image.has_replaced(&range);
            if is_left && !part.is_empty() {
                self.image.put(range, Piece::default(), None);
            }
        }
        Ok(())
    }

    /// Writes the plane headers and the new parts, and corrects the offsets of all parts that moved.
    ///
    /// New parts go where all known programs would have written them: behind the part that comes before them in the usual order.
    pub(super) fn finish(mut self, level: &Level<'a>, header: &mut LevelHeader) -> Result<Patches<'a>> {
        let here = Path::new();
        let mut slots = std::mem::take(&mut self.slots);
        let [_, array, _] = self.rest.clone();
        let is_in_place = slots.len() == level.planes().len()
            && slots.iter().enumerate().all(|(index, slot)| slot.origin == Some(index));
        let mut cursor = array.end.clamp(LevelHeader::SIZE, level.image().len());
        let mut headers = None;
        if !is_in_place {
            if !array.is_empty() && !self.parts.iter().flatten().any(|other| overlap(&array, other)) {
                self.put(&array, Vec::new(), &here)?;
            }
            // Their offsets are known only when everything else has its place.
            headers = Some(self.insert(cursor, vec![0; slots.len().times(size_of::<PlaneHeader>())?])?);
        }
        let mut homes = vec![[None; 3]; slots.len()];
        for part in 0..3 {
            for (slot, homes) in slots.iter_mut().zip(&mut homes) {
                let old = slot.origin.and_then(|origin| self.parts.get(origin)?.get(part));
                match slot.parts.get_mut(part).checked()?.take() {
                    Some(bytes) => *homes.get_mut(part).checked()? = Some(self.insert(cursor, bytes)?),
                    None => cursor = old.filter(|old| !old.is_empty()).map_or(cursor, |old| old.end),
                }
            }
        }
        let attributes = self.attributes.take().map(|bytes| self.insert(cursor, bytes)).transpose()?;
        let moves = self.image.moves().map_err(shared)?;
        let too_large = || EditError::unsupported(&here, TOO_LARGE);
        let place = |home: Option<usize>, old: U32| {
            let offset = match home {
                Some(home) => moves.start(home)?,
                None => moves.at(usize::try_from(old.get()).checked()?)?,
            };
            u32::try_from(offset).map(U32::new).map_err(|_| too_large())
        };
        for (slot, [tiles, image_sets, objects]) in slots.iter_mut().zip(homes) {
            let raw = &mut slot.header;
            raw.tiles_offset = place(tiles, raw.tiles_offset)?;
            raw.image_sets_offset = place(image_sets, raw.image_sets_offset)?;
            // Programs write 0 if there are no objects.
            raw.objects_offset = match objects {
                Some(_) if raw.num_objects.get() == 0 => U32::ZERO,
                home => place(home, raw.objects_offset)?,
            };
        }
        header.planes_offset = place(headers, header.planes_offset)?;
        header.num_planes.set(u32::try_from(slots.len()).map_err(|_| too_large())?);
        header.tile_attribs_offset = place(attributes, header.tile_attribs_offset)?;
        if let Some(number) = headers {
            *self.image.inserted(number)? = slots.iter().flat_map(|slot| slot.header.as_bytes()).copied().collect();
        } else {
            for (plane, slot) in level.planes().iter().zip(&slots) {
                let range = sized(plane.offset(), PlaneHeader::SIZE)?;
                self.put(&range, slot.header.as_bytes().to_vec(), &here)?;
            }
        }
        self.image.finish([], Vec::new()).map_err(shared)
    }

    /// Inserts bytes at an offset, or at the end of the image if that is inside a part. Returns their number.
    fn insert(&mut self, at: u64, bytes: Vec<u8>) -> Result<usize> {
        let is_inside = |range: &Range<u64>| range.start < at && at < range.end;
        let is_free = !self.parts.iter().flatten().chain(&self.rest).any(is_inside);
        let at = if is_free { index(at)? } else { self.image.bytes.len() };
        Ok(self.image.insert(at..at, bytes))
    }
}

/// Returns an error about two changes as one about parts that share bytes.
fn shared(error: EditError) -> EditError {
    match error.kind {
        EditErrorKind::Conflict { .. } => {
            let why = "two changes are about the same bytes, which parts of the level share";
            EditError::unsupported(&error.path, why)
        }
        _ => error,
    }
}

/// The ranges of a plane's parts; of broken lists, up to what is broken.
fn parts(plane: &Plane<'_>) -> Result<[Range<u64>; 3]> {
    let raw = plane.header();
    let tiles = sized(raw.tiles_offset.get().into(), size_of_val(plane.tiles()) as u64)?;
    let (mut names, mut objects) = (plane.image_sets().iter(), plane.objects().iter());
    let (mut image_sets, mut all) = (names.position()..names.position(), objects.position()..objects.position());
    while let Some(Ok(_)) = names.next() {
        image_sets.end = names.position();
    }
    while let Some(Ok(_)) = objects.next() {
        all.end = objects.position();
    }
    Ok([tiles, image_sets, all])
}

fn overlap(left: &Range<u64>, right: &Range<u64>) -> bool {
    left.start < right.end && right.start < left.end
}
