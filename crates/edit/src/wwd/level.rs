use std::collections::BTreeMap;

use worldview_core::{Path, Segment};
use worldview_wwd::flags::PACKED;
use worldview_wwd::raw::{LevelHeader, PlaneHeader};
use worldview_wwd::{Level, Plane, TileKind};
use zerocopy::{FromZeros as _, IntoBytes as _};

use super::TRAILING;
use super::image::{Image, Part, Slot, TOO_LARGE};
use super::{attributes, plane};
use crate::fields::{self, Draft, Wish};
use crate::tree::{Tree, is_recorded, sibling, unexpected};
use crate::{Change, EditError, EditErrorKind, Patches, Position, Result, Value};

/// Applies the changes of a tree to a level: those of the file header to `header`, of what is behind the main block to `trailing`,
/// all others to the image, which is returned.
pub(super) fn edit<'a>(
    level: &Level<'a>,
    header: &mut LevelHeader,
    trailing: &mut Vec<u8>,
    tree: &Tree<'_>,
) -> Result<Patches<'a>> {
    let mut image = Image::new(level)?;
    let mut list = Vec::new();
    for (segment, node) in tree.elements() {
        match (segment.kind, &*segment.key, segment.nth) {
            (None, b"header", None) => file_header(header, node)?,
            (None, b"tile_attributes", None) => attributes::edit(level.attributes(), level.image(), node, &mut image)?,
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
    planes(level, &list, &mut image)?;
    let origins: Vec<_> = image.planes.iter().map(|slot| slot.origin).collect();
    let is_shrunk = image.is_shrunk;
    let edited = image.finish(level, header)?;
    if is_shrunk {
        referred(level, &origins, &edited, header)?;
    }
    Ok(edited)
}

fn file_header(header: &mut LevelHeader, node: &Tree<'_>) -> Result<()> {
    let wishes = node.elements().map(|(segment, node)| Wish::of(segment, node));
    let mut draft = Draft::new(0, header.as_bytes());
    fields::set(header, &wishes.collect::<Result<Vec<_>>>()?, &mut draft)?;
    *header = draft.finish_as(&Path::new())?;
    node.change.map_or(Ok(()), |change| Err(unexpected(change)))
}

/// Replaces what is behind the main block.
fn behind(trailing: &mut Vec<u8>, node: &Tree<'_>) -> Result<()> {
    let Some(Change::Set { path, from, to }) = node.change else {
        return Err(node.change.map_or_else(|| EditError::not_found(&node.path()), unexpected));
    };
    if to.as_bytes() == Some(trailing) {
        node.is_done_already();
        return Ok(());
    }
    let found = Value::Bytes(std::mem::take(trailing));
    if let Some(expected) = from.as_ref().filter(|expected| !fields::same(expected, &found)) {
        return Err(EditError::differs(path, expected, found));
    }
    *trailing = to.as_bytes().ok_or_else(|| fields::wrong(to, "bytes", path))?.to_vec();
    Ok(())
}

/// Changes, removes, moves and adds planes.
fn planes<'a>(level: &Level<'a>, list: &[(Segment<'_>, &Tree<'_>)], image: &mut Image<'a>) -> Result<()> {
    let (mut removed, mut placed) = (Vec::new(), Vec::new());
    // Planes of the original whose parts do not stay where they are.
    let mut left = Vec::new();
    for (segment, node) in list {
        match node.change {
            Some(Change::Add { position, path, fields, .. }) => match find(level, segment, path) {
                // It is there with these fields; what is inside it is changed as in any other plane.
                Ok(plane) if expect(plane, fields, path).is_ok() => {
                    node.is_done_already();
                    plane::edit(level, plane, &node.inside(), image)?;
                }
                _ => placed.push((None, position, path, *node)),
            },
            Some(Change::Remove { path, fields, .. }) => {
                let plane = match find(level, segment, path) {
                    Err(EditError { kind: EditErrorKind::NotFound, .. }) if is_recorded(fields, None) => {
                        node.are_done_already();
                        continue;
                    }
                    plane => plane?,
                };
                expect(plane, fields, path)?;
                // What is inside a plane goes with it, but must be what the changes say.
                plane::edit(level, plane, node, &mut Image::new(level)?)?;
                removed.push(plane.index());
                left.push(plane.index());
            }
            other => {
                let path = node.path();
                let plane = find(level, segment, &path)?;
                match other {
                    None => plane::edit(level, plane, node, image)?,
                    Some(Change::Move { position, path, was: _ }) => placed.push((Some(plane), position, path, *node)),
                    Some(change) => return Err(unexpected(change)),
                }
            }
        }
    }
    // Elements that go to the same place stay in the order of the list of changes.
    placed.sort_by_key(|(.., node)| node.order);
    let mut last: BTreeMap<Option<usize>, usize> = BTreeMap::new();
    for (origin, position, path, node) in placed {
        let slot = match origin {
            Some(plane) => {
                image.planes.retain(|slot| slot.origin != Some(plane.index()));
                left.push(plane.index());
                alone(level, Some(plane), *plane.header(), node, image)?
            }
            None => added(level, node, image)?,
        };
        let neighbor = |other: &Path| -> Result<(usize, usize)> {
            let segment = sibling(other, path, Some("plane"))?;
            let index = find(level, &segment, other)?.index();
            let at = image.planes.iter().position(|slot| slot.origin == Some(index));
            let why = "the neighbor of this element moves itself";
            Ok((index, at.ok_or_else(|| EditError::unsupported(path, why))?))
        };
        let at = match position {
            Position::Natural => image.planes.len(),
            Position::Before(other) => neighbor(other)?.1,
            Position::After(other) => {
                let (index, at) = neighbor(other)?;
                let passed = last.entry(Some(index)).or_default();
                *passed = passed.saturating_add(1);
                at.saturating_add(*passed)
            }
        };
        image.planes.insert(at.min(image.planes.len()), slot);
    }
    image.planes.retain(|slot| !slot.origin.is_some_and(|origin| removed.contains(&origin)));
    left.into_iter().for_each(|index| image.drop_parts(index));
    Ok(())
}

/// Returns an error unless a plane has these fields.
fn expect(plane: &Plane<'_>, fields: &[(String, Value)], path: &Path) -> Result<()> {
    fields::set(plane, &Wish::expected(fields, path).collect::<Vec<_>>(), &mut Draft::new(0, &[]))
}

fn find<'l, 'a>(level: &'l Level<'a>, segment: &Segment<'_>, path: &Path) -> Result<&'l Plane<'a>> {
    let planes = || level.planes().iter().filter(|plane| plane.name() == &*segment.key);
    let nth = usize::try_from(segment.nth.unwrap_or(0)).unwrap_or(usize::MAX);
    match (planes().nth(nth), planes().count()) {
        (Some(_), count) if count > 1 && segment.nth.is_none() => {
            Err(EditError::new(path, EditErrorKind::Ambiguous { count }))
        }
        (Some(plane), _) => Ok(plane),
        (None, _) => Err(EditError::not_found(path)),
    }
}

/// Builds an added plane.
fn added(level: &Level<'_>, node: &Tree<'_>, image: &mut Image<'_>) -> Result<Slot> {
    let Some(Change::Add { path, like, fields: given, data: None, .. }) = node.change else {
        return Err(node.any().map_or_else(|| EditError::not_found(&node.path()), unexpected));
    };
    let like = like.as_ref().map(|like| find(level, &sibling(like, path, Some("plane"))?, like)).transpose()?;
    let empty = PlaneHeader::new_zeroed();
    let raw = like.map_or(&empty, Plane::header);
    let mut draft = Draft::new(0, raw.as_bytes());
    let name = path.segments().last().map(|segment| Value::Bytes(segment.key.to_vec()));
    let name = name.iter().map(|name| Wish::to(b"name".into(), name, path));
    fields::set(raw, &name.chain(Wish::given(given, path)).collect::<Vec<_>>(), &mut draft)?;
    let mut header: PlaneHeader = draft.finish_as(path)?;
    header.header_size.set(u32::try_from(PlaneHeader::SIZE).unwrap_or(0));
    plane::fit_pixels(raw, &mut header, |field| given.iter().any(|(name, _)| name == field));
    Ok(Slot { origin: None, ..alone(level, like, header, node, image)? })
}

/// Builds a plane that has its parts to itself, with the tiles, image-set names and objects of another one.
///
/// It is edited as the only plane of a level, so that changes inside it are those of any other plane.
fn alone(
    level: &Level<'_>,
    like: Option<&Plane<'_>>,
    mut header: PlaneHeader,
    node: &Tree<'_>,
    image: &mut Image<'_>,
) -> Result<Slot> {
    let path = node.path();
    let (wide, high) = plane::grid_size(&header, &path)?;
    let grid = plane::grid(like, wide, high);
    let slice = |part| {
        let range = like.map_or(0..0, |like| image.part(like.index(), part));
        level.image().slice(range.start, range.end.saturating_sub(range.start), "part of a plane")
    };
    let (names, objects) = (slice(Part::ImageSets)?, slice(Part::Objects)?);
    let mut file = LevelHeader::new_zeroed();
    file.header_size.set(u32::try_from(LevelHeader::SIZE).unwrap_or(0));
    file.num_planes.set(1);
    file.planes_offset.set(file.header_size.get());
    let mut at = LevelHeader::SIZE.saturating_add(PlaneHeader::SIZE);
    let mut next = |len: usize| {
        let offset = u32::try_from(at).map_err(|_| EditError::unsupported(&path, TOO_LARGE));
        at = at.saturating_add(len as u64);
        offset
    };
    header.tiles_offset.set(next(grid.len())?);
    header.image_sets_offset.set(next(names.len())?);
    header.objects_offset.set(next(objects.len())?);
    let bytes = [file.as_bytes(), header.as_bytes(), &grid, names, objects].concat();
    let before = Level::parse(&bytes)?;
    let mut inner = Image::new(&before)?;
    for plane in before.planes() {
        // A list that cannot be read to its end cannot be copied.
        plane.image_sets().iter().try_for_each(|name| name.map(drop))?;
        plane.objects().into_iter().try_for_each(|object| object.map(drop))?;
        plane::edit(&before, plane, node, &mut inner)?;
    }
    image.is_shrunk |= inner.is_shrunk;
    let bytes = inner.finish(&before, &mut file)?.to_vec();
    let after = Level::parse(&bytes)?;
    let edited = Image::new(&after)?;
    let own = |part| {
        let range = edited.part(0, part);
        let bytes = after.image().slice(range.start, range.end.saturating_sub(range.start), "part of a plane")?;
        Ok::<_, EditError>(Some(bytes.to_vec()))
    };
    Ok(Slot {
        origin: like.map(Plane::index),
        header: after.planes().first().map_or(header, |plane| *plane.header()),
        parts: [own(Part::Tiles)?, own(Part::ImageSets)?, own(Part::Objects)?],
    })
}

/// Refuses to remove tile attributes and image-set names to which tiles still refer.
fn referred(level: &Level<'_>, origins: &[Option<usize>], edited: &Patches<'_>, header: &LevelHeader) -> Result<()> {
    let (mut bytes, mut header) = (edited.to_vec(), *header);
    // The image is not packed, whatever the file is.
    header.flags.set(header.flags.get() & !PACKED);
    bytes.iter_mut().zip(header.as_bytes()).for_each(|(byte, new)| *byte = *new);
    let new = Level::parse(&bytes)?;
    for (plane, origin) in new.planes().iter().zip(origins) {
        if let Some(old) = origin.and_then(|origin| level.planes().get(origin)) {
            let mut path = Path::new();
            path.push("plane", plane.name(), None);
            has_elements(&path, (level, old), (&new, plane))?;
        }
    }
    Ok(())
}

/// Refuses a plane with tiles that refer to elements which only the original has.
pub(super) fn has_elements(path: &Path, old: (&Level<'_>, &Plane<'_>), new: (&Level<'_>, &Plane<'_>)) -> Result<()> {
    let sets = [new.1, old.1].map(|plane| usize::try_from(plane.image_sets().count()).unwrap_or(usize::MAX));
    let frames = [new.0, old.0].map(|level| level.attributes().records().len());
    let gone = |[new, old]: [usize; 2], nth: u16| (new..old).contains(&usize::from(nth));
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
