use worldview_core::describe::PartList;
use worldview_core::{Path, Segment};
use worldview_wwd::flags::PACKED;
use worldview_wwd::raw::{LevelHeader, PlaneHeader};
use worldview_wwd::{Level, LevelDescription, Plane, TileKind};
use zerocopy::IntoBytes as _;

use super::TRAILING;
use super::planes::{Part, Planes, Slot, TOO_LARGE};
use super::{attributes, plane};
use crate::checked::{Checked as _, Number as _};
use crate::fields::{self, Wish};
use crate::list::{self, Hooks, Inside};
use crate::tree::{Tree, unexpected};
use crate::{Change, EditError, Patches, Result};

/// Applies the changes of a tree to a level: those of the file header to `header`, of what is behind the main block to `trailing`,
/// all others to the image, which is returned.
pub(super) fn edit<'a>(
    file: &LevelDescription<'_>,
    level: &Level<'a>,
    header: &mut LevelHeader,
    trailing: &mut Vec<u8>,
    tree: &Tree<'_>,
) -> Result<Patches<'a>> {
    let mut planes = Planes::new(level)?;
    let mut list = Vec::new();
    for (segment, node) in tree.elements() {
        match (segment.kind, &*segment.key, segment.nth) {
            (None, b"header", None) => file_header(header, node)?,
            (None, b"tile_attributes", None) => attributes::edit(level.attributes(), level.image(), node, &mut planes)?,
            (None, b"trailer", None) => {
                let path = node.any().map(|change| change.path().clone()).unwrap_or_default();
                let why = "the trailer of an editor is only replaced as a whole: set `trailing_bytes`";
                return Err(EditError::unsupported(&path, why));
            }
            (None, name, None) if *name == *TRAILING.as_bytes() => behind(trailing, node)?,
            (Some("plane"), ..) => list.push((segment, node)),
            _ => return Err(EditError::not_found(&node.path())),
        }
    }
    if !list.is_empty() {
        let edited = list::of_kind(file, "plane", |parts| edit_planes(level, parts, &list, &mut planes));
        edited.checked()??;
    }
    let origins: Vec<_> = planes.slots.iter().map(|slot| slot.origin).collect();
    let is_shrunk = planes.is_shrunk;
    let edited = planes.finish(level, header)?;
    if is_shrunk {
        referred(level, &origins, &edited, header)?;
    }
    Ok(edited)
}

fn file_header(header: &mut LevelHeader, node: &Tree<'_>) -> Result<()> {
    let wishes = node.elements().map(|(segment, node)| Wish::of(segment, node));
    fields::set_structure(header, &wishes.collect::<Result<Vec<_>>>()?)?;
    node.change.map_or(Ok(()), |change| Err(unexpected(change)))
}

/// Replaces what is behind the main block.
fn behind(trailing: &mut Vec<u8>, node: &Tree<'_>) -> Result<()> {
    let Some(Change::Set { path, from, to }) = node.change else {
        return Err(node.change.map_or_else(|| EditError::not_found(&node.path()), unexpected));
    };
    if let Some(new) = fields::replaced(node, path, from.as_ref(), to, trailing)? {
        *trailing = new.to_vec();
    }
    Ok(())
}

/// Changes, removes, moves and adds planes.
fn edit_planes<'a>(
    level: &Level<'a>,
    parts: &dyn PartList,
    changes: &[(Segment<'_>, &Tree<'_>)],
    planes: &mut Planes<'a>,
) -> Result<()> {
    let mut edit = |index: usize, _: &Segment<'_>, node: &Tree<'_>| {
        let plane = level.planes().get(index).checked()?;
        match node.change {
            Some(change @ Change::Set { .. }) => Err(unexpected(change)),
            // It is edited where it goes.
            Some(Change::Move { .. }) => Ok(()),
            // What is inside a plane goes with it, but must be what the changes say.
            Some(Change::Remove { .. }) => plane::edit(level, plane, node, &mut Planes::new(level)?),
            _ => plane::edit(level, plane, node, planes),
        }
    };
    let inside = Inside { is_own: |_| false, edit: &mut edit };
    let mut plan = list::plan(parts, level.image(), changes, Hooks { refer: None, inside: Some(inside) })?;
    let places = plan.order();
    let mut old: Vec<_> = std::mem::take(&mut planes.slots).into_iter().map(Some).collect();
    for place in places {
        let slot = match (place.node, place.new) {
            (Some(node), Some(header)) => placed(level, place.origin, place.like, &header, node, planes)?,
            _ => place.origin.and_then(|index| old.get_mut(index)?.take()).checked()?,
        };
        planes.slots.push(slot);
    }
    // Those of planes that move or are removed are left.
    old.into_iter().flatten().try_for_each(|slot| planes.drop_parts(slot.origin.checked()?))
}

/// Builds a plane that moves, or is added. `header` is what changes make of that of the original, or of the plane that it is like.
fn placed(
    level: &Level<'_>,
    origin: Option<usize>,
    like: Option<usize>,
    header: &[u8],
    node: &Tree<'_>,
    planes: &mut Planes<'_>,
) -> Result<Slot> {
    let plane = origin.or(like).and_then(|index| level.planes().get(index));
    let mut header: PlaneHeader = fields::structure(header)?;
    if let Some(Change::Add { fields: given, .. }) = node.change {
        header.header_size.set(PlaneHeader::SIZE_U32);
        let empty = PlaneHeader::empty();
        let old = plane.map_or(&empty, Plane::header);
        plane::fit_pixels(old, &mut header, |field| given.iter().any(|(name, _)| name == field));
    }
    Ok(Slot { origin, ..alone(plane, header, node, planes)? })
}

/// Builds a plane that has its parts to itself, with the tiles, image-set names and objects of another one.
///
/// It is edited as the only plane of a level, so that changes inside it are those of any other plane.
fn alone(like: Option<&Plane<'_>>, mut header: PlaneHeader, node: &Tree<'_>, planes: &mut Planes<'_>) -> Result<Slot> {
    let path = node.path();
    let (wide, high) = plane::grid_size(&header, &path)?;
    let grid = plane::grid(like, wide, high)?;
    let old = |part| like.map_or(Ok(&[][..]), |like| planes.bytes(like.index(), part));
    let (names, objects) = (old(Part::ImageSets)?, old(Part::Objects)?);
    let mut file = LevelHeader::empty();
    file.num_planes.set(1);
    let mut at = LevelHeader::SIZE.plus(PlaneHeader::SIZE)?;
    let mut next = |len: usize| {
        let offset = u32::try_from(at).map_err(|_| EditError::unsupported(&path, TOO_LARGE))?;
        at = at.plus(len as u64)?;
        Ok::<_, EditError>(offset)
    };
    header.tiles_offset.set(next(grid.len())?);
    header.image_sets_offset.set(next(names.len())?);
    header.objects_offset.set(next(objects.len())?);
    let bytes = [file.as_bytes(), header.as_bytes(), &grid, names, objects].concat();
    let before = Level::parse(&bytes)?;
    let mut inner = Planes::new(&before)?;
    inner.is_apart = true;
    for plane in before.planes() {
        // A list that cannot be read to its end cannot be copied.
        plane.image_sets().iter().try_for_each(|name| name.map(drop))?;
        plane.objects().into_iter().try_for_each(|object| object.map(drop))?;
        plane::edit(&before, plane, node, &mut inner)?;
    }
    planes.is_shrunk |= inner.is_shrunk;
    let mut slot = inner.slots.pop().checked()?;
    for (own, part) in slot.parts.iter_mut().zip([Part::Tiles, Part::ImageSets, Part::Objects]) {
        if own.is_none() {
            *own = Some(inner.bytes(0, part)?.to_vec());
        }
    }
    Ok(slot)
}

/// Returns an edited image with the header that the file will have.
pub(super) fn with_header(edited: &Patches<'_>, header: &LevelHeader) -> Vec<u8> {
    let (mut bytes, mut header) = (edited.to_vec(), *header);
    // The image is not packed, whatever the file is.
    header.flags.set(header.flags.get() & !PACKED);
    bytes.iter_mut().zip(header.as_bytes()).for_each(|(byte, new)| *byte = *new);
    bytes
}

/// Refuses to remove tile attributes and image-set names to which tiles still refer.
fn referred(level: &Level<'_>, origins: &[Option<usize>], edited: &Patches<'_>, header: &LevelHeader) -> Result<()> {
    let bytes = with_header(edited, header);
    let new = Level::parse(&bytes)?;
    for (plane, origin) in new.planes().iter().zip(origins) {
        if let Some(old) = origin.and_then(|origin| level.planes().get(origin)) {
            let path = Path::new().with(|path| path.push("plane", plane.name(), None));
            has_elements(&path, (level, old), (&new, plane))?;
        }
    }
    Ok(())
}

/// Refuses a plane with tiles that refer to elements which only the original has.
pub(super) fn has_elements(path: &Path, old: (&Level<'_>, &Plane<'_>), new: (&Level<'_>, &Plane<'_>)) -> Result<()> {
    let sets = [new.1, old.1].map(|plane| u64::from(plane.image_sets().count()));
    let frames = [new.0, old.0].map(|level| level.attributes().records().len() as u64);
    let gone = |[new, old]: [u64; 2], nth: u16| (new..old).contains(&nth.into());
    for tile in new.1.tiles() {
        let TileKind::Image { image_set, frame } = tile.kind() else { continue };
        let mut path = path.clone();
        if gone(sets, image_set) {
            path.push_nth(b"image_set", image_set.into());
        } else if new.1.is_main() && gone(frames, frame) {
            path = Path::new();
            path.push_name(b"tile_attributes");
            path.push_nth(b"frame", frame.into());
        } else {
            continue;
        }
        return Err(EditError::unsupported(&path, "tiles refer to this element by number, so it cannot be removed"));
    }
    Ok(())
}
