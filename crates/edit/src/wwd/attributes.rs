use worldview_core::{OffsetBase, Source};
use worldview_wwd::Attributes;
use worldview_wwd::raw::AttributesHeader;
use zerocopy::IntoBytes as _;

use super::planes::Planes;
use crate::checked::sized;
use crate::fields::{self, Draft, Wish};
use crate::list;
use crate::tree::{Tree, unexpected};
use crate::{EditError, Result};

/// Applies changes of tile attributes.
pub(super) fn edit(table: &Attributes<'_>, source: Source<'_>, node: &Tree<'_>, planes: &mut Planes<'_>) -> Result<()> {
    if let Some(change) = node.change {
        return Err(unexpected(change));
    }
    let (path, is_there) = (node.path(), table.header().is_some());
    if is_there && !planes.has_own_attributes() {
        let why = "another part of the level shares the bytes of the tile attributes";
        return Err(EditError::unsupported(&path, why));
    }
    // The table that the level does not have, without records.
    let empty = AttributesHeader::empty();
    let nothing = Source::new(empty.as_bytes(), OffsetBase::Image);
    let new_table = Attributes::of(nothing)?;
    let (table, source) = if is_there { (table, source) } else { (&new_table, nothing) };
    let (start, _) = table.extent();
    let mut draft = Draft::new(start, source.slice(start, AttributesHeader::SIZE, "tile attributes")?);
    let (mut own, mut records, mut ranges) = (Vec::new(), Vec::new(), Vec::new());
    for (segment, node) in node.elements() {
        match (segment.kind, &*segment.key) {
            (None, b"frame") => records.push((segment, node)),
            _ => own.push(Wish::of(segment, node)?),
        }
    }
    fields::set(table, &own, &mut draft)?;
    if !records.is_empty() {
        let edited = list::of_kind(table, "frame", |parts| list::edit(parts, source, &records));
        let edited = edited.ok_or_else(|| EditError::not_found(&path))??;
        draft.count(&edited)?;
        planes.is_shrunk |= edited.is_shrunk;
        ranges = edited.ranges;
    }
    let header = draft.finish();
    if is_there {
        planes.put(&sized(start, AttributesHeader::SIZE)?, header, &path)?;
        ranges.into_iter().try_for_each(|(range, new)| planes.put(&range, new, &path))?;
    } else if ranges.is_empty() {
        return Err(EditError::not_found(&path));
    } else {
        planes.attributes = Some(header.into_iter().chain(ranges.into_iter().flat_map(|(_, new)| new)).collect());
    }
    Ok(())
}
